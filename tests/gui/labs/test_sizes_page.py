"""The sizes page: the lab's numbers in bars and lines, and the user's own size next to them."""

import pytest
from pages.lab import cells, formulas

from gptstudio.gui.canvas.canvas import Cell
from gptstudio.gui.learn.sizes import PARTS
from gptstudio.labs.sizes import LAB, OWN, answer


def test_that_printed_figures_of_the_four_sizes_are_marked_and_the_users_own_size_is_the_labs_answer(page):
    assert cells(page, "Parameters") == [
        "✓ 163,009,536", "✓ 406,212,608", "✓ 838,220,800", "✓ 1,637,792,000", f"{page.answer.of(OWN).parameters:,}"]
    assert cells(page, "MB")[0] == "✓ 621.83"
    assert all(each.agrees for each in page.comparisons.values() if not each.figure.example)

    page.update_request(emb_dim=512, n_heads=8, n_layers=10)
    asked = LAB.examples[0].request.but(emb_dim=512, n_heads=8, n_layers=10)
    assert page.answer == answer(asked)
    assert cells(page, "Width")[-1] == "512"
    page.open_example(LAB.examples[1].name)
    assert cells(page, "Parameters")[-1] == "✓ 163,037,184"
    page.update_request(n_layers=3)
    page.reset()
    assert cells(page, "MB")[-1] == "✓ 621.94"


def test_that_bars_are_as_long_as_their_parameters_explain_themselves_and_lose_the_output_layer_when_tied(page):
    cell = Cell(0, PARTS.index("feed_forward"))
    page.stacks.pointed.emit(cell)
    assert "12 × (8 × 768² + 5 × 768) = 56,669,184" in page.arithmetic.text()
    assert formulas(page)["blocks"].lit == {"blocks"}
    formulas(page)["blocks"].pointed.emit("output")
    assert {each.column for each in page.stacks.lit} == {PARTS.index("output_layer")}

    page.update_request(qkv_bias=True, emb_dim=96, n_heads=3)
    for row, size in enumerate(page.answer.sizes):
        for part, count in size.parts.items():
            told = page.stacks.explain(Cell(row, PARTS.index(part))).split(": ", 1)[1].split(" = ")[0]
            assert eval(told.replace(",", "").replace("×", "*").replace("²", "**2")) == count

    page.reset()
    boxes = page.stacks.items()
    feed_forward = PARTS.index("feed_forward")
    small, xl = boxes[Cell(0, feed_forward)].width(), boxes[Cell(3, feed_forward)].width()
    counts = [page.answer.of(name).parts["feed_forward"] for name in ("gpt2-small", "gpt2-xl")]
    assert small / xl == pytest.approx(counts[0] / counts[1])
    assert max(box.right() for box in boxes.values()) == pytest.approx(page.stacks.width() - 1)

    page.update_request(tied=True, drawn="as shares")
    assert not any(cell.column == PARTS.index("output_layer") for cell in page.stacks.items())
    assert page.value("parameters") == page.answer.of(OWN).tied
