"""Minutes of a lesson beside its plan: those of the step as a quiet ring, and the offer to skip a step when late."""

from __future__ import annotations

import time
from collections import defaultdict
from itertools import accumulate

from PySide6.QtCore import QRect, QRectF, QSize, Qt, QTimer
from PySide6.QtGui import QHideEvent, QPainter, QPen, QShowEvent
from PySide6.QtWidgets import QSizePolicy, QWidget

from gptstudio.gui.canvas.canvas import Canvas
from gptstudio.gui.theme import colour
from gptstudio.gui.translation import tr
from gptstudio.gui.widgets.layouts import FREE, hbox, holding, vbox
from gptstudio.gui.widgets.parts import button, label
from gptstudio.labs.lesson import Lesson

EVERY_MS = 15_000
"""Time between two updates; an idle window does next to nothing."""


class PlanClock(QWidget):
    """Shows how many minutes of the step and of the lesson are over since it was opened. ``offer``: says how late one
    is on a step that can be skipped; hidden otherwise. Its button is ``skip``."""

    def __init__(self) -> None:
        super().__init__()
        self._minutes: tuple[float, ...] = (1.0,)
        self._total, self._index, self._optional = 1, 0, False
        self._spent: defaultdict[int, float] = defaultdict(float)  # minutes, of earlier visits to each step
        self._ring, self._words = Ring(), label(role="muted", name="lesson_minutes")
        self._late = label(role="muted", name="lesson_late", wrap=True)
        self.skip = button(tr("Skip this step"), "lesson_skip", tr("Continues with the next step"), "quiet")
        self.offer = holding(QWidget(), vbox(self._late, hbox(self.skip, FREE), spacing=0))
        self._timer = QTimer(self, interval=EVERY_MS, timerType=Qt.TimerType.VeryCoarseTimer)
        self._timer.timeout.connect(self._show)
        holding(self, hbox(self._ring, self._words, spacing=8))
        self.begin()

    def begin(self) -> None:
        """Count from now on."""
        self._opened = self._arrived = time.monotonic()
        self._spent.clear()

    def show_step(self, lesson: Lesson, index: int) -> None:
        """Count the minutes of a step."""
        self._spent[self._index] += _minutes_since(self._arrived)
        self._arrived, self._index = time.monotonic(), index
        self._minutes, self._total = lesson.step_minutes, lesson.minutes
        self._optional = lesson.steps[index].optional
        self.show()
        self._show()

    def rest(self) -> None:
        """Show nothing: the lesson is at its end."""
        for each in (self, self.offer):
            each.hide()

    @property
    def behind(self) -> float:
        """Minutes behind the plan: as one came to this step, or since it should have ended; below 0 ahead of it."""
        end, now = list(accumulate(self._minutes))[self._index], _minutes_since(self._opened)
        arrived = now - _minutes_since(self._arrived)
        return max(arrived - (end - self._minutes[self._index]), now - end)

    def showEvent(self, event: QShowEvent) -> None:
        super().showEvent(event)
        self._timer.start()
        self._show()

    def hideEvent(self, event: QHideEvent) -> None:
        super().hideEvent(event)
        self._timer.stop()

    def _show(self) -> None:
        planned, behind = self._minutes[self._index], self.behind
        spent, done = self._spent[self._index] + _minutes_since(self._arrived), int(_minutes_since(self._opened))
        self._words.setText(tr("{done} of {minutes} min", done=done, minutes=self._total))
        self._ring.show_share(spent / planned if planned else 1.0, tr(
            "This step: {spent} of {planned} min. Lesson: {done} of {minutes} min since it was opened.",
            spent=int(spent), planned=f"{planned:.3g}", done=done, minutes=self._total))
        self._words.setToolTip(self._ring.toolTip())
        self._late.setText(tr("You are {n} min behind the plan; this step can be skipped.", n=round(behind)))
        self.offer.setVisible(self._optional and behind > planned)


class Ring(Canvas):
    """Ring of which a share is drawn darker."""

    def __init__(self) -> None:
        super().__init__("lesson_ring", pointable=False)
        self._share = 0.0
        self.setSizePolicy(QSizePolicy.Policy.Fixed, QSizePolicy.Policy.Fixed)

    def show_share(self, share: float, words: str) -> None:
        """Show a share, at most all of it, which ``words`` say."""
        self._share = min(1.0, share)
        self.setAccessibleName(words)
        self.setToolTip(words)
        self.update()

    def sizeHint(self) -> QSize:
        side = self.fontMetrics().height()
        return QSize(side, side)

    def minimumSizeHint(self) -> QSize:
        return self.sizeHint()

    def paint(self, painter: QPainter, _region: QRect) -> None:
        wide = max(2.0, self.height() / 7)
        room = QRectF(self.rect()).adjusted(wide, wide, -wide, -wide)
        for ink, share in (("line", 1.0), ("muted", self._share)):
            painter.setPen(QPen(colour(ink), wide, c=Qt.PenCapStyle.FlatCap))
            painter.drawArc(room, 90 * 16, round(-360 * 16 * share))


def _minutes_since(start: float) -> float:
    return (time.monotonic() - start) / 60
