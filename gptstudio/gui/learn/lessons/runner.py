"""Runner of a lesson, step by step, and its record: the goals reached, and the guesses. Its host opens and ends it.

The controls that a step names are found by name, then highlighted, hidden, locked or scrolled into view.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace

from PySide6.QtCore import QObject, QTimer, Signal
from PySide6.QtGui import QKeySequence, QShortcut
from PySide6.QtWidgets import QMainWindow, QWidget

from gptstudio.app.lesson_progress import LessonRecord
from gptstudio.app.state import AppState
from gptstudio.errors import UserError
from gptstudio.gui.actions import Actions
from gptstudio.gui.canvas.spotlight import Spotlight
from gptstudio.gui.controllers.learning import LearningController
from gptstudio.gui.controllers.training import QuickTraining
from gptstudio.gui.learn.kit.model_offer import ModelOffer
from gptstudio.gui.learn.learn_tab import read_head
from gptstudio.gui.learn.lessons.check_texts import check_text
from gptstudio.gui.learn.lessons.guide import LessonCard, LessonDock
from gptstudio.gui.learn.lessons.targets import LessonTargets, PageOf, ValuesBeforeLesson
from gptstudio.gui.locks import Locks, with_label
from gptstudio.gui.translation import tr
from gptstudio.gui.widgets.deferred import make_inside
from gptstudio.i18n import message
from gptstudio.labs.lesson import Guess, Lesson, LessonStep
from gptstudio.pointed_token import PointedToken

LOCKED = message("Locked by the lesson")


class StepControls(QObject):
    """Controls of one step at a time, from :meth:`begin` to :meth:`release`. A page may create them after the step
    begins.

    Args:
        actions: commands of the window, which are locked with their controls.
        reveal: opens the panes that contain a widget.
    """

    def __init__(self, root: QWidget, actions: Actions, reveal: Callable[[QWidget], None]) -> None:
        super().__init__(root)
        self._root, self._actions, self._reveal = root, actions, reveal
        self._place: QWidget | None = None
        self._waiting: list[tuple[str, Callable[[QWidget], None]]] = []
        self._commands = list[str]()
        self._locks, self.spotlight = Locks(self, LOCKED), Spotlight(root)

    def begin(self, step: LessonStep, place: QWidget | None) -> None:
        """Set up the controls of a step. ``place``: the widget of its page, in which names are searched first."""
        self._place = place
        self._waiting = [(name, self._locks.hide) for name in step.hide]
        self._waiting += [(name, self._lock) for name in step.lock]
        self._commands = [*step.hide, *step.lock]
        for name in self._commands:
            self._actions.lock(name, LOCKED)
        if step.result:
            self._waiting.append((step.result, self._show_result))
        if step.point:
            self._waiting.append((step.point, self._reveal))  # while a token is asked for, the highlight is elsewhere

    def point_at(self, name: str) -> None:
        """Highlight a control as soon as it exists, instead of the previous one."""
        self._waiting = [(each, use) for each, use in self._waiting if use != self._point]
        if name:
            self._waiting.append((name, self._point))

    def look(self) -> bool:
        """Search for the controls that did not exist yet; return whether all do."""
        self._waiting = [(name, use) for name, use in self._waiting if not self._use(name, use)]
        return not self._waiting

    @property
    def missing(self) -> list[str]:
        """Names of the controls that have not been found yet."""
        return list(dict.fromkeys(name for name, _ in self._waiting))

    def release(self) -> None:
        """Restore the controls."""
        self._locks.release()
        for name in self._commands:
            self._actions.unlock(name)
        self._commands, self._waiting = [], []
        self.spotlight.point_at(None)

    def _use(self, name: str, use: Callable[[QWidget], None]) -> bool:
        """Apply ``use`` to the widget of this name, preferably of the page and visible; return whether it exists."""
        for room in (self._place, self._root):
            found = [each for each in (room, *room.findChildren(QWidget)) if each.objectName() == name] if room else []
            if found:
                use(with_label(next((each for each in found if each.isVisible()), found[0])))
                return True
        return bool(self._place and make_inside(self._place)) and self._use(name, use)

    def _point(self, widget: QWidget) -> None:
        self._reveal(widget)
        beside = self.spotlight.beside
        self.spotlight.point_at(widget)
        if beside:
            self.spotlight.show_beside(beside)

    def _show_result(self, widget: QWidget) -> None:
        """Scroll a widget into view together with the highlighted one."""
        self._reveal(widget)
        self.spotlight.show_beside(widget)

    def _lock(self, widget: QWidget) -> None:
        self._reveal(widget)
        self._locks.lock(widget)


LOOK_EVERY_MS = 500
MOST_LOOKS = 20  # maximum number of searches for a control: a page may take some seconds to be created
LOOKS_BEFORE_WORDS = 2  # number of searches after which missing controls are reported
TEXT, GENERATE = "token_strip", "generate"  # widget in which a token is guessed, and command that generates the text


class Runner(QObject):
    """Runner of one lesson in one window, from :meth:`start` to ``ended``.

    Args:
        root: window that contains the card and the highlighted widgets.
        actions: commands of the window, which are locked with their controls.
        following: title of the next lesson; empty if there is none.
        offer: offer to train a model, for steps that need a trained one.
    """

    ended = Signal()
    progressed = Signal(object)
    """Emitted with a LessonRecord after each progress."""
    following_wanted = Signal()
    """Emitted when the user asks for the next lesson."""

    def __init__(
        self, lesson: Lesson, root: QMainWindow, targets: LessonTargets, actions: Actions, following: str = "",
        offer: ModelOffer | None = None,
    ) -> None:
        super().__init__(root)
        self.lesson, self.index, self._following = lesson, 0, following
        self.record = LessonRecord(steps=len(lesson.steps))
        self._before: LessonRecord | None = None  # record of the last time, while it can be continued
        self._root, self.targets = root, targets
        self._notes, self._looks = list[str](), 0
        self._aim = ""
        """Name of the highlighted control."""
        generate, hand_in = (actions.button(name, called=f"lesson_{name}") for name in (GENERATE, "hand_in"))
        self.guide = LessonCard(generate, hand_in, offer)
        self.controls = StepControls(root, actions, targets.borrowed.reveal)
        self._clock = QTimer(self, interval=LOOK_EVERY_MS)
        self._clock.timeout.connect(self._look)
        self._keys = [QShortcut(QKeySequence(keys), root) for keys in ("Alt+Left", "Alt+Right")]
        for signal, do in (
            (self.guide.back.clicked, self.back), (self.guide.next.clicked, self.next),
            (self.guide.end.clicked, self.finish), (self.guide.resume.clicked, self._resume),
            (self.guide.plan.skip.clicked, self.next), (self.guide.again.clicked, self._begin_again),
            (self.guide.following.clicked, self.following_wanted), (self.guide.question.guessed, self._guess),
            (self._keys[0].activated, self.back), (self._keys[1].activated, self.next),
        ):
            signal.connect(do)
        self._dock: LessonDock | None = LessonDock(root, self.guide)

    @property
    def step(self) -> LessonStep:
        return self.lesson.steps[self.index]

    @property
    def reached(self) -> set[int]:
        """Indices of the steps whose goals have been reached."""
        return set(self.record.goals)

    @property
    def at_end(self) -> bool:
        """True after the last step, while the summary is shown."""
        return self.index == len(self.lesson.steps)

    @property
    def is_open(self) -> bool:
        """True if the step has a goal that is not reached yet."""
        return self.step.check is not None and self.index not in self.record.goals

    @property
    def is_asking(self) -> bool:
        """True if the step has a question without an answer yet."""
        return self.step.predict is not None and self.index not in self.record.guesses

    def start(self, before: LessonRecord | None = None, resume: bool = False) -> None:
        """Start the lesson.

        Args:
            before: record of the last time. For a finished lesson, the summary is shown, with a button to begin again.
            resume: continue there immediately; otherwise offer to, and begin at the first step.
        """
        if before and before.finished:
            self.record = before
            self._show_summary()
            return
        if before and resume:
            self.record = before
        else:
            self._before = before if before and before.can_continue else None
        self.guide.show_offer(self._before)
        self.show_step(self.record.step)

    def back(self) -> None:
        if self.index > 0:
            self.show_step(self.index - 1)
            self._announce()

    def next(self) -> None:
        """Go to the next step; after the last step, to the summary; after the summary, end the lesson."""
        if self.at_end:
            self.finish()
            return
        if self.is_open:
            self._note(skipped=self.record.skipped | {self.index})
        if self.index + 1 < len(self.lesson.steps):
            self.show_step(self.index + 1)
        else:
            self._show_summary()
        self._announce()

    def show_step(self, index: int) -> None:
        self._leave_step()
        self.index = index
        self._note(step=index, furthest=max(self.record.furthest, index))
        self.guide.show_step(self.lesson, index, self.record)
        place, self._notes = None, []
        try:
            place = self.targets.go(self.step)
        except UserError as error:
            self._notes = [tr(error.args[0])]  # not str(), which would not be in the user's language
        step, note = self.targets.without_locked(self.step)
        if note:  # steps do not ask for settings that this computer locks
            self._notes.append(note)
            steps = (*self.lesson.steps[:index], step, *self.lesson.steps[index + 1:])
            self.lesson = replace(self.lesson, steps=steps)
        self.controls.begin(self.step, place)
        self._aim = ""
        self._point()
        self._search()

    def _show_summary(self) -> None:
        self._leave_step()
        self.index = len(self.lesson.steps)
        self._note(finished=True)
        self.guide.show_summary(self.lesson, self.record, self._following)

    def _begin_again(self) -> None:
        """Start again at the first step with an empty record; the saved record keeps the goals reached before."""
        self.record = LessonRecord(steps=len(self.lesson.steps))
        self.guide.plan.begin()
        self.show_step(0)
        self._announce()

    def _resume(self) -> None:
        if self._before:
            self.record = self._before
            self.show_step(self._before.step)
            self._announce()

    def _note(self, **changes: object) -> None:
        """Change fields of the record."""
        self.record = self.record.model_copy(update=changes)

    def _announce(self) -> None:
        """Report the progress in the lesson, and withdraw the offer to continue."""
        self._before = None
        self.guide.show_offer(None)
        self.progressed.emit(self.record)

    def note_run(self, name: str) -> None:
        """Record a run that was started during the lesson."""
        if name not in self.record.runs:
            self._note(runs=self.record.runs | {name})
            self.progressed.emit(self.record)

    def show_pointed(self) -> None:
        """Show the token that would be the guess, or without a text, the way to get one."""
        self.guide.question.show_pointed(self.targets.pointed(), self._asks_for_token and self.targets.lacks_text())
        if self._point():
            self._clock.start()

    @property
    def _asks_for_token(self) -> bool:
        predict = self.step.predict
        return predict is not None and bool(predict.token) and self.is_asking

    def _point(self) -> bool:
        """Highlight the control that the step names; while a token is asked for, the text, or the button that generates
        one. Return whether the control has changed."""
        text = GENERATE if self._asks_for_token and self.targets.lacks_text() else TEXT
        aim = text if self._asks_for_token else self.step.point
        changed, self._aim = aim != self._aim, aim
        if changed:
            self.controls.point_at(aim)
        return changed

    def _guess(self, guess: Guess | None) -> None:
        """Record the answer to the question; None if the user does not want to guess."""
        self._note(guesses={**self.record.guesses, self.index: None if guess is None else _plain(guess)})
        self._find_truth()
        self._point()
        self._announce()
        self._search()

    def finish(self) -> None:
        """Restore the window; does nothing if the lesson has already ended."""
        if self._dock is None:
            return
        self._leave_step()
        dock, self._dock = self._dock, None
        self._root.removeDockWidget(dock)
        for each in (dock, self.controls.spotlight, self.controls, *self._keys, self):
            each.deleteLater()
        self.ended.emit()

    def _leave_step(self) -> None:
        self._clock.stop()
        self.controls.release()

    def _search(self) -> None:
        """Search for the step's controls and check its goal, now and until nothing is missing."""
        self._looks = 0
        self._clock.start()
        self._look()

    def _look(self) -> None:
        """Search for missing controls, check the goal, and stop the clock when there is nothing to wait for."""
        self._looks += 1
        complete = self.controls.look()
        if self.check_goal():
            self.guide.progress.show_steps(self.index, self.record)
            self.controls.spotlight.show_outcome()
            self._announce()
        self._update()
        if not self.is_open and (complete or self._looks >= MOST_LOOKS):
            self._clock.stop()

    def check_goal(self) -> bool:
        """Check the goal of the step, and record it if it is reached now; return whether it is."""
        step = self.step
        if not step.check or not self.is_open:
            return False
        now = self.targets.value(step)
        if now is None or not step.check.reached(now) or self.targets.obstacle(step, self.record.runs):
            return False
        self._note(goals={**self.record.goals, self.index: _plain(now)}, skipped=self.record.skipped - {self.index})
        self._find_truth()
        return True

    def _find_truth(self) -> None:
        """Record the right answer once the goal is reached, or immediately if there is none."""
        step = self.step
        if step.predict and not self.is_open and self.index not in self.record.truths:
            written = step.predict.written
            truth = written if written is not None else self.targets.answer(step)
            if truth is not None:
                self._note(truths={**self.record.truths, self.index: _plain(truth)})

    def _update(self) -> None:
        """Show the task, the state of the goal, and missing controls."""
        asking, open_now = self.is_asking, self.is_open
        now = self.targets.value(self.step) if open_now else self.record.goals.get(self.index)
        self.guide.show_task(self.lesson, self.index, self.record)
        self.show_pointed()
        self.guide.show_check("" if asking else check_text(self.step, now, not open_now), open_now or asking)
        missing = self.controls.missing if self._looks > LOOKS_BEFORE_WORDS else []
        obstacle = self.targets.obstacle(self.step, self.record.runs) if open_now else ""
        self.guide.show_notes([*self._notes, *filter(None, [obstacle]), *(
            tr("Cannot find the control “{name}” in this window; the step continues without it.", name=name)
            for name in missing)])


