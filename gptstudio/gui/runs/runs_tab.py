"""Runs page: the list of runs with its commands, their curves in common charts, and a second view for the sweeps.

The questions and file dialogs of the commands are here, the work itself is elsewhere.
"""

from __future__ import annotations

import os
import time
from collections.abc import Callable, Sequence
from dataclasses import replace
from functools import partial
from pathlib import Path

from PySide6.QtCore import QObject, QPointF, QRect, QRectF, QSize, Qt, QTimer
from PySide6.QtGui import QHideEvent, QPainter, QShowEvent, QTextCharFormat, QTextLayout
from PySide6.QtWidgets import QFileDialog, QPushButton, QSizePolicy, QSplitter, QVBoxLayout, QWidget

from gptstudio.app import run_tasks
from gptstudio.app.run_tasks import ListedRuns
from gptstudio.app.state import AppState, storable, storable_name
from gptstudio.errors import UserError, text_of
from gptstudio.gui.actions import COPIES, Actions
from gptstudio.gui.canvas.canvas import Canvas
from gptstudio.gui.charts.run_curves import Overlaid
from gptstudio.gui.controllers.library import LibraryController, Operation
from gptstudio.gui.controllers.sweeps import SweepController
from gptstudio.gui.controllers.training import TrainingController
from gptstudio.gui.forms.controls import Segments
from gptstudio.gui.question import chosen, confirmed
from gptstudio.gui.runs.run_compare import RunCompare, RunDifferences
from gptstudio.gui.runs.run_list import RunList, RunListModel, title_of
from gptstudio.gui.runs.sweeps import SweepDialog, SweepView
from gptstudio.gui.save_as import ask_where, report_saved, save_as, show_folder
from gptstudio.gui.theme import colour
from gptstudio.gui.translation import joined, size, tr
from gptstudio.gui.widgets.layouts import FREE, TOP, Flow, Item, aligned, card, fill, grows, hbox, vbox, with_layout
from gptstudio.gui.widgets.parts import Notice, ProgressBar, button, label, plain
from gptstudio.gui.widgets.text_views import laid_out, line_height, mark_copied, units
from gptstudio.history.comparison import same_vocabulary, shown_name
from gptstudio.history.journal_reader import NewEvents
from gptstudio.history.summary import RunSummary
from gptstudio.i18n import message
from gptstudio.training.events import Copy
from gptstudio.training.run_folder import RunFolder
from gptstudio.training.sweep_runner import SweepFolder

LINES = 2


class LastSample(Canvas):
    """Beginning of the last sample of a run, with copied text marked as on Train; the height is constant."""

    def __init__(self) -> None:
        super().__init__("runs_sample", pointable=False)
        self._head = self._text = ""
        self._copies: tuple[Copy, ...] = ()
        self.setSizePolicy(QSizePolicy.Policy.Ignored, QSizePolicy.Policy.Fixed)
        self.show_run(None)

    def show_run(self, run: RunSummary | None) -> None:
        """Show the last sample of a run; None if no run is selected."""
        figures = run.figures if run else None
        self._text = figures.sample.replace("\n", " ") if figures else ""
        self._copies = figures.sample_copies if figures else ()
        self._head = "" if figures is None else tr(
            "Last sample, step {n}:", n=f"{figures.sample_step + 1:,}") if self._text else tr("This run has no sample.")
        self.setAccessibleName(self._head)
        self.setAccessibleDescription(self._text)
        self.setToolTip(plain(self._text))
        self.update()

    def minimumSizeHint(self) -> QSize:
        return QSize(200, LINES * line_height(tr("This run has no sample."), self.font()))

    def paint(self, painter: QPainter, _region: QRect) -> None:
        painter.setPen(colour("text"))
        lines = laid_out(f"{self._head} {self._text}", self.font(), self.width(), self._formats())
        last = lines.lineAt(min(LINES, lines.lineCount()) - 1)
        painter.setClipRect(QRectF(0, 0, self.width(), last.y() + last.height()))  # Latin lines are lower than Chinese
        lines.draw(painter, QPointF())

    def _formats(self) -> list[QTextLayout.FormatRange]:
        head, copied = QTextCharFormat(), QTextCharFormat()
        head.setForeground(colour("muted"))
        mark_copied(copied)
        first, length = units(self._head) + 1, units(self._text)
        made = [_range(0, first, head)]
        for each in self._copies:
            start, stop = units(self._text[:each.start]), min(units(self._text[:each.stop]), length)
            if start < stop:
                made.append(_range(first + start, stop - start, copied))
        return made


