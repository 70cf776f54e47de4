"""Passages of training texts that a model has copied: asked for on any page, and found again for the Texts page."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path

import numpy as np

from gptstudio.app.state import AppState
from gptstudio.app.tasks import Task, Work
from gptstudio.data import tokens
from gptstudio.data.texts import Text
from gptstudio.errors import UserError
from gptstudio.gpt.tokenizer import END_OF_TEXT, Tokenizer
from gptstudio.history.comparison import shown_name
from gptstudio.i18n import message
from gptstudio.training import run_text
from gptstudio.training.run_folder import RunFolder

TOKENS_BEFORE, TOKENS_AFTER = 150, 400
"""Tokens that are shown around a passage."""
MOST_SHOWN = 10_000
"""Characters of a passage that are looked for: a sample has not many more."""
HALF = "\ufffd"
"""In place of a character of which a passage has only some bytes, at its ends."""


@dataclass(frozen=True)
class Passage:
    """Words that a model has copied from the training text of a run; ``run`` is its folder."""

    run: Path
    words: str


@dataclass(frozen=True)
class FoundPassage:
    """A passage where it stands first.

    Attributes:
        name: of the text, as the list of texts has it; ``title``: for display.
        ids: the tokens around it, of which ``first`` to ``last`` have it, with whole characters.
        tokenizer: what the ids stand for.
        before: characters of the text before it.
    """

    name: str
    title: str
    ids: tuple[int, ...]
    first: int
    last: int
    before: int
    tokenizer: Tokenizer


def open_passage(state: AppState, passage: Passage) -> str:
    """Show a passage on the Texts page; return why that is not possible, as a message, or an empty text."""
    state.show_page("texts")
    if state.page != "texts":
        return message("This page is locked by your instructor.")
    state.passage_requested.emit(passage)
    return ""


def find(passage: Passage) -> Work:
    """Find a passage in the training text of its run; the result is a :class:`FoundPassage`, or the error tells why
    there is none."""

    def work(task: Task) -> FoundPassage:
        run = RunFolder(passage.run)
        found = run_text.texts_of(run, task.report)
        for words in _wanted(passage.words):
            for name, text in found:
                at = _search(text, words, task)
                if at >= 0:
                    return _around(name, text, at, len(words), run.tokenizer(), task)
        raise UserError(message("The training text of the run {run} does not have this passage.", run=shown_name(run)))

    return work


def _wanted(words: str) -> list[str]:
    """Return what to look for: the passage, or of one that goes over the end of a text its longest part."""
    parts = [part.strip(HALF)[:MOST_SHOWN] for part in (words, *words.split(END_OF_TEXT))]
    return [part for part in (parts[0], max(parts[1:], key=len)) if part]


def _search(text: Text, words: str, task: Task) -> int:
    """Return the first character of the words in a text; -1 where it does not have them. Block by block, since a text
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
    last = max(end, final + 1)  # a token may have several characters, and the reverse
    begin = max(0, first - TOKENS_BEFORE)
    shown = tuple(np.asarray(ids[begin : last + TOKENS_AFTER]).tolist())
    return FoundPassage(name, text.name, shown, first - begin, last - begin, at, tokenizer)
