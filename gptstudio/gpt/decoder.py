"""Decoder: computes the logits of the next token from the tokens so far, reusing cached keys and values."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence

import torch
from torch import Tensor

from gptstudio import devices
from gptstudio.errors import UserError
from gptstudio.gpt import native_library
from gptstudio.gpt.config import GPTConfig
from gptstudio.gpt.fast import FastGPTModel
from gptstudio.gpt.fast.graph_model import GraphModel
from gptstudio.gpt.fast.kv_cache import KVCache
from gptstudio.gpt.fast.native_model import NativeModel
from gptstudio.gpt.fast.packed_model import PackedModel
from gptstudio.gpt.memory import Weights, copied_bytes
from gptstudio.gpt.model import GPTModel
from gptstudio.gpt.tokenizer import GPT2, Tokenizer
from gptstudio.i18n import message

READ_AT_ONCE = 64
"""Number of tokens of a text whose logits are computed together: 13 MB with GPT-2's vocabulary."""

PRECISIONS: dict[str, tuple[Weights, ...]] = {"cpu": ("fp32", "bf16", "int8"), "cuda": ("fp32", "bf16")}
"""Weight precisions available for decoding, by kind of device."""

Ids = list[int]


class Decoder:
    """Model with the cached keys and values of the texts that it has read.

    On the fast path they are kept between calls, even if a text is shortened and continued differently. Past the
    context length the window slides, ``ids[-C:]`` as in the book (§4.7): every token then has a different position, and
    everything is computed again. The reference path has no cache, so that even the order of additions is the book's.
    """

    def __init__(
        self, model: GPTModel, name: str = "", weights: Weights | None = None, compiled: bool = False,
        tokenizer: Tokenizer = GPT2,
    ):
        """
        Args:
            name: display name of the model.
            weights: precision of a copy of the matrices that decodes faster, on the fast path; None for no copy.
            compiled: on a GPU, torch compiles that copy on first use, which takes seconds.
            tokenizer: the model's tokenizer.
        """
        self.model, self.name, self._weights, self._compiled = model, name, weights, compiled
        self.tokenizer = tokenizer
        self._packed: list[PackedModel | GraphModel | None] = []  # shared by the decoders of one model
        self._cache: KVCache | None = None
        self._cached: list[Ids] = []  # the text of each cache row; its first cache.length tokens are cached

    def sibling(self) -> Decoder:
        """Return a decoder that shares the weights but has its own keys and values."""
        other: Decoder = type(self)(self.model, self.name, self._weights, self._compiled, self.tokenizer)
        other._packed = self._packed
        return other

    @property
    def config(self) -> GPTConfig:
        return self.model.cfg

    @property
    def context(self) -> int:
        return self.config.context_length

    @torch.no_grad()
    def next_logits(self, texts: Sequence[Ids]) -> Tensor:
        """Return the logits of the token after each text, (B, V) in float32 on the CPU; texts have equal lengths."""
        if not isinstance(self.model, FastGPTModel):
            return self._reference([ids[-self.context :] for ids in texts])[:, -1]
        if len(texts[0]) > self.context:
            return self._compute([ids[-self.context :] for ids in texts], last_only=True)[:, -1]
        cache = self._cache_for(texts, len(texts[0]) - 1)
        return self._compute([ids[cache.length :] for ids in texts], cache, last_only=True)[:, -1]

    @torch.no_grad()
    def read(self, ids: Ids, first: int = 1) -> Iterator[tuple[int, Tensor]]:
        """Yield the position of each token of a text from ``first`` on, and the logits (V,) that predict it.

        The model reads the last C tokens; the tokens before them and the first of them have no logits.
        """
        begin = max(0, len(ids) - self.context)
        seen = ids[begin:-1]
        at_once = READ_AT_ONCE if isinstance(self.model, FastGPTModel) else self.context
        for start in range(max(0, first - begin - 1), len(seen), at_once):
            for offset, logits in enumerate(self._logits_after(seen[: start + at_once], start)):
                yield begin + start + offset + 1, logits

    def _logits_after(self, ids: Ids, start: int) -> Tensor:
        """Return the logits (T, V) after each token from ``start`` on."""
        if not isinstance(self.model, FastGPTModel):
            return self._reference([ids])[0, start:]
        cache = self._cache_for([ids], start)
        if cache.length < start:  # their logits are not needed
            self._compute([ids[cache.length : start]], cache, last_only=True)
        return self._compute([ids[start:]], cache)[0]

    def _reference(self, texts: Sequence[Ids]) -> Tensor:
        """Return all logits (B, T, V) of texts of the same length, computed without a cache."""
        logits: Tensor = self.model(torch.tensor(texts, device=self.model.tok_emb.weight.device))
        return logits.float().cpu()

    def _compute(self, texts: Sequence[Ids], cache: KVCache | None = None, last_only: bool = False) -> Tensor:
        model = self._fast_model()
        device = "cpu" if isinstance(model, GraphModel) else self.model.tok_emb.weight.device
        return model(torch.tensor(texts, device=device), cache=cache, last_only=last_only).float().cpu()

    def _fast_model(self) -> GPTModel | PackedModel | GraphModel:
        """Return the packed copy, created on first use; the model itself if there is none.

        Raises:
            UserError: there is not enough memory for a copy with fewer bits; without memory for a float32 copy, the
                model itself is used.
        """
        if not self._packed:
            self._packed.append(pack_weights(self.model, self._weights, self._compiled) if self._weights else None)
        return self._packed[0] or self.model

    def _cache_for(self, texts: Sequence[Ids], most: int) -> KVCache:
        """Return the cache, truncated to the prefix that these texts share with it, at most ``most`` tokens.

        The cache grows only after the remaining tokens have been computed, so it stays valid on cancellation or
        failure.
        """
        if self._cache is None:
            model, weight = self._fast_model(), self.model.tok_emb.weight
            masked = isinstance(model, GraphModel)
            dtype = model.dtype if isinstance(model, GraphModel) else weight.dtype
            self._cache = KVCache(self.model.cfg, len(texts), weight.device, dtype, masked)
            self._cached = [[] for _ in texts]
        elif self._cache.batch != len(texts) or len(texts) > 1:
            rows = [self._most_alike(ids) for ids in texts]
            if rows != list(range(self._cache.batch)):  # beams that diverge exchange their rows
                if len(rows) == self._cache.batch:
                    self._cache.reorder(rows)
                else:
                    self._cache = self._cache.select(rows)
                self._cached = [self._cached[row] for row in rows]
        common = min(_common(kept, ids) for kept, ids in zip(self._cached, texts, strict=True))
        self._cache.truncate(min(common, most))
        self._cached = [list(ids) for ids in texts]
        return self._cache

    def _most_alike(self, ids: Ids) -> int:
        """Return the cache row with the longest common prefix."""
        return max(range(len(self._cached)), key=lambda row: _common(self._cached[row], ids))


