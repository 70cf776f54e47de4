"""Table of the opened texts: check marks to train on them, and their properties."""

from __future__ import annotations

from pathlib import Path
from typing import cast

from PySide6.QtCore import QSignalBlocker, QSize, Qt, Signal
from PySide6.QtGui import QResizeEvent
from PySide6.QtWidgets import QHeaderView, QTableWidget, QTableWidgetItem

from gptstudio.app.text_tasks import TextMeasured, TextRefused
from gptstudio.data.texts import NAMES
from gptstudio.gui.appearance import on_restyle
from gptstudio.gui.theme import colour
from gptstudio.gui.translation import tr
from gptstudio.gui.widgets.parts import named, plain
from gptstudio.gui.widgets.tables import LEFT, RIGHT, style_table, table_height, table_item
from gptstudio.i18n import message

COLUMNS = {
    message("Text"): message("Checked texts are trained on, in this order."),
    message("Characters"): message("Number of characters, after the bytes of the file were decoded"),
    message("Tokens"): message("Number of tokens that the model reads: pieces of words, of GPT-2's vocabulary"),
    message("Unique tokens"): message("How many different tokens occur"),
    message("Tokens / character"): message("About 0.25 for English. Other languages and code need more tokens."),
    message("Encoding"): message("How bytes stand for characters, recognised from the file"),
    message("Line endings"): message("Characters that end a line in the file"),
}
"""Headings and their tooltips."""
NAME, ENCODING = 0, 5
NAME_LETTERS = 18
"""Minimum width of the column of names, in letters; the other columns scroll."""


class TextTable(QTableWidget):
    """Table of texts and their properties; emits changes of the check marks and of the selection."""

    ticked = Signal()
    selected = Signal()

    def __init__(self) -> None:
        super().__init__(0, len(COLUMNS))
        named(self, "texts_table", tr("Opened texts"))
        self.names: list[str] = []
        """Requested name of each row. Not stored in the cells: a file's name may have bytes that Qt cannot store."""
        self.answers: dict[str, TextMeasured | TextRefused] = {}
        """Answers about the texts that have been read, by name."""
        style_table(self, elide=Qt.TextElideMode.ElideMiddle)
        head = self.horizontalHeader()
        head.setSectionResizeMode(QHeaderView.ResizeMode.ResizeToContents)
        head.setSectionResizeMode(NAME, QHeaderView.ResizeMode.Fixed)
        for column, (heading, help_text) in enumerate(COLUMNS.items()):
            self.setHorizontalHeaderItem(column, table_item(tr(heading), _side(column), tr(help_text)))
        self.itemChanged.connect(lambda item: self.ticked.emit() if item.column() == NAME else None)
        self.itemSelectionChanged.connect(self.selected)
        on_restyle(self, self._show_again, self._fit)
        self._fit()

    @property
    def ticked_names(self) -> tuple[str, ...]:
        return tuple(name for row, name in enumerate(self.names) if self.is_ticked(row))

    @property
    def selected_name(self) -> str | None:
        row = self.currentRow()
        return self.names[row] if row >= 0 else None

    def is_ticked(self, row: int) -> bool:
        return self._item(row).checkState() == Qt.CheckState.Checked

    def tick(self, name: str, ticked: bool) -> None:
        state = Qt.CheckState.Checked if ticked else Qt.CheckState.Unchecked
        self._item(self.names.index(name)).setCheckState(state)

    def add(self, name: str, ticked: bool) -> None:
        """Append a row without figures."""
        row = self.rowCount()
        self.names.append(name)
        with QSignalBlocker(self):
            self.insertRow(row)
            for column in range(len(COLUMNS)):
                self.setItem(row, column, table_item("" if column == NAME else "–", _side(column)))
            first = self._item(row)
            first.setText(_shown(Path(name).name) if name not in NAMES else tr(NAMES[name]))
            first.setToolTip(plain(_shown(name)) if name not in NAMES else tr(NAMES[name]))
            first.setFlags(first.flags() | Qt.ItemFlag.ItemIsUserCheckable)
            self.tick(name, ticked)

    def remove(self, name: str) -> None:
        row = self.names.index(name)
        with QSignalBlocker(self):  # while names and rows differ
            del self.names[row]
            self.answers.pop(name, None)
            self.removeRow(row)
        self.selected.emit()

    def show_answer(self, answer: TextMeasured | TextRefused) -> None:
        """Show the figures of a text, or the reason why there are none."""
        row = self.names.index(answer.name)
        self.answers[answer.name] = answer
        with QSignalBlocker(self):
            if isinstance(answer, TextMeasured):
                self._show_figures(row, answer)
            else:
                self._show_words(row, answer.words)
        self._fit_name()

    def _show_again(self) -> None:
        """Show all answers in the current colours."""
        for answer in self.answers.values():
            self.show_answer(answer)

    def resizeEvent(self, event: QResizeEvent) -> None:
        super().resizeEvent(event)
        self._fit_name()

    def sizeHint(self) -> QSize:
        return QSize(600, table_height(self, max(4, min(self.rowCount(), 8))) + 4)

    def minimumSizeHint(self) -> QSize:
        return QSize(200, table_height(self, 3) + 4)

    def _show_figures(self, row: int, found: TextMeasured) -> None:
        text, encoding = found.text, tr(found.text.encoding)
        figures = (
            f"{text.characters:,}", f"{found.tokens:,}", f"{found.unique:,}", f"{found.tokens / text.characters:.3f}",
            f"{encoding} ?" if text.guess else encoding, tr(text.line_ends),
        )
        for column, figure in enumerate(figures, start=1):
            self._item(row, column).setText(figure)
        self._item(row, ENCODING).setToolTip(tr(text.guess))

    def _show_words(self, row: int, words: str) -> None:
        item = self._item(row, 1)
        item.setText(tr(words))
        item.setToolTip(plain(tr(words)))
        item.setTextAlignment(LEFT)
        item.setForeground(colour("bad"))
        self.setSpan(row, 1, 1, len(COLUMNS) - 1)

    def _item(self, row: int, column: int = NAME) -> QTableWidgetItem:
        return cast(QTableWidgetItem, self.item(row, column))

    def _fit(self) -> None:
        """Set the row height to suit the text size."""
        self.verticalHeader().setDefaultSectionSize(round(self.fontMetrics().height() * 1.7))
        self.updateGeometry()
        self._fit_name()

    def _fit_name(self) -> None:
        """Give the column of names the width that the others leave."""
        others = sum(self.columnWidth(column) for column in range(1, len(COLUMNS)))
        least = self.fontMetrics().averageCharWidth() * NAME_LETTERS
        self.setColumnWidth(NAME, max(least, self.viewport().width() - others))


def _shown(name: str) -> str:
    """Return the name of a file with characters for Qt: invalid bytes are replaced."""
    return name.encode("utf-8", "replace").decode()


def _side(column: int) -> Qt.AlignmentFlag:
    return LEFT if column in (NAME, ENCODING, ENCODING + 1) else RIGHT
