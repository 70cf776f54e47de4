"""Byte-pair encoding as the tokens page shows it, compared with tiktoken."""

from itertools import pairwise

from hypothesis import example, given
from hypothesis import strategies as st

from gptstudio.gpt import tokenizer
from gptstudio.gpt.tokenizer import GPT2
from gptstudio.labs.tokens import (
    MOST_BYTES,
    TEA,
    UNKNOWN,
    TokensRequest,
    answer,
    merges,
    words_of,
)

TEXTS = st.text(st.one_of(st.sampled_from("ab T'1é\n世😀"), st.characters(codec="utf-8")), min_size=1, max_size=40)


@given(TEXTS.filter(str.isalnum), st.booleans())
@example("someunknownPlace", True)
@example("世界", False)
@example("😀" * 9, False)
def test_that_the_merges_of_a_word_end_with_tiktokens_tokens(word, spaced):
    word = f" {word}" if spaced else word
    for part in words_of(word, special=False):
        *_, last = merges(part.encode())
        assert list(last.pieces) == [GPT2.token_bytes(i) for i in GPT2.encoding.encode_ordinary(part)]


@given(TEXTS.filter(str.strip))
def test_that_each_step_merges_the_first_pair_of_lowest_rank(word):
    steps = list(merges(words_of(word, special=False)[0].encode()))
    for step, after in pairwise(steps):
        assert step.pair == step.ranks.index(min(rank for rank in step.ranks if rank is not None))
        left, right = step.pieces[step.pair : step.pair + 2]
        assert after.pieces == (*step.pieces[: step.pair], left + right, *step.pieces[step.pair + 2 :])
        assert GPT2.token_bytes(step.ranks[step.pair]) == left + right  # a rank is the id of the merged token
    assert steps[-1].pair is None


@given(TEXTS | st.just(f"a{tokenizer.END_OF_TEXT}b {tokenizer.END_OF_TEXT}"), st.booleans())
def test_that_pieces_are_tiktokens_and_are_in_their_words(text, special):
    found = answer(TokensRequest(text=text, special=special))
    encoding = GPT2.encoding
    assert found.ids == (GPT2.encode(text) if special else encoding.encode_ordinary(text))
    assert found.decoded == text
    assert "".join(found.words) == text
    for i, word in enumerate(found.words):
        assert b"".join(piece.data for piece in found.pieces if piece.word == i) == word.encode()


def test_that_the_end_of_text_is_one_token_or_plain_text():
    assert 50_256 in answer(TokensRequest(text=TEA)).ids
    plainly = answer(TokensRequest(text=TEA, special=False))
    assert 50_256 not in plainly.ids
    assert [p.data for p in plainly.pieces if plainly.words[p.word] == "endoftext"] == [b"end", b"of", b"text"]


def test_that_the_word_with_the_most_tokens_is_shown_where_none_is_named():
    assert answer(TokensRequest(text="I saw Xylthoqua today")).word == " Xylthoqua"
    assert answer(TokensRequest(text=TEA, word=" tea")).word == " tea"
    only_special = answer(TokensRequest(text=tokenizer.END_OF_TEXT))
    assert (only_special.word, only_special.steps, only_special.shown) == ("", (), None)


def test_that_a_step_past_the_last_merge_shows_the_last():
    found = answer(TokensRequest(text=TEA, word=UNKNOWN, step=MOST_BYTES))
    assert found.shown == found.steps[-1]
    assert found.shown.pieces == (b" some", b"unknown", b"Place")
