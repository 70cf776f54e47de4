"""Page of the block lab: the steps of a token's computation as expandable boxes, and the logits of both models."""

from __future__ import annotations

import re
from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import partial

import numpy as np
from PySide6.QtCore import QPointF, QRect, QRectF, QSize, Qt, Signal
from PySide6.QtGui import QKeyEvent, QPainter, QPen, QPolygonF
from PySide6.QtWidgets import QGridLayout, QLineEdit, QSizePolicy, QWidget

from gptstudio.gpt.config import PRESETS
from gptstudio.gui.canvas.canvas import Cell, CellCanvas
from gptstudio.gui.canvas.writing import RIGHT, heading, rounded, write
from gptstudio.gui.learn.kit import LabPage, quiet_button
from gptstudio.gui.theme import colour
from gptstudio.gui.translation import joined, tr
from gptstudio.gui.widgets.layouts import Flow, in_column
from gptstudio.gui.widgets.parts import label, named
from gptstudio.labs.block import ENDS, FIRST_BLOCK, MODEL, PLACEHOLDER, SHAPES, BlockAnswer, BlockRequest, TraceStep
from gptstudio.labs.sizes import FOUR, LABELS, ModelShape

BLOCKS = "blocks"  # path of the line for all blocks after the first
IDS = "ids"
LAST_OF_BLOCK = f"{FIRST_BLOCK}:after_feed_forward"


@dataclass(frozen=True)
class StepLine:
    """Displayed step; for several equal ones, a step with all their parameters."""

    step: TraceStep
    level: int = 0  # nesting depth
    open: bool = False  # whether the steps inside it are shown
    placeholder: TraceStep | None = None  # the placeholder's corresponding step, if any
    times: int = 1  # number of consecutive equal steps

    @property
    def key(self) -> str:
        """Key of the line's texts."""
        return re.split(r"[.:]", self.step.path.removeprefix(FIRST_BLOCK + ".").replace("ff.layers.", "ff_"))[-1]

    @property
    def of_one(self) -> tuple[int, ...]:
        """Shape of one token's part, without the batch and token dimensions."""
        shape = self.step.shape
        if len(shape) == 4:
            return (shape[1], shape[3])  # (B, H, T, X)
        return shape[-1:] if self.step.path != IDS else (1,)


def lines(answer: BlockAnswer, open: Collection[str]) -> list[StepLine]:
    """Return the lines that are visible while these steps are expanded."""
    placeholder, first, more = answer.placeholder.paths(), answer.model.paths()[FIRST_BLOCK], answer.blocks - 1
    found = [StepLine(TraceStep(IDS, answer.ids.shape))]
    for line in _below(answer.model, 0, open, placeholder):
        found.append(line)
        if more and line.step.path == (LAST_OF_BLOCK if FIRST_BLOCK in open else FIRST_BLOCK):  # all are like the first
            others = TraceStep(BLOCKS, first.shape, more * first.parameters)
            found.append(StepLine(others, placeholder=placeholder[FIRST_BLOCK], times=more))
    return found


def _below(
    step: TraceStep, level: int, open: Collection[str], placeholder: Mapping[str, TraceStep]
) -> Iterator[StepLine]:
    for inner in step.steps:
        yield StepLine(inner, level, inner.path in open, placeholder.get(inner.path))
        if inner.path in open:
            yield from _below(inner, level + 1, open, placeholder)


