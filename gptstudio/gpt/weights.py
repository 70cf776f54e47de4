"""One GPT-2 under other names: between our weights, the book's state dict, and Hugging Face's GPT-2.

*Weights* here are ours: the names of ``model.py``, float32 on the processor, a tied output layer left out. The book's
code has the same names, and saves a causal mask in each block. Hugging Face's GPT-2 (``transformers``,
``models/gpt2``) fuses query, key and value, and keeps the matrices of its blocks transposed, (in, out).

No files, and no torch before a tensor is touched. Letters as in ``model.py``: D width, V vocabulary, C context.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping
from typing import TYPE_CHECKING, NamedTuple, TypeVar

from gptstudio.fields import fields_of
from gptstudio.gpt.config import GPTConfig
from gptstudio.gpt.published import WeightsError, made
from gptstudio.gpt.weights_errors import check_type, listed, other_model, other_shape
from gptstudio.i18n import message

if TYPE_CHECKING:
    from torch import Tensor

Shape = tuple[int, ...]
Anything = TypeVar("Anything")


class Layout(NamedTuple):
    """Naming of tensors in one file format; ``buffers`` are saved with them and can be computed."""

    embedding: str
    positions: str
    head: str
    blocks: str
    buffers: re.Pattern[str]


BOOK = Layout(
    "tok_emb.weight", "pos_emb.weight", "out_head.weight", "trf_blocks", re.compile(r"trf_blocks\.[0-9]+\.att\.mask")
)
HUGGINGFACE = Layout(
    "wte.weight", "wpe.weight", "lm_head.weight", "h", re.compile(r"h\.[0-9]+\.attn\.(bias|masked_bias)")
)

OUTER = {
    "tok_emb.weight": "wte.weight", "pos_emb.weight": "wpe.weight",
    "final_norm.scale": "ln_f.weight", "final_norm.shift": "ln_f.bias", "out_head.weight": "lm_head.weight",
}
"""Our name -> Hugging Face's, outside of the blocks; stored alike."""

BLOCK = {
    "norm1.scale": "ln_1.weight", "norm1.shift": "ln_1.bias",
    "att.out_proj.weight": "attn.c_proj.weight", "att.out_proj.bias": "attn.c_proj.bias",
    "norm2.scale": "ln_2.weight", "norm2.shift": "ln_2.bias",
    "ff.layers.0.weight": "mlp.c_fc.weight", "ff.layers.0.bias": "mlp.c_fc.bias",
    "ff.layers.2.weight": "mlp.c_proj.weight", "ff.layers.2.bias": "mlp.c_proj.bias",
}
"""Our name -> Hugging Face's, within a block; matrices are transposed."""

FUSED = ("att.W_query", "att.W_key", "att.W_value")
"""Matrices that are concatenated, in this order, in Hugging Face's ``attn.c_attn``."""

WRAPPERS = {"module", "_orig_mod"}
"""Put into names by torch's DistributedDataParallel and torch.compile."""

PREFIX = "transformer."
"""Before every name but the output layer's where a model that writes text was saved; GPT-2 was published without."""

MOST_HEADS = next(int(field.high or 1) for field in fields_of(GPTConfig) if field.name == "n_heads")


def config_from_shapes(shapes: Mapping[str, Shape], layout: Layout, n_heads: int | None = None) -> GPTConfig:
    """The configuration of a model that the book's code saved, or of Hugging Face's GPT-2 without its ``config.json``.
    All is read off the shapes but two things that no tensor tells: dropout, which stays as a configuration begins, and
    the heads.

    Args:
        n_heads: without it, :func:`likely_heads`.

    Raises:
        WeightsError: these are not the shapes of a GPT-2, with the first difference; or the heads cannot be.
    """
    config = _config_of(_named(shapes, layout), layout, n_heads)
    check_shapes(shapes, config, layout)
    return config


def check_shapes(shapes: Mapping[str, Shape], config: GPTConfig, layout: Layout) -> None:
    """Compare the names and shapes of a file with ``config``, before anything of it is read.

    Raises:
        WeightsError: tensors are missing, unknown or of another shape.
    """
    _check_named(_named(shapes, layout), _expected(config, layout), layout)


def possible_heads(emb_dim: int) -> list[int]:
    """The numbers of heads that a width can be divided among, ascending."""
    return [heads for heads in range(1, MOST_HEADS + 1) if emb_dim % heads == 0]


def likely_heads(emb_dim: int) -> int:
    """The number of heads that gives each as near to 64 numbers as can be: what every published GPT-2 has."""
    return min(possible_heads(emb_dim), key=lambda heads: abs(64 * heads - emb_dim))


# Hugging Face's tensors.


