"""Result of a comparison: two texts as tokens, position by position, and the candidates of both sides at one position.

The bars of the candidates grow outwards from the names of the tokens in the middle. Above them is the number of
effective choices of each model; a token removed by a sampling stage has a hollow bar.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from typing import Literal

from PySide6.QtCore import QPointF, QRect, QRectF, QSize, Qt
from PySide6.QtGui import QFontMetrics, QGuiApplication, QPainter, QPen, QResizeEvent
from PySide6.QtWidgets import QHBoxLayout, QSizePolicy, QWidget

from gptstudio.gpt.sampling import STAGES
from gptstudio.gpt.tokenizer import GPT2, Tokenizer, visible_text
from gptstudio.gui.canvas.canvas import ENDS, KEYS, Swatch
from gptstudio.gui.canvas.tokens import ChosenBoxes
from gptstudio.gui.canvas.writing import CENTRE, LEFT, rounded, write
from gptstudio.gui.generate.comparison.alignment import (
    AlignedPosition,
    Alignment,
    GeneratedToken,
    TokenProbability,
    TokenShares,
)
from gptstudio.gui.generate.stages import stage_texts
from gptstudio.gui.model_names import display_name
from gptstudio.gui.plots.bar_list import Bar, BarList, BarRow, Bars
from gptstudio.gui.theme import colour
from gptstudio.gui.translation import joined, percent, tr
from gptstudio.gui.widgets.layouts import (
    CompactReflow,
    HeightForWidth,
    card,
    centred,
    grows,
    hbox,
    in_column,
    vbox,
    with_layout,
)
from gptstudio.gui.widgets.parts import Notice, button, label, plain, scrolling
from gptstudio.i18n import bits, message
from gptstudio.inference.score_stats import ScoreStats
from gptstudio.training.events import Ended, Event, PhaseChanged, PromptRead, TokenRead, Warned

NAMES = (message("Left"), message("Right"))
COLOURS = ("training", "validation")
"""Theme colours of the two sides, distinguishable with any colour vision."""


def side_swatch(side: int) -> Swatch:
    def paint(painter: QPainter, _place: QRectF, _letter: int) -> None:
        rounded(painter, QRectF(0.5, 0.5, 10, 10), 2, colour(COLOURS[side], 0.5), colour(COLOURS[side]))

    return Swatch(paint, 11, 11, pixels=True)


PLACE = {True: message("New token {n}"), False: message("Group {n} of new tokens")}
PARTED = {
    True: message("They diverge at new token {n}: {left} and {right}"),
    False: message("They diverge at group {n} of new tokens: {left} and {right}"),
}
SAME = {
    True: message("{k} of {n} tokens the same"), False: message("{k} of {n} groups of tokens the same"),
}
"""Sentences by :attr:`Alignment.by_token`: with two tokenizers, a column is a group of tokens with the same bytes."""


def _place(alignment: Alignment, index: int) -> str:
    """Return the name of a column, counted from 1."""
    return tr(PLACE[alignment.by_token], n=f"{index + 1:,}")


GAP, PAD = 4.0, 6.0
LEAST = 26.0
"""Minimum width of a column, at which its bar is still visible."""


class AlignedStrip(ChosenBoxes):
    """Strip of the columns, laid out like text; emits the chosen one. The items are the columns, by their index."""

    moves = (KEYS.Key_Left, KEYS.Key_Right, *ENDS)

    def __init__(self) -> None:
        super().__init__(
            "pair_strip", tr("Both texts as tokens, one above the other; use the arrow keys to select a position"))
        self._alignment = Alignment()
        self._box = self._bar = 0  # heights of a box, and of a bar of 1 bit
        self._gutter = 0.0  # width of the captions to the left of each line
        self.setSizePolicy(QSizePolicy.Policy.Expanding, QSizePolicy.Policy.MinimumExpanding)
        self.remeasure()

    def show_alignment(self, alignment: Alignment, first: int = 0) -> None:
        """Show the columns of an alignment; those before ``first`` are unchanged."""
        self._alignment = alignment
        if self.item is not None and self.item >= first:
            self.item = None
        self._lay_out(first)

    def table(self) -> Sequence[Sequence[str]]:
        """Return a row for each column: its number, both tokens, and the distance in bits."""
        return [
            (f"{number}", *map(_shown, column.cells), "" if column.distance is None else bits(column.distance, 3))
            for number, column in enumerate(self._alignment.columns, 1)
        ]

    def words(self, index: int) -> str:
        column = self._alignment.columns[index]
        lines = [_place(self._alignment, index)]
        lines += [
            tr("{side}:  {words}", side=tr(NAMES[side]), words=self._side_words(side, cell))
            for side, cell in enumerate(column.cells)
        ]
        if column.distance is not None:
            lines.append(tr("Distance: {bits} bits", bits=bits(column.distance, 3)))
        return joined("\n", *lines)

    def _side_words(self, side: int, cell: GeneratedToken | None) -> str:
        if cell is None:
            return tr("the text has ended") if self._alignment.ends[side] else tr("nothing yet")
        return tr(
            "{token}   ID {id}, sampled with probability {p}, surprisal {bits} bits", token=cell.text,
            id=", ".join(f"{each:,}" for each in cell.ids), p=percent(cell.probability), bits=bits(cell.surprise_bits))

    def sizeHint(self) -> QSize:
        return QSize(300, round(self._layout.bottom - (2 * GAP if len(self._layout) else 0)))

    def minimumSizeHint(self) -> QSize:
        return QSize(200, self.sizeHint().height())

    def resizeEvent(self, _event: QResizeEvent) -> None:
        self.remeasure()

    def remeasure(self) -> None:
        metrics = QFontMetrics(self.font())
        self._box, self._bar = round(metrics.height() * 1.4), round(metrics.height() * 1.3)
        self._gutter = max(map(metrics.horizontalAdvance, _gutter_words())) + 2 * GAP
        height = 2 * self._box + self._bar + 2 * GAP
        self._layout.set_sizes(self.width(), height + 3 * GAP, height, GAP, self._gutter, GAP)
        self._lay_out(0)

    def _lay_out(self, first: int) -> None:
        """Lay out the columns from index ``first``."""
        metrics = QFontMetrics(self.font())
        self._layout.cut(first)
        for column in self._alignment.columns[len(self._layout) :]:
            widest = max(metrics.horizontalAdvance(_shown(cell)) for cell in column.cells)
            self._layout.add([(max(LEAST, widest + 2 * PAD), False)])
        self.setMinimumHeight(self.sizeHint().height())
        self.updateGeometry()
        self.update()

    def refresh(self, *_items: int | None) -> None:
        """Do nothing: a column looks the same under the pointer."""

    def paint(self, painter: QPainter, region: QRect) -> None:
        top = None
        for index in self._layout.within(region.top(), region.bottom()):
            place = self._layout.place(index)
            if place.top() != top:
                top = place.top()
                for row, words in enumerate(_gutter_words()):
                    area = QRectF(2, top + row * (self._box + GAP), self._gutter, self._bar if row == 2 else self._box)
                    write(painter, area, words, LEFT, "muted")
            self._paint_column(painter, index, place)

    def _paint_column(self, painter: QPainter, index: int, place: QRectF) -> None:
        column, box = self._alignment.columns[index], self._box
        if index == self.current:
            edge = QPen(colour("accent"), 2 if self.hasFocus() else 1.5)
            rounded(painter, place.adjusted(-2, -2, 2, 2), 5, colour("accent", 0.10), edge)
        for side, cell in enumerate(column.cells):
            area = QRectF(place.left(), place.top() + side * (box + GAP), place.width(), box)
            self._paint_cell(painter, side, cell, column, area)
        bar = QRectF(place.left(), place.top() + 2 * (box + GAP), place.width(), self._bar)
        self._paint_bar(painter, index, column, bar)
        if index == self._alignment.parted:
            painter.setPen(QPen(colour("text"), 1.6, Qt.PenStyle.DotLine))
            left = place.left() - GAP / 2
            painter.drawLine(QPointF(left, place.top() - 2), QPointF(left, place.bottom() + 2))

    def _paint_cell(
        self, painter: QPainter, side: int, cell: GeneratedToken | None, column: AlignedPosition, area: QRectF,
    ) -> None:
        area = area.adjusted(0.5, 0.5, -0.5, -0.5)
        if cell is None:
            rounded(painter, area, 4, edge=QPen(colour("line"), 1, Qt.PenStyle.DashLine))
            return
        if column.equal:
            rounded(painter, area, 4, colour("line", 0.45))
        else:
            rounded(painter, area, 4, colour(COLOURS[side], 0.14), QPen(colour(COLOURS[side]), 1.4))
        write(painter, area, _shown(cell), CENTRE, width=area.width())

    def _paint_bar(self, painter: QPainter, index: int, column: AlignedPosition, area: QRectF) -> None:
        painter.fillRect(area, colour("line", 0.3))
        if column.distance is not None:
            parted = self._alignment.parted
            paint = colour("accent") if parted is None or index <= parted else colour("muted", 0.6)
            height = area.height() * min(1.0, column.distance)
            painter.fillRect(QRectF(area.left(), area.bottom() - height, area.width(), height), paint)


def _gutter_words() -> tuple[str, str, str]:
    return tr(NAMES[0]), tr(NAMES[1]), tr("0–1 bit")


def _shown(cell: GeneratedToken | None) -> str:
    return cell.text if cell else ""


TIP = message(
    "The candidates on each side. Effective choices (2^entropy): first for the model alone, then after all sampling "
    "settings. Dot: the token this side sampled.")


def candidate_bars(column: AlignedPosition | None) -> Bars:
    """Return the bars of a position, on one scale for both sides."""
    if column is None or not column.candidates:
        return Bars()
    shares = tuple(
        Bar(None, percent(share)) if cell else None
        for cell, share in zip(column.cells, column.other_shares, strict=True))
    return Bars([
        _choices(column, tr("effective choices"), "plain_entropy_bits"),
        _choices(column, tr("after sampling"), "entropy_bits"),
        *(_row(column, each) for each in column.candidates),
        BarRow(tr("{n} others", n=f"{column.others:,}"), shares, quiet=True)], mirrored=True)


def cutting(column: AlignedPosition | None) -> list[str]:
    """Return the stages that removed a candidate, in their usual order."""
    found = {share.cut_by for each in (column.candidates if column else ()) for share in each.shares if share}
    return [stage for stage in STAGES if stage in found]


def _row(column: AlignedPosition, candidate: TokenShares) -> BarRow:
    sampled = [
        cell is not None and cell.ids[0] == token for cell, token in zip(column.cells, candidate.ids, strict=True)]
    before, behind = ("● " if each else "" for each in sampled)
    figures = (probability_text(share) if share else tr("nothing") for share in candidate.shares)
    return BarRow(f"{before}{candidate.text}{behind and ' ●'}", tuple(
        Bar(_length(share), percent(_length(share)), ink, 0.95 if drew else 0.45, bool(share.cut_by), drew)
        if share else None for share, ink, drew in zip(candidate.shares, COLOURS, sampled, strict=True)),
        words=joined(" ", candidate.text, joined(", ", *figures)))


def probability_text(share: TokenProbability) -> str:
    """Return a token's probability; if a stage removed it, the original probability and the stage."""
    if share.cut_by is None:
        return percent(share.probability)
    return tr("{p}, removed by {stage}", p=percent(share.plain), stage=stage_texts.in_text(share.cut_by))


