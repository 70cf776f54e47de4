"""The health of the layers, read back: its tables, and the rules that judge them."""

import math

import pytest
from made_up import started, step_done

from gptstudio.history import health_history
from gptstudio.history.health_history import HealthHistory
from gptstudio.history.run_history import History
from gptstudio.training.events import (
    ActivationsRead,
    BlockActivations,
    PartUpdate,
    UpdatesRead,
    from_json,
    to_json,
)

STARTED = started()


def step(n):
    return step_done(n, tokens_seen=10 * (n + 1), elapsed_s=n)


def updates(n, *blocks, figures):
    """Return updates of blocks whose attention and feed-forward network have these values; the other figures are
    healthy."""
    def part(name, block, value):
        usual = {"gradient_norm": 1, "weight_norm": 1, "update_ratio": 1e-3}
        return PartUpdate(part=name, block=block, **usual | dict.fromkeys(figures, value))

    return UpdatesRead(step=n, parts=tuple(
        part(name, block, value) for block, value in enumerate(blocks) for name in ("attention", "feed_forward")))


def ratios(n, *blocks):
    return updates(n, *blocks, figures=["update_ratio"])


def gradients(n, *blocks):
    return updates(n, *blocks, figures=["gradient_norm"])


def norms(n, *blocks):
    return updates(n, *blocks, figures=["weight_norm"])


def activations(n=30, dead=(0,), entropies=((3.0,),), std=2.0):
    return ActivationsRead(step=n, tokens=64, most_entropy=4.6, logit_std=std, largest_logit=9, blocks=tuple(
        BlockActivations(dead_share=share, entropies=bits)
        for share, bits in zip(dead, entropies * len(dead), strict=False)))


def messages_of(quantity, *events):
    health = HealthHistory()
    for event in events:
        health.add(event, 0.0)
    found = health_history.reading(health, quantity)
    return found.level, found.message


@pytest.mark.parametrize(("event", "level", "words"), [
    (ratios(30, 1e-3, 9e-4), "good", "All blocks move by about 1 in 1,100 per step: a healthy pace."),
    (ratios(30, 1e-3, 1e-3, 1e-2), "note",
     "Fastest: attention of block 3, moving 10 times as fast as the median layer."),
    (ratios(30, 4e-3, 2e-4), "note", "The blocks move by 1 in 5,000 to 1 in 250 per step; around 1 in 1,000 is usual."),
    (ratios(30, 0.05, 0.04), "bad", "The layers move by about 1 in 22 per step: too fast. Try a lower learning rate."),
    (ratios(30, 1e-6, 1e-6), "bad",
     "The layers hardly move: by about 1 in 1,000,000 per step. Try a higher learning rate."),
    (ratios(19, 0.05), "good", "The first 20 steps are not judged: updates settle in them."),
    (ratios(30, None), "note", "The blocks are frozen, or their updates are not valid numbers."),
    (ratios(30, math.nan, -1), "note", "The blocks are frozen, or their updates are not valid numbers."),
    (ratios(30, 0.0, 0.0), "bad", "The layers hardly move: by about 1 in ∞ per step. Try a higher learning rate."),
])
def test_that_updates_are_judged_by_the_usual_ratio_and_by_each_other(event, level, words):
    assert messages_of("update_ratio", event) == (level, words)


@pytest.mark.parametrize(("event", "level", "words"), [
    (gradients(0, 0.1, 2.0), "note", "The gradient of block 2 is 20 times that of block 1."),
    (gradients(0, 200, 1), "bad", "The gradient of block 1 is 200 times that of block 2."),
    (gradients(0, 1, 0), "bad", "No gradient reaches block 2: it does not learn."),
    (gradients(0, 1, 3), "good", "Gradients reach all blocks: the largest is 3.0 times the smallest."),
    (gradients(0, 3), "good", "The gradient norm of the block is 4.2."),
    (gradients(0, None, math.inf), "note", "The blocks are frozen, or their gradients are not valid numbers."),
])
def test_that_gradients_of_the_blocks_are_compared(event, level, words):
    assert messages_of("gradient_norm", event) == (level, words)


def test_that_weights_are_compared_with_those_of_the_first_evaluation():
    assert messages_of("weight_norm", norms(0, 10, 10), norms(5, 25, 9)) == (
        "note", "Grown most since the first evaluation: attention of block 1, to 2.5 times its norm.")
    assert messages_of("weight_norm", norms(0, 10, 10), norms(5, 11, 9)) == (
        "good", "Since the first evaluation, the norms of the layers have changed by −10.0\u00a0% to +10.0\u00a0%.")
    assert messages_of("weight_norm", norms(0, math.nan, 0)) == ("note", "The weights are not valid numbers.")


