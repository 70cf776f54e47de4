"""Manager of a run's checkpoints: decides when to save, which to keep, and restores a run from one."""

from __future__ import annotations

import math
import time
from collections.abc import Generator, Iterator, Mapping
from contextlib import suppress
from dataclasses import dataclass, field
from pathlib import Path

import torch
from torch import Tensor

from gptstudio import devices, files
from gptstudio.errors import UserError
from gptstudio.i18n import Message, joined, message
from gptstudio.training import checkpoint, checkpoint_files
from gptstudio.training.background_save import BackgroundSave, copied
from gptstudio.training.checkpoint_files import State
from gptstudio.training.events import CheckpointSaved, Event, PhaseChanged, Warned
from gptstudio.training.executor import error_text
from gptstudio.training.kept_checkpoints import best_of, lowest, superfluous
from gptstudio.training.run_folder import RunFolder, step_of
from gptstudio.training.run_lock import TakenOver
from gptstudio.training.spec import TrainSpec
from gptstudio.training.strategy import SINGLE_PROCESS, Strategy
from gptstudio.training.train_state import TrainState, load_state, resume_tensors
from gptstudio.units import bytes_text


@dataclass
class BestCopy:
    """Copy of the weights with the lowest validation loss so far, on the CPU, while no saved checkpoint has them.

    Attributes:
        weights: memory that is reused for each new lowest loss; empty except on rank zero.
        state: state of their checkpoint; None if there is nothing to save.
        first: True if it has the first validation loss that was measured.
    """

    weights: dict[str, Tensor] = field(default_factory=dict)
    state: State | None = None
    first: bool = False

    def take(self, weights: Mapping[str, Tensor], state: State, first: bool) -> None:
        """Copy ``weights``, which may be the trained tensors themselves."""
        for name, tensor in weights.items():
            if name in self.weights:
                self.weights[name].copy_(tensor)
            else:
                self.weights[name] = tensor.to("cpu", copy=True)
        self.state, self.first = state, first

    def is_better(self, val_loss: float | None) -> bool:
        """Return whether the copy has a lower validation loss than ``val_loss``, the last one measured."""
        best = self.state.val_loss if self.state else None
        return best is not None and not (val_loss is not None and val_loss <= best)

    def drop_for(self, saved: State) -> None:
        """Drop the copy if the saved checkpoint is of the same step or has a lower validation loss."""
        best = self.state
        if best and best.val_loss is not None and saved.val_loss is not None and (
            saved.step == best.step or saved.val_loss < best.val_loss
        ):
            self.state = None


COPY_SHARE = 0.5
"""Maximum fraction of the free memory of a GPU that a copy of a checkpoint may take, from which it is saved while the
run continues."""

SAVING_SHARE = 0.1
"""Maximum fraction of its time that a run spends on saving checkpoints that are due by time or by a new lowest loss."""

BEST_EVERY_S = 10
"""Minimum seconds before a checkpoint that is due by a new lowest validation loss."""


