"""The Runs tab in the window: runs in one chart, and the actions on a run."""

import csv
import json
import math
import re
import shutil
import sys
import threading
import zipfile
from collections.abc import Callable
from pathlib import Path
from types import SimpleNamespace

import pytest
from lessons import tiny_config, write_lesson
from messages import message
from pages.page import column
from pages.runs import RunsPage
from PySide6 import QtCore
from PySide6.QtCore import Qt, QUrl
from PySide6.QtGui import QDesktopServices, QFontMetrics, QImage
from PySide6.QtWidgets import (
    QApplication,
    QDialog,
    QFileDialog,
    QLineEdit,
    QMenu,
    QMessageBox,
    QPushButton,
    QRadioButton,
)

from gptstudio import paths
from gptstudio.app import run_tasks
from gptstudio.gui.charts.run_curves import KINDS
from gptstudio.gui.commands import COMMANDS
from gptstudio.gui.runs import run_list, runs_tab
from gptstudio.gui.runs.run_compare import STRONGEST
from gptstudio.gui.theme import theme
from gptstudio.history import added_runs, archives, run_history
from gptstudio.training import checkpoint_files, run_folder
from gptstudio.training.events import Ended
from gptstudio.training.model_source import SavedModel
from gptstudio.training.run_folder import RunFolder, step_of

FIRST_PAGE = "learn"  # a visible list takes seconds to show the runs that tests create
pytestmark = pytest.mark.usefixtures("soon")


@pytest.fixture
def bench(user) -> RunsPage:
    return user.runs


@pytest.fixture
def save_to(monkeypatch):
    """Return a function that answers the next file dialog with a path, and returns the path."""

    def answer(path: Path) -> Path:
        monkeypatch.setattr(QFileDialog, "getSaveFileName", lambda *args: (str(path), ""))
        return path

    return answer


# The list and the charts.


def test_that_without_runs_a_message_leads_to_the_train_tab_and_a_refusal_is_shown(user, bench, home, monkeypatch):
    user.go_to("runs")
    user.wait(lambda: bench.is_empty())
    assert not bench.widget.full.isVisible()
    monkeypatch.setattr(QFileDialog, "getExistingDirectory", lambda *args: str(home))
    user.click(bench.widget.empty.findChild(QPushButton, "run_add"))
    bench.says(message("folder_run"))
    assert user.find("runs_notice").isVisible()
    user.click(bench.to_train_button)
    assert user.current == "train"


@pytest.mark.parametrize("first_page", ["train"])  # the test itself requests the list for the first time
def test_that_a_list_that_takes_long_shows_its_progress(user, bench, study_once, monkeypatch):
    monkeypatch.setattr(run_tasks, "REPORT_AFTER_S", 0)
    run, notices = study_once(), []
    user.go_to("runs")
    user.window.library.listing.connect(lambda done, total: notices.append((done, user.reads("runs_notice"))))
    bench.show(run)
    user.wait(lambda: notices)
    assert notices[0] == (0, "Reading the logs of 1 runs")
    user.wait(lambda: not user.find("runs_progress").isVisible())
    assert user.reads("runs_notice") == ""


def test_that_the_newest_run_is_ticked_at_first_and_added_folders_are_listed_until_they_are_removed(
    user, bench, study_once, home, monkeypatch
):
    first = study_once("the first")
    user.go_to("runs")
    user.wait(lambda: bench.losses(first))
    assert list(bench.ticked) == [first.path]
    user.go_to("train")
    second = study_once("the second")
    user.go_to("runs")
    user.wait(lambda: bench.listed(second.path))
    assert list(bench.ticked) == [first.path]

    own, elsewhere = study_once("one of mine"), study_once("on another disk", path=home / "disk" / "run")
    added_runs.add(paths.added_runs(), elsewhere.path)  # as another program did
    added_runs.add(paths.added_runs(), home / "gone")
    bench.show(own, elsewhere)
    assert len(bench.listed_runs) == 4
    another = study_once("chosen", path=home / "another disk" / "run")
    monkeypatch.setattr(QFileDialog, "getExistingDirectory", lambda *args: str(another.path))
    bench.act("add")
    user.wait(lambda: bench.listed(another.path))
    monkeypatch.setattr(QFileDialog, "getExistingDirectory", lambda *args: str(home))
    bench.act("add")
    bench.says(message("folder_run"))
    monkeypatch.setattr(QFileDialog, "getExistingDirectory", lambda *args: "")
    bench.act("add")
    assert len(bench.listed_runs) == 5

    for run in (another, elsewhere):
        bench.select(run.path)
        bench.act("take_off")
        user.wait(lambda run=run: not bench.listed(run.path))
        assert run.path.is_dir()
    assert added_runs.folders(paths.added_runs()) == [home / "gone"], "its disk may come back"
    bench.select(own.path)
    assert not bench.action("take_off").isEnabled()

    paths.added_runs().write_text('{"format": 99, "folders": {}}')
    bench.check_again()
    bench.says(message("newer_version"))
    assert bench.listed(own.path)


