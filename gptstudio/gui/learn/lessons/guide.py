"""The card that tells a lesson: a column, or folded to a bar."""

from __future__ import annotations

from collections.abc import Collection

from PySide6.QtCore import QRect, QRectF, QSize, Qt
from PySide6.QtGui import QKeyEvent, QPainter, QPen
from PySide6.QtWidgets import QBoxLayout, QFrame, QLabel, QPushButton, QSizePolicy, QWidget

from gptstudio.app.lesson_progress import LessonRecord
from gptstudio.gui.canvas.canvas import Canvas
from gptstudio.gui.canvas.writing import draw_with
from gptstudio.gui.icons import SignIcon
from gptstudio.gui.learn.kit.model_offer import ModelOffer
from gptstudio.gui.learn.lessons.plan_clock import PlanClock
from gptstudio.gui.learn.lessons.question import Question
from gptstudio.gui.learn.lessons.telling import summary_text, tally_text
from gptstudio.gui.theme import colour
from gptstudio.gui.translation import joined, tr
from gptstudio.gui.widgets.icon_button import IconButton
from gptstudio.gui.widgets.layouts import FREE, grows, hbox, holding, in_column, vbox
from gptstudio.gui.widgets.parts import UNLIMITED, Notice, button, label, named, permit, restyle, scrolling
from gptstudio.labs.lesson import Lesson

BELOW = 1  # parts below the state of the goal: the notes
MARGINS, FOLDED_MARGINS = (12, 12, 12, 12), (8, 8, 12, 8)

PADDING = 9  # above and below the words of a recommended button; the other is as high, so that nothing moves


