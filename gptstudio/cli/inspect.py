"""``gptstudio inspect``: what the parts of a model do for the next token, and what changes without some of them."""

from __future__ import annotations

from typing import TYPE_CHECKING, Annotated

from cyclopts import Parameter

from gptstudio.cli import output
from gptstudio.cli.arguments import SAME_MODEL, SAME_SCORE, Best, Json, ModelFlags, ScoreFlags
from gptstudio.inference.loading import load_decoder, source_from
from gptstudio.inference.spec import GenerateSpec
from gptstudio.training.control import Control
from gptstudio.training.signals import stopped_by_signals

if TYPE_CHECKING:
    from gptstudio.gpt.decoder import Decoder
    from gptstudio.gpt.tokenizer import Tokenizer
    from gptstudio.inference.effects import Effects
    from gptstudio.inference.interventions import Intervention, Interventions
    from gptstudio.inference.next_token import Inspection

SHOWN = 15
"""Components that people are shown."""

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
    origin = source_from(spec, model.given(), best)
    control = Control()
    with stopped_by_signals(control):
        decoder = load_decoder(spec, origin)
        from gptstudio.inference import next_token  # brings torch, which the help can do without

        found = next_token.inspect(
            decoder.model, prompt, token, ablate, mean_over, attribution, control.check, decoder.tokenizer)
    if json:
        _print_json(decoder, found)
    else:
        _show(decoder, found)


def _scaled(interventions: Interventions) -> list[Intervention]:
    from gptstudio.inference.interventions import Intervention

    return [each for each in interventions.changes if isinstance(each, Intervention)]


def _print_json(decoder: Decoder, found: Inspection) -> None:
    changes = [
        {"component": str(each.component), "factor": each.factor, "baseline": each.baseline}
        for each in _scaled(found.interventions)]
    output.print_json({"event": "prompt_read", "model": decoder.name, "ids": found.ids, "interventions": changes})
    for each in found.candidates:
        output.print_json({
            "event": "candidate", "id": each.id, "text": decoder.tokenizer.visible(each.id),
            "probability": each.probability,
            "changed_probability": each.changed_probability if found.interventions else None})
    if effects := found.effects:
        for component, figures in effects.by_component():
            output.print_json({"event": "component", "component": str(component)} | figures)
        output.print_json({
            "event": "inspected", "id": effects.token, "log_probability": effects.log_probability,
            "logit": effects.logit, "rest": effects.rest})


def _show(decoder: Decoder, found: Inspection) -> None:
    output.line(f"Model: {decoder.name}. Prompt: {len(found.ids):,} tokens.", "bold")
    for change in _scaled(found.interventions):
        means = change.baseline == "mean"
        output.line(f"Changed: {change.component} " + ("replaced by its mean" if means else f"times {change.factor:g}"))
    output.line("Next token" + (", and with the change" if found.interventions else ""))
    for each in found.candidates:
        changed = f"   {each.changed_probability:8.4%}" if found.interventions else ""
        output.line(f"  {each.probability:8.4%}{changed}   {decoder.tokenizer.visible(each.id)}")
    if found.effects:
        _show_effects(found.effects, decoder.tokenizer)


def _show_effects(found: Effects, tokenizer: Tokenizer) -> None:
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
