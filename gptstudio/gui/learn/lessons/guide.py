"""The card at the foot of the window that tells a lesson."""

from __future__ import annotations

from collections.abc import Collection

from PySide6.QtCore import QRect, QRectF, QSize, Qt
from PySide6.QtGui import QPainter, QPen
from PySide6.QtWidgets import QFrame, QLabel, QSizePolicy, QWidget

from gptstudio.gui.canvas.canvas import Canvas
from gptstudio.gui.canvas.writing import draw_with
from gptstudio.gui.theme import colour
from gptstudio.gui.translation import joined, tr
from gptstudio.gui.widgets.layouts import grows, hbox, holding, in_column, vbox
from gptstudio.gui.widgets.parts import Notice, button, label, named, restyle, scrolling
from gptstudio.labs.lesson import Lesson

LINES_SHOWN = 7  # lines of text that are seen at once, the title with them; the rest is scrolled to

PADDING = 9  # above and below the words of a recommended button; the other is as high, so that nothing moves


class Guide(QFrame):
    """Card with the step, the state of its check and further notes; ``back``, ``next`` and ``end`` are its buttons."""

    def __init__(self) -> None:
        super().__init__()
        named(self, "lesson_guide", tr("Lesson"))
        self.setProperty("card", True)
        self._make_head()
        self._make_body()
        holding(self, vbox(self._head, grows(self._body), spacing=6, margins=(14, 8, 14, 8)))

    def show_step(self, lesson: Lesson, index: int, reached: Collection[int]) -> None:
        step, count = lesson.steps[index], len(lesson.steps)
        self.lesson_title.setText(lesson.title)
        self.count.setText(tr("Step {n} of {count}", n=index + 1, count=count))
        self.minutes.setText(tr("{minutes} min in total", minutes=lesson.minutes))
        self.progress.show_steps(count, index, reached)
        self.title.setText(step.title)
        self.text.setText(step.text)
        self.task.setText(tr("Try: {what}", what=step.task) if step.task else "")
        self.task.setVisible(bool(step.task))
        self.back.setEnabled(index > 0)
        self.next.setMinimumHeight(self.fontMetrics().lineSpacing() + 2 * PADDING)
        self.next.setText(tr("Finish") if index == count - 1 else tr("Next"))
        for each in self._columns:
            each.verticalScrollBar().setValue(0)

    def show_check(self, words: str, open: bool) -> None:
        """Show the state of the check; the next step is always available, and emphasised when nothing is open."""
        self.check.setText(words)
        self.check.setVisible(bool(words))
        restyle(self.check, role="notice" if open else "figure")
        restyle(self.next, role="" if open else "primary")

    def show_notes(self, words: Collection[str]) -> None:
        self.notes.setText(joined("\n", *words) if words else "")

    def sizeHint(self) -> QSize:
        lines = LINES_SHOWN * self.fontMetrics().lineSpacing()
        return QSize(super().sizeHint().width(), self._head.sizeHint().height() + lines + 30)

    def minimumSizeHint(self) -> QSize:
        lines = 3 * self.fontMetrics().lineSpacing()
        return QSize(super().minimumSizeHint().width(), self._head.minimumSize().height() + lines + 22)

    def _make_head(self) -> None:
        self.lesson_title = label(role="muted", name="lesson_name", wrap=True)
        self.count, self.minutes = label(name="lesson_count"), label(role="muted", name="lesson_minutes")
        self.progress = Progress()
        self.end = button(tr("End lesson"), "lesson_end", tr("Restores the window as it was before the lesson"),
                          role="quiet")
        self.back = button(tr("Back"), "lesson_back", tr("Alt+Left"))
        self.next = button(tr("Next"), "lesson_next", tr("Alt+Right"), role="primary")
        self._head = hbox(self.count, self.progress, self.minutes, grows(self.lesson_title), self.end, self.back,
                         self.next, spacing=12)

    def _make_body(self) -> None:
        self.title, self.text = label(role="heading", name="lesson_title", wrap=True), _reading("lesson_text")
        self.task, self.check = _reading("lesson_try"), label(name="lesson_check", wrap=True)
        self.notes = Notice("lesson_notes", "notice")
        text = scrolling(in_column(QWidget(), self.title, self.text, spacing=6), "lesson_text_scroll")
        task = scrolling(in_column(QWidget(), self.task, self.check, self.notes, spacing=6), "lesson_try_scroll")
        self._columns = text, task
        for each in self._columns:
            each.setMinimumHeight(0)
        self._body = hbox(grows(text, 3), grows(task, 2), spacing=24)


def _reading(name: str) -> QLabel:
    """Words that can be marked and copied."""
    made = label(name=name, wrap=True)
    made.setTextInteractionFlags(Qt.TextInteractionFlag.TextSelectableByMouse)
    return made


class Progress(Canvas):
    """Marks of the steps: finished ones are filled, the current one is taller, later ones are outlines."""

    def __init__(self) -> None:
        super().__init__("lesson_progress", pointable=False)
        self._count, self._now = 0, 0
        self._reached: Collection[int] = ()
        self.setSizePolicy(QSizePolicy.Policy.Preferred, QSizePolicy.Policy.Fixed)

    def show_steps(self, count: int, now: int, reached: Collection[int]) -> None:
        self._count, self._now, self._reached = count, now, reached
        self.setAccessibleName(tr("Step {n} of {count}", n=now + 1, count=count))
        self.remeasure()

    def sizeHint(self) -> QSize:
        unit = self.fontMetrics().height()
        return QSize(min(self._count, 12) * unit, unit)

    def minimumSizeHint(self) -> QSize:
        return QSize(3 * self.fontMetrics().height(), self.fontMetrics().height())

    def paint(self, painter: QPainter, _region: QRect) -> None:
        width, middle = self.width() / max(1, self._count), self.height() / 2
        gap = min(2.0, width / 4)
        for step in range(self._count):
            half = self.height() * (0.32 if step == self._now else 0.18)
            behind = step < self._now or step in self._reached
            edge = QPen(colour("accent" if behind or step == self._now else "muted"), 1)
            draw_with(painter, edge, colour("accent") if behind else Qt.BrushStyle.NoBrush)
            painter.drawRoundedRect(QRectF(step * width + gap, middle - half, width - 2 * gap, 2 * half), 2, 2)
