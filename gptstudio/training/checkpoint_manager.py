"""Checkpoints of a run: when they are saved, which are kept, and how a run resumes from one."""

from __future__ import annotations

import math
import time
from collections.abc import Iterator
from contextlib import suppress
from pathlib import Path

import torch

from gptstudio import files
from gptstudio.errors import UserError
from gptstudio.gpt import sizing
from gptstudio.i18n import Message, joined, message
from gptstudio.training import checkpoint, checkpoint_files
from gptstudio.training.events import CheckpointSaved, Event, PhaseChanged, Warned
from gptstudio.training.executor import in_words
from gptstudio.training.run_folder import RunFolder, step_of
from gptstudio.training.spec import TrainSpec
from gptstudio.training.strategy import SINGLE_PROCESS, Strategy
from gptstudio.training.train_state import TrainState, load_state, resume_tensors

SAVING_SHARE = 0.1
"""The share of its time that a run may spend on checkpoints that are due by time, or by a new lowest loss."""

BEST_EVERY_S = 10
"""Least seconds between two checkpoints of which the later one is due by a new lowest validation loss."""


class CheckpointManager:
    """Save the checkpoints of ``folder``'s run, and resume from ``start`` if it is a checkpoint of it. Of several
    processes the one of rank zero reads and writes, and the others follow it."""

    def __init__(
        self, spec: TrainSpec, folder: RunFolder, start: Path | None = None, strategy: Strategy = SINGLE_PROCESS
    ):
        self._spec, self._folder, self._strategy = spec, folder, strategy
        self._record = strategy.on_rank_zero(folder.record)
        self._start = start
        self._state = strategy.on_rank_zero(lambda: checkpoint_files.read_state(start)) if start else None
        self._saved_at, self._saving_s = time.monotonic(), 0.0
        self._lowest = strategy.on_rank_zero(lambda: _lowest(folder)) if start else None

    @property
    def first_step(self) -> int:
        return self._state.step + 1 if self._state else 0

    @property
    def elapsed_s(self) -> float:
        return self._state.elapsed_s if self._state else 0.0

    def restore(self, state: TrainState) -> Iterator[Event]:
        """Restore the state of the saved checkpoint, and check that there is space for the next one.

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
        needed = self._needed_bytes
        free = self._strategy.on_rank_zero(lambda: files.free_bytes(self._folder.path))
        if free < needed * 1.05:
            yield Warned(
                message=message(
                    "A checkpoint needs {needed} MB and 5 % in reserve, but only {free} MB are free at {path}. Free "
                    "some space before the first checkpoint is due, or the trained model cannot be saved.",
                    needed=f"{needed / sizing.MB:,.0f}", free=f"{free / sizing.MB:,.0f}",
                    path=self._folder.path,
                )
            )

    def _put_back(self, state: TrainState, start: Path, saved: checkpoint_files.State) -> None:
        weights, tensors = {}, {}
        if self._strategy.is_rank_zero:
            weights, tensors = checkpoint.read_weights(start), checkpoint.load_resume(start)
            what = message("The weights in {path}", path=start / checkpoint_files.WEIGHTS)
            weights = checkpoint.fitting(weights, state.model, what)
        load_state(state, tensors)  # which may refuse what does not belong to this run, so the weights come after
        self._strategy.load_weights(state.model, weights)
        progress = state.progress
        progress.step, progress.epoch, progress.taken = saved.step + 1, saved.epoch, saved.taken
        progress.tokens_seen, progress.val_loss = saved.tokens_seen, saved.val_loss
        progress.lost_steps = saved.lost_steps
        progress.evaluation_due, progress.sample_due = saved.evaluation_due, saved.sample_due
        progress.learning_rate = progress.learning_rate if saved.learning_rate is None else saved.learning_rate

    def due(self, state: TrainState) -> bool:
        """Return whether a checkpoint is due: a number of seconds after the last, sooner where the validation loss is
        the lowest so far, or at the end of every n-th epoch. None is while the loss is far above random guessing, so
        that the last good one stays the newest."""
        improved = self._improved(state.progress.val_loss)
        if state.progress.lost_steps:
            return False
        every_s, every_epochs = self._spec.save_every_s, self._spec.save_every_epochs
        wait_s = min(every_s or 0, BEST_EVERY_S) if improved else every_s or 0
        by_time = every_s is not None and self._strategy.on_rank_zero(
            lambda: time.monotonic() - self._saved_at >= max(wait_s, self._saving_s / SAVING_SHARE)
        )
        by_epoch = every_epochs is not None and state.epoch_over and state.progress.epoch % every_epochs == 0
        return by_time or by_epoch

    def _improved(self, val_loss: float | None) -> bool:
        """Return whether a validation loss is lower than all before it, of which there must be one."""
        if val_loss is None or math.isnan(val_loss):
            return False
        before = self._lowest
        self._lowest = val_loss if before is None else min(before, val_loss)
        return before is not None and val_loss < before

    def save(self, state: TrainState, elapsed_s: float, final: bool = False) -> Iterator[Event]:
        """Save a checkpoint, then remove superfluous ones. A failure is reported, and the earlier checkpoints are kept.

        Args:
            final: the last save of a run: if there is no space for all, only the model, a third of it, is saved.

        Raises:
            UserError, OSError: that failed as well.
        """
        if state.progress.step - 1 < self.first_step:
            return  # stopped before anything was learned
        start_s = time.monotonic()
        yield PhaseChanged(phase="saving")
        yield from self._save(state, elapsed_s, final)
        self._saved_at = time.monotonic()
        self._saving_s = self._saved_at - start_s
        yield PhaseChanged(phase="training")

    def _save(self, state: TrainState, elapsed_s: float, final: bool) -> Iterator[Event]:
        step = state.progress.step - 1
        try:
            if not self._strategy.on_rank_zero((self._folder.path / "run.json").is_file):
                self._strategy.on_rank_zero(lambda: self._folder.write(self._record))
                yield Warned(
                    message=message(
                        "The folder of this run was deleted while the run was in progress. It was created again at "
                        "{path} for the model; the log of the steps so far is lost.",
                        path=self._folder.path,
                    )
                )
            path = self._write(state, elapsed_s, resume_tensors(state))
        except (UserError, OSError) as error:
            lost = message("The checkpoint of step {step} was not saved.", step=f"{step + 1:,}")
            yield Warned(message=joined(
                " ", lost, in_words(error), *([self._space()] if isinstance(error, OSError) else [])))
            if not final:
                return
            path = self._write(state, elapsed_s, None)
            yield Warned(message=message(
                "Only the model could be saved. It can generate, but its run cannot continue from it.",
            ))
        size, best = self._strategy.on_rank_zero(lambda: (checkpoint_files.size(path), best_of(self._folder)))
        yield CheckpointSaved(
            step=step, path=str(path), val_loss=state.progress.val_loss, bytes=size, best=path == best
        )
        # a model alone takes nothing's place
        if self._strategy.is_rank_zero and (path / checkpoint_files.RESUME).is_file():
            self._folder.remove(_superfluous(self._folder, best, self._spec.keep_others))

    def _space(self) -> str:
        """Describe the space that a checkpoint needs, and the free space."""
        needed = self._needed_bytes / sizing.MB
        free = self._strategy.on_rank_zero(lambda: files.free_bytes(self._folder.path)) / sizing.MB
        return message(
            "Needed: {needed} MB; free at {path}: {free} MB.", needed=f"{needed:,.1f}", free=f"{free:,.1f}",
            path=self._folder.path,
        )

    @property
    def _needed_bytes(self) -> int:
        return checkpoint.needed_bytes(self._spec.config, self._spec.freeze, self._spec.freeze_blocks)

    def _write(self, state: TrainState, elapsed_s: float, resume: dict[str, torch.Tensor] | None) -> Path:
        progress, journal = state.progress, self._folder.journal_path
        with suppress(OSError):  # so that after a power cut it is as long as the checkpoint says
            files.flush(journal)
        saved = checkpoint_files.State(
            config=state.model.cfg, step=progress.step - 1, epoch=progress.epoch, tokens_seen=progress.tokens_seen,
            val_loss=progress.val_loss, taken=progress.taken, learning_rate=progress.learning_rate,
            lost_steps=progress.lost_steps, evaluation_due=progress.evaluation_due, sample_due=progress.sample_due,
            elapsed_s=elapsed_s, threads=torch.get_num_threads(), device=state.device,
            journal_bytes=journal.stat().st_size if journal.is_file() else 0,
        )
        weights = self._strategy.gather_weights(state.model)
        return self._strategy.on_rank_zero(
            lambda: checkpoint.write(weights, self._folder.checkpoint_folder, saved, resume)
        )


def _computed_with(device: str, threads: int, device_now: str) -> tuple[str, str]:
    """Describe the difference that changes the order of sums: before, now. Older checkpoints name no device."""
    kinds = [each.split(":")[0] for each in (device or device_now, device_now)]
    if kinds[0] != kinds[1]:
        return message("on {device}", device=device), message("on {device}", device=device_now)
    return _threads(threads), _threads(torch.get_num_threads())


def _threads(count: int) -> Message:
    return message("with {n} thread", n=count) if count == 1 else message("with {n} threads", n=count)


def best_of(folder: RunFolder) -> Path | None:
    """The checkpoint with the lowest validation loss; of equals the earliest. None where no loss was measured."""
    losses = _losses(folder)
    return min(losses, key=lambda path: losses[path], default=None)


def _lowest(folder: RunFolder) -> float | None:
    return min(_losses(folder).values(), default=None)


def _losses(folder: RunFolder) -> dict[Path, float]:
    """Validation losses of the checkpoints where one was measured, the earliest first."""
    losses = {}
    for path in folder.checkpoints():
        try:
            loss = checkpoint_files.read_state(path).val_loss
        except UserError:
            continue  # damaged: not the best, whatever it was
        if loss is not None and loss == loss:
            losses[path] = loss
    return losses


def _superfluous(folder: RunFolder, best: Path | None, others: int) -> list[Path]:
    """Return the checkpoints that are neither the last, nor the best, nor among the newest ``others`` of the rest."""
    rest = [path for path in folder.checkpoints()[:-1] if path != best]
    return sorted(rest, key=step_of)[: max(0, len(rest) - others)]
