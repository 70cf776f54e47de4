"""Texts on disk: found or downloaded, in any encoding, and as token IDs that are computed once.

Constraint of this package: it does not import ``training``. No torch, no Qt, no print.
"""
