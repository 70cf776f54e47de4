"""Page of the scaling laws lab: the losses of four sizes, recorded or trained here, and the fit to them.

The chart has two logarithmic axes: points with their spread, the fit with its band, and published slopes. Sentences
below it state what the fit shows and what it does not.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, replace
from functools import partial
from typing import Any, cast

import numpy as np
from PySide6.QtCore import QPointF, QRectF, Qt
from PySide6.QtGui import QPainter
from PySide6.QtWidgets import QWidget

from gptstudio.app.lab_tasks import LabRequest
from gptstudio.gui.asking import Asks
from gptstudio.gui.canvas.canvas import Cell, Swatch
from gptstudio.gui.canvas.writing import draw_with
from gptstudio.gui.charts.style import DASHES, CurveStyle
from gptstudio.gui.controllers.learning import CANCELLED
from gptstudio.gui.learn.kit import Formula, LabPage, fixed
from gptstudio.gui.learn.sizes import FigureTable
from gptstudio.gui.plots import curve_view
from gptstudio.gui.plots.curve_view import DOT, CurveView, Line
from gptstudio.gui.plots.shades import Floats
from gptstudio.gui.translation import joined, percent, size, tr
from gptstudio.gui.widgets.layouts import FREE, Flow, grows, hbox, vbox, with_layout
from gptstudio.gui.widgets.parts import ProgressBar, button, label, set_blocker
from gptstudio.labs.lab import Lab
from gptstudio.labs.scaling import PowerLaw, ScalingAnswer, ScalingCurves, code_of, fitted, kept
from gptstudio.labs.scaling_request import TRAINING, ScalingRequest, SizePoint

LOOKS = {
    "points": CurveStyle("training", 2), "fitted": CurveStyle("training", 2),
    "kaplan": CurveStyle("validation", 2, "dash"), "chinchilla": CurveStyle("good", 2, "dash dot")}
BAND = 0.16  # opacity of the band
LEAST = (380, 190)  # minimum width and height in pixels, at the default text size
ROOM = 1.6  # range of the loss axis, relative to the range of the data
LEAST_SPAN = 0.02  # minimum range of ln L for the data
BEYOND = 50.0  # chart heights beyond which positions are clipped
STEPS = (1, 2, 2.5, 5)


@dataclass(frozen=True)
class LogScale:
    """Logarithmic scale. ``ticks``: returns the labelled values between two ends."""

    low: float
    high: float
    ticks: Callable[[float, float], Iterator[tuple[float, str]]]

    def shares(self, values: Floats) -> Floats:
        low, high = math.log(self.low), math.log(self.high)
        shares: Floats = np.clip((np.log(np.maximum(values, 1e-300)) - low) / (high - low), -BEYOND, BEYOND)
        return shares

    def legend(self, _most: int) -> list[tuple[float, str]]:
        return [(float(self.shares(np.array(value))), words) for value, words in self.ticks(self.low, self.high)]


def scaling_curves(found: ScalingAnswer, say: Callable[[Cell], str]) -> curve_view.Curves:
    """Return the curves of the chart. The first line, which can be hovered, has the sizes from left to right."""
    shown, curves, points = curve_view.Curves(empty=tr("No size has a loss yet.")), found.curves, list(_drawn(found))
    if not points or curves is None:
        return shown
    x, y, spread = np.array([
        (found.request.parameters_of(point), loss, point.spread(found.request.measured) or 0.0)
        for point, loss in points]).T
    over = curves.parameters
    lines = [Line(y, LOOKS["points"].paint, spread=np.minimum(spread, y - 1e-9), dots=True)]
    for key in ("fitted", "kaplan", "chinchilla"):
        values, look = getattr(curves, key), LOOKS[key]
        if values is not None:
            lines.append(Line(values, look.paint, over, look.width, DASHES[look.dash], behind=key != "fitted"))
    band = None if curves.low is None or curves.high is None else (curves.low, curves.high)
    low, high = _range([*(y - spread), *(y + spread)], curves, found.request.axis == "slopes")
    return replace(
        shown, x=x, lines=lines, pointed=1, x_scale=LogScale(float(over[0]), float(over[-1]), _parameter_ticks),
        y_scale=LogScale(low, high, _loss_ticks), band=band, band_x=over,
        band_ink=partial(LOOKS["fitted"].paint, BAND), x_title=tr("Parameters, logarithmic"),
        y_title=tr("Validation loss (nats per token), logarithmic"), entry=Cell(0, 0), say=say,
        table=lambda: [
            (size_name(point), f"{found.request.parameters_of(point)}", f"{loss:.6g}") for point, loss in points])


def swatch(key: str) -> Swatch:
    """Return a swatch for the legend: of a curve, the points or the band."""
    return Swatch(partial(_paint_swatch, key), 2, 1, grows=True)


def _paint_swatch(key: str, painter: QPainter, place: QRectF, _letter: int) -> None:
    painter.setRenderHint(QPainter.RenderHint.Antialiasing)
    if key == "points":
        draw_with(painter, Qt.PenStyle.NoPen, LOOKS[key].paint())
        painter.drawEllipse(place.center(), DOT, DOT)
        return
    if key == "fitted":
        painter.fillRect(place, LOOKS[key].paint(BAND))
    painter.setPen(LOOKS[key].pen(LOOKS[key].width))
    painter.drawLine(QPointF(place.left() + 2, place.center().y()), QPointF(place.right() - 2, place.center().y()))


def _range(ends: list[float], curves: ScalingCurves, slopes: bool) -> tuple[float, float]:
    """Return the losses at the ends of the axis: the range of ``ends``, the points with their spread, and of the fit,
    with a margin. With ``slopes``, the published slopes are included; otherwise they may leave the axis."""
    shown = (curves.fitted, curves.kaplan, curves.chinchilla) if slopes else (curves.fitted,)
    for curve in shown:
        ends += [] if curve is None else curve.tolist()
    logs = [math.log(max(end, 1e-9)) for end in ends]
    middle, half = (max(logs) + min(logs)) / 2, ROOM * max(max(logs) - min(logs), LEAST_SPAN) / 2
    return math.exp(middle - half), math.exp(min(700.0, middle + half))


def _loss_ticks(low: float, high: float) -> Iterator[tuple[float, str]]:
    """Yield round losses: evenly spaced, or 1, 2, 5, 10 … if the axis spans more than a factor of 4."""
    if high / low > 4:
        yield from ((value, f"{value:.3g}") for value in sorted(_one_two_five(low, high)))
        return
    rough = (high - low) / 5
    power_of_ten = 10.0 ** math.floor(math.log10(rough))
    step = next((each * power_of_ten for each in STEPS if each * power_of_ten >= rough), 10 * power_of_ten)
    digits = max(0, -math.floor(math.log10(step)) + (not (step / power_of_ten).is_integer()))
    for place in range(math.ceil(low / step), math.floor(high / step) + 1):
        yield place * step, f"{place * step:.{digits}f}"


def _parameter_ticks(low: float, high: float) -> Iterator[tuple[float, str]]:
    """Yield ticks at powers of ten first, so that these keep their labels if there is no space for all."""
    yield from ((value, short_count(value)) for value in _one_two_five(low, high))


def _one_two_five(low: float, high: float) -> list[float]:
    """Return the powers of ten between two ends, then their doubles, then their quintuples."""
    powers = range(math.floor(math.log10(low)), math.ceil(math.log10(high)) + 1)
    values = (factor * 10.0**power for factor in (1, 2, 5) for power in powers)
    return [value for value in values if low <= value <= high]


def short_count(value: float) -> str:
    """Return a number of parameters in short form: '3.3 k', '1.2 M'."""
    for factor, unit in ((1e9, "G"), (1e6, "M"), (1e3, "k")):
        if value >= factor:
            return f"{value / factor:.3g} {unit}"
    return f"{value:.3g}"


GUESSING = 10.82  # ln 50,257
NONE = 0.0005  # changes smaller than this are reported as none


def reading(found: ScalingAnswer) -> str:
    """Return the interpretation of the points, in sentences."""
    return joined(" ", *_sentences(found))


def _sentences(found: ScalingAnswer) -> Iterator[str]:
    if found.law is None:
        yield tr(found.why_not)
    else:
        yield _ten_times(found.law)
        yield _certainty(found.law)
        yield from _lowest(found)
    yield from _diverged(found)


def _ten_times(law: PowerLaw) -> str:
    change = law.for_ten
    above = tr("the loss above {irreducible}", irreducible=fixed(law.irreducible, 2)) if law.irreducible else tr(
        "the loss")
    if abs(change) < NONE:
        return tr("Ten times as many parameters leave {loss} as it is.", loss=above)
    if change < 0:
        return tr("Ten times as many parameters lower {loss} by {share}.", loss=above, share=percent(-change))
    return tr("Ten times as many parameters raise {loss} by {share}.", loss=above, share=percent(change))


def _certainty(law: PowerLaw) -> str:
    if law.error is None or law.low is None or law.high is None:
        return tr("The exponent b is {b}. A line always fits two points, so nothing says how certain it is.",
                  b=fixed(law.exponent, 3))
    said = tr("The exponent b is {b} ± {error} (standard error), 95 % interval from {low} to {high}.",
              b=fixed(law.exponent, 3), error=fixed(law.error, 3), low=fixed(law.low, 3), high=fixed(law.high, 3))
    if law.low <= 0 <= law.high:
        return joined(" ", said, tr("That includes 0: these points do not tell whether more parameters help."))
    return said


def _lowest(found: ScalingAnswer) -> Iterator[str]:
    """Yield a sentence on the minimum of the curve, unless it is at the largest size."""
    best = int(found.losses.argmin())
    if len(found.losses) > 2 and best < len(found.losses) - 1:
        yield tr("At this compute the size with {n} parameters does best; larger ones read fewer tokens for it.",
                 n=short_count(float(found.parameters[best])))


def _diverged(found: ScalingAnswer) -> Iterator[str]:
    lost = [point for point in found.measured.points if not point.losses()]
    some = sum(point.diverged for point in found.measured.points if point.losses())
    if lost:
        yield tr("Diverged and left out of the fit: {sizes}. Lower the learning rate.",
                 sizes=", ".join(size_name(point) for point in lost))
    if some:
        yield tr("Training runs that diverged and are left out of the means: {n}.", n=some)


def caveats(found: ScalingAnswer) -> str:
    """Return the limitations of the small text, the few points and the published laws."""
    points = sorted(found.measured.points, key=lambda point: point.parameters)
    if not points:
        return ""
    said = [tr("The text has {n} tokens to train on: the smallest model read each {most} times, the largest {least} "
               "times.", n=f"{found.measured.train_tokens:,}", most=fixed(points[0].epochs, 1),
               least=fixed(points[-1].epochs, 1))]
    if found.law and found.other and found.law.points > 2:
        this, other = (law.distance(found.parameters, found.losses) for law in (found.law, found.other))
        said.append(tr(
            "With an irreducible loss of {other} instead of {this}, the exponent would be {b}, and the points would "
            "be {far} instead of {near} nats from the curve (root mean square): they cannot tell which is right.",
            other=fixed(found.other.irreducible, 2), this=fixed(found.law.irreducible, 2),
            b=fixed(found.other.exponent, 3), far=fixed(other, 4), near=fixed(this, 4)))
    if len(found.chinchilla_losses):
        highest = float(found.chinchilla_losses.max())
        said.append(tr(
            "The full formula of Hoffmann et al. would give up to {loss} here, where random guessing has {guessing}: "
            "it was fitted to models of 70 million parameters and more on 5 billion tokens and more, so only its slope "
            "is drawn.",
            loss=fixed(highest, 1), guessing=fixed(GUESSING, 2)) if highest > GUESSING else tr(
            "The full formula of Hoffmann et al. would give up to {loss} here.", loss=fixed(highest, 1)))
    return joined(" ", *said)


def size_name(point: SizePoint) -> str:
    """Return the name of a size: 'width 64, layers 3'."""
    return tr("width {width}, layers {layers}", width=point.emb_dim, layers=point.n_layers)


def point_words(found: ScalingAnswer, point: SizePoint) -> str:
    """Return all figures of a point as text."""
    which = found.request.measured
    losses = point.losses(which)
    said = tr("{size}: {n} parameters without embeddings, {all} with them. Loss with each seed: {losses}.",
              size=size_name(point), n=f"{point.parameters:,}", all=f"{point.all_parameters:,}",
              losses=", ".join(fixed(loss, 3) for loss in losses))
    return joined(" ", said, tr(
        "{steps} steps, {tokens} tokens, {flops} floating-point operations each, {share} of them in the output layer.",
        steps=f"{point.steps:,}", tokens=f"{point.tokens:,}", flops=f"{point.flops:.2e}",
        share=percent(point.output_share)))


RECORDED = ScalingRequest()


class Page(LabPage[ScalingRequest, ScalingAnswer | None]):
    """Page of the scaling laws lab: a chart, its interpretation in sentences, and a table. The sizes are trained when a
    button is pressed, not while the settings change."""

    def __init__(self, lab: Lab, asks: Asks) -> None:
        self._own = False  # initial settings, but trained here
        self._begun = False  # the button has been pressed
        self.training = False
        super().__init__(lab, asks)
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
        self.back.setToolTip(tr("Undoes all changes on this page, and shows the recorded run again"))
        self.examples.setAccessibleName(tr("Recorded runs"))
        self.examples.setToolTip(tr("Shows the run that ships with GPT Studio"))
        self.train = button(
            tr("Train these sizes"), "scaling_train",
            tr("Trains all sizes with these settings in the background, in memory: no run is saved"), "primary",
            self._train)
        self.cancel = button(
            tr("Cancel"), "scaling_cancel", tr("Cancels the training; the page shows the last result"),
            do=self._cancel)
        self.progress = ProgressBar("scaling_progress", tr("Steps done"))
        for each in (self.cancel, self.progress):
            each.hide()
        self.source_line = self.sentence("scaling_source", _source, "heading")
        self.chart = CurveView(
            "scaling_chart", tr("Validation loss against the number of parameters"), LEAST)
        self.explain(self.chart, self._explain)
        self.reading = self.sentence("scaling_reading", reading)
        self.limits = self.sentence("scaling_limits", caveats, "muted")
        self.figures_table = FigureTable("scaling_table", tr("The sizes in numbers"))
        row = hbox(self.train, self.cancel, grows(self.progress, 9), FREE, spacing=8)
        return with_layout(QWidget(), vbox(
            row, self.source_line, self.reading, _legend(), grows(self.chart), self.figures_table, self.limits,
            spacing=8))

    # Requests

    def update_request(self, **changes: Any) -> None:
        """Apply changes. Training settings that have not been trained yet only update the button."""
        self._own = changes.get("points", "trained" if self._own else "recorded") == "trained"
        values = {**self._values, **changes}
        as_recorded = all(values[name] == getattr(RECORDED, name) for name in TRAINING)
        super().update_request(**{**changes, "points": "recorded" if as_recorded and not self._own else "trained"})
        self._offer()

    def ask(self, request: LabRequest) -> None:
        """Request results that are known, or, after the button was pressed, a training; otherwise show the existing
        points with the chosen evaluation."""
        asked = cast(ScalingRequest, request.request)
        if self._begun or kept(asked):
            if self.training:
                self._cancel()
            super().ask(request)
        elif not self.training and self.answer:
            self.answer = fitted(asked, self.answer.measured)
            self.show_again()

    def _cancel(self) -> None:
        self.asking.stop(CANCELLED)

    def _train(self) -> None:
        self.training = False
        self._begun = True
        self.update_request(points="trained")
        self._begun = False
        if self.waiting:
            self.training = True
            self._show_running(True)

    def _show_running(self, running: bool, why_not: str = "") -> None:
        """Show whether a training is running. ``why_not``: reason why none can be started."""
        set_blocker(self.train, why_not)
        self.train.setVisible(not running)
        for each in (self.cancel, self.progress):
            each.setVisible(running)
        if running:
            self.progress.show_progress()

    def _follow(self, done: int, total: int) -> None:
        if self.training and total:
            self.progress.show_progress(done, total)
            self.state.setText(tr("Training: step {n} of {all}", n=f"{done:,}", all=f"{total:,}"))

    def _end(self) -> None:
        """Handle the end of a request; the settings may have changed in the meantime. After an error or a cancelled
        training, the last answer is shown again."""
        problem, was_training = self.asking.problem, self.training
        self.training = False
        self._own = self._own and not problem
        if problem or was_training:
            self.show_again()
        if was_training and not problem:
            self.update_request()
        self._offer()
        if problem == tr(CANCELLED):  # not an error
            self.notice.setText("")
            self.state.setText(tr(CANCELLED))

    def _offer(self) -> None:
        """Update the training button, with the reason if it is disabled."""
        if self.training:
            return
        request = None if ScalingRequest.problems(self._values) else ScalingRequest.make(self._values)
        is_known = request is not None and kept(request)
        self._show_running(
            False, tr("Correct the settings first.") if request is None else
            tr("These sizes have been trained: the chart shows them.") if is_known and request.points == "trained" else
            "")
        if request is not None and not is_known and not self.waiting:
            self.state.setText(tr("Settings changed: train these sizes to see their losses."))

    # Display

    def show_answer(self, found: ScalingAnswer) -> None:
        self.code.show_code(code_of(found))
        self.chart.show_curves(scaling_curves(found, self._explain), self.reading.text())
        points = found.measured.points
        self.figures_table.show_lines(
            {f"{place}: {point.emb_dim} × {point.n_layers}": size_name(point)
             for place, point in enumerate(points, start=1)},
            list(_lines(points)))

    def _explain(self, cell: Cell) -> str:
        found = self.answer
        drawn = list(_drawn(found)) if found else []
        return point_words(found, drawn[cell.column][0]) if found and cell.column < len(drawn) else ""


def _drawn(found: ScalingAnswer) -> Iterator[tuple[SizePoint, float]]:
    """Yield the points that have a loss, with their losses, from left to right."""
    for point in sorted(found.measured.points, key=found.request.parameters_of):
        loss = point.mean(found.request.measured)
        if loss is not None:
            yield point, loss


def _source(found: ScalingAnswer) -> str:
    measured = found.measured
    seeds = max((len(point.outcomes) for point in measured.points), default=0)
    if measured.recorded:
        return tr("Recorded on {cores} cores on {day}: {text}, seeds: {seeds}", cores=measured.cores,
                  day=measured.recorded, text=measured.text, seeds=seeds)
    return tr("Trained here, in memory (at most {memory}): {text}, seeds: {seeds}",
              memory=size(measured.memory_bytes), text=measured.text, seeds=seeds)


def _legend() -> Flow:
    return Flow(*((swatch(key), label(words, "muted")) for key, words in (
        ("points", tr("Mean and standard deviation over seeds")), ("fitted", tr("Fit ± 1 standard error")),
        ("kaplan", tr("Slope of Kaplan et al.")), ("chinchilla", tr("Slope of Hoffmann et al.")))), spacing=8)


def _lines(points: Sequence[SizePoint]) -> Iterator[tuple[str, list[str]]]:
    """Yield the name of a line, and its figure for each size."""
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
