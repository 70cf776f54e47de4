"""The Generate page: a model writes, two models are compared, or a text is scored."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import Any
from unittest.mock import patch

from PySide6.QtCore import Qt
from PySide6.QtWidgets import QFileDialog, QWidget

from gptstudio.app.requests import ModelCache
from gptstudio.gpt.sampling.params import SamplingParams
from gptstudio.gui.forms.controls import SegmentedPages
from gptstudio.gui.widgets.deferred import make_inside
from gptstudio.training.model_source import LiveModel, ModelSource
from pages.page import Inside, InState, Named, Page


class GeneratePage(Page):
    """The buttons, the text, and the panes below."""

    place = "generate"
    go_button, prompt, model_box, strip = Named("generate"), Named("prompt"), Named("model"), Named("token_strip")
    compare_button, compare_models_button = Named("compare"), Named("compare_models")
    compare_temperatures_button, compare_table_button = Named("compare_temperatures"), Named("compare_table")
    score_button, score_text = Named("score"), Named("score_text")
    play_button, forward_button = Named("transport_play"), Named("transport_forward")
    draw_button, panes = Named("choices_draw"), Named("write_panes")

    running, playing, stop = Inside("running"), InState("playing"), Inside("stop")
    segments = Inside("segments")

    @property
    def view(self) -> Any:
        """The widget of the page."""
        return self.widget

    @property
    def open_pane_name(self) -> str:
        """The name of the open pane."""
        tab = self.panes.currentWidget()
        shown = tab.currentWidget() if isinstance(tab, SegmentedPages) else tab
        return next(name for name, place in self.panes.places.items() if place is shown)

    def find(self, name: str) -> Any:
        """Return a widget, also one in a view that has not been shown yet."""
        if not self.widget.findChild(QWidget, name):
            make_inside(self.widget)
        return super().find(name)

    def step(self) -> None:
        """Trigger the command that moves one token forward."""
        self.user.window.actions_of["transport_forward"].trigger()

    def play(self) -> None:
        self.user.window.actions_of["transport_play"].trigger()

    spec = InState("generate_spec")
    """The request that Generate would start."""
    source, sources = InState("model_with_seed"), InState("models")
    """The chosen model, and those that can be chosen."""
    sampling_params = InState("sampling_params")
    editors = Inside("settings.editors")
    comparing, compared = Inside("pair.running"), Inside("pair.view.alignment.columns")
    """True while two texts are being written; and the columns of their tokens."""
    text = Inside("document")
    """The text as a tree of tokens, and the displayed branch."""
    written = Inside("text")
    choose = Inside("controller.choose")
    """Select the token at a position."""
    branch = Inside("choices.candidate_chosen.emit")
    """Continue from the selected position with another token."""
    undo, redo = Inside("controller.undo"), Inside("controller.redo")
    forward, back = Inside("controller.forward"), Inside("controller.back")
    end = Inside("controller.end")
    reorder = Inside("choices.order_dragged.emit")
    """Change the order of the sampler's stages, as a drag does."""
    save_tree, open_tree = Inside("branches.save_requested.emit"), Inside("branches.open_requested.emit")

    def turn_to_view(self, number: int) -> None:
        """Click a view: 0 for one text, 1 for two compared texts, 2 for a scored text."""
        self.user.go_to("generate")
        self.user.click(self.segments.button(number))

    def export_tree(self, path: Path) -> None:
        """Save all branches to a file."""
        with patch.object(QFileDialog, "getSaveFileName", return_value=(str(path), "")):
            self.widget.branches.export_requested.emit()

    # The model.

    @property
    def live(self) -> LiveModel:
        """The model in training."""
        return next(each for each in self.sources if isinstance(each, LiveModel))

    def open_model(self, path: Path) -> None:
        """Offer a checkpoint from any folder, and choose it."""
        self.user.window.library.generate_with(path)

    def offers(self, source: ModelSource) -> bool:
        """Return whether a model can be chosen."""
        return source in self.sources

    def offer(self, models: Sequence[Any]) -> None:
        """Set the saved models that are offered."""
        self.user.window.state.saved_models = tuple(models)

    def set_params(self, params: SamplingParams) -> None:
        """Set the sampling parameters."""
        self.user.window.state.sampling_params = params

    @property
    def models_kept(self) -> dict[Any, Any]:
        """The models that are kept in memory."""
        return kept(self.user.window.generation._models)

    # The parameters.

    def param(self, name: str) -> Any:
        """Return the slider of a parameter."""
        return self.widget.stages.slider(name)

    def set_parameter(self, name: str, value: str) -> None:
        """Type a value into the number field of a parameter."""
        self.user.type(f"{name}_number", value)
        self.user.press(Qt.Key.Key_Return)

    def set(self, **settings: object) -> None:
        for name, value in settings.items():
            self.editors[name].set_value(value)

    # Writing, comparing, scoring.

    def switch_to(self, view: int) -> None:
        """Click one of the three views."""
        self.user.click(self.widget.segments.button(view))

    def go(self) -> None:
        self.user.click(self.go_button)

    def begin(self, tokens: int, prompt: str | None = None) -> None:
        """Start generating with the chosen model."""
        self.user.go_to("generate")
        if prompt is not None:
            self.prompt.setPlainText(prompt)
        self.set(max_new_tokens=tokens)
        self.go()

    def write(self, tokens: int = 5, prompt: str | None = None) -> None:
        """Generate until the end of the text."""
        self.begin(tokens, prompt)
        self.wait_ended()

    def wait_ended(self, seconds: float = 30) -> None:
        self.user.wait(lambda: not self.running, seconds)

    def wait_idle(self) -> None:
        """Wait until no request is running."""
        self.user.wait(lambda: not self.running and not self.user.busy("model"))

    def score(self, text: str) -> None:
        self.score_text.setPlainText(text)
        self.user.click(self.score_button)

    def choose_compared(self, side: int, model: ModelSource) -> None:
        self.widget.pair.sides[side].choose(model)

    def pick_compared(self, side: int, name: str) -> None:
        """Choose the last entry in a side's list of models whose text contains this name."""
        box = self.compared_boxes[side]
        index = max(i for i in range(box.count()) if name in box.itemText(i))
        assert box.model().item(index).isEnabled(), box.model().item(index).toolTip()
        box.setCurrentIndex(index)
        box.activated.emit(index)

    @property
    def compared_boxes(self) -> list[Any]:
        """The lists of models of both sides."""
        return [side.model_box for side in self.widget.pair.sides]

    # The text, and the panes below it.

    def ids(self) -> list[int]:
        """Return the ids of the tokens of the text."""
        return list(self.text.ids)

    def choices(self) -> list[Any]:
        """Return the rows of the table of choices."""
        return self.widget.choices.table.model().rows

    @property
    def choice(self) -> Any:
        """The stages of the sampler and their results, as shown in the table of choices."""
        return self.widget.choices.table.model().choice

    def pane(self, name: str) -> QWidget:
        return self.panes[name]

    def open_pane(self, name: str) -> None:
        """Open choices, branches, attention, layers, neighbours, what if or two prompts."""
        bar, wanted = self.panes.tabBar(), self.panes.places[name]
        tabs = [self.panes.widget(place) for place in range(self.panes.count())]
        place, tab = next((place, tab) for place, tab in enumerate(tabs) if tab.isAncestorOf(wanted))
        self.user.qtbot.mouseClick(bar, Qt.MouseButton.LeftButton, pos=bar.tabRect(place).center())
        if tab is not wanted:
            self.user.click(tab.segments.button(tab.indexOf(wanted)))
        assert self.open_pane_name == name

    def pane_says(self, name: str) -> str:
        return self.user.reads(f"{name}_words")


def kept(model_cache: ModelCache) -> dict[Any, Any]:
    """Return the models in memory, by request."""
    return model_cache._decoders
