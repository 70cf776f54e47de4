"""Cards with the samples of a run, the newest on top, and at the bottom the text from before its training."""

from __future__ import annotations

from PySide6.QtWidgets import QWidget

from gptstudio.app.state import AppState
from gptstudio.gui.controllers.training import TrainingController
from gptstudio.gui.train.sample_text import Sample, SampleView
from gptstudio.gui.translation import joined, tr
from gptstudio.gui.widgets.layouts import grows, holding, vbox
from gptstudio.gui.widgets.parts import WrappedLabel, label
from gptstudio.history.copied_words import copied_words

MOST_CARDS = 50
"""Maximum number of samples of a run that have cards, the newest; all are under Samples, with all controls."""


class WritesNow(QWidget):
    """The samples of the run that is shown, as cards."""

    def __init__(self, state: AppState, controller: TrainingController) -> None:
        super().__init__()
        self._state, self._first = state, controller.first_sample
        self.text = SampleView("writes_now", as_cards=True)
        self.text.setPlaceholderText("")  # Qt would not wrap it
        self.words = WrappedLabel("writes_now_words", "muted")
        holding(self, vbox(
            label(tr("What it writes now"), "heading"), self.words, grows(self.text), spacing=4, margins=(0, 8, 0, 0)))
        controller.restarted.connect(self.show_state)
        controller.events_arrived.connect(lambda _: self.show_state())
        self._first.found.connect(self.show_state)
        state.on(self.show_state, "run", "all_controls", "text_check")
        self.show_state()

    def show_state(self) -> None:
        """Show the samples so far; nothing while all controls are shown, which have their own place for them."""
        if self._state.all_controls:
            return
        history, first = self._state.run.history, self._first.text
        copies = {each.step: each for each in history.copies_found}
        cards = [Sample(first, (), tr("Random weights, before training"))] if first else []
        before = first
        for sample in history.samples[-MOST_CARDS:]:
            found = copies.get(sample.step)
            title = tr("Epoch {n}, step {step}", n=f"{sample.epoch:,}", step=f"{sample.step + 1:,}")
            said = (tr(copied_words(found.share, found.longest)),) if found else ()
            cards.append(Sample(sample.text, found.copies if found else (), joined("  ·  ", title, *said), before))
            before = sample.text
        self.words.setText(
            tr("Words in grey were in the card before, too. What is underlined is copied from the text.") if cards
            else tr("Before training and after each epoch, the model continues a prompt here."))
        self.text.show_samples(cards[::-1])
