"""Models with interventions: passes in which named activations are replaced (:mod:`gptstudio.gpt.activations`).

A text is read with and without the interventions. Mean ablation uses means over the tokens of a text. The changes can
also be exported as Python code that runs on the book's model without GPT Studio.

Shapes: B batch, T tokens, H heads, D width, V vocabulary, C context length.
"""

from __future__ import annotations

import inspect
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from functools import partial
from typing import Any
from weakref import WeakKeyDictionary

import numpy as np
import torch
from torch import Tensor, nn

from gptstudio import torch_settings
from gptstudio.data import texts, tokens
from gptstudio.data.encodings import Progress, unwatched
from gptstudio.errors import UserError
from gptstudio.gpt import activations
from gptstudio.gpt.activations import Check, hidden_states, no_check, text_of
from gptstudio.gpt.decoder import READ_AT_ONCE, Decoder, revision
from gptstudio.gpt.model import GPTModel
from gptstudio.gpt.sampling.arrays import Floats
from gptstudio.gpt.sampling.sampler import check_finite
from gptstudio.gpt.tokenizer import GPT2, Tokenizer
from gptstudio.i18n import message
from gptstudio.inference.generator import generate
from gptstudio.inference.interventions import (
    NO_INTERVENTIONS,
    AttentionPattern,
    Change,
    Intervention,
    Interventions,
    PermutedPositions,
    ReplacedEmbedding,
)
from gptstudio.inference.spec import GenerateSpec
from gptstudio.training.control import Control
from gptstudio.training.events import TokenDrawn

MOST_TOKENS = 4_096


Means = dict[str, Tensor]
"""Outputs of each layer's components, averaged over the tokens of a text, (D,) each, by the names of the activations:
the concatenated outputs of the heads before the output projection, and the outputs of the feed-forward networks."""

_last: WeakKeyDictionary[nn.Module, tuple[tuple[object, ...], Means]] = WeakKeyDictionary()
"""Cached means of each model in memory, for the weights and the text of the last request."""


def means_for(
    model: GPTModel, interventions: Interventions, ids: Sequence[int], check: Check = no_check,
    tokenizer: Tokenizer = GPT2,
) -> Means | None:
    """Return the means that these interventions need, or None. ``ids``: the text that is read; ``tokenizer``: tokenizer
    of the model.

    Raises:
        UserError: the text for the means cannot be read, or has tokens that the model lacks.
    """
    if not interventions.needs_means:
        return None
    over = tuple(_tokens_of(interventions.mean_over, model, tokenizer) if interventions.mean_over else ids)
    asked, kept = (revision(model), over), _last.get(model)
    if kept is None or kept[0] != asked:
        kept = _last[model] = asked, means_over(model, over, check)
    return kept[1]


@torch.no_grad()
def means_over(model: GPTModel, ids: Sequence[int], check: Check = no_check) -> Means:
    """Return the means over these tokens (at least one), which are read in windows of the context length."""
    weight, context = model.tok_emb.weight, model.cfg.context_length
    totals = {f"{layer}.{part}": torch.zeros(model.cfg.emb_dim, dtype=torch.float64)
              for layer in range(model.cfg.n_layers) for part in ("attn.head_out", "mlp_out")}

    def add(name: str, out: Tensor) -> Tensor:
        if name in totals:
            totals[name] += out[0].double().sum(dim=0).cpu()
        return out

    for start in range(0, len(ids), context):
        hidden_states(model, torch.tensor([list(ids[start : start + context])], device=weight.device), add, check)
    return {name: (total / len(ids)).to(weight) for name, total in totals.items()}


def _tokens_of(name: str, model: GPTModel, tokenizer: Tokenizer) -> list[int]:
    """Return the first tokens of a text, at most MOST_TOKENS.

    Raises:
        UserError: it cannot be read, or has tokens that the model lacks.
    """
    ids = np.asarray(tokens.of(texts.read(name), tokenizer)[:MOST_TOKENS])
    if ids.max() >= model.cfg.vocab_size:
        raise UserError(message(
            "The means cannot be taken over this text: it has tokens that the model does not have. Choose another "
            "text."))
    found: list[int] = ids.tolist()
    return found


