"""More epochs or steps for a run than it was asked for. No torch."""

from __future__ import annotations

from collections.abc import Mapping

from gptstudio.errors import UserError
from gptstudio.i18n import message
from gptstudio.training.events import RunStarted
from gptstudio.training.run_folder import RunFolder
from gptstudio.training.schedule import learning_rate
from gptstudio.training.spec import TrainSpec


def longer_spec(spec: TrainSpec, longer: Mapping[str, int]) -> TrainSpec:
    """Return the spec of a run with another total of epochs or steps.

    Raises:
        SpecError: the number is out of range.
    """
    return spec.but(**{"steps": None, **longer})


def first_start(run: RunFolder) -> RunStarted | None:
    """Return the first event of a run that tells the steps of its epochs; None if its log is gone."""
    return next((event for event in run.events() if isinstance(event, RunStarted)), None)


def total_steps(spec: TrainSpec, started: RunStarted) -> int:
    """Return how many steps a run of ``spec`` has in all, which started with the same text."""
    return spec.steps or spec.epochs * started.steps_per_epoch


def check_longer(name: str, former: int, total: int) -> None:
    """Check that a run is to have more steps in all, ``total``, than the ``former`` ones.

    Raises:
        UserError: it is not.
    """
    if total <= former:
        raise UserError(message(
            "The run {name} already has {former} steps in all; this would be {total}. To train it longer, ask for more "
            "epochs or steps.", name=name, former=f"{former:,}", total=f"{total:,}"))


def schedule_notice(spec: TrainSpec, first_step: int, former: int, total: int, peak: float | None = None) -> str:
    """Return what becomes of the schedule of a run that is trained longer; empty for a constant learning rate.

    Args:
        first_step: the step that comes next, counted from 0.
        former, total: the steps of the run, before and now.
        peak: the learning rate at the top, where it was changed while the run was paused.
    """
    if spec.schedule == "constant":
        return ""
    before = learning_rate(spec, max(0, first_step - 1), former, peak)
    after = learning_rate(spec, first_step, total, peak)
    return message(
        "The cosine schedule now spans {total} steps instead of {former}: the learning rate was {before}, and "
        "continues at {after} from step {n} on. The result is not that of a run of {total} steps from the start.",
        total=f"{total:,}", former=f"{former:,}", before=f"{before:.3g}", after=f"{after:.3g}", n=f"{first_step + 1:,}")
