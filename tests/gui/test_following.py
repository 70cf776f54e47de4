"""Runs that another process writes: shown while they grow, and not changed."""

import os
import signal
import subprocess
from pathlib import Path

import numpy as np
import pytest
import warm_python
from messages import message
from pages.workers import at_once, looking
from PySide6.QtWidgets import QFileDialog

from gptstudio.app.run_tasks import Follower, Library
from gptstudio.app.state import AppState
from gptstudio.app.tasks import TaskRunner
from gptstudio.gui.charts.run_curves import AXES, KINDS, series_of
from gptstudio.gui.controllers.journals import Replay
from gptstudio.history import run_history
from gptstudio.history.journal_reader import NewEvents
from gptstudio.history.run_history import History
from gptstudio.training import journal
from gptstudio.training.control import Control
from gptstudio.training.events import Evaluated, MemoryRead, StepDone
from gptstudio.training.launch import resume
from gptstudio.units import MB

FIRST_PAGE = "generate"
pytestmark = pytest.mark.usefixtures("soon")

ON_POSIX = pytest.mark.skipif(os.name == "nt", reason="Windows has no such signals")
COMMAND = [
    "-m", "gptstudio", "train", "--text", "story", "--context-length", "16", "--emb-dim", "16",
    "--n-heads", "2", "--n-layers", "1", "--sample-tokens", "3", "--precision", "fp32", "--eval-iter", "1",
]


@pytest.fixture
def elsewhere(home):
    """Return a function that starts a run in another process, in any folder; it is killed at the end of the test."""
    started = []

    def start(folder: Path, **settings: object) -> warm_python.Process:
        flags = [word for name, value in settings.items() for word in (f"--{name.replace('_', '-')}", str(value))]
        process = warm_python.start(*COMMAND, *flags, "--run", folder, stdout=subprocess.DEVNULL)
        started.append(process)
        return process

    yield start
    for process in started:
        if process.poll() is None:
            process.kill()
        process.communicate()


def steps_in(folder: Path) -> int:
    return sum(isinstance(event, StepDone) for event in journal.read(folder / "journal.jsonl"))


def wait_for_steps(user, folder: Path, process: warm_python.Process, count: int = 3) -> None:
    user.wait(lambda: steps_in(folder) >= count or process.poll() is not None)
    assert process.poll() is None, process.stderr.read()


def open_folder(user, folder: Path, monkeypatch) -> None:
    monkeypatch.setattr(QFileDialog, "getExistingDirectory", lambda *args: str(folder))
    user.go_to("runs")
    user.runs.act("add")
    user.wait(lambda: user.runs.listed(folder))
    user.runs.select(folder)


@ON_POSIX
def test_that_a_run_of_another_process_is_drawn_while_it_is_written_and_to_its_end(user, home, elsewhere, monkeypatch):
    """Runs and Train both show it; neither can control it."""
    folder = home / "a shared disk" / "run"
    process = elsewhere(folder, steps=100_000, eval_freq=50)
    wait_for_steps(user, folder, process)
    open_folder(user, folder, monkeypatch)
    assert user.runs.listed(folder).state == "live"
    user.runs.tick(folder, True)
    user.wait(lambda: user.runs.losses(folder, "step_loss"))
    before = len(user.runs.losses(folder, "step_loss"))
    user.runs.hover(1.0, "loss")
    user.wait(lambda: len(user.runs.losses(folder, "step_loss")) > before)
    assert user.reads("runs_where") == "Steps 1", "what one points at is still said while the curve grows"

    user.runs.act("open")
    assert user.current == "train"
    user.wait(user.train.losses)
    assert message("written_another_window") in user.reads("elsewhere")
    assert "not control it" in user.reads("elsewhere")
    assert not user.train.stop_button.isEnabled()
    assert not user.train.running
    before = len(user.train.losses())
    user.wait(lambda: len(user.train.losses()) > before)
    process.send_signal(signal.SIGINT)
    user.wait(lambda: not user.reads("elsewhere"))
    assert process.wait(30) == 130
    written = run_history.read(folder / "journal.jsonl")
    user.wait(lambda: user.train.losses() == written.steps["loss"].tolist())
    user.go_to("runs")
    user.wait(lambda: user.runs.listed(folder).state == "stopped")
    user.wait(lambda: len(user.runs.losses(folder, "step_loss")) == len(written.steps))
    assert user.runs.losses(folder, "step_loss") == written.steps["loss"].tolist()
    assert user.runs.losses(folder, "val_loss") == written.evaluations["val_loss"].tolist()


