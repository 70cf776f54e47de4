"""Accumulated batches equal one large batch; AdamW receives its betas."""

import pytest
import torch
from lessons import FEW
from whole_runs import state_of, steps, train

from gptstudio.gpt.config import GPTConfig
from gptstudio.training import corpus, trainer
from gptstudio.training.control import Control
from gptstudio.training.train_state import TrainState

pytestmark = pytest.mark.usefixtures("few_tokens")

STILL = GPTConfig(vocab_size=FEW, context_length=16, emb_dim=16, n_heads=2, n_layers=2, drop_rate=0.0)


def make(spec) -> TrainState:
    state = state_of(spec)
    state.optimizer.zero_grad = lambda **_: None  # so that the gradients of a step can be read after it
    return state


def gradients(state: TrainState) -> dict[str, torch.Tensor]:
    return {name: parameter.grad.clone() for name, parameter in state.model.named_parameters()}


@pytest.mark.parametrize("reference", [False, True])
@pytest.mark.parametrize("clip", [0.0, 0.1])
def test_that_two_batches_of_two_give_the_gradient_of_one_of_four(tiny_spec, reference, clip):
    twice = make(tiny_spec(config=STILL, batch_size=2, accumulation=2, reference=reference))
    once = make(tiny_spec(config=STILL, batch_size=4, reference=reference))
    _, halves = next(twice.steps(1, Control()))
    _, [whole] = next(once.steps(1, Control()))
    assert len(halves) == 2
    assert torch.equal(torch.cat([inputs for inputs, _ in halves]), whole[0])
    ours, theirs = trainer.training_step(twice, halves, clip), trainer.training_step(once, [whole], clip)
    assert ours == pytest.approx(theirs, rel=1e-5)
    expected = gradients(once)
    for name, gradient in gradients(twice).items():
        torch.testing.assert_close(gradient, expected[name], rtol=1e-4, atol=1e-7, msg=name)


def test_that_a_run_that_accumulates_is_the_run_of_the_larger_batch(tiny_spec, tmp_path):
    twice = train(tiny_spec(config=STILL, batch_size=2, accumulation=2, steps=15), tmp_path / "twice")
    once = train(tiny_spec(config=STILL, batch_size=4, steps=15), tmp_path / "once")
    for ours, theirs in zip(steps(twice), steps(once), strict=True):
        assert (ours.step, ours.epoch, ours.tokens_seen) == (theirs.step, theirs.epoch, theirs.tokens_seen)
        assert ours.loss == pytest.approx(theirs.loss, rel=1e-3)
    assert steps(once)[-1].epoch == 3


def test_that_batches_that_do_not_make_up_a_step_are_left_out_of_the_epoch(tiny_spec, tmp_path):
    spec = tiny_spec(batch_size=2, accumulation=5, steps=5)
    plan, state = corpus.plan(spec, corpus.read(spec)), make(spec)
    assert len(state.training) == 12
    assert plan.steps_per_epoch == state.steps_per_epoch == 2
    run = train(spec, tmp_path / "run")
    assert [event.epoch for event in steps(run)] == [1, 1, 2, 2, 3]
    assert [event.tokens_seen for event in steps(run)] == [160 * (i + 1) for i in range(5)]


@pytest.mark.parametrize("reference", [False, True])
def test_that_adamw_gets_its_betas(tiny_spec, reference):
    state = make(tiny_spec(config=STILL, beta1=0.7, beta2=0.6, reference=reference))
    _, batches = next(state.steps(1, Control()))
    trainer.training_step(state, batches)
    for parameter in state.model.parameters():
        kept = state.optimizer.state[parameter]
        torch.testing.assert_close(kept["exp_avg"], 0.3 * parameter.grad.to_dense())
        torch.testing.assert_close(kept["exp_avg_sq"], 0.4 * parameter.grad.to_dense().square())
