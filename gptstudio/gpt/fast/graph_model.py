"""Copy of a model for decoding on a GPU, where the time per token is the time to launch the kernels.

A step, which computes one new token of every text, has static shapes: token ids (B, 1), the position as a tensor, and
attention over the whole cache with later positions masked. It can therefore be captured once as a CUDA graph and
replayed with one launch (CUDA C++ Programming Guide, "CUDA Graphs"). On a CPU the same function runs without capture.

As in :mod:`gptstudio.gpt.fast.packed_model`, queries, keys and values are computed by one product. With bf16 weights,
the inputs of products and the cached keys and values are bf16; residual stream, norms and logits are float32.

Letters as in :mod:`gptstudio.gpt.model`.
"""

from __future__ import annotations

import logging
from collections.abc import Callable, Sequence
from functools import cache
from typing import cast
from weakref import WeakKeyDictionary

import torch
from torch import Tensor, nn
from torch.nn import functional as F

from gptstudio.gpt.fast import kernels
from gptstudio.gpt.fast.kv_cache import KVCache, LayerCache
from gptstudio.gpt.fast.modules import compiler_failed, fused_attention
from gptstudio.gpt.fast.packed_model import concatenated
from gptstudio.gpt.memory import Weights
from gptstudio.gpt.model import GPTModel, LayerNorm, TransformerBlock

DTYPES: dict[Weights, torch.dtype] = {"fp32": torch.float32, "bf16": torch.bfloat16}
ALLOWED_DIFFERENCE = {torch.float32: 1e-4, torch.bfloat16: 2e-2}
"""Largest allowed difference between the logits with and without capture of a step, relative to their range."""

_log = logging.getLogger("gptstudio")

Attend = Callable[[Tensor, Tensor], Tensor]
"""Queries (B, H, T, D/H), keys and values (2, B, H, T, D/H) -> context, (B, H, T, D/H)."""


class GraphModel:
    """Token ids (B, T) -> logits (B, T, V), or (B, 1, V) with ``last_only``, in float32.

    Ids may be on any device. The logits of a captured step are on the processor, all others on the model's device.

    Attributes:
        dtype: dtype of the copied matrices and of the cache.
    """

    @torch.no_grad()
    def __init__(self, model: GPTModel, weights: Weights, compiled: bool = False):
        """``compiled``: have torch compile the step on first use, which takes seconds."""
        self.cfg, self.dtype, self.compiled = model.cfg, DTYPES[weights], compiled
        self.device = model.tok_emb.weight.device
        self._tokens, self._positions = model.tok_emb.weight.detach(), model.pos_emb.weight.detach()
        self.blocks = [_Block(cast(TransformerBlock, block), self.dtype) for block in model.trf_blocks]
        self._norm, self._head = model.final_norm, model.out_head.weight.detach().to(self.dtype)
        self._steps: WeakKeyDictionary[KVCache, _Step] = WeakKeyDictionary()

    @torch.no_grad()
    def __call__(self, in_idx: Tensor, *, cache: KVCache | None = None, last_only: bool = False) -> Tensor:
        (batch, tokens), start = in_idx.shape, cache.length if cache else 0
        if cache and start and tokens == 1:
            if cache not in self._steps:
                self._steps[cache] = _Step(self, cache.layers, batch)
            logits = self._steps[cache](in_idx, start)
        else:
            logits = self._read(in_idx.to(self.device), cache.layers if cache else None, start, last_only)
        if cache:
            cache.length = start + tokens
        return logits

    def is_captured(self, cache: KVCache) -> bool:
        """Return whether steps with this cache are replayed as a CUDA graph."""
        return cache in self._steps and self._steps[cache].is_captured

    def _read(self, in_idx: Tensor, layers: list[LayerCache] | None, start: int, last_only: bool) -> Tensor:
        """Return the logits of any number of tokens of each text."""
        batch, tokens = in_idx.shape
        x = self.embedded(in_idx, torch.arange(start, start + tokens, device=self.device))
        for i, block in enumerate(self.blocks):

            def attend(queries: Tensor, new: Tensor, i: int = i) -> Tensor:
                keys, values = layers[i].extend(start, *new) if layers else new
                return fused_attention(queries, keys, values, start)

            x = block(x, batch, attend)
        return self.logits(x.view(batch, tokens, -1)[:, -1:] if last_only else x.view(batch, tokens, -1))

    def embedded(self, in_idx: Tensor, positions: Tensor) -> Tensor:
        """Return the embeddings (B T, D) of token ids (B, T) at ``positions`` (T,)."""
        return (F.embedding(in_idx, self._tokens) + F.embedding(positions, self._positions)).flatten(0, 1)

    def logits(self, x: Tensor) -> Tensor:
        """Return the logits (B, T, V) of the residual stream (B, T, D)."""
        return self._logits(_normalised(self._norm, x.flatten(0, 1), self.dtype)).view(*x.shape[:2], -1)

    def _logits(self, x: Tensor) -> Tensor:
        """Multiply (N, D) by the output layer -> (N, V) in float32: GPT-2's logits share an offset of about 100, where
        bf16 has a resolution of 0.5."""
        if self.dtype == torch.float32:
            return F.linear(x, self._head)
        return kernels.float32_product(x, self._head.T)


