"""The Learn tab: the list of lessons and experiments, the page of the open experiment, and printable worksheets."""

from __future__ import annotations

import tomllib
import xml.etree.ElementTree as ET
from collections.abc import Callable, Iterator, Sequence
from functools import lru_cache, partial
from importlib import import_module
from pathlib import Path
from typing import Any, NamedTuple, cast

from PySide6.QtCore import QModelIndex, QSignalBlocker, QSize, Qt, Signal
from PySide6.QtGui import QHideEvent, QImage, QPainter, QPen, QResizeEvent, QShowEvent, QStandardItemModel
from PySide6.QtWidgets import QFileDialog, QHeaderView, QStackedWidget, QTreeWidget, QTreeWidgetItem, QWidget

from gptstudio import files, settings
from gptstudio.app.lab_tasks import LabRequest
from gptstudio.app.lesson_progress import LessonRecord
from gptstudio.app.state import AppState
from gptstudio.app.tasks import Task
from gptstudio.errors import UserError, text_of
from gptstudio.fields import Spec
from gptstudio.gui.actions import Actions
from gptstudio.gui.appearance import appearance, on_restyle
from gptstudio.gui.controllers.learning import LearningController
from gptstudio.gui.controllers.training import QuickTraining
from gptstudio.gui.language import language
from gptstudio.gui.learn.kit import LabPage
from gptstudio.gui.learn.kit.model_offer import ModelOffer
from gptstudio.gui.learn.lessons.check_texts import goal_text
from gptstudio.gui.question import chosen
from gptstudio.gui.save_as import save_as
from gptstudio.gui.theme import colour, theme
from gptstudio.gui.translation import tr, tr_for_file
from gptstudio.gui.widgets import pdf
from gptstudio.gui.widgets.deferred import late
from gptstudio.gui.widgets.layouts import grows, hbox, vbox, with_layout
from gptstudio.gui.widgets.parts import Notice, choice_box, label, named, plain
from gptstudio.history.report.page import element
from gptstudio.labs.catalogue import CHAPTERS, ENTRIES, load
from gptstudio.labs.lesson import Lesson, LessonStep, shipped
from gptstudio.labs.lesson import load as load_lesson

LINES = 2
"""Empty lines below a question."""
BOX, BOX_SIDE, SHARPNESS = "box.png", 12, 4
"""File name of the picture of a tick box, its side on the page in pixels, and its pixels per pixel of the page."""


def save_worksheet(lesson: Lesson, path: Path) -> None:
    """Write the worksheet of a lesson as PDF.

    Raises:
        UserError: the file cannot be written; no partial file remains.
    """
    parts: list[ET.Element] = [element("h1", lesson.title)]
    if lesson.about:
        parts.append(element("p", lesson.about, class_="muted"))
    parts += [element("p", tr("Your name or your pair's")), _line()]
    for number, step in enumerate(lesson.steps, 1):
        if step.predict or step.check:
            parts += _step(number, step)
    parts += [element("h2", tr("What did you see?")), *(_line() for _ in range(LINES))]
    pdf.save(element("body", *parts), lesson.title, path, {BOX: _box()})


def _step(number: int, step: LessonStep) -> Iterator[ET.Element]:
    yield element("h2", tr_for_file("{n}. {title}", n=number, title=step.title))
    if step.predict:
        yield element("p", step.predict.question)
        if step.predict.choices:
            yield from map(_to_tick, step.predict.choices)
        else:
            yield from (_line() for _ in range(LINES))
    if step.check:
        yield _to_tick(tr_for_file("Goal: {goal}", goal=goal_text(step)))


def _to_tick(text: str) -> ET.Element:
    """Return a paragraph with a tick box. The box is a picture, since fonts may lack the sign."""
    return element("p", element("img", src=BOX, width=BOX_SIDE, height=BOX_SIDE), f"\N{NO-BREAK SPACE} {text}")


def _box() -> QImage:
    image = QImage(BOX_SIDE * SHARPNESS, BOX_SIDE * SHARPNESS, QImage.Format.Format_RGB32)
    image.fill(Qt.GlobalColor.white)
    painter = QPainter(image)
    painter.setPen(QPen(Qt.GlobalColor.black, SHARPNESS))
    painter.drawRect(image.rect().adjusted(SHARPNESS, SHARPNESS, -2 * SHARPNESS, -2 * SHARPNESS))
    painter.end()
    return image


