"""Copied passages: the index finds the same passages as a search at every position."""

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from gptstudio.data import ngram, texts, tokens
from gptstudio.data.ngram import SHORTEST, CopiedStretch, GrowingSearch, VerbatimIndex

few = st.lists(st.integers(0, 2), max_size=40)


def searched(ids: list[int], text: list[int]) -> list[CopiedStretch]:
    """Return the copied passages by trying every place and every length."""
    found, end = [], 0
    for start in range(len(ids)):
        places = range(len(text))
        longest, place = 0, -1
        for length in range(1, len(ids) - start + 1):
            places = [p for p in places if text[p : p + length] == ids[start : start + length]]
            if not places:
                break
            longest, place = length, places[0]
        if longest >= SHORTEST and start + longest > end:
            end = start + longest
            found.append(CopiedStretch(start, end, place))
    return found


@pytest.mark.slow
@settings(max_examples=300, deadline=None)
@given(few, few, st.integers(0, 40), st.integers(0, 20))
def test_that_the_index_finds_the_same_as_a_search_at_every_place(ids, text, at, length):
    ids = ids[:10] + text[at : at + length] + ids[10:]
    assert VerbatimIndex(text).stretches(ids) == searched(ids, text)


@settings(max_examples=100, deadline=None)
@given(few, few)
def test_that_n_grams_with_the_same_hash_are_distinguished(ids, text):
    with pytest.MonkeyPatch.context() as changed:
        changed.setattr(ngram, "_hashes", lambda of: np.zeros(max(0, len(of) - SHORTEST + 1), np.uint32))
        assert VerbatimIndex(text).stretches(ids) == searched(ids, text)


def test_that_a_text_of_many_chunks_and_a_file_are_read_as_one(monkeypatch):
    monkeypatch.setattr(ngram, "AT_ONCE", 7)
    text = tokens.encode(texts.read("story").content)
    parts = tokens.Tokens([text[:100], text[100:101], text[101:]])
    ids = text[95:110].tolist()
    assert VerbatimIndex(parts).stretches(ids) == [CopiedStretch(0, 15, 95)]


def test_that_the_share_counts_each_token_once():
    assert ngram.copied_share([CopiedStretch(0, 6, 40), CopiedStretch(4, 10, 90)], 20) == 0.5
    assert ngram.copied_share([], 0) == 0.0


def test_that_a_text_that_is_too_long_is_refused(monkeypatch):
    monkeypatch.setattr(ngram, "MOST_INDEXED", 9)
    VerbatimIndex(range(9))
    with pytest.raises(ValueError, match="10 tokens are more than 9"):
        VerbatimIndex(range(10))


@settings(max_examples=200, deadline=None)
@given(few, st.lists(few, max_size=4), st.integers(0, 40))
def test_that_a_text_that_grows_is_searched_as_if_it_were_new(text, parts, at):
    search, ids = GrowingSearch(VerbatimIndex(text)), []
    for part in parts:
        ids = ids + part + text[at : at + 6]
        assert search.stretches(ids) == VerbatimIndex(text).stretches(ids)
    assert search.stretches(ids[: at // 2]) == VerbatimIndex(text).stretches(ids[: at // 2])


def test_that_of_an_n_gram_in_very_many_places_the_first_are_compared(monkeypatch):
    text, ids = [1] * 9 + [0] + [1] * 30, [2] + [1] * 20
    assert VerbatimIndex(text).stretches(ids) == [CopiedStretch(1, 21, 10)]
    monkeypatch.setattr(ngram, "MOST_PLACES", 3)
    found = VerbatimIndex(text).stretches(ids)
    assert ngram.copied_share(found, len(ids)) == 20 / 21
    assert max(each.stop - each.start for each in found) == 9
