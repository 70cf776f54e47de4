"""Answers of the worker for short tasks about runs: the list of runs, and what was added to their journals.

No torch: the window requests the list before torch is loaded.
"""

from __future__ import annotations

import time
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Literal

from gptstudio import paths
from gptstudio.errors import UserError
from gptstudio.gui.translation import tr
from gptstudio.gui.worker import Job, Post
from gptstudio.history import added_runs
from gptstudio.history.journal_tail import PIECE, Tail
from gptstudio.history.run_history import Block, parse
from gptstudio.history.summary import RunSummary, Summaries
from gptstudio.training import run_folder
from gptstudio.training.events import Ended, Event, RunStarted
from gptstudio.training.run_folder import RunFolder

PIECES = 16
"""Maximum number of journal chunks per read, about 80,000 steps in a tenth of a second: then the worker runs other
jobs, and the points read so far are drawn."""

REPORT_AFTER_S = 0.5

State = Literal["live", "finished", "stopped", "failed", "interrupted"]


@dataclass(frozen=True)
class RunEntry:
    """One run of the list. ``live``: a process is writing it; ``interrupted``: none is, and it has no end.

    ``saved``: it has a checkpoint.
    """

    summary: RunSummary
    state: State
    saved: bool

    @property
    def path(self) -> Path:
        return self.summary.folder.path


@dataclass(frozen=True)
class RunsListed:
    """All runs that can be read, and why others cannot be."""

    runs: list[RunEntry]
    unreadable: tuple[str, ...] = ()


@dataclass(frozen=True)
class RunChanged:
    """One run as it is now."""

    run: RunEntry


@dataclass(frozen=True)
class Grown:
    """Result of one read of a journal.

    Attributes:
        blocks: for the run's history.
        news: anything was added, even if no event.
        restarted: the journal is not the one read so far; discard everything before.
        ended: the run has ended.
    """

    follower: Follower
    blocks: list[Block]
    news: bool
    restarted: bool
    ended: bool


@dataclass(frozen=True)
class JournalsChecked:
    """All journals that were asked for have been looked at. ``more``: there is more to be read at once."""

    more: bool


@dataclass(frozen=True)
class JournalRead:
    """Next events of a run that is shown from its journal. ``restarted`` and ``more``: as for curves."""

    tail: Tail
    events: list[Event]
    restarted: bool
    more: bool


@dataclass(frozen=True)
class Chosen:
    """The checkpoint of a run to talk to."""

    checkpoint: Path


@dataclass(frozen=True)
class Advanced:
    """Progress of a longer task: the fraction that is done, from 0 to 1."""

    words: str
    share: float


@dataclass(frozen=True)
class Listing(Advanced):
    """Progress of reading the list of runs."""


@dataclass(frozen=True)
class Done:
    """Something was done to runs, or could not be, and why."""

    words: str = ""
    problem: bool = False


class Library:
    """List of runs. Its jobs run on the thread of the worker for short tasks; nothing else uses its cache."""

    def __init__(self) -> None:
        self._summaries: Summaries | None = None

    def list(self, post: Post) -> None:
        """The user's runs, and those added from elsewhere."""
        runs = run_folder.all_runs()
        known = {run.path for run in runs}
        runs += [RunFolder(path) for path in added_runs.folders(paths.added_runs()) if path not in known]
        unreadable: list[str] = []
        summaries = self._remembered().of_all(_reporting(runs, post), lambda error: unreadable.append(str(error)))
        post(RunsListed([self._listed(summary) for summary in summaries], tuple(unreadable)))

    def look(self, followers: Sequence[Follower]) -> Job:
        """Read what was added to the journals that are followed."""

        def job(post: Post) -> None:
            more = False
            try:
                for follower in followers:
                    grown = follower.look(max(1, PIECES // len(followers)))
                    post(grown)
                    if grown.news:
                        more = True
                        self._report(follower.run, post)
            finally:
                post(JournalsChecked(more))

        return job

    def _report(self, run: RunFolder, post: Post) -> None:
        try:
            post(RunChanged(self._listed(self._remembered().of(run))))
        except UserError:  # it was taken away meanwhile, which the next list will show
            return

    def _listed(self, summary: RunSummary) -> RunEntry:
        saved = bool(summary.folder.checkpoints())
        if summary.figures.outcome is None:
            if summary.folder.written_elsewhere:
                return RunEntry(summary, "live", saved)
            summary = self._remembered().of(summary.folder)  # it may have ended between the two looks
        return RunEntry(summary, summary.figures.outcome or "interrupted", saved)

    def _remembered(self) -> Summaries:
        if self._summaries is None:
            self._summaries = Summaries(paths.summaries())
        return self._summaries


def _reporting(runs: Sequence[RunFolder], post: Post) -> Iterator[RunFolder]:
    """The runs, one by one; tells how far it has come where many journals are read for the first time."""
    began = time.monotonic()
    for number, run in enumerate(runs):
        if time.monotonic() - began > REPORT_AFTER_S:
            post(Listing(tr("Reading the logs of {n} runs", n=f"{len(runs):,}"), number / len(runs)))
        yield run


class Follower:
    """Parses what is added to a journal. After creation, only the thread of the worker uses it."""

    def __init__(self, run: RunFolder) -> None:
        self.run = run
        self._tail = Tail(run.journal_path)
        self._ended = False

    def look(self, pieces: int = PIECES) -> Grown:
        blocks: list[Block] = []
        news = restarted = False
        for _ in range(pieces):
            added = self._tail.read(PIECE)
            if added.restarted:
                blocks, restarted, self._ended = [], True, False
            if not added.lines:
                break
            news = True
            blocks.extend(parse(added.lines))
        for event in (event for block in blocks for _, event in block.others):
            if isinstance(event, (RunStarted, Ended)):
                self._ended = isinstance(event, Ended)
        return Grown(self, blocks, news, restarted, self._ended)


def read_on(tail: Tail) -> Job:
    """The next piece of a journal, as events."""

    def job(post: Post) -> None:
        news = tail.read()
        post(JournalRead(tail, news.events(), news.restarted, more=bool(news.lines)))

    return job
