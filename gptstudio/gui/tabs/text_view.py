"""A text as it is written, token by token, and the bars of any of its tokens. Fed by events.

Keeps the logits of every token, so the bars can be reshaped without the model.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np
from PySide6.QtGui import QGuiApplication
from PySide6.QtWidgets import QHBoxLayout, QVBoxLayout, QWidget

from gptstudio.gpt import sampling, tokenizer
from gptstudio.gui.widgets.candidate_bars import CandidateBars, rows_of
from gptstudio.gui.widgets.parts import button, card, label, scrolling
from gptstudio.gui.widgets.token_strip import Box, TokenStrip
from gptstudio.gui.words import percent, tr
from gptstudio.runs.control import Dials
from gptstudio.runs.events import Ended, PhaseChanged, PromptRead, TokenDrawn, Warned

PHASES = {"loading": "Loading the model …", "generating": "Writing …"}
KEPT_LOGITS = 1_000
"""Tokens whose logits are kept for the bars: 200 KB each."""


class TextView(QWidget):
    """The strip of tokens above, the candidates of the chosen one below."""

    def __init__(self, dials: Dials) -> None:
        super().__init__()
        self._dials = dials
        self._prompt_ids: list[int] = []
        self._drawn: dict[int, TokenDrawn] = {}
        self._follow = True  # the bars show the newest token until one is clicked
        self._make_parts()
        self._lay_out()

    def begin(self) -> None:
        """Empties the view for a new text."""
        self._prompt_ids, self._follow = [], True
        self._drawn.clear()
        self.strip.clear()
        self.show_position(None)
        self.copy.setEnabled(False)
        self.notice.setText("")

    def apply(self, messages: Sequence[Any]) -> None:
        """Takes all that came since the last paint, and paints once."""
        for message in messages:
            self._take(message)
        drawn = [message for message in messages if isinstance(message, TokenDrawn)]
        self.strip.add([_box(message) for message in drawn])
        if drawn and self._follow:
            self.show_position(drawn[-1].position)
            self._scroll_to(drawn[-1].position)

    def reshape(self, dials: Dials) -> None:
        """The same token with other dials, from its logits."""
        self._dials = dials
        self.show_position(self.strip.current)

    def text(self) -> str:
        """The prompt and all new tokens, as text."""
        return tokenizer.decode([*self._prompt_ids, *(drawn.id for drawn in self._drawn.values())])

    def show_position(self, position: int | None) -> None:
        """The bars of the token at this position, with the dials as they are now."""
        self.strip.choose(position)
        drawn = self._drawn.get(position) if position is not None else None
        if drawn is None:
            self._show_no_bars(tr("The likeliest next tokens appear here."))
        elif drawn.logits is None:
            self._show_no_bars(tr("Logits are kept for the newest {n} tokens.", n=f"{KEPT_LOGITS:,}"))
        else:
            self._show_bars(drawn)

    def _show_no_bars(self, title: str) -> None:
        self.bars.show_rows([])
        self.bars_title.setText(title)
        self.bars_note.setText("")

    def _show_bars(self, drawn: TokenDrawn) -> None:
        temperature, top_k = self._dials
        stages = sampling.distribution(np.asarray(drawn.logits), temperature, top_k)
        self.bars.show_rows(rows_of(stages, tokenizer.visible, drawn.id, temperature))
        self.bars_title.setText(
            tr("Token {n}: {text} was chosen, with {p}", n=f"{drawn.position:,}",
               text=tokenizer.visible(drawn.id), p=percent(drawn.probability))
        )
        self.bars_note.setText(
            tr("Grey: as the model gives it. Colour: after temperature {t} and top-k {k}. {bits} bits of choice.",
               t=f"{temperature:.2f}", k=f"{top_k:,}" if top_k else tr("all"), bits=f"{stages.entropy_bits:.2f}")
        )

    def _clicked(self, position: int) -> None:
        self._follow = False
        self.show_position(position)
        self._scroll_to(position)

    def _take(self, message: Any) -> None:
        match message:
            case PromptRead():
                self._show_prompt(message)
            case TokenDrawn():
                self._drawn[message.position] = message
                old = message.position - KEPT_LOGITS
                if old in self._drawn:
                    self._drawn[old] = self._drawn[old].model_copy(update={"logits": None})
            case PhaseChanged():
                self.phase.setText(tr(PHASES.get(message.phase, "")))
            case Warned():
                self.notice.setText(tr(message.words))
            case Ended():
                count = f"{len(self._drawn):,}"
                self.phase.setText(tr("{n} new tokens. Click one.", n=count) if self._drawn else "")
                if message.outcome == "failed":
                    self.notice.setText(tr(message.words))

    def _show_prompt(self, prompt: PromptRead) -> None:
        self._prompt_ids = [piece.id for piece in prompt.pieces]
        self.copy.setEnabled(True)
        self.strip.add([
            Box(i, tokenizer.visible(piece.id), _tip(piece.id), True, piece.text.endswith("\n"))
            for i, piece in enumerate(prompt.pieces)
        ])
        if prompt.dropped:
            self.notice.setText(
                tr("The prompt is longer than the model's context: its first {n} tokens are not seen.",
                   n=f"{prompt.dropped:,}")
            )

    def _scroll_to(self, position: int) -> None:
        place = self.strip.place_of(position)
        if place:
            self.strip_scroll.ensureVisible(round(place.center().x()), round(place.center().y()), 0, 60)

    def _make_parts(self) -> None:
        self.strip = TokenStrip()
        self.strip.chosen.connect(self._clicked)
        self.bars = CandidateBars()
        self.bars_title = label(tr("The likeliest next tokens appear here."), "heading", "bars_title")
        self.bars_note = label(role="muted", name="bars_note", wrap=True)
        self.phase = label(role="muted", name="generate_phase")
        self.copy = button(tr("Copy"), "copy_text", tr("Copies the prompt and all new tokens as text"), role="quiet")
        self.copy.setEnabled(False)
        self.copy.clicked.connect(lambda: QGuiApplication.clipboard().setText(self.text()))
        self.notice = label(role="problem", name="generate_notice", wrap=True)

    def _lay_out(self) -> None:
        layout = QVBoxLayout(self)
        layout.setContentsMargins(0, 0, 0, 0)
        layout.setSpacing(10)
        layout.addWidget(self._text_card(), 4)
        layout.addWidget(self._bars_card(), 5)

    def _text_card(self) -> QWidget:
        frame, inside = card("text_card")
        head = QHBoxLayout()
        head.addWidget(label(tr("The text, token by token"), "heading"))
        head.addStretch(1)
        head.addWidget(self.phase)
        head.addWidget(self.copy)
        inside.addLayout(head)
        self.strip_scroll = scrolling(self.strip, "strip_scroll")
        inside.addWidget(self.strip_scroll, 1)
        inside.addWidget(self.notice)
        return frame

    def _bars_card(self) -> QWidget:
        frame, inside = card("bars_card")
        inside.addWidget(self.bars_title)
        inside.addWidget(self.bars_note)
        inside.addWidget(scrolling(self.bars, "bars_scroll"), 1)
        return frame


def _box(drawn: TokenDrawn) -> Box:
    tip = tr("{token}\nchosen with {p}\n{bits} bits of choice, {ms} ms", token=_tip(drawn.id),
             p=percent(drawn.probability), bits=f"{drawn.entropy_bits:.2f}", ms=f"{drawn.took_s * 1000:.0f}")
    return Box(drawn.position, tokenizer.visible(drawn.id), tip, False, drawn.text.endswith("\n"))


def _tip(token: int) -> str:
    return f"{tokenizer.visible(token)}   id {token:,}"
