"""The pane Two prompts: patches, scores heads, reports unsuitable input, and shows the figures of the core."""

import csv
import re
import time
from dataclasses import replace

import numpy as np
import pytest
from pages.page import Page
from pages.two_prompts import TwoPromptsPage

from gptstudio.gpt.tokenizer import GPT2
from gptstudio.gui.canvas.canvas import Cell
from gptstudio.gui.generate.causal import two_prompts
from gptstudio.inference import induction, patching
from gptstudio.inference.prompt_pair import PromptPair
from gptstudio.inference.spec import GenerateSpec

FIRST_PAGE = "generate"
ALL_WORDS = True


@pytest.fixture
def pane(writer) -> TwoPromptsPage:
    writer.generate.open_pane("two_prompts")
    return TwoPromptsPage(writer)


def model_of(pane: Page):
    """Return the model that answered last."""
    (decoder,) = pane.user.generate.models_kept.values()
    return decoder.model


@pytest.mark.parametrize("example", two_prompts.EXAMPLES, ids=lambda example: example.title)
def test_that_every_example_has_equal_lengths_and_single_tokens(example):
    pair = PromptPair.of(example.clean, example.corrupted)
    assert len(pair.clean) == len(pair.corrupted)
    assert all(len(GPT2.encode(each)) == 1 for each in (example.answer, example.wrong) if each)


def test_that_prompts_are_patched_a_cell_is_read_figures_are_saved_and_heads_are_shown(pane, saved):
    pane.show_example(2)
    assert pane.find("two_prompts_tokens").table()[3] == ("␣white", "␣black")
    pane.go()
    answer = patching.patch(
        model_of(pane), PromptPair.of(two_prompts.EXAMPLES[2].clean, two_prompts.EXAMPLES[2].corrupted), "resid",
        *(GPT2.encode(each)[0] for each in (" white", " black")))
    assert pane.map.grid.values == pytest.approx(answer.recovered)
    assert "“␣white”" in pane.reads("two_prompts_summary")
    pane.click_cell(pane.map, Cell(0, 3))
    assert "Position 3" in pane.reads("two_prompts_chosen")
    assert "recovered share 100.0\N{NO-BREAK SPACE}%" in pane.reads("two_prompts_chosen")
    first = answer.candidates(0, 3)[0]
    assert [bar.value for bar in pane.bars.bars.rows[0].bars] == pytest.approx(first[1:])
    pane.user.click(pane.export)
    rows = list(csv.DictReader(saved.with_suffix(".csv").open(encoding="utf-8")))
    assert [float(row["recovered"]) for row in rows] == pytest.approx(answer.recovered.flatten().tolist())
    assert "Saved" in pane.user.saved.words
    pane.user.type("two_prompts_answer", " black")
    assert "Press Patch to compute them again" in pane.reads("two_prompts_stale")
    pane.switch_to(3)
    assert not pane.map.isVisible(), "what was computed was something else"
    pane.user.type("two_prompts_wrong", " white")
    pane.go()
    assert pane.map.grid.values.shape == (*answer.recovered.shape[:1], model_of(pane).cfg.n_heads)
    assert "Head 1 of layer 1" in pane.map.words(Cell(0, 0))


def test_that_the_shown_prompt_is_offered_and_unsuitable_prompts_are_reported_before_the_button_is_pressed(pane):
    pane.user.generate.write(2, "Every effort")
    assert pane.find("two_prompts_clean").text() == "Every effort"
    pane.user.type("two_prompts_clean", "mine")
    pane.user.generate.write(2, "Every other effort")
    assert pane.find("two_prompts_clean").text() == "mine"

    # Prompts that cannot be compared.
    pane.user.type("two_prompts_clean", "one two")
    assert not pane.go_button.isEnabled()
    pane.user.type("two_prompts_corrupted", "one two three")
    assert "has 2 tokens and the corrupted one 3" in pane.reads("two_prompts_problem")
    assert "has 2 tokens" in pane.go_button.toolTip()
    pane.user.type("two_prompts_corrupted", "one six")
    assert pane.go_button.isEnabled()
    pane.user.type("two_prompts_answer", " two words")
    assert "is not one token but 2" in pane.reads("two_prompts_problem")
    pane.user.type("two_prompts_answer", "")
    for name, word in (("clean", "one"), ("corrupted", "six")):
        pane.find(f"two_prompts_{name}").setText("go" + " go" * 19 + f" {word}")
    pane.go()
    assert "Tokens of each that the model does not see: 5." in pane.reads("two_prompts_notice")


def test_that_it_can_be_stopped_and_pressed_again(pane, monkeypatch):
    plain = patching.batches

    def slowly(*given):
        for each in plain(*given):
            time.sleep(0.2)
            yield each

    monkeypatch.setattr(patching, "batches", slowly)
    monkeypatch.setattr(two_prompts, "WORTH_SAYING_S", 0)
    monkeypatch.setattr(patching, "BYTES_AT_ONCE", 1)
    pane.show_example(0)
    pane.user.click(pane.go_button)
    assert not pane.go_button.isEnabled()
    pane.user.wait(lambda: pane.reads("two_prompts_left"))
    assert re.fullmatch(r"about \d+ s left", pane.reads("two_prompts_left"))
    pane.user.click(pane.stop_button)
    pane.user.wait(lambda: not pane.running)
    assert "Stopped before the end" in pane.reads("two_prompts_refusal")
    monkeypatch.setattr(patching, "batches", plain)
    pane.go()
    assert pane.map.isVisible()
    assert pane.reads("two_prompts_refusal") == ""


def test_that_prompts_without_a_difference_are_reported_and_heads_are_scored_and_named_without_prompts(
    pane, monkeypatch
):
    # No difference: nothing is divided.
    monkeypatch.setattr(patching, "LEAST_DIFFERENCE", 1e9)
    pane.show_example(1)
    pane.go()
    assert "makes no difference between the prompts" in pane.reads("two_prompts_notice")
    assert np.isnan(pane.map.grid.values).all()
    pane.user.click(pane.find("two_prompts_measure_1"))
    assert np.isfinite(pane.map.grid.values).all()

    # Heads above the threshold are named.
    pane.switch_to(4)
    assert not pane.find("two_prompts_clean").isVisible()
    pane.go()
    found = induction.induction(model_of(pane), GenerateSpec().seed)
    assert pane.scores.grid.values == pytest.approx(found.scores["induction"])
    assert "0 of" in pane.reads("induction_summary")
    high = np.zeros_like(found.scores["induction"])
    high[0, -1] = 0.9
    pane.widget.heads.show_found(replace(found, scores=found.scores | {"induction": high}))
    assert "1 of" in pane.reads("induction_summary")
    assert pane.best.rows[0].dot
    assert not pane.best.rows[1].dot
    assert "(induction head)" in pane.scores.words(Cell(0, high.shape[1] - 1))
