"""Tokenizers: conversion between text and token ids. A model works only with the tokenizer it was trained with.

There are four kinds: GPT-2's byte-pair encoding, from the files that ship with the program (Sennrich et al., 2016; book
§2.5); a byte-pair encoding trained on the user's text; the characters of that text; and a tokenizer from a file. None
uses the network. tiktoken encodes the first two kinds, the ``tokenizers`` library those from a file; both libraries are
imported when needed.

All except GPT-2's are saved as ``tokenizer.json``, the format of ``tokenizers``, which other programs can read.
"""

from __future__ import annotations

import codecs
import hashlib
import json
import re
from abc import ABC, abstractmethod
from collections.abc import Iterable, Mapping, Sequence
from functools import cache, cached_property, lru_cache
from typing import TYPE_CHECKING, Any

from gptstudio import paths
from gptstudio.errors import UserError
from gptstudio.gpt.config import VOCAB_SIZE, Vocabulary
from gptstudio.i18n import Message, message

if TYPE_CHECKING:
    import tiktoken
    import tokenizers

FILE = "tokenizer.json"
"""File next to weights or in a run folder with the tokenizer; without it, the tokenizer is GPT-2's."""
END_OF_TEXT = "<|endoftext|>"
UNKNOWN = "<|unknown|>"
"""Token for every character that is not in a vocabulary of characters. Such tokens are decoded as U+FFFD."""
FILES = {  # SHA-256 as in tiktoken's openai_public.py
    "vocab.bpe": "1ce1664773c50f3e0cc8842619a93edc4624525b728b188a9e0be33b7726adc5",
    "encoder.json": "196139668be63f3b5d6574427317ae82f612a97c5d1cdaf36ed2256dbf636783",
}
# GPT-2's pattern for splitting text into words before merging: contractions, letters, digits, the rest, white space
# (Radford et al., 2019, encoder.py), written with possessive quantifiers for speed.
WORDS = r"""'(?:[sdmt]|ll|ve|re)| ?\p{L}++| ?\p{N}++| ?[^\s\p{L}\p{N}]++|\s++$|\s+(?!\S)|\s"""
ENDS = (END_OF_TEXT, "</s>", "<|end_of_text|>", "[SEP]", "<eos>", "[EOS]")
"""Possible names of the end-of-text token in tokenizers from files; the first one present is used."""


class TokenizerError(UserError):
    """Unusable tokenizer file, or text that a tokenizer cannot encode."""


class Tokenizer(ABC):
    """Conversion of text to token ids and back. Tokenizers are equal if their files are equal.

    Attributes:
        kind: one of the four kinds.
        size: number of tokens; all ids are below it.
        end: id of the token between texts, ``<|endoftext|>``; None if there is none.
        unknown: id of the token for all characters that are not in the vocabulary; None if there is none.
        file: contents of ``tokenizer.json``; empty for GPT-2's, which ships with the program.
    """

    kind: Vocabulary
    size: int
    end: int | None
    unknown: int | None = None
    file: bytes = b""

    @cached_property
    def digest(self) -> str:
        """SHA-256 of the file, in hexadecimal; empty for GPT-2's."""
        return hashlib.sha256(self.file).hexdigest() if self.file else ""

    @property
    def name(self) -> Message:
        """Display name, with the number of tokens."""
        return message(NAMES[self.kind], n=f"{self.size:,}")

    @abstractmethod
    def encode(self, text: str) -> list[int]:
        """Return the token ids of a text. ``<|endoftext|>`` is encoded as the special token, as in the book.

        Raises:
            TokenizerError: the text contains characters without a token.
        """

    @abstractmethod
    def find_bytes(self, token_id: int) -> bytes | None:
        """Return the bytes of a token, or None for an id without a token."""

    def token_bytes(self, token_id: int) -> bytes:
        """Return the bytes of a token; ``<id 50300>`` for an id beyond the vocabulary, if a model has more rows."""
        data = self.find_bytes(token_id)
        return f"<id {token_id}>".encode() if data is None else data

    def decode(self, ids: Iterable[int], final: bool = True) -> str:
        """Return the text of token ids. Bytes that are not valid UTF-8 become U+FFFD.

        Args:
            final: if False, leave out an incomplete character at the end.
        """
        return codecs.utf_8_decode(b"".join(map(self.token_bytes, ids)), "replace", final)[0]

    def visible(self, token_id: int) -> str:
        """Return a token in visible form: ␣ for a space, ↵ for a line end, hex bytes for part of a character."""
        return _visible(self, token_id)

    def __eq__(self, other: object) -> bool:
        return isinstance(other, Tokenizer) and self.digest == other.digest

    def __hash__(self) -> int:
        return hash(self.digest)