@pytest.mark.parametrize("first_page", ["train"])
@pytest.mark.parametrize("listed_before", [True, False])
def test_that_a_run_that_ends_in_this_window_is_ticked_automatically(user, bench, study_once, listed_before):
    old = study_once("old")
    state = user.window.state
    if listed_before:
        bench.show(old)
        user.go_to("train")
    else:
        state.page_selections = state.page_selections.but(checked_runs=(str(old.path),))
    user.train.to_end(steps=3)
    own = user.train.run
    assert str(own.path) in state.page_selections.checked_runs, "also if the program is closed now"
    user.go_to("runs")
    user.wait(lambda: set(bench.ticked) == {old.path, own.path})
    assert bench.listed(own.path).title.endswith(" · 1 layer · 0.0004")
    bench.tick(own.path, False)
    bench.check_again()
    user.rest(0.3)
    assert list(bench.ticked) == [old.path]


def test_that_a_sample_shows_no_part_of_a_further_line(application, qtbot, monkeypatch):
    monkeypatch.setattr(runs_tab, "line_height", lambda text, font: QFontMetrics(font).height() + 6)  # as of Chinese
    view = runs_tab.LastSample()
    qtbot.addWidget(view)
    view.show_run(SimpleNamespace(figures=SimpleNamespace(sample="moves you " * 200, sample_copies=(), sample_step=4)))
    view.resize(view.width(), view.sizeHint().height())
    shown = view.grab().toImage()
    below = range(2 * QFontMetrics(view.font()).height() + 2, shown.height())
    assert len(below) > 3
    assert len({shown.pixel(x, y) for x in range(shown.width()) for y in below}) == 1


def test_that_runs_are_overlaid_with_their_points_differences_samples_and_pointed_values(bench, study_once):
    slow, fast = runs = [study_once("slow", learning_rate=1e-4), study_once("fast", learning_rate=1e-2, steps=8)]
    bench.show(*runs)
    assert bench.headings == ["Run", "Steps", "Learning rate", "Validation loss"]
    assert [bench.cell(run, "Learning rate") for run in runs] == ["0.0001", "0.01"]
    assert [bench.cell(run, "Steps") for run in runs] == ["6", "8"]
    assert bench.reads("runs_differ") == "Differences between these 2 runs"
    sample = run_history.read(fast.journal_path).samples[-1]
    view = bench.find("runs_sample")
    assert view.accessibleName() == f"Last sample, step {sample.step + 1}:"
    assert view.accessibleDescription() == sample.text.replace("\n", " ")
    bench.widget.list.setCurrentIndex(QtCore.QModelIndex())
    assert view.accessibleName() == view.accessibleDescription() == ""

    for run in runs:
        journal = run_history.read(run.journal_path)
        assert bench.losses(run) == journal.evaluations["val_loss"].tolist()
        assert bench.losses(run, "step_loss") == journal.steps["loss"].tolist()
    looks = {bench.compare.charts["loss"].curves[f"{run.path}|val_loss"].look.colour for run in runs}
    assert len(looks) == 2
    bench.tick(runs[0].path, False)
    assert not bench.losses(runs[0])
    assert bench.losses(runs[1])
    bench.tick(runs[0].path, True)
    bench.user.wait(lambda: bench.losses(runs[0]))

    for name in KINDS:
        bench.compare.curve_actions[name].setChecked(True)
    bench.hover(5.0, "gradient_norm")
    assert bench.reads("runs_where") == "Steps 5"
    for run in (slow, fast):
        journal = run_history.read(run.journal_path)
        assert bench.cell(run, "Batch loss") == f"{journal.steps['loss'][4]:.3f}"
        assert bench.cell(run, "Validation loss") == f"{journal.evaluations['val_loss'][2]:.3f}"
        assert bench.cell(run, "Learning rate") == f"{journal.steps['learning_rate'][4]:.4g}"
    bench.hover(8.0, "loss")  # where the slow one has ended
    assert bench.cell(slow, "Batch loss") == "–"
    assert bench.cell(fast, "Batch loss") != "–"
    bench.hover(None, "loss")
    assert bench.reads("runs_where") == message("values_end")
    last = run_history.read(fast.journal_path).steps["loss"][-1]
    assert bench.cell(fast, "Batch loss") == f"{last:.3f}"


