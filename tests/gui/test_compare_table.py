"""Compare two with the table of 3-grams of the training text on one side: its texts, its figures, and why it is
disabled."""

import math

import numpy as np
import pytest

from gptstudio.data.ngram import NgramTable
from gptstudio.gpt.sampling.sampler import distribution, draw
from gptstudio.gpt.tokenizer import GPT2
from gptstudio.gui.model_names import short_name
from gptstudio.gui.translation import percent
from gptstudio.inference.generator import random_number_at
from gptstudio.training import run_text
from gptstudio.training.model_source import ImportedModel, SavedModel, TextNgrams

FIRST_PAGE = "generate"
ALL_WORDS = True

PROMPT = "The old bell rang, and the old man went to the sea."
OFFERED = "table of 3-grams"


def compare(user, *models: SavedModel):
    """Open Compare two with these models."""
    user.window.state.opened_models = models
    user.generate.turn_to_view(1)
    user.generate.prompt.setPlainText(PROMPT)
    user.generate.set(max_new_tokens=6)
    return user.generate


def choose(user, model: SavedModel) -> None:
    """Choose a model for the left side."""
    user.generate.pick_compared(0, short_name(model))


def table_entry(user, side: int = 1):
    """Return the last entry of a side's list."""
    box = user.generate.compared_boxes[side]
    return box.model().item(box.count() - 1)


def table_of(source: SavedModel) -> NgramTable:
    read = run_text.corpus_of(run_text.run_of(source))
    return NgramTable(read.train_ids, read.tokenizer.size)


def table_cells(generate):
    return [column.cells[1] for column in generate.compared]


@pytest.fixture
def model(study_once):
    return SavedModel(study_once("Bells").newest_checkpoint())


@pytest.fixture
def own_text(study_once, tmp_path):
    """A file of the user's, and the model that was trained on it."""
    text = tmp_path / "mine.txt"
    text.write_text("The sea is old, and the old sea is still the sea. " * 80, encoding="utf-8")
    return text, SavedModel(study_once("Sea", text=(str(text),)).newest_checkpoint())


def test_that_a_model_is_compared_with_the_table_of_its_training_text_by_one_click_and_by_choice(user, model):
    generate = compare(user, model)
    user.wait(generate.compare_table_button.isEnabled)
    assert not generate.view.pair.sides[1].is_table
    user.click(generate.compare_table_button)
    user.wait(lambda: not generate.comparing)
    assert generate.compared_boxes[1].currentText() == "Bells  ·  table of 3-grams"
    assert user.reads("pair_title_1") == "Bells  ·  table of 3-grams"
    assert "step" in user.reads("pair_title_0")
    table, text = table_of(model), GPT2.encode(PROMPT)
    bits = []
    for cell in table_cells(generate):
        (token,), p = cell.ids, table.probabilities(text)
        logits = np.log(p)
        stages = distribution(logits, generate.sampling_params, text)
        assert token == draw(stages.probabilities, random_number_at(generate.spec.seed, 0, len(text)))
        assert cell.probability == pytest.approx(stages.probabilities[token])
        bits.append(-math.log2(p[token]))
        assert cell.surprise_bits == pytest.approx(bits[-1])
        text.append(token)
    assert len(bits) == 6
    assert user.reads("pair_surprise_1") == f"mean surprisal {np.mean(bits):.2f} bits"

    table, ids = table_of(model), GPT2.encode(PROMPT)  # the expectations of both sides for the prompt
    p = [table.probabilities(ids[:i])[ids[i]] for i in range(1, len(ids))]
    loss, counted = -np.mean(np.log(p)), len(GPT2.decode(ids[1:]).encode())
    bars = user.find("pair_prompt_bars")
    nats, bits, *tokens = bars.rows
    assert (nats.name, nats.figures[1]) == ("nats per token", f"{loss:.2f}")
    assert (bits.name, bits.figures[1]) == ("bits per byte", f"{loss * len(p) / math.log(2) / counted:.2f}")
    assert [row.name for row in tokens] == [GPT2.visible(each) for each in ids[-12:]]
    assert [row.figures[1] for row in tokens] == [percent(each) for each in p[-12:]]
    assert nats.figures[0] != nats.figures[1]
    generate.prompt.setPlainText("The")
    user.click(generate.compare_button)
    user.wait(lambda: not generate.comparing)
    assert bars.isHidden(), "the first token has no probability"

    generate = compare(user, model)
    choose(user, model)
    user.wait(lambda: table_entry(user).isEnabled())
    generate.pick_compared(1, OFFERED)
    assert not table_entry(user, 0).isEnabled()
    assert "already" in table_entry(user, 0).toolTip()
    generate.view.pair.sampling_params.click()
    side = generate.view.pair.sides[1].stack
    side.set_params(side.sampling_params().but(top_k=1, repetition_penalty=1.5))
    user.click(generate.compare_button)
    user.wait(lambda: not generate.comparing)
    table, text = table_of(model), GPT2.encode(PROMPT)
    for cell in table_cells(generate):
        logits = np.log(table.probabilities(text))
        logits[sorted(set(text))] *= 1.5
        assert cell.ids == (int(logits.argmax()),)
        assert cell.probability == 1
        text.append(cell.ids[0])

    imported = ImportedModel(model.path)
    generate.pick_compared(1, "Untrained")
    compare(user, imported)
    choose(user, imported)
    user.wait(lambda: not table_entry(user).isEnabled())
    assert "imported" in table_entry(user).toolTip()
    generate.pick_compared(0, "Untrained")
    assert not table_entry(user).isEnabled()
    assert "untrained" in table_entry(user).toolTip()


