"""Base of the panes that query the model: only while they are visible and the model is idle, and nothing twice.

The simplest of them, "Neighbours", shows the nearest neighbours of a token by cosine similarity of embeddings, before
and after training.
"""

from __future__ import annotations

from typing import Any

from PySide6.QtCore import Qt
from PySide6.QtGui import QHideEvent, QShowEvent
from PySide6.QtWidgets import QLineEdit, QWidget

from gptstudio.app.requests import ModelQuery, NeighbourQuery
from gptstudio.app.state import Selection
from gptstudio.errors import UserError, text_of
from gptstudio.gpt.tokenizer import Tokenizer, visible_text
from gptstudio.gui.asking import Asking, Asks, TextAsking
from gptstudio.gui.plots.bar_list import Bar, BarList, BarRow, Bars
from gptstudio.gui.translation import joined, tr
from gptstudio.gui.widgets.layouts import Flow, Reflow, grows, in_column, stacked, vbox, with_layout
from gptstudio.gui.widgets.parts import Notice, button, label, named, restyle, scrolling
from gptstudio.i18n import message
from gptstudio.training.model_source import LiveModel, UntrainedModel


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


class NeighboursPane(InterpretPane):
    """Pane with the neighbours of the chosen token, or of a token typed or clicked here."""

    PURPOSE = message("Neighbours: which tokens the model treats as similar, before and after training.")

    def __init__(self, asks: Asks) -> None:
        super().__init__("neighbours", asks)
        self._other: int | None = None  # instead of the chosen token
        self._make_controls()
        self._lay_out()

    def question(self) -> NeighbourQuery | None:
        token = self._other if self._other is not None else _chosen(self.selection)
        return None if self.selection.model is None or token is None else NeighbourQuery(self.selection.model, token)

    def show_selection(self, selection: Selection) -> None:
        """Follow the current text; a newly chosen token replaces a typed one."""
        if _chosen(selection) != _chosen(self.selection):
            self._forget_typed()
        self._above.setVisible(selection.model is not None)
        super().show_selection(selection)

    def show_answer(self) -> None:
        before, after = self.answer.before, self.answer.after
        token, tokenizer = self.request.token, self.selection.tokenizer
        self.about.setText(tr(
            "Nearest neighbours of “{token}”, ID {id}", token=tokenizer.visible(token), id=f"{token:,}"))
        both = set(before.ids.tolist()) & set(after.ids.tolist()) if before else set()
        self.after.show_bars(_bars(after, both, tokenizer))
        self.before.show_bars(_bars(before, both, tokenizer) if before else Bars())
        self.common.setText(tr("In both lists: {n} of {all}.", n=len(both), all=len(after.ids)) if before else "")
        self.before.setVisible(before is not None)
        self.missing.setVisible(before is None)
        untrained = self.selection.model and isinstance(self.selection.model.source, UntrainedModel)
        self.missing.setText(
            tr("This model is untrained: its embeddings are still the initial ones.") if untrained else
            tr("The initial weights of this model are not available, so there is nothing to compare with."))

    def look_up(self, word: str) -> None:
        """Show the neighbours of the first token of a word; for an empty text, of the chosen token again."""
        words, ids = "", list[int]()
        try:
            ids = self.selection.tokenizer.encode(word)
        except UserError as error:
            words = tr(text_of(error))
        self._other = ids[0] if ids else None
        if len(ids) > 1:
            words = tr("“{word}” consists of {n} tokens; these are the neighbours of the first one.",
                       word=visible_text(word), n=len(ids))
        self.typed.setText(words)
        self._look()

    def show_token(self, token: int) -> None:
        """Show the neighbours of a token instead of the chosen one."""
        self._forget_typed()
        self._other = token
        self._look()

    def _look(self) -> None:
        self.back.setVisible(self._other is not None)
        self.consider()

    def _forget_typed(self) -> None:
        self._other = None
        self.field.clear()
        self.typed.hide()
        self.back.hide()

    def _make_controls(self) -> None:
        self.field = named(QLineEdit(), "neighbours_word", tr("Another word"))
        self.field.setPlaceholderText(tr("Another word"))
        self.field.setToolTip(tr(
            "Press Enter to look it up. “ king” with a leading space is a different token from “king”; inside a text, "
            "words usually have the space."))
        self.field.returnPressed.connect(lambda: self.look_up(self.field.text()))
        self.back = button(tr("Back to the selected token"), "neighbours_back", role="quiet")
        self.back.clicked.connect(self._forget_typed)
        self.back.clicked.connect(self.consider)
        self.back.hide()
        self.about = label(role="heading", name="neighbours_about", wrap=True)
        self.typed = Notice("neighbours_typed", "muted")
        self.missing = label(role="muted", name="neighbours_missing", wrap=True)
        self.common = label(name="neighbours_common", wrap=True)
        self.before = BarList("neighbours_before", tr("Nearest before training"), chooses=True)
        self.after = BarList("neighbours_after", tr("Nearest after training"), chooses=True)
        self.before.taken.connect(lambda row: self.show_token(int(self.answer.before.ids[row])))
        self.after.taken.connect(lambda row: self.show_token(int(self.answer.after.ids[row])))

    def _lay_out(self) -> None:
        self._above = with_layout(QWidget(), Flow(self.field, self.back))
        self._above.hide()
        explanation = label(tr(
            "Tokens whose embeddings point in similar directions. Cosine similarity 1: same direction; 0: nothing in "
            "common. Dot: in both lists. Click a token to see its neighbours."),
            "muted", "neighbours_explanation", wrap=True)
        sides = [
            in_column(QWidget(), label(tr("Before training"), "heading"), self.missing, self.before, spacing=4),
            in_column(QWidget(), label(tr("After training"), "heading"), self.after, spacing=4),
        ]
        tables = Reflow(*sides, stretch=sides, spacing=16)
        body = in_column(QWidget(), self.about, self.typed, explanation, self.common, tables, spacing=4)
        self.hold(scrolling(body, "neighbours_scroll"), above=self._above)


def _chosen(selection: Selection) -> int | None:
    """Return the ID of the chosen token, or else of the last one; None without a text."""
    path, cursor = selection.path, selection.cursor
    return (path[-1] if cursor is None or cursor >= len(path) else path[cursor]).id if path else None


def _bars(near: Any, both: set[int], tokenizer: Tokenizer) -> Bars:
    rows = zip(near.ids.tolist(), near.cosines.tolist(), strict=True)
    return Bars([
        BarRow(tokenizer.visible(i), (Bar(max(0.0, cosine), f"{cosine:.3f}"),), dot=i in both) for i, cosine in rows],
        longest=1.0)
