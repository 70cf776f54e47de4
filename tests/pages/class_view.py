"""The class view: a table of the runs of a class, and their curves."""

from __future__ import annotations

from pathlib import Path
from typing import Any

from PySide6.QtCore import QItemSelectionModel, QMimeData, QPoint, QPointF, Qt, QUrl
from PySide6.QtGui import QDragEnterEvent, QDropEvent
from PySide6.QtWidgets import QApplication

from pages.page import Inside, Named, Page


class ClassViewPage(Page):
    """Opened by its command."""

    place = "class_view"
    table, compare, runs = Named("class_table"), Inside("compare"), Inside("runs")
    folder_button, files_button, cancel_button = Named("class_folder"), Named("class_files"), Named("class_cancel")
    export_button, copy_button, clear_button = Named("class_export"), Named("class_copy"), Named("class_clear")

    def open(self) -> None:
        self.user.window.actions_of["class_view"].trigger()

    def wait(self) -> None:
        """Waits until all files are read."""
        self.user.wait(lambda: not self.user.busy("pool") and not self.cancel_button.isVisible())

    def drop(self, *paths: Path) -> None:
        """Drops files on the dialog."""
        data = QMimeData()
        data.setUrls([QUrl.fromLocalFile(str(path)) for path in paths])
        rest = Qt.DropAction.CopyAction, data, Qt.MouseButton.LeftButton, Qt.KeyboardModifier.NoModifier
        QApplication.sendEvent(self.widget, QDragEnterEvent(QPoint(50, 50), *rest))
        QApplication.sendEvent(self.widget, QDropEvent(QPointF(50, 50), *rest))

    def column(self, heading: str) -> list[str]:
        """The texts of a column from the first row to the last, as they are sorted now."""
        model = self.table.model()
        heads = [model.headerData(place, Qt.Orientation.Horizontal) for place in range(model.columnCount())]
        return [model.index(row, heads.index(heading)).data() for row in range(model.rowCount())]

    def sort(self, heading: str) -> None:
        """Clicks on the head of a column."""
        head, model = self.table.horizontalHeader(), self.table.model()
        place = next(place for place in range(model.columnCount())
                     if model.headerData(place, Qt.Orientation.Horizontal) == heading)
        self.table.scrollTo(model.index(0, place))
        where = head.sectionViewportPosition(place) + head.sectionSize(place) // 2
        point = head.viewport().rect().center()
        point.setX(where)
        self.user.qtbot.mouseClick(head.viewport(), Qt.MouseButton.LeftButton, pos=point)

    def select(self, *names: str) -> None:
        """Selects the rows of these runs alone."""
        model, flags = self.table.selectionModel(), QItemSelectionModel.SelectionFlag
        model.clearSelection()
        for row, name in enumerate(self.column("Name")):
            if name in names:
                model.select(self.table.model().index(row, 0), flags.Select | flags.Rows)

    def drawn(self) -> list[str]:
        """The names of the runs whose curves are drawn."""
        return [run.title for run in self.compare.runs]

    def losses(self, path: Path) -> list[Any]:
        """The validation losses that are drawn of a run."""
        values: list[Any] = self.compare.charts["loss"].curves[f"{path}|val_loss"].series.y[:].tolist()
        return values