class Guide(QFrame):
    """Card with the step, the state of its check and further notes; ``back``, ``next`` and ``end`` are its buttons.
    Folded, it has the title of the step, which unfolds it, and ``next``."""

    def __init__(self, offer: ModelOffer | None = None) -> None:
        super().__init__()
        named(self, "lesson_guide", tr("Lesson"))
        self.offer = offer
        self.setProperty("card", True)
        self._make_head()
        self._make_body()
        self._make_foot()
        self._layout = vbox(
            self._head, grows(self._body), self._last, self._bar, self._foot, spacing=8, margins=MARGINS)
        holding(self, self._layout)
        self.show_folded(False, False)

    def show_folded(self, folded: bool, can_fold: bool) -> None:
        """Show the step or, in one line, its title. ``can_fold``: whether the user can fold the card again."""
        self.next.setMinimumHeight(self.fontMetrics().lineSpacing() + 2 * PADDING)
        for each in (self._head, self._body, self.back):
            each.setVisible(not folded)
        self._last.setVisible(not folded and not self.again.isHidden())
        self._bar.setVisible(folded)
        self.fold.setVisible(can_fold)
        ways = QBoxLayout.Direction
        self._layout.setDirection(ways.LeftToRight if folded else ways.TopToBottom)
        self._layout.setStretchFactor(self._bar, int(folded))
        self._layout.setContentsMargins(*(FOLDED_MARGINS if folded else MARGINS))
        self.setMinimumHeight(self._layout.sizeHint().height() + 2 if folded else 0)  # with the frame
        self.setMaximumHeight(self.minimumHeight() if folded else UNLIMITED)

    def show_step(self, lesson: Lesson, index: int, record: LessonRecord) -> None:
        step, count = lesson.steps[index], len(lesson.steps)
        self.lesson_title.setText(lesson.title)
        self.count.setText(tr("Step {n} of {count}", n=index + 1, count=count))
        self.plan.show_step(lesson, index)
        self.show_progress(index, record)
        self._show_title(step.title)
        self.text.setText(step.text)
        self._offer_model(step.trained)
        permit(self.back, "" if index > 0 else tr("This is the first step."))
        self.end.show()
        self.following.hide()
        self.again.hide()
        self._last.hide()
        self.next.setText(tr("Finish") if index == count - 1 else tr("Next"))
        self._begin_at_top()

    def show_task(self, lesson: Lesson, index: int, record: LessonRecord) -> None:
        """Show what is to be done; if the step asks a question, only once that is answered."""
        step = lesson.steps[index]
        asking = step.predict is not None and index not in record.guesses
        self.question.show_question(step.predict, asking, record.guesses.get(index), record.truths.get(index))
        self.task.setText(tr("Try: {what}", what=step.task) if step.task else "")
        self.task.setVisible(bool(step.task) and not asking)

    def show_progress(self, index: int, record: LessonRecord) -> None:
        self.progress.show_steps(record.steps, index, record)

    def show_offer(self, record: LessonRecord | None) -> None:
        """Offer to continue where one was; None: no longer."""
        self.resume.setVisible(record is not None)
        if record:
            self.resume.setText(tr("Continue at step {n}", n=record.step + 1))

    def show_summary(self, lesson: Lesson, record: LessonRecord, following: str) -> None:
        """Show what was found, and what comes next: the title of the next lesson, or empty."""
        self.lesson_title.setText(lesson.title)
        self.plan.rest()
        self.count.setText(tr("End of the lesson"))
        self.show_progress(record.steps, record)
        self._show_title(tr("What you found"))
        self.text.setText(summary_text(lesson, record))
        self._offer_model("")
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
        permit(self.back)
        self.end.hide()  # it would do the same as the next button
        self.next.setText(tr("Close"))
        self._begin_at_top()

    def offer_hand_in(self, hand_in: QPushButton) -> None:
        """Offer on the last card to hand in what was done."""
        self._ends.addWidget(hand_in)

    def _offer_model(self, why: str) -> None:
        if self.offer:
            self.offer.show_reason(why)

    def _begin_at_top(self) -> None:
        self._scroll.verticalScrollBar().setValue(0)

    def _show_title(self, words: str) -> None:
        """Show the title of the step, also on the bar."""
        self.title.setText(words)
        self.unfold.setText(joined("  ·  ", self.count.text(), words).replace("&", "&&"))

    def show_check(self, words: str, open: bool) -> None:
        """Show the state of the check: below the task, and above all else once it is reached. The next step is always
        available, and emphasised when nothing is open."""
        self.check.setText(words)
        self._goal.removeWidget(self.check)
        self._goal.insertWidget(self._goal.count() - BELOW if open else 0, self.check)
        self.check.setVisible(bool(words))
        restyle(self.check, role="notice" if open else "figure")
        restyle(self.next, role="" if open else "primary")

    def show_notes(self, words: Collection[str]) -> None:
        self.notes.setText(joined("\n", *words) if words else "")

    def keyPressEvent(self, event: QKeyEvent) -> None:
        """Scroll the text by Page Up and Page Down; nothing in it takes the keyboard."""
        steps = {Qt.Key.Key_PageUp: -1, Qt.Key.Key_PageDown: 1}.get(Qt.Key(event.key()), 0)
        bar = self._scroll.verticalScrollBar()
        bar.setValue(bar.value() + steps * bar.pageStep())
        if not steps:
            super().keyPressEvent(event)

    def _make_head(self) -> None:
        self.lesson_title = label(role="muted", name="lesson_name", wrap=True)
        self.count, self.plan = label(name="lesson_count"), PlanClock()
        self.progress = Progress()
        self.end = button(tr("End lesson"), "lesson_end", tr("Restores the window as it was before the lesson"),
                          role="quiet")
        self.fold = IconButton("below", "lesson_fold", tr("Fold the lesson"), tr(
            "Folds the lesson to a bar, to leave the page more room"))
        self._head = holding(QWidget(), vbox(
            hbox(grows(self.lesson_title), self.end, self.fold, spacing=8),
            hbox(self.count, FREE, self.plan, spacing=12), self.progress, self.plan.offer, spacing=8))

    def _make_body(self) -> None:
        self.title, self.text = label(role="heading", name="lesson_title", wrap=True), _reading("lesson_text")
        self.task, self.check = _reading("lesson_try"), label(name="lesson_check", wrap=True)
        self.notes, self.question = Notice("lesson_notes", "notice"), Question()
        self.resume = button("", "lesson_resume", tr("Where you left this lesson"))
        self.resume.hide()
        offers = [self.offer] if self.offer else []
        self._goal = vbox(self.question, self.task, *offers, self.check, self.notes, spacing=8)
        inside = in_column(
            QWidget(), hbox(self.resume, FREE), self.title, self.text, self._goal, spacing=8)
        self._body = self._scroll = scrolling(inside, "lesson_scroll", reached=False)

    def _make_foot(self) -> None:
        self.following = button(tr("Open the next lesson"), "lesson_following", role="primary")
        self.again = button(tr("Again"), "lesson_again", tr("Begins the lesson at its first step"))
        for each in (self.following, self.again):
            each.hide()
        self._ends = hbox(self.again, spacing=8)
        self._last = holding(QWidget(), vbox(hbox(self.following, FREE), hbox(self._ends, FREE), spacing=8))
        self.back = button(tr("Back"), "lesson_back", tr("Alt+Left"))
        self.next = button(tr("Next"), "lesson_next", tr("Alt+Right"), role="primary")
        self.unfold = button("", "lesson_unfold", tr("Shows the step of the lesson"), role="quiet")
        self.unfold.setIcon(SignIcon("earlier"))
        self._bar = holding(QWidget(), hbox(self.unfold, FREE))
        self._foot = holding(QWidget(), hbox(self.back, FREE, self.next, spacing=12))


