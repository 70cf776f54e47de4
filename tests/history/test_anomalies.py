"""Anomalies in the curves of a run: a jump, overfitting, and none on an ordinary curve."""

import math
import random

import made_up
import pytest
from hypothesis import given
from hypothesis import strategies as st
from made_up import started, step_done

from gptstudio.gpt.config import PRESETS, GPTConfig
from gptstudio.history.anomalies import AnomalyDetector
from gptstudio.training.events import Evaluated, StepDone


def step(number: int, loss: float) -> StepDone:
    return step_done(number, loss, gradient_norm=1.0, tokens_seen=512 * number)


def evaluated(number: int, train: float, val: float) -> Evaluated:
    return made_up.evaluated(number, train, val, tokens_seen=512 * number)


def anomalies_of(events, watcher: AnomalyDetector | None = None) -> list:
    watcher = watcher or AnomalyDetector()
    return [anomaly for anomaly in map(watcher.update, events) if anomaly]


def falling(start: float, end: float, time: float, step: int) -> float:
    return end + (start - end) * math.exp(-step / time)


def noisy_steps(count: int, noise: float = 0.1, seed: int = 0) -> list[StepDone]:
    rng = random.Random(seed)
    return [step(n, falling(10.9, 3.0, 100, n) + rng.gauss(0, noise)) for n in range(count)]


CURVES = {
    "end": st.floats(0.5, 8.0), "time": st.floats(5.0, 500.0), "noise": st.floats(0.0, 0.4),
    "eval_noise": st.floats(0.0, 0.2), "gap": st.floats(0.0, 0.5), "seed": st.integers(0, 2**32),
    "every": st.sampled_from([5, 15, 50]),
}


@given(**CURVES)
def test_that_a_smooth_falling_curve_with_ordinary_noise_has_no_sign(end, time, noise, eval_noise, gap, seed, every):
    """This also holds after the curve has become flat, as it does with the shorter times."""
    rng = random.Random(seed)
    events = [started()]
    for n in range(600):
        loss = falling(10.9, end, time, n)
        events.append(step(n, loss + rng.gauss(0, noise)))
        if n % every == 0:
            events.append(evaluated(n, loss + rng.gauss(0, eval_noise), loss + gap + rng.gauss(0, eval_noise)))
    assert anomalies_of(events) == []


@pytest.mark.parametrize("rise", [1.0, 3.0, 1e6])
def test_that_a_jump_is_reported_once_with_its_step_and_both_losses(rise):
    steps = noisy_steps(400)
    jumped = [step(n, 3.1 + rise + 0.01 * (n % 3)) for n in range(400, 440)]
    (anomaly,) = anomalies_of([started(), *steps, *jumped])
    assert (anomaly.kind, anomaly.step, anomaly.tokens_seen) == ("jump", 400, 512 * 400)
    assert f"{3.1 + rise + 0.01:.2f}" in anomaly.message


# The first 26 steps of `gptstudio train --preset book` on two cores: loss and gradient norm. Step 22 is above random
# guessing (ln 50,257 = 10.82).
BOOK = ((11.008, 2.27), (9.865, 2.65), (9.326, 2.87), (9.272, 2.54), (8.97, 2.38), (8.6, 2.74), (8.606, 2.1),
        (7.965, 2.12), (8.127, 1.94), (7.053, 1.7), (7.09, 1.65), (6.495, 1.65), (7.016, 1.61), (6.461, 1.71),
        (6.316, 1.68), (6.277, 1.52), (6.244, 1.37), (6.001, 1.97), (6.014, 1.6), (5.701, 1.6), (5.721, 1.91),
        (5.211, 1.94), (15.585, 9.6), (5.313, 2.02), (5.956, 1.78), (5.745, 1.55))


def test_that_the_jump_in_the_books_own_run_is_reported_although_the_curve_falls():
    steps = [step(n, loss).model_copy(update={"gradient_norm": norm}) for n, (loss, norm) in enumerate(BOOK)]
    (anomaly,) = anomalies_of([started(), *steps])
    assert (anomaly.kind, anomaly.step) == ("jump", 22)
    assert "15.59" in anomaly.message
    assert "gradient norm 9.6, before about 2.0" in anomaly.message


