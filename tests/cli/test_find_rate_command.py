"""``find-rate``: as text and as JSON."""

from statistics import fmean

import pytest
from command_line import lines

from gptstudio.training.rate_test import STEPS

FRESH = ["--emb-dim", "8", "--n-heads", "2", "--n-layers", "1", "--context-length", "16", "--device", "cpu",
         "--text", "story"]


def test_that_json_prints_each_step_and_then_the_rate(cli):
    *steps, found = lines(cli("find-rate", *FRESH, "--optimizer", "sgd", "--json"))
    assert {step["event"] for step in steps} == {"rate_tested"}
    assert len(steps) == found["steps"] <= STEPS
    assert [step["rate"] for step in steps] == sorted(step["rate"] for step in steps)
    losses = [step["loss"] for step in steps]
    sides = [min(2, at, len(steps) - 1 - at) for at in range(len(steps))]
    means = [fmean(losses[at - side : at + side + 1]) for at, side in enumerate(sides)]
    lowest = steps[means.index(min(means))]
    assert found["event"] == "rate_found"
    assert found["minimum"] == lowest["rate"]
    assert found["suggestion"] == pytest.approx(lowest["rate"] / 10, rel=0.35)
    assert found["low"] <= found["high"]


def test_that_the_text_output_names_the_option_to_use(cli):
    result = cli("find-rate", *FRESH)
    assert result.code == 0
    assert "Optimizer: AdamW. Steps: 60." in result.out
    assert result.out.splitlines()[-1].startswith("Suggested: --learning-rate ")


def test_that_an_impossible_test_is_reported_in_one_line(refused, tmp_path):
    short = tmp_path / "short.txt"
    short.write_text("too short")
    assert "tokens" in refused("find-rate", *FRESH[:-1], short)
