"""Common parts of the dialogs about weights: lines of facts, a labelled progress bar, an error with its details."""

from __future__ import annotations

import time
from collections import deque
from collections.abc import Mapping

from PySide6.QtCore import QSize, Qt, Signal
from PySide6.QtGui import QGuiApplication, QPainter, QPaintEvent
from PySide6.QtWidgets import QGridLayout, QLabel, QProgressBar, QWidget

from gptstudio import log
from gptstudio.gui.translation import duration, size, tr
from gptstudio.gui.widgets.layouts import LEFT, aligned, grows, hbox, holding, vbox
from gptstudio.gui.widgets.parts import Notice, button, label, named, permit, plain, restyle
from gptstudio.gui.widgets.tall import Tall

RATE_OVER_S = 5.0
"""A rate is that of the last few seconds: it follows a line that slows down, and does not flicker."""

LEAST_S = 0.5
SHORTEST_PATH = 24
"""Number of letters of a path that can always be read."""


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
    """A line for each fact: its caption, and beside it what is known; a fact of which nothing is known has no line.

    ``paths``: which of them are paths.
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


class Refusal(Tall):
    """Error message; details for developers can be copied to the clipboard. Also shows a cancellation, which is no
    error."""

    def __init__(self, prefix: str) -> None:
        super().__init__()
        self._details = ""
        self.notice = Notice(f"{prefix}_problem")
        self.copy = button(tr("Copy details"), f"{prefix}_copy_details", tr("To include in a problem report"), "quiet")
        self.copy.clicked.connect(lambda: QGuiApplication.clipboard().setText(log.report([self._details])))
        holding(self, vbox(self.notice, aligned(self.copy, LEFT)))
        self.clear()

    def show_note(self, text: str) -> None:
        self.say(text, role="muted")

    def clear(self) -> None:
        self.say("")

    def say(self, text: str, details: str = "", role: str = "problem") -> None:
        self._details = details
        self.notice.setText(tr(text))
        restyle(self.notice, role=role)
        self.copy.setVisible(bool(details))
        self.setVisible(bool(text))


class Rate:
    """Transfer rate in bytes, from the times at which they arrived."""

    def __init__(self) -> None:
        self._came: deque[tuple[float, int]] = deque()

    def add(self, done: int) -> None:
        now = time.monotonic()
        self._came.append((now, done))
        while now - self._came[0][0] > RATE_OVER_S:
            self._came.popleft()

    @property
    def per_second(self) -> float | None:
        """Bytes; None until there is something to tell it from. What was there already when it began does not count."""
        if not self._came:
            return None
        (began, first), (ended, last) = self._came[0], self._came[-1]
        return (last - first) / (ended - began) if ended - began >= LEAST_S else None


class TransferBar(Tall):
    """A bar, what it is about, and a button to break it off."""

    cancelled = Signal()

    def __init__(self, prefix: str) -> None:
        super().__init__()
        self._what, self._rate = "", Rate()
        self.words = label(role="muted", name=f"{prefix}_progress_words", wrap=True)
        self.bar = named(QProgressBar(), f"{prefix}_progress", tr("Progress"))
        self.bar.setTextVisible(False)
        self.cancel = button(tr("Cancel"), f"{prefix}_cancel", tr("Cancels; no incomplete model is left behind"))
        self.cancel.clicked.connect(self._cancel)
        holding(self, vbox(self.words, hbox(grows(self.bar), self.cancel, spacing=12)))
        self.hide()

    def begin(self, what: str, cancel: bool = True) -> None:
        """Something begins of which nothing is known yet. ``cancel``: it can be broken off."""
        self._what, self._rate = what, Rate()
        self.words.setText(what)
        self.bar.setRange(0, 0)
        permit(self.cancel)
        self.cancel.setVisible(cancel)
        self.show()

    def advance(self, done: int, total: int) -> None:
        if not self.cancel.isEnabled():  # it is being broken off
            return
        self._rate.add(done)
        self.bar.setRange(0, 1000 if done < total else 0)  # what comes after the last byte is not counted in bytes
        self.bar.setValue(round(1000 * done / max(1, total)))
        self.words.setText(_words(self._what, done, total, self._rate.per_second))

    def _cancel(self) -> None:
        permit(self.cancel, tr("It is being cancelled."))
        self.bar.setRange(0, 0)
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
