"""Page of the data windows lab: a strip of tokens with the windows below it, and a batch of inputs and targets.

The strip shows how often each token is an input, and marks the selected window.
"""

from __future__ import annotations

from bisect import bisect_right
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace
from functools import partial
from typing import Any, cast

import numpy as np
from PySide6.QtCore import QRectF, QSignalBlocker
from PySide6.QtGui import QPainter
from PySide6.QtWidgets import QLayout, QLineEdit, QWidget

from gptstudio.fields import read_list, write_list
from gptstudio.gpt.tokenizer import GPT2
from gptstudio.gui.canvas.canvas import Cell, Swatch
from gptstudio.gui.learn.kit import Formula, LabPage, Stage, across
from gptstudio.gui.learn.page_parts import StepBar
from gptstudio.gui.plots.strip import BAR, Strip, StripBox, paint_bar, paint_ground
from gptstudio.gui.translation import tr
from gptstudio.gui.widgets.layouts import LEFT, TOP, Flow, HeightForWidth, Reflow, grows, vbox, with_layout
from gptstudio.gui.widgets.parts import Notice, label, named
from gptstudio.labs.windows import IDS, OWN, WindowsAnswer, WindowsRequest

MOST = 150  # maximum number of tokens shown
BEFORE = 4  # number of tokens shown before the window if the whole batch does not fit
INPUT, TARGET = "input", "target"
ONCE, AGAIN, ONLY_TARGET, NEVER = "once", "again", "only target", "never"
LOOKS = {
    ONCE: StripBox("", fill=("training", 0.16)), AGAIN: StripBox("", fill=("training", 0.16), hatched=True),
    ONLY_TARGET: StripBox("", edge="validation", ink="muted"),
    NEVER: StripBox("", edge="muted", crossed=True, ink="muted")}
"""Appearance of a token by its use."""
INKS = {INPUT: "training", TARGET: "validation"}


def use_of(answer: WindowsAnswer, token: int) -> str:
    """Return the use of a token in all windows: as input once or repeatedly, only as target, or never."""
    times = int(answer.as_input[token])
    if times:
        return ONCE if times == 1 else AGAIN
    return ONLY_TARGET if answer.as_target[token] else NEVER


def window_at(answer: WindowsAnswer, token: int) -> int:
    """Return the index of the last window that begins at a token or before it."""
    return bisect_right(answer.starts, token) - 1


def _box(answer: WindowsAnswer, token: int) -> StripBox:
    number, count, end = int(answer.ids[token]), int(answer.as_input[token]), answer.start + answer.context
    window = window_at(answer, token)
    begins = answer.starts[window] == token
    return replace(
        LOOKS[use_of(answer, token)], text=GPT2.visible(number),
        below=tr("{id} ×{count}", id=number, count=count) if count > 1 else str(number),
        bars=(INKS[INPUT] if answer.start <= token < end else "", INKS[TARGET] if answer.start < token <= end else ""),
        flag=str(window) if begins else "", strong=begins and window == answer.window)


def window_swatch(kind: str) -> Swatch:
    """Return a sample of the strip's signs, for the legend."""
    def paint(painter: QPainter, room: QRectF, _letter: int) -> None:
        place = room.adjusted(1, 2, -1, -2)
        if kind in INKS:
            bar = QRectF(place.left(), place.center().y() - BAR / 2, place.width(), BAR)
            paint_bar(painter, bar, INKS[kind], gaps=kind == TARGET)
        else:
            paint_ground(painter, LOOKS[kind], place)

    return Swatch(paint, 1.6, 1)


def shown_tokens(answer: WindowsAnswer) -> tuple[int, int]:
    """Return the range of tokens to show: the tokens of the batch, or at least of its selected window."""
    rows = len(answer.inputs)
    begin = int(answer.starts[answer.first])
    last = answer.first + rows
    end = int(answer.starts[last]) + 1 if last < len(answer.starts) else answer.tokens
    end = max(end, int(answer.starts[last - 1]) + answer.context + 1)
    if end > begin + MOST and answer.start + answer.context + 1 > begin + MOST:
        begin = max(0, answer.start - BEFORE)
    return begin, min(end, begin + MOST, answer.tokens)


PRINTED = {"inputs": ("batch_8x4_stride_4_inputs", 0), "targets": ("batch_8x4_stride_4_targets", 1)}
PAIR = ("the_verdict", "first_pair_max_length_4_stride_1")


