"""Forecast of the run that Start would begin: made before it, measured while nothing trains, compared after it."""

from __future__ import annotations

from dataclasses import dataclass, replace

from PySide6.QtCore import QObject, QTimer

from gptstudio import devices, paths
from gptstudio.app import training_tasks
from gptstudio.app.state import AppState
from gptstudio.app.tasks import Task, TaskRunner
from gptstudio.devices import Device
from gptstudio.gui.controllers.rate_finder import RateFinder
from gptstudio.training.corpus import Plan
from gptstudio.training.cost_history import MIN_STEPS, CostHistory, Speed
from gptstudio.training.events import Ended
from gptstudio.training.forecast import Forecast, Measured, forecast
from gptstudio.training.spec import TrainSpec

CALIBRATE_AFTER_MS = 1_500
"""Milliseconds for which the settings must be unchanged before a few steps are measured."""


@dataclass(frozen=True)
class _Inputs:
    """A run that could be started, and its forecast."""

    spec: TrainSpec
    plan: Plan
    device: Device
    forecast: Forecast


class ForecastController(QObject):
    """Keeps ``forecast``, ``insisted``, ``measured`` and ``costs`` of the state up to date."""

    def __init__(self, state: AppState, tasks: TaskRunner, parent: QObject | None = None):
        super().__init__(parent)
        self._state, self._tasks = state, tasks
        self._inputs: _Inputs | None = None
        self._started_with: _Inputs | None = None
        self._calibration: Task | None = None
        self.rate_finder = RateFinder(state, tasks, self)
        self.rest = QTimer(self, interval=CALIBRATE_AFTER_MS, singleShot=True)
        self.rest.timeout.connect(self._calibrate)
        state.on(self._change_spec, "spec")
        state.on(self._make, "text_check")
        state.on(self._change_device, "device")

    def may_start(self) -> bool:
        """Return whether the run may be started: one that is too large, only if Start was pressed before."""
        if self._inputs and not self._state.insisted:
            self._renew()
            self._state.insisted = self._inputs.forecast.level == "too large"
            return not self._state.insisted
        return True

    def begin(self) -> None:
        """Compare what the run that begins now will take with its forecast."""
        self.cancel()
        self._started_with, self._state.measured = self._inputs, None

    def resume(self) -> None:
        """Compare nothing: a resumed run took some of its time before."""
        self.cancel()
        self._started_with = None

    def cancel(self) -> None:
        """Measure nothing any more."""
        self.rest.stop()
        if self._calibration:
            self._calibration.forget()

    def end(self, ended: Ended) -> None:
        """Compare the run that has ended with its forecast. One that was stepped through held a copy of its weights
        and took its time: it is no measure."""
        state, metrics = self._state, self._state.run.metrics
        state.costs = CostHistory.read()  # the run has added its own
        begun, self._started_with = self._started_with, None
        steps = metrics.last.step + 1 if metrics.last else 0
        if begun and steps >= MIN_STEPS and ended.outcome != "failed" and not metrics.inspected:
            state.measured = Measured(
                metrics.elapsed_s, metrics.run_peak_bytes,
                (begun.forecast.seconds or 0) * steps / begun.plan.total_steps, begun.forecast.predicted_bytes,
            )

    def _change_spec(self) -> None:
        self.cancel()
        self._state.insisted = False
        if not self._state.spec:
            self._inputs = self._state.forecast = None

    def _make(self) -> None:
        """Make the forecast of a run whose text is known; until then the last one stays."""
        state = self._state
        if state.running or not (state.spec and state.text_check):
            return
        self.cancel()
        state.insisted = False
        plan = state.text_check.plan
        if plan:
            device = _with_free_memory(state.device)
            made = forecast(state.spec, plan, device, state.costs, paths.runs())
            self._set(_Inputs(state.spec, plan, device, made))
            if made.seconds is None and made.level != "too large":
                self.rest.start()

    def _change_device(self) -> None:
        if self._inputs:
            self._set(replace(self._inputs, device=self._state.device))
            self._renew()

    def _renew(self) -> None:
        if self._inputs:
            inputs = replace(self._inputs, device=_with_free_memory(self._inputs.device))
            made = forecast(inputs.spec, inputs.plan, inputs.device, self._state.costs, paths.runs())
            self._set(replace(inputs, forecast=made))

    def _set(self, inputs: _Inputs) -> None:
        self._inputs = inputs
        self._state.forecast = inputs.forecast

    def _calibrate(self) -> None:
        if self._inputs:
            spec, device = self._inputs.spec, self._inputs.device
            self._calibration = self._tasks.run(
                training_tasks.calibrate(spec, device),  # in the pool: training measures its own thread's memory
                done=lambda speed: self._learn(spec, device, speed))

    def _learn(self, spec: TrainSpec, device: Device, speed: Speed | None) -> None:
        if speed:
            self._state.costs = self._state.costs.with_cost(spec, device, speed)
            self._state.costs.write()
            self._renew()


def _with_free_memory(device: Device) -> Device:
    """Return the device with what is free of its memory now, as far as that is known without torch."""
    return replace(device, free_bytes=devices.cpu().free_bytes) if device.kind == "cpu" else device
