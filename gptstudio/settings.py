"""Settings by an instructor for all users of a computer, in one file: language, lesson, texts, and locked controls.

A faulty file never prevents starting: its valid parts are used, and the others are reported with their lines. No Qt, no
torch; the TOML reader is loaded only if there is such a file.
"""

from __future__ import annotations

import os
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from functools import cache, lru_cache
from pathlib import Path
from types import MappingProxyType
from typing import TYPE_CHECKING

from gptstudio import paths
from gptstudio.i18n import LANGUAGES, Message, message

if TYPE_CHECKING:
    from gptstudio.toml_reader import Fault, Reader

MOST_BYTES = 64 * 1024
LESSON = ".toml"
KEYS = ("language", "lesson", "texts", "lock", "hide")
PAGES = "Pages"
"""The heading of the pages in the list of controls; one of them stays open, whatever is locked."""


@dataclass(frozen=True)
class Settings:
    """Settings in force. All are empty if there is no file.

    Attributes:
        file: path that it was read from.
        language: one of ``LANGUAGES``, or empty.
        lesson: the name of one that ships, or the path of a file; empty for none.
        texts: the folder that is searched for The Verdict, and whose texts are offered.
        lock, hide: names of controls, each in :func:`controls`.
        faults: problems of the file, in the order of its lines.
        lines: line of each key.
    """

    file: Path | None = None
    language: str = ""
    lesson: str = ""
    texts: Path | None = None
    lock: tuple[str, ...] = ()
    hide: tuple[str, ...] = ()
    faults: tuple[Fault, ...] = ()
    lines: Mapping[str, int] = field(default_factory=lambda: MappingProxyType({}), compare=False)

    def holds(self, *controls: str) -> bool:
        """Return whether one of these controls is locked or hidden."""
        return not {*self.lock, *self.hide}.isdisjoint(controls)

    def lesson_file(self, language: str) -> Path | None:
        """The lesson to begin with, in a language; in English where it is in no other."""
        if not self.lesson or _is_path(self.lesson):
            return Path(self.lesson) if self.lesson else None
        folder = paths.resources() / "lessons"
        own = folder / language / f"{self.lesson}{LESSON}"
        return own if own.is_file() else folder / "en" / own.name

    def not_there(self) -> Iterator[Fault]:
        """Yield a fault for each path in the file that does not exist. May be slow for network disks."""
        from gptstudio.toml_reader import Fault

        if self.texts and not os.path.isdir(self.texts):
            yield Fault(self.lines["texts"], message("the folder {path} for texts does not exist.", path=self.texts))
        if _is_path(self.lesson) and not os.path.isfile(self.lesson):
            yield Fault(self.lines["lesson"], message("the file {path} for lesson does not exist.", path=self.lesson))


def in_force() -> Settings:
    """The settings of this computer. A file is read again only when it was changed."""
    places = paths.settings()
    file = next(filter(os.path.exists, places), None)
    if file is None:  # which nobody asked for, but by name
        return _unread(places[0], message(
            "the file does not exist.")) if "GPTSTUDIO_SETTINGS" in os.environ and places \
            else Settings()
    try:
        state = file.stat()
    except OSError as error:
        return _not_read(file, error)
    return _remembered(file, state.st_mtime_ns, state.st_size)


