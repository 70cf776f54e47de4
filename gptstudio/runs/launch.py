"""One training run from its spec to its end: text, plan, folder, journal, trainer. For the window and the terminal.

Imports torch only once a run is started.
"""

from __future__ import annotations

import os
import shutil
from collections.abc import Sequence
from contextlib import suppress
from pathlib import Path

from gptstudio import devices
from gptstudio.runs import corpus
from gptstudio.runs.control import Control
from gptstudio.runs.events import Ended, Event
from gptstudio.runs.executor import Sink, Stream, execute
from gptstudio.runs.folder import RunFolder
from gptstudio.runs.journal import Journal
from gptstudio.runs.spec import TrainSpec


def launch(spec: TrainSpec, control: Control, sinks: Sequence[Sink], path: Path | None = None) -> Ended:
    """Trains as ``spec`` asks and returns how it ended; every sink has then got the same one ``Ended``.

    Raises nothing: a text that cannot be read or a model that does not fit is an ``Ended`` too, and leaves no
    folder behind. Blocks until the end, so a window calls it on a thread of its own.

    Args:
        sinks: get every event, in order, on the calling thread, after the journal has it.
        path: the run's folder; one with a name of its own among the user's runs if not given.
    """
    record = _Record()
    try:
        with devices.reusing_freed_memory():
            return execute(_stream(spec, control, record, path), [record, *sinks])
    finally:
        record.close()


def _stream(spec: TrainSpec, control: Control, record: _Record, path: Path | None) -> Stream:
    from gptstudio.runs.trainer import train

    text = corpus.read(spec)
    corpus.plan(spec, text)
    if control.stopping:
        return "stopped"
    where = Path(os.path.expanduser(path)).absolute() if path else None
    was_there = where is not None and where.exists()
    folder = RunFolder.create(spec, text.text.name, text.text.sha256, where)
    events = train(spec, text, folder, control)
    try:
        started = next(events)  # the trainer checks device and memory before its first event
        record.open(folder)
    except BaseException:
        _remove(folder, keep_itself=was_there)
        raise
    yield started
    return (yield from events)


def _remove(folder: RunFolder, keep_itself: bool) -> None:
    """Leaves the disk as it was before the folder was made."""
    shutil.rmtree(folder.path, ignore_errors=True)
    if keep_itself:
        folder.path.mkdir()


class _Record:
    """A sink that writes the journal, once there is a folder to keep it in."""

    def __init__(self) -> None:
        self._journal: Journal | None = None

    def open(self, folder: RunFolder) -> None:
        self._journal = Journal(folder.journal_path)

    def __call__(self, event: Event) -> None:
        if self._journal:
            self._journal(event)

    def close(self) -> None:
        if self._journal:
            with suppress(OSError):  # a full disk, of which the executor has told already
                self._journal.close()
