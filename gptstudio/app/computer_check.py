"""Check whether a computer is ready for a class: settings, texts, lesson, disk, memory, a font for its language.

No Qt, no torch. What a check finds is plain text, since an instructor reads it in a terminal or a script.
"""

from __future__ import annotations

import shutil
import subprocess
import sys
from collections.abc import Iterator
from dataclasses import dataclass

import psutil

from gptstudio import files, paths
from gptstudio.data import texts
from gptstudio.errors import Fault, UserError
from gptstudio.i18n import ENGLISH, LANGUAGES, message
from gptstudio.settings import Settings

DISK, MEMORY = 1_000_000_000, 1_000_000_000
"""Bytes that runs of a workshop take on the disk, and that training the default model takes in memory (manual,
"A workshop for 30")."""


@dataclass(frozen=True)
class Finding:
    """Result of one check.

    Attributes:
        name: what was checked.
        seen: what is there.
        problem: what is wrong and what to do about it; empty if nothing is.
    """

    name: str
    seen: str
    problem: str = ""


def check(settings: Settings) -> list[Finding]:
    """Return what was found, in the order in which an instructor would put it right."""
    return [_settings(settings), _verdict(), _lesson(settings), _disk(), _memory(), *_font(settings)]


def lesson_faults(settings: Settings) -> Iterator[Fault]:
    """Yield what keeps the lesson from opening, and its texts that are not there, if there is a file."""
    from gptstudio.labs.lesson import load  # which loads numpy, as long as all else takes
    from gptstudio.labs.lesson_places import missing_texts

    path = settings.lesson_file(ENGLISH)
    if path and path.is_file():
        try:
            lesson = load(path)
        except UserError as error:
            yield Fault(settings.lines["lesson"], str(error))
            return
        trains = (step.settings for step in lesson.steps if step.tab == "train")
        for name in dict.fromkeys(name for values in trains for name in missing_texts(values)):
            yield Fault(settings.lines["lesson"], message(
                "the text {name} of the lesson is neither beside it nor in the folder for texts.", name=name))


def _settings(settings: Settings) -> Finding:
    faults = sorted((*settings.faults, *settings.missing_paths()))
    seen = str(settings.file) if settings.file else "none: every default applies"
    return Finding("Settings", seen, "\n".join(str(fault.message()) for fault in faults))


def _verdict() -> Finding:
    path = texts.locate(texts.VERDICT)
    if path is None:
        problem = ("Put the-verdict.txt into the folder that texts names in the settings, or start a training once "
                   "with a network, which fetches it.")
        return Finding("The Verdict", "not found", problem)
    digest = files.sha256(path)
    problem = "" if digest == texts.VERDICT_SHA256 else "This is another text than the book's. Remove it."
    return Finding("The Verdict", str(path), problem)


def _lesson(settings: Settings) -> Finding:
    if not settings.lesson:
        return Finding("Lesson", "none opens by itself")
    return Finding("Lesson", settings.lesson, "\n".join(str(fault.message()) for fault in lesson_faults(settings)))


def _disk() -> Finding:
    free, folder = files.free_bytes(paths.user_data()), paths.user_data()
    problem = f"Runs of a workshop need {DISK / 1e9:.0f} GB. Make room, or name another folder in GPTSTUDIO_HOME."
    return Finding("Disk", f"{free / 1e9:.1f} GB free at {folder}", "" if free >= DISK else problem)


def _memory() -> Finding:
    free = psutil.virtual_memory().available
    problem = f"Training the default model needs {MEMORY / 1e9:.0f} GB. Close other programs."
    return Finding("Memory", f"{free / 1e9:.1f} GB free", "" if free >= MEMORY else problem)


def _font(settings: Settings) -> Iterator[Finding]:
    """A font with Chinese characters, where fontconfig says which there are; Windows and macOS come with one."""
    if settings.language in ("", ENGLISH) or sys.platform != "linux" or not (program := shutil.which("fc-list")):
        return
    command = [program, ":lang=zh", "family"]
    fonts = subprocess.run(command, capture_output=True, text=True, check=False).stdout.splitlines()  # noqa: S603
    problem = "Install one: sudo apt-get install fonts-noto-cjk. Until then the window opens in English."
    yield Finding(f"Font for {LANGUAGES[settings.language]}", min(fonts, default="none"), "" if fonts else problem)
