"""AdamW and SGD with a sparse gradient: the results of torch with the same gradient written out, to the bit where
torch computes it, too."""

from functools import partial

import hypothesis
import pytest
import torch
from hypothesis import given
from hypothesis import strategies as st
from torch import nn

from gptstudio.gpt import native_library
from gptstudio.gpt.config import GPTConfig
from gptstudio.gpt.fast import build_model, kernels
from gptstudio.training import optimizer
from gptstudio.training.optimizer import AdamW

V, D = 40, 6
SETTINGS = {"lr": 0.1, "betas": (0.8, 0.95), "weight_decay": 0.2, "fused": True}


@pytest.fixture(autouse=True)
def few_at_once(monkeypatch):
    """Use slices of which the last is not full."""
    monkeypatch.setattr(optimizer, "ROWS", 16)


@pytest.fixture
def without_c(monkeypatch):
    monkeypatch.setattr(native_library, "library", lambda: None)


needs_c = pytest.mark.skipif(native_library.library() is None, reason="the part in C is not compiled on this system")


def embedding(sparse):
    torch.manual_seed(0)
    return nn.Embedding(V, D, sparse=sparse)


@pytest.mark.parametrize(("kinds", "settings"), [
    ((AdamW, torch.optim.AdamW), SETTINGS),
    *(((optimizer.SGD, torch.optim.SGD), {"lr": 0.1, "foreach": False, **more}) for more in (
        {}, {"momentum": 0.9}, {"momentum": 0.9, "nesterov": True}, {"momentum": 0.5, "weight_decay": 0.1},
        {"weight_decay": 0.1})),
], ids=str)
@hypothesis.settings(max_examples=8)
@given(batches=st.lists(st.lists(st.integers(0, V - 1), min_size=1, max_size=30), min_size=1, max_size=5))
def test_that_a_gradient_of_some_rows_moves_all_rows_as_the_whole_one_does(without_c, kinds, settings, batches):
    same_updates(kinds, settings, batches, torch.equal)


@needs_c
@hypothesis.settings(max_examples=8)
@given(batches=st.lists(st.lists(st.integers(0, V - 1), min_size=1, max_size=30), min_size=1, max_size=5))
def test_that_in_c_it_moves_all_rows_as_the_whole_one_does_and_as_torch_to_a_few_roundings(batches):
    same_updates((AdamW, AdamW), SETTINGS, batches, torch.equal)
    same_updates((AdamW, torch.optim.AdamW), SETTINGS, batches, partial(torch.allclose, rtol=1e-5, atol=1e-6))


@needs_c
@pytest.mark.parametrize("loads", [False, True], ids=["in place", "loaded"])
def test_that_in_c_a_row_without_a_gradient_follows_moments_that_were_changed_from_outside(loads):
    tables = [embedding(sparse) for sparse in (True, False)]
    for table in tables:
        stepper = AdamW(table.parameters(), **SETTINGS)
        for row in (5, 6, 7):
            stepper.zero_grad()
            table(torch.tensor([1, 2])).sum().backward()
            stepper.step()
            state = stepper.state_dict()
            moments = state["state"][0]["exp_avg"]
            assert not moments[row].any()
            if loads:
                moments = state["state"][0]["exp_avg"] = moments.clone()
                stepper.load_state_dict(state)
            moments[row] = 3.0
    assert torch.equal(tables[0].weight, tables[1].weight)
    assert tables[0].weight[5].mean() < embedding(False).weight[5].mean() - 0.1


@needs_c
def test_that_in_c_threads_change_no_bit_of_an_update_or_a_norm(threads):
    found = []
    for count in (1, 2, 3):
        threads(count)
        matrix = nn.Parameter(torch.linspace(-1, 1, 300 * 400).view(300, 400))
        matrix.grad = torch.sin(1000 * matrix.detach())
        norm = optimizer.grad_norm([matrix])
        AdamW([matrix], **SETTINGS).step()
        found.append((norm, matrix.detach()))
    torch.testing.assert_close(found[0][0].double(), matrix.grad.double().norm(), rtol=1e-7, atol=0)
    for norm, updated in found:
        assert norm == found[0][0]
        assert torch.equal(updated, found[0][1])


