"""Tables of a sweep: its runs by their best validation loss, and the spread over the seeds."""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

from PySide6.QtCore import QSignalBlocker, QSize, Qt, Signal
from PySide6.QtGui import QBrush
from PySide6.QtWidgets import QHeaderView, QTableWidget, QTableWidgetItem

from gptstudio.fields import FieldView
from gptstudio.gui.appearance import follow
from gptstudio.gui.theme import colour
from gptstudio.gui.translation import duration, tr
from gptstudio.gui.widgets.parts import named, plain
from gptstudio.gui.widgets.quiet_table import quieten
from gptstudio.history.sweep_results import Group, MemberResult, SweepResults
from gptstudio.i18n import message
from gptstudio.training.sweep_spec import shown_value

LEFT = Qt.AlignmentFlag.AlignLeft | Qt.AlignmentFlag.AlignVCenter
RIGHT = Qt.AlignmentFlag.AlignRight | Qt.AlignmentFlag.AlignVCenter
STATES = {
    "pending": (message("Waiting"), "muted", message("Is trained when its turn comes.")),
    "started": (message("Started"), "amber", message("Continues exactly where it was when its turn comes.")),
    "live": (message("Live"), "good", message("Training is in progress.")),
    "finished": (message("Finished"), "text", message("All steps are completed.")),
    "failed": (message("Failed"), "bad", message("Ended with an error.")),
    "skipped": (message("Skipped"), "muted",
                message("Was left out of the queue in an earlier version. Retry failed takes it in again.")),
}
"""Name, colour and explanation of each state of a run."""


class Cell(NamedTuple):
    """Text of a cell, on which side it stands, its tip, and a role of the theme."""

    text: str
    side: Qt.AlignmentFlag = RIGHT
    tip: str = ""
    role: str = "text"


class SweepTable(QTableWidget):
    """A table that is filled anew whenever there are other values; the same line stays selected."""

    selected = Signal(str)
    """Emitted with the id of the line that the user has selected."""

    def __init__(self, name: str, accessible: str, selects: bool = True) -> None:
        super().__init__()
        named(self, name, accessible)
        quieten(self, selects=selects)
        self._ids: list[str] = []
        self._shown: tuple[Sequence[str], Sequence[Sequence[Cell]]] = ((), ())
        self.horizontalHeader().setSectionResizeMode(QHeaderView.ResizeMode.ResizeToContents)
        self.itemSelectionChanged.connect(lambda: self.selected.emit(self.current()))
        follow(self, self._fit)
        self._fit()

    def current(self) -> str:
        """Return the id of the selected line; empty if none is."""
        rows = {index.row() for index in self.selectedIndexes()}
        return self._ids[min(rows)] if rows and min(rows) < len(self._ids) else ""

    def select(self, name: str) -> None:
        """Select the line of an id."""
        if name in self._ids:
            self.selectRow(self._ids.index(name))

    def fill(self, headings: Sequence[str], ids: Sequence[str], rows: Sequence[Sequence[Cell]]) -> None:
        if (headings, rows) == self._shown and list(ids) == self._ids:
            return
        chosen = self.current()
        with QSignalBlocker(self):
            self._shown, self._ids = (headings, rows), list(ids)
            self.clear()
            self.setRowCount(len(rows))
            self.setColumnCount(len(headings))
            for column, heading in enumerate(headings):
                head = QTableWidgetItem(heading)
                head.setTextAlignment(rows[0][column].side if rows else LEFT)
                self.setHorizontalHeaderItem(column, head)
            for row, cells in enumerate(rows):
                for column, cell in enumerate(cells):
                    self.setItem(row, column, _item(cell))
            self.select(chosen)
        if self.current() != chosen:
            self.selected.emit(self.current())

    def sizeHint(self) -> QSize:
        return QSize(400, self.horizontalHeader().sizeHint().height() + 5 * self.verticalHeader().defaultSectionSize())

    def _fit(self) -> None:
        self.ensurePolished()
        self.verticalHeader().setDefaultSectionSize(self.fontMetrics().height() + 8)
        for row, cells in enumerate(self._shown[1]):
            for column, cell in enumerate(cells):
                if item := self.item(row, column):
                    item.setForeground(QBrush(colour(cell.role)))


def _item(cell: Cell) -> QTableWidgetItem:
    item = QTableWidgetItem(cell.text)
    item.setTextAlignment(cell.side)
    item.setToolTip(plain(cell.tip))
    item.setForeground(QBrush(colour(cell.role)))
    return item


def fill_results(table: SweepTable, results: SweepResults, live: str) -> None:
    """Show the runs by their best validation loss, the lowest first."""
    headings = [
        tr("No."), *_setting_names(results), tr("Seed"), tr("Best validation loss"), tr("At step"),
        tr("Training loss"), tr("Validation loss"), tr("Steps"), tr("Time"), tr("State")]
    rows = [[
        Cell(str(each.member.number)), *_values(each), Cell(str(each.member.seed)), _loss(each.best_val_loss),
        Cell(f"{each.best.step + 1:,}" if each.best else ""), _loss(each.train_loss), _loss(each.val_loss),
        Cell(f"{each.steps:,} / {each.total_steps:,}" if each.steps else ""),
        Cell(duration(each.elapsed_s) if each.steps else ""), _state(each, live),
    ] for each in results.table]
    table.fill(headings, [each.member.id for each in results.table], rows)


def fill_groups(table: SweepTable, results: SweepResults) -> None:
    """Show mean and spread of the finished runs with the same values, the lowest mean first."""
    headings = [*_setting_names(results), tr("Number of runs"), tr("Mean"), tr("Standard deviation"), tr("Lowest")]
    rows = [[*_group_values(results, each), Cell(str(each.count)), _loss(each.mean), _loss(each.spread),
             _loss(each.lowest)] for each in results.groups]
    table.fill(headings, [str(place) for place in range(len(rows))], rows)


def setting_name(view: FieldView) -> str:
    return tr(view.label)


def _setting_names(results: SweepResults) -> list[str]:
    return [setting_name(each.view) for each in results.spec.vary]


def _values(each: MemberResult) -> list[Cell]:
    return [Cell(shown_value(value)) for value in each.member.values.values()]


def _group_values(results: SweepResults, group: Group) -> list[Cell]:
    return [Cell(shown_value(group.values[each.field])) for each in results.spec.vary]


def _state(each: MemberResult, live: str) -> Cell:
    words, role, tip = STATES["live" if each.member.id == live else each.status]
    return Cell(tr(words), LEFT, tr(each.message) if each.message else tr(tip), role)


def _loss(loss: float | None) -> Cell:
    return Cell("–" if loss is None else f"{loss:.4f}", role="muted" if loss is None else "text")
