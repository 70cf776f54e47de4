"""Runs in use: their differences, and the actions on them."""

from at_the_window import in_chinese
from disks import unreadable
from messages import message
from pages.page import column
from pages.painted import drop
from PySide6.QtCore import Qt
from PySide6.QtGui import QAction
from PySide6.QtWidgets import QFileDialog

from gptstudio.data import texts
from gptstudio.gui.translation import tr
from gptstudio.history import archives, run_history
from gptstudio.training.checkpoint_files import is_whole
from gptstudio.training.control import Control
from gptstudio.training.events import LearningRateChanged, StepDone, TokenDrawn
from gptstudio.training.launch import resume
from gptstudio.training.model_source import SavedModel
from gptstudio.training.run_folder import step_of

FIRST_PAGE = "learn"  # a visible list takes seconds to show the runs that tests create

HORIZONTAL = Qt.Orientation.Horizontal
LONG = {"steps": 5000, "eval_freq": 1000}


def test_that_packed_runs_and_run_folders_dropped_on_any_page_are_added_to_the_list(user, study_once, home):
    here, elsewhere = study_once(title="here", steps=2), study_once(title="elsewhere", steps=2)
    packed, folder = home / "packed.zip", home / "shared" / "another"
    archives.pack(here, packed)
    folder.parent.mkdir()
    elsewhere.path.rename(folder)
    user.go_to("generate")
    drop(user.window, packed, folder)
    assert user.current == "runs"
    user.wait(lambda: len(user.runs.listed_runs) == 3)
    assert sorted(run.title for run in user.runs.listed_runs) == ["elsewhere", "here", "here"]
    assert user.runs.listed(folder)

    (home / "texts.zip").write_bytes(b"no zip")
    user.go_to("texts")
    drop(user.window, home / "texts.zip")
    assert user.current == "runs"
    user.runs.says("it is not a zip file")


def test_that_a_learning_rate_changed_during_a_run_is_a_difference(user):
    train = user.window.train
    for turned in (True, False):
        user.train.begin(**LONG, learning_rate=0.0004)
        user.click(train.start)
        user.train.wait_paused()
        if turned:
            user.type("train_learning_rate", "0.02")
            user.press(Qt.Key.Key_Return)
        before = len(user.received(StepDone))
        user.click(train.start)
        user.wait(lambda before=before: len(user.received(StepDone)) > before)
        user.train.stop()
    [change] = user.received(LearningRateChanged)
    user.go_to("runs")
    user.wait(lambda: len(user.runs.listed_runs) == 2)
    for run in list(user.runs.listed_runs):
        user.runs.select(run.path)
        user.runs.list.setFocus()
        if run.path not in user.runs.ticked:
            user.press(Qt.Key.Key_Space)
    assert user.reads("runs_differ") == "Differences between these 2 runs"
    rates = set(column(user.runs.table, "Learning rate"))
    assert rates == {"0.0004", f"0.0004, then 0.02 from step {change.step + 1:,}"}


def test_that_a_renamed_run_is_renamed_in_the_list_of_models_and_a_checkpoint_goes_to_the_trash_or_stays(
    user, study_once
):
    run = study_once(title="before")
    user.runs.choose(run)
    user.click(user.find("runs_view_1"))
    assert not user.runs.list.isVisible(), "the sweeps are shown"
    user.window.state.run_requested.emit(run.path)  # as by the palette
    assert user.runs.list.isVisible()
    user.click(user.find("runs_view_1"))
    user.go_to("train")
    user.runs.act("rename")
    assert user.current == "runs"
    user.qtbot.keyClicks(user.window.focusWidget(), "after")
    user.press(Qt.Key.Key_Return)
    user.wait(lambda: any(text.startswith("after  ·  step ") for text in names(user.generate.model_box)))
    assert not any(text.startswith("before") for text in names(user.generate.model_box))

    run = study_once(steps=12, stop_at=3, keep_others=5, eval_freq=100)
    stopped = Control()
    resume(run, stopped, [lambda event: isinstance(event, StepDone) and event.step == 6 and stopped.stop()])
    first, last = run.checkpoints()
    user.runs.open(run)
    user.wait(lambda: len(user.train.checkpoints()) == 2)
    rows = user.train.choose_the_earliest_checkpoint()
    user.press(Qt.Key.Key_Home)
    delete, asked = user.window.findChild(QAction, "checkpoint_delete_action"), []
    user.answer("Cancel", lambda box: asked.append(box.text() + box.informativeText()))
    delete.trigger()
    assert f"after step {step_of(last) + 1}" in asked[0]
    assert "the other checkpoints (1) stay" in asked[0]
    assert f"continues from step {step_of(first) + 2}" in asked[0]
    assert last.is_dir()
    user.answer("Move to trash")
    assert delete in rows.actions()
    delete.trigger()
    user.wait(lambda: len(user.train.checkpoints()) == 1)
    assert run.checkpoints() == [first]
    assert f"after step {step_of(last) + 1} to the trash" in user.reads("train_notice")
    user.train.choose_the_earliest_checkpoint()
    assert not delete.isEnabled()
    assert "only checkpoint" in delete.toolTip()
    before = user.state.trashed["checkpoint"]
    last.mkdir()
    user.click(user.find("checkpoint_restore"))
    user.wait(lambda: "exists again" in user.reads("train_notice"))
    last.rmdir()
    user.find("checkpoint_restore").setFocus()
    user.press(Qt.Key.Key_Space)
    user.wait(lambda: len(user.train.checkpoints()) == 2)
    assert run.checkpoints() == [first, last]
    assert is_whole(last)
    assert f"Restored the checkpoint after step {step_of(last) + 1}" in user.reads("train_notice")
    assert not user.find("checkpoint_restore").isVisible()
    assert rows.chosen().step == step_of(last)
    assert not before.kept.exists()
    user.answer("Move to trash")
    delete.trigger()
    user.wait(lambda: len(user.train.checkpoints()) == 1)
    restore = user.window.actions_of["checkpoint_restore"]
    assert restore.isEnabled()
    with run.writing():
        restore.trigger()
        user.wait(lambda: message("being_written_another") in user.reads("train_notice"))
    user.window.training.resume_run(run)
    user.wait(lambda: not user.state.running)
    assert not restore.isEnabled(), "the run has another checkpoint in its place"
    assert step_of(run.newest_checkpoint()) == 11, "it can still be continued"


