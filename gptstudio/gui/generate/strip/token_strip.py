"""A text as boxes of tokens, with visible white space, a colour scale with its legend, and arcs; its copies and files.

Only the visible part is painted, and only the new end of a growing text is laid out. Files are HTML and SVG to show,
CSV to compute with. No torch.
"""

from __future__ import annotations

import html
import math
from collections.abc import Callable, Iterator, Mapping, Sequence
from functools import partial
from operator import is_
from pathlib import Path
from typing import NamedTuple

from PySide6.QtCore import QBuffer, QMimeData, QPoint, QPointF, QRect, QRectF, QSize, Qt, Signal
from PySide6.QtGui import (
    QAction,
    QContextMenuEvent,
    QFontMetricsF,
    QGuiApplication,
    QKeyEvent,
    QLinearGradient,
    QPainter,
    QPainterPath,
    QPen,
    QResizeEvent,
)
from PySide6.QtSvg import QSvgGenerator
from PySide6.QtWidgets import QMenu, QSizePolicy, QWidget

from gptstudio import files
from gptstudio.gpt.tokenizer import GPT2, Tokenizer
from gptstudio.gui import xml_text
from gptstudio.gui.canvas.canvas import Swatch
from gptstudio.gui.canvas.tint import SCALES, TintScale, ink_on
from gptstudio.gui.canvas.tokens import MARGIN, MARKS, BoxPainter, ChosenBoxes, TokenBox, rich, width_of
from gptstudio.gui.canvas.writing import rounded
from gptstudio.gui.save_as import save_as
from gptstudio.gui.theme import colour, theme
from gptstudio.gui.translation import joined, tr
from gptstudio.gui.widgets.layouts import aligned, fill, hbox, with_layout
from gptstudio.gui.widgets.parts import label, menu_action
from gptstudio.inference.text_tree import Node, Reading
from gptstudio.training.events import TokenDrawn

THINNEST, THICKEST = 1.0, 6.0
"""Width of arcs, in pixels."""


class Arc(NamedTuple):
    """Arc from one position to another; ``weight``: its thickness, from 0 to 1."""

    start: int
    end: int
    weight: float


def paint_arcs(
    painter: QPainter, arcs: Sequence[Arc], place_of: Callable[[int], QRectF | None], height: float
) -> None:
    """Paint arcs from the top of a box to the top of another, above the boxes between them. ``place_of``: returns the
    rectangle of the box at a position; ``height``: height of a box."""
    rise = QPointF(0, 1.2 * height)  # a cubic curve rises three quarters as high
    painter.setBrush(Qt.BrushStyle.NoBrush)
    for arc in sorted(arcs, key=lambda each: each.weight):
        start, end = place_of(arc.start), place_of(arc.end)
        if start and end:
            width = THINNEST + arc.weight * (THICKEST - THINNEST)
            painter.setPen(QPen(colour("validation", 0.8), width, c=Qt.PenCapStyle.RoundCap))
            one, other = (QPointF(box.center().x(), box.top()) for box in (start, end))
            path = QPainterPath(one)
            path.cubicTo(one - rise, other - rise, other)
            painter.drawPath(path)


STOPS = 16


def _ramp(scale: TintScale, painter: QPainter, room: QRectF, letter: int) -> None:
    height = 0.7 * letter
    place = QRectF(0.5, (room.height() - height) / 2, room.width() - 1, height)
    ramp = QLinearGradient(place.topLeft(), place.topRight())
    for stop in range(STOPS + 1):
        ramp.setColorAt(stop / STOPS, scale.shade(stop / STOPS))
    rounded(painter, place, 3, ramp, colour("line"))


def _underlined(copied: bool, painter: QPainter, room: QRectF, letter: int) -> None:
    """Paint a box with the line under the prompt, or with that under copied tokens."""
    unit, middle = letter / 16, room.height() / 2
    rounded(painter, QRectF(1, middle - 6 * unit, room.width() - 2, 9 * unit), 2 * unit, colour("line"))
    line = (0, 4.5, room.width(), 2.5) if copied else (1, 5, room.width() - 2, 1.5)
    painter.fillRect(
        QRectF(line[0], middle + line[1] * unit, line[2], line[3] * unit), colour("amber" if copied else "muted"))


