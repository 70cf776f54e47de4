"""Class view: reports and packed runs of a class beside each other, without adding them to the user's runs."""

from __future__ import annotations

from collections.abc import Sequence
from functools import partial
from pathlib import Path

from PySide6.QtCore import QSize, Qt
from PySide6.QtGui import QCloseEvent
from PySide6.QtWidgets import QFileDialog, QProgressBar, QSplitter, QWidget

from gptstudio.app import report_tasks
from gptstudio.app.tasks import Task, TaskError, TaskRunner
from gptstudio.gui.actions import explain
from gptstudio.gui.charts.run_curves import Overlaid
from gptstudio.gui.fitting import Dialog
from gptstudio.gui.runs.class_table import ClassTable
from gptstudio.gui.runs.run_compare import RunCompare
from gptstudio.gui.theme import theme
from gptstudio.gui.translation import joined, tr
from gptstudio.gui.widgets.drop import FileDrop
from gptstudio.gui.widgets.flow import Flow
from gptstudio.gui.widgets.layouts import card, grows, hbox, holding, vbox
from gptstudio.gui.widgets.parts import Notice, button, label, named, permit, restyle
from gptstudio.gui.widgets.save_as import ask_where
from gptstudio.gui.widgets.saved_notice import SavedNotice, report_saved
from gptstudio.gui.widgets.table_copy import copy_table
from gptstudio.history.class_runs import ClassRun, with_names
from gptstudio.history.comparison import DIFFERENT_TEXTS, same_text, same_vocabulary
from gptstudio.history.run_history import History
from gptstudio.i18n import message

SIZE = QSize(1000, 660)


