"""Sizes in closed form equal the sizes of the model that is built."""

import pytest
import torch
from hypothesis import given
from hypothesis import strategies as st
from torch.utils.flop_counter import FlopCounterMode

from gptstudio.gpt import sizing
from gptstudio.gpt.config import PRESETS, GPTConfig
from gptstudio.gpt.fast import build_model
from gptstudio.gpt.memory import generate_memory, train_memory
from gptstudio.gpt.model import FeedForward, GPTModel, MultiHeadAttention
from gptstudio.training.freezing import partly_frozen
from gptstudio.units import MB

PARTS = {
    "tok_emb": "token_embedding", "pos_emb": "position_embedding", "att": "attention", "ff": "feed_forward",
    "norm1": "norms", "norm2": "norms", "final_norm": "norms", "out_head": "output_layer",
}


@st.composite
def configs(draw) -> GPTConfig:
    heads = draw(st.integers(1, 30))
    return GPTConfig(
        vocab_size=draw(st.integers(1, 100_000)), context_length=draw(st.integers(1, 5_000)), n_heads=heads,
        emb_dim=heads * draw(st.integers(1, 80)), n_layers=draw(st.integers(1, 6)),
        qkv_bias=draw(st.booleans()), tie_weights=draw(st.booleans()),
    )


def on_meta(cfg: GPTConfig) -> GPTModel:
    """Return the model on the meta device, which allocates no memory."""
    with torch.device("meta"):
        return GPTModel(cfg)


def counted_in_the_model(cfg: GPTConfig) -> dict[str, int]:
    """Return the parameters by component, counted tensor by tensor; a tied output layer counts as if it were
    separate."""
    found = dict.fromkeys(sizing.parameters(cfg).components(), 0)
    for name, parameter in on_meta(cfg).named_parameters(remove_duplicate=False):
        found[next(PARTS[part] for part in name.split(".") if part in PARTS)] += parameter.numel()
    return found


@st.composite
def freezings(draw) -> tuple[GPTConfig, tuple[sizing.Part, ...], int]:
    cfg = draw(configs())
    return cfg, tuple(draw(st.sets(st.sampled_from(sizing.PARTS)))), draw(st.integers(0, cfg.n_layers))


@given(freezings())
def test_that_the_trained_parameters_are_those_that_require_a_gradient(freezing):
    cfg, freeze, blocks = freezing
    model = partly_frozen(on_meta(cfg), freeze, blocks)
    found = dict.fromkeys(sizing.PARTS, 0)
    for name, weight in model.named_parameters(remove_duplicate=False):
        if weight.requires_grad:
            found[next(PARTS[part] for part in name.split(".") if part in PARTS)] += weight.numel()
    assert sizing.trained(cfg, freeze, blocks).components() == found
    count = sum(weight.numel() for weight in model.parameters() if weight.requires_grad)
    assert sizing.trained_count(cfg, freeze, blocks) == count


@given(freezings(), st.sampled_from(["fast", "reference"]), st.integers(1, 2))
def test_that_gradients_and_moments_are_counted_only_for_trained_parameters(freezing, path, accumulation):
    cfg, freeze, blocks = freezing
    trained = sizing.FLOAT32 * sizing.trained_count(cfg, freeze, blocks)
    memory = train_memory(cfg, 1, path=path, accumulation=accumulation, freeze=freeze, freeze_blocks=blocks)
    whole = train_memory(cfg, 1, path=path, accumulation=accumulation)
    some_rows = path == "fast" and not cfg.tie_weights  # of the embedding: those that a batch touched
    gradients = trained - some_rows * sizing.FLOAT32 * sizing.trained(cfg, freeze, blocks).token_embedding
    assert (memory.gradients, memory.optimizer, memory.weights) == (gradients, 2 * trained, whole.weights)
    assert memory.total <= whole.total


def test_that_the_parts_are_the_components_of_a_model():
    assert tuple(sizing.parameters(PRESETS["book"]).components()) == sizing.PARTS


