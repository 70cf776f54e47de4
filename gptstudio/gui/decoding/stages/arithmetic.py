"""Arithmetic of every number of a choice as text: the explanation of a cell of the table of sampling stages.

Inputs are written with up to four decimals, so that recomputing a line gives its result. numpy only, no torch.
"""

from __future__ import annotations

from collections.abc import Collection
from dataclasses import dataclass, replace
from typing import Literal

import numpy as np
from numpy.typing import NDArray

from gptstudio.gpt import tokenizer
from gptstudio.gpt.sampling import Distribution, Floats, Mask, Step, distribution, rank, softmax
from gptstudio.gpt.sampling_params import SamplingParams, Stage
from gptstudio.gui.decoding.stages.stage_texts import cut_by, in_text
from gptstudio.gui.translation import joined, tr

Counts = NDArray[np.intp]
Column = Stage | Literal["token", "logit", "probability", "draws"]
LISTED = 3
"""So many terms of a sum are written out; of a longer one only the largest."""


@dataclass(frozen=True)
class Choice:
    """One place of a text: what could come there, and what came.

    Attributes:
        seen: ids of the tokens before it.
        token: the id that came.
        draws: how often each token came when it was tried out (V,), and how often that was; None before.
    """

    stages: Distribution
    sampling_params: SamplingParams
    seen: frozenset[int]
    token: int
    draws: Counts | None = None

    @classmethod
    def of(cls, logits: Floats, sampling_params: SamplingParams, seen: Collection[int], token: int) -> Choice:
        """Return the distribution of these logits (V,) under these sampling parameters.

        Raises:
            BrokenLogits: some logits are not numbers.
        """
        return cls(distribution(logits, sampling_params, seen), sampling_params, frozenset(seen), token)

    def with_draws(self, draws: Counts) -> Choice:
        return replace(self, draws=draws)

    def step(self, stage: Stage) -> Step:
        return next(step for step in self.stages.steps if step.stage == stage)


def of_token(choice: Choice, token: int, column: Column) -> str:
    """Return the arithmetic of a cell for one token."""
    match column:
        case "token":
            return _named(choice, token)
        case "logit":
            return _logit(choice, token)
        case "probability":
            return _probability(choice, token)
        case "draws":
            return _draws(choice, np.arange(choice.stages.logits.size) == token)
        case stage:
            return _stage(choice, token, stage)


def of_rest(choice: Choice, rest: Mask, column: Column) -> str:
    """The same for all the tokens of ``rest`` (V,) in one."""
    stages, n = choice.stages, f"{np.count_nonzero(rest):,}"
    match column:
        case "token" | "logit":
            return tr("All {n} unlisted tokens together", n=n)
        case "probability":
            return tr("Sum over {n} tokens: {before} before, {after} after", n=n,
                      before=share(stages.plain[rest].sum()), after=share(stages.probabilities[rest].sum()))
        case "draws":
            return _draws(choice, rest)
        case stage:
            kept = np.count_nonzero(choice.step(stage).after[rest] > -np.inf)
            return tr("{kept} of the {n} unlisted tokens are kept", kept=f"{kept:,}", n=n)


def reasons(choice: Choice, token: int) -> tuple[str, ...]:
    """Return the reasons why a token was removed, the longest text first, to choose by space; empty if it was kept."""
    match choice.stages.cut_by(token):
        case None:
            return ()
        case "top_k":
            place = f"{rank(choice.step('top_k').before, token):,}"
            k = f"{choice.sampling_params.top_k or 0:,}"
            return tr("removed: rank {n}, top-k is {k}", n=place, k=k), tr("rank {n}", n=place), tr("removed")
        case "temperature" if choice.sampling_params.temperature == 0:
            return tr("removed: temperature 0"), tr("removed")
        case stage:
            return cut_by(stage), tr("removed")


# Numbers.


def number(value: float) -> str:
    """With up to four decimals, as many as it has; with powers of ten where it is tiny or huge."""
    if value and not 0.001 <= abs(value) < 1e6:
        return f"{value:.4g}"
    return f"{value:.4f}".rstrip("0").rstrip(".")


