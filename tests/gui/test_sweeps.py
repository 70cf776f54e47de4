"""Sweeps in the window: planned from a run, trained one run after the other, and shown as a table and a grid."""

import csv
import shutil
import threading

import pytest
from pages.page import column
from pages.sweeps import SweepsPage
from PySide6.QtCore import Qt
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QFileDialog, QLabel
from sweeps import small_sweep, statuses, stop_in_the_middle, train_all

from gptstudio import files, paths
from gptstudio.app import sweep_tasks
from gptstudio.gui.runs import sweeps as sweep_view
from gptstudio.history.comparison import shown_name
from gptstudio.training.events import Ended
from gptstudio.training.run_folder import all_runs
from gptstudio.training.spec import TrainSpec
from gptstudio.training.sweep_runner import SweepFolder, SweepRunner, all_sweeps

FIRST_PAGE = "learn"  # a visible list takes seconds to show the runs that tests create

SHORT = {"text": "story", "steps": 4, "eval_freq": 2, "eval_iter": 1, "sample_tokens": 1}


@pytest.fixture(autouse=True)
def soon(monkeypatch):
    """Poll the folder of sweeps more often than the program does."""
    monkeypatch.setattr(sweep_view, "POLL_MS", 50)


@pytest.fixture
def sweeps(user) -> SweepsPage:
    return SweepsPage(user)


@pytest.fixture
def base(tiny) -> TrainSpec:
    return TrainSpec.make(SHORT, config=tiny, precision="fp32", device="cpu")


@pytest.fixture
def trained(home, base, kept_runs) -> SweepFolder:
    """A complete sweep of two settings and two random seeds; trained once, and copied for each test."""
    original = kept_runs / "sweep"
    if not original.exists():
        train_all(small_sweep(base, learning_rate=(0.001, 0.01), n_layers=(1, 2)))
        original.mkdir()
        for folder in (paths.runs(), paths.sweeps()):
            folder.rename(original / folder.name)
    for folder in (paths.runs(), paths.sweeps()):
        shutil.copytree(original / folder.name, folder, dirs_exist_ok=True)
    [sweep] = all_sweeps()
    return sweep


def test_that_a_run_is_trained_again_with_several_values_and_its_results_are_listed(user, sweeps, study_once):
    run = study_once(**SHORT)
    dialog = sweeps.plan(run)
    words = [each.text() for each in dialog.findChildren(QLabel)]
    assert f"All other settings are those of “{shown_name(run)}”." in words, "its name in the list"
    sweeps.field(dialog, "sweep_1_values").setText("0.001, 0.01")
    sweeps.field(dialog, "sweep_seeds").setValue(2)
    user.wait(lambda: "Runs: 4" in sweeps.field(dialog, "sweep_outlook").text())
    outlook = sweeps.field(dialog, "sweep_outlook").text()
    assert "Time: about" in outlook
    assert "Disk: up to" in outlook
    sweeps.field(dialog, "sweep_add").click()
    user.wait(lambda: all_sweeps() and statuses(all_sweeps()[0]) == ["finished"] * 4)
    user.wait(lambda: sweeps.states() == ["Finished"] * 4)
    user.wait(lambda: not user.state.queue_running)
    assert sorted(each.record().spec.learning_rate for each in all_runs() if each != run) == [0.001, 0.001, 0.01, 0.01]
    losses = column(sweeps.results, "Best validation loss")
    assert losses == sorted(losses)
    assert column(sweeps.groups, "Number of runs") == ["2", "2"]
    assert all(float(spread) > 0 for spread in column(sweeps.groups, "Standard deviation"))


def test_that_the_queue_is_paused_and_continued_also_while_a_run_is_stopping_or_its_end_is_recorded(
    user, sweeps, base, monkeypatch
):
    sweep = small_sweep(base.but(steps=100_000, eval_freq=1000), seeds=(1,))
    sweeps.show()
    user.click(sweeps.start)
    user.wait(lambda: user.state.run.metrics.last and "Live" in sweeps.states())
    assert user.state.queue_running
    assert sweeps.start.text() == "Pause"
    pause_and_continue(user, sweeps, lambda: sweeps.states() == ["Started", "Waiting"])

    train, clicked = SweepRunner.train, threading.Event()

    def train_and_note_late(*arguments):
        end = train(*arguments)
        assert clicked.wait(20)
        return end

    user.click(sweeps.start)
    user.wait(lambda: not user.state.queue_running and not user.state.running)
    monkeypatch.setattr(SweepRunner, "train", train_and_note_late)
    user.click(sweeps.start)
    user.wait(lambda: user.state.running and user.state.run.metrics.last and "Live" in sweeps.states())
    pause_and_continue(user, sweeps, clicked=clicked.set)

    user.training.clear()
    done = user.state.run.metrics.last.step
    user.click(sweeps.start)
    user.window.sweeps.start()  # as a click on Continue does, and an added sweep
    assert user.state.running, "it is stopped after its step"
    user.wait(lambda: user.received(Ended))
    user.wait(lambda: user.state.running and user.state.run.metrics.last)
    user.wait(lambda: user.state.run.metrics.last.step > done)
    assert len(all_runs()) == 1
    user.click(sweeps.start)
    user.wait(lambda: not user.state.running)
    assert statuses(sweep) == ["started", "pending"]


