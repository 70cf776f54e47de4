"""Generate page: model, prompt and sampling parameters at the side; in the middle a text, a comparison or a score."""

from __future__ import annotations

from collections.abc import Callable
from functools import partial
from typing import Any, Literal

from PySide6.QtWidgets import QWidget

from gptstudio.app.derived import live_copy_bytes
from gptstudio.app.requests import Write
from gptstudio.app.state import GENERATE_FIELDS, AppState
from gptstudio.gui.actions import Actions
from gptstudio.gui.appearance import appearance, follow
from gptstudio.gui.controllers.generation import GenerationController
from gptstudio.gui.copy_commands import copy_button
from gptstudio.gui.forms.field import SpecEditor
from gptstudio.gui.forms.segments import Segments
from gptstudio.gui.forms.text_edit import TextEdit, too_long
from gptstudio.gui.generate.comparison.compare_pane import ComparePane
from gptstudio.gui.generate.model_choice import ModelChoice
from gptstudio.gui.generate.scoring.score import Score
from gptstudio.gui.generate.stages.param_list import ParamList
from gptstudio.gui.generate.views import Views
from gptstudio.gui.model_names import display_name
from gptstudio.gui.translation import joined, size, tr
from gptstudio.gui.widgets.deferred import make_inside
from gptstudio.gui.widgets.layouts import FREE, card, grows, hbox, holding, vbox
from gptstudio.gui.widgets.parts import label, named, permit, scrolling
from gptstudio.gui.widgets.reflow import ABOVE, Reflow
from gptstudio.gui.widgets.tall import Tall
from gptstudio.inference.beam_spec import BeamSpec
from gptstudio.inference.spec import GenerateSpec
from gptstudio.training.events import PromptRead
from gptstudio.training.model_source import LiveModel

WRITE, COMPARE, SCORE = range(3)
VIEWS: tuple[Literal["write", "compare", "score"], ...] = ("write", "compare", "score")
PROMPT_LINES = 4


