"""Small JSON files of the program's own: read back only where they are right, and written whole."""

from __future__ import annotations

from pathlib import Path
from typing import TypeVar

from pydantic import BaseModel, ValidationError

from gptstudio import files, log

Kept = TypeVar("Kept", bound=BaseModel)


def read(file: Path, kind: type[Kept], largest: int) -> Kept:
    """Return what a file holds; the default of its kind if it is missing, larger than so many bytes, or not right."""
    try:
        if file.stat().st_size > largest:
            raise ValueError(f"too large ({file.stat().st_size:,} bytes)")
        return kind.model_validate_json(file.read_bytes())
    except FileNotFoundError:
        return kind()
    except (OSError, ValueError, RecursionError) as error:
        log.write_down()
        log.logger.warning("Could not read %s, so it counts as empty: %s", file, _why(error))
        return kind()


def keep(file: Path, value: BaseModel) -> None:
    """Write a value; a disk that is full or read-only costs no more than this."""
    try:
        file.parent.mkdir(parents=True, exist_ok=True)
        files.write_whole(file, value.model_dump_json().encode("utf-8", "replace"))
    except OSError as error:
        log.logger.warning("Could not save %s: %s", file, error)


def _why(error: Exception) -> str:
    return str(error).splitlines()[0] if not isinstance(error, ValidationError) else "; ".join(
        f"{'.'.join(map(str, each['loc']))}: {each['msg']}" for each in error.errors(include_input=False)[:5]
    )
