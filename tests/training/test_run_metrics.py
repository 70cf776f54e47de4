"""Speed, remaining time and peak memory of a run, from its events."""

import math

import pytest
from made_up import started, step_done

from gptstudio.training.events import MemoryRead, StepDone, StepReport
from gptstudio.training.run_metrics import RunMetrics

STARTED = started()


def step(number: int, seconds: float) -> StepDone:
    return step_done(number, elapsed_s=seconds)


def taken(*events: object) -> RunMetrics:
    made = RunMetrics()
    for event in events:
        made.take(event)
    return made


def test_that_speed_is_measured_over_the_last_twenty_steps_and_the_mean_over_all():
    seconds = [*range(1, 31), *range(32, 72, 2)]  # the last twenty steps take two each
    made = taken(STARTED, *(step(i, float(at)) for i, at in enumerate(seconds)))
    assert made.tokens_per_second == 16
    assert made.mean_tokens_per_second == pytest.approx(50 * 32 / 70)
    assert made.remaining_s == 50 * 2.0
    assert made.elapsed_s == 70


def test_that_nothing_is_known_before_the_first_step():
    for made in (RunMetrics(), taken(STARTED), taken(STARTED, step(0, 0.0))):
        assert math.isnan(made.tokens_per_second)
        assert math.isnan(made.mean_tokens_per_second)
        assert math.isnan(made.remaining_s)
        assert made.elapsed_s == 0


def test_that_a_resumed_run_is_measured_again_and_keeps_its_progress():
    resumed = STARTED.model_copy(update={"first_step": 2})
    made = taken(STARTED, step(0, 1.0), step(1, 2.0), step(2, 3.0), resumed)
    assert made.last is None
    made.take(step(2, 60.0))
    assert math.isnan(made.tokens_per_second)
    made.take(step(3, 62.0))
    assert (made.tokens_per_second, made.remaining_s) == (16, 96 * 2.0)
    assert made.mean_tokens_per_second == pytest.approx(4 * 32 / 62)
    assert taken(STARTED, step(1, 2.0), resumed).last == step(1, 2.0)


def test_that_peak_memory_is_the_most_that_was_read_until_another_run_starts():
    high = MemoryRead(used_bytes=9, peak_bytes=600, total_bytes=1000, run_peak_bytes=70)
    low = MemoryRead(used_bytes=9, peak_bytes=500, total_bytes=1000, run_peak_bytes=80)
    report = StepReport(step=1, loss_before=2.0, loss_after=1.0, gradient_norm=1.0, changes=[])
    made = taken(STARTED, step(0, 1.0), high, low, report)
    assert (made.peak_bytes, made.run_peak_bytes, made.inspected) == (600, 80, True)
    made.take(STARTED)
    assert (made.peak_bytes, made.run_peak_bytes, made.inspected, made.last) == (0, 0, False, None)
