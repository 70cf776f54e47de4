"""Saving a file: under the complete typed name, with the right ending, replacing no file without a question;
and the notice about it."""

from pathlib import Path

import pytest
from PySide6.QtCore import QPoint
from PySide6.QtGui import QAction, QDesktopServices
from PySide6.QtWidgets import QFileDialog, QWidget

from gptstudio.app.preferences import export_folder
from gptstudio.gui import save_as


@pytest.fixture
def ask(qtbot, monkeypatch, tmp_path):
    """Return a function that asks for a file in a folder, where this name is typed and this kind chosen."""
    over, asked = QWidget(), []
    qtbot.addWidget(over)
    monkeypatch.setattr(save_as, "confirmed", lambda *words: asked.append(words[3]) or False)

    def ask(typed: str, kind: str = "", *others: str):
        answer = str(tmp_path / typed) if typed else ""
        monkeypatch.setattr(QFileDialog, "getSaveFileName", lambda *_: (answer, kind))
        return save_as.ask_where(over, "table.csv", *others), asked

    return ask


@pytest.mark.parametrize(("typed", "saved"), [
    ("table", "table.csv"), ("table.csv", "table.csv"), ("TABLE.CSV", "TABLE.CSV"), ("rate 0.5", "rate 0.5.csv"),
    ("v1.2 of mine", "v1.2 of mine.csv"), ("table.txt", "table.txt.csv"),
])
def test_that_a_name_with_a_dot_is_kept_and_a_missing_ending_is_added(ask, tmp_path, typed, saved):
    assert ask(typed)[0] == tmp_path / saved


def test_that_the_chosen_kind_gives_the_ending(ask, tmp_path):
    assert ask("picture", "Vector drawing (*.svg)", ".svg")[0] == tmp_path / "picture.svg"
    assert ask("picture.svg", "Table (*.csv)", ".svg")[0] == tmp_path / "picture.svg"


def test_that_a_file_that_the_dialog_did_not_ask_about_is_not_replaced_without_a_question(ask, tmp_path):
    (tmp_path / "table.csv").write_text("mine", encoding="utf-8")
    path, asked = ask("table")
    assert path is None
    assert asked == ["table.csv already exists. Replace it?"]
    assert ask("table.csv")[0] == tmp_path / "table.csv", "the dialog has asked about this name itself"


def test_that_cancel_saves_nothing(ask):
    assert ask("")[0] is None


def test_that_the_last_folder_is_proposed_while_it_exists(ask, monkeypatch, tmp_path, qtbot):
    (tmp_path / "lesson").mkdir()
    ask("lesson/one.csv")
    proposed, over = [], QWidget()
    qtbot.addWidget(over)
    monkeypatch.setattr(QFileDialog, "getSaveFileName", lambda *words: proposed.append(words[2]) or ("", ""))
    save_as.ask_where(over, "two.csv")
    (tmp_path / "lesson").rmdir()
    save_as.ask_where(over, "two.csv")
    monkeypatch.setattr(save_as, "export_folder", lambda: tmp_path)
    save_as.ask_where(over, "two.csv")
    assert proposed == [
        str(tmp_path / "lesson" / "two.csv"), str(export_folder() / "two.csv"), str(tmp_path / "two.csv")]


# The notice about it.


@pytest.fixture
def opened(monkeypatch) -> list[str]:
    """The folders that the file manager was asked to show."""
    folders: list[str] = []
    monkeypatch.setattr(QDesktopServices, "openUrl", lambda url: folders.append(url.toLocalFile()))
    return folders


@pytest.fixture
def place(monkeypatch, tmp_path) -> Path:
    """The folder that is chosen for every file, under the proposed name."""
    folder = tmp_path / "exports"
    folder.mkdir()
    monkeypatch.setattr(QFileDialog, "getSaveFileName", lambda over, title, proposed, kinds: (
        str(folder / Path(proposed).name), ""))
    return folder


def save_text(user) -> None:
    user.generate.write(3)
    user.window.findChild(QAction, "strip_save_csv").trigger()


def save_tree(user) -> None:
    user.generate.write(3)
    user.window.generate.branches.export_requested.emit()


def save_lab(user) -> None:
    user.go_to("learn")
    user.learn.open("attention")
    user.wait(lambda: not user.window.learn.current.waiting)
    user.find("lab_attention_save").menu().actions()[0].trigger()


def save_curves(user) -> None:
    user.go_to("train")
    chart = user.window.train.view.charts.loss
    chart.box.clicked_right.emit(QPoint())
    user.find(f"{chart.plot.objectName()}_menu").actions()[-1].trigger()


def save_report(user) -> None:
    user.train.to_end(steps=2)
    user.window.actions_of["run_report"].trigger()


def test_that_the_window_shows_what_was_saved_and_opens_its_folder(user, place, opened):
    for save in (save_text, save_tree, save_lab, save_curves, save_report):
        save(user)
        user.saved.says("Saved ")
        (file,) = place.iterdir()
        assert user.saved.words.startswith(f"Saved {file}")
        user.click(user.find(f"{user.saved.name}_saved_show"))
        assert opened == [str(place)]
        user.saved.close()
        assert user.saved.words == ""
        file.unlink()
        opened.clear()

    place.rmdir()
    place.write_text("a file in the place of the folder")
    save_tree(user)
    user.wait(lambda: user.reads("generate_notice"))
    assert user.saved.words == "", "what cannot be written"
