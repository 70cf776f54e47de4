"""Work in the event loop besides user actions: pace of callbacks, garbage collection, cursor blinking, late imports.

Callbacks of tasks are less frequent on battery, and least frequent while the window is minimised. The text cursor stops
blinking after a while, because each blink wakes the program.

Garbage is collected on the window's thread only. Python collects on any thread, also on one that trains, and Qt crashes
when parts of a discarded plot are deleted on a thread other than its own.

The pages are imported while the program is idle, because a class of widgets must be defined on the window's thread.
Shiboken (6.11) keeps all classes in a hash table without a lock, and Qt reads it on the window's thread without
Python's lock: in one start of a hundred on a busy computer, a class that another thread defined made the table grow at
that moment, and the program crashed.
"""

from __future__ import annotations

import gc
import time
from collections.abc import Callable
from importlib import import_module

import psutil
from PySide6.QtCore import QObject, QTimer
from PySide6.QtGui import QGuiApplication

from gptstudio.app.state import AppState
from gptstudio.app.tasks import CLOCK_MS, MOST_AT_ONCE, TaskRunner

ON_BATTERY_MS, MINIMISED_MS = 100, 1_000
MOST_MINIMISED = 20_000
"""Maximum number of items per callback while the window is minimised, about 0.1 s of work for the steps of a run:
nobody waits for it then, and no run is faster."""
ASK_EVERY_S = 10.0
"""Minimum seconds between two queries of the battery, made only while a task runs: it may be on a slow bus."""


def on_battery() -> bool:
    """Return whether the computer has a battery and is not plugged in."""
    try:
        battery = psutil.sensors_battery()
    except (AttributeError, OSError, RuntimeError):  # the system lacks the function, or the battery fails
        return False
    return battery is not None and battery.power_plugged is False  # None: unknown


class Pace(QObject):
    """Pace of the tasks' callbacks: their interval and their number of items."""

    def __init__(
        self, state: AppState, tasks: TaskRunner, parent: QObject, unplugged: Callable[[], bool] = on_battery,
        now_s: Callable[[], float] = time.monotonic,
    ) -> None:
        """``unplugged``: returns whether the computer runs on battery; ``now_s``: clock, in seconds."""
        super().__init__(parent)
        self._state, self._tasks, self._unplugged, self._now_s = state, tasks, unplugged, now_s
        self._asked_s, self._on_battery = -ASK_EVERY_S, False
        for news in (tasks.changed, tasks.delivered):
            news.connect(self.update)
        state.on(self.update, "minimised")

    def update(self) -> None:
        """Set interval and number of items to suit the power supply and the window."""
        now = self._now_s()
        if now - self._asked_s >= ASK_EVERY_S and self._tasks.busy():
            self._asked_s, self._on_battery = now, self._unplugged()
        usual = ON_BATTERY_MS if self._on_battery else CLOCK_MS
        interval = MINIMISED_MS if self._state.minimised else usual
        self._tasks.most_at_once = MOST_MINIMISED if self._state.minimised else MOST_AT_ONCE
        if interval != self._tasks.clock.interval():  # setting it restarts the interval
            self._tasks.clock.setInterval(interval)


EVERY_MS, IDLE_EVERY_MS = 1_000, 10_000
"""Milliseconds until the next check, after one that found something to collect, and after one that found nothing."""


class Garbage(QObject):
    """Garbage collection by a timer on the thread that created this, instead of Python's own, until :meth:`leave`."""

    def __init__(self, state: AppState) -> None:
        super().__init__()
        gc.disable()
        self._clock = QTimer(self, interval=EVERY_MS)
        self._clock.timeout.connect(self.look)
        self._clock.start()
        state.on(self.spare_what_is_there, "devices")  # mainly the objects of torch, which finds the devices

    def look(self) -> None:
        """Collect the generations that Python would have collected; check again soon if there were any."""
        due = _due(0)
        self._clock.setInterval(EVERY_MS if due else IDLE_EVERY_MS)
        for generation in range(3):
            if not _due(generation):
                break
            gc.collect(generation)

    def spare_what_is_there(self) -> None:
        """Exclude all current objects from garbage collection, which keeps each collection short."""
        gc.collect()
        gc.freeze()

    def leave(self) -> None:
        """Let Python collect garbage automatically again."""
        self._clock.stop()
        gc.unfreeze()
        gc.enable()


def _due(generation: int) -> bool:
    return gc.get_count()[generation] > gc.get_threshold()[generation]


STOP_AFTER_MS = 10_000
"""Milliseconds without a key after which the cursor stops blinking, as in the text fields of GTK."""


class CursorBlink(QObject):
    """Timer that stops all text cursors blinking, still visible, until one moves or another field gets the focus."""

    def __init__(self, parent: QObject, after_ms: int = STOP_AFTER_MS) -> None:
        super().__init__(parent)
        self._hints = QGuiApplication.styleHints()
        self._usual_ms = self._hints.cursorFlashTime()
        self._still = QTimer(self, interval=after_ms, singleShot=True)
        self._still.timeout.connect(lambda: self._hints.setCursorFlashTime(0))
        QGuiApplication.inputMethod().cursorRectangleChanged.connect(self._blink)
        self._blink()

    def _blink(self) -> None:
        if self._hints.cursorFlashTime() != self._usual_ms:
            self._hints.setCursorFlashTime(self._usual_ms)
        self._still.start()


MODULES = ["runs.run_compare", "runs.sweep_view", "runs.runs_tab", "texts.texts_tab", "learn.kit.page",
           "learn.learn_tab"]
"""Modules of the pages, preceded by those that take longest to import: 5 to 50 ms each."""


class PageImports(QObject):
    """Import of the experiments, which need no Qt, in a task, then of the pages, one module per event-loop pass."""

    def __init__(self, tasks: TaskRunner, parent: QObject) -> None:
        super().__init__(parent)
        self._tasks, self._left = tasks, list[str]()
        self._turn = QTimer(self, interval=0)
        self._turn.timeout.connect(self._import_next)

    def wake(self) -> None:
        self._tasks.run(_import_labs, done=self._begin)

    def leave(self) -> None:
        self._turn.stop()

    def _begin(self, labs: list[str]) -> None:
        self._left = [*MODULES, *(f"learn.{name}" for name in labs)]
        self._turn.start()

    def _import_next(self) -> None:
        name, *self._left = self._left
        if not self._left:
            self._turn.stop()
        import_module(f"gptstudio.gui.{name}")


def _import_labs(_: object) -> list[str]:
    from gptstudio.labs.catalogue import ENTRIES, load

    for name in ENTRIES:
        load(name)
    return list(ENTRIES)