Replace = Callable[[Tensor], Tensor]
"""Receives an activation and returns its replacement."""


class ChangedModel(GPTModel):
    """Model whose passes replace activations; on the reference path, with every quantity computed as in the book."""

    change: activations.Change = staticmethod(activations.unchanged)
    check: Check = staticmethod(no_check)

    def hidden_states(self, in_idx: Tensor) -> Tensor:
        return activations.hidden_states(self, in_idx, self.change, self.check)


def changed_copy(
    model: GPTModel, interventions: Interventions = NO_INTERVENTIONS, means: Means | None = None,
    check: Check = no_check,
) -> ChangedModel:
    """Return a model that shares the weights and computes with the interventions.

    Changes of layers or heads that the model does not have are left out.

    Args:
        means: required for mean ablation.
    """
    with torch_settings.uninitialised("meta"):
        changed = ChangedModel(model.cfg)
    changed.load_state_dict(model.state_dict(), assign=True)
    changed.change, changed.check = change_of(model, interventions, means), check
    return changed.eval()


@torch.no_grad()
def changed_logits(
    model: GPTModel, ids: Sequence[int], interventions: Interventions = NO_INTERVENTIONS, means: Means | None = None,
) -> Tensor:
    """Return the logits (T, V) after each of the last C tokens, with the interventions."""
    change = change_of(model, interventions, means)
    return activations.run(model, text_of(model, ids), change)[0].float()


def change_of(model: GPTModel, interventions: Interventions, means: Means | None) -> activations.Change:
    """Return the change function that applies interventions to the activations of a model."""
    replacements: dict[str, list[Replace]] = {}
    for each in interventions.fitting(model.cfg).changes:
        name, replace, values = replacement(each, model.cfg.head_dim, means, model.tok_emb.weight)
        replacements.setdefault(name, []).append(partial(replace, *values))

    def change(name: str, out: Tensor) -> Tensor:
        for replace in replacements.get(name, ()):
            out = replace(out)
        return out

    return change


def replacement(
    change: Change, head_dim: int, means: Any, embeddings: Any
) -> tuple[str, Callable[..., Tensor], tuple[Any, ...]]:
    """Return the name of the activation that a change replaces, the replacing function, and its arguments before the
    activation.

    Args:
        means: :data:`Means` for mean ablation, or an object that represents it in exported code.
        embeddings: (V, D), or an object that represents them in exported code.
    """
    match change:
        case Intervention(factor=factor, head=None):
            name = f"{change.layer}.mlp_out"
            return name, scaled, (factor, means[name] if change.of_mean else 0.0)
        case Intervention(factor=factor, head=int(head)):
            name, columns = f"{change.layer}.attn.head_out", slice(head * head_dim, (head + 1) * head_dim)
            return name, columns_scaled, (columns, factor, means[name][columns] if change.of_mean else 0.0)
        case AttentionPattern():
            return f"{change.layer}.attn.pattern", with_pattern, (change.head, change.pattern)
        case PermutedPositions():
            return "pos_embed", permuted, (list(change.order),)
        case ReplacedEmbedding():
            return "embed", with_embedding, (change.position, embeddings[change.token])
    raise TypeError(change)


def scaled(factor: float, base: Tensor | float, out: Tensor) -> Tensor:
    """Return base + factor * (out - base)."""
    return base + factor * (out - base)


def columns_scaled(columns: slice, factor: float, base: Tensor | float, heads: Tensor) -> Tensor:
    """Return the concatenated outputs of the heads, (B, T, D), with the columns of one head scaled."""
    changed = heads.clone()
    changed[..., columns] = scaled(factor, base, changed[..., columns])
    return changed


def with_pattern(head: int, pattern: str, weights: Tensor) -> Tensor:
    """Return attention weights (B, H, T, T) with the weights of one head replaced by a pattern."""
    changed = weights.clone()
    changed[:, head] = pattern_weights(pattern, weights.shape[-1]).to(weights)
    return changed


