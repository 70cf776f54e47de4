"""The panes below the text: what else could have come, the branches, and what went on inside the model."""

from __future__ import annotations

from functools import partial
from typing import Any

from PySide6.QtCore import QEvent, Signal
from PySide6.QtWidgets import QPushButton, QTabWidget, QWidget

from gptstudio.app.requests import ModelQuery, ReadingQuery
from gptstudio.app.selection import Selection
from gptstudio.app.state import AppState
from gptstudio.data.texts import NAMES
from gptstudio.gpt.sampling.params import SamplingParams
from gptstudio.gui.controllers.generation import GenerationController
from gptstudio.gui.generate.branches.beam_searches import BeamSearches
from gptstudio.gui.generate.branches.branches import Branches
from gptstudio.gui.generate.causal.changed_readings import ChangedReadings
from gptstudio.gui.generate.causal.two_prompts import TwoPromptsPane
from gptstudio.gui.generate.causal.what_if import WhatIfPane
from gptstudio.gui.generate.interpret.attention import AttentionPane
from gptstudio.gui.generate.interpret.interpret_pane import InterpretPane
from gptstudio.gui.generate.interpret.layers import LayersPane
from gptstudio.gui.generate.interpret.neighbours import NeighboursPane
from gptstudio.gui.generate.stages.choices import Choices
from gptstudio.gui.translation import retranslated, tr
from gptstudio.gui.widgets.deferred import Deferred
from gptstudio.gui.widgets.parts import named
from gptstudio.training.events import TokenRead

LEAST_LINES = 22
"""Of the font, where the page scrolls as a whole."""


