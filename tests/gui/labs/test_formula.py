"""Typeset formulas: their content, the places of their symbols, and how these are pointed at and highlighted."""

import sys
from functools import cache
from itertools import pairwise
from pathlib import Path

import pytest
from PySide6.QtCore import QEvent, QPointF, QRectF, Qt
from PySide6.QtGui import QColor
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QApplication

from gptstudio import paths
from gptstudio.gui.learn.kit import formula as formula_module
from gptstudio.gui.learn.kit.formula import Formula, Outlines, outlines_of
from gptstudio.gui.learn.kit.formula import outlines as outlines_of_pages
from gptstudio.gui.theme import theme

sys.path.insert(0, str(Path(__file__).resolve().parents[3] / "packaging"))

import formulas as packaged

KEY = Qt.Key
SUM = r"\sym{x}{x}_i + \sym{y}{y}"
NORM = r"\frac{\sym{x}{x} - \sym{mu}{\mu}}{\sqrt{\sym{var}{\sigma^2} + \epsilon}}"
SOFTMAX = r"\sym{alpha}{\alpha_{\sym{i}{i}\sym{j}{j}}} = \frac{e^{\omega_{ij}}}{\sum_{k=1}^{T} e^{\omega_{ik}}}"
TALL = r"\mathrm{softmax}\left(\frac{\sym{q}{Q} K^\top}{\sqrt{d_k}}\right)\sym{v}{V}"
ROW = r"\begin{bmatrix}\sym{a}{0.43} & 0.15 & \sym{c}{0.89}\end{bmatrix} \cdot \sym{w}{\mathbf{w}}"


@cache
def outlines(latex: str) -> Outlines:
    """Return the outlines of a formula that no page has."""
    return outlines_of(latex, packaged.typeset(latex))


@pytest.fixture(autouse=True)
def _typeset(monkeypatch):
    monkeypatch.setattr(formula_module, "outlines", outlines)


@pytest.fixture
def make(presented):
    """Return a function that shows a formula and records its signals."""

    def make(latex: str = SUM) -> Formula:
        made = Formula("formula", latex, "x i plus y")
        presented(made)
        return made

    return make


def _box(formula: Formula, key: str) -> QRectF:
    (box,) = formula.boxes(key)
    return box


def _hover(formula: Formula, point: QPointF) -> None:
    QTest.mouseMove(formula, point.toPoint())
    QApplication.processEvents()


def _picture(formula: Formula, box: QRectF):
    return formula.grab().toImage().copy(box.toAlignedRect())


@pytest.mark.parametrize(("latex", "keys", "is_set"), [
    (SUM, ("x", "y"), lambda x, y: x.right() < y.left()),
    (NORM, ("x", "mu", "var"), lambda x, mu, var: x.bottom() < var.top() and x.right() < mu.left()),
    (r"\sym{x}{x} + \sym{x}{x}", ("x",), lambda left, right: left.right() < right.left()),
])
def test_that_symbols_have_their_places_in_written_order(make, latex, keys, is_set):
    formula = make(latex)
    assert formula.keys == keys
    boxes = [box for key in keys for box in formula.boxes(key)]
    assert is_set(*boxes)
    assert all(QRectF(formula.rect()).contains(box) for box in boxes)


def test_that_a_nested_symbol_is_inside_and_is_found_first(make):
    formula = make(SOFTMAX)
    assert _box(formula, "alpha").contains(_box(formula, "i").center())
    _hover(formula, _box(formula, "i").center())
    _hover(formula, _box(formula, "alpha").topLeft() + QPointF(3, 6))
    assert formula.reported == ["i", "alpha"]


@pytest.mark.parametrize("latex", [
    NORM, SOFTMAX, TALL, ROW, r"\boxed{\sym{a}{a}}", r"\overbrace{\sym{a}{a}}^{n} + \hat{x}",
])
def test_that_fractions_roots_sums_brackets_and_matrices_are_painted_completely(make, latex):
    formula = make(latex)
    outside = {(x, y) for x in range(formula.width()) for y in (0, formula.height() - 1)}
    outside |= {(x, y) for x in (0, formula.width() - 1) for y in range(formula.height())}
    image = formula.grab().toImage()
    ground = QColor(theme.colours.window)
    assert {image.pixelColor(*point).name() for point in outside} == {ground.name()}
    inked = sum(image.pixelColor(x, y) != ground for x in range(image.width()) for y in range(image.height()))
    assert inked > 0.05 * image.width() * image.height()


