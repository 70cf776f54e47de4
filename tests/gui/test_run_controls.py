"""A run on Train: paused, stepped, changed, stopped, continued, reset."""

import math
import re
import shutil
from dataclasses import replace
from functools import partial

import pytest
from made_up import evaluated, started
from messages import message
from pages.train import TrainPage
from PySide6.QtCore import Qt
from PySide6.QtWidgets import QLabel

from gptstudio import devices, files
from gptstudio.gpt.config import PRESETS
from gptstudio.gui.train.run_charts import AIR
from gptstudio.gui.translation import size
from gptstudio.gui.window import MainWindow
from gptstudio.history.comparison import shown_name
from gptstudio.training import checkpoint_files, journal, run_folder, trainer
from gptstudio.training.divergence import NotFinite
from gptstudio.training.events import (
    CheckpointSaved,
    CopiesFound,
    Ended,
    LearningRateChanged,
    PhaseChanged,
    RunStarted,
    StepDone,
    StepReport,
)
from gptstudio.training.forecast import CostHistory
from gptstudio.training.model_source import newest_of_each_run
from gptstudio.training.schedule import learning_rate
from gptstudio.training.spec import TrainSpec

LONG = {"steps": 5000, "eval_freq": 1000}


FEW_STEPS = {"batch_size": 8, "stride": 256}
"""Settings with which an epoch of the story has few steps."""


def steps(user) -> list[int]:
    return [done.step for done in user.received(StepDone)]


# Step.


def test_that_a_button_and_keys_take_one_step_when_idle_and_in_a_run_and_its_card_describes_it(user):
    user.train.prepare(**LONG)
    user.train.step()
    user.wait(lambda: user.train.paused and user.received(StepDone))
    user.rest(0.1)
    assert steps(user) == [0]
    assert user.reads("step_counter") == "1"
    assert user.train.start_button.text() == "Continue"

    user.train.start()
    user.wait(lambda: not user.train.paused)
    assert not user.train.step_button.isEnabled()
    user.train.pause()
    before, reports = len(steps(user)), len(user.received(StepReport))
    for number in range(1, 4):
        user.train.step()
        user.wait(lambda number=number: len(user.received(StepReport)) == reports + number and user.train.paused)
    assert steps(user) == list(range(before + 3))
    examined = user.received(StepReport)[-1]
    card = user.train.one_step
    assert card.isVisible()
    assert user.reads("examined_before") == f"{examined.loss_before:.4f}"
    assert user.reads("examined_after") == f"{examined.loss_after:.4f}"
    assert user.reads("examined_gradient") == f"{examined.gradient_norm:.3g}"
    fell = examined.loss_before > examined.loss_after
    assert ("fell by" in user.reads("step_words")) is fell
    for change in examined.changes:
        assert user.reads(f"moved_{change.component}") == f"{change.largest:.2e}"
    assert user.reads("step_counter") == f"{before + 3:,}"
    user.train.show([examined.model_copy(update={"loss_after": math.nan})])
    assert user.reads("step_words").endswith("this batch's loss is infinite or undefined: the step was much too large.")
    user.train.stop()
    user.train.step()
    user.wait(lambda: user.train.paused)
    assert steps(user)[before + 3 :] == [before + 3], "the stopped run continues, with one step"
    user.train.stop()

    user.train.reset()
    user.wait(lambda: user.train.start_button.isEnabled() and not user.busy("training"))
    user.training.clear()
    user.train.prepare(**LONG)
    user.type("train_sample_prompt", "so.")
    assert user.train.setting("sample_prompt") == "so."
    assert not user.train.running
    user.wait(lambda: user.train.looked)
    user.find("loss_plot").setFocus()
    for taken, key in enumerate((Qt.Key.Key_S, Qt.Key.Key_S, Qt.Key.Key_Period), start=1):
        user.press(key)
        user.wait(lambda taken=taken: user.train.paused and steps(user) == list(range(taken)))
    user.train.stop()
    user.train.reset()
    user.wait(lambda: user.train.start_button.isEnabled() and not user.busy("training"))
    user.find("loss_plot").setFocus()
    user.press(Qt.Key.Key_Period)
    user.wait(lambda: user.train.paused and steps(user)[3:] == [0])
    user.train.stop()

    user.train.reset()
    user.training.clear()
    user.train.prepare(**LONG)
    user.train.step_button.click()
    user.train.step_button.click()  # is disabled while the run loads
    user.wait(lambda: user.train.paused and user.received(StepDone))
    assert steps(user) == [0]
    user.train.step_button.click()
    user.train.stop_button.click()
    user.train.wait_ended()
    assert steps(user) in ([0], [0, 1])
    assert user.reads("train_notice") == ""


