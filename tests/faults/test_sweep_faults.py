"""Faults during a sweep that trains for a night: none of its runs is lost, and it continues where it stopped."""

import json
import math
import os
import shutil
import signal
import threading
from pathlib import Path

import pytest
import warm_python
from command_line import finish, start
from disks import mount_again, mounted, unreadable
from sweeps import RATES, journals, small_sweep, statuses, sweep_file, train_all
from whole_runs import after_step, breaks

from gptstudio import files, paths
from gptstudio.__main__ import main
from gptstudio.errors import UserError
from gptstudio.training.control import Control
from gptstudio.training.events import CheckpointSaved, Ended, RunStarted, StepDone
from gptstudio.training.run_folder import all_runs
from gptstudio.training.run_lock import RunLock
from gptstudio.training.sweep_runner import Queue, SweepFolder, SweepRunner


@pytest.fixture
def base(tiny_spec):
    return tiny_spec(steps=5, eval_freq=2, eval_iter=1, sample_tokens=1)


@pytest.mark.fault(9)
@pytest.mark.usefixtures("few_tokens")
def test_that_a_missing_text_fails_its_runs_which_can_be_trained_once_it_is_back(base, lesson):
    sweep = small_sweep(base)
    text = lesson.read_bytes()
    ends = train_all(sweep, lambda event: isinstance(event, Ended) and lesson.unlink(missing_ok=True))
    assert [end.verdict for end in ends] == ["finished", "failed", "failed", "failed"]
    assert all(str(lesson) in end.message or lesson.name in end.message for end in ends[1:])
    assert len(all_runs()) == 1, "no empty folders"
    lesson.write_bytes(text)
    sweep.change(Queue.retry)
    train_all(sweep)
    assert statuses(sweep) == ["finished"] * 4


@pytest.mark.fault(13)
@pytest.mark.usefixtures("few_tokens")
def test_that_a_run_that_diverges_is_noted_with_its_reason_and_the_next_one_is_trained(base, monkeypatch):
    breaks(monkeypatch, step=4, value=math.nan)
    sweep = small_sweep(base, steps=(6, 3), seeds=(1,))
    first, second = train_all(sweep)
    assert (first.verdict, second.verdict) == ("failed", "finished")
    assert first.ended.error == "Diverged"
    assert sweep.queue().member(sweep.queue().order[0]).message == first.ended.message


@pytest.mark.fault(3)
def test_that_a_full_disk_in_the_middle_pauses_the_sweep_and_loses_no_run(base, tmp_path, monkeypatch):
    monkeypatch.setenv("GPTSTUDIO_HOME", str(tmp_path / "roomy"))
    whole = small_sweep(base)
    train_all(whole)
    expected = journals(whole)
    with mounted(tmp_path / "disk", 30) as disk:  # 18 MB a checkpoint: one fits, two do not
        monkeypatch.setenv("GPTSTUDIO_HOME", str(disk))
        sweep = small_sweep(base)
        first, second = train_all(sweep)
        assert (first.verdict, second.verdict) == ("finished", "waits")
        assert "The disk is full" in second.message
        assert "The sweep waits, and no run is lost." in second.message
        assert statuses(sweep) == ["finished", "pending", "pending", "pending"]
        assert sweep.queue().message == second.message
        mount_again(disk, "size=100m")
        assert [end.verdict for end in train_all(sweep)] == ["finished"] * 3
        assert sweep.queue().message == ""
        assert journals(sweep) == expected


@pytest.mark.fault(3)
def test_that_a_run_during_which_the_disk_fills_up_is_continued_once_there_is_room(base, tmp_path, monkeypatch):
    with mounted(tmp_path / "disk", 60) as disk:
        monkeypatch.setenv("GPTSTUDIO_HOME", str(disk))
        sweep = small_sweep(base)
        filler = disk / "filler"
        fill = after_step(3, lambda: filler.write_bytes(bytes(files.free_bytes(disk) - 2**20)))
        [end] = train_all(sweep, fill)
        assert end.verdict == "waits"
        assert str(disk) in end.message
        filler.unlink()
        mount_again(disk, "size=120m")
        assert {end.verdict for end in train_all(sweep)} == {"finished"}
        assert statuses(sweep) == ["finished"] * 4


