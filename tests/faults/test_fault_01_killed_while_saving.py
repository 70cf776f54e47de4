"""Killed in the middle of a save: the newest checkpoint is complete and no older than the reported one, and the next
start removes the half-written files of the killed program, but nothing that a running program is writing."""

import json
import os
import shutil
import subprocess
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest
import torch
import warm_python
from command_line import SHORT
from whole_runs import assert_same, continue_run, train

from gptstudio import files, paths
from gptstudio.__main__ import main
from gptstudio.gpt.config import GPTConfig
from gptstudio.training import checkpoint, temp_cleanup
from gptstudio.training.run_folder import RunFolder

pytestmark = pytest.mark.fault(1)

needs_fork = pytest.mark.skipif(not hasattr(os, "fork"), reason="needs fork")

SAVER = """
import json, os, random, signal, sys, time
from pathlib import Path
import torch
torch.set_num_threads(1)
from gptstudio.gpt.config import GPTConfig
from gptstudio.gpt.fast import build_model
from gptstudio.training import checkpoint
from gptstudio.training.run_folder import RunFolder
from gptstudio.training.spec import TrainSpec

chance = random.Random(5)
model = build_model(GPTConfig(vocab_size=50_000, context_length=8, emb_dim=16, n_heads=1, n_layers=1), "fast")
for number in range(int(sys.argv[2])):
    run = RunFolder.create(TrainSpec(), "a text", "", Path(sys.argv[1]) / f"run-{number}")
    read_end, write_end = os.pipe()
    child = os.fork()  # a process of its own for each kill, without importing torch each time
    if child == 0:
        for step in range(10_000):
            with torch.no_grad():
                for parameter in model.parameters():
                    parameter.fill_(step)
            state = checkpoint.State(config=model.cfg, step=step, epoch=1, tokens_seen=step, val_loss=None)
            checkpoint.write(checkpoint.weights_of(model), run.checkpoint_folder, state)
            os.write(write_end, b"%d " % step)
            run.remove(run.checkpoints()[:-1])
        os._exit(0)
    while not run.checkpoints():
        time.sleep(0.001)
    time.sleep(chance.uniform(0, 0.1))
    while number % 2 and not run.temp_files():  # in the middle of a save for certain, unless it ends at this moment
        time.sleep(0.0001)
    os.kill(child, signal.SIGKILL)
    os.waitpid(child, 0)
    os.close(write_end)
    print(run.path, *os.read(read_end, 2**16).split()[-1:], sep="|")
"""


@pytest.mark.parametrize("times", [10, pytest.param(20, marks=pytest.mark.release)])
@needs_fork
def test_that_the_newest_checkpoint_loads_and_is_no_older_than_the_last_reported_one(fault, times):
    done = warm_python.run("-c", SAVER, paths.runs(), times)
    assert done.returncode == 0, done.stderr
    steps, left = [], sum(len(RunFolder(path).temp_files()) for path in paths.runs().iterdir())
    for line in done.stdout.splitlines():
        with fault.tried(line):
            path, _, reported = line.partition("|")
            run = RunFolder(Path(path))
            newest = run.newest_checkpoint()
            state, model = checkpoint.read_state(newest), checkpoint.load(newest)
            assert newest.name == f"step-{state.step:06d}"
            assert all((parameter == state.step).all() for parameter in model.parameters())
            assert state.step >= int(reported.strip("b'") or -1)
            temp_cleanup.clear()  # of all runs
            assert not run.temp_files()
            assert run.newest_checkpoint() == newest
            steps.append(state.step)
    assert fault.tries == times
    assert max(steps) > 0, "no process lived to a second save"
    assert left >= times / 5, "hardly a process was killed in the middle of a save"


