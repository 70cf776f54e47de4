"""The texts in a folder, and what in it is left out. No torch."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from pathlib import Path

from gptstudio.data.encodings import TextError, in_words
from gptstudio.errors import shown
from gptstudio.i18n import joined, message

SUFFIXES = (".txt", ".md")
MOST_NAMED = 5
"""Files that are left out and named; of more, their number is said."""
HEAD = 2**12
"""Bytes from which a file is seen to be no text."""

LeftOut = tuple[Path, str]
"""A file of a folder that is left out, and why, in a word or two."""
Note = Callable[[str], object]
"""Called with a sentence about what was left out."""


def every_text(folder: Path) -> list[Path]:
    """Return all .txt and .md files of a folder by name, with those that are left out.

    Raises:
        OSError: it cannot be read.
    """
    return sorted(path for path in folder.iterdir() if path.suffix.lower() in SUFFIXES and path.is_file())


def usable(folder: Path) -> tuple[list[Path], list[LeftOut]]:
    """Return the .txt and .md files of a folder that can be texts, by name, and those that are left out: hidden files,
    among them those that macOS leaves on other systems' disks (``._name``), empty ones, and ones that are no text.

    Raises:
        OSError: it cannot be read.
    """
    every = [(path, _why_not(path)) for path in every_text(folder)]
    return [path for path, why in every if not why], [(path, why) for path, why in every if why]


def texts_in(folder: Path, note: Note) -> list[Path]:
    """Return the usable texts of a folder; ``note`` is told what is left out.

    Raises:
        TextError: there are none, or it cannot be read.
    """
    with in_words(folder):
        found, left_out = usable(folder)
    if not found:
        raise no_texts(folder, left_out)
    if left_out:
        note(left_out_words(folder, left_out))
    return found


def no_texts(folder: Path, left_out: Sequence[LeftOut]) -> TextError:
    """Return the error of a folder without texts."""
    words = message(
        "The folder {folder} contains no .txt or .md files. "
        "Choose a text file, or a folder that contains some.", folder=folder)
    return TextError(joined(" ", words, left_out_words(folder, left_out)) if left_out else words)


def left_out_words(folder: Path, left_out: Sequence[LeftOut]) -> str:
    """Return the sentence that says which files of a folder are left out."""
    names = [message("{file} ({why})", file=shown(path.name), why=why) for path, why in left_out[:MOST_NAMED]]
    if more := len(left_out) - MOST_NAMED:
        names += [message("{n} more", n=f"{more:,}")] if more > 0 else []
    return message("Left out of the folder {folder}: {files}.", folder=shown(folder.name), files=joined(", ", *names))


def _why_not(path: Path) -> str:
    if path.name.startswith("."):
        return message("hidden")
    try:
        with path.open("rb") as file:
            head = file.read(HEAD)
    except OSError as error:
        return error.strerror or str(error)
    if not head:
        return message("empty")
    marked = head.startswith((b"\xff\xfe", b"\xfe\xff", b"\x00\x00\xfe\xff"))
    wide = len(head) > 3 and (not any(head[1::2][:2]) or not any(head[::2][:2]))  # UTF-16 without a mark
    return message("not a text") if b"\x00" in head and not marked and not wide else ""
