"""List of runs, which can be sorted by any column, checked for comparison, and renamed in place.

A branch is below the run that it continues, indented by its depth.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence
from datetime import datetime
from itertools import count
from pathlib import Path
from typing import Any, NamedTuple

from PySide6.QtCore import (
    QAbstractTableModel,
    QModelIndex,
    QObject,
    QPersistentModelIndex,
    QSize,
    QSortFilterProxyModel,
    Qt,
    Signal,
)
from PySide6.QtGui import QIcon, QKeyEvent, QPainter, QPen, QPixmap, QResizeEvent
from PySide6.QtWidgets import QHeaderView, QTableView

from gptstudio.data.texts import name_in_words
from gptstudio.gui.appearance import on_restyle
from gptstudio.gui.charts.style import COLOURS, DASHES, CurveStyle, overlay
from gptstudio.gui.model_names import branch_words
from gptstudio.gui.theme import colour, theme
from gptstudio.gui.translation import joined, millions, size, tr
from gptstudio.gui.widgets.parts import named, plain
from gptstudio.gui.widgets.tables import LEFT, RIGHT, style_table, table_height
from gptstudio.history.summary import RunSummary
from gptstudio.i18n import Message, message

NAME, CREATED, TEXT = 0, 1, 3
STATE = message("State")

STATES = {
    "live": (message("Live"), "good", message("Training is in progress.")),
    "finished": (message("Finished"), "text", message("All steps are completed.")),
    "stopped": (message("Stopped"), "text", message("Stopped before the last step. You can continue from there.")),
    "failed": (message("Failed"), "bad", message("Ended with an error. You can continue from the last checkpoint.")),
    "interrupted": (message("Interrupted"), "amber",
                    message("Interrupted without a proper end. You can continue from the last checkpoint.")),
}
"""Name, colour and explanation of each state."""


class ListColumn(NamedTuple):
    """Column of the list: its heading and meaning, text, sort key and tooltip of a cell, widest text, and alignment.

    A sort key is a string or a float: Qt would truncate integers to 32 bits.
    """

    heading: str
    help: str
    words: Callable[[RunSummary], str]
    order: Callable[[RunSummary], str | float]
    tip: Callable[[RunSummary], str]
    widest: str
    right: bool = False


def _state_tip(run: RunSummary) -> str:
    """Return the explanation of the state of a run, without the offer to continue a run that cannot."""
    name, _, explanation = STATES[run.state]
    return tr(explanation if run.resumable or run.state in ("live", "finished") else name)


def title_of(run: RunSummary) -> str:
    """Return the title of a run: the user's, or one made of its settings, in the user's language."""
    title = run.title
    return tr(title) if isinstance(title, Message) else title


def _text(run: RunSummary) -> str:
    return tr(name_in_words(run.record.text_name))


def _best(run: RunSummary) -> str:
    best = run.figures.best
    return f"{best.val_loss:.3f}" if best else "–"


def _best_tip(run: RunSummary) -> str:
    best = run.figures.best
    if not best:
        return tr("Not evaluated yet.")
    words = tr("Lowest validation loss, in nats per token, at step {n}", n=f"{best.step + 1:,}")
    bits = run.figures.best_bits_per_byte
    return words if bits is None else joined("\n", words, tr("{bits} bits per byte of the text", bits=f"{bits:.3f}"))


def _when(run: RunSummary) -> str:
    """Return month, day and time of a run's creation; in earlier years, the date."""
    created = run.record.created.astimezone()
    return f"{created:%m-%d %H:%M}" if created.year == datetime.now().year else f"{created:%Y-%m-%d}"


