"""The page of a lab: words and controls on one side, the thing itself on the other.

What a page adds to this is its text, its stage, and how an answer is shown there.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import Any

import numpy as np
from PySide6.QtCore import QEvent
from PySide6.QtWidgets import QPushButton, QWidget

from gptstudio.app.lab_tasks import LabRequest
from gptstudio.fields import Spec
from gptstudio.gui.appearance import follow
from gptstudio.gui.asking import Asking, Asks
from gptstudio.gui.canvas.canvas import Canvas
from gptstudio.gui.learn.kit.code import Code
from gptstudio.gui.learn.kit.controls import Controls
from gptstudio.gui.learn.kit.figures import ExampleBox, PrintedFigures
from gptstudio.gui.learn.kit.formula import Formula
from gptstudio.gui.learn.kit.links import Links
from gptstudio.gui.learn.kit.model_box import ModelBox
from gptstudio.gui.learn.kit.saving import SaveButton
from gptstudio.gui.learn.kit.stage import Message, Stage
from gptstudio.gui.translation import tr
from gptstudio.gui.widgets.flow import Flow
from gptstudio.gui.widgets.layouts import FREE, TOP, aligned, card, grows, hbox, holding, vbox
from gptstudio.gui.widgets.parts import Notice, ScrollColumn, button, label, permit, scrolling
from gptstudio.gui.widgets.reflow import Reflow
from gptstudio.labs.catalogue import ENTRIES
from gptstudio.labs.lab import Comparison, Lab, compare
from gptstudio.labs.lesson import Value
from gptstudio.training.model_source import ModelSource


def quiet_button(text: str, name: str, tip: str, do: Callable[[], object]) -> QPushButton:
    """Return a button that takes little notice, beside what it changes."""
    return button(text, name, tip, "quiet", lambda: do())


class LabPage(QWidget):
    """Asks the lab for whatever stands in the controls, and shows the last good answer."""

    def __init__(self, lab: Lab, asks: Asks) -> None:
        super().__init__()
        self.lab, self.name = lab, f"lab_{lab.name}"
        self.setObjectName(self.name)
        self.request: Spec = lab.examples[0].request  # the last question that was answered, or the first
        self.answer: Any = None
        self.comparisons: dict[tuple[str, ...], Comparison] = {}
        """Comparison of the book's numbers with the computed ones, by their place in the book."""
        self._values = self.request.shallow()
        self._device = "auto"
        self.asking = Asking(asks, lab.name, self)
        self._make()
        left, right = self._column(), self._right()
        page = Reflow(left, right, stretch=(right,), spacing=12)
        page.turned.connect(left.show_whole)
        page.turned.connect(self.stage.show_whole)
        holding(self, vbox(page))
        self._connect()
        self.setAccessibleName(self.title.text())
        follow(self, self._show_again)

    def text(self) -> Sequence[QWidget | str]:
        """Paragraphs and formulas, in their order."""
        return ()

    def make_stage(self) -> QWidget:
        """The thing itself; made once."""
        return QWidget()

    def show_answer(self, answer: Any) -> None:
        """``self.request`` is its question."""

    @property
    def source(self) -> ModelSource | None:
        """The model that the page is about."""
        return self.models.source() if self.models else None

    @property
    def waiting(self) -> bool:
        return self.asking.waiting

    def begin(self) -> None:
        """Ask what stands in the controls."""
        self.turn()

    def turn(self, **changes: Any) -> None:
        """Take the user's change of the question. An error is shown at its field, and the last valid answer is kept."""
        self._values |= changes
        self.controls.show_values(self._values)
        problems = self.lab.request.problems(self._values)
        self.notice.setText(" ".join(tr(each.message) for each in self.controls.show_problems(problems)))
        an_example = any(example.request.shallow() == self._values for example in self.lab.examples)
        changed = bool(problems) or not an_example or self.source != self.lab.model
        permit(self.back, "" if changed else tr("The page shows the book's example."))
        if not problems:
            request = self.lab.request.make(self._values)
            source = self.source if self.lab.reads(request) else None
            self._model.setVisible(source is not None)
            self.ask(LabRequest(self.lab, request, source, self._device))

    def ask(self, request: LabRequest) -> None:
        """Ask a question, or show its answer again where it is the last one."""
        self.asking.retry()
        if self.asking.answer is not None and request == self.asking.query:
            self.asking.drop()
            self._take()
            return
        if request != self.asking.asked:
            self.state.setText(tr("Computing…"))
        self.asking.ask(request)

    def use(self, settings: Mapping[str, Any]) -> None:
        """The first book's input with some fields changed, as a lesson wants it."""
        self.examples.opened = self.lab.examples[0]
        self.turn(**self.examples.opened.request.but(**settings).shallow())

    def reset(self) -> None:
        """The book's input again, and its model."""
        self.open_example(self.examples.opened.name)

    def open_example(self, name: str) -> None:
        self.examples.opened = next(example for example in self.lab.examples if example.name == name)
        if self.models:
            self.models.choose_own()
        self.turn(**self.examples.opened.request.shallow())

    def printed(self, *place: str) -> np.ndarray | None:
        """Return where the numbers equal those at a place of the book; None if none does."""
        equal = self.comparisons[place].equal
        return equal if equal is not None and equal.any() else None

    def turn_cell(self, field: str, row: int, column: int, typed: object) -> None:
        """Take what was typed into a cell of a matrix that is a field of the question."""
        rows: list[list[object]] = [list(numbers) for numbers in getattr(self.request, field)]
        rows[row][column] = typed
        self.turn(**{field: tuple(map(tuple, rows))})

    def explain(self, canvas: Canvas, words: Callable[[Any], str]) -> None:
        """Say what an item means: in its tooltip, and below the stage while it is pointed at."""
        canvas.explain = words
        canvas.pointed.connect(lambda item: self.arithmetic.setText("" if item is None else words(item)))

    def set_sources(self, sources: Sequence[ModelSource], device: str) -> None:
        """Offer the models besides the book's, and the device that they compute on."""
        self._device = device
        if self.models:
            self.models.set_sources(sources)

    def value(self, name: str) -> Value | None:
        """A figure of the answer, or a field of the question, for a lesson's check; None where there is none, or while
        another answer is on its way."""
        if self.waiting:
            return None
        found: dict[str, Value] = dict(self.lab.values(self.answer)) if self.answer is not None else {}
        return found.get(name, self.request.shallow().get(name))

    def _take(self) -> None:
        """Show the last answer, or the reason why there is none."""
        self.state.setText("")
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
        self.show_answer(answer)  # if it is the same: what was typed wrong in the stage goes

    def _show_again(self) -> None:
        """Show the answer in the colours that are now in force."""
        if self.answer is not None:
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
                           tr("Takes back all changes on this page: its input and its model are the book's again"))
        self.models = ModelBox(self.lab.model, self.name) if self.lab.model else None
        self.figures, self.code = PrintedFigures(self.name), Code(self.name)
        self.saving = SaveButton(
            self, self.lab.name, lambda: None if self.answer is None else self.lab.table(self.answer),
            self.notice.setText)
        self.save = self.saving.save
        self.links = Links(self.arithmetic.setText)

    def _connect(self) -> None:
        self.asking.changed.connect(self._take)
        self.controls.changed.connect(lambda: self.turn(**self.controls.values()))
        self.examples.activated.connect(lambda place: self.open_example(self.lab.examples[place].name))
        self.back.clicked.connect(self.reset)
        if self.models:
            self.models.turned.connect(self.begin)

    def changeEvent(self, event: QEvent) -> None:
        super().changeEvent(event)
        if event.type() in (QEvent.Type.FontChange, QEvent.Type.StyleChange) and hasattr(self, "stage"):
            self.fit_stage()

    def fit_stage(self) -> None:
        """Enlarge the text if there is space. A page with heights of its own extends this."""
        self.stage.fit_text(self.size())

    def _column(self) -> ScrollColumn:
        text = [label(part, wrap=True) if isinstance(part, str) else part for part in self.text()]
        for part in text:
            if isinstance(part, Formula):
                self.links.watch_formula(part)
        choice = [label(tr("Model"), "heading"), self.models] if self.models else []
        self.model_column = vbox(*choice)  # where the tab adds an offer to train one
        self._model = holding(QWidget(), self.model_column)
        sources = [tr("Source: the book, {sections}", sections="; ".join(map(str, self.lab.sources)))]
        if self.lab.papers:
            sources.append(tr("Papers: {papers}", papers="; ".join(self.lab.papers)))
        self.sources = label("\n".join(sources), "muted", f"{self.name}_follows", wrap=True)
        if not self.controls.editors:
            self.controls.hide()
        below = vbox(self.controls, self.figures, self.sources, FREE, margins=(0, 4, 0, 0))
        inside = vbox(self.title, *text, self._model, grows(below), spacing=8, margins=(0, 0, 8, 0))
        return scrolling(holding(Message(), inside), f"{self.name}_column", reached=False)

    def _right(self) -> QWidget:
        self.stage = Stage(self.make_stage(), f"{self.name}_stage")
        self.stage.resized.connect(self.fit_stage)
        inputs = Flow(self.examples, self.back, self.figures.tally, self.state, spacing=8)
        return card(hbox(grows(inputs), aligned(self.saving, TOP)), self.notice, grows(self.stage), self.arithmetic,
                    self.code, name=f"{self.name}_card")
