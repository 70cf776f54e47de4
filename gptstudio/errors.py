"""Errors that the user can resolve."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import NamedTuple

from gptstudio.i18n import message
from gptstudio.i18n import text_of as text_of

LONGEST_NAME = 80


class UserError(Exception):
    """Error with a plain sentence for the user: what happened, what it means, and what to do. Never a traceback."""


@contextmanager
def os_errors(words: Callable[[object], str], kind: type[UserError] = UserError) -> Iterator[None]:
    """Context manager that raises an OSError as a UserError of this kind, with the message that ``words`` makes of its
    reason."""
    try:
        yield
    except OSError as error:
        raise kind(words(error.strerror or error)) from error


class Fault(NamedTuple):
    """Fault in a file: its line (0 for the file as a whole) and its description."""

    line: int
    what: str

    def message(self) -> str:
        """Return the fault as one line for display."""
        return message("line {line}: {what}", line=self.line, what=self.what) if self.line else self.what


def shown(name: object) -> str:
    """Return a name from a file for use in a sentence: on one line, printable and abbreviated."""
    name = str(name)
    text = "".join(char if char.isprintable() else "?" for char in name[:LONGEST_NAME])
    return text + "…" if len(name) > LONGEST_NAME else text
