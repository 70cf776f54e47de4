"""The scaling lab: the fit compared with numpy's, tiny models that are trained, divergence, and refusals."""

import json
import math
from dataclasses import replace

import numpy as np
import pytest
import torch
from lab_output import as_json, ran

from gptstudio import devices, paths
from gptstudio.errors import UserError
from gptstudio.gpt import sizing
from gptstudio.gpt.model import GPTModel
from gptstudio.labs import scaling, scaling_training
from gptstudio.labs.lab import plain
from gptstudio.labs.scaling import (
    CHINCHILLA,
    KAPLAN_EXPONENT,
    LAB,
    ScalingRequest,
    answer,
    chinchilla_loss,
    fit,
    fitted,
    kept,
)
from gptstudio.labs.scaling_request import (
    TRAINING,
    Outcome,
    ScalingPoints,
    SizePoint,
    recorded,
    step_flops,
    without_embeddings,
)
from gptstudio.training import divergence

N = [3_264, 25_280, 149_504, 791_808]
L = [6.7, 6.2, 5.9, 5.3]
TINY = {"points": "trained", "text": "story", "widths": (8, 16), "layers": (1, 1), "heads": (1, 1), "budget": 0.0017,
        "seeds": 1, "context_length": 16}


@pytest.fixture(autouse=True)
def nothing_kept(monkeypatch):
    monkeypatch.setattr(scaling, "_trained", {})


def of_losses(losses, **settings) -> scaling.ScalingAnswer:
    """Return the answer to points with these losses, None where the size diverged."""
    points = tuple(
        SizePoint(16, 1, 1, n, n * 10, 1e-3, 10, 1_280, 1.0, 1e9, 0.9, (Outcome(loss, loss, loss, 1.0),))
        for n, loss in zip(N, losses, strict=True))
    return fitted(ScalingRequest(**settings), ScalingPoints("text", 1_000, 100, 1, points))


# The fit.


@pytest.mark.parametrize("irreducible", [0.0, 1.69])
def test_that_the_fit_is_the_line_that_numpy_fits_with_its_standard_error(irreducible):
    law = fit(N, L, irreducible)
    x, y = np.log(N), np.log(np.array(L) - irreducible)
    (slope, level), covariance = np.polyfit(x, y, 1, cov=True)
    assert law.exponent == pytest.approx(-slope, rel=1e-9)
    assert law.coefficient == pytest.approx(np.exp(level), rel=1e-9)
    assert law.error == pytest.approx(np.sqrt(covariance[0, 0]), rel=1e-9)
    at = np.array([1e4, 1e6])
    off = np.sqrt([[v, 1] @ covariance @ [v, 1] for v in np.log(at)])  # of a prediction from the two coefficients
    low, high = law.band(at)
    assert np.log(high - irreducible) - np.log(law.at(at) - irreducible) == pytest.approx(off, rel=1e-6)
    assert np.log(law.at(at) - irreducible) - np.log(low - irreducible) == pytest.approx(off, rel=1e-6)


def test_that_the_interval_of_95_percent_is_that_of_students_t():
    law = fit(N, L)
    assert law.high - law.exponent == pytest.approx(4.302652729911275 * law.error, rel=1e-3)  # t, 2 degrees of freedom
    assert law.exponent - law.low == pytest.approx(law.high - law.exponent)


def test_that_points_on_a_power_law_give_its_exponent_back_without_error():
    law = fit(N, [1.5 + 12 * n**-0.34 for n in N], 1.5)
    assert law.exponent == pytest.approx(0.34)
    assert law.coefficient == pytest.approx(12)
    assert law.error == pytest.approx(0, abs=1e-7)
    assert law.for_ten == pytest.approx(10**-0.34 - 1)


def test_that_two_points_give_a_line_without_an_error_and_equal_sizes_none():
    assert (fit(N[:2], L[:2]).error, fit(N[:2], L[:2]).band(np.array(N))) == (None, None)
    assert fit([500.0, 500.0], L[:2]) is None
    assert fit(N, L, irreducible=5.3) is None, "the logarithm of 0"


