"""A few choices side by side, one of them taken: less than tabs, more than a box."""

from __future__ import annotations

from collections.abc import Sequence
from typing import cast

from PySide6.QtCore import Signal
from PySide6.QtWidgets import QButtonGroup, QHBoxLayout, QPushButton, QSizePolicy, QWidget

from gptstudio.gui.widgets.parts import named


class Segments(QWidget):
    """Segmented control; emits the choice that was made."""

    chosen = Signal(int)

    def __init__(self, name: str, words: Sequence[str], tip: str = "") -> None:
        super().__init__()
        self.setToolTip(tip)
        self._group = QButtonGroup(self)
        layout = QHBoxLayout(self)
        layout.setContentsMargins(0, 0, 0, 0)
        layout.setSpacing(0)
        for index, text in enumerate(words):
            made = named(QPushButton(text), f"{name}_{index}", text)
            made.setProperty("role", "segment")
            made.setProperty("first", index == 0)
            made.setCheckable(True)
            made.setAutoDefault(False)
            made.setSizePolicy(QSizePolicy.Policy.Minimum, QSizePolicy.Policy.Expanding)  # letters differ in height
            self._group.addButton(made, index)
            layout.addWidget(made)
        layout.addStretch(1)
        self.setSizePolicy(QSizePolicy.Policy.Preferred, QSizePolicy.Policy.Fixed)
        self._group.button(0).setChecked(True)
        self._group.idToggled.connect(lambda index, on: self.chosen.emit(index) if on else None)

    def index(self) -> int:
        return self._group.checkedId()

    def choose(self, index: int) -> None:
        self._group.button(index).setChecked(True)

    def button(self, index: int) -> QPushButton:
        return cast(QPushButton, self._group.button(index))
