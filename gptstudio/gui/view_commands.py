"""Commands about the view: pages, text size, language, colours, and the list of keys."""

from __future__ import annotations

from functools import partial
from typing import cast

from PySide6.QtCore import Qt
from PySide6.QtWidgets import QDockWidget, QMainWindow, QMessageBox, QWidget

from gptstudio.app.state import PAGES, AppState
from gptstudio.errors import UserError, text_of
from gptstudio.gui import preferences_dialog
from gptstudio.gui.actions import Actions
from gptstudio.gui.language import language
from gptstudio.gui.palette import Palette
from gptstudio.gui.shortcuts_dialog import ShortcutsDialog
from gptstudio.gui.theme import theme
from gptstudio.gui.translation import tr
from gptstudio.i18n import LANGUAGES

LARGER = 1.1
"""Factor of one zoom step of the text."""


class ViewCommands:
    """Handles these commands for a window."""

    def __init__(self, window: QMainWindow, actions: Actions, state: AppState) -> None:
        self._window, self._actions, self._state = window, actions, state
        for page in PAGES:
            actions.handle(f"go_{page}", partial(state.show_page, page))
        for code in LANGUAGES:
            actions.handle(f"language_{code}", partial(self._use_language, code))
        for scheme in ("system", "light", "dark"):
            actions.handle(f"colours_{scheme}", partial(theme.choose, scheme))
        for name, factor in (("text_larger", LARGER), ("text_smaller", 1 / LARGER), ("text_usual", None)):
            actions.handle(name, partial(theme.enlarge, factor))
        actions.handle("show_shortcuts", lambda: ShortcutsDialog(window, actions).exec())
        actions.handle("command_palette", lambda: Palette(window, actions, state).exec())
        actions.handle("mark_copies", lambda: setattr(state, "marks_copies", not state.marks_copies))
        preferences_dialog.handle(window, actions, state)
        actions.handle("primary", self._press_primary)
        actions.handle("next_pane", self._focus_next_pane)
        actions.handle("quit", window.close)

    def _use_language(self, code: str) -> None:
        try:
            language.use(code)
        except UserError as error:
            QMessageBox.information(self._window, tr("Language"), text_of(error))
        self._actions[f"language_{language.code}"].setChecked(True)

    def _press_primary(self) -> None:
        """Give the command of the page's main button."""
        names = {"train": "start", "generate": "generate", "runs": "run_open"}
        if self._state.page in names:
            self._actions[names[self._state.page]].trigger()

    def _focus_next_pane(self) -> None:
        """Give the keyboard to the next pane: docks on the left, the page, docks below."""
        window, focus = self._window, self._window.focusWidget()
        docks = [each for each in window.findChildren(QDockWidget) if each.isVisible()]
        left = [each for each in docks if window.dockWidgetArea(each) == Qt.DockWidgetArea.LeftDockWidgetArea]
        page = cast(QWidget, window.centralWidget())
        panes = [*left, page, *(each for each in docks if each not in left)]
        here = next((place for place, pane in enumerate(panes) if focus and pane.isAncestorOf(focus)), -1)
        following = panes[(here + 1) % len(panes)]
        if following is page:
            self._state.show_page(self._state.page)
        else:
            following.setFocus()
