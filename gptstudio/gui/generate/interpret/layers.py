"""Pane "Layers": the logit lens, which shows the prediction after each layer at each token, and the flow of one token.

The flow is a strip from the embedding through the blocks to the logits, with the update and the prediction of each.
"""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from functools import partial
from typing import TYPE_CHECKING, Any

import numpy as np
from PySide6.QtCore import (
    QAbstractTableModel,
    QEvent,
    QModelIndex,
    QPersistentModelIndex,
    QPointF,
    QRect,
    QRectF,
    QSize,
    Qt,
    Signal,
)
from PySide6.QtGui import QContextMenuEvent, QFont, QPainter, QPaintEvent, QPen, QResizeEvent
from PySide6.QtWidgets import (
    QAbstractItemView,
    QHeaderView,
    QMenu,
    QSizePolicy,
    QStyledItemDelegate,
    QStyleOptionViewItem,
    QTableView,
    QWidget,
)

from gptstudio.app.requests import LensQuery
from gptstudio.gpt.tokenizer import GPT2, Tokenizer
from gptstudio.gui.appearance import on_restyle
from gptstudio.gui.asking import Asks
from gptstudio.gui.canvas.canvas import ENDS, KEYS, ScrollCanvas, Swatch
from gptstudio.gui.canvas.tint import ink_on
from gptstudio.gui.canvas.writing import CENTRE, LEFT, RIGHT, elided, heading, rounded, small, write
from gptstudio.gui.generate.interpret.interpret_pane import TextInterpretPane
from gptstudio.gui.plots.shades import SPREAD, paint_bar, shade
from gptstudio.gui.theme import colour
from gptstudio.gui.translation import joined, percent, tr
from gptstudio.gui.widgets.layouts import TOP, aligned, fill, grows, hbox, vbox, with_layout
from gptstudio.gui.widgets.parts import Notice, label, named, plain, scrolling
from gptstudio.i18n import message
from gptstudio.inference.flow import FlowStep

if TYPE_CHECKING:
    from gptstudio.inference.interpret import LogitLens

LEAST, MOST, GAP = 4.7, 9.0, 0.9
"""Smallest and largest width of a box, and gap between two, in heights of a letter."""
LINE, BAR, AIR = 1.15, 0.4, 0.25
"""Heights of a line of text, of a bar, and of the space around them, in heights of a letter."""
HIGH = 3 * LINE + 2 * BAR + 3 * AIR
INKS = ("training", "validation")
"""Colours of the updates by attention and by the feed-forward network."""


