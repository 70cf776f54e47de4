"""Matrices with bars for their rows, side by side or one below the other."""

from __future__ import annotations

from PySide6.QtCore import QEvent
from PySide6.QtWidgets import QWidget

from gptstudio.gui.learn.kit.matrix import MOST, ROW, Matrix
from gptstudio.gui.plots.bar_list import BarList
from gptstudio.gui.widgets.layouts import FREE, hbox, holding
from gptstudio.gui.widgets.reflow import Reflow

ROOM = 14
GROWS = 50
"""Stretch factor of what is below, relative to the empty space at the bottom of a page."""
TALLEST = 2.4
"""Maximum height of a row, in heights of a letter."""


class Beside(Reflow):
    """Matrices with their bars beside them, all growing with the space; or with the bars below them."""

    def __init__(self, *matrices: Matrix, bars: BarList) -> None:
        self._row = hbox(*matrices, FREE, spacing=ROOM)
        super().__init__(holding(QWidget(), self._row), bars, stretch=(bars,), spacing=ROOM)
        self._matrices, self._bars = matrices, bars
        self.turned.connect(bars.show_names)
        self.turned.connect(self._grow)
        self._grow(False)

    def event(self, event: QEvent) -> bool:
        if event.type() == QEvent.Type.LayoutRequest:
            self._fit()
        return super().event(event)

    def _grow(self, below: bool) -> None:
        for matrix in self._matrices:
            matrix.grow(ROW if below else TALLEST)
        self._fit()

    def _fit(self) -> None:
        """Reserve space below the matrices for the labels of the bars; limit the height to what all can use."""
        below = 0 if self._bars.named else self._bars.below()
        self._row.setContentsMargins(0, 0, 0, below)
        self.setMaximumHeight(min(MOST, self._matrices[0].maximumHeight() + below))
