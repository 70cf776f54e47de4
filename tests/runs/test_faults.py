"""What a run meets in the world: it is killed, its disk fills, its folder goes; and it leaves nothing behind."""

import errno
import gc
import json
import os
import shutil
import subprocess
import sys
import threading
from collections.abc import Callable
from pathlib import Path

import psutil
import pytest
from whole_runs import after_step, equal, go_on, steps, told, train, weights

import gptstudio
from gptstudio.gpt.config import GPTConfig
from gptstudio.runs import checkpoint, launch
from gptstudio.runs.control import Control
from gptstudio.runs.events import CheckpointSaved, Event, PhaseChanged, StepDone, Warned, to_json
from gptstudio.runs.folder import RunFolder
from gptstudio.runs.journal import Journal, read

# Killed

KILLER = """
import os, random, signal, sys, time
from pathlib import Path
import torch
torch.set_num_threads(1)
from gptstudio.runs import checkpoint, launch
from gptstudio.runs.control import Control
from gptstudio.runs.folder import RunFolder
from gptstudio.runs.journal import Journal
from gptstudio.runs.spec import TrainSpec

spec, run, chance = TrainSpec.model_validate_json(sys.argv[1]), RunFolder(Path(sys.argv[2])), random.Random(7)
launch.launch(spec.but(steps=1), Control(), [])  # imports all that is needed, once for all children
in_the_middle = 0

def saving(since):
    try:
        return any(path.stat().st_ctime_ns > since for path in run.checkpoint_folder.glob(".step-*.tmp"))
    except FileNotFoundError:
        return False  # renamed meanwhile

for number in range(50):
    before, since = run.checkpoints()[-1:], time.time_ns()
    child = os.fork()  # a process of its own to be killed, without importing torch each time
    if child == 0:
        ended = launch.resume(run, Control(), []) if before else launch.launch(spec, Control(), [], run.path)
        print(ended.words, file=sys.stderr, flush=True)  # only if it could not go on
        os._exit(1)
    if number % 2 == 0:  # the others get no further than their first save
        while run.checkpoints()[-1:] == before and os.waitpid(child, os.WNOHANG) == (0, 0):
            time.sleep(0.001)
    while not saving(since) and os.waitpid(child, os.WNOHANG) == (0, 0):
        time.sleep(0.0002)
    time.sleep(chance.uniform(0, 0.01))
    os.kill(child, signal.SIGKILL)
    os.waitpid(child, 0)
    in_the_middle += saving(since)
    newest = run.newest_checkpoint()
    checkpoint.load(newest), checkpoint.load_resume(newest)
    Journal(run.journal_path).close()
    with run.journal_path.open("rb") as journal:
        events, lines = len(list(run.events())), journal.read().splitlines(keepends=True)
    assert len(lines) == events and lines[-1].endswith(b"\\n"), lines[-1]
print(in_the_middle)
"""


@pytest.mark.slow
@pytest.mark.timeout(600)
@pytest.mark.skipif(not hasattr(os, "fork"), reason="needs fork")
def test_that_a_run_killed_fifty_times_while_saving_goes_on_each_time_and_is_the_run_never_killed(
    tiny_spec, tmp_path
):
    config = GPTConfig(context_length=16, emb_dim=8, n_heads=2, n_layers=1, drop_rate=0.2)
    spec = tiny_spec(  # short epochs, so that it saves all the time
        config=config, batch_size=1, train_ratio=0.1, save_every_epochs=1, steps=1_000_000, eval_freq=7, eval_iter=1,
        sample_tokens=1,
    )
    run = RunFolder(tmp_path / "killed")
    process = subprocess.run(
        [sys.executable, "-c", KILLER, spec.model_dump_json(), str(run.path)], capture_output=True, text=True,
        env=os.environ | {"PYTHONPATH": str(Path(gptstudio.__file__).parents[1])},
    )
    assert process.returncode == 0, process.stderr
    assert int(process.stdout) > 10, "few were killed in the middle of a save"
    last = checkpoint.read_state(run.newest_checkpoint()).step
    assert last >= 25
    assert go_on(run, stop_at=last + 5).outcome == "stopped"
    whole = train(spec, tmp_path / "whole", stop_at=last + 5)
    assert told(run) == told(whole)
    assert equal(weights(run), weights(whole))


# A full disk


