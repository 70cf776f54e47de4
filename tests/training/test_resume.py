"""A run that was stopped and continues equals the run that never stopped, to the last bit; a refusal gives the reason.

``test_optimizers`` tests that it may be stopped after any step, with every optimizer.
"""

import json
import random
import shutil
from collections.abc import Callable
from pathlib import Path

import pytest
import torch
from disks import contents
from lessons import FEW, short_run, write_lesson
from safetensors.torch import load_file, save_file
from whole_runs import (
    DROPPING,
    PAUSED,
    Killed,
    after_step,
    assert_same,
    break_weights,
    continue_run,
    equal,
    journal_lines,
    kill,
    of,
    seal,
    steps,
    train,
    weights,
)

from gptstudio import files
from gptstudio.history import run_history
from gptstudio.history.summary import Summaries
from gptstudio.training import checkpoint, checkpoint_files, launch, trainer
from gptstudio.training.checkpoint_manager import CheckpointManager
from gptstudio.training.control import Control
from gptstudio.training.events import (
    Ended,
    Evaluated,
    Event,
    LearningRateChanged,
    RunStarted,
    SampleWritten,
    Warned,
)
from gptstudio.training.optimizer import AdamW
from gptstudio.training.run_folder import RunFolder
from gptstudio.training.spec import TrainSpec

pytestmark = pytest.mark.usefixtures("few_tokens")


def test_that_a_killed_run_continues_from_its_last_checkpoint(tiny_spec, tmp_path, whole_run):
    spec = tiny_spec(config=DROPPING, steps=26, save_every_epochs=1, eval_freq=100)
    whole = whole_run(spec)
    run = RunFolder(tmp_path / "killed")
    with pytest.raises(Killed):
        launch.launch(spec, Control(), [after_step(22, kill)], run.path)
    with run.journal_path.open("ab") as journal:
        journal.write(b'{"event":"step_done","step":23,"ep')  # a line that was cut off
    assert 0 < checkpoint.read_state(run.newest_checkpoint()).step < 22
    assert continue_run(run).outcome == "finished"
    assert journal_lines(run) == journal_lines(whole)
    for line in run.journal_path.read_bytes().splitlines():
        json.loads(line)


def test_that_a_run_that_diverged_continues_from_the_previous_checkpoint(tiny_spec, tmp_path, monkeypatch, whole_run):
    spec = tiny_spec(config=DROPPING, steps=26, save_every_epochs=1, eval_freq=100)
    whole, run = whole_run(spec), RunFolder(tmp_path / "diverged")
    with monkeypatch.context() as broken:
        breaking = after_step(17, lambda: broken.setattr(AdamW, "step", break_weights))
        ended = launch.launch(spec, Control(), [breaking], run.path)
    assert ended.outcome == "failed"
    assert "at step 20 (" in ended.message
    assert checkpoint.read_state(run.newest_checkpoint()).step == 11
    assert continue_run(run).outcome == "finished"
    assert_same(run, whole)


def test_that_a_journal_of_many_parts_is_one_history(tiny_spec, tmp_path):
    run = train(tiny_spec(steps=9), tmp_path / "run", stop_at=2)
    kept = checkpoint.read_state(run.newest_checkpoint()).elapsed_s
    assert kept >= steps(run)[-1].elapsed_s > 0
    continue_run(run, stop_at=5)
    continue_run(run)
    events = list(run.events())
    assert [event.step for event in steps(run)] == list(range(9))
    elapsed = [event.elapsed_s for event in steps(run)]
    assert elapsed == sorted(elapsed)
    assert elapsed[3] >= kept, "the seconds continue where they were"
    assert [event.first_step for event in events if isinstance(event, RunStarted)] == [0, 3, 6]
    assert events[-1] == Ended(outcome="finished", message="Finished.")
    assert len([event for event in events if isinstance(event, Ended)]) == 1
    content = run.journal_path.read_bytes()
    assert content.endswith(b"\n")
    assert len(content.splitlines()) == len(events), "every line is an event"


# A learning rate that was changed


class Change:
    """A sink that pauses after a step, changes the learning rate while the run is paused, and resumes the run."""

    def __init__(self, control: Control, step: int, rate: float):
        self._control, self._rate, self._pause = control, rate, after_step(step, control.pause)

    def __call__(self, event: Event) -> None:
        self._pause(event)
        if event == PAUSED:
            self._control.learning_rate = self._rate
            self._control.resume()


