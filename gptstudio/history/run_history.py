"""A run's journal as columns of numbers, the source of charts, tables and exports. Imports no torch."""

from __future__ import annotations

import math
import os
from collections.abc import Iterable, Iterator
from contextlib import suppress
from itertools import pairwise
from pathlib import Path
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from gptstudio.data.encodings import Progress, unwatched
from gptstudio.errors import os_errors
from gptstudio.history.columns import Axis, Columns, Numbers
from gptstudio.history.health_history import HealthHistory
from gptstudio.history.journal_reader import (
    EVALUATION,
    MEMORY,
    STEP,
    EventBatch,
    JournalReader,
    RareEvent,
    batches_of,
    parse,
)
from gptstudio.i18n import Message, message
from gptstudio.training.events import (
    ActivationsRead,
    CheckpointSaved,
    CopiesFound,
    Ended,
    Event,
    LearningRateChanged,
    PhaseChanged,
    ProbeReading,
    ProbesRead,
    RunStarted,
    SampleWritten,
    UpdatesRead,
    Warned,
)
from gptstudio.training.run_metrics import SPEED_WINDOW

MOST_S = 1e9
"""Duration of a run, in seconds, from which its log is taken to be damaged."""


class Note(NamedTuple):
    """A warning, and the last step done before it; -1 before the first."""

    step: int
    message: str


class Started(NamedTuple):
    """Start of a run, or its continuation after ``before`` steps."""

    event: RunStarted
    before: int


class Best(NamedTuple):
    """The lowest validation loss, in nats per token, and its step."""

    step: int
    val_loss: float

    def bits_per_byte(self, bytes_per_token: float) -> float | None:
        """Return the loss in bits per byte, which can be compared between vocabularies; None if the mean number of
        bytes per token of the validation text is not known (0)."""
        return self.val_loss / math.log(2) / bytes_per_token if bytes_per_token else None


def words_of_rate(change: LearningRateChanged) -> tuple[Message, Message]:
    """Return the label and the tooltip of a mark where the learning rate was changed."""
    rate = f"{change.learning_rate:g}"
    return message("rate {rate}", rate=rate), message(
        "From step {n} on, the learning rate is {rate}.", n=f"{change.step + 1:,}", rate=rate)


