"""The question of a lesson's step, and the guess that stays beside the result."""

from __future__ import annotations

import re
from functools import partial
from itertools import pairwise

from PySide6.QtCore import Signal
from PySide6.QtWidgets import QLineEdit, QPushButton, QWidget

from gptstudio.gui.learn.lessons.telling import guess_text, token_text
from gptstudio.gui.translation import tr
from gptstudio.gui.widgets.flow import Flow
from gptstudio.gui.widgets.layouts import holding, vbox
from gptstudio.gui.widgets.parts import button, label, named, permit
from gptstudio.labs.lesson import Guess, Predict
from gptstudio.pointed_token import PointedToken

THOUSANDS = re.compile(r"-?\d{1,3}(,\d{3})+(\.\d+)?")
LARGEST = 1e15
FULL_WIDTH = {0xFF0C: ",", 0xFF05: "%"}
NUMBER_WIDTH = 9  # of the field for a number, in heights of a letter


class Question(QWidget):
    """Asks for a guess; then says what was guessed, and later what it is."""

    guessed = Signal(object)
    """Emitted with the answer, or None if the user does not want to guess."""

    def __init__(self) -> None:
        super().__init__()
        named(self, "lesson_question", tr("Question"))
        self._predict: Predict | None = None
        self._generate: QPushButton | None = None
        self._pointed: PointedToken | None = None
        self.question = label(name="lesson_question_text", wrap=True)
        self.outcome = label(name="lesson_guess", wrap=True)
        self.explanation = label(name="lesson_explanation", wrap=True)
        self.number = named(QLineEdit(), "lesson_guess_number", tr("Your guess"))
        self.number.setPlaceholderText(tr("Your guess"))
        self.number.returnPressed.connect(self._take)
        self.token = label(name="lesson_guess_token", wrap=True)
        self.guess = button(tr("Guess"), "lesson_guess_take", do=self._take)
        self.skip = button(tr("Show without guessing"), "lesson_guess_skip", role="quiet",
                           do=lambda: self.guessed.emit(None))
        self.problem = label(role="problem", name="lesson_guess_problem", wrap=True)
        self.choices: list[QPushButton] = []
        self._options = QWidget()
        self._flow = Flow(self.number, self.guess, self.skip, spacing=8)
        self._options.setLayout(self._flow)
        holding(self, vbox(self.question, self.token, self._options, self.problem, self.outcome, self.explanation,
                           spacing=8))

    def offer_text(self, generate: QPushButton) -> None:
        """Take the button that generates a text, for a question about a token of one."""
        self._generate = generate
        self._flow.addWidget(generate)
        generate.hide()

    def show_pointed(self, token: PointedToken | None, lacks_text: bool = False) -> None:
        """Show the token that would be the guess, for a question about a token. ``lacks_text``: there is none to choose
        from yet."""
        self._pointed = token
        if self._predict and self._predict.token:
            words = tr("There is no text yet. Generate one first, and then click a token in it.") if lacks_text else tr(
                "Click a token in the text, or choose one with the arrow keys.")
            permit(self.guess, "" if token else words)
            self.token.setText(tr("Chosen: {token}", token=token_text(token)) if token else words)
        self._show_generate(lacks_text)

    def _show_generate(self, lacks_text: bool) -> None:
        """Offer a text instead of the guess where there is none."""
        if self._generate:
            self._generate.setVisible(lacks_text)
            self.guess.setVisible(not lacks_text and not self.choices)

    def show_question(self, predict: Predict | None, asking: bool, guess: Guess | None, truth: Guess | None) -> None:
        """Show a question, or what was guessed and, once it is known, what is right."""
        self.setVisible(predict is not None)
        if predict is None:
            return
        if predict is not self._predict:
            self._offer(predict)
        self.question.setText(tr("First guess: {question}", question=predict.question) if asking else predict.question)
        self.question.setVisible(asking or truth is not None)  # in between, the task is what counts
        self._options.setVisible(asking)
        self.token.setVisible(asking and bool(predict.token))
        self.problem.setVisible(asking and bool(self.problem.text()))
        words = "" if asking else guess_text(predict, guess, truth)
        self.outcome.setText(words)
        self.outcome.setVisible(bool(words))
        words = predict.explanation if truth is not None and not asking else ""
        self.explanation.setText(words)
        self.explanation.setVisible(bool(words))

    def _offer(self, predict: Predict) -> None:
        """Make the answers that can be chosen."""
        self._predict = predict
        self.number.clear()
        self.problem.setText("")
        self.number.setFixedWidth(NUMBER_WIDTH * self.fontMetrics().height())
        for old in self.choices:
            self._flow.removeWidget(old)
            old.hide()
            old.deleteLater()
        self.choices = [
            button(text.replace("&", "&&"), f"lesson_choice_{number}", do=partial(self._choose, text))
            for number, text in enumerate(predict.choices, start=1)]
        self.number.setVisible(predict.number is not None)
        self.guess.setVisible(not predict.choices)
        permit(self.guess)
        for made in (*self.choices, self.skip):  # the way past the question is the last
            self._flow.removeWidget(made)
            self._flow.addWidget(made)
            made.show()
        for before, after in pairwise((self.guess, *self.choices, self.skip)):
            QWidget.setTabOrder(before, after)  # Tab goes through them as they stand

    def _choose(self, text: str, _checked: bool = False) -> None:
        self.guessed.emit(text)

    def _take(self) -> None:
        """Take the token that is chosen, or the number that was typed."""
        if self._predict and self._predict.token:
            self.guessed.emit(self._pointed)
            return
        guess = number_of(self.number.text())
        if guess is None:
            self.problem.setText(tr("Type a number, such as 0.5."))
            self.problem.show()
        else:
            self.problem.setText("")
            self.guessed.emit(guess)


def number_of(typed: str) -> float | None:
    """Return what was typed as a number: a comma groups thousands or stands for the point, % divides by 100."""
    text = typed.strip().replace("−", "-").translate(FULL_WIDTH)
    bare = text.removesuffix("%").strip()
    try:
        guess = float(bare.replace(",", "" if THOUSANDS.fullmatch(bare) else "."))
    except ValueError:
        return None
    return (guess / 100 if text.endswith("%") else guess) if abs(guess) <= LARGEST else None
