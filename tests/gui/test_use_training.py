"""Training in use: where the focus goes, so that the next key does what the hand expects."""

from PySide6.QtCore import Qt

from gptstudio.runs.events import StepDone

LONG = {"steps": 5000, "eval_freq": 1000}


def pause(user) -> None:
    user.click(user.window.train.start)
    user.wait(lambda: user.window.train.paused)


def test_that_space_after_step_continues_the_run(user):
    train = user.window.train
    user.begin_training(**LONG)
    pause(user)
    before = len(user.heard(StepDone))
    user.click(train.steering.step)
    user.wait(lambda: len(user.heard(StepDone)) == before + 1 and train.paused)
    assert user.window.focusWidget() is train.start
    user.press(Qt.Key.Key_Space)
    user.wait(lambda: len(user.heard(StepDone)) > before + 3)
    assert train.running
    assert not train.paused


def test_that_space_after_stop_does_not_empty_the_view(user):
    train = user.window.train
    user.begin_training(**LONG)
    user.click(train.stop_button)
    user.wait(lambda: not train.running)
    assert user.window.focusWidget() is not train.steering.reset
