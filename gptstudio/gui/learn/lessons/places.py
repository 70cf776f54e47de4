"""Meaning of a lesson's step in this window: the page it opens, the settings it makes, and the value it checks."""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING, Any

from PySide6.QtWidgets import QWidget

from gptstudio.errors import UserError
from gptstudio.gpt import sizing
from gptstudio.gpt.sampling import STAGES
from gptstudio.gui.learn.lessons.telling import unmet_text
from gptstudio.gui.translation import tr
from gptstudio.labs import lesson_places
from gptstudio.labs.lesson import LessonStep, Value
from gptstudio.training.run_folder import all_runs
from gptstudio.training.spec import GenerateSpec, TrainSpec

if TYPE_CHECKING:
    from gptstudio.gui.window import MainWindow

CURVES = {"validation_loss": "validation", "training_loss": "training", "step": "step"}
"""Values of a run that a check can request, and the curves that contain them."""


class LessonTargets:
    """Goes where a step stands, as a user would, and reads what is there. Made as the lesson begins: runs that were
    there before do not count, nor do tokens that were written before their step."""

    def __init__(self, window: MainWindow) -> None:
        self._window = window
        shown = [window.train.run] if window.train.run else []
        self._runs_before = {run.path for run in (*all_runs(), *shown)}
        self._drawn_before = 0

    def go(self, step: LessonStep) -> QWidget | None:
        """Shows a step's page or tab and makes its settings; the widget of the place.

        Raises:
            UserError: what is set cannot be set now.
        """
        window = self._window
        if window.settings_locks.shut("learn" if step.page else step.tab):
            raise UserError(tr("This step is on a page that your instructor has locked."))
        match step.page or step.tab:
            case "model":
                return self._go_to_model(step.settings)
            case "train":
                window.go_to(window.train)
                self._set_training(step.settings)
                return window.train
            case "generate" if not step.page:
                window.go_to(window.generate)
                if not window.generate.show_view_with(step.point):
                    raise UserError(tr("The model is busy in another view. Stop it there, then return to this step."))
                self._set_generating(step.settings)
                self._drawn_before = window.generate.view.document.drawn
                return window.generate
            case "runs" | "texts" as name:
                page = window.runs if name == "runs" else window.texts
                window.go_to(page)
                return page
        window.go_to(window.learn)
        window.learn.open(step.page)
        lab = window.learn.page(step.page)
        if step.settings:
            lab.use(step.settings)
        return lab

    def value(self, step: LessonStep) -> Value | None:
        """Return the current value that the step's check requests; None if there is none."""
        return self._named(step, step.check.value if step.check else "")

    def obstacle(self, step: LessonStep) -> str:
        """Return the reason a value does not count; empty if it does."""
        check, run = step.check, self._window.train.run
        if check and step.tab == "train" and check.value in CURVES and run and run.path in self._runs_before:
            return tr("This run was started before the lesson. Start a new one.")
        now = {name: self._named(step, name) for name in check.when} if check else {}
        return unmet_text(step, check.unmet(now)) if check else ""

    def _named(self, step: LessonStep, name: str) -> Value | None:
        """A value of the step's place, by its name."""
        if step.page:
            return self._window.learn.page(step.page).value(name)
        match step.tab:
            case "model":
                return self._of_the_model(name)
            case "train":
                return self._of_training(name)
            case "generate":
                return self._of_generating(name)
        return None

    def _go_to_model(self, settings: Mapping[str, Any]) -> QWidget:
        window = self._window
        if window.learning:
            window.go_to(window.train)
        if settings:
            window.panel.select(lesson_places.config(settings))
        return window.panel

    def _set_training(self, settings: Mapping[str, Any]) -> None:
        train = self._window.train
        if not settings:
            return
        if train.running:
            raise UserError(tr(
                "Training is in progress, so no settings were changed. Wait until it finishes, or stop it."))
        spec = TrainSpec().but(**settings)
        for name in settings:
            if name in train.settings.editors:
                train.settings.editors[name].set_value(getattr(spec, name))
        if "text" in settings:
            train.use_text(spec.text)

    def _set_generating(self, settings: Mapping[str, Any]) -> None:
        generate = self._window.generate
        if not settings:
            return
        spec = GenerateSpec().but(**settings)
        if {*STAGES, "order"} & settings.keys():
            generate.stages.set_params(generate.sampling_params().but(**{
                name: getattr(spec, name) for name in settings if name in (*STAGES, "order")
            }))
        for name in settings:
            if name in generate.settings.editors:
                generate.settings.editors[name].set_value(getattr(spec, name))
        if "prompt" in settings:
            generate.prompt.setPlainText(spec.prompt)

    def _of_the_model(self, name: str) -> Value | None:
        config = self._window.panel.config
        if config is None:
            return None
        return sizing.parameters(config).total if name == "parameters" else getattr(config, name, None)

    def _of_training(self, name: str) -> Value | None:
        curves = self._window.train.view.charts.loss.curves
        kind = CURVES.get(name)
        if kind is None:
            return self._window.train.settings.values().get(name)
        series = curves[kind].series
        if not len(series):
            return None
        return float(series.x("step", -1) if kind == "step" else series.y[-1])

    def _of_generating(self, name: str) -> Value | None:
        generate = self._window.generate
        if name == "tokens":
            document = generate.view.document
            return min(max(0, len(document.path) - document.given), document.drawn - self._drawn_before)
        if name in STAGES:
            value: float | None = getattr(generate.sampling_params(), name)
            return value
        return generate.prompt.toPlainText() if name == "prompt" else generate.settings.values().get(name)
