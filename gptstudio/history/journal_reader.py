"""A journal read as batches of numbers: from the cache as far as it reaches, then from the file. No torch.

The tail of a journal is read while another process writes it. The three kinds of event that come by the million are
rows of numbers, parsed without pydantic to the same values. Long journals are kept in the user's cache, so that they
are parsed once: a cache file holds the SHA-256 of the bytes of the journal that it stands for, and ends with its own;
if either does not match, the journal is parsed.
"""

from __future__ import annotations

import hashlib
import os
from collections.abc import Callable, Iterable, Iterator
from contextlib import suppress
from itertools import accumulate, chain, groupby
from operator import itemgetter
from pathlib import Path
from typing import IO, Annotated, Any, BinaryIO, Literal, NamedTuple, TypeAlias, TypeVar, cast

import numpy as np
from pydantic import BaseModel, ConfigDict, Field, ValidationError
from pydantic_core import from_json as from_json_text

from gptstudio import files, paths
from gptstudio.history.columns import Numbers
from gptstudio.training.events import MOST_COUNT, Evaluated, Event, MemoryRead, RunStarted, StepDone, from_json, to_json
from gptstudio.training.journal import event_of, is_changed

PIECE = 2**20
"""Bytes after which one look ends, so that a window that opens a long journal stays awake."""


class JournalPosition(BaseModel):
    """Position in a journal: ``offset`` bytes are read, the last line of which was ``line``."""

    model_config = ConfigDict(frozen=True, ser_json_bytes="base64", val_json_bytes="base64")

    offset: int = 0
    line: bytes = b""


class News(NamedTuple):
    """Result of one read.

    Attributes:
        lines: complete lines, for ``History.extend``; none if all was read.
        restarted: the journal is not the one read so far: it was truncated or replaced. Discard everything read before;
            ``lines`` are its first.
        gone: there is no journal at this moment.
    """

    lines: list[bytes]
    restarted: bool = False
    gone: bool = False


class Tail:
    """Reader of the new lines of a journal. The file is not kept open between two reads, so its folder can be moved or
    removed."""

    def __init__(self, path: Path, place: JournalPosition | None = None):
        self.path, self.place = path, place or JournalPosition()

    def read(self, at_most: int = PIECE) -> News:
        """Return the next whole lines, about ``at_most`` bytes of them."""
        try:
            with self.path.open("rb") as file:
                there = self._is_there(file)
                if not there:
                    self.place = JournalPosition()
                file.seek(self.place.offset)
                lines = file.readlines(at_most)
        except OSError:
            return News([], gone=True)
        if lines and not lines[-1].endswith(b"\n"):  # still being written
            lines.pop()
        if lines:
            self.place = JournalPosition(offset=self.place.offset + sum(map(len, lines)), line=lines[-1])
        return News(lines, restarted=not there)

    def _is_there(self, file: BinaryIO) -> bool:
        """Return whether the last line read is still in its place. A truncated journal that has grown again holds
        another line there, for no two steps end at the same time."""
        file.seek(self.place.offset - len(self.place.line))
        return file.read(len(self.place.line)) == self.place.line


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
        """Return the events that show the state after it: the last of each frequent message, then all others."""
        return [
            *self.steps_at(slice(-1, None)), *_events(Evaluated, EVALUATION, self.evaluations[-1:]),
            *_events(MemoryRead, MEMORY, self.memory[-1:]), *(other.event for other in self.rare)]


def parse(lines: Iterable[bytes]) -> Iterator[EventBatch]:
    """Yield the batches in lines of a journal. Lines that are not events are skipped."""
    for part in split(lines, lambda line: line.startswith(b'{"event":"run_started"')):
        try:
            yield _batch(((_parsed(line), line) for line in part), _table)
        except (ValueError, KeyError):  # something is not as a run writes it or has written it
            for event in map(event_of, part):
                with suppress(OverflowError):
                    if event:
                        yield batch_of([event])


