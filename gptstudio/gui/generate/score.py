"""View "Score": a text scored by a model, with totals, coloured tokens, and the most surprising tokens."""

from __future__ import annotations

import html
import math
import os
from collections.abc import Sequence
from typing import Any

from PySide6.QtCore import QSize, Qt, Signal
from PySide6.QtWidgets import QFileDialog, QWidget

from gptstudio.app import requests
from gptstudio.app.state import AppState
from gptstudio.data import texts
from gptstudio.errors import UserError, text_of
from gptstudio.gpt.tokenizer import GPT2, Tokenizer
from gptstudio.gui.controllers.generation import GenerationController
from gptstudio.gui.forms.controls import TextEdit, too_long
from gptstudio.gui.generate.strip.token_strip import ColourLegend, StripMenu, TokenStrip
from gptstudio.gui.locks import is_locked
from gptstudio.gui.model_names import display_name
from gptstudio.gui.translation import joined, percent, tr
from gptstudio.gui.widgets.drop import FileDrop
from gptstudio.gui.widgets.layouts import CompactReflow, Flow, HeightForWidth, card, grows, stacked, vbox, with_layout
from gptstudio.gui.widgets.parts import FigureRow, Notice, ProgressBar, button, label, named, scrolling, set_blocker
from gptstudio.gui.widgets.tables import LEFT, RIGHT, RowTable, TableCell, headings_of, table_height
from gptstudio.gui.widgets.text_views import LINE_END, typed_text
from gptstudio.i18n import message
from gptstudio.inference.score_stats import WORST, ScoreStats, surprise, surroundings
from gptstudio.inference.text_tree import Node, Reading
from gptstudio.training.events import Ended, Event, PhaseChanged, PromptRead, TokenRead, Warned
from gptstudio.training.executor import error_text

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
"""Smallest number that is written in scientific notation."""
LAG = 0.05
"""Largest fraction of the tokens that may be missing from the strip while a text is read: each update repeats the
layout."""
LEAST_LETTERS, LEAST_LINES = 46, 10
"""Minimum size of the strip: width in letters, height in lines of text."""
COLUMNS = (message("Bits"), message("Text before"), message("Token"))
BEFORE = 1
SIDES = (RIGHT, RIGHT, LEFT)
TABLE_LETTERS, LEAST_TABLE_LETTERS = 46, 34
"""Preferred and minimum width of the table, in letters."""


class WorstTokens(RowTable):
    """Table of the most surprising tokens, whose entries are their positions; emits the position of the chosen one."""

    chosen = Signal(int)

    def __init__(self) -> None:
        super().__init__(
            "worst_tokens", tr("The most surprising tokens; select one to see it in the text"),
            elide=Qt.TextElideMode.ElideLeft, stretched=BEFORE)
        self.setHorizontalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)
        self.selected.connect(lambda _: self._emit_position())
        self.cellClicked.connect(self._emit_position)  # also in the selected row: the strip may have been scrolled

    def show_worst(self, worst: Sequence[TokenRead], ids: Sequence[int], tokenizer: Tokenizer) -> None:
        """Show the most surprising tokens, in descending order, of the text ``ids``."""
        positions = [each.position for each in worst]
        if positions != self.entries:
            self.show_rows(
                headings_of(COLUMNS, SIDES), [_row(each, ids, tokenizer) for each in worst], positions)

    def sizeHint(self) -> QSize:
        return QSize(self._wide(TABLE_LETTERS), table_height(self, WORST) + 4)

    def minimumSizeHint(self) -> QSize:
        return QSize(self._wide(LEAST_TABLE_LETTERS), table_height(self, 3) + 4)

    def row_height(self) -> int:
        return round(self.fontMetrics().height() * 1.7)

    def _emit_position(self) -> None:
        if self.entry is not None:
            self.chosen.emit(self.entry)

    def _wide(self, letters: int) -> int:
        return self.fontMetrics().averageCharWidth() * letters


