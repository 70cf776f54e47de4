"""Page of the n-gram lab: losses of the tables, fractions of contexts that they have seen, and a generated text."""

from __future__ import annotations

import math
from collections.abc import Sequence

from PySide6.QtWidgets import QWidget

from gptstudio.gui.learn.kit import LabPage
from gptstudio.gui.learn.page_parts import TextChoiceBox
from gptstudio.gui.plots.bar_list import Bar, BarList, BarRow, Bars
from gptstudio.gui.translation import joined, percent, tr
from gptstudio.gui.widgets.layouts import FREE, HeightForWidth, grows, hbox, vbox, with_layout
from gptstudio.gui.widgets.parts import label, named
from gptstudio.gui.widgets.text_views import SelectableText
from gptstudio.history.copied_words import copied_words
from gptstudio.labs.ngrams import NgramsAnswer, NgramsRequest


class Page(LabPage[NgramsRequest, NgramsAnswer]):
    """Page of the n-gram lab: bars for n from 1 to 4, and the text of the chosen table below them."""

    def text(self) -> Sequence[QWidget | str]:
        return (
            tr("A table of n-grams counts in a text which token follows which n − 1 tokens, and looks it up. It has no "
               "weights. Where it has not seen the n − 1 tokens, it uses the shorter context, down to single tokens."),
            tr("A longer context makes the table more exact and more often silent: it has never seen most contexts. A "
               "GPT shares what it learned between similar contexts, so it can also use one that it has never seen."),
            tr("The tables count the first nine tenths of the text; their loss is that of the last tenth. A model that "
               "is trained on the text must be below it to have learned more than counting."))

    def make_stage(self) -> QWidget:
        self.choice = TextChoiceBox(self, tr("The text whose n-grams are counted"))
        self.counted = self.sentence("lab_ngrams_counted", lambda answer: tr(
            "Tokens counted: {tokens}  ·  tokens of the validation text: {validation}",
            tokens=f"{answer.tokens:,}", validation=f"{answer.val_tokens:,}"))
        self.losses = BarList("lab_ngrams_losses", tr("Validation loss of each table"))
        self.seen = BarList("lab_ngrams_seen", tr("Share of the contexts that each table has seen"))
        self.title_of_text = self.sentence("lab_ngrams_title_of_text", lambda _: tr(
            "Text of the table with n = {n}", n=self.request.order), "heading")
        self.copied = self.sentence("lab_ngrams_copied", lambda answer: joined(
            "  ·  ", tr(copied_words(answer.copied_share, answer.longest)), tr(
                "underlined: stretches of five or more tokens that occur word for word in the counted text")), "muted")
        self.generated = named(SelectableText(), "lab_ngrams_generated", tr("The generated text"))
        self.generated.setMinimumHeight(6 * self.generated.fontMetrics().lineSpacing())
        columns = (with_layout(QWidget(), vbox(label(title, "heading"), bars, FREE)) for title, bars in (
            (tr("Validation loss, nats per token"), self.losses), (tr("Contexts that it has seen"), self.seen)))
        tables = hbox(*map(grows, columns), spacing=24)
        return with_layout(HeightForWidth(), vbox(
            self.choice, self.counted, tables, self.title_of_text, self.copied, grows(self.generated)))

    def show_answer(self, answer: NgramsAnswer) -> None:
        self.choice.show_missing(answer.missing)
        self.losses.show_bars(Bars(self._rows(
            answer, [Bar(each.loss, f"{each.loss:.3f}") for each in answer.tables]), number=lambda loss: f"{loss:.1f}"))
        self.seen.show_bars(Bars(self._rows(answer, [
            Bar(None, "–") if math.isnan(each.seen) else Bar(each.seen, percent(each.seen), "validation")
            for each in answer.tables]), longest=1.0))
        self.generated.show_ids(answer.ids, answer.given, answer.copied)

    def _rows(self, answer: NgramsAnswer, bars: Sequence[Bar]) -> list[BarRow]:
        return [BarRow(f"n = {each.order}", (bar,), strong=each.order == self.request.order)
                for each, bar in zip(answer.tables, bars, strict=True)]
