"""Text and settings of a run: its plan, a plot of its learning rate, and the choice of frozen parts of the model."""

from __future__ import annotations

import os
from dataclasses import replace
from functools import partial

import numpy as np
from PySide6.QtCore import Qt
from PySide6.QtWidgets import QFileDialog, QWidget

from gptstudio.app.derived import is_of_the_run, start_blocker
from gptstudio.app.shown_run import is_finished
from gptstudio.app.state import AppState
from gptstudio.data.texts import NAMES, PROMPTS, STORY
from gptstudio.gpt import sizing
from gptstudio.gpt.config import USUAL_SIZES, Vocabulary
from gptstudio.gui.canvas.canvas import Cell
from gptstudio.gui.controllers.preparation import TextCheckController
from gptstudio.gui.forms.field import GroupedEditor
from gptstudio.gui.plots.curve_view import Curves, CurveView, Line
from gptstudio.gui.plots.shades import Range
from gptstudio.gui.theme import colour
from gptstudio.gui.translation import millions, size, tr
from gptstudio.gui.widgets.layouts import grows, hbox, vbox, with_layout
from gptstudio.gui.widgets.parts import ChoiceBox, button, label, named, plain, restyle, set_blocker
from gptstudio.gui.widgets.text_views import FewLines
from gptstudio.training.optimizers import OPTIMIZER_FIELDS
from gptstudio.training.schedule import learning_rate
from gptstudio.training.spec import TrainSpec
from gptstudio.training.spec_problems import SCHEDULE_FIELDS, settings_in_use

POINTS = 200
"""Number of points of the curve, more than this small plot has pixels."""


class SchedulePlot(QWidget):
    """Plot of the learning rate over the steps of a run, with the current step marked."""

    def __init__(self) -> None:
        super().__init__()
        self.plot = CurveView("schedule_plot", tr("Learning rate over the run"), (100, 84), grows=False)
        self.words = label(role="muted", name="schedule_words", wrap=True)
        self._spec, self._total = TrainSpec(), 0
        self._peak: float | None = None
        self._at: int | None = None
        with_layout(self, vbox(self.plot, self.words, spacing=4))

    def show_schedule(self, spec: TrainSpec, total_steps: int, peak: float | None = None) -> None:
        """Show a schedule. ``peak``: replaces the spec's learning rate if that was changed during a pause."""
        self._spec, self._total, self._peak = spec, total_steps, peak
        self._draw()

    def show_place(self, step: int | None) -> None:
        """Mark the current step of the run; None removes the mark."""
        self._at = step
        rate = self._rate(step) if step is not None and self._total else None
        self.plot.show_curves(replace(self.plot.curves, place=None if step is None or rate is None else (step, rate)))
        self._say()

    def _rate(self, step: int) -> float:
        return learning_rate(self._spec, step, self._total, self._peak)

    def _draw(self) -> None:
        total = max(self._total, 2)
        last = min(total, POINTS) - 1
        steps = np.round(np.arange(last + 1) * (total - 1) / last)
        rates = np.array([learning_rate(self._spec, int(step), total, self._peak) for step in steps])

        def say(cell: Cell) -> str:
            return tr("Step {n}: {rate}", n=f"{int(steps[cell.column]) + 1:,}", rate=f"{rates[cell.column]:.3g}")

        self.plot.show_curves(Curves(
            steps, [Line(rates, partial(colour, "accent"), width=2)], pointed=1, corner=True, say=say,
            x_scale=Range(0, float(steps[-1])), y_scale=Range(0, float(rates.max()) or 1.0), entry=Cell(0, 0),
            table=lambda: [(f"{step + 1:.0f}", f"{rate:.6g}") for step, rate in zip(steps, rates, strict=True)]))
        self.show_place(self._at)

    def _say(self) -> None:
        if not self._total:
            self.words.setText("")
        elif self._at is not None:
            self.words.setText(tr("Step {n}: {rate}", n=f"{self._at + 1:,}", rate=f"{self._rate(self._at):.3g}"))
        else:
            first, last = self._rate(0), self._rate(self._total - 1)
            self.words.setText(
                tr("{rate} at every step", rate=f"{first:.3g}")
                if self._spec.schedule == "constant"
                else tr(
                    "{first} at first, {peak} at most, {last} at the end",
                    first=f"{first:.3g}", peak=f"{self._peak or self._spec.learning_rate:.3g}", last=f"{last:.3g}",
                )
            )


FROZEN = ("freeze", "freeze_blocks")
"""Fields for the parts of the model that are frozen."""
FINE_TUNING = "Fine-tuning"
BESIDE = 8
"""Pixels between the settings and their scroll bar."""