def _line() -> ET.Element:
    """Return a blank line to write on."""
    line = element("td", "\N{NO-BREAK SPACE}", width="100%",
                   style="border-bottom: 1px solid #5b6475; padding-top: 10px;")
    return element("table", element("tr", line), width="100%", cellspacing=0)


WIDTH, LINE, HEADING = 17.4, 1.6, 2.1
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
    """List of lessons and experiments; emits the target of the selected row. Its ``box`` holds the same rows."""

    chosen = Signal(object)

    def __init__(self) -> None:
        super().__init__()
        self.setColumnCount(2)
        self.setHeaderHidden(True)
        self.setRootIsDecorated(False)
        self.setItemsExpandable(False)
        self.setIndentation(3)
        self.setTextElideMode(Qt.TextElideMode.ElideRight)
        self.setFrameShape(self.Shape.NoFrame)
        self.setSelectionMode(self.SelectionMode.SingleSelection)
        self.setHorizontalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)
        named(self, "lab_list", tr("Lessons and experiments"))
        self._lessons: Sequence[ContentsRow] = ()
        self._shown = ""
        self.lines: list[QTreeWidgetItem] = []  # lines that can be selected
        self.box = choice_box("lab_box", tr("Lessons and experiments"))
        self.header().setStretchLastSection(False)
        self.header().setSectionResizeMode(NAME, QHeaderView.ResizeMode.Stretch)
        self.header().setSectionResizeMode(LENGTH, QHeaderView.ResizeMode.ResizeToContents)
        self.currentItemChanged.connect(self._went_to)
        self.itemClicked.connect(self._clicked)
        self.itemActivated.connect(self._clicked)
        self.box.activated.connect(lambda place: self._take(self.box.itemData(place)))
        for list_or_box in (self, self.box):  # one of them is hidden
            on_restyle(list_or_box, self.fill)
        self.fill()

    def set_lessons(
            self, lessons: Sequence[Path], progress: Callable[[Path], LessonRecord | None] = lambda _: None) -> None:
        """Set the files of the lessons, and the function that returns the progress in each."""
        self._lessons = [read_head(path)._replace(progress=progress_text(progress(path))) for path in lessons]
        self.fill()

    def show_chosen(self, name: str) -> None:
        """Select the lab of the current page, without a signal."""
        self._shown = name
        with QSignalBlocker(self), QSignalBlocker(self.box):
            for item in self.lines:
                if item.data(0, PLACE) == name:
                    self.setCurrentItem(item)
            self.box.setCurrentIndex(self.box.findData(name))

    def fill(self) -> None:
        """Fill in all rows again, in the current colours."""
        self.ensurePolished()
        self.setFixedWidth(round(WIDTH * self.fontMetrics().height()))
        with QSignalBlocker(self), QSignalBlocker(self.box):
            self.clear()
            self.lines.clear()
            self.box.clear()
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
        self.box.addItem(words)
        above = cast(QStandardItemModel, self.box.model()).item(self.box.count() - 1)
        above.setFont(font)
        above.setFlags(Qt.ItemFlag.NoItemFlags)
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
        words = tr("{lesson} ({length})", lesson=row.words, length=length) if length else row.words
        self.box.addItem(words, row.target)
        self.box.setItemData(self.box.count() - 1, plain(row.tip), Qt.ItemDataRole.ToolTipRole)

    def _high(self, letters: float) -> QSize:
        return QSize(0, round(letters * self.fontMetrics().height()))

    def moveCursor(self, action: QTreeWidget.CursorAction, modifiers: Qt.KeyboardModifier) -> QModelIndex:
        """Move the cursor; Home moves to the first selectable line, because the top line is a heading."""
        index = super().moveCursor(action, modifiers)
        home = action == self.CursorAction.MoveHome
        return self.indexBelow(index) if home and not index.parent().isValid() else index

    def _went_to(self, item: QTreeWidgetItem | None) -> None:
        """Open a lab's page when it becomes current by keys or a click; a lesson opens only on a click or Enter."""
        if item and isinstance(item.data(0, PLACE), str):
            self.chosen.emit(item.data(0, PLACE))

    def _clicked(self, item: QTreeWidgetItem) -> None:
        if item.parent() and not isinstance(item.data(0, PLACE), str):
            self._take(item.data(0, PLACE))

    def _take(self, target: str | Path | None) -> None:
        if not isinstance(target, str):
            self.show_chosen(self._shown)  # a lesson starts, but no page opens
        self.chosen.emit(target)


