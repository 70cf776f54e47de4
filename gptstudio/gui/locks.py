"""Locks on widgets, by a lesson or by the settings of this computer; releasing them restores the widgets.

The settings of the computer also offer texts. A bar across the window shows faults in the settings until it is closed.
"""

from __future__ import annotations

from typing import Any, NamedTuple

import shiboken6
from PySide6.QtCore import QEvent, QObject, QPoint, Qt, QTimer
from PySide6.QtGui import QAction, QCursor, QHelpEvent, QIcon, QMouseEvent, QShortcut
from PySide6.QtWidgets import QMainWindow, QMenu, QTabBar, QToolTip, QWidget

from gptstudio import paths, settings
from gptstudio.app.state import PAGES, AppState
from gptstudio.app.tasks import TaskRunner
from gptstudio.data import texts
from gptstudio.errors import Fault
from gptstudio.gui.actions import Actions
from gptstudio.gui.controllers.learning import LearningController
from gptstudio.gui.forms.field import FieldEditor
from gptstudio.gui.language import NO_FONT, has_chinese_font, language
from gptstudio.gui.translation import tr
from gptstudio.gui.widgets.deferred import late
from gptstudio.gui.widgets.layouts import HeightForWidth, grows, hbox, with_layout
from gptstudio.gui.widgets.parts import ONE_CONTROL, button, label, restyle
from gptstudio.i18n import CHINESE, message


class SettingsNotice(HeightForWidth):
    """Notice about faults in this computer's settings; hidden while there are none."""

    def __init__(self, computer: settings.Settings) -> None:
        super().__init__()
        self._computer = computer
        self.words = label(role="problem", name="settings_problem", wrap=True)
        self.done = button(tr("Close"), "settings_problem_close", tr("Closes this notice"), "quiet", self.put_away)
        self._read: set[Fault] = set()
        self._faults: tuple[Fault, ...] = ()
        with_layout(self, hbox(grows(self.words), self.done, margins=(16, 8, 16, 4)))
        self.show_faults(())

    def show_faults(self, more: tuple[Fault, ...]) -> None:
        """Show these faults, in addition to those of the file itself."""
        self._faults = (*self._computer.faults, *more)
        if self._faults:
            self.words.setText(tr(settings.problems_text(self._computer, more)))
        self.setVisible(not self._read.issuperset(self._faults))

    def put_away(self) -> None:
        self._read |= set(self._faults)
        self.hide()


LOCKED = "locked"
"""Property of a locked widget: the number of locks on it."""

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
    """Properties of a widget before it was locked; ``cursor`` is None if it had no cursor of its own."""

    cursor: QCursor | None
    focus: Qt.FocusPolicy


def is_locked(widget: QWidget | None) -> bool:
    """Return whether a widget or one that contains it is locked, for keys elsewhere that trigger its control."""
    return widget is not None and bool(widget.property(LOCKED))


def with_label(widget: QWidget) -> QWidget:
    """Return the container of a control and its label, which are useless without each other, or else the widget."""
    around = widget.parentWidget()
    is_one = isinstance(around, FieldEditor) or (around is not None and bool(around.property(ONE_CONTROL)))
    return around if around is not None and is_one else widget


class Locks(QObject):
    """Locks on widgets until :meth:`release`. Changes made by the program still reach a locked widget.

    Args:
        why: message that is shown when a locked widget is hovered or pressed.
    """

    def __init__(self, parent: QObject, why: str):
        super().__init__(parent)
        self._why = why
        self._hidden: dict[QWidget, bool] = {}  # whether its page would show it
        self._locked: dict[QObject, _Kept | None] = {}
        self._busy = False

    def hide(self, widget: QWidget) -> None:
        """Hide a widget, also when its page shows it again."""
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
        """Remove all locks, and restore the widgets."""
        locked, hidden = self._locked, self._hidden
        self._locked, self._hidden = {}, {}
        for each, kept in reversed(locked.items()):  # a child may pass its focus policy on to its parent
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
        widget.setAttribute(EXPLICIT, False)  # otherwise Qt would not report that the page hides it, too
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
    """Show the reason why a control does not respond, at a position of the screen; return True."""
    if isinstance(widget, QWidget):
        QToolTip.showText(place, tr(why), widget)
    return True


WHY = message("Locked by your instructor")
ALSO = {"open_weights": ("models_open",), "download_weights": ("models_download",)}
"""Buttons elsewhere that do the same as a menu entry."""