@pytest.mark.parametrize("schedule", ["constant", "cosine"])
def test_that_a_learning_rate_changed_while_paused_survives_a_stop(tiny_spec, tmp_path, schedule):
    spec = tiny_spec(config=DROPPING, steps=10, schedule=schedule, warmup_steps=3, min_learning_rate=1e-4)
    control = Control()
    whole = RunFolder(tmp_path / "whole")
    launch.launch(spec, control, [Change(control, 5, 3e-3)], whole.path)
    control = Control()
    run = RunFolder(tmp_path / "stopped")
    launch.launch(spec, control, [Change(control, 5, 3e-3), after_step(7, control.stop)], run.path)
    assert checkpoint.read_state(run.newest_checkpoint()).learning_rate == 3e-3
    assert continue_run(run).outcome == "finished"
    assert_same(run, whole)
    [changed] = of(run, LearningRateChanged)
    assert (changed.step, changed.learning_rate) == (6, 3e-3)
    rates = [event.learning_rate for event in steps(run)]
    if schedule == "constant":
        assert rates == [1e-2] * 6 + [3e-3] * 4
    else:
        assert rates[6] <= 3e-3 < rates[5]
        assert rates[-1] == pytest.approx(1e-4)


@pytest.mark.parametrize("saved", [False, True], ids=["before the step is saved", "after it is saved"])
def test_that_a_learning_rate_set_in_a_pause_that_ends_with_a_stop_is_used_and_listed(
    tiny_spec, tmp_path, monkeypatch, saved
):
    monkeypatch.setattr(CheckpointManager, "due", lambda *_, **__: saved)
    control, run = Control(), RunFolder(tmp_path / "run")

    def change(event: Event, rate: float) -> None:
        if event == PAUSED:
            control.learning_rate = rate
            control.stop()

    pause = after_step(5, control.pause)
    launch.launch(tiny_spec(config=DROPPING, steps=10), control, [pause, lambda event: change(event, 3e-3)], run.path)
    assert checkpoint.read_state(run.newest_checkpoint()).learning_rate == 3e-3
    control = Control()
    control.pause()
    launch.resume(run, control, [lambda event: change(event, 2e-3)])
    assert continue_run(run).outcome == "finished"
    assert [event.learning_rate for event in steps(run)] == [1e-2] * 6 + [2e-3] * 4
    listed = run_history.read(run.journal_path).learning_rates
    assert [(each.step, each.learning_rate) for each in listed] == [(6, 2e-3)]
    assert Summaries(tmp_path / "summaries.json").of(run).figures.rates == ((6, 2e-3),)


# Runs that cannot continue


def assert_refused(run: RunFolder, *words: str, start: Path | None = None) -> None:
    """Assert that the run does not continue, that the reason is given, and that nothing is lost."""
    before, events = contents(run.path), []
    ended = launch.resume(run, Control(), [events.append], start)
    assert events == [ended]
    assert (ended.outcome, ended.user_error) == ("failed", True)
    for part in words:
        assert part in ended.message
    assert contents(run.path) == before


def test_that_a_run_whose_text_has_changed_or_is_missing_does_not_continue(tiny_spec, tmp_path, lesson):
    stopped = train(tiny_spec(steps=3), tmp_path / "run", stop_at=0)
    lesson.write_text(lesson.read_text() + "And they all slept.")
    assert_refused(stopped, "The text lesson.txt has changed since this run started", "start a new run")
    lesson.unlink()
    assert_refused(stopped, "does not exist. Choose another")


def test_that_a_finished_run_does_not_continue(tiny_spec, tmp_path):
    assert_refused(train(tiny_spec(steps=1), tmp_path / "run"), "has completed all its steps")


def test_that_a_run_without_a_checkpoint_does_not_continue(stopped):
    shutil.rmtree(stopped.checkpoint_folder)
    assert_refused(stopped, "has no checkpoint: it ended before one was saved")


def test_that_a_damaged_checkpoint_is_refused_and_an_earlier_one_continues(stopped, whole_run):
    newest = stopped.newest_checkpoint()
    for name in (checkpoint.STATE, checkpoint.RESUME, checkpoint.WEIGHTS):
        rng, whole = random.Random(name), (newest / name).read_bytes()
        content = bytearray(whole)
        content[rng.randrange(len(content))] ^= 1 << rng.randrange(8)
        (newest / name).write_bytes(content)
        assert_refused(stopped, str(newest / name), "is damaged: wrong checksum (SHA-256).")
        assert_refused(stopped, str(newest / name), start=newest)
        if name != checkpoint.WEIGHTS:  # the last one stays damaged
            (newest / name).write_bytes(whole)
    assert continue_run(stopped, start=stopped.checkpoints()[0]).outcome == "finished"
    whole = whole_run(stopped.record().spec)
    assert_same(stopped, whole)