class FlowStrip(ScrollCanvas):
    """Strip of the stages, which are its items by index. On a click or Enter, it emits the pane to open with the layer;
    from the context menu, the experiment to open."""

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
        """Show the stages at the token ``read``. ``after``: the next token; None at the end of the text."""
        self.steps, self._read, self._next, self._tokenizer = steps, tokenizer.visible(read), after, tokenizer
        self.describe(self.table_words())
        self.remeasure()

    def name(self, index: int) -> str:
        layer = self.steps[index].layer
        if layer is not None:
            return tr("Layer {n}", n=layer + 1)
        return tr("Logits") if index else tr("Embedding")

    def items(self) -> Mapping[int, QRectF]:
        left = 1 - self.horizontalScrollBar().value()
        return {index: QRectF(left + index * (self._width + self._gap), 1, self._width, HIGH * self._letter)
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
        """Offer the experiments of the stage under the pointer, or of the current one if the menu was opened by a
        key."""
        from gptstudio.labs.catalogue import ENTRIES  # not imported before the window is shown

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
        return QSize(round(2 * LEAST * self.fontMetrics().height()), self.minimumHeight())

    def remeasure(self) -> None:
        """Give the boxes the width at which all fit if possible, and the strip the height of boxes and scroll bar."""
        self._letter, bar = float(self.fontMetrics().height()), self.horizontalScrollBar()
        least, gap, count = LEAST * self._letter, round(GAP * self._letter), len(self.steps)
        room = (self.viewport().width() - 2 + gap) / max(1, count) - gap
        self._gap, self._width = gap, math.floor(min(MOST * self._letter, max(least, room)))
        self.set_range(bar, 2 + count * (self._width + gap) - gap, self.viewport().width(), least)
        scrolls = 2 + count * (math.floor(least) + gap) - gap > self.width()
        self.setFixedHeight(round(HIGH * self._letter) + 3 + scrolls * bar.sizeHint().height())
        super().remeasure()

    def resizeEvent(self, event: QResizeEvent) -> None:
        super().resizeEvent(event)
        self.remeasure()

    def paint(self, painter: QPainter, region: QRect) -> None:
        longest = max((size for step in self.steps for size in step.updates if math.isfinite(size)), default=0.0)
        for index, place in self.items().items():
            if place.right() + self._gap >= region.left() and place.left() <= region.right():
                self._paint_step(painter, index, place, longest or 1.0)

    def _paint_step(self, painter: QPainter, index: int, place: QRectF, longest: float) -> None:
        step, letter = self.steps[index], self._letter
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
            write(painter, QRectF(place.right(), place.top(), self._gap, place.height()), "→", CENTRE, "muted")


def _figure(size: float) -> str:
    return f"{float(f'{size:.3g}'):,.6g}" if math.isfinite(size) else "∞"  # 3,020, not 3.02e+03


def _paint_ink(ink: str, painter: QPainter, room: QRectF, letter: int) -> None:
    rounded(painter, QRectF(0, room.center().y() - 0.25 * letter, room.width(), 0.5 * letter), 2, colour(ink))


Index = QModelIndex | QPersistentModelIndex
Role = Qt.ItemDataRole

WIDTH, LOWEST, HIGHEST = 4.8, 1.55, 2.4
"""Width, and smallest and largest height, of a cell, in heights of a letter; few layers share the available height."""


class LensModel(QAbstractTableModel):
    """Table model of the logit lens. The last row is the actual next token, if there is one."""

    def __init__(self) -> None:
        super().__init__()
        self._lens: LogitLens | None = None
        self._ids: Sequence[int] = ()
        self._next: Sequence[int] = ()
        self._visible = GPT2.visible
        self.marked: int | None = None

    def show_lens(
        self, lens: LogitLens, ids: Sequence[int], after: Sequence[int], tokenizer: Tokenizer = GPT2
    ) -> None:
        """Show a lens. ``ids``: tokens of its first columns; ``after``: token after each of them, one fewer at the end
        of the text."""
        self.beginResetModel()
        self._visible = tokenizer.visible
        self._lens, self._ids, self._next = lens, ids, after
        self.endResetModel()

    def words(self, index: Index) -> str:
        read = self._visible(self._ids[index.column()])
        if index.row() == self.layers + 1:
            come = self._come(index.column())
            token = None if come is None else self._visible(come)
            return tr(
                "“{read}” was followed by “{token}”.", read=read, token=token) if token else tr("The text ends here.")
        best = zip(*self._best(index), strict=True)
        said = ",   ".join(f"{self._visible(int(i))} {percent(float(p))}" for i, p in best)
        return tr("{layer}, after “{read}”:   {said}", layer=self.name(index.row()), read=read, said=said)

    @property
    def layers(self) -> int:
        return len(self._lens.ids) - 1 if self._lens else 0

    def name(self, row: int) -> str:
        if row == 0:
            return tr("Embedding")
        return tr("Actual next") if row == self.layers + 1 else tr("Layer {n}", n=row)

    def rowCount(self, _parent: Index | None = None) -> int:
        return self.layers + 2 if self._lens else 0

    def columnCount(self, _parent: Index | None = None) -> int:
        return len(self._ids)

    def data(self, index: Index, role: int = Role.DisplayRole) -> Any:
        """Return the token of a cell; for the user role, its position on the colour scale (None in the last row)."""
        come, last = self._come(index.column()), index.row() == self.layers + 1
        likeliest = come if last else int(self._best(index)[0][0])
        if role == Role.DisplayRole:
            return "" if likeliest is None else self._visible(likeliest)
        if role == Role.ToolTipRole:
            return plain(self.words(index))
        if role == Role.AccessibleTextRole:
            return self.words(index)
        if role == Role.FontRole:
            return _bold(likeliest == come and come is not None)
        if role == Role.UserRole and not last:
            return float(SPREAD.shares(self._best(index)[1][0]))
        return None

    def headerData(self, section: int, orientation: Qt.Orientation, role: int = Role.DisplayRole) -> Any:
        across = orientation == Qt.Orientation.Horizontal
        if role == Role.DisplayRole:
            return self._visible(self._ids[section]) if across else self.name(section)
        if role == Role.FontRole:
            return _bold(across and section == self.marked)
        if role == Role.ToolTipRole and across:
            return tr("The model has read up to “{token}”.", token=self._visible(self._ids[section]))
        return None

    def _best(self, index: Index) -> tuple[np.ndarray, np.ndarray]:
        if self._lens is None:
            raise RuntimeError("there are no cells before there is a lens")
        return self._lens.ids[index.row(), index.column()], self._lens.probabilities[index.row(), index.column()]

    def _come(self, column: int) -> int | None:
        return self._next[column] if column < len(self._next) else None


class LensTable(QTableView):
    """Table of the logit lens; emits the description of the cell under the pointer or at the keyboard."""

    pointed = Signal(str)  # description of a cell

    def __init__(self, model: LensModel) -> None:
        super().__init__()
        named(self, "lens_table", tr("What the model would predict after each layer, for each token"))
        self.lens = model
        self.setModel(model)
        self.setItemDelegate(_Painter(self))
        self.setShowGrid(False)
        self.setStyleSheet("QTableCornerButton::section { border: none; background: transparent; }")
        self.setMouseTracking(True)
        self.setTabKeyNavigation(False)
        self.setEditTriggers(QAbstractItemView.EditTrigger.NoEditTriggers)
        self.setSelectionMode(QAbstractItemView.SelectionMode.SingleSelection)
        self.setHorizontalScrollMode(QAbstractItemView.ScrollMode.ScrollPerPixel)
        self.setVerticalScrollMode(QAbstractItemView.ScrollMode.ScrollPerPixel)
        for header in (self.horizontalHeader(), self.verticalHeader()):
            header.setSectionResizeMode(QHeaderView.ResizeMode.Fixed)
            header.setHighlightSections(False)
            header.setSectionsClickable(False)
        self.verticalHeader().setDefaultAlignment(Qt.AlignmentFlag.AlignRight | Qt.AlignmentFlag.AlignVCenter)
        self.entered.connect(self._say)
        self.selectionModel().currentChanged.connect(lambda now, _: self._say(now))
        model.modelReset.connect(self._size)
        on_restyle(self, self._size)

    def show_column(self, column: int | None) -> None:
        """Mark a column, and scroll it to the middle of the view."""
        self.lens.marked = column
        if column is not None:
            wide = self.horizontalHeader().defaultSectionSize()
            self.horizontalScrollBar().setValue((column - self.viewport().width() // wide // 2) * wide)
        self.horizontalHeader().viewport().update()
        self.viewport().update()

    def paintEvent(self, event: QPaintEvent) -> None:
        super().paintEvent(event)
        if self.lens.marked is not None:
            top, bottom = (self.visualRect(self.lens.index(row, self.lens.marked)) for row in (0, self.lens.layers + 1))
            painter = QPainter(self.viewport())
            painter.setPen(QPen(colour("validation"), 2))
            painter.drawRect(top.united(bottom).adjusted(0, 1, -1, -1))

    def resizeEvent(self, event: QResizeEvent) -> None:
        super().resizeEvent(event)
        self._size()

    def changeEvent(self, event: QEvent) -> None:
        super().changeEvent(event)
        if event.type() == QEvent.Type.FontChange:
            self._size()

    def _say(self, index: QModelIndex) -> None:
        if index.isValid():
            self.pointed.emit(self.lens.words(index))

    def _size(self) -> None:
        letter, rows = self.fontMetrics().height(), self.lens.rowCount() or 1
        across, down = self.horizontalHeader(), self.verticalHeader()
        across.setFixedHeight(round(LOWEST * letter) + 8)
        across.setDefaultSectionSize(round(WIDTH * letter))
        down.setFixedWidth(max(self.fontMetrics().horizontalAdvance(self.lens.name(row)) for row in range(rows)) + 14)
        room = (self.height() - across.height() - self.horizontalScrollBar().sizeHint().height()) / rows
        down.setDefaultSectionSize(round(min(max(room, LOWEST * letter), HIGHEST * letter)))
        self.setMinimumHeight(round(7 * LOWEST * letter))


class _Painter(QStyledItemDelegate):
    def paint(self, painter: QPainter, option: QStyleOptionViewItem, index: Index) -> None:
        place, share = QRectF(option.rect), index.data(Role.UserRole)
        fill = colour("surface") if share is None else shade(share)
        painter.save()
        painter.fillRect(place.adjusted(0, 0, -1, -1), fill)
        font = QFont(option.font)
        font.setBold(index.data(Role.FontRole).bold())
        painter.setFont(font)
        painter.setPen(colour("text") if share is None else ink_on(fill))
        painter.drawText(place, CENTRE, elided(painter, index.data(), round(place.width()) - 8))
        if option.state & option.state.State_HasFocus:
            painter.setPen(QPen(colour("text"), 2))
            painter.drawRect(place.adjusted(1, 1, -2, -2))
        painter.restore()


def _bold(yes: bool) -> QFont:
    font = QFont()
    font.setBold(yes)
    return font


class LayersPane(TextInterpretPane):
    """Pane with the logit lens of the shown text; marks the column of the chosen token, and explains each cell."""

    PURPOSE = message("Layers: what the model would predict after each layer, so that you can see the answer form.")

    def __init__(self, asks: Asks) -> None:
        super().__init__("layers", asks)
        self.grid = LensModel()
        self.table = LensTable(self.grid)
        self.said = label(tr("Point at a cell to see its three most likely tokens."), "muted", "layers_said", wrap=True)
        self.note = Notice("layers_note", "muted")
        self.table.pointed.connect(self.said.setText)
        self.flow = FlowStrip()
        self._about = label(role="muted", name="flow_about", wrap=True)  # above it
        self._drawn: object = None
        self._shown_flow: object = None
        self._lay_out()

    def question(self) -> LensQuery | None:
        selection = self.selection
        return LensQuery(selection.model, self.requested_ids()) if selection.model and selection.path else None

    def source_position(self) -> int | None:
        """Return the position before the chosen token, from which that token was predicted."""
        cursor = self.selection.cursor
        return cursor - 1 if cursor else cursor

    def show_answer(self) -> None:
        (first, end), ids, formed = self.span(), self.selection.ids, self.source_position()
        drawn = self.answer, first, ids
        if drawn != self._drawn:
            self._drawn = drawn
            self.grid.show_lens(self.answer, ids[first:end], ids[first + 1 : end + 1], self.selection.tokenizer)
        self._show_flow(end - 1 if formed is None else formed)
        self.table.show_column(formed - first if self.selection.cursor and formed is not None else None)
        self.note.setText(self.of_how_many())

    def _show_flow(self, position: int) -> None:
        """Show the stages at a position of the text."""
        ids, tokenizer, column = self.selection.ids, self.selection.tokenizer, position - self.span()[0]
        after = ids[position + 1] if position + 1 < len(ids) else None
        shown = self.answer, column, ids[position], after
        if shown != self._shown_flow:
            self._shown_flow = shown
            self._about.setText(tr(
                "From embedding to logits, after “{token}”", token=tokenizer.visible(ids[position])))
            self.flow.show_steps(self.answer.flow(column), ids[position], after, tokenizer)

    def _lay_out(self) -> None:
        legend = hbox(grows(self._about), spacing=8)
        for ink, words in zip(INKS, (tr("attention writes"), tr("feed-forward network writes")), strict=True):
            fill(legend, Swatch(partial(_paint_ink, ink), 0.8, 1, grows=True), label(words, "muted"))
        explanation = label(tr(
            "Logit lens: what the model would predict if it stopped after this layer (final norm and output layer "
            "applied directly). Bold: the actual next token."), "muted", "layers_explanation", wrap=True)
        bottom = hbox(grows(self.said), aligned(_legend(), TOP), spacing=12)
        body = with_layout(QWidget(), vbox(
            legend, self.flow, explanation, self.note, grows(self.table), bottom, spacing=4, margins=(0, 4, 0, 0)))
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
