"""Decoding: a token at a time, with all that could have come instead."""

import numpy as np
import pytest
import torch

from gptstudio.errors import UserError
from gptstudio.gpt import sampling, tokenizer
from gptstudio.gpt.config import GPTConfig
from gptstudio.gpt.model import GPTModel
from gptstudio.runs.control import Control, Dials
from gptstudio.runs.events import PhaseChanged, PromptRead, TokenDrawn
from gptstudio.runs.executor import execute
from gptstudio.runs.generator import generate, greedy
from gptstudio.runs.seeding import RandomStream
from gptstudio.runs.spec import GenerateSpec

TINY = GPTConfig(context_length=8, emb_dim=16, n_heads=2, n_layers=1)
PROMPT = "Every effort moves you"


@pytest.fixture(scope="module")
def models():
    """The same weights on both paths."""
    with RandomStream(1).active():
        reference = GPTModel(TINY, "reference").eval()
    fast = GPTModel(TINY, "fast").eval()
    fast.load_state_dict(reference.state_dict())
    return {"reference": reference, "fast": fast}


@pytest.fixture
def write(models):
    def run(control=None, path="fast", on_event=lambda event: None, model=None, **changes):
        spec = GenerateSpec(**({"prompt": PROMPT, "max_new_tokens": 20} | changes))
        events = []
        stream = generate(spec, "tiny", lambda: model or models[path], control or Control())
        ended = execute(stream, [events.append, on_event])
        return [event for event in events if isinstance(event, TokenDrawn)], events, ended

    return run


def test_that_the_prompt_is_told_first_and_every_token_after(write):
    drawn, events, ended = write()
    assert [type(event) for event in events[:4]] == [PhaseChanged, PromptRead, PhaseChanged, TokenDrawn]
    assert [event.phase for event in events if isinstance(event, PhaseChanged)] == ["loading", "generating"]
    assert [piece.id for piece in events[1].pieces] == tokenizer.encode(PROMPT)
    assert "".join(piece.text for piece in events[1].pieces) == PROMPT
    assert events[1].dropped == 0
    assert [event.position for event in drawn] == list(range(4, 24))
    assert ended.outcome == "finished"


def test_that_the_same_seed_writes_the_same_and_another_does_not(write):
    def ids(**changes):
        return [event.id for event in write(**changes)[0]]

    assert ids(seed=1) == ids(seed=1) != ids(seed=2)


def test_that_both_paths_write_the_same_also_past_the_context(write):
    fast, reference = write(path="fast")[0], write(path="reference")[0]
    assert [event.id for event in fast] == [event.id for event in reference]
    for one, other in zip(fast, reference, strict=True):
        assert np.allclose(one.logits, other.logits, rtol=0, atol=1e-4)


def test_that_temperature_zero_is_greedy(write, models):
    ids = tokenizer.encode(PROMPT) + [event.id for event in write(temperature=0.0)[0]]
    assert ids == greedy(models["fast"], tokenizer.encode(PROMPT), 20)


def test_that_a_token_is_told_with_what_it_was_drawn_from(write):
    for event in write(temperature=0.7, top_k=5)[0]:
        stages = sampling.distribution(event.logits, 0.7, 5)
        assert event.probability == pytest.approx(stages.probabilities[event.id])
        assert stages.kept[event.id]
        assert event.entropy_bits == pytest.approx(stages.entropy_bits)
        assert (event.temperature, event.top_k) == (0.7, 5)
        assert event.text == tokenizer.decode([event.id])
        assert [other.id for other in event.alternatives] == stages.likeliest(10).tolist()
        assert [other.probability for other in event.alternatives] == pytest.approx(stages.plain[stages.likeliest(10)])
        assert event.logits.dtype == np.float32
        assert event.took_s >= 0


def test_that_a_dial_turned_holds_from_the_next_token_on(write):
    control = Control()

    def turn(event):
        if isinstance(event, TokenDrawn) and event.position == 9:
            control.dials = Dials(0.0, None)

    drawn = write(control, on_event=turn)[0]
    assert {event.temperature for event in drawn[:6]} == {1.0}
    assert {event.temperature for event in drawn[6:]} == {0.0}
    assert all(event.probability == 1.0 for event in drawn[6:])


def test_that_dials_set_before_the_start_hold(write):
    control = Control()
    control.dials = Dials(0.0, 3)
    assert {(event.temperature, event.top_k) for event in write(control)[0]} == {(0.0, 3)}


def test_that_a_stop_ends_it_before_the_next_token(write):
    control = Control()

    def stop(event):
        if isinstance(event, TokenDrawn) and event.position == 6:
            control.stop()

    drawn, events, ended = write(control, on_event=stop)
    assert ended.outcome == "stopped"
    assert [event.position for event in drawn] == [4, 5, 6]
    assert events[-1] is ended


def test_that_a_prompt_longer_than_the_context_says_what_is_dropped(write, models):
    long = PROMPT + " and so on and on and on and on"
    drawn, events, _ = write(prompt=long, temperature=0.0, max_new_tokens=2)
    ids = tokenizer.encode(long)
    assert events[1].dropped == len(ids) - 8
    assert len(events[1].pieces) == len(ids)
    with torch.no_grad():
        assert drawn[0].id == models["reference"](torch.tensor([ids[-8:]]))[0, -1].argmax()


def test_that_half_characters_are_told_as_replacements(write):
    _, events, _ = write(prompt="😀")
    assert "\ufffd" in events[1].pieces[0].text


def test_that_an_empty_prompt_is_refused_before_a_model_is_opened():
    def nobody():
        raise AssertionError("a model was opened")

    with pytest.raises(UserError, match="The prompt is empty"):
        list(generate(GenerateSpec(prompt=""), "tiny", nobody, Control()))


def test_that_a_model_without_the_whole_vocabulary_says_so(write):
    small = GPTModel(TINY.but(vocab_size=5000), "fast").eval()
    ended = write(model=small)[2]
    assert (ended.outcome, ended.user_error) == ("failed", True)
    assert "6,109 (Every)" in ended.words
    assert "below 5,000 only" in ended.words


def test_that_broken_weights_end_in_words_and_not_in_nonsense(write):
    broken = GPTModel(TINY, "fast").eval()
    torch.nn.init.constant_(broken.final_norm.scale, float("nan"))
    ended = write(model=broken)[2]
    assert ended.outcome == "failed"
    assert "logits that are not numbers" in ended.words
