"""Answers of the worker for short tasks about runs: the list of runs, and what was added to their journals.

No torch: the window requests the list before torch is loaded.
"""

from __future__ import annotations

import time
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Literal, NamedTuple

import numpy as np

from gptstudio import paths
from gptstudio.errors import UserError
from gptstudio.gpt.sizing import MB
from gptstudio.gui.translation import tr
from gptstudio.gui.worker import Job, Post
from gptstudio.history import added_runs
from gptstudio.history.columns import Columns, Numbers
from gptstudio.history.journal_tail import PIECE, Tail
from gptstudio.history.run_history import Axis, History
from gptstudio.history.summary import RunSummary, Summaries
from gptstudio.training import run_folder
from gptstudio.training.events import Event
from gptstudio.training.run_folder import RunFolder

AXES: dict[str, tuple[Axis, float]] = {
    "step": ("step", 1), "epoch": ("epoch", 1), "tokens": ("tokens", 1), "minutes": ("seconds", 1 / 60)
}
"""Possible x axes of curves: the axis of a history, and the factor that its values are multiplied by."""

PIECES = 16
"""Maximum number of journal chunks per read, about 80,000 steps in a tenth of a second: then the worker runs other
jobs, and the points read so far are drawn."""

REPORT_AFTER_S = 0.5

State = Literal["live", "finished", "stopped", "failed", "interrupted"]


@dataclass(frozen=True)
class Listed:
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

    runs: list[Listed]
    unreadable: tuple[str, ...] = ()


@dataclass(frozen=True)
class RunChanged:
    """One run as it is now."""

    run: Listed


class Points(NamedTuple):
    """New points of one curve: an x for each of ``AXES``, and y; (n,) each."""

    x: Mapping[str, Numbers]
    y: Numbers


@dataclass(frozen=True)
class Grown:
    """Result of one read of a journal.

    Attributes:
        points: by the name of the curve.
        news: anything was added, even if no point.
        restarted: the journal is not the one read so far; discard everything before.
        ended: the run has ended.
    """

    follower: Follower
    points: dict[str, Points]
    news: bool
    restarted: bool
    ended: bool


@dataclass(frozen=True)
class Looked:
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
        summaries = self._remembered().of_all(_telling(runs, post), lambda error: unreadable.append(str(error)))
        post(RunsListed([self._listed(summary) for summary in summaries], tuple(unreadable)))

    def look(self, followers: Sequence[Follower]) -> Job:
        """Reads what was added to the journals that are followed."""

        def job(post: Post) -> None:
            more = False
            try:
                for follower in followers:
                    grown = follower.look(max(1, PIECES // len(followers)))
                    post(grown)
                    if grown.news:
                        more = True
                        self._tell(follower.run, post)
            finally:
                post(Looked(more))

        return job

    def _tell(self, run: RunFolder, post: Post) -> None:
        try:
            post(RunChanged(self._listed(self._remembered().of(run))))
        except UserError:  # it was taken away meanwhile, which the next list will show
            return

    def _listed(self, summary: RunSummary) -> Listed:
        saved = bool(summary.folder.checkpoints())
        if summary.figures.outcome is None:
            if summary.folder.written_elsewhere:
                return Listed(summary, "live", saved)
            summary = self._remembered().of(summary.folder)  # it may have ended between the two looks
        return Listed(summary, summary.figures.outcome or "interrupted", saved)

    def _remembered(self) -> Summaries:
        if self._summaries is None:
            self._summaries = Summaries(paths.summaries())
        return self._summaries


def _telling(runs: Sequence[RunFolder], post: Post) -> Iterator[RunFolder]:
    """The runs, one by one; tells how far it has come where many journals are read for the first time."""
    began = time.monotonic()
    for number, run in enumerate(runs):
        if time.monotonic() - began > REPORT_AFTER_S:
            post(Listing(tr("Reading the logs of {n} runs", n=f"{len(runs):,}"), number / len(runs)))
        yield run


@dataclass(eq=False)
class Follower:
    """Converts additions to a journal into points of curves. After creation, only the thread of the worker uses it."""

    run: RunFolder
    _history: History = field(default_factory=History)
    _taken: dict[str, int] = field(default_factory=dict)

    def __post_init__(self) -> None:
        self._tail = Tail(self.run.journal_path)

    def look(self, pieces: int = PIECES) -> Grown:
        told = restarted = False
        for _ in range(pieces):
            news = self._tail.read(PIECE)
            if news.restarted:
                self._history, self._taken, restarted = History(), {}, True
            self._history.extend(news.lines)
            if not news.lines:
                break
            told = True
        begun = self._history.started is not None and len(self._history.steps) > 0
        groups = self._groups() if begun else {}
        restarted |= any(len(columns) < self._taken.get(name, 0) for name, (columns, _) in groups.items())
        if restarted:
            self._taken = {}
        points = {curve: made for group in groups.items() for curve, made in self._new(*group)}
        return Grown(self, points, told, restarted, self._history.ended is not None)

    def _groups(self) -> dict[str, tuple[Columns, dict[str, Callable[[int], Numbers]]]]:
        """Curves whose points lie at the same x: the rows they are of, and y from a row on. Memory is in MB."""
        steps, evaluations, memory = self._history.steps, self._history.evaluations, self._history.memory
        return {
            "steps": (steps, {
                "step_loss": lambda start: steps["loss"][start:],
                "learning_rate": lambda start: steps["learning_rate"][start:],
                "gradient_norm": lambda start: steps["gradient_norm"][start:],
                "speed": self._history.tokens_per_second,
            }),
            "evaluations": (evaluations, {
                "train_loss": lambda start: evaluations["train_loss"][start:],
                "val_loss": lambda start: evaluations["val_loss"][start:],
            }),
            "memory": (memory, {"memory": lambda start: memory["used_bytes"][start:] / MB}),
        }

    def _new(
        self, name: str, group: tuple[Columns, dict[str, Callable[[int], Numbers]]]
    ) -> list[tuple[str, Points]]:
        columns, curves = group
        start = self._taken.get(name, 0)
        self._taken[name] = len(columns)
        if start == len(columns):
            return []
        x = {
            name: (self._history.x(columns, axis, start) + (axis == "step")) * factor
            for name, (axis, factor) in AXES.items()
        }
        return [(curve, Points(x, np.array(y(start)))) for curve, y in curves.items()]  # no view of what still grows


def read_on(tail: Tail) -> Job:
    """The next piece of a journal, as events."""

    def job(post: Post) -> None:
        news = tail.read()
        post(JournalRead(tail, news.events(), news.restarted, more=bool(news.lines)))

    return job
