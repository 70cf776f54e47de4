"""A branching text as a map: forks as lines from left to right, and beside each row what its branch comes to.

The arrow keys walk over the map with a mark of their own; Enter goes to what is marked.
"""

from __future__ import annotations

from collections.abc import Mapping

from PySide6.QtCore import QPointF, QRect, QRectF, QSize, Qt, Signal
from PySide6.QtGui import (
    QContextMenuEvent,
    QFontMetricsF,
    QKeyEvent,
    QKeySequence,
    QMouseEvent,
    QPainter,
    QResizeEvent,
    QShowEvent,
)
from PySide6.QtWidgets import QWidget

from gptstudio.gui.canvas.canvas import ScrollCanvas
from gptstudio.gui.canvas.items import ARROWS, KEYS
from gptstudio.gui.generate.branches.name_editor import NameEditor
from gptstudio.gui.generate.branches.tree_paint import PICKED, paint
from gptstudio.gui.generate.branches.tree_scene import Frame, Scene, Spot, along, beside
from gptstudio.gui.generate.branches.tree_texts import of_branch, of_stretch, title
from gptstudio.gui.translation import tr
from gptstudio.inference.branches import Branch
from gptstudio.inference.text_tree import Tree

LEAST_ROWS = 4
AROUND_FORK = 5
"""Heights of a line to its left and right that are seen with it."""


