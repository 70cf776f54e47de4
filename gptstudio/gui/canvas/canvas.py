"""Base of all widgets that paint themselves: colours and sizes follow theme and font, and the image can be copied.

Their items can be hovered with the mouse and reached with the keyboard. Items that are cells have a row and a column,
and arrow keys move to the next cell. Screen readers receive the text of the current item as the description of the
widget. The items are not accessible children: PySide6 6.11 leaks one interface for each widget, and crashes with a
segmentation fault if it has collected a child that Qt still knows.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterable, Iterator, Mapping, Sequence
from itertools import product, starmap
from typing import TYPE_CHECKING, Any, NamedTuple

from PySide6.QtCore import QEvent, QPointF, QRect, QRectF, QSize, Qt, Signal
from PySide6.QtGui import (
    QContextMenuEvent,
    QFocusEvent,
    QGuiApplication,
    QHelpEvent,
    QKeyEvent,
    QKeySequence,
    QMouseEvent,
    QPainter,
    QPaintEvent,
)
from PySide6.QtWidgets import QAbstractScrollArea, QMenu, QScrollBar, QSizePolicy, QToolTip, QWidget

from gptstudio import files
from gptstudio.gui.appearance import on_restyle
from gptstudio.gui.translation import tr
from gptstudio.gui.widgets.parts import named, plain

if TYPE_CHECKING:
    _Base = QWidget
else:
    _Base = object

KEYS = Qt.Key
ARROWS = {KEYS.Key_Left: (0, -1), KEYS.Key_Right: (0, 1), KEYS.Key_Up: (-1, 0), KEYS.Key_Down: (1, 0)}
"""Change of row and column for each arrow key."""
ENDS = (KEYS.Key_Home, KEYS.Key_End)
ENTERS = (KEYS.Key_Return, KEYS.Key_Enter, KEYS.Key_Space)
TABS = (Qt.FocusReason.TabFocusReason, Qt.FocusReason.BacktabFocusReason)


class Items(_Base):
    """Mixin of a widget that paints itself and its items, which can be hovered, and activated by a click or Enter.

    An item has a rectangle and a text; the mixin emits the current item.
    """

    smooth = True
    """True if lines are painted with antialiasing."""

    pointed = Signal(object)  # item, or None

    moves: Collection[Qt.Key] = (*ARROWS, *ENDS)
    """Keys that move from item to item."""
    points_by_keys = True
    """True if these keys move the current item; False if they move something of the widget's own."""
    remembers = True
    """True if keyboard navigation starts from the last current item."""

    item: Any = None
    """Current item: hovered, or reached with the keyboard."""
    explain: Callable[[Any], str] | None = None
    """Function that returns the text of an item, if the widget has no texts of its own."""
    lit: frozenset[Any] = frozenset()
    """Items marked by other widgets."""
    _last: Any = None
    _summary = ""

    def set_up(self, name: str, accessible: str, pointable: bool = True) -> None:
        """Prepare the widget. ``pointable``: whether it receives mouse moves and the focus."""
        named(self, name, accessible)
        self.surface().setMouseTracking(pointable)
        self.setFocusPolicy(Qt.FocusPolicy.StrongFocus if pointable else Qt.FocusPolicy.NoFocus)
        on_restyle(self, self.remeasure)

    def surface(self) -> QWidget:
        """Return the widget on which to paint."""
        return self

    def paint(self, painter: QPainter, region: QRect) -> None:
        """Paint the part of the widget inside a region."""

    def remeasure(self) -> None:
        """Adapt to new content, font or theme; the current item may no longer exist."""
        if self.item is not None and self.item not in self.items():
            self.point_at(None)
        self.updateGeometry()
        self.surface().update()

    def copy_image(self) -> None:
        """Copy the widget as shown on the screen to the clipboard."""
        QGuiApplication.clipboard().setPixmap(self.grab())

    def copy_table(self) -> None:
        """Copy the table to the clipboard, tab-separated, one line per row."""
        QGuiApplication.clipboard().setText(files.tab_separated(self.table()))

    # Content

    def items(self) -> Mapping[Any, QRectF]:
        """Return the rectangles of the items, in the order in which keys reach them."""
        return {}

    def words(self, item: Any) -> str:
        """Return the full text of an item, for its tooltip and for screen readers."""
        return self.explain(item) if self.explain else ""

    def tip(self, item: Any) -> str:
        """Return the text of an item as a tooltip, escaped where it would be interpreted as HTML."""
        return plain(self.words(item))

    def table(self) -> Sequence[Sequence[str]]:
        """Return the table to copy, by default with a row for each item."""
        return [self.words(item).split("\n") for item in self.items()]

    def activate(self, _item: Any) -> bool:
        """Act on a click or Enter on an item; return whether there was anything to do."""
        return False

    # Geometry

    def place(self, item: Any) -> QRectF:
        return self.items()[item]

    def item_at(self, point: QPointF) -> Any:
        return next((item for item, place in self.items().items() if place.contains(point)), None)

    def here(self) -> Any:
        """Return the item from which keyboard navigation starts, or None."""
        return self._last if self.item is None and self.remembers else self.item

    def entry(self) -> Any:
        """Return the item that becomes current when Tab gives the focus to the widget, or None."""
        items, known = self.items(), self.remembers and self._last is not None
        return self._last if known and self._last in items else next(iter(items), None)

    def step(self, key: Qt.Key, start: Any) -> Any:
        """Return the item to which a key moves, or None; by default the next in order, without wrapping around."""
        items = list(self.items())
        if start not in items or key in ENDS:
            return items[-1 if key == KEYS.Key_End else 0]
        return items[min(max(0, items.index(start) + sum(ARROWS[key])), len(items) - 1)]

    def go_to(self, item: Any) -> None:
        """Move to an item by keyboard."""
        self.point_at(item)

    def point_at(self, item: Any) -> None:
        """Make an item the current one; None: no item."""
        if item != self.item:
            before, self.item = self.item, item
            self._last = self._last if item is None else item
            self.describe()
            self.refresh(before, item)
            self.pointed.emit(item)

    def light(self, items: Iterable[Any]) -> None:
        """Mark these items, and no others."""
        lit = frozenset(items)
        if lit != self.lit:
            self.lit = lit
            self.surface().update()

    def describe(self, summary: str | None = None) -> None:
        """Set the accessible description to the text of the current item, or else to a summary, new if given."""
        self._summary = self._summary if summary is None else summary
        spoken = self.words(self.item) if self.item is not None and self.points_by_keys else ""
        self.setAccessibleDescription(spoken or self._summary)

    def table_words(self) -> str:
        """Return the table in one line for a screen reader: cells separated by spaces, rows by semicolons."""
        return "; ".join(" ".join(filter(None, row)) for row in self.table())

    def refresh(self, *_items: Any) -> None:
        """Repaint these items, some of which may be None; by default repaint everything."""
        self.surface().update()

    # Qt events

    def paintEvent(self, event: QPaintEvent) -> None:
        with QPainter(self.surface()) as painter:
            painter.setRenderHint(QPainter.RenderHint.Antialiasing, self.smooth)
            self.paint(painter, event.rect())

    def sizeHint(self) -> QSize:
        return self.minimumSizeHint()

    def changeEvent(self, event: QEvent) -> None:
        super().changeEvent(event)
        if event.type() in (QEvent.Type.FontChange, QEvent.Type.StyleChange):
            self.remeasure()

    def contextMenuEvent(self, event: QContextMenuEvent) -> None:
        if self.focusPolicy() == Qt.FocusPolicy.NoFocus and not self.table():
            event.ignore()
            return
        menu = QMenu(self)
        menu.setObjectName(f"{self.objectName()}_menu")
        menu.aboutToHide.connect(menu.deleteLater)
        menu.addAction(tr("Copy image")).triggered.connect(self.copy_image)
        if self.table():
            menu.addAction(tr("Copy table")).triggered.connect(self.copy_table)
        menu.popup(event.globalPos())

    def mouseMoveEvent(self, event: QMouseEvent) -> None:
        self.point_at(self.item_at(event.position()))

    def mousePressEvent(self, event: QMouseEvent) -> None:
        item = self.item_at(event.position())
        self.point_at(item)
        if item is not None and event.button() == Qt.MouseButton.LeftButton:
            self.activate(item)

    def leaveEvent(self, _event: QEvent) -> None:
        self.point_at(None)

    def focusInEvent(self, event: QFocusEvent) -> None:
        super().focusInEvent(event)
        if self.points_by_keys and event.reason() in TABS:
            entry = self.entry()
            if entry is not None:
                self.go_to(entry)
        self.surface().update()

    def focusOutEvent(self, event: QFocusEvent) -> None:
        super().focusOutEvent(event)
        if self.points_by_keys:
            self.point_at(None)
        self.surface().update()

    def keyPressEvent(self, event: QKeyEvent) -> None:
        key = KEYS(event.key())
        if key in self.moves and self.items():
            aim = self.step(key, self.here())
            if aim is not None:
                self.go_to(aim)
        elif event.matches(QKeySequence.StandardKey.Copy) and self.table():
            self.copy_table()
        elif key not in ENTERS or not self.points_by_keys or self.item is None or not self.activate(self.item):
            super().keyPressEvent(event)

    def show_tip(self, event: QEvent) -> bool:
        """Show the tooltip of an item on a tooltip event; return whether the event was handled."""
        if not isinstance(event, QHelpEvent) or event.type() != QEvent.Type.ToolTip:
            return False
        item = self.item_at(QPointF(event.pos()))
        tip = "" if item is None else self.tip(item)
        if not tip and (item is not None or self.toolTip() or not self.surface().hasMouseTracking()):
            return False
        place = self.place(item).toAlignedRect() if tip else QRect()  # closes when the pointer leaves it
        QToolTip.showText(event.globalPos(), tip, self.surface(), place)
        return True


