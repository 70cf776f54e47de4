"""A training run from spec to end: text, plan, folder, journal, trainer. Used by the window and the terminal.

torch and numpy are imported only when a run is started.
"""

from __future__ import annotations

import os
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import AbstractContextManager, contextmanager, nullcontext, suppress
from pathlib import Path

from gptstudio import devices
from gptstudio.data import texts
from gptstudio.data.encodings import Progress, unwatched
from gptstudio.errors import UserError
from gptstudio.i18n import joined, message
from gptstudio.training import branching, checkpoint_files, init_weights, journal
from gptstudio.training.branching import UNCHANGED, Changes
from gptstudio.training.checkpoint_files import CheckpointError, is_whole
from gptstudio.training.control import Control
from gptstudio.training.events import Ended, Event, PhaseChanged, Warned
from gptstudio.training.executor import Sink, Stream, error_text, execute
from gptstudio.training.forecast import CostRecorder
from gptstudio.training.journal import Journal
from gptstudio.training.longer import longer_spec, schedule_notice
from gptstudio.training.run_folder import RunFolder, step_of
from gptstudio.training.spec import TrainSpec
from gptstudio.training.strategy import SINGLE_PROCESS, Strategy


def launch(
    spec: TrainSpec, control: Control, sinks: Sequence[Sink], path: Path | None = None, anyway: bool = False,
    strategy: Strategy = SINGLE_PROCESS, reading: Progress = unwatched,
) -> Ended:
    """Train a run with the settings of ``spec`` and return the final ``Ended``, which every sink has also received.

    Raises nothing: an unreadable text or a model that does not fit into memory also gives an ``Ended``, and leaves no
    folder behind. Blocks until the end, so the window calls it on a separate thread.

    Args:
        sinks: receive every event, in order, on the calling thread, after the journal.
        path: the run's folder; by default a new one in the user's folder of runs.
        anyway: train even if the free memory is not expected to suffice.
        strategy: the processes that train together, including this one; rank zero writes the folder.
        reading: called with the number of tokenised bytes of the text, and their total.
    """
    record = _Record()
    stream = _start(spec, strategy.shared_control(control), record, path, anyway, strategy, reading)
    return _execute(stream, record, control, sinks, strategy)


def resume(
    run: RunFolder, control: Control, sinks: Sequence[Sink], start: Path | None = None, anyway: bool = False,
    strategy: Strategy = SINGLE_PROCESS, reading: Progress = unwatched, device: str | None = None,
    longer: Mapping[str, int] | None = None,
) -> Ended:
    """Resume a run from its last checkpoint exactly as if it had never stopped; return the final ``Ended``.

    Raises nothing, like :func:`launch`. Everything recorded after the checkpoint is removed and computed again.

    Args:
        start: an earlier checkpoint of the run to resume from; later ones are then removed.
        anyway, strategy, reading: as for :func:`launch`.
        device: a device other than the run's own. It sums in a different order, so the last digits can differ.
        longer: a new, larger total of ``epochs`` or ``steps``. The run continues as if it had had them from the
            start, except that a cosine schedule began as a shorter one.
    """
    record = _Record()
    stream = _resume(run, strategy.shared_control(control), record, start, anyway, strategy, reading, device, longer)
    return _execute(stream, record, control, sinks, strategy)


def branch(
    run: RunFolder, start: Path | None, control: Control, sinks: Sequence[Sink], changes: Changes = UNCHANGED,
    anyway: bool = False, strategy: Strategy = SINGLE_PROCESS, reading: Progress = unwatched,
    device: str | None = None, made: Callable[[RunFolder], object] = lambda _: None,
) -> Ended:
    """Continue from a checkpoint of a run as a new run, a branch; return the final ``Ended``. ``run`` is unchanged.

    Raises nothing, like :func:`launch`. Without ``changes``, the branch repeats the steps of ``run`` bit for bit.

    Args:
        start: the checkpoint; None for the last one from which a run can continue.
        anyway, strategy, reading, device: as for :func:`resume`.
        made: called on rank zero with the folder of the branch, before its first event.
    """
    record = _Record()
    control_of_all = strategy.shared_control(control)
    stream = _branch(run, start, control_of_all, record, changes, made, anyway, strategy, reading, device)
    return _execute(stream, record, control, sinks, strategy)


