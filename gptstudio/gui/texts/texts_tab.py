"""Page "Texts": the training texts, their tokens, and the split into training and validation.

The tokens shown are the first ones, or those around a passage that a model has copied. A text can also be pasted.
"""

from __future__ import annotations

import os
from collections.abc import Callable, Iterable, Sequence
from pathlib import Path
from typing import Any, cast

from PySide6.QtCore import QEvent, QSignalBlocker, QSize, Qt, Signal
from PySide6.QtGui import QGuiApplication, QKeySequence, QResizeEvent, QShortcut, QShowEvent
from PySide6.QtWidgets import (
    QFileDialog,
    QGridLayout,
    QHeaderView,
    QLabel,
    QLineEdit,
    QPlainTextEdit,
    QSplitter,
    QTableWidget,
    QTableWidgetItem,
    QWidget,
)

from gptstudio.app.state import AppState, storable, storable_name
from gptstudio.app.tasks import Task, TaskError
from gptstudio.app.text_tasks import (
    FoundPassage,
    Passage,
    ShareCounted,
    SplitRequest,
    TextMeasured,
    TextRefused,
    TextsRequest,
    TextStarted,
)
from gptstudio.data import texts
from gptstudio.errors import UserError, text_of
from gptstudio.files import encodable
from gptstudio.gui.actions import Actions
from gptstudio.gui.appearance import Dialog, on_restyle
from gptstudio.gui.controllers.library import LibraryController
from gptstudio.gui.forms.controls import Segments
from gptstudio.gui.theme import colour, theme
from gptstudio.gui.translation import joined, size, tr
from gptstudio.gui.widgets.layouts import FREE, TOP, Flow, aligned, card, grows, hbox, vbox, with_layout
from gptstudio.gui.widgets.parts import Notice, ProgressBar, button, choice_box, label, named, plain, set_blocker
from gptstudio.gui.widgets.tables import LEFT, RIGHT, TableCell, WrappingHeader, style_table, table_height
from gptstudio.gui.widgets.text_views import SelectableTokens, typed_text
from gptstudio.i18n import message
from gptstudio.training import corpus
from gptstudio.training.executor import error_text
from gptstudio.training.spec import TrainSpec

WORK_WIDTH = 30
"""Width of the progress beside the buttons, in line heights."""
COLUMNS = {
    message("Text"): message("Checked texts are trained on, in this order."),
    message("Characters"): message("Number of characters, after the bytes of the file were decoded"),
    message("Tokens"): message("Number of tokens that the model reads: pieces of words, of GPT-2's vocabulary"),
    message("Unique tokens"): message("How many different tokens occur"),
    message("Tokens / character"): message("About 0.25 for English. Other languages and code need more tokens."),
    message("Encoding"): message("How bytes stand for characters, recognised from the file"),
    message("Line endings"): message("Characters that end a line in the file"),
}
"""Headings and their tooltips."""
NAME, ENCODING = 0, 5
NAME_LETTERS = 18
"""Minimum width of the column of names, in letters; the other columns scroll."""


