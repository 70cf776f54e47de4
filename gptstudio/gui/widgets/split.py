"""Two parts below each other, and between them a grip that can be dragged."""

from __future__ import annotations

from PySide6.QtCore import QRectF, Qt
from PySide6.QtGui import QPainter, QPaintEvent
from PySide6.QtWidgets import QSplitter, QSplitterHandle, QWidget

from gptstudio.gui.theme import colour
from gptstudio.gui.translation import tr

GRIP = 36, 3
"""Its width and height, in pixels."""


class _Grip(QSplitterHandle):
    """A short line, so that one sees that there is something to drag."""

    def paintEvent(self, _event: QPaintEvent) -> None:
        width, height = GRIP
        painter = QPainter(self)
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        painter.setPen(Qt.PenStyle.NoPen)
        painter.setBrush(colour("muted" if self.underMouse() else "line"))
        middle = QRectF(self.rect()).center()
        painter.drawRoundedRect(QRectF(middle.x() - width / 2, middle.y() - height / 2, width, height), 1.5, 1.5)


class Split(QSplitter):
    """Neither part can be dragged away altogether."""

    def __init__(self, above: QWidget, below: QWidget, shares: tuple[int, int]) -> None:
        """``shares``: how the height is divided at the start, and what comes to it later."""
        super().__init__(Qt.Orientation.Vertical)
        self.setChildrenCollapsible(False)
        self.setHandleWidth(12)
        for index, (part, share) in enumerate(zip((above, below), shares, strict=True)):
            self.addWidget(part)
            self.setStretchFactor(index, share)
        self.setSizes([1_000 * share for share in shares])
        self.handle(1).setToolTip(tr("Drag to resize the two parts."))

    def createHandle(self) -> QSplitterHandle:
        return _Grip(self.orientation(), self)
