"""A run on a disk that is read-only: refused in one message before anything is trained, and still shown in the window
and the terminal. Root may write regardless of file modes, so the disk itself is read-only."""

import json
import os
from collections.abc import Iterator

import pytest
from disks import mount_again, mounted
from messages import message
from whole_runs import steps, train

from gptstudio import paths
from gptstudio.__main__ import main
from gptstudio.gui.runs.runs_tab import RunsTab  # noqa: F401 - the page is made within the window
from gptstudio.history import added_runs
from gptstudio.history.summary import Summaries
from gptstudio.training import checkpoint, launch, temp_cleanup
from gptstudio.training.control import Control
from gptstudio.training.events import Event, PhaseChanged
from gptstudio.training.run_folder import RunFolder

pytestmark = [pytest.mark.fault(4), pytest.mark.usefixtures("few_tokens")]


@pytest.fixture
def run(tiny_spec, tmp_path) -> Iterator[RunFolder]:
    """A run with steps left, on a disk that became read-only; it was not written to recently."""
    with mounted(tmp_path / "disk", 60) as disk:
        made = train(tiny_spec(steps=20), disk / "run", stop_at=8)
        (made.checkpoint_folder / ".step-000003.tmp").mkdir()
        os.utime(made.journal_path, (1e9, 1e9))
        mount_again(disk, "ro")
        yield made


def assert_refused_at_once(events: list[Event], *words: str) -> None:
    """Assert that there is one message with these words, and that nothing was trained before it."""
    [ended] = events
    assert (ended.outcome, ended.user_error) == ("failed", True)
    for part in words:
        assert part in ended.message
    assert message("something_went_wrong") not in ended.message


def test_that_continuing_is_refused_before_training_in_one_message(run):
    events: list[Event] = []
    launch.resume(run, Control(), [events.append])
    expected = f"Could not write to {run.path}: Read-only file system. You can only view the run here."
    assert_refused_at_once(events, expected)


def test_that_a_new_run_there_is_refused_before_training_in_one_message(run, tiny_spec):
    events: list[Event] = []
    launch.launch(tiny_spec(), Control(), [events.append], run.path.with_name("new"))
    new = run.path.with_name("new")
    assert_refused_at_once(events, f"Could not write to the run folder {new}: Read-only file system", "another")


def test_that_it_can_be_read(run):
    assert [event.step for event in steps(run)] == list(range(9))
    assert run.record().text_name == "lesson.txt"
    assert not run.written_elsewhere
    assert checkpoint.load(run.newest_checkpoint())
    summary = Summaries(run.path / "no" / "memory.json").of(run)
    assert (summary.figures.steps, summary.state) == (9, "stopped")


def test_that_the_terminal_refuses_to_continue_in_one_line_and_lets_the_model_write(run, capsys):
    assert main(["train", "--resume", str(run.path)]) == 2
    output = capsys.readouterr().err
    assert len(output.splitlines()) == 1
    assert "Read-only file system" in output
    assert main(["generate", "--prompt", "the cat", "--model", str(run.path), "--max-new-tokens", "2"]) == 0


def test_that_a_read_only_home_lists_its_runs_and_starts_no_other(tiny_spec, tmp_path, monkeypatch, capsys):
    with mounted(tmp_path / "disk", 60) as home:
        monkeypatch.setenv("GPTSTUDIO_HOME", str(home))
        train(tiny_spec(steps=20), paths.runs() / "mine", stop_at=8)
        mount_again(home, "ro")
        temp_cleanup.clear()
        assert main(["runs", "--json"]) == 0
        assert [json.loads(line)["steps"] for line in capsys.readouterr().out.splitlines()] == [9]
        events: list[Event] = []
        launch.launch(tiny_spec(), Control(), [events.append])
        assert_refused_at_once(events, message("cannot_written"), ": Read-only file system")


def test_that_the_window_lists_it_shows_its_curves_and_says_why_it_cannot_continue(run, window, user):
    added_runs.add(paths.added_runs(), run.path)
    user.go_to("runs")
    user.wait(lambda: [each.path for each in user.runs.listed_runs] == [run.path])
    [listed] = user.runs.listed_runs
    assert listed.state == "stopped"
    user.runs.open(run)
    user.wait(lambda: len(user.train.losses()) == 9)
    window.training.continue_run(run)
    user.train.wait_ended()
    assert "Read-only file system" in user.reads("train_notice")
    assert not user.received(PhaseChanged)
    assert len(user.train.losses()) == 9
