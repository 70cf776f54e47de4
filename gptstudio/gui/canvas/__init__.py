"""Widgets that are painted by hand, and what they share."""
