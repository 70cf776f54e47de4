"""Hand in: from the end of a run, the end of a lesson and the menu, to the folder of the class or as a code."""

import errno

import pytest
import segno
from at_the_window import in_chinese
from pages.hand_in import HandInPage, only_file
from pages.lesson import lesson_file
from PySide6.QtCore import Qt
from PySide6.QtGui import QTextDocument
from PySide6.QtWidgets import QFileDialog, QRadioButton

from gptstudio import files
from gptstudio.app import preferences
from gptstudio.gui import hand_in_dialog
from gptstudio.gui.hand_in_dialog import QUIET, best_guess
from gptstudio.gui.theme import theme
from gptstudio.gui.widgets import pdf
from gptstudio.history.guesses import Guess, Learner, LessonGuesses
from gptstudio.history.report.page import written
from gptstudio.history.run_data import LearnerData, RunData, read_report

FIRST_PAGE = "learn"

LESSON = ("""
tab = "model"
title = "Count"
[step.predict]
question = "How many heads?"
choices = ["two", "three"]
answer = "two"
""", """
tab = "model"
title = "Shrink"
check = { value = "parameters", at_most = 1 }
""")


@pytest.fixture(autouse=True)
def unnamed(monkeypatch):
    """Clear the learner's name from the preferences."""
    monkeypatch.setattr(preferences, "_now", preferences.Preferences())


@pytest.fixture
def results(tmp_path, monkeypatch):
    """The folder named in the settings of this computer."""
    place = tmp_path / "stick" / "results"
    place.mkdir(parents=True)
    file = tmp_path / "stick" / "settings.toml"
    file.write_text('hand_in = "results"', encoding="utf-8")
    monkeypatch.setenv("GPTSTUDIO_SETTINGS", str(file))
    return place


@pytest.fixture
def page(user):
    return HandInPage(user)


@pytest.fixture
def lesson_done(user, tmp_path):
    """The guide of a lesson at its end, with a right guess and a skipped goal."""
    user.window.learning.open_lesson(lesson_file(tmp_path / "mine.toml", *LESSON))
    runner = user.window.lessons.runner
    user.wait(runner.guide.next.isVisible)
    runner.guide.question.guessed.emit("two")
    for _ in LESSON:
        user.click(runner.guide.next)
    return runner.guide


def test_that_a_run_is_handed_in_after_training_by_mouse_and_keyboard(user, page, results):
    user.window.state.all_controls = False
    user.train.to_end(steps=4, eval_freq=2)
    button = user.find("finish_hand_in")
    user.wait(button.isVisible)
    assert button.property("role") == ""
    user.click(button)
    assert not page.begin.isEnabled()
    assert "name first" in page.begin.toolTip()
    user.qtbot.keyClicks(page.name, "Anna")
    page.press(Qt.Key.Key_Tab)
    user.qtbot.keyClicks(page.widget.focusWidget(), "The loss fell.")
    page.press(Qt.Key.Key_Backtab)
    page.press(Qt.Key.Key_Return)
    page.says("Handed in: Anna.html")
    found = read_report(only_file(results))
    assert (found.learner.name, found.learner.words, found.steps) == ("Anna", "The loss fell.", 4)
    assert found.samples
    page.type_name("Anna Berg")
    page.hand_in()
    assert sorted(path.name for path in results.iterdir()) == ["Anna Berg.html", "Anna.html"]
    assert preferences.read().learner == "Anna Berg"


def test_that_a_lesson_without_a_run_is_handed_in_again_and_named_in_the_class_view(user, page, results, lesson_done):
    user.click(user.find("lesson_hand_in"))
    assert "There is no run to hand in" in page.reads("hand_in_what")
    page.type_name("Anna")
    for words in ("one", "two"):
        page.words.setPlainText(words)
        page.hand_in()
        page.says("Handed in")
        found = read_report(only_file(results))
        assert found.learner.words == words
    assert not isinstance(found, RunData)
    [lesson] = found.guesses
    assert (lesson.right, [(goal.step, goal.state) for goal in lesson.goals]) == (1, [("Shrink", "skipped")])

    page.widget.close()
    view = user.class_view
    view.open()
    view.drop(results)
    user.wait(lambda: len(view.runs) == 1)
    view.wait()
    assert view.column("Name") == ["Anna"]
    assert view.column("Goals") == ["0 of 1"]
    assert view.drawn() == []


