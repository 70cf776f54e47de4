"""Versions of the files that the program writes and reads again. No torch.

A version is increased when an older program would misread the new files. The program refuses files of newer versions
with a message and reads files of older versions; ``tests/formats`` has a file of each version. All kinds, by file and
key: packaging/README.md, "Long life".
"""

from __future__ import annotations

from gptstudio.errors import UserError
from gptstudio.i18n import Message, message

RUN = 2
"""Version of ``run.json``, and of a checkpoint's ``state.json``, which also applies to the other files of a run.

1: a checkpoint is only a model. 2: a run has a title, and a checkpoint also holds the state that its run needs to
continue.
"""
SWEEP = 1
TREE = 1
REPORT = 3
"""1: without the learner, the goals of lessons and the samples. 2: without the bytes per token."""
SESSION = 5
"""1: without the run that was stopped when the window was closed. 2: without the colours of runs. 3: without the choice
to show all controls on Train. 4: without the recently opened files."""
PREFERENCES = 2
"""1: without the name of the learner."""
LESSON_PROGRESS = 3
"""1: without the runs that a lesson started, and without the lesson that was open. 2: without the settings before
that lesson."""
ADDED_RUNS = 1
"""Version 0.1 wrote only the list of folders, which counts as version 1."""
TOML = 1
"""Lessons, settings and sweeps, which people write: a file without a version has version 1."""


def is_newer(version: object, known: int) -> bool:
    """Return whether the version in a file is higher than the known one."""
    return isinstance(version, int) and version > known


def newer(what: object, version: object) -> Message:
    """Return the message about a file of a newer version."""
    return message(
        "{what} was saved by a newer version of GPT Studio (format {version}). Update GPT Studio to open it.",
        what=what, version=version)


def refuse_newer(values: object, known: int, what: object) -> None:
    """Check the format version in the values of a file.

    Raises:
        UserError: a newer version wrote ``what``.
    """
    version = values.get("format") if isinstance(values, dict) else None
    if is_newer(version, known):
        raise UserError(newer(what, version))
