"""A file of safetensors, read into memory of our own and digested on the way.

The library maps a file instead: what cuts the file off later, or takes its disk away, ends the program (SIGBUS), and
what writes into it changes the tensors. Here a file that goes is an error like any other.

Format: https://huggingface.co/docs/safetensors, "Format".
"""

from __future__ import annotations

import hashlib
import json
import os
from io import BufferedReader
from pathlib import Path
from typing import IO, Any, NamedTuple

import torch

PIECE = 8 * 2**20
LONGEST_HEADER = 4 * 2**20
"""Bytes. The 444 tensors of GPT-2 XL take 40 kB, and three times as many with the moments of AdamW."""
TYPES = {
    "F64": torch.float64, "F32": torch.float32, "F16": torch.float16, "BF16": torch.bfloat16, "I64": torch.int64,
    "I32": torch.int32, "I16": torch.int16, "I8": torch.int8, "U8": torch.uint8, "BOOL": torch.bool,
}


class _Place(NamedTuple):
    begin: int
    end: int
    name: str
    dtype: torch.dtype
    shape: list[int]


def read(file: Path) -> tuple[dict[str, torch.Tensor], str]:
    """All tensors, and the SHA-256 of what was read.

    Raises:
        ValueError: this is no such file, or it was cut off. Nothing was allocated that the file does not hold.
        OSError: it cannot be read.
    """
    digest = hashlib.sha256()
    with file.open("rb") as source:
        places = _places(source, digest)
        tensors = {place.name: _tensor(source, place, digest) for place in places}
    return tensors, digest.hexdigest()


def _places(source: IO[bytes], digest: Any) -> list[_Place]:
    """Return the positions of the tensors after the header: contiguous, and nothing else."""
    head = source.read(8)
    length, size = int.from_bytes(head, "little"), os.fstat(source.fileno()).st_size
    if size < 8 or length > min(size - 8, LONGEST_HEADER):
        raise ValueError(f"its header would have {length:,} bytes, but the file has {size:,}")
    header = source.read(length)
    digest.update(head + header)
    entries = json.loads(header)
    if not isinstance(entries, dict):
        raise ValueError("its header is not a list of tensors")
    places = sorted(_place(name, entry) for name, entry in entries.items() if name != "__metadata__")
    ends = [0, *(place.end for place in places)]
    if [place.begin for place in places] != ends[:-1] or ends[-1] != size - 8 - length:
        raise ValueError("its tensors do not fill the file")
    return places


def _place(name: str, entry: Any) -> _Place:
    try:
        (begin, end), dtype, shape = entry["data_offsets"], TYPES[entry["dtype"]], entry["shape"]
        if not all(type(number) is int for number in (begin, end, *shape)):
            raise TypeError("not all are whole numbers")
        elements = torch.empty(shape, device="meta").numel()
    except (TypeError, ValueError, LookupError, RuntimeError) as error:
        raise ValueError(f"{name} has no valid type, shape and position") from error
    if elements * dtype.itemsize != end - begin:
        raise ValueError(f"{name} has the shape {shape}, but {end - begin:,} bytes")
    return _Place(begin, end, name, dtype, shape)


def _tensor(source: BufferedReader, place: _Place, digest: Any) -> torch.Tensor:
    flat = torch.empty(place.end - place.begin, dtype=torch.uint8)
    target = flat.numpy().data
    for begin in range(0, len(target), PIECE):
        piece = target[begin : begin + PIECE]
        if source.readinto(piece) != len(piece):
            raise ValueError(f"the file ends within {place.name}")
        digest.update(piece)
    return flat.view(place.dtype).view(place.shape)
