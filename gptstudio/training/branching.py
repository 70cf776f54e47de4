"""Branches: runs that continue from a checkpoint of another run, which is not changed. No torch.

A branch begins as a copy of its parent at the checkpoint: settings, log, weights, optimizer, random state and order of
the text. Without changed settings, its steps equal those of its parent bit for bit.
"""

from __future__ import annotations

import os
import secrets
import shutil
from collections.abc import Mapping
from contextlib import suppress
from dataclasses import dataclass, field
from datetime import UTC, datetime
from pathlib import Path

from gptstudio import files, paths
from gptstudio.errors import UserError, os_errors, text_of
from gptstudio.gpt.config import config_name
from gptstudio.i18n import message
from gptstudio.training import checkpoint_files, journal
from gptstudio.training.checkpoint_files import CheckpointError
from gptstudio.training.events import LearningRateChanged
from gptstudio.training.longer import first_start, longer_spec, schedule_notice, total_steps
from gptstudio.training.run_folder import FROM_STEP, LONGEST_TITLE, Parent, RunFolder, all_runs, stamp, step_of
from gptstudio.training.spec import TrainSpec


@dataclass(frozen=True)
class Changes:
    """Settings in which a branch differs from its parent.

    Attributes:
        learning_rate: learning rate from the first step of the branch; with a schedule, the highest value.
        longer: new total of ``epochs`` or ``steps``.
    """

    learning_rate: float | None = None
    longer: Mapping[str, int] = field(default_factory=dict)

    def spec(self, parent: TrainSpec) -> TrainSpec:
        """Return the settings of the branch.

        Raises:
            SpecError: a number is out of range.
        """
        if self.learning_rate is not None:
            parent.but(learning_rate=self.learning_rate)  # only checked here: the change is recorded in the log
        return longer_spec(parent, self.longer) if self.longer else parent


UNCHANGED = Changes()


def why_not(checkpoint: Path) -> str:
    """Return the reason why no branch can begin at a checkpoint, as a message; empty if one can."""
    try:
        with checkpoint_files.errors_as_messages(checkpoint):
            whole = (checkpoint / checkpoint_files.RESUME).is_file()
    except CheckpointError as error:
        return text_of(error)
    return "" if whole else message(
        "Only the model was saved after step {n}, without the state of the optimizer and the random numbers: you "
        "can generate with it, but no run can continue from it.", n=f"{step_of(checkpoint) + 1:,}")


def check(checkpoint: Path) -> None:
    """Check that a branch can begin at a checkpoint.

    Raises:
        UserError: it cannot.
    """
    reason = why_not(checkpoint)
    if reason:
        raise UserError(reason)


def make(run: RunFolder, checkpoint: Path, changes: Changes = UNCHANGED) -> RunFolder:
    """Create a branch of ``run`` at a checkpoint, to be resumed; ``run`` is unchanged. The weights are hard-linked if
    the disk supports it, because the files of a checkpoint never change.

    Raises:
        UserError: a file cannot be read or written, no run can continue from this checkpoint, or no steps are left;
            the incomplete branch is removed.
    """
    check(checkpoint)
    state, record = checkpoint_files.read_state(checkpoint), run.record()
    spec, started = changes.spec(record.spec), first_start(run)
    total = total_steps(spec, started) if started else None
    if total and state.step + 1 >= total and not state.unfinished:
        raise UserError(message(
            "The checkpoint was saved after step {n}, and the new run would have {total} steps in all. To continue "
            "from there, ask for more epochs or steps.", n=f"{state.step + 1:,}", total=f"{total:,}"))
    created, done = datetime.now().astimezone(), step_of(checkpoint) + 1
    aside = RunFolder(paths.runs() / f".{secrets.token_hex(8)}.tmp")
    own = aside.checkpoint_folder / checkpoint.name
    try:
        with os_errors(lambda why: message("Could not write to the folder {path}: {why}.", path=paths.runs(), why=why)):
            own.mkdir(parents=True)
            for file in checkpoint.iterdir():
                _link(file, own / file.name)
            with suppress(FileNotFoundError):  # a run can continue without its log, and reports that
                shutil.copyfile(run.journal_path, aside.journal_path)
            complete = journal.truncate(aside.journal_path, state.journal_bytes)
            if changes.learning_rate is not None:
                _set_learning_rate(aside, own, state, changes.learning_rate, complete)
            aside.write(record.model_copy(update={
                "title": f"{FROM_STEP.sub('', record.title or run.name)}, from step {done:,}", "created": created,
                "spec": spec, "parent": parent_of(run, state.step),
            }), run.tokenizer())
            name = f"{stamp(created)}_{config_name(record.spec.config)}_from_{done}"
            return RunFolder(files.move_to_unused(aside.path, paths.runs(), name))
    except BaseException:
        shutil.rmtree(aside.path, ignore_errors=True)
        raise


def _set_learning_rate(
    run: RunFolder, checkpoint: Path, state: checkpoint_files.State, rate: float, complete: bool
) -> None:
    """Record a new learning rate in the log and in the checkpoint of a branch, so that it persists if the branch is
    killed before it saves another checkpoint. ``complete``: the log has the length recorded in the checkpoint."""
    with run.journal_path.open("ab") as file:
        file.write(journal.sealed(LearningRateChanged(step=state.step + 1, learning_rate=rate)))
    length = run.journal_path.stat().st_size if complete else state.journal_bytes
    checkpoint_files.keep_learning_rate(checkpoint, rate, length)


def notice(run: RunFolder, checkpoint: Path, changes: Changes) -> str:
    """Return a notice on the changed schedule of a branch with more steps than its parent; empty if unchanged."""
    started, spec = first_start(run), run.record().spec
    if not started or not changes.longer:
        return ""
    former, total = total_steps(spec, started), total_steps(changes.spec(spec), started)
    state = checkpoint_files.read_state(checkpoint)
    peak = state.learning_rate if changes.learning_rate is None else changes.learning_rate
    return schedule_notice(spec, state.step + 1, former, total, peak) if total != former else ""


def before(run: RunFolder, step: int) -> Path | None:
    """Return the last checkpoint before a step (counted from 0) from which a run can continue, or None."""
    return next((path for path in reversed(run.resumable()) if step_of(path) < step and not why_not(path)), None)


def parent_of(run: RunFolder, step: int) -> Parent:
    """Return the record of ``run`` as the parent of a branch after a step (counted from 0).

    Raises:
        UserError: this is not a run folder.
    """
    record = run.record()
    return Parent(run=run.name[:255], title=record.title[:LONGEST_TITLE], created=_aware(record.created), step=step)


def find_parent(beside: Path, parent: Parent) -> RunFolder | None:
    """Return the parent of a branch, found in the folder ``beside`` or among the user's runs, also if it was renamed;
    None if it was deleted or is elsewhere."""
    named = (RunFolder(folder / parent.run) for folder in (beside, paths.runs()))
    return next((each for each in (*named, *all_runs()) if _is(each, parent)), None)


def _is(run: RunFolder, parent: Parent) -> bool:
    try:
        return _aware(run.record().created) == parent.created
    except (UserError, OSError, ValueError):
        return False


def _aware(created: datetime) -> datetime:
    """Return a time with a time zone, which may be missing in a file edited by hand."""
    return created if created.tzinfo else created.replace(tzinfo=UTC)


def _link(source: Path, target: Path) -> None:
    try:
        os.link(source, target)
    except OSError:
        shutil.copyfile(source, target)