class TrainSettings(GroupedEditor):
    """Settings of a run: epochs, batch size, learning rate and seed, and all others under ``More settings``.

    The fields for freezing are shown if there are weights to continue from, or something is frozen already.
    """

    def __init__(self, state: AppState) -> None:
        super().__init__(TrainSpec, "train", tr("More settings"), first=(FINE_TUNING,))
        self._state = state
        self.schedule = SchedulePlot()
        self.add_to("Schedule", self.schedule)
        self.learning = label(role="muted", name="learning_parameters", wrap=True)
        self.add_to(FINE_TUNING, self.learning)
        self.setContentsMargins(0, 0, BESIDE, 0)
        self.show_values(state.train_values)
        self.changed.connect(lambda: setattr(state, "train_values", self.values()))
        state.on(self._show_values, "train_values")
        state.on(self._show_problems, "spec_problems", "text_check")
        state.on(self._show_model, "config")
        state.on(self._show_learning, "spec")
        state.on(self._fit, "train_values", "weights")
        state.on(self._enable, "run_state")
        for show in (self._show_model, self._show_learning, self._show_problems, self._fit):
            show()

    def _show_values(self) -> None:
        if self.values() != self._state.train_values:
            self.show_values(self._state.train_values)

    def _show_problems(self) -> None:
        check = self._state.text_check
        self.show_problems([*self._state.spec_problems, *(check.problems if check else ())])

    def _enable(self) -> None:
        """Enable all settings before a run, only the learning rate while it is paused, and none while it runs."""
        state = self._state
        why_not = tr("Only the learning rate can be changed while a run is paused.") if state.paused else tr(
            "These settings cannot be changed during a run. Stop it first.")
        self.enable(("learning_rate",) if state.paused else () if state.running else self.editors, why_not)

    def _show_model(self) -> None:
        """Show the number of parameters of each part of the model that can be frozen."""
        config = self._state.config
        if config:
            self.editors["freeze"].control.show_figures({
                part: _figure(part, held, config.tie_weights)
                for part, held in sizing.parameters(config).components().items()
            })

    def _show_learning(self) -> None:
        """Show the number of trained parameters; nothing if a setting is invalid."""
        spec = self._state.spec
        if not spec:
            self.learning.setText("")
            return
        learn = sizing.trained_count(spec.config, spec.freeze, spec.freeze_blocks)
        total = sizing.parameter_count(spec.config)
        self.learning.setText(
            tr("All {total} parameters are trained.", total=f"{total:,}")
            if learn == total
            else tr("Trained parameters: {n} of {total}.", n=f"{learn:,}", total=f"{total:,}")
        )

    def _fit(self) -> None:
        values = self._state.train_values
        used = settings_in_use(values)
        for name in (*SCHEDULE_FIELDS, *OPTIMIZER_FIELDS):
            self.editors[name].setVisible(name in used)
        frozen = any(values[name] != self.editors[name].view.default for name in FROZEN)
        self.groups[FINE_TUNING].setVisible(self._state.weights is not None or frozen)


def _figure(part: str, held: int, tied: bool) -> tuple[str, str]:
    """Return the parameter count of a part, in short form and as text."""
    if tied and part == "output_layer":
        return tr("tied"), tr("the same matrix as the token embedding")
    return millions(held), tr("{n} parameters", n=f"{held:,}")


FEW_BYTES = 3
"""Bytes per token of GPT-2's vocabulary below which one learned from the text is recommended; English has 4."""
FEWEST_BYTES = 1.6
"""Bytes per token of GPT-2's vocabulary below which one of characters is recommended; Chinese has 1.4, Russian 1.7."""


class TextBox(ChoiceBox):
    """Combo box of the training texts."""

    def __init__(self, state: AppState) -> None:
        super().__init__(letters=12)
        self._state = state
        named(self, "text", tr("Text"))
        for name, words in NAMES.items():
            self.addItem(tr(words), name)
        self.addItem(tr("Choose a file…"), "file")
        self.activated.connect(self._choose)
        state.on(self._show, "texts", "offered_texts")
        state.on(self._show, "run_state")
        self._show()

    def _show(self) -> None:
        """Show the chosen texts. Besides the included and the offered texts, only the last other choice is kept."""
        texts, offered, fixed = self._state.texts, self._state.offered_texts, len(NAMES)
        for place, text in enumerate(offered, start=fixed):
            if self.findData(text) < 0:
                self.insertItem(place, os.path.basename(text), text)
                self.setItemData(place, plain(text), Qt.ItemDataRole.ToolTipRole)
        key, fixed = "\n".join(texts), fixed + len(offered)
        if self.findData(key) < 0:
            if self.count() > fixed + 1:
                self.removeItem(fixed)
            self.insertItem(fixed, texts[0] if len(texts) == 1 else tr("{n} texts", n=len(texts)), key)
        self.setCurrentIndex(self.findData(key))
        set_blocker(self, tr("The text cannot be changed during a run. Stop it first.") if self._state.running else "",
               plain(self.currentText()))

    def _choose(self, index: int) -> None:
        chosen = self.itemData(index)
        if chosen == "file":
            kinds = tr("Texts (*.txt *.md);;All (*)")
            chosen, _ = QFileDialog.getOpenFileName(self, tr("Open a training text"), "", kinds)
        if chosen:
            self._state.texts = tuple(chosen.split("\n"))
        self._show()  # the current entry may be "Choose a file…"


