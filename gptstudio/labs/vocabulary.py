"""Growth of a vocabulary: the pair that each step of byte-pair encoding merges, and its effect on a text (Sennrich et
al., 2016, algorithm 1). Imports no torch."""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass
from functools import lru_cache

from gptstudio.data import vocabulary
from gptstudio.fields import setting
from gptstudio.gpt.tokenizer import WORDS, base_tokens
from gptstudio.i18n import message
from gptstudio.labs.lab import BookSource, Example, Lab, Table
from gptstudio.labs.text_choice import TextChoice
from gptstudio.labs.tokens import WORD, merges

MOST_MERGES = 1_000
SHOWN = 200
"""Number of characters at the beginning of the text that are shown as tokens."""

Pair = tuple[bytes, bytes]


class VocabularyRequest(TextChoice):
    """A text, and the number of merges learned from it."""

    step: int = setting(
        0, "Merges learned", "How many merges have been learned; a number larger than the total means all.",
        low=0, high=MOST_MERGES, panel=False)


@dataclass(frozen=True)
class LearnedMerge:
    """One merge: its pair, the number of times the pair occurred, and the number of tokens of the text afterwards."""

    left: bytes
    right: bytes
    count: int
    tokens: int

    @property
    def token(self) -> bytes:
        return self.left + self.right


@dataclass(frozen=True)
class VocabularyAnswer:
    """A text after a number of merges.

    Attributes:
        missing: message on why another text than the requested one is used; empty if it is the requested one.
        text_bytes: number of bytes of the text in UTF-8.
        learned: all merges, in order.
        step: number of merges applied.
        shown: the beginning of the text as tokens, each with the index of its word.
        counts: each token of the text with its count, most frequent first.
    """

    missing: str
    characters: int
    text_bytes: int
    learned: tuple[LearnedMerge, ...]
    step: int
    shown: tuple[tuple[bytes, int], ...]
    counts: tuple[tuple[bytes, int], ...]

    @property
    def tokens(self) -> int:
        """Number of tokens of the text after ``step`` merges."""
        return self.learned[self.step - 1].tokens if self.step else self.text_bytes

    @property
    def size(self) -> int:
        """Number of tokens in the vocabulary after ``step`` merges: the bytes, the merges, and the end of a text."""
        return len(base_tokens()) + self.step + 1

    @property
    def last(self) -> LearnedMerge | None:
        """Last merge applied; None before the first."""
        return self.learned[self.step - 1] if self.step else None


def answer(request: VocabularyRequest) -> VocabularyAnswer:
    content, missing = request.content()
    learned, _ = _replayed(content, MOST_MERGES)
    step = min(request.step, len(learned))
    ranks = {token: rank for rank, token in enumerate((*base_tokens(), *(each.token for each in learned[:step])))}
    shown = [
        (piece, number) for number, word in enumerate(WORD.findall(content[:SHOWN]))
        for piece in list(merges(word.encode(), ranks))[-1].pieces]
    _, counts = _replayed(content, step)
    return VocabularyAnswer(
        missing, len(content), len(content.encode()), learned, step, tuple(shown), tuple(counts.most_common()))


@lru_cache(4)
def _pairs(content: str) -> tuple[Pair, ...]:
    return tuple(vocabulary.merges([content], MOST_MERGES))


@lru_cache(8)
def _replayed(content: str, step: int) -> tuple[tuple[LearnedMerge, ...], Counter[bytes]]:
    """Apply the first ``step`` merges to a text. Return the merges with their figures, and the counts of the tokens."""
    counted = {word.encode(): count for word, count in Counter(WORD.findall(content)).items()}
    words = {word: [bytes([byte]) for byte in word] for word in counted}
    tokens, learned = len(content.encode()), []
    for left, right in _pairs(content)[:step]:
        count = 0
        for word in words:
            if left + right in word:
                words[word], found = _merged(words[word], left + right)
                count += found * counted[word]
        tokens -= count
        learned.append(LearnedMerge(left, right, count, tokens))
    counts: Counter[bytes] = Counter()
    for word, pieces in words.items():
        for piece in pieces:
            counts[piece] += counted[word]
    return tuple(learned), counts


def _merged(word: list[bytes], token: bytes) -> tuple[list[bytes], int]:
    """Merge all neighbouring pieces of a word that give ``token``; return the word and the number of merges."""
    made: list[bytes] = []
    for piece in word:
        if made and made[-1] + piece == token:
            made[-1] = token
        else:
            made.append(piece)
    return made, len(word) - len(made)


def code(request: VocabularyRequest) -> str:
    imports, content = request.code()
    return f"""from collections import Counter
import regex
{imports}
text = {content}
words = Counter(regex.findall(r\"\"\"{WORDS}\"\"\", text))
words = {{tuple(bytes([byte]) for byte in word.encode()): count for word, count in words.items()}}
for step in range({max(1, min(request.step, 20))}):
    pairs = Counter()
    for word, count in words.items():
        for pair in zip(word, word[1:]):
            pairs[pair] += count
    if not pairs:
        break
    (left, right), count = pairs.most_common(1)[0]
    print(step + 1, left, right, count)
    merged = Counter()
    for word, times in words.items():
        pieces = []
        for piece in word:
            if pieces and (pieces[-1], piece) == (left, right):
                pieces[-1] = left + right
            else:
                pieces.append(piece)
        merged[tuple(pieces)] += times
    words = merged
"""


def table(answer: VocabularyAnswer) -> Table:
    rows = [
        (number, each.token.hex(" "), each.token.decode("utf-8", "replace"), each.count, each.tokens,
         answer.text_bytes / each.tokens)
        for number, each in enumerate(answer.learned, 1)]
    return Table(("merge", "bytes", "token", "count", "tokens left", "bytes per token"), tuple(rows))


def values(answer: VocabularyAnswer) -> dict[str, float]:
    return {
        "step": answer.step, "merges": len(answer.learned), "tokens": answer.tokens, "bytes": answer.text_bytes,
        "vocabulary": answer.size, "bytes_per_token": answer.text_bytes / max(1, answer.tokens),
    }


LAB = Lab(
    name="vocabulary", request=VocabularyRequest, answer=answer,
    sources=(BookSource("2.5", "Byte pair encoding"),),
    examples=(
        Example(message("The Late Bell"), VocabularyRequest()),
        Example(message("One sentence"), VocabularyRequest(text="own")),
        Example(message("The Verdict"), VocabularyRequest(text="verdict")),
    ),
    figures=(), code=code, table=table, values=values, slow=lambda _: True,
    papers=("Sennrich, Haddow and Birch, 2016, Neural Machine Translation of Rare Words with Subword Units",),
)
