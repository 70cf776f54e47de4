"""A text as it is written, token by token; below it, what could have come instead, and what went on inside."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import Any

from PySide6.QtCore import QElapsedTimer, QTimer
from PySide6.QtGui import QHideEvent, QShowEvent
from PySide6.QtWidgets import QWidget

from gptstudio.app.requests import Model
from gptstudio.app.state import AppState
from gptstudio.gpt import tokenizer
from gptstudio.gui.appearance import follow
from gptstudio.gui.controllers.generation import GenerationController
from gptstudio.gui.generate.panes import Panes
from gptstudio.gui.generate.strip.text_attention import AttentionOnText
from gptstudio.gui.generate.strip.text_card import TextCard
from gptstudio.gui.generate.text_controller import TextController
from gptstudio.gui.generate.tree_documents import TreeDocuments
from gptstudio.gui.model_names import display_name
from gptstudio.gui.translation import joined, tr
from gptstudio.gui.widgets.layouts import card, holding, vbox
from gptstudio.gui.widgets.parts import plain
from gptstudio.gui.widgets.split import Split
from gptstudio.history.copied_words import WHAT_COUNTS, copied_words
from gptstudio.i18n import message
from gptstudio.training.events import (
    BeamStep,
    Ended,
    PhaseChanged,
    PromptRead,
    TextEnded,
    TokenDrawn,
    TokenRead,
    Warned,
)
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
    """The strip of tokens above, the panes below. Fed by events; ``controller`` does what the user asks for."""

    def __init__(self, state: AppState, generation: GenerationController) -> None:
        super().__init__()
        self._state, self.document, self._copies = state, state.document, generation.copies
        self._new_text = True  # what is written does not go on from a text on the screen
        self._paint = QTimer(self, interval=PAINT_MS, singleShot=True)
        self._paint.timeout.connect(self.show_all)
        self._panes_shown = QElapsedTimer()
        self._make_parts(generation)
        self._connect(generation)
        self._lay_out()
        self.show_all()
        follow(self, self._show_transport)

    def begin(self, model: Model, known: int = 0, seed: int = 0) -> None:
        self.panes.seed = seed
        self._new_text = not known
        if self._new_text:
            self.controller.pause()
        self.document.begin(model, known)
        self.notice.setText("")

    def apply(self, events: Sequence[Any]) -> None:
        """Take all that came; show it at once, or soon while a text streams: a look takes of the model's time."""
        for event in events:
            self._take(event)
        if events and not self.controller.writing:
            self.show_all()
        elif events and not self._paint.isActive():
            self._paint.start()
        self.controller.go_on()

    def set_model(self, model: Model | None) -> None:
        self.tree_documents.set_model(model)
        self.panes.beam_searches.offer()
        self.card.welcome(_welcome(model))

    def text(self) -> str:
        return tokenizer.decode(self.document.ids)

    def showEvent(self, event: QShowEvent) -> None:
        super().showEvent(event)
        self._look_for_copies()

    def hideEvent(self, event: QHideEvent) -> None:
        """Stop playing: the text is no longer visible."""
        super().hideEvent(event)
        if not event.spontaneous():
            self.controller.pause()

    def leave(self) -> None:
        self.controller.pause()
        self._paint.stop()

    def _take(self, event: Any) -> None:
        match event:
            case PromptRead() | TokenRead() | TokenDrawn() | BeamStep() | TextEnded():
                self.document.take(event)
                if isinstance(event, PromptRead):
                    self.notice.note(self._about(event))
            case PhaseChanged():
                self.phase.setText(tr(PHASES[event.phase]) if event.phase in PHASES else "")
            case Warned():
                self.notice.note(tr(event.message))
            case Ended():
                self.document.take(event)
                if event.outcome == "failed":
                    self.controller.pause()
                    self.notice.setText(tr(event.message))

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

    def _open(self, path: Path) -> None:
        if self.controller.writing:
            self.notice.note(tr("A text is being generated. Stop it first, then open the tree."))
        else:
            self.tree_documents.open(path)

    def show_all(self) -> None:
        """The strip and the panes, as the document is now."""
        self._paint.stop()
        script = self.document
        path, cursor = script.path, script.snapshot.cursor
        marks = dict.fromkeys(script.forks(), "branches") | dict.fromkeys(script.by_hand(), "yours")
        self.card.show_path(path, script.given, marks, cursor)
        self._look_for_copies()
        self._show_texts()
        self._show_transport()
        streaming = self.controller.writing and script.following
        if not (streaming and self._panes_shown.isValid() and not self._panes_shown.hasExpired(PANES_MS)):
            self._panes_shown.start()
            self.panes.show_all(self.controller.writing)

    def _look_for_copies(self) -> None:
        model = self.document.snapshot.model
        if not self.isVisible():  # nobody would see it, and a restored text must not slow the start
            return
        self._copies.look(model.source if model else None, self.document.ids, self.document.given)
        self._show_copies()

    def _show_copies(self) -> None:
        """Underline what was found, as far as it is the text that is shown."""
        found, ids = self._copies.found, self.document.ids
        known = found.ids and not found.why_not and ids[: len(found.ids)] == found.ids
        copied: dict[int, int] = {}
        for each in found.stretches if known else ():
            for position in range(each.start, each.stop):
                copied[position] = max(copied.get(position, 0), each.stop - each.start)
        words = copied_words(found.share, found.longest) if known else message("Copied: –") if found.why_not else ""
        self.card.show_copies(copied, tr(words) if words else "", plain(tr(found.why_not or WHAT_COUNTS)))

    def _show_differences(self) -> None:
        """Colour the tokens by what the changes of "What if" do to their surprisal, where that is chosen."""
        reading: Any = self.panes.changed.answer
        self.strip.show_values("change", reading.differences.tolist() if reading else ())

    def _open_passage(self, position: int | None) -> None:
        if stretch := self._copies.found.at(position):
            self.notice.setText(tr(self._copies.open_passage(stretch)))

    def _open_chosen_passage(self) -> None:
        cursor = self.document.snapshot.cursor
        self._open_passage(cursor if cursor in self.strip.copied else None)

    def _show_texts(self) -> None:
        """Which text it is, and how it stands with it."""
        if self.controller.writing:
            self.card.lock()
            return
        script = self.document
        tree, drawn = script.snapshot.tree, len(script.path) - script.given
        tips = tree.texts()
        within = tree.leaf(script.snapshot.tip)  # it may be the beginning of a longer one
        self.card.show_texts(tips.index(within) if within in tips else 0, len(tips))
        self.phase.setText(joined(" ", *filter(None, (
            tr(ENDINGS[script.ending]) if script.ending else "",
            tr("New tokens: {n}. Click one.", n=f"{drawn:,}") if drawn else "",
            tr("The Branches pane shows all {n} texts.", n=len(tips)) if len(tips) > 1 else "",
        ))))

    def _show_transport(self) -> None:
        script = self.document
        idle = not self.controller.writing
        can_undo, can_redo = idle and script.history.can_undo, idle and script.history.can_redo
        ending = ENDINGS.get(script.ending)
        self.transport.show_place(
            script.snapshot.cursor, len(script.path), self._state.playing, can_undo, can_redo,
            joined(" ", tr(ending), tr(ON_FROM_AN_END)) if ending else "")
        self.transport.setVisible(bool(script.path) or can_undo or can_redo)

    def _say(self, words: str, problem: bool) -> None:
        self.notice.setText(words if problem else "")
        if words and not problem:
            self.phase.setText(words)

    def _make_parts(self, generation: GenerationController) -> None:
        self.card = TextCard()
        self.strip, self.strip_scroll, self.transport = self.card.strip, self.card.strip_scroll, self.card.transport
        self.phase, self.notice, self.copy = self.card.phase, self.card.notice, self.card.copy
        self.panes = Panes(self._state, generation)
        self.choices, self.branches, self.attention = self.panes.choices, self.panes.branches, self.panes.attention
        self.layers, self.neighbours = self.panes.layers, self.panes.neighbours
        self.text_attention = AttentionOnText(self._state, generation, self.card, self.attention)
        self.tree_documents = TreeDocuments(self.branches, self.document)
        self.controller = TextController(self._state, generation, self.transport.interval_ms, self)

    def _connect(self, generation: GenerationController) -> None:
        controller, transport, branches = self.controller, self.transport, self.branches
        for signal, act in (
            (controller.chosen, self.panes.forgive), (controller.changed, self.show_all),
            (self.strip.chosen, controller.choose), (self.strip.pointed, self.attention.start_layer),
            (self.card.menu.done, self._say), (self.card.text_wanted, controller.turn_to),
            (self.tree_documents.said, self._say), (self.tree_documents.opened, self.show_all),
            (self.choices.candidate_chosen, controller.branch),
            (transport.back_pressed, controller.back), (transport.forward_pressed, controller.forward),
            (transport.play_pressed, controller.play), (transport.start_pressed, lambda: controller.choose(0)),
            (transport.end_pressed, controller.end),
            (transport.undo_pressed, controller.undo), (transport.redo_pressed, controller.redo),
            (transport.colour_chosen, self.strip.colour_by),
            (self.panes.intervened, controller.intervene), (self.panes.interventions_named, controller.name_changes),
            (self.panes.changed.arrived, self._show_differences),
            (branches.went, controller.go), (branches.rename_requested, controller.rename),
            (self.panes.beam_searches.search_requested, controller.halt),
            (branches.remove_requested, controller.remove), (branches.open_requested, self._open),
            (generation.events_arrived, self.apply), (self._copies.changed, self._show_copies),
            (self.card.menu.passage_wanted, self._open_passage), (self.card.passage.clicked, self._open_chosen_passage),
        ):
            signal.connect(act)
        self._state.on(self._show_transport, "playing")
        self._state.on(self._look_for_copies, "marks_copies")

    def _lay_out(self) -> None:
        panes_card = card(self.panes, name="panes_card", margins=(6, 2, 6, 6))
        holding(self, vbox(Split(self.card, panes_card, SHARES)))


def _welcome(model: Model | None) -> str:
    words = tr(
        "Press Generate to generate a text here, token by token. Click any token to see the alternatives, choose "
        "another one, and the text continues from there.")
    if model and isinstance(model.source, UntrainedModel):
        noise = tr("The selected model is untrained and generates noise, which is worth seeing once.")
        return joined("\n\n", words, noise)
    return words
