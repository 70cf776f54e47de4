"""Base of the dialogs about weights: non-modal, with one background task at a time, for any text size.

Common parts are rows of facts, a progress bar with a text, and an error message with details.
"""

from __future__ import annotations

import time
from collections import deque
from collections.abc import Callable, Mapping
from typing import TYPE_CHECKING, Any

from PySide6.QtCore import QCoreApplication, QEvent, QSize, Qt, Signal, SignalInstance
from PySide6.QtGui import QGuiApplication, QPainter, QPaintEvent, QShowEvent
from PySide6.QtWidgets import QGridLayout, QLabel, QPushButton, QTableView, QWidget

from gptstudio import log
from gptstudio.app.tasks import Task, TaskError, TaskRunner, Work
from gptstudio.gui.appearance import Dialog, on_restyle
from gptstudio.gui.translation import duration, size, tr
from gptstudio.gui.widgets.layouts import FREE, LEFT, HeightForWidth, aligned, fill, grows, hbox, vbox, with_layout
from gptstudio.gui.widgets.parts import (
    Notice,
    ProgressBar,
    button,
    label,
    plain,
    scrolling,
    set_blocker,
)
from gptstudio.i18n import message

if TYPE_CHECKING:
    from gptstudio.training.model_source import ImportedModel

RATE_OVER_S = 5.0
"""Seconds over which a transfer rate is averaged: it follows a connection that slows down, and does not flicker."""

LEAST_S = 0.5
SHORTEST_PATH = 24
"""Number of letters of a path that are always visible."""


class PathText(QLabel):
    """Path in one line, elided in the middle if it is too long; complete in the tooltip and for a screen reader."""

    def show_path(self, path: object) -> None:
        self.setTextFormat(Qt.TextFormat.PlainText)
        self.setText(str(path))
        self.setToolTip(plain(str(path)))

    def paintEvent(self, _event: QPaintEvent) -> None:
        painter = QPainter(self)
        text = self.fontMetrics().elidedText(self.text(), Qt.TextElideMode.ElideMiddle, self.width())
        painter.setPen(self.palette().color(self.foregroundRole()))
        painter.drawText(self.rect(), Qt.AlignmentFlag.AlignLeft | Qt.AlignmentFlag.AlignVCenter, text)

    def minimumSizeHint(self) -> QSize:
        metrics = self.fontMetrics()
        return QSize(min(SHORTEST_PATH, len(self.text())) * metrics.averageCharWidth(), metrics.height())


class Facts(QWidget):
    """Rows of facts, with captions and values; a fact without a value has no row.

    ``paths``: names of the facts that are paths.
    """

    def __init__(self, captions: Mapping[str, str], prefix: str, paths: tuple[str, ...] = ()) -> None:
        super().__init__()
        self.values: dict[str, QLabel] = {}
        self._captions: dict[str, QLabel] = {}
        grid = QGridLayout(self)
        grid.setContentsMargins(0, 0, 0, 0)
        grid.setHorizontalSpacing(16)
        grid.setVerticalSpacing(4)
        grid.setColumnStretch(1, 1)
        for line, (name, caption) in enumerate(captions.items()):
            self._captions[name] = label(caption, "muted")
            self.values[name] = PathText() if name in paths else label(wrap=True)
            self.values[name].setObjectName(f"{prefix}_{name}")
            grid.addWidget(self._captions[name], line, 0, Qt.AlignmentFlag.AlignTop)
            grid.addWidget(self.values[name], line, 1)

    def show_facts(self, **facts: str) -> None:
        for name, value in self.values.items():
            text = facts.get(name, "")
            value.show_path(text) if isinstance(value, PathText) else value.setText(text)
            for part in (value, self._captions[name]):
                part.setVisible(bool(text))


class Refusal(HeightForWidth):
    """Error message, with details for developers that can be copied; also for a cancellation, which is no error."""

    def __init__(self, prefix: str) -> None:
        super().__init__()
        self._details = ""
        self.notice = Notice(f"{prefix}_problem")
        self.copy = button(tr("Copy details"), f"{prefix}_copy_details", tr("To include in a problem report"), "quiet")
        self.copy.clicked.connect(lambda: QGuiApplication.clipboard().setText(log.report([self._details])))
        with_layout(self, vbox(self.notice, aligned(self.copy, LEFT)))
        self.clear()

    def clear(self) -> None:
        self.say("")

    def say(self, text: str, details: str = "", role: str = "problem") -> None:
        self._details = details
        self.notice.say(tr(text), role)
        self.copy.setVisible(bool(details))
        self.setVisible(bool(text))


