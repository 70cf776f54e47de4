"""Worksheet of a lesson on paper: its questions with space to write, and its goals as check boxes."""

from __future__ import annotations

import xml.etree.ElementTree as ET
from collections.abc import Iterator
from pathlib import Path

from PySide6.QtCore import Qt
from PySide6.QtGui import QImage, QPainter, QPen

from gptstudio.gui.learn.lessons.telling import goal_text
from gptstudio.gui.translation import tr
from gptstudio.gui.widgets import pdf
from gptstudio.history.report.page import element
from gptstudio.labs.lesson import Lesson, LessonStep

LINES = 2
"""Empty lines below a question."""
BOX, WIDE, SHARPNESS = "box.png", 12, 4
"""Name of the picture of a box in the page, its side there in pixels, and its pixels for each of them."""


def save_worksheet(lesson: Lesson, path: Path) -> None:
    """Write the worksheet as PDF.

    Raises:
        UserError: the file cannot be written; nothing of it is left.
    """
    parts: list[ET.Element] = [element("h1", lesson.title)]
    if lesson.about:
        parts.append(element("p", lesson.about, class_="muted"))
    parts += [element("p", tr("Your name or your pair's")), _line()]
    for number, step in enumerate(lesson.steps, 1):
        if step.predict or step.check:
            parts += _step(number, step)
    parts += [element("h2", tr("What did you see?")), *(_line() for _ in range(LINES))]
    pdf.save(element("body", *parts), lesson.title, path, {BOX: _box()})


def _step(number: int, step: LessonStep) -> Iterator[ET.Element]:
    yield element("h2", tr("{n}. {title}", n=number, title=step.title))
    if step.predict:
        yield element("p", step.predict.question)
        if step.predict.choices:
            yield from map(_to_tick, step.predict.choices)
        else:
            yield from (_line() for _ in range(LINES))
    if step.check:
        yield _to_tick(tr("Goal: {goal}", goal=goal_text(step)))


def _to_tick(text: str) -> ET.Element:
    """Return a paragraph with a box to tick. The box is a picture, since fonts may lack the sign."""
    return element("p", element("img", src=BOX, width=WIDE, height=WIDE), f"\N{NO-BREAK SPACE} {text}")


def _box() -> QImage:
    image = QImage(WIDE * SHARPNESS, WIDE * SHARPNESS, QImage.Format.Format_RGB32)
    image.fill(Qt.GlobalColor.white)
    painter = QPainter(image)
    painter.setPen(QPen(Qt.GlobalColor.black, SHARPNESS))
    painter.drawRect(image.rect().adjusted(SHARPNESS, SHARPNESS, -2 * SHARPNESS, -2 * SHARPNESS))
    painter.end()
    return image


def _line() -> ET.Element:
    """Return a line to write on."""
    line = element("td", "\N{NO-BREAK SPACE}", width="100%",
                   style="border-bottom: 1px solid #5b6475; padding-top: 10px;")
    return element("table", element("tr", line), width="100%", cellspacing=0)
