"""A lesson: a sequence of steps on pages and tabs, each with a text, a task and a goal; read from TOML.

The dataclasses declare what a place of the window offers to a lesson, and the content of a lesson file. The functions
at the end map the values of a step to the names of the controls in the window. Imports no torch until a lab is loaded.
"""

from __future__ import annotations

import json
import math
import os
import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field, replace
from functools import cache, partial
from pathlib import Path
from types import MappingProxyType
from typing import Annotated, Any, Self

from pydantic import (
    AfterValidator,
    BeforeValidator,
    Field,
    PlainValidator,
    ValidationInfo,
    field_validator,
    model_validator,
)

from gptstudio import paths
from gptstudio import toml_file as toml
from gptstudio.data import texts
from gptstudio.errors import Fault, UserError, os_errors
from gptstudio.fields import FieldView, Problem, Spec, fields_of
from gptstudio.gpt.config import DEFAULT_PRESET, PRESETS, GPTConfig
from gptstudio.gpt.sampling import STAGES
from gptstudio.i18n import Message, message
from gptstudio.inference.spec import GenerateSpec
from gptstudio.labs import catalogue
from gptstudio.labs.lab import Lab
from gptstudio.pointed_token import PointedToken
from gptstudio.training.spec import TrainSpec

Value = float | str | bool
Guess = Value | PointedToken
SINGLE = ("int", "float", "bool", "choice", "text")
"""Kinds of fields that can be compared with a single value."""
NUMBERS = ("int", "float")
PRESET = "preset"
"""Name that a lesson may set for the Model panel in addition to the fields of a configuration."""


@dataclass(frozen=True)
class LessonPlace:
    """Place in the window that a lesson can use: the page of a lab, or a tab.

    Attributes:
        given: the values before a lesson sets any; None if none can be set.
        settings: the fields that a lesson may set.
        values: the names that a lesson may check.
        lab: the lab, if the place is a lab page.
        tokens: names of tokens that can be the answer to a question; the learner points at one in the text of the
            place.
    """

    given: Spec | None = None
    settings: tuple[str, ...] = ()
    values: tuple[str, ...] = ()
    lab: Lab | None = None
    tokens: tuple[str, ...] = ()

    def fields(self) -> dict[str, FieldView]:
        return {view.name: view for view in fields_of(type(self.given))} if self.given else {}

    def tidy(self, settings: Mapping[str, Any]) -> dict[str, Any]:
        """Return settings in the form of the specs: an empty text clears an optional field, because TOML has no
        null."""
        fields = self.fields()
        empty = {name for name, value in settings.items() if value == "" and name in fields and fields[name].optional}
        return {name: None if name in empty else value for name, value in settings.items()}

    def setting_problems(self, settings: Mapping[str, Any]) -> Iterator[Problem]:
        """Yield the problems of settings, with the messages of the spec."""
        for name in settings:
            if not self.settings:
                yield Problem(name, message("{name} is not a setting: nothing can be set here.", name=name))
            elif name not in self.settings:
                known = ", ".join(self.settings)
                yield Problem(
                    name, message("{name} is not a setting. The settings are: {known}.", name=name, known=known))
        known_ones = {name: value for name, value in settings.items() if name in self.settings}
        base = self.given
        if isinstance(base, GPTConfig):
            preset = known_ones.pop(PRESET, DEFAULT_PRESET)
            if preset not in list(PRESETS):  # a list: the value may be unhashable
                names = ", ".join(PRESETS)
                yield Problem(PRESET, message(
                    "preset is {value}; available presets: {names}.", value=repr(preset), names=names))
                return
            base = PRESETS[preset]
        if base:
            yield from base.problems({**base.shallow(), **known_ones})

    def as_fields(self, settings: Mapping[str, Any]) -> dict[str, Any]:
        """Convert valid settings to the types of their fields, such as rows of numbers to tuples."""
        if isinstance(self.given, GPTConfig):
            made = {PRESET: settings.get(PRESET), **config_of(settings).shallow()}
        else:
            made = self.given.but(**settings).shallow() if self.given else {}
        return {name: made[name] for name in settings}

    def value_names(self, settings: Mapping[str, Any] | None) -> tuple[str, ...] | None:
        """Return the names that can be checked with these settings; None if the settings of a lab are invalid, or if
        finding out takes a slow answer."""
        lab = self.lab
        if lab is None or self.given is None:
            return self.values
        request = None if settings is None else self.given.but(**settings)
        if request is None or (lab.model and lab.reads(request)) or lab.slow(request):
            return None
        return (*self.values, *(name for name in lab.values(lab.answer(request)) if name not in self.values))

    def refusals(self, name: str, value: Any) -> Iterator[str]:
        """Yield messages on why a field can never have a value."""
        if self.given:
            problems = self.given.problems({**self.given.shallow(), **self.tidy({name: value})})
            yield from (problem.message for problem in problems if problem.field == name)