class Page(LabPage[WindowsRequest, WindowsAnswer]):
    """Page of the data windows lab, about one window: the strip, the batch that contains it, and the formulas."""

    def text(self) -> Sequence[QWidget | str]:
        return (
            tr("Nobody has to label the data: the text itself gives the answers. A window over the tokens is the "
               "input; the same window moved one token further is the target. At each position, the model has to "
               "predict the next token."),
            Formula(
                "lab_windows_formula", r"\sym{x}{x_k} = t_{kS},\, \ldots,\, t_{kS+T-1}",
                tr("The input of window k: T tokens, starting at token k times the stride S.")),
            Formula(
                "lab_windows_formula_targets", r"\sym{y}{y_k} = t_{kS+1},\, \ldots,\, t_{kS+T}",
                tr("The target of window k: T tokens, starting one token later.")),
            tr("Here t are the tokens of the text, counted from 0, and k counts the windows. The context T is the "
               "length of a window; the stride S is how far the window moves each time. With a stride smaller than the "
               "context, windows overlap; with a larger one, tokens are skipped."))

    def make_stage(self) -> QWidget:
        self.choice = self.choice_of("text", "lab_windows_text", {
            "verdict": tr("The Verdict"), "story": tr("The Late Bell"), OWN: tr("Your own text"), IDS: tr("IDs")},
            tr("The text that the windows are cut from"))
        self.own = self.text_editor("own", tr("Your own text"))
        self.ids = named(QLineEdit(), "lab_windows_ids", tr("Token IDs"))
        self.ids.textChanged.connect(lambda text: self.update_request(ids=read_list("ints", text)))
        self.missing = Notice("lab_windows_missing", "notice")
        self.show_in_stage.append(self._show_editors)
        self.steps = StepBar("lab_windows_window", tr("Window"), tr("Previous window"), tr("Next window"),
                             lambda window: self.update_request(window=window))
        self.strip, self.first = Strip("lab_windows_strip", tr("Tokens and the windows over them")), 0
        self.strip.chosen.connect(lambda index: self.update_request(window=window_at(self.answer, self.first + index)))
        self.strip.pointed.connect(self._token_pointed)
        self.explain(self.strip, lambda index: self._words_of(self.first + index))
        self.counted = label(name="lab_windows_counted", wrap=True)
        self.inputs = self.linked("lab_windows_inputs", tr("inputs"), partial(self._words_of_cell, 0), digits=0)
        self.targets = self.linked("lab_windows_targets", tr("targets"), partial(self._words_of_cell, 1), digits=0)
        for ahead, matrix in enumerate((self.inputs, self.targets)):
            matrix.pointed.connect(partial(self._cell_pointed, ahead))
        self.links.add("x", self.inputs, self._row)
        self.links.add("y", self.targets, self._row)
        problems = map(self.controls.problem_of, ("own", "ids"))
        inside = Reflow(self.inputs, self.targets, spacing=24)
        cast(QLayout, inside.layout()).setAlignment(LEFT | TOP)
        area = Stage(inside, "lab_windows_batch")
        area.set_scrolled_by_page(True)
        return with_layout(HeightForWidth(), vbox(
            self.choice, self.own, self.ids, *problems, self.missing, self.steps, self.strip, self._legend(),
            self.counted, grows(area)))

    def show_answer(self, answer: WindowsAnswer) -> None:
        self.missing.setText(tr(answer.missing))
        self.steps.show_step(answer.window, len(answer.starts) - 1, self._title(answer))
        self.first, end = shown_tokens(answer)
        self.strip.show_boxes([_box(answer, token) for token in range(self.first, end)])
        self.counted.setText(self._counts(answer))
        windows = range(answer.first, answer.first + len(answer.inputs))
        rows = [
            tr("▸ window {k}", k=window) if window == answer.window else tr("window {k}", k=window)
            for window in windows]
        self.inputs.show_values(answer.inputs, rows, equal=self._equal("inputs"))
        self.targets.show_values(answer.targets, rows, equal=self._equal("targets"))

    def _token_pointed(self, index: int | None) -> None:
        token = None if index is None else self.first + index
        self.inputs.light(self._cells_of(token, 0))
        self.targets.light(self._cells_of(token, 1))

    def _cell_pointed(self, ahead: int, cell: Cell | None) -> None:
        index = self._token(cell, ahead) - self.first if cell else -1
        self.strip.light(frozenset({index}) if 0 <= index < len(self.strip.texts) else frozenset())

    def _token(self, cell: Cell, ahead: int) -> int:
        """Return the position in the text of the token in a cell."""
        return int(self.answer.starts[self.answer.first + cell.row]) + cell.column + ahead

    def _cells_of(self, token: int | None, ahead: int) -> Iterator[Cell]:
        if token is not None:
            starts = self.answer.starts[self.answer.first : self.answer.first + len(self.answer.inputs)]
            for row, start in enumerate(starts.tolist()):
                if 0 <= token - ahead - start < self.answer.context:
                    yield Cell(row, token - ahead - start)

    def _row(self, cell: Cell | None) -> list[Cell]:
        """Return the cells of the window to which a cell belongs, or of the selected window."""
        row = cell.row if cell else self.answer.window - self.answer.first
        return across(row, self.answer.context)

    def _equal(self, name: str) -> np.ndarray | None:
        """Return the mask of the numbers that equal the printed ones, or None."""
        key, row = PRINTED[name]
        for place in (("the_verdict", key), ("book", name)):
            if (equal := self.printed(*place)) is not None:
                return equal
        pair = self.printed(*PAIR)
        return pair[row : row + 1] if pair is not None and len(self.answer.inputs) == 1 else None

    def _words_of(self, token: int) -> str:
        answer = self.answer
        return tr("Token {n}: “{piece}”, ID {id}. Over all windows, {inputs} × as input and {targets} × as target.",
                  n=f"{token:,}", piece=GPT2.visible(int(answer.ids[token])), id=int(answer.ids[token]),
                  inputs=int(answer.as_input[token]), targets=int(answer.as_target[token]))

    def _words_of_cell(self, ahead: int, cell: Cell) -> str:
        window, row = self.answer.first + cell.row, cell.row
        seen = GPT2.decode(self.answer.inputs[row, : cell.column + 1].tolist()[-8:])
        wanted = GPT2.visible(int(self.answer.targets[row, cell.column]))
        start, place = int(self.answer.starts[window]), self._token(cell, ahead)
        if ahead:
            return tr("Window {k}: after “{seen}” comes “{wanted}”, token {start} + {column} + 1 = {place}.", k=window,
                      seen=seen, wanted=wanted, start=start, column=cell.column, place=place)
        return tr("Window {k}: token {start} + {column} = {place}, “{piece}”. The model sees “{seen}”.", k=window,
                  start=start, column=cell.column, place=place, seen=seen,
                  piece=GPT2.visible(int(self.answer.inputs[row, cell.column])))

    def _title(self, answer: WindowsAnswer) -> str:
        values = {"k": f"{answer.window:,}", "last": f"{len(answer.starts) - 1:,}", "batch": f"{answer.batch:,}"}
        if answer.dropped:
            return tr("Window {k} (0 to {last}), in batch {batch}, which is dropped", **values)
        return tr("Window {k} (0 to {last}), in batch {batch}", **values)

    def _counts(self, answer: WindowsAnswer) -> str:
        counted = tr("Tokens: {tokens}  ·  windows: {windows}  ·  batches: {batches}  ·  windows left over: {dropped}",
                     tokens=f"{answer.tokens:,}", windows=f"{len(answer.starts):,}", batches=f"{answer.batches:,}",
                     dropped=len(answer.starts) - answer.used)
        seen = tr("Tokens used as input: {inputs}  ·  more than once: {repeated}  ·  in no window: {skipped}",
                  inputs=f"{int((answer.as_input > 0).sum()):,}", repeated=f"{answer.repeated:,}",
                  skipped=f"{answer.skipped:,}")
        above = tr("Shown above: tokens {first} to {last}", first=f"{self.first:,}",
                   last=f"{self.first + len(self.strip.texts) - 1:,}")
        return "\n".join((above, counted, seen))

    def _show_editors(self, values: Mapping[str, Any]) -> None:
        """Show the editor of the user's own text or IDs if it is chosen."""
        self.own.setVisible(values["text"] == OWN)
        self.ids.setVisible(values["text"] == IDS)
        if values["ids"] != read_list("ints", self.ids.text()):
            with QSignalBlocker(self.ids):
                self.ids.setText(write_list(values["ids"]))

    def _legend(self) -> Flow:
        return Flow(*((window_swatch(kind), label(words, "muted")) for kind, words in (
            (INPUT, tr("this window's input")), (TARGET, tr("this window's target")), (ONCE, tr("input once")),
            (AGAIN, tr("input more than once")), (ONLY_TARGET, tr("target only")), (NEVER, tr("in no window")))),
            spacing=8)

    def fit_stage(self) -> None:
        super().fit_stage()
        self.own.ensurePolished()
        self.own.setFixedHeight(2 * self.own.fontMetrics().lineSpacing() + 14)
