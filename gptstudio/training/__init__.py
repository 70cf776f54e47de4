"""Training: a run is a generator of small typed events, which an executor passes to sinks.

This package may import torch, but not Qt, and does not print. Modules marked "No torch" are imported before the window
is shown; ``launch`` imports torch only when a run is started.
"""
