"""``gptstudio sweep``: the same training with other values of one or two settings, one run after the other."""

from __future__ import annotations

import os
from contextlib import nullcontext
from pathlib import Path
from typing import Annotated

from cyclopts import Parameter

from gptstudio.cli import output
from gptstudio.cli.arguments import TRAINING, Json, switch
from gptstudio.cli.fetch import fetch
from gptstudio.cli.sweep_report import JsonReport, Report, TextReport, list_sweeps, save_csv, show_plan, show_results
from gptstudio.data import texts
from gptstudio.errors import UserError, shown
from gptstudio.files import PORTABLE
from gptstudio.training import signals, sweep_toml, temp_cleanup
from gptstudio.training.control import Control
from gptstudio.training.executor import Sink
from gptstudio.training.signals import stopped_by_signals
from gptstudio.training.strategy import Strategy
from gptstudio.training.sweep_folder import Queue, SweepFolder, all_sweeps
from gptstudio.training.sweep_runner import MemberEnd, SweepRunner
from gptstudio.training.sweep_spec import SweepMember, SweepSpec
from gptstudio.training.torchrun import join

FAILED = 1
"""The exit code where a run has failed, or the queue waits."""

Which = Annotated[str | None, Parameter(help="A .toml file that describes the sweep, or the name of a sweep.")]
Show = Annotated[bool, switch("Show the runs and results of the sweep, or what its file would train; train nothing.")]
List = Annotated[bool, switch("List your sweeps.")]
Csv = Annotated[
    Path | None, Parameter(help="Save the table of results as a CSV file.", metavar="FILE", show_default=False)]
Retry = Annotated[
    bool, Parameter(help="Train runs that have failed once more.", group=TRAINING, negative=(), show_default=False)]
Anyway = Annotated[bool, switch("Train even if the estimated memory exceeds the free memory.")]
Shard = Annotated[
    bool,
    Parameter(
        help="With torchrun: split the model across the processes, for a model too large for any single device.",
        group=TRAINING, negative=(), show_default=False,
    ),
]


def sweep(
    which: Which = None,
    *,
    show: Show = False,
    list: List = False,
    csv: Csv = None,
    retry: Retry = False,
    shard: Shard = False,
    anyway: Anyway = False,
    json: Json = False,
) -> int:
    """Train several runs one after the other: a setting with several values, or several random seeds.

    Run again, it continues where it was. Ctrl-C stops after the current step and saves the run. Started with torchrun,
    several processes train each run together: torchrun --nproc-per-node=2 -m -- gptstudio sweep FILE.
    """
    if list:
        list_sweeps(all_sweeps(), json)
        return 0
    if which is None:
        raise UserError("Name a .toml file that describes a sweep, or use --list to list your sweeps.")
    if show:
        return _show(_asked(which), csv, json)
    temp_cleanup.clear()
    strategy = join(shard)
    strategy.more_follow = strategy.size > 1
    folder = strategy.on_rank_zero(lambda: _folder(_asked(which)))
    with folder.writing() if strategy.is_rank_zero else nullcontext():
        if retry and strategy.is_rank_zero:
            folder.change(Queue.retry)
        report = (JsonReport(folder) if json else TextReport(folder)) if strategy.is_rank_zero else None
        code = _Training(SweepRunner(folder, strategy, anyway), strategy, report).run()
    if csv and strategy.is_rank_zero:
        save_csv(folder, csv)
    return code


def _show(found: SweepSpec | SweepFolder, csv: Path | None, json: bool) -> int:
    """Show a sweep; of a file that was not trained yet, what it would train."""
    if isinstance(found, SweepSpec):
        folder = SweepFolder.of_name(found.name)
        if not folder.exists or folder.record().spec != found:
            show_plan(found, json)
            return 0
        found = folder
    show_results(found, json)
    if csv:
        save_csv(found, csv)
    return 0


def _asked(which: str) -> SweepSpec | SweepFolder:
    """Return the sweep that a file describes, or the one of a name.

    Raises:
        UserError: there is neither.
    """
    path = Path(os.path.expanduser(which))
    if which.endswith(".toml") or os.path.isfile(path):
        return sweep_toml.read(path)
    found = SweepFolder.of_name(which)
    if PORTABLE.fullmatch(which) and found.exists:
        return found
    raise UserError(
        f"There is no sweep '{shown(which)}'. Use gptstudio sweep --list to list your sweeps, or give a .toml file "
        "that describes one.")


def _folder(found: SweepSpec | SweepFolder) -> SweepFolder:
    """Return the folder of a sweep, made if need be, once The Verdict is here if it is its text."""
    spec = found if isinstance(found, SweepSpec) else found.record().spec
    if texts.VERDICT in spec.base.text and texts.locate(texts.VERDICT) is None:
        fetch()
    return SweepFolder.open_or_create(found) if isinstance(found, SweepSpec) else found


class _SweepControl(Control):
    """Control of a sweep: stopping it stops the run that is trained."""

    run: Control | None = None

    def stop(self) -> None:
        super().stop()
        if self.run:
            self.run.stop()

    def of_next_run(self) -> Control:
        """Return a new control, of the run that is trained from here on."""
        self.run = Control()
        if self.stopping:
            self.run.stop()
        return self.run


class _Training:
    """Trains what is open in a sweep. ``report`` is told of it; None in processes that have nothing to say."""

    def __init__(self, runner: SweepRunner, strategy: Strategy, report: Report | None):
        self._runner, self._strategy, self._report = runner, strategy, report
        self._control = _SweepControl()

    def run(self) -> int:
        """Train to the end, Ctrl-C, or a reader who goes away; return the exit code."""
        end: MemberEnd | None = None
        with stopped_by_signals(self._control) as listener:
            if self._report:
                self._report.started()
            while not self._is_stopping() and (member := self._runner.next()):
                end = self._train(member, listener)
                if not self._runner.may_go_on_after(end):
                    break
        stopped = self._control.stopping or (end is not None and end.verdict == "stopped")
        failed = self._strategy.on_rank_zero(self._has_failed) if end is None or end.verdict != "failed" else True
        if end is None or end.verdict != "failed":
            self._strategy.more_follow = False
            self._strategy.shut_down()
        if self._report:
            self._report.ended("stopped" if stopped else end.verdict if end else "finished")
        if stopped:
            return signals.exit_code()
        if end and end.verdict == "waits" and self._report:
            output.note(end.message, "red")
        return FAILED if failed or (end and end.verdict == "waits") else 0

    def _has_failed(self) -> bool:
        queue = self._runner.sweep.queue()
        return any(queue.status(name) == "failed" for name in queue.order)

    def _is_stopping(self) -> bool:
        """Return whether a signal came between two runs; all processes agree on it where there are several."""
        shared = self._strategy.shared_control(self._control)
        if self._strategy.size > 1:
            shared.take_step()
        return shared.stopping

    def _train(self, member: SweepMember, listener: Sink) -> MemberEnd:
        start = self._runner.prepare(member)
        if isinstance(start, MemberEnd):
            return start
        sinks: list[Sink] = [listener]
        report = self._report
        if report:
            report.member_started(member, start)
            sinks.append(output.while_read(report.sink(self._control), self._control))
        end = self._runner.train(member, start, self._control.of_next_run(), sinks)
        if report:
            report.member_ended(member, end)
        return end
