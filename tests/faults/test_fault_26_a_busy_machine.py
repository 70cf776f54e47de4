"""Threads that wait for each other must not spin while other programs are always busy: the setting that a started
program gets, at normal and at low priority, and that its threads then sleep.

``tests/bench/busy_machine.py`` measures how much slower training is in wall-clock time.
"""

import os
import subprocess
import sys

import pytest
from the_program import CHECKOUT

sys.path.append(str(CHECKOUT / "tests" / "bench"))

from busy_machine import busy

pytestmark = [
    pytest.mark.fault(26), pytest.mark.skipif(os.name == "nt", reason="Windows sets priorities in another way"),
]

SETTINGS = """
import os, sys
os.nice(int(sys.argv[1]))
from gptstudio import __main__
__main__.set_thread_waiting()
print(os.environ["OMP_WAIT_POLICY"], os.environ["GOMP_SPINCOUNT"])
"""
PRODUCTS = """
from gptstudio import __main__
__main__.set_thread_waiting()
import time, torch
torch.set_num_threads(2)
x, w = torch.randn(128, 128), torch.randn(128, 128) / 12
for turn in range(1_010):
    if turn == 10:
        began = time.process_time()
    x = (x @ w).relu()
print(time.process_time() - began)
"""


@pytest.mark.parametrize(
    ("nice", "chosen", "expected"),
    [
        (0, {}, "PASSIVE 1000"), (10, {}, "PASSIVE 0"), (1, {}, "PASSIVE 0"),
        (10, {"GOMP_SPINCOUNT": "50", "OMP_WAIT_POLICY": "ACTIVE"}, "ACTIVE 50"),
    ],
)
def test_that_a_started_program_sets_how_its_threads_wait_and_keeps_the_users_choice(nice, chosen, expected):
    if os.getpriority(os.PRIO_PROCESS, 0):
        expected = expected.replace("1000", "0")  # the tests themselves run at a low priority
    env = {name: value for name, value in os.environ.items() if name not in ("OMP_WAIT_POLICY", "GOMP_SPINCOUNT")}
    done = subprocess.run(
        [sys.executable, "-c", SETTINGS, str(nice)], capture_output=True, text=True, check=True, cwd=CHECKOUT,
        env=env | chosen,
    )
    assert done.stdout.strip() == expected


@pytest.mark.release
def test_that_threads_that_wait_beside_two_busy_programs_sleep_instead_of_spinning(fault):
    """The purpose of the settings asserted above. Twice the processor time of threads that sleep at once was measured;
    15 times with ten thousand turns."""
    with busy(0), fault.tried("by the processor's time"):
        assert computed() < 6 * computed(GOMP_SPINCOUNT="0")


def computed(**environment: str) -> float:
    """Return the processor seconds that a program takes for products of matrices on two threads."""
    env = {name: value for name, value in os.environ.items() if not name.startswith(("OMP_", "GOMP_"))} | environment
    done = subprocess.run(
        [sys.executable, "-c", PRODUCTS], capture_output=True, text=True, check=True, cwd=CHECKOUT, env=env
    )
    return float(done.stdout)
