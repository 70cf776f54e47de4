"""The system's trash, to which a run, a checkpoint or a model is moved, and from which it can be restored.

On every system, Qt reports the path in the trash, which is needed to restore an item.
"""

from __future__ import annotations

import os
import sys
from contextlib import suppress
from dataclasses import dataclass
from pathlib import Path
from typing import Literal

from gptstudio.errors import UserError, os_errors
from gptstudio.i18n import message

Kind = Literal["run", "checkpoint"]
"""Kinds that the window can restore; models are restored in the file manager."""


@dataclass(frozen=True)
class Trashed:
    """Folder in the trash. ``path``: its original path; ``kept``: its path in the trash, None if unknown."""

    path: Path
    kept: Path | None


def move(path: Path) -> Trashed:
    """Move a folder to the system's trash.

    Raises:
        UserError: the trash did not accept it; it is unchanged.
    """
    from PySide6.QtCore import QFile  # late import: the state refers to this module and needs no Qt

    file = QFile(str(path))
    if not file.moveToTrash():  # Qt reports the reason of its last attempt, not the relevant one
        raise UserError(message(
            "Could not move {path} to the trash: the system did not take it; some disks have no trash. Nothing was "
            "changed. You can delete it in the file manager.", path=path))
    kept = Path(file.fileName())
    return Trashed(path, kept if kept != path else None)


def restore(trashed: Trashed) -> None:
    """Move a folder back to its original path, without overwriting anything.

    Raises:
        UserError: it is no longer in the trash, its path is occupied, or the disk failed.
    """
    path, kept = trashed.path, trashed.kept
    if kept is None or not os.path.isdir(kept):
        raise UserError(message(
            "“{name}” is no longer where the trash kept it. Look for it in the trash in the file manager.",
            name=path.name))
    if os.path.lexists(path):
        raise UserError(message(
            "{path} exists again, so nothing was restored. Rename or move what is there, then restore once more.",
            path=path))
    with os_errors(lambda why: message(
            "Could not restore {path}: {why}. It is still in the trash; you can restore it in the file manager.",
            path=path, why=why)):
        path.parent.mkdir(parents=True, exist_ok=True)
        kept.rename(path)
    _forget(kept)


def _forget(kept: Path) -> None:
    """Remove the trash's record of the item's origin, which would list an item that is gone."""
    if sys.platform == "win32":
        note = kept.with_name(kept.name.replace("$R", "$I", 1))
    elif sys.platform == "darwin":
        return
    else:
        note = kept.parent.parent / "info" / f"{kept.name}.trashinfo"
    if note != kept:
        with suppress(OSError):
            note.unlink()
