"""External faults of a run: it is killed, its disk fills up, its folder is removed; and it leaves nothing behind."""

import ctypes
import gc
import json
import os
import shutil
import sys
import threading
import time
from collections.abc import Callable
from pathlib import Path

import psutil
import pytest
from lessons import FEW
from messages import message
from whole_runs import after_step, continue_run, equal, steps, train, weights

from gptstudio.gpt.config import GPTConfig
from gptstudio.training import launch
from gptstudio.training.control import Control
from gptstudio.training.events import Event, PhaseChanged, StepDone, Warned, to_json
from gptstudio.training.journal import Journal, read
from gptstudio.training.run_folder import RunFolder

pytestmark = pytest.mark.usefixtures("few_tokens")


def assert_complete(journal: Path) -> None:
    content = journal.read_bytes()
    assert content.endswith(b"\n")
    for line in content.splitlines():
        json.loads(line)


# A folder that is removed


@pytest.mark.skipif(os.name == "nt", reason="Windows keeps a folder with open files")
@pytest.mark.parametrize(
    "go", [shutil.rmtree, lambda path: path.rename(path.with_name("trash"))], ids=["removed", "moved"]
)
def test_that_a_run_whose_folder_is_removed_while_it_trains_keeps_its_model(tiny_spec, tmp_path, whole_run, go):
    spec = tiny_spec(steps=28, save_every_epochs=1, eval_freq=100)
    whole, run, events, control = whole_run(spec), RunFolder(tmp_path / "run"), [], Control()
    sinks = [events.append, after_step(15, lambda: go(run.path)), after_step(25, control.stop)]
    assert launch.launch(spec, control, sinks, run.path).outcome == "stopped"
    [warned] = [event for event in events if isinstance(event, Warned)]
    assert message("folder_run_removed") in warned.message
    assert run.record().spec == spec
    assert [path.name for path in run.checkpoints()] == ["step-000023", "step-000025"]
    assert_complete(run.journal_path)
    assert [event.step for event in steps(run)] == list(range(24, 26)), "the record goes on"
    assert continue_run(run).outcome == "finished"
    assert [event.step for event in steps(run)] == list(range(24, 28))
    assert equal(weights(run), weights(whole))


def test_that_a_missing_journal_does_not_keep_a_run_from_continuing(tiny_spec, tmp_path):
    run = train(tiny_spec(), tmp_path / "run", stop_at=4)
    run.journal_path.unlink()
    assert continue_run(run).outcome == "finished"
    assert [event.step for event in steps(run)] == list(range(5, 12))


def test_that_a_journal_whose_folder_is_gone_fails_no_run(tmp_path):
    (tmp_path / "run").mkdir()
    journal = Journal(tmp_path / "run" / "journal.jsonl")
    if os.name != "nt":
        shutil.rmtree(tmp_path / "run")
    journal(PhaseChanged(phase="training"))
    journal.close()


@pytest.mark.parametrize("rest", [b"", b"{", b'{"event":"step_done","st', b"x" * 200_000], ids=len)
def test_that_a_line_that_was_cut_off_is_removed_once_the_journal_is_opened_again(tmp_path, rest):
    path, event = tmp_path / "journal.jsonl", PhaseChanged(phase="training")
    path.write_bytes((to_json(event) + "\n").encode() * 3 + rest)
    journal = Journal(path)
    assert_complete(path)
    journal(event)
    journal.close()
    assert_complete(path)
    assert list(read(path)) == [event] * 4


# Leftovers


def started_and_stopped(spec, path: Path, number: int) -> None:
    """Start one run that ends at one of several moments: at once, before it trains, while paused, after a step."""
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
def test_that_forty_runs_started_and_stopped_leave_nothing_behind(tiny_spec, tmp_path, memory_returned):
    config = GPTConfig(vocab_size=FEW, context_length=16, emb_dim=4, n_heads=1, n_layers=1)
    spec, process = tiny_spec(config=config, eval_freq=1000), psutil.Process()

    def held() -> tuple[int, int, int]:
        gc.collect()
        handles = process.num_fds() if hasattr(process, "num_fds") else process.num_handles()
        return handles, process.num_threads(), threading.active_count()

    def more() -> bool:
        """Return whether more is in use than before. A joined thread may still be ending, and threads that others
        started may have ended."""
        return any(now > then for now, then in zip(held(), before, strict=True))

    def in_use() -> int:
        """Return the bytes in use, without the memory that the C library keeps for later."""
        if sys.platform == "linux":
            ctypes.CDLL(None).malloc_trim(0)
        return process.memory_info().rss

    for number in range(40):
        started_and_stopped(spec, tmp_path / f"run-{number}", number)
        if number == 19:  # torch's one-time allocations are done
            before, memory = held(), in_use()
    end = time.monotonic() + 30
    while more() and time.monotonic() < end:
        time.sleep(0.1)
    assert not more(), f"{held()} after {before}"
    assert in_use() - memory < 5 * 2**20
