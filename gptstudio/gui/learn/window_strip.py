"""The tokens under the windows of a batch: how often each is an input, and where the window that is looked at lies."""

from __future__ import annotations

from bisect import bisect_right
from dataclasses import replace

from PySide6.QtCore import QRectF
from PySide6.QtGui import QPainter

from gptstudio.gpt.tokenizer import GPT2
from gptstudio.gui.canvas.swatch import Swatch
from gptstudio.gui.plots.strip import BAR, StripBox, paint_bar, paint_ground
from gptstudio.gui.translation import tr
from gptstudio.labs.windows import WindowsAnswer

MOST = 150  # tokens that are shown at once
BEFORE = 4  # number of tokens before the window that are shown if the whole batch does not fit
INPUT, TARGET = "input", "target"
ONCE, AGAIN, ONLY_TARGET, NEVER = "once", "again", "only target", "never"
LOOKS = {
    ONCE: StripBox("", fill=("training", 0.16)), AGAIN: StripBox("", fill=("training", 0.16), hatched=True),
    ONLY_TARGET: StripBox("", edge="validation", ink="muted"),
    NEVER: StripBox("", edge="muted", crossed=True, ink="muted")}
"""Appearance of a token by its use."""
INKS = {INPUT: "training", TARGET: "validation"}


def window_boxes(answer: WindowsAnswer) -> tuple[int, list[StripBox]]:
    """Return the first token that is shown, and the boxes from it on."""
    first, end = shown_tokens(answer)
    return first, [_box(answer, token) for token in range(first, end)]


def use_of(answer: WindowsAnswer, token: int) -> str:
    """Return the use of a token by all windows: as input once or again, only as target, or never."""
    times = int(answer.as_input[token])
    if times:
        return ONCE if times == 1 else AGAIN
    return ONLY_TARGET if answer.as_target[token] else NEVER


def window_at(answer: WindowsAnswer, token: int) -> int:
    """Return the last window that begins at a token or before it."""
    return bisect_right(answer.starts, token) - 1


def _box(answer: WindowsAnswer, token: int) -> StripBox:
    number, count, end = int(answer.ids[token]), int(answer.as_input[token]), answer.start + answer.context
    window = window_at(answer, token)
    begins = answer.starts[window] == token
    return replace(
        LOOKS[use_of(answer, token)], text=GPT2.visible(number),
        below=tr("{id} ×{count}", id=number, count=count) if count > 1 else str(number),
        bars=(INKS[INPUT] if answer.start <= token < end else "", INKS[TARGET] if answer.start < token <= end else ""),
        flag=str(window) if begins else "", strong=begins and window == answer.window)


def window_swatch(kind: str) -> Swatch:
    """Return a sign of the strip, for a legend."""
    def paint(painter: QPainter, room: QRectF, _letter: int) -> None:
        place = room.adjusted(1, 2, -1, -2)
        if kind in INKS:
            bar = QRectF(place.left(), place.center().y() - BAR / 2, place.width(), BAR)
            paint_bar(painter, bar, INKS[kind], gaps=kind == TARGET)
        else:
            paint_ground(painter, LOOKS[kind], place)

    return Swatch(paint, 1.6, 1)


def shown_tokens(answer: WindowsAnswer) -> tuple[int, int]:
    """From which token to which: those of the batch, or at least of its window."""
    rows = len(answer.inputs)
    begin = int(answer.starts[answer.first])
    last = answer.first + rows
    end = int(answer.starts[last]) + 1 if last < len(answer.starts) else answer.tokens
    end = max(end, int(answer.starts[last - 1]) + answer.context + 1)
    if end > begin + MOST and answer.start + answer.context + 1 > begin + MOST:
        begin = max(0, answer.start - BEFORE)
    return begin, min(end, begin + MOST, answer.tokens)
