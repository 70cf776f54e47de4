"""Dialog that asks whether to look for a newer version, and then says what was found."""

from __future__ import annotations

from typing import TYPE_CHECKING

from PySide6.QtCore import Qt, QUrl
from PySide6.QtGui import QDesktopServices
from PySide6.QtWidgets import QLabel, QPlainTextEdit, QPushButton, QWidget

from gptstudio.app import updates
from gptstudio.app.tasks import Task, TaskError, TaskRunner
from gptstudio.gui.fitting import Dialog
from gptstudio.gui.theme import theme
from gptstudio.gui.translation import tr
from gptstudio.gui.widgets.layouts import FREE, grows, hbox, holding, vbox
from gptstudio.gui.widgets.parts import Notice, button, label, named, permit, restyle
from gptstudio.i18n import message

if TYPE_CHECKING:
    from gptstudio.app.release_check import UpdateCheck

LETTERS, NOTES_LINES = 84, 10


class UpdateDialog(Dialog):
    """Nothing is asked of the network before *Check* is pressed. What comes from there is shown as plain text."""

    def __init__(self, over: QWidget, tasks: TaskRunner, address: str) -> None:
        super().__init__(over)
        self.setObjectName("update_dialog")
        self.setWindowTitle(tr("Check for updates"))
        self._tasks, self._address, self._page = tasks, address, ""
        self._task: Task | None = None
        self.about = label(self._question(), name="update_about", wrap=True)
        self.address = _selectable(label(address, "muted", "update_address", wrap=True))
        self.answer = Notice("update_answer", "")
        self.notes = named(QPlainTextEdit(), "update_notes", tr("Notes of the release"))
        self.notes.setReadOnly(True)
        self.notes.hide()
        self.page = _selectable(Notice("update_page", "muted"))
        self.check = button(tr("Check"), "update_check", role="primary", do=self._check)
        self.browse = button(tr("Open releases page"), "update_browse", tr("Opens in the browser"), "primary",
                             self._open_page)
        self.browse.hide()
        self.shut = button(tr("Cancel"), "update_close", do=self.reject)
        self._lay_out()
        theme.dress(self)
        self.ensurePolished()
        self.setMinimumWidth(self.fontMetrics().averageCharWidth() * LETTERS)
        self.notes.setMinimumHeight(self.notes.fontMetrics().lineSpacing() * NOTES_LINES)
        self.finished.connect(self._leave)
        self._offer(self.check)
        self._fit()

    def _check(self) -> None:
        def work(task: Task) -> UpdateCheck:
            from gptstudio.app import release_check  # with urllib, on this thread: nothing else in the window needs it

            return release_check.check(self._address, task.report)

        self._say(tr("Asking {host}…", host=updates.host(self._address)), "muted")
        permit(self.check, tr("The answer has not come yet."))
        self._task = self._tasks.run(
            work, key="check_updates", title=message("Check for updates"), done=self._show, failed=self._show_failure,
            cancelled=self._show_cancelled)

    def _show(self, found: UpdateCheck) -> None:
        self._say(tr(found.words()), "heading" if found.newer else "")
        for part in (self.about, self.address, self.check):
            part.hide()
        self.shut.setText(tr("Close"))
        self.shut.setAccessibleName(tr("Close"))
        if found.newer:
            self._page = found.latest.page
            self.page.setText(self._page)
            self.notes.setPlainText(found.latest.notes)
            self.notes.setVisible(bool(found.latest.notes))
            self.browse.show()
            self._offer(self.browse)
        else:
            self._offer(self.shut)
        self._fit()

    def _show_failure(self, error: TaskError) -> None:
        self._offer_again(tr(error.message), "problem")

    def _show_cancelled(self) -> None:
        self._offer_again(tr("Cancelled. Press Check to ask again."), "muted")

    def _offer_again(self, words: str, role: str) -> None:
        self._say(words, role)
        permit(self.check)
        self._offer(self.check)

    def _offer(self, pressed: QPushButton) -> None:
        """Let Enter and Space press a button."""
        pressed.setDefault(True)
        pressed.setFocus()

    def _say(self, words: str, role: str) -> None:
        self.answer.setText(words)
        restyle(self.answer, role=role)
        self._fit()

    def _fit(self) -> None:
        """Make the dialog as high as its words are at its width, which ``adjustSize`` does not keep to."""
        layout = self.layout()
        if layout:
            layout.activate()
            width = max(self.width(), self.minimumWidth())
            self.resize(width, layout.totalHeightForWidth(width))

    def _open_page(self) -> None:
        QDesktopServices.openUrl(QUrl(self._page))

    def _leave(self) -> None:
        if self._task:
            self._task.forget()

    def _question(self) -> str:
        return tr(
            "When you press Check, GPT Studio asks {host} once, over HTTPS, which release is the latest. The request "
            "says the program's name (User-Agent: GPT Studio) and nothing about you, your texts or your runs; as with "
            "any page, the server sees the network address of this computer. Nothing is downloaded or installed.",
            host=updates.host(self._address))

    def _lay_out(self) -> None:
        holding(self, vbox(
            self.about, self.address, self.answer, grows(self.notes), self.page,
            hbox(FREE, self.shut, self.check, self.browse, spacing=8), spacing=12, margins=(18, 16, 18, 16)))


def _selectable(text: QLabel) -> QLabel:
    text.setTextInteractionFlags(Qt.TextInteractionFlag.TextSelectableByMouse)
    return text
