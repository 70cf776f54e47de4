"""Class view: the reports and packed runs of a class, which are not added to the user's runs.

Its pages have the curves of all learners with one emphasised, the guesses of each question, samples of one learner, and
a table of the runs, which can be sorted by any column and copied as text.
"""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from pathlib import Path

from PySide6.QtCore import QItemSelectionModel, QPointF, QSignalBlocker, QSize, QSortFilterProxyModel, Qt, Signal
from PySide6.QtGui import QCloseEvent, QKeySequence, QShortcut, QShowEvent, QStandardItem, QStandardItemModel
from PySide6.QtWidgets import QFileDialog, QHeaderView, QTableView, QWidget

from gptstudio.app import report_tasks
from gptstudio.app.tasks import Task, TaskError, TaskRunner
from gptstudio.gui.appearance import Dialog, on_restyle
from gptstudio.gui.charts.run_curves import Overlaid
from gptstudio.gui.charts.style import overlay
from gptstudio.gui.forms.controls import Segments
from gptstudio.gui.plots.bar_list import Bar, BarList, BarRow, Bars
from gptstudio.gui.runs.run_compare import RunCompare
from gptstudio.gui.runs.run_list import stroke, stroke_size
from gptstudio.gui.save_as import SavedNotice, ask_where, report_saved
from gptstudio.gui.theme import theme
from gptstudio.gui.translation import joined, tr, tr_for_file
from gptstudio.gui.widgets.drop import FileDrop
from gptstudio.gui.widgets.icons import IconButton
from gptstudio.gui.widgets.layouts import (
    FREE,
    TOP,
    Flow,
    aligned,
    card,
    grows,
    hbox,
    in_column,
    stacked,
    vbox,
    with_layout,
)
from gptstudio.gui.widgets.parts import (
    Notice,
    ProgressBar,
    button,
    label,
    named,
    plain,
    scrolling,
    set_blocker,
)
from gptstudio.gui.widgets.tables import LEFT, RIGHT, FixedColumn, WrappingHeader, copy_table, style_table, table_height
from gptstudio.gui.widgets.text_views import FewLines
from gptstudio.history.class_runs import (
    ClassAnswer,
    ClassColumn,
    ClassQuestion,
    ClassRun,
    questions,
    with_names,
    write_csv,
)
from gptstudio.history.class_runs import columns as columns_of
from gptstudio.history.comparison import DIFFERENT_TEXTS, same_text, same_vocabulary
from gptstudio.history.run_history import History
from gptstudio.i18n import Message, message

BACK, ON = ("Left", "PgUp"), ("Right", "PgDown")
"""Keys for the previous and the next learner or question; presentation remotes send Page Up and Page Down."""


class Stepper(QWidget):
    """Buttons for the previous and the next item, with a title, and a figure at the right. Emits -1 or 1."""

    stepped = Signal(int)

    def __init__(self, name: str, back: str, on: str) -> None:
        super().__init__()
        self.back, self.on = IconButton("earlier", f"{name}_back", back), IconButton("later", f"{name}_on", on)
        self.back.clicked.connect(lambda: self.stepped.emit(-1))
        self.on.clicked.connect(lambda: self.stepped.emit(1))
        self.title = FewLines(f"{name}_title", "title", lines=3)
        self.place, self.note = FewLines(f"{name}_place", lines=1), label(role="muted", name=f"{name}_note")
        self.figure = label(role="title", name=f"{name}_figure")
        for each in (self.figure, self.note):
            each.setAlignment(Qt.AlignmentFlag.AlignRight)
        self.setFocusProxy(self.on)
        buttons = with_layout(QWidget(), hbox(self.back, self.on, spacing=4))
        with_layout(self, hbox(
            aligned(buttons, TOP), grows(vbox(self.title, self.place, FREE, spacing=0)),
            vbox(self.figure, self.note, FREE, spacing=0), spacing=12))

    def follow_keys(self, widget: QWidget) -> None:
        """Step by the arrow keys, Page Up and Page Down while a widget or one of its children has the focus."""
        for keys, way in ((BACK, -1), (ON, 1)):
            for key in keys:
                shortcut = QShortcut(QKeySequence(key), widget, context=Qt.ShortcutContext.WidgetWithChildrenShortcut)
                shortcut.activated.connect(lambda way=way: self.stepped.emit(way))

    def show_place(self, index: int, count: int, first: str, last: str) -> None:
        """Show the position in the list. ``first``, ``last``: reason why there is no previous, or no next item."""
        self.place.setText(tr("{n} of {count}", n=index + 1, count=count) if count else "")
        focus, at_end = self.window().focusWidget(), index + 1 >= count
        for step, other, why in ((self.back, self.on, first if index <= 0 else ""),
                                 (self.on, self.back, last if at_end else "")):
            if why and focus is step:
                set_blocker(other)
                other.setFocus()  # otherwise the focus would move to the next widget
            set_blocker(step, why)


