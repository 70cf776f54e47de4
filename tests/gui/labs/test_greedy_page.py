"""The page of greedy decoding: one step at a time."""

import pytest
from PySide6.QtCore import Qt
from PySide6.QtWidgets import QLabel

from gptstudio.gpt.tokenizer import GPT2
from gptstudio.gui.learn.kit.formula import Formula
from gptstudio.gui.learn.kit.matrix import Cell
from gptstudio.labs import generate
from gptstudio.training.model_source import UntrainedModel

PAGE = "generate"
IDS = [15496, 11, 314, 716, 27018, 24086, 47843, 30961, 42348, 7267]


def test_that_the_page_computes_the_books_text_and_each_step_shows_the_ten_largest_logits(open_page, qtbot):
    page = open_page("generate", wait=False)
    assert page.findChild(QLabel, "lab_generate_state").text() == "Computing…"
    assert not page.figures.isVisible()
    assert not page.steps.slider.isEnabled()
    qtbot.waitUntil(lambda: not page.waiting, timeout=60_000)
    assert page.findChild(QLabel, "lab_generate_state").text() == ""
    assert list(page.answer.ids) == IDS
    assert "Hello, I am Featureiman Byeswickattribute argue" in page.written.text()
    assert all(line.startswith("✓") for line in page.figures.lines)
    assert list(page.strip.texts) == [GPT2.visible(i) for i in IDS]
    assert page.top.explain(Cell(0, 0)).startswith("logits[0, −1, 27,018] = ")
    page.ids.pointed.emit(Cell(3, 0))
    assert page.top.lit == {Cell(3, 0), Cell(3, 1)}
    page.findChild(Formula, "lab_generate_formula").pointed.emit("next")
    assert page.ids.lit == {Cell(0, 0)}
    assert page.grab().width() > 0

    for place, chosen in enumerate(IDS[4:]):
        step = page.answer.steps[place]
        assert page.steps.words.text() == f"Step {place + 1} of 6"
        assert page.ids.values[0, 0] == chosen
        assert page.top.values[:, 0] == pytest.approx(step.logits)
        assert page.bars.bars.rows[0].strong
        assert f"{chosen:,}" in page.found.text()
        told = ", ".join(map(str, IDS[: 4 + place][-8:]))
        assert page.read.text() == f"The model reads all tokens ({4 + place}): {'… ' * (place > 4)}{told}"
        qtbot.mouseClick(page.steps.onward, Qt.MouseButton.LeftButton)
    assert not page.steps.onward.isEnabled()
    qtbot.mouseClick(page.steps.back, Qt.MouseButton.LeftButton)
    assert page.ids.values[0, 0] == IDS[-2]
    page.strip.chosen.emit(6)
    assert page.steps.words.text() == "Step 3 of 6"
    page.strip.chosen.emit(1)  # of the prompt: it has no step
    assert page.steps.words.text() == "Step 3 of 6"


@pytest.mark.usefixtures("small_greedy_model")
def test_that_fewer_steps_show_the_last_and_a_short_context_omits_the_first_tokens(page, turned):
    page.steps.slider.setValue(5)
    turned(new_tokens=2)
    assert page.steps.words.text() == "Step 2 of 2"
    assert any(line.startswith("≠") for line in page.figures.lines)

    turned(context=2, new_tokens=3)
    page.steps.slider.setValue(2)
    assert page.read.text() == "The model reads 2 of 6 tokens: " + ", ".join(map(str, page.answer.ids[4:6]))
    tips = [page.strip.tip(index).split(": ")[1] for index in range(len(page.answer.ids))]
    out = ["outside the context window, no longer read"] * 4
    assert tips == [*out, "read in this step", "read in this step", "generated in this step"]


def test_that_the_other_example_is_compared_with_its_own_printed_figures(
    small_greedy_model, page, qtbot, monkeypatch
):
    """``test_printed.py`` proves that GPT-2 small computes these figures; the small model has only the prompt right."""
    biased = small_greedy_model.config.but(qkv_bias=True)
    monkeypatch.setattr(generate, "WITH_BIAS", UntrainedModel(biased))
    before = page.answer
    page.open_example(page.lab.examples[1].name)
    qtbot.waitUntil(lambda: not page.waiting, timeout=60_000)
    assert page.answer.text != before.text
    assert page.answer.text in page.written.text()
    assert page.figures.lines == ["≠ all token IDs: 4 of 10", "≠ text"]
