"""The page of the shortcuts lab."""

from gptstudio.gui.learn.shortcuts.page import Page

__all__ = ["Page"]
