"""Result of scoring a text: figures, each token in its colour, and the most surprising ones."""

from __future__ import annotations

import html
import math
from collections.abc import Sequence

from PySide6.QtCore import QEvent, QSize, Qt, Signal
from PySide6.QtWidgets import QHeaderView, QTableWidget, QTableWidgetItem

from gptstudio.gpt.tokenizer import GPT2, Tokenizer
from gptstudio.gui.appearance import follow
from gptstudio.gui.generate.strip.legend import ColourLegend
from gptstudio.gui.generate.strip.strip_menu import StripMenu
from gptstudio.gui.generate.strip.token_strip import TokenStrip
from gptstudio.gui.translation import percent, tr
from gptstudio.gui.widgets.figures import FigureRow
from gptstudio.gui.widgets.flow import Flow
from gptstudio.gui.widgets.layouts import card, grows, holding, vbox
from gptstudio.gui.widgets.parts import label, named, scrolling
from gptstudio.gui.widgets.quiet_table import quieten
from gptstudio.gui.widgets.reflow import Frugal
from gptstudio.gui.widgets.tall import Tall
from gptstudio.i18n import message
from gptstudio.inference.score_stats import WORST, ScoreStats, surprise, surroundings
from gptstudio.inference.text_tree import Node, Reading
from gptstudio.training.events import TokenRead

CAPTIONS = {
    "tokens": (message("Tokens"), message(
        "The tokens that count: all but the first, which has no preceding text to be predicted from.")),
    "bytes": (message("Bytes"), message("The length of these tokens as plain text in UTF-8.")),
    "bits": (message("Total bits"), message(
        "Total surprisal: the number of bits needed to encode this text for someone who has the same model.")),
    "bits_per_token": (message("Bits per token"), message(
        "Mean surprisal per token. Random guessing among all {n} tokens gives {bits} bits.")),
    "bits_per_byte": (message("Bits per byte"), message(
        "Total bits divided by bytes: a fair comparison even between models with different tokenizers. Plain text "
        "takes 8 bits per byte.")),
    "perplexity": (message("Perplexity"), message(
        "2 to the power of the bits per token: on average, the model was as uncertain as if it chose among this many "
        "equally likely tokens. Random guessing gives {n}.")),
}
"""Captions and tooltips."""
LARGE = 1e8
"""Lower bound of figures that are written in scientific notation."""
LAG = 0.05
"""The share that the strip may lack while the text is read, since showing more takes time by all that is shown."""
LEAST_LETTERS, LEAST_LINES = 46, 10
"""Minimum size of the strip: letters in width, lines of text in height."""
COLUMNS = (message("Bits"), message("Text before"), message("Token"))
BITS, BEFORE, TOKEN = range(3)
RIGHT = Qt.AlignmentFlag.AlignRight | Qt.AlignmentFlag.AlignVCenter
LEFT = Qt.AlignmentFlag.AlignLeft | Qt.AlignmentFlag.AlignVCenter
SIDES = (RIGHT, RIGHT, LEFT)
TABLE_LETTERS, LEAST_TABLE_LETTERS = 46, 34
"""The width that it would like to have, and what it needs."""


