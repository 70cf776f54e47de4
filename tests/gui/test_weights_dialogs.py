"""Imported weights through the window: opened, dropped, refused, imported, trained and generated with."""

import re
import time
from pathlib import Path

import pytest
import torch
from at_the_window import in_chinese
from messages import message
from pages.dialogs import figures_of
from pages.painted import drop
from PySide6.QtCore import Qt
from PySide6.QtGui import QGuiApplication
from PySide6.QtWidgets import QFileDialog, QScrollArea, QWidget
from safetensors.torch import load_file, save_file

from gptstudio import paths
from gptstudio.app.tasks import Task
from gptstudio.gpt.config import GPTConfig
from gptstudio.gpt.tokenizer import Characters
from gptstudio.gui.theme import theme
from gptstudio.gui.weights.dialogs import holds_weights
from gptstudio.training.events import Ended, RunStarted
from gptstudio.training.model_source import ImportedModel, UntrainedModel, config_of, load, tokenizer_of
from gptstudio.weights_io import stored_tensors
from gptstudio.weights_io.exporting import FORMATS

FIRST_PAGE = "generate"

BOOK = GPTConfig(context_length=16, emb_dim=32, n_heads=4, n_layers=2)
PUBLISHED = BOOK.but(qkv_bias=True, tie_weights=True)
HAN = re.compile("[\u4e00-\u9fff]")


@pytest.fixture
def book_file(tmp_path) -> Path:
    """A state dict as the book's code saves it, of a model with four heads."""
    return FORMATS["book"].export(UntrainedModel(BOOK), tmp_path / "of the book.pth")


@pytest.fixture
def hub_folder(tmp_path) -> Path:
    """A folder as Hugging Face saves it."""
    return FORMATS["huggingface"].export(UntrainedModel(PUBLISHED), tmp_path / "tiny-gpt2")


@pytest.fixture
def slow_disk(monkeypatch) -> None:
    """Slow down the reading of a file, piece by piece."""
    usual = Task.report

    def slowly(task, done, total):
        time.sleep(0.02)
        usual(task, done, total)

    monkeypatch.setattr(Task, "report", slowly)
    monkeypatch.setattr(stored_tensors, "PIECE", 2**15)


@pytest.fixture
def background(user):
    """Return a function that opens a file or folder in the window, and returns the dialog after the inspection."""

    def look(path: Path):
        dialog = user.dialogs.opening
        dialog.look_at(path)
        user.wait(lambda: not dialog.busy)
        return dialog

    return look


def shown(dialog) -> dict[str, str]:
    """Return the visible figures and facts of the dialog."""
    figures = figures_of(dialog)
    return figures | {name: value.text() for name, value in dialog.facts.values.items() if value.isVisible()}


def import_weights(user, dialog) -> ImportedModel:
    user.click(dialog.begin)
    user.wait(lambda: not dialog.busy)
    assert dialog.imported, dialog.refusal.notice.text()
    return dialog.imported


def left_behind() -> list[str]:
    """Return the names of all entries in the folder of models, including hidden ones."""
    return sorted(path.name for path in paths.models().iterdir()) if paths.models().is_dir() else []


# Opening.


def test_that_a_file_of_the_book_is_imported_through_the_menu_and_writes(user, book_file, monkeypatch):
    monkeypatch.setattr(QFileDialog, "getOpenFileName", lambda *asked: (str(book_file), ""))
    user.dialogs.choose("open_file")
    dialog = user.dialogs.opening
    user.wait(lambda: not dialog.busy)
    facts = shown(dialog)
    assert (facts["layers"], facts["width"], facts["context"], facts["vocabulary"]) == ("2", "32", "16", "50,257")
    assert facts["stored"] == "fp32"
    assert facts["kept"] == str(paths.models())
    assert facts["path"] == str(book_file)
    assert dialog.choice.isVisible()  # no tensor shows the number of heads
    assert "1 is the most likely" in dialog.why.text()  # 32 numbers are half the size of OpenAI's heads
    assert [dialog.heads.itemData(n) for n in range(dialog.heads.count())] == [1, 2, 4, 8, 16, 32]
    for _ in range(2):
        user.qtbot.keyClick(dialog.heads, Qt.Key.Key_Down)
    assert dialog.heads.currentText() == "4, width 8 each"
    assert shown(dialog)["heads"] == "4"
    imported = import_weights(user, dialog)
    assert config_of(imported) == BOOK
    assert left_behind() == ["of the book"]
    user.click(dialog.talk)
    assert not dialog.isVisible()
    assert user.generate.source == imported
    ids = torch.tensor([[15, 1026, 7]])
    here = user.panel.device
    with torch.no_grad():
        assert torch.equal(load(imported, here)(ids), load(UntrainedModel(BOOK), here)(ids))
    user.generate.write(4)
    [ended] = user.received(Ended)
    assert ended.outcome == "finished"