class ColourLegend(QWidget):
    """Legend of the token colours on one line: the ends of the scale, and the lines under prompt and copied tokens."""

    def __init__(self, prompt: bool = True) -> None:
        """``prompt``: include the line under the prompt."""
        super().__init__()
        self.low, self.high = label(role="muted"), label(role="muted")
        self._ramp = Swatch(partial(_ramp, SCALES["surprise"]), 5, 1, grows=True)
        middle = Qt.AlignmentFlag.AlignVCenter
        line = hbox(*(aligned(part, middle) for part in (self.low, self._ramp, self.high)), spacing=8)
        if prompt:
            line.addSpacing(8)
            fill(line, Swatch(partial(_underlined, False), 1, 1, grows=True), label(tr("prompt"), "muted"))
        self._copied = Swatch(partial(_underlined, True), 1, 1, grows=True), label(tr("copied"), "muted")
        line.addSpacing(8)
        fill(line, *self._copied)
        with_layout(self, line)
        self.show_copied(False)
        self.show_scale("surprise")

    def show_copied(self, shown: bool) -> None:
        """Show or hide the meaning of the line under copied tokens."""
        for part in self._copied:
            part.setVisible(shown)

    def show_scale(self, name: str) -> None:
        """Show one of :data:`gptstudio.gui.canvas.tint.SCALES`; for ``none``, only the line under the prompt."""
        scale = SCALES[name]
        self._ramp.paint_with(partial(_ramp, scale))
        self.low.setText(tr(scale.low) if scale.low else "")
        self.high.setText(tr(scale.high) if scale.high else "")
        for part in (self.low, self._ramp, self.high):
            part.setVisible(bool(scale.low))
        self.setToolTip(tr(scale.help))


BOX_HEIGHT, LINE_HEIGHT, GAP, ARCS_HEIGHT = 1.3, 1.75, 0.22, 2.7
"""Height of a box, height of a line, gap between two boxes, and height of a line with arcs, in heights of the font."""
FILLED = ("change", "attention")
"""Scales with values set by :meth:`TokenStrip.show_values`."""


