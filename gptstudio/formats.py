"""Versions of the files that the program writes and reads again. No torch.

A version is raised where an older program would read the new files wrongly. What a newer program wrote is refused in
words; what an older one wrote is read, and ``tests/formats`` has a file of each version. The kinds, by file and
key: packaging/README.md, "Long life".
"""

from __future__ import annotations

from gptstudio.errors import UserError
from gptstudio.i18n import Message, message

RUN = 2
"""``run.json``, and ``state.json`` of a checkpoint; the other files of a run are as these say.

1: a checkpoint is a model alone. 2: a run has a title; a checkpoint also holds what its run needs to continue.
"""
SWEEP = 1
TREE = 1
REPORT = 2
"""1: without the learner, the goals of lessons and the samples."""
SESSION = 4
"""1: without the run that was stopped when the window was closed. 2: without the colours of runs. 3: without
whether Train shows all controls."""
PREFERENCES = 2
"""1: without the name of the learner."""
LESSON_PROGRESS = 2
"""1: without the runs that a lesson began, and without the lesson that was open."""
ADDED_RUNS = 1
"""Version 0.1 wrote the list of folders alone, which counts as 1."""
TOML = 1
"""Lessons, settings and sweeps, which people write: without a version, they are of 1."""


def is_newer(version: object, known: int) -> bool:
    """Return whether a version in a file is above the one that is known."""
    return isinstance(version, int) and version > known


def newer(what: object, version: object) -> Message:
    """Return the words for a file of a newer version."""
    return message(
        "{what} was saved by a newer version of GPT Studio (format {version}). Update GPT Studio to open it.",
        what=what, version=version)


def refuse_newer(values: object, known: int, what: object) -> None:
    """Check the format that the values of a file state.

    Raises:
        UserError: ``what`` was written by a newer version.
    """
    version = values.get("format") if isinstance(values, dict) else None
    if is_newer(version, known):
        raise UserError(newer(what, version))
