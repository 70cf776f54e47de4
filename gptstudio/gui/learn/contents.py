"""List of lessons and experiments: next to the page if there is space, otherwise as a combo box above it."""

from __future__ import annotations

import tomllib
from collections.abc import Callable, Iterator, Sequence
from functools import cache
from pathlib import Path
from typing import NamedTuple

from PySide6.QtCore import QModelIndex, QSignalBlocker, QSize, Qt, Signal
from PySide6.QtGui import QStandardItem, QStandardItemModel
from PySide6.QtWidgets import QAbstractItemView, QFrame, QHeaderView, QTreeWidget, QTreeWidgetItem

from gptstudio.app.lesson_progress import LessonRecord
from gptstudio.gui.appearance import on_restyle
from gptstudio.gui.theme import colour
from gptstudio.gui.translation import tr
from gptstudio.gui.widgets.parts import choice_box, named, plain
from gptstudio.labs.catalogue import CHAPTERS

WIDTH, LINE, HEADING = 16.5, 1.6, 2.1
"""Width of the list, and heights of its lines and headings, in line heights."""
NAME, LENGTH = range(2)  # columns: the second shows the progress or the duration of a lesson

PLACE = Qt.ItemDataRole.UserRole


class ContentsRow(NamedTuple):
    """Row of the list that can be selected."""

    words: str
    tip: str = ""
    target: str | Path | None = None  # name of a lab, file of a lesson, or None to choose a file
    minutes: int = 0  # duration of a lesson; 0: unknown
    progress: str = ""  # progress in a lesson