@pytest.fixture
def longest_file():
    """Sets how long a file may become, as a disk does that fills up; None: as before."""
    resource = pytest.importorskip("resource")  # not on Windows
    before = resource.getrlimit(resource.RLIMIT_FSIZE)

    def limit(size: int | None) -> None:
        resource.setrlimit(resource.RLIMIT_FSIZE, before if size is None else (size, before[1]))

    yield limit
    limit(None)


def fails_between(first: int, last: int, longest_file: Callable, size: int) -> list:
    """Sinks for a disk that is full from one step to another."""
    return [after_step(first, lambda: longest_file(size)), after_step(last, lambda: longest_file(None))]


def hold_whole(journal: Path) -> None:
    content = journal.read_bytes()
    assert content.endswith(b"\n")
    for line in content.splitlines():
        json.loads(line)


def test_that_a_disk_that_is_full_while_saving_costs_only_that_checkpoint(tiny_spec, tmp_path, longest_file):
    run, events = RunFolder(tmp_path / "run"), []
    spec = tiny_spec(steps=48, save_every_epochs=1, eval_freq=100)

    def look(event: Event) -> None:
        if isinstance(event, Warned):
            assert [path.name for path in run.checkpoint_folder.iterdir()] == ["step-000011"], "and nothing beside it"
            assert checkpoint.load(run.newest_checkpoint())

    ended = launch.launch(
        spec, Control(), [events.append, look, *fails_between(20, 30, longest_file, 2**20)], run.path
    )
    assert ended.outcome == "finished"
    [warned] = [event for event in events if isinstance(event, Warned)]
    assert "The checkpoint of step 23 was not saved." in warned.words
    assert "should not" not in warned.words
    assert [event.step for event in events if isinstance(event, CheckpointSaved)] == [11, 35, 47]
    hold_whole(run.journal_path)
    assert told(run)[-1] == told(train(spec, tmp_path / "roomy"))[-1]


def test_that_a_disk_that_stays_full_ends_the_run_in_words_and_keeps_what_there_was(tiny_spec, tmp_path, longest_file):
    run = RunFolder(tmp_path / "run")
    sinks = [after_step(20, lambda: longest_file(2**20))]
    ended = launch.launch(tiny_spec(steps=30, save_every_epochs=1), Control(), sinks, run.path)
    assert ended.outcome == "failed"
    assert "could not be written" in ended.words
    assert [path.name for path in run.checkpoint_folder.iterdir()] == ["step-000011"]
    hold_whole(run.journal_path)
    longest_file(None)
    assert go_on(run).outcome == "finished"


@pytest.mark.parametrize("room", [0, 1, 60, 150, 300])
def test_that_a_disk_that_is_full_while_the_journal_is_written_costs_the_record_and_not_the_run(
    tiny_spec, tmp_path, longest_file, room
):
    run, events = RunFolder(tmp_path / "run"), []
    spec = tiny_spec(steps=20, eval_freq=100)
    fill = after_step(5, lambda: longest_file(run.journal_path.stat().st_size + room))
    ended = launch.launch(spec, Control(), [events.append, fill, after_step(12, lambda: longest_file(None))], run.path)
    assert ended.outcome == "finished"
    [warned] = [event for event in events if isinstance(event, Warned)]
    assert "A part of the run's record could not be kept, and is left out from here on." in warned.words
    assert warned.words.endswith(("The disk is full. Free some space and try again.", "File too large."))
    hold_whole(run.journal_path)
    assert [event.step for event in steps(run)] == list(range(len(steps(run))))
    assert equal(weights(run), weights(train(spec, tmp_path / "roomy")))


def test_that_a_run_whose_journal_was_cut_short_by_a_full_disk_goes_on(tiny_spec, tmp_path, longest_file):
    run, control = RunFolder(tmp_path / "run"), Control()
    fill = after_step(5, lambda: longest_file(run.journal_path.stat().st_size + 60))
    sinks = [fill, after_step(8, lambda: longest_file(None)), after_step(9, control.stop)]
    spec = tiny_spec(steps=20, eval_freq=100)
    assert launch.launch(spec, control, sinks, run.path).outcome == "stopped"
    assert go_on(run).outcome == "finished"
    assert [event.step for event in steps(run)] == [*range(6), *range(10, 20)]  # and no step that was not taken
    assert equal(weights(run), weights(train(spec, tmp_path / "roomy")))


@pytest.mark.parametrize("number", [errno.ENOSPC, errno.EDQUOT])
def test_that_a_full_disk_and_a_spent_quota_are_told_alike(tiny_spec, tmp_path, monkeypatch, number):
    def full(*_: object, **__: object) -> None:
        raise OSError(number, os.strerror(number))

    monkeypatch.setattr(checkpoint, "save_file", full)
    assert "The disk is full." in launch.launch(tiny_spec(steps=1), Control(), [], tmp_path / "run").words