class Canvas(Items, QWidget):
    """Widget that paints itself."""

    def __init__(self, name: str = "", accessible: str = "", pointable: bool = True) -> None:
        super().__init__()
        self.set_up(name, accessible, pointable)

    def event(self, event: QEvent) -> bool:
        return self.show_tip(event) or super().event(event)


class ScrollCanvas(Items, QAbstractScrollArea):
    """Scrolling widget that paints the visible part of its content. Rectangles are in pixels of the viewport."""

    def __init__(self, name: str, accessible: str) -> None:
        super().__init__()
        self.set_up(name, accessible)
        self.setFrameShape(self.Shape.NoFrame)

    def surface(self) -> QWidget:
        return self.viewport()

    def reveal(self, box: QRectF, seen: QRectF) -> None:
        """Scroll until a box lies in the visible part of the viewport; if it is too large, until its start does."""
        for bar, first, last, low, high in (
            (self.horizontalScrollBar(), box.left(), box.right(), seen.left(), seen.right()),
            (self.verticalScrollBar(), box.top(), box.bottom(), seen.top(), seen.bottom()),
        ):
            way = min(max(0.0, last - high), first - low) if first >= low else first - low
            bar.setValue(bar.value() + round(way))

    def set_range(self, bar: QScrollBar, whole: float, seen: float, step: float) -> None:
        """Set the range of a scroll bar. ``whole``, ``seen``, ``step``: total, visible and step size in pixels."""
        bar.setRange(0, max(0, round(whole - seen)))
        bar.setPageStep(max(1, round(seen)))
        bar.setSingleStep(max(1, round(step)))

    def viewportEvent(self, event: QEvent) -> bool:
        if event.type() == QEvent.Type.Leave:
            self.leaveEvent(event)
        return self.show_tip(event) or super().viewportEvent(event)


