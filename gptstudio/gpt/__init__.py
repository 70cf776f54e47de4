"""Mathematics: configuration, sizes, model, sampling, tokens.

Constraint of this package: no Qt, no threads, no prints. ``config``, ``sizing`` and ``memory`` do not import torch, so
that a panel or a terminal responds at once.
"""
