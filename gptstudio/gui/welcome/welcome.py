"""The welcome: what the program is, three ways to begin, and a tour of the window."""

from __future__ import annotations

from PySide6.QtCore import Qt, Signal, SignalInstance
from PySide6.QtWidgets import QLayout, QPushButton, QSizePolicy, QWidget

from gptstudio.gui.actions import explain
from gptstudio.gui.fitting import Dialog
from gptstudio.gui.theme import theme
from gptstudio.gui.translation import tr
from gptstudio.gui.widgets.layouts import FREE, hbox, holding, vbox
from gptstudio.gui.widgets.parts import button, label, named

WIDTH = 560
"""Pixels at the usual text size."""


class Welcome(Dialog):
    """Dialog that leaves the window usable; each of its buttons closes it."""

    train_requested = Signal()
    lesson_requested = Signal()
    weights_requested = Signal()
    tour_requested = Signal()

    def __init__(self, window: QWidget) -> None:
        super().__init__(window)
        self.setWindowTitle(tr("Welcome to GPT Studio"))
        self.setObjectName("welcome_dialog")
        self.setAttribute(Qt.WidgetAttribute.WA_DeleteOnClose)
        self.train = self._door(
            "welcome_train", tr("Train a model now"), tr("1 to 2 minutes, one click: a small GPT reads a short story, "
                                                         "and you watch its loss fall."), self.train_requested)
        self.lesson = self._door(
            "welcome_lesson", tr("Take a lesson"), tr("Step by step from text to tensors, with something to try on "
                                                      "every page."), self.lesson_requested)
        self.weights = self._door(
            "welcome_weights", tr("Open my weights"), tr("A model of your own, or GPT-2 from Hugging Face: generate "
                                                         "with it and look inside."), self.weights_requested)
        self.tour = button(tr("Show me around (60 seconds)"), "welcome_tour", role="quiet")
        self.tour.clicked.connect(lambda: self._leave(self.tour_requested))
        self.close_button = button(tr("Close"), "welcome_close", tr("You find this again under Help, Welcome."),
                                   "quiet", self.close)
        self._lay_out(window.width())
        theme.dress(self)
        explain(self)
        self.train.setFocus()

    def _door(self, name: str, title: str, words: str, requested: SignalInstance) -> QPushButton:
        made = named(QPushButton(), name, title)
        made.setAutoDefault(True)
        made.setProperty("role", "door")
        made.setAccessibleDescription(words)
        inside = label(title, "heading"), label(words, "muted", wrap=True)
        for each in inside:
            each.setAttribute(Qt.WidgetAttribute.WA_TransparentForMouseEvents)
        holding(made, vbox(*inside, spacing=2, margins=(14, 10, 14, 10)))
        made.setSizePolicy(QSizePolicy.Policy.Preferred, QSizePolicy.Policy.Preferred)
        made.clicked.connect(lambda: self._leave(requested))
        return made

    def _leave(self, requested: SignalInstance) -> None:
        self.close()
        requested.emit()

    def _lay_out(self, window_width: int) -> None:
        words = label(tr(
            "GPT Studio is a small laboratory for GPT-2, the kind of model behind chatbots. You build one in any size, "
            "train it on your own computer, and watch how it chooses every token. Nothing is sent anywhere, and no "
            "network is needed."), wrap=True)
        words.setFixedWidth(min(round(WIDTH * theme.zoom), round(0.8 * window_width)))
        doors = self.train, self.lesson, self.weights
        below = hbox(self.tour, FREE, self.close_button)
        layout = vbox(
            label(tr("Welcome to GPT Studio"), "title"), words, *doors, below, spacing=12, margins=(24, 20, 24, 16))
        layout.setSizeConstraint(QLayout.SizeConstraint.SetFixedSize)
        holding(self, layout)
