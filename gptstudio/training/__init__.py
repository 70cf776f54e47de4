"""Work over time: a run is a generator of small typed events, and one executor drains it into sinks.

The law of this room: torch, but no Qt and no print. Those that say "No torch" are imported before the window is on
the screen, and ``launch`` brings torch only once a run is started.
"""
