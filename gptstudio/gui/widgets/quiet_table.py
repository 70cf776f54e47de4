"""A table that is read: nothing is edited, lines are chosen whole, no grid, no frame, smooth to scroll."""

from __future__ import annotations

from PySide6.QtCore import Qt
from PySide6.QtWidgets import QAbstractItemView, QFrame, QTableView

from gptstudio.gui.widgets.table_copy import offer_copy

WHOLE_LINES = QAbstractItemView.SelectionBehavior.SelectRows
ONE, NONE = QAbstractItemView.SelectionMode.SingleSelection, QAbstractItemView.SelectionMode.NoSelection


def quieten(table: QTableView, selects: bool = True, elide: Qt.TextElideMode = Qt.TextElideMode.ElideRight) -> None:
    """Give a table the common appearance and behaviour of the program's tables.

    Args:
        selects: whether one row at a time can be selected.
        elide: which part of a long text is elided.
    """
    table.setSelectionBehavior(WHOLE_LINES)
    table.setSelectionMode(ONE if selects else NONE)
    table.setEditTriggers(QAbstractItemView.EditTrigger.NoEditTriggers)
    table.setVerticalScrollMode(QAbstractItemView.ScrollMode.ScrollPerPixel)
    table.setHorizontalScrollMode(QAbstractItemView.ScrollMode.ScrollPerPixel)
    table.setTabKeyNavigation(False)
    table.setTextElideMode(elide)
    table.setShowGrid(False)
    table.setFrameShape(QFrame.Shape.NoFrame)
    table.setWordWrap(False)
    table.verticalHeader().hide()
    table.horizontalHeader().setHighlightSections(False)
    offer_copy(table)