def test_that_a_run_in_single_steps_or_with_many_pauses_equals_an_uninterrupted_one(user):
    user.train.to_end(steps=4, eval_freq=2)
    ran = user.train.losses()
    user.train.step()
    for number in range(1, 4):
        user.wait(lambda number=number: user.train.paused and len(user.train.losses()) == number)
        user.train.step()
    user.wait(lambda: user.train.paused and len(user.train.losses()) == 4)
    user.train.run_to_end()
    assert user.train.losses() == ran

    user.train.to_end(steps=10, eval_freq=5)
    without = user.train.losses()
    user.train.start()
    for _ in range(10):
        if user.train.running and not user.train.paused:
            user.train.pause_from_afar(True)
            user.train.pause_from_afar(False)
        user.rest(0.01)
    user.train.wait_ended()
    assert user.train.losses() == without
    assert {each.phase for each in user.received(PhaseChanged)} >= {"training"}


# Reset.


def test_that_reset_keeps_a_paused_run_and_only_its_learning_rate_can_be_changed_while_paused(user):
    assert not user.train.reset_button.isEnabled(), "there is nothing to do in an empty tab"
    user.train.begin(**LONG)
    assert not user.train.reset_button.isEnabled()
    user.train.pause()
    user.train.reset()
    user.train.wait_ended()
    assert user.train.losses() == []
    assert (user.reads("step_counter"), user.reads("go_on_words")) == ("0", "")
    assert user.reads("phase") == "The run is saved: open or continue it in Runs."
    assert not user.train.offers_to_continue()
    assert len(newest_of_each_run()) == 1
    user.wait(user.train.start_button.isEnabled)
    assert user.train.start_button.text() == "Start"

    user.train.to_end(**{**LONG, "steps": 2})
    user.train.reset()
    assert user.train.losses() == []
    assert user.reads("phase") == "The run is saved: open it in Runs.", "a finished run is not continued"
    assert not user.train.reset_button.isEnabled()

    user.training.clear()
    user.train.begin(**LONG)
    assert not user.train.editor("learning_rate").isEnabled()
    user.train.pause()
    assert [name for name, each in user.train.editors.items() if each.isEnabled()] == ["learning_rate"]
    for typed, words in (("-1", ", not -1.0."), ("abc", "")):
        user.type("train_learning_rate", typed)
        assert words in user.reads("train_learning_rate_problem")
        assert user.train.editor("learning_rate").problem.isVisible()
        user.train.start()
        user.wait(lambda: not user.train.paused)
        assert user.train.editor("learning_rate").value() == 4e-4, f"{typed} is dropped when the run goes on"
        assert not user.train.editor("learning_rate").problem.isVisible()
        user.train.pause()
    assert user.received(LearningRateChanged) == []

    user.type("train_learning_rate", "0.001")
    assert "0.001" in user.reads("phase")
    changed_at = len(steps(user))
    user.train.start()
    user.wait(lambda: len(steps(user)) > changed_at)
    (change,) = user.received(LearningRateChanged)
    assert (change.step, change.learning_rate) == (changed_at, 0.001)
    rates = [done.learning_rate for done in user.received(StepDone)]
    assert set(rates[:changed_at]) == {4e-4}
    assert set(rates[changed_at:]) == {0.001}
    assert [mark.text for mark in user.train.loss.marks if mark.text] == ["rate 0.001"]
    user.train.stop()
    assert change in list(journal.read(run_folder.all_runs()[0].journal_path))