class Panes(QTabWidget):
    """Shows a document; asks the model about the token under its cursor, and what is inside."""

    intervened, interventions_named = Signal(object, bool), Signal(str, object)
    """As :class:`gptstudio.gui.generate.causal.what_if.WhatIfPane` emits them."""
    made = Signal()
    """Emitted when a pane was made that was not there before."""

    def __init__(self, state: AppState, controller: GenerationController) -> None:
        super().__init__()
        named(self, "write_panes", tr("Choices, branches, attention, layers, neighbours, what if, two prompts"))
        self._state, self._controller, self._document = state, controller, state.document
        self.sampling_params, self.seed = state.sampling_params, 0
        self._looked: ReadingQuery | None = None  # the last question about a token whose logits are gone
        self._refused: ReadingQuery | None = None  # such a question that has no answer
        self._why = ""
        self._whole = False
        self.choices, self.branches = named(Choices(), "choices", tr("Choices")), Branches()
        self.attention, self.layers, self.neighbours = AttentionPane(), LayersPane(), NeighboursPane()
        self._what_if, self._two_prompts = Deferred(self._make_what_if), Deferred(self._make_two_prompts)
        self.changed = ChangedReadings(controller, self)
        self.changed.arrived.connect(self._show_changed)
        self._model_panes = (self.attention, self.layers, self.neighbours)
        self.beam_searches = BeamSearches(self.branches, state, controller)
        self.addTab(self.choices, tr("Choices"))
        self.addTab(self.branches, tr("Branches"))
        self.addTab(self.attention, tr("Attention"))
        self.addTab(self.layers, tr("Layers"))
        self.addTab(self.neighbours, tr("Neighbours"))
        self.addTab(self._what_if, tr("What if"))
        self.addTab(self._two_prompts, tr("Two prompts"))
        for pane in self._model_panes:
            pane.requested.connect(partial(self._ask, pane))
        self._kept_temperature: float | None = None  # while the pointer tries others
        self.choices.landscape_place.made.connect(self._listen_to_landscape)
        self._what_if.made.connect(self._show_changed)
        for place in (self.choices.landscape_place, self._what_if, self._two_prompts):
            place.made.connect(self.made)
        self.layers.flow.strip.pane_wanted.connect(self._open)
        self.layers.flow.strip.lab_wanted.connect(state.lab_requested.emit)
        self.setDocumentMode(True)
        self.tabBar().setDrawBase(False)

    def show_whole(self, whole: bool) -> None:
        """Set whether the page scrolls; if so, the panes keep a comfortable minimum height."""
        self._whole = whole
        self.setMinimumHeight(LEAST_LINES * self.fontMetrics().height() if whole else 0)

    def changeEvent(self, event: QEvent) -> None:
        if event.type() == QEvent.Type.FontChange:
            self.show_whole(self._whole)
        super().changeEvent(event)

    def offer(self, generate: QPushButton) -> None:
        """Show a button beside the tabs while there is no text to fill them."""
        self.setCornerWidget(generate)
        generate.setVisible(not self._document.path)

    def reshape(self, sampling_params: SamplingParams) -> None:
        """Show the same token with other sampling parameters, from its logits."""
        self.sampling_params = sampling_params
        self.choices.reshape(sampling_params)

    @property
    def what_if(self) -> WhatIfPane:
        return self._what_if.widget

    @property
    def two_prompts(self) -> TwoPromptsPane:
        return self._two_prompts.widget

    def _make_what_if(self) -> WhatIfPane:
        state = self._state
        pane = WhatIfPane(self._controller, lambda: state.generate_spec, lambda: (*NAMES, *state.offered_texts))
        pane.requested.connect(partial(self._ask, pane))
        pane.intervened.connect(self.intervened)
        pane.named.connect(self.interventions_named)
        pane.show_selection(state.selection)
        return pane

    def _make_two_prompts(self) -> TwoPromptsPane:
        pane = TwoPromptsPane(lambda: self._state.loadable_model)
        pane.requested.connect(self._ask_about_two)
        pane.show_selection(self._state.selection)
        return pane

    def _listen_to_landscape(self) -> None:
        self.choices.landscape.tried.connect(self._try_temperature)
        self.choices.landscape.chosen.connect(self._choose_temperature)

    def _try_temperature(self, temperature: float | None) -> None:
        """Set a temperature as long as the pointer is there; None: set the one before again."""
        state, kept = self._state, self._kept_temperature
        if state.generating:  # it would hold from the next token on
            return
        if temperature is None:
            self._kept_temperature = None
            temperature = kept
        elif kept is None:
            self._kept_temperature = state.sampling_params.temperature
        if temperature is not None:
            state.sampling_params = state.sampling_params.but(temperature=temperature)

    def _choose_temperature(self, temperature: float) -> None:
        self._kept_temperature = temperature
        self._state.sampling_params = self._state.sampling_params.but(temperature=temperature)

    def forgive(self) -> None:
        """Let questions that the model refused be asked again."""
        self._refused = None

    def _open(self, name: str, layer: int) -> None:
        """Open the pane of a stage between embedding and logits."""
        pane: QWidget = getattr(self, name)
        self.setCurrentWidget(pane)
        if name == "attention":
            self.attention.show_layer(layer)
        elif name == "neighbours" and (position := self.layers.looked_at()) is not None:
            self.neighbours.show_token(self._document.ids[position])

    def _ask(self, pane: InterpretPane, question: ModelQuery) -> None:
        self._controller.ask(
            question, pane.objectName(), partial(pane.take_answer, question), partial(pane.take_refusal, question))

    def _ask_about_two(self, question: ModelQuery) -> None:
        pane = self.two_prompts
        pane.begin(self._controller.ask(
            question, pane.objectName(), partial(pane.take_answer, question), pane.take_refusal, pane.take_progress))

    def show_all(self, writing: bool) -> None:
        """The document as it is now. ``writing``: the model is busy with it."""
        script, snapshot = self._document, self._document.snapshot
        if corner := self.cornerWidget():
            corner.setVisible(not script.path)
        self._show_choices(writing)
        self.branches.show_tree(snapshot.tree, snapshot.tip if script.path else None, snapshot.cursor)
        self._state.selection = Selection(
            snapshot.model, tuple(script.path), snapshot.cursor, writing, snapshot.interventions,
            tuple(snapshot.tree.interventions.items()))
        self.changed.look(self._state.selection)
        for pane in self._model_panes:
            pane.show_selection(self._state.selection)
        for place in (self._what_if, self._two_prompts):
            place.if_there(lambda pane: pane.show_selection(self._state.selection))

    def _show_changed(self) -> None:
        """Show what the model makes of the text with the changes of "What if", or that there are none."""
        reading: Any = self.changed.answer
        self.choices.show_changed(reading.changed.logits if reading else None)
        self._what_if.if_there(lambda pane: pane.show_reading(reading, tr(self.changed.why_not)))

    def _show_choices(self, writing: bool) -> None:
        node = self._document.chosen
        if node is None:
            self.choices.show_nothing(tr("The alternatives for each token appear here, from logits to probabilities."))
            return
        logits = self._document.logits(node.position)
        ids = self._document.ids[: node.position + 1]
        if logits is not None:
            self.choices.show_choice(
                node.reading, logits, self.sampling_params, ids[:-1], self.seed, node.beam is not None)
        elif node.reading.plain_probability is None:
            self.choices.show_nothing(tr("Nothing comes before this token, so the model made no prediction for it."))
        else:
            self._look(ids, writing)

    def _look(self, ids: tuple[int, ...], writing: bool) -> None:
        model = self._document.snapshot.model
        look = ReadingQuery(model, ids) if model else None
        if look and look == self._refused:
            self.choices.show_nothing(retranslated(self._why))
            return
        self.choices.show_nothing(tr("Running the model again…") if look else tr("No model is available here."))
        if look and look != self._looked and not writing:
            self._looked, self._refused = look, None
            self._controller.ask(look, "choices", partial(self._take_reading, look), partial(self._take_refusal, look))

    def _take_reading(self, look: ReadingQuery, reading: TokenRead) -> None:
        if look == self._looked:
            self._looked = None
            self._document.keep_logits(look.ids, reading.logits)
            self._show_choices(bool(self._state.generating))

    def _take_refusal(self, look: ReadingQuery, why: str) -> None:
        if look == self._looked:
            self._looked, self._refused, self._why = None, look, why
            self._show_choices(bool(self._state.generating))