@in_chinese
def test_that_names_of_texts_and_the_notice_of_an_export_are_in_chinese(user, study_once, home, monkeypatch):
    own = home / "letter.txt"
    own.write_text("Dear friend, this is a text of one's own. " * 40, encoding="utf-8")
    run = study_once(text=("story", str(own)))
    user.runs.show(run)
    model = user.window.runs.model
    column = next(each for each in range(model.columnCount()) if model.headerData(each, HORIZONTAL) == "文本")
    shown = model.index(user.runs.row(run), column)
    assert shown.data() == f"2 个文本：{tr(texts.NAMES['story'])}, letter.txt"
    assert "The Late Bell, a story" not in shown.data()

    # The notice of an export.
    monkeypatch.setattr(QFileDialog, "getSaveFileName", lambda *args: (str(home / "runs.csv"), ""))
    user.runs.act("csv")
    user.saved.says("runs.csv")
    assert user.saved.words.startswith("已保存")


def names(box) -> list[str]:
    return [box.itemText(index) for index in range(box.count())]


def test_that_an_earlier_checkpoint_is_compared_with_the_last_generates_and_continues_as_another_run(user, study_once):
    run = study_once(title="mine", steps=8, stop_at=3, keep_others=5, resumed=True)
    user.runs.open(run)
    user.wait(lambda: len(user.train.checkpoints()) == 2)
    assert not user.find("checkpoint_continue").isEnabled()
    compare = user.window.findChild(QAction, "checkpoint_compare_action")
    assert "Select a checkpoint" in compare.toolTip()
    rows = user.train.choose_the_earliest_checkpoint()
    user.press(Qt.Key.Key_Home)
    assert not compare.isEnabled()
    assert "last checkpoint" in compare.toolTip()
    user.press(Qt.Key.Key_End)
    assert rows.hasFocus()
    compare.trigger()
    assert user.current == "generate"
    pair = user.window.generate.pair
    assert [side.source().path for side in pair.sides] == run.checkpoints()
    user.wait(lambda: not pair.running)
    left, right = pair.sides
    assert left.sampling_params() == right.sampling_params()

    for way in ("button", "context menu"):
        user.go_to("train")
        rows = user.train.choose_the_earliest_checkpoint()
        if way == "button":
            user.click(user.find("checkpoint_generate"))
        else:
            next(each for each in rows.actions() if each.objectName() == "checkpoint_generate_action").trigger()
        assert user.current == "generate", way
        assert user.generate.source == SavedModel(run.checkpoints()[0]), way
        user.decoding.clear()
        user.generate.write(3)
        assert len(user.received(TokenDrawn)) == 3, way
        user.generate.model_box.activated.emit(0)
        assert user.generate.source != SavedModel(run.checkpoints()[0])

    whole = study_once(title="old", steps=8)
    saved = {path.name: sorted(file.name for file in path.iterdir()) for path in run.checkpoints()}
    assert len(saved) == 2
    user.go_to("train")
    user.train.choose_the_earliest_checkpoint()
    user.click(user.find("checkpoint_continue"))
    user.wait(lambda: len(user.received(StepDone)) > 0)
    user.train.wait_ended()
    made = user.train.run
    assert made.path != run.path
    assert made.record().title == f"mine, from step {step_of(run.checkpoints()[0]) + 1}"
    assert {path.name: sorted(file.name for file in path.iterdir()) for path in run.checkpoints()} == saved
    losses = run_history.read(made.journal_path).steps["loss"].tolist()
    assert losses == run_history.read(whole.journal_path).steps["loss"].tolist()


def test_that_a_run_moved_to_the_trash_on_another_page_is_no_longer_the_selected_one(user, study_once):
    other, run = study_once("other"), study_once("first")
    user.runs.show(other, run)
    user.go_to("learn")
    user.answer("Move to trash")
    user.runs.act("delete")
    user.wait(lambda: not run.path.exists() and not user.busy())
    assert user.window.state.selected_run.path == other.path
    assert [each.path for each in user.window.state.checked_runs] == [other.path]


def test_that_a_run_whose_files_cannot_be_read_is_listed_beside_the_others_and_can_be_left(user, study_once):
    other, run = study_once("other"), study_once("closed", stop_at=3)
    user.runs.open(run)
    user.wait(lambda: user.train.run == run and user.train.losses())
    with unreadable(run.checkpoints()[-1]):
        user.runs.choose(other)
        user.wait(lambda: not user.busy())
        assert user.runs.listed(other.path).resumable
        assert not user.runs.listed(run.path).resumable
        user.window.training.continue_from(run.checkpoints()[-1].name)
        assert "Permission denied" in user.reads("train_notice")
    with unreadable(run.path):
        user.runs.open(other)
        user.wait(lambda: user.train.run == other and user.train.losses())
        assert not user.find("error_bar_message").isVisible()