def logit(value: float) -> str:
    """As the table has it."""
    return f"{value:.2f}" if abs(value) < 1e5 else f"{value:.3g}"


def share(value: float) -> str:
    """A probability with three digits that count; with more where it would be a false 1."""
    return _beside(value, 1.0) if value < 1 else "1"


def _beside(value: float, limit: float, digits: int = 3) -> str:
    """With as few digits as leave it on its side of the limit."""
    for count in range(digits, 17):
        text = f"{value:.{count}g}"
        if (float(text) < limit) == (value < limit):
            return text
    return repr(float(value))


# The columns.


def _named(choice: Choice, token: int) -> str:
    values = {
        "token": tokenizer.visible(token), "id": f"{token:,}", "n": f"{choice.stages.logits.size:,}",
        "place": f"{rank(choice.stages.logits, token):,}",
    }
    if token in choice.seen:
        return tr("{token}: ID {id}, model rank {place} of {n}, already in the text", **values)
    return tr("{token}: ID {id}, model rank {place} of {n}", **values)


def _logit(choice: Choice, token: int) -> str:
    logits = choice.stages.logits
    return tr("The model's logit is {x}, {d} below the highest", x=number(logits[token]),
              d=number(logits.max() - logits[token])) if token != logits.argmax() else tr(
        "The model's logit is {x}, the highest", x=number(logits[token]))


def _stage(choice: Choice, token: int, stage: Stage) -> str:
    step = choice.step(stage)
    before = float(step.before[token])
    if before == -np.inf:
        by = choice.stages.cut_by(token)
        return tr("Already removed by {stage}", stage=in_text(by)) if by else tr("The model gives it probability 0")
    if not choice.sampling_params.changes(stage):
        return tr("{stage} is off: it stays {x}", stage=_capital(in_text(stage)), x=number(before))
    match stage:
        case "repetition_penalty":
            return _penalty(choice, token, step)
        case "temperature":
            return _temperature(choice, token, step)
        case "top_k":
            return _top_k(choice, token, step)
        case "top_p":
            return _top_p(choice, token, step)
        case "min_p":
            return _min_p(choice, token, step)


def _penalty(choice: Choice, token: int, step: Step) -> str:
    before, after = float(step.before[token]), float(step.after[token])
    if token not in choice.seen:
        return tr("Not in the text yet: it stays {x}", x=number(before))
    sign = "/" if before > 0 else "×"
    return tr("Already in the text: {x} {sign} {penalty} = {y}", x=number(before), sign=sign,
              penalty=number(choice.sampling_params.repetition_penalty), y=logit(after))


def _temperature(choice: Choice, token: int, step: Step) -> str:
    heat = choice.sampling_params.temperature
    if heat == 0:
        top = tokenizer.visible(int(step.after.argmax()))
        if step.cut[token]:
            return tr("Removed: temperature 0 keeps only the most likely token, {token}", token=top)
        return tr("Temperature 0 keeps only the most likely token: this one")
    return f"{_cooled(number(step.before[token]), step, heat, ' / ')} = {logit(step.after[token])}"


def _top_k(_choice: Choice, token: int, step: Step) -> str:
    place, kept = rank(step.before, token), np.count_nonzero(step.after > -np.inf)
    if step.cut[token]:
        return tr("Removed: rank {n}; only the {k} most likely are kept", n=f"{place:,}", k=f"{kept:,}")
    return tr("Rank {n} of the {k} that are kept", n=f"{place:,}", k=f"{kept:,}")


def _top_p(choice: Choice, token: int, step: Step) -> str:
    value, ids = step.before[token], np.arange(step.before.size)
    ahead = (step.before > value) | ((step.before == value) & (ids < token))
    if not ahead.any():
        return tr("The most likely token is always kept")
    limit = choice.sampling_params.top_p
    lies = _beside(float(softmax(step.before)[ahead].sum()), limit)
    if step.cut[token]:
        return tr("The tokens ranked above it sum to {sum}, which reaches {p}: removed", sum=lies, p=number(limit))
    return tr("The tokens ranked above it sum to {sum}, less than {p}: kept", sum=lies, p=number(limit))


