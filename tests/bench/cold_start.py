"""Time from the start of the process until the window is painted, for a frozen program or the source.

    python tests/bench/cold_start.py [EXECUTABLE] [rounds]

Warm: the program's files are in memory. Cold: the system has dropped all files from memory (requires root on Linux;
otherwise left out). The window is observed from outside, in the memory of a separate screen (Xvfb), so that any program
can be measured.
"""

from __future__ import annotations

import os
import subprocess
import sys
import tempfile
import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import numpy as np

CACHES = Path("/proc/sys/vm/drop_caches")
PATIENCE_S = 60.0
COLOURS = 40
"""The number of different colours among the sampled pixels once text and colours are painted; before, one or two."""
EVERY = 97
"""One of this number of pixels is sampled: takes a millisecond."""


def main() -> None:
    frozen = [each for each in sys.argv[1:2] if each]
    rounds = int(sys.argv[2]) if sys.argv[2:] else 7
    command = frozen or [sys.executable, "-m", "gptstudio"]
    print(f"{' '.join(command)}; load {os.getloadavg()[0]:.1f}")
    with screen() as (display, memory):
        first_paint(command, display, memory)  # brings its files into memory
        report("warm", sorted(first_paint(command, display, memory) for _ in range(rounds)))
        if os.access(CACHES, os.W_OK):
            report("cold", sorted(first_paint(command, display, memory, cold=True) for _ in range(rounds)))
    print(f"load {os.getloadavg()[0]:.1f}")


@contextmanager
def screen() -> Iterator[tuple[str, Path]]:
    """Yield a separate screen: its name, and the file that contains its memory."""
    with tempfile.TemporaryDirectory() as folder:
        reading, writing = os.pipe()
        shape = ["-screen", "0", "1400x950x24", "-nolisten", "tcp", "-fbdir", folder]
        command = ["Xvfb", "-displayfd", str(writing), *shape]
        with subprocess.Popen(command, pass_fds=[writing], stderr=subprocess.DEVNULL) as server:
            number = os.read(reading, 16).decode().strip()
            yield f":{number}", Path(folder) / "Xvfb_screen0"
            server.terminate()


def first_paint(command: list[str], display: str, memory: Path, cold: bool = False) -> tuple[float, float]:
    """Return the wall-clock and processor seconds from the start of the process until its window is painted."""
    pixels = np.memmap(memory, dtype=np.uint32, mode="r")
    until_gone(pixels)
    with tempfile.TemporaryDirectory() as home:
        if cold:
            os.sync()
            CACHES.write_text("3\n")
        names = {"DISPLAY": display, "GPTSTUDIO_HOME": home, "QT_QPA_PLATFORM": "xcb"}
        began = time.perf_counter()
        with subprocess.Popen(command, env=os.environ | names, stderr=subprocess.DEVNULL) as process:
            while not painted(pixels):
                if process.poll() is not None or time.perf_counter() - began > PATIENCE_S:
                    raise SystemExit(f"{command[0]} was not painted ({process.poll()})")
                time.sleep(0.002)
            took = time.perf_counter() - began, processor_s(process.pid)
            process.terminate()
        return took


def processor_s(pid: int) -> float:
    """Return the processor time of a process so far: on a busy machine, it estimates the time of a start on an idle
    one."""
    fields = Path(f"/proc/{pid}/stat").read_text().rpartition(") ")[2].split()
    return (int(fields[11]) + int(fields[12])) / os.sysconf("SC_CLK_TCK")


def painted(pixels: np.memmap) -> bool:
    return len(np.unique(pixels[::EVERY])) > COLOURS


def until_gone(pixels: np.memmap) -> None:
    """Wait until the last window has disappeared."""
    while painted(pixels):
        time.sleep(0.01)


def report(name: str, starts: list[tuple[float, float]]) -> None:
    (best, computed), (median, _), (worst, _) = starts[0], starts[len(starts) // 2], starts[-1]
    print(f"{name}: best {best:.2f} s ({computed:.2f} s of it computing), median {median:.2f} s, worst {worst:.2f} s")


if __name__ == "__main__":
    main()
