"""The imported models, and exporting models, through the window."""

import json
import re
import sys
from pathlib import Path
from typing import get_args

import pytest
import torch
from at_the_window import in_chinese
from messages import message
from pages.dialogs import offered
from pages.page import column
from PySide6.QtCore import Qt
from PySide6.QtGui import QDesktopServices
from PySide6.QtWidgets import QFileDialog, QLineEdit, QScrollArea

from gptstudio.gpt import sizing
from gptstudio.gpt.config import GPTConfig
from gptstudio.gui.weights import model_dialogs
from gptstudio.gui.widgets.tables import rows_of
from gptstudio.training import imported_models
from gptstudio.training.model_source import ImportedModel, LiveModel, UntrainedModel, config_of
from gptstudio.weights_io import importing
from gptstudio.weights_io.exporting import FORMATS
from gptstudio.weights_io.inspection import Kind

FIRST_PAGE = "generate"
ALL_WORDS = True

TINY = GPTConfig(context_length=16, emb_dim=32, n_heads=4, n_layers=1)
NAME, PARAMETERS, KIND, FROM, SIZE = range(5)
"""Columns of the table of imported models."""
HAN = re.compile("[\u4e00-\u9fff]")


@pytest.fixture
def imported_model(home, tmp_path):
    """Return a function that imports a tiny model in the format of the book's code or of Hugging Face."""

    def make(name: str, book: bool = True) -> ImportedModel:
        export = FORMATS["book" if book else "huggingface"].export
        path = export(UntrainedModel(TINY), tmp_path / f"{name}{'.pth' if book else ''}")
        return importing.import_weights(importing.inspect(path, TINY.n_heads), name)

    return make


@pytest.fixture
def listed(user):
    """Return a function that opens the list of models."""

    def open_it():
        user.dialogs.choose("models")
        dialog = user.dialogs.models
        user.wait(lambda: not dialog.busy)
        return dialog

    return open_it


@pytest.fixture
def export(user, tmp_path, monkeypatch):
    """Return a function that opens the export dialog, which proposes a folder of this test's."""
    monkeypatch.setattr(Path, "home", lambda: tmp_path / "home")
    (tmp_path / "home").mkdir()

    def open_it():
        user.dialogs.choose("export")
        return user.dialogs.exports

    return open_it


def names(dialog) -> list[str]:
    return column(dialog.table, "Name")


def write(user, dialog) -> None:
    user.click(dialog.write)
    user.wait(lambda: not dialog.busy)


# The list.


def test_that_the_list_leads_to_sources_describes_each_model_and_the_trash_takes_one_only_after_a_question(
    user, listed, monkeypatch, imported_model, home
):
    # Without models, the list leads to their sources.
    dialog = listed()
    assert message("none_yet") in dialog.where.text()
    assert not dialog.table.isVisible()
    assert not dialog.talk.isVisible()
    asked = []
    monkeypatch.setattr(QFileDialog, "getOpenFileName", lambda *what: asked.append(what) or ("", ""))
    user.click(dialog.open_file)
    assert len(asked) == 1
    assert not dialog.isVisible()

    # A line for each model.
    imported_model("from the book")
    imported_model("from the hub", book=False)
    dialog = listed()
    user.wait(lambda: dialog.table.rowCount() == 2)
    rows = {row[NAME]: row for row in list(rows_of(dialog.table))[1:]}
    assert set(rows) == {"from the book", "from the hub"}
    biased = TINY.but(qkv_bias=True)  # Hugging Face has no model without it
    assert rows["from the book"][PARAMETERS] == f"{sizing.parameter_count(TINY):,}"
    assert rows["from the hub"][PARAMETERS] == f"{sizing.parameter_count(biased):,}"
    assert (rows["from the book"][KIND], rows["from the book"][FROM]) == ("the book's code", "from the book.pth")
    assert (rows["from the hub"][KIND], rows["from the hub"][FROM]) == ("Hugging Face", "from the hub")
    assert model_dialogs.KINDS.keys() == set(get_args(Kind)), "each kind has a name"

    dialog.table.selectRow(names(dialog).index("from the book"))
    user.answer("Cancel")
    user.click(dialog.trash)
    assert sorted(names(dialog)) == ["from the book", "from the hub"]
    user.answer("Move to trash")
    user.click(dialog.trash)
    user.wait(lambda: names(dialog) == ["from the hub"])
    assert [path.name for path in imported_models.all_models()] == ["from the hub"]
    if sys.platform == "linux":
        assert (home / "Trash" / "files" / "from the book" / "model.safetensors").is_file()


def test_that_a_model_of_the_list_is_renamed_a_used_name_is_refused_and_it_writes(user, imported_model, listed):
    imported_model("old")
    dialog, changed = listed(), []
    dialog.changed.connect(lambda: changed.append(True))
    user.click(dialog.rename)
    field = dialog.table.findChild(QLineEdit)
    field.selectAll()
    user.qtbot.keyClicks(field, "new name")
    user.qtbot.keyClick(field, Qt.Key.Key_Return)
    user.wait(lambda: changed)
    assert names(dialog) == [path.name for path in imported_models.all_models()] == ["new name"]
    assert changed == [True]
    assert dialog.isVisible()  # Enter applied to the field

    dialog.reject()
    imported_model("one")
    model = imported_model("two")
    dialog = listed()
    user.wait(lambda: "two" in names(dialog))
    row = names(dialog).index("one")
    dialog.table.item(row, NAME).setText("two")
    user.wait(lambda: dialog.refusal.isVisible() and not dialog.busy)
    assert "'two' already" in dialog.refusal.notice.text()
    assert sorted(names(dialog)) == ["new name", "one", "two"]
    assert dialog.refusal.isVisible()

    dialog.table.selectRow(names(dialog).index("two"))
    user.click(dialog.talk)
    assert user.current == "generate"
    assert user.generate.source == model


