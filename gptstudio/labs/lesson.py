"""A lesson: an ordered walk through pages and tabs with something to read, to try and to reach; read from TOML.

No torch until a step names a lab.
"""

from __future__ import annotations

import math
import re
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from pathlib import Path
from types import MappingProxyType
from typing import Any

from gptstudio import paths, toml_reader
from gptstudio.errors import UserError
from gptstudio.i18n import message
from gptstudio.labs import catalogue, lesson_places
from gptstudio.labs.lesson_places import TABS, LessonPlace
from gptstudio.toml_reader import Fault, NotToml, Reader, abbreviate

SUFFIX = ".toml"
MOST_BYTES = 256 * 1024
MOST_MINUTES = 24 * 60
SHIPPED = ("from-text-to-tensors", "attention-from-nothing", "train-and-decode")
"""The lessons that come with the program, in the order in which they are taught."""

CHINESE = "[\u2e80-\u9fff\uff00-\uffef]"

Value = float | str | bool


@dataclass(frozen=True)
class Check:
    """Target value of a lesson's step.

    Attributes:
        value: its name: a field or a figure of the page, or a figure of the tab.
        name: display name in the lesson's language; empty: the value's own name.
        when: fields of the same page or tab and the values that they must have for the target to count.
    """

    value: str
    name: str = ""
    at_least: float | None = None
    at_most: float | None = None
    equals: Value | None = None
    when: Mapping[str, Value] = field(default_factory=lambda: MappingProxyType({}))

    def reached(self, now: Value | None) -> bool:
        """Return whether a value meets the target; false if it is missing, or not a number when one is needed."""
        if now is None:
            return False
        if self.equals is not None:
            return _same(now, self.equals)
        if isinstance(now, (str, bool)) or math.isnan(now):
            return False
        return (self.at_least is None or now >= self.at_least) and (self.at_most is None or now <= self.at_most)

    def unmet(self, now: Mapping[str, Value | None]) -> list[str]:
        """Return the names in ``when`` whose present value is another."""
        return [name for name, value in self.when.items() if not Check(name, equals=value).reached(now[name])]


@dataclass(frozen=True)
class LessonStep:
    """One stop of a lesson.

    Attributes:
        page: a lab's name, or empty.
        tab: one of ``TABS``, or empty; exactly one of the two is set.
        settings: what is set when one comes here, by the names of the place's fields.
        point: the name of the widget that is pointed at, or empty.
        hide, lock: the names of widgets.
    """

    title: str
    text: str
    task: str = ""
    page: str = ""
    tab: str = ""
    settings: Mapping[str, Any] = field(default_factory=lambda: MappingProxyType({}))
    point: str = ""
    hide: tuple[str, ...] = ()
    lock: tuple[str, ...] = ()
    check: Check | None = None


@dataclass(frozen=True)
class Lesson:
    """``name`` is the file's, without its ending."""

    name: str
    title: str
    minutes: int
    about: str
    steps: tuple[LessonStep, ...]


class LessonError(UserError):
    """A file that is no lesson: ``faults`` holds all that is wrong with it, in the order of its lines."""

    def __init__(self, name: str, faults: Iterable[Fault]):
        self.faults = sorted(faults)
        told = message("Cannot open “{name}” as a lesson. Correct the following, then open it again:", name=name)
        for fault in self.faults:
            told = message("{before}\n{line}", before=told, line=fault.message())
        super().__init__(told)


def parse(text: str, name: str) -> Lesson:
    """A lesson from the text of its file.

    Raises:
        LessonError: with all that is wrong; where it is not TOML at all, with the first place that is not.
    """
    try:
        top = toml_reader.parse(text)
    except NotToml as error:
        raise LessonError(name, [error.fault]) from error
    lesson = _lesson(top, name)
    if top.faults:
        raise LessonError(name, top.faults)
    return lesson


def load(path: Path) -> Lesson:
    """A lesson from a file in UTF-8.

    Raises:
        UserError: it cannot be read; or, as a :class:`LessonError`, what is wrong with it.
    """
    try:
        if not path.is_file():
            raise UserError(message("File not found: “{path}”. Choose a lesson, which is a TOML file.", path=path))
        with path.open("rb") as file:
            data = file.read(MOST_BYTES + 1)
    except OSError as error:
        why = error.strerror or str(error)
        raise UserError(message("Cannot read “{path}”: {why}.", path=path, why=why)) from error
    if len(data) > MOST_BYTES:
        raise UserError(message(
            "“{path}” was not opened because it is too large. A lesson can have at most {most} KB.",
            path=path, most=MOST_BYTES // 1024,
        ))
    try:
        return parse(toml_reader.decoded(data), path.stem)
    except NotToml as error:
        raise LessonError(path.stem, [error.fault]) from error


