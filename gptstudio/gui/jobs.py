"""What the training worker does: each job pours a run into its inbox; and how whatever breaks there ends."""

from __future__ import annotations

from collections.abc import Iterable
from pathlib import Path
from typing import Any

from gptstudio.gui.worker import Failed, Job, Post
from gptstudio.training.control import Control
from gptstudio.training.events import Ended, PhaseChanged, RunStarted
from gptstudio.training.launch import launch, resume
from gptstudio.training.run_folder import RunFolder
from gptstudio.training.spec import TrainSpec


def training(spec: TrainSpec, control: Control, anyway: bool = False) -> Job:
    """One training run, from the text to the last checkpoint."""

    def job(post: Post) -> None:
        launch(spec, control, [post], anyway=anyway)

    return job


def resuming(
    run: RunFolder, control: Control, tell_journal: bool, device: str | None = None, start: Path | None = None
) -> Job:
    """A run goes on from its last checkpoint, or from ``start``.

    Args:
        tell_journal: what happened so far is told first.
        device: where it goes on, if not where it was asked to run.
    """

    def job(post: Post) -> None:
        for event in run.events() if tell_journal else ():
            if isinstance(event, RunStarted):
                post(event.model_copy(update={"run": str(run.path)}))  # which may have been moved since
            elif not isinstance(event, (Ended, PhaseChanged)):
                post(event)
        resume(run, control, [post], start, device=device)

    return job


def with_end(messages: Iterable[Any]) -> list[Any]:
    """A job that broke outside a run still ends it on the screen; what broke it is told across the window."""
    return [Ended(outcome="failed", message="") if isinstance(each, Failed) else each for each in messages]
