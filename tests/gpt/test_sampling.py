"""From logits to the sampled token: every stage, and random numbers with the right distribution."""

import math
import os
from itertools import combinations, pairwise

import numpy as np
import pytest
from by_hand import stages_by_hand
from hypothesis import assume, example, given
from hypothesis import strategies as st
from hypothesis.extra.numpy import arrays

from gptstudio.fields import SpecError
from gptstudio.gpt.sampling import USUAL_ORDER, sampler
from gptstudio.gpt.sampling.logits import best, rank, softmax
from gptstudio.gpt.sampling.params import SamplingParams
from gptstudio.gpt.sampling.sampler import BrokenLogits

VOCAB = 50_257
EDGES_OF_CHANCE = [0.0, float(np.nextafter(1.0, 0.0))]

many_logits = arrays(np.float32, st.integers(1, 60), elements=st.floats(-50, 50, width=32))
tied_logits = arrays(np.float64, st.integers(1, 60), elements=st.sampled_from([0.0, 1.0, 2.0]))
# Eighths: close together, they are sometimes equal, and a division never makes two of them equal.
even_logits = arrays(np.float64, st.integers(1, 60), elements=st.integers(-48, 48).map(lambda n: n / 8))
temperatures = st.sampled_from([0.0, 1e-300, 1e-6, 0.1, 1.0, 3.0, 100.0])
top_ks = st.none() | st.integers(1, 70)
shares = st.sampled_from([0.0, 0.0173, 0.1237, 0.377, 0.6113, 0.9137, 1.0])  # that no sum of the above meets exactly
penalties = st.sampled_from([0.5, 1.0, 1.3, 4.0])
orders = st.permutations(USUAL_ORDER).map(tuple)
subtracted = st.sampled_from([-1.5, 0.0, 0.3, 2.0])
seens = st.lists(st.integers(0, 70), max_size=10)


def all_params(temperatures: st.SearchStrategy[float]) -> st.SearchStrategy[SamplingParams]:
    return st.builds(
        SamplingParams, temperature=temperatures, top_k=top_ks, top_p=shares, min_p=shares, typical_p=shares,
        repetition_penalty=penalties, frequency_penalty=subtracted, presence_penalty=subtracted, order=orders,
    )


any_params, usual_params = all_params(temperatures), all_params(st.sampled_from([0.0, 0.3, 1.0, 3.0]))


def logits_of(*probabilities: float) -> np.ndarray:
    return np.log(probabilities)


def survivors(logits, sampling_params: SamplingParams, seen=()) -> list[int]:
    return np.flatnonzero(sampler.distribution(logits, sampling_params, seen).kept).tolist()


# Rules for all parameters.


@given(many_logits | tied_logits, any_params, seens)
@example(np.array([0.0, 9.0, 20.0, 30.0]), SamplingParams(temperature=0.01, top_k=3, typical_p=0.5), [])
def test_that_each_stage_explains_every_token_left_before_it(logits, sampling_params, seen):
    for step in sampler.distribution(logits, sampling_params, seen).steps:
        for token in [] if step.stage.is_off else np.flatnonzero(step.before > -np.inf).tolist():
            assert step.stage.explain(step, token, seen)


@given(many_logits | tied_logits, any_params, seens)
def test_that_probabilities_are_valid_for_any_stages_in_any_order(logits, sampling_params, seen):
    stages = sampler.distribution(logits, sampling_params, seen)
    for probabilities in (stages.plain, stages.probabilities):
        assert probabilities.shape == logits.shape
        assert probabilities.min() >= 0
        assert probabilities.sum() == pytest.approx(1.0, abs=1e-12)
    assert stages.kept.any()
    assert not stages.probabilities[~stages.kept].any()
    assert 0 <= stages.entropy_bits <= math.log2(logits.size) + 1e-9


@given(even_logits, usual_params, seens)
def test_that_every_stage_equals_its_definition(logits, sampling_params, seen):
    stages = sampler.distribution(logits, sampling_params, seen)
    by_hand = stages_by_hand(logits, sampling_params, seen)
    assert stages.plain == pytest.approx(by_hand.plain, abs=1e-12)
    for step in stages.steps:
        assert step.after == pytest.approx(by_hand.after[step.stage.name], abs=1e-12), step.stage
    assert stages.probabilities == pytest.approx(by_hand.probabilities, abs=1e-12)