class ClassView(Dialog):
    """Window with a table of a class and its curves; what is opened or dropped is added to it."""

    def __init__(self, window: QWidget, tasks: TaskRunner) -> None:
        super().__init__(window)
        self.setObjectName("class_dialog")
        self.setWindowTitle(tr("Class view"))
        self.setWindowFlag(Qt.WindowType.WindowMaximizeButtonHint)
        self._tasks = tasks
        self._task: Task | None = None  # the one that reads
        self._read: dict[Path, ClassRun] = {}
        self._histories: dict[Path, History] = {}
        self._make_parts()
        self._lay_out()
        FileDrop(self, lambda files: self.add([Path(each) for each in files]))
        theme.dress(self)
        explain(self)
        self.resize(SIZE.boundedTo(window.size()) if theme.zoom <= 1 else window.size())
        self._show()

    @property
    def runs(self) -> list[ClassRun]:
        """The files that were read, each with a name of its own."""
        return with_names(list(self._read.values()))

    def add(self, paths: Sequence[Path]) -> None:
        """Read files, and those in folders, and add them."""
        self._say("")
        self._task = self._tasks.run(
            report_tasks.read_class(paths), key="class", title=message("Reading the runs of a class"), items=self._take,
            progress=self._show_progress, done=lambda _: self._end(), failed=self._fail,
            cancelled=lambda: self._end(message("Cancelled. The files that were read so far are shown.")))
        self._show_busy()

    def clear(self) -> None:
        """Show nothing. The files themselves stay where they are."""
        self._read.clear()
        self._histories.clear()
        self._say("")
        self._show()

    def closeEvent(self, event: QCloseEvent) -> None:
        if self._task:
            self._task.forget()
            self._task = None
        self._show_busy()
        super().closeEvent(event)

    # What comes from the task.

    def _take(self, runs: Sequence[ClassRun]) -> None:
        for run in runs:
            self._read[run.path] = run
            self._histories.pop(run.path, None)
            if run.data:
                self._histories[run.path] = run.data.history()
        self._show()

    def _show_progress(self, done: int, total: int) -> None:
        self.progress.setRange(0, max(1, total))
        self.progress.setValue(done)

    def _end(self, words: str = "") -> None:
        self._task = None
        self._say(words)
        self._show_busy()

    def _fail(self, error: TaskError) -> None:
        self._end(error.message)
        restyle(self.notice, role="problem")

    # Display.

    def _show(self) -> None:
        self.table.show_runs(self.runs)
        self._show_curves()
        self._show_count()

    def _show_curves(self) -> None:
        """Show the curves of the selected rows, or of all where none is selected."""
        good = [run for run in self.runs if run.data]
        chosen = {run.path for run in self.table.selected()}
        self.compare.set_runs(
            [Overlaid(run.path, run.name, number) for number, run in enumerate(good)
             if not chosen or run.path in chosen], self._histories)
        same = same_vocabulary(run.data.record for run in good if run.data)
        self.compare.suggest_scale("nats" if same else "bits")

    def _show_count(self) -> None:
        runs, why = self.runs, "" if self._read else tr("There are no runs in the table yet.")
        failed = sum(not run.data for run in runs)
        if not runs:
            words = tr("Open the folder in which you have collected the reports (.html) or packed runs (.zip) of your "
                       "class, or drop them here. They are not added to your own runs.")
        elif failed:
            words = tr("Runs: {n}; files that could not be read: {failed}", n=len(runs) - failed, failed=failed)
        else:
            words = tr("Runs: {n}", n=len(runs))
        if not same_text(run.data.record for run in runs if run.data):
            words = joined("  ·  ", words, tr(DIFFERENT_TEXTS))
        self.count.setText(words)
        self.hint.setVisible(bool(runs))
        for each in (self.export_button, self.copy_button, self.clear_button):
            permit(each, why)

    def _show_busy(self) -> None:
        busy = self._task is not None
        if busy:
            self.progress.setRange(0, 0)
        self.progress.setVisible(busy)
        self.cancel_button.setVisible(busy)

    def _say(self, words: str) -> None:
        restyle(self.notice, role="muted")
        self.notice.setText(tr(words) if words else "")

    # User actions.

    def _ask_for_folder(self) -> None:
        path = QFileDialog.getExistingDirectory(self, tr("Choose the folder of a class"))
        if path:
            self.add([Path(path)])

    def _ask_for_files(self) -> None:
        found, _ = QFileDialog.getOpenFileNames(
            self, tr("Choose reports and packed runs"), "", tr("Reports and packed runs (*.html *.htm *.zip)"))
        if found:
            self.add([Path(each) for each in found])

    def _export(self) -> None:
        path = ask_where(self, "class.csv")
        if path:
            self._say("")
            self._tasks.run(report_tasks.write_class(self.runs, path, tr), done=partial(report_saved, self, path),
                            failed=self._fail)

    def _cancel(self) -> None:
        if self._task:
            self._task.cancel()

    # Putting together.

    def _make_parts(self) -> None:
        self.folder_button = button(tr("Open folder…"), "class_folder", tr(
            "Reads all reports and packed runs in a folder and the folders in it"), "primary", self._ask_for_folder)
        self.files_button = button(tr("Open files…"), "class_files", tr("Reads the reports and packed runs you choose"),
                                   do=self._ask_for_files)
        self.export_button = button(tr("Export table (CSV)…"), "class_export", tr(
            "Saves the table for a spreadsheet"), do=self._export)
        self.copy_button = button(tr("Copy table"), "class_copy", tr("Copies the table for a spreadsheet"),
                                  do=lambda: copy_table(self.table))
        self.clear_button = button(tr("Clear"), "class_clear", tr("Empties the table; the files stay where they are"),
                                   do=self.clear)
        self.cancel_button = button(tr("Cancel"), "class_cancel", tr("Stops reading; what was read so far is shown"),
                                    do=self._cancel)
        self.progress = named(QProgressBar(), "class_progress", tr("Progress"))
        self.progress.setTextVisible(False)
        self.count, self.notice = label(name="class_count", wrap=True), Notice("class_notice", "muted")
        self.hint = label(tr("Select rows to see their curves alone."), "muted", "class_hint")
        self.table, self.compare = ClassTable(), RunCompare("class")
        self.table.chosen.connect(self._show_curves)

    def _lay_out(self) -> None:
        row = Flow()
        for each in (self.folder_button, self.files_button, self.export_button, self.copy_button, self.clear_button):
            row.addWidget(each)
        splitter = QSplitter(Qt.Orientation.Vertical)
        splitter.setChildrenCollapsible(False)
        splitter.setHandleWidth(10)
        splitter.addWidget(card(grows(self.table), name="class_table_card"))
        splitter.addWidget(card(grows(self.compare), name="class_compare_card"))
        splitter.setStretchFactor(0, 1)
        splitter.setStretchFactor(1, 1)
        self._show_busy()
        holding(self, vbox(
            row, hbox(grows(self.count), self.hint), grows(splitter), hbox(grows(self.progress), self.cancel_button),
            self.notice, SavedNotice("class"), spacing=10, margins=(16, 14, 16, 14)))
