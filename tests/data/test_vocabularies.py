"""Tokenizers made from a text: the most frequent pairs become tokens, and texts are encoded with them in blocks."""

from collections import Counter
from collections.abc import Callable, Sequence
from itertools import pairwise

import numpy as np
import pytest
import regex
from hypothesis import given
from hypothesis import strategies as st

from gptstudio import paths
from gptstudio.data import encodings, texts, tokens, vocabulary
from gptstudio.gpt.tokenizer import END_OF_TEXT, GPT2, WORDS, TokenizerError, read

PROSE = "the cat sat on the mat, and the dog sat on the cat. A zoo of 42 cats; 猫、猫 и кот!\n" * 12
KINDS = ("own", "characters")
MADE = {kind: vocabulary.make(kind, 400, [PROSE]) for kind in KINDS}
OWN, CHARACTERS = MADE.values()

of_each_kind = pytest.mark.parametrize("tokenizer", MADE.values(), ids=KINDS)
known = st.text(st.sampled_from(sorted(set(PROSE))), min_size=1)


# The tokens.


def joined(word: Sequence[bytes], pair: tuple[bytes, bytes]) -> list[bytes]:
    """Return a word with each occurrence of a pair, from the left, merged into one token."""
    done: list[bytes] = []
    for token in word:
        if done and (done[-1], token) == pair:
            done[-1] += token
        else:
            done.append(token)
    return done


def test_that_each_merge_is_of_a_pair_that_occurs_most_at_that_time():
    """Sennrich et al. (2016), algorithm 1, word by word. Of pairs that occur equally often, any may be the first."""
    words = [[bytes([byte]) for byte in word.encode()] for word in regex.findall(WORDS, PROSE)]
    for pair in vocabulary.merges([PROSE], 40):
        counts = Counter(pair for word in words for pair in pairwise(word))
        assert counts[pair] == max(counts.values()) > 1
        words = [joined(word, pair) for word in words]


def test_that_the_tokens_are_the_bytes_the_merges_and_the_end_of_text():
    assert [OWN.token_bytes(number) for number in range(256)] == [GPT2.token_bytes(number) for number in range(256)]
    merges = [b"".join(pair) for pair in vocabulary.merges([PROSE], 400)]
    assert [OWN.token_bytes(number) for number in range(256, OWN.size - 1)] == merges
    assert OWN.encode(END_OF_TEXT) == [OWN.end] == [OWN.size - 1]


@pytest.mark.parametrize("size", [257, 258, 290])
def test_that_there_are_no_more_tokens_than_requested(size):
    assert vocabulary.make("own", size, [PROSE]).size == size


def test_that_a_pair_that_occurs_once_is_not_merged():
    assert vocabulary.make("own", 400, ["abcdefgh"]).size == 257
    assert vocabulary.make("own", 400, ["abx aby"]).size == 258


def test_that_each_character_is_one_token_beside_unknown_and_end_of_text():
    letters = sorted(set(PROSE))
    assert CHARACTERS.encode("".join(letters)) == list(range(len(letters)))
    assert CHARACTERS.decode(CHARACTERS.encode("the 狗")) == "the \ufffd"
    assert CHARACTERS.encode(END_OF_TEXT) == [CHARACTERS.end] == [CHARACTERS.size - 1] == [len(letters) + 1]


@pytest.mark.parametrize("kind", ["gpt2", *KINDS])
def test_that_a_text_cut_anywhere_is_decoded_without_half_a_character(kind):
    text = texts.read("luxun").content[:400]
    tokenizer = vocabulary.make(kind, 300, [text])
    ids = tokenizer.encode(text)
    for end in range(len(ids) + 1):
        written = tokenizer.decode(ids[:end], final=False)
        assert text.startswith(written)
        assert tokenizer.decode(ids[:end]).rstrip("\ufffd") == written
    assert written == text


@pytest.mark.parametrize("kind", KINDS)
@given(st.integers(1, 40))
def test_that_the_division_into_blocks_does_not_matter(kind, size):
    blocks = (PROSE[start : start + size] for start in range(0, len(PROSE), size))
    assert vocabulary.make(kind, 400, blocks).file == MADE[kind].file


def test_that_a_text_without_a_place_to_cut_gives_the_same_tokens(monkeypatch):
    monkeypatch.setattr(vocabulary, "AT_ONCE", 16)
    assert vocabulary.make("own", 400, [PROSE]) == OWN, "cut where words end"
    assert vocabulary.merges(["ab" * 99], 1) == [(b"a", b"b")]


