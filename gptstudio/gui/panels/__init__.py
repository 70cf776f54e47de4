"""Docks beside the tabs."""
