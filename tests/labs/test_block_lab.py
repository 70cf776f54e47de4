"""The block lab: shapes from the model itself, the placeholder next to it, and the printed logits."""

import math

import pytest
import torch

from gptstudio import devices
from gptstudio.errors import UserError
from gptstudio.gpt.model import GPTModel
from gptstudio.labs.block import (
    FIRST_BLOCK,
    MODEL,
    PLACEHOLDER,
    SMALL,
    BlockRequest,
    answer,
)

TINY = BlockRequest(emb_dim=12, n_heads=3, n_layers=2, context_length=8, qkv_bias=True, seed=5)


@pytest.mark.parametrize("lab_request", [SMALL, TINY], ids=["small", "tiny"])
def test_that_every_module_of_the_model_is_a_step_with_its_own_parameters(lab_request):
    with torch.device("meta"):
        model = GPTModel(lab_request.config)
    found = answer(lab_request)
    assert found.model.parameters == sum(p.numel() for p in model.parameters())
    for path, step in found.model.paths().items():
        if path and ":" not in path:
            assert step.parameters == sum(p.numel() for p in model.get_submodule(path).parameters()), path
            assert step.parameters >= sum(math.prod(shape) for shape in step.weights.values())
    block = found.model.paths()[FIRST_BLOCK]
    assert found.blocks * block.parameters == sum(p.numel() for p in model.trf_blocks.parameters())


def test_that_the_shapes_are_those_of_real_tensors():
    """A real model with real numbers: the output of each module."""
    torch_model, found = GPTModel(TINY.config), answer(TINY).model.paths()
    shapes: dict = {}
    for path, module in torch_model.named_modules():
        module.register_forward_hook(lambda m, x, y, path=path: shapes.update({path: tuple(y.shape)}))
    torch_model(torch.tensor(TINY.ids))
    assert {path: step.shape for path, step in found.items() if path in shapes} == {
        path: shape for path, shape in shapes.items() if path in found
    }
    heads = found["trf_blocks.0.att:scores"]
    assert heads.shape == (2, 3, 4, 4)
    assert found["trf_blocks.0.att:context"].shape == (2, 3, 4, 4)


def test_that_a_block_passes_its_input_on_in_order():
    steps = [step.path.split(".")[-1] for step in answer(SMALL).model.paths()[FIRST_BLOCK].steps]
    assert steps == [
        "norm1", "att", "drop_shortcut", "0:after_attention", "norm2", "ff", "drop_shortcut", "0:after_feed_forward"
    ]


def test_that_the_placeholder_has_embeddings_and_an_output_layer_only():
    found = answer(SMALL)
    placeholder = found.placeholder.paths()
    learned = {path for path, step in placeholder.items() if path and step.parameters}
    assert learned == {"tok_emb", "pos_emb", "out_head"}
    assert placeholder[""].shape == found.model.shape == (2, 4, 50_257)
    assert placeholder[FIRST_BLOCK].shape == found.model.paths()[FIRST_BLOCK].shape


def test_that_shapes_take_no_memory_for_the_largest_model():
    before = devices.used_bytes("cpu")
    found = answer(BlockRequest(emb_dim=16_384, n_heads=128, n_layers=128, context_length=1_024))
    assert found.model.parameters > 4e11
    assert devices.used_bytes("cpu") - before < 2**28


@pytest.mark.parametrize("compute", [PLACEHOLDER, MODEL])
def test_that_logits_without_enough_memory_are_refused_with_a_message(compute, monkeypatch):
    small = devices.Device("cpu", "a small computer", 2**30, 2**20)
    monkeypatch.setattr(devices, "cpu", lambda: small)
    with pytest.raises(UserError, match=r"not enough memory to compute these logits: it needs .* a small computer"):
        answer(SMALL.but(compute=compute))


def test_that_one_text_is_a_batch_of_one():
    assert answer(TINY.but(other="")).model.shape == (1, 4, 50_257)
