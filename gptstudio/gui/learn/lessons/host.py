"""The lesson that goes on, in a window: its card, what it highlights and what it locks."""

from __future__ import annotations

from PySide6.QtCore import QObject
from PySide6.QtWidgets import QMainWindow

from gptstudio.app.state import AppState
from gptstudio.gui.actions import Actions
from gptstudio.gui.controllers.learning import LearningController
from gptstudio.gui.learn.lessons.places import LessonTargets, PageOf
from gptstudio.gui.learn.lessons.runner import Runner
from gptstudio.labs.lesson import Lesson


class LessonHost(QObject):
    """Shows the lesson that the controller opens."""

    def __init__(self, root: QMainWindow, state: AppState, controller: LearningController, actions: Actions,
                 page_of: PageOf):
        super().__init__(root)
        self._root, self._state, self._controller, self._actions = root, state, controller, actions
        self._page_of = page_of
        self.runner: Runner | None = None
        controller.lesson_ended.connect(self.finish)

    def show_lesson(self, lesson: Lesson) -> None:
        """Begin a lesson."""
        targets = LessonTargets(self._state, self._page_of)
        self.runner = Runner(lesson, self._root, targets.go, targets.value, targets.obstacle, self._actions)
        self.runner.ended.connect(self._ended)
        self.runner.start()

    def finish(self) -> None:
        """Give the window back as it was before the lesson."""
        if self.runner:
            self.runner.finish()

    def _ended(self) -> None:
        self.runner = None
        self._controller.end_lesson()
