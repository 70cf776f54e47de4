"""Prediction of the next token after a prompt, with and without interventions, and the contribution of each component.

There are three methods. Ablation: the log-probability of the token minus its value without the component's output (zero
ablation). Direct logit attribution: the part of the token's logit that the component writes directly, with the last
norm frozen (Elhage et al., 2021); all parts sum to the logit. Gradient times activation: the first-order change of the
log-probability if the output were removed, with the sign of ablation (Simonyan et al., 2013; attribution patching:
Nanda, 2023).

Computed on the reference path, with a copy that shares the weights. Shapes: T tokens, H heads, L layers, D width.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import cast

import numpy as np
import torch
from torch import Tensor

from gptstudio.data.encodings import Progress, unwatched
from gptstudio.errors import UserError
from gptstudio.gpt.activations import Check, continued, hidden_states, kept, no_check, text_of
from gptstudio.gpt.config import GPTConfig
from gptstudio.gpt.model import GPTModel, TransformerBlock
from gptstudio.gpt.sampling.arrays import Floats
from gptstudio.gpt.sampling.sampler import check_finite
from gptstudio.gpt.tokenizer import GPT2, Tokenizer, single_token
from gptstudio.i18n import message
from gptstudio.inference.generator import check_vocabulary
from gptstudio.inference.intervening import changed_logits, means_for
from gptstudio.inference.interventions import Component, Intervention, Interventions, columns_of, read_component
from gptstudio.inference.patching import Pass, last_logits

TOKENS_AT_ONCE = 256
"""Maximum number of tokens in variants that are computed together, unless a single one has more. A block of a medium
model then takes a tenth of a second on two cores, after which the work can be cancelled."""


@dataclass(frozen=True, eq=False)
class Effects:
    """Contributions to the prediction of ``token`` after the last token read.

    Attributes:
        log_probability, logit: log-probability and logit of the token, in nats.
        ablation, attribution, gradient: (L, H + 1), with a row for each layer: its heads, then its feed-forward
            network.
        rest: other terms of the logit: embeddings, biases, shift of the last norm.
        read: number of tokens that the model read, T.
    """

    token: int
    log_probability: float
    logit: float
    ablation: Floats
    attribution: Floats
    gradient: Floats
    rest: dict[str, float]
    read: int

    def by_component(self) -> list[tuple[Component, dict[str, float]]]:
        """Return the three contributions of each component, the largest effect of ablation first."""
        names, heads = ("ablation", "attribution", "gradient"), self.ablation.shape[1] - 1
        rows = [
            (Component(layer, None if place == heads else place),
             {name: float(getattr(self, name)[layer, place]) for name in names})
            for layer, place in np.ndindex(self.ablation.shape)
        ]
        return sorted(rows, key=lambda row: -abs(row[1]["ablation"]))


def effects_bytes(config: GPTConfig, tokens: int) -> int:
    """Return the estimated memory of :func:`effects`: the tensors kept for the backward pass (for each layer, attention
    weights and scores, and 16 times its width), and the variants that are computed together."""
    read = min(tokens, config.context_length)
    layer = 3 * config.n_heads * read * read + 34 * read * config.emb_dim
    variants = _variants(config, read) * (2 * config.n_heads * read * read + 12 * read * config.emb_dim)
    return 4 * (config.n_layers * layer + variants + 4 * config.vocab_size)


def effects(
    model: GPTModel, ids: Sequence[int], token: int, check: Check = no_check,
    progress: Progress = unwatched,
) -> Effects:
    """Return the contribution of each component to the prediction of ``token`` after the last C of ``ids``, at least
    one. ``progress`` is called with the number of layers done and of all layers.

    Raises:
        IndexError: the model has no such token.
        BrokenLogits: the weights are not finite.
    """
    text = text_of(model, ids)
    made, gradient = _gradient_pass(model, text, token, check)
    logits = last_logits(model, made[f"{model.cfg.n_layers - 1}.resid_post"][None])[0]
    attribution, rest = _attribution(model, made, text[0], token)
    log_probability = torch.log_softmax(logits, dim=-1)[token].item()
    check_finite(logits.cpu().numpy())
    ablation = log_probability - _ablated(model, made, token, check, progress)
    return Effects(token, log_probability, logits[token].item(), ablation, attribution, gradient, rest, text.shape[1])


@torch.enable_grad()
def _gradient_pass(model: GPTModel, text: Tensor, token: int, check: Check) -> tuple[Pass, Floats]:
    """Run the model, and return its outputs and gradient times activation of each component, (L, H + 1)."""
    layers, found = range(model.cfg.n_layers), Pass()
    parts = "resid_pre", "attn.head_out", "mlp_out", "resid_post"
    keep = kept(found, {f"{layer}.{part}" for layer in layers for part in parts})

    def note(name: str, out: Tensor) -> Tensor:
        if name == "0.resid_pre":
            out = out.detach().requires_grad_()
        if name.endswith(".resid_pre"):
            out.register_hook(lambda _gradient: check())  # between the blocks of the backward pass
        return keep(name, out)

    logits = model.out_head(hidden_states(model, text, note, check)[0, -1]).float()  # (V,)
    written = [found[f"{layer}.{part}"] for layer in layers for part in ("attn.head_out", "mlp_out")]
    slopes = torch.autograd.grad(torch.log_softmax(logits, dim=-1)[token], written)
    products = [(slope * out).double() for slope, out in zip(slopes, written, strict=True)]
    rows = []
    for heads, mlp in zip(products[::2], products[1::2], strict=True):
        by_number = heads.sum(dim=(0, 1)).view(-1, model.cfg.head_dim)  # (H, D/H)
        rows.append([*by_number.sum(dim=-1).tolist(), mlp.sum().item()])
    return {name: out[0].detach() for name, out in found.items()}, np.array(rows)


@torch.no_grad()
def _attribution(model: GPTModel, made: Pass, text: Tensor, token: int) -> tuple[Floats, dict[str, float]]:
    """Return the parts of the logit written by the components, (L, H + 1), and the other parts by name; in float64."""
    cfg, last = model.cfg, made[f"{model.cfg.n_layers - 1}.resid_post"][-1].double()  # (D,)
    norm, direction = model.final_norm, model.out_head.weight[token].double()  # (D,)
    spread = torch.sqrt(last.var(unbiased=False) + norm.eps)
    reads = direction * norm.scale.double() / spread
    reads = reads - reads.mean()  # the norm subtracts the mean of every component's output

    def part(written: Tensor) -> float:
        return float(written.double() @ reads)

    rows, biases = [], 0.0
    for layer, block in enumerate(cast(Sequence[TransformerBlock], model.trf_blocks)):
        projection, values = block.att.out_proj, made[f"{layer}.attn.head_out"][-1].double()
        written = [
            projection.weight[:, columns_of(cfg, head)].double() @ values[columns_of(cfg, head)]
            for head in range(cfg.n_heads)
        ]
        rows.append([*map(part, written), part(made[f"{layer}.mlp_out"][-1])])
        biases += part(projection.bias)
    return np.array(rows), {
        "token_embedding": part(model.tok_emb.weight[text[-1]]),
        "position_embedding": part(model.pos_emb.weight[len(text) - 1]),
        "attention_biases": biases,
        "final_norm_shift": float(direction @ norm.shift.double()),
    }


@torch.no_grad()
def _ablated(model: GPTModel, made: Pass, token: int, check: Check, progress: Progress) -> Floats:
    """Return the log-probability of the token without each component, (L, H + 1). The model runs again for each
    component from its layer on, for several components together."""
    cfg, read = model.cfg, len(made["0.resid_pre"])
    variants = _variants(cfg, read)
    rows = []
    for layer, block in enumerate(cast(Sequence[TransformerBlock], model.trf_blocks)):
        after, before = made[f"{layer}.resid_post"], made[f"{layer}.resid_pre"]
        values = made[f"{layer}.attn.head_out"].expand(cfg.n_heads, -1, -1).clone()  # (H, T, D)
        for head in range(cfg.n_heads):
            values[head, :, columns_of(cfg, head)] = 0
        found: list[float] = []
        for some in values.split(variants):
            middle = before + block.att.out_proj(some)
            found += _continued(model, layer + 1, middle + block.ff(block.norm2(middle)), token, check)
        found += _continued(model, layer + 1, (after - made[f"{layer}.mlp_out"])[None], token, check)
        rows.append(found)
        progress(layer + 1, cfg.n_layers)
    return np.array(rows)


def _variants(config: GPTConfig, read: int) -> int:
    """Return the number of variants of a text that are computed together."""
    return min(config.n_heads, max(1, TOKENS_AT_ONCE // max(1, read)))


def _continued(model: GPTModel, layer: int, x: Tensor, token: int, check: Check) -> list[float]:
    """Run the layers from ``layer`` on over the residual stream, (B, T, D), and return the log-probabilities of the
    token in all B variants."""
    logits = last_logits(model, continued(model, layer, x, check=check))
    values: list[float] = torch.log_softmax(logits, dim=-1)[:, token].tolist()
    return values


CANDIDATES = 12
"""Number of listed tokens."""


@dataclass(frozen=True)
class NextToken:
    """Possible next token: its probabilities without and with the interventions, and its text."""

    id: int
    probability: float
    changed_probability: float
    text: str


@dataclass(frozen=True)
class Inspection:
    """Prediction of a model after a prompt.

    Attributes:
        ids: the last C tokens of the prompt, which the model has read.
        interventions: interventions for ``changed_probability`` of the candidates.
        candidates: the most probable tokens, most probable first, followed by the requested token if it is not one of
            them.
        asked: id of the requested token.
        effects: contributions of the components to it; None if not requested.
    """

    ids: list[int]
    interventions: Interventions
    candidates: list[NextToken]
    asked: int
    effects: Effects | None


def inspect(
    model: GPTModel, prompt: str, token: str | None = None, ablate: Sequence[str] = (), mean_over: str | None = None,
    attribution: bool = False, check: Check = no_check, tokenizer: Tokenizer = GPT2,
) -> Inspection:
    """Return the prediction of a model after a prompt, in the precision of its weights.

    Args:
        token: the next token to report on; the most probable one if None.
        ablate: components to change: ``3.5``, ``3.mlp``, ``3.5=0.5``, ``3.5=mean``.
        mean_over: name or file of the text for means; the prompt if None.
        attribution: also compute the contribution of every component to the token.
        tokenizer: tokenizer of the model.

    Raises:
        UserError: the prompt is empty, or the model lacks a token or a component.
    """
    ids = _read_prompt(prompt, model, tokenizer)
    interventions = _interventions(ablate, mean_over, model)
    candidates, asked = _compare(model, ids, interventions, token, tokenizer)
    found = effects(model, ids, asked, check) if attribution else None
    return Inspection(ids, interventions, candidates, asked, found)


def token_id(token: str, model: GPTModel, tokenizer: Tokenizer = GPT2) -> int:
    """Return the id of a token given as text.

    Raises:
        UserError: the text is not a single token, or the model lacks the token.
    """
    found = single_token(token, tokenizer)
    check_vocabulary(model.cfg, [found], tokenizer)
    return found


def _read_prompt(prompt: str, model: GPTModel, tokenizer: Tokenizer) -> list[int]:
    """Return the last C token ids of the prompt.

    Raises:
        UserError: the prompt is empty, or the model lacks one of its tokens.
    """
    ids = tokenizer.encode(prompt)
    if not ids:
        raise UserError(message(
            "The prompt is empty, so there is nothing that the model could read. Give it some text."))
    check_vocabulary(model.cfg, ids, tokenizer)
    return ids[-model.cfg.context_length :]


def _interventions(ablate: Sequence[str], mean_over: str | None, model: GPTModel) -> Interventions:
    made = Interventions(mean_over=mean_over or "")
    for text in ablate:
        change = _intervention(text, model)
        if made.of(change.component):
            raise UserError(message(
                "{component} is ablated twice. Name each part once.", component=str(change.component)))
        made = made.having(change)
    if mean_over is not None and not made.needs_means:
        raise UserError(message(
            "A text for means (mean_over) has no effect, because no part is replaced by its mean. Ablate a part with "
            "=mean, for example 0.mlp=mean, or leave the text out."))
    return made


def _intervention(text: str, model: GPTModel) -> Intervention:
    """Return the intervention of ``3.5``, ``3.5=0.5`` or ``3.5=mean``.

    Raises:
        UserError: there is no such component, or the factor is not a number between 0 and 2.
    """
    name, _, factor = text.partition("=")
    component = read_component(name, model.cfg)
    if factor == "mean":
        return Intervention.of(component, 0.0, "mean")
    try:
        return Intervention.of(component, float(factor) if factor else 0.0)
    except ValueError:
        raise UserError(message(
            "The factor of {component} is not a number: {factor}. Write, for example, {name}=0.5.",
            component=str(component), factor=repr(factor[:60]), name=name)) from None


def _compare(
    model: GPTModel, ids: list[int], interventions: Interventions, token: str | None, tokenizer: Tokenizer
) -> tuple[list[NextToken], int]:
    """Return the most probable tokens and the requested one, without and with the interventions, and its id."""
    means = means_for(model, interventions, ids, tokenizer=tokenizer)
    plain, changed = (torch.softmax(logits[-1], dim=-1) for logits in (
        changed_logits(model, ids), changed_logits(model, ids, interventions, means)))
    listed = torch.topk(plain, min(CANDIDATES, len(plain))).indices.tolist()
    asked = listed[0] if token is None else token_id(token, model, tokenizer)
    if asked not in listed:
        listed.append(asked)
    return [NextToken(each, plain[each].item(), changed[each].item(), tokenizer.decode([each]))
            for each in listed], asked
