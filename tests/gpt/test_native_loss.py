"""The loss computed in C with products in bf16: its value and its gradients are those of whole logits."""

import ctypes

import pytest
import torch
from torch.nn import functional as F

from gptstudio.gpt import memory, native_library
from gptstudio.gpt.fast import kernels, native_loss, native_training

pytestmark = pytest.mark.skipif(
    not native_library.multiplies_bf16(), reason="needs a processor with AVX512_BF16 and without AMX, and a C compiler")
LARGEST = 1e-2
"""Relative error of what is computed in bf16 from rounded values."""


@pytest.fixture(autouse=True)
def slices(monkeypatch):
    """Compute few tokens at once, so that a small problem needs several rounds."""
    monkeypatch.setattr(kernels, "ROWS", 128)


def problem(rows, width, words, scale=1.0):
    """Return x, the output layer and targets, the two first in float32 with values that bf16 can represent."""
    generator = torch.Generator().manual_seed(rows)
    x, weight = (
        (torch.randn(count, width, generator=generator) * by).bfloat16().float().requires_grad_()
        for count, by in ((rows, scale), (words, width**-0.5)))
    return x, weight, torch.randint(0, words, (rows,), generator=generator)


def computed(x, weight, targets, dtype=torch.bfloat16):
    """Return the loss and its gradients, three times those of backward without a factor."""
    loss = kernels.linear_cross_entropy(x, weight, targets, dtype)
    return loss.detach(), *torch.autograd.grad(3 * loss, [each for each in (x, weight) if each.requires_grad])


def error(made, right):
    return ((made - right).norm() / right.norm()).item()


@pytest.mark.parametrize("words", [5, 96, 97, 1_001])
@pytest.mark.parametrize("rows", [48, 64, 127, 300])
@pytest.mark.parametrize(("width", "scale"), [(64, 1.0), (192, 30.0)])
def test_that_loss_and_gradients_are_those_of_whole_logits(rows, width, words, scale):
    x, weight, targets = problem(rows, width, words, scale)
    assert native_loss.can_compute(x, weight, weight.detach().bfloat16(), targets)
    loss, *made = computed(x, weight, targets)
    exact = F.cross_entropy(x.double() @ weight.double().T, targets)
    torch.testing.assert_close(loss.double(), exact.detach(), rtol=1e-5, atol=1e-6)
    for ours, right in zip(made, torch.autograd.grad(3 * exact, (x, weight)), strict=True):
        assert error(ours, right) < LARGEST
    with torch.no_grad():
        assert kernels.linear_cross_entropy(x, weight, targets, torch.bfloat16) == loss


@pytest.mark.parametrize("frozen", [0, 1])
def test_that_what_is_frozen_gets_no_gradient_and_the_rest_the_same(frozen):
    *given, targets = problem(200, 64, 150)
    _, *both = computed(*given, targets)
    given[frozen].requires_grad_(False)
    _, alone = computed(*given, targets)
    assert torch.equal(alone, both[1 - frozen])


def test_that_neither_threads_nor_what_memory_held_change_a_bit(threads):
    found = []
    for count in (1, 2, 3):
        threads(count)
        x, weight, targets = problem(200, 128, 777)
        weight.gradient_buffer = torch.full((777, 128), torch.nan)
        weight.loss_buffers = {"logits": torch.full((777, 128), torch.nan, dtype=torch.bfloat16)}
        made = computed(x, weight, targets)
        found.append((*made, torch.tensor(weight.gradient_squares[1], dtype=torch.float64)))
    for made in found:
        assert all(map(torch.equal, made, found[0]))


@pytest.mark.parametrize("rows", [64, 300])
def test_that_the_squares_of_a_gradient_are_known_until_it_changes(rows, monkeypatch):
    monkeypatch.setattr(native_training, "sum_of_squares", lambda _values: -1.0)
    x, weight, targets = problem(rows, 64, 300)

    def learned():
        weight.grad = None
        kernels.linear_cross_entropy(x, weight, targets, torch.bfloat16).backward()
        return weight.grad.double().square().sum().item()

    right = learned()
    assert kernels.sum_of_squares(weight) == pytest.approx(right, rel=1e-6)
    weight.grad.mul_(2)
    assert kernels.sum_of_squares(weight) == -1.0, "changed in place"
    learned()
    weight.grad = weight.grad.clone()
    assert kernels.sum_of_squares(weight) == -1.0, "replaced"
    for _ in range(2):
        kernels.linear_cross_entropy(x, weight, targets, torch.bfloat16).backward()
    assert kernels.sum_of_squares(weight) == -1.0, "accumulated"
    learned()
    few = problem(native_loss.FEWEST - 1, 64, 300)
    weight.grad = None
    kernels.linear_cross_entropy(few[0], weight, few[2], torch.bfloat16).backward()
    assert kernels.sum_of_squares(weight) == -1.0, "computed by torch"


def test_that_a_gradient_at_an_odd_place_in_memory_is_the_same():
    x, weight, targets = problem(100, 64, 150)
    right = computed(x, weight, targets)
    weight.gradient_buffer = torch.empty(150 * 64 + 1)[1:].view(150, 64)
    assert all(map(torch.equal, computed(x, weight, targets), right))


@pytest.mark.parametrize("bad", [torch.nan, torch.inf, -torch.inf])
@pytest.mark.parametrize("where", ["x", "word"])
def test_that_what_is_not_finite_stays_so(bad, where):
    x, weight, targets = problem(64, 64, 150)
    {"x": x, "word": weight}[where].data[3] = bad
    loss, *made = computed(x, weight, targets)
    assert not loss.isfinite()
    assert not any(each.isfinite().all() for each in made)


@pytest.mark.parametrize("least", [-1e9, -1e30, -torch.inf])
@pytest.mark.parametrize(("first", "last"), [(96, 192), (100, 190)])
def test_that_words_without_probability_change_nothing(first, last, least):
    x, weight, targets = problem(64, 64, 300)
    with torch.no_grad():
        x[:, 0], weight[:, 0], weight[first:last, 0] = 1, 0, least
        targets %= 96
    loss, of_x, _ = computed(x, weight, targets)
    kept = torch.cat([weight[:first], weight[last:]])
    right, of_kept, _ = computed(x, kept.detach().requires_grad_(), targets)
    torch.testing.assert_close(loss, right)
    assert error(of_x[:, 1:], of_kept[:, 1:]) < LARGEST


def test_that_the_forecast_of_memory_knows_the_sums_that_are_held():
    sizes = (ctypes.c_int64 * 3)()
    native_library.loaded().gpt2_linear_loss_sizes(*map(ctypes.c_int64, (128, 64, 1_000)), sizes)
    assert sizes[1] == memory.PARTS * 128 * 64


def test_that_no_target_outside_the_vocabulary_is_read():
    x, weight, targets = problem(64, 64, 150)
    for wrong in (-1, 150):
        targets[5] = wrong
        with pytest.raises((IndexError, RuntimeError)):
            computed(x, weight, targets)
