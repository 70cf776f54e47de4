"""Table sized to its contents if there is space for them; otherwise it scrolls."""

from __future__ import annotations

from collections.abc import Collection, Sequence
from typing import Any

from PySide6.QtCore import QSize, Qt
from PySide6.QtGui import QResizeEvent, QShowEvent
from PySide6.QtWidgets import QHeaderView, QTableWidget, QTableWidgetItem

from gptstudio.gui.appearance import follow
from gptstudio.gui.translation import tr
from gptstudio.gui.widgets.parts import named, plain
from gptstudio.gui.widgets.quiet_table import quieten

LEFT = Qt.AlignmentFlag.AlignLeft | Qt.AlignmentFlag.AlignVCenter
RIGHT = Qt.AlignmentFlag.AlignRight | Qt.AlignmentFlag.AlignVCenter
MOST_LETTERS = 44
"""So much of a name or an address is shown; all of it on hover."""
LEAST_LETTERS = 40
"""So much of a line can be seen in any window."""


class FullTable(QTableWidget):
    """Lines are chosen whole. ``figures``: the columns of numbers; ``lines``: how few and how many are seen at once."""

    entries: Sequence[Any] = ()
    """What the rows show, in their order."""

    def __init__(
        self, name: str, accessible: str, columns: Sequence[str], figures: Collection[int], lines: tuple[int, int]
    ) -> None:
        super().__init__(0, len(columns))
        named(self, name, accessible)
        quieten(self, elide=Qt.TextElideMode.ElideMiddle)
        self._sides = [RIGHT if number in figures else LEFT for number in range(len(columns))]
        self._least, self._most = lines
        self.horizontalHeader().setSectionResizeMode(QHeaderView.ResizeMode.ResizeToContents)
        for number, heading in enumerate(columns):
            item = QTableWidgetItem(tr(heading))
            item.setTextAlignment(self._sides[number])
            self.setHorizontalHeaderItem(number, item)
        follow(self, self._fit)

    @property
    def chosen(self) -> Any:
        """The entry of the selected row; None if there is none."""
        row = self.currentRow()
        return self.entries[row] if 0 <= row < len(self.entries) else None

    def put(self, row: int, column: int, text: str) -> QTableWidgetItem:
        item = self.item(row, column)
        if item is None:
            item = QTableWidgetItem()
            item.setTextAlignment(self._sides[column])
            self.setItem(row, column, item)
        item.setText(text)
        item.setToolTip(plain(text))
        return item

    def texts(self, row: int) -> list[str]:
        items = (self.item(row, column) for column in range(self.columnCount()))
        return [item.text() if item else "" for item in items]

    def sizeHint(self) -> QSize:
        return QSize(self._whole_width(), self._height(min(self._most, max(self._least, self.rowCount()))))

    def minimumSizeHint(self) -> QSize:
        return QSize(LEAST_LETTERS * self.fontMetrics().averageCharWidth(), self._height(self._least))

    def showEvent(self, event: QShowEvent) -> None:
        super().showEvent(event)
        self._fit()  # by now it has the window's letters

    def resizeEvent(self, event: QResizeEvent) -> None:
        super().resizeEvent(event)
        self.horizontalHeader().setStretchLastSection(self._whole_width() <= self.viewport().width())
        self.updateGeometry()  # it may scroll now, or not any more

    def _fit(self) -> None:
        self.ensurePolished()
        self.verticalHeader().setDefaultSectionSize(self.fontMetrics().height() + 12)
        self.horizontalHeader().setMaximumSectionSize(MOST_LETTERS * self.fontMetrics().averageCharWidth())
        self.updateGeometry()

    def _whole_width(self) -> int:
        head, most = self.horizontalHeader(), MOST_LETTERS * self.fontMetrics().averageCharWidth()
        widths = (max(self.sizeHintForColumn(n) + 1, head.sectionSizeHint(n)) for n in range(self.columnCount()))
        return sum(min(most, width) for width in widths)

    def _height(self, lines: int) -> int:
        scroll = self.horizontalScrollBar().sizeHint().height() if self._whole_width() > self.width() else 0
        return self.horizontalHeader().sizeHint().height() + lines * self.verticalHeader().defaultSectionSize() + scroll
