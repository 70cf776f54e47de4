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
from gptstudio.history.journal_blocks import MOST_OTHERS, Block, Other, others_in
from gptstudio.history.journal_tail import JournalPosition
from gptstudio.training.events import RunStarted, from_json, to_json

KEPT_FROM = 8 * 2**20
"""Bytes of the shortest part of a journal that is kept; a shorter one is parsed in a sixth of a second."""
MOST_KEPT = 2**30
"""Bytes that are kept in all; files that were not used for longest go first."""
MOST_STEPS = 200_000
"""Steps of a block, so that the window takes one in a twentieth of a second."""
LONGEST_HEAD = 2**20
TABLES = ("steps", "evaluations", "memory")

Size = Annotated[int, Field(ge=0, le=2**40)]
Shape = tuple[Size, Annotated[int, Field(ge=0, le=64)]]


class _BlockSize(BaseModel):
    """Shapes of a block's tables, and the bytes of its other messages."""

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

    blocks: list[Block]
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
            blocks = [_read_block(file, size) for size in head.blocks]
        with suppress(OSError):  # a folder that others own
            os.utime(path)
        return CachedJournal(blocks, head.place, digest)
    except (OSError, ValueError, ValidationError):
        return None


def keep(journal: Path, blocks: Iterable[Block], place: JournalPosition, sha256: str) -> None:
    """Keep the blocks of a journal up to ``place``. What cannot be written is not kept.

    Args:
        sha256: of the bytes up to there, from which the blocks were parsed.
    """
    path, merged = kept_at(journal), list(merge(blocks))
    others = [_written(block) for block in merged]
    sizes = tuple(
        _BlockSize(steps=block.steps.shape, evaluations=block.evaluations.shape, memory=block.memory.shape,
                   others=len(written))
        for block, written in zip(merged, others, strict=True))
    head = _Head(place=place, sha256=sha256, blocks=sizes).model_dump_json().encode() + b"\n"
    tables = ([*(getattr(block, table).astype("<f8").tobytes() for table in TABLES), written]
              for block, written in zip(merged, others, strict=True))
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


def merge(blocks: Iterable[Block]) -> Iterator[Block]:
    """Join blocks to larger ones. Where a run starts, a block ends."""
    waiting: list[Block] = []
    for block in blocks:
        waiting.append(block)
        ends = bool(block.others) and isinstance(block.others[-1].event, RunStarted)
        if ends or sum(len(each.steps) for each in waiting) >= MOST_STEPS or others_in(waiting) >= MOST_OTHERS:
            yield _joined(waiting)
            waiting = []
    if waiting:
        yield _joined(waiting)


def _joined(blocks: list[Block]) -> Block:
    before = [0, *accumulate(len(block.steps) for block in blocks[:-1])]
    evaluated = [0, *accumulate(len(block.evaluations) for block in blocks[:-1])]
    others = [Other(first + steps, number + evaluations, event)
              for block, first, number in zip(blocks, before, evaluated, strict=True)
              for steps, evaluations, event in block.others]
    return Block(
        _stack([block.steps for block in blocks]),
        _stack([_counted_from(block.evaluations, first) for block, first in zip(blocks, before, strict=True)]),
        _stack([_counted_from(block.memory, first) for block, first in zip(blocks, before, strict=True)]), others)


def _counted_from(table: Numbers, first: int) -> Numbers:
    """Return a table whose last column counts steps of a block, for a block with so many steps before."""
    return np.column_stack([table[:, :-1], table[:, -1] + first]) if len(table) else table


def _stack(tables: list[Numbers]) -> Numbers:
    filled = [table for table in tables if len(table)]
    return np.concatenate(filled).astype(float) if filled else np.empty((0, 0))


def _written(block: Block) -> bytes:
    return b"".join(b"%d %d %s\n" % (other.steps, other.evaluations, to_json(other.event, parts=True).encode())
                    for other in block.others)


def _read_block(file: IO[bytes], size: _BlockSize) -> Block:
    steps, evaluations, memory = (_read_table(file, *shape) for shape in (size.steps, size.evaluations, size.memory))
    lines = (line.split(b" ", 2) for line in file.read(size.others).splitlines())
    return Block(steps, evaluations, memory, [Other(int(steps), int(evaluations), from_json(event))
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
