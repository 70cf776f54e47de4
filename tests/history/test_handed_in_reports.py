"""Reports that are handed in: under the learner's name, complete or not at all, never over another learner's file."""

import errno
from pathlib import Path

import pytest
from reported import folder

from gptstudio import files
from gptstudio.errors import UserError
from gptstudio.files import PORTABLE
from gptstudio.history import class_runs
from gptstudio.history.guesses import Goal, Guess, Learner, LessonGuesses
from gptstudio.history.report import reading, writing
from gptstudio.history.report.reading import Reported
from gptstudio.history.run_data import LearnerData, read_report

LESSON = LessonGuesses(lesson="Losses", guesses=(Guess(question="Which?", guess="a", answer="a", right=True),), goals=(
    Goal(step="One", state="reached"), Goal(step="Two", state="skipped"), Goal(step="Three", state="open")))
FORMATS = Path(__file__).resolve().parents[1] / "formats"


@pytest.fixture
def results(tmp_path) -> Path:
    place = tmp_path / "results"
    place.mkdir()
    return place


def learner(name: str = "Anna", id: str = "aa", words: str = "") -> Learner:
    return Learner(name=name, id=id, words=words)


def handed_in(who: Learner, results: Path) -> Path:
    return writing.hand_in(Reported(guesses=(LESSON,), learner=who), results)


@pytest.mark.parametrize(("name", "file"), [
    ("Anna", "Anna"), ("  Anna \t Berg ", "Anna Berg"), ("王小明", "王小明"),
    ("a/b\\c:d", "a_b_c_d"), ("../../etc", "_.._etc"),
    ("Zoë 🦊", "Zoë"), ("🦊", "learner"), ("...", "learner"), ("", "learner"), ("CON", "_CON"),
    ("lpt1.txt", "_lpt1.txt"),
    ("\u202eevil\u2066", "evil"), ("Anna.", "Anna"), (".hidden", "hidden"), ("\ud83d x", "x"), ("e\u0301", "é"),
    ("x" * 200, "x" * 60), ("王" * 200, "王" * 40),
])
def test_that_any_name_makes_a_file_name_that_is_valid_on_every_system(name, file):
    assert writing.file_stem(name) == file
    assert PORTABLE.fullmatch(f"{file}.html")


def test_that_the_name_is_complete_in_the_report_and_in_the_row_of_the_class(results):
    name = "A/n\u202ena 🦊" + "x" * 150
    path = handed_in(learner(name), results)
    assert read_report(path).learner.name == name
    assert class_runs.read(path).name == name.replace("\u202e", "\ufffd")


def test_that_a_learner_replaces_their_own_file_and_no_other(results):
    first = handed_in(learner(words="one"), results)
    again = handed_in(learner(words="two"), results)
    other = handed_in(learner(id="bb"), results)
    assert [path.name for path in (first, again, other)] == ["Anna.html", "Anna.html", "Anna (2).html"]
    assert handed_in(learner(id="bb", words="three"), results) == other
    assert [read_report(path).learner.words for path in (first, other)] == ["two", "three"]
    assert sorted(path.name for path in results.iterdir()) == ["Anna (2).html", "Anna.html"]


def test_that_a_file_that_is_no_report_is_left_alone(results):
    (results / "Anna.html").write_text("mine")
    assert handed_in(learner(), results).name == "Anna (2).html"
    assert (results / "Anna.html").read_text() == "mine"


def test_that_two_learners_who_hand_in_at_the_same_time_get_two_files(results, monkeypatch):
    """The other learner takes the name after this one has found it free."""
    write = files.write_whole

    def late(path, data, new=False):
        if path.name == "Anna.html" and not path.exists():
            write(path, b"other", new)
        write(path, data, new)

    monkeypatch.setattr(files, "write_whole", late)
    assert handed_in(learner(), results).name == "Anna (2).html"
    assert (results / "Anna.html").read_bytes() == b"other"


@pytest.mark.parametrize(("number", "words"), [
    (errno.ENOSPC, "The disk is full"), (errno.EROFS, "read-only"), (errno.EACCES, "read-only"),
    (errno.EIO, "may have been removed"), (errno.ENODEV, "may have been removed"), (errno.ETIMEDOUT, "timed out"),
])
@pytest.mark.parametrize("at", ["fsync", "replace"])
def test_that_a_failing_disk_is_reported_with_a_message_and_the_old_file_stays(results, monkeypatch, number, words, at):
    handed_in(learner(words="one"), results)

    def fails(*_):
        raise OSError(number, "timed out")

    monkeypatch.setattr(files.os, at, fails)
    for who in (learner(words="two"), learner("Ben")):
        with pytest.raises(UserError, match=rf"Not handed in.*{words}.*Try again, choose another folder"):
            handed_in(who, results)
    assert [path.name for path in results.iterdir()] == ["Anna.html"]
    assert read_report(results / "Anna.html").learner.words == "one"


def test_that_a_missing_folder_is_reported(tmp_path):
    with pytest.raises(UserError, match="The folder is not there any more"):
        handed_in(learner(), tmp_path / "stick" / "results")
    assert not (tmp_path / "stick").exists()


def cells(runs: list[class_runs.ClassRun]) -> dict[str, list[str]]:
    return {str(column.heading): [str(cell.text) for cell in column.cells] for column in class_runs.columns(runs)}


def test_that_a_class_shows_names_goals_and_answers_and_reads_older_reports(tmp_path, results):
    run = reading.read(folder(tmp_path / "run"), (LESSON,), learner=learner(words="It fell.\nThen it rose."))
    writing.hand_in(run, results)
    handed_in(learner(id="bb"), results)
    (results / "old.html").write_bytes((FORMATS / "report-1.html").read_bytes())
    (results / "torn.html").write_text("torn")
    runs = class_runs.with_names([class_runs.read(path) for path in class_runs.files_in([results])])
    found = cells(runs)
    assert found["Name"] == ["Anna (Anna (2).html)", "Anna (Anna.html)", "The first run", "torn"]
    assert list(found)[1] == "Problem"
    assert [bool(each) for each in found["Problem"]] == [False, False, False, True]
    assert found["Goals"] == ["1 of 3", "1 of 3", "–", "–"]
    assert found["Guesses"][:2] == ["1 of 1", "1 of 1"]
    assert found["What did you see?"] == ["", "It fell.\nThen it rose.", "", ""]
    assert found["Best validation loss"][:2] == ["–", "5.000"]
    assert [run.data is None for run in runs] == [True, False, False, True]
    assert isinstance(runs[0].found, LearnerData)
