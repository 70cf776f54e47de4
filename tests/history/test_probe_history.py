"""Readings of a probe as ribbons: stacked, each token with its colour, and safe with foreign journals."""

import math

import numpy as np
import pytest
from made_up import started, step_done

from gptstudio.history.run_history import RIBBONS, History, ProbeHistory
from gptstudio.training.events import ProbeReading, ProbesRead, StepDone


def step(number: int) -> StepDone:
    return step_done(number, tokens_seen=8 * (number + 1), elapsed_s=number + 1.0)


def read(number: int, **probabilities: float) -> ProbesRead:
    """Return readings of one probe: t7=0.5 is the probability of token 7."""
    ids = tuple(int(name[1:]) for name in probabilities)
    found = ProbeReading(text="a", ids=ids, probabilities=tuple(probabilities.values()), entropy_bits=2.0)
    return ProbesRead(step=number, tokens_seen=8 * (number + 1), probes=(found,))


@pytest.fixture
def history():
    made = History()
    made.add(started(), read(-1, t1=0.1, t2=0.2), step(0), read(0, t1=0.5, t2=0.1, t3=0.3))
    return made


def test_that_ribbons_are_stacked_in_the_order_of_their_numbers(history):
    probe = ProbeHistory(history, 0)
    assert probe.update()
    assert probe.tokens[:3] == [2, 1, 3]
    assert np.column_stack([probe.table[f"top{i}"] for i in range(3)]) == pytest.approx(
        np.array([[0.2, 0.3, 0.3], [0.1, 0.6, 0.9]]))
    assert probe.table["step"].tolist() == [-1, 0]
    assert probe.table["elapsed_s"].tolist() == [0, 1]
    assert not probe.update()


def test_that_a_token_keeps_its_ribbon_while_others_are_added_and_one_replaces_the_least(history):
    probe = ProbeHistory(history, 0)
    probe.update()
    history.add(step(1), read(1, t4=0.4, t5=0.4, t6=0.4, t7=0.45))
    probe.update()
    assert [token for token in probe.tokens if token in (1, 3)] == [1, 3]
    assert probe.tokens[0] == 7, "token 2 never had more than 0.2"
    assert len(probe.table) == 3
    assert probe.table["top0"].tolist() == [0.0, 0.0, 0.45]


def test_that_piecewise_additions_give_the_same_as_all_at_once(history):
    rng = np.random.default_rng(1)
    grown = ProbeHistory(history, 0)
    for number in range(1, 60):
        ids = rng.choice(30, 12, replace=False)
        some = {f"t{id}": float(p) for id, p in zip(ids, rng.random(12), strict=True)}
        history.add(step(number), read(number, **some))
        grown.update()
    whole = ProbeHistory(history, 0)
    whole.update()
    assert grown.tokens == whole.tokens
    for name in whole.table.names:
        assert grown.table[name].tolist() == whole.table[name].tolist()


def test_that_a_run_that_is_set_back_loses_its_later_readings(history):
    probe = ProbeHistory(history, 0)
    probe.update()
    history.add(started(first_step=0), read(-1, t9=0.9))
    assert probe.update()
    assert (probe.count, probe.tokens[0]) == (1, 9)


def test_that_candidates_are_sorted_and_have_their_ribbon(history):
    probe = ProbeHistory(history, 0)
    probe.update()
    assert [(each.id, each.ribbon) for each in probe.candidates(1)] == [(1, 1), (3, 2), (2, 0)]


def test_that_readings_of_a_diverged_model_or_a_foreign_journal_are_drawn_as_nothing(history):
    probe = ProbeHistory(history, 0)
    history.add(step(1), read(1, t1=math.nan, t2=-5.0, t3=1e300), ProbesRead(step=1, tokens_seen=16, probes=()))
    probe.update()
    assert probe.count == 4
    assert probe.table["top5"].tolist()[-2:] == [1.0, 0.0]
    assert math.isnan(probe.table["entropy_bits"][-1])
    with pytest.raises(ValueError, match="as many"):
        ProbeReading(text="", ids=(1,), probabilities=(), entropy_bits=0.0)
    assert RIBBONS == 6
