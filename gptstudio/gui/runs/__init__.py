"""Runs page: the list of runs, their comparison, sweeps, and the class view."""
