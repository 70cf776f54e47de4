"""Hand-in of a report: written to the folder of a class under the name of its learner. No torch."""

from __future__ import annotations

import errno
import unicodedata
from itertools import count
from pathlib import Path

from gptstudio import files
from gptstudio.errors import UserError
from gptstudio.history.guesses import Learner
from gptstudio.history.report import writing
from gptstudio.history.report.reading import Reported
from gptstudio.history.run_data import read_report
from gptstudio.i18n import Message, message

LONGEST_STEM, LONGEST_STEM_BYTES = 60, 120
"""Characters of the name of a file, and its bytes in UTF-8: some disks of sticks and servers take 143."""
UNNAMED = "learner"
WHY = {
    (errno.ENOSPC, errno.EDQUOT, errno.EFBIG): message("The disk is full."),
    (errno.EACCES, errno.EPERM, errno.EROFS): message("The folder is read-only."),
    (errno.ENOENT, errno.ENODEV, errno.ENXIO, errno.EIO, errno.ENOTDIR, errno.ESTALE, errno.ENOTCONN): message(
        "The folder is not there any more: a stick may have been removed, or the network may be down."),
}
"""Reasons why a file cannot be written, by the errors of the system."""


def file_stem(name: str) -> str:
    """Return the name of the file of a learner, without ending: letters, marks, digits and punctuation that every
    system and stick takes. Emoji and other symbols, control characters and marks of direction are left out."""
    name = unicodedata.normalize("NFC", name)
    kinds = ((char, unicodedata.category(char)[0]) for char in name if not "\ufe00" <= char <= "\ufe0f")
    plain = " ".join("".join(
        char if kind in "LMNP" else " " for char, kind in kinds if char.isspace() or kind != "C").split())
    short = plain.strip(". ").encode()[:LONGEST_STEM_BYTES].decode(errors="ignore")
    return files.portable(short, LONGEST_STEM) if short.strip(". ") else UNNAMED


def write(report: Reported, folder: Path) -> Path:
    """Write a report of a learner into the folder of a class, and return its file.

    The file that the same learner has handed in before is replaced; the file of another learner of the same name is
    left alone, and this one gets a number.

    Raises:
        UserError: it cannot be written; nothing of it is left, and the file of before is as it was.
    """
    learner = report.learner or Learner(name="")
    data, stem = writing.html(report).encode(), file_stem(learner.name)
    for number in count(1):
        path = folder / (f"{stem}.html" if number == 1 else f"{stem} ({number}).html")
        try:
            if not path.exists():
                files.write_whole(path, data, new=True)
            elif is_of(path, learner):
                files.write_whole(path, data)
            else:
                continue
        except FileExistsError:  # another computer was faster
            continue
        except OSError as error:
            raise UserError(not_written(folder, error)) from error
        return path
    raise AssertionError


def is_of(path: Path, learner: Learner) -> bool:
    """Return whether a file is a report that this learner has handed in.

    Raises:
        OSError: it cannot be read.
    """
    try:
        found = read_report(path).learner
    except UserError:
        return False
    return found is not None and found.id == learner.id


def not_written(folder: Path, error: OSError) -> Message:
    """Return the words for a report that could not be written."""
    why = next((words for numbers, words in WHY.items() if error.errno in numbers), error.strerror or str(error))
    return message("Not handed in: nothing was written to {folder}. {why} Try again, choose another folder, or let "
                   "your instructor photograph the code.", folder=folder, why=why)
