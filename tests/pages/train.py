"""The Train page: a text, settings, Start, and the displayed run."""

from __future__ import annotations

from collections.abc import Callable
from types import SimpleNamespace
from typing import Any

from lessons import tiny_config
from PySide6.QtCore import Qt
from PySide6.QtWidgets import QWidget

from gptstudio.app.derived import continuation_at_hand
from gptstudio.app.shown_run import ShownRun
from gptstudio.app.state import AppState, TextCheck
from gptstudio.app.tasks import TaskRunner
from gptstudio.gui.actions import Actions
from gptstudio.gui.controllers.library import LibraryController
from gptstudio.gui.controllers.training import TrainingController
from gptstudio.gui.train.run_view import RunView
from gptstudio.gui.train.train_tab import TrainTab
from gptstudio.gui.widgets.tables import rows_of
from gptstudio.training.model_source import SavedModel
from gptstudio.training.spec import TrainSpec
from pages.charts import ChartPage
from pages.page import Inside, InState, Named, Page


class RunPage(Page):
    """A displayed run: curves, figures, samples, checkpoints."""

    progress, sample_slider, x_box = Named("progress"), Named("sample_slider"), Named("chart_x")
    started, last = InState("run.started"), InState("run.last")
    charts = Inside("view.charts._charts")
    """The charts that have been created."""
    point_at = Inside("view.charts.point_at")
    """Move the cursor of all charts to a step, as its sample does."""
    samples = Inside("view.samples.samples")
    one_step = Inside("view.examined")
    """The card that describes a single step."""

    @property
    def widget(self) -> Any:
        return SimpleNamespace(view=self._widget)

    def checkpoints(self) -> list[list[str]]:
        """Return the texts of the listed checkpoints."""
        return list(rows_of(self.widget.view.checkpoints.list))[1:]

    def show(self, events: list[Any]) -> None:
        """Deliver events of the run."""
        self.widget.view._controller.take(events)

    @property
    def loss(self) -> ChartPage:
        return ChartPage(self.widget.view.charts.loss)

    def losses(self, curve: str = "step") -> list[float]:
        """Return the values of a curve of the loss: "step", "training" or "validation"."""
        return self.loss.y(curve)

    @property
    def sides(self) -> dict[str, Any]:
        """The charts that can be shown next to the loss."""
        return self.widget.view.charts.sides

    def side(self, name: str) -> ChartPage:
        return ChartPage(self.sides[name].chart)

    def turn_side(self, name: str) -> None:
        """Show or hide a chart next to the loss."""
        self.widget.view.charts.actions_of[name].trigger()

    def choose_the_earliest_checkpoint(self) -> Any:
        """Open the list of checkpoints, select its last row, and return the list."""
        pane = self.widget.view.checkpoints
        self.widget.view.pane.setCurrentWidget(pane)
        pane.list.setFocus()
        self.user.press(Qt.Key.Key_End)
        return pane.list

    probes = Inside("view.probes")
    """The pane of the probe prompts."""

    def open_probes(self) -> Any:
        """Click the tab of the probe prompts, and return the pane."""
        self.open_pane("Probe prompts")
        return self.probes

    def open_pane(self, name: str) -> None:
        """Click a tab below the curves."""
        bar = self.find("run_pane").tabBar()
        place = next(i for i in range(bar.count()) if bar.tabText(i) == name)
        self.user.qtbot.mouseClick(bar, Qt.MouseButton.LeftButton, pos=bar.tabRect(place).center())

    def figure(self, name: str) -> str:
        """Return the text of a figure."""
        return self.find(f"figure_{name}").text()

    def expect(self, spec: TrainSpec) -> None:
        """Empty the page for a run of these settings."""
        self.user.window.state.run = ShownRun(spec)
        self.user.window.training.restarted.emit()


class HealthPage(Page):
    """The tab "Health" below the curves."""

    place = "train.view.health"
    heat_map, quantity, way = Named("health_map"), Named("health_quantity"), Inside("way")

    def open(self) -> None:
        """Show the tab."""
        pane = self.user.window.train.view.pane
        pane.setCurrentWidget(self.widget)
        self.user.wait(self.widget.isVisible)

    def show_map(self, quantity: str = "update_ratio") -> None:
        """Switch to the heat map of a quantity."""
        self.user.click(self.way.button(1))
        self.quantity.setCurrentIndex(self.quantity.findData(quantity))

    def chart(self, quantity: str) -> Any:
        """Open the chart of a quantity, unless it is open, and return it."""
        chart = self.find(f"health_chart_{quantity}")
        if not chart.isVisible():
            self.user.click(self.find(f"health_open_{quantity}"))
        return chart

    def shape(self, quantity: str) -> tuple[int, int]:
        """Return the numbers of layers and of evaluations in the chart of a quantity."""
        curves = self.chart(quantity).curves
        return len(curves.lines), len(curves.x)

    def reading(self, quantity: str) -> str:
        """Return the sentence above a chart."""
        return self.reads(f"health_reading_{quantity}")


