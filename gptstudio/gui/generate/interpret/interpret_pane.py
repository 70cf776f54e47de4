"""Base of the insight panes: they query the model only when visible and the model is idle, and nothing twice."""

from __future__ import annotations

from typing import Any

from PySide6.QtCore import Qt, Signal
from PySide6.QtGui import QHideEvent, QShowEvent
from PySide6.QtWidgets import QWidget

from gptstudio.app.requests import ModelQuery
from gptstudio.app.selection import Selection
from gptstudio.gui.appearance import follow
from gptstudio.gui.translation import joined, retranslated, tr
from gptstudio.gui.widgets.layouts import grows, holding, stacked, vbox
from gptstudio.gui.widgets.parts import label, restyle
from gptstudio.training.model_source import LiveModel


class InterpretPane(QWidget):
    """Pane that shows an answer of the model, or a message why there is none yet.

    Each pane defines what it asks (:meth:`question`), whether it has the answer already (:meth:`serves`), and how to
    show it (:meth:`show_answer`).
    """

    requested = Signal(object)  # ModelQuery

    PURPOSE = ""
    """Purpose of the pane, in one sentence."""

    def __init__(self, name: str) -> None:
        super().__init__()
        self.setObjectName(name)
        self.selection = Selection()
        self.request: Any = None
        """ModelQuery that ``answer`` belongs to."""
        self.answer: Any = None
        self._waits_for: ModelQuery | None = None
        self._refused: ModelQuery | None = None
        self.words = label(role="muted", name=f"{name}_words", wrap=True)
        self.words.setAlignment(Qt.AlignmentFlag.AlignCenter)
        self._pages = stacked(self.words)
        self._column = vbox(grows(self._pages))
        holding(self, self._column)
        follow(self, self.consider)

    @property
    def waiting(self) -> bool:
        return self._waits_for is not None

    def question(self) -> ModelQuery | None:
        """Return the question to ask now; None if there is nothing to ask about."""
        raise AssertionError("every pane asks something")

    def serves(self, wanted: Any) -> bool:
        """Return whether the current answer also answers this question."""
        return bool(wanted == self.request)

    def stale(self) -> bool:
        """Return whether the current answer is about something else than what the page shows."""
        return bool(self.request.model != self.selection.model)

    def show_answer(self) -> None:
        """Show ``answer`` as it bears on the moment."""
        raise AssertionError("every pane shows something")

    def show_selection(self, selection: Selection) -> None:
        """The text as it is now. A model in training may be another one once it has written."""
        if selection.writing and selection.model and isinstance(selection.model.source, LiveModel):
            self.request = self.answer = self._waits_for = None
        if selection != self.selection:
            self.selection, self._refused = selection, None
        self.consider()

    def take_answer(self, request: ModelQuery, answer: Any) -> None:
        """Show the answer to the last question; any other is left out."""
        if request == self._waits_for:
            self._waits_for = None
            self.request, self.answer = request, answer
            self.consider()

    def take_refusal(self, request: ModelQuery, why: str) -> None:
        if request == self._waits_for:
            self._waits_for, self._refused = None, request
            self._say(retranslated(why), "notice")

    def showEvent(self, event: QShowEvent) -> None:
        super().showEvent(event)
        self._refused = None
        self.consider()

    def hideEvent(self, event: QHideEvent) -> None:
        """Cancel the pending question: the model may skip it."""
        super().hideEvent(event)
        if not event.spontaneous():
            self._waits_for = None

    def consider(self) -> None:
        """Show the answer where it is at hand, and ask otherwise. Meanwhile the last picture stays if it is true."""
        if not self.isVisible():
            return
        wanted, have = self.question(), self.answer is not None
        if wanted is None:
            nothing = tr("No text yet. Generate one, then look inside the model here.")
            self._say(joined("\n\n", tr(self.PURPOSE), nothing))
        elif have and self.serves(wanted):
            self._waits_for = None
            self.show_answer()
            self._pages.setCurrentIndex(1)
        elif self.selection.writing:
            if not have or self.stale():
                self._say(tr("The model is generating. This view is updated when it stops."))
        elif wanted not in (self._waits_for, self._refused):
            if not have or self.stale():
                self._say(tr("Running the model…"))
            self._waits_for = wanted
            self.requested.emit(wanted)

    def hold(self, body: QWidget, above: QWidget | None = None) -> None:
        """Set the widget that is shown once there is an answer; ``above`` is shown in either case."""
        self._pages.addWidget(body)
        if above:
            self._column.insertWidget(0, above)

    def _say(self, words: str, role: str = "muted") -> None:
        restyle(self.words, role=role)
        self.words.setText(words)
        self._pages.setCurrentIndex(0)


class TextInterpretPane(InterpretPane):
    """A pane that asks about the tokens of the text.

    No token changes what the model made of those before it: the answer for a text holds those for its beginnings, as
    long as all of it fits into the context. Past that the model forgets the first tokens with every new one, so it is
    asked about the text as it was when it read the token that is looked at.
    """

    def __init__(self, name: str) -> None:
        super().__init__(name)
        self._contexts: dict[object, int] = {}  # as far as answers have told

    def take_answer(self, request: Any, answer: Any) -> None:
        if request == self._waits_for and answer.read < len(request.ids):
            self._contexts[request.model] = answer.read
        super().take_answer(request, answer)

    def looked_at(self) -> int | None:
        """The position that is to be in view; None: any."""
        return self.selection.cursor

    def requested_ids(self) -> tuple[int, ...]:
        """Up to the position that is looked at, or further where that is for nothing."""
        ids, position = self.selection.ids, self.looked_at()
        if position is None:
            return ids
        return ids[: max(self._contexts.get(self.selection.model, len(ids)), position + 1)]

    def serves(self, wanted: Any) -> bool:
        if wanted == self.request:
            return True
        held = self.request.ids
        return bool(
            wanted.model == self.request.model
            and self.answer.read == len(held)
            and held[: len(wanted.ids)] == wanted.ids)

    def stale(self) -> bool:
        both = min(len(self.request.ids), len(self.selection.ids))
        return super().stale() or self.request.ids[:both] != self.selection.ids[:both]

    def span(self) -> tuple[int, int]:
        """Positions that are shown, from the first to behind the last: all that the model read and the text still
        has."""
        return len(self.request.ids) - self.answer.read, min(len(self.request.ids), len(self.selection.ids))

    def of_how_many(self) -> str:
        """Which tokens are shown, where they are not all; otherwise nothing."""
        (first, end), total = self.span(), len(self.selection.ids)
        unread = len(self.request.ids) - self.answer.read
        words = []
        if (first, end) != (0, total):
            words.append(tr("Showing positions {a} to {b} of {n} tokens.", a=first, b=end - 1, n=f"{total:,}"))
        if unread:
            words.append(tr(
                "The model read only the last {n} tokens up to there: its context window.", n=f"{self.answer.read:,}"))
        return joined(" ", *words)

