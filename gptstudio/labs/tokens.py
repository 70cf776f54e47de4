"""Byte-pair encoding: text to words, words to tokens, tokens to IDs (Sennrich et al., 2016; book §2.5).

tiktoken encodes the text; the merges of one word are repeated here, one by one. Imports no torch.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from itertools import accumulate, pairwise
from typing import Any

import regex  # type: ignore[import-untyped]  # a dependency of tiktoken

from gptstudio.fields import Problem, Spec, setting
from gptstudio.gpt.tokenizer import END_OF_TEXT, GPT2, WORDS
from gptstudio.i18n import message
from gptstudio.labs import checks
from gptstudio.labs.lab import BookSource, Example, Figure, Lab, Table

MOST_CHARACTERS = 2_000
MOST_BYTES = 100
"""Largest number of bytes in a word whose merges are shown: each merge compares all pairs."""
WORD = regex.compile(WORDS)


class TokensRequest(Spec):
    """A text, and the word in it whose merges are shown."""

    text: str = setting("", "Text", "The text to encode; up to 2,000 characters.", panel=False)
    special: bool = setting(True, "<|endoftext|> is one token", "Off: it is split into tokens like any other text.")
    word: str = setting(
        "", "Word",
        "The word to merge step by step, with its leading space, or leave empty for the word with the most tokens.",
        panel=False,
    )
    step: int = setting(
        MOST_BYTES, "Merges applied", "How many merges have been applied; a number larger than the total means all.",
        low=0, high=MOST_BYTES, panel=False,
    )

    @classmethod
    def relations(cls, values: Mapping[str, Any]) -> Iterator[Problem]:
        if "text" in values:
            empty = message("The text is empty. Type a word.")
            yield from checks.text(cls, "text", values["text"], MOST_CHARACTERS, empty)
            yield from checks.surrogates(cls, "text", values["text"])
        if values.get("word"):
            incomplete = list(checks.surrogates(cls, "word", values["word"]))
            yield from incomplete or _problems_of_word(values["word"])


@dataclass(frozen=True)
class BytePiece:
    """One token; ``word``: index of its word in the text."""

    id: int
    data: bytes
    word: int


@dataclass(frozen=True)
class MergeStep:
    """The pieces of a word before a merge.

    Attributes:
        ranks: for each pair of neighbours, the position of its merge in the order of learning, which is also the ID of
            the merged token; None if the pair is never merged.
        pair: index of the pair to merge next, the one of lowest rank; None after the last merge.
    """

    pieces: tuple[bytes, ...]
    ranks: tuple[int | None, ...]
    pair: int | None


@dataclass(frozen=True)
class TokensAnswer:
    """Tokens of a text, and the merges of one word; ``step`` is the number of merges shown."""

    text: str
    pieces: tuple[BytePiece, ...]
    words: tuple[str, ...]
    decoded: str
    word: str
    steps: tuple[MergeStep, ...]
    step: int

    @property
    def ids(self) -> list[int]:
        return [piece.id for piece in self.pieces]

    @property
    def shown(self) -> MergeStep | None:
        return self.steps[self.step] if self.steps else None


def answer(request: TokensRequest) -> TokensAnswer:
    encoding = GPT2.encoding
    ids = GPT2.encode(request.text) if request.special else encoding.encode_ordinary(request.text)
    parts = words_of(request.text, request.special)
    pieces = _pieces(ids, parts)
    word = request.word or _in_most_pieces(pieces, parts, request.special)
    steps = tuple(merges(word.encode())) if word else ()
    return TokensAnswer(
        request.text, pieces, parts, GPT2.decode(ids), word, steps, min(request.step, max(0, len(steps) - 1))
    )


def words_of(text: str, special: bool) -> tuple[str, ...]:
    """Return the words into which a text is split before merging; no merge crosses their boundaries."""
    texts = text.split(END_OF_TEXT) if special else [text]
    found = list(WORD.findall(texts[0]))
    for each in texts[1:]:
        found += [END_OF_TEXT, *WORD.findall(each)]
    return tuple(found)


def merges(word: bytes, learned: Mapping[bytes, int] | None = None) -> Iterator[MergeStep]:
    """Yield the steps from single bytes to tokens: each step joins the pair of lowest rank, the first among equals.

    Args:
        learned: rank of each token, by its bytes; None: the ranks of GPT-2.
    """
    learned = GPT2.ranks if learned is None else learned
    pieces = tuple(word[i : i + 1] for i in range(len(word)))
    while True:
        ranks = tuple(learned.get(left + right) for left, right in pairwise(pieces))
        known = [(rank, i) for i, rank in enumerate(ranks) if rank is not None]
        pair = min(known)[1] if known else None
        yield MergeStep(pieces, ranks, pair)
        if pair is None:
            return
        pieces = (*pieces[:pair], pieces[pair] + pieces[pair + 1], *pieces[pair + 2 :])


def _pieces(ids: list[int], parts: tuple[str, ...]) -> tuple[BytePiece, ...]:
    ends, found, end, word = list(accumulate(len(part.encode()) for part in parts)), [], 0, 0
    for token in ids:
        data = GPT2.token_bytes(token)
        found.append(BytePiece(token, data, word))
        end += len(data)
        word += end == ends[word]  # no token crosses the end of a word
    return tuple(found)


def _in_most_pieces(pieces: tuple[BytePiece, ...], parts: tuple[str, ...], special: bool) -> str:
    counts = Counter(piece.word for piece in pieces)
    fitting = [i for i, part in enumerate(parts)
               if len(part.encode()) <= MOST_BYTES and not (special and part == END_OF_TEXT)]
    return parts[max(fitting, key=counts.__getitem__)] if fitting else ""


def _problems_of_word(word: str) -> Iterator[Problem]:
    if len(word.encode()) > MOST_BYTES:
        yield Problem("word", message(
            "The word has {count} bytes; the maximum for showing merges is {most}. Choose a shorter word.",
            count=f"{len(word.encode()):,}", most=MOST_BYTES,
        ))
    elif (count := len(WORD.findall(word))) > 1:
        yield Problem("word", message(
            "{word} is split into {count} words before any merging. Choose one of them.", word=repr(word), count=count,
        ))


def code(request: TokensRequest) -> str:
    special = f'encode(text, allowed_special={{"{END_OF_TEXT}"}})'
    encode = special if request.special else "encode_ordinary(text)"
    return f"""import tiktoken

