"""The run shown on the Train page: the content of its events, live or from its journal, sentences about it, and the
offer to continue it if it ended early."""

from __future__ import annotations

import math
import os
import re
from collections.abc import Iterable
from contextlib import suppress
from dataclasses import dataclass, replace
from operator import itemgetter
from pathlib import Path

from gptstudio import devices
from gptstudio.devices import DeviceLost
from gptstudio.errors import UserError
from gptstudio.gpt.tokenizer import GPT2, Tokenizer
from gptstudio.history.anomalies import Anomaly, AnomalyDetector, FoundAnomaly
from gptstudio.history.comparison import shown_name
from gptstudio.history.copied_words import last_sample_words
from gptstudio.history.journal_reader import EventBatch, RareEvent, batches_of
from gptstudio.history.run_history import History, words_of_rate
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
from gptstudio.training.run_folder import Parent, RunFolder, step_of
from gptstudio.training.run_metrics import SPEED_WINDOW, RunMetrics
from gptstudio.training.spec import TrainSpec

PHASES = {
    "loading": message("Loading"), "preparing": message("Preparing the model"),
    "compiling": message("Compiling the model"), "training": message("Training"), "saving": message("Saving"),
    "paused": message("Paused"),
}


@dataclass(frozen=True)
class RunMark:
    """Mark on the curves after a step, counted from 0. ``role`` is a colour role of the theme."""

    step: int
    text: str
    tip: str
    role: str = "muted"
    kind: str = ""


class ShownRun:
    """Run with its spec, its history and its figures, fed by events, or by batches of events from its journal.

    Attributes:
        opened: its folder, if it is shown from its journal; None if this window trains it.
        written_by: the other window or program that is writing it, if any, as messages.
        parent: run and step from which it branched.
        beside: location of its folder, as far as known, in which the parent is searched.
        parent_history: curves of the parent, once they have been read.
        table_loss: validation loss of a 3-gram table of its training text; None while unknown.
        phase, notice, saved: its phase, a warning, and the last checkpoint, as messages.
        earlier: location of the run that was shown before, until the first checkpoint of this run.
    """

    def __init__(
        self, spec: TrainSpec | None = None, opened: RunFolder | None = None, written_by: tuple[str, ...] = (),
        parent: Parent | None = None, beside: Path | None = None,
    ) -> None:
        self.spec, self.opened, self.written_by = spec, opened, written_by
        self.parent, self.beside, self.parent_history = parent, beside, History()
        self.phase = self.notice = self.saved = self.earlier = ""
        self.table_loss: float | None = None
        self.clear()

    def clear(self) -> None:
        """Discard everything learned from its events, which will be sent again from the beginning."""
        self.history, self.metrics = History(), RunMetrics()
        self.anomalies: list[RunMark] = []
        self._detector = AnomalyDetector()
        self._copies: list[CopiesFound] = []  # of the last sample
        self._overfitting = "", ""  # the message about it, and the notice made from the message
        self._next_rate: float | None = None
        self._tokenizer: Tokenizer | None = None
        self._listed: set[str] | None = None  # names of the checkpoints on the disk, once they have been read

    @property
    def tokenizer(self) -> Tokenizer:
        """Tokenizer of its model; GPT-2's if it has no folder yet, or if the tokenizer cannot be read."""
        if self._tokenizer is None and self.folder:
            try:
                self._tokenizer = self.folder.tokenizer()
            except UserError:
                return GPT2
        return self._tokenizer or GPT2

    @property
    def started(self) -> RunStarted | None:
        return self.history.started

    @property
    def last(self) -> StepDone | None:
        """Last step, or None before the first."""
        return self.metrics.last

    @property
    def ended(self) -> Ended | None:
        return self.history.ended

    @property
    def folder(self) -> RunFolder | None:
        """Folder of the run, once it has started. A journal names its original folder, which may have been moved."""
        return self.opened or (RunFolder(Path(self.started.run)) if self.started else None)

    @property
    def learning_rate(self) -> float | None:
        """Learning rate of the next step, before the schedule; None while unknown."""
        changes = self.history.learning_rates
        if self._next_rate is not None:
            return self._next_rate
        return changes[-1].learning_rate if changes else self.spec.learning_rate if self.spec else None

    def change_learning_rate(self, rate: float) -> None:
        """Record the learning rate of the next step, and show it in the phase."""
        self._next_rate = rate
        self.phase = message("Paused. The next step uses learning rate {rate:g}.", rate=rate)

    @property
    def warns_of_overfitting(self) -> bool:
        """True if the notice is about overfitting, which Train also shows below the curves."""
        return bool(self.notice) and self.notice == self._overfitting[1]

    def checkpoints(self) -> list[CheckpointSaved]:
        """Return the checkpoints that are still on the disk, or all if that cannot be read; a run removes some when it
        saves newer ones. The disk, which may be slow, is read only after an event that can change them, or after
        :meth:`list_again`."""
        if self._listed is None:
            self._listed = {Path(each.path).name for each in self.history.checkpoints}
            with suppress(OSError):
                self._listed = set(os.listdir(self.folder.checkpoint_folder)) if self.folder else set()
        return [each for each in self.history.checkpoints if Path(each.path).name in self._listed]

    def list_again(self) -> None:
        """Read the disk the next time that the checkpoints are needed."""
        self._listed = None

    def marks(self) -> list[RunMark]:
        """Return the marks on the curves: changes of the learning rate, and anomalies."""
        rates = [RunMark(each.step - 1, *words_of_rate(each)) for each in self.history.learning_rates]
        return [*rates, *(
            replace(each, tip=_with_copies(each.tip, self._copies)) if each.kind == "overfitting" else each
            for each in self.anomalies)]

    def take(self, items: Iterable[object]) -> None:
        """Process the next events and batches of events; other items are ignored."""
        for batch in batches_of(items):
            self._take_batch(batch)

    def _take_batch(self, batch: EventBatch) -> None:
        self.history.take(batch)
        self._take_figures(batch)
        in_order: list[FoundAnomaly | RareEvent] = [*self._detector.take(batch), *batch.rare]
        for each in sorted(in_order, key=itemgetter(0, 1)):  # an anomaly precedes the messages after it
            if isinstance(each, FoundAnomaly):
                self._note(each.anomaly)
            else:
                self.metrics.take(each.event)
                self._take(each.event)

    def _take_figures(self, batch: EventBatch) -> None:
        """Update the metrics with the last steps of a batch and its largest memory use."""
        for step in batch.steps_at(slice(-SPEED_WINDOW - 1, None)):
            self.metrics.take(step)
        if len(batch.memory):
            self.metrics.take(batch.most_memory())

    def _note(self, anomaly: Anomaly) -> None:
        if anomaly.kind == "overfitting":  # found again after the run was continued from before the evaluation
            self.anomalies = [each for each in self.anomalies if each.kind != anomaly.kind]
        self.anomalies.append(RunMark(anomaly.step, anomaly.label, anomaly.message, "amber", anomaly.kind))
        if anomaly.kind == "overfitting":
            self._say_overfitting(anomaly.message)
        else:
            self.notice = anomaly.message

    def _say_overfitting(self, words: str) -> None:
        self.notice = _with_copies(words, self._copies)
        self._overfitting = words, self.notice

    def _take(self, event: Event) -> None:
        if isinstance(event, (RunStarted, PhaseChanged, CheckpointSaved, Ended)):
            self.list_again()
        match event:
            case RunStarted():
                self.anomalies = [each for each in self.anomalies if each.step < event.first_step]
                self._copies = self.history.copies_found[-1:]
                if not event.first_step:
                    self.phase, self.notice, self.saved = PHASES["loading"], "", ""
            case CopiesFound():
                self._copies = [event]
                if self.warns_of_overfitting:
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


