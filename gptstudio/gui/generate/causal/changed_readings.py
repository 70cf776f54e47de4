"""The shown text as the model reads it with the changes of "What if": asked for whenever one of both changes."""

from __future__ import annotations

from PySide6.QtCore import QObject, Signal

from gptstudio.app.requests import ChangedReadingQuery
from gptstudio.app.selection import Selection
from gptstudio.gui.controllers.generation import GenerationController


class ChangedReadings(QObject):
    """Holds the newest answer, a :class:`gptstudio.inference.changed_reading.ChangedReading`, and why there is none."""

    arrived = Signal()
    """Emitted when the answer, or that there is none, has changed."""

    def __init__(self, controller: GenerationController, parent: QObject) -> None:
        super().__init__(parent)
        self._controller = controller
        self.query: ChangedReadingQuery | None = None
        self.answer: object = None
        self.why_not = ""
        """Why the model gave no answer, as a message."""

    def look(self, selection: Selection) -> None:
        """Ask about the text as it is now, unless that was asked last."""
        wanted = None
        if selection.model and selection.path and selection.interventions and not selection.writing:
            cursor = selection.cursor if selection.cursor is not None else len(selection.path) - 1
            wanted = ChangedReadingQuery(selection.model, selection.ids, cursor, selection.interventions)
        if wanted == self.query:
            return
        self.query, self.why_not = wanted, ""
        if wanted:
            self._controller.ask(wanted, "changed", lambda answer: self._take(wanted, answer),
                                 lambda why: self._take(wanted, None, why))
        elif self.answer is not None:
            self.answer = None
            self.arrived.emit()

    def _take(self, query: ChangedReadingQuery, answer: object, why_not: str = "") -> None:
        if query == self.query:
            self.answer, self.why_not = answer, why_not
            self.arrived.emit()
