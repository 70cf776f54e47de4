"""Imported models: checkpoint folders in the user's folder, named after the models. No torch.

::

    models/
        gpt2/               model.safetensors, state.json, origin.json (the source of the model), SHA256SUMS, and
                            tokenizer.json unless the tokenizer is GPT-2's
"""

from __future__ import annotations

import os
import re
import unicodedata
from contextlib import suppress
from itertools import chain, count
from pathlib import Path

from pydantic_core import from_json

from gptstudio import files, paths
from gptstudio.errors import UserError, os_errors
from gptstudio.gpt.config import PRESETS
from gptstudio.i18n import message
from gptstudio.training import checkpoint_files, run_folder

ORIGIN = "origin.json"
"""File next to the weights that records the source of the model."""
LONGEST = 60
"""Maximum number of characters in a name: valid as a file name on every system even with four bytes for each."""
RESERVED_NAMES = ("none", "own")
"""Names that no model may have, because they have another meaning where a model is chosen."""


class ImportedModelError(UserError):
    """Model that cannot be renamed or removed, or an invalid name."""


def all_models() -> list[Path]:
    """Return the folders of all complete models, newest first; none if they cannot be read."""
    saved = {}
    for path in files.found(paths.models(), "[!.]*"):
        with suppress(OSError):  # removed in the meantime, or the disk fails
            if _whole(path):
                saved[path] = (path / checkpoint_files.STATE).stat().st_mtime
    return sorted(saved, key=lambda path: (-saved[path], path.name))


def find(name: str) -> Path | None:
    """Return the folder of the model with this name, or None."""
    if not files.PORTABLE.fullmatch(name) or name.startswith("."):
        return None
    path = paths.models() / name
    return path if _whole(path) else None


def origin(model: Path) -> dict[str, str]:
    """Return the recorded origin of a model; empty if it is missing or damaged."""
    try:
        found = from_json((model / ORIGIN).read_bytes())
    except (OSError, ValueError):
        return {}
    return {key: value for key, value in found.items() if isinstance(value, str)} if isinstance(found, dict) else {}


def free_name(wanted: str) -> str:
    """Return ``wanted`` if it is valid on every system and not in use, else a similar name."""
    plain = _portable(wanted)
    endings = chain([""], (f"-{number}" for number in count(2)))
    names = (plain[: LONGEST - len(ending)].rstrip(". ") + ending for ending in endings)
    return next(name for name in names if not _taken(name))


def rename(model: Path, name: str) -> Path:
    """Rename a model, and return its folder.

    Raises:
        ImportedModelError: the name is taken or not valid on every system, or renaming failed.
    """
    name = unicodedata.normalize("NFC", " ".join(name.split()))
    if name == model.name:
        return model
    if _portable(name) != name:
        raise ImportedModelError(message(
            "A model cannot be called '{name}'. Use up to {longest} letters, digits, spaces and characters that "
            "every system allows in file names, for example {free_name}.",
            name=name, longest=LONGEST, free_name=free_name(name),
        ))
    if _taken(name) and name.casefold() != model.name.casefold():
        raise ImportedModelError(message(
            "A model, run or preset called '{name}' already exists. Choose another name.",
            name=name,
        ))
    with os_errors(lambda why: message("Could not rename {model}: {why}.", model=model, why=why), ImportedModelError):
        return model.rename(model.with_name(name))


def _whole(path: Path) -> bool:
    """Return whether a folder is a model; as models are renamed only when complete, the files need only exist."""
    names = checkpoint_files.WEIGHTS, checkpoint_files.STATE, checkpoint_files.SUMS
    return all(os.path.isfile(path / name) for name in names)


def _portable(wanted: str) -> str:
    """Return ``wanted``, changed so that it is valid in paths on every system and as a command-line argument."""
    shown = "".join(char if char.isprintable() else " " for char in unicodedata.normalize("NFC", wanted))
    plain = re.sub(rf"[{files.FORBIDDEN}]+", "-", " ".join(shown.split()))
    name = plain.lstrip("-~. ")[:LONGEST].rstrip(". ") or "model"
    return name if files.PORTABLE.fullmatch(name) and name not in RESERVED_NAMES else f"model-{name}"[:LONGEST]


def _taken(name: str) -> bool:
    """Return whether a preset, a model or a run has this name, ignoring case as some systems do."""
    there = [path.name for path in paths.models().iterdir()] if paths.models().is_dir() else []
    return name.casefold() in map(str.casefold, (*PRESETS, *there)) or run_folder.find(name) is not None
