"""Reset a laptop for the next class: runs, session and progress in lessons are moved to one zip, or to the trash. No
torch.

Imported models, texts, preferences and the language stay; the learner's name is forgotten.
"""

from __future__ import annotations

import platform
import re
import shutil
import zipfile
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from datetime import date
from pathlib import Path

from gptstudio import files, paths
from gptstudio.app import lesson_progress, preferences
from gptstudio.data.encodings import Progress, unwatched
from gptstudio.errors import UserError, os_errors
from gptstudio.history import archives
from gptstudio.i18n import Message, message
from gptstudio.training.run_folder import all_runs
from gptstudio.units import bytes_text

TRASH = "trash"
"""Value of ``reset`` in a settings file that selects the trash instead of a folder."""


@dataclass(frozen=True)
class ClassWork:
    """Runs, texts and settings that a class left on a laptop.

    Attributes:
        parts: files and folders in the program's data folder. Some may not exist yet: closing the window writes its
            session.
        runs, lessons: number of runs, and of lessons begun.
        size_bytes: size of all files.
    """

    parts: tuple[Path, ...]
    runs: int
    lessons: int
    size_bytes: int

    def summary(self) -> Message:
        """Return a description of the files to move, for a question to the user."""
        return message(
            "Runs: {runs}; lessons begun: {lessons}; {size} in all. The text and the layout of the window are reset, "
            "too, and the name of the learner is forgotten. Imported models, texts and preferences stay.",
            runs=self.runs, lessons=self.lessons, size=bytes_text(self.size_bytes))


def find() -> ClassWork:
    """Return the work that a class left on this computer.

    Raises:
        UserError: a run is in progress, or the runs cannot be listed.
    """
    files.check_folder(paths.runs())
    runs = all_runs()
    if any(run.written_elsewhere for run in runs):
        raise UserError(message(
            "A run is in progress. Stop it, and close its window or program, before you reset this computer."))
    parts = (paths.runs(), paths.sweeps(), paths.trees(), paths.added_runs(), paths.summaries(), paths.session(),
             paths.session_text(), paths.lesson_progress())
    size = sum(file.stat().st_size for file in _files_in(parts))
    return ClassWork(parts, len(runs), len(lesson_progress.read().lessons), size)


def pack(work: ClassWork, folder: Path, progress: Progress = unwatched) -> Path:
    """Write all work of a class into a new zip in a folder, verify it, and return its path. Nothing is removed.

    Args:
        progress: called with the bytes written so far and in total; may cancel the work by raising.

    Raises:
        UserError: the zip cannot be written; nothing of it is left.
    """
    host = re.sub(r"[^\w-]", "_", platform.node())[:40] or "laptop"
    path = files.unused(folder, f"gptstudio-{host}-{date.today():%Y-%m-%d}", " ", ".zip")
    done, root = 0, paths.user_data()
    with os_errors(lambda why: message(
            "Could not write the zip to {folder}: {why}. Nothing was removed. Choose another folder, or make room "
            "there.", folder=folder, why=why)):
        with files.written_whole(path) as target, zipfile.ZipFile(
            target, "w", zipfile.ZIP_DEFLATED, strict_timestamps=False  # a laptop's clock may have been at 1970
        ) as archive:
            for file in _files_in(work.parts):
                stored = zipfile.ZIP_STORED if file.suffix == ".safetensors" else None
                archive.write(file, file.relative_to(root).as_posix(), stored)
                done += file.stat().st_size
                progress(done, max(done, work.size_bytes))
        with zipfile.ZipFile(path) as archive:
            damaged = archive.testzip()
    if damaged:
        path.unlink(missing_ok=True)
        raise UserError(message(
            "The zip in {folder} could not be read back ({file}), so nothing was removed. Try another disk.",
            folder=folder, file=damaged))
    return path


def remove(work: ClassWork, path: Path) -> None:
    """Remove the files that are in the zip; a run or a text that is not in it, or has grown since, is kept."""
    forget_learner()
    try:
        with zipfile.ZipFile(path) as archive:
            packed = {entry.filename: entry.file_size for entry in archive.infolist()}
        for part in work.parts:
            for each in list(part.iterdir()) if part.is_dir() else [part]:
                _remove_packed(each, packed, each == part)
            if part.is_dir() and not any(part.iterdir()):
                part.rmdir()
    except OSError as error:
        raise UserError(message(
            "Could not remove {path}: {why}. It is in the zip; remove it by hand.",
            path=error.filename, why=error.strerror or error)) from error


def _remove_packed(path: Path, packed: Mapping[str, int], anyway: bool) -> None:
    """Remove a file or a folder if all of it is in the zip, unchanged. ``anyway``: even if it has changed since, as the
    session does when the window closes."""
    root = paths.user_data()
    sizes = {file.relative_to(root).as_posix(): file.stat().st_size for file in _files_in((path,))}
    if anyway or all(packed.get(name) == size for name, size in sizes.items()):
        if path.is_dir():
            shutil.rmtree(path)
        else:
            path.unlink(missing_ok=True)


def forget_learner() -> None:
    """Clear the learner's name, so that the next learner is asked for theirs."""
    preferences.read()
    preferences.change(learner="", learner_id="")


def _files_in(parts: tuple[Path, ...]) -> Iterator[Path]:
    for part in parts:
        found = part.rglob("*") if part.is_dir() else [part]
        yield from (file for file in found if file.is_file() and not archives.LEFT_OUT.fullmatch(file.name))
