"""The page of the block lab."""

from gptstudio.gui.learn.block.page import Page

__all__ = ["Page"]
