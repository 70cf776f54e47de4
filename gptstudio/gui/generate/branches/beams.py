"""Beam search: its dialog, the table that compares decoding strategies, and the question to the model."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from functools import cached_property
from typing import TYPE_CHECKING

from PySide6.QtCore import QObject, Qt, Signal
from PySide6.QtWidgets import QWidget

from gptstudio.app.requests import Model, StrategyQuery
from gptstudio.app.state import AppState
from gptstudio.errors import UserError, text_of
from gptstudio.gpt.tokenizer import GPT2, Tokenizer
from gptstudio.gui.actions import explain
from gptstudio.gui.appearance import Dialog, on_restyle
from gptstudio.gui.asking import Asking
from gptstudio.gui.controllers.generation import GenerationController
from gptstudio.gui.forms.field import SpecEditor
from gptstudio.gui.generate.branches.branches import Branches
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


class BeamDialog(Dialog):
    """Dialog with the settings of a beam search. It only emits signals."""

    search_requested = Signal(object)  # BeamSpec
    compare_requested = Signal(object)  # BeamSpec

    def __init__(self, over: QWidget) -> None:
        super().__init__(over, "beam_dialog", tr("Beam search"))
        self.setModal(True)
        self._texts: Sequence[StrategyText] = ()
        self._tokenizer: Tokenizer = GPT2
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
        self._lay_out()
        on_restyle(self, self._show)
        self._show()

    def begin(self, start: str, why_not: str) -> None:
        """Open the dialog. ``start``: text about the start of the search; ``why_not``: the reason why none is
        possible."""
        self.start.setText(start)
        self._why_not = why_not
        self._texts = ()
        self._show()
        self.open()
        self.editor.editors["width"].control.setFocus()

    def wait(self) -> None:
        """Show that the strategies are being computed."""
        set_blocker(self.compare, tr("The strategies are being computed."))
        self._say(tr("Running the model…"))

    def show_texts(self, texts: Sequence[StrategyText], tokenizer: Tokenizer) -> None:
        self._texts, self._tokenizer = texts, tokenizer
        self._show()

    def show_refusal(self, why: str) -> None:
        self._texts = ()
        self._show()
        self._say(tr(why))

    def _say(self, words: str) -> None:
        self.words.setText(words)
        self.words.show()

    def _show(self) -> None:
        self.table.show_texts(self._texts, self._tokenizer)
        self.table.setVisible(bool(self._texts))
        self.words.setText(sentence(self._texts))
        self.words.setVisible(bool(self._texts))
        self._check()
        self.adjustSize()

    def _check(self) -> None:
        problems = BeamSpec.problems(self.editor.values())
        self.editor.show_problems(problems)
        why_not = self._why_not or (tr("Correct the marked settings first.") if problems else "")
        for each in (self.search, self.compare):
            set_blocker(each, why_not)

    def _search(self) -> None:
        self.close()
        self.search_requested.emit(BeamSpec.make(self.editor.values()))

    def _compare(self) -> None:
        self.wait()
        self.compare_requested.emit(BeamSpec.make(self.editor.values()))

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


SHOWN = 40
"""Maximum number of characters shown of the text before the start."""


class BeamSearches(QObject):
    """Controller of beam searches in the Branches pane."""

    search_requested = Signal(object, int, int, object)
    """Emitted to search from these ids (a tuple; None: from the prompt), with the number of tokens on the screen, the
    number to generate, and the settings (a BeamSpec)."""

    def __init__(self, branches: Branches, state: AppState, generation: GenerationController) -> None:
        super().__init__(branches)
        self._branches, self._state = branches, state
        self._read_with: Tokenizer = GPT2  # of the texts compared last
        self._asking = Asking(generation, "strategies", self)
        self._asking.changed.connect(self._take)
        branches.beam_button.clicked.connect(self.open)
        self.offer()

    @cached_property
    def dialog(self) -> BeamDialog:
        made = BeamDialog(self._branches)
        made.search_requested.connect(self._search)
        made.compare_requested.connect(self._compare)
        made.finished.connect(self._asking.drop)
        return made

    def open(self) -> None:
        why_not, start = " ".join(tr(each.message) for each in self._state.generate_problems), ""
        try:
            if ids := self._ids:
                text = visible_lines(self._tokenizer.decode(ids)).replace("\n", "")
                text = text if len(text) <= SHOWN else f"…{text[-SHOWN:]}"
                start = tr("Searches for the most probable continuation of: {text}", text=text)
            nothing = "" if ids else tr("There is no text to continue. Type a prompt first.")
        except UserError as error:
            nothing = tr(text_of(error))
        self.dialog.begin(start or why_not or nothing, why_not or nothing)

    def offer(self) -> None:
        """Enable the search, or show why none is possible; called when the model has changed."""
        busy = tr("The model is busy. Stop it first.") if self._state.generating else ""
        set_blocker(self._branches.beam_button, busy or ("" if self._model else tr("No model is available here.")))

    @property
    def _ids(self) -> tuple[int, ...]:
        """IDs up to the chosen token, or of the prompt if no token is chosen.

        Raises:
            UserError: the model cannot read the prompt.
        """
        return self._shown_ids or tuple(self._tokenizer.encode(self._state.prompt))

    @property
    def _tokenizer(self) -> Tokenizer:
        """Tokenizer of the model that continues the text.

        Raises:
            UserError: it is not known.
        """
        if self._shown_ids:
            return self._state.document.tokenizer
        return self._model.tokenizer if self._model else GPT2

    @property
    def _shown_ids(self) -> tuple[int, ...] | None:
        """IDs up to the chosen token; None if no token is chosen."""
        document = self._state.document
        cursor = document.snapshot.cursor
        return document.ids[: cursor + 1] if cursor is not None else None

    @property
    def _model(self) -> Model | None:
        """Model of the text, or else the chosen model."""
        return self._state.document.snapshot.model or self._state.loadable_model

    def _search(self, beams: BeamSpec) -> None:
        ids = self._shown_ids
        self.search_requested.emit(ids, len(ids or ()), beams.max_new_tokens, beams)

    def _compare(self, beams: BeamSpec) -> None:
        spec, model = self._state.generate_spec, self._model
        if spec is None or model is None:
            self.dialog.show_refusal(tr("No model is available here."))
            return
        spec = spec.but(max_new_tokens=beams.max_new_tokens, samples=1)
        try:
            ids, self._read_with = self._ids, self._tokenizer
        except UserError as error:
            self.dialog.show_refusal(text_of(error))
            return
        self._asking.ask(StrategyQuery(replace(model, weights="fp32"), ids, spec, beams), again=True)

    def _take(self) -> None:
        if self._asking.problem:
            self.dialog.show_refusal(self._asking.problem)
        else:
            self.dialog.show_texts(self._asking.answer, self._read_with)