def test_that_runs_of_equal_settings_differ_only_in_results_and_other_texts_give_a_warning(bench, study_once, tmp_path):
    bench.show(study_once("one"), study_once("twin"))
    assert bench.headings == ["Run", "Validation loss"]
    assert bench.reads("runs_differ") == "Same settings in all 2 runs"

    assert not bench.find("runs_different_texts").isVisible()
    other = study_once("other", text=(str(write_lesson(tmp_path, times=60)),))
    bench.check_again()
    bench.show(other)
    assert bench.find("runs_different_texts").isVisible()
    assert bench.reads("runs_different_texts") == "Different texts: the losses cannot be compared."
    bench.user.click(bench.find("runs_score"))
    state = bench.user.window.state
    bench.user.wait(lambda: state.page == "generate")
    assert state.generate_view == "score"
    assert isinstance(state.model, SavedModel)


def test_that_three_rows_of_a_table_that_scrolls_sideways_are_visible(bench, study_once):
    changes = {"seed": 5, "batch_size": 3, "optimizer": "sgd", "weight_decay": 0.2, "eval_iter": 2, "sample_tokens": 3,
               "keep_others": 2, "health": False, "gradient_clip": 1.0}
    bench.user.window.resize(1024, 700)
    bench.show(study_once("the usual", steps=2), *(
        study_once(f"the run with another {name}", steps=2, **{name: value}) for name, value in changes.items()))
    bench.user.wait(bench.table.horizontalScrollBar().isVisible)
    bench.user.wait(lambda: bench.table.viewport().height() >= 3 * bench.table.row_height())  # once it is laid out


def test_that_losses_of_different_vocabularies_are_compared_in_bits_per_byte_by_default(bench, study_once):
    one, other = study_once("GPT-2"), study_once("own", config=tiny_config().but(vocabulary="own:300"))
    bench.show(one, other)
    scale = bench.compare.scale_box
    assert bench.compare.scale == "bits"
    for run in (one, other):
        history = run_history.read(run.journal_path)
        expected = history.evaluations["val_loss"] / history.nats_per_bit(1)
        assert bench.losses(run) == pytest.approx(expected.tolist())
    scale.setCurrentIndex(scale.findData("nats"))
    scale.activated.emit(scale.currentIndex())
    assert bench.losses(one) == run_history.read(one.journal_path).evaluations["val_loss"].tolist()
    bench.show(one)
    assert bench.compare.scale == "nats"


def test_that_a_chart_is_shown_while_it_has_a_curve_and_has_the_axis_of_the_others(bench, study_once):
    run = study_once(steps=8)
    bench.show(run)
    compare = bench.compare
    assert [name for name, chart in compare.charts.items() if chart.isVisible()] == ["loss"]
    compare.curve_actions["memory"].setChecked(True)
    compare.curve_actions["val_loss"].setChecked(False)
    assert [name for name, chart in compare.charts.items() if chart.isVisible()] == ["memory"]
    assert re.fullmatch(r"[\d.,]+ [MG]B", column(bench.table, "Memory")[0])

    compare.curve_actions["val_loss"].setChecked(True)
    axis_smoothing_and_logarithm_reach_every_chart(bench, run)


def axis_smoothing_and_logarithm_reach_every_chart(bench: RunsPage, run: RunFolder) -> None:
    compare = bench.compare
    compare.axis_box.setCurrentIndex(compare.axis_box.findData("tokens"))
    assert {chart.axis for chart in compare.charts.values()} == {"tokens"}
    compare.log.click()
    assert compare.smoothing.maximum() / 100 == STRONGEST / 100 == 0.99
    compare.smoothing.setValue(50)
    journal = run_history.read(run.journal_path).evaluations["val_loss"]
    biased, averages = 0.0, []
    for count, loss in enumerate(journal, start=1):
        biased = 0.5 * biased + 0.5 * loss
        averages.append(biased / (1 - 0.5**count))
    curve = compare.charts["loss"].curves[f"{run.path}|val_loss"]
    assert curve.read("tokens", math.inf).smoothed == pytest.approx(averages[-1])
    assert curve.raw.isVisible(), "the points stay visible"
    assert column(bench.table, "Validation loss")[0] == f"{averages[-1]:.3f}"
    assert bench.reads("runs_where") == "Values at the end, smoothed"
    compare.curve_actions["gradient_norm"].setChecked(True)
    last, loss = compare.charts["gradient_norm"], compare.charts["loss"]
    assert {(chart.axis, chart.log) for chart in (loss, last)} == {("tokens", True)}, "the one that came later too"
    norm = last.curves[f"{run.path}|gradient_norm"].read("tokens", math.inf)
    assert norm.smoothed != norm.y
    bench.hover(norm.x, "loss")
    assert last.pointed_at == norm.x


