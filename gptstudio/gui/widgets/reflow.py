"""Layout of widgets beside each other if there is space, otherwise below each other: text may be large."""

from __future__ import annotations

from collections.abc import Collection, Sequence

from PySide6.QtCore import QEvent, QSize, Signal
from PySide6.QtWidgets import QBoxLayout, QWidget

BESIDE = QBoxLayout.Direction.LeftToRight
BELOW, ABOVE = QBoxLayout.Direction.TopToBottom, QBoxLayout.Direction.BottomToTop


class _Row(QBoxLayout):
    """Asks for the height that its widgets say they need. By their width a page would give them all they could use."""

    def hasHeightForWidth(self) -> bool:
        return False


class Reflow(QWidget):
    """As wide at least as the widest of its widgets, which is less than a row of them asks for."""

    turned = Signal(bool)
    """True: they are not beside each other any more."""

    def __init__(
        self,
        *widgets: QWidget,
        stretch: Collection[QWidget] = (),
        spacing: int = 8,
        narrow: QBoxLayout.Direction = BELOW,
        least: int = 0,
        shares: Sequence[int] = (),
    ):
        """Create the layout. ``stretch``: widgets that share the remaining space. ``narrow``: place of the last, BELOW
        or
        ABOVE. ``least``: the width, in character heights, below which they are always below each other. ``shares``: of
        each widget in the space left over, where they are not equal."""
        super().__init__()
        self._narrow, self._least = narrow, least
        self._box = _Row(BESIDE, self)
        self._box.setContentsMargins(0, 0, 0, 0)
        self._box.setSpacing(spacing)
        for widget in widgets:
            self._box.addWidget(widget, 1 if widget in stretch else 0)
        for place, share in enumerate(shares):
            self._box.setStretch(place, share)

    def minimumSizeHint(self) -> QSize:
        return QSize(max(self._widths(), default=0), self._box.minimumSize().height())

    def event(self, event: QEvent) -> bool:
        handled = super().event(event)
        if event.type() in (QEvent.Type.Resize, QEvent.Type.LayoutRequest):
            self._turn()
        return handled

    def _turn(self) -> None:
        widths = self._widths()
        room = self.width() - self._box.spacing() * (len(widths) - 1)
        wide = sum(widths) <= room and self.width() >= self._least * self.fontMetrics().height()
        direction = BESIDE if wide else self._narrow
        if direction != self._box.direction():
            self._box.setDirection(direction)
            self.updateGeometry()
            self.turned.emit(direction != BESIDE)

    def _widths(self) -> list[int]:
        """The least widths of those that are shown."""
        items = (self._box.itemAt(index) for index in range(self._box.count()))
        return [item.minimumSize().width() for item in items if item and not item.isEmpty()]


class Frugal(Reflow):
    """Asks for the height that its widgets need, and not for what words in a narrow column would like."""

    def sizeHint(self) -> QSize:
        return QSize(super().sizeHint().width(), self.minimumSizeHint().height())
