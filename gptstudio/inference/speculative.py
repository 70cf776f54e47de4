"""Speculative decoding (Leviathan et al., "Fast Inference from Transformers via Speculative Decoding", 2023): a small
model drafts some tokens, a large one checks all of them in one pass.

A drafted token x is accepted with probability min(1, p(x) / q(x)), where p is the large model's distribution and q the
small one's; the first that is rejected is drawn again from max(0, p − q), scaled to sum to 1. What is written then has
exactly the distribution of the large model alone (Appendix A.1).

Shapes: V vocabulary, G drafted tokens.
"""

from __future__ import annotations

import time
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from typing import Literal

import numpy as np
from numpy.typing import NDArray

from gptstudio.errors import UserError
from gptstudio.gpt.decoder import Decoder
from gptstudio.gpt.sampling import sampler
from gptstudio.gpt.sampling.arrays import Floats
from gptstudio.gpt.sampling.params import SamplingParams
from gptstudio.i18n import message
from gptstudio.inference.activations import Check, go_on
from gptstudio.inference.generator import check_vocabulary
from gptstudio.inference.spec import DRAFTED, MOST_DRAFTED

Fate = Literal["accepted", "rejected", "resampled", "extra"]
"""Accepted: drafted and kept; rejected: drafted and not kept; resampled: in the place of a rejected one; extra: by the
large model behind a draft that was accepted whole."""


@dataclass(frozen=True)
class Outcome:
    """A token that was drafted or written, and what became of it."""

    id: int
    fate: Fate


@dataclass
class Speculation:
    """A text that was written by drafting and checking.

    Attributes:
        outcomes: all tokens in their order, the rejected ones among them.
        passes: of the large model.
        draft_s, check_s: seconds of the small and of the large model.
    """

    outcomes: list[Outcome] = field(default_factory=list)
    passes: int = 0
    draft_s: float = 0.0
    check_s: float = 0.0

    @property
    def ids(self) -> list[int]:
        """The tokens written."""
        return [each.id for each in self.outcomes if each.fate != "rejected"]

    def count(self, fate: Fate) -> int:
        return sum(each.fate == fate for each in self.outcomes)

    @property
    def acceptance(self) -> float:
        """Share of the checked drafted tokens that were accepted; 0 where none was checked."""
        checked = self.count("accepted") + self.count("rejected")
        return self.count("accepted") / checked if checked else 0.0


def verify(
    wanted: Sequence[Floats], drafted_from: Sequence[Floats], drafted: Sequence[int], random: NDArray[np.float64]
) -> list[Outcome]:
    """Return what becomes of drafted tokens, and the token that the large model adds.

    Args:
        wanted: G + 1 distributions (V,) of the large model, p.
        drafted_from: G distributions (V,) of the small model, q, that each token was drawn from.
        random: G + 1 random numbers in [0, 1): whether each is accepted, and the draw of the last.
    """
    outcomes: list[Outcome] = []
    for place, token in enumerate(drafted):
        p, q = wanted[place], drafted_from[place]
        if random[place] * q[token] < p[token]:
            outcomes.append(Outcome(token, "accepted"))
            continue
        rest = np.maximum(p - q, 0)
        drawn = sampler.draw(rest / rest.sum() if rest.sum() > 0 else p, float(random[-1]))
        return [*outcomes, Outcome(token, "rejected"), Outcome(drawn, "resampled")]
    return [*outcomes, Outcome(sampler.draw(wanted[-1], float(random[-1])), "extra")]


def speculate(
    large: Decoder, small: Decoder, ids: Sequence[int], params: SamplingParams, tokens: int, *, drafted: int = DRAFTED,
    seed: int = 123, check: Check = go_on,
) -> Iterator[Speculation]:
    """Write ``tokens`` tokens behind a text, and yield what has been written so far after each check.

    Args:
        params: sampling parameters, of both models.
        drafted: tokens that the small model drafts each time, 1 to 16.

    Raises:
        UserError: the vocabularies differ, or the text does not fit the context of one of the models.
    """
    _check(large, small, ids, tokens, drafted)
    made, text = Speculation(), list(ids)
    while len(made.ids) < tokens:
        random = np.random.default_rng([seed, len(text)]).random(2 * drafted + 1)
        count = min(drafted, tokens - len(made.ids) - 1)
        begun_s, draft, drafted_from = time.monotonic(), list(text), []
        for place in range(count):
            check()
            q = _shares(small.next_logits([draft])[0].cpu().numpy(), params, draft)
            drafted_from.append(q)
            draft.append(sampler.draw(q, float(random[place])))
        drafted_s = time.monotonic()
        check()
        rows = [logits.cpu().numpy() for _, logits in large.read([*draft, draft[-1]], len(text))]
        wanted = [_shares(row, params, draft[: len(text) + place]) for place, row in enumerate(rows)]
        made.outcomes += verify(wanted, drafted_from, draft[len(text) :], random[drafted : drafted + count + 1])
        made.passes += 1
        made.draft_s += drafted_s - begun_s
        made.check_s += time.monotonic() - drafted_s
        text = [*ids, *made.ids]
        yield made


def _shares(logits: Floats, params: SamplingParams, context: Sequence[int]) -> Floats:
    return sampler.distribution(logits, params, context).probabilities


def _check(large: Decoder, small: Decoder, ids: Sequence[int], tokens: int, drafted: int) -> None:
    if not 1 <= drafted <= MOST_DRAFTED:
        raise UserError(message(
            "Drafted tokens is {n}; it must be between 1 and {most}.", n=drafted, most=MOST_DRAFTED))
    if not ids:
        raise UserError(message("The prompt is empty. Type a word or two for the model to continue."))
    sizes = large.model.cfg.vocab_size, small.model.cfg.vocab_size
    if sizes[0] != sizes[1]:
        raise UserError(message(
            "The two models have vocabularies of {a} and {b} tokens. A draft can be checked only by a model with the "
            "same vocabulary; choose another one.", a=f"{sizes[0]:,}", b=f"{sizes[1]:,}"))
    check_vocabulary(large.model, list(ids))
    context = min(large.context, small.context)
    if len(ids) + tokens > context:
        raise UserError(message(
            "The prompt has {prompt} tokens; with {n} new ones it does not fit the context of {context} tokens. Ask "
            "for fewer new tokens, or shorten the prompt.", prompt=f"{len(ids):,}", n=f"{tokens:,}",
            context=f"{context:,}"))
