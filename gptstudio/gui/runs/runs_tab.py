"""The Runs tab: what was trained so far, laid over each other, and what can be done with each run."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import replace
from pathlib import Path
from typing import Any

from PySide6.QtCore import QPoint, Qt, Signal
from PySide6.QtGui import QHideEvent, QShowEvent
from PySide6.QtWidgets import QHBoxLayout, QProgressBar, QSplitter, QVBoxLayout, QWidget

from gptstudio.gui import answers_runs as answers
from gptstudio.gui.answers_runs import Library, RunEntry
from gptstudio.gui.charts.readout import number
from gptstudio.gui.charts.run_curves import AXES, KINDS, Overlaid
from gptstudio.gui.following import Following
from gptstudio.gui.runs.no_runs import NoRuns
from gptstudio.gui.runs.run_actions import FOR_ONE, RunActions, reasons
from gptstudio.gui.runs.run_compare import RunCompare
from gptstudio.gui.runs.run_list import RunList
from gptstudio.gui.runs.run_list_model import RunListModel
from gptstudio.gui.runs.run_operations import RunOperations
from gptstudio.gui.runs.run_table import RunTable
from gptstudio.gui.translation import retranslated, tr
from gptstudio.gui.widgets.parts import card, label, named, restyle
from gptstudio.history.comparison import DifferingSetting, differences
from gptstudio.training.events import Ended, RunStarted


class RunsTab(QWidget):
    """List of runs; follows the checked ones, including those of other processes. Its jobs do the reading."""

    requested = Signal(object)  # Job of moments
    open_requested = Signal(object)  # Listed
    talk_requested = Signal(object)  # Path of a checkpoint
    train_requested = Signal()
    runs_changed = Signal()
    """Runs were renamed, added or deleted."""

    def __init__(self) -> None:
        super().__init__()
        self.training = False
        """True if this window is training."""
        self._own: Path | None = None  # the run that it trains
        self._library = Library()
        self._shown_first = self._listing = False
        self._unreadable = ""
        self._overlaid: list[Overlaid] = []
        self._rows: list[DifferingSetting] = []  # in what they differ
        self._x: float | None = None  # where the pointer is in the charts
        self._following = Following(self._library, self)
        self._make_parts()
        self._lay_out()
        self._connect()
        self._show_state()

    # Input from the window.

    def apply(self, messages: Iterable[Any]) -> None:
        """Take the answers of the worker, and paint once."""
        grown = False
        for message in messages:
            if isinstance(message, (answers.Grown, answers.JournalsChecked)):
                grown |= self._grow(message)
            else:
                self._take(message)
        if grown:
            self.compare.refresh()
            self._show_values()

    def take_training(self, messages: Iterable[Any]) -> None:
        """Hears when this window's own run begins and ends."""
        for message in messages:
            if isinstance(message, (RunStarted, Ended)):
                self.training = isinstance(message, RunStarted)
                self._own = Path(message.run) if isinstance(message, RunStarted) else None
                self.refresh()
                self._show_state()

    def refresh(self) -> None:
        """Ask for the list again, if anybody sees it."""
        if self.isVisible():
            self.requested.emit(self._library.list)

    def leave(self) -> None:
        """The window is going: nothing is followed from here on, and what takes long is broken off."""
        self._following.stop()
        self.operations.stop()

    def primary(self) -> None:
        self.actions_by_name["open"].trigger()

    def stop(self) -> None:
        self.operations.stop()

    # Answers of the background worker.

    def _take(self, message: Any) -> None:
        match message:
            case answers.RunsListed():
                if self._listing:
                    self._listing = False
                    self.progress.hide()
                    self._say("")
                self._report_unreadable("\n".join(message.unreadable))
                self._show_list([self._as_known(run) for run in message.runs])
            case answers.RunChanged():
                self.model.change(self._as_known(message.run))
                self._look_for_differences()
                self._show_state()
            case answers.Advanced():
                self.progress.setRange(0, 1000)
                self.progress.setValue(round(1000 * message.share))
                self.progress.show()
                self._say(message.words)
                self._listing = isinstance(message, answers.Listing)
            case answers.Chosen():
                self.talk_requested.emit(message.checkpoint)
            case answers.Done():
                self._show_done(message)

    def _show_list(self, runs: list[RunEntry]) -> None:
        self.model.set_runs(runs)
        if runs and not self._shown_first:  # so that there is something to look at
            self._shown_first = True
            newest = max(runs, key=lambda run: run.summary.record.created)
            self.list.select(newest.path)
            self.model.tick(newest.path, True)
        self._turn_page(self.full if runs else self.empty)
        self._show_state()
        self._following.check_again()
        self._follow()

    def _report_unreadable(self, words: str) -> None:
        """Report runs that cannot be listed; once, until they change."""
        if words != self._unreadable:
            self._unreadable = words
            self._say(words, "problem")

    def _as_known(self, run: RunEntry) -> RunEntry:
        """Return the run, as live if this window trains it, even if its folder was moved away and created again."""
        return replace(run, state="live") if self.training and run.path == self._own else run

    def _turn_page(self, page: QWidget) -> None:
        """Show the runs, or that there are none yet; the keyboard goes along."""
        here, other = (self.list, self.empty.to_train) if page is self.full else (self.empty.to_train, self.list)
        had_focus = other.hasFocus()
        self.full.setVisible(page is self.full)
        self.empty.setVisible(page is self.empty)
        self.setFocusProxy(here)
        if had_focus:
            here.setFocus()

    def _show_done(self, message: answers.Done) -> None:
        self.progress.hide()
        self._say(message.words, "problem" if message.problem else "muted")
        self.refresh()
        self.runs_changed.emit()

    def _say(self, words: str, role: str = "muted") -> None:
        self.notice.setText(words)
        self.notice.setVisible(bool(words))
        restyle(self.notice, role=role)

    # Following.

    def _ticked(self) -> None:
        """Follow the ticked runs from their beginning, and let go of the others."""
        ticked = self.model.ticked_runs()
        overlaid = [Overlaid(run.path, run.summary.title, self.model.ticks[run.path]) for run in ticked]
        if overlaid != self._overlaid:
            self._overlaid = overlaid
            self._following.follow(ticked)
            self.compare.set_runs(overlaid)
            self._show_differences()
        self._look_for_differences()
        self._show_state()
        self._follow()

    def _differences(self) -> list[DifferingSetting]:
        ticked = [run.summary for run in self.model.ticked_runs()]
        return differences([run.record for run in ticked], [run.figures.rates for run in ticked]) if ticked else []

    def _look_for_differences(self) -> None:
        """A setting may have been changed while a run goes on."""
        if self._differences() != self._rows:
            self._show_differences()

    def _show_differences(self) -> None:
        rows = self._rows = self._differences()
        named = [(tr(row.label), [retranslated(value) for value in row.values]) for row in rows]
        self.table.show_runs(self._overlaid, named)
        self.differ.setText(_differ_words(len(self._overlaid), len(rows)))
        self._show_values()

    def retranslate(self) -> None:
        """In another language."""
        self._show_differences()
        self._show_state()

    def _grow(self, message: answers.Grown | answers.JournalsChecked) -> bool:
        """Take new points; return whether there is something to be drawn."""
        news = self._following.take(message)
        if news and isinstance(message, answers.Grown):
            self.compare.take(message)
        return news

    def _follow(self) -> None:
        if self.isVisible():
            self._following.start()

    def showEvent(self, event: QShowEvent) -> None:
        super().showEvent(event)
        if not event.spontaneous():
            self.refresh()
            self._follow()

    def hideEvent(self, event: QHideEvent) -> None:
        super().hideEvent(event)
        if not event.spontaneous():
            self._following.stop()

    # Display.

    def _point(self, x: float | None) -> None:
        self._x = x
        self._show_values()

    def _show_values(self) -> None:
        """Show the values of all runs at the pointer, or at their ends."""
        x = self._x
        values = [self.compare.readings(run.path, x) for run in self._overlaid]
        kinds = [(name, tr(KINDS[name].words)) for name in self.compare.shown()]
        self.table.show_values([(words, [each.get(name, "–") for each in values]) for name, words in kinds])
        axis = tr(AXES[self.compare.axis])
        where = tr("Values at the end") if x is None else tr("{axis} {x}", axis=axis, x=number(x))
        self.where.setText(tr("{where}, smoothed", where=where) if self.compare.smoothing.value() else where)

    def _show_state(self) -> None:
        run = self.list.current()
        off = reasons(run, len(self.model.ticks), self.training)
        if run and self.training and run.path != self._own:
            off["open"] = tr("The Train tab shows the run that this window is training.")
        self.actions_by_name.show_state(off)

    def _open(self) -> None:
        run = self.list.current()
        if run and run.path == self._own:
            self.train_requested.emit()
        elif run:
            self.open_requested.emit(run)

    def _menu(self, where: QPoint) -> None:
        self.context_menu.popup(self.list.viewport().mapToGlobal(where))

    # Putting together.

    def _make_parts(self) -> None:
        self.model = RunListModel()
        self.list = RunList(self.model)
        self.compare = RunCompare()
        self.table = RunTable()
        self.operations = RunOperations(self, self.list.current, self.model.ticked_runs, self.compare)
        self.actions_by_name = RunActions(
            self, self.list, {"open": self._open, "rename": self.list.rename, **self.operations.handlers()}
        )
        self.context_menu = self.actions_by_name.menu(FOR_ONE, self)
        self.notice = label(role="muted", name="runs_notice", wrap=True)
        self.notice.hide()
        self.progress = named(QProgressBar(), "runs_progress", tr("Progress"))
        self.progress.setTextVisible(False)
        self.progress.hide()
        self.differ = label(role="heading", name="runs_differ")
        self.where = label(role="muted", name="runs_where")
        self.empty = NoRuns(self.actions_by_name.button("add"), self.actions_by_name.button("import"))
        self.empty.hide()

    def _connect(self) -> None:
        self._following.requested.connect(self.requested)
        self.operations.requested.connect(self.requested)
        self.operations.done.connect(self._show_done)
        self.empty.to_train.clicked.connect(self.train_requested)
        self.model.ticked.connect(self._ticked)
        self.model.renamed.connect(self.operations.rename)
        self.list.chosen.connect(self._show_state)
        self.list.doubleClicked.connect(lambda _: self.actions_by_name["open"].trigger())
        self.list.customContextMenuRequested.connect(self._menu)
        self.compare.pointed.connect(self._point)
        self.compare.changed.connect(lambda: self._point(None))  # x may mean another thing now

    def _lay_out(self) -> None:
        layout = QVBoxLayout(self)
        layout.setContentsMargins(16, 14, 16, 14)
        layout.setSpacing(10)
        self.full = QWidget()
        inside = QVBoxLayout(self.full)
        inside.setContentsMargins(0, 0, 0, 0)
        inside.setSpacing(10)
        inside.addLayout(self.actions_by_name.bar())
        splitter = QSplitter(Qt.Orientation.Vertical)
        splitter.setChildrenCollapsible(False)
        splitter.setHandleWidth(10)
        splitter.addWidget(_carded("runs_list_card", self.list))
        splitter.addWidget(_carded("runs_compare_card", self.compare))
        splitter.addWidget(_carded("runs_table_card", self.table, head=self._over_table()))
        splitter.setStretchFactor(1, 1)
        inside.addWidget(splitter, 1)
        self.setFocusProxy(self.list)
        layout.addWidget(self.full, 1)
        layout.addWidget(self.empty, 1)
        layout.addWidget(self.progress)  # below: what comes and goes moves no button from under the pointer
        layout.addWidget(self.notice)

    def _over_table(self) -> QWidget:
        line = QWidget()
        inside = QHBoxLayout(line)
        inside.setContentsMargins(0, 0, 0, 0)
        inside.addWidget(self.differ)
        inside.addStretch(1)
        inside.addWidget(self.where)
        return line


def _carded(name: str, part: QWidget, head: QWidget | None = None) -> QWidget:
    frame, inside = card(name)
    if head:
        inside.addWidget(head)
    inside.addWidget(part, 1)
    return frame


def _differ_words(runs: int, settings: int) -> str:
    if not runs:
        return tr("Select runs with their check boxes to overlay their curves.")
    if runs == 1:
        return tr("One run is selected")
    if not settings:
        return tr("Same settings in all {n} runs", n=runs)
    return tr("Differences between these {n} runs", n=runs)
