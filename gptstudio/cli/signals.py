"""Ctrl-C and a polite kill end a run cleanly; a second one ends it without a checkpoint."""

from __future__ import annotations

import signal
import threading
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from types import FrameType
from typing import Any

from gptstudio.runs.control import Control

Handler = Callable[[int, FrameType | None], Any] | signal.Handlers
AGAIN: dict[int, Handler] = {signal.SIGINT: signal.default_int_handler, signal.SIGTERM: signal.SIG_DFL}
"""What a second signal does: the first leaves the terminal as it was, the other does not ask."""

@contextmanager
def stopped_by_signals(control: Control) -> Iterator[None]:
    """Within, SIGINT and SIGTERM stop the run after the step it is in. Says nothing: a handler may come in the
    middle of a line."""
    if threading.current_thread() is not threading.main_thread():
        yield  # only the main thread may listen
        return
    before = {number: signal.getsignal(number) for number in AGAIN}

    def stop(number: int, frame: FrameType | None) -> None:
        control.stop()
        signal.signal(number, AGAIN[number])

    for number in before:
        signal.signal(number, stop)
    try:
        yield
    finally:
        for number, handler in before.items():
            signal.signal(number, handler or signal.SIG_DFL)
