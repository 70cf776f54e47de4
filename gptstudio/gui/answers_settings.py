"""Check of the paths in this computer's settings on disk: it may be a network drive, which is slow."""

from __future__ import annotations

from dataclasses import dataclass

from gptstudio.data import texts
from gptstudio.errors import Fault
from gptstudio.gui.worker import Job, Post
from gptstudio.settings import Settings


@dataclass(frozen=True)
class SettingsChecked:
    """The texts that are offered besides those that ship, and what the settings name and is not there."""

    texts: tuple[str, ...]
    faults: tuple[Fault, ...]


def check_settings_paths(settings: Settings) -> Job:
    def job(post: Post) -> None:
        post(SettingsChecked(tuple(map(str, texts.shared())), tuple(settings.missing_paths())))

    return job
