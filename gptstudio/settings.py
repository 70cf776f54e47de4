"""Settings that an instructor makes for all users of a computer, in one file: language, lesson, texts, and locked
controls.

A faulty file never prevents starting: its valid parts are used, and its faults are reported with their lines. No Qt, no
torch; pydantic and the TOML parser are loaded only if there is a settings file.
"""

from __future__ import annotations

import os
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from functools import lru_cache
from pathlib import Path
from types import MappingProxyType

from gptstudio import paths
from gptstudio.errors import Fault
from gptstudio.i18n import Message, message

MOST_BYTES = 64 * 1024
KEYS = ("language", "lesson", "texts", "hand_in", "train", "reset", "lock", "hide", "releases")


@dataclass(frozen=True)
class Settings:
    """Settings in force. All are empty if there is no file.

    Attributes:
        file: path of the file.
        language: one of ``LANGUAGES``, or empty.
        lesson: name of an included lesson, or absolute path of a file; empty for none.
        texts: folder in which The Verdict is searched, and with texts to offer.
        hand_in: folder for reports that are handed in; it need not exist all the time, for example on a USB stick.
        train: controls shown on Train at each start, "few" or "all"; empty: as at the last exit.
        reset: absolute path of the folder into which *Reset for the next class* packs the work of a class, or "trash";
            empty: the command is not offered.
        lock, hide: names of controls, each in :func:`settings_file.controls`.
        releases: https address of the page of releases (``app/about.py``).
        faults: problems of the file, in the order of its lines.
        lines: line of each key in the file.
    """

    file: Path | None = None
    language: str = ""
    lesson: str = ""
    texts: Path | None = None
    hand_in: Path | None = None
    train: str = ""
    reset: str = ""
    lock: tuple[str, ...] = ()
    hide: tuple[str, ...] = ()
    releases: str = ""
    faults: tuple[Fault, ...] = ()
    lines: Mapping[str, int] = field(default_factory=lambda: MappingProxyType({}), compare=False)

    def restricts(self, *controls: str) -> bool:
        """Return whether any of these controls is locked or hidden."""
        return not {*self.lock, *self.hide}.isdisjoint(controls)

    def lesson_file(self, language: str) -> Path | None:
        """Return the lesson to open with the window, in a language, or in English if it is not available in that
        language."""
        if not self.lesson or os.path.isabs(self.lesson):
            return Path(self.lesson) if self.lesson else None
        folder = paths.resources() / "lessons"
        translated = folder / language / f"{self.lesson}.toml"
        return translated if translated.is_file() else folder / "en" / translated.name

    def missing_paths(self) -> Iterator[Fault]:
        """Yield a fault for each path in the file that does not exist. May be slow on network disks."""
        if self.texts and not os.path.isdir(self.texts):
            yield Fault(self.lines["texts"], message("the folder {path} for texts does not exist.", path=self.texts))
        if os.path.isabs(self.lesson) and not os.path.isfile(self.lesson):
            yield Fault(self.lines["lesson"], message("the file {path} for lesson does not exist.", path=self.lesson))


def in_force() -> Settings:
    """Return the settings of this computer. The file is read again only if it has changed."""
    places = paths.settings()
    file = next(filter(os.path.exists, places), None)
    if file is None:
        named = places and "GPTSTUDIO_SETTINGS" in os.environ
        return _unread(places[0], message("the file does not exist.")) if named else Settings()
    try:
        state = file.stat()
    except OSError as error:
        return _not_read(file, error)
    return _remembered(file, state.st_mtime_ns, state.st_size)


def load(file: Path) -> Settings:
    """Return the settings of a file. Never raises an error: all problems are in ``faults``."""
    from gptstudio.toml_file import FileError

    try:
        if not file.is_file():
            exists = file.exists()
            return _unread(file, message("this is not a file.") if exists else message("the file does not exist."))
        with file.open("rb") as source:
            data = source.read(MOST_BYTES + 1)
    except (OSError, ValueError) as error:
        return _not_read(file, error)
    if len(data) > MOST_BYTES:
        return _unread(file, message(
            "the file was not read: settings may have at most {most} KB.", most=MOST_BYTES // 1024))
    try:
        return _settings(data, file)
    except FileError as error:
        return Settings(file, faults=tuple(error.faults))


def problems_text(settings: Settings, more: tuple[Fault, ...] = ()) -> Message:
    """Return the problems for display, one line each."""
    text = message(
        "The settings of this computer contain errors; the valid ones are applied. In {file}:", file=settings.file)
    for fault in sorted((*settings.faults, *more)):
        text = message("{before}\n{line}", before=text, line=fault.message())
    return text


@lru_cache(maxsize=1)
def _remembered(file: Path, _changed_ns: int, _size: int) -> Settings:
    return load(file)


def _settings(data: bytes, file: Path) -> Settings:
    from gptstudio.settings_file import PAGES, controls, is_path, read

    table, lines, faults = read(data)
    beside, pages = file.absolute().parent, controls()[PAGES]
    lock, hide = (tuple(dict.fromkeys(names)) for names in (table.lock, table.hide))
    if set(pages) <= {*lock, *hide}:
        faults.append(Fault(lines["lock" if lock else "hide"], message(
            "all pages are locked or hidden; at least one must remain, so all of them do.")))
        lock, hide = (tuple(name for name in names if name not in pages) for names in (lock, hide))
    lesson = str(_under(beside, table.lesson)) if is_path(table.lesson) else table.lesson
    texts, hand_in = (_under(beside, path) if path else None for path in (table.texts, table.hand_in))
    reset = str(_under(beside, table.reset)) if table.reset not in ("", "trash") else table.reset
    return Settings(
        file, table.language, lesson, texts, hand_in, table.train, reset, lock, hide, table.releases,
        tuple(sorted(faults)), lines)


def _under(folder: Path, path: str) -> Path:
    """Return a path from the file, relative to that folder; ``~`` is the current user's home folder."""
    return folder / os.path.expanduser(path)


def _not_read(file: Path, error: Exception) -> Settings:
    why = getattr(error, "strerror", None) or str(error)
    return _unread(file, message("the file could not be read: {why}.", why=why))


def _unread(file: Path, what: str) -> Settings:
    return Settings(file, faults=(Fault(0, what),))
