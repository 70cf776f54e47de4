"""Parameter counts of GPT-2 models: the four sizes and any other, part by part, in closed form. Imports no torch."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from functools import partial
from typing import Any, Literal

from gptstudio.fields import Problem, Spec, setting
from gptstudio.gpt import sizing
from gptstudio.gpt.config import PRESETS, VOCAB_SIZE, GPTConfig
from gptstudio.i18n import message
from gptstudio.labs.lab import BookSource, Example, Figure, Lab, Table
from gptstudio.units import MB

OWN = "own"
FOUR = ("gpt2-small", "gpt2-medium", "gpt2-large", "gpt2-xl")
BYTES = {"float32": sizing.FLOAT32, "bfloat16": sizing.BFLOAT16}


class ModelShape(Spec):
    """Fields that determine the size of a model; named as in :class:`GPTConfig`, and small enough to be drawn."""

    emb_dim: int = setting(
        256, "Width",
        "Numbers per token inside the model. Must be a multiple of the number of heads.", low=1, high=16_384, step=64
    )
    n_heads: int = setting(4, "Heads",
        "Number of attention heads; they divide the width among themselves.", low=1, high=256, step=1)
    n_layers: int = setting(4, "Layers", "How many transformer blocks are stacked.", low=1, high=128, step=1)
    context_length: int = setting(
        64, "Context length", "How many tokens the model sees at once: one row of the position embedding each.",
        unit="tokens", low=1, high=131_072, step=64,
    )
    vocab_size: int = setting(
        VOCAB_SIZE, "Vocabulary", "How many different tokens there are: one row of the token embedding each.",
        unit="tokens", low=1, high=1_000_000, step=1_000,
    )
    qkv_bias: bool = setting(False, "Query, key, value bias",
        "Adds a bias to the query, key and value projections of attention.")

    @classmethod
    def relations(cls, values: Mapping[str, Any]) -> Iterator[Problem]:
        yield from GPTConfig.relations(values)

    @property
    def config(self) -> GPTConfig:
        return GPTConfig(**{name: getattr(self, name) for name in ModelShape.model_fields})


class SizesRequest(ModelShape):
    """A size to compare with the four of GPT-2, and options for showing all five."""

    tied: bool = setting(
        False, "Tie output to embedding",
        "Uses one matrix both to read tokens and to predict them, as in OpenAI's GPT-2; the book keeps two.",
    )
    number: Literal["float32", "bfloat16"] = setting(
        "float32", "Number format", "Bytes per parameter: four in float32, two in bfloat16."
    )
    drawn: Literal["to one scale", "as shares"] = setting(
        "to one scale", "Bars",
        "to one scale: length shows the number of parameters. as shares: all bars have the same length, in percent."
    )


@dataclass(frozen=True)
class Size:
    """Parameter counts of one model.

    Attributes:
        parts: number of parameters of each component; they sum to ``parameters``.
        parameters: total with a separate output layer.
        tied: total if the output layer shares the token embedding.
        megabytes, megabytes_tied: size of ``parameters`` and ``tied`` in the requested format, in units of 2**20 bytes.
        attention_module, feed_forward_module: number of parameters of one module.
        thumb: 12 L D², an approximation of the number of parameters of all blocks.
        blocks: the exact number.
    """

    name: str
    emb_dim: int
    n_layers: int
    n_heads: int
    context_length: int
    vocab_size: int
    parts: Mapping[str, int]
    parameters: int
    tied: int
    megabytes: float
    megabytes_tied: float
    attention_module: int
    feed_forward_module: int
    thumb: int
    blocks: int

    @property
    def thumb_error(self) -> float:
        """Relative error of the rule of thumb for the parameters of the blocks; negative: too few."""
        return self.thumb / self.blocks - 1


@dataclass(frozen=True)
class SizesAnswer:
    """The four sizes of GPT-2, then the user's own; ``tied``: whether the tied counts are shown."""

    sizes: tuple[Size, ...]
    tied: bool

    def of(self, name: str) -> Size:
        return next(size for size in self.sizes if size.name == name)

    def shown(self, size: Size) -> int:
        """Return the number of parameters shown: with the output layer, or without it if it is tied."""
        return size.tied if self.tied else size.parameters

    def parts(self, size: Size) -> dict[str, int]:
        """Return the components to draw; they sum to :meth:`shown`."""
        return {name: count for name, count in size.parts.items() if not (self.tied and name == "output_layer")}


def answer(request: SizesRequest) -> SizesAnswer:
    shapes = {**{name: PRESETS[name] for name in FOUR}, OWN: request.config}
    return SizesAnswer(tuple(_size(name, shape, BYTES[request.number]) for name, shape in shapes.items()), request.tied)


