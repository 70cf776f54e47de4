"""A run's journal as columns of numbers: what charts, tables and exports are made from. No torch.

Fed by events, live or from a file. The three messages that come by the million are read past pydantic, and give
what it would have given.
"""

from __future__ import annotations

from collections.abc import Iterable
from contextlib import suppress
from operator import itemgetter
from pathlib import Path
from typing import Any, Literal, NamedTuple

import numpy as np
from pydantic import BaseModel, ValidationError
from pydantic_core import from_json as parse

from gptstudio.history.columns import Columns, Numbers
from gptstudio.training.events import (
    CheckpointSaved,
    Ended,
    Evaluated,
    Event,
    LearningRateChanged,
    MemoryRead,
    RunStarted,
    SampleWritten,
    StepDone,
    Warned,
    from_json,
)
from gptstudio.training.journal import event_of, is_changed

Axis = Literal["step", "epoch", "tokens", "seconds"]
"""Quantity on a curve's x axis."""

PIECE = 2**20
"""Bytes of lines that are read at once."""


class Note(NamedTuple):
    """A warning, and the last step done when it came; -1 before the first."""

    step: int
    message: str


class Best(NamedTuple):
    """The lowest validation loss, in nats per token, and its step."""

    step: int
    val_loss: float


class History:
    """Everything that a run's events have reported so far.

    Attributes:
        steps, evaluations: named as in the events ``StepDone`` and ``Evaluated``.
        memory: as in ``MemoryRead``, with the last step done before each reading.
        resumed: the first step after each resumption, in order.
        ended: outcome of the run; None while it is running, or if it was interrupted.
    """

    def __init__(self) -> None:
        self.steps = Columns(*STEP)
        self.evaluations = Columns(*EVALUATION)
        self.memory = Columns("step", *MEMORY)
        self.samples: list[SampleWritten] = []
        self.checkpoints: list[CheckpointSaved] = []
        self.learning_rates: list[LearningRateChanged] = []
        self.notes: list[Note] = []
        self.resumed: list[int] = []
        self.started: RunStarted | None = None
        self.ended: Ended | None = None
        self.last_step = -1
        self._tokens_per_epoch = np.nan

    def add(self, event: Event) -> None:
        """Add the next event; events without a metric are ignored."""
        match event:
            case StepDone():
                self.steps.extend([_step(vars(event))])
                self.last_step = event.step
            case Evaluated():
                self.evaluations.extend([_evaluation(vars(event))])
            case MemoryRead():
                self.memory.extend([(self.last_step, *_memory(vars(event)))])
            case SampleWritten():
                self.samples.append(event)
            case CheckpointSaved():
                self.checkpoints.append(event)
            case LearningRateChanged():
                self.learning_rates.append(event)
            case Warned():
                self.notes.append(Note(self.last_step, event.message))
            case RunStarted():
                self._start(event)
            case Ended():
                self.ended = event

    def extend(self, lines: Iterable[bytes]) -> None:
        """Add lines of a journal: as ``add`` of each event in them, but faster. Lines that are no event are skipped."""
        lines = list(lines)
        block = _parse(lines, self.last_step)
        if block:
            self._take(block)
            return
        for line in lines:
            event = event_of(line)
            with suppress(OverflowError):  # a number that no run can reach
                if event:
                    self.add(event)

    @property
    def best(self) -> Best | None:
        losses = self.evaluations["val_loss"]
        if not np.isfinite(losses).any():
            return None
        row = int(np.nanargmin(losses))
        return Best(int(self.evaluations["step"][row]), float(losses[row]))

    def x(self, columns: Columns, axis: Axis, start: int = 0) -> Numbers:
        """Return the position of each row of ``columns`` on an axis, (rows - start,), from row ``start`` on.

        Epochs are counted in fractions, seconds exclude pauses. NaN if not known.
        """
        if axis == "step":
            return columns["step"][start:]
        if axis == "seconds":
            return self._of_steps("elapsed_s", columns, start)
        tokens = self._of_steps("tokens_seen", columns, start)
        return tokens if axis == "tokens" else tokens / self._tokens_per_epoch

    def tokens_per_second(self, start: int = 0, window: int = 20) -> Numbers:
        """Speed at each step, over the ``window`` steps up to it, (steps - start,), from row ``start`` on."""
        first = max(0, start - window)
        time, tokens = self.steps["elapsed_s"][first:], self.steps["tokens_seen"][first:]
        if first == 0:  # the first steps are measured from the beginning
            time, tokens = (np.concatenate([np.zeros(window), column]) for column in (time, tokens))
        passed = time[window:] - time[:-window]
        gained = tokens[window:] - tokens[:-window]
        speed = np.divide(gained, passed, out=np.full_like(passed, np.nan), where=passed > 0)
        return speed[len(speed) - (len(self.steps) - start) :]

    def _of_steps(self, name: str, columns: Columns, start: int) -> Numbers:
        """A column of the steps for each row of ``columns``: its own, or in between by step."""
        if name in columns:
            return columns[name][start:]
        at = columns["step"][start:]
        return np.interp(at, self.steps["step"], self.steps[name]) if len(self.steps) else np.full_like(at, np.nan)

    def _start(self, event: RunStarted) -> None:
        first = event.first_step
        self._tokens_per_epoch = float(event.steps_per_epoch * event.tokens_per_step)
        for columns in (self.steps, self.evaluations, self.memory):
            columns.drop_from(first)
        self.samples = [sample for sample in self.samples if sample.step < first]
        self.checkpoints = [checkpoint for checkpoint in self.checkpoints if checkpoint.step < first]
        self.learning_rates = [change for change in self.learning_rates if change.step < first]
        self.notes = [note for note in self.notes if note.step < first]
        self.resumed = [mark for mark in self.resumed if mark < first] + ([first] if first else [])
        self.started, self.ended, self.last_step = event, None, first - 1

    def _take(self, block: _Block) -> None:
        self.steps.extend(block.steps)
        self.evaluations.extend(block.evaluations)
        self.memory.extend(block.memory)
        for step, event in block.others:
            self.last_step = step
            self.add(event)
        self.last_step = block.last_step


