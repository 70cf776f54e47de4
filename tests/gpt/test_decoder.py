"""The model as a decoder: for any requests in any order, its logits are those of a whole pass, and no token goes
through the model twice without need."""

from functools import partial

import pytest
import torch
from hypothesis import given
from hypothesis import strategies as st

from gptstudio.gpt import decoder as decoding
from gptstudio.gpt.config import GPTConfig
from gptstudio.gpt.decoder import Decoder
from gptstudio.gpt.fast import build_model
from gptstudio.gpt.model import GPTModel
from gptstudio.torch_settings import RandomStream

C = 8
TINY = GPTConfig(vocab_size=20, context_length=C, emb_dim=16, n_heads=2, n_layers=2, drop_rate=0.5)
LONG = TINY.but(context_length=200)
PATHS = ["fast", "reference"]

tokens = st.integers(0, TINY.vocab_size - 1)
asks = st.one_of(
    st.tuples(st.just("grow"), tokens),
    st.tuples(st.just("go back"), st.integers(1, 2 * C)),
    st.tuples(st.just("branch"), st.integers(1, 2 * C)),
    st.tuples(st.just("fan out"), st.integers(2, 4)),
    st.tuples(st.just("read"), st.integers(0, 2 * C)),
    st.tuples(st.just("begin to read"), st.integers(0, 2 * C)),
    st.tuples(st.just("begin anew"), st.integers(1, 2 * C)),
)


def make(cfg: GPTConfig, path: str) -> GPTModel:
    """Return a model with the same weights on both paths."""
    with RandomStream(1).active():
        model = build_model(cfg, path).eval()
    return model.double()


@pytest.fixture(scope="module")
def models():
    return {path: make(TINY, path) for path in PATHS}


def whole(model: GPTModel, ids) -> torch.Tensor:
    """Return the logits after each of the last tokens of a text, (T, V): the book's plain pass without a cache."""
    with torch.no_grad():
        return model(torch.tensor([ids[-model.cfg.context_length :]]))[0].float()


class Counted:
    """A decoder that records the passes through its model as (rows, tokens)."""

    def __init__(self, cfg: GPTConfig, path: str = "fast"):
        self.decoder, self.passes = Decoder(make(cfg, path)), []
        self.decoder.model.register_forward_pre_hook(lambda model, given: self.passes.append(tuple(given[0].shape)))

    def take(self) -> list[tuple[int, int]]:
        passes, self.passes = self.passes, []
        return passes

    @property
    def next_logits(self):
        return self.decoder.next_logits

    def read(self, ids, first=1):
        return list(self.decoder.read(ids, first))


@pytest.fixture
def counted():
    return Counted(TINY.but(context_length=100))


# The logits are right for any request.


@pytest.mark.parametrize("path", PATHS)
@given(st.lists(tokens, min_size=1, max_size=2 * C), st.lists(asks, max_size=12), st.data())
def test_that_logits_are_those_of_a_whole_pass_after_any_requests(models, path, text, journey, data):
    decoder, reference = Decoder(models[path]), models["reference"]
    check = partial(check_logits, reference, decoder)
    for what, number in journey:
        match what:
            case "grow":
                text = [*text, number]
            case "go back":
                text = text[:number]
            case "branch":
                text = [*text[:number], *data.draw(st.lists(tokens, min_size=1, max_size=5))]
            case "begin anew":
                text = data.draw(st.lists(tokens, min_size=number, max_size=number))
            case "fan out":
                texts = [list(text) for _ in range(number)]
                for _ in range(3):
                    check(texts)
                    for ids in texts:
                        ids.append(data.draw(tokens))
                text = texts[-1]
            case "read" | "begin to read":
                found = decoder.read(text, number)
                if what == "begin to read":
                    next(found, None)
                    continue
                check_reading(reference, text, number, found)
        check([text])


def check_logits(reference, decoder, texts):
    logits = decoder.next_logits(texts)
    assert logits.shape == (len(texts), TINY.vocab_size)
    for ids, row in zip(texts, logits, strict=True):
        torch.testing.assert_close(row, whole(reference, ids)[-1], rtol=0, atol=1e-5)


def check_reading(reference, text, first, found):
    begin = max(0, len(text) - reference.cfg.context_length)
    found = list(found)
    assert [position for position, _ in found] == list(range(max(first, begin + 1), len(text)))
    expected = whole(reference, text)
    for position, row in found:
        torch.testing.assert_close(row, expected[position - begin - 1], rtol=0, atol=1e-5)


@pytest.mark.slow
@pytest.mark.parametrize("path", PATHS)
@pytest.mark.parametrize("length", [1, 2, 63, 64, 65, 66, 129, 200, 201, 260])
def test_that_reading_equals_a_whole_pass_over_any_length(path, length):
    model = make(LONG, path)
    text = torch.randint(TINY.vocab_size, (length,), generator=torch.Generator().manual_seed(length)).tolist()
    for first in (0, 1, 60, 64, 65, 128, 300):
        check_reading(model, text, first, Decoder(model).read(text, first))


def test_that_logits_are_float32_for_any_type_of_weights():
    model = build_model(TINY, "fast").eval().bfloat16()
    assert Decoder(model).next_logits([[1, 2]]).dtype == torch.float32
    assert all(row.dtype == torch.float32 for _, row in Decoder(model).read([1, 2, 3]))


