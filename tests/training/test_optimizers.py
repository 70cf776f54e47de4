"""The optimizers: torch's own arithmetic, exact continuation, the memory that is forecast, and hostile state."""

import shutil
from pathlib import Path
from typing import get_args

import pytest
import torch
from lessons import FEW
from safetensors.torch import load_file, save_file
from whole_runs import assert_same, continue_run, equal, seal, state_of, train, weights

from gptstudio import devices
from gptstudio.fields import SpecError, fields_of
from gptstudio.gpt.config import GPTConfig
from gptstudio.gpt.memory import train_memory
from gptstudio.training import checkpoint, checkpoint_files
from gptstudio.training.control import Control
from gptstudio.training.forecast import Workload
from gptstudio.training.freezing import trained
from gptstudio.training.optimizers import OPTIMIZER_FIELDS, OPTIMIZERS, OptimizerName
from gptstudio.training.run_folder import RunFolder
from gptstudio.training.schedule import learning_rate
from gptstudio.training.spec import TrainSpec
from gptstudio.training.trainer import training_step

pytestmark = pytest.mark.usefixtures("few_tokens")

CPU = devices.choose("cpu")
DROPPING = GPTConfig(vocab_size=FEW, context_length=16, emb_dim=8, n_heads=2, n_layers=2, drop_rate=0.2, qkv_bias=True)
CHOICES = {
    "adamw": {},
    "sgd": {"optimizer": "sgd", "learning_rate": 0.1},
    "sgd with all": {
        "optimizer": "sgd", "learning_rate": 0.05, "nesterov": True, "l2_penalty": 1e-3, "momentum": 0.8},
    "sgd without momentum": {"optimizer": "sgd", "learning_rate": 0.1, "momentum": 0.0},
    "muon": {"optimizer": "muon", "matrix_rate_ratio": 2.5, "learning_rate": 4e-3},
}
each_choice = pytest.mark.parametrize("choice", CHOICES.values(), ids=CHOICES)


def stepped(spec: TrainSpec, steps: int = 1):
    """Return the state of training after some steps."""
    state = state_of(spec)
    for _, batches in state.steps(steps, Control()):
        training_step(state, batches, spec.gradient_clip)
    return state


def test_that_the_list_has_every_optimizer_of_a_run_with_all_its_fields():
    assert tuple(OPTIMIZERS) == get_args(OptimizerName) == get_args(TrainSpec.model_fields["optimizer"].annotation)
    views = {view.name: view for view in fields_of(TrainSpec)}
    assert {name for name, view in views.items() if view.group == "Optimizer"} == {
        *OPTIMIZER_FIELDS, "accumulation", "optimizer", "gradient_clip"}
    assert views["optimizer"].names == {"adamw": "AdamW", "sgd": "SGD", "muon": "Muon"}


@pytest.mark.parametrize(("choice", "reference"), [
    *((choice, False) for choice in CHOICES), *((choice, True) for choice in ("adamw", "muon"))])
def test_that_a_run_that_was_stopped_anywhere_equals_one_never_stopped(tiny_spec, tmp_path, choice, reference):
    spec = tiny_spec(
        config=DROPPING.but(emb_dim=16), steps=6, eval_freq=3, eval_iter=1, reference=reference, schedule="cosine",
        warmup_steps=3, min_learning_rate=1e-3, accumulation=2, gradient_clip=1.0, **CHOICES[choice],
    )
    whole = train(spec, tmp_path / "whole")
    run = train(spec, tmp_path / "stopped", stop_at=0)
    for stop in (2, 3):  # after an epoch's end, and after an evaluation
        assert continue_run(run, stop).outcome == "stopped"
    assert continue_run(run).outcome == "finished"
    assert_same(run, whole)
    last = [load_file(each.newest_checkpoint() / checkpoint.RESUME) for each in (run, whole)]
    assert equal(*last)
    size = checkpoint_files.size(whole.newest_checkpoint())
    assert checkpoint_files.needed_bytes(spec) == pytest.approx(size, rel=0.02), "the forecast"


@each_choice
def test_that_the_saved_state_is_what_the_optimizer_declares_and_the_forecast_counts(tiny_spec, choice):
    for freeze, blocks in (((), 0), (("attention", "token_embedding"), 1), (("feed_forward",), 0)):
        spec = tiny_spec(config=DROPPING, freeze=freeze, freeze_blocks=blocks, **choice)
        state = stepped(spec)
        held = 0
        for name, weight in trained(state.model):
            kept = state.optimizer.state[weight]
            assert {key: tuple(each.shape) for key, each in kept.items()} == state.kind.state_shapes(
                name, tuple(weight.shape))
            assert all(each.dtype == torch.float32 for each in kept.values())
            held += sum(each.numel() * 4 for key, each in kept.items() if key != "step")
        assert Workload.of(spec, CPU).memory("cpu").optimizer == held
        assert spec.chosen_optimizer.memory(spec.config, freeze, blocks).state == held