class TrainPage(RunPage):
    """The controls, above the displayed run."""

    start_button, stop_button = Named("start"), Named("stop")
    step_button, reset_button = Named("step"), Named("reset")
    text_box, fetch_button, story_button = Named("text"), Named("fetch_verdict"), Named("use_story")
    go_on_button, go_on_slower_button = Named("go_on"), Named("go_on_slower")
    more_button, smaller_button = Named("train_more"), Named("use_smaller")

    running, paused = InState("running"), InState("paused")
    spec = InState("spec")
    """The settings of the run that Start would start."""
    texts = InState("texts")
    text_missing = Inside("text_plan.instead.isVisible")
    run = InState("run.folder")
    """The folder of the displayed run."""
    forecast, costs = InState("forecast"), InState("costs")
    """The estimated requirements of a run; the measured costs of earlier runs."""

    def offers_to_continue(self) -> bool:
        """Return whether a run can be continued with the large button or from a message."""
        return continuation_at_hand(self.state) is not None or self.widget.continuation.isVisible()

    unfolded = Inside("settings.rest.isVisible")
    """True if all settings are shown."""
    schedule_curve = Inside("settings.schedule.plot.curves")
    """The curve of the learning rate, with steps and rates, and the position of the run on it."""
    editors = Inside("settings.editors")
    """The fields of the settings, by name."""

    @property
    def health(self) -> HealthPage:
        return HealthPage(self.user)

    @property
    def looked(self) -> bool:
        """True if the text has been checked for the current settings."""
        return self.state.text_check is not None

    @property
    def plan(self) -> Any:
        check = self.state.text_check
        return check.plan if check else None

    def loss_lines(self) -> list[str]:
        """Return the texts of the level lines on the loss chart."""
        return [line.text for line in self.widget.view.charts.loss.lines.references]

    def use_text(self, *texts: str) -> None:
        self.user.window.state.texts = texts

    def check(self) -> None:
        """Check the text again."""
        self.user.window.training.text_check.check_soon()

    def pause_from_afar(self, pause: bool = True) -> None:
        """Pause or continue the run, also while another page is shown."""
        training = self.user.window.training
        training.pause() if pause else training.control.resume()

    @property
    def widget(self) -> TrainTab:
        window = self.user.window
        if not self._widget and "train" not in vars(window):
            window.tabs.make("train")  # create it in its tab, for tests that read a page that is not shown
        return self._widget or window.train

    # The settings.

    def editor(self, name: str) -> Any:
        """Return the field of a setting."""
        return self.editors[name]

    def setting(self, name: str) -> Any:
        """Return the value typed into a field."""
        return self.widget.settings.values()[name]

    def set(self, **settings: object) -> None:
        for name, value in settings.items():
            self.editors[name].set_value(value)

    def tick_frozen(self, *parts: str) -> None:
        """Click the boxes that freeze parts of the model."""
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

    def continue_run(self) -> None:
        """Continue the stopped run, with the large button if it offers that, otherwise from the message."""
        large = continuation_at_hand(self.state) is not None
        self.user.click(self.start_button if large else self.go_on_button)

    def reset(self) -> None:
        self.user.click(self.reset_button)

    def stop(self) -> None:
        self.user.click(self.stop_button)
        self.wait_ended()

    def stop_from_afar(self) -> None:
        """Stop the run, also while another page is shown."""
        self.stop_button.click()
        self.wait_ended()

    def wait_paused(self) -> None:
        self.user.wait(lambda: self.paused)

    def wait_ended(self, seconds: float = 30) -> None:
        self.user.wait(lambda: not self.running, seconds)

    # Complete procedures.

    def prepare(self, text: str = "story", **settings: object) -> None:
        """Choose a tiny model, a text, and these settings, ready to start."""
        self.user.go_to("train")
        self.user.panel.select(tiny_config())
        self.set(**{"sample_tokens": 3, "eval_iter": 1, "precision": "fp32", **settings})
        self.use_text(text)
        self.user.wait(lambda: self.looked)

    def begin(self, **settings: object) -> None:
        """Start a run, and wait for its first step."""
        self.prepare(**settings)
        self.start()
        self.user.wait(self.losses)

    def step_times(self, times: int, **settings: object) -> None:
        """Prepare a run, take this number of single steps, and remain paused. This is faster than a longer run that
        must be stopped."""
        self.prepare(**settings)
        for taken in range(1, times + 1):
            self.step()
            self.user.wait(lambda taken=taken: self.paused and len(self.losses()) == taken)

    def run_to_end(self) -> None:
        """Train the prepared run until it ends."""
        self.start()
        self.wait_ended()

    def finish(self, **settings: object) -> None:
        """Train with these settings until the run ends, successfully or not."""
        self.prepare(**settings)
        self.run_to_end()

    def to_end(self, **settings: object) -> SavedModel:
        """Train with these settings until the run ends, and return its saved model."""
        self.finish(**settings)
        source = self.user.generate.source
        assert isinstance(source, SavedModel)
        return source

    # Data from elsewhere.

    def take(self, *events: Any) -> None:
        """Deliver events of this window's run."""
        self.user.window.training.take(list(events))

    def hear(self, check: TextCheck) -> None:
        """Set the result of the text check."""
        self.state.text_check = check

    def calibrate_soon(self, asked: Callable[..., None] = lambda *what: None) -> None:
        """Shorten the wait before a calibration from seconds to 50 ms; ``asked`` is called when it elapses."""
        rest = self.user.window.training.forecast.rest
        rest.setInterval(50)
        rest.timeout.connect(asked)


def apart(kind: type[TrainTab | RunView], *runs: list[Any]) -> Any:
    """Return the page, or a part of it, with its own state, after delivering the events of these runs."""
    state, tasks, window = AppState(), TaskRunner(), QWidget()
    more = [Actions(window, state)] if kind is TrainTab else []
    controller = TrainingController(state, tasks, LibraryController(state, tasks, tasks), tasks)
    made = kind(state, controller, *more)
    for each in (tasks, window):
        each.setParent(made)
    if isinstance(made, TrainTab):
        _ = made.view  # as the window does, before any run
    tasks.finish()  # no lookup is needed
    for events in runs:
        made._controller.take(events)
    return made
