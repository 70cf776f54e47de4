"""The Train page: a text, settings, Start; and the run that came of it."""

from __future__ import annotations

from collections.abc import Callable
from types import SimpleNamespace
from typing import Any

from lessons import tiny_config
from PySide6.QtCore import Qt
from PySide6.QtWidgets import QWidget

from gptstudio.app.derived import continuation_at_hand
from gptstudio.app.shown_run import ShownRun
from gptstudio.app.state import AppState, TextCheck, form_values
from gptstudio.app.tasks import TaskRunner
from gptstudio.gui.actions import Actions
from gptstudio.gui.controllers.library import LibraryController
from gptstudio.gui.controllers.training import TrainingController
from gptstudio.gui.train.run_view import RunView
from gptstudio.gui.train.train_tab import TrainTab
from gptstudio.training.model_source import SavedModel
from gptstudio.training.spec import TrainSpec
from pages.charts import ChartPage
from pages.page import Inside, InState, Named, Page


class RunPage(Page):
    """A run as one sees it: curves, figures, samples, checkpoints."""

    progress, sample_slider, x_box = Named("progress"), Named("sample_slider"), Named("chart_x")
    started, last = InState("run.started"), InState("run.last")
    charts = Inside("view.charts._charts")
    """Those that were asked for."""
    point_at = Inside("view.charts.point_at")
    """Puts the cursor of all charts at a step, as a sample of it does."""
    samples = Inside("view.samples.samples")
    checkpoints = Inside("view.checkpoints.rows")
    one_step = Inside("view.examined")
    """The card that says what a single step did."""

    @property
    def widget(self) -> Any:
        return SimpleNamespace(view=self._widget)

    def show(self, events: list[Any]) -> None:
        """Events of the run come."""
        self.widget.view._controller.take(events)

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

    probes = Inside("view.probes")
    """The pane of the probe prompts."""

    def open_probes(self) -> Any:
        """Clicks on the tab of the probe prompts; the pane."""
        self.open_pane("Probe prompts")
        return self.probes

    def open_pane(self, name: str) -> None:
        """Clicks on a tab below the curves."""
        bar = self.find("run_pane").tabBar()
        place = next(i for i in range(bar.count()) if bar.tabText(i) == name)
        self.user.qtbot.mouseClick(bar, Qt.MouseButton.LeftButton, pos=bar.tabRect(place).center())

    def figure(self, name: str) -> str:
        """What a figure reads."""
        return self.find(f"figure_{name}").text()

    def figure_tip(self, name: str) -> str:
        """What a figure says when it is pointed at."""
        return self.find(f"figure_{name}").parentWidget().toolTip()

    def expect(self, spec: TrainSpec) -> None:
        """Empties the page for a run of these settings."""
        self.user.window.state.run = ShownRun(spec)
        self.user.window.training.restarted.emit()


class HealthPage(Page):
    """The tab "Health" below the curves."""

    place = "train.view.health"
    heat_map, quantity, way = Named("health_map"), Named("health_quantity"), Inside("way")

    def open(self) -> None:
        """Shows the tab."""
        pane = self.user.window.train.view.pane
        pane.setCurrentWidget(self.widget)
        self.user.wait(self.widget.isVisible)

    def show_map(self, quantity: str = "update_ratio") -> None:
        """Turns to the heat map of a quantity."""
        self.user.click(self.way.button(1))
        self.quantity.setCurrentIndex(self.quantity.findData(quantity))

    def chart(self, quantity: str) -> Any:
        """Open the chart of a quantity, unless it is open, and return it."""
        chart = self.find(f"health_chart_{quantity}")
        if not chart.isVisible():
            self.user.click(self.find(f"health_open_{quantity}"))
        return chart

    def shape(self, quantity: str) -> tuple[int, int]:
        """Numbers of layers and of evaluations in the chart of a quantity."""
        curves = self.chart(quantity).curves
        return len(curves.lines), len(curves.x)

    def reading(self, quantity: str) -> str:
        """The sentence above a chart."""
        return self.reads(f"health_reading_{quantity}")


