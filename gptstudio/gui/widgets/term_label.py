"""A label that is a term of the glossary: dotted underline, a card on hover, and a click opens its entry."""

from __future__ import annotations

from collections.abc import Callable
from html import escape
from typing import cast

from PySide6.QtCore import QEvent, QObject, QPointF, Qt
from PySide6.QtGui import QHelpEvent, QMouseEvent, QPainter, QPaintEvent, QPen
from PySide6.QtWidgets import QLabel, QToolTip, QWidget

from gptstudio.gui.theme import colour


class TermSource(QObject):
    """Knows the terms, for the labels in a window whose direct child it is.

    ``card``: returns what a term means and what it comes to now, as rich text; empty if it is not known. ``open``:
    opens the entry of a term.
    """

    def __init__(self, window: QObject, card: Callable[[str], str], open_entry: Callable[[str], object]) -> None:
        super().__init__(window)
        self.card, self.open = card, open_entry


class TermLabel(QLabel):
    """``term``: its key in the glossary."""

    def __init__(self, text: str, term: str) -> None:
        super().__init__(text)
        self.term = term
        self.setCursor(Qt.CursorShape.PointingHandCursor)

    def event(self, event: QEvent) -> bool:
        if event.type() == QEvent.Type.ToolTip and (source := self._source()):
            help_event = cast(QHelpEvent, event)
            if card := source.card(self.term):
                QToolTip.showText(help_event.globalPos(), card + self._tip_around(), self, self.rect())
                return True
        return super().event(event)

    def mouseReleaseEvent(self, event: QMouseEvent) -> None:
        source = self._source()
        if source and event.button() == Qt.MouseButton.LeftButton and self.rect().contains(event.position().toPoint()):
            source.open(self.term)
        else:
            super().mouseReleaseEvent(event)

    def paintEvent(self, event: QPaintEvent) -> None:
        super().paintEvent(event)
        metrics, painter = self.fontMetrics(), QPainter(self)
        painter.setPen(QPen(colour("muted"), 1, Qt.PenStyle.DotLine))
        width = min(metrics.horizontalAdvance(self.text()), self.width())
        line = (self.height() + metrics.ascent() - metrics.descent()) / 2 + 2.5
        painter.drawLine(QPointF(0, line), QPointF(width, line))

    def _source(self) -> TermSource | None:
        return cast("TermSource | None", self.window().findChild(
            TermSource, options=Qt.FindChildOption.FindDirectChildrenOnly))

    def _tip_around(self) -> str:
        """Return the tooltip of what the label belongs to, such as the field that it names."""
        around = self.parentWidget()
        tip = around.toolTip() if isinstance(around, QWidget) else ""
        return f"<hr>{_paragraphs(tip)}" if tip else ""


def _paragraphs(text: str) -> str:
    """Return text as rich text, letter by letter; a line each."""
    return "".join(f"<p>{escape(line)}</p>" for line in text.split("\n"))
