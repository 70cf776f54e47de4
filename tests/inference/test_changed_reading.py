"""A text read and continued with interventions: at the ends of the context, one token, broken weights, cancelled."""

import math

import numpy as np
import pytest
import torch
from inference.test_effects import CONFIGS, IDS, TOKEN, make

from gptstudio.errors import UserError
from gptstudio.gpt.sampling.sampler import BrokenLogits
from gptstudio.inference import intervening
from gptstudio.inference.intervening import continue_changed, read_changed
from gptstudio.inference.interventions import Component, Interventions, PermutedPositions, of_components
from gptstudio.inference.next_token import effects
from gptstudio.inference.spec import GenerateSpec
from gptstudio.training.control import Control, Stopped

CHANGED = of_components([(Component(0, 1), 0.0), (Component(1), 0.5)])


def bits(logits: torch.Tensor, token: int) -> float:
    return -torch.log_softmax(logits.double(), dim=-1)[token].item() / math.log(2)


def test_that_each_token_has_the_surprisal_of_the_changed_logits_before_it():
    model = make(CONFIGS["untied"])
    reading = read_changed(model, IDS, 4, CHANGED)
    changed = intervening.changed_logits(model, IDS, CHANGED)
    plain = intervening.changed_logits(model, IDS)
    for position in range(1, len(IDS)):
        for read, logits in ((reading.changed, changed), (reading.plain, plain)):
            expected = bits(logits[position - 1], IDS[position])
            assert read.surprisals[position] == pytest.approx(expected, abs=1e-4)
    assert np.isnan(reading.differences[0])
    assert reading.changed.logits == pytest.approx(changed[3].numpy(), abs=1e-5)


def test_that_one_token_and_more_than_the_context_are_read_up_to_the_models_limit():
    model, long = make(CONFIGS["untied"]), [1, 2, *IDS, 8]
    one = read_changed(model, [3], 0, CHANGED)
    assert one.changed.logits is None
    assert np.isnan(one.differences).all()
    end = read_changed(model, long, len(long) - 1, CHANGED)
    expected = intervening.changed_logits(model, long[-9:-1], CHANGED)[-1]
    assert end.changed.logits == pytest.approx(expected.numpy(), abs=1e-5)
    assert np.isnan(end.changed.surprisals[:2]).all()
    shuffled = Interventions(changes=(PermutedPositions(count=3, seed=1),))
    with pytest.raises(UserError, match="longer than the context of 8"):
        read_changed(model, long, len(long) - 1, shuffled)
    with pytest.raises(UserError, match="longer than the context of 8"):
        continue_changed(model, IDS, GenerateSpec(max_new_tokens=5), shuffled, Control())


def test_that_broken_weights_are_reported_and_a_stop_ends_the_work():
    model = make(CONFIGS["untied"])
    control = Control()
    control.stop()
    for work in (lambda: read_changed(model, IDS, 3, CHANGED, control.check),
                 lambda: continue_changed(model, IDS, GenerateSpec(max_new_tokens=1), CHANGED, control)):
        with pytest.raises(Stopped):
            work()
    torch.nn.init.constant_(model.trf_blocks[1].ff.layers[0].bias, float("nan"))
    for broken in (lambda: read_changed(model, IDS, 2, CHANGED), lambda: effects(model, IDS, TOKEN)):
        with pytest.raises(BrokenLogits, match="damaged"):
            broken()
