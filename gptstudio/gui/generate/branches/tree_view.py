"""The branches of a text as a tree, with a row for each branch below the branch from which it forks.

Up and Down move from row to row, Left and Right along the stretches of the text; Enter opens the marked stretch.
"""

from __future__ import annotations

from typing import Any

from PySide6.QtCore import (
    QAbstractItemModel,
    QEvent,
    QLineF,
    QModelIndex,
    QPersistentModelIndex,
    QPoint,
    QRect,
    QRectF,
    QSize,
    Qt,
    Signal,
)
from PySide6.QtGui import (
    QContextMenuEvent,
    QFontMetricsF,
    QGuiApplication,
    QHelpEvent,
    QKeyEvent,
    QKeySequence,
    QMouseEvent,
    QPainter,
    QPaintEvent,
    QPen,
    QResizeEvent,
)
from PySide6.QtWidgets import (
    QFrame,
    QHeaderView,
    QLineEdit,
    QStyle,
    QStyledItemDelegate,
    QStyleOptionViewItem,
    QToolTip,
    QTreeView,
    QWidget,
)

from gptstudio import files
from gptstudio.gui.appearance import on_restyle
from gptstudio.gui.canvas.writing import CENTRE, LEFT, RIGHT, rounded, write
from gptstudio.gui.generate.branches import tree_texts
from gptstudio.gui.generate.branches.tree_texts import Row, Token
from gptstudio.gui.model_names import display_name
from gptstudio.gui.theme import colour
from gptstudio.gui.translation import tr
from gptstudio.gui.widgets.parts import named, plain
from gptstudio.i18n import bits, message
from gptstudio.inference.text_tree import Branch, Tree, TreeShape, shape

PICKED = "AB"
EMPTY = message("No text yet. Generate one first; each time you choose another candidate, a new branch appears here.")
NAME, TEXT, FROM, TOKENS, BITS = range(5)
HIGH, INDENT, PAD = 1.9, 1.3, 0.35
"""Height of a row, indentation per level, and padding of a box, in heights of a line."""
ROUND = 5.0
Index = QModelIndex | QPersistentModelIndex
ROOT_INDEX = QModelIndex()


