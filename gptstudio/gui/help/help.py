"""Help for a window: the manual at the topic of a control, the report of a problem, the releases, and About."""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING

from PySide6.QtCore import QEvent, QObject, QUrl
from PySide6.QtGui import QDesktopServices, QHelpEvent
from PySide6.QtWidgets import QApplication, QDialog, QMainWindow, QWhatsThis, QWidget
from shiboken6 import isValid

from gptstudio import log, paths
from gptstudio.app import about
from gptstudio.app.state import AppState
from gptstudio.gui.actions import Actions
from gptstudio.gui.appearance import ancestors
from gptstudio.gui.save_as import show_folder

if TYPE_CHECKING:
    from gptstudio.gui.help.help_window import HelpWindow


class Help(QObject):
    """Opener of the help window and of the dialogs of the Help menu, which are created when they are first needed."""

    def __init__(self, window: QMainWindow, actions: Actions, state: AppState) -> None:
        super().__init__(window)
        self._window, self._actions, self._state = window, actions, state
        self._shown: HelpWindow | None = None  # may have been deleted with its parent dialog
        state.help_requested.connect(self.show)

    def show(self, topic: str) -> None:
        """Show a topic of the manual, in front of the modal dialog if one is open."""
        from gptstudio.gui.help.help_window import HelpWindow

        modal = QApplication.activeModalWidget()
        over = modal if isinstance(modal, QDialog) else self._window
        shown = self.window_shown
        if shown is None or shown.parent() is not over:
            self.close()
            shown = self._shown = HelpWindow(over, self._actions)
            shown.lab_requested.connect(self._state.lab_requested.emit)
        shown.show()
        shown.show_topic(topic)
        shown.raise_()
        shown.activateWindow()

    @property
    def window_shown(self) -> HelpWindow | None:
        return self._shown if self._shown is not None and isValid(self._shown) else None

    def close(self) -> None:
        shown, self._shown = self.window_shown, None
        if shown is not None:
            shown.close()
            shown.deleteLater()

    def topic_of(self, widget: QWidget | None) -> str:
        """Return the topic of a control, or of its nearest ancestor that has a topic."""
        from gptstudio.app import manual

        found = manual.topic_of(_names(widget))
        return found or manual.topic_of((f"{self._state.page}_tab",)) or manual.PAGES[0]

    def show_focused(self) -> None:
        """Show the topic of the control that has the keyboard focus."""
        focused = QApplication.focusWidget()
        if self.window_shown is not None and self.window_shown is QApplication.activeWindow():
            return
        self.show(self.topic_of(focused or QApplication.activeWindow()))

    def ask_what(self) -> None:
        """Show the topic of the next control that is clicked, which does nothing else (What's This mode)."""
        QWhatsThis.enterWhatsThisMode()
        (QApplication.activeWindow() or self._window).installEventFilter(self)

    def eventFilter(self, watched: QObject, event: QEvent) -> bool:
        """Handle the click in What's This mode, until the mode ends."""
        if event.type() == QEvent.Type.LeaveWhatsThisMode:
            watched.removeEventFilter(self)
        elif event.type() == QEvent.Type.QueryWhatsThis:
            event.accept()
            return True
        elif isinstance(event, QHelpEvent) and isinstance(watched, QWidget) and event.type() == QEvent.Type.WhatsThis:
            event.accept()
            QWhatsThis.leaveWhatsThisMode()
            self.show(self.topic_of(watched.childAt(watched.mapFromGlobal(event.globalPos())) or watched))
            return True
        return super().eventFilter(watched, event)

    def report_problem(self) -> None:
        from gptstudio.gui.help.dialogs import ReportDialog

        self._exec(ReportDialog(self._window, self._state))

    def show_log_folder(self) -> None:
        log.write_down()  # creates the folder
        show_folder(paths.logs())

    def open_releases(self) -> None:
        QDesktopServices.openUrl(QUrl(about.releases_address()))

    def show_about(self) -> None:
        from gptstudio.gui.help.dialogs import AboutDialog

        self._exec(AboutDialog(self._window))

    def _exec(self, dialog: QDialog) -> None:
        dialog.exec()
        dialog.deleteLater()


def _names(widget: QWidget | None) -> Iterator[str]:
    """Yield the names of a widget and its ancestors; a dialog has the name of the command that opens it."""
    for each in (widget, *ancestors(widget)) if widget else ():
        yield each.objectName().removesuffix("_question")
