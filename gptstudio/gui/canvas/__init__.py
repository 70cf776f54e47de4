"""Widgets painted by hand, and their shared parts."""
