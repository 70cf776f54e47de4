"""Trials of ``packaging/try_installed.py``: a user's work with the installers, on a real machine."""