def _branch(
    run: RunFolder, start: Path | None, control: Control, record: _Record, changes: Changes,
    made: Callable[[RunFolder], object], anyway: bool, strategy: Strategy, reading: Progress, device: str | None,
) -> Stream:
    first = strategy.on_rank_zero(lambda: start or next(reversed(run.resumable()), run.newest_checkpoint()))
    notice = strategy.on_rank_zero(lambda: branching.notice(run, first, changes))
    folder = strategy.on_rank_zero(lambda: branching.make(run, first, changes))
    events = _resume(folder, control, record, None, anyway, strategy, reading, device, None)
    try:
        started = next(events)  # the checkpoint is read before the first event
    except BaseException:
        if strategy.is_rank_zero:
            folder.discard()
        raise
    if strategy.is_rank_zero:
        made(folder)
    yield started
    if notice:
        yield Warned(message=notice)
    return (yield from events)


def _execute(stream: Stream, record: _Record, control: Control, sinks: Sequence[Sink], strategy: Strategy) -> Ended:
    try:
        with devices.reusing_freed_memory(strategy.reuse_below):
            ended = execute(strategy.explain_errors(stream), [record, *sinks])
        if ended.outcome != "failed" and not strategy.more_follow:
            strategy.shut_down()
        return ended
    finally:
        record.close()
        control.close()


def _start(
    spec: TrainSpec, control: Control, record: _Record, path: Path | None, anyway: bool, strategy: Strategy,
    reading: Progress,
) -> Stream:
    from gptstudio.training import corpus
    from gptstudio.training.trainer import train

    spec = spec.model_copy(update={"text": texts.absolute_names(spec.text)})  # valid in any folder
    initial_model = strategy.on_rank_zero(lambda: init_weights.find(spec))  # before the text is read, which may be slow
    text = strategy.rank_zero_first(lambda: init_weights.read_text(spec, initial_model, control.checking(reading)))
    spec = corpus.fitting(spec, text.tokenizer)
    plan = corpus.plan_new_run(spec, text)
    if control.stopping:
        return "stopped"
    target = Path(os.path.expanduser(path)).absolute() if path else None
    existed = target is not None and target.exists()
    initial_model = strategy.on_rank_zero(lambda: init_weights.current(initial_model, spec))
    known = init_weights.known(initial_model) if initial_model and strategy.is_rank_zero else None
    folder = strategy.on_rank_zero(
        lambda: RunFolder.create(spec, text.text.name, text.text.sha256, target, known, text.tokenizer))
    with _writing(folder, strategy):
        events = train(spec, text, folder, control, anyway=anyway, strategy=strategy, initial_model=initial_model)
        events = _on_a_device(events, folder)
        try:
            started = next(events)  # the trainer checks device and memory before its first event
            record.open(folder, strategy, CostRecorder(spec, plan))
        except BaseException:
            if strategy.is_rank_zero:
                folder.discard(keep_itself=existed)
            raise
        yield started
        passed_over = [each.message for each in devices.failed_devices()] if spec.device == "auto" else []
        for text_of_warning in (*passed_over, *text.notes, *spec.unused_settings):
            yield Warned(message=text_of_warning)
        return (yield from events)


def _resume(
    run: RunFolder, control: Control, record: _Record, start: Path | None, anyway: bool, strategy: Strategy,
    reading: Progress, device: str | None, longer: Mapping[str, int] | None,
) -> Stream:
    from gptstudio.training import corpus
    from gptstudio.training.trainer import train

    with _writing(run, strategy):
        recorded, tokenizer = strategy.on_rank_zero(lambda: (run.record(), run.tokenizer()))
        watched = control.checking(reading)
        text = strategy.rank_zero_first(lambda: corpus.read(
            corpus.located(recorded.spec, recorded.text_sha256, watched), watched, tokenizer))
        if text.text.sha256 != recorded.text_sha256:
            raise UserError(joined(" ", message(
                "The text {text_name} has changed since this run started, so the run cannot continue with it. "
                "Restore the original text, or start a new run.",
                text_name=texts.name_in_words(recorded.text_name),
            ), texts.searched_in_words(recorded.spec.text)))
        start = strategy.on_rank_zero(lambda: start or next(reversed(run.resumable()), run.newest_checkpoint()))
        with _offering_another(run, start):
            state = strategy.on_rank_zero(lambda: checkpoint_files.read_state(start))
        spec, notice = _spec_to_resume(
            run, recorded.spec, state, longer, lambda spec: corpus.plan(spec, text).total_steps)
        record_now = recorded.model_copy(update={"spec": spec})
        spec = spec.but(device=device) if device else spec
        events = _on_a_device(train(spec, text, run, control, start, anyway, strategy), run)
        first: list[Event] = []
        with _offering_another(run, start):
            while PhaseChanged(phase="training") not in first:  # read the checkpoint before anything is removed
                first.append(next(events))
        complete = True
        if strategy.is_rank_zero:
            if longer:
                run.write(record_now)
            run.remove_temp_files()
            run.remove(run.after(state.step))
            complete = journal.truncate(run.journal_path, state.journal_bytes)
        record.open(run, strategy)
        yield from first
        if not complete:
            yield Warned(message=message(
                "The log of this run is shorter than when the checkpoint was saved: it was cut off. The model "
                "continues exactly, but some earlier steps are missing from the curves."
            ))
        if notice:
            yield Warned(message=notice)
        return (yield from events)


