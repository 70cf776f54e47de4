"""Base of the panes that query the model: only while they are visible and the model is idle, and nothing twice."""

from __future__ import annotations

from typing import Any

from PySide6.QtCore import Qt
from PySide6.QtGui import QHideEvent, QShowEvent
from PySide6.QtWidgets import QWidget

from gptstudio.app.requests import ModelQuery
from gptstudio.app.state import Selection
from gptstudio.gui.asking import Asking, Asks, TextAsking
from gptstudio.gui.translation import joined, tr
from gptstudio.gui.widgets.layouts import grows, stacked, vbox, with_layout
from gptstudio.gui.widgets.parts import label, restyle
from gptstudio.training.model_source import LiveModel


class InterpretPane(QWidget):
    """Pane that shows an answer of the model, or the reason why there is none yet.

    Each pane defines its question (:meth:`question`), a test for whether it has the answer already (:meth:`serves`),
    and the display of an answer (:meth:`show_answer`).
    """

    PURPOSE = ""
    """Purpose of the pane, in one sentence."""
    ASKING: type[Asking] = Asking
    """Kind of its questions."""

    def __init__(self, name: str, asks: Asks) -> None:
        super().__init__()
        self.setObjectName(name)
        self.selection = Selection()
        self.asking = self.ASKING(asks, name, self)
        self.asking.changed.connect(self.consider)
        self.words = label(role="muted", name=f"{name}_words", wrap=True)
        self.words.setAlignment(Qt.AlignmentFlag.AlignCenter)
        self._pages = stacked(self.words)
        self._column = vbox(grows(self._pages))
        with_layout(self, self._column)

    @property
    def request(self) -> Any:
        """Question to which ``answer`` belongs."""
        return self.asking.query

    @property
    def answer(self) -> Any:
        return self.asking.answer

    def question(self) -> ModelQuery | None:
        """Return the question to ask now; None if there is nothing to ask about."""
        raise AssertionError("every pane asks something")

    def serves(self, wanted: Any) -> bool:
        """Return whether the current answer also answers this question."""
        return bool(wanted == self.request)

    def stale(self) -> bool:
        """Return whether the current answer is about something that the page no longer shows."""
        return bool(self.request.model != self.selection.model)

    def show_answer(self) -> None:
        """Show ``answer`` for the current selection."""
        raise AssertionError("every pane shows something")

    def show_selection(self, selection: Selection) -> None:
        """Follow the current text. The answers of a model in training expire when it generates, because it may have
        changed."""
        if selection.writing and selection.model and isinstance(selection.model.source, LiveModel):
            self.asking.forget()
        if selection != self.selection:
            self.selection = selection
            self.asking.retry()
        self.consider()

    def showEvent(self, event: QShowEvent) -> None:
        super().showEvent(event)
        self.asking.retry()
        self.consider()

    def hideEvent(self, event: QHideEvent) -> None:
        """Drop the pending question, so that the model may skip it."""
        super().hideEvent(event)
        if not event.spontaneous():
            self.asking.drop()

    def consider(self) -> None:
        """Show the answer if it is known, otherwise ask. Meanwhile the last answer stays visible unless it is stale."""
        if not self.isVisible():
            return
        asking, wanted = self.asking, self.question()
        nothing_true = self.answer is None or self.stale()
        if wanted is None:
            nothing = tr("No text yet. Generate one, then look inside the model here.")
            self._say(joined("\n\n", tr(self.PURPOSE), nothing))
        elif self.answer is not None and self.serves(wanted):
            asking.drop()
            self.show_answer()
            self._pages.setCurrentIndex(1)
        elif self.selection.writing:
            if nothing_true:
                self._say(tr("The model is generating. This view is updated when it stops."))
        elif wanted != asking.asked:
            if nothing_true:
                self._say(tr("Running the model…"))
            asking.ask(wanted)
        elif asking.problem:
            self._say(asking.problem, "notice")

    def hold(self, body: QWidget, above: QWidget | None = None) -> None:
        """Set the widget that shows the answer. ``above``: widget above it that is always shown."""
        self._pages.addWidget(body)
        if above:
            self._column.insertWidget(0, above)

    def _say(self, words: str, role: str = "muted") -> None:
        restyle(self.words, role=role)
        self.words.setText(words)
        self._pages.setCurrentIndex(0)


class TextInterpretPane(InterpretPane):
    """Pane that asks about the tokens of the text."""

    ASKING = TextAsking
    asking: TextAsking

    def source_position(self) -> int | None:
        """Return the position that must be in view; None: any."""
        return self.selection.cursor

    def requested_ids(self) -> tuple[int, ...]:
        """Return the IDs up to the current position, or further if the same run of the model can read them."""
        return self.asking.ids(self.selection, self.source_position())

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
        """Return the range of shown positions, the end excluded: those that the model has read and that are still in
        the text."""
        return len(self.request.ids) - self.answer.read, min(len(self.request.ids), len(self.selection.ids))

    def of_how_many(self) -> str:
        """Return a text about the shown tokens; empty if all are shown."""
        (first, end), total = self.span(), len(self.selection.ids)
        unread = len(self.request.ids) - self.answer.read
        words = []
        if (first, end) != (0, total):
            words.append(tr("Showing positions {a} to {b} of {n} tokens.", a=first, b=end - 1, n=f"{total:,}"))
        if unread:
            words.append(tr(
                "The model read only the last {n} tokens up to there: its context window.", n=f"{self.answer.read:,}"))
        return joined(" ", *words)