class TreeModel(QAbstractItemModel):
    """Model of a tree of branches. The internal ID of an index is the number of its row, counted over the whole
    tree."""

    renamed = Signal(int, str)
    """Emitted with the key of the token that carries the name, and the name."""

    def __init__(self) -> None:
        super().__init__()
        self.tree, self.shape = Tree(), TreeShape([], [], {})
        self.rows: list[Row] = []
        self._parents: list[int] = []
        self._children: dict[int, list[int]] = {-1: []}
        self._places: list[int] = []
        self.depths: list[int] = []
        """Number of branches above each row."""
        self.shown_row = -1
        self.narrow = False

    def show_tree(self, tree: Tree) -> None:
        """Show another tree, or one that has grown. An index that is being edited stays with its branch."""
        self.layoutAboutToBeChanged.emit()
        kept = [(index, self.rows[index.internalId()].branch.named) for index in self.persistentIndexList()]
        self.tree, self.shape = tree, shape(tree)
        self.rows = [Row.of(tree, self.shape, row) for row in range(len(self.shape.branches))]
        before = [self.shape.stretches[row.branch.own].before for row in self.rows]
        self._parents = [-1 if each is None else self.shape.stretches[each].row for each in before]
        self._children = {row: [] for row in range(-1, len(self.rows))}
        self._places, self.depths = [], []
        for row, parent in enumerate(self._parents):  # each follows the row from which it forks
            self._places.append(len(self._children[parent]))
            self.depths.append(self.depths[parent] + 1 if parent >= 0 else 0)
            self._children[parent].append(row)
        for index, key in kept:
            place = self.shape.places.get(key)
            new = ROOT_INDEX if place is None else self.at(self.shape.stretches[place].row, index.column())
            self.changePersistentIndex(index, new)
        self.layoutChanged.emit()

    def at(self, row: int, column: int = NAME) -> QModelIndex:
        """Return the index of a row, counted over the whole tree."""
        return self.createIndex(self._places[row], column, row)

    def index(self, row: int, column: int, parent: Index = ROOT_INDEX) -> QModelIndex:
        below = self._children[parent.internalId() if parent.isValid() else -1]
        return self.createIndex(row, column, below[row]) if 0 <= row < len(below) else ROOT_INDEX

    def parent(self, index: Index) -> QModelIndex:  # type: ignore[override]  # QObject has a method of the same name
        row = self._parents[index.internalId()] if index.isValid() and index.internalId() < len(self.rows) else -1
        return self.at(row) if row >= 0 else ROOT_INDEX

    def rowCount(self, parent: Index = ROOT_INDEX) -> int:
        return len(self._children.get(parent.internalId() if parent.isValid() else -1, ()))

    def columnCount(self, _parent: Index = ROOT_INDEX) -> int:
        return 5

    def flags(self, index: Index) -> Qt.ItemFlag:
        editable = Qt.ItemFlag.ItemIsEditable if index.column() == NAME else Qt.ItemFlag.NoItemFlags
        return super().flags(index) | editable

    def cells(self, row: int) -> tuple[str, ...]:
        """Return the texts of a row, one for each column."""
        found, figures = self.rows[row], self.rows[row].branch.figures
        return (found.title, found.text, f"{found.first:,}", f"{figures.tokens:,}", bits(figures.mean_bits))

    def data(self, index: Index, role: int = Qt.ItemDataRole.DisplayRole) -> Any:
        row, column = index.internalId(), index.column()
        match role:
            case Qt.ItemDataRole.DisplayRole:
                return self.cells(row)[column]
            case Qt.ItemDataRole.EditRole:
                return self.rows[row].branch.name
            case Qt.ItemDataRole.TextAlignmentRole:
                return LEFT if column in (NAME, TEXT) else RIGHT
            case Qt.ItemDataRole.ForegroundRole:
                strong = column in (TOKENS, BITS) or row == self.shown_row or self.rows[row].branch.name
                return colour("text" if strong else "muted")
        return None

    def setData(self, index: Index, value: Any, _role: int = Qt.ItemDataRole.EditRole) -> bool:
        self.renamed.emit(self.rows[index.internalId()].branch.named, value)
        return False  # the tree must change first

    def headerData(
        self, section: int, _orientation: Qt.Orientation, role: int = Qt.ItemDataRole.DisplayRole
    ) -> Any:
        if role == Qt.ItemDataRole.TextAlignmentRole:
            return LEFT if section in (NAME, TEXT) else RIGHT
        if role == Qt.ItemDataRole.ToolTipRole and section == FROM:
            return tr("Position of the first token with which the branch parts from the one above")
        if role == Qt.ItemDataRole.ToolTipRole and section == TEXT:
            return plain(self._summary())
        if role != Qt.ItemDataRole.DisplayRole:
            return None
        return (tr("Branch"), self._summary(), tr("Starts at"), tr("Tokens"),
                tr("Bits") if self.narrow else tr("Bits per token"))[section]

    def _summary(self) -> str:
        count = len(self.rows)
        branches = tr("1 branch") if count == 1 else tr("{n} branches", n=f"{count:,}")
        tokens = tr("{n} tokens", n=f"{len(self.tree.nodes):,}")
        return "  ·  ".join(filter(None, (branches, tokens, display_name(self.tree.model)))) if count else ""


