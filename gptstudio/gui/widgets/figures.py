"""Figures in a row: a small caption above each value."""

from __future__ import annotations

from PySide6.QtWidgets import QGridLayout, QWidget

from gptstudio.gui.widgets.parts import label


class Figures(QWidget):
    """Captions and values that keep their places while the values change."""

    def __init__(self, captions: dict[str, str], prefix: str, columns: int = 0):
        super().__init__()
        self._values = {name: label("–", "figure", f"{prefix}_{name}") for name in captions}
        columns = columns or len(captions)
        grid = QGridLayout(self)
        grid.setContentsMargins(0, 0, 0, 0)
        grid.setVerticalSpacing(1)
        for index, (name, words) in enumerate(captions.items()):
            row, column = 3 * (index // columns), index % columns
            grid.addWidget(label(words, "muted"), row, column)
            grid.addWidget(self._values[name], row + 1, column)
            if row:
                grid.setRowMinimumHeight(row - 1, 8)
            grid.setColumnStretch(column, 1)

    def show_values(self, **values: str) -> None:
        for name, text in values.items():
            self._values[name].setText(text)

    def clear(self) -> None:
        self.show_values(**dict.fromkeys(self._values, "–"))

    def text(self, name: str) -> str:
        return self._values[name].text()