class Cell(NamedTuple):
    """Position in a matrix; both indices count from 0."""

    row: int
    column: int


class CellPlaces(Mapping[Cell, QRectF]):
    """Rectangles of all cells of a table, row by row; each is computed on demand."""

    def __init__(self, shape: tuple[int, ...], place: Callable[[Cell], QRectF]) -> None:
        """Create the mapping. ``shape``: number of rows and number of columns."""
        self._shape, self._place = shape, place

    def __getitem__(self, cell: Cell) -> QRectF:
        if not all(0 <= at < count for at, count in zip(cell, self._shape, strict=True)):
            raise KeyError(cell)
        return self._place(cell)

    def __iter__(self) -> Iterator[Cell]:
        return starmap(Cell, product(*map(range, self._shape)))

    def __len__(self) -> int:
        return self._shape[0] * self._shape[1]

    def step(self, key: Qt.Key, start: Cell) -> Cell:
        """Return the neighbouring cell, or the cell at the end of the row, without leaving the table."""
        rows, columns = self._shape
        if key in ENDS:
            return Cell(start.row, columns - 1 if key == KEYS.Key_End else 0)
        down, right = ARROWS[key]
        return Cell(min(max(0, start.row + down), rows - 1), min(max(0, start.column + right), columns - 1))


class CellCanvas(Canvas):
    """Canvas whose items are cells."""

    @property
    def cell(self) -> Cell | None:
        return self.item  # type: ignore[no-any-return]

    def step(self, key: Qt.Key, start: Cell | None) -> Cell | None:
        """Return the neighbouring cell, or the cell at the end of the row; None if there is none."""
        cells: Mapping[Cell, QRectF] = self.items()
        if start is None:
            return next(iter(cells))
        if key in ENDS:
            row = [cell.column for cell in cells if cell.row == start.row]
            return Cell(start.row, max(row) if key == KEYS.Key_End else min(row)) if row else None
        down, right = ARROWS[key]
        aim = Cell(start.row + down, start.column + right)
        return aim if aim in cells else None


Paint = Callable[[QPainter, QRectF, int], None]
"""Function that paints into a rectangle; the last argument is the text height."""


class Swatch(Canvas):
    """Sample painted by a function.

    Args:
        paint: the painting function.
        width, height: in text heights, or with ``pixels`` in pixels. ``grows``: a higher line may stretch the height.
    """

    def __init__(
        self, paint: Paint, width: float, height: float, *, pixels: bool = False, grows: bool = False,
    ) -> None:
        super().__init__(pointable=False)
        self._paint, self._size, self._pixels = paint, (width, height), pixels
        fixed, preferred = QSizePolicy.Policy.Fixed, QSizePolicy.Policy.Preferred
        self.setSizePolicy(fixed, preferred if grows else fixed)

    def paint_with(self, paint: Paint) -> None:
        self._paint = paint
        self.update()

    def sizeHint(self) -> QSize:
        unit = 1 if self._pixels else self.fontMetrics().height()
        return QSize(*(round(length * unit) for length in self._size))

    def paint(self, painter: QPainter, _region: QRect) -> None:
        self._paint(painter, QRectF(self.rect()), self.fontMetrics().height())
