"""The common functions of all lab pages, tested on the page of layer normalisation."""

import csv
import math
from dataclasses import replace

import pytest
from pages.lab import compared, messages_of, save, shown_values
from pages.painted import hover
from PySide6.QtGui import QImage
from PySide6.QtWidgets import QApplication, QFileDialog, QSlider
from wrong_requests import WRONG

from gptstudio.gui.canvas.canvas import Canvas
from gptstudio.gui.forms.field import NumberBox
from gptstudio.gui.learn.kit.formula import Formula
from gptstudio.gui.learn.kit.page import LabPage, save_png
from gptstudio.gui.learn.layernorm import Page
from gptstudio.gui.theme import theme
from gptstudio.labs.attention import STAGES
from gptstudio.labs.catalogue import ENTRIES, load

PAGE = "layernorm"


MENDED = {"attention": 1, "scaling": 1, "tokens": 3}
"""Number of wrong values that a page itself corrects, such as a word that is not in the text."""
NOT_HERE = ({"text": "Ulysses"},)
"""Values that cannot be chosen on a page."""
PARTS = {"attention": [{"stage": stage} for stage in STAGES], "dropout": [{"part": "matrix"}, {"part": "model"}]}
"""Changes that show all parts of a page that shows one at a time."""


def examples_agree(page: LabPage) -> None:
    """Test that the figures of each example agree, and that a reset restores it after a change. Slow ones are tested
    with their pages."""
    lab, first = page.lab, page.lab.examples[0].name
    boxes = [each.control for each in page.controls.editors.values() if isinstance(each.control, NumberBox)]
    assert page.request == lab.examples[0].request
    for place, example in enumerate(lab.examples):
        if place and (lab.slow(example.request) or (lab.model and lab.reads(example.request))):
            continue
        page.examples.setCurrentIndex(place)
        page.examples.activated.emit(place)
        printed = [True for figure in lab.figures if (figure.example or first) == example.name]
        assert page.request == example.request
        assert compared(page) == printed
        assert not page.back.isEnabled()
        if boxes and not lab.slow(example.request):
            boxes[-1].stepBy(1)
            assert page.back.isEnabled()
            assert page.examples.currentIndex() == -1
            page.back.click()
            assert page.request == example.request
            assert compared(page) == printed


def wrong_values_are_reported(page: LabPage) -> None:
    """Test that each wrong value is reported at its field until it is corrected, and that the last answer stays."""
    rows, mended = WRONG[page.lab.name], 0
    for changes, field, _ in (row for row in rows if row[0] not in NOT_HERE and len(str(row[0])) < 100_000):
        before = page.answer
        page.update_request(**changes)
        wrong = page.lab.request.labelled_problems(shown_values(page))
        mended += not wrong
        for problem in wrong:
            assert problem.field == field
            editor = page.controls.editors.get(field)
            place = editor.problem if editor else page.controls.elsewhere.get(field, page.notice)
            assert place.text() == problem.message
            assert editor or place.isVisible()
            assert page.answer is before
        page.reset()
        assert not any(messages_of(page))
    assert mended == MENDED.get(page.lab.name, 0)


def nothing_is_cut_off(page: LabPage, qtbot) -> None:
    """Test the page at twice the text size. Parts that are wider than the stage can be scrolled to; the matrices of
    attention wrap."""
    name = page.lab.name
    inside = page.stage.content

    def fits() -> bool:
        shown = [each for each in inside.findChildren(Canvas) if each.isVisible()]
        ends = [each.mapTo(inside, each.contentsRect().bottomRight()) for each in shown]
        return all(each.width() >= each.minimumSizeHint().width() for each in shown) and all(
            end.x() <= inside.width() and end.y() <= inside.height() for end in ends)

    theme.enlarge(2)
    page.resize(1240, 600)
    for changes in PARTS.get(name, [{}]):
        page.update_request(**changes)
        qtbot.waitUntil(lambda: name != "attention" or inside.width() <= page.stage.viewport().width())
        qtbot.waitUntil(fits)
    theme.enlarge(None)


@pytest.mark.parametrize("name", ENTRIES)
def test_that_a_page_follows_the_rules_of_all_pages(open_page, small_greedy_model, verdict, qtbot, name):
    page = open_page(name)
    assert page.lab.sources
    for source in page.lab.sources:
        assert source.title in page.sources.text()
        assert source.section in page.sources.text()
    if page.lab.of_book and name != "generate":  # whose figures are those of a larger model
        examples_agree(page)
    wrong_values_are_reported(page)
    if name not in ("generate", "feedforward"):
        nothing_is_cut_off(page, qtbot)


