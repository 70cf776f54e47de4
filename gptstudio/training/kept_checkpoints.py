"""Which checkpoints of a run are kept, and which of them is the best. No torch."""

from __future__ import annotations

from pathlib import Path

from gptstudio.errors import UserError
from gptstudio.training import checkpoint_files
from gptstudio.training.run_folder import RunFolder, step_of


def best_of(folder: RunFolder) -> Path | None:
    """The checkpoint with the lowest validation loss; of equals the earliest. None where no loss was measured."""
    losses = _losses(folder)
    return min(losses, key=lambda path: losses[path], default=None)


def lowest(folder: RunFolder, start: Path) -> float | None:
    """Return the lowest validation loss up to the checkpoint from which the run continues; later ones come again."""
    last = step_of(start)
    return min((loss for path, loss in _losses(folder).items() if step_of(path) <= last), default=None)


def _losses(folder: RunFolder) -> dict[Path, float]:
    """Validation losses of the checkpoints where one was measured, the earliest first."""
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
    """Return the checkpoints that are neither the last, nor the best, nor among the newest ``others`` of the rest. A
    model that was saved alone because it was the best is none of the rest."""
    best, resumable = best_of(folder), folder.resumable()
    alone = [path for path in folder.checkpoints() if path != best and path not in resumable]
    rest = [path for path in resumable[:-1] if path != best]
    return alone + sorted(rest, key=step_of)[: max(0, len(rest) - others)]
