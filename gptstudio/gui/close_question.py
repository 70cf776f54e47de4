"""The question whether to close the window during training."""

from __future__ import annotations

from PySide6.QtWidgets import QMessageBox, QWidget

from gptstudio.gui.theme import theme
from gptstudio.gui.translation import tr


def may_stop(window: QWidget) -> bool:
    """Ask whether the run may be stopped, and the window closed."""
    question = QMessageBox(
        QMessageBox.Icon.Question, tr("Training is running"),
        tr("Stop training and close? The run is saved after the current step, and you can continue it next time."),
        QMessageBox.StandardButton.Close | QMessageBox.StandardButton.Cancel, window,
    )
    question.setObjectName("close_question")
    theme.dress(question)
    question.setDefaultButton(QMessageBox.StandardButton.Cancel)
    return question.exec() == QMessageBox.StandardButton.Close
