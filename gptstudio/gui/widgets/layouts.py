"""Layouts as nested calls, which read as the screen does: ``vbox(title, hbox(grows(field), button), FREE)``."""

from __future__ import annotations

from typing import NamedTuple, TypeVar

from PySide6.QtCore import Qt
from PySide6.QtWidgets import QBoxLayout, QFrame, QHBoxLayout, QLabel, QLayout, QStackedWidget, QVBoxLayout, QWidget

W = TypeVar("W", bound=QWidget)
L = TypeVar("L", bound=QBoxLayout)
Margins = tuple[int, int, int, int]
LEFT, TOP = Qt.AlignmentFlag.AlignLeft, Qt.AlignmentFlag.AlignTop


class Item(NamedTuple):
    """Part of a layout, and its share of the space left over. Without a part: empty space."""

    part: QWidget | QLayout | None
    stretch: int = 0
    alignment: Qt.AlignmentFlag = Qt.AlignmentFlag(0)


FREE = Item(None, 1)
"""Empty space that takes what is left over."""


def grows(part: QWidget | QLayout, stretch: int = 1) -> Item:
    return Item(part, stretch)


def aligned(part: QWidget, alignment: Qt.AlignmentFlag) -> Item:
    return Item(part, 0, alignment)


def vbox(
    *parts: QWidget | QLayout | Item, spacing: int | None = None, margins: Margins = (0, 0, 0, 0)
) -> QVBoxLayout:
    """Return a layout of widgets and layouts below each other. ``spacing``: pixels, by default that of the layout
    around it. ``margins``: left, top, right, bottom."""
    return _filled(QVBoxLayout(), parts, spacing, margins)


def hbox(*parts: QWidget | QLayout | Item, spacing: int | None = None, margins: Margins = (0, 0, 0, 0)) -> QHBoxLayout:
    """Return a layout of widgets and layouts beside each other; ``spacing`` and ``margins`` as for a column."""
    return _filled(QHBoxLayout(), parts, spacing, margins)


def fill(layout: L, *parts: QWidget | QLayout | Item) -> L:
    """Append widgets, layouts and empty space to a layout; return the layout."""
    for each in parts:
        part, stretch, alignment = each if isinstance(each, Item) else Item(each)
        if isinstance(part, QLayout):
            layout.addLayout(part, stretch)
        elif part is not None:
            layout.addWidget(part, stretch, alignment)
        else:
            layout.addStretch(stretch)
    return layout


def holding(whole: W, layout: QLayout) -> W:
    """Put a layout into a widget; return the widget."""
    whole.setLayout(layout)
    return whole


def in_column(whole: W, *parts: QWidget | QLayout | Item, spacing: int) -> W:
    """Put widgets and layouts below each other into a widget, at its top and without margins; return the widget."""
    return holding(whole, vbox(*parts, FREE, spacing=spacing))


def card(
    *parts: QWidget | QLayout | Item, name: str = "", spacing: int = 8, margins: Margins = (12, 12, 12, 12)
) -> QFrame:
    """Return a frame with padding, and widgets and layouts below each other in it."""
    frame = holding(QFrame(), vbox(*parts, spacing=spacing, margins=margins))
    frame.setObjectName(name)
    frame.setProperty("card", True)
    return frame


def centred(whole: W, *labels: QLabel, spacing: int) -> W:
    """Put labels below each other into the middle of a widget; return the widget."""
    layout = QVBoxLayout(whole)
    layout.setSpacing(spacing)
    for each in labels:
        each.setAlignment(Qt.AlignmentFlag.AlignCenter)
    fill(layout, FREE, *labels, FREE)
    return whole


def stacked(*pages: QWidget) -> QStackedWidget:
    """Return a widget that shows one of these pages at a time, at first the first."""
    stack = QStackedWidget()
    for page in pages:
        stack.addWidget(page)
    return stack


def _filled(layout: L, parts: tuple[QWidget | QLayout | Item, ...], spacing: int | None, margins: Margins) -> L:
    layout.setContentsMargins(*margins)
    if spacing is not None:
        layout.setSpacing(spacing)
    return fill(layout, *parts)
