"""Decoding: one token at a time, with its alternatives."""

import math

import numpy as np
import pytest
import torch
from by_hand import stages_by_hand
from hypothesis import given, settings
from hypothesis import strategies as st
from messages import message

from gptstudio import devices
from gptstudio.devices import Device
from gptstudio.errors import UserError
from gptstudio.gpt.config import GPTConfig
from gptstudio.gpt.decoder import Decoder, greedy
from gptstudio.gpt.fast import build_model
from gptstudio.gpt.model import GPTModel
from gptstudio.gpt.sampling import USUAL_ORDER, sampler
from gptstudio.gpt.sampling.logits import softmax
from gptstudio.gpt.sampling.params import SamplingParams
from gptstudio.gpt.tokenizer import GPT2, Characters
from gptstudio.inference.generator import draw, generate, random_number_at
from gptstudio.inference.spec import GenerateSpec
from gptstudio.torch_settings import RandomStream
from gptstudio.training.control import Control
from gptstudio.training.events import PhaseChanged, PromptRead, TextEnded, TokenDrawn, TokenRead, from_json, to_json
from gptstudio.training.executor import execute

TINY = GPTConfig(context_length=8, emb_dim=16, n_heads=2, n_layers=1)
PROMPT = "Every effort moves you"
BENT = SamplingParams(
    temperature=0.7, top_k=40, top_p=0.9, min_p=0.01, repetition_penalty=1.4, typical_p=0.95, frequency_penalty=0.2,
    presence_penalty=0.1, order=("top_k", "temperature", "min_p", "repetition_penalty", "top_p"),
)


@pytest.fixture(scope="module")
def models():
    """Models with the same weights on both paths."""
    with RandomStream(1).active():
        reference = GPTModel(TINY).eval()
    fast = build_model(TINY, "fast").eval()
    fast.load_state_dict(reference.state_dict())
    return {"reference": reference, "fast": fast}


class Scripted(Decoder):
    """A decoder of a real model that is certain of a given text: each token of it in turn, after any drawn tokens."""

    def __init__(self, model: GPTModel, new: list[int], begins_at: int):
        super().__init__(model, "scripted")
        self.new, self.begins_at = new, begins_at

    def next_logits(self, texts):
        logits = super().next_logits(texts)
        logits[:, self.new[len(texts[0]) - self.begins_at]] += 1000
        return logits


@pytest.fixture
def write(models):
    def run(
        control=None, path="fast", on_event=lambda event: None, model=None, decoder=None, ids=None, known=0, **changes
    ):
        spec = GenerateSpec.make({"prompt": PROMPT, "max_new_tokens": 20}, **changes)
        events = []
        opened = decoder or Decoder(model or models[path], "tiny")
        ended = execute(generate(spec, lambda: opened, control or Control(), ids, known), [events.append, on_event])
        return [event for event in events if isinstance(event, TokenDrawn)], events, ended

    return run


def texts_of(drawn, samples=1) -> list[list[int]]:
    return [[event.id for event in drawn if event.sample == sample] for sample in range(samples)]


def of(events, kind) -> list:
    return [event for event in events if isinstance(event, kind)]


# Events.


def test_that_the_prompt_is_reported_first_then_the_models_readings_and_every_token_after(write):
    _, events, ended = write()
    assert [type(event) for event in events[:3]] == [PhaseChanged, PromptRead, PhaseChanged]
    assert [type(event) for event in events[3:-1]] == [TokenRead] * 4 + [TokenDrawn] * 20
    assert [event.phase for event in of(events, PhaseChanged)] == ["loading", "generating"]
    assert [piece.id for piece in events[1].pieces] == GPT2.encode(PROMPT)
    assert "".join(piece.text for piece in events[1].pieces) == PROMPT
    assert (events[1].dropped, events[1].model) == (0, "tiny")
    assert [event.position for event in events[3:-1]] == list(range(24))
    assert ended.outcome == "finished"