def test_that_a_smaller_jump_counts_where_the_gradient_jumps_too():
    """The jump is six standard deviations of a flat curve."""
    flat = [step(n, 3 + 0.1 * (-1) ** n) for n in range(50)]
    higher = step(50, 3.6)
    assert anomalies_of([started(), *flat, higher]) == []
    (anomaly,) = anomalies_of([started(), *flat, higher.model_copy(update={"gradient_norm": 9.0})])
    assert anomaly.step == 50


@pytest.mark.parametrize("norm", [math.nan, math.inf, 1e300])
def test_that_any_gradient_norm_can_be_read(norm):
    steps = noisy_steps(120)
    wild = [each.model_copy(update={"gradient_norm": norm}) for each in steps[:60]]
    assert anomalies_of([started(), *wild, *steps[60:]]) == []


def test_that_a_loss_that_is_not_finite_is_left_to_the_trainer():
    assert anomalies_of([started(), *noisy_steps(100), step(100, math.nan), step(101, math.inf)]) == []


def test_that_a_second_jump_is_measured_from_the_new_level():
    steps = [step(n, 3.0 + 0.01 * (n % 5)) for n in range(50)]
    steps += [step(n, 5.0 + 0.01 * (n % 5)) for n in range(50, 100)]
    steps += [step(n, 8.0 + 0.01 * (n % 5)) for n in range(100, 150)]
    assert [anomaly.step for anomaly in anomalies_of([started(), *steps])] == [50, 100]


def parting(count: int = 60, turn: int = 100) -> list[Evaluated]:
    """Return evaluations whose training loss falls, and whose validation loss rises again after step ``turn``."""
    return [
        evaluated(n, falling(10.0, 0.5, 80, n), falling(10.0, 5.0, 40, n) + max(0, n - turn) * 0.01)
        for n in range(0, 5 * count, 5)
    ]


def test_that_overfitting_is_reported_once_at_the_step_of_the_lowest_validation_loss():
    events = parting()
    lowest = min(events, key=lambda each: each.val_loss)
    (anomaly,) = anomalies_of([started(), *events])
    assert (anomaly.kind, anomaly.step, anomaly.tokens_seen) == ("overfitting", lowest.step, lowest.tokens_seen)
    assert f"{lowest.val_loss:.2f}" in anomaly.message
    assert "overfitting" in anomaly.message


# Training and validation loss of `gptstudio train --text verdict --preset workshop --seed 2` after every 15 steps.
SPARSE = [
    (10.966, 10.986), (9.180, 9.309), (7.515, 7.662), (6.583, 6.771), (6.113, 6.615), (5.875, 6.593), (5.872, 6.522),
    (5.572, 6.454), (5.306, 6.377), (5.416, 6.318), (4.736, 6.254), (4.578, 6.210), (4.360, 6.170), (4.023, 6.158),
    (3.871, 6.098), (3.530, 6.092), (3.435, 6.105), (3.058, 6.104), (2.996, 6.087), (2.702, 6.112), (2.274, 6.160),
    (2.239, 6.139), (1.917, 6.201), (1.962, 6.187),
]


def test_that_evaluations_that_are_far_apart_need_fewer_without_a_lower_validation_loss():
    (anomaly,) = anomalies_of([started(), *(evaluated(15 * n, *losses) for n, losses in enumerate(SPARSE))])
    assert (anomaly.kind, anomaly.step) == ("overfitting", 270)


def test_that_a_flat_validation_loss_is_reported_too_while_training_falls():
    events = [evaluated(n, falling(10.0, 0.5, 80, n), max(falling(10.0, 4.0, 40, n), 5.0)) for n in range(0, 300, 5)]
    assert [anomaly.kind for anomaly in anomalies_of([started(), *events])] == ["overfitting"]


def test_that_both_losses_rising_together_is_no_overfitting():
    events = [evaluated(n, 3 + abs(n - 100) * 0.01, 4 + abs(n - 100) * 0.01) for n in range(0, 300, 5)]
    assert anomalies_of([started(), *events]) == []


