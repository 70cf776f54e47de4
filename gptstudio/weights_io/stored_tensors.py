"""Tensors stored in a file, such as a safetensors file: found by the header, and read as raw bytes.

Imports no torch before a tensor is read.
"""

from __future__ import annotations

import math
import os
import stat
import zlib
from collections.abc import Callable
from dataclasses import dataclass
from io import BufferedReader
from itertools import accumulate
from operator import mul
from pathlib import Path
from typing import IO, TYPE_CHECKING, Any, NamedTuple

from gptstudio.errors import shown
from gptstudio.gpt import safetensors_header
from gptstudio.gpt.safetensors_header import ITEM_BYTES
from gptstudio.i18n import message
from gptstudio.units import MB
from gptstudio.weights_io.refusals import CHANGED, CUT_OFF, refused

if TYPE_CHECKING:
    from torch import Tensor

PIECE = 8 * MB
"""Number of bytes read at once, between two checks for cancellation."""

READABLE = {"F64": "fp64", "F32": "fp32", "F16": "fp16", "BF16": "bf16"}
"""Types that weights may have, with their display names."""


class Place(NamedTuple):
    """Range of bytes in a file, and their ``crc32`` if it is known."""

    offset: int
    nbytes: int
    crc32: int | None = None


@dataclass(frozen=True)
class Stored:
    """A tensor in a file: its bytes are known to lie within the file, but have not been read.

    Attributes:
        dtype: name in safetensors, a key of :data:`safetensors_header.ITEM_BYTES`; for other types, the name in torch.
        offset: position of the first element in the file, in bytes.
        stride: number of elements from one index to the next, for each dimension; empty: contiguous.
        crc32: CRC-32 of all its bytes, if the file contains it.
    """

    file: Path
    dtype: str
    shape: tuple[int, ...]
    offset: int
    stride: tuple[int, ...] = ()
    crc32: int | None = None

    @property
    def elements(self) -> int:
        return math.prod(self.shape)

    @property
    def extent(self) -> int:
        """Number of elements from the first to the last, including those of other tensors in between."""
        if not self.stride or not self.elements:
            return self.elements
        return 1 + sum((size - 1) * step for size, step in zip(self.shape, self.stride, strict=True))

    @property
    def nbytes(self) -> int:
        """Number of bytes read from the file."""
        return self.extent * ITEM_BYTES.get(self.dtype, 0)


def rows(shape: tuple[int, ...]) -> tuple[int, ...]:
    """Return the strides of a contiguous tensor."""
    strides = tuple(accumulate((max(size, 1) for size in reversed(shape[1:])), mul, initial=1))
    return strides[: len(shape)][::-1]


def part(file: IO[bytes], place: Place) -> bytes:
    """Return the bytes at a place; fewer at the end of the file."""
    file.seek(place.offset)
    return file.read(place.nbytes)


def opened(path: Path) -> BufferedReader:
    """Open a regular file for reading. A pipe or a device, which could block forever, is refused.

    Raises:
        ExchangeError: the file is not a regular file.
        OSError: the file cannot be read.
    """
    handle = os.open(path, os.O_RDONLY | getattr(os, "O_NONBLOCK", 0) | getattr(os, "O_BINARY", 0))
    if not stat.S_ISREG(os.fstat(handle).st_mode):
        os.close(handle)
        raise refused(path, message("it is not a regular file. Choose a weights file."))
    return os.fdopen(handle, "rb")


def hashed(path: Path, digest: Any, on_bytes: Callable[[int], None]) -> str:
    """Update a digest with the bytes of a file and return it in hexadecimal. ``on_bytes`` is called with the number of
    bytes of each piece; it may raise an exception to cancel."""
    with opened(path) as file:
        while piece := file.read(PIECE):
            digest.update(piece)
            on_bytes(len(piece))
    return str(digest.hexdigest())


def read(name: str, stored: Stored, on_bytes: Callable[[int], None]) -> Tensor:
    """Read a tensor as stored in its file (fp64 as fp32); the file is not kept open or mapped.

    Args:
        on_bytes: called with the number of bytes of each piece; can cancel the work by raising an exception.

    Raises:
        ExchangeError: the file has changed or is damaged, or the tensor contains NaN or infinity.
        OSError: the file cannot be read.
    """
    import torch

    dtypes = {"F64": torch.float64, "F32": torch.float32, "F16": torch.float16, "BF16": torch.bfloat16}
    flat = torch.empty(stored.extent, dtype=dtypes[stored.dtype])
    _fill(flat.view(torch.uint8).numpy().data, name, stored, on_bytes)
    tensor = flat.as_strided(stored.shape, stored.stride) if stored.stride else flat.view(stored.shape)
    if stored.dtype == "F64":
        tensor = tensor.float()  # before the check below, which finds numbers too large for fp32
    if tensor.numel() and not torch.stack(tensor.aminmax()).isfinite().all():
        raise refused(stored.file, message(
            "{name} contains values that are not valid numbers (NaN or infinite). The weights are damaged, for "
            "example because training diverged. Choose an earlier file, or download or copy this one again.",
            name=shown(name)))
    return tensor


def _fill(target: memoryview, name: str, stored: Stored, on_bytes: Callable[[int], None]) -> None:
    crc32 = 0
    with opened(stored.file) as file:
        file.seek(stored.offset)
        for begin in range(0, len(target), PIECE):
            piece = target[begin : begin + PIECE]
            if file.readinto(piece) != len(piece):
                raise refused(stored.file, CHANGED)
            crc32 = zlib.crc32(piece, crc32) if stored.crc32 is not None else 0
            on_bytes(len(piece))
    if stored.crc32 is not None and crc32 != stored.crc32:
        raise refused(stored.file, message(
            "{name} has the wrong checksum. The file is damaged; download or copy it again.", name=shown(name)))


LONGEST_HEADER = 4 * MB
"""Largest header in bytes: the 444 tensors of GPT-2 XL take 40 kB. The library allows 100 MB, a gigabyte in memory."""
MOST_TENSORS = 20_000


def inspect_safetensors(path: Path) -> dict[str, Stored]:
    """Return the tensors of a file, by name. Reads only the header.

    Raises:
        ExchangeError: the file is not a safetensors file, is truncated, or is inconsistent.
        OSError: the file cannot be read.
    """
    with opened(path) as file:
        try:
            entries, _ = safetensors_header.read(file, LONGEST_HEADER, MOST_TENSORS)
        except safetensors_header.UnsupportedHeaderError as error:
            raise refused(path, message("{what}.", what=error)) from error
        except safetensors_header.HeaderError as error:
            raise refused(path, message("{what}. {damaged}", what=error, damaged=CUT_OFF)) from error
    return {name: Stored(path, entry.dtype, entry.shape, entry.offset) for name, entry in entries.items()}
