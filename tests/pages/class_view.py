"""The class view: a table of the runs of a class, and their curves."""

from __future__ import annotations

from pathlib import Path
from typing import Any

from PySide6.QtCore import QItemSelectionModel, QMimeData, QPoint, QPointF, Qt, QUrl
from PySide6.QtGui import QDragEnterEvent, QDropEvent
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QApplication

from gptstudio.gui.widgets.tables import rows_of
from pages.page import Inside, Named, Page, column
from pages.painted import move_mouse


class ClassViewPage(Page):
    """The class view, opened by its command."""

    place = "class_view"
    table, compare, runs = Named("class_table"), Inside("curves.compare"), Inside("runs")
    chart, answers = Named("class_loss"), Named("class_answers")
    """The curves of the losses, and the bars of a question."""
    folder_button, cancel_button = Named("class_folder"), Named("class_cancel")
    export_button, copy_button, clear_button = Named("class_export"), Named("class_copy"), Named("class_clear")

    def open(self) -> None:
        self.user.window.actions_of["class_view"].trigger()

    def wait(self) -> None:
        """Wait until all files are read."""
        self.user.wait(lambda: not self.user.busy("pool") and not self.cancel_button.isVisible())

    def drop(self, *paths: Path) -> None:
        """Drop files on the dialog."""
        data = QMimeData()
        data.setUrls([QUrl.fromLocalFile(str(path)) for path in paths])
        rest = Qt.DropAction.CopyAction, data, Qt.MouseButton.LeftButton, Qt.KeyboardModifier.NoModifier
        QApplication.sendEvent(self.widget, QDragEnterEvent(QPoint(50, 50), *rest))
        QApplication.sendEvent(self.widget, QDropEvent(QPointF(50, 50), *rest))

    def column(self, heading: str) -> list[str]:
        """Return the texts of a column from the first row to the last, in the current order."""
        return column(self.table, heading)

    def sort(self, heading: str) -> None:
        """Click the heading of a column."""
        head, model = self.table.horizontalHeader(), self.table.model()
        place = next(rows_of(self.table)).index(heading)
        self.table.scrollTo(model.index(0, place))
        where = head.sectionViewportPosition(place) + head.sectionSize(place) // 2
        point = head.viewport().rect().center()
        point.setX(where)
        self.user.qtbot.mouseClick(head.viewport(), Qt.MouseButton.LeftButton, pos=point)

    def select(self, *names: str) -> None:
        """Select the rows of these runs alone."""
        model, flags = self.table.selectionModel(), QItemSelectionModel.SelectionFlag
        model.clearSelection()
        for row, name in enumerate(self.column("Name")):
            if name in names:
                model.select(self.table.model().index(row, 0), flags.Select | flags.Rows)

    def show_page(self, number: int) -> None:
        """Click a segment: 0 for the curves, 1 for the guesses, 2 for the samples, 3 for the table."""
        self.user.click(self.find(f"class_page_{number}"))

    def press(self, key: Qt.Key) -> None:
        """Press a key in this window; the focused widget receives it."""
        QTest.keyClick(self.widget.windowHandle(), key)

    def point_at(self, path: Path) -> None:
        """Move the mouse to the last point of a run's curve."""
        chart = self.compare.charts["loss"]
        series = chart.curves[f"{path}|val_loss"].series
        place = chart.box.mapViewToScene(QPointF(series.x(chart.axis)[-1], series.y[-1]))
        move_mouse(chart.plot.viewport(), QPoint(chart.plot.mapFromScene(place)))

    def rows(self) -> list[tuple[str, str]]:
        """Return the answers to the current question, with the number of learners who gave each."""
        return [(row.name, row.figures[0]) for row in self.answers.rows]

    def standing_out(self) -> list[str]:
        """Return the names of the runs whose curves are emphasized."""
        return [run.title for run in self.compare.runs if run.raised]

    def drawn(self) -> list[str]:
        """Return the names of the runs whose curves are drawn."""
        return [run.title for run in self.compare.runs]

    def losses(self, path: Path) -> list[Any]:
        """Return the drawn validation losses of a run."""
        values: list[Any] = self.compare.charts["loss"].curves[f"{path}|val_loss"].series.y[:].tolist()
        return values
