"""Reader of a journal as batches of numbers: from the cache as far as it reaches, then from the file. Imports no torch.

The end of a journal is read while another process writes it. The three kinds of event that come by the million are rows
of numbers, parsed without pydantic to the same values. Long journals are kept in the user's cache, so that they are
parsed once: a cache file contains the SHA-256 of the journal bytes that it replaces, and ends with its own; if either
does not match, the journal is parsed.
"""

from __future__ import annotations

import hashlib
import io
import os
from collections.abc import Callable, Iterable, Iterator, Sequence
from contextlib import suppress
from itertools import accumulate, chain, groupby
from operator import itemgetter
from pathlib import Path
from typing import IO, Any, BinaryIO, Literal, NamedTuple, TypeAlias, TypeVar, cast

import numpy as np
from pydantic import BaseModel, ValidationError
from pydantic_core import from_json as from_json_text

from gptstudio import files, paths
from gptstudio.history.columns import Numbers
from gptstudio.training.events import MOST_COUNT, Evaluated, Event, MemoryRead, RunStarted, StepDone, from_json, to_json
from gptstudio.training.journal import event_of, is_changed

PIECE = 2**20
"""Number of bytes after which a read ends, so that a window stays responsive while it opens a long journal."""


STEP_BEGINS = b'{"event":"step_done"'


class JournalPosition(BaseModel, frozen=True, ser_json_bytes="base64", val_json_bytes="base64"):
    """Position in a journal: number of bytes read, and the last line read. The last line of a step that was read ends
    at ``step_end``."""

    offset: int = 0
    line: bytes = b""
    step_end: int = 0
    step_line: bytes = b""

    def after(self, lines: Sequence[bytes]) -> JournalPosition:
        """Return the position after further lines."""
        offset, changes = self.offset + sum(map(len, lines)), dict[str, Any](line=lines[-1])
        after_step = next((n for n, line in enumerate(reversed(lines)) if line.startswith(STEP_BEGINS)), None)
        if after_step is not None:
            place = len(lines) - 1 - after_step
            changes |= {"step_end": offset - sum(map(len, lines[place + 1 :])), "step_line": lines[place]}
        return self.model_copy(update={"offset": offset, **changes})


class News(NamedTuple):
    """Result of one read.

    Attributes:
        lines: complete lines, for ``History.extend``; empty if everything was read.
        restarted: the journal is not the one read so far, because it was truncated or replaced. Discard everything read
            before; ``lines`` are its first lines.
    """

    lines: list[bytes]
    restarted: bool = False


class Tail:
    """Reader of the new lines of a journal. The file is closed between reads, so its folder can be moved or removed."""

    def __init__(self, path: Path, place: JournalPosition | None = None):
        self.path, self.place = path, place or JournalPosition()

    def read(self, at_most: int = PIECE) -> News:
        """Return the next complete lines, about ``at_most`` bytes."""
        try:
            with self.path.open("rb") as file:
                there = self._is_there(file)
                if not there:
                    self.place = JournalPosition()
                file.seek(self.place.offset)
                lines = file.readlines(at_most)
        except OSError:
            return News([])
        if lines and not lines[-1].endswith(b"\n"):  # still being written
            lines.pop()
        if lines:
            self.place = self.place.after(lines)
        return News(lines, restarted=not there)

    def _is_there(self, file: BinaryIO) -> bool:
        """Return whether the last lines read are still in their places. A journal that was truncated and has grown
        again has other lines there: an end of the run may be the same, but no two steps end at the same time."""
        place = self.place
        for end, line in ((place.offset, place.line), (place.step_end, place.step_line)):
            file.seek(end - len(line))
            if file.read(len(line)) != line:
                return False
        return True


T = TypeVar("T")
E = TypeVar("E", StepDone, Evaluated, MemoryRead)
Rows: TypeAlias = list[tuple[Any, ...]]
Whole: TypeAlias = list[int] | slice

FREQUENT = StepDone, Evaluated, MemoryRead
"""Messages stored as columns of a batch."""
MOST_RARE_EVENTS = 1_000
"""Largest number of other messages to take at once. Those about the health of a model of 12 layers take half a
millisecond each."""


class RareEvent(NamedTuple):
    """A rare message, and the number of steps and evaluations of its batch before it."""

    steps: int
    evaluations: int
    event: Event


