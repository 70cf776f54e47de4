"""One piece of work off the window's thread, and who hears of it there. No torch."""

from __future__ import annotations

import time
import traceback
from collections.abc import Callable
from dataclasses import dataclass, field
from typing import Any

from gptstudio import log
from gptstudio.errors import UserError
from gptstudio.gui.worker import Post
from gptstudio.training.control import Control, Stopped
from gptstudio.training.executor import in_words

REPORT_EVERY_S = 0.05

Progress = Callable[[int, int], None]
"""Callback with the number of bytes done and in total. Raises :class:`Stopped` if the work was cancelled."""

Work = Callable[[Progress, Control], Any]
"""Done on a worker's thread; what it returns is the answer."""

News = Callable[[], object]
"""Content of a worker's inbox: a call to make on the window's thread."""


def _ignore(*_: object) -> None:
    pass


@dataclass(eq=False)
class Transfer:
    """Background task for a worker. Exactly one of ``answered``, ``refused`` and ``halted`` is called at the end; all
    callbacks, including ``moved``, run on the window's thread.

    Attributes:
        refused: called with an error message, and with details; these are empty if the message is sufficient.
        halted: called if the task was stopped.
        moved: called with the number of bytes done and in total, a few times a second.
    """

    work: Work
    answered: Callable[[Any], object]
    refused: Callable[[str, str], object] = _ignore
    halted: Callable[[], object] = _ignore
    moved: Callable[[int, int], object] = _ignore
    control: Control = field(default_factory=Control)

    def stop(self) -> None:
        self.control.stop()

    def forget(self) -> None:
        """Stop the task, and disconnect all its callbacks."""
        self.stop()
        self.answered = self.refused = self.halted = self.moved = _ignore

    def __call__(self, post: Post) -> None:
        """The job."""
        try:
            self.control.check()
            answer = self.work(self._progress(post), self.control)
        except Stopped:
            post(lambda: self.halted())
        except Exception as error:  # noqa: BLE001  (also a fault of ours has to be said, or one would wait for ever)
            if not isinstance(error, UserError):
                log.unexpected(error, said="with details")
            words, details = in_words(error), _details(error)
            post(lambda: self.refused(words, details))
        else:
            post(lambda: self.answered(answer))

    def _progress(self, post: Post) -> Progress:
        reported_s = 0.0

        def progress(done: int, total: int) -> None:
            nonlocal reported_s
            self.control.check()
            now = time.monotonic()
            if now - reported_s >= REPORT_EVERY_S or done == total:
                reported_s = now
                post(lambda: self.moved(done, total))

        return progress


def _details(error: Exception) -> str:
    """Return details for developers: nothing if the message is sufficient."""
    if isinstance(error, UserError) and not error.__cause__:
        return ""
    return "".join(traceback.format_exception(error))
