"""A loss that is not finite ends the run at that step with a message; the weights and the checkpoints from before are
kept, and values that are not finite never replace them. Its curves are drawn as far as the values are finite."""

import hashlib
import math
from pathlib import Path

import lessons
import numpy as np
import pytest
import torch
from messages import message
from whole_runs import after_step, breaks, equal

from gptstudio import devices
from gptstudio.fields import SpecError
from gptstudio.training import checkpoint, corpus, trainer
from gptstudio.training.control import Control
from gptstudio.training.divergence import NotFinite
from gptstudio.training.events import CheckpointSaved, Evaluated, Event, MemoryRead, StepDone, Warned
from gptstudio.training.launch import launch
from gptstudio.training.run_folder import RunFolder
from gptstudio.training.train_state import build_state, resume_tensors

pytestmark = [pytest.mark.fault(13), pytest.mark.usefixtures("common_words")]

NAN, INF = math.nan, math.inf

study = lessons.study
"""Run that is trained directly, without the window."""


@pytest.mark.parametrize(("value", "word", "step", "place"), [
    (NAN, "nan", 0, "step 1 of epoch 1"), (INF, "inf", 7, "step 8 of epoch 1"), (NAN, "nan", 14, "step 3 of epoch 2")
])
def test_that_a_run_ends_at_the_step_whose_loss_is_not_finite(study, monkeypatch, value, word, step, place):
    begins = breaks(monkeypatch, step, value)
    run = study(steps=20, eval_freq=100)
    assert [event.step for event in run.of(StepDone)] == list(range(step))
    assert (run.ended.outcome, run.ended.user_error) == ("failed", True)
    assert f"The loss is {word} at step {step + 1} ({place}), on the batch that starts with" in run.ended.message
    assert " ".join(begins[0].split()) in run.ended.message
    assert "\n" not in run.ended.message


def test_that_a_gradient_that_is_not_finite_ends_the_run_although_the_loss_is_finite(study, monkeypatch):
    real = trainer.batch_loss

    def batch_loss(state, batch):
        loss = real(state, batch)
        if loss.requires_grad and state.progress.step - 1 == 3:
            loss.register_hook(lambda gradient: gradient * INF)
        return loss

    monkeypatch.setattr(trainer, "batch_loss", batch_loss)
    run = study()
    assert [event.step for event in run.of(StepDone)] == [0, 1, 2]
    assert message("gradient_s_length") in run.ended.message
    assert "at step 4 (step 4 of epoch 1)," in run.ended.message


@pytest.mark.parametrize("value", [NAN, INF])
@pytest.mark.parametrize("clip", [0.0, 1.0])
def test_that_the_step_that_breaks_leaves_weights_and_optimizer_as_they_were(tiny_spec, monkeypatch, value, clip):
    spec = tiny_spec(accumulation=2)
    state = build_state(spec, corpus.read(spec), devices.cpu(), bf16=False)
    steps = state.steps(3, Control())
    trainer.training_step(state, next(steps)[1], clip)

    def all_tensors() -> dict[str, torch.Tensor]:
        tensors = state.model.state_dict() | resume_tensors(state)
        return {name: tensor.clone() for name, tensor in tensors.items() if not name.startswith(("chance", "order"))}

    before = all_tensors()
    breaks(monkeypatch, 1, value)
    with pytest.raises(NotFinite):
        trainer.training_step(state, next(steps)[1], clip)
    assert equal(all_tensors(), before)


def test_that_the_last_checkpoint_is_kept_and_offered(study, monkeypatch):
    breaks(monkeypatch, 30, NAN)
    run = study(steps=60, save_every_epochs=1)
    assert [event.step for event in run.of(CheckpointSaved)] == [11, 23, 25]  # the last is the best model, alone
    kept = run.folder.resumable()[-1]
    assert kept.name == "step-000023"
    assert "The checkpoint of step 24 is kept: continue from it" in run.ended.message
    assert all(parameter.isfinite().all() for parameter in checkpoint.load(kept).parameters())


def test_that_an_absurd_learning_rate_is_found_out_by_the_run_itself(study):
    run = study(steps=60, learning_rate=10.0, weight_decay=10.0)
    assert run.ended.outcome == "failed"
    assert "a learning rate of 10, where 0.001 is already high (try 0.001)" in run.ended.message


# Weights that are not finite


def digests(folder: Path) -> dict[str, str]:
    """Return the digest of each file below a folder."""
    found = (path for path in sorted(folder.rglob("*")) if path.is_file())
    return {str(path.relative_to(folder)): hashlib.sha256(path.read_bytes()).hexdigest() for path in found}


def all_finite(run: RunFolder) -> bool:
    tensors = [tensor for path in run.checkpoints() for tensor in checkpoint.read_weights(path).values()]
    tensors += [tensor for path in run.resumable() for tensor in checkpoint.load_resume(path).values()]
    return all(tensor.isfinite().all() for tensor in tensors if tensor.is_floating_point())


@pytest.fixture
def benches(monkeypatch) -> list:
    """The trainer states of the runs that are started, so that a test can put wrong values into their weights."""
    made, real = [], trainer.build_state

    def prepared(*args, **kwargs):
        made.append(real(*args, **kwargs))
        return made[-1]

    monkeypatch.setattr(trainer, "build_state", prepared)
    return made