class SettingsLocks(QObject):
    """Locks by the settings that were in force when the window was created. ``notice`` shows faults in them."""

    def __init__(
        self, window: QMainWindow, state: AppState, tasks: TaskRunner, learning: LearningController, commands: Actions
    ) -> None:
        super().__init__(window)
        self.settings = settings.in_force()
        self.notice = SettingsNotice(self.settings)
        self._window, self._locks = window, Locks(self, WHY)
        self._state, self._tasks, self._learning = state, tasks, learning
        self._commands = commands
        self._actions: set[QAction] = set()
        late.made.connect(self.look)
        state.locked_controls = frozenset((*self.settings.lock, *self.settings.hide))
        state.locked_pages = frozenset(name for name in PAGES if self.settings.restricts(f"{name}_tab"))

    def close_pages(self, tabs: QTabBar) -> None:
        """Lock the tabs of pages, and the controls that the window has so far."""
        for place, name in enumerate(PAGES):
            if name in self._state.locked_pages:
                tabs.setTabEnabled(place, False)
                tabs.setTabToolTip(place, tr(WHY))
                tabs.setTabIcon(place, QIcon(str(paths.resources() / "icons" / "lock.svg")))
                tabs.setTabVisible(place, f"{name}_tab" not in self.settings.hide)
        self.look()

    def look(self) -> None:
        """Lock and hide the controls that the settings name, including those created since the last call."""
        unused = () if self.settings.reset else ("reset_class",)
        for names, hidden in ((self.settings.lock, False), ((*self.settings.hide, *unused), True)):
            for name in (each for first in names for each in (first, *ALSO.get(first, ()))):
                self._hold(name, hidden)

    def begin(self) -> None:
        """Check the paths in the settings, and open the lesson unless there is another; to be called in a visible
        window."""
        if not self.settings.file:
            return
        self.look()
        self.notice.show_faults(self._without_letters())
        self._tasks.run(lambda _: _check_paths(self.settings), done=self._take_check)
        lesson = self.settings.lesson_file(language.code)
        if lesson:
            learning = self._learning
            QTimer.singleShot(0, self, lambda: None if learning.lesson else learning.open_lesson(lesson))

    def _take_check(self, check: tuple[tuple[str, ...], tuple[Fault, ...]]) -> None:
        """Offer the texts that were found, and report the paths in the settings that do not exist."""
        self._state.offered_texts, faults = check
        self.notice.show_faults((*self._without_letters(), *faults))

    def refuses(self, *controls: str) -> bool:
        """Return whether one of these controls is locked, and show so at the pointer: for other ways to do the same."""
        return self._says_why(self.settings.restricts(*controls))

    def refuses_action(self, action: QAction) -> bool:
        """Return whether the settings lock an action, and show so at the pointer."""
        return self._says_why(action in self._actions)

    def _says_why(self, is_locked: bool) -> bool:
        return is_locked and show_reason(QCursor.pos(), self._window, WHY)

    def _hold(self, name: str, hidden: bool) -> None:
        for widget in self._window.findChildren(QWidget, name):
            if isinstance(widget, QMenu):
                self._hold_menu(widget, hidden)
            else:
                inside = (child.objectName() for child in widget.findChildren(QWidget))
                self._state.locked_controls |= frozenset(filter(None, inside))
                self._locks.lock(with_label(widget))
                if hidden:
                    self._locks.hide(with_label(widget))
        for known_as in (name, f"{name}_action"):
            for action in self._window.findChildren(QAction, known_as):
                self._hold_action(action, hidden)

    def _hold_menu(self, menu: QMenu, hidden: bool) -> None:
        """Disable the actions of a menu, which can still be opened, with the reason in their tooltips."""
        menu.setToolTipsVisible(True)
        if hidden:
            menu.menuAction().setVisible(False)
        for action in menu.actions():
            inside = action.menu()
            if isinstance(inside, QMenu):
                self._hold_menu(inside, False)
            elif not action.isSeparator():
                self._hold_action(action, False)

    def _hold_action(self, action: QAction, hidden: bool) -> None:
        """Disable an action, also when the program enables it again."""
        if action in self._actions:
            return
        self._actions.add(action)

        if hidden:
            action.setVisible(False)
        command = action.objectName().removesuffix("_action")
        if self._commands.by_id.get(command) is action:
            self._commands.lock(command, WHY)
            return

        def keep() -> None:
            action.setEnabled(False)
            action.setToolTip(tr(WHY))

        action.changed.connect(keep)  # not emitted if nothing changes, so that there is no recursion
        keep()

    def _without_letters(self) -> tuple[Fault, ...]:
        missing = self.settings.language == CHINESE and not has_chinese_font()
        return (Fault(self.settings.lines["language"], NO_FONT),) if missing else ()


def _check_paths(computer: settings.Settings) -> tuple[tuple[str, ...], tuple[Fault, ...]]:
    """Return the texts that are offered besides the included ones, and the paths in the settings that do not exist.
    They may be on a network drive, which is slow."""
    return tuple(map(str, texts.shared())), tuple(computer.missing_paths())