def _choices(column: AlignedPosition, name: str, bits: Literal["plain_entropy_bits", "entropy_bits"]) -> BarRow:
    """Return the row of the numbers of effective choices (2^entropy) of both sides."""
    counts = [2 ** getattr(cell, bits) if cell else None for cell in column.cells]
    figures = [count and (f"{count:,.0f}" if count >= 10 else f"{count:.1f}") for count in counts]
    return BarRow(name, tuple(Bar(None, figure) if figure else None for figure in figures), quiet=True)


def _length(share: TokenProbability) -> float:
    """Return the probability that a bar shows."""
    return share.plain if share.cut_by else share.probability


MOST_SHOWN = 12
"""Number of tokens at the end of the prompt that are shown; the totals cover all of them."""


class PromptReading:
    """Probabilities of the tokens of a prompt under the models of both sides, before sampling parameters."""

    def __init__(self, tokenizers: Sequence[Tokenizer]) -> None:
        self._tokenizers = tuple(tokenizers)
        self._read: tuple[list[TokenRead], list[TokenRead]] = [], []

    def take(self, side: int, read: TokenRead) -> None:
        """Add the next token of a side, without its logits."""
        self._read[side].append(read.model_copy(update={"logits": None}))

    @property
    def same_tokens(self) -> bool:
        """True if both sides read the prompt as the same tokens."""
        return self._tokenizers[0] == self._tokenizers[1]

    @property
    def counted(self) -> tuple[Sequence[TokenRead], Sequence[TokenRead]]:
        """The tokens with a probability; with the same tokenizer, those with one on both sides. They are the last ones:
        the first token, and tokens before the context window, have none."""
        left, right = ([each for each in side if each.plain_probability is not None] for side in self._read)
        n = min(len(left), len(right))
        return (left[len(left) - n :], right[len(right) - n :]) if self.same_tokens else (left, right)

    def stats(self, side: int) -> ScoreStats:
        """Return the losses of a side."""
        found = ScoreStats(tokenizer=self._tokenizers[side])
        found.add(self.counted[side])
        return found

    def bars(self) -> Bars:
        """Return the mean loss and the bits per byte of both sides and, with the same tokenizer, the probabilities of
        the last tokens; empty until both have read the prompt."""
        counted = self.counted
        if not all(counted):
            return Bars()
        stats = [self.stats(side) for side in (0, 1)]
        rows = [
            BarRow(name, tuple(Bar(None, f"{loss:.2f}") for loss in losses), quiet=True)
            for name, losses in (
                (tr("nats per token"), [each.bits_per_token * math.log(2) for each in stats]),
                (tr("bits per byte"), [each.bits_per_byte for each in stats]))]
        if self.same_tokens:
            rows += map(self._row, *(side[-MOST_SHOWN:] for side in counted))
        return Bars(rows, mirrored=True)

    def _row(self, *sides: TokenRead) -> BarRow:
        shares = [each.plain_probability or 0.0 for each in sides]
        return BarRow(self._tokenizers[0].visible(sides[0].id), tuple(
            Bar(share, percent(share), ink, 0.6) for share, ink in zip(shares, COLOURS, strict=True)))


