"""``gptstudio inspect``: what the parts of a model do for the next token, and what changes without some of them."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Annotated

from cyclopts import Parameter

from gptstudio.cli import output
from gptstudio.cli.arguments import SAME_MODEL, SAME_SCORE, Best, Json, ModelFlags, ScoreFlags
from gptstudio.cli.generate import load_decoder, source_from
from gptstudio.cli.signals import stopped_by_signals
from gptstudio.errors import UserError
from gptstudio.gpt import tokenizer
from gptstudio.inference.spec import GenerateSpec
from gptstudio.training.control import Control

if TYPE_CHECKING:
    from gptstudio.gpt.model import GPTModel
    from gptstudio.inference.effects import Effects
    from gptstudio.inference.interventions import Intervention, Interventions

CANDIDATES, SHOWN = 12, 15
"""Tokens that are listed, and components that people are shown."""

Ablate = Annotated[tuple[str, ...], Parameter(negative=(), help=(
    "Take the output of a part of the model away: 3.5 is head 5 of layer 3, 3.mlp the feed-forward network of layer 3; "
    "both are counted from 0. 3.5=0.5 halves it, 3.5=2 doubles it, 3.5=mean replaces it by its mean. Can be given "
    "several times."), show_default=False)]
MeanOver = Annotated[str | None, Parameter(help=(
    "Name or file of the text that means are taken over (its first 4,096 tokens); by default, the prompt."),
    show_default=False)]
Token = Annotated[str | None, Parameter(help=(
    "The next token that is asked about, with the space before it: \" cat\". By default, the most probable one."),
    show_default=False)]
Attribution = Annotated[bool, Parameter(negative=(), show_default=False, help=(
    "What every head and feed-forward network contributes to the token: by ablation, direct logit attribution and "
    "gradient times activation."))]


@dataclass(frozen=True)
class Candidate:
    """A token that may come next: its probability, and that with the interventions."""

    id: int
    probability: float
    changed: float


def inspect(
    *,
    prompt: Annotated[str, Parameter(help="The text that the model reads.")],
    token: Token = None,
    ablate: Ablate = (),
    mean_over: MeanOver = None,
    attribution: Attribution = False,
    best: Best = False,
    scoring: ScoreFlags = SAME_SCORE,
    model: ModelFlags = SAME_MODEL,
    json: Json = False,
) -> None:
    """Inspect what the heads and feed-forward networks of a model do for the next token, and what changes without some
    of them.

    Computed with the weights as they are, whatever the precision.
    """
    spec = GenerateSpec.make(scoring.given())
    origin = source_from(spec, model, best)
    control = Control()
    with stopped_by_signals(control):
        decoder = load_decoder(spec, origin)
        ids = _read_prompt(prompt, decoder.model)
        interventions = _interventions(ablate, mean_over, decoder.model)
        candidates, asked = _compare(decoder.model, ids, interventions, token)
        from gptstudio.inference.effects import effects

        found = effects(decoder.model, ids, asked, control.check) if attribution else None
    if json:
        _print_json(decoder.name, ids, interventions, candidates, found)
    else:
        _show(decoder.name, ids, interventions, candidates, found)


def _read_prompt(prompt: str, model: GPTModel) -> list[int]:
    """Return the last C token ids of the prompt.

    Raises:
        UserError: it has none, or the model does not know one.
    """
    from gptstudio.inference.generator import check_vocabulary

    ids = tokenizer.encode(prompt)
    if not ids:
        raise UserError("The prompt is empty, so there is nothing that the model could read. Give it some text.")
    check_vocabulary(model, ids)
    return ids[-model.cfg.context_length :]


def _interventions(ablate: Sequence[str], mean_over: str | None, model: GPTModel) -> Interventions:
    from gptstudio.inference.interventions import Interventions

    made = Interventions(mean_over=mean_over or "")
    for text in ablate:
        made = made.having(_intervention(text, model))
    return made


def _intervention(text: str, model: GPTModel) -> Intervention:
    """Return the intervention of ``3.5``, ``3.5=0.5`` or ``3.5=mean``.

    Raises:
        UserError: there is no such component, or the factor is no number from 0 to 2.
    """
    from gptstudio.inference.components import read_component
    from gptstudio.inference.interventions import Intervention

    name, _, factor = text.partition("=")
    component = read_component(name, model.cfg)
    if factor == "mean":
        return Intervention.of(component, 0.0, "mean")
    try:
        return Intervention.of(component, float(factor) if factor else 0.0)
    except ValueError:
        raise UserError(f"The factor of {component} is not a number: {factor[:60]!r}. Write, for example, "
                        f"{name}=0.5.") from None


def _compare(
    model: GPTModel, ids: list[int], interventions: Interventions, token: str | None
) -> tuple[list[Candidate], int]:
    """Return the most probable tokens and the one asked about, without and with the interventions."""
    import torch

    from gptstudio.inference.intervening import changed_logits
    from gptstudio.inference.means import means_for

    plain, changed = (torch.softmax(logits[-1], dim=-1) for logits in (
        changed_logits(model, ids), changed_logits(model, ids, interventions, means_for(model, interventions, ids))))
    listed = torch.topk(plain, min(CANDIDATES, len(plain))).indices.tolist()
    asked = listed[0] if token is None else token_id(token, model)
    if asked not in listed:
        listed.append(asked)
    return [Candidate(each, plain[each].item(), changed[each].item()) for each in listed], asked


def token_id(token: str, model: GPTModel) -> int:
    """Return the id of a single token.

    Raises:
        UserError: it is not one, or not one of the model.
    """
    from gptstudio.inference.generator import check_vocabulary

    ids = tokenizer.encode(token)
    if len(ids) != 1:
        raise UserError(
            f"{token[:60]!r} is not one token but {len(ids)}. Give a single token, with the space before it where it "
            "begins a word: \" cat\".")
    check_vocabulary(model, ids)
    return ids[0]


def _scaled(interventions: Interventions) -> list[Intervention]:
    from gptstudio.inference.interventions import Intervention

    return [each for each in interventions.changes if isinstance(each, Intervention)]


def _print_json(
    name: str, ids: list[int], interventions: Interventions, candidates: list[Candidate],
    found: Effects | None,
) -> None:
    changes = [
        {"component": str(each.component), "factor": each.factor, "baseline": each.baseline}
        for each in _scaled(interventions)]
    output.print_json({"event": "prompt_read", "model": name, "ids": ids, "interventions": changes})
    for each in candidates:
        output.print_json({
            "event": "candidate", "id": each.id, "text": tokenizer.visible(each.id), "probability": each.probability,
            "changed_probability": each.changed if interventions else None})
    if found:
        for component, figures in found.by_component():
            output.print_json({"event": "component", "component": str(component)} | figures)
        output.print_json({
            "event": "inspected", "id": found.token, "log_probability": found.log_probability, "logit": found.logit,
            "rest": found.rest})


def _show(
    name: str, ids: list[int], interventions: Interventions, candidates: list[Candidate],
    found: Effects | None,
) -> None:
    output.line(f"Model: {name}. Prompt: {len(ids):,} tokens.", "bold")
    for change in _scaled(interventions):
        means = change.baseline == "mean"
        output.line(f"Changed: {change.component} " + ("replaced by its mean" if means else f"times {change.factor:g}"))
    output.line("Next token" + (", and with the change" if interventions else ""))
    for each in candidates:
        changed = f"   {each.changed:8.4%}" if interventions else ""
        output.line(f"  {each.probability:8.4%}{changed}   {tokenizer.visible(each.id)}")
    if found:
        _show_effects(found)


def _show_effects(found: Effects) -> None:
    output.line(
        f"What matters for {tokenizer.visible(found.token)} (log-probability {found.log_probability:.4f}, logit "
        f"{found.logit:.4f}), in nats, without any change", "bold")
    output.line("    ablation   attribution   gradient × activation")
    rows = found.by_component()
    for component, figures in rows[:SHOWN]:
        output.line(
            f"  {figures['ablation']:10.4f}   {figures['attribution']:11.4f}   {figures['gradient']:21.4f}   "
            f"{component}")
    if len(rows) > SHOWN:
        output.line(f"  and {len(rows) - SHOWN:,} more, with smaller effects of ablation: --json lists them all")
    rest = ", ".join(f"{name.replace('_', ' ')} {value:.4f}" for name, value in found.rest.items())
    output.line(f"The attributions and {rest} add up to the logit.")
