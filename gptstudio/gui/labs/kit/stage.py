"""The room of the thing itself: scrolls where it is too small, or is as high as its inside on a page that scrolls."""

from __future__ import annotations

from PySide6.QtCore import QEvent, QObject, QSize
from PySide6.QtWidgets import QFrame, QScrollArea, QWidget

from gptstudio.gui.widgets.tall import Tall

LEAST_WIDTH, LEAST_HEIGHT, COLUMN = 22, 8, 17
"""In heights of a letter."""


class Words(Tall):
    """The column of words and controls: wide enough for a line that one likes to read."""

    def minimumSizeHint(self) -> QSize:
        least = super().minimumSizeHint()
        return QSize(max(least.width(), COLUMN * self.fontMetrics().height()), least.height())


class Stage(QScrollArea):
    """Both scroll bars, when they are needed."""

    def __init__(self, inside: QWidget, name: str):
        super().__init__()
        self.setObjectName(name)
        self.setWidgetResizable(True)
        self.setFrameShape(QFrame.Shape.NoFrame)
        self.setWidget(inside)
        inside.installEventFilter(self)
        self._inside, self._whole = inside, False

    def show_whole(self, whole: bool) -> None:
        """Whether the page scrolls, and this does not."""
        self._whole = whole
        self.updateGeometry()

    def eventFilter(self, watched: QObject, event: QEvent) -> bool:
        if event.type() == QEvent.Type.LayoutRequest:
            self.updateGeometry()
        return super().eventFilter(watched, event)

    def minimumSizeHint(self) -> QSize:
        letter = self.fontMetrics().height()
        inside = self._inside.minimumSizeHint() if self._whole else QSize(0, LEAST_HEIGHT * letter)
        bar = self.horizontalScrollBar().sizeHint().height()
        return QSize(LEAST_WIDTH * letter, inside.height() + bar)

    def sizeHint(self) -> QSize:
        return self.minimumSizeHint()
