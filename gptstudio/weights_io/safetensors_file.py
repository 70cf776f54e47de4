"""Tensors of a safetensors file, by its header; nothing else is read. No torch."""

from __future__ import annotations

from pathlib import Path

from gptstudio.gpt import safetensors_header
from gptstudio.gpt.sizing import MB
from gptstudio.i18n import message
from gptstudio.weights_io.refusals import CUT_OFF, refused
from gptstudio.weights_io.stored_tensors import Stored, opened

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
        try:
            entries, _ = safetensors_header.read(file, LONGEST_HEADER, MOST_TENSORS)
        except safetensors_header.UnsupportedHeaderError as error:
            raise refused(path, message("{what}.", what=error)) from error
        except safetensors_header.HeaderError as error:
            raise refused(path, message("{what}. {damaged}", what=error, damaged=CUT_OFF)) from error
    return {name: Stored(path, entry.dtype, entry.shape, entry.offset) for name, entry in entries.items()}
