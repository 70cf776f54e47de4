"""Plots of frozen records: a new plot is a record, not a class."""