class Rate:
    """Transfer rate, from the times at which bytes arrived."""

    def __init__(self) -> None:
        self._came: deque[tuple[float, int]] = deque()

    def add(self, done: int) -> None:
        now = time.monotonic()
        self._came.append((now, done))
        while now - self._came[0][0] > RATE_OVER_S:
            self._came.popleft()

    @property
    def per_second(self) -> float | None:
        """Bytes per second; None until enough time has passed. Bytes that were present at the start do not count."""
        if not self._came:
            return None
        (began, first), (ended, last) = self._came[0], self._came[-1]
        return (last - first) / (ended - began) if ended - began >= LEAST_S else None


class TransferBar(HeightForWidth):
    """Progress bar with a text, and a button that cancels the work."""

    cancelled = Signal()

    def __init__(self, prefix: str) -> None:
        super().__init__()
        self._what, self._rate = "", Rate()
        self.words = label(role="muted", name=f"{prefix}_progress_words", wrap=True)
        self.bar = ProgressBar(f"{prefix}_progress")
        self.cancel = button(tr("Cancel"), f"{prefix}_cancel", tr("Cancels; no incomplete model is left behind"),
                             do=self._cancel)
        with_layout(self, vbox(self.words, hbox(grows(self.bar), self.cancel, spacing=12)))
        self.hide()

    def begin(self, what: str, cancel: bool = True) -> None:
        """Show work of unknown length. ``cancel``: whether it can be cancelled."""
        self._what, self._rate = what, Rate()
        self.words.setText(what)
        self.bar.show_progress()
        set_blocker(self.cancel)
        self.cancel.setVisible(cancel)
        self.show()

    def advance(self, done: int, total: int) -> None:
        if not self.cancel.isEnabled():  # it is being cancelled
            return
        self._rate.add(done)
        self.bar.show_progress(done, total if done < total else 0)  # work after the last byte is not measured in bytes
        self.words.setText(_words(self._what, done, total, self._rate.per_second))

    def _cancel(self) -> None:
        set_blocker(self.cancel, tr("It is being cancelled."))
        self.bar.show_progress()
        self.words.setText(tr("Cancelling…"))
        self.cancelled.emit()


def _words(what: str, done: int, total: int, rate: float | None) -> str:
    if done >= total:
        return tr("{what}: checking and writing…", what=what)
    values = {"what": what, "done": size(done), "total": size(total)}
    if not rate or rate < 1:
        return tr("{what}: {done} of {total}", **values)
    left = duration((total - done) / rate)
    return tr("{what}: {done} of {total}, {rate}/s, {left} left", **values, rate=size(rate), left=left)


LETTERS = 96
"""Width of the dialog in letters, comfortable for reading."""
LAYOUT = QEvent.Type.LayoutRequest
EDGE, SPACE = 18, 14
"""Pixels around the content, and between the content and the buttons."""


