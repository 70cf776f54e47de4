"""Cleanup at start-up of incomplete files left by killed programs. No torch.

An incomplete checkpoint is removed at once if no process holds the lock of its run. Other files have no lock: they are
removed when they have not been modified for a day. Files left by an export next to its target, which can be anywhere,
are removed by the next export there; a partial download in the cache of huggingface_hub is continued by the next
download.
"""

from __future__ import annotations

from contextlib import suppress

from gptstudio import files, paths
from gptstudio.data.texts import VERDICT_FILE
from gptstudio.errors import UserError
from gptstudio.training import run_folder


def clear() -> None:
    """Remove all incomplete files that can be removed."""
    for run in run_folder.all_runs():
        if run.temp_files():
            with suppress(UserError, OSError), run.writing():  # otherwise a process is writing it
                run.remove_temp_files()
        for place in (run.path, run.path / "trees"):
            files.remove_temp_files(place)
    for place in (paths.runs(), paths.trees(), paths.tokens(), paths.tokens().parent):
        files.remove_temp_files(place)
    files.remove_temp_files(paths.models(), files.MODELS)
    files.remove_temp_files(paths.user_data(), files.ASIDE)  # other programs may use this folder too
    files.remove_temp_files(paths.texts(), f"{VERDICT_FILE.removesuffix('.txt')}.part")
