"""One program writes a run; all others can only read it, learn who writes it, and can take it over once the first has
died. Everything else that two programs share is always complete for each of them.

Another computer at the same disk is simulated by the files that it leaves there: its name in ``writer.json``, and a
lock that is not known here, as on disks that keep locks to one computer.
"""

import json
import os
import platform
import shutil
import signal
import time
from pathlib import Path

import pytest
import warm_python
from disks import contents
from whole_runs import continue_run, steps, train

from gptstudio import machine, paths
from gptstudio.__main__ import main
from gptstudio.errors import UserError
from gptstudio.history import added_runs
from gptstudio.history.archives import pack
from gptstudio.history.summary import Summaries
from gptstudio.training.control import Control
from gptstudio.training.events import StepDone
from gptstudio.training.launch import launch, resume
from gptstudio.training.run_folder import RunFolder

pytestmark = [pytest.mark.fault(19), pytest.mark.usefixtures("few_tokens")]

WORDS = "Another window or program"
ENDLESS = """
import sys, time
from pathlib import Path
from gptstudio.training import spec_problems
spec_problems.VOCAB_SIZE = 0
from gptstudio.training.control import Control
from gptstudio.training.launch import launch
from gptstudio.training.spec import TrainSpec
slowly = [lambda event: time.sleep(0.01)]
launch(TrainSpec.model_validate_json(sys.argv[1]), Control(), slowly, Path(sys.argv[2]))
"""
"""Trains without end, and slowly, so that its journal stays short."""


@pytest.fixture
def begin_elsewhere(tiny_spec, tmp_path):
    """Return a function that lets another program write a run and waits for its first checkpoint."""
    processes = []

    def begin():
        spec = tiny_spec(steps=1_000_000, eval_freq=1_000_000, save_every_epochs=1, sample_tokens=0)
        run = RunFolder(tmp_path / "run")
        process = warm_python.start("-c", ENDLESS, spec.model_dump_json(), run.path, stdout=1, stderr=2)
        processes.append(process)
        wait_until(run.checkpoints, process)
        return run, process

    yield begin
    for process in processes:
        process.kill()
        process.wait()


def wait_until(true, process):
    end = time.monotonic() + 60
    while not true():
        assert process.poll() is None, "it ended by itself"
        assert time.monotonic() < end, "nothing more was written"
        time.sleep(0.01)


@pytest.fixture
def elsewhere(begin_elsewhere):
    """A run that another program is writing, with a checkpoint."""
    return begin_elsewhere()


def test_that_a_run_written_elsewhere_can_only_be_read(elsewhere, tiny_spec, tmp_path):
    run, process = elsewhere
    assert run.written_elsewhere
    assert run.writer.process == process.pid
    words = f"{WORDS} (process {process.pid} on {platform.node()}, since {run.writer.since:%Y-%m-%d %H:%M}) "
    words += f"is writing the run {run.name}. You can only view it here."
    ended = continue_run(run)
    assert (ended.outcome, ended.user_error) == ("failed", True)
    assert words in ended.message
    with pytest.raises(UserError) as refused:
        run.rename("mine")
    assert words in str(refused.value)
    assert "already exists. Choose a new or an empty folder" in launch(tiny_spec(), Control(), [], run.path).message
    before = len(steps(run))
    assert Summaries(tmp_path / "memory.json").of(run).state == "live"
    wait_until(lambda: len(steps(run)) > before, process)  # it continues undisturbed, and can be followed
    assert process.poll() is None


def test_that_a_run_whose_program_was_killed_can_be_taken_over(elsewhere):
    run, process = elsewhere
    process.send_signal(signal.SIGKILL if hasattr(signal, "SIGKILL") else signal.SIGTERM)
    process.wait()
    assert run.writer.process == process.pid, "it could not take its name away"
    assert not run.written_elsewhere
    last = int(run.newest_checkpoint().name.removeprefix("step-"))
    ended = continue_run(run, stop_at=last + 3)
    assert ended.outcome == "stopped"
    assert [event.step for event in steps(run)] == list(range(last + 4))
    assert not run.written_elsewhere
    assert run.writer is None


def test_that_a_run_remains_its_writers_where_its_folder_is_deleted_and_recreated(elsewhere):
    run, process = elsewhere
    shutil.rmtree(run.path)
    wait_until(run.checkpoints, process)
    assert run.writer.process == process.pid
    assert run.written_elsewhere
    ended = continue_run(run)
    assert (ended.outcome, WORDS in ended.message) == ("failed", True)
    wait_until(lambda: len(steps(run)) >= 5, process)
    numbers = [event.step for event in steps(run)]
    assert numbers == sorted(set(numbers)), "one writer"


