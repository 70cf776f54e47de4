"""Conversion of GPT-2 weights between our format, the book's state dict, and Hugging Face's GPT-2.

*Weights* means our format: the names of ``model.py``, float32 on the CPU, without a tied output layer. For the names
and shapes of the other formats see ``weight_shapes.py``.

No file access; torch is imported when a tensor is first used. Letters as in ``model.py``: D width, V vocabulary, C
context.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING

from gptstudio.gpt.config import GPTConfig
from gptstudio.gpt.published import WeightsError
from gptstudio.gpt.weight_shapes import (
    BLOCK,
    BOOK,
    FUSED,
    HUGGINGFACE,
    OUTER,
    PREFIX,
    Layout,
    check_named,
    expected_shapes,
    named_tensors,
)
from gptstudio.gpt.weights_errors import check_type
from gptstudio.i18n import message

if TYPE_CHECKING:
    from torch import Tensor


def from_huggingface(tensors: dict[str, Tensor], config: GPTConfig) -> dict[str, Tensor]:
    """Return the weights of a Hugging Face GPT-2 with our names. They are removed from ``tensors``, and only those
    stored differently are copied, one at a time.

    Args:
        config: result of :func:`config_from_huggingface`; its ``qkv_bias`` is true.

    Raises:
        WeightsError: tensors are missing, unknown, of a wrong shape, or not floating-point; or the configuration is
            tied but the two matrices differ.
    """
    theirs = _fitting(tensors, config, HUGGINGFACE)
    tensors.clear()
    weights = {name: _own(theirs.pop(there)) for name, there in OUTER.items() if there in theirs}
    for block in range(config.n_layers):
        here, there = f"trf_blocks.{block}.", f"h.{block}."
        for name, other in BLOCK.items():
            weights[here + name] = _own(_turned(theirs.pop(there + other)))
        for kind in ("weight", "bias"):
            parts = _turned(theirs.pop(f"{there}attn.c_attn.{kind}")).chunk(3)  # each (D, D), or (D,)
            weights |= {f"{here}{name}.{kind}": _own(part, copy=True) for name, part in zip(FUSED, parts, strict=True)}
    return weights


def to_huggingface(weights: Mapping[str, Tensor], config: GPTConfig) -> dict[str, Tensor]:
    """Return our weights as ``GPT2LMHeadModel.save_pretrained`` would store them. Missing biases of query, key and
    value are added as zeros, which does not change the result. Tensors stored identically are shared with ``weights``.

    Raises:
        WeightsError: the weights do not match ``config``.
    """
    import torch

    ours = _fitting(weights, config, BOOK)
    stored = {there: ours[name] for name, there in OUTER.items() if name in ours}
    for block in range(config.n_layers):
        here, there = f"trf_blocks.{block}.", f"h.{block}."
        for name, other in BLOCK.items():
            stored[there + other] = _turned(ours[here + name]).contiguous()
        stored[f"{there}attn.c_attn.weight"] = torch.cat([ours[f"{here}{name}.weight"].T for name in FUSED], dim=1)
        biases = [ours.get(f"{here}{name}.bias", torch.zeros(config.emb_dim)) for name in FUSED]
        stored[f"{there}attn.c_attn.bias"] = torch.cat(biases)
    return {name if name == HUGGINGFACE.head else PREFIX + name: tensor for name, tensor in stored.items()}


def from_book(tensors: dict[str, Tensor], config: GPTConfig) -> dict[str, Tensor]:
    """Return the weights that the book's code saved with our names, as :func:`from_huggingface` does.

    Args:
        config: may be tied if the file has an output layer equal to the token embedding.

    Raises:
        WeightsError: as in :func:`from_huggingface`.
    """
    theirs = _fitting(tensors, config, BOOK)
    tensors.clear()
    return {name: _own(theirs.pop(name)) for name in list(theirs)}


def to_book(weights: Mapping[str, Tensor], config: GPTConfig) -> dict[str, Tensor]:
    """Return our weights as the state dict of the book's model: with an output layer even if it is tied, and with the
    causal mask of every block. Tensors are shared with ``weights`` and with each other.

    Raises:
        WeightsError: the weights do not match ``config``.
    """
    import torch

    stored = _fitting(weights, config, BOOK)
    stored.setdefault(BOOK.head, stored[BOOK.embedding])
    mask = torch.ones(config.context_length, config.context_length).triu_(diagonal=1)  # (C, C), 1 if masked
    return stored | {f"trf_blocks.{block}.att.mask": mask for block in range(config.n_layers)}


def _fitting(tensors: Mapping[str, Tensor], config: GPTConfig, layout: Layout) -> dict[str, Tensor]:
    """Return the tensors after checking them against the configuration; a second copy of a tied matrix is left out."""
    named, expected = named_tensors(tensors, layout), expected_shapes(config, layout)
    for name, tensor in named.items():
        check_type(name, tensor)
    check_named({name: tuple(tensor.shape) for name, tensor in named.items()}, expected, layout)
    if layout.head not in expected and layout.head in named:
        head = named.pop(layout.head)
        embedding = named.setdefault(layout.embedding, head)
        if embedding is not head and not all(map(_equal, embedding, head)):
            raise WeightsError(message(
                "The configuration says that {head} and {embedding} are the same matrix, but these weights contain two "
                "different ones. Programs interpret this differently, so the model is not opened. If both are "
                "intended, add \"tie_word_embeddings\": "
                "false to config.json.", head=layout.head, embedding=layout.embedding,
            ))
    return named


def _equal(one: Tensor, other: Tensor) -> bool:
    """Return whether two rows have equal values, possibly in different precisions."""
    return _own(one).equal(_own(other))


def _turned(tensor: Tensor) -> Tensor:
    """Return a matrix transposed, a vector unchanged."""
    return tensor.T if tensor.ndim == 2 else tensor


def _own(tensor: Tensor, copy: bool = False) -> Tensor:
    """Return a tensor in contiguous float32 on the CPU: itself if it is that already, unless ``copy``."""
    import torch

    own = tensor.detach().to("cpu", torch.float32, copy=copy, memory_format=torch.contiguous_format)
    return own.contiguous()
