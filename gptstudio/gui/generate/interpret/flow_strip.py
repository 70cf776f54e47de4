"""The way of one token through the model: embedding, each block, logits, with what each writes and would say."""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from typing import Any

import numpy as np
from PySide6.QtCore import QPointF, QRect, QRectF, QSize, Qt, Signal
from PySide6.QtGui import QContextMenuEvent, QFont, QPainter, QPen, QResizeEvent
from PySide6.QtWidgets import QMenu, QSizePolicy

from gptstudio.gpt.tokenizer import GPT2, Tokenizer
from gptstudio.gui.canvas.canvas import ScrollCanvas
from gptstudio.gui.canvas.items import ENDS, KEYS
from gptstudio.gui.canvas.tint import ink_on
from gptstudio.gui.canvas.writing import CENTRE, elided, heading, rounded, small, write
from gptstudio.gui.plots.shades import SPREAD, shade
from gptstudio.gui.theme import colour
from gptstudio.gui.translation import joined, percent, tr
from gptstudio.inference.flow import FlowStep

LEAST, MOST, GAP = 4.7, 9.0, 0.9
"""Widths of a box, and between two, in heights of a letter."""
LINE, BAR, AIR = 1.15, 0.4, 0.25
"""Heights of a line of text, of a bar, and around them."""
HIGH = 3 * LINE + 2 * BAR + 3 * AIR
INKS = ("training", "validation")
"""Colours of what attention writes, and of what the feed-forward network writes."""


