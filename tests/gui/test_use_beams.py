"""Beam search in the window: settings, growth in the tree, stopping, undoing, and the strategies side by side."""

import pytest
from strips import usual

from gptstudio.gpt.tokenizer import GPT2
from gptstudio.training.events import BeamStep

FIRST_PAGE = "generate"


@pytest.fixture
def searcher(writer):
    """The user of a window that shows the branches."""
    writer.generate.open_pane("branches")
    yield writer
    usual()


def set_to(user, **values) -> None:
    for name, value in values.items():
        user.find(f"beam_{name}").set_value(value)


def test_that_strategies_are_compared_beams_grow_from_prompt_and_token_and_a_stopped_search_keeps_results(searcher):
    searcher.click(searcher.find("branch_beams"))
    set_to(searcher, width=2, max_new_tokens=6)
    searcher.click(searcher.find("strategies_compare"))
    table = searcher.find("strategy_table")
    searcher.wait(lambda: table.rowCount() == 3)
    names, sums = ([table.item(row, column).text() for row in range(3)] for column in (0, 1))
    assert names == ["Greedy", "Beam search", "Sampling"]
    likeliest = max(range(3), key=lambda row: float(sums[row].replace("−", "-")))
    assert f"most probable of these texts is by: {names[likeliest]}" in searcher.reads("strategy_words")
    assert searcher.find("beam_search").isEnabled()
    assert searcher.generate.text.path == [], "nothing was written"
    searcher.click(searcher.find("strategies_compare"))
    searcher.click(searcher.find("beam_close"))
    searcher.wait(lambda: not searcher.busy("model"))
    assert not searcher.find("beam_dialog").isVisible()

    searcher.decoding.clear()
    page = searcher.generate
    searcher.click(searcher.find("branch_beams"))
    assert "Every effort moves you" in searcher.reads("beam_start")
    set_to(searcher, width=9)
    assert not searcher.find("beam_search").isEnabled()
    assert "between 1 and 8" in searcher.reads("beam_width_problem")
    set_to(searcher, width=3, max_new_tokens=4)
    searcher.click(searcher.find("beam_search"))
    page.wait_ended()
    steps = searcher.received(BeamStep)
    assert [step.step for step in steps] == [1, 2, 3, 4]
    prompt = GPT2.encode("Every effort moves you")
    assert list(page.text.ids) == [*prompt, *steps[-1].kept[0].ids]
    tree = searcher.find("branch_tree")
    notes = {row.note for row in tree.rows}
    assert {f"−{-beam.log_probability:.2f}" for beam in steps[-1].kept} <= notes
    searcher.click(searcher.find("branch_pruned"))
    assert len(tree.branches) == 3, "only what was kept"

    page.choose(2)
    searcher.click(searcher.find("branch_beams"))
    assert searcher.reads("beam_start").endswith("Every effort moves")
    set_to(searcher, width=1, max_new_tokens=2)
    searcher.click(searcher.find("beam_search"))
    page.wait_ended()
    assert list(page.text.ids)[:3] == prompt[:3]
    assert len(page.text.ids) == 5
    page.undo()
    assert list(page.text.ids) == [*prompt, *steps[-1].kept[0].ids]

    searcher.decoding.clear()
    searcher.click(searcher.find("branch_beams"))
    set_to(searcher, width=8, max_new_tokens=1_000)
    searcher.click(searcher.find("beam_search"))
    searcher.wait(lambda: searcher.received(BeamStep))
    assert not searcher.find("branch_beams").isEnabled()
    assert "Stop it first" in searcher.find("branch_beams").toolTip()
    searcher.generate.stop()
    searcher.generate.wait_ended()
    assert 4 < len(searcher.generate.text.ids) < 1_000
    assert searcher.find("branch_beams").isEnabled()
