"""A disk or a network share fails, or is disconnected, while the program uses it: what was listed stays, the reason is
reported, and nothing is taken for missing."""

import errno
import os
import threading
from contextlib import ExitStack
from pathlib import Path

import pytest
from disks import unreadable
from pages.sweeps import SweepsPage
from whole_runs import after_step, continue_run, steps

from gptstudio import paths
from gptstudio.__main__ import main
from gptstudio.app import class_reset, preferences, run_tasks, sweep_tasks
from gptstudio.app.state import PAGES
from gptstudio.errors import UserError, text_of
from gptstudio.history import archives
from gptstudio.training import checkpoint_files, imported_models, launch
from gptstudio.training.control import Control
from gptstudio.training.events import CheckpointSaved, Event, StepDone, Warned
from gptstudio.training.kept_checkpoints import best_or_last
from gptstudio.training.model_source import resolve
from gptstudio.training.run_folder import RunFolder

pytestmark = [pytest.mark.fault(29), pytest.mark.usefixtures("few_tokens")]

FIRST_PAGE = "learn"
REASONS = {errno.EIO: "Input/output error", errno.ESTALE: "Stale file handle", errno.EACCES: "Permission denied"}


@pytest.fixture(params=list(REASONS), ids=REASONS.values())
def code(request) -> int:
    return request.param


def fails(path: Path) -> bytes:
    """Take the place of a function that reads a file."""
    raise OSError(errno.EIO, "Input/output error", str(path))


def test_that_checkpoints_that_cannot_be_listed_are_not_taken_for_missing(stopped, code, tmp_path):
    saved = stopped.newest_checkpoint()
    with unreadable(stopped.checkpoint_folder, code):
        for use in (stopped.newest_checkpoint, lambda: resolve(str(stopped.path)),
                    lambda: run_tasks.packing_choices(stopped), lambda: best_or_last(stopped),
                    lambda: archives.pack(stopped, tmp_path / "run.zip", contents="last checkpoint")):
            with pytest.raises(UserError, match=REASONS[code]) as refused:
                use()
            assert str(stopped.checkpoint_folder) in text_of(refused.value)
        assert REASONS[code] in continue_run(stopped).message
    with unreadable(saved, code), pytest.raises(UserError, match=REASONS[code]):
        archives.pack(stopped, tmp_path / "run.zip")
    assert not (tmp_path / "run.zip").exists()
    assert stopped.newest_checkpoint() == saved


def test_that_a_model_on_a_failing_disk_is_left_out_and_the_others_are_listed(code):
    names = (checkpoint_files.WEIGHTS, checkpoint_files.STATE, checkpoint_files.SUMS)
    for model in ("here", "failing"):
        (paths.models() / model).mkdir(parents=True)
        for name in names:
            (paths.models() / model / name).write_bytes(b"")
    usual = os.path.isfile
    with pytest.MonkeyPatch.context() as patch:
        # Its state can no longer be read once it was found.
        patch.setattr(os.path, "isfile", lambda path: Path(path).parent.name == "failing" or usual(path))
        with unreadable(paths.models() / "failing", code):
            assert [path.name for path in imported_models.all_models()] == ["here"]


def test_that_runs_and_sweeps_that_cannot_be_listed_are_not_taken_for_none(stopped, code, capsys):
    for folder, argv in ((paths.runs(), ["runs"]), (paths.sweeps(), ["sweep", "--list"])):
        folder.mkdir(parents=True, exist_ok=True)
        with unreadable(folder, code):
            assert main(argv) == 2
        said = capsys.readouterr()
        assert said.out == ""
        assert f"Could not read {folder}: {REASONS[code]}." in said.err
    with unreadable(paths.runs(), code), pytest.raises(UserError, match=REASONS[code]):
        class_reset.find()
    with unreadable(paths.sweeps(), code), pytest.raises(UserError, match=REASONS[code]):
        sweep_tasks.prepare_next(None)


def test_that_a_run_on_a_failing_disk_is_not_called_no_run(stopped, monkeypatch):
    monkeypatch.setattr(Path, "read_bytes", fails)
    with pytest.raises(UserError, match=r"Could not read .*run\.json: Input/output error"):
        stopped.record()


def test_that_preferences_that_cannot_be_read_for_a_moment_are_not_replaced(monkeypatch):
    preferences.change(folder="/somewhere", autosave_s=300)
    with monkeypatch.context() as failing:
        failing.setattr(Path, "read_bytes", fails)
        preferences.change(reduced_motion=True)
    assert preferences.read().autosave_s == 300
    preferences.change(learner="Ada")
    found = preferences.read()
    assert (found.folder, found.autosave_s, found.reduced_motion, found.learner) == ("/somewhere", 300, True, "Ada")