def test_that_the_bar_of_a_fraction_and_the_root_belong_to_no_symbol():
    whole = outlines(NORM)
    linked = max(symbol.box.width() for symbol in whole.symbols)
    assert whole.ink.boundingRect().width() > 2 * linked


def test_that_a_matrix_row_keeps_its_order_between_its_brackets(make):
    formula = make(ROW)
    places = [_box(formula, key) for key in ("a", "c", "w")]
    assert all(left.right() < right.left() for left, right in pairwise(places))
    assert places[0].left() > outlines(ROW).ink.boundingRect().left() / outlines(ROW).width * formula.width()


def test_that_pointing_at_a_symbol_emits_its_key_and_leaving_it_none(make):
    formula = make()
    _hover(formula, _box(formula, "y").center())
    _hover(formula, QPointF((_box(formula, "x").right() + _box(formula, "y").left()) / 2, 1))
    _hover(formula, _box(formula, "x").center())
    QApplication.sendEvent(formula, QEvent(QEvent.Type.Leave))
    assert formula.reported == ["y", None, "x", None]


def test_that_a_highlighted_symbol_is_underlined_in_another_colour_and_the_others_stay(make):
    theme.enlarge(2)  # a line of whole pixels
    formula = make()
    boxes = {key: _box(formula, key) for key in ("x", "y")}
    before = {key: _picture(formula, box) for key, box in boxes.items()}
    formula.light({"y"})
    assert _picture(formula, boxes["x"]) == before["x"]
    lit = _picture(formula, boxes["y"])
    assert lit != before["y"]
    below = {lit.pixelColor(lit.width() // 2, lit.height() - line).name() for line in (1, 2, 3)}
    assert theme.colours.accent in below
    formula.light(())
    assert _picture(formula, boxes["y"]) == before["y"]


def test_that_the_arrow_keys_move_through_the_symbols_in_order(make):
    formula = make(NORM)
    formula.setFocus(Qt.FocusReason.TabFocusReason)
    for key in (KEY.Key_Right, KEY.Key_Right, KEY.Key_Right, KEY.Key_Left):
        QTest.keyClick(formula, key)
    assert formula.reported == ["x", "mu", "var", "mu"]
    formula.clearFocus()
    assert formula.reported[-1] is None


def test_that_a_formula_without_links_takes_no_focus(make):
    assert make(r"a + b").focusPolicy() == Qt.FocusPolicy.NoFocus


def test_that_it_has_a_description_for_screen_readers(make):
    formula = make()
    assert formula.accessibleName() == formula.toolTip() == "x i plus y"


def test_that_it_grows_with_the_text_and_shrinks_where_it_has_no_room(make):
    formula = make(TALL)
    natural = formula.sizeHint()
    assert formula.heightForWidth(natural.width() * 2) == natural.height()
    half = natural.width() // 2
    assert formula.heightForWidth(half) <= natural.height() // 2 + 1
    formula.resize(half, formula.heightForWidth(half))
    assert _box(formula, "v").right() <= half
    theme.enlarge(2)
    assert abs(formula.sizeHint().width() / natural.width() - 2) < 0.1


@pytest.mark.parametrize("latex", [r"\frac{a}", r"\nosuchcommand{a}", r"\sym{x}{x + y"])
def test_that_a_formula_that_cannot_be_typeset_is_a_programming_error(application, latex):
    with pytest.raises(ValueError, match=r"formula|closed"):
        Formula("wrong", latex, "")


def test_that_a_formula_is_read_once(application):
    latex = r"\sym{mu}{\mu} = \frac{1}{n} \sum_i \sym{x}{x_i}"
    assert outlines_of_pages(latex) is outlines_of_pages(latex)
    assert outlines_of_pages(latex).keys == ("mu", "x")


def test_that_a_formula_that_was_not_typeset_names_the_script_that_does_it(application):
    with pytest.raises(ValueError, match=r"run packaging/formulas\.py"):
        outlines_of_pages(r"\zeta(s)")


def test_that_the_file_of_the_formulas_matches_the_pages(application):
    """If it is not, run python packaging/formulas.py."""
    written = (paths.resources() / "formulas.json").read_text(encoding="utf-8")
    assert packaged.as_json(packaged.of_pages()) == written
