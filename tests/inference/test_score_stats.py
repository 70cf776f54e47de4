"""Totals and averages over the tokens of a scored text."""

import math
from itertools import pairwise

import pytest
from hypothesis import given
from hypothesis import strategies as st

from gptstudio.gpt.tokenizer import GPT2
from gptstudio.inference.score_stats import WORST, ScoreStats, surprise, surroundings
from gptstudio.training.events import TokenRead


def readings(text: str, probabilities: list[float]) -> list[TokenRead]:
    """Return the tokens of a text; the first has no probability."""
    ids = GPT2.encode(text)
    return [
        TokenRead(position=i, id=ids[i], text="", plain_probability=p, rank=p and 1, plain_entropy_bits=p and 0.0)
        for i, p in enumerate([None, *probabilities])
    ]


def totals_of(text: str, probabilities: list[float]) -> ScoreStats:
    totals = ScoreStats()
    totals.add(readings(text, probabilities))
    return totals


def test_that_totals_are_those_of_the_formulas():
    totals = totals_of("One é two two", [1 / 2, 1 / 4, 1 / 8])
    assert totals.tokens == 3
    assert totals.bytes == len(" é two two".encode())
    assert totals.bits == 1 + 2 + 3
    assert totals.bits_per_token == 2
    assert totals.bits_per_byte == pytest.approx(6 / 11)
    assert totals.perplexity == pytest.approx((1 / 2 * 1 / 4 * 1 / 8) ** (-1 / 3))
    assert [reading.position for reading in totals.worst] == [3, 2, 1]


@given(st.lists(st.floats(1e-30, 1), min_size=1, max_size=60), st.integers(1, 20))
def test_that_the_parts_of_a_text_add_up_to_the_whole(probabilities, size):
    text = "a" + " a" * len(probabilities)
    tokens, whole, parts = readings(text, probabilities), totals_of(text, probabilities), ScoreStats()
    for begin in range(0, len(tokens), size):
        parts.add(tokens[begin : begin + size])
    assert (parts.tokens, parts.bytes, parts.worst) == (whole.tokens, whole.bytes, whole.worst)
    assert parts.bits == pytest.approx(whole.bits)
    assert len(whole.worst) == min(WORST, len(probabilities))
    assert all(surprise(one) >= surprise(other) for one, other in pairwise(whole.worst))
    left_out = [reading for reading in tokens[1:] if reading not in whole.worst]
    assert all(surprise(reading) <= surprise(whole.worst[-1]) for reading in left_out)


def test_that_an_impossible_token_has_infinite_surprisal_a_certain_one_none_and_no_tokens_no_averages():
    totals = totals_of("a a a", [0.0, 1e-320])
    assert totals.bits == totals.perplexity == totals.bits_per_byte == math.inf
    assert [reading.position for reading in totals.worst] == [1, 2]
    nearly = totals_of("a a", [5e-324])
    assert nearly.bits == 1074
    assert nearly.perplexity == math.inf  # past the largest float
    certain = totals_of("a a", [1.0])
    assert (certain.bits, certain.perplexity) == (0, 1)
    totals = totals_of("a", [])
    assert totals.tokens == totals.bits == 0
    assert math.isnan(totals.bits_per_token)
    assert math.isnan(totals.bits_per_byte)
    assert math.isnan(totals.perplexity)
    assert pytest.approx(2**totals.guessing_bits) == 50_257, "random guessing is among all tokens of the tokenizer"


def test_that_the_surroundings_of_a_token_are_one_line_without_control_characters():
    ids = GPT2.encode("One two\nthree four\x1b five")
    position = ids.index(*GPT2.encode("three"))
    assert surroundings(ids, position) == ("One two↵", " four⟨U+001B⟩ five")
    assert surroundings(ids, position, before=1, after=1) == ("↵", " four")
    assert surroundings(ids, 0) == ("", " two↵three four")
