"""Work of tasks on reports and on the runs of a class."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

from gptstudio.app.tasks import Task, Work
from gptstudio.history import class_runs
from gptstudio.history.class_runs import ClassRun
from gptstudio.history.guesses import Learner
from gptstudio.history.report import reading, writing
from gptstudio.history.report.reading import Reported, Say
from gptstudio.i18n import message
from gptstudio.training.run_folder import RunFolder
from gptstudio.units import bytes_text


def write_report(folder: RunFolder, path: Path, say: Say, language: str) -> Work:
    """Write a report of a run; the result is a message. ``say``: translates messages, on any thread."""

    def work(task: Task) -> str:
        from gptstudio.app import lesson_guesses  # late import: lessons and labs load after the window opens

        run = reading.read(folder, lesson_guesses.read(language), say, language, task.report)
        size = writing.write(run, path)
        return message("Saved {path} ({size})", path=path, size=bytes_text(size))

    return work


def read_report(folder: RunFolder | None, learner: Learner, say: Say, language: str) -> Work:
    """Read the work that a learner hands in: a run, or only the results of lessons; the result is a
    :class:`Reported`."""

    def work(task: Task) -> Reported:
        from gptstudio.app import lesson_guesses

        guesses = lesson_guesses.read(language)
        if folder is None:
            return Reported(guesses=guesses, learner=learner, say=say, language=language)
        return reading.read(folder, guesses, say, language, task.report, learner)

    return work


def hand_in(report: Reported, folder: Path) -> Work:
    """Write a report to the folder of a class; the result is its file."""
    return lambda _: writing.hand_in(report, folder)


def save_report(report: Reported, path: Path) -> Work:
    """Write a report to a file chosen by the user; the result is that file."""

    def work(_: Task) -> Path:
        writing.write(report, path)
        return path

    return work


def read_class(paths: Sequence[Path]) -> Work:
    """Read the report files of a class, including those in folders; emit a :class:`ClassRun` for each."""

    def work(task: Task) -> None:
        files = class_runs.files_in(paths)
        for number, path in enumerate(files):
            task.report(number, len(files))
            task.emit(class_runs.read(path, lambda *_: task.control.check()))
        task.report(len(files), len(files))

    return work


def write_class(runs: Sequence[ClassRun], path: Path, say: Say) -> Work:
    """Write the table of a class; the result is a message."""

    def work(_: Task) -> str:
        class_runs.write_csv(runs, path, say)
        return message("Saved {path}", path=path)

    return work
