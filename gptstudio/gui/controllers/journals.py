"""Journals that are followed while they are written: by this window, another program, or another computer.

Twice a second a task looks for what was added, but not while the window is minimised. This window's own run is read
from its journal like any other, so that a resumed run includes its earlier part.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from pathlib import Path
from typing import Any

from PySide6.QtCore import QObject, QTimer, Signal

from gptstudio.app.run_tasks import Follower, Library
from gptstudio.app.shown_run import continuation_after
from gptstudio.app.state import AppState, RunEntry
from gptstudio.app.tasks import Task, TaskRunner, Work
from gptstudio.history.journal_reader import FREQUENT, EventBatch, NewEvents, newest_of
from gptstudio.training.events import Ended, RunStarted
from gptstudio.training.run_folder import RunFolder

LOOK_EVERY_MS = 500


class ViewTimer(QTimer):
    """Timer that calls a function at once when it starts and then at each interval, but not while the window is
    minimised."""

    def __init__(self, state: AppState, look: Callable[[], object], interval_ms: int, parent: QObject):
        super().__init__(parent, interval=interval_ms)
        self._state, self._look = state, look
        self._wanted = False  # until it is ended
        self.timeout.connect(look)
        state.on(self._follow_window, "minimised")

    def begin(self) -> None:
        self._wanted = True
        self._follow_window()

    def end(self) -> None:
        self._wanted = False
        self.stop()

    def _follow_window(self) -> None:
        if self._state.minimised:
            self.stop()
        elif self._wanted:
            self.start()
            self._look()


class RepeatedTask(QObject):
    """Reader that runs one task after another, each once the last has its result, until there is nothing left to
    read."""

    def __init__(self, state: AppState, tasks: TaskRunner, next_look: Callable[[], Work | None],
                 answered: Callable[[Any], bool], parent: QObject, items: Callable[[list[Any]], object] | None = None):
        """``answered``: takes a look's result; returns whether the next look is wanted at once."""
        super().__init__(parent)
        self._tasks, self._next_look, self._answered, self._items = tasks, next_look, answered, items
        self._task: Task | None = None
        self._clock = ViewTimer(state, self._look, LOOK_EVERY_MS, self)
        self.start, self.stop = self._clock.begin, self._clock.end

    def _look(self) -> None:
        if self._task:
            return
        work = self._next_look()
        if work:
            self._task = self._tasks.run(work, items=self._items, done=self._done, failed=lambda _: self._done(None))
        else:
            self._clock.stop()

    def _done(self, result: Any) -> None:
        self._task = None
        if self._answered(result) and self._clock.isActive():
            self._look()


class ComparedRunsReader(QObject):
    """Reader of the logs of the runs that are compared, which are read again until the runs have ended."""

    grown = Signal(object)
    """Emitted with a list of :class:`NewEvents` and of :class:`RunEntry` of runs that have changed."""

    def __init__(self, state: AppState, tasks: TaskRunner, library: Library, parent: QObject):
        super().__init__(parent)
        self._library = library
        self._followers: dict[Path, Follower] = {}
        self._ended: set[Follower] = set()
        self._looking = RepeatedTask(state, tasks, self._next_look, bool, self, items=self._take)
        self.start, self.stop = self._looking.start, self._looking.stop

    def watch(self, runs: Iterable[RunEntry]) -> None:
        """Follow these from their beginning, those that were followed already from where they are."""
        self._followers = {run.path: self._followers.get(run.path) or Follower(run.summary.folder) for run in runs}
        self._ended &= set(self._followers.values())

    def check_again(self) -> None:
        """Look also at those that have an end: a run may have gone on meanwhile, and ended again."""
        self._ended.clear()

    def _take(self, items: list[NewEvents | RunEntry]) -> None:
        self.grown.emit([each for each in items if isinstance(each, RunEntry) or self._has_news(each)])

    def _has_news(self, grown: NewEvents) -> bool:
        """Return whether there is news of a run that is still followed."""
        follower: Follower = grown.follower
        if self._followers.get(follower.run.path) is not follower:
            return False
        (self._ended.add if grown.ended else self._ended.discard)(follower)
        return grown.news or grown.restarted

    def _next_look(self) -> Work | None:
        due = [follower for follower in self._followers.values() if follower not in self._ended]
        return self._library.look(due) if due else None


class Replay(QObject):
    """Replay of the run that is shown from its journal, to its end, if it has one yet."""

    began = Signal()
    """Emitted before the run is shown from its beginning again."""
    arrived = Signal(object)
    """Emitted with a list of events, after the run has taken what was read: all that come seldom, and the last of the
    others."""

    def __init__(self, state: AppState, tasks: TaskRunner, parent: QObject):
        super().__init__(parent)
        self._state = state
        self._follower: Follower | None = None
        self._looking = RepeatedTask(state, tasks, self._next_look, self._show_journal, self)

    def begin(self, run: RunFolder) -> None:
        """Show a run from its beginning; nothing of it is shown yet."""
        self._follower = Follower(run)
        self._looking.start()

    def stop(self) -> None:
        """Stop following: no more events are sent."""
        self._follower = None
        self._looking.stop()

    def _show_journal(self, grown: NewEvents | None) -> bool:
        if grown is None:
            return False
        if grown.follower is self._follower:
            if grown.restarted:
                self._state.run.clear()
                self.began.emit()
            self._take(grown.batches)
            if grown.ended and not grown.news:
                self.stop()
        return grown.news

    def _take(self, batches: list[EventBatch]) -> None:
        run, events = self._state.run, newest_of(batches)
        run.take(batches)
        for ended in (event for event in events if isinstance(event, Ended)):
            self._state.continuation = continuation_after(run, ended)
        self.arrived.emit(events)

    def _next_look(self) -> Work | None:
        follower = self._follower
        return (lambda _: follower.look()) if follower else None


class ViewUpdates(QObject):
    """Filter that passes events on after the run has taken them. While the window is minimised it keeps only the last
    one of each frequent kind, which with the run itself is all that a view needs, so that memory stays small."""

    def __init__(self, state: AppState, show: Callable[[list[Any]], object], parent: QObject) -> None:
        super().__init__(parent)
        self._state, self._show = state, show
        self.forget()
        state.on(self._follow_window, "minimised")

    def forget(self) -> None:
        """Discard the events that wait: another run is shown, or the same from its beginning."""
        self._due = False
        self._rare: list[Any] = []
        self._last: dict[type, Any] = {}

    def send(self, events: Sequence[Any]) -> None:
        """Pass events on; none where only what is done with the run has changed."""
        if not self._state.minimised:
            self._show(list(events))
            return
        self._due = True
        for event in events:
            if isinstance(event, FREQUENT):
                self._last[type(event)] = event
            else:
                self._rare.append(event)
                if isinstance(event, RunStarted):
                    self._last.clear()  # it may continue from before them

    def _follow_window(self) -> None:
        if self._due and not self._state.minimised:
            waiting = [*self._rare, *self._last.values()]
            self.forget()
            self._show(waiting)
