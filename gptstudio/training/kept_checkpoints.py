"""Choice of the checkpoints of a run to keep, and of the best one. No torch."""

from __future__ import annotations

from pathlib import Path

from gptstudio.errors import UserError
from gptstudio.training import checkpoint_files
from gptstudio.training.run_folder import RunFolder, step_of


def best_of(folder: RunFolder) -> Path | None:
    """Return the checkpoint with the lowest validation loss, the earliest in a tie; None if no loss was measured."""
    losses = _losses(folder)
    return min(losses, key=lambda path: losses[path], default=None)


def best_or_last(folder: RunFolder) -> Path:
    """Return the best checkpoint; the last one if no loss was measured.

    Raises:
        UserError: there is none.
    """
    return best_of(folder) or folder.newest_checkpoint()


def lowest(folder: RunFolder, start: Path) -> float | None:
    """Return the lowest validation loss up to the checkpoint ``start``, from which the run continues."""
    last = step_of(start)
    return min((loss for path, loss in _losses(folder).items() if step_of(path) <= last), default=None)


def _losses(folder: RunFolder) -> dict[Path, float]:
    """Return the validation losses of the checkpoints that have one, earliest first."""
    losses = {}
    for path in folder.checkpoints():
        try:
            loss = checkpoint_files.read_state(path).val_loss
        except UserError:
            continue  # damaged, so not the best
        if loss is not None and loss == loss:
            losses[path] = loss
    return losses


def superfluous(folder: RunFolder, others: int) -> list[Path]:
    """Return the checkpoints that are neither the last, nor the best, nor among the newest ``others`` of the rest.
    Models saved only because they were the best do not count as part of the rest."""
    best, resumable = best_of(folder), folder.resumable()
    alone = [path for path in folder.checkpoints() if path != best and path not in resumable]
    rest = [path for path in resumable[:-1] if path != best]
    return alone + sorted(rest, key=step_of)[: max(0, len(rest) - others)]
