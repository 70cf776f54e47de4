"""The tab "Health" of a run: charts, heat map, and a plain sentence for each quantity."""

import math

import pytest
from made_up import started, step_done
from pages.painted import hover
from PySide6.QtCore import Qt
from PySide6.QtGui import QGuiApplication

from gptstudio.gui.canvas.canvas import Cell
from gptstudio.gui.train.run_panes import HealthScale
from gptstudio.training.events import (
    ActivationsRead,
    BlockActivations,
    PartUpdate,
    UpdatesRead,
)

STARTED = started(total_steps=60, steps_per_epoch=10, tokens_per_step=10)
KEYS = Qt.Key


def step(n):
    return step_done(n, 9 - n / 10, tokens_seen=10 * (n + 1), elapsed_s=n)


def evaluation(n, second_block=1e-3):
    """Return the events of an evaluation of a model of two blocks; ``second_block`` is the update ratio of the
    second."""
    def part(name, block, ratio=1e-3):
        return PartUpdate(part=name, block=block, gradient_norm=2, weight_norm=10, update_ratio=ratio)
    return [
        UpdatesRead(step=n, parts=(
            part("token_embedding", None, None), part("attention", 0), part("feed_forward", 0),
            part("attention", 1, second_block), part("feed_forward", 1), part("output_layer", None))),
        ActivationsRead(step=n, tokens=64, most_entropy=4.6, logit_std=2, largest_logit=9, blocks=(
            BlockActivations(dead_share=0, entropies=(4.0, 3.0)), BlockActivations(dead_share=0.12, entropies=(2, 1)))),
    ]


@pytest.fixture
def health(user):
    """The tab, of a run of 40 steps with an evaluation every 20."""
    events = [STARTED]
    for n in range(41):
        events += [step(n), *(evaluation(n, 2e-2 if n == 40 else 1e-3) if n % 20 == 0 else [])]
    user.train.take(*events)
    user.train.health.open()
    return user.train.health


def test_that_each_quantity_has_a_heat_map_with_keys_and_a_sentence_and_a_resumed_run_grows_again(user, health):
    # The heat map of attention has a row for each head.
    health.show_map("attention_entropy")
    hover(health.heat_map, Cell(2, 0))
    assert health.reads("health_place") == "Step 1, head 1 of block 2: 2"
    assert health.heat_map.grid.values.shape == (4, 3)
    hover(health.heat_map, None)

    health.show_map()
    health.heat_map.setFocus(Qt.FocusReason.TabFocusReason)
    assert health.heat_map.accessibleDescription() == (
        "Step 41, token embedding: no value, as in a frozen layer")
    for key in (KEYS.Key_Down, KEYS.Key_Left):
        user.press(key)
    assert health.heat_map.accessibleDescription() == "Step 21, attention of block 1: 0.001"
    user.press(KEYS.Key_C, Qt.KeyboardModifier.ControlModifier)
    lines = QGuiApplication.clipboard().text().splitlines()
    assert lines[0] == "Steps\t1\t21\t41"
    assert lines[4] == "attention of block 2\t0.001\t0.001\t0.02"

    # The charts, each with a sentence.
    user.click(health.way.button(0))
    assert health.reading("update_ratio") == (
        "Fastest: attention of block 2, moving 20 times as fast as the median layer.")
    assert health.reading("gradient_norm") == "Gradients reach all blocks: the largest is 1.0 times the smallest."
    assert health.reading("dead_units") == "12 % of the units in block 2 are dead."
    assert health.reading("attention_entropy") == "The heads have 1.00 to 4.00 bits, of at most 4.60."
    assert health.reading("logits") == "The logits spread by 2: a usual scale."
    assert health.reads("health_place") == "After step 41"
    assert health.shape("update_ratio") == (6, 3)

    user.train.point_at(25)
    assert health.reads("health_place") == "After step 21"
    assert health.reading("update_ratio") == "All blocks move by about 1 in 1,000 per step: a healthy pace."
    hover(health.chart("update_ratio"), Cell(3, 2))
    assert health.reads("health_place") == "Step 41, attention of block 2: 0.02"
    assert user.train.loss.chart.pointed_at == pytest.approx(4.1)  # epochs
    hover(health.chart("update_ratio"), None)
    assert user.train.loss.chart.pointed_at is None
    assert health.reads("health_place") == "After step 41"

    user.train.take(STARTED.model_copy(update={"first_step": 30}))
    assert health.reads("health_place") == "After step 21"
    user.train.take(step(30), *evaluation(30))
    assert health.reads("health_place") == "After step 31"
    assert health.shape("update_ratio") == (6, 3)


def test_that_a_run_without_figures_gives_the_reason_and_the_newest_evaluation_of_a_real_run_is_shown(user):
    user.train.health.open()
    user.train.take(STARTED, step(0))
    assert "Runs of earlier versions" in user.train.health.reads("health_empty")
    user.train.prepare(health=False)
    user.train.expect(user.train.spec)
    assert "the setting Health of the layers is off" in user.train.health.reads("health_empty")

    user.train.finish(steps=12, eval_freq=10, health=True)
    assert user.train.health.reads("health_place") == "After step 11"
    assert user.train.health.reading("dead_units")


@pytest.mark.parametrize(("values", "log", "ends", "ticks"), [
    ([0.002, 0.5], True, (0.001, 1), [0.001, 0.01, 0.1, 1]),
    ([0.0, math.nan, -1.0], True, (0.1, 1), [0.1, 1]),
    ([0.01], True, (0.01, 0.1), [0.01, 0.1]),
    ([1e-140, 1e140], True, (1e-140, 1e140), [1e-140, 1e-70, 1, 1e70, 1e140]),
    ([3.0, 12.0], False, (0, 20), [0, 10, 20]),
    ([math.inf], False, (0, 1), [0, 0.5, 1]),
])
def test_that_a_scale_has_round_limits(values, log, ends, ticks):
    import numpy as np

    scale = HealthScale.of(np.array(values), log)
    assert (scale.low, scale.high) == pytest.approx(ends)
    assert scale.ticks() == pytest.approx(ticks)
    places = scale.shares(np.array([scale.low, scale.high, math.nan]))
    assert places[:2].tolist() == [0, 1]
    assert math.isnan(places[2])
