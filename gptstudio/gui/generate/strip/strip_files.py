"""Copies and files of a text with its probabilities: HTML and SVG to show, CSV to compute with. No torch."""

from __future__ import annotations

import html
from collections.abc import Callable, Collection, Iterator, Sequence
from pathlib import Path

from PySide6.QtCore import QBuffer, QMimeData, QPoint, QRect, Signal
from PySide6.QtGui import QAction, QGuiApplication, QPainter
from PySide6.QtSvg import QSvgGenerator
from PySide6.QtWidgets import QMenu

from gptstudio import files
from gptstudio.gpt.tokenizer import GPT2, Tokenizer
from gptstudio.gui import xml_text
from gptstudio.gui.canvas.tint import TintScale, ink_on
from gptstudio.gui.canvas.tokens import TokenBox
from gptstudio.gui.generate.strip.token_strip import STOPS, ColourLegend, TokenStrip
from gptstudio.gui.save_as import save_as
from gptstudio.gui.theme import colour, theme
from gptstudio.gui.translation import tr
from gptstudio.gui.widgets.parts import menu_action
from gptstudio.inference.text_tree import Node
from gptstudio.training.events import TokenDrawn

MARGIN = 12

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


def write_html(
    path: Path, nodes: Sequence[Node], new_from: int, scale: TintScale, copied: Collection[int] = (),
    tokenizer: Tokenizer = GPT2,
) -> None:
    """Write a self-contained page in the colours of the theme, with the details of each token in a tooltip.

    Args:
        new_from: position of the first token after the prompt.
        scale: scale by which the tokens are coloured.
        copied: positions of the tokens copied from the training text.
        tokenizer: tokenizer of the ids.

    Raises:
        UserError: the file cannot be written.
    """
    page = PAGE.format(
        title=html.escape(_title(len(nodes), scale)), legend=_legend(scale, bool(copied)),
        tokens=as_html(nodes, new_from, scale, copied, tokenizer),
        surface=theme.colours.surface, text=theme.colours.text)
    files.save_whole(path, page.encode())


def as_html(
    nodes: Sequence[Node], new_from: int, scale: TintScale, copied: Collection[int] = (), tokenizer: Tokenizer = GPT2
) -> str:
    """Return the tokens alone, to paste into a page or an e-mail: all styles are inline."""
    boxes = [TokenBox.of(node, node.position < new_from, tokenizer) for node in nodes]
    return "\n".join(
        ("<br>" if box.begins_line(before) else "") + _span(box, scale, box.position in copied)
        for before, box in zip([None, *boxes], boxes, strict=False))


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
    room = QRect(0, 0, max(strip.width(), legend.width() + 2 * MARGIN), below + legend.height() + 2 * MARGIN)
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
    legend.render(painter, QPoint(MARGIN, below + MARGIN))
    painter.end()
    files.save_whole(path, xml_text.sound(bytes(written.data().data())))


COLUMNS = ("position", "token", "id", "chosen", "rank", "logit", "probability", "after")


def write_csv(path: Path, nodes: Sequence[Node], tokenizer: Tokenizer = GPT2) -> None:
    """Write the candidates at each position, in UTF-8: the ten most likely tokens and the chosen one, or only the
    chosen one if no others are known.

    ``token`` is written as displayed, with visible white space. ``probability`` and ``rank`` are those of the model
    over the whole vocabulary; ``after`` is the probability after all sampling stages. Unknown values are empty.

    Raises:
        UserError: the file cannot be written.
    """
    files.save_csv(path, [COLUMNS, *(row for node in nodes for row in _rows(node, tokenizer))])


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
        self.open_passage = self._add("open_passage", tr("Open the copied passage in Texts"), self._want_passage)
        self.open_passage.setVisible(passages)
        self._add("copy_html", tr("Copy with colours (HTML)"), self._copy_html)
        self._add("copy_image", tr("Copy image"), strip.copy_image)
        self._add("copy_table", tr("Copy table"), strip.copy_table)
        self.addSeparator()
        self._add("save_html", tr("Save as HTML…"), lambda: self._save(
            "text.html", lambda path: write_html(
                path, strip.path, strip.new_from, strip.scale_in_force, strip.copied, strip.tokenizer)))
        self._add("save_svg", tr("Save as SVG…"), lambda: self._save(
            "text.svg", lambda path: write_svg(path, strip)))
        self._add("save_csv", tr("Save probabilities as CSV…"), lambda: self._save(
            "text.csv", lambda path: write_csv(path, strip.path, strip.tokenizer)))
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

    def _want_passage(self) -> None:
        if self._position is not None:
            self.passage_wanted.emit(self._position)

    def copy_text(self) -> None:
        self._copy(self._text())

    def _copy(self, text: str) -> None:
        QGuiApplication.clipboard().setText(text)

    def _copy_html(self) -> None:
        data, strip = QMimeData(), self._strip
        data.setHtml(as_html(
            strip.path, strip.new_from, strip.scale_in_force, strip.copied, strip.tokenizer))
        data.setText(self._text())
        QGuiApplication.clipboard().setMimeData(data)

    def _text(self) -> str:
        return self._strip.tokenizer.decode([node.id for node in self._strip.path])

    def _save(self, name: str, write: Callable[[Path], None]) -> None:
        save_as(self._strip, name, write, self.failed.emit)
