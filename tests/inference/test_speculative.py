"""Speculative decoding: the distribution is the large model's own, whatever the small one drafts."""

import numpy as np
import pytest
import torch

from gptstudio.errors import UserError
from gptstudio.gpt.config import GPTConfig
from gptstudio.gpt.decoder import Decoder
from gptstudio.gpt.fast import build_model
from gptstudio.gpt.sampling import sampler
from gptstudio.gpt.sampling.params import SamplingParams
from gptstudio.inference.speculative import speculate, verify
from gptstudio.seeding import RandomStream
from gptstudio.training.control import Stopped

LARGE = GPTConfig(vocab_size=6, context_length=24, emb_dim=12, n_heads=2, n_layers=2, drop_rate=0.0)
SMALL = GPTConfig(vocab_size=6, context_length=24, emb_dim=6, n_heads=1, n_layers=1, drop_rate=0.0)
DRAWS = 10_000
CHI_SQUARE_5 = 20.515
"""The value that chi-square with 5 degrees of freedom exceeds once in 1,000 (any table of it)."""


def decoder(config: GPTConfig, seed: int) -> Decoder:
    with RandomStream(seed).active():
        model = build_model(config, "fast")
        for parameter in model.parameters():
            torch.nn.init.normal_(parameter, std=0.7)
    return Decoder(model.eval())


def chi_square(counts: np.ndarray, shares: np.ndarray) -> float:
    expected = shares * counts.sum()
    return float(((counts - expected) ** 2 / expected).sum())


def test_that_10_000_draws_have_the_distribution_of_the_large_model():
    random = np.random.default_rng(1)
    p, q = (random.dirichlet(np.ones(6), size=3) for _ in range(2))
    counts = np.zeros((3, 6))
    for _ in range(DRAWS):
        drafted = [sampler.draw(q[place], random.random()) for place in range(2)]
        kept = [each for each in verify(p, q[:2], drafted, random.random(3)) if each.fate != "rejected"]
        for place, outcome in enumerate(kept):
            counts[place, outcome.id] += 1
    assert counts[0].sum() == DRAWS
    for place in range(3):
        assert chi_square(counts[place], p[place]) < CHI_SQUARE_5
    drafts = np.bincount([sampler.draw(q[0], random.random()) for _ in range(DRAWS)], minlength=6)
    assert chi_square(drafts, p[0]) > 10 * CHI_SQUARE_5, "the small model alone is far from it"


def test_that_texts_of_two_models_have_the_large_ones_distribution_too():
    large, small, params, ids = decoder(LARGE, 1), decoder(SMALL, 2), SamplingParams(temperature=1.3, top_k=5), [1, 4]
    counts = np.zeros(6)
    for seed in range(500):
        *_, made = speculate(large, small, ids, params, 2, drafted=2, seed=seed)
        counts[made.ids[0]] += 1
    shares = sampler.distribution(large.next_logits([ids])[0].numpy(), params, ids).probabilities
    kept = shares > 0
    assert counts[~kept].sum() == 0
    assert chi_square(counts[kept], shares[kept]) < CHI_SQUARE_5


def test_that_greedy_is_the_large_models_own_text_and_its_own_drafts_are_all_accepted():
    large, small, greedy = decoder(LARGE, 1), decoder(SMALL, 2), SamplingParams(temperature=0.0)
    text = [2, 3]
    for _ in range(12):
        text.append(int(large.next_logits([text])[0].argmax()))
    *_, made = speculate(large, small, [2, 3], greedy, 12, drafted=4)
    assert [2, 3, *made.ids] == text
    assert made.count("rejected") == made.count("resampled")
    *_, own = speculate(large, large.sibling(), [2, 3], SamplingParams(), 11, drafted=4, seed=5)
    assert own.acceptance == 1.0
    assert (own.passes, len(own.ids)) == (3, 11), "five tokens a pass, and one at the end"


def test_that_what_cannot_be_is_refused_in_words_and_cancelled_at_once():
    large, small, params = decoder(LARGE, 1), decoder(SMALL, 2), SamplingParams()
    other = decoder(GPTConfig(vocab_size=7, context_length=24, emb_dim=6, n_heads=1, n_layers=1), 3)
    for models, ids, tokens, drafted, words in (
        ((large, other), [1], 2, 2, "vocabularies of 6 and 7"), ((large, small), [], 2, 2, "empty"),
        ((large, small), [1] * 20, 5, 2, "does not fit"), ((large, small), [1], 2, 17, "between 1 and 16"),
        ((large, small), [9], 2, 2, "token 9"),
    ):
        with pytest.raises(UserError, match=words):
            next(speculate(*models, ids, params, tokens, drafted=drafted))

    def stop() -> None:
        raise Stopped

    with pytest.raises(Stopped):
        next(speculate(large, small, [1], params, 2, check=stop))
