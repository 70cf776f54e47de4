"""The three rates of a model: where each of them acts, and on how many numbers."""

from __future__ import annotations

from collections.abc import Mapping

from PySide6.QtWidgets import QWidget

from gptstudio.fields import fields_of
from gptstudio.gui.forms.field import FieldEditor
from gptstudio.gui.learn.dropout.mask_view import MaskView
from gptstudio.gui.learn.dropout.scheme import NUMBERS, Scheme
from gptstudio.gui.translation import percent, tr
from gptstudio.gui.widgets.layouts import FREE, card, column, holding, in_column
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
        cards = in_column(QWidget(), *map(self._card, FIELDS), spacing=10)
        left = holding(QWidget(), column(self.scheme, FREE))
        both = Reflow(left, cards, stretch=(cards,), spacing=18)
        holding(self, column(both, margins=(0, 0, 8, 0)))  # beside a scroll bar

    def show_answer(self, request: DropoutRequest, answer: DropoutAnswer) -> None:
        self.scheme.show_places(request, answer)
        for place in answer.places:
            self.masks[place.name].show_mask(place.kept)
            self._say(place)

    def _say(self, place: DropoutLayer) -> None:
        headings: Mapping[str, str] = {
            "embedding": tr("{sign} After the embeddings", sign=NUMBERS["embedding"]),
            "attention": tr("{sign} On the attention weights", sign=NUMBERS["attention"]),
            "shortcut": tr("{sign} Before each shortcut addition", sign=NUMBERS["shortcut"])}
        self._headings[place.name].setText(headings[place.name])
        self.shapes[place.name].setText(_shape(place))
        share = percent(place.struck / place.numbers) if place.struck else "0 %"
        self.counts[place.name].setText(tr("Dropped in this draw: {struck} of {all} numbers ({share})",
                                           struck=f"{place.struck:,}", all=f"{place.numbers:,}", share=share))

    def _card(self, place: str) -> QWidget:
        return card(self._headings[place], self.shapes[place], self.editors[FIELDS[place]], self.masks[place],
                    self.counts[place], name=f"dropout_card_{place}", spacing=4)


def _shape(place: DropoutLayer) -> str:
    words = {
        "embedding": tr("text, token, number: {shape}, once", shape=place.shape),
        "attention": tr("text, head, query, key: {shape}, in {times} layers", shape=place.shape, times=place.times),
        "shortcut": tr("text, token, number: {shape}, {times} times", shape=place.shape, times=place.times)}
    return words[place.name]


