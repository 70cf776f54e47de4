"""Map of a model's components: a row for each layer, a column for each head and for the feed-forward network (MLP)."""

from __future__ import annotations

from collections.abc import Collection, Mapping

import numpy as np
from PySide6.QtCore import QRectF, Qt, Signal
from PySide6.QtGui import QColor, QPainter, QPen

from gptstudio.gui.canvas.grid import Cell
from gptstudio.gui.canvas.tint import ink_on
from gptstudio.gui.generate.causal.change_words import component_name
from gptstudio.gui.generate.interpret.heat_map import HeatMap
from gptstudio.gui.generate.interpret.shades import Floats, Range, shade
from gptstudio.gui.theme import colour
from gptstudio.gui.translation import joined, tr
from gptstudio.inference.components import Component

MLP = "MLP"


class ComponentMap(HeatMap):
    """Emits the component that is chosen by a click or Enter. The first layer is at the bottom, where a token enters
    the model; a cross marks what is off, a figure what is scaled, a corner where methods disagree."""

    component_chosen = Signal(object)
    diverging = True

    def __init__(self, name: str, accessible: str) -> None:
        super().__init__(name, accessible)
        self.selected: Component | None = None
        self._marks: Mapping[Component, str] = {}
        self._disagree: Collection[Component] = ()
        self._known = False

    def show_components(
        self, shape: tuple[int, int], effects: Floats | None, marks: Mapping[Component, str],
        disagree: Collection[Component] = (),
    ) -> None:
        """Show the components.

        Args:
            shape: (L, H + 1), a row for each layer, its heads and then its MLP.
            effects: of that shape; None: not known.
            marks: texts on changed components; "×" is drawn as a cross.
            disagree: components whose corner is marked.
        """
        self._marks, self._disagree, self._known = marks, disagree, effects is not None
        values = np.zeros(shape) if effects is None else effects
        layers, columns = shape
        self.show_values(
            values[::-1], [str(layer) for layer in range(layers, 0, -1)],
            [*map(str, range(1, columns)), MLP], Range.around_zero(values))

    def select(self, component: Component | None) -> None:
        """Mark a component, without a signal."""
        self.selected = component
        self.viewport().update()

    def component(self, cell: Cell) -> Component:
        layers, columns = self.shape
        return Component(layers - 1 - cell.row, None if cell.column == columns - 1 else cell.column)

    def cell_of(self, component: Component) -> Cell:
        layers, columns = self.shape
        return Cell(layers - 1 - component.layer, columns - 1 if component.head is None else component.head)

    def words(self, cell: Cell) -> str:
        component, value = self.component(cell), self.values[cell]
        known = tr("{value} nats", value=f"{value:+.3g}".replace("-", "−")) if self._known else ""
        changed = self._marks.get(component, "")
        changed = tr("off") if changed == "×" else changed
        return joined("  ·  ", *filter(None, (component_name(component), changed, known)))

    def activate(self, cell: Cell) -> bool:
        self.component_chosen.emit(self.component(cell))
        return True

    def paint_marks(self, painter: QPainter, shown: QRectF) -> None:
        super().paint_marks(painter, shown)
        side = self.side()
        for component, text in self._marks.items():
            place = self.place(self.cell_of(component))
            painter.setPen(QPen(self._ink(component), max(1.5, side / 12)))
            if text == "×":
                inner = place.adjusted(side * 0.28, side * 0.28, -side * 0.28, -side * 0.28)
                painter.drawLine(inner.topLeft(), inner.bottomRight())
                painter.drawLine(inner.topRight(), inner.bottomLeft())
            elif self.fontMetrics().horizontalAdvance(text) < side:
                painter.drawText(place, Qt.AlignmentFlag.AlignCenter, text)
            else:
                painter.drawEllipse(place.center(), side / 5, side / 5)
        painter.setPen(Qt.PenStyle.NoPen)
        painter.setBrush(colour("amber"))
        for component in self._disagree:
            corner = self.place(self.cell_of(component))
            size = side * 0.22
            painter.drawEllipse(QRectF(corner.right() - 1.3 * size, corner.top() + 0.3 * size, size, size))
        painter.setBrush(Qt.BrushStyle.NoBrush)
        if self.selected and self.selected.layer < self.shape[0] and (self.selected.head or 0) < self.shape[1] - 1:
            painter.setPen(QPen(colour("accent"), 2))
            painter.drawRect(self.place(self.cell_of(self.selected)).adjusted(1, 1, -1, -1))

    def paint_legend(self, painter: QPainter, shown: QRectF) -> None:
        if self._known:
            super().paint_legend(painter, shown)

    def _ink(self, component: Component) -> QColor:
        share = float(self._range.shares(self.values[self.cell_of(component)]))
        return ink_on(shade(share, True))
