"""Preparation of a run: the computer, the text, the forecast of the run that Start would begin, and tests of learning
rates."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import Any

from PySide6.QtCore import QObject, QTimer, Signal

from gptstudio import devices, paths
from gptstudio.app import training_tasks
from gptstudio.app.state import AppState, Download, TextCheck
from gptstudio.app.tasks import Task, TaskError, TaskRunner
from gptstudio.data import texts
from gptstudio.devices import Device
from gptstudio.gui.controllers.journals import ViewTimer
from gptstudio.i18n import message
from gptstudio.training.corpus import Plan
from gptstudio.training.events import Ended
from gptstudio.training.forecast import MIN_STEPS, CostHistory, Forecast, MeasuredRun, Speed, forecast
from gptstudio.training.spec import TrainSpec

MEMORY_EVERY_MS, IDLE_EVERY_MS = 3_000, 30_000
"""Milliseconds between two readings of the free memory, while a task is running and while none is."""
SMALLEST_CHANGE = 50 * 10**6
"""Smallest change of the free memory that is noticed, in bytes: half of the last digit shown. Each one triggers a new
forecast."""
CHECK_AFTER_MS = 200
"""Milliseconds for which the settings must be unchanged before the text is checked again."""
CALIBRATE_AFTER_MS = 1_500
"""Milliseconds for which the settings must be unchanged before a few steps are measured."""


class ComputerController(QObject):
    """Controller that keeps the devices of the state up to date."""

    def __init__(self, state: AppState, tasks: TaskRunner, parent: QObject):
        super().__init__(parent)
        self._state, self._tasks = state, tasks
        self._clock = ViewTimer(state, self._look, MEMORY_EVERY_MS, self)
        tasks.changed.connect(self._set_pace)

    def wake(self) -> None:
        """Find the devices, and start to read their free memory at intervals."""
        training_tasks.look_for_devices(self._state, self._tasks)
        self._set_pace()
        self._clock.begin()

    def leave(self) -> None:
        self._clock.end()

    def _look(self) -> None:
        training_tasks.update_free_memory(self._state, SMALLEST_CHANGE)

    def _set_pace(self) -> None:
        interval = MEMORY_EVERY_MS if self._tasks.busy() else IDLE_EVERY_MS
        if interval != self._clock.interval():  # setting it restarts the interval
            self._clock.setInterval(interval)


class TextCheckController(QObject):
    """Controller that keeps ``text_check`` and ``download`` of the state up to date."""

    def __init__(self, state: AppState, tasks: TaskRunner, parent: QObject):
        super().__init__(parent)
        self._state, self._tasks = state, tasks
        self._rest = QTimer(self, interval=CHECK_AFTER_MS, singleShot=True)
        self._rest.timeout.connect(self._check)
        state.on(self.check_soon, "spec")

    def wake(self) -> None:
        """Check the text of the current settings. This waits until the window is visible, because loading a tokenizer
        takes time."""
        if self._state.text_check is None:
            self.check_soon()

    def leave(self) -> None:
        self._rest.stop()

    def check_soon(self) -> None:
        """Check the text once the settings have not changed for some time."""
        self._state.text_check = None
        self._rest.start() if self._state.spec else self._rest.stop()

    def fetch_verdict(self) -> None:
        state = self._state

        def done(_: object) -> None:
            state.download = Download()
            self.check_soon()

        state.download = Download(busy=True)
        self._tasks.run(
            lambda task: texts.fetch_verdict(task.report), key="verdict", title=message("Download The Verdict"),
            done=done, progress=lambda done, _: setattr(state, "download", Download(True, done)),
            failed=lambda error: setattr(state, "download", Download(problem=error.message)),
            cancelled=lambda: setattr(state, "download", Download(problem=message("The download was cancelled."))),
        )

    def _check(self) -> None:
        spec = self._state.spec
        if spec:
            self._tasks.run(lambda _: training_tasks.check_text(spec), key="check_text", done=self._take)

    def _take(self, check: TextCheck) -> None:
        if self._state.spec and not self._rest.isActive():  # else the settings have changed meanwhile
            self._state.text_check = check


@dataclass(frozen=True)
class _Inputs:
    """Run that could be started, and its forecast."""

    spec: TrainSpec
    plan: Plan
    device: Device
    forecast: Forecast


class ForecastController(QObject):
    """Controller that keeps ``forecast``, ``insisted``, ``measured`` and ``costs`` of the state up to date."""

    def __init__(self, state: AppState, tasks: TaskRunner, parent: QObject):
        super().__init__(parent)
        self._state, self._tasks = state, tasks
        self._inputs: _Inputs | None = None
        self._started_with: _Inputs | None = None
        self._calibration: Task | None = None
        self.rest = QTimer(self, interval=CALIBRATE_AFTER_MS, singleShot=True)
        self.rest.timeout.connect(self._calibrate)
        state.on(self._change_spec, "spec")
        state.on(self._make, "text_check")
        state.on(self._change_device, "device")

    def may_start(self) -> bool:
        """Return whether the run may be started; one that is too large for the memory may only if Start was pressed
        before."""
        if self._inputs and not self._state.insisted:
            self._renew()
            self._state.insisted = self._inputs.forecast.level == "too large"
            return not self._state.insisted
        return True

    def begin(self) -> None:
        """Keep the forecast of the run that begins now, to compare it with the measured time and memory at the end."""
        self.cancel()
        self._started_with, self._state.measured = self._inputs, None

    def resume(self) -> None:
        """Keep no forecast for the run that begins now: a resumed run has used part of its time before. Show none of
        other settings."""
        self.cancel()
        self._started_with = None
        if self._inputs and self._inputs.spec != self._state.spec:
            self._inputs = self._state.forecast = None

    def cancel(self) -> None:
        """Cancel the calibration, pending or running."""
        self.rest.stop()
        if self._calibration:
            self._calibration.forget()

    def end(self, ended: Ended) -> None:
        """Compare the run that has ended with its forecast. A run that was inspected step by step is left out: it held
        a copy of its weights, and waited for the user."""
        state, metrics = self._state, self._state.run.metrics
        state.costs = CostHistory.read()  # including those of this run
        plan = state.text_check.plan if state.text_check else None
        if state.spec and plan:  # with these costs, as in the Model panel, and with settings changed during the run
            self._predict(state.spec, plan, state.device)
        begun, self._started_with = self._started_with, None
        steps = metrics.last.step + 1 if metrics.last else 0
        if begun and steps >= MIN_STEPS and ended.outcome != "failed" and not metrics.inspected:
            state.measured = MeasuredRun(
                metrics.elapsed_s, metrics.run_peak_bytes,
                (begun.forecast.seconds or 0) * steps / begun.plan.total_steps, begun.forecast.predicted_bytes,
            )

    def _change_spec(self) -> None:
        self.cancel()
        self._state.insisted = False
        if not self._state.spec:
            self._inputs = self._state.forecast = None

    def _make(self) -> None:
        """Make the forecast once the text is checked; the previous one stays until then."""
        state = self._state
        if state.running or not (state.spec and state.text_check):
            return
        self.cancel()
        state.insisted = False
        plan = state.text_check.plan
        if plan:
            made = self._predict(state.spec, plan, state.device)
            if made.seconds is None and made.level != "too large":
                self.rest.start()

    def _change_device(self) -> None:
        if self._inputs:
            self._predict(self._inputs.spec, self._inputs.plan, self._state.device)

    def _renew(self) -> None:
        if self._inputs:
            self._predict(self._inputs.spec, self._inputs.plan, self._inputs.device)

    def _predict(self, spec: TrainSpec, plan: Plan, device: Device) -> Forecast:
        device = _with_free_memory(device)
        made = forecast(spec, plan, device, self._state.costs, paths.runs())
        self._inputs = _Inputs(spec, plan, device, made)
        self._state.forecast = made
        return made

    def _calibrate(self) -> None:
        if self._inputs:
            spec, device = self._inputs.spec, self._inputs.device
            self._calibration = self._tasks.run(  # in the pool: training measures the memory of its own thread
                lambda task: training_tasks.calibrate(task, spec, device),
                done=lambda speed: self._learn(spec, device, speed))

    def _learn(self, spec: TrainSpec, device: Device, speed: Speed | None) -> None:
        if speed:
            self._state.costs = self._state.costs.with_cost(spec, device, speed)
            self._state.costs.write()
            self._renew()


def _with_free_memory(device: Device) -> Device:
    """Return the device with its current free memory, which can be read without torch only for the CPU."""
    return replace(device, free_bytes=devices.cpu().free_bytes) if device.kind == "cpu" else device


class RateFinder(QObject):
    """Test of learning rates for the run that Start would begin. Starting a run cancels the test."""

    began = Signal()
    stepped = Signal(object)
    """Emitted with a list of ``RatePoint``."""
    found = Signal(object)
    """Emitted with the ``RateTest``."""
    failed = Signal(str)
    """Emitted with the reason, as a message; empty if it was cancelled."""

    def __init__(self, state: AppState, tasks: TaskRunner, parent: QObject):
        super().__init__(parent)
        self._state, self._tasks = state, tasks
        self._task: Task | None = None
        self.spec: TrainSpec | None = None
        """Settings of the last test."""
        state.on(self._give_way, "run_state")

    @property
    def busy(self) -> bool:
        return self._task is not None

    @property
    def outdated(self) -> bool:
        """True if settings other than the learning rate and its schedule have changed since the test began."""
        now, then = self._state.spec, self.spec
        apart = ("learning_rate", "schedule", "warmup_steps", "min_learning_rate")
        return bool(now and then and any(
            getattr(now, name) != getattr(then, name) for name in type(now).model_fields if name not in apart))

    def start(self) -> None:
        """Begin a test; one in progress is dropped."""
        if self._task:
            self._task.forget()
        if not self._state.spec or self._state.running:
            return
        spec = self.spec = self._state.spec
        self._task = self._tasks.run(
            lambda task: training_tasks.find_rate(task, spec), items=self.stepped.emit, done=self._end,
            failed=self._fail, cancelled=lambda: self._fail(None))
        self.began.emit()

    def cancel(self) -> None:
        """End the test after its current step."""
        if self._task:
            self._task.cancel()

    def _give_way(self) -> None:
        if self._state.running:
            self.cancel()

    def _end(self, test: Any) -> None:
        self._task = None
        self.found.emit(test)

    def _fail(self, error: TaskError | None) -> None:
        self._task = None
        self.failed.emit(error.message if error else "")
