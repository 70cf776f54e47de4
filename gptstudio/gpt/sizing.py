"""How large a GPT-2 is, before it is built: parameters, bytes and work in closed form. No torch.

Letters as in ``model.py``: B batch, T tokens, D width, H heads, V vocabulary, C context length, L layers.
"""

from __future__ import annotations

from dataclasses import asdict, dataclass
from typing import Literal

from gptstudio.gpt.config import GPTConfig

Path = Literal["reference", "fast"]
MB = 2**20
FLOAT32 = 4
BFLOAT16 = 2
RUNTIME = {"cpu": 24 * MB, "cuda": 32 * MB}
"""What torch takes for itself. Processor: threads and the pages of its kernels when it first computes, as measured.
CUDA: the workspace of cuBLAS, 32 MiB on Hopper and less on others (cuBLAS's documentation); not measured."""
GIVEN_BACK = 32 * MB
"""From this size on a tensor's memory goes back to the system as soon as the tensor is freed; smaller pieces are kept
for the next step (``devices.reusing_freed_memory``, mallopt(3)). A GPU's peak counts living tensors only."""


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
    """Bytes that training holds at its peak, by what holds them; they sum to the peak.

    Attributes:
        logits: the logits in float32, their log-softmax, and the gradient of both.
        scratch: what one layer's kernels need beside all that, while they compute.
        reused: below zero: what the last gradients take over from the logits and the largest activations, which have
            gone back to the system by then. Never both are held.
    """

    weights: int
    gradients: int
    optimizer: int
    activations: int
    logits: int
    scratch: int
    reused: int
    runtime: int

    @property
    def total(self) -> int:
        return sum(asdict(self).values())


