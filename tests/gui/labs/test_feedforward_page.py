"""The page of the feed-forward module: shown at once, with the results of a model when they arrive."""

from dataclasses import replace

import numpy as np
import pytest
from pages.painted import hover, words
from PySide6.QtWidgets import QLabel

from gptstudio import devices
from gptstudio.gpt.config import GPTConfig
from gptstudio.gui.learn.kit.matrix import Cell
from gptstudio.labs import feedforward
from gptstudio.labs.feedforward import module
from gptstudio.training.model_source import UntrainedModel, load


@pytest.fixture
def own(monkeypatch) -> UntrainedModel:
    """A model that is built quickly."""
    small = UntrainedModel(GPTConfig(context_length=16, emb_dim=16, n_heads=2, n_layers=3))
    monkeypatch.setattr(feedforward, "LAB", replace(feedforward.LAB, model=small))
    return small


def expected(own: UntrainedModel, lab_request):
    return feedforward.answer(lab_request, load(own, devices.choose("cpu"), "reference"))


def text(page, name: str) -> str:
    return page.findChild(QLabel, name).text()


def test_that_shapes_and_parameters_are_shown_before_any_model(own, open_page):
    page = open_page("feedforward", wait=False)
    assert page.answer is None
    assert (text(page, "feedforward_module"), text(page, "feedforward_attention")) == ("4,722,432", "2,360,064")
    assert words(page.drawing, 0) == ("Linear", "768 → 3,072", "2,362,368")


def test_that_the_plot_shows_the_models_numbers_and_pointing_the_parameters_or_a_bin(own, page):
    outputs = expected(own, page.request).outputs
    for key, shares in (("before", outputs.before), ("after", outputs.after)):
        edges, drawn = page.plot.curves[key].getData()
        np.testing.assert_allclose(edges, outputs.edges)
        np.testing.assert_allclose(drawn, 100 * shares)
    assert text(page, "feedforward_heading") == "Layer 1 of 3: 256 numbers (4 tokens × 64)"
    assert f"{outputs.negative:.1%}".rstrip("%") in text(page, "feedforward_facts")
    assert all(line.startswith("✓") for line in page.figures.lines)

    hover(page.drawing, Cell(0, 0))
    assert page.arithmetic.text() == "768 × 3,072 + 3,072 = 2,362,368"
    assert page.formula.lit == {"widen"}
    page.formula.pointed.emit("narrow")
    assert page.drawing.lit == {Cell(0, 2)}
    page.formula.pointed.emit(None)
    assert not page.drawing.lit

    outputs = page.answer.outputs
    hover(page.plot, (outputs.edges[30] + outputs.edges[31]) / 2)
    assert page.arithmetic.text().startswith("From 0.00 to ")
    assert f"{outputs.before[30]:.1%}".rstrip("%") in page.arithmetic.text().replace(" %", "")
    hover(page.plot, None)
    assert page.arithmetic.text() == ""
    hover(page.plot, outputs.edges[0] - 0.01 * (outputs.edges[-1] - outputs.edges[0]))
    assert page.arithmetic.text() == ""


def test_that_a_change_sends_the_model_another_question_and_a_missing_layer_is_reported(own, page, qtbot, turned):
    turned(layer=3, text="one two three four five", width=64)
    assert text(page, "feedforward_heading") == "Layer 3 of 3: 320 numbers (5 tokens × 64)"
    assert page.plot.curves["after"].getData()[1] == pytest.approx(100 * expected(own, page.request).outputs.after)
    assert text(page, "feedforward_module") == f"{module(page.request).total:,}" == "33,088"
    page.reset()
    qtbot.waitUntil(lambda: not page.waiting)
    assert text(page, "feedforward_module") == "4,722,432"

    before = page.answer
    turned(layer=7)
    assert "the last layer of this model is 3" in page.notice.text()
    assert page.answer is before
    turned(layer=2)
    assert page.notice.text() == ""
    assert page.answer.outputs.layer == 2
