"""Figures in rows: a small caption above each value."""

from __future__ import annotations

from collections.abc import Collection, Mapping
from types import MappingProxyType

from PySide6.QtCore import QEvent, QSize
from PySide6.QtWidgets import QGridLayout, QWidget

from gptstudio.gui.widgets.layouts import holding, vbox
from gptstudio.gui.widgets.parts import label

SPACING = 8
NO_TERMS: Mapping[str, str] = MappingProxyType({})


class FigureRow(QWidget):
    """Captions and values that keep their places while the values change; fewer beside each other where it is narrow.

    ``columns``: as many beside each other at most; 0: all. ``terms``: keys in the glossary of captions, by their names.
    """

    def __init__(self, captions: dict[str, str], prefix: str, columns: int = 0, terms: Mapping[str, str] = NO_TERMS):
        super().__init__()
        self._values = {name: label("–", "figure", f"{prefix}_{name}") for name in captions}
        self._cells = {name: _cell(words, self._values[name], terms.get(name, "")) for name, words in captions.items()}
        self._most, self._columns = columns or len(captions), 0
        self._shown = list(captions)
        self._grid = QGridLayout(self)
        self._grid.setContentsMargins(0, 0, 0, 0)
        self._grid.setSpacing(SPACING)
        self._place(self._most)

    def show_only(self, names: Collection[str] = ()) -> None:
        """Show some of the figures; empty: all."""
        self._shown = [name for name in self._cells if not names or name in names]
        for name, cell in self._cells.items():
            cell.setVisible(name in self._shown)
        self._columns = 0
        self._place(self._fitting())

    def show_values(self, **values: str) -> None:
        for name, text in values.items():
            self._values[name].setText(text)

    def show_tip(self, name: str, words: str) -> None:
        """Set the tooltip that explains a figure."""
        self._cells[name].setToolTip(words)

    def clear(self) -> None:
        self.show_values(**dict.fromkeys(self._values, "–"))

    def text(self, name: str) -> str:
        return self._values[name].text()

    def minimumSizeHint(self) -> QSize:
        return QSize(max(self._widths()), self._grid.minimumSize().height())

    def event(self, event: QEvent) -> bool:
        handled = super().event(event)
        if event.type() in (QEvent.Type.Resize, QEvent.Type.LayoutRequest):
            self._place(self._fitting())
        return handled

    def _fitting(self) -> int:
        """Return the columns of the fewest rows of the same length that are not too wide."""
        widths = self._widths()
        for rows in range(-(-len(widths) // self._most), len(widths)):
            columns = -(-len(widths) // rows)
            taken = sum(max(widths[place::columns]) for place in range(columns)) + SPACING * (columns - 1)
            if taken <= self.width():
                return columns
        return 1

    def _widths(self) -> list[int]:
        return [self._cells[name].minimumSizeHint().width() for name in self._shown]

    def _place(self, columns: int) -> None:
        if columns == self._columns:
            return
        self._columns = columns
        for index, cell in enumerate(self._cells[name] for name in self._shown):
            self._grid.addWidget(cell, index // columns, index % columns)
        for column in range(self._most):
            self._grid.setColumnStretch(column, int(column < columns))
        self.updateGeometry()


def _cell(words: str, value: QWidget, term: str) -> QWidget:
    return holding(QWidget(), vbox(label(words, "muted", term=term), value, spacing=0))
