"""Several processes of this computer that train together: as a user starts them, or forked to be quick."""

import os
import random
import re
import signal
import socket
import time
from concurrent.futures import ThreadPoolExecutor
from contextlib import suppress
from pathlib import Path
from typing import IO

import psutil
import warm_python

import gptstudio

PACKAGE_ROOT = str(Path(gptstudio.__file__).parents[1])
SCRIPT = "import runpy, sys; sys.argv = sys.argv[1:]; runpy.run_path(sys.argv[0], run_name='__main__')"
FEWER = """import sys
from gptstudio.__main__ import main
from gptstudio.training import spec_problems
spec_problems.VOCAB_SIZE = int(sys.argv[1])
sys.exit(main(sys.argv[2:]))
"""
"""The program, with runs of such a small vocabulary allowed."""
PROGRAM = ("-m", "--", "gptstudio")  # torchrun would read --run as its own option


class Started:
    """A command in a number of processes, started as a user does."""

    def __init__(self, *argv: object, processes: int = 2):
        self.process = warm_python.start(
            "-m", "torch.distributed.run", "--standalone", f"--nproc-per-node={processes}", *PROGRAM, *argv,
            env={**os.environ, "PYTHONPATH": PACKAGE_ROOT},
        )
        self.codes: list[int] = []

    @property
    def out(self) -> IO[str]:
        """The output of the first process, as it is printed."""
        return self.process.stdout

    def workers(self) -> list[psutil.Process]:
        """Return the processes that train, the first one first."""
        children = [child for child in psutil.Process(self.process.pid).children() if "gptstudio" in child.cmdline()]
        return sorted(children, key=lambda child: int(child.environ()["RANK"]))

    def interrupt(self) -> None:
        """Send Ctrl-C as the terminal does."""
        self.process.send_signal(signal.SIGINT)

    def end(self) -> tuple[str, str]:
        """Return the remaining output and errors, once all processes have ended without being stopped."""
        out, err = self.process.communicate(timeout=120)
        self.codes = [int(code) for code in re.findall(r"exitcode  : (\d+)", err)] or [self.process.returncode]
        return out, err

    def kill(self) -> None:
        self.process.kill()


class Forked:
    """The same without torchrun, which would load torch in each process: the variables that torchrun sets are set
    here."""

    def __init__(self, *argv: object, processes: int = 2):
        self.processes = _fork(argv, processes)
        self.codes: list[int] = []

    @property
    def out(self) -> IO[str]:
        return self.processes[0].stdout

    def workers(self) -> list[psutil.Process]:
        return [psutil.Process(process.pid) for process in self.processes]

    def end(self) -> tuple[str, str]:
        """Return output and errors; as in torchrun, if one has failed, the others are terminated."""
        with ThreadPoolExecutor(2 * len(self.processes)) as readers:
            out, err = ([readers.submit(getattr(each, name).read) for each in self.processes]
                        for name in ("stdout", "stderr"))
            running = list(self.processes)
            while running and not any(process.poll() for process in self.processes):
                time.sleep(0.05)
                running = [process for process in running if process.poll() is None]
            for process in running:
                process.terminate()
            self.codes = [process.wait(120) for process in self.processes]
        return tuple("".join(each.result() for each in parts) for parts in (out, err))

    def kill(self) -> None:
        for process in self.processes:  # a process that waits for a dead one would keep a processor busy
            process.kill()


def run_forked(*argv: object, processes: int = 2, least_tokens: int | None = None) -> list[int]:
    """Run a command, or a script if the first argument is one, in ``processes`` processes; return their exit codes.
    ``least_tokens``: the smallest vocabulary that runs may have, where it is not GPT-2's."""
    group = _fork(argv, processes, least_tokens, stdout=1, stderr=2)
    try:
        return [process.wait(120) for process in group]
    finally:
        for process in group:  # a process that waits for a dead one would keep a processor busy for half an hour
            process.kill()


def _fork(
    argv: tuple[object, ...], processes: int, least_tokens: int | None = None, **streams: int
) -> list[warm_python.Process]:
    port = _free_port()
    words = ("-c", SCRIPT, *argv) if str(argv[0]).endswith(".py") else ("-m", "gptstudio", *argv)
    if least_tokens is not None:
        words = ("-c", FEWER, least_tokens, *argv)
    return [warm_python.start(*words, env=_of_rank(rank, processes, port), **streams) for rank in range(processes)]


def _free_port() -> int:
    """Return a free port below those that the system gives out, so that no other program gets it meanwhile."""
    while True:
        port = random.SystemRandom().randrange(20_000, 32_000)
        with socket.socket() as asked, suppress(OSError):
            asked.bind(("127.0.0.1", port))
            return port


def _of_rank(rank: int, processes: int, port: int) -> dict[str, str]:
    return {
        **os.environ, "RANK": str(rank), "LOCAL_RANK": str(rank), "WORLD_SIZE": str(processes),
        "LOCAL_WORLD_SIZE": str(processes), "MASTER_ADDR": "127.0.0.1", "MASTER_PORT": str(port),
        "TORCHELASTIC_RUN_ID": "forked",
    }
