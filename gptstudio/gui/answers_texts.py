"""Information about texts: requested by the Texts tab, computed on a separate thread, applied by the tab."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from gptstudio.data import texts, tokens
from gptstudio.data.encodings import Progress
from gptstudio.errors import UserError
from gptstudio.gui.worker import Job, Post, attempt
from gptstudio.training import corpus
from gptstudio.training.control import Control
from gptstudio.training.spec import TrainSpec

SHOWN_TOKENS = 800
"""Tokens of a text's beginning that are shown."""


@dataclass(frozen=True)
class Split:
    """Texts to train on, and how they are split in two."""

    texts: tuple[str, ...]
    split: str
    train_ratio: float


@dataclass(frozen=True)
class TextsRequest:
    """Texts to measure, and a share of them to count; ``control`` stops it."""

    names: tuple[str, ...]
    share: Split | None
    control: Control


@dataclass(frozen=True)
class TextMeasured:
    """One text in figures. ``name`` is what was asked for; ``first_ids`` are its first tokens."""

    name: str
    text: texts.Text
    tokens: int
    unique: int
    first_ids: tuple[int, ...]


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
class Tokenising:
    """Bytes so far; ``total`` is 0 while a text is only looked through."""

    name: str
    done: int
    total: int


@dataclass(frozen=True)
class TextsMeasured:
    """All that was asked for was answered, unless it was stopped."""


class _Stopped(UserError):
    pass


def measure_texts(request: TextsRequest) -> Job:
    """Measures each text, then the share; ends with one :class:`TextsMeasured`, whatever happens."""

    def watch(name: str, post: Post) -> Progress:
        def progress(done: int, total: int) -> None:
            if request.control.stopping:
                raise _Stopped
            post(Tokenising(name, done, total))

        return progress

    def job(post: Post) -> None:
        try:
            for name in request.names:
                post(_measured(name, watch(name, post)))
            if request.share:
                post(_counted(request.share, watch("", post)))
        except _Stopped:
            pass
        finally:
            post(TextsMeasured())

    return job


def _measured(name: str, progress: Progress) -> TextMeasured | TextRefused:
    def measured() -> TextMeasured:
        text = texts.read(name, progress)
        ids = tokens.of(text, progress)
        return TextMeasured(name, text, len(ids), tokens.unique(ids), tuple(np.asarray(ids[:SHOWN_TOKENS]).tolist()))

    return attempt(measured, lambda words: TextRefused(name, words), _Stopped)


def _counted(share: Split, progress: Progress) -> ShareCounted:
    def counted() -> ShareCounted:
        spec = TrainSpec.make(text=share.texts, split=share.split, train_ratio=share.train_ratio)
        found = corpus.read(spec, progress)
        return ShareCounted(share, len(found.train_ids), len(found.val_ids))

    return attempt(counted, lambda words: ShareCounted(share, problem=words), _Stopped)
