"""A text as it is written, token by token; below it, what could have come instead, and what went on inside."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import Any

from PySide6.QtCore import QElapsedTimer, QTimer, Signal
from PySide6.QtGui import QHideEvent
from PySide6.QtWidgets import QVBoxLayout, QWidget

from gptstudio.app.requests import Model
from gptstudio.app.state import AppState
from gptstudio.gpt import tokenizer
from gptstudio.gui.appearance import follow
from gptstudio.gui.controllers.generation import GenerationController
from gptstudio.gui.generate.panes import Panes
from gptstudio.gui.generate.strip.text_card import TextCard
from gptstudio.gui.generate.tree_documents import TreeDocuments
from gptstudio.gui.model_names import display_name
from gptstudio.gui.translation import joined, tr
from gptstudio.gui.widgets.parts import card
from gptstudio.gui.widgets.split import Split
from gptstudio.i18n import message
from gptstudio.training.events import Ended, PhaseChanged, PromptRead, TextEnded, TokenDrawn, TokenRead, Warned
from gptstudio.training.model_source import UntrainedModel

PHASES = {"loading": message("Loading the model…"), "generating": message("Generating…")}
PAINT_MS, PANES_MS = 100, 400
"""Milliseconds between repaints of a streaming text, and of the panes below it: a table is not readable ten times a
second, and the model has to wait for the window's computations."""
ENDINGS = {"end_of_text": message("The model ended the text with <|endoftext|>."),
           "stop_text": message("The stop text was reached.")}
ON_FROM_AN_END = message("To continue, choose another token or press Generate.")
SHARES = 2, 3
"""Of the height: the text's, and that of the panes below it."""


