"""Files that are opened: asked for by a command, dropped on the window, or chosen among the recent ones."""

from __future__ import annotations

from collections.abc import Callable
from functools import partial
from pathlib import Path
from typing import Any

from gptstudio.app.run_commands import ANYWHERE
from gptstudio.app.state import AppState
from gptstudio.gui.actions import Actions
from gptstudio.gui.controllers.learning import LearningController
from gptstudio.gui.settings_locks import SettingsLocks
from gptstudio.gui.weights.dialogs import WeightsDialogs, first_with_weights
from gptstudio.paths import LESSON_ENDINGS


class OpenFiles:
    """Opens lessons, weights, texts and runs where each belongs. ``page_of``: returns a page, made if need be."""

    def __init__(
        self, state: AppState, actions: Actions, locks: SettingsLocks, learning: LearningController,
        weights: WeightsDialogs, page_of: Callable[[str], Any],
    ) -> None:
        self._state, self._actions, self._locks = state, actions, locks
        self._learning, self._weights, self._page_of = learning, weights, page_of
        actions.handle("open_texts", self._ask_for_texts)
        actions.handle("paste_text", self._paste)
        actions.handle("open_lesson", lambda: page_of("learn").ask_for_lesson())
        for name in ANYWHERE:
            actions.handle(f"run_{name}", partial(self._ask_for_run, name))

    def open(self, paths: list[str]) -> None:
        """Begin a lesson, import weights, or show texts, whatever these files are."""
        weights = first_with_weights(paths)
        if len(paths) == 1 and paths[0].lower().endswith(LESSON_ENDINGS):
            if not self._locks.refuses("learn_tab", "lab_list"):
                self._learning.open_lesson(Path(paths[0]))
        elif weights:
            if not self._locks.refuses_action(self._actions["open_weights"]):
                self._weights.look_at(weights)
        elif not self._locks.refuses("texts_tab", "open_texts"):
            self._state.show_page("texts")
            self._page_of("texts").add(paths)

    def _ask_for_texts(self) -> None:
        self._state.show_page("texts")
        self._page_of("texts").ask_for_texts()

    def _paste(self) -> None:
        self._state.show_page("texts")
        self._page_of("texts").paste()

    def _ask_for_run(self, name: str) -> None:
        self._state.show_page("runs")
        self._page_of("runs").operations.handlers()[name]()
