"""Page of an experiment: text and controls on one side, the demonstration on the other.

Each page adds its text, its stage, and the display of an answer. The rest is common: the editors of the experiment's
fields, the choice of the model, the code that computes the page, and saving the page as a picture or its numbers as a
table.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Iterable, Mapping, Sequence
from functools import partial
from pathlib import Path
from typing import Any, Generic, TypeVar, cast

import numpy as np
from PySide6.QtCore import QBuffer, QEvent, QPoint, QSignalBlocker, QSize, Qt, Signal
from PySide6.QtGui import QFontDatabase, QFontInfo, QGuiApplication, QPainter, QResizeEvent
from PySide6.QtSvg import QSvgGenerator
from PySide6.QtWidgets import QFrame, QGridLayout, QLabel, QMenu, QPlainTextEdit, QPushButton, QSlider, QWidget

from gptstudio import files
from gptstudio.app.lab_tasks import LabRequest
from gptstudio.errors import UserError
from gptstudio.fields import Problem, Spec
from gptstudio.files import save_whole
from gptstudio.gpt.config import config_name
from gptstudio.gui import xml_text
from gptstudio.gui.appearance import on_restyle
from gptstudio.gui.asking import Asking, Asks
from gptstudio.gui.canvas.canvas import Canvas, Cell
from gptstudio.gui.forms.controls import Segments
from gptstudio.gui.forms.field import FieldEditor, SpecEditor
from gptstudio.gui.learn.kit.formula import Formula, Links, whole_column
from gptstudio.gui.learn.kit.matrix import Matrix, number_in
from gptstudio.gui.model_names import short_name
from gptstudio.gui.save_as import save_as
from gptstudio.gui.theme import colour
from gptstudio.gui.translation import tr
from gptstudio.gui.widgets.layouts import FREE, Flow, HeightForWidth, Reflow, card, grows, hbox, vbox, with_layout
from gptstudio.gui.widgets.parts import (
    ChoiceBox,
    Notice,
    ScrollColumn,
    button,
    label,
    named,
    scrolling,
    set_blocker,
    set_entries,
)
from gptstudio.gui.widgets.text_views import typed_text
from gptstudio.i18n import message
from gptstudio.labs.catalogue import ENTRIES
from gptstudio.labs.lab import Comparison, Example, Lab, compare
from gptstudio.labs.lesson import Value
from gptstudio.training.model_source import ModelSource, UntrainedModel

MOST_LETTERS = 44
"""Maximum width of the box of examples, in letters."""


class ExampleBox(ChoiceBox):
    """Box of examples; none is selected if the input is the user's own."""

    def __init__(self, examples: tuple[Example, ...], name: str) -> None:
        super().__init__()
        named(self, f"{name}_books", tr("The book's examples"))
        self.setToolTip(tr("Loads the input of an example, whose results the book prints"))
        self._examples = examples
        self.opened = examples[0]  # the example that was opened last
        self.addItems([tr(example.name) for example in examples])
        self.setPlaceholderText(tr("Your own input"))

    def show_request(self, request: Spec | None) -> None:
        """Select the example with this request, if any."""
        place = next((place for place, each in enumerate(self._examples) if each.request == request), -1)
        if place >= 0:
            self.opened = self._examples[place]
        with QSignalBlocker(self):
            self.setCurrentIndex(place)

    def sizeHint(self) -> QSize:
        hint = super().sizeHint()
        return QSize(min(hint.width(), MOST_LETTERS * self.fontMetrics().averageCharWidth()), hint.height())

    def minimumSizeHint(self) -> QSize:
        return self.sizeHint()

    def of_opened(self, comparisons: Iterable[Comparison]) -> list[Comparison]:
        """Return the comparisons with figures of the last opened example."""
        first = self._examples[0].name
        return [each for each in comparisons if (each.figure.example or first) == self.opened.name]


AGREES, DIFFERS = "✓", "≠"


