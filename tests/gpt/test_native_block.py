"""A block of the model computed in C: its output and all its gradients are those of the block written out."""

import ctypes

import pytest
import torch
from torch import nn

from gptstudio.gpt import native_library
from gptstudio.gpt.config import GPTConfig
from gptstudio.gpt.fast import accelerate, native_block
from gptstudio.gpt.model import GPTModel

LIBRARY = native_library.library()
pytestmark = pytest.mark.skipif(LIBRARY is None, reason="needs the compiled part, and a C compiler was not found")


@pytest.fixture(autouse=True, params=["", "-v3", "-v4"])
def library(request, monkeypatch):
    """Use the library for each kind of processor that this one can run."""
    file = native_library.LIBRARY.with_stem(native_library.LIBRARY.stem + request.param)
    if int(request.param[2:] or 0) > LIBRARY.gpt2_level() or not file.exists():
        pytest.skip("this processor does not have these instructions")
    found = ctypes.CDLL(str(file))
    found.gpt2_attention_scratch.restype = ctypes.c_int64
    monkeypatch.setattr(native_library, "library", lambda: found)


def made_block(width=24, heads=3, drop=0.0, bias=True, fast=True):
    """Return a block with random weights, biases and norms, in training."""
    torch.manual_seed(3)
    model = GPTModel(GPTConfig(
        vocab_size=7, context_length=200, emb_dim=width, n_heads=heads, n_layers=1, drop_rate=drop, qkv_bias=bias))
    for parameter in model.parameters():
        nn.init.normal_(parameter, mean=float(parameter.dim() == 1), std=0.1)
    return (accelerate(model) if fast else model).trf_blocks[0].train()


def learned(block, x, half=False, **how):
    """Return the output of a block, the gradient of its input, and those of its parameters by name."""
    torch.manual_seed(5)
    x = x.clone().requires_grad_()
    with torch.autocast("cpu", torch.bfloat16, enabled=half):
        out = block(x, **how)
    block.zero_grad()
    out.backward(torch.sin(torch.arange(out.numel())).view(out.shape))
    return {"out": out.detach(), "x": x.grad} | {name: each.grad for name, each in block.named_parameters()}


def errors(made, right):
    """Return the relative error of each tensor except the gradient of the keys' bias, which is zero except for
    rounding."""
    names = [name for name in right if name != "att.W_key.bias"]
    return {name: float((made[name] - right[name]).norm() / right[name].norm()) for name in names}


def inputs(batch, tokens, width=24):
    return torch.randn(batch, tokens, width, generator=torch.Generator().manual_seed(1))


@pytest.mark.parametrize(("tokens", "width", "heads"), [(1, 24, 3), (2, 24, 1), (31, 40, 5), (33, 64, 4), (100, 72, 3)])
@pytest.mark.parametrize("bias", [True, False])
def test_that_without_dropout_it_is_the_block_of_the_book(tokens, width, heads, bias):
    x = inputs(2, tokens, width)
    made = learned(made_block(width, heads, bias=bias), x, to_train=True)
    right = learned(made_block(width, heads, bias=bias, fast=False), x)
    assert max(errors(made, right).values()) < 1e-5


@pytest.mark.parametrize("half", [False, True])
def test_that_dropout_and_half_precision_are_those_of_torch_and_no_less_precise(half):
    block, x = made_block(64, 4, drop=0.2), inputs(3, 50, 64)
    right, by_torch, made = learned(block, x), learned(block, x, half), learned(block, x, half, to_train=True)
    usual = errors(by_torch, right)
    for name, error in errors(made, right).items():
        assert error < max(1.2 * usual[name], 1e-5), name


@pytest.mark.parametrize("dtype", [torch.float32, torch.bfloat16])
def test_that_threads_change_no_bit(dtype, threads):
    """The values of each part are enough for three threads; see ``threads_for`` in ``vectors.h``."""
    x, qkv, wide = (inputs(1, 700, width)[0] for width in (96, 288, 384))
    qkv, wide = qkv.to(dtype), wide.to(dtype)
    added, scale, heads = qkv[:, :96].contiguous(), x[0], (2, 350, 3)
    drop, of_weights = (native_block.dropout(nn.Dropout(0.2), shape) for shape in (x.shape, (2, 3, 350, 350)))
    found = []
    for count in (1, 2, 3):
        threads(count)
        sums, norm, stats = native_block.add_norm(x, scale, scale, dtype, added, scale, drop)
        made = native_block.add_norm_backward(x, dtype, (norm, sums, stats, scale), drop)
        out, weights = native_block.attention(qkv, heads, of_weights, keep=True)
        grad = native_block.attention_backward(qkv, weights, heads, of_weights.by, out)
        before, of_input = wide.clone(), wide.clone()
        after = native_block.gelu(before, wide[0].float(), keep=True)
        of_bias = native_block.gelu_backward(before, of_input)
        found.append((sums, norm, stats, *made, out, grad, before, after, of_input, of_bias))
    for one, *others in zip(*found, strict=True):
        assert torch.isfinite(one).all()
        assert all(torch.equal(each, one) for each in others)


@pytest.mark.parametrize("half", [False, True])
def test_that_what_memory_held_before_changes_no_bit(half, request):
    request.addfinalizer(lambda: torch.use_deterministic_algorithms(False))
    block, x = made_block(drop=0.1), inputs(3, 70)
    right = learned(block, x, half, to_train=True)
    torch.use_deterministic_algorithms(True)  # torch fills new memory with NaN
    made = learned(block, x, half, to_train=True)
    assert all(torch.equal(each, right[name]) for name, each in made.items())


def test_that_frozen_parameters_get_no_gradient_and_the_rest_the_same():
    block, x = made_block(), inputs(2, 9)
    right = learned(block, x, to_train=True)
    frozen = {"att.W_key.weight", "att.W_value.weight", "ff.layers.0.weight", "ff.layers.2.bias", "norm1.scale"}
    for name, parameter in block.named_parameters():
        parameter.requires_grad_(name not in frozen)
    made = learned(block, x, to_train=True)
    assert {name for name, each in made.items() if each is None} == frozen
    assert all(torch.equal(each, right[name]) for name, each in made.items() if each is not None)


def test_that_an_evaluation_gives_the_same_output_and_keeps_nothing():
    block, x = made_block(), inputs(2, 40)
    with torch.no_grad():
        out = block(x, to_train=True)
    assert not out.requires_grad
    assert torch.equal(out, learned(block, x, to_train=True)["out"])


@pytest.mark.parametrize("bad", [torch.inf, torch.nan])
def test_that_what_is_not_finite_stays_so(bad):
    block, x = made_block(), inputs(1, 20)
    x[0, 5, 2] = bad
    assert not torch.isfinite(block(x, to_train=True)[0, 5:]).any()


def test_that_a_hook_on_a_part_is_called(monkeypatch):
    block, x, seen = made_block(), inputs(1, 4), []
    monkeypatch.setattr(native_block, "computed", lambda *_: pytest.fail("the hook would not be called"))
    block.ff.register_forward_hook(lambda _module, _inputs, out: seen.append(out.shape))
    block(x, to_train=True)
    assert seen == [(1, 4, 24)]