class TreeDelegate(QStyledItemDelegate):
    """Delegate that paints the tokens of a branch, with a box for each stretch between two forks, and edits the
    names."""

    def __init__(self, view: TreeView) -> None:
        super().__init__(view)
        self._view = view

    def sizeHint(self, option: QStyleOptionViewItem, index: Index) -> QSize:
        return QSize(super().sizeHint(option, index).width(), round(HIGH * self._view.line))

    def createEditor(self, parent: QWidget, _option: QStyleOptionViewItem, index: Index) -> QWidget:
        editor = named(QLineEdit(parent), "branch_name", tr("Branch name"))
        editor.setPlaceholderText(self._view.rows[index.internalId()].title)
        return editor

    def setEditorData(self, editor: QWidget, index: Index) -> None:
        if isinstance(editor, QLineEdit) and not editor.isModified():  # the text may grow while a name is typed
            editor.setText(index.data(Qt.ItemDataRole.EditRole))

    def setModelData(self, editor: QWidget, model: QAbstractItemModel, index: Index) -> None:
        if isinstance(editor, QLineEdit) and editor.isModified():
            model.setData(index, editor.text())

    def paint(self, painter: QPainter, option: QStyleOptionViewItem, index: Index) -> None:
        view, row, place = self._view, index.internalId(), QRectF(option.rect)
        if index.column() == TEXT:
            painter.save()
            painter.setRenderHint(QPainter.RenderHint.Antialiasing)
            self._paint_text(painter, row, place)
            painter.restore()
            return
        option.state &= ~(QStyle.StateFlag.State_HasFocus | QStyle.StateFlag.State_MouseOver)
        tip = view.rows[row].branch.tip
        if index.column() == NAME:
            option.rect = option.rect.adjusted(round(PAD * view.line), 0, 0, 0)
            place = QRectF(option.rect)
        if index.column() == NAME and tip in view.picked:
            painter.setRenderHint(QPainter.RenderHint.Antialiasing)
            disc = QRectF(place.left(), place.center().y() - view.line / 2, view.line, view.line)
            rounded(painter, disc, view.line / 2, colour("accent"))
            write(painter, disc, PICKED[view.picked.index(tip)], CENTRE, "on_accent")
            option.rect = option.rect.adjusted(round(view.line), 0, 0, 0)
        super().paint(painter, option, index)

    def _paint_text(self, painter: QPainter, row: int, place: QRectF) -> None:
        view, found = self._view, self._view.rows[row]
        for index, tokens in view.boxes(row):
            shown = index in view.shown
            box = view.box_of(tokens, place)
            fill, edge = (colour("accent", 0.14), colour("accent", 0.55)) if shown else (
                colour("window"), colour("line"))
            pruned = found.pruned and not shown
            style = Qt.PenStyle.DashLine if pruned else Qt.PenStyle.SolidLine
            rounded(painter, box, ROUND, None if pruned else fill, QPen(edge, 1.2, style))
            ink = "text" if shown or (found.note and not found.pruned) else "muted"
            for token in tokens:
                self._paint_token(painter, token, place, ink)
            at_cursor = view.stretch_of(view.chosen) == index
            if index == view.mark and (view.hasFocus() or not at_cursor):
                pen = QPen(colour("accent"), 2.0) if view.hasFocus() else QPen(colour("muted"), 1.2)
                rounded(painter, box.adjusted(-2.5, -2.5, 2.5, 2.5), ROUND + 2, edge=pen)
        if found.note:
            left = box.right() + 0.5 * view.line
            write(painter, QRectF(left, place.top(), place.right() - left, place.height()), found.note, ink="muted")

    def _paint_token(self, painter: QPainter, token: Token, place: QRectF, ink: str) -> None:
        box = QRectF(place.left() + token.left, place.top() + 2, token.width, place.height() - 4)
        chosen = self._view.chosen is not None and self._view.chosen in token.keys
        if chosen:
            height = 1.2 * self._view.line
            back = QRectF(box.left() - 1.5, box.center().y() - height / 2, box.width() + 3, height)
            rounded(painter, back, 3, colour("accent"))
        write(painter, box, token.text, CENTRE | Qt.TextFlag.TextSingleLine,
              "on_accent" if chosen else "muted" if token.left_out else ink)


