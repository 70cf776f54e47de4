"""The Generate tab: model, prompt, dials, Generate; and the text that came of it."""

from __future__ import annotations

import re
from collections.abc import Sequence
from typing import Any

from PySide6.QtCore import QSignalBlocker, Signal
from PySide6.QtWidgets import QComboBox, QFileDialog, QPlainTextEdit, QVBoxLayout, QWidget

from gptstudio.errors import UserError
from gptstudio.fields import SpecError
from gptstudio.gpt.config import VOCAB_SIZE, GPTConfig
from gptstudio.gui.tabs.text_view import TextView
from gptstudio.gui.widgets.dial import temperature_dial, top_k_dial
from gptstudio.gui.widgets.field import SpecEditor
from gptstudio.gui.widgets.parts import button, card, label, named
from gptstudio.gui.widgets.reflow import ABOVE, Reflow
from gptstudio.gui.words import tr
from gptstudio.runs.control import Dials
from gptstudio.runs.events import Ended, PromptRead
from gptstudio.runs.source import Fresh, Live, ModelSource, Saved, resolve
from gptstudio.runs.spec import GenerateSpec


class GenerateTab(QWidget):
    """Asks for tokens and shows them; the dials reshape the bars without the model."""

    generate_requested = Signal(object, object)  # GenerateSpec, ModelSource
    stop_requested = Signal()
    dials_turned = Signal(object)  # Dials

    def __init__(self) -> None:
        super().__init__()
        self.running = False
        self._sources: list[ModelSource] = []  # as they stand in the box
        self._live: Live | None = None
        self._by_hand = False  # the model was chosen by somebody
        self._copied = ""  # the name of the copy of it that wrote last
        self._runs: Sequence[Saved] = ()
        self._opened: list[Saved] = []
        self._index = 0  # in the box, of the model that was chosen last
        self._fresh: GPTConfig | None = None
        self._device_key = "auto"
        self._make_controls()
        self._lay_out()
        self._show_state()

    # What the window tells.

    def set_fresh(self, config: GPTConfig | None) -> None:
        """The Model panel's configuration: what an untrained model would be built from. None: it has a problem."""
        self._fresh = config
        if config:
            self._sources = [Fresh(config) if isinstance(each, Fresh) else each for each in self._sources]
        self._show_state()

    def set_live(self, live: Live | None) -> None:
        """The run that is going on, also while it pauses; None when there is none.

        It is chosen by itself unless somebody chose another.
        """
        if live != self._live:
            chosen, self._live = self.source(), live
            self._fill_box(live if live and not self._by_hand else chosen)

    def set_sources(self, saved: Sequence[Saved], choose: ModelSource | None = None) -> None:
        """The models that runs have saved, the newest first."""
        chosen, self._runs = choose or self.source(), saved
        self._by_hand = self._by_hand and not choose
        self._fill_box(chosen)

    def _fill_box(self, chosen: ModelSource | None) -> None:
        """The one in training, the untrained one, those of the runs, and what was opened from disk."""
        live = [self._live] if self._live else []
        fresh = [Fresh(self._fresh)] if self._fresh else [each for each in self._sources if isinstance(each, Fresh)]
        opened = [each for each in self._opened if each not in self._runs]
        self._sources = [*live, *fresh, *self._runs, *opened]
        with QSignalBlocker(self.model_box):
            self.model_box.clear()
            self.model_box.addItems([_short(source) for source in self._sources])
            self.model_box.addItem(tr("Choose a checkpoint …"))
        first = next((i for i, each in enumerate(self._sources) if isinstance(each, Fresh)), 0)
        self.model_box.setCurrentIndex(self._sources.index(chosen) if chosen in self._sources else first)
        self._show_state()

    def offers(self, source: ModelSource) -> bool:
        """Whether a model is in the box."""
        return source in self._sources

    def set_device(self, key: str) -> None:
        self._device_key = key
        self._show_state()

    def apply(self, messages: list[Any]) -> None:
        """Takes all that came since the last paint, and paints once."""
        for message in messages:
            if isinstance(message, PromptRead):
                self._copied = message.model
            elif isinstance(message, Ended):
                self.running = False
        self._show_state()
        self.view.apply(messages)

    def source(self) -> ModelSource | None:
        index = self.model_box.currentIndex()
        return self._sources[index] if 0 <= index < len(self._sources) else None

    def dials(self) -> Dials:
        return Dials(self.temperature.value(), int(self.top_k.value()) or None)

    # What the user does.

    def primary(self) -> None:
        if self.go.isEnabled():
            self.go.click()

    def stop(self) -> None:
        if self.running:
            self.stop_requested.emit()

    def _pressed(self) -> None:
        if self.running:
            self.stop_requested.emit()
            return
        source = self.source()
        for dial in (self.temperature, self.top_k):
            dial.settle()
        try:
            spec = self.spec()
        except SpecError as error:
            self.view.notice.setText(str(error))
            return
        if source:
            self.begin()
            self.generate_requested.emit(spec, Fresh(source.config, spec.seed) if isinstance(source, Fresh) else source)

    def spec(self) -> GenerateSpec:
        """What is asked for.

        Raises:
            SpecError: a setting is wrong.
        """
        dials = self.dials()
        return GenerateSpec.make(
            self.settings.values(), prompt=self.prompt.toPlainText(), temperature=dials.temperature,
            top_k=dials.top_k, device=self._device_key,
        )

    def begin(self) -> None:
        """Empties the tab for a new text."""
        self.running, self._copied = True, ""
        self.view.begin()
        self._show_state()

    def _settings_changed(self) -> None:
        self.settings.show_problems(GenerateSpec.problems(self.settings.values()))
        self._show_state()

    def _turned(self) -> None:
        self.dials_turned.emit(self.dials())
        self.view.reshape(self.dials())

    def _model_chosen(self, index: int) -> None:
        self.view.notice.setText("")
        self._copied, self._by_hand = "", True
        if index == len(self._sources):
            path = QFileDialog.getExistingDirectory(self, tr("A checkpoint's folder, or a run's"))
            self.model_box.setCurrentIndex(self._index)  # the one before, until there is a better one
            if path:
                self.add_source(path)
        self._show_state()

    def add_source(self, path: str) -> None:
        """Offers a checkpoint from anywhere on the disk, and chooses it."""
        try:
            source = resolve(path)
        except UserError as error:
            self.view.notice.setText(str(error))
            return
        if isinstance(source, Saved):
            self._opened = [*(each for each in self._opened if each != source), source]
        self.set_sources(self._runs, choose=source)
        self._by_hand = True

    # What is shown.

    def _show_state(self) -> None:
        source = self.source()
        if source:
            self._index = self.model_box.currentIndex()
        where = self._device_key.upper()
        if isinstance(source, Fresh):
            source = Fresh(source.config, self.settings.values()["seed"])
        name = self._copied if isinstance(source, Live) and self._copied else source.name if source else ""
        self.model_name.setText(tr("{model}, on {device}", model=name, device=where) if name else "")
        self.go.setText(tr("Stop") if self.running else tr("Generate"))
        self.go.setAccessibleName(self.go.text())
        reason = ""
        if not self.running and not source:
            reason = tr("Choose a model first.")
        elif not self.running and isinstance(source, Fresh) and not self._fresh:
            reason = tr("The model has a problem: see the Model panel.")
        self.go.setEnabled(not reason)
        self.go.setToolTip(reason or tr("Ctrl+Enter, or Space"))

    def _make_controls(self) -> None:
        self.model_box = named(QComboBox(), "model", tr("Model"))
        self.model_box.activated.connect(self._model_chosen)
        self.model_name = label(role="muted", name="model_name", wrap=True)
        self.prompt = named(QPlainTextEdit("Every effort moves you"), "prompt", tr("Prompt"))
        self.prompt.setTabChangesFocus(True)
        self.go = button(tr("Generate"), "generate", role="primary")
        self.go.clicked.connect(self._pressed)
        self.temperature = temperature_dial(tr("Temperature"))
        self.temperature.setToolTip(tr("Divides the logits: below 1 surer, above 1 bolder, 0 the likeliest always."))
        self.top_k = top_k_dial(tr("Top-k"), tr("all"), VOCAB_SIZE)
        self.top_k.setToolTip(tr("Draw only from this many of the likeliest tokens."))
        defaults = GenerateSpec()
        self.temperature.set_value(defaults.temperature)
        self.top_k.set_value(defaults.top_k or 0)
        for dial in (self.temperature, self.top_k):
            dial.turned.connect(self._turned)
        self.settings = SpecEditor(GenerateSpec, "generate", only=("max_new_tokens", "seed"))
        self.settings.set_values(defaults)
        self.settings.changed.connect(self._settings_changed)
        self.view = TextView(self.dials())

    def _lay_out(self) -> None:
        layout = QVBoxLayout(self)
        layout.setContentsMargins(16, 14, 16, 14)
        layout.addWidget(Reflow(self.view, self._side_card(), stretch=(self.view,), spacing=12, narrow=ABOVE))

    def _side_card(self) -> QWidget:
        frame, inside = card("generate_side")
        caption = label(tr("Model"), "heading")
        caption.setBuddy(self.model_box)
        self.model_box.setSizeAdjustPolicy(QComboBox.SizeAdjustPolicy.AdjustToMinimumContentsLengthWithIcon)
        self.model_box.setMinimumContentsLength(16)
        inside.addWidget(caption)
        inside.addWidget(self.model_box)
        inside.addWidget(self.model_name)
        inside.addSpacing(4)
        prompt = label(tr("Prompt"), "heading")
        prompt.setBuddy(self.prompt)
        self.prompt.setMaximumHeight(110)
        inside.addWidget(prompt)
        inside.addWidget(self.prompt)
        inside.addSpacing(4)
        for widget in (self.temperature, self.top_k, self.settings):
            inside.addWidget(widget)
        inside.addStretch(1)
        inside.addWidget(self.go)
        return frame


def _short(source: ModelSource) -> str:
    """What fits into the box: a run that named itself by its time without the date, and the step."""
    if isinstance(source, Live):
        return tr("The model in training, as it is now")
    if isinstance(source, Fresh):
        return tr("Untrained, as in the Model panel")
    named_by_time = re.fullmatch(r"[\d-]{10}_(\d\d)(\d\d)\d\d_(.+)", source.run)
    run = "{2} {0}:{1}".format(*named_by_time.groups()) if named_by_time else source.run
    return f"{run}  ·  {source.step}"