def _range(start: int, length: int, style: QTextCharFormat) -> QTextLayout.FormatRange:
    made = QTextLayout.FormatRange()
    made.start, made.length, made.format = start, length, style
    return made


class NoRuns(QWidget):
    """Page that is shown without runs: a text, and buttons for getting a first run."""

    def __init__(self, *others: QPushButton) -> None:
        """``others``: buttons besides the one for training."""
        super().__init__()
        self.to_train = button(tr("Train a model"), "runs_to_train", role="primary")
        words = tr("Every run that you train, here or with gptstudio train, is saved and listed on this page.")
        explained = label(words, "muted", wrap=True)
        explained.setAlignment(Qt.AlignmentFlag.AlignHCenter)
        title = aligned(label(tr("No runs yet"), "heading"), Qt.AlignmentFlag.AlignHCenter)
        ways = hbox(FREE, self.to_train, *others, FREE, margins=(0, 8, 0, 0))
        fill(QVBoxLayout(self), Item(None, 2), title, explained, ways, Item(None, 3))


class RunOperations(QObject):
    """Commands on the selected run, and on the charts of the checked runs."""

    def __init__(
        self, parent: QWidget, state: AppState, library: LibraryController, training: TrainingController,
        sweeps: SweepController, compare: RunCompare,
    ):
        super().__init__(parent)
        self._over, self._state, self._library, self._training = parent, state, library, training
        self._sweeps, self._compare = sweeps, compare

    def rename(self, run: RunSummary, title: str) -> None:
        self._library.operate(lambda _: run.folder.rename(title))

    @property
    def run(self) -> RunSummary:
        if self._state.selected_run is None:
            raise RuntimeError("the actions are off where no run is selected")
        return self._state.selected_run

    # On the selected run.

    def plan_sweep(self) -> None:
        run = self.run
        SweepDialog(self._over.window(), self._sweeps, run.record.spec, run.folder).show()

    def delete(self) -> None:
        run = self.run
        details = tr("Size: {size}. Location: {path}", size=size(run.size_bytes), path=run.path)
        words = tr("Move “{run}” to the trash?", run=title_of(run))
        if confirmed(self._over, "run_delete", tr("Move run to trash"), words, tr("Move to trash"), details):
            self._library.move_to_trash(run.folder, run.title)

    def take_off(self) -> None:
        path = self.run.path
        self._library.operate(lambda _: run_tasks.take_off(path))

    def show_folder(self) -> None:
        show_folder(self.run.path)

    def add(self) -> None:
        path = QFileDialog.getExistingDirectory(self._over, tr("Choose a run folder"))
        if path:
            self.take_in(Path(path))

    def take_in(self, path: Path) -> None:
        """Add a run's folder to the list, or import a packed run."""
        self._state.remember_file(str(path))
        if os.path.isdir(path):
            self._library.operate(lambda _: run_tasks.add(path))
        else:
            self._library.operate(
                lambda task: run_tasks.unpack(path, task.report), message("Unpacking {name}", name=path.name))

    def unpack(self) -> None:
        path, _ = QFileDialog.getOpenFileName(self._over, tr("Import a run from a zip"), "", tr("Zip (*.zip)"))
        if path:
            self.take_in(Path(path))

    def save_csv(self) -> None:
        runs = [(title_of(run), run.folder) for run in self._state.checked_runs]
        self._write("runs.csv", lambda path: lambda _: run_tasks.write_csv(runs, path))

    def save_zip(self, shown: RunFolder | None = None) -> None:
        """Ask for a file, and pack a run into it. ``shown``: run that Train shows, used instead of the selected one."""
        run = shown or self.run.folder
        try:
            options = {contents: tr(words) for contents, words in run_tasks.packing_choices(run).items()}
        except UserError as error:
            if shown:
                self._training.say(text_of(error))
            else:
                self._library.done.emit(text_of(error), True)
            return
        contents = chosen(self._over, "run_zip", tr("Run as zip"), tr("What should the zip contain?"),
                          tr("Save…"), options)
        if not contents:
            return
        self._write(f"{run.name}.zip", lambda path: lambda task: run_tasks.pack(run, path, contents, task.report),
                    message("Packing {name}", name=shown_name(run)), self._training.operate if shown else None)

    def save_script(self) -> None:
        run = self.run.folder
        self._write(f"{run.name}.py", lambda path: lambda _: run_tasks.write_script(run, path))

    def _write(
        self, name: str, work: Callable[[Path], Operation], title: str = "",
        operate: Callable[..., object] | None = None,
    ) -> None:
        """Ask for a file, and write it on another thread."""
        over = self._over.window()
        if path := ask_where(over, name):
            (operate or self._library.operate)(work(path), title, partial(report_saved, over, path))

    def save_chart(self, kind: str) -> None:
        def write(path: Path) -> str:
            return message("Saved {path}", path=", ".join(map(str, self._compare.save(path))))

        if self._compare.shown_charts():
            save_as(self._over, f"runs.{kind}", write, lambda words: self._library.done.emit(words, bool(words)))
        else:
            self._library.done.emit(message("No chart is shown. Choose curves with Curves first."), True)


