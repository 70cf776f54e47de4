"""Driver of the real window, off screen, as a user would use it: waits for it, and takes its picture."""

from __future__ import annotations

import os
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from PySide6.QtWidgets import QWidget

    from gptstudio.gui.window import MainWindow

SETTINGS = "GPTSTUDIO_SETTINGS"
PATIENCE_S = 900
CALIBRATED_S = 2.0
"""Seconds after which the window begins to measure how long a run will take."""


def go_off_screen() -> None:
    """Show windows nowhere, without Qt's messages about what that platform lacks. To be called before the application
    is created."""
    from PySide6.QtCore import QLoggingCategory

    os.environ["QT_QPA_PLATFORM"] = "offscreen"
    QLoggingCategory.setFilterRules("default.warning=false")


@contextmanager
def home_for_now(settings: str = "") -> Iterator[Path]:
    """Provide a temporary home for runs and models, in which the user's texts are available.

    Args:
        settings: path of the settings file in force meanwhile; empty: none, so that everything locked on this computer
            is shown.
    """
    from gptstudio import paths

    before = {name: os.environ.get(name) for name in ("GPTSTUDIO_HOME", "GPTSTUDIO_TEXTS", SETTINGS)}
    with TemporaryDirectory(prefix="gptstudio-tour-", ignore_cleanup_errors=True) as home:
        os.environ.setdefault("GPTSTUDIO_TEXTS", str(paths.texts()))
        os.environ["GPTSTUDIO_HOME"] = home
        os.environ[SETTINGS] = settings
        try:
            yield Path(home)
        finally:
            for name, value in before.items():
                os.environ.pop(name) if value is None else os.environ.update({name: value})


class WindowDriver:
    """Base of the tour and of the self-test: prepares the window, waits for it, and takes its picture."""

    def __init__(self, window: MainWindow, directory: Path):
        self._window, self._directory = window, directory

    def leave(self) -> None:
        self._window.leave()

    def _ready(self, steps: int | None) -> None:
        """Wait until a run can be started, with the included story if The Verdict is missing."""
        train = self._window.train
        if steps:
            train.settings.editors["steps"].set_value(steps)
        self._wait(lambda: train.start.isEnabled() or train.text_plan.instead.isVisible())
        if train.text_plan.instead.isVisible():
            train.text_plan.story.click()
            self._wait(train.start.isEnabled)
        self._rest(CALIBRATED_S)

    def _rest(self, seconds: float = 1.0) -> None:
        until = time.monotonic() + seconds
        self._wait(lambda: time.monotonic() > until and not self._window.tasks.busy("pool"))

    def _wait(self, ready: Callable[[], bool]) -> None:
        """Process events until ``ready``.

        Raises:
            TimeoutError: ``ready`` was not true in time.
        """
        from PySide6.QtWidgets import QApplication

        until = time.monotonic() + PATIENCE_S
        while not ready():
            if time.monotonic() > until:
                raise TimeoutError("The window did not reach the next step of the tour.")
            QApplication.processEvents()
            time.sleep(0.005)

    def _take(self, name: str, dialog: QWidget | None = None) -> None:
        """Save a picture of the window, or of a dialog alone."""
        from PySide6.QtWidgets import QApplication

        QApplication.processEvents()
        path = self._directory / f"{name}.png"
        (dialog or self._window).grab().save(str(path))
        print(path)
