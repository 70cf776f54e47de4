"""The tab "Health": a row for each quantity with a sentence and, on a click, its chart; or one as a heat map."""

from __future__ import annotations

from dataclasses import replace
from functools import partial

from PySide6.QtCore import QRectF, QSize, Qt, Signal
from PySide6.QtGui import QLinearGradient, QPainter, QShowEvent
from PySide6.QtWidgets import QComboBox, QLabel, QWidget

from gptstudio.gui.appearance import follow
from gptstudio.gui.canvas.grid import Cell
from gptstudio.gui.canvas.swatch import Swatch
from gptstudio.gui.canvas.writing import rounded
from gptstudio.gui.forms.segments import Segments
from gptstudio.gui.plots.curve_view import CurveView
from gptstudio.gui.plots.grid_view import Grid, GridView
from gptstudio.gui.theme import theme
from gptstudio.gui.train.health.layer_curves import depth_colour, layer_curves
from gptstudio.gui.train.health.quantities import SHOWN, cells
from gptstudio.gui.train.health.scale import Scale, cell_words
from gptstudio.gui.translation import tr
from gptstudio.gui.widgets.flow import Flow
from gptstudio.gui.widgets.icon_button import IconButton
from gptstudio.gui.widgets.layouts import FREE, grows, hbox, holding, stacked, vbox
from gptstudio.gui.widgets.parts import label, named, restyle, scrolling
from gptstudio.history.health_history import HealthHistory, HealthReading, LayerTable, Quantity, reading

ROLES = {"good": "good", "note": "notice", "bad": "problem"}
LEAST_CHART, SPARK = (200, 140), (120, 18)
"""Least sizes of a chart, and of the small one in its row, in pixels at the usual text size."""
LEAST_SIZE = (240, 90)


class HealthPane(QWidget):
    """Health of the layers of the run that is shown."""

    pointed = Signal(object)
    """The step that is pointed at, counted from 0; None where the pointer has left."""

    def __init__(self) -> None:
        super().__init__()
        self._health, self._stale, self._step = HealthHistory(), False, -1.0
        self._mapped = LayerTable()
        self.empty = label(name="health_empty", wrap=True)
        self.charts = {name: QuantityRow(name) for name in SHOWN}
        for row in self.charts.values():
            row.opened.connect(self._open)
        self.way = Segments("health_view", (tr("Quantities"), tr("Heat map")), tr(
            "Quantities: what each says of the layers, with a chart. Heat map: a row for each layer, a column for each "
            "evaluation."))
        self.quantity = named(QComboBox(), "health_quantity", tr("Quantity in the heat map"))
        self.quantity.setToolTip(tr("Selects what the colours show"))
        for name, shown in SHOWN.items():
            self.quantity.addItem(tr(shown.words), name)
        self.map = GridView("health_map", tr("Heat map of layers and steps"))
        self.map_reading = label(name="health_map_reading", wrap=True)
        self.place = label(role="muted", name="health_place")
        self._lay_out()
        self.way.chosen.connect(self._turn)
        self.quantity.currentIndexChanged.connect(self.refresh)
        for chart in self.charts.values():
            chart.canvas.pointed.connect(lambda cell, chart=chart: self._point(chart.table, cell))
        self.map.pointed.connect(lambda cell: self._point(self._mapped, cell))

    def show_health(self, health: HealthHistory, measured: bool = True) -> None:
        """Show the health of a run, which grows. ``measured``: as far as its settings say."""
        self._health, self._measured = health, measured
        self._step = -1.0
        self.refresh()

    def show_step(self, step: float | None) -> None:
        """Put the cursor at a step, counted from 0; None takes it away."""
        chosen = -1.0 if step is None else step
        if chosen != self._step:
            self._step = chosen
            if self.isVisible():
                self._show_place()

    def refresh(self) -> None:
        """Show what was added to the history; when the tab is hidden, once it is shown."""
        self._stale = not self.isVisible()
        if self._stale:
            return
        self.stack.setCurrentIndex(int(self._health.measured))
        self.empty.setText(self._why_empty())
        if not self._health.measured:
            return
        if self.pages.currentIndex() == 0:
            for name, chart in self.charts.items():
                chart.show_table(self._health[name], SHOWN[name].log, SHOWN[name].usual(self._health))
        else:
            name = self._chosen()
            self._mapped = cells(self._health, name)
            self.map.show_grid(_grid(self._mapped, SHOWN[name].log))
        self._show_place()

    def showEvent(self, event: QShowEvent) -> None:
        super().showEvent(event)
        follow(self, self._align)
        self._align()
        if self._stale:
            self.refresh()

    def minimumSizeHint(self) -> QSize:
        return QSize(*(round(side * theme.zoom) for side in LEAST_SIZE))

    # Parts.

    def _align(self) -> None:
        """Make the names as wide as the widest, so that the sentences begin below each other."""
        names = [row.title for row in self.charts.values()]
        widest = max(name.sizeHint().width() for name in names)
        for name in names:
            name.setMinimumWidth(widest)

    def _chosen(self) -> Quantity:
        name: Quantity = self.quantity.currentData()
        return name

    def _open(self, chosen: QuantityRow) -> None:
        """Show the chart of one quantity at a time."""
        for row in self.charts.values():
            row.open(row is chosen)
        self.legend.setVisible(any(row.toggle.isChecked() for row in self.charts.values()))

    def _turn(self, index: int) -> None:
        self.pages.setCurrentIndex(index)
        self.quantity.setVisible(index == 1)
        self.refresh()

    def _point(self, table: LayerTable, cell: Cell | None) -> None:
        step = None if cell is None else float(table.place("step")[cell.column])
        self.show_step(step)
        self.pointed.emit(step)
        if cell is not None:
            self.place.setText(cell_words(table, cell))

    def _row(self, table: LayerTable) -> int:
        """Return the evaluation at the cursor, or else the last."""
        return table.row_at(self._step) if self._step >= 0 else -1

    def _show_place(self) -> None:
        """Say what the figures are at the cursor, or else at the last evaluation."""
        table = self._health["update_ratio"]
        table = table if len(table) else self._health["logits"]
        row = max(self._row(table), 0) if self._step >= 0 else -1
        self.place.setText(tr("After step {n}", n=f"{table.place('step')[row] + 1:,.0f}"))
        for name, chart in self.charts.items():
            chart.canvas.show_column(self._show_reading(chart.reading, self._health[name], name))
        name = self._chosen()
        self.map.mark(column=self._show_reading(self.map_reading, cells(self._health, name), name))

    def _show_reading(self, words: QLabel, table: LayerTable, name: Quantity) -> int | None:
        """Say what the figures mean at the cursor, or at the last evaluation; return the evaluation at the cursor."""
        at_cursor = self._step >= 0 and len(table)
        row = max(self._row(table), 0) if at_cursor else -1
        _say(words, reading(self._health, name, row))
        return row if at_cursor else None

    def _why_empty(self) -> str:
        if not self._measured:
            return tr("The health of the layers is not measured in this run: the setting Health of the layers is off.")
        return tr("At each evaluation, this shows how the layers are doing: gradients, updates, dead units, attention. "
                  "Runs of earlier versions, and runs whose model is split over processes, have no such figures.")

    def _lay_out(self) -> None:
        self.quantity.hide()
        head = Flow(self.way, self.quantity, self.place, spacing=12)
        self.legend = holding(QWidget(), hbox(
            label(tr("first block"), "muted"), _depths(),
            label(tr("last block; attention dashed, others grey"), "muted"), FREE, spacing=8))
        self.legend.hide()
        charts = scrolling(
            holding(QWidget(), vbox(*self.charts.values(), self.legend, FREE, spacing=4)), "health_charts",
            reached=False)
        whole = holding(QWidget(), vbox(self.map_reading, grows(self.map), spacing=4))
        self.pages = stacked(charts, whole)
        content = holding(QWidget(), vbox(head, grows(self.pages), spacing=4))
        self.stack = stacked(holding(QWidget(), vbox(self.empty, FREE)), content)
        holding(self, vbox(grows(self.stack), margins=(4, 8, 4, 4)))


