"""Question of "Compare two" to both models: a text that the one drafts and the other checks. No torch."""

from __future__ import annotations

import time
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

from gptstudio.app.requests import Model, ModelsQuery
from gptstudio.app.tasks import Task
from gptstudio.gpt import tokenizer
from gptstudio.inference.spec import DRAFTED, GenerateSpec


@dataclass(frozen=True, eq=False)
class MeasuredSpeculation:
    """A text written by two models, and how long the large one takes for as many tokens alone.

    Attributes:
        speculation: :class:`gptstudio.inference.speculative.Speculation`.
        seconds, alone_s: with both models, and by the large one alone, on this computer just now.
    """

    speculation: Any
    seconds: float
    alone_s: float

    @property
    def speedup(self) -> float:
        return self.alone_s / self.seconds if self.seconds else 0.0


@dataclass(frozen=True)
class SpeculationQuery(ModelsQuery):
    """Request for a text that ``small`` drafts and ``large`` checks. Answer: :class:`MeasuredSpeculation`."""

    large: Model
    small: Model
    spec: GenerateSpec
    drafted: int = DRAFTED

    @property
    def models(self) -> tuple[Model, ...]:
        return self.large, self.small

    def find(self, decoders: Sequence[Any], task: Task, /) -> MeasuredSpeculation:
        large, small = decoders
        return measure_speculation(large, small, self.spec, self.drafted, task)


def measure_speculation(large: Any, small: Any, spec: GenerateSpec, drafted: int, task: Task) -> MeasuredSpeculation:
    """Write the text with both decoders, and then with the large one alone.

    Raises:
        UserError: as :func:`gptstudio.inference.speculative.speculate`.
        Stopped: the task was cancelled.
    """
    from gptstudio.inference.generator import draw, random_number_at
    from gptstudio.inference.speculative import speculate

    ids, total = tokenizer.encode(spec.prompt), 2 * spec.max_new_tokens
    small = small.sibling() if small is large else small
    for decoder in (large, small):
        decoder.next_logits([ids or [0]])  # packs the weights, which is not part of the speed
    begun_s, made = time.monotonic(), None
    for made in speculate(large, small, ids, spec.sampling_params, spec.max_new_tokens, drafted=drafted,
                          seed=spec.seed, check=task.control.check):
        task.report(len(made.ids), total)
    seconds, text = time.monotonic() - begun_s, list(ids)
    alone, begun_s = large.sibling(), time.monotonic()
    for done in range(spec.max_new_tokens):
        task.report(spec.max_new_tokens + done, total)
        logits = alone.next_logits([text])[0].cpu().numpy()
        text.append(draw(logits, spec.sampling_params, text, random_number_at(spec.seed, 0, len(text))).id)
    return MeasuredSpeculation(made, seconds, time.monotonic() - begun_s)
