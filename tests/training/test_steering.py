"""A run that is paused, stepped, examined and stopped from another thread, in any order, has the same result."""

from itertools import islice

import pytest
import torch
from hypothesis import given, settings
from hypothesis import strategies as st
from lessons import FEW
from messages import message
from torch.nn.functional import cross_entropy
from whole_runs import PAUSED, Steered, after_step, assert_same, equal, journal_lines, state_of, steps, train, weights

from gptstudio.errors import UserError
from gptstudio.gpt.config import GPTConfig
from gptstudio.training import checkpoint, launch
from gptstudio.training.control import Control
from gptstudio.training.events import Ended, LearningRateChanged, StepDone, StepReport
from gptstudio.training.run_folder import RunFolder

pytestmark = pytest.mark.usefixtures("few_tokens")

DROPPING = GPTConfig(vocab_size=FEW, context_length=16, emb_dim=16, n_heads=2, n_layers=1, drop_rate=0.2)
STILL = DROPPING.but(drop_rate=0.0)


def examined(events) -> int:
    return sum(isinstance(event, StepReport) for event in events)


# Pause and step


def test_that_no_step_follows_the_one_in_which_a_pause_was_requested(tiny_spec, tmp_path):
    control, run = Control(), RunFolder(tmp_path / "run")

    def end_once_paused(event) -> None:
        if event == PAUSED:
            control.stop()

    launch.launch(tiny_spec(), control, [after_step(4, control.pause), end_once_paused], run.path)
    assert [event.step for event in steps(run)] == [0, 1, 2, 3, 4]


@pytest.mark.parametrize("reference", [False, True])
def test_that_a_run_stepped_through_equals_one_that_ran(tiny_spec, tmp_path, reference):
    spec = tiny_spec(config=DROPPING, steps=8, eval_freq=3, reference=reference)
    whole, control = train(spec, tmp_path / "whole"), Control()
    control.pause()
    with Steered(spec, tmp_path / "stepped", control) as steered:
        for taken in range(8):
            steered.until_paused()
            assert len(steered.of(StepDone)) == taken
            control.step()
            steered.until(lambda events, taken=taken: examined(events) == taken + 1)
        control.resume()
        steered.until(lambda events: isinstance(events[-1], Ended))
    assert [event.step for event in steered.of(StepReport)] == list(range(8))
    assert_same(steered.run, whole)


def test_that_steps_requested_in_quick_succession_are_all_taken_and_then_it_pauses(tiny_spec, tmp_path):
    control = Control()
    with Steered(tiny_spec(steps=1000, eval_freq=1000), tmp_path / "run", control) as steered:
        steered.until_step(2)
        for _ in range(5):
            control.step()
        steered.until(lambda events: examined(events) == 5 and events[-1] == PAUSED)
        last = steered.of(StepDone)[-1].step
        assert [event.step for event in steered.of(StepReport)] == list(range(last - 4, last + 1))
        control.resume()
        steered.until_step(last + 2)
        assert examined(steered.events) == 5, "one that runs is not examined"


ORDERS = st.lists(st.sampled_from(["pause", "resume", "step", "snapshot"]), max_size=8)


def test_that_pause_step_and_resume_in_any_order_change_nothing(tiny_spec, tmp_path):
    spec = tiny_spec(config=DROPPING, steps=12, eval_freq=5)
    whole, number = train(spec, tmp_path / "whole"), 0

    @settings(max_examples=8)
    @given(ORDERS, st.booleans())
    def steered_anyhow(orders: list[str], stopped: bool) -> None:
        nonlocal number
        number += 1
        with Steered(spec, tmp_path / f"steered-{number}") as steered:
            looks = [answer for order in orders if (answer := getattr(steered.control, order)())]
            steered.control.stop() if stopped else steered.control.resume()
            steered.until(lambda events: events and isinstance(events[-1], Ended))
        assert len(steered.of(Ended)) == 1
        assert steered.events[-1].outcome == ("stopped" if stopped else "finished")
        done = [answer.exception(30) or answer.result() for answer in looks]
        assert all(isinstance(each, UserError) or each.step >= -1 for each in done)
        if steered.run.path.is_dir():  # not where it was stopped before it began
            lines = journal_lines(steered.run)
            assert lines == journal_lines(whole)[: len(lines)]
            assert stopped or len(lines) == len(journal_lines(whole))

    steered_anyhow()


