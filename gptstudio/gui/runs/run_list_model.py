"""Model of the list of runs: one row for each, with check marks and the colours of the checked ones."""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence
from datetime import datetime
from pathlib import Path
from typing import Any, NamedTuple

from PySide6.QtCore import QAbstractTableModel, QModelIndex, QPersistentModelIndex, Qt, Signal
from PySide6.QtGui import QIcon, QPainter, QPen, QPixmap

from gptstudio.app.run_entry import RunEntry
from gptstudio.data.text_names import in_words
from gptstudio.gui.branch_words import branch_words
from gptstudio.gui.charts.style import DASHES, CurveStyle, overlay
from gptstudio.gui.runs.families import DEEPEST, Families
from gptstudio.gui.theme import colour, theme
from gptstudio.gui.translation import joined, size, tr
from gptstudio.gui.widgets.parts import plain
from gptstudio.i18n import message

Index = QModelIndex | QPersistentModelIndex
ROLE = Qt.ItemDataRole
SORT = ROLE.UserRole
NAME, CREATED, TEXT = 0, 1, 3
INDENT = "    "
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
    """A column: its heading and its meaning, what is shown, by what it is sorted, the tip of a cell, and how wide.

    Sorted by words or floats: Qt would cut whole numbers down to 32 bits.
    """

    heading: str
    help: str
    words: Callable[[RunEntry], str]
    order: Callable[[RunEntry], str | float]
    tip: Callable[[RunEntry], str]
    widest: str
    right: bool = False


def _best(run: RunEntry) -> str:
    best = run.summary.figures.best
    return f"{best.val_loss:.3f}" if best else "–"


def _best_tip(run: RunEntry) -> str:
    best = run.summary.figures.best
    if not best:
        return tr("Not evaluated yet.")
    return tr("Lowest validation loss, in nats per token, at step {n}", n=f"{best.step + 1:,}")


def _best_order(run: RunEntry) -> float:
    return run.summary.figures.best.val_loss if run.summary.figures.best else math.inf


def _when(run: RunEntry) -> str:
    """Month, day and time; of earlier years the date."""
    created = run.summary.record.created.astimezone()
    return f"{created:%m-%d %H:%M}" if created.year == datetime.now().year else f"{created:%Y-%m-%d}"


def _millions(count: int) -> str:
    return f"{count / 1e6:,.1f} M"


COLUMNS = (
    ListColumn(
        message("Run"), message("The name; F2 changes it. The check box draws the curves of the run below."),
        lambda run: run.summary.title, lambda run: run.summary.title.lower(), lambda run: str(run.path), "",
    ),
    ListColumn(
        message("Created"), message("Month, day and time at which training began"),
        lambda run: _when(run), lambda run: run.summary.record.created.timestamp(),
        lambda run: f"{run.summary.record.created.astimezone():%Y-%m-%d %H:%M:%S}", "11-20 23:59",
    ),
    ListColumn(
        message("Preset"), message("The preset that the model has the size of; “own” if it is none of them"),
        lambda run: tr(run.summary.preset), lambda run: run.summary.preset, lambda _: "", "gpt2-medium",
    ),
    ListColumn(
        message("Text"), message("The text on which the model was trained"),
        lambda run: tr(in_words(run.summary.record.text_name)), lambda run: run.summary.record.text_name,
        lambda run: tr(in_words(run.summary.record.text_name)), "The Verdict",
    ),
    ListColumn(
        message("Parameters"), message("Number of weights and biases of the model, in millions"),
        lambda run: _millions(run.summary.parameters), lambda run: float(run.summary.parameters),
        lambda run: f"{run.summary.parameters:,}", "1,637.8 M", right=True,
    ),
    ListColumn(
        message("Best val."), message("Lowest validation loss of all evaluations, in nats per token; lower is better"),
        _best, _best_order, _best_tip, "10.825", right=True,
    ),
    ListColumn(
        STATE, message("In progress, finished, stopped, failed or interrupted"),
        lambda run: tr(STATES[run.state][0]), lambda run: run.state, lambda run: tr(STATES[run.state][2]),
        message("Interrupted"),
    ),
    ListColumn(
        message("Size"), message("All files of the run on disk"),
        lambda run: size(run.summary.size_bytes), lambda run: float(run.summary.size_bytes), lambda _: "",
        "999.9 MB", right=True,
    ),
)