def test_that_nothing_is_kept_for_gradients(counted):
    assert not counted.next_logits([[1, 2]]).requires_grad
    assert not any(row.requires_grad for _, row in counted.read([1, 2, 3]))
    assert torch.is_grad_enabled()


def test_that_the_callers_texts_are_not_changed(counted):
    ids = [1, 2, 3]
    for changed in ([4, 5, 6, 7], [1, 2, 3]):
        counted.next_logits([ids])
        ids[:] = changed
        torch.testing.assert_close(counted.next_logits([ids])[0], whole(counted.decoder.model, changed)[-1])


# Nothing goes through the model twice.


def test_that_a_growing_text_costs_one_token_at_a_time(counted):
    text = list(range(10))
    for token in range(5):
        counted.next_logits([text])
        text.append(token)
    assert counted.take() == [(1, 10), (1, 1), (1, 1), (1, 1), (1, 1)]


def test_that_going_back_and_branching_cost_only_the_different_tokens(counted):
    text = list(range(10))
    counted.next_logits([text])
    counted.next_logits([[*text[:6], 19, 18]])
    counted.next_logits([text[:4]])  # the logits after the last were not kept: it is computed again
    counted.next_logits([text])
    assert counted.take() == [(1, 10), (1, 2), (1, 1), (1, 6)]


def test_that_branching_into_many_costs_one_token_of_each_and_coming_back_keeps_the_row(counted):
    text = list(range(10))
    counted.next_logits([text])
    texts = [[*text, token] for token in (1, 2, 3)]
    counted.next_logits(texts)
    for ids in texts:
        ids.append(5)
    counted.next_logits(texts)
    counted.next_logits([[*texts[1], 7]])
    counted.next_logits([[*texts[1], 7, 8], [*texts[1], 7, 9]])
    assert counted.take() == [(1, 10), (3, 1), (3, 1), (1, 1), (2, 1)]


def test_that_reading_costs_each_token_once_and_is_not_lost_for_what_follows(counted):
    text = list(range(10))
    assert len(counted.read(text)) == 9
    counted.next_logits([text])
    assert counted.take() == [(1, 9), (1, 1)]
    text += [3, 4, 5]
    assert len(counted.read(text, first=11)) == 2
    assert counted.take() == [(1, 2)], "position 10 was drawn from logits that were told then"
    counted.next_logits([text])
    assert counted.take() == [(1, 1)]
    assert counted.read(text, first=13) == []
    assert counted.take() == []


def test_that_known_tokens_go_through_once_and_without_their_logits(counted):
    made = []
    counted.decoder.model.out_head.register_forward_hook(lambda layer, given, logits: made.append(logits.shape[1]))
    assert len(counted.read([1] * 90, first=80)) == 10
    assert counted.take() == [(1, 79), (1, 10)]
    assert made == [1, 10]


def test_that_past_the_context_every_window_is_computed_again():
    counted = Counted(TINY)
    text = list(range(C))
    for _ in range(3):
        counted.next_logits([text])
        text = [*text, 1]
    counted.next_logits([list(range(C))])
    assert counted.take() == [(1, C), (1, C), (1, C), (1, 1)], "and what was kept before the window slid still holds"


def test_that_the_reference_path_keeps_nothing():
    counted = Counted(TINY, "reference")
    for text in ([1, 2], [1, 2, 3]):
        counted.next_logits([text])
        counted.read(text)
    assert counted.take() == [(1, 2), (1, 1), (1, 3), (1, 2)]


# A caller that stops half-way leaves a valid state.


def test_that_an_interrupted_reading_claims_no_more_than_was_computed(monkeypatch):
    monkeypatch.setattr(decoding, "READ_AT_ONCE", 3)
    counted = Counted(TINY.but(context_length=100))
    text = list(range(12))
    reading = counted.decoder.read(text)
    for _ in range(4):
        next(reading)
    assert counted.take() == [(1, 3), (1, 3)]
    torch.testing.assert_close(counted.next_logits([text])[0], whole(counted.decoder.model, text)[-1])
    assert counted.take()[0] == (1, 6)


def test_that_a_reading_continues_correctly_after_another_request_in_between(monkeypatch):
    monkeypatch.setattr(decoding, "READ_AT_ONCE", 3)
    decoder, text = Decoder(make(TINY, "fast")), list(range(8))
    reading = decoder.read(text)
    found = [next(reading)]
    decoder.next_logits([[9, 9, 9, 9, 9], [8, 8, 8, 8, 8]])
    check_reading(decoder.model, text, 1, [*found, *reading])


@pytest.mark.parametrize("layer", ["trf_blocks.0.att", "trf_blocks.1.ff", "out_head"])
def test_that_a_failed_pass_keeps_the_cache_of_before(counted, layer):
    text = list(range(10))
    counted.next_logits([text])

    def fail(*_):
        raise MemoryError

    hook = counted.decoder.model.get_submodule(layer).register_forward_hook(fail)
    for texts in ([[*text[:5], 19, 19]], [[*text, 1], [*text, 2]]):
        with pytest.raises(MemoryError):
            counted.next_logits(texts)
    with pytest.raises(MemoryError):
        counted.read([7] * 6)
    hook.remove()
    for ids in ([*text[:5], 19, 19], [*text, 1], [7] * 6):
        torch.testing.assert_close(counted.next_logits([ids])[0], whole(counted.decoder.model, ids)[-1])
