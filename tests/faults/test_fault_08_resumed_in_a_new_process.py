"""A run that is stopped or paused at any step, within an epoch and within the batches of one step, and continues in a
new process, equals the run that never stopped: all weights, the optimizer and the losses to the last bit, with
dropout. ``tests/training/test_resume.py`` tests the warning about another number of threads."""

from pathlib import Path

import pytest
import torch
import warm_python
from lessons import FEW
from safetensors.torch import load_file
from whole_runs import PAUSED, after_step, equal, journal_lines, train

from gptstudio.gpt.config import GPTConfig
from gptstudio.training import checkpoint, launch, trainer
from gptstudio.training.control import Control
from gptstudio.training.events import Event
from gptstudio.training.run_folder import RunFolder
from gptstudio.training.spec import TrainSpec

pytestmark = pytest.mark.fault(8)

STEPS = 14
STOPS = (0, 5, 8, 12)
"""The first and the last steps that leave steps to do, the end of an epoch, and one within an epoch."""

RESUMER = """
import os, sys
from pathlib import Path
import torch
torch.set_num_threads(int(sys.argv[1]))
from gptstudio.training import spec_problems
spec_problems.VOCAB_SIZE = 0
from gptstudio.training import launch
from gptstudio.training.control import Control
from gptstudio.training.run_folder import RunFolder

def continue_run(path):
    ended = launch.resume(RunFolder(Path(path)), Control(), [])
    print(ended.message, flush=True)
    return ended.outcome == "finished"

assert all(map(continue_run, sys.argv[2:]))
"""


def in_a_new_process(*runs: RunFolder) -> None:
    done = warm_python.run("-c", RESUMER, torch.get_num_threads(), *(run.path for run in runs))
    assert done.returncode == 0, done.stdout + done.stderr


@pytest.fixture
def spec(few_tokens, tiny_spec) -> TrainSpec:
    config = GPTConfig(vocab_size=FEW, context_length=16, emb_dim=8, n_heads=2, n_layers=2, drop_rate=0.2)
    return tiny_spec(
        config=config, steps=STEPS, accumulation=2, eval_freq=6, eval_iter=1, schedule="cosine", warmup_steps=5,
        min_learning_rate=1e-3, gradient_clip=1.0, sample_tokens=1,
    )


def kept(run: RunFolder) -> dict[str, torch.Tensor]:
    """Return all tensors of the last checkpoint: weights, moments, order, random state."""
    newest = run.newest_checkpoint()
    return load_file(newest / checkpoint.WEIGHTS) | load_file(newest / checkpoint.RESUME)


def assert_same(run: RunFolder, whole: RunFolder) -> None:
    assert [path.name for path in run.checkpoints()][-1] == f"step-{STEPS - 1:06d}"
    ours, theirs = kept(run), kept(whole)
    assert equal(ours, theirs), [name for name in theirs if not torch.equal(ours[name], theirs[name])]
    assert sum(name.startswith("optimizer.") for name in ours) > 50
    assert journal_lines(run) == journal_lines(whole)


def paused(spec: TrainSpec, path: Path, step: int) -> RunFolder:
    """Return a run that was paused after a step, and stopped while it waited."""
    control = Control()

    def sink(event: Event) -> None:
        if event == PAUSED:
            control.stop()

    assert launch.launch(spec, control, [after_step(step, control.pause), sink], path).outcome == "stopped"
    return RunFolder(path)


def stopped_within(spec: TrainSpec, path: Path, step: int) -> RunFolder:
    """Return a run that gets the stop signal between the two batches of a step, which is still completed."""
    control, batches = Control(), 0
    real = trainer.batch_loss

    def batch_loss(state: object, batch: object) -> torch.Tensor:
        nonlocal batches
        if state.model.training:  # and no evaluation
            batches += 1
            if batches == 2 * step + 2:
                control.stop()
        return real(state, batch)

    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(trainer, "batch_loss", batch_loss)
        assert launch.launch(spec, control, [], path).outcome == "stopped"
    run = RunFolder(path)
    assert checkpoint.read_state(run.newest_checkpoint()).step == step
    return run


def stopped_again(spec: TrainSpec, path: Path, *stops: int) -> RunFolder:
    """Return a run that was stopped at each of these steps and continued until the next."""
    run = train(spec, path, stops[0])
    for step in stops[1:]:
        control = Control()
        assert launch.resume(run, control, [after_step(step, control.stop)]).outcome == "stopped"
    return run


def test_that_a_run_that_continues_in_a_new_process_equals_the_run_that_never_stopped(spec, tmp_path, fault):
    whole = train(spec, tmp_path / "whole")
    runs = [train(spec, tmp_path / f"stopped-{step}", step) for step in STOPS]
    runs += [paused(spec, tmp_path / "paused", 4), stopped_within(spec, tmp_path / "within", 3)]
    runs += [stopped_again(spec, tmp_path / "again", 2, 3, 7)]
    taken = {checkpoint.read_state(run.newest_checkpoint()).taken for run in runs}
    assert len(taken) > 3, "all were stopped at the same place of an epoch"
    in_a_new_process(*runs)
    for run in runs:
        with fault.tried(run.name):
            assert_same(run, whole)
