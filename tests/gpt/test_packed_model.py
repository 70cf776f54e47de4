"""The model laid out for decoding: the same function in any order of its numbers; and with fewer bits."""

import os
import subprocess
import sys

import pytest
import torch
from biased_model import biased_model, cache_with_nan
from hypothesis import given
from hypothesis import strategies as st

from gptstudio.gpt.config import GPTConfig
from gptstudio.gpt.fast import build_model
from gptstudio.gpt.fast.packed_model import PackedModel
from gptstudio.gpt.memory import packed_bytes
from gptstudio.gpt.model import GPTModel

C = 24
CONFIGS = [
    GPTConfig(vocab_size=300, context_length=C, emb_dim=32, n_heads=4, n_layers=3),
    GPTConfig(vocab_size=97, context_length=C, emb_dim=48, n_heads=1, n_layers=2, qkv_bias=True, tie_weights=True),
    GPTConfig(vocab_size=3, context_length=C, emb_dim=5, n_heads=5, n_layers=1),
]


@pytest.fixture(params=CONFIGS, ids=["own head", "tied and biased", "the smallest"])
def model(request):
    return biased_model(request.param)


def logits_of(model, ids, parts=(), last_only=False):
    """Return the logits of a text that is read in parts, split after these tokens; only the last part's are
    returned."""
    cache, found = cache_with_nan(model.cfg, len(ids)), None
    for begin, end in zip([0, *parts], [*parts, ids.shape[1]], strict=True):
        with torch.no_grad():
            found = model(ids[:, begin:end], cache=cache, last_only=last_only)
    return found


@given(st.data())
def test_that_in_float32_it_is_the_same_function_for_any_split_of_the_text(model, data):
    made = PackedModel(model, "fp32")
    batch, tokens = data.draw(st.integers(1, 3)), data.draw(st.integers(1, C))
    parts = sorted(data.draw(st.sets(st.integers(1, tokens), max_size=4)) - {tokens})
    ids = torch.randint(0, model.cfg.vocab_size, (batch, tokens), generator=torch.Generator().manual_seed(tokens))
    for last_only in (False, True):
        expected = logits_of(model, ids, parts, last_only)
        torch.testing.assert_close(logits_of(made, ids, parts, last_only), expected, rtol=1e-5, atol=1e-5)


def test_that_it_needs_no_cache(model):
    ids = torch.randint(0, model.cfg.vocab_size, (2, 9))
    with torch.no_grad():
        torch.testing.assert_close(PackedModel(model, "fp32")(ids), model(ids), rtol=1e-5, atol=1e-5)


@pytest.mark.parametrize("weights", ["bf16", "int8"])
def test_that_fewer_bits_give_the_specified_function(model, weights):
    """The model itself, with its matrices and the inputs and outputs of each product rounded."""
    ids = torch.randint(0, model.cfg.vocab_size, (2, C), generator=torch.Generator().manual_seed(1))
    made = PackedModel(model, weights)(ids)
    exact, rounded = by_hand(model, ids, lambda matrix: matrix, lambda x: x), by_hand(model, ids, ROUND[weights], half)
    temp_files = (rounded - exact).norm()
    assert temp_files > 0
    # Sums in another order are sometimes rounded differently.
    assert (made - rounded).norm() < 0.5 * temp_files
    assert (made - exact).norm() < 0.03 * exact.norm()


def half(tensor):
    return tensor.bfloat16().float()


def whole_numbers(matrix):
    scale = half(matrix.abs().amax(1, keepdim=True) / 127)
    return (matrix / scale).round().clamp(-127, 127) * scale


ROUND = {"bf16": half, "int8": whole_numbers}


