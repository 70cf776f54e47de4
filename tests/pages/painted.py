"""Parts that a widget paints itself, which have no widget of their own: found by what they are, pointed at for real."""

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
    """Moves the mouse over a part: a cell, a symbol's key, the index of a token, an x; None: off the widget."""
    if part is None:
        QApplication.sendEvent(widget, QEvent(QEvent.Type.Leave))
    else:
        move_mouse(*_spot(widget, part))


def move_mouse(widget: QWidget, spot: QPoint, pressed: Qt.MouseButton = Qt.MouseButton.NoButton) -> None:
    """The mouse comes over a spot of a widget, dragging where a button is pressed; also where other windows overlap."""
    everywhere = QPointF(widget.mapToGlobal(spot))
    none = Qt.MouseButton.NoButton, Qt.KeyboardModifier.NoModifier
    moved = QMouseEvent(QEvent.Type.MouseMove, QPointF(spot), everywhere, none[0], pressed, none[1])
    QApplication.sendEvent(widget, moved)


@singledispatch
def _spot(widget: QWidget, part: Any) -> tuple[QWidget, QPoint]:
    """The widget that hears of the mouse, and where in it the part lies."""
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
    """A symbol can lie inside another: a point of it that no smaller one covers."""
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
    """Which numbers are marked as those that are printed."""
    return matrix._sheet.equal


def names(matrix: Matrix, cell: Cell) -> tuple[str, str]:
    """Of a cell's row and column."""
    return matrix._names(cell)


def below(strip: Strip) -> list[str]:
    """What stands under each token."""
    return [box.below for box in strip.boxes]


def steps(ladder: MergeLadder) -> tuple:
    """The rows of merges."""
    return ladder._steps


def rank_lines(ladder: MergeLadder) -> int:
    """On how many lines the ranks stand by turns, so that none lies over another."""
    lines = ladder._lines()
    assert lines * ladder._byte() >= ladder._rank()
    return lines


def words(drawing: Hourglass, layer: int) -> tuple[str, ...]:
    """What stands in a layer."""
    return drawing._words(layer)


def picture(gradients: Gradients) -> Any:
    """What the bars and bands are painted of."""
    return gradients._picture


def stretch_place(tree: TreeView, stretch: int) -> QRectF:
    """Where the box of a stretch is, in pixels of the viewport."""
    row = tree.model_.shape.stretches[stretch].row
    place = QRectF(tree.visualRect(tree.model_.at(row, TEXT)))
    return next(tree.box_of(tokens, place) for at, tokens in tree.boxes(row) if at == stretch)


def token_place(tree: TreeView, key: int) -> QRectF:
    """Where a token of a branch is, in pixels of the viewport."""
    row = tree.model_.shape.stretches[tree.model_.shape.places[key]].row
    place = QRectF(tree.visualRect(tree.model_.at(row, TEXT)))
    [token] = [token for _, tokens in tree.boxes(row) for token in tokens if key in token.keys]
    return QRectF(place.left() + token.left, place.top(), token.width, place.height())


def tip_at(widget: QWidget, spot: QPointF | QPoint) -> str:
    """What the tooltip says there."""
    at = spot.toPoint() if isinstance(spot, QPointF) else spot
    QApplication.sendEvent(widget, QHelpEvent(QEvent.Type.ToolTip, at, widget.mapToGlobal(at)))
    return QToolTip.text()


def drop(widget: QWidget, *paths: Path) -> None:
    """Files are dragged onto a widget and let go there."""
    data, middle = QMimeData(), widget.rect().center()
    data.setUrls([QUrl.fromLocalFile(str(path)) for path in paths])
    how = Qt.DropAction.CopyAction, data, Qt.MouseButton.LeftButton, Qt.KeyboardModifier.NoModifier
    enter = QDragEnterEvent(middle, *how)
    QApplication.sendEvent(widget, enter)
    assert enter.isAccepted()
    QApplication.sendEvent(widget, QDropEvent(QPointF(middle), *how))


def said_by_harmless(drawing: Path) -> set[str]:
    """The words in an SVG that is well-formed, runs nothing and asks nobody for anything."""
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
