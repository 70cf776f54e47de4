"""Card that shows a lesson: as a column or folded to a bar, with the question of a step and the minutes of the plan."""

from __future__ import annotations

import re
import time
from collections import defaultdict
from collections.abc import Collection
from functools import partial
from itertools import accumulate, pairwise

from PySide6.QtCore import QEvent, QObject, QRect, QRectF, QSize, Qt, QTimer, Signal
from PySide6.QtGui import QHideEvent, QKeyEvent, QPainter, QPen, QShowEvent
from PySide6.QtWidgets import QDockWidget, QFrame, QLabel, QLineEdit, QMainWindow, QPushButton, QSizePolicy, QWidget

from gptstudio.app.lesson_progress import LessonRecord
from gptstudio.gui.appearance import on_restyle
from gptstudio.gui.canvas.canvas import Canvas, Swatch
from gptstudio.gui.canvas.writing import rounded
from gptstudio.gui.learn.kit.model_offer import ModelOffer
from gptstudio.gui.learn.lessons.check_texts import guess_text, summary_text, tally_text, token_text
from gptstudio.gui.theme import colour, theme
from gptstudio.gui.translation import joined, tr
from gptstudio.gui.widgets.icons import IconButton, SignIcon
from gptstudio.gui.widgets.layouts import BELOW, BESIDE, FREE, Flow, grows, hbox, in_column, vbox, with_layout
from gptstudio.gui.widgets.parts import UNLIMITED, Notice, button, label, named, restyle, scrolling, set_blocker
from gptstudio.labs.lesson import Guess, Lesson, Predict
from gptstudio.pointed_token import PointedToken

EVERY_MS = 15_000
"""Interval between updates, long so that an idle window does next to nothing."""


class PlanClock(QWidget):
    """Minutes spent on the step and on the lesson since it was opened. ``offer``: message on the delay, with the button
    ``skip``; shown when the user is late on a step that can be skipped."""

    def __init__(self) -> None:
        super().__init__()
        self._minutes: tuple[float, ...] = (1.0,)
        self._total, self._index, self._optional = 1, 0, False
        self._spent: defaultdict[int, float] = defaultdict(float)  # minutes spent on earlier visits to each step
        self._ring, self._words = Swatch(partial(_paint_ring, 0.0), 1, 1), label(role="muted", name="lesson_minutes")
        self._ring.setObjectName("lesson_ring")
        self._late = label(role="muted", name="lesson_late", wrap=True)
        self.skip = button(tr("Skip this step"), "lesson_skip", tr("Continues with the next step"), "quiet")
        self.offer = with_layout(QWidget(), vbox(self._late, hbox(self.skip, FREE), spacing=0))
        self._timer = QTimer(self, interval=EVERY_MS, timerType=Qt.TimerType.VeryCoarseTimer)
        self._timer.timeout.connect(self._show)
        with_layout(self, hbox(self._ring, self._words, spacing=8))
        self.begin()

    def begin(self) -> None:
        """Start counting."""
        self._opened = self._arrived = time.monotonic()
        self._spent.clear()

    def show_step(self, lesson: Lesson, index: int) -> None:
        """Count the minutes of a step."""
        self._spent[self._index] += _minutes_since(self._arrived)
        self._arrived, self._index = time.monotonic(), index
        self._minutes, self._total = lesson.step_minutes, lesson.minutes
        self._optional = lesson.steps[index].optional
        self.show()
        self._show()

    def rest(self) -> None:
        """Hide the clock at the end of the lesson."""
        for each in (self, self.offer):
            each.hide()

    @property
    def behind(self) -> float:
        """Minutes behind the plan, on arrival at this step or since its planned end; negative if ahead of the plan."""
        end, now = list(accumulate(self._minutes))[self._index], _minutes_since(self._opened)
        arrived = now - _minutes_since(self._arrived)
        return max(arrived - (end - self._minutes[self._index]), now - end)

    def showEvent(self, event: QShowEvent) -> None:
        super().showEvent(event)
        self._timer.start()
        self._show()

    def hideEvent(self, event: QHideEvent) -> None:
        super().hideEvent(event)
        self._timer.stop()

    def _show(self) -> None:
        planned, behind = self._minutes[self._index], self.behind
        spent, done = self._spent[self._index] + _minutes_since(self._arrived), int(_minutes_since(self._opened))
        self._words.setText(tr("{done} of {minutes} min", done=done, minutes=self._total))
        self._ring.paint_with(partial(_paint_ring, min(1.0, spent / planned) if planned else 1.0))
        words = tr("This step: {spent} of {planned} min. Lesson: {done} of {minutes} min since it was opened.",
                   spent=int(spent), planned=f"{planned:.3g}", done=done, minutes=self._total)
        self._ring.setAccessibleName(words)
        for each in (self._ring, self._words):
            each.setToolTip(words)
        self._late.setText(tr("You are {n} min behind the plan; this step can be skipped.", n=round(behind)))
        self.offer.setVisible(self._optional and behind > planned)


