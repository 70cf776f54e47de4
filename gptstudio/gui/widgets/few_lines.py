"""A label that is cut off with an ellipsis where it has no space for its text, which is then its tooltip."""

from __future__ import annotations

import math
from collections.abc import Sequence

from PySide6.QtCore import QPointF, QSize, Qt
from PySide6.QtGui import QFont, QPainter, QPaintEvent, QResizeEvent, QTextLayout, QTextOption
from PySide6.QtWidgets import QSizePolicy

from gptstudio.gui.widgets.parts import Notice, plain

LEAST = 6
"""Minimum width, in lines of text."""


class FewLines(Notice):
    """Shows as many lines of its text as fit, at most ``lines``; hidden while it is empty. A screen reader reads all
    of the text."""

    def __init__(self, name: str, role: str = "muted", lines: int = 2) -> None:
        super().__init__(name, role)
        self._lines, self._tip = lines, ""
        policy = QSizePolicy(QSizePolicy.Policy.Preferred, QSizePolicy.Policy.Preferred)
        policy.setHeightForWidth(lines > 1)
        self.setSizePolicy(policy)

    def explain(self, tip: str) -> None:
        """Add something to the tooltip, below the text where that is cut off."""
        self._tip = tip
        self._show_tip()

    def setText(self, text: str) -> None:
        super().setText(text)
        self.updateGeometry()
        self._show_tip()

    def resizeEvent(self, event: QResizeEvent) -> None:
        super().resizeEvent(event)
        self._show_tip()

    def heightForWidth(self, width: int) -> int:
        return max(1, min(self._lines, self._layout(width).lineCount())) * self._step()

    def sizeHint(self) -> QSize:
        return QSize(self.fontMetrics().horizontalAdvance(self.text()) + 1, self._step())

    def minimumSizeHint(self) -> QSize:
        hint = self.sizeHint()
        return QSize(min(LEAST * self.fontMetrics().height(), hint.width()), hint.height())

    def paintEvent(self, _event: QPaintEvent) -> None:
        letters, painter = self.fontMetrics(), QPainter(self)
        painter.setPen(self.palette().color(self.foregroundRole()))
        layout, step = self._layout(self.width()), self._step()
        shown = self._shown()
        if layout.lineCount() > shown:
            start = layout.lineAt(shown - 1).textStart()
            rest = letters.elidedText(layout.text()[start:], Qt.TextElideMode.ElideRight, self.width())
            layout = laid_out(layout.text()[:start] + rest, self.font(), self.width())
        for number in range(min(shown, layout.lineCount())):
            line = layout.lineAt(number)
            line.draw(painter, QPointF(0, number * step - line.y()))

    def _shown(self) -> int:
        """Return the number of lines for which there is space."""
        return max(1, min(self._lines, self.height() // self._step()))

    def _step(self) -> int:
        """Return the height of a line in pixels."""
        return line_height(self.text(), self.font())

    def _show_tip(self) -> None:
        cut = self._layout(self.width()).lineCount() > self._shown()
        tip = plain("\n\n".join(each for each in (self.text() if cut else "", self._tip) if each))
        if tip != self.toolTip():
            self.setToolTip(tip)

    def _layout(self, width: int) -> QTextLayout:
        return laid_out(self.text(), self.font(), width)


def line_height(words: str, font: QFont) -> int:
    """Return the height of a line in pixels, which depends on the letters: a font may borrow those it lacks."""
    layout = laid_out(words or "x", font, 1_000_000)  # its lines are gone with it
    return math.ceil(layout.lineAt(0).height())


def laid_out(
    text: str, font: QFont, width: int, formats: Sequence[QTextLayout.FormatRange] = ()
) -> QTextLayout:
    """Return a text in lines of a width in pixels, parts of it in other ``formats``. A line break in it is a space."""
    layout, option = QTextLayout(text.replace("\n", " "), font), QTextOption()
    layout.setFormats(formats)
    option.setWrapMode(QTextOption.WrapMode.WrapAtWordBoundaryOrAnywhere)
    layout.setTextOption(option)
    layout.beginLayout()
    y = 0.0
    while (line := layout.createLine()).isValid():
        line.setLineWidth(max(1, width))
        line.setPosition(QPointF(0, y))
        y += line.height()
    layout.endLayout()
    return layout
