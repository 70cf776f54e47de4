"""The making of a vocabulary: the lab's merges are those of a tokenizer made from the same text."""

from itertools import pairwise

import pytest

from gptstudio.data import texts, vocabulary
from gptstudio.labs.vocabulary import LAB, VocabularyRequest

SENTENCE = "the cat sat on the mat, and the cat that sat there ate that rat."


def answer(**changes):
    return LAB.answer(VocabularyRequest(**changes))


@pytest.mark.parametrize("step", [0, 1, 40, 500])
def test_that_a_text_has_as_many_tokens_as_with_a_tokenizer_of_these_merges(step):
    story = texts.read("story").content
    made = vocabulary.make("own", 257 + step, [story])
    found = answer(text="story", step=step)
    assert (found.step, found.size, found.tokens) == (step, made.size, len(made.encode(story)))
    assert sum(count for _, count in found.counts) == found.tokens
    assert sum(len(token) * count for token, count in found.counts) == found.text_bytes == len(story.encode())


def test_that_each_merge_has_the_count_of_its_pair_in_the_text():
    found = answer(text="own", own=SENTENCE, step=1)
    assert (found.last.left, found.last.right, found.last.count) == (b"a", b"t", SENTENCE.count("at"))
    assert found.tokens == len(SENTENCE) - SENTENCE.count("at")
    tokens = [len(SENTENCE), *(each.tokens for each in found.learned)]
    assert [before - after for before, after in pairwise(tokens)] == [each.count for each in found.learned]
    assert all(each.count >= vocabulary.LEAST_COUNT for each in found.learned)


def test_that_the_shown_tokens_are_the_beginning_of_the_text():
    found = answer(text="own", own=SENTENCE, step=5)
    assert b"".join(token for token, _ in found.shown).decode() == SENTENCE
    assert answer(text="own", own=SENTENCE, step=1_000).step == len(found.learned), "a larger number means all"