class WriteView(QWidget):
    """The strip of tokens above, the panes below. Fed by events; asks for more text, and questions."""

    write_requested = Signal(object, int, int)
    """Go on from these ids (a tuple), of which so many are on the screen, by so many tokens; 0: to the usual length."""

    def __init__(self, state: AppState, controller: GenerationController) -> None:
        super().__init__()
        self._state, self._controller = state, controller
        self.document = state.document
        self._new_text = True  # what is written does not go on from a text on the screen
        self._branch_next: tuple[int, ...] | None = None  # where to go on once the text that is written has ended
        self._play = QTimer(self)
        self._play.timeout.connect(self._play_on)
        self._paint = QTimer(self, interval=PAINT_MS, singleShot=True)
        self._paint.timeout.connect(self.show_all)
        self._panes_shown = QElapsedTimer()
        self._make_parts()
        self._connect()
        self._lay_out()
        self.show_all()
        follow(self, self._show_transport)

    # Input from the tab.

    def begin(self, model: Model, known: int = 0, seed: int = 0) -> None:
        """A text is about to come."""
        self.panes.seed = seed
        self._new_text = not known
        if self._new_text:
            self.pause()
        self.document.begin(model, known)
        self.notice.setText("")

    def apply(self, events: Sequence[Any]) -> None:
        """Takes all that came; shows it at once, or soon while a text streams: a look takes of the model's time."""
        for event in events:
            self._take(event)
        if events and not self.writing:
            self.show_all()
        elif events and not self._paint.isActive():
            self._paint.start()
        if self._branch_next and not self.writing:
            ids, self._branch_next = self._branch_next, None
            self._follow(ids)

    def set_model(self, model: Model | None) -> None:
        """The model that is chosen beside it."""
        self.tree_documents.set_model(model)
        self.card.welcome(_welcome(model))

    def text(self) -> str:
        """The shown text."""
        return tokenizer.decode(self.document.ids)

    @property
    def writing(self) -> bool:
        """True if the model is writing this text."""
        return bool(self._state.generating == "write")

    @property
    def playing(self) -> bool:
        """True if the chosen token advances through the text automatically."""
        return self._play.isActive()

    def hideEvent(self, event: QHideEvent) -> None:
        """Stop playing: the text is no longer visible."""
        super().hideEvent(event)
        if not event.spontaneous():
            self.pause()

    def leave(self) -> None:
        """The window goes."""
        self._play.stop()
        self._paint.stop()

    # What happens.

    def _take(self, event: Any) -> None:
        match event:
            case PromptRead() | TokenRead() | TokenDrawn() | TextEnded():
                self.document.take(event)
                if isinstance(event, PromptRead):
                    self.notice.setText(self._about(event))
            case PhaseChanged():
                self.phase.setText(tr(PHASES[event.phase]) if event.phase in PHASES else "")
            case Warned():
                self.notice.setText(event.message)
            case Ended():
                self.document.take(event)
                if event.outcome == "failed":
                    self.pause()
                    self.notice.setText(event.message)

    def _about(self, prompt: PromptRead) -> str:
        """Return the notice for a text that begins or continues; usually empty."""
        before = self.document.snapshot.tree.model
        if before != prompt.model:  # a model in training has learned on, or the tree is from elsewhere
            return tr("{before} generated the text up to here; {now} continues it.",
                      before=display_name(before), now=display_name(prompt.model))
        if prompt.dropped and self._new_text:
            return tr("The prompt is longer than the context length. Prompt tokens the model does not see: {n}.",
                      n=f"{prompt.dropped:,}")
        return ""

    # User actions.

    def go(self, key: int) -> None:
        """Shows the branch through a node."""
        self.document.go(key)
        self.show_all()

    def choose(self, position: int) -> None:
        """Puts the cursor on a token. The model is asked for it again, also if it refused before."""
        self.panes.forgive()
        self.document.choose(position)
        self.pause()
        self.show_all()

    def end(self) -> None:
        """Puts the cursor on the last token, and follows those that come."""
        self.choose(len(self.document.path) - 1)
        self.document.following = True

    def forward(self) -> None:
        """One token on: the next that is there, otherwise the model draws one."""
        path, cursor = self.document.path, self.document.snapshot.cursor
        if cursor is not None and cursor < len(path) - 1:
            self.document.choose(cursor + 1)
            self.show_all()
        elif path and not self.writing and not self.document.ending:
            self.write_requested.emit(self.document.ids, len(path), 1)

    def back(self) -> None:
        cursor = self.document.snapshot.cursor
        if cursor:
            self.choose(cursor - 1)

    def branch(self, token: int) -> None:
        """Another token where the cursor is: the text goes on from there, once what is being written has stopped."""
        cursor, ids = self.document.snapshot.cursor, self.document.ids
        if cursor is None:
            return
        self.pause()
        wanted = (*ids[:cursor], token)
        if self.writing:
            self._branch_next = wanted
            self._controller.stop()
        else:
            self._follow(wanted)

    def _follow(self, ids: tuple[int, ...]) -> None:
        """Show the text that continues from these tokens; generate it if it does not exist yet."""
        tree = self.document.snapshot.tree
        there = tree.find(ids)
        if there is not None and tree.children(there):
            self.go(there)
        else:
            self.write_requested.emit(ids, len(ids) - 1, 0)

    def turn_to(self, number: int) -> None:
        """Shows another of the texts, counted from 0, at the same place."""
        self.document.turn_to(list(self.document.snapshot.tree.leaves())[number])
        self.pause()
        self.show_all()

    def play(self) -> None:
        """Walks through the text and on, at the speed of the slider; or stops doing so."""
        if self.playing:
            self.pause()
        elif self.transport.play.isEnabled():
            self._play.start(self.transport.interval_ms())
            self._state.playing = True
            self._show_transport()

    def pause(self) -> None:
        """Plays no more."""
        if self.playing:
            self._play.stop()
            self._state.playing = False
            self._show_transport()

    def halt(self) -> None:
        """Stop playing, and do not continue from a token that was clicked during generation."""
        self._branch_next = None
        self.pause()

    def undo(self) -> None:
        if not self.writing:
            self.document.undo()
            self.show_all()

    def redo(self) -> None:
        if not self.writing:
            self.document.redo()
            self.show_all()

    def _play_on(self) -> None:
        self._play.setInterval(self.transport.interval_ms())
        path, cursor = self.document.path, self.document.snapshot.cursor
        if self.document.ending and cursor == len(path) - 1:
            self.pause()
        else:
            self.forward()

    def _rename(self, key: int, name: str) -> None:
        self.document.rename(key, name)
        self.show_all()

    def _remove(self, key: int) -> None:
        if not self.writing:
            self.document.remove(key)
            self.show_all()

    def _open(self, path: Path) -> None:
        if self.writing:
            self.notice.setText(tr("A text is being generated. Stop it first, then open the tree."))
        else:
            self.tree_documents.open(path)

    # Display.

    def show_all(self) -> None:
        """The strip and the panes, as the document is now."""
        self._paint.stop()
        script = self.document
        path, cursor = script.path, script.snapshot.cursor
        marks = dict.fromkeys(script.forks(), "branches") | dict.fromkeys(script.by_hand(), "yours")
        self.card.show_path(path, script.given, marks, cursor)
        self._show_texts()
        self._show_transport()
        streaming = self.writing and script.following
        if not (streaming and self._panes_shown.isValid() and not self._panes_shown.hasExpired(PANES_MS)):
            self._panes_shown.start()
            self.panes.show_all(self.writing)

    def _show_texts(self) -> None:
        """Which text it is, and how it stands with it."""
        if self.writing:
            self.card.lock()
            return
        script = self.document
        tree, drawn = script.snapshot.tree, len(script.path) - script.given
        tips = list(tree.leaves())
        within = next(tree.leaves(script.snapshot.tip), None)  # it may be the beginning of a longer one
        self.card.show_texts(tips.index(within) if within is not None else 0, len(tips))
        self.phase.setText(joined(" ", *filter(None, (
            tr(ENDINGS[script.ending]) if script.ending else "",
            tr("New tokens: {n}. Click one.", n=f"{drawn:,}") if drawn else "",
            tr("The Branches pane shows all {n} texts.", n=len(tips)) if len(tips) > 1 else "",
        ))))

    def _show_transport(self) -> None:
        script = self.document
        can_undo, can_redo = (able and not self.writing for able in (script.history.can_undo, script.history.can_redo))
        ending = ENDINGS.get(script.ending)
        self.transport.show_place(
            script.snapshot.cursor, len(script.path), self.playing, can_undo, can_redo,
            joined(" ", tr(ending), tr(ON_FROM_AN_END)) if ending else "",
        )
        self.transport.setVisible(bool(script.path) or can_undo or can_redo)

    def _say(self, words: str, problem: bool) -> None:
        self.notice.setText(words if problem else "")
        if words and not problem:
            self.phase.setText(words)

    # Putting together.

    def _make_parts(self) -> None:
        self.card = TextCard()
        self.strip, self.strip_scroll, self.transport = self.card.strip, self.card.strip_scroll, self.card.transport
        self.phase, self.notice, self.copy = self.card.phase, self.card.notice, self.card.copy
        self.panes = Panes(self._state, self._controller)
        self.choices, self.branches, self.attention = self.panes.choices, self.panes.branches, self.panes.attention
        self.layers, self.neighbours = self.panes.layers, self.panes.neighbours
        self.tree_documents = TreeDocuments(self.branches, self.document)

    def _connect(self) -> None:
        self.strip.chosen.connect(self.choose)
        self.strip.pointed.connect(self.attention.start_layer)
        self.card.menu.done.connect(self._say)
        self.card.text_wanted.connect(self.turn_to)
        self.tree_documents.said.connect(self._say)
        self.tree_documents.opened.connect(self.show_all)
        self.choices.candidate_chosen.connect(self.branch)
        for signal, act in (
            (self.transport.back_pressed, self.back), (self.transport.forward_pressed, self.forward),
            (self.transport.play_pressed, self.play), (self.transport.start_pressed, lambda: self.choose(0)),
            (self.transport.end_pressed, self.end),
            (self.transport.undo_pressed, self.undo), (self.transport.redo_pressed, self.redo),
            (self.transport.colour_chosen, self.strip.colour_by),
            (self.branches.went, self.go), (self.branches.rename_requested, self._rename),
            (self.branches.remove_requested, self._remove), (self.branches.open_requested, self._open),
        ):
            signal.connect(act)
        self._controller.events_arrived.connect(self.apply)

    def _lay_out(self) -> None:
        layout = QVBoxLayout(self)
        layout.setContentsMargins(0, 0, 0, 0)
        layout.addWidget(Split(self.card, self._panes_card(), SHARES))

    def _panes_card(self) -> QWidget:
        frame, inside = card("panes_card")
        inside.setContentsMargins(6, 2, 6, 6)
        inside.addWidget(self.panes)
        return frame


def _welcome(model: Model | None) -> str:
    """Return the hint that is shown before the first text."""
    words = tr(
        "Press Generate to generate a text here, token by token. Click any token to see the alternatives, choose "
        "another one, and the text continues from there."
    )
    if model and isinstance(model.source, UntrainedModel):
        noise = tr("The selected model is untrained and generates noise, which is worth seeing once.")
        return joined("\n\n", words, noise)
    return words
