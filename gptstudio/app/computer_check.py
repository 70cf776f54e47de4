"""Check whether a computer is ready for a class: settings, texts, each step of its lesson and the runs in it, disk,
memory, and a font for its language.

No Qt, no torch. Findings are plain text, since an instructor reads them in a terminal or a script.
"""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
from collections.abc import Iterator
from contextlib import suppress
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING

import psutil

from gptstudio import devices, files, paths
from gptstudio.data import texts
from gptstudio.errors import Fault, UserError
from gptstudio.i18n import ENGLISH, LANGUAGES
from gptstudio.settings import Settings

if TYPE_CHECKING:  # these import numpy
    from gptstudio.app.lesson_rehearsal import LessonRun, Rehearsal

DISK, MEMORY = 1_000_000_000, 1_000_000_000
"""Bytes on disk for the runs of a workshop, and bytes of memory to train the default model (manual, "A workshop for
30")."""


@dataclass(frozen=True)
class Finding:
    """Result of one check.

    Attributes:
        name: name of the check.
        seen: what was found.
        problem: the problem and its solution; empty if there is none, or if it is described by ``faults``.
        file: file that has the ``faults``, each with its line.
    """

    name: str
    seen: str
    problem: str = ""
    file: Path | None = None
    faults: tuple[Fault, ...] = ()

    @property
    def ready(self) -> bool:
        return not self.problem and not self.faults


def check(settings: Settings) -> list[Finding]:
    """Return the findings, in the order in which an instructor would fix the problems."""
    return [_settings(settings), _verdict(), *_lesson(settings), *_hand_in(settings), _disk(), _memory(),
            *_font(settings)]


def measure(settings: Settings) -> None:
    """Measure the speed of each run of the lesson with a few training steps, and save it. Takes some seconds; imports
    torch."""
    from gptstudio.training.calibration import calibrate
    from gptstudio.training.control import Control
    from gptstudio.training.forecast import CostHistory

    device = devices.find()[0]
    for run in rehearsal.runs if (rehearsal := _rehearsed(settings)) else ():
        with suppress(UserError, RuntimeError, MemoryError):  # the time stays unknown, which the check reports
            if run.forecast.seconds is None and (speed := calibrate(run.spec, device, Control())):
                CostHistory.read().with_cost(run.spec, device, speed).write()


def lesson_faults(settings: Settings) -> Iterator[Fault]:
    """Yield the faults of the lesson file, if there is one, and its missing texts."""
    from gptstudio.labs.lesson import load, missing_text, missing_texts  # imports numpy, as slow as everything else

    path = settings.lesson_file(ENGLISH)
    if path and path.is_file():
        try:
            lesson = load(path)
        except UserError as error:
            yield Fault(settings.lines["lesson"], str(error))
            return
        trains = (step.settings for step in lesson.steps if step.tab == "train")
        for name in dict.fromkeys(name for values in trains for name in missing_texts(values)):
            yield Fault(settings.lines["lesson"], missing_text(name))


def _settings(settings: Settings) -> Finding:
    faults = sorted((*settings.faults, *settings.missing_paths()))
    seen = str(settings.file) if settings.file else "none: every default applies"
    return Finding("Settings", seen, "", settings.file, tuple(faults))


def _verdict() -> Finding:
    path = texts.locate(texts.VERDICT)
    if path is None:
        problem = ("Put the-verdict.txt into the folder that texts names in the settings, or start a training once "
                   "with a network, which fetches it.")
        return Finding("The Verdict", "not found", problem)
    digest = files.sha256(path)
    problem = "" if digest == texts.VERDICT_SHA256 else "This is another text than the book's. Remove it."
    return Finding("The Verdict", str(path), problem)


def _lesson(settings: Settings) -> Iterator[Finding]:
    """Yield the faults of the lesson's steps on this computer, and the resources that its runs need."""
    path = settings.lesson_file(settings.language or ENGLISH)
    if path is None or not path.is_file():  # reported as a fault of the settings
        yield Finding("Lesson", settings.lesson or "none opens by itself")
        return
    try:
        rehearsal = _rehearsed(settings)
    except UserError as error:
        faults = getattr(error, "faults", [Fault(0, str(error))])
        yield Finding("Lesson", settings.lesson, "", path, tuple(faults))
        return
    yield Finding("Lesson", settings.lesson, "", path, tuple(rehearsal.faults) if rehearsal else ())
    if rehearsal and rehearsal.runs:
        yield Finding("Runs", _runs_in_words(rehearsal.runs))


def _hand_in(settings: Settings) -> Iterator[Finding]:
    """Yield the finding about the folder for handing in: writable now or not. This is not a problem, since a USB stick
    may be connected later."""
    if folder := settings.hand_in:
        now = "" if os.access(folder, os.W_OK) else (
            ": not there, or read-only, at present; learners choose another folder or show a QR code")
        yield Finding("Hand in", f"{folder}{now}")


def _rehearsed(settings: Settings) -> Rehearsal | None:
    """Return the rehearsal of the lesson in the settings, in their language; None if there is no file.

    Raises:
        UserError: the file is not a lesson.
    """
    from gptstudio.app.lesson_rehearsal import Rehearsal
    from gptstudio.labs.lesson import load  # imports numpy, which takes as long as everything else
    from gptstudio.toml_file import Document

    path = settings.lesson_file(settings.language or ENGLISH)
    if path is None or not path.is_file():
        return None
    return Rehearsal(load(path), Document(path.read_bytes()), settings)


def _runs_in_words(runs: list[LessonRun]) -> str:
    seconds = [run.forecast.seconds for run in runs if run.forecast.seconds is not None]
    memory = max(run.forecast.predicted_bytes for run in runs) / 1e9
    disk = sum(run.disk_bytes for run in runs) / 1e9
    takes = f"up to {memory:.1f} GB of memory and {disk:.1f} GB on the disk"
    if len(seconds) < len(runs):
        return (f"the lesson's runs take {takes}. Their time is not known on this computer yet: add --measure to "
                "measure it in some seconds")
    total = sum(seconds)
    time = f"{total / 60:.0f} min" if total >= 120 else f"{total:.0f} s"
    return f"the lesson's runs take about {time} on this computer, {takes}"


def _disk() -> Finding:
    free, folder = files.free_bytes(paths.user_data()), paths.user_data()
    problem = f"Runs of a workshop need {DISK / 1e9:.0f} GB. Make room, or name another folder in GPTSTUDIO_HOME."
    return Finding("Disk", f"{free / 1e9:.1f} GB free at {folder}", "" if free >= DISK else problem)


def _memory() -> Finding:
    free = psutil.virtual_memory().available
    problem = f"Training the default model needs {MEMORY / 1e9:.0f} GB. Close other programs."
    return Finding("Memory", f"{free / 1e9:.1f} GB free", "" if free >= MEMORY else problem)


def _font(settings: Settings) -> Iterator[Finding]:
    """Yield the finding about a font with Chinese characters, if fontconfig lists the fonts; Windows and macOS ship
    with one."""
    if settings.language in ("", ENGLISH) or sys.platform != "linux" or not (program := shutil.which("fc-list")):
        return
    command = [program, ":lang=zh", "family"]
    fonts = subprocess.run(command, capture_output=True, text=True, check=False).stdout.splitlines()  # noqa: S603
    problem = "Install one: sudo apt-get install fonts-noto-cjk. Until then the window opens in English."
    yield Finding(f"Font for {LANGUAGES[settings.language]}", min(fonts, default="none"), "" if fonts else problem)
