"""Jobs of the training worker: each posts a run's events to its inbox; and the handling of errors there."""

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
    run: RunFolder, control: Control, report_journal: bool, device: str | None = None, start: Path | None = None
) -> Job:
    """Resume a run from its last checkpoint, or from ``start``.

    Args:
        report_journal: send the events so far first.
        device: that it continues on, if not the one it was requested for.
    """

    def job(post: Post) -> None:
        for event in run.events() if report_journal else ():
            if isinstance(event, RunStarted):
                post(event.model_copy(update={"run": str(run.path)}))  # which may have been moved since
            elif not isinstance(event, (Ended, PhaseChanged)):
                post(event)
        resume(run, control, [post], start, device=device)

    return job


def with_end(messages: Iterable[Any]) -> list[Any]:
    """Replace the failure of a job outside a run by the end of the run; the window shows the error itself."""
    return [Ended(outcome="failed", message="") if isinstance(each, Failed) else each for each in messages]
