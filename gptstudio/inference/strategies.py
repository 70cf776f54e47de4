"""Decoding strategies side by side: one prompt, and for each text its total log-probability and its repetition.

The most probable texts repeat themselves and are unlike those of people (Holtzman et al., 2020, sections 3 and 4).
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass
from typing import Literal

from gptstudio.gpt.decoder import Decoder
from gptstudio.gpt.sampling import sampler
from gptstudio.gpt.sampling.logits import log_softmax
from gptstudio.inference import beam_search, generator
from gptstudio.inference.beam_spec import BeamSpec
from gptstudio.inference.spec import GenerateSpec
from gptstudio.training.events import Beam, BeamStep

Strategy = Literal["greedy", "beam", "sampling"]
STRATEGIES: tuple[Strategy, ...] = ("greedy", "beam", "sampling")
NGRAM = 4
"""Tokens of the sequences whose repetition is counted, as in Welleck et al. (2020, section 6.1)."""


@dataclass(frozen=True)
class StrategyText:
    """Text that a strategy wrote behind the prompt.

    Attributes:
        log_probability: sum over ``ids`` under the model itself, without sampling stages, in nats.
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
    """Return the share of n-grams that occurred before, seq-rep-n (Welleck et al., 2020, section 6.1): one minus the
    different n-grams over all of them. None for a text of fewer than n tokens."""
    grams = [tuple(ids[start : start + n]) for start in range(len(ids) - n + 1)]
    return 1 - len(set(grams)) / len(grams) if grams else None


def compare(
    decoder: Decoder, prompt: Sequence[int], spec: GenerateSpec, beams: BeamSpec,
    check: Callable[[], None] = lambda: None, searched: Beam | None = None,
) -> Iterator[StrategyText]:
    """Yield the text of each strategy as it is done, each at most ``spec.max_new_tokens`` tokens long.

    Sampling is the first sample that Generate draws with this seed and these sampling parameters. ``check`` is called
    before each token, and what it raises ends the work. ``searched``: the best beam, where it is known already.

    Raises:
        BrokenLogits: logits that are not numbers.
    """
    def ends(text: Sequence[int]) -> beam_search.Ending | None:
        return generator.ending(spec, text, decoder.tokenizer)

    beams = beams.but(max_new_tokens=spec.max_new_tokens)
    searches: tuple[tuple[Strategy, int, Beam | None], ...] = (
        ("greedy", 1, None), ("beam", beams.width, searched))
    for strategy, width, known in searches:
        found = known or best_beam(beam_search.search(decoder, prompt, beams.but(width=width), ends, check))
        yield StrategyText(strategy, found.ids, found.log_probability)
    yield _taken("sampling", prompt, ends, _sampled(decoder, prompt, spec, check))


def best_beam(steps: Iterable[BeamStep]) -> Beam:
    """Return the best beam of a whole search."""
    *_, last = steps
    return last.kept[0]


def _taken(
    strategy: Strategy, prompt: Sequence[int], ends: beam_search.Ends, tokens: Iterator[tuple[int, float]]
) -> StrategyText:
    """The tokens and their log-probabilities as a text, up to where it ends."""
    ids: list[int] = []
    total = 0.0
    for token, log_probability in tokens:
        ids.append(token)
        total += log_probability
        if ends([*prompt, *ids]):
            break
    return StrategyText(strategy, tuple(ids), total)


def _sampled(
    decoder: Decoder, prompt: Sequence[int], spec: GenerateSpec, check: Callable[[], None]
) -> Iterator[tuple[int, float]]:
    text = list(prompt)
    for _ in range(spec.max_new_tokens):
        check()
        logits = sampler.checked(decoder.next_logits([text])[0].cpu().numpy())
        stages = sampler.distribution(logits, spec.sampling_params, text)
        token = sampler.draw(stages.probabilities, generator.random_number_at(spec.seed, 0, len(text)))
        text.append(token)
        yield token, float(log_softmax(logits)[token])