def _min_p(choice: Choice, token: int, step: Step) -> str:
    probabilities = softmax(step.before)
    top, least = float(probabilities.max()), choice.sampling_params.min_p
    values = {"min": number(least)}
    for digits in range(3, 17):  # as few as leave what is written true
        values |= {"p": f"{probabilities[token]:.{digits}g}", "top": f"{top:.{digits}g}"}
        if (float(values["p"]) < least * float(values["top"])) == step.cut[token]:
            break
    if step.cut[token]:
        return tr("{p} is less than {min} × {top}: removed", **values)
    return tr("{p} is at least {min} × {top}: kept", **values)


def _probability(choice: Choice, token: int) -> str:
    stages = choice.stages
    before = tr("Before: {sum} = {p}", sum=_softmax(choice, token, stages.logits, False), p=share(stages.plain[token]))
    if not stages.kept[token]:
        by = stages.cut_by(token)
        cut = tr("Removed by {stage}: 0", stage=in_text(by)) if by else tr("Impossible: 0")
        return joined(".  ", cut, before)
    after = tr("{sum} = {p}", sum=_softmax(choice, token, stages.steps[-1].after, True),
               p=share(stages.probabilities[token]))
    return joined(".  ", after, before)


def _softmax(choice: Choice, token: int, values: Floats, staged: bool) -> str:
    """exp of the token's logit over the sum of exp of all that are left."""
    def power(each: int) -> str:
        return tr("exp({x})", x=expression(choice, each) if staged else number(values[each]))

    left = np.count_nonzero(values > -np.inf)
    if left == 1:
        return f"{power(token)} / {power(token)}"
    if left <= LISTED:
        ids = sorted(np.flatnonzero(values > -np.inf).tolist(), key=lambda each: -values[each])
        return f"{power(token)} / ({' + '.join(map(power, ids))})"
    return tr("{x} / ({top} + …, {n} tokens in all)", x=power(token), top=power(int(values.argmax())), n=f"{left:,}")


def expression(choice: Choice, token: int) -> str:
    """The logit after all stages, as what the stages made of the model's logit: '6.28/1.2/1.4'."""
    text = number(choice.stages.logits[token])
    for step in choice.stages.steps:
        if step.stage == "repetition_penalty" and choice.sampling_params.changes(step.stage) and token in choice.seen:
            text += ("/" if step.before[token] > 0 else "×") + number(choice.sampling_params.repetition_penalty)
        elif step.stage == "temperature" and choice.sampling_params.temperature not in (0, 1):
            text = _cooled(text, step, choice.sampling_params.temperature, "/")
    return text


def _cooled(text: str, step: Step, heat: float, sign: str) -> str:
    """Divided by the temperature; below the highest, where that alone can be divided by so little."""
    top = float(step.before.max())
    with np.errstate(over="ignore"):
        shifted = not np.isfinite(np.float64(top) / heat)
    return f"({text} - {number(top)}){sign}{number(heat)}" if shifted else f"{text}{sign}{number(heat)}"


def _draws(choice: Choice, tokens: Mask) -> str:
    if choice.draws is None:
        return tr("Nothing drawn yet")
    n, probability = choice.draws.sum(), choice.stages.probabilities[tokens].sum()
    return tr(
        "Drawn {count} times out of {n}; expected: {p} × {n} = {expected}", count=f"{choice.draws[tokens].sum():,}",
              n=f"{n:,}", p=share(probability), expected=expected(probability * n))


def expected(count: float) -> str:
    """Return an expected count: with a decimal if that is informative."""
    return f"{count:,.1f}" if 0 < count < 10 else f"{count:,.0f}"


def _capital(words: str) -> str:
    return words[:1].upper() + words[1:]
