"""Row of one sampling stage: its drag handle, and its slider."""

from __future__ import annotations

from functools import partial

from PySide6.QtCore import QPoint, QRectF, Qt, Signal
from PySide6.QtGui import QKeySequence, QMouseEvent, QPainter, QShortcut
from PySide6.QtWidgets import QApplication, QWidget

from gptstudio.gui.canvas.swatch import Swatch
from gptstudio.gui.generate.stages import stage_texts
from gptstudio.gui.generate.stages.param_slider import ParamSlider
from gptstudio.gui.generate.stages.stage_order import paint_grip
from gptstudio.gui.translation import joined, tr
from gptstudio.gui.widgets.layouts import grows, holding, row

GRIP, GAP = 10, 4
"""Pixels: the width of the drag handle; from there to the slider."""


class ParamRow(QWidget):
    """Dragged by its grip or its name. Tells where it is dragged to, in pixels from the top of what it lies in."""

    dragged = Signal(int)
    dropped = Signal()
    shifted = Signal(int)
    """By the keyboard: -1 up, 1 down."""

    def __init__(self, stage: str, param: ParamSlider):
        super().__init__()
        self.param = param
        self._pressed: QPoint | None = None
        grip = Swatch(_paint_grip, GRIP, 0, pixels=True, grows=True)
        grip.setCursor(Qt.CursorShape.OpenHandCursor)
        holding(self, row(grip, grows(param), spacing=GAP))
        drag = tr("Drag, or press Alt and an arrow key, to apply it earlier or later.")
        param.setToolTip(joined("\n", stage_texts.title(stage), stage_texts.help_of(stage)))
        grip.setToolTip(drag)
        for part in (param.slider, param.number):
            part.setAccessibleDescription(drag)
        for keys, by in (("Alt+Up", -1), ("Alt+Down", 1)):
            shortcut = QShortcut(QKeySequence(keys), self, context=Qt.ShortcutContext.WidgetWithChildrenShortcut)
            shortcut.activated.connect(partial(self.shifted.emit, by))

    def one_line_width(self, name: int) -> int:
        """Needed at least with a name of so many pixels."""
        return GRIP + GAP + self.param.one_line_width(name)

    def two_lines_width(self) -> int:
        return GRIP + GAP + self.param.two_lines_width()

    def mousePressEvent(self, event: QMouseEvent) -> None:
        if event.button() == Qt.MouseButton.LeftButton:
            self._pressed = event.position().toPoint()

    def mouseMoveEvent(self, event: QMouseEvent) -> None:
        place = event.position().toPoint()
        if self._pressed and (place - self._pressed).manhattanLength() >= QApplication.startDragDistance():
            self.dragged.emit(self.mapToParent(place).y())

    def mouseReleaseEvent(self, _event: QMouseEvent) -> None:
        self._pressed = None
        self.dropped.emit()


def _paint_grip(painter: QPainter, place: QRectF, _letter: int) -> None:
    paint_grip(painter, QRectF(1, place.height() / 2 - 5, 6, 11))