NAMES: Mapping[Vocabulary, Message] = {
    "gpt2": message("GPT-2 ({n} tokens)"), "own": message("own, from the text ({n} tokens)"),
    "characters": message("characters ({n} tokens)"), "file": message("from a file ({n} tokens)"),
}


@lru_cache(2**16)
def _visible(tokenizer: Tokenizer, token_id: int) -> str:
    data = tokenizer.find_bytes(token_id)
    if data is None:
        return f"<id {token_id}>"
    try:
        return visible_text(data.decode("utf-8"))
    except UnicodeDecodeError:
        return "⟨" + data.hex(" ").upper() + "⟩"


def visible_text(text: str) -> str:
    """Return text with its white space and control characters made visible."""
    shown = text.replace(" ", "␣").replace("\n", "↵").replace("\t", "⇥").replace("\r", "␍")
    return "".join(char if char.isprintable() else f"⟨U+{ord(char):04X}⟩" for char in shown)


class BytePairs(Tokenizer):
    """Byte-level byte-pair encoding by tiktoken, with GPT-2's pattern for splitting text into words.

    Of all pairs of neighbouring tokens, the pair that forms the token with the lowest id is merged first.
    """

    def __init__(self, kind: Vocabulary, tokens: Sequence[bytes]):
        """``tokens``: the bytes of each token by id: the 256 single bytes, then the merges in order."""
        self.kind, self.size, self.end = kind, len(tokens) + 1, len(tokens)
        self._tokens = tokens

    @cached_property
    def ranks(self) -> dict[bytes, int]:
        """Id of each token by its bytes."""
        return {token: rank for rank, token in enumerate(self._tokens)}

    @cached_property
    def encoding(self) -> tiktoken.Encoding:
        """tiktoken's encoding. Creating GPT-2's takes about 0.3 s, so only worker threads access it."""
        import tiktoken

        return tiktoken.Encoding(
            self.kind, pat_str=WORDS, mergeable_ranks=self.ranks, special_tokens={END_OF_TEXT: self.size - 1},
            explicit_n_vocab=self.size)

    @cached_property
    def file(self) -> bytes:  # type: ignore[override]
        """Contents of ``tokenizer.json``. Every split of a token into two tokens is listed as a merge, so that programs
        that apply merges give the same result as tiktoken, which looks up bytes."""
        names = [_printed(token) for token in self._tokens]
        merges = [
            [_printed(token[:cut]), _printed(token[cut:])] for token in self._tokens for cut in range(1, len(token))
            if token[:cut] in self.ranks and token[cut:] in self.ranks
        ]
        end = {END_OF_TEXT: self.size - 1}
        return _byte_level({name: rank for rank, name in enumerate(names)} | end, merges, end, ignore_merges=True)

    def encode(self, text: str) -> list[int]:
        return self.encoding.encode(text, allowed_special={END_OF_TEXT})

    def find_bytes(self, token_id: int) -> bytes | None:
        if 0 <= token_id < len(self._tokens):
            return self._tokens[token_id]
        return END_OF_TEXT.encode() if token_id == self.end else None


class _GPT2(BytePairs):
    """GPT-2's tokenizer, whose files are read on first use."""

    digest = ""
    file = b""

    def __init__(self) -> None:
        self.kind, self.size, self.end = "gpt2", VOCAB_SIZE, VOCAB_SIZE - 1

    @cached_property
    def _tokens(self) -> Sequence[bytes]:  # type: ignore[override]
        """
        Raises:
            UserError: the files differ from those that ship with the program.
        """
        # Like tiktoken.load, which would copy the files into its cache unless an environment variable prevents it.
        content = {name: _checked(name) for name in FILES}  # encoder.json, equivalent to vocab.bpe, is for exports
        merges = content["vocab.bpe"].decode().split("\n")[1:-1]  # the first line is a comment
        return base_tokens() + [bytes_of(merge.replace(" ", "")) for merge in merges]


