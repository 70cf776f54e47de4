"""The message of a run that diverged: its likely causes, the most likely first, and the checkpoint that is left; and
the runs that count as diverged. A loss that is not finite, and the data that is kept then, are tested in
``tests/faults``."""

import math

import pytest
from messages import message
from whole_runs import breaks, continue_run, train

from gptstudio.training import trainer
from gptstudio.training.events import CheckpointSaved, StepDone

NAN = float("nan")


RATE, CLIP = "a learning rate of", "no gradient clipping (try a gradient clip of 1)"
WARM_UP = "the full learning rate from the first step (try the cosine schedule, which has a warm-up)"


@pytest.mark.parametrize(
    ("changes", "likely", "not_possible"),
    [
        ({"learning_rate": 1e-2}, [RATE + " 0.01, where 0.001 is already high (try 0.001)", CLIP, WARM_UP], ["bf16"]),
        ({"learning_rate": 1e-2, "gradient_clip": 1.0}, [RATE, WARM_UP], [CLIP]),
        ({"learning_rate": 1e-2, "schedule": "cosine", "warmup_steps": 5}, [RATE, CLIP], [WARM_UP]),
        ({"learning_rate": 1e-2, "schedule": "cosine", "warmup_steps": 0}, [RATE, CLIP, WARM_UP], []),
        ({"learning_rate": 3e-4}, [CLIP, WARM_UP, RATE + " 0.0003 that is too high for this model (try 3e-05)"], []),
        ({"precision": "bf16"}, [RATE, CLIP, WARM_UP, "sums rounded in bf16 (try fp32)"], []),
    ],
    ids=["rate", "clipped", "warmed up", "cold cosine", "low rate", "bf16"],
)
@pytest.mark.usefixtures("few_tokens")
def test_that_the_causes_are_the_possible_ones_with_the_most_likely_first(
    study, monkeypatch, changes, likely, not_possible
):
    breaks(monkeypatch, 2, NAN)
    words = study(**changes).ended.message
    places = [words.index(cause) for cause in likely]
    assert places == sorted(places)
    assert not any(cause in words for cause in not_possible)
    assert words.index("Possible causes, the most likely first: ") < places[0]


@pytest.mark.usefixtures("few_tokens")
def test_that_a_run_without_a_checkpoint_says_so_when_it_diverges(study, monkeypatch):
    breaks(monkeypatch, 4, NAN)
    run = study()
    assert message("no_checkpoint_had_been_saved_yet") in run.ended.message
    assert run.folder.checkpoints() == []


def test_that_a_loss_far_above_random_guessing_for_many_steps_is_a_divergence(study):
    run = study(text="story", steps=200, learning_rate=10.0)
    losses = [event.loss for event in run.of(StepDone)]
    assert all(loss > 2 * math.log(50_257) for loss in losses[-20:])
    assert (run.ended.outcome, run.ended.error) == ("failed", "Diverged")
    assert message("far_above_guessing") in run.ended.message
    assert f"and it is {losses[-1]:,.1f} at step {len(losses)} (step" in run.ended.message
    assert RATE in run.ended.message


@pytest.mark.parametrize("rate", [0.0, 0.1])
def test_that_a_run_that_learns_little_or_nothing_is_no_divergence(study, rate):
    assert study(text="story", steps=25, eval_freq=100, learning_rate=rate).ended.outcome == "finished"


def scripted(monkeypatch, losses) -> None:
    """Make the training steps return these losses."""
    following, real = iter(losses), trainer.training_step
    monkeypatch.setattr(trainer, "training_step", lambda *of: (next(following), real(*of)[1]))


@pytest.mark.usefixtures("few_tokens")
def test_that_a_short_excursion_is_no_divergence(study, monkeypatch):
    scripted(monkeypatch, [30.0] * 19 + [17.0] + [30.0] * 19)
    assert study(steps=39, eval_freq=100).ended.outcome == "finished"


@pytest.mark.usefixtures("few_tokens")
def test_that_the_steps_are_counted_across_a_stop(tiny_spec, tmp_path, monkeypatch):
    scripted(monkeypatch, [5.0] * 5 + [30.0] * 40)
    run = train(tiny_spec(steps=60, eval_freq=100), tmp_path / "run", stop_at=14)
    assert (ended := continue_run(run)).outcome == "failed"
    assert "at step 25 (" in ended.message


@pytest.mark.usefixtures("few_tokens")
def test_that_the_checkpoint_from_before_remains_the_newest(study, monkeypatch):
    scripted(monkeypatch, [5.0] * 20 + [30.0] * 40)
    run = study(steps=60, save_every_epochs=1)
    assert [event.step for event in run.of(CheckpointSaved)] == [11, 35], "the second is the best model, alone"
    assert [path.name for path in run.folder.resumable()] == ["step-000011"]
    assert "The checkpoint of step 12 is kept: continue from it" in run.ended.message
