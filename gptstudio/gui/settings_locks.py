"""Enforcement of this computer's settings in the window: controls that they lock, and texts that they add."""

from __future__ import annotations

from PySide6.QtCore import QObject, QTimer
from PySide6.QtGui import QAction, QCursor, QIcon
from PySide6.QtWidgets import QMainWindow, QMenu, QTabBar, QWidget

from gptstudio import paths, settings
from gptstudio.app.state import PAGES, AppState
from gptstudio.app.tasks import TaskRunner
from gptstudio.data import texts
from gptstudio.errors import Fault
from gptstudio.gui.actions import Actions
from gptstudio.gui.controllers.learning import LearningController
from gptstudio.gui.language import NO_FONT, has_chinese_font, language
from gptstudio.gui.locks import Locks, show_reason, whole
from gptstudio.gui.settings_notice import SettingsNotice
from gptstudio.gui.translation import tr
from gptstudio.gui.widgets.deferred import late
from gptstudio.i18n import CHINESE, message

WHY = message("Locked by your instructor")
ALSO = {"open_weights": ("models_open",), "download_weights": ("models_download",)}
"""Buttons elsewhere that do what an entry of a menu does."""


class SettingsLocks(QObject):
    """The settings are those of the moment when the window was made. ``notice`` says what is wrong with them."""

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
        """Lock the tabs of pages, and controls, as far as the window has them yet."""
        for place, name in enumerate(PAGES):
            if name in self._state.locked_pages:
                tabs.setTabEnabled(place, False)
                tabs.setTabToolTip(place, tr(WHY))
                tabs.setTabIcon(place, QIcon(str(paths.resources() / "icons" / "lock.svg")))
                tabs.setTabVisible(place, f"{name}_tab" not in self.settings.hide)
        self.look()

    def look(self) -> None:
        """There may be controls that were not there before."""
        unused = () if self.settings.reset else ("reset_class",)
        for names, hidden in ((self.settings.lock, False), ((*self.settings.hide, *unused), True)):
            for name in (each for first in names for each in (first, *ALSO.get(first, ()))):
                self._hold(name, hidden)

    def begin(self) -> None:
        """Once the window is on the screen: looks at the disk, and opens the lesson unless there is another."""
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
        """Offer the texts that were found, and show what the settings name and is not there."""
        self._state.offered_texts, faults = check
        self.notice.show_faults((*self._without_letters(), *faults))

    def refuses(self, *controls: str) -> bool:
        """Return whether one of these is locked, and say so at the pointer: for other ways than the control."""
        return self._says_why(self.settings.restricts(*controls))

    def refuses_action(self, action: QAction) -> bool:
        """The same for what an entry of a menu does, and others may ask for."""
        return self._says_why(action in self._actions)

    def _says_why(self, held: bool) -> bool:
        return held and show_reason(QCursor.pos(), self._window, WHY)

    def _hold(self, name: str, hidden: bool) -> None:
        for widget in self._window.findChildren(QWidget, name):
            if isinstance(widget, QMenu):
                self._hold_menu(widget, hidden)
            else:
                inside = (child.objectName() for child in widget.findChildren(QWidget))
                self._state.locked_controls |= frozenset(filter(None, inside))
                self._locks.lock(whole(widget))
                if hidden:
                    self._locks.hide(whole(widget))
        for known_as in (name, f"{name}_action"):
            for action in self._window.findChildren(QAction, known_as):
                self._hold_action(action, hidden)

    def _hold_menu(self, menu: QMenu, hidden: bool) -> None:
        """It still opens, and says why nothing in it can be taken."""
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
        """Off, also when the program turns it on again."""
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

        action.changed.connect(keep)  # which setting what is set already does not bring about
        keep()

    def _without_letters(self) -> tuple[Fault, ...]:
        missing = self.settings.language == CHINESE and not has_chinese_font()
        return (Fault(self.settings.lines["language"], NO_FONT),) if missing else ()


def _check_paths(computer: settings.Settings) -> tuple[tuple[str, ...], tuple[Fault, ...]]:
    """Return the texts that are offered besides those that ship, and what the settings name and is not there. They may
    be on a network drive, which is slow."""
    return tuple(map(str, texts.shared())), tuple(computer.missing_paths())