class TrainPage(RunPage):
    """The controls, above the run that is shown."""

    start_button, stop_button = Named("start"), Named("stop")
    step_button, reset_button = Named("step"), Named("reset")
    text_box, fetch_button, story_button = Named("text"), Named("fetch_verdict"), Named("use_story")
    go_on_button, go_on_slower_button = Named("go_on"), Named("go_on_slower")
    more_button, smaller_button = Named("train_more"), Named("use_smaller")

    running, paused = InState("running"), InState("paused")
    spec = InState("spec")
    """What Start would train."""
    texts = InState("texts")
    text_missing = Inside("text_plan.missing.isVisible")
    run = InState("run.folder")
    """The run that is shown."""
    forecast, costs = InState("forecast"), InState("costs")
    """What a run would need; what runs before it took."""

    def offers_to_go_on(self) -> bool:
        """Whether a run can be continued: by the large button, or as a message offers."""
        return continuation_at_hand(self.state) is not None or self.widget.continuation.isVisible()

    unfolded = Inside("settings.rest.isVisible")
    """Whether all settings are shown."""
    schedule_curve = Inside("settings.schedule.plot.curves")
    """The learning rate over the run: steps, rates, and the place of the run."""
    """The curve of the learning rate, steps and rates; and where on it the run is."""
    editors = Inside("settings.editors")
    """The fields of the settings, by name."""
    calibrates = Inside("_controller.forecast.rest.isActive")

    @property
    def health(self) -> HealthPage:
        return HealthPage(self.user)

    @property
    def looked(self) -> bool:
        """Whether the text has been looked at for the settings as they are."""
        return self.state.text_check is not None

    @property
    def plan(self) -> Any:
        check = self.state.text_check
        return check.plan if check else None

    def loss_lines(self) -> list[str]:
        """The words of the level lines on the chart of the losses."""
        return [line.text for line in self.widget.view.charts.loss.lines.references]

    def use_text(self, *texts: str) -> None:
        self.user.window.state.texts = texts

    def set_all(self, spec: TrainSpec) -> None:
        """Puts all settings of a run into their fields."""
        self.user.window.state.train_values = form_values(spec)

    def check(self) -> None:
        """Looks at the text again."""
        self.user.window.training.text_check.check_soon()

    def pause_from_afar(self, pause: bool = True) -> None:
        """Though another page is shown."""
        training = self.user.window.training
        training.pause() if pause else training.control.resume()

    def step_from_afar(self) -> None:
        """Though another page is shown."""
        self.user.window.training.step()

    @property
    def widget(self) -> TrainTab:
        window = self.user.window
        if not self._widget and "train" not in vars(window):
            window.tabs.make("train")  # in its tab, where a test reads a page that is not shown
        return self._widget or window.train

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
        """Continues the run that has stopped: with the large button, or as a message offers where that would start."""
        large = continuation_at_hand(self.state) is not None
        self.user.click(self.start_button if large else self.go_on_button)

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
        self.user.go_to("train")
        self.user.panel.select(tiny_config())
        self.set(**{"sample_tokens": 3, "eval_iter": 1, "precision": "fp32", **settings})
        self.use_text(text)
        self.user.wait(lambda: self.looked)

    def begin(self, **settings: object) -> None:
        """Starts a run, and waits for its first step."""
        self.prepare(**settings)
        self.start()
        self.user.wait(self.losses)

    def step_times(self, times: int, **settings: object) -> None:
        """Prepares a run, takes these steps of it and no more, and stays paused: sooner done than many steps of which
        some are over before it is stopped."""
        self.prepare(**settings)
        for taken in range(1, times + 1):
            self.step()
            self.user.wait(lambda taken=taken: self.paused and len(self.losses()) == taken)

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
        source = self.user.generate.source
        assert isinstance(source, SavedModel)
        return source

    # What comes from elsewhere.

    def take(self, *events: Any) -> None:
        """Events of this window's run come."""
        self.user.window.training.take(list(events))

    def hear(self, check: TextCheck) -> None:
        """What is known of a text comes."""
        self.state.text_check = check

    def calibrate_soon(self, asked: Callable[..., None] = lambda *what: None) -> None:
        """What waits for a rest of some seconds waits for a moment only; ``asked`` hears of it."""
        rest = self.user.window.training.forecast.rest
        rest.setInterval(50)
        rest.timeout.connect(asked)


def apart(kind: type[TrainTab | RunView], *runs: list[Any]) -> Any:
    """The page, or a part of it, with a state of its own, to which the events of these runs have come."""
    state, tasks, window = AppState(), TaskRunner(), QWidget()
    more = [Actions(window, state)] if kind is TrainTab else []
    controller = TrainingController(state, tasks, LibraryController(state, tasks, tasks), tasks)
    made = kind(state, controller, *more)
    for each in (tasks, window):
        each.setParent(made)
    if isinstance(made, TrainTab):
        _ = made.view  # as the window makes it, before any run
    tasks.finish()  # nothing is looked up for it
    for events in runs:
        made._controller.take(events)
    return made
