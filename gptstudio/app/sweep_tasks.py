"""Work of tasks on sweeps: listing, planning, and training one run after the other."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from gptstudio import files, paths
from gptstudio.app import training_tasks
from gptstudio.app.tasks import Task
from gptstudio.devices import Device
from gptstudio.errors import UserError, text_of
from gptstudio.fields import FieldView
from gptstudio.gpt import sizing
from gptstudio.history import run_history, sweep_results
from gptstudio.history.sweep_results import SweepResults
from gptstudio.i18n import message
from gptstudio.training import checkpoint_files, corpus, init_weights
from gptstudio.training.control import Control
from gptstudio.training.corpus import Corpus, Plan
from gptstudio.training.events import Ended
from gptstudio.training.executor import error_text
from gptstudio.training.forecast import CostHistory, forecast
from gptstudio.training.run_folder import RunFolder
from gptstudio.training.spec import TrainSpec
from gptstudio.training.sweep_runner import MemberEnd, Queue, Start, SweepFolder, SweepRunner, all_sweeps
from gptstudio.training.sweep_spec import SweepMember, SweepSpec, members, shown_value


@dataclass(frozen=True)
class ListedSweep:
    """Current state of a sweep: its results, or the reason why it cannot be read. ``elsewhere``: another program trains
    it."""

    folder: SweepFolder
    results: SweepResults | None = None
    problem: str = ""
    elsewhere: bool = False

    @property
    def left(self) -> int:
        return self.results.left if self.results else 0


@dataclass(frozen=True)
class Prepared:
    """Next run of a sweep to train."""

    runner: SweepRunner
    member: SweepMember
    start: Start


@dataclass(frozen=True)
class SweepForecast:
    """Forecast of a sweep: seconds if known, bytes on the disk, and problems.

    Attributes:
        too_large: number of runs that need more memory than is free.
        problem: reason why its runs could not be trained, such as a missing text.
    """

    runs: int
    seconds: float | None
    bytes: int
    free_bytes: int
    too_large: int = 0
    problem: str = ""


def list_sweeps(_: Task) -> list[ListedSweep]:
    """Return all of the user's sweeps with their results so far, the oldest first.

    Raises:
        UserError: their folder cannot be read.
    """
    return [_listed(each) for each in all_sweeps()]


def _listed(sweep: SweepFolder) -> ListedSweep:
    try:
        return ListedSweep(sweep, sweep_results.read(sweep), elsewhere=sweep.trained_elsewhere)
    except (UserError, OSError) as error:
        return ListedSweep(sweep, problem=error_text(error))


def create(spec: SweepSpec) -> SweepFolder:
    """Make the folder of a new sweep.

    Raises:
        UserError: there is a sweep with this name, or the folder cannot be written.
    """
    if SweepFolder.of_name(spec.name).exists:
        raise UserError(message("There is a sweep named {name} already. Choose another name.", name=spec.name))
    return SweepFolder.open_or_create(spec)


def retry(sweep: SweepFolder) -> Queue:
    """Return the failed runs of a sweep to its queue.

    Raises:
        UserError: another program trains it, it is damaged, or it cannot be written.
    """
    try:
        return sweep.change(Queue.retry)
    except OSError as error:
        raise UserError(error_text(error)) from error


def prepare_next(_: Task) -> Prepared | MemberEnd | None:
    """Return the next run to train, from the oldest sweep that has any left; the reason why the queue waits; or None if
    there is nothing to train. A sweep that cannot be read, or that another program trains, is skipped."""
    for sweep in all_sweeps():
        try:
            with sweep.writing():
                runner = SweepRunner(sweep)
                while member := runner.next():
                    start = runner.prepare(member)
                    if isinstance(start, MemberEnd):
                        return start
                    if start.kind != "done":
                        return Prepared(runner, member, start)
                    runner.train(member, start, Control(), [])  # records its end
        except UserError:
            continue
    return None


def train(task: Task, prepared: Prepared) -> MemberEnd:
    """Train a run of a sweep; the items are the run's events; return a :class:`MemberEnd`."""
    training_tasks.give_way()
    try:
        with prepared.runner.sweep.writing():
            if prepared.start.kind == "resume":
                training_tasks.emit_journal(prepared.start.run, task)
            return prepared.runner.train(prepared.member, prepared.start, task.control, [task.emit])
    except UserError as error:  # another program has started to train it in the meantime
        ended = Ended(outcome="failed", message=text_of(error), user_error=True)
        task.emit(ended)
        return MemberEnd("waits", ended, ended.message)


# Before a sweep starts.


def outlook(spec: SweepSpec, device: Device, like: RunFolder | None = None) -> SweepForecast:
    """Return the forecast of a sweep. ``like``: a run whose speed is used for kinds of work that were never
    measured."""
    runs, free = len(members(spec)), files.free_bytes(paths.runs())
    corpora: dict[tuple[object, ...], Corpus] = {}
    try:
        planned = [_planned(each.spec, corpora) for each in members(spec)]
    except UserError as error:
        return SweepForecast(runs, None, sum(_kept_bytes(each.spec) for each in members(spec)), free,
                             problem=text_of(error))
    costs, step_s = CostHistory.read(), run_history.read(like.journal_path).step_s if like else None
    made = [forecast(each, plan, device, costs) for each, plan in planned]
    seconds = [
        each.seconds or (step_s * plan.total_steps if step_s else None)
        for each, (_, plan) in zip(made, planned, strict=True)
    ]
    return SweepForecast(
        runs, sum(filter(None, seconds)) if all(seconds) else None, sum(_kept_bytes(each) for each, _ in planned),
        free, too_large=sum(each.level == "too large" for each in made))


def _planned(spec: TrainSpec, corpora: dict[tuple[object, ...], Corpus]) -> tuple[TrainSpec, Plan]:
    """Return the spec of a run with the actual size of its vocabulary, and its plan. ``corpora``: the text as it was
    read for other runs, by the settings that determine its tokens and their split."""
    initial = init_weights.find(spec)
    key = spec.config.vocabulary, spec.config.vocab_size, spec.train_ratio, spec.split
    if key not in corpora:
        corpora[key] = init_weights.read_text(spec, initial)
    spec = corpus.fitting(spec, corpora[key].tokenizer)
    return spec, corpus.plan_new_run(spec, corpora[key])


def _kept_bytes(spec: TrainSpec) -> int:
    """Return the maximum bytes that a run leaves on the disk: its last checkpoint, the best model, and extra
    checkpoints."""
    whole = checkpoint_files.needed_bytes(spec)
    return whole * (1 + spec.keep_others) + sizing.weight_bytes(spec.config)


def parse_values(view: FieldView, text: str) -> list[object]:
    """Return values typed with commas in between. A value that is not of the field's kind stays text, for the sweep to
    reject by name."""
    return [_value(view, part.strip()) for part in text.replace("，", ",").split(",") if part.strip()]


def _value(view: FieldView, text: str) -> object:
    if view.kind == "bool":
        return {"true": True, "false": False}.get(text.lower(), text)
    if view.kind in ("int", "float"):
        for kind in (int, float):
            try:
                return kind(text)
            except ValueError:
                continue
    return text


def typed_values(values: Sequence[object]) -> str:
    """Return values as they are typed."""
    return ", ".join(map(shown_value, values))
