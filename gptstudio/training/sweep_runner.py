"""Training of a sweep's runs, one after the other: what comes next, and what becomes of each end. No torch.

Every run is launched or resumed as any other. What has been decided is on the disk before it is done, so that a program
that is killed at any moment continues where it was.
"""

from __future__ import annotations

import shutil
from collections.abc import Sequence
from contextlib import suppress
from dataclasses import dataclass
from datetime import datetime
from pathlib import Path
from typing import Literal

from gptstudio import files, paths
from gptstudio.data.encodings import Progress, unwatched
from gptstudio.devices import DeviceLost
from gptstudio.errors import UserError
from gptstudio.gpt import sizing
from gptstudio.gpt.config import config_name
from gptstudio.i18n import message
from gptstudio.training import checkpoint_files, journal, launch
from gptstudio.training.control import Control
from gptstudio.training.events import Ended, Event, RunStarted
from gptstudio.training.executor import FULL, WORDS, Sink, in_words
from gptstudio.training.journal import Journal
from gptstudio.training.run_folder import RunFolder, stamp
from gptstudio.training.strategy import SINGLE_PROCESS, Strategy
from gptstudio.training.sweep_folder import Queue, SweepFolder
from gptstudio.training.sweep_spec import SweepMember, members

Verdict = Literal["finished", "failed", "stopped", "waits"]
"""End of a member; ``waits``: not through its own fault, so it stays in the queue, which waits for the user."""


@dataclass(frozen=True)
class Start:
    """Start of a member: from its beginning into ``path``, from its last checkpoint, or not any more."""

    kind: Literal["launch", "resume", "done"]
    path: Path

    @property
    def run(self) -> RunFolder:
        return RunFolder(self.path)


@dataclass(frozen=True)
class MemberEnd:
    """The end of a member; ``message`` says why it failed, or what the queue waits for."""

    verdict: Verdict
    ended: Ended
    message: str = ""


