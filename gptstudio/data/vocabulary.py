"""Tokenizers made from a text: a byte-pair encoding trained on it, or its characters. No torch.

Pairs are counted by Hugging Face's ``tokenizers`` library: in Rust, on all cores, and with the rule of Sennrich et al.
(2016), algorithm 1.
"""

from __future__ import annotations

import json
from collections.abc import Iterable, Iterator

from gptstudio.gpt.config import Vocabulary
from gptstudio.gpt.tokenizer import GPT2, BytePairs, Characters, Tokenizer, base_tokens, bytes_of

LEAST_COUNT = 2
"""Minimum count of a merged pair: a pair that occurs once is not merged, because its token would occur only once."""
AT_ONCE = 2**16
"""Number of characters counted at once."""


def make(kind: Vocabulary, size: int, blocks: Iterable[str]) -> Tokenizer:
    """Return a tokenizer of a kind for a text.

    Args:
        size: for ``own``, the maximum number of tokens: 256 bytes, merges, and ``<|endoftext|>``. The tokenizer has
            fewer if no other pair occurs twice in the text.
        blocks: the text, in blocks.
    """
    if kind == "own":
        return BytePairs("own", [*base_tokens(), *map(b"".join, merges(blocks, size - len(base_tokens()) - 1))])
    return Characters(sorted(set().union(*blocks))) if kind == "characters" else GPT2


def merges(blocks: Iterable[str], most: int) -> list[tuple[bytes, bytes]]:
    """Return the pairs merged by byte-pair encoding of a text, in order, at most ``most``. Of several pairs that give
    the same token, only the first is returned."""
    from tokenizers import Tokenizer as Library
    from tokenizers import models, pre_tokenizers, trainers

    library = Library(models.BPE())
    level = pre_tokenizers.ByteLevel(add_prefix_space=False, use_regex=True)
    library.pre_tokenizer = level
    trainer = trainers.BpeTrainer(
        vocab_size=most + len(base_tokens()), min_frequency=LEAST_COUNT, show_progress=False,
        initial_alphabet=level.alphabet())
    library.train_from_iterator(_lines(blocks), trainer)
    found: dict[bytes, tuple[bytes, bytes]] = {}
    for left, right in json.loads(library.to_str())["model"]["merges"]:
        found.setdefault(bytes_of(left + right), (bytes_of(left), bytes_of(right)))
    return list(found.values())


def _lines(blocks: Iterable[str]) -> Iterator[str]:
    """Yield the text in pieces that end at the end of a word, because pieces are counted separately."""
    rest = ""
    for block in blocks:
        rest += block
        while len(rest) > AT_ONCE and (end := rest.rfind("\n", 0, AT_ONCE) + 1 or rest.rfind(" ", 0, AT_ONCE)) > 0:
            yield rest[:end]
            rest = rest[end:]
    if rest:
        yield rest