GPT2 = _GPT2()
"""GPT-2's tokenizer: the default, which the book uses too."""


def encode(text: str) -> list[int]:
    """Return the GPT-2 token ids of a text, for the Python interface; a loaded model has its own ``tokenizer``."""
    return GPT2.encode(text)


def decode(ids: Iterable[int]) -> str:
    """Return the text of GPT-2 token ids, for the Python interface; incomplete characters at the ends become U+FFFD."""
    return GPT2.decode(ids)


def single_token(text: str, tokenizer: Tokenizer) -> int:
    """Return the id of a text that is one token.

    Raises:
        UserError: it is not one token, or not in the vocabulary.
    """
    ids, shown = tokenizer.encode(text), visible_text(text[:60])
    if len(ids) != 1:
        raise UserError(message(
            "“{text}” is not one token but {n}. Give a single token, with the space before it where it begins a word: "
            "\" cat\".", text=shown, n=len(ids)))
    if ids[0] == tokenizer.unknown:
        raise UserError(message(
            "“{text}” is not in the vocabulary of the model. Give one of its tokens.", text=shown))
    return ids[0]


class Characters(Tokenizer):
    """Tokenizer with one token for each character of a text, one for all other characters, and one between texts."""

    kind = "characters"

    def __init__(self, characters: Sequence[str], names: tuple[str | None, str | None] = (UNKNOWN, END_OF_TEXT)):
        """``characters``: in the order of their ids. ``names``: names of the unknown-character and end-of-text tokens,
        whose ids follow; None for a missing one."""
        self._ids = {character: number for number, character in enumerate(characters)}
        self._characters = [character.encode("utf-8", "surrogatepass") for character in characters]
        self._special = {name: number for number, name in enumerate(filter(None, names), len(characters))}
        self.unknown, self.end = (self._special.get(name) if name else None for name in names)
        self.size = len(characters) + len(self._special)

    @cached_property
    def file(self) -> bytes:  # type: ignore[override]
        """Contents of ``tokenizer.json``, in which every character is a word."""
        model = {"type": "WordLevel", "vocab": self._ids | self._special, "unk_token": UNKNOWN}
        cut = {"type": "Split", "pattern": {"Regex": r"[\s\S]"}, "behavior": "Isolated", "invert": False}
        return _written(model, self._special, cut, {"type": "Fuse"})

    def encode(self, text: str) -> list[int]:
        ids: list[int] = []
        for number, part in enumerate(text.split(END_OF_TEXT) if self.end is not None else [text]):
            ids += [self.end] if number and self.end is not None else []
            ids += [self._id(character) for character in part]
        return ids

    def _id(self, character: str) -> int:
        found = self._ids.get(character, self.unknown)
        if found is None:
            raise TokenizerError(message(
                "The text contains “{character}”, for which the vocabulary of this model has no token: it has the "
                "{n} characters of the text that the model was trained on. Leave this character out.",
                character=visible_text(character), n=f"{len(self._ids):,}"))
        return found

    def find_bytes(self, token_id: int) -> bytes | None:
        if 0 <= token_id < len(self._characters):
            return self._characters[token_id]
        if token_id == self.unknown:
            return "\ufffd".encode()
        return END_OF_TEXT.encode() if token_id == self.end else None


WITHOUT_SPACES = re.compile("[\u0e00-\u0e7f\u3000-\u30ff\u3400-\u9fff\uf900-\ufaff\uff00-\uffef\U00020000-\U0002fa1f]")
"""First character of a word in a script without spaces between words: Chinese, Japanese or Thai."""


