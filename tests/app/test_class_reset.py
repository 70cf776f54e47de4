"""Resetting a laptop for the next class: the files of the previous class move to a zip or the trash, and all others
stay."""

import os
import zipfile

import pytest
from disks import disk_is_full

from gptstudio import paths
from gptstudio.app import class_reset, preferences
from gptstudio.errors import UserError

pytestmark = pytest.mark.usefixtures("few_tokens")


@pytest.fixture
def left(home, study):
    """The files that a class leaves, and a text and preferences, which stay."""
    study("runs/one")
    mine = '{"folder": "mine", "learner": "Anna"}'
    for path, text in ((paths.session(), "{}"), (paths.lesson_progress(), "{}"), (paths.preferences(), mine),
                       (paths.texts() / "mine.txt", "mine")):
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text)
    return {file.relative_to(home).as_posix(): file.read_bytes() for file in paths.runs().rglob("*") if file.is_file()}


def test_that_the_zip_has_all_files_of_the_class_and_other_files_stay(home, left, tmp_path):
    stick = tmp_path / "stick"
    stick.mkdir()
    os.utime(paths.session(), (0, 0))  # an empty battery sets the clock of a laptop to 1970
    work = class_reset.find()
    assert work.runs == 1
    path = class_reset.pack(work, stick)
    class_reset.remove(work, path)
    with zipfile.ZipFile(path) as archive:
        packed = {name: archive.read(name) for name in archive.namelist()}
    kept = {name: data for name, data in left.items() if not name.endswith("/lock")}
    assert packed == {**kept, "session.json": b"{}", "lessons.json": b"{}"}
    assert not paths.runs().exists()
    assert not paths.session().exists()
    assert (paths.texts() / "mine.txt").read_text() == "mine"
    assert preferences.read().learner == ""
    assert preferences.read().folder == "mine"


def test_that_a_second_class_of_a_day_has_a_separate_zip(left, tmp_path):
    work = class_reset.find()
    assert class_reset.pack(work, tmp_path) != class_reset.pack(work, tmp_path)
    assert len(list(tmp_path.glob("*.zip"))) == 2


def test_that_a_missing_stick_is_named_and_a_full_one_changes_nothing(home, left, tmp_path, monkeypatch):
    with pytest.raises(UserError, match="gone"):
        class_reset.pack(class_reset.find(), tmp_path / "gone")
    monkeypatch.setattr(zipfile.ZipFile, "write", disk_is_full)
    with pytest.raises(UserError, match="Nothing was removed"):
        class_reset.pack(class_reset.find(), tmp_path)
    assert list(tmp_path.glob("*.zip")) == list(tmp_path.glob(".*.tmp")) == []
    assert (home / next(iter(left))).exists()


def test_that_a_run_that_is_not_in_the_zip_stays(left, study, tmp_path):
    stick = tmp_path / "stick"
    stick.mkdir()
    work = class_reset.find()
    path = class_reset.pack(work, stick)
    later = study(paths.runs() / "later").folder
    paths.session_text().write_text("{}")  # by closing the window
    class_reset.remove(work, path)
    assert not paths.session_text().exists()
    assert [each.name for each in paths.runs().iterdir()] == ["later"]
    assert later.newest_checkpoint()