def _plain(value: Guess) -> Guess:
    """Return a value or guess as it is saved in a file: numbers of any type become float."""
    return value if isinstance(value, (str, bool, PointedToken)) else float(value)


class LessonHost(QObject):
    """Host of the lesson that the controller opens."""

    def __init__(self, root: QMainWindow, state: AppState, controller: LearningController, quick: QuickTraining,
                 actions: Actions, page_of: PageOf):
        super().__init__(root)
        self._root, self._state, self._controller, self._actions = root, state, controller, actions
        self._quick = quick
        self._page_of = page_of
        self.runner: Runner | None = None
        self._waiting: ValuesBeforeLesson | None = None  # until the run in progress ends
        controller.lesson_ended.connect(self.finish)
        state.on(self._give_back_training, "run_state")
        state.on(self._show_pointed, "selection", "generating")
        state.on(self._note_run, "run", "run_state")

    def show_lesson(self, lesson: Lesson) -> None:
        targets = LessonTargets(self._state, self._page_of)
        if left := self._left():
            targets.borrowed.inherit(left)
        self._waiting = None
        following = self._controller.following
        title = read_head(following).words if following else ""
        offer = ModelOffer(
            self._state, self._quick, self._actions, lambda: self._state.model, self._state.choose_model)
        self.runner = Runner(lesson, self._root, targets, self._actions, title, offer)
        self.runner.ended.connect(self._ended)
        self.runner.progressed.connect(self._controller.note_progress)
        self.runner.progressed.connect(self._note_before)
        self.runner.following_wanted.connect(self._controller.open_following)
        self.runner.start(self._controller.record, self._controller.was_interrupted)
        self._note_before()

    def restore_left(self) -> None:
        """Restore the settings before a lesson during which the program was killed, and which does not continue."""
        if left := self._left():
            self._restore(left)

    def _left(self) -> ValuesBeforeLesson | None:
        """Return the values before an earlier lesson that have not been restored: a run still uses those of the lesson,
        or the program was killed during it."""
        if self._waiting is None and (before := self._controller.progress.before):
            self._waiting = ValuesBeforeLesson(self._state, self._page_of)
            self._waiting.read(before)
        return self._waiting

    def _note_before(self) -> None:
        borrowed = self.runner.targets.borrowed if self.runner else self._waiting
        self._controller.note_before(borrowed.settings() if borrowed else None)

    def _show_pointed(self) -> None:
        if self.runner and not self.runner.at_end:
            self.runner.show_pointed()

    def _note_run(self) -> None:
        if self.runner and (run := self.runner.targets.new_run):
            self.runner.note_run(run)

    def finish(self) -> None:
        """End the lesson, which restores the window."""
        if self.runner:
            self.runner.finish()

    def _ended(self) -> None:
        runner, self.runner = self.runner, None
        self._controller.end_lesson()
        if runner:
            self._restore(runner.targets.borrowed)

    def _restore(self, borrowed: ValuesBeforeLesson) -> None:
        self._waiting = borrowed
        borrowed.give_back()
        if self._state.running:
            self._note_before()
        self._give_back_training()

    def _give_back_training(self) -> None:
        if self._waiting and not self._state.running:
            waiting, self._waiting = self._waiting, None
            waiting.give_back_training()
            self._note_before()