PHASES = {"loading": message("Loading the models…"), "generating": message("Generating…")}
REASONS = {"end_of_text": message("the model produced <|endoftext|>"),
           "stop_text": message("the stop text was reached")}
EMPTY_TITLE = message("Two texts from one prompt")
EMPTY = message(
    "Two models, or one model with two settings, continue the same prompt, and you see where their texts diverge and "
    "how far. At each position, both sides use the same random number: every difference comes from the models or their "
    "sampling settings.\n\nStart with one of the buttons above.")
NOTE = message("Bars: Jensen–Shannon divergence. Grey: after the first difference, the contexts differ.")
DISTANCE = message(
    "How far apart the two sampling distributions are, after all stages: 0 bits if they are identical, 1 bit if no "
    "token is possible on both sides")
SURPRISE = message("Mean surprisal of the model's own tokens, before any sampling setting changes their probabilities")
PROMPT_TIP = message(
    "Probability of each token of the prompt after those before it, before any sampling setting changes it. Nats per "
    "token: the mean loss (negative log-likelihood). It and the bits per byte count all tokens of the prompt that both "
    "sides read.")
CUT = message("Hollow: probability before {stages} removed it.")
LEAST_LINES = 11
"""Minimum height of the strip in lines of plain text: both sides and their distance, twice."""

