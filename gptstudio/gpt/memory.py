"""Memory needed to train and run a GPT-2, computed before the model is built. No torch.

Letters as in ``model.py``: B batch, T tokens, D width, H heads, V vocabulary, C context length, L layers.
"""

from __future__ import annotations

from collections.abc import Collection
from dataclasses import asdict, dataclass
from typing import Literal

from gptstudio.gpt import native_library
from gptstudio.gpt.config import GPTConfig
from gptstudio.gpt.sizing import (
    BFLOAT16,
    FLOAT32,
    Parameters,
    Part,
    parameters,
    trained,
    trained_count,
    weight_bytes,
)
from gptstudio.units import MB

Path = Literal["reference", "fast"]
Weights = Literal["fp32", "bf16", "int8"]
"""Precision of the matrices while decoding: see :mod:`gptstudio.gpt.fast.packed_model`."""
RUNTIME = {"cpu": 24 * MB, "cuda": 32 * MB}
"""Memory that torch itself needs. CPU: threads and the pages of its kernels on first use, as measured. CUDA: the cuBLAS
workspace, 32 MiB on Hopper and less on other GPUs (cuBLAS documentation)."""
AT_ONCE, AT_ONCE_ON_GPU = 1_024, 4_096
"""Rows of logits that the fast path computes at once (a test compares them with ``kernels.ROWS`` and
``ROWS_ON_GPU``)."""
PARTS = 16
"""Number of partial sums of its input's gradient that the loss in C holds at a time (``loss.c``)."""
GIVEN_BACK = 32 * MB
"""Size from which the memory of a freed tensor is returned to the system at once; smaller pieces are kept for the next
step (``devices.reusing_freed_memory``, mallopt(3)). On a GPU, the peak counts live tensors only."""
Pieces = list[tuple[int, int]]
"""Pairs of a number of tensors and the bytes of each."""


@dataclass(frozen=True)
class OptimizerMemory:
    """Bytes that an optimizer holds.

    Attributes:
        state: bytes kept from step to step.
        reference_copies, fast_copies: number of tensors as large as the largest parameter that it holds during an
            update, on each path. Without a fused update, AdamW's square root takes two.
        pieces: other tensors that it holds during an update.
    """

    state: int
    reference_copies: int = 2
    fast_copies: int = 0
    pieces: tuple[tuple[int, int], ...] = ()


@dataclass(frozen=True)
class TrainMemory:
    """Bytes that training holds at its peak, by purpose; they sum to the peak.

    Attributes:
        logits: the logits in float32, their log-softmax, and the gradient of both.
        scratch: temporary memory of one layer's kernels.
        reused: negative: memory of the logits and the largest activations, which has been returned to the system by
            the time the last gradients are computed, so that it is never held together with them.
        copy: copy of the weights with the lowest validation loss, held until it is saved; never on a GPU.
    """

    weights: int
    gradients: int
    optimizer: int
    activations: int
    logits: int
    scratch: int
    reused: int
    copy: int
    runtime: int

    @property
    def total(self) -> int:
        return sum(asdict(self).values())


@dataclass(frozen=True)
class GenerateMemory:
    """Bytes that decoding holds, by purpose.

    Attributes:
        copy: copy of the matrices in a layout that is faster to read; left out if memory is short.
    """

    weights: int
    kv_cache: int
    activations: int
    copy: int = 0
    runtime: int = RUNTIME["cpu"]

    @property
    def total(self) -> int:
        return sum(asdict(self).values())

    @property
    def least(self) -> int:
        """Bytes without the copy."""
        return self.total - self.copy