def huggingface_shapes(config: GPTConfig) -> dict[str, Shape]:
    """The tensors of Hugging Face's GPT-2, without a prefix, and their shapes."""
    ours, d = our_shapes(config), config.emb_dim
    shapes = {theirs: ours[name] for name, theirs in OUTER.items() if name in ours}
    for block in range(config.n_layers):
        for name, theirs in BLOCK.items():
            shapes[f"h.{block}.{theirs}"] = ours[f"trf_blocks.{block}.{name}"][::-1]
        shapes |= {f"h.{block}.attn.c_attn.weight": (d, 3 * d), f"h.{block}.attn.c_attn.bias": (3 * d,)}
    return shapes


def from_huggingface(tensors: dict[str, Tensor], config: GPTConfig, empty: bool = False) -> dict[str, Tensor]:
    """Our weights of what Hugging Face's GPT-2 stores: copies, whatever becomes of ``tensors``.

    Args:
        empty: take the tensors out of ``tensors``, and copy only those that are stored otherwise, one at a time.
        config: of :func:`config_from_huggingface`; its ``qkv_bias`` is true.

    Raises:
        WeightsError: tensors are missing, unknown, of another shape, or no floating point numbers; or the model is
            said to be tied and its two matrices differ.
    """
    theirs = _fitting(tensors, config, HUGGINGFACE)
    if empty:
        tensors.clear()
    weights = {name: _own(theirs.pop(there), not empty) for name, there in OUTER.items() if there in theirs}
    for block in range(config.n_layers):
        here, there = f"trf_blocks.{block}.", f"h.{block}."
        for name, other in BLOCK.items():
            weights[here + name] = _own(_turned(theirs.pop(there + other)), not empty)
        for kind in ("weight", "bias"):
            parts = _turned(theirs.pop(f"{there}attn.c_attn.{kind}")).chunk(3)  # each (D, D), or (D,)
            weights |= {f"{here}{name}.{kind}": _own(part) for name, part in zip(FUSED, parts, strict=True)}
    return weights


def to_huggingface(weights: Mapping[str, Tensor], config: GPTConfig) -> dict[str, Tensor]:
    """Return our weights as ``GPT2LMHeadModel.save_pretrained`` would store them. If query, key and value have no
    biases, zeros are added, which compute the same. Tensors stored identically are shared with ``weights``.

    Raises:
        WeightsError: these are not the weights of ``config``.
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


# The book's files.


def our_shapes(config: GPTConfig) -> dict[str, Shape]:
    """The tensors of our weights, which the book's code calls the same, and their shapes."""
    d = config.emb_dim
    shapes: dict[str, Shape] = {"tok_emb.weight": (config.vocab_size, d), "pos_emb.weight": (config.context_length, d)}
    for block in range(config.n_layers):
        at = f"trf_blocks.{block}."
        shapes |= {f"{at}{name}.weight": (d, d) for name in (*FUSED, "att.out_proj")}
        shapes |= {f"{at}{name}.bias": (d,) for name in (*(FUSED if config.qkv_bias else ()), "att.out_proj")}
        shapes |= {f"{at}ff.layers.0.weight": (4 * d, d), f"{at}ff.layers.0.bias": (4 * d,)}
        shapes |= {f"{at}ff.layers.2.weight": (d, 4 * d), f"{at}ff.layers.2.bias": (d,)}
        shapes |= {f"{at}{norm}.{part}": (d,) for norm in ("norm1", "norm2") for part in ("scale", "shift")}
    shapes |= {"final_norm.scale": (d,), "final_norm.shift": (d,)}
    return shapes if config.tie_weights else shapes | {"out_head.weight": (config.vocab_size, d)}


def from_book(tensors: dict[str, Tensor], config: GPTConfig, empty: bool = False) -> dict[str, Tensor]:
    """Our weights of what the book's code saved: copies, whatever becomes of ``tensors``.

    Args:
        empty: as of :func:`from_huggingface`.
        config: may be tied where the file holds an output layer equal to the token embedding.

    Raises:
        WeightsError: as :func:`from_huggingface`.
    """
    theirs = _fitting(tensors, config, BOOK)
    if empty:
        tensors.clear()
    return {name: _own(theirs.pop(name), not empty) for name in list(theirs)}


def to_book(weights: Mapping[str, Tensor], config: GPTConfig) -> dict[str, Tensor]:
    """The state dict of the book's model with our weights: with an output layer also where it is tied, and with the
    causal mask that every block keeps. The tensors are shared, with ``weights`` and among themselves.

    Raises:
        WeightsError: these are not the weights of ``config``.
    """
    import torch

    stored = _fitting(weights, config, BOOK)
    stored.setdefault(BOOK.head, stored[BOOK.embedding])
    mask = torch.ones(config.context_length, config.context_length).triu_(diagonal=1)  # (C, C), 1 where none may look
    return stored | {f"trf_blocks.{block}.att.mask": mask for block in range(config.n_layers)}


