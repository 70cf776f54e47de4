"""Work of tasks on reports and on the runs of a class."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

from gptstudio.app.tasks import Task
from gptstudio.history import class_runs
from gptstudio.history.guesses import Learner
from gptstudio.history.report import reading, writing
from gptstudio.history.report.reading import Reported, Say
from gptstudio.i18n import message
from gptstudio.training.run_folder import RunFolder
from gptstudio.units import bytes_text


def write_report(task: Task, folder: RunFolder, path: Path, say: Say, language: str) -> str:
    """Write a report of a run; return a message. ``say``: translates messages, on any thread."""
    from gptstudio.app import lesson_guesses  # late import: lessons and labs load after the window opens

    run = reading.read(folder, lesson_guesses.read(language), say, language, task.report)
    size = writing.write(run, path)
    return message("Saved {path} ({size})", path=path, size=bytes_text(size))


def read_report(task: Task, folder: RunFolder | None, learner: Learner, say: Say, language: str) -> Reported:
    """Read the work that a learner hands in: a run, or only the results of lessons; return a
    :class:`Reported`."""
    from gptstudio.app import lesson_guesses

    guesses = lesson_guesses.read(language)
    if folder is None:
        return Reported(guesses=guesses, learner=learner, say=say, language=language)
    return reading.read(folder, guesses, say, language, task.report, learner)


def save_report(report: Reported, path: Path) -> Path:
    """Write a report to a file chosen by the user; return that file."""
    writing.write(report, path)
    return path


def read_class(task: Task, paths: Sequence[Path]) -> None:
    """Read the report files of a class, including those in folders; emit a :class:`ClassRun` for each."""
    files = class_runs.files_in(paths)
    for number, path in enumerate(files):
        task.report(number, len(files))
        task.emit(class_runs.read(path, lambda *_: task.control.check()))
    task.report(len(files), len(files))
