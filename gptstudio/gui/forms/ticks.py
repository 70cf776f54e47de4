"""Any of several choices: a box to tick for each, one below the other, and what may be said of it beside it."""

from __future__ import annotations

from collections.abc import Iterable, Mapping

from PySide6.QtCore import Qt, Signal
from PySide6.QtWidgets import QCheckBox, QGridLayout, QWidget

from gptstudio.gui.canvas.bars import ComponentBar
from gptstudio.gui.translation import joined, tr
from gptstudio.gui.widgets.parts import label, named, plain


class Ticks(QWidget):
    """A tick box for each choice; the value is what is ticked, in the order of the choices."""

    edited = Signal()

    def __init__(self, choices: Iterable[str], name: str):
        super().__init__()
        titles = {choice: _words(choice) for choice in choices}
        self.boxes = {choice: named(QCheckBox(title), f"{name}_{choice}", title) for choice, title in titles.items()}
        self.figures = {choice: label(role="muted", name=f"{name}_{choice}_figure") for choice in titles}
        self.setFocusProxy(next(iter(self.boxes.values())))
        grid = QGridLayout(self)
        grid.setContentsMargins(0, 0, 0, 0)
        grid.setVerticalSpacing(4)
        grid.setColumnStretch(0, 1)
        for row, (choice, box) in enumerate(self.boxes.items()):
            box.toggled.connect(self.edited)
            grid.addWidget(box, row, 0)
            grid.addWidget(self.figures[choice], row, 1, Qt.AlignmentFlag.AlignRight)

    def value(self) -> tuple[str, ...]:
        return tuple(choice for choice, box in self.boxes.items() if box.isChecked())

    def set_value(self, value: Iterable[str]) -> None:
        ticked = set(value)
        for choice, box in self.boxes.items():
            box.setChecked(choice in ticked)

    def show_figures(self, figures: Mapping[str, tuple[str, str]]) -> None:
        """Beside each choice a short word, and on pointing at it a longer one, which a screen reader says too."""
        for choice, (short, long) in figures.items():
            box, figure = self.boxes[choice], self.figures[choice]
            figure.setText(short)
            for part in (box, figure):
                part.setToolTip(plain(long))
            box.setAccessibleName(joined(", ", _words(choice), long))


def _words(choice: str) -> str:
    return tr(ComponentBar.NAMES.get(choice, choice))
