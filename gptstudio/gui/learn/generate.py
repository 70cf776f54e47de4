"""Page of the greedy decoding lab: the model input, the largest logits, and the appended token, step by step."""

from __future__ import annotations

import math
from collections.abc import Sequence

import numpy as np
from PySide6.QtWidgets import QWidget

from gptstudio.gpt.tokenizer import GPT2
from gptstudio.gui.canvas.canvas import Cell
from gptstudio.gui.learn.kit import MINUS, Formula, LabPage, across, fixed, lights
from gptstudio.gui.learn.page_parts import GROWS, MatricesWithBars, StepBar
from gptstudio.gui.plots.bar_list import Bar, BarList, BarRow, Bars
from gptstudio.gui.plots.strip import Strip, StripBox
from gptstudio.gui.translation import percent, tr
from gptstudio.gui.widgets.layouts import grows, in_column
from gptstudio.gui.widgets.parts import label
from gptstudio.labs.generate import GreedyAnswer, GreedyRequest, GreedyStep

MOST_IDS = 8  # maximum number of input IDs listed; of more, the last ones


class Page(LabPage[GreedyRequest, GreedyAnswer]):
    """Page of the greedy decoding lab. One step is shown at a time; all are computed at once."""

    def text(self) -> Sequence[QWidget | str]:
        return (
            tr("A model does not write text by itself. It reads tokens and gives every possible next token a logit. A "
               "loop around the model generates the text."),
            Formula("lab_generate_formula",
                    r"\sym{next}{i_{n+1}} = \mathrm{argmax}\; \sym{logits}{\mathrm{model}(i_{n-c+1}, \ldots, i_n)}",
                    tr("the next ID is the argmax of the model's logits for the last c IDs")),
            tr("Read the text, as much of it as fits into the context. Take the logits of the last position. The "
               "largest belongs to the next token; argmax gives its ID. Append it, and read again."),
            tr("This is greedy decoding: nothing is random, so the same prompt always continues in the same way."),
            tr("One variant in the study notes gives its model biases and runs one batch in training mode first. That "
               "batch changes no weights, so it is left out here; the biases do change the text."))

    def make_stage(self) -> QWidget:
        self._place = 0
        self.steps = StepBar("lab_generate_step", tr("Steps"), tr("Previous step"), tr("Next step"), self._go)
        self.steps.show_step(0, 0, "")
        self.strip = Strip("lab_generate_text", tr("The text, token by token"))
        self.strip.chosen.connect(self._choose)
        self.read = label("", "", "lab_generate_read", wrap=True)
        self.given = label("", "", "lab_generate_given", wrap=True)
        self.found = label("", "heading", "lab_generate_found", wrap=True)
        self.written = self.sentence("lab_generate_written", lambda answer: tr(
            "After all steps ({count}): {text}", count=len(answer.steps), text=answer.text))
        self.top = self.linked(
            "lab_generate_top", tr("at the last position"),
            lambda cell: self._share(cell.row) if cell.column else self._logit(cell), "logits", digits=5)
        self.ids = self.linked("lab_generate_ids", tr("largest logits"), self._logit)
        self.bars = BarList("lab_generate_bars", "", beside=self.top)
        self.links.add("next", self.ids, lambda _: [Cell(0, 0)])
        lights(self.ids, self.top, lambda cell: across(cell.row, 2))
        lights(self.top, self.ids, lambda cell: [Cell(cell.row, 0)])
        return in_column(
            QWidget(), self.steps, self.strip, self.read, self.given,
            grows(MatricesWithBars(self.ids, self.top, bars=self.bars), GROWS), self.found, self.written, spacing=8)

    def show_answer(self, _answer: GreedyAnswer) -> None:
        self._go(self._place)

    def open_example(self, name: str) -> None:
        """Open an example at the first step."""
        self._place = 0
        super().open_example(name)

    @property
    def step(self) -> GreedyStep:
        return self.answer.steps[self._place]

    def _go(self, place: int) -> None:
        answer = self.answer
        self._place = min(place, len(answer.steps) - 1)
        step = self.step
        self.steps.show_step(
            self._place, len(answer.steps) - 1,
            tr("Step {step} of {count}", step=self._place + 1, count=len(answer.steps)))
        self.strip.show_boxes(_boxes(answer, step))
        self._show_read(step)
        self._show_logits(step)
        self.found.setText(tr("argmax: {id}, {token}; it is appended to the text.", id=f"{step.chosen:,}",
                              token=GPT2.visible(step.chosen)))

    def _choose(self, index: int) -> None:
        """Open the step that appended a token."""
        if index >= self.answer.prompt_tokens:
            self._go(index - self.answer.prompt_tokens)

    def _show_read(self, step: GreedyStep) -> None:
        ids = self.answer.ids[step.begin : step.end]
        shown_ids = ", ".join(str(i) for i in ids[-MOST_IDS:])
        shown_ids = tr("… {ids}", ids=shown_ids) if len(ids) > MOST_IDS else shown_ids
        self.read.setText(
            tr("The model reads {count} of {all} tokens: {ids}", count=len(ids), all=step.end, ids=shown_ids)
            if step.begin else tr("The model reads all tokens ({count}): {ids}", count=len(ids), ids=shown_ids))
        self.given.setText(tr("It outputs {count} logits, one for each token of the vocabulary. The {shown} largest:",
                              count=f"{self.answer.vocabulary:,}", shown=len(step.top)))

    def _show_logits(self, step: GreedyStep) -> None:
        pieces = [GPT2.visible(int(token)) for token in step.top]
        self.ids.show_values(step.top[:, None], pieces, (tr("ID"),))
        self.top.show_values(np.stack([step.logits, step.probabilities], axis=1), (), (tr("logit"), tr("softmax")))
        self.bars.show_bars(Bars([
            BarRow(piece, (Bar(p, percent(p), "training" if place else "accent"),), strong=not place)
            for place, (piece, p) in enumerate(zip(pieces, step.probabilities.tolist(), strict=True))],
            title=tr("as probabilities")))

    def _logit(self, cell: Cell) -> str:
        step = self.step
        return tr("logits[0, {minus}1, {id}] = {logit}: {token} has rank {place}", minus=MINUS,
                  token=GPT2.visible(int(step.top[cell.row])), id=f"{step.top[cell.row]:,}", place=cell.row + 1,
                  logit=fixed(step.logits[cell.row], 5))

    def _share(self, row: int) -> str:
        """Return the softmax of a logit with its numbers; the sum is over the whole vocabulary."""
        step = self.step
        logit, share = float(step.logits[row]), float(step.probabilities[row])
        if not share:
            return ""
        return tr("{power} / {sum} (the sum of e^logit over all {count} logits) = {share}",
                  power=f"e^{fixed(logit, 5)}", sum=f"{math.exp(logit) / share:,.1f}",
                  count=f"{self.answer.vocabulary:,}", share=self.top.text(Cell(row, 1)))


def _boxes(answer: GreedyAnswer, step: GreedyStep) -> list[StripBox]:
    """Return the boxes of the text: tokens that a step reads, the token that it generates, and all others."""
    found = []
    for index, (token, number) in enumerate(zip(answer.pieces, answer.ids, strict=True)):
        reads, new = step.begin <= index < step.end, index == step.end
        said = (tr("{token}: read in this step", token=token) if reads else
                tr("{token}: generated in this step", token=token) if new else
                tr("{token}: outside the context window, no longer read", token=token) if index < step.begin else
                tr("{token}: generated in a later step", token=token))
        found.append(StripBox(
            token, str(number), ("accent", 0.16) if reads else ("line", 0.25), ink="text" if reads or new else "muted",
            underline="accent" if index >= answer.prompt_tokens else "", frame="validation" if new else "", words=said))
    return found
