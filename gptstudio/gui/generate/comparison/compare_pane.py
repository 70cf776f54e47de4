"""Compare two: one prompt, two models or two settings of one, and where what they write parts."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from PySide6.QtGui import QShowEvent
from PySide6.QtWidgets import QWidget

from gptstudio.app.requests import Compare, Write
from gptstudio.app.state import AppState
from gptstudio.errors import UserError, text_of
from gptstudio.gpt.sampling.params import SamplingParams
from gptstudio.gui.controllers.generation import GenerationController
from gptstudio.gui.controllers.training_text import READING
from gptstudio.gui.generate.comparison.compare_view import CompareView
from gptstudio.gui.generate.comparison.side_card import TABLE, SideCard, model_names, params_text
from gptstudio.gui.generate.comparison.table_offers import TableOffers
from gptstudio.gui.translation import joined, tr
from gptstudio.gui.widgets.flow import Flow
from gptstudio.gui.widgets.layouts import grows, holding, vbox
from gptstudio.gui.widgets.parts import button, permit, scrolling
from gptstudio.gui.widgets.reflow import Frugal
from gptstudio.gui.widgets.tall import Tall
from gptstudio.inference.spec import GenerateSpec
from gptstudio.training.events import Event
from gptstudio.training.model_source import ModelSource, TextTable, UntrainedModel

LOW_TEMPERATURE, HIGH_TEMPERATURE = 0.7, 1.4
"""Temperatures to begin with: one surer than the model, one bolder."""


class ComparePane(QWidget):
    """Comparison of two texts, generated at the same time and shown position by position.

    Prompt, seed, length and device are the page's; model and sampling parameters are chosen here, for each side.
    """

    def __init__(self, state: AppState, controller: GenerationController) -> None:
        super().__init__()
        self._state, self._controller = state, controller
        self._sources: tuple[ModelSource, ...] = ()
        self._common: GenerateSpec | None = None
        self._tables = TableOffers(controller, self)
        self._tables.changed.connect(self._show_tables)
        self._make_parts()
        self._lay_out()
        for show, names in (
            (self._show_sources, ("models", "more_models")), (self._show_common, ("generate_spec",)),
            (self._show_state, ("generating",)),
        ):
            state.on(show, *names)
            show()

    @property
    def running(self) -> bool:
        return bool(self._state.generating == "compare")

    def _show_sources(self) -> None:
        """Offer the models; the user's choice is kept. The default is untrained against trained."""
        sources = (*self._state.models, *self._state.more_models)
        if sources == self._sources:
            return
        self._sources = sources
        for card, by_itself in zip(self.sides, (self._untrained(), self._trained()), strict=True):
            card.set_sources(sources)
            if not card.by_hand:
                card.choose(by_itself)
        self._check_tables()

    def showEvent(self, event: QShowEvent) -> None:
        super().showEvent(event)
        if not event.spontaneous():
            self._check_tables()

    def _check_tables(self) -> None:
        """Offer the tables, also those whose text was not there before."""
        self._tables.forget_failures()
        self._show_tables()

    def _show_tables(self) -> None:
        """Offer each side the table of the other's training text."""
        for card, other in zip(self.sides, reversed(self.sides), strict=True):
            card.set_table(*self._table_of(other.source()))
        self._show_state()

    def _table_of(self, source: ModelSource | None) -> tuple[TextTable | None, str]:
        """Return the table of a model's training text, or why there is none; no text is read before the pane is
        shown."""
        return self._tables.of(source) if self.isVisible() else (None, READING)

    def _show_common(self) -> None:
        """Take the settings of both sides; None if invalid. Sides not changed by hand take the sampling parameters."""
        self._common = spec = self._state.generate_spec
        for card in self.sides:
            if spec and not card.by_hand:
                card.set_params(spec.sampling_params)
        self._show_state()

    def _take(self, items: Sequence[tuple[int, Event]]) -> None:
        self._show_state()
        self.view.take(items)

    def show_whole(self, whole: bool) -> None:
        """Set whether the page scrolls as a whole, so that this view need not."""
        self._scroll.show_whole(whole)

    def _pressed(self) -> None:
        if self.running:
            self._controller.stop()
        else:
            self._begin()

    def _begin(self) -> None:
        for card in self.sides:
            card.stack.settle()
        try:
            left, right = (self._write(card) for card in self.sides)
            tokenizers = left.model.tokenizer, right.model.tokenizer
        except UserError as error:
            self.view.notice.setText(tr(text_of(error)))
            return
        request = Compare(left, right)
        self.view.begin(_titles(request), tokenizers)
        self._controller.compare(request, self._take)

    def _write(self, card: SideCard) -> Write:
        common, source = self._common, card.source()
        if common is None or source is None:
            raise RuntimeError("the button is off without settings and without a model")
        if isinstance(source, UntrainedModel):
            source = UntrainedModel(source.config, common.seed)
        return Write(common.but(samples=1, **card.sampling_params().shallow()), source)

    def _compare_temperatures(self) -> None:
        """The same model on both sides, the one that has learned if there is one."""
        model = self._trained() or self._untrained()
        self._set_up((model, {"temperature": LOW_TEMPERATURE}), (model, {"temperature": HIGH_TEMPERATURE}))

    def _compare_table(self) -> None:
        """A model that has learned, and the table of its training text."""
        model = self._trained()
        self._set_up((model, {}), (self._table_of(model)[0], {}))

    def compare_models(self, left: ModelSource, right: ModelSource) -> None:
        """Compare two models with the sampling parameters of the page, if anything can be generated now."""
        self._set_up((left, {}), (right, {}))

    def _set_up(self, *wanted: tuple[ModelSource | None, dict[str, Any]]) -> None:
        sampling_params = self._common.sampling_params if self._common else SamplingParams()
        for card, (source, changes) in zip(self.sides, wanted, strict=True):
            card.choose(source)
            card.set_params(sampling_params.but(**changes))
            card.by_hand = True
        self._show_tables()
        if self._common and not self.running:
            self._begin()

    def _untrained(self) -> ModelSource | None:
        return next((each for each in self._sources if isinstance(each, UntrainedModel)), None)

    def _trained(self) -> ModelSource | None:
        return next((each for each in self._sources if not isinstance(each, UntrainedModel)), None)

    def _show_state(self) -> None:
        self.go.setText(tr("Stop") if self.running else tr("Compare"))
        self.go.setAccessibleName(self.go.text())
        reason = ""
        if not self._sources:
            reason = tr("No model yet: see the Model panel.")
        elif missing_table := next(filter(None, (self._missing_table(side) for side in (0, 1))), ""):
            reason = missing_table
        elif not self._common:
            reason = tr("One of the settings is invalid. Correct it first.")
        permit(self.go, "" if self.running else reason, tr("Ctrl+Enter or Space"))
        busy = tr("The models are generating. Stop them first.") if self.running else ""
        untrained, trained = self._untrained(), self._trained()
        first = tr("Train a model first to have two to compare.")
        missing, no_table = "" if untrained and trained else first, tr(self._table_of(trained)[1]) if trained else first
        for made, without, does in (
            (self.models, missing, tr("The same prompt and seed, before training and after it")),
            (self.table, no_table, tr(
                "The same prompt and seed: a model, and a table that only looks up what followed two tokens in its "
                "training text")),
            (self.temperatures, "", tr("The same model and seed: close to its first choice, and more varied")),
        ):
            permit(made, reason or without or busy, does)

    def _missing_table(self, side: int) -> str:
        """Return the reason why the table that a side has is not available; empty if it is, or if the side has a
        model."""
        if not self.sides[side].is_table:
            return ""
        table, why_not = self._table_of(self.sides[1 - side].source())
        return "" if table else joined(": ", tr(TABLE), tr(why_not))

    def _make_parts(self) -> None:
        self.sides = (SideCard(0), SideCard(1))
        self.models = button(tr("Untrained vs. trained"), "compare_models", do=lambda: self._set_up(
            (self._untrained(), {}), (self._trained(), {})))
        self.table = button(tr("Trained vs. table of 3-grams"), "compare_table", do=self._compare_table)
        words = tr("Temperature {cool} vs. {warm}", cool=LOW_TEMPERATURE, warm=HIGH_TEMPERATURE)
        self.temperatures = button(words, "compare_temperatures", do=self._compare_temperatures)
        self.sampling_params = button(tr("Sampling settings"), "compare_dials", tr(
            "Shows or hides the sampling settings of both sides"))
        self.sampling_params.setCheckable(True)
        for each in self.sides:
            self.sampling_params.toggled.connect(each.unfold)
            each.changed.connect(self._show_tables)
        self.go = button(tr("Compare"), "compare", role="primary", do=self._pressed)
        self.view = CompareView()

    def _lay_out(self) -> None:
        self._scroll = scrolling(holding(Tall(), vbox(
            Flow(self.models, self.table, self.temperatures, self.sampling_params, self.go),
            Frugal(*self.sides, stretch=self.sides, spacing=8), grows(self.view), spacing=8,
        )), "pair_scroll", reached=False)
        holding(self, vbox(self._scroll))


def _titles(request: Compare) -> tuple[str, str]:
    """Return titles that distinguish the sides: the models if they differ, the sampling parameters if these do."""
    sides = (request.left, request.right)
    models = model_names([each.source for each in sides]) if request.left.source != request.right.source else ["", ""]
    sampling_params = [params_text(each.spec.sampling_params) for each in sides]
    if models[0] == models[1]:
        left, right = sampling_params
    elif sampling_params[0] == sampling_params[1]:
        left, right = models
    else:
        left, right = (joined(", ", model, words) for model, words in zip(models, sampling_params, strict=True))
    return left, right