def _settable(spec: type[Spec], *without: str) -> tuple[str, ...]:
    return tuple(view.name for view in fields_of(spec) if view.name not in without)


TABS = {
    "train": LessonPlace(
        TrainSpec(), _settable(TrainSpec, "device", "init_from"), ("validation_loss", "training_loss", "step"),
    ),
    "generate": LessonPlace(
        GenerateSpec(), _settable(GenerateSpec, "model", "device", "reference"),
        ("temperature", "top_k", "tokens", "changes", "attention_steps"),
        tokens=("most_surprising", "most_uncertain"),
    ),
    "model": LessonPlace(PRESETS[DEFAULT_PRESET], (PRESET, *_settable(GPTConfig)), ("parameters",)),
    "runs": LessonPlace(),
    "texts": LessonPlace(),
}
"""Tabs by name; ``model`` is the Model panel, which is next to all of them."""


def place_of(page: str, tab: str) -> LessonPlace:
    """Return a tab, or without one the page of a lab, in its initial state."""
    if tab:
        return TABS[tab]
    lab = catalogue.load(page)
    fields = fields_of(lab.request)
    single = tuple(view.name for view in fields if view.kind in SINGLE)
    return LessonPlace(lab.examples[0].request, tuple(view.name for view in fields), single, lab)


def config_of(settings: Mapping[str, Any]) -> GPTConfig:
    """Return the configuration set by a step for the Model panel: a preset (by default the smallest) with changes."""
    changes = {name: value for name, value in settings.items() if name != PRESET}
    return PRESETS[settings.get(PRESET, DEFAULT_PRESET)].but(**changes)


def _present_name(value: str) -> str:
    """Return the current name of a value of a place: lessons of version 0.1 have ``struck`` instead of ``dropped``."""
    return re.sub("^struck(?=_|$)", "dropped", value)


ValueName = Annotated[toml.NonEmptyText, AfterValidator(_present_name)]
NumberOrName = Annotated[
    float | str, PlainValidator(
        lambda value: _present_name(value) if isinstance(value, str) and value else toml.number(value)),
    toml.must_be(message("a number, or the name of a value"))]


