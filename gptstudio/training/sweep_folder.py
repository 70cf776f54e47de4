"""A sweep on the disk: what was asked, and how far its queue of runs has come. No torch.

::

    sweeps/learning rate/
        sweep.json      the sweep as it was asked for; never changed
        queue.json      the order, what is skipped, and the run and the end of each member
        lock            held by the program that trains the sweep
        writer.json     who that is

The runs are among the user's others, and stay what they are whatever becomes of this folder.
"""

from __future__ import annotations

import os
import threading
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass
from datetime import datetime
from pathlib import Path
from typing import Annotated, Any, Literal, TypeVar

from pydantic import BaseModel, ConfigDict, Field

import gptstudio
from gptstudio import files, formats, paths
from gptstudio.errors import UserError
from gptstudio.i18n import message
from gptstudio.training import file_format
from gptstudio.training.event_text import PARTS, Text, WithText
from gptstudio.training.run_folder import RunFolder
from gptstudio.training.run_lock import ReadOnly, RunLock
from gptstudio.training.sweep_spec import SweepMember, SweepSpec, members

FORMAT = formats.SWEEP
T = TypeVar("T", bound=BaseModel)
_changing = threading.RLock()
"""Held while a queue is read and written again: the window changes it while another of its threads trains."""
_ours: set[Path] = set()
"""Folders of the sweeps that this process trains."""

MemberOutcome = Literal["", "finished", "failed"]
MemberStatus = Literal["pending", "started", "finished", "failed", "skipped"]


class MemberState(WithText, BaseModel):
    """Progress of a member. ``run`` is its folder, by name among the user's runs; ``message`` is why it failed."""

    model_config = ConfigDict(frozen=True)

    run: str = ""
    outcome: MemberOutcome = ""
    message: Text = ""


class Queue(WithText, BaseModel):
    """The members of a sweep in the order in which they are trained, by id. ``message`` is why it waits, if it does.
    ``skipped`` holds what an earlier version was told to leave out."""

    model_config = ConfigDict(frozen=True)

    format: int = FORMAT
    order: tuple[str, ...]
    skipped: frozenset[str] = frozenset()
    members: Mapping[str, MemberState] = Field(default_factory=dict)
    message: Text = ""

    def member(self, name: str) -> MemberState:
        return self.members.get(name, MemberState())

    def status(self, name: str) -> MemberStatus:
        """Return how far a member has come; one that has started and not ended is continued."""
        state = self.member(name)
        return state.outcome or ("skipped" if name in self.skipped else "started" if state.run else "pending")

    @property
    def open(self) -> tuple[str, ...]:
        """The members that are still to be trained, in order."""
        return tuple(name for name in self.order if self.status(name) in ("pending", "started"))

    def but(self, **changes: Any) -> Queue:
        return self.model_copy(update=changes)

    def with_member(self, name: str, **changes: Any) -> Queue:
        return self.but(members={**self.members, name: self.member(name).model_copy(update=changes)})

    def retry(self) -> Queue:
        """Have the members that failed trained once more, and those that an earlier version was told to skip."""
        queue = self.but(skipped=frozenset())
        for name in self.order:
            if self.member(name).outcome == "failed":
                queue = queue.with_member(name, outcome="", message="")
        return queue


class SweepRecord(BaseModel):
    """Content of ``sweep.json``."""

    model_config = ConfigDict(frozen=True, extra="forbid")

    format: int = FORMAT
    created: datetime
    version: Annotated[str, Field(max_length=40)] = gptstudio.__version__
    spec: SweepSpec


@dataclass(frozen=True)
class SweepFolder:
    """One sweep's folder."""

    path: Path

    @classmethod
    def of_name(cls, name: str) -> SweepFolder:
        return cls(paths.sweeps() / name)

    @property
    def exists(self) -> bool:
        return (self.path / "sweep.json").is_file()

    @classmethod
    def open_or_create(cls, spec: SweepSpec) -> SweepFolder:
        """Return the folder of a sweep, made if it is not there.

        Raises:
            UserError: a sweep of that name has other settings, is damaged, or nothing can be written.
        """
        sweep = cls.of_name(spec.name)
        if not sweep.exists:
            try:
                sweep.create(spec)
            except OSError as error:
                raise UserError(message(
                    "Could not write to the folder {path}: {why}.",
                    path=sweep.path, why=error.strerror or error)) from error
        elif sweep.record().spec != spec:
            raise UserError(message(
                "There is a sweep named {name} with other settings. Give this one another name, or continue that one.",
                name=spec.name))
        return sweep

    def create(self, spec: SweepSpec) -> None:
        """Make the folder of a sweep that is not there yet.

        Raises:
            OSError: it cannot be written.
        """
        self.path.mkdir(parents=True, exist_ok=True)
        self._write(Queue(order=tuple(member.id for member in members(spec))))
        record = SweepRecord(created=datetime.now().astimezone(), spec=spec)  # last: with it, the sweep is there
        files.write_whole(self.path / "sweep.json", file_format.sealed(record.model_dump(mode="json")))
        files.flush(self.path.parent)

    @property
    def name(self) -> str:
        return self.path.name

    def record(self) -> SweepRecord:
        """Return what was asked for.

        Raises:
            UserError: the file cannot be read, is damaged, or of a newer version.
        """
        return self._read("sweep.json", SweepRecord)

    def queue(self) -> Queue:
        """Return how far the sweep has come.

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
        """Change the queue, also while another thread of this process trains it; return it as it is now.

        Raises:
            UserError: another program trains the sweep, or the file is damaged.
            OSError: the disk refused.
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
        """Hold this sweep for training within the context, unless this process does already.

        Raises:
            UserError: another program trains it, or nothing can be written there.
        """
        with _changing:
            if self.path in _ours:
                held = None
            else:
                held = RunLock(self.path).writing()
                try:
                    held.__enter__()
                except ReadOnly as error:
                    raise UserError(message(
                        "Could not write to {folder}. The sweep {name} can only be viewed here.",
                        folder=self.path, name=self.name)) from error
                except UserError as error:
                    raise self._taken() from error
                _ours.add(self.path)
        try:
            yield
        finally:
            if held:
                with _changing:
                    _ours.discard(self.path)
                    held.__exit__(None, None, None)

    def _taken(self) -> UserError:
        if not self.path.is_dir():
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
        """Return whether another program trains the sweep at this moment."""
        return self.path not in _ours and RunLock(self.path).is_held(self.path / "queue.json")

    def run_of(self, queue: Queue, member: SweepMember) -> RunFolder | None:
        """Return the run of a member; None if it has none, or if it is gone."""
        name = queue.member(member.id).run
        run = RunFolder(paths.runs() / name)
        return run if name and os.path.basename(name) == name and (run.path / "run.json").is_file() else None


def all_sweeps() -> list[SweepFolder]:
    """The user's sweeps, the oldest first; those that cannot be read come last."""
    found = [SweepFolder(path.parent) for path in paths.sweeps().glob("*/sweep.json")]
    return sorted(found, key=_age)


def _age(sweep: SweepFolder) -> tuple[bool, float, str]:
    try:
        return False, sweep.record().created.timestamp(), sweep.name
    except (UserError, OverflowError, OSError):
        return True, 0, sweep.name