class History:
    """Everything that a run's events have reported so far: the only source of the data in charts, tables and terminals.

    Attributes:
        steps: columns as in ``StepDone``, and ``tokens_per_second`` as in ``RunMetrics`` after each step.
        evaluations: columns as in ``Evaluated``, and ``elapsed_s``.
        memory: columns as in ``MemoryRead``, and ``step``, ``tokens_seen`` and ``elapsed_s`` of the last step done
            before.
        copies: for each sample, the share of copied tokens in percent, and the longest copied stretch in tokens;
            ``copies_found``: the events.
        health: health of the layers at the evaluations.
        axes: for each x axis, the column with its positions; empty before the run has started.
        bytes_per_token: as in ``RunStarted``; 0 before the run has started.
        starts: starts of the run and its continuations, in order; ``started``: the last one.
        paused: numbers of steps after which the run was paused.
        resumed: the first step after each resumption, in order.
        ended: outcome of the run; None while it is running, or if it was interrupted.
    """

    def __init__(self) -> None:
        self.steps = Columns(*STEP, "tokens_per_second")
        self.evaluations = Columns(*EVALUATION, "elapsed_s")
        self.memory = Columns("step", *MEMORY, "tokens_seen", "elapsed_s")
        self.axes: dict[str, Axis] = {}
        self.bytes_per_token = 0.0, 0.0
        self.samples: list[SampleWritten] = []
        self.probes: list[ProbesRead] = []
        self.copies = Columns("step", "copied_percent", "longest", "tokens_seen", "elapsed_s")
        self.copies_found: list[CopiesFound] = []
        self.health = HealthHistory()
        self.checkpoints: list[CheckpointSaved] = []
        self.learning_rates: list[LearningRateChanged] = []
        self.notes: list[Note] = []
        self.starts: list[Started] = []
        self.paused: list[int] = []
        self.resumed: list[int] = []
        self.started: RunStarted | None = None
        self.ended: Ended | None = None
        self.last_step = -1
        self._first_row = -1  # first row after the run was resumed; -1 if it was not
        self._saved_changes: set[int] = set()  # steps whose new learning rate the checkpoint before them contains

    def add(self, *events: Event) -> None:
        """Add the next events; events without a metric are ignored.

        Raises:
            OverflowError: a number is larger than any run can reach.
        """
        for batch in batches_of(events):
            self.take(batch)

    def extend(self, lines: Iterable[bytes]) -> None:
        """Add lines of a journal, like ``add`` for each event in them, but faster. Skip lines that are not events."""
        for batch in parse(lines):
            self.take(batch)

    def take(self, batch: EventBatch) -> None:
        """Add a batch of messages."""
        before, last_step = len(self.steps), self.last_step
        self._add_steps(batch.steps)
        if len(batch.evaluations):
            rows = before - 1 + batch.evaluations[:, -1].astype(int)
            self.evaluations.extend(np.column_stack([batch.evaluations[:, :-1], self._of_steps("elapsed_s", rows)]))
        if len(batch.memory):
            rows = before - 1 + batch.memory[:, -1].astype(int)
            step = np.where(rows < before, last_step, self._of_steps("step", rows))
            places = (self._of_steps(name, rows) for name in ("tokens_seen", "elapsed_s"))
            self.memory.extend(np.column_stack([step, batch.memory[:, :-1], *places]))
        for steps, _, event in batch.rare:
            self._add_other(event, int(batch.steps[steps - 1, 0]) if steps else last_step)

    def nats_per_bit(self, part: int) -> float:
        """Return the ratio of a loss in nats per token to the loss in bits per byte: ln 2 times the mean number of
        bytes per token of the training text (part 0) or of the validation text (part 1). NaN if the log lacks it."""
        return math.log(2) * self.bytes_per_token[part] or math.nan

    @property
    def step_s(self) -> float | None:
        """Mean seconds per step, with its share of evaluations and samples; None without a plausible time."""
        elapsed = self.steps["elapsed_s"]
        return float(elapsed[-1]) / len(elapsed) if len(elapsed) and 0 < elapsed[-1] < MOST_S else None

    @property
    def best(self) -> Best | None:
        losses = self.evaluations["val_loss"]
        if not np.isfinite(losses).any():
            return None
        row = int(np.nanargmin(losses))
        return Best(int(self.evaluations["step"][row]), float(losses[row]))

    def _add_steps(self, rows: Numbers) -> None:
        if not len(rows):
            return
        self.steps.extend(rows)
        new = np.arange(len(self.steps) - len(rows), len(self.steps))
        base = np.maximum(new - SPEED_WINDOW, self._first_row)
        with np.errstate(all="ignore"):
            tokens, seconds = (
                self.steps[name][new] - np.where(base < 0, 0, self.steps[name][base])  # from the beginning of the run
                for name in ("tokens_seen", "elapsed_s")
            )
            self.steps["tokens_per_second"][new] = np.where(seconds > 0, tokens / seconds, np.nan)
        self.last_step = int(rows[-1, 0])

    def _of_steps(self, name: str, rows: NDArray[np.int_]) -> Numbers:
        """Return the values of a column of the steps at these rows; NaN before the first."""
        if not len(self.steps):
            return np.full(len(rows), np.nan)
        return np.where(rows < 0, np.nan, self.steps[name][rows])

    def _add_other(self, event: Event, last_step: int) -> None:
        match event:
            case SampleWritten():
                self.samples.append(event)
            case ProbesRead():
                self.probes.append(event)
            case CopiesFound():
                self.copies_found.append(event)
                self.copies.extend([(event.step, 100 * event.share, event.longest, *self.place_of(event.step))])
            case UpdatesRead() | ActivationsRead():
                self.health.add(event, self.place_of(event.step)[1])
            case CheckpointSaved():
                if not event.model_only:
                    self._note_saved_change(event.step + 1)
                others = (each for each in self.checkpoints if each.step != event.step)
                self.checkpoints = sorted([*others, event], key=lambda each: each.step)
            case LearningRateChanged():
                self.learning_rates = [each for each in self.learning_rates if each.step != event.step] + [event]
                self._saved_changes.discard(event.step)
            case Warned():
                self.notes.append(Note(last_step, event.message))
            case PhaseChanged(phase="paused"):
                self.paused.append(last_step + 1)
            case RunStarted():
                self._start(event, last_step)
            case Ended():
                self.ended = event

    def place_of(self, step: int) -> tuple[float, float]:
        """Return the tokens seen and the seconds elapsed after a step; zero before the first."""
        row = int(np.searchsorted(self.steps["step"], step, side="right")) - 1
        return (float(self.steps["tokens_seen"][row]), float(self.steps["elapsed_s"][row])) if row >= 0 else (0.0, 0.0)

    def _note_saved_change(self, step: int) -> None:
        self._saved_changes |= {step} & {change.step for change in self.learning_rates}

    def _start(self, event: RunStarted, last_step: int) -> None:
        first, self.bytes_per_token = event.first_step, event.bytes_per_token
        if last_step < first:
            self._note_saved_change(first)
        kept_to = first if first in self._saved_changes else first - 1
        self.axes.update(
            step=Axis("step", offset=1), tokens=Axis("tokens_seen"), minutes=Axis("elapsed_s", 60),
            epoch=Axis("tokens_seen", event.steps_per_epoch * event.tokens_per_step),
        )
        for columns in (self.steps, self.evaluations, self.memory, self.copies, self.health):
            columns.truncate_from(first)
        self._first_row = len(self.steps) if first else -1
        self.samples = [sample for sample in self.samples if sample.step < first]
        self.probes = [read for read in self.probes if first > 0 and read.step < first]
        self.copies_found = [found for found in self.copies_found if found.step < first]
        self.checkpoints = [checkpoint for checkpoint in self.checkpoints if checkpoint.step < first]
        self.learning_rates = [change for change in self.learning_rates if change.step <= kept_to]
        self._saved_changes &= {change.step for change in self.learning_rates}
        self.notes = [note for note in self.notes if note.step < first]
        self.resumed = [mark for mark in self.resumed if mark < first] + ([first] if first else [])
        self.paused = [done for done in self.paused if done <= first]
        self.starts.append(Started(event, last_step + 1))
        self.started, self.ended, self.last_step = event, None, first - 1


