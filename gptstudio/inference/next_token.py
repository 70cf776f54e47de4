"""Prediction of the next token after a prompt: without and with interventions, and what each component contributes."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import torch

from gptstudio.errors import UserError
from gptstudio.gpt.activations import Check, go_on
from gptstudio.gpt.model import GPTModel
from gptstudio.gpt.tokenizer import GPT2, Tokenizer
from gptstudio.i18n import message
from gptstudio.inference.effects import Effects, effects
from gptstudio.inference.generator import check_vocabulary
from gptstudio.inference.intervening import changed_logits, means_for
from gptstudio.inference.interventions import Intervention, Interventions, read_component

CANDIDATES = 12
"""Tokens that are listed."""


@dataclass(frozen=True)
class NextToken:
    """A token that may come next: its probability, that with the interventions, and its text."""

    id: int
    probability: float
    changed_probability: float
    text: str


@dataclass(frozen=True)
class Inspection:
    """Prediction of a model after a prompt.

    Attributes:
        ids: the last C tokens of the prompt, which the model has read.
        interventions: made in ``changed_probability`` of the candidates.
        candidates: the most probable tokens, the first one the most probable; and the one asked about, if it is none
            of them.
        asked: ID of the token asked about.
        effects: what each component contributes to it; None if that was not asked for.
    """

    ids: list[int]
    interventions: Interventions
    candidates: list[NextToken]
    asked: int
    effects: Effects | None


def inspect(
    model: GPTModel, prompt: str, token: str | None = None, ablate: Sequence[str] = (), mean_over: str | None = None,
    attribution: bool = False, check: Check = go_on, tokenizer: Tokenizer = GPT2,
) -> Inspection:
    """Inspect what a model predicts after a prompt, with its weights as they are, whatever the precision.

    Args:
        token: the next token that is asked about; the most probable one if None.
        ablate: components whose output is changed: ``3.5``, ``3.mlp``, ``3.5=0.5``, ``3.5=mean``.
        mean_over: name or file of the text that means are taken over; the prompt if None.
        attribution: also compute what every component contributes to the token.
        tokenizer: how the model reads text.

    Raises:
        UserError: an empty prompt, a token or a component that the model does not have.
    """
    ids = _read_prompt(prompt, model, tokenizer)
    interventions = _interventions(ablate, mean_over, model)
    candidates, asked = _compare(model, ids, interventions, token, tokenizer)
    found = effects(model, ids, asked, check) if attribution else None
    return Inspection(ids, interventions, candidates, asked, found)


def token_id(token: str, model: GPTModel, tokenizer: Tokenizer = GPT2) -> int:
    """Return the id of a single token.

    Raises:
        UserError: it is not one, or not one of the model.
    """
    ids = tokenizer.encode(token)
    if len(ids) != 1:
        raise UserError(message(
            "{token} is not one token but {n}. Give a single token, with the space before it where it begins a word: "
            "\" cat\".", token=repr(token[:60]), n=len(ids)))
    check_vocabulary(model.cfg, ids, tokenizer)
    return ids[0]


def _read_prompt(prompt: str, model: GPTModel, tokenizer: Tokenizer) -> list[int]:
    """Return the last C token ids of the prompt.

    Raises:
        UserError: it has none, or the model does not know one.
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
        made = made.having(_intervention(text, model))
    return made


def _intervention(text: str, model: GPTModel) -> Intervention:
    """Return the intervention of ``3.5``, ``3.5=0.5`` or ``3.5=mean``.

    Raises:
        UserError: there is no such component, or the factor is no number from 0 to 2.
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
    """Return the most probable tokens and the one asked about, without and with the interventions."""
    means = means_for(model, interventions, ids, tokenizer=tokenizer)
    plain, changed = (torch.softmax(logits[-1], dim=-1) for logits in (
        changed_logits(model, ids), changed_logits(model, ids, interventions, means)))
    listed = torch.topk(plain, min(CANDIDATES, len(plain))).indices.tolist()
    asked = listed[0] if token is None else token_id(token, model, tokenizer)
    if asked not in listed:
        listed.append(asked)
    return [NextToken(each, plain[each].item(), changed[each].item(), tokenizer.decode([each]))
            for each in listed], asked
