"""The Generate page with models that have a vocabulary of their own: every view shows its tokens, not GPT-2's."""

import pytest
from imported_model import import_weights
from lessons import tiny_config
from messages import message
from PySide6.QtCore import Qt

from gptstudio.data import vocabulary
from gptstudio.gpt import decoder
from gptstudio.gpt.tokenizer import END_OF_TEXT, GPT2, Characters
from gptstudio.gui.widgets.text_views import visible_lines
from gptstudio.inference import tree_files
from gptstudio.training import checkpoint

FIRST_PAGE = "generate"
TEXT = "the painter painted the painting\n" * 3
PROMPT = "the painter"
OWN = vocabulary.make("own", 300, [TEXT])
CHARACTERS_ONLY = Characters(sorted(set(TEXT)), (None, END_OF_TEXT))


def has(user, tokenizer, name="teacher"):
    """Choose an imported model with this vocabulary."""
    config = tiny_config().but(vocabulary=tokenizer.kind, vocab_size=tokenizer.size)
    user.generate.open_model(import_weights(config, name, tokenizer=tokenizer))
    return user


@pytest.fixture
def own(user):
    return has(user, OWN)


def test_that_every_pane_a_beam_search_a_score_and_a_tree_use_the_tokens_of_the_model(own):
    generate = own.generate
    generate.write(6, PROMPT)
    ids = generate.ids()
    given = OWN.encode(PROMPT)
    assert list(ids[: len(given)]) == given != GPT2.encode(PROMPT)
    shown = [OWN.visible(each) for each in ids]
    assert [box.text for box in generate.strip.boxes] == shown
    assert generate.written() == OWN.decode(ids)

    generate.choose(len(ids) - 1)
    generate.wait_idle()
    rows = [row for row in generate.choices() if row.token is not None]
    assert [row.name for row in rows] == [OWN.visible(row.token) for row in rows]

    generate.open_pane("attention")
    generate.wait_idle()
    assert list(generate.pane("attention").map.grid.rows) == shown
    generate.open_pane("layers")
    generate.wait_idle()
    grid = generate.pane("layers").grid
    assert [grid.headerData(column, Qt.Orientation.Horizontal) for column in range(len(ids))] == shown
    assert grid.data(grid.index(0, 0)) == OWN.visible(int(generate.pane("layers").answer.ids[0, 0, 0]))
    generate.open_pane("branches")
    (row,) = generate.pane("branches").tree_view.rows
    assert row.text.replace(" ", "␣") == "".join(shown)

    own.generate.write(2, PROMPT)
    own.generate.open_pane("branches")
    dialog = own.generate.view.beam_dialog
    dialog.begin()
    assert PROMPT in dialog.start.text()
    own.click(dialog.compare)
    own.generate.wait_idle()
    own.wait(lambda: dialog.table.rowCount() == 3)
    given, steps = own.generate.ids(), dialog.editor.values()["max_new_tokens"]
    written = decoder.greedy(checkpoint.load(own.generate.source.path), given, steps)[len(given) :]
    shown = visible_lines(OWN.decode(written)).replace("\n", "")
    assert shown.startswith(dialog.table.item(0, 4).text()), "it may end before, with its last token"
    dialog.close()

    own.generate.switch_to(2)
    own.generate.score(TEXT)
    own.generate.wait_idle()
    assert own.reads("score_tokens") == f"{len(OWN.encode(TEXT)) - 1:,}"
    assert [box.text for box in own.generate.view.score.result.strip.boxes] == [*map(OWN.visible, OWN.encode(TEXT))]
    assert f"{OWN.size:,}" in own.reads("score_guessing")

    own.generate.switch_to(0)
    own.generate.write(3, PROMPT)
    own.generate.save_tree("mine")
    (saved,) = tree_files.saved_trees(own.generate.source)
    has(own, CHARACTERS_ONLY, "other")
    ids = own.generate.ids()
    own.generate.open_tree(saved.path)
    assert message("tree_another_vocabulary") in own.reads("generate_notice")
    assert own.generate.ids() == ids


