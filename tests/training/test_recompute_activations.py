"""Activations that are recomputed: less memory, and otherwise the same run, to the bit."""

import pytest
import torch
from lessons import FEW
from messages import message
from torch.autograd.graph import saved_tensors_hooks
from whole_runs import assert_same, continue_run, state_of, train

from gptstudio.fields import SpecError
from gptstudio.gpt.config import PRESETS, GPTConfig
from gptstudio.gpt.memory import train_memory
from gptstudio.training.trainer import batch_loss, training_step

pytestmark = pytest.mark.usefixtures("few_tokens")

THREE = GPTConfig(vocab_size=FEW, context_length=16, emb_dim=16, n_heads=2, n_layers=3, drop_rate=0.2)


@pytest.mark.parametrize("changes", [
    {}, {"precision": "bf16", "accumulation": 2}, {"config": THREE.but(tie_weights=True, qkv_bias=True)},
    {"freeze": ["token_embedding", "position_embedding"], "freeze_blocks": 2}, {"optimizer": "muon"},
], ids=["fp32", "bf16, accumulated", "tied", "partly frozen", "muon"])
def test_that_a_run_is_the_same_to_the_bit(tiny_spec, tmp_path, changes):
    recomputed, kept = (
        train(tiny_spec(steps=5, **{"config": THREE, **changes}, recompute_activations=on), tmp_path / name)
        for on, name in ((True, "recomputed"), (False, "kept")))
    assert_same(recomputed, kept)


def test_that_a_stopped_run_continues_exactly(tiny_spec, tmp_path):
    spec = tiny_spec(steps=6, config=THREE, recompute_activations=True)
    whole, stopped = train(spec, tmp_path / "whole"), train(spec, tmp_path / "stopped", stop_at=2)
    continue_run(stopped)
    assert_same(stopped, whole)


def kept_bytes(spec):
    """Return the bytes that autograd keeps of a step, except the memory of the parameters."""
    state = state_of(spec)
    parameters = {weight.untyped_storage().data_ptr() for weight in state.model.parameters()}
    kept = {}

    def keep(tensor):
        storage = tensor.untyped_storage()
        if storage.data_ptr() not in parameters:
            kept[storage.data_ptr()] = storage.nbytes()
        return tensor

    with saved_tensors_hooks(keep, lambda tensor: tensor):
        loss = batch_loss(state, state.training.batch(torch.arange(spec.batch_size), 0))
    del loss
    return sum(kept.values())


def test_that_only_the_inputs_of_the_blocks_are_kept(tiny_spec):
    def of(layers, recompute):
        return kept_bytes(tiny_spec(config=THREE.but(n_layers=layers), batch_size=2, recompute_activations=recompute))

    block_input = 2 * THREE.context_length * THREE.emb_dim * 4
    assert block_input <= of(3, True) - of(2, True) <= 1.5 * block_input
    assert of(3, False) - of(2, False) > 8 * block_input


@pytest.mark.parametrize("bf16", [False, True])
def test_that_the_forecast_keeps_an_input_of_each_block_and_all_of_one(bf16):
    cfg = PRESETS["gpt2-large"]
    kept, recomputed = (train_memory(cfg, 1, bf16=bf16, recompute=on) for on in (False, True))
    one = train_memory(cfg.but(n_layers=1), 1, bf16=bf16)
    row = 4 * cfg.context_length * cfg.emb_dim
    assert recomputed.activations == one.activations + cfg.n_layers * row
    assert kept.activations > 10 * recomputed.activations
    assert recomputed.total < kept.total
    assert (recomputed.weights, recomputed.gradients) == (kept.weights, kept.gradients)


def test_that_frozen_blocks_above_frozen_embeddings_keep_nothing():
    cfg, ends = PRESETS["gpt2-xl"], ("token_embedding", "position_embedding")
    whole = train_memory(cfg, 1).activations
    assert train_memory(cfg, 1, freeze=ends, freeze_blocks=44).activations < whole / 8
    assert train_memory(cfg, 1, freeze_blocks=44).activations == whole


def test_that_reference_arithmetic_keeps_activations_as_the_book_does(tiny_spec):
    with pytest.raises(SpecError, match=message("turn_off_one_of_the_two")):
        tiny_spec(reference=True, recompute_activations=True)


def step_of(spec):
    """Return a state, and a function that takes a step and returns the address of the gradient of each weight."""
    state = state_of(spec)
    batch = state.training.batch(torch.arange(spec.batch_size), 0)

    def step():
        training_step(state, [batch])
        places = {name: weight.grad.data_ptr() for name, weight in state.model.named_parameters()
                  if not weight.grad.is_sparse}
        state.free_gradients()
        return places

    return state, step


def test_that_the_gradients_of_the_blocks_stay_where_they_are_and_the_others_are_freed(tiny_spec):
    state, step = step_of(tiny_spec(config=THREE, recompute_activations=True))
    first, second = step(), step()
    blocks = [name for name in first if name.startswith("trf_blocks.")]
    assert [first[name] for name in blocks] == [second[name] for name in blocks]
    assert all((each.grad is None) == (name not in blocks) for name, each in state.model.named_parameters())
