"""The Texts tab: what there is to learn from, how it becomes tokens, and what a run would make of it."""

from __future__ import annotations

import os
from collections.abc import Iterable, Sequence
from typing import Any

from PySide6.QtCore import Qt
from PySide6.QtGui import QKeySequence, QResizeEvent, QShortcut, QShowEvent
from PySide6.QtWidgets import QFileDialog, QProgressBar, QSplitter, QWidget

from gptstudio.app.state import AppState, storable, storable_name
from gptstudio.app.tasks import Task
from gptstudio.app.text_tasks import (
    FoundPassage,
    ReadingText,
    ShareCounted,
    Split,
    TextMeasured,
    TextRefused,
    TextsRequest,
)
from gptstudio.data import texts
from gptstudio.gui.actions import Actions
from gptstudio.gui.appearance import follow
from gptstudio.gui.controllers.library import LibraryController
from gptstudio.gui.texts.paste_dialog import PasteDialog
from gptstudio.gui.texts.text_preview import TextPreview
from gptstudio.gui.texts.text_split import TextSplit
from gptstudio.gui.texts.text_table import TextTable
from gptstudio.gui.translation import joined, size, tr
from gptstudio.gui.widgets.flow import Flow
from gptstudio.gui.widgets.layouts import card, grows, hbox, holding, vbox
from gptstudio.gui.widgets.parts import Notice, button, label, named, permit
from gptstudio.training.executor import in_words
from gptstudio.training.spec import TrainSpec

PER_MILLE = 1_000


