"""How surprising a text is to a model."""
