"""The page of n-gram tables: its bars, its text, and the choice of the counted text."""

import pytest
from PySide6.QtWidgets import QComboBox, QLabel

from gptstudio.gpt.tokenizer import GPT2
from gptstudio.gui.translation import percent


def test_that_the_bars_are_of_all_tables_and_the_text_of_one_with_its_copied_parts_underlined(page, turned):
    tables = page.answer.tables
    assert [row.bars[0].value for row in page.losses.rows] == [each.loss for each in tables]
    assert [row.figures for row in page.seen.rows] == [[percent(each.seen)] for each in tables]
    assert [row.strong for row in page.losses.rows] == [False, False, True, False]

    block, underlined = page.generated.document().begin(), ""
    while block.isValid():
        part = block.begin()
        while not part.atEnd():
            underlined += part.fragment().text() if part.fragment().charFormat().fontUnderline() else ""
            part += 1
        block = block.next()
    copied = GPT2.decode([page.answer.ids[place] for place in sorted(page.answer.copied)])
    assert underlined == copied.replace("\n", "")
    assert page.copied.text().startswith(f"{percent(page.answer.copied_share)} copied, longest {page.answer.longest}")

    before = page.generated.toPlainText()
    turned(order=2)
    assert page.losses.rows[1].strong
    assert "n = 2" in page.title_of_text.text()
    assert page.generated.toPlainText() == GPT2.decode(page.answer.ids) != before

    turned(text="own", own="word")
    assert [row.figures for row in page.seen.rows] == [["100.0 %"], ["–"], ["–"], ["–"]], "no contexts: no share"


def test_that_a_chinese_text_does_not_end_with_half_a_character(page, turned, qtbot):
    box = page.findChild(QComboBox, "lab_ngrams_text")
    box.setCurrentIndex(box.findData("luxun"))
    box.activated.emit(box.currentIndex())
    qtbot.waitUntil(lambda: not page.waiting)
    assert page.request.text == "luxun"
    halves = 0
    for tokens in range(8, 14):
        turned(new_tokens=tokens)
        ids = page.answer.ids
        assert page.generated.toPlainText() == GPT2.decode(ids, final=False)
        halves += GPT2.decode(ids) != GPT2.decode(ids, final=False)
    assert halves


@pytest.mark.parametrize("name", ["ngrams", "vocabulary"])
def test_that_the_counted_text_can_be_the_users_own(open_page, qtbot, name):
    page = open_page(name)
    editor = page.findChild(object, f"lab_{name}_own")
    assert editor.isHidden()
    assert page.back.text() == "Reset to the first example"
    assert page.back.toolTip() == "The page shows an example."
    page.update_request(text="own")
    qtbot.waitUntil(lambda: not page.waiting)
    assert not editor.isHidden()
    editor.setPlainText("la la la la la la")
    qtbot.waitUntil(lambda: not page.waiting)
    assert page.request.own == "la la la la la la"
    editor.clear()
    assert "empty" in page.findChild(QLabel, f"lab_{name}_own_problem").text()
    assert page.request.own == "la la la la la la", "the last answer stays"