def _size(name: str, shape: GPTConfig, bytes_each: int) -> Size:
    counted = sizing.parameters(shape)
    one = sizing.parameters(shape.model_copy(update={"n_layers": 1}))
    width, layers = shape.emb_dim, shape.n_layers
    return Size(
        name, width, layers, shape.n_heads, shape.context_length, shape.vocab_size,
        parts=counted.components(), parameters=counted.total, tied=counted.total_tied,
        megabytes=counted.total * bytes_each / MB, megabytes_tied=counted.total_tied * bytes_each / MB,
        attention_module=one.attention, feed_forward_module=one.feed_forward,
        thumb=12 * layers * width**2,
        blocks=counted.attention + counted.feed_forward + counted.norms - 2 * width,  # all norms except the final one
    )


def code(request: SizesRequest) -> str:
    biases = " + 3 * d" if request.qkv_bias else ""
    sizes = f"{request.emb_dim}, {request.n_layers}, {request.context_length}, {request.vocab_size}"
    return f"""d, layers, context, vocab = {sizes}
parts = {{
    "token_embedding": vocab * d,
    "position_embedding": context * d,
    "attention": layers * (4 * d * d + d{biases}),  # query, key, value; output with bias
    "feed_forward": layers * (8 * d * d + 5 * d),  # d -> 4d -> d, both with bias
    "norms": layers * 4 * d + 2 * d,  # scale and shift
    "output_layer": {"0" if request.tied else "vocab * d"},
}}
parameters = sum(parts.values())
megabytes = parameters * {BYTES[request.number]} / 2**20
print(f"{{parameters:,}} parameters, {{megabytes:,.2f}} MB")
"""


def table(answer: SizesAnswer) -> Table:
    columns = ("size", "emb_dim", "n_layers", "n_heads", *answer.sizes[0].parts, "parameters", "tied", "megabytes")
    rows = [
        (s.name, s.emb_dim, s.n_layers, s.n_heads, *s.parts.values(), s.parameters, s.tied, s.megabytes)
        for s in answer.sizes
    ]
    return Table(columns, tuple(rows))


def values(answer: SizesAnswer) -> dict[str, float]:
    own = answer.of(OWN)
    counted = answer.shown(own)
    return {
        "parameters": float(counted), "megabytes": own.megabytes_tied if answer.tied else own.megabytes,
        "share_of_blocks": own.blocks / counted, "thumb_error": own.thumb_error,
    }


FOUR_SIZES = message("The four sizes of GPT-2")
WITH_BIAS = message("GPT-2 small with query, key and value bias as your model")
LABELS = dict(zip(FOUR, ("GPT-2 small", "GPT-2 medium", "GPT-2 large", "GPT-2 XL"), strict=True))


def _figures() -> Iterator[Figure]:
    for name, label in LABELS.items():
        for place, attribute, named, digits in (
            ("emb_dim", "emb_dim", message("width of {size}", size=label), 0),
            ("n_layers", "n_layers", message("layers of {size}", size=label), 0),
            ("n_heads", "n_heads", message("heads of {size}", size=label), 0),
            ("parameters", "parameters", message("parameters of {size}", size=label), 0),
            ("without_output_layer", "tied", message("parameters of {size}, tied", size=label), 0),
            ("megabytes", "megabytes", message("megabytes of {size}", size=label), 2),
        ):
            yield Figure(("sizes", name, place), partial(_read, name, attribute), named, digits=digits)
    yield Figure(("sizes", "one feed-forward module, emb_dim 768"), lambda a: a.of("gpt2-small").feed_forward_module,
                 message("one feed-forward network of GPT-2 small"), digits=0)
    yield Figure(("sizes", "one attention module, emb_dim 768"), lambda a: a.of("gpt2-small").attention_module,
                 message("one attention module of GPT-2 small"), digits=0)
    yield Figure(("book", "bytes"), lambda a: a.of("gpt2-small").parameters * sizing.FLOAT32,
                 message("bytes of GPT-2 small in float32"), digits=0, also=652_038_144)
    place = "gpt2-small with qkv_bias"
    yield Figure(("sizes", place, "parameters"), lambda a: a.of(OWN).parameters, message("parameters with bias"),
                 WITH_BIAS, 0)
    yield Figure(("sizes", place, "megabytes"), lambda a: a.of(OWN).megabytes, message("megabytes with bias"),
                 WITH_BIAS)


def _read(name: str, attribute: str, answer: SizesAnswer) -> Any:
    return getattr(answer.of(name), attribute)


LAB = Lab(
    name="sizes", request=SizesRequest, answer=answer,
    sources=(
        BookSource("4.6", "Coding the GPT model"),
        BookSource("exercise 4.1", "Number of parameters in feed forward and attention modules"),
        BookSource("exercise 4.2", "Initializing larger GPT models"),
    ),
    examples=(
        Example(FOUR_SIZES, SizesRequest()),
        Example(WITH_BIAS, SizesRequest(emb_dim=768, n_heads=12, n_layers=12, context_length=1024, qkv_bias=True)),
    ),
    figures=tuple(_figures()),
    code=code, table=table, values=values,
)
