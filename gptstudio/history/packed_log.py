"""Settings and log of a run in a zip, read where they are. No torch."""

from __future__ import annotations

import zipfile
from collections.abc import Iterator
from pathlib import Path
from typing import IO

from gptstudio.data.encodings import Progress, unwatched
from gptstudio.history import archives
from gptstudio.history.archives import PIECE, ArchiveError
from gptstudio.history.run_history import History
from gptstudio.i18n import message
from gptstudio.training import file_format
from gptstudio.training.run_folder import Record

MOST_OF_RECORD, LONGEST_LINE = 16 * PIECE, 16 * PIECE
"""Bytes of a run.json, and of a line of a log, that are read at most."""


def read(path: Path, progress: Progress = unwatched) -> tuple[Record, History]:
    """Return the record and the history of the run in a zip. Nothing is unpacked, and its checkpoints are not read.

    Args:
        progress: called with the number of bytes of its log that were read; may cancel the work by raising.

    Raises:
        ArchiveError: as :func:`unpack`.
        UserError: its run.json was changed, or is of a newer version.
    """
    with archives.in_words(message("Could not open {path}", path=path.name)), zipfile.ZipFile(path) as archive:
        _, entries = archives.checked(archive, path)
        if entries["run.json"].file_size > MOST_OF_RECORD:
            raise ArchiveError(message("{path} was not opened: its run.json is too large.", path=path.name))
        values = file_format.unsealed(archive.read(entries["run.json"]), f"{path.name}, run.json")
        record = Record.model_validate(file_format.upgrade(values, f"{path.name}, run.json"))
        history, log = History(), entries.get("journal.jsonl")
        if log:
            with archive.open(log) as file:
                done = 0
                for lines in _lines(file, path):
                    history.extend(lines)
                    done += sum(map(len, lines))
                    progress(done, log.file_size)
        return record, history


def _lines(file: IO[bytes], path: Path) -> Iterator[list[bytes]]:
    """Yield the whole lines of a log, some at a time. What follows the last line end is half a line."""
    rest = b""
    while block := file.read(PIECE):
        *lines, rest = (rest + block).split(b"\n")
        if len(rest) > LONGEST_LINE:
            raise ArchiveError(message("{path} was not opened: its log is damaged.", path=path.name))
        yield [line + b"\n" for line in lines]
