"""Undo and redo of the model to train, its texts and its settings."""

from __future__ import annotations

import time
from collections.abc import Callable
from dataclasses import dataclass, replace

from gptstudio.app.derived import settings_are_shown
from gptstudio.app.state import AppState, Values
from gptstudio.app.text_document import UndoHistory
from gptstudio.training.model_source import SavedModel

ONE_STEP_S = 0.6
"""Maximum seconds between changes of one undo step, such as the digits of a number, or all settings of an opened
run."""


@dataclass(frozen=True)
class TrainingChoices:
    """Model, texts and settings that Start would train, by the fields of the state."""

    config_values: Values
    weights: SavedModel | None
    train_values: Values
    texts: tuple[str, ...]


class SettingsHistory:
    """History of the choices in the state, from its creation on. ``clock`` returns seconds from an arbitrary start.
    Changes during a run are merged into the step before."""

    def __init__(self, state: AppState, clock: Callable[[], float] = time.monotonic) -> None:
        self._state, self._clock = state, clock
        self._history = UndoHistory(self._now())
        self._changed_s, self._restoring = float("-inf"), False
        state.on(self._note, "config_values", "weights", "train_values", "texts")

    def undo(self) -> None:
        """Undo the last change, if the current page shows the settings."""
        if settings_are_shown(self._state):
            self._restore(self._history.undo())

    def redo(self) -> None:
        """Redo the last undone change, if the current page shows the settings."""
        if settings_are_shown(self._state):
            self._restore(self._history.redo())

    def _now(self) -> TrainingChoices:
        state = self._state
        return TrainingChoices(state.config_values, state.weights, state.train_values, state.texts)

    def _note(self) -> None:
        now, at_s = self._now(), self._clock()
        if self._restoring or now == self._history.present:
            return
        if self._state.running or at_s - self._changed_s < ONE_STEP_S or self._counted(now):
            self._history.amend(now)
        else:
            self._history.push(now)
        self._changed_s = at_s
        self._announce()

    def _counted(self, now: TrainingChoices) -> bool:
        """Return whether only the number of characters has changed, which was counted in the text."""
        before = self._history.present
        size = {"vocab_size": now.config_values["vocab_size"]}
        return now.config_values["vocabulary"] == "characters" and now == replace(
            before, config_values={**before.config_values, **size})

    def _restore(self, choices: TrainingChoices | None) -> None:
        if choices is None:
            return
        state, self._restoring = self._state, True
        if state.weights != choices.weights:
            state.use_weights(choices.weights)
        state.config_values, state.train_values, state.texts = (
            choices.config_values, choices.train_values, choices.texts)
        self._restoring, self._changed_s = False, float("-inf")
        self._announce()

    def _announce(self) -> None:
        self._state.settings_undo = self._history.can_undo, self._history.can_redo