class QuantityRow(QWidget):
    """Name, plain sentence and small chart of a quantity; below them its chart, while it is open."""

    opened = Signal(object)
    """Emitted with the row whose chart is to be shown, or None where it was closed."""

    def __init__(self, name: Quantity) -> None:
        super().__init__()
        shown = SHOWN[name]
        self.toggle = IconButton("later", f"health_open_{name}", tr("Chart of {name}", name=tr(shown.words)), tr(
            "Shows or hides the chart"))
        self.toggle.setCheckable(True)
        self.toggle.clicked.connect(lambda checked: self.opened.emit(self if checked else None))
        self.title = label(tr(shown.words), "heading", f"health_title_{name}", term=shown.term)
        self.reading = label(name=f"health_reading_{name}", wrap=True)
        self.reading.setToolTip(tr(shown.help))
        self.spark = CurveView(f"health_spark_{name}", tr(shown.words), SPARK, grows=False)
        self.spark.setFocusPolicy(Qt.FocusPolicy.NoFocus)
        self.spark.setAttribute(Qt.WidgetAttribute.WA_TransparentForMouseEvents)
        self.canvas, self.table = CurveView(f"health_chart_{name}", tr(shown.words), LEAST_CHART), LayerTable()
        self.canvas.describe(tr(shown.help))
        self.canvas.setToolTip(tr(shown.help))
        self.canvas.hide()
        head = hbox(self.toggle, self.title, grows(self.reading, 3), grows(self.spark, 1), spacing=8)
        holding(self, vbox(head, grows(self.canvas), spacing=4))

    def open(self, opened: bool) -> None:
        """Show the chart, or hide it."""
        self.toggle.setChecked(opened)
        self.toggle.show_sign("below" if opened else "later", self.toggle.accessibleName())
        self.canvas.setVisible(opened)

    def show_table(self, table: LayerTable, log: bool, usual: tuple[float, float] | None) -> None:
        """Show a table, which may have grown; ``usual``: what is usual for its values."""
        if table is not self.table:
            self.canvas.point_at(None)
        self.table = table
        curves = layer_curves(table, log, usual)
        self.canvas.show_curves(curves)
        self.spark.show_curves(replace(curves, bare=True, pointed=0, entry=None))


def _grid(table: LayerTable, log: bool) -> Grid:
    """Return the heat map of a quantity: a row for each layer, a column for each evaluation."""
    if not len(table):
        return Grid(square=False)
    return Grid(
        table.values, [tr(layer.words) for layer in table.layers],
        [f"{step + 1:,.0f}" for step in table.place("step")],
        Scale.of(table.values, log, zero=False), square=False, column_title=tr("Steps"), entry=Cell(0, len(table) - 1),
        say=partial(cell_words, table))


def _say(words: QLabel, found: HealthReading | None) -> None:
    words.setText(tr(found.message) if found else tr("Not measured at this step."))
    restyle(words, role=ROLES[found.level] if found else "muted")


def _depths() -> Swatch:
    """The colours of the blocks, from the first to the last."""
    def paint(painter: QPainter, place: QRectF, _letter: int) -> None:
        fill = QLinearGradient(place.topLeft(), place.topRight())
        for part in range(9):
            fill.setColorAt(part / 8, depth_colour(part / 8))
        rounded(painter, place, 3, fill)

    return Swatch(paint, 60, 8, pixels=True)
