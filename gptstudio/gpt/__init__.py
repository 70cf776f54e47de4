"""The mathematics: configuration, sizes, model, sampling, tokens.

The law of this room: no Qt, no threads, no prints. ``config`` and ``sizing`` do not import torch, so that a
panel or a terminal answers at once.
"""