def test_that_changing_a_run_that_another_process_writes_is_refused(user, home, elsewhere, monkeypatch):
    folder = home / "elsewhere"
    process = elsewhere(folder, steps=100_000, eval_freq=1_000)
    wait_for_steps(user, folder, process)
    open_folder(user, folder, monkeypatch)
    for name in ("rename", "delete", "go_on"):
        assert not user.runs.action(name).isEnabled()
        assert "in progress" in user.runs.action(name).toolTip()
    before = (folder / "run.json").read_bytes()
    user.runs.rename("mine")  # as from a window whose list is outdated
    user.wait(lambda: "Another window or program" in user.reads("runs_notice"))
    assert (folder / "run.json").read_bytes() == before
    process.kill()
    process.wait(30)
    user.runs.check_again()
    user.wait(lambda: user.runs.listed(folder).state == "interrupted")
    user.runs.rename("mine")
    user.wait(lambda: user.runs.listed(folder).title == "mine")


def history_of(*looks: NewEvents) -> History:
    made = History()
    for look in looks:
        for batch in look.batches:
            made.take(batch)
    return made


def test_that_a_follower_reads_again_where_a_run_continued_from_an_earlier_step(study):
    run = study(stop_at=5, steps=12, save_every_s=None)
    follower = Follower(run)
    first = follower.look()
    assert first.ended
    assert len(history_of(first).steps) == 6
    resume(run, Control(), [])
    again = follower.look()
    for seen in (history_of(again) if again.restarted else history_of(first, again), history_of(Follower(run).look())):
        assert seen.steps["step"].tolist() == list(range(12))
    assert not follower.look().batches


def test_that_every_curve_has_a_value_on_every_axis(study):
    run = study(steps=6)
    made = history_of(Follower(run).look())
    curves = {name: series_of(made, name) for name in KINDS}
    for name, curve in curves.items():
        for axis in AXES:
            assert np.isfinite(curve.x(axis)).all(), name
            assert curve.x(axis).shape == curve.y[:].shape
    assert curves["step_loss"].x("minutes").tolist() == (made.steps["elapsed_s"] / 60).tolist()
    assert curves["val_loss"].x("tokens").tolist() == made.evaluations["tokens_seen"].tolist()
    assert curves["memory"].y[:] == pytest.approx(made.memory["used_bytes"] / MB)
    per_epoch = made.started.steps_per_epoch
    assert curves["step_loss"].x("epoch") == pytest.approx([(step + 1) / per_epoch for step in range(6)])


def test_that_a_run_shown_from_its_journal_is_complete_and_ends(qtbot, application, study):
    run = study(steps=4)
    events, tasks, state = [], TaskRunner(), AppState()
    replay = Replay(state, tasks, tasks)
    replay.arrived.connect(events.extend)
    replay.begin(run)
    qtbot.waitUntil(lambda: not looking(replay))
    assert tasks.finish()
    written = list(journal.read(run.journal_path))
    seldom = [event for event in written if not isinstance(event, (StepDone, Evaluated, MemoryRead))]
    assert [event for event in events if event in seldom] == seldom
    assert events[-1] == state.run.ended == written[-1]
    assert state.run.last == [event for event in written if isinstance(event, StepDone)][-1]


def test_that_deleting_a_followed_folder_leaves_its_curve(user, study, home):
    run = study(stop_at=3, steps=100)
    with run.writing():
        runs = user.runs
        user.go_to("runs")
        user.wait(lambda: runs.losses(run.path, "step_loss"))
    run.path.rename(home / "moved")
    runs.check_again()
    user.wait(lambda: not runs.listed_runs)
    assert runs.is_empty()
    assert at_once(lambda task: Library().look(task, [Follower(run)]))[1:] == ("done", False)
