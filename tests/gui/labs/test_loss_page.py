"""The page of the loss: typed probabilities, the model's, and the resulting loss."""

import pytest
from pages.painted import hover
from PySide6.QtCore import Qt

from gptstudio.gui.learn.kit.formula import Formula
from gptstudio.gui.learn.kit.matrix import Cell
from gptstudio.labs.loss import PROBABILITIES, LossRequest, answer


def test_that_the_page_shows_the_probabilities_of_the_seeds_their_perplexity_bars_arithmetic_and_symbols(page):
    found = answer(LossRequest())
    assert page.p.values[:, 0].tolist() == list(PROBABILITIES)
    assert page.logs.values[:, 0] == pytest.approx(found.logs)
    assert page.end.values[0] == pytest.approx([found.mean, found.loss])
    assert page.torchs.values[0] == pytest.approx([found.cross_entropy])
    assert page.perplexity.text(Cell(0, 0)) == "48725.8"
    assert page.figures.lines[0].startswith("✓ perplexity")
    assert page.p.text(Cell(5, 0)) == "0.00000476"

    assert page.bars.bars.values == pytest.approx((-page.answer.logs).tolist())
    assert [rule.at for rule in page.bars.bars.rules] == pytest.approx([page.answer.loss, page.answer.guessing])
    assert "random guessing: 10.8249" in page.bars.bars.rules[1].words

    assert page.p.explain(Cell(0, 0)) == "p(␣effort) = 0.00007454: 1 in 13,416"
    assert page.logs.explain(Cell(0, 0)) == "ln(0.00007454) = −9.5042"
    assert page.end.explain(Cell(0, 0)) == "((−9.5042) + (−10.3796) + … + (−12.2561)) / 6 = −10.7940"
    assert page.end.explain(Cell(0, 1)) == "−(−10.7940) = 10.7940"
    assert "torch's cross_entropy from the logits:" in page.torchs.explain(Cell(0, 0))
    assert "e^10.7940 = 48725.8" in page.perplexity.explain(Cell(0, 0))

    hover(page.findChild(Formula, "lab_loss_formula"), "loss")
    assert page.end.lit == {Cell(0, 1)}
    assert page.torchs.lit == {Cell(0, 0)}
    hover(page.p, Cell(2, 0))
    assert page.logs.lit == {Cell(2, 0)}


def test_that_rows_and_bars_grow_with_the_room_and_no_rule_crosses_the_text_of_another(page, qtbot):
    low = round(1.5 * page.p.fontMetrics().height())
    page.resize(1100, 420)
    qtbot.waitUntil(lambda: page.p.rect(Cell(0, 0)).height() == low)
    page.resize(1100, 720)
    qtbot.waitUntil(lambda: page.p.rect(Cell(0, 0)).height() > 1.4 * low)
    assert page.bars.mapTo(page, page.bars.row_place(5).bottomLeft().toPoint()).y() == pytest.approx(
        page.p.mapTo(page, page.p.rect(Cell(5, 0)).bottomLeft()).y(), abs=2)
    assert page.bars.below() >= 3 * page.bars.fontMetrics().height()
    assert page.bars.row_place(5).bottom() + page.bars.below() <= page.bars.height()

    for p in (0.99, 0.5, 3e-5, 1.4e-5, 8e-6, 1e-9):
        page.update_request(probabilities=(p, p))
        upper, lower = page.bars.spots()
        assert not upper.left <= lower.x <= upper.left + upper.wide, p


def test_that_the_model_gives_the_same_until_a_probability_is_typed_over_it(page, turned, qtbot):
    fields = [page.models, *(page.controls.editors[name] for name in ("first", "second"))]
    assert not any(field.isVisible() for field in fields)
    turned(source="model")
    assert all(field.isVisible() for field in fields)
    assert page.p.values[:, 0] == pytest.approx(PROBABILITIES, rel=1e-6)
    assert "Given by the model" in page.said.text()
    assert page.examples.currentIndex() == 1
    assert page.figures.lines[0].startswith("✓")

    page.p.edited.emit(0, 0, "0.5")
    qtbot.waitUntil(lambda: not page.waiting, timeout=60_000)
    assert page.request.source == "hand"
    assert page.p.values[0, 0] == 0.5
    found = answer(LossRequest(probabilities=(0.5, *PROBABILITIES[1:])))
    assert page.answer.loss == pytest.approx(found.loss, rel=1e-5)
    assert page.figures.lines[0].startswith("≠")
    page.reset()
    qtbot.waitUntil(lambda: not page.waiting, timeout=60_000)
    assert page.figures.lines[0].startswith("✓")
    before = page.p.values[1, 0]
    page.p.edited.emit(1, 0, "1.5")
    assert page.p.values[1, 0] == before, "what is invalid leaves the last answer"


def test_that_a_click_gives_all_targets_one_probability_and_an_impossible_one_has_an_infinite_loss(page, qtbot, turned):
    for place, perplexity in enumerate(("50257.0", "2.0", "1.0")):
        qtbot.mouseClick(page.findChild(object, f"lab_loss_all_{place}"), Qt.MouseButton.LeftButton)
        qtbot.waitUntil(lambda: not page.waiting, timeout=60_000)
        assert page.perplexity.text(Cell(0, 0)) == perplexity
    assert page.scale.words() == "0.0101: like choosing among 1.0 equally likely tokens"

    turned(probabilities=(0.5, 0.0))
    assert page.end.text(Cell(0, 1)) == "∞"
    assert "impossible" in page.scale.words()
    assert "impossible" in page.p.explain(Cell(1, 0))
    assert page.grab().width() > 0
