"""Training of a sweep's runs, one after another: choice of the next run, and handling of each end. No torch.

Every run is launched or resumed like any other. Each decision is saved before it is carried out, so that a killed
program can continue from there::

    sweeps/learning rate/
        sweep.json      the sweep as requested; never changed
        queue.json      the order, skipped members, and the run and the outcome of each member
        lock            held by the program that trains the sweep
        writer.json     identity of that program

The runs are in the user's folder of runs, and are not affected if this folder is deleted.
"""

from __future__ import annotations

import os
import shutil
import threading
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import ExitStack, contextmanager, suppress
from dataclasses import dataclass
from datetime import datetime
from pathlib import Path
from typing import Annotated, Any, Literal, TypeVar

from pydantic import BaseModel, ConfigDict, Field

import gptstudio
from gptstudio import files, formats, paths
from gptstudio.data.encodings import Progress, unwatched
from gptstudio.devices import DeviceLost
from gptstudio.errors import UserError, os_errors
from gptstudio.gpt.config import config_name
from gptstudio.i18n import message
from gptstudio.training import checkpoint_files, file_format, journal, launch
from gptstudio.training.control import Control
from gptstudio.training.events import PARTS, Ended, Event, RunStarted, Text, WithText
from gptstudio.training.executor import FULL, WORDS, Sink, error_text
from gptstudio.training.journal import Journal
from gptstudio.training.longer import first_start
from gptstudio.training.run_folder import RunFolder, stamp
from gptstudio.training.run_lock import ReadOnly, RunLock
from gptstudio.training.strategy import SINGLE_PROCESS, Strategy
from gptstudio.training.sweep_spec import SweepMember, SweepSpec, members
from gptstudio.units import bytes_text

FORMAT = formats.SWEEP
T = TypeVar("T", bound=BaseModel)
_changing = threading.RLock()
"""Held while a queue is changed, because the window can change it while another thread trains."""
_ours: set[Path] = set()
"""Folders of the sweeps held by this process."""

MemberOutcome = Literal["", "finished", "failed"]
MemberStatus = Literal["pending", "started", "finished", "failed", "skipped"]


class MemberState(WithText, BaseModel):
    """Progress of a member. ``run`` is the name of its run folder; ``message`` the reason if it failed."""

    model_config = ConfigDict(frozen=True)

    run: str = ""
    outcome: MemberOutcome = ""
    message: Text = ""


class Queue(WithText, BaseModel):
    """Members of a sweep by id, in training order. ``message`` is the reason if the queue waits; ``skipped`` are the
    members that an earlier version was asked to skip."""

    model_config = ConfigDict(frozen=True)

    format: int = FORMAT
    order: tuple[str, ...]
    skipped: frozenset[str] = frozenset()
    members: Mapping[str, MemberState] = Field(default_factory=dict)
    message: Text = ""

    def member(self, name: str) -> MemberState:
        return self.members.get(name, MemberState())

    def status(self, name: str) -> MemberStatus:
        """Return the status of a member; a member that has started but not ended is continued."""
        state = self.member(name)
        return state.outcome or ("skipped" if name in self.skipped else "started" if state.run else "pending")

    @property
    def open(self) -> tuple[str, ...]:
        """Members that are still to be trained, in order."""
        return tuple(name for name in self.order if self.status(name) in ("pending", "started"))

    def but(self, **changes: Any) -> Queue:
        return self.model_copy(update=changes)

    def with_member(self, name: str, **changes: Any) -> Queue:
        return self.but(members={**self.members, name: self.member(name).model_copy(update=changes)})

    def retry(self) -> Queue:
        """Return a queue that trains failed members again, and members that an earlier version was asked to skip."""
        queue = self.but(skipped=frozenset())
        for name in self.order:
            if self.member(name).outcome == "failed":
                queue = queue.with_member(name, outcome="", message="")
        return queue


class SweepRecord(BaseModel, frozen=True, extra="forbid"):
    """Content of ``sweep.json``."""

    format: int = FORMAT
    created: datetime
    version: Annotated[str, Field(max_length=40)] = gptstudio.__version__
    spec: SweepSpec


