"""Health of a model in training, layer by layer: whether gradients reach every layer, whether its weights move, and
whether its units and heads are in use.

A part of the model is an embedding, the attention of a block with the norm before it, its feed-forward network with
the norm before it, the last norm, or the output layer. Gradients and weights are read right after the step, so that
they are those of the step also where a stop interrupts the evaluation; activations at the evaluation, from one pass
over the beginning of the validation text, with dropout off. Nothing of this draws a random number.
"""

from __future__ import annotations

import math
from collections.abc import Iterable, Iterator, Mapping
from typing import NamedTuple

import torch
from torch import Tensor

from gptstudio.gpt.activations import hidden_states, kept
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
from gptstudio.training.measurements import Measurement
from gptstudio.training.optimizer import clip_factor
from gptstudio.training.spec import TrainSpec
from gptstudio.training.train_state import TrainState

SAMPLED = 4_096
"""Weights of a tensor, at most, whose change is measured: the ratio of a few thousand is that of all within some
percent, and a copy of all would double the memory of the model."""
MEASURED_TOKENS = 64
"""Tokens of the validation text whose activations are measured, at most."""
LOGIT_TOKENS = 8
"""Number of these tokens, evenly spread, at which logits are measured; all would take as long as all blocks."""
DEAD_BELOW = 1e-3
"""A unit of a feed-forward network is dead where its activation is nearer to zero than this at every measured token.
GELU's is for inputs below about -3.5, where its slope is less than 0.004: so little of a gradient passes that the unit
hardly learns any more. The few inputs near zero for which it also holds are not those of a unit at every token."""


class Part(NamedTuple):
    """A part of the model by its name, and its block, counted from 0."""

    name: PartName
    block: int | None = None


OUTSIDE_BLOCKS: dict[str, PartName] = {
    "tok_emb": "token_embedding", "pos_emb": "position_embedding", "final_norm": "final_norm",
    "out_head": "output_layer",
}


class Health(Measurement):
    """Measurement of gradients, weights and updates at the steps that are evaluated, and of activations there."""

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
    """Return whether this process has whole layers, and reports the run."""
    return state.strategy.is_rank_zero and not state.strategy.shards


# Gradients, weights and updates.


def samples(model: GPTModel) -> dict[str, Tensor]:
    """Return copies of some weights of each tensor that is trained, by name; (n,), n <= SAMPLED."""
    return {name: _sample(weight).clone() for name, weight in trained(model)}