@given(many_logits | tied_logits, any_params, seens)
def test_that_each_stage_begins_where_the_one_before_ended_and_names_the_removed_tokens(logits, sampling_params, seen):
    stages = sampler.distribution(logits, sampling_params, seen)
    assert tuple(step.stage.name for step in stages.steps) == sampling_params.order
    assert stages.steps[0].before.tolist() == logits.tolist()
    for one, other in pairwise(stages.steps):
        assert other.before is one.after
    for token in range(logits.size):
        cutters = [step for step in stages.steps if step.cut[token]]
        assert cutters == ([] if stages.kept[token] else [stages.cut_by(token)]), "nothing is cut twice"


@given(many_logits | tied_logits, orders, seens)
def test_that_neutral_parameters_change_nothing_in_any_order(logits, order, seen):
    stages = sampler.distribution(logits, SamplingParams(order=order), seen)
    assert stages.probabilities.tolist() == stages.plain.tolist()
    assert not any(
        SamplingParams().changes(stage) or step.cut.any() for stage, step in zip(order, stages.steps, strict=True)
    )


@pytest.mark.parametrize("dtype", [np.float16, np.float32, np.float64])
def test_that_the_whole_vocabulary_is_reshaped_in_any_dtype_and_the_input_is_unchanged(dtype):
    logits = np.random.default_rng(1).normal(size=VOCAB).astype(dtype)
    before = logits.copy()
    stages = sampler.distribution(logits, SamplingParams(temperature=0.9, top_k=50))
    assert stages.kept.sum() == 50
    assert stages.probabilities.sum() == pytest.approx(1.0, abs=1e-12)
    assert np.array_equal(logits, before)


# Temperature.


@given(even_logits)
def test_that_temperature_near_zero_tends_to_the_most_likely_token_and_equals_it_at_zero(logits):
    likeliest = logits == logits.max()
    falling = [
        sampler.distribution(logits, SamplingParams(temperature=t)).probabilities for t in (8, 1, 0.5, 0.1, 0.004)
    ]
    for warmer, cooler in pairwise(falling):
        assert cooler[likeliest].sum() >= warmer[likeliest].sum() - 1e-12
    assert falling[-1] == pytest.approx(likeliest / likeliest.sum(), abs=1e-9), "those that tie share"
    at_zero = sampler.distribution(logits, SamplingParams(temperature=0)).probabilities
    assert at_zero.tolist() == np.eye(logits.size)[logits.argmax()].tolist(), "of those that tie the lower id"


@given(tied_logits | many_logits, top_ks, shares, shares, orders)
def test_that_temperature_zero_always_takes_the_most_likely_token(logits, top_k, top_p, min_p, order):
    sampling_params = SamplingParams(temperature=0.0, top_k=top_k, top_p=top_p, min_p=min_p, order=order)
    stages = sampler.distribution(logits, sampling_params)
    assert stages.probabilities[np.argmax(logits)] == 1.0
    assert stages.entropy_bits == 0.0
    for random_number in EDGES_OF_CHANCE:
        assert sampler.draw(stages.probabilities, random_number) == np.argmax(logits)


@pytest.mark.filterwarnings("error")
@pytest.mark.parametrize("temperature", [1e-6, 1e-300, 5e-324])
def test_that_a_tiny_temperature_does_not_overflow(temperature):
    logits = np.array([-3e38, 80.0, 80.0, 79.0, 3e4, 3e4])
    stages = sampler.distribution(logits, SamplingParams(temperature=temperature))
    assert stages.probabilities.tolist() == [0, 0, 0, 0, 0.5, 0.5]


# Top-k.


@given(tied_logits, st.integers(1, 70))
def test_that_exactly_k_tokens_are_kept_also_when_logits_tie(logits, k):
    kept = sampler.distribution(logits, SamplingParams(top_k=k)).kept
    assert kept.sum() == min(k, logits.size)
    best = sorted(range(logits.size), key=lambda i: (-logits[i], i))[:k]
    assert sorted(np.flatnonzero(kept).tolist()) == sorted(best), "of equals the lower id stays"