class ClassCurves(QWidget):
    """Curves of all runs. Emits the path of the run under the pointer."""

    pointed = Signal(object)

    def __init__(self) -> None:
        super().__init__()
        self.stepper = Stepper("class_learner", tr("Previous learner"), tr("Next learner"))
        self.compare = RunCompare("class")
        self._chart = self.compare.charts["loss"]
        self._chart.plot.scene().sigMouseMoved.connect(self._point)
        self._chosen: History | None = None
        self.compare.scale_box.activated.connect(self._show_ends)
        for widget in (self.stepper, self._chart):
            self.stepper.follow_keys(widget)
        self.setFocusProxy(self.stepper)
        with_layout(self, vbox(self.stepper, grows(card(grows(self.compare), name="class_compare_card")), spacing=8))

    def show_runs(
        self, runs: Sequence[ClassRun], chosen: Sequence[ClassRun], histories: Mapping[Path, History]
    ) -> None:
        """Show runs that could be read, with the chosen ones emphasised."""
        paths = {run.path for run in chosen}
        self.compare.set_runs([
            Overlaid(run.path, run.name, number, run.path in paths if paths else None)
            for number, run in enumerate(runs)], histories)
        same = same_vocabulary(run.data.record for run in runs if run.data)
        known = any(histories[run.path].bytes_per_token[1] for run in runs)  # not in files of earlier versions
        self.compare.suggest_scale("bits" if known and not same else "nats")
        self._chosen = histories[chosen[0].path] if len(chosen) == 1 else None
        self.stepper.title.setText(joined(", ", *(run.name for run in chosen)))
        self._show_ends()

    def _show_ends(self) -> None:
        """Show the first and the last validation loss of the chosen run, in the unit of the curves."""
        first, last = _ends(self._chosen, self.compare.scale) if self._chosen else (math.nan, math.nan)
        known = not math.isnan(first)
        self.stepper.figure.setText(f"{first:.3f} → {last:.3f}" if known else "")
        self.stepper.note.setText(tr("Validation loss at the start and at the end") if known else "")

    def _point(self, place: QPointF) -> None:
        if key := self._chart.curve_at(place):
            self.pointed.emit(Path(key.rpartition("|")[0]))


def _ends(history: History, scale: str) -> tuple[float, float]:
    """Return the first and the last validation loss on a scale; NaN if there is none."""
    losses = [loss for loss in history.evaluations["val_loss"].tolist() if math.isfinite(loss)]
    unit = history.nats_per_bit(1) if scale == "bits" else 1.0
    return (losses[0] / unit, losses[-1] / unit) if losses else (math.nan, math.nan)


class ClassSamples(QWidget):
    """First and last sample of one learner's model, and the learner's observation."""

    def __init__(self) -> None:
        super().__init__()
        self.stepper = Stepper("class_samples", tr("Previous learner"), tr("Next learner"))
        self.stepper.follow_keys(self)
        self.setFocusProxy(self.stepper)
        self.first = label(role="reading", name="class_sample_first", wrap=True)
        self.last = label(role="reading", name="class_sample_last", wrap=True)
        self.words = Notice("class_sample_words", "")
        cards = [
            card(label(head, "heading"), scrolling(in_column(QWidget(), text, spacing=0), f"class_{end}_scroll", head))
            for end, head, text in (
                ("first", tr("First sample"), self.first), ("last", tr("Last sample"), self.last))]
        self._first_card = cards[0]
        with_layout(self, vbox(self.stepper, grows(hbox(*map(grows, cards), spacing=8)), self.words, spacing=8))

    def show_run(self, run: ClassRun | None) -> None:
        """Show the samples of a run; None if not exactly one is selected."""
        found = run.found if run else None
        samples = run.data.samples if run and run.data else ()
        none = tr("There is no sample in this file.") if run else tr("Choose one learner.")
        self.first.setText(samples[0] if samples else "")
        self.last.setText(samples[-1] if samples else none)
        self._first_card.setVisible(len(samples) > 1)
        words = found.learner.words if found and found.learner else ""
        self.words.setText(tr("What did you see? {words}", words=words) if words else "")
        self.stepper.title.setText(run.name if run else "")


