"""``gptstudio inspect``, ``patch`` and ``induction``: the effects of a model's parts on the next token."""

from __future__ import annotations

from itertools import product
from typing import TYPE_CHECKING, Annotated

from cyclopts import Parameter

from gptstudio.cli import output
from gptstudio.cli.arguments import SAME_INSPECTION, SAME_MODEL, Best, InspectFlags, Json, ModelFlags
from gptstudio.i18n import percent
from gptstudio.inference.loading import load_decoder, source_from
from gptstudio.inference.prompt_pair import Kind, PromptPair, name_of
from gptstudio.inference.spec import GenerateSpec
from gptstudio.training import model_source

if TYPE_CHECKING:
    from gptstudio.gpt.decoder import Decoder
    from gptstudio.gpt.tokenizer import Tokenizer
    from gptstudio.inference.interventions import Intervention, Interventions
    from gptstudio.inference.next_token import Effects, Inspection
    from gptstudio.inference.patching import Patching

SHOWN = 15
"""Maximum number of components, or places in a patched model, to show without ``--json``."""

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
    reading: InspectFlags = SAME_INSPECTION,
    model: ModelFlags = SAME_MODEL,
    json: Json = False,
) -> None:
    """Inspect how the heads and feed-forward networks of a model affect the next token, and what changes without some
    of them."""
    spec = GenerateSpec.make(reading.given())
    origin = source_from(spec, model.given(), best)
    with output.stoppable() as control:
        decoder = load_decoder(spec, origin)
        from gptstudio.inference import next_token  # imports torch, which the help does not need

        found = next_token.inspect(
            decoder.model, prompt, token, ablate, mean_over, attribution, control.check, decoder.tokenizer)
    if json:
        _print_inspection(decoder, found)
    else:
        ids = decoder.tokenizer.encode(prompt)
        output.note_prompt(ids, len(ids) - len(found.ids), decoder.tokenizer)
        _show_inspection(decoder, found)


def _scaled(interventions: Interventions) -> list[Intervention]:
    from gptstudio.inference.interventions import Intervention

    return [each for each in interventions.changes if isinstance(each, Intervention)]


def _print_inspection(decoder: Decoder, found: Inspection) -> None:
    changes = [
        {"component": str(each.component), "factor": each.factor, "baseline": each.baseline}
        for each in _scaled(found.interventions)]
    output.print_json({"event": "prompt_read", "model": decoder.name, "ids": found.ids, "interventions": changes})
    for each in found.candidates:
        output.print_json({
            "event": "candidate", "id": each.id, "text": each.text, "probability": each.probability,
            "changed_probability": each.changed_probability if found.interventions else None})
    if effects := found.effects:
        for component, figures in effects.by_component():
            output.print_json({"event": "component", "component": str(component)} | figures)
        output.print_json({
            "event": "inspected", "id": effects.token, "log_probability": effects.log_probability,
            "logit": effects.logit, "rest": effects.rest})


def _show_inspection(decoder: Decoder, found: Inspection) -> None:
    output.line(f"Model: {decoder.name}. Tokens of the prompt: {len(found.ids):,}.", "bold")
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


Answer = Annotated[str | None, Parameter(show_default=False, help=(
    "The next token that is right after the clean prompt, with the space before it: \" Mary\". By default, the most "
    "probable one there."))]
Wrong = Annotated[str | None, Parameter(show_default=False, help=(
    "The next token that it is compared with. By default, the most probable one after the corrupted prompt."))]
What = Annotated[Kind, Parameter(help=(
    "What is copied from the clean run into the corrupted one: the residual stream before a layer, the output of its "
    "attention or of its feed-forward network, each at one position; or the output of a head at all positions."))]


def patch(
    *,
    clean: Annotated[str, Parameter(help="The prompt with the right answer.")],
    corrupted: Annotated[str, Parameter(help="A prompt of as many tokens, with another answer.")],
    answer: Answer = None,
    wrong: Wrong = None,
    kind: What = "resid",
    best: Best = False,
    reading: InspectFlags = SAME_INSPECTION,
    model: ModelFlags = SAME_MODEL,
    json: Json = False,
) -> None:
    """Copy activations of a clean prompt into the run of a corrupted one, one at a time, and measure how much of the
    right answer each recovers (activation patching)."""
    from gptstudio.inference import patching
    from gptstudio.inference.next_token import token_id

    spec = GenerateSpec.make(reading.given())
    origin = source_from(spec, model.given(), best)
    pair = PromptPair.of(clean, corrupted, model_source.tokenizer_of(origin))
    with output.stoppable() as control, output.progress() as bar:
        decoder = load_decoder(spec, origin)
        asked = [None if each is None else token_id(each, decoder.model, pair.tokenizer) for each in (answer, wrong)]
        line = bar.add_task("Patching", total=None)
        found = patching.patch(
            decoder.model, pair, kind, asked[0], asked[1], control.check,
            lambda done, total: bar.update(line, completed=done, total=total))
    if json:
        _print_patching(decoder.name, found)
    else:
        output.note_prompt((*pair.clean, *pair.corrupted), found.pair.dropped, pair.tokenizer)
        _show_patching(decoder.name, found)