def shipped(language: str) -> list[Path]:
    """The lessons that come with the program, in a language; in English where there are none in that."""
    folder = paths.resources() / "lessons"
    own = folder / language if (folder / language).is_dir() else folder / "en"
    return [own / f"{name}{SUFFIX}" for name in SHIPPED]


def _lesson(top: Reader, name: str) -> Lesson:
    title, minutes = top.text("title", needed=True), top.whole("minutes", 1, MOST_MINUTES)
    about, steps = top.text("about"), top.tables("step")
    if not steps and "step" not in top.values:
        top.note(message("this lesson has no steps. Start each step with [[step]] on a separate line."))
    made = Lesson(name, title, minutes, about, tuple(_step(each) for each in steps))
    top.close(message("a lesson"))
    return made


def _step(read: Reader) -> LessonStep:
    title, text, task = read.text("title", needed=True), read.text("text", needed=True), read.text("try")
    page, tab = read.text("page"), read.text("tab")
    point, hide, lock = read.text("point"), read.texts("hide"), read.texts("lock")
    asked = read.table("check")
    check = _check(asked) if "check" in read.values else None
    settings = _set_and_judged(read.table("settings"), _place(read, page, tab), asked, check)
    read.close(message("a step"))
    text, task = _paragraphs(text), _paragraphs(task)
    return LessonStep(title, text, task, page, tab, MappingProxyType(settings), point, hide, lock, check)


def _paragraphs(text: str) -> str:
    """Text whose lines are as long as the screen likes; an empty line ends a paragraph. Chinese has no blanks."""
    parts = re.split(r"\n\s*\n", re.sub(f"(?<={CHINESE})\n(?={CHINESE})", "", text))
    return "\n\n".join(" ".join(part.split("\n")) for part in parts)


def _check(read: Reader) -> Check:
    value, name, equals = read.text("value", needed=True), read.text("name"), read.single("equals")
    low, high = read.number("at_least"), read.number("at_most")
    conditions = read.table("when")
    when = {key: single for key in conditions.values if (single := conditions.single(key)) is not None}
    read.close(message("a check"))
    given = {"at_least", "at_most", "equals"} & read.values.keys()
    if not given:
        read.note(message("this check can never be met: it needs at_least, at_most or equals."))
    elif "equals" in given and len(given) > 1:
        read.note(message("equals cannot be combined with at_least or at_most."), "equals")
    elif low is not None and high is not None and low > high:
        read.note(message(
            "at_least is {low:g} and at_most is {high:g}: no value can meet both.", low=low, high=high
        ), "at_least")
    return Check(value, name, low, high, equals, MappingProxyType(when))


def _place(read: Reader, page: str, tab: str) -> LessonPlace | None:
    """Return the page or tab of a step; None if that is invalid."""
    if bool(page) == bool(tab):
        if not {"page", "tab"} & read.values.keys() or page:
            read.note(message("a step needs either a page or a tab, not both."))
        return None
    if tab in TABS:
        return TABS[tab]
    if page in catalogue.ENTRIES:
        return lesson_places.of_lab(page)
    if tab:
        known = ", ".join(TABS)
        read.note(message("there is no tab '{tab}'; available tabs: {known}.", tab=abbreviate(tab), known=known), "tab")
    else:
        known = ", ".join(catalogue.ENTRIES)
        what = message("there is no page '{page}'; available pages: {known}.", page=abbreviate(page), known=known)
        read.note(what, "page")
    return None


def _set_and_judged(read: Reader, place: LessonPlace | None, asked: Reader, check: Check | None) -> dict[str, Any]:
    """Return the settings of a step; note whether they are valid and whether its check can be reached."""
    if place is None:
        return {}
    settings = lesson_places.tidy(place, read.values)
    problems = list(lesson_places.setting_problems(place, settings))
    for problem in problems:
        read.note(problem.message, problem.field.split(".")[0])
    if not problems:
        settings = lesson_places.as_fields(place, settings)
    if check and check.value:
        names = None if problems and place.lab else lesson_places.value_names(place, settings)
        bounds = check.at_least, check.at_most, check.equals
        for what in lesson_places.check_problems(place, names, check.value, *bounds):
            asked.note(what)
        for field_name, wanted in check.when.items():
            for what in lesson_places.when_problems(place, field_name, wanted):
                asked.note(what, "when", field_name)
    return settings


def _same(one: Value, other: Value) -> bool:
    if isinstance(one, (str, bool)) or isinstance(other, (str, bool)):
        return type(one) is type(other) and one == other
    return math.isclose(one, other, rel_tol=1e-6, abs_tol=1e-9)
