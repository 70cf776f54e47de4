"""Welcome dialog, with a description of the program and three ways to begin, and a tour in five callouts."""

from __future__ import annotations

from collections.abc import Callable
from typing import NamedTuple

from PySide6.QtCore import QEvent, QObject, QPoint, QRect, QSize, Qt
from PySide6.QtGui import QCloseEvent, QKeyEvent
from PySide6.QtWidgets import QFrame, QLayout, QMainWindow, QPushButton, QSizePolicy, QWidget

from gptstudio.app.state import AppState
from gptstudio.gui.actions import Actions
from gptstudio.gui.appearance import Dialog
from gptstudio.gui.canvas.spotlight import Spotlight
from gptstudio.gui.controllers.learning import LearningController
from gptstudio.gui.language import language
from gptstudio.gui.theme import theme
from gptstudio.gui.translation import tr
from gptstudio.gui.widgets.layouts import FREE, hbox, vbox, with_layout
from gptstudio.gui.widgets.parts import button, label, named, set_blocker
from gptstudio.i18n import message

CARD_WIDTH, GAP, SLACK = 340, 18, 4
"""Pixels: width of a callout at the usual text size, gap to its widget, and space for its last line."""


class Stop(NamedTuple):
    """Stop of the tour: page, name of a widget on it, and title and text of the callout, as messages."""

    page: str
    widget: str
    title: str
    words: str


STOPS = (
    Stop("train", "model_dock", message("Build"), message(
        "Choose a size, or change any number. Parameters and memory are counted while you type; nothing is built "
        "before you start.")),
    Stop("train", "start", message("Train"), message(
        "One click trains the model. Pause after any step, take single steps, stop and continue: nothing is lost.")),
    Stop("train", "loss_plot", message("Watch the loss"), message(
        "The loss says how surprised the model is by the next token. It starts at random guessing and falls while the "
        "model learns. Underlined words explain themselves: point at one, or click it.")),
    Stop("generate", "generate_side", message("Generate"), message(
        "Any model continues your prompt, also while it is still training. Click a token to see the probability of "
        "every other token that could have come.")),
    Stop("learn", "lab_list", message("Learn"), message(
        "Twenty-one experiments and five lessons explain what happens inside. F1 opens the manual at the control that "
        "has the focus; Ctrl+K finds any command.")),
)