def progress_text(record: LessonRecord | None) -> str:
    """Return the progress in a lesson; empty if it was not started."""
    if record is None or not (record.done or record.skipped or record.goals):
        return ""
    return tr("✓ done") if record.complete else tr("{n} of {count}", n=record.done, count=record.steps)


def offered_lessons() -> list[Path]:
    """Return the files of the lessons in the window's language, beginning with that of this computer's settings."""
    first = settings.in_force().lesson_file(language.code)
    return list(dict.fromkeys([*filter(None, [first]), *shipped(language.code)]))


def read_head(path: Path) -> ContentsRow:
    """Read the head of a lesson's file. If the file is invalid, return only its name: opening it reports the
    problem."""
    try:
        return _head_of(path.read_text(encoding="utf-8"))._replace(target=path)
    except (OSError, ValueError, TypeError, KeyError):
        return ContentsRow(path.stem, target=path)


@lru_cache(maxsize=100)
def _head_of(text: str) -> ContentsRow:
    """Parse the text of a lesson's file once: the list of lessons is filled again after each step of a lesson."""
    head = tomllib.loads(text)
    return ContentsRow(str(head["title"]), str(head.get("about", "")), minutes=int(head["minutes"]))


WIDE = 70  # minimum width, in line heights, for the list next to the page; below, it is a box
WIDE_IN_LESSON = 90  # the same during a lesson, which opens the pages itself: the page has priority