encoding = tiktoken.get_encoding("gpt2")
text = {request.text!r}
ids = encoding.{encode}
for token in ids:
    print(token, encoding.decode_single_token_bytes(token))
print(encoding.decode(ids) == text)

ranks = encoding._mergeable_ranks
pieces = [bytes([byte]) for byte in {answer(request).word.encode()!r}]
while pairs := [(ranks[a + b], i) for i, (a, b) in enumerate(zip(pieces, pieces[1:])) if a + b in ranks]:
    i = min(pairs)[1]
    pieces[i : i + 2] = [pieces[i] + pieces[i + 1]]
    print(pieces)
"""


def table(answer: TokensAnswer) -> Table:
    rows = [(i, piece.id, GPT2.visible(piece.id), piece.data.hex(" ")) for i, piece in enumerate(answer.pieces)]
    return Table(("position", "id", "piece", "bytes"), tuple(rows))


def values(answer: TokensAnswer) -> dict[str, float]:
    return {
        "tokens": len(answer.pieces), "characters": len(answer.text), "bytes": len(answer.text.encode()),
        "words": len(answer.words), "merges": max(0, len(answer.steps) - 1), "step": answer.step,
        "pieces": len(answer.steps[-1].pieces) if answer.steps else 0,
    }


TEA = "Hello, do you like tea? <|endoftext|> In the sunlit terracesof someunknownPlace."
UNKNOWN = " someunknownPlace"
TEXTS = {
    TEA: message("An unknown place name"),
    "Every effort moves you": message("Every effort"),
    "Every day holds a": message("Every day"),
    "Hello, I am": message("Hello"),
}

LAB = Lab(
    name="tokens", request=TokensRequest, answer=answer,
    sources=(BookSource("2.5", "Byte pair encoding"),),
    examples=tuple(
        Example(name, TokensRequest(text=text, word=UNKNOWN if text == TEA else "")) for text, name in TEXTS.items()
    ),
    figures=(
        *(Figure(("tokens", text), lambda a: a.ids, message("token IDs"), name) for text, name in TEXTS.items()),
        Figure(("book", "decoded"), lambda a: a.decoded, message("decoded text"), TEXTS[TEA], also=TEA),
    ),
    code=code, table=table, values=values,
)
