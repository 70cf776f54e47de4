"""One training run from its spec to its end: text, plan, folder, journal, trainer. For the window and the terminal.

Imports torch and numpy only once a run is started.
"""

from __future__ import annotations

import os
import shutil
from collections.abc import Sequence
from contextlib import AbstractContextManager, nullcontext, suppress
from pathlib import Path

from gptstudio import devices
from gptstudio.corpora.encodings import Progress, unwatched
from gptstudio.errors import UserError
from gptstudio.runs import beginning, journal
from gptstudio.runs.control import Control
from gptstudio.runs.events import Ended, Event, PhaseChanged, Warned
from gptstudio.runs.executor import Sink, Stream, execute
from gptstudio.runs.experience import Lesson
from gptstudio.runs.folder import RunFolder
from gptstudio.runs.journal import Journal
from gptstudio.runs.spec import TrainSpec
from gptstudio.runs.world import ALONE, World


def launch(
    spec: TrainSpec, control: Control, sinks: Sequence[Sink], path: Path | None = None, anyway: bool = False,
    world: World = ALONE, reading: Progress = unwatched,
) -> Ended:
    """Trains as ``spec`` asks and returns how it ended; every sink has then got the same one ``Ended``.

    Raises nothing: a text that cannot be read or a model that does not fit is an ``Ended`` too, and leaves no
    folder behind. Blocks until the end, so a window calls it on a thread of its own.

    Args:
        sinks: get every event, in order, on the calling thread, after the journal has it.
        path: the run's folder; one with a name of its own among the user's runs if not given.
        anyway: trains also where the memory that is free is not expected to suffice.
        world: the processes that train it together, this one among them; the one that leads keeps the folder.
        reading: told of the bytes of the text that are tokenised.
    """
    record = _Record()
    stream = _fresh(spec, world.control(control), record, path, anyway, world, reading)
    return _pour(stream, record, control, sinks, world)


def resume(
    run: RunFolder, control: Control, sinks: Sequence[Sink], start: Path | None = None, anyway: bool = False,
    world: World = ALONE, reading: Progress = unwatched,
) -> Ended:
    """Goes on with a run from its last checkpoint exactly as if it had never stopped; returns how it ended.

    Raises nothing, as :func:`launch`. What was recorded after the checkpoint is cut off, and done again.

    Args:
        start: an earlier checkpoint of the run to go on from; the later ones are then removed.
        anyway, world, reading: as for :func:`launch`.
    """
    record = _Record()
    stream = _continued(run, world.control(control), record, start, anyway, world, reading)
    return _pour(stream, record, control, sinks, world)


def _pour(stream: Stream, record: _Record, control: Control, sinks: Sequence[Sink], world: World) -> Ended:
    try:
        with devices.reusing_freed_memory(world.reused_below):
            ended = execute(world.explaining(stream), [record, *sinks])
        if ended.outcome != "failed":
            world.leave()
        return ended
    finally:
        record.close()
        control.close()


def _fresh(
    spec: TrainSpec, control: Control, record: _Record, path: Path | None, anyway: bool, world: World,
    reading: Progress,
) -> Stream:
    from gptstudio.runs import corpus
    from gptstudio.runs.trainer import train

    began_with = world.first(lambda: beginning.find(spec))  # before a text is read, which can take long
    text = world.in_turn(lambda: corpus.read(spec, _watched(control, reading)))
    plan = corpus.plan(spec, text)
    if control.stopping:
        return "stopped"
    where = Path(os.path.expanduser(path)).absolute() if path else None
    was_there = where is not None and where.exists()
    known = beginning.known(began_with) if began_with and world.leads else None
    folder = world.first(lambda: RunFolder.create(spec, text.text.name, text.text.sha256, where, known))
    with _writing(folder, world):
        events = train(spec, text, folder, control, anyway=anyway, world=world, began_with=began_with)
        try:
            started = next(events)  # the trainer checks device and memory before its first event
            record.open(folder, world, Lesson(spec, plan))
        except BaseException:
            if world.leads:
                _remove(folder, keep_itself=was_there)
            raise
        yield started
        for words in text.notes:
            yield Warned(words=words)
        return (yield from events)


def _continued(
    run: RunFolder, control: Control, record: _Record, start: Path | None, anyway: bool, world: World,
    reading: Progress,
) -> Stream:
    from gptstudio.runs import checkpoint, corpus
    from gptstudio.runs.trainer import train

    with _writing(run, world):
        asked = world.first(run.record)
        text = world.in_turn(lambda: corpus.read(asked.spec, _watched(control, reading)))
        if text.text.sha256 != asked.text_sha256:
            raise UserError(
                f"The text {asked.text_name} is another than when this run began, so it cannot go on with it. "
                "Put the old text back, or start a new run."
            )
        start = world.first(lambda: start or run.newest_checkpoint())
        state = world.first(lambda: checkpoint.read_state(start))
        if state.step + 1 >= corpus.plan(asked.spec, text).total_steps:
            raise UserError(f"The run {run.name} has taken all its steps. To train longer, run it again with more.")
        events = train(asked.spec, text, run, control, start, anyway, world)
        begun = _until_it_trains(events)  # before anything is given up for it
        if world.leads:
            run.remove(run.after(state.step))
            journal.cut_back(run.journal_path, state.journal_bytes)
        record.open(run, world)
        yield from begun
        return (yield from events)


def _watched(control: Control, reading: Progress) -> Progress:
    """Tells ``reading``, and breaks off where a stop was asked for."""

    def progress(done: int, total: int) -> None:
        control.check()
        reading(done, total)

    return progress


def _until_it_trains(events: Stream) -> list[Event]:
    """What is told until the checkpoint is read and the next step can be taken."""
    told: list[Event] = []
    while PhaseChanged(phase="training") not in told:
        told.append(next(events))
    return told


def _writing(run: RunFolder, world: World) -> AbstractContextManager[None]:
    """The run is for one process to write, whoever trains it."""
    return run.writing() if world.leads else nullcontext()


def _remove(folder: RunFolder, keep_itself: bool) -> None:
    """Leaves the disk as it was before the folder was made."""
    shutil.rmtree(folder.path, ignore_errors=True)
    if keep_itself:
        folder.path.mkdir()


class _Record:
    """A sink that writes the journal, once there is a folder to keep it in; and what is learned from a whole run."""

    def __init__(self) -> None:
        self._journal: Journal | None = None
        self._lesson: Lesson | None = None

    def open(self, folder: RunFolder, world: World, lesson: Lesson | None = None) -> None:
        if world.leads:
            self._journal = Journal(folder.journal_path)
            self._lesson = lesson if world.size == 1 else None

    def __call__(self, event: Event) -> None:
        if self._lesson:
            self._lesson(event)
        if self._journal:
            self._journal(event)

    def close(self) -> None:
        if self._journal:
            with suppress(OSError):  # a full disk, of which the executor has told already
                self._journal.close()
