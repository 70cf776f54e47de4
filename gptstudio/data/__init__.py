"""Texts as they lie on a disk: found or fetched, in any encoding, and as token ids that are computed once.

The law of this room: it knows nothing of runs. No torch, no Qt, no print.
"""
