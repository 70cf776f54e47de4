"""The real window, driven off screen through build, train and generate, with a picture of each step."""

from __future__ import annotations

import os
import sys
import time
from collections.abc import Callable
from pathlib import Path

PATIENCE_S = 900


def run(
    directory: Path,
    /,
    *,
    steps: int | None = None,
    dark: bool = False,
    width: int = 1280,
    height: int = 800,
    zoom: float = 1.0,
) -> int:
    """Drive the real window off screen through build, train and generate, and keep pictures of it.

    Args:
        directory: the folder for the pictures, 1-build.png to 5-generate.png.
        steps: train for so many steps; the default run, about a minute, if not given.
        dark: in dark colours.
        width: of the window, in pixels.
        height: of the window, in pixels.
        zoom: text so many times as large.
    """
    if sys.platform == "linux":
        os.environ["QT_QPA_PLATFORM"] = "offscreen"
    from gptstudio.gpt.config import PRESETS
    from gptstudio.gui.app import make_app
    from gptstudio.gui.theme import DARK, LIGHT, theme
    from gptstudio.gui.window import MainWindow

    make_app()
    theme.use(DARK if dark else LIGHT)
    directory.mkdir(parents=True, exist_ok=True)
    window = MainWindow()
    window.resize(width, height)
    theme.enlarge(zoom)
    window.show()
    window.wake()
    photographer = _Photographer(window, directory)
    try:
        window.panel.select(PRESETS["gpt2-medium"])
        photographer.wait(lambda: window.train.looked)
        photographer.take("1-build")
        window.panel.select(PRESETS["workshop"])
        if steps:
            window.train.settings.editors["steps"].set_value(steps)
        photographer.wait(lambda: window.train.start.isEnabled() or window.train.missing.isVisible())
        if window.train.missing.isVisible():
            window.train.use_story.click()
            photographer.wait(window.train.start.isEnabled)
        photographer.take("2-before-training")
        window.train.start.click()
        half = (steps or window.train.total_steps) // 2
        photographer.wait(lambda: window.train.view.progress.value() > half or not window.train.running)
        photographer.take("3-training")
        photographer.wait(lambda: not window.train.running)
        photographer.take("4-trained")
        window.go_to(window.generate)
        window.generate.go.click()
        photographer.wait(lambda: not window.generate.running)
        photographer.take("5-generate")
    finally:
        window.leave()
    return 0


class _Photographer:
    """Waits for the window, and takes its picture."""

    def __init__(self, window, directory: Path):
        self._window, self._directory = window, directory

    def wait(self, ready: Callable[[], bool]) -> None:
        """Lets the window live until ``ready``.

        Raises:
            TimeoutError: that never came.
        """
        from PySide6.QtWidgets import QApplication

        until = time.monotonic() + PATIENCE_S
        while not ready():
            if time.monotonic() > until:
                raise TimeoutError("The window did not come to the next step of the tour.")
            QApplication.processEvents()
            time.sleep(0.005)

    def take(self, name: str) -> None:
        from PySide6.QtWidgets import QApplication

        QApplication.processEvents()
        path = self._directory / f"{name}.png"
        self._window.grab().save(str(path))
        print(path)