def test_that_the_published_slopes_pass_through_the_middle_of_the_points():
    found = of_losses(L)
    at = found.curves.parameters
    middle, high = math.exp(np.mean(np.log(N))), math.exp(np.mean(np.log(L)))
    assert np.interp(middle, at, found.curves.kaplan) == pytest.approx(high, rel=1e-3)
    assert np.interp(middle, at, found.curves.chinchilla) == pytest.approx(high, rel=1e-2)
    slope = np.diff(np.log(found.curves.kaplan)) / np.diff(np.log(at))
    assert slope == pytest.approx(-KAPLAN_EXPONENT)
    slope = np.diff(np.log(found.curves.chinchilla - CHINCHILLA["irreducible"])) / np.diff(np.log(at))
    assert slope == pytest.approx(-CHINCHILLA["alpha"])


def test_that_the_formula_of_hoffmann_et_al_is_that_of_the_paper_for_chinchilla_itself():
    assert chinchilla_loss(70e9, 1.4e12) == pytest.approx(1.69 + 406.4 / 70e9**0.34 + 410.7 / 1.4e12**0.28)
    assert chinchilla_loss(70e9, 1.4e12) == pytest.approx(1.94, abs=0.01)


def test_that_a_size_that_diverged_is_left_out_of_the_fit():
    found = of_losses([*L[:3], None])
    assert found.parameters.tolist() == N[:3]
    assert found.law.exponent == pytest.approx(fit(N[:3], L[:3]).exponent)
    assert of_losses([None] * 4).law is None
    assert "all have diverged" in of_losses([None] * 4).why_not
    assert "one size" in of_losses([*L[:1], None, None, None]).why_not
    assert "must be below every loss" in of_losses(L, irreducible=6.0).why_not


def test_that_the_code_prints_the_exponent_and_its_error():
    for settings in ({}, {"irreducible": 1.69, "counted": "all parameters", "measured": "lowest"}):
        asked = ScalingRequest(**settings)
        law, output = answer(asked).law, ran(LAB, asked)["printed"]
        assert f"N^({-law.exponent:.4f}), standard error {law.error:.4f}" in output
        assert f"{law.for_ten:+.2%}" in output


# The recorded run.


def test_that_the_recorded_run_has_the_first_settings_and_names_its_origin():
    path = paths.resources() / "reference" / "scaling_run.json"
    file = json.loads(path.read_text(encoding="utf-8"))
    first = ScalingRequest()
    assert file["request"] == {name: plain(getattr(first, name)) for name in TRAINING}
    assert recorded().recorded == file["made_on"]["date"]
    assert recorded().cores == 2
    assert [point.emb_dim for point in recorded().points] == list(first.widths)
    for point, cfg in zip(recorded().points, first.sizes, strict=True):
        assert point.steps == first.steps(cfg)
        assert point.flops == pytest.approx(first.budget * 1e12, rel=0.02), "equal compute"
        assert len(point.losses()) == first.seeds


def test_that_the_parameters_without_embeddings_are_those_of_the_built_blocks():
    for cfg in ScalingRequest().sizes:
        with torch.device("meta"):
            model = GPTModel(cfg)
        inside = sum(p.numel() for part in (model.trf_blocks, model.final_norm) for p in part.parameters())
        assert without_embeddings(cfg) == inside
        assert sizing.parameter_count(cfg) == sum(p.numel() for p in model.parameters())


# Training.


