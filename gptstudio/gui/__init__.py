"""The screen: the only room that knows Qt. ``window.py`` introduces its parts to each other."""