def title(line: StepLine) -> str:
    if line.step.path == BLOCKS:
        return tr("Block 2") if line.times == 1 else tr("Blocks 2 to {last}", last=line.times + 1)
    return {
        IDS: tr("Token IDs"), "tok_emb": tr("Token embedding"), "pos_emb": tr("Position embedding"),
        "sum": tr("Sum of both"), "drop_emb": tr("Dropout"), "0": tr("Block 1"),
        "norm1": tr("LayerNorm"), "norm2": tr("LayerNorm"), "att": tr("Attention"), "ff": tr("Feed-forward network"),
        "W_query": tr("Queries"), "W_key": tr("Keys"), "W_value": tr("Values"),
        "query_heads": tr("Queries, split into heads"), "key_heads": tr("Keys, split into heads"),
        "value_heads": tr("Values, split into heads"), "scores": tr("Scores: queries times keys"),
        "masked": tr("Causal mask"), "weights": tr("Softmax: attention weights"), "dropout": tr("Dropout"),
        "context": tr("Context vectors: weights times values"), "heads_joined": tr("Heads concatenated"),
        "out_proj": tr("Output projection"), "drop_shortcut": tr("Dropout"),
        "after_attention": tr("+ shortcut"), "after_feed_forward": tr("+ shortcut"),
        "ff_0": tr("Linear, 4 × the width"), "ff_1": tr("GELU"), "ff_2": tr("Linear, back to the width"),
        "final_norm": tr("LayerNorm"), "out_head": tr("Output layer: logits")}[line.key]


def description(line: StepLine) -> str:
    return {
        IDS: tr("The texts as token IDs, one row per text."),
        BLOCKS: tr("Same structure as block 1, with separate weights."),
        "tok_emb": tr("Each ID selects its row of the matrix."),
        "pos_emb": tr("Each position selects its row; all texts share these rows."),
        "sum": tr("Which token it is, plus its position."),
        "0": tr("Attention, then the feed-forward network; the output has the shape of the input."),
        "norm1": tr("Scales each token's numbers to mean 0 and variance 1."),
        "norm2": tr("Scales each token's numbers to mean 0 and variance 1."),
        "final_norm": tr("Scales each token's numbers to mean 0 and variance 1 one last time."),
        "att": tr("The only step where tokens see each other."),
        "ff": tr("Processes each token separately."),
        "W_query": tr("What each token looks for."), "W_key": tr("What each token offers."),
        "W_value": tr("What each token passes on."),
        "scores": tr("How well each query matches each key: a square matrix of tokens for each head."),
        "masked": tr("The scores of later tokens become −∞."),
        "weights": tr("Each row becomes weights that sum to 1."),
        "context": tr("The sum of the values, each times its weight."),
        "out_proj": tr("Combines what the heads have found."),
        "after_attention": tr("Adds the input of the first LayerNorm."),
        "after_feed_forward": tr("Adds the input of the second LayerNorm."),
        "ff_1": tr("Applied to each number: negative numbers become almost 0."),
        "out_head": tr("One logit for each token of the vocabulary: how well it would fit as the next token."),
    }.get(line.key, "")


def counted(line: StepLine) -> str:
    """Return the computation of a step's parameter count; empty if it has none."""
    step = line.step
    if step.path == BLOCKS and line.times > 1:
        return f"{line.times} × {step.parameters // line.times:,} = {step.parameters:,}"
    if step.path == BLOCKS or not step.parameters:
        return ""
    own = [times(shape) for shape in step.weights.values()]
    terms = own or [f"{inner.parameters:,}" for inner in step.steps if inner.parameters]
    return f"{' + '.join(terms)} = {step.parameters:,}"


def times(numbers: Iterable[int]) -> str:
    """Return a product as text: '12 × 64'."""
    return " × ".join(f"{n:,}" for n in numbers)


def shown_shape(shape: tuple[int, ...]) -> str:
    return f"({', '.join(f'{n:,}' for n in shape)})"


WIDEST = 62  # maximum width in line heights: figures belong near their names
ALL, FEW = (0, 1, 2, 3), (0, 2)  # all columns, and the ones in narrow widgets; the tooltip has the rest
HEIGHT, GAP, INDENT, GUTTER = 1.5, 0.22, 1.2, 1.0
"""Height of a box, gap between two boxes, indent of each level, and space for the shortcuts on the left; in line
heights."""
BETWEEN = 0.9  # gap before the figures of a column, in line heights
SHORTCUTS = {"after_attention": "norm1", "after_feed_forward": "norm2"}
"""Ends of the shortcut connections, and the steps before which they branch off."""


