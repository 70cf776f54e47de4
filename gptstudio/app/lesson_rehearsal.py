"""Check every step of a lesson as a class would do it on this computer: places, controls, goals, texts and runs.

No Qt, and no torch unless an experiment of the lesson imports it.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, replace
from difflib import get_close_matches
from typing import Any

from gptstudio import devices, files, paths
from gptstudio.data import texts
from gptstudio.devices import Device
from gptstudio.errors import Fault, UserError, shown, text_of
from gptstudio.fields import SpecError
from gptstudio.gpt.config import DEFAULT_PRESET, PRESETS, GPTConfig
from gptstudio.i18n import Message, message
from gptstudio.labs.lesson import (
    MADE_LATER,
    OF_A_TEXT,
    PRESET,
    RUN_VALUES,
    Check,
    Lesson,
    LessonStep,
    config_of,
    containers_of,
    control_of,
    is_elsewhere,
    missing_text,
    missing_texts,
    widget_tree,
)
from gptstudio.settings import Settings
from gptstudio.toml_file import Document
from gptstudio.training import checkpoint_files, corpus
from gptstudio.training.forecast import CostHistory, Forecast, Workload, forecast
from gptstudio.training.spec import TrainSpec

LONGEST_TEXT = 2_000_000
"""Maximum size in bytes of a text that is tokenised to count the steps of a run; a longer text would take seconds."""
CHECKPOINTS = 2
"""Number of checkpoints that every run keeps: the newest and the best."""
GB = 1e9


@dataclass(frozen=True)
class LessonRun:
    """Run that a step of the lesson requests.

    Attributes:
        step: index of the step in the lesson.
        spec: settings of the run, after the lesson has set them on Train.
        steps: number of training steps; 0 if the text is too long to count them, or cannot be used.
        forecast: memory and time needed on this computer.
        disk_bytes: size of its checkpoints.
        problem: reason why the run cannot start with this text; empty if it can.
    """

    step: int
    spec: TrainSpec
    steps: int
    forecast: Forecast
    disk_bytes: int
    problem: str = ""


class Rehearsal:
    """Rehearsal of one lesson with the settings of a computer.

    Attributes:
        runs: the runs of the lesson, in order.
        faults: everything that prevents a step from working, in the order of the lesson's lines.
    """

    def __init__(self, lesson: Lesson, document: Document, settings: Settings) -> None:
        self._lesson, self._document, self._settings = lesson, document, settings
        self._refused: list[Fault] = []
        self.runs = list(self._runs())
        self.faults = sorted({*self._faults(), *self._faults_of_runs(), *self._refused})

    def _faults(self) -> Iterator[Fault]:
        for index, step in enumerate(self._lesson.steps):
            for key, what in (*self._place(step), *self._texts(step), *self._controls(step), *self._goal(index, step)):
                yield Fault(self._line(index, key), what)

    def _line(self, index: int, key: str) -> int:
        return self._document.line("step", index, *key.split("."))

    # Places and texts.

    def _place(self, step: LessonStep) -> Iterator[tuple[str, str]]:
        key = "page" if step.page else "tab"
        tab = "learn" if step.page else step.tab
        if tab == "model" and "model_dock" in self._settings.hide:
            yield key, message("the Model panel of this step cannot be opened: {why}", why=self._why("model_dock"))
        elif self._settings.restricts(f"{tab}_tab"):
            yield key, message("the page of this step cannot be opened: {why}", why=self._why(f"{tab}_tab"))

    def _texts(self, step: LessonStep) -> Iterator[tuple[str, str]]:
        for name in _texts_of(step):
            key, where = "settings.text", texts.locate(name)
            if name == texts.VERDICT and where is None:
                yield key, message(
                    "The Verdict is not on this computer, so the step needs a network. Put {file} into the folder for "
                    "texts, or name another text.", file=texts.VERDICT_FILE)
            elif missing_texts({"text": (name,)}):
                yield key, missing_text(name)
            elif problem := _unreadable(name):
                yield key, problem

    # Controls.

    def _controls(self, step: LessonStep) -> Iterator[tuple[str, str]]:
        widgets = widget_tree()["widgets"]
        known = {"point": widgets, "result": widgets}
        kinds = {"point": ("hide", "lock"), "result": ("hide",)}
        for key in ("point", "result", "hide", "lock"):
            value = getattr(step, key)
            for name in ([value] if value else []) if isinstance(value, str) else value:
                if MADE_LATER.match(name):
                    continue
                if name not in known.get(key, {*widgets, *widget_tree()["commands"]}):
                    near = get_close_matches(name[:100], widgets, n=1)
                    yield key, message(
                        "{key} names '{name}', which is not in the window, so the step continues without it; "
                        "similar: {near}.", key=key, name=shown(name), near=near[0] if near else "–")
                elif is_elsewhere(step, name):
                    yield key, message(
                        "{key} names '{name}', which is on another page than this step and cannot be seen. Name a "
                        "control of this page.", key=key, name=name)
                elif blocker := self._blocker(name, kinds.get(key, ())):
                    yield key, message("{key} names '{name}', which this step cannot use: {why}",
                                       key=key, name=name, why=self._why(blocker))
        for name in step.settings:
            if blocker := self._blocker(control_of(step, name)):
                yield f"settings.{name}", message(
                    "this step cannot set {name}, which keeps its value: {why}", name=name, why=self._why(blocker))

    def _blocker(self, name: str, kinds: tuple[str, ...] = ("hide", "lock")) -> str:
        """Return the name in the settings that hides or locks a control; empty if there is none."""
        held = [each for kind in kinds for each in getattr(self._settings, kind)]
        return next((each for each in (name, *sorted(containers_of(name))) if each in held), "")

    def _why(self, name: str) -> Message:
        """Return a message with the line of the settings that hides or locks a control, and the remedy."""
        if name in self._settings.hide:
            return message("{name} is hidden by line {line} of the settings. Remove it from hide there, or change this "
                           "step.", name=name, line=self._settings.lines.get("hide", 0))
        return message("{name} is locked by line {line} of the settings. Remove it from lock there, or change this "
                       "step.", name=name, line=self._settings.lines.get("lock", 0))

    # Goals.

    def _goal(self, index: int, step: LessonStep) -> Iterator[tuple[str, str]]:
        for key, value, control in _needed(step):
            if blocker := self._blocker(control):
                yield key, message("this cannot be reached without '{control}': {why}",
                                   control=control, why=self._why(blocker))
            elif held := _held_by(step, control):
                set_already = step.check and step.check.reached(step.settings.get(value))
                if not set_already and not self._made_before(index, step, value, control):
                    yield key, message("this cannot be reached without '{control}': {why}",
                                       control=control, why=_held_words(held))
        if step.check:
            yield from (("check", what) for what in self._when(step, step.check))

    def _made_before(self, index: int, step: LessonStep, value: str, control: str) -> bool:
        """Return whether an earlier step can produce the value of a goal: a run, or a text."""
        lasts = value in RUN_VALUES or (control == "generate" and value != "tokens")
        return lasts and any(
            each.tab == step.tab and not _held_by(each, control) for each in self._lesson.steps[:index])

    def _when(self, step: LessonStep, check: Check) -> Iterator[str]:
        """Yield the reasons why a condition of the goal cannot be met: its field is locked to another value."""
        given = step.place.given.shallow() if step.place.given else {}
        for name, wanted in check.when.items():
            control = control_of(step, name)
            blocker = self._blocker(control)
            now = given.get(name) if blocker else step.settings.get(name, given.get(name))
            if (blocker or _held_by(step, control)) and not Check(name, equals=wanted).reached(now):
                why = self._why(blocker) if blocker else _held_words(_held_by(step, control))
                yield message("the goal counts only if {name} is {wanted}, but it stays {now}: {why}",
                              name=name, wanted=repr(wanted), now=repr(now), why=why)

    # Runs.

    def _runs(self) -> Iterator[LessonRun]:
        """Yield the runs that the steps on Train request. A value set by a step stays until another step sets it."""
        device, costs, config = devices.cpu(), CostHistory.read(), PRESETS[DEFAULT_PRESET]
        values: dict[str, Any] = {} if texts.locate(texts.VERDICT) else {"text": (texts.STORY,)}
        started = False
        for index, step in enumerate(self._lesson.steps):
            free = {name: value for name, value in step.settings.items()
                    if not self._blocker(control_of(step, name))}
            if step.tab == "model" and free:
                config = _configured(free, config)
            elif step.tab == "train":
                values |= free
                asked = step.point == "start" or (step.check is not None and step.check.value in RUN_VALUES)
                if asked and (free or not started):
                    started = True
                    try:
                        yield _run(index, TrainSpec().but(config=config, **values), device, costs)
                    except SpecError as error:  # settings of several steps that are inconsistent
                        self._refused.append(_refused(self._line(index, "settings"), text_of(error)))

    def _faults_of_runs(self) -> Iterator[Fault]:
        needed, free_bytes = 0, files.free_bytes(paths.runs())
        for run in self.runs:
            needed += run.disk_bytes
            line, made = self._line(run.step, "settings"), run.forecast
            if run.problem:
                yield _refused(line, run.problem)
            if made.level == "too large":
                yield Fault(line, message(
                    "the run of this step needs {needed} GB of memory, but only {free} GB are free. Close other "
                    "programs, or use a smaller model or batch.",
                    needed=f"{made.predicted_bytes / GB:.1f}", free=f"{made.free_bytes / GB:.1f}"))
            if needed > free_bytes:
                yield Fault(line, message(
                    "the lesson's runs up to this step need {needed} GB on the disk, but only {free} GB are free at "
                    "{path}. Make room there.",
                    needed=f"{needed / GB:.1f}", free=f"{free_bytes / GB:.1f}", path=paths.runs()))
            yield from self._goal_of_run(run)

    def _goal_of_run(self, run: LessonRun) -> Iterator[Fault]:
        check = self._lesson.steps[run.step].check
        if check and check.value == "step" and run.steps and (check.at_least or 0) > run.steps:
            yield Fault(self._line(run.step, "check"), message(
                "the goal asks for step {goal}, but the run of this step has only {steps} steps. Set more epochs or "
                "steps, or ask for fewer.", goal=f"{check.at_least:,.0f}", steps=f"{run.steps:,}"))


def _needed(step: LessonStep) -> Iterator[tuple[str, str, str]]:
    """Yield each control without which a step's goal, or the answer to its question, cannot be reached: the key of the
    step that requires it, the name of the value, and the name of the control."""
    widgets = widget_tree()["widgets"]
    if step.check and (control := control_of(step, step.check.value)) in widgets:
        yield "check", step.check.value, control
        if step.tab == "generate" and step.check.value in OF_A_TEXT:
            yield "check", step.check.value, "generate"
    if step.predict and step.predict.token:
        yield "predict", step.predict.token, "generate"


def _refused(line: int, why: str) -> Fault:
    return Fault(line, message("the run of this step cannot start: {why}", why=why))


def _held_words(name: str) -> Message:
    return message("the step itself has {name} in hide or lock. Remove it there.", name=name)


def _held_by(step: LessonStep, control: str) -> str:
    """Return the name in ``hide`` or ``lock`` of a step that applies to a control; empty if there is none."""
    return next((each for each in (control, *sorted(containers_of(control))) if each in (*step.hide, *step.lock)), "")


def _texts_of(step: LessonStep) -> tuple[str, ...]:
    """Return the texts that a step names: files and names on Train, and names on the page of an experiment."""
    value = step.settings.get("text", ())
    if step.tab == "train":
        return tuple(value)
    view = step.place.fields().get("text") if step.page and value else None
    return (value,) if view and view.kind == "choice" and value in texts.NAMES else ()


def _unreadable(name: str) -> str:
    try:
        texts.read_all((name,))
    except UserError as error:
        return text_of(error)
    return ""


def _configured(settings: Mapping[str, Any], config: GPTConfig) -> GPTConfig:
    """Return the model after a step on the Model panel; without a preset, the previous model with the step's
    changes."""
    if PRESET in settings:
        return config_of(settings)
    try:
        return config.but(**settings)
    except UserError:
        return config


def _run(index: int, spec: TrainSpec, device: Device, costs: CostHistory) -> LessonRun:
    """Return a run with its forecast. Its text is tokenised, unless it is long."""
    plan, problem = None, ""
    try:
        if sum(text.size for text in texts.read_all(spec.text)) <= LONGEST_TEXT:
            text = corpus.read(spec)
            spec = corpus.fitting(spec, text.tokenizer)
            plan = corpus.plan_new_run(spec, text)
    except texts.TextError:
        pass  # reported for the step that names the text
    except UserError as error:
        problem = text_of(error)
    measured = (each for each in (device, replace(device, fast_bf16=True)) if costs.of(Workload.of(spec, each), each))
    made = forecast(spec, plan, next(measured, device), costs)
    kept = CHECKPOINTS + spec.keep_others
    return LessonRun(
        index, spec, plan.total_steps if plan else 0, made, kept * checkpoint_files.needed_bytes(spec), problem)
