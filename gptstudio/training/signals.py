"""Signal handling: Ctrl-C, SIGTERM and SIGHUP stop a run cleanly; a second one does not wait for the step."""

from __future__ import annotations

import signal
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from types import FrameType

from gptstudio.training.control import Control
from gptstudio.training.events import Event, PhaseChanged

STOPS = [getattr(signal, name) for name in ("SIGINT", "SIGTERM", "SIGHUP") if hasattr(signal, name)]

_came: list[int] = []


def exit_code() -> int:
    """Return the exit code of a stopped program: 128 plus the number of the signal (SIGINT if there was none)."""
    return 128 + (_came[0] if _came else signal.SIGINT)


def came() -> bool:
    """Return whether a signal came while :func:`stopped_by_signals` was last in effect."""
    return bool(_came)


class Listener:
    """Sink that stops a run at the first signal. A second one of the same kind ends a step, evaluation or sample at
    once, but not a save, after which the run ends anyway. The events of the run show its phase."""

    def __init__(self, control: Control) -> None:
        self._control = control
        self._saving = False
        self.signal: int | None = None
        """Last received signal."""

    def __call__(self, event: Event) -> None:
        if isinstance(event, PhaseChanged):
            self._saving = event.phase == "saving"

    def handle(self, number: int, _frame: FrameType | None) -> None:
        """Handle a signal; prints nothing, because it may arrive in the middle of a line."""
        again = number in _came  # torchrun sends one of each kind
        self.signal = number
        self._control.stop()
        _came.append(number)
        if again and not self._saving:
            raise KeyboardInterrupt


@contextmanager
def stopped_by_signals(control: Control) -> Iterator[Listener]:
    """Context in which signals stop the run after its current step; the yielded listener must receive its events.
    SIGHUP stays ignored under ``nohup``."""
    listener = Listener(control)
    if threading.current_thread() is not threading.main_thread():
        yield listener  # only the main thread can handle signals
        return
    _came.clear()
    before = {number: signal.getsignal(number) for number in STOPS}
    for number, handler in before.items():
        if number == signal.SIGINT or handler != signal.SIG_IGN:
            signal.signal(number, listener.handle)
    try:
        yield listener
    finally:
        for number, handler in before.items():
            signal.signal(number, handler or signal.SIG_DFL)
