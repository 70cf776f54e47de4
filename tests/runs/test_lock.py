"""One program writes a run; all others only look at it, and take it over once the first has died."""

import os
import signal
import subprocess
import sys
import time
from pathlib import Path

import pytest
from whole_runs import go_on, steps, train

import gptstudio
from gptstudio.errors import UserError
from gptstudio.records.summary import Summaries
from gptstudio.runs.control import Control
from gptstudio.runs.events import StepDone
from gptstudio.runs.folder import RunFolder
from gptstudio.runs.launch import launch, resume

ENDLESS = """
import sys
from pathlib import Path
from gptstudio.runs.control import Control
from gptstudio.runs.launch import launch
from gptstudio.runs.spec import TrainSpec
launch(TrainSpec.model_validate_json(sys.argv[1]), Control(), [], Path(sys.argv[2]))
"""


@pytest.fixture
def elsewhere(tiny_spec, tmp_path):
    """A run that another program is writing, with a checkpoint."""
    spec = tiny_spec(steps=1_000_000, eval_freq=1_000_000, save_every_epochs=1, sample_tokens=0)
    run = RunFolder(tmp_path / "run")
    env = os.environ | {"PYTHONPATH": str(Path(gptstudio.__file__).parents[1])}
    process = subprocess.Popen([sys.executable, "-c", ENDLESS, spec.model_dump_json(), str(run.path)], env=env)
    until = time.monotonic() + 60
    while not run.checkpoints():
        assert process.poll() is None, "it ended by itself"
        assert time.monotonic() < until, "it does not begin"
        time.sleep(0.01)
    yield run, process
    process.kill()
    process.wait()


def test_that_a_run_written_elsewhere_is_only_looked_at(elsewhere, tiny_spec, tmp_path):
    run, process = elsewhere
    assert run.written_elsewhere
    words = "is being written by another window or program. Here it can only be looked at."
    ended = go_on(run)
    assert (ended.outcome, ended.user_error) == ("failed", True)
    assert words in ended.words
    with pytest.raises(UserError, match=words):
        run.rename("mine")
    assert "is there already and not empty" in launch(tiny_spec(), Control(), [], run.path).words
    before = len(steps(run))
    assert Summaries(tmp_path / "memory.json").of(run).state == "not ended"
    until = time.monotonic() + 60
    while len(steps(run)) <= before:  # it goes on undisturbed, and can be followed
        assert time.monotonic() < until
        time.sleep(0.01)
    assert process.poll() is None


def test_that_a_run_whose_program_was_killed_can_be_taken_over(elsewhere):
    run, process = elsewhere
    process.send_signal(signal.SIGKILL if hasattr(signal, "SIGKILL") else signal.SIGTERM)
    process.wait()
    assert not run.written_elsewhere
    last = int(run.newest_checkpoint().name.removeprefix("step-"))
    ended = go_on(run, stop_at=last + 3)
    assert ended.outcome == "stopped"
    assert [event.step for event in steps(run)] == list(range(last + 4))
    assert not run.written_elsewhere


def test_that_a_run_is_written_while_it_trains_and_not_after(tiny_spec, tmp_path):
    run, seen = RunFolder(tmp_path / "run"), []
    launch(tiny_spec(steps=2), Control(), [lambda event: seen.append(run.written_elsewhere)], run.path)
    *during, _ = seen  # the end is told when the run is closed
    assert set(during) == {True}
    assert not run.written_elsewhere


def test_that_two_windows_of_one_program_do_not_write_the_same_run(tiny_spec, tmp_path):
    run = train(tiny_spec(), tmp_path / "run", stop_at=4)
    refused = []

    def other(event) -> None:
        if isinstance(event, StepDone) and not refused:
            refused.append(go_on(run))

    assert resume(run, Control(), [other]).outcome == "finished"
    assert "is being written by another window or program" in refused[0].words
    assert [event.step for event in steps(run)] == list(range(12))


def test_that_a_run_that_is_gone_is_not_made_again_by_asking(tmp_path):
    run = RunFolder(tmp_path / "gone")
    assert not run.written_elsewhere
    with pytest.raises(UserError, match="is no longer there"), run.writing():
        pass
    assert not run.path.exists()


def test_that_where_nothing_can_be_written_a_journal_that_grew_lately_is_being_written(tiny_spec, tmp_path):
    run = train(tiny_spec(), tmp_path / "run", stop_at=4)
    (run.path / "lock").unlink()
    (run.path / "lock").mkdir()  # nobody, root included, can open that as a file
    assert run.written_elsewhere
    long_ago = time.time() - 3600
    os.utime(run.journal_path, (long_ago, long_ago))
    assert not run.written_elsewhere
    with pytest.raises(UserError, match="Nothing can be written to .* only be looked at"), run.writing():
        pass
    assert "only be looked at" in go_on(run).words
    run.journal_path.unlink()
    assert not run.written_elsewhere
