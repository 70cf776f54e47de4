"""A branching text as a map: forks as lines from left to right, and beside each row what its branch comes to.

The arrow keys walk over the map with a mark of their own; Enter goes to what is marked.
"""

from __future__ import annotations

from PySide6.QtCore import QEvent, QPointF, QRectF, QSize, Qt, Signal
from PySide6.QtGui import (
    QContextMenuEvent,
    QFocusEvent,
    QFontMetricsF,
    QHelpEvent,
    QKeyEvent,
    QKeySequence,
    QMouseEvent,
    QPainter,
    QPaintEvent,
    QResizeEvent,
    QShowEvent,
)
from PySide6.QtWidgets import QAbstractScrollArea, QFrame, QScrollBar, QToolTip, QWidget

from gptstudio.gui.generate.branches.name_editor import NameEditor
from gptstudio.gui.generate.branches.tree_paint import PICKED, paint
from gptstudio.gui.generate.branches.tree_scene import Frame, Scene
from gptstudio.gui.generate.branches.tree_texts import of_branch, of_stretch, title
from gptstudio.gui.generate.branches.tree_walk import along, beside
from gptstudio.gui.theme import theme
from gptstudio.gui.translation import tr
from gptstudio.gui.widgets.parts import named, plain
from gptstudio.inference.branches import Branch
from gptstudio.inference.text_tree import Tree

LEAST_ROWS = 4
AROUND_FORK = 5
"""Heights of a line to its left and right that are seen with it."""
KEYS = Qt.Key


