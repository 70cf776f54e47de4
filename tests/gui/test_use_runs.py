"""Runs in use: what differed between them, and what can be done with them."""

from PySide6.QtCore import Qt

from gptstudio.runs.events import LearningRateChanged, StepDone

LONG = {"steps": 5000, "eval_freq": 1000}


def test_that_a_rate_turned_in_mid_run_is_a_difference(user):
    window, train = user.window, user.window.train
    for turned in (True, False):
        user.begin_training(**LONG, learning_rate=0.0004)
        user.click(train.start)
        user.wait(lambda: train.paused)
        if turned:
            user.type("train_learning_rate", "0.02")
            user.press(Qt.Key.Key_Return)
        before = len(user.heard(StepDone))
        user.click(train.start)
        user.wait(lambda before=before: len(user.heard(StepDone)) > before)
        user.click(train.stop_button)
        user.wait(lambda: not train.running)
    [change] = user.heard(LearningRateChanged)
    window.go_to(window.runs)
    runs = window.runs
    user.wait(lambda: len(runs.model.runs) == 2)
    for run in list(runs.model.runs):
        runs.list.select(run.path)
        runs.list.setFocus()
        if run.path not in runs.model.ticks:
            user.press(Qt.Key.Key_Space)
    assert user.reads("runs_differ") == "In what these 2 runs differ"
    rates = {runs.table.text(row, "Learning rate") for row in range(2)}
    assert rates == {"0.0004", f"0.0004, then 0.02 from step {change.step + 1:,}"}
