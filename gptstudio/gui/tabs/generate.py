"""The Generate tab: a model writes, and every token shows what else it could have been."""

from __future__ import annotations

import re
from collections.abc import Sequence
from typing import Any

import numpy as np
from PySide6.QtCore import QSignalBlocker, Signal
from PySide6.QtGui import QGuiApplication
from PySide6.QtWidgets import QComboBox, QFileDialog, QHBoxLayout, QPlainTextEdit, QSizePolicy, QVBoxLayout, QWidget

from gptstudio.errors import UserError
from gptstudio.fields import SpecError
from gptstudio.gpt import sampling, tokenizer
from gptstudio.gpt.config import VOCAB_SIZE, GPTConfig
from gptstudio.gui.widgets.candidate_bars import CandidateBars, rows_of
from gptstudio.gui.widgets.dial import temperature_dial, top_k_dial
from gptstudio.gui.widgets.field import SpecEditor
from gptstudio.gui.widgets.parts import button, card, label, named, scrolling
from gptstudio.gui.widgets.token_strip import Box, TokenStrip
from gptstudio.gui.words import percent, tr
from gptstudio.runs.control import Dials
from gptstudio.runs.events import Ended, PhaseChanged, PromptRead, TokenDrawn, Warned
from gptstudio.runs.source import Fresh, ModelSource, Saved, resolve
from gptstudio.runs.spec import GenerateSpec

PHASES = {"loading": "Loading the model …", "generating": "Writing …"}
KEPT_LOGITS = 1_000
"""Tokens whose logits are kept for the bars: 200 KB each."""


