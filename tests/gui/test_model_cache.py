"""What is asked of models: answered with true numbers, by models that are kept or let go."""

from concurrent.futures import Future
from itertools import count

import numpy as np
import pytest
from lessons import TINY
from pages.generate import kept

from gptstudio.gpt import tokenizer
from gptstudio.gpt.model import GPTModel
from gptstudio.gui.generate.model_cache import ModelCache
from gptstudio.gui.generate.requests import (
    AttentionQuery,
    Compare,
    LensQuery,
    Model,
    NeighbourQuery,
    ReadingQuery,
    RequestAnswered,
    RequestFailed,
    Score,
    StreamEvent,
    Write,
)
from gptstudio.training import checkpoint, model_source
from gptstudio.training.control import Control
from gptstudio.training.events import Ended, PromptRead, TokenDrawn, TokenRead
from gptstudio.training.model_source import LiveModel, SavedModel, UntrainedModel
from gptstudio.training.snapshot import Snapshot
from gptstudio.training.spec import GenerateSpec

IDS = tuple(tokenizer.encode("Every effort moves you"))
SPEC = GenerateSpec(max_new_tokens=3, device="cpu")
ONE, OTHER = UntrainedModel(TINY, 1), UntrainedModel(TINY, 2)


@pytest.fixture
def shelved():
    return ModelCache()


@pytest.fixture
def submit(shelved):
    """Does a job at once, on this thread; all that it posted."""

    def run(what, control=None, snapshot=None):
        posted = []
        shelved.job(what, control or Control(), snapshot)(posted.append)
        return posted

    return run


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


def test_that_a_model_is_loaded_once_for_text_after_text_and_every_question(submit, loads):
    submit(Write(SPEC, ONE))
    submit(Write(SPEC, ONE, IDS, 2))
    submit(ReadingQuery(model(ONE), IDS))
    submit(LensQuery(model(ONE), IDS))
    assert loads == [ONE]


def test_that_a_model_goes_when_another_is_asked(submit, loads, shelved):
    submit(Write(SPEC, ONE))
    submit(Write(SPEC, OTHER))
    assert [each.source for each in kept(shelved)] == [OTHER]
    submit(Write(SPEC, ONE))
    assert loads == [ONE, OTHER, ONE]


def test_that_both_sides_of_a_comparison_copy_a_model_in_training_as_it_is_now(submit):
    steps, live = count(), LiveModel("run")

    def snapshot():
        taken = Future()
        taken.set_result(Snapshot(TINY, next(steps), checkpoint.weights_of(GPTModel(TINY))))
        return taken

    both = Compare(Write(SPEC, live), Write(SPEC.but(precision="int8"), live))
    for now in (("step 1", "step 2"), ("step 3", "step 4")):
        told = submit(both, snapshot=snapshot)
        assert [each.event.model[-6:] for each in told if isinstance(each.event, PromptRead)] == list(now)


def test_that_a_comparison_writes_both_sides_by_turns_with_their_own_settings(submit, shelved):
    left, right = Write(SPEC, ONE), Write(SPEC.but(temperature=0.0, top_k=None), OTHER)
    told = submit(Compare(left, right))
    assert all(isinstance(each, StreamEvent) for each in told)
    assert [each.side for each in told if isinstance(each.event, TokenDrawn)] == [0, 1, 0, 1, 0, 1]
    assert isinstance(told[-1].event, Ended)
    assert len([each for each in told if isinstance(each.event, Ended)]) == 1
    for side, write in enumerate((left, right)):
        alone = [each.id for each in submit(write) if isinstance(each, TokenDrawn)]
        assert [t.event.id for t in told if t.side == side and isinstance(t.event, TokenDrawn)] == alone
    drawn = [t.event for t in told if t.side == 1 and isinstance(t.event, TokenDrawn)]
    assert {event.sampling_params.temperature for event in drawn} == {0.0}


def test_that_a_comparison_holds_both_models_at_once(submit, loads):
    submit(Write(SPEC, ONE))
    submit(Compare(Write(SPEC, ONE), Write(SPEC, OTHER)))
    assert loads == [ONE, OTHER]


def test_that_a_comparison_can_be_stopped(submit):
    control = Control()
    control.stop()
    told = submit(Compare(Write(SPEC, ONE), Write(SPEC, OTHER)), control)
    assert told[-1].event.outcome == "stopped"
    assert not any(isinstance(each.event, TokenDrawn) for each in told)