def test_that_a_slider_and_its_number_move_together_and_a_symbol_describes_its_formula(page):
    editor = page.controls.editors["shift"]
    slider = page.findChild(QSlider, "lab_layernorm_shift_slider")
    slider.setValue(slider.maximum())
    assert editor.value() == editor.view.high
    assert page.request.shift == editor.view.high
    editor.set_value(editor.view.low)
    assert slider.value() == 0

    formula = page.findChild(Formula, "lab_layernorm_out")
    hover(formula, "gamma")
    assert page.arithmetic.text() == "y is gamma times x hat plus beta"
    hover(formula, None)
    assert page.arithmetic.text() == ""


@pytest.mark.parametrize(("name", "field"), [("patching", "corrupted"), ("beams", "weights")])
def test_that_a_field_for_text_or_a_list_is_as_wide_as_its_column(open_page, name, field):
    editor = open_page(name).controls.editors[field]
    assert editor.control.width() == editor.width()
    assert editor.caption.geometry().bottom() < editor.control.geometry().top()


def test_that_the_code_unfolds_copies_and_follows_the_values(page):
    assert not page.code.editor.isVisible()
    page.code.fold.click()
    assert page.code.editor.isVisible()
    page.controls.editors["shift"].set_value(0.5)
    page.code.copy.click()
    assert QApplication.clipboard().text() == page.lab.code(page.request)
    assert "0.5" in page.code.editor.toPlainText()


def test_that_a_page_is_saved_as_a_picture_a_drawing_and_a_table_also_while_hidden(page, tmp_path, monkeypatch):
    for ending in ("png", "svg", "csv"):
        save(page, tmp_path / f"page.{ending}")
    assert QImage(str(tmp_path / "page.png")).width() == page.width()
    assert "<svg" in (tmp_path / "page.svg").read_text(encoding="utf-8")
    rows = list(csv.reader((tmp_path / "page.csv").open(encoding="utf-8", newline="")))
    expected = page.lab.table(page.answer)
    assert tuple(rows[0]) == expected.columns
    assert len(rows) == len(expected.rows) + 1
    for row, numbers in zip(rows[1:], expected.rows, strict=True):
        for read, number in zip(row, numbers, strict=True):
            assert read == str(number) or math.isclose(float(read), number)

    monkeypatch.setattr(QFileDialog, "getSaveFileName", lambda *args: (str(tmp_path / "numbers"), ""))
    next(action for action in page.saving.menu().actions() if "CSV" in action.text()).trigger()
    assert (tmp_path / "numbers.csv").read_text(encoding="utf-8").startswith("stage,")

    page.hide()
    save_png(tmp_path / "page.png", page)
    assert not QImage(str(tmp_path / "page.png")).isNull()


def test_that_only_the_answer_to_the_newest_question_is_shown(application, qtbot):
    lab = load("layernorm")
    asked = []

    class Asks:
        def ask(self, question, key, answered, refused, progress):
            asked.append((question, answered))  # the newest of a key wins: the others are never answered

    page = Page(replace(lab, slow=lambda lab_request: True), Asks())
    qtbot.addWidget(page)
    page.update_request()
    for shift in (1.0, 2.0):
        page.update_request(shift=shift)
    assert page.waiting
    assert page.stage.widget().isHidden(), "its tables are empty"
    question, answered = asked[-1]
    answered(question.find())
    assert not page.stage.widget().isHidden()
    assert page.request.shift == 2.0
    assert not page.waiting


def test_that_the_text_of_the_stage_and_the_column_beside_it_grow_with_the_page(open_page, qtbot):
    page = open_page("layernorm")
    usual, width = page.batch.fontMetrics().height(), page.sources.width()
    page.resize(2200, 1400)
    qtbot.waitUntil(lambda: page.batch.fontMetrics().height() >= 1.7 * usual)
    assert page.title.fontMetrics().height() < 1.7 * usual  # the text next to it keeps its size
    assert page.sources.width() > 1.5 * width
    page.resize(1100, 700)
    qtbot.waitUntil(lambda: page.batch.fontMetrics().height() == usual)
