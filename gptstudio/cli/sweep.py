"""``gptstudio sweep``: the same training with different values of one or two settings, one run after the other."""

from __future__ import annotations

import os
from collections.abc import Iterable, Mapping
from contextlib import nullcontext
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

from cyclopts import Parameter
from rich import box
from rich.table import Table
from rich.text import Text

from gptstudio.cli import output
from gptstudio.cli.arguments import TRAINING, Json, check_used, switch, user_path
from gptstudio.cli.terminal import RunProgress, clock
from gptstudio.cli.train import Anyway, Shard, fetch
from gptstudio.data import texts
from gptstudio.errors import UserError, shown
from gptstudio.files import PORTABLE
from gptstudio.training import signals, sweep_toml, temp_cleanup
from gptstudio.training.control import Control
from gptstudio.training.events import Event, Warned
from gptstudio.training.executor import Sink
from gptstudio.training.signals import stopped_by_signals
from gptstudio.training.strategy import Strategy
from gptstudio.training.sweep_runner import MemberEnd, Queue, Start, SweepFolder, SweepRunner, all_sweeps
from gptstudio.training.sweep_spec import SweepMember, SweepSpec, Value, members, shown_value
from gptstudio.training.torchrun import join

if TYPE_CHECKING:
    from gptstudio.history.sweep_results import Group, MemberResult, SweepResults

STYLES = {"finished": "green", "failed": "red", "skipped": "dim", "started": "yellow"}


class JsonReport:
    """Report that prints a JSON object for each start and end of a run, and of the sweep."""

    def __init__(self, sweep: SweepFolder):
        self._sweep = sweep

    def started(self) -> None:
        queue = self._sweep.queue()
        output.print_json({"event": "sweep_started", "sweep": self._sweep.name, "path": str(self._sweep.path),
                           "runs": len(queue.order), "left": len(queue.open)})

    def member_started(self, member: SweepMember, start: Start) -> None:
        output.print_json({"event": "member_started", **_member(member), "run": str(start.path), "how": start.kind})

    def sink(self, _control: Control) -> Sink:
        return lambda _: None

    def member_ended(self, member: SweepMember, end: MemberEnd) -> None:
        result = next(each for each in _results(self._sweep).members if each.member.id == member.id)
        output.print_json({"event": "member_ended", **_member(member), "outcome": end.verdict,
                           **_figures(result), "message": end.message})

    def ended(self, outcome: str) -> None:
        results = _results(self._sweep)
        output.print_json({
            "event": "sweep_ended", "outcome": outcome, "finished": results.count("finished"),
            "failed": results.count("failed"), "skipped": results.count("skipped"), "left": results.left,
            "message": results.queue.message, "unit": "bits per byte" if results.in_bits else "nats per token",
            "groups": [_group(each) for each in results.groups]})


class TextReport:
    """Report that prints a line for each run, a progress bar while it trains, and the table of results at the end."""

    def __init__(self, sweep: SweepFolder):
        self._sweep = sweep

    def started(self) -> None:
        queue = self._sweep.queue()
        output.line(f"Sweep {self._sweep.name}: {len(queue.open)} of {len(queue.order)} runs to train.", "bold")

    def member_started(self, member: SweepMember, start: Start) -> None:
        continued = " (continued)" if start.kind == "resume" else ""
        output.line(f"Run {member.number} of {len(self._sweep.queue().order)}: {member.label}{continued}")

    def sink(self, control: Control) -> Sink:
        bar = RunProgress(output.results(), control)
        bar.show()

        def take(event: Event) -> None:
            bar.take(event)
            if isinstance(event, Warned):
                output.note(event.message, "yellow")

        return take

    def member_ended(self, member: SweepMember, end: MemberEnd) -> None:
        if end.verdict == "failed":
            output.note(f"Run {member.number} failed. {end.message}", "red")
            return
        results = _results(self._sweep)
        result = next(each for each in results.members if each.member.id == member.id)
        loss = f"; best validation loss {_loss(result.best_val_loss)}" if result.best else ""
        left = results.remaining_s()
        rest = f" Time left for the sweep: about {clock(left)}." if left and results.left else ""
        took = f"after {result.steps:,} steps, {clock(result.elapsed_s)}"
        output.line(f"  {end.verdict.capitalize()} {took}{loss}.{rest}")

    def ended(self, outcome: str) -> None:
        show_results(self._sweep, json=False)
        results = _results(self._sweep)
        if results.left and outcome != "waits":
            left = f"{results.left} of {len(results.members)} runs are left."
            output.line(f"{left} The same command continues.", "yellow")