def test_that_a_token_is_reported_with_its_distribution(write):
    for event in write(temperature=0.7, top_k=5)[0]:
        stages = sampler.distribution(event.logits, SamplingParams(temperature=0.7, top_k=5))
        assert event.probability == pytest.approx(stages.probabilities[event.id])
        assert stages.kept[event.id]
        assert event.entropy_bits == pytest.approx(stages.entropy_bits)
        assert event.sampling_params == SamplingParams(temperature=0.7, top_k=5)
        assert event.text == GPT2.decode([event.id])
        assert [other.id for other in event.alternatives] == stages.likeliest(10).tolist()
        assert [other.probability for other in event.alternatives] == pytest.approx(stages.plain[stages.likeliest(10)])
        assert event.logits.dtype == np.float32
        assert event.took_s >= 0


@pytest.mark.slow
def test_that_every_stage_of_every_alternative_equals_a_computation_by_hand(write):
    drawn = write(max_new_tokens=3, **BENT.shallow())[0]
    text = GPT2.encode(PROMPT)
    for event in drawn:
        by_hand = stages_by_hand(event.logits, BENT, text)
        assert event.sampling_params == BENT
        assert event.probability == pytest.approx(by_hand.probabilities[event.id])
        assert event.plain_probability == pytest.approx(by_hand.plain[event.id])
        assert event.rank == 1 + sum(p > by_hand.plain[event.id] for p in by_hand.plain)
        assert event.plain_entropy_bits == pytest.approx(-sum(p * math.log2(p) for p in by_hand.plain))
        for other in event.alternatives:
            told = [math.nan if logit is None else logit for logit in other.stages.values()]
            cut = [stage for stage in BENT.order if by_hand.after[stage][other.id] == -math.inf]
            assert tuple(other.stages) == BENT.order
            assert told == pytest.approx(
                [math.nan if stage in cut else by_hand.after[stage][other.id] for stage in BENT.order], nan_ok=True
            )
            assert other.cut_by == (cut[0] if cut else None)
            assert other.after == pytest.approx(by_hand.probabilities[other.id])
        text.append(event.id)


def test_that_the_prompts_tokens_are_reported_with_the_models_expectation(write, models):
    ids = GPT2.encode(PROMPT)
    first, *others = of(write()[1], TokenRead)
    assert (first.id, first.plain_probability, first.rank, first.plain_entropy_bits) == (ids[0], None, None, None)
    with torch.no_grad():
        logits = models["reference"](torch.tensor([ids]))[0].numpy()
    for event in others:
        expected = softmax(logits[event.position - 1].astype(np.float64))
        assert event.id == ids[event.position]
        assert event.plain_probability == pytest.approx(expected[event.id], rel=1e-4)
        assert event.rank == 1 + (expected > expected[event.id]).sum()
        assert event.plain_entropy_bits == pytest.approx(sampler.entropy_bits(expected), abs=1e-4)


def test_that_events_can_be_written_down_and_read_again(write):
    for event in write(**BENT.shallow(), stop_text="e", samples=2)[1]:
        read = from_json(to_json(event))
        assert read == event.model_copy(update={"logits": None} if hasattr(event, "logits") else {})


# Random numbers.


def test_that_the_same_seed_generates_the_same_and_another_does_not_and_temperature_zero_is_greedy(write, models):
    one, same, other, [sure] = (
        texts_of(write(**changes)[0]) for changes in ({"seed": 1}, {"seed": 1}, {"seed": 2}, {"temperature": 0.0}))
    assert one == same != other
    assert GPT2.encode(PROMPT) + sure == greedy(models["fast"], GPT2.encode(PROMPT), 20)


def test_that_a_token_is_the_one_selected_by_its_random_number(write):
    for event in write(samples=3, seed=5, **BENT.shallow(), max_new_tokens=4)[0]:
        assert event.random_number == random_number_at(5, event.sample, event.position) == np.random.default_rng(
            [5, event.sample, event.position]
        ).random()