@given(tied_logits | many_logits, any_params, seens)
def test_that_top_k_keeps_k_or_all_that_earlier_stages_kept(logits, sampling_params, seen):
    assume(sampling_params.top_k)
    step = next(s for s in sampler.distribution(logits, sampling_params, seen).steps if s.stage.name == "top_k")
    alive = int((step.before > -np.inf).sum())
    assert (step.after > -np.inf).sum() == min(sampling_params.top_k, alive)


# Top-p and min-p.


@given(even_logits | many_logits, shares)
def test_that_top_p_keeps_the_smallest_set_that_reaches_p_and_at_least_one(logits, p):
    stages = sampler.distribution(logits, SamplingParams(top_p=p))
    kept = stages.plain[stages.kept]
    assert kept.size >= 1
    assert kept.sum() >= p - 1e-12
    if kept.size > 1 and p < 1:
        assert kept.sum() - kept.min() < p, "without its last it would not reach p"
    rest = stages.plain[~stages.kept]
    assert not rest.size or rest.max() <= kept.min(), "the likeliest stay"


@given(tied_logits, st.sampled_from([0.01, 0.1237, 0.377, 0.6113, 0.9137]))
def test_that_of_tokens_that_tie_at_the_edge_of_top_p_the_lower_ids_are_kept(logits, p):
    stages = sampler.distribution(logits, SamplingParams(top_p=p))
    edge = np.flatnonzero(logits == logits[stages.kept].min())
    assert stages.kept[edge].tolist() == sorted(stages.kept[edge].tolist(), reverse=True)


def test_that_a_set_that_reaches_top_p_exactly_is_enough():
    assert survivors(np.zeros(4), SamplingParams(top_p=0.5)) == [0, 1]
    assert survivors(np.zeros(4), SamplingParams(top_p=0.5 + 1e-9)) == [0, 1, 2]


# Repetition penalty.


def test_that_the_penalty_divides_positive_logits_and_multiplies_negative_ones():
    logits = np.array([4.0, -4.0, 4.0, -4.0, 0.0])
    stages = sampler.distribution(logits, SamplingParams(repetition_penalty=2.0), [0, 1, 4, 0, 50_256])
    assert stages.steps[0].after.tolist() == [2.0, -8.0, 4.0, -4.0, 0.0]


# Pairs of stages whose order matters, and pairs whose order does not.

COMMUTE = [
    ("repetition_penalty", "temperature"), ("temperature", "top_k"), ("top_k", "min_p"),
    ("frequency_penalty", "presence_penalty"),
]
MATTERS = [  # two stages, parameters, logits, the tokens kept if the first comes before the second, and else
    ("repetition_penalty", "top_k", SamplingParams(top_k=1, repetition_penalty=4), np.array([3.0, 2, 1]), [1], [0]),
    ("repetition_penalty", "top_p", SamplingParams(top_p=0.5, repetition_penalty=4), np.array([3.0, 2, 1]), [1], [0]),
    ("repetition_penalty", "min_p", SamplingParams(min_p=0.5, repetition_penalty=4), np.array([3.0, 2, 1]), [1], [0]),
    ("temperature", "top_p", SamplingParams(temperature=2.0, top_p=0.75), logits_of(0.5, 0.3, 0.2), [0, 1, 2], [0, 1]),
    ("temperature", "min_p", SamplingParams(temperature=2.0, min_p=0.2), logits_of(0.6, 0.3, 0.1), [0, 1, 2], [0, 1]),
    ("top_k", "top_p", SamplingParams(top_k=2, top_p=0.55), logits_of(0.4, 0.3, 0.2, 0.1), [0], [0, 1]),
    ("top_p", "min_p", SamplingParams(top_p=0.6, min_p=0.3), logits_of(0.5, 0.3, 0.1, 0.1), [0, 1], [0]),
    ("repetition_penalty", "frequency_penalty", SamplingParams(repetition_penalty=4, frequency_penalty=1, top_k=1),
     np.array([3.0, 0]), [1], [0]),
    ("repetition_penalty", "presence_penalty", SamplingParams(repetition_penalty=4, presence_penalty=1, top_k=1),
     np.array([3.0, 0]), [1], [0]),
    ("repetition_penalty", "typical_p", SamplingParams(repetition_penalty=4, typical_p=0.1), np.array([3.0, 2, 1]),
     [1], [0]),
    ("temperature", "typical_p", SamplingParams(temperature=2.0, typical_p=0.31), logits_of(0.5, 0.3, 0.2),
     [1], [0, 1]),
    ("top_k", "typical_p", SamplingParams(top_k=2, typical_p=0.2), logits_of(0.5, 0.3, 0.2), [0], [1]),
    ("top_p", "typical_p", SamplingParams(top_p=0.2, typical_p=0.2), logits_of(0.5, 0.3, 0.2), [0], [1]),
    ("typical_p", "min_p", SamplingParams(typical_p=0.2, min_p=0.5), logits_of(0.5, 0.3, 0.2), [1], [0]),
    *(
        (penalty, other, SamplingParams(**{penalty: 2.0}, **more), np.array([3.0, 2, 1]), [1], [0])
        for penalty in ("frequency_penalty", "presence_penalty")
        for other, more in (
            ("top_k", {"top_k": 1}), ("top_p", {"top_p": 0.5}), ("min_p", {"min_p": 0.5}),
            ("typical_p", {"typical_p": 0.1}),
        )
    ),
    *(
        (penalty, "temperature", SamplingParams(temperature=2.0, top_k=1, **{penalty: 1.0}), np.array([3.0, 1.5]),
         [0], [1])
        for penalty in ("frequency_penalty", "presence_penalty")
    ),
]