def _sample(weight: Tensor) -> Tensor:
    """Return a view of every so manieth weight, (n,): at a distance that has no divisor in common with the length of a
    row, so that all columns come in turn."""
    distance = -(-weight.numel() // SAMPLED)
    while distance > 1 and math.gcd(distance, weight.shape[-1]) > 1:
        distance += 1
    return weight.detach().reshape(-1)[::distance]


@torch.no_grad()
def updates(model: GPTModel, before: Mapping[str, Tensor], clipped: float = 1.0) -> tuple[PartUpdate, ...]:
    """Return gradient norm, weight norm and update ratio of each part after a step, in the order of the model. What is
    frozen has a weight norm only; a tied output layer is no part of its own.

    Args:
        before: what :func:`samples` gave before the step.
        clipped: the factor that the gradients were multiplied by, which is undone.
    """
    parameters = dict(model.named_parameters())
    weights = _norms({name: weight.detach() for name, weight in parameters.items()})
    gradients = _norms({name: _values(each.grad) for name, each in parameters.items() if each.grad is not None})
    moved = _norms({name: _sample(parameters[name]) - old for name, old in before.items()})
    sizes = _norms(before)
    # the norm of a whole tensor, as that of its sample has it
    scales = {name: math.sqrt(parameters[name].numel() / len(old)) for name, old in before.items()}
    found = []
    for part, names in _parts(parameters).items():
        sampled, with_gradient = ([name for name in names if name in known] for known in (before, gradients))
        change, size = (math.hypot(*(norms[name] * scales[name] for name in sampled)) for norms in (moved, sizes))
        gradient = math.hypot(*(gradients[name] for name in with_gradient)) / clipped
        found.append(PartUpdate(
            part=part.name, block=part.block, weight_norm=_short(math.hypot(*(weights[name] for name in names))),
            gradient_norm=_short(gradient) if with_gradient else None,
            update_ratio=_short(change / size) if size else None,
        ))
    return tuple(found)


def part_of(parameter: str) -> Part:
    """Return the part that a parameter belongs to."""
    root, *rest = parameter.split(".")
    if root == "trf_blocks":
        return Part("attention" if rest[1] in ("att", "norm1") else "feed_forward", int(rest[0]))
    return Part(OUTSIDE_BLOCKS[root])


def _parts(parameters: Iterable[str]) -> dict[Part, list[str]]:
    """Return the names of the parameters of each part."""
    parts: dict[Part, list[str]] = {}
    for name in parameters:
        parts.setdefault(part_of(name), []).append(name)
    return parts


def _values(grad: Tensor) -> Tensor:
    """Return the numbers of a gradient; of a sparse one those that are there."""
    return grad.coalesce().values() if grad.is_sparse else grad


def _norm(tensor: Tensor) -> Tensor:
    """Return the norm of a tensor, row by row: in one sum, torch is up to 5e-4 too low for 13 million values."""
    norm: Tensor = torch.linalg.vector_norm(torch.linalg.vector_norm(tensor, dim=-1) if tensor.ndim > 1 else tensor)
    return norm


def _norms(tensors: Mapping[str, Tensor]) -> dict[str, float]:
    """Return the norm of each; one transfer from the device for all."""
    if not tensors:
        return {}
    norms = torch.stack([_norm(each) for each in tensors.values()])
    return dict(zip(tensors, norms.tolist(), strict=True))


def _short(value: float) -> float:
    """Return a value with five digits: more are never shown, and a journal has thousands."""
    return float(f"{value:.5g}")


# Activations.


@torch.no_grad()
def activations(state: TrainState, step: int) -> ActivationsRead:
    """Return what the model computes inside for the beginning of the validation text, with dropout off."""
    model = state.model
    tokens = min(MEASURED_TOKENS, model.cfg.context_length)
    ids = state.validation.windows[torch.tensor([0])][:, :tokens].to(state.device)  # (1, T)
    places = torch.arange(-(-tokens // LOGIT_TOKENS) - 1, tokens, -(-tokens // LOGIT_TOKENS))  # N of them
    seen: dict[str, Tensor] = {}
    layers = range(model.cfg.n_layers)
    names = {f"{layer}.{name}" for layer in layers for name in ("attn.q", "attn.k", "mlp.post")}
    with state.autocast():
        hidden = hidden_states(model, ids, kept(seen, names))
        logits = model.out_head(hidden[0, places.to(state.device)]).float()  # (N, V)
    dead_shares = [dead_share(seen[f"{layer}.mlp.post"][0]) for layer in layers]
    spread = torch.linalg.vector_norm(logits - logits.mean(dim=-1, keepdim=True)) / logits.numel() ** 0.5
    ends = torch.stack(logits.aminmax()).abs()  # these two are several times as fast as var() and abs().max()
    std, largest, *dead = torch.stack([spread, ends.max(), *dead_shares]).tolist()
    entropies = torch.stack([  # (L, H)
        attention_entropy(seen[f"{layer}.attn.q"][0], seen[f"{layer}.attn.k"][0]) for layer in layers]).tolist()
    return ActivationsRead(
        step=step, tokens_seen=state.progress.tokens_seen, tokens=tokens, most_entropy=_short(most_entropy(tokens)),
        logit_std=_short(std), largest_logit=_short(largest),
        blocks=tuple(
            BlockActivations(dead_share=_short(share), entropies=tuple(map(_short, heads)))
            for share, heads in zip(dead, entropies, strict=True)
        ),
    )


def dead_share(units: Tensor) -> Tensor:
    """Return the share of the units whose activation is about zero at every token; (T, 4D) -> a scalar."""
    return (units.abs() < DEAD_BELOW).all(dim=0).float().mean()


def attention_entropy(queries: Tensor, keys: Tensor) -> Tensor:
    """Return the entropy of the attention weights of each head in bits, mean over the queries; (H, T, D/H) twice ->
    (H,). 0: every token looks at a single one."""
    scores = queries.float() @ keys.float().transpose(1, 2) / queries.shape[-1] ** 0.5  # (H, T, T)
    scores.masked_fill_(causal_mask(queries.shape[1], queries.device), -torch.inf)
    weights = torch.softmax(scores, dim=-1)
    entropies: Tensor = -torch.special.xlogy(weights, weights).sum(dim=-1).mean(dim=-1) / math.log(2)
    return entropies


def most_entropy(tokens: int) -> float:
    """Return the highest entropy that a head can have, in bits, mean over the queries: the query at place i sees i
    tokens, so it has log2(i) at most."""
    return math.lgamma(tokens + 1) / math.log(2) / tokens
