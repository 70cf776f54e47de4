"""Offers to continue a run that ended early."""

from __future__ import annotations

from dataclasses import dataclass, replace
from pathlib import Path

from gptstudio import devices
from gptstudio.app.shown_run import ShownRun
from gptstudio.devices import DeviceLost
from gptstudio.errors import UserError
from gptstudio.history.comparison import shown_name
from gptstudio.i18n import message
from gptstudio.training import branching, checkpoint_files
from gptstudio.training.events import Ended
from gptstudio.training.run_folder import RunFolder, step_of


@dataclass(frozen=True)
class Continuation:
    """Offer to continue a run that ended early.

    Attributes:
        words, tip: why, for the user.
        first_step: from which it would continue, counted from 0.
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
    offer = _offer(run, message("The run {name} was interrupted.", name=shown_name(run)))
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
    saved = [path for path in run.whole() if not start or path.name == start.name]
    if not saved:
        return None
    earlier = start or saved[-1:] != run.resumable()[-1:]  # behind it, there was room for the model alone
    return Continuation(run, words, step_of(saved[-1]) + 1, start=saved[-1] if earlier else None)