@pytest.mark.parametrize("number", [errno.EIO, errno.ESTALE])
def test_that_a_disk_that_fails_while_a_checkpoint_is_saved_costs_only_that_checkpoint(tiny_spec, tmp_path, number):
    run, disk, events = RunFolder(tmp_path / "run"), ExitStack(), []

    def look(event: Event) -> None:
        events.append(event)
        if isinstance(event, Warned) and "was not saved" in event.message:
            disk.close()  # connected again

    fails = after_step(11, lambda: disk.enter_context(unreadable(run.path, number)))
    spec = tiny_spec(steps=24, save_every_epochs=1, keep_others=3, eval_freq=100)
    ended = launch.launch(spec, Control(), [fails, look], run.path)
    assert ended.outcome == "finished", ended.message
    log, checkpoint = [event.message for event in events if isinstance(event, Warned)]
    assert log.startswith(f"Could not write {run.journal_path}: {os.strerror(number)}. ")
    assert f"The checkpoint of step 12 was not saved. {os.strerror(number)}" in checkpoint
    assert [event.step for event in steps(run)] == list(range(24)), "the log has all steps"
    assert [event.step for event in events if isinstance(event, CheckpointSaved)] == [23]


@pytest.fixture
def two_runs(user, study_once) -> tuple[RunFolder, RunFolder]:
    """Two runs that are checked in the list."""
    runs = study_once("first"), study_once("second")
    user.runs.show(*runs)
    return runs


def test_that_a_failing_disk_leaves_the_list_the_ticks_and_the_model_and_the_reason_is_shown(user, two_runs, code):
    window = user.window
    window.library.refresh_models()
    model, models = window.state.model, window.state.models
    assert len(models) == 3
    with unreadable(paths.runs(), code):
        user.runs.check_again()
        user.runs.says(f"Could not read {paths.runs()}: {REASONS[code]}.")
        assert {run.path for run in window.state.checked_runs} == {run.path for run in two_runs}
        window.library.refresh_models()
        assert (window.state.model, window.state.models) == (model, models)
        window.open_files([str(two_runs[0].path)])  # dropped: it is no folder any more, so it is opened as a text
        user.wait(lambda: not user.busy())
        user.go_to("runs")
        for name in ("zip", "open"):
            user.runs.act(name)
            user.wait(lambda: not user.busy())
            user.go_to("runs")
        for page in PAGES:
            user.go_to(page)
        window.write_lesson()
        window.lesson_editor.close()
        user.wait(lambda: not user.busy())
    user.go_to("runs")
    user.runs.check_again()
    user.wait(lambda: not user.reads("runs_notice"))
    assert {run.path for run in user.runs.listed_runs} == {run.path for run in two_runs}
    assert not user.find("error_bar_message").isVisible()


def test_that_on_a_slow_disk_only_an_opened_run_and_its_saved_checkpoints_make_the_window_wait(
    user, two_runs, monkeypatch
):
    usual, read = os.listdir, []

    def counted(path: str = ".") -> list[str]:
        if threading.current_thread() is threading.main_thread() and os.path.basename(path) == "checkpoints":
            read.append(path)
        return usual(path)

    monkeypatch.setattr(os, "listdir", counted)
    user.runs.open(two_runs[0])
    user.wait(lambda: user.window.state.run.ended)
    generate, longer = (user.window.actions_of[name] for name in ("generate_shown", "train_longer"))
    assert generate.isEnabled()
    assert longer.isEnabled()
    read.clear()
    user.train.set(batch_size=3)
    for page in ("generate", "runs", "train"):
        user.go_to(page)
    assert not read
    user.window.training.start_other(two_runs[0].record().spec.but(steps=100, eval_freq=50))
    user.train.wait_ended()
    assert generate.isEnabled()
    assert len(user.received(StepDone)) >= 100
    assert len(read) < 20


def test_that_pages_are_made_while_the_folder_of_the_user_cannot_be_read(user, home, code):
    with unreadable(home, code):
        for page in PAGES:
            user.go_to(page)
        user.window.write_lesson()
        user.window.lesson_editor.close()
        user.wait(lambda: not user.busy())
    assert not user.find("error_bar_message").isVisible()


def test_that_sweeps_that_cannot_be_listed_stay_in_view_with_the_reason(user, home, code):
    sweeps = SweepsPage(user)
    paths.sweeps().mkdir()
    sweeps.show()
    with unreadable(paths.sweeps(), code):
        user.window.sweeps.list_sweeps()
        user.wait(lambda: f"Could not read {paths.sweeps()}: {REASONS[code]}." in user.reads("sweep_notice"))
    assert not user.find("error_bar_message").isVisible()
