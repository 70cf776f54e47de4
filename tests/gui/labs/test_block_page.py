"""The block page: expandable steps, the placeholder next to them, and the logits on demand."""

import pytest
from pages.painted import agreeing
from PySide6.QtCore import Qt

from gptstudio.gui.canvas.canvas import Cell
from gptstudio.labs.block import LAB, MODEL, PLACEHOLDER

FEW = {"emb_dim": 12, "n_heads": 3, "n_layers": 2, "context_length": 8}


def row(page, path: str) -> int:
    return next(number for number, line in enumerate(page.way.lines) if line.step.path == path)


def click(page, qtbot, path: str) -> None:
    box = page.way.items()[Cell(row(page, path), 0)]
    qtbot.mouseClick(page.way, Qt.MouseButton.LeftButton, pos=box.center().toPoint())


def test_that_the_page_opens_on_gpt_2_small_and_every_line_is_a_step_with_its_shape_and_arithmetic(page, qtbot):
    # The printed shapes.
    assert page.total.text() == "Parameters: 163,009,536; placeholder: 77,981,184."
    assert [c.agrees for c in page.comparisons.values() if c.figure.example == LAB.examples[0].name] == [True] * 3
    assert {line.step.path: line.step.shape for line in page.way.lines}["out_head"] == (2, 4, 50_257)
    assert not page.logits.isVisible()

    # The parameters of the lines are those of the model.
    assert sum(line.step.parameters for line in page.way.lines if line.level == 0) == page.answer.model.parameters

    # Every line is a step of the answer.
    click(page, qtbot, "trf_blocks.0.att")
    steps, placeholder = page.answer.model.paths(), page.answer.placeholder.paths()
    for line in page.way.lines:
        if line.step.path in steps:
            assert line.step == steps[line.step.path]
            assert line.placeholder == placeholder.get(line.step.path)
    others = page.way.lines[row(page, "blocks")]
    assert (others.times, others.step.parameters) == (11, 11 * 7_085_568)

    # Every step has a name and a correct arithmetic.
    click(page, qtbot, "trf_blocks.0.ff")
    for number, line in enumerate(page.way.lines):
        told = page.way.explain(Cell(number, 0))
        if line.step.parameters:
            left, right = told.split("Parameters: ")[1].removesuffix(".").split(" = ")
            assert eval(left.replace(",", "").replace("×", "*")) == int(right.replace(",", "")) == line.step.parameters
    assert "For one token: 12 × 64." in page.way.explain(Cell(row(page, "trf_blocks.0.att:context"), 0))


def test_that_steps_open_by_a_click_and_by_the_keyboard(page, qtbot):
    count = len(page.way.lines)
    click(page, qtbot, "trf_blocks.0.att")
    assert page.way.lines[row(page, "trf_blocks.0.att:scores")].step.shape == (2, 12, 4, 4)
    click(page, qtbot, "trf_blocks.0.att")
    assert len(page.way.lines) == count
    while page.way.cell.row > row(page, "trf_blocks.0"):
        qtbot.keyClick(page.way, Qt.Key.Key_Up)
    qtbot.keyClick(page.way, Qt.Key.Key_Left)
    assert len(page.way.lines) == count - 8
    assert page.way.lines[row(page, "trf_blocks.0") + 1].step.path == "blocks"
    qtbot.keyClick(page.way, Qt.Key.Key_Right)
    assert len(page.way.lines) == count


@pytest.mark.parametrize("compute", [PLACEHOLDER, MODEL])
def test_that_logits_are_computed_on_request(page, qtbot, compute):
    page.update_request(compute=compute, **FEW)
    qtbot.waitUntil(lambda: page.answer.computed == compute, timeout=20_000)
    assert page.logits.isVisible()
    assert page.logits.values.tolist() == page.answer.logits.reshape(8, 6).tolist()
    assert f"is for “{page.answer.next[1][3]}”" in page.logits.explain(Cell(7, 0))
    assert page.compute.index() == [None, PLACEHOLDER, MODEL].index(compute)


def test_that_the_printed_logits_are_marked(page, qtbot):
    page.open_example(LAB.examples[1].name)
    qtbot.waitUntil(lambda: page.answer.computed == PLACEHOLDER, timeout=30_000)
    marked = agreeing(page.logits)
    assert [n for n in range(8) if marked[n].all()] == [0, 7]
    assert marked.sum() == 12
    page.update_request(seed=7)
    qtbot.waitUntil(lambda: page.request.seed == 7, timeout=30_000)
    assert agreeing(page.logits) is None


def test_that_a_typed_text_is_checked_and_a_button_gives_another_model_its_shape(page, qtbot):
    before = page.answer
    qtbot.keyClicks(page.edits["other"], " lot of")
    assert "the number of tokens is 6, but that of Text is 4" in page.controls.elsewhere["other"].text()
    assert page.answer is before

    # A button gives another model its shape.
    page.reset()
    qtbot.mouseClick(page.findChild(object, "block_gpt2-xl"), Qt.MouseButton.LeftButton)
    assert page.answer.model.parameters == 1_637_792_000