class WorstTokens(QTableWidget):
    """Table of the most surprising readings; emits the position of the one that is chosen."""

    chosen = Signal(int)

    def __init__(self) -> None:
        super().__init__(0, len(COLUMNS))
        named(self, "worst_tokens", tr("The most surprising tokens; select one to see it in the text"))
        self._shown: list[TokenRead] = []
        quieten(self, elide=Qt.TextElideMode.ElideLeft)
        self.setHorizontalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)
        head = self.horizontalHeader()
        head.setSectionResizeMode(QHeaderView.ResizeMode.ResizeToContents)
        head.setSectionResizeMode(BEFORE, QHeaderView.ResizeMode.Stretch)
        for place, heading in enumerate(COLUMNS):
            item = QTableWidgetItem(tr(heading))
            item.setTextAlignment(SIDES[place])
            self.setHorizontalHeaderItem(place, item)
        self.itemSelectionChanged.connect(self._emit_position)
        self.cellClicked.connect(self._emit_position)  # also of the selected line: the strip may have been scrolled
        follow(self, self._fit)
        self._fit()

    def clear(self) -> None:
        self._shown = []
        self.setRowCount(0)

    def show_worst(self, worst: Sequence[TokenRead], ids: Sequence[int], tokenizer: Tokenizer) -> None:
        """The readings, the most surprising first, of a text of these tokens."""
        if list(worst) == self._shown:
            return
        chosen = self._position()
        self._shown = list(worst)
        self.blockSignals(True)
        self.setRowCount(len(worst))
        for row, reading in enumerate(worst):
            self._show(row, reading, ids, tokenizer)
        self.blockSignals(False)
        self.choose(chosen)

    def choose(self, position: int | None) -> None:
        """Mark the line of a token, if it has one, without telling."""
        row = next((row for row, each in enumerate(self._shown) if each.position == position), None)
        self.blockSignals(True)
        if row is None:
            self.clearSelection()
            self.setCurrentCell(-1, -1)
        else:
            self.selectRow(row)
        self.blockSignals(False)
        self.viewport().update()

    def sizeHint(self) -> QSize:
        return QSize(self._wide(TABLE_LETTERS), self._height(WORST))

    def minimumSizeHint(self) -> QSize:
        return QSize(self._wide(LEAST_TABLE_LETTERS), self._height(3))

    def _show(self, row: int, reading: TokenRead, ids: Sequence[int], tokenizer: Tokenizer) -> None:
        before, behind = surroundings(ids, reading.position, tokenizer=tokenizer)
        token = tokenizer.visible(reading.id)
        bits = surprise(reading)
        for place, text in enumerate((f"{bits:.1f}" if bits < float("inf") else "∞", before, token)):
            item = QTableWidgetItem(text)
            item.setTextAlignment(SIDES[place])
            item.setToolTip(f"<p>{html.escape(before)}<b>{html.escape(token)}</b>{html.escape(behind)}</p>")
            self.setItem(row, place, item)

    def _position(self) -> int | None:
        row = self.currentRow()
        return self._shown[row].position if 0 <= row < len(self._shown) else None

    def _emit_position(self) -> None:
        position = self._position()
        if position is not None and self.selectedItems():
            self.chosen.emit(position)

    def _wide(self, letters: int) -> int:
        return self.fontMetrics().averageCharWidth() * letters

    def _height(self, lines: int) -> int:
        return self.horizontalHeader().sizeHint().height() + lines * self.verticalHeader().defaultSectionSize() + 4

    def _fit(self) -> None:
        """Lines as high as the text size asks for."""
        self.verticalHeader().setDefaultSectionSize(round(self.fontMetrics().height() * 1.7))
        self.updateGeometry()