@pytest.mark.fault(1)
@pytest.mark.skipif(os.name == "nt", reason="Windows has no such signals")
def test_that_a_killed_command_continues_with_the_results_of_one_that_was_not_killed(tmp_path, monkeypatch, capfd):
    file = sweep_file(tmp_path, "killed", steps=9, eval_freq=4, save_every_s=1)
    assert main(["sweep", str(file), "--json"]) == 0
    expected = journals(SweepFolder.of_name("killed"))
    monkeypatch.setenv("GPTSTUDIO_HOME", str(tmp_path / "other"))
    sweep = SweepFolder.of_name("killed")
    for times in range(1, 4):  # at the start of the second run, of the third, and after that
        process = start("sweep", file, "--json")
        for line in process.stdout:
            if '"member_started"' in line and (json.loads(line)["number"] > times or times == 3):
                break
        process.send_signal(signal.SIGKILL)
        process.wait()
    result = finish(start("sweep", file, "--json"))
    assert result.code == 0, result.err
    assert statuses(sweep) == ["finished"] * 4
    assert journals(sweep) == expected
    assert len(all_runs()) == 4, "no run was begun twice"
    assert not list(paths.sweeps().glob("*/.*.tmp"))


LAST = 4
"""The last step of a run with one checkpoint after step 2, at the end of its first epoch, and one at its end."""


@pytest.mark.fault(1)
@pytest.mark.usefixtures("few_tokens")
def test_that_a_run_killed_anywhere_is_restarted_continued_or_known_to_be_complete(base, fault):
    base = base.but(steps=LAST + 1, save_every_epochs=1, train_ratio=0.25)
    whole = small_sweep(base, "whole", seeds=(1,))
    train_all(whole)
    expected = journals(whole)
    places = {
        "before a checkpoint": (lambda event: isinstance(event, StepDone) and event.step == 1, [0]),
        "after a checkpoint": (lambda event: isinstance(event, StepDone) and event.step == 3, [0, 3]),
        "after the last": (lambda event: isinstance(event, CheckpointSaved) and event.step == LAST, [0]),
        "at its very end": (lambda event: isinstance(event, Ended), [0]),
    }
    for place, (there, starts) in places.items():
        with fault.tried(f"killed {place}"):
            sweep = small_sweep(base, place, seeds=(1,))

            class Killed(BaseException):
                """Raised in place of a kill: nothing that follows is done."""

            def kill(event, there=there):
                if there(event):
                    raise Killed

            with pytest.raises(Killed):
                train_all(sweep, kill)
            train_all(sweep)
            assert statuses(sweep) == ["finished"] * 2
            assert journals(sweep) == expected
            first = sweep.run_of(sweep.queue(), SweepRunner(sweep).members[sweep.queue().order[0]])
            assert [event.first_step for event in first.events() if isinstance(event, RunStarted)] == starts
            assert list(first.events())[-1].outcome == "finished"