def _with_copies(words: str, found: list[CopiesFound]) -> str:
    """Append sentences about copied passages in the last sample to a message about overfitting."""
    return joined(" ", words, *map(last_sample_words, found))


def written_by(run: RunFolder) -> tuple[str, ...]:
    """Return who is writing a run, as messages."""
    words = message("Another window or program is writing this run. You can view it here but not control it.")
    writer = run.writer
    if not writer:
        return (words,)
    who = message("Written by process {n} on {host} since {since}.",
                  n=writer.process, host=writer.host, since=f"{writer.since:%Y-%m-%d %H:%M}")
    return words, who


def where_saved(run: ShownRun) -> str:
    """Return the location of a run that leaves the view, as a message; empty if nothing of it was saved."""
    if not run.folder or not os.path.isdir(run.folder.path):
        return ""
    if run.ended and run.ended.outcome == "finished":
        return message("The run is saved: open it in Runs.")
    if run.checkpoints():
        return message("The run is saved: open or continue it in Runs.")
    return message("The run's log is in Runs; it ended before a checkpoint was saved.")


DIVERGED = 1.5
"""Multiple of the loss of random guessing above which a run counts as diverged."""
SHOWN = 44
"""Maximum number of characters of a sample in a sentence."""
OVERFITTING = "training#loss"
"""Section of the manual with remedies for overfitting."""


def caption(run: ShownRun, vocabulary: int) -> str:
    """Return a sentence about the losses of a run so far, as a message. ``vocabulary``: size of its vocabulary."""
    guess = math.log(vocabulary)
    losses = [float(each) for each in run.history.evaluations["val_loss"] if math.isfinite(each)]
    began = min(losses[0], guess) if losses else guess  # new weights may be slightly worse than random guessing
    if not run.started:
        return message(
            "The loss says how surprised the model is by the next token. With random weights it is that of random "
            "guessing ({guess}); while the model learns, it falls.", guess=f"{guess:.1f}")
    if overfitting(run):
        return message(
            "The training loss still falls, but the validation loss no longer does: the model now memorises its "
            "training text. This is overfitting.")
    if losses and losses[-1] > DIVERGED * guess:
        return message(
            "The loss is far above that of random guessing ({guess}): the model predicts worse than before its "
            "training.", guess=f"{guess:.1f}")
    if len(losses) < 2 or losses[-1] >= began:
        return message(
            "The loss says how surprised the model is by the next token. It starts at random guessing ({guess}) and "
            "falls while the model learns.", guess=f"{guess:.1f}")
    return message(
        "The validation loss has fallen from {first} to {last}: on text that it has not seen, the model is as unsure "
        "as if it chose among {few} tokens, where it began with {many}.",
        first=f"{losses[0]:.1f}", last=f"{losses[-1]:.1f}", few=_choices(losses[-1]), many=_choices(began))


