"""``gptstudio generate`` and ``gptstudio beam``: a model continues a prompt, by sampling or by beam search."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, Annotated, Any

from cyclopts import Parameter

from gptstudio.cli import output
from gptstudio.cli.arguments import (
    OUTPUT,
    SAME_BEAMS,
    SAME_MODEL,
    SAME_SEARCH,
    SAME_TEXT,
    BeamFlags,
    Best,
    GenerateFlags,
    Json,
    ModelFlags,
    SearchFlags,
    check_used,
    switch,
)
from gptstudio.cli.output import one_line
from gptstudio.cli.terminal import Terminal
from gptstudio.errors import UserError
from gptstudio.history.copied_words import copied_words
from gptstudio.i18n import message, percent
from gptstudio.inference.loading import load_decoder, source_from
from gptstudio.inference.spec import BeamSpec, GenerateSpec
from gptstudio.training import model_source
from gptstudio.training.control import Control
from gptstudio.training.events import BeamStep, Ended, Event, TextEnded, TokenDrawn
from gptstudio.training.executor import Sink, execute
from gptstudio.training.model_source import ModelSource
from gptstudio.training.signals import stopped_by_signals

if TYPE_CHECKING:
    from gptstudio.gpt.decoder import Decoder
    from gptstudio.inference.beam_search import StrategyText

class CopyReport:
    """Sink that passes all events on, and at the end reports how much of each text was copied."""

    def __init__(self, sink: Sink, source: ModelSource, json: bool):
        """Read the training text of the model.

        Raises:
            UserError: the text is unknown, has changed, or is too long.
        """
        from gptstudio.data.ngram import VerbatimIndex  # imports numpy, which the help does not need
        from gptstudio.training import run_text

        self._sink, self._json = sink, json
        self._index = VerbatimIndex(run_text.searchable(run_text.run_of(source)).train_ids)
        self._texts: dict[int, list[int]] = {}

    def __call__(self, event: Event) -> None:
        if isinstance(event, TokenDrawn):
            self._texts.setdefault(event.sample, []).append(event.id)
        if isinstance(event, Ended) and self._json:
            self._report()  # the end event must be the last line
        self._sink(event)
        if isinstance(event, Ended) and not self._json:
            self._report()

    def _report(self) -> None:
        from gptstudio.data import ngram

        for sample, ids in sorted(self._texts.items()):
            found = self._index.stretches(ids)
            share = ngram.copied_share(found, len(ids))
            longest = max((each.stop - each.start for each in found), default=0)
            if self._json:
                output.print_json({"event": "copied", "sample": sample, "tokens": len(ids), "copied_share": share,
                                   "longest_copy": longest})
            else:
                text = f"Text {sample + 1}: " if len(self._texts) > 1 else ""
                output.note(f"{text}{copied_words(share, longest)} (five or more in a row, from the training text)")


ALTERNATIVES = 10

Alternatives = Annotated[
    int | None,
    Parameter(
        help="With --json: the number of likeliest tokens that are printed with each new token, up to the whole "
        "vocabulary.", group=OUTPUT, metavar="N", show_default=lambda _: ALTERNATIVES,
    ),
]


Copied = Annotated[bool, switch(
    "Also print which share of the new tokens occurs word for word in the text that the model's run was trained on, in "
    "stretches of five or more, and the longest stretch.")]


def generate(
    *,
    generating: GenerateFlags = SAME_TEXT,
    model: ModelFlags = SAME_MODEL,
    alternatives: Alternatives = None,
    best: Best = False,
    copied: Copied = False,
    json: Json = False,
) -> Ended:
    """Continue a prompt with a model.

    A preset is an untrained model, initialised from the random seed; the model options change it.
    """
    spec = GenerateSpec.make(generating.given())
    origin = source_from(spec, model.given(), best)
    vocabulary = model_source.config_of(origin).vocab_size
    if not json:
        check_used({"--alternatives": alternatives is not None}, needed="--json")
    if alternatives is not None and not 1 <= alternatives <= vocabulary:
        raise UserError(message(
            "Alternatives must be between 1 and {vocabulary}, the vocabulary of {model}, not {n}.",
            n=f"{alternatives:,}", vocabulary=f"{vocabulary:,}", model=origin.name,
        ))
    return generate_from(spec, origin, json, ALTERNATIVES if alternatives is None else alternatives, copied)


def generate_from(
    spec: GenerateSpec, origin: model_source.LoadableModel, json: bool = False, alternatives: int = ALTERNATIVES,
    copied: bool = False,
) -> Ended:
    """Generate a text token by token, until its end, Ctrl-C, or a closed stdout. ``copied``: report copied passages."""
    from gptstudio.inference import generator

    model_source.check_text(origin)
    control, tokenizer = Control(), model_source.tokenizer_of(origin)
    sink: Sink = output.json_lines(TokenDrawn, TextEnded) if json else Terminal(control, tokenizer)
    if copied:
        sink = CopyReport(sink, origin, json)
    # The probabilities of the prompt are not displayed, so the model need not compute them.
    stream = generator.generate(
        spec, lambda: load_decoder(spec, origin), control, known=None, alternatives=alternatives)
    with stopped_by_signals(control):
        return execute(stream, [output.while_read(sink, control)])


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

    The sampling options apply only to the sample. A preset is an untrained model, initialised from the random seed; the
    model options change it.
    """
    beams = BeamSpec.make(searching.given())
    spec = GenerateSpec.make(generating.given(), max_new_tokens=beams.max_new_tokens)
    origin = source_from(spec, model.given(), best)
    with output.stoppable() as control:
        decoder = load_decoder(spec, origin)
        from gptstudio.inference import generator

        given = generator.prompt_tokens(spec.prompt, decoder)
        prompt = generator.end_of_prompt(given, decoder)
        if json:
            output.print_json({"event": "prompt_read", "model": decoder.name, "ids": given})
        last, texts = _find(decoder, prompt, spec, beams, control, json)
    if not json:
        output.note_prompt(given, len(given) - decoder.context, decoder.tokenizer)
        _show(decoder, len(given), spec, beams, last, texts)


def _find(
    decoder: Decoder, prompt: list[int], spec: GenerateSpec, beams: BeamSpec, control: Control, json: bool
) -> tuple[BeamStep, Sequence[StrategyText]]:
    """Return the last step of the search and the texts of all strategies. ``json``: print each as soon as it is
    available.

    Raises:
        UserError: the model's vocabulary lacks tokens of the prompt, its weights are broken, or there is not enough
            memory.
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
    output.line(f"Model: {decoder.name}. Tokens of the prompt: {prompt:,}.", "bold")
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
    text = one_line(values["text"])
    output.line(f"{log_probability:12.4f}{values['mean_log_probability']:12.4f}{repeated:>12}   {name}{text}")