@pytest.mark.fault(5)
@pytest.mark.usefixtures("few_tokens")
def test_that_a_damaged_sweep_is_refused_with_a_message_and_its_runs_stay(base, fault):
    sweep = small_sweep(base.but(steps=1))
    train_all(sweep)
    for name in ("sweep.json", "queue.json"):
        file = sweep.path / name
        data = file.read_bytes()
        damages = {
            "cut": data[: len(data) // 2], "flipped": data.replace(b"1", b"2", 1), "empty": b"", "other": b"[]",
            "huge": b'{"format": 1, "order": [' + b"9" * 5000 + b"]}", "deep": b"[" * 100_000,
            "newer": b'{"format": 99}',
        }
        for kind, damaged in damages.items():
            file.write_bytes(damaged)
            with fault.tried(f"{name}, {kind}"), pytest.raises(UserError) as caught:
                SweepRunner(sweep).next()
            words = str(caught.value)
            assert "damaged" in words or "newer version" in words, words
            assert main(["sweep", "rates"]) == 2
        assert len(all_runs()) == 4
        file.write_bytes(data)
        assert SweepRunner(sweep).next() is None


@pytest.mark.fault(19)
def test_that_a_sweep_that_this_process_begins_to_train_is_not_reported_as_trained_elsewhere(base, monkeypatch):
    """The window lists sweeps on one thread while it takes the lock for the next run on another."""
    sweep, begun, over, held = small_sweep(base), threading.Event(), threading.Event(), RunLock.is_held

    def train() -> None:
        with sweep.writing():
            begun.set()
            over.wait(30)

    def look(lock: RunLock, journal: Path) -> bool:
        other.start()
        begun.wait(0.3)
        return held(lock, journal)

    other = threading.Thread(target=train)
    monkeypatch.setattr(RunLock, "is_held", look)
    assert not sweep.trained_elsewhere
    over.set()
    other.join()


HOLD = """
import sys
from gptstudio.training.sweep_runner import SweepFolder
with SweepFolder.of_name(sys.argv[1]).writing():
    print("held", flush=True)
    sys.stdin.read()
"""


@pytest.mark.fault(19)
@pytest.mark.usefixtures("few_tokens")
def test_that_two_programs_do_not_train_one_sweep(base, capfd):
    sweep = small_sweep(base)
    process = warm_python.start("-c", HOLD, sweep.name, stdin=-1)
    assert process.stdout.readline() == "held\n"
    assert sweep.trained_elsewhere
    with pytest.raises(UserError, match=r"Another window or program .* is training the sweep rates"):
        train_all(sweep)
    with pytest.raises(UserError, match="is training the sweep rates"):
        sweep.change(Queue.retry)
    assert main(["sweep", "rates"]) == 2
    assert "You can only view it here." in capfd.readouterr().err
    assert main(["sweep", "rates", "--show"]) == 0, "to look is allowed"
    process.kill()
    process.wait()
    assert not sweep.trained_elsewhere
    train_all(sweep)
    assert statuses(sweep) == ["finished"] * 4


@pytest.mark.fault(19)
@pytest.mark.usefixtures("few_tokens")
@pytest.mark.parametrize("saved", [False, True], ids=["without a checkpoint", "with a checkpoint"])
def test_that_a_sweep_waits_for_a_run_that_another_program_continues(base, saved):
    sweep, control = small_sweep(base), Control()
    train_all(sweep, after_step(2, control.stop), control)
    [run] = all_runs()
    if not saved:
        run.remove(run.checkpoints())
    with run.writing():
        [end] = train_all(sweep)
    assert end.verdict == "waits"
    assert f"is writing the run {run.name}" in end.message == sweep.queue().message
    assert statuses(sweep)[0] == "started"
    train_all(sweep)
    assert statuses(sweep) == ["finished"] * 4
    assert len(all_runs()) == 4, "that run was continued, or begun again in its folder"


@pytest.mark.fault(4)
@pytest.mark.usefixtures("few_tokens")
def test_that_a_sweep_waits_for_a_run_whose_checkpoints_cannot_be_listed_and_keeps_it(base):
    sweep, control = small_sweep(base), Control()
    train_all(sweep, after_step(2, control.stop), control)
    [run] = all_runs()
    log = run.journal_path.read_bytes()
    with unreadable(run.checkpoint_folder):
        [end] = train_all(sweep)
    assert end.verdict == "waits"
    assert "Permission denied" in end.message
    assert run.journal_path.read_bytes() == log
    train_all(sweep)
    assert statuses(sweep) == ["finished"] * 4
    assert len(all_runs()) == 4, "that run was continued"


@pytest.mark.fault(1)
@pytest.mark.usefixtures("few_tokens")
def test_that_a_run_that_was_deleted_while_it_was_open_starts_again(base):
    sweep, control = small_sweep(base), Control()
    train_all(sweep, after_step(2, control.stop), control)
    shutil.rmtree(all_runs()[0].path)
    train_all(sweep)
    assert statuses(sweep) == ["finished"] * 4
    assert [run.record().spec.learning_rate for run in reversed(all_runs())] == [*RATES, *RATES]
