"""The page of the block lab."""

from gptstudio.gui.labs.block.page import Page

__all__ = ["Page"]
