"""The menu bar: every command, and what is chosen rather than done."""

from __future__ import annotations

import os
from collections.abc import Callable

from PySide6.QtGui import QActionGroup
from PySide6.QtWidgets import QMainWindow, QMenu, QMenuBar

from gptstudio import settings
from gptstudio.app.run_commands import RUN_TEXTS
from gptstudio.app.state import AppState
from gptstudio.gui.actions import Actions
from gptstudio.gui.language import language
from gptstudio.gui.theme import theme
from gptstudio.gui.translation import tr
from gptstudio.i18n import LANGUAGES, message

ON_A_RUN = ("open", "go_on", "longer", "again", "sweep", "talk", "rename", "delete", "restore", "take_off", "show")
EXPORTS = tuple(f"run_{name}" for name in RUN_TEXTS if name not in (*ON_A_RUN, "add", "import"))
MENUS: dict[str, tuple[str, tuple[str | None, ...]]] = {
    "file": (message("&File"), (
        "open_texts", "paste_text", "open_lesson", "run_add", "run_import", "class_view", "recent", None,
        *EXPORTS, None, "quit")),
    "edit": (message("&Edit"), (
        "transport_undo", "transport_redo", None, "copy_command", "copy_python", None, "command_palette", None,
        "preferences")),
    "model": (message("&Model"), (
        "open_weights", "open_weights_folder", "download_weights", None, "show_models", "export_model")),
    "run": (message("&Run"), (
        "start", "step", "stop", "train_longer", "reset", "checkpoint_restore", "find_rate", "quick_train", None,
        "generate", "stop_generating", "transport_play", "transport_back", "transport_forward", None, "cancel_task",
        None, *(f"run_{name}" for name in ON_A_RUN))),
    "view": (message("&View"), (
        "go_model", "fold_model", "next_pane", "go_train", "go_generate", "go_runs", "go_texts", "go_learn", None,
        "mark_copies", None, "language", None, "text_larger", "text_smaller", "text_usual", None, "colours")),
    "help": (message("&Help"), (
        "show_manual", "whats_this", "show_shortcuts", "show_glossary", None, "welcome", "window_tour", None,
        "report_problem", "show_log_folder", None, "check_updates", "about")),
}
"""Title and entries of each menu: ids of commands, None for a line, or the name of a menu inside. Alt and the letter
after the ampersand open a menu."""
CHOICES = {
    "language": (message("Language"), tuple(f"language_{code}" for code in LANGUAGES)),
    "colours": (message("Colours"), ("colours_system", "colours_light", "colours_dark")),
}


class Menus:
    """Fills the menu bar of a window. ``open_file``: opens a path from the list of recent files."""

    def __init__(
        self, window: QMainWindow, actions: Actions, state: AppState, open_file: Callable[[str], object]
    ) -> None:
        self._actions, self._state, self._open_file = actions, state, open_file
        self.by_name: dict[str, QMenu] = {}
        for name, (title, entries) in MENUS.items():
            menu = self._menu(name, title, window.menuBar())
            window.menuBar().addMenu(menu)
            for entry in entries:
                self._add(menu, entry)
        self._name_settings(self.by_name["view"])
        self.by_name["view"].aboutToShow.connect(self._check)
        self._check()

    def _menu(self, name: str, title: str, parent: QMenuBar | QMenu) -> QMenu:
        made = self.by_name[name] = QMenu(tr(title), parent)
        made.setObjectName(f"{name}_menu")
        made.setToolTipsVisible(True)
        return made

    def _add(self, menu: QMenu, entry: str | None) -> None:
        if entry is None:
            menu.addSeparator()
        elif entry == "recent":
            recent = self._menu("recent", message("Recent files"), menu)
            recent.aboutToShow.connect(self._fill_recent)
            menu.addMenu(recent)
        elif entry in CHOICES:
            title, ids = CHOICES[entry]
            inside, group = self._menu(entry, title, menu), QActionGroup(menu)
            menu.addMenu(inside)
            for name in ids:
                self._actions[name].setCheckable(True)
                group.addAction(self._actions[name])
                inside.addAction(self._actions[name])
        else:
            menu.addAction(self._actions[entry])

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
        self._actions[f"language_{language.code}"].setChecked(True)
        self._actions[f"colours_{theme.scheme}"].setChecked(True)
