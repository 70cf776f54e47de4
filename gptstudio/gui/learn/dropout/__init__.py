"""The page of the dropout lab."""

from gptstudio.gui.learn.dropout.page import Page

__all__ = ["Page"]
