"""Points of the scaling lab: what each size reached, and those of the recorded run. No torch."""

from __future__ import annotations

import json
from dataclasses import dataclass
from functools import cache
from statistics import fmean, stdev
from typing import Any, Literal

from gptstudio import paths

RECORDED = "scaling_run.json"
Measure = Literal["at the end", "lowest"]


@dataclass(frozen=True)
class Outcome:
    """One model trained with one seed; losses in nats per token, all None where it diverged.

    Attributes:
        last, lowest: validation loss after the last step, and the lowest of all evaluations.
        train: training loss after the last step.
        seconds: processor time of the thread that trained.
    """

    last: float | None
    lowest: float | None
    train: float | None
    seconds: float


@dataclass(frozen=True)
class SizePoint:
    """One size, with all its seeds.

    Attributes:
        parameters, all_parameters: without embeddings and output layer, and with both.
        learning_rate: the highest of the schedule.
        tokens: that each seed was trained on, repeats counted; ``epochs`` passes over the training part.
        flops: floating-point operations of each seed; ``output_share`` of them in the output layer.
    """

    emb_dim: int
    n_layers: int
    n_heads: int
    parameters: int
    all_parameters: int
    learning_rate: float
    steps: int
    tokens: int
    epochs: float
    flops: float
    output_share: float
    outcomes: tuple[Outcome, ...]

    def losses(self, which: Measure = "at the end") -> list[float]:
        """Validation losses of the seeds that did not diverge."""
        found = (each.last if which == "at the end" else each.lowest for each in self.outcomes)
        return [loss for loss in found if loss is not None]

    def mean(self, which: Measure = "at the end") -> float | None:
        """Mean over the seeds; None if all diverged."""
        losses = self.losses(which)
        return fmean(losses) if losses else None

    def spread(self, which: Measure = "at the end") -> float | None:
        """Standard deviation over the seeds (n - 1); None with fewer than two."""
        losses = self.losses(which)
        return stdev(losses) if len(losses) > 1 else None

    @property
    def train(self) -> float | None:
        """Mean training loss after the last step."""
        losses = [each.train for each in self.outcomes if each.train is not None]
        return fmean(losses) if losses else None

    @property
    def diverged(self) -> int:
        """Seeds that diverged."""
        return sum(each.last is None for each in self.outcomes)

    @property
    def seconds(self) -> float:
        return sum(each.seconds for each in self.outcomes)


@dataclass(frozen=True)
class Measured:
    """Points of one run of the lab.

    Attributes:
        text: its name; ``train_tokens`` and ``val_tokens`` of it.
        memory_bytes: peak that was expected, of the largest model.
        points: of the sizes, in their order in the request.
        recorded: the day of the run that ships, as YYYY-MM-DD; empty: trained here.
        cores: of the machine that recorded it; 0: trained here.
    """

    text: str
    train_tokens: int
    val_tokens: int
    memory_bytes: int
    points: tuple[SizePoint, ...]
    recorded: str = ""
    cores: int = 0


@cache
def recorded() -> Measured:
    """The run that ships; ``packaging/scaling_run.py`` made it."""
    found = json.loads((paths.resources() / "reference" / RECORDED).read_text(encoding="utf-8"))
    return from_json(found["measured"])


def from_json(found: dict[str, Any]) -> Measured:
    points = tuple(
        SizePoint(**{**point, "outcomes": tuple(Outcome(**each) for each in point["outcomes"])})
        for point in found["points"])
    return Measured(**{**found, "points": points})
