"""Base of the paintings of a quantity by layer and evaluation: their values can be pointed at and copied."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
from PySide6.QtCore import QRectF, Qt
from PySide6.QtGui import QFontMetricsF, QPixmap, QResizeEvent

from gptstudio.gui.canvas.canvas import Canvas
from gptstudio.gui.canvas.grid import Cell, CellPlaces
from gptstudio.gui.canvas.items import ENDS
from gptstudio.gui.charts.readout import number
from gptstudio.gui.train.health.scale import Scale, tick_words
from gptstudio.gui.translation import tr
from gptstudio.history.health_history import LayerTable


class LayerCanvas(Canvas):
    """Canvas whose items are cells: a layer and an evaluation, both counted from 0."""

    def __init__(self, name: str, accessible: str) -> None:
        self.values = LayerTable()
        self.scale = Scale()
        self.column: int | None = None
        """The evaluation at the cursor."""
        self._picture: QPixmap | None = None
        super().__init__(name, accessible)

    def show_table(self, table: LayerTable, log: bool, *include: float, zero: bool = True) -> None:
        """Show a table, which may have grown; ``include``: values that the scale has in any case; ``zero``: a linear
        scale begins at 0, and not at the lowest value."""
        if table is not self.values:
            self.point_at(None)
        self.values, self.scale = table, Scale.of(table.values, log, *include, zero=zero)
        self.column = None if self.column is None else min(self.column, len(table) - 1)
        self.remeasure()

    def show_column(self, column: int | None) -> None:
        """Put the cursor at an evaluation."""
        if column != self.column:
            self.column = column
            self.update()

    # Items.

    def items(self) -> CellPlaces:
        return CellPlaces((len(self.values.layers), len(self.values)), self.cell_place)

    def cell_place(self, _cell: Cell) -> QRectF:
        """Return the rectangle of a cell; each kind of painting has its own."""
        return self.shown()

    def entry(self) -> Cell | None:
        """Keys begin at the newest evaluation."""
        if self._last is not None and self._last in self.items():
            return self._last  # type: ignore[no-any-return]
        return Cell(0, len(self.values) - 1) if self.items() else None

    def step(self, key: Qt.Key, start: Cell | None) -> Cell | None:
        if start is None:
            return self.entry() if key not in ENDS else self.items().step(key, Cell(0, 0))
        return self.items().step(key, start)

    def words(self, cell: Cell) -> str:
        value = float(self.values.values[cell])
        said = number(value) if np.isfinite(value) else tr("no value, as in a frozen layer")
        return tr("Step {n}, {layer}: {value}", n=f"{self.values.place('step')[cell.column] + 1:,.0f}",
                  layer=tr(self.values.layers[cell.row].words), value=said)

    def table(self) -> Sequence[Sequence[str]]:
        steps = [f"{step + 1:.0f}" for step in self.values.place("step")]
        return [(tr("Steps"), *steps)] + [
            (tr(layer.words), *(repr(float(value)) for value in row))
            for layer, row in zip(self.values.layers, self.values.values, strict=True)
        ] if len(self.values) else []

    # Geometry.

    def shown(self) -> QRectF:
        """Return where the values are, without what is written around them."""
        left, top, right, bottom = self.margins()
        return QRectF(self.rect()).adjusted(left, top, -right, -bottom)

    def margins(self) -> tuple[float, float, float, float]:
        """Left, top, right and bottom, in pixels; by default none."""
        return 0, 0, 0, 0

    def scale_width(self) -> float:
        """Return the width of the numbers beside the scale."""
        metrics = QFontMetricsF(self.font())
        return max(metrics.horizontalAdvance(tick_words(tick)) for tick in self.scale.ticks())

    def remeasure(self) -> None:
        self._picture = None
        super().remeasure()

    def resizeEvent(self, event: QResizeEvent) -> None:
        self._picture = None
        super().resizeEvent(event)

    def blank(self) -> QPixmap:
        """Return an empty picture in the size of the widget."""
        ratio = self.devicePixelRatioF()
        made = QPixmap(self.size() * ratio)
        made.setDevicePixelRatio(ratio)
        made.fill(Qt.GlobalColor.transparent)
        return made