@dataclass(frozen=True)
class SweepFolder:
    """Folder of a sweep."""

    path: Path

    @classmethod
    def of_name(cls, name: str) -> SweepFolder:
        return cls(paths.sweeps() / name)

    @property
    def exists(self) -> bool:
        return (self.path / "sweep.json").is_file()

    @classmethod
    def open_or_create(cls, spec: SweepSpec) -> SweepFolder:
        """Return the folder of a sweep; create it if it does not exist.

        Raises:
            UserError: a sweep of that name has other settings or is damaged, or the folder cannot be written.
        """
        sweep = cls.of_name(spec.name)
        if not sweep.exists:
            with os_errors(lambda why: message(
                    "Could not write to the folder {path}: {why}.", path=sweep.path, why=why)):
                sweep.create(spec)
        elif sweep.record().spec != spec:
            raise UserError(message(
                "There is a sweep named {name} with other settings. Give this one another name, or continue that one.",
                name=spec.name))
        return sweep

    def create(self, spec: SweepSpec) -> None:
        """Create the folder of a new sweep.

        Raises:
            OSError: it cannot be written.
        """
        existed = self.path.exists()
        self.path.mkdir(parents=True, exist_ok=True)
        try:
            self._write(Queue(order=tuple(member.id for member in members(spec))))
            record = SweepRecord(created=datetime.now().astimezone(), spec=spec)  # last: it makes the sweep exist
            files.write_whole(self.path / "sweep.json", file_format.sealed(record.model_dump(mode="json")))
            files.flush(self.path.parent)
        except OSError:
            if not existed:
                shutil.rmtree(self.path, ignore_errors=True)
            raise

    @property
    def name(self) -> str:
        return self.path.name

    def record(self) -> SweepRecord:
        """Return the recorded settings of the sweep.

        Raises:
            UserError: the file cannot be read, is damaged, or of a newer version.
        """
        return self._read("sweep.json", SweepRecord)

    def queue(self) -> Queue:
        """Return the saved queue.

        Raises:
            UserError: the file cannot be read, is damaged, or of a newer version.
        """
        queue = self._read("queue.json", Queue)
        known = [member.id for member in members(self.record().spec)]
        if sorted(queue.order) != sorted(known):
            raise self._unreadable("queue.json")
        return queue

    def _read(self, name: str, kind: type[T]) -> T:
        file = self.path / name
        try:
            values = file_format.unsealed(file.read_bytes(), str(file), FORMAT)
            formats.refuse_newer(values, FORMAT, file)
            return kind.model_validate(values)
        except UserError:
            raise
        except (OSError, ValueError) as error:
            raise self._unreadable(name) from error

    def _unreadable(self, name: str) -> UserError:
        return UserError(message(
            "The sweep {name} cannot be read: {file} is missing or damaged. Its runs are not affected: they are in the "
            "list of runs. Restore the file from a copy, or delete the folder {path} and begin the sweep again.",
            name=self.name, file=name, path=self.path))

    def change(self, edit: Callable[[Queue], Queue]) -> Queue:
        """Change the queue and return it; this may be called while another thread of this process trains the sweep.

        Raises:
            UserError: another program trains the sweep, or the file is damaged.
            OSError: the file cannot be written.
        """
        with _changing, self.writing():
            before = self.queue()
            after = edit(before)
            if after != before:
                self._write(after)
            return after

    def _write(self, queue: Queue) -> None:
        values = queue.model_dump(mode="json", context=PARTS)
        values["skipped"] = sorted(values["skipped"])
        files.write_whole(self.path / "queue.json", file_format.sealed(values))

    @contextmanager
    def writing(self) -> Iterator[None]:
        """Hold the lock of this sweep within the context, unless this process already holds it.

        Raises:
            UserError: another program trains the sweep, or its folder cannot be written.
        """
        held = ExitStack()
        with _changing:
            if self.path not in _ours:
                try:
                    held.enter_context(RunLock(self.path).writing())
                except ReadOnly as error:
                    raise UserError(message(
                        "Could not write to {folder}. The sweep {name} can only be viewed here.",
                        folder=self.path, name=self.name)) from error
                except UserError as error:
                    raise self._taken() from error
                _ours.add(self.path)
                held.callback(_ours.discard, self.path)
        try:
            yield
        finally:
            with _changing:
                held.close()

    def _taken(self) -> UserError:
        if not os.path.isdir(self.path):
            return UserError(message("The folder {folder} no longer exists.", folder=self.path))
        writer = RunLock(self.path).writer
        if not writer:
            return UserError(message(
                "Another window or program is training the sweep {name}. You can only view it here.", name=self.name))
        return UserError(message(
            "Another window or program ({who}) is training the sweep {name}. You can only view it here.",
            who=writer.message, name=self.name))

    @property
    def trained_elsewhere(self) -> bool:
        """True if another program is training the sweep."""
        with _changing:  # otherwise this process could begin to train it between the two checks
            return self.path not in _ours and RunLock(self.path).is_held(self.path / "queue.json")

    def run_of(self, queue: Queue, member: SweepMember) -> RunFolder | None:
        """Return the run of a member; None if it has none or it was deleted."""
        name = queue.member(member.id).run
        run = RunFolder(paths.runs() / name)
        return run if name and os.path.basename(name) == name and (run.path / "run.json").is_file() else None


