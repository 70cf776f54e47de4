"""Whether torchrun started this process, and the strategy that it belongs to. No torch until it did."""

from __future__ import annotations

import os
import time

from gptstudio.errors import UserError
from gptstudio.training.strategy import SINGLE_PROCESS, Strategy

GRACE_S = 10.0
"""How long a process that has failed waits for the first to say why."""


def join(shard: bool = False) -> Strategy:
    """The strategy that torchrun started this process into; without torchrun, this process alone.

    Raises:
        UserError: a model is to be sharded, and there is nobody to share it with.
    """
    if _started_by_torchrun():
        from gptstudio.training.distributed import DDPStrategy, FSDPStrategy

        return FSDPStrategy() if shard else DDPStrategy()
    if shard:
        raise UserError(
            "--shard splits the model across several processes, but there is only one. Start them with torchrun, which "
            "comes with a pip installation: torchrun --nproc-per-node=2 -m -- gptstudio train --shard"
        )
    return SINGLE_PROCESS


def let_the_first_speak() -> None:
    """To be called before a failure is told. What is wrong is mostly wrong in every process, and the first says it:
    torchrun then ends those that wait here. Whoever is left has failed by itself, and has to say so."""
    if _started_by_torchrun() and os.environ.get("RANK") != "0":
        time.sleep(GRACE_S)


def _started_by_torchrun() -> bool:
    """As ``torch.distributed.is_torchelastic_launched``, without torch."""
    return "TORCHELASTIC_RUN_ID" in os.environ
