"""Memory of a GPT-2 before it is built: what training and decoding hold, in closed form. No torch.

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
    MB,
    Parameters,
    Part,
    parameters,
    trained,
    trained_count,
    weight_bytes,
)

Path = Literal["reference", "fast"]
Weights = Literal["fp32", "bf16", "int8"]
"""As what matrices are read while decoding: :mod:`gptstudio.gpt.fast.packed_model`."""
RUNTIME = {"cpu": 24 * MB, "cuda": 32 * MB}
"""Memory that torch itself needs. Processor: threads and the pages of its kernels when it first computes, as
measured. CUDA: the workspace of cuBLAS, 32 MiB on Hopper and less on others (cuBLAS's documentation)."""
AT_ONCE, AT_ONCE_ON_GPU = 1_024, 4_096
"""Rows of logits that the fast path makes at once (``kernels.ROWS`` and ``ROWS_ON_GPU``; a test holds that they are the
same)."""
PARTS = 16
"""Sums for the gradient of its input that the loss computed in C holds at a time (``loss.c``)."""
GIVEN_BACK = 32 * MB
"""From this size on a tensor's memory goes back to the system as soon as the tensor is freed; smaller pieces are kept
for the next step (``devices.reusing_freed_memory``, mallopt(3)). A GPU's peak counts living tensors only."""
Pieces = list[tuple[int, int]]
"""Tensors: how many, and the bytes of each."""


@dataclass(frozen=True)
class OptimizerMemory:
    """Bytes that an optimizer holds.

    Attributes:
        state: from step to step.
        reference_copies, fast_copies: tensors as large as the largest parameter that it holds during an update, on
            either path. AdamW's root takes two where it is not fused.
        pieces: what else it holds during an update.
    """

    state: int
    reference_copies: int = 2
    fast_copies: int = 0
    pieces: tuple[tuple[int, int], ...] = ()


@dataclass(frozen=True)
class TrainMemory:
    """Bytes that training holds at its peak, by what holds them; they sum to the peak.

    Attributes:
        logits: the logits in float32, their log-softmax, and the gradient of both.
        scratch: what one layer's kernels need beside all that, while they compute.
        reused: below zero: what the last gradients take over from the logits and the largest activations, which have
            gone back to the system by then. Never both are held.
        copy: of the weights at the lowest validation loss, until they are saved; it is never on a GPU.
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
        copy: copy of the matrices, laid out for faster reading; skipped if memory is short.
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
        """Without the copy."""
        return self.total - self.copy


def train_memory(
    cfg: GPTConfig, batch_size: int, tokens: int | None = None, path: Path = "fast", bf16: bool = False,
    kind: str = "cpu", accumulation: int = 1, freeze: Collection[Part] = (), freeze_blocks: int = 0, alone: bool = True,
    optimizer: OptimizerMemory | None = None, recompute: bool = False,
) -> TrainMemory:
    """Return the bytes needed to train in float32, with mixed precision if ``bf16``.

    Memory peaks at one of two moments: when the loss is known and nothing is freed yet, and when the last gradient is
    done. What is freed between them counts only once if it is returned to the system; small pieces stay with the
    process, and the C library seldom reuses them in the same step: they count in full.

    Gradients are freed after each update. So an evaluation, a sample, and a checkpoint (written from the tensors
    themselves) stay below a step's peak; with ``accumulation`` the gradients are held during the next forward pass too.
    A snapshot of the weights, if requested, holds :func:`weight_bytes` more. One copy is always held from the first
    evaluation on: that of the model with the lowest validation loss.

    Measured on a processor (``tests/bench/memory.py``) and on a GPU (``tests/gpu/test_gpu_training.py``).

    Args:
        tokens: tokens in a window; the whole context if not given.
        kind: of device: cpu, cuda, mps.
        accumulation: batches whose gradients are summed before an update.
        freeze, freeze_blocks: parts that have neither gradient nor moments. Frozen blocks above frozen embeddings keep
            no activations; others count as if they were trained.
        alone: one process trains; several exchange whole gradients.
        optimizer: what the optimizer holds; that of AdamW if not given, two moments of every parameter (Loshchilov and
            Hutter, 2019).
        recompute: of the blocks' activations only the inputs are kept, and one block's are made again at a time.
    """
    tokens = tokens or cfg.context_length
    weights = weight_bytes(cfg)
    changed = trained(cfg, freeze, freeze_blocks)
    some_rows = path == "fast" and kind == "cpu" and alone
    gradients = _gradients(cfg, changed, some_rows)
    held_by = optimizer or OptimizerMemory(2 * FLOAT32 * trained_count(cfg, freeze, freeze_blocks))
    extra = _beside_the_gradients(cfg, changed, path, accumulation, some_rows, held_by)
    embeds = changed.token_embedding + changed.position_embedding > 0
    blocks = cfg.n_layers if embeds else cfg.n_layers - freeze_blocks  # through which gradients flow
    activations = _activations(cfg, batch_size, tokens, path, bf16, kind, blocks, recompute)
    logits = _logits(cfg, batch_size * tokens, path, bf16, kind)
    scratch = _scratch(cfg, batch_size, tokens, path, bf16, kind)

    def large(pieces: Pieces) -> int:
        return sum(count * each for count, each in pieces if kind != "cpu" or each >= GIVEN_BACK)

    # From step to step, the fast path keeps the memory of the output layer's gradient.
    first = some_rows or (path == "fast" and kind != "cpu")  # that of the output layer is made with the loss
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
    """Return the bytes to decode one text on a device of this kind: weights, the keys and values of every layer, and
    one pass over the prompt."""
    tokens = tokens or cfg.context_length
    widest = max(cfg.vocab_size, tokens * 6 * cfg.emb_dim)  # the logits, or a block's feed-forward on the prompt
    return GenerateMemory(
        weights=weight_bytes(cfg), kv_cache=2 * cfg.n_layers * cfg.context_length * cfg.emb_dim * FLOAT32,
        activations=widest * FLOAT32, copy=copied_bytes(cfg, kind=kind),
        runtime=RUNTIME.get(kind, RUNTIME["cpu"]),
    )


def copied_bytes(cfg: GPTConfig, weights: Weights = "fp32", kind: str = "cpu") -> int:
    """Return the bytes of the copy of the matrices that decoding takes: none for float32 where C reads the model's own
    (:mod:`gptstudio.gpt.fast.native_model`), and only queries, keys and values in float32 on a GPU
    (:mod:`gptstudio.gpt.fast.graph_model`)."""
    if kind == "cuda" and weights == "fp32":
        return 3 * cfg.n_layers * cfg.emb_dim**2 * FLOAT32
    return 0 if kind == "cpu" and weights == "fp32" and native_library.library() else packed_bytes(cfg, weights)


def packed_bytes(cfg: GPTConfig, weights: Weights = "fp32") -> int:
    """Bytes of a copy of the blocks' matrices and the output layer (:mod:`gptstudio.gpt.fast.packed_model`)."""
    counted = parameters(cfg)
    matrices = counted.attention + counted.feed_forward + counted.output_layer
    return matrices * {"fp32": FLOAT32, "bf16": BFLOAT16, "int8": 1}[weights]


def _is_native(path: Path, kind: str) -> bool:
    """Return whether C computes the blocks (:mod:`gptstudio.gpt.fast.native_block`)."""
    return path == "fast" and kind == "cpu" and native_library.library() is not None


def _bytes(pieces: Pieces) -> int:
    return sum(count * each for count, each in pieces)


def _gradients(cfg: GPTConfig, changed: Parameters, some_rows: bool) -> Pieces:
    """One for each parameter that is ``changed``. With ``some_rows`` an embedding that is no output layer has only
    those that a batch touched, which are not counted."""
    d = cfg.emb_dim
    ends = changed.output_layer + (0 if cfg.tie_weights or some_rows else changed.token_embedding)
    every = parameters(cfg)
    attention = cfg.n_layers * changed.attention // every.attention  # in how many blocks
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
    """Return the memory, as large as the embedding, that is held together with all gradients: its new gradient
    before that is added to the existing one (of the tied output layer, or of the batches before); or the intermediates
    of the optimizer. If the embedding and the output layer are frozen: of a block's largest matrix."""
    added = int((cfg.tie_weights and (path == "reference" or not some_rows)) or accumulation > 1)
    count = max(added, optimizer.reference_copies if path == "reference" else optimizer.fast_copies)
    rows = cfg.vocab_size if changed.token_embedding or changed.output_layer else 4 * cfg.emb_dim
    return [(count, FLOAT32 * rows * cfg.emb_dim), *optimizer.pieces]


def _activations(
    cfg: GPTConfig, batch: int, tokens: int, path: Path, bf16: bool, kind: str, blocks: int, recompute: bool
) -> Pieces:
    """Return the memory that autograd keeps for the backward pass through ``blocks`` blocks, one term for each kept
    tensor."""
    row = batch * tokens * cfg.emb_dim  # one (B, T, D)
    square = batch * cfg.n_heads * tokens * tokens  # one (B, H, T, T)
    noise_att = cfg.attention_dropout > 0
    noise_cut = 1 if cfg.shortcut_dropout > 0 else 0
    half = BFLOAT16 if bf16 else FLOAT32
    if path == "reference":
        # norm: input, centred, normalised, scaled (twice); q, k, v; context; GELU: five of width 4D
        block = [(2 * 4 + 3 + 1 + 2 * noise_cut, FLOAT32 * row), (5, FLOAT32 * 4 * row)]
        block += [(3 if noise_att else 1, FLOAT32 * square)]  # softmax; with dropout also its noise and their product
        return [(blocks * count, each) for count, each in block] + [(4, FLOAT32 * row)]
    # float32: input of each norm. Working type: both norms, q, k, v, context, 4D before and after GELU, and what
    # dropout keeps: 16 random bits where C computes the block, on a GPU a byte for each value.
    native = _is_native(path, kind)
    kept = 2 if native else half if kind == "cpu" else 1
    block = [(2, FLOAT32 * row), (2 + 3 + 1, half * row), (2, half * 4 * row), (2 * noise_cut, kept * row)]
    if native or (noise_att and kind == "cpu"):
        # Fused attention keeps no (T, T) square, but on the processor dropout needs one, and C keeps one always.
        block += [(1, half * square)]
    ends = [(3, FLOAT32 * row)]
    if bf16 and kind != "cpu":  # the copy of every matrix that mixed precision keeps for the backward pass
        block += [(4, half * cfg.emb_dim**2), (2, half * 4 * cfg.emb_dim**2)]
    whole = min(blocks, 1) if recompute else blocks  # of which all is kept at once
    inputs = [(blocks, FLOAT32 * row)] if recompute else []
    return inputs + [(whole * count, each) for count, each in block] + ends


def _logits(cfg: GPTConfig, rows: int, path: Path, bf16: bool, kind: str) -> Pieces:
    """Return the memory of the loss. On the reference path logits stand whole: themselves, their log-softmax, and the
    gradient of both. The fast path makes those of some rows at a time (:mod:`gptstudio.gpt.fast.kernels`). On a
    processor they become their own gradient, and their memory and that of a copy of the output layer in half precision
    are kept from step to step; C holds several sums for the gradient of its input. On a GPU a copy of the output layer
    and the gradient of its input are held, and the logits of some rows in float32 and their log-softmax, or the
    gradient of both and its product."""
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
    """Return the temporary memory of the backward pass, where it is small enough to stay with the process.

    In one block: the gradients of the (T, T) attention weights before and after their dropout and softmax, unless C
    computes them, and of 4D before and after GELU; in half precision a block's largest matrix and its gradient. Larger
    tensors are never held at the peak: the logits are already freed then, or not computed yet.
    """
    rows, half = batch * tokens, BFLOAT16 if bf16 else FLOAT32
    explicit = path == "reference" or (kind == "cpu" and cfg.attention_dropout > 0 and not _is_native(path, kind))
    square = (FLOAT32 if path == "reference" else half) * cfg.n_heads * rows * tokens
    pieces = [(3 if explicit else 0, square), (2, half * 4 * rows * cfg.emb_dim)]
    if bf16:
        pieces += [(2, half * 4 * cfg.emb_dim**2)]
    return [(count, each) for count, each in pieces if kind == "cpu" and each < GIVEN_BACK]