def poison(state, value: float) -> None:
    with torch.no_grad():
        state.model.out_head.weight[7, 3] = value


@pytest.mark.parametrize(("value", "when"), [
    (NAN, "before the next step"), (INF, "before a checkpoint"), (-INF, "before a checkpoint"),
    (NAN, "at the last step"), (-INF, "at the last step"),
])
def test_that_weights_that_are_not_finite_never_replace_a_good_checkpoint(
    tiny_spec, tmp_path, benches, value, when, fault
):
    run, events, control = RunFolder(tmp_path / "run"), [], Control()
    at = {"before the next step": 12, "before a checkpoint": 23, "at the last step": 14}[when]
    sinks = [after_step(11, lambda: None), after_step(at, lambda: poison(benches[0], value))]
    if when == "at the last step":
        sinks.append(after_step(at, control.stop))
    kept = {}
    sinks.append(lambda event: isinstance(event, CheckpointSaved) and kept.update(digests(run.checkpoint_folder)))
    ended = launch(
        tiny_spec(steps=48, save_every_epochs=1, eval_freq=100, sample_tokens=0), control, [events.append, *sinks],
        run.path,
    )
    with fault.tried("it ends and says so"):
        assert (ended.outcome, ended.user_error) == ("failed", True)
        assert "diverged" in ended.message
        assert "\n" not in ended.message
        last = [event.step for event in events if isinstance(event, StepDone)][-1]
        assert last == at, "no step is taken with such weights"
    with fault.tried("what is not saved is told of"):
        warnings = [event.message for event in events if isinstance(event, Warned)]
        assert [words for words in warnings if message("longer_numbers") in words] or when == "before the next step"
    with fault.tried("the good checkpoint is as it was, to the byte"):
        assert [path.name for path in run.checkpoints()] == ["step-000011"]
        assert digests(run.checkpoint_folder) == kept
        assert all_finite(run)


@pytest.mark.parametrize("rate", [1e6, 1e30, 3e38])
def test_that_an_absurd_rate_that_passes_all_limits_costs_the_run_and_not_its_checkpoint(
    tiny_spec, tmp_path, rate, fault
):
    """Fields accept rates up to 10; a higher rate may come from elsewhere, so the test sets it where the run reads
    it."""
    run, events, control = RunFolder(tmp_path / "run"), [], Control()
    begin = after_step(13, lambda: setattr(control, "learning_rate", rate))
    spec = tiny_spec(steps=400, save_every_epochs=1, keep_others=100, eval_freq=5)
    ended = launch(spec, control, [events.append, begin], run.path)
    with fault.tried("either it goes on with numbers, or it ends and says so"):
        losses = [event.loss for event in events if isinstance(event, StepDone)]
        assert all(map(math.isfinite, losses))
        assert ended.outcome == "finished" or "diverged" in ended.message
    with fault.tried("every checkpoint holds numbers"):
        assert "step-000011" in [path.name for path in run.checkpoints()]
        assert all_finite(run)


def test_that_a_rate_of_a_million_cannot_be_entered(tiny_spec):
    with pytest.raises(SpecError, match=r"learning_rate is 1000000.*it must be a number between 0\.0 and 10\.0"):
        tiny_spec(learning_rate=1e6)


# The window


def test_that_the_curves_of_a_diverging_run_end_at_its_last_number_and_can_be_drawn(user, monkeypatch):
    breaks(monkeypatch, 15, NAN)
    user.train.finish(steps=30, eval_freq=5, save_every_epochs=1, batch_size=8, stride=64)
    assert "Training has diverged. The loss is nan at step 16" in user.reads("train_notice")
    assert len(user.train.losses()) == 15
    assert np.isfinite(user.train.losses()).all()
    assert user.train.go_on_slower_button.isVisible()
    assert whole(user.train.charts)
    user.click(user.train.go_on_slower_button)  # the user who continues from there sees the new points
    monkeypatch.undo()
    user.wait(lambda: len(user.train.losses()) > 16 or not user.train.running)


NUMBERS = (3.0, NAN, INF, -INF, 1e308, -1e308, 0.0, 1e-320)


def test_that_no_number_of_a_foreign_journal_harms_the_charts(whole_window, user, fault):
    """A journal may come from elsewhere, or from a program that did not stop in time."""
    user.train.to_end(steps=3)
    started = user.train.started
    for position, value in enumerate(NUMBERS):
        with fault.tried(value):
            user.train.show([started.model_copy(update={"total_steps": 1_000})])
            events = list[Event]()
            for step in range(20):
                odd = value if step % 3 == 1 or position % 2 else 2.5
                events += (
                    StepDone(step=step, epoch=1, loss=odd, learning_rate=odd, gradient_norm=odd, tokens_seen=32 * step,
                             elapsed_s=float(step)),
                    Evaluated(step=step, tokens_seen=32 * step, train_loss=odd, val_loss=odd),
                    MemoryRead(used_bytes=1, peak_bytes=1, total_bytes=2),
                )
            user.train.show(events)
            assert whole(user.train.charts)


def whole(charts) -> bool:
    """Assert that all charts can be painted and their axes are finite; return True."""
    for chart in charts:
        (left, right), (bottom, top) = chart.plot.viewRange()
        assert all(map(math.isfinite, (left, right, bottom, top)))
        assert left < right
        assert bottom < top
        assert not chart.grab().isNull()
    return True