@in_chinese
def test_that_the_dialogs_are_in_chinese(user, imported_model, listed, export):
    imported_model("mine")
    models, exports = listed(), export()
    parts = (models.title, models.where, models.rename, models.talk, exports.about, exports.room, exports.write)
    row = list(rows_of(models.table))[1]
    for words in (*(part.text() for part in parts), row[KIND], exports.format.button(1).text()):
        assert HAN.search(words), words
    assert row[NAME] == "mine"


# Exporting.


def test_that_the_chosen_model_is_exported_for_the_book_but_not_one_in_training(user, export, tmp_path, monkeypatch):
    source = user.train.to_end(steps=2)
    dialog = export()
    assert dialog.source == source
    user.click(dialog.format.button(1))
    target = Path(dialog.path.text())
    assert target.parent == tmp_path / "home"
    assert target.suffix == ".pth"
    write(user, dialog)
    assert dialog.outcome.text() == f"Saved {target}"
    found = importing.inspect(target, config_of(source).n_heads)
    assert found.config == config_of(source).but(drop_rate=found.config.drop_rate)
    assert torch.load(target, weights_only=True)["tok_emb.weight"].shape == (50_257, 16)
    opened = []
    monkeypatch.setattr(QDesktopServices, "openUrl", opened.append)
    user.click(dialog.show_it)
    assert [url.toLocalFile() for url in opened] == [str(tmp_path / "home")]

    user.train.begin(steps=50_000, eval_freq=1000)
    dialog = export()
    assert any(isinstance(each, LiveModel) for each in user.generate.sources)
    assert not any(isinstance(each, LiveModel) for each in offered(dialog))
    assert dialog.source
    user.click(dialog.close_button)
    user.train.stop()


def test_that_a_model_is_exported_as_a_hugging_face_folder_and_a_cleared_path_is_restored(
    user, imported_model, export, monkeypatch
):
    model = imported_model("mine")
    user.generate.open_model(model.path)
    dialog = export()
    assert dialog.source == model
    assert Path(dialog.path.text()).name == "mine"
    write(user, dialog)
    folder = Path(dialog.path.text())
    assert json.loads((folder / "config.json").read_text(encoding="utf-8"))["model_type"] == "gpt2"
    assert importing.inspect(folder).config.emb_dim == TINY.emb_dim

    dialog, proposed = export(), []
    user.click(dialog.format.button(1))
    target = dialog.path.text()
    monkeypatch.setattr(QFileDialog, "getSaveFileName", lambda *asked, **_: proposed.append(asked[2]) or (asked[2], ""))
    dialog.path.clear()
    user.click(dialog.choose)
    assert proposed == [dialog.path.text()] == [target]


def test_that_nothing_is_replaced_without_a_notice_and_a_folder_with_other_content_is_left_unchanged(
    user, export, tmp_path, monkeypatch
):
    diary = tmp_path / "diary.pth"
    diary.write_text("Dear diary", encoding="utf-8")
    dialog = export()
    before = dialog.height()
    user.click(dialog.format.button(1))
    dialog.path.setText(str(diary))
    assert message("whatever_holds") in dialog.there.text()
    assert dialog.height() > before
    assert dialog.findChild(QScrollArea).verticalScrollBar().maximum() == 0

    (tmp_path / "photos").mkdir()
    (tmp_path / "photos" / "sea.jpg").write_bytes(b"\xff\xd8")
    user.click(dialog.format.button(0))
    dialog.path.setText(str(tmp_path / "photos"))
    write(user, dialog)
    assert dialog.refusal.isVisible()
    assert len(dialog.refusal.notice.text().split()) > 8
    assert [path.name for path in (tmp_path / "photos").iterdir()] == ["sea.jpg"]

    dialog = export()
    write(user, dialog)
    dialog = export()
    assert dialog.there.isVisible()
    assert dialog.write.text() == "Replace"
    first = (Path(dialog.path.text()) / "model.safetensors").stat().st_ino
    write(user, dialog)
    assert not dialog.refusal.isVisible(), dialog.refusal.notice.text()
    assert (Path(dialog.path.text()) / "model.safetensors").stat().st_ino != first

    dialog = export()
    monkeypatch.setattr(QFileDialog, "getExistingDirectory", lambda *asked: str(tmp_path))
    user.click(dialog.choose)
    assert Path(dialog.path.text()) == tmp_path / "untrained"
    dialog.path.setText(" ")
    assert not dialog.write.isEnabled()


@pytest.mark.parametrize("typed", ["letters", "~nobody-here/letters"])
def test_that_a_relative_path_is_in_the_folder_of_the_preferences(user, export, tmp_path, monkeypatch, typed):
    elsewhere = tmp_path / "elsewhere"
    elsewhere.mkdir()
    monkeypatch.chdir(elsewhere)
    monkeypatch.setattr(model_dialogs, "export_folder", lambda: tmp_path / "mine")
    dialog = export()
    dialog.path.setText(typed)
    write(user, dialog)
    assert (tmp_path / "mine" / typed / "model.safetensors").is_file(), dialog.refusal.notice.text()
    assert list(elsewhere.iterdir()) == []
