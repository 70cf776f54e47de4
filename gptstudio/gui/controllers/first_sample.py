"""The first sample of a run: the text that its model writes before its first step."""

from __future__ import annotations

from PySide6.QtCore import QObject, Signal

from gptstudio.app import training_tasks
from gptstudio.app.state import AppState
from gptstudio.app.tasks import TaskRunner
from gptstudio.gpt import sizing
from gptstudio.training.spec import TrainSpec

MOST_PARAMETERS = 50_000_000
"""A larger model takes several seconds and memory that its training may need."""


class FirstSample(QObject):
    """Writes the text while no run is trained and Train shows samples as cards; the last text is kept."""

    found = Signal()
    """Emitted when the text is there."""

    def __init__(self, state: AppState, tasks: TaskRunner, parent: QObject) -> None:
        super().__init__(parent)
        self._state, self._tasks = state, tasks
        self._spec: TrainSpec | None = None  # of the text, or of the one that is being written
        self._text: str | None = None
        state.on(self._look, "text_check", "run", "run_state", "all_controls")

    @property
    def text(self) -> str | None:
        """The text for the run that is shown, or that Start would begin; None where it is not known."""
        wanted = self._wanted
        return self._text if wanted and self._spec and _key(wanted) == _key(self._spec) else None

    @property
    def _wanted(self) -> TrainSpec | None:
        return self._state.run.spec or self._state.spec

    def _look(self) -> None:
        state, spec = self._state, self._wanted
        if state.all_controls or not spec or (self._spec and _key(spec) == _key(self._spec)):
            return
        check = state.text_check
        tokenizer = state.run.tokenizer if state.run.folder else check.tokenizer if check else None
        if state.running or not tokenizer or sizing.parameter_count(spec.config) > MOST_PARAMETERS:
            return
        self._spec, self._text = spec, None

        def take(text: str | None) -> None:
            self._text = text
            self.found.emit()

        self._tasks.run(
            training_tasks.write_first_sample(spec, tokenizer), key="first sample", done=take, failed=lambda _: None)


def _key(spec: TrainSpec) -> tuple[object, ...]:
    """Return all settings on which the text depends, besides the training text of an own vocabulary."""
    return (spec.config, spec.seed, spec.init_from, spec.sample_prompt, spec.sample_tokens,
            spec.text if spec.config.vocabulary in ("own", "characters") else ())
