"""Reader of a safetensors file into memory of our own, with the SHA-256 of what was read.

The library maps a file instead: what cuts the file off later, or takes its disk away, ends the program (SIGBUS), and
what writes into it changes the tensors. Here a file that goes is an error like any other.
"""

from __future__ import annotations

import hashlib
from io import BufferedReader
from pathlib import Path
from typing import Any

import torch

from gptstudio.errors import shown
from gptstudio.gpt import safetensors_header
from gptstudio.gpt.safetensors_header import Entry
from gptstudio.gpt.sizing import MB
from gptstudio.i18n import message

PIECE = 8 * MB
LIMITS = 16 * MB, 100_000
"""Most bytes and tensors of a header. GPT-2 XL takes 40 kB for 444 tensors; 1,000 layers with AdamW's moments 5 MB."""
TYPES = {
    "F64": torch.float64, "F32": torch.float32, "F16": torch.float16, "BF16": torch.bfloat16, "I64": torch.int64,
    "I32": torch.int32, "I16": torch.int16, "I8": torch.int8, "U8": torch.uint8, "BOOL": torch.bool,
}


def read(file: Path) -> tuple[dict[str, torch.Tensor], str]:
    """Return all tensors, and the SHA-256 of what was read.

    Raises:
        ValueError: this is no such file, or it was cut off. Nothing was allocated that the file does not hold.
        OSError: it cannot be read.
    """
    with file.open("rb") as source:
        entries, header = safetensors_header.read(source, *LIMITS)
        digest = hashlib.sha256(header)
        in_order = sorted(entries.items(), key=lambda item: item[1].offset)
        tensors = {name: _tensor(source, name, entry, digest) for name, entry in in_order}
    return tensors, digest.hexdigest()


def _tensor(source: BufferedReader, name: str, entry: Entry, digest: Any) -> torch.Tensor:
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
