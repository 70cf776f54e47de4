"""The tokens under the windows of a batch: how often each is an input, and where the window that is looked at lies."""

from __future__ import annotations

from bisect import bisect_right

from PySide6.QtCore import QPointF, QRectF, Qt, Signal
from PySide6.QtGui import QBrush, QFontMetricsF, QPainter, QPen

from gptstudio.gpt import tokenizer
from gptstudio.gui.canvas.swatch import Swatch
from gptstudio.gui.canvas.writing import small
from gptstudio.gui.learn.token_strips import RADIUS, TokenStrip, fill_box
from gptstudio.gui.theme import colour
from gptstudio.gui.translation import tr
from gptstudio.labs.windows import WindowsAnswer

MOST = 150  # tokens that are shown at once
BEFORE = 4  # number of tokens before the window that are shown if the whole batch does not fit
BAR = 5.0
INPUT, TARGET = "input", "target"
ONCE, AGAIN, ONLY_TARGET, NEVER = "once", "again", "only target", "never"


class WindowStrip(TokenStrip):
    """Windows over the tokens of a text; emits the window that is chosen."""

    window_chosen = Signal(int)

    def __init__(self, name: str) -> None:
        super().__init__(name, tr("Tokens and the windows over them"))
        self._answer: WindowsAnswer  # with the first windows
        self.first = 0  # the token of the first box
        self.chosen.connect(lambda index: self.window_chosen.emit(self._window_at(self.first + index)))

    def show_windows(self, answer: WindowsAnswer) -> None:
        self._answer = answer
        self.first, end = _shown(answer)
        ids = answer.ids[self.first : end].tolist()
        self.show_tokens([tokenizer.visible(each) for each in ids], [
            tr("{id} ×{count}", id=each, count=count) if count > 1 else str(each)
            for each, count in zip(ids, answer.as_input[self.first : end].tolist(), strict=True)])

    def kind(self, token: int) -> str:
        """Return the use of a token by all windows: as input once or again, only as target, or never."""
        times = int(self._answer.as_input[token])
        if times:
            return ONCE if times == 1 else AGAIN
        return ONLY_TARGET if self._answer.as_target[token] else NEVER

    def room(self) -> tuple[float, float]:
        return QFontMetricsF(small(self.font())).height(), 2 * BAR + 4

    def paint_box(self, painter: QPainter, index: int, place: QRectF) -> None:
        answer, token = self._answer, self.first + index
        paint_ground(painter, place, self.kind(token))
        ahead = QRectF(place.left(), place.bottom() + 2, place.width() + 4, BAR)
        if answer.start <= token < answer.start + answer.context:
            paint_bar(painter, ahead, INPUT)
        if answer.start < token <= answer.start + answer.context:
            paint_bar(painter, ahead.translated(0, BAR + 1), TARGET)
        window = self._window_at(token)
        if answer.starts[window] == token:
            self._paint_number(painter, place, window, window == answer.window)

    def _window_at(self, token: int) -> int:
        """Return the last window that begins at a token or before it."""
        return bisect_right(self._answer.starts, token) - 1

    def ink(self, index: int) -> str:
        return "muted" if self.kind(self.first + index) in (NEVER, ONLY_TARGET) else "text"

    def _paint_number(self, painter: QPainter, place: QRectF, window: int, looked_at: bool) -> None:
        """A flag above the token with which a window begins."""
        font = small(self.font())
        font.setBold(looked_at)
        high, name = QFontMetricsF(font).height(), "training" if looked_at else "muted"
        painter.setFont(font)
        painter.setPen(QPen(colour(name), 2 if looked_at else 1))
        painter.drawLine(place.topLeft(), place.topLeft() - QPointF(0, high))
        where = QRectF(place.left() + 3, place.top() - high, place.width(), high)
        painter.drawText(where, Qt.AlignmentFlag.AlignLeft | Qt.AlignmentFlag.AlignVCenter, str(window))

def window_swatch(kind: str) -> Swatch:
    """Return a sign of the strip, for a legend."""
    def paint(painter: QPainter, room: QRectF, _letter: int) -> None:
        place = room.adjusted(1, 2, -1, -2)
        if kind in (INPUT, TARGET):
            paint_bar(painter, QRectF(place.left(), place.center().y() - BAR / 2, place.width(), BAR), kind)
        else:
            paint_ground(painter, place, kind)

    return Swatch(paint, 1.6, 1)


def paint_bar(painter: QPainter, place: QRectF, kind: str) -> None:
    """Inputs have a full bar, targets one with gaps."""
    if kind == INPUT:
        painter.fillRect(place, colour("training"))
        return
    painter.save()
    painter.setClipRect(place)
    left = place.left() - place.left() % 7  # as if one bar went through all boxes
    while left < place.right():
        painter.fillRect(QRectF(left, place.top(), 4, place.height()), colour("validation"))
        left += 7
    painter.restore()


def paint_ground(painter: QPainter, place: QRectF, kind: str) -> None:
    """Inputs are filled, and hatched where they are one more than once; what is none has a broken line around it."""
    if kind in (ONCE, AGAIN):
        fill_box(painter, place, colour("training", 0.16))
    if kind == AGAIN:
        fill_box(painter, place, QBrush(colour("training", 0.25), Qt.BrushStyle.FDiagPattern))
    if kind in (ONLY_TARGET, NEVER):
        painter.setPen(QPen(colour("validation" if kind == ONLY_TARGET else "muted"), 1, Qt.PenStyle.DashLine))
        painter.setBrush(Qt.BrushStyle.NoBrush)
        painter.drawRoundedRect(place, RADIUS, RADIUS)
    if kind == NEVER:
        painter.setPen(QPen(colour("muted"), 1))
        painter.drawLine(place.bottomLeft(), place.topRight())


def _shown(answer: WindowsAnswer) -> tuple[int, int]:
    """From which token to which: those of the batch, or at least of its window."""
    rows = len(answer.inputs)
    begin = int(answer.starts[answer.first])
    last = answer.first + rows
    end = int(answer.starts[last]) + 1 if last < len(answer.starts) else answer.tokens
    end = max(end, int(answer.starts[last - 1]) + answer.context + 1)
    if end > begin + MOST and answer.start + answer.context + 1 > begin + MOST:
        begin = max(0, answer.start - BEFORE)
    return begin, min(end, begin + MOST, answer.tokens)
