"""Training beside two programs that never rest, at the usual priority and at a low one: at most three times slower than
the same steps alone. Fairly shared with two others, two processors are half as many for us: twice is the least.

Each pace is that of a process of its own, with the settings of threads that the program makes for itself and as many
threads as the computer has processors. What others do on the computer slows both down, so they are taken by turns, a
pair at a time, and the median of the pairs' ratios is judged. Every figure is printed, with the processor time that the
steps took: where that grows with the busy programs beside it, threads spin instead of sleeping.
"""

import os
import statistics
import subprocess
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import psutil
import pytest

import gptstudio

pytestmark = [pytest.mark.fault(26), pytest.mark.alone, pytest.mark.slow]

PAIRS, MOST_TIMES = 5, 3.0
LOW = 10
STEPS = 40
"""So many that what is luck for one is not for all."""
TRAINING = """
import os, sys
if int(sys.argv[1]):
    os.nice(int(sys.argv[1]))
import gptstudio  # before torch: it says how threads wait
import time
from pathlib import Path
import tempfile
from gptstudio.gpt.config import GPTConfig
from gptstudio.runs.control import Control
from gptstudio.runs.events import StepDone
from gptstudio.runs.launch import launch
from gptstudio.runs.spec import TrainSpec
config = GPTConfig(context_length=64, emb_dim=128, n_heads=4, n_layers=2)
spec = TrainSpec(config=config, text="story", steps=int(sys.argv[2]), eval_freq=1_000_000, sample_tokens=0,
                 save_every_s=None, precision="fp32", device="cpu")
stamps = []
stamp = lambda event: stamps.append((time.monotonic(), time.process_time())) if isinstance(event, StepDone) else None
ended = launch(spec, Control(), [stamp], Path(tempfile.mkdtemp()) / "run")
assert ended.outcome == "finished", ended.words
print(stamps[-1][0] - stamps[1][0], stamps[-1][1] - stamps[1][1])
"""


def steps(nice: int) -> tuple[float, float]:
    """Seconds, and seconds of the processor, of some steps; the first two warm up."""
    env = {name: value for name, value in os.environ.items() if not name.startswith(("OMP_", "GOMP_"))}
    env |= {"PYTHONPATH": str(Path(gptstudio.__file__).parents[1])}
    done = subprocess.run(
        [sys.executable, "-c", TRAINING, str(nice), str(STEPS)], capture_output=True, text=True, env=env, timeout=300,
        check=True,
    )
    passed, computed = map(float, done.stdout.split())
    return passed, computed


@contextmanager
def busy(nice: int, count: int = 2) -> Iterator[None]:
    """Within, so many programs never rest."""
    script = f"import os; os.nice({nice})\nwhile True: pass"
    loops = [subprocess.Popen([sys.executable, "-c", script]) for _ in range(count)]
    try:
        yield
    finally:
        for loop in loops:
            loop.kill()
            loop.wait()


def pair(nice: int, their_nice: int) -> tuple[float, float]:
    """How many times longer the steps take beside two busy programs, by the clock and by the processor's."""
    alone = steps(nice)
    with busy(their_nice):
        beside = steps(nice)
    print(f"nice {nice}: alone {alone[0]:.2f} s ({alone[1]:.2f} s of the processor), beside two busy programs of nice "
          f"{their_nice} {beside[0]:.2f} s ({beside[1]:.2f} s): {beside[0] / alone[0]:.2f} times, "
          f"load {psutil.getloadavg()[0]:.1f}", flush=True)
    return beside[0] / alone[0], beside[1] / alone[1]


@pytest.mark.skipif(os.name == "nt", reason="priorities are set otherwise there")
@pytest.mark.parametrize("nice", [0, LOW])
def test_that_training_beside_two_busy_programs_is_at_most_three_times_slower(fault, nice):
    """All at the same priority, the usual one or a low one, as everything of a program that was started with nice."""
    pairs = [pair(nice, nice) for _ in range(PAIRS)]
    with fault.tried("by the clock"):
        assert statistics.median(passed for passed, _ in pairs) <= MOST_TIMES, pairs
    with fault.tried("by the processor's"):
        assert statistics.median(computed for _, computed in pairs) <= MOST_TIMES, pairs


@pytest.mark.skipif(os.name == "nt", reason="priorities are set otherwise there")
def test_that_below_two_busy_programs_its_threads_do_not_burn_what_little_they_get(fault):
    """At nice 10 the system gives those of nice 0 about nine times as much, so that the clock alone says nothing of
    ours there; threads that spin while they wait show in the processor's time, which they multiply."""
    pairs = [pair(LOW, 0)]
    with fault.tried("by the processor's"):
        assert statistics.median(computed for _, computed in pairs) <= MOST_TIMES, pairs
