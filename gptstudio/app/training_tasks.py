"""Work of tasks around training, and the search for devices.

Each function is the work of a task, or part of it; with a parameter ``task``, it runs in that one.
"""

from __future__ import annotations

import os
import sys
import tempfile
import threading
from collections.abc import Mapping
from contextlib import suppress
from dataclasses import replace
from pathlib import Path

from gptstudio import devices, paths
from gptstudio.app import trash
from gptstudio.app.state import AppState, TextCheck
from gptstudio.app.tasks import Task, TaskRunner
from gptstudio.app.trash import Trashed
from gptstudio.data import ngram, texts
from gptstudio.devices import Broken, Device, DeviceLost
from gptstudio.errors import UserError
from gptstudio.fields import Problem, SpecError
from gptstudio.gpt.config import PRESETS
from gptstudio.gpt.tokenizer import Tokenizer
from gptstudio.history import run_history
from gptstudio.history.journal_reader import JournalReader
from gptstudio.history.run_history import History
from gptstudio.i18n import message
from gptstudio.training import branching, corpus, init_weights, launch, model_source, run_folder, run_text, temp_cleanup
from gptstudio.training.branching import Changes
from gptstudio.training.events import Ended, Event, PhaseChanged, RunStarted
from gptstudio.training.executor import reported
from gptstudio.training.forecast import SHORTEST_CONTEXT, Speed
from gptstudio.training.journal import last_event
from gptstudio.training.model_source import UntrainedModel
from gptstudio.training.rate_test import RateTest
from gptstudio.training.run_folder import Parent, Record, RunFolder
from gptstudio.training.spec import TrainSpec

NICENESS = 5
"""Nice value of the training thread: it halves the window's response time, and a run on its own is as fast."""


def train(task: Task, spec: TrainSpec, anyway: bool = False) -> None:
    """Train a run, from reading the text to the last checkpoint; the items are the run's events."""
    give_way()
    launch.launch(spec, task.control, [task.emit], anyway=anyway)


def resume(
    task: Task, run: RunFolder, report_journal: bool, device: str, start: Path | None = None,
    longer: Mapping[str, int] | None = None,
) -> None:
    """Resume a run from its last checkpoint, or from ``start``.

    Args:
        report_journal: first emit the events so far.
        device: device on which it continues, if not the requested one.
        longer: new total of epochs or steps, if more than before.
    """
    give_way()
    if report_journal:
        emit_journal(run, task)
    launch.resume(run, task.control, [task.emit], start, device=device, longer=longer)


def branch(task: Task, run: RunFolder, start: Path, changes: Changes, device: str) -> None:
    """Continue from a checkpoint of a run as a new run; the items are the events so far and the new ones."""
    give_way()
    launch.branch(run, start, task.control, [task.emit], changes, device=device,
                  made=lambda made: emit_journal(made, task))


def read_parent(parent: Parent, beside: Path) -> History:
    """Return the curves of the parent of a branch; empty if it was deleted, moved away or cannot be read."""
    with suppress(UserError, OSError, ValueError):
        found = branching.find_parent(beside, parent)
        if found:
            return run_history.read(found.journal_path)
    return History()


def find_table_loss(task: Task, spec: TrainSpec, run: RunFolder | None) -> float | None:
    """Return the validation loss of a 3-gram table of a training text, in nats per token; None if the text cannot be
    read, has changed since a ``run`` was trained on it, or is very long."""
    with suppress(UserError, OSError, ValueError):
        text = run_text.corpus_of(run, task.report) if run else init_weights.read_text(
            spec, init_weights.find(spec), task.report)
        if len(text.train_ids) <= ngram.MOST_TOKENS and len(text.val_ids):
            return ngram.NgramTable(text.train_ids, text.tokenizer.size).loss(text.val_ids)
    return None


def write_first_sample(task: Task, spec: TrainSpec, tokenizer: Tokenizer) -> str | None:
    """Return the text that the model of a run generates before its first step, with the settings of later samples; None
    if its initial weights cannot be read."""
    from gptstudio.gpt.decoder import greedy

    give_way()
    with suppress(UserError, OSError, ValueError):
        config = corpus.fitting(spec, tokenizer).config
        source = init_weights.find(spec) or UntrainedModel(config, spec.seed, tokenizer)
        task.control.check()
        model, prompt = model_source.load(source, devices.cpu()), tokenizer.encode(spec.sample_prompt)
        return tokenizer.decode(greedy(model, prompt, spec.sample_tokens, "fp32", task.control.check))
    return None


def emit_journal(run: RunFolder, task: Task) -> None:
    """Emit the events of a run so far, in batches, to display it before it is continued."""
    reader = JournalReader(run.journal_path)
    while (found := reader.read()).news:
        for batch in found.batches:
            task.emit(batch._replace(rare=[
                other._replace(event=_here(other.event, run)) for other in batch.rare
                if not isinstance(other.event, (Ended, PhaseChanged))]))


def _here(event: Event, run: RunFolder) -> Event:
    """Return an event with the current folder of its run, which may have been moved since."""
    return event.model_copy(update={"run": str(run.path)}) if isinstance(event, RunStarted) else event


def give_way() -> None:
    """Lower the priority of this thread on Linux, so that the window responds while all cores train. Threads that torch
    starts from here inherit it."""
    if sys.platform == "linux":
        os.setpriority(os.PRIO_PROCESS, threading.get_native_id(), NICENESS)