class PrintedFigures(QWidget):
    """Line for each printed figure, with a sign before it. ``tally``: label with the total, placed by the page."""

    def __init__(self, name: str) -> None:
        super().__init__()
        self._name = name
        self._layout = vbox(label(tr("Matches the book"), "heading"), spacing=4)
        self.setLayout(self._layout)
        self._labels: list[Notice] = []
        self.tally = label("", "muted", f"{name}_tally")
        self.hide()  # until there are comparisons

    @property
    def lines(self) -> list[str]:
        return [each.text() for each in self._labels if each.text()]

    def show_comparisons(self, comparisons: Sequence[Comparison]) -> None:
        self.setVisible(bool(comparisons))
        self.tally.setText(_tally(comparisons))
        while len(self._labels) < len(comparisons):
            self._labels.append(Notice(f"{self._name}_figure_{len(self._labels)}", ""))
            self._layout.addWidget(self._labels[-1])
        for place, each in enumerate(self._labels):
            each.setText(_line(comparisons[place]) if place < len(comparisons) else "")


def _tally(comparisons: Sequence[Comparison]) -> str:
    total = sum(each.count for each in comparisons)
    same = sum(int(np.count_nonzero(each.equal)) for each in comparisons if each.equal is not None)
    if not total:
        return ""
    if same == total:
        return tr("{sign} matches the book ({same} of {total})", sign=AGREES, same=same, total=total)
    if not same:
        return tr("no longer the book's example")
    return tr("{same} of {total} numbers match the book", same=same, total=total)


def _line(each: Comparison) -> str:
    name = tr(each.figure.name)
    if each.equal is None:
        return tr("{sign} {name}: the book prints no value for this input", sign=DIFFERS, name=name)
    sign, same = AGREES if each.agrees else DIFFERS, int(np.count_nonzero(each.equal))
    if each.count == 1:
        return tr("{sign} {name}", sign=sign, name=name)
    if each.agrees:
        return tr("{sign} {name}: all {count}", sign=sign, name=name, count=each.count)
    return tr("{sign} {name}: {same} of {count}", sign=sign, name=name, same=same, count=each.count)


MOST_LINES = 16


class Code(QWidget):
    """Collapsible code with a button to copy it."""

    def __init__(self, name: str) -> None:
        super().__init__()
        self.fold = button(tr("Show code"), f"{name}_code_fold", role="quiet")
        self.fold.setToolTip(tr("Python that computes the numbers of this page without GPT Studio"))
        self.fold.setCheckable(True)
        self.copy = button(tr("Copy"), f"{name}_code_copy", role="quiet")
        self.copy.setToolTip(tr("Copies the code to the clipboard"))
        self.editor = named(QPlainTextEdit(), f"{name}_code", tr("The code that computes this page"))
        self.editor.setReadOnly(True)
        self.editor.setLineWrapMode(QPlainTextEdit.LineWrapMode.NoWrap)
        self.editor.setTabChangesFocus(True)
        self.fold.toggled.connect(self._unfold)
        self.copy.clicked.connect(lambda: QGuiApplication.clipboard().setText(self.editor.toPlainText()))
        on_restyle(self, self._fit)
        with_layout(self, vbox(hbox(self.fold, self.copy, FREE), self.editor, spacing=4))
        self._unfold(False)

    def show_code(self, code: str) -> None:
        if code != self.editor.toPlainText():
            self.editor.setPlainText(code)
            self._fit()

    def _unfold(self, open: bool) -> None:
        self.editor.setVisible(open)
        self.copy.setVisible(open)
        self.fold.setText(tr("Hide code") if open else tr("Show code"))
        self._fit()

    def _fit(self) -> None:
        """Set a fixed-width font, and the height to the number of lines up to a maximum."""
        self.editor.ensurePolished()
        family = QFontDatabase.systemFont(QFontDatabase.SystemFont.FixedFont).family()
        self.editor.setStyleSheet(f'font-family: "{family}"')
        lines = min(MOST_LINES, self.editor.blockCount())
        self.editor.setFixedHeight((lines + 1) * self.editor.fontMetrics().lineSpacing() + 18)


MOST_STEPS = 1_000  # with more steps, as for a random seed, a slider would be too coarse


