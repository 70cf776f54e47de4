"""Reports from Runs and Train, and the class view."""

import math
import shutil
import time
from dataclasses import replace

import pytest
from at_the_window import in_chinese
from pages.saved import SavedPage
from PySide6.QtCore import Qt
from PySide6.QtGui import QGuiApplication
from PySide6.QtWidgets import QFileDialog
from reported import STARTED, events, folder

from gptstudio.app import report_tasks
from gptstudio.errors import UserError
from gptstudio.gpt.config import PRESETS
from gptstudio.history import archives, class_runs
from gptstudio.history.guesses import Guess, Learner, LessonGuesses
from gptstudio.history.report import reading, writing
from gptstudio.history.run_data import read_report
from gptstudio.training.run_folder import all_runs

FIRST_PAGE = "learn"


@pytest.fixture(scope="module")
def class_files(tmp_path_factory):
    made = tmp_path_factory.mktemp("runs")
    (place := made / "class").mkdir()
    for name, epochs in (("Anna", 3), ("Ben", 20)):
        writing.write(reading.read(folder(made / name, name, epochs=epochs)), place / f"{name}.html")
    archives.pack(folder(made / "Carl", "Carl"), place / "Carl.zip")
    (place / "Dora.zip").write_text("no zip")
    return place


@pytest.fixture
def class_folder(class_files, tmp_path):
    """A folder with two reports, a packed run, and a file that is no zip."""
    return shutil.copytree(class_files, tmp_path / "class")


@pytest.fixture
def view(user, class_folder):
    """The class view with that folder dropped on it."""
    view = user.class_view
    view.open()
    view.drop(class_folder)
    user.wait(lambda: len(view.runs) == 4)
    view.wait()
    return view


@in_chinese
def test_that_a_run_is_reported_from_runs_in_the_language_of_the_window(user, study, saved):
    run = study(title="mine", steps=4)
    user.runs.choose(run)
    user.runs.act("report")
    user.saved.says("saved.html")
    page = saved.with_suffix(".html").read_text(encoding="utf-8")
    assert 'lang="zh-CN"' in page
    assert "最低验证损失" in page
    assert read_report(saved.with_suffix(".html")).name == "mine"


@pytest.mark.parametrize("first_page", ["train"])
def test_that_the_run_on_train_can_be_reported_only_while_there_is_one(user, saved):
    send = user.find("finish_send")
    assert not send.isVisible()
    assert not user.runs.action("report").isEnabled()
    user.train.to_end(steps=4, eval_freq=2)
    user.wait(send.isVisible)
    report, _ = send.menu().actions()
    report.trigger()
    user.saved.says("saved.html")
    assert read_report(saved.with_suffix(".html")).steps == 4


def test_that_a_report_that_cannot_be_written_is_reported_as_failed(user, study, monkeypatch, tmp_path):
    run = study(steps=4)
    monkeypatch.setattr(QFileDialog, "getSaveFileName", lambda *args: (str(tmp_path / "none" / "a"), ""))
    user.runs.choose(run)
    user.runs.act("report")
    user.runs.says("Choose another location")


def test_that_a_class_is_opened_sorted_drawn_and_added_to_no_runs_and_an_empty_folder_is_reported(
    user, class_folder, monkeypatch, tmp_path
):
    monkeypatch.setattr(QFileDialog, "getExistingDirectory", lambda *args: str(class_folder))
    view = user.class_view
    view.open()
    assert not view.export_button.isEnabled()
    user.click(view.folder_button)
    user.wait(lambda: len(view.runs) == 4)
    view.wait()
    assert view.reads("class_count") == "Runs: 3; files that could not be read: 1"
    assert view.column("Name") == ["Anna", "Ben", "Carl", "Dora"]
    view.sort("Epochs")
    assert view.column("Epochs") == ["3", "10", "20", ""]
    assert view.column("Name") == ["Anna", "Carl", "Ben", "Dora"]
    assert "not a zip file" in view.column("Problem")[-1]
    assert view.drawn() == ["Anna", "Ben", "Carl"]
    assert view.losses(class_folder / "Anna.html")[:3] == [5, 6, 7]
    assert all_runs() == []

    user.click(view.clear_button)
    (tmp_path / "empty").mkdir()
    view.drop(tmp_path / "empty")
    user.wait(lambda: "no packed runs" in view.reads("class_notice"))
    view.drop(class_folder)
    view.widget.close()
    user.wait(lambda: not user.busy("pool"))
    view.open()
    assert not view.cancel_button.isVisible()


