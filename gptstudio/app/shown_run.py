"""The run that is shown on the Train page: everything that its events have told, live or from its journal."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

from gptstudio import devices
from gptstudio.devices import DeviceLost
from gptstudio.errors import UserError
from gptstudio.history.anomalies import AnomalyDetector
from gptstudio.history.copied_words import last_sample_words
from gptstudio.history.run_history import History
from gptstudio.i18n import joined, message
from gptstudio.training import branching, checkpoint_files
from gptstudio.training.events import (
    CheckpointSaved,
    CopiesFound,
    Ended,
    Event,
    LearningRateChanged,
    PhaseChanged,
    RunStarted,
    StepDone,
    Warned,
)
from gptstudio.training.parent import Parent
from gptstudio.training.run_folder import RunFolder, step_of
from gptstudio.training.run_metrics import RunMetrics
from gptstudio.training.spec import TrainSpec

PHASES = {
    "loading": message("Loading"), "preparing": message("Preparing the model"), "training": message("Training"),
    "saving": message("Saving"), "paused": message("Paused"),
}
ANOMALY_LABELS = {"jump": message("jump"), "overfitting": message("overfitting")}


@dataclass(frozen=True)
class Mark:
    """Something to be marked on the curves, after a step that counts from 0. ``role`` is a role of the theme."""

    step: int
    text: str
    tip: str
    role: str = "muted"
    kind: str = ""


@dataclass(frozen=True)
class Continuation:
    """Offer to continue a run that ended early.

    Attributes:
        words, tip: why, for the user.
        first_step: from which it would go on, counted from 0.
        tenth: a tenth of its learning rate, after it diverged.
        device: on which to continue, if not on the chosen one.
        start: the checkpoint to continue from, if not the last.
        back: the last checkpoint before the loss jumped, after the run diverged.
    """

    run: RunFolder
    words: str
    first_step: int
    tip: str = ""
    tenth: float | None = None
    device: str | None = None
    start: Path | None = None
    back: Path | None = None


class ShownRun:
    """One run: its spec, its history and its figures, fed by events.

    Attributes:
        opened: its folder, where it is shown from its journal; None where this window trains it.
        written_by: who is writing it, if it is another window or program, as messages.
        parent: the run that it is a branch of, and from which step; beside: where its folder is, as far as known;
            parent_history: the parent's curves, once they are read.
        phase, notice, saved: what it does, a warning, and the last checkpoint, as messages.
    """

    def __init__(
        self, spec: TrainSpec | None = None, opened: RunFolder | None = None, written_by: tuple[str, ...] = (),
        parent: Parent | None = None, beside: Path | None = None,
    ) -> None:
        self.spec, self.opened, self.written_by = spec, opened, written_by
        self.parent, self.beside, self.parent_history = parent, beside, History()
        self.phase = self.notice = self.saved = ""
        self.clear()

    def clear(self) -> None:
        """Discard all that its events have told: they come again from the beginning."""
        self.history, self.metrics = History(), RunMetrics()
        self.anomalies: list[Mark] = []
        self._detector = AnomalyDetector()
        self._overfitting = "", ""  # the message about it, and the notice that was made of that
        self._next_rate: float | None = None

    @property
    def started(self) -> RunStarted | None:
        return self.history.started

    @property
    def last(self) -> StepDone | None:
        """Its last step."""
        return self.metrics.last

    @property
    def ended(self) -> Ended | None:
        return self.history.ended

    @property
    def folder(self) -> RunFolder | None:
        """Its folder, once it has started. A journal names the one it was written in, which may have been moved."""
        return self.opened or (RunFolder(Path(self.started.run)) if self.started else None)

    @property
    def learning_rate(self) -> float | None:
        """The learning rate of the next step, before the schedule; None while it is not known."""
        changes = self.history.learning_rates
        if self._next_rate is not None:
            return self._next_rate
        return changes[-1].learning_rate if changes else self.spec.learning_rate if self.spec else None

    def change_learning_rate(self, rate: float) -> None:
        """Note the learning rate that the next step takes."""
        self._next_rate = rate
        self.phase = message("Paused. The next step uses learning rate {rate:g}.", rate=rate)

    def checkpoints(self) -> list[CheckpointSaved]:
        """Return the checkpoints that are still on the disk: a run removes some for newer ones."""
        saved, folder = self.history.checkpoints, self.folder
        if not folder or not folder.checkpoint_folder.is_dir():
            return list(saved)
        return [each for each in saved if (folder.checkpoint_folder / Path(each.path).name).is_dir()]

    def marks(self) -> list[Mark]:
        """Return what is marked on the curves: other learning rates, anomalies."""
        rates = [Mark(
            each.step - 1, message("rate {rate}", rate=f"{each.learning_rate:g}"),
            message("From step {n} on, the learning rate is {rate}.",
                    n=f"{each.step + 1:,}", rate=f"{each.learning_rate:g}"),
        ) for each in self.history.learning_rates]
        return [*rates, *(
            replace(each, tip=self._with_copies(each.tip)) if each.kind == "overfitting" else each
            for each in self.anomalies)]

    def _say_overfitting(self, words: str) -> None:
        self.notice = self._with_copies(words)
        self._overfitting = words, self.notice

    def _with_copies(self, words: str) -> str:
        """Return words about overfitting with what the last sample has copied."""
        return joined(" ", words, *map(last_sample_words, self.history.copies_found[-1:]))

    def take(self, events: Sequence[Any]) -> None:
        """Take the next events; other messages are ignored."""
        self.history.add(*(event for event in events if isinstance(event, Event)))
        for event in events:
            self.metrics.take(event)
            self._take(event)
            anomaly = self._detector.update(event)
            if anomaly:
                label = ANOMALY_LABELS[anomaly.kind]
                self.anomalies.append(Mark(anomaly.step, label, anomaly.message, "amber", anomaly.kind))
                self.notice = anomaly.message
                if anomaly.kind == "overfitting":
                    self._say_overfitting(anomaly.message)

    def _take(self, event: Any) -> None:
        match event:
            case RunStarted():
                self.anomalies = [each for each in self.anomalies if each.step < event.first_step]
                if not event.first_step:
                    self.phase, self.notice, self.saved = PHASES["loading"], "", ""
            case CopiesFound() if self.notice and self.notice == self._overfitting[1]:
                self._say_overfitting(self._overfitting[0])
            case PhaseChanged():
                self.phase = PHASES.get(event.phase, event.phase)
            case LearningRateChanged():
                self._next_rate = None
            case CheckpointSaved() if not event.model_only:
                self.saved = message("Saved after step {n}", n=f"{event.step + 1:,}")
            case Warned():
                self.notice = event.message
            case Ended():
                self._end(event)

    def _end(self, ended: Ended) -> None:
        self.written_by = ()
        words = {"stopped": message("Stopped.")}
        if self.last:
            words = {
                "finished": message("Finished and saved. Try it in Generate."),
                "stopped": message("Stopped and saved. Continue it, or try it in Generate."),
            }
        self.phase = words.get(ended.outcome, "")
        if ended.outcome == "failed":
            self.notice = ended.message


def written_by(run: RunFolder) -> tuple[str, ...]:
    """Return who writes a run, as messages."""
    words = message("Another window or program is writing this run. You can view it here but not control it.")
    writer = run.writer
    if not writer:
        return (words,)
    who = message("Written by process {n} on {host} since {since}.",
                  n=writer.process, host=writer.host, since=f"{writer.since:%Y-%m-%d %H:%M}")
    return words, who


def where_saved(run: ShownRun) -> str:
    """Return where a run is that leaves the view, as a message; empty if nothing of it was saved."""
    if not run.folder or not run.folder.path.is_dir():
        return ""
    if run.ended and run.ended.outcome == "finished":
        return message("The run is saved: open it in Runs.")
    if run.checkpoints():
        return message("The run is saved: open or continue it in Runs.")
    return message("The run's log is in Runs; it ended before a checkpoint was saved.")


def continuation_after(run: ShownRun, ended: Ended) -> Continuation | None:
    """Return the offer to continue after this end; None where there is nothing to continue from."""
    if not (run.folder and run.started):
        return None
    tenth, device, start, rate = None, None, None, run.learning_rate
    if ended.error == "Diverged":
        words, tenth = message("Training diverged."), rate / 10 if rate else None
    elif ended.error == DeviceLost.__name__:
        words, device = message("The device failed."), devices.cpu().key
    elif ended.instead:
        words = message(
            "The last checkpoint is damaged, but an earlier one is intact. All training after it is lost.")
        start = Path(ended.instead)
    elif ended.outcome != "finished":
        words = message("Stopped early.")
    else:
        return None
    offer, back = _offer(run.folder, words, start), None
    if offer is None or (offer.first_step == run.started.total_steps and not _is_unfinished(run.folder)):
        return None
    if tenth:
        jumps = [each.step for each in run.anomalies if each.kind == "jump"]
        back = branching.before(run.folder, jumps[-1] if jumps else offer.first_step)
    return replace(offer, tenth=tenth, device=device, back=back)


def continuation_of_interrupted(run: RunFolder) -> Continuation | None:
    """Return the offer to continue a run that was found without an end: the program or the computer went down."""
    offer = _offer(run, message("The run {name} was interrupted.", name=run.name))
    return offer and replace(offer, tip=message(
        "The program was ended from outside, perhaps by the system for lack of memory, or the computer shut down. "
        "Everything up to the last checkpoint is saved."
    ))


def continuation_without(offer: Continuation | None, checkpoint: Path) -> Continuation | None:
    """Return what is left of an offer after a checkpoint was deleted, which may be the one to continue from."""
    if not offer or checkpoint.parent != offer.run.checkpoint_folder:
        return offer
    if offer.start == checkpoint:
        return None
    left = _offer(offer.run, offer.words, offer.start)
    return left and replace(offer, first_step=left.first_step)


def _is_unfinished(run: RunFolder) -> bool:
    """Return whether the last checkpoint lacks the evaluation or the sample of its step, which a stop interrupted."""
    try:
        return checkpoint_files.read_state(run.resumable()[-1]).unfinished
    except UserError:
        return False


def _offer(run: RunFolder, words: str, start: Path | None = None) -> Continuation | None:
    # A journal may name the checkpoint in a folder that the run was moved from, or, written by others, anything at all.
    saved = [path for path in run.resumable() if not start or path.name == start.name]
    return Continuation(run, words, step_of(saved[-1]) + 1, start=start and saved[-1]) if saved else None
