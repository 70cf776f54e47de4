"""A journal read as batches of numbers: from the cache as far as that goes, and on from there. No torch."""

from __future__ import annotations

import hashlib
from pathlib import Path
from typing import Any, NamedTuple

from gptstudio.history import journal_cache
from gptstudio.history.event_batches import EventBatch, parse
from gptstudio.history.journal_tail import JournalPosition, Tail


class NewEvents(NamedTuple):
    """Events of a run that came since the last time.

    Attributes:
        batches: for :meth:`gptstudio.history.run_history.History.take`.
        news: anything was added, even if no event.
        restarted: the journal is not the one read so far; discard everything before.
        large: the batch is one of the cache, which takes a view as long as many that were just written.
        ended: the run has ended.
        follower: the :class:`gptstudio.app.run_tasks.Follower` that read them.
    """

    batches: list[EventBatch]
    news: bool
    restarted: bool = False
    large: bool = False
    ended: bool = False
    follower: Any = None


class JournalReader:
    """Follows one journal. What it parses of a long one is kept in the cache, once its end is reached."""

    def __init__(self, path: Path, place: JournalPosition | None = None):
        self._tail = Tail(path, place)
        self._from_start = not self.place.offset
        self._begun = False
        self._cached: list[EventBatch] = []  # not given yet
        self._parsed: list[EventBatch] = []  # since the journal's beginning, those from the cache included
        self._new_bytes = 0  # of what is not in the cache yet
        self._digest = hashlib.sha256()

    @property
    def place(self) -> JournalPosition:
        """End of what was read; all that the cache has counts as read at once."""
        return self._tail.place

    def read(self) -> NewEvents:
        """The next batches: of about a megabyte of lines, or a large one of the cache."""
        if not self._begun:
            self._begun = True
            self._take_cached()
        if self._cached:
            return NewEvents([self._cached.pop(0)], news=True, large=True)
        added = self._tail.read()
        if added.restarted:
            self._from_start, self._parsed, self._new_bytes, self._digest = True, [], 0, hashlib.sha256()
        batches = list(parse(added.lines))
        if self._from_start:
            self._collect(batches, added.lines)
        return NewEvents(batches, bool(added.lines), added.restarted)

    def _take_cached(self) -> None:
        found = journal_cache.read(self._tail.path) if self._from_start else None
        if found:
            self._cached, self._parsed = list(found.batches), list(found.batches)
            self._tail.place, self._digest = found.place, found.digest

    def _collect(self, batches: list[EventBatch], lines: list[bytes]) -> None:
        if lines:
            self._parsed += batches
            self._digest.update(b"".join(lines))
            self._new_bytes += sum(map(len, lines))
        else:
            self._keep()

    def _keep(self) -> None:
        """At the end of the journal: keep what was parsed, if it is much."""
        much = self._new_bytes >= journal_cache.KEPT_FROM
        if much:
            journal_cache.keep(self._tail.path, self._parsed, self.place, self._digest.hexdigest())
        if much or self._new_bytes < self.place.offset:
            self._from_start, self._parsed = False, []
