"""Requests to models: answered with correct numbers, by models that are kept or released."""

import threading
from concurrent.futures import Future
from itertools import count

import numpy as np
import pytest
from lessons import TINY
from pages.generate import kept
from pages.workers import at_once

from gptstudio.app.requests import (
    AttentionQuery,
    Compare,
    LensQuery,
    Model,
    ModelCache,
    NeighbourQuery,
    ReadingQuery,
    Score,
    Write,
)
from gptstudio.app.state import AppState
from gptstudio.app.tasks import TaskError, TaskRunner
from gptstudio.gpt.model import GPTModel
from gptstudio.gpt.tokenizer import GPT2
from gptstudio.gui.controllers.generation import GenerationController
from gptstudio.inference.spec import GenerateSpec
from gptstudio.training import checkpoint, model_source
from gptstudio.training.events import Ended, PromptRead, TokenDrawn, TokenRead
from gptstudio.training.model_source import LiveModel, SavedModel, UntrainedModel
from gptstudio.training.steering import WeightsSnapshot

ALL_WORDS = True

IDS = tuple(GPT2.encode("Every effort moves you"))
SPEC = GenerateSpec(max_new_tokens=3, device="cpu")
ONE, OTHER = UntrainedModel(TINY, 1), UntrainedModel(TINY, 2)


@pytest.fixture
def shelved():
    return ModelCache()


@pytest.fixture
def submit(shelved):
    """Return a function that processes a request on this thread, and returns its items."""

    def run(what, stop=False):
        items, end, _ = at_once(stopped(shelved.work(what)) if stop else shelved.work(what))
        assert end == "done", "what went wrong is an event"
        return items

    return run


@pytest.fixture
def ask(shelved):
    """Return a function that processes a question on this thread, and returns how it ended, and the answer or error."""
    return lambda question: at_once(shelved.work(question))[1:]


def stopped(work):
    """Return the same work, cancelled as soon as it begins."""

    def begin(task):
        task.cancel()
        return work(task)

    return begin


@pytest.fixture
def loads(monkeypatch):
    """The models that were loaded, in order."""
    seen, real = [], model_source.load

    def load(which, *how):
        seen.append(which)
        return real(which, *how)

    monkeypatch.setattr(model_source, "load", load)
    return seen


def model(source):
    return Model(source, "cpu")


def test_that_a_model_is_loaded_once_for_text_after_text_and_every_question(submit, ask, loads):
    submit(Write(SPEC, ONE))
    submit(Write(SPEC, ONE, IDS, 2))
    ask(ReadingQuery(model(ONE), IDS))
    ask(LensQuery(model(ONE), IDS))
    assert loads == [ONE]


def test_that_a_model_is_released_when_another_is_requested(submit, loads, shelved):
    submit(Write(SPEC, ONE))
    submit(Write(SPEC, OTHER))
    assert [each.source for each in kept(shelved)] == [OTHER]
    submit(Write(SPEC, ONE))
    assert loads == [ONE, OTHER, ONE]


def test_that_both_sides_of_a_comparison_copy_a_model_in_training_in_its_current_state(submit, shelved):
    steps, live = count(), LiveModel("run")

    def snapshot():
        taken = Future()
        taken.set_result(WeightsSnapshot(TINY, next(steps), checkpoint.weights_of(GPTModel(TINY))))
        return taken

    shelved.snapshot = snapshot
    both = Compare(Write(SPEC, live), Write(SPEC.but(precision="int8"), live))
    for now in (("step 1", "step 2"), ("step 3", "step 4")):
        stream = [event for _, event in submit(both)]
        assert [event.model[-6:] for event in stream if isinstance(event, PromptRead)] == list(now)


def test_that_a_comparison_writes_both_sides_alternately_with_their_own_settings(submit, shelved):
    left, right = Write(SPEC, ONE), Write(SPEC.but(temperature=0.0, top_k=None), OTHER)
    stream = submit(Compare(left, right))
    assert [side for side, event in stream if isinstance(event, TokenDrawn)] == [0, 1, 0, 1, 0, 1]
    assert [event for _, event in stream if isinstance(event, Ended)] == [stream[-1][1]]
    for side, write in enumerate((left, right)):
        alone = [each.id for each in submit(write) if isinstance(each, TokenDrawn)]
        assert [event.id for its, event in stream if its == side and isinstance(event, TokenDrawn)] == alone
    drawn = [event for side, event in stream if side == 1 and isinstance(event, TokenDrawn)]
    assert {event.sampling_params.temperature for event in drawn} == {0.0}


def test_that_a_comparison_keeps_both_models_in_memory(submit, loads):
    submit(Write(SPEC, ONE))
    submit(Compare(Write(SPEC, ONE), Write(SPEC, OTHER)))
    assert loads == [ONE, OTHER]


