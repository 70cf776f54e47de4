"""The optional compiled part of GPT Studio: ``fast/*.c`` as a shared library next to its sources.

The installers contain it; the set-up from source compiles it if there is a C compiler (``packaging/native_build.py``).
Without it, torch computes the same results.
"""

from __future__ import annotations

import ctypes
from functools import cache
from pathlib import Path

LIBRARY = Path(__file__).parent / "fast" / "kernels.native"
"""Shared library for any processor of its architecture, named so that it cannot be imported as a Python module;
versions for newer processors are next to it, with ``-v3`` and ``-v4`` in their names."""


@cache
def library() -> ctypes.CDLL | None:
    """Return the library for this processor; None if it is missing or does not load on this system."""
    try:
        found = ctypes.CDLL(str(LIBRARY))
        for level in range(found.gpt2_level(), 2, -1):
            better = LIBRARY.with_stem(f"{LIBRARY.stem}-v{level}")
            if better.exists():
                found = ctypes.CDLL(str(better))
                break
        found.gpt2_memory.restype = found.gpt2_attention_scratch.restype = ctypes.c_int64
        found.gpt2_squares.restype, found.gpt2_linear_loss.restype = ctypes.c_double, None
    except (OSError, AttributeError):
        return None
    return found


def loaded() -> ctypes.CDLL:
    """Return the library.

    Raises:
        RuntimeError: there is none for this system.
    """
    found = library()
    if found is None:
        raise RuntimeError("The part in C is not compiled here")
    return found


def multiplies_bf16() -> bool:
    """Return whether ``loss.c`` multiplies bf16 faster than torch does on this processor."""
    found = library()
    return found is not None and bool(found.gpt2_multiplies_bf16())
