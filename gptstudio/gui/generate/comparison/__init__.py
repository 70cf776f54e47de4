"""Comparison of two models, or of two settings of one, on one prompt."""