def result(run: ShownRun, first: str | None) -> str:
    """Return a message about the effect of a finished run: the text before its first step, if known, and its last
    sample."""
    samples = run.history.samples
    words = message("Your model is trained.")
    if not samples or not run.spec:
        return words
    prompt = run.spec.sample_prompt
    before, after = first or samples[0].text, samples[-1].text
    if before == after:
        return words
    return joined(" ", words, message(
        "From “{before}” to “{after}”.", before=_beginning(before, prompt), after=_beginning(after, prompt)))


def overfitting(run: ShownRun) -> str:
    """Return a sentence about the overfitting of a run, as a message; empty if none was found."""
    step = next((each.step for each in run.anomalies if each.kind == "overfitting"), None)
    return "" if step is None else message(
        "From step {n} on it has been memorising its training text (overfitting).", n=f"{step + 1:,}")


def is_finished(run: ShownRun) -> bool:
    """Return whether a run has completed all its steps."""
    return run.ended is not None and run.ended.outcome == "finished" and run.last is not None


def _choices(loss: float) -> str:
    return f"{math.exp(loss):,.0f}"


def _beginning(text: str, prompt: str) -> str:
    """Return the beginning of the text after a prompt, in one line."""
    words = re.sub(r"\s+", " ", text.removeprefix(prompt)).strip()
    return words if len(words) <= SHOWN else f"{words[:SHOWN].rstrip()}…"


@dataclass(frozen=True)
class Continuation:
    """Offer to continue a run that ended early.

    Attributes:
        words, tip: the reason, for the user.
        first_step: first step of the continuation, counted from 0.
        lower_rate: learning rate to continue with, after it diverged.
        device: device of the continuation, if not the chosen one.
        start: checkpoint to continue from, if not the last.
        back: last checkpoint before the loss jumped, after the run diverged.
    """

    run: RunFolder
    words: str
    first_step: int
    tip: str = ""
    lower_rate: float | None = None
    device: str | None = None
    start: Path | None = None
    back: Path | None = None


def continuation_after(run: ShownRun, ended: Ended) -> Continuation | None:
    """Return the offer to continue a run after it ended; None if there is nothing to continue from."""
    if not (run.folder and run.started):
        return None
    lower_rate, device, start, rate = None, None, None, run.learning_rate
    if ended.error == "Diverged":
        words = message("Training diverged.")
        lower_rate = run.spec.chosen_optimizer.lower_rate(rate) if run.spec and rate else None
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
    if lower_rate:
        jumps = [each.step for each in run.anomalies if each.kind == "jump"]
        back = branching.before(run.folder, jumps[-1] if jumps else offer.first_step)
    return replace(offer, lower_rate=lower_rate, device=device, back=back)


def continuation_of_interrupted(run: RunFolder) -> Continuation | None:
    """Return the offer to continue a run that was interrupted because the program or the computer stopped."""
    offer = _offer(run, message("The run {name} was interrupted.", name=shown_name(run)))
    return offer and replace(offer, tip=message(
        "The program was ended from outside, perhaps by the system for lack of memory, or the computer shut down. "
        "Everything up to the last checkpoint is saved."
    ))


def continuation_without(offer: Continuation | None, checkpoint: Path) -> Continuation | None:
    """Return the offer after a checkpoint was deleted, which may have been its start; None if nothing is left."""
    if not offer or checkpoint.parent != offer.run.checkpoint_folder:
        return offer
    if offer.start == checkpoint:
        return None
    left = _offer(offer.run, offer.words, offer.start)
    return left and replace(offer, first_step=left.first_step)


def _is_unfinished(run: RunFolder) -> bool:
    """Return whether the last checkpoint lacks the evaluation or the sample of its step, because a stop interrupted
    it."""
    try:
        return checkpoint_files.read_state(run.resumable()[-1]).unfinished
    except UserError:
        return False


def _offer(run: RunFolder, words: str, start: Path | None = None) -> Continuation | None:
    # Match checkpoints by name: a journal may name a folder from which the run has been moved or, if others wrote it,
    # anything.
    saved = [path for path in run.full_checkpoints() if not start or path.name == start.name]
    if not saved:
        return None
    earlier = start or saved[-1:] != run.resumable()[-1:]  # for later ones, memory sufficed only for the model
    return Continuation(run, words, step_of(saved[-1]) + 1, start=saved[-1] if earlier else None)