def test_that_a_side_that_fails_ends_the_comparison_with_its_words(submit, tmp_path):
    gone = SavedModel(tmp_path / "gone" / "checkpoints" / "step-000001")
    told = submit(Compare(Write(SPEC, ONE), Write(SPEC, gone)))
    assert told[-1].event.outcome == "failed"
    assert "gone" in told[-1].event.message


def test_that_a_score_tells_of_every_token(submit):
    told = submit(Score(model(ONE), "Every effort moves you"))
    assert [each.event.id for each in told if isinstance(each.event, TokenRead)] == list(IDS)
    assert told[-1].event.outcome == "finished"


def test_that_a_look_gives_the_logits_that_a_token_was_drawn_from(submit):
    written = submit(Write(SPEC, ONE))
    drawn = [each for each in written if isinstance(each, TokenDrawn)]
    ids = (*IDS, *(each.id for each in drawn))
    (answer,) = submit(ReadingQuery(model(ONE), ids))
    assert isinstance(answer, RequestAnswered)
    assert np.allclose(answer.answer.logits, drawn[-1].logits, atol=1e-5)
    assert answer.answer.plain_probability == pytest.approx(drawn[-1].plain_probability, rel=1e-4)


def test_that_attention_is_that_of_the_layer_and_sees_no_later_token(submit):
    (answer,) = submit(AttentionQuery(model(ONE), IDS, 0))
    weights = answer.answer.weights
    assert weights.shape == (TINY.n_heads, len(IDS), len(IDS))
    assert np.allclose(weights.sum(-1), 1, atol=1e-6)
    assert not np.triu(weights, k=1).any()


def test_that_what_cannot_be_answered_is_refused_in_words(submit, tmp_path):
    (answer,) = submit(AttentionQuery(model(SavedModel(tmp_path / "gone" / "checkpoints" / "step-000001")), IDS, 0))
    assert isinstance(answer, RequestFailed)
    assert "gone" in answer.words


@pytest.mark.parametrize(
    "question", [AttentionQuery(model(ONE), IDS, 0), LensQuery(model(ONE), IDS), NeighbourQuery(model(ONE), 3)])
def test_that_a_look_inside_that_was_stopped_is_refused_without_loading(submit, loads, question):
    control = Control()
    control.stop()
    (answer,) = submit(question, control)
    assert isinstance(answer, RequestFailed)
    assert "run it again" in answer.words
    assert loads == []


def test_that_a_model_that_learned_nothing_has_no_neighbours_from_before(submit):
    (answer,) = submit(NeighbourQuery(model(ONE), IDS[0]))
    assert answer.answer.before is None
    assert len(answer.answer.after.ids) == 12


def test_that_a_trained_models_neighbours_are_shown_beside_those_it_began_with(submit, study):
    saved = SavedModel(study(steps=2, seed=5).newest_checkpoint())
    (answer,) = submit(NeighbourQuery(model(saved), IDS[0]))
    (began,) = submit(NeighbourQuery(model(UntrainedModel(TINY, 5)), IDS[0]))
    assert answer.answer.before.ids.tolist() == began.answer.after.ids.tolist()
    assert not np.array_equal(answer.answer.before.cosines, answer.answer.after.cosines)


def test_that_each_new_text_copies_a_model_in_training_anew_and_its_branches_do_not(submit):
    copies = []

    def snapshot():
        copies.append(len(copies))
        look = Future()
        look.set_result(Snapshot(TINY, len(copies), checkpoint.weights_of(GPTModel(TINY))))
        return look

    live = LiveModel("run")
    first = submit(Write(SPEC, live), snapshot=snapshot)
    submit(Write(SPEC, live, IDS, 3, refresh=False), snapshot=snapshot)
    submit(ReadingQuery(model(live), IDS), snapshot=snapshot)
    assert copies == [0]
    second = submit(Write(SPEC, live), snapshot=snapshot)
    assert copies == [0, 1]
    names = [each.model for each in (*first, *second) if isinstance(each, PromptRead)]
    assert names == ["run, as it was after step 2", "run, as it was after step 3"]


def test_that_waiting_for_a_copy_can_be_stopped(submit):
    control = Control()
    control.stop()
    posted = submit(Write(SPEC, LiveModel("run")), control, snapshot=Future)
    assert posted[-1].outcome == "stopped"
