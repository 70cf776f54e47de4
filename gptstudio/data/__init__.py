"""Texts on disk: found or downloaded, in any encoding, and cached as token ids.

This package does not import ``training``, torch or Qt, and does not print.
"""
