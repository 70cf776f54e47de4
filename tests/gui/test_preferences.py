"""Preferences: applied at once, kept for the next start, and replaced by the defaults if the file is damaged."""

import os
from pathlib import Path

import pytest
from disks import disk_is_full
from PySide6.QtCore import Qt
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QComboBox, QFileDialog, QMessageBox

from gptstudio import paths
from gptstudio.app import preferences
from gptstudio.app.preferences import Preferences, export_folder
from gptstudio.gui import language as language_module
from gptstudio.gui.language import language
from gptstudio.gui.runs import run_list
from gptstudio.gui.theme import theme
from gptstudio.units import bytes_text

FIRST_PAGE = "generate"


@pytest.fixture(autouse=True)
def usual(monkeypatch):
    monkeypatch.delenv("OMP_NUM_THREADS", raising=False)
    yield
    preferences._use(Preferences())  # noqa: SLF001 - for the tests after this


@pytest.fixture
def dialog(user):
    user.press(Qt.Key.Key_Comma, Qt.KeyboardModifier.ControlModifier)
    user.wait(lambda: user.find("preferences_units").isVisible())
    return user.find("preferences_units").window()


def choose(box: QComboBox, value: object) -> None:
    box.setCurrentIndex(box.findData(value))
    box.activated.emit(box.currentIndex())


def test_that_the_language_of_the_next_start_and_all_preferences_are_kept_and_a_damaged_file_is_ignored(
    user, dialog, monkeypatch, home
):
    # A language is chosen unless it is refused.
    monkeypatch.setattr(language_module, "has_chinese_font", lambda: True)
    choose(dialog.language, "zh_CN")
    assert (language.code, language.next) == ("en", "zh_CN")
    assert user.window.actions_of["language_zh_CN"].isChecked()
    choose(dialog.language, "en")
    monkeypatch.setattr(language_module, "has_chinese_font", lambda: False)
    monkeypatch.setattr(QMessageBox, "information", lambda *words: None)
    choose(dialog.language, "zh_CN")
    assert (language.next, dialog.language.currentData()) == ("en", "en")

    # The other preferences.
    monkeypatch.setattr(QFileDialog, "getExistingDirectory", lambda *args: str(home))
    QTest.mouseClick(dialog.folder, Qt.MouseButton.LeftButton)
    choose(dialog.autosave, 0)
    choose(dialog.text, "story")
    dialog.motion.click()
    dialog.threads.setValue(3)
    preferences._use(Preferences())  # noqa: SLF001 - as at another start
    found = preferences.read()
    assert found == Preferences(folder=str(home), autosave_s=0, text="story", reduced_motion=True, threads=3)
    assert export_folder() == home
    assert os.environ["OMP_NUM_THREADS"] == "3"
    for content in (b"", b"{", b'{"threads": "3"}', b'{"units": "furlong"}', b"[" * 100_000):
        paths.preferences().write_bytes(content)
        assert preferences.read() == Preferences()
    assert export_folder() == Path.home()


def test_that_preferences_changed_in_another_window_or_on_a_full_disk_are_kept(home, monkeypatch):
    preferences.change(units="iec")
    paths.preferences().write_text(Preferences(units="iec", threads=3, learner_id="a1").model_dump_json())
    with monkeypatch.context() as full:
        full.setattr("gptstudio.files.write_whole", disk_is_full)
        preferences.change(text="story")
    assert preferences.learner_id() == "a1"
    preferences.change(autosave_s=60)
    assert preferences.read() == Preferences(units="iec", threads=3, learner_id="a1", text="story", autosave_s=60)


def test_that_the_sizes_of_runs_are_painted_in_the_new_units_at_once(user, dialog, study_once, monkeypatch):
    study_once(steps=2)
    user.go_to("runs")
    user.wait(lambda: user.runs.listed_runs)
    user.rest(0.2)
    painted = []
    monkeypatch.setattr(run_list, "size", lambda count: painted.append(bytes_text(count)) or painted[-1])
    choose(dialog.units, "iec")
    user.wait(lambda: any(each.endswith("iB") for each in painted))


def test_that_units_theme_and_text_size_apply_at_once(user, dialog):
    before = user.reads("weights_size")
    assert before.endswith("MB")
    choose(dialog.units, "iec")
    user.wait(lambda: user.reads("weights_size").endswith("MiB"))
    assert bytes_text(2**20) == "1.0 MiB"
    assert bytes_text(5_300) == "5.2 KiB"
    choose(dialog.units, "decimal")
    assert bytes_text(2.5e9) == "2.5 GB"
    assert bytes_text(999_000_000) == "999.0 MB"
    assert bytes_text(5_300) == "5.3 kB"

    choose(dialog.theme, "dark")
    assert theme.scheme == "dark"
    dialog.text_size.setValue(30)
    assert theme.zoom == pytest.approx(1.5)
    assert user.reads("preferences_percent") == "150 %"
    user.window.actions_of["text_usual"].trigger()
    assert dialog.text_size.value() == 20
