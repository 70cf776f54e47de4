"""Import of weights from others, without trusting them: the content of a file or folder, its tensors, and a verified
copy among the user's models. Imports no torch before tensors are read."""

from __future__ import annotations

import errno
import hashlib
import json
import os
from collections.abc import Callable, Mapping
from datetime import datetime
from pathlib import Path
from typing import TYPE_CHECKING

import gptstudio
from gptstudio import devices, files, paths
from gptstudio.data.encodings import Progress, unwatched
from gptstudio.gpt import sizing, weights
from gptstudio.gpt.tokenizer import FILE
from gptstudio.i18n import message
from gptstudio.training import checkpoint_files, imported_models, model_source
from gptstudio.units import bytes_text
from gptstudio.weights_io import nanogpt, stored_tensors
from gptstudio.weights_io.inspection import FoundModel as FoundModel
from gptstudio.weights_io.inspection import inspect as inspect
from gptstudio.weights_io.refusals import ExchangeError, errors_as_messages, refused

if TYPE_CHECKING:
    from torch import Tensor

TAKEN = (None, errno.EEXIST, errno.ENOTEMPTY)
"""Error codes for a folder that already exists: of our own error, or of the system."""

OnBytes = Callable[[int], None]
"""Callback with the number of bytes just read; it can cancel the work by raising an exception."""


def read(found: FoundModel, progress: Progress = unwatched) -> dict[str, Tensor]:
    """Return the weights with our names: see :mod:`gptstudio.gpt.weights`.

    Args:
        progress: called with the number of bytes read; can cancel the work by raising an exception.

    Raises:
        ExchangeError: there is not enough memory, a tensor contains NaN, or a file was changed or cannot be read.
    """
    with errors_as_messages(found.path):
        return _read(found, _counting(progress, _tensor_bytes(found)))


def import_weights(
    found: FoundModel, name: str | None = None, progress: Progress = unwatched, notes: Mapping[str, str] | None = None
) -> model_source.ImportedModel:
    """Save a verified copy in fp32 among the user's models, completely or not at all.

    Args:
        name: preferred name; if it is in use or not a valid file name, a similar one is chosen.
        progress: called with the number of bytes read, each file's twice: for its digest, and for its tensors; can
            cancel the work by raising an exception.
        notes: values to record with the origin, in addition to name and digests.

    Raises:
        ExchangeError: there is not enough memory or disk space, a tensor contains NaN, or a file was changed or cannot
            be read; no partial copy is left.
    """
    on_bytes = _counting(progress, found.bytes + _tensor_bytes(found))
    with errors_as_messages(found.path):
        _check_free_space(found)
        digests = {file.name: stored_tensors.hashed(file, hashlib.sha256(), on_bytes) for file in found.files}
        tensors = _read(found, on_bytes)
        origin = _origin(found, digests) | dict(notes or {})
        state = checkpoint_files.State(config=found.config, step=0, epoch=0, tokens_seen=0, val_loss=None)
        beside = {imported_models.ORIGIN: json.dumps(origin, indent=1, ensure_ascii=False).encode()}
        if found.tokenizer.file:
            beside[FILE] = found.tokenizer.file
        target = _write(tensors, name or found.name, state, beside, lambda: on_bytes(0))
        return model_source.ImportedModel(target)


def _write(
    tensors: dict[str, Tensor], wanted: str, state: checkpoint_files.State, beside: Mapping[str, bytes],
    check: Callable[[], None],
) -> Path:
    from gptstudio.training import checkpoint

    target = paths.models() / imported_models.free_name(wanted)
    try:
        return checkpoint.write_model(tensors, target, state, beside, check)
    except (checkpoint_files.CheckpointError, OSError) as error:
        if os.path.lexists(target) and getattr(error, "errno", None) in TAKEN:  # created by another program
            return _write(tensors, wanted, state, beside, check)
        if isinstance(error, checkpoint_files.CheckpointError):
            raise
        raise ExchangeError(message(
            "Could not save the model to {target}: {why}. Nothing was saved.", target=target,
            why=error.strerror or error)) from error


def _read(found: FoundModel, on_bytes: OnBytes) -> dict[str, Tensor]:
    largest = max((place.elements for place in found.tensors.values()), default=0) * sizing.FLOAT32
    needed = max(_tensor_bytes(found), sizing.weight_bytes(found.config)) + 2 * largest  # one is converted at a time
    devices.check_memory(needed, devices.cpu(), message("to open these weights"))
    found.check_unchanged()
    if found.kind == "gptstudio":
        checkpoint_files.check_sum(found.files[0])
    tensors = {name: stored_tensors.read(name, place, on_bytes) for name, place in found.tensors.items()}
    found.check_unchanged()
    if found.kind == "nanogpt":
        tensors = nanogpt.with_biases(tensors)
    make = weights.from_huggingface if found.kind in ("huggingface", "nanogpt") else weights.from_book
    return make(tensors, found.config)


def _tensor_bytes(found: FoundModel) -> int:
    return sum(place.nbytes for place in found.tensors.values())


def _check_free_space(found: FoundModel) -> None:
    needed = sizing.weight_bytes(found.config) + len(found.tokenizer.file)
    free = files.free_bytes(paths.models())
    if free < needed * 1.05:
        raise refused(found.path, message(
            "the copy needs {needed} and 5 % in reserve, but only {free} are free at {home}. Free some space"
            " and try again.",
            needed=bytes_text(needed), free=bytes_text(free), home=paths.models()))


def _counting(progress: Progress, total: int) -> OnBytes:
    done = 0

    def on_bytes(more: int) -> None:
        nonlocal done
        done += more
        progress(done, total)

    return on_bytes


def _origin(found: FoundModel, digests: Mapping[str, str]) -> dict[str, object]:
    """Return the origin of a model, without the folder of its file, for privacy."""
    return {
        "source": files.encodable(found.path.name),  # file names may contain undecodable bytes
        "kind": found.kind,
        "stored": found.stored,
        "heads_read": found.heads_read,
        "sha256": dict(digests),
        "date": datetime.now().astimezone().isoformat(timespec="seconds"),
        "version": gptstudio.__version__,
    }