def test_that_a_folder_is_opened_its_tensors_are_reported_and_a_run_begins_with_the_imported_weights(
    user, hub_folder, monkeypatch, background
):
    monkeypatch.setattr(QFileDialog, "getExistingDirectory", lambda *asked: str(hub_folder))
    user.dialogs.choose("open_folder")
    user.wait(lambda: not user.dialogs.opening.busy)
    assert user.dialogs.opening.kind.text() == message("gpt_hugging_face")
    assert user.dialogs.opening.name.text() == "tiny-gpt2"
    assert "tied" in shown(user.dialogs.opening)["parameters"]

    file = hub_folder / "model.safetensors"
    assert not background(hub_folder).left_out.isVisible()
    heads = {f"multiple_choice_head.summary{n}.weight": torch.ones(1, BOOK.emb_dim) for n in range(6)}
    save_file(load_file(file) | heads, file)
    dialog = background(hub_folder)
    assert dialog.left_out.text() == (
        "Left out, since a language model does not need them: "
        + ", ".join(f"multiple_choice_head.summary{n}.weight" for n in range(4)) + ", 2 more.")
    assert dialog.left_out.isVisible()

    save_file({name: tensor.half() for name, tensor in load_file(file).items()}, file, {"format": "pt"})
    dialog = background(file)
    assert shown(dialog)["stored"] == "fp16; saved as fp32"
    imported = import_weights(user, dialog)
    assert {tensor.dtype for tensor in load_file(imported.path / "model.safetensors").values()} == {torch.float32}

    dialog = background(hub_folder)
    assert not dialog.choice.isVisible()  # config.json contains the number
    imported = import_weights(user, dialog)
    user.click(dialog.train)
    user.train.use_text("story")
    for name, value in {"steps": 2, "sample_tokens": 0, "precision": "fp32"}.items():
        user.train.set(**{name: value})
    user.wait(lambda: user.train.looked and user.train.start_button.isEnabled())
    user.train.start()
    user.wait(lambda: user.received(Ended))
    assert user.received(Ended)[0].outcome == "finished"
    assert user.received(RunStarted)
    assert user.train.run.record().spec.init_from in (imported.name, str(imported.path))


def test_that_weights_dropped_on_the_window_are_opened_and_texts_open_their_page(user, book_file, hub_folder, tmp_path):
    (tmp_path / "texts").mkdir()
    text = tmp_path / "texts" / "a.txt"
    text.write_text("It was a dark and stormy night.", encoding="utf-8")
    assert not holds_weights(text)
    assert not holds_weights(text.parent)
    drop(user.window, text)
    assert user.current == "texts"
    assert not user.dialogs.made("opening")
    user.go_to("generate")
    for weights in (book_file, hub_folder):
        drop(user.window, weights)
        dialog = user.dialogs.opening
        user.wait(lambda dialog=dialog: dialog.isVisible() and not dialog.busy)
        assert dialog.title.text() == weights.name
        assert dialog.begin.isVisible()
        assert user.current == "generate"  # not the page of texts
        dialog.reject()


def test_that_a_used_name_is_reported_before_the_import_and_a_models_own_tokenizer_is_shown(
    user, background, book_file, tmp_path
):
    import_weights(user, background(book_file))
    dialog = background(book_file)
    assert dialog.name.text() == "of the book-2"
    assert not dialog.taken.isVisible()
    user.wait(lambda: dialog.isActiveWindow())
    dialog.name.setText("gpt2-xl")  # a preset's name
    assert dialog.taken.text().endswith("The model will be called gpt2-xl-2.")
    assert import_weights(user, dialog).name == "gpt2-xl-2"
    dialog.look_at(book_file)
    user.wait(lambda: not dialog.busy)
    dialog.name.setText("  ")
    assert not dialog.begin.isEnabled()

    characters = Characters(" abcdefgh")
    config = PUBLISHED.but(vocab_size=characters.size)
    folder = FORMATS["huggingface"].export(UntrainedModel(config), tmp_path / "letters")
    dialog = background(folder)
    assert shown(dialog)["tokenizer"] == "unknown: for experiments without text"
    (folder / "tokenizer.json").write_bytes(characters.file)
    dialog = background(folder)
    assert shown(dialog)["tokenizer"] == f"from a file ({characters.size} tokens)"
    imported = import_weights(user, dialog)
    assert tokenizer_of(imported).encode("bad") == characters.encode("bad")
    exports = user.dialogs.exports
    exports.show_models([imported], imported)
    user.click(exports.format.button(list(FORMATS).index("gguf")))
    exports.path.setText(str(tmp_path / "letters.gguf"))
    user.click(exports.write)
    user.wait(lambda: not exports.busy)
    assert "does not contain the tokenizer of this model" in exports.there.text()


# Refusals.


