"""The clock of the computer is set while the program works: a year back, a day forward, to and fro. Durations are
measured by a monotonic clock; the order follows names and steps, not the times at which files were changed; and files
that others are writing are not removed as leftovers."""

import os
import random
import shutil
import subprocess
import sys
import time
from datetime import UTC, datetime, timedelta, timezone

import pytest
import warm_python
from whole_runs import after_step, continue_run, steps, train

from gptstudio import files
from gptstudio.training import run_folder
from gptstudio.training.control import Control
from gptstudio.training.events import CheckpointSaved
from gptstudio.training.kept_checkpoints import best_of
from gptstudio.training.launch import launch
from gptstudio.training.run_folder import RunFolder, all_runs, step_of

pytestmark = [pytest.mark.fault(20), pytest.mark.usefixtures("common_words")]

DAY_S, YEAR_S = 86_400.0, 365 * 86_400.0
JUMPS = {
    "a year back": (0.0, -YEAR_S), "a day on": (0.0, DAY_S),
    "to and fro": (-YEAR_S, DAY_S, 0.0, 400 * YEAR_S, -DAY_S),
}  # fmt: skip


@pytest.fixture(params=JUMPS)
def jumping(request, monkeypatch):
    """Set the clock of the computer again and again from now on."""
    real, rng, at = time.time, random.Random(7), JUMPS[request.param]

    def now() -> float:
        asks = sys._getframe(1).f_globals.get("__name__", "")  # noqa: SLF001 - no other way to the caller
        return real() + (0.0 if asks.startswith("pytestqt") else rng.choice(at))  # it measures its timeout

    class Jumping(datetime):
        @classmethod
        def now(cls, tz: timezone | None = None) -> datetime:
            moment = datetime.fromtimestamp(0, tz or UTC) + timedelta(seconds=real() + rng.choice(at[:3]))
            return moment if tz else moment.replace(tzinfo=None)

    monkeypatch.setattr(time, "time", now)
    monkeypatch.setattr(time, "time_ns", lambda: int(now() * 1e9))
    monkeypatch.setattr(run_folder, "datetime", Jumping)


def whole_journal(run: RunFolder) -> bool:
    """Return whether each line of the journal is an event."""
    lines = run.journal_path.read_bytes().splitlines(keepends=True)
    return len(lines) == len(list(run.events())) and all(line.endswith(b"\n") for line in lines)


def test_that_a_run_is_measured_saved_and_continued_while_the_clock_jumps(jumping, tiny_spec, tmp_path, fault):
    run, control, events = RunFolder(tmp_path / "run"), Control(), []
    spec = tiny_spec(steps=14, save_every_s=1_000, keep_others=100)
    assert launch(spec, control, [events.append, after_step(10, control.stop)], run.path).outcome == "stopped"
    with fault.tried("nothing is saved before its time"):
        assert [event.step for event in events if isinstance(event, CheckpointSaved)] == [10, 5]  # the best
    with fault.tried("it goes on"):
        assert continue_run(run).outcome == "finished"
        assert [event.step for event in steps(run)] == list(range(14))
    with fault.tried("its seconds only grow"):
        seconds = [event.elapsed_s for event in steps(run)]
        assert seconds == sorted(seconds)
        assert 0 <= seconds[0] <= seconds[-1] < 600
    with fault.tried("its journal is whole"):
        assert whole_journal(run)


@pytest.mark.parametrize("jumping", ["to and fro"], indirect=True)
def test_that_the_window_shows_no_negative_speed_or_time_while_the_clock_jumps(jumping, user, fault):
    messages: list[tuple[str, ...]] = []
    figures = ("figure_speed", "figure_left")
    user.window.training.events_arrived.connect(lambda came: messages.append(tuple(map(user.reads, figures))))
    source = user.train.to_end(steps=20, eval_freq=10)
    with fault.tried("speed and time left"):
        assert len(messages) > 1
        assert not [each for each in messages if "-" in "".join(each)]
        assert [speed for speed, _ in messages if speed not in ("", "–")]
    with fault.tried("the measured time"):
        assert "-" not in user.reads("measured")
    with fault.tried("the model that was trained is the one that is offered"):
        assert source.path == all_runs()[0].newest_checkpoint()
        assert source.path.name == "step-000019"
    with fault.tried("the list of runs"):
        user.go_to("runs")
        user.wait(lambda: user.runs.listed(all_runs()[0].path))


