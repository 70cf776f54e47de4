"""Several processes of this computer that train together: as a user starts them, or forked to be quick."""

import multiprocessing
import os
import runpy
import socket
import subprocess
import sys
from pathlib import Path

import gptstudio

PACKAGE_ROOT = str(Path(gptstudio.__file__).parents[1])
PROGRAM = ("-m", "--", "gptstudio")  # torchrun would take --run for an option of its own


def start(*argv: object, processes: int = 2) -> subprocess.Popen:
    """Starts a command in so many processes, as a user does."""
    return subprocess.Popen(
        [
            sys.executable, "-m", "torch.distributed.run", "--standalone", f"--nproc-per-node={processes}",
            *PROGRAM, *map(str, argv),
        ],
        stdout=subprocess.PIPE, stderr=subprocess.PIPE, encoding="utf-8",
        env={**os.environ, "PYTHONPATH": PACKAGE_ROOT},
    )


def run(*argv: object, processes: int = 2) -> tuple[int, str, str]:
    """Does a command to its end: exit code, what it said, and what it complained of."""
    process = start(*argv, processes=processes)
    out, err = process.communicate(timeout=120)
    return process.returncode, out, err


FORKS = multiprocessing.get_context("forkserver" if hasattr(os, "fork") else "spawn")
FORKS.set_forkserver_preload(["torch._dynamo", "gptstudio.runs.together", "gptstudio.runs.launch"])


def run_forked(*argv: object, processes: int = 2) -> list[int]:
    """Does a command, or a script where the first is no ``train``, in so many processes, with the variables that
    torchrun sets; their exit codes.

    They are forked from one that has torch already: a torchrun takes 8 s of processor time for its imports.
    """
    with socket.socket() as asked:
        asked.bind(("127.0.0.1", 0))
        port = asked.getsockname()[1]
    group = [
        FORKS.Process(target=_rank, args=(rank, processes, port, dict(os.environ), [str(each) for each in argv]))
        for rank in range(processes)
    ]
    for process in group:
        process.start()
    for process in group:
        process.join(120)
    return [process.exitcode for process in group]


def _rank(rank: int, processes: int, port: int, environment: dict[str, str], argv: list[str]) -> None:
    os.environ.update(
        environment, RANK=str(rank), LOCAL_RANK=str(rank), WORLD_SIZE=str(processes), LOCAL_WORLD_SIZE=str(processes),
        MASTER_ADDR="127.0.0.1", MASTER_PORT=str(port), TORCHELASTIC_RUN_ID="forked",
    )
    if argv[0] == "train":
        from gptstudio.__main__ import main

        sys.exit(main(argv))
    sys.argv = argv
    runpy.run_path(argv[0], run_name="__main__")
