"""The fast path's own functions: each equals the written-out function, and so does its gradient."""

import pytest
import torch
from hypothesis import given
from hypothesis import strategies as st
from torch.nn import functional as F

from gptstudio.gpt import native_library
from gptstudio.gpt.config import GPTConfig
from gptstudio.gpt.fast import build_model, kernels
from gptstudio.gpt.model import causal_mask

D, V = 24, 70


def drawn(*shape, seed=0, dtype=torch.float32):
    return torch.randn(*shape, generator=torch.Generator().manual_seed(seed)).to(dtype).requires_grad_()


def gradients(result, *of):
    """Return the gradients of a sum that weights all values differently."""
    weigh = torch.arange(1, result.numel() + 1).view(result.shape) / result.numel()
    return torch.autograd.grad((result.float() * weigh).sum(), of)


# The loss.


@pytest.fixture(params=["in C", "in torch"])
def few_at_once(request, monkeypatch):
    """Use sizes at which a small problem needs several rounds, the last ones not full; with the part in C and
    without."""
    for name, value in {"ROWS": 8, "FEW_ROWS": 3, "WORDS": 16, "ROWS_ALONE": 5}.items():
        monkeypatch.setattr(kernels, name, value)
    if request.param == "in torch":
        monkeypatch.setattr(native_library, "library", lambda: None)
    elif native_library.library() is None:
        pytest.skip("the part in C is not compiled on this system")


@given(rows=st.integers(1, 30), scale=st.sampled_from([0.01, 1.0, 30.0]), share=st.sampled_from([1.0, 0.25]))
def test_that_the_loss_and_its_gradients_are_those_of_whole_logits(few_at_once, rows, scale, share):
    x, weight = drawn(rows, D), drawn(V, D, seed=1)
    targets = torch.randint(0, V, (rows,), generator=torch.Generator().manual_seed(rows))
    loss = kernels.linear_cross_entropy(x * scale, weight, targets, torch.float32) * share
    expected = F.cross_entropy(x * scale @ weight.T, targets) * share
    torch.testing.assert_close(loss, expected, rtol=1e-5, atol=1e-6)
    with torch.no_grad():  # as an evaluation computes it
        alone = kernels.linear_cross_entropy(x * scale, weight, targets, torch.float32) * share
    torch.testing.assert_close(alone, expected, rtol=1e-6, atol=1e-6)
    for made, exact in zip(
        torch.autograd.grad(loss, (x, weight)), torch.autograd.grad(expected, (x, weight)), strict=True
    ):
        torch.testing.assert_close(made, exact, rtol=1e-4, atol=1e-6 * scale)


def test_that_in_half_precision_loss_and_gradients_differ_no_more_than_with_autocast(few_at_once):
    x, weight, targets = drawn(30, D), drawn(V, D, seed=1), torch.arange(30) % V
    exact = gradients_of_loss(F.cross_entropy(x @ weight.T, targets), x, weight)
    with torch.autocast("cpu", torch.bfloat16):
        logits = F.linear(x, weight)
    usual = gradients_of_loss(F.cross_entropy(logits.float(), targets), x, weight)
    made = gradients_of_loss(kernels.linear_cross_entropy(x, weight, targets, torch.bfloat16), x, weight)
    for ours, theirs, right in zip(made, usual, exact, strict=True):
        assert (ours - right).norm() < 1.2 * (theirs - right).norm() + 1e-6


def gradients_of_loss(loss, *of):
    return [loss, *torch.autograd.grad(loss, of)]


def test_that_a_target_of_tiny_probability_has_a_large_but_finite_loss(few_at_once):
    x, weight = torch.full((1, 1), 1.0), torch.linspace(-300, 300, V)[:, None]
    targets = torch.tensor([0])
    for gradient in (False, True):
        loss = kernels.linear_cross_entropy(x.requires_grad_(gradient), weight, targets, torch.float32)
        torch.testing.assert_close(loss, F.cross_entropy(x @ weight.T, targets))


def test_that_a_frozen_output_layer_gets_no_gradient_and_the_rest_does(few_at_once):
    x, weight = drawn(9, D), drawn(V, D, seed=1).detach()
    kernels.linear_cross_entropy(x, weight, torch.arange(9), torch.float32).backward()
    assert weight.grad is None
    assert x.grad.norm() > 0


def test_that_no_gradients_are_computed_where_none_are_needed(few_at_once, monkeypatch):
    monkeypatch.setattr(kernels, "_add_gradient_of_words", None)
    with torch.no_grad():
        x, weight = drawn(9, D), drawn(V, D, seed=1)
        loss = kernels.linear_cross_entropy(x, weight, torch.arange(9), torch.float32)
        torch.testing.assert_close(loss, F.cross_entropy(x @ weight.T, torch.arange(9)))


def test_that_an_evaluation_uses_the_buffers_that_training_keeps(few_at_once):
    x, weight, targets = drawn(8, D), drawn(V, D, seed=1), torch.arange(8)
    kernels.linear_cross_entropy(x, weight, targets, torch.bfloat16).backward()
    gradient = weight.loss_buffers["logits"].clone()
    with torch.no_grad():
        loss = kernels.linear_cross_entropy(x, weight, targets, torch.bfloat16)
    in_half = F.cross_entropy(x.bfloat16() @ weight.bfloat16().T, targets).float()
    torch.testing.assert_close(loss, in_half, rtol=1e-2, atol=0)
    assert not torch.equal(weight.loss_buffers["logits"], gradient)