# Continuing.


def test_that_a_stopped_run_continues_from_its_step_with_its_learning_rate_also_in_a_moved_folder(user):
    user.train.step_times(2, steps=6, eval_freq=3)
    user.type("train_learning_rate", "0.001")
    user.train.step()
    user.wait(lambda: len(user.received(StepReport)) == 3 and user.train.paused)
    user.train.stop()
    taken = len(steps(user))
    assert user.train.go_on_button.text() == f"Continue from step {taken:,}"
    user.train.continue_run()
    user.wait(lambda: len(user.received(RunStarted)) == 2)
    assert user.train.setting("learning_rate") == 0.001
    user.train.wait_ended()
    assert user.received(StepDone)[-1].learning_rate == 0.001
    assert user.reads("phase").startswith("Finished and saved.")
    assert [started.first_step for started in user.received(RunStarted)] == [0, taken]
    assert steps(user) == list(range(6))
    assert user.train.losses() == [done.loss for done in user.received(StepDone)]
    assert not user.train.offers_to_continue()
    (run,) = run_folder.all_runs()
    assert [each.step for each in run.events() if isinstance(each, StepDone)] == list(range(6))

    user.train.set(learning_rate=4e-4)
    user.train.step_times(2, steps=6, eval_freq=3)
    user.type("train_learning_rate", "0.001")
    user.train.stop()
    user.train.reset()
    user.wait(lambda: not user.train.offers_to_continue())
    assert user.train.setting("learning_rate") == 4e-4

    user.train.step_times(2, steps=5, eval_freq=1000)
    user.train.stop()
    first = user.train.losses()
    moved = user.train.run.path.with_name("came from elsewhere")
    shutil.move(user.train.run.path, moved)
    user.train.reset()
    user.wait(lambda: not user.busy("training"))
    user.go_to("runs")
    user.wait(lambda: user.runs.listed(moved))
    run = user.runs.listed(moved)
    user.window.training.open_run(run.folder, run.record.spec, run.state == "live")
    user.wait(lambda: user.train.offers_to_continue())
    assert user.train.run.path == moved
    assert len(user.train.checkpoints()) == 1
    user.train.continue_run()
    user.train.wait_ended()
    assert user.received(Ended)[-1].outcome == "finished"
    assert user.train.losses()[: len(first)] == first
    assert len(user.train.losses()) == 5


def diverge(user, monkeypatch, at: int, **settings) -> None:
    """Train a run whose loss is not a number after a step."""
    real = trainer.training_step

    def step(state, batches, *args):
        if state.progress.step > at:
            raise NotFinite(float("nan"), 1.0, batches[0][0])
        return real(state, batches, *args)

    monkeypatch.setattr(trainer, "training_step", step)
    user.train.finish(steps=9, **settings)
    monkeypatch.setattr(trainer, "training_step", real)


