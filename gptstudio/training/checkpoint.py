"""Checkpoints: the weights in safetensors, the tensors needed to resume the run, a small JSON state, and the SHA-256 of
all.

A checkpoint is a folder. It is written under a temporary name, flushed, and renamed when complete, so a folder with the
final name is complete. Digests are stored because neither torch nor safetensors nor JSON would detect a flipped bit;
``sha256sum --check SHA256SUMS`` can check them too. For functions that need no tensors see
:mod:`gptstudio.training.checkpoint_files`.
"""

from __future__ import annotations

import hashlib
import os
import shutil
from collections.abc import Callable, Mapping
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from uuid import uuid4

import torch

from gptstudio import files, torch_settings
from gptstudio.files import free_bytes
from gptstudio.gpt.config import GPTConfig
from gptstudio.gpt.fast import ModelPath, build_model
from gptstudio.gpt.model import GPTModel
from gptstudio.gpt.tokenizer import FILE, GPT2, Tokenizer
from gptstudio.i18n import Message, joined, message
from gptstudio.training import safetensors_file
from gptstudio.training.checkpoint_files import (
    RESERVE,
    RESUME,
    STATE,
    SUMS,
    WEIGHTS,
    CheckpointError,
    State,
    add_files,
    check_digest,
    check_sum,
    errors_as_messages,
    keep_learning_rate,
    line_of,
    read_state,
)
from gptstudio.training.run_folder import TEMP_PATTERN
from gptstudio.training.safetensors_file import UnwrittenError, save_file
from gptstudio.units import bytes_text


def write(
    weights: dict[str, torch.Tensor], folder: Path, state: State, resume: Mapping[str, torch.Tensor] | None = None,
    tokenizer: Tokenizer = GPT2, again: bool = False,
) -> Path:
    """Write the checkpoint ``folder/step-000123`` and return its path.

    Args:
        weights: weights on the CPU, without a tied output layer.
        resume: the other tensors that the run needs to continue; without them the checkpoint can only generate. A
            checkpoint of the same step that lacks them gets them; one that has them only gets the learning rate.
        tokenizer: tokenizer of the model, saved unless it is GPT-2's.
        again: whether to replace everything but the weights of a checkpoint of the same step.

    Raises:
        CheckpointError: there is not enough space, or weights are not finite; nothing was written.
        OSError: the disk failed; the incomplete checkpoint is removed.
    """
    target = folder / f"step-{state.step:06d}"
    has_model = target.is_dir()
    if has_model and not again and ((target / RESUME).is_file() or not resume):
        if resume:
            keep_learning_rate(target, state.learning_rate, state.journal_bytes)
        return target
    tensors = ({} if has_model else {WEIGHTS: weights}) | ({RESUME: dict(resume)} if resume else {})
    _check_free_space(folder, tensors)
    if not _finite(weights):
        raise CheckpointError(message(
            "Training has diverged: the weights of step {step} are no longer valid numbers, so they were not "
            "saved. Try a tenth of the learning rate, or a gradient clip of 1.",
            step=f"{state.step + 1:,}",
        ))
    for temp_file in folder.glob(TEMP_PATTERN):  # left by a save that was killed
        shutil.rmtree(temp_file, ignore_errors=True)
    beside = {FILE: tokenizer.file} if tokenizer.file and not has_model else {}
    return _write_whole(target, folder / f".{target.name}.tmp", tensors, beside | {STATE: state.encoded()})


def write_model(
    weights: dict[str, torch.Tensor], folder: Path, state: State, beside: Mapping[str, bytes] | None = None,
    check: Callable[[], None] = lambda: None,
) -> Path:
    """Write a model that belongs to no run to ``folder``, which must not exist yet, and return its path.

    Args:
        weights: weights on the CPU, without a tied output layer.
        beside: small files that are saved with the weights, and are included in the digests.
        check: called between the files; can raise to cancel.

    Raises:
        CheckpointError: the folder exists, there is not enough space, or weights are not finite; nothing was written.
        OSError: the disk failed; the incomplete folder is removed.
    """
    if os.path.lexists(folder):
        raise CheckpointError(message("{folder} already exists. Choose another name for this model.", folder=folder))
    _check_free_space(folder.parent, {WEIGHTS: weights})
    if not _finite(weights):
        raise CheckpointError(message(
            "The model was not saved: some of its weights are not valid numbers (NaN or infinite).",
        ))
    files.remove_temp_files(folder.parent, files.MODELS)
    aside = folder.parent / f".{uuid4().hex}.model.tmp"  # several programs may write at the same time
    return _write_whole(folder, aside, {WEIGHTS: weights}, {STATE: state.encoded(), **(beside or {})}, check)