COLUMNS = (
    ListColumn(
        message("Run"), message("The name; F2 changes it. The check box draws the curves of the run below."),
        lambda run: title_of(run), lambda run: title_of(run).lower(),
        lambda run: f"{title_of(run)}\n{run.path}", "",
    ),
    ListColumn(
        message("Created"), message("Month, day and time at which training began"),
        lambda run: _when(run), lambda run: run.record.created.timestamp(),
        lambda run: f"{run.record.created.astimezone():%Y-%m-%d %H:%M:%S}", "11-20 23:59",
    ),
    ListColumn(
        message("Preset"), message("The preset that the model has the size of; “own” if it is none of them"),
        lambda run: tr(run.preset), lambda run: run.preset, lambda _: "", "gpt2-medium",
    ),
    ListColumn(
        message("Text"), message("The text on which the model was trained"),
        lambda run: _text(run), lambda run: _text(run).lower(), lambda run: _text(run), "The Verdict",
    ),
    ListColumn(
        message("Parameters"), message("Number of weights and biases of the model"),
        lambda run: millions(run.parameters), lambda run: float(run.parameters),
        lambda run: f"{run.parameters:,}", "1,637.8 M", right=True,
    ),
    ListColumn(
        message("Best val."), message("Lowest validation loss of all evaluations, in nats per token; lower is better"),
        _best, lambda run: run.figures.best.val_loss if run.figures.best else math.inf,
        _best_tip, "10.825", right=True,
    ),
    ListColumn(
        STATE, message("In progress, finished, stopped, failed or interrupted"),
        lambda run: tr(STATES[run.state][0]), lambda run: run.state, _state_tip,
        message("Interrupted"),
    ),
    ListColumn(
        message("Size"), message("All files of the run on disk"),
        lambda run: size(run.size_bytes), lambda run: float(run.size_bytes), lambda _: "",
        "999.9 MB", right=True,
    ),
)


DEEPEST = 6
"""Maximum number of indented levels; deeper branches have the same indentation."""


class Families:
    """Runs with their branches, also if a folder was renamed.

    Attributes:
        depth: number of ancestors of each run; at least 1 for a branch, even if its parent is not in the list.
    """

    def __init__(self, runs: Sequence[RunSummary] = ()) -> None:
        oldest_first = sorted(runs, key=_created)
        by_time = {_created(run): run for run in oldest_first}
        self.parents: dict[Path, RunSummary] = {}
        self.depth: dict[Path, int] = {}
        roots: dict[Path, Path] = {}
        children: dict[Path, list[Path]] = {}
        for run in oldest_first:  # a parent is older, so it comes first, and no run is its own ancestor
            origin = run.record.parent
            began = origin.created.timestamp() if origin else None
            parent = by_time.get(began) if began is not None and began < _created(run) else None
            if parent:
                self.parents[run.path] = parent
                children.setdefault(parent.path, []).append(run.path)
            self.depth[run.path] = self.depth[parent.path] + 1 if parent else int(origin is not None)
            roots[run.path] = roots[parent.path] if parent else run.path
        newest = {roots[run.path]: _created(run) for run in oldest_first}  # the last value is kept
        self._order: dict[Path, tuple[float, str, int]] = {}
        waiting, place = [*dict.fromkeys(roots.values())][::-1], 0
        while waiting:  # each run, then its branches
            path, place = waiting.pop(), place + 1
            root = roots[path]
            self._order[path] = newest[root], str(root), place
            waiting += children.get(path, [])[::-1]

    def order(self, run: RunSummary, descending: bool) -> tuple[float, str, int]:
        """Return the sort key for a list with the newest families first or last, and parents above their branches."""
        newest, root, place = self._order.get(run.path, (_created(run), str(run.path), 0))
        return newest, root, -place if descending else place


def _created(run: RunSummary) -> float:
    """Return the creation time of a run, in seconds since the epoch: a file from elsewhere may lack the time zone."""
    return run.record.created.timestamp()


Index = QModelIndex | QPersistentModelIndex
ROLE = Qt.ItemDataRole
INDENT = "    "
MOST_NUMBERS = 500
"""Number of runs that keep their colours; beyond it, runs that are not listed lose theirs, the oldest first."""


