"""The row below the strip of tokens: step through the text, play it, colour it, take a branch back. No torch."""

from __future__ import annotations

import re

from PySide6.QtCore import QEvent, QSignalBlocker, QSize, Qt, Signal
from PySide6.QtWidgets import QComboBox, QSlider, QWidget

from gptstudio.gui.appearance import follow
from gptstudio.gui.canvas.tint import SCALES
from gptstudio.gui.generate.strip.legend import ColourLegend
from gptstudio.gui.translation import tr
from gptstudio.gui.widgets.flow import Flow
from gptstudio.gui.widgets.icon_button import IconButton
from gptstudio.gui.widgets.layouts import hbox, holding
from gptstudio.gui.widgets.parts import label, named, permit

FASTEST = 50
"""Tokens per second; the slowest is 1."""
TICKS = 40
USUAL_TICK = 20


class Transport(QWidget):
    """Says which button was pressed, and shows where the text stands."""

    start_pressed = Signal()
    back_pressed = Signal()
    play_pressed = Signal()
    forward_pressed = Signal()
    end_pressed = Signal()
    uncertain_pressed = Signal()
    undo_pressed = Signal()
    redo_pressed = Signal()
    colour_chosen = Signal(str)

    def __init__(self) -> None:
        super().__init__()
        self._make_buttons()
        self._make_speed()
        self._make_colours()
        self.place = label(role="muted", name="transport_place")
        self._lay_out()
        self._fit()
        self.show_place(None, 0, playing=False, can_undo=False, can_redo=False)
        follow(self, self._fit)

    def show_place(
        self, cursor: int | None, length: int, playing: bool, can_undo: bool, can_redo: bool, ended: str = "",
        no_entropy: str = ""
    ) -> None:
        """Show the position in the text.

        Args:
            cursor: the position of the chosen token, from 0; None if there is none.
            length: the number of tokens of the text.
            playing: the text is playing.
            ended: why nothing can be generated after the last token; empty if it can.
            no_entropy: why there is no token whose entropy is known; empty if there is one.
        """
        some = length > 0
        behind, ahead = cursor is not None and cursor > 0, cursor is not None and cursor < length - 1
        on = some and (ahead or not ended)
        none = "" if some else tr("There is no text yet. Generate one first.")
        at_start = tr("This is the first token.") if cursor == 0 else tr("Select a token first.")
        for each, why_not in (
            (self.start, none or ("" if cursor != 0 else at_start)), (self.back, none or ("" if behind else at_start)),
            (self.end, none or ("" if ahead else tr("This is the last token."))),
            (self.uncertain, none or no_entropy),
            (self.undo, "" if can_undo else tr("There is nothing to undo.")),
            (self.redo, "" if can_redo else tr("There is nothing to redo.")),
        ):
            permit(each, why_not)
        self.play.show_sign("pause" if playing else "play", tr("Pause") if playing else tr("Play"))
        stands = none or ("" if on else ended)
        permit(self.play, stands, tr("Pauses at this token (P).") if playing else tr(
            "Moves on token by token; at the end, the model generates more (P)."))
        permit(self.forward, stands, tr("To the next token (Right or S)") if ahead else tr(
            "Generates one more token (S)"))
        self._show_position(_place(cursor, length), _place(max(length - 1, 0), length))

    def _show_position(self, words: str, longest: str) -> None:
        """Show the position in a label whose size is constant while the number of digits is: otherwise each new token
        would trigger a new layout."""
        metrics = self.fontMetrics()
        size = QSize(metrics.horizontalAdvance(re.sub(r"\d", "0", longest)), metrics.height())
        if size != self.place.size() or size != self.place.maximumSize():
            self.place.setFixedSize(size)
        self.place.setText(words)

    def changeEvent(self, event: QEvent) -> None:
        if event.type() == QEvent.Type.FontChange:
            self._fit()
        super().changeEvent(event)

    def interval_ms(self) -> int:
        """Return the display time of a token while the text plays."""
        return round(1000 / self._speed())

    def colouring(self) -> str:
        return str(self.colours.currentData())

    def show_colouring(self, name: str) -> None:
        """Show one of the scales without telling."""
        with QSignalBlocker(self.colours):
            self.colours.setCurrentIndex(self.colours.findData(name))
        self.legend.show_scale(name)

    def _make_buttons(self) -> None:
        self.start = IconButton("start", "transport_start", tr("To the start"), tr("To the first token (Home)"))
        self.back = IconButton("back", "transport_back", tr("Back one token"), tr("To the previous token (Left)"))
        self.play = IconButton("play", "transport_play", tr("Play"))
        self.forward = IconButton("forward", "transport_forward", tr("Forward one token"))
        self.end = IconButton("end", "transport_end", tr("To the end"), tr("To the last token (End)"))
        self.uncertain = IconButton("peak", "transport_uncertain", tr("Next uncertain token"), tr(
            "To the token after this one where the entropy is highest; after the last one, to that of the whole text "
            "(N)"))
        self.undo = IconButton("undo", "transport_undo", tr("Undo"), tr("Undoes the last change (Ctrl+Z)"))
        self.redo = IconButton("redo", "transport_redo", tr("Redo"), tr("Redoes the undone change (Ctrl+Shift+Z)"))
        for name in ("start", "back", "play", "forward", "end", "uncertain", "undo", "redo"):
            getattr(self, name).clicked.connect(getattr(self, f"{name}_pressed"))

    def _make_speed(self) -> None:
        self.slider = named(QSlider(Qt.Orientation.Horizontal), "transport_speed", tr("Playback speed"))
        self.slider.setRange(0, TICKS)
        self.slider.setToolTip(tr(
            "Playback speed, from 1 to {n} tokens per second. The model may be slower.", n=FASTEST))
        self.speed = label(role="muted", name="transport_speed_words")
        self.slider.valueChanged.connect(lambda: self.speed.setText(tr("{n} tokens/s", n=f"{self._speed():.0f}")))
        self.slider.setValue(USUAL_TICK)

    def _make_colours(self) -> None:
        self.legend = ColourLegend()
        self.colours = named(QComboBox(), "transport_colours", tr("Colour tokens by"))
        for name, scale in SCALES.items():
            self.colours.addItem(tr(scale.words), name)
            self.colours.setItemData(self.colours.count() - 1, tr(scale.help), Qt.ItemDataRole.ToolTipRole)
        self.colours.currentIndexChanged.connect(self._choose_colour)

    def _lay_out(self) -> None:
        words = label(tr("Colour by"), buddy=self.colours)
        holding(self, Flow(
            _tight(self.start, self.back, self.play, self.forward, self.end, self.uncertain), self.place,
            _tight(self.slider, self.speed), _tight(self.undo, self.redo), (words, self.colours), self.legend,
            spacing=8))

    def _speed(self) -> float:
        return float(FASTEST ** (self.slider.value() / TICKS))

    def _fit(self) -> None:
        """Widths that belong to the size of the text; none changes with the figures, or all that follows would jump."""
        metrics = self.fontMetrics()
        self.slider.setFixedWidth(5 * metrics.height())
        self._show_position(self.place.text(), self.place.text())
        self.speed.setMinimumWidth(metrics.horizontalAdvance(tr("{n} tokens/s", n="00")))

    def _choose_colour(self) -> None:
        self.legend.show_scale(self.colouring())
        self.colour_chosen.emit(self.colouring())


def _tight(*widgets: QWidget) -> QWidget:
    return holding(QWidget(), hbox(*widgets, spacing=4))


def _place(cursor: int | None, length: int) -> str:
    if not length:
        return ""
    if cursor is None:
        return tr("{n} tokens", n=f"{length:,}") if length > 1 else tr("1 token")
    return tr("Position {n}  ·  {all} tokens", n=f"{cursor:,}", all=f"{length:,}")
