"""The page of the attention lab."""

from gptstudio.gui.labs.attention.page import Page

__all__ = ["Page"]