class TokenStrip(ChosenBoxes):
    """Boxes of tokens by their position in the text. Emits the one chosen by a click, the arrow keys, Home or End."""

    menu_requested = Signal(object, QPoint)
    """Emitted on a right click or the menu key, with the position of the token or None, and the point on the screen."""

    def __init__(self, name: str = "token_strip") -> None:
        super().__init__(name, tr("The text as tokens; use the arrow keys to select one"))
        self.boxes: list[TokenBox] = []
        self._nodes: list[Node] = []  # of the boxes
        self.new_from = 0
        self.tokenizer: Tokenizer = GPT2
        self.scale = "surprise"
        self.dims_ahead = True
        """True if the tokens after the chosen one are dimmed."""
        self.more: Callable[[int], str] = lambda _: ""
        """Returns additional text about the token at a position."""
        self._values: dict[str, Sequence[float]] = {}  # of the scales in FILLED, by position; nan: unknown
        self._arcs: Sequence[Arc] | None = None
        self._marks: dict[int, str] = {}
        self.copied: dict[int, int] = {}
        """Length of the longest copied stretch that contains a token, by the position of the token."""
        self._widths: dict[str, float] = {}
        self._sizes: list[tuple[float, bool]] = []  # width of each box, and True if it begins a line
        self._metrics: QFontMetricsF | None = None
        self.setSizePolicy(QSizePolicy.Policy.Expanding, QSizePolicy.Policy.MinimumExpanding)
        self.remeasure()

    @property
    def path(self) -> list[Node]:
        return list(self._nodes)

    @property
    def begin(self) -> int:  # type: ignore[override]  # fixed elsewhere; the position of the first box here
        return self.boxes[0].position if self.boxes else 0

    def show_path(self, nodes: Sequence[Node], new_from: int, tokenizer: Tokenizer = GPT2) -> None:
        """Show tokens; the layout of a beginning shared with the previous ones is kept.

        Args:
            nodes: tokens of the text from the first one, without gaps.
            new_from: position of the first token after the prompt.
            tokenizer: tokenizer of their ids.
        """
        same = self._unchanged(nodes, new_from) if tokenizer == self.tokenizer else 0
        if same == len(self.boxes) == len(nodes):
            return
        self.new_from, self.tokenizer = new_from, tokenizer
        self._nodes[same:] = nodes[same:]
        self.boxes[same:] = [TokenBox.of(node, node.position < new_from, tokenizer) for node in nodes[same:]]
        self.item = None
        self._measure(same)
        self._lay_out(same)

    def clear(self) -> None:
        self.current = None
        self._marks, self.copied = {}, {}
        self.show_path([], 0)

    def choose(self, position: int | None) -> None:
        """Mark the box at a position without emitting a signal. The tokens after it are dimmed."""
        if position == self.current:
            return
        before, self.current = self.current, position
        if self._box(before) and self._box(position):
            self.refresh(before, position)
        else:
            self.update()
        self.describe("" if position is None else self.words(position))

    def colour_by(self, name: str) -> None:
        """Colour by one of the scales of :data:`gptstudio.gui.canvas.tint.SCALES`, or by none."""
        self.scale = name
        self.update()

    def show_values(self, scale: str, values: Sequence[float]) -> None:
        """Set the values of a scale that do not come from readings, by position: the increase of each token's surprisal
        by a change of the model, in bits, or the attention to it relative to the maximum. nan: unknown."""
        self._values[scale] = values
        if self.scale == scale:
            self.update()

    def show_arcs(self, arcs: Sequence[Arc] | None) -> None:
        """Draw arcs above the text, with more space between the lines; None: no arcs, and no additional space."""
        before, self._arcs = self._arcs, arcs
        if (before is None) != (arcs is None):
            self._lay_out_all()
        self.update()

    @property
    def scale_in_force(self) -> TintScale:
        """Scale by which the tokens are coloured."""
        scale = SCALES[self.scale]
        return scale._replace(value=self._value) if self.scale in FILLED else scale

    def _value(self, reading: Reading) -> float | None:
        values = self._values.get(self.scale, ())
        value = values[reading.position] if reading.position < len(values) else math.nan
        return None if math.isnan(value) else value

    def mark(self, positions: Mapping[int, str]) -> None:
        """Mark these boxes and no others, with kinds of :data:`MARKS`."""
        if positions != self._marks:
            self._marks = dict(positions)
            self.update()

    def underline(self, copied: Mapping[int, int]) -> None:
        """Underline tokens copied from the training text. ``copied``: length of the copied stretch by position."""
        if copied != self.copied:
            self.copied = dict(copied)
            self.update()

    def place_of(self, position: int) -> QRectF | None:
        """Return the rectangle of the box at a position; None if there is none."""
        return self.place(position) if self._box(position) else None

    def words(self, position: int) -> str:
        box = self._box(position)
        if box is None:
            return ""
        mark, copied = self._marks.get(position), self.copied.get(position)
        return joined("\n", *filter(None, (
            box.tip, self.more(position), tr(MARKS[mark]) if mark else "",
            tr("Copied: one of {n} tokens in a row that occur word for word in the training text", n=f"{copied:,}")
            if copied else "")))

    def tip(self, position: int) -> str:
        return rich(self.words(position))

    def table(self) -> Sequence[Sequence[str]]:
        return [(str(box.position), box.text, str(box.node.id)) for box in self.boxes]

    def paint_boxes(self, painter: QPainter, top: float, bottom: float) -> None:
        """Paint all boxes between two heights of the strip."""
        made, seen = self._box_painter(painter), self._layout.within(top, bottom)
        places = {index: self._layout.place(index) for index in seen}
        dims = self.dims_ahead and self.scale != "attention" and self.current is not None
        for index in seen:
            box = self.boxes[index]
            ahead = dims and box.position > (self.current or 0)
            made.box(box, places[index], ahead)
            if box.position in self.copied:
                made.copied(places[index], self._right_of(index))
        for index in seen:  # on top of the adjacent boxes
            position = self.boxes[index].position
            if position == self.current:
                made.ring(places[index], colour("accent"))
            if position in self._marks:
                made.badge(self._marks[position], places[index])
        paint_arcs(painter, self._arcs or (), self.place_of, self._layout.height)

    def _right_of(self, index: int) -> float:
        """Return the right end of the line under a copied box: the start of the next box, if that is copied too."""
        here = self._layout.place(index)
        if index + 1 < len(self.boxes) and self.boxes[index + 1].position in self.copied:
            following = self._layout.place(index + 1)
            if following.top() == here.top():
                return following.left() + 2
        return here.right()

    def sizeHint(self) -> QSize:
        return QSize(300, round(self._layout.bottom))

    def minimumSizeHint(self) -> QSize:
        return QSize(60, self.sizeHint().height())

    def resizeEvent(self, event: QResizeEvent) -> None:
        if event.size().width() != event.oldSize().width():
            self._lay_out_all()

    def remeasure(self) -> None:
        metrics = QFontMetricsF(self.font())
        if metrics != self._metrics:
            self._metrics = metrics
            self._widths.clear()
            self._measure(0)
            self._lay_out_all()
        self.update()

    def paint(self, painter: QPainter, region: QRect) -> None:
        over = self._layout.pitch - self._layout.height  # margin for rings and marks
        self.paint_boxes(painter, region.top() - over, region.bottom() + over)
        if self.item is not None and self.item != self.current:
            self._box_painter(painter).ring(self.place(self.item), colour("muted"))
        if self.hasFocus() and self.here() is None:
            rounded(painter, QRectF(self.rect()).adjusted(0.5, 0.5, -0.5, -0.5), 4, edge=colour("accent"))

    def keyPressEvent(self, event: QKeyEvent) -> None:
        if event.modifiers() & ~Qt.KeyboardModifier.KeypadModifier:
            event.ignore()
        else:
            super().keyPressEvent(event)

    def point_at(self, position: int | None) -> None:
        if position != self.item:
            self.setCursor(Qt.CursorShape.ArrowCursor if position is None else Qt.CursorShape.PointingHandCursor)
        super().point_at(position)

    def refresh(self, *positions: int | None) -> None:
        """Repaint the lines of these boxes and the lines between them."""
        places = [self.place(position) for position in positions if position is not None and self._box(position)]
        if not places:
            return
        top, line = min(place.top() for place in places), self._layout.pitch
        down = max(place.top() for place in places) + line
        self.update(0, int(top - line / 2), self.width(), int(down - top + line))

    def contextMenuEvent(self, event: QContextMenuEvent) -> None:
        position, place = self.item_at(QPointF(event.pos())), event.globalPos()
        if event.reason() == QContextMenuEvent.Reason.Keyboard:
            position = self.here()
            if position is not None:
                place = self.mapToGlobal(self.place(position).bottomLeft().toPoint())
        self.menu_requested.emit(position, place)

    def _unchanged(self, nodes: Sequence[Node], new_from: int) -> int:
        """Return the number of boxes at the beginning that stay unchanged."""
        shown = self._nodes
        same = min(len(shown), len(nodes))
        if not all(map(is_, shown, nodes)):
            same = next(i for i, (box, node) in enumerate(zip(shown, nodes, strict=False)) if box is not node)
        if new_from != self.new_from:
            same = min(same, max(0, min(new_from, self.new_from) - self.begin))
        return same

    def _lay_out_all(self) -> None:
        height = QFontMetricsF(self.font()).height()
        shares = LINE_HEIGHT if self._arcs is None else ARCS_HEIGHT, BOX_HEIGHT, GAP
        line, box, gap = (round(share * height) for share in shares)  # whole pixels are sharp
        self._layout.set_sizes(self.width(), line, box, gap, edge=MARGIN if self._arcs is None else line - box)
        self._lay_out(0)

    def _lay_out(self, first: int) -> None:
        """Lay out the boxes from index ``first``."""
        self._layout.cut(first)
        self._layout.add(self._sizes[first:])
        if self.minimumHeight() != self.sizeHint().height():
            self.setMinimumHeight(self.sizeHint().height())
        top = self._layout.place(min(first, len(self.boxes) - 1)).top() if self.boxes else 0
        self.update(0, int(top - self._layout.gap), self.width(), self.height())

    def _measure(self, first: int) -> None:
        """Measure the boxes from index ``first``; their sizes do not depend on the width of the strip."""
        metrics = QFontMetricsF(self.font())
        before = [self.boxes[first - 1] if first else None, *self.boxes[first:]]
        self._sizes[first:] = [
            (self._width(box.text, metrics), box.begins_line(last))
            for last, box in zip(before, self.boxes[first:], strict=False)]

    def _width(self, text: str, metrics: QFontMetricsF) -> float:
        width = self._widths.get(text)
        if width is None:
            width = self._widths[text] = width_of(text, metrics)
        return width

    def _box_painter(self, painter: QPainter) -> BoxPainter:
        painter.setFont(self.font())
        return BoxPainter(painter, self.scale_in_force, QFontMetricsF(self.font()), self._layout.room)

    def _box(self, position: int | None) -> TokenBox | None:
        index = -1 if position is None else position - self.begin
        return self.boxes[index] if 0 <= index < len(self.boxes) else None


