"""What flows against the stream: stop, pause, and the newest value of the dials. Safe to use from any thread."""

from __future__ import annotations

import threading
from typing import NamedTuple


class Dials(NamedTuple):
    """The two settings of sampling that may be turned while text is being written."""

    temperature: float
    top_k: int | None


class Control:
    """Held by whoever steers a run, and read by the run between two steps."""

    def __init__(self) -> None:
        self._stop = threading.Event()
        self._go = threading.Event()
        self._go.set()
        self.dials: Dials | None = None  # one name bound to one tuple: read and written whole

    def stop(self) -> None:
        """The run ends after the step it is in; a paused run ends at once."""
        self._stop.set()
        self._go.set()

    def pause(self) -> None:
        self._go.clear()
        if self._stop.is_set():  # asked after, not before: a stop on another thread may come in between
            self._go.set()

    def resume(self) -> None:
        self._go.set()

    @property
    def stopping(self) -> bool:
        return self._stop.is_set()

    @property
    def paused(self) -> bool:
        return not self._go.is_set()

    def wait_while_paused(self) -> None:
        """Sleeps, without using the processor, until resumed or stopped."""
        self._go.wait()
