"""Beam search, which keeps the few most probable continuations at each step, and its comparison with other strategies.

The search follows Sutskever et al. (2014, section 3.2). A beam that has ended is kept until better ones replace it.
Scores are divided by length**alpha, the first of the length penalties in Wu et al. (2016, section 7). For each
strategy, the total log-probability and the repetition of its text are computed: the most probable texts repeat
themselves and differ from human texts (Holtzman et al., 2020, sections 3 and 4).
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from typing import Literal, NamedTuple

import numpy as np

from gptstudio.gpt.decoder import Decoder
from gptstudio.gpt.sampling import sampler
from gptstudio.gpt.sampling.arrays import Floats
from gptstudio.gpt.sampling.logits import best, log_softmax
from gptstudio.gpt.tokenizer import Tokenizer
from gptstudio.inference import generator
from gptstudio.inference.spec import BeamSpec, GenerateSpec
from gptstudio.training.control import Control
from gptstudio.training.events import Beam, BeamStep
from gptstudio.training.executor import Stream

Ending = Literal["end_of_text", "stop_text"]
Ends = Callable[[Sequence[int]], Ending | None]
"""Returns the reason if the last token of a text ends it, else None."""


class _Found(NamedTuple):
    """Candidate for the next step: a beam that has ended, or a beam extended by a token of this rank."""

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
    """Yield the beams of each step, until all have ended or have the requested length.

    Ties are broken in favour of the better beam, then of the lower token id, so a search of width 1 is greedy decoding.
    ``check`` is called before each step; it can raise to cancel.

    Raises:
        BrokenLogits: logits are not finite.
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
    """Search from the prompt, or from ``ids``, whose first ``known`` tokens are not reported again.

    Raises:
        UserError: as for :func:`gptstudio.inference.generator.generate`.
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
    """Yield the best continuations of a beam, as many as can be kept or listed as pruned."""
    logs = log_softmax(logits)
    entropy = sampler.entropy_bits(np.exp(logs))
    before, length = (beam.log_probability, len(beam.ids) + 1) if beam else (0.0, 1)
    for place, token in enumerate(best(logits, 2 * spec.width).tolist()):
        if logs[token] > -np.inf:
            total = before + float(logs[token])
            yield _Found(score(total, length, spec.length_penalty), beam, token, place + 1, float(logs[token]), entropy)


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


Strategy = Literal["greedy", "beam", "sampling"]
NGRAM = 4
"""Length of the n-grams whose repetition is counted, as in Welleck et al. (2020, section 6.1)."""


@dataclass(frozen=True)
class StrategyText:
    """Text generated by a strategy.

    Attributes:
        ids: tokens after the prompt.
        log_probability: sum over ``ids`` under the model, without sampling stages, in nats.
    """

    strategy: Strategy
    ids: tuple[int, ...]
    log_probability: float

    @property
    def mean(self) -> float:
        """Log-probability per token, in nats."""
        return self.log_probability / len(self.ids)

    @property
    def repetition(self) -> float | None:
        return repetition(self.ids)


def repetition(ids: Sequence[int], n: int = NGRAM) -> float | None:
    """Return the fraction of repeated n-grams, seq-rep-n (Welleck et al., 2020, section 6.1): 1 minus the number of
    distinct n-grams over the number of all. None for a text of fewer than n tokens."""
    grams = [tuple(ids[start : start + n]) for start in range(len(ids) - n + 1)]
    return 1 - len(set(grams)) / len(grams) if grams else None


def compare(
    decoder: Decoder, prompt: Sequence[int], spec: GenerateSpec, beams: BeamSpec,
    check: Callable[[], None] = lambda: None, searched: Beam | None = None,
) -> Iterator[StrategyText]:
    """Yield the text of each strategy when it is complete, each at most ``spec.max_new_tokens`` tokens long.

    Sampling gives the first text that the Generate page draws with this seed and these sampling parameters. ``check``
    is called before each token; it can raise to cancel. ``searched``: the best beam, if already known.

    Raises:
        BrokenLogits: logits are not finite.
    """
    def ends(text: Sequence[int]) -> Ending | None:
        return generator.ending(spec, text, decoder.tokenizer)

    beams = beams.but(max_new_tokens=spec.max_new_tokens)
    searches: tuple[tuple[Strategy, int, Beam | None], ...] = (("greedy", 1, None), ("beam", beams.width, searched))
    for strategy, width, known in searches:
        found = known or [*search(decoder, prompt, beams.but(width=width), ends, check)][-1].kept[0]
        yield StrategyText(strategy, found.ids, found.log_probability)
    yield _sampled(decoder, prompt, spec, ends, check)


def _sampled(
    decoder: Decoder, prompt: Sequence[int], spec: GenerateSpec, ends: Ends, check: Callable[[], None]
) -> StrategyText:
    text, total = list(prompt), 0.0
    for _ in range(spec.max_new_tokens):
        check()
        logits = sampler.checked(decoder.next_logits([text])[0].cpu().numpy())
        stages = sampler.distribution(logits, spec.sampling_params, text)
        text.append(sampler.draw(stages.probabilities, generator.random_number_at(spec.seed, 0, len(text))))
        total += float(log_softmax(logits)[text[-1]])
        if ends(text):
            break
    return StrategyText("sampling", tuple(text[len(prompt) :]), total)
