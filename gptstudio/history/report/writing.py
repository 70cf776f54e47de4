"""Writing of a report: one HTML file without network access or scripts, written completely or not at all.

A report that is handed in is written to the folder of a class, under the name of its learner.
"""

from __future__ import annotations

import errno
import unicodedata
from datetime import datetime
from itertools import count
from pathlib import Path

import gptstudio
from gptstudio import files, paths
from gptstudio.errors import UserError
from gptstudio.history.guesses import Learner
from gptstudio.history.report import sections
from gptstudio.history.report.page import cut, element, isolated, written
from gptstudio.history.report.reading import Reported, ReportedRun
from gptstudio.history.run_data import data_of, read_report, to_html
from gptstudio.i18n import Message, message

POLICY = "default-src 'none'; style-src 'unsafe-inline'; img-src data:"
"""Content security policy of the page: nothing is fetched, and no script runs."""
LONGEST_TITLE = 200


def write(run: Reported, path: Path) -> int:
    """Write a report; return its size in bytes.

    Raises:
        UserError: the file cannot be written; no partial file is left.
    """
    data = html(run).encode()
    files.save_whole(path, data)
    return len(data)


def html(run: Reported) -> str:
    """Return the page, titled with the name of the learner if it is handed in, otherwise with the name of the run."""
    say, name = run.say, run.learner.name if run.learner else ""
    title = cut(name or run.title, LONGEST_TITLE)
    head = element(
        "head", element("meta", charset="utf-8"), element("meta", http_equiv="Content-Security-Policy", content=POLICY),
        element("meta", name="viewport", content="width=device-width, initial-scale=1"),
        element("meta", name="generator", content=f"GPT Studio {gptstudio.__version__}"), element("title", title),
        element("style", (paths.resources() / "report.css").read_text(encoding="utf-8")))
    now = f"{datetime.now():%Y-%m-%d %H:%M}"
    created = say(message(
        "Report of a training run of {created}, written on {now}", created=f"{run.record.created:%Y-%m-%d %H:%M}",
        now=now) if isinstance(run, ReportedRun) else message("Report of lessons, written on {now}", now=now))
    foot = say(message(
        "Written by GPT Studio {version}. This page loads nothing from the network and runs no scripts. It contains "
        "the figures of the run as data, which Class view in GPT Studio reads.", version=gptstudio.__version__))
    main = element(
        "main", element("header", element("h1", isolated(title, LONGEST_TITLE)),
                        element("p", isolated(run.title, LONGEST_TITLE)) if name and run.title else None,
                        element("p", created, class_="muted")),
        *sections.written(run), element("footer", foot))
    page = element("html", head, element("body", main), lang=run.language.replace("_", "-"))
    return "<!DOCTYPE html>\n" + written(page).replace("</body>", to_html(data_of(run)) + "</body>", 1)


LONGEST_STEM, LONGEST_STEM_BYTES = 60, 120
"""Largest number of characters in the name of a file, and of bytes in UTF-8: some USB sticks and servers allow 143."""
UNNAMED = "learner"
WHY = {
    (errno.ENOSPC, errno.EDQUOT, errno.EFBIG): message("The disk is full."),
    (errno.EACCES, errno.EPERM, errno.EROFS): message("The folder is read-only."),
    (errno.ENOENT, errno.ENODEV, errno.ENXIO, errno.EIO, errno.ENOTDIR, errno.ESTALE, errno.ENOTCONN): message(
        "The folder is not there any more: a stick may have been removed, or the network may be down."),
}
"""Reasons why a file cannot be written, by error numbers of the system."""


def file_stem(name: str) -> str:
    """Return the name of a learner's file, without ending: letters, marks, digits and punctuation that all systems and
    USB sticks allow. Emoji and other symbols, control characters and directional marks are dropped."""
    name = unicodedata.normalize("NFC", name)
    kinds = ((char, unicodedata.category(char)[0]) for char in name if not "\ufe00" <= char <= "\ufe0f")
    plain = " ".join("".join(
        char if kind in "LMNP" else " " for char, kind in kinds if char.isspace() or kind != "C").split())
    short = plain.strip(". ").encode()[:LONGEST_STEM_BYTES].decode(errors="ignore")
    return files.portable(short, LONGEST_STEM) if short.strip(". ") else UNNAMED


def hand_in(report: Reported, folder: Path) -> Path:
    """Write a report of a learner into the folder of a class, and return its file.

    A file that the same learner has handed in before is replaced; the file of another learner with the same name is
    kept, and a number is appended to the new name.

    Raises:
        UserError: the file cannot be written; no partial file is left, and an earlier file is unchanged.
    """
    learner = report.learner or Learner(name="")
    data, stem = html(report).encode(), file_stem(learner.name)
    for number in count(1):
        path = folder / (f"{stem}.html" if number == 1 else f"{stem} ({number}).html")
        try:
            if not path.exists():
                files.write_whole(path, data, new=True)
            elif is_of(path, learner):
                files.write_whole(path, data)
            else:
                continue
        except FileExistsError:  # another computer has just created it
            continue
        except OSError as error:
            raise UserError(not_written(folder, error)) from error
        return path
    raise AssertionError


def is_of(path: Path, learner: Learner) -> bool:
    """Return whether a file is a report that this learner has handed in.

    Raises:
        OSError: the file cannot be read.
    """
    try:
        found = read_report(path).learner
    except UserError:
        return False
    return found is not None and found.id == learner.id


def not_written(folder: Path, error: OSError) -> Message:
    """Return the message about a report that could not be written."""
    why = next((words for numbers, words in WHY.items() if error.errno in numbers), error.strerror or str(error))
    return message("Not handed in: nothing was written to {folder}. {why} Try again, choose another folder, or let "
                   "your instructor photograph the code.", folder=folder, why=why)