def same_updates(kinds, settings, batches, same):
    tables = [embedding(sparse) for sparse in (True, False)]
    steppers = [kind(table.parameters(), **settings) for kind, table in zip(kinds, tables, strict=True)]
    for ids in batches:
        # Integers, so that the sum over a token that occurs twice does not depend on its order.
        weigh = torch.randint(-9, 9, (len(ids), D), generator=torch.Generator().manual_seed(len(ids))).float()
        for table, stepper in zip(tables, steppers, strict=True):
            stepper.zero_grad()
            (table(torch.tensor(ids)) * weigh).sum().backward()
            stepper.step()
    assert tables[0].weight.grad.is_sparse
    assert same(tables[0].weight, tables[1].weight)
    ours, whole = (stepper.state[table.weight] for stepper, table in zip(steppers, tables, strict=True))
    assert ours.keys() == whole.keys()
    for key in ours:
        assert same(ours[key], whole[key]), key
        assert ours[key].dtype == whole[key].dtype, key


def test_that_it_continues_from_torchs_saved_state(without_c):
    tables = [embedding(True), embedding(False)]
    steppers = [AdamW(tables[0].parameters(), **SETTINGS), torch.optim.AdamW(tables[1].parameters(), **SETTINGS)]
    for number, (table, stepper) in enumerate(zip(tables, steppers, strict=True)):
        for ids in ([1, 2], [2, 30]):
            stepper.zero_grad()
            table(torch.tensor(ids)).sum().backward()
            stepper.step()
            if number == 0:  # stop and restart
                again = AdamW(table.parameters(), **SETTINGS)
                again.load_state_dict(stepper.state_dict())
                stepper = again
    assert torch.equal(tables[0].weight, tables[1].weight)


@pytest.mark.parametrize("tied", [True, False])
@pytest.mark.parametrize("longest", [0.01, 100.0])
def test_that_norm_and_clipping_are_those_of_whole_gradients(tied, longest):
    cfg = GPTConfig(vocab_size=V, context_length=8, emb_dim=D, n_heads=2, n_layers=1, drop_rate=0.0, tie_weights=tied)
    found = []
    for sparse in (True, False):
        torch.manual_seed(1)
        model = build_model(cfg, "fast").train()
        model.tok_emb.sparse = sparse
        ids = torch.randint(0, V, (2, 9), generator=torch.Generator().manual_seed(2))
        model(ids[:, :-1], targets=ids[:, 1:]).backward()
        weights = list(model.parameters())
        length = optimizer.grad_norm(weights)
        optimizer.clip_gradients(weights, longest, length)
        assert model.tok_emb.weight.grad.is_sparse == (sparse and not tied)
        found.append([length, *(p.grad.to_dense() if p.grad.is_sparse else p.grad for p in weights)])
    for ours, whole in zip(*found, strict=True):
        torch.testing.assert_close(ours, whole, rtol=1e-6, atol=1e-9)


def test_that_the_memory_of_a_large_gradient_is_reused(monkeypatch):
    monkeypatch.setattr(kernels, "LARGE", 4)
    model = build_model(GPTConfig(vocab_size=V, context_length=8, emb_dim=D, n_heads=2, n_layers=1), "fast").train()
    head, ids = model.out_head.weight, torch.arange(8)[None]

    def place():
        model(ids, targets=ids).backward()
        return head.grad.data_ptr()

    first = place()
    gradient = head.grad.clone()
    kernels.free_gradients(model.parameters())
    taken = torch.empty_like(head)  # would get the memory if it were free
    assert head.grad is None
    assert [name for name, each in model.named_parameters() if hasattr(each, "gradient_buffer")] == ["out_head.weight"]
    assert place() == first != taken.data_ptr()
    assert not torch.equal(head.grad, gradient)  # dropout was different
    kernels.free_gradients(model.parameters(), keep_memory=False)
    assert head.gradient_buffer is None


@needs_c
def test_that_the_copy_in_half_precision_follows_every_change_of_the_weights():
    model = build_model(GPTConfig(vocab_size=V, context_length=8, emb_dim=D, n_heads=2, n_layers=1), "fast").train()
    stepper, head, ids = AdamW(model.parameters(), **SETTINGS), model.out_head.weight, torch.arange(8)[None]

    def loss():
        with torch.autocast("cpu", torch.bfloat16):
            return model(ids, targets=ids)

    for _ in range(2):
        loss().backward()
        stepper.step()
        assert torch.equal(kernels.half_precision_copy(head), head.detach().bfloat16())
    version = head._version  # noqa: SLF001
    with torch.no_grad():
        model.eval()
        assert loss() == loss()
        head.zero_()
        assert head._version > version  # noqa: SLF001
        torch.testing.assert_close(loss(), torch.tensor(V).log())
        head.fill_(torch.nan)
        assert loss().isnan()
