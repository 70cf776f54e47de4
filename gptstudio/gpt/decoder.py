"""The model as a decoder: from the tokens so far to the logits of the next one, computing only what is new."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

import torch
from torch import Tensor

from gptstudio import devices
from gptstudio.errors import UserError
from gptstudio.gpt import sizing
from gptstudio.gpt.fast.packed_model import PackedModel
from gptstudio.gpt.model import GPTModel, KVCache
from gptstudio.gpt.sizing import Weights

READ_AT_ONCE = 64
"""Tokens of a given text whose logits are computed together: 13 MB of them with GPT-2's vocabulary."""

Ids = list[int]


class Decoder:
    """Keeps keys and values between calls on the fast path, also when a text goes back and takes another branch.

    Past the context length the window slides, ``ids[-C:]`` as in the seeds; every token then has another position, and
    all is computed anew. So it is on the reference path always, so that not even the order of additions differs from
    the seeds'.
    """

    def __init__(self, model: GPTModel, name: str = "", weights: Weights | None = None):
        """
        Args:
            name: of the model, as its user knows it.
            weights: as what a copy of the model's matrices is laid out to decode faster, on a processor and the fast
                path; None: no copy.
        """
        self.model, self.name, self._weights = model, name, weights
        self._quick: list[PackedModel | None] = []  # shared with those beside
        self._cache: KVCache | None = None
        self._kept: list[Ids] = []  # for each row of the cache a text; of its tokens the first, cache.length, are kept

    def beside(self) -> Decoder:
        """Another with the same weights, and keys and values of its own."""
        other = Decoder(self.model, self.name, self._weights)
        other._quick = self._quick
        return other

    @property
    def context(self) -> int:
        return self.model.cfg.context_length

    @torch.no_grad()
    def next_logits(self, texts: Sequence[Ids]) -> Tensor:
        """The logits of the token after each text, (B, V) in float32; the texts are equally long."""
        if self.model.path == "reference" or len(texts[0]) > self.context:
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
        at_once = READ_AT_ONCE if self.model.path == "fast" else self.context
        for start in range(max(0, first - begin - 1), len(seen), at_once):
            for offset, logits in enumerate(self._logits_after(seen[: start + at_once], start)):
                yield begin + start + offset + 1, logits

    def _logits_after(self, ids: Ids, start: int) -> Tensor:
        """The logits after each token from ``start`` on, (T, V)."""
        if self.model.path == "reference":
            return self._compute([ids])[0, start:]
        cache = self._cache_for([ids], start)
        if cache.length < start:  # nobody asks for the logits there
            self._compute([ids[cache.length : start]], cache, last_only=True)
        return self._compute([ids[start:]], cache)[0]

    def _compute(self, texts: Sequence[Ids], cache: KVCache | None = None, last_only: bool = False) -> Tensor:
        rows = torch.tensor(texts, device=self.model.tok_emb.weight.device)
        return self._reader()(rows, cache, last_only=last_only).float()

    def _reader(self) -> GPTModel | PackedModel:
        """What reads tokens; laid out when it first does.

        Raises:
            UserError: there is no room for weights in fewer bits. Those of float32 are then read as they are.
        """
        if not self._quick:
            self._quick.append(pack(self.model, self._weights) if self._weights else None)
        return self._quick[0] or self.model

    def _cache_for(self, texts: Sequence[Ids], most: int) -> KVCache:
        """The cache with what it keeps of the first ``most`` tokens of these texts, for the others to be computed.

        It grows when they have been: whoever stops half-way, or fails, leaves it as true as it was.
        """
        if self._cache is None:
            weight = self.model.tok_emb.weight
            self._cache = KVCache(self.model.cfg, len(texts), weight.device, weight.dtype)
            self._kept = [[] for _ in texts]
        elif self._cache.batch != len(texts):
            rows = [self._most_alike(ids) for ids in texts]
            self._cache, self._kept = self._cache.of(rows), [self._kept[row] for row in rows]
        common = min(_common(kept, ids) for kept, ids in zip(self._kept, texts, strict=True))
        self._cache.truncate(min(common, most))
        self._kept = [list(ids) for ids in texts]
        return self._cache

    def _most_alike(self, ids: Ids) -> int:
        """The row of the cache that this text has most in common with."""
        return max(range(len(self._kept)), key=lambda row: _common(self._kept[row], ids))


def greedy(model: GPTModel, ids: Sequence[int], new_tokens: int, weights: Weights | None = None) -> list[int]:
    """``ids`` and the likeliest next token, ``new_tokens`` times; on the reference path without a cache, as in the
    seeds, so that not even the order of additions differs. ``weights``: as for :class:`Decoder`."""
    text, decoder = list(ids), Decoder(model, weights=weights)
    for _ in range(new_tokens):
        text.append(int(decoder.next_logits([text])[0].argmax()))
    return text


def pack(model: GPTModel, weights: Weights) -> PackedModel | None:
    """A copy of the model that decodes faster; None where there is none to be had, or no room for it in float32.

    Raises:
        UserError: fewer bits were asked for and cannot be had.
    """
    device = devices.choose(str(model.tok_emb.weight.device))
    if device.kind != "cpu" or model.path == "reference":
        if weights != "fp32":
            raise UserError(
                f"Decoding with {weights} weights works only on the CPU, but this model is on {device.name}. Choose "
                "fp32, or the CPU."
            )
        return None
    needed = sizing.packed_bytes(model.cfg, weights)
    if weights == "fp32" and needed > device.free_bytes:
        return None
    devices.check_memory(needed, device, f"for a copy of the weights in {weights}")
    return PackedModel(model, weights)


def _common(one: Ids, other: Ids) -> int:
    """How many tokens two texts have in common at their beginning."""
    length = min(len(one), len(other))
    if one[:length] == other[:length]:  # as a rule, and much faster
        return length
    return next(i for i in range(length) if one[i] != other[i])
