"""Enforcement of this computer's settings in the window: controls that they lock, and texts that they add."""

from __future__ import annotations

from collections.abc import Iterable
from typing import TYPE_CHECKING

from PySide6.QtCore import QObject, QTimer
from PySide6.QtGui import QAction, QCursor, QIcon
from PySide6.QtWidgets import QMenu, QWidget

from gptstudio import paths, settings
from gptstudio.errors import Fault
from gptstudio.gui.answers_settings import SettingsChecked, check_settings_paths
from gptstudio.gui.language import NO_FONT, has_chinese_font, language
from gptstudio.gui.locks import Locks, show_reason, whole
from gptstudio.gui.settings_notice import SettingsNotice
from gptstudio.gui.translation import tr
from gptstudio.i18n import CHINESE, message

if TYPE_CHECKING:
    from gptstudio.gui.window import MainWindow

WHY = message("Locked by your instructor")
ALSO = {"open_weights": ("models_open",), "download_weights": ("models_download",)}
"""Buttons elsewhere that do what an entry of a menu does."""


class SettingsLocks(QObject):
    """The settings are those of the moment when the window was made. ``notice`` says what is wrong with them."""

    def __init__(self, window: MainWindow) -> None:
        super().__init__(window)
        self.settings = settings.in_force()
        self.notice = SettingsNotice(self.settings)
        self.texts: tuple[str, ...] = ()
        """Texts that are offered besides those that ship."""
        self._window, self._locks = window, Locks(self, WHY)
        self._actions: set[QAction] = set()

    def close(self, pages: Iterable[str]) -> None:
        """Closes pages, in the order of their tabs, and controls, as far as the window has them yet."""
        for place, name in enumerate(pages):
            if self.shut(name):
                self._close_page(place, name)
        self.look()

    def look(self) -> None:
        """There may be controls that were not there before."""
        for names, hidden in ((self.settings.lock, False), (self.settings.hide, True)):
            for name in (each for first in names for each in (first, *ALSO.get(first, ()))):
                self._hold(name, hidden)
        menu = self._window.weights_controller.menu
        ways = (WHY if action in self._actions else "" for action in (menu.open_file, menu.download))
        self._window.panel.weights_box.shut_ways(*ways)

    def begin(self) -> None:
        """Once the window is on the screen: looks at the disk, and opens the lesson unless there is another."""
        if not self.settings.file:
            return
        self.look()
        self.notice.show_faults(self._without_letters())
        self._window.background.submit(check_settings_paths(self.settings))
        lesson = self.settings.lesson_file(language.code)
        if lesson:
            learning = self._window.learning_controller
            QTimer.singleShot(0, self, lambda: None if learning.lesson else learning.open_lesson(lesson))

    def take(self, events: Iterable[object]) -> None:
        """Take the results of the check on disk."""
        for event in events:
            if isinstance(event, SettingsChecked):
                self.texts = event.texts
                self._window.offer_texts(self.texts)
                self.notice.show_faults((*self._without_letters(), *event.faults))

    def shut(self, page: str) -> bool:
        """Return whether a page is locked."""
        return self.settings.restricts(f"{page}_tab")

    def refuses(self, *controls: str) -> bool:
        """Return whether one of these is locked, and say so at the pointer: for other ways than the control."""
        return self._says_why(self.settings.restricts(*controls))

    def refuses_action(self, action: QAction) -> bool:
        """The same for what an entry of a menu does, and others may ask for."""
        return self._says_why(action in self._actions)

    def _says_why(self, held: bool) -> bool:
        return held and show_reason(QCursor.pos(), self._window, WHY)

    def _close_page(self, place: int, name: str) -> None:
        tabs = self._window.tabs
        tabs.setTabEnabled(place, False)
        tabs.setTabToolTip(place, tr(WHY))
        tabs.setTabIcon(place, QIcon(str(paths.resources() / "icons" / "lock.svg")))
        tabs.setTabVisible(place, f"{name}_tab" not in self.settings.hide)

    def _hold(self, name: str, hidden: bool) -> None:
        for widget in self._window.findChildren(QWidget, name):
            if isinstance(widget, QMenu):
                self._hold_menu(widget, hidden)
            else:
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

        def keep() -> None:
            action.setEnabled(False)
            action.setToolTip(tr(WHY))
            if hidden:
                action.setVisible(False)

        action.changed.connect(keep)  # which setting what is set already does not bring about
        keep()

    def _without_letters(self) -> tuple[Fault, ...]:
        missing = self.settings.language == CHINESE and not has_chinese_font()
        return (Fault(self.settings.lines["language"], NO_FONT),) if missing else ()
