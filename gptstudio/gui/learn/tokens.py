"""The page of tokens: a text as pieces with their ids, and one word as it is put together from bytes."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from PySide6.QtCore import QSignalBlocker
from PySide6.QtWidgets import QPlainTextEdit, QWidget

from gptstudio.gpt.tokenizer import GPT2, visible_text
from gptstudio.gui.learn.kit import LabPage
from gptstudio.gui.learn.merge_ladder import MergeLadder, shown
from gptstudio.gui.learn.step_bar import StepBar
from gptstudio.gui.plots.strip import Strip, StripBox
from gptstudio.gui.translation import tr
from gptstudio.gui.widgets.layouts import grows, holding, vbox
from gptstudio.gui.widgets.parts import label, named, scrolling_both_ways
from gptstudio.gui.widgets.tall import Tall
from gptstudio.labs.tokens import BytePiece, TokensAnswer, TokensRequest, words_of

LINES = 2  # of the text, before it scrolls
FIRST_MERGE = 256  # the rank of the first merge that was learned: before it come the single bytes
MERGES = 50_000
SPECIAL = 50_256


GROUNDS = (("accent", 0.18), ("amber", 0.22))
"""Backgrounds of the words, in turn."""


class Page(LabPage):
    """The text above, one word of it below."""

    request: TokensRequest

    def text(self) -> Sequence[QWidget | str]:
        return (
            tr("A model reads numbers. Byte pair encoding splits a text into tokens from a fixed vocabulary; each "
               "token's number is its ID."),
            tr("First the text is split into words, each with the space before it, shown as ␣. A word starts as single "
               "bytes. Of all adjacent pairs, the one whose merge was learned first is merged, again and again, until "
               "no learned merge applies."),
            tr("So no word is unknown: in the worst case it is split into bytes. Type anything, then click a word to "
               "see its merges."))

    def make_stage(self) -> QWidget:
        self.editor = named(QPlainTextEdit(), "lab_tokens_text", tr("Text"))
        self.editor.setTabChangesFocus(True)
        self.editor.textChanged.connect(self._typed)
        self.strip = Strip("lab_tokens_strip", tr("Tokens of the text"))
        self.strip.chosen.connect(self._choose)
        self.explain(self.strip, self._words_of)
        self.counted = label(role="muted", name="lab_tokens_counted", wrap=True)
        self.steps = StepBar("lab_tokens_steps", tr("Merges applied"), tr("Previous merge"), tr("Next merge"))
        self.steps.wanted.connect(lambda step: self.turn(step=step))
        self.next = label(name="lab_tokens_next", wrap=True)
        self.ladder = MergeLadder("lab_tokens_ladder")
        text, word = map(self.controls.problem_of, ("text", "word"))
        self._area = scrolling_both_ways("lab_tokens_ladder_area")
        self._area.setWidget(self.ladder)
        return holding(Tall(), vbox(
            self.editor, text, self.strip, self.counted, word, self.steps, self.next, grows(self._area)))

    def show_answer(self, answer: TokensAnswer) -> None:
        self._write(answer.text)
        chosen = answer.words.index(answer.word) if answer.word in answer.words else -1
        self.strip.show_boxes([_box(answer.pieces, index, chosen) for index in range(len(answer.pieces))])
        self.counted.setText(self._counts(answer))
        self.steps.show_step(answer.step, max(0, len(answer.steps) - 1), self._title(answer))
        self.next.setText(self._next(answer))
        self.ladder.show_steps(answer.steps[: answer.step + 1])
        spoken_of = self.ladder.next_pair().bottomRight()
        self._area.ensureVisible(spoken_of.x(), spoken_of.y())

    def turn(self, **changes: Any) -> None:
        if "text" in changes:
            self._write(changes["text"])
        if changes.keys() & {"text", "special", "word"}:
            now = {**self._values, **changes}
            is_there = isinstance(now["text"], str) and now["word"] in words_of(now["text"], bool(now["special"]))
            changes["word"] = now["word"] if is_there else ""
        super().turn(**changes)
        if self._values["text"] == "":  # no answer comes: what is merged is no longer there
            self.ladder.show_steps(())
            self.next.setText("")
            self.steps.show_step(0, 0, tr("There is no word to show."))

    def _typed(self) -> None:
        text, word = self.editor.toPlainText(), self.request.word
        self.turn(text=text, word=word if word in words_of(text, self.request.special) else "")

    def _choose(self, index: int) -> None:
        if self.answer.pieces[index].id != SPECIAL:
            self.turn(word=self.answer.words[self.answer.pieces[index].word])

    def _write(self, text: str) -> None:
        if text != self.editor.toPlainText():
            with QSignalBlocker(self.editor):
                self.editor.setPlainText(text)

    def _words_of(self, index: int) -> str:
        piece = self.answer.pieces[index]
        if piece.id == SPECIAL:
            return tr("The only special token, ID {id}: it marks the end of a text and is never split or merged.",
                      id=piece.id)
        return tr("{piece}  ·  ID {id}  ·  bytes {bytes}", piece=GPT2.visible(piece.id), id=piece.id,
                  bytes=piece.data.hex(" ").upper())

    def _counts(self, answer: TokensAnswer) -> str:
        counts = {"tokens": len(answer.pieces), "words": len(answer.words), "characters": len(answer.text),
                  "bytes": len(answer.text.encode())}
        counted = tr("Tokens: {tokens}  ·  words: {words}  ·  characters: {characters}  ·  bytes: {bytes}", **counts)
        same = tr("Decoded again: identical to the original text.")
        return f"{counted}\n{same if answer.decoded == answer.text else tr('Decoded again: another text.')}"

    def _title(self, answer: TokensAnswer) -> str:
        if not answer.steps:
            return tr("There is no word to show.")
        return tr("“{word}”, merges applied: {step} of {last}", word=visible_text(answer.word),
                  step=answer.step, last=len(answer.steps) - 1)

    def _next(self, answer: TokensAnswer) -> str:
        step = answer.shown
        if step is None:
            return ""
        if step.pair is None:
            return tr("No learned merge applies any more. Tokens of the word: {pieces}",
                      pieces="  ·  ".join(map(shown, step.pieces)))
        rank, left, right = step.ranks[step.pair] or 0, *step.pieces[step.pair : step.pair + 2]
        return tr("Next, “{left}” and “{right}” are merged into “{both}”: of all adjacent pairs it has the lowest "
                  "rank, {rank}. It was merge {number} of {all} to be learned.", left=shown(left), right=shown(right),
                  both=shown(left + right), rank=rank, number=f"{rank - FIRST_MERGE + 1:,}", all=f"{MERGES:,}")

    def fit_stage(self) -> None:
        super().fit_stage()
        self.editor.ensurePolished()
        line = self.editor.fontMetrics().lineSpacing()
        self.editor.setFixedHeight(LINES * line + 14)
        self._area.setMinimumHeight(9 * line)


def _box(pieces: Sequence[BytePiece], index: int, word: int) -> StripBox:
    """Return the box of a token; ``word``: the word that is chosen, which is underlined."""
    piece, special = pieces[index], pieces[index].id == SPECIAL
    return StripBox(
        GPT2.visible(piece.id), str(piece.id), ("text", 0.85) if special else GROUNDS[piece.word % 2],
        ink="surface" if special else "text", underline="accent" if piece.word == word else "",
        joined=index + 1 < len(pieces) and pieces[index + 1].word == piece.word)