def train_memory(
    cfg: GPTConfig, batch_size: int, path: Path = "fast", bf16: bool = False, kind: str = "cpu", accumulation: int = 1,
    freeze: Collection[Part] = (), freeze_blocks: int = 0, alone: bool = True,
    optimizer: OptimizerMemory | None = None, recompute: bool = False,
) -> TrainMemory:
    """Return the bytes needed to train in float32, with mixed precision if ``bf16``.

    Memory peaks at one of two points: when the loss is known and nothing has been freed, and when the last gradient is
    computed. Memory freed between them counts once if it is returned to the system; small pieces stay with the process,
    and the C library rarely reuses them in the same step, so they count in full.

    Gradients are freed after each update, so an evaluation, a sample, and a checkpoint (written directly from the
    tensors) stay below the peak of a step; with ``accumulation`` the gradients are also held during the next forward
    pass. A snapshot of the weights, if requested, takes :func:`weight_bytes` more. From the first evaluation on, one
    copy is always held: the weights with the lowest validation loss.

    Measured on a CPU (``tests/bench/memory.py``) and on a GPU (``tests/gpu/test_gpu_training.py``).

    Args:
        kind: kind of device: cpu, cuda, mps.
        accumulation: number of batches whose gradients are summed before an update.
        freeze, freeze_blocks: parts without gradients and moments. Frozen blocks above frozen embeddings keep no
            activations; the activations of other blocks are counted.
        alone: True if one process trains; several processes exchange whole gradients.
        optimizer: memory of the optimizer; by default AdamW's two moments of every parameter (Loshchilov and Hutter,
            2019).
        recompute: keep only the inputs of the blocks, and recompute the activations one block at a time.
    """
    tokens, weights = cfg.context_length, weight_bytes(cfg)
    changed = trained(cfg, freeze, freeze_blocks)
    some_rows = path == "fast" and kind == "cpu" and alone
    gradients = _gradients(cfg, changed, some_rows)
    held_by = optimizer or OptimizerMemory(2 * FLOAT32 * trained_count(cfg, freeze, freeze_blocks))
    extra = _beside_the_gradients(cfg, changed, path, accumulation, some_rows, held_by)
    embeds = changed.token_embedding + changed.position_embedding > 0
    blocks = cfg.n_layers if embeds else cfg.n_layers - freeze_blocks  # that gradients flow through
    activations = _activations(cfg, batch_size, tokens, path, bf16, kind, blocks, recompute)
    logits = _logits(cfg, batch_size * tokens, path, bf16, kind)
    scratch = _scratch(cfg, batch_size, tokens, path, bf16, kind)

    def large(pieces: Pieces) -> int:
        return sum(count * each for count, each in pieces if kind != "cpu" or each >= GIVEN_BACK)

    # The fast path keeps the memory of the output layer's gradient between steps.
    first = some_rows or (path == "fast" and kind != "cpu")  # the output layer's gradient is computed with the loss
    held = gradients if accumulation > 1 or recompute else [(1, FLOAT32 * changed.output_layer)] if first else []
    at_loss = large(activations + logits) + large(held)
    at_end = large(gradients) + large(extra) + (large(logits) if path == "fast" and kind == "cpu" else 0)
    every = _bytes(gradients + extra + activations + logits + scratch)
    kept = every - large(gradients + extra + activations + logits + scratch)
    return TrainMemory(
        weights=weights,
        gradients=_bytes(gradients),
        optimizer=held_by.state,
        activations=_bytes(activations),
        logits=_bytes(logits),
        scratch=_bytes(extra + scratch),
        reused=kept + max(at_loss, at_end) - every,
        copy=weights if kind == "cpu" else 0,
        runtime=RUNTIME.get(kind, RUNTIME["cpu"]),
    )


def generate_memory(cfg: GPTConfig, tokens: int | None = None, kind: str = "cpu") -> GenerateMemory:
    """Return the bytes needed to decode one text: weights, keys and values, and one pass over the prompt."""
    tokens = tokens or cfg.context_length
    widest = max(cfg.vocab_size, tokens * 6 * cfg.emb_dim)  # the logits, or a block's feed-forward on the prompt
    return GenerateMemory(
        weights=weight_bytes(cfg), kv_cache=2 * cfg.n_layers * cfg.context_length * cfg.emb_dim * FLOAT32,
        activations=widest * FLOAT32, copy=copied_bytes(cfg, kind=kind),
        runtime=RUNTIME.get(kind, RUNTIME["cpu"]),
    )