KILLER = """
import os, random, signal, sys, time
from pathlib import Path
import torch
torch.set_num_threads(1)
from gptstudio.training import checkpoint, launch
from gptstudio.training.control import Control
from gptstudio.training.run_folder import RunFolder
from gptstudio.training.journal import Journal
from gptstudio.training.spec import TrainSpec

spec, run, chance = TrainSpec.model_validate_json(sys.argv[1]), RunFolder(Path(sys.argv[2])), random.Random(7)
launch.launch(spec.but(steps=1), Control(), [])  # imports all that is needed, once for all children
in_the_middle = 0

def saving(since):
    try:
        return any(path.stat().st_ctime_ns > since for path in run.temp_files())
    except FileNotFoundError:
        return False  # renamed meanwhile

for number in range(int(sys.argv[3])):
    before, since = run.checkpoints()[-1:], time.time_ns()
    child = os.fork()  # a process of its own to be killed, without importing torch each time
    if child == 0:
        ended = launch.resume(run, Control(), []) if before else launch.launch(spec, Control(), [], run.path)
        print(ended.message, file=sys.stderr, flush=True)  # only if it could not continue
        os._exit(1)
    if number % 2 == 0:  # the others get no further than their first save
        while run.checkpoints()[-1:] == before and os.waitpid(child, os.WNOHANG) == (0, 0):
            time.sleep(0.001)
    while os.waitpid(child, os.WNOHANG) == (0, 0):
        if not saving(since):
            time.sleep(0.0002)
            continue
        time.sleep(chance.uniform(0, 0.01))
        os.kill(child, signal.SIGSTOP)  # so that it cannot finish the save between this look and the kill
        if saving(since):
            break
        os.kill(child, signal.SIGCONT)
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


@pytest.fixture
def one_thread() -> Iterator[None]:
    """Let torch compute with one thread, as it does in a forked process."""
    before = torch.get_num_threads()
    torch.set_num_threads(1)
    yield
    torch.set_num_threads(before)


@pytest.mark.slow
@pytest.mark.timeout(600)
@pytest.mark.parametrize("times", [4, pytest.param(50, marks=pytest.mark.release)])
@needs_fork
def test_that_a_run_killed_many_times_while_saving_continues_and_equals_the_run_never_killed(
    tiny_spec, tmp_path, fault, times, one_thread
):
    config = GPTConfig(context_length=16, emb_dim=8, n_heads=2, n_layers=1, drop_rate=0.2)
    spec = tiny_spec(  # short epochs, so that it saves all the time
        config=config, batch_size=1, train_ratio=0.1, save_every_epochs=1, steps=1_000_000, eval_freq=7, eval_iter=1,
        sample_tokens=1,
    )
    run = RunFolder(tmp_path / "killed")
    process = warm_python.run("-c", KILLER, spec.model_dump_json(), run.path, times)
    assert process.returncode == 0, process.stderr
    assert int(process.stdout) == times, "not all were killed in the middle of a save"
    last = checkpoint.read_state(run.newest_checkpoint()).step
    assert last >= times / 2
    assert continue_run(run, stop_at=last + 5).outcome == "stopped"
    assert not run.temp_files()
    whole = train(spec, tmp_path / "whole", stop_at=last + 5)
    assert_same(run, whole)
    fault.held(times)


# Remains of a killed program


def half(folder: Path, name: str) -> Path:
    """Create half a file, or a folder with half a file in it, as a killed program leaves them."""
    folder.mkdir(parents=True, exist_ok=True)
    path = folder / name
    if name.startswith(".step") or name.endswith(".model.tmp"):
        path.mkdir()
        (path / checkpoint.WEIGHTS).write_bytes(b"half")
    else:
        path.write_bytes(b"half")
    return path


@pytest.fixture(scope="module")
def saved_once(tmp_path_factory) -> Path:
    path = tmp_path_factory.mktemp("whole") / "run"
    assert main(["train", *SHORT, "--run", str(path)]) == 0
    return path


@pytest.fixture
def a_run(saved_once) -> RunFolder:
    """A run of the user's, whose program was killed while it saved and while it removed a checkpoint."""
    path = Path(shutil.copytree(saved_once, paths.runs() / "run"))
    half(path / "checkpoints", ".step-000007.tmp")
    half(path / "checkpoints", ".step-000001.0123abcd.tmp")
    return RunFolder(path)


def test_that_half_a_checkpoint_is_removed_at_the_next_start_in_the_terminal(a_run, capsys):
    assert len(a_run.temp_files()) == 2
    assert main(["train", *SHORT]) == 0
    assert not a_run.temp_files()
    assert checkpoint.load(a_run.newest_checkpoint())