class RunListModel(QAbstractTableModel):
    """Table model of the runs. Check marks belong to the folder of a run, and outlive a new listing."""

    ticked = Signal()
    renamed = Signal(object, str)  # RunSummary, new title

    def __init__(self) -> None:
        super().__init__()
        self.runs: list[RunSummary] = []
        self._rows: dict[Path, int] = {}
        self._orders: dict[tuple[int, bool], list[Any]] = {}  # sort keys of all rows, by column and whether descending
        self.families = Families()
        self.ticks: dict[Path, int] = {}
        """Colour number of each checked run, in the order in which they were checked."""
        self.numbers: dict[Path, int] = {}
        """Colour number of each run that was ever checked, including runs in the trash."""

    def set_runs(self, runs: Sequence[RunSummary]) -> None:
        """Show these runs: only remove and add what has changed, so that selection and sorting are kept."""
        there = {run.path: run for run in runs}
        self.families = Families(runs)
        for row in reversed(range(len(self.runs))):
            if self.runs[row].path not in there:
                self.beginRemoveRows(QModelIndex(), row, row)
                self.ticks.pop(self.runs.pop(row).path, None)
                self._index()
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

    def change(self, run: RunSummary) -> None:
        """Update a run; one that is not in the list is ignored."""
        row = self._rows.get(run.path)
        if row is not None and self.runs[row] != run:
            self.runs[row] = run
            for (column, descending), order in self._orders.items():
                order[row] = self._order(run, column, descending)
            self._repaint_row(run.path)

    def find(self, path: Path) -> RunSummary | None:
        row = self._rows.get(path)
        return None if row is None else self.runs[row]

    def order(self, column: int, descending: bool) -> list[Any]:
        """Return the sort key of each row. Computed once, because sorting needs it at each comparison."""
        if (column, descending) not in self._orders:
            self._orders[column, descending] = [self._order(run, column, descending) for run in self.runs]
        return self._orders[column, descending]

    def ticked_runs(self) -> list[RunSummary]:
        """Return the checked runs in the order in which they were checked."""
        return [run for path in self.ticks if (run := self.find(path))]

    def tick(self, path: Path, on: bool) -> None:
        """Check a run, in a colour that it keeps, or uncheck it."""
        if on == (path in self.ticks):
            return
        if on:
            self._colour(path)
        else:
            del self.ticks[path]
        self._repaint_row(path)
        self.ticked.emit()

    def tick_all(self, paths: Sequence[Path]) -> None:
        """Check these runs, with a single signal."""
        for path in paths:
            if path not in self.ticks:
                self._colour(path)
                self._repaint_row(path)
        self.ticked.emit()

    def repaint(self) -> None:
        self.dataChanged.emit(self.index(0, 0), self.index(len(self.runs) - 1, len(COLUMNS) - 1))

    def _colour(self, path: Path) -> None:
        """Assign its previous colour to a run, otherwise an unused one, otherwise the least used by the checked runs.

        Of checked runs with the same colour, later ones have other dashes.
        """
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
        if (row := self._rows.get(path)) is not None:
            self.dataChanged.emit(self.index(row, 0), self.index(row, len(COLUMNS) - 1))

    def _index(self) -> None:
        self._rows = {run.path: row for row, run in enumerate(self.runs)}
        self._orders.clear()

    def _order(self, run: RunSummary, column: int, descending: bool) -> Any:
        return self.families.order(run, descending) if column == CREATED else COLUMNS[column].order(run)

    # Methods of QAbstractTableModel.

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
            return RIGHT if COLUMNS[section].right else LEFT
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
                return RIGHT if column.right else LEFT
            case ROLE.ForegroundRole if column.heading == STATE:
                return colour(STATES[run.state][1])
            case ROLE.CheckStateRole if index.column() == NAME:
                return Qt.CheckState.Checked if run.path in self.ticks else Qt.CheckState.Unchecked
            case ROLE.DecorationRole if index.column() == NAME:
                return stroke(overlay(self.ticks[run.path]) if run.path in self.ticks else None)
        return None

    def _indented(self, run: RunSummary) -> str:
        """Return the name of a run, indented by its depth if it is a branch."""
        depth = min(self.families.depth.get(run.path, 0), DEEPEST)
        return f"{INDENT * (depth - 1)}↳ {title_of(run)}" if depth else title_of(run)

    def _origin(self, run: RunSummary) -> str:
        """Return the parent of a branch, by its present name, and the step of the fork, as text; otherwise empty."""
        origin, parent = run.record.parent, self.families.parents.get(run.path)
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
        return False  # the new name is shown once it is on disk and listed again


