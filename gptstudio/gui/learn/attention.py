"""Page of the attention lab: from dot products to several heads in five stages, each of which adds one concept.

Each stage shows its matrices in the order of computation, with titles and the arithmetic of a cell.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from functools import partial
from typing import Any, NamedTuple, cast

import numpy as np
from PySide6.QtCore import QPoint, QRect, Qt, Signal
from PySide6.QtGui import QColor, QKeyEvent, QMouseEvent, QPainter, QPen, QResizeEvent
from PySide6.QtWidgets import QWidget

from gptstudio.gui.appearance import on_restyle
from gptstudio.gui.canvas.canvas import Cell
from gptstudio.gui.canvas.writing import draw_with
from gptstudio.gui.learn.kit import Formula, LabPage, Matrix, across, decimals, down, row_of
from gptstudio.gui.theme import theme
from gptstudio.gui.translation import tr
from gptstudio.gui.widgets.layouts import FREE, Flow, HeightForWidth, fill, vbox, with_layout
from gptstudio.gui.widgets.parts import label, one_control
from gptstudio.i18n import fixed, with_minus
from gptstudio.labs.attention import MOST_WORDS, AttentionAnswer, AttentionRequest, Head, Stage


class Explanation(NamedTuple):
    """Arithmetic of one cell as text, and the cells that it uses, by matrix name."""

    words: str
    lit: Mapping[str, Iterable[Cell]] = {}


class Arithmetic:
    """Arithmetic of an answer for one of its heads. :meth:`of` explains a cell of the matrix of a given name."""

    def __init__(self, request: AttentionRequest, answer: AttentionAnswer, head: Head) -> None:
        self._request, self._answer, self._head, self._words = request, answer, head, answer.words

    def of(self, name: str, cell: Cell) -> Explanation:
        if name.startswith("w_"):
            return Explanation(tr("Initialised at random. Training would change it."))
        explanations: dict[str, Callable[[Cell], Explanation]] = {
            "inputs": self._input, "masked": lambda cell: Explanation(self._later(cell) or self._scaled(cell).words),
            "queries": lambda cell: self._projected(cell, "w_query", self._head.w_query),
            "keys": lambda cell: self._projected(cell, "w_key", self._head.w_key),
            "values": lambda cell: self._projected(cell, "w_value", self._head.w_value),
            "scores": self._score, "scaled": self._scaled,
            "before": lambda cell: self._softmax(cell, "masked", self._head.masked, self._head.before),
            "unmasked": lambda cell: self._softmax(cell, "scaled", self._head.scaled, self._head.unmasked),
            "cut": self._cut, "after": self._after,
            "both": self._both, "weights": self._weights, "dropped": self._dropped, "context": self._context}
        return explanations[name](cell)

    def _input(self, cell: Cell) -> Explanation:
        value = number(self._answer.inputs[cell])
        return Explanation(tr("Number {place} of “{word}”: {value}. Double-click to change it. Click the word to make "
                              "it the query.", place=cell.column + 1, word=self._words[cell.row], value=value))

    def _projected(self, cell: Cell, name: str, matrix: np.ndarray) -> Explanation:
        row = self._answer.inputs[cell.row]
        return Explanation(sum_of_products(row, matrix[:, cell.column]),
                           {"inputs": across(cell.row, row.size), name: down(cell.column, row.size)})

    def _score(self, cell: Cell) -> Explanation:
        query, key = self._head.queries[cell.row], self._head.keys[cell.column]
        said = tr("“{query}” · “{key}”:  {sum}", query=self._words[cell.row], key=self._words[cell.column],
                  sum=sum_of_products(query, key))
        if not self._request.reaches("weights"):
            return Explanation(said, {"inputs": [*across(cell.row, query.size), *across(cell.column, key.size)]})
        return Explanation(said, {"queries": across(cell.row, query.size), "keys": across(cell.column, key.size)})

    def _scaled(self, cell: Cell) -> Explanation:
        score, value = number(self._head.scores[cell]), number(self._head.scaled[cell])
        divided = f"{score} / √{self._head.keys.shape[1]} = {value}"
        return Explanation(
            divided if self._request.scale else tr("{value}, not scaled", value=value), {"scores": [cell]})

    def _softmax(self, cell: Cell, name: str, scores: np.ndarray, weights: np.ndarray) -> Explanation:
        said = softmax(scores[cell.row], cell.column, weights[cell])
        return Explanation(said, {name: across(cell.row, scores.shape[1])})

    def _cut(self, cell: Cell) -> Explanation:
        said = self._later(cell) or tr("{value}, unchanged: not a later word", value=number(self._head.unmasked[cell]))
        return Explanation(said, {"unmasked": [cell]})

    def _after(self, cell: Cell) -> Explanation:
        row = self._head.cut[cell.row]
        said = f"{number(row[cell.column])} / {number(row.sum())} = {number(self._head.after[cell])}"
        return Explanation(said, {"cut": across(cell.row, row.size)})

    def _both(self, cell: Cell) -> Explanation:
        """Explain a cell of the comparison: a row for each way to mask and their difference, and a column of sums."""
        query = self._request.query - 1
        ways = [self._head.before[query], self._head.after[query], self._head.cut[query]]
        there = Cell(query, cell.column)
        if cell.row == 3:
            apart = np.append(ways[1] - ways[0], (ways[1] - ways[0]).sum())[cell.column]
            last, first = (np.append(way, way.sum())[cell.column] for way in (ways[1], ways[0]))
            return Explanation(f"{number(last)} − {number(first)} = {power(apart)}")
        if cell.column == ways[0].size:
            row = ways[cell.row]
            return Explanation(f"{' + '.join(number(each) for each in row)} = {number(row.sum())}")
        name = ("before", "after", "cut")[cell.row]
        return Explanation(self._later(there) or self.of(name, there).words, {name: [there]})

    def _weights(self, cell: Cell) -> Explanation:
        step = self._request.weights_step
        if step == "unmasked":
            before = self.of("unmasked", cell)
            lit = before.lit if self._request.reaches("weights") else {"scores": before.lit["scaled"]}
            return Explanation(before.words, lit)
        return Explanation(self._later(cell) or self.of("unmasked" if step == "cut" else step, cell).words)

    def _dropped(self, cell: Cell) -> Explanation:
        weight, dropped = self._head.weights[cell], self._head.dropped[cell]
        if weight and not dropped:
            return Explanation(tr("{value} is dropped: 0", value=number(weight)), {"weights": [cell]})
        if not self._request.rate:
            return self._weights(cell)
        said = f"{number(weight)} / (1 − {number(self._request.rate)}) = {number(dropped)}"
        return Explanation(said, {"weights": [cell]})

    def _context(self, cell: Cell) -> Explanation:
        weights, values = self._head.dropped[cell.row], self._head.values[:, cell.column]
        mixed = {"products": "inputs"}.get(self._request.stage, "values")
        used = {"mask": self._request.weights_step, "dropout": "dropped", "heads": "dropped"}.get(
            self._request.stage, "weights")
        return Explanation(sum_of_products(weights, values),
                           {used: across(cell.row, weights.size), mixed: down(cell.column, weights.size)})

    def _later(self, cell: Cell) -> str:
        """Return the reason why a cell is masked; empty if it is not."""
        if cell.column <= cell.row:
            return ""
        return tr("“{key}” comes after “{query}”, so the mask hides it.", key=self._words[cell.column],
                  query=self._words[cell.row])


def number(value: float) -> str:
    """Return a number with at most four decimals."""
    short = fixed(value).rstrip("0").rstrip(".")
    return "0" if short == "−0" else short


def power(value: float) -> str:
    """Return a number, in the form 3e−08 if it is too small for four decimals."""
    return number(value) if not value or abs(value) >= 1e-4 else with_minus(f"{value:.0e}")


def sum_of_products(left: np.ndarray, right: np.ndarray) -> str:
    """Return a dot product as text: '0.55·0.43 + 0.87·0.15 = 0.367'."""
    factors = ([f"({number(each)})" if each < 0 else number(each) for each in side] for side in (left, right))
    terms = map("·".join, zip(*factors, strict=True))
    return f"{' + '.join(terms)} = {number(float(left @ right))}"


def softmax(scores: np.ndarray, place: int, weight: float) -> str:
    """Return 'e^0.95 / (e^0.95 + e^1.5) = 2.59 / 7.07 = 0.366'. Scores of minus infinity are omitted."""
    if np.isneginf(scores[place]):
        return "e^−∞ = 0"
    raised = " + ".join(f"e^{number(each)}" for each in scores if not np.isneginf(each))
    with np.errstate(over="ignore"):
        powers = np.exp(scores.astype(np.float64))
    between = f"{number(powers[place])} / {number(powers.sum())} = " if powers.sum() < 1e6 else ""
    return f"e^{number(scores[place])} / ({raised}) = {between}{number(weight)}"


def story(stage: Stage) -> str:
    return {
        "products": tr("How much should one word draw from another? Multiply their numbers pair by pair and add up: "
                       "the dot product, here called the attention score ω, is large where two vectors point the same "
                       "way. Softmax turns each row of scores into attention weights α that sum to 1: e to the power "
                       "of each score, divided by the sum of all these powers. A word's context vector z is the sum of "
                       "all words' vectors, weighted by α."),
        "weights": tr("Now there is something to learn. Three matrices turn each word into a query (what it looks "
                      "for), a key (what it offers) and a value (what it passes on). The scores are divided by √d_k: "
                      "long vectors have large dot products, and softmax would then give nearly all the weight to a "
                      "single word."),
        "mask": tr("A model that predicts the next word must not see it. With −∞ in place of the scores of later "
                   "words, softmax gives them exactly 0. You can also apply the mask after the softmax σ and divide "
                   "each row by its sum: the weights are the same, although the later words took part in the softmax. "
                   "Without that division the rows do not sum to 1."),
        "dropout": tr("During training, some weights are dropped at random, so that the model does not rely on a "
                      "single word. The others are divided by 1 − rate. A row then sums to 1 only on average."),
        "heads": tr("Several attention heads work side by side, each with its own three matrices, so they can look for "
                    "different things. Each computes its own context vector; these are concatenated and passed to the "
                    "next layer.")}[stage]


def summary(request: AttentionRequest, answer: AttentionAnswer) -> str:
    """Return a summary of the stage's result for the query."""
    head, row = answer.heads[0], request.query - 1
    word = answer.words[row]
    match request.stage:
        case "products" | "weights":
            weights = head.weights[row]
            most, least = int(np.argmax(weights)), int(np.argmin(weights))
            return tr("“{word}” attends most to “{most}” ({high}) and least to “{least}” ({low}).", word=word,
                      most=answer.words[most], high=number(weights[most]), least=answer.words[least],
                      low=number(weights[least]))
        case "mask":
            with np.errstate(over="ignore"):
                powers = np.exp(head.scaled[row].astype(np.float64))
            return tr("Row “{word}”: with the mask before the softmax, the softmax divides by {seen}, the sum over the "
                      "words up to it (words: {count}). With the mask after the softmax, it divides by {all}, the sum "
                      "over all words ({every}), later ones included.", word=word, seen=number(powers[: row + 1].sum()),
                      count=row + 1, all=number(powers.sum()), every=len(powers))
        case "dropout":
            dropped = int(np.count_nonzero((head.weights != 0) & (head.dropped == 0)))
            return tr("Dropped: {dropped} of {all} weights. The row of “{word}” now sums to {sum}.", dropped=dropped,
                      all=int(np.count_nonzero(head.weights)), word=word, sum=number(head.dropped[row].sum()))
    return tr("Heads: {heads}. Numbers per head: {width}. Numbers in each context vector: {all}.",
              heads=len(answer.heads), width=head.context.shape[1], all=answer.context.shape[1])


