"""A bar across the window that says that another language was chosen, and restarts the program."""

from __future__ import annotations

import os

from PySide6.QtWidgets import QWidget

from gptstudio.gui.language import VARIABLE, language, said_in
from gptstudio.gui.translation import tr
from gptstudio.gui.widgets.layouts import Tall, grows, hbox, holding
from gptstudio.gui.widgets.parts import button, label
from gptstudio.i18n import LANGUAGES, message

WAITS = message("The language changes to {language} at the next start.")
OVERRIDDEN = message(
    "The choice of {language} has no effect while the environment variable {variable} is set to another language. "
    "Remove the variable, then start GPT Studio again.")


class LanguageNotice(Tall):
    """Notice in the chosen and the current language; hidden while the current one is chosen."""

    def __init__(self, window: QWidget) -> None:
        super().__init__()
        self._window = window
        self.restarts = False
        """True once the window was closed in order to start the program again."""
        self.words = label(role="notice", name="language_notice", wrap=True)
        self.restart = button(
            tr("Restart now"), "language_notice_restart",
            tr("Saves everything, closes GPT Studio, and opens it again in the chosen language"), do=self._restart)
        self.done = button(tr("Close"), "language_notice_close", tr("Closes this notice"), "quiet", self.hide)
        holding(self, hbox(grows(self.words), self.restart, self.done, margins=(16, 8, 16, 4)))
        self.hide()
        language.chosen.connect(self._show_choice)

    def _show_choice(self) -> None:
        overridden = bool(os.environ.get(VARIABLE))
        self.restart.setVisible(not overridden)
        self.words.setText("\n".join(
            said_in(code, OVERRIDDEN if overridden else WAITS, language=LANGUAGES[language.next], variable=VARIABLE)
            for code in (language.next, language.code)))
        self.setVisible(language.next != language.code)

    def _restart(self) -> None:
        self.restarts = self._window.close()