@pytest.mark.parametrize(("quantity", "event", "level", "words"), [
    ("dead_units", activations(dead=(0, 0.12)), "note", "12 % of the units in block 2 are dead."),
    ("dead_units", activations(dead=(0.4, 0.12)), "bad", "40 % of the units in block 1 are dead."),
    ("dead_units", activations(dead=(0.003,)), "good", "Few units are dead: at most 0.3 %, in block 1."),
    ("dead_units", activations(), "good", "No unit is dead."),
    ("dead_units", activations(dead=(math.nan,)), "note", "The activations are not valid numbers."),
    ("attention_entropy", activations(entropies=((0.2, 3, 4),)), "note",
     "Sharpest: head 1 of block 1, which looks at almost one token only (0.20 of at most 4.60 bits)."),
    ("attention_entropy", activations(entropies=((0.2, 0.1, 4),)), "bad",
     "Of 3 heads, 2 look at almost one token only: attention may have collapsed."),
    ("attention_entropy", activations(entropies=((4.58, 4.59),)), "good",
     "All heads still look almost evenly at all earlier tokens (4.58 of at most 4.60 bits)."),
    ("head_entropy", activations(entropies=((2, 4),)), "good", "The heads have 2.00 to 4.00 bits, of at most 4.60."),
    *(("attention_entropy", activations(entropies=(each,)), "note", "The attention weights are not valid numbers.")
      for each in ((math.nan,), ())),
    ("logits", activations(std=2), "good", "The logits spread by 2: a usual scale."),
    ("logits", activations(std=0.05), "note", "The logits spread by 0.05 only: all tokens are about as likely."),
    ("logits", activations(std=12), "bad",
     "The logits spread by 12: so widely that almost all probability goes to one token."),
    ("logits", activations(std=math.inf), "bad", "The logits are not valid numbers."),
])
def test_that_activations_are_judged(quantity, event, level, words):
    found = [(level, words)]
    if event.blocks[0].entropies or quantity != "attention_entropy":
        assert [messages_of(quantity, event)] == found


def test_that_tables_have_a_column_for_each_layer_and_are_cut_when_a_run_is_resumed():
    history = History()
    history.add(STARTED, step(0), ratios(0, 1e-3, 2e-3), activations(0, dead=(0, 0.5)), step(5), ratios(5, 3e-3, 4e-3),
                activations(5, entropies=((1.0, 2.0),), dead=(0, 0)))
    table = history.health["update_ratio"]
    assert [layer.words for layer in table.layers] == [
        "attention of block 1", "feed-forward of block 1", "attention of block 2",
        "feed-forward of block 2"]
    assert table.values[::2].tolist() == [[1e-3, 3e-3], [2e-3, 4e-3]]
    assert history.health["dead_units"].values.tolist() == [[0, 0], [50, 0]]
    assert table.place("elapsed_s").tolist() == [0, 5]
    assert [table.row_at(at) for at in (-1, 0, 4, 5, 99)] == [-1, 0, 0, 1, 1]
    history.add(STARTED.model_copy(update={"first_step": 5}))
    assert table.values[:, 0].tolist() == [1e-3, 1e-3, 2e-3, 2e-3]
    assert all(len(each) == 1 for each in history.health.tables.values())


@pytest.mark.parametrize("event", [
    UpdatesRead(step=9), ActivationsRead(step=9, tokens=0), ratios(9, 1e308, -1e308), activations(9, std=1e300),
    UpdatesRead(step=2**53, parts=(PartUpdate(part="attention", block=2**53, weight_norm=math.nan),) * 2),
    activations(9, dead=(1e308, -5)),
])
def test_that_strange_figures_of_a_file_are_read_and_judged(event):
    history = History()
    for other in (ratios(0, 1e-3, 1e-3), activations(0, dead=(0, 0), entropies=((1, 2), (2, 3)))):
        history.add(from_json(to_json(other)))
    history.extend([to_json(event).encode() + b"\n"])
    for quantity in history.health.tables:
        health_history.reading(history.health, quantity)
        assert health_history.reading(History().health, quantity) is None


def test_that_heads_beyond_the_display_limit_are_omitted(monkeypatch):
    monkeypatch.setattr("gptstudio.history.health_history.MOST_COLUMNS", 3)
    health = HealthHistory()
    health.add(activations(entropies=((1.0, 2.0, 3.0, 4.0),)), 0.0)
    assert len(health["head_entropy"].layers) == 3
