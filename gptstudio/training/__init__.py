"""Training: a run is a generator of small typed events, and one executor drains it into sinks.

Constraint of this package: torch, but no Qt and no print. Modules that say "No torch" are imported before the window is
shown, and ``launch`` imports torch only when a run is started.
"""