@pytest.mark.parametrize("other_continues", [True, False])
def test_that_a_run_whose_folder_has_become_another_programs_ends_and_changes_nothing_there(
    tiny_spec, tmp_path, begin_elsewhere, other_continues
):
    before = {}

    def replace_the_folder(event) -> None:
        if isinstance(event, StepDone) and event.step == 3:
            shutil.rmtree(tmp_path / "run")
            run, process = begin_elsewhere()
            if not other_continues:
                process.kill()
                process.wait()
                before.update(contents(run.path))

    spec = tiny_spec(steps=8, sample_tokens=0)
    ended = launch(spec, Control(), [replace_the_folder], tmp_path / "run")
    assert ended.outcome == "failed"
    assert "another run has been saved there" in ended.message
    numbers = [event.step for event in steps(RunFolder(tmp_path / "run"))]
    assert numbers == sorted(set(numbers)), "one writer"
    if not other_continues:
        assert contents(tmp_path / "run") == before


def test_that_a_run_is_written_while_it_trains_and_not_after(tiny_spec, tmp_path):
    run, seen = RunFolder(tmp_path / "run"), []
    launch(tiny_spec(steps=2), Control(), [lambda event: seen.append(run.written_elsewhere)], run.path)
    *during, _ = seen  # the end is reported when the run is closed
    assert set(during) == {True}
    assert not run.written_elsewhere


def test_that_two_windows_of_one_program_do_not_write_the_same_run(stopped):
    refused = []

    def other(event) -> None:
        if isinstance(event, StepDone) and not refused:
            refused.append(continue_run(stopped))

    assert resume(stopped, Control(), [other]).outcome == "finished"
    assert f"{WORDS} (process {os.getpid()} on" in refused[0].message
    assert [event.step for event in steps(stopped)] == list(range(20))


def test_that_a_query_does_not_recreate_a_removed_run(tmp_path):
    run = RunFolder(tmp_path / "gone")
    assert not run.written_elsewhere
    with pytest.raises(UserError, match=r"no longer exists\."), run.writing():
        pass
    assert not run.path.exists()


def test_that_where_nothing_can_be_written_a_journal_that_grew_lately_is_being_written(stopped):
    (stopped.path / "lock").unlink()
    (stopped.path / "lock").mkdir()  # not even root can open that as a file
    assert stopped.written_elsewhere
    long_ago = time.time() - 3600
    os.utime(stopped.journal_path, (long_ago, long_ago))
    assert not stopped.written_elsewhere
    with pytest.raises(UserError, match=r"Could not write to .* You can only view the run here\."), stopped.writing():
        pass
    assert "You can only view the run here." in continue_run(stopped).message
    stopped.journal_path.unlink()
    assert not stopped.written_elsewhere


# Another computer


def written_by_another_computer(run: RunFolder) -> str:
    """Leave a run in the state in which another computer at the same disk writes it, or left it when its power
    failed."""
    writer = {
        "process": 4711, "host": "lab-3", "since": "2026-11-20T14:03:00+01:00",
        "lock": (run.path / "lock").stat().st_ino,
    }
    (run.path / "writer.json").write_text(json.dumps(writer), encoding="utf-8")
    return "process 4711 on lab-3, since 2026-11-20 14:03"


def test_that_a_run_that_another_computer_writes_is_refused_and_its_owner_named(stopped, tmp_path, fault, capfd):
    who, before = written_by_another_computer(stopped), stopped.journal_path.read_bytes()
    with fault.tried("going on with it"):
        assert who in continue_run(stopped).message
    with fault.tried("going on with it at the command line"):
        assert main(["train", "--resume", str(stopped.path)]) == 2
        output = capfd.readouterr().err
        assert who in " ".join(output.split())
        assert "Traceback" not in output
    with fault.tried("renaming it"), pytest.raises(UserError, match="process 4711 on lab-3"):
        stopped.rename("mine")
    with fault.tried("asking"):
        assert stopped.written_elsewhere
        assert Summaries(tmp_path / "memory.json").of(stopped).state == "stopped", "it can be looked at"
    with fault.tried("nothing was touched"):
        assert stopped.journal_path.read_bytes() == before
        assert stopped.writer.host == "lab-3"


def test_that_a_run_of_another_computer_is_taken_over_once_its_owner_is_known_to_be_dead(stopped):
    """The user confirms it by removing the owner's file; the message says where it is."""
    written_by_another_computer(stopped)
    name = str(stopped.path / "writer.json")
    assert f"delete the file {name}" in continue_run(stopped).message
    os.unlink(name)
    assert continue_run(stopped).outcome == "finished"
    assert [event.step for event in steps(stopped)] == list(range(20))


