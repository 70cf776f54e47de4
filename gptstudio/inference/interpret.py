"""Interpretability: attention step by step, the activations of the feed-forward networks, the prediction after each
layer, and the nearest tokens of a token.

Read in passes of their own (:mod:`gptstudio.gpt.activations`): decoding itself does not depend on them.

Shapes: T tokens, H heads, D width, V vocabulary, L layers, N the best.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from functools import cached_property

import numpy as np
import torch
from numpy.typing import NDArray
from torch import Tensor, nn

from gptstudio.errors import UserError
from gptstudio.gpt.activations import Check, go_on, hidden_states, kept, text_of
from gptstudio.gpt.decoder import READ_AT_ONCE
from gptstudio.gpt.model import GPTModel
from gptstudio.i18n import message
from gptstudio.inference.residual import ResidualStream

Floats = NDArray[np.floating]
OVERVIEW = 256
"""Rows and columns of a small map, at most."""


@dataclass(frozen=True, eq=False)
class Attention:
    """Attention of the heads of one layer (Vaswani et al., 2017), in the four steps of the book (§3.3 to §3.6).

    Attributes:
        scores: (H, T, T) queries times keys; a row for each token (query), and a column for each token attended to.
        head_dim: D/H, the length of a query.
        layer, layers: index of the layer, from 0, and number of layers in the model.
    """

    scores: Floats
    head_dim: int
    layer: int = 0
    layers: int = 1

    @property
    def read(self) -> int:
        """T, how many tokens the model read."""
        return int(self.scores.shape[-1])

    def head(self, head: int) -> Attention:
        """One head alone."""
        return replace(self, scores=self.scores[head : head + 1])

    @property
    def overview_block(self) -> int:
        """Tokens in a row of :attr:`overview`."""
        return -(-self.read // OVERVIEW)

    @cached_property
    def overview(self) -> Floats:
        """(H, S, S), S at most 256: the greatest weight of each block of :attr:`visible_weights`, for small maps."""
        block, (heads, rows, columns) = self.overview_block, self.scores.shape
        side = -(-columns // block)
        found = np.full((heads, side, side), -np.inf, dtype=self.scores.dtype)
        padded = np.full((side * block, side * block), -np.inf, dtype=self.scores.dtype)
        for head in range(heads):  # one at a time: each takes 4 MB for 1,024 tokens
            padded[:rows, :columns] = self.head(head).visible_weights[0]
            found[head] = padded.reshape(side, block, side, block).max(axis=(1, 3))
        return found

    @property
    def scaled(self) -> Floats:
        """Divided by the square root of the query's length."""
        scaled: Floats = self.scores / self.head_dim**0.5
        return scaled

    @property
    def masked(self) -> Floats:
        """-inf where a token would look at a later one."""
        rows, columns = self.scores.shape[-2:]
        later = np.triu(np.ones((rows, columns), dtype=bool), k=1 + columns - rows)
        return np.where(later, -np.inf, self.scaled)

    @property
    def weights(self) -> Floats:
        """Softmax of each row: where each token looks, in shares that sum to 1."""
        masked = self.masked
        powers: Floats = np.exp(masked - masked.max(axis=-1, keepdims=True))
        powers /= powers.sum(axis=-1, keepdims=True)
        return powers

    @property
    def visible_weights(self) -> Floats:
        """The weights, and -inf where a token cannot look, which is not the same as a weight of 0."""
        return np.where(np.isinf(self.masked), -np.inf, self.weights)


@dataclass(frozen=True, eq=False)
class Activations:
    """Activations of a feed-forward network between its two linear layers, for each token read (book §4.3).

    Attributes:
        before: (T, 4D) output of the first linear layer.
        after: (T, 4D) GELU of that.
        layer, layers: index of the layer, from 0, and number of layers in the model.
    """

    before: Floats
    after: Floats
    layer: int
    layers: int