def test_that_the_curves_of_different_vocabularies_are_drawn_in_bits_per_byte(user, tmp_path):
    files = {}
    for kind, size in (("gpt2", 4.0), ("characters", 1.0)):
        log = [STARTED.model_copy(update={"bytes_per_token": (size, size)}), *events()[1:7]]
        files[tmp_path / f"{kind}.html"] = size
        made = folder(tmp_path / kind, kind, log, config=PRESETS["workshop"].but(vocabulary=kind))
        writing.write(reading.read(made), tmp_path / f"{kind}.html")
    view = user.class_view
    view.open()
    view.drop(*files)
    user.wait(lambda: len(view.runs) == 2)
    view.wait()
    for path, size in files.items():
        assert view.losses(path)[:3] == pytest.approx([loss / math.log(2) / size for loss in (5, 6, 7)])
    assert view.reads("class_learner_figure") == f"{5 / math.log(2) / 4:.3f} → {7 / math.log(2) / 4:.3f}"
    view.compare.scale_box.setFocus()
    view.press(Qt.Key.Key_Up)
    assert view.reads("class_learner_figure") == "5.000 → 7.000"


def test_that_different_vocabularies_without_bytes_per_token_are_drawn_in_nats(user, tmp_path):
    view = user.class_view
    view.open()
    for kind in ("gpt2", "characters"):
        made = folder(tmp_path / kind, kind, events()[:9], config=PRESETS["workshop"].but(vocabulary=kind))
        writing.write(reading.read(made), tmp_path / f"{kind}.html")
    view.drop(tmp_path / "gpt2.html", tmp_path / "characters.html")
    user.wait(lambda: len(view.runs) == 2)
    view.wait()
    assert view.losses(tmp_path / "gpt2.html")[:3] == [5, 6, 7]


def test_that_one_learner_is_emphasised_by_keys_rows_or_mouse_and_names_stay_visible(user, view, class_folder):
    assert view.standing_out() == ["Anna"]
    view.press(Qt.Key.Key_Right)
    assert view.standing_out() == ["Ben"]
    assert view.reads("class_learner_title") == "Ben"
    assert view.reads("class_learner_figure") == "5.000 → 7.000"
    for key in (Qt.Key.Key_PageDown, Qt.Key.Key_Right):  # the file that could not be read is not a learner
        view.press(key)
    assert view.standing_out() == ["Carl"]
    view.press(Qt.Key.Key_Left)
    assert view.standing_out() == ["Ben"]
    view.show_page(3)
    view.select("Anna", "Carl")
    assert view.standing_out() == ["Anna", "Carl"]
    view.show_page(0)
    view.select("Ben")
    user.wait(view.chart.isVisible)
    view.point_at(class_folder / "Anna.html")
    user.wait(lambda: view.standing_out() == ["Anna"])
    assert view.drawn() == ["Anna", "Ben", "Carl"]

    view.show_page(3)
    view.widget.resize(500, 500)
    names, bar = view.find("class_table_fixed"), view.table.horizontalScrollBar()
    user.wait(names.isVisible)
    bar.setValue(bar.maximum())
    assert names.geometry().left() <= 1
    assert names.visualRect(names.model().index(0, 0)).left() == 0
    view.sort("Name")
    assert names.model().index(0, 0).data() == view.column("Name")[0] == "Dora"


