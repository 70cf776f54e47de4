"""Branches in use: checkpoints on the curve, returning to before a jump, and the drawn fork."""

import json
import shutil

import pytest
from lessons import losses
from PySide6.QtCore import QPointF, Qt
from PySide6.QtWidgets import QMenu

from gptstudio.training import branching, launch
from gptstudio.training.branching import Changes
from gptstudio.training.control import Control
from gptstudio.training.events import LearningRateChanged, StepDone
from gptstudio.training.model_source import SavedModel
from gptstudio.training.run_folder import RunFolder, all_runs

FIRST_PAGE = "generate"


@pytest.fixture
def parent(study_once) -> RunFolder:
    """A finished run of 8 steps with a checkpoint after step 4."""
    run = study_once(title="mine", steps=8, stop_at=3, keep_others=5, resumed=True)
    assert len(run.checkpoints()) == 2
    return run


def branch_of(run: RunFolder, **changes) -> RunFolder:
    made: list[RunFolder] = []
    launch.branch(run, run.checkpoints()[0], Control(), [], Changes(**changes), made=made.append)
    return made[0]


def opened(user, run: RunFolder):
    """Open a run on Train, and return the strip of marks on its curve."""
    user.runs.open(run)
    user.wait(lambda: user.train.run == run and len(user.train.checkpoints()) == len(run.checkpoints()))
    strip = user.find("curve_marks")
    user.wait(lambda: strip.isVisible() and strip.width() > 100)
    return strip


def menu(user) -> dict[str, object]:
    [shown] = [each for each in user.window.findChildren(QMenu, "curve_marks_menu") if each.isVisible()]
    return {action.objectName(): action for action in shown.actions()}


def test_that_the_keyboard_reaches_the_checkpoints_on_the_curve_and_continues_from_one(user, parent):
    strip = opened(user, parent)
    strip.setFocus(Qt.FocusReason.TabFocusReason)
    assert strip.accessibleName() == "Checkpoints and jumps on the loss curve"
    assert strip.accessibleDescription().startswith("Checkpoint after step 4")
    user.press(Qt.Key.Key_Right)
    assert strip.accessibleDescription().startswith("Checkpoint after step 8")
    user.press(Qt.Key.Key_Left)
    user.press(Qt.Key.Key_Return)
    actions = menu(user)
    assert list(actions) == ["checkpoint_continue_action", "checkpoint_generate_action", "checkpoint_compare_action"]
    assert all(action.isEnabled() for action in actions.values())
    actions["checkpoint_continue_action"].trigger()
    user.wait(lambda: len(user.received(StepDone)) > 4)
    user.train.wait_ended()
    made = user.train.run
    assert made != parent
    assert losses(made) == losses(parent)
    assert made.record().parent.step == 3


def test_that_the_marks_are_at_their_steps_on_each_axis_and_a_click_generates_with_one(user, parent):
    strip, chart = opened(user, parent), user.train.loss
    for axis in range(user.train.x_box.count()):
        user.train.x_box.setCurrentIndex(axis)
        user.train.x_box.activated.emit(axis)
        user.wait(lambda: strip.items())
        at = chart.point("step", 3)[chart.chart.axis]
        expected = chart.plot.mapFromScene(chart.chart.box.mapViewToScene(QPointF(at, 0))).x() - strip.x()
        assert abs(next(iter(strip.items().values())).center().x() - expected) <= 1

    first, last = strip.items().values()
    assert first.center().x() < last.center().x()
    user.qtbot.mouseClick(strip, Qt.MouseButton.LeftButton, pos=first.center().toPoint())
    menu(user)["checkpoint_generate_action"].trigger()
    assert user.current == "generate"
    assert user.generate.source == SavedModel(parent.checkpoints()[0])


def test_that_a_checkpoint_without_resume_data_gives_the_reason_and_reset_removes_the_marks(user, parent):
    (parent.checkpoints()[0] / "resume.safetensors").unlink()
    strip = opened(user, parent)
    user.train.choose_the_earliest_checkpoint()
    user.click(user.find("checkpoint_continue"))
    user.wait(lambda: "Only the model was saved after step 4" in user.train.reads("train_notice"))
    assert all_runs() == [parent]

    user.click(user.find("reset"))
    user.wait(lambda: not user.state.run.started)
    assert not strip.isVisible()
    assert not strip.items()


def test_that_the_last_checkpoint_of_a_finished_run_asks_for_the_length_and_branches(user, parent):
    strip = opened(user, parent)
    strip.setFocus(Qt.FocusReason.TabFocusReason)
    user.press(Qt.Key.Key_End)
    user.press(Qt.Key.Key_Return)
    menu(user)["checkpoint_continue_action"].trigger()
    user.wait(lambda: user.find("longer_dialog"))
    assert "step 8 is at the last step of the run “mine”" in user.reads("longer_words")
    user.find("longer_more").setValue(4)
    assert "In all: 12 steps, of which 4 are still to come." in user.reads("longer_total")
    user.click(user.find("longer_begin"))
    user.wait(lambda: len(user.received(StepDone)) > 8)
    user.train.wait_ended()
    assert (len(losses(parent)), len(losses(user.train.run))) == (8, 12)
    assert losses(user.train.run)[:8] == losses(parent)


