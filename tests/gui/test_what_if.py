"""The pane "What if": parts of the model are switched off, and the effect is shown at once."""

from itertools import product

import numpy as np
import pytest
import torch
from PySide6.QtCore import QRect, Qt
from PySide6.QtWidgets import QApplication, QWidget

from gptstudio.gpt.config import GPTConfig
from gptstudio.gpt.sampling.sampler import distribution
from gptstudio.gpt.tokenizer import GPT2
from gptstudio.gui.generate.causal.change_controls import component_name
from gptstudio.gui.theme import colour
from gptstudio.inference import intervening, tree_files
from gptstudio.inference.intervening import means_for
from gptstudio.inference.interventions import Component, Intervention, Interventions
from gptstudio.inference.next_token import effects

FIRST_PAGE = "generate"
CONFIG = GPTConfig(context_length=32, emb_dim=16, n_heads=2, n_layers=3, drop_rate=0.0)
HEAD = Component(1, 1)


def colours_of(widget: QWidget, place: QRect) -> list[str]:
    """Return, for each painted point of a bar, "above" or "below" zero, by its colour."""
    picture, names = widget.grab().toImage().copy(place), {"training": "above", "validation": "below"}
    words = {colour(name).rgb(): word for name, word in names.items()}
    points = product(range(16, picture.width()), range(picture.height()))  # a dot may precede the name
    return [words[rgb] for point in points if (rgb := picture.pixelColor(*point).rgb()) in words]


@pytest.fixture
def page(user):
    """The user of a window with a text of a tiny model and the open pane below it."""
    user.window.state.config = CONFIG
    user.generate.write(4, "Every effort moves you")
    user.what_if.open()
    return user


def test_that_the_next_tokens_are_beside_the_diagram_and_details_are_folded_unless_they_are_changed(page):
    # The most probable next tokens, before and after.
    bars = page.find("what_if_tokens")
    assert page.find("what_if_hint").isVisible()
    assert not bars.isVisible()
    page.what_if.switch(HEAD)
    page.wait(bars.isVisible)
    model, ids = page.what_if.model(), page.generate.text.ids
    context = ids[: page.generate.text.snapshot.cursor]
    off = Interventions(changes=(Intervention.of(HEAD),))
    before, after = (
        torch.softmax(intervening.changed_logits(model, context, changes)[-1].double(), dim=-1).numpy()
        for changes in (Interventions(), off))
    listed = np.argsort(-np.maximum(before, after), kind="stable")[:5].tolist()
    assert [row.name for row in bars.rows] == [GPT2.visible(token) for token in listed]
    shown = np.array([[bar.value for bar in row.bars] for row in bars.rows])
    assert shown == pytest.approx(np.stack([before[listed], after[listed]], axis=1), rel=1e-3)
    page.click(page.what_if.reset)
    page.wait(page.find("what_if_hint").isVisible)

    # Details are folded unless they are changed.
    details = "what_if_baseline", "what_if_pattern", "what_if_permute", "what_if_names"
    assert not any(page.find(name).isVisible() for name in details)
    page.click(page.find("what_if_more"))
    assert all(page.find(name).isVisible() for name in details)
    page.click(page.what_if.permute_box)
    page.click(page.find("what_if_more"))
    assert [name for name in details if page.find(name).isVisible()] == ["what_if_permute"]


def test_that_slider_mean_attention_positions_and_embedding_are_separate_changes(page):
    what_if = page.what_if
    page.click(page.find("what_if_more"))
    page.what_if.switch(HEAD)
    what_if.controls.slider.setValue(150)
    page.choose(what_if.controls.baseline, "its mean")
    page.choose(what_if.controls.pattern, "Previous token")
    page.click(what_if.permute_box)
    page.type("what_if_word", " cat")
    page.press(Qt.Key.Key_Return)
    made = page.what_if.interventions
    assert [each.kind for each in made.changes] == ["scale", "pattern", "positions", "embedding"]
    assert made.of(HEAD)[0] == Intervention.of(HEAD, 1.5, "mean")
    assert "is read as “␣cat”" in page.reads("what_if_summary")
    page.wait(lambda: page.what_if.reading and not page.what_if.why_not)
    page.type("what_if_word", "two words")
    page.press(Qt.Key.Key_Return)
    assert "is not one token but 2" in page.reads("what_if_word_notice")
    page.click(what_if.restore)
    what_if.controls.slider.setValue(100)
    assert [each.kind for each in page.what_if.interventions.changes] == ["pattern", "positions"]
    page.click(what_if.reset)
    assert not page.what_if.interventions
    what_if.map.select(Component(0))
    page.what_if.switch(Component(0))
    assert not what_if.controls.pattern.isEnabled(), "a feed-forward network attends to nothing"


