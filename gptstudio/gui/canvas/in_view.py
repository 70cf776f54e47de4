"""Brings a place of a widget into view, whatever scrolls around it."""

from __future__ import annotations

from PySide6.QtCore import QRect
from PySide6.QtWidgets import QScrollArea, QWidget


def bring_into_view(widget: QWidget, place: QRect) -> None:
    """``place`` is in the widget's own pixels."""
    around = widget.parentWidget()
    while around:
        if isinstance(around, QScrollArea) and (inside := around.widget()):
            middle = widget.mapTo(inside, place.center())
            around.ensureVisible(middle.x(), middle.y(), place.width(), place.height())
        around = around.parentWidget()
