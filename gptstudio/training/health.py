"""Health of a model in training, for each layer: whether gradients reach it, whether its weights change, and whether
its units and heads are in use.

A part of the model is an embedding, the attention of a block with the norm before it, its feed-forward network with the
norm before it, the last norm, or the output layer. Gradients and weights are read right after the step, so that they
are correct even if a stop interrupts the evaluation; activations are read at the evaluation, in one pass over the
beginning of the validation text, without dropout. No random numbers are drawn.
"""

from __future__ import annotations

import math
from collections.abc import Iterator, Mapping
from typing import NamedTuple

import torch
from torch import Tensor

from gptstudio.gpt.activations import hidden_states, kept
from gptstudio.gpt.fast import native_training
from gptstudio.gpt.model import GPTModel, causal_mask
from gptstudio.i18n import message
from gptstudio.training.events import (
    ActivationsRead,
    BlockActivations,
    Event,
    PartName,
    PartUpdate,
    UpdatesRead,
    Warned,
)
from gptstudio.training.freezing import trained
from gptstudio.training.measurements import Measurement, few_logits, short
from gptstudio.training.optimizer import clip_factor, gradient_values
from gptstudio.training.spec import TrainSpec
from gptstudio.training.train_state import TrainState

SAMPLED = 4_096
"""Maximum number of weights of a tensor whose change is measured: a few thousand give the ratio within a few percent,
and a copy of all weights would double the memory of the model."""
MEASURED_TOKENS = 64
"""Maximum number of tokens of the validation text whose activations are measured."""
LOGIT_TOKENS = 8
"""Number of these tokens, evenly spaced, for measuring logits; all tokens would take as long as all blocks."""
DEAD_BELOW = 1e-3
"""A unit of a feed-forward network is dead if its activation is closer to zero than this at every measured token. For
GELU this means inputs below about -3.5, where its slope is less than 0.004, so that hardly any gradient reaches the
unit. Inputs near zero also qualify, but do not occur at every token."""


class Part(NamedTuple):
    """Part of the model: its name, and its block, counted from 0."""

    name: PartName
    block: int | None = None


OUTSIDE_BLOCKS: dict[str, PartName] = {
    "tok_emb": "token_embedding", "pos_emb": "position_embedding", "final_norm": "final_norm",
    "out_head": "output_layer",
}


class Health(Measurement):
    """Measures gradients, weights and updates at the evaluated steps, and activations at the evaluations."""

    def __init__(self, spec: TrainSpec):
        self._every, self._clip = spec.evaluation_interval, spec.gradient_clip
        self._before: dict[str, Tensor] = {}

    def before_training(self, state: TrainState) -> Iterator[Event]:
        if state.strategy.shards and state.strategy.is_rank_zero:
            yield Warned(message=message(
                "The health of the layers is not measured in this run: each process holds only a part of every layer."))

    def before_step(self, state: TrainState, step: int) -> None:
        due = step % self._every == 0 and _measures(state)
        self._before = samples(state.model) if due else {}

    def after_step(self, state: TrainState, step: int) -> Iterator[Event]:
        if not self._before:
            return
        factor = 1.0
        if self._clip:
            factor = clip_factor(self._clip, torch.tensor(state.gradient_norm)).item()
        parts = updates(state.model, self._before, factor)
        self._before = {}
        yield UpdatesRead(step=step, tokens_seen=state.progress.tokens_seen, parts=parts)

    def at_evaluation(self, state: TrainState, step: int) -> Iterator[Event]:
        if _measures(state):
            yield activations(state, step)


def _measures(state: TrainState) -> bool:
    """Return whether this process has complete layers and reports the run."""
    return state.strategy.is_rank_zero and not state.strategy.shards


# Gradients, weights and updates.


def samples(model: GPTModel) -> dict[str, Tensor]:
    """Return copies of some weights of each trained tensor, by name; (n,), n <= SAMPLED."""
    return {name: _sample(weight).clone() for name, weight in trained(model)}


