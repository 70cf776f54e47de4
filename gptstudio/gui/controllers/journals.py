"""Journals that are followed while they are written: by this window, another program, or another computer.

Twice a second a task reads the new events, but not while the window is minimised. Among compared runs, this window's
own run is read from its journal like any other, so that a resumed run includes its earlier part.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from pathlib import Path
from typing import Any

from PySide6.QtCore import QObject, QTimer, Signal

from gptstudio.app.run_tasks import Follower, Library
from gptstudio.app.shown_run import continuation_after
from gptstudio.app.state import AppState
from gptstudio.app.tasks import Task, TaskRunner, Work
from gptstudio.history.journal_reader import FREQUENT, EventBatch, NewEvents, newest_of
from gptstudio.history.summary import RunSummary
from gptstudio.training.events import Ended, RunStarted
from gptstudio.training.run_folder import RunFolder

LOOK_EVERY_MS = 500


class ViewTimer(QTimer):
    """Timer that calls a function at once when it starts and then at each interval, but not while the window is
    minimised."""

    def __init__(self, state: AppState, look: Callable[[], object], interval_ms: int, parent: QObject):
        super().__init__(parent, interval=interval_ms)
        self._state, self._look = state, look
        self._wanted = False  # True from begin() to end()
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
    """Repeated task: each run begins once the last one has its result, until there is nothing left to read."""

    def __init__(self, state: AppState, tasks: TaskRunner, next_look: Callable[[], Work | None],
                 answered: Callable[[Any], bool], parent: QObject, items: Callable[[list[Any]], object] | None = None):
        """``answered``: called with the result of a task; returns whether to run the next one at once."""
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
    """Reader of the logs of the compared runs, which are read repeatedly until the runs have ended."""

    grown = Signal(object)
    """Emitted with a list of the :class:`NewEvents` and :class:`RunSummary` objects of runs that have changed."""

    def __init__(self, state: AppState, tasks: TaskRunner, library: Library, parent: QObject):
        super().__init__(parent)
        self._library = library
        self._followers: dict[Path, Follower] = {}
        self._ended: set[Follower] = set()
        self._looking = RepeatedTask(state, tasks, self._next_look, bool, self, items=self._take)
        self.start, self.stop = self._looking.start, self._looking.stop

    def watch(self, runs: Iterable[RunSummary]) -> None:
        """Follow these runs: new ones from their beginning, those already followed from their current position."""
        self._followers = {run.path: self._followers.get(run.path) or Follower(run.folder) for run in runs}
        self._ended &= set(self._followers.values())

    def check_again(self) -> None:
        """Read the runs that have ended again as well: they may have been continued meanwhile."""
        self._ended.clear()

    def _take(self, items: list[NewEvents | RunSummary]) -> None:
        self.grown.emit([each for each in items if isinstance(each, RunSummary) or self._has_news(each)])

    def _has_news(self, grown: NewEvents) -> bool:
        """Return whether there is news of a run that is still followed."""
        follower: Follower = grown.follower
        if self._followers.get(follower.run.path) is not follower:
            return False
        (self._ended.add if grown.ended else self._ended.discard)(follower)
        return grown.news or grown.restarted

    def _next_look(self) -> Work | None:
        due = [follower for follower in self._followers.values() if follower not in self._ended]
        return (lambda task: self._library.look(task, due)) if due else None


class Replay(QObject):
    """Replay of the shown run from its journal, which is followed until the run has ended."""

    began = Signal()
    """Emitted before the run is shown from its beginning again."""
    arrived = Signal(object)
    """Emitted with a list of events after the run has processed the events read: all rare ones, and the last of each
    frequent kind."""

    def __init__(self, state: AppState, tasks: TaskRunner, parent: QObject):
        super().__init__(parent)
        self._state = state
        self._follower: Follower | None = None
        self._looking = RepeatedTask(state, tasks, self._next_look, self._show_journal, self)

    def begin(self, run: RunFolder) -> None:
        """Show a run from its beginning; the caller has cleared the view."""
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
    """Filter that passes events on after the run has processed them. While the window is minimised, it holds them back,
    and keeps only the last one of each frequent kind to save memory: with the run itself, a view needs no more."""

    def __init__(self, state: AppState, show: Callable[[list[Any]], object], parent: QObject) -> None:
        super().__init__(parent)
        self._state, self._show = state, show
        self.forget()
        state.on(self._follow_window, "minimised")

    def forget(self) -> None:
        """Discard the waiting events, because another run is shown, or the same one from its beginning."""
        self._due = False
        self._rare: list[Any] = []
        self._last: dict[type, Any] = {}

    def send(self, events: Sequence[Any]) -> None:
        """Pass events on; the list is empty if only the notice or the phase of the run has changed."""
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
                    self._last.clear()  # the run may continue from an earlier step

    def _follow_window(self) -> None:
        if self._due and not self._state.minimised:
            waiting = [*self._rare, *self._last.values()]
            self.forget()
            self._show(waiting)
