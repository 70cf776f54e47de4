"""The lab of n-gram tables: its losses computed by the code that it shows, its contexts by sets, and the text that a
table generates."""

import math
from itertools import pairwise

import numpy as np
import pytest

from gptstudio.data import texts
from gptstudio.gpt.tokenizer import GPT2
from gptstudio.labs.ngrams import LAB, NgramsRequest, answer

OWN = "one two three one two four one two three five one two three one six " * 20


def parts(content: str) -> tuple[list[int], list[int]]:
    cut = int(0.9 * len(content))
    return GPT2.encode(content[:cut]), GPT2.encode(content[cut:])


def test_that_the_contexts_of_the_validation_text_are_looked_up_in_the_counted_text():
    train, val = parts(texts.read("story").content)
    found = answer(NgramsRequest())
    assert (found.tokens, found.val_tokens) == (len(train), len(val))
    for each in found.tables:
        n = each.order
        known = {tuple(train[at : at + n - 1]) for at in range(len(train) - n + 1)}
        assert each.seen == np.mean([tuple(val[at : at + n - 1]) in known for at in range(len(val) - n + 1)])
    assert [each.seen for each in found.tables] == sorted((each.seen for each in found.tables), reverse=True)


def test_that_a_validation_text_without_a_context_of_a_length_has_no_share_of_it():
    assert [math.isnan(each.seen) for each in answer(NgramsRequest(text="own", own="word")).tables] == [
        False, True, True, True]


def test_that_temperature_0_takes_the_most_frequent_continuation_and_a_seed_repeats_a_text():
    train, _ = parts(OWN)
    found = answer(NgramsRequest(text="own", own=OWN, order=2, prompt="one two", new_tokens=1, temperature=0.0))
    pairs = [after for before, after in pairwise(train) if before == GPT2.encode(" two")[0]]
    assert found.ids[found.given :] == (max(set(pairs), key=pairs.count),)
    one, same, other = (answer(NgramsRequest(top_k=None, seed=seed)).ids for seed in (1, 1, 2))
    assert one == same
    assert one != other


@pytest.mark.slow
def test_that_copied_passages_are_in_the_counted_text():
    found = answer(LAB.examples[1].request)
    train, _ = parts(texts.read("story").content)
    assert found.longest >= 5
    for each in found.stretches:
        assert each.start >= found.given
        stretch = list(found.ids[each.start : each.stop])
        assert train[each.place : each.place + len(stretch)] == stretch
    assert found.copied_share == len(found.copied) / 60
