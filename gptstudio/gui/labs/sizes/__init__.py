"""The page of the sizes lab."""

from gptstudio.gui.labs.sizes.page import Page

__all__ = ["Page"]
