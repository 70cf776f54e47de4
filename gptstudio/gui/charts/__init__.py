"""Curves over steps."""