def test_that_runs_and_checkpoints_are_ordered_by_name_and_step_despite_their_file_times(tiny_spec, home, fault):
    spec = tiny_spec(steps=26, save_every_epochs=1, keep_others=100, eval_freq=5)
    first, *others = (home / "runs" / f"2026-11-2{day}_120000_own" for day in (0, 1, 2))
    runs = [train(spec, first), *(RunFolder(shutil.copytree(first, each)) for each in others)]
    best = best_of(runs[0])
    for age, run in enumerate(runs):
        for path in run.path.rglob("*"):
            os.utime(path, (age * YEAR_S, age * YEAR_S) if "step" in path.name else ((9 - age) * YEAR_S,) * 2)
    for age, path in enumerate(reversed(runs[0].checkpoints())):
        os.utime(path, (age * DAY_S,) * 2)
    with fault.tried("runs"):
        assert [run.name for run in all_runs()] == [run.name for run in reversed(runs)]
    with fault.tried("checkpoints"):
        assert [step_of(path) for path in runs[0].checkpoints()] == sorted(map(step_of, runs[0].checkpoints()))
        assert runs[0].newest_checkpoint().name == "step-000025"
        assert best_of(runs[0]) == best


@pytest.mark.parametrize("jump", [-YEAR_S, DAY_S, 1000 * DAY_S])
def test_that_a_run_that_cannot_be_written_to_is_live_only_as_long_as_its_journal_grows(
    tiny_spec, tmp_path, monkeypatch, jump
):
    run, real = train(tiny_spec(), tmp_path / "run", stop_at=4), time.time
    (run.path / "lock").unlink()
    (run.path / "lock").mkdir()  # not even root can open that as a file
    assert run.written_elsewhere
    monkeypatch.setattr(time, "time", lambda: real() + jump)
    assert not run.written_elsewhere


WRITING = """
import sys, time
from pathlib import Path
from gptstudio import files
place = Path(sys.argv[1])
folder = place / ".folder.tmp"
folder.mkdir()
with files.claimed(folder), files.written_whole(place / "file") as file:
    file.write(b"half")
    file.flush()
    print("writing", flush=True)
    sys.stdin.read()
"""


@pytest.mark.skipif(os.name == "nt", reason="Windows removes nothing that is open")
@pytest.mark.parametrize("jump", [2 * DAY_S, YEAR_S, 400 * YEAR_S])
def test_that_a_file_that_a_running_program_is_writing_is_no_leftover_at_any_clock(tmp_path, monkeypatch, jump, fault):
    program = warm_python.start("-c", WRITING, tmp_path, stdin=subprocess.PIPE, stderr=2)
    assert program.stdout.readline() == "writing\n"
    real, temp_files = time.time, sorted(tmp_path.glob("*.tmp"))
    assert len(temp_files) == 2
    monkeypatch.setattr(time, "time", lambda: real() + jump)
    with fault.tried("while it lives"):
        files.remove_temp_files(tmp_path)
        assert sorted(tmp_path.glob("*.tmp")) == temp_files
    program.kill()
    program.wait()
    with fault.tried("once it was killed"):
        files.remove_temp_files(tmp_path)
        assert not list(tmp_path.iterdir())


def test_that_an_unclaimed_file_stays_for_a_day(tmp_path):
    (tmp_path / "left.tmp").write_bytes(b"half")
    files.remove_temp_files(tmp_path)
    assert (tmp_path / "left.tmp").exists()
    before = time.time() - 2 * DAY_S
    os.utime(tmp_path / "left.tmp", (before, before))
    files.remove_temp_files(tmp_path)
    assert not (tmp_path / "left.tmp").exists()