def both_orders(one, other, sampling_params: SamplingParams) -> list[SamplingParams]:
    """Return the parameters with one stage right before the other, and in reverse."""
    rest = tuple(stage for stage in USUAL_ORDER if stage not in (one, other))
    return [sampling_params.but(order=(*pair, *rest)) for pair in ((one, other), (other, one))]


def test_that_the_effect_of_the_order_is_known_for_every_pair_of_stages():
    assert {*COMMUTE, *(case[:2] for case in MATTERS)} == set(combinations(USUAL_ORDER, 2))


@pytest.mark.parametrize(("one", "other"), COMMUTE)
@given(
    logits=even_logits, temperature=st.sampled_from([0.1, 0.7, 1.0, 3.0, 100.0]), k=st.integers(1, 70), p=shares,
    penalty=penalties, seen=seens,
)
def test_that_the_order_of_these_two_never_matters(one, other, logits, temperature, k, p, penalty, seen):
    turned = {
        "temperature": temperature, "top_k": k, "min_p": p, "repetition_penalty": penalty,
        "frequency_penalty": penalty / 2, "presence_penalty": p,
    }
    first, second = (
        sampler.distribution(logits, sampling_params, seen)
        for sampling_params in both_orders(
            one, other, SamplingParams(**{stage: turned[stage] for stage in (one, other)})
        )
    )
    assert first.kept.tolist() == second.kept.tolist()
    assert first.probabilities == pytest.approx(second.probabilities, abs=1e-12)


@pytest.mark.parametrize(("one", "other", "sampling_params", "logits", "so", "otherwise"), MATTERS)
def test_that_the_order_of_these_two_changes_the_kept_tokens(one, other, sampling_params, logits, so, otherwise):
    turned = both_orders(one, other, sampling_params)
    assert [survivors(logits, each, seen=[0]) for each in turned] == [so, otherwise]


def test_that_at_temperature_zero_a_penalty_matters_only_before_it():
    logits, sampling_params = np.array([3.0, 2.0]), SamplingParams(temperature=0.0, repetition_penalty=4)
    orders = both_orders("repetition_penalty", "temperature", sampling_params)
    assert [survivors(logits, turned, seen=[0]) for turned in orders] == [[1], [0]]


# Refusals.