def test_that_a_computer_is_known_by_its_identity_and_not_by_its_name(stopped, monkeypatch, fault):
    written_by_another_computer(stopped)
    file = stopped.path / "writer.json"
    left = json.loads(file.read_text(encoding="utf-8"))
    with fault.tried("another computer with the same name"):
        file.write_text(json.dumps(left | {"host": platform.node(), "machine": "0" * 32}), encoding="utf-8")
        assert f"process 4711 on {platform.node()}" in continue_run(stopped).message
    with fault.tried("a computer without an identity goes by names"), monkeypatch.context() as patch:
        patch.setattr(machine, "identity", lambda: "")
        assert not stopped.written_elsewhere
    with fault.tried("this computer, renamed since"):
        file.write_text(json.dumps(left | {"machine": machine.identity()}), encoding="utf-8")
        assert not stopped.written_elsewhere
        assert continue_run(stopped).outcome == "finished"


def test_that_a_copy_of_a_run_has_no_owner(stopped, tmp_path, fault):
    written_by_another_computer(stopped)
    with fault.tried("a folder that was copied"):
        shutil.copytree(stopped.path, tmp_path / "copy")
        assert continue_run(RunFolder(tmp_path / "copy")).outcome == "finished"
    with fault.tried("a zip"):
        pack(stopped, tmp_path / "run.zip")
        assert "writer.json" not in (tmp_path / "run.zip").read_bytes().decode("latin-1")


@pytest.mark.parametrize("left", [b"", b"{", b"null", b"[1]", b"\xff\xfe", b'{"process": "x"}', b"x" * 10**6], ids=len)
def test_that_an_owner_that_cannot_be_read_blocks_nobody(stopped, left):
    (stopped.path / "writer.json").write_bytes(left)
    assert not stopped.written_elsewhere
    assert continue_run(stopped).outcome == "finished"


def test_that_a_disk_that_takes_no_owner_file_still_takes_the_run(stopped):
    (stopped.path / "writer.json").mkdir()  # not even root can put a file there
    assert continue_run(stopped).outcome == "finished"


def test_that_the_window_shows_who_writes_a_run_and_offers_no_control(user, elsewhere):
    run, process = elsewhere
    added_runs.add(paths.added_runs(), run.path)
    user.runs.choose(run)
    user.wait(lambda: user.runs.listed(run.path).state == "live")
    user.runs.open(run)
    user.wait(user.train.losses)
    assert f"Written by process {process.pid} on {platform.node()}" in user.reads("elsewhere")
    user.window.training.continue_run(run)  # as from a list that is not yet up to date
    user.wait(lambda: not user.train.running)
    assert f"{WORDS} (process {process.pid}" in user.reads("train_notice")
    assert process.poll() is None


# One home

CHANGING = """
import sys
from pathlib import Path
from gptstudio import machine, paths
from gptstudio.history import added_runs
from gptstudio.history.summary import Summaries
from gptstudio.training.forecast import CostHistory
from gptstudio.training.run_folder import RunFolder
which, run, enough, number = sys.argv[1], RunFolder(Path(sys.argv[2])), Path(sys.argv[3]), 0
while number < 20 or not enough.exists() and number < 5_000:
    added_runs.add(paths.added_runs(), Path(f"/{which}/{number}"))
    Summaries(paths.summaries()).of_all([run] if number % 2 else [])
    CostHistory.read().write()
    number += 1
print(number)
"""
SEEN = 10
"""The number of states of a file to read while two programs write it."""


def test_that_two_programs_in_one_home_find_all_shared_files_complete(tiny_spec, tmp_path, fault):
    run = train(tiny_spec(steps=2), tmp_path / "run")
    enough = tmp_path / "enough"
    two = [warm_python.start("-c", CHANGING, which, run.path, enough, stderr=2) for which in ("one", "two")]
    shared = (paths.added_runs(), paths.summaries(), paths.user_data() / "calibration.json")
    read: dict[str, set[bytes]] = {file.name: set() for file in shared}
    while any(program.poll() is None for program in two):
        for file in filter(Path.exists, shared):
            read[file.name].add(file.read_bytes())
        if len(read[shared[0].name]) > SEEN:
            enough.touch()
    for name, found in read.items():
        with fault.tried(f"{name} while two write it"):
            assert all(map(json.loads, found))
    assert len(read[shared[0].name]) > SEEN, "it was hardly looked at while it changed"
    rounds = {which: int(program.communicate()[0]) for which, program in zip(("one", "two"), two, strict=True)}
    assert [program.returncode for program in two] == [0, 0]
    with fault.tried("nothing that was added is lost"):
        assert set(added_runs.folders(paths.added_runs())) == {
            Path(f"/{which}/{number}") for which, count in rounds.items() for number in range(count)
        }
    with fault.tried("nothing half-written stays"):
        assert not list(paths.user_data().rglob("*.tmp"))
