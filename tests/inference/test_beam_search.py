"""Beam search, and the strategies side by side, each compared with a plain computation."""

from itertools import product

import pytest
import test_effects
import torch

from gptstudio.gpt.config import GPTConfig
from gptstudio.gpt.decoder import Decoder, greedy
from gptstudio.gpt.sampling.sampler import BrokenLogits
from gptstudio.inference import beam_search
from gptstudio.inference.generator import generate
from gptstudio.inference.spec import BeamSpec, GenerateSpec
from gptstudio.training.control import Control, Stopped
from gptstudio.training.events import BeamStep, TextEnded, TokenDrawn
from gptstudio.training.executor import execute

PROMPT = [3, 1, 2]
END = 4


def make(vocab_size=7, context_length=16, path="fast", std=0.3):
    config = GPTConfig(
        vocab_size=vocab_size, context_length=context_length, emb_dim=12, n_heads=3, n_layers=2, drop_rate=0.0,
        qkv_bias=True)
    return test_effects.make(config, path, std)


@torch.no_grad()
def plain_sum(model, prompt, new) -> float:
    """Return the log-probability of the new tokens, each given all tokens before it."""
    total = 0.0
    for place, token in enumerate(new):
        text = [*prompt, *new[:place]][-model.cfg.context_length :]
        total += torch.log_softmax(model(torch.tensor([text]))[0, -1].double(), dim=-1)[token].item()
    return total


def search(model, prompt=PROMPT, ends=lambda text: None, **spec) -> list[BeamStep]:
    return list(beam_search.search(Decoder(model), prompt, BeamSpec.make(spec), ends))


def end_of(text):
    return "end_of_text" if text[-1] == END else None


@pytest.mark.parametrize("path", ["fast", "reference"])
def test_that_width_1_equals_greedy_decoding_also_past_the_context(path):
    model = make(vocab_size=40, context_length=8, path=path)
    *_, last = steps = search(model, width=1, max_new_tokens=20)
    assert [*PROMPT, *last.kept[0].ids] == greedy(model, PROMPT, 20)
    assert [len(step.kept) for step in steps] == [1] * 20
    assert last.kept[0].log_probability == pytest.approx(plain_sum(model, PROMPT, last.kept[0].ids), abs=1e-4)


@pytest.mark.parametrize(("vocab_size", "depth", "penalty"), [(7, 2, 0.0), (7, 2, 1.0), (2, 3, 0.0), (2, 4, 0.7)])
def test_that_it_finds_the_best_of_all_texts_where_none_is_pruned_before_the_last_step(vocab_size, depth, penalty):
    model, prompt = make(vocab_size), [0, 1]

    def ends(text):
        return "end_of_text" if text[-1] == vocab_size - 1 else None

    texts = {ids[: ids.index(vocab_size - 1) + 1] if vocab_size - 1 in ids else ids
             for ids in product(range(vocab_size), repeat=depth)}
    scores = {ids: plain_sum(model, prompt, ids) / len(ids) ** penalty for ids in texts}
    *_, last = search(model, prompt, ends, width=8, length_penalty=penalty, max_new_tokens=depth)
    ranked = sorted(scores, key=lambda ids: -scores[ids])
    assert last.kept[0].ids == ranked[0]
    assert last.kept[0].score == pytest.approx(scores[ranked[0]], abs=1e-4)
    kept = [beam.score for beam in last.kept]
    assert kept == sorted(kept, reverse=True)
    assert [beam.score for beam in last.pruned] == pytest.approx(
        sorted((beam.score for beam in last.pruned), reverse=True))


