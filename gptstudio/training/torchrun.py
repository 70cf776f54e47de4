"""Detection of torchrun, and the strategy of the processes it starts. Imports torch only under torchrun."""

from __future__ import annotations

import os
import time

from gptstudio.errors import UserError
from gptstudio.i18n import message
from gptstudio.training.strategy import SINGLE_PROCESS, Strategy

GRACE_S = 10.0
"""Seconds that a failed process waits for rank zero to report the error."""


def join(shard: bool = False) -> Strategy:
    """Return the strategy of the processes started by torchrun; without torchrun, of this process alone.

    Raises:
        UserError: ``shard`` is set, but there is only one process.
    """
    if _started_by_torchrun():
        from gptstudio.training.distributed import DDPStrategy, FSDPStrategy

        return FSDPStrategy() if shard else DDPStrategy()
    if shard:
        raise UserError(message(
            "--shard splits the model across several processes, but there is only one. Start them with torchrun, which "
            "comes with a pip installation: torchrun --nproc-per-node=2 -m -- gptstudio train --shard"
        ))
    return SINGLE_PROCESS


def let_the_first_speak() -> None:
    """Wait before reporting an error, except on rank zero. Most errors occur in every process; rank zero reports them,
    and torchrun then ends the waiting processes. If a process is not ended, the error is its own and it reports it."""
    if _started_by_torchrun() and os.environ.get("RANK") != "0":
        time.sleep(GRACE_S)


def _started_by_torchrun() -> bool:
    """Return the value of ``torch.distributed.is_torchelastic_launched()`` without importing torch."""
    return "TORCHELASTIC_RUN_ID" in os.environ
