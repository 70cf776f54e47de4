"""The page of a lab: words and controls on one side, the thing itself on the other.

What a page adds to this is its text, its stage, and how an answer is shown there.
"""

from __future__ import annotations

import sys
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

from PySide6.QtCore import QEvent, QSignalBlocker, Qt, Signal
from PySide6.QtWidgets import QComboBox, QHBoxLayout, QVBoxLayout, QWidget

from gptstudio.app.lab_request import LabRequest
from gptstudio.fields import Problem, Spec
from gptstudio.gui.appearance import follow
from gptstudio.gui.learn.kit.code import Code
from gptstudio.gui.learn.kit.controls import Controls
from gptstudio.gui.learn.kit.figures import PrintedFigures
from gptstudio.gui.learn.kit.formula import Formula
from gptstudio.gui.learn.kit.links import Links
from gptstudio.gui.learn.kit.model_box import ModelBox
from gptstudio.gui.learn.kit.save_button import SaveButton
from gptstudio.gui.learn.kit.stage import Message, Stage
from gptstudio.gui.translation import tr
from gptstudio.gui.widgets.flow import Flow
from gptstudio.gui.widgets.parts import Notice, ScrollColumn, button, card, label, named, scrolling
from gptstudio.gui.widgets.reflow import Reflow
from gptstudio.labs.catalogue import ENTRIES
from gptstudio.labs.lab import Comparison, Lab, Table, compare
from gptstudio.labs.lesson import Value
from gptstudio.training.executor import reported
from gptstudio.training.model_source import ModelSource


