"""GPT-2's encoding, from the bundled files, without a network."""

import importlib.util
import re
import socket
import urllib.request
from pathlib import Path

import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from gptstudio import files, paths
from gptstudio.errors import UserError
from gptstudio.gpt import tokenizer
from gptstudio.gpt.tokenizer import GPT2


@pytest.fixture(scope="module")
def published() -> str:
    """Return the source of tiktoken's own definition of GPT-2: the function ``gpt2`` and the lines above it."""
    spec = importlib.util.find_spec("tiktoken_ext.openai_public")
    assert spec is not None
    assert spec.origin is not None
    return Path(spec.origin).read_text(encoding="utf-8").split("def r50k_base")[0]


@pytest.mark.parametrize("name", ["vocab.bpe", "encoder.json"])
def test_that_the_files_are_the_published_ones(name, published):
    digest = re.search(name.replace(".", "_") + r'_hash="([0-9a-f]{64})"', published)
    assert digest is not None
    assert files.sha256(paths.resources() / "gpt2" / name) == tokenizer.FILES[name] == digest[1]


def test_that_text_is_cut_into_words_by_the_published_pattern():
    from tiktoken_ext import openai_public

    assert openai_public.r50k_pat_str == tokenizer.WORDS


def test_that_the_encoding_is_built_and_used_without_a_network(monkeypatch):
    def refuse(*args, **kwargs):
        raise AssertionError("the network was used")

    for place, name in ((socket, "socket"), (socket, "getaddrinfo"), (urllib.request, "urlopen")):
        monkeypatch.setattr(place, name, refuse)
    made = type(GPT2)()
    assert made.decode(made.encode("Every effort moves you")) == "Every effort moves you"
    assert made.encoding.n_vocab == 50_257


def test_that_a_changed_vocabulary_is_noticed(tmp_path, monkeypatch):
    folder = tmp_path / "resources" / "gpt2"
    folder.mkdir(parents=True)
    for name in tokenizer.FILES:
        (folder / name).write_bytes((paths.resources() / "gpt2" / name).read_bytes())
    with (folder / "vocab.bpe").open("a") as file:
        file.write("x y\n")
    monkeypatch.setattr(paths, "resources", lambda: tmp_path / "resources")
    with pytest.raises(UserError, match=r"vocab\.bpe is not the file that ships"):
        type(GPT2)().encode("text")


@pytest.mark.parametrize("token_id", [-1, 50_257, 50_300, 10**18])
def test_that_an_id_beyond_the_vocabulary_is_displayed_as_a_number(token_id):
    assert GPT2.visible(token_id) == f"<id {token_id}>"
    assert GPT2.decode([15_496, token_id, 11]) == f"Hello<id {token_id}>,"


@given(st.text())
@example("")
@example("👩‍👩‍👧 ffi \u2028 \x00 \r\n\t ä ß 漢字 🇩🇪")
@example("<|endoftext|> and <|endoftext|>")
@example(" " * 1000)
@example("a" * 5000)
def test_that_any_text_is_decoded_unchanged(text):
    assert GPT2.decode(GPT2.encode(text)) == text


def test_that_end_of_text_is_one_token_anywhere():
    assert GPT2.encode(tokenizer.END_OF_TEXT) == [50_256]
    assert GPT2.encode("a<|endoftext|>b") == [64, 50_256, 65]
    assert GPT2.decode([50_256]) == "<|endoftext|>"


@pytest.mark.parametrize(
    ("token", "shown"),
    [
        (220, "␣"), (198, "↵"), (197, "⇥"), (201, "␍"), (3626, "␣effort"), (188, "⟨U+0000⟩"), (50_256, "<|endoftext|>"),
        (10_545, "⟨20 E6⟩"),  # a space and the first byte of a Chinese character: not text, so all in hex
    ],
)
def test_that_a_token_has_a_visible_form(token, shown):
    assert GPT2.visible(token) == shown


def test_that_half_a_character_is_shown_in_hex_and_decodes_to_a_replacement():
    ids = GPT2.encode("😀")
    assert len(ids) > 1
    shown = [GPT2.visible(i) for i in ids]
    assert " ".join(piece.strip("⟨⟩") for piece in shown) == "F0 9F 98 80"
    assert "\ufffd" in GPT2.decode(ids[:1])
    assert GPT2.decode(ids) == "😀"


def test_that_every_token_of_the_vocabulary_has_a_visible_form():
    for token in range(50_257):
        assert GPT2.visible(token).isprintable(), token
        assert GPT2.visible(token), token
