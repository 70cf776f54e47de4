"""State of the program: one observable object with frozen values. Views bind to its fields by name.

Setting a field changes the program; a view that shows the field listens to its signal in ``events``. The signals are
psygnal's: setting an equal value emits no signal, and a listener that no longer exists is not called. Nothing here
needs Qt.
"""

from __future__ import annotations

import os
from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import Annotated, Any, ClassVar, Literal

from psygnal import Signal, SignalGroupDescriptor
from pydantic import BaseModel, Field

from gptstudio import files
from gptstudio.app.requests import Model
from gptstudio.app.shown_run import Continuation, ShownRun
from gptstudio.app.text_document import TextDocument
from gptstudio.app.trash import Kind, Trashed
from gptstudio.data.texts import STORY, VERDICT
from gptstudio.devices import Broken, Device, cpu
from gptstudio.errors import UserError, text_of
from gptstudio.fields import Problem, Spec, fields_of
from gptstudio.gpt.config import DEFAULT_PRESET, PRESETS, GPTConfig
from gptstudio.gpt.sampling.params import SamplingParams
from gptstudio.gpt.tokenizer import GPT2, Tokenizer
from gptstudio.history.summary import RunSummary
from gptstudio.i18n import message
from gptstudio.inference.interventions import NO_INTERVENTIONS, Interventions
from gptstudio.inference.spec import GenerateSpec
from gptstudio.inference.text_tree import Node
from gptstudio.training import init_weights
from gptstudio.training.corpus import Plan
from gptstudio.training.forecast import CostHistory, Forecast, MeasuredRun
from gptstudio.training.model_source import LiveModel, ModelSource, SavedModel, UntrainedModel, config_of, resolve
from gptstudio.training.spec import TrainSpec

Values = Mapping[str, Any]
"""Values of a form by field, as typed, valid or not. Never changed in place."""


def form_values(spec: Spec) -> Values:
    """Return the values of the fields of a spec that are in its form."""
    return {view.name: getattr(spec, view.name) for view in fields_of(type(spec)) if view.panel}


@dataclass(frozen=True)
class Selection:
    """Displayed text, from its first token to its last, and the chosen token.

    Attributes:
        model: model that generated it; None before the first text.
        cursor: position of the chosen token; None if there is none.
        writing: whether the model is busy; the selection is sent again when it is idle.
        interventions: changes with which the model reads the text.
        named: interventions saved under a name.
        tokenizer: tokenizer of the text's ids.
    """

    model: Model | None = None
    path: tuple[Node, ...] = ()
    cursor: int | None = None
    writing: bool = False
    interventions: Interventions = NO_INTERVENTIONS
    named: tuple[tuple[str, Interventions], ...] = ()
    tokenizer: Tokenizer = GPT2

    @property
    def ids(self) -> tuple[int, ...]:
        return tuple(node.id for node in self.path)


class PageSelections(BaseModel, frozen=True, extra="forbid", strict=True):
    """Names of selected items. Names that no longer exist are ignored when they are restored.

    Attributes:
        run: folder of the selected run.
        checked_runs: folders of the checked runs, in the order of checking; None until a list of runs has been shown.
        run_colours: numbers of the colours of all runs that were ever checked, by folder.
        texts: opened texts.
        checked_texts: texts to train on.
        text: the selected one of ``texts``.
        experiment: name of the open page of Learn.
        stopped_run: folder of the run that Train shows, if it was stopped and can continue.
    """

    run: str = ""
    checked_runs: tuple[str, ...] | None = None
    run_colours: dict[str, Annotated[int, Field(ge=0, lt=1_000)]] = {}
    texts: tuple[str, ...] = ()
    checked_texts: tuple[str, ...] = ()
    text: str = ""
    experiment: str = ""
    stopped_run: str = ""

    def but(self, **changes: object) -> PageSelections:
        """Return a copy with some fields changed."""
        return self.model_copy(update=changes)


def storable_name(name: object) -> str:
    """Return a name as text; empty if there is none, or if it cannot be stored."""
    return "".join(storable([name or ""]))


def storable(names: Iterable[object]) -> tuple[str, ...]:
    """Return names as text, without file names that have undecodable bytes, which cannot be stored."""
    return tuple(str(name) for name in names if files.is_encodable(Path(str(name))))


@dataclass(frozen=True)
class TextCheck:
    """Plan of a run on its text, or the problems that prevent it.

    Attributes:
        missing: whether the text is not on disk but can be downloaded.
        fitting_context: if the text is too short for the context length, a shorter one that fits.
        tokenizer: tokenizer with which the run would read the text; None if there is no plan.
        bytes_per_token: mean bytes per token of the training text; 0 if there is no plan.
    """

    plan: Plan | None = None
    problems: tuple[Problem, ...] = ()
    missing: bool = False
    fitting_context: int | None = None
    tokenizer: Tokenizer | None = None
    bytes_per_token: float = 0.0

    @property
    def instead(self) -> tuple[str, ...]:
        """Texts to train on if one is missing: the included story. Empty if none is missing."""
        return (STORY,) if self.missing else ()


