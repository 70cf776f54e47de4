"""Tokens computed block by block: the ids of the whole text, cached by content, and divided as if each part were
encoded separately."""

import os
import random
import subprocess
import sys
import threading

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from messages import message

from gptstudio import paths
from gptstudio.data import encodings, texts, tokens
from gptstudio.data.texts import TextError
from gptstudio.data.tokens import TokenCache, type_of
from gptstudio.gpt.tokenizer import GPT2

# Every way in which GPT-2's words begin and end: runs of different spaces, contractions, digits, marks, letters
# with and without accents, Chinese and its punctuation, emoji of several characters, the special token and half of it.
BITS = [
    " ", "  ", "   ", "\n", "\r\n", "\n\n", "\r", "\t", "\u00a0", "\u3000", "\u2028", "\x1c", "\x85", "a", "the", "I'm",
    "we'll", "'s", "'", "'re ", "42", "7", "³", "...", "-", "_", "é", "e\u0301", "ß", "北京", "是。", "，", "吾輩は",
    "ゼウス", "龍喚士", "！？", "「", "😀", "👩‍🔬", "🏳️‍🌈", "\u200b", "\ufeffx", "<|endoftext|>", "<|endof", "text|>",
    "<", "x" * 40, "שלום", "हिन्दी",
]
anything = st.characters(codec="utf-8", exclude_characters="\x00")
difficult_texts = st.lists(st.sampled_from(BITS) | anything, min_size=1).map("".join)


def listed(ids: tokens.Ids) -> list[int]:
    return np.asarray(ids).tolist()


@pytest.fixture
def small_blocks(monkeypatch):
    """Return a function that sets the size of blocks, so that short texts have many."""

    def use(size: int) -> None:
        monkeypatch.setattr(encodings, "BLOCK", size)

    return use


@pytest.fixture
def open_text(tmp_path):
    def write(content: str) -> texts.Text:
        file = tmp_path / "a.txt"
        file.write_bytes(("x" + content).encode())  # a text may not be empty
        return texts.read(str(file))

    return write


@pytest.fixture
def kept(monkeypatch):
    """Keep the ids of texts of any size."""
    monkeypatch.setattr(tokens, "KEPT_FROM", 0)


@pytest.mark.slow
@pytest.mark.parametrize("examples", [80, pytest.param(800, marks=pytest.mark.release)])
def test_that_blocks_give_the_ids_of_the_whole_text_and_a_cut_those_of_each_part(open_text, small_blocks, examples):
    @settings(max_examples=examples)
    @given(difficult_texts, st.integers(1, 40), st.data())
    def hold(content, size, data):
        small_blocks(size)
        text = open_text(content)
        assert "".join(piece for piece, _ in tokens.pieces(text)) == text.content
        ids = tokens.of(text)
        assert listed(ids) == GPT2.encode(text.content)
        at = data.draw(st.integers(0, text.characters))
        before, behind = tokens.cut(text, ids, at)
        assert np.concatenate([*before, ids[:0]]).tolist() == GPT2.encode(text.content[:at])
        assert np.concatenate([*behind, ids[:0]]).tolist() == GPT2.encode(text.content[at:])

    hold()


@pytest.mark.parametrize("words", ["one two ", "word\n", "今日は、雨です。", "I'm  here,\r\n\r\n"])
def test_that_a_long_text_is_read_in_many_blocks(open_text, small_blocks, words):
    small_blocks(100)
    assert len(list(tokens.pieces(open_text(words * 200)))) > 10


def test_that_blocks_are_encoded_in_parallel_and_give_their_ids_in_order(open_text, small_blocks, monkeypatch):
    small_blocks(100)
    text = open_text("".join(f"word {number}\n" for number in range(60)))
    two, encode = threading.Barrier(2, timeout=20), tokens.encode

    def together(piece, tokenizer):
        if piece in both:
            two.wait()  # until the other one is being encoded, too
        return encode(piece, tokenizer)

    both = [piece for piece, _ in tokens.pieces(text)][:2]
    monkeypatch.setattr(tokens, "cores", lambda: 2)
    monkeypatch.setattr(tokens, "encode", together)
    assert listed(tokens.of(text)) == GPT2.encode(text.content)