@pytest.mark.parametrize("first_page", ["train"])  # the test itself requests the list for the first time
def test_that_this_windows_own_run_grows_in_the_overlay_and_is_listed_as_live(user, bench, study_once):
    old = study_once("old")
    user.train.begin(steps=100_000, eval_freq=20, sample_tokens=0)
    assert "runs" not in vars(user.window), "the page is first opened while the window trains, and knows its run"
    bench.show(old)
    own = user.train.run
    user.wait(lambda: bench.listed(own.path))
    assert user.window.state.own_run
    assert bench.listed(own.path).state == "live"
    bench.tick(own.path, True)
    user.wait(lambda: bench.losses(own, "step_loss"))
    before = len(bench.losses(own, "step_loss"))
    user.wait(lambda: len(bench.losses(own, "step_loss")) > before)
    bench.select(own.path)
    assert not bench.action("go_on").isEnabled()
    bench.select(old.path)
    assert not bench.action("open").isEnabled(), "the Train tab is in use"
    bench.select(own.path)
    bench.act("open")
    assert user.current == "train"
    user.press(Qt.Key.Key_Escape)
    user.train.wait_ended()
    assert not user.window.state.own_run
    user.go_to("runs")
    user.wait(lambda: bench.listed(own.path).state == "stopped")
    user.wait(lambda: bench.losses(own, "step_loss") == run_history.read(own.journal_path).steps["loss"].tolist())


def test_that_this_windows_own_run_is_kept_where_its_folder_is_deleted_and_created_again(user, bench, study_once):
    other = study_once()
    user.train.begin(steps=100_000, eval_freq=100_000, save_every_epochs=1, batch_size=8, stride=256)
    own = user.train.run
    user.wait(lambda: own.checkpoints())
    bench.show(other)
    user.wait(lambda: bench.listed(own.path))
    own.path.rename(own.path.with_name("away"))
    user.wait(lambda: (own.path / "run.json").is_file() and own.checkpoints())
    bench.check_again()
    user.wait(lambda: bench.listed(own.path))
    user.rest(0.3)
    bench.select(own.path)
    assert bench.listed(own.path).state == "live"
    assert not any(bench.action(name).isEnabled() for name in ("rename", "delete", "go_on", "zip"))
    user.go_to("train")
    user.press(Qt.Key.Key_Escape)
    user.train.wait_ended()


def test_that_runs_of_other_programs_grow_and_end_in_the_visible_list(user, bench, study_once, monkeypatch):
    monkeypatch.setattr(runs_tab, "POLL_MS", 50)
    monkeypatch.setattr(runs_tab, "POLL_SHARE", 1)
    bench.show(study_once("mine"))
    other = study_once("of another program")
    user.wait(lambda: bench.listed(other.path))
    *begun, ended = other.journal_path.read_bytes().splitlines(keepends=True)
    bench.select(other.path)
    with other.writing():
        other.journal_path.write_bytes(b"".join(begun))
        user.wait(lambda: bench.listed(other.path).state == "live")
        assert not bench.action("go_on").isEnabled()
        other.journal_path.write_bytes(b"".join((*begun, ended)))
    user.wait(lambda: bench.listed(other.path).state == "finished")
    assert user.window.state.selected_run.path == other.path
    user.go_to("train")
    user.wait(lambda: not user.busy())
    late = study_once("unseen")
    user.rest(0.3)
    assert not bench.listed(late.path), "nothing is read while nobody looks"


# Actions on a run.