@dataclass(frozen=True)
class Predict:
    """Question before the task of a step, with one right answer.

    Attributes:
        choices: answers to choose from; ``answer`` is the right one.
        number: the right number, or the name of the value of the place that equals it once the goal is reached.
        token: name of the token of the place that is the answer; the learner answers by choosing a token there.
        tolerance: largest accepted difference of a guess from the number.
        explanation: shown with the right answer.
    """

    __pydantic_config__ = toml.TABLE
    question: toml.NonEmptyText
    choices: tuple[toml.NonEmptyText, ...] = ()
    answer: toml.Text = ""
    number: NumberOrName | None = None
    token: toml.Text = ""
    tolerance: toml.Number = 0.0
    explanation: toml.Text = ""

    @model_validator(mode="after")
    def _answerable(self) -> Self:
        if [bool(self.choices), self.number is not None, bool(self.token)].count(True) != 1:
            raise ValueError(message("a question needs one of these: choices with an answer, a number, or a token."))
        if self.choices and len(set(self.choices)) < max(2, len(self.choices)):
            raise toml.invalid((("choices",), message("choices needs at least two answers, all of them different.")))
        if self.choices and self.answer not in self.choices:
            raise toml.invalid((("answer",), message(
                "answer is '{answer}'; it must be one of the choices: {choices}.",
                answer=toml.abbreviate(self.answer), choices=", ".join(self.choices))))
        if self.tolerance < 0 or (self.number is None and self.tolerance):
            raise toml.invalid((("tolerance",), message("tolerance is for a number, and cannot be below 0.")))
        return self

    @property
    def value(self) -> str:
        """Name of the value of the place that is the answer; empty if the lesson states the answer."""
        return self.token or (self.number if isinstance(self.number, str) else "")

    @property
    def written(self) -> Value | None:
        """The answer stated in the lesson; None if a value of the place is the answer."""
        return self.answer if self.choices else None if self.value else self.number

    def is_right(self, guess: Guess, truth: Guess) -> bool:
        """Return whether a guess equals the answer, or is close enough."""
        if isinstance(guess, (str, bool, PointedToken)) or isinstance(truth, (str, bool, PointedToken)):
            return guess == truth
        return abs(guess - truth) <= self.tolerance or math.isclose(guess, truth, rel_tol=1e-6, abs_tol=1e-9)


def predict_problems(place: LessonPlace, names: tuple[str, ...] | None, predict: Predict) -> Iterator[str]:
    """Yield messages on why the answer can never be read. ``names``: result of :meth:`LessonPlace.value_names`."""
    name: Any = predict.value
    if not name:
        return
    if predict.token:
        if name not in place.tokens:
            yield message("there is no token '{token}' to point at here; available tokens: {known}.",
                          token=toml.abbreviate(name), known=", ".join(place.tokens)) if place.tokens else message(
                "no token can be pointed at here; that is possible with tab = \"generate\".")
        return
    view = place.fields().get(name)
    if names is not None and name not in names:
        yield message("there is no value '{value}' here; available values: {known}.",
                      value=toml.abbreviate(name), known=", ".join(names)) if names else message(
            "there are no values here; write the number itself.")
    elif view is not None and view.kind not in NUMBERS:
        yield message("{value} is not a number.", value=name)


SUFFIX = ".toml"
MOST_BYTES = 256 * 1024
MOST_MINUTES = 24 * 60
SHIPPED = ("from-text-to-tensors", "attention-from-nothing", "train-and-decode", "inside-a-gpt", "in-your-language")
"""Lessons that come with the program, in teaching order."""

CHINESE = "[\u2e80-\u9fff\uff00-\uffef]"

Names = tuple[toml.Name, ...]
StepMinutes = Annotated[
    float, Field(gt=0, le=MOST_MINUTES), BeforeValidator(toml.number),
    toml.must_be(message("a number above 0 and at most {high}", high=MOST_MINUTES))]
NOTHING = partial(MappingProxyType[str, Any], {})


def _paragraphs(text: str) -> str:
    """Join the lines of each paragraph; empty lines separate paragraphs. Chinese lines are joined without a space."""
    parts = re.split(r"\n\s*\n", re.sub(f"(?<={CHINESE})\n(?={CHINESE})", "", text))
    return "\n\n".join(" ".join(part.split("\n")) for part in parts)


def _list_of_steps(value: Any) -> Any:
    if value in ((), []):
        raise ValueError(message("this lesson has no steps. Start each step with [[step]] on a separate line."))
    if isinstance(value, list) and all(isinstance(each, dict) for each in value):
        return value
    raise ValueError(message(
        "{key} is not a list of steps; each step begins with [[{key}]] on its own line.", key="step"))


