"""Names and shapes of a GPT-2's tensors: ours, which the book's code shares, and those of Hugging Face's GPT-2.

The book's code also saves a causal mask in each block. Hugging Face's GPT-2 (``transformers``, ``models/gpt2``) fuses
query, key and value, and stores the matrices of its blocks transposed, (in, out).

No file access, no tensors. Letters as in ``model.py``: D width, V vocabulary, C context.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping
from typing import NamedTuple, TypeVar

from gptstudio.fields import fields_of
from gptstudio.gpt.config import GPTConfig
from gptstudio.gpt.published import WeightsError, made
from gptstudio.gpt.weights_errors import listed, other_model, other_shape
from gptstudio.i18n import message

Shape = tuple[int, ...]
Anything = TypeVar("Anything")


class Layout(NamedTuple):
    """Names of the tensors in a file format; ``buffers`` are saved with them, but can be computed."""

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
"""Our name -> Hugging Face's, outside the blocks; stored identically."""

BLOCK = {
    "norm1.scale": "ln_1.weight", "norm1.shift": "ln_1.bias",
    "att.out_proj.weight": "attn.c_proj.weight", "att.out_proj.bias": "attn.c_proj.bias",
    "norm2.scale": "ln_2.weight", "norm2.shift": "ln_2.bias",
    "ff.layers.0.weight": "mlp.c_fc.weight", "ff.layers.0.bias": "mlp.c_fc.bias",
    "ff.layers.2.weight": "mlp.c_proj.weight", "ff.layers.2.bias": "mlp.c_proj.bias",
}
"""Our name -> Hugging Face's, within a block; matrices are transposed."""

FUSED = ("att.W_query", "att.W_key", "att.W_value")
"""Matrices concatenated in this order in Hugging Face's ``attn.c_attn``."""

WRAPPERS = {"module", "_orig_mod", "_forward_module", "model", "pretrained_model"}
"""Name parts added by DistributedDataParallel and torch.compile, Lightning, and TRL's model with a value head."""

OTHER_HEADS = {"multiple_choice_head", "v_head", "value_head", "score", "classifier", "qa_outputs", "summary"}
"""Layers for tasks other than language modelling, by the first part of their names without prefixes."""

FIRST_PARTS = {"wte", "wpe", "h", "ln_f", "lm_head", "tok_emb", "pos_emb", "trf_blocks", "final_norm", "out_head"}
"""First parts of the names of a GPT-2's tensors; anything before them is a prefix added by a program."""
SECOND_HEAD = "lm_head.decoder.weight"
"""Second name of the output layer, under which some versions of transformers save it again."""

PREFIX = "transformer."
"""Prefix of every name except the output layer's in a saved text-generation model; GPT-2 was published without it."""

MOST_HEADS = next(int(field.high or 1) for field in fields_of(GPTConfig) if field.name == "n_heads")


def config_from_shapes(shapes: Mapping[str, Shape], layout: Layout, n_heads: int | None = None) -> GPTConfig:
    """Return the configuration of a model saved by the book's code, or of Hugging Face's GPT-2 without ``config.json``.
    Everything is derived from the shapes except dropout, which keeps its default, and the number of heads.

    Args:
        n_heads: number of heads; by default :func:`likely_heads`.

    Raises:
        WeightsError: these are not the shapes of a GPT-2 (the message gives the first difference), or the number of
            heads is invalid.
    """
    config = _config_of(named_tensors(shapes, layout), layout, n_heads)
    check_shapes(shapes, config, layout)
    return config


def check_shapes(shapes: Mapping[str, Shape], config: GPTConfig, layout: Layout) -> None:
    """Compare the names and shapes of a file with ``config`` before any tensor is read.

    Raises:
        WeightsError: tensors are missing, unknown or of a wrong shape.
    """
    check_named(named_tensors(shapes, layout), expected_shapes(config, layout), layout)


def possible_heads(emb_dim: int) -> list[int]:
    """Return the numbers of heads that divide the width, ascending."""
    return [heads for heads in range(1, MOST_HEADS + 1) if emb_dim % heads == 0]


def likely_heads(emb_dim: int) -> int:
    """Return the number of heads whose width is closest to 64, the width in every published GPT-2."""
    return min(possible_heads(emb_dim), key=lambda heads: abs(emb_dim / heads - 64))


def huggingface_shapes(config: GPTConfig) -> dict[str, Shape]:
    """Return the shapes of the tensors of Hugging Face's GPT-2 by name, without prefixes."""
    ours, d = our_shapes(config), config.emb_dim
    shapes = {theirs: ours[name] for name, theirs in OUTER.items() if name in ours}
    for block in range(config.n_layers):
        for name, theirs in BLOCK.items():
            shapes[f"h.{block}.{theirs}"] = ours[f"trf_blocks.{block}.{name}"][::-1]
        shapes |= {f"h.{block}.attn.c_attn.weight": (d, 3 * d), f"h.{block}.attn.c_attn.bias": (3 * d,)}
    return shapes


def our_shapes(config: GPTConfig) -> dict[str, Shape]:
    """Return the shapes of our tensors by name; the book's code uses the same names."""
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


def plain_name(full: str) -> str:
    """Return the name of a tensor without parts added by wrappers and without Hugging Face's prefix."""
    parts = [part for part in full.split(".") if part not in WRAPPERS]
    start = next((n for n, part in enumerate(parts) if part in FIRST_PARTS | OTHER_HEADS), 0)
    name = ".".join(parts[start:]).removeprefix(PREFIX)
    return HUGGINGFACE.head if name == SECOND_HEAD else name


def named_tensors(tensors: Mapping[str, Anything], layout: Layout) -> dict[str, Anything]:
    """Return the tensors by their plain names, without buffers."""
    named: dict[str, Anything] = {}
    for full, tensor in tensors.items():
        name = plain_name(str(full))
        if name in named:
            raise WeightsError(message(
                "These weights contain {name} twice, under different prefixes. Choose a file with only one model.",
                name=listed([name]),
            ))
        if not layout.buffers.fullmatch(name):
            named[name] = tensor
    return named


def _config_of(shapes: Mapping[str, Shape], layout: Layout, n_heads: int | None) -> GPTConfig:
    """Return the configuration that the shapes imply; the names in ``shapes`` have no prefixes."""
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
    """Return the number of blocks, after checking that they are numbered without gaps."""
    pattern = re.compile(rf"{layout.blocks}\.([0-9]{{1,6}})\..*")
    found = {int(match[1]) for match in map(pattern.fullmatch, names) if match}
    missing = next(block for block in range(len(found) + 1) if block not in found)
    if missing == len(found) > 0:
        return len(found)
    raise other_model(missing=[f"{layout.blocks}.{missing}"], unknown=[])


def expected_shapes(config: GPTConfig, layout: Layout) -> dict[str, Shape]:
    return huggingface_shapes(config) if layout is HUGGINGFACE else our_shapes(config)


def check_named(shapes: Mapping[str, Shape], expected: Mapping[str, Shape], layout: Layout) -> None:
    """Raise a WeightsError with the first difference; the names in ``shapes`` have no prefixes."""
    if layout.head in shapes and layout.head not in expected:  # tied, but stored twice or under this name only
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