def test_that_opening_a_run_shows_its_journal_until_another_is_trained_also_where_it_names_no_checkpoint(
    user, bench, study_once
):
    run = study_once("unfinished", stop_at=5, steps=100)
    bench.show(run)
    bench.list.setFocus()
    user.press(Qt.Key.Key_Return)
    assert user.current == "train"
    user.wait(lambda: user.train.losses() == run_history.read(run.journal_path).steps["loss"].tolist())
    assert len(user.train.losses()) == 6
    assert user.reads("elsewhere") == ""
    assert not user.train.running
    assert user.train.run == run

    user.train.begin(steps=100_000, eval_freq=1_000)
    own = user.train.run
    assert own != run
    user.rest(0.3)  # the journal would have been read again by now
    assert user.train.run == own
    assert user.train.running
    user.press(Qt.Key.Key_Escape)
    user.train.wait_ended()

    # A journal that names no checkpoint of the run.
    for instead in ("/nowhere/checkpoints/last", "step-", "<img src=x>", "\0", "step-999999"):
        run = study_once(stop_at=3)
        *before, last = run.journal_path.read_text().splitlines()
        ended = json.loads(last) | {"outcome": "failed", "error": "CheckpointError", "instead": instead}
        run.journal_path.write_text("\n".join([*before, json.dumps(ended), ""]))
        bench.open(run)
        user.wait(lambda run=run: user.train.run == run and len(user.train.losses()) == 4)
        assert not user.find("error_bar_message").isVisible(), instead


def test_that_a_stopped_run_is_continued_from_the_list_unless_another_window_writes_it(user, bench, study_once):
    run = study_once(stop_at=3, steps=12)
    before = run.journal_path.read_bytes()
    bench.show(run)
    with run.writing():  # as another window has begun to; this one's list is outdated
        bench.act("go_on")
        user.train.wait_ended()
        assert message("being_written_another") in user.reads("train_notice")
    assert run.journal_path.read_bytes() == before

    bench.choose(run)
    bench.act("go_on")
    assert user.current == "train"
    assert user.train.running
    user.train.wait_ended()
    journal = run_history.read(run.journal_path)
    assert journal.ended.outcome == "finished"
    assert user.train.losses() == journal.steps["loss"].tolist()
    assert len(user.train.losses()) == 12
    user.go_to("runs")
    user.wait(lambda: bench.listed(run.path).state == "finished")
    assert not bench.action("go_on").isEnabled()
    assert message("all_steps") in bench.action("go_on").toolTip()
    user.wait(lambda: len(bench.losses(run, "step_loss")) == 12)


def test_that_run_again_fills_panels_also_without_a_checkpoint_and_the_best_generates(user, bench, study_once, home):
    own = home / "own.txt"
    own.write_text("the cat sat on the mat, and the dog sat on the cat. " * 30, encoding="utf-8")
    run = study_once(learning_rate=0.0123, epochs=7, steps=9, text=str(own))
    user.train.prepare()
    bench.show(run)
    bench.act("again")
    user.wait(lambda: user.train.looked)
    spec = run.record().spec
    assert user.current == "train"
    assert user.panel.config == spec.config
    assert user.train.spec == spec.model_copy(update={"device": user.train.spec.device})
    assert not user.train.running
    assert len(run_folder.all_runs()) == 1

    run = study_once(stop_at=3, batch_size=3)
    (run.newest_checkpoint() / checkpoint_files.RESUME).unlink()
    bench.check_again()
    bench.choose(run)
    entry = bench.listed(run.path)
    [tip] = [column.tip(entry) for column in run_list.COLUMNS if column.heading == run_list.STATE]
    assert tip == "Stopped"
    for name in ("go_on", "longer"):
        assert not bench.action(name).isEnabled()
        assert "without the optimizer state" in bench.action(name).toolTip()
    shutil.rmtree(run.checkpoint_folder)
    events = run.journal_path.read_text().splitlines()
    run.journal_path.write_text("".join(f"{each}\n" for each in events if json.loads(each)["event"] not in (
        "ended", "checkpoint_saved")))
    bench.check_again()
    bench.choose(run)
    assert not bench.action("go_on").isEnabled()
    assert message("use_run_again") in bench.action("go_on").toolTip()
    bench.act("again")
    user.wait(lambda: user.train.looked)
    user.train.start()
    user.train.wait_ended()
    assert user.train.run.record().spec.batch_size == 3
    assert user.received(Ended)[-1].outcome == "finished"

    text = home / "parts.txt"  # the validation text differs from the training text: its loss rises during training
    other = "Every man will work for a house. " * 7
    text.write_text("the cat sat on the mat, and the dog sat on the cat. " * 30 + other)
    run = study_once(text=str(text), steps=44, learning_rate=0.05, save_every_epochs=1, keep_others=9)
    states = {path: json.loads((path / "state.json").read_text(encoding="utf-8")) for path in run.checkpoints()}
    best = min(states, key=lambda path: states[path]["val_loss"])
    assert best != run.newest_checkpoint()
    bench.check_again()
    bench.choose(run)
    bench.act("talk")
    user.wait(lambda: user.current == "generate")
    assert user.generate.source == SavedModel(best)