def batches_of(items: Iterable[object]) -> Iterator[EventBatch]:
    """Yield the batches among the items, and those that the events between them make. Other items are left out.

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
    """Return the items; each batch is replaced by the events that show the state after it."""
    return [each for item in items for each in (item.newest() if isinstance(item, EventBatch) else [item])]


def rare_events_in(batches: Iterable[EventBatch]) -> int:
    """Return the number of rare events."""
    return sum(len(batch.rare) for batch in batches)


def split(items: Iterable[T], is_last: Callable[[T], bool]) -> Iterator[list[T]]:
    """Yield the items in lists, each to its last."""
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
    """Return the rows as numbers, (rows, columns).

    Raises:
        ValueError: a value is not a number, or not a count in the columns ``whole``.
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


KEPT_FROM = 8 * 2**20
"""Bytes of the shortest part of a journal that is kept; a shorter one is parsed in a sixth of a second."""
MOST_KEPT = 2**30
"""Bytes that are kept in all; files that were not used for longest go first."""
MOST_STEPS = 200_000
"""Steps of a batch, so that the window takes one in a twentieth of a second."""
LONGEST_HEAD = 2**20
TABLES = ("steps", "evaluations", "memory")

Size = Annotated[int, Field(ge=0, le=2**40)]
Shape = tuple[Size, Annotated[int, Field(ge=0, le=64)]]


class _BlockSize(BaseModel):
    """Shapes of a batch's tables, and the bytes of its other messages."""

    steps: Shape
    evaluations: Shape
    memory: Shape
    others: Size

    def bytes(self) -> int:
        return self.others + sum(8 * rows * columns for rows, columns in (self.steps, self.evaluations, self.memory))


class _Head(BaseModel):
    """First line of a file: the version of the messages, and the part of the journal that the file replaces."""

    model_config = ConfigDict(frozen=True, extra="forbid")

    version: Literal[2] = 2
    place: JournalPosition
    sha256: str
    blocks: tuple[_BlockSize, ...]


class CachedJournal(NamedTuple):
    """Blocks of the beginning of a journal, up to ``place``; ``digest`` has taken those bytes."""

    batches: list[EventBatch]
    place: JournalPosition
    digest: Any


def read_cached(journal: Path) -> CachedJournal | None:
    """Return what is kept of a journal; None if nothing is, or if it does not begin with those bytes."""
    path = kept_at(journal)
    try:
        with path.open("rb") as file:
            head = _Head.model_validate_json(file.readline(LONGEST_HEAD))
            if os.fstat(file.fileno()).st_size != file.tell() + sum(each.bytes() for each in head.blocks) + 32:
                return None
            digest = _digest(journal, head.place.offset)
            if digest is None or digest.hexdigest() != head.sha256 or not _is_whole(file):
                return None
            batches = [_read_batch(file, size) for size in head.blocks]
        with suppress(OSError):  # a folder that others own
            os.utime(path)
        return CachedJournal(batches, head.place, digest)
    except (OSError, ValueError, ValidationError):
        return None


def keep_in_cache(journal: Path, batches: Iterable[EventBatch], place: JournalPosition, sha256: str) -> None:
    """Keep the batches of a journal up to ``place``. What cannot be written is not kept.

    Args:
        sha256: digest of the bytes up to there, from which the batches were parsed.
    """
    path, merged = kept_at(journal), list(merge(batches))
    others = [_written(batch) for batch in merged]
    sizes = tuple(
        _BlockSize(steps=batch.steps.shape, evaluations=batch.evaluations.shape, memory=batch.memory.shape,
                   others=len(written))
        for batch, written in zip(merged, others, strict=True))
    head = _Head(place=place, sha256=sha256, blocks=sizes).model_dump_json().encode() + b"\n"
    tables = ([*(getattr(batch, table).astype("<f8").tobytes() for table in TABLES), written]
              for batch, written in zip(merged, others, strict=True))
    with suppress(OSError):
        path.parent.mkdir(parents=True, exist_ok=True)
        digest = hashlib.sha256()
        with files.written_whole(path) as file:
            for data in chain([head], chain.from_iterable(tables)):
                file.write(data)
                digest.update(data)
            file.write(digest.digest())
        files.free_cache(path, "*.columns", MOST_KEPT)