class _Block:
    """Transformer block: attention, then feed-forward network, each added to the residual stream."""

    def __init__(self, block: TransformerBlock, dtype: torch.dtype):
        att, widen, narrow = block.att, block.ff.layers[0], block.ff.layers[2]
        self._dtype, self._heads = dtype, (att.n_heads, att.head_dim)
        self._norm1, self._norm2 = block.norm1, block.norm2
        self._qkv = _joined([att.W_query, att.W_key, att.W_value], dtype)
        self._gather, self._widen, self._narrow = (
            _joined([cast(nn.Linear, each)], dtype) for each in (att.out_proj, widen, narrow)
        )

    def __call__(self, x: Tensor, batch: int, attend: Attend) -> Tensor:
        qkv = F.linear(_normalised(self._norm1, x, self._dtype), *self._qkv)  # (B T, 3D)
        qkv = qkv.view(batch, -1, 3, *self._heads).permute(2, 0, 3, 1, 4)  # (3, B, H, T, D/H)
        context = attend(qkv[0], qkv[1:]).transpose(1, 2).reshape(len(x), -1)  # (B T, D)
        x = x + F.linear(context, *self._gather)
        inner = _widened(_normalised(self._norm2, x, self._dtype), *self._widen)  # (B T, 4D)
        return x + F.linear(inner, *self._narrow)

    def step(self, x: Tensor, both: Tensor, position: Tensor, mask: Tensor) -> Tensor:
        """Compute one new token of each text, (B, D) -> (B, D). Its keys and values are written at ``position`` (1,) of
        ``both``, (2, B, H, C, D/H); ``mask`` (1, 1, 1, C) is added to the scores."""

        def attend(queries: Tensor, new: Tensor) -> Tensor:
            both.index_copy_(3, position, new)
            return F.scaled_dot_product_attention(queries, both[0], both[1], attn_mask=mask)

        return self(x, len(x), attend)


@cache
def _compiled_step() -> Callable[[_Block, Tensor, Tensor, Tensor, Tensor], Tensor]:
    """Return :meth:`_Block.step`, compiled once for all blocks of the same shape."""
    return torch.compile(_Block.step, dynamic=False, options={"coordinate_descent_tuning": True})