def copied_bytes(cfg: GPTConfig, weights: Weights = "fp32", kind: str = "cpu") -> int:
    """Return the bytes of the copy of the matrices that decoding uses: none for float32 if the C library reads the
    model's own (:mod:`gptstudio.gpt.fast.native_model`), and only queries, keys and values for float32 on a GPU
    (:mod:`gptstudio.gpt.fast.graph_model`)."""
    if kind == "cuda" and weights == "fp32":
        return 3 * cfg.n_layers * cfg.emb_dim**2 * FLOAT32
    return 0 if kind == "cpu" and weights == "fp32" and native_library.library() else packed_bytes(cfg, weights)


def packed_bytes(cfg: GPTConfig, weights: Weights = "fp32") -> int:
    """Return the bytes of a copy of the blocks' matrices and the output layer
    (:mod:`gptstudio.gpt.fast.packed_model`)."""
    counted = parameters(cfg)
    matrices = counted.attention + counted.feed_forward + counted.output_layer
    return matrices * {"fp32": FLOAT32, "bf16": BFLOAT16, "int8": 1}[weights]


def _is_native(path: Path, kind: str) -> bool:
    """Return whether the C library computes the blocks (:mod:`gptstudio.gpt.fast.native_block`)."""
    return path == "fast" and kind == "cpu" and native_library.library() is not None


def _bytes(pieces: Pieces) -> int:
    return sum(count * each for count, each in pieces)


