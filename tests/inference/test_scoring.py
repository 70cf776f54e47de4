"""Scoring a text, compared with an independent computation: each window at once, and a plain loop over its tokens."""

import math

import pytest
import torch
from messages import message

from gptstudio.gpt.config import VOCAB_SIZE, GPTConfig
from gptstudio.gpt.decoder import Decoder
from gptstudio.gpt.fast import build_model
from gptstudio.gpt.model import GPTModel
from gptstudio.gpt.tokenizer import GPT2
from gptstudio.inference import scoring
from gptstudio.torch_settings import RandomStream
from gptstudio.training.control import Control
from gptstudio.training.events import PhaseChanged, PromptRead, TokenRead
from gptstudio.training.executor import execute

CONTEXT = 16
TINY = GPTConfig(context_length=CONTEXT, emb_dim=16, n_heads=2, n_layers=2)
SENTENCE = "I HAD always thought Jack Gisburn rather a cheap genius--though a good fellow enough."
LONG = " ".join([SENTENCE, "It was not that my hostess was interesting, on that point I could have trusted her."] * 3)


def build(config: GPTConfig = TINY, path: str = "fast") -> GPTModel:
    with RandomStream(1).active():
        model = build_model(config, path).eval()
    with torch.no_grad():
        model.out_head.weight.mul_(8)  # otherwise all tokens have nearly the same probability
    return model


@pytest.fixture(scope="module")
def model() -> GPTModel:
    return build()


@pytest.fixture
def score(model):
    """Return a function that scores a text and returns its readings, all events, and the end."""

    def run(text, model=model, control=None, on_event=lambda event: None, stride=None):
        events = []
        stream = scoring.score(text, lambda: Decoder(model, "tiny"), control or Control(), stride)
        ended = execute(stream, [events.append, on_event])
        return [event for event in events if isinstance(event, TokenRead)], events, ended

    return run