def test_that_random_numbers_are_uniform_and_differ_for_every_seed_sample_and_position():
    random_numbers = np.array([
        random_number_at(seed, sample, at) for seed in range(10) for sample in range(10) for at in range(10)
    ])
    assert len(set(random_numbers.tolist())) == 1000
    counts = np.histogram(random_numbers, bins=10, range=(0, 1))[0]
    assert ((counts - 100) ** 2 / 100).sum() < 27.9, "chi-squared with 9 degrees of freedom, p = 0.001"
    assert random_number_at(2**63 - 1, 63, 100_000) < 1


@pytest.mark.parametrize("changes", [{}, BENT.shallow(), {"stop_text": " you"}])
def test_that_step_by_step_generation_equals_generation_at_once(write, models, changes):
    at_once, events, _ = write(**changes)
    decoder, ids = Decoder(models["fast"]), GPT2.encode(PROMPT)
    for event in at_once:
        [drawn], told, _ = write(decoder=decoder, ids=ids, known=len(ids), max_new_tokens=1, **changes)
        assert not of(told, TokenRead), "what is known is not told again"
        assert (drawn.id, drawn.position, drawn.random_number) == (event.id, event.position, event.random_number)
        assert drawn.probability == pytest.approx(event.probability, abs=1e-5)
        ids.append(drawn.id)
    assert of(told, TextEnded) == of(events, TextEnded)


def test_that_a_branch_with_the_same_token_continues_identically(write, models):
    decoder, prompt = Decoder(models["fast"]), GPT2.encode(PROMPT)
    [first] = texts_of(write(decoder=decoder)[0])
    other = [*prompt, *first[:5], first[5] + 1]
    branch, told, _ = write(decoder=decoder, ids=other, known=9, max_new_tokens=14)
    assert [event.position for event in of(told, TokenRead)] == [9], "the token that was chosen"
    assert [event.random_number for event in branch] == [random_number_at(123, 0, 10 + step) for step in range(14)]
    back = write(decoder=decoder, ids=[*prompt, *first[:6]], known=10, max_new_tokens=14)[0]
    assert texts_of(back) == [first[6:]]


def test_that_both_paths_generate_the_same_also_past_the_context(write):
    fast, reference = write(path="fast")[0], write(path="reference")[0]
    assert [event.id for event in fast] == [event.id for event in reference]
    for one, other in zip(fast, reference, strict=True):
        assert np.allclose(one.logits, other.logits, rtol=0, atol=1e-4)


# Several texts at once.


@pytest.mark.slow
@pytest.mark.parametrize(("path", "changes"), [
    ("fast", {"temperature": 0.0}), ("fast", {}), ("fast", BENT.shallow()), ("reference", {})])
def test_that_the_first_of_several_texts_equals_the_one_generated_alone(write, path, changes):
    alone, together = (write(path=path, samples=samples, max_new_tokens=9, **changes)[0] for samples in (1, 3))
    first = [event for event in together if event.sample == 0]
    assert texts_of(first) == texts_of(alone)
    for one, other in zip(alone, first, strict=True):
        assert np.allclose(one.logits, other.logits, rtol=0, atol=1e-4)


def test_that_each_text_of_several_follows_from_its_own_draws(write, models):
    """Independent of the other texts: the logits of each are those of a whole pass over it alone."""
    drawn = write(samples=3, temperature=2.0)[0]
    texts = texts_of(drawn, 3)
    assert len({tuple(text) for text in texts}) == 3
    for event in drawn:
        before = GPT2.encode(PROMPT) + texts[event.sample][: event.position - 4]
        with torch.no_grad():
            plain = models["reference"](torch.tensor([before[-8:]]))[0, -1].numpy()
        assert np.allclose(event.logits, plain, rtol=0, atol=1e-4)


