"""GPT-2's byte-pair encoding, from the files that ship with the program (Sennrich et al., 2016; book §2.5).

Never uses the network. tiktoken does the work; here are only the loading and the words for what is not text.
"""

from __future__ import annotations

import hashlib
from collections.abc import Iterable
from functools import cache, lru_cache
from typing import TYPE_CHECKING

from gptstudio import paths
from gptstudio.errors import UserError
from gptstudio.i18n import message

if TYPE_CHECKING:
    import tiktoken

END_OF_TEXT = "<|endoftext|>"
FILES = {  # SHA-256 as in tiktoken's openai_public.py
    "vocab.bpe": "1ce1664773c50f3e0cc8842619a93edc4624525b728b188a9e0be33b7726adc5",
    "encoder.json": "196139668be63f3b5d6574427317ae82f612a97c5d1cdaf36ed2256dbf636783",
}
# How GPT-2 cuts text into words before merging: contractions, letters, digits, the rest, white space
# (Radford et al., 2019, encoder.py), written with possessive quantifiers for speed.
WORDS = r"""'(?:[sdmt]|ll|ve|re)| ?\p{L}++| ?\p{N}++| ?[^\s\p{L}\p{N}]++|\s++$|\s+(?!\S)|\s"""


@cache
def encoding() -> tiktoken.Encoding:
    """The encoding, built once; about 0.3 s, so workers ask for it and the window does not.

    Raises:
        UserError: its files are not those that ship with the program.
    """
    import tiktoken

    return tiktoken.Encoding(
        "gpt2", pat_str=WORDS, mergeable_ranks=ranks(), special_tokens={END_OF_TEXT: 50_256}, explicit_n_vocab=50_257
    )


@cache
def ranks() -> dict[bytes, int]:
    """Each token's bytes and its id: of two neighbours the pair of lowest id becomes one token first.

    Raises:
        UserError: as :func:`encoding`.
    """
    # As tiktoken.load does, which would copy the files into a cache of its own unless the environment forbids it.
    printed = [byte for byte in range(256) if chr(byte).isprintable() and chr(byte) != " "]
    others = [byte for byte in range(256) if byte not in printed]
    byte_of = {chr(byte): byte for byte in printed} | {chr(256 + n): byte for n, byte in enumerate(others)}
    content = {name: _checked(name) for name in FILES}  # exports have encoder.json, which says the same
    merges = content["vocab.bpe"].decode().split("\n")[1:-1]  # the first line is a comment
    tokens = [bytes([byte]) for byte in printed + others]
    tokens += [bytes(byte_of[char] for char in merge if char != " ") for merge in merges]
    return {token: rank for rank, token in enumerate(tokens)}


def _checked(name: str) -> bytes:
    path = paths.resources() / "gpt2" / name
    content = path.read_bytes()
    if hashlib.sha256(content).hexdigest() != FILES[name]:
        raise UserError(message("{path} is not the file that ships with GPT Studio. Reinstall GPT Studio.", path=path))
    return content


def encode(text: str) -> list[int]:
    """Token ids of a text. ``<|endoftext|>`` counts as the one special token, as in the book."""
    return encoding().encode(text, allowed_special={END_OF_TEXT})


def token_bytes(token_id: int) -> bytes:
    """The bytes of one token; ``<id 50300>`` for one beyond the vocabulary (a model may have more rows than tokens)."""
    try:
        return encoding().decode_single_token_bytes(token_id)
    except (KeyError, OverflowError):
        return _beyond(token_id).encode()


def _beyond(token_id: int) -> str:
    return f"<id {token_id}>"


def decode(ids: Iterable[int]) -> str:
    """The text of token ids. Half characters at the ends become U+FFFD."""
    return b"".join(token_bytes(i) for i in ids).decode("utf-8", errors="replace")


@lru_cache(2**16)
def visible(token_id: int) -> str:
    """One token as a person can see it: ␣ for a space, ↵ for a line end, bytes in hex for half a character."""
    data = token_bytes(token_id)
    if data == _beyond(token_id).encode():
        return _beyond(token_id)
    try:
        return visible_text(data.decode("utf-8"))
    except UnicodeDecodeError:
        return "⟨" + data.hex(" ").upper() + "⟩"


def visible_text(text: str) -> str:
    """Text with its white space and control characters made visible."""
    shown = text.replace(" ", "␣").replace("\n", "↵").replace("\t", "⇥").replace("\r", "␍")
    return "".join(char if char.isprintable() else f"⟨U+{ord(char):04X}⟩" for char in shown)
