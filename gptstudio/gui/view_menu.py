"""The View menu: the language, the size of all text, light or dark."""

from __future__ import annotations

from collections.abc import Callable, Mapping

from PySide6.QtGui import QAction, QActionGroup
from PySide6.QtWidgets import QApplication, QMenu, QMessageBox, QWidget

from gptstudio import settings
from gptstudio.errors import UserError
from gptstudio.gui.language import language
from gptstudio.gui.theme import theme
from gptstudio.gui.translation import joined, tr
from gptstudio.i18n import LANGUAGES

LARGER = 1.1
"""Factor of one zoom step of the text."""


class ViewMenu(QMenu):
    """To be put into a window's menu bar. Ctrl and +, -, 0 belong to the window and are only named here."""

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(tr("View"), parent)
        self.setObjectName("view_menu")
        names = {code: lambda code=code: self._speak(code) for code in LANGUAGES}
        self.languages = self._choice(tr("Language"), "language", LANGUAGES, names)
        self.addSeparator()
        self.larger = self._entry(tr("Larger text"), "text_larger", lambda: theme.enlarge(LARGER), "Ctrl++")
        self.smaller = self._entry(tr("Smaller text"), "text_smaller", lambda: theme.enlarge(1 / LARGER), "Ctrl+-")
        self.usual = self._entry(tr("Default size"), "text_usual", lambda: theme.enlarge(None), "Ctrl+0")
        self.addSeparator()
        schemes = {"system": tr("Follow system"), "light": tr("Light"), "dark": tr("Dark")}
        dress = {name: lambda name=name: theme.choose(name) for name in schemes}
        self.colours = self._choice(tr("Colours"), "colours", schemes, dress)
        self._name_settings()
        self.aboutToShow.connect(self._tick)
        self._tick()

    def _choice(
        self, title: str, name: str, words: Mapping[str, str], chosen: Mapping[str, Callable[[], object]]
    ) -> dict[str, QAction]:
        """A menu inside of which one entry is taken."""
        menu = self.addMenu(title)
        menu.setObjectName(f"{name}_menu")
        group = QActionGroup(menu)
        made = {}
        for key, text in words.items():
            action = made[key] = menu.addAction(text)
            action.setObjectName(f"{name}_{key}")
            action.setCheckable(True)
            action.triggered.connect(lambda _, key=key: chosen[key]())
            group.addAction(action)
        return made

    def _entry(self, words: str, name: str, do: Callable[[], object], keys: str) -> QAction:
        action = self.addAction(joined("\t", words, keys))
        action.setObjectName(name)
        action.triggered.connect(lambda: do())
        return action

    def _name_settings(self) -> None:
        """Show the path of this computer's settings, for administrators."""
        file = settings.in_force().file
        if file:
            self.addSeparator()
            line = self.addAction(tr("Settings of this computer: {path}", path=file))
            line.setObjectName("settings_file_action")
            line.setEnabled(False)

    def _tick(self) -> None:
        self.languages[language.code].setChecked(True)
        self.colours[theme.scheme].setChecked(True)

    def _speak(self, code: str) -> None:
        try:
            language.use(code)
        except UserError as error:
            QMessageBox.information(QApplication.activeWindow(), tr("Language"), str(error))
        self._tick()
