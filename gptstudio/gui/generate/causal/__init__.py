"""Cause and effect: what changes when a part of the model does."""
