"""Generate tab: model, prompt and sampling parameters at the side; in the middle a text, a comparison or a score."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

from PySide6.QtCore import Signal
from PySide6.QtWidgets import QStackedWidget, QVBoxLayout, QWidget

from gptstudio.fields import SpecError
from gptstudio.gpt.config import GPTConfig
from gptstudio.gpt.sampling.params import SamplingParams
from gptstudio.gui.forms.field import SpecEditor
from gptstudio.gui.forms.segments import Segments
from gptstudio.gui.forms.text_edit import TextEdit, too_long
from gptstudio.gui.generate.comparison.compare_pane import ComparePane
from gptstudio.gui.generate.model_choice import ModelChoice
from gptstudio.gui.generate.requests import Model, Write
from gptstudio.gui.generate.scoring.score import Score
from gptstudio.gui.generate.stages.param_list import ParamList
from gptstudio.gui.generate.write_view import WriteView
from gptstudio.gui.model_names import display_name
from gptstudio.gui.theme import theme
from gptstudio.gui.translation import tr
from gptstudio.gui.widgets.parts import button, card, label, named, scrolling
from gptstudio.gui.widgets.reflow import ABOVE, Reflow
from gptstudio.gui.widgets.tall import Tall
from gptstudio.training.events import PromptRead, TokenDrawn, TokenRead
from gptstudio.training.model_source import LiveModel, ModelSource, SavedModel, UntrainedModel, earlier
from gptstudio.training.spec import GenerateSpec

WRITE, COMPARE, SCORE = range(3)
PROMPT_LINES = 4
SETTINGS = ("max_new_tokens", "seed", "samples", "stop_at_end", "stop_text", "precision")


class GenerateTab(QWidget):
    """Page that requests texts and analyses from models. Changed sampling parameters need no new model run."""

    requested = Signal(object)  # an Ask
    stop_requested = Signal()
    params_changed = Signal(object)  # SamplingParams

    def __init__(self) -> None:
        super().__init__()
        self._copied = ""  # the name of the copy of a model in training that wrote last
        self._fresh: GPTConfig | None = None
        self._device_key = "auto"
        self._earlier: Sequence[SavedModel] = ()  # further checkpoints of the runs, to compare with
        self._parts: dict[QWidget, tuple[int, ...]] = {}  # of the side card, and the views that need them
        self._make_controls()
        self._connect()
        self._lay_out()
        self._show_state()

    # Input from the window.

    def set_fresh(self, config: GPTConfig | None) -> None:
        """The Model panel's configuration: what an untrained model would be built from. None: it has a problem."""
        self._fresh = config
        self.model_box.set_fresh(config)

    def set_live(self, live: LiveModel | None) -> None:
        """The run that is going on, also while it pauses; None when there is none."""
        self.model_box.set_live(live)

    def set_sources(self, saved: Sequence[SavedModel], choose: ModelSource | None = None) -> None:
        """The models that runs have saved, the newest first."""
        self._earlier = earlier(saved)
        self.model_box.set_saved(saved, choose)

    def set_device(self, key: str) -> None:
        self._device_key = key
        self._show_state()

    def apply(self, messages: list[Any]) -> None:
        """Takes all that came since the last paint, and paints once."""
        for message in messages:
            if isinstance(message, PromptRead):
                self._copied = message.model
        for view in (self.pair, self.score):
            view.take(messages)
        self.view.apply(messages)
        if not all(isinstance(each, (TokenRead, TokenDrawn)) for each in messages):  # a further token changes nothing
            self._show_state()

    def source(self) -> ModelSource | None:
        """Return the chosen model as it is requested: an untrained one is built from the seed that is set."""
        source = self.model_box.source()
        return UntrainedModel(source.config, self._seed()) if isinstance(source, UntrainedModel) else source

    def offers(self, source: ModelSource) -> bool:
        """Return whether a model can be chosen."""
        return source in self.model_box.sources

    def add_source(self, path: str) -> None:
        """Offers a checkpoint from anywhere on the disk, and chooses it."""
        self.model_box.open(path)

    def show_view_with(self, name: str = "") -> bool:
        """Show the view that has a control: the one that writes, unless only another has it. Whether it could be:
        what is at work stays in sight, to be stopped."""
        places = [widget for widget in self.findChildren(QWidget) if name and widget.objectName() == name]
        others = {COMPARE: self.pair, SCORE: self.score}
        wanted = next((
            index for index, view in others.items() if places and all(view.isAncestorOf(each) for each in places)
        ), WRITE)
        if wanted != self.segments.index() and not self.busy:
            self.segments.choose(wanted)
        return wanted == self.segments.index()

    @property
    def running(self) -> bool:
        """True if a model is generating or reading a text."""
        return self.view.writing or self.pair.running or self.score.running

    @property
    def busy(self) -> bool:
        """True if there is something to stop: a model is running, or the text is playing."""
        return self.running or self.view.playing

    def retranslate(self) -> None:
        """In another language."""
        self._show_state()

    # User actions.

    def primary(self) -> None:
        if self.views.currentIndex() != WRITE:
            self._shown().primary()
        elif self.go.isEnabled():
            self.go.click()

    def stop(self) -> None:
        self.view.halt()
        if self.running:
            self.stop_requested.emit()

    def step(self) -> None:
        """One token forward."""
        self._if_writing(self.view.forward)

    def step_back(self) -> None:
        """One token back."""
        self._if_writing(self.view.back)

    def play(self) -> None:
        """Walks through the text, or stops walking."""
        self._if_writing(self.view.play)

    def undo(self) -> None:
        """The text as it was before the last change."""
        self._if_writing(self.view.undo)

    def redo(self) -> None:
        """Redo what was undone last."""
        self._if_writing(self.view.redo)

    def _if_writing(self, act: Callable[[], None]) -> None:
        if self.isVisible() and self.views.currentIndex() == WRITE:
            act()

    def sampling_params(self) -> SamplingParams:
        return self.stages.sampling_params()

    def spec(self) -> GenerateSpec:
        """Return the spec of the requested text.

        Raises:
            SpecError: a setting is wrong.
        """
        return GenerateSpec.make(
            self.settings.values(), prompt=self.prompt.toPlainText(), device=self._device_key,
            **self.sampling_params().shallow(),
        )

    def leave(self) -> None:
        """The window goes."""
        self.view.leave()

    def _pressed(self) -> None:
        self.stages.settle()
        if self.busy:
            self.stop()
        else:
            self._write(None, 0, 0)

    def _write(self, ids: tuple[int, ...] | None, known: int, tokens: int) -> None:
        """Asks for a text: a new one, or one that goes on from these ids; by so many tokens, or to the usual length."""
        script = self.view.document
        model = script.snapshot.model if ids is not None else None
        source = model.source if model else self.source()
        try:
            spec = self.spec()
        except SpecError as error:
            self.view.notice.setText(str(error))
            return
        if not source or self.running:
            return
        if ids is not None:
            left = script.given + spec.max_new_tokens - len(ids)
            spec = spec.but(max_new_tokens=tokens or max(1, left), samples=1)
        request = Write(spec, source, ids, known, refresh=ids is None)
        if ids is None:
            self._copied = ""
        self.view.panes.reshape(spec.sampling_params)
        self.view.begin(request.model, known, spec.seed)
        self._show_state()
        self.requested.emit(request)

    def _turned(self) -> None:
        if self.view.writing:
            self.params_changed.emit(self.sampling_params())
        self.view.panes.reshape(self.sampling_params())
        self._set_common()

    def _dragged(self, order: tuple[Any, ...]) -> None:
        """The stages were put into another order in the table."""
        self.stages.set_params(self.sampling_params().but(order=order))
        self._turned()

    def _settings_changed(self) -> None:
        self.settings.show_problems(GenerateSpec.problems(self.settings.values()))
        self._show_state()

    def _model_chosen(self) -> None:
        self.view.notice.setText("")
        self._copied = ""
        self._show_state()

    # Display.

    def _shown(self) -> Any:
        return (self.view, self.pair, self.score)[self.views.currentIndex()]

    def _show_view(self, index: int) -> None:
        self.views.setCurrentIndex(index)
        for part, where in self._parts.items():
            part.setVisible(index in where)
        self._show_state()

    def _show_state(self) -> None:
        source = self.source()
        where = self._device_key.upper()
        copied = self._copied if isinstance(source, LiveModel) else ""
        name = display_name(copied or (source.name if source else ""))
        self.model_name.setText(tr("{model} on {device}", model=name, device=where) if name else "")
        self.go.setText(tr("Stop") if self.busy else tr("Generate"))
        self.go.setAccessibleName(self.go.text())
        reason = self._reason(source)
        self.go.setEnabled(not reason)
        self.go.setToolTip(reason or tr("Ctrl+Enter or Space"))
        weights = self.settings.values().get("precision", "fp32")
        model = Model(source, self._device_key, weights=weights) if source and not reason else None
        self.segments.setEnabled(not self.busy)  # whatever is stopped must be in sight
        self.score.set_model(model, name)
        if not self.running:
            self.score.offer(self.view.text())
        self.view.set_model(model)
        self.pair.set_sources([*self.model_box.sources, *self._earlier])
        self._set_common()

    def _reason(self, source: ModelSource | None) -> str:
        """Return the reason nothing can be generated now."""
        if self.busy:
            return ""
        if not source:
            return tr("Choose a model first.")
        if isinstance(source, UntrainedModel) and not self._fresh:
            return tr("The model settings are invalid: see the Model panel.")
        return ""

    def _set_common(self) -> None:
        try:
            self.pair.set_common(self.spec())
        except SpecError:
            self.pair.set_common(None)

    def _fit(self) -> None:
        """The prompt is as high as some lines of its text, whatever the size of that."""
        self.prompt.ensurePolished()
        self.prompt.setFixedHeight(PROMPT_LINES * self.prompt.fontMetrics().lineSpacing() + 20)

    def _seed(self) -> int:
        seed = self.settings.values()["seed"]
        return seed if isinstance(seed, int) else GenerateSpec().seed

    def _make_controls(self) -> None:
        self.model_box = ModelChoice()
        self.model_name = label(role="muted", name="model_name", wrap=True)
        self.prompt = named(TextEdit("Every effort moves you"), "prompt", tr("Prompt"))
        self.prompt.setTabChangesFocus(True)
        self.go = button(tr("Generate"), "generate", role="primary")
        defaults = GenerateSpec()
        self.stages = ParamList()
        self.stages.set_params(defaults.sampling_params)
        self.temperature, self.top_k = self.stages.slider("temperature"), self.stages.slider("top_k")
        self.settings = SpecEditor(GenerateSpec, "generate", only=SETTINGS)
        self.settings.set_values(defaults)
        self.segments = Segments("view", (tr("Write"), tr("Compare two"), tr("Score a text")))
        self.view, self.pair, self.score = WriteView(self.sampling_params()), ComparePane(), Score()

    def _connect(self) -> None:
        self.model_box.chosen.connect(self._model_chosen)
        self.model_box.offered.connect(self._show_state)
        self.model_box.refused.connect(self.view.notice.setText)
        self.go.clicked.connect(self._pressed)
        self.prompt.textChanged.connect(self._set_common)
        self.prompt.shortened.connect(lambda n: self.view.notice.setText(too_long(n)))
        self.stages.turned.connect(self._turned)
        self.settings.changed.connect(self._settings_changed)
        self.segments.chosen.connect(self._show_view)
        self.view.write_requested.connect(self._write)
        self.view.stop_requested.connect(self.stop_requested)
        self.view.play_changed.connect(self._show_state)
        self.view.choices.order_dragged.connect(self._dragged)
        for view in (self.view, self.pair, self.score):
            view.requested.connect(self._request)
        for view in (self.pair, self.score):
            view.stop_requested.connect(self.stop_requested)

    def _request(self, request: Any) -> None:
        self.requested.emit(request)
        self._show_state()

    def _lay_out(self) -> None:
        self.views = QStackedWidget()
        for view in (self.view, self.pair, self.score):
            self.views.addWidget(view)
        centre = QWidget()
        inside = QVBoxLayout(centre)
        inside.setContentsMargins(0, 0, 0, 0)
        inside.setSpacing(10)
        inside.addWidget(self.segments)
        inside.addWidget(self.views, 1)
        side = self._side_card()
        page = Reflow(centre, side, stretch=(centre,), spacing=12, narrow=ABOVE)
        for part in (self._controls, self.view.panes, self.pair, self.score):
            page.turned.connect(part.show_whole)
        layout = QVBoxLayout(self)
        layout.setContentsMargins(16, 14, 16, 14)
        layout.addWidget(page)

    def _side_card(self) -> QWidget:
        """Create the card: model, prompt and length; beside or below these the sampling parameters; Generate."""
        captions = [label(words, "heading") for words in (tr("Model"), tr("Prompt"))]
        captions[0].setBuddy(self.model_box)
        captions[1].setBuddy(self.prompt)
        theme.changed.connect(self._fit)
        self._fit()
        texts = Tall()
        layout = QVBoxLayout(texts)
        layout.setContentsMargins(0, 0, 0, 0)
        for part in (captions[0], self.model_box, self.model_name, captions[1], self.prompt, self.settings):
            if part in (captions[1], self.settings):
                layout.addSpacing(6)
            layout.addWidget(part)
        layout.addStretch(1)
        sampling_params = QWidget()
        below = QVBoxLayout(sampling_params)
        below.setContentsMargins(0, 0, 0, 0)
        below.addWidget(self.stages)
        below.addStretch(1)
        column = QWidget()
        inside = QVBoxLayout(column)
        inside.setContentsMargins(0, 0, 4, 0)
        inside.addWidget(Reflow(texts, sampling_params, stretch=(texts, sampling_params), spacing=14))
        inside.addStretch(1)
        own: dict[tuple[int, ...], tuple[QWidget, ...]] = {
            (WRITE,): (self.stages, self.settings.editors["samples"], self.go),
            (WRITE, COMPARE): (captions[1], self.prompt, self.settings),
            (WRITE, SCORE): (captions[0], self.model_box, self.model_name),  # each side of a comparison has its own
        }
        self._parts = {part: views for views, parts in own.items() for part in parts}
        self._controls = scrolling(column, "generate_side_scroll")
        frame, outside = card("generate_side")
        outside.addWidget(self._controls, 1)
        outside.addWidget(self.go)
        return frame
