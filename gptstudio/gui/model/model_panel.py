"""The Model panel: what is to be built, and how large it is, before anything is built."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import Literal, Self

from PySide6.QtCore import QSignalBlocker, Signal
from PySide6.QtWidgets import QComboBox, QGridLayout, QHBoxLayout, QVBoxLayout, QWidget

from gptstudio import devices
from gptstudio.errors import UserError
from gptstudio.fields import Problem
from gptstudio.gpt import sizing
from gptstudio.gpt.config import DEFAULT_PRESET, OWN, PRESETS, GPTConfig, config_name
from gptstudio.gui.canvas.bars import ComponentBar, MemoryBar
from gptstudio.gui.forms.elided_box import ElidedBox
from gptstudio.gui.forms.field import SpecEditor
from gptstudio.gui.model.weights_box import WeightsBox, init_from
from gptstudio.gui.translation import joined, size, tr
from gptstudio.gui.widgets.parts import card, label, named, plain
from gptstudio.training import init_weights
from gptstudio.training.model_source import SavedModel, config_of, resolve
from gptstudio.training.spec import TrainSpec, vocabulary_problems


@dataclass(frozen=True)
class TrainingLoad:
    """Settings that determine the memory that training adds to a model, as far as the panel needs them.

    Attributes:
        config: of the model that this was computed for.
        estimated: bytes, if runs on this computer have improved on the formula.
        known_from: source of the estimate, as text.
    """

    batch_size: int = 2
    path: Literal["reference", "fast"] = "fast"
    bf16: bool = False
    freeze: tuple[sizing.Part, ...] = ()
    freeze_blocks: int = 0
    config: GPTConfig | None = None
    estimated: int = 0
    known_from: str = ""

    @classmethod
    def of(cls, spec: TrainSpec, bf16: bool, estimate: tuple[int, str] = (0, "")) -> Self:
        return cls(spec.batch_size, spec.path, bf16, spec.freeze, spec.freeze_blocks, spec.config, *estimate)


class ModelPanel(QWidget):
    """Preset, weights, every field, totals that change while one types, memory, and the device."""

    config_changed = Signal(object)  # GPTConfig, or None where there are problems
    weights_changed = Signal(object)  # what a run begins with: a name or a path, None for new weights
    device_changed = Signal(object)  # devices.Device

    def __init__(self) -> None:
        super().__init__()
        self.config: GPTConfig | None = PRESETS[DEFAULT_PRESET]
        self._load = TrainingLoad()
        self._shape: GPTConfig | None = None  # of the weights that are chosen
        self._devices: list[devices.Device] = []
        self.preset = named(QComboBox(), "preset", tr("Preset"))
        self.weights_box = WeightsBox()
        self.let_go = label(role="notice", name="weights_let_go", wrap=True)
        self.let_go.hide()
        self.broken = label(role="notice", name="broken_devices", wrap=True)
        self.broken.hide()
        self.device_box = named(ElidedBox(letters=12), "device", tr("Device"))
        self.fields = SpecEditor(GPTConfig, "config")
        self.total = label(role="figure", name="total_parameters")
        self.tied = label(role="muted", name="total_parameters_tied")
        self.weights = label(name="weights_size")
        self.problem = label(role="problem", name="config_problem", wrap=True)
        self.components = ComponentBar()
        self.train_bar = MemoryBar(tr("For training"), "train_memory")
        self.generate_bar = MemoryBar(tr("For generation"), "generate_memory")
        self._lay_out()
        self.preset.addItems(list(PRESETS))
        self.preset.addItem(tr("own"))
        self.preset.setCurrentText(DEFAULT_PRESET)
        self.preset.setToolTip(tr("A ready-made configuration to start from; you can change every field below."))
        self.preset.textActivated.connect(self._take_preset)
        self.weights_box.chosen.connect(self.use_weights)
        self.device_box.activated.connect(lambda _: self._announce_device())
        self.fields.set_values(PRESETS[DEFAULT_PRESET])
        self.fields.changed.connect(self._recount)
        self.show_devices([devices.cpu()])
        self._recount()

    @property
    def device(self) -> devices.Device:
        return self._devices[self.device_box.currentIndex()]

    def show_devices(self, found: list[devices.Device], broken: Sequence[devices.Broken] = ()) -> None:
        """Fills the device box; a GPU is chosen where there is one, as ``auto`` does. Says what does not work."""
        self._devices = found
        self.broken.setText(joined(" ", *(tr(each.message) for each in broken)))
        self.broken.setVisible(bool(broken))
        with QSignalBlocker(self.device_box):
            self.device_box.clear()
            for device in found:
                self.device_box.addItem(f"{device.key.upper()}  ·  {device.name}  ·  {size(device.total_bytes)}")
            cuda = next((i for i, device in enumerate(found) if device.kind == "cuda"), 0)
            self.device_box.setCurrentIndex(cuda)
        self.device_box.setToolTip(plain(self.device_box.currentText()))
        self._announce_device()

    def show_load(self, load: TrainingLoad) -> None:
        """Counts the memory to train for these settings."""
        self._load = load
        self._weigh()

    def update_free_memory(self) -> None:
        """Reads again how much memory the processor has free."""
        now = devices.cpu()
        self._devices = [replace(d, free_bytes=now.free_bytes) if d.kind == "cpu" else d for d in self._devices]
        self._weigh()

    def select(self, config: GPTConfig, init_from: str | None = None) -> None:
        """Shows a configuration, and with which weights a run of it begins, as if it had been typed."""
        source, why = _found(init_from) if init_from else (None, "")
        self._take_weights(source, why)
        self.fields.set_values(config)

    def use_weights(self, source: SavedModel | None) -> None:
        """Begins with these weights: the model becomes what they are of. None: with new ones, of the same shape."""
        self._take_weights(source)
        if self._shape:
            self.fields.set_values(self._shape)

    def set_context(self, tokens: int) -> None:
        """As if it had been typed."""
        self.fields.editors["context_length"].set_value(tokens)

    def offer_weights(self, sources: Sequence[SavedModel]) -> None:
        """Which weights there are; those that are gone cannot be begun with any more."""
        chosen = self.weights_box.source()
        self.weights_box.offer(sources)
        if chosen and not chosen.path.is_dir():
            self._take_weights(None, tr("{name} no longer exists, so new random weights are used.", name=chosen.name))

    def _take_preset(self, name: str) -> None:
        if name in PRESETS:
            self.fields.set_values(PRESETS[name])

    def _take_weights(self, source: SavedModel | None, why: str = "") -> None:
        """Choose weights, or new ones if they cannot be read, and emit this; ``why``: reason for a deviation."""
        self._shape = None
        try:
            self._shape = config_of(source) if source else None
        except UserError as error:
            source, why = None, str(error)
        self.weights_box.choose(source)
        self.let_go.setText(why)
        self.let_go.setVisible(bool(why))
        self.weights_changed.emit(init_from(source))

    def _hold_to_weights(self) -> None:
        """Weights that are no longer of the model's shape are let go."""
        source = self.weights_box.source()
        if source and self._shape and self.config:
            different = next(init_weights.differences(self._shape, self.config), None)
            if different:
                words = tr(
                    "New random weights are used because {name} does not fit: {why}.", name=source.name, why=different)
                self._take_weights(None, words)

    def _announce_device(self) -> None:
        self._weigh()
        self.device_changed.emit(self.device)

    def _recount(self) -> None:
        values = self.fields.values()
        problems = GPTConfig.problems(values)
        rest = self.fields.show_problems(problems)
        self.config = None if problems else GPTConfig.make(values)
        self._hold_to_weights()
        self.totals.setEnabled(self.config is not None)  # greyed, they are those of the last model without problems
        self._show_problem(rest or (list(vocabulary_problems(self.config)) if self.config else []))
        name = config_name(self.config) if self.config else OWN
        self.preset.setCurrentIndex(self.preset.count() - 1 if name == OWN else self.preset.findText(name))
        if self.config:
            self._show_parameters(self.config)
            self._weigh()
        self.config_changed.emit(self.config)

    def _show_problem(self, problems: list[Problem]) -> None:
        self.problem.setText(joined(" ", *(tr(problem.message) for problem in problems)))
        self.problem.setVisible(bool(problems))

    def _show_parameters(self, config: GPTConfig) -> None:
        counted = sizing.parameters(config)
        shown = counted.components() | ({"output_layer": 0} if config.tie_weights else {})
        separate, tied = f"{counted.total:,}", f"{counted.total_tied:,}"
        self.total.setText(tied if config.tie_weights else separate)
        self.tied.setText(
            tr("{n} with a separate output layer", n=separate)
            if config.tie_weights
            else tr("{n} if tied to the embedding", n=tied)
        )
        self.weights.setText(tr("Weights: {size}", size=size(sizing.weight_bytes(config))))
        self.components.show_components(shown)

    def _weigh(self) -> None:
        if not (self.config and self._devices):
            return
        load = self._load
        train = sizing.train_memory(
            self.config, load.batch_size, path=load.path, bf16=load.bf16, freeze=load.freeze,
            freeze_blocks=min(load.freeze_blocks, self.config.n_layers),  # which may be those of a model before
        )
        generate = sizing.generate_memory(self.config)
        free = self.device.free_bytes
        known = load.estimated if load.config == self.config else 0
        self.train_bar.show_need(known or train.total, free, vars(train), load.known_from if known else "")
        self.generate_bar.show_need(generate.total, free, vars(generate))

    def _lay_out(self) -> None:
        layout = QVBoxLayout(self)
        layout.setContentsMargins(16, 10, 12, 10)
        layout.setSpacing(10)
        layout.addWidget(label(tr("Model"), "heading"))
        choices = QGridLayout()
        choices.setVerticalSpacing(6)
        boxes = ((tr("Preset"), self.preset), (tr("Weights"), self.weights_box), (tr("Device"), self.device_box))
        for row, (words, box) in enumerate(boxes):
            caption = label(words, "heading")
            caption.setBuddy(box)
            box.setMinimumContentsLength(12)
            box.setSizeAdjustPolicy(QComboBox.SizeAdjustPolicy.AdjustToMinimumContentsLengthWithIcon)
            choices.addWidget(caption, row, 0)
            choices.addWidget(box, row, 1)
        choices.setColumnStretch(1, 1)
        for row, words_below in enumerate((self.let_go, self.broken), start=len(boxes)):
            choices.addWidget(words_below, row, 0, 1, 2)
        layout.addLayout(choices)
        self.totals = self._totals()
        layout.addWidget(self.totals)
        layout.addWidget(self.problem)
        layout.addWidget(self.fields)
        layout.addStretch(1)

    def _totals(self) -> QWidget:
        frame, inside = card("model_totals")
        head = QHBoxLayout()
        head.addWidget(label(tr("Parameters"), "muted"))
        head.addStretch(1)
        head.addWidget(self.total)
        inside.addLayout(head)
        inside.addWidget(self.tied)
        inside.addWidget(self.components)
        memory = QHBoxLayout()
        memory.addWidget(label(tr("Estimated memory"), "heading"))
        memory.addStretch(1)
        memory.addWidget(self.weights)
        inside.addSpacing(4)
        inside.addLayout(memory)
        inside.addWidget(self.train_bar)
        inside.addWidget(self.generate_bar)
        return frame


def _found(name: str) -> tuple[SavedModel | None, str]:
    """The weights of that name, or why there are none."""
    try:
        source = resolve(name)
    except UserError as error:
        return None, str(error)
    return (source, "") if isinstance(source, SavedModel) else (None, "")