class _Step:
    """Step that computes one new token of each text in a cache; on a GPU it is captured on the first call.

    The captured step includes copying the ids to the GPU and the logits back, from and to pinned memory.
    """

    def __init__(self, model: GraphModel, layers: list[LayerCache], batch: int):
        self._model, self._layers = model, layers
        self._on_gpu = model.device.type == "cuda"
        self._given = torch.zeros(batch + 1, dtype=torch.long, device="cpu", pin_memory=self._on_gpu)
        self._places = torch.arange(layers[0].keys.shape[2], device=model.device)
        self._masked = torch.tensor(-torch.inf, dtype=model.dtype, device=model.device)
        self._block_step = _compiled_step() if model.compiled else _Block.step
        self._graph: torch.cuda.CUDAGraph | None = None
        self._logits = torch.empty(0, device="cpu")

    @property
    def is_captured(self) -> bool:
        return self._graph is not None

    def __call__(self, in_idx: Tensor, start: int) -> Tensor:
        """Return the logits (B, 1, V) of token ids (B, 1) at position ``start``."""
        self._given[:-1], self._given[-1] = in_idx[:, 0], start
        if self._graph is not None:
            self._graph.replay()
            torch.cuda.current_stream(self._model.device).synchronize()
            return self._logits.clone()
        if not self._on_gpu:
            return self._compute()
        stream = torch.cuda.Stream(self._model.device)
        stream.wait_stream(torch.cuda.current_stream(self._model.device))
        with torch.cuda.device(self._model.device), torch.cuda.stream(stream):
            expected = self._prepared().cpu()
            self._on_gpu = self._capture(expected)
        return expected

    def _prepared(self) -> Tensor:
        """Compute the first step, which initialises the libraries and compiles the step if a compiler works."""
        try:
            return self._compute()
        except Exception as error:
            if not compiler_failed(error):
                raise
            _log.warning("The decoding step could not be compiled: %s", error)
            self._block_step = _Block.step
            return self._compute()

    def _compute(self) -> Tensor:
        given = self._given.to(self._model.device, non_blocking=True)
        position = given[-1:]
        mask = torch.where(self._places <= position, 0.0, self._masked)[None, None, None]  # (1, 1, 1, C)
        x, step = self._model.embedded(given[:-1, None], position), self._block_step
        for block, layer in zip(self._model.blocks, self._layers, strict=True):
            x = step(block, x, layer.both, position, mask)
        return self._model.logits(x[:, None])

    def _capture(self, expected: Tensor) -> bool:
        """Capture the step, and return whether it was captured and its replay gives the ``expected`` logits. Writing
        the same keys and values again changes nothing."""
        graph, memory = torch.cuda.CUDAGraph(), torch.empty(expected.shape, device="cpu", pin_memory=True)
        try:
            graph.capture_begin(capture_error_mode="thread_local")  # another thread may be training
            try:
                memory.copy_(self._compute(), non_blocking=True)
            finally:
                graph.capture_end()
            graph.replay()
            torch.cuda.current_stream().synchronize()
        except RuntimeError as error:
            _log.warning("The decoding step could not be captured as a CUDA graph: %s", error)
            return False
        difference = (memory - expected).abs().max() / (expected.max() - expected.min()).clamp(min=1e-6)
        if not difference <= ALLOWED_DIFFERENCE[self._model.dtype]:
            _log.warning("The captured decoding step gives other logits: %s of their range", float(difference))
            return False
        self._graph, self._logits = graph, memory
        return True


def _joined(layers: Sequence[nn.Linear], dtype: torch.dtype) -> tuple[Tensor, Tensor | None]:
    weight, bias = concatenated(layers)
    return weight.to(dtype), None if bias is None else bias.to(dtype)


def _widened(x: Tensor, weight: Tensor, bias: Tensor | None) -> Tensor:
    """Return GELU of the product, (N, D) -> (N, 4D), in one kernel if torch has one."""
    if x.device.type == "cuda" and x.dtype == torch.bfloat16 and bias is not None:
        return torch._addmm_activation(bias, x, weight.T, use_gelu=True)  # noqa: SLF001 - no public name
    return F.gelu(F.linear(x, weight, bias), approximate="tanh")


def _normalised(norm: LayerNorm, x: Tensor, dtype: torch.dtype) -> Tensor:
    return F.layer_norm(x, norm.scale.shape, norm.scale, norm.shift, norm.eps).to(dtype)