class TextsTab(QWidget):
    """Asks what is in the texts, one ask at a time, and shows the answers."""

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
        follow(self, self._turn)

    @property
    def busy(self) -> bool:
        """True if texts are being read."""
        return self._task is not None

    def _list_texts(self) -> None:
        """List those that ship, and the texts that were open when the program was closed."""
        kept = self._state.page_selections
        for name in dict.fromkeys((*kept.texts, *texts.NAMES)):
            if (file := texts.locate(name)) and file.is_file():
                self.table.add(name, ticked=name in kept.checked_texts if kept.texts else not self.table.names)
        if kept.text in self.table.names:
            self.table.selectRow(self.table.names.index(kept.text))

    def add(self, paths: Iterable[str | os.PathLike[str]]) -> None:
        """Open texts, and all texts of a folder; uncheck the built-in ones. A text in the list is read again."""
        left_out = list[str]()
        try:
            new = texts.expanded(map(str, paths), left_out.append)
        except texts.TextError as error:
            self.notice.setText(tr(in_words(error)))
            return
        self.notice.note(tr(joined("\n", *left_out)))
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
        """List the texts that can be ticked besides those that ship."""
        for name in self._state.offered_texts:
            if name not in self.table.names:
                self.table.add(name, ticked=False)
        self._look()

    def leave(self) -> None:
        """The window is going: nothing more is asked for."""
        self._halted = True

    # User actions.

    def showEvent(self, event: QShowEvent) -> None:
        super().showEvent(event)
        self._look()

    def resizeEvent(self, event: QResizeEvent) -> None:
        super().resizeEvent(event)
        self._turn()

    def _turn(self) -> None:
        """Place preview and split below each other if one of them would be too narrow."""
        narrow = self.width() < 2 * self.split.minimumSizeHint().width()
        self.halves.setOrientation(Qt.Orientation.Vertical if narrow else Qt.Orientation.Horizontal)

    @property
    def share(self) -> Split | None:
        """Texts to train on and their split; None if none is checked."""
        ticked = self.table.ticked_names
        spec = self._state.spec or TrainSpec()
        size = f":{spec.config.vocab_size}" if spec.config.vocabulary == "own" else ""
        vocabulary = "gpt2" if spec.init_from else f"{spec.config.vocabulary}{size}"
        return Split(ticked, self.split.value, spec.train_ratio, vocabulary, spec.init_from) if ticked else None

    def _look(self) -> None:
        """Asks for what is not known yet: nothing before the tab is seen, and nothing while an answer is due."""
        names = tuple(name for name in self.table.names if name not in self.table.answers)
        share = None if self._current_count() else self.share
        if (names or share) and self.isVisible() and not self.busy and not self._halted:
            self._progress_shown = False
            self._task = self._library.measure_texts(
                TextsRequest(names, share), self._take_answers, self._end, self._show_progress)
        self._show_state()

    def ask_for_texts(self) -> None:
        """Ask which texts to open."""
        kinds = tr("Texts (*.txt *.md);;All (*)")
        paths, _ = QFileDialog.getOpenFileNames(self, tr("Open training texts"), "", kinds)
        if paths:
            self.add(paths)

    def paste(self) -> None:
        """Open a box to paste a text into."""
        PasteDialog(self, lambda path: self.add([path])).open()

    def _remove(self) -> None:
        name = self.table.selected_name
        if name is None:
            return
        if self._task and name not in self.table.answers:
            self._task.cancel()  # it may be this one that is read at the moment
        self.table.remove(name)
        self._look()

    def _cancel_pressed(self) -> None:
        self._halted = not self._halted
        if self._halted and self._task:
            self._task.cancel()
        self._look()

    # What was read.

    def _show_passage(self, passage: FoundPassage) -> None:
        """Select the text of a passage in the list, to which it is added if it is not there, and show the passage."""
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
                case ReadingText():
                    self._reading = answer.name
        self._show_state()

    def _end(self) -> None:
        self._task = None
        self._look()  # the user may have changed something meanwhile

    # Display.

    def _show_state(self) -> None:
        waiting = self._halted and any(name not in self.table.answers for name in self.table.names)
        self.progress.setVisible(self.busy)
        self.work.setVisible((self.busy and self._progress_shown) or waiting)  # not for a small text
        self.cancel.setText(tr("Continue") if self._halted else tr("Cancel"))
        if waiting and not self.busy:
            self.doing.setText(tr("Stopped. Texts without values have not been read."))
        self._state.page_selections = self._state.page_selections.but(
            texts=storable(self.table.names), checked_texts=storable(self.table.ticked_names),
            text=storable_name(self.table.selected_name))
        chosen = self.table.selected_name is not None
        permit(self.remove, "" if chosen else tr("Click a text in the list first."))
        name = self.table.selected_name or next(iter(self.table.names), "")
        self.preview_card.show_text(name, self.table.answers.get(name))
        self.split.show_counts(self._state.spec, self._current_count())
        permit(self.train, self._reason(), tr("Uses the selected texts in the Train tab"))

    def _show_progress(self, done: int, total: int) -> None:
        self._progress_shown = True
        name = os.path.basename(self._reading) or tr("the texts")
        if total:
            self.progress.setRange(0, PER_MILLE)
            self.progress.setValue(PER_MILLE * done // total)
            words = tr("Tokenising {name}: {done} of {all}", name=name, done=size(done), all=size(total))
        else:
            self.progress.setRange(0, 0)
            words = tr("Reading {name}", name=name)
        self.doing.setText(words)
        self._show_state()

    def _reason(self) -> str:
        """Return the reason the texts cannot be trained on; empty if they can."""
        if not self.share:
            return tr("Select a text with its check box first.")
        counted = self._current_count()
        return tr(counted.problem) if counted else tr("The texts have not been read yet.")

    def _current_count(self) -> ShareCounted | None:
        """The count of what is ticked and how it is split now, where it is known."""
        return self._counted if self._counted and self._counted.share == self.share else None

    # Putting together.

    def _make_controls(self, actions: Actions) -> None:
        self.open, self.paste_button = actions.button("open_texts"), actions.button("paste_text")
        self.remove = button(tr("Remove"), "remove_text", tr(
            "Removes it from this list (Del); the file stays where it is"))
        self.train = button(tr("Train on these"), "train_on_these", role="primary")
        self.table = TextTable()
        self.setFocusProxy(self.table)
        self.notice = Notice("texts_notice")
        self.progress = named(QProgressBar(), "texts_progress", tr("Tokenising progress"))
        self.progress.setTextVisible(False)
        self.doing = label(role="muted", name="texts_doing", wrap=True)
        self.cancel = button(tr("Cancel"), "cancel_texts")
        self.preview_card = TextPreview(self._library)
        self.preview, self.preview_title = self.preview_card.text, self.preview_card.title
        self.guess = self.preview_card.guess
        self.split = TextSplit()

    def _connect(self) -> None:
        self.remove.clicked.connect(self._remove)
        self.cancel.clicked.connect(self._cancel_pressed)
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
        self.work = holding(QWidget(), hbox(grows(self.doing), grows(self.progress), self.cancel))
        holding(self, vbox(
            Flow(self.train, self.open, self.paste_button, self.remove), self.work, self.notice,
            grows(card(self.table, name="texts_card"), 3), grows(self.halves, 5),
            spacing=8, margins=(16, 12, 16, 12),
        ))
