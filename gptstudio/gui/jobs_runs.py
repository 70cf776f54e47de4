"""Operations on runs off the window's thread: each job reports at the end what was done, or why it failed."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from pathlib import Path

from send2trash import send2trash

from gptstudio import paths
from gptstudio.data.encodings import Progress
from gptstudio.errors import UserError
from gptstudio.gui.answers_runs import Advanced, Chosen, Done
from gptstudio.gui.translation import size, tr
from gptstudio.gui.worker import Job, Post, attempt
from gptstudio.history import added_runs, archives, exported_script, run_history
from gptstudio.training.control import Control
from gptstudio.training.run_folder import RunFolder


def rename(run: RunFolder, title: str) -> Job:
    def work(_post: Post) -> Done:
        run.rename(title)
        return Done()

    return _reported(work)


def trash(run: RunFolder) -> Job:
    """Move a run that no process is writing to the system's trash."""

    def work(_post: Post) -> Done:
        with run.writing():
            pass  # raises where somebody writes it; Windows moves no folder with an open file in it, such as our lock
        try:
            send2trash(run.path)
        except OSError as error:
            raise UserError(
                tr(
                "Could not move {path} to the trash: {why}. Nothing was changed. You can delete it in the file "
                "manager.", path=run.path, why=error.strerror or error)
            ) from error
        return Done(tr("Moved the run “{run}” to the trash.", run=run.name))

    return _reported(work)


def choose_checkpoint(run: RunFolder) -> Job:
    """The run's best checkpoint by validation loss, or its last."""

    def work(post: Post) -> Done:
        from gptstudio.training.checkpoint_manager import best_of  # brings torch

        post(Chosen(best_of(run) or run.newest_checkpoint()))
        return Done()

    return _reported(work)


def add(path: Path) -> Job:
    """A run's folder from anywhere joins the list."""

    def work(_post: Post) -> Done:
        RunFolder(path).record()
        added_runs.add(paths.added_runs(), path)
        return Done(tr("Added {path} to the list.", path=path))

    return _reported(work)


def take_off(path: Path) -> Job:
    """A run's folder that was added leaves the list."""

    def work(_post: Post) -> Done:
        added_runs.remove(paths.added_runs(), path)
        return Done(tr("Removed {path} from the list. The files stay where they are.", path=path))

    return _reported(work)


def unpack(path: Path, control: Control) -> Job:
    """Puts the run in a zip among the user's."""

    def work(post: Post) -> Done:
        run = archives.unpack(path, paths.runs(), _progress(post, control, tr("Unpacking {name}", name=path.name)))
        return Done(tr("Added {name} to your runs.", name=run.name))

    return _reported(work)


def pack(run: RunFolder, path: Path, checkpoints: bool, control: Control) -> Job:
    def work(post: Post) -> Done:
        words = tr("Packing {name}", name=run.name)
        archives.pack(run, path, _progress(post, control, words), checkpoints)
        return Done(tr("Saved {path} ({size})", path=path, size=size(path.stat().st_size)))

    return _reported(work)


def write_csv(runs: Sequence[tuple[str, RunFolder]], path: Path) -> Job:
    """All figures of some runs, by their names."""

    def work(_post: Post) -> Done:
        names = [name for name, _ in runs]
        unique = {name if names.count(name) == 1 else f"{name} ({run.name})": run for name, run in runs}
        archives.write_csv({name: run_history.read(run.journal_path) for name, run in unique.items()}, path)
        return Done(tr("Saved {path}", path=path))

    return _reported(work)


def write_script(run: RunFolder, path: Path) -> Job:
    def work(_post: Post) -> Done:
        started = run_history.read(run.journal_path).started
        written, text = exported_script.export(run.record(), path, bf16=started is not None and started.dtype == "bf16")
        return Done(tr("Saved {path} and, beside it, the text {text}", path=written, text=text.name))

    return _reported(work)


def _progress(post: Post, control: Control, words: str) -> Progress:
    """Return a callback that reports each thousandth only, however small the steps are: a bar shows no more."""
    shown_percent = -1

    def report(done: int, total: int) -> None:
        nonlocal shown_percent
        if control.stopping:
            raise UserError(tr("Cancelled. Nothing was saved."))
        now = 1000 * done // max(1, total)
        if now != shown_percent:
            shown_percent = now
            post(Advanced(words, done / max(1, total)))

    return report


def _reported(work: Callable[[Post], Done]) -> Job:
    return lambda post: post(attempt(lambda: work(post), lambda words: Done(words, problem=True)))
