"""Parts that a widget paints itself, without widgets of their own: how to find them and point at them."""

from functools import singledispatch
from pathlib import Path
from typing import Any
from xml.etree import ElementTree

import numpy as np
from PySide6.QtCore import QEvent, QMimeData, QPoint, QPointF, QRectF, Qt, QUrl
from PySide6.QtGui import QDragEnterEvent, QDropEvent, QHelpEvent, QMouseEvent
from PySide6.QtWidgets import QApplication, QToolTip, QWidget

from gptstudio.gui.canvas.canvas import Cell, CellCanvas
from gptstudio.gui.charts.curve_plot import CurvePlot
from gptstudio.gui.generate.branches.tree_view import TEXT, TreeView
from gptstudio.gui.learn.feedforward import Hourglass
from gptstudio.gui.learn.kit.formula import Formula
from gptstudio.gui.learn.kit.matrix import Matrix
from gptstudio.gui.learn.shortcuts import Gradients
from gptstudio.gui.learn.tokens import MergeLadder
from gptstudio.gui.plots.curve_view import CurveView
from gptstudio.gui.plots.grid_view import GridView
from gptstudio.gui.plots.strip import Strip

SVG = "{http://www.w3.org/2000/svg}"


def hover(widget: QWidget, part: Any) -> None:
    """Move the mouse over a part: a cell, a symbol's key, the index of a token, an x; None: off the widget."""
    if part is None:
        QApplication.sendEvent(widget, QEvent(QEvent.Type.Leave))
    else:
        move_mouse(*_spot(widget, part))


def move_mouse(widget: QWidget, spot: QPoint, pressed: Qt.MouseButton = Qt.MouseButton.NoButton) -> None:
    """Send a mouse move at a position of a widget, a drag if a button is pressed; also under overlapping windows."""
    everywhere = QPointF(widget.mapToGlobal(spot))
    none = Qt.MouseButton.NoButton, Qt.KeyboardModifier.NoModifier
    moved = QMouseEvent(QEvent.Type.MouseMove, QPointF(spot), everywhere, none[0], pressed, none[1])
    QApplication.sendEvent(widget, moved)


@singledispatch
def _spot(widget: QWidget, part: Any) -> tuple[QWidget, QPoint]:
    """Return the widget that receives the mouse events, and the position of the part in it."""
    raise TypeError(f"nobody knows where the parts of a {type(widget).__name__} lie")


@_spot.register
def _(matrix: Matrix, cell: Cell) -> tuple[QWidget, QPoint]:
    return matrix, matrix.rect(cell).center()


@_spot.register
def _(painting: CellCanvas, cell: Cell) -> tuple[QWidget, QPoint]:
    return painting, painting.items()[cell].center().toPoint()


@_spot.register
def _(canvas: CurveView, cell: Cell) -> tuple[QWidget, QPoint]:
    return canvas, canvas.cell_place(cell).center().toPoint()


@_spot.register
def _(grid: GridView, cell: Cell) -> tuple[QWidget, QPoint]:
    return grid.viewport(), grid.place(cell).center().toPoint()


@_spot.register
def _(strip: Strip, index: int) -> tuple[QWidget, QPoint]:
    return strip, strip.place(index).center().toPoint()


@_spot.register
def _(formula: Formula, key: str) -> tuple[QWidget, QPoint]:
    """Return a point of the symbol that no smaller symbol inside it covers."""
    box = formula.boxes(key)[0]
    spots = (QPoint(x, y) for x in range(int(box.left()) + 1, int(box.right()))
             for y in range(int(box.top()) + 1, int(box.bottom())))
    others = [each for other in formula.keys for each in formula.boxes(other)]
    inner = [each for each in others if each.width() * each.height() < box.width() * box.height()]
    return formula, next(spot for spot in spots if not any(each.contains(spot) for each in inner))


@_spot.register
def _(plot: CurvePlot, x: float) -> tuple[QWidget, QPoint]:
    box = plot.getViewBox()
    centre = box.viewRect().center()
    centre.setX(x)
    return plot.viewport(), plot.mapFromScene(box.mapViewToScene(centre))


# What is painted.


def agreeing(matrix: Matrix) -> np.ndarray:
    """Return the mask of the numbers that are marked as agreeing with the printed ones."""
    return matrix.equal


def names(matrix: Matrix, cell: Cell) -> tuple[str, str]:
    """Return the names of a cell's row and column."""
    return matrix._names(cell)


def below(strip: Strip) -> list[str]:
    """Return the text below each token."""
    return [box.below for box in strip.boxes]


def steps(ladder: MergeLadder) -> tuple:
    """Return the rows of merges."""
    return ladder._steps


def rank_lines(ladder: MergeLadder) -> int:
    """Return the number of lines over which the ranks alternate, so that none overlaps another."""
    lines = ladder._lines()
    assert lines * ladder._byte() >= ladder._rank()
    return lines


def words(drawing: Hourglass, layer: int) -> tuple[str, ...]:
    """Return the words in a layer."""
    return drawing._words(layer)


def picture(gradients: Gradients) -> Any:
    """Return the data from which the bars and bands are painted."""
    return gradients


def stretch_place(tree: TreeView, stretch: int) -> QRectF:
    """Return the box of a stretch in pixels of the viewport."""
    row = tree.model_.shape.stretches[stretch].row
    place = QRectF(tree.visualRect(tree.model_.at(row, TEXT)))
    return next(tree.box_of(tokens, place) for at, tokens in tree.boxes(row) if at == stretch)


def token_place(tree: TreeView, key: int) -> QRectF:
    """Return the rectangle of a token of a branch in pixels of the viewport."""
    row = tree.model_.shape.stretches[tree.model_.shape.places[key]].row
    place = QRectF(tree.visualRect(tree.model_.at(row, TEXT)))
    [token] = [token for _, tokens in tree.boxes(row) for token in tokens if key in token.keys]
    return QRectF(place.left() + token.left, place.top(), token.width, place.height())


def tip_at(widget: QWidget, spot: QPointF | QPoint) -> str:
    """Return the text of the tooltip at a position."""
    at = spot.toPoint() if isinstance(spot, QPointF) else spot
    QApplication.sendEvent(widget, QHelpEvent(QEvent.Type.ToolTip, at, widget.mapToGlobal(at)))
    return QToolTip.text()


def drop(widget: QWidget, *paths: Path) -> None:
    """Drag files onto a widget and drop them there."""
    data, middle = QMimeData(), widget.rect().center()
    data.setUrls([QUrl.fromLocalFile(str(path)) for path in paths])
    how = Qt.DropAction.CopyAction, data, Qt.MouseButton.LeftButton, Qt.KeyboardModifier.NoModifier
    enter = QDragEnterEvent(middle, *how)
    QApplication.sendEvent(widget, enter)
    assert enter.isAccepted()
    QApplication.sendEvent(widget, QDropEvent(QPointF(middle), *how))


def harmless_texts(drawing: Path) -> set[str]:
    """Return the texts in an SVG, after asserting that it is well-formed, runs no script and loads nothing external."""
    words = set()
    for each in ElementTree.parse(drawing).iter():
        assert each.tag.startswith(SVG), each.tag
        assert each.tag.removeprefix(SVG) not in ("script", "foreignObject", "a", "style", "animate", "set")
        for name, value in each.items():
            assert not name.startswith("on")
            if name.endswith("href"):
                assert value.startswith(("#", "data:image/png;base64,"))
            assert "url(" not in value or "url(#" in value
        words.add((each.text or "").strip())
    return words
