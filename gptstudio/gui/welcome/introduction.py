"""Introduction to the window: the welcome, what its buttons begin, and the tour."""

from __future__ import annotations

from PySide6.QtWidgets import QMainWindow

from gptstudio import paths
from gptstudio.app.state import AppState
from gptstudio.gui.actions import Actions
from gptstudio.gui.controllers.learning import LearningController
from gptstudio.gui.language import language
from gptstudio.gui.welcome.welcome import Welcome
from gptstudio.gui.welcome.window_tour import WindowTour


class Introduction:
    """Shows the welcome or the tour, one of each at a time."""

    def __init__(self, window: QMainWindow, actions: Actions, state: AppState, learning: LearningController) -> None:
        self._window, self._actions, self._state, self._learning = window, actions, state, learning
        self._starting = False  # as soon as the text has been looked at
        self.welcome: Welcome | None = None
        self.tour: WindowTour | None = None
        state.on(self._start, "text_check")

    def show(self) -> None:
        """Show the welcome."""
        if self.welcome:
            self.welcome.raise_()
            return
        made = self.welcome = Welcome(self._window)
        made.train_requested.connect(self._train)
        made.lesson_requested.connect(self._take_lesson)
        made.weights_requested.connect(self._actions["open_weights"].trigger)
        made.tour_requested.connect(self.show_tour)
        made.finished.connect(self._forget)
        made.show()

    def show_tour(self) -> None:
        """Begin the tour of the window."""
        if not self.tour:
            self.tour = WindowTour(self._window, self._state, self._end_tour)

    def _forget(self) -> None:
        self.welcome = None

    def _end_tour(self) -> None:
        self.tour = None
        self._state.show_page("train")

    def _train(self) -> None:
        self._state.show_page("train")
        self._starting = True
        self._start()

    def _start(self) -> None:
        """Start the run once its text has been looked at; with the story that ships where the text is missing."""
        check = self._state.text_check
        if not self._starting or not check or self._state.running:
            return
        if check.instead:
            self._state.texts = check.instead
            return
        self._starting = False
        self._actions["start"].trigger()

    def _take_lesson(self) -> None:
        from gptstudio.labs.lesson import shipped

        self._learning.open_lesson(shipped(language.code)[0])


def is_first_start() -> bool:
    """Return whether no window was closed here before."""
    return not paths.session().exists()
