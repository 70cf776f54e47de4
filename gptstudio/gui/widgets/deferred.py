"""Deferred creation of widgets when they are first shown or requested, and the Tab order of windows with such widgets.

Qt appends a new widget to the end of its window's focus chain. The chain itself is left unchanged, because
``QWidget.setTabOrder`` omits the tab bar of a QTabWidget, which is its focus proxy, and then Tab does not cycle through
the window.
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
    """Signal for controls that are created after their window, such as the contents of a dialog or a pane."""

    made = Signal()
    """Emitted when new controls have been created."""


late = Late()


class Deferred(QWidget, Generic[W]):
    """Container of a widget that ``make`` creates when the container is first shown. With ``lines``, the widget is
    created only on request; until then the container is at least as wide and as high as that number of lines of text,
    so that nothing moves when the widget appears."""

    made = Signal()

    def __init__(self, make: Callable[[], W], lines: int = 0) -> None:
        super().__init__()
        self._column = vbox()
        with_layout(self, self._column)
        self._make: Callable[[], W] | None = make
        self._lines = lines
        self.made_widget: W | None = None
        """The widget, once it has been created."""

    @property
    def widget(self) -> W:
        """The widget, created now if necessary."""
        if self._make is not None:
            make, self._make = self._make, None
            self.made_widget = make()
            self._column.addWidget(self.made_widget)
            self.made_widget.show()  # otherwise a child of a visible widget stays hidden
            self.made.emit()
            late.made.emit()
        if self.made_widget is None:
            raise RuntimeError("it is being made")
        return self.made_widget

    def if_made(self, act: Callable[[W], object]) -> None:
        """Call a function with the widget, provided that it has been created."""
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
    """Create all deferred widgets inside a widget; return whether there were any to create."""
    made = False
    while waiting := [place for place in room.findChildren(Deferred) if place.made_widget is None]:
        for place in waiting:
            _ = place.widget
        made = True
    return made


def focus_next(window: QWidget, forward: bool) -> bool:
    """Give the focus to the next widget in a window, or to the previous one; return whether there is another one."""
    current = window.focusWidget() or window
    order = list(_tab_order(window, current))
    if len(order) < 2:
        return False
    # The widget may have been moved into another window. Checked first, since an exception raised by C code, as by
    # list.index, in a method that Qt calls, as focusNextPrevChild is, crashes Shiboken 6.11.3 on Python 3.11.
    at = order.index(current) if current in order else 0
    reached = order[(at + (1 if forward else -1)) % len(order)]
    reached.setFocus(Qt.FocusReason.TabFocusReason if forward else Qt.FocusReason.BacktabFocusReason)
    return True


def _tab_order(window: QWidget, current: QWidget) -> Iterator[QWidget]:
    """Return the widgets that Tab reaches, including ``current``, in their order."""
    places, needed = window.findChildren(Deferred)[::-1], _needed_policy()  # nested ones first
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
    """Return the required focus policy; if Tab reaches only texts and lists, as on a Mac, it includes clicks."""
    everything = QGuiApplication.styleHints().tabFocusBehavior() == Qt.TabFocusBehavior.TabFocusAllControls
    return Qt.FocusPolicy.TabFocus if everything else Qt.FocusPolicy.StrongFocus


def _takes_tab(widget: QWidget, needed: Qt.FocusPolicy) -> bool:
    """Return whether Tab reaches a widget; one with a focus proxy is skipped, since the proxy is reached."""
    return (widget.isVisible() and widget.isEnabled() and widget.focusPolicy() & needed == needed
            and widget.focusProxy() is None and not widget.isWindow())
