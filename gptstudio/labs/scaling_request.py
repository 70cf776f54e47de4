"""Request of the scaling lab, and the points that it yields. Imports no torch.

The points come from models just trained, or from the recorded run.
"""

from __future__ import annotations

import json
import math
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from functools import cache
from statistics import fmean, stdev
from typing import Any, Literal

from gptstudio import paths
from gptstudio.fields import Problem, Spec, setting
from gptstudio.gpt import sizing
from gptstudio.gpt.config import GPTConfig
from gptstudio.i18n import message
from gptstudio.labs import checks

BATCH = 2
"""Windows per step, as in the book."""
MOST_SIZES = 8
LEAST_STEPS = 10
MOST_STEPS = 200_000
LIMITS = {"widths": (8, 512), "layers": (1, 24), "heads": (1, 64)}
TRAINING = ("text", "widths", "layers", "heads", "budget", "rate_rule", "learning_rate", "seeds", "context_length")
"""Fields that determine the training; the others only determine the evaluation of its results."""


class ScalingRequest(Spec):
    """Model sizes to train with equal compute, and options for fitting the law to their losses."""

    points: Literal["recorded", "trained"] = setting(
        "recorded", "Points",
        "recorded: the points of a run that ships with GPT Studio, with the training settings as they are at first. "
        "trained: trains the sizes now, which takes one to two minutes on two free cores.",
        panel=False,
    )
    text: str = setting("verdict", "Text",
        "Text to train on: verdict (The Verdict; the story that ships if it is not on this computer), story, grimm, "
        "luxun, or a file.")
    widths: tuple[int, ...] = setting(
        (16, 32, 64, 128), "Widths", "Width of each model: numbers per token, a multiple of its heads.")
    layers: tuple[int, ...] = setting((1, 2, 3, 4), "Layers", "Transformer blocks of each model.")
    heads: tuple[int, ...] = setting((1, 2, 4, 4), "Heads", "Attention heads of each model.")
    budget: float = setting(
        0.3, "Compute per model",
        "Floating-point operations for which each model is trained, in 10¹²: three times those of a forward pass, "
        "output layer and attention included. The smaller the model, the more tokens it reads.",
        unit="TFLOP", low=0.001, high=1_000.0, step=0.1,
    )
    rate_rule: Literal["one for all", "by size"] = setting(
        "one for all", "Learning rate rule",
        "one for all: the learning rate below. by size: 0.003239 − 0.0001395 ln N, with N parameters without "
        "embeddings (Kaplan et al., 2020, appendix D.6). Each rises over the first tenth of the steps, then falls "
        "along half a cosine to a tenth.",
    )
    learning_rate: float = setting(
        4e-3, "Learning rate", "Highest learning rate of every model, with one for all.",
        low=1e-6, high=10.0, step=1e-4,
    )
    seeds: int = setting(
        3, "Seeds", "How many times each size is trained, with other initial weights and another order of the text.",
        low=1, high=10, step=1)
    context_length: int = setting(
        64, "Context length", "Tokens in a window.", unit="tokens", low=8, high=1_024, step=8)
    counted: Literal["without embeddings", "all parameters"] = setting(
        "without embeddings", "Parameters counted",
        "without embeddings: attention, feed-forward networks and norms, as Kaplan et al. count. all parameters: "
        "embeddings and output layer too, as Hoffmann et al. count.",
    )
    measured: Literal["at the end", "lowest"] = setting(
        "at the end", "Validation loss",
        "at the end: after all of the compute. lowest: the lowest on the way, as if training had stopped there.",
    )
    irreducible: float = setting(
        0.0, "Irreducible loss",
        "Loss that no model could go below. Four points cannot determine it, so it is set, not fitted: 0 as in "
        "Kaplan et al., 1.69 as in Hoffmann et al.",
        unit="nats", low=0.0, high=12.0, step=0.05,
    )
    axis: Literal["points", "slopes"] = setting(
        "points", "Loss axis",
        "points: as long as the points need, to see how they differ. slopes: as long as the published slopes need, to "
        "see how flat the points are beside them.",
    )

    @classmethod
    def relations(cls, values: Mapping[str, Any]) -> Iterator[Problem]:
        if "text" in values and not values["text"].strip():
            yield Problem("text", message("Text is empty; it must be verdict, story or a file."))
        wrong = list(_problems_of_lists(values))
        yield from wrong
        if not wrong and values.keys() >= LIMITS.keys():
            yield from _each_size(values)
        if values.get("points") == "recorded":
            yield from _not_recorded(cls, values)

    @property
    def sizes(self) -> tuple[GPTConfig, ...]:
        """Configuration of each model; dropout is off."""
        return tuple(
            GPTConfig(emb_dim=width, n_layers=layers, n_heads=heads, context_length=self.context_length, drop_rate=0)
            for width, layers, heads in zip(self.widths, self.layers, self.heads, strict=True))

    @property
    def training(self) -> tuple[Any, ...]:
        """Values of the fields that determine the training."""
        return tuple(getattr(self, name) for name in TRAINING)

    def steps(self, cfg: GPTConfig) -> int:
        """Return the number of steps for which a model is trained."""
        return round(self.budget * 1e12 / step_flops(cfg))

    def rate(self, cfg: GPTConfig) -> float:
        """Return the highest learning rate of a model."""
        if self.rate_rule == "one for all":
            return self.learning_rate
        return max(1e-5, 0.003239 - 0.0001395 * math.log(without_embeddings(cfg)))

    def parameters_of(self, point: SizePoint) -> int:
        """Return the number of parameters of a size, counted as requested."""
        return point.parameters if self.counted == "without embeddings" else point.all_parameters


