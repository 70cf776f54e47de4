"""The list of runs: sorted by any column, ticked to be laid over each other, named in place."""

from __future__ import annotations

from pathlib import Path

from PySide6.QtCore import QModelIndex, QObject, QPersistentModelIndex, QSize, QSortFilterProxyModel, Qt, Signal
from PySide6.QtGui import QKeyEvent, QResizeEvent
from PySide6.QtWidgets import QHeaderView, QTableView

from gptstudio.app.state import RunEntry
from gptstudio.gui.appearance import follow
from gptstudio.gui.runs.run_columns import COLUMNS, CREATED, NAME, TEXT
from gptstudio.gui.runs.run_list_model import RunListModel
from gptstudio.gui.theme import theme
from gptstudio.gui.translation import tr
from gptstudio.gui.widgets.parts import named
from gptstudio.gui.widgets.quiet_table import quieten

NAME_LETTERS = 32
"""So much of a name, with its tick, can be read at any text size; the other columns scroll."""


class FamilySort(QSortFilterProxyModel):
    """Sorts by any column; by the time of creation, branches stand below the run that they continue from."""

    def __init__(self, model: RunListModel, parent: QObject) -> None:
        super().__init__(parent)
        self._runs = model
        self.setSourceModel(model)

    def lessThan(self, left: QModelIndex | QPersistentModelIndex, right: QModelIndex | QPersistentModelIndex) -> bool:
        order = self._runs.order(left.column(), self.sortOrder() == Qt.SortOrder.DescendingOrder)
        return bool(order[left.row()] < order[right.row()])


class RunList(QTableView):
    """Shows the model, the newest run first. Space ticks the run that the keyboard is at."""

    chosen = Signal()

    def __init__(self, model: RunListModel):
        super().__init__()
        self.runs = model
        self._widths = [0] * len(COLUMNS)  # that they need at least
        self._sorted = FamilySort(model, self)
        self.setModel(self._sorted)
        named(self, "run_list", tr("Runs"))
        quieten(self)
        self.setContextMenuPolicy(Qt.ContextMenuPolicy.CustomContextMenu)
        self.setSortingEnabled(True)
        self.sortByColumn(CREATED, Qt.SortOrder.DescendingOrder)
        self.horizontalHeader().setSectionResizeMode(QHeaderView.ResizeMode.Fixed)
        self.selectionModel().currentRowChanged.connect(self.chosen)
        follow(self, model.repaint, self._fit)
        self._fit()

    def current(self) -> RunEntry | None:
        """The run that is selected."""
        index = self._sorted.mapToSource(self.currentIndex())
        return self.runs.runs[index.row()] if index.isValid() else None

    def select(self, path: Path) -> None:
        """Selects a run, if it is in the list."""
        for row, run in enumerate(self.runs.runs):
            if run.path == path:
                self.setCurrentIndex(self._sorted.mapFromSource(self.runs.index(row, NAME)))

    def rename(self) -> None:
        """Open the name of the selected run for writing, in its place."""
        self.edit(self.currentIndex().siblingAtColumn(NAME))

    def keyPressEvent(self, event: QKeyEvent) -> None:
        run = self.current()
        if event.key() == Qt.Key.Key_Space and run:
            self.runs.tick(run.path, run.path not in self.runs.ticks)
        else:
            super().keyPressEvent(event)

    def sizeHint(self) -> QSize:
        return QSize(600, self.horizontalHeader().sizeHint().height() + 5 * self.verticalHeader().defaultSectionSize())

    def minimumSizeHint(self) -> QSize:
        return QSize(200, 4 * self.verticalHeader().defaultSectionSize())

    def resizeEvent(self, event: QResizeEvent) -> None:
        super().resizeEvent(event)
        self._fit_columns()

    def _fit(self) -> None:
        """Rows and columns as wide as the letters now are."""
        self.ensurePolished()
        letters = self.fontMetrics()
        self.verticalHeader().setDefaultSectionSize(letters.height() + 12)
        for number, column in enumerate(COLUMNS[1:], start=1):
            heading = f"{tr(column.heading)} ▾ "
            widest = max(letters.horizontalAdvance(text) for text in (tr(column.widest), heading))
            self._widths[number] = widest + 22
        self.setIconSize(QSize(round(22 * theme.zoom), letters.height()))
        self._widths[NAME] = letters.averageCharWidth() * NAME_LETTERS
        self._fit_columns()
        self.updateGeometry()

    def _fit_columns(self) -> None:
        """The names, of the run and of its text, share what the others leave."""
        room = self.viewport().width() - sum(self._widths) + self._widths[NAME] + self._widths[TEXT]
        text = max(self._widths[TEXT], room // 4)
        shared = {TEXT: text, NAME: max(self._widths[NAME], room - text)}
        for column, width in enumerate(self._widths):
            self.setColumnWidth(column, shared.get(column, width))
