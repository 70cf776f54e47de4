"""A widget that paints itself: colours and sizes follow the theme and the font; what it shows can be copied."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

from PySide6.QtCore import QEvent, QRect, QSize, Qt
from PySide6.QtGui import QContextMenuEvent, QGuiApplication, QPainter, QPaintEvent
from PySide6.QtWidgets import QMenu, QWidget

from gptstudio import files
from gptstudio.gui.appearance import follow
from gptstudio.gui.translation import tr
from gptstudio.gui.widgets.parts import named

if TYPE_CHECKING:
    _Base = QWidget
else:
    _Base = object


class Painted(_Base):
    """Mixin of a widget that paints itself."""

    smooth = True
    """True if lines are painted with antialiasing."""

    def set_up(self, name: str, accessible: str, pointable: bool = True) -> None:
        """Prepare the widget. ``pointable``: it hears of the mouse, and takes the focus."""
        named(self, name, accessible)
        self.surface().setMouseTracking(pointable)
        self.setFocusPolicy(Qt.FocusPolicy.StrongFocus if pointable else Qt.FocusPolicy.NoFocus)
        follow(self, self.remeasure)

    def surface(self) -> QWidget:
        """Return the widget that is painted on."""
        return self

    def paint(self, painter: QPainter, region: QRect) -> None:
        """Paint what lies in a region."""

    def remeasure(self) -> None:
        """Follow another content, font or theme."""
        self.updateGeometry()
        self.surface().update()

    def table(self) -> Sequence[Sequence[str]]:
        """Return the table that is copied."""
        return ()

    def copy_image(self) -> None:
        """Copy the widget as it is on the screen to the clipboard."""
        QGuiApplication.clipboard().setPixmap(self.grab())

    def copy_table(self) -> None:
        """Copy the table to the clipboard, separated by tabs, a line for each row."""
        QGuiApplication.clipboard().setText(files.tab_separated(self.table()))

    # Events of Qt.

    def paintEvent(self, event: QPaintEvent) -> None:
        with QPainter(self.surface()) as painter:
            painter.setRenderHint(QPainter.RenderHint.Antialiasing, self.smooth)
            self.paint(painter, event.rect())

    def sizeHint(self) -> QSize:
        return self.minimumSizeHint()

    def changeEvent(self, event: QEvent) -> None:
        super().changeEvent(event)
        if event.type() in (QEvent.Type.FontChange, QEvent.Type.StyleChange):
            self.remeasure()

    def contextMenuEvent(self, event: QContextMenuEvent) -> None:
        if self.focusPolicy() == Qt.FocusPolicy.NoFocus and not self.table():
            event.ignore()
            return
        menu = QMenu(self)
        menu.setObjectName(f"{self.objectName()}_menu")
        menu.aboutToHide.connect(menu.deleteLater)
        menu.addAction(tr("Copy image")).triggered.connect(self.copy_image)
        if self.table():
            menu.addAction(tr("Copy table")).triggered.connect(self.copy_table)
        menu.popup(event.globalPos())