def _print_patching(name: str, found: Patching) -> None:
    output.print_json({
        "event": "prompts_read", "model": name, "kind": found.kind, "clean": found.pair.clean,
        "corrupted": found.pair.corrupted, "differing": found.pair.differing, "answer": found.answer,
        "wrong": found.wrong, "clean_difference": found.clean.difference,
        "corrupted_difference": found.corrupted.difference,
        "clean_probability": float(found.clean.probabilities[found.answer]),
        "corrupted_probability": float(found.corrupted.probabilities[found.answer]),
        "distinguishes": found.distinguishes})
    place_name = "head" if found.kind == "heads" else "position"
    for layer, place in product(*map(range, found.recovered.shape)):
        output.print_json({
            "event": "patched", "name": name_of(found.kind, layer, place), "layer": layer, place_name: place,
            "recovered": float(found.recovered[layer, place]) if found.distinguishes else None,
            "difference": float(found.patched.difference[layer, place]),
            "probability": float(found.patched.probability[layer, place])})


def _show_patching(name: str, found: Patching) -> None:
    visible = found.pair.tokenizer.visible
    answer, wrong = (visible(each) for each in (found.answer, found.wrong))
    output.line(f"Model: {name}. Prompts: {len(found.pair.clean):,} tokens, {len(found.pair.differing):,} of them "
                "different.", "bold")
    for title, side in (("clean", found.clean), ("corrupted", found.corrupted)):
        output.line(f"After the {title} prompt: {answer} {percent(side.probabilities[found.answer])}, {wrong} "
                    f"{percent(side.probabilities[found.wrong])}; logit difference {side.difference:.4f}")
    if found.same_guess:
        output.line("Both prompts make the same token the most probable; the wrong token is the second one.")
    if not found.distinguishes:
        output.line("The model does not tell these prompts apart by these two tokens, so there is no share to recover.")
        return
    output.line("Recovered share of the logit difference, and probability of the answer", "bold")
    cells = sorted(product(*map(range, found.recovered.shape)), key=lambda cell: -abs(found.recovered[cell]))
    for layer, place in cells[:SHOWN]:
        token = "" if found.kind == "heads" else f"   {visible(found.pair.clean[place])}"
        output.line(f"  {percent(float(found.recovered[layer, place])):>10}   "
                    f"{found.patched.probability[layer, place]:8.4%}   {name_of(found.kind, layer, place)}{token}")
    if len(cells) > SHOWN:
        output.line(f"  and {len(cells) - SHOWN:,} more, which change less: --json lists them all")


SHOWN_HEADS = 10
TITLES = {"induction": "Induction", "previous": "Previous token", "duplicate": "Duplicate token"}


def induction(
    *,
    best: Best = False,
    reading: InspectFlags = SAME_INSPECTION,
    model: ModelFlags = SAME_MODEL,
    json: Json = False,
) -> None:
    """Score every head of a model on repeated random tokens: its attention to the token after the previous occurrence
    of the same token (induction heads), to the previous token, and to the previous occurrence of the same token.

    The seed determines the tokens.
    """
    from gptstudio.inference.induction import PATTERNS
    from gptstudio.inference.induction import induction as scores_of

    spec = GenerateSpec.make(reading.given())
    origin = source_from(spec, model.given(), best)
    with output.stoppable() as control:
        decoder = load_decoder(spec, origin, for_text=False)
        found = scores_of(decoder.model, spec.seed, control.check)
    if json:
        output.print_json({"event": "repeated", "model": decoder.name, "half": found.half, "seed": found.seed})
        for component, score in found.heads("induction"):
            place = component.layer, component.head or 0
            output.print_json({
                "event": "head", "component": str(component),
                **{pattern: float(found.scores[pattern][place]) for pattern in PATTERNS},
                "induction_head": score >= found.named_from})
        return
    output.line(f"Model: {decoder.name}. Read: {found.half} random tokens, repeated once.", "bold")
    for pattern in PATTERNS:
        named = len(found.heads(pattern, found.named_from))
        output.line(f"{TITLES[pattern]}: {named:,} heads with a score of at least {found.named_from:g}", "bold")
        for component, score in found.heads(pattern)[:SHOWN_HEADS]:
            output.line(f"  {score:7.4f}   {component}")