class SweepRunner:
    """Trains the members of a sweep, each when it is asked to. Whoever calls it holds the sweep for writing.

    Args:
        strategy: the processes that train together; that of rank zero decides and writes.
        anyway: train even if the free memory is not expected to suffice.
    """

    def __init__(self, sweep: SweepFolder, strategy: Strategy = SINGLE_PROCESS, anyway: bool = False):
        self.sweep, self._strategy, self._anyway = sweep, strategy, anyway
        self.members = {member.id: member for member in strategy.on_rank_zero(lambda: members(sweep.record().spec))}

    def next(self) -> SweepMember | None:
        """Return the member that comes next; None if all have ended or are skipped.

        Raises:
            UserError: the queue cannot be read.
        """
        name = self._strategy.on_rank_zero(lambda: next(iter(self.sweep.queue().open), None))
        return self.members[name] if name else None

    def prepare(self, member: SweepMember) -> Start | MemberEnd:
        """Return how a member is to be trained, after its run was noted in the queue, before there is one; or why the
        queue waits: the disk has no room, or the queue cannot be read or written."""
        try:
            return self._strategy.on_rank_zero(lambda: self._start_of(member))
        except (UserError, OSError) as error:
            return self._wait(Ended(outcome="failed", message=in_words(error)))

    def train(
        self, member: SweepMember, start: Start, control: Control, sinks: Sequence[Sink], reading: Progress = unwatched
    ) -> MemberEnd:
        """Train a member to its end, and note that in the queue. Raises nothing, as :func:`launch.launch`."""
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
        """Return where a stopped, failed or killed run of a member continues; None if it begins anew."""
        try:
            if run.record().spec != member.spec:
                return None  # another run took its place
        except UserError:
            return None
        if ended_of(run) == "finished":
            return Start("done", run.path)
        if run.resumable():
            return Start("done" if self._complete(run) else "resume", run.path)
        if run.written_elsewhere:
            return None
        shutil.rmtree(run.path, ignore_errors=True)  # nothing was saved that it could continue from
        return None if run.path.exists() else Start("launch", run.path)

    def _complete(self, run: RunFolder) -> bool:
        """Return whether all steps of a run are in its last checkpoint, and only its end was not noted any more; note
        it."""
        total = next((event.total_steps for event in run.events() if isinstance(event, RunStarted)), 0)
        try:
            state = checkpoint_files.read_state(run.resumable()[-1])
        except UserError:
            return False
        if not total or state.unfinished or state.step + 1 < total:
            return False
        with run.writing():
            record = Journal(run.journal_path)
            record(Ended(outcome="finished", message=WORDS["finished"]))
            record.close()
        return True

    def _check_space(self, member: SweepMember) -> None:
        spec, folder = member.spec, paths.runs()
        needed = checkpoint_files.needed_bytes(spec)
        free = files.free_bytes(folder)
        if free < needed * checkpoint_files.RESERVE:
            raise UserError(message(
                "The disk is full: a checkpoint needs {needed} MB and 5 % in reserve, but only {free} MB are free at "
                "{path}. The sweep waits, and no run is lost. Free some space and continue it.",
                needed=f"{needed / sizing.MB:,.0f}", free=f"{free / sizing.MB:,.0f}", path=folder))

    def _titled(self, run: RunFolder, member: SweepMember) -> Sink:
        """Return a sink that gives a run its title once it has begun, while its folder is held by this process."""

        def sink(event: Event) -> None:
            if isinstance(event, RunStarted):
                title = f"{self.sweep.name}: {member.label}"
                with suppress(UserError, OSError):  # the run is worth more than its title
                    run.write(run.record().model_copy(update={"title": title}))

        return sink

    def _note_end(self, member: SweepMember, ended: Ended) -> MemberEnd:
        if ended.outcome == "stopped":
            return MemberEnd("stopped", ended)
        if ended.outcome == "failed" and (_is_disk_full(ended, member) or ended.error == DeviceLost.__name__):
            return self._wait(ended)
        failed = ended.outcome == "failed"

        def note(queue: Queue) -> Queue:
            name = queue.member(member.id).run if self.sweep.run_of(queue, member) else ""  # it may never have begun
            return queue.with_member(
                member.id, run=name, outcome=ended.outcome, message=ended.message if failed else "")

        try:
            if self._strategy.is_rank_zero:
                self.sweep.change(note)
        except (UserError, OSError) as error:  # the run itself says how it ended, when the sweep continues
            return self._wait(Ended(outcome="failed", message=in_words(error)))
        return MemberEnd("failed" if failed else "finished", ended, ended.message)

    def _wait(self, ended: Ended) -> MemberEnd:
        def note(queue: Queue) -> Queue:
            return queue.but(message=ended.message)

        if self._strategy.is_rank_zero:
            with suppress(UserError, OSError):  # of a full disk, the caller says so
                self.sweep.change(note)
        return MemberEnd("waits", ended, ended.message)

    def may_go_on_after(self, end: MemberEnd) -> bool:
        """Return whether the next member can be trained by the same processes. Where one of several has failed, only a
        divergence is certain to have ended all of them at the same place."""
        if end.verdict in ("stopped", "waits"):
            return False
        return end.verdict == "finished" or self._strategy.size == 1 or end.ended.error == "Diverged"


def ended_of(run: RunFolder) -> str:
    """Return how a run ended, by its journal; empty if it did not."""
    outcome = ""
    for event in journal.read(run.journal_path):
        if isinstance(event, RunStarted):
            outcome = ""
        elif isinstance(event, Ended):
            outcome = event.outcome
    return outcome


def _is_disk_full(ended: Ended, member: SweepMember) -> bool:
    """Return whether a run failed because nothing could be saved any more."""
    if any(f"[Errno {number}]" in ended.details for number in FULL):
        return True
    spec = member.spec
    needed = checkpoint_files.needed_bytes(spec)
    return ended.error == "CheckpointError" and files.free_bytes(paths.runs()) < needed * checkpoint_files.RESERVE
