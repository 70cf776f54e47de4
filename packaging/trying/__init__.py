"""Trials of ``packaging/try_installed.py``: what a user does with the installers, on a real machine."""
