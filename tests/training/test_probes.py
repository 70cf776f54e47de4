"""Probe prompts: the recorded readings are the model's predictions, and a run is the same with and without them."""

import math

import pytest
import torch
from whole_runs import DROPPING, continue_run, equal, journal_lines, of, train, weights

from gptstudio.data.texts import Label
from gptstudio.gpt.config import GPTConfig
from gptstudio.gpt.tokenizer import GPT2
from gptstudio.history import run_history
from gptstudio.training import checkpoint, corpus
from gptstudio.training.corpus import Corpus
from gptstudio.training.events import Evaluated, ProbesRead
from gptstudio.training.measurements import TOP, VALIDATION_TOKENS, Probe, probes_of, reading
from gptstudio.training.spec import VALIDATION_PROBE, TrainSpec

pytestmark = pytest.mark.usefixtures("few_tokens")

SEVERAL = ("Every effort moves you", "He", VALIDATION_PROBE, "one two three four five six seven eight nine ten " * 3)


def test_that_a_reading_at_each_evaluation_is_the_softmax_of_the_logits_after_the_prompt(tiny_spec, tmp_path):
    spec = tiny_spec(config=DROPPING, steps=9, eval_freq=4, probes=SEVERAL)
    run = train(spec, tmp_path / "run")
    assert [each.step for each in of(run, ProbesRead)] == [-1, 0, 4, 8], "and before the first step"
    assert [event.step for event in of(run, Evaluated)] == [0, 4, 8]
    model = checkpoint.load(run.newest_checkpoint(), "reference").eval()
    text = corpus.read(spec)
    for probe, found in zip(probes_of(spec, text), of(run, ProbesRead)[-1].probes, strict=True):
        with torch.no_grad():
            expected = torch.softmax(model(torch.tensor([probe.ids[-16:]]))[0, -1], dim=-1)
        assert torch.tensor(found.probabilities) == pytest.approx(expected[list(found.ids)], rel=1e-3)
        assert set(torch.topk(expected, TOP).indices.tolist()) <= set(found.ids)
        assert found.entropy_bits == pytest.approx(-(expected * expected.log2()).sum().item(), rel=1e-3)
        assert found.text == GPT2.decode(probe.ids)
        assert found.dropped == max(0, len(probe.ids) - 16)
    known = of(run, ProbesRead)[-1].probes[2]
    assert known.true_id == text.val_ids[VALIDATION_TOKENS : VALIDATION_TOKENS + 1][0]
    with torch.no_grad():
        logits = model(torch.tensor([[int(i) for i in text.val_ids[:VALIDATION_TOKENS]]]))[0, -1]
    assert known.true_rank == 1 + int((logits > logits[known.true_id]).sum())


@pytest.mark.parametrize("more", [{}, {"reference": True}, {"accumulation": 2, "gradient_clip": 1.0}])
def test_that_a_run_with_probes_is_the_run_without(tiny_spec, tmp_path, more):
    spec = tiny_spec(config=DROPPING, steps=5, eval_freq=2, eval_iter=1, probes=SEVERAL, **more)
    with_probes, without = train(spec, tmp_path / "with"), train(spec.but(probes=()), tmp_path / "without")
    assert [each for each in journal_lines(with_probes) if "probes_read" not in each] == journal_lines(without)
    assert equal(weights(with_probes), weights(without))


@pytest.mark.parametrize("stop_at", [0, 3, 4])
def test_that_a_run_that_is_resumed_records_the_same(tiny_spec, tmp_path, whole_run, stop_at):
    spec = tiny_spec(config=DROPPING, steps=7, eval_freq=2, eval_iter=1, learning_rate=0.05, probes=SEVERAL)
    whole, stopped = whole_run(spec), train(spec, tmp_path / "stopped", stop_at=stop_at)
    assert continue_run(stopped).outcome == "finished"
    assert journal_lines(stopped) == journal_lines(whole)


def test_that_tokens_continue_to_be_recorded_once_they_were_likely_and_later_readings_are_forgotten(
    tiny_spec, tmp_path
):
    run = train(tiny_spec(steps=20, eval_freq=2, learning_rate=0.05), tmp_path / "run")
    before: tuple[int, ...] = ()
    for each in of(run, ProbesRead):
        ids = each.probes[0].ids
        assert ids[: len(before)] == before
        assert len(set(ids)) == len(ids)
        before = ids
    assert len(before) > TOP
    history = run_history.read(run.journal_path)
    started = history.started
    history.add(started.model_copy(update={"first_step": 4}))  # of a branch, or a resumed run
    assert [each.step for each in history.probes] == [-1, 0, 2]
    history.add(started)
    assert history.probes == []


def test_that_the_beginning_of_the_validation_text_fits_into_a_short_context():
    spec = TrainSpec(config=GPTConfig(context_length=4, emb_dim=8, n_heads=2, n_layers=1), probes=(VALIDATION_PROBE,))
    [probe] = probes_of(spec, Corpus([1] * 9, [5, 6, 7, 8, 9, 10], Label("", "")))
    assert (probe.ids, probe.true_id) == ([5, 6, 7, 8], 9)


def test_that_a_diverged_model_has_readings_that_a_journal_can_hold(tmp_path):
    found = reading(Probe([1, 2], 3), torch.full((50,), math.nan), (7,), 16)
    event = ProbesRead(step=-1, tokens_seen=0, probes=(found,))
    again = ProbesRead.model_validate_json(event.model_dump_json())
    assert all(map(math.isnan, again.probes[0].probabilities))
    assert again.probes[0].ids == found.ids


@pytest.mark.parametrize(("probes", "words"), [
    (tuple("abcdefghi"), "at most 8"), (("a", "  "), "Probe prompt 2 is empty"), (("\udc80",), "not valid characters"),
])
def test_that_probes_that_cannot_be_recorded_are_refused_with_a_message(probes, words):
    [problem] = TrainSpec.problems({"probes": probes})
    assert problem.field == "probes"
    assert words in problem.message


def test_that_a_probe_that_is_given_twice_is_recorded_once():
    assert TrainSpec(probes=("a", "b", "a")).probes == ("a", "b")
