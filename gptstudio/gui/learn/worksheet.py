"""Worksheet of a lesson on paper: its questions with space to write, and its goals as check boxes."""

from __future__ import annotations

import xml.etree.ElementTree as ET
from collections.abc import Iterator
from pathlib import Path

from gptstudio.gui.learn.lessons.telling import goal_text
from gptstudio.gui.translation import tr
from gptstudio.gui.widgets import pdf
from gptstudio.history.report.page import Child, element
from gptstudio.labs.lesson import Lesson, LessonStep

LINES = 2
"""Empty lines below a question."""


def save_worksheet(lesson: Lesson, path: Path) -> None:
    """Write the worksheet as PDF.

    Raises:
        UserError: the file cannot be written; nothing of it is left.
    """
    parts: list[ET.Element] = [element("h1", lesson.title)]
    if lesson.about:
        parts.append(element("p", lesson.about, class_="muted"))
    parts.append(_line(tr("Your name or your pair's")))
    for number, step in enumerate(lesson.steps, 1):
        if step.predict or step.check:
            parts += _step(number, step)
    parts += [element("h2", tr("What did you see?")), *(_line() for _ in range(LINES))]
    pdf.save(element("body", *parts), lesson.title, path)


def _step(number: int, step: LessonStep) -> Iterator[ET.Element]:
    yield element("h2", tr("{n}. {title}", n=number, title=step.title))
    if step.predict:
        yield element("p", step.predict.question)
        if step.predict.choices:
            yield _boxes(*step.predict.choices)
        else:
            yield from (_line() for _ in range(LINES))
    if step.check:
        yield _boxes(tr("Goal: {goal}", goal=goal_text(step)))


def _boxes(*texts: str) -> ET.Element:
    """Return a table with a box to tick before each text. Its frame is drawn, since fonts may lack the sign."""
    rows = (element("tr", element("td", _frame(), width=24), element("td", text)) for text in texts)
    return element("table", *rows, cellspacing=0, cellpadding=3)


def _frame() -> ET.Element:
    cell = element("td", "\N{NO-BREAK SPACE}\N{NO-BREAK SPACE}")
    return element("table", element("tr", cell), border=1, cellspacing=0, cellpadding=0)


def _line(label: str = "") -> ET.Element:
    """Return a line to write on, after a label or over the whole width."""
    blank: Child = "\N{NO-BREAK SPACE}"
    cells = [element("td", label)] if label else []
    line = element("td", blank, width="100%", style="border-bottom: 1px solid #5b6475; padding-top: 12px;")
    return element("table", element("tr", *cells, line), width="100%", cellspacing=0)
