"""Detection of torchrun, and the strategy of the processes it starts. Imports torch only under torchrun."""

from __future__ import annotations

import atexit
import os
import sys
import time
from contextlib import suppress
from typing import NoReturn

from gptstudio.errors import UserError
from gptstudio.i18n import message
from gptstudio.training import signals
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


def reports_its_error() -> bool:
    """Return whether this process reports the error that ends it; waits first, except on rank zero.

    Most errors occur in every process; rank zero reports them, and torchrun then ends the others: while they wait, or
    by a signal that came before. If a process is not ended, the error is its own.
    """
    if not _started_by_torchrun() or os.environ.get("RANK") == "0":
        return True
    if signals.came():
        return False
    time.sleep(GRACE_S)
    return True


def leave(code: int) -> NoReturn:
    """End this process without the destructors of torch's libraries. With FSDP, one in thirty processes ended with
    SIGABRT in them (torch 2.13: "terminate called without an active exception"), so that torchrun reported a finished
    run as failed, and ended the other processes."""
    atexit._run_exitfuncs()  # noqa: SLF001 - no public name
    for stream in (sys.stdout, sys.stderr):
        with suppress(OSError, ValueError):  # closed, or nobody reads it
            stream.flush()
    os._exit(code)


def _started_by_torchrun() -> bool:
    """Return the value of ``torch.distributed.is_torchelastic_launched()`` without importing torch."""
    return "TORCHELASTIC_RUN_ID" in os.environ
