"""``gptstudio beam``: the most probable text that a beam search finds, beside what other strategies write."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, Any

from gptstudio.cli import output
from gptstudio.cli.arguments import (
    SAME_BEAMS,
    SAME_MODEL,
    SAME_SEARCH,
    BeamFlags,
    Best,
    Json,
    ModelFlags,
    SearchFlags,
)
from gptstudio.cli.writing import harmless
from gptstudio.errors import UserError
from gptstudio.i18n import percent
from gptstudio.inference.loading import load_decoder, source_from
from gptstudio.inference.spec import BeamSpec, GenerateSpec
from gptstudio.training.control import Control
from gptstudio.training.events import BeamStep
from gptstudio.training.signals import stopped_by_signals

if TYPE_CHECKING:
    from gptstudio.gpt.decoder import Decoder
    from gptstudio.inference.beam_search import StrategyText

SENTENCE = (
    "The sums are log-probabilities under the model itself, in nats. A search finds more probable texts than "
    "sampling, and as a rule more repetitive ones (Holtzman et al., 2020).")


def beam(
    *,
    searching: BeamFlags = SAME_BEAMS,
    generating: SearchFlags = SAME_SEARCH,
    model: ModelFlags = SAME_MODEL,
    best: Best = False,
    json: Json = False,
) -> None:
    """Search for the most probable continuation of a prompt with beams, and compare it with greedy decoding and one
    sample.

    The sampling options apply to the sample alone. A preset is an untrained model, initialised from the random seed;
    the model options change it.
    """
    beams = BeamSpec.make(searching.given())
    spec = GenerateSpec.make(generating.given(), max_new_tokens=beams.max_new_tokens)
    origin = source_from(spec, model.given(), best)
    if not spec.prompt:
        raise UserError("The prompt is empty. Type a word or two for the model to continue.")
    control = Control()
    with stopped_by_signals(control):
        decoder = load_decoder(spec, origin)
        prompt = decoder.tokenizer.encode(spec.prompt)
        if json:
            output.print_json({"event": "prompt_read", "model": decoder.name, "ids": prompt})
        last, texts = _find(decoder, prompt, spec, beams, control, json)
    if not json:
        _show(decoder, len(prompt), spec, beams, last, texts)


def _find(
    decoder: Decoder, prompt: list[int], spec: GenerateSpec, beams: BeamSpec, control: Control, json: bool
) -> tuple[BeamStep, Sequence[StrategyText]]:
    """Return the last step of the search and the texts of all strategies; ``json``: print each as soon as it is there.

    Raises:
        UserError: a model that does not know the prompt, or whose weights are broken, or too little memory.
    """
    from gptstudio.inference import beam_search, generator

    generator.check_vocabulary(decoder.config, prompt, decoder.tokenizer)
    generator.check_free_space(decoder.config, beams.width, spec.device)
    last, write = BeamStep(step=0, kept=()), output.json_lines()
    def ends(text: Sequence[int]) -> beam_search.Ending | None:
        return generator.ending(spec, text, decoder.tokenizer)

    for last in beam_search.search(decoder, prompt, beams, ends, control.check):
        if json:
            write(last)
    if json:
        for place, each in enumerate(last.kept):
            output.print_json({
                "event": "beam", "rank": place + 1, "score": each.score, "ending": each.ending,
                **_values(decoder, each.ids, each.log_probability)})
    texts = []
    for text in beam_search.compare(decoder, prompt, spec, beams, control.check, last.kept[0]):
        texts.append(text)
        if json:
            output.print_json({
                "event": "strategy", "strategy": text.strategy, **_values(decoder, text.ids, text.log_probability)})
    return last, texts


def _values(decoder: Decoder, ids: Sequence[int], log_probability: float) -> dict[str, Any]:
    from gptstudio.inference.beam_search import repetition

    return {
        "ids": ids, "text": decoder.tokenizer.decode(ids), "log_probability": log_probability,
        "mean_log_probability": log_probability / len(ids), "repetition": repetition(ids)}


def _show(
    decoder: Decoder, prompt: int, spec: GenerateSpec, beams: BeamSpec, last: BeamStep, texts: Sequence[StrategyText]
) -> None:
    output.line(f"Model: {decoder.name}. Prompt: {prompt:,} tokens.", "bold")
    output.line(f"Beams kept: {len(last.kept)} of width {beams.width}; length penalty {beams.length_penalty:g}")
    output.line(f"{'sum':>12}{'per token':>12}{'repetition':>12}   text")
    for each in last.kept:
        _show_text(decoder, "", each.ids, each.log_probability)
    output.line("Strategies side by side")
    names = {"greedy": "greedy", "beam": f"beam, width {beams.width}", "sampling": f"sampling, seed {spec.seed}"}
    for text in texts:
        _show_text(decoder, f"{names[text.strategy]}: ", text.ids, text.log_probability)
    output.line(SENTENCE)


def _show_text(decoder: Decoder, name: str, ids: Sequence[int], log_probability: float) -> None:
    values = _values(decoder, ids, log_probability)
    share = values["repetition"]
    repeated = "–" if share is None else percent(share)
    text = " ".join(harmless(values["text"]).split())
    output.line(
        f"{log_probability:12.4f}{values['mean_log_probability']:12.4f}{repeated:>12}   {name}{text}")
