"""The page of the dropout lab."""

from gptstudio.gui.labs.dropout.page import Page

__all__ = ["Page"]