class CheckpointManager:
    """Saves the checkpoints of the run in ``folder``, and restores it from the checkpoint ``start`` if given. Only rank
    zero reads and writes files."""

    def __init__(
        self, spec: TrainSpec, folder: RunFolder, start: Path | None = None, strategy: Strategy = SINGLE_PROCESS
    ):
        self._spec, self._folder, self._strategy = spec, folder, strategy
        record, self._tokenizer = strategy.on_rank_zero(lambda: (folder.record(), folder.tokenizer()))
        # the spec may have more steps than the record, and a device other than the recorded one
        self._record = record.model_copy(update={"spec": spec.but(device=record.spec.device)})
        self._start = start
        self._state = strategy.on_rank_zero(lambda: checkpoint_files.read_state(start)) if start else None
        self._saved_at, self._saving_s = time.monotonic(), 0.0
        self._lowest = strategy.on_rank_zero(lambda: lowest(folder, start)) if start else None
        self._best = BestCopy()
        self._background: BackgroundSave | None = None

    @property
    def first_step(self) -> int:
        return self._state.step + 1 if self._state else 0

    @property
    def elapsed_s(self) -> float:
        return self._state.elapsed_s if self._state else 0.0

    def restore(self, state: TrainState) -> Iterator[Event]:
        """Restore the state from the checkpoint to continue from, and warn if there is no space for the next one.

        Raises:
            CheckpointError: it cannot be read, or belongs to another model.
        """
        if self._start and self._state:
            self._put_back(state, self._start, self._state)
            before, now = _computed_with(self._state.device, self._state.threads, state.device)
            if before != now:
                yield Warned(
                    message=message(
                        "This run was computed {before} and continues {now}. Sums are added in a different order, so "
                        "the last digits may differ.",
                        before=before, now=now,
                    )
                )
        free = self._strategy.on_rank_zero(lambda: files.free_bytes(self._folder.path))
        warning = checkpoint_files.space_warning(self._needed_bytes, free, self._folder.path)
        if warning:
            yield Warned(message=warning)

    def _put_back(self, state: TrainState, start: Path, saved: checkpoint_files.State) -> None:
        weights, tensors = {}, {}
        if self._strategy.is_rank_zero:
            weights, tensors = checkpoint.read_weights(start), checkpoint.load_resume(start)
            what = message("The weights in {path}", path=start / checkpoint_files.WEIGHTS)
            weights = checkpoint.fitting(weights, state.model, what)
        load_state(state, tensors)  # checks that the tensors belong to this run, so before the weights
        self._strategy.load_weights(state.model, weights)
        progress = state.progress
        progress.step, progress.epoch, progress.taken = saved.step + 1, saved.epoch, saved.taken
        progress.tokens_seen, progress.val_loss = saved.tokens_seen, saved.val_loss
        progress.lost_steps, progress.probe_ids = saved.lost_steps, list(saved.probe_ids)
        progress.evaluation_due, progress.sample_due = saved.evaluation_due, saved.sample_due
        progress.learning_rate = progress.learning_rate if saved.learning_rate is None else saved.learning_rate

    def save_if_due(self, state: TrainState, elapsed_s: float) -> Iterator[Event]:
        """Save a checkpoint if one is due. If the validation loss is the lowest so far and no checkpoint is saved, keep
        a copy of the weights, so that the best checkpoint is always from the best evaluation."""
        yield from self.finish_saving(wait=False)
        before = self._lowest
        improved = self._note_loss(state.progress.val_loss)
        saved = False
        if self.due(state, sooner=improved and before is not None):
            saved = yield from self.save(state, elapsed_s)
        if improved and not saved:
            kept = self._state_of(state, elapsed_s).model_copy(update={"best_alone": True})
            self._best.take(self._strategy.gather_weights(state.model), kept, first=before is None)

    def finish_step(self, state: TrainState, elapsed_s: float, ends: bool) -> Iterator[Event]:
        """Record the results of an interrupted evaluation and sample in the checkpoint of their step. If more steps
        follow, both stay due in the checkpoint, because its random state is from before them."""
        start, before, progress = self._start, self._state, state.progress
        if not start or not before or progress.evaluation_due:
            return
        after = before.model_copy(update={"val_loss": progress.val_loss} | ({
            "evaluation_due": False, "sample_due": progress.sample_due, "elapsed_s": elapsed_s,
            "journal_bytes": self._journal_bytes(),
        } if ends else {}))
        self._note_loss(progress.val_loss)
        if after == before:
            return
        try:
            if ends and before.evaluation_due:  # its random state is from before the evaluation
                self._write(state, after, resume_tensors(state), again=True)
            else:
                self._strategy.on_rank_zero(lambda: checkpoint_files.replace_state(start, after))
            if ends and self._strategy.is_rank_zero:
                self._folder.remove(superfluous(self._folder, self._spec.keep_others))
        except (UserError, OSError) as error:
            lost = message("The checkpoint of step {step} was not saved.", step=f"{before.step + 1:,}")
            yield Warned(message=joined(" ", lost, error_text(error)))
        else:
            yield self._strategy.on_rank_zero(lambda: self._saved(start, after))

    def due(self, state: TrainState, sooner: bool) -> bool:
        """Return whether a checkpoint is due: by the time since the last one, which is shorter with ``sooner`` (a new
        lowest validation loss), or at the end of every n-th epoch. None is due while the loss is far above random
        guessing, so that the last good checkpoint stays the newest."""
        if state.progress.lost_steps:
            return False
        every_s, every_epochs = self._spec.save_every_s, self._spec.save_every_epochs
        wait_s = min(every_s or 0, BEST_EVERY_S) if sooner else every_s or 0
        by_time = every_s is not None and not self._background and self._strategy.on_rank_zero(
            lambda: time.monotonic() - self._saved_at >= max(wait_s, self._saving_s / SAVING_SHARE)
        )
        by_epoch = every_epochs is not None and state.epoch_over and state.progress.epoch % every_epochs == 0
        return by_time or by_epoch

    def _note_loss(self, val_loss: float | None) -> bool:
        """Record a validation loss; return whether it is the first or lower than all before."""
        if val_loss is None or math.isnan(val_loss) or (self._lowest is not None and val_loss >= self._lowest):
            return False
        self._lowest = val_loss
        return True

    def save(self, state: TrainState, elapsed_s: float, final: bool = False) -> Generator[Event, None, bool]:
        """Save a checkpoint, then remove superfluous ones; return whether it was saved. A failure gives a warning, and
        the earlier checkpoints are kept. On a GPU with memory for a copy of the tensors, it is saved while the run
        continues.

        Args:
            final: the last save of a run: if a full checkpoint cannot be saved, save only the model, a third of its
                size.

        Raises:
            UserError, OSError: with ``final``, the model could not be saved either.
        """
        yield from self.finish_saving()
        if state.progress.step - 1 < self.first_step:  # stopped before the first new step
            yield from self._keep_learning_rate(state.progress.learning_rate)
            return False
        if not final and self._has_room_for_a_copy(state):
            return (yield from self._begin_saving(state, elapsed_s))
        start_s = time.monotonic()
        yield PhaseChanged(phase="saving")
        saved = yield from self._save(state, elapsed_s, final)
        self._saved_at = time.monotonic()
        self._saving_s = self._saved_at - start_s
        yield PhaseChanged(phase="training")
        return saved

    def _keep_learning_rate(self, rate: float) -> Iterator[Event]:
        """Record a learning rate in the checkpoint from which the run continued; warn if that fails."""
        start = self._start
        if not start:
            return
        try:
            self._strategy.on_rank_zero(
                lambda: checkpoint_files.keep_learning_rate(start, rate, self._journal_bytes()))
        except (UserError, OSError) as error:
            yield Warned(message=error_text(error))

    def _save(self, state: TrainState, elapsed_s: float, final: bool) -> Generator[Event, None, bool]:
        step = state.progress.step - 1
        try:
            saved = self._state_of(state, elapsed_s)
            yield from self._recreate_folder()
            path = self._write(state, saved, resume_tensors(state))
            yield from self._after_saving(path, saved)
            return True
        except TakenOver:
            raise
        except (UserError, OSError) as error:
            yield self._not_saved(step, error)
            if not final:
                return False
            yield from self._recreate_folder()
            saved = self._state_of(state, elapsed_s)
            path = self._write(state, saved, None)
            earlier = self._folder.full_checkpoints()
            yield Warned(message=joined(
                " ", message("Only the model could be saved. It can generate, but its run cannot continue from it."),
                *([message("The run can continue from its earlier checkpoint of step {n}.",
                           n=f"{step_of(earlier[-1]) + 1:,}")] if earlier else [])))
        yield from self._after_saving(path, saved)
        return True

    def _has_room_for_a_copy(self, state: TrainState) -> bool:
        """Return whether a checkpoint can be saved while the run continues."""
        on_gpu = self._strategy.size == 1 and state.device.startswith("cuda")
        return on_gpu and self._needed_bytes <= COPY_SHARE * devices.free_bytes(state.device)

    def _begin_saving(self, state: TrainState, elapsed_s: float) -> Generator[Event, None, bool]:
        """Begin to save a checkpoint while the run continues; return whether it was begun."""
        try:
            saved = self._state_of(state, elapsed_s)
            yield from self._recreate_folder()
        except TakenOver:
            raise
        except (UserError, OSError) as error:
            yield self._not_saved(state.progress.step - 1, error)
            return False
        self._background = BackgroundSave(
            saved, state.device, self._strategy.gather_weights(state.model, copied), resume_tensors(state, copied),
            lambda weights, resume: checkpoint.write(
                weights, self._folder.checkpoint_folder, saved, resume, self._tokenizer))
        self._saved_at = time.monotonic()
        return True

    def finish_saving(self, wait: bool = True) -> Iterator[Event]:
        """Report a checkpoint that was saved while the run continued; without ``wait``, only if it is complete."""
        ending = self._background
        if not ending or not (wait or ending.done):
            return
        if not ending.done:
            yield PhaseChanged(phase="saving")
            ending.wait()
            yield PhaseChanged(phase="training")
        self._background = None
        try:
            yield from self._after_saving(ending.path(), ending.state)
        except TakenOver:
            raise
        except (UserError, OSError) as error:
            yield self._not_saved(ending.state.step, error)
            kept = ending.state
            if kept.val_loss is not None and kept.val_loss == self._lowest and not kept.evaluation_due:
                self._best.take(ending.weights, kept.model_copy(update={"best_alone": True}), first=False)
        self._saved_at, self._saving_s = time.monotonic(), ending.seconds

    def close(self) -> None:
        """Wait for a checkpoint that is still being saved."""
        if self._background:
            self._background.wait()

    def _recreate_folder(self) -> Iterator[Event]:
        """Create the folder of the run again if it was deleted, with a warning."""
        if self._strategy.on_rank_zero(lambda: self._folder.recreate_if_deleted(self._record, self._tokenizer)):
            yield Warned(
                message=message(
                    "The folder of this run was deleted while the run was in progress. It was created again at "
                    "{path} for the model; the log of the steps so far is lost.",
                    path=self._folder.path,
                )
            )

    def _not_saved(self, step: int, error: Exception) -> Warned:
        lost = message("The checkpoint of step {step} was not saved.", step=f"{step + 1:,}")
        return Warned(message=joined(
            " ", lost, error_text(error), *([self._space()] if isinstance(error, OSError) else [])))

    def _after_saving(self, path: Path, saved: State) -> Iterator[Event]:
        """Report a saved checkpoint, save the copy of the best model if it is better, and remove superfluous
        checkpoints."""
        self._best.drop_for(saved)
        best = None  # after an interrupted evaluation, the loss is from an earlier step and may still become worse
        earlier = self._best.state
        if earlier and earlier.step <= saved.step and (self._best.is_better(saved.val_loss) or saved.evaluation_due):
            best = self._strategy.on_rank_zero(lambda: self._write_best(earlier))
            if isinstance(best, CheckpointSaved):
                self._best.state = None  # in each process
        yield self._strategy.on_rank_zero(lambda: self._saved(path, saved))
        if best:
            yield best
        # a model without resume data does not replace other checkpoints
        if self._strategy.is_rank_zero and (path / checkpoint_files.RESUME).is_file():
            self._folder.remove(superfluous(self._folder, self._spec.keep_others))

    @property
    def best_wait_s(self) -> float | None:
        """Seconds of a pause after which the copy of the best model should be saved; None if there is no copy."""
        return BEST_EVERY_S if self._best.state else None

    def save_best(self, state: TrainState) -> Iterator[Event]:
        """Save the copy of the best model when a run fails or pauses for long. If only one validation loss was
        measured, it is not saved. Each process decides on its own, because others may have failed elsewhere."""
        with suppress(RuntimeError):  # the device may have failed
            yield from self.finish_saving()
        best = self._best.state
        worth = best and (self._best.is_better(state.progress.val_loss) or not self._best.first)
        if best and worth and self._strategy.is_rank_zero and self._folder.is_ours:
            event = self._write_best(best)
            if isinstance(event, CheckpointSaved):
                self._best.state = None
            yield event

    def _write_best(self, best: checkpoint_files.State) -> Event:
        """Save the copy of the best model as a checkpoint, and return the event: saved, or a warning if it failed."""
        try:
            return self._saved(checkpoint.write(
                self._best.weights, self._folder.checkpoint_folder, best, tokenizer=self._tokenizer), best)
        except (UserError, OSError) as error:
            lost = message("The model of step {step}, which has the lowest validation loss, was not saved.",
                           step=f"{best.step + 1:,}")
            return Warned(message=joined(" ", lost, error_text(error)))

    def _saved(self, path: Path, saved: checkpoint_files.State) -> CheckpointSaved:
        return CheckpointSaved(
            step=saved.step, path=str(path), val_loss=saved.val_loss, bytes=checkpoint_files.size(path),
            best=path == best_of(self._folder), model_only=not (path / checkpoint_files.RESUME).is_file(),
        )

    def _space(self) -> str:
        """Describe the space needed by a checkpoint, and the free space."""
        free = self._strategy.on_rank_zero(lambda: files.free_bytes(self._folder.path))
        return message(
            "Needed: {needed}; free at {path}: {free}.", needed=bytes_text(self._needed_bytes),
            free=bytes_text(free), path=self._folder.path,
        )

    @property
    def _needed_bytes(self) -> int:
        return checkpoint_files.needed_bytes(self._spec)

    def _state_of(self, state: TrainState, elapsed_s: float) -> checkpoint_files.State:
        progress = state.progress
        return checkpoint_files.State(
            config=state.model.cfg, step=progress.step - 1, epoch=progress.epoch, tokens_seen=progress.tokens_seen,
            val_loss=progress.val_loss, taken=progress.taken, learning_rate=progress.learning_rate,
            lost_steps=progress.lost_steps, evaluation_due=progress.evaluation_due, sample_due=progress.sample_due,
            probe_ids=list(progress.probe_ids), elapsed_s=elapsed_s,
            threads=torch.get_num_threads(), device=state.device,
            journal_bytes=self._strategy.on_rank_zero(self._journal_bytes),
        )

    def _journal_bytes(self) -> int:
        """Flush the journal, so that it has the recorded length even after a power failure; return its length."""
        journal = self._folder.journal_path
        with suppress(OSError):
            files.flush(journal)
        return journal.stat().st_size if journal.is_file() else 0

    def _write(
        self, state: TrainState, saved: checkpoint_files.State, resume: dict[str, torch.Tensor] | None,
        again: bool = False,
    ) -> Path:
        weights = self._strategy.gather_weights(state.model)
        return self._strategy.on_rank_zero(
            lambda: checkpoint.write(weights, self._folder.checkpoint_folder, saved, resume, self._tokenizer, again)
        )


def _computed_with(device: str, threads: int, device_now: str) -> tuple[str, str]:
    """Describe the old and the new device, or else number of threads, which change the order of sums. Older checkpoints
    do not record the device."""
    kinds = [each.split(":")[0] for each in (device or device_now, device_now)]
    if kinds[0] != kinds[1]:
        return message("on {device}", device=device), message("on {device}", device=device_now)
    return _threads(threads), _threads(torch.get_num_threads())


def _threads(count: int) -> Message:
    return message("with {n} thread", n=count) if count == 1 else message("with {n} threads", n=count)