def pause_and_continue(user, sweeps, is_seen=lambda: True, clicked=lambda: None):
    """Pause the queue in a run, and continue it there as soon as the run has ended and ``is_seen`` returns true."""
    user.click(sweeps.start)
    user.wait(lambda: not user.state.running and is_seen())
    assert sweeps.start.text() == "Continue"
    done = user.state.run.metrics.last.step
    user.click(sweeps.start)
    clicked()
    user.wait(lambda: user.state.running and user.state.run.metrics.last and user.state.run.metrics.last.step > done)
    assert len(all_runs()) == 1


def test_that_two_settings_are_shown_as_a_grid_and_a_table_and_a_damaged_sweep_is_reported(
    trained, user, sweeps, tmp_path, monkeypatch, base
):
    sweeps.show()
    sweeps.page(1)
    grid = sweeps.grid
    assert len(grid.items()) == 4
    user.wait(grid.isVisible)
    grid.setFocus(Qt.FocusReason.TabFocusReason)
    assert "± " in grid.accessibleDescription()
    assert "Learning rate 0.001, Layers 1" in grid.accessibleDescription()
    assert grid.table()[0][1:] == ("1", "2")

    monkeypatch.setattr(QFileDialog, "getSaveFileName", lambda *args: (str(tmp_path / "table.csv"), ""))
    sweeps.page(0)
    user.click(sweeps.csv)
    user.wait((tmp_path / "table.csv").exists)
    with (tmp_path / "table.csv").open(encoding="utf-8", newline="") as file:
        assert len(list(csv.DictReader(file))) == 8
    user.saved.says("table.csv")

    sweeps.results.selectRow(2)
    user.click(sweeps.show_run)
    user.wait(lambda: user.runs.current() is not None
              and user.runs.current().path == sweeps.widget.sweep_view.chosen().run.path)
    assert user.runs.list.isVisible()

    other = small_sweep(base, "other")
    shutil.copyfile(trained.path / "queue.json", other.path / "queue.json")
    sweeps.show()
    user.wait(lambda: sweeps.names() == ["other", "rates"])
    sweeps.choice.setCurrentIndex(0)
    assert "The sweep other cannot be read" in sweeps.reads("sweep_summary")
    assert not sweeps.results.isVisible()
    sweeps.choice.setCurrentIndex(1)
    assert sweeps.states() == ["Finished"] * 8


def test_that_different_vocabularies_are_compared_in_bits_per_byte(user, sweeps, base):
    train_all(small_sweep(base.but(steps=1), "words", vocabulary=("characters", "gpt2"), n_layers=(1, 2)))
    sweeps.show()
    losses = column(sweeps.results, "Bits per byte")
    assert losses == sorted(losses, key=float)
    assert column(sweeps.results, "Vocabulary")[0] == "GPT-2"
    user.window.resize(1024, 700)
    user.wait(lambda: sweeps.results.width() < 1024)
    assert sweeps.results.horizontalScrollBar().maximum() == 0, "all columns are in view"
    assert sweeps.results.horizontalHeaderItem(1).text() == "State", "in view even where columns scroll"
    assert "bits per byte" in sweeps.reads("sweep_spread")
    assert column(sweeps.groups, "Mean")[0] == f"{(float(losses[0]) + float(losses[1])) / 2:.4f}"
    sweeps.page(1)
    assert "bits per byte" in sweeps.reads("sweep_caption")
    user.wait(sweeps.grid.isVisible)
    sweeps.grid.setFocus(Qt.FocusReason.TabFocusReason)
    assert "bits per byte" in sweeps.grid.accessibleDescription()


def test_that_a_missing_text_or_a_full_disk_gives_the_reason_and_the_runs_are_trained_afterwards(
    user, sweeps, base, tmp_path, monkeypatch
):
    text = tmp_path / "lesson.txt"
    sweep = small_sweep(base.but(text=(str(text),)), seeds=(1,))
    sweeps.show()
    user.click(sweeps.start)
    user.wait(lambda: sweeps.states() == ["Failed", "Failed"])
    assert "lesson.txt" in sweeps.results.item(0, 1).toolTip()
    user.wait(lambda: not user.window.state.queue_running)  # until then it looks for more, and would train them at once
    text.write_text("the cat sat on the mat, and the dog sat on the cat. " * 30, encoding="utf-8")
    user.click(sweeps.retry)
    user.wait(lambda: sweeps.states() == ["Waiting", "Waiting"])

    free = files.free_bytes
    monkeypatch.setattr(files, "free_bytes", lambda folder: 0)
    user.click(sweeps.start)
    user.wait(lambda: "The sweep waits, and no run is lost." in sweeps.reads("sweep_notice"))
    user.wait(lambda: not user.state.queue_running)
    assert all_runs() == []
    monkeypatch.setattr(files, "free_bytes", free)
    user.click(sweeps.start)
    user.wait(lambda: statuses(sweep) == ["finished", "finished"])


