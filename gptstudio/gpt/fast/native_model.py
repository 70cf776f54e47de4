"""Decoding in C: one call of ``decode.c`` computes one step of the whole model."""

from __future__ import annotations

import ctypes
from collections.abc import Sequence
from typing import cast

import torch
from torch import Tensor, nn
from torch.nn import functional as F

from gptstudio.gpt import native_library
from gptstudio.gpt.fast import native_block
from gptstudio.gpt.fast.kv_cache import KVCache
from gptstudio.gpt.fast.packed_model import PackedModel, Product, can_multiply_bf16
from gptstudio.gpt.memory import Weights
from gptstudio.gpt.model import GPTModel, TransformerBlock

MOST_ROWS = 16
"""Number of new tokens, in all texts together, up to which C is faster than torch in any case."""
ROWS_AT_ONCE = 64
"""Number of tokens of a prompt, in all texts together, whose inputs of a product fit into the cache of a core."""
CONVERTED_ROWS = 4096
"""Number of rows of a matrix that are converted to another dtype at a time, so that the copy fits into the cache."""
KINDS = {torch.float32: 0, torch.bfloat16: 1, torch.int8: 2}


class _Matrix(ctypes.Structure):
    _fields_ = (
        ("weight", ctypes.c_void_p), ("scale", ctypes.c_void_p), ("bias", ctypes.c_void_p), ("outs", ctypes.c_int64),
        ("ins", ctypes.c_int64), ("kind", ctypes.c_int64))


class _Block(ctypes.Structure):
    _fields_ = (
        *((name, _Matrix) for name in ("query", "key", "value", "gather", "widen", "narrow")),
        *((name, ctypes.c_void_p) for name in ("scale1", "shift1", "scale2", "shift2")))


class _Model(ctypes.Structure):
    _fields_ = (
        *((name, ctypes.c_void_p) for name in ("tokens", "positions", "scale", "shift", "mean", "blocks")),
        ("head", _Matrix), *((name, ctypes.c_int64) for name in ("width", "heads", "layers", "context")),
        ("eps", ctypes.c_float))


class WeightMatrix:
    """Matrix of a layer in the precision used for decoding: the model's own in float32, or in bf16, or int8 with a
    scale for each output.

    Attributes:
        values: (out, in); int8 values are from -127 to 127.
        scale: (out,) for int8, else None.
        bias: (out,) or None.
    """

    def __init__(self, weight: Tensor, bias: Tensor | None, weights: Weights):
        self.bias, self.scale = None if bias is None else bias.detach(), None
        if weights == "int8":
            self.scale = (weight.abs().amax(1) / 127).clamp(min=torch.finfo(torch.float32).tiny)
            self.values = (weight / self.scale[:, None]).round().clamp(-127, 127).to(torch.int8)
        else:
            self.values = weight.bfloat16() if weights == "bf16" else weight.detach()

    def multiply(self, x: Tensor, out: Tensor, bias: Tensor | None) -> None:
        """Multiply many inputs (N, in) with torch in their dtype, and write the result to ``out``, (N, out)."""
        if self.values.dtype == x.dtype == out.dtype:
            start, times = (out, 0) if bias is None else (bias.to(x.dtype), 1)
            torch.addmm(start, x, self.values.T, beta=times, out=out)
            return
        for outs in (slice(n, n + CONVERTED_ROWS) for n in range(0, len(self.values), CONVERTED_ROWS)):
            scale = 1 if self.scale is None else self.scale[outs]
            torch.mul(x @ self.values[outs].to(x.dtype).T, scale, out=out[:, outs])
        if bias is not None:
            out += bias

    def structure(self) -> _Matrix:
        """Return the C structure of the matrix."""
        outputs, inputs = self.values.shape
        return _Matrix(
            _pointer(self.values, (outputs, inputs), self.values.dtype), _pointer(self.scale, (outputs,)),
            _pointer(self.bias, (outputs,)), outputs, inputs, KINDS[self.values.dtype])


