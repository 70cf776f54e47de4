"""The mathematics: configuration, sizes, model, sampling, tokens.

This package uses no Qt, no threads and no print. ``config``, ``sizing`` and ``memory`` do not import torch, so that
panels and the command line respond at once.
"""