class Controls(SpecEditor):
    """Editors for the fields of a request that are shown in the column."""

    def __init__(self, request: type[Spec], name: str) -> None:
        super().__init__(request, name)
        self._name = name
        self.elsewhere: dict[str, Notice] = {}  # problems of fields that are edited in the stage
        for editor in self.editors.values():
            low, high, step = editor.view.low, editor.view.high, editor.view.step
            if low is not None and high is not None and step is not None and (high - low) / step <= MOST_STEPS:
                _Slider(editor, name, low, high, step)

    def problem_of(self, field: str) -> Notice:
        """Return the widget for the problem of a field that is edited in the stage; created if necessary."""
        return self.elsewhere.setdefault(field, Notice(f"{self._name}_{field}_problem"))

    def show_problems(self, problems: list[Problem]) -> list[Problem]:
        """Show each problem at its field; return the first of each field that is neither here nor in the stage."""
        first: dict[str, Problem] = {}
        for problem in super().show_problems(problems):
            first.setdefault(problem.field, problem)
        for field, notice in self.elsewhere.items():
            notice.setText(tr(first.pop(field).message) if field in first else "")
        return list(first.values())


class _Slider(QSlider):
    """Slider that changes the number of its editor, and follows it."""

    def __init__(self, editor: FieldEditor, name: str, low: float, high: float, step: float) -> None:
        super().__init__(Qt.Orientation.Horizontal)
        self._editor, self._low, self._high, self._step = editor, low, high, step
        named(self, f"{name}_{editor.view.name}_slider", tr(editor.view.label))
        self.setMaximum(math.ceil(round((high - low) / step, 6)))
        cast(QGridLayout, editor.layout()).addWidget(self, 2, 0, 1, 2)
        self.valueChanged.connect(self._move)
        editor.changed.connect(self._follow)
        self._follow()

    def _move(self, place: int) -> None:
        value = min(self._high, self._low + place * self._step)
        self._editor.set_value(round(value) if self._editor.view.kind == "int" else round(value, 10))

    def _follow(self) -> None:
        value = self._editor.value()
        if isinstance(value, (int, float)):
            with QSignalBlocker(self):
                self.setValue(round((min(self._high, max(self._low, value)) - self._low) / self._step))


class ModelBox(ChoiceBox):
    """Box of models; the lab's own model is the first."""

    turned = Signal()  # another model is selected

    def __init__(self, own: UntrainedModel, name: str) -> None:
        super().__init__(letters=16)
        named(self, f"{name}_model", tr("Model"))
        self.setToolTip(tr("The model that computes this page"))
        self._own = own
        self.sources: list[ModelSource] = []
        self._fill(())
        self.activated.connect(lambda: self.turned.emit())

    def source(self) -> ModelSource:
        return self.sources[max(0, self.currentIndex())]

    def choose(self, source: ModelSource) -> None:
        if source in self.sources and source != self.source():
            self.setCurrentIndex(self.sources.index(source))
            self.turned.emit()

    def set_sources(self, sources: Sequence[ModelSource]) -> None:
        """Set the other models: the model in training, an untrained model, saved and imported models."""
        before = self.source()
        self._fill([each for each in sources if each != self._own])
        if before != self.source():
            self.turned.emit()

    def _fill(self, others: Sequence[ModelSource]) -> None:
        before = self.source() if self.sources else self._own
        self.sources = [self._own, *others]
        if isinstance(before, UntrainedModel) and before not in self.sources:  # the Model panel now describes another
            before = next((each for each in others if isinstance(each, UntrainedModel)), self._own)
        place = self.sources.index(before) if before in self.sources else 0
        set_entries(self, [self._words(source) for source in self.sources], place)

    def _words(self, source: ModelSource) -> str:
        if source == self._own:
            return tr("{name}, untrained, random seed {seed}", name=config_name(self._own.config), seed=self._own.seed)
        return short_name(source)


def save_png(path: Path, page: QWidget) -> None:
    """Save a page as shown on the screen; raise a UserError if the file cannot be written, like the other functions."""
    picture = QBuffer()
    picture.open(QBuffer.OpenModeFlag.WriteOnly)
    page.grab().save(picture, "PNG")
    save_whole(path, bytes(picture.data().data()))