def test_that_the_map_counts_from_one_and_a_click_switches_a_head_off_and_everything_shows_the_effect(page):
    # The map counts layers and heads from one, as the list beside it.
    (_, *heads), *rows = page.what_if.map.table()
    layers, (_, columns) = [row[0] for row in rows], page.what_if.map.grid.shape
    assert layers == [f"Layer {layer}" for layer in range(len(layers), 0, -1)]
    assert heads == [*(f"Head {head}" for head in range(1, columns)), "MLP"]

    # A click switches a head off.
    what_if, choices = page.what_if, page.generate.view.choices
    assert "Nothing is changed" in page.reads("what_if_summary")
    page.what_if.switch(HEAD)
    page.wait(lambda: page.what_if.reading)
    assert page.reads("what_if_summary") == "Layer 2, head 2 (blocks.1.attn.head.1): off"
    reading, cursor = page.what_if.reading, page.generate.text.snapshot.cursor
    model = page.what_if.model()
    expected = intervening.changed_logits(
        model, page.generate.text.ids[:cursor], Interventions(changes=(Intervention.of(HEAD),)))[-1]
    assert reading.changed.logits == pytest.approx(expected.numpy(), abs=1e-5)
    assert " → " in page.reads("what_if_outcome")

    page.generate.open_pane("choices")
    row = choices.table.stages.rows[0]
    after = distribution(expected.numpy(), page.generate.sampling_params, page.generate.text.ids[:cursor]).probabilities
    assert row.changed == pytest.approx(after[row.token], abs=1e-5)
    page.generate.view.transport.colours.setCurrentIndex(page.generate.view.transport.colours.findData("change"))
    strip = page.generate.strip
    share = strip.scale_in_force.share_of(strip.boxes[cursor].node.reading)
    assert share == pytest.approx(0.5 + reading.differences[cursor] / 8, abs=1e-5)
    assert strip.scale_in_force.share_of(strip.boxes[0].node.reading) is None

    page.generate.undo()
    page.wait(lambda: page.what_if.reading is None)
    assert choices.table.stages.rows[0].changed is None
    assert not page.what_if.interventions
    page.generate.redo()
    assert page.what_if.interventions.of(HEAD)
    page.what_if.open()
    page.what_if.switch(HEAD)
    assert not page.what_if.interventions, "a second click switches it on again"
    assert what_if.map.selected == HEAD


def test_that_changes_are_kept_by_name_with_the_text_as_equivalent_code_and_belong_to_one_model(page, tmp_path):
    what_if = page.what_if
    page.click(page.find("what_if_more"))
    page.what_if.switch(HEAD)
    page.choose(what_if.controls.baseline, "its mean")
    page.choose(what_if.controls.pattern, "Itself")
    page.what_if.switch(Component(2))
    page.click(what_if.permute_box)
    what_if.names.lineEdit().setText("no second head")
    page.click(what_if.keep)
    made = page.what_if.interventions
    page.generate.export_tree(tmp_path / "tree.json")
    page.wait(lambda: (tmp_path / "tree.json").exists())
    assert tree_files.load(tmp_path / "tree.json").interventions == {"no second head": made}
    page.click(what_if.reset)
    what_if.names.textActivated.emit("no second head")  # as when it is picked from the open list
    assert page.what_if.interventions == made

    page.click(what_if.code)
    page.wait(lambda: page.what_if.reading)
    code, ids = QApplication.clipboard().text(), page.generate.text.ids
    assert "gptstudio" not in code
    model, printed = page.what_if.model("reference"), []
    exec(compile(code, "code", "exec"), {"model": model, "print": lambda *each: printed.append(each)})
    expected = torch.softmax(intervening.changed_logits(model, ids, made, means_for(model, made, ids))[-1], dim=-1)
    assert [token for _, token in printed] == torch.topk(expected, 10).indices.tolist()
    page.click(what_if.remove)
    assert page.generate.text.snapshot.tree.interventions == {}

    # A head that is off in one model is on in another.
    page.click(what_if.reset)
    page.what_if.switch(HEAD)
    page.generate.write(3, "Another prompt")
    assert page.what_if.interventions.of(HEAD), "another text of the same model"
    page.window.state.config = CONFIG.but(n_layers=2)
    page.generate.write(3, "Another prompt")
    assert not page.what_if.interventions
    page.generate.undo()
    assert page.what_if.interventions.of(HEAD), "nothing is lost"


def test_that_the_text_is_generated_with_and_without_a_change_and_effects_are_listed_marked_and_exported(
    page, saved
):
    # Both texts are drawn with the same random numbers.
    page.generate.choose(3)
    written = [node.id for node in page.generate.text.path[4:]]
    page.what_if.switch(Component(0))
    page.generate.set(max_new_tokens=None)
    page.click(page.what_if.generate)
    assert page.reads("what_if_notice") == page.window.state.generate_problems[0].message
    page.generate.set(max_new_tokens=4)
    page.click(page.what_if.generate)
    page.wait(lambda: page.reads("what_if_changed"))
    assert page.reads("what_if_plain").replace("│", "") == GPT2.decode(written).replace("\n", " ↵ ")
    assert "diverge" in page.reads("what_if_parted") or "same" in page.reads("what_if_parted")

    # The effects of all components.
    page.click(page.what_if.reset)
    what_if = page.what_if
    page.click(what_if.side.button(1))
    page.click(what_if.compute)
    page.wait(lambda: what_if.effects.list.isVisible())
    *text, token = page.generate.text.ids[: page.generate.text.snapshot.cursor + 1]
    expected = effects(page.what_if.model(), text, token)
    assert np.allclose(what_if.map.grid.values[::-1], expected.ablation, atol=1e-5)
    largest = component_name(expected.by_component()[0][0])
    shown = what_if.effects.list
    assert shown.rows[0].name == largest
    place = next(n for n, row in enumerate(shown.rows) if row.bars[0].value < 0)
    page.wait(lambda: "below" in colours_of(shown, shown.place(place).toRect()))  # once it has its width
    assert "above" not in colours_of(shown, shown.place(place).toRect())
    assert "−" in shown.rows[place].figures[0]
    page.click(what_if.effects.method.button(1))
    assert np.allclose(what_if.map.grid.values[::-1], expected.attribution, atol=1e-5)
    assert "the logit" in page.reads("effects_sum")
    page.click(what_if.save_effects)
    rows = saved.with_suffix(".csv").read_text().splitlines()
    assert rows[0] == "component,ablation,attribution,gradient"
    assert len(rows) == 1 + 3 * 3
    what_if.effects.list.taken.emit(0)
    page.generate.choose(0)
    assert not what_if.effects.compute.isEnabled(), "the model predicts no first token"
