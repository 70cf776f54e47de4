"""Interpretability: attention, activations of the feed-forward networks, the prediction after each layer, and nearest
tokens.

Everything is read in separate passes (:mod:`gptstudio.gpt.activations`), on which decoding does not depend. The outputs
of attention and feed-forward networks are the only changes of the residual stream (Elhage et al., "A Mathematical
Framework for Transformer Circuits", 2021): each state is the sum of the embedding and all updates before it.

Shapes: T tokens, H heads, D width, V vocabulary, L layers, N listed tokens.
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
from gptstudio.gpt.activations import Check, hidden_states, kept, no_check, text_of
from gptstudio.gpt.decoder import READ_AT_ONCE
from gptstudio.gpt.model import GPTModel
from gptstudio.gpt.sampling.arrays import Floats
from gptstudio.gpt.sampling.sampler import check_finite
from gptstudio.i18n import message
from gptstudio.inference.flow import AttentionSource, FlowStep, TextAttention


class ResidualStream:
    """Recorder of the residual stream in one pass of a model over one text; passed as ``change``, it changes nothing.

    Attributes:
        states: L + 1 states (T, D): after the embedding, and after each block; the last is the input of the last norm.
    """

    def __init__(self) -> None:
        self.states: list[Tensor] = []
        self._norms: list[Tensor] = []  # (T,) of the embedding, and after each update
        self._updates: list[Tensor] = []  # (T,) of attention and MLP alternately

    def __call__(self, name: str, out: Tensor) -> Tensor:
        match name.split("."):
            case "0", "resid_pre":
                self.states.append(out[0])
                self._norms.append(_norm(out[0]))
            case _, "attn_out":
                self.states.append(self.states[-1])  # state after this block, completed by the MLP
                self._add(out[0])
            case _, "mlp_out":
                self._add(out[0])
        return out

    @property
    def norms(self) -> Floats:
        """L2 norms of the states, (L + 1, T)."""
        return _numbers(self._norms[::2])

    @property
    def updates(self) -> Floats:
        """L2 norms of the outputs of attention and MLP, (L, 2, T)."""
        return _numbers(self._updates).reshape(-1, 2, self.states[0].shape[0])

    @property
    def shares(self) -> Floats:
        """Norms of the updates, divided by the norm of the stream before each, (L, 2, T); 0 if that is 0."""
        before = _numbers(self._norms[:-1]).reshape(self.updates.shape)
        return np.divide(self.updates, before, out=np.zeros_like(before), where=before > 0)

    def _add(self, update: Tensor) -> None:
        self._updates.append(_norm(update))
        self.states[-1] = self.states[-1] + update
        self._norms.append(_norm(self.states[-1]))


def _norm(x: Tensor) -> Tensor:
    norm: Tensor = torch.linalg.vector_norm(x.float(), dim=-1)
    return norm


def _numbers(rows: Sequence[Tensor]) -> Floats:
    numbers: Floats = torch.stack(list(rows)).cpu().numpy()
    return numbers


OVERVIEW = 256
"""Maximum number of rows and columns of a small map."""


@dataclass(frozen=True, eq=False)
class Attention:
    """Attention of the heads of one layer (Vaswani et al., 2017), in the four steps of the book (§3.3 to §3.6).

    Attributes:
        scores: queries times keys, (H, T, T), with a row for each query and a column for each key.
        head_dim: D/H, the length of a query.
        layer, layers: index of the layer, from 0, and number of layers in the model.
    """

    scores: Floats
    head_dim: int
    layer: int = 0
    layers: int = 1

    @property
    def read(self) -> int:
        """Number of tokens that the model read, T."""
        return int(self.scores.shape[-1])

    def head(self, head: int) -> Attention:
        """Return the attention of one head."""
        return replace(self, scores=self.scores[head : head + 1])

    @property
    def overview_block(self) -> int:
        """Number of tokens per row of :attr:`overview`."""
        return -(-self.read // OVERVIEW)

    @cached_property
    def overview(self) -> Floats:
        """Maximum of each block of :attr:`visible_weights`, for small maps: (H, S, S), S at most 256."""
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
        """Scores divided by the square root of the query's length."""
        scaled: Floats = self.scores / self.head_dim**0.5
        return scaled

    @property
    def masked(self) -> Floats:
        """Scaled scores, -inf where a token would attend to a later one."""
        rows, columns = self.scores.shape[-2:]
        later = np.triu(np.ones((rows, columns), dtype=bool), k=1 + columns - rows)
        return np.where(later, -np.inf, self.scaled)

    @property
    def weights(self) -> Floats:
        """Attention weights, the softmax of each row."""
        masked = self.masked
        powers: Floats = np.exp(masked - masked.max(axis=-1, keepdims=True))
        powers /= powers.sum(axis=-1, keepdims=True)
        return powers

    @property
    def visible_weights(self) -> Floats:
        """Attention weights, with -inf instead of 0 for masked positions, to distinguish them from weights of 0."""
        return np.where(np.isinf(self.masked), -np.inf, self.weights)


@dataclass(frozen=True, eq=False)
class Activations:
    """Activations of a feed-forward network between its two linear layers, for each token read (book §4.3).

    Attributes:
        before: output of the first linear layer, (T, 4D).
        after: GELU of it, (T, 4D).
        layer, layers: index of the layer, from 0, and number of layers in the model.
    """

    before: Floats
    after: Floats
    layer: int
    layers: int


