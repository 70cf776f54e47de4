"""What the training worker does: each job pours a run into its inbox."""

from __future__ import annotations

from gptstudio.gui.worker import Job, Post
from gptstudio.runs.control import Control
from gptstudio.runs.events import Ended, PhaseChanged, RunStarted
from gptstudio.runs.folder import RunFolder
from gptstudio.runs.launch import launch, resume
from gptstudio.runs.spec import TrainSpec


def training(spec: TrainSpec, control: Control, anyway: bool = False) -> Job:
    """One training run, from the text to the last checkpoint."""

    def job(post: Post) -> None:
        launch(spec, control, [post], anyway=anyway)

    return job


def resuming(run: RunFolder, control: Control, tell_journal: bool) -> Job:
    """A run goes on from its last checkpoint. ``tell_journal``: what happened so far is told first."""

    def job(post: Post) -> None:
        for event in run.events() if tell_journal else ():
            if isinstance(event, RunStarted):
                post(event.model_copy(update={"run": str(run.path)}))  # which may have been moved since
            elif not isinstance(event, (Ended, PhaseChanged)):
                post(event)
        resume(run, control, [post])

    return job
