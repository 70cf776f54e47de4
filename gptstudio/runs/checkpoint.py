"""A model at one step, on the disk: weights in safetensors, what the run needs to go on, a small JSON state, and the
SHA-256 of all.

A checkpoint is a folder. It is made under another name, flushed, and renamed when complete, so what carries the
right name is whole. The digests are written last, since neither torch nor safetensors nor JSON would notice a
flipped bit; ``sha256sum --check SHA256SUMS`` reads them too.
"""

from __future__ import annotations

import json
import os
import shutil
from collections.abc import Mapping
from pathlib import Path

import torch
from pydantic import BaseModel, ConfigDict
from safetensors import SafetensorError
from safetensors.torch import load_file, save_file

from gptstudio import files
from gptstudio.errors import UserError
from gptstudio.files import free_bytes
from gptstudio.gpt import sizing
from gptstudio.gpt.config import GPTConfig
from gptstudio.gpt.model import GPTModel
from gptstudio.gpt.model import Path as ModelPath
from gptstudio.runs import formats

WEIGHTS = "model.safetensors"
RESUME = "resume.safetensors"
STATE = "state.json"
SUMS = "SHA256SUMS"


class CheckpointError(UserError):
    """A checkpoint that cannot be saved or loaded."""


class State(BaseModel):
    """All of a checkpoint but its tensors. ``step`` is the last one taken, ``taken`` counts those of the epoch.

    ``journal_bytes`` is how long the journal was; ``threads`` is how many torch computed with, since other numbers of
    threads add in another order.
    """

    model_config = ConfigDict(frozen=True, ser_json_inf_nan="strings")

    format: int = formats.FORMAT
    config: GPTConfig
    step: int
    epoch: int
    tokens_seen: int
    val_loss: float | None
    taken: int = 0
    learning_rate: float | None = None
    elapsed_s: float = 0.0
    journal_bytes: int = 0
    threads: int = 0


def save(model: GPTModel, folder: Path, state: State, resume: Mapping[str, torch.Tensor] | None = None) -> Path:
    """Writes ``model`` as :func:`write` does."""
    return write(weights_of(model), folder, state, resume)


def write(
    weights: dict[str, torch.Tensor], folder: Path, state: State, resume: Mapping[str, torch.Tensor] | None = None
) -> Path:
    """Writes ``folder/step-000123`` and returns it. Whatever was there before stays untouched until it is whole.

    Args:
        weights: on the processor, a tied output layer left out.
        resume: the tensors besides the weights that the run needs to go on; without them it can only generate.

    Raises:
        CheckpointError: not enough room, or weights that are not numbers; nothing was written.
        OSError: the disk failed; nothing of it is left.
    """
    target = folder / f"step-{state.step:06d}"
    if target.is_dir():
        return target
    tensors = {WEIGHTS: weights} | ({RESUME: dict(resume)} if resume else {})
    _check_room(folder, sum(tensor.nbytes for group in tensors.values() for tensor in group.values()))
    if not all(tensor.isfinite().all() for tensor in tensors[WEIGHTS].values()):
        raise CheckpointError(
            f"The weights of step {state.step:,} are no longer numbers: training has diverged. They were not saved. "
            "Try a tenth of the learning rate, or a gradient clip of 1."
        )
    for stray in folder.glob(".step-*.tmp"):  # left by a save that was killed
        shutil.rmtree(stray, ignore_errors=True)
    aside = folder / f".{target.name}.tmp"
    try:
        aside.mkdir(parents=True)
        files.write_whole(aside / STATE, state.model_dump_json(indent=1).encode())
        for name, group in tensors.items():
            save_file(group, aside / name)
            shutil.copymode(aside / STATE, aside / name)  # safetensors lets nobody else read, also on a shared disk
            files.flush(aside / name)
        sums = "".join(_sum(aside / name) for name in (*tensors, STATE))
        files.write_whole(aside / SUMS, sums.encode())
        os.rename(aside, target)
        files.flush(folder)
    except SafetensorError as error:
        raise CheckpointError(f"The checkpoint could not be written to {folder}: {error}") from error
    finally:
        shutil.rmtree(aside, ignore_errors=True)
    return target


def needed_bytes(config: GPTConfig) -> int:
    """What a checkpoint takes on the disk: the weights, and two moments of AdamW for each."""
    return 3 * sizing.weight_bytes(config)


def size(folder: Path) -> int:
    """What a checkpoint has taken, in bytes."""
    return sum(file.stat().st_size for file in folder.iterdir())


def load_resume(folder: Path) -> dict[str, torch.Tensor]:
    """The tensors besides the weights that the run needs to go on.

    Raises:
        CheckpointError: it has none, or they were changed since they were saved.
    """
    if not (folder / RESUME).is_file():
        raise CheckpointError(
            f"{folder} holds a model and no optimizer: it can generate, but its run cannot go on from it."
        )
    return {name: tensor.clone() for name, tensor in _tensors(folder / RESUME).items()}  # the file stays mapped


def load(folder: Path, path: ModelPath = "fast", device: str = "cpu") -> GPTModel:
    """The model of a checkpoint, ready to generate.

    Raises:
        CheckpointError: missing, cut off, changed since it was saved, or of other shapes.
    """
    weights = f"The weights in {folder / WEIGHTS}"
    return build(read_state(folder).config, read_weights(folder), path, device, weights)


