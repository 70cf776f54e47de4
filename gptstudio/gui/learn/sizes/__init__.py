"""The page of the sizes lab."""

from gptstudio.gui.learn.sizes.page import Page

__all__ = ["Page"]