FILE_MARGIN = 12
"""Pixels around the legend in a file."""

PAGE = """<!DOCTYPE html>
<html>
<head>
<meta charset="utf-8">
<title>{title}</title>
</head>
<body style="background:{surface};color:{text};font:15px/2.1 system-ui,sans-serif;max-width:60em;margin:2em auto">
{legend}
<p dir="ltr">
{tokens}
</p>
</body>
</html>
"""


def write_html(path: Path, strip: TokenStrip) -> None:
    """Write a self-contained page in the colours of the theme, with the details of each token in a tooltip.

    Raises:
        UserError: the file cannot be written.
    """
    scale = strip.scale_in_force
    page = PAGE.format(
        title=html.escape(_title(len(strip.boxes), scale)), legend=_legend(scale, bool(strip.copied)),
        tokens=as_html(strip), surface=theme.colours.surface, text=theme.colours.text)
    files.save_whole(path, page.encode())


def as_html(strip: TokenStrip) -> str:
    """Return the tokens alone, to paste into a page or an e-mail: all styles are inline."""
    scale = strip.scale_in_force
    return "\n".join(
        ("<br>" if box.begins_line(before) else "") + _span(box, scale, box.position in strip.copied)
        for before, box in zip([None, *strip.boxes], strip.boxes, strict=False))


