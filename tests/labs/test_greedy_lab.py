"""Greedy decoding one step at a time, compared with the loop of the generator. The figures: ``test_printed.py``."""

import pytest
import torch
from lab_output import ran

from gptstudio import devices
from gptstudio.gpt.config import PRESETS, GPTConfig
from gptstudio.gpt.decoder import greedy
from gptstudio.gpt.tokenizer import GPT2
from gptstudio.labs import generate
from gptstudio.labs.generate import AFTER_A_FORWARD, BOOK_MODEL, LAB, WITH_BIAS, GreedyRequest, answer
from gptstudio.training.model_source import UntrainedModel, load

TINY = GPTConfig(context_length=8, emb_dim=16, n_heads=2, n_layers=1)


@pytest.fixture(scope="module")
def tiny():
    return load(UntrainedModel(TINY), devices.cpu(), "reference")


def test_that_the_books_requests_are_the_printed_ones(numbers):
    untrained = numbers["models"]["untrained_greedy"]
    assert AFTER_A_FORWARD in numbers["models"]
    for example in LAB.examples:
        assert (example.request.prompt, example.request.new_tokens) == (untrained["prompt"], untrained["new_tokens"])


@pytest.mark.parametrize("context", [None, 1, 3, 100])
def test_that_each_step_appends_the_largest_logit_of_the_visible_tokens(tiny, context):
    found = answer(GreedyRequest(prompt="one two three four", new_tokens=9, context=context), tiny)
    reads = min(context or 8, 8)
    assert len(found.ids) == found.prompt_tokens + 9
    for step in found.steps:
        seen = torch.tensor([found.ids[: step.end]])[:, -reads:]
        with torch.no_grad():
            logits = tiny(seen)[0, -1]
        assert step.begin == max(0, step.end - reads)
        assert step.chosen == found.ids[step.end] == int(logits.argmax()) == step.top[0]
        values, places = logits.topk(10)
        assert step.logits == pytest.approx(values.numpy(), abs=1e-5)
        assert step.top.tolist() == places.tolist()
        assert step.probabilities == pytest.approx(torch.softmax(logits, 0)[places].numpy(), rel=1e-4)


def test_that_it_is_the_generators_own_greedy_text(tiny):
    found = answer(GreedyRequest(prompt="Hello", new_tokens=5), tiny)
    assert list(found.ids) == greedy(tiny, GPT2.encode("Hello"), 5)
    assert found.text == GPT2.decode(found.ids)
    assert found.pieces == tuple(map(GPT2.visible, found.ids))


@pytest.mark.parametrize("story", ["chosen", "with bias"])
def test_that_the_code_computes_the_answer(monkeypatch, story):
    """With a smaller model; ``test_printed.py`` compares the answers of the book's models with the printed ones."""
    assert UntrainedModel(PRESETS["gpt2-small"].but(qkv_bias=True), seed=BOOK_MODEL.seed) == WITH_BIAS
    monkeypatch.setattr(generate, "WITH_BIAS", UntrainedModel(TINY.but(qkv_bias=True)))
    short = GreedyRequest(prompt='Say "no"', new_tokens=3, context=2, story=story)
    found = answer(short, load(UntrainedModel(TINY), devices.cpu(), "reference"))
    monkeypatch.setitem(PRESETS, "gpt2-small", TINY)
    assert ran(LAB, short)["ids"] == list(found.ids)


def test_that_greedy_decoding_changes_no_other_random_numbers(tiny, monkeypatch):
    monkeypatch.setattr(generate, "WITH_BIAS", UntrainedModel(TINY.but(qkv_bias=True)))
    before = torch.get_rng_state()
    answer(LAB.examples[1].request, tiny)
    assert torch.equal(before, torch.get_rng_state())