@pytest.mark.parametrize("name", ["gpt2-small", "gpt2-medium", "gpt2-large", "gpt2-xl"])
def test_that_a_preset_has_the_books_size(name, numbers):
    cfg, figures = PRESETS[name], numbers["sizes"][name]
    assert (cfg.emb_dim, cfg.n_layers, cfg.n_heads) == tuple(figures[k] for k in ("emb_dim", "n_layers", "n_heads"))
    counted = sizing.parameters(cfg)
    assert (counted.total, counted.total_tied) == (figures["parameters"], figures["without_output_layer"])
    assert round(sizing.weight_bytes(cfg) / MB, 2) == figures["megabytes"]


def test_that_a_bias_has_the_size_given_in_the_book(numbers):
    cfg, figures = PRESETS["gpt2-small"].but(qkv_bias=True), numbers["sizes"]["gpt2-small with qkv_bias"]
    assert sizing.parameter_count(cfg) == figures["parameters"]
    assert sizing.weight_bytes(cfg) / MB == figures["megabytes"]


def test_that_one_module_has_the_books_size(numbers):
    cfg = PRESETS["gpt2-small"]
    for name, module in {"feed-forward": FeedForward(cfg), "attention": MultiHeadAttention(cfg)}.items():
        assert sum(p.numel() for p in module.parameters()) == numbers["sizes"][f"one {name} module, emb_dim 768"]
    one_block = sizing.parameters(cfg.but(n_layers=1))
    assert one_block.feed_forward == numbers["sizes"]["one feed-forward module, emb_dim 768"]
    assert one_block.attention == numbers["sizes"]["one attention module, emb_dim 768"]


@given(configs())
def test_that_every_component_has_the_models_size_and_they_sum_to_the_total(cfg):
    counted = sizing.parameters(cfg)
    assert counted.components() == counted_in_the_model(cfg)
    assert sum(counted.components().values()) == counted.total
    assert sizing.parameter_count(cfg) == sum(p.numel() for p in on_meta(cfg).parameters())
    assert sizing.parameter_count(cfg) == (counted.total_tied if cfg.tie_weights else counted.total)


@pytest.mark.parametrize("tokens", [1, 7, 16])
@pytest.mark.parametrize("qkv_bias", [False, True])
def test_that_the_operations_of_a_token_are_those_that_torch_counts(tokens, qkv_bias):
    cfg = GPTConfig(vocab_size=90, context_length=tokens, emb_dim=24, n_heads=3, n_layers=2, qkv_bias=qkv_bias)
    with torch.no_grad(), FlopCounterMode(display=False) as counter:
        GPTModel(cfg).eval()(torch.zeros(1, tokens, dtype=torch.long))
    assert counter.get_total_flops() == tokens * sizing.flops_per_token(cfg)


@pytest.mark.parametrize("drop_rate", [0.0, 0.1])
@pytest.mark.parametrize("path", ["reference", "fast"])
def test_that_the_memory_of_activations_is_near_that_of_autograd(path, drop_rate):
    cfg = GPTConfig(vocab_size=50, context_length=64, emb_dim=64, n_heads=4, n_layers=3, drop_rate=drop_rate)
    model, kept = build_model(cfg, path), {}
    weights = {p.untyped_storage().data_ptr() for p in model.parameters()}

    def keep(tensor: torch.Tensor) -> torch.Tensor:
        storage = tensor.untyped_storage()
        if storage.data_ptr() not in weights:
            kept[storage.data_ptr()] = (storage.nbytes(), tensor)  # kept, so that no address is reused
        return tensor

    with torch.autograd.graph.saved_tensors_hooks(keep, lambda tensor: tensor):
        ids = torch.zeros(4, 64, dtype=torch.long)
        hidden = model.hidden_states(ids) if path == "reference" else model.hidden_states(ids, to_train=True)
        model.out_head(hidden)
    measured = sum(size for size, _ in kept.values())
    assert train_memory(cfg, 4, path=path).activations == pytest.approx(measured, rel=0.02)  # measured: 1.1 %


