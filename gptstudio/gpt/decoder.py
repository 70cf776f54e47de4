"""The model as a decoder: from the tokens so far to the logits of the next one, computing only what is new."""

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
"""Tokens of a given text whose logits are computed together: 13 MB of them with GPT-2's vocabulary."""

PRECISIONS: dict[str, tuple[Weights, ...]] = {"cpu": ("fp32", "bf16", "int8"), "cuda": ("fp32", "bf16")}
"""Kind of device -> the precisions in which decoding can read the weights."""

Ids = list[int]


class Decoder:
    """Model with the keys and values of the texts that it has read.

    On the fast path they are kept between calls, also when a text goes back and takes another branch. Past the context
    length the window slides, ``ids[-C:]`` as in the book (§4.7): every token then has another position, and all is
    computed again. The reference path always does so: not even the order of additions differs from the book's.
    """

    def __init__(
        self, model: GPTModel, name: str = "", weights: Weights | None = None, compiled: bool = False,
        tokenizer: Tokenizer = GPT2,
    ):
        """
        Args:
            name: of the model, as the user knows it.
            weights: the precision of a packed copy of the matrices that decodes faster, on a CPU and the fast path;
                None: no copy.
            compiled: on a GPU, torch compiles that copy when it is first used, which takes seconds.
            tokenizer: how the model reads and writes text.
        """
        self.model, self.name, self._weights, self._compiled = model, name, weights, compiled
        self.tokenizer = tokenizer
        self._packed: list[PackedModel | GraphModel | None] = []  # shared by the decoders of one model
        self._cache: KVCache | None = None
        self._cached: list[Ids] = []  # for each row of the cache its text, of which the first cache.length are kept

    def sibling(self) -> Decoder:
        """Return a decoder of the same weights with keys and values of its own."""
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
        """Return the logits of the token after each text, (B, V) in float32 on the processor; the texts are equally
        long."""
        if not isinstance(self.model, FastGPTModel):
            return self._reference([ids[-self.context :] for ids in texts])[:, -1]
        if len(texts[0]) > self.context:
            return self._compute([ids[-self.context :] for ids in texts], last_only=True)[:, -1]
        cache = self._cache_for(texts, len(texts[0]) - 1)
        return self._compute([ids[cache.length :] for ids in texts], cache, last_only=True)[:, -1]

    @torch.no_grad()
    def read(self, ids: Ids, first: int = 1) -> Iterator[tuple[int, Tensor]]:
        """For each token of a text from position ``first`` on, its position and the logits (V,) that the model had for
        it. The model reads the last C tokens; for what is before them, and for the first of them, it has none.
        """
        begin = max(0, len(ids) - self.context)
        seen = ids[begin:-1]
        at_once = READ_AT_ONCE if isinstance(self.model, FastGPTModel) else self.context
        for start in range(max(0, first - begin - 1), len(seen), at_once):
            for offset, logits in enumerate(self._logits_after(seen[: start + at_once], start)):
                yield begin + start + offset + 1, logits

    def _logits_after(self, ids: Ids, start: int) -> Tensor:
        """Return the logits after each token from ``start`` on, (T, V)."""
        if not isinstance(self.model, FastGPTModel):
            return self._reference([ids])[0, start:]
        cache = self._cache_for([ids], start)
        if cache.length < start:  # nobody asks for the logits there
            self._compute([ids[cache.length : start]], cache, last_only=True)
        return self._compute([ids[start:]], cache)[0]

    def _reference(self, texts: Sequence[Ids]) -> Tensor:
        """Return all logits of equally long texts, (B, T, V), computed without a cache."""
        logits: Tensor = self.model(torch.tensor(texts, device=self.model.tok_emb.weight.device))
        return logits.float().cpu()

    def _compute(self, texts: Sequence[Ids], cache: KVCache | None = None, last_only: bool = False) -> Tensor:
        model = self._fast_model()
        device = "cpu" if isinstance(model, GraphModel) else self.model.tok_emb.weight.device
        return model(torch.tensor(texts, device=device), cache=cache, last_only=last_only).float().cpu()

    def _fast_model(self) -> GPTModel | PackedModel | GraphModel:
        """Return the packed model, packed on first use; the model itself if there is none.

        Raises:
            UserError: there is not enough memory for weights in fewer bits. Those of float32 are then used unpacked.
        """
        if not self._packed:
            self._packed.append(pack_weights(self.model, self._weights, self._compiled) if self._weights else None)
        return self._packed[0] or self.model

    def _cache_for(self, texts: Sequence[Ids], most: int) -> KVCache:
        """Return the cache, truncated to at most the first ``most`` tokens that these texts share with it.

        It grows only after the other tokens have been computed: cancelling or failing in between leaves it valid.
        """
        if self._cache is None:
            model, weight = self._fast_model(), self.model.tok_emb.weight
            dtype = model.dtype if isinstance(model, GraphModel) else weight.dtype
            self._cache = KVCache(self.model.cfg, len(texts), weight.device, dtype)
            self._cached = [[] for _ in texts]
        elif self._cache.batch != len(texts) or len(texts) > 1:
            rows = [self._most_alike(ids) for ids in texts]
            if rows != list(range(self._cache.batch)):  # beams that part from each other exchange their rows
                if len(rows) == self._cache.batch:
                    self._cache.reorder(rows)
                else:
                    self._cache = self._cache.select(rows, cleared=isinstance(self._fast_model(), GraphModel))
                self._cached = [self._cached[row] for row in rows]
        common = min(_common(kept, ids) for kept, ids in zip(self._cached, texts, strict=True))
        self._cache.truncate(min(common, most))
        self._cached = [list(ids) for ids in texts]
        return self._cache

    def _most_alike(self, ids: Ids) -> int:
        """Return the row of the cache with the longest common prefix."""
        return max(range(len(self._cached)), key=lambda row: _common(self._cached[row], ids))


def greedy(
    model: GPTModel, ids: Sequence[int], new_tokens: int, weights: Weights | None = None,
    check: Callable[[], None] = lambda: None,
) -> list[int]:
    """``ids`` and the likeliest next token, ``new_tokens`` times; on the reference path without a cache, as in the
    book, so that not even the order of additions differs. ``weights``: as for :class:`Decoder`; ``check`` is called
    before each token, and what it raises ends the work."""
    text, decoder = list(ids), Decoder(model, weights=weights)
    for _ in range(new_tokens):
        check()
        text.append(int(decoder.next_logits([text])[0].argmax()))
    return text


def pack_weights(model: GPTModel, weights: Weights, compiled: bool = False) -> PackedModel | GraphModel | None:
    """Return a copy of the model that decodes faster; None if none is available, or if memory is short for float32.

    Raises:
        UserError: fewer bits were requested and are not available.
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
    if one[:length] == other[:length]:  # as a rule, and much faster
        return length
    return next(i for i in range(length) if one[i] != other[i])
