"""The Learn tab: the list of lessons and experiments, and the page of the one that is open."""

from __future__ import annotations

from collections.abc import Sequence
from importlib import import_module
from pathlib import Path

from PySide6.QtCore import QSize, Signal
from PySide6.QtGui import QResizeEvent, QShowEvent
from PySide6.QtWidgets import QFileDialog, QHBoxLayout, QStackedWidget, QVBoxLayout, QWidget

from gptstudio.gui.lab_task import LabAnswer
from gptstudio.gui.learn.contents import Contents
from gptstudio.gui.learn.kit.page import LabPage
from gptstudio.gui.theme import theme
from gptstudio.gui.translation import tr
from gptstudio.gui.widgets.parts import Notice, label
from gptstudio.labs.catalogue import ENTRIES, load
from gptstudio.training.model_source import ModelSource

WIDE = 70
"""From so many heights of a letter on the list stands beside the page; below, it is a box above it."""


class LearnTab(QWidget):
    """Makes each page when it is first opened; hands its questions out, and the answers in."""

    requested = Signal(object)  # LabTask
    lesson_requested = Signal(Path)
    opened = Signal(str)

    def __init__(self) -> None:
        super().__init__()
        self.setObjectName("learn")
        self._pages: dict[str, LabPage] = {}
        self._sources: tuple[Sequence[ModelSource], str] = ((), "auto")
        self.contents = Contents()
        self.notice = Notice("learn_notice")
        self.pages = QStackedWidget()
        self.contents.lab_chosen.connect(self.open)
        self.contents.lesson_chosen.connect(self._lesson_chosen)
        self._lay_out()
        theme.changed.connect(self._fit)

    @property
    def current(self) -> LabPage | None:
        """The page that is shown."""
        shown = self.pages.currentWidget()
        return shown if isinstance(shown, LabPage) else None

    def page(self, name: str) -> LabPage:
        """The page of a lab, made if need be; its first question is asked by then."""
        if name not in self._pages:
            page: LabPage = import_module(f"gptstudio.gui.learn.{name}").Page(load(name))
            self._pages[name] = page
            self.pages.addWidget(page)
            page.requested.connect(self.requested)
            page.set_sources(*self._sources)
            page.begin()
        return self._pages[name]

    def open(self, name: str) -> None:
        """Shows the page of a lab."""
        self.pages.setCurrentWidget(self.page(name))
        self.contents.show_chosen(name)
        self.opened.emit(name)

    def showEvent(self, event: QShowEvent) -> None:
        super().showEvent(event)
        if not self.current:  # something stands there when the tab is first seen
            self.open(next(iter(ENTRIES)))

    def take(self, answer: LabAnswer) -> None:
        """The answer to what a page asked."""
        self.page(answer.task.lab.name).take(answer)

    def set_sources(self, sources: Sequence[ModelSource], device: str) -> None:
        """Which models the pages can be about, and where these compute."""
        self._sources = sources, device
        for page in self._pages.values():
            page.set_sources(*self._sources)

    def primary(self) -> None:
        """Ctrl+Enter: the book's input again."""
        if self.current:
            self.current.reset()

    def stop(self) -> None:
        """Nothing here runs on."""

    def _lesson_chosen(self, path: Path | None) -> None:
        if path is None:
            chosen, _ = QFileDialog.getOpenFileName(self, tr("Open a lesson"), "", tr("Lessons (*.toml *.gptlesson)"))
            path = Path(chosen) if chosen else None
        if path:
            self.lesson_requested.emit(path)

    # Putting together.

    def _lay_out(self) -> None:
        right = QVBoxLayout()
        right.addWidget(self._above())
        right.addWidget(self.notice)
        right.addWidget(self.pages, 1)
        layout = QHBoxLayout(self)
        layout.setContentsMargins(16, 14, 16, 14)
        layout.setSpacing(14)
        layout.addWidget(self._beside())
        layout.addLayout(right, 1)
        self._fit()

    def _beside(self) -> QWidget:
        """The list, and above it what there is to find."""
        welcome = label(
            tr("A lesson guides you step by step. Or open any experiment and change what you like: nothing can break."),
            "muted", "learn_welcome", wrap=True)
        self.beside = QWidget()
        column = QVBoxLayout(self.beside)
        column.setContentsMargins(0, 0, 0, 0)
        column.addWidget(welcome)
        column.addWidget(self.contents, 1)
        return self.beside

    def _above(self) -> QWidget:
        """Create the box above the page, for narrow windows."""
        self.above = QWidget()
        row = QHBoxLayout(self.above)
        row.setContentsMargins(0, 0, 0, 0)
        row.addWidget(label(tr("Lesson or experiment"), "muted"))
        row.addWidget(self.contents.box, 1)
        return self.above

    def resizeEvent(self, event: QResizeEvent) -> None:
        super().resizeEvent(event)
        self._fit()

    def minimumSizeHint(self) -> QSize:
        """The page decides; the list gives way to a box."""
        page = self.current.minimumSizeHint() if self.current else QSize()
        return QSize(page.width() + 32, page.height() + 80)

    def _fit(self) -> None:
        wide = self.width() >= WIDE * self.fontMetrics().height()
        self.beside.setVisible(wide)
        self.above.setVisible(not wide)
