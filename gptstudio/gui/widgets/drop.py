"""Files dropped anywhere on a window, or opened with the program by a click."""

from __future__ import annotations

from collections.abc import Callable
from typing import cast

from PySide6.QtCore import QEvent, QObject
from PySide6.QtGui import QDropEvent, QFileOpenEvent
from PySide6.QtWidgets import QApplication, QWidget


class FileDrop(QObject):
    """Event filter that accepts files dropped on ``widget``, or on any child of it that does not use them."""

    def __init__(self, widget: QWidget, dropped: Callable[[list[str]], object]):
        super().__init__(widget)
        self._dropped = dropped
        widget.setAcceptDrops(True)
        widget.installEventFilter(self)

    def eventFilter(self, _watched: QObject, event: QEvent) -> bool:
        if not isinstance(event, QDropEvent) or event.type() not in (QEvent.Type.DragEnter, QEvent.Type.Drop):
            return False
        files = [url.toLocalFile() for url in event.mimeData().urls() if url.isLocalFile()]
        if not files:
            return False
        event.acceptProposedAction()
        if event.type() == QEvent.Type.Drop:
            self._dropped(files)
        return True


class FileOpen(QObject):
    """Event filter for files opened from the desktop while the program runs or starts. Only macOS sends an event to the
    application; other systems start a program with the name of the file. A filter of all events is therefore worth its
    cost only on macOS."""

    def __init__(self, parent: QObject, opened: Callable[[list[str]], object]):
        super().__init__(parent)
        self._opened = opened
        cast(QApplication, QApplication.instance()).installEventFilter(self)

    def eventFilter(self, _watched: QObject, event: QEvent) -> bool:
        if not isinstance(event, QFileOpenEvent) or not event.file():
            return False
        self._opened([event.file()])
        return True