@torch.no_grad()
def by_hand(model, ids, matrix, value):
    """Return the logits of the written-out path with ``matrix`` applied to every matrix of the blocks and ``value`` to
    the values around them; those of the output layer around its mean."""
    other = GPTModel(model.cfg.but(tie_weights=False)).eval()
    other.load_state_dict(model.state_dict())
    for layer in [each for each in other.trf_blocks.modules() if isinstance(each, torch.nn.Linear)]:
        layer.weight.copy_(matrix(layer.weight))
        bias, layer.bias = layer.bias, None
        layer.register_forward_pre_hook(lambda _, given: (value(given[0]),))
        layer.register_forward_hook(
            lambda _, __, out, bias=bias: value(out) if bias is None else rounded_once(out, bias)
        )

    def rounded_once(out, bias):
        # oneDNN adds the bias before it rounds, the integer product after
        return value(out + value(bias)) if matrix is half else value(out) + bias

    head, other.out_head = other.out_head.weight, torch.nn.Identity()
    x, mean = other(ids), head.mean(0)
    return value(value(x) @ matrix(head - mean).T) + (x @ mean)[..., None]


@pytest.mark.parametrize("weights", ["fp32", "bf16", "int8"])
def test_that_it_is_the_same_function_where_torch_has_no_onednn(model, weights, monkeypatch):
    ids = torch.randint(0, model.cfg.vocab_size, (2, C), generator=torch.Generator().manual_seed(1))
    packed = PackedModel(model, weights)(ids)
    monkeypatch.setattr(torch.backends.mkldnn, "is_available", lambda: False)
    monkeypatch.delattr(torch.ops.mkldnn, "_reorder_linear_weight")
    plain, temp_files = PackedModel(model, weights)(ids), 1e-5 if weights == "fp32" else 0.01
    assert (plain - packed).norm() <= temp_files * packed.norm()


@pytest.mark.slow
def test_that_an_older_processor_decodes_equally_well():
    config = "GPTConfig(vocab_size=9, context_length=4, emb_dim=8, n_heads=2, n_layers=1)"
    code = (
        "import torch; from gptstudio.gpt.config import GPTConfig; from gptstudio.gpt.fast import build_model;"
        "from gptstudio.gpt.fast.packed_model import PackedModel;"
        f"models = [PackedModel(build_model({config}, 'fast'), kind) for kind in ('fp32', 'bf16', 'int8')];"
        "print(*(made(torch.zeros(1, 3, dtype=torch.long)).isfinite().all().item() for made in models))"
    )
    older = {**os.environ, "ONEDNN_MAX_CPU_ISA": "AVX2", "ATEN_CPU_CAPABILITY": "avx2"}
    done = subprocess.run([sys.executable, "-c", code], env=older, capture_output=True, text=True, timeout=60)
    assert done.stdout == "True True True\n", done.stderr[-500:]


@pytest.mark.parametrize("weights", ["fp32", "bf16", "int8"])
@pytest.mark.parametrize("broken", [float("nan"), float("inf")])
def test_that_a_broken_weight_affects_the_logits(model, weights, broken):
    with torch.no_grad():
        model.trf_blocks[0].ff.layers[2].weight[0, 0] = broken
        assert not PackedModel(model, weights)(torch.zeros(1, 3, dtype=torch.long)).isfinite().all()


def test_that_a_matrix_of_zeros_gives_zeros():
    model = build_model(GPTConfig(vocab_size=9, context_length=4, emb_dim=8, n_heads=2, n_layers=1), "fast")
    with torch.no_grad():
        model.out_head.weight.zero_()
    assert not PackedModel(model, "int8")(torch.zeros(1, 3, dtype=torch.long)).any()


@pytest.mark.parametrize(("weights", "each"), [("fp32", 4), ("bf16", 2), ("int8", 1)])
def test_that_a_copy_takes_the_counted_number_of_bytes(weights, each):
    cfg = CONFIGS[0]
    matrices = [p for name, p in GPTModel(cfg).named_parameters() if p.dim() == 2 and "emb" not in name]
    exact = each * sum(p.numel() for p in matrices)
    assert exact <= packed_bytes(cfg, weights) <= 1.02 * exact  # the biases are counted too