def test_that_a_diverged_run_continues_or_branches_at_a_tenth_of_the_learning_rate(user, monkeypatch):
    diverge(user, monkeypatch, at=3)
    assert not user.train.offers_to_continue()
    assert message("no_checkpoint_had_been_saved_yet") in user.reads("train_notice")
    assert user.find("train_messages").isVisible()
    user.train.point_at(1)
    assert "■" in user.reads("loss_plot_readout"), "the values at the pointer stay visible"

    due = "gptstudio.training.checkpoint_manager.CheckpointManager.due"
    monkeypatch.setattr(due, lambda manager, state, sooner: state.progress.step == 3)
    diverge(user, monkeypatch, at=5)
    assert message("training_diverged") in user.reads("train_notice")
    slower = user.train.go_on_slower_button
    assert slower.text() == "Continue from step 3 with learning rate 4e-05"
    user.window.state.locked_controls = frozenset({"train_learning_rate"})
    assert not slower.isEnabled()
    assert "locked by your instructor" in slower.toolTip()
    user.window.state.locked_controls = frozenset()
    user.click(user.train.go_on_slower_button)
    user.train.wait_ended()
    assert user.reads("phase").startswith("Finished and saved.")
    rates = [done.learning_rate for done in run_folder.all_runs()[0].events() if isinstance(done, StepDone)]
    assert rates == [4e-4] * 3 + [pytest.approx(4e-5)] * 6
    assert len(user.train.losses()) == 9
    assert user.train.setting("learning_rate") == pytest.approx(4e-5)

    diverge(user, monkeypatch, at=5, learning_rate=4e-4)
    parent, *others = run_folder.all_runs()
    before = parent.journal_path.read_bytes()
    back = user.find("go_back")
    assert back.text() == "Go back to step 3"
    user.rest(0.6)  # a click that may be the second of a double click has no effect
    user.click(back)
    user.wait(lambda: len(run_folder.all_runs()) == len(others) + 2)
    user.train.wait_ended()
    user.wait(lambda: user.reads("phase"))
    assert user.reads("phase").startswith("Finished and saved.")
    made = run_folder.all_runs()[0]
    assert (made.record().parent.run, made.record().parent.step) == (parent.name, 2)
    rates = [done.learning_rate for done in made.events() if isinstance(done, StepDone)]
    assert rates == [4e-4] * 3 + [pytest.approx(4e-5)] * 6
    assert parent.journal_path.read_bytes() == before

    diverge(user, monkeypatch, at=5, learning_rate=1.0)
    assert slower.text() == "Continue from step 3 with learning rate 0.001", "a tenth would still be high"


def test_that_an_interrupted_run_is_offered_when_the_window_opens(user, qtbot, application):
    user.train.step_times(3, steps=8, eval_freq=3)
    user.train.stop()
    (run,) = run_folder.all_runs()
    lines = run.journal_path.read_bytes().splitlines(keepends=True)
    run.journal_path.write_bytes(b"".join(lines[:-1]))  # the line of its end was never written
    taken = len(steps(user))
    window = MainWindow()
    window.show()
    try:
        window.wake()
        train = TrainPage(user, window.train)
        user.wait(lambda: train.offers_to_continue())
        assert str(shown_name(run)) in train.reads("go_on_words")
        train.continue_run()
        train.wait_ended()
        assert train.loss.x("step") == list(range(1, 9))
        assert train.losses()[:taken] == user.train.losses()
    finally:
        window.leave()
        window.deleteLater()


# Checkpoints and samples.


def test_that_checkpoints_are_listed_samples_are_browsed_and_both_go_with_steps_taken_back(user):
    user.train.to_end(epochs=3, save_every_epochs=1, keep_others=1, eval_freq=2, **FEW_STEPS)
    (run,) = run_folder.all_runs()
    saved = {event.step: event for event in user.received(CheckpointSaved)}
    there = [run_folder.step_of(path) for path in reversed(run.checkpoints())]
    rows = user.train.checkpoints()
    assert [row[0] for row in rows] == [f"{step + 1:,}" for step in there]
    assert [row[1] for row in rows] == [f"{saved[step].val_loss:.3f}" for step in there]
    assert "last" in rows[0][3]
    assert sum("best" in row[3] for row in rows) == 1

    assert [sample.epoch for sample in user.train.samples] == [1, 2, 3]
    assert user.reads("sample_place").startswith("Epoch 3, step ")
    user.train.sample_slider.setFocus()
    user.press(Qt.Key.Key_Home)
    assert user.reads("sample_place") == f"Epoch 1, step {user.train.samples[0].step + 1:,}"
    assert user.find("samples").toPlainText().startswith("Every effort moves you")
    assert f"Step {user.train.samples[0].step + 1:,}" in user.reads("loss_plot_readout")

    (started,) = user.received(RunStarted)  # from an earlier checkpoint: the program was killed some steps later
    first = user.train.samples[0].step + 1
    user.train.show([started.model_copy(update={"first_step": first})])
    assert user.train.losses() == [done.loss for done in user.received(StepDone)[:first]]
    assert len(user.train.losses("validation")) == len(range(0, first, 2))
    assert [sample.epoch for sample in user.train.samples] == [1]
    assert [row[0] for row in user.train.checkpoints()] == [f"{step + 1:,}" for step in there if step < first]


