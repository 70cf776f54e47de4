"""Results of a sweep, from the journals of its runs: a table, mean and spread over the seeds, and a grid. No torch.

Losses are in nats per token, measured with dropout off. Runs with different vocabularies are compared in bits per byte.
"""

from __future__ import annotations

import math
import statistics
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path

from gptstudio import files
from gptstudio.errors import UserError
from gptstudio.history import run_history
from gptstudio.history.columns import Numbers
from gptstudio.history.run_history import Best, History
from gptstudio.training.run_folder import RunFolder
from gptstudio.training.sweep_runner import MemberStatus, Queue, SweepFolder
from gptstudio.training.sweep_spec import SweepMember, SweepSpec, Value, members

LEAST_STEPS = 10
"""Number of steps after which the speed of a run is known: the first steps take longer."""


@dataclass(frozen=True)
class MemberResult:
    """One run of a sweep, up to its last event.

    Attributes:
        message: reason for its failure; empty if it has not failed.
        train_loss, val_loss: losses of its last evaluation; None before the first.
        bits_per_byte: the lowest validation loss in bits per byte; None if it is not known.
        elapsed_s: seconds of training, without pauses.
    """

    member: SweepMember
    status: MemberStatus
    run: RunFolder | None = None
    message: str = ""
    steps: int = 0
    total_steps: int = 0
    train_loss: float | None = None
    val_loss: float | None = None
    best: Best | None = None
    bits_per_byte: float | None = None
    elapsed_s: float = 0.0

    @property
    def best_val_loss(self) -> float | None:
        return self.best.val_loss if self.best else None


@dataclass(frozen=True)
class Group:
    """Best validation losses of the finished runs that differ only in their seeds, in the unit of the results.

    Attributes:
        mean: None if no run has finished with a loss.
        spread: sample standard deviation (n - 1 in the denominator); None for fewer than two runs.
    """

    values: Mapping[str, Value]
    count: int
    mean: float | None
    spread: float | None
    lowest: float | None


@dataclass(frozen=True)
class SweepResults:
    """All results of a sweep. ``members`` are in the order of the queue."""

    spec: SweepSpec
    queue: Queue
    members: tuple[MemberResult, ...]

    @property
    def in_bits(self) -> bool:
        """True if the runs have different vocabularies, so that only losses in bits per byte can be compared."""
        return not {"vocabulary", "vocab_size"}.isdisjoint(each.field for each in self.spec.vary)

    def compared(self, each: MemberResult) -> float | None:
        """Return the best validation loss of a run in the unit in which the runs are compared."""
        return each.bits_per_byte if self.in_bits else each.best_val_loss

    @property
    def table(self) -> list[MemberResult]:
        """Members by their best validation loss, the lowest first; members without one come last."""
        losses = {each.member.id: self.compared(each) for each in self.members}
        return sorted(self.members, key=lambda each: _or_last(losses[each.member.id]))

    @property
    def groups(self) -> list[Group]:
        """Groups, one for each combination of values, the lowest mean first; groups without one come last."""
        found: dict[tuple[Value, ...], list[MemberResult]] = {}
        for each in sorted(self.members, key=lambda each: each.member.number):
            found.setdefault(tuple(each.member.values.values()), []).append(each)
        groups = [self._group(each) for each in found.values()]
        return sorted(groups, key=lambda each: _or_last(each.mean))

    def _group(self, runs: Sequence[MemberResult]) -> Group:
        found = (self.compared(each) for each in runs if each.status == "finished")
        losses = [loss for loss in found if loss is not None]
        return Group(
            runs[0].member.values, len(losses), statistics.fmean(losses) if losses else None,
            statistics.stdev(losses) if len(losses) > 1 else None, min(losses, default=None))

    @property
    def grid(self) -> list[list[Group]] | None:
        """Groups of a sweep of two settings: one row per value of the first, one column per value of the second. None
        if the sweep has another number of settings."""
        if len(self.spec.vary) != 2:
            return None
        by_values = {tuple(group.values.values()): group for group in self.groups}
        first, second = self.spec.vary
        return [[by_values[row, column] for column in second.values] for row in first.values]

    def count(self, *statuses: MemberStatus) -> int:
        return sum(each.status in statuses for each in self.members)

    @property
    def left(self) -> int:
        """Number of runs that are still to be trained or continued."""
        return len(self.queue.open)

    def remaining_s(self) -> float | None:
        """Return the expected seconds for the open runs, at the speed so far: of runs with the same values, otherwise
        of all runs. None before a run has taken ``LEAST_STEPS`` steps."""
        rates = {
            each.member.id: each.elapsed_s / each.steps for each in self.members
            if each.elapsed_s and (each.steps >= LEAST_STEPS or each.status == "finished")}
        known = [each for each in self.members if each.member.id in rates]
        if not known:
            return None
        total, mean = 0.0, statistics.fmean(rates.values())
        steps = round(statistics.fmean(each.total_steps for each in known))
        for each in self.members:
            if each.status in ("pending", "started"):
                same = [rates[other.member.id] for other in known if other.member.values == each.member.values]
                left = (each.total_steps or steps) - each.steps
                total += max(0, left) * (statistics.fmean(same) if same else mean)
        return total