def test_that_a_vocabulary_not_created_yet_and_a_character_without_a_token_are_reported_in_every_field(user):
    # A vocabulary that is not created yet, until another model is chosen.
    user.panel.select(tiny_config().but(vocabulary="own"))
    user.generate.open_pane("two_prompts")
    fields, untrained = user.generate.pane("two_prompts").fields, user.generate.sources[0]
    fields.clean.setText("a b")
    fields.corrupted.setText("c b")
    assert "only once a run has begun" in user.reads("two_prompts_problem")
    user.generate.switch_to(1)
    user.generate.view.pair.compare_models(untrained, untrained)
    assert "only once a run has begun" in user.reads("pair_notice")
    user.generate.switch_to(0)
    has(user, OWN)
    assert user.reads("two_prompts_problem") == "", "the fields are read for the model that is chosen now"

    # A character without a token.
    generate = has(user, CHARACTERS_ONLY, "other").generate
    generate.write(3, "the z")
    assert "“z”" in user.reads("generate_notice")
    generate.write(3, PROMPT)
    assert generate.strip.boxes[0].text == "t"
    generate.open_pane("neighbours")
    generate.pane("neighbours").look_up("z")
    assert "“z”" in user.reads("neighbours_typed")
    generate.open_pane("two_prompts")
    fields = generate.pane("two_prompts").fields
    fields.clean.setText("z")
    fields.corrupted.setText("a")
    assert "“z”" in user.reads("two_prompts_problem")
    fields.clean.setText("t")
    assert user.reads("two_prompts_problem") == ""
    generate.prompt.setPlainText("z")
    generate.choose(None)
    dialog = generate.view.beam_dialog
    dialog.begin()
    assert "“z”" in dialog.start.text()
    dialog.close()


def test_that_two_models_with_different_vocabularies_are_compared_byte_by_byte(user):
    generate = has(user, OWN, "one").generate
    left = generate.source
    right = has(user, CHARACTERS_ONLY, "other").generate.source
    generate.prompt.setPlainText(PROMPT)
    generate.set(max_new_tokens=8)
    generate.switch_to(1)
    pair = generate.view.pair
    pair.compare_models(left, right)
    user.wait(lambda: not generate.comparing)
    given = [len(each.encode(PROMPT)) for each in (OWN, CHARACTERS_ONLY)]
    assert (f"{given[0]} tokens on the left, {given[1]} on the right") in user.reads("pair_prompt")
    for side, tokenizer in enumerate((OWN, CHARACTERS_ONLY)):
        cells = [cell for column in generate.compared if (cell := column.cells[side])]
        assert [cell.text for cell in cells] == ["│".join(map(tokenizer.visible, cell.ids)) for cell in cells]
        whole = b"".join(cell.data for cell in cells).decode("utf-8", "replace")
        assert pair.view.alignment.text(side) == PROMPT + whole
    alignment = pair.view.alignment
    assert f"{alignment.equal} of {len(alignment.columns)} groups of tokens the same" in user.reads("pair_totals")
    assert f"They diverge at group {alignment.parted + 1} of new tokens: " in user.reads("pair_verdict")
    assert user.reads("pair_bars_title").startswith(f"Group {alignment.parted + 1} of new tokens: ")


def test_that_characters_that_become_the_unknown_token_are_counted_in_each_view(user):
    generate = has(user, Characters(sorted(set(TEXT)))).generate
    words = "not in the vocabulary of the model: 2. It reads each of them as �"
    generate.write(2, "the zör")
    assert words in user.reads("generate_notice")
    generate.write(2, PROMPT)
    assert user.reads("generate_notice") == ""
    generate.switch_to(1)
    generate.prompt.setPlainText("the zör" * 16)
    pair = generate.view.pair
    pair.compare_models(generate.source, generate.source)
    user.wait(lambda: not generate.comparing)
    notice = user.reads("pair_notice")
    for side in ("Left", "Right"):
        assert f"{side}:  Characters that are {words.replace('2.', '32.')}" in notice
    assert "Left: the prompt is longer" in notice
    assert "Right: the prompt is longer" in notice
    generate.switch_to(2)
    generate.score("the zör")
    generate.wait_idle()
    assert words in user.reads("score_notice")
    assert "cannot be compared" in user.reads("score_notice")
