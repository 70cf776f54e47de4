"""Reading and writing of safetensors files, with the SHA-256 of their bytes.

The library maps files into memory when reading: if the file is truncated later or its disk is removed, the program is
killed (SIGBUS), and writes to the file change the tensors. Here, a missing file is an ordinary error. When writing, the
library first copies all tensors, which takes as long as the writing.
"""

from __future__ import annotations

import hashlib
import json
from collections.abc import Callable, Mapping
from io import BufferedReader, FileIO
from pathlib import Path
from typing import Any

import torch

from gptstudio.errors import shown
from gptstudio.gpt import safetensors_header
from gptstudio.gpt.safetensors_header import TensorEntry
from gptstudio.i18n import message
from gptstudio.units import MB

PIECE = 8 * MB
LIMITS = 16 * MB, 100_000
"""Maximum bytes and tensors of a header. GPT-2 XL: 40 kB for 444 tensors; 1,000 layers with AdamW's moments: 5 MB."""
TYPES = {
    "F64": torch.float64, "F32": torch.float32, "F16": torch.float16, "BF16": torch.bfloat16, "I64": torch.int64,
    "I32": torch.int32, "I16": torch.int16, "I8": torch.int8, "U8": torch.uint8, "BOOL": torch.bool,
}
NAMES = {dtype: name for name, dtype in TYPES.items()}


class UnwrittenError(OSError):
    """The bytes of a file could not be written, for example because the disk is full."""


def read(file: Path) -> tuple[dict[str, torch.Tensor], str]:
    """Return all tensors, and the SHA-256 of the file.

    Raises:
        ValueError: this is not a safetensors file, or it is truncated. Memory is allocated only for existing data.
        OSError: it cannot be read.
    """
    with file.open("rb") as source:
        entries, header = safetensors_header.read(source, *LIMITS)
        digest = hashlib.sha256(header)
        in_order = sorted(entries.items(), key=lambda item: item[1].offset)
        tensors = {name: _tensor(source, name, entry, digest) for name, entry in in_order}
    return tensors, digest.hexdigest()


def _tensor(source: BufferedReader, name: str, entry: TensorEntry, digest: Any) -> torch.Tensor:
    if entry.dtype not in TYPES:
        raise ValueError(message(
            "{name} is stored as {dtype}, which GPT Studio does not save", name=shown(name), dtype=entry.dtype))
    flat = torch.empty(entry.nbytes, dtype=torch.uint8)
    target = flat.numpy().data
    for begin in range(0, len(target), PIECE):
        piece = target[begin : begin + PIECE]
        if source.readinto(piece) != len(piece):
            raise ValueError(message("the file ends within {name}", name=shown(name)))
        digest.update(piece)
    return flat.view(TYPES[entry.dtype]).view(entry.shape)


def save_file(tensors: Mapping[str, torch.Tensor], path: Path) -> str:
    """Write tensors, and return the SHA-256 of the file.

    Raises:
        UnwrittenError: the bytes cannot be written.
        OSError: the file cannot be opened.
    """
    digest = hashlib.sha256()
    with path.open("wb", buffering=0) as file:
        try:
            write(tensors, lambda data: _put(file, data, digest))
        except OSError as error:
            raise UnwrittenError(error.errno, error.strerror, str(path)) from error
    return digest.hexdigest()


def _put(file: FileIO, data: memoryview, digest: Any) -> None:
    for begin in range(0, len(data), PIECE):  # each piece is hashed while it is in the cache
        piece = data[begin : begin + PIECE]
        digest.update(piece)
        while piece:
            piece = piece[file.write(piece) :]


def write(
    tensors: Mapping[str, torch.Tensor], put: Callable[[memoryview], object], metadata: Mapping[str, str] | None = None
) -> None:
    """Pass the bytes of a safetensors file to ``put``, identical to the library's, which sorts by type size."""
    header: dict[str, Any] = {"__metadata__": dict(metadata)} if metadata else {}
    ordered, end = sorted(tensors, key=lambda name: (-tensors[name].itemsize, name)), 0
    for name in ordered:
        tensor, begin, end = tensors[name], end, end + tensors[name].nbytes
        header[name] = {"dtype": NAMES[tensor.dtype], "shape": list(tensor.shape), "data_offsets": [begin, end]}
    text = json.dumps(header, separators=(",", ":"), ensure_ascii=False).encode()
    text += b" " * (-len(text) % 8)  # aligns the values
    put(memoryview(len(text).to_bytes(8, "little") + text))
    for name in ordered:
        if tensors[name].numel():
            data = tensors[name].detach().cpu().contiguous()  # contiguous CPU tensors are not copied
            put(data.reshape(-1).view(torch.uint8).numpy().data)
