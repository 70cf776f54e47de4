"""One question to a model at a time, with its answer or the reason why there is none."""

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
    """A controller that has questions answered."""

    def ask(
        self, question: Any, key: str, answered: Callable[[Any], object], refused: Callable[[str], object],
        progress: Callable[[int, int], object],
    ) -> Task | None:
        """Answer a question; the newest of a key wins. Return None if it was answered at once."""


class Asking(QObject):
    """Asks the newest question of one kind, and keeps its answer until another one comes. What is no longer wanted is
    dropped.

    Attributes:
        query: the question that ``answer`` belongs to.
        answer: the last answer; None if there is none.
        waiting: True while a question is being answered.
    """

    changed = Signal()
    """Emitted when there is an answer, or the reason why there is none."""
    progressed = Signal(int, int)
    """Emitted with what is done and the total, where the answer comes in parts."""

    def __init__(self, asks: Asks, key: str, parent: QObject | None = None) -> None:
        """``key``: a newer question with the same key takes the place of an older one."""
        super().__init__(parent)
        self._asks, self._key = asks, key
        self._task: Task | None = None
        self._problem = ""
        self.asked: Any = None
        """The last question, whether it has an answer or not."""
        self.query: Any = None
        self.answer: Any = None
        self.waiting = False

    @property
    def problem(self) -> str:
        """The reason why the last question has no answer, for the user; empty if it has one or is being answered."""
        return tr(self._problem) if self._problem else ""

    def ask(self, query: ModelRequest, again: bool = False) -> None:
        """Ask a question, unless it is the last one that was asked. ``again``: also then."""
        if again or query != self.asked:
            self.asked, self._problem, self.waiting = query, "", True
            self._task = self._asks.ask(query, self._key, self._take, self._refuse, self.progressed.emit)

    def retry(self) -> None:
        """Let a question without an answer be asked again."""
        if not self.waiting and self._problem:
            self.asked, self._problem = None, ""

    def forget(self) -> None:
        """Drop the answer and the question that is being answered."""
        self.drop()
        self.query = self.answer = self.asked = None

    def drop(self) -> None:
        """Drop the question that is being answered; the last answer stays."""
        if self.waiting and self._task:
            self._task.forget()
            self.asked, self.waiting = None, False

    def stop(self, why: str = STOPPED) -> None:
        """Stop answering, and say so."""
        if self.waiting and self._task:
            self._task.forget()
            self._refuse(why)

    @property
    def latest(self) -> Any:
        """The last answer, also while a newer question is being answered; None if the last question has none."""
        return None if self._problem else self.answer

    def _take(self, answer: Any) -> None:
        self.query, self.answer, self.waiting = self.asked, answer, False
        self._announce()

    def _refuse(self, why: str) -> None:
        self._problem, self.waiting = why, False
        self._announce()

    def _announce(self) -> None:
        if isValid(self):  # whoever asked may have been destroyed
            self.changed.emit()


class TextAsking(Asking):
    """Asks about the tokens of a text.

    No token changes what the model made of those before it: the answer for a text holds those for its beginnings, as
    long as all of it fits into the context. Past that the model forgets the first tokens with every new one, so it is
    asked about the text as it was when it read the inspected token.
    """

    def __init__(self, asks: Asks, key: str, parent: QObject) -> None:
        super().__init__(asks, key, parent)
        self._contexts: dict[object, int] = {}  # of models, as far as answers have told

    def ids(self, selection: Selection, position: int | None) -> tuple[int, ...]:
        """Return the tokens to ask about so that a position is among those read; None: any position."""
        ids = selection.ids
        if position is None:
            return ids
        return ids[: max(self._contexts.get(selection.model, len(ids)), position + 1)]

    def _take(self, answer: Any) -> None:
        if answer.read < len(self.asked.ids):
            self._contexts[self.asked.model] = answer.read
        super()._take(answer)