def test_that_a_file_without_weights_or_with_nan_is_refused_and_the_details_of_a_fault_can_be_copied(
    user, background, tmp_path, book_file, monkeypatch
):
    weights = torch.load(book_file, weights_only=True)
    weights["tok_emb.weight"][7, 3] = float("nan")
    torch.save(weights, book_file)
    dialog = background(book_file)
    user.click(dialog.begin)
    user.wait(lambda: not dialog.busy)
    assert dialog.imported is None
    assert "tok_emb.weight" in dialog.refusal.notice.text()
    assert left_behind() == []
    assert dialog.begin.isEnabled()

    file = tmp_path / "holiday.pth"
    file.write_text("We went to the sea.", encoding="utf-8")
    dialog = background(file)
    assert "holiday.pth" in dialog.refusal.notice.text()
    assert len(dialog.refusal.notice.text().split()) > 8
    assert not dialog.begin.isVisible()
    assert not dialog.facts.isVisible()
    assert dialog.close_button.hasFocus()
    user.qtbot.keyClick(dialog, Qt.Key.Key_Return)
    assert not dialog.isVisible()

    def broken(path, n_heads=None):
        raise ZeroDivisionError("how odd")

    monkeypatch.setattr("gptstudio.weights_io.importing.inspect", broken)
    dialog = background(book_file)
    assert "how odd" in dialog.refusal.notice.text()
    user.click(dialog.refusal.copy)
    assert "Traceback" in QGuiApplication.clipboard().text()
    assert "in broken" in QGuiApplication.clipboard().text()


# Cancelling.


def test_that_cancel_or_closing_the_window_leaves_nothing_and_the_import_can_be_repeated(
    user, background, book_file, slow_disk, monkeypatch
):
    dialog = background(book_file)
    user.click(dialog.begin)
    user.wait(lambda: " of " in dialog.transfer_bar.words.text())
    assert not dialog.name.isEnabled()
    user.click(dialog.transfer_bar.cancel)
    user.wait(lambda: not dialog.busy)
    assert dialog.refusal.notice.text() == message("broken_off_nothing")
    assert dialog.refusal.notice.property("role") == "muted"  # it was requested
    assert dialog.begin.hasFocus()
    assert left_behind() == []
    monkeypatch.setattr(stored_tensors, "PIECE", 2**23)
    import_weights(user, dialog)
    assert left_behind() == ["of the book"]

    monkeypatch.setattr(stored_tensors, "PIECE", 2**15)
    dialog = background(book_file)
    user.click(dialog.begin)
    user.wait(lambda: " of " in dialog.transfer_bar.words.text())
    assert user.window.close()
    assert left_behind() == ["of the book"]
    assert not dialog.isVisible()


def test_that_another_file_replaces_the_one_being_inspected(user, book_file, hub_folder):
    dialog, named = user.dialogs.opening, []
    dialog.name.textChanged.connect(named.append)
    dialog.look_at(book_file)
    dialog.look_at(hub_folder)
    user.wait(lambda: named and not dialog.busy)
    user.rest(0.1)
    assert dialog.title.text() == "tiny-gpt2"
    assert named == ["tiny-gpt2"]  # nothing more of the other is delivered


# Layout.


def test_that_the_keyboard_reaches_every_control_and_nothing_is_cut_off_at_any_text_size(user, background, book_file):
    dialog = background(book_file)
    reached, part = [], dialog
    while (part := part.nextInFocusChain()) is not dialog:
        if part.focusPolicy() & Qt.FocusPolicy.TabFocus and part.isVisible() and part.isEnabled():
            reached.append(part)
    for part in (dialog.heads, dialog.name, dialog.begin, dialog.close_button):
        assert part in reached
        assert part.accessibleName()
    assert dialog.begin.isDefault()
    user.qtbot.keyClick(dialog, Qt.Key.Key_Escape)
    assert not dialog.isVisible()

    for zoom in (1.0, 2.0):
        theme.enlarge(zoom)
        dialog = background(book_file)
        user.rest(0.1)
        assert dialog.width() <= user.window.width()
        assert dialog.height() <= user.window.height()
        assert dialog.findChild(QScrollArea).verticalScrollBar().maximum() == 0  # there is room for the whole dialog
        for part in dialog.findChildren(QWidget):
            if part.isVisible() and part.objectName() and part.parentWidget() is not dialog:
                assert part.width() >= part.minimumSizeHint().width(), part.objectName()
                least = part.minimumSizeHint().height()
                tall = part.heightForWidth(part.width()) if part.hasHeightForWidth() else least
                assert part.height() >= tall, part.objectName()
        dialog.reject()


@in_chinese
def test_that_the_dialog_is_in_chinese(user, background, book_file):
    dialog = background(book_file)
    for part in (dialog.begin, dialog.close_button, dialog.kind, dialog.why):
        assert HAN.search(part.text()), part.text()
    assert HAN.search(dialog.windowTitle())
    assert HAN.search(dialog.heads.currentText())
    assert dialog.name.text() == message("of_the_book")
