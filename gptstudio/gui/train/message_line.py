"""A line of constant height above the figures: what Start would train, or a message about the run."""

from __future__ import annotations

from PySide6.QtCore import Signal
from PySide6.QtWidgets import QStackedLayout, QWidget

from gptstudio.gui.appearance import follow
from gptstudio.gui.translation import tr
from gptstudio.gui.widgets.few_lines import line_height
from gptstudio.gui.widgets.layouts import FREE, grows, hbox, holding, vbox
from gptstudio.gui.widgets.parts import button

LINES, PADDING = 2, 12
"""Height of the line: lines of text, and pixels around them."""


class MessageLine(QWidget):
    """Shows ``messages`` while one of them is visible, until the user closes them, elsewhere ``usual``: so nothing
    moves, and nothing is covered, when a message comes. What is put into ``place`` stands beside them."""

    closed = Signal()

    def __init__(self, usual: QWidget, messages: tuple[QWidget, ...]) -> None:
        super().__init__()
        self._messages, self._closed = messages, False
        self.place = hbox()
        self.close_button = button(
            tr("Close"), "train_messages_close", tr("Closes this notice"), "quiet", self._close)
        self._column = holding(QWidget(), vbox(FREE, *messages, FREE, spacing=0))
        self._row = holding(QWidget(), hbox(grows(self._column), self.close_button, self.place, spacing=8))
        self._row.setObjectName("train_messages")
        self._stack = QStackedLayout(self)
        for each in (usual, self._row):
            self._stack.addWidget(each)
        follow(self, self._fit)
        self._fit()

    def announce(self) -> None:
        """Show the messages again at the next refresh, since there is a new one."""
        self._closed = False

    def refresh(self, beside: bool = False) -> None:
        """Show what is to be shown now. ``beside``: what stands in ``place`` is to be shown."""
        announced = not self._closed and any(not each.isHidden() for each in self._messages)
        self._column.setVisible(announced)
        self.close_button.setVisible(announced)
        self._stack.setCurrentIndex(int(announced or beside))

    def _fit(self) -> None:
        self.setFixedHeight(LINES * line_height(self.close_button.text(), self.font()) + PADDING)

    def _close(self) -> None:
        self._closed = True
        self.closed.emit()