def test_that_continuing_from_an_earlier_checkpoint_removes_the_later(stopped):
    earlier, later = stopped.checkpoints()
    (later / "mark").touch()
    assert continue_run(stopped, stop_at=17, start=earlier).outcome == "stopped"
    assert stopped.checkpoints() == [earlier, later]
    assert not (later / "mark").exists(), "saved anew"


def test_that_a_damaged_earlier_checkpoint_does_not_cost_the_later(stopped):
    earlier, _ = stopped.checkpoints()
    (earlier / checkpoint.WEIGHTS).write_bytes(b"")
    assert_refused(stopped, "is damaged: wrong checksum", start=earlier)
    assert continue_run(stopped).outcome == "finished"


def test_that_a_checkpoint_with_another_models_weights_is_refused(stopped):
    newest = stopped.newest_checkpoint()
    tensors = load_file(newest / checkpoint.WEIGHTS)
    save_file(tensors | {"tok_emb.weight": torch.zeros(FEW, 8)}, newest / checkpoint.WEIGHTS)
    seal(newest)
    assert_refused(stopped, str(newest), "belong to another model", "tok_emb.weight has shape (6200, 8)")


def test_that_a_checkpoint_of_a_model_alone_does_not_continue(stopped):
    (stopped.newest_checkpoint() / checkpoint.RESUME).unlink()
    assert_refused(stopped, "contains a model but no optimizer state.", "contains a model but no optimizer state.")


def test_that_another_number_of_threads_is_warned_of(stopped, threads):
    count, events = torch.get_num_threads(), []
    threads(count + 1)
    launch.resume(stopped, Control(), [events.append])
    [warned] = [event for event in events if isinstance(event, Warned)]
    before = "1 thread" if count == 1 else f"{count} threads"
    assert f"computed with {before} and continues with {count + 1} threads." in warned.message
    assert events[-1].outcome == "finished"


def test_that_nothing_is_saved_or_lost_by_continuing_and_stopping_at_once(stopped):
    control = Control()
    before = journal_lines(stopped)
    ended = launch.resume(stopped, control, [lambda event: control.stop()])
    assert ended.outcome == "stopped"
    assert [path.name for path in stopped.checkpoints()] == ["step-000011", "step-000017"]
    assert journal_lines(stopped) == before
    assert continue_run(stopped).outcome == "finished"


# An evaluation that a stop interrupts


def stop_at_batch(monkeypatch, control: Control, step: int, batch: int) -> list[int]:
    """Stop the run before a batch of the evaluation after a step. Return the batches of that evaluation, as read."""
    real, read = trainer.batch_loss, []

    def batch_loss(state, inputs):
        if not state.model.training and state.progress.step - 1 == step and not control.stopping:
            read.append(len(read))
            if len(read) == batch:
                control.stop()
        return real(state, inputs)

    monkeypatch.setattr(trainer, "batch_loss", batch_loss)
    return read


@pytest.fixture
def brief(tmp_path, monkeypatch) -> Callable[..., TrainSpec]:
    """Return a function that makes specs on a text with 3 training batches and 1 for validation, each evaluated
    separately; their epochs end at the steps 2 and 5."""
    monkeypatch.setattr(trainer, "EVALUATED_TOKENS", 1)
    (tmp_path / "brief").mkdir()
    defaults = {"config": DROPPING, "steps": 7, "train_ratio": 0.8, "eval_freq": 2, "eval_iter": 1_000_000}
    return lambda **changes: short_run(write_lesson(tmp_path / "brief", 10), **defaults | changes)


@pytest.mark.parametrize("step", [4, 6], ids=["in the middle", "at the last step"])
def test_that_the_checkpoint_has_the_loss_of_an_evaluation_that_was_finished_later(
    brief, tmp_path, monkeypatch, whole_run, step
):
    spec = brief()
    run, control, again = RunFolder(tmp_path / "run"), Control(), Control()
    with monkeypatch.context() as stopping:
        stop_at_batch(stopping, control, step, 2)
        launch.launch(spec, control, [], run.path)
    kept = run.newest_checkpoint()
    unchanged = (checkpoint.WEIGHTS, checkpoint.RESUME) if step == 4 else (checkpoint.WEIGHTS,)
    before = {name: files.sha256(kept / name) for name in unchanged}
    launch.resume(run, again, [lambda event: isinstance(event, Evaluated) and step == 4 and again.stop()])
    state = checkpoint.read_state(kept)
    losses = [event.val_loss for event in of(run, Evaluated)]
    assert state.val_loss == losses[-1]
    assert state.evaluation_due == (step == 4), "in the middle, the random numbers after it are not saved"
    assert kept == run.newest_checkpoint()
    assert {name: files.sha256(kept / name) for name in before} == before
    assert checkpoint_files.is_whole(kept)
    assert kept.joinpath(checkpoint.SUMS).read_text().count(checkpoint.STATE) == 1
    [listed] = [each for each in run_history.read(run.journal_path).checkpoints if each.step == step]
    assert listed.val_loss == state.val_loss
    if step == 6:
        assert_refused(run, "has completed all its steps")
        assert launch.resume(run, Control(), [], longer={"steps": 9}).outcome == "finished"
        assert equal(weights(run), weights(whole_run(spec.but(steps=9)))), "the random numbers after it are saved"
    else:
        assert continue_run(run).outcome == "finished"
        assert journal_lines(run) == journal_lines(whole_run(spec))