def _paint_ring(share: float, painter: QPainter, place: QRectF, _letter: int) -> None:
    """Paint a ring, a share of which is darker."""
    wide = max(2.0, place.height() / 7)
    for ink, part in (("line", 1.0), ("muted", share)):
        painter.setPen(QPen(colour(ink), wide, c=Qt.PenCapStyle.FlatCap))
        painter.drawArc(place.adjusted(wide, wide, -wide, -wide), 90 * 16, round(-360 * 16 * part))


def _minutes_since(start: float) -> float:
    return (time.monotonic() - start) / 60


THOUSANDS = re.compile(r"-?\d{1,3}(,\d{3})+(\.\d+)?")
LARGEST = 1e15
FULL_WIDTH = {0xFF0C: ",", 0xFF05: "%"}
NUMBER_WIDTH = 9  # width of the field for a number, in line heights


class Question(QWidget):
    """Question for a guess; afterwards shows the guess, and later the right answer. ``generate``: button that generates
    a text, for a question about one of its tokens."""

    guessed = Signal(object)
    """Emitted with the guess, or None if the user does not want to guess."""

    def __init__(self, generate: QPushButton) -> None:
        super().__init__()
        named(self, "lesson_question", tr("Question"))
        self._predict: Predict | None = None
        self._generate = generate
        self._pointed: PointedToken | None = None
        self.question = label(name="lesson_question_text", wrap=True)
        self.outcome, self.explanation = Notice("lesson_guess", ""), Notice("lesson_explanation", "")
        self.number = named(QLineEdit(), "lesson_guess_number", tr("Your guess"))
        self.number.setPlaceholderText(tr("Your guess"))
        self.number.returnPressed.connect(self._take)
        self.token = label(name="lesson_guess_token", wrap=True)
        self.guess = button(tr("Guess"), "lesson_guess_take", do=self._take)
        self.skip = button(tr("Show without guessing"), "lesson_guess_skip", role="quiet",
                           do=lambda: self.guessed.emit(None))
        self.problem = Notice("lesson_guess_problem")
        self.choices: list[QPushButton] = []
        self._options = QWidget()
        self._flow = Flow(self.number, self.guess, self.skip, generate, spacing=8)
        self._options.setLayout(self._flow)
        with_layout(self, vbox(self.question, self.token, self._options, self.problem, self.outcome, self.explanation,
                           spacing=8))

    def show_pointed(self, token: PointedToken | None, lacks_text: bool = False) -> None:
        """Show the token that would be the guess, for a question about a token. ``lacks_text``: there is no text
        yet."""
        self._pointed = token
        if self._predict and self._predict.token:
            words = tr("There is no text yet. Generate one first, and then click a token in it.") if lacks_text else tr(
                "Click a token in the text, or choose one with the arrow keys.")
            set_blocker(self.guess, "" if token else words)
            self.token.setText(tr("Chosen: {token}", token=token_text(token)) if token else words)
        self._generate.setVisible(lacks_text)  # without a text, the button that generates one replaces the guess
        self.guess.setVisible(not lacks_text and not self.choices)

    def show_question(self, predict: Predict | None, asking: bool, guess: Guess | None, truth: Guess | None) -> None:
        """Show a question, or the guess and, once it is known, the right answer."""
        self.setVisible(predict is not None)
        if predict is None:
            return
        if predict is not self._predict:
            self._offer(predict)
        self.question.setText(tr("First guess: {question}", question=predict.question) if asking else predict.question)
        self.question.setVisible(asking or truth is not None)  # in between, the task is more important
        self._options.setVisible(asking)
        self.token.setVisible(asking and bool(predict.token))
        self.problem.setVisible(asking and bool(self.problem.text()))
        self.outcome.setText("" if asking else guess_text(predict, guess, truth))
        self.explanation.setText(predict.explanation if truth is not None and not asking else "")

    def _offer(self, predict: Predict) -> None:
        """Create the buttons for the answers."""
        self._predict = predict
        self.number.clear()
        self.problem.setText("")
        self.number.setFixedWidth(NUMBER_WIDTH * self.fontMetrics().height())
        for old in self.choices:
            self._flow.removeWidget(old)
            old.hide()
            old.deleteLater()
        self.choices = [
            button(text.replace("&", "&&"), f"lesson_choice_{number}",
                   do=lambda _=False, text=text: self.guessed.emit(text))
            for number, text in enumerate(predict.choices, start=1)]
        self.number.setVisible(predict.number is not None)
        self.guess.setVisible(not predict.choices)
        set_blocker(self.guess)
        for made in (*self.choices, self.skip):  # the button that skips the question is the last
            self._flow.removeWidget(made)
            self._flow.addWidget(made)
            made.show()
        for before, after in pairwise((self.guess, *self.choices, self.skip)):
            QWidget.setTabOrder(before, after)  # in visual order

    def _take(self) -> None:
        """Emit the chosen token, or the typed number."""
        if self._predict and self._predict.token:
            self.guessed.emit(self._pointed)
            return
        guess = number_of(self.number.text())
        if guess is None:
            self.problem.setText(tr("Type a number, such as 0.5."))
        else:
            self.problem.setText("")
            self.guessed.emit(guess)


