"""The three rates of a model: where each of them acts, and on how many numbers."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
from PySide6.QtCore import QRect, QRectF, QSize, Qt
from PySide6.QtGui import QBrush, QPainter, QPen
from PySide6.QtWidgets import QSizePolicy, QWidget

from gptstudio.fields import fields_of
from gptstudio.gui.canvas.canvas import Canvas
from gptstudio.gui.forms.field import FieldEditor
from gptstudio.gui.learn.dropout.scheme import NUMBERS, Scheme
from gptstudio.gui.theme import colour
from gptstudio.gui.translation import percent, tr
from gptstudio.gui.widgets.layouts import FREE, card, holding, in_column, vbox
from gptstudio.gui.widgets.parts import label
from gptstudio.gui.widgets.reflow import Reflow
from gptstudio.labs.dropout import DropoutAnswer, DropoutLayer, DropoutRequest

FIELDS = {"embedding": "drop_rate_emb", "attention": "drop_rate_attn", "shortcut": "drop_rate_shortcut"}


class ModelPart(QWidget):
    """Dropout in a model. The editors of the rates are accessible to the page."""

    def __init__(self, prefix: str) -> None:
        super().__init__()
        views = {view.name: view for view in fields_of(DropoutRequest)}
        self.editors = {name: FieldEditor(views[name], prefix) for name in FIELDS.values()}
        self.scheme = Scheme()
        self.scheme.chosen.connect(lambda place: self.editors[FIELDS[place]].control.setFocus())
        self.masks = {place: MaskView(f"dropout_mask_{place}") for place in FIELDS}
        self.shapes = {place: label(name=f"dropout_shape_{place}", wrap=True) for place in FIELDS}
        self.counts = {place: label(role="muted", name=f"dropout_count_{place}", wrap=True) for place in FIELDS}
        self._headings = {place: label(role="heading") for place in FIELDS}
        cards = in_column(QWidget(), *map(self._card, FIELDS), spacing=8)
        left = holding(QWidget(), vbox(self.scheme, FREE))
        both = Reflow(left, cards, stretch=(cards,), spacing=16)
        holding(self, vbox(both, margins=(0, 0, 8, 0)))  # beside a scroll bar

    def show_answer(self, request: DropoutRequest, answer: DropoutAnswer) -> None:
        self.scheme.show_places(request, answer)
        for place in answer.places:
            self.masks[place.name].show_mask(place.kept)
            self._say(place)

    def _say(self, place: DropoutLayer) -> None:
        name, sign = place.name, NUMBERS[place.name]
        heading, shape = {
            "embedding": (tr("{sign} After the embeddings", sign=sign),
                          tr("text, token, number: {shape}, once", shape=place.shape)),
            "attention": (tr("{sign} On the attention weights", sign=sign), tr(
                "text, head, query, key: {shape}, in {times} layers", shape=place.shape, times=place.times)),
            "shortcut": (tr("{sign} Before each shortcut addition", sign=sign), tr(
                "text, token, number: {shape}, {times} times", shape=place.shape, times=place.times))}[name]
        self._headings[name].setText(heading)
        self.shapes[name].setText(shape)
        share = percent(place.struck / place.numbers) if place.struck else "0 %"
        self.counts[name].setText(tr("Dropped in this draw: {struck} of {all} numbers ({share})",
                                     struck=f"{place.struck:,}", all=f"{place.numbers:,}", share=share))

    def _card(self, place: str) -> QWidget:
        return card(self._headings[place], self.shapes[place], self.editors[FIELDS[place]], self.masks[place],
                    self.counts[place], name=f"dropout_card_{place}", spacing=4)


SIDE = 0.8  # of a square, in heights of a letter


class MaskView(Canvas):
    """View of the numbers that dropout keeps."""

    smooth = False

    def __init__(self, name: str) -> None:
        super().__init__(name, tr("Dropped numbers"), pointable=False)
        self.kept = np.ones((1, 1), dtype=bool)
        self.setSizePolicy(QSizePolicy.Policy.Fixed, QSizePolicy.Policy.Fixed)

    def show_mask(self, kept: np.ndarray) -> None:
        """``kept``: (rows, columns), False where a number is dropped."""
        self.kept = kept
        self.describe(tr("Dropped: {struck} of {all} squares", struck=int((~kept).sum()), all=kept.size))
        self.remeasure()

    def minimumSizeHint(self) -> QSize:
        rows, columns = self.kept.shape
        return QSize(round(columns * self._side()) + 2, round(rows * self._side()) + 2)

    def table(self) -> Sequence[Sequence[str]]:
        return [[str(int(kept)) for kept in row] for row in self.kept]

    def paint(self, painter: QPainter, _region: QRect) -> None:
        side = self._side()
        painter.setPen(QPen(colour("line"), 1))
        hatch = QBrush(colour("text", 0.7), Qt.BrushStyle.BDiagPattern)
        for (down, across), kept in np.ndenumerate(self.kept):
            place = QRectF(across * side + 1, down * side + 1, side - 1, side - 1)
            painter.fillRect(place, colour("training", 0.55) if kept else hatch)
            painter.drawRect(place)

    def _side(self) -> float:
        return SIDE * self.fontMetrics().height()
