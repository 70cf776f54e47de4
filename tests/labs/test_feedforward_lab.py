"""The feed-forward module: shapes and parameters of a real one, and the effect of GELU inside a model."""

import numpy as np
import pytest
import torch
from hypothesis import given
from hypothesis import strategies as st
from torch import nn

from gptstudio.errors import UserError
from gptstudio.gpt.config import GPTConfig
from gptstudio.gpt.model import FeedForward, GPTModel, MultiHeadAttention
from gptstudio.gpt.tokenizer import GPT2
from gptstudio.inference import interpret
from gptstudio.labs.feedforward import QUIET, FeedForwardRequest, answer, module
from gptstudio.torch_settings import RandomStream

SMALL = GPTConfig(context_length=8, emb_dim=16, n_heads=2, n_layers=3)


@pytest.fixture(scope="module")
def model() -> GPTModel:
    return make(SMALL)


def make(config: GPTConfig) -> GPTModel:
    with RandomStream(1).active():
        return GPTModel(config).eval()


@torch.no_grad()
def traced(model: GPTModel, text: str, layer: int) -> tuple[np.ndarray, np.ndarray]:
    """Return the input and the output of GELU in a layer, recorded by a separate hook."""
    came = []
    gelu = model.trf_blocks[layer - 1].ff.layers[1]
    hook = gelu.register_forward_hook(lambda _, args, output: came.append((args[0][0].numpy(), output[0].numpy())))
    model(torch.tensor([GPT2.encode(text)[-model.cfg.context_length :]]))
    hook.remove()
    return came[0]


@given(st.integers(16, 128), st.integers(1, 4), st.integers(1, 9))
def test_that_shapes_and_parameters_are_those_of_an_allocated_module(width, batch, tokens):
    with RandomStream(1).active():
        cfg = GPTConfig(emb_dim=width, n_heads=1)
        real, attention, x = FeedForward(cfg), MultiHeadAttention(cfg), torch.rand(batch, tokens, width)
    shapes = [tuple(each.shape) for each in (x, real.layers[0](x), real.layers[1](real.layers[0](x)), real(x))]
    got = module(FeedForwardRequest(width=width, batch=batch, tokens=tokens))
    assert list(got.shapes) == shapes
    assert got.parameters == (4 * width * width, 4 * width, 4 * width * width, width)
    assert got.total == sum(each.numel() for each in real.parameters())
    assert got.attention == sum(each.numel() for each in attention.parameters())


@pytest.mark.parametrize("layer", [1, 3])
def test_that_the_shares_are_those_of_the_inputs_and_outputs_of_gelu(model, layer):
    text = "one two three"
    got, (before, after) = answer(FeedForwardRequest(text=text, layer=layer), model).outputs, traced(model, text, layer)
    np.testing.assert_array_equal(interpret.activations(model, GPT2.encode(text), layer - 1).after, after)
    assert (got.layer, got.layers, got.read, got.width) == (layer, 3, *before.shape)
    assert got.negative == pytest.approx((before < 0).mean())
    assert got.quiet_before == pytest.approx((np.abs(before) < QUIET).mean())
    assert got.quiet == pytest.approx((np.abs(after) < QUIET).mean())
    assert (got.lowest_before, got.lowest) == (before.min(), after.min())
    assert got.before.sum() == pytest.approx(1)
    assert got.after.sum() == pytest.approx(1)
    assert got.before[got.edges[:-1] < -1e-9].sum() == pytest.approx(got.negative, abs=1e-3)


def test_that_no_output_of_gelu_is_lower_than_its_minimum(model):
    got = answer(FeedForwardRequest(text="a b c d e"), model).outputs
    assert got.lowest >= -0.1701
    assert not got.after[got.edges[1:] < -0.1701].any()


def test_that_of_a_long_text_the_last_tokens_are_read(model):
    long = answer(FeedForwardRequest(text="one two three four five six seven eight nine ten"), model).outputs
    assert long.read == SMALL.context_length
    last = answer(FeedForwardRequest(text=" three four five six seven eight nine ten"), model).outputs
    np.testing.assert_array_equal(long.before, last.before)


def test_that_a_model_of_zeros_has_only_quiet_units():
    empty = make(SMALL)
    for parameter in empty.parameters():
        nn.init.zeros_(parameter)
    got = answer(FeedForwardRequest(text="nothing"), empty).outputs
    assert (got.negative, got.quiet_before, got.quiet) == (0, 1, 1)


def test_that_a_missing_layer_is_reported(model):
    expected = r"Layer 4 does not exist; the last layer of this model is 3\. Choose another layer\."
    with pytest.raises(UserError, match=expected):
        answer(FeedForwardRequest(layer=4), model)