def line_heading(line: int, request: AttentionRequest, answer: AttentionAnswer) -> str:
    """Return the heading of a line of matrices; empty if it needs none."""
    if request.stage == "mask":
        lane = {
            "before": tr("Mask before softmax"), "after": tr("Mask after softmax"), "none": tr("No mask")}[request.mask]
        return ("", lane, tr("Both orders compared, row “{word}”", word=answer.words[request.query - 1]))[line]
    return tr("Head {number}", number=line) if request.stage == "heads" and line else ""


def matrix_title(name: str, stage: Stage) -> str:
    return {
        "w_query": "W_query", "w_key": "W_key", "w_value": "W_value",
        "inputs": tr("inputs x"), "queries": tr("queries q"), "keys": tr("keys k"), "values": tr("values v"),
        "scores": tr("scores ω"), "scaled": tr("scaled scores"), "masked": tr("masked scores ω"),
        "before": tr("weights α, mask before"), "unmasked": tr("softmax σ"), "cut": tr("masked softmax σ"),
        "after": tr("weights α, mask after"), "both": tr("weights α"), "weights": tr("weights α"),
        "dropped": tr("weights a, some dropped") if stage == "dropout" else tr("weights α"),
        "context": tr("context vectors z")}[name]


def matrix_caption(name: str, request: AttentionRequest) -> str:
    """Return a caption that says how a matrix was computed."""
    products = request.stage == "products"
    drawn = tr("random, as torch.rand") if request.drawn == "rand" else tr("random, as nn.Linear")
    done = {
        "inputs": tr("double-click to change"), "w_query": drawn, "w_key": drawn, "w_value": drawn,
        "queries": tr("inputs · W_query"), "keys": tr("inputs · W_key"), "values": tr("inputs · W_value"),
        "scores": tr("→ each word · each word") if products else tr("→ each query · each key"),
        "scaled": tr("→ divided by √d_k") if request.scale else tr("→ not scaled"), "masked": tr("→ later words −∞"),
        "before": tr("→ softmax of each row"), "unmasked": tr("→ softmax of each row"), "cut": tr("→ later words 0"),
        "after": tr("→ each row divided by its sum"), "both": tr("mask after: each row divided by its sum"),
        "weights": tr("→ softmax of each row") if not request.reaches("dropout") else tr("→ after the mask"),
        "dropped": _dropped(request),
        "context": tr("→ weights · inputs") if products else tr("→ weights · values")}[name]
    return tr("→ heads concatenated") if request.stage == "heads" and name == "context" else done


