"""Work of tasks that analyses texts: their tokens, the sizes of both sides of the split, and the passages of them that
a model has copied."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path

import numpy as np

from gptstudio.app.state import AppState
from gptstudio.app.tasks import Task
from gptstudio.data import texts, tokens, vocabulary
from gptstudio.data.encodings import Progress
from gptstudio.data.texts import Text
from gptstudio.errors import UserError
from gptstudio.gpt.config import DEFAULT_PRESET, PRESETS, USUAL_SIZES, Vocabulary
from gptstudio.gpt.tokenizer import END_OF_TEXT, GPT2, Tokenizer
from gptstudio.history.comparison import shown_name
from gptstudio.i18n import message
from gptstudio.training import corpus, model_source, run_text
from gptstudio.training.control import Stopped
from gptstudio.training.executor import reported
from gptstudio.training.run_folder import RunFolder
from gptstudio.training.spec import TrainSpec

SHOWN_TOKENS = 800
"""Number of tokens to show from the beginning of a text."""
MOST_BYTES = 2**22
"""Maximum bytes of a text that is also tokenised with vocabularies of its own."""


@dataclass(frozen=True)
class SplitRequest:
    """Texts to train on, their split, and their tokenizer: the vocabulary of a configuration, or of a run's initial
    weights."""

    texts: tuple[str, ...]
    split: str
    train_ratio: float
    vocabulary: str = "gpt2"
    init_from: str | None = None


@dataclass(frozen=True)
class TextsRequest:
    """Texts to measure, and a split for which to count the tokens."""

    names: tuple[str, ...]
    share: SplitRequest | None


@dataclass(frozen=True)
class Tokenised:
    """Text tokenised with one vocabulary: the number of tokens, of distinct tokens, and of their bytes, which are UTF-8
    whatever the encoding of the file; and the first ids."""

    tokenizer: Tokenizer
    tokens: int
    unique: int
    bytes: int
    first_ids: tuple[int, ...]


@dataclass(frozen=True)
class TextMeasured:
    """Figures of one text. ``name``: the requested name; ``under``: results for GPT-2's vocabulary and, unless the text
    is very long, for a vocabulary of its own and for its characters."""

    name: str
    text: texts.Text
    under: tuple[Tokenised, ...]

    @property
    def tokens(self) -> int:
        """Number of tokens with GPT-2's vocabulary."""
        return self.under[0].tokens

    @property
    def unique(self) -> int:
        """Number of distinct tokens with GPT-2's vocabulary."""
        return self.under[0].unique


@dataclass(frozen=True)
class TextRefused:
    """Reason why a text cannot be used."""

    name: str
    words: str


@dataclass(frozen=True)
class ShareCounted:
    """Number of tokens on each side of the split, or the reason why it cannot be made."""

    share: SplitRequest
    train_tokens: int = 0
    val_tokens: int = 0
    problem: str = ""


@dataclass(frozen=True)
class TextStarted:
    """Item that precedes the reading of a text; an empty name precedes the counting of the split."""

    name: str


def measure(task: Task, request: TextsRequest) -> None:
    """Measure each text, then count the split. The items are the results; progress is in bytes, with a total of 0 while
    a text is only scanned."""
    for name in request.names:
        task.emit(TextStarted(name))
        task.emit(_measured(name, task.report))
    if request.share:
        task.emit(TextStarted(""))
        task.emit(_counted(request.share, task.report))


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
    except Exception as error:  # noqa: BLE001 - every error in a text is shown with the text
        return TextRefused(name, reported(error))


def _tokenised(text: texts.Text, tokenizer: Tokenizer, progress: Progress) -> Tokenised:
    ids = tokens.of(text, tokenizer, progress)
    return Tokenised(
        tokenizer, len(ids), tokens.unique(ids, tokenizer), tokens.byte_count(ids, tokenizer),
        tuple(np.asarray(ids[:SHOWN_TOKENS]).tolist()))


def _counted(share: SplitRequest, progress: Progress) -> ShareCounted:
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


TOKENS_BEFORE, TOKENS_AFTER = 150, 400
"""Numbers of tokens to show before and after a passage."""
MOST_SHOWN = 10_000
"""Maximum number of characters of a passage to search for; a sample has few more."""
HALF = "\ufffd"
"""Replacement for an incomplete character at either end of a passage."""


@dataclass(frozen=True)
class Passage:
    """Passage that a model has copied from the training text of a run; ``run`` is its folder."""

    run: Path
    words: str


@dataclass(frozen=True)
class FoundPassage:
    """First occurrence of a passage.

    Attributes:
        name: name of the text in the list of texts.
        title: name for display.
        ids: tokens around it; those from ``first`` to ``last`` contain it, with whole characters.
        tokenizer: tokenizer of the ids.
        before: number of characters of the text before it.
    """

    name: str
    title: str
    ids: tuple[int, ...]
    first: int
    last: int
    before: int
    tokenizer: Tokenizer


def open_passage(state: AppState, passage: Passage) -> str:
    """Show a passage on the Texts page; return the reason why that is not possible, as a message, or an empty text."""
    state.show_page("texts")
    if state.page != "texts":
        return message("This page is locked by your instructor.")
    state.passage_requested.emit(passage)
    return ""


def find(task: Task, passage: Passage) -> FoundPassage:
    """Find a passage in the training text of its run; return a :class:`FoundPassage`. If there is none, the
    error explains why."""
    run = RunFolder(passage.run)
    found = run_text.texts_of(run, task.report)
    for words in _wanted(passage.words):
        for name, text in found:
            at = _search(text, words, task)
            if at >= 0:
                return _around(name, text, at, len(words), run.tokenizer(), task)
    raise UserError(message("The training text of the run {run} does not have this passage.", run=shown_name(run)))


def _wanted(words: str) -> list[str]:
    """Return the texts to search for: the passage, and the longest part of it between the ends of texts."""
    parts = [part.strip(HALF)[:MOST_SHOWN] for part in (words, *words.split(END_OF_TEXT))]
    return [part for part in (parts[0], max(parts[1:], key=len)) if part]


def _search(text: Text, words: str, task: Task) -> int:
    """Return the position of the first occurrence in a text; -1 if there is none. Searches block by block, since a text
    may be larger than the memory."""
    before, rest = 0, ""
    for block, read in text.blocks():
        task.report(read, text.size)
        here = rest + block
        at = here.find(words)
        if at >= 0:
            return before + at
        kept = min(len(here), len(words) - 1)
        before, rest = before + len(here) - kept, here[len(here) - kept :]
    return -1


def _around(name: str, text: Text, at: int, length: int, tokenizer: Tokenizer, task: Task) -> FoundPassage:
    ids = tokens.of(text, tokenizer, task.report)
    first, final, end = (tokens.token_at(ids, place, tokenizer) for place in (at, at + length - 1, at + length))
    last = max(end, final + 1)  # a token may have several characters, and vice versa
    begin = max(0, first - TOKENS_BEFORE)
    shown = tuple(np.asarray(ids[begin : last + TOKENS_AFTER]).tolist())
    return FoundPassage(name, text.name, shown, first - begin, last - begin, at, tokenizer)
