"""Generate page: model, prompt and sampling parameters at the side; in the middle, a text with panes below it, a
comparison, or a score."""

from __future__ import annotations

from collections.abc import Mapping
from functools import cached_property
from pathlib import Path
from typing import Any, Literal

from PySide6.QtCore import QElapsedTimer, QEvent, QSize, QTimer, Signal
from PySide6.QtGui import QHideEvent
from PySide6.QtWidgets import QFileDialog, QTabWidget, QWidget

from gptstudio.app.derived import live_copy_bytes
from gptstudio.app.requests import ChangedReadingQuery, Model, Write
from gptstudio.app.state import GENERATE_FIELDS, AppState, Selection
from gptstudio.errors import UserError, text_of
from gptstudio.fields import Problem
from gptstudio.gui.actions import Actions, copy_button
from gptstudio.gui.appearance import appearance, on_restyle
from gptstudio.gui.asking import Asking
from gptstudio.gui.controllers.generation import GenerationController
from gptstudio.gui.forms.controls import SegmentedPages, Segments, TextEdit, too_long
from gptstudio.gui.forms.field import SpecEditor
from gptstudio.gui.generate.branches.branches import BeamDialog, Branches, TreeDocuments, text_model
from gptstudio.gui.generate.causal.two_prompts import TwoPromptsPane
from gptstudio.gui.generate.causal.what_if import WhatIfPane
from gptstudio.gui.generate.comparison.compare_pane import ComparePane
from gptstudio.gui.generate.interpret.attention import AttentionPane
from gptstudio.gui.generate.interpret.interpret_pane import NeighboursPane
from gptstudio.gui.generate.interpret.layers import LayersPane
from gptstudio.gui.generate.score import ScorePane
from gptstudio.gui.generate.stages.choices import ChoicesPane
from gptstudio.gui.generate.stages.param_list import ParamList
from gptstudio.gui.generate.strip.text_card import TextCard, TextController
from gptstudio.gui.model_names import display_name, short_name
from gptstudio.gui.translation import joined, size, tr
from gptstudio.gui.widgets.deferred import Deferred, make_inside
from gptstudio.gui.widgets.layouts import (
    ABOVE,
    FREE,
    HeightForWidth,
    Reflow,
    Splitter,
    card,
    grows,
    hbox,
    stacked,
    vbox,
    with_layout,
)
from gptstudio.gui.widgets.parts import ChoiceBox, label, named, scrolling, set_blocker, set_entries
from gptstudio.gui.widgets.text_views import typed_text
from gptstudio.i18n import message
from gptstudio.inference.spec import BeamSpec, GenerateSpec
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
from gptstudio.training.model_source import LiveModel, SavedModel, UntrainedModel


class ModelChoice(ChoiceBox):
    """Choice of one of the models that the state offers, or of a checkpoint from anywhere."""

    chosen = Signal()
    """Emitted when the user chooses a model."""
    refused = Signal(str)
    """Emitted with a message if the opened folder contains no model."""

    def __init__(self, state: AppState) -> None:
        super().__init__(letters=18)
        named(self, "model", tr("Model"))
        self.setToolTip(tr("The model in training, an untrained one, or the last checkpoint of a run"))
        self._state = state
        self.activated.connect(self._activated)
        state.on(self._fill, "models", "model")
        self._fill()

    def _fill(self) -> None:
        state = self._state
        set_entries(self, [*map(short_name, state.models), tr("Choose a checkpoint…")],
                    state.models.index(state.model) if state.model in state.models else 0)

    def _activated(self, index: int) -> None:
        if index < len(self._state.models):
            self._state.choose_model(self._state.models[index])
            self.chosen.emit()
            return
        path = QFileDialog.getExistingDirectory(self, tr("Choose a checkpoint folder or a run folder"))
        self._fill()  # the previous choice, until a folder is opened
        self.chosen.emit()
        if path:
            try:
                self._state.open_model(path)
            except UserError as error:
                self.refused.emit(tr(text_of(error)))


