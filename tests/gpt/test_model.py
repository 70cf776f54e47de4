"""The model: two paths with the same function, a cache that changes no logits, and the book's names."""

import pytest
import torch
from hypothesis import given
from hypothesis import strategies as st
from llms_from_scratch.ch04 import GPTModel as BookModel
from torch.nn.functional import cross_entropy

from gptstudio.gpt.config import GPTConfig
from gptstudio.gpt.decoder import greedy
from gptstudio.gpt.fast import ModelPath, build_model
from gptstudio.gpt.fast.kv_cache import KVCache
from gptstudio.gpt.fast.modules import FastDropout
from gptstudio.gpt.model import GPTModel
from gptstudio.torch_settings import RandomStream

PATHS: tuple[ModelPath, ...] = ("reference", "fast")
TINY = GPTConfig(vocab_size=40, context_length=8, emb_dim=12, n_heads=3, n_layers=2, drop_rate=0.0)
both_paths = pytest.mark.parametrize("path", PATHS)


@st.composite
def configs(draw) -> GPTConfig:
    """Small models of every kind, without dropout."""
    heads = draw(st.integers(1, 4))
    return GPTConfig(
        vocab_size=draw(st.integers(2, 40)), context_length=draw(st.integers(1, 12)), n_heads=heads,
        emb_dim=heads * draw(st.integers(1, 6)), n_layers=draw(st.integers(1, 3)), drop_rate=0.0,
        qkv_bias=draw(st.booleans()), tie_weights=draw(st.booleans()),
    )


def make(cfg: GPTConfig, path: ModelPath = "reference", seed: int = 1) -> GPTModel:
    with RandomStream(seed).active():
        return build_model(cfg, path).eval()


def models_on_both_paths(cfg: GPTConfig) -> tuple[GPTModel, GPTModel]:
    """Return models with the same weights on both paths; in float64, where a difference is more than rounding."""
    reference, fast = make(cfg, "reference"), make(cfg, "fast", seed=2)
    fast.load_state_dict(reference.state_dict())
    return reference.double(), fast.double()


def tokens(cfg: GPTConfig, batch: int, length: int, seed: int = 0) -> torch.Tensor:
    return torch.randint(cfg.vocab_size, (batch, length), generator=torch.Generator().manual_seed(seed))


@given(configs(), st.integers(1, 3), st.data())
def test_that_both_paths_are_the_same_function(cfg, batch, data):
    reference, fast = models_on_both_paths(cfg)
    ids = tokens(cfg, batch, data.draw(st.integers(1, cfg.context_length)))
    torch.testing.assert_close(fast(ids), reference(ids), rtol=1e-5, atol=1e-6)


@given(configs())
def test_that_both_paths_have_the_same_gradients(cfg):
    gradients = []
    for model in models_on_both_paths(cfg):
        ids = tokens(cfg, 2, cfg.context_length)
        cross_entropy(model.train()(ids).flatten(0, 1), ids.flatten()).backward()
        gradients.append({name: p.grad for name, p in model.named_parameters()})
    assert all(gradient is not None for gradient in gradients[0].values())
    torch.testing.assert_close(gradients[1], gradients[0], rtol=1e-5, atol=1e-6)


@given(configs(), st.data())
def test_that_a_cache_changes_no_logits_at_any_position_for_any_split_of_the_text(cfg, data):
    model, ids = make(cfg, "fast").double(), tokens(cfg, 1, cfg.context_length)
    cuts = sorted(data.draw(st.sets(st.integers(1, cfg.context_length))) | {cfg.context_length})
    cache = KVCache(cfg, 1, "cpu", torch.float64)
    with torch.no_grad():
        pieces = [model(ids[:, start:stop], cache=cache) for start, stop in zip([0, *cuts], cuts, strict=False)]
        torch.testing.assert_close(torch.cat(pieces, dim=1), model(ids))
    assert cache.length == cfg.context_length


@both_paths
@pytest.mark.parametrize("length", [1, 5, 8, 9, 20])
def test_that_greedy_decoding_is_the_books_plain_loop(path, length):
    model, prompt = make(TINY, path), tokens(TINY, 1, length)
    idx = prompt
    for _ in range(12):
        with torch.no_grad():
            logits = model(idx[:, -TINY.context_length :])[:, -1, :]
        idx = torch.cat((idx, logits.argmax(dim=-1, keepdim=True)), dim=1)
    assert greedy(model, prompt[0].tolist(), 12) == idx[0].tolist()


