"""Length of a run, and the effect of training it longer."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Literal

from gptstudio.app.state import AppState
from gptstudio.errors import UserError
from gptstudio.fields import fields_of
from gptstudio.history import run_history
from gptstudio.history.comparison import shown_name
from gptstudio.i18n import message
from gptstudio.training import checkpoint_files
from gptstudio.training.events import RunStarted
from gptstudio.training.longer import longer_spec, schedule_notice, total_steps
from gptstudio.training.run_folder import RunFolder
from gptstudio.training.spec import TrainSpec

Unit = Literal["epochs", "steps"]


@dataclass(frozen=True)
class RunExtent:
    """Run with its requested length.

    Attributes:
        title: the user's name for it.
        started: event of its last start.
        done: number of steps up to the checkpoint from which it continues.
        peak: learning rate before the schedule, if it was changed while the run was paused.
        step_s: seconds per step, including its share of evaluations and samples; None if unknown.
        branch: checkpoint from which a new run continues instead; None: the run itself continues.
    """

    run: RunFolder
    title: str
    spec: TrainSpec
    started: RunStarted
    done: int
    peak: float | None = None
    step_s: float | None = None
    branch: Path | None = None

    @property
    def unit(self) -> Unit:
        """Unit in which the length of the run is set."""
        return "steps" if self.spec.steps else "epochs"

    @property
    def steps(self) -> int:
        """Total number of steps."""
        return total_steps(self.spec, self.started)

    def longer(self, more: int, unit: Unit) -> dict[str, int]:
        """Return the setting that gives the run more epochs or steps."""
        if unit == "epochs" and self.unit == "epochs":
            return {"epochs": self.spec.epochs + more}
        return {"steps": self.steps + more * (self.started.steps_per_epoch if unit == "epochs" else 1)}

    def most(self, unit: Unit) -> int:
        """Return the maximum number of additional epochs or steps."""
        high = {view.name: int(view.high or 1) for view in fields_of(TrainSpec) if view.name in ("epochs", "steps")}
        if unit == "epochs" and self.unit == "epochs":
            return max(1, high["epochs"] - self.spec.epochs)
        return max(1, (high["steps"] - self.steps) // (self.started.steps_per_epoch if unit == "epochs" else 1))

    def steps_with(self, longer: Mapping[str, int]) -> int:
        """Return the total number of steps with another setting."""
        return total_steps(longer_spec(self.spec, longer), self.started)

    def notice(self, longer: Mapping[str, int]) -> str:
        """Return a message about the effect on the schedule; empty for a constant learning rate."""
        return schedule_notice(self.spec, self.done, self.steps, self.steps_with(longer), self.peak)


def read(run: RunFolder, branch: Path | None = None) -> RunExtent:
    """Read the length of a run from its files. ``branch``: the checkpoint from which a new run continues.

    Raises:
        UserError: there is no checkpoint to continue from, or a file cannot be read.
    """
    record, history = run.record(), run_history.read(run.journal_path)
    start = branch or next(reversed(run.resumable()), None)
    if start is None or history.started is None:
        raise UserError(message("It has no checkpoint from which it could continue."))
    state = checkpoint_files.read_state(start)
    return RunExtent(run, shown_name(run), record.spec, history.started, state.step + 1,
                     state.learning_rate, history.step_s, branch)


def training_locked(state: AppState) -> str | None:
    """Return the reason why this computer's settings do not allow longer training, as a message; None if they do."""
    if "train" in state.locked_pages or "start" in state.locked_controls:
        return message("Training is locked by your instructor.")
    if {"train_epochs", "train_steps"} & state.locked_controls:
        return message("The number of epochs or steps is locked by your instructor.")
    return None


def longer_blocker(state: AppState) -> str | None:
    """Return the reason why the shown run cannot be trained longer now, as a message; None if it can."""
    run = state.run
    if state.running:
        return message("This window is training. Stop the run first.")
    if not run.started:
        return message("There is no run in the view.")
    if run.written_by:
        return message("This run is still in progress.")
    if all(each.model_only for each in run.checkpoints()):
        return message("It has no checkpoint from which it could continue.")
    return training_locked(state)