class StepColumn(CellCanvas):
    """Column of the steps of a model. A cell is (line, 0). Emits the path of a step to expand or collapse."""

    toggled = Signal(str)

    def __init__(self, name: str, accessible: str) -> None:
        super().__init__(name, accessible)
        self.lines: Sequence[StepLine] = ()
        self._measure()
        self.setSizePolicy(QSizePolicy.Policy.Expanding, QSizePolicy.Policy.Fixed)

    def show_lines(self, lines: Sequence[StepLine]) -> None:
        self.lines = lines
        self.remeasure()

    def items(self) -> dict[Cell, QRectF]:
        letter = self.fontMetrics().height()
        step = (HEIGHT + GAP) * letter
        found = {}
        for number, line in enumerate(self.lines):
            left = (GUTTER + line.level * INDENT) * letter
            found[Cell(number, 0)] = QRectF(left, (number + 1) * step, self._right() - left, HEIGHT * letter)
        return found

    def keyPressEvent(self, event: QKeyEvent) -> None:
        wanted = {Qt.Key.Key_Right: False, Qt.Key.Key_Left: True}.get(Qt.Key(event.key()))
        if self.cell and wanted is not None and self.lines[self.cell.row].open == wanted:
            self.activate(self.cell)
        else:
            super().keyPressEvent(event)

    def activate(self, cell: Cell) -> bool:
        if self.lines[cell.row].step.steps:
            self.toggled.emit(self.lines[cell.row].step.path)
        return True

    def table(self) -> Sequence[Sequence[str]]:
        return [(title(line), *_texts(line)) for line in self.lines]

    def paint(self, painter: QPainter, _region: QRect) -> None:
        high = (HEIGHT + GAP) * self.fontMetrics().height()
        for column, (left, right) in self._columns().items():
            write(painter, QRectF(left, 0, right - left, high), _heads()[column], RIGHT, "muted")
        boxes = self.items()
        for cell, box in boxes.items():
            self._paint_line(painter, self.lines[cell.row], cell, box)
        self._paint_shortcuts(painter, [boxes[Cell(number, 0)] for number in range(len(self.lines))])

    def _right(self) -> float:
        return min(self.width(), WIDEST * self.fontMetrics().height()) - 1.0

    def _columns(self) -> dict[int, tuple[float, float]]:
        """Return the left and right edges of the visible columns."""
        shown = ALL if self._needed(ALL) <= self.width() else FEW
        right, found = self._right() - 0.6 * self.fontMetrics().height(), {}
        for column in reversed(shown):
            left = right - self._widths[column]
            found[column] = (left, right)
            right = left
        return found

    def _measure(self) -> None:
        letter, wide = self.fontMetrics().height(), self.fontMetrics().horizontalAdvance
        texts = [_heads(), *map(_texts, self.lines)]
        self._widths = [max(map(wide, column)) + BETWEEN * letter for column in zip(*texts, strict=True)]
        self._names = max((
            1.08 * wide("▸ " + title(line)) + (GUTTER + line.level * INDENT + 1) * letter for line in self.lines
        ), default=0.0)

    def _needed(self, columns: Sequence[int]) -> int:
        """Return the width of the names and of these columns."""
        return round(self._names + sum(self._widths[column] for column in columns))

    def remeasure(self) -> None:
        self._measure()
        super().remeasure()

    def _paint_line(self, painter: QPainter, line: StepLine, cell: Cell, box: QRectF) -> None:
        letter = self.fontMetrics().height()
        learned, here = line.step.parameters > 0, cell == self.cell
        edge = colour("text") if here else colour("accent", 0.7) if learned else colour("line")
        rounded(painter, box, 5, colour("accent", 0.16 if here else 0.05 if learned else 0.0),
                QPen(edge, 1.5 if learned or here else 1))
        sign = "" if not line.step.steps else "▾ " if line.open else "▸ "
        painter.setFont(heading(self.font()) if learned else self.font())
        write(painter, box.adjusted(0.5 * letter, 0, 0, 0), sign + title(line))
        painter.setFont(self.font())
        texts = _texts(line)
        for column, (left, right) in self._columns().items():
            place = QRectF(left, box.top(), right - left, box.height())
            write(painter, place, texts[column], RIGHT, "muted" if texts[column] in ("–", "0") else "text")

    def _paint_shortcuts(self, painter: QPainter, boxes: Sequence[QRectF]) -> None:
        """Draw the shortcuts to the left of the boxes, from before a normalization to the addition."""
        keys, letter = {line.key: number for number, line in enumerate(self.lines)}, self.fontMetrics().height()
        painter.setPen(QPen(colour("validation"), 2))
        for end, begin in SHORTCUTS.items():
            if end not in keys or begin not in keys:
                continue
            start, stop = boxes[keys[begin]], boxes[keys[end]]
            out, x = start.top() - GAP * letter / 2, start.left() - 0.7 * letter
            target = QPointF(stop.left(), stop.center().y())
            painter.setBrush(Qt.BrushStyle.NoBrush)
            painter.drawPolyline(QPolygonF([
                QPointF(start.left() + 2, out), QPointF(x, out), QPointF(x, target.y()), target]))
            tip = 0.28 * letter
            painter.setBrush(colour("validation"))
            back, up = QPointF(-tip, 0), QPointF(0, tip / 1.5)
            painter.drawPolygon(QPolygonF([target, target + back - up, target + back + up]))

    def minimumSizeHint(self) -> QSize:
        lines = (len(self.lines) + 1) * (HEIGHT + GAP)
        return QSize(self._needed(FEW), round(lines * self.fontMetrics().height() + 2))


