"""The Model panel: what is to be built, and how large it is, before anything is built."""

from __future__ import annotations

from PySide6.QtCore import QSignalBlocker
from PySide6.QtWidgets import QComboBox, QGridLayout, QWidget

from gptstudio.app.derived import training_memory
from gptstudio.app.state import AppState, form_values
from gptstudio.devices import Device
from gptstudio.gpt import sizing
from gptstudio.gpt.config import DEFAULT_PRESET, OWN, PRESETS, USUAL_SIZES, GPTConfig, config_name
from gptstudio.gpt.memory import generate_memory
from gptstudio.gui.actions import Actions
from gptstudio.gui.canvas.bars import ComponentBar, MemoryBar
from gptstudio.gui.forms.elided_box import ElidedBox
from gptstudio.gui.forms.grouped import GroupedEditor
from gptstudio.gui.model.weights_box import ENABLED, WeightsBox
from gptstudio.gui.translation import joined, size, tr
from gptstudio.gui.widgets.layouts import FREE, card, hbox, holding, vbox
from gptstudio.gui.widgets.parts import label, named, plain
from gptstudio.training.spec_problems import vocabulary_problems


class ModelPanel(QWidget):
    """Preset, weights, every field, totals that change while one types, memory, and the device."""

    def __init__(self, state: AppState, actions: Actions) -> None:
        super().__init__()
        self._state = state
        self.preset = named(QComboBox(), "preset", tr("Preset"))
        self.weights_box = WeightsBox(state, actions)
        self.next_run = label(tr("Changes apply to the next run."), "muted", "next_run_words", wrap=True)
        self.let_go = label(role="notice", name="weights_let_go", wrap=True)
        self.broken = label(role="notice", name="broken_devices", wrap=True)
        self.device_box = named(ElidedBox(letters=12), "device", tr("Device"))
        self.fields = GroupedEditor(GPTConfig, "config", tr("More settings"))
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
        self._bind()

    def _bind(self) -> None:
        state = self._state
        self.fields.show_values(state.config_values)
        self.preset.textActivated.connect(self._take_preset)
        self.device_box.activated.connect(self._take_device)
        self.fields.changed.connect(self._take_values)
        for show, names in (
            (self._show_values, ("config_values",)), (self._show_config, ("config", "config_problems")),
            (self._show_notice, ("weights_notice",)), (self._show_devices, ("devices", "broken_devices", "device")),
            (self._show_memory, ("config", "valid_spec", "device", "costs")),
            (lambda: self.next_run.setVisible(state.running), ("run_state",)),
        ):
            state.on(show, *names)
            show()

    def _take_values(self) -> None:
        """Take what was typed; another vocabulary has its usual number of tokens."""
        values, before = self.fields.values(), self._state.config_values
        if values["vocabulary"] != before["vocabulary"]:
            values["vocab_size"] = USUAL_SIZES.get(values["vocabulary"], before["vocab_size"])
        self._state.config_values = values

    def _take_preset(self, name: str) -> None:
        if name in PRESETS:
            self._state.config_values = form_values(PRESETS[name])

    def _take_device(self, index: int) -> None:
        self._state.device = self._state.devices[index]

    def _show_values(self) -> None:
        if self.fields.values() != self._state.config_values:
            self.fields.show_values(self._state.config_values)
        kind = self._state.config_values["vocabulary"]
        box = self.fields.editors["vocabulary"].control
        box.setItemData(box.findData("file"), None if kind == "file" else 0, ENABLED)
        self.fields.editors["vocab_size"].control.setEnabled(kind in ("gpt2", "own"))  # of others it is counted

    def _show_config(self) -> None:
        config = self._state.config
        rest = self.fields.show_problems(list(self._state.config_problems))
        problems = rest or (list(vocabulary_problems(config)) if config else [])
        self.problem.setText(joined(" ", *(tr(problem.message) for problem in problems)))
        self.problem.setVisible(bool(problems))
        self.totals.setEnabled(config is not None)  # greyed, they are those of the last model without problems
        name = config_name(config) if config else OWN
        self.preset.setCurrentIndex(self.preset.count() - 1 if name == OWN else self.preset.findText(name))
        if config:
            self._show_parameters(config)

    def _show_notice(self) -> None:
        words = self._state.weights_notice
        self.let_go.setText(tr(words) if words else "")
        self.let_go.setVisible(bool(words))

    def _show_devices(self) -> None:
        """Fill the device box, and say what does not work."""
        state = self._state
        self.broken.setText(joined(" ", *(tr(each.message) for each in state.broken_devices)))
        self.broken.setVisible(bool(state.broken_devices))
        words = list(map(_described, state.devices))
        with QSignalBlocker(self.device_box):
            if words != [self.device_box.itemText(place) for place in range(self.device_box.count())]:
                self.device_box.clear()
                self.device_box.addItems(words)
            keys = [each.key for each in state.devices]
            if state.device.key in keys:  # the one that was chosen may be gone: then another will be
                self.device_box.setCurrentIndex(keys.index(state.device.key))
        self.device_box.setToolTip(plain(self.device_box.currentText()))

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

    def _show_memory(self) -> None:
        config, free = self._state.config, self._state.device.free_bytes
        if config:
            formula, needed, source = training_memory(config, self._state)
            generate = generate_memory(config, kind=self._state.device.kind)
            self.train_bar.show_need(needed, free, vars(formula), source)
            self.generate_bar.show_need(generate.total, free, vars(generate))

    def _lay_out(self) -> None:
        choices = QGridLayout()
        choices.setVerticalSpacing(8)
        boxes = ((tr("Preset"), self.preset), (tr("Weights"), self.weights_box), (tr("Device"), self.device_box))
        for row, (words, box) in enumerate(boxes):
            caption = label(words, "heading")
            caption.setBuddy(box)
            box.setMinimumContentsLength(12)
            box.setSizeAdjustPolicy(QComboBox.SizeAdjustPolicy.AdjustToMinimumContentsLengthWithIcon)
            choices.addWidget(caption, row, 0)
            choices.addWidget(box, row, 1)
        choices.setColumnStretch(1, 1)
        for row, words_below in enumerate((self.next_run, self.let_go, self.broken), start=len(boxes)):
            choices.addWidget(words_below, row, 0, 1, 2)
        self.totals = self._totals()
        holding(self, vbox(
            choices, self.totals, self.problem,
            self.fields, FREE,
            spacing=8, margins=(8, 8, 12, 8),
        ))

    def _totals(self) -> QWidget:
        memory = hbox(label(tr("Estimated memory"), "heading"), FREE, self.weights)
        memory.setContentsMargins(0, 4, 0, 0)
        return card(
            hbox(label(tr("Parameters"), "muted", term="parameters"), FREE, self.total), self.tied, self.components,
            memory, self.train_bar, self.generate_bar, name="model_totals",
        )


def _described(device: Device) -> str:
    """Return the line of a device in the list: a GPU with its free memory, which is its own."""
    parts = [device.key.upper(), device.name, size(device.total_bytes)]
    if device.kind == "cuda":
        parts[2] = tr("{size} free", size=size(device.free_bytes))
    if not device.tested:
        parts.append(tr("not tested"))
    return "  ·  ".join(parts)
