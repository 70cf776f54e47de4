"""The page of the attention lab."""

from gptstudio.gui.learn.attention.page import Page

__all__ = ["Page"]