class TextPlan(QWidget):
    """Tokens and steps of a run on the chosen texts, with offers such as a download where one is needed."""

    def __init__(self, state: AppState, controller: TextCheckController) -> None:
        super().__init__()
        self._state = state
        self._missing = self._unusable = False  # results of the last check, so that the offers stay during the next one
        self.line = FewLines("plan")
        self.instead = QWidget()
        self.fetch = button(tr("Download"), "fetch_verdict", do=controller.fetch_verdict)
        self.story = button(
            tr("Use the included story instead"), "use_story", do=lambda: setattr(state, "texts", (STORY,)))
        self.shorter = button(tr("Use a shorter context"), "shorter_context", do=self._use_shorter)
        self.hint = FewLines("vocabulary_hint")
        self.own = button(tr("Use this vocabulary"), "use_own_vocabulary", do=self._use_own_vocabulary)
        self._recommended: Vocabulary = "own"
        with_layout(self.instead, hbox(self.fetch, self.story))
        words = vbox(self.line, self.hint, spacing=0)
        with_layout(self, hbox(grows(words), self.instead, self.shorter, self.own, spacing=12))
        state.on(self.show_state, "config", "spec", "spec_problems", "text_check", "download", "run_state")
        self.show_state()

    @property
    def needs_attention(self) -> bool:
        """True if there is a reason that prevents a start, or a recommendation, for the user to see."""
        return self.line.property("role") == "problem" or not self.instead.isHidden() or self.recommends_vocabulary

    @property
    def recommends_vocabulary(self) -> bool:
        """True if a vocabulary other than GPT-2's is recommended for the text."""
        return not self.own.isHidden()

    def show_state(self) -> None:
        """Show the plan, or the reason why nothing can be started, with buttons for another text."""
        state, check = self._state, self._state.text_check
        if check:
            self._missing = check.missing
            self._unusable = any(problem.field == "text" for problem in check.problems)
        self.instead.setVisible(self._unusable and not state.running)
        for offer in (self.story, self.shorter):  # Start is disabled; after a run, the next step is to generate
            restyle(offer, role="" if is_finished(state.run) else "primary")
        self.fetch.setVisible(self._missing)
        set_blocker(self.fetch, tr("The text is being downloaded.") if state.download.busy else "")
        self._offer_shorter()
        self._offer_own_vocabulary()
        if state.running and not (check and check.plan and is_of_the_run(state)):
            return  # the line is about the run, not about settings for the next one
        if self._missing and state.download.busy and state.download.done_bytes:
            self._say(tr("Downloading The Verdict: {done}", done=size(state.download.done_bytes)))
        elif self._missing and state.download.problem:
            self._say(tr(state.download.problem), problem=True)
        elif check and check.plan:
            plan = check.plan
            self._say(tr(
                "{tokens} training tokens, {val} validation tokens  ·  steps per epoch: {per}  ·  steps: {all}",
                tokens=f"{plan.train_tokens:,}", val=f"{plan.val_tokens:,}", per=f"{plan.steps_per_epoch:,}",
                all=f"{plan.total_steps:,}"))
            self.line.setVisible(not self.recommends_vocabulary)  # the recommendation needs the space
        else:
            self._say(tr(start_blocker(state) or ""), problem=check is not None)

    def _offer_shorter(self) -> None:
        """Offer a shorter context length if the text is too short for the chosen one only."""
        check = self._state.text_check
        context = check.fitting_context if check and not self._state.running else None
        self.shorter.setVisible(context is not None)
        if context:
            self.shorter.setText(tr("Use context length {n}", n=f"{context:,}"))

    def _use_shorter(self) -> None:
        check = self._state.text_check
        if check and check.fitting_context:
            self._state.config_values = {**self._state.config_values, "context_length": check.fitting_context}

    def _offer_own_vocabulary(self) -> None:
        """Recommend a vocabulary made from the text if GPT-2's tokens are short in this text, as in Chinese."""
        spec, check = self._state.spec, self._state.text_check
        found = check.bytes_per_token if check and spec and not self._state.running else 0
        fits = not found or found >= FEW_BYTES or spec is None or spec.config.vocabulary != "gpt2" or spec.init_from
        self.own.setVisible(not fits)
        self._recommended = "characters" if found < FEWEST_BYTES else "own"
        kind = tr("one of the text's characters") if found < FEWEST_BYTES else tr("one learned from the text")
        self.hint.setText("" if fits else tr(
            "GPT-2's vocabulary was made from English. In this text its tokens have {n} bytes on average, in English "
            "about 4. A better choice is {kind}.", n=f"{found:.2f}", kind=kind))

    def _use_own_vocabulary(self) -> None:
        own = {"vocabulary": self._recommended, "vocab_size": USUAL_SIZES[self._recommended]}
        self._state.config_values = {**self._state.config_values, **own}
        values, prompt = self._state.train_values, PROMPTS.get(self._state.texts[0])
        if prompt and values["sample_prompt"] == TrainSpec().sample_prompt:  # the default one may have unknown letters
            self._state.train_values = {**values, "sample_prompt": prompt}

    def _say(self, words: str, problem: bool = False) -> None:
        self.line.setText(words)
        restyle(self.line, role="problem" if problem else "muted")