@dataclass(frozen=True)
class Download:
    """State of the download of The Verdict. ``problem``: reason why the last attempt failed."""

    busy: bool = False
    done_bytes: int = 0
    problem: str = ""


PAGES = ("train", "generate", "runs", "texts", "learn")
"""Names of the pages, in the order of their tabs."""

GENERATE_FIELDS = ("max_new_tokens", "seed", "samples", "stop_at_end", "stop_text", "precision")
"""Settings of a text in a form on the Generate page; prompt and sampling parameters are set next to it."""

MOST_RECENT = 10  # recently opened files to remember


@dataclass
class AppState:
    """Everything that the window shows and that commands act on, by field.

    Attributes:
        config_values: values of the Model panel's form.
        config: configuration made from ``config_values``; None if they have problems.
        weights: source of the initial weights of a run; None for new random ones.
        weights_config: configuration of ``weights``.
        weights_notice: reason why other weights are used than were requested.
        train_values: values of the Train page's form.
        texts: names of the texts to train on.
        offered_texts: texts that can be chosen in addition to the included ones.
        spec: settings of the run that Start would begin; None if there are problems.
        valid_spec: last valid settings.
        text_check: result of the check of ``spec``; None until it is available.
        tokenizer: tokenizer of the last text that was read for a run, or of its initial weights.
        forecast: memory and time of the run that Start would begin.
        insisted: whether Start was pressed although the run is too large.
        measured: memory and time of the previous run.
        run: run shown on the Train page.
        run_state: state of the run that this window trains.
        continuation: offer to continue a run that ended early.
        queue_running: whether the runs of the sweeps are being trained.
        saved_models: models saved by runs, the newest first, then imported models.
        more_models: further checkpoints.
        models: all models that can be chosen: in training, untrained, saved and imported, opened from elsewhere.
        model: model that generates.
        model_chosen: whether the user chose it.
        generate_values: values of the Generate page's form.
        generate_spec: settings made from ``generate_values``, the prompt and the sampling parameters.
        generating: view of the Generate page for which the model generates or reads a text; empty if none.
        generate_view: current view of the Generate page.
        playing: whether the chosen token advances automatically.
        document: text on the Generate page.
        selection: displayed text and chosen token, announced after each change of the document.
        marks_copies: whether passages copied from the training text are underlined there.
        selected_run, checked_runs: runs on the Runs page.
        trashed: last item moved to the trash, which can be restored.
        page_selections: selections on Runs, Texts and Learn, by name.
        task: title of the newest task that has one, as a message; otherwise empty.
        minimised: whether the window is minimised.
        all_controls: whether Train shows the Model panel, settings and every pane, or only curves and samples.
        recent_files: recently opened files, the newest first.
        unfolded_pages: pages on which the Model panel is open.
        settings_undo: whether a change of the model to train and its settings can be undone, and redone.
        locked_pages, locked_controls: names of the items that this computer's settings lock or hide.
    """

    events: ClassVar[SignalGroupDescriptor] = SignalGroupDescriptor()
    page_requested: ClassVar[Signal] = Signal(str)
    """Emitted with the name of a page to show, with the keyboard focus on its main control."""
    run_requested: ClassVar[Signal] = Signal(object)
    """Emitted with the folder of a run to select on the Runs page."""
    passage_requested: ClassVar[Signal] = Signal(object)
    """Emitted with a :class:`gptstudio.app.text_tasks.Passage` to show on the Texts page."""
    help_requested: ClassVar[Signal] = Signal(str)
    """Emitted with a topic of the manual to show: ``training``, ``glossary#perplexity``."""
    lab_requested: ClassVar[Signal] = Signal(str)
    """Emitted with the name of an experiment to open."""

    config_values: Values = field(default_factory=lambda: form_values(PRESETS[DEFAULT_PRESET]))
    config: GPTConfig | None = None
    config_problems: tuple[Problem, ...] = ()
    weights: SavedModel | None = None
    weights_config: GPTConfig | None = None
    weights_notice: str = ""
    devices: tuple[Device, ...] = ()
    broken_devices: tuple[Broken, ...] = ()
    device: Device = field(default_factory=cpu)

    train_values: Values = field(default_factory=lambda: form_values(TrainSpec()))
    texts: tuple[str, ...] = (VERDICT,)
    offered_texts: tuple[str, ...] = ()
    spec: TrainSpec | None = None
    spec_problems: tuple[Problem, ...] = ()
    valid_spec: TrainSpec = field(default_factory=TrainSpec)
    text_check: TextCheck | None = None
    tokenizer: Tokenizer = GPT2
    costs: CostHistory = field(default_factory=CostHistory.read)
    forecast: Forecast | None = None
    insisted: bool = False
    measured: MeasuredRun | None = None
    download: Download = field(default_factory=Download)

    run: ShownRun = field(default_factory=ShownRun)
    run_state: Literal["none", "running", "paused"] = "none"
    continuation: Continuation | None = None
    queue_running: bool = False
    live_model: LiveModel | None = None
    saved_models: tuple[SavedModel, ...] = ()
    more_models: tuple[SavedModel, ...] = ()
    opened_models: tuple[SavedModel, ...] = ()
    models: tuple[ModelSource, ...] = ()
    model: ModelSource | None = None
    model_chosen: bool = False
    prompt: str = "Every effort moves you"
    generate_values: Values = field(
        default_factory=lambda: {name: getattr(GenerateSpec(), name) for name in GENERATE_FIELDS})
    sampling_params: SamplingParams = field(default_factory=lambda: GenerateSpec().sampling_params)
    generate_spec: GenerateSpec | None = None
    generate_problems: tuple[Problem, ...] = ()
    playing: bool = False
    generating: Literal["", "write", "compare", "score"] = ""
    generate_view: Literal["write", "compare", "score"] = "write"
    document: TextDocument = field(default_factory=TextDocument)
    selection: Selection = field(default_factory=Selection)
    marks_copies: bool = True
    scored_text: str = ""
    selected_run: RunSummary | None = None
    checked_runs: tuple[RunSummary, ...] = ()
    trashed: Mapping[Kind, Trashed] = field(default_factory=dict)
    page_selections: PageSelections = field(default_factory=PageSelections)
    task: str = ""
    page: str = "train"
    minimised: bool = False
    unfolded_pages: frozenset[str] = frozenset({"train"})
    all_controls: bool = True
    settings_undo: tuple[bool, bool] = (False, False)
    recent_files: tuple[str, ...] = ()
    locked_pages: frozenset[str] = frozenset()
    locked_controls: frozenset[str] = frozenset()

    def __post_init__(self) -> None:
        self.devices = self.devices or (self.device,)
        for derive, names in (
            (self._derive_config, ("config_values",)),
            (self._derive_spec, ("config", "train_values", "texts", "weights", "device")),
            (self._derive_generate_spec, ("generate_values", "prompt", "sampling_params", "device")),
            (self._derive_tokenizer, ("text_check",)),
            (self._derive_models, ("config", "tokenizer", "live_model", "saved_models", "opened_models")),
        ):
            self.on(derive, *names)
            derive()

    def on(self, call: Callable[..., object], *names: str) -> None:
        """Call ``call``, without arguments, whenever one of these fields has changed. A method is referenced weakly."""
        for name in names:
            self.events[name].connect(call, max_args=0)

    @property
    def running(self) -> bool:
        """True if this window is training, even if training is paused."""
        return self.run_state != "none"

    @property
    def paused(self) -> bool:
        return self.run_state == "paused"

    def select_model(self, config: GPTConfig, init_from: str | None = None) -> None:
        """Choose a configuration, and the initial weights of its runs by their name in a spec."""
        self._use_weights(init_from or None)
        self.config_values = form_values(config)

    def use_weights(self, source: SavedModel | None) -> None:
        """Use these initial weights, and their configuration for the model; None: new random weights, with the same
        shape."""
        self._use_weights(source)
        if self.weights_config:
            self.config_values = form_values(self.weights_config)

    def _use_weights(self, source: SavedModel | str | None, why: str = "") -> None:
        """Use the weights of a model, or of a name in a spec, as initial weights; if there are none, use new random
        ones."""
        weights = config = None
        try:
            found = resolve(source) if isinstance(source, str) else source
            if isinstance(found, SavedModel):
                weights, config = found, config_of(found)
        except UserError as error:
            why = text_of(error)
        self.weights_config, self.weights, self.weights_notice = config, weights, why

    def drop_missing_weights(self) -> None:
        """Use new random weights if the chosen ones are missing."""
        if self.weights and not os.path.isdir(self.weights.path):
            self._use_weights(None, message(
                "{name} no longer exists, so new random weights are used.", name=self.weights.name))

    def _derive_config(self) -> None:
        problems = GPTConfig.labelled_problems(self.config_values)
        config = None if problems else GPTConfig.make(self.config_values)
        if self.weights and self.weights_config and config and (
                different := next(init_weights.differences(self.weights_config, config), None)):
            self._use_weights(None, message(
                "New random weights are used because {name} does not fit: {why}.",
                name=self.weights.name, why=different))
        self.config_problems, self.config = tuple(problems), config

    # The run that Start would begin.

    def use_spec(self, spec: TrainSpec) -> None:
        """Apply the model, the texts and the settings of a run."""
        if (spec.config, spec.init_from) != (self.config, init_weights.name_in_spec(self.weights)):
            self.select_model(spec.config, spec.init_from)
        self.texts = spec.text
        self.train_values = form_values(spec)

    def _derive_spec(self) -> None:
        rest = {"text": self.texts, "device": self.device.key, "init_from": init_weights.name_in_spec(self.weights)}
        values = {**self.train_values, **rest, **({"config": self.config} if self.config else {})}
        self.spec_problems = tuple(TrainSpec.labelled_problems(values))
        spec = TrainSpec.make_used(values) if self.config and not self.spec_problems else None
        self.valid_spec, self.spec = spec or self.valid_spec, spec

    def _derive_tokenizer(self) -> None:
        """Use the tokenizer of the text, and set the number of characters, which is only known from the text."""
        found, config = self.text_check and self.text_check.tokenizer, self.config
        if not found:
            return
        self.tokenizer = found
        counts = config and config.vocabulary == found.kind == "characters" and not self.weights
        if counts and config and config.vocab_size != found.size:
            self.config_values = {**self.config_values, "vocab_size": found.size}

    # The model to generate with.

    @property
    def model_with_seed(self) -> ModelSource | None:
        """Chosen model; an untrained model uses the current seed."""
        if not isinstance(self.model, UntrainedModel):
            return self.model
        seed = self.generate_values["seed"]
        return replace(self.model, seed=seed if isinstance(seed, int) else GenerateSpec().seed)

    @property
    def loadable_model(self) -> Model | None:
        """Chosen model with its device and precision; None if there is none."""
        source, precision = self.model_with_seed, self.generate_values.get("precision", "fp32")
        if not source or (isinstance(source, UntrainedModel) and not self.config):
            return None
        return Model(source, self.device.key, weights=precision)

    def choose_model(self, source: ModelSource | None) -> None:
        """Choose one of the offered models on behalf of the user."""
        if source in self.models:
            self.model, self.model_chosen = source, True

    def open_model(self, path: str) -> None:
        """Offer a checkpoint from any location on the disk, and choose it.

        Raises:
            UserError: it is not a model.
        """
        source = resolve(path)
        if isinstance(source, SavedModel):
            self.opened_models = (*(each for each in self.opened_models if each != source), source)
        self.choose_model(source)

    def _derive_models(self) -> None:
        """Update the offered models, and keep the chosen one if it is still offered. An untrained model follows the
        Model panel; a run that has just started is chosen, unless the user has chosen another model."""
        live = (self.live_model,) if self.live_model else ()
        begun = self.live_model and self.live_model not in self.models
        last = tuple(each for each in self.models if isinstance(each, UntrainedModel))
        made = self.tokenizer.kind != "gpt2" and self.config and self.config.vocabulary == self.tokenizer.kind
        known, config = self.tokenizer if made else None, self.config
        if known and config and known.size < config.vocab_size:  # the text does not yield as many tokens
            config = config.but(vocab_size=known.size)
        untrained = (UntrainedModel(config, tokenizer=known),) if config else last
        opened = (each for each in self.opened_models if each not in self.saved_models and os.path.isdir(each.path))
        self.models = (*live, *untrained, *self.saved_models, *opened)
        if begun and not self.model_chosen:
            self.model = self.live_model
        elif self.model not in self.models:
            self.model = next(iter(untrained or self.models), None)

    def _derive_generate_spec(self) -> None:
        values = {**self.generate_values, "prompt": self.prompt, "device": self.device.key,
                  **self.sampling_params.shallow()}
        self.generate_problems = tuple(GenerateSpec.labelled_problems(values))
        self.generate_spec = None if self.generate_problems else GenerateSpec.make(values)

    def remember_file(self, path: str) -> None:
        """Add a file to the recently opened ones."""
        self.recent_files = (path, *(each for each in self.recent_files if each != path))[:MOST_RECENT]

    @property
    def own_run(self) -> Path | None:
        """Folder of the run that this window trains; None if there is none."""
        return self.run.folder.path if self.running and self.run.folder else None

    def check_run(self, path: Path) -> None:
        """Check a run when the list of runs is next shown. If no list has been shown yet, the newest run is checked
        anyway."""
        kept, name = self.page_selections, storable_name(path)
        if name and kept.checked_runs is not None and name not in kept.checked_runs:
            self.page_selections = kept.but(checked_runs=(*kept.checked_runs, name))

    def show_page(self, name: str) -> None:
        """Show a page, unless it is locked, with the keyboard focus on its main control."""
        if name not in self.locked_pages:
            self.page = name
            self.page_requested.emit(name)
