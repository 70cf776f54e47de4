"""Will it fit, and how long: said before Start, measured while nothing trains, and held against what the run took."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import Any

from PySide6.QtCore import QTimer, Signal
from PySide6.QtWidgets import QHBoxLayout, QVBoxLayout, QWidget

from gptstudio import devices
from gptstudio.devices import Device
from gptstudio.gui.answers import Calibrated
from gptstudio.gui.translation import duration, joined, size, tr
from gptstudio.gui.widgets.parts import button, label, plain, restyle
from gptstudio.training.control import Control
from gptstudio.training.corpus import Plan
from gptstudio.training.cost_history import MIN_STEPS, CostHistory
from gptstudio.training.events import Ended, RunStarted
from gptstudio.training.forecast import Forecast, forecast, predicted_bytes
from gptstudio.training.run_metrics import RunMetrics
from gptstudio.training.spec import TrainSpec

CALIBRATE_AFTER_MS = 1_500
"""Milliseconds for which the settings must be unchanged before a few steps are measured."""
ROLES = {"fits": "muted", "tight": "notice", "too large": "problem"}


@dataclass(frozen=True)
class _Inputs:
    """A run that could be started, and what is expected of it."""

    spec: TrainSpec
    plan: Plan
    device: Device
    forecast: Forecast


class Outlook(QWidget):
    """One line, and a button for the smaller setting that fits where Start has been pressed in vain."""

    calibrate_requested = Signal(object, object, object)  # TrainSpec, Device, Control
    smaller_chosen = Signal(object)  # TrainSpec

    def __init__(self) -> None:
        super().__init__()
        self.costs = CostHistory.read()
        self.device: Device | None = None
        self.insisted = False
        """True if Start was pressed for a run that is not expected to fit in memory."""
        self._inputs: _Inputs | None = None
        self._started_with: _Inputs | None = None
        self._control = Control()
        self._metrics = RunMetrics()
        self.words = label(role="muted", name="outlook", wrap=True)
        self.smaller = button(tr("Use smaller settings"), "use_smaller")
        self.smaller.clicked.connect(self._use_smaller)
        self.measured = label(role="muted", name="measured", wrap=True)
        line = QHBoxLayout()
        line.addWidget(self.words, 1)
        line.addWidget(self.smaller)
        layout = QVBoxLayout(self)
        layout.setContentsMargins(0, 0, 0, 0)
        layout.setSpacing(4)
        layout.addLayout(line)
        layout.addWidget(self.measured)
        self.forget_measured()
        self._rest = QTimer(self, interval=CALIBRATE_AFTER_MS, singleShot=True)
        self._rest.timeout.connect(self._calibrate)
        self._show()

    # Before a run.

    @property
    def forecast(self) -> Forecast | None:
        return self._inputs.forecast if self._inputs else None

    def consider(self, spec: TrainSpec | None, plan: Plan | None) -> None:
        """Another run is asked for, or none that could be started."""
        self.cancel()
        self.insisted = False
        if not spec:
            self._inputs = None
        elif plan and self.device:  # until then the line stays as it is, and Start is off
            self._inputs = _Inputs(spec, plan, self.device, forecast(spec, plan, _now(self.device), self.costs))
            if self._inputs.forecast.seconds is None and self._inputs.forecast.level != "too large":
                self._rest.start()
        self._show()

    def estimate(self, spec: TrainSpec) -> tuple[int, str]:
        """Return the estimated peak memory of training, in bytes, and the source of the estimate."""
        return predicted_bytes(spec, self.device, self.costs) if self.device else (0, "")

    def check_again(self, device: Device) -> None:
        """The device has other memory free, or the last run has taught something."""
        self.device = device
        if self._inputs:
            inputs = self._inputs
            self._inputs = replace(
                inputs, device=device, forecast=forecast(inputs.spec, inputs.plan, device, self.costs)
            )
            self._show()

    def may_start(self) -> bool:
        """Return whether the run may be started: one that is too large, only if Start was pressed before."""
        if self._inputs and not self.insisted:
            inputs = self._inputs
            fresh = forecast(inputs.spec, inputs.plan, _now(inputs.device), self.costs)
            self._inputs = replace(inputs, forecast=fresh)
            self.insisted = fresh.level == "too large"
            self._show()
            return not self.insisted
        return True

    def cancel(self) -> None:
        """Nothing is tried out any more."""
        self._rest.stop()
        self._control.stop()

    def begin(self) -> None:
        """The run that was asked for begins."""
        self.cancel()
        self._started_with = self._inputs
        self.forget_measured()

    def go_on(self) -> None:
        """Prepare for a resumed run: its cost is not compared with the forecast."""
        self.cancel()
        self._started_with = None

    def _calibrate(self) -> None:
        if self._inputs:
            self._control = Control()
            self.calibrate_requested.emit(self._inputs.spec, self._inputs.device, self._control)

    def _use_smaller(self) -> None:
        if self._inputs and self._inputs.forecast.smaller:
            self.smaller_chosen.emit(self._inputs.forecast.smaller)

    # While it runs, and after it.

    def take(self, message: Any) -> None:
        self._metrics.take(message)
        match message:
            case Calibrated() if message.speed:
                self._learn(self.costs.with_cost(message.spec, message.device, message.speed))
                if self._inputs:
                    inputs = self._inputs
                    self._inputs = replace(
                        inputs, forecast=forecast(inputs.spec, inputs.plan, _now(inputs.device), self.costs)
                    )
                self._show()
            case RunStarted() if message.first_step:
                self._started_with = None
            case Ended():
                self._end(message)

    def _end(self, ended: Ended) -> None:
        """A run that was stepped through held a copy of its weights and took its time: it is no measure."""
        self.costs = CostHistory.read()  # the run has taught something
        begun, self._started_with = self._started_with, None
        steps = self._metrics.last.step + 1 if self._metrics.last else 0
        if begun and steps >= MIN_STEPS and ended.outcome != "failed" and not self._metrics.inspected:
            self._compare(begun, steps)

    def _compare(self, begun: _Inputs, steps: int) -> None:
        """Says what was expected and what it was."""
        peak = self._metrics.run_peak_bytes
        expected, took = [], [duration(self._metrics.elapsed_s)]
        if begun.forecast.seconds:
            expected.append(duration(begun.forecast.seconds * steps / begun.plan.total_steps))
        if peak:
            expected.append(tr("{much} of memory for training", much=size(begun.forecast.predicted_bytes)))
            took.append(tr("{much} of memory for training", much=size(peak)))
        words = tr("The last run took {took}.", took=_and(took))
        if expected:
            words = joined(" ", words, tr("Estimate before the run: {expected}.", expected=_and(expected)))
        self.measured.setText(words)
        self.measured.show()

    def _learn(self, costs: CostHistory) -> None:
        self.costs = costs
        costs.write()

    def forget_measured(self) -> None:
        """The last run is no longer shown."""
        self._metrics = RunMetrics()
        self.measured.hide()

    # Display.

    def _show(self) -> None:
        made = self.forecast
        words: str = in_words(made) if made else ""
        if made and self.insisted:
            words = joined(
                " ", words, tr("The system may end the run, or the whole computer may stop responding.")
            )
        self.words.setText(words)
        self.words.setToolTip(plain(sources(made)) if made else "")
        restyle(self.words, role=ROLES[made.level] if made else "muted")
        self.smaller.setVisible(bool(made and self.insisted and made.smaller))
        self.words.setVisible(bool(words))


def in_words(made: Forecast) -> str:
    """Return the forecast as text, with its source."""
    needed, free = size(made.predicted_bytes), size(made.free_bytes)
    if made.level == "too large":
        said = tr("Estimated memory for training: {needed}; free: {free}.", needed=needed, free=free)
        return joined(" ", said, tr(made.smaller_words))
    if made.seconds is None:
        return tr("Estimated memory for training: {needed} of {free} free.", needed=needed, free=free)
    return tr("Estimated for training: {needed} of {free} free memory, about {time}.",
              needed=needed, free=free, time=duration(made.seconds))


def sources(made: Forecast) -> str:
    """Return the sources of the two numbers as text."""
    return tr("Memory: {memory}.\nTime: {time}.", memory=tr(made.memory_from), time=tr(made.time_from))


def _and(parts: list[str]) -> str:
    return tr("{first} and {second}", first=parts[0], second=parts[1]) if len(parts) == 2 else parts[0]


def _now(device: Device) -> Device:
    """The device with what is free of its memory at this moment, as far as that is known without torch."""
    return replace(device, free_bytes=devices.cpu().free_bytes) if device.kind == "cpu" else device
