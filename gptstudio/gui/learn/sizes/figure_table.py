"""Figures in lines and columns, as high as its lines: the page scrolls down, and only a narrow table sideways."""

from __future__ import annotations

from collections.abc import Sequence

from PySide6.QtCore import QEvent, QSize, Qt
from PySide6.QtGui import QResizeEvent
from PySide6.QtWidgets import QHeaderView, QSizePolicy, QTableWidget, QTableWidgetItem

from gptstudio.gui.widgets.parts import named
from gptstudio.gui.widgets.quiet_table import quieten

RIGHT = Qt.AlignmentFlag.AlignRight | Qt.AlignmentFlag.AlignVCenter
LINE, WIDEST = 1.45, 62
"""The height of a line, and the most width, in heights of a letter: figures belong near their names."""


class FigureTable(QTableWidget):
    """A name at the left of each line, and the figures under their columns' names."""

    def __init__(self, name: str, accessible: str) -> None:
        super().__init__()
        named(self, name, accessible)
        quieten(self, selects=False)
        self.setVerticalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)
        self.setFocusPolicy(Qt.FocusPolicy.NoFocus)
        self.setSizePolicy(QSizePolicy.Policy.Expanding, QSizePolicy.Policy.Fixed)
        self.horizontalHeader().setSectionResizeMode(QHeaderView.ResizeMode.ResizeToContents)
        self.horizontalHeader().setDefaultAlignment(RIGHT)

    def show_lines(self, columns: Sequence[str], lines: Sequence[tuple[str, Sequence[str]]]) -> None:
        """Names of the columns, and for each line its name and its figures."""
        self.setColumnCount(1 + len(columns))
        self.setRowCount(len(lines))
        self.setHorizontalHeaderLabels(["", *columns])
        self.horizontalHeader().setSectionResizeMode(0, QHeaderView.ResizeMode.Stretch)
        for row, (name, figures) in enumerate(lines):
            self.setItem(row, 0, QTableWidgetItem(name))
            for column, figure in enumerate(figures, start=1):
                item = QTableWidgetItem(figure)
                item.setTextAlignment(RIGHT)
                self.setItem(row, column, item)
        self._fit()

    def changeEvent(self, event: QEvent) -> None:
        super().changeEvent(event)
        if event.type() in (QEvent.Type.FontChange, QEvent.Type.StyleChange):
            self._fit()

    def resizeEvent(self, event: QResizeEvent) -> None:
        super().resizeEvent(event)
        self._fit()

    def minimumSizeHint(self) -> QSize:
        return QSize(12 * self.fontMetrics().height(), self.height())

    def _fit(self) -> None:
        line = round(LINE * self.fontMetrics().height())
        self.setMaximumWidth(WIDEST * self.fontMetrics().height())
        for row in range(self.rowCount()):
            self.setRowHeight(row, line)
        header = self.horizontalHeader()
        needed = [max(self.sizeHintForColumn(n), header.sectionSizeHint(n)) for n in range(self.columnCount())]
        narrow = sum(needed) > self.width()
        mode = QHeaderView.ResizeMode.ResizeToContents if narrow else QHeaderView.ResizeMode.Stretch
        if needed and header.sectionResizeMode(0) != mode:
            header.setSectionResizeMode(0, mode)
        bar = self.horizontalScrollBar().sizeHint().height() if narrow else 0
        self.setFixedHeight(header.sizeHint().height() + line * self.rowCount() + bar + 2)