class TreeMap(QAbstractScrollArea):
    """Map of a tree and the branch that is shown; emits ``went`` when the user selects a token."""

    went = Signal(int)  # the key of a token
    renamed = Signal(int, str)
    removed = Signal(int)
    copied = Signal(int)  # the key of a branch's last token
    marked = Signal()
    """Another stretch is marked, or other branches are picked."""
    menu_wanted = Signal(object)  # QPoint of the screen

    def __init__(self) -> None:
        super().__init__()
        named(self, "tree_map", tr("Branches of the text; arrow keys move along them, Enter opens a branch"))
        self.scene = Scene(Frame.of(QFontMetricsF(self.font()), 600, 300, []))
        self._shown: tuple[int | None, int | None] = (None, None)  # the last token, the chosen token
        self._stale = False
        self._widths: dict[str, float] = {}
        self.setFocusPolicy(Qt.FocusPolicy.StrongFocus)
        self.setFrameShape(QFrame.Shape.NoFrame)
        self.editor = NameEditor(self.viewport(), "branch_name", tr("Branch name"))
        self.editor.written.connect(self.renamed)
        self.viewport().setMouseTracking(True)
        self.setCornerWidget(QWidget())  # instead of a raised square between the scroll bars
        theme.changed.connect(self.viewport().update)

    # Content.

    def show_tree(self, tree: Tree, tip: int | None, cursor: int | None) -> None:
        """A tree, the key of the last token of the branch that is shown, and that of the chosen token."""
        if (tip, cursor) != self._shown:
            self.scene.mark = -1  # it follows what is shown
        self.scene.tree, self._shown, self._stale = tree, (tip, cursor), True
        if self.isVisible():
            self._refresh()

    def retranslate(self) -> None:
        """In another language, whose words have other widths."""
        self._widths.clear()
        self._stale = True
        if self.isVisible():
            self._refresh()

    # Queries.

    @property
    def branches(self) -> list[Branch]:
        """From the uppermost row to the lowest."""
        return self.scene.branches

    @property
    def marked_branch(self) -> Branch | None:
        """That of the row in which the mark is."""
        return self.branches[self.scene.shape.stretches[self.scene.mark].row] if self.scene.mark >= 0 else None

    @property
    def shown_branch(self) -> Branch | None:
        return self.branches[self.scene.row] if self.scene.row >= 0 else None

    @property
    def removable(self) -> list[Branch]:
        """Branches that removing the highlighted segment would remove; none at the root: that would remove all."""
        found = self.scene.shape.through(self.scene.mark) if self.scene.mark >= 0 else []
        return found if len(found) < len(self.branches) else []

    def place_of(self, key: int) -> QRectF | None:
        """Return the rectangle of a token in viewport pixels; None if it is not shown."""
        index = self.scene.shape.places[key]
        pieces = [piece for piece in self.scene.places[index].pieces if piece.key == key and not piece.left_out]
        return self.scene.piece(index, pieces[0]) if pieces else None

    def row_rect(self, row: int) -> QRectF:
        """Return the rectangle of a branch's row in the list, in viewport pixels."""
        return self.scene.row_rect(row)

    def sizeHint(self) -> QSize:
        return QSize(round(30 * self.scene.frame.line), round(self.scene.frame.heading + 8 * self.scene.frame.row))

    def minimumSizeHint(self) -> QSize:
        frame = self.scene.frame
        return QSize(round(14 * frame.line), round(frame.heading + LEAST_ROWS * frame.row))

    # User actions.

    def walk(self, key: Qt.Key) -> None:
        """Moves the mark: right and left along the text, up and down between those that go on from a fork."""
        scene = self.scene
        if scene.mark < 0:
            return
        step = 1 if key in (KEYS.Key_Right, KEYS.Key_Down) else -1
        if key in (KEYS.Key_Right, KEYS.Key_Left):
            self._mark(along(scene.shape, scene.mark, step, scene.shown))
        else:
            self._mark(beside(scene.shape, scene.mark, step))

    def go(self) -> None:
        """To the first token of what is marked."""
        if self.scene.mark >= 0:
            self.went.emit(self.scene.shape.stretches[self.scene.mark].keys[0])

    def name(self, branch: Branch | None = None) -> None:
        """Lets the user write a name where it stands in the list: of a branch, or of the one that is marked."""
        branch = branch or self.marked_branch
        if not branch:
            return
        row = self.branches.index(branch)
        self._reveal(QRectF(self.scene.scrolled.x(), self.row_rect(row).top(), 1, self.scene.frame.row))
        self.editor.begin(branch.named, branch.name, title(branch, row))
        self._place_editor()

    def remove(self) -> None:
        """Asks for what is marked to be taken away, with all that follows."""
        if self.removable:
            self.removed.emit(self.scene.shape.stretches[self.scene.mark].keys[0])

    def pick(self, branch: Branch) -> None:
        """Picks a branch to be compared, or no longer; of more than two the last two."""
        picked = self.scene.picked
        others = [tip for tip in picked if tip != branch.tip]
        self.scene.picked = others if branch.tip in picked else [*others, branch.tip][-len(PICKED) :]
        self.viewport().update()
        self.marked.emit()

    def keyPressEvent(self, event: QKeyEvent) -> None:
        branch = self.marked_branch
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
        row, key = self.scene.at(event.position())
        if row is None:
            return
        branch = self.branches[row]
        key = branch.tip if key is None else key
        if event.button() == Qt.MouseButton.RightButton:
            self._mark(self.scene.shape.places[key])
        elif event.modifiers() & Qt.KeyboardModifier.ControlModifier:
            self.pick(branch)
        elif event.button() == Qt.MouseButton.LeftButton:
            self.went.emit(key)

    def mouseMoveEvent(self, event: QMouseEvent) -> None:
        row, _ = self.scene.at(event.position())
        shape = Qt.CursorShape.ArrowCursor if row is None else Qt.CursorShape.PointingHandCursor
        self.viewport().setCursor(shape)

    def mouseDoubleClickEvent(self, event: QMouseEvent) -> None:
        row, key = self.scene.at(event.position())
        if row is not None and key is None:
            self.name(self.branches[row])

    def contextMenuEvent(self, event: QContextMenuEvent) -> None:
        if self.marked_branch:
            self.menu_wanted.emit(event.globalPos())

    # Events of Qt.

    def paintEvent(self, event: QPaintEvent) -> None:
        self.scene.focused = self.hasFocus()
        paint(QPainter(self.viewport()), self.scene, QRectF(event.rect()))

    def viewportEvent(self, event: QEvent) -> bool:
        if event.type() == QEvent.Type.ToolTip and isinstance(event, QHelpEvent):
            QToolTip.showText(event.globalPos(), plain(self._words_at(QPointF(event.pos()))), self.viewport())
            return True
        return super().viewportEvent(event)

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

    def changeEvent(self, event: QEvent) -> None:
        super().changeEvent(event)
        if event.type() == QEvent.Type.FontChange:
            self._widths.clear()
            self._stale = True
            self.updateGeometry()
            if self.isVisible():
                self._refresh()

    def focusInEvent(self, event: QFocusEvent) -> None:
        super().focusInEvent(event)
        self.viewport().update()

    def focusOutEvent(self, event: QFocusEvent) -> None:
        super().focusOutEvent(event)
        self.viewport().update()

    # Inside.

    def _refresh(self) -> None:
        """Looks at the tree again, where it is another or has grown."""
        if not self._stale:
            return
        self._stale, (tip, cursor) = False, self._shown
        self.scene.take(tip, cursor)
        self._lay_out()
        if self.scene.mark < 0 and self.branches:
            chosen = cursor if cursor is not None else tip
            index = self.scene.shape.places.get(chosen, 0) if chosen is not None else 0
            self.horizontalScrollBar().setValue(0)  # from the left, as far as what is to be seen lets
            self._mark(index, self._fork_before(index) if chosen == tip else None)
        self._place_editor()
        self.marked.emit()

    def _lay_out(self) -> None:
        size, metrics = self.viewport().size(), QFontMetricsF(self.font())
        titles = [title(branch, row) for row, branch in enumerate(self.branches)]
        self.scene.lay_out(Frame.of(metrics, size.width(), size.height(), titles), self._measure)
        # One after the other: a bar that appears takes room, and all is laid out anew before the next is asked.
        scene = self.scene
        self._set_range(self.horizontalScrollBar(), scene.width, scene.frame.map.width(), scene.frame.line * 3)
        self._set_range(self.verticalScrollBar(), scene.height, scene.frame.map.height(), scene.frame.row)
        self.viewport().update()

    def _set_range(self, bar: QScrollBar, whole: float, seen: float, step: float) -> None:
        bar.setRange(0, max(0, round(whole - seen)))
        bar.setPageStep(max(1, round(seen)))
        bar.setSingleStep(round(step))

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
        self.setAccessibleDescription(of_stretch(scene.tree, scene.shape, index))
        self.viewport().update()
        self.marked.emit()

    def _fork_before(self, index: int) -> QRectF:
        """Return the rectangle around the start of a segment, with the end of the one before it."""
        box, line = self.scene.box(index), self.scene.frame.line
        return box.adjusted(-AROUND_FORK * line, 0, min(0.0, AROUND_FORK * line - box.width()), 0)

    def _reveal(self, box: QRectF) -> None:
        """Scrolls so far that a box of the map is seen with a little around it; of one too wide its left."""
        seen, room = self.scene.frame.map, self.scene.frame.around
        for bar, first, last, low, high in (
            (self.horizontalScrollBar(), box.left() - room, box.right() + room, seen.left(), seen.right()),
            (self.verticalScrollBar(), box.top() - room, box.bottom() + room, seen.top(), seen.bottom()),
        ):
            way = min(max(0.0, last - high), first - low) if first >= low else first - low
            bar.setValue(bar.value() + round(way))

    def _words_at(self, point: QPointF) -> str:
        """Return the tooltip of the segment or branch under the pointer."""
        row, key = self.scene.at(point)
        if row is None:
            return ""
        scene = self.scene
        if key is None:
            return of_branch(scene.tree, self.branches[row], row)
        return of_stretch(scene.tree, scene.shape, scene.shape.places[key])