class FromFile(Tokenizer):
    """Tokenizer of another program, which the ``tokenizers`` library reads from its ``tokenizer.json``."""

    kind = "file"

    def __init__(self, content: bytes):
        """
        Raises:
            TokenizerError: the library cannot read the content.
        """
        self.file = content
        values = _parsed(content)
        try:
            library = self._library
        except BaseException as error:
            _check_origin(error)
            raise TokenizerError(message("tokenizer.json is not a valid tokenizer: {why}", why=error)) from error
        vocabulary = library.get_vocab(with_added_tokens=True)
        self.size = max(vocabulary.values(), default=-1) + 1
        self.end = next((vocabulary[name] for name in ENDS if name in vocabulary), None)
        added = values.get("added_tokens")
        self._special = {each["id"] for each in added if each.get("special")} if isinstance(added, list) else set()
        self._names = {number: name for name, number in vocabulary.items()}
        self._decoders = [str(each.get("type")) for each in _flat(values.get("decoder"))]
        model = values.get("model")
        if isinstance(model, dict) and "ByteLevel" not in self._decoders:  # with all bytes, nothing is unknown
            self.unknown = vocabulary.get(model.get("unk_token", ""), model.get("unk_id"))

    @cached_property
    def _library(self) -> tokenizers.Tokenizer:
        import tokenizers

        made = tokenizers.Tokenizer.from_str(self.file.decode("utf-8"))
        made.no_truncation()
        made.no_padding()
        return made

    def encode(self, text: str) -> list[int]:
        try:
            return list(self._library.encode(text, add_special_tokens=False).ids)
        except BaseException as error:
            _check_origin(error)
            raise TokenizerError(message(
                "The tokenizer of this model cannot read the text ({why}). Leave out the characters that the model was "
                "not trained on.", why=error)) from error

    def find_bytes(self, token_id: int) -> bytes | None:
        name = self._names.get(token_id)
        if token_id == self.unknown:
            return "\ufffd".encode()
        if name is None or token_id in self._special:
            return None if name is None else name.encode()
        if "ByteLevel" in self._decoders:
            byte_of = _byte_of()
            return b"".join(bytes([byte_of[char]]) if char in byte_of else char.encode() for char in name)
        if "ByteFallback" in self._decoders and len(name) == 6 and name.startswith("<0x") and name.endswith(">"):
            return bytes([int(name[3:5], 16)])
        if "WordPiece" in self._decoders:
            alone = name.startswith("##") or WITHOUT_SPACES.match(name)
            return (name.removeprefix("##") if alone else f" {name}").encode()
        if "BPEDecoder" in self._decoders:
            return (name.removesuffix("</w>") + (" " if name.endswith("</w>") else "")).encode()
        if {"Metaspace", "Replace"} & set(self._decoders):
            return name.replace("▁", " ").encode()
        return (name if "Fuse" in self._decoders else f" {name}").encode()


def _check_origin(error: BaseException) -> None:
    """Re-raise an error that does not come from the library. The library raises Exception, and on internal failures
    PanicException, which is not a subclass of Exception."""
    if not isinstance(error, Exception) and type(error).__name__ != "PanicException":
        raise error


def read(kind: Vocabulary, content: bytes) -> Tokenizer:
    """Return the tokenizer of a ``tokenizer.json``; equal contents give the same object.

    Raises:
        TokenizerError: the file is damaged, or not of this kind.
    """
    return GPT2 if kind == "gpt2" else _read(kind, bytes(content))


@lru_cache(64)
def _read(kind: Vocabulary, content: bytes) -> Tokenizer:
    if kind == "file":
        return FromFile(content)
    model = _parsed(content).get("model")
    vocabulary = model.get("vocab") if isinstance(model, dict) else None
    if not isinstance(vocabulary, dict) or sorted(vocabulary.values(), key=str) != sorted(
            range(len(vocabulary)), key=str):
        raise _damaged()
    tokens = sorted((name for name in vocabulary if name not in (END_OF_TEXT, UNKNOWN)), key=vocabulary.__getitem__)
    if kind == "characters":
        names = tuple(name if name in vocabulary else None for name in (UNKNOWN, END_OF_TEXT))
        made: Tokenizer = Characters(tokens, (names[0], names[1]))
    else:
        if not set().union(*tokens) <= set(_byte_of()) or not set(_byte_of()) <= set(tokens):
            raise _damaged()
        made = BytePairs("own", [bytes_of(token) for token in tokens])
    made.__dict__["file"] = content  # byte for byte, whichever version of the program wrote it
    return made