def test_that_texts_end_independently_and_the_others_continue(write):
    drawn, events, ended = write(samples=8, stop_text="e")
    ends = {event.sample: event.position for event in of(events, TextEnded)}
    assert 0 < len(ends) <= 8
    assert len(set(ends.values())) > 1
    unstopped = texts_of(write(samples=8)[0], 8)
    for sample, text in enumerate(texts_of(drawn, 8)):
        assert text == unstopped[sample][: ends.get(sample, 23) - 3]
        assert "e" not in GPT2.decode(text[:-1])
    assert ended.outcome == "finished"


# The end of a text.


@pytest.mark.parametrize(
    ("prompt", "new", "stop", "written", "stopped"),
    [
        ("Say", " one two three", " one", " one", True),
        ("Say", " one two three", "wo", " one two", True),  # in the middle of a token
        ("Say", " one two three", "ne two th", " one two three", True),  # across tokens
        ("Say", "\n\n\nnew", "\n\n", "\n\n", True),
        ("Say", " one<|endoftext|> two", "<|endoftext|>", " one<|endoftext|>", True),
        ("Say o", "ne two three", " one", "ne", True),  # begun in the prompt
        ("Say one", " two three", " one", " two three", False),  # in the prompt already
        ("Say", " one two three", "four", " one two three", False),
        ("Say", " one two three", "", " one two three", False),
    ],
)
def test_that_a_text_ends_with_the_token_that_completes_the_stop_text(
    write, models, prompt, new, stop, written, stopped
):
    decoder = Scripted(models["fast"], GPT2.encode(new), len(GPT2.encode(prompt)))
    drawn, events, ended = write(
        decoder=decoder, prompt=prompt, stop_text=stop, max_new_tokens=len(decoder.new), stop_at_end=False
    )
    assert "".join(event.text for event in drawn) == written
    ends = [TextEnded(sample=0, position=drawn[-1].position, reason="stop_text")] if stopped else []
    assert of(events, TextEnded) == ends
    assert ended.outcome == "finished"


def test_that_a_character_of_several_tokens_ends_a_text_with_the_last_of_them(write, models):
    halves = GPT2.encode("😀")
    assert len(halves) > 1
    decoder = Scripted(models["fast"], [*halves, 0, 0], 1)
    drawn, events, _ = write(decoder=decoder, prompt="Say", stop_text="😀", max_new_tokens=len(halves) + 2)
    assert texts_of(drawn) == [halves]
    assert [event.position for event in of(events, TextEnded)] == [len(halves)]


def in_bytes(text: str) -> list[int]:
    """Return a token for each byte, as models may generate it too."""
    return [GPT2.encoding.encode_single_token(bytes([byte])) for byte in text.encode()]


@pytest.mark.slow
@settings(max_examples=18)
@given(st.sampled_from([GPT2.encode, in_bytes]), st.text("ab \n😀é", min_size=1, max_size=12),
       st.text("ab \n😀é", min_size=1, max_size=3))
def test_that_no_stop_text_is_missed_or_matched_too_early(models, encode, text, stop):
    new = encode(text)
    spec = GenerateSpec(prompt="x", stop_text=stop, max_new_tokens=len(new))
    drawn = of(generate(spec, lambda: Scripted(models["fast"], new, 1), Control()), TokenDrawn)
    written = b"".join(GPT2.token_bytes(event.id) for event in drawn)
    if stop in text:
        assert stop.encode() in written
        assert stop.encode() not in written[: -len(GPT2.token_bytes(drawn[-1].id))]
    else:
        assert len(drawn) == len(new)


@pytest.mark.parametrize(("stop_at_end", "length"), [(True, 2), (False, 4)])
def test_that_the_end_of_text_token_ends_it_if_set(write, models, stop_at_end, length):
    new = GPT2.encode(" one<|endoftext|> two three")
    drawn, events, _ = write(decoder=Scripted(models["fast"], new, 4), stop_at_end=stop_at_end, max_new_tokens=4)
    assert texts_of(drawn) == [new[:length]]
    assert len(write(prompt="One<|endoftext|>", stop_at_end=stop_at_end)[0]) == 20, "in the prompt it ends nothing"
    ends = [TextEnded(sample=0, position=5, reason="end_of_text")] if stop_at_end else []
    assert of(events, TextEnded) == ends