def number_of(typed: str) -> float | None:
    """Return a typed number, or None. A comma groups thousands or is the decimal point; % divides by 100."""
    text = typed.strip().replace("−", "-").translate(FULL_WIDTH)
    bare = text.removesuffix("%").strip()
    try:
        guess = float(bare.replace(",", "" if THOUSANDS.fullmatch(bare) else "."))
    except ValueError:
        return None
    return (guess / 100 if text.endswith("%") else guess) if abs(guess) <= LARGEST else None


AFTER_GOAL = 1  # number of items below the state of the goal: the notes
MARGINS, FOLDED_MARGINS = (12, 12, 12, 12), (8, 8, 12, 8)

PADDING = 9  # above and below the text of a primary button; the other style has the same height, so that nothing moves


class LessonCard(QFrame):
    """Card with the step, the state of its check and further notes; ``back``, ``next`` and ``end`` are its buttons.
    When folded, it has the title of the step, which unfolds it, and ``next``.

    Args:
        generate: button that generates a text; ``hand_in``: button for handing in the results, at the end.
        offer: offer to train a model, for steps that need a trained one.
    """

    def __init__(self, generate: QPushButton, hand_in: QPushButton, offer: ModelOffer | None = None) -> None:
        super().__init__()
        named(self, "lesson_guide", tr("Lesson"))
        self.offer = offer
        self.setProperty("card", True)
        self._make_head()
        self._make_body(generate)
        self._make_foot(hand_in)
        self._layout = vbox(
            self._head, grows(self._body), self._last, self._bar, self._foot, spacing=8, margins=MARGINS)
        with_layout(self, self._layout)
        self.show_folded(False, False)

    def show_folded(self, folded: bool, can_fold: bool) -> None:
        """Show the whole card or, in one line, its title. ``can_fold``: whether the user can fold the card again."""
        self.next.setMinimumHeight(self.fontMetrics().lineSpacing() + 2 * PADDING)
        for each in (self._head, self._body, self.back):
            each.setVisible(not folded)
        self._last.setVisible(not folded and not self.again.isHidden())
        self._bar.setVisible(folded)
        self.fold.setVisible(can_fold)
        self._layout.setDirection(BESIDE if folded else BELOW)
        self._layout.setStretchFactor(self._bar, int(folded))
        self._layout.setContentsMargins(*(FOLDED_MARGINS if folded else MARGINS))
        self.setMinimumHeight(self._layout.sizeHint().height() + 2 if folded else 0)  # including the frame
        self.setMaximumHeight(self.minimumHeight() if folded else UNLIMITED)

    def show_step(self, lesson: Lesson, index: int, record: LessonRecord) -> None:
        step, count = lesson.steps[index], len(lesson.steps)
        self.lesson_title.setText(lesson.title)
        self.count.setText(tr("Step {n} of {count}", n=index + 1, count=count))
        self.plan.show_step(lesson, index)
        self.end.show()
        self.following.hide()
        self.again.hide()
        self._last.hide()
        self._show(step.title, step.text, step.trained, index, record)
        set_blocker(self.back, "" if index > 0 else tr("This is the first step."))
        self.next.setText(tr("Finish") if index == count - 1 else tr("Next"))

    def _show(self, title: str, text: str, trained: str, now: int, record: LessonRecord) -> None:
        """Show a text from its beginning. ``trained``: what a trained model shows. ``now``: the current step."""
        self.progress.show_steps(now, record)
        self.title.setText(title)
        self.unfold.setText(joined("  ·  ", self.count.text(), title).replace("&", "&&"))
        self.text.setText(text)
        if self.offer:
            self.offer.show_reason(trained)
        self._body.verticalScrollBar().setValue(0)

    def show_task(self, lesson: Lesson, index: int, record: LessonRecord) -> None:
        """Show the task of a step; if the step asks a question, only once that is answered."""
        step = lesson.steps[index]
        asking = step.predict is not None and index not in record.guesses
        self.question.show_question(step.predict, asking, record.guesses.get(index), record.truths.get(index))
        self.task.setText(tr("Try: {what}", what=step.task) if step.task else "")
        self.task.setVisible(bool(step.task) and not asking)

    def show_offer(self, record: LessonRecord | None) -> None:
        """Offer to continue at the recorded step; None hides the offer."""
        self.resume.setVisible(record is not None)
        if record:
            self.resume.setText(tr("Continue at step {n}", n=record.step + 1))

    def show_summary(self, lesson: Lesson, record: LessonRecord, following: str) -> None:
        """Show the results of the lesson. ``following``: title of the next lesson, or empty."""
        self.lesson_title.setText(lesson.title)
        self.plan.rest()
        self.count.setText(tr("End of the lesson"))
        self._show(tr("What you found"), summary_text(lesson, record), "", record.steps, record)
        self.question.hide()
        self.task.setText(joined("\n\n", *filter(None, [
            tally_text(lesson, record), tr("Next lesson: {title}", title=following) if following else tr(
                "Open any experiment of the list on Learn, and change what you like.")])))
        self.task.show()
        self.following.setVisible(bool(following))
        self.again.show()
        self._last.setVisible(self._bar.isHidden())
        self.show_notes([])
        self.show_check("", bool(following))
        set_blocker(self.back)
        self.end.hide()  # the next button does the same
        self.next.setText(tr("Close"))

    def show_check(self, words: str, open: bool) -> None:
        """Show the state of the check: below the task, or at the top once the goal is reached. The next step is always
        available, and emphasised when no goal is open."""
        self.check.setText(words)
        self._goal.removeWidget(self.check)
        self._goal.insertWidget(self._goal.count() - AFTER_GOAL if open else 0, self.check)
        self.check.setVisible(bool(words))
        restyle(self.check, role="notice" if open else "figure")
        restyle(self.next, role="" if open else "primary")

    def show_notes(self, words: Collection[str]) -> None:
        self.notes.setText(joined("\n", *words) if words else "")

    def keyPressEvent(self, event: QKeyEvent) -> None:
        """Scroll the text with Page Up and Page Down, since nothing in it takes the focus."""
        steps = {Qt.Key.Key_PageUp: -1, Qt.Key.Key_PageDown: 1}.get(Qt.Key(event.key()), 0)
        bar = self._body.verticalScrollBar()
        bar.setValue(bar.value() + steps * bar.pageStep())
        if not steps:
            super().keyPressEvent(event)

    def _make_head(self) -> None:
        self.lesson_title = label(role="muted", name="lesson_name", wrap=True)
        self.count, self.plan = label(name="lesson_count"), PlanClock()
        self.progress = StepMarks()
        self.end = button(tr("End lesson"), "lesson_end", tr("Restores the window as it was before the lesson"),
                          role="quiet")
        self.fold = IconButton("below", "lesson_fold", tr("Fold the lesson"), tr(
            "Folds the lesson to a bar, to leave the page more room"))
        self._head = with_layout(QWidget(), vbox(
            hbox(grows(self.lesson_title), self.end, self.fold, spacing=8),
            hbox(self.count, FREE, self.plan, spacing=12), self.progress, self.plan.offer, spacing=8))

    def _make_body(self, generate: QPushButton) -> None:
        self.title, self.text = label(role="heading", name="lesson_title", wrap=True), _reading("lesson_text")
        self.task, self.check = _reading("lesson_try"), label(name="lesson_check", wrap=True)
        self.notes, self.question = Notice("lesson_notes", "notice"), Question(generate)
        self.resume = button("", "lesson_resume", tr("Where you left this lesson"))
        self.resume.hide()
        offers = [self.offer] if self.offer else []
        self._goal = vbox(self.question, self.task, *offers, self.check, self.notes, spacing=8)
        inside = in_column(
            QWidget(), hbox(self.resume, FREE), self.title, self.text, self._goal, spacing=8)
        self._body = scrolling(inside, "lesson_scroll")

    def _make_foot(self, hand_in: QPushButton) -> None:
        self.following = button(tr("Open the next lesson"), "lesson_following", role="primary")
        self.again = button(tr("Again"), "lesson_again", tr("Begins the lesson at its first step"))
        for each in (self.following, self.again):
            each.hide()
        ends = hbox(self.again, hand_in, spacing=8)
        self._last = with_layout(QWidget(), vbox(hbox(self.following, FREE), hbox(ends, FREE), spacing=8))
        self.back = button(tr("Back"), "lesson_back", tr("Alt+Left"))
        self.next = button(tr("Next"), "lesson_next", tr("Alt+Right"), role="primary")
        self.unfold = button("", "lesson_unfold", tr("Shows the step of the lesson"), role="quiet")
        self.unfold.setIcon(SignIcon("earlier"))
        self._bar = with_layout(QWidget(), hbox(self.unfold, FREE))
        self._foot = with_layout(QWidget(), hbox(self.back, FREE, self.next, spacing=12))