def test_that_beams_are_those_of_transformers_and_their_figures_those_of_the_model():
    model = make(vocab_size=40)
    found = test_effects.theirs_of(model).generate(
        torch.tensor([PROMPT]), num_beams=4, num_return_sequences=4, max_new_tokens=10, do_sample=False,
        length_penalty=0.0, pad_token_id=0, return_dict_in_generate=True, output_scores=True)
    steps = search(model, width=4, max_new_tokens=10)
    assert [list(beam.ids) for beam in steps[-1].kept] == found.sequences[:, len(PROMPT) :].tolist()
    assert [beam.log_probability for beam in steps[-1].kept] == pytest.approx(
        found.sequences_scores.tolist(), abs=1e-4)
    for step in steps:
        for beam in (*step.kept, *step.pruned):
            logs = torch.log_softmax(
                model(torch.tensor([[*PROMPT, *beam.ids[:-1]]]))[0, -1].detach().double(), dim=-1)
            assert beam.plain_probability == pytest.approx(logs[beam.ids[-1]].exp().item(), abs=1e-5)
            assert beam.rank == int((logs > logs[beam.ids[-1]]).sum()) + 1
            assert beam.plain_entropy_bits == pytest.approx(
                -(logs.exp() * logs).sum().item() / torch.tensor(2.0).log().item(), abs=1e-4)
    assert all(len(step.pruned) == 4 for step in steps)


def test_that_finished_beams_stay_until_better_ones_replace_them_and_a_search_is_cancelled_or_reports_broken_weights():
    model = make()
    steps = search(model, ends=end_of, width=8, max_new_tokens=6)
    ended = [beam for step in steps for beam in step.kept if beam.ending]
    assert ended
    assert all(beam.ids.index(END) == len(beam.ids) - 1 for beam in ended)
    again = search(model, ends=lambda text: "stop_text", width=3, max_new_tokens=6)
    assert len(again) == 1, "when all have ended there is nothing left to do"
    by_sum, by_mean = (
        search(model, ends=end_of, width=8, max_new_tokens=6, length_penalty=each)[-1].kept[0] for each in (0.0, 2.0))
    assert len(by_mean.ids) >= len(by_sum.ids), "a penalty for short texts"
    with pytest.raises(Stopped):
        list(beam_search.search(Decoder(model), PROMPT, BeamSpec(), check=test_effects.stop))
    with torch.no_grad():
        model.final_norm.scale[0] = torch.nan
    with pytest.raises(BrokenLogits):
        search(model)


def test_that_strategies_side_by_side_equal_those_of_generate_with_their_sums():
    model = make(vocab_size=50_257)
    spec = GenerateSpec.make(prompt="", max_new_tokens=8, seed=5, temperature=1.3, top_k=50)
    found = {each.strategy: each for each in beam_search.compare(Decoder(model), PROMPT, spec, BeamSpec(width=3))}
    assert list(found) == ["greedy", "beam", "sampling"]
    assert [*PROMPT, *found["greedy"].ids] == greedy(model, PROMPT, 8)
    drawn = []
    execute(generate(spec, lambda: Decoder(model), Control(), PROMPT), [drawn.append])
    assert list(found["sampling"].ids) == [each.id for each in drawn if isinstance(each, TokenDrawn)]
    for each in found.values():
        assert each.log_probability == pytest.approx(plain_sum(model, PROMPT, each.ids), abs=1e-4)
    assert found["beam"].log_probability >= found["sampling"].log_probability


def test_that_a_stream_of_steps_reads_the_prompt_and_ends_like_generate():
    model = make(vocab_size=50_257)
    spec, events = GenerateSpec.make(prompt="Every effort", max_new_tokens=3), []
    ended = execute(beam_search.stream(
        spec, BeamSpec(width=2, max_new_tokens=3), lambda: Decoder(model, "tiny"), Control()), [events.append])
    assert ended.outcome == "finished"
    assert [each.event for each in events[:3]] == ["phase_changed", "prompt_read", "phase_changed"]
    assert [each.step for each in events if isinstance(each, BeamStep)] == [1, 2, 3]
    control = Control()
    ended = execute(beam_search.stream(spec, BeamSpec(), lambda: Decoder(model), control), [lambda _: control.stop()])
    assert ended.outcome == "stopped"
    assert not [each for each in events if isinstance(each, TextEnded)]


@pytest.mark.parametrize(("ids", "share"), [
    ([1, 2, 3], None), ([1, 2, 3, 4], 0.0), ([1, 1, 1, 1, 1, 1], 2 / 3), ([1, 2, 1, 2, 1, 2, 1, 2], 3 / 5),
])
def test_that_repetition_is_the_share_of_fourgrams_that_occurred_before(ids, share):
    assert beam_search.repetition(ids) == pytest.approx(share)
