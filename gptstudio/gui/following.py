"""Following of journals while they are written: by this window, another program, or another computer.

The worker for short tasks is asked twice a second for additions. This window's own run is read from its journal like
any other, so that a resumed run includes its earlier part.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable
from pathlib import Path
from typing import Any

from PySide6.QtCore import QObject, QTimer, Signal

from gptstudio.gui.answers_runs import Follower, Grown, JournalRead, JournalsChecked, Library, RunEntry, read_on
from gptstudio.gui.worker import Job
from gptstudio.history.journal_tail import Tail
from gptstudio.training.events import Ended
from gptstudio.training.run_folder import RunFolder

LOOK_EVERY_MS = 500


class Looking(QObject):
    """Asks for one look after the other, each when the last was answered, until there is no more to look for."""

    requested = Signal(object)  # Job

    def __init__(self, next_look: Callable[[], Job | None], parent: QObject):
        super().__init__(parent)
        self._next_look = next_look
        self._waiting = False  # for an answer
        self._clock = QTimer(self, interval=LOOK_EVERY_MS)
        self._clock.timeout.connect(self._look)

    def start(self) -> None:
        """Look now, and from now on."""
        self._clock.start()
        self._look()

    def stop(self) -> None:
        self._clock.stop()

    def answered(self, more: bool) -> None:
        """The last look is done; ``more``: the next is wanted at once."""
        self._waiting = False
        if more and self._clock.isActive():
            self._look()

    def _look(self) -> None:
        if self._waiting:
            return
        job = self._next_look()
        if job:
            self._waiting = True
            self.requested.emit(job)
        else:
            self._clock.stop()


class Following(QObject):
    """The runs that are laid over each other: their journals are read, and looked at again until they have an end."""

    requested = Signal(object)  # Job

    def __init__(self, library: Library, parent: QObject):
        super().__init__(parent)
        self._library = library
        self._followers: dict[Path, Follower] = {}
        self._ended: set[Follower] = set()
        self._looking = Looking(self._next_look, self)
        self._looking.requested.connect(self.requested)
        self.start, self.stop = self._looking.start, self._looking.stop

    def follow(self, runs: Iterable[RunEntry]) -> None:
        """Follow these from their beginning, those that were followed already from where they are."""
        self._followers = {run.path: self._followers.get(run.path) or Follower(run.summary.folder) for run in runs}
        self._ended &= set(self._followers.values())

    def check_again(self) -> None:
        """Look also at those that have an end: a run may have gone on meanwhile, and ended again."""
        self._ended.clear()

    def take(self, message: Grown | JournalsChecked) -> bool:
        """Take an answer of the worker; return whether it has news of a run that is still followed."""
        if isinstance(message, JournalsChecked):
            self._looking.answered(message.more)
            return False
        follower = message.follower
        if self._followers.get(follower.run.path) is not follower:
            return False
        (self._ended.add if message.ended else self._ended.discard)(follower)
        return message.news or message.restarted

    def _next_look(self) -> Job | None:
        due = [follower for follower in self._followers.values() if follower not in self._ended]
        return self._library.look(due) if due else None


class Replay(QObject):
    """Replay of one run from its journal, with the same events as when it ran; to its end, if it has one yet."""

    requested = Signal(object)  # Job
    began = Signal()
    """Emitted before the events of a run are sent from its beginning."""

    arrived = Signal(object)  # list of events

    def __init__(self, parent: QObject):
        super().__init__(parent)
        self._tail: Tail | None = None
        self._over = False  # the last that was told is an end
        self._looking = Looking(self._next_look, self)
        self._looking.requested.connect(self.requested)

    def begin(self, run: RunFolder) -> None:
        self._tail, self._over = Tail(run.journal_path), False
        self.began.emit()
        self._looking.start()

    def stop(self) -> None:
        """Stop following: no more events are sent."""
        self._tail = None
        self._looking.stop()

    def take(self, messages: Iterable[Any]) -> None:
        """Take the answers of the worker."""
        for message in messages:
            if isinstance(message, JournalRead):
                self._show_journal(message)

    def _show_journal(self, read: JournalRead) -> None:
        if read.tail is self._tail:
            if read.restarted:
                self.began.emit()
            self.arrived.emit(read.events)
            if read.events:
                self._over = isinstance(read.events[-1], Ended)
            elif self._over:
                self.stop()
        self._looking.answered(read.more)

    def _next_look(self) -> Job | None:
        return read_on(self._tail) if self._tail else None
