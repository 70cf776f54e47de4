"""The first column of a table, kept in sight while the others scroll sideways."""

from __future__ import annotations

from PySide6.QtCore import QEvent, QObject, Qt
from PySide6.QtWidgets import QHeaderView, QTableView

from gptstudio.gui.widgets.quiet_table import quieten

FRAME = 1
"""Pixels of the border around a table, and of the line at the right of its fixed column."""


class FixedColumn(QTableView):
    """Lies over the first column of a table while that scrolls sideways, with the same model and selection."""

    def __init__(self, table: QTableView) -> None:
        super().__init__(table)
        self._table = table
        self.setObjectName(f"{table.objectName()}_fixed")
        self.setAccessibleName(table.accessibleName())
        quieten(self)
        self.setProperty("fixed", True)
        self.setFocusPolicy(Qt.FocusPolicy.NoFocus)
        self.setModel(table.model())
        self.setSelectionModel(table.selectionModel())
        self.setSelectionMode(table.selectionMode())
        for set_policy in (self.setHorizontalScrollBarPolicy, self.setVerticalScrollBarPolicy):
            set_policy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)
        own, head = self.horizontalHeader(), table.horizontalHeader()
        own.setSectionResizeMode(QHeaderView.ResizeMode.Fixed)
        own.setSortIndicator(head.sortIndicatorSection(), head.sortIndicatorOrder())
        self.setSortingEnabled(table.isSortingEnabled())
        own.sortIndicatorChanged.connect(lambda *order: table.horizontalHeader().setSortIndicator(*order))
        head.sortIndicatorChanged.connect(self._show_order)
        head.sectionResized.connect(self.fit)
        head.geometriesChanged.connect(self.fit)
        table.verticalScrollBar().valueChanged.connect(self.verticalScrollBar().setValue)
        self.verticalScrollBar().valueChanged.connect(table.verticalScrollBar().setValue)
        table.horizontalScrollBar().rangeChanged.connect(self.fit)
        table.installEventFilter(self)
        self.fit()

    def fit(self) -> None:
        """Take the place of the first column."""
        table = self._table
        for column in range(self.model().columnCount()):
            self.setColumnHidden(column, column > 0)
        self.verticalHeader().setDefaultSectionSize(table.verticalHeader().defaultSectionSize())
        self.setIconSize(table.iconSize())
        self.horizontalHeader().setFixedHeight(table.horizontalHeader().height())
        self.setColumnWidth(0, table.columnWidth(0))
        below = table.horizontalScrollBar().height() if table.horizontalScrollBar().isVisible() else 0
        self.setGeometry(FRAME, FRAME, table.columnWidth(0) + FRAME, table.height() - below - 2 * FRAME)
        self.setVisible(table.horizontalScrollBar().maximum() > 0)

    def _show_order(self, column: int, order: Qt.SortOrder) -> None:
        self.horizontalHeader().setSortIndicator(column, order)

    def eventFilter(self, watched: QObject, event: QEvent) -> bool:
        if watched is self._table and event.type() in (QEvent.Type.Resize, QEvent.Type.LayoutRequest):
            self.fit()
        return super().eventFilter(watched, event)
