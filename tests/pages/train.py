"""The Train page: a text, settings, Start; and the run that came of it."""

from __future__ import annotations

from collections.abc import Callable
from types import SimpleNamespace
from typing import Any

from lessons import TINY
from PySide6.QtCore import Qt
from PySide6.QtWidgets import QWidget

from gptstudio.gui.train.train_tab import TrainTab
from gptstudio.training.model_source import SavedModel
from gptstudio.training.spec import TrainSpec
from pages.charts import ChartPage
from pages.page import Inside, Named, Page


class RunPage(Page):
    """A run as one sees it: curves, figures, samples, checkpoints."""

    progress, sample_slider, x_box = Named("progress"), Named("sample_slider"), Named("chart_x")
    show = Inside("view.apply")
    """Events of the run come."""
    started, last = Inside("view.started"), Inside("view.last")
    charts = Inside("view.charts._charts")
    """Those that were asked for."""
    point_at = Inside("view.charts.point_at")
    """Puts the cursor of all charts at a step, as a sample of it does."""
    figure = Inside("view.figures.text")
    samples = Inside("view.samples.samples")
    checkpoints = Inside("view.checkpoints.rows")
    one_step = Inside("view.examined")
    """The card that says what a single step did."""

    @property
    def widget(self) -> Any:
        return SimpleNamespace(view=self._widget)

    @property
    def loss(self) -> ChartPage:
        return ChartPage(self.widget.view.charts.loss)

    def losses(self, curve: str = "step") -> list[float]:
        """The points of a curve of the loss: step, training, validation."""
        return self.loss.y(curve)

    @property
    def sides(self) -> dict[str, Any]:
        """The charts that can be shown beside the loss."""
        return self.widget.view.charts.sides

    def side(self, name: str) -> ChartPage:
        return ChartPage(self.sides[name].chart)

    def turn_side(self, name: str) -> None:
        """Shows a chart beside the loss, or hides it."""
        self.widget.view.charts.actions_of[name].trigger()

    def choose_the_earliest_checkpoint(self) -> Any:
        """Opens the list of checkpoints, and goes to its last row; the list."""
        pane = self.widget.view.checkpoints
        self.widget.view.pane.setCurrentWidget(pane)
        pane.list.setFocus()
        self.user.press(Qt.Key.Key_End)
        return pane.list

    def figure_tip(self, name: str) -> str:
        """What a figure says when it is pointed at."""
        return self.find(f"figure_{name}").parentWidget().toolTip()

    def expect(self, spec: TrainSpec) -> None:
        """Empties the page for a run of these settings."""
        self.widget.view.begin()
        self.widget.view.show_spec(spec)


class TrainPage(RunPage):
    """The controls, above the run that is shown."""

    start_button, stop_button = Named("start"), Named("stop")
    step_button, reset_button = Named("step"), Named("reset")
    text_box, fetch_button, story_button = Named("text"), Named("fetch_verdict"), Named("use_story")
    go_on_button, go_on_slower_button = Named("go_on"), Named("go_on_slower")
    more_button, smaller_button = Named("train_more"), Named("use_smaller")

    running, paused = Inside("running"), Inside("paused")
    looked = Inside("looked")
    """Whether the text has been looked at for the settings as they are."""
    spec = Inside("spec")
    """What Start would train."""
    plan, texts = Inside("choice.plan"), Inside("choice.texts")
    text_missing = Inside("missing.isVisible")
    run = Inside("run")
    """The run that is shown."""
    forecast, costs = Inside("outlook.forecast"), Inside("outlook.costs")
    """What a run would need; what runs before it took."""
    offers_to_go_on = Inside("go_on_offer.isVisible")
    unfolded = Inside("settings.rest.isVisible")
    """Whether all settings are shown."""
    schedule, schedule_dot = Inside("settings.schedule.curve.getData"), Inside("settings.schedule._here.getData")
    """The curve of the learning rate, steps and rates; and where on it the run is."""
    editors = Inside("settings.editors")
    """The fields of the settings, by name."""
    set_all, use_text, check = Inside("settings.set_values"), Inside("use_text"), Inside("check")
    pause_from_afar, step_from_afar = Inside("pause_requested.emit"), Inside("step_requested.emit")
    """Though another page is shown."""
    calibrates = Inside("outlook._rest.isActive")

    @property
    def widget(self) -> TrainTab:
        return self._widget or self.user.window.train

    # The settings.

    def editor(self, name: str) -> Any:
        """The field of a setting, with its problem."""
        return self.editors[name]

    def setting(self, name: str) -> Any:
        """What is typed into a field."""
        return self.widget.settings.values()[name]

    def set(self, **settings: object) -> None:
        for name, value in settings.items():
            self.editors[name].set_value(value)

    def unfold_for(self, field: QWidget) -> None:
        """Shows all settings where this is one that is folded away."""
        settings = self.widget.settings
        if settings.isAncestorOf(field) and not field.isVisibleTo(settings):
            settings.unfold()

    def tick_frozen(self, *parts: str) -> None:
        """Freezes parts of the model, or lets them learn again."""
        for part in parts:
            box = self.find(f"train_freeze_{part}")
            self.widget.settings_scroll.ensureWidgetVisible(box)
            self.user.click(box)

    # The run.

    def start(self) -> None:
        self.user.click(self.start_button)

    def pause(self) -> None:
        self.start()
        self.wait_paused()

    def step(self) -> None:
        self.user.click(self.step_button)

    def go_on(self) -> None:
        self.user.click(self.go_on_button)

    def reset(self) -> None:
        self.user.click(self.reset_button)

    def stop(self) -> None:
        self.user.click(self.stop_button)
        self.wait_ended()

    def stop_from_afar(self) -> None:
        """Stops the run though another page is shown."""
        self.stop_button.click()
        self.wait_ended()

    def wait_paused(self) -> None:
        self.user.wait(lambda: self.paused)

    def wait_ended(self, seconds: float = 30) -> None:
        self.user.wait(lambda: not self.running, seconds)

    # Whole errands.

    def prepare(self, text: str = "story", **settings: object) -> None:
        """A tiny model, a text, and these settings; ready to start."""
        self.user.panel.select(TINY)
        self.set(**{"sample_tokens": 3, "precision": "fp32", **settings})
        self.use_text(text)
        self.user.wait(lambda: self.looked)

    def begin(self, **settings: object) -> None:
        """Starts a run, and waits for its first step."""
        self.prepare(**settings)
        self.start()
        self.user.wait(self.losses)

    def run_to_end(self) -> None:
        """What is set, to the end."""
        self.start()
        self.wait_ended()

    def finish(self, **settings: object) -> None:
        """With these settings, to the end, whatever that is."""
        self.prepare(**settings)
        self.run_to_end()

    def to_end(self, **settings: object) -> SavedModel:
        """The same, where a model comes of it."""
        self.finish(**settings)
        source = self.user.generate.source()
        assert isinstance(source, SavedModel)
        return source

    # What comes from elsewhere.

    def hear(self, *answers: Any) -> None:
        """Answers about texts come."""
        self.widget.apply(list(answers))

    def calibrate_soon(self, asked: Callable[..., None] = lambda *what: None) -> None:
        """What waits for a rest of some seconds waits for a moment only; ``asked`` hears of it."""
        self.widget.outlook._rest.setInterval(50)
        self.widget.outlook.calibrate_requested.connect(asked)

