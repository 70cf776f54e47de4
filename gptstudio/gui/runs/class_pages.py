"""Pages of the class view: the curves of all learners with one that stands out, and the guesses of each question."""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from pathlib import Path

from PySide6.QtCore import QPointF, Qt, Signal
from PySide6.QtGui import QKeySequence, QShortcut
from PySide6.QtWidgets import QWidget

from gptstudio.gui.charts.run_curves import Overlaid
from gptstudio.gui.plots.bar_list import Bar, BarList, BarRow, Bars
from gptstudio.gui.runs.run_compare import RunCompare
from gptstudio.gui.translation import joined, tr
from gptstudio.gui.widgets.few_lines import FewLines
from gptstudio.gui.widgets.icon_button import IconButton
from gptstudio.gui.widgets.layouts import FREE, TOP, aligned, card, grows, hbox, holding, in_column, vbox
from gptstudio.gui.widgets.parts import label, permit, scrolling
from gptstudio.history.class_runs import ClassAnswer, ClassQuestion, ClassRun
from gptstudio.history.comparison import same_vocabulary
from gptstudio.history.run_history import History
from gptstudio.i18n import Message

BACK, ON = ("Left", "PgUp"), ("Right", "PgDown")
"""Keys to the previous and to the next learner or question; presenters send Page Up and Page Down."""


class Stepper(QWidget):
    """Two buttons, what they lead through, and a figure at the right. Emits -1 or 1."""

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
        buttons = holding(QWidget(), hbox(self.back, self.on, spacing=4))
        holding(self, hbox(
            aligned(buttons, TOP), grows(vbox(self.title, self.place, FREE, spacing=0)),
            vbox(self.figure, self.note, FREE, spacing=0), spacing=12))

    def follow_keys(self, widget: QWidget) -> None:
        """Step by the arrow keys and Page Up and Page Down of a widget and what is in it."""
        for keys, way in ((BACK, -1), (ON, 1)):
            for key in keys:
                shortcut = QShortcut(QKeySequence(key), widget, context=Qt.ShortcutContext.WidgetWithChildrenShortcut)
                shortcut.activated.connect(lambda way=way: self.stepped.emit(way))

    def show_place(self, index: int, count: int, first: str, last: str) -> None:
        """Show the place among all; ``first``, ``last``: why there is none before, and none after it."""
        self.place.setText(tr("{n} of {count}", n=index + 1, count=count) if count else "")
        focus, at_end = self.window().focusWidget(), index + 1 >= count
        for button, other, why in ((self.back, self.on, first if index <= 0 else ""),
                                   (self.on, self.back, last if at_end else "")):
            if why and focus is button:
                permit(other)
                other.setFocus()  # or the keys would go to whatever follows
            permit(button, why)


class ClassCurves(QWidget):
    """Curves of all runs. Emits the path of a run that is pointed at."""

    pointed = Signal(object)

    def __init__(self) -> None:
        super().__init__()
        self.stepper = Stepper("class_learner", tr("Previous learner"), tr("Next learner"))
        self.compare = RunCompare("class")
        self._chart = self.compare.charts["loss"]
        self._chart.plot.scene().sigMouseMoved.connect(self._point)
        for widget in (self.stepper, self._chart):
            self.stepper.follow_keys(widget)
        self.setFocusProxy(self.stepper)
        holding(self, vbox(self.stepper, grows(card(grows(self.compare), name="class_compare_card")), spacing=8))

    def show_runs(
        self, runs: Sequence[ClassRun], chosen: Sequence[ClassRun], histories: Mapping[Path, History]
    ) -> None:
        """Show runs that could be read, with the chosen ones above the others."""
        paths = {run.path for run in chosen}
        self.compare.set_runs([
            Overlaid(run.path, run.name, number, run.path in paths if paths else None)
            for number, run in enumerate(runs)], histories)
        same = same_vocabulary(run.data.record for run in runs if run.data)
        self.compare.suggest_scale("nats" if same else "bits")
        first, last = _ends(histories[chosen[0].path]) if len(chosen) == 1 else (math.nan, math.nan)
        known = not math.isnan(first)
        self.stepper.title.setText(joined(", ", *(run.name for run in chosen)))
        self.stepper.figure.setText(f"{first:.3f} → {last:.3f}" if known else "")
        self.stepper.note.setText(tr("Validation loss at the start and at the end") if known else "")

    def _point(self, place: QPointF) -> None:
        if key := self._chart.curve_at(place):
            self.pointed.emit(Path(key.rpartition("|")[0]))


def _ends(history: History) -> tuple[float, float]:
    """Return the first and the last validation loss; NaN where there is none."""
    losses = [loss for loss in history.evaluations["val_loss"].tolist() if math.isfinite(loss)]
    return (losses[0], losses[-1]) if losses else (math.nan, math.nan)


class ClassSamples(QWidget):
    """Samples of the model of one learner, the first and the last, and what the learner saw."""

    def __init__(self) -> None:
        super().__init__()
        self.stepper = Stepper("class_samples", tr("Previous learner"), tr("Next learner"))
        self.stepper.follow_keys(self)
        self.setFocusProxy(self.stepper)
        self.first = label(role="reading", name="class_sample_first", wrap=True)
        self.last = label(role="reading", name="class_sample_last", wrap=True)
        self.words = label(name="class_sample_words", wrap=True)
        cards = [
            card(label(head, "heading"), scrolling(in_column(QWidget(), text, spacing=0), f"class_{end}_scroll"))
            for end, head, text in (
                ("first", tr("First sample"), self.first), ("last", tr("Last sample"), self.last))]
        holding(self, vbox(self.stepper, grows(hbox(*map(grows, cards), spacing=8)), self.words, spacing=8))

    def show_run(self, run: ClassRun | None) -> None:
        """Show the samples of a run; None: of no single one."""
        found = run.found if run else None
        samples = run.data.samples if run and run.data else ()
        none = tr("There is no sample in this file.") if run else tr("Choose one learner.")
        for text, sample in ((self.first, samples[:1]), (self.last, samples[1:])):
            text.setText(sample[0] if sample else none)
        words = found.learner.words if found and found.learner else ""
        self.words.setText(tr("What did you see? {words}", words=words) if words else "")
        self.words.setVisible(bool(words))
        self.stepper.title.setText(run.name if run else "")


class ClassGuesses(QWidget):
    """The answers to one question as bars, the right one marked."""

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
        self._bars = card(scrolling(in_column(QWidget(), self.bars, spacing=0), "class_answers_scroll", reached=False))
        holding(self, vbox(self.stepper, grows(self._bars), grows(self.empty), spacing=8))

    def show_questions(self, questions: Sequence[ClassQuestion]) -> None:
        """Show these questions; the one that is shown stays where it is still there."""
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
        stepper.note.setText(tr("What most got wrong comes first"))
        asked = question.asked
        self.bars.show_bars(Bars(
            [_row(answer, asked) for answer in question.answers], longest=float(max(
                answer.count for answer in question.answers)), number=lambda count: f"{count:.0f}"))


def _row(answer: ClassAnswer, asked: int) -> BarRow:
    text = tr(answer.text) if isinstance(answer.text, Message) else answer.text
    name = joined(" ", "✓", text) if answer.right else text
    words = tr("{answer}: {n} of {asked}", answer=text, n=answer.count, asked=asked)
    return BarRow(
        name, (Bar(float(answer.count), str(answer.count), "good" if answer.right else "training"),),
        strong=answer.given, quiet=not answer.given,
        words=joined("  ·  ", words, tr("Right answer")) if answer.right else words)
