"""Controls shared by forms: segments, a fold, and a field for a long text."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import cast

from PySide6.QtCore import QMimeData, Signal
from PySide6.QtWidgets import (
    QApplication,
    QButtonGroup,
    QPlainTextEdit,
    QPushButton,
    QSizePolicy,
    QWidget,
)

from gptstudio.gui.appearance import ancestors
from gptstudio.gui.translation import tr
from gptstudio.gui.widgets.layouts import FREE, fill, grows, hbox, stacked, vbox, with_layout
from gptstudio.gui.widgets.parts import button, named


class Fold:
    """Parts that a quiet button shows or hides. A part that is needed or in use stays visible while the others are
    folded.

    The widget around the parts has the fold as its attribute ``fold``, so that :func:`unfold_around` finds it.

    Attributes:
        button: shows all parts, or only the parts that are needed.
    """

    def __init__(self, name: str, more: str, fewer: str) -> None:
        """Create the button. ``more``, ``fewer``: its text while the parts are folded, and while they are not."""
        self._words = more, fewer
        self._needed: dict[QWidget, Callable[[], bool]] = {}
        self._left_out: set[QWidget] = set()
        self._open = False
        self.button = button(more, name, tr("Shows or hides the settings that are seldom changed"), "quiet")
        self.button.setCheckable(True)
        self.button.clicked.connect(self.unfold)

    def add(self, part: QWidget, needed: Callable[[], bool] = lambda: False) -> None:
        """Add a part that is already in a layout. ``needed``: returns whether to show the part while the others are
        folded."""
        self._needed[part] = needed
        self.fit()

    def leave_out(self, part: QWidget, out: bool) -> None:
        """Set whether a part is always hidden."""
        (self._left_out.add if out else self._left_out.discard)(part)
        self.fit()

    def unfold(self, show: bool = True) -> None:
        """Show all parts, or only the parts that are needed."""
        self._open = show
        self._show(lambda _: False)

    def fit(self, hides: bool = True) -> None:
        """Show the parts that are needed. ``hides``: also hide the others, unless they contain the focus."""
        focus = QApplication.focusWidget()
        self._show(lambda part: bool(focus and part.isAncestorOf(focus)) or not (hides or part.isHidden()))

    def _show(self, stays: Callable[[QWidget], bool]) -> None:
        """Show the parts that are needed and the parts for which ``stays`` returns True."""
        shown = {
            part: part not in self._left_out and (self._open or needed() or stays(part))
            for part, needed in self._needed.items()}
        for part, show in shown.items():
            part.setVisible(show)
        whole = self._open or (bool(shown) and all(shown.values()))
        self.button.setChecked(whole)
        self.button.setText(self._words[whole])

    def unfold_for(self, widget: QWidget) -> None:
        """Show all parts if a widget is in a hidden part."""
        if any(part.isHidden() and (part is widget or part.isAncestorOf(widget)) for part in self._needed):
            self.unfold()


def unfold_around(widget: QWidget) -> None:
    for around in (widget, *ancestors(widget)):
        if isinstance(fold := getattr(around, "fold", None), Fold):
            fold.unfold_for(widget)


class Segments(QWidget):
    """Segmented control that emits the selected index."""

    chosen = Signal(int)

    def __init__(self, name: str, words: Sequence[str], tip: str = "") -> None:
        super().__init__()
        self.setToolTip(tip)
        self._group = QButtonGroup(self)
        layout = hbox(spacing=0)
        for index, text in enumerate(words):
            made = named(QPushButton(text), f"{name}_{index}", text)
            made.setProperty("role", "segment")
            made.setProperty("first", index == 0)
            made.setCheckable(True)
            made.setAutoDefault(False)
            made.setSizePolicy(QSizePolicy.Policy.Minimum, QSizePolicy.Policy.Expanding)  # scripts differ in height
            self._group.addButton(made, index)
            layout.addWidget(made)
        with_layout(self, fill(layout, FREE))
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
    """Pages shown one at a time, selected by segments above them. Used like a QTabWidget."""

    def __init__(self, name: str, words: Sequence[str], pages: Sequence[QWidget], tip: str = "") -> None:
        super().__init__()
        self.segments = Segments(name, words, tip)
        self._stack = stacked(*pages)
        self.segments.chosen.connect(self._stack.setCurrentIndex)
        with_layout(self, vbox(self.segments, grows(self._stack), spacing=4, margins=(0, 4, 0, 0)))

    def indexOf(self, page: QWidget) -> int:
        """Return the index of a page; -1 for any other widget."""
        return self._stack.indexOf(page)

    def currentWidget(self) -> QWidget | None:
        return self._stack.currentWidget()

    def setCurrentWidget(self, page: QWidget) -> None:
        self.segments.choose(self.indexOf(page))


LONGEST = 15_000
"""Maximum number of characters: about 3,700 tokens. On a slow processor, a single word of that length takes 20 ms to
lay out after each keystroke; a word of 20,000 characters takes 36 ms, one of 100,000 a second."""


class TextEdit(QPlainTextEdit):
    """Text field that keeps the end of pasted or dropped text, because a model continues from there."""

    shortened = Signal(int)
    """Emitted with the number of characters removed from the start of a pasted text."""

    def insertFromMimeData(self, source: QMimeData) -> None:
        text = source.text()
        kept = self.document().characterCount() - 1 - len(self.textCursor().selectedText())
        over = max(0, kept + len(text) - LONGEST)
        self.insertPlainText(text[over:])
        self.ensureCursorVisible()
        if over:
            self.shortened.emit(min(over, len(text)))


def too_long(count: int) -> str:
    """Return the message that ``count`` characters were left out."""
    return tr("This field holds up to {most} characters. Characters left out from the start of the pasted text: {n}.",
              most=f"{LONGEST:,}", n=f"{count:,}")