def _reading(name: str) -> QLabel:
    """Return a label whose text can be selected and copied."""
    made = label(name=name, wrap=True)
    made.setTextInteractionFlags(Qt.TextInteractionFlag.TextSelectableByMouse)
    return made


class StepMarks(Canvas):
    """Marks of the steps: finished ones are filled, skipped ones crossed out, the current one is taller, later ones are
    outlines."""

    def __init__(self) -> None:
        super().__init__("lesson_progress", pointable=False)
        self._now, self._record = 0, LessonRecord(steps=1)
        self.setSizePolicy(QSizePolicy.Policy.Preferred, QSizePolicy.Policy.Fixed)

    def show_steps(self, now: int, record: LessonRecord) -> None:
        self._now, self._record = now, record
        skipped = joined(", ", *(str(step + 1) for step in sorted(record.skipped)))
        self.setAccessibleName(tr("Step {n} of {count}", n=min(now + 1, record.steps), count=record.steps))
        self.setAccessibleDescription(tr("Skipped steps: {steps}", steps=skipped) if skipped else "")
        self.setToolTip(self.accessibleDescription())
        self.remeasure()

    def sizeHint(self) -> QSize:
        unit = self.fontMetrics().height()
        return QSize(min(self._record.steps, 12) * unit, unit)

    def minimumSizeHint(self) -> QSize:
        return QSize(3 * self.fontMetrics().height(), self.fontMetrics().height())

    def paint(self, painter: QPainter, _region: QRect) -> None:
        record = self._record
        width, middle = self.width() / record.steps, self.height() / 2
        gap = min(2.0, width / 4)
        for step in range(record.steps):
            half = self.height() * (0.32 if step == self._now else 0.18)
            skipped = step in record.skipped and step != self._now
            behind = (step < record.furthest or step in record.goals or record.finished) and not skipped
            edge = QPen(colour("accent" if behind or step == self._now else "muted"), 1)
            mark = QRectF(step * width + gap, middle - half, width - 2 * gap, 2 * half)
            rounded(painter, mark, 2, colour("accent") if behind else None, edge)
            if skipped:
                painter.drawLine(mark.bottomLeft(), mark.topRight())


