"""Runs' folders from elsewhere, such as a shared disk, that were added to the user's list. No torch.

Kept as a list of paths in one small file. A folder that is not there at the moment stays in it: its disk may come back.
"""

from __future__ import annotations

import json
from pathlib import Path

from gptstudio import files


def folders(file: Path) -> list[Path]:
    """Those in ``file``, in the order in which they were added; none where it is missing or damaged."""
    try:
        found = json.loads(file.read_bytes())
    except (OSError, ValueError):
        return []
    return [Path(path) for path in found if isinstance(path, str)] if isinstance(found, list) else []


def add(file: Path, folder: Path) -> None:
    """Adds a folder, once.

    Raises:
        OSError: ``file`` cannot be written.
    """
    _write(file, [*(path for path in folders(file) if path != folder), folder])


def remove(file: Path, folder: Path) -> None:
    """Takes a folder off the list; it stays where it is.

    Raises:
        OSError: ``file`` cannot be written.
    """
    _write(file, [path for path in folders(file) if path != folder])


def _write(file: Path, found: list[Path]) -> None:
    file.parent.mkdir(parents=True, exist_ok=True)
    files.write_whole(file, json.dumps([str(path) for path in found], indent=1).encode())