HTML = "<img src='x'><b>bold</b>\u202e"


def test_that_the_name_of_a_parent_is_shown_literally(user, parent):
    made = branch_of(parent)
    file = made.path / "run.json"
    values = json.loads(file.read_text(encoding="utf-8"))
    values.pop("sha256")
    values["parent"] |= {"title": HTML * 5, "run": "gone", "created": "2020-01-01T00:00:00Z"}
    file.write_text(json.dumps(values), encoding="utf-8")
    opened(user, made)
    label = user.find("parent_run")
    assert label.textFormat() == Qt.TextFormat.PlainText
    assert label.text().startswith("from <img")
    assert len(label.text()) < 60
    assert "&lt;b&gt;bold" in label.toolTip()
    user.go_to("runs")
    user.wait(lambda: user.runs.listed(made.path))
    model = user.runs.list.model()
    [row] = [row for row in range(model.rowCount()) if model.index(row, 0).data().startswith("↳")]
    assert "&lt;b&gt;bold" in model.index(row, 0).data(Qt.ItemDataRole.ToolTipRole)


def test_that_a_branch_is_listed_below_its_parent_drawn_as_a_fork_and_names_its_parent_also_without_it(
    user, parent, study_once
):
    made = branch_of(parent, learning_rate=1e-5)
    other = study_once(title="other")
    user.go_to("runs")
    user.wait(lambda: len(user.runs.listed_runs) == 3)
    model = user.runs.list.model()
    names = [model.index(row, 0).data() for row in range(3)]
    assert names == ["other", "mine", "↳ mine, from step 4"]
    assert "from mine, step 4" in model.index(2, 0).data(Qt.ItemDataRole.ToolTipRole)
    assert model.index(2, 0).data(Qt.ItemDataRole.EditRole) == made.record().title
    assert other.record().parent is None

    opened(user, made)
    assert user.reads("parent_run") == "from mine, step 4"
    user.wait(lambda: "Parent run" in user.train.loss.legend())
    chart = user.train.loss.chart
    x = {key: chart.curves[key].line.xData.tolist() for key in ("step", "common_step", "parent_step")}
    assert x["common_step"][-1] == x["step"][0] == x["parent_step"][0] == pytest.approx(
        user.train.loss.point("step", 3)["epoch"])
    y = {key: chart.curves[key].line.yData.tolist() for key in x}
    assert y["common_step"] == losses(made)[:4]
    assert y["step"] == losses(made)[3:]
    assert y["parent_step"] == losses(parent)[3:]

    made = branch_of(parent)
    shutil.rmtree(parent.path)
    opened(user, made)
    assert user.reads("parent_run") == "from mine, step 4"
    chart = user.train.loss.chart
    assert chart.curves["common_step"].line.yData.tolist() == losses(made)[:4]
    assert "Parent run" not in user.train.loss.legend()


def jump(user, step: int) -> None:
    """Add a jump of the loss at a step of the displayed run."""
    from gptstudio.app.shown_run import RunMark

    user.window.state.run.anomalies.append(RunMark(step, "jump", "The loss jumped.", "amber", "jump"))
    user.window.training.events_arrived.emit([object()])


def test_that_a_jump_before_all_checkpoints_is_reported_and_a_later_one_offers_a_branch(user, parent):
    strip = opened(user, parent)
    jump(user, 2)
    user.wait(lambda: len(strip.items()) == 3)
    strip.setFocus(Qt.FocusReason.TabFocusReason)
    user.press(Qt.Key.Key_Home)
    user.press(Qt.Key.Key_Return)
    actions = menu(user)
    assert not any(action.isEnabled() for action in actions.values())
    assert actions["jump_back_action"].toolTip() == "No checkpoint from before the jump is left."
    user.press(Qt.Key.Key_Escape)
    user.state.run.anomalies.clear()

    jump(user, 5)
    user.wait(lambda: len(strip.items()) == 3)
    strip.setFocus(Qt.FocusReason.TabFocusReason)
    user.press(Qt.Key.Key_Home)
    user.press(Qt.Key.Key_Right)
    assert strip.accessibleDescription() == "The loss jumped."
    user.press(Qt.Key.Key_Return)
    actions = menu(user)
    assert [action.text() for action in actions.values()] == [
        "Go back to before the jump (step 4)", "Go back to before the jump (step 4), learning rate 4e-05"]
    actions["jump_slower_action"].trigger()
    user.wait(lambda: len(user.received(StepDone)) > 4)
    user.train.wait_ended()
    made = user.train.run
    assert made.record().parent.step == 3
    [change] = [event for event in made.events() if isinstance(event, LearningRateChanged)]
    assert (change.step, change.learning_rate) == (4, pytest.approx(4e-5))
    assert losses(made)[:4] == losses(parent)[:4]
    assert len(losses(parent)) == 8


def test_that_a_branch_of_a_branch_is_listed_below_it(parent):
    child = branch_of(parent)
    grandchild = branch_of(child)
    assert branching.find_parent(grandchild.path.parent, grandchild.record().parent) == child
