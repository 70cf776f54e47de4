"""One request to a model at a time, with its answer or the reason why there is none."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, Protocol

from PySide6.QtCore import QObject, Signal
from shiboken6 import isValid

from gptstudio.app.requests import ModelRequest
from gptstudio.app.state import Selection
from gptstudio.app.tasks import Task
from gptstudio.gui.translation import tr
from gptstudio.i18n import message

STOPPED = message("Stopped before the end, so there is no result. Press the button to run it again.")


class Asks(Protocol):
    """Controller that answers requests."""

    def ask(
        self, question: Any, key: str, answered: Callable[[Any], object], refused: Callable[[str], object],
        progress: Callable[[int, int], object],
    ) -> Task | None:
        """Answer a request; a newer one with the same key replaces it. Return None if it was answered at once."""


class Asking(QObject):
    """Newest request of one kind, and the last answer; results that are no longer needed are dropped.

    Attributes:
        query: request to which ``answer`` belongs.
        answer: last answer; None if there is none.
        waiting: True while a request is being answered.
    """

    changed = Signal()
    """Emitted when there is an answer, or the reason why there is none."""
    progressed = Signal(int, int)
    """Emitted with the finished and the total amount of work, if an answer is computed in parts."""

    def __init__(self, asks: Asks, key: str, parent: QObject | None = None) -> None:
        """``key``: a newer request with the same key replaces an older one."""
        super().__init__(parent)
        self._asks, self._key = asks, key
        self._task: Task | None = None
        self._problem = ""
        self.asked: Any = None
        """Last request, whether answered or not."""
        self.query: Any = None
        self.answer: Any = None
        self.waiting = False

    @property
    def problem(self) -> str:
        """Reason why the last request has no answer, for the user; empty if it has one or is being answered."""
        return tr(self._problem) if self._problem else ""

    def ask(self, query: ModelRequest, again: bool = False) -> None:
        """Send a request, unless it equals the last one. ``again``: send it even then."""
        if again or query != self.asked:
            self.asked, self._problem, self.waiting = query, "", True
            self._task = self._asks.ask(query, self._key, self._take, self._refuse, self.progressed.emit)

    def retry(self) -> None:
        """Allow a request that failed to be sent again."""
        if not self.waiting and self._problem:
            self.asked, self._problem = None, ""

    def forget(self) -> None:
        """Drop the answer and the pending request."""
        self.drop()
        self.query = self.answer = self.asked = None

    def drop(self) -> None:
        """Drop the pending request; the last answer is kept."""
        if self.waiting and self._task:
            self._task.forget()
            self.asked, self.waiting = None, False

    def stop(self, why: str = STOPPED) -> None:
        """Stop answering, and give the reason."""
        if self.waiting and self._task:
            self._task.forget()
            self._refuse(why)

    @property
    def latest(self) -> Any:
        """Last answer, also while a newer request is being answered; None if the last request failed."""
        return None if self._problem else self.answer

    def _take(self, answer: Any) -> None:
        self.query, self.answer, self.waiting = self.asked, answer, False
        self._announce()

    def _refuse(self, why: str) -> None:
        self._problem, self.waiting = why, False
        self._announce()

    def _announce(self) -> None:
        if isValid(self):  # its owner may have been destroyed
            self.changed.emit()


class TextAsking(Asking):
    """Requests about the tokens of a text.

    Later tokens do not change the model's results for earlier ones: the answer for a text contains those for its
    beginnings, as long as the whole text fits into the context. Beyond that, each new token removes the first one from
    the context, so the request is about the text that the model had read at the inspected token.
    """

    def __init__(self, asks: Asks, key: str, parent: QObject) -> None:
        super().__init__(asks, key, parent)
        self._contexts: dict[object, int] = {}  # context lengths of models, known from answers

    def ids(self, selection: Selection, position: int | None) -> tuple[int, ...]:
        """Return the tokens to send so that the model reads the one at ``position``; None: any position."""
        ids = selection.ids
        if position is None:
            return ids
        return ids[: max(self._contexts.get(selection.model, len(ids)), position + 1)]

    def _take(self, answer: Any) -> None:
        if answer.read < len(self.asked.ids):
            self._contexts[self.asked.model] = answer.read
        super()._take(answer)