class NativeModel(PackedModel):
    """Model that computes a few new tokens in C. The inputs of its products are float32; with int8 weights they are
    rounded to 15 bits, and with bf16 weights to bf16 if the processor has AVX512_BF16.

    torch computes the products of a longer prompt from the same matrices, and C everything between them, as in
    training. With int8 weights torch does so only if the processor multiplies bf16; otherwise C computes the prompt as
    well.

    With float32 weights nothing is copied.
    """

    @torch.no_grad()
    def __init__(self, model: GPTModel, weights: Weights):
        self._matrices: list[WeightMatrix] = []
        self._mean: Tensor | None = None
        super().__init__(model, weights)
        # of the products of torch
        self._dtype = torch.float32 if weights == "fp32" or not can_multiply_bf16() else torch.bfloat16
        self._model, self._blocks_in_c = self._structures(model)
        self._norms = [(block.norm1, block.norm2) for block in cast(Sequence[TransformerBlock], model.trf_blocks)]

    @torch.no_grad()
    def __call__(self, in_idx: Tensor, *, cache: KVCache | None = None, last_only: bool = False) -> Tensor:
        if cache and not cache.length and self._is_for_torch(in_idx.numel()):
            return self._of_prompt(in_idx, cache, last_only)
        if not cache or cache.layers[0].keys.dtype != torch.float32 or self._is_for_torch(in_idx.numel()):
            return super().__call__(in_idx, cache=cache, last_only=last_only)
        if cache.length + in_idx.shape[1] > self.cfg.context_length or in_idx.min() < 0 or (
                in_idx.max() >= self.cfg.vocab_size):
            raise IndexError("no such position or token")  # C would read out of bounds
        *before, last = in_idx.split(max(1, ROWS_AT_ONCE // len(in_idx)), dim=1)
        logits = [self._step(part, cache, 0 if last_only else part.shape[1]) for part in before]
        return torch.cat([*logits, self._step(last, cache, 1 if last_only else last.shape[1])], dim=1)

    def _is_for_torch(self, rows: int) -> bool:
        return rows > MOST_ROWS and (self.weights != "int8" or can_multiply_bf16())

    def _of_prompt(self, in_idx: Tensor, cache: KVCache, last_only: bool) -> Tensor:
        """Return the logits of new texts, with an empty cache. The blocks are computed as in
        :class:`gptstudio.gpt.fast.native_block.NativeBlock`."""
        (batch, tokens), heads, dtype = in_idx.shape, (self.cfg.n_heads, self.cfg.head_dim), self._dtype
        x = (F.embedding(in_idx, self._tokens) + self._positions[:tokens]).flatten(0, 1)  # (N, D)
        for n, ((first, second), kept) in enumerate(zip(self._norms, cache.layers, strict=True)):
            *of_qkv, out, up, down = self._matrices[6 * n : 6 * n + 6]
            _, norm, _ = native_block.add_norm(x, first.scale, first.shift, dtype)
            qkv = _multiplied(of_qkv, norm, dtype)  # (N, 3D)
            kept.both[:, :, :, :tokens] = qkv.view(batch, tokens, 3, *heads)[:, :, 1:].permute(2, 0, 3, 1, 4)
            context, _ = native_block.attention(qkv, (batch, tokens, heads[0]), native_block.KEEP_ALL, keep=False)
            added = _multiplied([out], context, dtype, biased=False)
            sums, norm, _ = native_block.add_norm(x, second.scale, second.shift, dtype, added, out.bias)
            after = native_block.gelu(_multiplied([up], norm, dtype, biased=False), cast(Tensor, up.bias), keep=False)
            added = _multiplied([down], after, dtype, biased=False)
            x = native_block.add(sums, added, cast(Tensor, down.bias), native_block.KEEP_ALL)
        cache.length = tokens
        x = x.view(batch, tokens, -1)
        x = x[:, -1:] if last_only else x
        return self._head(self._norm(x.flatten(0, 1))).view(*x.shape[:2], -1)  # (B, T, V)

    def _step(self, in_idx: Tensor, cache: KVCache, wanted: int) -> Tensor:
        """Return the logits of the last ``wanted`` tokens: 0, 1 or all."""
        c, cfg, threads, (batch, tokens) = native_library.loaded(), self.cfg, torch.get_num_threads(), in_idx.shape
        sizes = cfg.emb_dim, cfg.context_length, batch * tokens, threads
        size = c.gpt2_memory(*map(ctypes.c_int64, sizes))
        memory = torch.empty(size, dtype=torch.uint8, device="cpu")
        logits = torch.empty(batch, wanted, cfg.vocab_size, dtype=torch.float32, device="cpu")
        ids, kept = in_idx.contiguous(), (batch, cfg.n_heads, cfg.context_length, cfg.head_dim)
        pointers = ctypes.c_void_p * cfg.n_layers
        c.gpt2_step(
            ctypes.byref(self._model), ctypes.c_void_p(_pointer(ids, (batch, tokens), torch.int64)),
            *map(ctypes.c_int64, (batch, tokens, cache.length)),
            pointers(*(_pointer(layer.keys, kept) for layer in cache.layers)),
            pointers(*(_pointer(layer.values, kept) for layer in cache.layers)), ctypes.c_int64(wanted),
            ctypes.c_void_p(_pointer(logits, logits.shape)),
            ctypes.c_void_p(_pointer(memory, (size,), torch.uint8)), ctypes.c_int64(threads))
        cache.length += tokens
        return logits

    def _product(self, layers: Sequence[nn.Linear]) -> Product:
        made = [WeightMatrix(layer.weight, layer.bias, self.weights) for layer in layers]
        self._matrices += made
        return lambda x: _multiplied(made, x.to(self._dtype), torch.float32)

    def _output_layer(self, layer: nn.Linear) -> Product:
        if self.weights == "fp32":
            return self._product([layer])
        self._mean = mean = layer.weight.mean(0)  # (D,)
        around = WeightMatrix(layer.weight - mean, None, self.weights)
        self._matrices.append(around)
        return lambda x: _multiplied([around], x.to(self._dtype), torch.float32) + (x @ mean)[:, None]

    def _structures(self, model: GPTModel) -> tuple[_Model, ctypes.Array[_Block]]:
        """Return the C structures of the model and of its blocks; the caller must keep both alive."""
        *inside, head = (each.structure() for each in self._matrices)
        cfg, final = self.cfg, model.final_norm
        width = (cfg.emb_dim,)
        blocks = (_Block * cfg.n_layers)()
        for n, block in enumerate(cast(Sequence[TransformerBlock], model.trf_blocks)):
            norms = [_pointer(each, width) for norm in (block.norm1, block.norm2) for each in (norm.scale, norm.shift)]
            blocks[n] = _Block(*inside[6 * n : 6 * n + 6], *norms)
        return _Model(
            _pointer(self._tokens, (cfg.vocab_size, cfg.emb_dim)),
            _pointer(self._positions, (cfg.context_length, cfg.emb_dim)),
            *(_pointer(each, width) for each in (final.scale, final.shift, self._mean)), ctypes.addressof(blocks),
            head, cfg.emb_dim, cfg.n_heads, cfg.n_layers, cfg.context_length, final.eps,
        ), blocks


def _multiplied(matrices: Sequence[WeightMatrix], x: Tensor, dtype: torch.dtype, biased: bool = True) -> Tensor:
    """Multiply (N, in) by each matrix, and return the concatenated outputs (N, sum of out) in ``dtype``."""
    outputs = [len(each.values) for each in matrices]
    out = torch.empty(len(x), sum(outputs), dtype=dtype, device=x.device)
    for each, part in zip(matrices, out.split(outputs, dim=1), strict=True):
        each.multiply(x, part, each.bias if biased else None)
    return out


def _pointer(tensor: Tensor | None, shape: Sequence[int], dtype: torch.dtype = torch.float32) -> int | None:
    """Return the address of a tensor for C, after checking that it has the shape and dtype that C will read.

    Raises:
        TypeError: the tensor has a different shape or dtype, or is not a contiguous CPU tensor.
    """
    if tensor is None:
        return None
    if (tensor.shape, tensor.dtype, tensor.device.type) != (tuple(shape), dtype, "cpu") or not tensor.is_contiguous():
        raise TypeError(f"C reads {dtype} of {tuple(shape)}, not {tensor.dtype} of {tuple(tensor.shape)}")
    return tensor.data_ptr()
