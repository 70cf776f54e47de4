"""Settings of a beam search, which grows in the tree; and the decoding strategies side by side."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

from PySide6.QtCore import Qt, Signal
from PySide6.QtWidgets import QWidget

from gptstudio.gpt.tokenizer import GPT2, Tokenizer
from gptstudio.gui.actions import explain
from gptstudio.gui.appearance import follow
from gptstudio.gui.fitting import Dialog
from gptstudio.gui.forms.field import SpecEditor
from gptstudio.gui.generate.branches.strategy_table import StrategyTable, sentence
from gptstudio.gui.theme import theme
from gptstudio.gui.translation import tr
from gptstudio.gui.widgets.layouts import FREE, hbox, holding, vbox
from gptstudio.gui.widgets.parts import button, label, permit
from gptstudio.inference.spec import BeamSpec

if TYPE_CHECKING:  # torch stays out of the window
    from gptstudio.inference.beam_search import StrategyText

WIDTH, FIELDS_WIDTH = 760, 330
"""Pixels at the usual text size."""


class BeamDialog(Dialog):
    """Asks; what is done is for others."""

    search_requested = Signal(object)  # BeamSpec
    compare_requested = Signal(object)  # BeamSpec
    closed = Signal()

    def __init__(self, over: QWidget) -> None:
        super().__init__(over)
        self.setObjectName("beam_dialog")
        self.setWindowTitle(tr("Beam search"))
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
        follow(self, self._show)
        self._show()

    def begin(self, start: str, why_not: str) -> None:
        """Open with where the search begins, and why there can be none."""
        self.start.setText(start)
        self._why_not = why_not
        self._texts = ()
        self._show()
        self.open()
        self.editor.editors["width"].control.setFocus()

    def wait(self) -> None:
        """The strategies are computed."""
        permit(self.compare, tr("The strategies are being computed."))
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

    def done(self, result: int) -> None:
        super().done(result)
        self.closed.emit()

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
            permit(each, why_not)

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
        holding(self, vbox(
            self.start, about, hbox(self.editor, FREE), self.table, self.words, FREE,
            hbox(self.compare, FREE, self.cancel, self.search), spacing=8, margins=(16, 16, 16, 16)))
        theme.dress(self)
        explain(self)
        self.search.setDefault(True)
        self.setMinimumWidth(round(WIDTH * theme.zoom))
        self.setWindowFlag(Qt.WindowType.WindowContextHelpButtonHint, False)
