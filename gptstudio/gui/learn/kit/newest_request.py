"""The newest request of a lab's page, on its way to an answer. No widgets."""

from __future__ import annotations

import sys
from collections.abc import Callable
from typing import Any

from PySide6.QtCore import QObject, Signal

from gptstudio.app.lab_request import LabRequest
from gptstudio.labs.lab import Progress
from gptstudio.training.executor import reported


class NewestRequest(QObject):
    """Answers what takes no longer than a frame, and has the rest answered elsewhere. Of several requests only the
    newest counts: answers to the others are left out."""

    requested = Signal(object)
    """Emitted with a LabRequest that takes longer than a frame; its answer comes back through :meth:`take_answer`."""
    answered = Signal(object, object)
    """Emitted with a LabRequest and its answer, which is the same object where that is the last answer again."""
    refused = Signal(str)  # emitted with the reason why there is no answer
    progressed = Signal(object, object)
    """Emitted with a LabRequest and how far its answer has come, where that takes long."""

    def __init__(self, parent: QObject) -> None:
        super().__init__(parent)
        self.admits: Callable[[LabRequest], bool] = lambda _: True
        """Whether a request is to be answered at all; a page whose answers take minutes decides."""
        self._pending: LabRequest | None = None
        self._last: tuple[LabRequest, Any] | None = None

    @property
    def waiting(self) -> bool:
        return self._pending is not None

    def ask(self, request: LabRequest) -> None:
        """Take a request in place of the one before."""
        if not self.admits(request):
            return
        if self._last and request.same_as(self._last[0]):
            self._pending = None
            self.answered.emit(*self._last)
        elif not (self._pending and request.same_as(self._pending)):
            self._pending = request
            if request.source or request.lab.slow(request.request) or "torch" not in sys.modules:
                self.requested.emit(request)
            else:
                self._find(request)

    def take_answer(self, request: LabRequest, answer: Any) -> None:
        if request is self._pending:
            self._pending, self._last = None, (request, answer)
            self.answered.emit(request, answer)

    def take_refusal(self, request: LabRequest, words: str) -> None:
        if request is self._pending:
            self._pending = None
            self.refused.emit(words)

    def take_progress(self, request: LabRequest, progress: Progress) -> None:
        if request is self._pending:
            self.progressed.emit(request, progress)

    def _find(self, request: LabRequest) -> None:
        try:
            answer = request.find()
        except Exception as error:  # noqa: BLE001 - whatever is wrong is shown on the page
            self.take_refusal(request, reported(error))
        else:
            self.take_answer(request, answer)