def _heads() -> tuple[str, str, str, str]:
    return tr("shape"), tr("one token"), tr("parameters"), tr("placeholder")


def _texts(line: StepLine) -> tuple[str, str, str, str]:
    """Return the shape, one token's part, the parameters, and the placeholder's parameters."""
    dummy = line.placeholder
    parameters = f"{dummy.parameters * (line.times if dummy.parameters else 1):,}" if dummy else "–"
    return shown_shape(line.step.shape), times(line.of_one), f"{line.step.parameters:,}", parameters


OF_NUMBERS = ("seed", "drop_rate", "norm_shift")  # fields that change logits, but no shapes


class Page(LabPage[BlockRequest, BlockAnswer]):
    """Page of the block lab: two texts, the steps of the model, and the logits on request."""

    def text(self) -> Sequence[QWidget | str]:
        return (
            tr("A batch of texts goes in as token IDs and comes out as logits: at each position, one number for every "
               "token of the vocabulary. The larger the number, the more likely that token comes next."),
            tr("Follow one token down: it becomes a row of numbers, and every block outputs a row of the same length. "
               "Click a step with ▸ to see what is inside."),
            tr("Shapes are (texts, tokens, numbers); inside attention, (texts, heads, tokens, numbers). They are read "
               "from the model itself, which is built here with shapes only, without numbers, so even the largest "
               "model takes no time."),
            tr("Steps with parameters are framed and bold. An orange line is a shortcut connection: it skips a step, "
               "and its input is added to the output."),
            tr("The placeholder is the model the chapter starts with: its blocks and layer normalisations pass their "
               "input on unchanged. All shapes are right from the start; the parts are filled in one by one."))

    def make_stage(self) -> QWidget:
        self._open = {FIRST_BLOCK}
        self.way = StepColumn("block_way", tr("Steps through the model"))
        self.explain(self.way, self._explain)
        self.way.toggled.connect(self._toggle)
        self.compute = self.choice_of("compute", "block_compute", {
            SHAPES: tr("Shapes"), PLACEHOLDER: tr("Logits (placeholder)"), MODEL: tr("Logits (model)")},
            tr("The shapes of all values, or the logits that the book prints"))
        self.logits = self.linked("block_logits", tr("first and last logits of each token"), self._says)
        self.total = self.sentence("block_total", lambda answer: tr(
            "Parameters: {parameters}; placeholder: {placeholder}.", parameters=f"{answer.model.parameters:,}",
            placeholder=f"{answer.placeholder.parameters:,}"), "figure")
        return in_column(QWidget(), self._texts(), self._buttons(), self.compute, self.logits, self.total, self.way,
                         spacing=8)

    def _texts(self) -> QGridLayout:
        self.edits: dict[str, QLineEdit] = {}
        grid = QGridLayout()
        grid.setHorizontalSpacing(8)
        for column, (field, name) in enumerate((("text", tr("Text")), ("other", tr("Second text")))):
            edit = self.edits[field] = named(QLineEdit(getattr(self.request, field)), f"block_{field}", name)
            edit.textEdited.connect(lambda words, field=field: self.update_request(**{field: words}))
            grid.addWidget(edit, 0, column)
            grid.addWidget(self.controls.problem_of(field), 1, column)
        self.edits["other"].setPlaceholderText(tr("Leave empty for one text only"))
        return grid

    def _buttons(self) -> Flow:
        flow = Flow(label(tr("Use the shape of"), "muted"), spacing=4)
        for name in FOUR:
            shape = {field: getattr(PRESETS[name], field) for field in ModelShape.model_fields if field != "qkv_bias"}
            tip = tr("Use the shape of {model}", model=LABELS[name])
            flow.addWidget(quiet_button(LABELS[name], f"block_{name}", tip, partial(self.update_request, **shape)))
        return flow

    def open_example(self, name: str) -> None:
        """Open an example with only the first block expanded, as initially."""
        self._open = {FIRST_BLOCK}
        super().open_example(name)

    def show_answer(self, answer: BlockAnswer) -> None:
        for field, edit in self.edits.items():
            if edit.text() != self._values[field]:  # do not overwrite text that is being edited
                edit.setText(self._values[field])
        for name in OF_NUMBERS:
            self.controls.editors[name].setVisible(answer.computed != SHAPES)
        self.way.show_lines(lines(answer, self._open))
        self._show_logits(answer)

    def _toggle(self, path: str) -> None:
        self._open ^= {path}
        self.way.show_lines(lines(self.answer, self._open))

    def _explain(self, cell: Cell) -> str:
        line = self.way.lines[cell.row]
        head = tr("{step} {shape}.", step=title(line), shape=shown_shape(line.step.shape))
        arithmetic = counted(line)
        one = tr("For one token: {numbers}.", numbers=times(line.of_one))
        parameters = tr("Parameters: {arithmetic}.", arithmetic=arithmetic) if arithmetic else ""
        parts = [head, description(line), one, parameters]
        return joined(" ", *filter(None, parts))

    def _show_logits(self, answer: BlockAnswer) -> None:
        self.logits.setVisible(answer.logits is not None)
        if answer.logits is None:
            return
        size, flat = answer.model.shape[-1], answer.logits.reshape(-1, 2 * ENDS)
        columns = [str(n) for n in (*range(ENDS), *range(size - ENDS, size))]
        pieces = [piece.strip() or piece for row in answer.pieces for piece in row]
        self.logits.show_values(flat, pieces, columns, equal=self._printed(answer))

    def _printed(self, answer: BlockAnswer) -> np.ndarray | None:
        """Return the mask of the logits that equal the book's, or None."""
        equal = np.zeros((*answer.ids.shape, 2 * ENDS), dtype=bool)
        for place, found in self.comparisons.items():
            if found.equal is not None and found.count == 2 * ENDS and found.agrees:
                row, position = map(int, place[-1].removeprefix("logits ").strip("[]").split(","))
                equal[row, position] = True
        return equal.reshape(-1, 2 * ENDS) if equal.any() else None

    def _says(self, cell: Cell) -> str:
        row, position = divmod(cell.row, self.answer.ids.shape[1])
        return tr("After “{text}”, the largest of the {count} logits is for “{next}”.",
                  text="".join(self.answer.pieces[row][: position + 1]), count=f"{self.answer.model.shape[-1]:,}",
                  next=self.answer.next[row][position])