@dataclass(frozen=True, eq=False)
class LogitLens:
    """Prediction of the model after each layer: its state through the last norm and the output layer (nostalgebraist,
    "interpreting GPT: the logit lens", 2020).

    Attributes:
        ids: (L + 1, T, N) the most likely tokens after each, the best first; row 0 is before the first block, row L the
            model's own.
        probabilities: (L + 1, T, N) their probabilities over the whole vocabulary.
        read: T, number of tokens that the model read.
        norms: (L + 1, T) of the state itself; updates, shares: (L, 2, T) what attention and MLP of each layer write, as
            :class:`gptstudio.inference.residual.ResidualStream` has them.
    """

    ids: NDArray[np.int64]
    probabilities: Floats
    read: int
    norms: Floats
    updates: Floats
    shares: Floats


@dataclass(frozen=True, eq=False)
class Neighbours:
    """The tokens whose embeddings point most nearly in the same direction as that of ``token``.

    Attributes:
        ids: (N,) the nearest first, without the token itself.
        cosines: (N,) from -1 to 1.
    """

    token: int
    ids: NDArray[np.int64]
    cosines: Floats


@torch.no_grad()
def attention(model: GPTModel, ids: Sequence[int], layer: int, check: Check = go_on) -> Attention:
    """Return the attention of one layer over the last C of the tokens, at least one. A layer number beyond the last
    means the last layer."""
    layers = model.cfg.n_layers
    layer, found = min(layer, layers - 1), dict[str, Tensor]()
    names = f"{layer}.attn.q", f"{layer}.attn.k"
    hidden_states(model, text_of(model, ids), kept(found, names), check)
    queries, keys = (found[name][0] for name in names)  # (H, T, D/H) each
    scores = (queries @ keys.transpose(1, 2)).float().cpu().numpy()
    return Attention(scores, model.cfg.head_dim, layer, layers)


@torch.no_grad()
def activations(model: GPTModel, ids: Sequence[int], layer: int, check: Check = go_on) -> Activations:
    """Return the activations of one layer for the last C of the tokens, at least one. A layer number beyond the last
    means the last layer."""
    layers = model.cfg.n_layers
    layer, found = min(layer, layers - 1), dict[str, Tensor]()
    names = f"{layer}.mlp.pre", f"{layer}.mlp.post"
    hidden_states(model, text_of(model, ids), kept(found, names), check)
    before, after = (found[name][0].float().cpu().numpy() for name in names)
    return Activations(before, after, layer, layers)


@torch.no_grad()
def logit_lens(model: GPTModel, ids: Sequence[int], best: int = 3, check: Check = go_on) -> LogitLens:
    """Return the prediction of each layer after each of the last C of the tokens, at least one."""
    count, stream = min(best, model.cfg.vocab_size), ResidualStream()
    hidden_states(model, text_of(model, ids), stream, check)
    tokens = torch.cat(stream.states)  # ((L + 1) T, D)
    found = []
    for some in tokens.split(READ_AT_ONCE):
        check()
        found.append(_best(model.out_head(model.final_norm(some)), count))
    best_ids, probabilities = (torch.cat(each).view(len(stream.states), -1, count) for each in zip(*found, strict=True))
    return LogitLens(
        best_ids.cpu().numpy(), probabilities.cpu().numpy(), len(stream.states[0]), stream.norms, stream.updates,
        stream.shares)


@torch.no_grad()
def neighbours(model: GPTModel, token: int, count: int = 12) -> Neighbours:
    """The nearest of the token embeddings by cosine.

    Raises:
        UserError: the model has no such token.
    """
    if token >= model.cfg.vocab_size:
        vocabulary = f"{model.cfg.vocab_size:,}"
        raise UserError(message(
            "This model has no token {token}; its token IDs are below {vocabulary}. Choose another token.",
            token=f"{token:,}", vocabulary=vocabulary,
        ))
    embedding = model.tok_emb.weight.float()
    cosines = nn.functional.cosine_similarity(embedding, embedding[token : token + 1])  # (V,)
    cosines[token] = -torch.inf
    nearest = torch.topk(cosines, min(count, len(cosines) - 1))
    return Neighbours(token, nearest.indices.cpu().numpy(), nearest.values.cpu().numpy())


def _best(logits: Tensor, count: int) -> tuple[Tensor, Tensor]:
    """(T, V) -> ids and probabilities of the likeliest, (T, N) each."""
    likeliest = torch.topk(torch.softmax(logits.float(), dim=-1), count)
    return likeliest.indices, likeliest.values