def _row(reading: TokenRead, ids: Sequence[int], tokenizer: Tokenizer) -> list[TableCell]:
    before, behind = surroundings(ids, reading.position, tokenizer=tokenizer)
    token, bits = tokenizer.visible(reading.id), surprise(reading)
    tip = f"<p>{html.escape(before)}<b>{html.escape(token)}</b>{html.escape(behind)}</p>"
    texts = f"{bits:.1f}" if bits < float("inf") else "∞", before, token
    return [TableCell(text, side, tip) for text, side in zip(texts, SIDES, strict=True)]


class ScoreResult(HeightForWidth):
    """Result of scoring, which grows as tokens arrive. The strip and the table share the chosen token."""

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
        """Empty the result for a new text. ``tokenizer``: tokenizer of the model that reads it."""
        self._ids, self._nodes, self._totals = (), [], ScoreStats(tokenizer=tokenizer)
        self.strip.clear()
        self.worst.show_worst((), (), tokenizer)
        self._guessing = {"n": f"{tokenizer.size:,}", "bits": _number(self._totals.guessing_bits)}
        for name, (_, tip) in CAPTIONS.items():
            self.figures.show_tip(name, tr(tip, **self._guessing))
        self._show_figures()
        self.choose(None)

    def expect(self, ids: Sequence[int]) -> None:
        self._ids = ids

    def add(self, readings: Sequence[TokenRead]) -> None:
        """Add tokens, and show the new totals."""
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
        """Show all scored tokens in the strip."""
        self.strip.show_path(self._nodes, 0, self._totals.tokenizer)

    def choose(self, position: int | None) -> None:
        """Select a token in the strip and in the table, and show its details."""
        self.strip.choose(position)
        self.worst.select(position)
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
        share = totals.bits_per_token / totals.guessing_bits
        part = "∞" if math.isinf(share) else f"{share:,.0%}".replace("%", " %")
        self.guessing.setText(
            tr("Random guessing among all {n} tokens costs {bits} bits per token. The model needed {share} of that.",
               **self._guessing, share=part))

    def _make_parts(self) -> None:
        self.figures = FigureRow({name: tr(caption) for name, (caption, _) in CAPTIONS.items()}, "score")
        self.guessing = label(role="muted", name="score_guessing", wrap=True)
        self.strip = TokenStrip("score_strip_tokens")
        self.strip.dims_ahead = False
        self.strip.chosen.connect(self.choose)
        self.menu = StripMenu(self.strip)
        self.strip_scroll = scrolling(self.strip, "score_scroll", lines=LEAST_LINES, letters=LEAST_LETTERS)
        self.chosen = label(role="muted", name="score_chosen", wrap=True)
        self.worst = WorstTokens()
        self.worst.chosen.connect(self.choose)

    def _lay_out(self) -> None:
        head = Flow(label(tr("The text, token by token"), "heading"), ColourLegend(prompt=False), spacing=12)
        self.text_card = card(head, grows(self.strip_scroll), self.chosen, name="score_strip")
        self.worst_card = card(label(tr("Most surprising"), "heading"), grows(self.worst), name="score_worst")
        both = CompactReflow(self.text_card, self.worst_card, stretch=(self.text_card,), spacing=8)
        with_layout(self, vbox(card(self.figures, self.guessing, name="score_sums"), grows(both), spacing=8))


def _number(value: float, digits: int = 2) -> str:
    """Return a number with a readable count of digits."""
    if value < LARGE:
        return f"{value:,.{digits}f}"
    return "∞" if math.isinf(value) else f"{value:.3g}".replace("e+0", "e").replace("e+", "e")


LONGEST = 400_000
"""Maximum number of characters of a text, about 100,000 tokens: single tokens cannot be found by eye in a longer
one."""
MOST_BYTES = 4
"""Maximum number of bytes per character in any encoding."""

USE = message(
    "How surprising is a text to a model? The surprisal of each token is counted in bits: 0 if the model was certain "
    "of it, 1 if it was as likely as heads or tails, and 1 more each time the probability halves. A model trained on "
    "similar texts is surprised less.")