class LearnTab(QWidget):
    """Pages of the experiments: creates each when it is first opened, and passes on its requests and the answers."""

    def __init__(
        self, state: AppState, controller: LearningController, quick: QuickTraining, actions: Actions
    ) -> None:
        super().__init__()
        self._state, self._controller, self._quick, self._actions = state, controller, quick, actions
        self.setObjectName("learn")
        self._pages: dict[str, LabPage[Spec, Any]] = {}
        self.contents = Contents()
        self.notice = Notice("learn_notice")
        self.pages = QStackedWidget()
        self.contents.chosen.connect(
            lambda target: self.open(target) if isinstance(target, str) else self.ask_for_lesson(target))
        self._lay_out()
        controller.lesson_refused.connect(lambda words: self.notice.setText(tr(words) if words else ""))
        controller.progress_changed.connect(self.offer_lessons)
        controller.lesson_opened.connect(self.offer_lessons)
        controller.lesson_opened.connect(self._fit)
        controller.lesson_ended.connect(self._fit)
        state.on(self._offer_models, "models", "device")
        self.offer_lessons()
        on_restyle(self, self._fit)

    @property
    def current(self) -> LabPage[Spec, Any] | None:
        shown = self.pages.currentWidget()
        return shown if isinstance(shown, LabPage) else None

    def page(self, name: str) -> LabPage[Spec, Any]:
        """Return the page of a lab, created if necessary, with its first request sent."""
        if name not in self._pages:
            page: LabPage[Spec, Any] = import_module(f"gptstudio.gui.learn.{name}").Page(load(name), self)
            self._pages[name] = page
            self.pages.addWidget(page)
            self._offer_training(page)
            theme.dress(page)
            page.set_sources(self._state.models, self._state.device.key)
            page.update_request()
            late.made.emit()
        return self._pages[name]

    def open(self, name: str) -> None:
        page = self.page(name)
        if page is not self.current:
            self._leave_page()
        appearance.catch_up(page)
        self.pages.setCurrentWidget(page)
        self.contents.show_chosen(name)
        self._state.page_selections = self._state.page_selections.but(experiment=name)

    def showEvent(self, event: QShowEvent) -> None:
        super().showEvent(event)
        self._fit()
        if not self.current:  # open a page when the tab is first shown
            last = self._state.page_selections.experiment
            self.open(last if last in ENTRIES else next(iter(ENTRIES)))

    def hideEvent(self, event: QHideEvent) -> None:
        super().hideEvent(event)
        if not event.spontaneous():  # spontaneous: the window is minimised
            self._leave_page()

    def _leave_page(self) -> None:
        """Release the model of the page that is left."""
        if self.current and self.current.lab.model:
            self._controller.release_models()

    def offer_lessons(self) -> None:
        """List the lessons in the window's language."""
        self.contents.set_lessons(offered_lessons(), self._controller.record_of)

    def ask(
        self, question: LabRequest, key: str, answered: Callable[[Any], object], refused: Callable[[str], object],
        progress: Callable[[int, int], object],
    ) -> Task | None:
        """Pass on the request of a page; a page that needs a model waits while a text is being generated."""
        if question.source and self._state.generating:
            self._pages[key].state.setText(tr("Waiting for the Generate tab to finish…"))
        return self._controller.ask(question, key, answered, refused, progress)

    def _offer_training(self, page: LabPage[Spec, Any]) -> None:
        """Offer to train a model if a trained one shows more on a page."""
        if page.models and page.lab.trained:
            offer = ModelOffer(self._state, self._quick, self._actions, page.models.source, page.models.choose)
            page.model_column.addWidget(offer)
            page.models.currentIndexChanged.connect(offer.update_words)
            offer.show_reason(page.lab.trained)

    def _offer_models(self) -> None:
        for page in self._pages.values():
            page.set_sources(self._state.models, self._state.device.key)

    def ask_for_lesson(self, path: Path | None = None) -> None:
        """Open a lesson; None: let the user choose its file."""
        if path is None:
            found, _ = QFileDialog.getOpenFileName(self, tr("Open a lesson"), "", tr("Lessons (*.toml *.gptlesson)"))
            if not found:
                return
            self._state.remember_file(found)
            path = Path(found)
        self._controller.open_lesson(path)

    def save_worksheet(self) -> None:
        """Ask for a lesson and a file, and write the worksheet of the lesson."""
        found = [*filter(None, [self._controller.path]), *offered_lessons()]
        titles = {path: read_head(path).words for path in dict.fromkeys(found)}
        path = chosen(self, "worksheet", tr("Worksheet of a lesson"), tr("Which lesson?"), tr("Save…"), titles)
        if path is None:
            return
        try:
            lesson = load_lesson(path)
        except UserError as error:
            self.notice.setText(tr(text_of(error)))
            return
        save_as(self, f"{files.portable(lesson.title, 60)}.pdf", partial(save_worksheet, lesson),
                self.notice.setText)

    def _lay_out(self) -> None:
        welcome = label(
            tr("A lesson guides you step by step. Or open any experiment and change what you like: nothing can break."),
            "muted", "learn_welcome", wrap=True)
        self.beside = with_layout(QWidget(), vbox(welcome, grows(self.contents)))
        self.above = with_layout(QWidget(), hbox(label(tr("Lesson or experiment"), "muted"), grows(self.contents.box)))
        self.parts = self.beside, self.above, self.notice  # without the pages, each of which is a part of its own
        with_layout(self, hbox(self.beside, grows(vbox(self.above, self.notice, grows(self.pages))), spacing=12,
                          margins=(16, 12, 16, 12)))
        self._fit()

    def resizeEvent(self, event: QResizeEvent) -> None:
        super().resizeEvent(event)
        self._fit()

    def minimumSizeHint(self) -> QSize:
        """Return the minimum size of the page; the list is replaced by a box if necessary."""
        page = self.current.minimumSizeHint() if self.current else QSize()
        return QSize(page.width() + 32, page.height() + 80)

    def _fit(self) -> None:
        least = WIDE_IN_LESSON if self._controller.lesson else WIDE
        shown = self.above if self.beside.isHidden() else self.beside  # what is hidden keeps its font until it is shown
        wide = self.width() >= least * shown.fontMetrics().height()
        here, other = (self.contents, self.contents.box) if wide else (self.contents.box, self.contents)
        had_focus = other.hasFocus()
        self.beside.setVisible(wide)
        self.above.setVisible(not wide)
        self.setFocusProxy(here)
        if had_focus:
            here.setFocus()