def test_that_charts_beside_the_loss_share_its_points_and_axis_and_a_paused_run_keeps_its_settings(user):
    """The settings of a listed run do not replace those of a paused run, and the listed run does not replace it."""
    user.train.to_end(steps=12, eval_freq=5)
    assert not [key for key, side in user.train.sides.items() if side.isVisible()]
    user.train.loss.zoom(0.005, 0.01)
    user.train.point_at(10)
    user.train.turn_side("gradient")
    user.rest(0.05)
    chart = user.train.side("gradient")  # requested late
    assert chart.range[0] == pytest.approx([0.005, 0.01])
    assert user.train.loss.range[0] == pytest.approx([0.005, 0.01])
    norms = [done.gradient_norm for done in user.received(StepDone)]
    assert chart.y() == norms
    assert user.find("gradient_caption").text().endswith(f"{norms[10]:.4g}")

    for key in set(user.train.sides) - {"gradient"}:
        user.train.turn_side(key)
    assert all(side.isVisible() for side in user.train.sides.values())
    user.rest(0.05)
    for side in user.train.sides:
        assert user.train.side(side).range[0] == pytest.approx(user.train.loss.range[0])
    rates = user.train.side("rate").y()
    assert rates == [done.learning_rate for done in user.received(StepDone)]
    user.train.point_at(5)
    assert user.find("gradient_caption").text().endswith(f"{norms[5]:.4g}")
    user.train.turn_side("rate")
    assert not user.train.sides["rate"].isVisible()

    user.train.to_end(steps=3, learning_rate=1e-3)
    earlier = run_folder.all_runs()[0]
    user.wait(lambda: not user.busy("training"))
    user.train.begin(learning_rate=2e-3, **LONG)
    user.train.pause()
    user.window.training.run_again(earlier.record().spec)
    assert user.train.setting("learning_rate") == 2e-3
    assert "learning rate" not in user.reads("phase")
    user.train.stop()


# The schedule.


def test_that_few_settings_are_visible_the_rest_unfolds_and_the_axes_are_those_of_the_next_run(user):
    shown = [name for name, editor in user.train.editors.items() if editor.isVisible()]
    assert shown == ["epochs", "steps", "batch_size", "learning_rate", "seed"]
    user.train.prepare()
    user.train.start_button.setFocus()
    assert not user.train.unfolded()
    user.train.set(beta1=2.0)
    assert user.train.unfolded()
    assert user.train.editor("beta1").problem.isVisible()
    user.train.set(beta1=0.9)
    assert not user.train.unfolded(), "folded again with the problem"

    user.train.set(beta1=2.0)
    user.type("train_beta1", "0.9")
    assert user.train.unfolded(), "nothing vanishes under one's hands"
    user.click(user.train.more_button)
    assert not user.train.unfolded()
    user.click(user.train.more_button)
    labels = [each for each in user.find("settings_scroll").findChildren(QLabel) if each.isVisible()]
    headings = {each.text() for each in labels if each.property("role") == "heading"}
    assert headings == {"Optimizer", "Schedule", "Text", "Evaluation", "Checkpoints", "Arithmetic"}
    user.train.start_button.setFocus()
    user.train.set(beta1=2.0)
    user.train.set(beta1=0.9)
    assert user.train.unfolded(), "somebody unfolded them"

    user.click(user.train.more_button)
    user.train.prepare(steps=100)
    user.click(user.train.more_button)
    assert not user.train.editor("warmup_steps").isVisible()
    user.choose(user.find("train_schedule"), "cosine")
    assert user.train.editor("warmup_steps").isVisible()
    user.wait(user.train.start_button.isEnabled)
    spec = user.train.spec
    x, y = user.train.schedule_curve.x.tolist(), user.train.schedule_curve.lines[0].y.tolist()
    assert x == list(range(100))
    assert y == [learning_rate(spec, step, 100) for step in range(100)]
    plot = user.train.widget.settings.schedule.plot
    plot.setFocus(Qt.FocusReason.TabFocusReason)
    user.press(Qt.Key.Key_End)
    assert plot.accessibleDescription() == f"Step 100: {y[99]:.3g}"
    user.press(Qt.Key.Key_Left)
    assert plot.accessibleDescription() == f"Step 99: {y[98]:.3g}"
    user.type("train_warmup_steps", "50")
    user.wait(user.train.start_button.isEnabled)
    rates = user.train.schedule_curve.lines[0].y.tolist()
    assert rates.index(max(rates)) == pytest.approx(50, abs=1)

    user.train.prepare(steps=None, epochs=3, schedule="constant", warmup_steps=0)
    plan = user.train.plan
    (left, right), (bottom, top) = user.train.loss.range
    assert (left, right) == pytest.approx((0, 3), abs=0.2)
    assert (bottom, top) == pytest.approx((0, AIR * math.log(user.train.spec.config.vocab_size)))
    tokens = user.train.loss.plot.getAxis("top").scale
    assert tokens == plan.steps_per_epoch * user.train.spec.tokens_per_step
    user.train.to_end(steps=2)
    user.train.reset()
    user.train.prepare(steps=None, epochs=7)
    assert user.train.loss.range[0] == pytest.approx([0, 7], abs=0.3)


