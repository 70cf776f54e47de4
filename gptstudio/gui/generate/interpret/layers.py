"""Logit lens: the prediction after each layer, at each token."""

from __future__ import annotations

from PySide6.QtCore import QRectF
from PySide6.QtGui import QPainter
from PySide6.QtWidgets import QWidget

from gptstudio.app.requests import LensQuery
from gptstudio.gui.canvas.swatch import Swatch
from gptstudio.gui.canvas.writing import LEFT, RIGHT, write
from gptstudio.gui.generate.interpret.interpret_pane import TextInterpretPane
from gptstudio.gui.generate.interpret.lens_table import LensModel, LensTable
from gptstudio.gui.generate.interpret.shades import paint_bar
from gptstudio.gui.translation import tr
from gptstudio.gui.widgets.layouts import TOP, aligned, column, grows, holding, row
from gptstudio.gui.widgets.parts import label, scrolling
from gptstudio.i18n import message


class LayersPane(TextInterpretPane):
    """Pane with the logit lens of the shown text; marks the column of the chosen token, and explains each cell."""

    PURPOSE = message("Layers: what the model would predict after each layer, so that you can see the answer form.")

    def __init__(self) -> None:
        super().__init__("layers")
        self.grid = LensModel()
        self.table = LensTable(self.grid)
        self.said = label(tr("Point at a cell to see its three most likely tokens."), "muted", "layers_said", wrap=True)
        self.note = label(role="muted", name="layers_note", wrap=True)
        self.table.pointed.connect(self.said.setText)
        self._drawn: object = None
        self._lay_out()

    def question(self) -> LensQuery | None:
        selection = self.selection
        return LensQuery(selection.model, self.requested_ids()) if selection.model and selection.path else None

    def looked_at(self) -> int | None:
        """The token before the chosen one: that was formed from there."""
        cursor = self.selection.cursor
        return cursor - 1 if cursor else cursor

    def show_answer(self) -> None:
        (first, end), ids, formed = self.span(), self.selection.ids, self.looked_at()
        drawn = self.answer, first, ids
        if drawn != self._drawn:
            self._drawn = drawn
            self.grid.show_lens(self.answer, ids[first:end], ids[first + 1 : end + 1])
        self.table.show_column(formed - first if self.selection.cursor and formed is not None else None)
        self.note.setText(self.of_how_many())
        self.note.setVisible(bool(self.note.text()))

    def _lay_out(self) -> None:
        explanation = label(tr(
            "Logit lens: what the model would predict if it stopped after this layer (final norm and output layer "
            "applied directly). Bold: the actual next token."), "muted", "layers_explanation", wrap=True)
        bottom = row(grows(self.said), aligned(_legend(), TOP), spacing=12)
        body = holding(QWidget(), column(
            explanation, self.note, grows(self.table), bottom, spacing=5, margins=(0, 4, 0, 0)))
        self.hold(scrolling(body, "layers_scroll"))


def _legend() -> Swatch:
    made = Swatch(_paint_legend, 11, 1.4)
    made.setToolTip(tr("Probability of the most likely token; one quarter is at the middle of the colour scale."))
    return made


def _paint_legend(painter: QPainter, room: QRectF, _letter: int) -> None:
    metrics = painter.fontMetrics()
    low, high = metrics.horizontalAdvance("0 %") + 6, metrics.horizontalAdvance("100 %") + 6
    paint_bar(painter, QRectF(low, room.height() * 0.25, room.width() - low - high, room.height() * 0.5))
    write(painter, room, "0 %", LEFT, "muted")
    write(painter, room, "100 %", RIGHT, "muted")
