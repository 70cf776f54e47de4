"""A few choices side by side, one of them taken: less than tabs, more than a box."""

from __future__ import annotations

from collections.abc import Sequence
from typing import cast

from PySide6.QtCore import Signal
from PySide6.QtWidgets import QButtonGroup, QHBoxLayout, QPushButton, QSizePolicy, QWidget

from gptstudio.gui.widgets.layouts import grows, holding, stacked, vbox
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


class SegmentedPages(QWidget):
    """Pages of which one is shown, with a segment for each above them. Used like a QTabWidget."""

    def __init__(self, name: str, words: Sequence[str], pages: Sequence[QWidget], tip: str = "") -> None:
        super().__init__()
        self.segments = Segments(name, words, tip)
        self._stack = stacked(*pages)
        self.segments.chosen.connect(self._stack.setCurrentIndex)
        holding(self, vbox(self.segments, grows(self._stack), spacing=4, margins=(0, 4, 0, 0)))

    def indexOf(self, page: QWidget) -> int:
        """Return the place of a page; -1 for any other widget."""
        return self._stack.indexOf(page)

    def currentWidget(self) -> QWidget | None:
        return self._stack.currentWidget()

    def setCurrentWidget(self, page: QWidget) -> None:
        self.segments.choose(self.indexOf(page))
