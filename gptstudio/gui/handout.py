"""Handout of a learner: one printed page with the name, the curve, a guess, two samples and a figure."""

from __future__ import annotations

import xml.etree.ElementTree as ET
from collections.abc import Iterator
from pathlib import Path

from PySide6.QtCore import QByteArray, Qt
from PySide6.QtGui import QImage, QPainter
from PySide6.QtSvg import QSvgRenderer

from gptstudio.gui.translation import percent, tr
from gptstudio.gui.widgets import pdf
from gptstudio.history.guesses import Guess
from gptstudio.history.report.page import Chart, cut, element, isolated, written
from gptstudio.history.report.sections import HIGHEST_LOSS, loss_curves
from gptstudio.history.run_data import LearnerData, RunData

CURVE, WIDE, SHARPNESS = "curve.png", 640, 3
"""Name of the picture of the curve in the page, its width there in pixels, and its pixels for each of them."""
NO_BREAK = "\N{NO-BREAK SPACE}"
LONGEST = 320
"""Characters of a sample on the page."""
INK = {"batch": "#8a93a3", "training": "#0067a5", "validation": "#c05600"}
"""Colours of the curves on paper."""
COLOURS = f"""svg text {{ fill: #5b6475; font-size: 12px; }}
.end {{ text-anchor: end; }} .middle {{ text-anchor: middle; }}
.grid {{ stroke: #d9dde5; }} .axis {{ stroke: #5b6475; }} .curve {{ fill: none; stroke-width: 2; }}
.batch {{ stroke: {INK["batch"]}; stroke-width: 1; }} .training {{ stroke: {INK["training"]}; }}
.validation {{ stroke: {INK["validation"]}; stroke-dasharray: 9 3; }}"""


def save_handout(data: LearnerData, path: Path) -> None:
    """Write the page of a learner as PDF, in the language of the window.

    Args:
        data: of a run, or of lessons alone, which have no curve and no samples.

    Raises:
        UserError: the file cannot be written; nothing of it is left.
    """
    name = data.learner.name if data.learner else ""
    run = data if isinstance(data, RunData) else None
    title = name or (run.name if run else "") or tr("Lessons")
    curves = loss_curves(run.history(), tr) if run else []
    chart = Chart("", curves, (), tr("Steps"), 230, HIGHEST_LOSS, WIDE)
    parts = [element("h1", cut(title, 120))]
    if run and name and run.record.title:
        parts.append(element("p", isolated(run.name), class_="muted"))
    parts += _section(tr("What did you see?"), data.learner.words if data.learner else "")
    if figure := own_figure(data):
        parts.append(element("p", element("b", figure)))
    if not chart.is_empty:
        names = [element("span", f"{each.name}{3 * NO_BREAK}", style=f"color: {INK[each.role]};") for each in curves]
        parts += [element("h2", tr("Loss (nats per token)")), element("p", *names),
                  element("p", element("img", src=CURVE, width=WIDE))]
    if guess := best_guess(data):
        right = tr("{sign} You guessed {guess}, and that is right.", sign="✓", guess=guess.guess)
        wrong = tr("You guessed {guess}; it is {truth}.", guess=guess.guess, truth=guess.answer)
        words = tr("{question} {guess}", question=guess.question, guess=right if guess.right else wrong)
        parts += _section(tr("A guess"), words)
    samples = run.samples if run else ()
    headings = (tr("First sample"), tr("Last sample")) if len(samples) > 1 else (tr("Last sample"),)
    for heading, sample in zip(headings, samples, strict=False):
        parts += _section(heading, cut(sample, LONGEST))
    pdf.save(element("body", *parts), title, path, {CURVE: _picture(chart)})


def own_figure(data: LearnerData) -> str:
    """Return one figure of a learner: the best loss or else the copied share of a run, or the goals reached."""
    if isinstance(data, RunData) and data.best:
        return tr("Lowest validation loss: {loss}, after step {n}", loss=f"{data.best.val_loss:.3f}",
                  n=f"{data.best.step + 1:,}")
    if isinstance(data, RunData) and data.copied_share is not None:
        return tr("Copied from the training text: {share}", share=percent(data.copied_share))
    reached, count = data.goals_reached
    return tr("Goals reached: {n} of {count}.", n=reached, count=count) if count else ""


def best_guess(data: LearnerData) -> Guess | None:
    """Return the newest right guess, otherwise the number that is nearest to its answer; None where there is none."""
    made = [guess for lesson in reversed(data.guesses) for guess in reversed(lesson.guesses)
            if guess.guess and guess.answer]
    right = next((each for each in made if each.right), None)
    return right or min(made, key=_distance, default=None)


def _distance(guess: Guess) -> float:
    """Return how far a number is from its answer, relative to that; 1 or more for words."""
    try:
        truth = float(guess.answer)
        return min(abs(float(guess.guess) - truth) / abs(truth), 1.0) if truth else 1.0
    except ValueError:
        return 2.0


def _section(heading: str, words: str) -> Iterator[ET.Element]:
    if words:
        yield element("h2", heading)
        yield element("p", words)


def _picture(chart: Chart) -> QImage:
    """Return the curve, drawn as in a report."""
    drawing = chart.drawn().find("svg")
    if drawing is None:
        raise ValueError("a chart without a drawing")
    drawing.set("xmlns", "http://www.w3.org/2000/svg")
    drawing.insert(0, element("style", COLOURS))
    renderer = QSvgRenderer(QByteArray(written(drawing).encode()))
    image = QImage(renderer.defaultSize() * SHARPNESS, QImage.Format.Format_RGB32)
    image.fill(Qt.GlobalColor.white)
    painter = QPainter(image)
    renderer.render(painter)
    painter.end()
    return image