def write_svg(path: Path, strip: TokenStrip) -> None:
    """Write the strip as it is shown, with its legend below.

    Raises:
        UserError: the file cannot be written.
    """
    legend = ColourLegend()
    legend.show_scale(strip.scale)
    legend.show_copied(bool(strip.copied))
    legend.ensurePolished()
    legend.adjustSize()
    below = strip.sizeHint().height()
    room = QRect(0, 0, max(strip.width(), legend.width() + 2 * FILE_MARGIN), below + legend.height() + 2 * FILE_MARGIN)
    written = QBuffer()
    made = QSvgGenerator(QSvgGenerator.SvgVersion.Svg11)
    made.setOutputDevice(written)
    made.setResolution(strip.logicalDpiX())  # for the same text size as on the screen
    made.setSize(room.size())
    made.setViewBox(room)
    made.setTitle(_title(len(strip.boxes), strip.scale_in_force))
    painter = QPainter(made)
    painter.fillRect(room, colour("surface"))
    strip.paint_boxes(painter, 0, below)
    legend.render(painter, QPoint(FILE_MARGIN, below + FILE_MARGIN))
    painter.end()
    files.save_whole(path, xml_text.sound(bytes(written.data().data())))


COLUMNS = ("position", "token", "id", "chosen", "rank", "logit", "probability", "after")


def write_csv(path: Path, strip: TokenStrip) -> None:
    """Write the candidates at each position, in UTF-8: the ten most likely tokens and the chosen one, or only the
    chosen one if no others are known.

    ``token`` is written as displayed, with visible white space. ``probability`` and ``rank`` are those of the model
    over the whole vocabulary; ``after`` is the probability after all sampling stages. Unknown values are empty.

    Raises:
        UserError: the file cannot be written.
    """
    files.save_csv(path, [COLUMNS, *(row for node in strip.path for row in _rows(node, strip.tokenizer))])


def _rows(node: Node, tokenizer: Tokenizer) -> Iterator[tuple[object, ...]]:
    reading = node.reading
    others = reading.alternatives if isinstance(reading, TokenDrawn) else []
    for rank, each in enumerate(others, 1):
        figures = rank, each.logit, each.probability, each.after
        yield node.position, tokenizer.visible(each.id), each.id, int(each.id == node.id), *figures
    if node.id not in [each.id for each in others]:
        after = reading.probability if isinstance(reading, TokenDrawn) else None
        known = reading.rank, None, reading.plain_probability, after
        yield node.position, tokenizer.visible(node.id), node.id, 1, *known


def _span(box: TokenBox, scale: TintScale, copied: bool) -> str:
    styles = {"display": "inline-block", "line-height": "1.4", "padding": "0 4px", "border-radius": "4px",
              "white-space": "pre", **_paint(box, scale)}
    if box.prompt:
        styles["border-bottom"] = f"2px solid {theme.colours.muted}"
    elif copied:
        styles["border-bottom"] = f"3px solid {theme.colours.amber}"
    style = ";".join(f"{name}:{value}" for name, value in styles.items())
    title = html.escape(box.tip).replace("\n", "&#10;")
    # A token in a right-to-left script must not reverse the adjacent ones.
    return f'<span style="{style}" title="{title}"><bdi>{html.escape(box.text)}</bdi></span>'


