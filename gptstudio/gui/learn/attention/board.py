"""All matrices of one stage, in the order in which numbers flow through them."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import NamedTuple

import numpy as np
from PySide6.QtCore import QPoint, QRect, Signal
from PySide6.QtGui import QResizeEvent
from PySide6.QtWidgets import QLabel, QWidget

from gptstudio.gui.appearance import follow
from gptstudio.gui.canvas.grid import Cell
from gptstudio.gui.learn.attention import titles
from gptstudio.gui.learn.attention.arithmetic import Arithmetic, Explanation
from gptstudio.gui.learn.attention.word_matrix import WordMatrix
from gptstudio.gui.learn.kit import decimals
from gptstudio.gui.translation import tr
from gptstudio.gui.widgets.flow import Flow
from gptstudio.gui.widgets.layouts import FREE, fill, holding, vbox
from gptstudio.gui.widgets.parts import label, one_control
from gptstudio.gui.widgets.tall import Tall
from gptstudio.labs.attention import AttentionAnswer, AttentionRequest, Head, Stage

MOST_HEADS = 4
SQUARE = ("scores", "scaled", "masked", "before", "unmasked", "cut", "after", "weights", "dropped")
"""(T, T): their columns are words too."""

NARROW, FEW = 47, 2
"""Below so many heights of a letter, squares have so few digits, and their columns numbers: the inputs fit beside one
then, so that both are in sight at once."""


class Slot(NamedTuple):
    """Place of a matrix in a line. Two squares beside each other have space for few digits and short names."""

    name: str
    digits: int = 4
    named: bool = True  # its rows have names: not where those of the one before can be read
    spelled: bool = True  # the columns of a square have the words above them, otherwise their numbers


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
"""Matrices in the lines of each stage; in the last stage, each line but the first is a head."""
LANES = {
    "before": ("masked", "before"), "after": ("scaled", "unmasked", "cut", "after"), "none": ("scaled", "unmasked")}
"""Matrices that the mask stage shows, by kind of masking."""


@dataclass(frozen=True)
class MatrixView:
    """A matrix, the name of what it shows, the head it is of, and the caption above it."""

    slot: Slot
    head: int
    matrix: WordMatrix
    caption: QLabel
    whole: QWidget

    @property
    def name(self) -> str:
        return self.slot.name


class FlowFromTop(Flow):
    """Flow layout in which the widgets of a line are aligned at the top."""

    def setGeometry(self, room: QRect) -> None:
        super().setGeometry(room)
        for line in self._lines(room.width()):
            top = min(item.geometry().top() for item in line)
            for item in line:
                item.setGeometry(QRect(QPoint(item.geometry().left(), top), item.sizeHint()))


class Board(Tall):
    """Matrices of the attention page; emits edits of the inputs, and the word chosen as the query."""

    edited = Signal(int, int, str)
    chosen = Signal(int)

    def __init__(self, stage: Stage) -> None:
        super().__init__()
        self.stage = stage
        self.places: list[MatrixView] = []
        self.narrow = False
        self._shown: tuple[AttentionRequest, AttentionAnswer, Mapping[str, np.ndarray]] | None = None
        self._arithmetic: list[Arithmetic] = []
        self._headings = [label(role="heading") for _ in LINES[stage]]
        self._lines = [
            holding(Tall(), FlowFromTop(*(self._place(slot, self._head(index)) for slot in slots), spacing=12))
            for index, slots in enumerate(LINES[stage])]
        layout = vbox(spacing=8)
        for each in zip(self._headings, self._lines, strict=True):
            fill(layout, *each).addSpacing(6)
        holding(self, fill(layout, FREE))
        follow(self, self._turn)

    def matrix(self, name: str, head: int = 0) -> WordMatrix:
        return next(place.matrix for place in self.places if (place.name, place.head) == (name, head))

    def show_answer(self, request: AttentionRequest, answer: AttentionAnswer, equal: Mapping[str, np.ndarray]) -> None:
        """``equal``: by the name of a matrix, where it agrees with what is printed."""
        self._shown = request, answer, equal
        self._arithmetic = [Arithmetic(request, answer, head) for head in answer.heads]
        for index, (heading, line) in enumerate(zip(self._headings, self._lines, strict=True)):
            used = self._head(index) < len(answer.heads)
            heading.setText(titles.heading(index, request, answer))
            heading.setVisible(used and bool(heading.text()))
            line.setVisible(used)
        for place in self.places:
            if place.head < len(answer.heads):
                self._show(place, request, answer, equal.get(place.name))

    def resizeEvent(self, event: QResizeEvent) -> None:
        super().resizeEvent(event)
        self._turn()

    def _turn(self) -> None:
        narrow = self.width() < NARROW * self.fontMetrics().height()
        if narrow != self.narrow:
            self.narrow = narrow
            if self._shown:
                self.show_answer(*self._shown)

    def _show(
        self, place: MatrixView, request: AttentionRequest, answer: AttentionAnswer, equal: np.ndarray | None) -> None:
        head = answer.heads[place.head]
        numbers = numbers_of(place.name, request, answer, head)
        rows, columns = self._names(place.slot, answer, numbers)
        place.matrix.digits = decimals(numbers) if place.name == "inputs" else self._digits(place.slot)
        place.caption.setText(titles.caption(place.name, request))
        place.matrix.show_values(numbers, rows if place.slot.named else (), columns, equal,
                                 titles.title(place.name, self.stage))
        place.matrix.mark(request.query - 1 if rows == answer.words else None)
        place.matrix.strike(struck_by(place.name, head, numbers))
        place.whole.setVisible(self._belongs(place.name, request))

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
        name = slot.name
        number = f"_{head + 1}" if self.stage == "heads" and name in ("dropped", "values") else ""
        matrix = WordMatrix(f"attention_{self.stage}_{name}{number}", name, editable=name == "inputs",
                            tinted=name != "inputs")
        caption = label(role="muted")
        place = MatrixView(slot, head, matrix, caption,
                           one_control(holding(QWidget(), vbox(caption, matrix, spacing=4))))
        matrix.explain = lambda cell: self._explanation(place, cell).words
        matrix.pointed.connect(lambda cell: self._light(place, cell))
        matrix.chosen.connect(self.chosen)
        if name == "inputs":
            matrix.edited.connect(self.edited)
        self.places.append(place)
        return place.whole

    def _source(self, place: MatrixView, cell: Cell) -> tuple[int, Cell]:
        """The head that a cell is of, and where it is in there: the contexts of all heads stand side by side."""
        if self.stage != "heads" or place.name != "context":
            return place.head, cell
        head, column = divmod(cell.column, self.matrix("values").values.shape[1])
        return head, Cell(cell.row, column)

    def _explanation(self, place: MatrixView, cell: Cell) -> Explanation:
        head, inside = self._source(place, cell)
        return self._arithmetic[head].of(place.name, inside)

    def _light(self, place: MatrixView, cell: Cell | None) -> None:
        explanation = self._explanation(place, cell) if cell else Explanation("")
        head = self._source(place, cell)[0] if cell else place.head
        for other in self.places:
            other.matrix.light(explanation.lit.get(other.name, ()) if other.head == head else ())


def numbers_of(name: str, request: AttentionRequest, answer: AttentionAnswer, head: Head) -> np.ndarray:
    match name:
        case "inputs":
            return answer.inputs
        case "context":
            return answer.context
        case "both":
            rows = np.stack([each[request.query - 1] for each in (head.before, head.after, head.cut)])
            rows = np.concatenate([rows, np.round(rows[1:2] - rows[:1], 4) + 0.0])  # no minus before a zero
            return np.concatenate([rows, rows.sum(axis=1, keepdims=True)], axis=1)
    numbers: np.ndarray = getattr(head, name)
    return numbers


def struck_by(name: str, head: Head, numbers: np.ndarray) -> np.ndarray:
    """Return the mask of the numbers that a step removes."""
    if name in ("masked", "cut"):
        return np.triu(np.ones(numbers.shape, dtype=bool), k=1)
    if name == "dropped":
        return np.asarray((head.weights != 0) & (head.dropped == 0))
    return np.zeros(numbers.shape, dtype=bool)
