"""Page of the beam search lab: a table of next words, the texts of each step, and the best texts compared."""

from __future__ import annotations

import math
from collections.abc import Sequence
from functools import partial

import numpy as np
from PySide6.QtWidgets import QWidget

from gptstudio.gui.canvas.canvas import Cell
from gptstudio.gui.learn.kit import Formula, LabPage, behind_sign, fixed, lights_same
from gptstudio.gui.learn.page_parts import GROWS, MatricesWithBars, StepBar
from gptstudio.gui.plots.bar_list import Bar, BarList, BarRow, Bars
from gptstudio.gui.translation import percent, tr
from gptstudio.gui.widgets.layouts import Reflow, grows, in_column
from gptstudio.labs.beams import END, WORDS, BeamsAnswer, BeamsRequest, FoundText

SUM, SCORE = range(2)  # columns of the texts
MOST_SHOWN = 10  # maximum number of texts per step
LONGEST_TEXT = 36  # in characters: seven words


class Page(LabPage[BeamsRequest, BeamsAnswer]):
    """Page of the beam search lab. One step is shown at a time; all are computed at once."""

    def text(self) -> Sequence[QWidget | str]:
        return (
            tr("The best next word is not always the beginning of the best text. Greedy decoding sees one word; beam "
               "search keeps the best few texts, and continues all of them."),
            Formula("lab_beams_formula",
                    r"\sym{sum}{\log p(y)} = \sum_{t=1}^{n} \log \sym{p}{p(y_t \mid y_{t-1})}",
                    tr("the log-probability of a text is the sum of those of its words")),
            Formula("lab_beams_score", r"\sym{score}{s(y)} = \frac{\log p(y)}{n^{\alpha}}",
                    tr("the score is the log-probability divided by n to the power of alpha")),
            tr("Here the next word depends on the last one alone, by a table that you can edit. So every text can be "
               "counted, and the best of all is known."),
            tr("Each word makes the sum smaller, so short texts win. A length penalty α above 0 divides by the length "
               "and lets longer ones gain. A text that has ended keeps its place until a better one takes it."),
            tr("With a language model, the most probable text is often dull and repeats itself (Holtzman et al., "
               "2020): beam search suits translation, sampling suits stories."))

    def make_stage(self) -> QWidget:
        self._place = 0
        self.weights = self.linked("lab_beams_weights", tr("weights"), self._division, digits=1,
                                   edited=partial(self.update_number, "weights"))
        self.probabilities = self.linked(
            "lab_beams_probabilities", tr("next word p"), self._division, "p", tinted=True, digits=3)
        self.steps = StepBar("lab_beams_step", tr("Steps"), tr("Previous step"), tr("Next step"), self._go)
        self.steps.show_step(0, 0, "")
        self.texts = self.linked("lab_beams_texts", tr("texts, the best first"), self._arithmetic, "sum", "score",
                                 digits=3, longest_name=LONGEST_TEXT)
        self.bars = BarList("lab_beams_bars", "", beside=self.texts)
        self.found = self.sentence("lab_beams_found", lambda answer: tr(
            "Beam search: {text}", text=_words(answer.found)), "heading")
        self.others = self.sentence("lab_beams_others", lambda answer: "\n".join([
            tr("Greedy: {text}", text=_words(answer.greedy)),
            tr("Best of all {count} texts: {text}", count=f"{answer.texts:,}", text=_words(answer.best))]))
        lights_same(self.weights, self.probabilities)
        return in_column(
            QWidget(), Reflow(self.weights, self.probabilities, spacing=12), self.controls.problem_of("weights"),
            self.steps, grows(MatricesWithBars(self.texts, bars=self.bars), GROWS), self.found, self.others, spacing=8)

    def open_example(self, name: str) -> None:
        """Open an example at the first step."""
        self._place = 0
        super().open_example(name)

    def show_answer(self, answer: BeamsAnswer) -> None:
        self.weights.show_values(np.array(self.request.weights), WORDS[:END], WORDS)
        self.probabilities.show_values(answer.probabilities, WORDS[:END], WORDS)
        self._go(self._place)

    @property
    def shown(self) -> Sequence[FoundText]:
        return self.answer.steps[self._place][:MOST_SHOWN]

    def _go(self, place: int) -> None:
        steps = self.answer.steps
        self._place = min(place, len(steps) - 1)
        self.steps.show_step(self._place, len(steps) - 1, tr(
            "Step {step} of {count}: {kept} of {all} texts are kept", step=self._place + 1, count=len(steps),
            kept=sum(beam.kept for beam in steps[self._place]), all=len(steps[self._place])))
        names = [beam.text for beam in self.shown]
        numbers = np.array([[beam.log_probability, beam.score] for beam in self.shown])
        self.texts.show_values(numbers, names, (tr("sum"), tr("score")))
        self.bars.show_bars(Bars([self._row(beam) for beam in self.shown], title=tr("probability")))

    def _row(self, beam: FoundText) -> BarRow:
        share = math.exp(beam.log_probability)
        words = tr("{share}, kept", share=percent(share)) if beam.kept else tr("{share}, pruned", share=percent(share))
        return BarRow(beam.text, (Bar(share, words, "accent" if beam.kept else "training"),), strong=beam.kept)

    def _division(self, cell: Cell) -> str:
        row = self.request.weights[cell.row]
        return tr("{word} after {last}: {weight} / {sum} = {p}", word=WORDS[cell.column], last=WORDS[cell.row],
                  weight=f"{row[cell.column]:g}", sum=f"{sum(row):g}", p=self.probabilities.text(cell))

    def _arithmetic(self, cell: Cell) -> str:
        beam, length = self.shown[cell.row], len(self.shown[cell.row].ids) - 1
        if cell.column == SCORE:
            return tr("{text}: {sum} / {length}^{alpha} = {score}", text=beam.text, length=length,
                      sum=fixed(beam.log_probability, 3), alpha=f"{self.request.length_penalty:g}",
                      score=fixed(beam.score, 3))
        shares = [float(self.answer.probabilities[pair]) for pair in zip(beam.ids, beam.ids[1:], strict=False)]
        logs = " + ".join(f"log {share:.3g}" for share in shares)
        numbers = " + ".join(behind_sign(math.log(share)) for share in shares)
        return tr("{text}: {logs} = {numbers} = {sum}", text=beam.text, logs=logs, numbers=numbers,
                  sum=fixed(beam.log_probability, 3))


def _words(beam: FoundText) -> str:
    return tr("“{text}” (probability {share}, sum {sum}, score {score})", text=beam.text,
              share=percent(math.exp(beam.log_probability)), sum=fixed(beam.log_probability, 3),
              score=fixed(beam.score, 3))
