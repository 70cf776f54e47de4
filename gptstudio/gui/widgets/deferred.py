"""Place of a widget that is made when it is first shown, or first asked for: few are seen each time."""

from __future__ import annotations

from collections.abc import Callable
from typing import Generic, TypeVar

from PySide6.QtCore import QObject, QSize, Signal
from PySide6.QtGui import QShowEvent
from PySide6.QtWidgets import QWidget

from gptstudio.gui.widgets.layouts import holding, vbox

W = TypeVar("W", bound=QWidget)


class Late(QObject):
    """Announces controls that are made after their window, such as those of a dialog or a pane."""

    made = Signal()
    """Emitted when there are controls that were not there before."""


late = Late()


class Deferred(QWidget, Generic[W]):
    """``make``: returns the widget. ``lines``: it is not made when shown, but only when asked for, and until then its
    place is as wide and as high at least as so many lines of text are high, so that nothing moves when it is made."""

    made = Signal()

    def __init__(self, make: Callable[[], W], lines: int = 0) -> None:
        super().__init__()
        self._column = vbox()
        holding(self, self._column)
        self._make: Callable[[], W] | None = make
        self._lines = lines
        self.there: W | None = None
        """The widget, once it has been made."""

    @property
    def widget(self) -> W:
        """The widget, made now if need be."""
        if self._make is not None:
            make, self._make = self._make, None
            self.there = make()
            self._column.addWidget(self.there)
            self.there.show()  # a child of a widget that is visible already stays hidden otherwise
            self.made.emit()
            late.made.emit()
        if self.there is None:
            raise RuntimeError("it is being made")
        return self.there

    def if_there(self, act: Callable[[W], object]) -> None:
        """Call a function with the widget, unless it has not been made."""
        if self.there is not None:
            act(self.there)

    def showEvent(self, event: QShowEvent) -> None:
        if not self._lines:
            _ = self.widget
        super().showEvent(event)

    def minimumSizeHint(self) -> QSize:
        side = 0 if self.there else self._lines * self.fontMetrics().height()
        return super().minimumSizeHint().expandedTo(QSize(side, side))


def make_inside(room: QWidget) -> bool:
    """Make all that a widget has places for; return whether there was any that had not been made."""
    made = False
    while waiting := [place for place in room.findChildren(Deferred) if place.there is None]:
        for place in waiting:
            _ = place.widget
        made = True
    return made
