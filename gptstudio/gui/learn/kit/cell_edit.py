"""Line edit that is placed over a cell while the user types into it."""

from __future__ import annotations

from PySide6.QtCore import QRect, Qt, Signal
from PySide6.QtGui import QFocusEvent, QKeyEvent
from PySide6.QtWidgets import QLineEdit, QWidget

ENTERS = (Qt.Key.Key_Return, Qt.Key.Key_Enter)
RETURNS = (Qt.FocusReason.PopupFocusReason, Qt.FocusReason.ActiveWindowFocusReason)
"""Its own menu or another window has the focus: it comes back."""
ROOM = 12  # pixels beside the text, for the frame


class CellEdit(QLineEdit):
    """Enter, Tab or a click elsewhere accepts what was typed; Esc does not. The owner ends it."""

    accepted = Signal(int)  # where to continue: 1 the next cell, -1 the one before, 0 none
    cancelled = Signal()

    def __init__(self, owner: QWidget) -> None:
        super().__init__(owner)
        self.open = False
        self._owner = owner
        self.setAlignment(Qt.AlignmentFlag.AlignRight)
        self.textChanged.connect(self._widen)
        self.hide()

    def begin(self, cell: QRect, text: str, accessible: str, select: bool) -> None:
        """Over a cell, with a text to be typed over, or to be gone on with."""
        self.open = True
        self.setAccessibleName(accessible)
        self.resize(cell.width() + ROOM, self.sizeHint().height())
        self.move(cell.center() - self.rect().center())
        self.setText(text)
        self._widen()
        self.show()
        self.setFocus()
        if select:
            self.selectAll()

    def finish(self) -> None:
        """Gives the focus back to the owner, if it was here."""
        self.open = False
        if self.hasFocus():
            self._owner.setFocus()
        self.hide()

    def keyPressEvent(self, event: QKeyEvent) -> None:
        if event.key() in ENTERS:
            self.accepted.emit(0)
        elif event.key() == Qt.Key.Key_Escape:
            self.cancelled.emit()
        else:
            super().keyPressEvent(event)

    def focusNextPrevChild(self, forward: bool) -> bool:
        if not self.open:
            return super().focusNextPrevChild(forward)
        self.accepted.emit(1 if forward else -1)
        return True

    def focusOutEvent(self, event: QFocusEvent) -> None:
        super().focusOutEvent(event)
        if self.open and event.reason() not in RETURNS:
            self.accepted.emit(0)

    def _widen(self) -> None:
        """As wide as what is typed, within the owner."""
        wide = max(self.width(), self.fontMetrics().horizontalAdvance(self.text()) + 2 * ROOM)
        room = self._owner.width()
        self.resize(min(wide, room), self.height())
        self.move(max(0, min(self.x(), room - self.width())), self.y())


def writes(event: QKeyEvent) -> bool:
    """Return whether a key types a character."""
    keys = Qt.KeyboardModifier
    commands = keys.ControlModifier | keys.AltModifier | keys.MetaModifier
    text = event.text().strip()
    return bool(text) and text.isprintable() and not event.modifiers() & commands