def save_svg(path: Path, page: QWidget) -> None:
    """Save a page as a vector drawing."""
    written = QBuffer()
    made = QSvgGenerator(QSvgGenerator.SvgVersion.Svg11)  # older versions cannot clip
    made.setOutputDevice(written)
    made.setResolution(page.logicalDpiX())  # keeps the text size of the screen
    made.setSize(page.size())
    made.setViewBox(page.rect())
    made.setTitle(page.accessibleName())
    painter = QPainter(made)
    painter.fillRect(page.rect(), colour("window"))
    page.render(painter, QPoint())
    painter.end()
    save_whole(path, xml_text.sound(bytes(written.data().data())))


LEAST_WIDTH, LEAST_HEIGHT, COLUMN = 22, 8, 17  # in line heights
WIDE, HIGH, LARGEST = 73, 50, 2.0
"""Page size for which a stage is designed, in line heights; and the maximum text enlargement on a larger page."""


class ReadingColumn(HeightForWidth):
    """Column of text and controls with a minimum width for comfortable reading."""

    def minimumSizeHint(self) -> QSize:
        least = super().minimumSizeHint()
        return QSize(max(least.width(), COLUMN * self.fontMetrics().height()), least.height())


class Stage(ScrollColumn):
    """Scroll area of a stage, with both scroll bars when necessary."""

    resized = Signal()

    def __init__(self, inside: QWidget, name: str):
        super().__init__()
        self.setObjectName(name)
        self.setFocusPolicy(Qt.FocusPolicy.NoFocus)  # Tab reaches the content
        self.setWidgetResizable(True)
        self.setFrameShape(QFrame.Shape.NoFrame)
        self.setWidget(inside)
        self.content = inside

    def fit_text(self, page: QSize) -> None:
        """Enlarge all text of the content as far as it fits, since on a projector it is read from a distance."""
        letter = self.fontMetrics().height()
        room = min(page.width() / (WIDE * letter), page.height() / (HIGH * letter))
        factor = min(LARGEST, math.floor(10 * room) / 10)
        points = factor * QFontInfo(self.font()).pointSizeF()
        sheet = f"QWidget {{ font-size: {points:.1f}pt; }}" if factor > 1 else ""
        if sheet != self.content.styleSheet():
            self.content.setStyleSheet(sheet)

    def room(self) -> int:
        """Return the width of the content next to a scroll bar, even without one: wrapped text can make it appear, so
        layouts must not depend on it."""
        return self.width() - self.verticalScrollBar().sizeHint().width()

    def resizeEvent(self, event: QResizeEvent) -> None:
        super().resizeEvent(event)
        self.resized.emit()

    def minimumSizeHint(self) -> QSize:
        letter = self.fontMetrics().height()
        height = self.content.minimumSizeHint().height() if self.scrolled_by_page else LEAST_HEIGHT * letter
        return QSize(LEAST_WIDTH * letter, height + self.horizontalScrollBar().sizeHint().height())


def quiet_button(text: str, name: str, tip: str, do: Callable[[], object]) -> QPushButton:
    """Return an inconspicuous button, to be placed next to the widget that it changes."""
    return button(text, name, tip, "quiet", lambda: do())


Q = TypeVar("Q", bound=Spec)
A = TypeVar("A")


