"""Dropout: the printed matrix, the average of many draws, and the three places in a model."""

import math

import numpy as np
import pytest
import torch
from hypothesis import given
from hypothesis import strategies as st

from gptstudio.gpt.config import PRESETS, GPTConfig
from gptstudio.gpt.model import GPTModel
from gptstudio.labs.dropout import BOOK_INPUT, answer
from gptstudio.torch_settings import RandomStream

RATES = {"drop_rate_emb": 0.2, "drop_rate_attn": None, "drop_rate_shortcut": 0.0}
OTHER = BOOK_INPUT.but(numbers=((1.0, -2.0, 0.5), (0.0, 3.0, 4.0)), rate=0.3, seed=7, draws=400)
asks = st.builds(
    lambda **changes: BOOK_INPUT.but(**changes), rate=st.floats(0, 0.99), seed=st.integers(0, 10_000),
    draws=st.integers(1, 50), training=st.booleans(), tokens=st.integers(1, 8),
)


def test_that_a_real_model_drops_exactly_the_same_places(monkeypatch) -> None:
    tiny = GPTConfig(vocab_size=50, context_length=8, emb_dim=12, n_heads=3, n_layers=2)
    monkeypatch.setitem(PRESETS, "workshop", tiny)
    found = answer(BOOK_INPUT.but(preset="workshop", tokens=5, rate=0.5, **RATES))
    masks: dict[str, list[torch.Tensor]] = {}
    with RandomStream(1).active():
        model = GPTModel(BOOK_INPUT.but(preset="workshop", rate=0.5, **RATES).config)
    for name, module in model.named_modules():
        if isinstance(module, torch.nn.Dropout):
            kind = {"drop_emb": "embedding", "dropout": "attention"}.get(name.split(".")[-1], "shortcut")
            module.register_forward_pre_hook(lambda module, args: (torch.ones_like(args[0]),))
            module.register_forward_hook(
                lambda module, args, out, kind=kind: masks.setdefault(kind, []).append(out.detach() > 0)
            )
    with RandomStream(BOOK_INPUT.seed).active():
        model(torch.arange(5)[None])
    for place in found.places:
        theirs = masks[place.name]
        assert [tuple(each.shape) for each in theirs] == [place.shape] * place.times
        assert sum(int((~each).sum()) for each in theirs) == place.dropped
        first = theirs[0][0, 0] if place.name == "attention" else theirs[0][0]
        assert (first.numpy() == place.kept).all()


@given(asks)
def test_that_kept_values_are_scaled_up_by_the_dropped_share(lab_request) -> None:
    found = answer(lab_request)
    rate = lab_request.rate if lab_request.training else 0
    assert found.scale == pytest.approx(1 / (1 - rate))
    np.testing.assert_allclose(found.out, found.values * found.kept * found.scale, rtol=1e-6)
    assert found.running.shape == (lab_request.draws,)
    assert found.running[0] == pytest.approx(found.mean_after, abs=1e-5)
    assert found.running[-1] == pytest.approx(found.average.mean(), abs=1e-4)


@given(st.integers(0, 1000), st.sampled_from([0.1, 0.5, 0.8]))
def test_that_over_many_draws_the_mean_is_preserved(seed, rate) -> None:
    found = answer(BOOK_INPUT.but(seed=seed, rate=rate, draws=5000))
    assert abs(found.running[-1] - 1) < 5 * found.spread / math.sqrt(5000)


def test_that_the_spread_is_that_of_many_draws() -> None:
    means = np.diff(np.concatenate([[0], answer(OTHER.but(draws=10_000)).running * np.arange(1, 10_001)]))
    assert means.std() == pytest.approx(answer(OTHER).spread, rel=0.03)


def test_that_a_model_in_evaluation_mode_drops_nothing() -> None:
    found = answer(BOOK_INPUT.but(training=False))
    assert found.kept.all()
    assert (found.out == found.values).all()
    assert found.spread == 0
    assert [place.dropped for place in found.places] == [0, 0, 0]


def test_that_an_empty_rate_is_the_common_one() -> None:
    found = answer(BOOK_INPUT.but(rate=0.4, **RATES))
    assert [place.rate for place in found.places] == [0.2, 0.4, 0.0]
    assert [place.shape for place in found.places] == [(1, 4, 768), (1, 12, 4, 4), (1, 4, 768)]
    assert [place.times for place in found.places] == [1, 12, 24]
