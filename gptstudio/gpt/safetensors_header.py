"""Header of a safetensors file: its length in eight bytes, then JSON with each tensor's type, shape and position.

The header is checked against the size of the file before any tensor is read. No torch.

Format: https://huggingface.co/docs/safetensors, "Format".
"""

from __future__ import annotations

import json
import math
import os
from collections.abc import Iterable
from operator import attrgetter
from typing import IO, Any, NamedTuple

from gptstudio.errors import shown
from gptstudio.i18n import message
from gptstudio.units import MB

ITEM_BYTES = {
    "F64": 8, "F32": 4, "F16": 2, "BF16": 2, "F8_E4M3": 1, "F8_E5M2": 1, "C64": 8, "BOOL": 1,
    "I64": 8, "I32": 4, "I16": 2, "I8": 1, "U64": 8, "U32": 4, "U16": 2, "U8": 1,
}
"""Bytes per value, by safetensors' name of the type."""
MOST_DIMENSIONS = 8


class HeaderError(ValueError):
    """Unreadable header, or one that contradicts its file: the file is incomplete or damaged."""


class UnsupportedHeaderError(HeaderError):
    """Header that may be valid, but does not belong to a GPT-2."""


class TensorEntry(NamedTuple):
    """Tensor in a file; ``offset`` is in bytes from the beginning of the file."""

    dtype: str
    shape: tuple[int, ...]
    offset: int
    nbytes: int


def read(file: IO[bytes], most_bytes: int, most_tensors: int) -> tuple[dict[str, TensorEntry], bytes]:
    """Return the tensors of an open file by name, and the bytes of the header; the first tensor follows them.

    Raises:
        HeaderError: the header is not valid; the message is the end of a sentence, without a period.
    """
    size, head = os.fstat(file.fileno()).st_size, file.read(8)
    length = int.from_bytes(head, "little")
    if size < 8 or length > size - 8:
        raise HeaderError(message(
            "its header would be {length} bytes long, but the file has {size} bytes",
            length=f"{length:,}", size=f"{size:,}",
        ))
    if length > most_bytes:
        raise UnsupportedHeaderError(message(
            "its header takes {size} MB; that of a GPT-2 takes less than 1 MB", size=f"{length / MB:,.0f}"))
    header = file.read(length)
    try:
        entries = json.loads(header.decode("utf-8"), object_pairs_hook=_without_doubles)
    except HeaderError:
        raise
    except (ValueError, RecursionError) as error:
        raise HeaderError(message("its header cannot be read: it is not valid JSON")) from error
    if not isinstance(entries, dict):
        raise HeaderError(message("its header is not a list of tensors"))
    entries.pop("__metadata__", None)
    if len(entries) > most_tensors:
        raise UnsupportedHeaderError(message(
            "it lists {n} tensors; a GPT-2 has at most {most}", n=f"{len(entries):,}", most=f"{most_tensors:,}"))
    tensors = {name: _entry(name, entry, 8 + length) for name, entry in entries.items()}
    _check_offsets(tensors.values(), 8 + length, size)
    return tensors, head + header


def are_sizes(numbers: object) -> bool:
    """Return whether these values from a file can be the sizes or strides of a tensor."""
    return (
        isinstance(numbers, (list, tuple))
        and len(numbers) <= MOST_DIMENSIONS
        and all(type(number) is int and 0 <= number < 2**48 for number in numbers)
    )


def _without_doubles(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
    if len(dict(pairs)) < len(pairs):
        raise HeaderError(message("its header cannot be read: a name occurs twice in it"))
    return dict(pairs)


def _entry(name: str, entry: Any, start: int) -> TensorEntry:
    entry = entry if isinstance(entry, dict) else {}
    dtype, shape, offsets = (entry.get(key) for key in ("dtype", "shape", "data_offsets"))
    if not (isinstance(dtype, str) and are_sizes(shape) and are_sizes(offsets) and len(offsets) == 2):
        raise HeaderError(message(
            "the header entry for {name} is not a valid type, shape and position", name=shown(name)))
    if dtype not in ITEM_BYTES:
        raise UnsupportedHeaderError(message(
            "{name} is stored as {dtype}, which GPT Studio cannot read", name=shown(name), dtype=shown(dtype)))
    nbytes = math.prod(shape) * ITEM_BYTES[dtype]
    if nbytes != offsets[1] - offsets[0]:
        raise HeaderError(message(
            "according to its header, {name} has the shape {shape} in {dtype}, which takes {needed} bytes, but its "
            "place has {there}", name=shown(name), shape=tuple(shape), dtype=dtype, needed=f"{nbytes:,}",
            there=f"{offsets[1] - offsets[0]:,}",
        ))
    return TensorEntry(dtype, tuple(shape), start + offsets[0], nbytes)


def _check_offsets(entries: Iterable[TensorEntry], start: int, size: int) -> None:
    """Check that the tensors fill the file from the end of the header, without gaps or overlaps."""
    end = start
    for entry in sorted(entries, key=attrgetter("offset", "nbytes")):
        if entry.offset != end:
            raise HeaderError(message("its tensors overlap, or there are gaps between them"))
        end += entry.nbytes
    if end != size:
        raise HeaderError(message(
            "its tensors take {end} bytes, but the file has {size}", end=f"{end:,}", size=f"{size:,}"))