# Parameters and stops.


def test_that_a_changed_parameter_applies_from_the_next_token_on_or_from_the_start(write):
    control = Control()

    def turn(event):
        if isinstance(event, TokenDrawn) and event.position == 9:
            control.sampling_params = SamplingParams(temperature=0.0, top_k=None)

    drawn = write(control, on_event=turn)[0]
    assert {event.sampling_params.temperature for event in drawn[:6]} == {1.0}
    assert {event.sampling_params.temperature for event in drawn[6:]} == {0.0}
    assert all(event.probability == 1.0 for event in drawn[6:])
    control = Control()
    control.sampling_params = SamplingParams(temperature=0.0, top_k=3, order=USUAL_ORDER[::-1])
    drawn = write(control)[0]
    assert {event.sampling_params for event in drawn} == {control.sampling_params}


@pytest.mark.parametrize(("kind", "position", "drawn"), [(TokenDrawn, 6, [4, 5, 6]), (TokenRead, 0, [])])
def test_that_a_stop_ends_it_before_the_next_token_also_while_the_prompt_is_read(write, kind, position, drawn):
    control = Control()

    def stop(event):
        if isinstance(event, kind) and event.position == position:
            control.stop()

    found, events, ended = write(control, on_event=stop)
    assert ended.outcome == "stopped"
    assert [event.position for event in found] == drawn
    assert events[-1] is ended
    assert [event.position for event in of(events, TokenRead)] == ([0, 1, 2, 3] if drawn else [0])


# Bad input.


@pytest.mark.parametrize("more", [0, 1, 5])
def test_that_for_a_prompt_as_long_as_the_context_or_longer_the_dropped_part_is_reported(write, models, more):
    ids = GPT2.encode(" one" * (8 + more))
    drawn, events, ended = write(prompt=" one" * (8 + more), temperature=0.0, max_new_tokens=3)
    assert ended.outcome == "finished"
    assert (events[1].dropped, len(events[1].pieces)) == (more, 8 + more)
    asked = [event.position for event in of(events, TokenRead) if event.plain_probability is not None]
    assert asked == list(range(more + 1, more + 8)), "the model reads the last 8, and has no opinion on their first"
    for event in drawn:
        with torch.no_grad():
            assert event.id == models["reference"](torch.tensor([ids[-8:]]))[0, -1].argmax()
        ids.append(event.id)


@pytest.mark.parametrize(
    "prompt",
    [
        "\x00\x01\x1b[2J\x07\r\x7f", "\u05e9\u05dc\u05d5\u05dd, \u200f\u0645\u0631\u062d\u0628\u0627",
        "\U0001f469\u200d\U0001f467 \U0001f3f3\ufe0f\u200d\U0001f308 e\u0301", "\ufffe\uffff\ufffd", " ", "\n",
        "a" * 500, "😀",
    ],
)
def test_that_any_prompt_is_read_and_reported_unchanged(write, prompt):
    drawn, events, ended = write(prompt=prompt, max_new_tokens=3)
    assert ended.outcome == "finished"
    assert len(drawn) == 3
    assert GPT2.decode([piece.id for piece in events[1].pieces]) == prompt
    assert GPT2.decode([event.id for event in of(events, TokenRead)]) == prompt
    assert prompt != "😀" or "\ufffd" in events[1].pieces[0].text, "half a character"
    assert from_json(to_json(events[1])) == events[1]