def expected(model: GPTModel, ids: list[int], stride: int = CONTEXT // 2) -> dict[int, tuple[float, int, float]]:
    """Return position -> log2 of the probability, rank, entropy in bits; each from the first window that contains
    it."""
    found: dict[int, tuple[float, int, float]] = {}
    context = model.cfg.context_length
    for begin in range(0, len(ids), stride):
        window = ids[begin : begin + context]
        with torch.no_grad():
            logits = model(torch.tensor([window]))[0].double()
        for i, token in enumerate(window[1:], start=1):
            logs = torch.log_softmax(logits[i - 1], dim=0) / math.log(2)
            rank = 1 + int((logits[i - 1] > logits[i - 1, token]).sum())
            found.setdefault(begin + i, (logs[token].item(), rank, -(logs.exp2() * logs).sum().item()))
    return found


@pytest.mark.slow
@pytest.mark.parametrize("path", ["reference", "fast"])
@pytest.mark.parametrize(
    "text", [SENTENCE, LONG, "a\x00\x1b[2J\x07\t\r\n b", "שלום עולם مرحبا", "👩‍👩‍👧 🇨🇭 😀", "One<|endoftext|>Two"],
    ids=["short", "long", "control", "right to left", "emoji", "special"],
)
def test_that_every_token_has_the_figures_of_a_plain_computation(score, text, path):
    model = build(path=path)
    readings, _, ended = score(text, model)
    ids = GPT2.encode(text)
    wanted = expected(build(path="reference"), ids)
    assert ended.outcome == "finished"
    assert [reading.id for reading in readings] == ids
    assert [reading.position for reading in readings] == list(range(len(ids)))
    assert readings[0].plain_probability is readings[0].rank is readings[0].plain_entropy_bits is None
    for reading in readings[1:]:
        log2, rank, entropy = wanted[reading.position]
        assert -math.log2(reading.plain_probability) == pytest.approx(-log2, rel=1e-5)
        assert reading.rank == rank
        assert reading.plain_entropy_bits == pytest.approx(entropy, rel=1e-5)


@pytest.mark.parametrize("length", [2, *(CONTEXT + more for more in (-1, 0, 1, CONTEXT // 2, CONTEXT // 2 + 1))])
def test_that_around_the_contexts_length_every_token_is_reported_once(score, model, length):
    ids = GPT2.encode(LONG)[:length]
    readings, _, _ = score(GPT2.decode(ids))
    assert [reading.id for reading in readings] == ids
    wanted = expected(model, ids)
    assert [reading.position for reading in readings[1:]] == sorted(wanted)
    for reading in readings[1:]:
        assert math.log2(reading.plain_probability) == pytest.approx(wanted[reading.position][0], rel=1e-5)


@pytest.mark.slow
@pytest.mark.parametrize("stride", [1, 5, CONTEXT - 1, CONTEXT])
def test_that_the_stride_determines_how_much_context_each_token_has(score, model, stride):
    text = f"{SENTENCE} {SENTENCE}"
    ids = GPT2.encode(text)
    assert len(ids) > 2 * CONTEXT
    readings, events, _ = score(text, stride=stride)
    (prompt,) = [event for event in events if isinstance(event, PromptRead)]
    assert (prompt.context, prompt.stride) == (CONTEXT, stride)
    wanted = expected(model, ids, stride)
    scored = {reading.position: reading.plain_probability for reading in readings}
    assert [place for place, probability in scored.items() if probability is None] == [
        place for place in range(len(ids)) if place not in wanted], "without a context"
    for place, (log2, _, _) in wanted.items():
        assert math.log2(scored[place]) == pytest.approx(log2, rel=1e-5)


def test_that_past_the_first_window_each_token_has_half_a_context_before_it(score, model):
    """Only the tokens in its window matter: an earlier token may be any other."""
    ids = GPT2.encode(LONG)
    other = GPT2.encode(" else") + ids[1:]
    one, another = (score(GPT2.decode(each))[0] for each in (ids, other))
    probabilities = [reading.plain_probability for reading in one]
    changed = [i for i, reading in enumerate(another) if reading.plain_probability != probabilities[i]]
    assert changed == list(range(1, CONTEXT))


def test_that_the_text_is_reported_first_and_logits_are_not_kept_and_a_short_one_has_no_windows(score):
    readings, events, _ = score(LONG)
    assert [event.phase for event in events if isinstance(event, PhaseChanged)] == ["loading", "generating"]
    [prompt] = [event for event in events if isinstance(event, PromptRead)]
    assert prompt.model == "tiny"
    assert prompt.dropped == 0
    assert [piece.id for piece in prompt.pieces] == GPT2.encode(LONG)
    assert {reading.logits for reading in readings} == {None}
    [short] = [event for event in score("Every effort")[1] if isinstance(event, PromptRead)]
    assert (short.context, short.stride) == (None, None)


def test_that_it_stops_within_one_token(score):
    control = Control()
    readings, _, ended = score(
        LONG, control=control, on_event=lambda event: control.stop() if getattr(event, "position", 0) == 5 else None
    )
    assert ended.outcome == "stopped"
    assert len(readings) == 6


@pytest.mark.parametrize("text", ["", "a", "\n"])
def test_that_a_text_without_a_second_token_is_refused_before_a_model_is_loaded(text):
    def never() -> Decoder:
        raise AssertionError

    ended = execute(scoring.score(text, never, Control()), [])
    assert ended.user_error
    assert message("fewer_two_tokens") in ended.message


def test_that_a_stride_out_of_range_and_a_text_that_would_fill_the_memory_are_refused(score, monkeypatch):
    monkeypatch.setattr(scoring, "LONGEST", len(LONG))
    for text, stride, words in (
        *((LONG, stride, f"from 1 to {CONTEXT}") for stride in (0, -3, CONTEXT + 1)),
        (f"{LONG}a", None, f"{len(LONG) + 1} characters; the maximum is {len(LONG)}"),
    ):
        _, _, ended = score(text, stride=stride)
        assert ended.outcome == "failed"
        assert ended.user_error
        assert words in ended.message


def test_that_a_vocabulary_may_be_smaller_or_larger_and_broken_weights_or_a_context_of_one_token_are_refused(score):
    small = build(TINY.but(vocab_size=300))
    readings, _, _ = score("a b", small)
    assert [reading.id for reading in readings] == [64, 275]
    assert 0 < readings[1].plain_probability < 1
    readings, _, ended = score("a b Hello", small)
    assert ended.user_error
    assert not readings
    assert ended.message.startswith(
        "The text contains token 18,435 (␣Hello), but the token IDs of this model are below 300."
    )

    # Rows beyond the tokenizer count as possible tokens.
    large = build(TINY.but(vocab_size=VOCAB_SIZE + 47))
    with torch.no_grad():
        large.out_head.weight.zero_()
    readings, _, _ = score(SENTENCE, large)
    assert [reading.plain_probability for reading in readings[1:]] == pytest.approx(
        [1 / (VOCAB_SIZE + 47)] * (len(readings) - 1)
    )

    broken = build()
    with torch.no_grad():
        broken.final_norm.scale.fill_(math.nan)
    readings, _, ended = score(SENTENCE, broken)
    assert [reading.plain_probability for reading in readings] == [None]
    assert ended.outcome == "failed"
    assert ended.error == "BrokenLogits"
    assert ended.user_error
    assert message("logits_numbers") in ended.message

    _, _, ended = score(SENTENCE, GPTModel(TINY.but(context_length=1)).eval())
    assert ended.user_error
    assert message("token_time") in ended.message