class ScorePane(QWidget):
    """View with two pages: one to enter a text, and one for its score, which is shown as it is computed."""

    def __init__(self, state: AppState, controller: GenerationController) -> None:
        super().__init__()
        self._state, self._controller = state, controller
        self._model: requests.Model | None = None
        self._name = ""
        self._request: requests.Score | None = None  # the last
        self._reading: PromptRead | None = None  # the tokens being read, and the model
        self._phase = ""  # as text, until reading begins
        self._offered = self._given = ""
        self._make_controls()
        self._connect()
        self._lay_out()
        self._show_text()
        self._show_state()

    @property
    def running(self) -> bool:
        return bool(self._state.generating == "score")

    @property
    def text(self) -> str:
        """Text as typed; until it is edited, a text that was put here keeps its line ends, as in a file from
        Windows."""
        typed = typed_text(self.editor)
        return self._given if LINE_END.sub("\n", self._given) == typed else typed

    def set_model(self, model: requests.Model | None, name: str) -> None:
        """Set the model that will score the text, with its name; None if there is none."""
        self._model, self._name = model, name
        self._show_state()

    def offer(self, text: str) -> None:
        """Offer the text that was generated last for scoring; empty if there is none."""
        self._offered = text
        self._show_state()

    def _take_events(self, events: Sequence[Event]) -> None:
        for event in events:
            self._take(event)
        self.result.add([event for event in events if isinstance(event, TokenRead)])
        if not self.running:
            self.result.settle()
        self._show_state()

    def set_scrolled_by_page(self, whole: bool) -> None:
        """Set whether the page scrolls as a whole, so that this view need not."""
        self.result_page.set_scrolled_by_page(whole)

    def open(self, path: str) -> None:
        """Replace the text by the contents of a file."""
        try:
            if os.path.isfile(path) and os.path.getsize(path) > MOST_BYTES * LONGEST:
                raise texts.TextError(_too_long())
            self._edit(texts.read(path).content)
        except texts.TextError as error:
            self.notice.setText(tr(error_text(error)))

    def _pressed(self) -> None:
        if self.running:
            self._controller.stop()
            return
        text = self.text
        self._controller.chosen_model()  # which may have been replaced since it was set
        if len(text) > LONGEST:
            self.notice.setText(_too_long())
        elif self._model:
            self._begin(requests.Score(self._model, text))

    def _begin(self, request: requests.Score) -> None:
        try:
            tokenizer = request.model.tokenizer
        except UserError as error:
            self.notice.setText(tr(text_of(error)))
            return
        self._request, self._reading, self._phase = request, None, tr("Waiting for the model…")
        self.result.begin(tokenizer)
        self.notice.setText("")
        self.pages.setCurrentWidget(self.result_page)
        self.go.setFocus()
        self._controller.score(request, self._take_events)
        self._show_state()

    def _edit(self, text: str | None = None) -> None:
        """Go back to the text, or to another one, to edit it."""
        if text is not None:
            self._put(text)
        self.notice.setText("")
        self.pages.setCurrentWidget(self.text_page)
        self.editor.setFocus()
        self._show_state()

    def _keep_text(self) -> None:
        self._state.scored_text = self.text
        self._show_state()

    def _show_text(self) -> None:
        if self.text != self._state.scored_text:
            self._put(self._state.scored_text)

    def _put(self, text: str) -> None:
        self._given = text
        self.editor.setPlainText(text)

    def _choose_file(self) -> None:
        path, _ = QFileDialog.getOpenFileName(self, tr("Open a text to score"), "", tr("Texts (*.txt *.md);;All (*)"))
        if path:
            self.open(path)

    def _take(self, event: Any) -> None:
        match event:
            case PhaseChanged(phase="loading"):
                self._phase = tr("Loading the model…")
            case PromptRead():
                self._reading = event
                self.result.expect([piece.id for piece in event.pieces])
            case Warned():
                self.notice.say(tr(event.message))
            case Ended():
                self._end(event)

    def _end(self, end: Ended) -> None:
        if end.outcome == "failed":
            self.notice.setText(tr(end.message))
        if not self._reading:
            self._request = None
            self.pages.setCurrentWidget(self.text_page)

    def _show_state(self) -> None:
        shown, count = self.pages.currentWidget() is self.result_page, len(self._reading.pieces) if self._reading else 0
        self.progress.setVisible(self.running)
        self.progress.show_progress(self.result.count, count)
        model = tr("Model: {name}", name=self._name) if self._name else ""
        self.state.setText(self._state_text(count) if shown else model)
        self.edit.setVisible(shown)
        self.show_score.setVisible(not shown and self.result.count > 0)
        self.written.setVisible(bool(self._offered))
        for each in (self.edit, self.file, self.written):
            set_blocker(each, tr("The text is being scored. Stop it first.") if self.running else "")
        self._show_go(shown)

    def _state_text(self, count: int) -> str:
        if self._reading is None:
            return tr(self._phase)
        done = self.result.count
        model = display_name(self._reading.model)
        values = {"model": model, "done": f"{done:,}", "all": f"{count:,}", "name": self._name}
        if self.running:
            return tr("Scoring with {model}: {done} of {all} tokens", **values)
        whole = tr("Scored by {model}.", **values)
        if self._reading.stride:
            whole = joined(" ", whole, tr("Windows of {context} tokens, stride {stride}.",
                                          context=f"{self._reading.context:,}", stride=f"{self._reading.stride:,}"))
        words = whole if done == count else tr("Scored by {model}, up to token {done} of {all}.", **values)
        another = self._request and self._model and self._request.model != self._model
        return tr("{words} Selected now: {name}.", words=words, **values) if another else words

    def _show_go(self, shown: bool) -> None:
        self.go.setText(tr("Stop") if self.running else tr("Score again") if shown else tr("Score"))
        reason = ""
        if not self.running and not self._model:
            reason = tr("Choose a model first.")
        elif not self.running and self.editor.document().isEmpty():
            reason = tr("Enter a text first.")
        set_blocker(self.go, reason, tr("Ctrl+Enter"))

    def _make_controls(self) -> None:
        self.go = button(tr("Score"), "score", role="primary", do=self._pressed)
        self.file = button(tr("Open a file…"), "score_file", tr("Or drop a .txt file here"), do=self._choose_file)
        self.written = button(tr("Use the generated text"), "score_written", tr(
            "The text that the model generated last"), do=lambda: self._edit(self._offered))
        self.edit = button(tr("Edit text"), "score_edit", tr(
            "Returns to the text so that you can change it or paste another"), do=lambda: self._edit())
        self.show_score = button(tr("Show last score"), "score_show", role="quiet", do=self._show_last)
        self.state, self.notice = Notice("score_state", "muted"), Notice("score_notice")
        self.progress = ProgressBar("score_progress", tr("Scoring progress"))
        self.editor = named(TextEdit(), "score_text", tr("Text to score"))
        self.editor.setPlaceholderText(tr("Paste or type any text, or drop a .txt file."))
        self.editor.setTabChangesFocus(True)
        self.result = ScoreResult()
        for widget in (self.editor.viewport(), self):
            FileDrop(widget, lambda files: None if self.running or is_locked(self.file) else self.open(files[0]))

    def _connect(self) -> None:
        self.editor.textChanged.connect(self._keep_text)
        self._state.on(self._show_text, "scored_text")
        self.editor.shortened.connect(lambda count: self.notice.setText(too_long(count)))
        self.result.menu.failed.connect(self.notice.setText)
        self.result.worst.chosen.connect(lambda: self.result_page.ensureWidgetVisible(self.result.text_card))

    def _show_last(self) -> None:
        self.pages.setCurrentWidget(self.result_page)
        self._show_state()

    def _lay_out(self) -> None:
        buttons = Flow(self.go, self.edit, self.file, self.written, self.show_score)
        head = card(buttons, self.state, self.progress, self.notice, name="score_head")
        self.text_page = card(label(tr(USE), "muted", wrap=True), grows(self.editor), name="score_page")
        self.result_page = scrolling(self.result, "score_result_page")
        self.pages = stacked(self.text_page, self.result_page)
        with_layout(self, vbox(head, grows(self.pages), spacing=8))


def _too_long() -> str:
    return tr(
        "The text has more than {n} characters, the most that can be shown here. Use a part of it, or score the whole "
        "text in a terminal:  gptstudio score FILE", n=f"{LONGEST:,}")