def read(path: Path, progress: Progress = unwatched) -> History:
    """Read the history in a journal; it is empty if there is none.

    Raises:
        UserError: the journal cannot be opened.
    """
    history, reader, total = History(), JournalReader(path), 0
    could_not_read = os_errors(lambda why: message("Could not read {path}: {why}.", path=path, why=why))
    with could_not_read, suppress(FileNotFoundError, NotADirectoryError), path.open("rb") as file:
        total = os.fstat(file.fileno()).st_size
    while (found := reader.read()).news:
        history = History() if found.restarted else history
        for batch in found.batches:
            history.take(batch)
        progress(reader.place.offset, max(total, reader.place.offset))
    return history


def batches_in(history: History) -> Iterator[EventBatch]:
    """Yield the steps and evaluations of a history as batches. All except the last end where the run was resumed."""
    steps, evaluations = (np.column_stack([columns[name] for name in names]) for columns, names in (
        (history.steps, STEP), (history.evaluations, EVALUATION)))
    places = np.searchsorted(steps[:, 0], evaluations[:, 0], side="right")
    rows = [0, *np.searchsorted(steps[:, 0], history.resumed), len(steps)]
    for number, (begin, end) in enumerate(pairwise(rows)):
        within = (places > (begin if number else -1)) & (places <= end)
        counted = np.column_stack([evaluations[within], places[within] - begin])
        starts = [RareEvent(end - begin, len(counted), history.started.model_copy(update={"first_step": first}))
                  for first in history.resumed[number : number + 1] if history.started]
        if end > begin:
            yield EventBatch(steps[begin:end], counted, np.empty((0, 0)), starts)


