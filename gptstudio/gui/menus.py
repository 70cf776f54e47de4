"""The menu bar: every command, the recent files, and the path of this computer's settings."""

from __future__ import annotations

import os
from collections.abc import Callable

from PySide6.QtGui import QActionGroup
from PySide6.QtWidgets import QMainWindow, QMenu, QMenuBar, QMessageBox

from gptstudio import settings
from gptstudio.app.state import AppState
from gptstudio.errors import UserError, text_of
from gptstudio.gui.actions import Actions
from gptstudio.gui.commands import BAR, INSIDE, Command, Entry
from gptstudio.gui.language import language
from gptstudio.gui.theme import theme
from gptstudio.gui.translation import tr


class Menus:
    """Fills the menu bar of a window. ``open_file``: opens a path from the list of recent files."""

    def __init__(
        self, window: QMainWindow, actions: Actions, state: AppState, open_file: Callable[[str], object]
    ) -> None:
        self._window, self._actions, self._state, self._open_file = window, actions, state, open_file
        self.by_name: dict[str, QMenu] = {}
        for name, (title, entries) in BAR.items():
            menu = self._menu(name, title, window.menuBar())
            window.menuBar().addMenu(menu)
            for entry in entries:
                self._add(menu, entry)
        self.by_name["recent"].aboutToShow.connect(self._fill_recent)
        self._name_settings(self.by_name["view"])
        self.by_name["view"].aboutToShow.connect(self._check)
        self._check()

    def _menu(self, name: str, title: str, parent: QMenuBar | QMenu) -> QMenu:
        made = self.by_name[name] = QMenu(tr(title), parent)
        made.setObjectName(f"{name}_menu")
        made.setToolTipsVisible(True)
        return made

    def _add(self, menu: QMenu, entry: Entry) -> None:
        if entry is None:
            menu.addSeparator()
        elif isinstance(entry, Command):
            menu.addAction(self._actions[entry.id])
        else:
            title, choices = INSIDE[entry]
            inside, group = self._menu(entry, title, menu), QActionGroup(menu)
            menu.addMenu(inside)
            for choice in choices:
                self._add(inside, choice)
            for action in inside.actions():
                action.setCheckable(True)
                group.addAction(action)

    def use_language(self, code: str) -> None:
        """Choose the language of the next start, unless it is refused."""
        try:
            language.choose(code)
        except UserError as error:
            QMessageBox.information(self._window, tr("Language"), tr(text_of(error)))
        self._check()

    def _fill_recent(self) -> None:
        menu = self.by_name["recent"]
        menu.clear()
        for path in self._state.recent_files:
            action = menu.addAction(os.path.basename(path).replace("&", "&&"))
            action.setToolTip(path)
            action.triggered.connect(lambda _, path=path: self._open_file(path))
        if not self._state.recent_files:
            none = menu.addAction(tr("No files yet"))
            none.setEnabled(False)
            none.setToolTip(tr("Files that you open are listed here."))

    def _name_settings(self, menu: QMenu) -> None:
        """Show the path of this computer's settings, for administrators."""
        file = settings.in_force().file
        if file:
            menu.addSeparator()
            line = menu.addAction(tr("Settings of this computer: {path}", path=file))
            line.setObjectName("settings_file_action")
            line.setEnabled(False)
            line.setToolTip(tr("Shown for information: only an administrator can change this file."))

    def _check(self) -> None:
        self._actions[f"language_{language.next}"].setChecked(True)
        self._actions[f"colours_{theme.scheme}"].setChecked(True)