def test_that_the_newest_run_of_a_lesson_is_handed_in_or_printed(
    user, page, study_once, results, tmp_path, saved, monkeypatch
):
    first, last = study_once(title="first"), study_once(title="last")
    shown = study_once(title="shown")
    user.window.training.open_run(shown, shown.record().spec, live=False)
    user.window.learning.open_lesson(lesson_file(tmp_path / "mine.toml", *LESSON))
    runner = user.window.lessons.runner
    for run in (last, first):
        runner.note_run(run.name)
    page.open()
    assert "“shown”" in page.reads("hand_in_what")
    for _ in LESSON:
        runner.next()
    page.open()
    assert "“last”" in page.reads("hand_in_what")

    page.type_name("Anna")
    user.click(page.pdf)
    page.says("saved.pdf")
    assert saved.with_suffix(".pdf").read_bytes().startswith(b"%PDF")
    monkeypatch.setattr(QFileDialog, "getSaveFileName", lambda *args: (str(results / "none" / "a.pdf"), ""))
    user.click(page.pdf)
    page.says("Choose another location")


def test_that_without_a_run_and_a_lesson_it_explains_what_to_do_and_a_worksheet_is_saved(
    user, page, results, tmp_path, saved
):
    page.open()
    page.type_name("Anna")
    assert "nothing to hand in yet" in page.reads("hand_in_what")
    assert not page.begin.isEnabled()

    page.widget.close()
    user.window.learning.open_lesson(lesson_file(tmp_path / "mine.toml", *LESSON))
    for lesson in ("Attention from scratch", "Mine"):
        user.answer("Save…", lambda question, lesson=lesson: next(
            each for each in question.findChildren(QRadioButton) if each.text() == lesson).click())
        user.window.actions_of["worksheet"].trigger()
        user.saved.says("saved.pdf")
        assert saved.with_suffix(".pdf").read_bytes().startswith(b"%PDF")
        saved.with_suffix(".pdf").unlink()


def test_that_a_failing_stick_leads_to_the_code_and_to_another_folder(
        user, page, results, lesson_done, saved, monkeypatch):
    page.open()
    page.type_name("Anna")
    assert not page.code.isVisible()
    assert not page.other.isVisible()
    for number, words in ((errno.ENOSPC, "The disk is full"), (errno.EIO, "may have been removed")):
        with monkeypatch.context() as patch:
            def fails(*_, number=number):
                raise OSError(number, "no")

            patch.setattr(files.os, "fsync", fails)
            page.hand_in()
            page.says(words)
        assert list(results.iterdir()) == []
        assert page.code.isVisible()
    assert page.reads("hand_in_code_words").splitlines() == ["Anna", "Right guesses: 1 of 1.", "Goals reached: 0 of 1."]
    user.click(page.other)
    page.wait()
    page.says("Handed in: saved.html")
    assert read_report(saved.with_suffix(".html")).learner.name == "Anna"
    assert not page.code.isVisible()


def test_that_without_a_folder_in_the_settings_it_asks_where(user, page, lesson_done, saved):
    page.open()
    page.type_name("Anna")
    page.hand_in()
    page.says("Handed in: saved.html")
    assert read_report(saved.with_suffix(".html")).learner.name == "Anna"


@in_chinese
def test_that_the_code_is_dark_on_white_with_its_quiet_zone(user, page, results, lesson_done):
    page.open()
    page.name.setText("王小明")  # QTest has no keys for Chinese
    user.click(page.show_code)
    user.wait(page.code.isVisible)
    text = page.reads("hand_in_code_words")
    assert text.splitlines()[0] == "王小明"
    made = segno.make_qr(text, error="m", encoding="utf-8").matrix_iter(border=QUIET)
    expected = [[bool(dark) for dark in row] for row in made]
    for scheme in ("light", "dark"):
        theme.choose(scheme)
        user.rest(0.02)
        assert page.dark_modules() == expected


def guess(given: str, answer: str, right: bool | None = False) -> Guess:
    return Guess(question="?", guess=given, answer=answer, right=right)


@pytest.mark.parametrize(("made", "best"), [
    ([guess("a", "a", True), guess("b", "c")], "a"), ([guess("1", "8"), guess("7", "8"), guess("x", "y")], "7"),
    ([guess("x", "y"), guess("0", "0.1")], "0"), ([guess("", "8"), guess("5", "", None)], None),
])
def test_that_the_handout_has_a_right_guess_or_the_nearest(made, best):
    data = LearnerData(guesses=(LessonGuesses(lesson="L", guesses=tuple(made)),))
    found = best_guess(data)
    assert (found.guess if found else None) == best


def test_that_the_handout_keeps_the_lines_of_words(qapp, monkeypatch, tmp_path):
    pages = []
    monkeypatch.setattr(pdf, "save", lambda body, *_: pages.append(body))
    hand_in_dialog.save_handout(LearnerData(learner=Learner(name="Anna", words="It fell.\n  Then it rose.")), tmp_path)
    document = QTextDocument()
    document.setHtml(written(pages[0]))
    assert document.toPlainText().splitlines()[-2:] == ["It fell.", "  Then it rose."]