class EventBatch(NamedTuple):
    """Part of a run's messages: rows of the three frequent kinds, and the others. A batch ends where a run starts.

    Attributes:
        steps: (rows, values of ``StepDone``).
        evaluations, memory: (rows, values of the message, then the number of earlier steps in the batch).
        rare: the other events, in order.
    """

    steps: Numbers
    evaluations: Numbers
    memory: Numbers
    rare: list[RareEvent]

    def steps_at(self, rows: slice) -> list[StepDone]:
        """Convert steps of the batch back to messages."""
        return _events(StepDone, STEP, self.steps[rows])

    def most_memory(self) -> MemoryRead:
        """Return the largest value of each memory figure; there must be at least one reading."""
        return _events(MemoryRead, MEMORY, self.memory.max(axis=0, keepdims=True))[0]

    def newest(self) -> list[Event]:
        """Return the events that show the state after the batch: the last of each frequent kind, then all others."""
        return [
            *self.steps_at(slice(-1, None)), *_events(Evaluated, EVALUATION, self.evaluations[-1:]),
            *_events(MemoryRead, MEMORY, self.memory[-1:]), *(other.event for other in self.rare)]


def parse(lines: Iterable[bytes]) -> Iterator[EventBatch]:
    """Yield the batches in the lines of a journal. Lines that are not events are skipped."""
    for part in split(lines, lambda line: line.startswith(b'{"event":"run_started"')):
        try:
            yield _batch(((_parsed(line), line) for line in part), _table)
        except (ValueError, KeyError):  # a line is not as a run writes it, or was changed later
            for event in map(event_of, part):
                with suppress(OverflowError):
                    if event:
                        yield batch_of([event])


def batches_of(items: Iterable[object]) -> Iterator[EventBatch]:
    """Yield the batches among the items, and batches made from the events between them. Other items are dropped.

    Raises:
        OverflowError: a number is larger than any run can reach.
    """
    for kind, group in groupby(items, lambda item: EventBatch if isinstance(item, EventBatch) else Event):
        if kind is EventBatch:
            yield from cast("Iterator[EventBatch]", group)
        else:
            events = (event for event in group if isinstance(event, Event))
            yield from map(batch_of, split(events, lambda event: isinstance(event, RunStarted)))


def newest_of(items: Iterable[object]) -> list[object]:
    """Return the items, each batch replaced by the events that show the state after it."""
    return [each for item in items for each in (item.newest() if isinstance(item, EventBatch) else [item])]


def rare_events_in(batches: Iterable[EventBatch]) -> int:
    """Return the number of rare events in the batches."""
    return sum(len(batch.rare) for batch in batches)


def split(items: Iterable[T], is_last: Callable[[T], bool]) -> Iterator[list[T]]:
    """Split items into lists that end with an item for which ``is_last`` is true."""
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
    """Make a batch of messages, given as their values by name, and the event itself or its line.

    Raises:
        ValueError, KeyError: the values do not belong to a message.
        OverflowError: a number is larger than any run can reach.
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
    """Return rows as an array, (rows, columns).

    Raises:
        ValueError: a value is not a number, or not a count in one of the columns ``whole``.
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
    """Convert rows of a batch back to messages; further columns are ignored."""
    return [kind(**dict(zip(names, row, strict=False))) for row in rows.tolist()]


def _names(message: type[BaseModel]) -> tuple[str, ...]:
    return tuple(name for name in message.model_fields if name != "event")


def _whole(message: type[BaseModel]) -> list[int]:
    """Return the indices of a message's integer values."""
    return [i for i, name in enumerate(_names(message)) if message.model_fields[name].annotation is int]


STEP, EVALUATION, MEMORY = _names(StepDone), _names(Evaluated), _names(MemoryRead)
WHOLE_STEP, WHOLE_EVALUATION = _whole(StepDone), _whole(Evaluated)
_step, _evaluation, _memory = itemgetter(*STEP), itemgetter(*EVALUATION), itemgetter(*MEMORY)


KEPT_FROM = 8 * 2**20
"""Smallest number of new bytes of a journal that are cached; fewer are parsed in a sixth of a second."""
MOST_KEPT = 2**30
"""Largest size of the cache in bytes; the least recently used files are removed first."""
MOST_STEPS = 200_000
"""Largest number of steps in a batch, so that the window takes one in a twentieth of a second."""
LONGEST_HEAD = 2**20


