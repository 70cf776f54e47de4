"""Last sample of the selected run, in two lines."""

from __future__ import annotations

from PySide6.QtCore import QPointF, QRect, QSize
from PySide6.QtGui import QPainter, QTextCharFormat, QTextLayout
from PySide6.QtWidgets import QSizePolicy

from gptstudio.app.state import RunEntry
from gptstudio.gui.appearance import follow
from gptstudio.gui.canvas.canvas import Canvas
from gptstudio.gui.theme import colour
from gptstudio.gui.translation import tr
from gptstudio.gui.widgets.copied_mark import mark_copied
from gptstudio.gui.widgets.few_lines import laid_out, line_height
from gptstudio.gui.widgets.parts import plain
from gptstudio.training.events import Copy

LINES = 2


class LastSample(Canvas):
    """Paints the beginning of the text, with what is copied from the training text marked as on Train. As high with a
    run without a sample."""

    def __init__(self) -> None:
        super().__init__("runs_sample", pointable=False)
        self._head = self._text = ""
        self._copies: tuple[Copy, ...] = ()
        self.setSizePolicy(QSizePolicy.Policy.Ignored, QSizePolicy.Policy.Fixed)
        follow(self, self._fit)
        self.show_run(None)

    def show_run(self, run: RunEntry | None) -> None:
        """Show the last sample of a run; None: no run is selected."""
        figures = run.summary.figures if run else None
        self._text = " ".join(figures.sample.split("\n")) if figures else ""
        self._copies = figures.sample_copies if figures else ()
        self._head = "" if figures is None else tr(
            "Last sample, step {n}:", n=f"{figures.sample_step + 1:,}") if self._text else tr("This run has no sample.")
        self.setAccessibleName(self._head)
        self.setAccessibleDescription(self._text)
        self.setToolTip(plain(self._text))
        self.update()

    def _fit(self) -> None:
        self.updateGeometry()

    def sizeHint(self) -> QSize:
        return QSize(200, LINES * line_height(self._head, self.font()))

    def minimumSizeHint(self) -> QSize:
        return self.sizeHint()

    def paint(self, painter: QPainter, _region: QRect) -> None:
        painter.setPen(colour("text"))
        painter.setClipRect(QRect(0, 0, self.width(), self.sizeHint().height()))
        laid_out(f"{self._head} {self._text}", self.font(), self.width(), self._formats()).draw(painter, QPointF())

    def _formats(self) -> list[QTextLayout.FormatRange]:
        head, copied = QTextCharFormat(), QTextCharFormat()
        head.setForeground(colour("muted"))
        mark_copied(copied)
        first, length = _units(self._head) + 1, _units(self._text)
        made = [_range(0, first, head)]
        for each in self._copies:
            start, stop = _units(self._text[:each.start]), min(_units(self._text[:each.stop]), length)
            if start < stop:
                made.append(_range(first + start, stop - start, copied))
        return made


def _range(start: int, length: int, style: QTextCharFormat) -> QTextLayout.FormatRange:
    made = QTextLayout.FormatRange()
    made.start, made.length, made.format = start, length, style
    return made


def _units(text: str) -> int:
    """Return the length of a text in UTF-16 units, in which Qt counts."""
    return len(text.encode("utf-16-le", "surrogatepass")) // 2
