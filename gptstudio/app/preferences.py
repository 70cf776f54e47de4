"""The user's preferences that are neither settings of a run nor state of the window; saved between starts."""

from __future__ import annotations

import os
import secrets
from pathlib import Path
from typing import Annotated, Literal

from pydantic import BaseModel, Field

from gptstudio import formats, paths
from gptstudio.app import kept_model
from gptstudio.history.guesses import LONGEST_LEARNER
from gptstudio.units import use_units

LARGEST_BYTES = 64 * 1024
"""A larger file was not written by this program."""


class Preferences(BaseModel, frozen=True, extra="forbid", strict=True):
    """Preferences of the user.

    Attributes:
        units: units of memory and files, a name in ``units.UNITS``.
        text: name of the text for a new user's first run, one of the included texts.
        folder: initial folder for exported files; empty: the home folder.
        autosave_s: seconds between two saves of the window's state; 0: save only when it is closed.
        threads: number of torch's threads, from the next start on; 0: one for each processor.
        reduced_motion: whether nothing on the screen moves automatically.
        learner: name with which work was last handed in; empty until then.
        learner_id: identifier that distinguishes learners of the same name; empty until then.
    """

    version: Annotated[int, Field(ge=1, le=formats.PREFERENCES)] = formats.PREFERENCES
    units: Literal["book", "iec", "decimal"] = "book"
    text: Literal["verdict", "story", "grimm", "luxun"] = "verdict"
    folder: Annotated[str, Field(max_length=4096)] = ""
    autosave_s: Literal[0, 20, 60, 300] = 20
    threads: Annotated[int, Field(ge=0, le=1024)] = 0
    reduced_motion: bool = False
    learner: Annotated[str, Field(max_length=LONGEST_LEARNER)] = ""
    learner_id: Annotated[str, Field(pattern="^[0-9a-f]{0,32}$")] = ""

    def apply(self) -> None:
        """Apply the preferences, as far as this process still can: the number of threads only before torch is
        imported."""
        use_units(self.units)
        if self.threads:
            os.environ.setdefault("OMP_NUM_THREADS", str(self.threads))


_now = Preferences()
_unsaved: dict[str, object] = {}
"""Changes that could not be saved yet."""


def current() -> Preferences:
    """Return the preferences in force."""
    return _now


def change(**values: object) -> Preferences:
    """Change some preferences, apply them, and save them for the next start. Others in the file stay as they are:
    another window may have changed them."""
    new = Preferences.model_validate(_now.model_dump() | values)
    _use(new)
    _unsaved.update(values)
    if kept_model.keep(paths.preferences(), _saved().model_copy(update=_unsaved)):
        _unsaved.clear()
    return new


def read() -> Preferences:
    """Read the saved preferences and apply them; a file that cannot be read counts as empty."""
    _use(_saved())
    return _now


def learner_id() -> str:
    """Return the identifier that distinguishes this computer's learner from others of the same name; made by the first
    call."""
    known = _now.learner_id or _saved().learner_id  # another window may have made it
    return known or change(learner_id=secrets.token_hex(8)).learner_id


def export_folder() -> Path:
    """Return the folder to propose for a new file."""
    chosen = Path(_now.folder) if _now.folder else Path.home()
    return chosen if os.path.isdir(chosen) else Path.home()


def _saved() -> Preferences:
    return kept_model.read(paths.preferences(), Preferences, LARGEST_BYTES)


def _use(preferences: Preferences) -> None:
    global _now
    _now = preferences
    preferences.apply()