def load(file: Path) -> Settings:
    """Return the settings of a file; never raise an error: all problems are in its ``faults``."""
    from gptstudio.toml_reader import NotToml, decoded, parse

    try:
        if not file.is_file():
            return _unread(file, message("the file does not exist."))
        with file.open("rb") as source:
            data = source.read(MOST_BYTES + 1)
    except (OSError, ValueError) as error:
        return _not_read(file, error)
    if len(data) > MOST_BYTES:
        return _unread(file, message(
            "the file was not read: settings may have at most {most} KB.", most=MOST_BYTES // 1024))
    try:
        return _settings(parse(decoded(data)), file)
    except NotToml as error:
        return Settings(file, faults=(error.fault,))


@cache
def controls() -> Mapping[str, Mapping[str, str]]:
    """All that can be locked or hidden: by heading, the name of each control and what it is called in the window."""
    import tomllib

    return tomllib.loads((paths.resources() / "controls.toml").read_text(encoding="utf-8"))


def problems_text(settings: Settings, more: tuple[Fault, ...] = ()) -> Message:
    """Return the problems, one line each, for display."""
    told = message(
        "The settings of this computer contain errors; the valid ones are applied. In {file}:",
        file=settings.file,
    )
    for fault in sorted((*settings.faults, *more)):
        told = message("{before}\n{line}", before=told, line=fault.message())
    return told


@lru_cache(maxsize=1)
def _remembered(file: Path, _changed_ns: int, _size: int) -> Settings:
    return load(file)


def _settings(top: Reader, file: Path) -> Settings:
    beside = file.absolute().parent
    language, lesson, texts = _language(top), _lesson(top, beside), top.text("texts")
    lock, hide = _controls(top, "lock"), _controls(top, "hide")
    if set(controls()[PAGES]) <= {*lock, *hide}:
        top.note(message(
            "all pages are locked or hidden; at least "
            "one must remain, so all of them do."), "lock" if lock else "hide")
        lock, hide = (tuple(name for name in names if name not in controls()[PAGES]) for names in (lock, hide))
    top.close(message("the settings"))
    lines = {key: top.line(key) for key in top.values}
    return Settings(
        file, language, lesson, _under(beside, texts) if texts else None, lock, hide, tuple(sorted(top.faults)), lines
    )


def _language(top: Reader) -> str:
    found = top.text("language")
    if found in ("", *LANGUAGES):
        return found
    top.note(message(
        "language is '{value}'; it must be one of {known}.", value=_short(found), known=", ".join(LANGUAGES)
    ), "language")
    return ""


def _lesson(top: Reader, beside: Path) -> str:
    found = top.text("lesson")
    if _is_path(found):
        return str(_under(beside, found))
    known = sorted(path.stem for path in (paths.resources() / "lessons" / "en").glob(f"*{LESSON}"))
    if found in ("", *known):
        return found
    top.note(message(
        "there is no lesson '{value}'; the included lessons are {known}, and the name of a file of your own must end "
        "in {ending}.", value=_short(found), known=", ".join(known), ending=LESSON,
    ), "lesson")
    return ""


def _controls(top: Reader, key: str) -> tuple[str, ...]:
    """The names that there are; the others are noted."""
    top.texts(key)  # which notes what is no name; the names beside it are in force
    given = top.values.get(key)
    names = [each for each in given if isinstance(each, str)] if isinstance(given, list) else []
    known = {name for group in controls().values() for name in group} if names else set()
    for name in names:
        if name not in known:
            top.note(_no_control(key, name, known), key)
    return tuple(name for name in dict.fromkeys(names) if name in known)


def _no_control(key: str, name: str, known: set[str]) -> Message:
    from difflib import get_close_matches

    near = get_close_matches(name[:100], sorted(known), n=1)
    if near:
        return message("{key} contains '{name}', which is not a control; similar: {near}.",
                     key=key, name=_short(name), near=near[0])
    return message("{key} contains '{name}', which is not a control; gptstudio settings --controls lists all controls.",
                 key=key, name=_short(name))


def _is_path(lesson: str) -> bool:
    return lesson.endswith(LESSON) or "/" in lesson or "\\" in lesson


def _under(folder: Path, path: str) -> Path:
    """Return a path as written, relative to that folder; a ~ is the current user's home folder."""
    return folder / os.path.expanduser(path)


def _short(text: str) -> str:
    from gptstudio.toml_reader import abbreviate

    return abbreviate(text)


def _not_read(file: Path, error: Exception) -> Settings:
    why = getattr(error, "strerror", None) or str(error)
    return _unread(file, message("the file could not be read: {why}.", why=why))


def _unread(file: Path, what: str) -> Settings:
    from gptstudio.toml_reader import Fault

    return Settings(file, faults=(Fault(0, what),))
