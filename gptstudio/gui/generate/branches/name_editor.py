"""A name that is written where it stands: Enter takes it, Esc leaves it as it was."""

from __future__ import annotations

from typing import cast

from PySide6.QtCore import Qt, Signal
from PySide6.QtGui import QFocusEvent, QKeyEvent
from PySide6.QtWidgets import QLineEdit, QWidget

from gptstudio.gui.widgets.parts import named


class NameEditor(QLineEdit):
    """Hidden until it is asked to begin."""

    written = Signal(int, str)
    """The number of what was named, and its name."""

    def __init__(self, over: QWidget, name: str, accessible: str) -> None:
        super().__init__(over)
        named(self, name, accessible)
        self.of: int | None = None
        """The number of what is being named."""
        self.hide()

    def begin(self, of: int, name: str, otherwise: str) -> None:
        """Ask for the name of ``of``, which is called ``otherwise`` while it has none."""
        self.of = of
        self.setText(name)
        self.setPlaceholderText(otherwise)
        self.selectAll()
        self.show()
        self.setFocus()

    def end(self, take: bool) -> None:
        of, self.of = self.of, None
        if of is None:
            return
        if self.hasFocus():
            cast(QWidget, self.parentWidget()).setFocus()
        self.hide()
        if take and self.isModified():
            self.written.emit(of, self.text())

    def keyPressEvent(self, event: QKeyEvent) -> None:
        match Qt.Key(event.key()):
            case Qt.Key.Key_Return | Qt.Key.Key_Enter:
                self.end(take=True)
            case Qt.Key.Key_Escape:
                self.end(take=False)
            case _:
                super().keyPressEvent(event)

    def focusOutEvent(self, event: QFocusEvent) -> None:
        super().focusOutEvent(event)
        if event.reason() != Qt.FocusReason.PopupFocusReason:  # its own menu
            self.end(take=True)
