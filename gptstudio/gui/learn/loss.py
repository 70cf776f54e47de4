"""Page of the loss lab: the probability of each target, its logarithm, the loss and the perplexity on a scale."""

from __future__ import annotations

import math
import sys
from collections.abc import Sequence
from functools import partial

import numpy as np
from PySide6.QtCore import QLineF, QPointF, QRect, QRectF, QSize, Qt
from PySide6.QtGui import QFont, QPainter, QPen, QPolygonF
from PySide6.QtWidgets import QSizePolicy, QWidget

from gptstudio.gpt.config import VOCAB_SIZE
from gptstudio.gui.canvas.canvas import Canvas, Cell
from gptstudio.gui.canvas.writing import CENTRE, draw_with, heading, rounded
from gptstudio.gui.learn.kit import MINUS, Formula, LabPage, fixed, lights, lights_same, number_in, quiet_button, summed
from gptstudio.gui.learn.page_parts import GROWS, MatricesWithBars
from gptstudio.gui.plots.bar_list import Bar, BarList, BarRow, Bars, Rule
from gptstudio.gui.theme import colour
from gptstudio.gui.translation import tr
from gptstudio.gui.widgets.layouts import Flow, grows, in_column
from gptstudio.gui.widgets.parts import label
from gptstudio.labs.loss import LossAnswer, LossRequest

LINES = 6  # lines of text, from the top: title, this loss, the scale, losses, perplexities, meanings of the ends
LEAST = 24  # minimum width, in line heights
GAP = 8
MOST = math.log(sys.float_info.max)  # maximum loss whose perplexity is a finite floating-point number


class LossScale(Canvas):
    """Scale with a mark at the loss; it extends a fifth beyond the loss of random guessing."""

    def __init__(self, name: str) -> None:
        super().__init__(name, tr("Loss and perplexity on one scale"), pointable=False)
        self.loss, self.guessing = 0.0, 1.0
        self.setSizePolicy(QSizePolicy.Policy.Expanding, QSizePolicy.Policy.Minimum)

    def show_loss(self, loss: float, guessing: float) -> None:
        self.loss, self.guessing = loss, guessing
        self.describe(self.words())
        self.update()

    def words(self, _item: object = None) -> str:
        if math.isinf(self.loss):
            return tr("∞: a target was considered impossible")
        count = f"{math.exp(self.loss):,.1f}" if self.loss < MOST else "∞"
        return tr("{loss}: like choosing among {count} equally likely tokens", loss=f"{self.loss:.4f}", count=count)

    def table(self) -> Sequence[Sequence[str]]:
        return [(tr("loss"), str(self.loss)), (tr("random guessing"), str(self.guessing))]

    def minimumSizeHint(self) -> QSize:
        line = self.fontMetrics().height()
        return QSize(LEAST * line, round(LINES * 1.15 * line) + 2)

    def paint(self, painter: QPainter, _region: QRect) -> None:
        step = self._step()
        for line, words in enumerate((tr("loss"), tr("perplexity")), start=3):
            self._write(painter, self.font(), words, 0.0, line, "muted")
        self._write(painter, heading(self.font()), tr("On a scale"), 0.0, 0, "text")
        scale = QRectF(self._left(), 2.2 * step, self.width() - self._left(), 0.7 * step)
        rounded(painter, scale, 4, colour("accent", 0.16))
        self._paint_ticks(painter, scale)
        self._paint_mark(painter, scale)

    def _paint_ticks(self, painter: QPainter, scale: QRectF) -> None:
        """Paint a tick for random guessing, then losses with their perplexities, one for each power of ten."""
        powers = (power * math.log(10) for power in range(math.ceil(self.guessing / math.log(10))))
        free = [self._tick(painter, scale, self.guessing, tr("random guessing"), math.inf)]
        for loss in sorted(powers, reverse=True):
            free.append(self._tick(painter, scale, loss, "" if loss else tr("always right"), free[-1]))

    def _tick(self, painter: QPainter, scale: QRectF, loss: float, meaning: str, right: float) -> float:
        """Paint one tick of the scale if its figures fit to the left of ``right``; return their left edge."""
        figures = (f"{loss:.2f}" if loss else "0", f"{math.exp(loss):,.0f}")
        x, half = self._x(loss), max(map(painter.fontMetrics().horizontalAdvance, figures)) / 2
        if x + half + GAP > right:
            return right
        painter.setPen(QPen(colour("muted"), 1))
        painter.drawLine(QLineF(x, scale.top() - 3, x, scale.bottom() + 3))
        for line, words in enumerate((*figures, meaning), start=3):
            self._write(painter, self.font(), words, x, line, "muted")
        return x - half

    def _paint_mark(self, painter: QPainter, scale: QRectF) -> None:
        x, top, half = self._x(self.loss), scale.top(), 0.45 * scale.height()
        painter.setPen(QPen(colour("accent"), 3))
        painter.drawLine(QLineF(x, top, x, scale.bottom()))
        draw_with(painter, Qt.PenStyle.NoPen, colour("accent"))
        painter.drawPolygon(QPolygonF([QPointF(x - half, top - 1), QPointF(x + half, top - 1),
                                       QPointF(x, top + 1.5 * half)]))
        self._write(painter, heading(self.font()), self.words(), x, 1, "accent")

    def _write(self, painter: QPainter, font: QFont, words: str, x: float, line: int, ink: str) -> None:
        """Write text on a line, centred at ``x`` as far as the widget allows."""
        painter.setFont(font)
        painter.setPen(colour(ink))
        wide = painter.fontMetrics().horizontalAdvance(words) + 1.0
        left = min(max(0.0 if x < self._left() else self._left(), x - wide / 2), self.width() - wide)
        painter.drawText(QRectF(max(0.0, left), line * self._step(), wide, self._step()), CENTRE, words)

    def _step(self) -> float:
        return 1.15 * self.fontMetrics().height()

    def _left(self) -> float:
        """Return the left edge of the scale, to the right of the names of its lines."""
        return max(map(self.fontMetrics().horizontalAdvance, (tr("loss"), tr("perplexity")))) + 2.0 * GAP

    def _x(self, loss: float) -> float:
        """Return the position of a loss. The right sixth of the scale is for losses above random guessing."""
        share = min(1.0, loss / (1.2 * self.guessing)) if math.isfinite(loss) else 1.0
        return self._left() + GAP + share * (self.width() - self._left() - 2 * GAP)


