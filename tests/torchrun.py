"""Several processes of this computer that train together: as a user starts them, or forked to be quick."""

import os
import socket
from pathlib import Path

import warm_python

import gptstudio

PACKAGE_ROOT = str(Path(gptstudio.__file__).parents[1])
SCRIPT = "import runpy, sys; sys.argv = sys.argv[1:]; runpy.run_path(sys.argv[0], run_name='__main__')"
PROGRAM = ("-m", "--", "gptstudio")  # torchrun would take --run for an option of its own


def start(*argv: object, processes: int = 2) -> warm_python.Process:
    """Starts a command in so many processes, as a user does."""
    return warm_python.start(
        "-m", "torch.distributed.run", "--standalone", f"--nproc-per-node={processes}", *PROGRAM, *argv,
        env={**os.environ, "PYTHONPATH": PACKAGE_ROOT},
    )


def run(*argv: object, processes: int = 2) -> tuple[int, str, str]:
    """Does a command to its end: exit code, what it said, and what it complained of."""
    process = start(*argv, processes=processes)
    out, err = process.communicate(timeout=120)
    return process.returncode, out, err


def run_forked(*argv: object, processes: int = 2) -> list[int]:
    """Run a command, or a script where the first is no ``train``, in so many processes, with the variables that
    torchrun sets; their exit codes."""
    with socket.socket() as asked:
        asked.bind(("127.0.0.1", 0))
        port = asked.getsockname()[1]
    words = ("-m", "gptstudio", *argv) if argv[0] == "train" else ("-c", SCRIPT, *argv)
    group = [
        warm_python.start(*words, env=_of_rank(rank, processes, port), stdout=1, stderr=2)
        for rank in range(processes)
    ]
    try:
        return [process.wait(120) for process in group]
    finally:
        for process in group:  # one that waits for another that is gone would keep a processor busy for half an hour
            process.kill()


def _of_rank(rank: int, processes: int, port: int) -> dict[str, str]:
    return {
        **os.environ, "RANK": str(rank), "LOCAL_RANK": str(rank), "WORLD_SIZE": str(processes),
        "LOCAL_WORLD_SIZE": str(processes), "MASTER_ADDR": "127.0.0.1", "MASTER_PORT": str(port),
        "TORCHELASTIC_RUN_ID": "forked",
    }
