"""Context menu of a chart: all points again, the colours of the curves, and the chart copied or saved."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from functools import partial
from pathlib import Path

from PySide6.QtCore import QPoint, Qt
from PySide6.QtGui import QGuiApplication, QIcon, QPixmap
from PySide6.QtWidgets import QColorDialog, QMenu, QMessageBox, QWidget

from gptstudio.gui.charts.curve_items import Curve
from gptstudio.gui.theme import theme
from gptstudio.gui.translation import tr
from gptstudio.gui.widgets.save_as import save_as


def open_menu(
    plot: QWidget, place: QPoint, curves: Sequence[Curve], show_all: Callable[[], None], as_table: Callable[[], str],
    save: Callable[[Path], None],
) -> None:
    """Open the menu of a chart at a place of the screen; it is made anew each time."""
    menu = QMenu(plot)
    menu.setObjectName(f"{plot.objectName()}_menu")
    menu.setAttribute(Qt.WidgetAttribute.WA_DeleteOnClose)
    menu.addAction(tr("Show all")).triggered.connect(lambda: show_all())
    _add_colours(menu, [curve for curve in curves if curve.label and curve.visible])
    menu.addSeparator()
    clipboard = QGuiApplication.clipboard()
    menu.addAction(tr("Copy image")).triggered.connect(lambda: clipboard.setPixmap(plot.grab()))
    menu.addAction(tr("Copy table")).triggered.connect(lambda: clipboard.setText(as_table()))
    menu.addAction(tr("Save…")).triggered.connect(lambda: _save(plot, save))
    menu.popup(place)


def _add_colours(menu: QMenu, curves: list[Curve]) -> None:
    inside = menu.addMenu(tr("Curve colours"))
    inside.setEnabled(bool(curves))
    inside.setToolTipsVisible(True)
    for curve in curves:
        swatch = QPixmap(12, 12)
        swatch.fill(curve.look.paint())
        action = inside.addAction(QIcon(swatch), curve.label.replace("&", "&&"))
        action.triggered.connect(partial(_choose_colour, menu, curve))
    inside.addSeparator()
    usual = inside.addAction(tr("Default colours"))
    usual.setEnabled(bool(theme.curve_colours))
    usual.setToolTip("" if theme.curve_colours else tr("The curves have these colours now."))
    usual.triggered.connect(lambda: theme.choose_curve_colours({}))


def _choose_colour(menu: QMenu, curve: Curve, *_: object) -> None:
    chosen = QColorDialog.getColor(
        curve.look.paint(), menu.window(), tr("Colour of {curve}", curve=curve.label),
        QColorDialog.ColorDialogOption.DontUseNativeDialog)
    if chosen.isValid():
        theme.choose_curve_colours({**theme.curve_colours, curve.look.key: chosen.name()})


def _save(plot: QWidget, save: Callable[[Path], None]) -> None:
    def fail(words: str) -> None:
        if words:
            QMessageBox.warning(plot, tr("Save to"), words)

    save_as(plot, f"{plot.objectName()}.png", save, fail, ".svg")
