"""Facts about the program: what it is made of, under which licences, and where it keeps files."""

from __future__ import annotations

import sys
from collections.abc import Iterator
from dataclasses import dataclass
from importlib.metadata import Distribution, PackageNotFoundError, distribution
from pathlib import Path

from gptstudio import paths
from gptstudio.i18n import Message, message

LIBRARIES = {
    "torch": "BSD-3-Clause", "PySide6-Essentials": "LGPL-3.0-only", "pyqtgraph": "MIT", "numpy": "BSD-3-Clause",
    "tiktoken": "MIT", "tokenizers": "Apache-2.0", "regex": "Apache-2.0", "safetensors": "Apache-2.0",
    "pydantic": "MIT", "platformdirs": "MIT",
    "psutil": "BSD-3-Clause", "psygnal": "BSD-3-Clause", "filelock": "MIT", "chardet": "0BSD",
    "segno": "BSD-3-Clause", "tomli-w": "MIT", "rich": "MIT", "cyclopts": "Apache-2.0", "huggingface_hub": "Apache-2.0",
    "gguf": "MIT", "truststore": "MIT",
}
"""Libraries that the program needs, and their licences where the installed program has no metadata of them."""


@dataclass(frozen=True)
class Library:
    """A library, its version (empty if it is not known), and its licence in a word."""

    name: str
    version: str
    licence: str


def libraries() -> list[Library]:
    """Return the libraries that the program needs, as their metadata describes them."""
    return [_library(name, licence) for name, licence in LIBRARIES.items()]


def _library(name: str, licence: str) -> Library:
    try:
        found = distribution(name)
    except PackageNotFoundError:  # in the installed program
        return Library(name, _version_of_module(name), licence)
    return Library(name, found.version, licence_of(found) or licence)


def licence_of(found: Distribution) -> str:
    """Return the licence of a package: as an SPDX expression where it has one."""
    metadata = found.metadata
    said = [*(metadata.get_all("License-Expression") or []), *(metadata.get_all("License") or [])]
    first = next(filter(None, said), "")
    kinds = [line.rpartition(" :: ")[2] for line in metadata.get_all("Classifier") or [] if "License ::" in line]
    return next(iter(first.splitlines()), "")[:200] or ", ".join(kinds)  # some have the whole text there


def _version_of_module(name: str) -> str:
    module = sys.modules.get(name.removesuffix("-Essentials").replace("-", "_"))
    return str(getattr(module, "__version__", ""))


def notices() -> Path | None:
    """Return the file with all licences in full, which the installers bring; None where there is none."""
    program = Path(sys.executable).resolve().parent
    places = (program / "NOTICES.txt", program.parent / "Resources" / "NOTICES.txt")
    return next((place for place in places if place.is_file()), None) if getattr(sys, "frozen", False) else None


def places() -> Iterator[tuple[Message, Path]]:
    """Yield what is kept where."""
    yield message("Runs"), paths.runs()
    yield message("Imported models"), paths.models()
    yield message("Texts"), paths.texts()
    yield message("Log"), paths.logs()