def find_devices() -> tuple[list[Device], list[Broken]]:
    """Return the devices that work, and the devices that do not; an installed program omits devices that it was built
    without. Imports torch."""
    installed = getattr(sys, "frozen", False)
    return devices.find(), devices.failed_devices() if installed else devices.broken()


def check_home() -> str:
    """Return a warning if nothing can be saved, before an hour is spent on training; also remove temporary files of
    ended programs."""
    home = paths.user_data()
    try:
        home.mkdir(parents=True, exist_ok=True)
        with tempfile.TemporaryFile(dir=home):
            pass
    except OSError as error:
        return message(
            "Nothing can be saved: the folder {path} is not writable ({why}). You can view everything, but no run and "
            "no model is saved. Set GPTSTUDIO_HOME to a writable folder and restart.",
            path=home, why=error.strerror or error,
        )
    temp_cleanup.clear()
    return ""


def move_to_trash(run: RunFolder, checkpoint: Path) -> Trashed:
    """Move a checkpoint of a run that no process is writing to the system's trash.

    Raises:
        UserError: the checkpoint could not be moved, or the run is being written.
    """
    with run.writing():
        return trash.move(checkpoint)


def restore(checkpoint: Trashed) -> None:
    """Move a checkpoint from the trash back to its run, which no process may be writing.

    Raises:
        UserError: the run is being written or is missing, or the checkpoint could not be restored.
    """
    with RunFolder(checkpoint.path.parent.parent).writing():
        trash.restore(checkpoint)


def find_interrupted() -> RunFolder | None:
    """Return the newest run if it has no end and no process writes it, because the program or the computer stopped."""
    for run in run_folder.all_runs()[:1]:
        if run.resumable() and not run.written_elsewhere and not isinstance(last_event(run.journal_path), Ended):
            return run
    return None


def stopped_run(run: RunFolder) -> Record | None:
    """Return the record of a run that was stopped and can continue; None if it cannot, or if there is no record."""
    with suppress(UserError):
        record, last = run.record(), last_event(run.journal_path)
        if isinstance(last, Ended) and last.outcome == "stopped" and run.resumable() and not run.written_elsewhere:
            return record
    return None


def calibrate(task: Task, spec: TrainSpec, device: Device) -> Speed | None:
    """Measure the speed of this kind of work on a device with a few real steps; None if that is not possible."""
    from gptstudio.training.calibration import calibrate

    with suppress(UserError, RuntimeError, MemoryError):  # not an error: no time is shown then
        return calibrate(spec, device, task.control)
    return None


def find_rate(task: Task, spec: TrainSpec) -> RateTest:
    """Test learning rates on a copy of the model; the items are the steps; return the whole test."""
    from gptstudio.training.learning_rate_finder import find_learning_rate

    return find_learning_rate(spec, task.control, task.emit)


def check_text(spec: TrainSpec) -> TextCheck:
    """Find the initial weights, read and tokenise the text, and plan the run."""
    text = None
    try:
        text = init_weights.read_text(spec, init_weights.find(spec))
        plan = corpus.plan_new_run(spec, text)
        return TextCheck(plan, tokenizer=text.tokenizer, bytes_per_token=text.bytes_per_token[0])
    except SpecError as error:
        fitting = _fitting_context(spec, text) if text else None
        return TextCheck(problems=tuple(error.problems), fitting_context=fitting)
    except Exception as error:  # noqa: BLE001 - every error in a text is shown with the text
        missing = isinstance(error, texts.TextNotHere)
        return TextCheck(problems=(Problem("text", reported(error)),), missing=missing)


def standard_spec(spec: TrainSpec) -> TrainSpec:
    """Return the spec, with the included story if its text is not on this computer."""
    instead = check_text(spec).instead
    return spec.but(text=instead) if instead else spec


def _fitting_context(spec: TrainSpec, text: corpus.Corpus) -> int | None:
    """Return the longest context for which the text suffices, at most the book's and half of the present one, then
    halved repeatedly; None if even the shortest context is too long."""
    context = min(PRESETS["book"].context_length, spec.config.context_length // 2)
    while context >= SHORTEST_CONTEXT:
        with suppress(SpecError):
            corpus.plan(spec.but(config=spec.config.but(context_length=context)), text)
            return context
        context //= 2
    return None


def look_for_devices(state: AppState, tasks: TaskRunner) -> None:
    """Find the devices, and choose a GPU if there is one, as ``auto`` does."""

    def show(found: tuple[list[Device], list[Broken]]) -> None:
        state.devices, state.broken_devices = tuple(found[0]), tuple(found[1])
        state.device = next((each for each in state.devices if each.kind == "cuda"), state.devices[0])

    tasks.run(lambda _: find_devices(), key="devices", done=show)


def find_devices_after(ended: Ended, state: AppState, tasks: TaskRunner) -> None:
    """Find the devices again after one has failed, since it may be permanently unavailable."""
    if ended.error == DeviceLost.__name__:
        look_for_devices(state, tasks)


def update_free_memory(state: AppState, smallest_change: int = 0) -> None:
    """Update the free memory of the devices; changes of fewer bytes are ignored. A device that has failed keeps its
    value."""
    read = tuple(map(_with_free_memory, state.devices))
    changes = (abs(now.free_bytes - before.free_bytes) for now, before in zip(read, state.devices, strict=True))
    if max(changes) >= smallest_change:
        state.devices = read
        state.device = next(each for each in read if each.key == state.device.key)


def _with_free_memory(device: Device) -> Device:
    try:
        return replace(device, free_bytes=devices.free_bytes(device.key))
    except (RuntimeError, AssertionError):  # torch's errors for a failed driver
        return device
