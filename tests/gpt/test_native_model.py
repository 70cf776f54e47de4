"""Decoding in C: the same function as the model's and numpy's, for any number of threads and of texts in the batch."""

import numpy as np
import pytest
import torch
from biased_model import biased_model, cache_with_nan
from hypothesis import given, settings
from hypothesis import strategies as st

from gptstudio.gpt import native_library
from gptstudio.gpt.config import GPTConfig
from gptstudio.gpt.decoder import Decoder, pack_weights
from gptstudio.gpt.fast import native_model
from gptstudio.gpt.fast.kv_cache import KVCache
from gptstudio.gpt.fast.native_model import NativeModel
from gptstudio.gpt.fast.packed_model import PackedModel
from gptstudio.gpt.memory import copied_bytes, packed_bytes

C = 24
CONFIGS = {
    "own head": GPTConfig(vocab_size=300, context_length=C, emb_dim=32, n_heads=4, n_layers=3),
    "tied and biased": GPTConfig(
        vocab_size=97, context_length=C, emb_dim=48, n_heads=1, n_layers=2, qkv_bias=True, tie_weights=True),
    "no width of registers": GPTConfig(vocab_size=3, context_length=C, emb_dim=15, n_heads=3, n_layers=1),
    "longer than what is added up at once": GPTConfig(
        vocab_size=40, context_length=C, emb_dim=272, n_heads=16, n_layers=1),
}
KINDS = ("fp32", "bf16", "int8")
HAS_BF16 = torch.cpu._is_avx512_bf16_supported()  # noqa: SLF001 - no public name
ROUNDS = HAS_BF16 and "-v4" in str(native_library.library())
"""Whether the inputs of products with bf16 weights are rounded to bf16: in the library for AVX-512."""
pytestmark = pytest.mark.skipif(native_library.library() is None, reason="the part in C is not compiled on this system")


@pytest.fixture(params=CONFIGS.values(), ids=CONFIGS)
def model(request):
    return biased_model(request.param)


def texts(model, rows, tokens=C):
    return torch.randint(0, model.cfg.vocab_size, (rows, tokens), generator=torch.Generator().manual_seed(1))


def one_by_one(decoding, ids, prompt=0):
    """Return the logits after each token after the prompt, (B, T - prompt, V)."""
    cache, found = cache_with_nan(decoding.cfg, len(ids)), []
    if prompt:
        decoding(ids[:, :prompt], cache=cache)
    for at in range(prompt, ids.shape[1]):
        found.append(decoding(ids[:, at : at + 1], cache=cache, last_only=True))
    assert cache.length == ids.shape[1]
    return torch.cat(found, dim=1)


@pytest.fixture
def in_float32(model):
    return NativeModel(model, "fp32")


@settings(max_examples=15)
@given(st.integers(1, 5), st.integers(0, C - 1))
def test_that_in_float32_it_is_the_function_of_the_model_after_any_prompt(model, in_float32, rows, prompt):
    ids = texts(model, rows)
    with torch.no_grad():
        expected = model(ids)[:, prompt:]
    torch.testing.assert_close(one_by_one(in_float32, ids, prompt), expected, rtol=1e-5, atol=1e-5)


@pytest.mark.parametrize(("weights", "within"), [("fp32", 1e-6), ("bf16", 5e-3 if ROUNDS else 1e-6), ("int8", 2e-4)])
def test_that_it_equals_what_numpy_computes_from_the_same_matrices(model, weights, within):
    """With integers, inputs are rounded to 15 bits. Where they are rounded to bf16, a difference in the last bit can
    become one of bf16."""
    decoding, ids = NativeModel(model, weights), texts(model, 1)
    found = one_by_one(decoding, ids)[0].numpy()
    expected = by_numpy(model, ids[0].numpy(), weights)
    assert np.abs(found - expected).max() <= within * max(1, np.abs(expected).max())
    assert np.median(np.abs(found - expected)) <= (1e-6 if weights != "int8" else within)