def load_resume(folder: Path) -> dict[str, torch.Tensor]:
    """Return the tensors, other than the weights, that the run needs to continue.

    Raises:
        CheckpointError: the checkpoint has none, or they were changed since they were saved.
    """
    if not (folder / RESUME).is_file():
        raise CheckpointError(message(
            "{folder} contains a model but no optimizer state. It can generate, but its run cannot continue from "
            "it.",
            folder=folder,
        ))
    return _tensors(folder / RESUME)


def load(folder: Path, path: ModelPath = "fast", device: str = "cpu") -> GPTModel:
    """Return the model of a checkpoint in evaluation mode.

    Raises:
        CheckpointError: the checkpoint is missing, truncated, changed since it was saved, or has other shapes.
    """
    weights = message("The weights in {path}", path=folder / WEIGHTS)
    return build(read_state(folder).config, read_weights(folder), path, device, weights)


def build(
    config: GPTConfig, tensors: dict[str, torch.Tensor], path: ModelPath, device: str, what: str = "These weights"
) -> GPTModel:
    """Return a model with ``config`` that takes ownership of ``tensors``; ``what`` is their name in messages.

    Raises:
        CheckpointError: the tensors do not fit the model; the message gives the first difference.
    """
    with torch_settings.uninitialised("meta"):
        model = build_model(config, path)
    tensors = fitting(tensors, model, what)  # before a byte is allocated
    model.load_state_dict({name: tensor.to(device) for name, tensor in tensors.items()}, assign=True)
    if config.tie_weights:
        model.out_head.weight = model.tok_emb.weight
    return model.eval()


def fitting(tensors: dict[str, torch.Tensor], model: GPTModel, what: str) -> dict[str, torch.Tensor]:
    """Return ``tensors`` as the state dict of ``model``, with the output layer added if it is tied.

    Raises:
        CheckpointError: the tensors do not fit the model; the message gives the first difference.
    """
    difference = _first_difference(model, tensors)
    if difference:
        raise CheckpointError(message(
            "{what} belong to another model: {difference}.",
            what=what, difference=difference,
        ))
    return tensors | ({"out_head.weight": tensors["tok_emb.weight"]} if model.cfg.tie_weights else {})


def read_weights(folder: Path) -> dict[str, torch.Tensor]:
    """Return the weights of a checkpoint, read into memory.

    Raises:
        CheckpointError: the weights are missing, were changed since they were saved, or are not finite.
    """
    file = folder / WEIGHTS
    tensors = _tensors(file)
    broken = next((name for name, tensor in tensors.items() if not tensor.isfinite().all()), None)
    if broken:
        raise CheckpointError(message(
            "{broken} in {file} contains values that are not valid numbers (NaN or infinite). The weights are "
            "damaged, for example because training diverged. Choose an earlier checkpoint or another model.",
            broken=broken, file=file,
        ))
    return tensors


def _tensors(file: Path) -> dict[str, torch.Tensor]:
    with errors_as_messages(file):
        try:
            tensors, sha256 = safetensors_file.read(file)
        except (ValueError, RecursionError) as error:
            check_sum(file)
            raise CheckpointError(message(
                "{file} is not a valid weights file: {error}.",
                file=file, error=error,
            )) from error
    check_digest(file, sha256)
    return tensors


def on_cpu(tensor: torch.Tensor) -> torch.Tensor:
    """Return a contiguous tensor on the CPU; it shares the memory of ``tensor`` if that is one."""
    return tensor.detach().cpu().contiguous()