@dataclass(frozen=True)
class Check:
    """Goal of a step.

    Attributes:
        value: name of a field or a figure of the page, or of a figure of the tab.
        name: display name in the lesson's language; empty: ``value`` itself.
        when: fields of the same page or tab, with the values that they must have for the goal to count.
    """

    __pydantic_config__ = toml.TABLE
    value: ValueName
    name: toml.Text = ""
    at_least: toml.Number | None = None
    at_most: toml.Number | None = None
    equals: toml.Scalar | None = None
    when: Annotated[Mapping[str, toml.Scalar], AfterValidator(MappingProxyType)] = field(default_factory=NOTHING)

    @model_validator(mode="after")
    def _satisfiable(self) -> Self:
        low, high = self.at_least, self.at_most
        has_bounds = low is not None or high is not None
        if self.equals is None and not has_bounds:
            raise ValueError(message("this check can never be met: it needs at_least, at_most or equals."))
        if self.equals is not None and has_bounds:
            raise toml.invalid((("equals",), message("equals cannot be combined with at_least or at_most.")))
        if low is not None and high is not None and low > high:
            raise toml.invalid((("at_least",), message(
                "at_least is {low:g} and at_most is {high:g}: no value can meet both.", low=low, high=high)))
        return self

    def reached(self, now: Value | None) -> bool:
        """Return whether a value meets the target; False if it is missing, or not a number although one is needed. An
        empty field equals an empty text."""
        if now is None:
            return self.equals == ""
        if self.equals is not None:
            return _same(now, self.equals)
        if isinstance(now, (str, bool)) or math.isnan(now):
            return False
        return (self.at_least is None or now >= self.at_least) and (self.at_most is None or now <= self.at_most)

    def unmet(self, now: Mapping[str, Value | None]) -> list[str]:
        """Return the names in ``when`` with a different current value."""
        return [name for name, value in self.when.items() if not Check(name, equals=value).reached(now[name])]


def when_problems(place: LessonPlace, name: str, value: Any) -> Iterator[str]:
    """Yield messages on why a field can never have the value that a check depends on."""
    known = [view.name for view in place.fields().values() if view.kind in SINGLE]
    if name in known:
        yield from place.refusals(name, value)
    else:
        yield message("there is no field '{name}' here; available fields: {known}.", name=name, known=", ".join(known))


def check_problems(place: LessonPlace, names: tuple[str, ...] | None, check: Check) -> Iterator[str]:
    """Yield messages on why a check can never be reached. ``names``: result of :meth:`LessonPlace.value_names`."""
    value, low, high = check.value, check.at_least, check.at_most
    if names is not None and value not in names:
        yield message(
            "there is no value '{value}' to check here; available values: {known}.", value=value, known=", ".join(names)
        ) if names else message("nothing can be checked here.")
        return
    view = place.fields().get(value)
    if view is None:
        if isinstance(check.equals, (str, bool)):
            yield message("{value} is a number and can never equal {other}.", value=value, other=repr(check.equals))
    elif check.equals is not None:
        yield from place.refusals(value, check.equals)
    elif view.kind not in NUMBERS:
        yield message("{value} is not a number, so a check can only use equals.", value=value)
    elif low is not None and view.high is not None and low > view.high:
        yield message("the maximum of {value} is {bound:g}, so it can never be at least {goal:g}.",
                      value=value, bound=view.high, goal=low)
    elif high is not None and view.low is not None and high < view.low:
        yield message("the minimum of {value} is {bound:g}, so it can never be at most {goal:g}.",
                      value=value, bound=view.low, goal=high)