def from_merges(
    vocabulary: Mapping[str, int], merges: Sequence[str], special: Sequence[str] = (), space: bool = False,
) -> FromFile:
    """Return the byte-level tokenizer of a ``vocab.json`` and a ``merges.txt``, as GPT-2 has them. ``space``: begin
    each text with a space.

    Raises:
        TokenizerError: the two do not match.
    """
    ends = {name: vocabulary[name] for name in (*ENDS, *special) if name in vocabulary}
    pairs = [merge.split(" ", 1) for merge in merges]
    return FromFile(_byte_level(vocabulary, pairs, ends, ignore_merges=False, space=space))


def _byte_level(vocabulary: Mapping[str, int], merges: Sequence[Sequence[str]], special: Mapping[str, int],
                ignore_merges: bool, space: bool = False) -> bytes:
    """Return the ``tokenizer.json`` of a byte-level encoding. ``ignore_merges``: use a word that is a token unsplit."""
    model = {"type": "BPE", "dropout": None, "unk_token": None, "continuing_subword_prefix": None,
             "end_of_word_suffix": None, "fuse_unk": False, "byte_fallback": False, "ignore_merges": ignore_merges,
             "vocab": dict(vocabulary), "merges": merges}
    level = {"type": "ByteLevel", "add_prefix_space": space, "trim_offsets": True, "use_regex": True}
    return _written(model, special, level, level)


def _written(model: Mapping[str, Any], special: Mapping[str, int], cut: Mapping[str, Any],
             decoder: Mapping[str, Any]) -> bytes:
    """Return a ``tokenizer.json`` in the layout of ``tokenizers.Tokenizer.to_str``."""
    flags = {"single_word": False, "lstrip": False, "rstrip": False, "normalized": False, "special": True}
    added = [{"id": number, "content": name, **flags} for name, number in special.items()]
    values = {"version": "1.0", "truncation": None, "padding": None, "added_tokens": added, "normalizer": None,
              "pre_tokenizer": cut, "post_processor": None, "decoder": decoder, "model": model}
    return json.dumps(values, ensure_ascii=False, separators=(",", ":")).encode("utf-8", "surrogatepass")


def _parsed(content: bytes) -> dict[str, Any]:
    try:
        values = json.loads(content)
    except (ValueError, RecursionError) as error:
        raise _damaged() from error
    if not isinstance(values, dict):
        raise _damaged()
    return values


def _flat(part: object) -> list[Mapping[str, Any]]:
    """Return the parts of a decoder, with sequences flattened."""
    if not isinstance(part, dict):
        return []
    inner = part.get("decoders")
    return [each for one in inner for each in _flat(one)] if isinstance(inner, list) else [part]


def _damaged() -> TokenizerError:
    return TokenizerError(message("tokenizer.json is damaged, or another program changed it."))


def _checked(name: str) -> bytes:
    path = paths.resources() / "gpt2" / name
    content = path.read_bytes()
    if hashlib.sha256(content).hexdigest() != FILES[name]:
        raise UserError(message("{path} is not the file that ships with GPT Studio. Reinstall GPT Studio.", path=path))
    return content


@cache
def _byte_of() -> dict[str, int]:
    """Return the byte that each of GPT-2's 256 printable characters represents, in the order of their ids (Radford et
    al., 2019, encoder.py)."""
    shown = [byte for byte in range(256) if chr(byte).isprintable() and chr(byte) != " "]
    others = [byte for byte in range(256) if byte not in shown]
    return {chr(byte): byte for byte in shown} | {chr(256 + n): byte for n, byte in enumerate(others)}


@cache
def _characters_of_bytes() -> dict[int, str]:
    return {byte: char for char, byte in _byte_of().items()}


def _printed(token: bytes) -> str:
    """Return the bytes of a token in the printable characters of GPT-2's files."""
    return "".join(map(_characters_of_bytes().__getitem__, token))


def base_tokens() -> list[bytes]:
    """Return the 256 single bytes, the first tokens of every byte-pair encoding, in the order of their ids."""
    return [bytes([byte]) for byte in _byte_of().values()]


def bytes_of(printed: str) -> bytes:
    """Return the bytes that the printable form of a byte-level token represents."""
    return bytes(map(_byte_of().__getitem__, printed))
