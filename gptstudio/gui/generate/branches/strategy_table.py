"""Decoding strategies side by side: what each wrote from one prompt, how likely that is, and how much it repeats."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

from PySide6.QtCore import Qt
from PySide6.QtWidgets import QHeaderView, QTableWidget, QTableWidgetItem

from gptstudio.gpt.tokenizer import GPT2, Tokenizer
from gptstudio.gui.appearance import follow
from gptstudio.gui.generate.branches.tree_texts import nats
from gptstudio.gui.translation import joined, percent, tr
from gptstudio.gui.widgets.parts import named, plain
from gptstudio.gui.widgets.quiet_table import quieten
from gptstudio.gui.widgets.token_text import visible_lines
from gptstudio.i18n import message

if TYPE_CHECKING:  # torch stays out of the window
    from gptstudio.inference.beam_search import StrategyText

COLUMNS = (
    message("Strategy"), message("Log-probability (nats)"), message("Per token"), message("Repeats"),
    message("Text"))
NAMES = {"greedy": message("Greedy"), "beam": message("Beam search"), "sampling": message("Sampling")}
TIPS = {
    "greedy": message("Always the most likely token: a beam search of width 1."),
    "beam": message("The best text that the beam search found."),
    "sampling": message("One sample with the sampling settings and the seed of this page."),
}
COLUMN_TIPS = (
    "", message("Sum of the log-probabilities of its tokens under the model itself, without sampling stages"),
    message("The sum divided by the number of tokens"),
    message("Share of its sequences of 4 tokens that occurred in it before (seq-rep-4; Welleck et al., 2020)"), "")
TEXT = len(COLUMNS) - 1
RIGHT = Qt.AlignmentFlag.AlignRight | Qt.AlignmentFlag.AlignVCenter
LEFT = Qt.AlignmentFlag.AlignLeft | Qt.AlignmentFlag.AlignVCenter


class StrategyTable(QTableWidget):
    """One line for each strategy."""

    def __init__(self) -> None:
        super().__init__(0, len(COLUMNS))
        named(self, "strategy_table", tr("Decoding strategies side by side"))
        quieten(self)
        head = self.horizontalHeader()
        head.setSectionResizeMode(QHeaderView.ResizeMode.ResizeToContents)
        head.setSectionResizeMode(TEXT, QHeaderView.ResizeMode.Stretch)
        self._texts: Sequence[StrategyText] = ()
        self._tokenizer: Tokenizer = GPT2
        follow(self, self._fill)
        self._fill()

    def show_texts(self, texts: Sequence[StrategyText], tokenizer: Tokenizer) -> None:
        self._texts, self._tokenizer = texts, tokenizer
        self._fill()

    def _fill(self) -> None:
        for column, (heading, tip) in enumerate(zip(COLUMNS, COLUMN_TIPS, strict=True)):
            item = QTableWidgetItem(tr(heading))
            item.setTextAlignment(RIGHT if 0 < column < TEXT else LEFT)
            item.setToolTip(tr(tip) if tip else "")
            self.setHorizontalHeaderItem(column, item)
        self.setRowCount(len(self._texts))
        for row, text in enumerate(self._texts):
            written = visible_lines(self._tokenizer.decode(list(text.ids)))
            share = text.repetition
            values = (
                tr(NAMES[text.strategy]), nats(text.log_probability), nats(text.mean),
                "–" if share is None else percent(share), written.replace("\n", ""))
            for column, value in enumerate(values):
                item = QTableWidgetItem(value)
                item.setTextAlignment(RIGHT if 0 < column < TEXT else LEFT)
                item.setToolTip(plain(written) if column == TEXT else tr(TIPS[text.strategy]))
                self.setItem(row, column, item)
        self.ensurePolished()
        self.setFixedHeight(self.horizontalHeader().sizeHint().height() + self.verticalHeader().length() + 4)


def sentence(texts: Sequence[StrategyText]) -> str:
    """Return what is seen in the table, in words; empty without texts."""
    if not texts:
        return ""
    best = max(texts, key=lambda text: text.log_probability)
    sample = next(text for text in texts if text.strategy == "sampling")
    first = tr("The most probable of these texts is by: {name}.", name=tr(NAMES[best.strategy]))
    shares = best.repetition, sample.repetition
    if best is sample or shares[0] is None or shares[1] is None:
        return first
    return joined(
        " ", first, tr(
            "It repeats {share} of its sequences of 4 tokens, the sample {other}.", share=percent(shares[0]),
            other=percent(shares[1])),
        tr("The most probable text is often dull: people do not always choose the most expected word "
           "(Holtzman et al., 2020)."))
