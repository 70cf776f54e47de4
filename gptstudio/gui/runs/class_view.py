"""Class view: reports and packed runs of a class as pictures and a table, without adding them to the user's runs."""

from __future__ import annotations

from collections.abc import Sequence
from functools import partial
from pathlib import Path

from PySide6.QtCore import QSize, Qt
from PySide6.QtGui import QCloseEvent, QShowEvent
from PySide6.QtWidgets import QFileDialog, QProgressBar, QWidget

from gptstudio.app import report_tasks
from gptstudio.app.tasks import Task, TaskError, TaskRunner
from gptstudio.gui.actions import explain
from gptstudio.gui.appearance import follow
from gptstudio.gui.fitting import Dialog
from gptstudio.gui.forms.segments import Segments
from gptstudio.gui.runs.class_pages import ClassCurves, ClassGuesses, ClassSamples
from gptstudio.gui.runs.class_table import ClassTable
from gptstudio.gui.theme import theme
from gptstudio.gui.translation import joined, tr
from gptstudio.gui.widgets.drop import FileDrop
from gptstudio.gui.widgets.flow import Flow
from gptstudio.gui.widgets.layouts import FREE, card, grows, hbox, holding, stacked, vbox
from gptstudio.gui.widgets.parts import Notice, button, label, named, permit, restyle
from gptstudio.gui.widgets.save_as import ask_where
from gptstudio.gui.widgets.saved_notice import SavedNotice, report_saved
from gptstudio.gui.widgets.table_copy import copy_table
from gptstudio.history.class_runs import ClassRun, questions, with_names
from gptstudio.history.comparison import DIFFERENT_TEXTS, same_text
from gptstudio.history.run_history import History
from gptstudio.i18n import message

SIZE = QSize(1000, 660)


class ClassView(Dialog):
    """Window with the curves, the guesses and the table of a class; what is opened or dropped is added to it."""

    def __init__(self, window: QWidget, tasks: TaskRunner) -> None:
        super().__init__(window)
        self.setObjectName("class_dialog")
        self.setWindowTitle(tr("Class view"))
        self.setWindowFlag(Qt.WindowType.WindowMaximizeButtonHint)
        self._tasks = tasks
        self._usual = self.geometry()  # outside projector mode
        self._task: Task | None = None  # the one that reads
        self._read: dict[Path, ClassRun] = {}
        self._histories: dict[Path, History] = {}
        self._make_parts()
        self._lay_out()
        FileDrop(self, lambda files: self.add([Path(each) for each in files]))
        theme.dress(self)
        follow(self, self._project)
        explain(self)
        self.resize(SIZE.boundedTo(window.size()) if theme.zoom <= 1 or theme.projecting else window.size())
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

    def showEvent(self, event: QShowEvent) -> None:
        self._project()
        super().showEvent(event)

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
        if self._read and not self.table.selected():
            self.table.step(1)
            self._show_page(self.segments.index())
        self._say(words)
        self._show_busy()

    def _fail(self, error: TaskError) -> None:
        self._end(error.message)
        restyle(self.notice, role="problem")

    # Display.

    def _show(self) -> None:
        self.table.show_runs(self.runs)
        self.guesses.show_questions(questions(self.runs))
        self._show_chosen()
        self._show_count()

    def _show_chosen(self) -> None:
        """Let the curves of the selected rows stand out."""
        good, chosen = [run for run in self.runs if run.data], [run for run in self.table.selected() if run.data]
        self.curves.show_runs(good, chosen, self._histories)
        selected = self.table.selected()
        self.samples.show_run(selected[0] if len(selected) == 1 else None)
        row, count = self.table.place()
        for page in (self.curves, self.samples):
            page.stepper.show_place(row, count, tr("This is the first row of the table."),
                                    tr("This is the last row of the table."))

    def _show_page(self, index: int) -> None:
        """Show a page, with the keyboard on it."""
        self.pages.setCurrentIndex(index)
        (self.curves, self.guesses, self.samples, self._table_page)[index].setFocus()

    def _show_count(self) -> None:
        runs, why = self.runs, "" if self._read else tr("There are no runs in the table yet.")
        failed = sum(bool(run.problem) for run in runs)
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
        for part in (self.segments, self.pages):
            part.setVisible(bool(runs))
        self._fold()
        for each in (self.export_button, self.copy_button, self.clear_button):
            permit(each, why)

    def _project(self) -> None:
        """Fill the screen in projector mode."""
        if theme.projecting and not self.isFullScreen():
            self._usual = self.geometry()
            self.setWindowState(self.windowState() | Qt.WindowState.WindowFullScreen)
        elif not theme.projecting and self.isFullScreen():
            self.setWindowState(self.windowState() & ~Qt.WindowState.WindowFullScreen)
            self.setGeometry(self._usual)
        self._fold()

    def _fold(self) -> None:
        """Leave the room of the buttons for files to the pages in projector mode."""
        self._files.setVisible(not (theme.projecting and self._read))

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
        self.table, self.curves, self.guesses = ClassTable(), ClassCurves(), ClassGuesses()
        self.samples = ClassSamples()
        self.compare = self.curves.compare
        self.table.chosen.connect(self._show_chosen)
        for page in (self.curves, self.samples):
            page.stepper.stepped.connect(self.table.step)
        self.curves.pointed.connect(self.table.choose)

    def _lay_out(self) -> None:
        self._files = holding(QWidget(), Flow(self.folder_button, self.files_button, self.clear_button))
        self.segments = Segments("class_page", [tr("Curves"), tr("Guesses"), tr("Samples"), tr("Table")])
        self._table_page = card(grows(self.table), Flow(self.export_button, self.copy_button), name="class_table_card")
        self._table_page.setFocusProxy(self.table)
        self.pages = stacked(self.curves, self.guesses, self.samples, self._table_page)
        self.segments.chosen.connect(self._show_page)
        self._show_busy()
        holding(self, vbox(
            self._files, hbox(self.segments, grows(self.count), spacing=16), grows(self.pages, 1000), FREE,
            hbox(grows(self.progress), self.cancel_button),
            self.notice, SavedNotice("class"), spacing=8, margins=(16, 12, 16, 12)))
