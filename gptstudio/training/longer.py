"""Extension of a run to more epochs or steps. No torch."""

from __future__ import annotations

from collections.abc import Mapping

from gptstudio.i18n import message
from gptstudio.training.events import RunStarted
from gptstudio.training.run_folder import RunFolder
from gptstudio.training.schedule import learning_rate
from gptstudio.training.spec import TrainSpec


def longer_spec(spec: TrainSpec, longer: Mapping[str, int]) -> TrainSpec:
    """Return a run's spec with a different total number of epochs or steps.

    Raises:
        SpecError: the number is out of range.
    """
    return spec.but(**{"steps": None, **longer})


def first_start(run: RunFolder) -> RunStarted | None:
    """Return the first start event of a run, which contains the steps per epoch; None if the log is missing."""
    return next((event for event in run.events() if isinstance(event, RunStarted)), None)


def total_steps(spec: TrainSpec, started: RunStarted) -> int:
    """Return the total number of steps of a run with ``spec`` on the text of ``started``."""
    return spec.steps or spec.epochs * started.steps_per_epoch


def schedule_notice(spec: TrainSpec, first_step: int, former: int, total: int, peak: float | None = None) -> str:
    """Return a notice on the changed schedule of an extended run; empty for a constant learning rate.

    Args:
        first_step: the next step, counted from 0.
        former, total: total number of steps before and after the extension.
        peak: the highest learning rate, if it was changed while the run was paused.
    """
    if spec.schedule == "constant":
        return ""
    before = learning_rate(spec, max(0, first_step - 1), former, peak)
    after = learning_rate(spec, first_step, total, peak)
    return message(
        "The cosine schedule now spans {total} steps instead of {former}: the learning rate was {before}, and "
        "continues at {after} from step {n} on. The result is not that of a run of {total} steps from the start.",
        total=f"{total:,}", former=f"{former:,}", before=f"{before:.3g}", after=f"{after:.3g}", n=f"{first_step + 1:,}")
