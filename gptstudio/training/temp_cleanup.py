"""Cleanup of incomplete files left by killed programs, when the next one starts. No torch.

An incomplete checkpoint is removed at once if no process writes its run, which the run's lock shows. For the other
files no lock shows whether they are still being written: they are removed once they have not been modified for a day.
Files left by an export beside its target, which can be anywhere, are removed by the next export there; a partial
download in the cache of huggingface_hub is continued by the next download.
"""

from __future__ import annotations

from contextlib import suppress

from gptstudio import files, paths
from gptstudio.data.texts import VERDICT_FILE
from gptstudio.errors import UserError
from gptstudio.training import run_folder


def clear() -> None:
    """Remove all incomplete files that the disk allows to remove."""
    for run in run_folder.all_runs():
        if run.temp_files():
            with suppress(UserError, OSError), run.writing():  # else somebody is writing it
                run.remove_temp_files()
        for place in (run.path, run.path / "trees"):
            files.remove_temp_files(place)
    for place in (paths.runs(), paths.trees(), paths.tokens(), paths.tokens().parent):
        files.remove_temp_files(place)
    files.remove_temp_files(paths.models(), files.MODELS)
    files.remove_temp_files(paths.user_data(), files.ASIDE)  # a folder where others may keep something too
    files.remove_temp_files(paths.texts(), f"{VERDICT_FILE.removesuffix('.txt')}.part")