def _dropped(request: AttentionRequest) -> str:
    if not request.rate:
        return tr("→ nothing dropped")
    return tr("→ {rate} dropped, the rest × {scale}", rate=f"{request.rate:.0%}".replace("%", " %"),
              scale=number(1 / (1 - request.rate)))


MOST_HEADS = 4
SQUARE = ("scores", "scaled", "masked", "before", "unmasked", "cut", "after", "weights", "dropped")
"""Names of the (T, T) matrices, whose columns are words too."""

NARROW, FEW = 47, 2
"""``NARROW``: page width, in line heights, below which square matrices show ``FEW`` digits and number their columns, so
that the inputs fit next to a square matrix and both are in view."""
WIDE = 49
"""Page width, in line heights, from which square matrices show all digits again. It exceeds ``NARROW`` by more than the
width of a scroll bar: wider matrices take more lines and may need one, which makes the page narrower. With a single
limit the page would alternate between both layouts."""


class Slot(NamedTuple):
    """Matrix in a line. Two square ones next to each other leave space only for few digits and short names."""

    name: str
    digits: int = 4
    named: bool = True  # whether to name its rows; not next to a matrix with the same names
    spelled: bool = True  # whether the columns of a square matrix are words, otherwise numbers


INPUTS, CONTEXT = Slot("inputs"), Slot("context")
LINES: dict[Stage, tuple[tuple[Slot, ...], ...]] = {
    "products": ((INPUTS, Slot("scores")), (Slot("weights"), CONTEXT)),
    "weights": (
        (INPUTS, *(Slot(name, named=False) for name in ("w_query", "w_key", "w_value"))),
        (Slot("queries", 3), Slot("keys", 3, named=False), Slot("scores", 2, named=False, spelled=False)),
        (Slot("scaled"), Slot("values")),
        (Slot("weights"), CONTEXT)),
    "mask": (
        (INPUTS, Slot("scaled"), Slot("masked")),
        (
            Slot("before"), Slot("unmasked", 2, spelled=False), Slot("cut", 2, named=False, spelled=False),
            Slot("after"), CONTEXT),
        (Slot("both"), Slot("values", named=False))),
    "dropout": (
        (INPUTS, Slot("weights")),
        (Slot("dropped", 3, spelled=False), Slot("values", 3, named=False), Slot("context", 3, named=False))),
    "heads": ((INPUTS, CONTEXT), *((Slot("dropped"), Slot("values")),) * MOST_HEADS)}
