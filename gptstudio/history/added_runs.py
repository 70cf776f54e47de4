"""Folders of runs from elsewhere, such as a shared disk, that the user added to the list. Imports no torch.

The paths are kept in one small file. A missing folder stays in the list: its disk may be connected again.
"""

from __future__ import annotations

import json
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from gptstudio import files, formats

PATIENCE_S = 5.0


def folders(file: Path) -> list[Path]:
    """Return the folders listed in ``file``, in the order in which they were added; none if it is missing or damaged.

    Raises:
        UserError: the file was written by a newer version.
    """
    try:
        found = json.loads(file.read_bytes())  # accepts undecodable paths, as they were written
    except (OSError, ValueError, RecursionError):
        return []
    formats.refuse_newer(found, formats.ADDED_RUNS, file)
    listed = found.get("folders") if isinstance(found, dict) else found  # version 0.1 wrote only the list
    return [Path(path) for path in listed if isinstance(path, str)] if isinstance(listed, list) else []


def add(file: Path, folder: Path) -> None:
    """Add a folder to the end of the list, without duplicates.

    Raises:
        UserError: ``file`` was written by a newer version.
        OSError: ``file`` cannot be written.
    """
    with _alone(file):
        _write(file, [*(path for path in folders(file) if path != folder), folder])


def remove(file: Path, folder: Path) -> None:
    """Remove a folder from the list; the folder itself is kept.

    Raises:
        UserError: ``file`` was written by a newer version.
        OSError: ``file`` cannot be written.
    """
    with _alone(file):
        _write(file, [path for path in folders(file) if path != folder])


@contextmanager
def _alone(file: Path) -> Iterator[None]:
    """Context manager that locks the list, so that no change of another program between reading and writing is lost."""
    from filelock import FileLock  # takes 10 ms, which the first window does not wait for

    file.parent.mkdir(parents=True, exist_ok=True)
    with FileLock(file.with_name(file.name + ".lock"), timeout=PATIENCE_S):
        yield


def _write(file: Path, found: list[Path]) -> None:
    values = {"format": formats.ADDED_RUNS, "folders": [str(path) for path in found]}
    files.write_whole(file, json.dumps(values, indent=1).encode())