def test_that_a_run_is_renamed_in_place_its_folder_and_menu_are_opened_and_actions_give_their_reasons(
    user, bench, study_once, monkeypatch
):
    run = study_once("before")
    bench.show(run)
    bench.list.setFocus()
    user.press(Qt.Key.Key_F2)
    editor = bench.list.findChild(QLineEdit)
    assert editor.text() == "before"
    editor.selectAll()
    user.qtbot.keyClicks(editor, "after")
    user.qtbot.keyClick(editor, Qt.Key.Key_Return)
    user.wait(lambda: bench.listed(run.path).title == "after")
    assert run.record().title == "after"
    assert column(bench.table, "Run")[0] == "after"
    assert user.current == "runs", "Return ended the typing, and did no more"

    bench.list.customContextMenuRequested.emit(bench.list.visualRect(bench.list.currentIndex()).center())
    menu = QApplication.activePopupWidget()
    assert isinstance(menu, QMenu)
    words = [action.text() for action in menu.actions() if not action.isSeparator()]
    assert words[:4] == ["Open in Train", "Continue", "Run again…", "Generate with it"]
    assert "Move to trash…" in words
    menu.close()

    opened = []
    monkeypatch.setattr(QDesktopServices, "openUrl", opened.append)
    bench.act("show")
    assert opened == [QUrl.fromLocalFile(str(run.path))]

    # The keys of the list do nothing on other tabs.
    monkeypatch.setattr(QMessageBox, "exec", lambda *args: pytest.fail("a question was asked"))
    user.go_to("generate")
    user.generate.prompt.setFocus()
    user.press(Qt.Key.Key_Delete)
    user.press(Qt.Key.Key_G, Qt.KeyboardModifier.ControlModifier)
    assert user.current == "generate"
    assert run.path.is_dir()

    user.go_to("runs")
    run.remove(run.checkpoints())
    bench.check_again()
    user.wait(lambda: not bench.action("talk").isEnabled())
    assert not bench.action("talk").isEnabled()
    assert "checkpoint" in bench.action("talk").toolTip()
    assert [step_of(path) for path in run.checkpoints()] == []

    bench.tick(run.path, False)
    bench.list.clearSelection()
    bench.list.setCurrentIndex(bench.list.model().index(-1, -1))
    actions = {name: bench.action(name.removeprefix("run_")) for name in COMMANDS if name.startswith("run_")}
    off = {name: action for name, action in actions.items() if not action.isEnabled()}
    assert set(actions) - set(off) == {"run_add", "run_import"}
    assert {action.toolTip() for action in off.values()} == {
        "Select one or more runs with their check boxes first.", "Click a run in the list first.",
        "No run was moved to the trash since the window opened.",
    }
    button = bench.widget.findChild(QPushButton, "run_open")
    assert not button.isEnabled()
    assert button.toolTip() == message("select_run_first")

    long = study_once("a run with a long name, as people give them when they try many things")
    bench.check_again()
    bench.show(long)
    theme.enlarge(2)
    user.rest(0.2)
    assert user.find("runs_scroll").horizontalScrollBar().maximum() == 0
    assert all(user.find(name).isVisible() for name in ("run_open", "run_talk", "runs_more", "runs_export"))


class NoTrash(QtCore.QFile):
    """A file of a system without a trash. A replaced method of Qt's own class does not always take effect."""

    def moveToTrash(self) -> bool:
        return False


