"""Settings and checks that a lesson may use on each lab page and tab. Imports no torch until a lab is loaded."""

from __future__ import annotations

import os
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path
from types import MappingProxyType
from typing import Any

from gptstudio.data import texts
from gptstudio.fields import FieldView, Problem, Spec, fields_of
from gptstudio.gpt.config import DEFAULT_PRESET, PRESETS, GPTConfig
from gptstudio.i18n import Message, message
from gptstudio.inference.spec import GenerateSpec
from gptstudio.labs import catalogue
from gptstudio.labs.lab import Lab
from gptstudio.training.spec import TrainSpec

SINGLE = ("int", "float", "bool", "choice", "text")
"""Kinds of fields that can be compared with a single value."""
PRESET = "preset"
"""Name that a lesson may set for the Model panel in addition to the fields of a configuration."""


@dataclass(frozen=True)
class LessonPlace:
    """Place in the window that a lesson can use.

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


def of_lab(name: str) -> LessonPlace:
    """Return the page of a lab in its initial state."""
    lab = catalogue.load(name)
    fields = fields_of(lab.request)
    single = tuple(view.name for view in fields if view.kind in SINGLE)
    return LessonPlace(lab.examples[0].request, tuple(view.name for view in fields), single, lab)


def config(settings: Mapping[str, Any]) -> GPTConfig:
    """Return the configuration set by a step for the Model panel: a preset (by default the smallest) with changes."""
    changes = {name: value for name, value in settings.items() if name != PRESET}
    return PRESETS[settings.get(PRESET, DEFAULT_PRESET)].but(**changes)


def tidy(place: LessonPlace, settings: Mapping[str, Any]) -> dict[str, Any]:
    """Return settings in the form of the specs: an empty text clears an optional field, because TOML has no null."""
    fields = place.fields()
    empty = {name for name, value in settings.items() if value == "" and name in fields and fields[name].optional}
    return {name: None if name in empty else value for name, value in settings.items()}


def setting_problems(place: LessonPlace, settings: Mapping[str, Any]) -> Iterator[Problem]:
    """Yield the problems of settings, with the messages of the spec."""
    for name in settings:
        if not place.settings:
            yield Problem(name, message("{name} is not a setting: nothing can be set here.", name=name))
        elif name not in place.settings:
            known = ", ".join(place.settings)
            yield Problem(name, message("{name} is not a setting. The settings are: {known}.", name=name, known=known))
    known_ones = {name: value for name, value in settings.items() if name in place.settings}
    base = place.given
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


def as_fields(place: LessonPlace, settings: Mapping[str, Any]) -> dict[str, Any]:
    """Convert valid settings to the types of their fields, such as rows of numbers to tuples."""
    if isinstance(place.given, GPTConfig):
        made = {PRESET: settings.get(PRESET), **config(settings).shallow()}
    else:
        made = place.given.but(**settings).shallow() if place.given else {}
    return {name: made[name] for name in settings}


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


def value_names(place: LessonPlace, settings: Mapping[str, Any]) -> tuple[str, ...] | None:
    """Return the names that can be checked with these settings; None if finding out takes a slow answer."""
    lab = place.lab
    if lab is None or place.given is None:
        return place.values
    request = place.given.but(**settings)
    if (lab.model and lab.reads(request)) or lab.slow(request):
        return None
    figures = lab.values(lab.answer(request))
    return (*place.values, *(name for name in figures if name not in place.values))


def when_problems(place: LessonPlace, name: str, value: Any) -> Iterator[str]:
    """Yield messages on why a field can never have the value that a check depends on."""
    known = [view.name for view in place.fields().values() if view.kind in SINGLE]
    if place.given is None or name not in known:
        yield message("there is no field '{name}' here; available fields: {known}.", name=name, known=", ".join(known))
        return
    problems = type(place.given).problems({**place.given.shallow(), **tidy(place, {name: value})})
    yield from (problem.message for problem in problems if problem.field == name)


def check_problems(
    place: LessonPlace, names: tuple[str, ...] | None, value: str, low: float | None, high: float | None, equals: Any
) -> Iterator[str]:
    """Yield messages on why a check can never be reached. ``names``: result of :func:`value_names`."""
    if names is not None and value not in names:
        yield message(
            "there is no value '{value}' to check here; available values: {known}.", value=value, known=", ".join(names)
        ) if names else message("nothing can be checked here.")
        return
    view = place.fields().get(value)
    if view is None:
        if isinstance(equals, (str, bool)):
            yield message("{value} is a number and can never equal {other}.", value=value, other=repr(equals))
    elif equals is not None:
        given = place.given.shallow() if place.given else {}
        problems = type(place.given).problems({**given, **tidy(place, {value: equals})}) if place.given else []
        yield from (problem.message for problem in problems if problem.field == value)
    elif view.kind not in ("int", "float"):
        yield message("{value} is not a number, so a check can only use equals.", value=value)
    elif low is not None and view.high is not None and low > view.high:
        yield message("the maximum of {value} is {bound:g}, so it can never be at least {goal:g}.",
                    value=value, bound=view.high, goal=low)
    elif high is not None and view.low is not None and high < view.low:
        yield message("the minimum of {value} is {bound:g}, so it can never be at most {goal:g}.",
                    value=value, bound=view.low, goal=high)