PROMPT_LINES = 4
RIGHT = 4
"""Margin beside the scroll bar, in pixels."""
FIRST = "max_new_tokens"
"""Field that stays visible while the others are folded."""


class SideSettings(SpecEditor):
    """Editor of model, prompt, length and sampling parameters, with the other fields folded below them."""

    def __init__(self, state: AppState) -> None:
        self.model_box = ModelChoice(state)
        self.model_name = label(role="muted", name="model_name", wrap=True)
        self.prompt = named(TextEdit(state.prompt), "prompt", tr("Prompt"))
        self.prompt.setTabChangesFocus(True)
        self.stages = ParamList(headed=False)
        self.fold = self.stages.fold
        super().__init__(GenerateSpec, "generate", only=GENERATE_FIELDS)
        self.changed.connect(lambda: self.fold.fit(hides=False))
        on_restyle(self.prompt, self._fit)
        self._fit()

    def show_view(self, view: Literal["write", "compare", "score"]) -> None:
        """Show the settings that a view of the page uses; each side of a comparison has its own model and
        parameters."""
        shown: dict[QWidget, bool] = {
            self._of_model: view != "compare", self._texts: view != "score", self._others: view != "score",
            self._sampling: view == "write", self.stages: view == "write",
        }
        for part, show in shown.items():
            part.setVisible(show)
        self.fold.leave_out(self.editors["samples"], view != "write")

    def minimumSizeHint(self) -> QSize:
        """Return the minimum size, as wide in each view as in that with all settings."""
        least = super().minimumSizeHint()
        widths = [each.minimumSizeHint().width() + RIGHT for each in (self._of_model, self.stages)]
        return QSize(max(least.width(), *widths), least.height())

    def show_values(self, values: Mapping[str, Any]) -> None:
        super().show_values(values)
        self.fold.fit()

    def show_problems(self, problems: list[Problem]) -> list[Problem]:
        elsewhere = super().show_problems(problems)
        self.fold.fit(hides=False)
        return elsewhere

    def _lay_out(self) -> None:
        model = label(tr("Model"), "heading", buddy=self.model_box)
        self._sampling = label(tr("Sampling"), "heading")
        prompt = label(tr("Prompt"), "heading", buddy=self.prompt)
        rest = [editor for name, editor in self.editors.items() if name != FIRST]
        self._of_model = with_layout(QWidget(), vbox(model, self.model_box, self.model_name))
        self._texts = with_layout(QWidget(), vbox(prompt, self.prompt, self.editors[FIRST], margins=(0, 8, 0, 0)))
        self._others = with_layout(QWidget(), vbox(
            hbox(self._sampling, FREE, self.fold.button), self.stages, *rest, spacing=8))
        texts = with_layout(HeightForWidth(), vbox(self._of_model, self._texts, FREE))
        others = with_layout(QWidget(), vbox(self._others, FREE))
        both = Reflow(texts, others, stretch=(texts, others), spacing=12)
        with_layout(self, vbox(both, FREE, margins=(0, 0, RIGHT, 0)))
        for editor in rest:
            self.fold.add(editor, lambda editor=editor: editor.is_wrong or not editor.is_usual)  # type: ignore[misc]

    def _fit(self) -> None:
        """Set the height of the prompt to a few lines at the current text size."""
        self.prompt.ensurePolished()
        self.prompt.setFixedHeight(PROMPT_LINES * self.prompt.fontMetrics().lineSpacing() + 20)


LEAST_LINES = 22
"""Minimum height of the panes in lines of text, if the page scrolls as a whole."""


