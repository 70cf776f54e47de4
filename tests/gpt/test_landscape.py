"""Probabilities over the temperature, compared with the softmax written out and the stages one by one."""

import numpy as np
import pytest

from gptstudio.gpt.sampling.landscape import TEMPERATURES, landscape
from gptstudio.gpt.sampling.params import SamplingParams
from gptstudio.gpt.sampling.sampler import BrokenLogits

LOGITS = np.random.default_rng(5).normal(size=300) * 3


def softmax(temperature: float) -> np.ndarray:
    powers = np.exp((LOGITS - LOGITS.max()) / temperature)
    return powers / powers.sum()


def test_that_curves_are_the_softmax_and_cuts_the_least_kept_probability_at_each_temperature():
    params = SamplingParams(top_k=30, min_p=0.05, temperature=1.7)
    shown = landscape(LOGITS, params)
    assert list(shown.ids) == np.argsort(-LOGITS, kind="stable")[:20].tolist()
    assert shown.probabilities[:, 0] == pytest.approx([1.0] + [0.0] * 19), "temperature 0: the likeliest alone"
    for place in (5, 10, 30):
        plain = softmax(TEMPERATURES[place])
        assert shown.probabilities[:, place] == pytest.approx(plain[shown.ids])
        assert shown.cuts["top_k"][place] == pytest.approx(np.sort(plain)[-30])
        kept = np.sort(plain)[-30:]
        kept = kept[kept >= 0.05 * kept.max()]
        assert shown.kept[place] == len(kept)
        if len(kept) < 30:
            assert shown.cuts["min_p"][place] == pytest.approx(kept.min())
    assert landscape(LOGITS, SamplingParams()).cuts == {}


def test_that_few_tokens_and_broken_logits_are_reported():
    assert landscape(LOGITS[:3], SamplingParams()).probabilities.shape == (3, 31)
    with pytest.raises(BrokenLogits):
        landscape(np.array([1.0, np.nan]), SamplingParams())