class WindowTour(QFrame):
    """Callout over the window. Enter continues, Escape ends the tour."""

    def __init__(self, window: QMainWindow, state: AppState, left: Callable[[], None]) -> None:
        """``left``: is called when the tour is over."""
        super().__init__(window)
        self.setObjectName("window_tour")
        self.setProperty("card", True)
        self.setAttribute(Qt.WidgetAttribute.WA_DeleteOnClose)
        self.setFocusPolicy(Qt.FocusPolicy.StrongFocus)
        self._window, self._state, self._left, self._place = window, state, left, 0
        self.ring = Spotlight(window)
        self.title, self.words = label(role="heading", name="tour_title"), label(name="tour_words", wrap=True)
        self.count = label(role="muted", name="tour_count")
        self.back = button(tr("Back"), "tour_back", do=lambda: self._go(-1))
        self.next = button(tr("Next"), "tour_next", do=lambda: self._go(1))
        self.skip = button(tr("End the tour"), "tour_end", "Esc", "quiet", self.close)
        row = hbox(self.count, FREE, self.skip, self.back, self.next)
        with_layout(self, vbox(self.title, self.words, row, spacing=8, margins=(16, 12, 16, 12)))
        theme.dress(self)
        window.installEventFilter(self)
        self._show_stop()

    def keyPressEvent(self, event: QKeyEvent) -> None:
        if event.key() == Qt.Key.Key_Escape:
            self.close()
        else:
            super().keyPressEvent(event)

    def eventFilter(self, watched: QObject, event: QEvent) -> bool:
        if watched is self._window and event.type() == QEvent.Type.Resize:
            self._put()
        return super().eventFilter(watched, event)

    def closeEvent(self, event: QCloseEvent) -> None:
        event.accept()
        self.ring.point_at(None)
        self.ring.deleteLater()
        self._left()

    def _go(self, by: int) -> None:
        self._place += by
        if self._place == len(STOPS):
            self.close()
        else:
            self._show_stop()

    def _show_stop(self) -> None:
        stop = STOPS[self._place]
        self._state.show_page(stop.page)
        self.title.setText(tr(stop.title))
        self.words.setText(tr(stop.words))
        self.count.setText(tr("{n} of {all}", n=self._place + 1, all=len(STOPS)))
        set_blocker(self.back, "" if self._place > 0 else tr("This is the first callout."))
        self.next.setText(tr("Done") if self._place == len(STOPS) - 1 else tr("Next"))
        self.ring.point_at(self._target())
        self._put()
        self.show()
        self.raise_()
        self.next.setFocus()

    def _target(self) -> QWidget | None:
        return self._window.findChild(QWidget, STOPS[self._place].widget)

    def _put(self) -> None:
        """Place the callout next to its target, where it covers the least of it."""
        inside, target = self._window.rect().adjusted(8, 8, -8, -8), self._target()
        width = min(round(CARD_WIDTH * theme.zoom), inside.width())
        layout = self.layout()
        size = QSize(width, layout.heightForWidth(width) + SLACK if layout else 0)
        around = QRect(target.mapTo(self._window, QPoint()), target.size()) if target else QRect(inside.center(), size)
        places = [QRect(corner, size) for corner in (
            QPoint(around.left(), around.bottom() + GAP), QPoint(around.right() + GAP, around.top()),
            QPoint(around.left() - GAP - width, around.top()),
            QPoint(around.left(), around.top() - GAP - size.height()),
            around.center() - QPoint(width // 2, size.height() // 2),
        )]
        best = next((place for place in places if inside.contains(place)), places[-1])
        left = max(inside.left(), min(best.left(), inside.right() - width))
        top = max(inside.top(), min(best.top(), inside.bottom() - size.height()))
        self.setGeometry(QRect(QPoint(left, top), size))


WIDTH = 560
"""Width in pixels at the usual text size."""


class Welcome(Dialog):
    """Welcome dialog, which is not modal; each of its buttons closes it."""

    def __init__(
        self, window: QWidget, train: Callable[[], object], take_lesson: Callable[[], object],
        open_weights: Callable[[], object], show_tour: Callable[[], object],
    ) -> None:
        super().__init__(window, "welcome_dialog", tr("Welcome to GPT Studio"), once=True)
        self.train = self._door(
            "welcome_train", tr("Train a model now"), tr("About a minute, one click: a small GPT reads a short story, "
                                                         "and you watch its loss fall."), train)
        self.lesson = self._door(
            "welcome_lesson", tr("Take a lesson"), tr("Step by step from text to tensors, with something to try on "
                                                      "every page."), take_lesson)
        self.weights = self._door(
            "welcome_weights", tr("Open my weights"), tr("A model of your own, or GPT-2 from Hugging Face: generate "
                                                         "with it and look inside."), open_weights)
        self.tour = button(tr("Show me around (60 seconds)"), "welcome_tour", role="quiet",
                           do=lambda: self._leave(show_tour))
        self.close_button = button(tr("Close"), "welcome_close", tr("You find this again under Help, Welcome."),
                                   "quiet", self.close)
        self._lay_out(window.width())
        self.train.setFocus()

    def _door(self, name: str, title: str, words: str, do: Callable[[], object]) -> QPushButton:
        made = named(QPushButton(), name, title)
        made.setAutoDefault(True)
        made.setProperty("role", "door")
        made.setAccessibleDescription(words)
        inside = label(title, "heading"), label(words, "muted", wrap=True)
        for each in inside:
            each.setAttribute(Qt.WidgetAttribute.WA_TransparentForMouseEvents)
        with_layout(made, vbox(*inside, spacing=4, margins=(12, 8, 12, 8)))
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
        self.assemble(layout)


class Introduction:
    """Controller of the welcome and the tour, one of each at a time."""

    def __init__(self, window: QMainWindow, actions: Actions, state: AppState, learning: LearningController) -> None:
        self._window, self._actions, self._state, self._learning = window, actions, state, learning
        self._starting = False  # whether to start a run as soon as the text has been read
        self.welcome: Welcome | None = None
        self.tour: WindowTour | None = None
        state.on(self._start, "text_check")

    def show(self) -> None:
        if self.welcome:
            self.welcome.raise_()
            return
        self.welcome = Welcome(
            self._window, self._train, self._take_lesson, self._actions["open_weights"].trigger, self.show_tour)
        self.welcome.finished.connect(self._forget)
        self.welcome.show()

    def show_tour(self) -> None:
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
        """Start the run once its text has been read; if the text is missing, use the included story."""
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