"""Matrices in the lines of each stage; in the last stage, each line after the first is a head."""
LANES = {
    "before": ("masked", "before"), "after": ("scaled", "unmasked", "cut", "after"), "none": ("scaled", "unmasked")}
"""Matrices shown in the mask stage, by position of the mask."""


BAR = 5  # pixels to the left of the query's row, between its name and its first number


class WordMatrix(Matrix):
    """Matrix of a head with a caption above it and a marked query row; emits the row that is clicked, or selected with
    the space bar. Its ``container`` has both."""

    chosen = Signal(int)

    query: int | None = None

    def __init__(self, slot: Slot, head: int, stage: Stage) -> None:
        name = slot.name
        number = f"_{head + 1}" if stage == "heads" and name in ("dropped", "values") else ""
        super().__init__(f"attention_{stage}_{name}{number}", name, editable=name == "inputs", tinted=name != "inputs")
        self.slot, self.head, self.caption = slot, head, label(role="muted")
        self.container = one_control(with_layout(QWidget(), vbox(self.caption, self, spacing=4)))

    def mark(self, query: int | None) -> None:
        self.query = query
        self.update()

    def mousePressEvent(self, event: QMouseEvent) -> None:
        super().mousePressEvent(event)
        if self.editable and self.item_at(event.position()):
            return
        y = round(event.position().y())
        rows = range(self.values.shape[0] if self.query is not None else 0)
        for row in (row for row in rows if self._band(row).top() <= y <= self._band(row).bottom()):
            self.chosen.emit(row)

    def keyPressEvent(self, event: QKeyEvent) -> None:
        if event.key() == Qt.Key.Key_Space and self.cell and self.query is not None:
            self.chosen.emit(self.cell.row)
        else:
            super().keyPressEvent(event)

    def paint(self, painter: QPainter, region: QRect) -> None:
        """Paint the matrix, with a bar to the left of the query's row and a line around it."""
        super().paint(painter, region)
        if self.query is None or self.query >= self.values.shape[0]:
            return
        band = self._band(self.query)
        painter.setRenderHint(QPainter.RenderHint.Antialiasing, False)
        draw_with(painter, QPen(_mark(), 2), Qt.BrushStyle.NoBrush)
        painter.drawRect(band)
        painter.fillRect(QRect(band.left() - BAR, band.top(), BAR, band.height()), _mark())

    def _band(self, row: int) -> QRect:
        return self.rect(Cell(row, 0)).united(self.rect(Cell(row, self.values.shape[1] - 1)))


