"""Generation: streams of text and questions about a model, on the queue of the model."""

from __future__ import annotations

from collections.abc import Callable
from functools import partial
from typing import Any, Literal

from PySide6.QtCore import QObject, Signal

from gptstudio.app.devices import find_devices_after
from gptstudio.app.model_cache import ModelCache
from gptstudio.app.requests import Compare, ModelRequest, Score, Write
from gptstudio.app.state import AppState
from gptstudio.app.tasks import NO_ERROR, Task, TaskError, TaskRunner, Work
from gptstudio.gui.controllers.copies import CopiesController
from gptstudio.i18n import message
from gptstudio.training.control import Control
from gptstudio.training.events import Ended, Event, Outcome

STOPPED = message("The model was needed for something else. Select a token to run it again.")
QUESTION = "question "
"""Begins the keys of all questions: a text does not wait for them."""

Take = Callable[[list[Any]], object]


class GenerationController(QObject):
    """Runs what the views of the Generate page ask for; one stream of events at a time."""

    events_arrived = Signal(object)
    """Emitted with a list of events of the text that is being written."""

    def __init__(self, state: AppState, tasks: TaskRunner, models: ModelCache, parent: QObject | None = None):
        super().__init__(parent)
        self._state, self._tasks, self._models = state, tasks, models
        self._control = Control()
        self.copies = CopiesController(state, tasks, self)
        state.on(self._pass_sampling_params, "sampling_params")

    def write(self, request: Write) -> None:
        """Generate a text; its events arrive through ``events_arrived``."""
        self._run("write", self._models.work(request), self.events_arrived.emit)

    def score(self, request: Score, take: Take) -> None:
        """Read a text; ``take`` is called with lists of events."""
        self._run("score", self._models.work(request), take)

    def compare(self, request: Compare, take: Take) -> None:
        """Generate two texts by turns; ``take`` is called with lists of pairs of a side and an event."""
        self._run("compare", self._models.work(request), take, lambda event: (0, event))

    def stop(self) -> None:
        """End the stream after its current token."""
        self._control.stop()

    def ask(
        self, question: ModelRequest, key: str, answered: Callable[[Any], object], refused: Callable[[str], object],
        progress: Callable[[int, int], object],
    ) -> Task:
        """Ask the model; the newest question of a key wins. A question gives way to a text: then it is refused."""
        return self._tasks.run(
            self._models.work(question), queue="model", key=QUESTION + key, done=answered, progress=progress,
            failed=lambda error: refused(error.message), cancelled=lambda: refused(STOPPED))

    def _run(
        self, view: Literal["write", "compare", "score"], work: Work, take: Take,
        item: Callable[[Event], Any] = lambda event: event,
    ) -> None:
        for task in self._tasks.tasks:
            if task.key.startswith(QUESTION):
                task.cancel()
        self._control, self._state.generating = Control(), view

        def took(items: list[Any]) -> None:
            ends = [each for each in map(_event, items) if isinstance(each, Ended)]
            if ends:
                self._state.generating = ""
                find_devices_after(ends[-1], self._state, self._tasks)
            take(items)

        def end(outcome: Outcome, error: TaskError = NO_ERROR) -> None:
            took([item(Ended(outcome=outcome, message=error.message, details=error.details))])

        self._tasks.run(
            work, queue="model", title=message("Generating text"), control=self._control, items=took,
            failed=partial(end, "failed"), cancelled=lambda: end("stopped"))

    def _pass_sampling_params(self) -> None:
        """Changed sampling parameters hold from the next token on."""
        if self._state.generating == "write":
            self._control.sampling_params = self._state.sampling_params


def _event(item: Any) -> Any:
    return item[1] if isinstance(item, tuple) else item