@dataclass(frozen=True, eq=False)
class LogitLens:
    """Prediction of the model after each layer, computed from its state with the last norm and the output layer
    (nostalgebraist, "interpreting GPT: the logit lens", 2020).

    Attributes:
        ids: the most likely tokens after each layer, best first, (L + 1, T, N); row 0 is before the first block, row L
            is the prediction of the model.
        probabilities: their probabilities over the whole vocabulary, (L + 1, T, N).
        read: number of tokens that the model read, T.
        norms, updates, shares: as in :class:`ResidualStream`.
    """

    ids: NDArray[np.int64]
    probabilities: Floats
    read: int
    norms: Floats
    updates: Floats
    shares: Floats

    def flow(self, column: int) -> list[FlowStep]:
        """Return the stages at one token: embedding, each block, logits."""
        def step(row: int, layer: int | None = None) -> FlowStep:
            updates, shares = (
                (self.updates[layer, :, column], self.shares[layer, :, column]) if layer is not None else ((), ()))
            return FlowStep(
                layer, float(self.norms[row, column]), tuple(map(float, updates)), tuple(map(float, shares)),
                int(self.ids[row, column, 0]), float(self.probabilities[row, column, 0]))

        layers = len(self.updates)
        return [step(0), *(step(layer + 1, layer) for layer in range(layers)), step(layers)]


@dataclass(frozen=True, eq=False)
class Neighbours:
    """Tokens whose embeddings have the highest cosine similarity to the embedding of ``token``.

    Attributes:
        ids: token ids without the token itself, nearest first, (N,).
        cosines: cosine similarities, (N,).
    """

    token: int
    ids: NDArray[np.int64]
    cosines: Floats


@torch.no_grad()
def attention(model: GPTModel, ids: Sequence[int], layer: int, check: Check = no_check) -> Attention:
    """Return the attention of one layer over the last C tokens, at least one. A layer number that is too large means
    the last layer."""
    layers = model.cfg.n_layers
    layer, found = min(layer, layers - 1), dict[str, Tensor]()
    names = f"{layer}.attn.q", f"{layer}.attn.k"
    hidden_states(model, text_of(model, ids), kept(found, names), check)
    queries, keys = (found[name][0] for name in names)  # (H, T, D/H) each
    scores = (queries @ keys.transpose(1, 2)).float().cpu().numpy()
    return Attention(scores, model.cfg.head_dim, layer, layers)


@torch.no_grad()
def activations(model: GPTModel, ids: Sequence[int], layer: int, check: Check = no_check) -> Activations:
    """Return the activations of one layer for the last C tokens, at least one. A layer number that is too large means
    the last layer."""
    layers = model.cfg.n_layers
    layer, found = min(layer, layers - 1), dict[str, Tensor]()
    names = f"{layer}.mlp.pre", f"{layer}.mlp.post"
    hidden_states(model, text_of(model, ids), kept(found, names), check)
    before, after = (found[name][0].float().cpu().numpy() for name in names)
    return Activations(before, after, layer, layers)


@torch.no_grad()
def logit_lens(model: GPTModel, ids: Sequence[int], best: int = 3, check: Check = no_check) -> LogitLens:
    """Return the prediction of each layer after each of the last C tokens, at least one."""
    count, stream = min(best, model.cfg.vocab_size), ResidualStream()
    hidden_states(model, text_of(model, ids), stream, check)
    tokens = torch.cat(stream.states)  # ((L + 1) T, D)
    found = []
    for some in tokens.split(READ_AT_ONCE):
        check()
        logits = model.out_head(model.final_norm(some))
        found.append(torch.topk(torch.softmax(logits.float(), dim=-1), count))
    probabilities, best_ids = (torch.cat(each).view(len(stream.states), -1, count) for each in zip(*found, strict=True))
    return LogitLens(
        best_ids.cpu().numpy(), probabilities.cpu().numpy(), len(stream.states[0]), stream.norms, stream.updates,
        stream.shares)


@torch.no_grad()
def neighbours(model: GPTModel, token: int, count: int = 12) -> Neighbours:
    """Return the tokens with the nearest embeddings by cosine similarity.

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


def text_attention(
    model: GPTModel, ids: Sequence[int], source: AttentionSource, check: Check = no_check
) -> TextAttention:
    """Return the attention between the last C tokens. Layer and head numbers that are too large mean the last ones.

    Raises:
        BrokenLogits: the weights are not finite.
    """
    if source.kind == "rollout":
        weights = attention_rollout(model, ids, check).cpu().numpy()
    else:
        of_layer = attention(model, ids, source.layer, check)
        heads = len(of_layer.scores)
        if source.kind == "head":
            weights = of_layer.head(min(source.head, heads - 1)).weights[0]
        else:
            weights = np.zeros_like(of_layer.scores[0])
            for head in range(heads):  # one at a time: each takes 4 MB for 1,024 tokens
                check()
                weights += of_layer.head(head).weights[0] / heads
    check_finite(weights)
    return TextAttention(weights)


@torch.no_grad()
def attention_rollout(model: GPTModel, ids: Sequence[int], check: Check = no_check) -> Tensor:
    """Return attention rollout over all layers, (T, T): the product of the matrices 0.5 A + 0.5 I of all layers, where
    A is the mean over the heads and I represents the residual stream (Abnar and Zuidema, "Quantifying Attention Flow in
    Transformers", 2020, §3)."""
    text = text_of(model, ids)
    identity = torch.eye(text.shape[1], device=text.device)
    rolled = identity

    def add(name: str, out: Tensor) -> Tensor:
        nonlocal rolled
        if name.endswith(".attn.pattern"):
            mixed = 0.5 * out[0].float().mean(dim=0) + 0.5 * identity
            rolled = (mixed / mixed.sum(dim=-1, keepdim=True)) @ rolled
        return out

    hidden_states(model, text, add, check)
    return rolled