def test_that_few_blocks_are_read_ahead_of_the_last_encoded_one(open_text, small_blocks, monkeypatch):
    small_blocks(100)
    text, pieces = open_text("the cat sat on the mat. " * 500), tokens.pieces
    read, taken, ahead = [], [], []

    def counted(text, tokenizer):
        for piece in pieces(text, tokenizer):
            read.append(piece)
            ahead.append(len(read) - len(taken))
            yield piece

    monkeypatch.setattr(tokens, "pieces", counted)
    monkeypatch.setattr(tokens, "cores", lambda: 64)
    monkeypatch.setattr(tokens, "MOST_THREADS", 3)
    tokens.of(text, GPT2, lambda done, total: taken.append(done))
    assert len(taken) == len(read) > 10 * max(ahead)
    assert max(ahead) <= 3 * tokens.WAITING


def test_that_a_text_without_a_place_to_cut_is_one_block(open_text, small_blocks):
    small_blocks(10)
    text = open_text("x" * 500)
    assert [len(piece) for piece, _ in tokens.pieces(text)] == [501]
    assert listed(tokens.of(text)) == GPT2.encode(text.content)


def test_that_endless_white_space_is_reported_with_a_message(open_text):
    with pytest.raises(TextError, match=message("more_million_blanks")):
        tokens.of(open_text(" " * 2_000_000 + "x"))


def test_that_ids_are_computed_once_and_kept_by_content(open_text, kept, tmp_path, monkeypatch):
    text = open_text("the cat sat on the mat. " * 50)
    first = tokens.of(text)
    assert isinstance(first, TokenCache)
    assert listed(first) == GPT2.encode(text.content)
    monkeypatch.setattr(tokens, "encode", lambda text: pytest.fail("encoded again"))
    (tmp_path / "copy.txt").write_bytes((tmp_path / "a.txt").read_bytes())
    assert listed(tokens.of(texts.read(str(tmp_path / "copy.txt")))) == listed(first)
    assert len(list(paths.tokens().iterdir())) == 1


def test_that_another_content_or_encoding_is_kept_separately(open_text, kept, tmp_path):
    content = "Über den Wolken, über den Wolken"
    for name, codec in (("a", "utf-8"), ("b", "utf-16"), ("c", "utf-8-sig")):
        (tmp_path / name).write_bytes(content.encode(codec))
        assert listed(tokens.of(texts.read(str(tmp_path / name)))) == GPT2.encode(content)
    assert len(list(paths.tokens().iterdir())) == 3


@pytest.mark.parametrize("damage", ["cut off", "longer", "a bit", "empty"])
def test_that_damaged_kept_ids_are_computed_again(open_text, kept, damage):
    text = open_text("the cat sat on the mat. " * 50)
    whole = listed(tokens.of(text))
    file = tokens.kept_at(text)
    data = bytearray(file.read_bytes())
    data[20] ^= damage == "a bit"
    file.write_bytes({"cut off": data[:-2], "longer": data + b"\0\0", "a bit": data, "empty": b""}[damage])
    assert listed(tokens.of(text)) == whole


def test_that_progress_is_reported_in_bytes_and_reaches_the_end(open_text, small_blocks, kept):
    small_blocks(100)
    text, progress_reports = open_text("the cat sat on the mat. " * 50), []
    tokens.of(text, GPT2, lambda done, total: progress_reports.append((done, total)))
    assert progress_reports[-1] == (text.size, text.size)
    assert len(progress_reports) > 10
    assert [done for done, _ in progress_reports] == sorted(done for done, _ in progress_reports)


@pytest.mark.parametrize("when", [1, 5])
def test_that_cancelled_work_leaves_nothing_and_can_be_repeated(open_text, small_blocks, kept, when):
    small_blocks(100)
    text, progress_reports = open_text("the cat sat on the mat. " * 50), []

    def stop(done, total):
        progress_reports.append(done)
        if len(progress_reports) == when:
            raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt):
        tokens.of(text, GPT2, stop)
    assert list(paths.tokens().iterdir()) == []
    assert listed(tokens.of(text)) == GPT2.encode(text.content)


def test_that_the_least_recently_used_ids_are_removed_for_new_ones(open_text, kept, monkeypatch):
    monkeypatch.setattr(tokens, "MOST_KEPT", 1)
    only = open_text("the cat sat on the mat")
    assert listed(tokens.of(only)) == GPT2.encode(only.content), "what is asked for is kept, however large"
    os.utime(tokens.kept_at(only), (0, 0))
    contents = [" b" * 9 + letter for letter in "cde"]
    longest = max(tokens.encode("x" + content).nbytes for content in contents) + tokens.SUM_BYTES
    monkeypatch.setattr(tokens, "MOST_KEPT", 2 * longest)  # room for two of them
    for age, content in enumerate(contents, start=1):
        text = open_text(content)
        tokens.of(text)
        os.utime(tokens.kept_at(text), (age, age))
    assert [tokens.kept_at(open_text(content)).exists() for content in contents] == [False, True, True]
    assert not tokens.kept_at(only).exists()
    tokens.of(open_text(contents[1]))  # is used again
    tokens.of(open_text(contents[0]))
    assert [tokens.kept_at(open_text(content)).exists() for content in contents] == [True, True, False]


