"""Work of tasks on runs: their list, additions to their journals, and operations on them.

An operation returns a message about what it has done, or raises a UserError. No torch: the list is read before torch is
imported.
"""

from __future__ import annotations

import time
from collections.abc import Iterator, Sequence
from contextlib import suppress
from dataclasses import dataclass
from pathlib import Path
from threading import Lock

from gptstudio import files, paths
from gptstudio.app import trash
from gptstudio.app.tasks import Task
from gptstudio.app.trash import Trashed
from gptstudio.data.encodings import Progress
from gptstudio.errors import UserError, text_of
from gptstudio.history import added_runs, archives, exported_script, run_history
from gptstudio.history.archives import Contents
from gptstudio.history.comparison import shown_name
from gptstudio.history.journal_reader import MOST_RARE_EVENTS, EventBatch, JournalReader, NewEvents, rare_events_in
from gptstudio.history.summary import RunSummary, Summaries
from gptstudio.i18n import message
from gptstudio.training import run_folder
from gptstudio.training.events import Ended, RunStarted
from gptstudio.training.run_folder import RunFolder
from gptstudio.units import bytes_text

PIECES = 16
"""Maximum number of journal chunks per read, about 80,000 steps in a tenth of a second; after that, the worker runs
other jobs, and the window draws the points read so far."""

REPORT_AFTER_S = 0.5

@dataclass(frozen=True)
class ListedRuns:
    """All runs that can be read, and the reasons why others cannot."""

    runs: list[RunSummary]
    unreadable: tuple[str, ...] = ()


class Library:
    """List of runs. Its work may be done on any thread; only one at a time uses the cache of summaries."""

    def __init__(self) -> None:
        self._summaries: Summaries | None = None
        self._listed: list[RunSummary] = []
        self._lock = Lock()

    def list(self, task: Task) -> ListedRuns:
        """Return the user's runs, and runs added from elsewhere; the same as last time if the folder of runs cannot be
        read. Report progress if this takes long."""
        try:
            files.check_folder(paths.runs())
        except UserError as error:
            return ListedRuns(self._listed, (text_of(error),))
        runs = run_folder.all_runs()
        known = {run.path for run in runs}
        unreadable: list[str] = []
        try:
            runs += [RunFolder(path) for path in added_runs.folders(paths.added_runs()) if path not in known]
        except UserError as error:
            unreadable.append(text_of(error))
        with self._lock:
            summaries = self._remembered().of_all(
                _reporting(runs, task), lambda error: unreadable.append(text_of(error)))
            self._listed = summaries
            return ListedRuns(summaries, tuple(unreadable))

    def look(self, task: Task, followers: Sequence[Follower]) -> bool:
        """Read the additions to the followed journals; emit them, and the runs that have changed. Return whether there
        is more to read immediately."""
        more = False
        for follower in followers:
            grown = follower.look(max(1, PIECES // len(followers)))
            task.emit(grown)
            if grown.news:
                more = True
                with self._lock, suppress(UserError):  # a removed run is missing from the next list
                    task.emit(self._remembered().of(follower.run))
        return more

    def _remembered(self) -> Summaries:
        if self._summaries is None:
            self._summaries = Summaries(paths.summaries())
        return self._summaries


def _reporting(runs: Sequence[RunFolder], task: Task) -> Iterator[RunFolder]:
    """Yield the runs; report progress while many journals are read for the first time."""
    began = time.monotonic()
    for number, run in enumerate(runs):
        if time.monotonic() - began > REPORT_AFTER_S:
            task.report(number, len(runs))
        yield run


class Follower:
    """Parser of additions to a journal. After creation, only the worker thread uses it."""

    def __init__(self, run: RunFolder) -> None:
        self.run = run
        self._reader = JournalReader(run.journal_path)
        self._ended = False

    def look(self, pieces: int = PIECES) -> NewEvents:
        batches: list[EventBatch] = []
        news = restarted = False
        for _ in range(pieces):
            added = self._reader.read()
            if added.restarted:
                batches, restarted, self._ended = [], True, False
            if not added.news:
                break
            news = True
            batches.extend(added.batches)
            if added.large or rare_events_in(batches) >= MOST_RARE_EVENTS:
                break
        for event in (other.event for batch in batches for other in batch.rare):
            if isinstance(event, (RunStarted, Ended)):
                self._ended = isinstance(event, Ended)
        return NewEvents(batches, news, restarted, ended=self._ended, follower=self)


def move_to_trash(run: RunFolder) -> Trashed:
    """Move a run that no process is writing to the system's trash.

    Raises:
        UserError: the run could not be moved, or is being written.
    """
    with run.writing():
        pass  # raises if a process writes it. Released first: Windows moves no folder with an open file
    return trash.move(run.path)


def add(path: Path) -> str:
    """Add the folder of a run from any location to the list."""
    RunFolder(path).record()
    added_runs.add(paths.added_runs(), path)
    return message("Added {path} to the list.", path=path)


def take_off(path: Path) -> str:
    """Remove the folder of an added run from the list."""
    added_runs.remove(paths.added_runs(), path)
    return message("Removed {path} from the list. The files stay where they are.", path=path)


def unpack(path: Path, progress: Progress) -> str:
    """Add the run in a zip file to the user's runs."""
    run = archives.unpack(path, paths.runs(), progress)
    return message("Added {name} to your runs.", name=shown_name(run))


def packing_choices(run: RunFolder) -> dict[Contents, str]:
    """Return the parts of a run that can be packed, each with a message that includes its size."""
    words: dict[Contents, str] = {"everything": message("Everything: all checkpoints, settings and log")}
    saved = run.checkpoints()
    if len(saved) > 1 and run.full_checkpoints():
        words["last checkpoint"] = message("The last checkpoint, settings and log: training can continue elsewhere")
    if saved:
        words["weights"] = message("The last weights, settings and log: to generate text, not to continue training")
    words["log"] = message("Settings and log only")
    return {contents: message("{what} ({size})", what=what, size=bytes_text(archives.packed_size(run, contents)))
            for contents, what in words.items()}


def pack(run: RunFolder, path: Path, contents: Contents, progress: Progress) -> str:
    archives.pack(run, path, progress, contents)
    return message("Saved {path} ({size})", path=path, size=bytes_text(path.stat().st_size))


def write_csv(runs: Sequence[tuple[str, RunFolder]], path: Path) -> str:
    """Write all figures of some runs to a CSV file, with their names."""
    names, unique = [name for name, _ in runs], {}
    for name, run in runs:
        with_folder = f"{name} ({run.name})"
        # A copy of a run, added from elsewhere, has its name and that of its folder.
        full = f"{name} ({run.path})" if with_folder in unique else with_folder
        unique[name if names.count(name) == 1 else full] = run_history.read(run.journal_path)
    archives.write_csv(unique, path)
    return message("Saved {path}", path=path)


def write_script(run: RunFolder, path: Path) -> str:
    history = run_history.read(run.journal_path)
    bf16 = history.started is not None and history.started.dtype == "bf16"
    rates = {change.step: change.learning_rate for change in history.learning_rates}
    plans = exported_script.plans_of(each.event for each in history.starts)
    written, text = exported_script.export(run.record(), path, bf16, rates, plans)
    return message("Saved {path} and, beside it, the text {text}", path=written, text=text.name)
