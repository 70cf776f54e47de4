"""Train longer: a finished run continues for more epochs or steps, from Train and from the list of runs."""

from at_the_window import in_chinese
from lessons import losses
from PySide6.QtGui import QAction
from PySide6.QtWidgets import QDialog

from gptstudio.training import launch
from gptstudio.training.control import Control
from gptstudio.training.events import StepDone, Warned
from gptstudio.training.run_folder import RunFolder, all_runs
from gptstudio.training.schedule import learning_rate


def ask(user, way: str, run: RunFolder) -> None:
    """Open the dialog for a run, on Train or in the list."""
    if way == "train":
        user.runs.open(run)
        user.wait(lambda: user.train.run == run and user.find("train_longer").isVisible())
        user.click(user.find("train_longer"))
    else:
        user.runs.choose(run)
        user.runs.act("longer")
    user.wait(lambda: user.find("longer_dialog"))


def test_that_a_finished_run_is_trained_longer_as_if_it_had_been_planned_so(user, study_once):
    whole, run = study_once(title="whole", steps=9), study_once(title="mine", steps=6)
    for way in ("runs", "train"):
        ask(user, way, run)
        assert user.reads("longer_words") == "The run “mine” has 6 steps in all."
        assert "In all: 12 steps, of which 6 are still to come." in user.reads("longer_total")
        assert "they take about" in user.reads("longer_total")
        if way == "runs":
            user.click(user.find("longer_cancel"))
            user.wait(lambda: not user.window.findChild(QDialog, "longer_dialog"))
    user.find("longer_more").setValue(3)
    assert not user.find("longer_notice").isVisible()
    user.click(user.find("longer_begin"))
    user.wait(lambda: [event.step for event in user.received(StepDone)][-1:] == [8])
    user.train.wait_ended()
    assert user.current == "train"
    assert user.train.run == run
    assert losses(run) == losses(whole)
    assert run.record().spec == whole.record().spec
    assert len(all_runs()) == 2


def test_that_the_plan_is_that_of_a_continued_run_not_of_the_settings_before(user, study_once):
    run = study_once(stop_at=3, steps=4_000, title="long")
    user.train.prepare(steps=7)
    user.wait(lambda: user.reads("plan").endswith("steps: 7") and user.reads("outlook"))
    user.runs.choose(run)
    user.runs.act("go_on")
    user.wait(lambda: len(user.train.losses()) > 3)
    user.train.pause()
    user.wait(lambda: user.reads("plan").endswith("steps: 4,000"))
    assert user.reads("outlook") == ""
    user.type("train_steps", "9")
    user.wait(lambda: user.train.looked)
    assert user.reads("plan").endswith("steps: 4,000"), "changed settings apply to the next run"
    user.train.stop()
    user.wait(lambda: user.reads("outlook").startswith("Estimated"))


def test_that_the_effect_on_a_cosine_schedule_is_shown_beforehand_and_epochs_are_counted_in_steps(user, study_once):
    run = study_once(title="mine", steps=6, schedule="cosine", warmup_steps=1)
    ask(user, "runs", run)
    user.find("longer_more").setValue(4)
    spec = run.record().spec
    assert user.reads("longer_notice").startswith("The cosine schedule now spans 10 steps instead of 6")
    assert f"{learning_rate(spec, 6, 10):.3g} from step 7 on" in user.reads("longer_notice")
    text = user.reads("longer_notice")
    user.click(user.find("longer_begin"))
    user.wait(lambda: len(user.received(StepDone)) > 6)
    user.train.wait_ended()
    assert [event.message for event in run.events() if isinstance(event, Warned)] == [text]

    run = study_once(title="other", steps=None, epochs=1, batch_size=8, stride=128)
    count = len(losses(run))
    ask(user, "runs", run)
    assert user.reads("longer_words") == f"The run “other” has {count} steps in all (epochs: 1)."
    user.find("longer_more").setValue(2)
    assert f"In all: 3 epochs, {3 * count} steps, of which {2 * count} are still to come." in user.reads("longer_total")
    unit = user.find("longer_unit")
    unit.setCurrentIndex(unit.findData("steps"))
    unit.activated.emit(unit.currentIndex())
    user.find("longer_more").setValue(5)
    assert f"In all: {count + 5} steps, of which 5 are still to come." in user.reads("longer_total")
    user.click(user.find("longer_cancel"))
    user.wait(lambda: not user.train.running)
    assert len(losses(run)) == count
    assert len(all_runs()) == 2
    assert run.record().spec.epochs == 1


def test_that_the_button_is_shown_only_after_a_run_has_finished_and_missing_checkpoints_are_reported(
    user, study_once, monkeypatch
):
    longer = user.find("train_longer")
    assert not longer.isVisible()
    user.train.begin(steps=5000, eval_freq=1000)
    assert not longer.isVisible()
    action = user.window.actions_of["train_longer"]
    assert action.toolTip() == "This window is training. Stop the run first."
    user.train.stop()
    assert action.isEnabled()
    user.train.reset()
    assert action.toolTip() == "There is no run in the view."

    run = study_once(steps=4)
    user.runs.choose(run)
    assert "Train longer…" in user.runs.action("go_on").toolTip()
    assert user.runs.action("longer") in user.window.runs.context_menu.actions()
    assert user.runs.action("longer").isEnabled()
    user.window.state.locked_controls = frozenset({"train_epochs"})
    assert user.runs.action("longer").toolTip() == "The number of epochs or steps is locked by your instructor."
    assert not user.window.actions_of["train_longer"].isEnabled()
    user.window.state.locked_controls = frozenset()

    for checkpoint in run.checkpoints():
        (checkpoint / "state.json").unlink()
    user.runs.act("longer")
    user.wait(lambda: "state.json is missing" in user.train.reads("train_notice"))
    assert not user.train.running

    user.train.to_end(steps=4)
    assert action.isEnabled()
    user.train.choose_the_earliest_checkpoint()
    monkeypatch.setattr("gptstudio.gui.train.run_view.confirmed", lambda *_: True)
    user.window.findChild(QAction, "checkpoint_delete_action").trigger()
    user.wait(lambda: not action.isEnabled())
    assert action.toolTip() == "It has no checkpoint from which it could continue."
    assert not user.window.actions_of["generate_shown"].isEnabled()
    user.runs.choose(user.train.run)
    assert user.runs.action("longer").toolTip().startswith("It has no checkpoint: none was saved, or they were deleted")


@in_chinese
def test_that_the_dialog_is_in_chinese(user, study_once):
    run = study_once(title="mine", steps=6, schedule="cosine", warmup_steps=1)
    ask(user, "runs", run)
    assert user.reads("longer_words") == "训练“mine”共 6 步。"
    assert "余弦调度现在跨越 12 步" in user.reads("longer_notice")


def test_that_a_branch_is_trained_longer_and_keeps_its_parent(user, study_once):
    run = study_once(title="mine", steps=8, stop_at=3, keep_others=5, resumed=True)
    made: list[RunFolder] = []
    launch.branch(run, run.checkpoints()[0], Control(), [], made=made.append)
    ask(user, "runs", made[0])
    user.find("longer_more").setValue(2)
    user.click(user.find("longer_begin"))
    user.wait(lambda: len(user.received(StepDone)) > 8)
    user.train.wait_ended()
    assert made[0].record().parent.run == run.name
    assert user.reads("parent_run") == "from mine, step 4"
    assert (len(losses(run)), len(losses(made[0]))) == (8, 10)
