"""The arithmetic of the loss, by hand and from a model."""

import math

import numpy as np
import pytest
import torch
from hypothesis import given
from hypothesis import strategies as st
from lab_output import ran

from gptstudio import devices
from gptstudio.gpt.config import PRESETS, GPTConfig
from gptstudio.labs.loss import LAB, PROBABILITIES, LossRequest, answer
from gptstudio.training.model_source import UntrainedModel, load

HAND, MODEL = (example.request for example in LAB.examples)
TINY = GPTConfig(context_length=8, emb_dim=16, n_heads=2, n_layers=1)


def built(config: GPTConfig = TINY):
    return load(UntrainedModel(config), devices.cpu(), "reference")


@pytest.mark.slow
def test_that_both_ways_have_the_same_targets_probabilities_and_torchs_cross_entropy():
    seeds_model, before = load(LAB.model, devices.cpu(), "reference"), torch.get_rng_state()
    for lab_request in (HAND, MODEL):
        found = answer(lab_request, seeds_model)
        assert found.probabilities == pytest.approx(PROBABILITIES, rel=1e-6)
        assert found.tokens == ("␣effort", "␣moves", "␣you", "␣really", "␣like", "␣chocolate")
        assert found.sentences.tolist() == [0, 0, 0, 1, 1, 1]
        assert abs(found.loss - found.cross_entropy) < 1e-6
        assert found.perplexity == pytest.approx(math.exp(found.loss))
    assert torch.equal(before, torch.get_rng_state()), "random numbers of others stay as they are"


@given(st.lists(st.floats(1e-12, 1), min_size=1, max_size=12))
def test_that_any_probabilities_lead_to_the_cross_entropy(typed):
    found = answer(LossRequest(probabilities=tuple(typed)))
    assert abs(found.loss - found.cross_entropy) < 1e-6
    assert found.loss == pytest.approx(-np.log(typed).mean(), abs=1e-12)


def test_that_certainty_has_loss_zero_and_the_impossible_an_infinite_loss():
    two, one = (answer(LossRequest(probabilities=certain)) for certain in ((1.0, 1.0), (1.0,)))
    assert (two.loss, one.perplexity) == (0, 1)
    impossible = answer(LossRequest(probabilities=(0.5, 0.0)))
    assert impossible.loss == impossible.cross_entropy == impossible.perplexity == math.inf


def test_that_equal_guesses_among_all_tokens_have_the_loss_of_random_guessing():
    found = answer(LossRequest(probabilities=(1 / 50_257,) * 3))
    assert found.loss == pytest.approx(found.guessing) == pytest.approx(10.8249, abs=5e-5)
    assert found.perplexity == pytest.approx(50_257)
    assert found.tokens == ("1", "2", "3")


def test_that_each_sentence_is_read_by_itself():
    model = built()
    texts = ("one two three", "four five")
    both = answer(LossRequest(source="model", first=texts[0], second=texts[1]), model)
    first, second = (answer(LossRequest(source="model", first=text, second=""), model) for text in texts)
    assert both.probabilities == pytest.approx(np.concatenate([first.probabilities, second.probabilities]))


def test_that_of_a_sentence_longer_than_the_context_the_end_counts():
    long = " ".join(["word"] * 20)
    assert len(answer(LossRequest(source="model", first=long, second=""), built()).probabilities) == TINY.context_length


@pytest.mark.parametrize("lab_request", [
    HAND, LossRequest(probabilities=(0.25, 0.5)), MODEL, LossRequest(source="model", second=""),
])
def test_that_the_code_computes_the_answer(lab_request, monkeypatch):
    """With a smaller model in place of the book's, which the code creates too."""
    assert UntrainedModel(PRESETS["book"]) == LAB.model
    monkeypatch.setitem(PRESETS, "book", TINY)
    names = ran(LAB, lab_request)
    found = answer(lab_request, built())
    assert float(names["loss"]) == pytest.approx(found.loss, rel=1e-6)
    assert float(names["cross_entropy"]) == pytest.approx(found.cross_entropy, rel=1e-6)
    assert float(names["perplexity"]) == pytest.approx(found.perplexity, rel=1e-5)