def step_flops(cfg: GPTConfig) -> int:
    """Return the floating-point operations of one step: the forward pass, and twice as many for the backward pass."""
    return 3 * sizing.flops_per_token(cfg) * BATCH * cfg.context_length


def without_embeddings(cfg: GPTConfig) -> int:
    """Return the number of parameters of attention, feed-forward networks and norms (Kaplan et al., 2020, §2.1)."""
    counted = sizing.parameters(cfg)
    return counted.attention + counted.feed_forward + counted.norms


def _problems_of_lists(values: Mapping[str, Any]) -> Iterator[Problem]:
    lists = {name: values[name] for name in LIMITS if name in values}
    count = len(lists.get("widths", ()))
    for name, found in lists.items():
        label = checks.label(ScalingRequest, name)
        low, high = LIMITS[name]
        if not 1 <= len(found) <= MOST_SIZES:
            yield Problem(name, message(
                "{name}: the number of values is {count}; it must be between {low} and {high}, one for each model.",
                name=label, count=len(found), low=1, high=MOST_SIZES))
        elif "widths" in lists and len(found) != count:
            yield Problem(name, message(
                "{name}: the number of values is {count}, but there are {widths} widths. Give one for each model.",
                name=label, count=len(found), widths=count))
        for place, value in enumerate(found[:MOST_SIZES], start=1):
            if not low <= value <= high:
                yield Problem(name, message(
                    "{name}, model {place}: {value} must be between {low} and {high}.",
                    name=label, place=place, value=f"{value:,}" if abs(value) < 1e15 else "…", low=low, high=high))


def _each_size(values: Mapping[str, Any]) -> Iterator[Problem]:
    sizes = zip(values["widths"], values["layers"], values["heads"], strict=True)
    for place, (width, layers, heads) in enumerate(sizes, start=1):
        if width % heads:
            yield Problem("widths", message(
                "Widths, model {place}: {width} must be a multiple of its heads ({heads}).",
                place=place, width=width, heads=heads))
        elif {"budget", "context_length"} <= values.keys():
            cfg = GPTConfig(
                emb_dim=width, n_layers=layers, n_heads=heads, context_length=values["context_length"])
            yield from _budget(place, values["budget"], step_flops(cfg))


