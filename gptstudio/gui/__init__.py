"""Graphical user interface: the only package that imports Qt. ``window.py`` connects its parts."""
