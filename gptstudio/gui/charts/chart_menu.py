"""Context menu of a chart: all points again, and the chart as an image, copied or saved."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

from PySide6.QtCore import QPoint, Qt
from PySide6.QtGui import QGuiApplication
from PySide6.QtWidgets import QFileDialog, QMenu, QMessageBox, QWidget

from gptstudio.errors import UserError
from gptstudio.gui.translation import tr


def open_menu(plot: QWidget, place: QPoint, show_all: Callable[[], None], save: Callable[[Path], None]) -> None:
    """Open the menu of a chart at a place of the screen; it is made anew each time, in the language now in force."""
    menu = QMenu(plot)
    menu.setObjectName(f"{plot.objectName()}_menu")
    menu.setAttribute(Qt.WidgetAttribute.WA_DeleteOnClose)
    menu.addAction(tr("Show all")).triggered.connect(lambda: show_all())
    menu.addSeparator()
    menu.addAction(tr("Copy")).triggered.connect(lambda: QGuiApplication.clipboard().setPixmap(plot.grab()))
    menu.addAction(tr("Save…")).triggered.connect(lambda: _save(plot, save))
    menu.popup(place)


def _save(plot: QWidget, save: Callable[[Path], None]) -> None:
    kinds = {tr("Picture (*.png)"): ".png", tr("Vector drawing (*.svg)"): ".svg"}
    proposed = str(Path.home() / f"{plot.objectName()}.png")
    chosen, kind = QFileDialog.getSaveFileName(plot, tr("Save to"), proposed, ";;".join(kinds))
    if chosen:
        try:
            save(Path(chosen) if Path(chosen).suffix in kinds.values() else Path(chosen + kinds.get(kind, ".png")))
        except UserError as error:
            QMessageBox.warning(plot, tr("Save to"), str(error))
