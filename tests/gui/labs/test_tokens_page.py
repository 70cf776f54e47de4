"""The page of tokens shows the answers of the lab, for any input and click."""

from pages.lab import agrees, save
from pages.painted import below, harmless_texts, hover, rank_lines, steps
from PySide6.QtCore import Qt
from PySide6.QtTest import QTest

from gptstudio.gui.learn.tokens import shown
from gptstudio.labs.tokens import TEA, UNKNOWN


def click(page, index):
    place = page.strip.place(index).center().toPoint()
    QTest.mouseClick(page.strip, Qt.MouseButton.LeftButton, pos=place)


def test_that_the_page_opens_on_the_seeds_text_and_typing_splits_the_hardest_word_of_another(page, numbers):
    assert page.editor.toPlainText() == TEA
    assert below(page.strip) == [str(each) for each in numbers["tokens"][TEA]]
    assert page.answer.word == UNKNOWN
    assert agrees(page)
    assert "identical to the original text" in page.counted.text()

    page.editor.selectAll()
    QTest.keyClicks(page.editor, "a Xylthoqua")
    assert page.request.text == "a Xylthoqua"
    assert page.answer.word == " Xylthoqua"
    assert next(piece.data for piece in page.answer.pieces) == b"a"
    assert len(page.strip.texts) == len(page.answer.pieces)
    page.editor.setPlainText("no\N{NO-BREAK SPACE}break")
    assert page.request.text == "no\N{NO-BREAK SPACE}break", "which has other tokens than a space"
    page.reset()
    assert page.editor.toPlainText() == TEA
    assert agrees(page)


def test_that_pointing_at_a_piece_shows_its_bytes_and_a_clicked_word_but_no_special_token_is_split(page):
    click(page, 4)
    assert page.request.word == " like"
    assert "␣like" in page.steps.words.text()
    click(page, 8)
    assert page.request.word == " like"
    hover(page.strip, 0)
    QTest.keyClick(page.strip, Qt.Key.Key_Right)
    assert "11" in page.arithmetic.text()
    QTest.keyClick(page.strip, Qt.Key.Key_Return)
    assert page.request.word == ","

    page.reset()
    hover(page.strip, 0)
    assert page.arithmetic.text() == "Hello  ·  ID 15496  ·  bytes 48 65 6C 6C 6F"
    hover(page.strip, 8)
    assert "special" in page.arithmetic.text()
    hover(page.strip, None)
    assert page.arithmetic.text() == ""


def test_that_the_slider_steps_through_the_merges(page):
    page.steps.slider.setValue(0)
    assert page.answer.step == 0
    assert "“␣” and “s” are merged into “␣s”: of all adjacent pairs it has the lowest rank, 264" in page.next.text()
    page.steps.onward.click()
    assert page.value("step") == 1
    assert steps(page.ladder) == page.answer.steps[:2]
    page.steps.slider.setValue(page.steps.slider.maximum())
    assert "␣some  ·  unknown  ·  Place" in page.next.text()


def test_that_special_tokens_as_text_half_characters_and_ranks_of_narrow_bytes_are_readable(page):
    page.controls.editors["special"].control.click()
    assert not page.request.special
    assert 50_256 not in page.answer.ids
    assert page.value("tokens") > 20

    page.reset()
    page.update_request(text="世", word="")
    assert page.strip.texts == ["⟨E4 B8⟩", "⟨96⟩"]
    assert [shown(piece) for piece in page.answer.steps[0].pieces] == ["E4", "B8", "96"]

    page.update_request(text="a " + "xq" * 20, word="")
    assert rank_lines(page.ladder) > 1


def test_that_a_hostile_text_stays_text_in_the_drawing_of_the_page(page, qtbot, tmp_path):
    hostile = "\"><script>alert(1)</script> ]]> & <image href='http://a.example'/> \x00\x07\x1b\ud800\ufffe"
    page.editor.setPlainText(hostile)
    qtbot.waitUntil(lambda: not page.waiting and "script" in "".join(page.strip.texts))
    save(page, tmp_path / "page.svg")
    texts = harmless_texts(tmp_path / "page.svg")
    assert any("script" in words for words in texts)


def test_that_the_last_merge_is_in_view_when_the_page_opens_in_a_small_window(user):
    user.window.resize(1024, 700)
    user.go_to("learn")
    page = user.learn.open("tokens")
    bar = user.find("lab_tokens_ladder_area").verticalScrollBar()
    user.wait(lambda: not page.waiting and bar.maximum() > 0)
    user.wait(lambda: bar.value() == bar.maximum())
    page.steps.slider.setValue(0)
    user.wait(lambda: page.ladder.next_pair().top() >= bar.value())
