"""Controls that a lesson's step names: found by name, then highlighted, hidden, locked or brought into view."""

from __future__ import annotations

from collections.abc import Callable

from PySide6.QtCore import QObject
from PySide6.QtWidgets import QWidget

from gptstudio.gui.actions import Actions
from gptstudio.gui.canvas.spotlight import Spotlight
from gptstudio.gui.locks import Locks, whole
from gptstudio.gui.widgets.deferred import make_inside
from gptstudio.i18n import message
from gptstudio.labs.lesson import LessonStep

LOCKED = message("Locked by the lesson")


class StepControls(QObject):
    """Those of one step at a time, from :meth:`begin` to :meth:`release`. A page may make them after the step begins.

    Args:
        actions: the commands of the window, locked with their controls.
        reveal: opens the panes that a widget is in.
    """

    def __init__(self, root: QWidget, actions: Actions, reveal: Callable[[QWidget], None]) -> None:
        super().__init__(root)
        self._root, self._actions, self._reveal = root, actions, reveal
        self._place: QWidget | None = None
        self._waiting: list[tuple[str, Callable[[QWidget], None]]] = []
        self._commands = list[str]()
        self._locks, self.spotlight = Locks(self, LOCKED), Spotlight(root)

    def begin(self, step: LessonStep, place: QWidget | None) -> None:
        """Take the controls of a step. ``place``: the widget of its page, which is searched for names first."""
        self._place = place
        self._waiting = [(name, self._locks.hide) for name in step.hide]
        self._waiting += [(name, self._lock) for name in step.lock]
        self._commands = [*step.hide, *step.lock]
        for name in self._commands:
            self._actions.lock(name, LOCKED)
        if step.result:
            self._waiting.append((step.result, self._show_result))
        if step.point:
            self._waiting.append((step.point, self._reveal))  # while a token is asked for, something else is pointed at

    def point_at(self, name: str) -> None:
        """Highlight a control as soon as it is there, instead of another."""
        self._waiting = [(each, use) for each, use in self._waiting if use != self._point]
        if name:
            self._waiting.append((name, self._point))

    def look(self) -> bool:
        """Look for the controls that were not there yet; return whether all are."""
        self._waiting = [(name, use) for name, use in self._waiting if not self._use(name, use)]
        return not self._waiting

    @property
    def missing(self) -> list[str]:
        """Names of the controls that were not found yet."""
        return list(dict.fromkeys(name for name, _ in self._waiting))

    def release(self) -> None:
        """Give the controls back as they were."""
        self._locks.release()
        for name in self._commands:
            self._actions.unlock(name)
        self._commands, self._waiting = [], []
        self.spotlight.point_at(None)

    def _use(self, name: str, use: Callable[[QWidget], None]) -> bool:
        """Apply ``use`` to the widget of this name; return whether it exists. Prefers the page's own, visible ones."""
        for room in (self._place, self._root):
            found = [each for each in (room, *room.findChildren(QWidget)) if each.objectName() == name] if room else []
            if found:
                use(whole(next((each for each in found if each.isVisible()), found[0])))
                return True
        return bool(self._place and make_inside(self._place)) and self._use(name, use)

    def _point(self, widget: QWidget) -> None:
        self._reveal(widget)
        beside = self.spotlight.beside
        self.spotlight.point_at(widget)
        if beside:
            self.spotlight.show_beside(beside)

    def _show_result(self, widget: QWidget) -> None:
        """Bring a widget into view beside the one that is highlighted."""
        self._reveal(widget)
        self.spotlight.show_beside(widget)

    def _lock(self, widget: QWidget) -> None:
        self._reveal(widget)
        self._locks.lock(widget)
