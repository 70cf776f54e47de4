"""Several processes that work as one program: only one prints, all stop together, and none waits forever."""

import json
import os
import signal
import subprocess
import sys
from collections.abc import Callable, Iterator
from contextlib import contextmanager

import psutil
import pytest
import torchrun
from command_line import LESSON, wait_for_steps

from gptstudio.cli import app
from gptstudio.errors import UserError
from gptstudio.training import signals
from gptstudio.training.control import Control
from gptstudio.training.events import CheckpointSaved, Ended, StepDone
from gptstudio.training.run_folder import RunFolder, all_runs

LONG = ["--text", "story", *LESSON, "--batch-size", 4, "--epochs", 1000, "--eval-freq", 1000]
pytestmark = pytest.mark.skipif(os.name == "nt", reason="Windows has no such signals")


Group = torchrun.Started | torchrun.Forked


@pytest.fixture(params=[torchrun.Forked, pytest.param(torchrun.Started, marks=pytest.mark.release)])
def start(request) -> Iterator[Callable[..., Group]]:
    """Return a function that starts two processes, before a release also with torchrun itself, which the daily suite
    uses only once, for Ctrl-C."""
    with closing_all() as started:
        yield lambda *argv: started(request.param(*argv))


@contextmanager
def closing_all() -> Iterator[Callable[[Group], Group]]:
    made: list[Group] = []
    try:
        yield lambda group: made.append(group) or group
    finally:
        for each in made:
            each.kill()


def test_that_only_the_first_process_reports_the_run(start):
    group = start("train", "--text", "story", *LESSON, "--steps", 2, "--drop-rate", 0.1)
    out, complaints = group.end()
    assert set(group.codes) == {0}, complaints
    once = "Steps: 2; tokens per step", "Ep 1 (Step 000001)", "Finished. Steps: 2;"
    assert [out.count(words) for words in once] == [1, 1, 1]
    assert "gptstudio generate --model" in out
    assert [run.events() and sorted(os.listdir(run.path)) for run in all_runs()] == [
        ["checkpoints", "journal.jsonl", "lock", "run.json"]
    ]


@pytest.mark.parametrize(("flags", "words"), [
    (["--batch-size", 3], "Batch size (3) is divided among 2 processes and must be a multiple of 2, for example 4."),
    (["--learning-rate", 11], "learning_rate is 11; it must be a number between 0.0 and 10.0."),
])
def test_that_an_impossible_training_is_refused_once(start, flags, words):
    group = start("train", "--text", "story", *LESSON, *flags)
    out, complaints = group.end()
    assert complaints.count(words) == 1
    assert 2 in group.codes
    assert out == ""
    assert all_runs() == []


def test_that_a_process_that_is_ended_before_it_waits_leaves_the_report_to_the_first(monkeypatch, capsys):
    monkeypatch.setattr("gptstudio.training.torchrun.GRACE_S", 0)
    monkeypatch.setenv("TORCHELASTIC_RUN_ID", "forked")
    codes = []
    for rank in ("0", "1"):
        monkeypatch.setenv("RANK", rank)
        with signals.stopped_by_signals(Control()):
            signal.raise_signal(signal.SIGTERM)
        codes.append(app.exit_code_of(UserError("Wrong.")))
    with signals.stopped_by_signals(Control()):  # forgets the signal
        pass
    codes.append(app.exit_code_of(UserError("Wrong.")))
    assert codes == [2, 143, 2]
    assert capsys.readouterr().err == "Wrong.\n" * 2


def test_that_ctrl_c_stops_all_processes_and_keeps_what_was_learned():
    with closing_all() as started:
        group = started(torchrun.Started("train", *LONG, "--json"))
        wait_for_steps(group.out, group.end)
        group.interrupt()
        out, _ = group.end()
    ended = Ended(outcome="stopped", message="Stopped.")
    assert json.loads(out.splitlines()[-1]) == json.loads(ended.model_dump_json())
    assert_stopped(all_runs()[0])


def test_that_sigterm_to_any_process_stops_all(start):
    group = start("train", *LONG, "--json")
    wait_for_steps(group.out, group.end)
    group.workers()[1].send_signal(signal.SIGTERM)
    group.end()
    # 143 of the killed process, or 130 of the other one, which stopped with it: torchrun names the one it saw end first
    assert {143, 130} & set(group.codes)
    assert_stopped(all_runs()[0])


def test_that_a_process_that_dies_leaves_no_other_waiting(start):
    group = start("train", *LONG, "--json", "--save-every-s", 1)
    for line in group.out:
        if '"checkpoint_saved"' in line:
            break
    left = group.workers()
    left[1].kill()
    group.end()
    assert set(group.codes) != {0}
    assert not [worker for worker in left if worker.is_running() and worker.status() != psutil.STATUS_ZOMBIE]
    run = all_runs()[0]
    ended = list(run.events())[-1]
    assert ended.outcome == "failed"
    assert ended.message.startswith("Another process of this run has ended")
    assert run.newest_checkpoint().is_dir()


def assert_stopped(run: RunFolder) -> None:
    """Assert that the run ended after a step, and that the result of this step is kept."""
    events = list(run.events())
    assert events[-1] == Ended(outcome="stopped", message="Stopped.")
    last = [event for event in events if isinstance(event, StepDone)][-1]
    assert [event.step for event in events if isinstance(event, CheckpointSaved)] == [last.step]
    assert run.newest_checkpoint().name == f"step-{last.step:06d}"


ABORTING = """import ctypes, runpy, sys
c = ctypes.CDLL(None)
c.__cxa_atexit(ctypes.cast(c.abort, ctypes.c_void_p), None, None)
sys.argv = ["gptstudio", "size", "--json", *sys.argv[1:]]
runpy.run_module("gptstudio", run_name="__main__")
"""
"""The program, in a process that aborts in the destructors of its libraries, as torch's sometimes does."""


@pytest.mark.skipif(sys.platform != "linux", reason="another C library")
@pytest.mark.parametrize(("flags", "code"), [([], 0), (["--n-heads", "7"], 2)])
def test_that_a_process_of_torchrun_ends_with_its_own_code_whatever_the_destructors_do(flags, code):
    environment = {**os.environ, "PYTHONPATH": torchrun.PACKAGE_ROOT, "TORCHELASTIC_RUN_ID": "none", "RANK": "0"}
    ended = subprocess.run(
        [sys.executable, "-c", ABORTING, *flags], env=environment, capture_output=True, text=True, check=False)
    assert ended.returncode == code, ended.stderr
    assert bool(json.loads(ended.stdout or "{}")) == (code == 0)