SAME = ((1 / VOCAB_SIZE, "1/50,257"), (0.5, "0.5"), (0.99, "0.99"))
"""Probabilities that can be set for all targets by a click: random guessing, a coin toss, and near certainty."""

_shown = partial(fixed, between=",")


class Page(LabPage[LossRequest, LossAnswer]):
    """Page of the loss lab: a row for each target, with the loss and the perplexity below."""

    def text(self) -> Sequence[QWidget | str]:
        return (
            tr("A model gives every token of its vocabulary a probability of coming next. Only one of them counts for "
               "the loss: the probability of the token that actually comes next, the target."),
            Formula("lab_loss_formula",
                    r"\sym{loss}{L} = -\sym{mean}{\frac{1}{n} \sum_i} \sym{log}{\ln} \, \sym{p}{p_i}",
                    tr("L is minus the mean of the logarithms of the probabilities p")),
            tr("A product of many probabilities soon becomes too small for any computer, so their logarithms are added "
               "instead. The mean is negative, so its sign is flipped: a model that is always right and certain has a "
               "loss of 0. Torch's cross_entropy does all of this in one step, from the logits."),
            Formula("lab_loss_perplexity_formula", r"\sym{perplexity}{\mathrm{perplexity}} = e^{\sym{loss}{L}}",
                    tr("perplexity is e to the power of L")),
            tr("Perplexity expresses the same thing differently: the model is as uncertain as if it chose among this "
               "many equally likely tokens. A model that knows nothing chooses among all 50,257: a loss of 10.82."))

    def make_stage(self) -> QWidget:
        self.said = self.sentence("lab_loss_said", lambda _: tr(
            "Typed by hand. Type over any probability to change it.") if self.request.source == "hand" else tr(
            "Given by the model. Type over one to continue by hand."), "muted")
        self.p = self.linked("lab_loss_p", tr("probability p"), self._chance, "p", edited=self._type)
        self.logs = self.linked(
            "lab_loss_logs", tr("ln p"), lambda cell: f"ln({self.p.text(cell)}) = {self.logs.text(cell)}", "log")
        self.bars = BarList("lab_loss_bars", "", beside=self.p)
        self.end = self.linked("lab_loss_end", tr("mean and loss"), self._ending, "mean", "loss")
        self.torchs = self.linked("lab_loss_torchs", tr("torch's cross_entropy"), self._same, "loss")
        self.perplexity = self.linked("lab_loss_perplexity", tr("perplexity"), self._power, "perplexity", digits=1)
        self.scale = LossScale("lab_loss_scale")
        lights_same(self.p, self.logs)
        lights(self.end, self.logs, lambda _: self.logs.items())
        lights(self.torchs, self.end, lambda _: [Cell(0, 1)])
        lights(self.perplexity, self.end, lambda _: [Cell(0, 1)])
        return in_column(
            QWidget(), self._quick(), self.said, self.controls.problem_of("probabilities"),
            grows(MatricesWithBars(self.p, self.logs, bars=self.bars), GROWS),
            Flow(self.end, self.torchs, self.perplexity, spacing=12), self.scale, spacing=8)

    def show_answer(self, answer: LossAnswer) -> None:
        for name in ("first", "second"):
            self.controls.editors[name].setVisible(self.request.source == "model")
        smallest = min((p for p in answer.probabilities.tolist() if p > 0), default=1.0)
        self.p.digits = min(12, max(4, math.ceil(-math.log10(smallest)) + 2))
        self.p.show_values(answer.probabilities[:, None], answer.tokens)
        self.logs.show_values(answer.logs[:, None])
        self._show_bars(answer)
        self.end.show_values(np.array([answer.mean, answer.loss]), (), (tr("mean of ln p"), tr("loss")))
        self.torchs.show_values(np.array([answer.cross_entropy]), (), ("cross_entropy",))
        self.scale.show_loss(answer.loss, answer.guessing)
        self.perplexity.show_values(np.array([answer.perplexity]), (), (tr("e to the power of the loss"),),
                                    self._printed())

    def _show_bars(self, answer: LossAnswer) -> None:
        finite = [-log for log in answer.logs.tolist() if math.isfinite(log)]
        longest = max([answer.guessing * 1.1, *(1.04 * each for each in finite)])
        powers = range(math.ceil(longest / math.log(10)))
        self.bars.show_bars(Bars(
            [BarRow(token, (Bar(max(0.0, -log), ""),), words=f"{token} {max(0.0, -log):.4g}")
             for token, log in zip(answer.tokens, answer.logs.tolist(), strict=True)],
            longest=longest, title=tr("Bars: {minus} ln p; scale below: p", minus=MINUS),
            ticks=[(power * math.log(10), _power_of_ten(power)) for power in powers],
            rules=[
                Rule(answer.loss, tr("mean, the loss: {loss}", loss=_shown(answer.loss))),
                Rule(answer.guessing, tr("random guessing: {loss}", loss=_shown(answer.guessing)), "muted",
                     dashed=True)]))

    def _printed(self) -> np.ndarray:
        """Return whether the perplexity matches the book, as a mask (1,); the book prints no other number here."""
        return np.array([all(each.agrees for each in self.comparisons.values())])

    def _type(self, row: int, _column: int, text: str) -> None:
        values: list[object] = self.answer.probabilities.tolist()
        values[row] = number_in(text)
        self.update_request(source="hand", probabilities=tuple(values))

    def _quick(self) -> Flow:
        tip = tr("Gives every target this probability")
        return Flow(label(tr("Set all targets to"), "muted"), *(
            quiet_button(words, f"lab_loss_all_{place}", tip, partial(self._give_all, value))
            for place, (value, words) in enumerate(SAME)), spacing=4)

    def _give_all(self, value: float) -> None:
        count = len(self.p.values) or len(self.request.probabilities)
        self.update_request(source="hand", probabilities=(value,) * count)

    def _chance(self, cell: Cell) -> str:
        p = float(self.answer.probabilities[cell.row])
        values = {"token": self.answer.tokens[cell.row], "p": self.p.text(cell)}
        if not p:
            return tr("p({token}) = 0: considered impossible", **values)
        return tr("p({token}) = {p}: 1 in {count}", **values, count=f"{1 / p:,.4g}" if p > 1e-3 else f"{1 / p:,.0f}")

    def _ending(self, cell: Cell) -> str:
        answer = self.answer
        logs = [f"({_shown(each)})" for each in answer.logs.tolist()]
        mean = f"({summed(logs)}) / {len(logs)} = {_shown(answer.mean)}"
        return mean if cell.column == 0 else f"{MINUS}({_shown(answer.mean)}) = {_shown(answer.loss)}"

    def _same(self, _cell: Cell) -> str:
        apart = 0.0 if math.isinf(self.answer.loss) else abs(self.answer.loss - self.answer.cross_entropy)
        return tr("torch's cross_entropy from the logits: {value}; difference from the loss: {apart}",
                  value=_shown(self.answer.cross_entropy), apart=f"{apart:.1g}")

    def _power(self, cell: Cell) -> str:
        power = f"e^{_shown(self.answer.loss)} = {self.perplexity.text(cell)}"
        if not np.all(self._printed()):
            return power
        return tr("{power}. The book prints 48725.8203, computed with 32-bit numbers: a change in the last digit of "
                  "such a loss moves it by 0.05.", power=power)


def _power_of_ten(power: int) -> str:
    """Return a negative power of ten as text, such as 0.1, 0.01, 10⁻³ or 10⁻⁴."""
    if power < 3:
        return f"{10.0**-power:g}"
    return "10⁻" + "".join("⁰¹²³⁴⁵⁶⁷⁸⁹"[int(digit)] for digit in str(power))