class ScoreResult(Tall):
    """Grows as the tokens come. The strip and the list of the worst choose the same token."""

    def __init__(self) -> None:
        super().__init__()
        self._ids: Sequence[int] = ()
        self._nodes: list[Node] = []
        self._totals = ScoreStats()
        self._make_parts()
        self._lay_out()
        self.begin()

    @property
    def count(self) -> int:
        return len(self._nodes)

    def begin(self, tokenizer: Tokenizer = GPT2) -> None:
        """Empty the result for a text. ``tokenizer``: of the model that reads it."""
        self._ids, self._nodes, self._totals = (), [], ScoreStats(tokenizer=tokenizer)
        self.strip.clear()
        self.worst.clear()
        self._show_figures()
        self._show_tips()
        self.choose(None)

    def expect(self, ids: Sequence[int]) -> None:
        self._ids = ids

    def add(self, readings: Sequence[TokenRead]) -> None:
        """Show further tokens, and what all together come to."""
        if not readings:
            return
        self._nodes.extend(Node(each.position, each.position - 1, each) for each in readings)
        self._totals.add(readings)
        shown = len(self.strip.boxes)
        if self.count - shown > shown * LAG:
            self.settle()
        self.worst.show_worst(self._totals.worst, self._ids, self._totals.tokenizer)
        self._show_figures()

    def settle(self) -> None:
        """All that is read is in the strip."""
        self.strip.show_path(self._nodes, 0, self._totals.tokenizer)

    def choose(self, position: int | None) -> None:
        """Mark a token wherever it is shown, and show its details."""
        self.strip.choose(position)
        self.worst.choose(position)
        self.chosen.setText(tr("Click a token for details.") if position is None
                            else self._details(self._nodes[position].reading))
        place = self.strip.place_of(position) if position is not None else None
        if place:
            self.strip_scroll.ensureVisible(round(place.center().x()), round(place.center().y()), 0, 60)

    def _details(self, reading: Reading) -> str:
        values = {
            "token": self._totals.tokenizer.visible(reading.id), "id": f"{reading.id:,}", "n": f"{reading.position:,}",
            "all": f"{len(self._ids):,}",
        }
        if reading.plain_probability is None:
            return tr("{token}  ·  ID {id}  ·  position {n}, {all} tokens: nothing comes before it, so there is no "
                      "prediction.", **values)
        return tr(
            "{token}  ·  ID {id}  ·  position {n}, {all} tokens: surprisal {bits} bits. The model gave it {p}, rank "
            "{rank}; entropy here: {open} bits.",
            bits=_number(surprise(reading)), p=percent(reading.plain_probability), rank=f"{reading.rank:,}",
            open=_number(reading.plain_entropy_bits or 0.0), **values)

    def _show_figures(self) -> None:
        totals = self._totals
        if not totals.tokens:
            self.figures.clear()
            self.guessing.setText("")
            return
        self.figures.show_values(
            tokens=f"{totals.tokens:,}", bytes=f"{totals.bytes:,}", bits=_number(totals.bits, 0),
            bits_per_token=_number(totals.bits_per_token), bits_per_byte=_number(totals.bits_per_byte),
            perplexity=_number(totals.perplexity, 1))
        share = _share(totals.bits_per_token / totals.guessing_bits)
        self.guessing.setText(
            tr("Random guessing among all {n} tokens costs {bits} bits per token. The model needed {share} of that.",
               **self._guessing(), share=share))
        self._show_tips()

    def _guessing(self) -> dict[str, str]:
        return {"n": f"{self._totals.tokenizer.size:,}", "bits": _number(self._totals.guessing_bits)}

    def _show_tips(self) -> None:
        for name, (_, tip) in CAPTIONS.items():
            self.figures.show_tip(name, tr(tip, **self._guessing()))

    def _make_parts(self) -> None:
        self.figures = FigureRow({name: tr(caption) for name, (caption, _) in CAPTIONS.items()}, "score")
        self.guessing = label(role="muted", name="score_guessing", wrap=True)
        self.strip = TokenStrip("score_strip_tokens")
        self.strip.dims_ahead = False
        self.strip.chosen.connect(self.choose)
        self.menu = StripMenu(self.strip)
        self.strip_scroll = scrolling(self.strip, "score_scroll")
        self.chosen = label(role="muted", name="score_chosen", wrap=True)
        self.worst = WorstTokens()
        self.worst.chosen.connect(self.choose)

    def _lay_out(self) -> None:
        head = Flow(label(tr("The text, token by token"), "heading"), ColourLegend(prompt=False), spacing=12)
        self.text_card = card(head, grows(self.strip_scroll), self.chosen, name="score_strip")
        self.worst_card = card(label(tr("Most surprising"), "heading"), grows(self.worst), name="score_worst")
        both = Frugal(self.text_card, self.worst_card, stretch=(self.text_card,), spacing=8)
        holding(self, vbox(card(self.figures, self.guessing, name="score_sums"), grows(both), spacing=8))

    def changeEvent(self, event: QEvent) -> None:
        super().changeEvent(event)
        if event.type() == QEvent.Type.FontChange:
            letter = self.fontMetrics()
            self.strip_scroll.setMinimumSize(LEAST_LETTERS * letter.averageCharWidth(), LEAST_LINES * letter.height())


def _number(value: float, digits: int = 2) -> str:
    """No more digits than one can read."""
    if value < LARGE:
        return f"{value:,.{digits}f}"
    return "∞" if math.isinf(value) else f"{value:.3g}".replace("e+0", "e").replace("e+", "e")


def _share(share: float) -> str:
    return "∞" if math.isinf(share) else f"{share:,.0%}".replace("%", " %")
