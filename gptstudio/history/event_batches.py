"""Events of a run in batches, live or from the lines of its journal: the three that come by the million are rows of
numbers, read past pydantic, with the values that it would have given. No torch."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from contextlib import suppress
from itertools import groupby
from operator import itemgetter
from typing import Any, NamedTuple, TypeAlias, TypeVar, cast

import numpy as np
from pydantic import BaseModel, ValidationError
from pydantic_core import from_json as from_json_text

from gptstudio.history.columns import Numbers
from gptstudio.training.events import MOST_COUNT, Evaluated, Event, MemoryRead, RunStarted, StepDone, from_json
from gptstudio.training.journal import event_of, is_changed

T = TypeVar("T")
E = TypeVar("E", StepDone, Evaluated, MemoryRead)
Rows: TypeAlias = list[tuple[Any, ...]]
Whole: TypeAlias = list[int] | slice

FREQUENT = StepDone, Evaluated, MemoryRead
"""Messages that are columns of a batch."""
MOST_RARE_EVENTS = 1_000
"""Other messages to take at once. Those about the health of a model of 12 layers take half a millisecond each."""


class RareEvent(NamedTuple):
    """A rare message, and the number of steps and evaluations of its batch before it."""

    steps: int
    evaluations: int
    event: Event


class EventBatch(NamedTuple):
    """Some messages of a run: rows of the three frequent ones, and the others. Where a run starts, a batch ends.

    Attributes:
        steps: (rows, values of ``StepDone``).
        evaluations, memory: (rows, values of the message, and last the number of steps of the batch before it).
        rare: the other events, in their order.
    """

    steps: Numbers
    evaluations: Numbers
    memory: Numbers
    rare: list[RareEvent]

    def steps_at(self, rows: slice) -> list[StepDone]:
        """Return steps of it as the messages that they were."""
        return _events(StepDone, STEP, self.steps[rows])

    def most_memory(self) -> MemoryRead:
        """Return the most of each figure of the memory; there is one at least."""
        return _events(MemoryRead, MEMORY, self.memory.max(axis=0, keepdims=True))[0]

    def newest(self) -> list[Event]:
        """Return what shows how things stand after it: the last of each frequent message, then all others."""
        return [
            *self.steps_at(slice(-1, None)), *_events(Evaluated, EVALUATION, self.evaluations[-1:]),
            *_events(MemoryRead, MEMORY, self.memory[-1:]), *(other.event for other in self.rare)]


def parse(lines: Iterable[bytes]) -> Iterator[EventBatch]:
    """The batches in lines of a journal. Lines that are no event are skipped."""
    for part in split(lines, lambda line: line.startswith(b'{"event":"run_started"')):
        try:
            yield _batch(((_parsed(line), line) for line in part), _table)
        except (ValueError, KeyError):  # something is not as a run writes it or has written it
            for event in map(event_of, part):
                with suppress(OverflowError):
                    if event:
                        yield batch_of([event])


def batches_of(items: Iterable[object]) -> Iterator[EventBatch]:
    """The batches among the items, and those that the events between them make. Other items are left out.

    Raises:
        OverflowError: a number that no run can reach.
    """
    for kind, group in groupby(items, lambda item: EventBatch if isinstance(item, EventBatch) else Event):
        if kind is EventBatch:
            yield from cast("Iterator[EventBatch]", group)
        else:
            events = (event for event in group if isinstance(event, Event))
            yield from map(batch_of, split(events, lambda event: isinstance(event, RunStarted)))


def newest_of(items: Iterable[object]) -> list[object]:
    """Return the items, and in the place of each batch what shows how things stand after it."""
    return [each for item in items for each in (item.newest() if isinstance(item, EventBatch) else [item])]


def rare_events_in(batches: Iterable[EventBatch]) -> int:
    """Return how many messages there are that come seldom."""
    return sum(len(batch.rare) for batch in batches)


def split(items: Iterable[T], is_last: Callable[[T], bool]) -> Iterator[list[T]]:
    """The items in lists, each to its last."""
    part: list[T] = []
    for item in items:
        part.append(item)
        if is_last(item):
            yield part
            part = []
    if part:
        yield part


def _parsed(line: bytes) -> Any:
    if is_changed(line):
        raise ValueError("changed since it was written")
    return from_json_text(line)


def batch_of(events: Iterable[Event]) -> EventBatch:
    return _batch(((vars(event), event) for event in events), lambda rows, _: np.array(rows, dtype=float))


def _batch(messages: Iterable[tuple[Any, Event | bytes]], table: Callable[[Rows, Whole], Numbers]) -> EventBatch:
    """Make a batch of messages, each its values by name, and its event or the line of that.

    Raises:
        ValueError, KeyError: the values are not those of the messages.
        OverflowError: a number that no run can reach.
    """
    steps: Rows = []
    evaluations: Rows = []
    memory: Rows = []
    rare: list[RareEvent] = []
    for values, source in messages:
        if rare and isinstance(rare[-1].event, RunStarted):
            raise ValueError("a run starts in the middle")
        kind = values.get("event") if type(values) is dict else None
        if kind == "step_done":
            steps.append(_step(values))
        elif kind == "evaluated":
            evaluations.append((*_evaluation(values), len(steps)))
        elif kind == "memory_read":
            memory.append((*_memory(values), len(steps)))
        else:
            with suppress(ValidationError):
                event = from_json(source) if isinstance(source, bytes) else source
                rare.append(RareEvent(len(steps), len(evaluations), event))
    return EventBatch(
        table(steps, WHOLE_STEP), table(evaluations, WHOLE_EVALUATION), table(memory, slice(None)), rare)


def _table(rows: Rows, whole: Whole) -> Numbers:
    """The rows as numbers, (rows, columns).

    Raises:
        ValueError: a value is no number, or no count in the columns ``whole``.
    """
    if not rows:
        return np.empty((0, 0))
    table: Numbers = np.array(rows)
    if table.dtype.kind not in "iuf":
        raise ValueError("not all are numbers")
    counts = table[:, whole]
    if not np.all((counts >= 0) & (counts <= MOST_COUNT) & (counts == np.floor(counts))):
        raise ValueError("not all are counts")
    return table


def _events(kind: type[E], names: tuple[str, ...], rows: Numbers) -> list[E]:
    """Return rows of a batch as the messages that they were; further columns are left out."""
    return [kind(**dict(zip(names, row, strict=False))) for row in rows.tolist()]


def _names(message: type[BaseModel]) -> tuple[str, ...]:
    return tuple(name for name in message.model_fields if name != "event")


def _whole(message: type[BaseModel]) -> list[int]:
    """Return the indices of a message's integer values."""
    return [i for i, name in enumerate(_names(message)) if message.model_fields[name].annotation is int]


STEP, EVALUATION, MEMORY = _names(StepDone), _names(Evaluated), _names(MemoryRead)
WHOLE_STEP, WHOLE_EVALUATION = _whole(StepDone), _whole(Evaluated)
_step, _evaluation, _memory = itemgetter(*STEP), itemgetter(*EVALUATION), itemgetter(*MEMORY)
