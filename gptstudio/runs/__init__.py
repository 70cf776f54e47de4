"""Work over time: a run is a generator of small typed events, and one executor drains it into sinks.

The law of this room: torch, but no Qt and no print. ``spec``, ``events``, ``control``, ``executor``, ``journal``,
``folder``, ``texts`` and ``corpus`` do not import torch.
"""
