"""Where a file is saved: the whole name that was typed, with the right ending, and no other file unasked."""

import pytest
from PySide6.QtWidgets import QFileDialog, QWidget

from gptstudio.app.preferences import export_folder
from gptstudio.gui.widgets import save_as


@pytest.fixture
def ask(qtbot, monkeypatch, tmp_path):
    """Asks for a file in a folder, where this name is typed, and this kind chosen."""
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
def test_that_a_name_with_a_point_keeps_all_of_it_and_an_ending_is_added_where_it_lacks(ask, tmp_path, typed, saved):
    assert ask(typed)[0] == tmp_path / saved


def test_that_the_chosen_kind_gives_the_ending(ask, tmp_path):
    assert ask("picture", "Vector drawing (*.svg)", ".svg")[0] == tmp_path / "picture.svg"
    assert ask("picture.svg", "Table (*.csv)", ".svg")[0] == tmp_path / "picture.svg"


def test_that_a_file_that_the_dialog_has_not_asked_about_is_not_replaced_unasked(ask, tmp_path):
    (tmp_path / "table.csv").write_text("mine", encoding="utf-8")
    path, asked = ask("table")
    assert path is None
    assert asked == ["table.csv already exists. Replace it?"]
    assert ask("table.csv")[0] == tmp_path / "table.csv", "the dialog has asked about this name itself"


def test_that_cancel_saves_nothing(ask):
    assert ask("")[0] is None


def test_that_the_folder_of_last_time_is_proposed_as_long_as_it_is_there(ask, monkeypatch, tmp_path, qtbot):
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
