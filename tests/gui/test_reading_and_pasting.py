"""Manual text input and output: pasting a text to train on, and reading one without colours."""

from lessons import TINY
from PySide6.QtCore import Qt
from PySide6.QtGui import QGuiApplication
from PySide6.QtTest import QTest

from gptstudio import paths
from gptstudio.gpt.tokenizer import GPT2

FIRST_PAGE = "generate"

HOSTILE = "<b>bold</b> =1+1 \x00 ../../etc "


def dialog(user):
    user.window.actions_of["paste_text"].trigger()
    user.wait(lambda: user.find("pasted_text").isVisible())
    return user.find("pasted_text").window()


def test_that_only_a_pasted_text_is_added_which_is_saved_listed_and_can_be_trained_on(user):
    QGuiApplication.clipboard().clear()
    box = dialog(user)
    assert not box.add.isEnabled()
    box.text.setPlainText("  \n ")
    assert not box.add.isEnabled()
    box.close()
    assert not list(paths.texts().glob("Pasted*"))

    # A pasted text.
    story = "A\N{NO-BREAK SPACE}story. " * 400
    QGuiApplication.clipboard().setText(story)
    box = dialog(user)
    assert user.window.state.page == "texts"
    assert "3,600" in user.find("paste_count").text()
    box.name.setText(HOSTILE)
    QTest.mouseClick(box.add, Qt.MouseButton.LeftButton)
    (saved,) = paths.texts().glob("*bold*.txt")
    assert saved.parent == paths.texts()
    assert saved.read_text(encoding="utf-8") == story
    table = user.window.texts.table
    user.wait(lambda: str(saved) in table.ticked_names)
    user.wait(lambda: user.window.texts.train.isEnabled())
    box = dialog(user)
    box.name.setText(HOSTILE)
    QTest.mouseClick(box.add, Qt.MouseButton.LeftButton)
    assert len(list(paths.texts().glob("*bold*.txt"))) == 2, "no file is overwritten"


def test_that_a_generated_text_can_be_read_without_colours(user):
    user.panel.select(TINY)
    user.go_to("generate")
    user.window.state.prompt = "<b>Every</b> effort"
    user.click(user.find("generate"))
    user.wait(lambda: user.window.state.document.path and not user.window.state.generating)
    user.click(user.find("read_text"))
    shown = user.find("reading_text")
    assert shown.isVisible()
    whole = GPT2.decode([node.id for node in user.window.state.document.path])
    assert shown.toPlainText().replace("\u2028", "\n") == whole.replace("\u2029", "\n")
    user.click(user.find("read_text"))
    assert not shown.isVisible()


def test_that_the_drawn_token_is_visible_among_the_choices(user):
    user.panel.select(TINY)
    user.go_to("generate")
    user.click(user.find("generate"))
    user.wait(lambda: user.find("stage_table").isVisible() and not user.window.state.generating)
    table = user.find("stage_table")
    for position in range(5, 15):
        user.window.state.document.choose(position)
        user.rest(0.05)
        came = next(row for row, each in enumerate(table.stages.rows) if each.came)
        assert table.viewport().rect().intersects(table.visualRect(table.stages.index(came, 0)))
