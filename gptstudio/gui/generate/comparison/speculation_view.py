"""A text that one model drafted and another checked: accepted, rejected and resampled tokens in colours."""

from __future__ import annotations

from typing import Any

from PySide6.QtGui import QTextCharFormat, QTextCursor
from PySide6.QtWidgets import QFrame, QTextEdit, QWidget

from gptstudio.gpt import tokenizer
from gptstudio.gui.appearance import follow
from gptstudio.gui.theme import colour
from gptstudio.gui.translation import percent, tr
from gptstudio.gui.widgets.layouts import grows, holding, vbox
from gptstudio.gui.widgets.parts import Notice, label, named

COLOURS = {"accepted": "training", "rejected": "bad", "resampled": "validation", "extra": "good"}
"""Of the theme."""


class SpeculationView(QWidget):
    """Shows :class:`gptstudio.app.speculation.MeasuredSpeculation`."""

    def __init__(self) -> None:
        super().__init__()
        self._shown: Any = None
        self.notice = Notice("speculation_notice")
        self.figures = label("", "heading", "speculation_figures", wrap=True)
        self.explained = label(tr(
            "The left model drafts some tokens, the right one checks them in one pass. Blue: accepted. Crossed out: "
            "rejected. Orange: drawn again by the right model. Green: added by it behind a draft accepted whole. The "
            "text has the distribution of the right model alone (Leviathan et al., 2023)."), "muted",
            "speculation_explained", wrap=True)
        self.text = named(QTextEdit(), "speculation_text", tr("The text of both models"))
        self.text.setReadOnly(True)
        self.text.setFrameShape(QFrame.Shape.NoFrame)
        self.text.setTabChangesFocus(True)
        self.text.viewport().setAutoFillBackground(False)
        holding(self, vbox(self.notice, self.figures, grows(self.text), self.explained, spacing=6))
        follow(self, self._write)

    def show_progress(self, done: int, total: int) -> None:
        self.notice.setText("")
        self.figures.setText(tr("Token {n} of {all}", n=done, all=total) if total else tr("Loading the models…"))

    def show_problem(self, words: str) -> None:
        self.figures.setText("")
        self.notice.setText(words)

    def show_answer(self, answer: Any) -> None:
        self._shown = answer
        self._write()

    def _write(self) -> None:
        if self._shown is None:
            return
        made = self._shown.speculation
        self.figures.setText(tr(
            "Accepted: {share} of the drafted tokens. {n} tokens in {passes} passes of the right model; "
            "{speed}× its speed alone.", share=percent(made.acceptance), n=len(made.ids), passes=made.passes,
            speed=f"{self._shown.speedup:.2f}"))
        self.text.clear()
        cursor = QTextCursor(self.text.document())
        for each in made.outcomes:
            style = QTextCharFormat()
            paint = colour(COLOURS[each.fate])
            style.setForeground(colour("muted" if each.fate == "rejected" else "text"))
            style.setFontStrikeOut(each.fate == "rejected")
            paint.setAlphaF(0.10 if each.fate == "rejected" else 0.28)
            style.setBackground(paint)
            cursor.insertText(tokenizer.decode([each.id]), style)