@pytest.mark.parametrize(
    ("changes", "words"),
    [
        *(({"temperature": bad}, "temperature is") for bad in (-1.0, -1e-9, math.nan, math.inf)),
        *(({name: bad}, f"{name} is") for name in ("top_p", "min_p", "typical_p")
          for bad in (-0.1, 1.1, math.nan)),
        *(({"repetition_penalty": bad}, "repetition_penalty is") for bad in (0.0, -1.0, math.nan, math.inf)),
        *(({name: bad}, f"{name} is") for name in ("frequency_penalty", "presence_penalty")
          for bad in (-2.1, 2.1, math.nan)),
        *(({"top_k": bad}, "top_k is") for bad in (-1, 0)),
        *(({"order": bad}, "Order is") for bad in ((*USUAL_ORDER, "top_k"), (*USUAL_ORDER[1:], "top_a"))),
    ],
)
def test_that_an_invalid_parameter_is_refused(changes, words):
    with pytest.raises(SpecError, match=words):
        SamplingParams().but(**changes)


def test_that_stages_missing_from_an_order_keep_their_usual_place():
    assert SamplingParams(order=()).order == SamplingParams(order="temperature").order == USUAL_ORDER
    of_version_0_1 = ("repetition_penalty", "temperature", "top_k", "top_p", "min_p")
    assert SamplingParams(order=of_version_0_1).order == USUAL_ORDER
    assert SamplingParams(order="top_k, temperature").order == (
        "repetition_penalty", "frequency_penalty", "presence_penalty", "top_k", "top_p", "typical_p", "min_p",
        "temperature",
    )


# Locally typical sampling, and the penalties by count.


@pytest.mark.slow
def test_that_typical_p_keeps_the_same_tokens_as_transformers():
    os.environ["HF_HUB_OFFLINE"] = "1"  # read when huggingface_hub is imported: nothing here uses a network
    import torch
    from transformers.generation.logits_process import TypicalLogitsWarper

    some = np.random.default_rng(1).normal(scale=3, size=(30, 50))  # no two of them are equal
    for mass in (0.05, 0.2, 0.5, 0.9):
        theirs = TypicalLogitsWarper(mass)(torch.zeros(1, 1), torch.tensor(some)) > -torch.inf
        ours = [sampler.distribution(logits, SamplingParams(typical_p=mass)).kept.tolist() for logits in some]
        assert ours == theirs.tolist()


def test_that_typical_sampling_keeps_the_tokens_of_expected_surprisal():
    """Meister et al., 2023: of 0.5, 0.25, 0.125, 0.125 the entropy is 1.75 bits; 0.25, with 2 bits, is the nearest."""
    logits = logits_of(0.5, 0.25, 0.125, 0.125)
    assert survivors(logits, SamplingParams(typical_p=0.2)) == [1]
    assert survivors(logits, SamplingParams(typical_p=0.3)) == [0, 1]
    assert survivors(logits, SamplingParams(typical_p=0.8)) == [0, 1, 2], "of equals the lower ID first"
    assert survivors(logits, SamplingParams(typical_p=0.0)) == [1], "one at least"


@pytest.mark.parametrize("bad", [math.nan, math.inf])
def test_that_logits_that_are_not_finite_are_refused(bad):
    with pytest.raises(BrokenLogits, match="not valid numbers"):
        sampler.distribution(np.array([1.0, bad, 2.0]))


def test_that_all_impossible_tokens_are_refused_but_one_impossible_token_is_not():
    with pytest.raises(BrokenLogits, match="not valid numbers"):
        sampler.distribution(np.full(3, -np.inf))
    assert sampler.distribution(np.array([0.0, -np.inf])).probabilities.tolist() == [1.0, 0.0]


# Figures of a distribution.


@given(many_logits, st.integers(1, 70))
def test_that_the_most_likely_tokens_are_listed_best_first_before_any_is_removed(logits, count):
    found = sampler.distribution(logits, SamplingParams(temperature=0.7, top_k=1)).likeliest(count)
    plain = softmax(logits.astype(np.float64))
    assert found.tolist() == sorted(range(logits.size), key=lambda i: (-plain[i], i))[:count]


@given(many_logits | tied_logits)
def test_that_a_rank_is_the_place_in_the_order_of_probability(logits):
    order = best(logits, logits.size).tolist()
    assert [rank(logits, token) for token in order] == list(range(1, logits.size + 1))


def test_that_entropy_is_in_bits():
    assert sampler.distribution(np.zeros(8)).entropy_bits == pytest.approx(3.0)
    assert sampler.distribution(np.zeros(8), SamplingParams(top_k=2)).entropy_bits == pytest.approx(1.0)


