"""Scoring: the surprisal of a text in a model."""