class RunListModel(QAbstractTableModel):
    """The runs as a table. Ticks belong to a run's folder and outlive a new listing."""

    ticked = Signal()
    renamed = Signal(object, str)  # Listed, the new title

    def __init__(self) -> None:
        super().__init__()
        self.runs: list[RunEntry] = []
        self.families = Families()
        self.ticks: dict[Path, int] = {}
        """The number of its colour, for each ticked run, in the order in which they were ticked."""

    def set_runs(self, runs: Sequence[RunEntry]) -> None:
        """Show these: take away what is gone, and add what is new, so that selection and sorting stay."""
        there = {run.path: run for run in runs}
        self.families = Families(runs)
        for row in reversed(range(len(self.runs))):
            if self.runs[row].path not in there:
                self.beginRemoveRows(QModelIndex(), row, row)
                self.ticks.pop(self.runs.pop(row).path, None)
                self.endRemoveRows()
        for run in list(self.runs):
            self.change(there.pop(run.path))
        if there:
            self.beginInsertRows(QModelIndex(), len(self.runs), len(self.runs) + len(there) - 1)
            self.runs += there.values()
            self.endInsertRows()
        self.ticked.emit()

    def change(self, run: RunEntry) -> None:
        """Show a run as it is now; one that is not in the list is left out."""
        row = next((row for row, known in enumerate(self.runs) if known.path == run.path), None)
        if row is not None and self.runs[row] != run:
            self.runs[row] = run
            self.dataChanged.emit(self.index(row, 0), self.index(row, len(COLUMNS) - 1))

    def by_path(self) -> dict[Path, RunEntry]:
        return {run.path: run for run in self.runs}

    def find(self, path: Path) -> RunEntry | None:
        return self.by_path().get(path)

    def ticked_runs(self) -> list[RunEntry]:
        """In the order in which they were ticked."""
        return [run for path in self.ticks if (run := self.find(path))]

    def tick(self, path: Path, on: bool) -> None:
        """Lay a run over the others, in the first colour that is free; or take it away."""
        if on == (path in self.ticks):
            return
        if on:
            self.ticks[path] = next(n for n in range(len(self.ticks) + 1) if n not in self.ticks.values())
        else:
            del self.ticks[path]
        self.repaint()
        self.ticked.emit()

    def repaint(self) -> None:
        if self.runs:
            self.dataChanged.emit(self.index(0, NAME), self.index(len(self.runs) - 1, len(COLUMNS) - 1))

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
        return column.order(run) if role == SORT else None

    def _indented(self, run: RunEntry) -> str:
        """Return the name of a run, below the one that it is a branch of."""
        depth = min(self.families.depth.get(run.path, 0), DEEPEST)
        return f"{INDENT * (depth - 1)}↳ {run.summary.title}" if depth else run.summary.title

    def _origin(self, run: RunEntry) -> str:
        """Return from which run, by its present name, and which step a branch goes on; empty if it is none."""
        origin, parent = run.summary.record.parent, self.families.parents.get(run.path)
        if not origin:
            return ""
        return branch_words(origin.model_copy(update={"title": parent.summary.title}) if parent else origin)

    def setData(self, index: Index, value: Any, role: int = ROLE.EditRole) -> bool:
        run = self.runs[index.row()]
        if role == ROLE.CheckStateRole:
            self.tick(run.path, Qt.CheckState(value) == Qt.CheckState.Checked)
            return True
        title = " ".join(value.split())
        if role == ROLE.EditRole and title and title != run.summary.title:
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