def _budget(place: int, budget: float, flops: int) -> Iterator[Problem]:
    steps = round(budget * 1e12 / flops)
    if not LEAST_STEPS <= steps <= MOST_STEPS:
        yield Problem("budget", message(
            "Compute per model: model {place} would be trained for {steps} steps; there must be between {low} and "
            "{high}. For it, choose between {least} and {most} TFLOP.",
            place=place, steps=f"{steps:,}", low=LEAST_STEPS, high=f"{MOST_STEPS:,}",
            least=f"{LEAST_STEPS * flops / 1e12:.3g}", most=f"{MOST_STEPS * flops / 1e12:.3g}"))


def _not_recorded(cls: type[ScalingRequest], values: Mapping[str, Any]) -> Iterator[Problem]:
    for name in TRAINING:
        if name in values and values[name] != cls.model_fields[name].default:
            yield Problem(name, message(
                "{name}: no run with this value was recorded. Set points to trained to train with it.",
                name=checks.label(cls, name)))


RECORDED = "scaling_run.json"
Measure = Literal["at the end", "lowest"]


@dataclass(frozen=True)
class Outcome:
    """One model trained with one seed. Losses are in nats per token, and all None if training diverged.

    Attributes:
        last, lowest: validation loss after the last step, and the lowest of all evaluations.
        train: training loss after the last step.
        seconds: processor time of the training thread.
    """

    last: float | None
    lowest: float | None
    train: float | None
    seconds: float


@dataclass(frozen=True)
class SizePoint:
    """One size, trained with all seeds.

    Attributes:
        parameters, all_parameters: number without embeddings and output layer, and with both.
        learning_rate: highest learning rate of the schedule.
        tokens, epochs: number of training tokens per seed, including repeats; number of passes over the training part.
        flops, output_share: floating-point operations per seed; fraction of them in the output layer.
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
        """Return the validation losses of the seeds that did not diverge."""
        found = (each.last if which == "at the end" else each.lowest for each in self.outcomes)
        return [loss for loss in found if loss is not None]

    def mean(self, which: Measure = "at the end") -> float | None:
        """Return the mean over the seeds; None if all diverged."""
        losses = self.losses(which)
        return fmean(losses) if losses else None

    def spread(self, which: Measure = "at the end") -> float | None:
        """Return the standard deviation over the seeds (n - 1); None with fewer than two."""
        losses = self.losses(which)
        return stdev(losses) if len(losses) > 1 else None

    @property
    def train(self) -> float | None:
        """Mean training loss after the last step; None if all seeds diverged."""
        losses = [each.train for each in self.outcomes if each.train is not None]
        return fmean(losses) if losses else None

    @property
    def diverged(self) -> int:
        """Number of seeds that diverged."""
        return sum(each.last is None for each in self.outcomes)


@dataclass(frozen=True)
class ScalingPoints:
    """Points of one run of the lab.

    Attributes:
        text, train_tokens, val_tokens: name of the text, and number of tokens in its training and validation parts.
        memory_bytes: expected peak memory of the largest model.
        points: points of the sizes, in their order in the request.
        recorded: date of the recorded run, as YYYY-MM-DD; empty: trained here.
        cores: number of cores of the machine that recorded the run; 0: trained here.
    """

    text: str
    train_tokens: int
    val_tokens: int
    memory_bytes: int
    points: tuple[SizePoint, ...]
    recorded: str = ""
    cores: int = 0


@cache
def recorded() -> ScalingPoints:
    """Return the points of the run that ships with the program, made by ``packaging/scaling_run.py``."""
    found = json.loads((paths.resources() / "reference" / RECORDED).read_text(encoding="utf-8"))
    return from_json(found["measured"])


def from_json(found: dict[str, Any]) -> ScalingPoints:
    points = tuple(
        SizePoint(**{**point, "outcomes": tuple(Outcome(**each) for each in point["outcomes"])})
        for point in found["points"])
    return ScalingPoints(**{**found, "points": points})
