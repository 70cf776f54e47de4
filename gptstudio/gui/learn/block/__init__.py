"""Block and model: every step on a token's way, to be opened; and the logits of both models."""

from __future__ import annotations

from collections.abc import Sequence
from functools import partial

import numpy as np
from PySide6.QtWidgets import QGridLayout, QLineEdit, QWidget

from gptstudio.gpt.config import PRESETS
from gptstudio.gui.canvas.grid import Cell
from gptstudio.gui.forms.segments import Segments
from gptstudio.gui.learn.block.steps import counted, description, lines, shown_shape, times, title
from gptstudio.gui.learn.block.way import Way
from gptstudio.gui.learn.kit import LabPage, Matrix, quiet_button
from gptstudio.gui.translation import joined, tr
from gptstudio.gui.widgets.flow import Flow
from gptstudio.gui.widgets.layouts import in_column
from gptstudio.gui.widgets.parts import label, named
from gptstudio.labs.block import ENDS, FIRST_BLOCK, MODEL, PLACEHOLDER, SHAPES, BlockAnswer
from gptstudio.labs.sizes import FOUR, LABELS, Shape

COMPUTED = (SHAPES, PLACEHOLDER, MODEL)
OF_NUMBERS = ("seed", "drop_rate", "norm_shift")  # fields that change logits, and no shape


class Page(LabPage):
    """Two texts, the way, and below it the logits if they were asked for."""

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
        self.way = Way("block_way", tr("Steps through the model"))
        self.explain(self.way, self._explain)
        self.way.toggled.connect(self._toggle)
        self.compute = Segments("block_compute", [tr("Shapes"), tr("Logits (placeholder)"), tr("Logits (model)")],
                                tr("The shapes of all values, or the logits that the book prints"))
        self.compute.chosen.connect(lambda index: self.turn(compute=COMPUTED[index]))
        self.logits = Matrix("block_logits", tr("first and last logits of each token"))
        self.logits.explain = self._says
        self.links.watch_matrix(self.logits)
        self.total = label("", "figure", "block_total", wrap=True)
        return in_column(QWidget(), self._texts(), self._buttons(), self.compute, self.logits, self.total, self.way,
                         spacing=8)

    def _texts(self) -> QGridLayout:
        self.edits: dict[str, QLineEdit] = {}
        grid = QGridLayout()
        grid.setHorizontalSpacing(8)
        for column, (field, name) in enumerate((("text", tr("Text")), ("other", tr("Second text")))):
            edit = named(QLineEdit(getattr(self.request, field)), f"block_{field}", name)
            edit.setPlaceholderText(tr("Leave empty for one text only") if field == "other" else "")
            edit.textEdited.connect(lambda words, field=field: self.turn(**{field: words}))
            grid.addWidget(edit, 0, column)
            grid.addWidget(self.controls.problem_of(field), 1, column)
            self.edits[field] = edit
        return grid

    def _buttons(self) -> Flow:
        flow = Flow(label(tr("Use the shape of"), "muted"), spacing=4)
        for name in FOUR:
            shape = {field: getattr(PRESETS[name], field) for field in Shape.model_fields if field != "qkv_bias"}
            tip = tr("Use the shape of {model}", model=LABELS[name])
            flow.addWidget(quiet_button(LABELS[name], f"block_{name}", tip, partial(self.turn, **shape)))
        return flow

    def open_example(self, name: str) -> None:
        """With the first block open, as at the beginning."""
        self._open = {FIRST_BLOCK}
        super().open_example(name)

    def show_answer(self, answer: BlockAnswer) -> None:
        for field, edit in self.edits.items():
            if edit.text() != self._values[field]:  # what is being typed now is not to be typed over
                edit.setText(self._values[field])
        self.compute.choose(COMPUTED.index(answer.computed))
        for name in OF_NUMBERS:
            self.controls.editors[name].setVisible(answer.computed != SHAPES)
        self.total.setText(tr("Parameters: {parameters}; placeholder: {placeholder}.",
                              parameters=f"{answer.model.parameters:,}",
                              placeholder=f"{answer.placeholder.parameters:,}"))
        self.way.show_lines(lines(answer, self._open))
        self._show_logits(answer)

    def _toggle(self, path: str) -> None:
        self._open ^= {path}
        self.way.show_lines(lines(self.answer, self._open))

    def _explain(self, cell: Cell) -> str:
        line = self.way.lines[cell.row]
        head = tr("{step} {shape}.", step=title(line), shape=shown_shape(line.shape))
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
        """Find the logits that equal the book's."""
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