def kept_at(journal: Path) -> Path:
    """Return the path of what is kept of a journal."""
    return paths.journals() / f"{hashlib.sha256(os.fsencode(os.path.abspath(journal))).hexdigest()}.columns"


def merge(batches: Iterable[EventBatch]) -> Iterator[EventBatch]:
    """Join batches to larger ones. Where a run starts, a batch ends."""
    waiting: list[EventBatch] = []
    for batch in batches:
        waiting.append(batch)
        ends = bool(batch.rare) and isinstance(batch.rare[-1].event, RunStarted)
        full = sum(len(each.steps) for each in waiting) >= MOST_STEPS or rare_events_in(waiting) >= MOST_RARE_EVENTS
        if ends or full:
            yield _joined(waiting)
            waiting = []
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
    """Return a table whose last column counts steps of a batch, for a batch that follows ``first`` steps."""
    return np.column_stack([table[:, :-1], table[:, -1] + first]) if len(table) else table


def _stack(tables: list[Numbers]) -> Numbers:
    filled = [table for table in tables if len(table)]
    return np.concatenate(filled).astype(float) if filled else np.empty((0, 0))


def _written(batch: EventBatch) -> bytes:
    return b"".join(b"%d %d %s\n" % (other.steps, other.evaluations, to_json(other.event, parts=True).encode())
                    for other in batch.rare)


def _read_batch(file: IO[bytes], size: _BlockSize) -> EventBatch:
    steps, evaluations, memory = (_read_table(file, *shape) for shape in (size.steps, size.evaluations, size.memory))
    lines = (line.split(b" ", 2) for line in file.read(size.others).splitlines())
    return EventBatch(steps, evaluations, memory, [RareEvent(int(steps), int(evaluations), from_json(event))
                                              for steps, evaluations, event in lines])


def _read_table(file: IO[bytes], rows: int, columns: int) -> Numbers:
    return np.frombuffer(file.read(8 * rows * columns), "<f8").reshape(rows, columns)


def _is_whole(file: IO[bytes]) -> bool:
    """Return whether a file ends with its SHA-256; it stays where it is."""
    place = file.tell()
    size = os.fstat(file.fileno()).st_size - 32
    file.seek(0)
    whole: bool = _hashed(file, size).digest() == file.read(32)
    file.seek(place)
    return whole


def _digest(journal: Path, size: int) -> Any:
    """Return the SHA-256 of a journal's first bytes; None if it has fewer."""
    with journal.open("rb") as file:
        return _hashed(file, size) if os.fstat(file.fileno()).st_size >= size else None


def _hashed(file: IO[bytes], size: int) -> Any:
    digest = hashlib.sha256()
    while size and (piece := file.read(min(2**20, size))):
        digest.update(piece)
        size -= len(piece)
    return digest


class NewEvents(NamedTuple):
    """Events of a run that came since the last time.

    Attributes:
        batches: for :meth:`gptstudio.history.run_history.History.take`.
        news: anything was added, even if no event.
        restarted: the journal is not the one read so far; discard everything before.
        large: the batch is one of the cache, which takes a view as long as many that were just written.
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
    """Reader of one journal in batches. The parsed batches of a long one are cached, once its end is reached."""

    def __init__(self, path: Path, place: JournalPosition | None = None):
        self._tail = Tail(path, place)
        self._from_start = not self.place.offset
        self._begun = False
        self._cached: list[EventBatch] = []  # not given yet
        self._parsed: list[EventBatch] = []  # since the journal's beginning, those from the cache included
        self._new_bytes = 0  # of what is not in the cache yet
        self._digest = hashlib.sha256()

    @property
    def place(self) -> JournalPosition:
        """End of what was read; all that the cache has counts as read at once."""
        return self._tail.place

    def read(self) -> NewEvents:
        """Return the next batches: of about a megabyte of lines, or a large one of the cache."""
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
