"""Small JSON files of the program: used only if they are valid, and written completely or not at all.

Each kind has a field ``version``, which is at most the version that this program writes.
"""

from __future__ import annotations

from pathlib import Path
from typing import TypeVar

from pydantic import BaseModel, ValidationError

from gptstudio import files, log
from gptstudio.i18n import Message, message

Kept = TypeVar("Kept", bound=BaseModel)
newer_files: list[Message] = []
"""Messages about files of a newer version, until they are shown."""
_unread: set[Path] = set()
"""Files whose last reading failed because of the disk. Their content is unknown, so they are not replaced."""


def read(file: Path, kind: type[Kept], largest: int) -> Kept:
    """Return the content of a file, or the default of its kind if the file is missing, larger than ``largest`` bytes,
    or invalid.

    A file of a newer version is renamed, so that it is not overwritten.
    """
    _unread.discard(file)
    try:
        if file.stat().st_size > largest:
            raise ValueError(f"too large ({file.stat().st_size:,} bytes)")
        found = kind.model_validate_json(file.read_bytes())
    except FileNotFoundError:
        return kind()
    except (OSError, ValueError, RecursionError) as error:
        log.write_down()
        log.logger.warning("Could not read %s, so it counts as empty: %s", file, _why(error))
        if isinstance(error, OSError):
            _unread.add(file)
        if isinstance(error, ValidationError) and (version := _newer_version(error)):
            _set_aside(file, version)
        return kind()
    return found.model_copy(update={"version": kind.model_fields["version"].default})  # with which it is saved again


def keep(file: Path, value: BaseModel) -> bool:
    """Write a value to a file, and return whether it was written: not if the disk is full or read-only, or if the file
    could not be read the last time."""
    if file in _unread:
        return False
    try:
        file.parent.mkdir(parents=True, exist_ok=True)
        files.write_whole(file, value.model_dump_json().encode("utf-8", "replace"))
    except OSError as error:
        log.logger.warning("Could not save %s: %s", file, error)
        return False
    return True


def _newer_version(error: ValidationError) -> int:
    """Return the version in a file if it is newer than the known one; otherwise 0."""
    return next((each["input"] for each in error.errors()
                 if each["loc"] == ("version",) and each["type"] == "less_than_equal"), 0)


def _set_aside(file: Path, version: int) -> None:
    try:
        files.set_aside(file)
    except OSError as error:
        log.logger.warning("Could not set aside %s: %s", file, error)
        return
    newer_files.append(message(
        "{file} was saved by a newer version of GPT Studio (format {version}) and cannot be read by this one. GPT "
        "Studio starts without it; the file is kept, with “.aside” added to its name. To use it again, update GPT "
        "Studio and give the file its old name.", file=file, version=version))


def _why(error: Exception) -> str:
    return str(error).splitlines()[0] if not isinstance(error, ValidationError) else "; ".join(
        f"{'.'.join(map(str, each['loc']))}: {each['msg']}" for each in error.errors(include_input=False)[:5]
    )
