"""Pace of the callbacks of tasks: slower on battery, and slowest while the window is minimised, with more at once."""

from __future__ import annotations

import time
from collections.abc import Callable

import psutil
from PySide6.QtCore import QObject

from gptstudio.app.state import AppState
from gptstudio.app.tasks import CLOCK_MS, MOST_AT_ONCE, TaskRunner

ON_BATTERY_MS, MINIMISED_MS = 100, 1_000
MOST_MINIMISED = 20_000
"""Items that are called back about in one go while the window is minimised, some 0.1 s for the steps of a run: nobody
waits for it meanwhile, and no run is so fast."""
ASK_EVERY_S = 10.0
"""The battery is asked about at most this often, and only while a task is running: it may be read from a slow bus."""


def on_battery() -> bool:
    """Return whether the computer has a battery and is not plugged in."""
    try:
        battery = psutil.sensors_battery()
    except (AttributeError, OSError, RuntimeError):  # no such function on this system, or a battery that fails
        return False
    return battery is not None and battery.power_plugged is False  # None: unknown


class Pace(QObject):
    """Sets how often the tasks are called back about, and about how much at once."""

    def __init__(
        self, state: AppState, tasks: TaskRunner, parent: QObject, unplugged: Callable[[], bool] = on_battery,
        now_s: Callable[[], float] = time.monotonic,
    ) -> None:
        """``unplugged``: returns whether the computer runs on battery; ``now_s``: a clock, in seconds."""
        super().__init__(parent)
        self._state, self._tasks, self._unplugged, self._now_s = state, tasks, unplugged, now_s
        self._asked_s, self._on_battery = -ASK_EVERY_S, False
        for news in (tasks.changed, tasks.delivered):
            news.connect(self.update)
        state.on(self.update, "minimised")

    def update(self) -> None:
        """Set interval and number of items for the power supply and the window as they are."""
        now = self._now_s()
        if now - self._asked_s >= ASK_EVERY_S and self._tasks.busy():
            self._asked_s, self._on_battery = now, self._unplugged()
        usual = ON_BATTERY_MS if self._on_battery else CLOCK_MS
        interval = MINIMISED_MS if self._state.minimised else usual
        self._tasks.most_at_once = MOST_MINIMISED if self._state.minimised else MOST_AT_ONCE
        if interval != self._tasks.clock.interval():  # setting it begins the interval again
            self._tasks.clock.setInterval(interval)
