"""The learning rate by step, against torch's own schedulers."""

import pytest
import torch
from hypothesis import given
from hypothesis import strategies as st
from torch.optim.lr_scheduler import CosineAnnealingLR, LinearLR, SequentialLR
from whole_runs import steps, train

from gptstudio.training.schedule import learning_rate
from gptstudio.training.spec import TrainSpec


def rates(total: int, **settings) -> list[float]:
    spec = TrainSpec(**settings)
    return [learning_rate(spec, step, total) for step in range(total)]


def torchs_own(total: int, warmup: int, peak: float, lowest: float) -> list[float]:
    """Return a linear warm-up that reaches the peak at its last step, followed by half a cosine."""
    optimizer = torch.optim.SGD([torch.zeros(1, requires_grad=True)], lr=peak)
    rise = LinearLR(optimizer, start_factor=1 / warmup, total_iters=warmup - 1)
    fall = CosineAnnealingLR(optimizer, T_max=total - 1 - warmup, eta_min=lowest)
    schedule = SequentialLR(optimizer, [rise, fall], milestones=[warmup])
    found = []
    for _ in range(total):
        found.append(optimizer.param_groups[0]["lr"])
        optimizer.step()
        schedule.step()
    return found


@pytest.mark.parametrize(("total", "warmup"), [(30, 5), (100, 20), (7, 2)])
@pytest.mark.parametrize("lowest", [0.0, 4e-5])
@pytest.mark.filterwarnings("ignore:The epoch parameter")
def test_that_the_cosine_schedule_is_torchs_own(total, warmup, lowest):
    ours = rates(total, schedule="cosine", warmup_steps=warmup, learning_rate=4e-4, min_learning_rate=lowest)
    assert ours == pytest.approx(torchs_own(total, warmup, 4e-4, lowest), rel=1e-9, abs=1e-15)


def test_that_a_constant_rate_is_constant():
    assert set(rates(50, learning_rate=3e-4)) == {3e-4}


@given(st.integers(1, 60), st.integers(0, 80), st.floats(1e-6, 1.0), st.floats(0.0, 1.0))
def test_that_the_rate_rises_to_its_peak_and_falls_to_its_lowest(total, warmup, peak, share):
    lowest = share * peak
    found = rates(total, schedule="cosine", warmup_steps=warmup, learning_rate=peak, min_learning_rate=lowest)
    rising, falling = found[:warmup], found[warmup:]
    assert rising == sorted(rising)
    assert falling == sorted(falling, reverse=True)
    assert max(found) <= peak * (1 + 1e-12)
    if falling:
        assert falling[0] == pytest.approx(peak)
        assert min(falling) >= lowest * (1 - 1e-12)
    if len(falling) > 1:
        assert falling[-1] == pytest.approx(lowest, abs=1e-12)


def test_that_a_changed_peak_changes_the_rest_of_the_schedule():
    spec = TrainSpec(schedule="cosine", warmup_steps=0, learning_rate=4e-4, min_learning_rate=0.0)
    before, after = learning_rate(spec, 30, 90), learning_rate(spec, 30, 90, peak=2e-4)
    assert after == pytest.approx(before / 2)
    assert learning_rate(spec, 89, 90, peak=2e-4) == pytest.approx(0.0, abs=1e-18)


@pytest.mark.usefixtures("few_tokens")
def test_that_every_step_is_reported_with_its_learning_rate_and_a_rate_of_zero_moves_nothing(tiny_spec, tmp_path):
    spec = tiny_spec(schedule="cosine", warmup_steps=4, min_learning_rate=0.0, steps=15, eval_freq=1)
    run = train(spec, tmp_path / "run")
    rates = [event.learning_rate for event in steps(run)]
    assert rates == [learning_rate(spec, step, 15) for step in range(15)]
    *_, before, last = [event.val_loss for event in run.events() if event.event == "evaluated"]
    assert rates[-1] == 0.0
    assert last == before