def test_that_a_run_is_moved_to_the_trash_after_a_question_or_stays_with_a_reason(
    user, bench, study_once, home, monkeypatch
):
    run, other = study_once("to go"), study_once("to stay")
    bench.show(other, run)
    asked = []
    bench.list.setFocus()
    user.answer("Cancel", lambda box: asked.append(box.text() + box.informativeText()))
    user.press(Qt.Key.Key_Delete)
    assert "to go" in asked[0]
    assert str(run.path) in asked[0]
    assert "MB" in asked[0]
    assert run.path.is_dir()

    user.answer("Move to trash")
    with run.writing():  # as another window has begun to; this one's list is outdated
        bench.act("delete")
        bench.says(message("being_written_another"))
    assert run.path.is_dir()

    with monkeypatch.context() as failing:
        failing.setattr(QtCore, "QFile", NoTrash)
        user.answer("Move to trash")
        bench.act("delete")
        bench.says(message("left_as_it"))
        bench.says("the system did not take it")
    assert run.path.is_dir()

    user.answer("Move to trash")
    bench.act("delete")
    user.wait(lambda: not bench.listed(run.path))
    assert not run.path.exists()
    assert bench.listed(other.path)
    assert not user.generate.offers(SavedModel(run.path / "checkpoints" / "step-000005"))
    if sys.platform == "linux":
        assert (home / "Trash" / "files" / run.name / "run.json").is_file()


@pytest.mark.skipif(sys.platform != "linux", reason="only Linux lets a test have a trash of its own")
def test_that_a_run_is_restored_from_the_trash_and_nothing_is_overwritten(user, bench, study_once, home):
    run, other = study_once("to go and return"), study_once("to stay")
    user.window.library.generate_with(run.newest_checkpoint())
    files = sorted(path.relative_to(run.path) for path in run.path.rglob("*"))
    bench.show(other, run)
    assert not bench.action("restore").isEnabled()
    user.answer("Move to trash")
    bench.act("delete")
    user.wait(lambda: not bench.listed(run.path))
    assert user.generate.source == SavedModel(other.newest_checkpoint()), "not an untrained model"
    assert [path.name for path in (home / "Trash" / "info").iterdir()] == [f"{run.name}.trashinfo"]
    run.path.mkdir()
    user.click(bench.find("run_restore"))
    bench.says("exists again")
    assert list(run.path.iterdir()) == []
    assert bench.find("run_restore").isVisible(), "so that it can be tried once more"
    run.path.rmdir()
    bench.find("run_restore").setFocus()
    user.press(Qt.Key.Key_Space)
    user.wait(lambda: bench.listed(run.path) and bench.current().path == run.path)
    assert sorted(path.relative_to(run.path) for path in run.path.rglob("*")) == files
    assert list((home / "Trash" / "info").iterdir()) == [], "the file manager lists nothing that is gone"
    assert not bench.find("run_restore").isVisible()
    assert user.window.focusWidget() is bench.list, "the keyboard is at the run"

    bench.select(other.path)
    user.answer("Move to trash")
    bench.act("delete")
    user.wait(lambda: not bench.listed(other.path))
    shutil.rmtree(home / "Trash" / "files" / other.name)
    bench.act("restore")
    bench.says("no longer where the trash kept it")


# Export.