OFTEN = ("run_open", "run_go_on", "run_again", "run_talk")
MORE = ("run_longer", "run_sweep", None, "run_rename", "run_delete", "run_restore", "run_take_off", "run_show", None,
        *COPIES)
EXPORTS = ("run_csv", "run_svg", "run_png", None, "run_report", "run_zip", "run_script")
POLL_MS, LONGEST_POLL_MS, POLL_SHARE = 3_000, 15_000, 0.1
"""Milliseconds until the list is read again, doubled each time that nothing has changed, up to the longest; more if
reading takes more than this share of the time."""
FOR_ONE = (*OFTEN, None, *MORE, None, *EXPORTS[-3:])
"""Commands in the context menu of the list."""


RUNS, SWEEPS = range(2)


class RunsTab(QWidget):
    """Page with the list of runs. It follows the checked runs, also of other processes; the library reads them."""

    def __init__(
        self, state: AppState, library: LibraryController, training: TrainingController, sweeps: SweepController,
        actions: Actions,
    ) -> None:
        super().__init__()
        self._state, self._library, self._training, self._actions = state, library, training, actions
        self._sweeps = sweeps
        self._shown_first = self._listing = False
        self._unreadable = ""
        self._asked_at = time.monotonic()  # time at which the list was requested
        self._poll = QTimer(self, singleShot=True)  # other programs and windows write runs, too
        self._poll_ms = POLL_MS
        self._wanted: Path | None = None  # run to be selected once it is listed
        self._ended: list[Path] = []  # runs of this window, to be checked once they are listed
        self._following = library.following
        self._make_parts()
        self._lay_out()
        self._connect()

    def refresh(self, silently: bool = False, anyway: bool = False) -> None:
        """Request the list again, if the page is visible or ``anyway``."""
        self._poll.stop()
        if anyway or (self.isVisible() and not self._state.minimised):
            self._asked_at = time.monotonic()
            self._library.list_runs(silently)

    def _note_ended(self, run: Path) -> None:
        """Check a run of this window as soon as it is listed."""
        self._ended.append(run)
        self.refresh(silently=True)

    # Results of the library.

    def _take_list(self, found: ListedRuns) -> None:
        if self._listing:
            self._listing = False
            self.progress.hide()
            self._say("")
        if (unreadable := joined("\n", *found.unreadable)) != self._unreadable:  # reported once for each change
            self._unreadable = unreadable
            self._say(unreadable, "problem")
        runs = [self._as_known(run) for run in found.runs]
        changed = {run.path: run for run in runs} != {run.path: run for run in self.model.runs}
        if self._wanted or not self._shown_first or changed:
            self._show_list(runs)
        if self.isVisible() and not self._state.minimised:
            took_s = time.monotonic() - self._asked_at
            self._poll_ms = POLL_MS if changed else min(2 * self._poll_ms, LONGEST_POLL_MS)
            self._poll.start(max(self._poll_ms, round(1000 * took_s / POLL_SHARE)))

    def _take_grown(self, items: Sequence[NewEvents | RunSummary]) -> None:
        """Add new points and changed runs, and paint once."""
        grown = [each for each in items if isinstance(each, NewEvents)]
        for each in grown:
            self.compare.take(each)
        for run in items:
            if isinstance(run, RunSummary):
                self.model.change(self._as_known(run))
        if grown:
            self.compare.refresh()
            self.differences.show_values()
        if len(grown) < len(items):
            self.differences.set_runs(self.model.ticked_runs())
            self._show_state()

    def _show_progress(self, words: str, done: int, total: int) -> None:
        self.progress.show_progress(done, max(1, total))
        self.progress.show()
        self._say(tr(words))

    def _show_listing(self, done: int, total: int) -> None:
        self._listing = True
        self._show_progress(tr("Reading the logs of {n} runs", n=f"{total:,}"), done, total)

    def _select(self, path: Path) -> None:
        """Show the list, and select a run as soon as it is listed."""
        self.segments.choose(RUNS)
        self._wanted = path
        self.list.select(path)

    def _show_list(self, runs: list[RunSummary]) -> None:
        self.model.set_runs(runs)
        if runs and not self._shown_first:
            self._shown_first = True
            self._select_as_before(runs)
        self.model.tick_all([path for path in self._ended if self.model.find(path)])
        self._ended = [path for path in self._ended if not self.model.find(path)]
        if self._wanted:
            self.list.select(self._wanted)
            self._wanted = None
        self._turn_page(self.full if runs else self.empty)
        self._following.check_again()
        self._follow()

    def _select_as_before(self, runs: list[RunSummary]) -> None:
        """Select and check the same runs as when the program was closed, or the newest, so that a curve is shown."""
        kept, paths = self._state.page_selections, {str(run.path): run.path for run in runs}
        newest = max(runs, key=lambda run: run.record.created).path
        self.list.select(paths.get(kept.run, newest))
        checked = (str(newest),) if kept.checked_runs is None else kept.checked_runs
        self.model.numbers = {Path(name): number for name, number in kept.run_colours.items()}
        self.model.tick_all([paths[name] for name in checked if name in paths])

    def _as_known(self, run: RunSummary) -> RunSummary:
        """Return a run, as live if this window trains it, even if its folder was moved away and created again."""
        return replace(run, state="live") if run.path == self._state.own_run else run

    def _turn_page(self, page: QWidget) -> None:
        """Show the list or the page without runs, and move the keyboard focus with it."""
        here, other = (self.list, self.empty.to_train) if page is self.full else (self.empty.to_train, self.list)
        had_focus = other.hasFocus()
        self._page = page
        self._show_view()
        self.setFocusProxy(here)
        if had_focus:
            here.setFocus()

    def _show_view(self) -> None:
        """Show the list, or the page without runs, unless the sweeps are shown."""
        sweeps = self.segments.index() == SWEEPS
        for page in (self.full, self.empty):
            page.setVisible(page is self._page and not sweeps)
        self._buttons.setVisible(self._page is self.full and not sweeps)
        self.sweep_view.setVisible(sweeps)
        self.sweep_view.controls.setVisible(sweeps)

    def _show_sweep(self, sweep: SweepFolder) -> None:
        self.segments.choose(SWEEPS)
        self.sweep_view.select(sweep)

    def rename_selected(self) -> None:
        """Show the list, and edit the name of the selected run in it."""
        self.segments.choose(RUNS)
        self.list.rename()

    def _show_done(self, words: str, problem: bool) -> None:
        self.progress.hide()
        self._say(tr(words) if words else "", "problem" if problem else "muted")
        self.refresh(anyway=True)  # commands on the selected run are in the menus on every page

    def _say(self, words: str, role: str = "muted") -> None:
        self.notice.say(words, role)
        self.restore.setVisible(bool(words) and "run" in self._state.trashed)

    # Following.

    def _ticked(self) -> None:
        """Follow the checked runs from their beginning, and stop following the others."""
        ticked = self.model.ticked_runs()
        overlaid = [Overlaid(run.path, title_of(run), self.model.ticks[run.path]) for run in ticked]
        if overlaid != self.compare.runs:
            self._following.watch(ticked)
            self.compare.set_runs(overlaid)
            same = same_vocabulary(run.record for run in ticked)
            self.compare.suggest_scale("nats" if same else "bits")
        self.differences.set_runs(ticked)
        self._follow()

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
            self._poll.stop()

    def _show_state(self) -> None:
        self._state.selected_run = self.list.current()
        self.sample.show_run(self._state.selected_run)
        self._state.checked_runs = tuple(self.model.ticked_runs())
        if self._shown_first:
            run = self._state.selected_run
            self._state.page_selections = self._state.page_selections.but(
                run=storable_name(run and run.path),
                checked_runs=storable([*self.model.ticks, *self._ended]) if self.model.runs else None,
                run_colours={name: number for path, number in self.model.numbers.items() for name in storable([path])})

    def open(self) -> None:
        run = self.list.current()
        if run and run.path == self._state.own_run:
            self._state.show_page("train")
        elif run:
            self._training.open_run(run.folder, run.record.spec, run.state == "live",
                                    run.record.parent)

    # Construction.

    def _make_parts(self) -> None:
        self.model = RunListModel()
        self.list = RunList(self.model)
        self.compare = RunCompare()
        self.differences = RunDifferences(self.compare)
        self.sample = LastSample()
        self.differences.score_requested.connect(self._library.score_with)
        self.operations = RunOperations(
            self, self._state, self._library, self._training, self._sweeps, self.compare)
        self._actions.attach("page", self)
        self._actions.attach("list", self.list)
        self.context_menu = self._actions.menu(FOR_ONE, self)
        self.notice = Notice("runs_notice", "muted")
        self.restore = self._actions.button("run_restore", instead=self.list)
        self.restore.hide()
        self.progress = ProgressBar("runs_progress")
        self.progress.hide()
        self.empty = NoRuns(self._actions.button("run_add"), self._actions.button("run_import"))
        self.segments = Segments("runs_view", (tr("Runs"), tr("Sweeps")), tr(
            "All runs, or those that differ in a setting: their queue and their results"))
        self.sweep_view = SweepView(self._state, self._sweeps)

    def _connect(self) -> None:
        self._following.grown.connect(self._take_grown)
        self._poll.timeout.connect(lambda: self.refresh(silently=True))
        self._library.runs_listed.connect(self._take_list)
        self._library.listing.connect(self._show_listing)
        self._library.progressed.connect(self._show_progress)
        self._library.done.connect(self._show_done)
        self._training.kept.connect(self._note_ended)
        self._state.on(self.refresh, "live_model", "minimised")  # this window's own run begins or ends
        self._state.run_requested.connect(self._select)
        self.segments.chosen.connect(self._show_view)
        self._sweeps.added.connect(self._show_sweep)
        self.sweep_view.run_chosen.connect(self._select)
        self.empty.to_train.clicked.connect(lambda: self._state.show_page("train"))
        self.model.ticked.connect(self._ticked)
        self.model.ticked.connect(self._show_state)
        self.model.renamed.connect(self.operations.rename)
        self.list.chosen.connect(self._show_state)
        self.list.doubleClicked.connect(lambda _: self._actions["run_open"].trigger())
        self.list.customContextMenuRequested.connect(
            lambda place: self.context_menu.popup(self.list.viewport().mapToGlobal(place)))

    def _lay_out(self) -> None:
        splitter = QSplitter(Qt.Orientation.Vertical)
        splitter.setChildrenCollapsible(False)
        splitter.setHandleWidth(10)
        for name, *parts in (
            ("list", grows(self.list), self.sample),
            ("compare", grows(self.compare)),
            ("table", grows(self.differences)),
        ):
            splitter.addWidget(card(*parts, name=f"runs_{name}_card"))
        splitter.setStretchFactor(1, 1)
        self.full: QWidget = splitter
        self._page = self.full
        self._buttons = with_layout(QWidget(), self._bar())
        self.setFocusProxy(self.list)
        head = hbox(
            aligned(self.segments, TOP), grows(self._buttons), grows(self.sweep_view.controls), spacing=16)
        with_layout(self, vbox(  # parts that come and go are at the bottom, where they move no button under the pointer
            head, grows(self.full), grows(self.empty), grows(self.sweep_view), self.progress,
            hbox(self.restore, grows(self.notice)), spacing=8, margins=(16, 12, 16, 12),
        ))
        self._show_view()

    def _bar(self) -> Flow:
        """Return buttons for frequent commands, and menus for the others."""
        row = Flow(*(self._actions.button(name, "primary" if name == "run_open" else "") for name in OFTEN))
        for title, name, names, tip in (
            (tr("More"), "runs_more", MORE, tr(
                "Train the run longer or with other values, rename it, move it to the trash, show its folder")),
            (tr("Add"), "runs_add", ("run_add", "run_import", "class_view"), tr(
                "Lists runs from another folder, from a zip, or of a class")),
            (tr("Export"), "runs_export", EXPORTS, tr("Saves values, charts or whole runs as files")),
        ):
            made = button(title, name, tip)
            made.setMenu(self._actions.menu(names, made))
            row.addWidget(made)
        return row
