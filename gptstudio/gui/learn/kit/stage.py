"""Area of the demonstration: scrolls if it is too small, or is as high as its content on a page that scrolls."""

from __future__ import annotations

import math

from PySide6.QtCore import QSize, Qt, Signal
from PySide6.QtGui import QFontInfo, QResizeEvent
from PySide6.QtWidgets import QFrame, QWidget

from gptstudio.gui.widgets.parts import ScrollColumn
from gptstudio.gui.widgets.tall import Tall

LEAST_WIDTH, LEAST_HEIGHT, COLUMN = 22, 8, 17  # in heights of a letter
WIDE, HIGH, LARGEST = 73, 50, 2.0
"""Page size that a stage is designed for, in character heights; the maximum text enlargement on a larger page."""


class Message(Tall):
    """The column of words and controls: wide enough for a line that one likes to read."""

    def minimumSizeHint(self) -> QSize:
        least = super().minimumSizeHint()
        return QSize(max(least.width(), COLUMN * self.fontMetrics().height()), least.height())


class Stage(ScrollColumn):
    """Both scroll bars, when they are needed."""

    resized = Signal()

    def __init__(self, inside: QWidget, name: str):
        super().__init__()
        self.setObjectName(name)
        self.setFocusPolicy(Qt.FocusPolicy.NoFocus)  # Tab reaches what is inside
        self.setWidgetResizable(True)
        self.setFrameShape(QFrame.Shape.NoFrame)
        self.setWidget(inside)
        self._inside = inside

    def fit_text(self, page: QSize) -> None:
        """Enlarge all text of the content as far as it fits: on a projector it is read from a distance."""
        letter = self.fontMetrics().height()
        room = min(page.width() / (WIDE * letter), page.height() / (HIGH * letter))
        factor = min(LARGEST, math.floor(10 * room) / 10)
        points = factor * QFontInfo(self.font()).pointSizeF()
        sheet = f"QWidget {{ font-size: {points:.1f}pt; }}" if factor > 1 else ""
        if sheet != self._inside.styleSheet():
            self._inside.setStyleSheet(sheet)

    def room(self) -> int:
        """Return the width of the content beside a scroll bar, whether or not there is one: wrapped text can make it
        appear, so whatever depends on the width must not depend on the bar."""
        return self.width() - self.verticalScrollBar().sizeHint().width()

    def resizeEvent(self, event: QResizeEvent) -> None:
        super().resizeEvent(event)
        self.resized.emit()

    def minimumSizeHint(self) -> QSize:
        letter = self.fontMetrics().height()
        height = self._inside.minimumSizeHint().height() if self.whole else LEAST_HEIGHT * letter
        return QSize(LEAST_WIDTH * letter, height + self.horizontalScrollBar().sizeHint().height())