@given(configs(), st.sampled_from(PATHS), st.data())
def test_that_a_later_token_never_changes_earlier_logits(cfg, path, data):
    model, ids = make(cfg, path).double(), tokens(cfg, 1, cfg.context_length)
    at = data.draw(st.integers(0, cfg.context_length - 1))
    other = ids.clone()
    other[0, at] = (ids[0, at] + 1) % cfg.vocab_size
    with torch.no_grad():
        before, after = model(ids), model(other)
    torch.testing.assert_close(after[:, :at], before[:, :at])


@both_paths
def test_that_every_earlier_token_has_an_effect(path):
    model, ids = make(TINY, path), tokens(TINY, 1, 8)
    for at in range(8):
        other = ids.clone()
        other[0, at] = (ids[0, at] + 1) % TINY.vocab_size
        with torch.no_grad():
            assert not torch.allclose(model(other)[0, -1], model(ids)[0, -1], atol=1e-4), f"token {at}"


def test_that_last_only_gives_the_last_positions_logits():
    model, ids = make(TINY, "fast"), tokens(TINY, 2, 6)
    with torch.no_grad():
        torch.testing.assert_close(model(ids, last_only=True), model(ids)[:, -1:], rtol=1e-5, atol=1e-6)


@both_paths
def test_that_more_tokens_than_the_context_are_refused_with_a_message(path):
    with pytest.raises(ValueError, match=r"9 tokens do not fit into a context of 8\."):
        make(TINY, path)(tokens(TINY, 1, 9))


def test_that_more_tokens_than_a_cache_has_room_for_are_refused_with_a_message():
    model, cache = make(TINY, "fast"), KVCache(TINY, 1, "cpu", torch.float32)
    model(tokens(TINY, 1, 6), cache=cache)
    with pytest.raises(ValueError, match="9 tokens"):
        model(tokens(TINY, 1, 3), cache=cache)


@pytest.mark.parametrize("qkv_bias", [False, True])
def test_that_a_state_dict_of_the_books_code_loads_unchanged(qkv_bias):
    cfg = TINY.but(qkv_bias=qkv_bias)
    saved = BookModel(cfg.model_dump()).state_dict()
    names, model = list(saved), GPTModel(cfg)
    assert not model.load_state_dict(saved, strict=True).missing_keys
    assert list(saved) == names, "the caller's dictionary was changed"
    held = model.state_dict()
    assert list(held) == [name for name in names if not name.endswith("mask")]
    assert all(torch.equal(held[name], saved[name]) for name in held)


def test_that_a_state_dict_with_a_missing_or_foreign_name_is_not_loaded_silently():
    saved = BookModel(TINY.model_dump()).state_dict()
    with pytest.raises(RuntimeError, match="mystery"):
        GPTModel(TINY).load_state_dict(saved | {"mystery": torch.zeros(1)})
    del saved["trf_blocks.1.ff.layers.2.bias"]
    with pytest.raises(RuntimeError, match=r"trf_blocks\.1\.ff\.layers\.2\.bias"):
        GPTModel(TINY).load_state_dict(saved)


def test_that_modules_have_the_books_names_in_the_books_order():
    def children(module):
        return [name for name, _ in module.named_children()]

    model = GPTModel(TINY)
    assert children(model) == ["tok_emb", "pos_emb", "drop_emb", "trf_blocks", "final_norm", "out_head"]
    assert children(model.trf_blocks[0]) == ["att", "ff", "norm1", "norm2", "drop_shortcut"]
    assert children(model.trf_blocks[0].att) == ["W_query", "W_key", "W_value", "out_proj", "dropout"]
    assert children(model.trf_blocks[0].ff) == ["layers"]
    assert len(model.trf_blocks) == TINY.n_layers


@both_paths
def test_that_no_mask_is_kept(path):
    model = make(TINY.but(context_length=64), path)
    with torch.no_grad():
        model(tokens(TINY, 1, 50))
    assert list(model.buffers()) == []
    kept = [value for module in model.modules() for value in vars(module).values() if isinstance(value, torch.Tensor)]
    assert kept == []


def test_that_tied_weights_are_one_tensor_and_stay_tied():
    model = build_model(TINY.but(tie_weights=True), "fast")
    assert model.out_head.weight is model.tok_emb.weight
    ids = tokens(TINY, 2, 8)
    optimizer = torch.optim.SGD(model.parameters(), lr=0.1)
    before = model.tok_emb.weight.detach().clone()
    cross_entropy(model(ids).flatten(0, 1), ids.flatten()).backward()
    optimizer.step()
    assert model.out_head.weight is model.tok_emb.weight
    assert not torch.equal(before, model.out_head.weight)