def test_that_a_table_of_a_missing_or_changed_text_is_disabled_with_a_reason_until_it_is_back(user, own_text):
    text, model = own_text
    words = text.read_text(encoding="utf-8")
    for change, expected in ((text.unlink, "does not exist"), (lambda: text.write_text("else"), "has changed")):
        change()
        generate = compare(user, model)
        choose(user, model)
        user.wait(lambda expected=expected: expected in table_entry(user).toolTip())
        assert not table_entry(user).isEnabled()
        generate.turn_to_view(0)
    text.write_text(words, encoding="utf-8")
    generate.turn_to_view(1)
    user.wait(lambda: table_entry(user).isEnabled())
    text.unlink()  # after it was found
    generate.pick_compared(1, OFFERED)
    user.click(generate.compare_button)
    user.wait(lambda: "does not exist" in user.reads("pair_notice"))
    assert not generate.comparing


def test_that_the_table_has_the_vocabulary_of_the_run_and_follows_the_model_on_the_other_side(
    user, study_once, tiny, model, own_text
):
    # The vocabulary of the run.
    config = tiny.but(vocabulary="own", vocab_size=300)
    source = SavedModel(study_once("Own", config=config).newest_checkpoint())
    tokenizer = run_text.run_of(source).tokenizer()
    generate = compare(user, source)
    user.wait(generate.compare_table_button.isEnabled)
    user.click(generate.compare_table_button)
    user.wait(lambda: not generate.comparing)
    assert max(max(cell.ids) for cell in table_cells(generate)) < tokenizer.size < GPT2.size
    rows = user.find("pair_prompt_bars").rows
    assert rows[-1].name == tokenizer.visible(tokenizer.encode(PROMPT)[-1])

    # The table follows the other side.
    _, other = own_text
    generate = compare(user, model, other)
    choose(user, model)
    user.wait(lambda: table_entry(user).isEnabled())
    generate.pick_compared(1, OFFERED)
    assert generate.view.pair.sides[1].source() == TextNgrams(run_text.run_of(model).path)
    choose(user, other)
    assert not generate.compare_button.isEnabled(), "until its text is read"
    user.wait(generate.compare_button.isEnabled)
    assert generate.view.pair.sides[1].source() == TextNgrams(run_text.run_of(other).path)
    assert generate.compared_boxes[1].currentText() == "Sea  ·  table of 3-grams"
    user.window.library.refresh_models()
    assert generate.compared_boxes[1].currentText() == "Sea  ·  table of 3-grams", "new models are offered"
    generate.pick_compared(0, "Untrained")
    assert "untrained" in generate.compare_button.toolTip()
    generate.pick_compared(1, "Untrained")
    assert generate.compare_button.isEnabled()