WIDTH = 300
"""Width of the column in pixels at the default text size."""
WIDEST = 0.45
"""Maximum fraction of the window's width for the column, at any text size."""
NARROW = 1100
"""Width of a window, in pixels at the default text size, below which the column can be folded."""


class LessonDock(QDockWidget):
    """Dock that makes the page narrower instead of covering it. In a narrow window, the user can fold it, and it stays
    folded until it is unfolded again."""

    def __init__(self, window: QMainWindow, guide: LessonCard) -> None:
        super().__init__(tr("Lesson"))
        self._window, self._guide, self._folded = window, guide, False
        named(self, "lesson_dock", tr("Lesson"))
        self.setFeatures(QDockWidget.DockWidgetFeature.NoDockWidgetFeatures)
        self.setAllowedAreas(Qt.DockWidgetArea.RightDockWidgetArea | Qt.DockWidgetArea.BottomDockWidgetArea)
        self.setTitleBarWidget(QWidget())
        self.setWidget(guide)
        self.setFocusProxy(guide.next)
        guide.unfold.clicked.connect(lambda: self._choose(False))
        guide.fold.clicked.connect(lambda: self._choose(True))
        window.installEventFilter(self)
        theme.dress(self)
        on_restyle(guide, self.fit)
        self.fit()

    def fit(self) -> None:
        """Place the dock on the right or at the bottom, depending on the width of the window."""
        narrow = self._window.width() < NARROW * theme.zoom
        folded = narrow and self._folded
        self._guide.show_folded(folded, narrow)
        width = round(min(WIDTH * theme.zoom, WIDEST * self._window.width()))
        self._guide.setMinimumWidth(0 if folded else width)
        self._guide.setMaximumWidth(UNLIMITED if folded else width)
        self.setMinimumHeight(self._guide.minimumHeight())
        sides = Qt.DockWidgetArea
        side = sides.BottomDockWidgetArea if folded else sides.RightDockWidgetArea
        if self._window.dockWidgetArea(self) != side:
            self._window.addDockWidget(side, self)

    def eventFilter(self, watched: QObject, event: QEvent) -> bool:
        if watched is self._window and event.type() == QEvent.Type.Resize:
            QTimer.singleShot(0, self, self.fit)
        return super().eventFilter(watched, event)

    def _choose(self, folded: bool) -> None:
        self._folded = folded
        self.fit()
        self._guide.next.setFocus()