RIBBONS = 6
"""Number of tokens with a ribbon of their own."""


class RibbonToken(NamedTuple):
    """A candidate for the next token: its probability, and the number of its ribbon, or None."""

    id: int
    probability: float
    ribbon: int | None


class ProbeHistory:
    """History of one probe of a run, given by its number; ``update`` adds the new readings.

    Attributes:
        tokens: token of each ribbon: the tokens that reached the highest probabilities. A token keeps its ribbon while
            it is one of these, so that its colour stays.
        table: for each reading, ``top0`` ... ``top5``: the upper ends of the ribbons, which are stacked, ribbon 0 at
            the bottom; ``entropy_bits``; and the columns of the axes.
    """

    def __init__(self, history: History, number: int):
        self._history, self._number = history, number
        self.table = Columns("step", "tokens_seen", "elapsed_s", "entropy_bits", *(f"top{i}" for i in range(RIBBONS)))
        self._clear()

    @property
    def count(self) -> int:
        """Number of readings."""
        return len(self.readings)

    def _clear(self) -> None:
        self.tokens: list[int | None] = [None] * RIBBONS
        self.readings: list[ProbeReading] = []
        self._events: list[ProbesRead] = []
        self._peaks: dict[int, float] = {}
        self.table.truncate(0)

    def update(self) -> bool:
        """Add the new readings; return whether there were any, or the run was reset to an earlier step."""
        events, known = self._history.probes, len(self._events)
        if len(events) < known or (known and events[known - 1] is not self._events[-1]):
            self._clear()
        before = list(self.tokens)
        new = events[len(self._events) :]
        for event in new:
            self._events.append(event)
            reading = event.probes[self._number] if self._number < len(event.probes) else NO_READING
            self.readings.append(reading)
            self._rank(reading)
        if self.tokens != before:
            self.table.truncate(0)
        for event, reading in list(zip(self._events, self.readings, strict=True))[len(self.table) :]:
            self.table.extend([tuple(self._row(event, reading))])
        return bool(new) or len(events) < known

    def step(self, index: int) -> int:
        """Return the step of a reading, counted from 0; -1 means before the first step."""
        return self._events[index].step

    def candidates(self, index: int, count: int = RIBBONS) -> list[RibbonToken]:
        """Return the most probable tokens of a reading, in descending order."""
        reading = self.readings[index]
        found = sorted(zip(reading.ids, map(_finite, reading.probabilities), strict=True), key=lambda each: -each[1])
        return [RibbonToken(id, probability, self.tokens.index(id) if id in self.tokens else None)
                for id, probability in found[:count]]

    def _rank(self, reading: ProbeReading) -> None:
        """Assign the ribbons to the tokens with the highest peaks."""
        for id, probability in zip(reading.ids, reading.probabilities, strict=True):
            self._peaks[id] = max(self._peaks.get(id, 0.0), _finite(probability))
        best = sorted(self._peaks, key=lambda id: -self._peaks[id])[:RIBBONS]
        self.tokens = [id if id in best else None for id in self.tokens]
        for id in best:
            if id not in self.tokens:
                self.tokens[self.tokens.index(None)] = id

    def _row(self, event: ProbesRead, reading: ProbeReading) -> Iterator[float]:
        _, elapsed_s = self._history.place_of(event.step)
        yield from (event.step, event.tokens_seen, elapsed_s, reading.entropy_bits)
        probabilities = dict(zip(reading.ids, map(_finite, reading.probabilities), strict=True))
        yield from np.cumsum([probabilities.get(id, 0.0) if id is not None else 0.0 for id in self.tokens]).tolist()


NO_READING = ProbeReading(text="", ids=(), probabilities=(), entropy_bits=float("nan"))
"""Substitute for a reading that a journal lacks."""


def _finite(probability: float) -> float:
    """Limit a probability to the range from 0 to 1; NaN, from a model that diverges, becomes 0."""
    return min(max(probability, 0.0), 1.0) if probability == probability else 0.0
