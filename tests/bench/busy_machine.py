"""Slowdown of training while two other programs are always busy, at normal and at low priority.

    python tests/bench/busy_machine.py

When two processors are shared fairly with two other programs, half of the capacity remains: the slowdown is at least a
factor of two, and the goal is at most three. Each measurement runs in a separate process, with the thread settings that
the program chooses and as many threads as the computer has processors. Other programs on the computer slow both down,
so both are measured alternately, in pairs, and the median of the ratios is reported. If the processor time grows as
well, threads spin while they wait.

Fault 26 in ``tests/faults`` tests the mechanism: the settings that a program gets, and that its threads do not spin for
long.
"""

import os
import statistics
import subprocess
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import psutil

import gptstudio

PAIRS, GOAL = 5, 3.0
LOW = 10
STEPS = 40
"""Enough steps that one slow step does not decide."""
TRAINING = """
import os, sys
if int(sys.argv[1]):
    os.nice(int(sys.argv[1]))
import gptstudio  # before torch: it says how threads wait
import time
from pathlib import Path
import tempfile
from gptstudio.gpt.config import GPTConfig
from gptstudio.training.control import Control
from gptstudio.training.events import StepDone
from gptstudio.training.launch import launch
from gptstudio.training.spec import TrainSpec
config = GPTConfig(context_length=64, emb_dim=128, n_heads=4, n_layers=2)
spec = TrainSpec(config=config, text="story", steps=int(sys.argv[2]), eval_freq=1_000_000, sample_tokens=0,
                 save_every_s=None, precision="fp32", device="cpu")
stamps = []
stamp = lambda event: stamps.append((time.monotonic(), time.process_time())) if isinstance(event, StepDone) else None
with tempfile.TemporaryDirectory() as folder:
    ended = launch(spec, Control(), [stamp], Path(folder) / "run")
assert ended.outcome == "finished", ended.message
print(stamps[-1][0] - stamps[1][0], stamps[-1][1] - stamps[1][1])
"""


def seconds(nice: int, steps: int = STEPS) -> tuple[float, float]:
    """Return wall-clock and processor seconds of some training steps; the first two are a warm-up."""
    env = {name: value for name, value in os.environ.items() if not name.startswith(("OMP_", "GOMP_"))}
    env |= {"PYTHONPATH": str(Path(gptstudio.__file__).parents[1])}
    command = [sys.executable, "-c", TRAINING, str(nice), str(steps)]
    passed, computed = subprocess.run(command, stdout=subprocess.PIPE, text=True, env=env, check=True).stdout.split()
    return float(passed), float(computed)


@contextmanager
def busy(nice: int, count: int = 2) -> Iterator[None]:
    """Run ``count`` programs that are always busy during the block."""
    script = f"import os; os.nice({nice})\nwhile True: pass"
    loops = [subprocess.Popen([sys.executable, "-c", script]) for _ in range(count)]
    try:
        yield
    finally:
        for loop in loops:
            loop.kill()
            loop.wait()


def pair(nice: int, their_nice: int, steps: int = STEPS) -> tuple[float, float]:
    """Return the slowdown of the steps while two other programs are busy, in wall-clock time and in processor time."""
    alone = seconds(nice, steps)
    with busy(their_nice):
        beside = seconds(nice, steps)
    print(f"nice {nice}: alone {alone[0]:.2f} s ({alone[1]:.2f} s of the processor), beside two busy programs of nice "
          f"{their_nice} {beside[0]:.2f} s ({beside[1]:.2f} s): {beside[0] / alone[0]:.2f} times, "
          f"load {psutil.getloadavg()[0]:.1f}", flush=True)
    return beside[0] / alone[0], beside[1] / alone[1]


def main() -> None:
    for nice, their_nice in ((0, 0), (LOW, LOW)):
        passed, computed = zip(*(pair(nice, their_nice) for _ in range(PAIRS)), strict=True)
        print(f"nice {nice} beside nice {their_nice}: {statistics.median(passed):.2f} times by the clock, "
              f"{statistics.median(computed):.2f} by the processor (goal: at most {GOAL:g} each)")
    print(f"nice {LOW} beside nice 0: {pair(LOW, 0)[1]:.2f} times by the processor (goal: at most {GOAL:g}); by the "
          "clock the system gives the others nine times as much")


if __name__ == "__main__":
    main()