@of_each_kind
def test_that_a_saved_tokenizer_is_loaded_again(tokenizer):
    again = read(tokenizer.kind, tokenizer.file)
    assert (again, again.size, again.end, again.encode(PROSE)) == (
        tokenizer, tokenizer.size, tokenizer.end, tokenizer.encode(PROSE))


# Texts encoded with them.


@given(st.text(st.characters(codec="utf-8")))
def test_that_any_text_is_decoded_unchanged_from_its_own_tokens(text):
    assert OWN.decode(OWN.encode(text)) == text


@of_each_kind
@given(known)
def test_that_a_text_of_known_characters_is_decoded_unchanged(tokenizer, text):
    assert tokenizer.decode(tokenizer.encode(text)) == text


@pytest.fixture
def open_text(tmp_path, monkeypatch) -> Callable[..., texts.Text]:
    """Return a function that opens a text that is read in blocks of a few bytes."""

    def write(content: str, size: int = 9) -> texts.Text:
        monkeypatch.setattr(encodings, "BLOCK", size)
        file = tmp_path / "a.txt"
        file.write_bytes(("x" + content).encode())  # a text may not be empty
        return texts.read(str(file))

    return write


@of_each_kind
@given(st.text(st.characters(codec="utf-8", exclude_characters="\x00")) | known, st.integers(1, 40), st.data())
def test_that_blocks_and_parts_have_the_tokens_of_the_whole_text(open_text, tokenizer, content, size, data):
    text = open_text(content, size)
    ids = tokens.of(text, tokenizer)
    assert np.asarray(ids).tolist() == tokenizer.encode(text.content)
    at = data.draw(st.integers(0, text.characters))
    before, behind = tokens.cut(text, ids, at, tokenizer)
    for parts, content in ((before, text.content[:at]), (behind, text.content[at:])):
        assert [number for part in parts for number in np.asarray(part).tolist()] == tokenizer.encode(content)


def test_that_a_text_is_cut_beside_a_token_of_a_thousand_characters(open_text):
    text = open_text(f"one {'=' * 1024} two\n" * 4)
    tokenizer = vocabulary.make("own", 300, [text.content])
    assert max(len(tokenizer.token_bytes(number)) for number in range(tokenizer.size)) > 255
    at = text.content.index(" two", text.characters // 2)
    before, behind = tokens.cut(text, tokens.of(text, tokenizer), at, tokenizer)
    for parts, content in ((before, text.content[:at]), (behind, text.content[at:])):
        assert np.concatenate(parts).tolist() == tokenizer.encode(content)


@of_each_kind
def test_that_a_line_without_a_space_has_the_tokens_of_the_whole(open_text, tokenizer, monkeypatch):
    monkeypatch.setattr(tokens, "LONG_WORD", 64)
    monkeypatch.setattr(tokens, "MARGIN", 32)
    text = open_text("thecatsatonthemat猫" * 200)
    assert len(list(tokens.pieces(text, tokenizer))) > 9
    assert np.asarray(tokens.of(text, tokenizer)).tolist() == tokenizer.encode(text.content)


@pytest.mark.slow
def test_that_a_large_text_has_a_file_of_ids_for_each_tokenizer(tmp_path):
    file = tmp_path / "large.txt"
    file.write_text(PROSE * (tokens.KEPT_FROM // len(PROSE) + 1), encoding="utf-8")
    text = texts.read(str(file))
    another = vocabulary.make("own", 270, [PROSE])
    ids = {each: np.asarray(tokens.of(text, each)) for each in (GPT2, OWN, another, CHARACTERS)}
    assert {tokens.kept_at(text, each) for each in ids} == set(paths.tokens().glob("*.u16"))
    assert len(ids) == 4
    for tokenizer, found in ids.items():
        assert tokenizer.decode(found[:9].tolist()) in text.content
        assert np.array_equal(tokens.of(text, tokenizer), found), "from its file"


@of_each_kind
def test_that_bytes_and_different_tokens_are_counted(open_text, tokenizer):
    text = open_text(PROSE.replace("猫", "и"))
    ids = tokens.of(text, tokenizer)
    assert tokens.unique(ids, tokenizer) == len(set(np.asarray(ids).tolist()))
    assert tokens.byte_count(ids, OWN) == text.size if tokenizer is OWN else text.size - 1 + len("\ufffd".encode())


def test_that_a_text_with_an_unknown_character_is_refused_with_that_character(open_text):
    strict = read("characters", CHARACTERS.file.replace(b"<|unknown|>", "狗".encode()))
    with pytest.raises(TokenizerError, match="contains “x”"):
        tokens.of(open_text("the cat"), strict)