def pattern_weights(pattern: str, tokens: int) -> Tensor:
    """Return the attention weights of a pattern, (T, T); each row sums to 1."""
    if pattern == "uniform":
        return torch.ones(tokens, tokens).tril() / torch.arange(1, tokens + 1)[:, None]
    weights = torch.eye(tokens)
    if pattern == "previous":  # the first token attends to itself
        weights[1:] = weights[:-1].clone()
    return weights


def permuted(order: list[int], out: Tensor) -> Tensor:
    """Return ``out`` (T, D) with its first rows in a different order; unchanged if it has fewer rows."""
    if len(out) < len(order):  # the text was longer when they were permuted
        return out
    return torch.cat([out[order], out[len(order) :]])


def with_embedding(position: int, embedding: Tensor, out: Tensor) -> Tensor:
    """Return ``out`` (B, T, D) with the embedding (D,) of another token at a position."""
    changed = out.clone()
    changed[:, position : position + 1] = embedding
    return changed


@dataclass(frozen=True, eq=False)
class TextReading:
    """Predictions of a model for a text.

    Attributes:
        surprisals: surprisal of each token in bits, (T,); nan without a prediction.
        logits: logits for the token at the requested position, (V,); None for the first position.
    """

    surprisals: Floats
    logits: Floats | None


@dataclass(frozen=True, eq=False)
class ChangedReading:
    """Predictions for the same text without and with interventions."""

    plain: TextReading
    changed: TextReading

    @property
    def differences(self) -> Floats:
        """Change of each token's surprisal in bits, (T,); positive if the interventions make it less likely."""
        return self.changed.surprisals - self.plain.surprisals


@dataclass(frozen=True)
class ChangedTexts:
    """Continuations of one text without and with interventions, with the same random numbers."""

    plain: tuple[TokenDrawn, ...]
    changed: tuple[TokenDrawn, ...]


_plain: WeakKeyDictionary[nn.Module, tuple[object, TextReading]] = WeakKeyDictionary()
"""Cached last reading without interventions, for each model in memory."""


def read_changed(
    model: GPTModel, ids: Sequence[int], position: int, interventions: Interventions, check: Check = no_check,
    tokenizer: Tokenizer = GPT2,
) -> ChangedReading:
    """Return the readings of a text without and with interventions. If the text is longer than the context, the model
    reads the C tokens before ``position``.

    Raises:
        UserError: the interventions depend on positions, and the text is longer than the context.
        BrokenLogits: the weights are not finite.
    """
    key = tuple(ids), position
    kept = _plain.get(model)
    if kept is None or kept[0] != key:
        kept = _plain[model] = key, read(model, ids, position, check=check)
    return ChangedReading(kept[1], read(model, ids, position, interventions, check, tokenizer))


@torch.no_grad()
def read(
    model: GPTModel, ids: Sequence[int], position: int, interventions: Interventions = NO_INTERVENTIONS,
    check: Check = no_check, tokenizer: Tokenizer = GPT2,
) -> TextReading:
    """Return the reading of a text with interventions."""
    context = model.cfg.context_length
    start = 0 if len(ids) <= context else max(0, position - context)
    if start and interventions.moves_positions:
        raise _too_long(context)
    text = list(ids[start : start + context])
    changed = changed_copy(model, interventions, means_for(model, interventions, text, check, tokenizer), check)
    states = changed.hidden_states(torch.tensor([text], device=changed.tok_emb.weight.device))[0]  # (T, D)
    following = torch.tensor(list(ids[start + 1 : start + len(text) + 1]), dtype=torch.long, device=states.device)
    surprisals = np.full(len(ids), np.nan, dtype=np.float32)
    for first in range(0, len(following), READ_AT_ONCE):
        check()
        targets = following[first : first + READ_AT_ONCE]
        logits = changed.out_head(states[first : first + len(targets)]).float()
        bits = nn.functional.cross_entropy(logits, targets, reduction="none") / np.log(2)
        surprisals[start + first + 1 : start + first + 1 + len(targets)] = bits.cpu().numpy()
    logits_there = changed.out_head(states[position - start - 1]).float().cpu().numpy() if position else None
    check_finite(surprisals[start + 1 : start + 1 + len(following)])
    return TextReading(surprisals, logits_there)


