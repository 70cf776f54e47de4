"""The training loop: its events and their order, the files that it leaves on the disk, and its end."""

import os
import re
import threading
import time
from itertools import pairwise

import pytest
import torch
from disks import disk_is_full
from lessons import FEW, TINY
from messages import message
from torch.nn.functional import cross_entropy
from whole_runs import Steered, break_weights, state_of

from gptstudio import devices
from gptstudio.errors import UserError
from gptstudio.fields import SpecError
from gptstudio.gpt.config import GPTConfig
from gptstudio.gpt.decoder import greedy
from gptstudio.gpt.fast import kernels
from gptstudio.gpt.tokenizer import GPT2
from gptstudio.torch_settings import RandomStream
from gptstudio.training import checkpoint, corpus, journal, model_source, trainer
from gptstudio.training.control import Control
from gptstudio.training.events import (
    CheckpointSaved,
    Ended,
    Evaluated,
    MemoryRead,
    PhaseChanged,
    RunStarted,
    SampleWritten,
    StepDone,
    Warned,
)
from gptstudio.training.journal import Journal
from gptstudio.training.model_source import UntrainedModel
from gptstudio.training.optimizer import AdamW
from gptstudio.training.run_folder import RunFolder
from gptstudio.training.trainer import batch_loss

pytestmark = pytest.mark.usefixtures("few_tokens")

CPU = devices.cpu()


def figures(run) -> list:
    """Return all that a run computed, without time and memory (a checkpoint's size includes the digits of the time)."""
    return [
        event.model_dump(exclude={"elapsed_s", "run", "path", "bytes"})
        for event in run.events
        if not isinstance(event, MemoryRead)
    ]


def plan(spec):
    return corpus.plan(spec, corpus.read(spec))


# Events and their order


def test_that_a_run_reports_its_plan_and_its_checkpoint_and_all_is_in_the_journal(study, tmp_path):
    record, before = Journal(tmp_path / "journal.jsonl"), torch.get_rng_state()
    run = study(sinks=[record])
    record.close()
    assert list(journal.read(tmp_path / "journal.jsonl")) == run.events
    assert torch.equal(before, torch.get_rng_state()), "random numbers of others stay as they are"
    started = run.events[0]
    assert isinstance(started, RunStarted)
    assert (started.total_steps, started.first_step, started.tokens_per_step) == (12, 0, 32)
    assert started.parameters == sum(p.numel() for p in checkpoint.load(run.folder.newest_checkpoint()).parameters())
    assert (started.dtype, started.path) == ("fp32", "fast")
    assert started.run == str(run.folder.path)
    assert run.ended.outcome == "finished"
    assert len(run.of(Ended)) == 1
    [saved] = run.of(CheckpointSaved)
    assert saved.step == 11
    assert saved.path == str(run.folder.newest_checkpoint())
    assert not run.of(Warned)


