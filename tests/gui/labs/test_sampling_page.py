"""The page of sampling: from nine words through the parameters to a drawn one."""

import math

import numpy as np
import pytest
from pages.painted import agreeing
from PySide6.QtCore import Qt

from gptstudio.gui.learn.kit.formula import Formula
from gptstudio.gui.learn.kit.matrix import Cell
from gptstudio.labs.sampling import LOGITS, PRINTED, VOCABULARY, SamplingRequest, answer


def click(page, qtbot, name: str) -> None:
    qtbot.mouseClick(page.findChild(object, f"lab_sampling_{name}"), Qt.MouseButton.LeftButton)


def test_that_the_page_opens_on_the_seeds_three_words_a_thousand_draws_and_their_arithmetic(page):
    found = answer(SamplingRequest())
    assert page.logits.values[:, 0].tolist() == list(LOGITS)
    assert (page.stages.values == np.stack([found.scaled, found.cut, found.probabilities], axis=1)).all()
    assert all(line.startswith("✓") for line in page.figures.lines)
    assert len(page.figures.lines) == 5
    name = page.examples.fontMetrics().horizontalAdvance(page.examples.currentText())
    assert page.examples.width() >= name + 30, "the name of the example is in view in full"
    assert page.stages.text(Cell(1, 1)) == "−∞"

    assert np.flatnonzero(agreeing(page.logits)[:, 0]).tolist() == list(PRINTED)

    found = answer(SamplingRequest())
    rows = page.draws.bars.rows
    assert page.draws.bars.values == found.counts.tolist()
    assert rows[3].expected == pytest.approx(1000 * found.probabilities[3])
    assert rows[6].figures == ["cannot be drawn"]
    assert page.first.text().startswith("Every effort moves you … " + VOCABULARY[found.drawn[0]])

    page.findChild(Formula, "lab_sampling_formula").pointed.emit("k")
    assert page.stages.lit == {Cell(row, 1) for row in range(9)}
    page.logits.pointed.emit(Cell(2, 0))
    assert page.stages.lit == {Cell(2, column) for column in range(3)}

    assert page.stages.explain(Cell(3, 0)) == "6.75 / 1 = 6.7500"
    assert page.stages.explain(Cell(7, 1)) == "toward has rank 2 of the words that are kept"
    assert page.stages.explain(Cell(6, 1)) == "pizza is not kept: −∞"
    assert page.stages.explain(Cell(6, 2)) == "e^(−∞) = 0"
    total = f"{sum(math.exp(LOGITS[place]) for place in PRINTED):,.4f}"
    assert page.stages.explain(Cell(7, 2)) == f"e^6.2800 / {total} = {math.exp(6.28):.4f} / {total} = 0.3610"
    page.update_request(temperature=0.1)
    assert page.stages.explain(Cell(7, 2)).startswith("e^(62.8000 − 67.5000) / ")
    page.update_request(temperature=0.0)
    assert page.stages.explain(Cell(7, 0)) == "temperature 0: only the largest logit is kept; 6.28 becomes −∞"
    assert page.grab().width() > 0


def test_that_typed_logits_and_clicked_parameters_change_the_draws_whose_bars_are_below_in_a_narrow_space(page, qtbot):
    page.logits.edited.emit(6, 0, "9")
    assert page.answer.positions.tolist() == [6, 3, 7]
    assert any(line.startswith("≠") for line in page.figures.lines)

    page.reset()
    for place, temperature in enumerate((0.1, 1, 5)):
        click(page, qtbot, f"temperature_{place}")
        assert page.request.temperature == temperature
        assert page.controls.editors["temperature"].value() == temperature
    click(page, qtbot, "all")
    assert page.request.top_k is None
    assert (page.answer.probabilities > 0).all()
    click(page, qtbot, "again")
    assert page.request.seed == SamplingRequest().seed + 1

    assert not page.draws.named
    page.resize(700, 700)
    qtbot.waitUntil(lambda: page.draws.named)
    page.resize(1300, 700)
    qtbot.waitUntil(lambda: not page.draws.named)