def by_numpy(model, ids, weights):
    """Compute GPT-2 in float64 from rounded matrices, (T) -> (T, V)."""
    value = {name: each.detach().numpy().astype(np.float64) for name, each in model.state_dict().items()}
    width, heads, tokens = model.cfg.emb_dim, model.cfg.n_heads, len(ids)

    def norm(x, name):
        centred = x - x.mean(-1, keepdims=True)
        return centred / np.sqrt(x.var(-1, keepdims=True) + 1e-5) * value[f"{name}.scale"] + value[f"{name}.shift"]

    def read_by_products(x):
        return rounded(x, weights) if weights == "bf16" and ROUNDS else x

    def product(x, name):
        return read_by_products(x) @ rounded(value[f"{name}.weight"], weights).T + value.get(f"{name}.bias", 0)

    x = value["tok_emb.weight"][ids] + value["pos_emb.weight"][:tokens]
    for layer in range(model.cfg.n_layers):
        at = f"trf_blocks.{layer}"
        read = norm(x, f"{at}.norm1")
        q, k, v = (product(read, f"{at}.att.W_{part}").reshape(tokens, heads, -1).transpose(1, 0, 2)
                   for part in ("query", "key", "value"))
        scores = q @ k.transpose(0, 2, 1) / np.sqrt(width // heads)
        scores[:, np.triu_indices(tokens, 1)[0], np.triu_indices(tokens, 1)[1]] = -np.inf
        shares = np.exp(scores - scores.max(-1, keepdims=True))
        context = shares / shares.sum(-1, keepdims=True) @ v
        x = x + product(context.transpose(1, 0, 2).reshape(tokens, -1), f"{at}.att.out_proj")
        wide = product(norm(x, f"{at}.norm2"), f"{at}.ff.layers.0")
        wide = 0.5 * wide * (1 + np.tanh(np.sqrt(2 / np.pi) * (wide + 0.044715 * wide**3)))
        x = x + product(wide, f"{at}.ff.layers.2")
    x, head = norm(x, "final_norm"), value["out_head.weight"]
    if weights == "fp32":
        return x @ head.T
    mean = model.out_head.weight.detach().mean(0).numpy()
    return read_by_products(x) @ rounded(head - mean, weights).T + (x @ mean)[:, None]


def rounded(matrix, weights):
    if weights == "bf16":
        return torch.tensor(matrix).float().bfloat16().double().numpy()
    if weights == "int8":  # in float32, as the program rounds: in float64 a half can fall to the other side
        single = torch.tensor(matrix).float()
        scale = single.abs().amax(1, keepdim=True) / 127
        return ((single / scale).round().double() * scale.double()).numpy()
    return matrix


@pytest.mark.slow
@pytest.mark.parametrize("weights", KINDS)
def test_that_threads_and_the_other_texts_of_the_batch_change_no_bit(model, weights, threads):
    decoding, ids = NativeModel(model, weights), texts(model, 3)
    together = one_by_one(decoding, ids)
    for count in (5, 9):  # of which four, or eight, are multiplied together
        assert torch.equal(one_by_one(decoding, ids[torch.arange(count) % 3])[:3], together)
    assert torch.equal(torch.cat([one_by_one(decoding, ids[row : row + 1]) for row in range(3)]), together)
    for count in (1, 2, 5):
        threads(count)
        assert torch.equal(one_by_one(decoding, ids), together)


@pytest.mark.parametrize("weights", KINDS)
def test_that_prompts_and_beams_give_the_same_logits_as_single_tokens(model, weights):
    """Up to 16 new tokens, in all texts, are computed in C; more by torch, where it is fast with such weights."""
    decoding, ids = NativeModel(model, weights), texts(model, 2)
    single = one_by_one(decoding, ids)
    within = 1e-5 if weights == "fp32" else 0.02
    for prompt in (1, 2, 5, C):
        cache = cache_with_nan(model.cfg, 2)
        logits = decoding(ids[:, :prompt], cache=cache)
        assert (logits - single[:, :prompt]).norm() <= within * single[:, :prompt].norm()
        torch.testing.assert_close(decoding(ids[:, :prompt]).shape, logits.shape)
    turned = cache.select([1, 0])
    turned.truncate(7)
    after = decoding(ids[[1, 0], 7:8], cache=turned)
    assert (after[[1, 0], 0] - single[:, 7]).norm() <= within * single[:, 7].norm()


@pytest.mark.parametrize("last_only", [False, True])
def test_that_a_long_prompt_with_integer_weights_gives_the_same_bits_as_single_tokens(model, last_only, monkeypatch):
    """Applies where the processor has no bf16, in which torch would multiply them faster."""
    monkeypatch.setattr(native_model, "can_multiply_bf16", lambda: False)
    monkeypatch.setattr(native_model, "ROWS_AT_ONCE", 10)  # so that a prompt of 24 tokens is read in several parts
    decoding, ids = NativeModel(model, "int8"), texts(model, 2)
    cache = cache_with_nan(model.cfg, 2)
    logits = decoding(ids[:, :-1], cache=cache, last_only=last_only)
    single = one_by_one(decoding, ids)
    assert torch.equal(logits, single[:, -2:-1] if last_only else single[:, :-1])
    assert torch.equal(decoding(ids[:, -1:], cache=cache), single[:, -1:])


@pytest.mark.parametrize("weights", KINDS)
@pytest.mark.parametrize("broken", [float("nan"), float("inf")])
def test_that_a_broken_weight_affects_the_logits_in_c(model, weights, broken):
    with torch.no_grad():
        model.trf_blocks[0].ff.layers[2].weight[0, 0] = broken
    assert not one_by_one(NativeModel(model, weights), texts(model, 1, 3)).isfinite().all()


def test_that_no_token_and_no_position_beyond_the_model_is_read():
    model = biased_model(CONFIGS["own head"])
    decoding, cache = NativeModel(model, "fp32"), KVCache(model.cfg, 1, "cpu", torch.float32)
    for wrong in (-1, 300):
        with pytest.raises(IndexError):
            decoding(torch.tensor([[wrong]]), cache=cache)
    cache.length = C
    with pytest.raises(IndexError):
        decoding(torch.tensor([[0]]), cache=cache)


def test_that_float32_copies_nothing_and_torch_decodes_where_nothing_is_compiled(monkeypatch):
    model = biased_model(CONFIGS["own head"])
    assert isinstance(pack_weights(model, "fp32"), NativeModel)
    assert copied_bytes(model.cfg) == 0
    ids = [1, 2, 3]
    expected = Decoder(model, weights="fp32").next_logits([ids])
    monkeypatch.setattr(native_library, "library", lambda: None)
    assert copied_bytes(model.cfg) == packed_bytes(model.cfg)
    plain = pack_weights(model, "fp32")
    assert isinstance(plain, PackedModel)
    assert not isinstance(plain, NativeModel)
    torch.testing.assert_close(Decoder(model, weights="fp32").next_logits([ids]), expected, rtol=1e-5, atol=1e-5)
