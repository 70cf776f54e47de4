"""Page of the vocabulary lab: a vocabulary grows merge by merge, and the tokens of the text become fewer."""

from __future__ import annotations

from collections.abc import Sequence

from PySide6.QtWidgets import QWidget

from gptstudio.gui.learn.kit import LabPage
from gptstudio.gui.learn.page_parts import StepBar, TextChoiceBox
from gptstudio.gui.learn.tokens import GROUNDS, shown
from gptstudio.gui.plots.strip import Strip, StripBox
from gptstudio.gui.translation import tr
from gptstudio.gui.widgets.layouts import HeightForWidth, grows, vbox, with_layout
from gptstudio.gui.widgets.tables import LEFT, RIGHT, FullTable, cells_of, headings_of
from gptstudio.i18n import message
from gptstudio.labs.vocabulary import VocabularyAnswer, VocabularyRequest

COLUMNS = (message("Token"), message("Count"), message("Bytes"))
TIPS = (message("The token as text; ␣ is a space"), message("How often the token occurs in the text now"),
        message("Bytes of the token in UTF-8, in hexadecimal digits"))
SIDES = LEFT, RIGHT, LEFT
MOST_ROWS = 200


class Page(LabPage[VocabularyRequest, VocabularyAnswer]):
    """Page of the vocabulary lab. Its display depends on the number of learned merges."""

    def text(self) -> Sequence[QWidget | str]:
        return (
            tr("Where does a vocabulary come from? Byte pair encoding begins with the 256 bytes. It counts all pairs "
               "of neighbours in the text and makes the most frequent pair a new token; then it counts again."),
            tr("Every merge makes the text shorter and the vocabulary larger. The first merges save hundreds of "
               "tokens, the last ones two or three. GPT-2 stopped after 50,000 merges of 40 GB of text."),
            tr("A model of your own text can have such a vocabulary: choose Vocabulary in the Model panel on Train."))

    def make_stage(self) -> QWidget:
        self.choice = TextChoiceBox(self, tr("The text that the merges are learned from"))
        self.steps = StepBar(
            "lab_vocabulary_merges", tr("Merges learned"), tr("Previous merge"), tr("Next merge"),
            lambda step: self.update_request(step=step))
        self.counted = self.sentence("lab_vocabulary_counted", self._counts)
        self.strip = Strip("lab_vocabulary_strip", tr("Beginning of the text as tokens"))
        self.explain(self.strip, self._words_of)
        self.table = FullTable(
            "lab_vocabulary_tokens", tr("Tokens of the vocabulary, the most frequent first"), (6, 12))
        return with_layout(HeightForWidth(), vbox(
            self.choice, self.steps, self.counted, self.strip, grows(self.table)))

    def show_answer(self, answer: VocabularyAnswer) -> None:
        self.choice.show_missing(answer.missing)
        self.steps.show_step(answer.step, len(answer.learned), self._title(answer))
        new = answer.last.token if answer.last else b""
        self.strip.show_boxes([_box(answer, index, new) for index in range(len(answer.shown))])
        self._show_vocabulary(answer, new)

    def _counts(self, answer: VocabularyAnswer) -> str:
        return tr(
            "Tokens of the text: {tokens} (bytes: {bytes})  ·  bytes per token: {ratio}  ·  vocabulary: {size} tokens",
            tokens=f"{answer.tokens:,}", bytes=f"{answer.text_bytes:,}", size=f"{answer.size:,}",
            ratio=f"{answer.text_bytes / max(1, answer.tokens):.2f}")

    def _title(self, answer: VocabularyAnswer) -> str:
        if answer.last is None:
            return tr("No merge yet: every byte is a token.")
        return tr("Merge {n} of {all}: “{left}” + “{right}” → “{token}”, {count} times in the text", n=answer.step,
                  all=len(answer.learned), left=shown(answer.last.left), right=shown(answer.last.right),
                  token=shown(answer.last.token), count=f"{answer.last.count:,}")

    def _words_of(self, index: int) -> str:
        token, _ = self.answer.shown[index]
        return tr("“{token}”, {count} times in the text", token=shown(token),
                  count=f"{dict(self.answer.counts).get(token, 0):,}")

    def _show_vocabulary(self, answer: VocabularyAnswer, new: bytes) -> None:
        rows = answer.counts[:MOST_ROWS]
        if new and all(token != new for token, _ in rows):
            rows = (*rows[:-1], (new, dict(answer.counts).get(new, 0)))
        self.table.show_rows(
            headings_of(COLUMNS, SIDES, TIPS),
            [cells_of((shown(token), f"{count:,}", token.hex(" ").upper()), SIDES, strong=token == new)
             for token, count in rows])


def _box(answer: VocabularyAnswer, index: int, new: bytes) -> StripBox:
    token, word = answer.shown[index]
    joined = index + 1 < len(answer.shown) and answer.shown[index + 1][1] == word
    return StripBox(shown(token), fill=GROUNDS[word % 2], joined=joined, frame="accent" if token == new else "")
