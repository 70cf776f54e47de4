"""Values and views that a lesson changes in the window, and gives back when it ends.

What belongs to the lesson is decided by name: a field that one of its steps set or that a goal of one asked to change
has its old value again, whoever changed it last. Every other field stays as the user left it. Of views, panes and
folded panel, what the lesson showed is given back unless the user has chosen another since. The page stays.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any

import shiboken6
from PySide6.QtWidgets import QTabWidget, QWidget

from gptstudio.app.state import AppState
from gptstudio.gpt.sampling import STAGES
from gptstudio.gui.forms.fold import unfold_around
from gptstudio.gui.forms.segments import SegmentedPages
from gptstudio.gui.learn.kit import LabPage
from gptstudio.labs.lesson import LessonStep

Tabs = QTabWidget | SegmentedPages
PARAMS = (*STAGES, "order")
TRAINING = ("train_values", "texts")
MAPPINGS = {"train": "train_values", "generate": "generate_values"}
"""Fields of the state that hold the values of a place's form."""


class Borrowed:
    """Values before the lesson, of all that its steps have touched so far."""

    def __init__(self, state: AppState, page_of: Callable[[str], Any]) -> None:
        self._state, self._page_of = state, page_of
        self._values: dict[tuple[str, str], Any] = {}  # by the field of the state and the name in it
        self._pages: dict[str, Callable[[], None]] = {}
        self._model = state.model if state.model_chosen else None
        self._weights, self._config = state.weights, state.config_values
        self._borrows_config = False
        self._view = self._shown_view = state.generate_view
        self._unfolded: set[str] = set()
        self._all_controls = self._shown_controls = state.all_controls
        self._tabs: dict[Tabs, tuple[QWidget | None, QWidget]] = {}  # with what they showed, and what they show

    def follow(self, earlier: Borrowed) -> None:
        """Give back what an earlier lesson has not given back yet, too."""
        self._values |= {(of, name): value for (of, name), value in earlier._values.items() if of in TRAINING}
        if earlier._borrows_config:
            self._weights, self._config, self._borrows_config = earlier._weights, earlier._config, True

    def take(self, step: LessonStep) -> None:
        """Note what a step sets and asks to change, before it does."""
        names = {*step.settings, *([step.check.value, *step.check.when] if step.check else [])}
        if step.page:
            if names and step.page not in self._pages:
                self._pages[step.page] = _kept(self._page_of("learn").page(step.page))
        elif step.tab == "model":
            self._borrows_config = True
        elif step.tab in MAPPINGS:
            for name in names:
                self._note(step.tab, name)

    def show_page(self, name: str) -> None:
        self._state.page = name

    def show_view(self, show: Callable[[], bool]) -> bool:
        """Show a view of the Generate page; return whether it could be shown."""
        shown = show()
        self._shown_view = self._state.generate_view
        return shown

    def unfold(self) -> None:
        """Open the Model panel beside the page that is shown."""
        state = self._state
        if state.page == "train":
            self._show_controls(True)
        if state.page not in state.unfolded_pages:
            self._unfolded.add(state.page)
            state.unfolded_pages = state.unfolded_pages | {state.page}

    def reveal(self, widget: QWidget) -> None:
        """Open the panes that a widget is in, the settings among which it is, and the Model panel if it is there. On
        Train, show all controls or few, whichever has the widget."""
        train = self._page_of("train") if self._state.page == "train" else None
        if train and train.isAncestorOf(widget) and not widget.isVisibleTo(train):
            self._show_controls(not train.writes_now.isAncestorOf(widget))
        unfold_around(widget)
        at: QWidget | None = widget
        while at is not None:
            stack = at.parentWidget()
            tabs = stack.parentWidget() if stack else None
            if isinstance(tabs, Tabs) and tabs.indexOf(at) >= 0:
                self._tabs[tabs] = self._tabs.get(tabs, (tabs.currentWidget(),))[0], at
                tabs.setCurrentWidget(at)
            at = stack
        if self._page_of("model").isAncestorOf(widget):
            self.unfold()

    def _show_controls(self, full: bool) -> None:
        self._state.all_controls = self._shown_controls = full

    def fold_again(self) -> None:
        """Fold the Model panel where the lesson opened it, as a step is left."""
        self._state.unfolded_pages = self._state.unfolded_pages - self._unfolded
        self._unfolded.clear()

    def give_back(self) -> None:
        """Give back everything but the model to train and its settings."""
        state = self._state
        self.fold_again()
        if state.all_controls == self._shown_controls:
            state.all_controls = self._all_controls
        for tabs, (before, shown) in self._tabs.items():
            if shiboken6.isValid(tabs) and before and tabs.currentWidget() is shown:
                tabs.setCurrentWidget(before)
        for give_back in self._pages.values():
            give_back()
        self._put("generate_values", {**state.generate_values, **self._of("generate_values")})
        state.sampling_params = state.sampling_params.but(**self._of("sampling_params"))
        state.prompt = self._of("prompt").get("prompt", state.prompt)
        if self._model in state.models and self._model != state.model:
            state.choose_model(self._model)
        if state.generate_view == self._shown_view and not state.generating:
            state.generate_view = self._view

    def give_back_training(self) -> None:
        """Give back the model to train, its texts and its settings. Not while a run uses them."""
        state = self._state
        if self._borrows_config and (state.config_values, state.weights) != (self._config, self._weights):
            state.use_weights(self._weights)
            state.config_values = self._config
        self._put("train_values", {**state.train_values, **self._of("train_values")})
        state.texts = self._of("texts").get("texts", state.texts)

    def _note(self, tab: str, name: str) -> None:
        state = self._state
        field, key = MAPPINGS[tab], name
        if tab == "generate" and name in PARAMS:
            field = "sampling_params"
        elif name == "prompt" or name == "text":
            field = key = {"prompt": "prompt", "text": "texts"}[name]
        held = getattr(state, field)
        if field in ("prompt", "texts"):
            self._values.setdefault((field, key), held)
        elif field == "sampling_params":
            self._values.setdefault((field, key), getattr(held, key))
        elif key in held:
            self._values.setdefault((field, key), held[key])

    def _of(self, field: str) -> dict[str, Any]:
        return {name: value for (of, name), value in self._values.items() if of == field}

    def _put(self, field: str, values: Mapping[str, Any]) -> None:
        if getattr(self._state, field) != values:
            setattr(self._state, field, values)


def _kept(page: LabPage) -> Callable[[], None]:
    """Return what gives an experiment's page back as it is now: its values, its example and its model."""
    request, opened, source = page.request, page.examples.opened, page.source

    def give_back() -> None:
        page.examples.opened = opened
        if page.models and source:
            page.models.choose(source)
        page.turn(**request.shallow())

    return give_back
