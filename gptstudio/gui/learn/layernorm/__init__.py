"""The page of the layer normalisation lab."""

from gptstudio.gui.learn.layernorm.page import Page

__all__ = ["Page"]