def test_that_half_the_state_takes_less_memory_and_no_state_the_least():
    cfg = GPTConfig(context_length=64, emb_dim=64, n_heads=4, n_layers=2)
    totals = [
        Workload.of(TrainSpec(config=cfg, precision="fp32", **CHOICES[name]), CPU).memory("cpu").total
        for name in ("adamw", "muon", "sgd", "sgd without momentum")
    ]
    assert totals == sorted(totals, reverse=True)
    assert totals[0] == train_memory(cfg, 2).total


@pytest.mark.parametrize("tied", [False, True])
def test_that_muon_is_torchs_own_on_the_matrices_of_the_blocks_and_adamw_on_all_else(tiny_spec, tied):
    """With the gradients written out by hand, on a separate model."""
    spec = tiny_spec(
        config=DROPPING.but(tie_weights=tied), reference=True, schedule="cosine", warmup_steps=2,
        min_learning_rate=1e-4, **CHOICES["muon"])
    state, other = (state_of(spec) for _ in range(2))
    named = dict(other.model.named_parameters())
    matrices = [weight for name, weight in named.items() if "trf_blocks" in name and weight.ndim == 2]
    assert len(matrices) == 6 * 2
    others = [weight for weight in named.values() if all(weight is not each for each in matrices)]
    muon = torch.optim.Muon(matrices, weight_decay=0.1, momentum=0.95, adjust_lr_fn="match_rms_adamw")
    adamw = torch.optim.AdamW(others, betas=(0.9, 0.999), weight_decay=0.1)
    ours, plain = (each.steps(6, Control()) for each in (state, other))
    for (step, batches), (_, same) in zip(ours, plain, strict=True):
        rate = learning_rate(spec, step, 6)
        state.set_learning_rate(rate)
        loss, _ = training_step(state, batches)
        muon.param_groups[0]["lr"], adamw.param_groups[0]["lr"] = 2.5 * rate, rate
        other.model.zero_grad()
        with other.rng.active():
            expected = other.model(same[0][0], targets=same[0][1])
        expected.backward()
        muon.step()
        adamw.step()
        assert loss == expected.item()
    assert equal(state.model.state_dict(), other.model.state_dict())


# State that is not of this run


def spoiled(folder: Path, change) -> None:
    tensors = load_file(folder / checkpoint.RESUME)
    change(tensors)
    save_file(tensors, folder / checkpoint.RESUME)
    seal(folder)


def swap(tensors) -> None:
    """Replace a momentum buffer with one of another shape."""
    name = next(name for name in tensors if name.endswith("momentum_buffer"))
    tensors[name] = torch.zeros(3, 5)


def drop(tensors) -> None:
    tensors.pop(next(name for name in tensors if name.endswith("momentum_buffer")))


def retype(tensors) -> None:
    name = next(name for name in tensors if name.endswith("momentum_buffer"))
    tensors[name] = tensors[name].long()


def clear(tensors) -> None:
    for name in [name for name in tensors if name.startswith("optimizer.")]:
        tensors.pop(name)


def of_adamw(tensors) -> None:
    name = next(name for name in tensors if name.endswith("momentum_buffer"))
    tensors[name.replace("momentum_buffer", "exp_avg")] = tensors.pop(name)


@pytest.mark.parametrize("name", ["sgd", "muon"])
def test_that_state_of_another_optimizer_or_shape_is_refused_before_a_step(tiny_spec, tmp_path, name):
    stopped = train(tiny_spec(config=DROPPING, steps=3, **CHOICES[name]), tmp_path / "run", stop_at=0)
    before = weights(stopped)
    for change in (swap, drop, retype, clear, of_adamw):
        run = RunFolder(shutil.copytree(stopped.path, tmp_path / change.__name__))
        spoiled(run.newest_checkpoint(), change)
        ended = continue_run(run)
        assert (ended.outcome, ended.user_error) == ("failed", True), change
        assert "continue from this checkpoint" in ended.message, change
        assert equal(weights(run), before), change


def test_that_nesterov_needs_momentum_and_a_field_of_another_optimizer_is_ignored():
    with pytest.raises(SpecError, match="Nesterov momentum is on, but Momentum is 0"):
        TrainSpec.make(optimizer="sgd", momentum=0.0, nesterov=True)
    assert TrainSpec.make(optimizer="muon", momentum=0.0, nesterov=True).chosen_optimizer.name == "muon"
    with pytest.raises(SpecError, match="it must be one of adamw, sgd, muon"):
        TrainSpec.make(optimizer="adam")
