"""The open lesson of a window."""

from __future__ import annotations

from PySide6.QtCore import QObject
from PySide6.QtWidgets import QMainWindow

from gptstudio.app.state import AppState
from gptstudio.gui.actions import Actions
from gptstudio.gui.controllers.learning import LearningController
from gptstudio.gui.controllers.training import QuickTraining
from gptstudio.gui.learn.contents import read_head
from gptstudio.gui.learn.kit.model_offer import ModelOffer
from gptstudio.gui.learn.lessons.runner import Runner
from gptstudio.gui.learn.lessons.targets import LessonTargets, PageOf, ValuesBeforeLesson
from gptstudio.labs.lesson import Lesson


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
        if self._waiting:
            targets.borrowed.inherit(self._waiting)
            self._waiting = None
        elif before := self._controller.progress.before:  # the program was killed during a lesson
            targets.borrowed.inherit_settings(before)
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
        if before := self._controller.progress.before:
            borrowed = ValuesBeforeLesson(self._state, self._page_of)
            borrowed.inherit_settings(before)
            self._restore(borrowed)

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
        self._note_before()
        self._give_back_training()

    def _give_back_training(self) -> None:
        if self._waiting and not self._state.running:
            waiting, self._waiting = self._waiting, None
            waiting.give_back_training()
            self._note_before()