class WeightsDialog(Dialog):
    """Dialog with one task at a time, not modal, since a download may take an hour; closing it cancels the task."""

    train_requested = Signal(object)  # ImportedModel
    talk_requested = Signal(object)  # ImportedModel
    imported_model = Signal(object)  # ImportedModel

    CANCELLED = message("Cancelled. Nothing was saved.")

    def __init__(self, over: QWidget, tasks: TaskRunner, name: str, title: str) -> None:
        super().__init__(over, f"{name}_dialog", title)
        self._tasks = tasks
        self._window = over.window()
        self._task: Task | None = None
        self.title = label(role="title", name=f"{name}_title", wrap=True)
        self.transfer_bar, self.refusal = TransferBar(name), Refusal(name)
        self.close_button = button(tr("Close"), f"{name}_close", do=self.reject)
        self.body, self._row = vbox(spacing=12), hbox(spacing=8)
        self._scroll = scrolling(with_layout(HeightForWidth(), self.body), f"{name}_scroll")
        self.transfer_bar.cancelled.connect(self.stop)
        on_restyle(self, self._refit)

    def lay_out(self, *parts: QWidget, buttons: tuple[QWidget, ...] = ()) -> None:
        """Place the parts below each other, then progress and error; below, the buttons, the main one at the right."""
        fill(self.body, self.title, *parts, self.transfer_bar, self.refusal, FREE)
        fill(self._row, FREE, self.close_button, *buttons)
        self.assemble(vbox(grows(self._scroll), self._row, spacing=SPACE, margins=(EDGE, EDGE, EDGE, EDGE)))

    @property
    def busy(self) -> bool:
        return self._task is not None

    def run(
        self, work: Work, done: Callable[[Any], object], failed: Callable[[TaskError], object],
        cancelled: Callable[[], object] | None = None, title: str = "",
    ) -> None:
        """Run a task instead of the previous one, whose result is ignored. A task with a title may take minutes."""
        if self._task:
            self._task.forget()
        self._task = self._tasks.run(
            work, title=title, done=done, failed=failed, cancelled=cancelled or self.ended,
            progress=self.transfer_bar.advance, shows_details=True)
        self.close_button.setToolTip(tr("Cancels the current operation first") if title else "")

    def transfer(self, work: Work, done: Callable[[Any], object], title: str, words: str = "") -> None:
        """Run a task that may take minutes, and show its progress. ``words``: text above the bar, else the title."""
        self.run(work, done, self.settle, lambda: self.settle(note=self.CANCELLED), title)
        self.show_state()
        self.transfer_bar.begin(words or title)
        self.transfer_bar.cancel.setFocus()
        self.fit()

    def settle(self, error: TaskError | None = None, note: str = "") -> None:
        """Show the error of a task, or a note, and move the focus to the button to press next."""
        self.ended()
        self.show_state()
        if error:
            self.refusal.say(error.message, error.details)
        elif note:
            self.refusal.say(note, role="muted")
        self.way_on().setDefault(True)
        self.way_on().setFocus()
        self.fit()

    def show_state(self) -> None:
        """Update the texts and buttons; for subclasses."""

    def way_on(self) -> QPushButton:
        """Return the button to press next."""
        return self.close_button

    def ended(self) -> None:
        """Reset the dialog after the task has finished or was stopped."""
        self._task = None
        self.close_button.setToolTip("")
        self.transfer_bar.hide()

    def stop(self) -> None:
        if self._task:
            self._task.cancel()

    def reject(self) -> None:
        self.stop()
        super().reject()

    def showEvent(self, event: QShowEvent) -> None:
        super().showEvent(event)
        self._refit()

    def _refit(self) -> None:
        if self.isVisible():
            self.resize(QSize())
            self.fit()

    def fit(self) -> None:
        """Fit the height to the content and the width to its needs, up to the size of the window; beyond, the content
        scrolls."""
        self.ensurePolished()
        QCoreApplication.sendPostedEvents(None, LAYOUT)  # otherwise parts that were just hidden still take space
        room, beside = self._window.size(), 2 * EDGE
        least = max(self.natural_width(), self._row.minimumSize().width())
        width = max(self.width(), min(least + beside, room.width()))
        self.resize(width, self.height())  # a table that scrolls sideways at this width is higher
        inside = self.body.totalHeightForWidth(width - beside - self._scroll.verticalScrollBar().sizeHint().width())
        below = self._row.sizeHint().height() + SPACE + beside
        self.resize(width, min(inside + below, room.height()))

    def natural_width(self) -> int:
        """Return the preferred inner width: a readable line length, and no table clipped."""
        tables = (table.sizeHint().width() for table in self.findChildren(QTableView))
        bar = self._scroll.verticalScrollBar().sizeHint().width()
        return max(LETTERS * self.fontMetrics().averageCharWidth(), *tables, 0) + bar


class ModelDialog(WeightsDialog):
    """Dialog with buttons that train and generate with a model."""

    def __init__(self, over: QWidget, tasks: TaskRunner, name: str, title: str) -> None:
        super().__init__(over, tasks, name, title)
        self.train = button(tr("Train with it"), f"{name}_train", tr("Starts a run from its weights"))
        self.talk = button(tr("Generate with it"), f"{name}_talk", tr("Selects it on the Generate tab"), "primary")
        self.train.clicked.connect(lambda: self._leave_for(self.train_requested))
        self.talk.clicked.connect(lambda: self._leave_for(self.talk_requested))

    def model(self) -> ImportedModel | None:
        """Return the model of the buttons."""
        raise AssertionError("every dialog with these buttons has a model")

    def _leave_for(self, way: SignalInstance) -> None:
        model = self.model()
        self.accept()
        way.emit(model)


class ImportDialog(ModelDialog):
    """Dialog that imports a model. ``begin``: text and tooltip of the button that imports it."""

    def __init__(self, over: QWidget, tasks: TaskRunner, name: str, title: str, begin: tuple[str, str]) -> None:
        super().__init__(over, tasks, name, title)
        words, tip = begin
        self.imported: ImportedModel | None = None
        self.outcome = label(role="heading", name=f"{name}_outcome", wrap=True)
        self.begin = button(words, f"{name}_begin", tip, "primary")
        self.buttons = self.train, self.begin, self.talk

    def model(self) -> ImportedModel | None:
        return self.imported

    def way_on(self) -> QPushButton:
        return self.talk if self.imported else self.begin

    def show_way(self) -> None:
        """Show either the button that imports the model, or the buttons for using it."""
        there = self.imported is not None
        if self.imported:
            self.outcome.setText(tr("Imported {name}.", name=self.imported.name))
        for part in (self.outcome, self.train, self.talk):
            part.setVisible(there)
        self.begin.setVisible(not there)
        (self.talk if there else self.begin).setDefault(True)

    def show_imported(self, imported: ImportedModel) -> None:
        self.imported = imported
        self.settle()
        self.imported_model.emit(imported)
