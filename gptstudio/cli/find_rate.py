"""``gptstudio find-rate``: which learning rate suits a run, by a few steps of a copy of its model."""

from __future__ import annotations

from dataclasses import asdict

from gptstudio.cli import output
from gptstudio.cli.arguments import (
    SAME_MODEL,
    SAME_TRAINING,
    Json,
    ModelFlags,
    TrainFlags,
    called,
    train_spec_from,
)
from gptstudio.cli.fetch import with_text
from gptstudio.cli.train import InitBest, StartingPreset
from gptstudio.training.control import Control
from gptstudio.training.rate_test import STEPS, RatePoint, RateTest
from gptstudio.training.signals import stopped_by_signals


def find_rate(
    *,
    preset: StartingPreset = None,
    model: ModelFlags = SAME_MODEL,
    training: TrainFlags = SAME_TRAINING,
    init_best: InitBest = False,
    json: Json = False,
) -> None:
    """Find a learning rate: up to 60 steps with a rate that grows from 1e-6 to 1, on a copy of the model (learning-rate
    range test). Nothing is saved. Accepts the settings of train; its learning rate and schedule are not used.
    """
    spec = with_text(train_spec_from(preset, model, training, init_best))
    from gptstudio.training.learning_rate_finder import find_learning_rate  # brings torch

    control = Control()
    with stopped_by_signals(control):
        if json:
            _print_json(find_learning_rate(spec, control, _print_point))
            return
        from rich.progress import BarColumn, MofNCompleteColumn, TextColumn

        with output.progress(TextColumn("Testing learning rates…"), BarColumn(), MofNCompleteColumn()) as bar:
            task = bar.add_task("", total=STEPS)
            test = find_learning_rate(spec, control, lambda _: bar.advance(task))
    output.line(f"Model: {called(spec.config)}. Optimizer: {spec.chosen_optimizer.label}. Steps: {len(test.points)}.")
    _show(test)


def _show(test: RateTest) -> None:
    """Show people every fourth step, what it comes to, and what to do with it."""
    for point, mean in [*zip(test.points, test.means, strict=True)][::4]:
        output.line(f"  rate {point.rate:9.2e}   loss {point.loss:8.4f}   average {mean:8.4f}")
    low, high = test.band
    how = "ended because the loss diverged" if test.diverged else "reached the highest rate"
    output.line(
        f"The test {how}. Averaged over five steps, the loss falls most steeply at {test.steepest.rate:.2g} and is "
        f"lowest at {test.minimum.rate:.2g}. Choose a rate between {low:.2g} and {high:.2g}."
    )
    output.line(f"Suggested: --learning-rate {test.suggestion:g}", "bold")


def _print_point(point: RatePoint) -> None:
    output.print_json({"event": "rate_tested", **asdict(point)})


def _print_json(test: RateTest) -> None:
    low, high = test.band
    output.print_json({
        "event": "rate_found", "suggestion": test.suggestion, "low": low, "high": high, "steps": len(test.points),
        "steepest": test.steepest.rate, "minimum": test.minimum.rate, "diverged": test.diverged,
    })
