"""The Generate page: a text, token by token, and all that could have come instead. Everything of it is in here."""