# A folder that goes


@pytest.mark.skipif(os.name == "nt", reason="Windows keeps a folder with open files")
@pytest.mark.parametrize(
    "go", [shutil.rmtree, lambda path: path.rename(path.with_name("trash"))], ids=["removed", "moved"]
)
def test_that_a_run_whose_folder_goes_while_it_trains_keeps_its_model(tiny_spec, tmp_path, go):
    spec = tiny_spec(steps=40, save_every_epochs=1, eval_freq=100)
    whole, run, events, control = train(spec, tmp_path / "whole"), RunFolder(tmp_path / "run"), [], Control()
    sinks = [events.append, after_step(15, lambda: go(run.path)), after_step(30, control.stop)]
    assert launch.launch(spec, control, sinks, run.path).outcome == "stopped"
    [warned] = [event for event in events if isinstance(event, Warned)]
    assert "The folder of this run was removed while it was written. It was made anew" in warned.words
    assert run.record().spec == spec
    assert [path.name for path in run.checkpoints()] == ["step-000023", "step-000030"]
    hold_whole(run.journal_path)
    assert [event.step for event in steps(run)] == list(range(24, 31)), "the record goes on"
    assert go_on(run).outcome == "finished"
    assert [event.step for event in steps(run)] == list(range(24, 40))
    assert equal(weights(run), weights(whole))


def test_that_a_journal_that_is_gone_does_not_keep_a_run_from_going_on(tiny_spec, tmp_path):
    run = train(tiny_spec(), tmp_path / "run", stop_at=4)
    run.journal_path.unlink()
    assert go_on(run).outcome == "finished"
    assert [event.step for event in steps(run)] == list(range(5, 12))


def test_that_a_journal_whose_folder_is_gone_fails_no_run(tmp_path):
    (tmp_path / "run").mkdir()
    journal = Journal(tmp_path / "run" / "journal.jsonl")
    if os.name != "nt":
        shutil.rmtree(tmp_path / "run")
    journal(PhaseChanged(phase="training"))
    journal.close()


@pytest.mark.parametrize("rest", [b"", b"{", b'{"event":"step_done","st', b"x" * 200_000], ids=len)
def test_that_a_line_that_was_cut_off_is_gone_once_the_journal_is_opened_again(tmp_path, rest):
    path, event = tmp_path / "journal.jsonl", PhaseChanged(phase="training")
    path.write_bytes((to_json(event) + "\n").encode() * 3 + rest)
    journal = Journal(path)
    hold_whole(path)
    journal(event)
    journal.close()
    hold_whole(path)
    assert list(read(path)) == [event] * 4


# What stays


def started_and_stopped(spec, path: Path, number: int) -> None:
    """One run that ends at one of several moments: at once, before it trains, while paused, after a step."""
    control = Control()
    moments: list[Callable[[Event], object]] = [
        lambda event: control.stop(),
        lambda event: isinstance(event, PhaseChanged) and (control.pause(), control.snapshot(), control.stop()),
        lambda event: isinstance(event, StepDone) and control.stop(),
        lambda event: isinstance(event, StepDone) and (control.step(), control.snapshot(), control.stop()),
    ]
    if number % 10 == 9:
        control.stop()
    thread = threading.Thread(target=launch.launch, args=(spec, control, [moments[number % 4]], path))
    thread.start()
    thread.join(60)
    assert not thread.is_alive()
    shutil.rmtree(path, ignore_errors=True)


@pytest.mark.slow
@pytest.mark.timeout(300)
def test_that_two_hundred_runs_started_and_stopped_leave_nothing_behind(tiny_spec, tmp_path):
    config = GPTConfig(context_length=16, emb_dim=4, n_heads=1, n_layers=1)
    spec, process = tiny_spec(config=config, eval_freq=1000), psutil.Process()

    def held() -> tuple[int, int, int]:
        gc.collect()
        handles = process.num_fds() if hasattr(process, "num_fds") else process.num_handles()
        return handles, process.num_threads(), threading.active_count()

    for number in range(200):
        started_and_stopped(spec, tmp_path / f"run-{number}", number)
        if number == 19:  # what torch takes once for all is taken
            before, memory = held(), process.memory_info().rss
    assert held() == before
    assert process.memory_info().rss - memory < 5 * 2**20