def revision(model: GPTModel) -> tuple[tuple[int, int], ...]:
    """Return a value that differs after the weights of a model were replaced, or changed in place. PyTorch counts no
    changes of ``weight.data`` in place, and none of tensors that were created in inference mode."""
    return tuple((each.data_ptr(), _changes(each)) for each in model.parameters())


def _changes(tensor: Tensor) -> int:
    try:
        return tensor._version  # noqa: SLF001 - no public name
    except RuntimeError:  # created in inference mode
        return 0


def greedy(
    model: GPTModel, ids: Sequence[int], new_tokens: int, weights: Weights | None = None,
    check: Callable[[], None] = lambda: None,
) -> list[int]:
    """Return ``ids`` followed by ``new_tokens`` tokens, each the most likely one.

    On the reference path no cache is used, so that even the order of additions is the book's. ``weights``: as for
    :class:`Decoder`. ``check`` is called before each token and can raise an exception to cancel.
    """
    text, decoder = list(ids), Decoder(model, weights=weights)
    for _ in range(new_tokens):
        check()
        text.append(int(decoder.next_logits([text])[0].argmax()))
    return text


def pack_weights(model: GPTModel, weights: Weights, compiled: bool = False) -> PackedModel | GraphModel | None:
    """Return a copy of the model that decodes faster; None if there is none, or no memory for it in float32.

    Raises:
        UserError: fewer bits were requested, but are not available or do not fit into memory.
    """
    device = devices.choose(str(model.tok_emb.weight.device))
    if not isinstance(model, FastGPTModel) or device.kind not in PRECISIONS or weights not in PRECISIONS[device.kind]:
        if weights != "fp32":
            raise UserError(message(
                "Decoding with {weights} weights does not work on {name}. Choose fp32, or the CPU.",
                weights=weights, name=device.name,
            ))
        return None
    needed = copied_bytes(model.cfg, weights, device.kind)
    if weights == "fp32" and needed > device.free_bytes:
        return None
    devices.check_memory(needed, device, message("for a copy of the weights in {weights}", weights=weights))
    if device.kind == "cuda":
        return GraphModel(model, weights, compiled)
    read_by_c = native_library.library() and all(each.dtype == torch.float32 for each in model.parameters())
    return (NativeModel if read_by_c else PackedModel)(model, weights)


def _common(one: Ids, other: Ids) -> int:
    """Return the length of the common prefix of two texts, in tokens."""
    length = min(len(one), len(other))
    if one[:length] == other[:length]:  # the usual case, and much faster
        return length
    return next(i for i in range(length) if one[i] != other[i])