def list_sweeps(found: Iterable[SweepFolder], json: bool) -> None:
    """Print one line for each sweep, the oldest first."""
    table = Table("Sweep", "Runs", "Finished", "Failed", "Left", box=box.SIMPLE_HEAD)
    sweeps = list(found)
    for sweep in sweeps:
        try:
            queue, spec = sweep.queue(), sweep.record().spec
        except UserError as error:
            output.note(str(error), "yellow")
            continue
        statuses = [queue.status(name) for name in queue.order]
        done = {name: statuses.count(name) for name in ("finished", "failed", "skipped")}
        if json:
            output.print_json({"name": sweep.name, "path": str(sweep.path), "runs": len(statuses), **done,
                               "left": len(queue.open), "varied": [each.field for each in spec.vary]})
        numbers = (len(statuses), done["finished"], done["failed"], len(queue.open))
        table.add_row(Text(sweep.name), *map(str, numbers))
    if not json and (table.row_count or not sweeps):
        output.results().print(table if sweeps else "No sweeps yet.")


def show_plan(spec: SweepSpec, json: bool) -> None:
    """Print the runs that a sweep would train."""
    planned = members(spec)
    if json:
        for member in planned:
            output.print_json(_member(member))
        return
    output.line(f"Sweep {spec.name}: {len(planned)} runs", "bold")
    for member in planned:
        output.line(f"  {member.number}. {member.label}")


def show_results(sweep: SweepFolder, json: bool) -> None:
    """Print the runs of a sweep in order of their best validation loss, with mean and spread over the seeds."""
    results = _results(sweep)
    if json:
        for each in results.table:
            output.print_json({**_member(each.member), "status": each.status, **_figures(each),
                               "run": str(each.run.path) if each.run else None, "message": each.message})
        return
    output.results().print(_table(results))
    if len(results.spec.seeds) > 1 and any(group.count for group in results.groups):
        output.results().print(_groups(results))


def save_csv(sweep: SweepFolder, path: Path) -> None:
    from gptstudio.history import sweep_results

    sweep_results.write_csv(_results(sweep), path)


def _results(sweep: SweepFolder) -> SweepResults:
    from gptstudio.history import sweep_results

    return sweep_results.read(sweep)


def _member(member: SweepMember) -> dict[str, Any]:
    return {"number": member.number, "id": member.id, "values": dict(member.values), "seed": member.seed}


def _figures(result: MemberResult) -> dict[str, Any]:
    return {
        "steps": result.steps, "total_steps": result.total_steps, "train_loss": result.train_loss,
        "val_loss": result.val_loss, "best_val_loss": result.best_val_loss,
        "best_step": result.best.step if result.best else None, "best_bits_per_byte": result.bits_per_byte,
        "seconds": result.elapsed_s,
    }


def _group(group: Group) -> dict[str, Any]:
    return {"values": dict(group.values), "count": group.count, "mean": group.mean, "spread": group.spread}


WIDEST_VALUE = 12
"""Width in characters up to which the value of a setting is not broken into lines."""


def _table(results: SweepResults) -> Table:
    """Return the results as a table, narrow enough for two settings in a terminal of 80 columns."""
    table = Table(box=box.SIMPLE_HEAD, collapse_padding=True)
    shown = [_values(each.member.values) for each in results.table]
    for place, varied in enumerate(results.spec.vary):
        width = max((len(values[place]) for values in shown), default=0)
        table.add_column(varied.field.replace("_", " "), overflow="fold", min_width=min(width, WIDEST_VALUE))
    table.add_column("seed")
    losses = ("Best val", "Bits/byte", "at step") if results.in_bits else ("Best val", "at step", "Last val")
    for heading in (*losses, "Time"):
        table.add_column(heading, justify="right", no_wrap=True)
    table.add_column("State", no_wrap=True)
    for each, values in zip(results.table, shown, strict=True):
        best, step = _loss(each.best_val_loss), f"{each.best.step + 1:,}" if each.best else ""
        cells = (best, _loss(each.bits_per_byte), step) if results.in_bits else (best, step, _loss(each.val_loss))
        table.add_row(*values, str(each.member.seed), *cells, clock(each.elapsed_s) if each.steps else "",
                      Text(each.status, STYLES.get(each.status, "")))
    return table