class ClassGuesses(QWidget):
    """Answers to one question as bars, with the right one marked."""

    def __init__(self) -> None:
        super().__init__()
        self._questions: Sequence[ClassQuestion] = ()
        self._index = 0
        self.stepper = Stepper("class_question", tr("Previous question"), tr("Next question"))
        self.bars = BarList("class_answers", tr("Answers of the class"))
        self.empty = label(tr("There are no guesses in these files. Reports contain the guesses that were made in "
                              "lessons; packed runs contain none."), "muted", "class_no_guesses", wrap=True)
        self.stepper.stepped.connect(self._step)
        self.stepper.follow_keys(self)
        self.setFocusProxy(self.stepper)
        self._bars = card(scrolling(in_column(QWidget(), self.bars, spacing=0), "class_answers_scroll"))
        with_layout(self, vbox(self.stepper, grows(self._bars), grows(self.empty), spacing=8))

    def show_questions(self, questions: Sequence[ClassQuestion]) -> None:
        """Show these questions, and stay at the same question if it is one of them."""
        keys = [(each.lesson, each.question) for each in questions]
        shown = [(each.lesson, each.question) for each in self._questions][self._index:self._index + 1]
        self._questions = questions
        self._index = keys.index(shown[0]) if shown and shown[0] in keys else 0
        self._show()

    def _step(self, way: int) -> None:
        self._index = max(0, min(len(self._questions) - 1, self._index + way))
        self._show()

    def _show(self) -> None:
        some, stepper = bool(self._questions), self.stepper
        for each in (stepper, self._bars):
            each.setVisible(some)
        self.empty.setVisible(not some)
        if not some:
            return
        question = self._questions[self._index]
        stepper.title.setText(question.question)
        stepper.show_place(self._index, len(self._questions), tr("This is the first question."),
                           tr("This is the last question."))
        stepper.place.setText(joined("  ·  ", stepper.place.text(), question.lesson))
        known = question.right + question.wrong
        stepper.figure.setText(tr("{right} of {n} right", right=question.right, n=known) if known else "")
        stepper.note.setText(tr("Questions that most learners got wrong come first"))
        asked = question.asked
        self.bars.show_bars(Bars(
            [_row(answer, asked) for answer in question.answers], longest=float(max(
                answer.count for answer in question.answers)), number=lambda count: f"{count:.0f}"))


def _row(answer: ClassAnswer, asked: int) -> BarRow:
    text = _words(answer.text)
    name = joined(" ", "✓", text) if answer.right else text
    words = tr("{answer}: {n} of {asked}", answer=text, n=answer.count, asked=asked)
    return BarRow(
        name, (Bar(float(answer.count), str(answer.count), "good" if answer.right else "training"),),
        strong=answer.given, quiet=not answer.given,
        words=joined("  ·  ", words, tr("Right answer")) if answer.right else words)


ORDER = Qt.ItemDataRole.UserRole
LAST = "\uffff"
WIDEST, WIDEST_NAME = 60, 32
"""Maximum number of characters of a column, and of the column of names; elided texts are complete in the tooltip."""


