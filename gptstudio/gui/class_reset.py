"""*Reset for the next class*: asks for confirmation, moves the work of a class away, and restarts the program."""

from __future__ import annotations

from collections.abc import Callable
from functools import partial
from pathlib import Path

from PySide6.QtCore import Qt
from PySide6.QtWidgets import QMessageBox, QWidget

from gptstudio.app import class_reset, trash
from gptstudio.app.class_reset import TRASH, ClassWork
from gptstudio.app.tasks import TaskRunner
from gptstudio.errors import UserError, text_of
from gptstudio.gui.question import confirmed
from gptstudio.gui.translation import joined, tr
from gptstudio.i18n import message


def reset(
    window: QWidget, tasks: TaskRunner, target: str, close_then: Callable[[Callable[[], None]], object]
) -> None:
    """Ask for confirmation, and move the work of the class away.

    Args:
        target: folder for a zip, or ``trash``.
        close_then: closes the window, calls a function once everything is saved, and restarts the program.
    """
    try:
        work = class_reset.find()
    except UserError as error:
        _report(window, text_of(error))
        return
    where = tr("All of it is moved to the trash of this computer.") if target == TRASH else tr(
        "All of it is moved into a zip in {folder}.", folder=target)
    words = joined(
        "\n\n", work.summary(), where, tr("GPT Studio then closes, and opens again as it does for a new user."))
    if not confirmed(window, "reset_class", tr("Reset for the next class"), words, tr("Move and restart")):
        return
    if target == TRASH:
        close_then(partial(_move_to_trash, work))
    else:
        tasks.run(
            lambda task: class_reset.pack(work, Path(target), task.report),
            title=message("Packing the work of the class"), failed=lambda error: _report(window, error.message),
            done=lambda path: close_then(partial(class_reset.remove, work, path)))


def _move_to_trash(work: ClassWork) -> None:
    class_reset.forget_learner()
    for part in filter(Path.exists, work.parts):
        trash.move(part)


def _report(window: QWidget, words: str) -> None:
    notice = QMessageBox(
        QMessageBox.Icon.Warning, tr("Reset for the next class"), tr(words), QMessageBox.StandardButton.Ok,
        window)
    notice.setObjectName("reset_class_notice")
    notice.setTextFormat(Qt.TextFormat.PlainText)  # it contains a path
    notice.setAttribute(Qt.WidgetAttribute.WA_DeleteOnClose)
    notice.open()
