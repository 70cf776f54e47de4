"""The text to train on: checked for the run that Start would begin, and downloaded."""

from __future__ import annotations

from PySide6.QtCore import QObject, QTimer

from gptstudio.app import training_tasks
from gptstudio.app.state import AppState
from gptstudio.app.tasks import TaskRunner
from gptstudio.app.text_check import Download, TextCheck
from gptstudio.i18n import message

CHECK_AFTER_MS = 200
"""Milliseconds for which the settings must be unchanged before the text is checked again."""


class TextCheckController(QObject):
    """Keeps ``text_check`` and ``download`` of the state up to date."""

    def __init__(self, state: AppState, tasks: TaskRunner, parent: QObject | None = None):
        super().__init__(parent)
        self._state, self._tasks = state, tasks
        self._rest = QTimer(self, interval=CHECK_AFTER_MS, singleShot=True)
        self._rest.timeout.connect(self._check)
        state.on(self.check_soon, "spec")

    def wake(self) -> None:
        """Check the text of the settings as they are: once the window is visible, which a tokenizer would delay."""
        if self._state.text_check is None:
            self.check_soon()

    def leave(self) -> None:
        """Check nothing any more."""
        self._rest.stop()

    def check_soon(self) -> None:
        """Plan the run that is asked for, once the settings have rested."""
        self._state.text_check = None
        self._rest.start() if self._state.spec else self._rest.stop()

    def fetch_verdict(self) -> None:
        """Download The Verdict."""
        state = self._state

        def done(_: None) -> None:
            state.download = Download()
            self.check_soon()

        state.download = Download(busy=True)
        self._tasks.run(
            training_tasks.fetch_verdict, key="verdict", title=message("Download The Verdict"), done=done,
            progress=lambda done, _: setattr(state, "download", Download(True, done)),
            failed=lambda error: setattr(state, "download", Download(problem=error.message)),
            cancelled=lambda: setattr(state, "download", Download(problem=message("The download was cancelled."))),
        )

    def _check(self) -> None:
        spec = self._state.spec
        if spec:
            self._tasks.run(lambda _: training_tasks.check_text(spec), key="check_text", done=self._take)

    def _take(self, check: TextCheck) -> None:
        if self._state.spec and not self._rest.isActive():  # else the settings have changed meanwhile
            self._state.text_check = check