def _groups(results: SweepResults) -> Table:
    unit = ", in bits per byte" if results.in_bits else ""
    title = f"Best validation loss over the random seeds{unit}"
    table = Table(box=box.SIMPLE_HEAD, title=title, title_justify="left")
    for each in results.spec.vary:
        table.add_column(each.field.replace("_", " "))
    for heading in ("Runs", "Mean", "Standard deviation"):
        table.add_column(heading, justify="right")
    for group in results.groups:
        table.add_row(*_values(group.values), str(group.count), _loss(group.mean), _loss(group.spread))
    return table


def _values(values: Mapping[str, Value]) -> list[str]:
    return [shown_value(value) for value in values.values()]


def _loss(loss: float | None) -> str:
    return "" if loss is None else f"{loss:.4f}"


FAILED = 1
"""Exit code if a run has failed, or the queue waits."""

Which = Annotated[str | None, Parameter(help="A .toml file that describes the sweep, or the name of a sweep.")]
Show = Annotated[bool, switch("Show the runs and results of the sweep, or what its file would train; train nothing.")]
List = Annotated[bool, switch("List your sweeps.")]
Csv = Annotated[
    Path | None, Parameter(
        help="Save the table of results as a CSV file.", metavar="FILE", show_default=False, converter=user_path)]
Retry = Annotated[bool, switch("Train runs that have failed once more.", group=TRAINING)]


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
    """Train several runs one after the other, with several values of a setting, or several random seeds.

    The same command continues an unfinished sweep. Ctrl-C stops after the current step and saves the run. Started with
    torchrun, several processes train each run together: torchrun --nproc-per-node=2 -m -- gptstudio sweep FILE.
    """
    training = {"--retry": retry, "--shard": shard, "--anyway": anyway}
    if list:
        check_used({which or "": which, "--show": show, "--csv": csv, **training}, beside="--list")
        list_sweeps(all_sweeps(), json)
        return 0
    if which is None:
        raise UserError("Name a .toml file that describes a sweep, or use --list to list your sweeps.")
    if show:
        check_used(training, beside="--show")
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
    """Print the results of a sweep or, if its file has not been trained yet, the runs that it would train."""
    if isinstance(found, SweepSpec):
        folder = SweepFolder.of_name(found.name)
        if not folder.exists or folder.record().spec != found:
            show_plan(found, json)
            if csv:
                raise UserError("Nothing of this sweep is trained yet, so there are no results to save.")
            return 0
        found = folder
    show_results(found, json)
    if csv:
        save_csv(found, csv)
    return 0


def _asked(which: str) -> SweepSpec | SweepFolder:
    """Return the sweep described by a file, or the sweep with a name.

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
    """Return the folder of a sweep, made if necessary; first download The Verdict if the sweep needs it."""
    spec = found if isinstance(found, SweepSpec) else found.record().spec
    if texts.VERDICT in spec.base.text and texts.locate(texts.VERDICT) is None:
        fetch()
    return SweepFolder.open_or_create(found) if isinstance(found, SweepSpec) else found


class _SweepControl(Control):
    """Control of a sweep: stopping it also stops the current run."""

    run: Control | None = None

    def stop(self) -> None:
        super().stop()
        if self.run:
            self.run.stop()

    def of_next_run(self) -> Control:
        """Return a new control for the next run."""
        self.run = Control()
        if self.stopping:
            self.run.stop()
        return self.run


class _Training:
    """Training of the open runs of a sweep. ``report`` receives its progress; None in processes that report nothing."""

    def __init__(self, runner: SweepRunner, strategy: Strategy, report: JsonReport | TextReport | None):
        self._runner, self._strategy, self._report = runner, strategy, report
        self._control = _SweepControl()

    def run(self) -> int:
        """Train until the end, Ctrl-C, or a closed stdout; return the exit code."""
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
        """Return whether a signal arrived between two runs; with several processes, all agree on it."""
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
