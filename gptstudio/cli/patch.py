"""``gptstudio patch``: which activations of one prompt bring its answer back after another."""

from __future__ import annotations

from itertools import product
from typing import TYPE_CHECKING, Annotated

from cyclopts import Parameter

from gptstudio.cli import output
from gptstudio.cli.arguments import SAME_MODEL, SAME_SCORE, Best, Json, ModelFlags, ScoreFlags
from gptstudio.i18n import percent
from gptstudio.inference.loading import load_decoder, source_from
from gptstudio.inference.prompt_pair import Kind, PromptPair, name_of
from gptstudio.inference.spec import GenerateSpec
from gptstudio.training import model_source
from gptstudio.training.control import Control
from gptstudio.training.signals import stopped_by_signals

if TYPE_CHECKING:
    from gptstudio.inference.patching import Patching

SHOWN = 15
"""Places that people are shown."""

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
    scoring: ScoreFlags = SAME_SCORE,
    model: ModelFlags = SAME_MODEL,
    json: Json = False,
) -> None:
    """Copy activations of a clean prompt into the run of a corrupted one, one at a time, and measure how much of the
    right answer each brings back (activation patching).

    Computed with the weights as they are, whatever the precision.
    """
    from gptstudio.inference import patching
    from gptstudio.inference.next_token import token_id

    spec = GenerateSpec.make(scoring.given())
    origin = source_from(spec, model.given(), best)
    pair = PromptPair.of(clean, corrupted, model_source.tokenizer_of(origin))
    control = Control()
    with stopped_by_signals(control), output.progress() as bar:
        decoder = load_decoder(spec, origin)
        asked = [None if each is None else token_id(each, decoder.model, pair.tokenizer) for each in (answer, wrong)]
        line = bar.add_task("Patching", total=None)
        found = patching.patch(
            decoder.model, pair, kind, asked[0], asked[1], control.check,
            lambda done, total: bar.update(line, completed=done, total=total))
    if json:
        _print_json(decoder.name, found)
    else:
        _show(decoder.name, found)


def _print_json(name: str, found: Patching) -> None:
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


def _show(name: str, found: Patching) -> None:
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
        output.line(f"  {found.recovered[layer, place]:9.2%}   {found.patched.probability[layer, place]:8.4%}   "
                    f"{name_of(found.kind, layer, place)}{token}")
    if len(cells) > SHOWN:
        output.line(f"  and {len(cells) - SHOWN:,} more, which change less: --json lists them all")