class TextTable(QTableWidget):
    """Table of texts and their properties; emits changes of the check marks and of the selection."""

    ticked = Signal()
    selected = Signal()

    def __init__(self) -> None:
        super().__init__(0, len(COLUMNS))
        named(self, "texts_table", tr("Opened texts"))
        self.names: list[str] = []
        """Requested name of each row. Not stored in the cells: a file's name may have bytes that Qt cannot store."""
        self.answers: dict[str, TextMeasured | TextRefused] = {}
        """Answers about the texts that have been read, by name."""
        self.setHorizontalHeader(WrappingHeader(self))
        style_table(self, elide=Qt.TextElideMode.ElideMiddle)
        head = self.horizontalHeader()
        head.setSectionResizeMode(QHeaderView.ResizeMode.ResizeToContents)
        head.setSectionResizeMode(NAME, QHeaderView.ResizeMode.Fixed)
        for column, (heading, help_text) in enumerate(COLUMNS.items()):
            self.setHorizontalHeaderItem(column, TableCell(tr(heading), _side(column), tr(help_text)).item())
        self.itemChanged.connect(lambda item: self.ticked.emit() if item.column() == NAME else None)
        self.itemSelectionChanged.connect(self.selected)
        on_restyle(self, self._show_again, self._fit)
        self._fit()

    @property
    def ticked_names(self) -> tuple[str, ...]:
        return tuple(name for row, name in enumerate(self.names)
                     if self._item(row).checkState() == Qt.CheckState.Checked)

    @property
    def selected_name(self) -> str | None:
        row = self.currentRow()
        return self.names[row] if row >= 0 else None

    def tick(self, name: str, ticked: bool) -> None:
        state = Qt.CheckState.Checked if ticked else Qt.CheckState.Unchecked
        self._item(self.names.index(name)).setCheckState(state)

    def add(self, name: str, ticked: bool) -> None:
        """Append a row without figures."""
        row = self.rowCount()
        self.names.append(name)
        with QSignalBlocker(self):
            self.insertRow(row)
            self.setItem(row, NAME, TableCell("", _side(NAME)).item())
            self._empty(row)
            first = self._item(row)
            first.setText(_shown_name(name))
            first.setToolTip(plain(encodable(name)) if name not in texts.NAMES else tr(texts.NAMES[name]))
            first.setFlags(first.flags() | Qt.ItemFlag.ItemIsUserCheckable)
            self.tick(name, ticked)
        self.updateGeometry()

    def remove(self, name: str) -> None:
        row = self.names.index(name)
        with QSignalBlocker(self):  # while names and rows differ
            del self.names[row]
            self.answers.pop(name, None)
            self.removeRow(row)
        self.updateGeometry()
        self.selected.emit()

    def forget_changed(self) -> bool:
        """Remove the answers about texts that could not be read, or whose files have changed since; return whether
        there are any."""
        changed = [name for name, answer in self.answers.items()
                   if isinstance(answer, TextRefused) or not answer.text.is_current]
        for name in changed:
            del self.answers[name]
            self._empty(self.names.index(name))
        return bool(changed)

    def show_answer(self, answer: TextMeasured | TextRefused) -> None:
        """Show the figures of a text, or the reason why there are none."""
        row = self.names.index(answer.name)
        self.answers[answer.name] = answer
        with QSignalBlocker(self):
            if isinstance(answer, TextMeasured):
                self._show_figures(row, answer)
            else:
                self._show_words(row, answer.words)
        self._fit_name()

    def _show_again(self) -> None:
        """Show all answers in the current colours."""
        for answer in self.answers.values():
            self.show_answer(answer)

    def resizeEvent(self, event: QResizeEvent) -> None:
        super().resizeEvent(event)
        self._fit_name()

    def sizeHint(self) -> QSize:
        """Return the size of all rows, but at most three tenths of the height of the window, and at least four rows."""
        most = (self.window().height() * 3 // 10 - table_height(self, 0)) // self.verticalHeader().defaultSectionSize()
        return QSize(600, table_height(self, max(4, min(self.rowCount(), most))) + 4)

    def minimumSizeHint(self) -> QSize:
        return QSize(200, table_height(self, 3) + 4)

    def _empty(self, row: int) -> None:
        """Show dashes instead of figures."""
        if self.columnSpan(row, 1) > 1:
            self.setSpan(row, 1, 1, 1)
        for column in range(1, len(COLUMNS)):
            self.setItem(row, column, TableCell("–", _side(column)).item())

    def _show_figures(self, row: int, found: TextMeasured) -> None:
        text, encoding = found.text, tr(found.text.encoding)
        figures = (
            f"{text.characters:,}", f"{found.tokens:,}", f"{found.unique:,}", f"{found.tokens / text.characters:.3f}",
            f"{encoding} ?" if text.guess else encoding, tr(text.line_ends),
        )
        for column, figure in enumerate(figures, start=1):
            self._item(row, column).setText(figure)
        self._item(row, ENCODING).setToolTip(tr(text.guess))

    def _show_words(self, row: int, words: str) -> None:
        item = self._item(row, 1)
        item.setText(tr(words))
        item.setToolTip(plain(tr(words)))
        item.setTextAlignment(LEFT)
        item.setForeground(colour("bad"))
        self.setSpan(row, 1, 1, len(COLUMNS) - 1)

    def _item(self, row: int, column: int = NAME) -> QTableWidgetItem:
        return cast(QTableWidgetItem, self.item(row, column))

    def _fit(self) -> None:
        """Set the row height to suit the text size."""
        self.verticalHeader().setDefaultSectionSize(round(self.fontMetrics().height() * 1.7))
        self.updateGeometry()
        self._fit_name()

    def _fit_name(self) -> None:
        """Give the column of names the width that the others leave."""
        others = sum(self.columnWidth(column) for column in range(1, len(COLUMNS)))
        least = self.fontMetrics().averageCharWidth() * NAME_LETTERS
        self.setColumnWidth(NAME, max(least, self.viewport().width() - others))


def _side(column: int) -> Qt.AlignmentFlag:
    return LEFT if column in (NAME, ENCODING, ENCODING + 1) else RIGHT


class PasteDialog(Dialog):
    """Dialog that takes a title and a text. ``saved``: called with the file in which they were saved."""

    def __init__(self, over: QWidget, saved: Callable[[Path], object]) -> None:
        super().__init__(over, "paste_dialog", tr("Paste a text"), once=True)
        self._saved = saved
        self.name = named(QLineEdit(tr("Pasted text")), "paste_name", tr("Name"))
        self.text = named(QPlainTextEdit(), "pasted_text", tr("Text"))
        self.text.setTabChangesFocus(True)
        self.text.setPlaceholderText(tr("Paste or type the text here. It is saved as a file on this computer."))
        self.text.setPlainText(QGuiApplication.clipboard().text())
        self.count, self.notice = label(role="muted", name="paste_count"), Notice("paste_notice")
        self.add = button(tr("Add to the list"), "paste_add", role="primary", do=self._save)
        self.add.setDefault(True)
        cancel = button(tr("Cancel"), "paste_cancel", do=self.close)
        self.text.textChanged.connect(self._count)
        title = hbox(label(tr("Name"), buddy=self.name), grows(self.name))
        self.assemble(vbox(
            title, grows(self.text), self.count, self.notice, hbox(FREE, cancel, self.add), spacing=8,
            margins=(16, 16, 16, 16)))
        self.resize(round(620 * theme.zoom), round(440 * theme.zoom))
        self._count()

    def _count(self) -> None:
        text = typed_text(self.text)
        self.count.setText(tr("Characters: {n}", n=f"{len(text):,}"))
        set_blocker(self.add, "" if text.strip() else tr("Paste or type a text first."))

    def _save(self) -> None:
        try:
            path = texts.save_pasted(self.name.text(), typed_text(self.text))
        except UserError as error:
            self.notice.setText(tr(text_of(error)))
            return
        self.close()
        self._saved(path)


class TextPreview(QWidget):
    """Card with the tokens of a text. A passage stays until another text is selected or the button Back is pressed."""

    def __init__(self, library: LibraryController) -> None:
        super().__init__()
        self._library = library
        self._answer: TextMeasured | TextRefused | None = None
        self._looking = False
        self.passage: FoundPassage | None = None
        self.text = SelectableTokens("texts_preview")
        self.title = label(role="heading", name="texts_preview_title", wrap=True)
        self.guess, self.problem = Notice("texts_guess", "notice"), Notice("texts_passage_problem")
        self.back = button(tr("Back to the beginning"), "texts_beginning", tr(
            "Shows the beginning of the text instead of the passage"), "quiet", self.leave_passage)
        self.vocabulary = Segments("texts_vocabulary", (
            tr("GPT-2"), tr("own, from this text"), tr("characters")), tr(
            "Vocabulary with which the text is shown: GPT-2's, one learned from this text, or its characters"))
        self.vocabulary.chosen.connect(self._show)
        self.counted = label(role="muted", name="texts_counted", wrap=True)
        head = hbox(grows(self.title), aligned(self.back, TOP))
        with_layout(self, vbox(card(
            head, self.guess, self.problem, self.vocabulary, self.counted, grows(self.text),
            name="texts_preview_card")))
        self._show()

    def show_text(self, name: str, answer: TextMeasured | TextRefused | None) -> None:
        """Show the beginning of a text, unless a passage of it is shown."""
        self._answer = answer
        if self.passage and self.passage.name != name:
            self.passage = None
        self._show()

    def leave_passage(self) -> None:
        self.passage = None
        self.problem.setText("")
        self._show()

    def look_for(self, passage: Passage) -> None:
        """Find a passage, and show it or the reason why it cannot be shown."""
        self.passage, self._looking = None, True
        self.problem.setText("")
        self._show()
        self._library.find_passage(passage, self._fail)

    def show_passage(self, passage: FoundPassage) -> None:
        self.passage, self._looking = passage, False
        self._show()
        self.text.setFocus()

    def _fail(self, error: TaskError) -> None:
        self._looking = False
        self.problem.setText(tr(error.message))
        self._show()

    def _show(self) -> None:
        answer, passage = self._answer, self.passage
        self.back.setVisible(passage is not None)
        compared = isinstance(answer, TextMeasured) and not passage
        self.guess.setText(tr(answer.text.guess) if isinstance(answer, TextMeasured) and not passage else "")
        self.vocabulary.setVisible(isinstance(answer, TextMeasured) and len(answer.under) > 1 and not passage)
        self.counted.setVisible(compared)
        if passage:
            self.title.setText(tr("Passage in {name}", name=tr(passage.title)))
            self.title.setToolTip(tr("Begins at character {n} of the text", n=f"{passage.before + 1:,}"))
            self.text.show_ids(passage.ids, (passage.first, passage.last), passage.tokenizer)
            return
        self.title.setToolTip("")
        if isinstance(answer, TextMeasured):
            shown = answer.under[self.vocabulary.index() if len(answer.under) > 1 else 0]
            self.text.show_ids(shown.first_ids, tokenizer=shown.tokenizer)
            counted = [tr(
                "Tokens: {tokens}  ·  unique: {unique}  ·  bytes per token: {ratio}", tokens=f"{shown.tokens:,}",
                unique=f"{shown.unique:,}", ratio=f"{shown.bytes / max(1, shown.tokens):.2f}")]
            if len(shown.first_ids) < shown.tokens:
                counted.append(tr("shown: the first {n}", n=f"{len(shown.first_ids):,}"))
            self.counted.setText(joined("  ·  ", *counted))
            self.title.setText(tr("{name}, token by token", name=answer.text.name))
        else:
            self.text.show_ids(())
            self.title.setText(tr("The beginning, token by token"))
        if self._looking:
            self.title.setText(tr("Looking for the passage…"))


SPLITS = {"characters": message("Hold out the end of the text"), "documents": message("Hold out the last texts")}
PARTS = {"train": message("Training"), "val": message("Validation")}
ROWS = {"tokens": message("Tokens"), "windows": message("Windows"), "batches": message("Batches")}


class TextSplit(QWidget):
    """Choice of the split; emits changes, and shows the counts."""

    changed = Signal()

    def __init__(self) -> None:
        super().__init__()
        self.box = choice_box("texts_split", tr("Split"), {value: tr(split) for value, split in SPLITS.items()}, tr(
            "Which part of the texts is kept for the validation loss and not trained on"))
        self.box.currentIndexChanged.connect(self.changed)
        self.words = label(role="muted", name="texts_windows", wrap=True)
        self.problem = Notice("texts_problem")
        self.figures: dict[str, QLabel] = {
            f"{part}_{row}": label("–", "figure", f"texts_{part}_{row}") for part in PARTS for row in ROWS
        }
        self._lay_out()

    @property
    def value(self) -> str:
        return str(self.box.currentData())

    def show_counts(self, spec: TrainSpec | None, counted: ShareCounted | None) -> None:
        """Show the tokens, windows and batches of each part; dashes for unknown numbers."""
        known = counted is not None and not counted.problem
        for part in PARTS:
            figures = _figures(spec, part, getattr(counted, f"{part}_tokens")) if known else ("–", "–", "–")
            for row, figure in zip(ROWS, figures, strict=True):
                self.figures[f"{part}_{row}"].setText(figure)
        self.problem.setText(tr(counted.problem) if counted else "")
        self.words.setText(self._words(spec))

    def _words(self, spec: TrainSpec | None) -> str:
        if not spec:
            return tr("The model or training settings are invalid: windows cannot be counted.")
        share = f"{spec.train_ratio:.0%}".replace("%", " %")
        part = (
            tr("{share} of the characters for training, as closely as whole texts allow", share=share)
            if self.value == "documents" else tr("{share} of the characters for training", share=share)
        )
        return tr(
            "{part}; context length {context}, stride {stride}, batch size {batch}", part=part,
            context=f"{spec.config.context_length:,}", stride=f"{spec.window_stride:,}", batch=f"{spec.batch_size:,}",
        )

    def _lay_out(self) -> None:
        head = hbox(label(tr("Split"), "heading", buddy=self.box), grows(self.box))
        with_layout(self, vbox(card(head, self.words, self._grid(), self.problem, FREE, name="texts_split_card")))

    def _grid(self) -> QGridLayout:
        grid = QGridLayout()
        grid.setVerticalSpacing(8)
        grid.setHorizontalSpacing(20)  # more than a space between two numbers, also in large text
        for column, title in enumerate(PARTS.values(), start=1):
            grid.addWidget(label(tr(title), "muted"), 0, column, Qt.AlignmentFlag.AlignRight)
        for line, (row, caption) in enumerate(ROWS.items(), start=1):
            grid.addWidget(label(tr(caption), "muted"), line, 0)
            for column, part in enumerate(PARTS, start=1):
                grid.addWidget(self.figures[f"{part}_{row}"], line, column, Qt.AlignmentFlag.AlignRight)
        grid.setColumnStretch(0, 1)
        return grid


def _shown_name(name: str) -> str:
    """Return the title of a built-in text, or the name of the file."""
    return tr(texts.NAMES[name]) if name in texts.NAMES else encodable(Path(name).name)


def _figures(spec: TrainSpec | None, part: str, tokens: int) -> tuple[str, str, str]:
    """Return the numbers of tokens, windows and batches of one part; only in training, a smaller last batch is not
    used."""
    if spec is None:
        return f"{tokens:,}", "–", "–"
    windows = corpus.windows(tokens, spec.config.context_length, spec.window_stride)
    batches = windows // spec.batch_size if part == "train" else -(-windows // spec.batch_size)
    return f"{tokens:,}", f"{windows:,}", f"{batches:,}"


class TextsTab(QWidget):
    """Page that requests the properties of the texts, one request at a time, and shows the answers."""

    def __init__(self, state: AppState, library: LibraryController, actions: Actions) -> None:
        super().__init__()
        self._state, self._library = state, library
        self._counted: ShareCounted | None = None
        self._task: Task | None = None
        self._reading, self._progress_shown, self._halted = "", False, False
        self._make_controls(actions)
        self._lay_out()
        self._list_texts()
        self._connect()
        self._offer()
        on_restyle(self, self._turn)

    @property
    def busy(self) -> bool:
        return self._task is not None

    def _list_texts(self) -> None:
        """List the built-in texts, and those that were open when the program was closed."""
        kept = self._state.page_selections
        for name in dict.fromkeys((*kept.texts, *texts.NAMES)):
            if (file := texts.locate(name)) and os.path.isfile(file):
                self.table.add(name, ticked=name in kept.checked_texts if kept.texts else not self.table.names)
        if kept.text in self.table.names:
            self.table.selectRow(self.table.names.index(kept.text))

    def add(self, paths: Iterable[str | os.PathLike[str]]) -> None:
        """Open texts, and all texts of a folder; uncheck the built-in ones. A text in the list is read again."""
        left_out = list[str]()
        try:
            new = texts.expanded(map(str, paths), left_out.append)
        except texts.TextError as error:
            self.notice.setText(tr(error_text(error)))
            return
        self.notice.say(tr(joined("\n", *left_out)))
        for name in new:
            self._state.remember_file(name)
            if name in self.table.names:
                self.table.remove(name)
                self._counted = None
            self.table.add(name, ticked=True)
        for ready in set(texts.NAMES) & set(self.table.names):
            self.table.tick(ready, False)
        self.table.selectRow(self.table.names.index(new[0]))
        self._halted = False
        self._look()

    def _offer(self) -> None:
        """List the offered texts that are not in the list yet."""
        for name in self._state.offered_texts:
            if name not in self.table.names:
                self.table.add(name, ticked=False)
        self._look()

    def leave(self) -> None:
        """Request nothing more, because the window is being closed."""
        self._halted = True

    # User actions.

    def showEvent(self, event: QShowEvent) -> None:
        super().showEvent(event)
        self._look_again()

    def changeEvent(self, event: QEvent) -> None:
        super().changeEvent(event)
        if event.type() == QEvent.Type.ActivationChange and self.isVisible() and self.isActiveWindow():
            self._look_again()  # the user may have edited a text in another program

    def _look_again(self) -> None:
        """Read texts again whose files have changed."""
        if self.table.forget_changed():
            self._counted = None
        self._look()

    def resizeEvent(self, event: QResizeEvent) -> None:
        super().resizeEvent(event)
        self._turn()

    def _turn(self) -> None:
        """Place preview and split below each other if one of them would be too narrow, and fit the table."""
        self.table.updateGeometry()
        narrow = self.width() < 2 * self.split.minimumSizeHint().width()
        self.halves.setOrientation(Qt.Orientation.Vertical if narrow else Qt.Orientation.Horizontal)
        self.work.setFixedWidth(min(WORK_WIDTH * self.fontMetrics().height(), self.width() - 32))

    @property
    def share(self) -> SplitRequest | None:
        """Texts to train on and their split; None if none is checked."""
        ticked = self.table.ticked_names
        spec = self._state.spec or TrainSpec()
        size = f":{spec.config.vocab_size}" if spec.config.vocabulary == "own" else ""
        vocabulary = "gpt2" if spec.init_from else f"{spec.config.vocabulary}{size}"
        return SplitRequest(ticked, self.split.value, spec.train_ratio, vocabulary, spec.init_from) if ticked else None

    def _look(self) -> None:
        """Request the answers that are missing, unless the page is hidden or a request is in progress."""
        names = tuple(name for name in self.table.names if name not in self.table.answers)
        share = None if self._current_count() else self.share
        if (names or share) and self.isVisible() and not self.busy and not self._halted:
            self._progress_shown = False
            self._task = self._library.measure_texts(
                TextsRequest(names, share), self._take_answers, self._end, self._show_progress)
        self._show_state()

    def ask_for_texts(self) -> None:
        kinds = tr("Texts (*.txt *.md);;All (*)")
        paths, _ = QFileDialog.getOpenFileNames(self, tr("Open training texts"), "", kinds)
        if paths:
            self.add(paths)

    def paste(self) -> None:
        PasteDialog(self, lambda path: self.add([path])).open()

    def _remove(self) -> None:
        name = self.table.selected_name
        if name is None:
            return
        if self._task and name not in self.table.answers:
            self._task.cancel()  # it may be reading this text
        self.table.remove(name)
        self._look()

    def _cancel_pressed(self) -> None:
        self._halted = not self._halted
        if self._halted and self._task:
            self._task.cancel()
        self._look()

    # Answers.

    def _show_passage(self, passage: FoundPassage) -> None:
        """Select the text of a passage in the list, adding it if necessary, and show the passage."""
        if passage.name not in self.table.names:
            self.table.add(passage.name, ticked=False)
        self.table.selectRow(self.table.names.index(passage.name))
        self.preview_card.show_passage(passage)
        self._look()

    def _take_answers(self, answers: Sequence[Any]) -> None:
        for answer in answers:
            match answer:
                case TextMeasured() | TextRefused() if answer.name in self.table.names:
                    self.table.show_answer(answer)
                case ShareCounted():
                    self._counted = answer
                case TextStarted():
                    self._reading = answer.name
        self._show_state()

    def _end(self) -> None:
        self._task = None
        self._look()  # the user may have changed something meanwhile

    # Display.

    def _show_state(self) -> None:
        waiting = self._halted and any(name not in self.table.answers for name in self.table.names)
        self.progress.setVisible(self.busy)
        self.work.setVisible((self.busy and self._progress_shown) or waiting)  # small texts show no progress
        self.cancel.setText(tr("Continue") if self._halted else tr("Cancel"))
        if waiting and not self.busy:
            self.doing.setText(tr("Stopped. Texts without values have not been read."))
        self._state.page_selections = self._state.page_selections.but(
            texts=storable(self.table.names), checked_texts=storable(self.table.ticked_names),
            text=storable_name(self.table.selected_name))
        chosen = self.table.selected_name is not None
        set_blocker(self.remove, "" if chosen else tr("Click a text in the list first."))
        name = self.table.selected_name or next(iter(self.table.names), "")
        self.preview_card.show_text(name, self.table.answers.get(name))
        self.split.show_counts(self._state.spec, self._current_count())
        set_blocker(self.train, self._reason(), tr("Uses the selected texts in the Train tab"))

    def _show_progress(self, done: int, total: int) -> None:
        self._progress_shown = True
        name = _shown_name(self._reading) if self._reading else tr("the texts")
        self.progress.show_progress(done, total)
        self.doing.setText(
            tr("Tokenising {name}: {done} of {all}", name=name, done=size(done), all=size(total)) if total
            else tr("Reading {name}", name=name))
        self._show_state()

    def _reason(self) -> str:
        """Return the reason why the texts cannot be trained on; empty if they can."""
        if not self.share:
            return tr("Select a text with its check box first.")
        counted = self._current_count()
        return tr(counted.problem) if counted else tr("The texts have not been read yet.")

    def _current_count(self) -> ShareCounted | None:
        """Return the counts for the current check marks and split; None if they are not known."""
        return self._counted if self._counted and self._counted.share == self.share else None

    # Construction.

    def _make_controls(self, actions: Actions) -> None:
        self.open, self.paste_button = actions.button("open_texts"), actions.button("paste_text")
        self.remove = button(tr("Remove"), "remove_text", tr(
            "Removes it from this list (Del); the file stays where it is"), do=self._remove)
        self.train = button(tr("Train on these"), "train_on_these", role="primary")
        self.table = TextTable()
        self.setFocusProxy(self.table)
        self.notice = Notice("texts_notice")
        self.progress = ProgressBar("texts_progress", tr("Tokenising progress"))
        self.doing = label(role="muted", name="texts_doing", wrap=True)
        self.cancel = button(tr("Cancel"), "cancel_texts", do=self._cancel_pressed)
        self.preview_card = TextPreview(self._library)
        self.split = TextSplit()

    def _connect(self) -> None:
        self.table.ticked.connect(self._look)
        self.table.selected.connect(self._show_state)
        self.split.changed.connect(self._look)
        self.train.clicked.connect(lambda: self._library.train_on(self.table.ticked_names, self.split.value))
        self._state.on(self._look, "spec")
        self._state.on(self._offer, "offered_texts")
        self._state.passage_requested.connect(self.preview_card.look_for)
        self._library.passage_found.connect(self._show_passage)
        delete = QShortcut(QKeySequence.StandardKey.Delete, self.table, context=Qt.ShortcutContext.WidgetShortcut)
        delete.activated.connect(self._remove)

    def _lay_out(self) -> None:
        self.halves = QSplitter()
        self.halves.setChildrenCollapsible(False)
        self.halves.setHandleWidth(12)
        self.halves.addWidget(self.preview_card)
        self.halves.addWidget(self.split)
        self.halves.setStretchFactor(0, 1)
        self.halves.setSizes([600, 300])
        self.work = with_layout(QWidget(), hbox(grows(self.doing), grows(self.progress), self.cancel))
        with_layout(self, vbox(
            Flow(self.train, self.open, self.paste_button, self.remove, self.work), self.notice,
            card(self.table, name="texts_card"), grows(self.halves),
            spacing=8, margins=(16, 12, 16, 12),
        ))
