"""Logit lens: the prediction after each layer, at each token."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, Any

import numpy as np
from PySide6.QtCore import QAbstractTableModel, QEvent, QModelIndex, QPersistentModelIndex, QRectF, Qt, Signal
from PySide6.QtGui import QFont, QPainter, QPaintEvent, QPen, QResizeEvent
from PySide6.QtWidgets import (
    QAbstractItemView,
    QHeaderView,
    QStyledItemDelegate,
    QStyleOptionViewItem,
    QTableView,
    QWidget,
)

from gptstudio.app.requests import LensQuery
from gptstudio.gpt.tokenizer import GPT2, Tokenizer
from gptstudio.gui.appearance import follow
from gptstudio.gui.asking import Asks
from gptstudio.gui.canvas.swatch import Swatch
from gptstudio.gui.canvas.tint import ink_on
from gptstudio.gui.canvas.writing import CENTRE, LEFT, RIGHT, elided, write
from gptstudio.gui.generate.interpret.flow_view import FlowView
from gptstudio.gui.generate.interpret.interpret_pane import TextInterpretPane
from gptstudio.gui.plots.shades import SPREAD, paint_bar, shade
from gptstudio.gui.theme import colour
from gptstudio.gui.translation import percent, tr
from gptstudio.gui.widgets.layouts import TOP, aligned, grows, hbox, holding, vbox
from gptstudio.gui.widgets.parts import Notice, label, named, plain, scrolling
from gptstudio.i18n import message

if TYPE_CHECKING:  # torch stays out of the window
    from gptstudio.inference.interpret import LogitLens

Index = QModelIndex | QPersistentModelIndex
Role = Qt.ItemDataRole

WIDTH, LOWEST, HIGHEST = 4.8, 1.55, 2.4
"""Cell sizes in character heights: few layers share the available width."""


class LensModel(QAbstractTableModel):
    """The grid as Qt's views read it. The last row is what came next, where something did."""

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
        """``lens`` begins with the first of ``ids``, which are shown; ``after``: what came behind each of them, one
        shorter where the last is the end of the text."""
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
        """The token of a cell; its share of the scale as the user's role, None in the last row."""
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
    """Shows the grid; tells which cell is pointed at, by mouse or arrow keys."""

    pointed = Signal(str)  # in words

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
        follow(self, self._size)

    def show_column(self, column: int | None) -> None:
        """Mark a column, and bring it into the middle of the view."""
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
    """A cell in the colour of its probability."""

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
        self.flow = FlowView()
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
            self.grid.show_lens(self.answer, ids[first:end], ids[first + 1 : end + 1], self.selection.tokenizer)
        position = end - 1 if formed is None else formed
        self.flow.show_flow(self.answer, position - first, ids, position, self.selection.tokenizer)
        self.table.show_column(formed - first if self.selection.cursor and formed is not None else None)
        self.note.setText(self.of_how_many())

    def _lay_out(self) -> None:
        explanation = label(tr(
            "Logit lens: what the model would predict if it stopped after this layer (final norm and output layer "
            "applied directly). Bold: the actual next token."), "muted", "layers_explanation", wrap=True)
        bottom = hbox(grows(self.said), aligned(_legend(), TOP), spacing=12)
        body = holding(QWidget(), vbox(
            self.flow, explanation, self.note, grows(self.table), bottom, spacing=4, margins=(0, 4, 0, 0)))
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
