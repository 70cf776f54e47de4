"""Texts in figures: their tokens, and how many of them are on either side of the split."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from gptstudio.app.tasks import Task, Work
from gptstudio.data import texts, tokens, vocabulary
from gptstudio.data.encodings import Progress
from gptstudio.gpt.config import DEFAULT_PRESET, PRESETS, USUAL_SIZES, Vocabulary
from gptstudio.gpt.tokenizer import GPT2, Tokenizer
from gptstudio.training import corpus, model_source
from gptstudio.training.control import Stopped
from gptstudio.training.executor import reported
from gptstudio.training.spec import TrainSpec

SHOWN_TOKENS = 800
"""Tokens of a text's beginning that are shown."""
MOST_BYTES = 2**22
"""Bytes of the longest text that is tokenised with vocabularies of its own, too."""


@dataclass(frozen=True)
class Split:
    """Texts to train on, how they are split in two, and how they become tokens: by the vocabulary of a configuration,
    or of the weights that a run begins with."""

    texts: tuple[str, ...]
    split: str
    train_ratio: float
    vocabulary: str = "gpt2"
    init_from: str | None = None


@dataclass(frozen=True)
class TextsRequest:
    """Texts to measure, and a share of them to count."""

    names: tuple[str, ...]
    share: Split | None


@dataclass(frozen=True)
class Tokenised:
    """A text under one vocabulary: its tokens, how many of them differ, and the first ones."""

    tokenizer: Tokenizer
    tokens: int
    unique: int
    first_ids: tuple[int, ...]


@dataclass(frozen=True)
class TextMeasured:
    """One text in figures. ``name`` is what was asked for; ``under``: GPT-2's vocabulary first, then, of a text that is
    not very long, one of its own and its characters."""

    name: str
    text: texts.Text
    under: tuple[Tokenised, ...]

    @property
    def tokens(self) -> int:
        """Tokens of GPT-2's vocabulary."""
        return self.under[0].tokens

    @property
    def unique(self) -> int:
        """Different tokens of GPT-2's vocabulary."""
        return self.under[0].unique


@dataclass(frozen=True)
class TextRefused:
    """The reason a text cannot be used."""

    name: str
    words: str


@dataclass(frozen=True)
class ShareCounted:
    """Tokens on either side of the split, or why it cannot be made."""

    share: Split
    train_tokens: int = 0
    val_tokens: int = 0
    problem: str = ""


@dataclass(frozen=True)
class ReadingText:
    """A text is read from here on; empty: the share is counted."""

    name: str


def measure(request: TextsRequest) -> Work:
    """Measure each text, then the share; the items are the answers, progress is in bytes, of a total of 0 while a text
    is only looked through."""

    def work(task: Task) -> None:
        for name in request.names:
            task.emit(ReadingText(name))
            task.emit(_measured(name, task.report))
        if request.share:
            task.emit(ReadingText(""))
            task.emit(_counted(request.share, task.report))

    return work


def _measured(name: str, progress: Progress) -> TextMeasured | TextRefused:
    try:
        text = texts.read(name, progress)
        found = [_tokenised(text, GPT2, progress)]
        if text.size <= MOST_BYTES:
            kinds: tuple[Vocabulary, ...] = ("own", "characters")
            for kind in kinds:
                blocks = (block for block, _ in text.blocks())
                found.append(_tokenised(text, vocabulary.make(kind, USUAL_SIZES[kind], blocks), progress))
        return TextMeasured(name, text, tuple(found))
    except Stopped:
        raise
    except Exception as error:  # noqa: BLE001 - whatever is wrong with a text is shown at the text
        return TextRefused(name, reported(error))


def _tokenised(text: texts.Text, tokenizer: Tokenizer, progress: Progress) -> Tokenised:
    ids = tokens.of(text, tokenizer, progress)
    return Tokenised(
        tokenizer, len(ids), tokens.unique(ids, tokenizer), tuple(np.asarray(ids[:SHOWN_TOKENS]).tolist()))


def _counted(share: Split, progress: Progress) -> ShareCounted:
    try:
        config = PRESETS[DEFAULT_PRESET].but(vocabulary=share.vocabulary)
        spec = TrainSpec.make(config=config, text=share.texts, split=share.split, train_ratio=share.train_ratio)
        initial = model_source.resolve(share.init_from) if share.init_from else None
        found = corpus.read(spec, progress, model_source.tokenizer_of(initial) if initial else None)
        return ShareCounted(share, len(found.train_ids), len(found.val_ids))
    except Stopped:
        raise
    except Exception as error:  # noqa: BLE001 - as above
        return ShareCounted(share, problem=reported(error))
