"""QActions of all commands, each created once, the menu bar, and the button for a page's copy commands."""

from __future__ import annotations

import os
from collections.abc import Callable, Sequence

from PySide6.QtCore import QObject, Qt
from PySide6.QtGui import QAction, QActionGroup, QKeyEvent, QKeySequence
from PySide6.QtWidgets import QMainWindow, QMenu, QMenuBar, QMessageBox, QPushButton, QWidget
from shiboken6 import isValid

from gptstudio import settings
from gptstudio.app.blockers import never
from gptstudio.app.state import AppState
from gptstudio.errors import UserError, text_of
from gptstudio.gui.commands import BAR, COMMANDS, INSIDE, PAGE_TITLES, Command, Entry, Heading, Text
from gptstudio.gui.language import language
from gptstudio.gui.theme import theme
from gptstudio.gui.translation import tr
from gptstudio.gui.widgets.icons import IconButton, SignIcon
from gptstudio.gui.widgets.parts import button, plain

CONTEXTS = {
    "window": Qt.ShortcutContext.WindowShortcut, "page": Qt.ShortcutContext.WidgetWithChildrenShortcut,
    "list": Qt.ShortcutContext.WidgetShortcut,
}
FIXED = {
    each.id for each in COMMANDS.values()
    if each.blocked is never and not any(map(callable, (each.text, each.help, each.icon)))}
"""Ids of the commands that do not depend on the state."""


class Actions(QObject):
    """QActions by the id of their command, whose text, tooltip and enabled state follow the application's state.

    Each command is one record in :mod:`gptstudio.gui.commands`. The library app-model declares commands too, but it
    enables them by an expression that cannot give the reason, and titles them in one language.
    """

    def __init__(self, window: QWidget, state: AppState) -> None:
        super().__init__(window)
        self._state = state
        self._locks: dict[str, list[str]] = {}  # reasons why a command is locked, the oldest first
        self._shown: dict[str, tuple[str, str, str, bool, bool]] = {}  # icon, text, tip, enabled and unlocked, enabled
        self.by_id = {name: self._make(command, window) for name, command in COMMANDS.items()}
        state.events.connect(self.update, max_args=0)
        self.update()

    def __getitem__(self, name: str) -> QAction:
        return self.by_id[name]

    def update(self) -> None:
        for name, command in COMMANDS.items():
            if name not in FIXED or name not in self._shown:
                self._update(name, command)

    # Locks.

    def lock(self, name: str, why: str) -> None:
        """Disable a command until it has been unlocked as often as locked. ``why``: message shown as its tooltip."""
        if name in self.by_id:
            self._locks.setdefault(name, []).append(why)
            self._update(name, COMMANDS[name])

    def unlock(self, name: str) -> None:
        if self._locks.get(name):
            self._locks[name].pop()
            self._update(name, COMMANDS[name])

    def locked(self, name: str) -> str:
        """Return the reason why a command is locked, as a message; empty if it is not locked."""
        return next(iter(self._locks.get(name, [])), "")

    # Keys, buttons and menus.

    def press(self, event: QKeyEvent) -> bool:
        """Trigger the command of an unmodified key on the current page; return whether there is one."""
        if event.modifiers() not in (Qt.KeyboardModifier.NoModifier, Qt.KeyboardModifier.KeypadModifier):
            return False
        key = Qt.Key(event.key()).name.removeprefix("Key_")
        found = [each for each in COMMANDS.values() if key in each.plain_keys and self._state.page in each.pages]
        if found and not event.isAutoRepeat():
            self[found[0].id].trigger()
        return bool(found)

    def attach(self, scope: str, widget: QWidget) -> None:
        """Enable the shortcuts of a scope on a page, or on its list."""
        for name, command in COMMANDS.items():
            if command.scope == scope:
                widget.addAction(self[name])

    def button(self, name: str, role: str = "", instead: QWidget | None = None, called: str = "") -> QPushButton:
        """Return a button that triggers an action and follows its state.

        Args:
            instead: widget that gets the focus if the button is disabled while it has the focus. Qt would move it to
                the next widget, where a key may do something else.
            called: name of the button, if another button has the name of the action.
        """
        action = self[name]
        made = button(action.text(), called or name, role=role)

        def update() -> None:
            if made.text() != action.text():
                made.setText(action.text())
            if instead and made.window().focusWidget() is made and not action.data() and instead.isEnabled():
                instead.setFocus()
            made.setEnabled(action.data())
            made.setToolTip(action.toolTip())
            made.setAccessibleDescription("" if action.data() else action.toolTip())

        made.clicked.connect(action.trigger)
        action.changed.connect(update)
        made.destroyed.connect(lambda: action.changed.disconnect(update) if isValid(action) else None)
        update()
        return made

    def menu(self, names: Sequence[str | None], parent: QWidget) -> QMenu:
        """Return a menu of these commands; None is a separator."""
        made = QMenu(parent)
        made.setToolTipsVisible(True)
        for name in names:
            made.addAction(self[name]) if name else made.addSeparator()
        return made

    # Display.

    def _make(self, command: Command, window: QWidget) -> QAction:
        action = QAction(window)
        action.setObjectName(f"{command.id}_action")
        action.triggered.connect(lambda: command.do(window))
        action.setShortcuts([QKeySequence(keys) for keys in command.keys])
        action.setShortcutContext(CONTEXTS[command.scope])
        if command.scope == "window":
            window.addAction(action)
        return action

    def _update(self, name: str, command: Command) -> None:
        action, reason = self[name], command.blocked(self._state)
        blocked = self.locked(name) or reason
        words, sign = self._text(command.text), self._text(command.icon)
        shown = (sign, words, blocked or self._text(command.help), blocked is None, reason is None)
        if self._shown.get(name) == shown:
            return
        self._shown[name] = shown
        action.setData(reason is None)  # buttons follow this: under a lock they stay enabled, and show the reason
        action.setText(tr(words))
        action.setToolTip(self._tip(command, shown[2], blocked is None))
        if sign:
            action.setIcon(SignIcon(sign))
        action.setEnabled(blocked is None)

    def _text(self, text: Text) -> str:
        return text if isinstance(text, str) else text(self._state)

    def _tip(self, command: Command, words: str, on: bool) -> str:
        keys = QKeySequence(command.keys[0]).toString(QKeySequence.SequenceFormat.NativeText) if command.keys else ""
        said = tr(words) if words else ""
        if on and keys and keys not in said:
            said = tr("{what} ({keys})", what=said or self._text(command.text), keys=keys)
        return plain(said)


COPIES = ("copy_command", "copy_python")


def copy_button(actions: Actions, name: str) -> IconButton:
    """Return a small button with a menu of the copy commands."""
    made = IconButton("copy", name, tr("Copy as code"), tr("Copies what is set here as a command or as Python"))
    made.setMenu(actions.menu(COPIES, made))
    return made


class Menus:
    """Menu bar of a window. ``open_file``: opens a path from the list of recent files."""

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
        elif isinstance(entry, Heading):
            menu.addSection(tr(PAGE_TITLES[entry.page]))
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
        """Choose the language of the next start; show the reason if it is refused."""
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
        """Add the path of this computer's settings to a menu, for administrators."""
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
