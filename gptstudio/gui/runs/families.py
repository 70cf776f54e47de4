"""Branches below the runs that they continue from: how deep each run stands in the list, and in which order."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

from gptstudio.app.state import RunEntry

DEEPEST = 6
"""Levels that are indented; branches of branches further down stand below each other."""


class Families:
    """Runs with their branches, those of a folder that was renamed included.

    Attributes:
        depth: for each run the number of runs that it continues from; at least 1 if a branch has no parent in the list.
    """

    def __init__(self, runs: Sequence[RunEntry] = ()) -> None:
        oldest_first = sorted(runs, key=_created)
        by_time = {_created(run): run for run in oldest_first}
        self.parents: dict[Path, RunEntry] = {}
        self.depth: dict[Path, int] = {}
        roots: dict[Path, Path] = {}
        children: dict[Path, list[Path]] = {}
        for run in oldest_first:  # a parent is older, so it comes first, and no run is its own ancestor
            origin = run.summary.record.parent
            began = origin.created.timestamp() if origin else None
            parent = by_time.get(began) if began is not None and began < _created(run) else None
            if parent:
                self.parents[run.path] = parent
                children.setdefault(parent.path, []).append(run.path)
            self.depth[run.path] = self.depth[parent.path] + 1 if parent else int(origin is not None)
            roots[run.path] = roots[parent.path] if parent else run.path
        newest = {roots[run.path]: _created(run) for run in oldest_first}  # the last one stays
        self._order: dict[Path, tuple[float, str, int]] = {}
        waiting, place = [*dict.fromkeys(roots.values())][::-1], 0
        while waiting:  # each run, then its branches
            path, place = waiting.pop(), place + 1
            root = roots[path]
            self._order[path] = newest[root], str(root), place
            waiting += children.get(path, [])[::-1]

    def order(self, run: RunEntry, descending: bool) -> tuple[float, str, int]:
        """Return by what a list is sorted that has the newest families first or last, and parents above branches."""
        newest, root, place = self._order.get(run.path, (_created(run), str(run.path), 0))
        return newest, root, -place if descending else place


def _created(run: RunEntry) -> float:
    """Return when a run was created, in seconds: a file from elsewhere may lack the time zone."""
    return run.summary.record.created.timestamp()
