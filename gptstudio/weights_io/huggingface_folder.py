"""A folder in the format of Hugging Face: config.json, and the weights in one file or in several with an index. No
torch.

Names: transformers/utils/__init__.py, ``SAFE_WEIGHTS_NAME`` and the following lines.
"""

from __future__ import annotations

import json
import re
from pathlib import Path
from typing import Any

from gptstudio.errors import shown
from gptstudio.i18n import message
from gptstudio.units import MB
from gptstudio.weights_io import pth_file, stored_tensors
from gptstudio.weights_io.refusals import CUT_OFF, refused
from gptstudio.weights_io.stored_tensors import Stored, opened

CONFIG = "config.json"
INDEX = ".index.json"
WEIGHTS = (
    "model.safetensors", f"model.safetensors{INDEX}", "pytorch_model.bin", f"pytorch_model.bin{INDEX}", "ckpt.pt")
"""Possible file names of the weights; the first that exists is used, as in transformers. The last is nanoGPT's."""

SHARD = re.compile(r"[\w.-]+-\d{5}-of-\d{5}\.(safetensors|bin)")
"""Name of a part of the weights; it cannot be a path to another folder."""
LONGEST_JSON = 4 * MB

STEP = re.compile(r"checkpoint-([0-9]{1,12})")
"""Name of a checkpoint folder of transformers' Trainer."""


def weights_in(folder: Path) -> Path | None:
    """Return the weights file in a folder, or the index of several; None if there is none."""
    return next((folder / name for name in WEIGHTS if (folder / name).exists()), None)


def model_in(folder: Path) -> Path:
    """Return the folder with the weights: this one, or inside it the newest checkpoint, the current snapshot of a
    cache, or the only folder with weights; this one if there is none.

    Raises:
        ExchangeError: several folders have weights.
        OSError: a folder cannot be read.
    """
    if weights_in(folder):
        return folder
    inside = [each for pattern in ("*", "snapshots/*", "models--*/snapshots/*") for each in sorted(folder.glob(pattern))
              if each.is_dir() and weights_in(each)]
    steps = {int(found[1]): each for each in inside if (found := STEP.fullmatch(each.name))}
    if steps:
        return steps[max(steps)]
    if current := _main(inside):
        return current
    if len(inside) > 1:
        raise refused(folder, message(
            "several folders in it contain weights. Choose one of them: {names}.",
            names=", ".join(shown(str(each.relative_to(folder))) for each in inside[:5])))
    return inside[0] if inside else folder


def _main(snapshots: list[Path]) -> Path | None:
    """Return the snapshot of a cache that is its ``main``; None if the folders are not snapshots of a single cache."""
    refs = {each.parent.parent / "refs" / "main" for each in snapshots if each.parent.name == "snapshots"}
    if len(refs) != 1 or not (said := refs.pop()).exists():
        return None
    name = read_small(said).decode("utf-8", errors="replace").strip()
    return next((each for each in snapshots if each.name == name), None)


def belongs(file: Path) -> bool:
    """Return whether the files next to a weights file describe it: it has one of the standard names, or there is a
    description of the model next to it."""
    return file.name in WEIGHTS or (file.parent / CONFIG).exists()


def read_json(path: Path) -> dict[str, Any]:
    """Return the content of a small JSON file from an untrusted source.

    Raises:
        ExchangeError: the file is too large, or not a JSON object.
        OSError: the file cannot be read.
    """
    values = parsed(path, read_small(path))
    if not isinstance(values, dict):
        raise refused(path, message("it is not a JSON object with names and values. {damaged}", damaged=CUT_OFF))
    return values


def parsed(path: Path, content: bytes) -> Any:
    """Return the values in the content of a JSON file; raise an ExchangeError if it is not JSON."""
    try:
        return json.loads(content.decode("utf-8-sig"))
    except (ValueError, RecursionError) as error:
        raise refused(path, message("it is not valid JSON. {damaged}", damaged=CUT_OFF)) from error


def read_small(path: Path) -> bytes:
    """Return the content of a small regular file.

    Raises:
        ExchangeError: the file is too large, or not a regular file.
        OSError: the file cannot be read.
    """
    with opened(path) as file:
        data = file.read(LONGEST_JSON + 1)
    if len(data) > LONGEST_JSON:
        raise refused(path, message(
            "it is larger than {longest_json} MB, but should have only a few lines.",
            longest_json=f"{LONGEST_JSON / MB:.0f}",
        ))
    return data


def tensors(path: Path) -> tuple[dict[str, Stored], tuple[Path, ...]]:
    """Return the tensors in a weights file, or in all files of an index, and the paths of these files.

    Raises:
        ExchangeError: a file is missing or invalid.
        OSError: a file cannot be read.
    """
    if path.name.endswith(INDEX):
        return _sharded(path)
    inspect = stored_tensors.inspect_safetensors if path.suffix == ".safetensors" else pth_file.inspect
    return inspect(path), (path,)


def _sharded(index: Path) -> tuple[dict[str, Stored], tuple[Path, ...]]:
    places = read_json(index).get("weight_map")
    if not isinstance(places, dict) or not places:
        raise refused(index, message("it does not say which file contains each tensor. {damaged}", damaged=CUT_OFF))
    for name in places.values():
        if not (isinstance(name, str) and SHARD.fullmatch(name)):
            raise refused(index, message(
                "it refers to the file {name}, which is not part of a model.", name=shown(name)))
    names = sorted(set(places.values()))
    missing = [name for name in names if not (index.parent / name).exists()]
    if missing:
        raise refused(index.parent, message(
            "weight files are missing ({n} of {all}): {names}. Download them from the same place as the others.",
            n=len(missing), all=len(names), names=", ".join(missing[:3]) + (" …" if len(missing) > 3 else "")))
    # The total_size in the index is not checked: it may date from before a conversion to another type of numbers.
    parts = {name: tensors(index.parent / name)[0] for name in names}
    for name, part in places.items():
        if name not in parts[part]:
            raise refused(index.parent / part, message(
                "{name} should be in it but is not. {damaged}", name=shown(name), damaged=CUT_OFF))
    found = {name: parts[part][name] for name, part in places.items()}
    return found, tuple(index.parent / name for name in names)