@pytest.mark.parametrize("before", [[], ["pause"], ["step"], ["pause", "step", "step"], ["pause", "resume"]])
def test_that_a_stop_ends_a_run_after_any_other_commands(tiny_spec, tmp_path, before):
    with Steered(tiny_spec(steps=100_000, eval_freq=100_000), tmp_path / "run") as steered:
        steered.until_step(0)
        for order in before:
            getattr(steered.control, order)()
        steered.control.stop()
        steered.join()
    assert steered.events[-1].outcome == "stopped"
    assert checkpoint.read_state(steered.run.newest_checkpoint()).step == steered.of(StepDone)[-1].step


def test_that_a_learning_rate_changed_during_the_run_applies_from_the_next_step(tiny_spec, tmp_path):
    control, run = Control(), RunFolder(tmp_path / "run")

    def turn() -> None:
        control.learning_rate = 5e-4

    launch.launch(tiny_spec(), control, [after_step(6, turn)], run.path)
    events = list(run.events())
    rates = [event.learning_rate for event in events if isinstance(event, StepDone)]
    assert rates == [1e-2] * 7 + [5e-4] * 5
    [changed] = [event for event in events if isinstance(event, LearningRateChanged)]
    assert (changed.step, changed.learning_rate) == (7, 5e-4)


# Snapshots of the model


def test_that_a_snapshot_of_a_running_model_is_its_weights_at_that_step_and_does_not_change(tiny_spec, tmp_path):
    spec = tiny_spec(config=DROPPING, steps=100_000, eval_freq=100_000, sample_tokens=0)
    with Steered(spec, tmp_path / "run") as steered:
        steered.until_step(3)
        taken = steered.control.snapshot().result(30)
        steered.until_step(taken.step + 3)  # training continued
    assert taken.step >= 3
    assert taken.config == DROPPING
    assert equal(taken.weights, weights(train(spec, tmp_path / "again", stop_at=taken.step)))


def test_that_a_paused_model_gives_a_snapshot_and_stays_paused(tiny_spec, tmp_path):
    spec = tiny_spec(config=STILL, steps=100_000, eval_freq=100_000)
    with Steered(spec, tmp_path / "run") as steered:
        steered.until_step(1)
        steered.control.pause()
        steered.until_paused()
        last = steered.of(StepDone)[-1].step
        one, other = (steered.control.snapshot().result(30) for _ in range(2))
        assert one.step == other.step == last
        assert equal(one.weights, other.weights)
        assert steered.events[-1] == PAUSED
        steered.control.step()
        steered.until(examined)
        after = steered.control.snapshot().result(30)
        assert after.step == last + 1
        assert not equal(after.weights, other.weights)


def test_that_a_model_gives_a_snapshot_before_its_first_step(tiny_spec, tmp_path):
    spec, control = tiny_spec(), Control()
    control.pause()
    look = control.snapshot()
    with Steered(spec, tmp_path / "run", control):
        taken = look.result(30)
    assert taken.step == -1
    fresh = state_of(spec).model
    assert equal(taken.weights, fresh.state_dict())


def test_that_a_tied_models_snapshot_can_be_built(tiny_spec, tmp_path):
    config = DROPPING.but(tie_weights=True)
    with Steered(tiny_spec(config=config, steps=1000), tmp_path / "run") as steered:
        taken = steered.control.snapshot().result(30)
    assert checkpoint.build(taken.config, taken.weights, "fast", "cpu").cfg == config


