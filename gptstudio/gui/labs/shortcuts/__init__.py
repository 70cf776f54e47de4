"""The page of the shortcuts lab."""

from gptstudio.gui.labs.shortcuts.page import Page

__all__ = ["Page"]