class _Head(BaseModel, frozen=True, extra="forbid"):
    """First line of a cache file: the version of the messages, the part of the journal that the file replaces, and the
    number of its batches."""

    version: Literal[3] = 3
    place: JournalPosition
    sha256: str
    batches: int


class CachedJournal(NamedTuple):
    """Batches of the beginning of a journal, up to ``place``; ``digest`` is the hash object of these bytes."""

    batches: list[EventBatch]
    place: JournalPosition
    digest: Any


def read_cached(journal: Path) -> CachedJournal | None:
    """Return the cached part of a journal; None if there is none, or if the journal does not begin with these bytes."""
    path = kept_at(journal)
    try:
        with path.open("rb") as file:
            head = _Head.model_validate_json(file.readline(LONGEST_HEAD))
            digest = _digest(journal, head.place.offset)
            if digest is None or digest.hexdigest() != head.sha256 or not _is_whole(file):
                return None
            batches = [_read_batch(file) for _ in range(head.batches)]
        with suppress(OSError):  # in a folder of another user
            os.utime(path)
        return CachedJournal(batches, head.place, digest)
    except (OSError, ValueError, ValidationError, MemoryError):  # a wrong shape, where memory is not overcommitted
        return None


def keep_in_cache(journal: Path, batches: Iterable[EventBatch], place: JournalPosition, sha256: str) -> None:
    """Cache the batches of a journal up to ``place``. Errors of writing are ignored.

    Args:
        sha256: digest of the journal bytes up to ``place``, from which the batches were parsed.
    """
    path, merged = kept_at(journal), list(merge(batches))
    head = _Head(place=place, sha256=sha256, batches=len(merged)).model_dump_json().encode() + b"\n"
    with suppress(OSError):
        path.parent.mkdir(parents=True, exist_ok=True)
        digest = hashlib.sha256()
        with files.written_whole(path) as file:
            for data in chain([head], map(_written, merged)):
                file.write(data)
                digest.update(data)
            file.write(digest.digest())
        files.free_cache(path, "*.columns", MOST_KEPT)


def kept_at(journal: Path) -> Path:
    """Return the path of the cache file of a journal."""
    return paths.journals() / f"{hashlib.sha256(os.fsencode(os.path.abspath(journal))).hexdigest()}.columns"


def merge(batches: Iterable[EventBatch]) -> Iterator[EventBatch]:
    """Join batches into larger ones. A batch ends where a run starts."""
    waiting: list[EventBatch] = []
    steps = rare = 0  # in the waiting batches; summed anew for each batch, this would take quadratic time
    for batch in batches:
        waiting.append(batch)
        steps, rare = steps + len(batch.steps), rare + len(batch.rare)
        ends = bool(batch.rare) and isinstance(batch.rare[-1].event, RunStarted)
        if ends or steps >= MOST_STEPS or rare >= MOST_RARE_EVENTS:
            yield _joined(waiting)
            waiting, steps, rare = [], 0, 0
    if waiting:
        yield _joined(waiting)


def _joined(batches: list[EventBatch]) -> EventBatch:
    before = [0, *accumulate(len(batch.steps) for batch in batches[:-1])]
    evaluated = [0, *accumulate(len(batch.evaluations) for batch in batches[:-1])]
    others = [RareEvent(first + steps, number + evaluations, event)
              for batch, first, number in zip(batches, before, evaluated, strict=True)
              for steps, evaluations, event in batch.rare]
    return EventBatch(
        _stack([batch.steps for batch in batches]),
        _stack([_counted_from(batch.evaluations, first) for batch, first in zip(batches, before, strict=True)]),
        _stack([_counted_from(batch.memory, first) for batch, first in zip(batches, before, strict=True)]), others)


def _counted_from(table: Numbers, first: int) -> Numbers:
    """Add ``first`` to the step counts in the last column of a table, for a batch that follows ``first`` steps."""
    return np.column_stack([table[:, :-1], table[:, -1] + first]) if len(table) else table


def _stack(tables: list[Numbers]) -> Numbers:
    filled = [table for table in tables if len(table)]
    return np.concatenate(filled).astype(float) if filled else np.empty((0, 0))


