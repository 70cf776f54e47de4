"""The views of the Generate page: a text, a comparison of two, and the score of a text."""

from __future__ import annotations

from collections.abc import Callable

from PySide6.QtCore import Signal
from PySide6.QtWidgets import QStackedWidget, QWidget

from gptstudio.app.state import AppState
from gptstudio.gui.controllers.generation import GenerationController
from gptstudio.gui.generate.comparison.compare_pane import ComparePane
from gptstudio.gui.generate.scoring.score import Score
from gptstudio.gui.generate.write_view import WriteView
from gptstudio.gui.widgets.deferred import Deferred


class Views(QStackedWidget):
    """Shows one at a time. Those that compare and score are made when they are first shown, or first asked for."""

    made = Signal()
    """Emitted when a view was made that was not there before."""

    def __init__(self, state: AppState, controller: GenerationController, model_in_words: Callable[[], str]) -> None:
        """``model_in_words``: returns the name of the model that reads the text to score."""
        super().__init__()
        self._state, self._controller, self._model_in_words = state, controller, model_in_words
        self._whole = False
        self.view = WriteView(state, controller)
        self._pair, self._score = Deferred(self._make_pair), Deferred(self._make_score)
        self.pages: tuple[QWidget, ...] = self.view, self._pair, self._score
        for page in self.pages:
            self.addWidget(page)
        for place in (self._pair, self._score):
            place.made.connect(self.made)

    @property
    def pair(self) -> ComparePane:
        return self._pair.widget

    @property
    def score(self) -> Score:
        return self._score.widget

    def show_state(self) -> None:
        """Show which model would read the text to score, and offer the text that was written last."""
        self._score.if_there(self._show_state)

    def show_whole(self, whole: bool) -> None:
        """Set whether the page scrolls as a whole, so that these views need not."""
        self._whole = whole
        for place in (self._pair, self._score):
            place.if_there(lambda view: view.show_whole(whole))

    def _make_pair(self) -> ComparePane:
        pair = ComparePane(self._state, self._controller)
        pair.show_whole(self._whole)
        return pair

    def _make_score(self) -> Score:
        score = Score(self._state, self._controller)
        score.show_whole(self._whole)
        self._show_state(score)
        return score

    def _show_state(self, score: Score) -> None:
        score.set_model(self._state.loadable_model, self._model_in_words())
        if not self._state.generating:
            score.offer(self.view.text())