# What both kinds of files share.


def _named(tensors: Mapping[str, Anything], layout: Layout) -> dict[str, Anything]:
    """The tensors that count, by their names without what wrappers put into them."""
    named: dict[str, Anything] = {}
    for full, tensor in tensors.items():
        name = ".".join(part for part in str(full).split(".") if part not in WRAPPERS).removeprefix(PREFIX)
        if name in named:
            raise WeightsError(message(
                "These weights contain {name} twice, under different prefixes. Choose a file with only one model.",
                name=listed([name]),
            ))
        if not layout.buffers.fullmatch(name):
            named[name] = tensor
    return named


def _config_of(shapes: Mapping[str, Shape], layout: Layout, n_heads: int | None) -> GPTConfig:
    """Return the configuration that the shapes imply. The names in ``shapes`` have no prefixes."""
    vocab_size, emb_dim = _rows_and_columns(shapes, layout.embedding)
    context_length, _ = _rows_and_columns(shapes, layout.positions)
    heads = likely_heads(emb_dim) if n_heads is None else n_heads
    config = made({
        "vocab_size": vocab_size, "context_length": context_length, "emb_dim": emb_dim,
        "n_layers": _count_blocks(shapes, layout), "n_heads": 1,
        "qkv_bias": layout is HUGGINGFACE or "trf_blocks.0.att.W_query.bias" in shapes,
        "tie_weights": layout.head not in shapes,
    })
    if heads not in possible_heads(emb_dim):
        raise WeightsError(message(
            "{width} numbers per token cannot be divided among {heads} heads. Possible numbers of heads: {possible}.",
            width=f"{emb_dim:,}", heads=f"{heads:,}", possible=", ".join(map(str, possible_heads(emb_dim))),
        ))
    return config.but(n_heads=heads)


def _rows_and_columns(shapes: Mapping[str, Shape], name: str) -> tuple[int, int]:
    if name not in shapes:
        raise other_model(missing=[name], unknown=[])
    match tuple(shapes[name]):
        case (rows, columns):
            return rows, columns
    raise other_shape(name, shapes[name], "(…, …)")


def _count_blocks(names: Iterable[str], layout: Layout) -> int:
    """Return the number of blocks, if none is missing before the last."""
    pattern = re.compile(rf"{layout.blocks}\.([0-9]{{1,6}})\..*")
    found = {int(match[1]) for match in map(pattern.fullmatch, names) if match}
    missing = next(block for block in range(len(found) + 1) if block not in found)
    if missing == len(found) > 0:
        return len(found)
    raise other_model(missing=[f"{layout.blocks}.{missing}"], unknown=[])


def _expected(config: GPTConfig, layout: Layout) -> dict[str, Shape]:
    return huggingface_shapes(config) if layout is HUGGINGFACE else our_shapes(config)


def _check_named(shapes: Mapping[str, Shape], expected: Mapping[str, Shape], layout: Layout) -> None:
    """Raise a WeightsError with the first difference. ``shapes`` are of names without prefixes."""
    if layout.head in shapes and layout.head not in expected:  # tied, and stored once more or under this name only
        expected = {**expected, layout.head: expected[layout.embedding]}
        if layout.embedding not in shapes:
            del expected[layout.embedding]
    missing = [name for name in expected if name not in shapes]
    unknown = [name for name in shapes if name not in expected]
    if missing or unknown:
        raise other_model(missing, unknown)
    for name, shape in expected.items():
        if tuple(shapes[name]) != shape:
            raise other_shape(name, shapes[name], str(shape))


def _fitting(tensors: Mapping[str, Tensor], config: GPTConfig, layout: Layout) -> dict[str, Tensor]:
    """The tensors of this configuration, checked. A second copy of a tied matrix is compared and left out."""
    named, expected = _named(tensors, layout), _expected(config, layout)
    for name, tensor in named.items():
        check_type(name, tensor)
    _check_named({name: tuple(tensor.shape) for name, tensor in named.items()}, expected, layout)
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
    """Return whether two rows hold the same numbers, also where one of them is stored with fewer bits."""
    return _own(one).equal(_own(other))


def _turned(tensor: Tensor) -> Tensor:
    """A matrix seen the other way round; a vector as it is."""
    return tensor.T if tensor.ndim == 2 else tensor


def _own(tensor: Tensor, copy: bool = True) -> Tensor:
    """A copy in float32 on the processor, row by row; the tensor itself if it is that, and need not be copied."""
    import torch

    own = tensor.detach().to("cpu", torch.float32, copy=copy, memory_format=torch.contiguous_format)
    return own.contiguous()