class Panes(QTabWidget):
    """Tabs of the panes below the text.

    A pane has a method ``show_selection``, which is called when the text or the chosen token may have changed, and only
    keeps the selection while the pane is hidden.
    """

    def __init__(self, places: Mapping[str, Any], tabs: Mapping[str, QWidget]) -> None:
        """``places``: panes, or the Deferred widgets that make them, by their names; ``tabs``: these, or groups of
        them that share a tab, by their titles."""
        super().__init__()
        named(self, "write_panes", tr("Choices, branches, the inside of the model, experiments"))
        self.places, self._tabs = places, tuple(tabs.values())
        self._whole = False
        for title, tab in tabs.items():
            self.addTab(tab, title)
        self.setDocumentMode(True)
        self.tabBar().setDrawBase(False)

    def __getitem__(self, name: str) -> Any:
        """Return the pane of a name, and make it if necessary."""
        found = self.places[name]
        return found.widget if isinstance(found, Deferred) else found

    def open(self, name: str) -> None:
        place = self.places[name]
        for tab in self._tabs:
            if tab is place or tab.isAncestorOf(place):
                self.setCurrentWidget(tab)
                if isinstance(tab, SegmentedPages):
                    tab.setCurrentWidget(place)

    def show_selection(self, selection: Selection) -> None:
        """Show the current text and the chosen token in all panes."""
        for found in self.places.values():
            pane = found.made_widget if isinstance(found, Deferred) else found
            if pane is not None:
                pane.show_selection(selection)

    def set_scrolled_by_page(self, whole: bool) -> None:
        """Set whether the page scrolls; if so, the panes keep a comfortable minimum height."""
        self._whole = whole
        self.setMinimumHeight(LEAST_LINES * self.fontMetrics().height() if whole else 0)

    def changeEvent(self, event: QEvent) -> None:
        if event.type() == QEvent.Type.FontChange:
            self.set_scrolled_by_page(self._whole)
        super().changeEvent(event)


WRITE, COMPARE, SCORE = range(3)
VIEWS: tuple[Literal["write", "compare", "score"], ...] = ("write", "compare", "score")
PHASES = {"loading": message("Loading the model…"), "generating": message("Generating…")}
PAINT_MS, PANES_MS = 100, 400
"""Milliseconds between repaints of a streaming text, and of the panes below it: nobody can read a table that changes
ten times a second, and the model waits while the window computes."""
SHARES = 2, 3
"""Relative heights of the text and of the panes below it."""


