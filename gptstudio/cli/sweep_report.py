"""Report of a sweep: as lines and tables for people, or as JSON lines. No torch."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from pathlib import Path
from typing import TYPE_CHECKING, Any, Protocol

from rich import box
from rich.table import Table
from rich.text import Text

from gptstudio.cli import output
from gptstudio.cli.bar import Bar, clock
from gptstudio.errors import UserError
from gptstudio.training.control import Control
from gptstudio.training.events import Ended, Evaluated, Event, PhaseChanged, RunStarted, StepDone, Warned
from gptstudio.training.executor import Sink
from gptstudio.training.run_metrics import RunMetrics
from gptstudio.training.sweep_folder import SweepFolder
from gptstudio.training.sweep_runner import MemberEnd, Start
from gptstudio.training.sweep_spec import SweepMember, SweepSpec, Value, members, shown_value

if TYPE_CHECKING:  # brings numpy, which the help can do without
    from gptstudio.history.sweep_results import Group, MemberResult, SweepResults

STYLES = {"finished": "green", "failed": "red", "skipped": "dim", "started": "yellow"}


class Report(Protocol):
    """Is told how the training of a sweep proceeds."""

    def started(self) -> None: ...
    def member_started(self, member: SweepMember, start: Start) -> None: ...
    def sink(self, control: Control) -> Sink: ...
    def member_ended(self, member: SweepMember, end: MemberEnd) -> None: ...
    def ended(self, outcome: str) -> None: ...


class JsonReport:
    """Prints an object for each start and end of a run, and of the sweep."""

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
            "message": results.queue.message, "groups": [_group(each) for each in results.groups]})


class TextReport:
    """Prints a line for each run, a bar while it trains, and the table of results at the end."""

    def __init__(self, sweep: SweepFolder):
        self._sweep = sweep

    def started(self) -> None:
        queue = self._sweep.queue()
        output.line(f"Sweep {self._sweep.name}: {len(queue.open)} of {len(queue.order)} runs to train.", "bold")

    def member_started(self, member: SweepMember, start: Start) -> None:
        goes_on = " (continued)" if start.kind == "resume" else ""
        output.line(f"Run {member.number} of {len(self._sweep.queue().order)}: {member.label}{goes_on}")

    def sink(self, control: Control) -> Sink:
        return _MemberBar(control)

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


class _MemberBar:
    """A sink that moves a bar while a run trains."""

    def __init__(self, control: Control):
        self._metrics = RunMetrics()
        self._bar = Bar(output.results(), control, self._metrics)
        self._bar.show()

    def __call__(self, event: Event) -> None:
        self._metrics.take(event)
        match event:
            case RunStarted():
                self._bar.started(event)
            case PhaseChanged():
                self._bar.phase = event.phase
            case StepDone():
                self._bar.step(event)
            case Evaluated():
                self._bar.evaluated(event)
            case Warned():
                output.note(event.message, "yellow")
            case Ended():
                self._bar.hide()


def list_sweeps(found: Iterable[SweepFolder], json: bool) -> None:
    """Print each sweep in a line, the oldest first."""
    table = Table("Sweep", "Runs", "Finished", "Failed", "Left", box=box.SIMPLE_HEAD)
    count = 0
    for sweep in found:
        try:
            queue, spec = sweep.queue(), sweep.record().spec
        except UserError as error:
            output.note(str(error), "yellow")
            continue
        count += 1
        statuses = [queue.status(name) for name in queue.order]
        done = {name: statuses.count(name) for name in ("finished", "failed", "skipped")}
        if json:
            output.print_json({"name": sweep.name, "path": str(sweep.path), "runs": len(statuses), **done,
                               "left": len(queue.open), "varied": [each.field for each in spec.vary]})
        numbers = (len(statuses), done["finished"], done["failed"], len(queue.open))
        table.add_row(Text(sweep.name), *map(str, numbers))
    if not json:
        output.results().print(table if count else "No sweeps yet.")


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
    """Print the runs of a sweep by their best validation loss, and mean and spread over the seeds."""
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
    """Save the table of results.

    Raises:
        UserError: it cannot be written.
    """
    from gptstudio.history import sweep_results

    try:
        sweep_results.write_csv(_results(sweep), path)
    except OSError as error:
        raise UserError(f"Could not write {path}: {error.strerror or error}.") from error


def _results(sweep: SweepFolder) -> SweepResults:
    from gptstudio.history import sweep_results

    return sweep_results.read(sweep)


def _member(member: SweepMember) -> dict[str, Any]:
    return {"number": member.number, "id": member.id, "values": dict(member.values), "seed": member.seed}


def _figures(result: MemberResult) -> dict[str, Any]:
    return {
        "steps": result.steps, "total_steps": result.total_steps, "train_loss": result.train_loss,
        "val_loss": result.val_loss, "best_val_loss": result.best_val_loss,
        "best_step": result.best.step if result.best else None, "seconds": result.elapsed_s,
    }


def _group(group: Group) -> dict[str, Any]:
    return {"values": dict(group.values), "count": group.count, "mean": group.mean, "spread": group.spread}


def _table(results: SweepResults) -> Table:
    names = [each.field for each in results.spec.vary]
    table = Table(box=box.SIMPLE_HEAD)
    for name in (*names, "seed"):
        table.add_column(name, overflow="fold")
    for heading in ("Best val", "at step", "Last val", "Time"):
        table.add_column(heading, justify="right", no_wrap=True)
    table.add_column("State", no_wrap=True)
    for each in results.table:
        step = f"{each.best.step + 1:,}" if each.best else ""
        table.add_row(
            *_values(each.member.values), str(each.member.seed), _loss(each.best_val_loss), step, _loss(each.val_loss),
            clock(each.elapsed_s) if each.steps else "", Text(each.status, STYLES.get(each.status, "")))
    return table


def _groups(results: SweepResults) -> Table:
    table = Table(box=box.SIMPLE_HEAD, title="Best validation loss over the random seeds", title_justify="left")
    for each in results.spec.vary:
        table.add_column(each.field)
    for heading in ("Runs", "Mean", "Standard deviation"):
        table.add_column(heading, justify="right")
    for group in results.groups:
        table.add_row(*_values(group.values), str(group.count), _loss(group.mean), _loss(group.spread))
    return table


def _values(values: Mapping[str, Value]) -> list[str]:
    return [shown_value(value) for value in values.values()]


def _loss(loss: float | None) -> str:
    return "" if loss is None else f"{loss:.4f}"