@pytest.mark.slow
def test_that_tiny_sizes_are_trained_reported_and_kept_without_run_folders(monkeypatch, home):
    received, asked, before = [], ScalingRequest.make(TINY), torch.get_rng_state()
    found = answer(asked, lambda done, total: received.append((done, total)))
    assert torch.equal(torch.get_rng_state(), before)
    assert not [*home.rglob("*.safetensors"), *home.rglob("journal*")]
    assert received[-1] == (sum(map(asked.steps, asked.sizes)),) * 2
    for point, cfg in zip(found.measured.points, asked.sizes, strict=True):
        assert point.flops == asked.steps(cfg) * step_flops(cfg)
        assert point.tokens == asked.steps(cfg) * 2 * 16
        assert point.mean() == pytest.approx(point.mean("lowest"), abs=0.2)
        assert point.mean() < math.log(50_257) + 0.2
    assert found.law.exponent == pytest.approx(fit(found.parameters.tolist(), found.losses.tolist()).exponent)
    monkeypatch.setattr(scaling_training, "train_sizes", None)  # they are not trained again
    assert kept(asked.but(irreducible=1.0))
    assert answer(asked.but(irreducible=1.0)).losses.tolist() == found.losses.tolist()
    assert as_json(found)["measured"]["text"]


@pytest.mark.slow
@pytest.mark.parametrize("module", [divergence, scaling_training], ids=["in training", "at the end"])
def test_that_a_size_whose_loss_is_not_finite_has_diverged_and_is_no_error(module, monkeypatch):
    """The effect of a much too high rate on a loss is chaotic and differs between processors; the bound beyond which a
    loss counts as diverged does not. Here every loss counts: for 20 steps in a row, or after the last."""
    monkeypatch.setattr(module, "LOST_FACTOR", 0.0)
    asked = ScalingRequest.make(TINY, widths=(8,), layers=(1,), heads=(1,), budget=0.002)
    found = answer(asked)
    assert [point.diverged for point in found.measured.points] == [1]
    assert found.law is None
    assert found.measured.points[0].mean() is None


class Enough(Exception):
    """Raised to end a training."""


def test_that_a_training_ends_at_once_when_its_callback_raises_and_nothing_of_it_is_kept():
    asked, steps = ScalingRequest.make(TINY), []

    def watch(done, total):
        steps.append(done)
        if done == 3:
            raise Enough

    with pytest.raises(Enough):
        answer(asked, watch)
    assert steps[-1] == 3
    assert not kept(asked)


def test_that_too_short_a_text_and_too_little_memory_are_reported(tmp_path, monkeypatch):
    short = tmp_path / "short.txt"
    short.write_text("Every effort moves you. " * 4, encoding="utf-8")
    with pytest.raises(UserError, match="one window needs 17"):
        answer(ScalingRequest.make(TINY, text=str(short)))
    with pytest.raises(UserError, match="nowhere"):
        answer(ScalingRequest.make(TINY, text=str(tmp_path / "nowhere.txt")))
    full = replace(devices.cpu(), free_bytes=1_000)
    monkeypatch.setattr(devices, "cpu", lambda: full)
    with pytest.raises(UserError, match="There is not enough memory to train the largest of these models"):
        answer(ScalingRequest.make(TINY))


def test_that_a_request_without_widths_has_a_problem_in_each_list():
    problems = ScalingRequest.problems({"points": "trained", "widths": ()})
    assert [each.field for each in problems] == ["widths", "layers", "heads"]
    assert "the number of values is 0; it must be between 1 and 8" in problems[0].message


def test_that_the_rule_by_size_is_that_of_kaplan_et_al():
    asked = ScalingRequest.make(points="trained", rate_rule="by size")
    for cfg in asked.sizes:
        assert asked.rate(cfg) == pytest.approx(0.003239 - 0.0001395 * math.log(without_embeddings(cfg)))
    assert {ScalingRequest().rate(cfg) for cfg in asked.sizes} == {4e-3}


@pytest.mark.slow
def test_that_equal_sizes_and_two_sizes_get_the_possible_part_of_an_answer():
    same = answer(ScalingRequest.make(TINY, widths=(8, 8), budget=0.001))
    assert same.law is None
    assert "one size" in same.why_not
    assert "exponent" not in LAB.values(same)
    assert len(LAB.table(same).rows) == 2