def _written(batch: EventBatch) -> bytes:
    """Return a batch as four arrays in NumPy's format: its tables, and the bytes of its other messages."""
    data = io.BytesIO()
    others = b"".join(b"%d %d %s\n" % (other.steps, other.evaluations, to_json(other.event, parts=True).encode())
                      for other in batch.rare)
    for array in (batch.steps, batch.evaluations, batch.memory, np.frombuffer(others, np.uint8)):
        np.save(data, array)
    return data.getvalue()


def _read_batch(file: IO[bytes]) -> EventBatch:
    steps, evaluations, memory, others = (np.load(file, allow_pickle=False) for _ in range(4))
    lines = (line.split(b" ", 2) for line in others.tobytes().splitlines())
    return EventBatch(steps, evaluations, memory, [RareEvent(int(steps), int(evaluations), from_json(event))
                                              for steps, evaluations, event in lines])


def _is_whole(file: IO[bytes]) -> bool:
    """Return whether a file ends with the SHA-256 of its content; its position is kept."""
    place = file.tell()
    size = os.fstat(file.fileno()).st_size - 32
    file.seek(0)
    whole: bool = _hashed(file, size).digest() == file.read(32)
    file.seek(place)
    return whole


def _digest(journal: Path, size: int) -> Any:
    """Return the SHA-256 of the first ``size`` bytes of a journal; None if it has fewer."""
    with journal.open("rb") as file:
        return _hashed(file, size) if os.fstat(file.fileno()).st_size >= size else None


def _hashed(file: IO[bytes], size: int) -> Any:
    digest = hashlib.sha256()
    while size and (piece := file.read(min(2**20, size))):
        digest.update(piece)
        size -= len(piece)
    return digest


class NewEvents(NamedTuple):
    """Events of a run since the last read.

    Attributes:
        batches: for :meth:`gptstudio.history.run_history.History.take`.
        news: whether anything was added, even if it is no event.
        restarted: the journal is not the one read so far; discard everything read before.
        large: the batch is from the cache; a view takes as long for it as for many that were just written.
        ended: the run has ended.
        follower: the :class:`gptstudio.app.run_tasks.Follower` that read them.
    """

    batches: list[EventBatch]
    news: bool
    restarted: bool = False
    large: bool = False
    ended: bool = False
    follower: Any = None


class JournalReader:
    """Reader of one journal in batches. The parsed batches of a long journal are cached when its end is reached."""

    def __init__(self, path: Path, place: JournalPosition | None = None):
        self._tail = Tail(path, place)
        self._from_start = not self.place.offset
        self._begun = False
        self._cached: list[EventBatch] = []  # not returned yet
        self._parsed: list[EventBatch] = []  # since the beginning of the journal, including those from the cache
        self._new_bytes = 0  # number of bytes that are not in the cache yet
        self._digest = hashlib.sha256()

    @property
    def place(self) -> JournalPosition:
        """End of the part that was read; the whole content of the cache counts as read at once."""
        return self._tail.place

    def read(self) -> NewEvents:
        """Return the next batches: about a megabyte of lines, or one large batch from the cache."""
        if not self._begun:
            self._begun = True
            self._take_cached()
        if self._cached:
            return NewEvents([self._cached.pop(0)], news=True, large=True)
        added = self._tail.read()
        if added.restarted:
            self._from_start, self._parsed, self._new_bytes, self._digest = True, [], 0, hashlib.sha256()
        batches = list(parse(added.lines))
        if self._from_start:
            self._collect(batches, added.lines)
        return NewEvents(batches, bool(added.lines), added.restarted)

    def _take_cached(self) -> None:
        found = read_cached(self._tail.path) if self._from_start else None
        if found:
            self._cached, self._parsed = list(found.batches), list(found.batches)
            self._tail.place, self._digest = found.place, found.digest

    def _collect(self, batches: list[EventBatch], lines: list[bytes]) -> None:
        if lines:
            self._parsed += batches
            self._digest.update(b"".join(lines))
            self._new_bytes += sum(map(len, lines))
        else:
            self._keep()

    def _keep(self) -> None:
        """Cache the parsed batches at the end of the journal, if they are large."""
        much = self._new_bytes >= KEPT_FROM
        if much:
            keep_in_cache(self._tail.path, self._parsed, self.place, self._digest.hexdigest())
        if much or self._new_bytes < self.place.offset:
            self._from_start, self._parsed = False, []
