"""Events <-> lines of JSON in a file. A journal can be read while it is written, and after it was cut off."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

from pydantic import ValidationError

from gptstudio.runs.events import Event, from_json, to_json


class Journal:
    """A sink that appends each event as one line, at once."""

    def __init__(self, path: Path):
        self._file = path.open("a", encoding="utf-8")

    def __call__(self, event: Event) -> None:
        self._file.write(to_json(event) + "\n")
        self._file.flush()

    def close(self) -> None:
        self._file.close()


def read(path: Path) -> Iterator[Event]:
    """The events of a journal in order. Lines that are no events (a last one cut off) are left out."""
    if not path.is_file():
        return
    with path.open("rb") as lines:
        for line in lines:
            try:
                yield from_json(line)
            except ValidationError:
                continue