@given(configs(), st.integers(1, 64), st.booleans(), st.sampled_from(["cpu", "cuda"]))
def test_that_memory_is_the_sum_of_its_parts_and_grows_with_the_batch(cfg, batch, bf16, kind):
    memory = train_memory(cfg, batch, bf16=bf16, kind=kind)
    parts = vars(memory)
    assert memory.total == sum(parts.values())
    assert all(part >= 0 for name, part in parts.items() if name != "reused")
    assert memory.reused <= 0
    assert memory.weights == memory.optimizer // 2 == 4 * sizing.parameter_count(cfg)
    some_rows = kind == "cpu" and not cfg.tie_weights  # of the embedding: those that a batch touched
    assert memory.gradients == memory.weights - some_rows * 4 * cfg.vocab_size * cfg.emb_dim
    assert memory.total >= 3 * memory.weights + max(memory.gradients, memory.activations)


@given(configs(), st.integers(1, 8))
def test_that_processes_that_exchange_gradients_hold_whole_ones(cfg, batch):
    assert train_memory(cfg, batch, alone=False).gradients == 4 * sizing.parameter_count(cfg)


@given(configs(), st.integers(1, 64), st.sampled_from(["cpu", "cuda"]))
def test_that_a_larger_setting_never_needs_less(cfg, batch, kind):
    def needed(cfg=cfg, batch=batch, **more) -> int:
        return train_memory(cfg, batch, kind=kind, **more).total

    assert needed(batch=2 * batch) > needed()
    assert needed(cfg.but(context_length=cfg.context_length + 1)) > needed()
    assert needed(cfg.but(n_layers=cfg.n_layers + 1)) > needed()
    assert needed(cfg.but(emb_dim=2 * cfg.emb_dim)) > needed()
    assert needed(accumulation=2) >= needed()
    assert needed(accumulation=3) == needed(accumulation=2)


def test_that_a_gpu_needs_no_more_than_the_tensors_that_live_at_one_moment():
    """Its peak counts live tensors; fused attention stores no square matrix there, even with dropout, which stores one
    byte for each value."""
    cfg = PRESETS["gpt2-small"]
    on_cpu, on_cuda = (train_memory(cfg, 4, bf16=True, kind=kind) for kind in ("cpu", "cuda"))
    squares = cfg.n_layers * 4 * cfg.n_heads * cfg.context_length**2 * 2
    kept = cfg.n_layers * 4 * cfg.context_length * cfg.emb_dim * 2 * (2 - 1)
    copies = 2 * cfg.n_layers * 12 * cfg.emb_dim**2  # in half precision
    assert on_cpu.activations - on_cuda.activations == squares + kept - copies
    held = 3 * on_cuda.weights + on_cuda.activations + on_cuda.logits + on_cuda.runtime
    output_layer = 4 * cfg.vocab_size * cfg.emb_dim  # whose gradient is made with the loss
    assert on_cuda.total == held + output_layer  # when the loss is known: later gradients take the place of activations


HELD_ON_AN_H200 = [
    ("workshop", 2, False, 516), ("workshop", 2, True, 480), ("workshop", 32, False, 1359),
    ("workshop", 32, True, 1282),
    ("book", 2, False, 2731), ("book", 2, True, 2642), ("book", 16, False, 6163), ("book", 16, True, 5264),
    ("gpt2-small", 4, False, 6177), ("gpt2-small", 4, True, 5310), ("gpt2-medium", 4, False, 13_010),
    ("gpt2-medium", 4, True, 10_784),
]
"""Preset, batch size, bf16, and the peak memory of training in megabytes, by ``torch.cuda.max_memory_allocated`` on an
NVIDIA H200 with torch 2.11 (``tests/bench/README.md``)."""


@pytest.mark.parametrize(("preset", "batch", "bf16", "held"), HELD_ON_AN_H200)
def test_that_training_on_a_gpu_needs_the_measured_memory(preset, batch, bf16, held):
    assert train_memory(PRESETS[preset], batch, bf16=bf16, kind="cuda").total / 2**20 == pytest.approx(held, rel=0.1)


@given(configs())
def test_that_generating_needs_keys_and_values_for_the_whole_context(cfg):
    memory = generate_memory(cfg)
    assert memory.kv_cache == 2 * 4 * cfg.n_layers * cfg.context_length * cfg.emb_dim
    assert memory.total == sum(vars(memory).values())