def read(path: Path) -> History:
    """The history in a journal; empty where there is none."""
    history = History()
    if path.is_file():
        with path.open("rb") as file:
            while lines := file.readlines(PIECE):
                history.extend(lines)
    return history


class _Block(NamedTuple):
    """Some lines of a journal: rows of the three frequent messages, and the others, each with the step before it."""

    steps: Numbers
    evaluations: Numbers
    memory: Numbers
    others: list[tuple[int, Event]]
    last_step: int


def _parse(lines: list[bytes], last_step: int) -> _Block | None:
    """The block of ``lines``; None where they must be read one by one, because a run starts among them or something
    is not as a run writes it or has written it."""
    steps, evaluations, memory, others = [], [], [], []
    for line in lines:
        if is_changed(line):
            return None
        try:
            raw = parse(line)
        except ValueError:
            return None
        kind = raw.get("event") if type(raw) is dict else None
        try:
            if kind == "step_done":
                steps.append(_step(raw))
                last_step = raw["step"]
            elif kind == "evaluated":
                evaluations.append(_evaluation(raw))
            elif kind == "memory_read":
                memory.append((last_step, *_memory(raw)))
            elif kind == "run_started":
                return None
            elif kind != "phase_changed":
                others.append((last_step, from_json(line)))
        except KeyError:
            return None
        except ValidationError:
            continue
    try:
        return _Block(
            _table(steps, WHOLE_STEP), _table(evaluations, WHOLE_EVALUATION), _table(memory, slice(None)),
            others, last_step,
        )
    except ValueError:
        return None


def _table(rows: list[tuple[Any, ...]], whole: list[int] | slice) -> Numbers:
    """The rows as numbers, (rows, columns).

    Raises:
        ValueError: a value is no number, or no whole one in the columns ``whole``.
    """
    if not rows:
        return np.empty((0, 0))
    table = np.array(rows)
    if table.dtype.kind not in "iuf":
        raise ValueError("not all are numbers")
    counts = table[:, whole]
    if not np.all(np.isfinite(counts) & (counts == np.floor(counts))):
        raise ValueError("not all are whole numbers")
    return table


def _names(message: type[BaseModel]) -> tuple[str, ...]:
    return tuple(name for name in message.model_fields if name != "event")


def _whole(message: type[BaseModel]) -> list[int]:
    """Return the indices of a message's integer values."""
    return [i for i, name in enumerate(_names(message)) if message.model_fields[name].annotation is int]


STEP, EVALUATION, MEMORY = _names(StepDone), _names(Evaluated), _names(MemoryRead)
WHOLE_STEP, WHOLE_EVALUATION = _whole(StepDone), _whole(Evaluated)
_step, _evaluation, _memory = itemgetter(*STEP), itemgetter(*EVALUATION), itemgetter(*MEMORY)