def test_that_answers_are_counted_and_samples_are_shown_beside_what_the_learner_saw(
    user, class_folder, tmp_path, study
):
    easy, hard = ("Which is larger?", "two"), ("How many heads?", "4")
    for name, first, second in (("Eva", "two", "4"), ("Finn", "two", "8"), ("Gesa", "one", "8")):
        guesses = tuple(Guess(question=question, guess=guess, answer=answer, right=guess == answer)
                        for (question, answer), guess in ((easy, first), (hard, second)))
        run = reading.read(folder(tmp_path / name, name), (LessonGuesses(lesson="Mine", guesses=guesses),))
        writing.write(run, class_folder / f"{name}.html")
    view = user.class_view
    view.open()
    view.drop(class_folder)
    view.wait()
    view.show_page(1)
    assert view.reads("class_question_title") == "How many heads?"
    assert view.reads("class_question_figure") == "1 of 3 right"
    assert view.rows() == [("✓ 4", "1"), ("8", "2")]
    view.press(Qt.Key.Key_Right)
    assert view.reads("class_question_title") == "Which is larger?"
    assert view.rows() == [("✓ two", "2"), ("one", "1")]
    view.press(Qt.Key.Key_Right)
    assert "2 of 2" in view.reads("class_question_place")
    view.press(Qt.Key.Key_Left)
    assert view.reads("class_question_title") == "How many heads?"

    run = study(steps=4)
    report = replace(reading.read(run), learner=Learner(name="Eva", words="It learned commas."))
    writing.write(report, tmp_path / "Eva.html")
    [only] = report.history.samples
    user.click(view.clear_button)
    view.drop(tmp_path / "Eva.html")
    view.wait()
    view.show_page(2)
    assert view.reads("class_samples_title") == "Eva"
    assert view.reads("class_sample_last") == only.text
    assert not view.find("class_sample_first").isVisible()
    assert view.reads("class_sample_words") == "What did you see? It learned commas."

    long = "Every effort moves you" + " you" * 140
    report.history.samples.insert(0, only.model_copy(update={"step": 1, "text": long}))
    writing.write(report, tmp_path / "Eva.html")
    user.click(view.clear_button)
    view.drop(tmp_path / "Eva.html")
    view.wait()
    assert view.reads("class_sample_first") == long
    assert view.reads("class_sample_last") == only.text
    first = view.find("class_first_scroll")
    assert first.accessibleName() == "First sample"
    unfocused = first.grab().toImage()
    for _ in range(20):
        if first.hasFocus():
            break
        view.press(Qt.Key.Key_Tab)
    assert first.grab().toImage() != unfocused
    view.widget.resize(view.widget.minimumSizeHint())
    user.wait(first.verticalScrollBar().maximum)
    view.press(Qt.Key.Key_Down)
    assert first.verticalScrollBar().value() > 0


def test_that_dropped_files_are_read_once_reading_is_cancelled_and_problems_are_shown_in_their_rows(
    user, class_folder, monkeypatch
):
    def broken(path):
        raise UserError("It is broken.")

    view = user.class_view
    view.open()
    for files in ([class_folder / "Anna.html"], [class_folder / "Carl.zip", class_folder / "Anna.html"]):
        view.drop(*files)
        view.wait()
    assert view.column("Name") == ["Anna", "Carl"]
    user.click(view.clear_button)
    assert view.runs == []
    assert view.drawn() == []
    assert (class_folder / "Anna.html").exists()
    with monkeypatch.context() as patch:
        patch.setattr(class_runs, "read_report", broken)
        view.drop(class_folder / "Anna.html")
        user.wait(lambda: len(view.runs) == 1)
        view.wait()
    assert view.column("Problem") == ["It is broken."]
    user.click(view.clear_button)

    read = class_runs.read

    def slow(path, progress):
        if path.stem == "Anna":
            return read(path, progress)
        while True:
            time.sleep(0.01)
            progress(0, 1)

    monkeypatch.setattr(report_tasks.class_runs, "read", slow)
    view.drop(class_folder)
    user.wait(lambda: len(view.runs) == 1)
    user.click(view.cancel_button)
    view.wait()
    assert view.reads("class_notice").startswith("Cancelled.")
    assert view.column("Name") == ["Anna"]


@in_chinese
def test_that_the_table_is_copied_and_saved_with_its_name_in_the_language_of_the_window(user, view, saved):
    view.show_page(3)
    user.click(view.copy_button)
    assert QGuiApplication.clipboard().text().splitlines()[0].startswith("名称\t问题\t轮数\t最低验证损失\t")
    user.click(view.export_button)
    SavedPage(user, "class").says("saved.csv")
    rows = saved.with_suffix(".csv").read_text(encoding="utf-8").splitlines()
    assert rows[0].startswith("名称,问题,轮数,最低验证损失")
    assert view.table.model().headerData(0, Qt.Orientation.Horizontal) == "名称"
