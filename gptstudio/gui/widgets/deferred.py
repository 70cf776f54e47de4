"""Place of a widget that is made when it is first shown, or first asked for, and the order of the Tab key with such.

Qt puts a new widget behind all that its window had before. Its chain itself is left as it is: ``QWidget.setTabOrder``
omits the tab bar of a QTabWidget, which is its focus proxy, and Tab does not come round.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Callable, Iterator
from typing import Generic, TypeVar

from PySide6.QtCore import QObject, QSize, Qt, Signal
from PySide6.QtGui import QGuiApplication, QShowEvent
from PySide6.QtWidgets import QWidget

from gptstudio.gui.widgets.layouts import vbox, with_layout

W = TypeVar("W", bound=QWidget)


class Late(QObject):
    """Announces controls that are made after their window, such as those of a dialog or a pane."""

    made = Signal()
    """Emitted when there are controls that were not there before."""


late = Late()


class Deferred(QWidget, Generic[W]):
    """Place of a widget that ``make`` returns when it is first shown. With ``lines``, it is made only when asked for;
    until then its place is at least as wide and as high as that number of lines of text, so that nothing moves when it
    is made."""

    made = Signal()

    def __init__(self, make: Callable[[], W], lines: int = 0) -> None:
        super().__init__()
        self._column = vbox()
        with_layout(self, self._column)
        self._make: Callable[[], W] | None = make
        self._lines = lines
        self.made_widget: W | None = None
        """The widget, once it has been made."""

    @property
    def widget(self) -> W:
        """Widget, made now if necessary."""
        if self._make is not None:
            make, self._make = self._make, None
            self.made_widget = make()
            self._column.addWidget(self.made_widget)
            self.made_widget.show()  # a child of a widget that is visible already stays hidden otherwise
            self.made.emit()
            late.made.emit()
        if self.made_widget is None:
            raise RuntimeError("it is being made")
        return self.made_widget

    def if_made(self, act: Callable[[W], object]) -> None:
        """Call a function with the widget, unless it has not been made."""
        if self.made_widget is not None:
            act(self.made_widget)

    def showEvent(self, event: QShowEvent) -> None:
        if not self._lines:
            _ = self.widget
        super().showEvent(event)

    def minimumSizeHint(self) -> QSize:
        side = 0 if self.made_widget else self._lines * self.fontMetrics().height()
        return super().minimumSizeHint().expandedTo(QSize(side, side))


def make_inside(room: QWidget) -> bool:
    """Make all that a widget has places for; return whether there was any that had not been made."""
    made = False
    while waiting := [place for place in room.findChildren(Deferred) if place.made_widget is None]:
        for place in waiting:
            _ = place.widget
        made = True
    return made


def focus_next(window: QWidget, forward: bool) -> bool:
    """Give the keys to what comes next in a window, or before; return whether there is any."""
    current = window.focusWidget() or window
    order = list(_tab_order(window, current))
    if len(order) < 2:
        return False
    at = order.index(current) if current in order else 0  # it may have been moved into another window
    reached = order[(at + (1 if forward else -1)) % len(order)]
    reached.setFocus(Qt.FocusReason.TabFocusReason if forward else Qt.FocusReason.BacktabFocusReason)
    return True


def _tab_order(window: QWidget, current: QWidget) -> Iterator[QWidget]:
    """Yield ``current`` and what Tab comes to from there."""
    places, needed = window.findChildren(Deferred)[::-1], _needed_policy()  # a place inside of another comes before it
    inside = defaultdict[QWidget | None, list[QWidget]](list)
    for each in _chain(window):
        if each is current or isinstance(each, Deferred) or _takes_tab(each, needed):
            around = (place for place in places if place is not each and place.isAncestorOf(each))
            inside[next(around, None)].append(each)

    def spread(widgets: list[QWidget]) -> Iterator[QWidget]:
        for each in widgets:
            if isinstance(each, Deferred):
                yield from spread(inside[each])
            else:
                yield each

    return spread(inside[None])


def _chain(window: QWidget) -> Iterator[QWidget]:
    yield window
    at = window.nextInFocusChain()
    while at and at is not window:
        yield at
        at = at.nextInFocusChain()


def _needed_policy() -> Qt.FocusPolicy:
    """Return what a widget must accept: where Tab goes through texts and lists alone, as on a Mac, clicks too."""
    everything = QGuiApplication.styleHints().tabFocusBehavior() == Qt.TabFocusBehavior.TabFocusAllControls
    return Qt.FocusPolicy.TabFocus if everything else Qt.FocusPolicy.StrongFocus


def _takes_tab(widget: QWidget, needed: Qt.FocusPolicy) -> bool:
    """Return whether Tab comes to a widget: not to one with a focus proxy, which has a turn of its own."""
    return (widget.isVisible() and widget.isEnabled() and widget.focusPolicy() & needed == needed
            and widget.focusProxy() is None and not widget.isWindow())
