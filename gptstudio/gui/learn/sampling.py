"""Page of the sampling lab: nine logits, their probabilities after temperature and top-k, and a thousand draws."""

from __future__ import annotations

import math
from collections.abc import Sequence
from functools import partial

import numpy as np
from PySide6.QtWidgets import QWidget

from gptstudio.gui.canvas.canvas import Cell
from gptstudio.gui.learn.kit import MINUS, Formula, LabPage, across, fixed, lights, number_in, quiet_button
from gptstudio.gui.learn.page_parts import GROWS, MatricesWithBars
from gptstudio.gui.plots.bar_list import Bar, BarList, BarRow, Bars
from gptstudio.gui.translation import tr
from gptstudio.gui.widgets.layouts import Flow, grows, in_column
from gptstudio.gui.widgets.parts import label
from gptstudio.labs.sampling import PRINTED, SamplingAnswer, SamplingRequest

SCALED, CUT = range(2)  # first columns of the stages of a logit
TEMPERATURES = (0.1, 1.0, 5.0)  # the three temperatures of the book
LARGEST_POWER = 20  # largest exponent of e that is still readable

_n = partial(fixed, between=",")


class Page(LabPage[SamplingRequest, SamplingAnswer]):
    """Page of the sampling lab: a row for each word, and a column for each stage."""

    def text(self) -> Sequence[QWidget | str]:
        return (
            tr("A model's last layer gives each token a logit, which can be any number. Softmax turns the logits into "
               "probabilities, and one token is drawn. Two sampling parameters come first: temperature and top-k."),
            Formula("lab_sampling_formula",
                    r"\sym{p}{p_i} = \frac{e^{\sym{z}{z_i} / \sym{T}{T}}}{\sum_{j \in \sym{k}{\mathrm{top\,}k}} "
                    r"e^{z_j / T}}",
                    tr("p i is e to the power of z i divided by T, over the sum of the same for the top k words")),
            tr("A temperature above 1 brings the logits closer together: more varied. Below 1 it spreads them apart: "
               "more predictable. At 0 the most likely token is always chosen."),
            tr("Top-k keeps only the k largest logits and sets the others to −∞, which softmax turns into 0, so absurd "
               "words are never drawn. Remove top-k, raise the temperature, and wait for pizza."),
            tr("A tiny vocabulary of nine words, after “every effort moves you”. The book gives only the logits of "
               "closer, forward and toward (ticked); we made up the six smaller ones."))

    def make_stage(self) -> QWidget:
        self.logits = self.linked("lab_sampling_logits", tr("logits z"), self._logit, "z", edited=self._type, digits=2)
        self.stages = self.linked("lab_sampling_stages", tr("sampling stages"), self._stage, "T", "k", "p")
        self.draws = BarList("lab_sampling_draws", "", beside=self.logits)
        self.counted = self.sentence("lab_sampling_counted", lambda answer: tr(
            "{count} of {all} words can be drawn. Entropy: {entropy} bits, the average number of yes-or-no questions "
            "needed to find out which. Orange cross: how often to expect a word, and its typical random deviation.",
            count=len(answer.positions), all=len(answer.words), entropy=f"{answer.entropy_bits:.2f}"), "muted")
        self.first = self.sentence("lab_sampling_first", lambda answer: tr(
            "Every effort moves you … {words}", words=", ".join(answer.words[place] for place in answer.drawn)))
        lights(self.logits, self.stages, lambda cell: across(cell.row, 3))
        lights(self.stages, self.logits, lambda cell: [Cell(cell.row, 0)])
        return in_column(
            QWidget(), self._params(), self.controls.problem_of("logits"),
            grows(MatricesWithBars(self.logits, self.stages, bars=self.draws), GROWS), self.counted,
            label(tr("First words drawn"), "heading"), self.first, spacing=8)

    def show_answer(self, answer: SamplingAnswer) -> None:
        self.logits.show_values(answer.logits[:, None], answer.words, (tr("logit"),), self._printed_logits())
        numbers = np.stack([answer.scaled, answer.cut, answer.probabilities], axis=1)
        self.stages.show_values(numbers, (), (tr("z / T"), tr("top-k"), tr("softmax p")), self._printed_stages())
        self.draws.show_bars(Bars(
            [self._row(answer, row) for row in range(len(answer.words))], number="{:,.0f}".format,
            title=tr("drawn / expected (draws: {count})", count=f"{answer.counts.sum():,}")))

    def _row(self, answer: SamplingAnswer, row: int) -> BarRow:
        count, expected = int(answer.counts[row]), float(answer.expected[row])
        if not answer.probabilities[row]:
            return BarRow(answer.words[row], (Bar(0, tr("cannot be drawn")),), quiet=True)
        text = tr("{count} / {expected}", count=f"{count:,}", expected=f"{expected:,.1f}")
        return BarRow(answer.words[row], (Bar(count, text),), expected=expected, spread=float(answer.spread[row]))

    def _printed_logits(self) -> np.ndarray | None:
        equal = self.comparisons[("top_k", "logits")].equal
        return None if equal is None else np.isin(np.arange(equal.size), PRINTED)[:, None] & equal[:, None]

    def _printed_stages(self) -> np.ndarray | None:
        logits, shares = (self.comparisons[("top_k", name)].equal for name in ("logits", "probabilities"))
        if logits is None or shares is None:
            return None
        return np.stack([np.zeros_like(logits), logits, shares], axis=1).astype(bool)

    def _type(self, row: int, _column: int, text: str) -> None:
        values: list[object] = list(self.request.logits)
        values[row] = number_in(text)
        self.update_request(logits=tuple(values))

    def _params(self) -> Flow:
        tip = tr("A temperature used in the book")
        every = quiet_button(
            tr("All nine words"), "lab_sampling_all", tr("Turns top-k off"), partial(self.update_request, top_k=None))
        again = self.draw_again("lab_sampling_again", tr("Uses the next random seed"))
        return Flow(label(tr("Temperature"), "muted"), *(
            quiet_button(
                f"{value:g}", f"lab_sampling_temperature_{place}", tip, partial(self.update_request, temperature=value))
            for place, value in enumerate(TEMPERATURES)), every, again, spacing=4)

    def _logit(self, cell: Cell) -> str:
        answer = self.answer
        return tr("{word}: logit {logit}; softmax without sampling parameters: {p}", word=answer.words[cell.row],
                  logit=_n(answer.logits[cell.row], 2), p=_n(answer.plain[cell.row]))

    def _stage(self, cell: Cell) -> str:
        answer = self.answer
        word, value = answer.words[cell.row], self.stages.text(cell)
        if cell.column == SCALED:
            return self._scaling(cell.row, value)
        if cell.column == CUT:
            if cell.row in answer.positions:
                place = answer.positions.tolist().index(cell.row) + 1
                return tr("{word} has rank {place} of the words that are kept", word=word, place=place)
            return tr("{word} is not kept: {value}", word=word, value=value)
        return self._softmax(cell.row, value)

    def _scaling(self, row: int, value: str) -> str:
        logit = _n(self.answer.logits[row], 2)
        if self.request.temperature == 0:
            return tr("temperature 0: only the largest logit is kept; {logit} becomes {value}", logit=logit,
                      value=value)
        return f"{logit} / {self.request.temperature:g} = {value}"

    def _softmax(self, row: int, value: str) -> str:
        """Return the softmax of a row as text; if powers would be unreadably large, relative to the largest value."""
        left = self.answer.cut
        if not math.isfinite(left[row]):
            return f"e^({MINUS}∞) = 0"
        largest = 0.0 if np.abs(left[np.isfinite(left)]).max() <= LARGEST_POWER else float(left.max())
        powers = np.exp(left - largest)
        power = f"e^{_n(left[row])}" if not largest else f"e^({_n(left[row])} {MINUS} {_n(largest)})"
        return f"{power} / {_n(powers.sum())} = {_n(powers[row])} / {_n(powers.sum())} = {value}"
