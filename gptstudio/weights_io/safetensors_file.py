"""A file of safetensors, by its header: eight bytes that say how long it is, then JSON with each tensor's type, shape
and place. Everything it says is held against the file's size before anything is read by it. No torch.

Format: https://huggingface.co/docs/safetensors, "Format".
"""

from __future__ import annotations

import json
import os
from collections.abc import Iterable
from operator import attrgetter
from pathlib import Path
from typing import IO, Any

from gptstudio.gpt.sizing import MB
from gptstudio.weights_io.refusals import CUT_OFF, refused, shown
from gptstudio.weights_io.stored_tensors import ITEM_BYTES, Stored, are_sizes, opened

LONGEST_HEADER = 4 * MB
"""The 444 tensors of GPT-2 XL take 40 kB. The library itself allows 100 MB, which are a gigabyte once read."""
MOST_TENSORS = 20_000


def inspect(path: Path) -> dict[str, Stored]:
    """The tensors of a file, by name; only its header is read.

    Raises:
        ExchangeError: it is no safetensors, was cut off, or says of itself what cannot be.
        OSError: it cannot be read.
    """
    with opened(path) as file:
        header = _header(file, path)
        begin, size = file.tell(), os.fstat(file.fileno()).st_size
    header.pop("__metadata__", None)
    if len(header) > MOST_TENSORS:
        raise refused(path, f"it lists {len(header):,} tensors; a GPT-2 has at most {MOST_TENSORS:,}.")
    tensors = {name: _stored(path, name, entry, begin) for name, entry in header.items()}
    _check_places(path, tensors.values(), begin, size)
    return tensors


def _header(file: IO[bytes], path: Path) -> dict[str, Any]:
    size = os.fstat(file.fileno()).st_size
    length = int.from_bytes(file.read(8), "little")
    if size < 8 or length > size - 8:
        raise refused(path, f"its header would be {length:,} bytes long, but the file has {size:,} bytes. {CUT_OFF}")
    if length > LONGEST_HEADER:
        raise refused(path, f"its header takes {length / MB:,.0f} MB; that of a GPT-2 takes less than 1 MB.")
    try:
        header = json.loads(file.read(length).decode("utf-8"), object_pairs_hook=_without_doubles)
    except (ValueError, RecursionError) as error:
        raise refused(path, f"its header cannot be read ({shown(error)}). {CUT_OFF}") from error
    if not isinstance(header, dict):
        raise refused(path, f"its header is not a list of tensors. {CUT_OFF}")
    return header


def _without_doubles(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
    if len(dict(pairs)) < len(pairs):
        raise ValueError("a name occurs twice")
    return dict(pairs)


def _stored(path: Path, name: str, entry: Any, begin: int) -> Stored:
    entry = entry if isinstance(entry, dict) else {}
    dtype, shape, place = (entry.get(key) for key in ("dtype", "shape", "data_offsets"))
    if not (isinstance(dtype, str) and are_sizes(shape) and are_sizes(place) and len(place) == 2):
        raise refused(path, f"the header entry for {shown(name)} is not a valid type, shape and position. {CUT_OFF}")
    if dtype not in ITEM_BYTES:
        raise refused(path, f"{shown(name)} is stored as {shown(dtype)}, which GPT Studio cannot read.")
    stored = Stored(path, dtype, tuple(shape), begin + place[0])
    if stored.nbytes != place[1] - place[0]:
        raise refused(
            path,
            f"according to its header, {shown(name)} has the shape {stored.shape} in {dtype}, which takes "
            f"{stored.nbytes:,} bytes, but its place has {place[1] - place[0]:,}. {CUT_OFF}",
        )
    return stored


def _check_places(path: Path, tensors: Iterable[Stored], begin: int, size: int) -> None:
    """Each tensor begins where the one before ends, the first behind the header, and the last ends with the file."""
    end = begin
    for stored in sorted(tensors, key=attrgetter("offset", "nbytes")):
        if stored.offset != end:
            raise refused(path, f"its tensors overlap, or there are gaps between them. {CUT_OFF}")
        end += stored.nbytes
    if end != size:
        raise refused(path, f"its tensors take {end:,} bytes, but the file has {size:,}. {CUT_OFF}")
