"""Paths of the files that ship with the program, and of the user's files."""

from __future__ import annotations

import os
import sys
from functools import cache
from pathlib import Path

from platformdirs import site_config_path, user_data_path, user_log_path

APP = "gptstudio"
LESSON_ENDINGS = (".toml", ".gptlesson")
"""File name extensions of lessons; installers associate the second with the program."""


@cache
def resources() -> Path:
    """Return the folder of the files that ship with the program.

    Frozen app: next to the unpacked code. Installed wheel: inside the package. Checkout: next to the package.

    Raises:
        FileNotFoundError: the program was copied without its resources.
    """
    package = Path(__file__).resolve().parent
    frozen = getattr(sys, "_MEIPASS", None)
    for root in ([Path(frozen)] if frozen else []) + [package, package.parent]:
        if (root / "resources" / "gpt2" / "vocab.bpe").is_file():
            return root / "resources"
    raise FileNotFoundError(
        f"The files of GPT Studio (the folder 'resources') are not next to {package}. Reinstall GPT Studio."
    )


def user_data() -> Path:
    """Return the user's folder for runs and downloaded texts; ``GPTSTUDIO_HOME`` overrides it."""
    home = os.environ.get("GPTSTUDIO_HOME")
    return Path(home) if home else user_data_path(APP, appauthor=False)


def settings() -> list[Path]:
    """Return the possible paths of the settings file for all users of the computer; the first that exists is used.

    ``GPTSTUDIO_SETTINGS`` is the path of the only file to use; if it is empty, no file is used.
    """
    named = os.environ.get("GPTSTUDIO_SETTINGS")
    if named is not None:
        return [Path(named)] if named else []
    beside = [Path(sys.executable).parent] if getattr(sys, "frozen", False) else []
    everywhere = [Path("/etc") / APP] if sys.platform.startswith("linux") else []
    return [folder / "settings.toml" for folder in (*beside, site_config_path(APP, appauthor=False), *everywhere)]


def runs() -> Path:
    """Return the folder that has a subfolder for each run."""
    return user_data() / "runs"


def sweeps() -> Path:
    """Return the folder that has a subfolder for each sweep; a sweep's runs are among the other runs."""
    return user_data() / "sweeps"


def models() -> Path:
    """Return the folder that has a subfolder for each imported model."""
    return user_data() / "models"


def texts() -> Path:
    """Return the folder of the user's texts to train on."""
    return user_data() / "texts"


def tokens() -> Path:
    """Return the folder of the token ids of large texts; all of its content can be recomputed."""
    return user_data() / "cache" / "tokens"


def journals() -> Path:
    """Return the folder of the columns of long journals; all of its content can be recomputed."""
    return user_data() / "cache" / "journals"


def trees() -> Path:
    """Return the folder of branching texts whose model belongs to no run."""
    return user_data() / "trees"


def added_runs() -> Path:
    """Return the file that lists the run folders from elsewhere that were added to the list."""
    return user_data() / "added_runs.json"


def summaries() -> Path:
    """Return the file with a summary of each journal; all of its content can be recomputed."""
    return user_data() / "cache" / "runs.json"


def logs() -> Path:
    """Return the folder of the log and of crash reports. It is inside ``GPTSTUDIO_HOME`` if that is set."""
    return user_data() / "logs" if os.environ.get("GPTSTUDIO_HOME") else user_log_path(APP, appauthor=False)


def session() -> Path:
    """Return the file with the state of the window when it was closed."""
    return user_data() / "session.json"


def session_text() -> Path:
    """Return the file with the text that was on the Generate page when the window was closed."""
    return user_data() / "session_text.json"


def lesson_progress() -> Path:
    """Return the file with the progress in each lesson."""
    return user_data() / "lessons.json"


def language() -> Path:
    """Return the file with the language chosen for the window."""
    return user_data() / "language.txt"


def preferences() -> Path:
    """Return the file of the user's preferences."""
    return user_data() / "preferences.json"
