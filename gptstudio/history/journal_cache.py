"""Long journals as columns of numbers in the user's cache, so that they are parsed once. No torch.

What is kept belongs to the first bytes of a journal, whose SHA-256 stands with it: a journal that does not begin with
those very bytes is parsed. A file ends with its own SHA-256, and one that is damaged is as good as none.
"""

from __future__ import annotations

import hashlib
import os
from collections.abc import Iterable, Iterator
from contextlib import suppress
from itertools import accumulate, chain
from pathlib import Path
from typing import IO, Annotated, Any, Literal, NamedTuple

import numpy as np
from pydantic import BaseModel, ConfigDict, Field, ValidationError

from gptstudio import files, paths
from gptstudio.history.columns import Numbers
from gptstudio.history.event_batches import MOST_RARE_EVENTS, EventBatch, RareEvent, rare_events_in
from gptstudio.history.journal_tail import JournalPosition
from gptstudio.training.events import RunStarted, from_json, to_json

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
    """First line of a file: the version of the messages, and the part of the journal that it stands for."""

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


def read(journal: Path) -> CachedJournal | None:
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


def keep(journal: Path, batches: Iterable[EventBatch], place: JournalPosition, sha256: str) -> None:
    """Keep the batches of a journal up to ``place``. What cannot be written is not kept.

    Args:
        sha256: of the bytes up to there, from which the batches were parsed.
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
