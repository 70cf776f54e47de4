"""A painting whose parts can be pointed at, by the mouse or the arrow keys."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping

from PySide6.QtCore import QEvent, QPointF, QRectF, Qt, Signal
from PySide6.QtGui import QFocusEvent, QHelpEvent, QKeyEvent, QMouseEvent
from PySide6.QtWidgets import QToolTip, QWidget

from gptstudio.gui.learn.kit.grid import Cell
from gptstudio.gui.theme import theme
from gptstudio.gui.widgets.parts import named, plain

STEPS = {Qt.Key.Key_Up: (-1, 0), Qt.Key.Key_Down: (1, 0), Qt.Key.Key_Left: (0, -1), Qt.Key.Key_Right: (0, 1)}
TABS = (Qt.FocusReason.TabFocusReason, Qt.FocusReason.BacktabFocusReason)


class Pointed(QWidget):
    """Each part has a row and a column, and a box of its own; tells which of them is pointed at."""

    pointed = Signal(object)  # Cell, or None

    def __init__(self, name: str, accessible: str) -> None:
        super().__init__()
        named(self, name, accessible)
        self.cell: Cell | None = None
        """That is pointed at."""
        self.lit: frozenset[Cell] = frozenset()
        self.explain: Callable[[Cell], str] = str
        """Function that returns the tooltip of a part."""
        self._last: Cell | None = None
        self.setFocusPolicy(Qt.FocusPolicy.StrongFocus)
        self.setMouseTracking(True)
        theme.changed.connect(self._remeasure)

    def boxes(self) -> Mapping[Cell, QRectF]:
        """Return the rectangles of the parts."""
        return {}

    def light(self, cells: Iterable[Cell]) -> None:
        """Marks these parts, and no others."""
        self.lit = frozenset(cells)
        self.update()

    def mouseMoveEvent(self, event: QMouseEvent) -> None:
        self._point_at(self.at(event.position()))

    def leaveEvent(self, _event: QEvent) -> None:
        self._point_at(None)

    def focusInEvent(self, event: QFocusEvent) -> None:
        super().focusInEvent(event)
        if event.reason() in TABS:
            self._point_at(self._last if self._last in self.boxes() else next(iter(self.boxes()), None))

    def focusOutEvent(self, event: QFocusEvent) -> None:
        super().focusOutEvent(event)
        self._point_at(None)

    def keyPressEvent(self, event: QKeyEvent) -> None:
        step, boxes = STEPS.get(Qt.Key(event.key())), self.boxes()
        if step is None or not boxes:
            super().keyPressEvent(event)
            return
        begin = self.cell or self._last
        aim = Cell(begin.row + step[0], begin.column + step[1]) if begin else next(iter(boxes))
        if aim in boxes:
            self._point_at(aim)

    def event(self, event: QEvent) -> bool:
        if isinstance(event, QHelpEvent) and event.type() == QEvent.Type.ToolTip:
            cell = self.at(QPointF(event.pos()))
            QToolTip.showText(event.globalPos(), plain(self.explain(cell)) if cell else "", self)
            return True
        return super().event(event)

    def changeEvent(self, event: QEvent) -> None:
        super().changeEvent(event)
        if event.type() in (QEvent.Type.FontChange, QEvent.Type.StyleChange):
            self._remeasure()

    def at(self, point: QPointF) -> Cell | None:
        """The part that lies there."""
        return next((cell for cell, box in self.boxes().items() if box.contains(point)), None)

    def _point_at(self, cell: Cell | None) -> None:
        if cell == self.cell:
            return
        self.cell, self._last = cell, cell or self._last
        self.setAccessibleDescription(self.explain(cell) if cell else "")
        self.update()
        self.pointed.emit(cell)

    def _remeasure(self) -> None:
        """Something else is shown, or larger: what is pointed at may be no more."""
        if self.cell and self.cell not in self.boxes():
            self._point_at(None)
        self.updateGeometry()
        self.update()