class GenerateTab(QWidget):
    """Asks for tokens and shows them; reshapes the bars from the logits that it keeps, without the model."""

    generate_requested = Signal(object, object)  # GenerateSpec, ModelSource
    stop_requested = Signal()
    dials_turned = Signal(object)  # Dials

    def __init__(self) -> None:
        super().__init__()
        self.running = False
        self._sources: list[ModelSource] = []
        self._runs: Sequence[Saved] = ()
        self._opened: list[Saved] = []
        self._index = 0  # in the box, of the model that was chosen last
        self._fresh: GPTConfig | None = None
        self._device_key = "auto"
        self._prompt_ids: list[int] = []
        self._drawn: dict[int, TokenDrawn] = {}
        self._follow = True  # the bars show the newest token until one is clicked
        self._make_controls()
        self._lay_out()
        self._show_state()

    # What the window tells.

    def set_fresh(self, config: GPTConfig | None) -> None:
        """The Model panel's configuration: what an untrained model would be built from. None: it has a problem."""
        self._fresh = config
        if config:
            self._sources[:1] = [Fresh(config)]
        self._show_state()

    def set_sources(self, saved: Sequence[Saved], choose: ModelSource | None = None) -> None:
        """The models that there are: the untrained one, the runs, the newest first, and what was opened from disk."""
        chosen = choose or self.source()
        self._runs = saved
        self._sources = [*self._sources[:1], *saved, *(each for each in self._opened if each not in saved)]
        with QSignalBlocker(self.model_box):
            self.model_box.clear()
            for source in self._sources:
                fresh_words = tr("Untrained, as in the Model panel")
                self.model_box.addItem(fresh_words if isinstance(source, Fresh) else _short(source))
            self.model_box.addItem(tr("Choose a checkpoint …"))
        self.model_box.setCurrentIndex(self._sources.index(chosen) if chosen in self._sources else 0)
        self._show_state()

    def offers(self, source: ModelSource) -> bool:
        """Whether a model is in the box."""
        return source in self._sources

    def set_device(self, key: str) -> None:
        self._device_key = key

    def apply(self, messages: list[Any]) -> None:
        """Takes all that came since the last paint, and paints once."""
        for message in messages:
            self._apply_one(message)
        drawn = [message for message in messages if isinstance(message, TokenDrawn)]
        self.strip.add([_box(message) for message in drawn])
        if drawn and self._follow:
            self.show_position(drawn[-1].position)
            self._scroll_to(drawn[-1].position)

    def source(self) -> ModelSource | None:
        index = self.model_box.currentIndex()
        return self._sources[index] if 0 <= index < len(self._sources) else None

    def text(self) -> str:
        """The prompt and all new tokens, as text."""
        return tokenizer.decode([*self._prompt_ids, *(drawn.id for drawn in self._drawn.values())])

    def dials(self) -> Dials:
        return Dials(self.temperature.value(), int(self.top_k.value()) or None)

    # What the user does.

    def primary(self) -> None:
        if self.go.isEnabled():
            self.go.click()

    def stop(self) -> None:
        if self.running:
            self.stop_requested.emit()

    def show_position(self, position: int | None) -> None:
        """The bars of the token at this position, with the dials as they are now."""
        self.strip.choose(position)
        drawn = self._drawn.get(position) if position is not None else None
        if drawn is None or drawn.logits is None:
            self.bars.show_rows([])
            self.bars_note.setText("")
            self.bars_title.setText(
                tr("The likeliest next tokens appear here.")
                if drawn is None
                else tr("Logits are kept for the newest {n} tokens.", n=f"{KEPT_LOGITS:,}")
            )
            return
        dials = self.dials()
        stages = sampling.distribution(np.asarray(drawn.logits), *dials)
        self.bars.show_rows(rows_of(stages, tokenizer.visible, drawn.id, dials.temperature))
        self.bars_title.setText(
            tr("Token {n}: {text} was chosen, with {p}", n=f"{drawn.position:,}",
               text=tokenizer.visible(drawn.id), p=percent(drawn.probability))
        )
        self.bars_note.setText(
            tr("Grey: as the model gives it. Colour: after temperature {t} and top-k {k}. {bits} bits of choice.",
               t=f"{self.temperature.value():.2f}", k=self.top_k.number.text(), bits=f"{stages.entropy_bits:.2f}")
        )

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
            self.notice.setText(str(error))
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
        self.running, self._follow = True, True
        self._prompt_ids = []
        self._drawn.clear()
        self.strip.clear()
        self.show_position(None)
        self.copy.setEnabled(False)
        self.notice.setText("")
        self._show_state()

    def _turned(self) -> None:
        self.dials_turned.emit(self.dials())
        self.show_position(self.strip.current)

    def _clicked(self, position: int) -> None:
        self._follow = False
        self.show_position(position)
        self._scroll_to(position)

    def _model_chosen(self, index: int) -> None:
        self.notice.setText("")
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
            self.notice.setText(str(error))
            return
        if isinstance(source, Saved):
            self._opened = [*(each for each in self._opened if each != source), source]
        self.set_sources(self._runs, choose=source)

    # What the model tells.

    def _apply_one(self, message: Any) -> None:
        match message:
            case PromptRead():
                self._prompt_ids = [piece.id for piece in message.pieces]
                self.copy.setEnabled(True)
                self.strip.add([
                    Box(i, tokenizer.visible(piece.id), _tip(piece.id), True, piece.text.endswith("\n"))
                    for i, piece in enumerate(message.pieces)
                ])
                if message.dropped:
                    self.notice.setText(
                        tr("The prompt is longer than the model's context: its first {n} tokens are not seen.",
                           n=f"{message.dropped:,}")
                    )
            case TokenDrawn():
                self._drawn[message.position] = message
                old = message.position - KEPT_LOGITS
                if old in self._drawn:
                    self._drawn[old] = self._drawn[old].model_copy(update={"logits": None})
            case PhaseChanged():
                self.phase.setText(tr(PHASES.get(message.phase, "")))
            case Warned():
                self.notice.setText(tr(message.words))
            case Ended():
                self.running = False
                count = f"{len(self._drawn):,}"
                self.phase.setText(tr("{n} new tokens. Click one.", n=count)
                                   if self._drawn else "")
                if message.outcome == "failed":
                    self.notice.setText(tr(message.words))
                self._show_state()

    # What is shown.

    def _show_state(self) -> None:
        source = self.source()
        if source:
            self._index = self.model_box.currentIndex()
        self.model_name.setText(source.name if source else "")
        self.go.setText(tr("Stop") if self.running else tr("Generate"))
        self.go.setAccessibleName(self.go.text())
        reason = ""
        if not self.running and not source:
            reason = tr("Choose a model first.")
        elif not self.running and isinstance(source, Fresh) and not self._fresh:
            reason = tr("The model has a problem: see the Model panel.")
        self.go.setEnabled(not reason)
        self.go.setToolTip(reason or tr("Ctrl+Enter, or Space"))

    def _scroll_to(self, position: int) -> None:
        place = self.strip.place_of(position)
        if place:
            self.strip_scroll.ensureVisible(round(place.center().x()), round(place.center().y()), 0, 60)

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
        self.settings.changed.connect(
            lambda: self.settings.show_problems(GenerateSpec.problems(self.settings.values()))
        )
        self.strip = TokenStrip()
        self.strip.chosen.connect(self._clicked)
        self.bars = CandidateBars()
        self.bars_title = label(tr("The likeliest next tokens appear here."), "heading", "bars_title")
        self.bars_note = label(role="muted", name="bars_note", wrap=True)
        self.phase = label(role="muted", name="generate_phase")
        self.copy = button(tr("Copy"), "copy_text", tr("Copies the prompt and all new tokens as text"), role="quiet")
        self.copy.setEnabled(False)
        self.copy.clicked.connect(lambda: QGuiApplication.clipboard().setText(self.text()))
        self.notice = label(role="problem", name="generate_notice", wrap=True)

    def _lay_out(self) -> None:
        layout = QHBoxLayout(self)
        layout.setContentsMargins(16, 14, 16, 14)
        layout.setSpacing(12)
        left = QVBoxLayout()
        left.setSpacing(10)
        left.addWidget(self._text_card(), 4)
        left.addWidget(self._bars_card(), 5)
        layout.addLayout(left, 1)
        layout.addWidget(self._side_card())

    def _text_card(self) -> QWidget:
        frame, inside = card("text_card")
        head = QHBoxLayout()
        head.addWidget(label(tr("The text, token by token"), "heading"))
        head.addStretch(1)
        head.addWidget(self.phase)
        head.addWidget(self.copy)
        inside.addLayout(head)
        self.strip_scroll = scrolling(self.strip, "strip_scroll")
        inside.addWidget(self.strip_scroll, 1)
        inside.addWidget(self.notice)
        return frame

    def _bars_card(self) -> QWidget:
        frame, inside = card("bars_card")
        inside.addWidget(self.bars_title)
        inside.addWidget(self.bars_note)
        inside.addWidget(scrolling(self.bars, "bars_scroll"), 1)
        return frame

    def _side_card(self) -> QWidget:
        frame, inside = card("generate_side")
        frame.setSizePolicy(QSizePolicy.Policy.Maximum, QSizePolicy.Policy.Preferred)
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


def _box(drawn: TokenDrawn) -> Box:
    tip = tr("{token}\nchosen with {p}\n{bits} bits of choice, {ms} ms", token=_tip(drawn.id),
             p=percent(drawn.probability), bits=f"{drawn.entropy_bits:.2f}", ms=f"{drawn.took_s * 1000:.0f}")
    return Box(drawn.position, tokenizer.visible(drawn.id), tip, False, drawn.text.endswith("\n"))


def _short(source: Saved) -> str:
    """What fits into the box: a run that named itself by its time without the date, and the step."""
    named_by_time = re.fullmatch(r"[\d-]{10}_(\d\d)(\d\d)\d\d_(.+)", source.run)
    run = "{2} {0}:{1}".format(*named_by_time.groups()) if named_by_time else source.run
    return f"{run}  ·  {source.step}"


def _tip(token: int) -> str:
    return f"{tokenizer.visible(token)}   id {token:,}"
