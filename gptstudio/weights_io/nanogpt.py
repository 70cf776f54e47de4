"""Weights saved by nanoGPT (https://github.com/karpathy/nanoGPT, model.py): Hugging Face's names, but matrices as in
``nn.Linear``, and possibly without biases. Imports no torch before tensors are made.

nanoGPT computes GELU exactly, GPT-2 with the tanh approximation: the logits differ from nanoGPT's own in about the
third decimal.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING

from gptstudio.gpt.tokenizer import Characters
from gptstudio.gpt.weight_shapes import plain_name
from gptstudio.i18n import message
from gptstudio.weights_io import pickle_reader
from gptstudio.weights_io.refusals import refused
from gptstudio.weights_io.stored_tensors import Stored, opened, rows

if TYPE_CHECKING:
    from torch import Tensor

ARGUMENTS, HEADS = "model_args", "n_head"
"""Keys in a checkpoint: the model's arguments, and the number of heads among them."""

TABLE = "meta.pkl"
"""File in which nanoGPT stores the characters of a text, by token ID."""

FUSED = "attn.c_attn.weight"
MATRICES = (FUSED, "attn.c_proj.weight", "mlp.c_fc.weight", "mlp.c_proj.weight")


def is_nanogpt(tensors: Mapping[str, Stored]) -> bool:
    """Return whether the matrix of queries, keys and values has its outputs in rows: (3 D, D)."""
    shapes = [stored.shape for name, stored in tensors.items() if name.endswith(FUSED)]
    return bool(shapes) and all(len(shape) == 2 and shape[0] == 3 * shape[1] for shape in shapes)


def as_huggingface(tensors: Mapping[str, Stored]) -> dict[str, Stored]:
    """Return the same tensors under their names without prefixes, with each matrix transposed."""
    return {
        plain_name(name): _turned(stored) if name.endswith(MATRICES) else stored for name, stored in tensors.items()
    }


def absent_biases(shapes: Mapping[str, tuple[int, ...]]) -> dict[str, tuple[int, ...]]:
    """Return the biases that are missing with ``bias=False``, and their shapes."""
    wanted = {
        f"{name.removesuffix('weight')}bias": shape[-1:] for name, shape in shapes.items()
        if name.startswith(("h.", "ln_f.")) and name.endswith(".weight")
    }
    return {name: shape for name, shape in wanted.items() if name not in shapes}


def with_biases(tensors: Mapping[str, Tensor]) -> dict[str, Tensor]:
    """Return the tensors, with zeros for the missing biases."""
    import torch

    absent = absent_biases({name: tuple(tensor.shape) for name, tensor in tensors.items()})
    return {**tensors, **{name: torch.zeros(shape) for name, shape in absent.items()}}


def characters(path: Path) -> Characters:
    """Read the tokenizer in a ``meta.pkl``, as written by data/shakespeare_char/prepare.py of nanoGPT. No code in it is
    run.

    Raises:
        ExchangeError: the file is damaged, or not such a table.
        OSError: the file cannot be read.
    """
    with opened(path) as file:
        data = file.read(pickle_reader.LONGEST + 1)
    said = pickle_reader.Plain(path).interpret(data) if len(data) <= pickle_reader.LONGEST else None
    values = said if isinstance(said, dict) else {}
    by_id = values.get("itos")
    found = [by_id.get(number) for number in range(len(by_id))] if isinstance(by_id, dict) else []
    named = [each for each in found if isinstance(each, str) and _is_character(each)]
    ids = {each: number for number, each in enumerate(named)}
    if not named or len(ids) < len(found) or values.get("stoi") != ids or values.get("vocab_size") != len(ids):
        raise refused(path, message(
            "it is not a table of characters as nanoGPT writes it (vocab_size, itos, stoi). Move it elsewhere to open "
            "the weights without it."))
    return Characters(named, (None, None))


def _is_character(value: str) -> bool:
    return len(value) == 1 and not 0xD800 <= ord(value) < 0xE000


def _turned(stored: Stored) -> Stored:
    return replace(stored, shape=stored.shape[::-1], stride=(stored.stride or rows(stored.shape))[::-1])