def test_that_untrained_models_give_every_token_about_the_same_probability_tied_or_not():
    """A tied embedding drawn with the book's standard deviation would start at a loss of dozens of nats."""
    for tied in (False, True):
        cfg = GPTConfig(vocab_size=1000, context_length=16, emb_dim=64, n_heads=4, n_layers=2, tie_weights=tied)
        ids = tokens(cfg, 8, 16)
        with torch.no_grad():
            loss = cross_entropy(make(cfg)(ids).flatten(0, 1), tokens(cfg, 8, 16, seed=9).flatten())
        assert loss.item() == pytest.approx(torch.tensor(1000.0).log().item(), abs=0.5)


def test_that_the_three_dropout_rates_are_used_in_their_places():
    model = GPTModel(TINY.but(drop_rate=0.4, drop_rate_emb=0.1, drop_rate_attn=0.2, drop_rate_shortcut=0.3))
    assert model.drop_emb.p == 0.1
    assert [block.att.dropout.p for block in model.trf_blocks] == [0.2, 0.2]
    assert [block.drop_shortcut.p for block in model.trf_blocks] == [0.3, 0.3]


def test_that_empty_dropout_rates_are_the_common_one_and_zero_is_not_empty():
    model = GPTModel(TINY.but(drop_rate=0.4, drop_rate_attn=0.0))
    assert (model.drop_emb.p, model.trf_blocks[0].att.dropout.p, model.trf_blocks[0].drop_shortcut.p) == (0.4, 0.0, 0.4)


@both_paths
@pytest.mark.parametrize("rate", ["drop_rate_emb", "drop_rate_attn", "drop_rate_shortcut"])
def test_that_each_dropout_works_in_train_mode_only(path, rate):
    model, ids = make(TINY.but(**{rate: 0.5}), path), tokens(TINY, 1, 8)
    with torch.no_grad(), RandomStream(4).active():
        assert torch.equal(model(ids), model(ids))
        model.train()
        assert not torch.equal(model(ids), model(ids))


@both_paths
def test_that_without_dropout_train_mode_draws_nothing(path):
    model, ids = make(TINY, path).train(), tokens(TINY, 1, 8)
    stream = RandomStream(4)
    with torch.no_grad(), stream.active():
        assert torch.equal(model(ids), model(ids))
    assert torch.equal(stream.state[0], RandomStream(4).state[0])


@both_paths
def test_that_attention_dropout_rescales_the_kept_values(path):
    """The mean over many draws is the value without dropout: nothing is lost on average."""
    model, ids = make(TINY.but(n_layers=1, drop_rate_attn=0.3), path), tokens(TINY, 1, 8)
    with torch.no_grad(), RandomStream(4).active():
        still = model(ids)
        model.train()
        mean = model(ids.expand(1000, 8)).mean(dim=0)
    assert (mean - still).abs().mean() < 0.1 * still.abs().mean()


def test_that_a_seed_gives_the_same_weights_for_any_path_and_dropout():
    one, other = make(TINY, "reference"), make(TINY.but(drop_rate=0.5), "fast")
    assert all(torch.equal(a, b) for a, b in zip(one.parameters(), other.parameters(), strict=True))
    assert not torch.equal(one.tok_emb.weight, make(TINY, seed=2).tok_emb.weight)


@pytest.mark.parametrize("rate", [0.1, 0.5, 0.99])
def test_that_fast_dropout_drops_its_share_and_keeps_the_mean(rate):
    torch.manual_seed(1)
    dropped = FastDropout(rate).train()(torch.ones(1_000_001))
    share, spread = (dropped == 0).double().mean().item(), (rate * (1 - rate) / 1e6) ** 0.5
    assert abs(share - rate) < 5 * spread + 2**-17
    assert dropped[dropped > 0].unique().numel() == 1
    assert abs(dropped.double().mean().item() - 1) < 5 * spread / (1 - rate)


def test_that_fast_dropout_drops_neighbours_independently():
    torch.manual_seed(1)
    gone = (FastDropout(0.5).train()(torch.ones(4, 250_000)) == 0).double()
    for distance in (1, 2, 3, 4):  # four values come from one draw
        together = (gone[:, distance:] * gone[:, :-distance]).mean().item()
        assert abs(together - 0.25) < 0.003
