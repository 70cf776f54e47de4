"""Messages that lie over the lower edge of a widget, so that nothing moves when they come and go."""

from __future__ import annotations

from PySide6.QtCore import QEvent, QObject, QRect
from PySide6.QtWidgets import QFrame, QWidget

from gptstudio.gui.translation import tr
from gptstudio.gui.widgets.layouts import TOP, aligned, grows, hbox, holding, vbox
from gptstudio.gui.widgets.parts import button


class Overlay(QFrame):
    """Rows of messages over ``below``, visible while one of them is, until the user closes them. They stand above
    ``uncovered``, a child at the lower edge."""

    def __init__(self, below: QWidget, name: str, *rows: QWidget, uncovered: QWidget) -> None:
        super().__init__(below)
        self._uncovered = uncovered
        self.setObjectName(name)
        self.setProperty("overlay", True)
        self._rows, self._closed = rows, False
        close = button(tr("Close"), f"{name}_close", tr("Closes this notice"), "quiet", self._close)
        holding(self, hbox(
            grows(vbox(*rows, spacing=4)), aligned(close, TOP), spacing=8, margins=(12, 6, 6, 6)))
        below.installEventFilter(self)
        self.refresh()

    def announce(self) -> None:
        """Show the messages again, since there is a new one."""
        self._closed = False
        self.refresh()

    def refresh(self) -> None:
        """Show what is to be shown now, where it belongs."""
        shown = not self._closed and any(not row.isHidden() for row in self._rows)
        self.setVisible(shown)
        if shown:
            self._place()

    def eventFilter(self, watched: QObject, event: QEvent) -> bool:
        if event.type() == QEvent.Type.Resize and self.isVisible():
            self._place()
        return super().eventFilter(watched, event)

    def event(self, event: QEvent) -> bool:
        handled = super().event(event)
        if event.type() == QEvent.Type.LayoutRequest and self.isVisible():
            self._place()
        return handled

    def _place(self) -> None:
        below = self.parentWidget()
        if not below:
            return
        height = max(self.heightForWidth(below.width()), self.minimumSizeHint().height())  # with its border
        self.setGeometry(QRect(0, max(0, self._uncovered.geometry().top() - height), below.width(), height))
        self.raise_()

    def _close(self) -> None:
        self._closed = True
        self.refresh()