class ClassTable(QTableView):
    """Table of the runs of a class; runs with curves have icons in the colours of these."""

    chosen = Signal()
    """Emitted when the selected rows have changed."""

    def __init__(self) -> None:
        super().__init__()
        named(self, "class_table", tr("Runs of the class"))
        self._runs: list[ClassRun] = []
        self._items = QStandardItemModel(0, 1, self)
        self._sorted = QSortFilterProxyModel(self)
        self._sorted.setSourceModel(self._items)
        self._sorted.setSortRole(ORDER)
        self.setModel(self._sorted)
        self.setHorizontalHeader(WrappingHeader(self))
        style_table(self)
        self.setSelectionMode(QTableView.SelectionMode.ExtendedSelection)
        self.setSortingEnabled(True)
        self.sortByColumn(0, Qt.SortOrder.AscendingOrder)
        self.selectionModel().selectionChanged.connect(lambda *_: self.chosen.emit())
        self._fixed = FixedColumn(self)
        on_restyle(self, self._show)

    def show_runs(self, runs: Sequence[ClassRun]) -> None:
        """Show these runs, and keep the selection."""
        kept = {run.path for run in self.selected()}
        self._runs = list(runs)
        with QSignalBlocker(self):
            self._fill()
            model, flags = self.selectionModel(), QItemSelectionModel.SelectionFlag
            for row, run in enumerate(self._runs):
                if run.path in kept:
                    model.select(self._sorted.mapFromSource(self._items.index(row, 0)), flags.Select | flags.Rows)

    def selected(self) -> list[ClassRun]:
        """Return the runs of the selected rows, in the order in which they were read."""
        rows = {self._sorted.mapToSource(index).row() for index in self.selectionModel().selectedRows()}
        return [run for row, run in enumerate(self._runs) if row in rows]

    def step(self, way: int) -> None:
        """Select the next (1) or previous (-1) row whose file could be read, in the order of the table."""
        rows = self._readable()
        here = self._place_in(rows)
        if rows:
            self.selectRow(rows[max(0, min(len(rows) - 1, here + way))])

    def choose(self, path: Path) -> None:
        for row, run in enumerate(self._runs):
            if run.path == path:
                self.selectRow(self._sorted.mapFromSource(self._items.index(row, 0)).row())

    def place(self) -> tuple[int, int]:
        """Return the position of the first selected row among those whose files could be read, -1 if none is selected,
        and the number of these rows."""
        rows = self._readable()
        return self._place_in(rows), len(rows)

    def _readable(self) -> list[int]:
        return [row for row in range(self._sorted.rowCount())
                if self._runs[self._sorted.mapToSource(self._sorted.index(row, 0)).row()].data]

    def _place_in(self, rows: Sequence[int]) -> int:
        selected = {index.row() for index in self.selectionModel().selectedRows()}
        return next((place for place, row in enumerate(rows) if row in selected), -1)

    def sizeHint(self) -> QSize:
        return QSize(600, table_height(self, 8))

    def minimumSizeHint(self) -> QSize:
        return QSize(200, table_height(self, 3))

    def _show(self) -> None:
        """Show the same runs in the current colours and text size."""
        self.show_runs(self._runs)

    def _fill(self) -> None:
        self.ensurePolished()
        columns = columns_of(self._runs)
        self._items.setRowCount(0)
        self._items.setColumnCount(len(columns))
        for place, column in enumerate(columns):
            head = QStandardItem(tr(column.heading))
            head.setToolTip(tr(column.help) if column.help else "")
            self._items.setHorizontalHeaderItem(place, head)
            items = _items(column)
            for row, item in enumerate(items):
                self._items.setItem(row, place, item)
            if items:
                head.setTextAlignment(items[0].textAlignment())
        places = iter(range(len(self._runs)))
        for row, run in enumerate(self._runs):
            if run.data:
                self._items.item(row, 0).setIcon(stroke(overlay(next(places))))
        self._fit()

    def _fit(self) -> None:
        self.verticalHeader().setDefaultSectionSize(self.fontMetrics().height() + 8)
        self.setIconSize(stroke_size(self))
        head, letter = self.horizontalHeader(), self.fontMetrics().averageCharWidth()
        head.setSectionResizeMode(QHeaderView.ResizeMode.Interactive)
        head.setStretchLastSection(True)
        self.resizeColumnsToContents()
        for place in range(self._items.columnCount()):
            self.setColumnWidth(place, min(self.columnWidth(place), letter * (WIDEST if place else WIDEST_NAME)))
        self._fixed.fit()


def _items(column: ClassColumn) -> list[QStandardItem]:
    """Return the items of a column, which all sort as numbers or all as texts."""
    made, as_texts = [], any(isinstance(cell.order, str) for cell in column.cells)
    for cell in column.cells:
        item = QStandardItem(_words(cell.text))
        item.setToolTip(plain(_words(cell.tip)))
        order = cell.order if isinstance(cell.order, str) or not as_texts else cell.text or LAST
        item.setData(order, ORDER)
        item.setTextAlignment(LEFT if as_texts else RIGHT)
        made.append(item)
    return made


def _words(text: str) -> str:
    return tr(text) if isinstance(text, Message) else text


SIZE = QSize(1000, 660)


