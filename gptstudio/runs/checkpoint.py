"""A model at one step, on the disk: weights in safetensors, a small JSON state, and the SHA-256 of both.

A checkpoint is a folder. It is made under another name, flushed, and renamed when complete, so what carries the
right name is whole. The digests are written last, since neither torch nor safetensors nor JSON would notice a
flipped bit; ``sha256sum --check SHA256SUMS`` reads them too.
"""

from __future__ import annotations

import os
import shutil
from pathlib import Path

import torch
from pydantic import BaseModel, ConfigDict, ValidationError
from safetensors import SafetensorError
from safetensors.torch import load_file, save_file

from gptstudio.errors import UserError
from gptstudio.gpt import sizing
from gptstudio.gpt.config import GPTConfig
from gptstudio.gpt.model import GPTModel
from gptstudio.gpt.model import Path as ModelPath
from gptstudio.runs import files
from gptstudio.runs.files import free_bytes

FORMAT = 1
WEIGHTS = "model.safetensors"
STATE = "state.json"
SUMS = "SHA256SUMS"


class CheckpointError(UserError):
    """A checkpoint that cannot be saved or loaded."""


class State(BaseModel):
    """All of a checkpoint but its tensors."""

    model_config = ConfigDict(frozen=True, ser_json_inf_nan="strings")

    format: int = FORMAT
    config: GPTConfig
    step: int
    epoch: int
    tokens_seen: int
    val_loss: float | None


class _Stamp(BaseModel):
    """What the state of any version holds."""

    format: int


def save(model: GPTModel, folder: Path, step: int, epoch: int, tokens_seen: int, val_loss: float | None) -> Path:
    """Writes ``folder/step-000123`` and returns it. Whatever was there before stays untouched until it is whole.

    Raises:
        CheckpointError: not enough room, or weights that are not numbers; nothing was written.
        OSError: the disk failed; nothing of it is left.
    """
    target = folder / f"step-{step:06d}"
    if target.is_dir():
        return target
    _check_room(folder, model.cfg)
    tensors = _weights(model)
    if not all(tensor.isfinite().all() for tensor in tensors.values()):
        raise CheckpointError(
            f"The weights of step {step:,} are no longer numbers: training has diverged. They were not saved. "
            "Try a tenth of the learning rate, or a gradient clip of 1."
        )
    for stray in folder.glob(".step-*.tmp"):  # left by a save that was killed
        shutil.rmtree(stray, ignore_errors=True)
    aside = folder / f".{target.name}.tmp"
    try:
        aside.mkdir(parents=True)
        save_file(tensors, aside / WEIGHTS)
        files.flush(aside / WEIGHTS)
        state = State(config=model.cfg, step=step, epoch=epoch, tokens_seen=tokens_seen, val_loss=val_loss)
        files.write_whole(aside / STATE, state.model_dump_json(indent=1).encode())
        sums = "".join(_sum(aside / name) for name in (WEIGHTS, STATE))
        files.write_whole(aside / SUMS, sums.encode())
        os.rename(aside, target)
        files.flush(folder)
    except SafetensorError as error:
        raise CheckpointError(f"The checkpoint could not be written to {folder}: {error}") from error
    finally:
        shutil.rmtree(aside, ignore_errors=True)
    return target


def load(folder: Path, path: ModelPath = "fast", device: str = "cpu") -> GPTModel:
    """The model of a checkpoint, ready to generate.

    Raises:
        CheckpointError: missing, cut off, changed since it was saved, or of other shapes.
    """
    state = read_state(folder)
    weights = folder / WEIGHTS
    _check_sum(weights)
    try:
        tensors = load_file(weights, device="cpu")
    except OSError as error:
        raise CheckpointError(f"{weights} could not be read: {error.strerror or error}.") from error
    except SafetensorError as error:
        raise CheckpointError(f"{weights} is not a file of weights: {error}") from error
    return build(state.config, tensors, path, device, f"The weights in {weights}")


def build(
    config: GPTConfig, tensors: dict[str, torch.Tensor], path: ModelPath, device: str, what: str = "These weights"
) -> GPTModel:
    """A model of ``config`` holding a copy of ``tensors``, which are called ``what`` in words.

    Raises:
        CheckpointError: the tensors are not this model's, with the first difference.
    """
    with torch.device("meta"):  # no time spent on first weights that are replaced at once
        model = GPTModel(config, path)
    difference = _first_difference(model, tensors)
    if difference:
        raise CheckpointError(f"{what} belong to another model: {difference}.")
    model.to_empty(device=device)
    if config.tie_weights:
        model.out_head.weight = model.tok_emb.weight
        tensors = tensors | {"out_head.weight": tensors["tok_emb.weight"]}
    model.load_state_dict(tensors)  # copies: the file may go away afterwards
    return model.eval()


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
        data = file.read_bytes()
        stamp = _Stamp.model_validate_json(data)  # first: a newer state may have fields that we do not know
        if stamp.format > FORMAT:
            raise CheckpointError(f"{file} was saved by a newer GPT Studio (format {stamp.format}). Please update.")
        return State.model_validate_json(data)
    except OSError as error:
        raise CheckpointError(f"{file} could not be read: {error.strerror or error}.") from error
    except ValidationError as error:
        raise CheckpointError(f"{file} is not the state of a checkpoint.") from error


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


def _weights(model: GPTModel) -> dict[str, torch.Tensor]:
    """Every tensor once: a tied output layer is the token embedding."""
    tensors = model.state_dict()
    if model.cfg.tie_weights:
        del tensors["out_head.weight"]
    return {name: tensor.detach().cpu().contiguous() for name, tensor in tensors.items()}


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


def _check_room(folder: Path, config: GPTConfig) -> None:
    needed, free = sizing.weight_bytes(config), free_bytes(folder)
    if free < needed * 1.05:
        raise CheckpointError(
            f"A checkpoint needs {needed / sizing.MB:,.0f} MB and {free / sizing.MB:,.0f} MB are free at {folder}. "
            "Free some space; the earlier checkpoint is kept."
        )
