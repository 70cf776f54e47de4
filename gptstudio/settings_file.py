"""Content of a settings file: its keys, their allowed values, and the valid part of a faulty file."""

from __future__ import annotations

import tomllib
from collections.abc import Mapping
from dataclasses import dataclass
from difflib import get_close_matches
from functools import cache, reduce
from operator import getitem
from typing import Annotated, Any

from pydantic import AfterValidator, StringConstraints, ValidationInfo, field_validator

from gptstudio import paths
from gptstudio.errors import Fault
from gptstudio.i18n import LANGUAGES, message
from gptstudio.toml_file import TABLE, Document, FileError, Name, Text, abbreviate, must_be

PAGES = "Pages"
"""Heading of the pages in the list of controls; at least one of them always stays unlocked."""


@cache
def controls() -> Mapping[str, Mapping[str, str]]:
    """Return all controls that can be locked or hidden: for each heading, the names of its controls and their names on
    screen."""
    return tomllib.loads((paths.resources() / "controls.toml").read_text(encoding="utf-8"))


def is_path(lesson: str) -> bool:
    """Return whether a lesson is given as the path of a file, not as the name of an included lesson."""
    return lesson.lower().endswith(paths.LESSON_ENDINGS) or "/" in lesson or "\\" in lesson


def _known_control(name: str, info: ValidationInfo) -> str:
    known = {name for group in controls().values() for name in group}
    if name in known:
        return name
    near = get_close_matches(name[:100], sorted(known), n=1)
    raise ValueError(
        message("{key} contains '{name}', which is not a control; similar: {near}.",
                key=info.field_name, name=abbreviate(name), near=near[0])
        if near else
        message("{key} contains '{name}', which is not a control; gptstudio settings --controls lists all controls.",
                key=info.field_name, name=abbreviate(name)))


Controls = tuple[Annotated[Name, AfterValidator(_known_control)], ...]


@dataclass(frozen=True)
class SettingsTable:
    """Values in the file; empty for missing keys."""

    __pydantic_config__ = TABLE
    language: Annotated[
        Text, StringConstraints(pattern=f"^({'|'.join(['', *LANGUAGES])})$"),
        must_be(message("one of {choices}", choices=", ".join(LANGUAGES))),
    ] = ""
    lesson: Text = ""
    texts: Text = ""
    hand_in: Text = ""
    train: Annotated[
        Text, StringConstraints(pattern="^(few|all|)$"), must_be(message("one of {choices}", choices="few, all")),
    ] = ""
    reset: Text = ""
    lock: Controls = ()
    hide: Controls = ()
    releases: Annotated[
        Text, StringConstraints(pattern=r"^(https://\S+)?$"), must_be(message("an address that begins with https://")),
    ] = ""

    @field_validator("lesson")
    @classmethod
    def _known_lesson(cls, lesson: str) -> str:
        known = sorted(path.stem for path in (paths.resources() / "lessons" / "en").glob("*.toml"))
        if is_path(lesson) or lesson in ("", *known):
            return lesson
        raise ValueError(message(
            "there is no lesson '{value}'; the included lessons are {known}, and the name of a file of your own must "
            "end in {ending} or {other}.", value=abbreviate(lesson), known=", ".join(known),
            ending=paths.LESSON_ENDINGS[0], other=paths.LESSON_ENDINGS[1],
        ))


def read(data: bytes) -> tuple[SettingsTable, dict[str, int], list[Fault]]:
    """Return the valid part of a file, the line of each key in it, and its faults.

    Raises:
        FileError: the file is not valid TOML.
    """
    document, tables = Document(data), {"": (message("the settings"), SettingsTable)}
    values: Any = document.values
    lines = {key: document.line(key) for key in values}
    try:
        return document.read(SettingsTable, tables), lines, []
    except FileError as error:
        for *path, key in sorted(error.keys, reverse=True):  # from the last item of a list to the first
            del reduce(getitem, path, values)[key]
        return document.read(SettingsTable, tables), lines, error.faults