class Contents(QTreeWidget):
    """List of lessons and experiments; emits the selected row. Its ``box`` holds the same rows."""

    lab_chosen = Signal(str)
    lesson_chosen = Signal(object)  # a Path, or None to choose a file

    def __init__(self) -> None:
        super().__init__()
        self.setColumnCount(2)
        self.setHeaderHidden(True)
        self.setRootIsDecorated(False)
        self.setItemsExpandable(False)
        self.setIndentation(10)
        self.setTextElideMode(Qt.TextElideMode.ElideRight)
        self.setFrameShape(QFrame.Shape.NoFrame)
        self.setSelectionMode(QAbstractItemView.SelectionMode.SingleSelection)
        self.setHorizontalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)
        named(self, "lab_list", tr("Lessons and experiments"))
        self._lessons: Sequence[ContentsRow] = ()
        self._shown = ""
        self.lines: list[QTreeWidgetItem] = []  # lines that can be selected
        self.box = choice_box("lab_box", tr("Lessons and experiments"))
        self._model = QStandardItemModel(self)
        self.box.setModel(self._model)
        self.header().setStretchLastSection(False)
        self.header().setSectionResizeMode(NAME, QHeaderView.ResizeMode.Stretch)
        self.header().setSectionResizeMode(LENGTH, QHeaderView.ResizeMode.ResizeToContents)
        self.currentItemChanged.connect(self._went_to)
        self.itemClicked.connect(self._clicked)
        self.itemActivated.connect(self._clicked)
        self.box.activated.connect(lambda place: self._take(self.box.itemData(place, PLACE)))
        for list_or_box in (self, self.box):  # one of them is hidden
            on_restyle(list_or_box, self.fill)
        self.fill()

    def set_lessons(
            self, lessons: Sequence[Path], progress: Callable[[Path], LessonRecord | None] = lambda _: None) -> None:
        """Set the files of the included lessons, and the function that returns the progress in each."""
        self._lessons = [read_head(path)._replace(progress=progress_text(progress(path))) for path in lessons]
        self.fill()

    def show_chosen(self, name: str) -> None:
        """Select the lab of the current page, without a signal."""
        self._shown = name
        with QSignalBlocker(self), QSignalBlocker(self.box):
            for item in self.lines:
                if item.data(0, PLACE) == name:
                    self.setCurrentItem(item)
            self.box.setCurrentIndex(self.box.findData(name, PLACE))

    def fill(self) -> None:
        """Fill in all rows again, in the current colours."""
        self.ensurePolished()
        self.setFixedWidth(round(WIDTH * self.fontMetrics().height()))
        with QSignalBlocker(self), QSignalBlocker(self.box):
            self.clear()
            self.lines.clear()
            self._model.clear()
            for words, rows in self._sections():
                heading = self._heading(words)
                for row in rows:
                    self._line(row, heading)
            self.expandAll()
        if self._shown:
            self.show_chosen(self._shown)

    def _sections(self) -> Iterator[tuple[str, list[ContentsRow]]]:
        """Yield each heading with its rows."""
        yield tr("Lessons"), [*self._lessons, ContentsRow(
            tr("Open lesson…"), tr("A lesson is a small text file (TOML). You can also drop one here."))]
        for chapter in CHAPTERS:
            yield tr(chapter.title), [ContentsRow(tr(each.title), tr(each.idea), each.name) for each in chapter.entries]

    def _heading(self, words: str) -> QTreeWidgetItem:
        item = QTreeWidgetItem(self, [words])
        item.setFlags(Qt.ItemFlag.ItemIsEnabled)
        item.setFirstColumnSpanned(True)
        item.setForeground(NAME, colour("muted"))
        item.setTextAlignment(NAME, Qt.AlignmentFlag.AlignLeft | Qt.AlignmentFlag.AlignBottom)
        item.setSizeHint(NAME, self._high(HEADING if self.topLevelItemCount() > 1 else LINE))
        font = item.font(NAME)
        font.setBold(True)
        item.setFont(NAME, font)
        above = QStandardItem(words)
        above.setFont(font)
        above.setFlags(Qt.ItemFlag.NoItemFlags)
        self._model.appendRow(above)
        return item

    def _line(self, row: ContentsRow, heading: QTreeWidgetItem) -> None:
        length = row.progress or (tr("{minutes} min", minutes=row.minutes) if row.minutes else "")
        item = QTreeWidgetItem(heading, [row.words, length])
        item.setFirstColumnSpanned(not length)
        item.setSizeHint(NAME, self._high(LINE))
        item.setForeground(LENGTH, colour("muted"))
        item.setToolTip(NAME, plain(row.tip))
        item.setData(NAME, PLACE, row.target)
        self.lines.append(item)
        beside = QStandardItem(tr("{lesson} ({length})", lesson=row.words, length=length) if length else row.words)
        beside.setToolTip(plain(row.tip))
        beside.setData(row.target, PLACE)
        self._model.appendRow(beside)

    def _high(self, letters: float) -> QSize:
        return QSize(0, round(letters * self.fontMetrics().height()))

    def moveCursor(self, action: QAbstractItemView.CursorAction, modifiers: Qt.KeyboardModifier) -> QModelIndex:
        """Move the cursor; Home moves to the first selectable line, because the top line is a heading."""
        index = super().moveCursor(action, modifiers)
        home = action == QAbstractItemView.CursorAction.MoveHome
        return self.indexBelow(index) if home and not index.parent().isValid() else index

    def _went_to(self, item: QTreeWidgetItem | None) -> None:
        """Open a lab's page when it becomes current by keys or a click; a lesson opens only on a click or Enter."""
        if item and isinstance(item.data(0, PLACE), str):
            self.lab_chosen.emit(item.data(0, PLACE))

    def _clicked(self, item: QTreeWidgetItem) -> None:
        if item.parent() and not isinstance(item.data(0, PLACE), str):
            self._take(item.data(0, PLACE))

    def _take(self, target: str | Path | None) -> None:
        if isinstance(target, str):
            self.lab_chosen.emit(target)
        else:
            self.show_chosen(self._shown)  # a lesson starts, but no page opens
            self.lesson_chosen.emit(target)


def progress_text(record: LessonRecord | None) -> str:
    """Return the progress in a lesson; empty if it was not started."""
    if record is None or not (record.done or record.skipped or record.goals):
        return ""
    return tr("✓ done") if record.complete else tr("{n} of {count}", n=record.done, count=record.steps)


@cache
def read_head(path: Path) -> ContentsRow:
    """Read the head of a lesson's file, which is part of the program and does not change. If the file is invalid,
    return only its name: opening it reports the problem."""
    try:
        head = tomllib.loads(path.read_text(encoding="utf-8"))
        return ContentsRow(str(head["title"]), str(head.get("about", "")), path, minutes=int(head["minutes"]))
    except (OSError, ValueError, TypeError, KeyError):
        return ContentsRow(path.stem, target=path)
