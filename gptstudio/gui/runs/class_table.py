"""Table of the runs of a class: sorted by any column, copied as text."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

from PySide6.QtCore import QItemSelectionModel, QSignalBlocker, QSize, QSortFilterProxyModel, Qt, Signal
from PySide6.QtGui import QStandardItem, QStandardItemModel
from PySide6.QtWidgets import QHeaderView, QTableView

from gptstudio.gui.appearance import follow
from gptstudio.gui.charts.style import overlay
from gptstudio.gui.runs.run_list_model import stroke
from gptstudio.gui.theme import theme
from gptstudio.gui.translation import tr
from gptstudio.gui.widgets.fixed_column import FixedColumn
from gptstudio.gui.widgets.parts import named, plain
from gptstudio.gui.widgets.quiet_table import quieten
from gptstudio.gui.widgets.wrapping_header import WrappingHeader
from gptstudio.history.class_runs import ClassRun, Column
from gptstudio.history.class_runs import columns as columns_of
from gptstudio.i18n import Message

ORDER = Qt.ItemDataRole.UserRole
LAST = "\uffff"
WIDEST, WIDEST_NAME = 60, 32
"""Characters of a column, and of that of the names; longer texts are elided, and stand in the tip."""


class ClassTable(QTableView):
    """Shows runs, those with curves with the colour of these."""

    chosen = Signal()
    """Emitted when other rows are selected."""

    def __init__(self) -> None:
        super().__init__()
        named(self, "class_table", tr("Runs of the class"))
        self._runs: list[ClassRun] = []
        self._items = QStandardItemModel(0, 1, self)
        self._sorted = QSortFilterProxyModel(self)
        self._sorted.setSourceModel(self._items)
        self._sorted.setSortRole(ORDER)
        self.setModel(self._sorted)
        self.setHorizontalHeader(WrappingHeader(self))
        quieten(self)
        self.setSelectionMode(QTableView.SelectionMode.ExtendedSelection)
        self.setSortingEnabled(True)
        self.sortByColumn(0, Qt.SortOrder.AscendingOrder)
        self.selectionModel().selectionChanged.connect(lambda *_: self.chosen.emit())
        self._fixed = FixedColumn(self)
        follow(self, self._show)

    def show_runs(self, runs: Sequence[ClassRun]) -> None:
        """Show these runs; rows that are selected stay so."""
        kept = {run.path for run in self.selected()}
        self._runs = list(runs)
        with QSignalBlocker(self):
            self._fill()
            model, flags = self.selectionModel(), QItemSelectionModel.SelectionFlag
            for row, run in enumerate(self._runs):
                if run.path in kept:
                    model.select(self._sorted.mapFromSource(self._items.index(row, 0)), flags.Select | flags.Rows)

    def selected(self) -> list[ClassRun]:
        """Return the runs of the selected rows, in the order in which they were read."""
        rows = {self._sorted.mapToSource(index).row() for index in self.selectionModel().selectedRows()}
        return [run for row, run in enumerate(self._runs) if row in rows]

    def step(self, way: int) -> None:
        """Select the next row below (1) or above (-1) whose file could be read, in the order of the table."""
        rows = self._readable()
        here = self._place_in(rows)
        if rows:
            self.selectRow(rows[max(0, min(len(rows) - 1, here + way))])

    def choose(self, path: Path) -> None:
        """Select the row of a file alone."""
        for row, run in enumerate(self._runs):
            if run.path == path:
                self.selectRow(self._sorted.mapFromSource(self._items.index(row, 0)).row())

    def place(self) -> tuple[int, int]:
        """Return the place of the first selected row among those whose files could be read, -1 if none is selected, and
        the number of these."""
        rows = self._readable()
        return self._place_in(rows), len(rows)

    def _readable(self) -> list[int]:
        """Return the rows whose files could be read."""
        return [row for row in range(self._sorted.rowCount())
                if self._runs[self._sorted.mapToSource(self._sorted.index(row, 0)).row()].data]

    def _place_in(self, rows: Sequence[int]) -> int:
        selected = {index.row() for index in self.selectionModel().selectedRows()}
        return next((place for place, row in enumerate(rows) if row in selected), -1)

    def sizeHint(self) -> QSize:
        return QSize(600, self.horizontalHeader().sizeHint().height() + 8 * self.verticalHeader().defaultSectionSize())

    def minimumSizeHint(self) -> QSize:
        return QSize(200, self.horizontalHeader().sizeHint().height() + 3 * self.verticalHeader().defaultSectionSize())

    def _show(self) -> None:
        """Show the same runs in the present colours and text size."""
        self.show_runs(self._runs)

    def _fill(self) -> None:
        self.ensurePolished()
        columns = columns_of(self._runs)
        self._items.setRowCount(0)
        self._items.setColumnCount(len(columns))
        for place, column in enumerate(columns):
            head = QStandardItem(tr(column.heading))
            head.setToolTip(tr(column.help) if column.help else "")
            self._items.setHorizontalHeaderItem(place, head)
            items = _items(column)
            for row, item in enumerate(items):
                self._items.setItem(row, place, item)
            if items:
                head.setTextAlignment(items[0].textAlignment())
        places = iter(range(len(self._runs)))
        for row, run in enumerate(self._runs):
            if run.data:
                self._items.item(row, 0).setIcon(stroke(overlay(next(places))))
        self._fit()

    def _fit(self) -> None:
        self.verticalHeader().setDefaultSectionSize(self.fontMetrics().height() + 8)
        self.setIconSize(QSize(round(22 * theme.zoom), self.fontMetrics().height()))
        head, letter = self.horizontalHeader(), self.fontMetrics().averageCharWidth()
        head.setSectionResizeMode(QHeaderView.ResizeMode.Interactive)
        head.setStretchLastSection(True)
        self.resizeColumnsToContents()
        for place in range(self._items.columnCount()):
            self.setColumnWidth(place, min(self.columnWidth(place), letter * (WIDEST if place else WIDEST_NAME)))
        self._fixed.fit()


def _items(column: Column) -> list[QStandardItem]:
    """Return the items of a column, which all sort as numbers or all as texts."""
    made, as_texts = [], any(isinstance(cell.order, str) for cell in column.cells)
    for cell in column.cells:
        item = QStandardItem(_words(cell.text))
        item.setToolTip(plain(_words(cell.tip)))
        order = cell.order if isinstance(cell.order, str) or not as_texts else cell.text or LAST
        item.setData(order, ORDER)
        item.setTextAlignment((Qt.AlignmentFlag.AlignLeft if as_texts else Qt.AlignmentFlag.AlignRight)
                              | Qt.AlignmentFlag.AlignVCenter)
        made.append(item)
    return made


def _words(text: str) -> str:
    return tr(text) if isinstance(text, Message) else text
