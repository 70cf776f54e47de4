"""Size of a GPT-2 before it is built: parameters, bytes of weights and floating-point operations. No torch.

Letters as in ``model.py``: B batch, T tokens, D width, H heads, V vocabulary, C context length, L layers.
"""

from __future__ import annotations

from collections.abc import Collection
from dataclasses import asdict, dataclass, replace
from typing import Literal, get_args

from gptstudio.gpt.config import GPTConfig

FLOAT32 = 4
BFLOAT16 = 2
"""Bytes per value of each type."""

Part = Literal["token_embedding", "position_embedding", "attention", "feed_forward", "norms", "output_layer"]
PARTS: tuple[Part, ...] = get_args(Part)
"""The components of :class:`Parameters`."""


@dataclass(frozen=True)
class Parameters:
    """Number of parameters by component. A test compares the total with the built model."""

    token_embedding: int
    position_embedding: int
    attention: int
    feed_forward: int
    norms: int
    output_layer: int

    @property
    def total(self) -> int:
        """Number of parameters with a separate output layer, as in the book."""
        return sum(self.components().values())

    @property
    def total_tied(self) -> int:
        """Number of parameters with the output layer tied to the token embedding, as in OpenAI's GPT-2."""
        return self.total - self.output_layer

    def components(self) -> dict[str, int]:
        return asdict(self)


def parameters(cfg: GPTConfig) -> Parameters:
    """Return the number of parameters of each component, counted as in the book (§4.6 and exercise 4.1)."""
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
    """Return the number of parameters of the model; a tied output layer counts once."""
    return trained_count(cfg)


def trained(cfg: GPTConfig, freeze: Collection[Part] = (), freeze_blocks: int = 0) -> Parameters:
    """Return the number of trained parameters of each component, if the components in ``freeze`` and the first
    ``freeze_blocks`` blocks are frozen. A tied output layer and the token embedding are one matrix, so freezing one
    freezes both."""
    ends: set[Part] = {"token_embedding", "output_layer"}
    still = set(freeze) | (ends if cfg.tie_weights and ends & set(freeze) else set())
    counted, left = parameters(cfg), cfg.n_layers - freeze_blocks
    changed = replace(
        counted, attention=counted.attention // cfg.n_layers * left,
        feed_forward=counted.feed_forward // cfg.n_layers * left, norms=(4 * left + 2) * cfg.emb_dim,
    )
    return replace(changed, **dict.fromkeys(still, 0))


def trained_count(cfg: GPTConfig, freeze: Collection[Part] = (), freeze_blocks: int = 0) -> int:
    """Return the number of parameters that training changes: :func:`parameter_count` without the frozen ones."""
    counted = trained(cfg, freeze, freeze_blocks)
    return counted.total_tied if cfg.tie_weights else counted.total


def weight_bytes(cfg: GPTConfig) -> int:
    """Return the bytes of the weights in float32."""
    return parameter_count(cfg) * FLOAT32


def flops_per_token(cfg: GPTConfig) -> int:
    """Return the floating-point operations of a forward pass for one token; training takes three times as many.

    Two for each weight of a matrix, plus the two products of attention over the context (Kaplan et al., 2020,
    table 1, but including the output layer).
    """
    d = cfg.emb_dim
    matrices = cfg.n_layers * (4 + 8) * d * d + cfg.vocab_size * d  # attention, feed-forward; output layer
    return 2 * matrices + 4 * cfg.n_layers * cfg.context_length * d