class ClassView(Dialog):
    """Window with the curves, guesses, samples and table of a class; opened or dropped files are added."""

    def __init__(self, window: QWidget, tasks: TaskRunner) -> None:
        super().__init__(window, "class_dialog", tr("Class view"))
        self.setWindowFlag(Qt.WindowType.WindowMaximizeButtonHint)
        self._tasks = tasks
        self._usual = self.geometry()  # geometry outside projector mode
        self._task: Task | None = None  # the task that reads files
        self._read: dict[Path, ClassRun] = {}
        self._histories: dict[Path, History] = {}
        self._make_parts()
        self._lay_out()
        FileDrop(self, lambda files: self.add([Path(each) for each in files]))
        on_restyle(self, self._project)
        self.resize(SIZE.boundedTo(window.size()) if theme.zoom <= 1 or theme.projecting else window.size())
        self._show()

    @property
    def runs(self) -> list[ClassRun]:
        """Files that were read, each with a unique name."""
        return with_names(list(self._read.values()))

    def add(self, paths: Sequence[Path]) -> None:
        """Read and add files, and the files in folders."""
        self.notice.setText("")
        self._task = self._tasks.run(
            lambda task: report_tasks.read_class(task, paths), key="class",
            title=message("Reading the runs of a class"), items=self._take,
            progress=lambda done, total: self.progress.show_progress(done, max(1, total)),
            done=lambda _: self._end(), failed=self._fail,
            cancelled=lambda: self._end(message("Cancelled. The files that were read so far are shown.")))
        self._show_busy()

    def clear(self) -> None:
        """Remove all runs from the view; the files themselves are kept."""
        self._read.clear()
        self._histories.clear()
        self.notice.setText("")
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

    # Results of the task.

    def _take(self, runs: Sequence[ClassRun]) -> None:
        for run in runs:
            self._read[run.path] = run
            self._histories.pop(run.path, None)
            if run.data:
                self._histories[run.path] = run.data.history()
        self._show()

    def _end(self, words: str = "", role: str = "muted") -> None:
        self._task = None
        if self._read and not self.table.selected():
            self.table.step(1)
            self._show_page(self.segments.index())
        self.notice.say(tr(words) if words else "", role)
        self._show_busy()

    def _fail(self, error: TaskError) -> None:
        self._end(error.message, "problem")

    # Display.

    def _show(self) -> None:
        self.table.show_runs(self.runs)
        self.guesses.show_questions(questions(self.runs))
        self._show_chosen()
        self._show_count()

    def _show_chosen(self) -> None:
        good, chosen = [run for run in self.runs if run.data], [run for run in self.table.selected() if run.data]
        self.curves.show_runs(good, chosen, self._histories)
        selected = self.table.selected()
        self.samples.show_run(selected[0] if len(selected) == 1 else None)
        row, count = self.table.place()
        for page in (self.curves, self.samples):
            page.stepper.show_place(row, count, tr("This is the first row of the table."),
                                    tr("This is the last row of the table."))

    def _show_page(self, index: int) -> None:
        """Show a page, and move the keyboard focus to it."""
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
            set_blocker(each, why)

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
        """Hide the file buttons in projector mode, to leave their space to the pages."""
        self._files.setVisible(not (theme.projecting and self._read))

    def _show_busy(self) -> None:
        busy = self._task is not None
        if busy:
            self.progress.show_progress()
        self.progress.setVisible(busy)
        self.cancel_button.setVisible(busy)

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
            self.notice.setText("")
            runs = self.runs
            self._tasks.run(lambda _: write_csv(runs, path, tr_for_file),
                            done=lambda _: report_saved(self, path), failed=self._fail)

    # Construction.

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
                                    do=lambda: self._task.cancel() if self._task else None)
        self.progress = ProgressBar("class_progress")
        self.count, self.notice = label(name="class_count", wrap=True), Notice("class_notice")
        self.table, self.curves, self.guesses = ClassTable(), ClassCurves(), ClassGuesses()
        self.samples = ClassSamples()
        self.table.chosen.connect(self._show_chosen)
        for page in (self.curves, self.samples):
            page.stepper.stepped.connect(self.table.step)
        self.curves.pointed.connect(self.table.choose)

    def _lay_out(self) -> None:
        self._files = with_layout(QWidget(), Flow(self.folder_button, self.files_button, self.clear_button))
        self.segments = Segments("class_page", [tr("Curves"), tr("Guesses"), tr("Samples"), tr("Table")])
        self._table_page = card(grows(self.table), Flow(self.export_button, self.copy_button), name="class_table_card")
        self._table_page.setFocusProxy(self.table)
        self.pages = stacked(self.curves, self.guesses, self.samples, self._table_page)
        self.segments.chosen.connect(self._show_page)
        self._show_busy()
        self.assemble(vbox(
            self._files, hbox(self.segments, grows(self.count), spacing=16), grows(self.pages, 1000), FREE,
            hbox(grows(self.progress), self.cancel_button),
            self.notice, SavedNotice("class"), spacing=8, margins=(16, 12, 16, 12)))
