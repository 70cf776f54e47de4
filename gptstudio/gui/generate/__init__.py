"""The Generate page: a text, token by token, and its alternatives."""