def weights_of(
    model: GPTModel, taken: Callable[[torch.Tensor], torch.Tensor] = on_cpu
) -> dict[str, torch.Tensor]:
    """Return the weights on the CPU, or what ``taken`` returns of each, without a tied output layer."""
    tensors = model.state_dict()
    if model.cfg.tie_weights:
        del tensors["out_head.weight"]
    return {name: taken(tensor) for name, tensor in tensors.items()}


def _first_difference(model: GPTModel, tensors: dict[str, torch.Tensor]) -> Message | None:
    expected = {name: tuple(tensor.shape) for name, tensor in model.state_dict().items()}
    if model.cfg.tie_weights:
        del expected["out_head.weight"]
    for name, shape in expected.items():
        if name not in tensors:
            return message("{name} is missing", name=name)
        if tuple(tensors[name].shape) != shape:
            found = tuple(tensors[name].shape)
            return message("{name} has shape {found}, but {shape} was expected", name=name, found=found, shape=shape)
        if tensors[name].dtype != torch.float32:
            dtype = str(tensors[name].dtype)
            return message("{name} is stored as {dtype}, but torch.float32 was expected", name=name, dtype=dtype)
    extra = next((name for name in tensors if name not in expected), None)
    return message("{name} is not part of it", name=extra) if extra else None


def _write_whole(
    target: Path, aside: Path, tensors: Mapping[str, dict[str, torch.Tensor]], small: Mapping[str, bytes],
    check: Callable[[], None] = lambda: None,
) -> Path:
    """Write the files and their digests to ``aside``, and when everything is on disk, rename it to ``target``, or move
    them into ``target`` if that exists. ``tensors``: tensor files; ``small``: other files."""
    try:
        aside.mkdir(parents=True)
        with files.claimed(aside):
            for name, data in small.items():
                files.write_whole(aside / name, data)
            with ThreadPoolExecutor() as pool:  # writing and hashing a file keeps one core busy
                written = pool.map(lambda name: _written(tensors[name], aside / name), tensors)
                digests = dict(zip(tensors, written, strict=True))
            check()
            digests |= {name: hashlib.sha256(data).hexdigest() for name, data in small.items()}
            sums = "".join(line_of(digest, aside / name) for name, digest in digests.items())
            files.write_whole(aside / SUMS, sums.encode())
            check()
        if target.is_dir():  # a model alone, saved as the best in a pause after the same step
            add_files(aside, target)
            return target
        os.rename(aside, target)
        try:
            files.flush(target.parent)
        except OSError:  # it might be lost in a power failure, so it does not count as saved
            os.rename(target, aside)
            raise
    except UnwrittenError as error:
        needed, free = map(bytes_text, (_bytes(tensors), free_bytes(target.parent)))
        raise CheckpointError(message(
            "Could not save the checkpoint to {parent}: {error}. It needs {needed}; {free} are free there.",
            parent=target.parent, error=error.strerror, needed=needed, free=free,
        )) from error
    finally:
        shutil.rmtree(aside, ignore_errors=True)
    return target


def _written(tensors: Mapping[str, torch.Tensor], file: Path) -> str:
    """Write tensors to a file, flush it, and return its SHA-256."""
    digest = save_file(tensors, file)
    files.flush(file)
    return digest


def _finite(weights: Mapping[str, torch.Tensor]) -> bool:
    return all(torch.stack(tensor.aminmax()).isfinite().all() for tensor in weights.values())  # no copy is made


def _bytes(tensors: Mapping[str, dict[str, torch.Tensor]]) -> int:
    return sum(tensor.nbytes for group in tensors.values() for tensor in group.values())


def _check_free_space(folder: Path, tensors: Mapping[str, dict[str, torch.Tensor]]) -> None:
    needed = _bytes(tensors)
    free = free_bytes(folder)
    if free < needed * RESERVE:
        kept = message("The earlier checkpoint is kept.") if any(folder.glob("step-*")) else message(
            "No checkpoint was saved yet.")
        raise CheckpointError(joined(" ", message(
            "A checkpoint needs {needed} and 5 % in reserve, but only {free} are free at {folder}. Free some"
            " space.", needed=bytes_text(needed), free=bytes_text(free), folder=folder), kept))