def _mark() -> QColor:
    """Return a hue that is used neither for shading nor for highlighting cells."""
    return QColor(theme.colours.components[5])


class FlowFromTop(Flow):
    """Flow layout in which the widgets of a line are aligned at the top."""

    def setGeometry(self, room: QRect) -> None:
        super().setGeometry(room)
        for line in self._lines(room.width()):
            top = min(item.geometry().top() for item in line)
            for item in line:
                item.setGeometry(QRect(QPoint(item.geometry().left(), top), item.sizeHint()))


class AttentionMatrices(HeightForWidth):
    """Matrices of a stage of the attention page."""

    def __init__(self, stage: Stage) -> None:
        super().__init__()
        self.stage = stage
        self.matrices: list[WordMatrix] = []
        self.narrow = False
        self._shown: tuple[AttentionRequest, AttentionAnswer, Mapping[str, np.ndarray]] | None = None
        self._arithmetic: list[Arithmetic] = []
        self._headings = [label(role="heading") for _ in LINES[stage]]
        self._lines = [
            with_layout(
                HeightForWidth(), FlowFromTop(*(self._place(slot, self._head(index)) for slot in slots), spacing=12))
            for index, slots in enumerate(LINES[stage])]
        layout = vbox(spacing=8)
        for each in zip(self._headings, self._lines, strict=True):
            fill(layout, *each).addSpacing(6)
        with_layout(self, fill(layout, FREE))
        on_restyle(self, self._turn)

    def matrix(self, name: str, head: int = 0) -> WordMatrix:
        return next(each for each in self.matrices if (each.slot.name, each.head) == (name, head))

    def show_answer(self, request: AttentionRequest, answer: AttentionAnswer, equal: Mapping[str, np.ndarray]) -> None:
        """Show an answer. ``equal``: by matrix name, mask of the numbers that equal the printed ones."""
        self._shown = request, answer, equal
        self._arithmetic = [Arithmetic(request, answer, head) for head in answer.heads]
        for index, (heading, line) in enumerate(zip(self._headings, self._lines, strict=True)):
            used = self._head(index) < len(answer.heads)
            heading.setText(line_heading(index, request, answer))
            heading.setVisible(used and bool(heading.text()))
            line.setVisible(used)
        for matrix in self.matrices:
            if matrix.head < len(answer.heads):
                self._show(matrix, request, answer, equal.get(matrix.slot.name))

    def resizeEvent(self, event: QResizeEvent) -> None:
        super().resizeEvent(event)
        self._turn()

    def _turn(self) -> None:
        narrow = self.width() < (WIDE if self.narrow else NARROW) * self.fontMetrics().height()
        if narrow != self.narrow:
            self.narrow = narrow
            if self._shown:
                self.show_answer(*self._shown)

    def _show(
        self, matrix: WordMatrix, request: AttentionRequest, answer: AttentionAnswer, equal: np.ndarray | None
    ) -> None:
        slot, head = matrix.slot, answer.heads[matrix.head]
        numbers = numbers_of(slot.name, request, answer, head)
        rows, columns = self._names(slot, answer, numbers)
        matrix.digits = decimals(numbers) if slot.name == "inputs" else self._digits(slot)
        matrix.caption.setText(matrix_caption(slot.name, request))
        title = matrix_title(slot.name, self.stage)
        matrix.show_values(numbers, rows if slot.named else (), columns, equal, title)
        matrix.mark(request.query - 1 if rows == answer.words else None)
        matrix.hatch(dropped_by(slot.name, head, numbers))
        matrix.container.setVisible(self._belongs(slot.name, request))

    def _digits(self, slot: Slot) -> int:
        return min(slot.digits, FEW) if self.narrow and slot.name in (*SQUARE, "both") else slot.digits

    def _names(self, slot: Slot, answer: AttentionAnswer, numbers: np.ndarray) -> tuple[Sequence[str], Sequence[str]]:
        counted = [str(column + 1) for column in range(numbers.shape[1])]
        if slot.name == "both":
            ways = tr("mask before"), tr("mask after"), tr("not renormalised"), tr("difference")
            return ways, [*(counted[:-1] if self.narrow else answer.words), tr("sum")]
        if slot.name == "context" and self.stage == "heads":
            width = answer.heads[0].context.shape[1]
            return answer.words, [tr("head {number}", number=n // width + 1) for n in range(numbers.shape[1])]
        rows = counted if slot.name.startswith("w_") else answer.words
        return rows, answer.words if slot.name in SQUARE and slot.spelled and not self.narrow else counted

    def _belongs(self, name: str, request: AttentionRequest) -> bool:
        lanes = {each for lane in LANES.values() for each in lane}
        if self.stage != "mask" or name not in lanes:
            return True
        return name in LANES[request.mask] and (name != "after" or request.renormalise)

    def _head(self, line: int) -> int:
        return line - 1 if self.stage == "heads" and line else 0

    def _place(self, slot: Slot, head: int) -> QWidget:
        matrix = WordMatrix(slot, head, self.stage)
        matrix.explain = lambda cell: self._explanation(matrix, cell).words
        matrix.pointed.connect(lambda cell: self._light(matrix, cell))
        self.matrices.append(matrix)
        return matrix.container

    def _source(self, matrix: WordMatrix, cell: Cell) -> tuple[int, Cell]:
        """Return the head of a cell and the cell within it: the context vectors of all heads are concatenated."""
        if self.stage != "heads" or matrix.slot.name != "context":
            return matrix.head, cell
        head, column = divmod(cell.column, self.matrix("values").values.shape[1])
        return head, Cell(cell.row, column)

    def _explanation(self, matrix: WordMatrix, cell: Cell) -> Explanation:
        head, inside = self._source(matrix, cell)
        return self._arithmetic[head].of(matrix.slot.name, inside)

    def _light(self, matrix: WordMatrix, cell: Cell | None) -> None:
        explanation = self._explanation(matrix, cell) if cell else Explanation("")
        head = self._source(matrix, cell)[0] if cell else matrix.head
        for other in self.matrices:
            other.light(explanation.lit.get(other.slot.name, ()) if other.head == head else ())


def numbers_of(name: str, request: AttentionRequest, answer: AttentionAnswer, head: Head) -> np.ndarray:
    match name:
        case "inputs":
            return answer.inputs
        case "context":
            return answer.context
        case "both":
            rows = np.stack([each[request.query - 1] for each in (head.before, head.after, head.cut)])
            rows = np.concatenate([rows, np.round(rows[1:2] - rows[:1], 4) + 0.0])  # avoids -0
            return np.concatenate([rows, rows.sum(axis=1, keepdims=True)], axis=1)
    numbers: np.ndarray = getattr(head, name)
    return numbers


def dropped_by(name: str, head: Head, numbers: np.ndarray) -> np.ndarray:
    """Return the mask of the numbers that a step removes."""
    if name in ("masked", "cut"):
        return np.triu(np.ones(numbers.shape, dtype=bool), k=1)
    if name == "dropped":
        return np.asarray((head.weights != 0) & (head.dropped == 0))
    return np.zeros(numbers.shape, dtype=bool)


LINKS = {
    "x_i": ("inputs", "query"), "x_j": ("inputs", "all"), "W_q": ("w_query", "all"), "W_k": ("w_key", "all"),
    "W_v": ("w_value", "all"), "q_i": ("queries", "query"), "k_j": ("keys", "all"), "v_j": ("values", "all"),
    "omega": ("scores", "query"), "scaled": ("scaled", "query"), "masked": ("masked", "query"),
    "before": ("before", "query"), "unmasked": ("unmasked", "query"), "cut": ("cut", "query"),
    "after": ("after", "query"), "alpha": ("weights", "query"), "dropped": ("dropped", "query"),
    "z_i": ("context", "query")}
"""Matrix of each symbol, and the rows that it refers to: the row of the query, i, or all."""
WAYS = ("before", "after", "cut")  # symbols of the rows that compare the two positions of the mask
OF_WAYS: dict[str, tuple[str, ...]] = {
    "before": ("attention_masked", "attention_before"), "after": ("attention_after",), "none": ()}
"""Formulas added by each position of the mask."""


def formulas() -> dict[Stage, list[Formula]]:
    return {
        "products": [
            Formula("attention_score", r"\sym{omega}{\omega_{ij}} = \sym{x_i}{x_i} \cdot \sym{x_j}{x_j}",
                    tr("The score of words i and j is the dot product of their vectors.")),
            Formula("attention_softmax",
                    r"\sym{alpha}{\alpha_{ij}} = \frac{e^{\sym{omega}{\omega_{ij}}}}{\sum_k e^{\omega_{ik}}}",
                    tr("The weights are the softmax of the row of scores.")),
            Formula("attention_context", r"\sym{z_i}{z_i} = \sum_j \sym{alpha}{\alpha_{ij}} \, \sym{x_j}{x_j}",
                    tr("The context vector of word i is the sum of all words' vectors times their weights."))],
        "weights": [
            Formula("attention_query", r"\sym{q_i}{q_i} = \sym{x_i}{x_i} \, \sym{W_q}{W_q}",
                    tr("The query of word i is its vector times the matrix W query.")),
            Formula("attention_key_value",
                    r"\sym{k_j}{k_j} = \sym{x_j}{x_j} \, \sym{W_k}{W_k} \quad \sym{v_j}{v_j} = x_j \, \sym{W_v}{W_v}",
                    tr("Keys and values are computed in the same way, each with its own matrix.")),
            Formula("attention_scaled", r"\sym{omega}{\omega_{ij}} = \sym{q_i}{q_i} \cdot \sym{k_j}{k_j}",
                    tr("The score of words i and j is the dot product of query i and key j.")),
            Formula("attention_weights",
                    r"\sym{alpha}{\alpha_{i}} = "
                    r"\mathrm{softmax}\left(\sym{scaled}{\frac{\omega_{i}}{\sqrt{d_k}}}\right)",
                    tr("The weights are the softmax of the scores divided by the square root of d k.")),
            Formula("attention_mixed", r"\sym{z_i}{z_i} = \sum_j \sym{alpha}{\alpha_{ij}} \, \sym{v_j}{v_j}",
                    tr("The context vector of word i is the sum of all values times their weights."))],
        "mask": [
            Formula("attention_masked", r"\sym{masked}{\omega_{ij}} = -\infty \quad (j > i)",
                    tr("The scores of later words become minus infinity.")),
            Formula("attention_before", r"\sym{before}{\alpha_{i}} = \mathrm{softmax}(\sym{masked}{\omega_{i}})",
                    tr("The weights are the softmax of the masked scores.")),
            Formula("attention_after",
                    r"\sym{after}{\alpha_{ij}} = "
                    r"\frac{\sym{unmasked}{\sigma_{ij}}}{\sum_{k \leq i} \sym{cut}{\sigma_{ik}}}",
                    tr("With the mask after the softmax, each weight is divided by the sum of the remaining weights in "
                       "its row.")),
            Formula("attention_masked_context", r"\sym{z_i}{z_i} = \sum_j \alpha_{ij} \, \sym{v_j}{v_j}",
                    tr("The context vector of word i is the sum of all values times their weights."))],
        "dropout": [
            Formula("attention_dropped", r"\sym{dropped}{a_{ij}} = \frac{\sym{alpha}{\alpha_{ij}}}{1 - p}",
                    tr("Weights that are not dropped are divided by one minus the rate p.")),
            Formula("attention_dropped_context", r"\sym{z_i}{z_i} = \sum_j \sym{dropped}{a_{ij}} \, \sym{v_j}{v_j}",
                    tr("The context vector of word i is the sum of all values times their weights after dropout."))],
        "heads": [
            Formula("attention_head", r"z_i^{h} = \sum_j \sym{dropped}{\alpha_{ij}^{h}} \, \sym{v_j}{v_j^{h}}",
                    tr("Each head h computes its own context vector.")),
            Formula("attention_heads", r"\sym{z_i}{z_i} = [\, z_i^{1} ,\, z_i^{2} ,\, \ldots \,]",
                    tr("The context vectors of all heads are concatenated."))]}


ADDED: dict[Stage, tuple[str, ...]] = {
    "products": ("words", "query"), "weights": ("d_out", "drawn", "seed", "scale"), "mask": ("mask", "renormalise"),
    "dropout": ("rate", "drop_seed"), "heads": ("heads",)}
"""Fields that have an effect from a stage on."""
NEW = 0.5  # initial value in a new word's row
PRINTED: dict[Stage, dict[str, tuple[str, str]]] = {
    "products": {
        "inputs": ("attention", "inputs_6x3"), "scores": ("book", "attn_scores"),
        "weights": ("book", "attn_weights"), "context": ("book", "all_context_vecs")},
    "weights": {"w_query": ("book", "W_query"), "context": ("attention", "self_attention_linear_seed_789_d_out_2")},
    "mask": {"context": ("attention", "causal_seed_123_d_out_2_no_dropout")},
    "dropout": {},
    "heads": {"context": ("attention", "two_head_wrapper_seed_123")}}
"""Printed reference of each matrix that is compared with one."""


class Page(LabPage[AttentionRequest, AttentionAnswer | None]):
    """Page of the attention lab. One stage is shown at a time, and only its fields can be edited."""

    def text(self) -> Sequence[QWidget | str]:
        self.story = label(wrap=True, name="attention_story")
        self.formulas = formulas()
        return [self.story, *(formula for each in self.formulas.values() for formula in each)]

    def make_stage(self) -> QWidget:
        stages = {"products": tr("Dot products"), "weights": tr("Weights"), "mask": tr("Mask"),
                  "dropout": tr("Dropout"), "heads": tr("Heads")}
        self.segments = self.choice_of("stage", "attention_stage", stages, tr(
            "Steps from the input to the context vectors; each uses the result of the one before"), self._go_to)
        self.summary = self.sentence("attention_summary", lambda answer: summary(self.request, answer))
        self.problem = self.controls.problem_of("inputs")
        self.boards: dict[Stage, AttentionMatrices] = {}
        self._room = vbox(self.segments, self.summary, self.problem, spacing=8)
        return with_layout(HeightForWidth(), self._room)

    def board(self, stage: Stage) -> AttentionMatrices:
        """Return the matrices of a stage, created when they are first needed."""
        if stage not in self.boards:
            made = self.boards[stage] = AttentionMatrices(stage)
            for matrix in made.matrices:
                matrix.edited.connect(partial(self.update_number, "inputs"))
                matrix.chosen.connect(lambda row: self.update_request(query=row + 1))
                self.links.watch(matrix)
                self._link(matrix.slot.name, matrix)
            self._room.addWidget(made, 1)
        return self.boards[stage]

    def update_request(self, **changes: Any) -> None:
        """Change the request; a change in the number of words changes the number of input rows accordingly."""
        count = len(str(changes.get("words", "")).split())
        asked = len(self._values["inputs"])
        if "words" in changes and "inputs" not in changes and 1 <= count <= MOST_WORDS and count != asked:
            rows = self.request.inputs[:count]
            changes["inputs"] = (*rows, *((NEW,) * len(rows[0]),) * (count - len(rows)))
        super().update_request(**changes)

    def show_answer(self, answer: AttentionAnswer) -> None:
        stage = self.request.stage
        self.story.setText(story(stage))
        self.board(stage).show_answer(self.request, answer, self._equal())
        for each, board in self.boards.items():
            board.setVisible(each == stage)
        for each, shown in self.formulas.items():
            for formula in shown:
                formula.setVisible(each == stage and formula.objectName() not in self._of_other_ways())
        for name, editor in self.controls.editors.items():
            editor.setVisible(self._matters(name))

    def _link(self, name: str, matrix: WordMatrix) -> None:
        """Link the symbols of a matrix to the row of the query or to the whole matrix."""

        def of_the_query(cell: Cell | None) -> list[Cell]:
            return row_of(matrix, cell.row if cell else self.request.query - 1)

        for key, (linked, rows) in LINKS.items():
            if linked == name:
                self.links.add(key, matrix, of_the_query if rows == "query" else None)
        for row, key in enumerate(WAYS if name == "both" else ()):
            self.links.add(key, matrix, partial(_row, matrix, row))

    def _go_to(self, stage: Stage) -> None:
        """Switch to a stage, with the book's numbers of that stage unless the user has changed something."""
        own = [example.name for example in self.lab.examples if cast(AttentionRequest, example.request).stage == stage]
        if own and any(example.request.but(stage=self.request.stage) == self.request for example in self.lab.examples):
            self.open_example(own[-1])
        else:
            self.update_request(stage=stage)

    def _matters(self, name: str) -> bool:
        """Return whether a field has an effect in this stage."""
        added = next(stage for stage, names in ADDED.items() if name in names)
        return self.request.reaches(added) and (name != "renormalise" or self.request.mask == "after")

    def _of_other_ways(self) -> set[str]:
        """Return the names of the formulas of the other positions of the mask."""
        shown = OF_WAYS[self.request.mask] if self.request.mask != "after" or self.request.renormalise else ()
        return {name for names in OF_WAYS.values() for name in names} - set(shown)

    def _equal(self) -> dict[str, np.ndarray]:
        found = {name: self.printed(*place) for name, place in PRINTED[self.request.stage].items()}
        return {name: equal for name, equal in found.items() if equal is not None}


def _row(matrix: WordMatrix, row: int, _cell: Cell | None) -> list[Cell]:
    return row_of(matrix, row)