@pytest.mark.parametrize("bad", [torch.nan, torch.inf])
@pytest.mark.parametrize("dtype", [torch.float32, torch.bfloat16])
def test_that_a_logit_that_is_not_finite_makes_the_loss_not_finite(few_at_once, dtype, bad):
    x, weight = torch.ones(3, 1), torch.ones(V, 1)
    weight[V - 1] = bad
    loss = kernels.linear_cross_entropy(x.requires_grad_(), weight, torch.arange(3), dtype)
    assert not loss.isfinite()
    with torch.no_grad():
        assert not kernels.linear_cross_entropy(x, weight, torch.arange(3), dtype).isfinite()


def test_that_no_token_outside_the_vocabulary_is_read(few_at_once):
    for wrong in (-1, V):
        with pytest.raises((IndexError, RuntimeError)):
            kernels.linear_cross_entropy(drawn(2, D), drawn(V, D), torch.tensor([0, wrong]), torch.float32)


@pytest.mark.parametrize("dtype", [torch.float32, torch.bfloat16])
def test_that_threads_change_no_bit_of_a_loss_and_its_gradient(few_at_once, dtype, threads):
    """The logits are enough for three threads; see ``threads_for`` in ``vectors.h``."""
    logits, targets = drawn(70, 1_000).detach().to(dtype), torch.arange(70)
    found = []
    for count in (1, 2, 3):
        threads(count)
        gradient, losses = logits.clone(), torch.empty(70)
        kernels.fill_losses(gradient, targets, losses, gradient=True)
        found.append((gradient, losses))
    for gradient, losses in found:
        assert torch.equal(gradient, found[0][0])
        assert torch.equal(losses, found[0][1])


# The product in half precision.


@pytest.mark.parametrize("bias", [True, False])
@pytest.mark.parametrize("given_in", [torch.float32, torch.bfloat16])
def test_that_the_product_in_half_precision_is_that_of_autocast(bias, given_in):
    x, weight = drawn(2, 5, D, dtype=given_in), drawn(V, D, seed=1)
    added = drawn(V, seed=2) if bias else None
    of = [each for each in (x, weight, added) if each is not None]
    with torch.autocast("cpu", torch.bfloat16):
        usual = F.linear(x, weight, added)
    made = kernels.HalfLinear.apply(x, weight, added, torch.bfloat16)
    torch.testing.assert_close(made, usual, rtol=0, atol=0)
    for ours, theirs in zip(gradients(made, *of), gradients(usual, *of), strict=True):
        assert ours.dtype == theirs.dtype
        torch.testing.assert_close(ours, theirs, rtol=1e-2, atol=1e-2)


# Attention with dropout.


@pytest.mark.parametrize(("dtype", "close"), [(torch.float32, 1e-5), (torch.bfloat16, 3e-2)])
@pytest.mark.parametrize("tokens", [1, 2, 9])
def test_that_attention_with_dropout_equals_the_written_out_function(dtype, close, tokens):
    queries, keys, values = (drawn(2, 3, tokens, 8, seed=seed, dtype=dtype) for seed in range(3))
    kept, share = kernels.dropout_mask((2, 3, tokens, tokens), 0.3, dtype)
    made = kernels.DroppedAttention.apply(queries, keys, values, kept, share)
    q, k, v = (each.detach().float().requires_grad_() for each in (queries, keys, values))
    scores = (q @ k.transpose(2, 3) / 8**0.5).masked_fill(causal_mask(tokens, q.device), -torch.inf)
    expected = (torch.softmax(scores, -1) * kept / share) @ v
    torch.testing.assert_close(made.float(), expected, rtol=close, atol=close)
    for ours, right in zip(gradients(made, queries, keys, values), gradients(expected, q, k, v), strict=True):
        torch.testing.assert_close(ours.float(), right, rtol=close, atol=2 * close)


@pytest.mark.parametrize("p", [0.01, 0.1, 0.5, 0.99])
def test_that_dropout_keeps_the_expected_number_of_values(p):
    torch.manual_seed(3)
    kept, share = kernels.dropout_mask((300, 1001), p, torch.float32)
    assert share == pytest.approx(1 - p, abs=2**-16)
    deviation = (share * (1 - share) / kept.numel()) ** 0.5
    assert kept.mean().item() == pytest.approx(share, abs=5 * deviation)


# The whole model.


@pytest.mark.parametrize("tied", [True, False])
def test_that_both_paths_learn_the_same_from_a_batch_without_dropout(tied):
    cfg = GPTConfig(
        vocab_size=V, context_length=12, emb_dim=D, n_heads=3, n_layers=2, drop_rate=0.0, qkv_bias=True,
        tie_weights=tied,
    )
    found = []
    for path in ("reference", "fast"):
        torch.manual_seed(5)
        model = build_model(cfg, path).train()
        ids = torch.randint(0, V, (3, 13), generator=torch.Generator().manual_seed(2))
        loss = model(ids[:, :-1], targets=ids[:, 1:])
        loss.backward()
        found.append([loss, *(p.grad for p in model.parameters())])
    for one, other in zip(*found, strict=True):
        torch.testing.assert_close(one, other, rtol=1e-4, atol=1e-6)
