"""Offer to train a model on pages where a trained one would show more."""

from __future__ import annotations

from collections.abc import Callable

import shiboken6
from PySide6.QtWidgets import QWidget

from gptstudio.app.derived import quick_train_blocker
from gptstudio.app.state import AppState
from gptstudio.gui.actions import Actions
from gptstudio.gui.controllers.training import QuickTraining
from gptstudio.gui.model_names import short_name
from gptstudio.gui.translation import joined, tr
from gptstudio.gui.widgets.layouts import FREE, hbox, vbox, with_layout
from gptstudio.gui.widgets.parts import ProgressBar, label
from gptstudio.training.model_source import LiveModel, ModelSource, SavedModel, UntrainedModel


class ModelOffer(QWidget):
    """Explanation of what a trained model would show, with a button that trains one, or the reason why none can be
    trained; hidden while a trained model is chosen.

    Args:
        source: returns the model that is chosen on the page.
        choose: chooses a model on the page.
    """

    def __init__(
        self, state: AppState, quick: QuickTraining, actions: Actions, source: Callable[[], ModelSource | None],
        choose: Callable[[SavedModel], object],
    ) -> None:
        super().__init__()
        self.setObjectName("model_offer")
        self._state, self._quick, self._source, self._choose = state, quick, source, choose
        self._why = ""
        self._asked = False
        self._trained: SavedModel | None = None
        self.words = label(name="model_offer_words", wrap=True)
        self.progress = ProgressBar("model_offer_progress", tr("Steps done"))
        self.button = actions.button("quick_train")
        self.button.clicked.connect(self._ask)
        with_layout(self, vbox(self.words, self.progress, hbox(self.button, FREE), spacing=8))
        state.on(self.update_words, "run_state", "models", "model", "locked_controls", "locked_pages")
        quick.changed.connect(self.update_words)
        quick.trained.connect(self._take)
        self.hide()

    def show_reason(self, why: str) -> None:
        """Show the offer, with a message on what a trained model shows on the page; if empty, hide the offer."""
        self._why = why
        self.update_words()

    def update_words(self) -> None:
        """Update the text, the progress and the button."""
        if not shiboken6.isValid(self):  # the lesson has ended
            return
        source, run = self._source(), self._state.run
        chosen = self._trained is not None and source == self._trained
        under_way = self._state.running or self._quick.starting
        needed = source is None or isinstance(source, UntrainedModel) or (self._asked and under_way)
        changes = isinstance(source, LiveModel) and self._state.running and not self._asked
        self.setVisible(bool(self._why) and (chosen or needed or changes))
        if not self._why:
            return
        blocked = quick_train_blocker(self._state)
        offered = not any(isinstance(each, SavedModel) for each in self._state.models)
        steps = {"n": f"{run.last.step + 1 if run.last else 0:,}",
                 "all": f"{run.started.total_steps if run.started else 0:,}"}
        if changes:
            words = tr("This model is still in training (step {n} of {all}), so the same settings can give another "
                       "result each time. Wait until the training ends, or choose a saved model.", **steps)
        elif chosen and self._trained:
            words = tr("✓ The model has been trained, and it is chosen now: {name}.", name=short_name(self._trained))
        elif under_way and not (self._state.running and run.started):
            words = tr("The training begins…")
        elif under_way:
            words = tr("A model is being trained in the background: step {n} of {all}. It is chosen here when it is "
                       "ready.", **steps) if self._asked else tr(
                "A model is being trained: step {n} of {all}. When it is ready, you can choose it as the model here.",
                **steps)
        else:
            words = self._offer(offered, blocked)
        self.words.setText(words)
        self.progress.setVisible(self._state.running and not chosen)
        if run.started:
            done = run.last.step + 1 if run.last else run.started.first_step
            self.progress.show_progress(done, run.started.total_steps)
        self.button.setVisible(offered and blocked is None and not under_way and not chosen)

    def _offer(self, offered: bool, blocked: str | None) -> str:
        why, problem = tr(self._why), self._quick.problem
        if not offered:
            return joined(" ", why, tr("Choose one of your trained models."))
        if blocked:
            return joined(" ", why, tr(blocked))
        return joined(" ", *filter(None, (
            tr(problem) if self._asked and problem else "", why,
            tr("A small one can be trained in the background; your settings on Train stay as they are."))))

    def _ask(self) -> None:
        self._asked = True
        self.update_words()

    def _take(self, model: SavedModel) -> None:
        if self._asked:
            self._asked, self._trained = False, model
            self._choose(model)
            self.update_words()