# Memory, disk space and time.


def small(monkeypatch, free: int) -> None:
    real = devices.cpu()
    monkeypatch.setattr(devices, "cpu", lambda: replace(real, free_bytes=free))


def test_that_memory_and_disk_are_checked_a_too_large_run_needs_a_second_click_or_a_smaller_setting(user, monkeypatch):
    user.train.prepare(steps=6)
    assert user.train.forecast.level == "fits"
    assert user.reads("outlook").startswith("Estimated memory for training: ")
    assert message("from_the_formula") in user.find("outlook").toolTip()
    needed = checkpoint_files.needed_bytes(user.train.state.spec)
    monkeypatch.setattr(files, "free_bytes", lambda folder: needed)
    user.train.prepare(steps=6, epochs=2)
    assert message("first_checkpoint_fits") in user.reads("outlook")
    assert f"needs {size(needed)} and" in user.reads("outlook")
    assert user.find("outlook").property("role") == "problem"
    assert user.train.start_button.isEnabled(), "to try it is allowed"
    monkeypatch.setattr(files, "free_bytes", lambda folder: 2 * needed)
    user.train.prepare(steps=6, seed=1)
    assert message("first_checkpoint_fits") not in user.reads("outlook")

    user.train.prepare(steps=2, batch_size=8)
    needed = user.train.forecast.predicted_bytes
    small(monkeypatch, needed - 1)
    user.train.prepare(steps=2, batch_size=8, seed=2)
    assert user.find("outlook").property("role") == "problem"
    user.train.start()
    assert (user.train.running, user.train.start_button.text()) == (False, "Start anyway")
    user.type("train_seed", "9")
    user.wait(user.train.start_button.isEnabled)
    assert user.train.start_button.text() == "Start", "any change takes the second click back"
    user.train.start()
    assert (user.train.running, user.train.start_button.text()) == (False, "Start anyway")
    user.train.start()
    assert user.train.running
    user.train.wait_ended()
    assert user.received(Ended)[-1].outcome == "finished"

    small(monkeypatch, round(needed / 0.9))
    user.train.prepare(steps=2, batch_size=8, epochs=3)
    assert user.find("outlook").property("role") == "notice"
    user.train.start()
    assert user.train.running
    user.train.wait_ended()
    assert [ended.outcome for ended in user.received(Ended)] == ["finished"] * 2

    user.train.reset()
    user.train.prepare(steps=6, batch_size=64)
    small(monkeypatch, user.train.forecast.predicted_bytes - 1)
    user.train.start()
    smaller = user.train.forecast.smaller
    assert user.train.smaller_button.isVisible()
    user.click(user.train.smaller_button)
    user.wait(user.train.start_button.isEnabled)
    assert user.train.spec == smaller.but(device=user.train.spec.device)
    assert user.panel.config == smaller.config
    assert user.train.start_button.text() == "Start"
    assert user.find("outlook").property("role") != "problem"


