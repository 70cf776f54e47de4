"""How large a GPT-2 is, before it is built: parameters, bytes and work in closed form. No torch.

Letters as in ``model.py``: B batch, T tokens, D width, H heads, V vocabulary, C context length, L layers.
"""

from __future__ import annotations

from dataclasses import asdict, dataclass
from typing import Literal

from gptstudio.gpt.config import GPTConfig

MB = 2**20
FLOAT32 = 4
BFLOAT16 = 2
RUNTIME = 64 * MB
"""What torch takes for itself when it first computes (threads, kernels), as measured on the CPU."""


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


@dataclass(frozen=True)
class TrainMemory:
    """Bytes that one training step holds, by what holds them."""

    weights: int
    gradients: int
    optimizer: int
    activations: int
    logits: int
    runtime: int = RUNTIME

    @property
    def total(self) -> int:
        """Their sum. The gradients grow while the activations are freed, but what is freed in small pieces
        rarely goes back to the system: the sum was nearer to every peak measured than the larger of the two."""
        return sum(asdict(self).values())


@dataclass(frozen=True)
class GenerateMemory:
    """Bytes that decoding holds, by what holds them."""

    weights: int
    kv_cache: int
    activations: int
    runtime: int = RUNTIME

    @property
    def total(self) -> int:
        return sum(asdict(self).values())


def parameters(cfg: GPTConfig) -> Parameters:
    """Parameters of every component, as the book counts them (seeds, chapter 4.6 and exercise 4.1)."""
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
    counted = parameters(cfg)
    return counted.total_tied if cfg.tie_weights else counted.total


def weight_bytes(cfg: GPTConfig, bytes_each: int = FLOAT32) -> int:
    """Bytes of the weights alone."""
    return parameter_count(cfg) * bytes_each


def train_memory(
    cfg: GPTConfig,
    batch_size: int,
    tokens: int | None = None,
    path: Literal["reference", "fast"] = "fast",
    bf16: bool = False,
) -> TrainMemory:
    """Bytes to train with AdamW in float32, with mixed precision where ``bf16``.

    Args:
        tokens: tokens in a window; the whole context if not given.
    """
    rows = batch_size * (tokens or cfg.context_length)
    weights = weight_bytes(cfg)
    return TrainMemory(
        weights=weights,
        gradients=weights,
        optimizer=2 * weights,  # AdamW keeps two moments of every parameter (Loshchilov and Hutter, 2019)
        activations=_activation_bytes(cfg, batch_size, tokens or cfg.context_length, path, bf16),
        logits=3 * cfg.vocab_size * rows * FLOAT32,  # the logits, their log-softmax, and their gradient
    )


def generate_memory(cfg: GPTConfig, tokens: int | None = None, bf16: bool = False) -> GenerateMemory:
    """Bytes to decode one text: weights, the keys and values of every layer, and one pass over the prompt."""
    each = BFLOAT16 if bf16 else FLOAT32
    tokens = tokens or cfg.context_length
    widest = max(cfg.vocab_size, tokens * 6 * cfg.emb_dim)  # the logits, or a block's feed-forward on the prompt
    return GenerateMemory(
        weights=weight_bytes(cfg, each),
        kv_cache=2 * cfg.n_layers * cfg.context_length * cfg.emb_dim * each,
        activations=widest * each,
    )


def flops_per_token(cfg: GPTConfig, tokens: int | None = None) -> int:
    """Floating-point operations of one forward pass for one token; training costs three times as many.

    Two for each weight of a matrix, plus the two products of attention over ``tokens`` positions
    (Kaplan et al., 2020, table 1, with the output layer counted).
    """
    d = cfg.emb_dim
    matrices = cfg.n_layers * (4 + 8) * d * d + cfg.vocab_size * d  # attention, feed-forward; output layer
    return 2 * matrices + 4 * cfg.n_layers * (tokens or cfg.context_length) * d


def _activation_bytes(cfg: GPTConfig, batch: int, tokens: int, path: str, bf16: bool) -> int:
    """What autograd keeps between the forward and the backward pass, one term for each kept tensor."""
    row = batch * tokens * cfg.emb_dim  # one (B, T, D)
    square = batch * cfg.n_heads * tokens * tokens  # one (B, H, T, T)
    noise_att = cfg.attention_dropout > 0
    noise_cut = 1 if cfg.shortcut_dropout > 0 else 0
    if path == "reference":
        # norm: input, centred, normalised, scaled (twice); q, k, v; context; GELU: five of width 4D
        rows = 2 * 4 + 3 + 1 + 5 * 4 + 2 * noise_cut
        squares = 3 if noise_att else 1  # softmax; with dropout also its noise and their product
        block = FLOAT32 * (rows * row + squares * square)
        ends = FLOAT32 * 4 * row
    else:
        half = BFLOAT16 if bf16 else FLOAT32
        # float32: input of each norm. Working type: both norms, q, k, v, context, 4D before and after GELU.
        # Dropout keeps one byte for each value.
        block = 2 * row * FLOAT32 + (2 + 3 + 1 + 8) * row * half + 2 * noise_cut * row
        # Fused attention keeps no (T, T) square, but on the processor dropout needs the explicit form:
        # softmax in float32, what was dropped, and their product.
        block += square * (FLOAT32 + 1 + half) if noise_att else 0
        ends = 2 * row * FLOAT32 + (_matrix_bytes(cfg) if bf16 else 0)
    return cfg.n_layers * block + ends


def _matrix_bytes(cfg: GPTConfig) -> int:
    """The bf16 copy of every matrix that mixed precision keeps for the backward pass."""
    counted = parameters(cfg)
    return BFLOAT16 * (counted.attention + counted.feed_forward + counted.output_layer)