def stroke(look: CurveStyle | None) -> QIcon:
    """Return an icon with a short piece of a curve, which marks its run; empty without a curve."""
    width, height = round(22 * theme.zoom), round(14 * theme.zoom)
    drawn = QPixmap(width, height)
    drawn.fill(Qt.GlobalColor.transparent)
    if look:
        painter = QPainter(drawn)
        painter.setPen(QPen(look.paint(), 2.5 * theme.zoom, DASHES[look.dash]))
        painter.drawLine(0, height // 2, width, height // 2)
        painter.end()
    made = QIcon(drawn)
    made.addPixmap(drawn, QIcon.Mode.Selected)  # otherwise the selected run would differ in colour from its curve
    return made


def stroke_size(table: QTableView) -> QSize:
    """Return the size of these icons in a table."""
    return QSize(round(22 * theme.zoom), table.fontMetrics().height())


NAME_LETTERS = 32
"""Number of letters of a name that are visible at any text size; the other columns scroll."""


class FamilySort(QSortFilterProxyModel):
    """Sorting by any column; by the time of creation, branches are below the run that they continue."""

    def __init__(self, model: RunListModel, parent: QObject) -> None:
        super().__init__(parent)
        self._runs = model
        self.setSourceModel(model)

    def lessThan(self, left: QModelIndex | QPersistentModelIndex, right: QModelIndex | QPersistentModelIndex) -> bool:
        order = self._runs.order(left.column(), self.sortOrder() == Qt.SortOrder.DescendingOrder)
        return bool(order[left.row()] < order[right.row()])


class RunList(QTableView):
    """View of the model, the newest run first. Space checks or unchecks the current run."""

    chosen = Signal()

    def __init__(self, model: RunListModel):
        super().__init__()
        self.runs = model
        self._widths = [0] * len(COLUMNS)  # minimum widths
        self._sorted = FamilySort(model, self)
        self.setModel(self._sorted)
        named(self, "run_list", tr("Runs"))
        style_table(self)
        self.setContextMenuPolicy(Qt.ContextMenuPolicy.CustomContextMenu)
        self.setSortingEnabled(True)
        self.sortByColumn(CREATED, Qt.SortOrder.DescendingOrder)
        self.horizontalHeader().setSectionResizeMode(QHeaderView.ResizeMode.Fixed)
        self.selectionModel().currentRowChanged.connect(self.chosen)
        self._sorted.rowsInserted.connect(self._fit_columns)
        on_restyle(self, model.repaint, self._fit)
        self._fit()

    def current(self) -> RunSummary | None:
        index = self._sorted.mapToSource(self.currentIndex())
        return self.runs.runs[index.row()] if index.isValid() else None

    def select(self, path: Path) -> None:
        for row, run in enumerate(self.runs.runs):
            if run.path == path:
                self.setCurrentIndex(self._sorted.mapFromSource(self.runs.index(row, NAME)))

    def rename(self) -> None:
        """Edit the name of the selected run in its cell."""
        self.setCurrentIndex(self.currentIndex().siblingAtColumn(NAME))  # the view closes its editor
        self.edit(self.currentIndex())

    def keyPressEvent(self, event: QKeyEvent) -> None:
        run = self.current()
        if event.key() == Qt.Key.Key_Space and run:
            self.runs.tick(run.path, run.path not in self.runs.ticks)
        else:
            super().keyPressEvent(event)

    def sizeHint(self) -> QSize:
        return QSize(600, table_height(self, 5))

    def minimumSizeHint(self) -> QSize:
        return QSize(200, 4 * self.verticalHeader().defaultSectionSize())

    def resizeEvent(self, event: QResizeEvent) -> None:
        super().resizeEvent(event)
        self._fit_columns()

    def _fit(self) -> None:
        """Adapt rows and columns to the text size."""
        self.ensurePolished()
        letters = self.fontMetrics()
        self.verticalHeader().setDefaultSectionSize(letters.height() + 12)
        for number, column in enumerate(COLUMNS[1:], start=1):
            heading = f"{tr(column.heading)} ▾ "
            widest = max(letters.horizontalAdvance(text) for text in (tr(column.widest), heading))
            self._widths[number] = widest + 22
        self.setIconSize(stroke_size(self))
        self._widths[NAME] = letters.averageCharWidth() * NAME_LETTERS
        self._fit_columns()
        self.updateGeometry()

    def _fit_columns(self) -> None:
        """Divide the width that the other columns leave between the names of the run and of its text: the text has a
        quarter of it, or more if the names of the runs do not need the rest, but not more than it needs."""
        room = self.viewport().width() - sum(self._widths) + self._widths[NAME] + self._widths[TEXT]
        names, texts = (self.sizeHintForColumn(column) + 1 for column in (NAME, TEXT))
        text = max(self._widths[TEXT], min(texts, max(room // 4, room - names)))
        shared = {TEXT: text, NAME: max(self._widths[NAME], room - text)}
        for column, width in enumerate(self._widths):
            self.setColumnWidth(column, shared.get(column, width))