def test_that_without_sweeps_a_message_explains_how_to_plan_one_and_invalid_values_and_skipped_runs_are_named(
    user, sweeps, study_once, base
):
    user.state.texts = ("story",)
    user.state.queue_running = True
    action = user.window.actions_of["start"]
    assert not action.isEnabled()
    assert "The queue of your sweeps is training." in action.toolTip()
    user.state.queue_running = False
    user.wait(action.isEnabled)

    dialog = sweeps.plan(study_once(**SHORT))
    for values, words in (
        ("0.001, 11", "learning_rate is 11; it must be a number between 0.0 and 10.0."),
        ("0.001, fast", "learning_rate is 'fast'; it must be a number between 0.0 and 10.0."),
        ("", "learning_rate has no values to vary"),
        ("0.001", "This sweep would be a single run."),
    ):
        sweeps.field(dialog, "sweep_1_values").setText(values)
        assert words in sweeps.field(dialog, "sweep_problem").text()
        assert not sweeps.field(dialog, "sweep_add").isEnabled(), values
        assert words in sweeps.field(dialog, "sweep_add").toolTip()

    dialog.first.way.setCurrentIndex(2)
    dialog.first.low.setText("0.0001")
    dialog.first.high.setText("0.01")
    assert dialog.first.chosen_values() == [0.0001, 0.001, 0.01]
    dialog.first.low.setText("0")
    assert "A logarithmic range begins and ends above 0." in dialog.notice.text()
    dialog.first.high.setText("inf")
    assert dialog.notice.text() == "learning_rate is inf; it must be a number between 0.0 and 10.0."
    dialog.first.way.setCurrentIndex(1)
    dialog.first.low.setText("0")
    dialog.first.high.setText("0.01")
    assert dialog.first.chosen_values() == [0.0, 0.005, 0.01]
    sweeps.field(dialog, "sweep_seeds").setValue(2)
    dialog.first.high.setText("")
    assert dialog.notice.text() == "learning_rate is ''; it must be a number between 0.0 and 10.0."
    dialog.first.low.setText("")
    assert not dialog.notice.text(), "the seeds alone are a sweep"
    QTest.keyClicks(dialog.name, "s")
    for name, values in (("freeze_blocks", [0, 1]), ("save_every_epochs", [1, 2]), ("drop_rate_emb", [0.0, 0.05])):
        dialog.first.choose(name)
        dialog.first.way.setCurrentIndex(0)
        assert dialog.first.chosen_values() == values, "values around 0, or around none"
        dialog.first.way.setCurrentIndex(1)
        dialog.first.count.setValue(2)
        assert dialog.first.chosen_values() == values
    assert dialog.name.text() == "learning_rates", "a typed name stays"
    dialog.first.choose("schedule")
    assert not dialog.first.way.isEnabled()
    assert dialog.first.chosen_values() == ["constant", "cosine"]
    dialog.first.choose("tie_weights")
    assert dialog.first.chosen_values() == [False, True]
    dialog.second.choose("tie_weights")
    assert "Both settings are the same." in dialog.notice.text()
    dialog.close()

    sweeps.show()
    assert "choose “Run again with…”" in sweeps.reads("sweep_empty")

    sweep = small_sweep(base)
    sweep.change(lambda queue: queue.but(order=queue.order[::-1], skipped=frozenset(queue.order[:1])))
    user.go_to("train")
    sweeps.show()
    user.wait(lambda: sweeps.states() == ["Skipped", "Waiting", "Waiting", "Waiting"])
    user.click(sweeps.retry)
    user.wait(lambda: sweeps.states() == ["Waiting"] * 4)
    button = sweeps.find("sweep_page_1")
    assert not button.isEnabled()
    assert button.toolTip() == "The heat map needs a sweep of two settings."


@pytest.mark.slow
def test_that_a_queue_that_was_interrupted_is_offered_at_the_start(home, base, request):
    sweep = small_sweep(base, seeds=(1,))
    stop_in_the_middle(sweep)
    user = request.getfixturevalue("user")
    user.wait(lambda: "2 of 2 runs of your sweeps are left." in user.state.run.notice)
    sweeps = SweepsPage(user)
    sweeps.show()
    assert "2 of 2 runs are left. Continue." in sweeps.reads("sweep_summary")
    user.click(sweeps.start)
    user.wait(lambda: statuses(sweep) == ["finished"] * 2)


def test_that_values_are_typed_with_commas_of_any_language():
    view = next(view for name, view in sweep_tasks_fields().items() if name == "learning_rate")
    assert sweep_tasks.parse_values(view, "0.1，0.2, 1e-3,x,") == [0.1, 0.2, 0.001, "x"]


def sweep_tasks_fields():
    from gptstudio.training.sweep_spec import variable_fields

    return variable_fields()