@dataclass(frozen=True)
class GenerateMemory:
    """Bytes that decoding holds, by what holds them."""

    weights: int
    kv_cache: int
    activations: int
    runtime: int = RUNTIME["cpu"]

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
    path: Path = "fast",
    bf16: bool = False,
    kind: str = "cpu",
    accumulation: int = 1,
) -> TrainMemory:
    """Bytes to train with AdamW in float32, with mixed precision where ``bf16``.

    There are two moments at which most is held: when the loss is known and nothing is freed yet, and when the last
    gradient is done. What is freed between them counts only once if it goes back to the system; small pieces stay
    with the process, and the C library seldom finds a use for them in the same step: they count in full.

    Gradients are freed after each update. So an evaluation, a sample, and a checkpoint (written from the tensors
    themselves) stay below a step's peak; with ``accumulation`` the gradients are held during the next forward pass
    too. A snapshot of the weights, where somebody asks for one, holds :func:`weight_bytes` more.

    The processor's formula was measured (``tests/bench/memory.py``); that of CUDA follows from torch's sources alone.

    Args:
        tokens: tokens in a window; the whole context if not given.
        kind: of device: cpu, cuda, mps.
        accumulation: batches whose gradients are summed before an update.
    """
    tokens = tokens or cfg.context_length
    weights = weight_bytes(cfg)
    gradients, extra = _gradients(cfg), _beside_the_gradients(cfg, path, accumulation)
    activations = _activations(cfg, batch_size, tokens, path, bf16, kind)
    logits = [(3, cfg.vocab_size * batch_size * tokens * FLOAT32)]
    scratch = _scratch(cfg, batch_size, tokens, path, bf16, kind)

    def large(pieces: Pieces) -> int:
        return sum(count * each for count, each in pieces if kind != "cpu" or each >= GIVEN_BACK)

    at_loss = large(activations + logits) + (large(gradients) if accumulation > 1 else 0)
    at_end = large(gradients) + large(extra)
    every = _bytes(gradients + extra + activations + logits + scratch)
    kept = every - large(gradients + extra + activations + logits + scratch)
    return TrainMemory(
        weights=weights,
        gradients=_bytes(gradients),
        optimizer=2 * weights,  # AdamW keeps two moments of every parameter (Loshchilov and Hutter, 2019)
        activations=_bytes(activations),
        logits=_bytes(logits),
        scratch=_bytes(extra + scratch),
        reused=kept + max(at_loss, at_end) - every,
        runtime=RUNTIME.get(kind, RUNTIME["cpu"]),
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


Pieces = list[tuple[int, int]]
"""Tensors: how many, and the bytes of each."""


def _bytes(pieces: Pieces) -> int:
    return sum(count * each for count, each in pieces)


def _gradients(cfg: GPTConfig) -> Pieces:
    """One for each parameter; together they are as large as the weights."""
    d = cfg.emb_dim
    ends = (1 if cfg.tie_weights else 2, cfg.vocab_size * d)
    matrices = [ends, (4 * cfg.n_layers, d * d), (2 * cfg.n_layers, 4 * d * d)]
    rest = parameter_count(cfg) - _bytes(matrices)  # positions, biases, norms
    return [(count, FLOAT32 * each) for count, each in matrices] + [(1, FLOAT32 * rest)]


def _beside_the_gradients(cfg: GPTConfig, path: Path, accumulation: int) -> Pieces:
    """What is as large as the embedding and held when all gradients are: its new gradient before that is added to the
    one there is (of the tied output layer, or of the batches before); or the two steps of AdamW's root that the
    reference path writes out."""
    count = 2 if path == "reference" else int(cfg.tie_weights or accumulation > 1)
    return [(count, FLOAT32 * cfg.vocab_size * cfg.emb_dim)]


def _activations(cfg: GPTConfig, batch: int, tokens: int, path: Path, bf16: bool, kind: str) -> Pieces:
    """What autograd keeps between the forward and the backward pass, one term for each kept tensor."""
    row = batch * tokens * cfg.emb_dim  # one (B, T, D)
    square = batch * cfg.n_heads * tokens * tokens  # one (B, H, T, T)
    noise_att = cfg.attention_dropout > 0
    noise_cut = 1 if cfg.shortcut_dropout > 0 else 0
    half = BFLOAT16 if bf16 else FLOAT32
    if path == "reference":
        # norm: input, centred, normalised, scaled (twice); q, k, v; context; GELU: five of width 4D
        block = [(2 * 4 + 3 + 1 + 2 * noise_cut, FLOAT32 * row), (5, FLOAT32 * 4 * row)]
        block += [(3 if noise_att else 1, FLOAT32 * square)]  # softmax; with dropout also its noise and their product
        return [(cfg.n_layers * count, each) for count, each in block] + [(4, FLOAT32 * row)]
    # float32: input of each norm. Working type: both norms, q, k, v, context, 4D before and after GELU.
    # Dropout keeps one byte for each value.
    block = [(2, FLOAT32 * row), (2 + 3 + 1, half * row), (2, half * 4 * row), (2 * noise_cut, row)]
    if noise_att and kind == "cpu":
        # Fused attention keeps no (T, T) square, but on the processor dropout needs the explicit form:
        # softmax in float32, what was dropped, and their product.
        block += [(1, FLOAT32 * square), (1, square), (1, half * square)]
    ends = [(2, FLOAT32 * row)]
    if bf16:  # the copy of every matrix that mixed precision keeps for the backward pass
        block += [(4, half * cfg.emb_dim**2), (2, half * 4 * cfg.emb_dim**2)]
        ends += [(1, half * cfg.vocab_size * cfg.emb_dim)]
    return [(cfg.n_layers * count, each) for count, each in block] + ends


def _scratch(cfg: GPTConfig, batch: int, tokens: int, path: Path, bf16: bool, kind: str) -> Pieces:
    """What is computed and freed within the backward pass, where it is small enough to stay with the process.

    In one block: the gradients of the attention square before and behind its dropout and its softmax, and of 4D
    before and behind GELU. In bf16 the output layer's logits, their gradient and its weights' before they become
    float32. Larger tensors are never held when most is: the logits are gone by then, or not there yet.
    """
    rows, half = batch * tokens, BFLOAT16 if bf16 else FLOAT32
    explicit = path == "reference" or (kind == "cpu" and cfg.attention_dropout > 0)
    pieces = [(3 if explicit else 0, FLOAT32 * cfg.n_heads * rows * tokens), (2, half * 4 * rows * cfg.emb_dim)]
    if bf16:
        pieces += [(2, half * rows * cfg.vocab_size), (1, half * cfg.emb_dim * cfg.vocab_size)]
    return [(count, each) for count, each in pieces if kind == "cpu" and each < GIVEN_BACK]