def _sample(weight: Tensor) -> Tensor:
    """Return a view of evenly spaced weights, (n,). Their distance and the length of a row are coprime, so that all
    columns are sampled."""
    distance = -(-weight.numel() // SAMPLED)
    while distance > 1 and math.gcd(distance, weight.shape[-1]) > 1:
        distance += 1
    return weight.detach().reshape(-1)[::distance]


@torch.no_grad()
def updates(model: GPTModel, before: Mapping[str, Tensor], clipped: float = 1.0) -> tuple[PartUpdate, ...]:
    """Return gradient norm, weight norm and update ratio of each part after a step, in the order of the model. Frozen
    parts have only a weight norm; a tied output layer is not a separate part.

    Args:
        before: result of :func:`samples` before the step.
        clipped: factor by which clipping multiplied the gradients; the reported norms are without clipping.
    """
    parameters = dict(model.named_parameters())
    weights = _norms({name: weight.detach() for name, weight in parameters.items()})
    gradients = _norms({name: gradient_values(each.grad) for name, each in parameters.items() if each.grad is not None})
    moved = _norms({name: _sample(parameters[name]) - old for name, old in before.items()})
    sizes = _norms(before)
    # factor from the norm of a sample to the norm of the whole tensor
    scales = {name: math.sqrt(parameters[name].numel() / len(old)) for name, old in before.items()}
    found = []
    parts: dict[Part, list[str]] = {}
    for name in parameters:
        parts.setdefault(part_of(name), []).append(name)
    for part, names in parts.items():
        sampled, with_gradient = ([name for name in names if name in known] for known in (before, gradients))
        change, size = (math.hypot(*(norms[name] * scales[name] for name in sampled)) for norms in (moved, sizes))
        gradient = math.hypot(*(gradients[name] for name in with_gradient)) / clipped
        found.append(PartUpdate(
            part=part.name, block=part.block, weight_norm=short(math.hypot(*(weights[name] for name in names))),
            gradient_norm=short(gradient) if with_gradient else None,
            update_ratio=short(change / size) if size else None,
        ))
    return tuple(found)


def part_of(parameter: str) -> Part:
    """Return the part that a parameter belongs to."""
    root, *rest = parameter.split(".")
    if root == "trf_blocks":
        return Part("attention" if rest[1] in ("att", "norm1") else "feed_forward", int(rest[0]))
    return Part(OUTSIDE_BLOCKS[root])


def _norm(tensor: Tensor) -> Tensor:
    """Return the norm of a tensor, by rows: torch's single sum is up to 5e-4 too low for 13 million values."""
    norm: Tensor = torch.linalg.vector_norm(torch.linalg.vector_norm(tensor, dim=-1) if tensor.ndim > 1 else tensor)
    return norm


def _norms(tensors: Mapping[str, Tensor]) -> dict[str, float]:
    """Return the norms of tensors, with a single transfer from the device."""
    if not tensors:
        return {}
    if native_training.reads(*tensors.values()):
        return {name: math.sqrt(native_training.sum_of_squares(each)) for name, each in tensors.items()}
    norms = torch.stack([_norm(each) for each in tensors.values()])
    return dict(zip(tensors, norms.tolist(), strict=True))


# Activations.


@torch.no_grad()
def activations(state: TrainState, step: int) -> ActivationsRead:
    """Return statistics of the model's activations for the beginning of the validation text, without dropout."""
    model = state.model
    tokens = min(MEASURED_TOKENS, model.cfg.context_length)
    ids = state.validation.windows[torch.tensor([0])][:, :tokens].to(state.device)  # (1, T)
    places = torch.arange(-(-tokens // LOGIT_TOKENS) - 1, tokens, -(-tokens // LOGIT_TOKENS))  # N of them
    seen: dict[str, Tensor] = {}
    layers = range(model.cfg.n_layers)
    names = {f"{layer}.{name}" for layer in layers for name in ("attn.q", "attn.k", "mlp.post")}
    with state.autocast():
        hidden = hidden_states(model, ids, kept(seen, names))
    logits = few_logits(model, hidden[0, places.to(state.device)]).float()  # (N, V)
    dead_shares = [dead_share(seen[f"{layer}.mlp.post"][0]) for layer in layers]
    spread = torch.linalg.vector_norm(logits - logits.mean(dim=-1, keepdim=True)) / logits.numel() ** 0.5
    ends = torch.stack(logits.aminmax()).abs()  # both are several times as fast as var() and abs().max()
    std, largest, *dead = torch.stack([spread, ends.max(), *dead_shares]).tolist()
    entropies = torch.stack([  # (L, H)
        attention_entropy(seen[f"{layer}.attn.q"][0], seen[f"{layer}.attn.k"][0]) for layer in layers]).tolist()
    return ActivationsRead(
        step=step, tokens_seen=state.progress.tokens_seen, tokens=tokens, most_entropy=short(most_entropy(tokens)),
        logit_std=short(std), largest_logit=short(largest),
        blocks=tuple(
            BlockActivations(dead_share=short(share), entropies=tuple(map(short, heads)))
            for share, heads in zip(dead, entropies, strict=True)
        ),
    )


def dead_share(units: Tensor) -> Tensor:
    """Return the fraction of units whose activation is about zero at every token; (T, 4D) -> a scalar."""
    return (units.abs() < DEAD_BELOW).all(dim=0).float().mean()


def attention_entropy(queries: Tensor, keys: Tensor) -> Tensor:
    """Return the entropy of each head's attention weights in bits, averaged over the queries; queries and keys (H, T,
    D/H) -> (H,). 0 means that every token attends to a single one."""
    scores = queries.float() @ keys.float().transpose(1, 2) / queries.shape[-1] ** 0.5  # (H, T, T)
    scores.masked_fill_(causal_mask(queries.shape[1], queries.device), -torch.inf)
    weights = torch.softmax(scores, dim=-1)
    entropies: Tensor = -torch.special.xlogy(weights, weights).sum(dim=-1).mean(dim=-1) / math.log(2)
    return entropies


def most_entropy(tokens: int) -> float:
    """Return the highest possible entropy of a head, in bits, averaged over the queries: the i-th query attends to i
    tokens, so its maximum is log2(i)."""
    return math.lgamma(tokens + 1) / math.log(2) / tokens
