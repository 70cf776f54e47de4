"""Attention on the text, and the strip from the embedding to the logits."""

import numpy as np
import pytest
from PySide6.QtCore import Qt
from PySide6.QtTest import QTest

from gptstudio.gpt.config import GPTConfig
from gptstudio.gpt.tokenizer import GPT2
from gptstudio.gui.generate.interpret.layers import FlowStrip
from gptstudio.gui.theme import theme
from gptstudio.gui.translation import percent
from gptstudio.inference.flow import AttentionSource, FlowStep
from gptstudio.inference.interpret import logit_lens, text_attention

FIRST_PAGE = "generate"
CONFIG = GPTConfig(context_length=32, emb_dim=16, n_heads=2, n_layers=3, drop_rate=0.0)
PROMPT = "Every effort moves you forward"
CURSOR = 4


@pytest.fixture
def page(user):
    """The user of a window with a text of a tiny model and a chosen token."""
    user.window.state.config = CONFIG
    user.generate.write(3, PROMPT)
    user.generate.choose(CURSOR)
    return user


def test_that_the_text_shows_the_attention_of_the_token_under_the_pointer(page):
    shown, ids = page.text_attention, page.generate.text.ids
    page.generate.open_pane("attention")
    page.wait(lambda: shown.layer.count() == CONFIG.n_layers)
    assert not shown.source.isEnabled()
    assert not shown.arcs.isEnabled()
    page.click(shown.on)
    shown.wait_for("head")
    assert shown.colours.currentData() == "attention"
    model = shown.model()

    def expected(position: int, source: AttentionSource) -> list[float | None]:
        row = text_attention(model, ids, source).weights[position, : position + 1]
        return [*np.sqrt(row / row.max()).tolist(), *[None] * (len(ids) - position - 1)]

    head = AttentionSource("head", 0, 0)
    assert shown.shares() == pytest.approx(expected(CURSOR, head), abs=1e-5)
    asked = shown.query
    shown.hover(2)
    assert shown.shares() == pytest.approx(expected(2, head), abs=1e-5)
    shown.leave()
    assert shown.shares() == pytest.approx(expected(CURSOR, head), abs=1e-5)
    assert shown.query is asked, "one answer has the rows of all tokens"

    page.choose(shown.source, "Mean of the layer")
    shown.wait_for("mean")
    page.choose(shown.layer, "Layer 2")
    page.wait(lambda: shown.query.source == AttentionSource("mean", 1))
    assert shown.shares() == pytest.approx(expected(CURSOR, shown.query.source), abs=1e-5)
    page.choose(shown.source, "Rollout")
    shown.wait_for("rollout")
    rollout = text_attention(model, ids, AttentionSource("rollout"))
    assert shown.shares() == pytest.approx(expected(CURSOR, AttentionSource("rollout")), abs=1e-5)
    caption = "Attends most to: " + ",  ".join(
        f"“{GPT2.visible(ids[at])}” {percent(weight)}" for at, weight in rollout.most(CURSOR, 3))
    assert caption in shown.strip.accessibleDescription()
    assert caption in shown.strip.words(CURSOR)

    height = shown.strip.minimumHeight()
    page.click(shown.arcs)
    assert shown.strip.minimumHeight() > height, "the arcs have their space"
    assert shown.colours_above() > 1
    shown.hover(0)  # which attends only to itself
    assert shown.colours_above() == 1
    page.click(shown.on)
    assert (shown.colours.currentData(), shown.strip.minimumHeight()) == ("surprise", height)
    assert "Attends" not in shown.strip.words(CURSOR)


def test_that_each_stage_leads_to_its_pane_and_beyond_the_context_the_row_is_of_the_input_at_the_token(page):
    shown, ids = page.text_attention, page.generate.text.ids
    page.generate.open_pane("layers")
    page.wait(lambda: len(shown.flow.steps) == CONFIG.n_layers + 2)
    lens = logit_lens(shown.model(), ids)
    read = CURSOR - 1  # the chosen token was predicted from there
    first, second, last = shown.flow.steps[0], shown.flow.steps[2], shown.flow.steps[-1]
    assert first.norm == pytest.approx(lens.norms[0, read], rel=1e-5)
    assert second.updates == pytest.approx(lens.updates[1, :, read], rel=1e-4)
    assert last.token == lens.ids[-1, read, 0]
    tip = shown.point_at_stage(2)
    assert tip.startswith("Layer 2 (blocks.1)")
    assert f"Attention writes {second.updates[0]:.3g}, {percent(second.shares[0])} of the stream" in tip
    assert f"“{GPT2.visible(second.token)}” {percent(second.probability)}" in tip
    assert shown.flow.accessibleDescription() == shown.flow.words(2)
    shown.click_stage(2)
    assert page.generate.open_pane_name == "attention"
    page.wait(lambda: shown.layer.currentText() == "Layer 2")
    page.generate.open_pane("layers")
    shown.flow.setFocus(Qt.FocusReason.TabFocusReason)
    QTest.keyClick(shown.flow, Qt.Key.Key_End)
    QTest.keyClick(shown.flow, Qt.Key.Key_Return)
    assert page.generate.open_pane_name == "choices"
    page.generate.open_pane("layers")
    shown.click_stage(0)
    assert page.generate.open_pane_name == "neighbours"
    page.wait(lambda: shown.neighbours_answer is not None)
    assert shown.neighbours_answer.after.token == ids[read]
    page.generate.open_pane("layers")
    shown.flow.setFocus(Qt.FocusReason.TabFocusReason)
    QTest.keyClick(shown.flow, Qt.Key.Key_Home)
    shown.choose_experiment("Embeddings")
    assert page.window.state.page == "learn"

    # Beyond the context.
    page.go_to("generate")
    page.generate.write(8, "effort moves you " * 12)
    ids = page.generate.text.ids
    assert len(ids) > CONFIG.context_length
    page.choose(shown.colours, "Attention")
    shown.wait_for("head")
    assert shown.answer.read == CONFIG.context_length
    page.generate.choose(len(ids) - 3)
    page.wait(lambda: shown.answer is not None and len(shown.query.ids) == len(ids) - 2)
    shares = shown.shares()
    first = len(ids) - 2 - CONFIG.context_length
    assert shares[:first] == [None] * first
    assert None not in shares[first:-2]
    assert shares[-2:] == [None, None]


def test_that_many_layers_scroll_and_few_share_the_width(application, qtbot):
    strip = FlowStrip()
    qtbot.addWidget(strip)
    theme.dress(strip)
    strip.resize(700, 100)
    strip.show()
    wild = FlowStep(0, float("inf"), (float("inf"), 0.0), (0.0, 0.0), 11, 1.0)
    for layers in (1, 5, 48):
        strip.show_steps([wild._replace(layer=None) if at in (0, layers + 1) else wild._replace(layer=at - 1)
                          for at in range(layers + 2)], 11, None)
        strip.grab()
        bar = strip.horizontalScrollBar()
        assert (bar.maximum() > 0) == (layers == 48)
        strip.setFocus(Qt.FocusReason.TabFocusReason)
        QTest.keyClick(strip, Qt.Key.Key_End)
        assert bar.value() >= bar.maximum() - 1
        assert strip.viewport().rect().contains(strip.place(layers + 1).toAlignedRect())
        QTest.keyClick(strip, Qt.Key.Key_Home)
        assert bar.value() <= 1
    strip.show_steps([wild._replace(layer=None, norm=3021.7)], 11, None)
    assert "3,020" in strip.words(0), "the size of GPT-2's stream at its first token; no 3.02e+03"
