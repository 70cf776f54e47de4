"""The ticked runs, a line each: in which settings they differ, and what their curves are where one points."""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

from PySide6.QtCore import QSize, Qt
from PySide6.QtWidgets import QHeaderView, QTableWidget, QTableWidgetItem

from gptstudio.gui.appearance import follow
from gptstudio.gui.charts.run_curves import Overlaid
from gptstudio.gui.charts.style import overlay
from gptstudio.gui.runs.run_list_model import stroke
from gptstudio.gui.theme import theme
from gptstudio.gui.translation import tr
from gptstudio.gui.widgets.parts import named, plain
from gptstudio.gui.widgets.quiet_table import quieten


class Column(NamedTuple):
    """Heading of a column, its text in each run, and what the heading means."""

    heading: str
    words: Sequence[str]
    help: str


class RunTable(QTableWidget):
    """Table of the checked runs: settings are set when these change, values when the pointer moves."""

    def __init__(self) -> None:
        super().__init__()
        named(self, "run_table", tr("Differences between the selected runs"))
        self._settings = 0  # number of columns of settings behind the name
        quieten(self, selects=False, elide=Qt.TextElideMode.ElideMiddle)
        self.setFocusPolicy(Qt.FocusPolicy.NoFocus)
        self.horizontalHeader().setSectionResizeMode(QHeaderView.ResizeMode.ResizeToContents)
        self.horizontalHeader().setDefaultAlignment(_LEFT)
        follow(self, self._fit)
        self._fit()

    def show_runs(self, runs: Sequence[Overlaid], settings: Sequence[Column]) -> None:
        """A line for each run, a column for each setting."""
        self._settings = len(settings)
        self.clear()
        self.setRowCount(len(runs))
        self.setColumnCount(1 + len(settings))
        self._fill(0, Column(tr("Run"), (), tr("Checked in the list above, in the colour of its curves")), _LEFT)
        for row, run in enumerate(runs):
            item = QTableWidgetItem(stroke(overlay(run.number)), run.title)
            item.setToolTip(plain(str(run.path)))
            self.setItem(row, 0, item)
        for column, setting in enumerate(settings, start=1):
            self._fill(column, setting, _LEFT)

    def show_values(self, values: Sequence[Column]) -> None:
        """Show the values of the curves at one position, a column for each curve."""
        first = 1 + self._settings
        if self.columnCount() != first + len(values):
            self.setColumnCount(first + len(values))
        for column, curve in enumerate(values, start=first):
            self._fill(column, curve, _RIGHT)

    def headings(self) -> list[str]:
        model = self.model()
        return [model.headerData(column, Qt.Orientation.Horizontal) for column in range(model.columnCount())]

    def text(self, row: int, heading: str) -> str:
        """Return the text of a run in a column.

        Raises:
            ValueError: there is no such column.
        """
        return str(self.model().index(row, self.headings().index(heading)).data())

    def sizeHint(self) -> QSize:
        return QSize(400, self.horizontalHeader().sizeHint().height() + 5 * self.verticalHeader().defaultSectionSize())

    def minimumSizeHint(self) -> QSize:
        return QSize(200, self.horizontalHeader().sizeHint().height() + 2 * self.verticalHeader().defaultSectionSize())

    def _fill(self, column: int, content: Column, side: Qt.AlignmentFlag) -> None:
        head = QTableWidgetItem(content.heading)
        head.setTextAlignment(side)
        head.setToolTip(content.help)
        self.setHorizontalHeaderItem(column, head)
        for row, value in enumerate(content.words):
            item = self.item(row, column)
            if item is None:
                item = QTableWidgetItem()
                item.setTextAlignment(side)
                self.setItem(row, column, item)
            item.setText(value)

    def _fit(self) -> None:
        self.ensurePolished()
        self.verticalHeader().setDefaultSectionSize(self.fontMetrics().height() + 8)
        self.setIconSize(QSize(round(22 * theme.zoom), self.fontMetrics().height()))
        self.updateGeometry()


_LEFT = Qt.AlignmentFlag.AlignLeft | Qt.AlignmentFlag.AlignVCenter
_RIGHT = Qt.AlignmentFlag.AlignRight | Qt.AlignmentFlag.AlignVCenter
