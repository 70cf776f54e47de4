"""The welcome: what the program is, three ways to begin, and a tour of the window."""

from __future__ import annotations

from collections.abc import Callable

from PySide6.QtCore import Qt
from PySide6.QtWidgets import QLayout, QMainWindow, QPushButton, QSizePolicy, QWidget

from gptstudio.app.state import AppState
from gptstudio.gui.actions import Actions, explain
from gptstudio.gui.controllers.learning import LearningController
from gptstudio.gui.fitting import Dialog
from gptstudio.gui.language import language
from gptstudio.gui.theme import theme
from gptstudio.gui.translation import tr
from gptstudio.gui.welcome.window_tour import WindowTour
from gptstudio.gui.widgets.layouts import FREE, hbox, holding, vbox
from gptstudio.gui.widgets.parts import button, label, named

WIDTH = 560
"""Pixels at the usual text size."""


class Welcome(Dialog):
    """Dialog that leaves the window usable; each of its buttons closes it."""

    def __init__(
        self, window: QWidget, train: Callable[[], object], take_lesson: Callable[[], object],
        open_weights: Callable[[], object], show_tour: Callable[[], object],
    ) -> None:
        super().__init__(window)
        self.setWindowTitle(tr("Welcome to GPT Studio"))
        self.setObjectName("welcome_dialog")
        self.setAttribute(Qt.WidgetAttribute.WA_DeleteOnClose)
        self.train = self._door(
            "welcome_train", tr("Train a model now"), tr("1 to 2 minutes, one click: a small GPT reads a short story, "
                                                         "and you watch its loss fall."), train)
        self.lesson = self._door(
            "welcome_lesson", tr("Take a lesson"), tr("Step by step from text to tensors, with something to try on "
                                                      "every page."), take_lesson)
        self.weights = self._door(
            "welcome_weights", tr("Open my weights"), tr("A model of your own, or GPT-2 from Hugging Face: generate "
                                                         "with it and look inside."), open_weights)
        self.tour = button(tr("Show me around (60 seconds)"), "welcome_tour", role="quiet")
        self.tour.clicked.connect(lambda: self._leave(show_tour))
        self.close_button = button(tr("Close"), "welcome_close", tr("You find this again under Help, Welcome."),
                                   "quiet", self.close)
        self._lay_out(window.width())
        theme.dress(self)
        explain(self)
        self.train.setFocus()

    def _door(self, name: str, title: str, words: str, do: Callable[[], object]) -> QPushButton:
        made = named(QPushButton(), name, title)
        made.setAutoDefault(True)
        made.setProperty("role", "door")
        made.setAccessibleDescription(words)
        inside = label(title, "heading"), label(words, "muted", wrap=True)
        for each in inside:
            each.setAttribute(Qt.WidgetAttribute.WA_TransparentForMouseEvents)
        holding(made, vbox(*inside, spacing=4, margins=(12, 8, 12, 8)))
        made.setSizePolicy(QSizePolicy.Policy.Preferred, QSizePolicy.Policy.Preferred)
        made.clicked.connect(lambda: self._leave(do))
        return made

    def _leave(self, do: Callable[[], object]) -> None:
        self.close()
        do()

    def _lay_out(self, window_width: int) -> None:
        words = label(tr(
            "GPT Studio is a small laboratory for GPT-2, the kind of model behind chatbots. You build one in any size, "
            "train it on your own computer, and watch how it chooses every token. Nothing is sent anywhere, and no "
            "network is needed."), wrap=True)
        words.setFixedWidth(min(round(WIDTH * theme.zoom), round(0.8 * window_width)))
        doors = self.train, self.lesson, self.weights
        below = hbox(self.tour, FREE, self.close_button)
        layout = vbox(
            label(tr("Welcome to GPT Studio"), "title"), words, *doors, below, spacing=12, margins=(24, 16, 24, 16))
        layout.setSizeConstraint(QLayout.SizeConstraint.SetFixedSize)
        holding(self, layout)


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
        self.welcome = Welcome(
            self._window, self._train, self._take_lesson, self._actions["open_weights"].trigger, self.show_tour)
        self.welcome.finished.connect(self._forget)
        self.welcome.show()

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