def read(sweep: SweepFolder) -> SweepResults:
    """Read the results of a sweep so far. A run that cannot be read has no figures.

    Raises:
        UserError: the sweep cannot be read.
    """
    spec, queue = sweep.record().spec, sweep.queue()
    by_id = {member.id: member for member in members(spec)}
    return SweepResults(spec, queue, tuple(_result(sweep, queue, by_id[name]) for name in queue.order))


def _result(sweep: SweepFolder, queue: Queue, member: SweepMember) -> MemberResult:
    state = queue.member(member.id)
    run = sweep.run_of(queue, member)
    status = queue.status(member.id)
    if run is None:
        return MemberResult(member, status, message=state.message)
    history = _history(run)
    losses = history.evaluations
    return MemberResult(
        member, status, run, state.message, steps=history.last_step + 1,
        total_steps=history.started.total_steps if history.started else 0,
        train_loss=_last(losses["train_loss"]), val_loss=_last(losses["val_loss"]), best=history.best,
        bits_per_byte=history.best.bits_per_byte(history.bytes_per_token[1]) if history.best else None,
        elapsed_s=_last(history.steps["elapsed_s"]) or 0.0,
    )


_read: dict[Path, tuple[tuple[int, int], History]] = {}
"""Histories by journal, with its size and time: a journal that has not changed is not read again."""


def _history(run: RunFolder) -> History:
    path = run.journal_path
    try:
        stat = path.stat()
        key = stat.st_size, stat.st_mtime_ns
        if path not in _read or _read[path][0] != key:
            _read[path] = key, run_history.read(path)
        return _read[path][1]
    except (OSError, UserError):
        return History()


def _last(values: Numbers) -> float | None:
    return float(values[-1]) if len(values) else None


def _or_last(loss: float | None) -> float:
    return math.inf if loss is None else loss


# The table as text.

HEADINGS = (
    "run", "seed", "status", "best_val_loss", "best_step", "best_bits_per_byte", "train_loss", "val_loss", "steps",
    "seconds", "error")


def write_csv(results: SweepResults, path: Path) -> None:
    """Save the table of results as CSV.

    Raises:
        UserError: the file cannot be written.
    """
    files.save_csv(path, rows(results))


def rows(results: SweepResults) -> Iterator[list[object]]:
    """Yield the table for a file: headings, then one row per run, the lowest loss first."""
    names = [each.field for each in results.spec.vary]
    yield [*names, *HEADINGS]
    for each in results.table:
        run = each.run.name if each.run else ""
        yield [*each.member.values.values(), run, each.member.seed, each.status, *_cells(each), str(each.message)]


def _cells(each: MemberResult) -> Iterable[object]:
    best = (each.best.val_loss, each.best.step + 1) if each.best else ("", "")
    last = ["" if loss is None else loss for loss in (each.bits_per_byte, each.train_loss, each.val_loss)]
    return *best, *last, each.steps, round(each.elapsed_s, 3)
