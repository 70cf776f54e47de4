"""The Generate page: a model writes, two are compared, or a text is scored."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import Any
from unittest.mock import patch

from PySide6.QtCore import Qt
from PySide6.QtWidgets import QFileDialog, QWidget

from gptstudio.app.requests import ModelCache
from gptstudio.gpt.sampling.params import SamplingParams
from gptstudio.gui.widgets.deferred import make_inside
from gptstudio.training.model_source import LiveModel, ModelSource
from pages.page import Inside, InState, Named, Page


class GeneratePage(Page):
    """Its buttons, the text, and the panes below."""

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
        """The page itself, with a single text and all that can be done about it."""
        return self.widget

    @property
    def open_pane_name(self) -> str:
        """The name of the pane that is open."""
        return self.panes.shown

    def find(self, name: str) -> Any:
        """Also in a view that has not been shown yet."""
        if not self.widget.findChild(QWidget, name):
            make_inside(self.widget)
        return super().find(name)

    def step(self) -> None:
        """One token forward, as by its key."""
        self.user.window.actions_of["transport_forward"].trigger()

    def step_back(self) -> None:
        self.user.window.actions_of["transport_back"].trigger()

    def play(self) -> None:
        self.user.window.actions_of["transport_play"].trigger()

    spec = InState("generate_spec")
    """What Generate would ask for."""
    source, sources = InState("model_with_seed"), InState("models")
    """The chosen model, and those that can be chosen."""
    sampling_params = InState("sampling_params")
    editors = Inside("settings.editors")
    comparing, compared = Inside("pair.running"), Inside("pair.view.alignment.columns")
    """Whether two texts are written, and their tokens side by side."""
    text = Inside("document")
    """The text as a tree of tokens, and which of them is shown."""
    written = Inside("text")
    choose = Inside("controller.choose")
    """Asks about the token at a position."""
    branch = Inside("choices.candidate_chosen.emit")
    """Goes on from there with another token."""
    undo, redo = Inside("controller.undo"), Inside("controller.redo")
    forward, back = Inside("controller.forward"), Inside("controller.back")
    end = Inside("controller.end")
    reorder = Inside("choices.order_dragged.emit")
    """Drags the stages of the sampler into another order."""
    save_tree, open_tree = Inside("branches.save_requested.emit"), Inside("branches.open_requested.emit")

    def turn_to_view(self, number: int) -> None:
        """Clicks on a view: one text, two that are compared, or a text that is scored."""
        self.user.go_to("generate")
        self.user.click(self.segments.button(number))

    def export_tree(self, path: Path) -> None:
        """Saves all branches to a file."""
        with patch.object(QFileDialog, "getSaveFileName", return_value=(str(path), "")):
            self.widget.branches.export_requested.emit()

    # The model.

    @property
    def live(self) -> LiveModel:
        """The model in training."""
        return next(each for each in self.sources if isinstance(each, LiveModel))

    def open_model(self, path: Path) -> None:
        """Offers a checkpoint from anywhere, and chooses it."""
        self.user.window.library.generate_with(path)

    def offers(self, source: ModelSource) -> bool:
        """Whether a model can be chosen."""
        return source in self.sources

    def offer(self, models: Sequence[Any]) -> None:
        """These models are there."""
        self.user.window.state.saved_models = tuple(models)

    def set_params(self, params: SamplingParams) -> None:
        """Puts the sliders to these values."""
        self.user.window.state.sampling_params = params

    @property
    def models_kept(self) -> dict[Any, Any]:
        """Those in memory, for a text to go on with."""
        return kept(self.user.window.generation._models)

    def forget_models(self) -> None:
        """Lets go of them, as another model does."""
        self.user.window.tasks.run(lambda task: self.models_kept.clear(), queue="model")

    # The parameters.

    def param(self, name: str) -> Any:
        """One of them: a slider and a number."""
        return self.widget.stages.slider(name)

    def turn(self, name: str, value: str) -> None:
        """Types a value into a param's number."""
        self.user.type(f"{name}_number", value)
        self.user.press(Qt.Key.Key_Return)

    def set(self, **settings: object) -> None:
        for name, value in settings.items():
            self.editors[name].set_value(value)

    # Writing, comparing, scoring.

    def turn_to(self, view: int) -> None:
        """Another of the three views."""
        self.user.click(self.widget.segments.button(view))

    def go(self) -> None:
        self.user.click(self.go_button)

    def begin(self, tokens: int, prompt: str | None = None) -> None:
        """Lets the chosen model write."""
        self.user.go_to("generate")
        if prompt is not None:
            self.prompt.setPlainText(prompt)
        self.set(max_new_tokens=tokens)
        self.go()

    def write(self, tokens: int = 5, prompt: str | None = None) -> None:
        """The same to the end."""
        self.begin(tokens, prompt)
        self.wait_ended()

    def wait_ended(self, seconds: float = 30) -> None:
        self.user.wait(lambda: not self.running, seconds)

    def wait_idle(self) -> None:
        """Until nobody asks and nobody answers."""
        self.user.wait(lambda: not self.running and not self.user.busy("model"))

    def score(self, text: str) -> None:
        self.score_text.setPlainText(text)
        self.user.click(self.score_button)

    def choose_compared(self, side: int, model: ModelSource) -> None:
        self.widget.pair.sides[side].choose(model)

    def pick_compared(self, side: int, name: str) -> None:
        """Picks an entry in the list of a side's models, the last one with these words."""
        box = self.compared_boxes[side]
        index = max(i for i in range(box.count()) if name in box.itemText(i))
        assert box.model().item(index).isEnabled(), box.model().item(index).toolTip()
        box.setCurrentIndex(index)
        box.activated.emit(index)

    @property
    def compared_boxes(self) -> list[Any]:
        """The boxes of models of both sides."""
        return [side.model_box for side in self.widget.pair.sides]

    # The text, and the panes below it.

    def ids(self) -> list[int]:
        """Of the tokens of the text."""
        return list(self.text.ids)

    def choices(self) -> list[Any]:
        """The rows of the table of choices."""
        return self.widget.choices.table.model().rows

    @property
    def choice(self) -> Any:
        """What the table of choices is of: all stages of the sampler, and what came of them."""
        return self.widget.choices.table.model().choice

    def pane(self, name: str) -> QWidget:
        return self.panes[name]

    def open_pane(self, name: str) -> None:
        """Choices, branches, attention, layers, neighbours, what if or two prompts."""
        bar, wanted = self.panes.tabBar(), self.panes._widgets[name]
        tabs = [self.panes.widget(place) for place in range(self.panes.count())]
        place, tab = next((place, tab) for place, tab in enumerate(tabs) if tab.isAncestorOf(wanted))
        self.user.qtbot.mouseClick(bar, Qt.MouseButton.LeftButton, pos=bar.tabRect(place).center())
        if tab is not wanted:
            self.user.click(tab.segments.button(tab.indexOf(wanted)))
        assert self.panes.shown == name

    def pane_says(self, name: str) -> str:
        return self.user.reads(f"{name}_words")


def kept(model_cache: ModelCache) -> dict[Any, Any]:
    """The models in memory, by what was asked."""
    return model_cache._decoders