@dataclass(frozen=True)
class LessonStep:
    """One step of a lesson.

    Attributes:
        page: name of a lab, or empty.
        tab: one of ``TABS``, or empty; exactly one of the two is set.
        settings: values to set when the step is shown, by the names of the place's fields.
        predict: question to ask before the task is shown.
        point: name of the widget to point at, or empty.
        result: name of the widget that shows the effect of the task; it is scrolled into view, too.
        hide, lock: names of the widgets to hide or lock.
        trained: text on the difference that a trained model makes; if there is none, training one is offered.
        minutes: duration of the step; None: an equal share of the minutes that the steps with ``minutes`` leave.
        optional: whether to offer learners who are late to skip the step.
    """

    __pydantic_config__ = toml.TABLE
    title: toml.NonEmptyText
    text: Annotated[toml.NonEmptyText, AfterValidator(_paragraphs)]
    task: Annotated[toml.Text, AfterValidator(_paragraphs), Field(alias="try")] = ""
    page: toml.Text = ""
    tab: toml.Text = ""
    settings: Mapping[str, Any] = field(default_factory=NOTHING)
    point: toml.Text = ""
    result: toml.Text = ""
    hide: Names = ()
    lock: Names = ()
    trained: toml.Text = ""
    minutes: StepMinutes | None = None
    optional: Annotated[bool, Field(strict=True), toml.must_be(message("true or false"))] = False
    check: Check | None = None
    predict: Predict | None = None

    @field_validator("page", "tab")
    @classmethod
    def _known_place(cls, name: str, info: ValidationInfo) -> str:
        known = ("", *(TABS if info.field_name == "tab" else catalogue.ENTRIES))
        if name in known:
            return name
        shown, names = toml.abbreviate(name), ", ".join(known[1:])
        raise ValueError(
            message("there is no tab '{tab}'; available tabs: {known}.", tab=shown, known=names)
            if info.field_name == "tab" else
            message("there is no page '{page}'; available pages: {known}.", page=shown, known=names))

    @field_validator("settings")
    @classmethod
    def _valid_settings(cls, settings: Mapping[str, Any], info: ValidationInfo) -> Mapping[str, Any]:
        if place := _place(info):
            settings = place.tidy(settings)
            if found := [((each.field.split(".")[0],), each.message) for each in place.setting_problems(settings)]:
                raise toml.invalid(*found)
            settings = place.as_fields(settings)
        return MappingProxyType(settings)

    @field_validator("trained")
    @classmethod
    def _has_a_model(cls, trained: str, info: ValidationInfo) -> str:
        if trained and info.data.get("tab") != "generate":
            raise ValueError(message(
                "trained is only for steps with tab = \"generate\"; experiments offer a trained model themselves."))
        return trained

    @field_validator("check")
    @classmethod
    def _reachable(cls, check: Check, info: ValidationInfo) -> Check:
        if place := _place(info):
            names = place.value_names(info.data.get("settings"))  # missing if they are invalid
            found: list[tuple[toml.Key, str]] = [((), what) for what in check_problems(place, names, check)]
            found += [(("when", name), what) for name, value in check.when.items()
                      for what in when_problems(place, name, value)]
            if found:
                raise toml.invalid(*found)
        return check

    @field_validator("predict")
    @classmethod
    def _has_answer(cls, predict: Predict, info: ValidationInfo) -> Predict:
        if place := _place(info):
            names = place.value_names(info.data.get("settings"))
            if found := list(predict_problems(place, names, predict)):
                raise toml.invalid(*((("token" if predict.token else "number",), what) for what in found))
        return predict

    @model_validator(mode="after")
    def _has_one_place(self) -> Self:
        if bool(self.page) == bool(self.tab):
            raise ValueError(message("a step needs either a page or a tab, not both."))
        return self

    @property
    def place(self) -> LessonPlace:
        """Page or tab of the step in its initial state."""
        return place_of(self.page, self.tab)


def _place(step: ValidationInfo) -> LessonPlace | None:
    """Return the page or tab of a step; None if it has none or both. ``step`` lacks the fields that are invalid."""
    page, tab = step.data.get("page"), step.data.get("tab")
    return place_of(page or "", tab or "") if bool(page) != bool(tab) else None