def _gradients(cfg: GPTConfig, changed: Parameters, some_rows: bool) -> Pieces:
    """Return the gradients of all ``changed`` parameters. With ``some_rows``, an untied token embedding has gradients
    only for the tokens of a batch, which are not counted."""
    d = cfg.emb_dim
    ends = changed.output_layer + (0 if cfg.tie_weights or some_rows else changed.token_embedding)
    every = parameters(cfg)
    attention = cfg.n_layers * changed.attention // every.attention  # number of blocks
    feed_forward = cfg.n_layers * changed.feed_forward // every.feed_forward
    matrices = [
        (ends // every.token_embedding, every.token_embedding), (4 * attention, d * d), (2 * feed_forward, 4 * d * d)
    ]
    inside = changed.attention + changed.feed_forward + changed.norms + changed.position_embedding
    rest = ends + inside - _bytes(matrices)  # positions, biases, norms
    return [(count, FLOAT32 * each) for count, each in matrices] + [(1, FLOAT32 * rest)]


def _beside_the_gradients(
    cfg: GPTConfig, changed: Parameters, path: Path, accumulation: int, some_rows: bool, optimizer: OptimizerMemory
) -> Pieces:
    """Return the memory held together with all gradients: the embedding's new gradient before it is added to the
    existing one (of the tied output layer, or of the previous batches), or the intermediates of the optimizer. If the
    embedding and the output layer are frozen, it has the size of a block's largest matrix."""
    added = int((cfg.tie_weights and (path == "reference" or not some_rows)) or accumulation > 1)
    count = max(added, optimizer.reference_copies if path == "reference" else optimizer.fast_copies)
    rows = cfg.vocab_size if changed.token_embedding or changed.output_layer else 4 * cfg.emb_dim
    return [(count, FLOAT32 * rows * cfg.emb_dim), *optimizer.pieces]


def _activations(
    cfg: GPTConfig, batch: int, tokens: int, path: Path, bf16: bool, kind: str, blocks: int, recompute: bool
) -> Pieces:
    """Return the tensors that autograd keeps for the backward pass through ``blocks`` blocks."""
    row = batch * tokens * cfg.emb_dim  # one (B, T, D)
    square = batch * cfg.n_heads * tokens * tokens  # one (B, H, T, T)
    noise_att = cfg.attention_dropout > 0
    noise_cut = 1 if cfg.shortcut_dropout > 0 else 0
    half = BFLOAT16 if bf16 else FLOAT32
    if path == "reference":
        # norm: input, centred, normalised, scaled (two norms); q, k, v; context; GELU: five of width 4D
        block = [(2 * 4 + 3 + 1 + 2 * noise_cut, FLOAT32 * row), (5, FLOAT32 * 4 * row)]
        block += [(3 if noise_att else 1, FLOAT32 * square)]  # softmax; with dropout also its mask and the product
        return [(blocks * count, each) for count, each in block] + [(4, FLOAT32 * row)]
    # float32: input of each norm. Working type: both norms, q, k, v, context, 4D before and after GELU, and the dropout
    # masks: 16 random bits per value where C computes the block, one byte per value on a GPU.
    native = _is_native(path, kind)
    kept = 2 if native else half if kind == "cpu" else 1
    block = [(2, FLOAT32 * row), (2 + 3 + 1, half * row), (2, half * 4 * row), (2 * noise_cut, kept * row)]
    if native or (noise_att and kind == "cpu"):
        # Fused attention keeps no (T, T) matrix, but dropout on a CPU needs one, and C always keeps one.
        block += [(1, half * square)]
    ends = [(3, FLOAT32 * row)]
    if bf16 and kind != "cpu":  # copies of all matrices that mixed precision keeps for the backward pass
        block += [(4, half * cfg.emb_dim**2), (2, half * 4 * cfg.emb_dim**2)]
    whole = min(blocks, 1) if recompute else blocks  # whose activations are all kept at once
    inputs = [(blocks, FLOAT32 * row)] if recompute else []
    return inputs + [(whole * count, each) for count, each in block] + ends


def _logits(cfg: GPTConfig, rows: int, path: Path, bf16: bool, kind: str) -> Pieces:
    """Return the memory of the loss.

    The reference path holds all logits, their log-softmax, and the gradient of both. The fast path computes the logits
    of some rows at a time (:mod:`gptstudio.gpt.fast.kernels`). On a CPU they are overwritten by their gradient, and
    their memory and a copy of the output layer in half precision are kept from step to step; the C library holds
    several partial sums of its input's gradient. On a GPU, a copy of the output layer and the gradient of its input are
    held, and either the logits of some rows in float32 and their log-softmax, or their gradient and its product.
    """
    half, matrix = BFLOAT16 if bf16 else FLOAT32, cfg.vocab_size * cfg.emb_dim
    if path == "reference":
        return [(3, FLOAT32 * rows * cfg.vocab_size)]
    if kind == "cpu":
        in_c, rows = bf16 and native_library.multiplies_bf16(), min(rows, AT_ONCE)
        sums = (int(in_c), FLOAT32 * PARTS * rows * cfg.emb_dim)
        return [(1, half * rows * cfg.vocab_size), (int(bf16), half * matrix), sums]
    some = min(rows, AT_ONCE_ON_GPU) * cfg.vocab_size
    at_once = max(2 * FLOAT32 * some, half * some + FLOAT32 * matrix)
    return [(1, half * matrix), (1, half * rows * cfg.emb_dim), (1, at_once)]


def _scratch(cfg: GPTConfig, batch: int, tokens: int, path: Path, bf16: bool, kind: str) -> Pieces:
    """Return the temporary tensors of the backward pass that are small enough to stay with the process.

    In one block: the gradients of the (T, T) attention weights before and after dropout and softmax, unless C computes
    them, and of the 4D values before and after GELU; in half precision, a block's largest matrix and its gradient.
    Larger tensors are never held at the peak, because the logits are then already freed or not yet computed.
    """
    rows, half = batch * tokens, BFLOAT16 if bf16 else FLOAT32
    explicit = path == "reference" or (kind == "cpu" and cfg.attention_dropout > 0 and not _is_native(path, kind))
    square = (FLOAT32 if path == "reference" else half) * cfg.n_heads * rows * tokens
    pieces = [(3 if explicit else 0, square), (2, half * 4 * rows * cfg.emb_dim)]
    if bf16:
        pieces += [(2, half * 4 * cfg.emb_dim**2)]
    return [(count, each) for count, each in pieces if kind == "cpu" and each < GIVEN_BACK]
