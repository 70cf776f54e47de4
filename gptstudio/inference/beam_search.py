"""Beam search: of all continuations by one token, the most probable few are kept at each step.

The search of Sutskever et al. (2014, section 3.2). A beam that has ended keeps its place until a better one takes it.
Scores are divided by length**alpha, the first of the length penalties in Wu et al. (2016, section 7).
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from typing import Literal, NamedTuple

import numpy as np

from gptstudio.gpt.decoder import Decoder
from gptstudio.gpt.sampling import sampler
from gptstudio.gpt.sampling.arrays import Floats
from gptstudio.gpt.sampling.logits import best, log_softmax
from gptstudio.gpt.tokenizer import Tokenizer
from gptstudio.inference import generator
from gptstudio.inference.beam_spec import BeamSpec
from gptstudio.inference.spec import GenerateSpec
from gptstudio.training.control import Control
from gptstudio.training.events import Beam, BeamStep
from gptstudio.training.executor import Stream

Ending = Literal["end_of_text", "stop_text"]
Ends = Callable[[Sequence[int]], Ending | None]
"""Returns the reason if the last token of a text ends it."""


class _Found(NamedTuple):
    """A beam that may be kept: one that has ended, or one with a further token of this rank."""

    score: float
    beam: Beam | None
    token: int = 0
    rank: int = 0
    log_probability: float = 0.0
    entropy_bits: float = 0.0
    ended: bool = False


def search(
    decoder: Decoder, prompt: Sequence[int], spec: BeamSpec, ends: Ends = lambda _text: None,
    check: Callable[[], None] = lambda: None,
) -> Iterator[BeamStep]:
    """Yield the beams of each step, until all have ended or are as long as asked.

    Of equal scores the one from the better beam is kept, then that of the lower token ID: a search of width 1 is greedy
    decoding. ``check`` is called before each step, and what it raises ends the work.

    Raises:
        BrokenLogits: logits that are not numbers.
    """
    beams: list[Beam | None] = [None]  # the prompt alone
    for step in range(1, spec.max_new_tokens + 1):
        check()
        going = [beam for beam in beams if beam is None or not beam.ending]
        if not going:
            return
        texts = [[*prompt, *(beam.ids if beam else ())] for beam in going]
        logits = decoder.next_logits(texts).cpu().numpy()
        found = [_Found(beam.score, beam, ended=True) for beam in beams if beam and beam.ending]
        for beam, values in zip(going, logits, strict=True):
            found += _continuations(beam, sampler.checked(values), spec)
        found.sort(key=lambda each: -each.score)  # stable
        made = [_beam(each, prompt, ends, decoder.tokenizer) for each in found[: 2 * spec.width]]
        kept, pruned = made[: spec.width], made[spec.width :]
        yield BeamStep(step=step, kept=tuple(kept), pruned=tuple(pruned))
        beams = list(kept)


def stream(
    spec: GenerateSpec, beams: BeamSpec, open_decoder: Callable[[], Decoder], control: Control,
    ids: Sequence[int] | None = None, known: int = 0,
) -> Stream:
    """Search from the prompt, or from ``ids``, of which the first ``known`` are not reported again.

    Raises:
        UserError: as :func:`gptstudio.inference.generator.generate`.
    """
    read_prompt = yield from generator.begin(spec, open_decoder, control, ids, known)
    if read_prompt is None:
        return "stopped"
    decoder, prompt = read_prompt
    generator.check_free_space(decoder.config, beams.width, spec.device)
    yield from search(
        decoder, prompt, beams, lambda text: generator.ending(spec, text, decoder.tokenizer), control.check)
    return "finished"


def score(log_probability: float, length: int, length_penalty: float) -> float:
    """Return the sum of log-probabilities divided by length**alpha (Wu et al., 2016, section 7)."""
    compared: float = log_probability / length**length_penalty
    return compared


def _continuations(beam: Beam | None, logits: Floats, spec: BeamSpec) -> Iterator[_Found]:
    """The best tokens behind a beam: no more than could be kept or named among the pruned."""
    logs = log_softmax(logits)
    entropy = sampler.entropy_bits(np.exp(logs))
    before, length = (beam.log_probability, len(beam.ids) + 1) if beam else (0.0, 1)
    for place, token in enumerate(best(logits, 2 * spec.width).tolist()):
        if logs[token] > -np.inf:
            total = before + float(logs[token])
            yield _Found(
                score(total, length, spec.length_penalty), beam, token, place + 1, float(logs[token]), entropy)


def _beam(found: _Found, prompt: Sequence[int], ends: Ends, tokenizer: Tokenizer) -> Beam:
    if found.ended and found.beam:
        return found.beam
    before = found.beam
    ids = (*(before.ids if before else ()), found.token)
    return Beam(
        ids=ids, text=tokenizer.decode([found.token]), plain_probability=float(np.exp(found.log_probability)),
        rank=found.rank, plain_entropy_bits=found.entropy_bits,
        log_probability=(before.log_probability if before else 0.0) + found.log_probability, score=found.score,
        ending=ends([*prompt, *ids]) or "")