def continue_changed(
    model: GPTModel, ids: Sequence[int], spec: GenerateSpec, interventions: Interventions, control: Control,
    progress: Progress = unwatched, tokenizer: Tokenizer = GPT2,
) -> ChangedTexts:
    """Continue a text without and with interventions, in the precision of the weights rather than of the spec.

    Raises:
        Stopped: the control was stopped.
        UserError: the interventions depend on positions, and the text would become longer than the context.
    """
    if interventions.moves_positions and len(ids) + spec.max_new_tokens > model.cfg.context_length:
        raise _too_long(model.cfg.context_length)
    means = means_for(model, interventions, ids, control.check, tokenizer)
    changed = changed_copy(model, interventions, means, control.check)
    alone, written = spec.but(samples=1), []
    for turn, each in enumerate((model, changed)):
        drawn: list[TokenDrawn] = []
        for event in generate(alone, partial(Decoder, each, tokenizer=tokenizer), control, ids, known=len(ids)):
            control.check()
            if isinstance(event, TokenDrawn):
                drawn.append(event)
                progress(turn * spec.max_new_tokens + len(drawn), 2 * spec.max_new_tokens)
        control.check()
        written.append(tuple(drawn))
    return ChangedTexts(*written)


def _too_long(context: int) -> UserError:
    return UserError(message(
        "The text is longer than the context of {n} tokens, past which every token gets another position. Remove the "
        "changes of positions and embeddings, or shorten the text.", n=f"{context:,}"))


HEAD = '''"""Reads a text with a changed model. ``model`` is the book's GPTModel in eval mode, with its weights."""

from __future__ import annotations

from functools import partial

import torch
from torch import Tensor

'''
MEANS = '''
# Means over a text: here over the one that is read. {over}
means, mean_ids = {{}}, ids


def note(name, out):
    means[name] = out[0].mean(dim=0)
    return out


with torch.no_grad():
    run(model, mean_ids, note)
'''
TAIL = '''

def change(name, out):
    for activation, replace in replacements:
        out = replace(out) if activation == name else out
    return out


with torch.no_grad():
    logits = run(model, ids, change)[0, -1]
for probability, token in zip(*torch.topk(torch.softmax(logits, dim=-1), min(10, len(logits)))):
    print(f"{probability:.4f}", token.item())
'''


class _Code(str):
    """Expression in exported code that represents a tensor, with indexing."""

    __slots__ = ()

    def __getitem__(self, index: object) -> _Code:
        return _Code(f'{self}["{index}"]' if isinstance(index, str) else f"{self}[{index!r}]")

    def __repr__(self) -> str:
        return str(self)


def code_of(interventions: Interventions, ids: Sequence[int], head_dim: int) -> str:
    """Return the exported code of interventions for a text (T,) and a model whose heads have ``head_dim`` columns."""
    found = [replacement(each, head_dim, _Code("means"), _Code("model.tok_emb.weight"))
             for each in interventions.changes]
    used = {replace.__name__: replace for _, replace, _ in found}
    if "columns_scaled" in used:
        used = {"scaled": scaled} | used
    if "with_pattern" in used:
        used = {"pattern_weights": pattern_weights} | used
    functions: tuple[Callable[..., object], ...] = (
        activations.unchanged, activations.no_check, activations.run, activations.hidden_states, activations.continued,
        activations.attention_out, activations.feed_forward_out, *used.values())
    lines = [f'    ("{name}", partial({replace.__name__}, {", ".join(map(repr, values))})),\n'
             for name, replace, values in found]
    over = f"It was {interventions.mean_over!a}: put its token ids there." if interventions.mean_over else ""
    return "".join([
        HEAD, *(f"\n{inspect.getsource(each)}\n" for each in functions), f"\nids = torch.tensor([{list(ids)}])\n",
        MEANS.format(over=over).replace(". \n", ".\n") if interventions.needs_means else "",
        "replacements = [  # names of activations, and what replaces them\n", *lines, "]\n", TAIL])