def test_that_an_empty_prompt_is_refused_before_a_model_is_opened_and_one_without_tokens_after(models):
    def nobody():
        raise AssertionError("a model was opened")

    for spec, ids in ((GenerateSpec(prompt=""), None), (GenerateSpec(), [])):
        with pytest.raises(UserError, match=message("prompt_empty")):
            list(generate(spec, nobody, Control(), ids))

    class WithoutSpaces(Characters):
        def encode(self, text: str) -> list[int]:
            return super().encode(text.strip())

    opened = Decoder(models["fast"], tokenizer=WithoutSpaces("abc"))
    with pytest.raises(UserError, match=message("prompt_empty")):
        list(generate(GenerateSpec(prompt=" "), lambda: opened, Control()))


def test_that_a_model_with_a_small_vocabulary_reads_its_own_tokens_and_no_others(write):
    small = build_model(TINY.but(vocab_size=5000), "fast").eval()
    ended = write(model=small)[2]
    assert (ended.outcome, ended.user_error) == ("failed", True)
    assert "6,109 (Every)" in ended.message
    assert "the token IDs of this model are below 5,000" in ended.message
    small = build_model(TINY.but(vocab_size=300), "fast").eval()
    drawn, _, ended = write(model=small, prompt="a", repetition_penalty=2.0)
    assert ended.outcome == "finished"
    assert max(event.id for event in drawn) < 300


def test_that_tokens_beyond_the_tokenizers_are_drawn_reported_and_read_again(write):
    large = build_model(TINY.but(vocab_size=50_300), "fast").eval()
    decoder = Scripted(large, [50_299, 50_298, 11], 4)
    drawn, _, ended = write(decoder=decoder, max_new_tokens=3, stop_text="!")
    assert ended.outcome == "finished"
    assert [(event.id, event.text) for event in drawn] == [(50_299, "<id 50299>"), (50_298, "<id 50298>"), (11, ",")]
    assert drawn[0].logits.size == 50_300
    assert write(model=large, ids=[6109, 50_299], max_new_tokens=1)[2].outcome == "finished"


@pytest.mark.parametrize("bad", [math.nan, math.inf])
@pytest.mark.parametrize("known", [0, 4])
def test_that_broken_weights_end_with_a_message(write, bad, known):
    """With and without reading the prompt first."""
    broken = build_model(TINY, "fast").eval()
    torch.nn.init.constant_(broken.final_norm.scale, bad)
    drawn, events, ended = write(model=broken, ids=GPT2.encode(PROMPT), known=known)
    assert not drawn
    assert not [event for event in of(events, TokenRead) if event.plain_probability is not None]
    assert (ended.outcome, ended.user_error, ended.error) == ("failed", True, "BrokenLogits")
    assert message("logits_numbers") in ended.message
    assert message("choose_earlier_checkpoint") in ended.message


def test_that_weights_that_break_in_the_middle_keep_the_text_so_far(write, models):
    class Breaking(Decoder):
        def next_logits(self, texts):
            return super().next_logits(texts) * (math.inf if len(texts[0]) == 7 else 1)

    drawn, _, ended = write(decoder=Breaking(models["fast"]))
    assert [event.position for event in drawn] == [4, 5, 6]
    assert (ended.outcome, ended.user_error) == ("failed", True)


def test_that_a_token_beside_an_impossible_one_can_be_drawn_and_reported():
    logits = np.full(20, -np.inf, dtype=np.float32)
    logits[3] = 1.0
    drawn = draw(logits, SamplingParams(repetition_penalty=1.5), [3, 4], 0.99)
    assert (drawn.id, drawn.probability, drawn.entropy_bits) == (3, 1.0, 0.0)
    assert from_json(to_json(drawn)).alternatives[1].logit == -math.inf


def test_that_more_texts_than_the_memory_holds_are_refused_before_any_is_generated(write, monkeypatch):
    monkeypatch.setattr(devices, "choose", lambda key: Device("cpu", "a small machine", 1000, 500))
    drawn, _, ended = write(samples=4)
    assert drawn == []
    assert message("write_many_texts") in ended.message
    assert len(write(samples=1)[0]) == 20, "one needs no more than the model was checked for"
