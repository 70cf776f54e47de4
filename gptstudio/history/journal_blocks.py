"""Lines of a journal as blocks of numbers: the three messages that come by the million are read past pydantic, and give
what it would have given. No torch."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from contextlib import suppress
from operator import itemgetter
from typing import Any, NamedTuple, TypeAlias, TypeVar

import numpy as np
from pydantic import BaseModel, ValidationError
from pydantic_core import from_json as from_json_text

from gptstudio.history.columns import Numbers
from gptstudio.training.events import MOST_COUNT, Evaluated, Event, MemoryRead, RunStarted, StepDone, from_json
from gptstudio.training.journal import event_of, is_changed

T = TypeVar("T")
Rows: TypeAlias = list[tuple[Any, ...]]
Whole: TypeAlias = list[int] | slice


class Block(NamedTuple):
    """Some messages of a run: rows of the three frequent ones, and the others. Where a run starts, a block ends.

    Attributes:
        steps: (rows, values of ``StepDone``).
        evaluations, memory: (rows, values of the message, and last the number of steps of the block before it).
        others: each with the number of steps of the block before it.
    """

    steps: Numbers
    evaluations: Numbers
    memory: Numbers
    others: list[tuple[int, Event]]


def parse(lines: Iterable[bytes]) -> Iterator[Block]:
    """The blocks in lines of a journal. Lines that are no event are skipped."""
    for part in split(lines, lambda line: line.startswith(b'{"event":"run_started"')):
        try:
            yield _block(((_parsed(line), line) for line in part), _table)
        except (ValueError, KeyError):  # something is not as a run writes it or has written it
            for event in map(event_of, part):
                with suppress(OverflowError):
                    if event:
                        yield events_block([event])


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


def events_block(events: Iterable[Event]) -> Block:
    return _block(((vars(event), event) for event in events), lambda rows, _: np.array(rows, dtype=float))


def _block(messages: Iterable[tuple[Any, Event | bytes]], table: Callable[[Rows, Whole], Numbers]) -> Block:
    """Make a block of messages, each its values by name, and its event or the line of that.

    Raises:
        ValueError, KeyError: the values are not those of the messages.
        OverflowError: a number that no run can reach.
    """
    steps: Rows = []
    evaluations: Rows = []
    memory: Rows = []
    others: list[tuple[int, Event]] = []
    for values, source in messages:
        if others and isinstance(others[-1][1], RunStarted):
            raise ValueError("a run starts in the middle")
        kind = values.get("event") if type(values) is dict else None
        if kind == "step_done":
            steps.append(_step(values))
        elif kind == "evaluated":
            evaluations.append((*_evaluation(values), len(steps)))
        elif kind == "memory_read":
            memory.append((*_memory(values), len(steps)))
        elif kind != "phase_changed":
            with suppress(ValidationError):
                others.append((len(steps), from_json(source) if isinstance(source, bytes) else source))
    return Block(table(steps, WHOLE_STEP), table(evaluations, WHOLE_EVALUATION), table(memory, slice(None)), others)


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


def _names(message: type[BaseModel]) -> tuple[str, ...]:
    return tuple(name for name in message.model_fields if name != "event")


def _whole(message: type[BaseModel]) -> list[int]:
    """Return the indices of a message's integer values."""
    return [i for i, name in enumerate(_names(message)) if message.model_fields[name].annotation is int]


STEP, EVALUATION, MEMORY = _names(StepDone), _names(Evaluated), _names(MemoryRead)
WHOLE_STEP, WHOLE_EVALUATION = _whole(StepDone), _whole(Evaluated)
_step, _evaluation, _memory = itemgetter(*STEP), itemgetter(*EVALUATION), itemgetter(*MEMORY)
