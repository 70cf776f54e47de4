"""Order of the Tab key: Qt's focus chain, in which what was made late comes where its place is.

Qt puts a new widget behind all that its window had before. The chain itself is left as it is: ``QWidget.setTabOrder``
leaves the tab bar of a QTabWidget, which is its focus proxy, behind, and Tab does not come round.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterator

from PySide6.QtCore import Qt
from PySide6.QtGui import QGuiApplication
from PySide6.QtWidgets import QWidget

from gptstudio.gui.widgets.deferred import Deferred


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
