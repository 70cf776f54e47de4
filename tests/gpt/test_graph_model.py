"""The model as it decodes on a GPU, computed on the processor: static shapes give the logits of the cached steps."""

import pytest
import torch
from torch.nn import functional as F

from gptstudio.gpt import memory
from gptstudio.gpt.config import GPTConfig
from gptstudio.gpt.fast import build_model, kernels
from gptstudio.gpt.fast.graph_model import GraphModel
from gptstudio.gpt.fast.kv_cache import KVCache
from gptstudio.gpt.host_dropout import draw_on_processor
from gptstudio.gpt.model import GPTModel
from gptstudio.torch_settings import RandomStream

CFG = GPTConfig(vocab_size=101, context_length=24, emb_dim=48, n_heads=3, n_layers=3, qkv_bias=True, drop_rate=0.3)
ODD = GPTConfig(vocab_size=97, context_length=11, emb_dim=15, n_heads=5, n_layers=2, drop_rate=0.3)


def model_of(cfg: GPTConfig, path: str = "fast") -> GPTModel:
    with RandomStream(3).active():
        return build_model(cfg, path).eval()


@pytest.mark.parametrize("cfg", [CFG, ODD], ids=["even", "odd"])
@pytest.mark.parametrize("rows", [1, 3])
@torch.no_grad()
def test_that_a_step_of_static_shapes_gives_the_logits_of_the_cached_one(cfg, rows):
    model, ids = model_of(cfg), torch.randint(0, cfg.vocab_size, (rows, cfg.context_length))
    decoding = GraphModel(model, "fp32")
    ours, theirs = (KVCache(cfg, rows, "cpu", torch.float32, masked=True) for _ in range(2))
    for start, stop in ((0, 4), *((at, at + 1) for at in range(4, cfg.context_length))):
        found = decoding(ids[:, start:stop], cache=ours, last_only=True)
        expected = model(ids[:, start:stop], cache=theirs, last_only=True)
        torch.testing.assert_close(found, expected, rtol=1e-6, atol=1e-6)
    assert ours.length == theirs.length == cfg.context_length
    assert not decoding.is_captured(ours)  # nothing is captured on the processor


@torch.no_grad()
def test_that_weights_in_bf16_change_the_logits_by_their_rounding_alone():
    model, ids = model_of(CFG), torch.tensor([[1, 2, 3, 4, 5]])
    decoding = GraphModel(model, "bf16")
    cache = KVCache(CFG, 1, "cpu", decoding.dtype, masked=True)
    decoding(ids[:, :3], cache=cache)
    for at in (3, 4):
        found, expected = decoding(ids[:, at : at + 1], cache=cache)[:, -1], model(ids[:, : at + 1])[:, -1]
        assert (found - expected).abs().max() < 2e-2 * (expected.max() - expected.min())


@torch.no_grad()
def test_that_cache_entries_after_the_text_are_never_read():
    """A cache that texts were selected from has room after them, which is masked."""
    model, decoding = model_of(CFG), GraphModel(model_of(CFG), "fp32")
    cache = KVCache(CFG, 1, "cpu", torch.float32, masked=True)
    decoding(torch.tensor([[1, 2, 3, 4, 5, 6]]), cache=cache)
    cache.truncate(4)
    both = cache.select([0, 0])
    assert all(layer.both.isfinite().all() for layer in both.layers)
    both.reorder([1, 0])
    found = decoding(torch.tensor([[7], [8]]), cache=both)[:, -1]
    expected = model(torch.tensor([[1, 2, 3, 4, 7], [1, 2, 3, 4, 8]]))[:, -1]
    torch.testing.assert_close(found, expected, rtol=1e-5, atol=1e-5)


# The loss as a GPU computes it.


@pytest.mark.parametrize("rows", [7, 64])
@pytest.mark.parametrize("losses", ["in place", "to be compiled"])
def test_that_the_loss_made_for_some_rows_at_a_time_is_the_loss_of_all(monkeypatch, rows, losses):
    generator = torch.Generator().manual_seed(4)
    x, weight = (torch.randn(n, 16, generator=generator, requires_grad=True) for n in (20, 50))
    targets = torch.randint(0, 50, (20,), generator=generator)
    expected = F.cross_entropy(x @ weight.T, targets)
    gradients = torch.autograd.grad(expected, [x, weight])
    monkeypatch.setattr(kernels, "ROWS_ON_GPU", rows)
    if losses == "to be compiled":
        monkeypatch.setattr(kernels, "losses_and_gradient_in_place", kernels.losses_and_gradient)

    class Context:
        needs_input_grad = (True, True, False, False, False)

    with torch.no_grad():
        found = kernels.loss_on_gpu(Context, x, weight, targets, torch.float32)
    torch.testing.assert_close(found, expected.detach())
    torch.testing.assert_close(Context.grad_x, gradients[0])
    torch.testing.assert_close(Context.grad_weight, gradients[1])


def test_that_the_forecast_counts_the_rows_that_are_computed_at_once():
    assert (memory.AT_ONCE, memory.AT_ONCE_ON_GPU) == (kernels.ROWS, kernels.ROWS_ON_GPU)
    assert memory.GIVEN_BACK == kernels.LARGE


# Dropout of reference arithmetic.


def test_that_reference_dropout_drawn_by_the_processor_is_torchs_own():
    model, same = (model_of(CFG, "reference").train() for _ in range(2))
    draw_on_processor(same)
    ids, logits = torch.randint(0, CFG.vocab_size, (2, CFG.context_length)), []
    for each in (model, same):
        with RandomStream(9).active():
            logits.append(each(ids))
    assert torch.equal(*logits)