@dataclass(frozen=True)
class Lesson:
    """A lesson: its title, duration, topic and steps."""

    __pydantic_config__ = toml.TABLE
    title: toml.NonEmptyText
    minutes: Annotated[
        int, Field(ge=1, le=MOST_MINUTES), BeforeValidator(toml.number),
        toml.must_be(message("a whole number between {low} and {high}", low=1, high=MOST_MINUTES)),
    ]
    about: toml.Text = ""
    steps: Annotated[
        tuple[LessonStep, ...], BeforeValidator(_list_of_steps), Field(alias="step", validate_default=True)
    ] = ()

    @model_validator(mode="after")
    def _within_minutes(self) -> Self:
        planned = sum(step.minutes or 0.0 for step in self.steps)
        if planned > self.minutes:
            raise toml.invalid((("minutes",), message(
                "minutes is {minutes}, but the steps take {planned:g} minutes together.",
                minutes=self.minutes, planned=planned)))
        return self

    @property
    def step_minutes(self) -> tuple[float, ...]:
        """Planned minutes of each step."""
        planned = [step.minutes for step in self.steps if step.minutes is not None]
        share = (self.minutes - sum(planned)) / max(1, len(self.steps) - len(planned))
        return tuple(share if step.minutes is None else step.minutes for step in self.steps)


TABLES = {
    "": (message("a lesson"), Lesson), "step": (message("a step"), LessonStep), "check": (message("a check"), Check),
    "predict": (message("a question"), Predict),
}


class LessonError(UserError):
    """Error of a file that is not a lesson. ``faults`` lists all its faults, in the order of its lines."""

    def __init__(self, name: str, faults: list[Fault]):
        self.faults = faults
        text = message("Cannot open “{name}” as a lesson. Correct the following, then open it again:", name=name)
        for fault in faults:
            text = message("{before}\n{line}", before=text, line=fault.message())
        super().__init__(text)


def parse(data: bytes, name: str) -> Lesson:
    """Return a lesson from the content of its file.

    Raises:
        LessonError: lists all faults, or only the first syntax error if the data is not TOML.
    """
    try:
        return toml.Document(data).read(Lesson, TABLES)
    except toml.FileError as error:
        raise LessonError(name, error.faults) from error


def load(path: Path) -> Lesson:
    """Read a lesson from a file in UTF-8.

    Raises:
        UserError: the file cannot be read; as a :class:`LessonError`, it is not a valid lesson.
    """
    with os_errors(lambda why: message("Cannot read “{path}”: {why}.", path=path, why=why)):
        if not path.is_file():
            raise UserError(message("File not found: “{path}”. Choose a lesson, which is a TOML file.", path=path))
        with path.open("rb") as file:
            data = file.read(MOST_BYTES + 1)
    if len(data) > MOST_BYTES:
        raise UserError(message(
            "“{path}” was not opened because it is too large. A lesson can have at most {most} KB.",
            path=path, most=MOST_BYTES // 1024,
        ))
    found = parse(data, path.stem)
    return replace(found, steps=tuple(
        replace(step, settings=with_texts_found(step.settings, path.absolute().parent))
        if step.tab == "train" else step for step in found.steps))


def with_texts_found(settings: Mapping[str, Any], folder: Path) -> Mapping[str, Any]:
    """Replace the texts of a run by their paths, searched for in ``folder`` and then in this computer's folder for
    texts. A text in neither keeps its name."""
    folders = [folder, *filter(None, [texts.shared_folder()])]

    def found(name: str) -> str:
        places = (each / os.path.expanduser(name) for each in folders)
        return name if name in texts.NAMES else next((str(place) for place in places if os.path.exists(place)), name)

    names = settings.get("text")
    return MappingProxyType({**settings, "text": tuple(map(found, names))}) if names else settings


def missing_texts(settings: Mapping[str, Any]) -> list[str]:
    """Return the texts of settings without a file; The Verdict, which can be downloaded, is never among them."""
    places = {name: texts.locate(name) for name in settings.get("text", ())}
    return [name for name, place in places.items() if place and not os.path.exists(place)]


def missing_text(name: str) -> Message:
    """Return the message about a text of :func:`missing_texts`, with the remedy."""
    return message(
        "the text {name} of the lesson is neither beside it nor in the folder for texts. Put it into one of the two, "
        "or its step keeps another text.", name=name)


