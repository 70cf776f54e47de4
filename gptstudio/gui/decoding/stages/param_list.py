"""Sampling stages in their order: rows with a slider for each parameter, which can be dragged."""

from __future__ import annotations

from functools import partial
from itertools import pairwise

from PySide6.QtCore import QEvent, QRectF, QSize, Qt, Signal
from PySide6.QtGui import QPainter, QPaintEvent
from PySide6.QtWidgets import QHBoxLayout, QSizePolicy, QVBoxLayout, QWidget

from gptstudio.gpt.config import VOCAB_SIZE
from gptstudio.gpt.sampling_params import STAGES, SamplingParams, Stage
from gptstudio.gui.decoding.stages import stage_texts
from gptstudio.gui.decoding.stages.param_row import ParamRow
from gptstudio.gui.decoding.stages.param_slider import (
    min_p_slider,
    repetition_slider,
    temperature_slider,
    top_k_slider,
    top_p_slider,
)
from gptstudio.gui.decoding.stages.stage_order import moved, shifted
from gptstudio.gui.theme import colour, theme
from gptstudio.gui.translation import joined, tr
from gptstudio.gui.widgets.parts import button, label

SPACING = 6
"""Pixels between the rows."""


class ParamList(QWidget):
    """Stack of sliders for the sampling parameters. Rows move by dragging the handle or name, or with Alt and arrow
    keys.

    ``turned`` is emitted when the user changes a parameter or moves a stage, not for :meth:`set_params`.
    """

    turned = Signal()

    def __init__(self, prefix: str = "") -> None:
        """``prefix``: before the names of the controls, where there is more than one stack."""
        super().__init__()
        self.repetition_penalty = repetition_slider(stage_texts.name("repetition_penalty"), prefix)
        self.temperature = temperature_slider(stage_texts.name("temperature"), prefix)
        self.top_k = top_k_slider(stage_texts.name("top_k"), tr("all"), VOCAB_SIZE, prefix)
        self.top_p = top_p_slider(stage_texts.name("top_p"), prefix)
        self.min_p = min_p_slider(stage_texts.name("min_p"), prefix)
        self._rows = {stage: ParamRow(stage, getattr(self, stage)) for stage in STAGES}
        self._order = STAGES
        self._gap: int | None = None  # where a row that is dragged would be dropped
        self._dragged: Stage | None = None
        for stage, row in self._rows.items():
            row.dial.turned.connect(self._turned)
            row.dragged.connect(partial(self._drag, stage))
            row.dropped.connect(partial(self._drop, stage))
            row.shifted.connect(partial(self._shift, stage))
        self.usual = button(tr("Default order"), f"{prefix}usual_order", role="quiet")
        self.usual.setToolTip(joined(", ", *(stage_texts.title(stage) for stage in STAGES)))
        self.usual.clicked.connect(lambda: self._put(STAGES))
        self._lay_out()
        theme.changed.connect(self._fit)
        self.set_params(SamplingParams())

    def sampling_params(self) -> SamplingParams:
        return SamplingParams(
            self.temperature.value(), int(self.top_k.value()) or None, self.top_p.value(), self.min_p.value(),
            self.repetition_penalty.value(), self._order,
        )

    def set_params(self, sampling_params: SamplingParams) -> None:
        """Shows values and an order without telling."""
        for stage, row in self._rows.items():
            row.dial.set_value(getattr(sampling_params, stage) or 0)
        self._arrange(sampling_params.order)

    def order(self) -> tuple[Stage, ...]:
        return self._order

    def settle(self) -> None:
        """Takes what was typed into the numbers."""
        for row in self._rows.values():
            row.dial.settle()

    def retranslate(self) -> None:
        """In another language: a number may be a word, and names have other widths."""
        self.settle()
        self._fit()

    # What the user does.

    def _turned(self) -> None:
        self._show_idle()
        self.turned.emit()

    def _drag(self, stage: Stage, y: int) -> None:
        self._dragged = stage
        self._gap = sum(y > self._rows[each].geometry().center().y() for each in self._order)
        self.update()

    def _drop(self, stage: Stage) -> None:
        gap, self._gap, self._dragged = self._gap, None, None
        self.update()
        if gap is not None:
            self._put(moved(self._order, stage, gap))

    def _shift(self, stage: Stage, by: int) -> None:
        self._put(shifted(self._order, stage, by))

    def _put(self, order: tuple[Stage, ...]) -> None:
        if order != self._order:
            self._arrange(order)
            self.turned.emit()

    # What is shown.

    def _arrange(self, order: tuple[Stage, ...]) -> None:
        self._order = order
        parts = []
        for place, stage in enumerate(order):
            self._column.insertWidget(place, self._rows[stage])
            parts += [self._rows[stage].dial.slider, self._rows[stage].dial.number]
        for one, other in pairwise(parts):
            self.setTabOrder(one, other)
        self.usual.setVisible(order != STAGES)
        self._show_idle()

    def _show_idle(self) -> None:
        sampling_params = self.sampling_params()
        for stage, row in self._rows.items():
            row.dial.show_idle(not sampling_params.changes(stage))

    def _lay_out(self) -> None:
        head = self._head = QHBoxLayout()
        head.addWidget(label(tr("Sampling"), "heading"), 1)
        head.addWidget(self.usual)
        self._column = QVBoxLayout()
        self._column.setSpacing(SPACING)
        layout = QVBoxLayout(self)
        layout.setContentsMargins(0, 0, 0, 0)
        layout.setSpacing(SPACING)
        layout.addLayout(head)
        layout.addLayout(self._column)  # still empty: PySide keeps an object for each item that it finds in there,
        for row in self._rows.values():  # also when Qt has deleted the item because its row moved
            self._column.addWidget(row)
        policy = self.usual.sizePolicy()
        policy.setRetainSizeWhenHidden(True)  # so that the dials stay where they are
        self.usual.setSizePolicy(policy)
        self.setSizePolicy(QSizePolicy.Policy.Preferred, QSizePolicy.Policy.Fixed)

    def event(self, event: QEvent) -> bool:
        handled = super().event(event)
        if event.type() in (QEvent.Type.Resize, QEvent.Type.LayoutRequest):
            self._fit()
        return handled

    def _fit(self) -> None:
        """Lay out all sliders on one line each or none, with names of equal width, so that the sliders are aligned."""
        sampling_params = [row.dial for row in self._rows.values()]
        name = max(dial.caption.sizeHint().width() for dial in sampling_params)
        needed = max(row.one_line_width(name) for row in self._rows.values())
        for dial in sampling_params:
            dial.lay_out(name if needed <= self.width() else 0)

    def minimumSizeHint(self) -> QSize:
        rows = max(row.two_lines_width() for row in self._rows.values())
        return QSize(max(rows, self._head.minimumSize().width()), super().minimumSizeHint().height())

    def paintEvent(self, _event: QPaintEvent) -> None:
        if self._gap is None or self._dragged is None:
            return
        painter = QPainter(self)
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        painter.setPen(Qt.PenStyle.NoPen)
        painter.setBrush(colour("accent", 0.12))
        painter.drawRoundedRect(self._rows[self._dragged].geometry().adjusted(-2, -2, 2, 2), 4, 4)
        painter.setBrush(colour("accent"))
        last = self._gap == len(self._order)
        row = self._rows[self._order[self._gap - last]].geometry()
        edge = row.bottom() + 1 + SPACING / 2 if last else row.top() - SPACING / 2
        painter.drawRoundedRect(QRectF(row.left(), min(edge, self.height() - 1.5) - 1.5, row.width(), 3), 1.5, 1.5)