WIDE = 72
"""Minimum width of the page, in heights of a letter, to show the candidates next to the texts."""
PROMPT_CHARACTERS = 60
"""Number of characters at the end of the prompt that are shown."""


class CompareView(QWidget):
    """View of a comparison, updated by events of the sides 0 and 1."""

    def __init__(self) -> None:
        super().__init__()
        self.alignment = Alignment()
        self.reading = PromptReading((GPT2, GPT2))
        self._over = False
        self._follow = True  # show the newest position until one is chosen
        self._make_parts()
        self._lay_out()
        self._show_parts()

    def begin(self, titles: tuple[str, str], tokenizers: tuple[Tokenizer, Tokenizer]) -> None:
        """Empty the view for new texts, with titles that distinguish the sides."""
        self.alignment, self._over, self._follow = Alignment(*tokenizers), False, True
        self.reading = PromptReading(tokenizers)
        for made, title in zip(self.titles, titles, strict=True):
            made.setText(title)
        self.notice.setText("")
        self.phase.setText("")
        self.strip.show_alignment(self.alignment)
        self._show_reading()
        self.show_position(None)
        self._show_parts()

    def take(self, events: Sequence[tuple[int, Event]]) -> None:
        """Process a list of events, and update the view once."""
        if not events:
            return
        first = len(self.alignment.columns)
        for side, event in events:
            written = self.alignment.take(side, event)
            first = first if written is None else min(first, written)
            self._add_event(side, event)
        self.strip.show_alignment(self.alignment, first)
        self._show_totals()
        if any(isinstance(event, TokenRead) for _, event in events):
            self._show_reading()
        self._show_parts()
        if self._follow and self.alignment.columns:
            # The newest position; at the end, the first difference.
            parted = self.alignment.parted if self._over else None
            self._go_to(len(self.alignment.columns) - 1 if parted is None else parted)
        else:  # waiting tokens may have been merged into one column
            here, last = self.strip.current, len(self.alignment.columns) - 1
            self.show_position(here if here is None or here <= last else last)

    def show_position(self, index: int | None) -> None:
        self.strip.choose(index)
        column = None if index is None else self.alignment.columns[index]
        self.column = column
        self.bars.show_bars(candidate_bars(column))
        stages = joined(tr(" or "), *map(stage_texts.in_text, cutting(column)))
        self.cut.setText(tr(CUT, stages=stages) if stages else "")
        if column is None or index is None:
            self.bars_title.setText("")
            return
        left, right = (
            f"“{cell.text}” ({percent(cell.probability)})" if cell else tr("nothing") for cell in column.cells)
        place = _place(self.alignment, index)
        words = tr("{place}: {left} and {right}", place=place, left=left, right=right)
        if column.distance is not None:
            words = tr("{place}: {left} and {right}, distance {bits} bits", place=place, left=left, right=right,
                       bits=bits(column.distance, 3))
        self.bars_title.setText(words)

    def _clicked(self, index: int) -> None:
        self._follow = False
        self._go_to(index)

    def _go_to(self, index: int) -> None:
        self.show_position(index)
        place = self.strip.place(index)
        self.strip_scroll.ensureVisible(
            round(place.center().x()), round(place.center().y()), 0, round(place.height() / 2) + 6)

    def _add_event(self, side: int, event: Event) -> None:
        match event:
            case PhaseChanged():
                self.phase.setText(tr(PHASES[event.phase]) if event.phase in PHASES else "")
            case PromptRead():
                # the full name, with the step after which the model was copied
                self.titles[side].setToolTip(plain(display_name(event.model)))
                self.prompt.setText(_read(self.alignment.prompt, self.alignment.prompts))
                if event.dropped:
                    self.notice.add(tr(
                        "{side}: the prompt is longer than the context length. Prompt tokens the model does not see: "
                        "{n}.", side=tr(NAMES[side]), n=f"{event.dropped:,}"))
            case TokenRead():
                self.reading.take(side, event)
            case Warned():
                self.notice.add(tr("{side}:  {words}", side=tr(NAMES[side]), words=tr(event.message)))
            case Ended():
                self.alignment.close()
                self._over = True
                self.phase.setText(tr("Stopped.") if event.outcome == "stopped" else "")
                if event.outcome == "failed":
                    self.notice.setText(tr(event.message))

    def _show_totals(self) -> None:
        alignment = self.alignment
        self.verdict.setText(self._verdict())
        totals = [
            tr(SAME[alignment.by_token], k=f"{alignment.equal:,}", n=f"{len(alignment.columns):,}"),
            tr("mean distance {bits} bits", bits=bits(alignment.mean_distance())),
        ]
        if alignment.parted is not None:
            totals.append(tr("{bits} bits before they diverge", bits=bits(alignment.mean_distance(same_text=True))))
        self.totals.setText(joined("  ·  ", *totals))
        for side, made in enumerate(self.surprises):
            made.setText(tr("mean surprisal {bits} bits", bits=bits(alignment.mean_surprise(side))))
        ended = [
            tr("{side}: {reason}. New tokens: {n}.", side=tr(NAMES[side]), n=f"{alignment.count(side):,}",
               reason=tr(REASONS[end.reason]))
            for side, end in enumerate(alignment.ends) if end
        ]
        self.ended.setText(joined("\n", *ended))

    def _show_reading(self) -> None:
        bars = self.reading.bars()
        self.prompt_bars.show_bars(bars)
        for each in (self.prompt_title, self.prompt_bars):
            each.setVisible(bool(bars.rows))

    def _verdict(self) -> str:
        """Return a message about the token at which the texts diverge."""
        alignment, running = self.alignment, not self._over
        if alignment.parted is None:
            words = tr("Same text so far") if running else tr("Both texts are the same")
            return words if alignment.columns else ""
        cells = alignment.columns[alignment.parted].cells
        left, right = (f"“{cell.text}”" if cell else tr("the end of its text") for cell in cells)
        return tr(PARTED[alignment.by_token], n=f"{alignment.parted + 1:,}", left=left, right=right)

    def _show_parts(self) -> None:
        """Show the result, or a hint before there is one."""
        shown = bool(self.alignment.columns)
        self.texts.setVisible(shown)
        self.choices.setVisible(shown)
        self.empty.setVisible(not shown)

    def _copy(self) -> None:
        texts = [self.alignment.text(side) for side in (0, 1)]
        both = (f"{made.text()}:\n{text}" for made, text in zip(self.titles, texts, strict=True))
        QGuiApplication.clipboard().setText("\n\n".join(both))

    def _make_parts(self) -> None:
        self.verdict = label(role="heading", name="pair_verdict", wrap=True)
        self.totals = label(name="pair_totals", wrap=True)
        self.phase = Notice("pair_phase", "muted")
        self.copy = button(tr("Copy"), "pair_copy", tr("Copies both texts"), "quiet", self._copy)
        self.titles = [label(name=f"pair_title_{side}", wrap=True) for side in (0, 1)]
        self.surprises = [label(role="muted", name=f"pair_surprise_{side}", wrap=True) for side in (0, 1)]
        for made in self.surprises:
            made.setToolTip(tr(SURPRISE))
        self.prompt = label(role="muted", name="pair_prompt", wrap=True)
        self.strip = AlignedStrip()
        self.strip.chosen.connect(self._clicked)
        self.note = label(tr(NOTE), "muted", "pair_note", wrap=True)
        self.note.setToolTip(tr(DISTANCE))
        self.ended = Notice("pair_ended", "notice")
        self.notice = Notice("pair_notice")
        self.bars = BarList(
            "mirrored_bars", tr("The most likely tokens of both sides and their probabilities"))
        self.bars.setToolTip(tr(TIP))
        self.bars_title = label(role="heading", name="pair_bars_title", wrap=True)
        self.cut = Notice("pair_cut", "muted")
        self.prompt_title = label(tr("The prompt, read by both sides"), "heading", "pair_prompt_title", wrap=True)
        self.prompt_bars = BarList("pair_prompt_bars", tr("The probabilities that both sides give to the prompt"))
        self.prompt_bars.setToolTip(tr(PROMPT_TIP))

    def _lay_out(self) -> None:
        texts, self.choices = self._texts_card(), card(
            in_column(
                HeightForWidth(), self.bars_title, self.bars, self.cut,
                vbox(self.prompt_title, margins=(0, 8, 0, 0)), self.prompt_bars, spacing=8), name="pair_choices")
        with_layout(self, vbox(CompactReflow(texts, self.choices, stretch=(texts,), spacing=8, least=WIDE)))

    def _texts_card(self) -> QWidget:
        title, hint = label(tr(EMPTY_TITLE), "heading", wrap=True), label(tr(EMPTY), "muted", "pair_words", wrap=True)
        self.empty = centred(HeightForWidth(), title, hint)
        self.strip_scroll = scrolling(self.strip, "pair_strip_scroll", lines=LEAST_LINES)
        self.texts = with_layout(HeightForWidth(), vbox(
            hbox(grows(self.verdict), self.copy),
            self.totals,
            hbox(*(grows(self._legend_of(side)) for side in (0, 1)), spacing=16),
            self.prompt, grows(self.strip_scroll), self.note, self.ended, spacing=8))
        inside = with_layout(
            HeightForWidth(), vbox(grows(self.empty), grows(self.texts), self.phase, self.notice, spacing=8))
        return card(grows(inside), name="pair_card")

    def _legend_of(self, side: int) -> QHBoxLayout:
        words = in_column(HeightForWidth(), self.titles[side], self.surprises[side], spacing=0)
        return hbox(side_swatch(side), grows(words), spacing=8)


def _read(prompt: str, tokens: Sequence[int]) -> str:
    """Return a line with the prompt, or the end of a long one, and its number of tokens on each side."""
    words = visible_text(prompt).replace("␣", " ")
    shown = words if len(words) <= PROMPT_CHARACTERS else "…" + words[-PROMPT_CHARACTERS:]
    left, right = tokens
    if left and right and left != right:
        return tr("Both continue the same prompt ({n} tokens on the left, {m} on the right): “{words}”",
                  n=f"{left:,}", m=f"{right:,}", words=shown)
    if max(left, right) == 1:
        return tr("Both continue the same prompt (1 token): “{words}”", words=shown)
    return tr("Both continue the same prompt ({n} tokens): “{words}”", n=f"{max(left, right):,}", words=shown)