class FlowStrip(ScrollCanvas):
    """The items are the stages, by their index. Emits the pane that a click or Enter asks for, with the layer, and the
    experiment that the context menu offers."""

    pane_wanted = Signal(str, int)
    lab_wanted = Signal(str)
    moves = (KEYS.Key_Left, KEYS.Key_Right, *ENDS)

    def __init__(self) -> None:
        super().__init__("flow_strip", tr("From the embedding to the logits: what each layer writes and would say"))
        self.steps: Sequence[FlowStep] = ()
        self._read = ""
        self._tokenizer: Tokenizer = GPT2
        self._next: int | None = None
        self.setVerticalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)
        self.setSizePolicy(QSizePolicy.Policy.Expanding, QSizePolicy.Policy.Fixed)
        self.viewport().setAutoFillBackground(False)
        self.horizontalScrollBar().valueChanged.connect(lambda _: self.viewport().update())

    def show_steps(
        self, steps: Sequence[FlowStep], read: int, after: int | None, tokenizer: Tokenizer = GPT2
    ) -> None:
        """Show the stages at a token that was read. ``after``: the token that followed it; None at the end."""
        self.steps, self._read, self._next, self._tokenizer = steps, tokenizer.visible(read), after, tokenizer
        self.describe(self.table_words())
        self.remeasure()

    def name(self, index: int) -> str:
        layer = self.steps[index].layer
        if layer is not None:
            return tr("Layer {n}", n=layer + 1)
        return tr("Logits") if index else tr("Embedding")

    def items(self) -> Mapping[int, QRectF]:
        letter, left = self._letter(), -self.horizontalScrollBar().value()
        width, gap = self._width(), self._gap()
        return {
            index: QRectF(left + 1 + index * (width + gap), 1, width, HIGH * letter)
            for index in range(len(self.steps))}

    def words(self, index: int) -> str:
        step = self.steps[index]
        layer, said = step.layer, tr(
            "Logit lens: “{token}” {share}", token=self._tokenizer.visible(step.token), share=percent(step.probability))
        if layer is None and not index:
            lines = [tr("Embedding of “{token}” and of its position", token=self._read),
                     tr("Size (L2 norm): {size}", size=_figure(step.norm)), said,
                     tr("Click: its nearest tokens in Neighbours")]
        elif layer is None:
            lines = [tr("Logits: the model's own prediction after “{token}”", token=self._read),
                     tr("Residual stream before the final norm: {size}", size=_figure(step.norm)),
                     tr("Most likely: “{token}” {share}", token=self._tokenizer.visible(step.token),
                        share=percent(step.probability)),
                     tr("Click: all candidates in Choices")]
        else:
            sizes = zip(step.updates, step.shares, strict=True)
            attention, mlp = ((_figure(size), percent(share)) for size, share in sizes)
            lines = [tr("Layer {n} (blocks.{index})", n=layer + 1, index=layer),
                     tr("Attention writes {size}, {share} of the stream", size=attention[0], share=attention[1]),
                     tr("The feed-forward network writes {size}, {share} of the stream", size=mlp[0], share=mlp[1]),
                     tr("Residual stream after it (L2 norm): {size}", size=_figure(step.norm)), said,
                     tr("Click: this layer in Attention")]
        return joined("\n", *lines, tr("Right click: its experiment in Learn"))

    def table(self) -> Sequence[Sequence[str]]:
        rows = []
        for index, step in enumerate(self.steps):
            sizes = (*map(_figure, step.updates), "", "")[:2]
            rows.append((self.name(index), *sizes, _figure(step.norm), self._tokenizer.visible(step.token),
                         percent(step.probability)))
        return rows

    def go_to(self, index: int) -> None:
        super().go_to(index)
        self.reveal(self.place(index), QRectF(self.viewport().rect()))

    def activate(self, index: int) -> bool:
        layer = self.steps[index].layer
        pane = "attention" if layer is not None else "choices" if index else "neighbours"
        self.pane_wanted.emit(pane, layer or 0)
        return True

    def mousePressEvent(self, event: Any) -> None:
        if event.button() == Qt.MouseButton.LeftButton:
            super().mousePressEvent(event)

    def contextMenuEvent(self, event: QContextMenuEvent) -> None:
        """Offer the experiments of the stage under the pointer, or of that which the keys are at."""
        from gptstudio.labs.catalogue import ENTRIES  # not before the window is there

        by_keys = event.reason() == QContextMenuEvent.Reason.Keyboard
        index = self.here() if by_keys else self.item_at(QPointF(event.pos()))
        menu = QMenu(self)
        menu.setObjectName("flow_strip_menu")
        menu.aboutToHide.connect(menu.deleteLater)
        for lab in self.labs(index):
            menu.addAction(tr("Experiment: {title}", title=tr(ENTRIES[lab].title))).triggered.connect(
                lambda _=False, lab=lab: self.lab_wanted.emit(lab))
        menu.addSeparator()
        menu.addAction(tr("Copy image")).triggered.connect(self.copy_image)
        menu.addAction(tr("Copy table")).triggered.connect(self.copy_table)
        at = self.place(index).bottomLeft().toPoint() if by_keys and index is not None else None
        menu.popup(event.globalPos() if at is None else self.viewport().mapToGlobal(at))

    def labs(self, index: int | None) -> Sequence[str]:
        """Return the names of the experiments about a stage."""
        if index is None or index >= len(self.steps):
            return ()
        if self.steps[index].layer is not None:
            return "block", "attention"
        return ("loss", "sampling") if index else ("embeddings",)

    def minimumSizeHint(self) -> QSize:
        letter = self._letter()
        return QSize(round(2 * LEAST * letter), round(HIGH * letter) + 3 + self._bar_height())

    def remeasure(self) -> None:
        whole = self._whole(self._width())
        self.set_range(self.horizontalScrollBar(), whole, self.viewport().width(), LEAST * self._letter())
        self.setFixedHeight(self.minimumSizeHint().height())
        super().remeasure()

    def resizeEvent(self, event: QResizeEvent) -> None:
        super().resizeEvent(event)
        self.remeasure()

    def paint(self, painter: QPainter, region: QRect) -> None:
        longest = max((size for step in self.steps for size in step.updates if math.isfinite(size)), default=0.0)
        for index, place in self.items().items():
            if place.right() + self._gap() >= region.left() and place.left() <= region.right():
                self._paint_step(painter, index, place, longest or 1.0)

    def _paint_step(self, painter: QPainter, index: int, place: QRectF, longest: float) -> None:
        step, letter = self.steps[index], self._letter()
        line, air = LINE * letter, AIR * letter
        edge = QPen(colour("accent"), 2) if index == self.item else QPen(colour("line"), 1)
        rounded(painter, place, 4, colour("surface"), edge)
        painter.setFont(small(self.font()))
        row = QRectF(place.left() + 1, place.top() + air / 2, place.width() - 2, line)
        write(painter, row, self.name(index), CENTRE, "muted", row.width())
        said = QRectF(place.left() + 1, row.bottom(), place.width() - 2, 2 * line)
        fill = shade(float(SPREAD.shares(np.array(step.probability))))
        painter.fillRect(said, fill)
        painter.setPen(ink_on(fill))
        room = said.width() - 6
        painter.setFont(heading(self.font()) if step.token == self._next else QFont(self.font()))
        half = QRectF(said.left(), said.top(), said.width(), line)
        painter.drawText(half, CENTRE, elided(painter, self._tokenizer.visible(step.token), room))
        painter.setFont(small(self.font()))
        painter.drawText(half.translated(0, line), CENTRE, percent(step.probability))
        rest = QRectF(row.left(), said.bottom(), row.width(), place.bottom() - said.bottom())
        if not step.updates:
            write(painter, rest, f"‖x‖ {_figure(step.norm)}", CENTRE, "muted", rest.width())
        for which, (size, ink) in enumerate(zip(step.updates, INKS, strict=False)):
            share = min(1.0, size / longest) if math.isfinite(size) else 1.0
            top = said.bottom() + air + which * (BAR + AIR / 2) * letter
            painter.fillRect(QRectF(place.left() + 4, top, max(1.0, share * (place.width() - 8)), BAR * letter),
                             colour(ink))
        if index + 1 < len(self.steps):
            write(painter, QRectF(place.right(), place.top(), self._gap(), place.height()), "→", CENTRE, "muted")

    def _letter(self) -> float:
        return float(self.fontMetrics().height())

    def _width(self) -> int:
        """Return the width of a box: all fit if they can."""
        letter, count = self._letter(), max(1, len(self.steps))
        room = (self.viewport().width() - 2 + self._gap()) / count - self._gap()
        return math.floor(min(MOST * letter, max(LEAST * letter, room)))

    def _gap(self) -> int:
        return round(GAP * self._letter())

    def _whole(self, width: int) -> int:
        """Return the width of everything, with boxes of a width."""
        return 2 + len(self.steps) * (width + self._gap()) - self._gap()

    def _bar_height(self) -> int:
        scrolls = self._whole(math.floor(LEAST * self._letter())) > self.width()
        return self.horizontalScrollBar().sizeHint().height() if scrolls else 0


def _figure(size: float) -> str:
    return f"{size:.3g}" if math.isfinite(size) else "∞"
