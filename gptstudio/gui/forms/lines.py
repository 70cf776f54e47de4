"""Several texts, one per line."""

from __future__ import annotations

from collections.abc import Sequence

from PySide6.QtCore import QSize, Signal
from PySide6.QtWidgets import QPlainTextEdit, QSizePolicy

SHOWN = 3
"""Lines that are seen without scrolling."""


class Lines(QPlainTextEdit):
    """Editor of texts, each on a line of its own; empty lines do not count."""

    edited = Signal()

    def __init__(self) -> None:
        super().__init__()
        self.setTabChangesFocus(True)
        self.setLineWrapMode(QPlainTextEdit.LineWrapMode.NoWrap)
        self.setSizePolicy(QSizePolicy.Policy.Expanding, QSizePolicy.Policy.Fixed)
        self.textChanged.connect(self.edited)

    def value(self) -> tuple[str, ...]:
        return tuple(line for line in self.toPlainText().split("\n") if line.strip())

    def set_value(self, texts: Sequence[str]) -> None:
        self.setPlainText("\n".join(texts))

    def sizeHint(self) -> QSize:
        return QSize(super().sizeHint().width(), SHOWN * self.fontMetrics().lineSpacing() + 28)

    def minimumSizeHint(self) -> QSize:
        return QSize(80, self.sizeHint().height())