def _paint(box: TokenBox, scale: TintScale) -> dict[str, str]:
    share = scale.share_of(box.node.reading)
    if share is None:
        return {"background": theme.colours.window, "color": theme.colours.text}
    return {"background": scale.shade(share).name(), "color": ink_on(scale.shade(share)).name()}


def _legend(scale: TintScale, copied: bool) -> str:
    ramp = ",".join(scale.shade(stop / STOPS).name() for stop in range(STOPS + 1))
    prompt = f'<span style="border-bottom:2px solid {theme.colours.muted}">{html.escape(tr("prompt"))}</span>'
    if copied:
        words = html.escape(tr("copied"))
        prompt += f' &ensp; <span style="border-bottom:3px solid {theme.colours.amber}">{words}</span>'
    if not scale.low:
        return f"<p>{prompt}</p>"
    bar = f'<span style="display:inline-block;width:8em;height:0.8em;background:linear-gradient(90deg,{ramp})"></span>'
    words, low, high = (html.escape(tr(each)) for each in (scale.words, scale.low, scale.high))
    return f"<p>{words}: {low} {bar} {high} &ensp; {prompt}</p>"


def _title(count: int, scale: TintScale) -> str:
    if not scale.low:
        return tr("Text of {n} tokens", n=f"{count:,}")
    return tr("Text of {n} tokens, coloured by {what}", n=f"{count:,}", what=tr(scale.words).lower())


class StripMenu(QMenu):
    """Context menu of a strip. ``failed``: emitted with the reason why a file was not written; empty if it was."""

    failed = Signal(str)
    passage_wanted = Signal(int)
    """Emitted with the position of a copied token, to show its passage."""

    def __init__(self, strip: TokenStrip, passages: bool = False):
        """Make the menu of a strip. ``passages``: copied passages can be opened."""
        super().__init__(strip)
        self.setObjectName(f"{strip.objectName()}_menu")
        self._strip = strip
        self._token: int | None = None
        self._position: int | None = None
        self.setToolTipsVisible(True)
        self._add("copy_text", tr("Copy text"), self.copy_text)
        self.copy_id = self._add("copy_id", tr("Copy this token's ID"), lambda: self._copy(str(self._token)))
        self.open_passage = self._add(
            "open_passage", tr("Open the copied passage in Texts"), lambda: self.passage_wanted.emit(self._position))
        self.open_passage.setVisible(passages)
        self._add("copy_html", tr("Copy with colours (HTML)"), self._copy_html)
        self._add("copy_image", tr("Copy image"), strip.copy_image)
        self._add("copy_table", tr("Copy table"), strip.copy_table)
        self.addSeparator()
        for kind, words, write in (
            ("html", tr("Save as HTML…"), write_html), ("svg", tr("Save as SVG…"), write_svg),
            ("csv", tr("Save probabilities as CSV…"), write_csv),
        ):
            self._add(f"save_{kind}", words, partial(
                save_as, strip, f"text.{kind}", partial(write, strip=strip), self.failed.emit))
        strip.menu_requested.connect(self.open_for)

    def open_for(self, position: int | None, place: QPoint) -> None:
        """Open the menu for the token at a position, or for the text alone; do nothing if there is no text."""
        if not self._strip.boxes:
            return
        self._position = position
        copied = position is not None and position in self._strip.copied
        self.open_passage.setEnabled(copied)
        self.open_passage.setToolTip("" if copied else tr("Choose a token that is underlined as copied first."))
        self._token = next((node.id for node in self._strip.path if node.position == position), None)
        known = self._token is not None
        words = tr("Copy this token's ID ({id})", id=f"{self._token:,}") if known else tr("Copy this token's ID")
        self.copy_id.setText(words)
        self.copy_id.setEnabled(known)
        self.popup(place)

    def _add(self, name: str, words: str, handler: Callable[[], None]) -> QAction:
        action = menu_action(self, words)
        action.setObjectName(f"strip_{name}")
        action.triggered.connect(lambda: handler())
        return action

    def copy_text(self) -> None:
        self._copy(self._text())

    def _copy(self, text: str) -> None:
        QGuiApplication.clipboard().setText(text)

    def _copy_html(self) -> None:
        data = QMimeData()
        data.setHtml(as_html(self._strip))
        data.setText(self._text())
        QGuiApplication.clipboard().setMimeData(data)

    def _text(self) -> str:
        return self._strip.tokenizer.decode([node.id for node in self._strip.path])