@pytest.mark.parametrize(
    ("changes", "epochs"), [({"steps": 1}, 1), ({"steps": None, "epochs": 3}, 3), ({"steps": 25, "epochs": 1}, 3)]
)
def test_that_every_planned_step_is_reported_and_a_sample_after_each_epoch_and_at_the_end(
    study, tiny_spec, changes, epochs
):
    planned, run = plan(tiny_spec(**changes)), study(**changes, eval_freq=1000)
    steps, total, per_epoch = run.of(StepDone), run.events[0].total_steps, run.events[0].steps_per_epoch
    assert (planned.total_steps, planned.steps_per_epoch) == (total, per_epoch)
    assert planned.epochs == steps[-1].epoch == epochs
    assert [event.step for event in steps] == list(range(total))
    assert [event.epoch for event in steps] == [1 + i // per_epoch for i in range(total)]
    assert [event.tokens_seen for event in steps] == [32 * (i + 1) for i in range(total)]
    assert {event.learning_rate for event in steps} == {1e-2}
    elapsed = [event.elapsed_s for event in steps]
    assert elapsed == sorted(elapsed)
    ends = [min(per_epoch * epoch, total) - 1 for epoch in range(1, epochs + 1)]
    assert [(event.epoch, event.step) for event in run.of(SampleWritten)] == list(enumerate(ends, start=1))
    assert all(event.text.startswith("Every effort moves you") for event in run.of(SampleWritten))


@pytest.mark.parametrize("every", [1, 5, 7])
def test_that_both_losses_are_measured_at_each_evaluation_interval(study, every):
    run = study(eval_freq=every)
    events = [event for event in run.events if isinstance(event, (StepDone, Evaluated))]
    assert [event.step for event in run.of(Evaluated)] == list(range(0, 12, every))
    for before, event in pairwise(events):
        if isinstance(event, Evaluated):
            assert isinstance(before, StepDone)
            assert (before.step, before.tokens_seen) == (event.step, event.tokens_seen)


def test_that_a_run_leaves_no_thread_behind(study):
    study(steps=1)
    before = set(threading.enumerate())
    study("another", steps=2)
    assert set(threading.enumerate()) <= before


# Learning


@pytest.mark.parametrize(
    "changes",
    [{}, {"reference": True}, {"precision": "bf16"}, {"gradient_clip": 0.5}, {"tied": True}],
    ids=["fast", "reference", "bf16", "clipped", "tied"],
)
def test_that_a_text_that_repeats_itself_is_learned(study, changes):
    if changes.pop("tied", False):
        changes["config"] = TINY.but(vocab_size=FEW, tie_weights=True)
    run = study(steps=50, learning_rate=2e-2, eval_freq=49, **changes)
    first, last = run.of(Evaluated)
    assert first.train_loss > 8
    assert last.train_loss < 3
    assert last.val_loss < 3
    assert run.of(StepDone)[-1].loss < 3
    assert run.events[0].dtype == changes.get("precision", "fp32")
    assert run.events[0].path == ("reference" if "reference" in changes else "fast")


def test_that_a_learning_rate_of_zero_changes_nothing(study):
    run = study(steps=4, learning_rate=0.0, eval_freq=3, eval_iter=100)
    assert len({event.val_loss for event in run.of(Evaluated)}) == 1
    fresh = model_source.load(UntrainedModel(run.folder.record().spec.config), CPU)
    saved = checkpoint.load(run.folder.newest_checkpoint())
    assert all(torch.equal(a, b) for a, b in zip(fresh.parameters(), saved.parameters(), strict=True))


@pytest.mark.parametrize("tied", [False, True])
def test_that_the_checkpoint_is_the_model_that_wrote_the_last_sample(study, tied):
    cfg = GPTConfig(vocab_size=FEW, context_length=16, emb_dim=16, n_heads=2, n_layers=1, tie_weights=tied)
    run = study(steps=25, learning_rate=5e-2, config=cfg, sample_tokens=20, eval_freq=100)
    spec, model = run.folder.record().spec, checkpoint.load(run.folder.newest_checkpoint())
    assert GPT2.decode(greedy(model, GPT2.encode(spec.sample_prompt), 20)) == run.of(SampleWritten)[-1].text
    assert "the" in run.of(SampleWritten)[-1].text.removeprefix(spec.sample_prompt)


def test_that_a_steps_loss_is_the_cross_entropy_before_its_update(tiny_spec):
    cfg = GPTConfig(vocab_size=FEW, context_length=16, emb_dim=16, n_heads=2, n_layers=1, drop_rate=0.0)
    made = state_of(tiny_spec(reference=True, config=cfg))
    _, [(inputs, targets)] = next(made.steps(1, Control()))
    with torch.no_grad():
        expected = cross_entropy(made.model(inputs).flatten(0, 1), targets.flatten()).item()
    assert trainer.training_step(made, [(inputs, targets)])[0] == pytest.approx(expected, rel=1e-6)
    assert trainer.training_step(made, [(inputs, targets)])[0] < expected


@pytest.mark.parametrize("count", [2, 1_000])
@pytest.mark.parametrize(("reference", "tokens"), [(False, 1), (False, 100), (False, 1_024), (True, 1_024)])
def test_that_an_evaluation_is_the_mean_over_batches_without_dropout_and_changes_nothing(
    tiny_spec, monkeypatch, reference, tokens, count,
):
    """Batches are evaluated together except the last, smaller one; on the reference path each is alone, to the bit."""
    monkeypatch.setattr(trainer, "EVALUATED_TOKENS", tokens)
    made = state_of(tiny_spec(stride=4, batch_size=3, reference=reference))
    before = [parameter.clone() for parameter in made.model.parameters()]
    losses = []
    with made.rng.active(), torch.no_grad():
        made.model.eval()
        batches = list(made.validation)
        assert len(batches) > 2
        assert len(batches[-1][0]) < 3
        for inputs, targets in batches[:count]:
            losses.append(cross_entropy(made.model(inputs).flatten(0, 1), targets.flatten()).item())
        made.model.train()
        val_losses = [trainer.evaluate(made, count, Control())[1] for _ in range(2)]
    expected = [sum(losses) / len(losses)] * 2
    assert val_losses == (expected if reference else pytest.approx(expected, rel=1e-6))
    assert made.model.training
    assert all(torch.equal(a, b) for a, b in zip(before, made.model.parameters(), strict=True))


@pytest.mark.parametrize("clip", [0.0, 0.1, 1e6])
def test_that_a_gradient_longer_than_allowed_is_shortened_and_reported_with_its_length(tiny_spec, clip):
    made = state_of(tiny_spec())
    _, [batch] = next(made.steps(1, Control()))
    made.optimizer.zero_grad = lambda **_: None  # so that the gradients of the step can be read after it
    norm = trainer.training_step(made, [batch], clip)[1]
    held = torch.nn.utils.get_total_norm([p.grad.to_dense() for p in made.model.parameters()]).item()
    assert norm > 0.5
    assert held == pytest.approx(0.1 if clip == 0.1 else norm, rel=1e-3)


# Random numbers


@pytest.mark.parametrize("reference", [True, False])
def test_that_the_same_seed_is_the_same_run_to_the_last_bit_and_another_is_not(study, reference):
    one, same, other = (
        study(name, steps=5, eval_freq=4, seed=seed, reference=reference)
        for name, seed in (("a", 1), ("b", 1), ("c", 2))
    )
    assert figures(one) == figures(same)
    assert [event.loss for event in one.of(StepDone)] != [event.loss for event in other.of(StepDone)]


def test_that_a_run_is_the_same_while_others_build_generate_and_train(study, tiny_spec, tmp_path):
    alone = study("alone", steps=12)
    done, others = threading.Event(), []

    def disturb(number: int) -> None:
        cfg = GPTConfig(context_length=8, emb_dim=8, n_heads=1, n_layers=1)
        while not done.is_set():
            greedy(model_source.load(UntrainedModel(cfg, number), CPU), [1, 2, 3], 5)
            spec = tiny_spec(seed=number, steps=1)
            folder = RunFolder.create(spec, "a text", "", tmp_path / f"other-{number}-{len(others)}")
            list(trainer.train(spec, corpus.read(spec), folder, Control()))
            others.append(number)

    threads = [threading.Thread(target=disturb, args=(number,)) for number in (1, 2)]
    for thread in threads:
        thread.start()
    try:
        while not others:
            time.sleep(0.01)
        count = len(others)
        disturbed = study("disturbed", steps=12)
        assert len(others) > count, "nobody disturbed the run"
    finally:
        done.set()
        for thread in threads:
            thread.join()
    assert figures(disturbed) == figures(alone)


def test_that_the_first_weights_are_those_of_the_seed_for_every_caller(tiny_spec):
    spec = tiny_spec(seed=77)
    with RandomStream(77).active():
        expected = torch.nn.Embedding(spec.config.vocab_size, spec.config.emb_dim).weight
    assert torch.equal(state_of(spec).model.tok_emb.weight, expected)


# Pause


def test_that_a_paused_run_rests_lets_others_work_and_continues_unchanged(study, tiny_spec, tmp_path):
    alone = study("alone", steps=10)
    with Steered(tiny_spec(steps=10), tmp_path / "paused") as run:
        run.until_step(0)
        run.control.pause()
        run.until_paused()
        count, used = len(run.events), time.process_time()
        time.sleep(0.3)
        assert len(run.events) == count
        assert time.process_time() - used < 0.2
        config = GPTConfig(context_length=8, emb_dim=8, n_heads=1, n_layers=1)
        model_source.load(UntrainedModel(config), CPU)  # waits for no lock
        run.control.resume()
        run.until(lambda events: isinstance(events[-1], Ended))
    assert run.events[-1].outcome == "finished"
    assert [event.loss for event in run.of(StepDone)] == [event.loss for event in alone.of(StepDone)]
    phases = [event.phase for event in run.of(PhaseChanged)]
    assert phases[phases.index("paused") + 1] == "training"
    assert run.of(StepDone)[-1].elapsed_s < 30


def test_that_the_time_of_a_pause_is_not_counted(study):
    control, times, paused = Control(), {}, 0.6

    def pause_a_while(event):
        if isinstance(event, StepDone):
            times[event.step] = time.monotonic()
            if event.step == 3:
                control.pause()
                threading.Timer(paused, control.resume).start()

    steps = study(control=control, sinks=[pause_a_while]).of(StepDone)
    passed = times[4] - times[3]
    assert passed > paused
    assert steps[4].elapsed_s - steps[3].elapsed_s < passed - 0.7 * paused


# The disk


@pytest.mark.parametrize(("place", "call"), [(os, "rename"), (os, "fsync"), (checkpoint, "save_file")])
def test_that_a_save_that_fails_in_the_middle_is_reported_and_training_continues(study, monkeypatch, place, call):
    held = []

    def fill_the_disk_after_the_first(event):
        if isinstance(event, CheckpointSaved) and not held:
            held.append(event.path)
            monkeypatch.setattr(place, call, disk_is_full)
        if isinstance(event, Warned):
            held.append([path.name for path in run_folder().iterdir()])
            assert checkpoint.load(run_folder() / os.path.basename(held[0]))
            monkeypatch.undo()

    def run_folder():
        return checkpoint.Path(held[0]).parent

    run = study(steps=None, epochs=3, save_every_epochs=1, eval_freq=100, sinks=[fill_the_disk_after_the_first])
    [warned] = run.of(Warned)
    assert "was not saved. The disk is full" in warned.message
    assert held[1] == [os.path.basename(held[0])], "the earlier checkpoint, and nothing beside it"
    assert run.ended.outcome == "finished"
    assert len(run.of(CheckpointSaved)) == 2


def test_that_a_last_save_that_fails_is_a_failure_with_a_message(study, monkeypatch):
    monkeypatch.setattr(checkpoint, "save_file", disk_is_full)
    run = study()
    assert run.ended.outcome == "failed"
    assert message("the_disk_is_full") in run.ended.message
    assert list(run.folder.checkpoint_folder.iterdir()) == []


# Refusals and failures


def assert_diverged(run, step: int) -> None:
    assert run.ended.outcome == "failed"
    assert run.ended.user_error
    assert "diverged" in run.ended.message
    assert re.search(rf"\bstep {step + 1}\b", run.ended.message)
    assert "(try 0.001)" in run.ended.message or message("tenth_learning_rate") in run.ended.message


def test_that_a_diverging_run_names_the_step_and_what_to_do(study):
    run = study(steps=60, eval_freq=100, learning_rate=10.0, weight_decay=10.0)
    assert_diverged(run, run.of(StepDone)[-1].step + 1)
    assert run.folder.checkpoints() == []


def test_that_a_run_that_diverges_at_its_last_step_leaves_no_broken_checkpoint(study, monkeypatch):
    monkeypatch.setattr(AdamW, "step", break_weights)
    run = study(steps=1)
    assert_diverged(run, 0)
    assert run.folder.checkpoints() == []


HUGE = GPTConfig(vocab_size=1_000_000, emb_dim=65_536, n_heads=64, n_layers=1_000, context_length=16)


@pytest.mark.parametrize("changes", [{"config": HUGE}, {"batch_size": 64, "stride": 1, "config": HUGE}])
def test_that_a_run_larger_than_memory_is_refused_at_once_with_figures(study, changes):
    before = devices.used_bytes("cpu")
    run = study(**changes)
    assert devices.used_bytes("cpu") - before < 50 * 2**20
    assert [type(event) for event in run.events] == [Ended], "refused before it started"
    assert run.ended.user_error
    assert "There is not enough memory to train this model: it needs " in run.ended.message
    assert message("gb_free") in run.ended.message


def test_that_a_text_too_short_for_one_window_or_one_batch_is_reported_with_numbers(tiny_spec):
    with pytest.raises(SpecError) as caught:
        plan(tiny_spec(config={"context_length": 1024, "emb_dim": 16, "n_heads": 2, "n_layers": 1}))
    assert {problem.field for problem in caught.value.problems} == {"context_length", "train_ratio"}
    assert "one window needs 1,025" in str(caught.value)
    assert message("would_validation_loss") in str(caught.value)
    with pytest.raises(SpecError, match="one step needs 500") as caught:
        plan(tiny_spec(batch_size=500))
    assert [problem.field for problem in caught.value.problems] == ["batch_size"]
    assert isinstance(caught.value, UserError)


def test_that_at_the_full_context_the_verdict_has_no_validation(verdict, tiny_spec):
    expected = "validation part of the text has 534 tokens, but one window needs 1,025"
    with pytest.raises(SpecError, match=expected):
        plan(tiny_spec(text="verdict", config={"context_length": 1024, "emb_dim": 16, "n_heads": 2, "n_layers": 1}))


def test_that_an_epochs_batches_are_made_when_they_are_needed_and_not_before(tiny_spec):
    """With a stride of 1 a whole epoch, written out, would be larger than the text by the context length."""
    cfg = GPTConfig(context_length=256, emb_dim=8, n_heads=1, n_layers=1)
    made = state_of(tiny_spec(config=cfg, stride=1, text="story"))
    made.training.windows = torch.arange(200_000).unfold(0, 257, 1)  # 400 MB, written out
    before = devices.used_bytes("cpu")
    steps = made.steps(10**6, Control())
    _, [(inputs, targets)] = next(steps)
    assert devices.used_bytes("cpu") - before < 50 * 2**20
    assert inputs.shape == targets.shape == (2, 256)
    steps.close()


def test_that_the_gradients_of_a_tied_matrix_are_added_up_in_place(tiny_spec, monkeypatch):
    monkeypatch.setattr(kernels, "LARGE", 0)
    spec = tiny_spec()
    spec, places, gradients = spec.but(config=spec.config.but(tie_weights=True, drop_rate=0.0)), [], []
    for reference in (False, True):
        state = state_of(spec.but(reference=reference))
        batch = state.training.batch(torch.arange(spec.batch_size), 0)
        for _ in range(2):
            state.free_gradients()
            batch_loss(state, batch).backward()
            places.append(state.model.tok_emb.weight.grad.data_ptr())
        gradients.append(state.model.tok_emb.weight.grad)
    assert places[0] == places[1]
    torch.testing.assert_close(*gradients)