def _reading(name: str) -> QLabel:
    """Words that can be marked and copied."""
    made = label(name=name, wrap=True)
    made.setTextInteractionFlags(Qt.TextInteractionFlag.TextSelectableByMouse)
    return made


class Progress(Canvas):
    """Marks of the steps: finished ones are filled, skipped ones crossed out, the current one is taller, later ones are
    outlines."""

    def __init__(self) -> None:
        super().__init__("lesson_progress", pointable=False)
        self._count, self._now = 0, 0
        self._record = LessonRecord(steps=1)
        self.setSizePolicy(QSizePolicy.Policy.Preferred, QSizePolicy.Policy.Fixed)

    def show_steps(self, count: int, now: int, record: LessonRecord) -> None:
        self._count, self._now, self._record = count, now, record
        skipped = joined(", ", *(str(step + 1) for step in sorted(record.skipped)))
        self.setAccessibleName(tr("Step {n} of {count}", n=min(now + 1, count), count=count))
        self.setAccessibleDescription(tr("Skipped steps: {steps}", steps=skipped) if skipped else "")
        self.setToolTip(self.accessibleDescription())
        self.remeasure()

    def sizeHint(self) -> QSize:
        unit = self.fontMetrics().height()
        return QSize(min(self._count, 12) * unit, unit)

    def minimumSizeHint(self) -> QSize:
        return QSize(3 * self.fontMetrics().height(), self.fontMetrics().height())

    def paint(self, painter: QPainter, _region: QRect) -> None:
        width, middle = self.width() / max(1, self._count), self.height() / 2
        gap = min(2.0, width / 4)
        record = self._record
        for step in range(self._count):
            half = self.height() * (0.32 if step == self._now else 0.18)
            skipped = step in record.skipped and step != self._now
            behind = (step < record.furthest or step in record.goals or record.finished) and not skipped
            edge = QPen(colour("accent" if behind or step == self._now else "muted"), 1)
            draw_with(painter, edge, colour("accent") if behind else Qt.BrushStyle.NoBrush)
            mark = QRectF(step * width + gap, middle - half, width - 2 * gap, 2 * half)
            painter.drawRoundedRect(mark, 2, 2)
            if skipped:
                painter.drawLine(mark.bottomLeft(), mark.topRight())
