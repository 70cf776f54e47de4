"""Tasks on other threads: items not delivered yet, and pending timers."""

from collections.abc import Callable, Sequence
from typing import Any

from PySide6.QtCore import QObject, QTimer

from gptstudio.app.state import AppState
from gptstudio.app.tasks import Task, TaskRunner, Work
from gptstudio.errors import UserError, text_of
from gptstudio.training import run_text
from gptstudio.training.control import Control
from gptstudio.training.events import Ended
from gptstudio.training.model_source import ModelSource
from gptstudio.training.run_folder import RunFolder


def on_the_way(tasks: TaskRunner) -> list[Any]:
    """Return the items that tasks have sent and the window has not received."""
    return [item for task in tasks.tasks for kind, item in task._inbox.copy() if kind == "items"]


def looking(waiter: QObject) -> bool:
    """Return whether a timer of this object is active."""
    return any(each.isActive() for each in waiter.findChildren(QTimer))


def at_once(work: Work) -> tuple[list[Any], str, Any]:
    """Run a task's work on this thread; return its items, how it ended, and its result or error."""
    task = Task(0, work, "pool", "", "", Control(), {"failed": lambda error: None}, shows_details=False)
    task.execute()
    items: list[Any] = []
    while True:
        some, how, result = task.deliver()
        items += some
        if how:
            return items, how, result


class Generation:
    """A substitute for the generation controller: stores requests and passes on the items that a test gives."""

    def __init__(self, state: AppState) -> None:
        self.state, self.requests, self.stops = state, list[Any](), 0
        self._take: Callable[[Sequence[Any]], object] = len

    def chosen_model(self) -> ModelSource | None:
        return self.state.model_with_seed

    def score(self, request: Any, take: Callable[[Sequence[Any]], object]) -> None:
        self._ask("score", request, take)

    def compare(self, request: Any, take: Callable[[Sequence[Any]], object]) -> None:
        self._ask("compare", request, take)

    def check_text(self, run: RunFolder, checked: Callable[[str], object]) -> None:
        """Report at once why the training text of a run cannot be searched; an empty text if it can."""
        try:
            run_text.searchable(run)
        except UserError as error:
            checked(text_of(error))
        else:
            checked("")

    def stop(self) -> None:
        self.stops += 1

    def send(self, items: Sequence[Any]) -> None:
        """Deliver these items of the stream."""
        if any(isinstance(each[1] if isinstance(each, tuple) else each, Ended) for each in items):
            self.state.generating = ""
        self._take(items)

    def _ask(self, view: Any, request: Any, take: Callable[[Sequence[Any]], object]) -> None:
        self.requests.append(request)
        self._take, self.state.generating = take, view