def build(
    config: GPTConfig, tensors: dict[str, torch.Tensor], path: ModelPath, device: str, what: str = "These weights"
) -> GPTModel:
    """A model of ``config`` holding a copy of ``tensors``, which are called ``what`` in words.

    Raises:
        CheckpointError: the tensors are not this model's, with the first difference.
    """
    with torch.device("meta"):  # no time spent on first weights that are replaced at once
        model = GPTModel(config, path)
    _check_shapes(model, tensors, what)  # before a byte is allocated
    put(tensors, model.to_empty(device=device), what)
    return model.eval()


def put(tensors: dict[str, torch.Tensor], model: GPTModel, what: str = "These weights") -> None:
    """Copies ``tensors`` into ``model``; where they came from may go away afterwards.

    Raises:
        CheckpointError: the tensors are not this model's, with the first difference.
    """
    tensors = fitting(tensors, model, what)
    if model.cfg.tie_weights:
        model.out_head.weight = model.tok_emb.weight
    model.load_state_dict(tensors)


def fitting(tensors: dict[str, torch.Tensor], model: GPTModel, what: str) -> dict[str, torch.Tensor]:
    """``tensors`` as the state dict of ``model``, with the output layer where it is tied.

    Raises:
        CheckpointError: the tensors are not this model's, with the first difference.
    """
    _check_shapes(model, tensors, what)
    return tensors | ({"out_head.weight": tensors["tok_emb.weight"]} if model.cfg.tie_weights else {})


def read_weights(folder: Path) -> dict[str, torch.Tensor]:
    """The weights of a checkpoint, mapped from its file.

    Raises:
        CheckpointError: missing, or changed since they were saved.
    """
    return _tensors(folder / WEIGHTS)


def read_state(folder: Path) -> State:
    """The state of a checkpoint, without its weights.

    Raises:
        CheckpointError: there is none, it was changed, or it is of a newer version.
    """
    file = folder / STATE
    if not os.path.isfile(file):
        raise CheckpointError(f"There is no checkpoint at {folder}: {STATE} is missing. Choose another, or a preset.")
    _check_sum(file)
    try:
        return State.model_validate(formats.upgrade(json.loads(file.read_bytes()), str(file)))
    except UserError as error:  # of a newer version
        raise CheckpointError(str(error)) from error
    except OSError as error:
        raise CheckpointError(f"{file} could not be read: {error.strerror or error}.") from error
    except ValueError as error:  # not JSON, or not these fields
        raise CheckpointError(f"{file} is not the state of a checkpoint.") from error


def _tensors(file: Path) -> dict[str, torch.Tensor]:
    _check_sum(file)
    try:
        return load_file(file, device="cpu")
    except OSError as error:
        raise CheckpointError(f"{file} could not be read: {error.strerror or error}.") from error
    except SafetensorError as error:
        raise CheckpointError(f"{file} is not a file of weights: {error}") from error


def _sum(file: Path) -> str:
    return f"{files.sha256(file)}  {file.name}\n"


def _check_sum(file: Path) -> None:
    """Reads the file once more than needed, and knows that every bit of it is as it was saved."""
    try:
        known = (file.parent / SUMS).read_bytes().splitlines(keepends=True)
        whole = _sum(file).encode() in known
    except OSError as error:
        raise CheckpointError(f"{error.filename} could not be read: {error.strerror or error}.") from error
    if not whole:
        raise CheckpointError(f"{file} is not what was saved: it was cut off or changed. Choose an earlier checkpoint.")


def weights_of(model: GPTModel) -> dict[str, torch.Tensor]:
    """Every tensor once, on the processor: a tied output layer is the token embedding."""
    tensors = model.state_dict()
    if model.cfg.tie_weights:
        del tensors["out_head.weight"]
    return {name: tensor.detach().cpu().contiguous() for name, tensor in tensors.items()}


def _check_shapes(model: GPTModel, tensors: dict[str, torch.Tensor], what: str) -> None:
    difference = _first_difference(model, tensors)
    if difference:
        raise CheckpointError(f"{what} belong to another model: {difference}.")


def _first_difference(model: GPTModel, tensors: dict[str, torch.Tensor]) -> str | None:
    expected = {name: tuple(tensor.shape) for name, tensor in model.state_dict().items()}
    if model.cfg.tie_weights:
        del expected["out_head.weight"]
    for name, shape in expected.items():
        if name not in tensors:
            return f"{name} is missing"
        if tuple(tensors[name].shape) != shape:
            return f"{name} has shape {tuple(tensors[name].shape)}, and {shape} was expected"
    extra = next((name for name in tensors if name not in expected), None)
    return f"{extra} is not part of it" if extra else None


def _check_room(folder: Path, needed: int) -> None:
    free = free_bytes(folder)
    if free < needed * 1.05:
        raise CheckpointError(
            f"A checkpoint needs {needed / sizing.MB:,.0f} MB and {free / sizing.MB:,.0f} MB are free at {folder}. "
            "Free some space; the earlier checkpoint is kept."
        )
