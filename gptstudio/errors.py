"""Errors that the user can resolve."""

from __future__ import annotations

from typing import NamedTuple

from gptstudio.i18n import Message, message

LONGEST_NAME = 80


class UserError(Exception):
    """A plain sentence for the user: what happened, what it means, what to do. Never a traceback."""


def text_of(error: Exception) -> str:
    """Return the words of an error; a message if they were made as one."""
    words = error.args[0] if error.args else ""
    return words if isinstance(words, Message) else str(error)


class Fault(NamedTuple):
    """One thing wrong with a file, and where; line 0 for the file as a whole."""

    line: int
    what: str

    def message(self) -> str:
        """Return a line to show."""
        return message("line {line}: {what}", line=self.line, what=self.what) if self.line else self.what


def shown(name: object) -> str:
    """Return a name from a file for use in a sentence: on one line, printable and abbreviated."""
    name = str(name)
    text = "".join(char if char.isprintable() else "?" for char in name[:LONGEST_NAME])
    return text + "…" if len(name) > LONGEST_NAME else text