class TreeView(QTreeView):
    """View of the tree of branches; emits ``went`` when the user chooses a token.

    Attributes:
        mark: index of the stretch marked with the arrow keys; -1 if none.
        shown: indices of the stretches of the shown branch.
        chosen: key of the chosen token, or None.
    """

    went = Signal(int)
    """Emitted with the key of the chosen token."""
    removed = Signal(int)
    """Emitted with the key of a token to remove together with all that follow."""
    copied = Signal(int)
    """Emitted with the key of the last token of a branch, to copy its text."""
    marked = Signal()
    """Emitted when another stretch is marked, or other branches are selected for comparison."""
    menu_wanted = Signal(object)
    """Emitted with a point of the screen (QPoint)."""

    def __init__(self) -> None:
        super().__init__()
        named(self, "branch_tree", tr("Branches of the text; arrow keys move along them, Enter opens a branch"))
        self.model_ = TreeModel()
        self.renamed = self.model_.renamed
        self.shown, self.mark = frozenset[int](), -1
        self.chosen: int | None = None
        self.picked: list[int] = []
        """Keys of the last tokens of the branches selected for comparison."""
        self._seen: tuple[int | None, int | None] = (None, None)
        self._widths: dict[str, float] = {}
        self._boxes: dict[tuple[int, int], list[tuple[int, list[Token]]]] = {}
        """Cached boxes by row and column width, cleared when the tree or the font changes."""
        self.setModel(self.model_)
        self.setItemDelegate(TreeDelegate(self))
        self.setSelectionMode(self.SelectionMode.NoSelection)
        self.setEditTriggers(self.EditTrigger.NoEditTriggers)
        self.setVerticalScrollMode(self.ScrollMode.ScrollPerPixel)
        self.setItemsExpandable(False)
        self.setRootIsDecorated(False)
        self.setUniformRowHeights(True)
        self.setFrameShape(QFrame.Shape.NoFrame)
        self.setMouseTracking(True)
        head = self.header()
        head.setStretchLastSection(False)
        head.setSectionsMovable(False)
        head.setTextElideMode(Qt.TextElideMode.ElideRight)  # of the summary; by default, Qt clips headings
        head.setMinimumSectionSize(1)
        head.setSectionResizeMode(QHeaderView.ResizeMode.Fixed)
        head.setSectionResizeMode(TEXT, QHeaderView.ResizeMode.Stretch)
        on_restyle(self, self.remeasure)
        self.remeasure()

    # Content.

    def show_tree(self, tree: Tree, tip: int | None, cursor: int | None) -> None:
        """Show a tree.

        Args:
            tip: key of the last token of the shown branch.
            cursor: key of the chosen token.
        """
        model, shapes = self.model_, self.model_.shape
        kept = shapes.stretches[self.mark].keys[0] if self.mark >= 0 and (tip, cursor) == self._seen else None
        self._seen, self.mark = (tip, cursor), -1  # so that a resize does not scroll to an old stretch
        self._boxes.clear()
        model.show_tree(tree)
        shapes, self.chosen = model.shape, cursor
        end = self.stretch_of(tip)
        self.shown = frozenset(shapes.back_from(end)) if end >= 0 else frozenset()
        model.shown_row = shapes.stretches[end].row if end >= 0 else -1
        self.picked = list(dict.fromkeys(tree.leaf(key) for key in self.picked if key in tree.nodes))
        self.expandAll()
        self._fit()
        self.mark = self.stretch_of(kept)
        if self.mark < 0 and self.branches:
            self._mark(max(0, self.stretch_of(tip if cursor is None else cursor)))
        self.viewport().update()
        self.marked.emit()

    def stretch_of(self, key: int | None) -> int:
        """Return the index of the stretch that contains a token; -1 if there is none."""
        return -1 if key is None else self.model_.shape.places.get(key, -1)

    @property
    def rows(self) -> list[Row]:
        return self.model_.rows

    @property
    def branches(self) -> list[Branch]:
        return self.model_.shape.branches

    @property
    def marked_branch(self) -> Branch | None:
        """Branch of the row with the mark."""
        return self.branches[self.model_.shape.stretches[self.mark].row] if self.mark >= 0 else None

    @property
    def shown_branch(self) -> Branch | None:
        return self.branches[self.model_.shown_row] if self.model_.shown_row >= 0 else None

    @property
    def removable(self) -> list[Branch]:
        """Branches that would be removed with the marked stretch; none at the root, where that would be all."""
        found = self.model_.shape.through(self.mark) if self.mark >= 0 else []
        return found if len(found) < len(self.branches) else []

    def words(self, row: int, key: int | None) -> str:
        """Return a description of a branch, or of the stretch that contains one of its tokens."""
        model = self.model_
        if key is None:
            return tree_texts.of_branch(model.tree, self.branches[row], row)
        return tree_texts.of_stretch(model.tree, model.shape, model.shape.places[key])

    def table(self) -> list[tuple[str, ...]]:
        """Return the headings and the rows, with the complete text of each branch."""
        heads = tuple(str(self.model_.headerData(column, Qt.Orientation.Horizontal)) for column in range(5))
        return [heads, *(self.model_.cells(row) for row in range(len(self.rows)))]

    def copy_table(self) -> None:
        """Copy the table to the clipboard as tab-separated text."""
        QGuiApplication.clipboard().setText(files.tab_separated(self.table()))

    # Geometry, in pixels.

    @property
    def line(self) -> float:
        """Height of a line of text."""
        return QFontMetricsF(self.font()).height()

    def boxes(self, row: int) -> list[tuple[int, list[Token]]]:
        """Return the visible stretches of a row as pairs (index, tokens)."""
        width = self.columnWidth(TEXT)
        if (row, width) not in self._boxes:
            found: dict[int, list[Token]] = {}
            for token in self.rows[row].fitted(width - self.line, self._measure, self.line):
                found.setdefault(self.model_.shape.places[token.keys[0]], []).append(token)
            self._boxes[row, width] = list(found.items())
        return self._boxes[row, width]

    def _measure(self, text: str) -> float:
        if text not in self._widths:
            self._widths[text] = QFontMetricsF(self.font()).horizontalAdvance(text)
        return self._widths[text]

    def box_of(self, tokens: list[Token], place: QRectF) -> QRectF:
        """Return the box around these tokens. ``place``: the rectangle of their cell."""
        height, pad = 1.4 * self.line, PAD * self.line
        left, right = tokens[0].left, tokens[-1].left + tokens[-1].width
        return QRectF(place.left() + left - pad, place.center().y() - height / 2, right - left + 2 * pad, height)

    def item_at(self, point: QPoint) -> tuple[int, int | None] | None:
        """Return the row at a point and the key of the token there, if any; None if there is no row."""
        index = self.indexAt(point)
        if not index.isValid():
            return None
        row, place = index.internalId(), QRectF(self.visualRect(index))
        if index.column() == TEXT:
            for _, tokens in self.boxes(row):
                if self.box_of(tokens, place).contains(point):
                    reached = [token for token in tokens if place.left() + token.left <= point.x()]
                    return row, (reached[-1] if reached else tokens[0]).keys[0]
        return row, None

    def remeasure(self) -> None:
        """Adapt to another font or theme."""
        self._widths.clear()
        self._boxes.clear()
        self.setIndentation(round(INDENT * self.line))
        if self.rows:
            self.model_.show_tree(self.model_.tree)
            self.expandAll()
        self._fit()

    def _fit(self) -> None:
        """Set the widths of the columns; hide two of them in a narrow view."""
        advance, room = self.fontMetrics().horizontalAdvance, self.viewport().width()
        self.model_.narrow = narrow = room < 34 * self.line
        cells = [self.model_.cells(row) for row in range(len(self.rows))]
        for column in (FROM, TOKENS, BITS):
            head = str(self.model_.headerData(column, Qt.Orientation.Horizontal))
            wide = max(map(advance, [head, *(each[column] for each in cells)]))
            self.setColumnWidth(column, wide + round(1.2 * self.line))
        depth = max(self.model_.depths, default=0)
        longest = max((advance(each[NAME]) for each in cells), default=0)
        name = min(max(longest, 4 * self.line), max(10 * self.line, room / 5)) + 2.4 * self.line
        most = (0.7 if narrow else 0.5) * room - narrow * self.columnWidth(BITS)
        self.setColumnWidth(NAME, round(min(name + depth * self.indentation(), most)))
        for column in (FROM, TOKENS):
            self.setColumnHidden(column, narrow)

    def sizeHint(self) -> QSize:
        return QSize(round(30 * self.line), round(9 * HIGH * self.line))

    def minimumSizeHint(self) -> QSize:
        return QSize(round(14 * self.line), round(5 * HIGH * self.line))

    # User actions.

    def _mark(self, index: int) -> None:
        self.mark, shapes = index, self.model_.shape
        at = self.model_.at(shapes.stretches[index].row)
        self.setCurrentIndex(at)
        self.scrollTo(at)
        self.setAccessibleDescription(tree_texts.of_stretch(self.model_.tree, shapes, index))
        self.viewport().update()
        self.marked.emit()

    def walk(self, key: Qt.Key) -> None:
        """Move the mark: Left and Right along the text, Up and Down from branch to branch."""
        if self.mark < 0:
            return
        here = self.model_.shape.stretches[self.mark]
        match key:
            case Qt.Key.Key_Left if here.before is not None:
                self._mark(here.before)
            case Qt.Key.Key_Right if here.after:
                self._mark(next((each for each in here.after if each in self.shown), here.after[0]))
            case Qt.Key.Key_Up | Qt.Key.Key_Down:
                row = here.row + (1 if key == Qt.Key.Key_Down else -1)
                if 0 <= row < len(self.branches):
                    self._mark(self.branches[row].own)

    def go(self) -> None:
        if self.mark >= 0:
            self.went.emit(self.model_.shape.stretches[self.mark].keys[0])

    def name(self, branch: Branch | None = None) -> None:
        """Let the user edit the name of a branch, by default of the marked one."""
        branch = branch or self.marked_branch
        if branch:
            self.edit(self.model_.at(self.branches.index(branch)))

    def remove(self) -> None:
        if self.removable:
            self.removed.emit(self.model_.shape.stretches[self.mark].keys[0])

    def pick(self, branch: Branch) -> None:
        """Add a branch to the comparison, or remove it; of more than two, the last two are kept."""
        others = [tip for tip in self.picked if tip != branch.tip]
        self.picked = others if branch.tip in self.picked else [*others, branch.tip][-len(PICKED) :]
        self.viewport().update()
        self.marked.emit()

    def keyPressEvent(self, event: QKeyEvent) -> None:
        branch = self.marked_branch
        if self.state() == self.State.EditingState:  # Enter has just ended the editing of a name
            event.ignore()
            return
        match Qt.Key(event.key()):
            case Qt.Key.Key_Right | Qt.Key.Key_Left | Qt.Key.Key_Up | Qt.Key.Key_Down as key:
                self.walk(key)
            case Qt.Key.Key_Return | Qt.Key.Key_Enter:
                self.go()
            case Qt.Key.Key_F2:
                self.name()
            case Qt.Key.Key_Delete | Qt.Key.Key_Backspace:
                self.remove()
            case Qt.Key.Key_Space if branch:
                self.pick(branch)
            case _ if branch and event.matches(QKeySequence.StandardKey.Copy):
                self.copied.emit(branch.tip)
            case _:
                event.ignore()

    def mousePressEvent(self, event: QMouseEvent) -> None:
        found = self.item_at(event.position().toPoint())
        if found is None:
            return
        branch = self.branches[found[0]]
        key = branch.tip if found[1] is None else found[1]
        if event.button() == Qt.MouseButton.RightButton:
            self._mark(self.model_.shape.places[key])
        elif event.modifiers() & Qt.KeyboardModifier.ControlModifier:
            self.pick(branch)
        elif event.button() == Qt.MouseButton.LeftButton:
            self.went.emit(key)

    def mouseReleaseEvent(self, event: QMouseEvent) -> None:
        event.accept()

    def mouseDoubleClickEvent(self, event: QMouseEvent) -> None:
        found = self.item_at(event.position().toPoint())
        if found and found[1] is None:
            self.name(self.branches[found[0]])

    def mouseMoveEvent(self, event: QMouseEvent) -> None:
        nowhere = self.item_at(event.position().toPoint()) is None
        self.viewport().setCursor(Qt.CursorShape.ArrowCursor if nowhere else Qt.CursorShape.PointingHandCursor)

    def contextMenuEvent(self, event: QContextMenuEvent) -> None:
        if self.marked_branch:
            self.menu_wanted.emit(event.globalPos())

    def viewportEvent(self, event: QEvent) -> bool:
        if isinstance(event, QHelpEvent) and event.type() == QEvent.Type.ToolTip:
            found = self.item_at(event.pos())
            QToolTip.showText(event.globalPos(), plain(self.words(*found)) if found else "", self.viewport())
            return True
        return super().viewportEvent(event)

    def resizeEvent(self, event: QResizeEvent) -> None:
        super().resizeEvent(event)
        self._fit()
        if self.mark >= 0:
            self.scrollTo(self.model_.at(self.model_.shape.stretches[self.mark].row))

    # Painting.

    def drawRow(self, painter: QPainter, option: QStyleOptionViewItem, index: Index) -> None:
        if index.internalId() == self.model_.shown_row:
            painter.fillRect(option.rect, colour("accent", 0.14))
        super().drawRow(painter, option, index)

    def drawBranches(self, painter: QPainter, rect: QRect, index: Index) -> None:
        """Draw the lines from a branch to those that fork from it."""
        own = self.branches[index.internalId()].own in self.shown
        step, level, at = self.indentation(), self.model_.depths[index.internalId()], index
        middle = rect.center().y() + 0.5
        painter.setPen(QPen(colour("muted", 0.6), 1.3))
        while level > 0:
            x = rect.left() + (level - 0.5) * step
            follows = at.row() + 1 < self.model_.rowCount(at.parent())
            if at is index:
                painter.drawLine(QLineF(x, rect.top(), x, rect.bottom() + 1 if follows else middle))
                painter.setPen(QPen(colour("accent"), 2.2) if own else painter.pen())
                painter.drawLine(QLineF(x, middle, rect.right(), middle))
                painter.setPen(QPen(colour("muted", 0.6), 1.3))
            elif follows:
                painter.drawLine(QLineF(x, rect.top(), x, rect.bottom() + 1))
            level, at = level - 1, at.parent()

    def paintEvent(self, event: QPaintEvent) -> None:
        super().paintEvent(event)
        if not self.branches:
            with QPainter(self.viewport()) as painter:
                place = QRectF(self.viewport().rect()).adjusted(self.line, 0, -self.line, 0)
                write(painter, place, tr(EMPTY), Qt.AlignmentFlag.AlignCenter | Qt.TextFlag.TextWordWrap, "muted")
