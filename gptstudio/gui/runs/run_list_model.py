"""Model of the list of runs: one row for each, with check marks and the colours of the checked ones."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import count
from pathlib import Path
from typing import Any

from PySide6.QtCore import QAbstractTableModel, QModelIndex, QPersistentModelIndex, Qt, Signal
from PySide6.QtGui import QIcon, QPainter, QPen, QPixmap

from gptstudio.app.state import RunEntry
from gptstudio.gui.branch_words import branch_words
from gptstudio.gui.charts.style import COLOURS, DASHES, CurveStyle, overlay
from gptstudio.gui.runs.families import DEEPEST, Families
from gptstudio.gui.runs.run_columns import COLUMNS, CREATED, NAME, STATE, STATES, ListColumn, title_of
from gptstudio.gui.theme import colour, theme
from gptstudio.gui.translation import joined, tr
from gptstudio.gui.widgets.parts import plain

Index = QModelIndex | QPersistentModelIndex
ROLE = Qt.ItemDataRole
INDENT = "    "
MOST_NUMBERS = 500
"""Number of runs that keep their colours; beyond it, runs that are not listed lose theirs, the oldest first."""


class RunListModel(QAbstractTableModel):
    """The runs as a table. Ticks belong to a run's folder and outlive a new listing."""

    ticked = Signal()
    renamed = Signal(object, str)  # Listed, the new title

    def __init__(self) -> None:
        super().__init__()
        self.runs: list[RunEntry] = []
        self._by_path: dict[Path, RunEntry] = {}
        self._rows: dict[Path, int] = {}
        self._orders: dict[tuple[int, bool], list[Any]] = {}  # by column, and whether descending
        self.families = Families()
        self.ticks: dict[Path, int] = {}
        """The number of its colour, for each ticked run, in the order in which they were ticked."""
        self.numbers: dict[Path, int] = {}
        """The number of its colour, for each run that was ever ticked, also of those that are in the trash."""

    def set_runs(self, runs: Sequence[RunEntry]) -> None:
        """Show these: take away what is gone, and add what is new, so that selection and sorting stay."""
        there = {run.path: run for run in runs}
        self.families = Families(runs)
        for row in reversed(range(len(self.runs))):
            if self.runs[row].path not in there:
                self.beginRemoveRows(QModelIndex(), row, row)
                self._forget(self.runs.pop(row).path)
                self.endRemoveRows()
        self._index()
        for run in list(self.runs):
            self.change(there.pop(run.path))
        if there:
            self.beginInsertRows(QModelIndex(), len(self.runs), len(self.runs) + len(there) - 1)
            self.runs += there.values()
            self._index()
            self.endInsertRows()
        self.ticked.emit()

    def change(self, run: RunEntry) -> None:
        """Show a run as it is now; one that is not in the list is left out."""
        row = self._rows.get(run.path)
        if row is not None and self.runs[row] != run:
            self.runs[row] = self._by_path[run.path] = run
            for (column, descending), order in self._orders.items():
                order[row] = self._order(run, column, descending)
            self._repaint_rows(row, row)

    def by_path(self) -> dict[Path, RunEntry]:
        return self._by_path

    def find(self, path: Path) -> RunEntry | None:
        return self._by_path.get(path)

    def order(self, column: int, descending: bool) -> list[Any]:
        """Return what each row is sorted by. Computed once, since sorting asks for it at each comparison."""
        if (column, descending) not in self._orders:
            self._orders[column, descending] = [self._order(run, column, descending) for run in self.runs]
        return self._orders[column, descending]

    def ticked_runs(self) -> list[RunEntry]:
        """In the order in which they were ticked."""
        return [run for path in self.ticks if (run := self.find(path))]

    def tick(self, path: Path, on: bool) -> None:
        """Lay a run over the others, in a colour that it keeps; or take it away."""
        if on == (path in self.ticks):
            return
        if on:
            self._colour(path)
        else:
            del self.ticks[path]
        self._repaint_row(path)
        self.ticked.emit()

    def tick_all(self, paths: Sequence[Path]) -> None:
        """Lay these runs over the others, at once."""
        for path in paths:
            if path not in self.ticks:
                self._colour(path)
                self._repaint_row(path)
        self.ticked.emit()

    def repaint(self) -> None:
        if self.runs:
            self._repaint_rows(0, len(self.runs) - 1)

    def _colour(self, path: Path) -> None:
        """Give a run the colour that it had before; else one that no run had, or that fewest of those shown have. Of
        runs of one colour that are shown together, the later ones have other dashes."""
        if path not in self.numbers:
            had, shown = set(self.numbers.values()), [number % COLOURS for number in self.ticks.values()]
            fresh = (number for number in range(COLOURS) if number not in had)
            self.numbers[path] = next(fresh, min(range(COLOURS), key=shown.count))
            gone = [each for each in self.numbers if each not in self._rows]
            for each in gone[:max(0, len(self.numbers) - MOST_NUMBERS)]:
                del self.numbers[each]
        taken, number = set(self.ticks.values()), self.numbers[path]
        self.ticks[path] = next(each for each in count(number, COLOURS) if each not in taken)

    def _repaint_row(self, path: Path) -> None:
        if path in self._rows:
            self._repaint_rows(self._rows[path], self._rows[path])

    def _repaint_rows(self, first: int, last: int) -> None:
        self.dataChanged.emit(self.index(first, 0), self.index(last, len(COLUMNS) - 1))

    def _index(self) -> None:
        self._by_path = {run.path: run for run in self.runs}
        self._rows = {run.path: row for row, run in enumerate(self.runs)}
        self._orders.clear()

    def _forget(self, path: Path) -> None:
        self.ticks.pop(path, None)
        self._by_path.pop(path)
        self._orders.clear()

    def _order(self, run: RunEntry, column: int, descending: bool) -> Any:
        return self.families.order(run, descending) if column == CREATED else COLUMNS[column].order(run)

    # Interface of Qt.

    def rowCount(self, parent: Index | None = None) -> int:
        return 0 if parent and parent.isValid() else len(self.runs)

    def columnCount(self, parent: Index | None = None) -> int:
        return 0 if parent and parent.isValid() else len(COLUMNS)

    def flags(self, index: Index) -> Qt.ItemFlag:
        flags = super().flags(index)
        if index.column() == NAME:
            flags |= Qt.ItemFlag.ItemIsEditable | Qt.ItemFlag.ItemIsUserCheckable
        return flags

    def headerData(self, section: int, orientation: Qt.Orientation, role: int = ROLE.DisplayRole) -> Any:
        if orientation != Qt.Orientation.Horizontal:
            return None
        if role == ROLE.TextAlignmentRole:
            return _side(COLUMNS[section])
        if role == ROLE.ToolTipRole:
            return tr(COLUMNS[section].help)
        return tr(COLUMNS[section].heading) if role == ROLE.DisplayRole else None

    def data(self, index: Index, role: int = ROLE.DisplayRole) -> Any:
        run, column = self.runs[index.row()], COLUMNS[index.column()]
        match role:
            case ROLE.DisplayRole if index.column() == NAME:
                return self._indented(run)
            case ROLE.DisplayRole | ROLE.EditRole:
                return column.words(run)
            case ROLE.AccessibleDescriptionRole | ROLE.ToolTipRole if index.column() == NAME:
                return plain(joined("\n", *filter(None, (self._origin(run), column.tip(run)))))
            case ROLE.ToolTipRole:
                return plain(column.tip(run))
            case ROLE.TextAlignmentRole:
                return _side(column)
            case ROLE.ForegroundRole if column.heading == STATE:
                return colour(STATES[run.state][1])
            case ROLE.CheckStateRole if index.column() == NAME:
                return Qt.CheckState.Checked if run.path in self.ticks else Qt.CheckState.Unchecked
            case ROLE.DecorationRole if index.column() == NAME:
                return stroke(overlay(self.ticks[run.path]) if run.path in self.ticks else None)
        return None

    def _indented(self, run: RunEntry) -> str:
        """Return the name of a run, below the one that it is a branch of."""
        depth = min(self.families.depth.get(run.path, 0), DEEPEST)
        return f"{INDENT * (depth - 1)}↳ {title_of(run)}" if depth else title_of(run)

    def _origin(self, run: RunEntry) -> str:
        """Return from which run, by its present name, and which step a branch continues; empty if it is none."""
        origin, parent = run.summary.record.parent, self.families.parents.get(run.path)
        if not origin:
            return ""
        return branch_words(origin.model_copy(update={"title": title_of(parent)}) if parent else origin)

    def setData(self, index: Index, value: Any, role: int = ROLE.EditRole) -> bool:
        run = self.runs[index.row()]
        if role == ROLE.CheckStateRole:
            self.tick(run.path, Qt.CheckState(value) == Qt.CheckState.Checked)
            return True
        title = " ".join(value.split())
        if role == ROLE.EditRole and title and title != title_of(run):
            self.renamed.emit(run, title)
        return False  # the disk decides, and the next listing tells


def stroke(look: CurveStyle | None) -> QIcon:
    """A short piece of a curve, to say whose it is; nothing where there is no curve."""
    width, height = round(22 * theme.zoom), round(14 * theme.zoom)
    drawn = QPixmap(width, height)
    drawn.fill(Qt.GlobalColor.transparent)
    if look:
        painter = QPainter(drawn)
        painter.setPen(QPen(look.paint(), 2.5 * theme.zoom, DASHES[look.dash]))
        painter.drawLine(0, height // 2, width, height // 2)
        painter.end()
    made = QIcon(drawn)
    made.addPixmap(drawn, QIcon.Mode.Selected)  # or the selected run would have another colour than its curve
    return made


def _side(column: ListColumn) -> Qt.AlignmentFlag:
    side = Qt.AlignmentFlag.AlignRight if column.right else Qt.AlignmentFlag.AlignLeft
    return side | Qt.AlignmentFlag.AlignVCenter
