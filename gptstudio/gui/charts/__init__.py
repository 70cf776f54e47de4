"""Curves over training steps."""