class TreeMap(ScrollCanvas):
    """Map of a tree and the branch that is shown; emits ``went`` when the user selects a token. The items are spots."""

    points_by_keys = False
    went = Signal(int)  # the key of a token
    removed = Signal(int)
    copied = Signal(int)  # the key of a branch's last token
    marked = Signal()
    """Another stretch is marked, or other branches are picked."""
    menu_wanted = Signal(object)  # QPoint of the screen

    def __init__(self) -> None:
        super().__init__("tree_map", tr("Branches of the text; arrow keys move along them, Enter opens a branch"))
        self.scene = Scene(Frame.of(QFontMetricsF(self.font()), 600, 300, []))
        self._shown: tuple[int | None, int | None] = (None, None)  # the last token, the chosen token
        self._stale = False
        self._widths: dict[str, float] = {}
        self.editor = NameEditor(self.viewport(), "branch_name", tr("Branch name"))
        self.renamed = self.editor.written
        self.setCornerWidget(QWidget())  # instead of a raised square between the scroll bars

    def show_tree(self, tree: Tree, tip: int | None, cursor: int | None) -> None:
        """A tree, the key of the last token of the branch that is shown, and that of the chosen token."""
        if (tip, cursor) != self._shown:
            self.scene.mark = -1  # it follows what is shown
        self.scene.tree, self._shown, self._stale = tree, (tip, cursor), True
        self._refresh()

    def expire(self) -> None:
        """Lay nothing out until the tree, which has changed, is shown again."""
        self._stale = True

    @property
    def branches(self) -> list[Branch]:
        return self.scene.branches

    def place_of(self, key: int) -> QRectF | None:
        """Return the rectangle of a token in viewport pixels; None if it is not shown."""
        index = self.scene.shape.places[key]
        pieces = [piece for piece in self.scene.places[index].pieces if piece.key == key and not piece.left_out]
        return self.scene.piece(index, pieces[0]) if pieces else None

    def row_rect(self, row: int) -> QRectF:
        """Return the rectangle of a branch's row in the list, in viewport pixels."""
        return self.scene.row_rect(row)

    def items(self) -> Mapping[Spot, QRectF]:
        return {Spot(row): self.row_rect(row) for row in range(len(self.branches))}

    def place(self, spot: Spot) -> QRectF:
        scene = self.scene
        return scene.row_rect(spot.row) if spot.key is None else scene.box(scene.shape.places[spot.key])

    def item_at(self, point: QPointF) -> Spot | None:
        return self.scene.at(point)

    def words(self, spot: Spot) -> str:
        """Return the figures and the text of a branch, or of the stretch around a token."""
        scene = self.scene
        if spot.key is None:
            return of_branch(scene.tree, self.branches[spot.row], spot.row)
        return of_stretch(scene.tree, scene.shape, scene.shape.places[spot.key])

    def sizeHint(self) -> QSize:
        return QSize(round(30 * self.scene.frame.line), round(self.scene.frame.heading + 8 * self.scene.frame.row))

    def minimumSizeHint(self) -> QSize:
        frame = self.scene.frame
        return QSize(round(14 * frame.line), round(frame.heading + LEAST_ROWS * frame.row))

    def walk(self, key: Qt.Key) -> None:
        """Move the mark: right and left along the text, up and down between those that go on from a fork."""
        scene, (down, right) = self.scene, ARROWS[key]
        if scene.mark >= 0:
            shape, mark = scene.shape, scene.mark
            self._mark(along(shape, mark, right, scene.shown) if right else beside(shape, mark, down))

    def go(self) -> None:
        if self.scene.mark >= 0:
            self.went.emit(self.scene.shape.stretches[self.scene.mark].keys[0])

    def name(self, branch: Branch | None = None) -> None:
        """Let the user write a name where it stands in the list: of a branch, or of the one that is marked."""
        branch = branch or self.scene.marked_branch
        if not branch:
            return
        row = self.branches.index(branch)
        self._reveal(QRectF(self.scene.scrolled.x(), self.row_rect(row).top(), 1, self.scene.frame.row))
        self.editor.begin(branch.named, branch.name, title(branch, row))
        self._place_editor()

    def remove(self) -> None:
        if self.scene.removable:
            self.removed.emit(self.scene.shape.stretches[self.scene.mark].keys[0])

    def pick(self, branch: Branch) -> None:
        """Pick a branch to be compared, or no longer; of more than two the last two."""
        picked = self.scene.picked
        others = [tip for tip in picked if tip != branch.tip]
        self.scene.picked = others if branch.tip in picked else [*others, branch.tip][-len(PICKED) :]
        self.viewport().update()
        self.marked.emit()

    def keyPressEvent(self, event: QKeyEvent) -> None:
        branch = self.scene.marked_branch
        match KEYS(event.key()):
            case KEYS.Key_Right | KEYS.Key_Left | KEYS.Key_Up | KEYS.Key_Down as key:
                self.walk(key)
            case KEYS.Key_Return | KEYS.Key_Enter:
                self.go()
            case KEYS.Key_F2:
                self.name()
            case KEYS.Key_Delete | KEYS.Key_Backspace:
                self.remove()
            case KEYS.Key_Space if branch:
                self.pick(branch)
            case _ if branch and event.matches(QKeySequence.StandardKey.Copy):
                self.copied.emit(branch.tip)
            case _:
                super().keyPressEvent(event)

    def mousePressEvent(self, event: QMouseEvent) -> None:
        spot = self.item_at(event.position())
        if spot is None:
            return
        branch = self.branches[spot.row]
        key = branch.tip if spot.key is None else spot.key
        if event.button() == Qt.MouseButton.RightButton:
            self._mark(self.scene.shape.places[key])
        elif event.modifiers() & Qt.KeyboardModifier.ControlModifier:
            self.pick(branch)
        elif event.button() == Qt.MouseButton.LeftButton:
            self.went.emit(key)

    def mouseDoubleClickEvent(self, event: QMouseEvent) -> None:
        spot = self.item_at(event.position())
        if spot and spot.key is None:
            self.name(self.branches[spot.row])

    def refresh(self, *spots: Spot | None) -> None:
        """Show by the pointer that something is pointed at: nothing is painted otherwise."""
        shape = Qt.CursorShape.ArrowCursor if spots[-1] is None else Qt.CursorShape.PointingHandCursor
        self.viewport().setCursor(shape)

    def contextMenuEvent(self, event: QContextMenuEvent) -> None:
        if self.scene.marked_branch:
            self.menu_wanted.emit(event.globalPos())

    def paint(self, painter: QPainter, region: QRect) -> None:
        self.scene.focused = self.hasFocus()
        paint(painter, self.scene, QRectF(region))

    def scrollContentsBy(self, _dx: int, _dy: int) -> None:
        self.scene.scrolled = QPointF(self.horizontalScrollBar().value(), self.verticalScrollBar().value())
        self._place_editor()
        self.viewport().update()  # the heading and the list do not move with the rest

    def resizeEvent(self, event: QResizeEvent) -> None:
        super().resizeEvent(event)
        if not self._stale:
            self._lay_out()
            if self.scene.mark >= 0:
                self._reveal(self.scene.box(self.scene.mark))

    def showEvent(self, event: QShowEvent) -> None:
        super().showEvent(event)
        self._refresh()

    def remeasure(self) -> None:
        self._widths.clear()  # words of another language or font have other widths
        self._stale = True
        self._refresh()
        super().remeasure()

    def _refresh(self) -> None:
        """Look at the tree again, where it is another or has grown, once it is to be seen."""
        if not self._stale or not self.isVisible():
            return
        self._stale, (tip, cursor) = False, self._shown
        self.scene.take(tip, cursor)
        self._lay_out()
        if self.scene.mark < 0 and self.branches:
            chosen = cursor if cursor is not None else tip
            index = self.scene.shape.places.get(chosen, 0) if chosen is not None else 0
            self.horizontalScrollBar().setValue(0)  # from the left, as far as what is to be seen lets
            box, line = self.scene.box(index), self.scene.frame.line
            fork = box.adjusted(-AROUND_FORK * line, 0, min(0.0, AROUND_FORK * line - box.width()), 0)
            self._mark(index, fork if chosen == tip else None)
        self._place_editor()
        self.marked.emit()

    def _lay_out(self) -> None:
        size, metrics = self.viewport().size(), QFontMetricsF(self.font())
        titles = [title(branch, row) for row, branch in enumerate(self.branches)]
        self.scene.lay_out(Frame.of(metrics, size.width(), size.height(), titles), self._measure)
        # One after the other: a bar that appears takes room, and all is laid out anew before the next is asked.
        scene = self.scene
        self.set_range(self.horizontalScrollBar(), scene.width, scene.frame.map.width(), scene.frame.line * 3)
        self.set_range(self.verticalScrollBar(), scene.height, scene.frame.map.height(), scene.frame.row)
        self.viewport().update()

    def _measure(self, text: str) -> float:
        if text not in self._widths:
            self._widths[text] = QFontMetricsF(self.font()).horizontalAdvance(text)
        return self._widths[text]

    def _place_editor(self) -> None:
        """The text may grow while a name is written: the name stays with its token, whose row may be another."""
        if self.editor.of is None:
            return
        if self.editor.of not in self.scene.shape.places:
            self.editor.end(take=False)
            return
        row = self.scene.shape.stretches[self.scene.shape.places[self.editor.of]].row
        where = self.row_rect(row).adjusted(2, 1, 0, -1)
        where.setWidth(max(self.scene.frame.name_width, 6 * self.scene.frame.line))
        self.editor.setGeometry(where.toRect())

    def _mark(self, index: int, seen: QRectF | None = None) -> None:
        """``seen``: what is brought into view instead of the whole stretch."""
        scene = self.scene
        scene.mark = index
        self._reveal(seen or scene.box(index))
        self.describe(of_stretch(scene.tree, scene.shape, index))
        self.viewport().update()
        self.marked.emit()

    def _reveal(self, box: QRectF) -> None:
        """Scroll so far that a box of the map is seen with a little around it."""
        room = self.scene.frame.around
        self.reveal(box.adjusted(-room, -room, room, room), self.scene.frame.map)