def test_that_remains_of_a_killed_program_are_removed_and_files_being_written_are_not(open_text, kept):
    paths.tokens().mkdir(parents=True)
    left, writing = paths.tokens() / "left.u16abc.tmp", paths.tokens() / "writing.u16abc.tmp"
    for path in (left, writing):
        path.write_bytes(b"half")
    os.utime(left, (1, 1))
    tokens.of(open_text("the cat sat on the mat"))
    assert not left.exists()
    assert writing.exists()


def test_that_a_text_changed_meanwhile_is_not_kept(open_text, kept, tmp_path):
    text = open_text("the cat sat on the mat.")
    (tmp_path / "a.txt").write_text("a dog")
    with pytest.raises(TextError, match=message("changed_while_read")):
        tokens.of(text)
    assert list(paths.tokens().iterdir()) == []


def test_that_a_folder_that_cannot_be_written_is_reported_with_a_message(open_text, kept, home):
    (home / "cache").write_text("a file, where a folder should be")
    with pytest.raises(TextError, match=r"Could not save the tokens of .*tokens"):
        tokens.of(open_text("the cat"))


@given(st.lists(st.lists(st.integers(0, 50_256), max_size=5), max_size=6), st.integers(-40, 40), st.integers(-40, 40))
def test_that_chunks_are_read_as_one_sequence(stretches, start, stop):
    ids = tokens.Tokens([np.array(stretch, type_of(GPT2.size)) for stretch in stretches])
    whole = [each for stretch in stretches for each in stretch]
    assert len(ids) == len(whole)
    assert ids[start:stop].tolist() == whole[start:stop]
    assert ids[:].tolist() == whole


@given(st.lists(st.integers(0, 50_256), max_size=50))
def test_that_different_tokens_are_counted(ids):
    assert tokens.unique(np.array(ids, type_of(GPT2.size))) == len(set(ids))


@pytest.mark.parametrize("alphabet", ["ACGT", "a", "aé", "天地玄黄", "abcdefghij", "ab,.x1"])
def test_that_a_line_without_a_space_is_encoded_in_blocks_to_the_same_ids(tmp_path, monkeypatch, alphabet):
    monkeypatch.setattr(tokens, "LONG_WORD", 2_000)
    monkeypatch.setattr(tokens, "MARGIN", 500)
    monkeypatch.setattr(encodings, "BLOCK", 3_001)
    content = "".join(random.Random(3).choices(alphabet, k=30_000)) + "<|endoftext|>" + alphabet * 900 + " end"
    (tmp_path / "line.txt").write_text(content, encoding="utf-8")
    text = texts.read(str(tmp_path / "line.txt"))
    assert max(len(piece) for piece, _ in tokens.pieces(text)) <= 8_000
    assert listed(tokens.of(text)) == GPT2.encode(content)


MEASURE = """
import sys
from gptstudio import devices
from gptstudio.data import texts, tokens
tokens.of(texts.read(sys.argv[1]))  # what the tokenizer itself needs
before = devices.peak_bytes("cpu")
ids = tokens.of(texts.read(sys.argv[2]))
print(len(ids), devices.peak_bytes("cpu") - before)
"""


@pytest.mark.slow
@pytest.mark.skipif(sys.platform != "linux", reason="elsewhere the peak of a process begins with that of its parent")
def test_that_a_line_without_a_space_takes_memory_for_one_block_at_a_time(tmp_path):
    """Encoded whole, each of its characters takes 50 bytes: 40 MB here."""
    letters = random.Random(5)
    for name, length in (("short", 100_000), ("long", 800_000)):
        (tmp_path / f"{name}.txt").write_text("".join(letters.choices("abcdefghij", k=length)), encoding="utf-8")
    command = [sys.executable, "-c", MEASURE, tmp_path / "short.txt", tmp_path / "long.txt"]
    count, more = subprocess.run(command, check=True, capture_output=True, text=True).stdout.split()
    assert int(count) > 400_000
    assert int(more) < 20 * 2**20
    text = texts.read(str(tmp_path / "long.txt"))
    assert max(len(piece) for piece, _ in tokens.pieces(text)) <= 2 * tokens.LONG_WORD + encodings.BLOCK