class GenerateTab(QWidget):
    """Page that requests texts and analyses from models. Changed sampling parameters need no new model run."""

    def __init__(self, state: AppState, generation: GenerationController, actions: Actions) -> None:
        super().__init__()
        self._state, self._generation, self._actions = state, generation, actions
        self.document = state.document
        self._copied = ""  # name of the copy that wrote last, of a model in training
        self._new_text = True  # the text does not continue one on the screen
        self._whole = False  # whether the page scrolls as a whole
        self._paint = QTimer(self, interval=PAINT_MS, singleShot=True)
        self._paint.timeout.connect(self.show_text)
        self._panes_shown = QElapsedTimer()
        self._make_controls()
        self._make_views()
        self._connect()
        self._lay_out()
        self.main_control = self.prompt
        self.show_text()
        self._show_view()

    @property
    def pair(self) -> ComparePane:
        return self._pair.widget

    @property
    def score(self) -> ScorePane:
        return self._score.widget

    def show_view_with(self, name: str = "") -> bool:
        """Show the view that contains a control, preferably the current one. Return whether that was possible: a
        working view stays visible, so that it can be stopped."""
        places = self.findChildren(QWidget, name) if name else []
        if name and not places and make_inside(self):
            places = self.findChildren(QWidget, name)
        others = zip(VIEWS[1:], self._views[1:], strict=True)
        only = (name for name, view in others if places and all(view.isAncestorOf(each) for each in places))
        wanted = next(only, VIEWS[WRITE])
        if not self.busy:
            self._state.generate_view = wanted
        return wanted == self._state.generate_view

    def show_opened(self, problem: str) -> None:
        if problem:
            self.notice.setText(problem)
        self.show_view_with()

    @property
    def running(self) -> bool:
        return bool(self._state.generating)

    @property
    def busy(self) -> bool:
        """True while a model is running or the text is playing, so that there is something to stop."""
        return self.running or self._state.playing

    def hideEvent(self, event: QHideEvent) -> None:
        """Stop playing: the text is no longer visible."""
        super().hideEvent(event)
        if not event.spontaneous():
            self.controller.pause()

    def stop(self) -> None:
        self.controller.halt()
        self._generation.stop()

    def leave(self) -> None:
        self.controller.pause()
        self._paint.stop()

    @cached_property
    def beam_dialog(self) -> BeamDialog:
        made = BeamDialog(self.branches, self._state, self._generation)
        made.search_requested.connect(self.controller.halt)
        made.search_requested.connect(self._write)
        return made

    # Views, and the card at the side.

    def _show_view(self) -> None:
        index = VIEWS.index(self._state.generate_view)
        self.segments.choose(index)
        appearance.catch_up(self._views[index])
        self._stack.setCurrentIndex(index)
        if index != WRITE:
            self.controller.pause()
        self.settings.show_view(self._state.generate_view)
        for part in (self.go, self.copy_as):
            part.setVisible(index == WRITE)
        self._show_state()

    def _show_state(self) -> None:
        state, name = self._state, self._model_in_words()
        copy = live_copy_bytes(state)
        self.model_name.setText(joined("  ·  ", *filter(None, (
            tr("{model} on {device}", model=name, device=state.device.key.upper()) if name else "",
            tr("the copy takes about {size} of memory", size=size(copy)) if copy else ""))))
        busy = tr("The model is busy in this view. Stop it first.") if self.busy else ""
        set_blocker(self.segments, busy)  # the working view must stay visible
        self._score.if_made(self._show_model_of_score)
        self.tree_documents.set_model(state.loadable_model)
        busy = tr("The model is busy. Stop it first.") if state.generating else ""
        set_blocker(self.branches.beam_button, busy or ("" if text_model(state) else tr("No model is available here.")))
        self.card.welcome.setText(_welcome(state.loadable_model))

    def _model_in_words(self) -> str:
        source = self._state.model_with_seed
        if isinstance(source, SavedModel):
            return short_name(source)
        copied = self._copied if isinstance(source, LiveModel) else ""
        return display_name(copied or (source.name if source else ""))

    def _show_values(self) -> None:
        state = self._state
        if self.settings.values() != state.generate_values:
            self.settings.show_values(state.generate_values)
        self.settings.show_problems(GenerateSpec.labelled_problems(state.generate_values))
        if typed_text(self.prompt) != state.prompt:
            self.prompt.setPlainText(state.prompt)

    def _show_params(self) -> None:
        if self.stages.sampling_params() != self._state.sampling_params:
            self.stages.set_params(self._state.sampling_params)

    def _set_scrolled_by_page(self, whole: bool) -> None:
        """Set whether the page scrolls as a whole, so that its views need not."""
        self._whole = whole
        for place in (self._pair, self._score):
            place.if_made(lambda view: view.set_scrolled_by_page(whole))

    def _change_model(self) -> None:
        self._copied = ""
        self.notice.setText("")
        self._show_state()

    # Generation.

    def press(self) -> None:
        """Trigger the main button of the view: generate, compare or score, or stop."""
        if self._state.generate_view != "write":
            (self.pair if self._state.generate_view == "compare" else self.score).go.click()
            return
        self.stages.settle()
        if self.busy:
            self.stop()
        else:
            self._write(None, 0, 0)

    def transport_text(self, act: Literal["forward", "back", "play", "next_uncertain", "undo", "redo"]) -> None:
        """Move in the text, or undo or redo a change, if the text is visible."""
        if self.isVisible() and self._stack.currentIndex() == WRITE:
            getattr(self.controller, act)()

    def _write(self, ids: tuple[int, ...] | None, known: int, tokens: int, beams: BeamSpec | None = None) -> None:
        """Generate a new text, or continue from ``ids``, with ``known`` tokens already on the screen. ``tokens``: the
        number to generate; 0: up to the usual length. ``beams``: use a beam search instead of sampling."""
        state, document = self._state, self.document
        model = document.snapshot.model if ids is not None else None
        source, spec = model.source if model else self._generation.chosen_model(), state.generate_spec
        if not spec:
            self.notice.setText(" ".join(tr(each.message) for each in state.generate_problems))
            return
        if not source or self.running:
            return
        if ids is not None:
            left = document.given + spec.max_new_tokens - len(ids)
            spec = spec.but(max_new_tokens=tokens or max(1, left), samples=1)
        elif beams:
            spec = spec.but(max_new_tokens=tokens, samples=1)
        request = Write(spec, source, ids, known, refresh=ids is None, beams=beams)
        try:
            document.begin(request.model, known)
        except UserError as error:
            self.notice.setText(tr(text_of(error)))
            return
        self._new_text = not known
        if ids is None:
            self._copied = ""
        if self._new_text:
            self.controller.pause()
        self.choices.first_seed = spec.seed
        self.notice.setText("")
        self._generation.write(request)

    def take(self, events: list[Any]) -> None:
        """Process events, and show the text: at once, or shortly after while it streams, because painting slows the
        model."""
        for event in events:
            self._take(event)
        if events and not self.controller.writing:
            self.show_text()
        elif events and not self._paint.isActive():
            self._paint.start()
        self.controller.continue_text()

    def _take(self, event: Any) -> None:
        match event:
            case PromptRead() | TokenRead() | TokenDrawn() | BeamStep() | TextEnded():
                if self.document.take(event) and isinstance(event, PromptRead):
                    model = self.document.snapshot.model  # may differ from the one that is chosen now
                    self._copied = event.model if model and isinstance(model.source, LiveModel) else ""
                    self._show_state()
                    self.notice.say(_about(event, self.document.snapshot.tree.model, self._new_text))
            case PhaseChanged():
                self.phase.setText(tr(PHASES[event.phase]) if event.phase in PHASES else "")
            case Warned():
                self.notice.add(tr(event.message))
            case Ended():
                self.document.take(event)
                if event.outcome == "failed":
                    self.controller.pause()
                    self.notice.setText(tr(event.message))

    # Text, and the panes below it.

    def text(self) -> str:
        return self.document.text

    def show_text(self) -> None:
        """Show the current text and the panes, which are updated less often while the text streams."""
        self._paint.stop()
        self.card.show_document()
        streaming = self.controller.writing and self.document.following
        if not (streaming and self._panes_shown.isValid() and not self._panes_shown.hasExpired(PANES_MS)):
            self._panes_shown.start()
            self._show_selection()

    def _show_selection(self) -> None:
        document, snapshot = self.document, self.document.snapshot
        self._generate_beside.setVisible(not document.path)
        selection = self._state.selection = Selection(
            snapshot.model, tuple(document.path), snapshot.cursor, self.controller.writing, snapshot.interventions,
            tuple(snapshot.tree.interventions.items()), document.tokenizer)
        self._ask_changed(selection)
        self.panes.show_selection(selection)

    def _ask_changed(self, selection: Selection) -> None:
        """Request the reading of the text by the model with the changes of "What if"."""
        if selection.model and selection.path and selection.interventions and not selection.writing:
            cursor = selection.cursor if selection.cursor is not None else len(selection.path) - 1
            self.changed.ask(ChangedReadingQuery(selection.model, selection.ids, cursor, selection.interventions))
        elif self.changed.asked is not None:
            self.changed.forget()
            self.changed.changed.emit()

    def _show_differences(self) -> None:
        """Set the effects of the changes of "What if" on the surprisal, by which the tokens can be coloured."""
        reading = self.changed.latest
        self.strip.show_values("change", reading.differences.tolist() if reading else ())

    def _open_stage(self, name: str, layer: int) -> None:
        """Open the pane of a stage between embedding and logits."""
        self.panes.open(name)
        if name == "attention":
            self.attention.show_layer(layer)
        elif name == "neighbours" and (position := self.layers.source_position()) is not None:
            self.neighbours.show_token(self.document.ids[position])

    def _open_tree(self, path: Path) -> None:
        if self.controller.writing:
            self.notice.say(tr("A text is being generated. Stop it first, then open the tree."))
        else:
            self.tree_documents.open(path)

    # Parts.

    def _make_controls(self) -> None:
        state = self._state
        self.settings = SideSettings(state)
        self.model_box, self.model_name = self.settings.model_box, self.settings.model_name
        self.prompt, self.stages = self.settings.prompt, self.settings.stages
        self.go = self._actions.button("generate", "primary")
        self.copy_as = copy_button(self._actions, "generate_copy")
        self.temperature, self.top_k = self.stages.slider("temperature"), self.stages.slider("top_k")
        self.segments = Segments("view", (tr("Write"), tr("Compare two"), tr("Score a text")), tr(
            "Generate a text, generate two side by side, or measure how surprised the model is by a text"))

    def _make_views(self) -> None:
        """Make the text and its panes. The views Compare and Score are made when they are first shown."""
        state, generation = self._state, self._generation
        self.card = TextCard(state, generation.copies)
        self.strip, self.transport = self.card.strip, self.card.transport
        self.phase, self.notice, self.copy = self.card.phase, self.card.notice, self.card.copy
        self.controller = TextController(state, generation, self.transport.interval_ms, self)
        self.changed = Asking(generation, "changed", self)
        self.choices = ChoicesPane(state, generation, self.changed, generation.training_text)
        self.branches = Branches(self.document)
        self.attention, self.layers = AttentionPane(generation), LayersPane(generation)
        self.neighbours = NeighboursPane(generation)
        what_if = Deferred(lambda: WhatIfPane(
            state, generation, self.changed, self.controller.intervene, self.controller.name_changes))
        two_prompts = Deferred(lambda: TwoPromptsPane(state, generation))
        for pane in (what_if, two_prompts):
            pane.made.connect(lambda pane=pane: pane.widget.show_selection(state.selection))
        inside = SegmentedPages(
            "inside", (tr("Attention"), tr("Layers"), tr("Neighbours")), (self.attention, self.layers, self.neighbours),
            tr("What the model computes on the way to the next token"))
        experiments = SegmentedPages(
            "experiments", (tr("What if"), tr("Two prompts")), (what_if, two_prompts),
            tr("Change what the model computes or reads"))
        self.panes = Panes({
            "choices": self.choices, "branches": self.branches, "attention": self.attention, "layers": self.layers,
            "neighbours": self.neighbours, "what_if": what_if, "two_prompts": two_prompts,
        }, {
            tr("Choices"): self.choices, tr("Branches"): self.branches, tr("Inside"): inside,
            tr("Experiments"): experiments,
        })
        self.attention.on_text.attach(state, generation, self.card)
        self.tree_documents = TreeDocuments(self.branches, self.document)
        self._generate_beside = self._actions.button("generate", "quiet", called="write_panes_generate")
        self.panes.setCornerWidget(self._generate_beside)
        self._pair = Deferred(lambda: ComparePane(state, generation))
        self._score = Deferred(lambda: ScorePane(state, generation))
        for place in (self._pair, self._score):
            place.made.connect(lambda: self._set_scrolled_by_page(self._whole))
        self._score.made.connect(lambda: self._show_model_of_score(self.score))

    def _show_model_of_score(self, score: ScorePane) -> None:
        """Show which model would score a text, and offer the text that was generated last."""
        score.set_model(self._state.loadable_model, self._model_in_words())
        if not self._state.generating:
            score.offer(self.text())

    def _connect(self) -> None:
        state, controller, transport, branches = self._state, self.controller, self.transport, self.branches
        for signal, act in (
            (self.model_box.chosen, self._change_model), (self.model_box.refused, self.notice.setText),
            (self.prompt.textChanged, lambda: setattr(state, "prompt", typed_text(self.prompt))),
            (self.prompt.shortened, lambda n: self.notice.setText(too_long(n))),
            (self.stages.turned, lambda: setattr(state, "sampling_params", self.stages.sampling_params())),
            (self.settings.changed, lambda: setattr(state, "generate_values", self.settings.values())),
            (self.segments.chosen, lambda index: setattr(state, "generate_view", VIEWS[index])),
            (self._generation.events_arrived, self.take),
            (controller.changed, self.show_text), (controller.write_requested, self._write),
            (controller.chosen, self.choices.asking.retry),
            (self.strip.chosen, controller.choose), (self.strip.pointed, self.attention.start_layer),
            (self.card.text_wanted, controller.switch_to),
            (transport.back.clicked, controller.back), (transport.forward.clicked, controller.forward),
            (transport.play.clicked, controller.play), (transport.start.clicked, lambda: controller.choose(0)),
            (transport.end.clicked, controller.end), (transport.uncertain.clicked, controller.next_uncertain),
            (transport.undo.clicked, controller.undo), (transport.redo.clicked, controller.redo),
            (transport.colour_chosen, self.strip.colour_by), (self.changed.changed, self._show_differences),
            (self.choices.candidate_chosen, controller.branch),
            (self.choices.order_dragged, lambda order: setattr(
                state, "sampling_params", state.sampling_params.but(order=order))),
            (branches.went, controller.go), (branches.rename_requested, controller.rename),
            (branches.remove_requested, controller.remove), (branches.open_requested, self._open_tree),
            (branches.beam_button.clicked, lambda: self.beam_dialog.begin()),
            (self.tree_documents.said, self.card.say), (self.tree_documents.attributed, self.card.notice.say),
            (self.tree_documents.opened, self.show_text),
            (self.layers.flow.pane_wanted, self._open_stage),
            (self.layers.flow.lab_wanted, state.lab_requested.emit),
        ):
            signal.connect(act)
        state.on(self._show_view, "generate_view")
        state.on(self._show_values, "generate_values", "prompt")
        state.on(self._show_params, "sampling_params")
        state.on(self._show_state, "models", "model", "config", "device", "generate_values", "generating", "playing")
        self._show_values()
        self._show_params()

    def _lay_out(self) -> None:
        panes_card = card(self.panes, name="panes_card", margins=(8, 4, 8, 8))
        writing = with_layout(QWidget(), vbox(Splitter(self.card, panes_card, SHARES)))
        self._views: tuple[QWidget, ...] = writing, self._pair, self._score
        self._stack = stacked(*self._views)
        centre = with_layout(QWidget(), vbox(self.segments, grows(self._stack), spacing=8))
        controls = scrolling(self.settings, "generate_side_scroll")
        side = card(grows(controls), hbox(grows(self.go), self.copy_as), name="generate_side")
        page = Reflow(centre, side, stretch=(centre,), spacing=12, narrow=ABOVE)
        for show in (controls.set_scrolled_by_page, self.panes.set_scrolled_by_page, self._set_scrolled_by_page):
            page.turned.connect(show)
        with_layout(self, vbox(page, margins=(16, 12, 16, 12)))
        self.parts = self.segments, *self._views, side


def _welcome(model: Model | None) -> str:
    words = tr(
        "Press Generate to generate a text here, token by token. Click any token to see the alternatives, choose "
        "another one, and the text continues from there.")
    if model and isinstance(model.source, UntrainedModel):
        noise = tr("The selected model is untrained and generates noise, which is worth seeing once.")
        return joined("\n\n", words, noise)
    return words


def _about(prompt: PromptRead, before: str, new_text: bool) -> str:
    """Return the notice for a text that begins or continues; usually empty. ``before``: the model that wrote the
    tree."""
    if before != prompt.model:  # a model in training has changed, or the tree is from a file
        return tr("{before} generated the text up to here; {now} continues it.",
                  before=display_name(before), now=display_name(prompt.model))
    if prompt.dropped and new_text:
        return tr("The prompt is longer than the context length. Prompt tokens the model does not see: {n}.",
                  n=f"{prompt.dropped:,}")
    return ""