class LabPage(QWidget, Generic[Q, A]):
    """Page of an experiment: sends the controls' values to the lab as a request, shows the last valid answer. ``Q`` and
    ``A``: types of its requests and answers."""

    def __init__(self, lab: Lab, asks: Asks) -> None:
        super().__init__()
        self.lab, self.name = lab, f"lab_{lab.name}"
        self.setObjectName(self.name)
        self.request = cast(Q, lab.examples[0].request)  # the last request that was answered, or the first one
        self.answer = cast(A, None)  # until the first answer
        self.comparisons: dict[tuple[str, ...], Comparison] = {}
        """Comparison of the book's numbers with the computed ones, by their place in the book."""
        self._values = self.request.shallow()
        self.show_in_stage: list[Callable[[Mapping[str, Any]], object]] = []
        """Functions called with the values of the request, for editors in the stage."""
        self._sentences: list[Callable[[Any], object]] = []  # functions that show a text about an answer
        self._device = "auto"
        self.asking = Asking(asks, lab.name, self)
        self._make()
        left, right = self._column(), self._right()
        page = Reflow(left, right, shares=(1, 4), spacing=12)
        page.turned.connect(left.set_scrolled_by_page)
        page.turned.connect(self.stage.set_scrolled_by_page)
        with_layout(self, vbox(page))
        self._connect()
        self.setAccessibleName(self.title.text())
        on_restyle(self, self.show_again)

    def text(self) -> Sequence[QWidget | str]:
        """Return paragraphs and formulas, in their order."""
        return ()

    def make_stage(self) -> QWidget:
        """Return the demonstration; called once."""
        return QWidget()

    def show_answer(self, answer: Any) -> None:
        """Show an answer to ``self.request``."""

    @property
    def source(self) -> ModelSource | None:
        """Model that the page uses, if any."""
        return self.models.source() if self.models else None

    @property
    def waiting(self) -> bool:
        return self.asking.waiting

    def update_request(self, **changes: Any) -> None:
        """Apply changes to the request. An error is shown at its field, and the last valid answer is kept."""
        self._values |= changes
        for show in (self.controls.show_values, *self.show_in_stage):
            show(self._values)
        problems = self.lab.request.labelled_problems(self._values)
        self.notice.setText(" ".join(tr(each.message) for each in self.controls.show_problems(problems)))
        an_example = any(example.request.shallow() == self._values for example in self.lab.examples)
        changed = bool(problems) or not an_example or self.source != self.lab.model
        set_blocker(self.back, "" if changed else tr("The page shows the book's example.") if self.lab.of_book
                    else tr("The page shows an example."))
        if not problems:
            request = self.lab.request.make(self._values)
            source = self.source if self.lab.reads(request) else None
            self._model.setVisible(source is not None)
            self.ask(LabRequest(self.lab, request, source, self._device))

    def ask(self, request: LabRequest) -> None:
        """Send a request, or show its answer again if it is the last one."""
        self.asking.retry()
        if self.asking.answer is not None and request == self.asking.query:
            self.asking.drop()
            self._take()
            return
        if request != self.asking.asked:
            self.state.setText(tr("Computing…"))
        self.asking.ask(request)

    def use(self, settings: Mapping[str, Any]) -> None:
        """Load the first example with some fields changed, for a lesson."""
        self.examples.opened = self.lab.examples[0]
        self.update_request(**self.examples.opened.request.but(**settings).shallow())

    def reset(self) -> None:
        """Restore the example that was opened last, and the lab's own model."""
        self.open_example(self.examples.opened.name)

    def open_example(self, name: str) -> None:
        self.examples.opened = next(example for example in self.lab.examples if example.name == name)
        if self.models:
            self.models.setCurrentIndex(0)  # the lab's own, without a signal
        self.update_request(**self.examples.opened.request.shallow())

    def printed(self, *place: str) -> np.ndarray | None:
        """Return the mask of the numbers that equal the book's at a place; None if none does."""
        equal = self.comparisons[place].equal
        return equal if equal is not None and equal.any() else None

    def update_number(self, field: str, row: int, column: int, text: str) -> None:
        """Apply an edit of a matrix cell as a number to the field of the request that holds the matrix."""
        rows: list[list[object]] = [list(numbers) for numbers in getattr(self.request, field)]
        rows[row][column] = number_in(text)
        self.update_request(**{field: tuple(map(tuple, rows))})

    def linked(
        self, name: str, title: str, explain: Callable[[Any], str] | None = None, *symbols: str,
        edited: Callable[[int, int, str], object] | None = None, choose: Callable[[Cell], object] | None = None,
        **options: Any,
    ) -> Matrix:
        """Return a matrix of the stage whose cells are linked with the symbols of the formulas.

        Args:
            explain: returns the arithmetic of a cell.
            symbols: symbol of each column; a single one links the whole matrix.
            edited: called with the text typed into a cell; None: the matrix is read-only.
            choose: called with a cell that is clicked.
            options: options of ``Matrix``.
        """
        made = Matrix(name, title, editable=edited is not None, **options)
        made.explain, made.choose = explain, choose
        self.links.watch(made)
        for column, key in enumerate(symbols):
            self.links.add(key, made, whole_column(made, column) if len(symbols) > 1 else None)
        if edited:
            made.edited.connect(edited)
        return made

    def sentence(self, name: str, words: Callable[[Any], str], role: str = "") -> QLabel:
        """Return a label in the stage with a text about each answer."""
        made = label("", role, name, wrap=True)
        self._sentences.append(lambda answer: made.setText(words(answer)))
        return made

    def choice_of(
        self, field: str, name: str, texts: Mapping[Any, str], tip: str, choose: Callable[[Any], object] | None = None,
    ) -> Segments:
        """Return segments in the stage for the values of a field of the request, each with its text. ``choose``: called
        with the chosen value; by default, the request changes."""
        made, values = Segments(name, list(texts.values()), tip), list(texts)
        act = choose or (lambda value: self.update_request(**{field: value}))
        made.chosen.connect(lambda index: act(values[index]))

        def show(now: Mapping[str, Any]) -> None:
            with QSignalBlocker(made):
                made.choose(values.index(now[field]))

        self.show_in_stage.append(show)
        return made

    def draw_again(self, name: str, tip: str) -> QPushButton:
        """Return a button in the stage that answers the request with the next random seed."""
        return button(tr("Draw again"), name, tip, do=lambda: self.update_request(
            seed=self.request.shallow()["seed"] + 1))

    def text_editor(self, field: str, words: str) -> QPlainTextEdit:
        """Return an editor in the stage for a text of the request."""
        made = named(QPlainTextEdit(), f"{self.name}_{field}", words)
        made.setTabChangesFocus(True)
        made.textChanged.connect(lambda: self.update_request(**{field: typed_text(made)}))

        def show(values: Mapping[str, Any]) -> None:
            if values[field] != typed_text(made):
                with QSignalBlocker(made):
                    made.setPlainText(values[field])

        self.show_in_stage.append(show)
        return made

    def explain(self, canvas: Canvas, words: Callable[[Any], str]) -> None:
        """Explain the items of a canvas: in their tooltips, and below the stage while they are hovered."""
        canvas.explain = words
        canvas.pointed.connect(lambda item: self.arithmetic.setText("" if item is None else words(item)))

    def set_sources(self, sources: Sequence[ModelSource], device: str) -> None:
        """Set the models offered in addition to the lab's own, and the device on which they compute."""
        self._device = device
        if self.models:
            self.models.set_sources(sources)

    def value(self, name: str) -> Value | None:
        """Return a figure of the answer, or a field of the request, for a lesson's check; None if there is none, or
        while another answer is being computed."""
        if self.waiting:
            return None
        found: dict[str, Value] = dict(self.lab.values(self.answer)) if self.answer is not None else {}
        return found.get(name, self.request.shallow().get(name))

    def write(self, path: Path) -> None:
        """Write the page as a picture or drawing, or its numbers as a table, by the suffix of the path.

        Raises:
            UserError: the file cannot be written, or there are no numbers yet.
        """
        match path.suffix.lower():
            case ".csv":
                if self.answer is None:
                    raise UserError(
                        message("There are no numbers to save yet. Wait until the page has finished computing."))
                table = self.lab.table(self.answer)
                files.save_csv(path, [table.columns, *table.rows])
            case ".svg":
                save_svg(path, self)
            case _:
                save_png(path, self)

    def _save_as(self, kind: str, _checked: bool = False) -> None:
        save_as(self, f"{self.lab.name}.{kind}", self.write, self.notice.setText)

    def _take(self) -> None:
        """Show the last answer, or the reason why there is none."""
        self.state.setText("")
        self.stage.content.show()
        self.notice.setText(self.asking.problem)
        if self.asking.problem:
            return
        request, answer = self.asking.query, self.asking.answer
        if answer is not self.answer:
            self.request, self.answer = request.request, answer
            self.arithmetic.setText("")
            self.code.show_code(self.lab.code(self.request))
            self.examples.show_request(self.request if request.source in (None, self.lab.model) else None)
            compared = compare(self.lab, answer)
            of_example = self.examples.of_opened(compared)
            self.figures.show_comparisons(of_example)
            self.comparisons = {each.figure.place: each for each in [*compared, *of_example]}
        self.show_again()  # even if unchanged, to discard invalid input in the stage

    def show_again(self) -> None:
        """Show the answer, if there is one: in the current colours, and without invalid input."""
        if self.answer is not None:
            for show in self._sentences:
                show(self.answer)
            self.show_answer(self.answer)

    def _make(self) -> None:
        self.title = label(tr(ENTRIES[self.lab.name].title), "title", f"{self.name}_title")
        self.state = label("", "muted", f"{self.name}_state")
        self.notice = Notice(f"{self.name}_notice")
        self.arithmetic = label("", "muted", f"{self.name}_arithmetic", wrap=True)
        self.controls = Controls(self.lab.request, self.name)
        self.controls.show_values(self._values)
        self.examples = ExampleBox(self.lab.examples, self.name)
        self.back = button(tr("Reset to the book's example"), f"{self.name}_reset",
                           tr("Undoes all changes on this page: its input and its model are the book's again"))
        if not self.lab.of_book:
            self.back.setText(tr("Reset to the first example"))
            self.back.setToolTip(tr("Undoes all changes on this page"))
            self.examples.setAccessibleName(tr("Examples"))
            self.examples.setToolTip(tr("Loads the input of an example"))
        self.models = ModelBox(self.lab.model, self.name) if self.lab.model else None
        self.figures, self.code = PrintedFigures(self.name), Code(self.name)
        self.saving = button(tr("Save…"), f"{self.name}_save", tr(
            "Saves this page as a picture or a drawing, or its numbers as a table"), "quiet")
        menu = QMenu(self.saving)
        for kind, words in (
            ("png", tr("Picture (PNG)")), ("svg", tr("Vector drawing (SVG)")), ("csv", tr("Data (CSV)"))):
            menu.addAction(words).triggered.connect(partial(self._save_as, kind))
        self.saving.setMenu(menu)
        self.links = Links(self.arithmetic.setText)

    def _connect(self) -> None:
        self.asking.changed.connect(self._take)
        self.controls.changed.connect(lambda: self.update_request(**self.controls.values()))
        self.examples.activated.connect(lambda place: self.open_example(self.lab.examples[place].name))
        self.back.clicked.connect(self.reset)
        if self.models:
            self.models.turned.connect(self.update_request)

    def changeEvent(self, event: QEvent) -> None:
        super().changeEvent(event)
        if event.type() in (QEvent.Type.FontChange, QEvent.Type.StyleChange) and hasattr(self, "stage"):
            self.fit_stage()

    def fit_stage(self) -> None:
        """Enlarge the text if there is space. Pages that lay out their content by hand extend this."""
        self.stage.fit_text(self.size())

    def _column(self) -> ScrollColumn:
        text = [label(part, wrap=True) if isinstance(part, str) else part for part in self.text()]
        for part in text:
            if isinstance(part, Formula):
                self.links.watch_formula(part)
        choice = [label(tr("Model"), "heading"), self.models] if self.models else []
        self.model_column = vbox(*choice)  # the tab adds an offer to train a model here
        self._model = with_layout(QWidget(), self.model_column)
        sources = [tr("Source: the book, {sections}", sections="; ".join(map(str, self.lab.sources)))]
        if self.lab.papers:
            sources.append(tr("Papers: {papers}", papers="; ".join(self.lab.papers)))
        self.sources = label("\n".join(sources), "muted", f"{self.name}_follows", wrap=True)
        if not self.controls.editors:
            self.controls.hide()
        below = vbox(self.controls, self.figures, self.sources, FREE, margins=(0, 4, 0, 0))
        inside = vbox(self.title, *text, self._model, grows(below), spacing=8, margins=(0, 0, 8, 0))
        return scrolling(with_layout(ReadingColumn(), inside), f"{self.name}_column")

    def _right(self) -> QWidget:
        self.stage = Stage(self.make_stage(), f"{self.name}_stage")
        self.stage.content.hide()  # until there is an answer, its tables are empty
        self.stage.resized.connect(self.fit_stage)
        inputs = Flow(self.examples, self.back, self.saving, self.figures.tally, self.state, spacing=8)
        return card(inputs, self.notice, grows(self.stage), self.arithmetic, self.code, name=f"{self.name}_card")
