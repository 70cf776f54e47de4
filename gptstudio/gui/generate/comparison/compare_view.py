"""Result of a comparison: both texts above each other, their divergence, and the candidates at a position."""

from __future__ import annotations

from collections.abc import Sequence

from PySide6.QtCore import QEvent
from PySide6.QtGui import QGuiApplication
from PySide6.QtWidgets import QHBoxLayout, QWidget

from gptstudio.gpt.tokenizer import GPT2, Tokenizer, visible_text
from gptstudio.gui.generate.comparison.aligned_strip import AlignedStrip
from gptstudio.gui.generate.comparison.alignment import Alignment, GeneratedToken
from gptstudio.gui.generate.comparison.candidate_bars import TIP, candidate_bars, cutting
from gptstudio.gui.generate.comparison.prompt_reading import PromptReading
from gptstudio.gui.generate.comparison.side import NAMES, side_swatch
from gptstudio.gui.generate.stages import stage_texts
from gptstudio.gui.model_names import display_name
from gptstudio.gui.plots.bar_list import BarList
from gptstudio.gui.translation import joined, percent, tr
from gptstudio.gui.widgets.layouts import card, centred, grows, hbox, holding, in_column, vbox
from gptstudio.gui.widgets.parts import Notice, button, label, plain, scrolling
from gptstudio.gui.widgets.reflow import Frugal
from gptstudio.gui.widgets.tall import Tall
from gptstudio.i18n import bits, message
from gptstudio.training.events import Ended, Event, PhaseChanged, PromptRead, TokenRead, Warned

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
"""Of plain text, for the strip: both sides and their distance, twice."""

WIDE = 72
"""Heights of a letter: on a page so wide the candidates stand beside the texts, which have the larger part of it."""
PROMPT_CHARACTERS = 60
"""Number of tokens at the end of the prompt that are shown."""


class CompareView(QWidget):
    """Fed by events of side 0 and 1."""

    def __init__(self) -> None:
        super().__init__()
        self.alignment = Alignment()
        self.reading = PromptReading((GPT2, GPT2))
        self._over = False
        self._follow = True  # the newest position is shown until one is chosen
        self._make_parts()
        self._lay_out()
        self._show_parts()

    def begin(self, titles: tuple[str, str], tokenizers: tuple[Tokenizer, Tokenizer]) -> None:
        """Empty the view for new texts; the titles tell the sides apart."""
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
        """Take all that came since the last paint, and paint once."""
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
            # The newest, and in the end what one wants to see first.
            parted = self.alignment.parted if self._over else None
            self._go_to(len(self.alignment.columns) - 1 if parted is None else parted)
        else:  # tokens that waited for the other side may stand together now
            here, last = self.strip.current, len(self.alignment.columns) - 1
            self.show_position(here if here is None or here <= last else last)

    def changeEvent(self, event: QEvent) -> None:
        if event.type() == QEvent.Type.FontChange:
            self.strip_scroll.setMinimumHeight(LEAST_LINES * self.fontMetrics().height())
        super().changeEvent(event)

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
        left, right = (_drawn(cell) for cell in column.cells)
        words = tr("New token {n}: {left} and {right}", n=f"{index:,}", left=left, right=right)
        if column.distance is not None:
            words = tr("New token {n}: {left} and {right}, distance {bits} bits", n=f"{index:,}", left=left,
                       right=right, bits=bits(column.distance, 3))
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
                # with the step after which it was copied
                self.titles[side].setToolTip(plain(display_name(event.model)))
                self.prompt.setText(_read(self.alignment.prompt, self.alignment.prompts))
                if event.dropped:
                    self.notice.note(tr(
                        "{side}: the prompt is longer than the context length. Prompt tokens the model does not see: "
                        "{n}.", side=tr(NAMES[side]), n=f"{event.dropped:,}"))
            case TokenRead():
                self.reading.take(side, event)
            case Warned():
                self.notice.note(tr(event.message))
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
            tr("{k} of {n} tokens the same", k=f"{alignment.equal:,}", n=f"{len(alignment.columns):,}"),
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
        """Return a message that says at which token the texts diverge."""
        alignment, running = self.alignment, not self._over
        if alignment.parted is None:
            words = tr("Same text so far") if running else tr("Both texts are the same")
            return words if alignment.columns else ""
        cells = alignment.columns[alignment.parted].cells
        left, right = (f"“{cell.text}”" if cell else tr("the end of its text") for cell in cells)
        return tr(
            "They diverge at new token {n}: {left} and {right}", n=f"{alignment.parted + 1:,}", left=left, right=right)

    def _show_parts(self) -> None:
        """Show a hint until there is a result."""
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
            in_column(Tall(), self.bars_title, self.bars, self.cut, vbox(self.prompt_title, margins=(0, 8, 0, 0)),
                      self.prompt_bars, spacing=8), name="pair_choices")
        holding(self, vbox(Frugal(texts, self.choices, stretch=(texts,), spacing=8, least=WIDE)))

    def _texts_card(self) -> QWidget:
        title, hint = label(tr(EMPTY_TITLE), "heading", wrap=True), label(tr(EMPTY), "muted", "pair_words", wrap=True)
        self.empty = centred(Tall(), title, hint, spacing=8)
        self.strip_scroll = scrolling(self.strip, "pair_strip_scroll")
        self.texts = holding(Tall(), vbox(
            hbox(grows(self.verdict), self.copy),
            self.totals,
            hbox(*(grows(self._legend_of(side)) for side in (0, 1)), spacing=16),
            self.prompt, grows(self.strip_scroll), self.note, self.ended, spacing=8))
        inside = holding(Tall(), vbox(grows(self.empty), grows(self.texts), self.phase, self.notice, spacing=8))
        return card(grows(inside), name="pair_card")

    def _legend_of(self, side: int) -> QHBoxLayout:
        words = in_column(Tall(), self.titles[side], self.surprises[side], spacing=0)
        return hbox(side_swatch(side), grows(words), spacing=8)


def _drawn(cell: GeneratedToken | None) -> str:
    return f"“{cell.text}” ({percent(cell.probability)})" if cell else tr("nothing")


def _read(prompt: str, tokens: Sequence[int]) -> str:
    """Return a line about the prompt that both sides continue, with its tokens on each side; of a long one, its end."""
    words = visible_text(prompt).replace("␣", " ")
    shown = words if len(words) <= PROMPT_CHARACTERS else "…" + words[-PROMPT_CHARACTERS:]
    left, right = tokens
    if left and right and left != right:
        return tr("Both continue the same prompt ({n} tokens on the left, {m} on the right): “{words}”",
                  n=f"{left:,}", m=f"{right:,}", words=shown)
    if max(left, right) == 1:
        return tr("Both continue the same prompt (1 token): “{words}”", words=shown)
    return tr("Both continue the same prompt ({n} tokens): “{words}”", n=f"{max(left, right):,}", words=shown)
