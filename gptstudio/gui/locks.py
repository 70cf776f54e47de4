"""Widgets that are hidden or locked, by a lesson or for good, and given back as they were."""

from __future__ import annotations

from typing import Any, NamedTuple

import shiboken6
from PySide6.QtCore import QEvent, QObject, QPoint, Qt
from PySide6.QtGui import QCursor, QHelpEvent, QMouseEvent, QShortcut
from PySide6.QtWidgets import QToolTip, QWidget

from gptstudio.gui.forms.field import FieldEditor
from gptstudio.gui.translation import tr
from gptstudio.gui.widgets.parts import ONE_CONTROL, restyle

LOCKED = "locked"
"""The property of a locked widget: by how many it is held."""

EXPLICIT = Qt.WidgetAttribute.WA_WState_ExplicitShowHide
KIND = QEvent.Type
SWALLOWED = {
    KIND.MouseButtonRelease, KIND.MouseButtonDblClick, KIND.MouseMove, KIND.ContextMenu,
    KIND.TabletPress, KIND.TabletMove, KIND.TabletRelease, KIND.TouchBegin, KIND.TouchUpdate, KIND.TouchEnd,
    KIND.NativeGesture, KIND.Gesture, KIND.InputMethod, KIND.Shortcut,
}
LEFT_TO_OTHERS = {
    KIND.KeyPress, KIND.KeyRelease, KIND.ShortcutOverride, KIND.Wheel,
    KIND.DragEnter, KIND.DragMove, KIND.Drop,
}
"""Events that a locked widget ignores but its page may use: keys that leave it, and the wheel that scrolls."""


class _Kept(NamedTuple):
    """Properties of a widget before it was locked; no cursor if it had none of its own."""

    cursor: QCursor | None
    focus: Qt.FocusPolicy


def held(widget: QWidget | None) -> bool:
    """Return whether a widget is locked, itself or in a container: for keys that trigger its control from elsewhere."""
    return widget is not None and bool(widget.property(LOCKED))


def whole(widget: QWidget) -> QWidget:
    """A control with its label, which have no use without each other."""
    around = widget.parentWidget()
    is_one = isinstance(around, FieldEditor) or (around is not None and bool(around.property(ONE_CONTROL)))
    return around if around is not None and is_one else widget


class Locks(QObject):
    """Locks on widgets until :meth:`release`. Changes made by the program still reach a locked widget.

    Args:
        why: message of a locked widget when it is hovered or pressed.
    """

    def __init__(self, parent: QObject, why: str):
        super().__init__(parent)
        self._why = why
        self._hidden: dict[QWidget, bool] = {}  # whether its page wants it seen
        self._locked: dict[QObject, _Kept | None] = {}
        self._busy = False

    def hide(self, widget: QWidget) -> None:
        """Hides a widget, also when its page shows it again."""
        if widget not in self._hidden:
            self._hidden[widget] = not widget.isHidden()
            self._conceal(widget)
            widget.installEventFilter(self)

    def lock(self, widget: QWidget) -> None:
        """Lock a widget and its children against user input."""
        if widget not in self._locked:
            for each in (widget, *widget.findChildren(QWidget), *widget.findChildren(QShortcut)):
                self._close(each)

    def release(self) -> None:
        """Gives everything back."""
        locked, hidden = self._locked, self._hidden
        self._locked, self._hidden = {}, {}
        for each, kept in reversed(locked.items()):  # a part hands its focus policy on to what it is part of
            if shiboken6.isValid(each):
                each.removeEventFilter(self)
                _open(each, kept)
        for widget, wanted in hidden.items():
            if shiboken6.isValid(widget):
                widget.removeEventFilter(self)
                widget.setVisible(wanted)

    def eventFilter(self, watched: QObject, event: QEvent) -> bool:
        kind = event.type()
        turned = kind in (KIND.ShowToParent, KIND.HideToParent) and not self._busy
        if turned and isinstance(watched, QWidget) and watched in self._hidden:
            self._hidden[watched] = kind == KIND.ShowToParent
            self._conceal(watched)
        return watched in self._locked and self._refuse(watched, event)

    def _conceal(self, widget: QWidget) -> None:
        self._busy = True
        widget.hide()
        widget.setAttribute(EXPLICIT, False)  # or Qt would not tell that the page hides it, too
        self._busy = False

    def _close(self, each: QObject) -> None:
        if each in self._locked:
            return
        self._locked[each] = None
        if isinstance(each, QWidget):
            own = each.testAttribute(Qt.WidgetAttribute.WA_SetCursor)
            self._locked[each] = _Kept(each.cursor() if own else None, each.focusPolicy())
            restyle(each, **{LOCKED: (each.property(LOCKED) or 0) + 1})
            each.clearFocus()
            each.setFocusPolicy(Qt.FocusPolicy.NoFocus)
            each.setCursor(Qt.CursorShape.ForbiddenCursor)
        each.installEventFilter(self)

    def _refuse(self, watched: QObject, event: Any) -> bool:
        """Return whether this event must not reach a locked widget."""
        kind = event.type()
        if kind == KIND.ChildPolished and isinstance(event.child(), QWidget):
            self.lock(event.child())
        elif kind in LEFT_TO_OTHERS:
            event.ignore()
            return True
        elif isinstance(event, QHelpEvent) and kind == KIND.ToolTip:
            return show_reason(event.globalPos(), watched, self._why)
        elif isinstance(event, QMouseEvent) and kind == KIND.MouseButtonPress:
            return show_reason(event.globalPosition().toPoint(), watched, self._why)
        return kind in SWALLOWED


def _open(each: QObject, kept: _Kept | None) -> None:
    if not isinstance(each, QWidget) or kept is None:
        return
    restyle(each, **{LOCKED: each.property(LOCKED) - 1 or None})
    each.setFocusPolicy(kept.focus)
    if kept.cursor:
        each.setCursor(kept.cursor)
    else:
        each.unsetCursor()


def show_reason(place: QPoint, widget: QObject, why: str) -> bool:
    """Says at a place of the screen why something does not answer."""
    if isinstance(widget, QWidget):
        QToolTip.showText(place, tr(why), widget)
    return True