class GenerateTab(QWidget):
    """Page that requests texts and analyses from models. Changed sampling parameters need no new model run."""

    def __init__(self, state: AppState, controller: GenerationController, actions: Actions) -> None:
        super().__init__()
        self._state, self._controller, self._actions = state, controller, actions
        self._copied = ""  # the name of the copy of a model in training that wrote last
        self._shown_in: dict[QWidget, tuple[int, ...]] = {}  # of the side card, and the views that need them
        self._make_controls()
        self._connect()
        self._lay_out()
        self.main_control = self.prompt
        self._show_view()
        follow(self, self._show_state)

    @property
    def pair(self) -> ComparePane:
        return self.views.pair

    @property
    def score(self) -> Score:
        return self.views.score

    def show_view_with(self, name: str = "") -> bool:
        """Show the view that has a control: the one that writes, unless only another has it. Whether it could be:
        what is at work stays in sight, to be stopped."""
        places = self.findChildren(QWidget, name) if name else []
        if name and not places and make_inside(self):
            places = self.findChildren(QWidget, name)
        others = zip(VIEWS[1:], self.views.pages[1:], strict=True)
        only = (name for name, view in others if places and all(view.isAncestorOf(each) for each in places))
        wanted = next(only, VIEWS[WRITE])
        if not self.busy:
            self._state.generate_view = wanted
        return wanted == self._state.generate_view

    def show_opened(self, problem: str) -> None:
        if problem:
            self.view.notice.setText(problem)
        self.show_view_with()

    @property
    def running(self) -> bool:
        return bool(self._state.generating)

    @property
    def busy(self) -> bool:
        """True if there is something to stop: a model is running, or the text is playing."""
        return self.running or self._state.playing

    def _show_view(self) -> None:
        index = VIEWS.index(self._state.generate_view)
        self.segments.choose(index)
        appearance.catch_up(self.views.pages[index])
        self.views.setCurrentIndex(index)
        for part, where in self._shown_in.items():
            part.setVisible(index in where)
        self._show_state()

    def _show_state(self) -> None:
        state, name = self._state, self._model_in_words()
        copy = live_copy_bytes(state)
        self.model_name.setText(joined("  ·  ", *filter(None, (
            tr("{model} on {device}", model=name, device=state.device.key.upper()) if name else "",
            tr("the copy takes about {size} of memory", size=size(copy)) if copy else ""))))
        at_work = tr("The model is at work in this view. Stop it first.") if self.busy else ""
        permit(self.segments, at_work)  # whatever is stopped must be in sight
        self.views.show_state()
        self.view.set_model(state.loadable_model)

    def _model_in_words(self) -> str:
        source = self._state.model_with_seed
        copied = self._copied if isinstance(source, LiveModel) else ""
        return display_name(copied or (source.name if source else ""))

    def _show_values(self) -> None:
        state = self._state
        if self.settings.values() != state.generate_values:
            self.settings.show_values(state.generate_values)
        self.settings.show_problems(GenerateSpec.problems(state.generate_values))
        if self.prompt.toPlainText() != state.prompt:
            self.prompt.setPlainText(state.prompt)

    def _show_params(self) -> None:
        params = self._state.sampling_params
        if self.stages.sampling_params() != params:
            self.stages.set_params(params)
        self.view.panes.reshape(params)

    def _fit(self) -> None:
        """The prompt is as high as some lines of its text, whatever the size of that."""
        self.prompt.ensurePolished()
        self.prompt.setFixedHeight(PROMPT_LINES * self.prompt.fontMetrics().lineSpacing() + 20)

    def stop(self) -> None:
        self.view.controller.halt()
        self._controller.stop()

    def leave(self) -> None:
        self.view.leave()

    def _if_writing(self, act: Callable[[], None]) -> None:
        if self.isVisible() and self.views.currentIndex() == WRITE:
            act()

    def press(self) -> None:
        """Generate, compare or score, or stop: whatever the main button of the view says."""
        if self._state.generate_view != "write":
            (self.pair if self._state.generate_view == "compare" else self.score).go.click()
            return
        self.stages.settle()
        if self.busy:
            self.stop()
        else:
            self._write(None, 0, 0)

    def _write(self, ids: tuple[int, ...] | None, known: int, tokens: int, beams: BeamSpec | None = None) -> None:
        """Ask for a text: a new one, or one that goes on from these ids; by so many tokens, or to the usual length.
        ``beams``: by a search instead of sampling."""
        state, document = self._state, self._state.document
        model = document.snapshot.model if ids is not None else None
        source, spec = model.source if model else state.model_with_seed, state.generate_spec
        if not spec:
            self.view.notice.setText(" ".join(tr(each.message) for each in state.generate_problems))
            return
        if not source or self.running:
            return
        if ids is not None:
            left = document.given + spec.max_new_tokens - len(ids)
            spec = spec.but(max_new_tokens=tokens or max(1, left), samples=1)
        elif beams:
            spec = spec.but(max_new_tokens=tokens, samples=1)
        request = Write(spec, source, ids, known, refresh=ids is None, beams=beams)
        if ids is None:
            self._copied = ""
        self.view.panes.reshape(spec.sampling_params)
        self.view.begin(request.model, known, spec.seed)
        self._controller.write(request)

    def _change_model(self) -> None:
        self._copied = ""
        self.view.notice.setText("")
        self._show_state()

    def _take(self, events: list[Any]) -> None:
        for event in events:
            if isinstance(event, PromptRead):
                self._copied = event.model
                self._show_state()

    def _make_controls(self) -> None:
        state, controller = self._state, self._controller
        self.model_box = ModelChoice(state)
        self.model_name = label(role="muted", name="model_name", wrap=True)
        self.prompt = named(TextEdit(state.prompt), "prompt", tr("Prompt"))
        self.prompt.setTabChangesFocus(True)
        self.go = self._actions.button("generate", "primary")
        self.copy_as = copy_button(self._actions, "generate_copy")
        self.stages = ParamList()
        self.temperature, self.top_k = self.stages.slider("temperature"), self.stages.slider("top_k")
        self.settings = SpecEditor(GenerateSpec, "generate", only=GENERATE_FIELDS)
        self.segments = Segments("view", (tr("Write"), tr("Compare two"), tr("Score a text")), tr(
            "Generate a text, generate two side by side, or measure how surprised the model is by a text"))
        self.views = Views(state, controller, self._model_in_words)
        self.view = self.views.view
        self.view.panes.offer(self._actions.button("generate", "quiet", called="write_panes_generate"))

    def _connect(self) -> None:
        state, controller = self._state, self._controller
        self.model_box.chosen.connect(self._change_model)
        self.model_box.refused.connect(self.view.notice.setText)
        text = self.view.controller
        for name in ("forward", "back", "play", "undo", "redo"):
            self._actions.handle(f"transport_{name}", partial(self._if_writing, getattr(text, name)))
        self._actions.handle("generate", self.press)
        self._actions.handle("stop_generating", self.stop)
        self.prompt.textChanged.connect(lambda: setattr(state, "prompt", self.prompt.toPlainText()))
        self.prompt.shortened.connect(lambda n: self.view.notice.setText(too_long(n)))
        self.stages.turned.connect(lambda: setattr(state, "sampling_params", self.stages.sampling_params()))
        self.settings.changed.connect(lambda: setattr(state, "generate_values", self.settings.values()))
        self.segments.chosen.connect(lambda index: setattr(state, "generate_view", VIEWS[index]))
        text.write_requested.connect(self._write)
        self.view.panes.beam_searches.search_requested.connect(self._write)
        self.view.choices.order_dragged.connect(lambda order: setattr(
            state, "sampling_params", state.sampling_params.but(order=order)))
        controller.events_arrived.connect(self._take)
        state.on(self._show_view, "generate_view")
        state.on(self._show_values, "generate_values", "prompt")
        state.on(self._show_params, "sampling_params")
        state.on(self._show_state, "models", "model", "config", "device", "generate_values", "generating", "playing")
        self._show_values()
        self._show_params()

    def _lay_out(self) -> None:
        centre, side = holding(QWidget(), vbox(self.segments, grows(self.views), spacing=10)), self._side_card()
        page = Reflow(centre, side, stretch=(centre,), spacing=12, narrow=ABOVE)
        for part in (self._controls, self.view.panes, self.views):
            page.turned.connect(part.show_whole)
        holding(self, vbox(page, margins=(16, 14, 16, 14)))
        self.parts = self.segments, *self.views.pages, side

    def _side_card(self) -> QWidget:
        """Create the card: model, prompt and length; beside or below these the sampling parameters; Generate."""
        model = label(tr("Model"), "heading", buddy=self.model_box)
        prompt = label(tr("Prompt"), "heading", buddy=self.prompt)
        follow(self.prompt, self._fit)
        self._fit()
        texts = holding(Tall(), vbox(
            model, self.model_box, self.model_name, vbox(prompt, self.prompt, margins=(0, 6, 0, 0)),
            vbox(self.settings, margins=(0, 6, 0, 0)), FREE))
        sampling_params = holding(QWidget(), vbox(self.stages, FREE))
        own: dict[tuple[int, ...], tuple[QWidget, ...]] = {
            (WRITE,): (self.stages, self.settings.editors["samples"], self.go, self.copy_as),
            (WRITE, COMPARE): (prompt, self.prompt, self.settings),
            (WRITE, SCORE): (model, self.model_box, self.model_name),  # each side of a comparison has its own
        }
        self._shown_in = {part: views for views, parts in own.items() for part in parts}
        both = Reflow(texts, sampling_params, stretch=(texts, sampling_params), spacing=14)
        inside = holding(QWidget(), vbox(both, FREE, margins=(0, 0, 4, 0)))
        self._controls = scrolling(inside, "generate_side_scroll", reached=False)
        lowest = hbox(grows(self.go), self.copy_as)
        return card(grows(self._controls), lowest, name="generate_side")
