"""Several processes that are one program: they speak once, stop together, and none waits for ever."""

import json
import os
import signal
import subprocess

import psutil
import pytest
import torchrun
from command_line import LESSON

from gptstudio.training.events import CheckpointSaved, Ended, StepDone
from gptstudio.training.run_folder import RunFolder, all_runs

LONG = ["--text", "story", *LESSON, "--batch-size", 4, "--epochs", 1000, "--eval-freq", 1000]
pytestmark = pytest.mark.skipif(os.name == "nt", reason="Windows has no such signals")


def wait_for_steps(process: subprocess.Popen, count: int = 3) -> None:
    """Reads JSON lines until so many steps are done."""
    for line in process.stdout:
        count -= '"step_done"' in line
        if not count:
            return
    pytest.fail(f"ended too soon: {process.stderr.read()}")


def the_end_of(process: subprocess.Popen) -> tuple[str, str]:
    """What it still says and complains of, once it has ended by itself."""
    with process:
        out, err = process.stdout.read(), process.stderr.read()
        process.wait(60)
    return out, err


def test_that_only_the_first_process_tells_of_the_run():
    code, out, complaints = torchrun.run("train", "--text", "story", *LESSON, "--steps", 2, "--drop-rate", 0.1)
    assert code == 0, complaints
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
def test_that_what_cannot_be_trained_is_refused_once(flags, words):
    code, out, complaints = torchrun.run("train", "--text", "story", *LESSON, *flags)
    assert code != 0
    assert complaints.count(words) == 1
    assert "exitcode  : 2" in complaints
    assert out == ""
    assert all_runs() == []


def test_that_ctrl_c_stops_all_processes_and_keeps_what_was_learned():
    process = torchrun.start("train", *LONG, "--json")
    wait_for_steps(process)
    process.send_signal(signal.SIGINT)
    out, _ = the_end_of(process)
    ended = Ended(outcome="stopped", message="Stopped.")
    assert json.loads(out.splitlines()[-1]) == json.loads(ended.model_dump_json())
    hold_stopped(all_runs()[0])


def test_that_a_polite_kill_of_any_process_stops_all():
    process = torchrun.start("train", *LONG, "--json")
    wait_for_steps(process)
    workers(process)[1].send_signal(signal.SIGTERM)
    _, complaints = the_end_of(process)
    # 143 of the one that was killed, or 130 of the other, which stopped with it: torchrun names whom it saw end first
    assert "exitcode  : 143" in complaints or "exitcode  : 130" in complaints
    hold_stopped(all_runs()[0])


def test_that_a_process_that_dies_leaves_no_other_waiting():
    process = torchrun.start("train", *LONG, "--json", "--save-every-s", 1)
    for line in process.stdout:
        if '"checkpoint_saved"' in line:
            break
    left = workers(process)
    left[1].kill()
    the_end_of(process)
    assert process.returncode != 0
    assert not [worker for worker in left if worker.is_running() and worker.status() != psutil.STATUS_ZOMBIE]
    run = all_runs()[0]
    ended = list(run.events())[-1]
    assert ended.outcome == "failed"
    assert ended.message.startswith("Another process of this run has ended")
    assert run.newest_checkpoint().is_dir()


def workers(process: subprocess.Popen) -> list[psutil.Process]:
    """The processes that train, the first one first."""
    children = [child for child in psutil.Process(process.pid).children() if "gptstudio" in child.cmdline()]
    return sorted(children, key=lambda child: int(child.environ()["RANK"]))


def hold_stopped(run: RunFolder) -> None:
    """The run ended after a step, and what that step learned is kept."""
    events = list(run.events())
    assert events[-1] == Ended(outcome="stopped", message="Stopped.")
    last = [event for event in events if isinstance(event, StepDone)][-1]
    assert [event.step for event in events if isinstance(event, CheckpointSaved)] == [last.step]
    assert run.newest_checkpoint().name == f"step-{last.step:06d}"
