"""One run of the list of runs."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path
from typing import Literal

from gptstudio.history.summary import RunSummary

State = Literal["live", "finished", "stopped", "failed", "interrupted"]


@dataclass(frozen=True)
class RunEntry:
    """One run of the list. ``live``: a process is writing it; ``interrupted``: none is, and it has no end.

    ``saved``: it has a checkpoint.
    """

    summary: RunSummary
    state: State
    saved: bool

    @property
    def path(self) -> Path:
        return self.summary.folder.path