def test_that_removed_events_are_forgotten_when_a_run_continues():
    """After continuing, both losses fall to the end, and the earlier lower validation loss does not count."""
    events = parting()
    watcher = AnomalyDetector()
    assert len(anomalies_of([started(), *events], watcher)) == 1
    better = [evaluated(n, falling(10.0, 0.5, 80, n), falling(10.0, 5.6, 40, n)) for n in range(50, 300, 5)]
    assert min(each.val_loss for each in better) > min(each.val_loss for each in events)
    assert anomalies_of([started(first_step=50), *better], watcher) == []


@given(st.lists(st.sampled_from([3.0, 2.0, 1.0, 0.5]), min_size=8, max_size=40), st.integers(1, 39))
def test_that_a_resumed_run_is_judged_only_by_what_was_kept(losses, first):
    """It has the same anomalies as a run without the removed steps."""
    before = [evaluated(number, 5.0 - number / 10, loss) for number, loss in enumerate(losses)]
    after = parting()[-20:]
    cut = AnomalyDetector()
    anomalies_of(before, cut)
    kept, never = [each for each in before if each.step < first], AnomalyDetector()
    found = anomalies_of(kept, never)
    if not found:
        assert anomalies_of([started(first), *after], cut) == anomalies_of([started(first), *after], never)


def test_that_each_of_many_evaluations_reads_few_of_the_earlier_ones():
    looked = []

    class Watched(Evaluated):
        def __getattribute__(self, name):
            if name == "val_loss":
                looked.append(1)
            return super().__getattribute__(name)

    losses = [5.0 - number / 1e4 for number in range(3_000)]
    many = [Watched(**evaluated(number, loss, loss).model_dump()) for number, loss in enumerate(losses)]
    assert anomalies_of(many) == []
    assert len(looked) < 100 * len(many)


def test_that_repeated_steps_are_reported_again():
    events = parting()
    watcher = AnomalyDetector()
    (first,) = anomalies_of([started(), *events], watcher)
    assert anomalies_of([started(first_step=50), *(each for each in events if each.step >= 50)], watcher) == [first]


def test_that_a_run_that_continues_after_the_sign_does_not_report_it_again():
    events = parting()
    watcher = AnomalyDetector()
    assert len(anomalies_of([started(), *events[:-2]], watcher)) == 1
    assert anomalies_of([started(first_step=events[-2].step), *events[-2:]], watcher) == []


SMALL = {
    "config": GPTConfig(context_length=32, emb_dim=16, n_heads=2, n_layers=1, drop_rate=0.0), "steps": 300,
    "learning_rate": 4e-2, "batch_size": 2, "train_ratio": 0.1, "eval_freq": 3, "eval_iter": 2,
    "sample_tokens": 0, "precision": "fp32", "device": "cpu",
}


@pytest.mark.slow
@pytest.mark.timeout(600)
@pytest.mark.parametrize(
    "settings", [SMALL, pytest.param({"config": PRESETS["workshop"]}, marks=pytest.mark.release)],
    ids=["small", "the defaults"],
)
def test_that_the_verdict_shows_overfitting(verdict, tmp_path, settings):
    """20,479 characters are few: a model of any size memorizes them before it learns English."""
    from gptstudio.training.control import Control
    from gptstudio.training.launch import launch
    from gptstudio.training.spec import TrainSpec

    control, watcher, events, anomalies = Control(), AnomalyDetector(), [], []

    def watch(event) -> None:
        events.append(event)
        anomalies.extend(anomalies_of([event], watcher))
        if any(anomaly.kind == "overfitting" for anomaly in anomalies):
            control.stop()

    launch(TrainSpec.make(settings), control, [watch], tmp_path / "run")
    (anomaly,) = [anomaly for anomaly in anomalies if anomaly.kind == "overfitting"]
    evaluations = [each for each in events if isinstance(each, Evaluated)]
    assert anomaly.step == min(evaluations, key=lambda each: each.val_loss).step