def test_that_a_comparison_can_be_stopped(submit):
    stream = submit(Compare(Write(SPEC, ONE), Write(SPEC, OTHER)), stop=True)
    assert stream[-1][1].outcome == "stopped"
    assert not any(isinstance(event, TokenDrawn) for _, event in stream)


def test_that_a_failing_side_ends_the_comparison_with_its_message(submit, tmp_path):
    gone = SavedModel(tmp_path / "gone" / "checkpoints" / "step-000001")
    stream = submit(Compare(Write(SPEC, ONE), Write(SPEC, gone)))
    assert stream[-1][1].outcome == "failed"
    assert "gone" in stream[-1][1].message


def test_that_a_score_reports_every_token(submit):
    stream = submit(Score(model(ONE), "Every effort moves you"))
    assert [each.id for each in stream if isinstance(each, TokenRead)] == list(IDS)
    assert stream[-1].outcome == "finished"


def test_that_a_token_question_returns_the_logits_that_it_was_drawn_from(submit, ask):
    written = submit(Write(SPEC, ONE))
    drawn = [each for each in written if isinstance(each, TokenDrawn)]
    ids = (*IDS, *(each.id for each in drawn))
    _, answer = ask(ReadingQuery(model(ONE), ids))
    assert np.allclose(answer.logits, drawn[-1].logits, atol=1e-5)
    assert answer.plain_probability == pytest.approx(drawn[-1].plain_probability, rel=1e-4)


def test_that_attention_is_that_of_the_layer_and_sees_no_later_token(ask):
    _, answer = ask(AttentionQuery(model(ONE), IDS, 0))
    weights = answer.weights
    assert weights.shape == (TINY.n_heads, len(IDS), len(IDS))
    assert np.allclose(weights.sum(-1), 1, atol=1e-6)
    assert not np.triu(weights, k=1).any()


def test_that_an_unanswerable_question_is_refused(ask, tmp_path):
    gone = SavedModel(tmp_path / "gone" / "checkpoints" / "step-000001")
    ended, error = ask(AttentionQuery(model(gone), IDS, 0))
    assert ended == "failed"
    assert isinstance(error, TaskError)
    assert "gone" in error.message


@pytest.mark.parametrize(
    "question", [AttentionQuery(model(ONE), IDS, 0), LensQuery(model(ONE), IDS), NeighbourQuery(model(ONE), 3)])
def test_that_a_question_that_was_stopped_ends_without_loading(shelved, loads, question):
    assert at_once(stopped(shelved.work(question)))[1:] == ("cancelled", None)
    assert loads == []


def test_that_a_question_that_yields_to_a_text_is_refused(shelved, application, qtbot):
    tasks, state, refused, proceed = TaskRunner(), AppState(), [], threading.Event()
    generation = GenerationController(state, tasks, shelved, tasks)
    tasks.run(lambda task: proceed.wait(20), queue="model")
    generation.ask(LensQuery(model(ONE), IDS), "layers", refused.append, refused.append, print)
    generation.write(Write(SPEC, ONE))
    proceed.set()
    qtbot.waitUntil(lambda: not tasks.busy())
    assert tasks.finish()
    (words,) = refused
    assert "run it again" in words
    assert not state.generating


def test_that_an_untrained_model_has_no_earlier_neighbours(ask):
    _, answer = ask(NeighbourQuery(model(ONE), IDS[0]))
    assert answer.before is None
    assert len(answer.after.ids) == 12


def test_that_a_trained_models_neighbours_are_shown_beside_its_initial_ones(ask, study):
    saved = SavedModel(study(steps=2, seed=5).newest_checkpoint())
    _, answer = ask(NeighbourQuery(model(saved), IDS[0]))
    _, began = ask(NeighbourQuery(model(UntrainedModel(TINY, 5)), IDS[0]))
    assert answer.before.ids.tolist() == began.after.ids.tolist()
    assert not np.array_equal(answer.before.cosines, answer.after.cosines)


def test_that_each_new_text_copies_a_model_in_training_again_and_its_branches_do_not(submit, ask, shelved):
    copies = []

    def snapshot():
        copies.append(len(copies))
        look = Future()
        look.set_result(WeightsSnapshot(TINY, len(copies), checkpoint.weights_of(GPTModel(TINY))))
        return look

    live, shelved.snapshot = LiveModel("run"), snapshot
    first = submit(Write(SPEC, live))
    submit(Write(SPEC, live, IDS, 3, refresh=False))
    ask(ReadingQuery(model(live), IDS))
    assert copies == [0]
    second = submit(Write(SPEC, live))
    assert copies == [0, 1]
    names = [each.model for each in (*first, *second) if isinstance(each, PromptRead)]
    assert names == ["run, as it was after step 2", "run, as it was after step 3"]


def test_that_waiting_for_a_copy_can_be_stopped(submit, shelved):
    shelved.snapshot = Future
    assert submit(Write(SPEC, LiveModel("run")), stop=True)[-1].outcome == "stopped"
