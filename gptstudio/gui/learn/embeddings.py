"""Page of the embeddings lab: an ID selects a row, its position selects another, and the model input is their sum.

Tensors are drawn as boxes, whose height, width and depth are the logarithms of their dimensions.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from typing import cast

import numpy as np
from PySide6.QtCore import QRect, QRectF, QSize, Qt
from PySide6.QtGui import QPainter, QPen
from PySide6.QtWidgets import QLayout, QSizePolicy, QWidget

from gptstudio.gpt.config import VOCAB_SIZE
from gptstudio.gpt.tokenizer import GPT2
from gptstudio.gui.canvas.canvas import Canvas, Cell
from gptstudio.gui.canvas.writing import CENTRE, write
from gptstudio.gui.learn.kit import Formula, LabPage, Matrix, behind_sign, row_of
from gptstudio.gui.learn.page_parts import StepBar
from gptstudio.gui.plots.strip import Strip, StripBox
from gptstudio.gui.theme import colour
from gptstudio.gui.translation import tr
from gptstudio.gui.widgets.layouts import LEFT, TOP, Flow, HeightForWidth, Reflow, in_column, with_layout
from gptstudio.gui.widgets.parts import label
from gptstudio.labs.embeddings import COLUMNS, ROWS, EmbeddingsAnswer, EmbeddingsRequest

FEW = 16  # maximum number of rows or columns drawn with a line each
MOST_LAYERS = 8
LAYER = 3  # pixels from one layer to the next


class ShapeBox(Canvas):
    """Diagram of a tensor with a name and a shape; rows can be highlighted."""

    smooth = False

    def __init__(self, name: str) -> None:
        super().__init__(name, name, pointable=False)
        self.shape: tuple[int, ...] = (1, 1)
        self._title = ""
        self._lit = range(0)
        self.setSizePolicy(QSizePolicy.Policy.Fixed, QSizePolicy.Policy.Fixed)

    def show_shape(self, title: str, shape: tuple[int, ...], lit: range = range(0)) -> None:
        """Show a shape. ``lit``: highlighted rows."""
        self._title, self.shape, self._lit = title, shape, lit
        self.setAccessibleName(tr("{name} {shape}", name=title, shape=shape))
        self.remeasure()

    def sizeHint(self) -> QSize:
        metrics, box = self.fontMetrics(), self._box()
        texts = max(metrics.horizontalAdvance(text) for text in (self._title, str(self.shape)))
        return QSize(max(round(box.width()) + self._depth(), texts) + 4, round(box.height()) + self._depth()
                     + 2 * metrics.height() + 8)

    def paint(self, painter: QPainter, _region: QRect) -> None:
        high, box = self.fontMetrics().height(), self._box()
        write(painter, QRectF(0, 0, self.width(), high), self._title, CENTRE)
        write(painter, QRectF(0, self.height() - high, self.width(), high), str(self.shape), CENTRE, "muted")
        front = box.translated((self.width() - box.width() - self._depth()) // 2, high + 4 + self._depth())
        for layer in reversed(range(self._layers())):
            self._paint_layer(painter, front.translated(layer * LAYER, -layer * LAYER))
        self._paint_cells(painter, front)

    def _paint_layer(self, painter: QPainter, place: QRectF) -> None:
        painter.fillRect(place, colour("surface"))
        painter.fillRect(place, colour("accent", 0.12))
        painter.setPen(QPen(colour("muted"), 1))
        painter.drawRect(place)

    def _paint_cells(self, painter: QPainter, place: QRectF) -> None:
        rows, columns = self.shape[-2:]
        painter.setPen(QPen(colour("muted", 0.5), 1))
        for row in range(1, rows if rows <= FEW else 0):
            y = place.top() + row * place.height() / rows
            painter.drawLine(round(place.left()), round(y), round(place.right()), round(y))
        for column in range(1, columns if columns <= FEW else 0):
            x = place.left() + column * place.width() / columns
            painter.drawLine(round(x), round(place.top()), round(x), round(place.bottom()))
        if self._lit:
            height = max(3.0, len(self._lit) * place.height() / rows)
            top = min(place.top() + self._lit.start * place.height() / rows, place.bottom() - height)
            painter.fillRect(QRectF(place.left(), top, place.width(), height), colour("accent", 0.75))

    def _box(self) -> QRectF:
        """Return the rectangle of the front layer, at the origin."""
        rows, columns = self.shape[-2:]
        return QRectF(0, 0, self._length(columns), self._length(rows))

    def _length(self, count: int) -> int:
        return round((0.8 + 0.42 * math.log2(count)) * self.fontMetrics().height())

    def _layers(self) -> int:
        return min(MOST_LAYERS, math.prod(self.shape[:-2]))

    def _depth(self) -> int:
        return (self._layers() - 1) * LAYER


class Page(LabPage[EmbeddingsRequest, EmbeddingsAnswer]):
    """Page of the embeddings lab. It shows one token: the rows that are looked up for it, and their sum."""

    def text(self) -> Sequence[QWidget | str]:
        addition = Formula(
            "lab_embeddings_formula", r"\sym{x}{x} = \sym{E}{E_{\mathrm{id}}} + \sym{P}{P_{\mathrm{pos}}}",
            tr("x is the row of the ID in the token matrix E, plus the row of its position in the position matrix P."))
        product = Formula(
            "lab_embeddings_one_hot", r"\sym{E}{E_{\mathrm{id}}} = \sym{h}{h}\,\sym{E}{E}",
            tr("The same row is the one-hot vector h, with 1 at the ID and 0 elsewhere, times the matrix E."))
        for formula in (addition, product):  # queued: after the symbol's own cells are no longer lit
            formula.pointed.connect(self._light_rows, Qt.ConnectionType.QueuedConnection)
        return (
            tr("An ID is only a name: 4 is not twice 2. So each ID has its own row of numbers in a matrix, and "
               "embedding means looking up that row. Training changes the rows."),
            addition,
            tr("The same token always gets the same row, wherever it stands. To tell positions apart, a second row, "
               "the position's, is added."),
            tr("Looking up a row is the same as multiplying by a one-hot vector h, which is 1 at the ID and 0 "
               "elsewhere."),
            product,
            tr("Click an ID to inspect it, then move the position."))

    def make_stage(self) -> QWidget:
        self.strip = Strip("lab_embeddings_ids_strip", tr("Token IDs, with the position below each"))
        self.strip.chosen.connect(self._choose)
        self.explain(self.strip, self._words_of)
        self.steps = StepBar(
            "lab_embeddings_position_bar", tr("Position of the first token"), tr("One position back"),
            tr("One position forward"), lambda position: self.update_request(position=position))
        self.boxes = {name: ShapeBox(f"lab_embeddings_box_{name}") for name in ("ids", "E", "tokens", "P", "out")}
        self.row, self.place, self.sum = self.vectors = [
            self.linked(f"lab_embeddings_{name}", "", self._words_of_sum, symbol, tinted=True)
            for name, symbol in (("row", "E"), ("place", "P"), ("sum", "x"))]
        for matrix in self.vectors:
            matrix.pointed.connect(self._light_sum)
        self.tokens = self.linked(
            "lab_embeddings_E", tr("token matrix E"),
            lambda cell: self._words_of_row(self.tokens, cell, self.answer.id), tinted=True)
        self.positions = self.linked(
            "lab_embeddings_P", tr("position matrix P"),
            lambda cell: self._words_of_row(self.positions, cell, self.answer.position), tinted=True)
        self.one_hot = self.linked("lab_embeddings_h", tr("one-hot vector h"), self._words_of_one_hot, "h", digits=0)
        self.product = self.linked("lab_embeddings_product", "", self._words_of_product, "E", tinted=True)
        self.same = self.sentence("lab_embeddings_same", lambda answer: tr(
            "✓ One-hot vector times matrix equals the looked-up row in every number.")
            if np.array_equal(answer.product, answer.token) else tr(
            "≠ One-hot vector times matrix gives a different row."))
        self.links.add("E", self.tokens, lambda cell: self._rows_of(self.tokens, cell, self.answer.id))
        self.links.add("P", self.positions, lambda cell: self._rows_of(self.positions, cell, self.answer.position))
        shapes, self.matrices = Flow(spacing=12), Reflow(self.tokens, self.positions, spacing=24)
        cast(QLayout, self.matrices.layout()).setAlignment(LEFT | TOP)
        for sign, name in (("", "ids"), ("→", "E"), ("→", "tokens"), ("+", "P"), ("=", "out")):
            shapes.add_group(*([label(sign, "heading")] if sign else []), self.boxes[name])
        return in_column(
            HeightForWidth(), self.strip, self.steps, self.controls.problem_of("position"), shapes, self.matrices,
            *(with_layout(HeightForWidth(), Flow(*line, spacing=12))
              for line in (self.vectors, (self.one_hot, self.product))),
            self.same, spacing=8)

    def show_answer(self, answer: EmbeddingsAnswer) -> None:
        length, words = answer.ids.shape[1], answer.token_shape[0] == VOCAB_SIZE
        first = answer.position - answer.column
        self.strip.show_boxes(_boxes(answer.ids, first, words, answer.row * length + answer.column))
        last = answer.position_shape[0] - length
        self.steps.setVisible(last > 0)
        self.steps.show_step(first, last, tr("Position of the first token: {first} (0 to {last})", first=first,
                                             last=last))
        self._show_boxes(answer, first)
        self._show_matrices(answer)
        self._show_vectors(answer)

    def _show_boxes(self, answer: EmbeddingsAnswer, first: int) -> None:
        used = range(first, first + answer.ids.shape[1])
        looked_up = range(answer.id, answer.id + 1)
        self.boxes["ids"].show_shape(tr("IDs"), answer.ids.shape)
        self.boxes["E"].show_shape(tr("E, row {id}", id=f"{answer.id:,}"), answer.token_shape, looked_up)
        self.boxes["tokens"].show_shape(tr("token embeddings"), answer.tokens.shape)
        self.boxes["P"].show_shape(tr("P, rows used"), answer.position_shape, used)
        self.boxes["out"].show_shape(tr("sum"), answer.out.shape)

    def _show_matrices(self, answer: EmbeddingsAnswer) -> None:
        """Show the matrices if they fit, with the looked-up row marked."""
        self.matrices.setVisible(answer.complete)
        self.one_hot.setVisible(answer.complete)
        if answer.complete:
            self.tokens.show_values(answer.token_matrix, _names(answer.token_shape[0], answer.id))
            self.positions.show_values(answer.position_matrix, _names(answer.position_shape[0], answer.position))
            self.one_hot.show_values(np.eye(answer.token_shape[0], dtype=int)[answer.id])
            self._light_rows()

    def _light_rows(self, key: str | None = None) -> None:
        """Highlight the looked-up rows, unless a symbol of the formulas highlights cells."""
        if self.answer.complete and not key:
            self.tokens.light(row_of(self.tokens, self.answer.id))
            self.positions.light(row_of(self.positions, self.answer.position))

    def _show_vectors(self, answer: EmbeddingsAnswer) -> None:
        printed = self.printed("book", "row 3")
        self.row.show_values(answer.token[:COLUMNS], equal=None if printed is None else printed[0],
                             title=self._title_of_row(answer))
        self.place.show_values(answer.place[:COLUMNS],
                               title=tr("+ row of position {position}", position=answer.position))
        self.sum.show_values(answer.sum[:COLUMNS], title=tr("= model input"))
        self.product.show_values(answer.product[:COLUMNS], title=tr("h E"))

    def _choose(self, index: int) -> None:
        row, column = divmod(index, self.answer.ids.shape[1])
        self.update_request(row=row, column=column)

    def _rows_of(self, matrix: Matrix, cell: Cell | None, row: int) -> list[Cell]:
        """Return the cells of a cell's row, or of the looked-up row; none if the matrix is hidden."""
        return row_of(matrix, cell.row if cell else row) if self.answer.complete else []

    def _light_sum(self, cell: Cell | None) -> None:
        """Highlight the two numbers that are added, and their sum, also in the matrices if these are shown."""
        for matrix in self.vectors:
            matrix.light([cell] if cell else ())
        self._light_rows()
        if cell and self.answer.complete:
            self.tokens.light([Cell(self.answer.id, cell.column)])
            self.positions.light([Cell(self.answer.position, cell.column)])

    def _title_of_row(self, answer: EmbeddingsAnswer) -> str:
        named_by, width = f"{answer.id:,}", answer.token_shape[1]
        if width <= COLUMNS:
            return tr("row of ID {id}", id=named_by)
        return tr("row of ID {id}, first {count} of {width} numbers", id=named_by, count=COLUMNS, width=width)

    def _words_of(self, index: int) -> str:
        row, column = divmod(index, self.answer.ids.shape[1])
        place = self.answer.position - self.answer.column + column
        return tr("Sequence {row}, position {place}: ID {id}, so row {id} of E plus row {place} of P.", row=row,
                  place=place, id=int(self.answer.ids[row, column]))

    def _words_of_sum(self, cell: Cell) -> str:
        at = cell.column
        return tr("x, number {at}: {row} + {place} = {sum}", at=at, row=self.row.text(Cell(0, at)),
                  place=behind_sign(self.place.values[0, at]), sum=self.sum.text(cell))

    def _words_of_row(self, matrix: Matrix, cell: Cell, used: int) -> str:
        values = {"row": cell.row, "at": cell.column, "value": matrix.text(cell)}
        if cell.row == used:
            return tr("Row {row}, number {at}: {value}. This is the row being looked up.", **values)
        return tr("Row {row}, number {at}: {value}. This row is not looked up here.", **values)

    def _words_of_one_hot(self, cell: Cell) -> str:
        values = {"at": cell.column, "id": self.answer.id}
        if cell.column == self.answer.id:
            return tr("1 at number {at}: this is the ID.", **values)
        return tr("0 at number {at}: the ID is {id}.", **values)

    def _words_of_product(self, cell: Cell) -> str:
        if not self.answer.complete:
            return tr("Number {at}: 1 × {value}, plus 0 × another number, {count} times.", at=cell.column,
                      value=self.product.text(cell), count=f"{self.answer.token_shape[0] - 1:,}")
        terms = [
            f"{self.one_hot.text(Cell(0, row))} × {behind_sign(self.tokens.values[row, cell.column])}"
            for row in range(self.answer.token_shape[0])]
        return f"{' + '.join(terms)} = {self.product.text(cell)}"


def _names(count: int, marked: int) -> list[str]:
    return [f"▸ {row}" if row == marked else str(row) for row in range(min(ROWS, count))]


def _boxes(ids: np.ndarray, first: int, words: bool, looked_at: int) -> list[StripBox]:
    """Return the boxes of all sequences, each of which starts a line.

    Args:
        ids: (B, T).
        first: position of the first token of each sequence.
        words: whether the IDs are GPT-2 tokens.
        looked_at: index of the inspected token among all.
    """
    length = ids.shape[1]
    return [
        StripBox(f"{GPT2.visible(each)}  {each}" if words else f"  {each}  ", str(first + place % length),
                 ("accent", 0.3 if place == looked_at else 0.1), frame="accent" if place == looked_at else "",
                 begins_line=place % length == 0)
        for place, each in enumerate(ids.ravel().tolist())]
