"""The learning-rate finder: the rule of its figures, and that it changes nothing else."""

import hashlib
from pathlib import Path

import pytest
import torch
from hypothesis import given
from hypothesis import strategies as st
from lessons import FEW
from whole_runs import assert_same, train

from gptstudio.errors import UserError
from gptstudio.fields import SpecError
from gptstudio.gpt.config import GPTConfig
from gptstudio.gpt.sizing import PARTS
from gptstudio.training import learning_rate_finder, rate_test
from gptstudio.training.control import Control, Stopped
from gptstudio.training.learning_rate_finder import find_learning_rate
from gptstudio.training.rate_test import RatePoint, RateTest, rates, too_high

pytestmark = pytest.mark.usefixtures("few_tokens")

DROPPING = GPTConfig(vocab_size=FEW, context_length=16, emb_dim=16, n_heads=2, n_layers=1, drop_rate=0.2)


def digests(folder: Path) -> dict[str, str]:
    return {
        str(file.relative_to(folder)): hashlib.sha256(file.read_bytes()).hexdigest()
        for file in folder.rglob("*") if file.is_file()
    }


@pytest.mark.parametrize("choice", ["adamw", "sgd", "muon"])
def test_that_it_leaves_random_numbers_and_files_as_they_are_and_a_run_after_it_is_the_same(
    tiny_spec, tmp_path, monkeypatch, choice
):
    monkeypatch.setattr(rate_test, "STEPS", 12)
    spec = tiny_spec(config=DROPPING, steps=3, optimizer=choice)
    before = train(spec, tmp_path / "before")
    torch.manual_seed(4)
    random, files, threads = torch.get_rng_state(), digests(tmp_path), torch.get_num_threads()
    test = find_learning_rate(spec, Control())
    assert torch.equal(torch.get_rng_state(), random)
    assert (digests(tmp_path), torch.get_num_threads()) == (files, threads)
    after = train(spec, tmp_path / "after")
    assert_same(after, before)
    assert find_learning_rate(spec, Control()) == test


def test_that_the_first_losses_are_those_of_a_run_and_the_average_is_that_of_the_formula(tiny_spec, tmp_path):
    """At one in a million the model hardly moves: the first batch's loss is that of a run's first step."""
    spec = tiny_spec(config=DROPPING)
    seen: list[RatePoint] = []
    test = find_learning_rate(spec, Control(), seen.append)
    assert tuple(seen) == test.points
    assert [point.rate for point in seen] == rates()[: len(seen)]
    assert (rates()[0], rates()[-1], len(rates())) == (1e-6, pytest.approx(1.0), 60)
    run = train(spec.but(steps=1), tmp_path / "run")
    assert next(event.loss for event in run.events() if event.event == "step_done") == seen[0].loss
    for count in range(1, len(seen) + 1):
        weighed = [0.98 ** (count - 1 - i) for i in range(count)]
        mean = sum(w * point.loss for w, point in zip(weighed, seen, strict=False)) / sum(weighed)
        assert seen[count - 1].smoothed == pytest.approx(mean, rel=1e-9)
    assert min(test.means) < seen[0].loss
    low, high = test.band
    assert low <= high
    assert test.suggestion == float(f"{test.minimum.rate / 10:.0e}")


losses = st.lists(st.floats(0.1, 100), min_size=3, max_size=60)


@given(losses)
def test_that_the_band_is_from_the_steepest_descent_to_a_tenth_of_the_rate_at_the_minimum(found):
    points = tuple(RatePoint(rate, loss, loss) for rate, loss in zip(rates(), found, strict=False))
    test = RateTest(points, False)
    sides = [min(2, i, len(found) - 1 - i) for i in range(len(found))]
    means = [sum(found[i - side : i + side + 1]) / (2 * side + 1) for i, side in enumerate(sides)]
    assert test.means == pytest.approx(means)
    if test.minimum == points[0]:
        return
    at = test.means.index(min(test.means))
    falls = [test.means[i + 1] - test.means[i] for i in range(at)]
    assert test.steepest == points[falls.index(min(falls))]
    assert set(test.band) == {test.steepest.rate, points[at].rate / 10}
    assert too_high(points) == (found[-1] > 4 * min(found))


def test_that_a_stop_takes_effect_at_once(tiny_spec):
    control, seen = Control(), []

    def third(point):
        seen.append(point)
        if len(seen) == 3:
            control.stop()

    with pytest.raises(Stopped):
        find_learning_rate(tiny_spec(), control, third)
    assert len(seen) == 3


def test_that_it_ends_early_where_the_loss_explodes(tiny_spec, monkeypatch):
    monkeypatch.setattr(rate_test, "HIGHEST", 1e6)
    test = find_learning_rate(tiny_spec(optimizer="sgd"), Control())
    assert test.diverged
    assert len(test.points) < 60
    assert all(not too_high(test.points[: n + 1]) for n in range(len(test.points) - 1))
    assert test.suggestion < 10


@pytest.mark.parametrize(("broken", "words"), [
    (float("nan"), "infinite or undefined at once, at a learning rate of 1e-06"), (float("inf"), "at once"),
])
def test_that_a_model_that_diverges_at_once_is_reported(tiny_spec, monkeypatch, broken, words):
    real = learning_rate_finder.build_state

    def build(*args, **more):
        state = real(*args, **more)
        with torch.no_grad():
            state.model.out_head.weight.fill_(broken)
        return state

    monkeypatch.setattr(learning_rate_finder, "build_state", build)
    with pytest.raises(UserError, match=words):
        find_learning_rate(tiny_spec(), Control())


def test_that_a_loss_that_only_rises_is_reported(tiny_spec, monkeypatch):
    rising = iter(range(1, 1000))
    monkeypatch.setattr(learning_rate_finder, "training_step", lambda *_: (float(next(rising)), 1.0))
    with pytest.raises(UserError, match="did not fall at any learning rate"):
        find_learning_rate(tiny_spec(), Control())


def test_that_a_text_that_is_too_short_and_too_little_memory_are_reported(tiny_spec, lesson, monkeypatch):
    spec = tiny_spec()
    with monkeypatch.context() as patch:
        patch.setattr(learning_rate_finder, "predicted_bytes", lambda *_: (2**60, ""))
        with pytest.raises(UserError, match="not enough memory to look for a learning rate"):
            find_learning_rate(spec, Control())
    lesson.write_text("short")
    with pytest.raises(SpecError, match="tokens"):
        find_learning_rate(spec, Control())
    with pytest.raises(SpecError, match="nothing to train"):
        tiny_spec(freeze=PARTS)