def shipped(language: str) -> list[Path]:
    """Return the lessons that come with the program in a language, or in English if there are none in this language."""
    folder = paths.resources() / "lessons"
    own = folder / language if (folder / language).is_dir() else folder / "en"
    return [own / f"{name}{SUFFIX}" for name in SHIPPED]


def key_of(path: Path) -> str:
    """Return the key of a lesson, the same in all languages: its name if it ships with the program, or its path."""
    is_own = paths.resources() not in path.absolute().parents
    return str(path.absolute()) if is_own or path.stem not in SHIPPED else path.stem


def path_of(key: str, language: str) -> Path:
    """Return the file of a lesson by its key; a lesson that ships with the program is returned in ``language``."""
    return shipped(language)[SHIPPED.index(key)] if key in SHIPPED else Path(key)


def following(path: Path) -> Path | None:
    """Return the lesson after a shipped one, in the same language; None after the last one and for all other files."""
    place = SHIPPED.index(key_of(path)) + 1 if key_of(path) in SHIPPED else len(SHIPPED)
    return path.with_stem(SHIPPED[place]) if place < len(SHIPPED) else None


def _same(one: Value, other: Value) -> bool:
    if isinstance(one, (str, bool)) or isinstance(other, (str, bool)):
        return type(one) is type(other) and one == other
    return math.isclose(one, other, rel_tol=1e-6, abs_tol=1e-9)


RUN_VALUES = TABS["train"].values
"""Values of a run that a goal can check."""
MADE_BY = {
    **dict.fromkeys(RUN_VALUES, "start"), "tokens": "generate", "changes": "what_if_map",
    "attention_steps": "attention", "parameters": "model_dock",
}
"""Names of the controls that produce the value of a goal on a tab."""
OF_A_TEXT = ("changes", "attention_steps")
"""Values on Generate that need a generated text."""
OWN_NAMES = {"text": "text", "prompt": "prompt", PRESET: "preset", **{name: name for name in STAGES}}
"""Names of the controls without the prefix of their place."""
PREFIXES = {"train": "train_", "generate": "generate_", "model": "config_"}
ROOMS = {"train": "train_scroll", "generate": "generate_scroll", "runs": "runs_scroll", "texts": "texts_scroll",
         "learn": "learn_scroll"}
"""Names of the widgets that contain each page."""


MADE_LATER = re.compile("attention_head_|run_swatch_|tree_node_|lab_[a-z]+_figure_[0-9]+$")
"""Names of widgets that depend on the model, the runs or the current answer; :func:`widget_tree` lacks them."""


@cache
def widget_tree() -> Mapping[str, Mapping[str, list[str]]]:
    """Return the names of all widgets and commands of the window, each with the names of its direct containers."""
    found: dict[str, dict[str, list[str]]] = json.loads((paths.resources() / "widgets.json").read_text("utf-8"))
    return found


def containers_of(name: str) -> set[str]:
    """Return the names of all containers of a widget or a command; a lock on one of them applies to it."""
    found, left = set[str](), [name]
    while left:
        each = left.pop()
        more = {*widget_tree()["widgets"].get(each, ()), *widget_tree()["commands"].get(each, ())} - found
        found |= more
        left += more
    return found


def control_of(step: LessonStep, value: str) -> str:
    """Return the name of the control for a setting of a step's place, or for producing a value of its tab."""
    if step.page:
        return f"lab_{step.page}_{value}"
    return MADE_BY.get(value) or OWN_NAMES.get(value) or PREFIXES.get(step.tab, "") + value


def is_elsewhere(step: LessonStep, name: str) -> bool:
    """Return whether a widget is on another page than the step's. The Model panel is next to every page."""
    places = {name, *containers_of(name)}
    if step.page and ROOMS["learn"] in places and any(each.startswith("lab_") for each in places - {name}):
        return f"lab_{step.page}" not in places
    own = ROOMS["learn"] if step.page else ROOMS.get(step.tab)
    return bool(own and places & set(ROOMS.values())) and own not in places