def _spec_to_resume(
    run: RunFolder, spec: TrainSpec, state: checkpoint_files.State, longer: Mapping[str, int] | None,
    total_steps: Callable[[TrainSpec], int],
) -> tuple[TrainSpec, str]:
    """Return the spec with which a run continues, and a notice on its changed schedule or "".

    Raises:
        UserError: the run has completed all its steps, or would not become longer.
    """
    former = total_steps(spec)
    if longer:
        spec = longer_spec(spec, longer)
        total = total_steps(spec)
        if total <= former:
            raise UserError(message(
                "The run {name} already has {former} steps in all; this would be {total}. To train it longer, ask for "
                "more epochs or steps.", name=run.name, former=f"{former:,}", total=f"{total:,}"))
        return spec, schedule_notice(spec, state.step + 1, former, total, state.learning_rate)
    if not state.unfinished and state.step + 1 >= former:
        raise UserError(message(
            "The run {name} has completed all its steps. To train it longer, ask for more epochs or steps.",
            name=run.name))
    return spec, ""


@contextmanager
def _offering_another(run: RunFolder, refused: Path) -> Iterator[None]:
    """If a checkpoint cannot be read, offer the newest other one from which the run can continue. It is not used
    without asking, because all later training and checkpoints would be lost."""
    try:
        yield
    except CheckpointError as error:
        others = (path for path in reversed(run.checkpoints()) if path != refused)
        instead = next(filter(is_whole, others), None)
        if instead is None:
            raise
        offer = CheckpointError(message(
            "{why} The checkpoint of step {n} is intact: you can continue from it, but all training after it is lost.",
            why=error_text(error), n=f"{step_of(instead) + 1:,}",
        ))
        offer.instead = instead
        raise offer from error


def _on_a_device(events: Stream, run: RunFolder) -> Stream:
    """Yield the events of the run, and explain a failure of its device.

    Raises:
        DeviceLost: the device failed. Its memory can no longer be read, so only the last checkpoint is left.
    """
    try:
        return (yield from events)
    except Exception as error:
        if not devices.failed(error):
            raise
        saved = run.resumable()
        left = message(
            "The earlier checkpoint {name} is saved: continue from it on the CPU (cpu). To use the device again, "
            "restart GPT Studio.", name=saved[-1].name,
        ) if saved else message("No checkpoint was saved. Start the run again on the CPU (cpu).")
        what = devices.failure_in_words(error)
        raise devices.DeviceLost(message("{what} {left}", what=what, left=left)) from error


def _writing(run: RunFolder, strategy: Strategy) -> AbstractContextManager[None]:
    """Lock the run for writing, on rank zero only."""
    return run.writing() if strategy.is_rank_zero else nullcontext()


class _Record:
    """Sink that writes the journal once the folder exists, and records the cost of a complete run."""

    def __init__(self) -> None:
        self._journal: Journal | None = None
        self._costs: CostRecorder | None = None

    def open(self, folder: RunFolder, strategy: Strategy, costs: CostRecorder | None = None) -> None:
        if strategy.is_rank_zero:
            self._journal = Journal(folder.journal_path, lambda: folder.is_ours)
            self._costs = costs if strategy.size == 1 else None

    def __call__(self, event: Event) -> None:
        if self._costs:
            self._costs(event)
        if self._journal:
            self._journal(event)

    def close(self) -> None:
        if self._journal:
            with suppress(OSError):  # a full disk, which the executor has already reported
                self._journal.close()