@pytest.mark.parametrize("at", [0, 1, 2], ids=["the digests", "the state", "the digests again"])
def test_that_a_checkpoint_is_complete_wherever_another_state_is_interrupted(stopped, monkeypatch, at):
    newest, write, written = stopped.newest_checkpoint(), files.write_whole, []
    before = checkpoint.read_state(newest)
    after = before.model_copy(update={"val_loss": 1.25})

    def broken(path, data):
        written.append(path.name)
        if len(written) > at:
            raise Killed
        write(path, data)

    with monkeypatch.context() as breaking:
        breaking.setattr(files, "write_whole", broken)
        with pytest.raises(Killed):
            checkpoint_files.replace_state(newest, after)
    assert checkpoint.read_state(newest) == (after if at == 2 else before)
    assert checkpoint_files.is_whole(newest)
    assert continue_run(stopped).outcome == "finished"


# A sample that a stop interrupts


def stop_at_token(monkeypatch, control: Control, _step: int, token: int) -> list[int]:
    """Stop the run before a token of its samples, counted through all of them. Return the tokens, as begun."""
    real, begun = trainer.greedy, []

    def greedy(model, ids, new_tokens, weights, check):
        def counted():
            begun.append(len(begun))
            if len(begun) == token:
                control.stop()
            check()

        return real(model, ids, new_tokens, weights, counted)

    monkeypatch.setattr(trainer, "greedy", greedy)
    return begun


@pytest.mark.slow
@pytest.mark.parametrize(("changes", "stop_at", "step", "at", "missing"), [
    *(pytest.param({}, stop_at_batch, step, batch, Evaluated, id=f"evaluation-{step}-{batch}")
      for step, batch in [(4, 1), (4, 3), (2, 2), (6, 1), (6, 3)]),  # in an epoch, at its end, at the last step
    pytest.param({"eval_freq": 1}, stop_at_token, 2, 2, SampleWritten, id="sample at the end of an epoch"),
    pytest.param({"eval_freq": 1}, stop_at_token, 6, 8, SampleWritten, id="sample at the last step"),
])
def test_that_a_stop_interrupts_an_evaluation_or_a_sample_and_the_run_is_the_same(
    brief, tmp_path, monkeypatch, whole_run, changes, stop_at, step, at, missing
):
    spec = brief(**changes)
    whole, run, control = whole_run(spec), RunFolder(tmp_path / "stopped"), Control()
    with monkeypatch.context() as stopping:
        begun = stop_at(stopping, control, step, at)
        assert launch.launch(spec, control, [], run.path).outcome == "stopped"
        assert len(begun) == at
    there = {kind: step in [event.step for event in of(run, kind)]
             for kind in (Evaluated, SampleWritten)}
    assert not there[missing]
    assert there[Evaluated] == (missing is SampleWritten)
    state = checkpoint.read_state(run.newest_checkpoint())
    assert (state.evaluation_due, state.sample_due) == (missing is Evaluated, missing is SampleWritten)
    control = Control()
    again = launch.resume(run, control, [lambda event: control.stop()])  # at once: it stays due
    assert again.outcome == "stopped"
    assert continue_run(run).outcome == "finished"
    assert_same(run, whole)


def test_that_a_snapshot_does_not_wait_for_the_end_of_an_evaluation_or_a_sample(
    brief, tmp_path, monkeypatch, whole_run
):
    spec = brief()
    whole, run, control = whole_run(spec), RunFolder(tmp_path / "asked"), Control()
    real, asked, served = trainer.batch_loss, [], []

    def batch_loss(state, inputs):
        if not state.model.training:
            served.extend(each.result(0) for each in asked if each.done() and each not in served)
            asked[:] = [control.snapshot()]
        return real(state, inputs)

    monkeypatch.setattr(trainer, "batch_loss", batch_loss)
    assert launch.launch(spec, control, [], run.path).outcome == "finished"
    assert {each.step for each in served} == {0, 2, 4, 6}
    assert len(served) == 4 * 4 - 1, "one before each batch but the first"
    assert_same(run, whole)