def test_that_the_time_is_shown_after_a_calibration_that_waits_and_beside_the_time_taken(user):
    user.train.calibrate_soon()
    user.train.prepare(steps=12, seed=7)
    user.wait(lambda: user.train.forecast.seconds)
    assert re.search(r", about [\d.]+ .*s\.$", user.reads("outlook"))
    assert CostHistory.read() == user.train.costs
    assert message("steps_model") in user.find("outlook").toolTip()

    user.train.run_to_end()
    time_and_memory = r"[^.]+ and [\d.]+ [KMG]B of memory for training"
    assert re.fullmatch(rf"The last run took {time_and_memory}\.", user.reads("measured"))
    assert re.fullmatch(rf"Estimate before the run: {time_and_memory}\.", user.find("measured").toolTip())
    held = user.find("figure_memory").parentWidget().toolTip()
    assert "whole program" in held
    assert "Most memory that training needed" in held
    learned = user.train.costs.entries[-1]
    assert learned.speed.measured_whole
    user.train.reset()
    assert user.reads("measured") == ""


def test_that_start_ends_a_calibration(user):
    asked = []
    user.train.calibrate_soon(lambda *what: asked.append(what))
    user.train.prepare(**LONG)
    user.wait(lambda: asked and user.train.start_button.isEnabled())
    user.train.start()
    assert asked
    assert not user.window.training.forecast.rest.isActive()
    user.wait(user.train.losses)
    user.train.stop()


# Comparison with the book's run.


started_run = partial(started, run="", total_steps=90, steps_per_epoch=9, tokens_per_step=512)


# Marks.


def test_that_overfitting_is_marked_and_the_books_run_is_drawn_beside_a_run_of_its_settings(user):
    turn = [
        evaluated(step, train_loss=9 - 0.1 * step, val_loss=9 - 0.1 * min(step, 40))
        for step in range(0, 80, 5)
    ]
    user.train.show([started_run(), *turn])
    assert "overfitting" in user.reads("train_notice")
    (mark,) = user.train.loss.marks
    assert (mark.text, mark.tip, mark.at["step"]) == ("overfitting", user.reads("train_notice"), 41)

    user.train.show([started_run(), CopiesFound(step=30, tokens=50, copied=31, longest=23), *turn])
    expected = "The last sample: 62.0 % copied from the training text, longest 23 tokens."
    assert user.reads("train_notice").endswith(f"(overfitting). {expected}")
    user.train.show([CopiesFound(step=79, tokens=50, copied=50, longest=50)])
    assert user.reads("train_notice").endswith("(overfitting). " + expected.replace("62", "100").replace("23", "50"))
    (mark,) = user.train.loss.marks
    assert mark.tip == user.reads("train_notice")
    user.train.show([started_run(first_step=9), CopiesFound(step=9, tokens=50, copied=0, longest=0)])
    assert user.train.loss.marks == []

    user.train.expect(TrainSpec(config=PRESETS["workshop"]))
    user.train.show([started_run()])
    assert user.train.loss.names == ["step", "training", "validation"]
    user.train.expect(TrainSpec(config=PRESETS["book"]))
    user.train.show([started_run()])
    assert user.train.losses("printed_training")[:6] == [9.781, 8.111, 6.661, 5.961, 5.726, 5.201]
    assert user.train.losses("printed_validation")[:6] == [9.933, 8.339, 7.048, 6.616, 6.6, 6.348]
    assert user.train.loss.point("printed_training", 1) == {"step": 6, "epoch": 6 / 9, "tokens": 6 * 512, "minutes": 0}
    assert "chapter 5" in user.train.loss.legend()["The book's run"]
    user.train.show([started_run(first_step=9)])
    assert len(user.train.losses("printed_training")) == 7, "the printed run is as long as ever"
    user.train.loss.hover(8.0)
    assert "5.201" not in user.reads("loss_plot_readout"), "where nothing was printed, nothing is read"
