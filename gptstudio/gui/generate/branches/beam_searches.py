"""Opens the dialog of the beam search, and asks the model for what is chosen there."""

from __future__ import annotations

from dataclasses import replace
from functools import cached_property

from PySide6.QtCore import QObject, Signal

from gptstudio.app.requests import Model, StrategyQuery
from gptstudio.app.state import AppState
from gptstudio.errors import UserError, text_of
from gptstudio.gpt.tokenizer import GPT2, Tokenizer
from gptstudio.gui.asking import Asking
from gptstudio.gui.controllers.generation import GenerationController
from gptstudio.gui.generate.branches.beam_dialog import BeamDialog
from gptstudio.gui.generate.branches.branches import Branches
from gptstudio.gui.translation import tr
from gptstudio.gui.widgets.parts import permit
from gptstudio.gui.widgets.token_text import visible_lines
from gptstudio.inference.spec import BeamSpec

SHOWN = 40
"""Characters before the start that are shown, at most."""


class BeamSearches(QObject):
    """Everything about beam searches in the Branches pane."""

    search_requested = Signal(object, int, int, object)
    """Search from these ids (a tuple; None: from the prompt), of which so many are on the screen, so many tokens far,
    with these settings (a BeamSpec)."""

    def __init__(self, branches: Branches, state: AppState, generation: GenerationController) -> None:
        super().__init__(branches)
        self._branches, self._state = branches, state
        self._read_with: Tokenizer = GPT2  # the texts that were compared last
        self._asking = Asking(generation, "strategies", self)
        self._asking.changed.connect(self._take)
        branches.beam_button.clicked.connect(self.open)
        self.offer()

    @cached_property
    def dialog(self) -> BeamDialog:
        made = BeamDialog(self._branches)
        made.search_requested.connect(self._search)
        made.compare_requested.connect(self._compare)
        made.closed.connect(self._asking.drop)
        return made

    def open(self) -> None:
        why_not, start = " ".join(tr(each.message) for each in self._state.generate_problems), ""
        try:
            if ids := self._ids:
                text = visible_lines(self._tokenizer.decode(ids)).replace("\n", "")
                text = text if len(text) <= SHOWN else f"…{text[-SHOWN:]}"
                start = tr("Searches for the most probable continuation of: {text}", text=text)
            nothing = "" if ids else tr("There is no text to continue. Type a prompt first.")
        except UserError as error:
            nothing = tr(text_of(error))
        self.dialog.begin(start or why_not or nothing, why_not or nothing)

    def offer(self) -> None:
        """Permit a search, or say why there can be none: whoever shows the model calls this when it is another."""
        busy = tr("The model is at work. Stop it first.") if self._state.generating else ""
        permit(self._branches.beam_button, busy or ("" if self._model else tr("No model is available here.")))

    @property
    def _ids(self) -> tuple[int, ...]:
        """The text up to the chosen token; the prompt where none is chosen.

        Raises:
            UserError: the model cannot read the prompt.
        """
        return self._shown_ids or tuple(self._tokenizer.encode(self._state.prompt))

    @property
    def _tokenizer(self) -> Tokenizer:
        """Tokenizer of the model that continues the text.

        Raises:
            UserError: this is not known.
        """
        if self._shown_ids:
            return self._state.document.tokenizer
        return self._model.tokenizer if self._model else GPT2

    @property
    def _shown_ids(self) -> tuple[int, ...] | None:
        """The text up to the chosen token; None where none is chosen."""
        document = self._state.document
        cursor = document.snapshot.cursor
        return document.ids[: cursor + 1] if cursor is not None else None

    @property
    def _model(self) -> Model | None:
        """The model of the text; before there is one, the model that is chosen."""
        return self._state.document.snapshot.model or self._state.loadable_model

    def _search(self, beams: BeamSpec) -> None:
        ids = self._shown_ids
        self.search_requested.emit(ids, len(ids or ()), beams.max_new_tokens, beams)

    def _compare(self, beams: BeamSpec) -> None:
        spec, model = self._state.generate_spec, self._model
        if spec is None or model is None:
            self.dialog.show_refusal(tr("No model is available here."))
            return
        spec = spec.but(max_new_tokens=beams.max_new_tokens, samples=1)
        try:
            ids, self._read_with = self._ids, self._tokenizer
        except UserError as error:
            self.dialog.show_refusal(text_of(error))
            return
        self._asking.ask(StrategyQuery(replace(model, weights="fp32"), ids, spec, beams), again=True)

    def _take(self) -> None:
        if self._asking.problem:
            self.dialog.show_refusal(self._asking.problem)
        else:
            self.dialog.show_texts(self._asking.answer, self._read_with)
