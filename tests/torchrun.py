"""Several processes of this computer that train together, started as a user starts them."""

import os
import subprocess
import sys
from pathlib import Path

import gptstudio

PACKAGE_ROOT = str(Path(gptstudio.__file__).parents[1])
PROGRAM = ("-m", "--", "gptstudio")  # torchrun would take --run for an option of its own


def start(*argv: object, processes: int = 2) -> subprocess.Popen:
    """Starts a command, or a script where the first is no ``train``, in so many processes."""
    command = (*PROGRAM, *argv) if argv[0] == "train" else argv
    return subprocess.Popen(
        [
            sys.executable, "-m", "torch.distributed.run", "--standalone", f"--nproc-per-node={processes}",
            *map(str, command),
        ],
        stdout=subprocess.PIPE, stderr=subprocess.PIPE, encoding="utf-8",
        env={**os.environ, "PYTHONPATH": PACKAGE_ROOT},
    )


def run(*argv: object, processes: int = 2) -> tuple[int, str, str]:
    """Does a command to its end: exit code, what it said, and what it complained of."""
    process = start(*argv, processes=processes)
    out, err = process.communicate(timeout=120)
    return process.returncode, out, err
