"""The most surprising tokens of a text, a line each, with the words before them."""

from __future__ import annotations

import html
from collections.abc import Sequence

from PySide6.QtCore import QSize, Qt, Signal
from PySide6.QtWidgets import QHeaderView, QTableWidget, QTableWidgetItem

from gptstudio.gpt import tokenizer
from gptstudio.gui.appearance import follow
from gptstudio.gui.translation import tr
from gptstudio.gui.widgets.parts import named
from gptstudio.gui.widgets.quiet_table import quieten
from gptstudio.i18n import message
from gptstudio.inference.score_stats import WORST, surprise, surroundings
from gptstudio.training.events import TokenRead

COLUMNS = (message("Bits"), message("Text before"), message("Token"))
BITS, BEFORE, TOKEN = range(3)
RIGHT = Qt.AlignmentFlag.AlignRight | Qt.AlignmentFlag.AlignVCenter
LEFT = Qt.AlignmentFlag.AlignLeft | Qt.AlignmentFlag.AlignVCenter
SIDES = (RIGHT, RIGHT, LEFT)
LETTERS, LEAST_LETTERS = 46, 34
"""The width that it would like to have, and what it needs."""


class WorstTokens(QTableWidget):
    """Table of the most surprising readings; emits the position of the one that is chosen."""

    chosen = Signal(int)

    def __init__(self) -> None:
        super().__init__(0, len(COLUMNS))
        named(self, "worst_tokens", tr("The most surprising tokens; select one to see it in the text"))
        self._shown: list[TokenRead] = []
        quieten(self, elide=Qt.TextElideMode.ElideLeft)
        self.setHorizontalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)
        head = self.horizontalHeader()
        head.setSectionResizeMode(QHeaderView.ResizeMode.ResizeToContents)
        head.setSectionResizeMode(BEFORE, QHeaderView.ResizeMode.Stretch)
        for column, heading in enumerate(COLUMNS):
            item = QTableWidgetItem(tr(heading))
            item.setTextAlignment(SIDES[column])
            self.setHorizontalHeaderItem(column, item)
        self.itemSelectionChanged.connect(self._emit_position)
        self.cellClicked.connect(self._emit_position)  # also of the selected line: the strip may have been scrolled
        follow(self, self._fit)
        self._fit()

    def clear(self) -> None:
        self._shown = []
        self.setRowCount(0)

    def show_worst(self, worst: Sequence[TokenRead], ids: Sequence[int]) -> None:
        """The readings, the most surprising first, of a text of these tokens."""
        if list(worst) == self._shown:
            return
        chosen = self._position()
        self._shown = list(worst)
        self.blockSignals(True)
        self.setRowCount(len(worst))
        for row, reading in enumerate(worst):
            self._show(row, reading, ids)
        self.blockSignals(False)
        self.choose(chosen)

    def choose(self, position: int | None) -> None:
        """Mark the line of a token, if it has one, without telling."""
        row = next((row for row, each in enumerate(self._shown) if each.position == position), None)
        self.blockSignals(True)
        if row is None:
            self.clearSelection()
            self.setCurrentCell(-1, -1)
        else:
            self.selectRow(row)
        self.blockSignals(False)
        self.viewport().update()

    def sizeHint(self) -> QSize:
        return QSize(self._wide(LETTERS), self._height(WORST))

    def minimumSizeHint(self) -> QSize:
        return QSize(self._wide(LEAST_LETTERS), self._height(3))

    def _show(self, row: int, reading: TokenRead, ids: Sequence[int]) -> None:
        before, behind = surroundings(ids, reading.position)
        token = tokenizer.visible(reading.id)
        bits = surprise(reading)
        for column, text in enumerate((f"{bits:.1f}" if bits < float("inf") else "∞", before, token)):
            item = QTableWidgetItem(text)
            item.setTextAlignment(SIDES[column])
            item.setToolTip(f"<p>{html.escape(before)}<b>{html.escape(token)}</b>{html.escape(behind)}</p>")
            self.setItem(row, column, item)

    def _position(self) -> int | None:
        row = self.currentRow()
        return self._shown[row].position if 0 <= row < len(self._shown) else None

    def _emit_position(self) -> None:
        position = self._position()
        if position is not None and self.selectedItems():
            self.chosen.emit(position)

    def _wide(self, letters: int) -> int:
        return self.fontMetrics().averageCharWidth() * letters

    def _height(self, lines: int) -> int:
        return self.horizontalHeader().sizeHint().height() + lines * self.verticalHeader().defaultSectionSize() + 4

    def _fit(self) -> None:
        """Lines as high as the text size asks for."""
        self.verticalHeader().setDefaultSectionSize(round(self.fontMetrics().height() * 1.7))
        self.updateGeometry()