def test_that_a_snapshot_of_a_run_that_has_ended_is_refused_with_a_message(tiny_spec, tmp_path):
    control = Control()
    late: list = []
    sink = after_step(11, lambda: late.append(control.snapshot()))  # the last step: the request is still answered
    launch.launch(tiny_spec(steps=12), control, [sink], tmp_path / "run")
    assert late[0].result(0).step == 11
    with pytest.raises(UserError, match=message("run_ended")):
        control.snapshot().result(0)


def test_that_a_snapshot_that_nobody_waits_for_any_more_harms_nothing(tiny_spec, tmp_path):
    control = Control()
    sink = after_step(2, lambda: control.snapshot().cancel())
    assert launch.launch(tiny_spec(), control, [sink], tmp_path / "run").outcome == "finished"


@pytest.mark.parametrize("changes", [{"text": "/no/such/file"}, {"device": "toaster"}])
def test_that_a_run_that_cannot_begin_leaves_nobody_waiting_for_a_snapshot(tiny_spec, tmp_path, changes):
    control = Control()
    look = control.snapshot()
    launch.launch(tiny_spec(**changes), control, [], tmp_path / "run")
    with pytest.raises(UserError, match=message("run_ended")):
        look.result(0)


# The results of one step

COMPONENTS = {
    "tok_emb.": "token_embedding", "pos_emb.": "position_embedding", "out_head.": "output_layer",
    "final_norm.": "norms",
    "trf_blocks.0.norm1.": "norms", "trf_blocks.0.norm2.": "norms",
    "trf_blocks.0.att.": "attention", "trf_blocks.0.ff.": "feed_forward",
}


def mean_loss(snapshot, batches) -> tuple[torch.Tensor, list[torch.Tensor]]:
    """Return the loss of a snapshot by the book's own arithmetic, and its gradients."""
    model = checkpoint.build(snapshot.config, snapshot.weights, "reference", "cpu")
    losses = [cross_entropy(model(inputs).flatten(0, 1), targets.flatten()) for inputs, targets in batches]
    loss = torch.stack(losses).mean()
    return loss.item(), torch.autograd.grad(loss, list(model.parameters()))


@pytest.mark.parametrize(("accumulation", "drop_rate"), [(1, 0.0), (3, 0.0), (1, 0.3)])
def test_that_an_examined_step_reports_what_an_independent_computation_finds(
    tiny_spec, tmp_path, accumulation, drop_rate
):
    spec = tiny_spec(config=STILL.but(drop_rate=drop_rate), accumulation=accumulation, steps=4)
    state = state_of(spec)
    [*_, (_, batches)] = islice(state.steps(4, Control()), 3)  # of step 2, in the first epoch
    control = Control()
    control.pause()  # before it begins: a step takes less time than the request
    with Steered(spec, tmp_path / "run", control) as steered:
        for _ in range(2):
            control.step()
        steered.until(lambda events: examined(events) == 2)
        before = control.snapshot().result(30)
        control.step()
        steered.until(lambda events: examined(events) == 3)
        after = control.snapshot().result(30)
    found = steered.of(StepReport)[2]
    assert (before.step, found.step, after.step) == (1, 2, 2)
    loss, gradients = mean_loss(before, batches)
    assert len(batches) == accumulation
    assert found.loss_before == pytest.approx(loss, rel=1e-5)
    assert found.loss_after == pytest.approx(mean_loss(after, batches)[0], rel=1e-5)
    assert found.loss_after < found.loss_before
    norm = torch.sqrt(sum(gradient.double().square().sum() for gradient in gradients)).item()
    assert found.gradient_norm == steered.of(StepDone)[2].gradient_norm
    assert drop_rate or found.gradient_norm == pytest.approx(norm, rel=1e-4)
    moved = {name: (after.weights[name] - before.weights[name]).abs().max().item() for name in before.weights}
    for change in found.changes:
        ours = {name: far for name, far in moved.items() if COMPONENTS[prefix(name)] == change.component}
        assert change.largest == max(ours.values()) == ours[change.parameter] > 0
    assert {change.component for change in found.changes} == set(COMPONENTS.values())


def prefix(name: str) -> str:
    return next(start for start in COMPONENTS if name.startswith(start))
