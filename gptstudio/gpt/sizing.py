"""Size of a GPT-2 before it is built: parameters, bytes of its weights and work in closed form. No torch.

Letters as in ``model.py``: B batch, T tokens, D width, H heads, V vocabulary, C context length, L layers.
"""

from __future__ import annotations

from collections.abc import Collection
from dataclasses import asdict, dataclass, replace
from typing import Literal, get_args

from gptstudio.gpt.config import GPTConfig

MB = 2**20
FLOAT32 = 4
BFLOAT16 = 2
"""Bytes of a number."""

Part = Literal["token_embedding", "position_embedding", "attention", "feed_forward", "norms", "output_layer"]
PARTS: tuple[Part, ...] = get_args(Part)
"""The components of :class:`Parameters`."""


@dataclass(frozen=True)
class Parameters:
    """Parameters by component. They sum to the total; a test holds this against the built model."""

    token_embedding: int
    position_embedding: int
    attention: int
    feed_forward: int
    norms: int
    output_layer: int

    @property
    def total(self) -> int:
        """With an output layer of its own, as the book builds it."""
        return sum(self.components().values())

    @property
    def total_tied(self) -> int:
        """With the output layer sharing the token embedding, as OpenAI's GPT-2 has it."""
        return self.total - self.output_layer

    def components(self) -> dict[str, int]:
        return asdict(self)


def parameters(cfg: GPTConfig) -> Parameters:
    """Parameters of every component, as the book counts them (book §4.6 and exercise 4.1)."""
    d = cfg.emb_dim
    biases = 3 * d if cfg.qkv_bias else 0
    return Parameters(
        token_embedding=cfg.vocab_size * d,
        position_embedding=cfg.context_length * d,
        attention=cfg.n_layers * (4 * d * d + d + biases),  # W_query, W_key, W_value, out_proj with bias
        feed_forward=cfg.n_layers * (8 * d * d + 5 * d),  # D -> 4D -> D, both with bias
        norms=cfg.n_layers * 4 * d + 2 * d,  # scale and shift: two per block, one at the end
        output_layer=cfg.vocab_size * d,
    )


def parameter_count(cfg: GPTConfig) -> int:
    """Parameters of the model that ``cfg`` builds: tied or not, as it says."""
    return trained_count(cfg)


def trained(cfg: GPTConfig, freeze: Collection[Part] = (), freeze_blocks: int = 0) -> Parameters:
    """Parameters of every component that training changes, where components and the first ``freeze_blocks`` blocks
    are frozen. A tied output layer and the token embedding are one matrix: either freezes both."""
    ends: set[Part] = {"token_embedding", "output_layer"}
    still = set(freeze) | (ends if cfg.tie_weights and ends & set(freeze) else set())
    counted, left = parameters(cfg), cfg.n_layers - freeze_blocks
    changed = replace(
        counted, attention=counted.attention // cfg.n_layers * left,
        feed_forward=counted.feed_forward // cfg.n_layers * left, norms=(4 * left + 2) * cfg.emb_dim,
    )
    return replace(changed, **dict.fromkeys(still, 0))


def trained_count(cfg: GPTConfig, freeze: Collection[Part] = (), freeze_blocks: int = 0) -> int:
    """Parameters that training changes: all of :func:`parameter_count` but those that are frozen."""
    counted = trained(cfg, freeze, freeze_blocks)
    return counted.total_tied if cfg.tie_weights else counted.total


def weight_bytes(cfg: GPTConfig) -> int:
    """Bytes of the weights alone, in float32."""
    return parameter_count(cfg) * FLOAT32


def flops_per_token(cfg: GPTConfig, tokens: int | None = None) -> int:
    """Floating-point operations of one forward pass for one token; training costs three times as many.

    Two for each weight of a matrix, plus the two products of attention over ``tokens`` positions
    (Kaplan et al., 2020, table 1, with the output layer counted).
    """
    d = cfg.emb_dim
    matrices = cfg.n_layers * (4 + 8) * d * d + cfg.vocab_size * d  # attention, feed-forward; output layer
    return 2 * matrices + 4 * cfg.n_layers * (tokens or cfg.context_length) * d


def bytes_text(count: float) -> str:
    """Return bytes as text: '52.3 MB', '6.1 GB'. MB and GB are 2**20 and 2**30 bytes, as in the book, unless
    others are in use."""
    base, small, large = UNITS[_units]
    in_small = count / base**2
    return f"{in_small:,.1f} {small}" if in_small < base else f"{in_small / base:,.1f} {large}"


def use_units(name: str) -> None:
    """Write bytes in other units from now on; ``name``: in UNITS."""
    global _units
    _units = name


UNITS = {"book": (1024, "MB", "GB"), "iec": (1024, "MiB", "GiB"), "decimal": (1000, "MB", "GB")}
"""Bytes of a kilobyte, and the names of its square and its cube."""
_units = "book"