def test_that_half_a_checkpoint_is_removed_at_the_next_start_of_the_window(a_run, window, user):
    user.wait(lambda: not a_run.temp_files())
    assert checkpoint.load(a_run.newest_checkpoint())


HOLDER = """
import sys
from pathlib import Path
from gptstudio.training.run_folder import RunFolder
with RunFolder(Path(sys.argv[1])).writing():
    print("mine", flush=True)
    sys.stdin.read()
"""


def test_that_the_checkpoint_that_a_running_program_is_writing_is_kept(a_run, fault):
    with warm_python.start("-c", HOLDER, a_run.path, stdin=subprocess.PIPE) as living:
        assert living.stdout.readline() == "mine\n"
        with fault.tried("while it lives"):
            temp_cleanup.clear()
            assert len(a_run.temp_files()) == 2
        living.kill()
        living.wait(20)
    with fault.tried("once it was killed"):
        temp_cleanup.clear()
        assert not a_run.temp_files()


ASIDE = ".0123456789abcdef.tmp"
OLD = (1e9, 1e9)
PLACES: dict[str, Callable[[RunFolder], Path]] = {
    "run.json": lambda run: half(run.path, ASIDE),
    "a tree of a run": lambda run: half(run.path / "trees", ASIDE),
    "a tree": lambda run: half(paths.trees(), ASIDE),
    "token ids": lambda run: half(paths.tokens(), "0123.u16k3j2h1.tmp"),
    "a summary": lambda run: half(paths.summaries().parent, ASIDE),
    "the list of runs added": lambda run: half(paths.user_data(), ASIDE),
    "a run out of a zip": lambda run: half(paths.runs(), ".0123.tmp"),
    "a model brought in": lambda run: half(paths.models(), ".0123.model.tmp"),
    "a text downloaded": lambda run: half(paths.texts(), "the-verdict.part"),
}


@pytest.mark.parametrize("what", PLACES)
def test_that_other_half_written_files_are_removed_after_a_day_and_not_before(a_run, fault, what):
    stray = PLACES[what](a_run)
    with fault.tried("new"):
        temp_cleanup.clear()
        assert stray.exists()
    os.utime(stray, OLD)
    with fault.tried("old"):
        temp_cleanup.clear()
        assert not stray.exists()


def test_that_no_file_of_the_users_is_removed(a_run, fault):
    places = (
        paths.user_data() / "my.tmp", paths.texts() / "my.part", paths.texts() / "my.tmp", paths.models() / "my.tmp",
        paths.runs() / "notes.txt",
    )
    for path in places:
        half(path.parent, path.name)
        os.utime(path, OLD)
    temp_cleanup.clear()
    for path in places:
        with fault.tried(path):
            assert path.exists()


def test_that_a_checkpoint_whose_removal_was_interrupted_is_not_listed(a_run, monkeypatch):
    [newest] = a_run.checkpoints()

    def killed(path: Path, **_: object) -> None:
        (Path(path) / checkpoint.WEIGHTS).unlink()
        raise KeyboardInterrupt

    with monkeypatch.context() as broken:
        broken.setattr(shutil, "rmtree", killed)
        with pytest.raises(KeyboardInterrupt):
            a_run.remove([newest])
    assert a_run.checkpoints() == []
    temp_cleanup.clear()
    assert not a_run.temp_files()


def test_that_a_disk_that_refuses_removal_does_not_keep_the_program_from_starting(a_run, monkeypatch):
    def refused(*_: object, **__: object) -> None:
        raise PermissionError(13, "Permission denied")

    for place, name in ((os, "unlink"), (os, "rmdir"), (os, "open")):
        monkeypatch.setattr(place, name, refused)
    temp_cleanup.clear()
    monkeypatch.undo()
    assert len(a_run.temp_files()) == 2


def test_that_the_names_are_those_that_are_written(tmp_path, monkeypatch):
    """The names removed above are the names that a killed program leaves."""
    seen = []
    monkeypatch.setattr(os, "replace", lambda aside, path: seen.append(Path(aside)) or os.rename(aside, path))
    files.write_whole(tmp_path / "any.json", json.dumps([]).encode())
    assert [path.match(files.ASIDE) for path in seen] == [True]