@pytest.mark.parametrize(("probability", "bits"), [(1.0, 0.0), (0.5, 1.0), (1 / 1024, 10.0), (0.0, math.inf)])
def test_that_surprisal_is_in_bits(probability, bits):
    surprise = sampler.surprise_bits(probability)
    assert surprise == bits
    assert math.copysign(1, surprise) == 1, "never minus nothing"


def probabilities_of(size: int):
    return arrays(np.float64, size, elements=st.sampled_from([0.0, 1e-9, 0.1, 1 / 3, 1.0])).filter(np.any).map(
        lambda shape: shape / shape.sum()
    )


@given(st.integers(1, 20).flatmap(lambda size: st.tuples(probabilities_of(size), probabilities_of(size))))
def test_that_the_distance_of_two_distributions_is_symmetric_and_within_its_bounds(pair):
    p, q = pair
    bits = sampler.jensen_shannon_bits(p, q)
    assert bits == sampler.jensen_shannon_bits(q, p)
    assert 0 <= bits <= 1
    # Pinsker's inequality below, Lin's (1991) above: so it is 0 if and only if they are equal.
    difference = np.abs(p - q).sum() / 2
    assert difference**2 / (2 * math.log(2)) - 1e-12 <= bits <= difference + 1e-12


def test_that_the_distance_is_one_bit_where_nothing_is_possible_in_both():
    apart = np.array([0.25, 0.75, 0, 0]), np.array([0, 0, 0.9, 0.1])
    assert sampler.jensen_shannon_bits(*apart) == pytest.approx(1.0, abs=1e-15)
    assert sampler.jensen_shannon_bits(apart[0], apart[0]) == 0.0
    half = sampler.jensen_shannon_bits(np.array([1.0, 0]), np.array([0.5, 0.5]))
    assert half == pytest.approx(1.5 - 0.75 * math.log2(3)), "H(3/4, 1/4) - 1/2"


def test_that_tokens_beyond_the_smaller_vocabulary_are_impossible_in_it():
    small, large = np.array([0.5, 0.5]), np.array([0.5, 0, 0.5])
    padded = np.array([0.5, 0.5, 0])
    assert sampler.jensen_shannon_bits(small, large) == sampler.jensen_shannon_bits(padded, large) > 0


# Drawing.


def test_that_draws_follow_the_probabilities():
    logits = np.array([2.0, 1.0, 0.5, 0.0, -1.0, -4.0, -np.inf])
    probabilities = sampler.distribution(logits, SamplingParams(temperature=0.8)).probabilities
    draws = 10_000
    drawn = sampler.draw_many(probabilities, np.random.default_rng(7).random(draws))
    counts = np.bincount(drawn, minlength=7)
    sigma = np.sqrt(draws * probabilities * (1 - probabilities))
    assert (np.abs(counts - draws * probabilities) <= 4 * sigma).all(), counts
    assert counts[6] == 0


@given(probabilities_of(50), st.integers(0, 2**32))
def test_that_many_draws_are_single_draws(probabilities, seed):
    random_numbers = np.random.default_rng(seed).random(20)
    singly = [sampler.draw(probabilities, random_number) for random_number in random_numbers]
    assert sampler.draw_many(probabilities, random_numbers).tolist() == singly


def test_that_tokens_are_adjacent_by_their_ids():
    probabilities = np.array([0.25, 0.0, 0.5, 0.25])
    random_numbers = np.array([0.0, 0.2499, 0.25, 0.7499, 0.75, 0.9999])
    assert sampler.draw_many(probabilities, random_numbers).tolist() == [0, 0, 2, 2, 3, 3]


@given(arrays(np.float64, st.integers(1, 300), elements=st.sampled_from([0.0, 1e-300, 0.1, 1 / 3, 0.7, 1.0])))
def test_that_only_a_possible_token_is_drawn_at_the_extreme_random_numbers(weights):
    assume(weights.sum() > 0)
    probabilities = weights / weights.sum()
    for random_number in EDGES_OF_CHANCE:
        assert probabilities[sampler.draw(probabilities, random_number)] > 0
