"""Read-only tables without grid and frame, selected by whole rows, and copied as tab-separated text or as an image.

Variants keep the first column in view, wrap the headings into two lines, or adapt to the size of their contents.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from typing import Any, NamedTuple

from PySide6.QtCore import QEvent, QObject, QSignalBlocker, QSize, Qt, Signal
from PySide6.QtGui import QAction, QFont, QGuiApplication, QIcon, QKeySequence, QResizeEvent, QShowEvent
from PySide6.QtWidgets import (
    QAbstractItemView,
    QFrame,
    QHeaderView,
    QStyleOptionHeader,
    QTableView,
    QTableWidget,
    QTableWidgetItem,
    QWidget,
)

from gptstudio import files
from gptstudio.gui.appearance import on_restyle
from gptstudio.gui.theme import colour
from gptstudio.gui.translation import tr
from gptstudio.gui.widgets.parts import named, plain


def offer_copy(table: QTableView) -> None:
    """Let users copy a table by shortcut, and by a context menu unless it already has one."""
    table_action, image_action = QAction(tr("Copy table"), table), QAction(tr("Copy image"), table)
    table_action.setShortcut(QKeySequence.StandardKey.Copy)
    table_action.setShortcutContext(Qt.ShortcutContext.WidgetShortcut)
    table_action.triggered.connect(lambda: copy_table(table))
    image_action.triggered.connect(lambda: copy_image(table))
    table.addActions([table_action, image_action])
    if table.contextMenuPolicy() == Qt.ContextMenuPolicy.DefaultContextMenu:
        table.setContextMenuPolicy(Qt.ContextMenuPolicy.ActionsContextMenu)


def copy_table(table: QTableView) -> None:
    QGuiApplication.clipboard().setText(files.tab_separated(rows_of(table)))


def copy_image(widget: QWidget) -> None:
    """Copy the visible part of a widget as an image."""
    QGuiApplication.clipboard().setPixmap(widget.grab())


def rows_of(table: QTableView) -> Iterator[list[str]]:
    """Yield the headings, then the texts of each row; hidden columns are left out."""
    model = table.model()
    columns = [column for column in range(model.columnCount()) if not table.isColumnHidden(column)]
    yield [str(model.headerData(column, Qt.Orientation.Horizontal) or "") for column in columns]
    for row in range(model.rowCount()):
        yield [str(model.index(row, column).data() or "") for column in columns]


WHOLE_LINES = QAbstractItemView.SelectionBehavior.SelectRows
ONE, NONE = QAbstractItemView.SelectionMode.SingleSelection, QAbstractItemView.SelectionMode.NoSelection


def style_table(table: QTableView, selects: bool = True, elide: Qt.TextElideMode = Qt.TextElideMode.ElideRight) -> None:
    """Give a table the common appearance and behaviour of the program's tables.

    Args:
        selects: whether one row at a time can be selected.
        elide: which part of a long text is elided.
    """
    table.setSelectionBehavior(WHOLE_LINES)
    table.setSelectionMode(ONE if selects else NONE)
    table.setEditTriggers(QAbstractItemView.EditTrigger.NoEditTriggers)
    table.setVerticalScrollMode(QAbstractItemView.ScrollMode.ScrollPerPixel)
    table.setHorizontalScrollMode(QAbstractItemView.ScrollMode.ScrollPerPixel)
    table.setTabKeyNavigation(False)
    table.setTextElideMode(elide)
    table.setShowGrid(False)
    table.setFrameShape(QFrame.Shape.NoFrame)
    table.setWordWrap(False)
    table.verticalHeader().hide()
    table.horizontalHeader().setHighlightSections(False)
    offer_copy(table)


def table_height(table: QTableView, rows: int) -> int:
    """Return the height in pixels of the headings and of a number of rows."""
    return table.horizontalHeader().sizeHint().height() + rows * table.verticalHeader().defaultSectionSize()


FRAME = 1
"""Width in pixels of the border around a table, and of the line to the right of its fixed column."""


class FixedColumn(QTableView):
    """Overlay of the first column of a table that scrolls horizontally, with the same model and selection."""

    def __init__(self, table: QTableView) -> None:
        super().__init__(table)
        self._table = table
        self.setObjectName(f"{table.objectName()}_fixed")
        self.setAccessibleName(table.accessibleName())
        style_table(self)
        self.setProperty("fixed", True)
        self.setFocusPolicy(Qt.FocusPolicy.NoFocus)
        self.setModel(table.model())
        self.setSelectionModel(table.selectionModel())
        self.setSelectionMode(table.selectionMode())
        for set_policy in (self.setHorizontalScrollBarPolicy, self.setVerticalScrollBarPolicy):
            set_policy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)
        own, head = self.horizontalHeader(), table.horizontalHeader()
        own.setSectionResizeMode(QHeaderView.ResizeMode.Fixed)
        own.setSortIndicator(head.sortIndicatorSection(), head.sortIndicatorOrder())
        self.setSortingEnabled(table.isSortingEnabled())
        own.sortIndicatorChanged.connect(lambda *order: table.horizontalHeader().setSortIndicator(*order))
        head.sortIndicatorChanged.connect(self._show_order)
        head.sectionResized.connect(self.fit)
        head.geometriesChanged.connect(self.fit)
        table.verticalScrollBar().valueChanged.connect(self.verticalScrollBar().setValue)
        self.verticalScrollBar().valueChanged.connect(table.verticalScrollBar().setValue)
        table.horizontalScrollBar().rangeChanged.connect(self.fit)
        table.installEventFilter(self)
        self.fit()

    def fit(self) -> None:
        """Cover the first column of the table."""
        table = self._table
        for column in range(self.model().columnCount()):
            self.setColumnHidden(column, column > 0)
        self.verticalHeader().setDefaultSectionSize(table.verticalHeader().defaultSectionSize())
        self.setIconSize(table.iconSize())
        self.horizontalHeader().setFixedHeight(table.horizontalHeader().height())
        self.setColumnWidth(0, table.columnWidth(0))
        below = table.horizontalScrollBar().height() if table.horizontalScrollBar().isVisible() else 0
        self.setGeometry(FRAME, FRAME, table.columnWidth(0) + FRAME, table.height() - below - 2 * FRAME)
        self.setVisible(table.horizontalScrollBar().maximum() > 0)

    def _show_order(self, column: int, order: Qt.SortOrder) -> None:
        self.horizontalHeader().setSortIndicator(column, order)

    def eventFilter(self, watched: QObject, event: QEvent) -> bool:
        if watched is self._table and event.type() in (QEvent.Type.Resize, QEvent.Type.LayoutRequest):
            self.fit()
        return super().eventFilter(watched, event)


LEFT = Qt.AlignmentFlag.AlignLeft | Qt.AlignmentFlag.AlignVCenter
RIGHT = Qt.AlignmentFlag.AlignRight | Qt.AlignmentFlag.AlignVCenter


class TableCell(NamedTuple):
    """Cell or heading of a table: text, alignment, tooltip, colour in the theme if it is not the usual one, icon, and
    whether it is bold."""

    text: str
    side: Qt.AlignmentFlag = LEFT
    tip: str = ""
    role: str = ""
    icon: QIcon | None = None
    strong: bool = False

    def fill(self, item: QTableWidgetItem) -> None:
        item.setText(self.text)
        item.setTextAlignment(self.side)
        item.setToolTip(self.tip)
        item.setData(Qt.ItemDataRole.ForegroundRole, colour(self.role) if self.role else None)
        font = QFont()
        font.setBold(self.strong)
        item.setData(Qt.ItemDataRole.FontRole, font if self.strong else None)
        if self.icon:
            item.setIcon(self.icon)

    def item(self) -> QTableWidgetItem:
        """Return a new item with this content."""
        made = QTableWidgetItem()
        self.fill(made)
        return made


def headings_of(
    words: Sequence[str], sides: Sequence[Qt.AlignmentFlag], tips: Sequence[str] = ()
) -> list[TableCell]:
    """Return the headings of columns, translated, with their tooltips if there are any."""
    tips = tips or [""] * len(words)
    return [TableCell(tr(word), side, tr(tip) if tip else "")
            for word, side, tip in zip(words, sides, tips, strict=True)]


def cells_of(texts: Iterable[str], sides: Iterable[Qt.AlignmentFlag], strong: bool = False) -> list[TableCell]:
    """Return the cells of a row whose texts are also the tooltips, because they may be elided."""
    return [TableCell(text, side, plain(text), strong=strong) for text, side in zip(texts, sides, strict=True)]


class RowTable(QTableWidget):
    """Table of cells in which each row stands for an entry. The selected entry stays selected when the rows change."""

    selected = Signal(object)
    """Emitted with the entry of the row that is selected now; None if there is none."""

    def __init__(
        self, name: str, accessible: str, selects: bool = True, elide: Qt.TextElideMode = Qt.TextElideMode.ElideRight,
        stretched: int | None = None, wraps: bool = False,
    ) -> None:
        """``selects``, ``elide``: as for :func:`style_table`; ``stretched``: column that takes the remaining width;
        ``wraps``: whether long headings have two lines, so that more columns fit."""
        super().__init__()
        named(self, name, accessible)
        if wraps:
            self.setHorizontalHeader(WrappingHeader(self))
        style_table(self, selects, elide)
        self._headings: Sequence[TableCell] = ()
        self._rows: Sequence[Sequence[TableCell]] = ()
        self.entries: Sequence[Any] = ()  # what each row stands for
        self._stretched = stretched
        self.horizontalHeader().setSectionResizeMode(QHeaderView.ResizeMode.ResizeToContents)
        self.itemSelectionChanged.connect(lambda: self.selected.emit(self.entry))
        on_restyle(self, self._recolour, self._fit)
        self._fit()

    @property
    def entry(self) -> Any:
        """Entry of the selected row; None without a selection."""
        row = min((index.row() for index in self.selectedIndexes()), default=-1)
        return self.entries[row] if 0 <= row < len(self.entries) else None

    def select(self, entry: Any) -> None:
        """Select the row of an entry without a signal; if it has none, select no row."""
        with QSignalBlocker(self):
            if entry in self.entries:
                self.selectRow(self.entries.index(entry))
            else:
                self.clearSelection()
                self.setCurrentCell(-1, -1)
        self.viewport().update()

    def show_rows(
        self, headings: Sequence[TableCell], rows: Sequence[Sequence[TableCell]], entries: Sequence[Any] = ()
    ) -> None:
        """Show these rows. ``entries``: what each row stands for, if rows can be selected."""
        if (headings, rows, entries) == (self._headings, self._rows, self.entries):
            return
        chosen = self.entry
        with QSignalBlocker(self):
            self._headings, self._rows, self.entries = headings, rows, entries
            self.setRowCount(len(rows))
            self.setColumnCount(len(headings))
            if self._stretched is not None:
                self.horizontalHeader().setSectionResizeMode(self._stretched, QHeaderView.ResizeMode.Stretch)
            self._fill()
        self.select(chosen)
        if self.entry != chosen:
            self.selected.emit(self.entry)
        self.updateGeometry()  # without columns, the headings have no height

    def row_height(self) -> int:
        return self.fontMetrics().height() + 8

    def sizeHint(self) -> QSize:
        return QSize(400, table_height(self, 5))

    def minimumSizeHint(self) -> QSize:
        scrolls = self.horizontalHeader().length() > self.width()
        scroll = self.horizontalScrollBar().sizeHint().height() if scrolls else 0
        return QSize(200, table_height(self, min(3, max(1, self.rowCount()))) + scroll)

    def showEvent(self, event: QShowEvent) -> None:
        super().showEvent(event)
        self._fit()  # by now it has the window's font

    def resizeEvent(self, event: QResizeEvent) -> None:
        super().resizeEvent(event)
        self.updateGeometry()  # the scroll bar may have appeared or disappeared

    def _fill(self) -> None:
        for column, heading in enumerate(self._headings):
            if (item := self.horizontalHeaderItem(column)) is None:
                self.setHorizontalHeaderItem(column, item := QTableWidgetItem())
            heading.fill(item)
        for row, cells in enumerate(self._rows):
            for column, cell in enumerate(cells):
                if (item := self.item(row, column)) is None:
                    self.setItem(row, column, item := QTableWidgetItem())
                cell.fill(item)

    def _recolour(self) -> None:
        with QSignalBlocker(self):
            self._fill()

    def _fit(self) -> None:
        """Use the current text size."""
        self.ensurePolished()
        self.verticalHeader().setDefaultSectionSize(self.row_height())
        self.updateGeometry()


MOST_LETTERS = 44
"""Maximum width of a column in characters; the tooltip shows the whole text."""
LEAST_LETTERS = 40
"""Minimum width of a table in characters."""


class FullTable(RowTable):
    """Table as wide as its columns, with a minimum and a maximum number of visible rows."""

    def __init__(self, name: str, accessible: str, lines: tuple[int, int]) -> None:
        self._least, self._most = lines
        super().__init__(name, accessible, elide=Qt.TextElideMode.ElideMiddle)

    def row_height(self) -> int:
        return self.fontMetrics().height() + 12

    def sizeHint(self) -> QSize:
        return QSize(self._whole_width(), self._height(min(self._most, max(self._least, self.rowCount()))))

    def minimumSizeHint(self) -> QSize:
        return QSize(LEAST_LETTERS * self.fontMetrics().averageCharWidth(), self._height(self._least))

    def resizeEvent(self, event: QResizeEvent) -> None:
        super().resizeEvent(event)
        self.horizontalHeader().setStretchLastSection(self._whole_width() <= self.viewport().width())

    def _fit(self) -> None:
        super()._fit()
        self.horizontalHeader().setMaximumSectionSize(MOST_LETTERS * self.fontMetrics().averageCharWidth())

    def _whole_width(self) -> int:
        head, most = self.horizontalHeader(), MOST_LETTERS * self.fontMetrics().averageCharWidth()
        widths = (max(self.sizeHintForColumn(n) + 1, head.sectionSizeHint(n)) for n in range(self.columnCount()))
        return sum(min(most, width) for width in widths)

    def _height(self, lines: int) -> int:
        scroll = self.horizontalScrollBar().sizeHint().height() if self._whole_width() > self.width() else 0
        return table_height(self, lines) + scroll


class WrappingHeader(QHeaderView):
    """Horizontal header that breaks each heading at the position that makes its two lines shortest."""

    def __init__(self, table: QTableView) -> None:
        super().__init__(Qt.Orientation.Horizontal, table)
        self.setSectionsClickable(True)

    def sectionSizeFromContents(self, section: int) -> QSize:
        size, letters = super().sectionSizeFromContents(section), self.fontMetrics()
        words = str(self.model().headerData(section, self.orientation()) or "").split(" ")
        whole = letters.horizontalAdvance(" ".join(words))
        lines = [[" ".join(words[:place]), " ".join(words[place:])] for place in range(1, len(words))]
        two = min((max(map(letters.horizontalAdvance, each)) for each in lines), default=whole)
        return QSize(size.width() - whole + two + 1, size.height() + letters.lineSpacing() * bool(lines))

    def initStyleOptionForIndex(self, option: QStyleOptionHeader, section: int) -> None:
        super().initStyleOptionForIndex(option, section)
        option.textAlignment |= Qt.TextFlag.TextWordWrap
