"""Dialog of a beam search, with a table that compares decoding strategies."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from typing import TYPE_CHECKING

from PySide6.QtCore import Qt, Signal
from PySide6.QtWidgets import QWidget

from gptstudio.app.requests import Model, StrategyQuery
from gptstudio.app.state import AppState
from gptstudio.errors import UserError, text_of
from gptstudio.gpt.tokenizer import GPT2, Tokenizer
from gptstudio.gui.actions import explain
from gptstudio.gui.appearance import Dialog, on_restyle
from gptstudio.gui.asking import Asking, Asks
from gptstudio.gui.forms.field import SpecEditor
from gptstudio.gui.generate.branches.tree_texts import nats
from gptstudio.gui.theme import theme
from gptstudio.gui.translation import joined, percent, tr
from gptstudio.gui.widgets.layouts import FREE, hbox, vbox, with_layout
from gptstudio.gui.widgets.parts import button, label, plain, set_blocker
from gptstudio.gui.widgets.tables import LEFT, RIGHT, RowTable, TableCell
from gptstudio.gui.widgets.text_views import visible_lines
from gptstudio.i18n import message
from gptstudio.inference.spec import BeamSpec

if TYPE_CHECKING:
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
SIDES = LEFT, RIGHT, RIGHT, RIGHT, LEFT
TEXT = len(COLUMNS) - 1


class StrategyTable(RowTable):
    """Table of the decoding strategies, with a row for each."""

    def __init__(self) -> None:
        super().__init__("strategy_table", tr("Decoding strategies side by side"), stretched=TEXT)

    def show_texts(self, texts: Sequence[StrategyText], tokenizer: Tokenizer) -> None:
        self.show_rows([
            TableCell(tr(heading), side, tr(tip) if tip else "")
            for heading, side, tip in zip(COLUMNS, SIDES, COLUMN_TIPS, strict=True)],
            [_row(text, visible_lines(tokenizer.decode(list(text.ids)))) for text in texts])
        self._fit()

    def row_height(self) -> int:
        return self.fontMetrics().height() + 12

    def _fit(self) -> None:
        super()._fit()
        self.setFixedHeight(self.horizontalHeader().sizeHint().height() + self.verticalHeader().length() + 4)


def _row(text: StrategyText, written: str) -> list[TableCell]:
    values = (
        tr(NAMES[text.strategy]), nats(text.log_probability), nats(text.mean),
        "–" if text.repetition is None else percent(text.repetition), written.replace("\n", ""))
    tips = [*[tr(TIPS[text.strategy])] * TEXT, plain(written)]
    return [TableCell(*each) for each in zip(values, SIDES, tips, strict=True)]


def sentence(texts: Sequence[StrategyText]) -> str:
    """Return a sentence that sums up the table; empty without texts."""
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


WIDTH, FIELDS_WIDTH = 760, 330
"""Widths in pixels at the default text size."""


SHOWN = 40
"""Maximum number of characters shown of the text before the start."""


def text_model(state: AppState) -> Model | None:
    """Return the model of the text, or else the chosen model."""
    return state.document.snapshot.model or state.loadable_model


class BeamDialog(Dialog):
    """Dialog with the settings of a beam search, which also compares decoding strategies."""

    search_requested = Signal(object, int, int, object)
    """Emitted to search from these ids (a tuple; None: from the prompt), with the number of tokens on the screen, the
    number to generate, and the settings (a BeamSpec)."""

    def __init__(self, over: QWidget, state: AppState, asks: Asks) -> None:
        super().__init__(over, "beam_dialog", tr("Beam search"))
        self.setModal(True)
        self._state, self._asking = state, Asking(asks, "strategies", self)
        self._shown_ids: tuple[int, ...] | None = None  # up to the chosen token; None if no token is chosen
        self._ids: tuple[int, ...] = ()  # these, or those of the prompt
        self._tokenizer: Tokenizer = GPT2  # of the model that continues the text
        self._why_not = ""
        self.start = label(name="beam_start", wrap=True)
        self.editor = SpecEditor(BeamSpec, "beam")
        self.editor.show_values(BeamSpec().shallow())
        self.table, self.words = StrategyTable(), label(role="muted", name="strategy_words", wrap=True)
        self.search = button(tr("Search"), "beam_search", tr(
            "Grows the beams in the tree, step by step. You can stop and undo it."), "primary", self._search)
        self.compare = button(tr("Compare strategies"), "strategies_compare", tr(
            "Continues the same text with greedy decoding, this search and one sample."),
            do=self._compare)
        self.cancel = button(tr("Close"), "beam_close", tr("Closes this dialog"), do=self.close)
        self.editor.changed.connect(self._check)
        self._asking.changed.connect(self._show)
        self.finished.connect(self._asking.drop)
        self._lay_out()
        on_restyle(self, self._show)
        self._show()

    def begin(self) -> None:
        """Open the dialog for the text up to the chosen token or, if none is chosen, for the prompt."""
        self._asking.forget()
        self._why_not = " ".join(tr(each.message) for each in self._state.generate_problems)
        try:
            self._read_start()
        except UserError as error:
            self._ids, self._why_not = (), self._why_not or tr(text_of(error))
        self.start.setText(self._why_not)
        if self._ids:
            text = visible_lines(self._tokenizer.decode(self._ids)).replace("\n", "")
            text = text if len(text) <= SHOWN else f"…{text[-SHOWN:]}"
            self.start.setText(tr("Searches for the most probable continuation of: {text}", text=text))
        self._show()
        self.open()
        self.editor.editors["width"].control.setFocus()

    def _read_start(self) -> None:
        """Read the IDs from which a search starts.

        Raises:
            UserError: the tokenizer of the model is not known or cannot read the prompt, or there is no text.
        """
        document, model = self._state.document, text_model(self._state)
        cursor = document.snapshot.cursor
        self._shown_ids = document.ids[: cursor + 1] if cursor is not None else None
        self._tokenizer = document.tokenizer if self._shown_ids else model.tokenizer if model else GPT2
        self._ids = self._shown_ids or tuple(self._tokenizer.encode(self._state.prompt))
        if not self._ids:
            raise UserError(message("There is no text to continue. Type a prompt first."))

    def _show(self) -> None:
        texts = self._asking.latest or ()
        self.table.show_texts(texts, self._tokenizer)
        self.table.setVisible(bool(texts))
        words = self._asking.problem or sentence(texts)
        self.words.setText(tr("Running the model…") if self._asking.waiting else words)
        self.words.setVisible(bool(self.words.text()))
        self._check()
        self.adjustSize()

    def _check(self) -> None:
        problems = BeamSpec.problems(self.editor.values())
        self.editor.show_problems(problems)
        why_not = self._why_not or (tr("Correct the marked settings first.") if problems else "")
        set_blocker(self.search, why_not)
        set_blocker(self.compare, why_not or (
            tr("The strategies are being computed.") if self._asking.waiting else ""))

    def _search(self) -> None:
        self.close()
        beams = BeamSpec.make(self.editor.values())
        self.search_requested.emit(self._shown_ids, len(self._shown_ids or ()), beams.max_new_tokens, beams)

    def _compare(self) -> None:
        beams, spec, model = BeamSpec.make(self.editor.values()), self._state.generate_spec, text_model(self._state)
        if spec and model:
            spec = spec.but(max_new_tokens=beams.max_new_tokens, samples=1)
            self._asking.ask(StrategyQuery(replace(model, weights="fp32"), self._ids, spec, beams), again=True)
            self._show()

    def _lay_out(self) -> None:
        about = label(tr(
            "At each step, the most probable texts are kept; the next best are pruned, and shown in grey."),
            "muted", wrap=True)
        self.editor.setFixedWidth(round(FIELDS_WIDTH * theme.zoom))
        with_layout(self, vbox(
            self.start, about, hbox(self.editor, FREE), self.table, self.words, FREE,
            hbox(self.compare, FREE, self.cancel, self.search), spacing=8, margins=(16, 16, 16, 16)))
        theme.dress(self)
        explain(self)
        self.search.setDefault(True)
        self.setMinimumWidth(round(WIDTH * theme.zoom))
        self.setWindowFlag(Qt.WindowType.WindowContextHelpButtonHint, False)