class LabPage(QWidget):
    """Asks the lab for whatever stands in the controls, and shows the last good answer."""

    requested = Signal(object)
    """Emitted with a LabRequest that takes longer than a frame; its answer comes back through :meth:`take_answer`."""

    answered = Signal()

    def __init__(self, lab: Lab) -> None:
        super().__init__()
        self.lab, self.name = lab, f"lab_{lab.name}"
        self.setObjectName(self.name)
        self.request: Spec = lab.examples[0].request
        """The last question that was answered, or the first."""
        self.answer: Any = None
        self.comparisons: dict[tuple[str, ...], Comparison] = {}
        """Comparison of the book's numbers with the computed ones, by their place in the book."""
        self._compared: list[Comparison] = []
        self._values = self.request.shallow()
        self._newest: LabRequest | None = None
        self._answered: LabRequest | None = None
        self._example = lab.examples[0]
        self._device = "auto"
        self._make()
        self._lay_out()
        self.setAccessibleName(self.title.text())
        follow(self, self._refresh)

    # What a page says and shows: its own.

    def text(self) -> Sequence[QWidget | str]:
        """Paragraphs and formulas, in their order."""
        return ()

    def make_stage(self) -> QWidget:
        """The thing itself; made once."""
        return QWidget()

    def show_answer(self, answer: Any) -> None:
        """``self.ask`` is its question."""

    # What a page can use.

    def turn(self, **changes: Any) -> None:
        """Take the user's change of the question. An error is shown at its field, and the last valid answer is kept."""
        self._values |= changes
        self._set_editors(changes)
        self._judge()

    @property
    def source(self) -> ModelSource | None:
        """The model that the page is about."""
        return self.models.source() if self.models else None

    # From outside.

    def begin(self) -> None:
        """Asks the first question."""
        self._judge()

    def use(self, settings: Mapping[str, Any]) -> None:
        """The first book's input with some fields changed, as a lesson wants it."""
        self._example = self.lab.examples[0]
        self.turn(**self._example.request.but(**settings).shallow())

    def reset(self) -> None:
        """The book's input again, and its model."""
        self.open_example(self._example.name)

    def open_example(self, name: str) -> None:
        self._example = next(example for example in self.lab.examples if example.name == name)
        if self.models:
            self.models.choose_own()
        self.turn(**self._example.request.shallow())

    def take_answer(self, request: LabRequest, answer: Any) -> None:
        """Show the answer to the newest question; any other is left out."""
        if request is self._newest:
            self._accept(request, answer)

    def take_refusal(self, request: LabRequest, words: str) -> None:
        """Show why the newest question has no answer."""
        if request is self._newest:
            self._end_wait()
            self.notice.setText(tr(words))

    def set_sources(self, sources: Sequence[ModelSource], device: str) -> None:
        """Offer the models besides the book's, and the device that they compute on."""
        self._device = device
        if self.models:
            self.models.set_sources(sources)

    @property
    def waiting(self) -> bool:
        """True if an answer is still pending."""
        return self._newest is not None

    def value(self, name: str) -> Value | None:
        """A figure of the answer, or a field of the question, for a lesson's check; None where there is none."""
        found: dict[str, Value] = dict(self.lab.values(self.answer)) if self.answer is not None else {}
        return found.get(name, self.request.shallow().get(name))

    def _refresh(self) -> None:
        """Show everything again, in the language and the colours that are now in force."""
        self._name_examples()
        self._show_sources()
        self.figures.show_comparisons(self._of_the_example())
        if self.answer is not None:
            self.show_answer(self.answer)

    # Asking and answering.

    def _judge(self) -> None:
        problems = self.lab.request.problems(self._values)
        self._show_problems(problems)
        books_model = not self.models or self.models.is_own
        self.back.setEnabled(bool(problems) or not (books_model and self._is_an_example(self._values)))
        if not problems:
            request = self.lab.request.make(self._values)
            self._model.setVisible(self.models is not None and self.lab.reads(request))
            self._put(request)

    def _put(self, request: Spec) -> None:
        task = LabRequest(self.lab, request, self.source if self.lab.reads(request) else None, self._device)
        if self._answered and task.same_as(self._answered):  # back to what is shown
            self._newest = None
            self.state.setText("")
            self.show_answer(self.answer)  # what was typed wrong in the stage goes
            return
        if self._newest and task.same_as(self._newest):
            return
        self._newest = task
        if task.source or self.lab.slow(request) or "torch" not in sys.modules:
            self.state.setText(tr("Computing…"))
            self.requested.emit(task)
        else:
            self._find(task)

    def _find(self, task: LabRequest) -> None:
        """Answer here: it takes no longer than a frame."""
        try:
            answer = task.find()
        except Exception as error:  # noqa: BLE001 - whatever is wrong is shown on the page
            self.take_refusal(task, reported(error))
        else:
            self._accept(task, answer)

    def _end_wait(self) -> None:
        self._newest = None
        self.state.setText("")

    def _accept(self, task: LabRequest, answer: Any) -> None:
        self._end_wait()
        self.notice.setText("")
        self._answered = task
        self.request, self.answer = task.request, answer
        self._compared = compare(self.lab, self.answer)
        self.arithmetic.setText("")
        self._show_book()
        self.comparisons = {each.figure.place: each for each in [*self._compared, *self._of_the_example()]}
        self.code.show_code(self.lab.code(self.request))
        self.show_answer(self.answer)
        self.answered.emit()

    def _show_problems(self, problems: list[Problem]) -> None:
        self.notice.setText(" ".join(tr(each.message) for each in self.controls.show_problems(problems)))

    def _is_an_example(self, values: dict[str, Any]) -> bool:
        return any(example.request.shallow() == values for example in self.lab.examples)

    def _show_book(self) -> None:
        """Show which of the book's examples this is, if any, and which numbers match."""
        books_model = self._answered is None or self._answered.source in (None, self.lab.model)
        requests = [example.request for example in self.lab.examples] if books_model else []
        place = requests.index(self.request) if self.request in requests else -1
        if place >= 0:
            self._example = self.lab.examples[place]
        with QSignalBlocker(self.examples):
            self.examples.setCurrentIndex(place)
        self.figures.show_comparisons(self._of_the_example())

    def _of_the_example(self) -> list[Comparison]:
        """Figures of the example that was opened last."""
        first = self.lab.examples[0].name
        return [each for each in self._compared if (each.figure.example or first) == self._example.name]

    def _set_editors(self, values: dict[str, Any]) -> None:
        with QSignalBlocker(self.controls):
            for name, value in values.items():
                editor = self.controls.editors.get(name)
                if editor and editor.value() != value:
                    editor.set_value(value)

    # Saving.

    def save(self, path: Path) -> None:
        """A picture of the page or its numbers, by the name's ending. What goes wrong is said on the page."""
        self.saving.save(path)

    def _table(self) -> Table | None:
        return None if self.answer is None else self.lab.table(self.answer)

    # Putting together.

    def _make(self) -> None:
        entry = ENTRIES[self.lab.name]
        self.title = label(tr(entry.title), "title", f"{self.name}_title")
        self.state = label("", "muted", f"{self.name}_state")
        self.notice = Notice(f"{self.name}_notice")
        self.arithmetic = label("", "muted", f"{self.name}_arithmetic", wrap=True)
        self.controls = Controls(self.lab.request, self.name)
        for name, editor in self.controls.editors.items():
            editor.set_value(self._values[name])
        self.controls.changed.connect(lambda: self.turn(**self.controls.values()))
        self.examples = named(QComboBox(), f"{self.name}_books", tr("The book's examples"))
        self.examples.setSizeAdjustPolicy(QComboBox.SizeAdjustPolicy.AdjustToMinimumContentsLengthWithIcon)
        self.examples.setMinimumContentsLength(16)
        self.examples.addItems([tr(example.name) for example in self.lab.examples])
        self._name_examples()
        self.examples.activated.connect(lambda place: self.open_example(self.lab.examples[place].name))
        self.back = button(tr("Reset to the book's example"), f"{self.name}_reset")
        self.back.clicked.connect(self.reset)
        self.models = ModelBox(self.lab.model, self.name) if self.lab.model else None
        if self.models:
            self.models.turned.connect(self._judge)
        self.figures, self.code = PrintedFigures(self.name), Code(self.name)
        self.saving = SaveButton(self, self.lab.name, self._table, self.notice.setText)
        self.links = Links(self.arithmetic.setText)

    def _name_examples(self) -> None:
        for place, example in enumerate(self.lab.examples):
            self.examples.setItemText(place, tr(example.name))
        self.examples.setPlaceholderText(tr("Your own input"))

    def _show_sources(self) -> None:
        sections = "; ".join(str(each) for each in self.lab.sources)
        self.sources.setText(tr("Source: the book, {sections}", sections=sections))

    def _lay_out(self) -> None:
        column, right = self._column(), self._right()
        page = Reflow(column, right, stretch=(right,), spacing=14)
        page.turned.connect(column.show_whole)
        page.turned.connect(self.stage.show_whole)
        outer = QVBoxLayout(self)
        outer.setContentsMargins(0, 0, 0, 0)
        outer.addWidget(page)

    def changeEvent(self, event: QEvent) -> None:
        super().changeEvent(event)
        if event.type() in (QEvent.Type.FontChange, QEvent.Type.StyleChange) and hasattr(self, "stage"):
            self.fit_stage()

    def fit_stage(self) -> None:
        """Enlarge the text if there is space. A page with heights of its own extends this."""
        self.stage.fit_text(self.size())

    def _column(self) -> ScrollColumn:
        inside = Message()
        layout = QVBoxLayout(inside)
        layout.setContentsMargins(0, 0, 8, 0)
        layout.setSpacing(8)
        layout.addWidget(self.title)
        for part in self.text():
            layout.addWidget(label(part, wrap=True) if isinstance(part, str) else part)
            if isinstance(part, Formula):
                self.links.watch_formula(part)
        self._model = QWidget()
        about = QVBoxLayout(self._model)
        about.setContentsMargins(0, 0, 0, 0)
        if self.models:
            about.addWidget(label(tr("Model"), "heading"))
            about.addWidget(self.models)
        layout.addWidget(self._model)
        layout.addSpacing(4)
        if self.controls.editors:
            layout.addWidget(self.controls)
        layout.addWidget(self.figures)
        self.sources = label("", "muted", f"{self.name}_follows", wrap=True)
        self._show_sources()
        layout.addWidget(self.sources)
        layout.addStretch(1)
        return scrolling(inside, f"{self.name}_column")

    def _right(self) -> QWidget:
        self.stage = Stage(self.make_stage(), f"{self.name}_stage")
        self.stage.resized.connect(self.fit_stage)
        frame, layout = card(f"{self.name}_card")
        top, inputs = QHBoxLayout(), Flow()
        for part in (self.examples, self.back, self.figures.tally, self.state):
            inputs.addWidget(part)
        top.addLayout(inputs, 1)
        top.addWidget(self.saving, alignment=Qt.AlignmentFlag.AlignTop)
        layout.addLayout(top)
        layout.addWidget(self.notice)
        layout.addWidget(self.stage, 1)
        layout.addWidget(self.arithmetic)
        layout.addWidget(self.code)
        return frame
