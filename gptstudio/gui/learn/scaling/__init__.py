"""Scaling laws: the losses of four sizes against their parameters, recorded or trained here, and the fit."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Any

from PySide6.QtWidgets import QWidget

from gptstudio.app.lab_tasks import LabRequest
from gptstudio.gui.asking import Asks
from gptstudio.gui.canvas.grid import Cell
from gptstudio.gui.controllers.learning import CANCELLED
from gptstudio.gui.learn.kit import Formula, LabPage, fixed
from gptstudio.gui.learn.scaling.chart import LEAST, DrawnPoint, scaling_curves, short_count, swatch
from gptstudio.gui.learn.scaling.training_row import TrainingRow
from gptstudio.gui.learn.scaling.words import caveats, point_words, reading, size_name
from gptstudio.gui.learn.sizes import FigureTable
from gptstudio.gui.plots.curve_view import CurveView
from gptstudio.gui.translation import size, tr
from gptstudio.gui.widgets.flow import Flow
from gptstudio.gui.widgets.layouts import grows, holding, vbox
from gptstudio.gui.widgets.parts import label
from gptstudio.labs.lab import Lab
from gptstudio.labs.scaling import ScalingAnswer, code_of, fitted, kept
from gptstudio.labs.scaling_request import TRAINING, ScalingRequest, SizePoint

RECORDED = ScalingRequest()


class Page(LabPage):
    """A chart, what it says in sentences, and a table. The sizes are trained when a button is pressed, not while the
    settings change."""

    request: ScalingRequest
    answer: ScalingAnswer | None

    def __init__(self, lab: Lab, asks: Asks) -> None:
        self._own = False  # the settings as they are at first, but trained here
        self._begun = False  # the button was pressed
        self.training = False
        self._shown: ScalingAnswer | None = None
        super().__init__(lab, asks)
        self.row.asked.connect(self._train)
        self.row.cancelled.connect(self._cancel)
        self.asking.progressed.connect(self._follow)
        self.asking.changed.connect(self._end)

    def text(self) -> Sequence[QWidget | str]:
        return (
            tr("How much better does a larger model get? Each of four sizes is trained with the same compute, counted "
               "in floating-point operations: the larger a model, the fewer tokens it reads for it. A power law is "
               "fitted to the losses:"),
            Formula("lab_scaling_formula", r"L(N) = L_\infty + a \, N^{-b}",
                    tr("the loss of N parameters is the irreducible loss plus a times N to the power of minus b")),
            tr("On logarithmic axes it is a straight line with slope −b (if the irreducible loss is 0). Kaplan et al. "
               "(2020) found b = 0.076 for N without embeddings, each size trained on as much text as it could use. "
               "Hoffmann et al. (2022, Chinchilla) found b = 0.34 above an irreducible loss of 1.69, N with "
               "embeddings. Both are drawn through the middle of the points: compare the slopes."),
            tr("Do not expect to find either. At equal compute the curve bends: a model that is too large reads too "
               "little, one that is too small cannot use what it reads (Hoffmann et al., figure 3). The text is tiny, "
               "so every model reads it more than once and overfits; four points with noise leave the exponent "
               "uncertain; and with a vocabulary of 50,257, nearly all operations of models so small are in the "
               "output layer."))

    def make_stage(self) -> QWidget:
        self.back.setText(tr("Reset to the recorded run"))
        self.back.setAccessibleName(self.back.text())
        self.back.setToolTip(tr("Takes back all changes on this page, and shows the recorded run again"))
        self.examples.setAccessibleName(tr("Recorded runs"))
        self.examples.setToolTip(tr("Shows the run that ships with GPT Studio"))
        self.row = TrainingRow()
        self.source_line = label("", "heading", "scaling_source", wrap=True)
        self.chart = CurveView(
            "scaling_chart", tr("Validation loss against the number of parameters"), LEAST)
        self.explain(self.chart, self._explain)
        self.sentence = label("", "", "scaling_reading", wrap=True)
        self.limits = label("", "muted", "scaling_limits", wrap=True)
        self.figures_table = FigureTable("scaling_table", tr("The sizes in numbers"))
        return holding(QWidget(), vbox(
            self.row, self.source_line, self.sentence, _legend(), grows(self.chart), self.figures_table, self.limits,
            spacing=8))

    # Asking.

    def turn(self, **changes: Any) -> None:
        """Take a change. Settings of the training that were not trained yet change nothing but the button."""
        self._own = changes.get("points", "trained" if self._own else "recorded") == "trained"
        values = {**self._values, **changes}
        as_recorded = all(values[name] == getattr(RECORDED, name) for name in TRAINING)
        super().turn(**{**changes, "points": "recorded" if as_recorded and not self._own else "trained"})
        self._offer()

    def ask(self, request: LabRequest) -> None:
        """Ask for what is known, and for the rest when the button was pressed; else show the points there are, read in
        the way that was chosen."""
        asked = request.request
        admitted = self._begun or (isinstance(asked, ScalingRequest) and kept(asked))
        if self.training:
            if admitted:
                self._cancel()
        elif not admitted and isinstance(asked, ScalingRequest) and self._shown:
            self.answer = fitted(asked, self._shown.measured)
            self.show_answer(self.answer)
        if admitted:
            super().ask(request)

    def _cancel(self) -> None:
        self.asking.stop(CANCELLED)

    def _train(self) -> None:
        self.training = False
        self._begun = True
        self.turn(points="trained")
        self._begun = False
        if self.waiting:
            self.training = True
            self.row.show_begun()

    def _follow(self, done: int, total: int) -> None:
        if self.training and total:
            self.row.show_progress(done, total)
            self.state.setText(tr("Training: step {n} of {all}", n=f"{done:,}", all=f"{total:,}"))

    def _end(self) -> None:
        """After an answer: the settings may have been changed while it was on its way."""
        if self.asking.problem:
            self._stop()
            return
        was_training, self.training = self.training, False
        if was_training and self.answer:
            self.show_answer(self.answer)
            self.turn()
        self._offer()

    def _stop(self) -> None:
        """After a refusal, or when the training was cancelled: the last answer is shown again."""
        self.training = self._own = False
        if self.answer:
            self.show_answer(self.answer)
        self._offer()
        if self.asking.problem == tr(CANCELLED):  # which is no error
            self.notice.setText("")
            self.state.setText(tr(CANCELLED))

    def _offer(self) -> None:
        """Say what the button can do now."""
        if self.training:
            return
        problems = self.lab.request.problems(self._values)
        request = None if problems else self.lab.request.make(self._values)
        trained = isinstance(request, ScalingRequest) and request.points == "trained" and kept(request)
        self.row.show_idle(
            tr("Correct the settings first.") if problems else
            tr("These sizes have been trained: the chart shows them.") if trained else "")
        if isinstance(request, ScalingRequest) and not kept(request) and not self.waiting:
            self.state.setText(tr("Settings changed: train these sizes to see their losses."))

    # Showing.

    def show_answer(self, found: ScalingAnswer) -> None:
        self._shown = found
        self.source_line.setText(_source(found))
        self.sentence.setText(reading(found))
        self.limits.setText(caveats(found))
        self.code.show_code(code_of(found))
        self.chart.show_curves(scaling_curves(
            [DrawnPoint(_counted(found, point), loss, point.spread(found.request.measured) or 0.0, size_name(point))
             for point, loss in _drawn(found)], found.curves, found.request.axis == "slopes", self._explain),
            self.sentence.text())
        points = found.measured.points
        self.figures_table.show_lines(
            {f"{place}: {point.emb_dim} × {point.n_layers}": size_name(point)
             for place, point in enumerate(points, start=1)},
            list(_lines(points)))

    def _explain(self, cell: Cell) -> str:
        found = self._shown
        drawn = list(_drawn(found)) if found else []
        return point_words(found, drawn[cell.column][0]) if found and cell.column < len(drawn) else ""


def _drawn(found: ScalingAnswer) -> Iterator[tuple[SizePoint, float]]:
    """Points with a loss, from left to right."""
    for point in sorted(found.measured.points, key=lambda point: _counted(found, point)):
        loss = point.mean(found.request.measured)
        if loss is not None:
            yield point, loss


def _counted(found: ScalingAnswer, point: SizePoint) -> int:
    return point.parameters if found.request.counted == "without embeddings" else point.all_parameters


def _source(found: ScalingAnswer) -> str:
    measured = found.measured
    seeds = max((len(point.outcomes) for point in measured.points), default=0)
    if measured.recorded:
        return tr("Recorded on {cores} cores on {day}: {text}, seeds: {seeds}", cores=measured.cores,
                  day=measured.recorded, text=measured.text, seeds=seeds)
    return tr("Trained here, in memory (at most {memory}): {text}, seeds: {seeds}",
              memory=size(measured.memory_bytes), text=measured.text, seeds=seeds)


def _legend() -> Flow:
    legend = Flow(spacing=8)
    for key, words in (
            ("points", tr("Mean and standard deviation over seeds")), ("fitted", tr("Fit ± 1 standard error")),
            ("kaplan", tr("Slope of Kaplan et al.")), ("chinchilla", tr("Slope of Hoffmann et al."))):
        legend.add_group(swatch(key), label(words, "muted"))
    return legend


def _lines(points: Sequence[SizePoint]) -> Iterator[tuple[str, list[str]]]:
    """Name of a line, and its figure for each size."""
    yield tr("Parameters"), [short_count(each.parameters) for each in points]
    yield tr("… with embeddings"), [short_count(each.all_parameters) for each in points]
    yield tr("Tokens read"), [f"{each.tokens:,}" for each in points]
    yield tr("… times the text"), [fixed(each.epochs, 1) for each in points]
    yield tr("Validation loss"), [_loss(each.mean(), each.spread()) for each in points]
    yield tr("… lowest"), [_loss(each.mean("lowest"), None) for each in points]
    yield tr("Training loss"), [_loss(each.train, None) for each in points]


def _loss(mean: float | None, spread: float | None) -> str:
    if mean is None:
        return tr("diverged")
    return fixed(mean, 3) if spread is None else f"{fixed(mean, 3)} ± {fixed(spread, 3)}"
