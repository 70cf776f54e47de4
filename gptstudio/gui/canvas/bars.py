"""Two bars of the Model panel: parameters by component, and memory needed relative to free memory."""

from __future__ import annotations

from typing import ClassVar

from PySide6.QtCore import QRect, QRectF, Qt
from PySide6.QtGui import QColor, QPainter, QPainterPath
from PySide6.QtWidgets import QGridLayout, QSizePolicy, QWidget

from gptstudio.gui.appearance import on_restyle
from gptstudio.gui.canvas.canvas import Canvas, Swatch
from gptstudio.gui.canvas.writing import rounded
from gptstudio.gui.theme import colour, theme
from gptstudio.gui.translation import joined, percent, size, tr
from gptstudio.gui.widgets.layouts import vbox, with_layout
from gptstudio.gui.widgets.parts import label, restyle
from gptstudio.i18n import message

PARTS = {
    "weights": message("weights"), "gradients": message("gradients"), "optimizer": message("optimizer"),
    "activations": message("activations"), "logits": message("logits"), "scratch": message("temporary"),
    "reused": message("reused"), "runtime": message("runtime"), "kv_cache": message("KV cache"),
    "copy": message("copy"),
}
"""Memory consumers, by their names in :mod:`gptstudio.gpt.sizing`."""
AMBER_FROM, RED_FROM = 0.8, 1.0
"""Fractions of the free memory above which a bar warns."""


class StackedBar(Canvas):
    """Rounded bar of coloured parts; their numbers are shown next to it by others."""

    def __init__(self, accessible: str, height: int = 14):
        super().__init__("", accessible, pointable=False)
        self._parts: list[tuple[float, QColor]] = []
        self.setFixedHeight(height)
        self.setSizePolicy(QSizePolicy.Policy.Expanding, QSizePolicy.Policy.Fixed)

    def show_parts(self, parts: list[tuple[float, QColor]]) -> None:
        """Show parts from the left, each as a fraction of the whole width and a colour."""
        self._parts = parts
        self.update()

    def paint(self, painter: QPainter, _region: QRect) -> None:
        whole, left = QRectF(self.rect()), 0.0
        shape = QPainterPath()
        shape.addRoundedRect(whole, 4, 4)
        painter.setClipPath(shape)
        painter.fillRect(whole, colour("line"))
        for share, paint in self._parts:
            width = share * whole.width()
            painter.fillRect(QRectF(left, 0, max(width - 1, 0.5), whole.height()), paint)
            left += width


def _component(index: int) -> Swatch:
    """Return a small square in the colour of one component."""
    def paint(painter: QPainter, place: QRectF, _letter: int) -> None:
        rounded(painter, place, 2, QColor(theme.colours.components[index]))

    return Swatch(paint, 10, 10, pixels=True)


class ComponentBar(QWidget):
    """Distribution of a model's parameters: a bar, and a row for each component with its percentage."""

    NAMES: ClassVar = {
        "token_embedding": message("Token embedding"),
        "position_embedding": message("Position embedding"),
        "attention": message("Attention"),
        "feed_forward": message("Feed-forward"),
        "norms": message("Layer norms"),
        "output_layer": message("Output layer"),
    }

    def __init__(self) -> None:
        super().__init__()
        self._bar = StackedBar(tr("Parameters by component"))
        self._counts: dict[str, int] = {}
        self._figures = {name: label(name=f"component_{name}") for name in self.NAMES}
        with_layout(self, vbox(self._bar, self._legend()))
        on_restyle(self, self._paint)

    def show_components(self, counts: dict[str, int]) -> None:
        self._counts = counts
        total = sum(counts.values()) or 1
        for name, count in counts.items():
            self._figures[name].setText(f"{count:,}   {percent(count / total)}")
        self._paint()

    def _paint(self) -> None:
        total = sum(self._counts.values()) or 1
        paints = [QColor(value) for value in theme.colours.components]
        self._bar.show_parts(
            [(count / total, paint) for count, paint in zip(self._counts.values(), paints, strict=False)]
        )

    def _legend(self) -> QGridLayout:
        grid = QGridLayout()
        grid.setHorizontalSpacing(8)
        grid.setVerticalSpacing(4)
        grid.setColumnStretch(1, 1)
        for row, (name, title) in enumerate(self.NAMES.items()):
            grid.addWidget(_component(row), row, 0, Qt.AlignmentFlag.AlignVCenter)
            grid.addWidget(label(tr(title), "muted"), row, 1)
            grid.addWidget(self._figures[name], row, 2, Qt.AlignmentFlag.AlignRight)
        return grid


class MemoryBar(QWidget):
    """Bar of bytes needed relative to bytes free: green, amber above 80 %, red above 100 %."""

    def __init__(self, title: str, name: str):
        super().__init__()
        self._title = title
        self._caption = label(title, "muted")
        self.figure = label(name=name)
        self._bar = StackedBar(title, 8)
        self._needed = self._free = 0
        self.level = "good"
        grid = QGridLayout(self)
        grid.setContentsMargins(0, 0, 0, 0)
        grid.setVerticalSpacing(4)
        grid.addWidget(self._caption, 0, 0)
        grid.addWidget(self.figure, 0, 1, Qt.AlignmentFlag.AlignRight)
        grid.addWidget(self._bar, 1, 0, 1, 2)
        on_restyle(self, self._paint)

    def show_need(self, needed: int, free: int, parts: dict[str, int], known_from: str = "") -> None:
        """Show the bytes needed and free; the tooltip has the ``parts`` of the need and the source of its estimate."""
        self._needed, self._free = needed, free
        share = needed / free if free else float("inf")
        self.level = "bad" if share > RED_FROM else "amber" if share > AMBER_FROM else "good"
        self.figure.setText(tr("{needed} of {free} free", needed=size(needed), free=size(free)))
        restyle(self.figure, role={"bad": "problem", "amber": "notice", "good": ""}[self.level])
        rows = [tr("{part}: {size}", part=tr(PARTS[name]), size=size(count)) for name, count in parts.items()]
        source = [tr("Memory: {memory}.", memory=tr(known_from))] if known_from else []
        self.setToolTip(joined("\n", tr(self._title), *source, *rows))
        self._paint()

    def _paint(self) -> None:
        share = min(1.0, self._needed / self._free) if self._free else 1.0
        self._bar.show_parts([(share, colour(self.level))])
