"""Sweeps on the Runs page: planning one, its queue, and its results."""