def all_sweeps() -> list[SweepFolder]:
    """Return the user's sweeps, oldest first, unreadable ones last.

    Raises:
        UserError: their folder cannot be read.
    """
    files.check_folder(paths.sweeps())
    found = [SweepFolder(path) for path in files.found(paths.sweeps(), "*") if os.path.isfile(path / "sweep.json")]
    return sorted(found, key=_age)


def _age(sweep: SweepFolder) -> tuple[bool, float, str]:
    try:
        return False, sweep.record().created.timestamp(), sweep.name
    except (UserError, OverflowError, OSError):
        return True, 0, sweep.name


Verdict = Literal["finished", "failed", "stopped", "waits"]
"""End of a member; ``waits``: it ended for an external reason, so it stays in the queue, which waits for the user."""


@dataclass(frozen=True)
class Start:
    """Start of a member with its run folder ``path``: launched, resumed from the last checkpoint, or already done."""

    kind: Literal["launch", "resume", "done"]
    path: Path

    @property
    def run(self) -> RunFolder:
        return RunFolder(self.path)


@dataclass(frozen=True)
class MemberEnd:
    """End of a member; ``message`` is the reason if it failed or the queue waits."""

    verdict: Verdict
    ended: Ended
    message: str = ""


class SweepRunner:
    """Trains the members of a sweep on request. The caller must hold the sweep with :meth:`SweepFolder.writing`.

    Args:
        strategy: the processes that train together; rank zero decides and writes.
        anyway: train even if the free memory is not expected to suffice.
    """

    def __init__(self, sweep: SweepFolder, strategy: Strategy = SINGLE_PROCESS, anyway: bool = False):
        self.sweep, self._strategy, self._anyway = sweep, strategy, anyway
        self.members = {member.id: member for member in strategy.on_rank_zero(lambda: members(sweep.record().spec))}

    def next(self) -> SweepMember | None:
        """Return the next member; None if all have ended or are skipped.

        Raises:
            UserError: the queue cannot be read.
        """
        name = self._strategy.on_rank_zero(lambda: next(iter(self.sweep.queue().open), None))
        return self.members[name] if name else None

    def prepare(self, member: SweepMember) -> Start | MemberEnd:
        """Return the start of a member, after recording its future run in the queue; or the reason why the queue waits:
        the disk is full, another program is training that run, or the queue cannot be read or written."""
        try:
            return self._strategy.on_rank_zero(lambda: self._start_of(member))
        except (UserError, OSError) as error:
            return self._wait(Ended(outcome="failed", message=error_text(error)))

    def train(
        self, member: SweepMember, start: Start, control: Control, sinks: Sequence[Sink], reading: Progress = unwatched
    ) -> MemberEnd:
        """Train a member to its end, and record the end in the queue. Raises nothing, like :func:`launch.launch`."""
        if start.kind == "done":
            ended = Ended(outcome="finished", message=WORDS["finished"])
        elif start.kind == "resume":
            ended = launch.resume(start.run, control, sinks, None, self._anyway, self._strategy, reading)
        else:
            titled = [self._titled(start.run, member), *sinks] if self._strategy.is_rank_zero else sinks
            ended = launch.launch(member.spec, control, titled, start.path, self._anyway, self._strategy, reading)
        return self._note_end(member, ended)

    def _start_of(self, member: SweepMember) -> Start:
        queue = self.sweep.queue()
        run = self.sweep.run_of(queue, member)
        start = self._start_of_run(member, run) if run else None
        if start is None:
            self._check_space(member)
            name = f"{stamp(datetime.now().astimezone())}_{config_name(member.spec.config)}"
            start = Start("launch", files.unused(paths.runs(), name))
        self.sweep.change(lambda queue: queue.with_member(member.id, run=start.path.name).but(message=""))
        return start

    def _start_of_run(self, member: SweepMember, run: RunFolder) -> Start | None:
        """Return the start that continues a stopped, failed or killed run of a member; None if it must begin again.

        Raises:
            UserError: another program is training the run, its folder cannot be written, or its checkpoints cannot be
                listed.
        """
        from gptstudio.training import corpus  # imports numpy

        try:
            if run.record().spec != corpus.fitting(member.spec, run.tokenizer()):
                return None  # another run has its name
        except UserError:
            return None
        last = journal.last_event(run.journal_path)
        if isinstance(last, Ended) and last.outcome == "finished":
            return Start("done", run.path)
        with run.writing():
            pass  # nobody else does
        if run.resumable():
            return Start("done" if self._complete(run) else "resume", run.path)
        files.check_folder(run.checkpoint_folder)  # an unreadable one may contain checkpoints
        shutil.rmtree(run.path, ignore_errors=True)  # it has no checkpoint to continue from
        return None if run.path.exists() else Start("launch", run.path)

    def _complete(self, run: RunFolder) -> bool:
        """Return whether a run's last checkpoint has all its steps but its end was not recorded; if so, record it."""
        started = first_start(run)
        try:
            state = checkpoint_files.read_state(run.resumable()[-1])
        except UserError:
            return False
        if not started or state.unfinished or state.step + 1 < started.total_steps:
            return False
        with run.writing():
            record = Journal(run.journal_path)
            record(Ended(outcome="finished", message=WORDS["finished"]))
            record.close()
        return True

    def _check_space(self, member: SweepMember) -> None:
        folder, needed = paths.runs(), checkpoint_files.needed_bytes(member.spec)
        free = files.free_bytes(folder)
        if free < needed * checkpoint_files.RESERVE:
            raise UserError(message(
                "The disk is full: a checkpoint needs {needed} and 5 % in reserve, but only {free} are free at "
                "{path}. The sweep waits, and no run is lost. Free some space and continue it.",
                needed=bytes_text(needed), free=bytes_text(free), path=folder))

    def _titled(self, run: RunFolder, member: SweepMember) -> Sink:
        """Return a sink that sets the title of a run when it starts, while this process holds its folder."""

        def sink(event: Event) -> None:
            if isinstance(event, RunStarted):
                title = f"{self.sweep.name}: {member.label}"
                with suppress(UserError, OSError):  # the run is more important than its title
                    run.write(run.record().model_copy(update={"title": title}))

        return sink

    def _note_end(self, member: SweepMember, ended: Ended) -> MemberEnd:
        if ended.outcome == "stopped":
            return MemberEnd("stopped", ended)
        if ended.outcome == "failed" and (_is_disk_full(ended, member) or ended.error == DeviceLost.__name__):
            return self._wait(ended)
        failed = ended.outcome == "failed"

        def note(queue: Queue) -> Queue:
            name = queue.member(member.id).run if self.sweep.run_of(queue, member) else ""  # it may never have started
            return queue.with_member(
                member.id, run=name, outcome=ended.outcome, message=ended.message if failed else "")

        try:
            if self._strategy.is_rank_zero:
                self.sweep.change(note)
        except (UserError, OSError) as error:  # the run's own log has its end when the sweep continues
            return self._wait(Ended(outcome="failed", message=error_text(error)))
        return MemberEnd("failed" if failed else "finished", ended, ended.message)

    def _wait(self, ended: Ended) -> MemberEnd:
        if self._strategy.is_rank_zero:
            with suppress(UserError, OSError):  # a full disk is reported by the caller
                self.sweep.change(lambda queue: queue.but(message=ended.message))
        return MemberEnd("waits", ended, ended.message)

    def may_go_on_after(self, end: MemberEnd) -> bool:
        """Return whether the same processes can train the next member. With several processes, only a divergence is
        certain to have ended all of them at the same place."""
        if end.verdict in ("stopped", "waits"):
            return False
        return end.verdict == "finished" or self._strategy.size == 1 or end.ended.error == "Diverged"


def _is_disk_full(ended: Ended, member: SweepMember) -> bool:
    """Return whether a run failed because the disk is full."""
    if any(f"[Errno {number}]" in ended.details for number in FULL):
        return True
    needed = checkpoint_files.needed_bytes(member.spec)
    return ended.error == "CheckpointError" and files.free_bytes(paths.runs()) < needed * checkpoint_files.RESERVE