def test_that_the_csv_has_every_step_of_the_ticked_runs_a_script_its_text_and_a_packed_run_is_imported(
    bench, study_once, save_to, home, monkeypatch, user
):
    runs = {"one": study_once("one"), "two": study_once("two", steps=8)}
    for same in (study_once("same"), study_once("same")):
        runs[f"same ({same.name})"] = same
    copy = RunFolder(shutil.copytree(same.path, home / "elsewhere" / same.name))
    added_runs.add(paths.added_runs(), copy.path)
    runs[f"same ({copy.path})"] = copy
    bench.show(*runs.values())
    path = save_to(home / "out.csv")
    bench.act("csv")
    bench.user.saved.says("out.csv")
    with path.open(newline="", encoding="utf-8") as file:
        rows = list(csv.DictReader(file))
    assert {row["run"] for row in rows} == set(runs), "runs of one name stay apart"
    for name, run in runs.items():
        losses = [float(row["value"]) for row in rows if row["run"] == name and row["series"] == "loss"]
        assert losses == run_history.read(run.journal_path).steps["loss"].tolist()

    path = save_to(home / "alone.py")
    bench.act("script")
    bench.user.saved.says(f"Saved {path} and")
    assert "import torch" in path.read_text(encoding="utf-8")
    assert (home / "alone.txt").is_file()

    run = study_once("travels")
    bench.check_again()
    bench.show(run)
    full, light = home / "full.zip", home / "light.zip"
    save_to(full)
    bench.user.answer("Save…")
    bench.act("zip")
    bench.user.saved.says(f"Saved {full}")
    save_to(light)
    bench.user.answer("Cancel")
    bench.act("zip")
    assert not light.exists()
    bench.user.answer("Save…", choose("log only"))
    bench.act("zip")
    bench.user.saved.says(f"Saved {light}")
    assert any("model.safetensors" in name for name in zipfile.ZipFile(full).namelist())
    assert not any("model.safetensors" in name for name in zipfile.ZipFile(light).namelist())
    monkeypatch.setattr(QFileDialog, "getOpenFileName", lambda *args: (str(full), ""))
    bench.act("import")
    bench.user.wait(lambda: len(bench.listed_runs) == len(runs) + 2)
    [came] = [each for each in bench.listed_runs if each.path not in {each.path for each in (*runs.values(), run)}]
    assert came.path.parent == paths.runs()
    assert came.title == "travels"
    assert run_history.read(RunFolder(came.path).journal_path).steps["loss"].tolist() == bench.losses(run, "step_loss")
    broken = home / "broken.zip"
    broken.write_bytes(full.read_bytes()[:1000])
    monkeypatch.setattr(QFileDialog, "getOpenFileName", lambda *args: (str(broken), ""))
    bench.act("import")
    bench.says("broken.zip")
    assert bench.user.find("runs_notice").property("role") == "problem"

    bench.select(run.path)
    pressed, pack = threading.Event(), archives.pack

    def held(folder, path, progress, contents):
        """Continue after the first piece only when the key was pressed."""
        pack(folder, path, lambda *done: (progress(*done), pressed.wait(60)), contents)

    monkeypatch.setattr(archives, "pack", held)
    path = save_to(home / "long.zip")
    user.answer("Save…")
    bench.act("zip")
    user.wait(lambda: user.find("runs_progress").isVisible())
    bench.widget.setFocus()
    user.press(Qt.Key.Key_Escape)
    pressed.set()
    bench.says("Cancelled")
    assert not path.exists()
    assert not user.find("runs_progress").isVisible()


def test_that_charts_are_exported_as_shown_with_names_of_the_runs_and_leave_the_page(bench, study_once, save_to, home):
    bench.show(study_once("the first run"))
    bench.compare.curve_actions["gradient_norm"].setChecked(True)
    save_to(home / "chart")  # the ending is added
    bench.act("png")
    bench.user.saved.says("chart.png")
    assert not QImage(str(home / "chart.png")).isNull()
    assert not QImage(str(home / "chart-gradient-norm.png")).isNull()
    save_to(home / "chart.svg")
    bench.act("svg")
    bench.user.saved.says("chart.svg")
    assert "<svg" in (home / "chart.svg").read_text(encoding="utf-8")
    assert not bench.compare.charts["loss"].plot.getPlotItem().legend.isVisible()
    save_to(home / "nowhere" / "chart.png")
    bench.act("png")
    bench.says(message("could_written"))
    for action in bench.compare.curve_actions.values():
        action.setChecked(False)
    save_to("")  # it is not even asked for a file
    bench.act("svg")
    bench.says("No chart is shown")

    runs = [study_once(f"run number {number}", steps=2) for number in range(12)]
    bench.check_again()
    bench.show(*runs)
    compare = bench.compare
    for action in compare.curve_actions.values():
        action.setChecked(True)
    drawn: dict[str, float] = {}
    for name, chart in compare.charts.items():
        monitored = chart.save
        chart.save = lambda file, name=name, chart=chart, save=monitored: (
            save(file), drawn.update({name: chart.plot.getPlotItem().vb.height()})
        )
    save_to(home / "chart.png")
    bench.act("png")
    bench.user.saved.says("chart.png")
    assert min(drawn.values()) > 300
    bench.user.rest(0.1)
    for chart in compare.charts.values():
        assert chart.plot.getPlotItem().height() <= chart.plot.viewport().height(), "the axis is cut off"
    assert not any(chart.plot.getPlotItem().legend.items for chart in compare.charts.values())


def choose(part: str) -> Callable[[QDialog], None]:
    """Return a function that clicks the choice of a question whose text contains this part."""
    def click(question: QDialog) -> None:
        assert re.search(r"\([\d.,]+ .?B\)", " ".join(each.text() for each in question.findChildren(QRadioButton)))
        ends = sorted(question.findChildren(QPushButton), key=lambda each: each.x())
        assert [each.property("role") == "primary" for each in ends] == [False, True], "the last one answers"
        next(each for each in question.findChildren(QRadioButton) if part in each.text()).click()
    return click
