"""Attention, logit lens and neighbours, each compared with the model's own figures or the book's."""

import numpy as np
import pytest
import torch
from hypothesis import given
from hypothesis import strategies as st
from torch import nn

from gptstudio.errors import UserError
from gptstudio.gpt.config import GPTConfig
from gptstudio.gpt.fast import FastGPTModel, build_model
from gptstudio.gpt.model import GPTModel
from gptstudio.inference import interpret, intervening
from gptstudio.torch_settings import RandomStream
from gptstudio.training.control import Stopped

TINY = GPTConfig(vocab_size=40, context_length=8, emb_dim=12, n_heads=3, n_layers=2, drop_rate=0.5, qkv_bias=True)
IDS = [3, 1, 4, 1, 5, 9, 2]

# Book, chapter 3: "Your journey starts with one step" in three numbers a word, and its printed figures.
WORDS = np.array([
    [0.43, 0.15, 0.89], [0.55, 0.87, 0.66], [0.57, 0.85, 0.64], [0.22, 0.58, 0.33], [0.77, 0.25, 0.10],
    [0.05, 0.80, 0.55],
])
LAST_WEIGHTS = [0.1385, 0.2184, 0.2128, 0.1420, 0.0988, 0.1896]  # of "step", which may attend to everything
CAUSAL_CONTEXT = [  # CausalAttention, seed 123, two numbers a head, no dropout
    [-0.4519, 0.2216], [-0.5874, 0.0058], [-0.6300, -0.0632], [-0.5675, -0.0843], [-0.5526, -0.0981],
    [-0.5299, -0.1081],
]
TWO_HEADS = [  # MultiHeadAttentionWrapper, seed 123
    [-0.4519, 0.2216, 0.4772, 0.1063], [-0.5874, 0.0058, 0.5891, 0.3257], [-0.6300, -0.0632, 0.6202, 0.3860],
    [-0.5675, -0.0843, 0.5478, 0.3589], [-0.5526, -0.0981, 0.5321, 0.3428], [-0.5299, -0.1081, 0.5077, 0.3493],
]
PRINTED = 0.5e-4 + 1e-6


def make(seed: int = 1, path="fast", **changes) -> GPTModel:
    with RandomStream(seed).active():
        return build_model(TINY.but(**changes), path).eval()


def plain_softmax(logits: torch.Tensor) -> np.ndarray:
    powers = np.exp(logits.double().numpy() - logits.double().numpy().max(axis=-1, keepdims=True))
    return powers / powers.sum(axis=-1, keepdims=True)


@torch.no_grad()
def layer_in_and_out(model: GPTModel, ids: list[int], layer: int) -> tuple[torch.Tensor, torch.Tensor]:
    """Return the input and the output of a layer's attention, recorded by a separate hook."""
    outputs = []
    module = model.trf_blocks[layer].att
    hook = module.register_forward_hook(lambda _, args, output: outputs.append((args[0][0], output[0])))
    model(torch.tensor([ids]))
    hook.remove()
    return outputs[0]


@given(st.lists(st.integers(0, 39), min_size=1, max_size=8), st.integers(0, 1), st.integers(0, 3))
def test_that_the_weights_applied_to_the_values_give_the_layers_output(ids, layer, seed):
    model = make(seed, "reference")
    att, (x, output) = model.trf_blocks[layer].att, layer_in_and_out(model, ids, layer)
    weights = torch.from_numpy(interpret.attention(model, ids, layer).weights)
    with torch.no_grad():
        values = att.W_value(x).view(len(ids), 3, 4).transpose(0, 1)  # (H, T, D/H)
        context = (weights @ values).transpose(0, 1).reshape(len(ids), 12)
        torch.testing.assert_close(att.out_proj(context), output, rtol=0, atol=1e-6)


@given(st.lists(st.integers(0, 39), min_size=1, max_size=20), st.integers(0, 1))
def test_that_rows_sum_to_one_and_no_token_attends_ahead(ids, layer):
    attention = interpret.attention(make(), ids, layer)
    tokens = min(len(ids), 8)
    assert attention.scores.shape == (3, tokens, tokens)
    assert (attention.read, attention.layer, attention.layers) == (tokens, layer, 2)
    np.testing.assert_allclose(attention.weights.sum(axis=-1), 1, atol=1e-6)
    later = np.triu(np.ones((tokens, tokens), dtype=bool), k=1)
    assert (attention.weights[:, later] == 0).all()
    assert (attention.masked[:, later] == -np.inf).all()
    assert np.isfinite(attention.masked[:, ~later]).all()
    assert np.isfinite(attention.scaled).all()
    np.testing.assert_allclose(attention.scaled * 2, attention.scores, rtol=1e-6)  # the root of 12 / 3


def test_that_the_books_words_have_the_printed_attention():
    """Without weights to train there is nothing to scale; the last word attends to all, as in the book's unmasked
    table."""
    plain = interpret.Attention((WORDS @ WORDS.T)[None], head_dim=1)
    np.testing.assert_allclose(plain.scores[0, 1], [0.9544, 1.4950, 1.4754, 0.8434, 0.7070, 1.0865], atol=PRINTED)
    np.testing.assert_allclose(plain.weights[0, -1], LAST_WEIGHTS, atol=PRINTED)


def test_that_the_books_causal_attention_has_the_printed_figures():
    torch.manual_seed(123)
    words, contexts = torch.tensor(WORDS, dtype=torch.float32), []
    for _ in range(2):
        query, key, value = (nn.Linear(3, 2, bias=False) for _ in range(3))
        with torch.no_grad():
            scores = query(words) @ key(words).T
            contexts.append(interpret.Attention(scores.numpy()[None], head_dim=2).weights[0] @ value(words).numpy())
    np.testing.assert_allclose(contexts[0], CAUSAL_CONTEXT, atol=PRINTED)
    np.testing.assert_allclose(np.concatenate(contexts, axis=1), TWO_HEADS, atol=PRINTED)


def test_that_one_head_is_a_slice_of_the_whole_and_a_small_map_has_the_largest_weight_of_each_block(monkeypatch):
    whole = interpret.attention(make(), IDS, 1)
    np.testing.assert_array_equal(whole.head(2).weights, whole.weights[2:])
    np.testing.assert_array_equal(whole.overview, whole.visible_weights)
    assert np.isinf(whole.overview[:, 0, 1:]).all()
    monkeypatch.setattr(interpret, "OVERVIEW", 3)
    small = interpret.attention(make(), IDS, 1)
    assert (small.overview_block, small.overview.shape) == (3, (len(whole.scores), 3, 3))
    np.testing.assert_array_equal(small.overview[:, 1, 0], whole.weights[:, 3:6, :3].max(axis=(1, 2)))
    np.testing.assert_array_equal(small.overview[:, 2, 2], whole.weights[:, 6, 6])


@given(st.lists(st.integers(0, 39), min_size=2, max_size=8), st.data())
def test_that_the_figures_of_a_longer_text_include_those_of_its_beginnings(ids, data):
    """The window relies on this when only the chosen token changes."""
    end, model = data.draw(st.integers(1, len(ids))), make()
    whole, begun = (interpret.attention(model, some, 1) for some in (ids, ids[:end]))
    np.testing.assert_allclose(begun.weights, whole.weights[:, :end, :end], atol=1e-6)
    lens, begun_lens = (interpret.logit_lens(model, some) for some in (ids, ids[:end]))
    np.testing.assert_allclose(begun_lens.probabilities, lens.probabilities[:, :end], atol=1e-6)


# The logit lens.


@pytest.mark.parametrize("changes", [{}, {"tie_weights": True}, {"n_layers": 1}])
@pytest.mark.parametrize("length", [1, 7, 8, 20])
def test_that_the_last_layer_gives_the_models_prediction(changes, length):
    model, ids = make(**changes), [(7 * i) % 40 for i in range(length)]
    lens, read = interpret.logit_lens(model, ids, best=5), ids[-8:]
    with torch.no_grad():
        expected = plain_softmax(model(torch.tensor([read]))[0])
    assert lens.ids.shape == lens.probabilities.shape == (model.cfg.n_layers + 1, len(read), 5)
    assert lens.read == len(read)
    np.testing.assert_array_equal(lens.ids[-1, :, 0], expected.argmax(axis=-1))
    np.testing.assert_allclose(lens.probabilities[-1], np.sort(expected)[:, ::-1][:, :5], atol=1e-6)


def test_that_each_layer_is_read_through_the_last_norm_and_the_output_layer():
    model = make(path="reference")
    lens = interpret.logit_lens(model, IDS)
    with torch.no_grad():
        x = model.tok_emb(torch.tensor([IDS])) + model.pos_emb(torch.arange(len(IDS)))
        for layer in range(3):
            expected = plain_softmax(model.out_head(model.final_norm(x))[0])
            np.testing.assert_allclose(lens.probabilities[layer], np.sort(expected)[:, :-4:-1], atol=1e-6)
            np.testing.assert_array_equal(lens.ids[layer, :, 0], expected.argmax(axis=-1))
            x = model.trf_blocks[layer](x) if layer < 2 else x


@pytest.mark.parametrize("look", [lambda *args, **more: interpret.attention(*args, 0, **more), interpret.logit_lens])
def test_that_an_analysis_ends_when_its_check_raises(look):
    model, checks = make(), []

    def check() -> None:
        checks.append(len(checks))
        if len(checks) == 2:
            raise Stopped

    with pytest.raises(Stopped):
        look(model, IDS, check=check)
    assert checks == [0, 1], "after the second block nothing more is computed"


def test_that_many_tokens_are_processed_in_parts_and_few_possible_ones_returned_whole(monkeypatch):
    lens = interpret.logit_lens(make(vocab_size=2), [0, 1, 1], best=3)
    assert lens.ids.shape == (3, 3, 2)
    np.testing.assert_allclose(lens.probabilities.sum(axis=-1), 1, atol=1e-6)
    model = make()
    at_once = interpret.logit_lens(model, IDS)
    monkeypatch.setattr(interpret, "READ_AT_ONCE", 2)
    np.testing.assert_allclose(interpret.logit_lens(model, IDS).probabilities, at_once.probabilities, atol=1e-6)


# Neighbours.


@given(st.integers(0, 39), st.integers(0, 3), st.sampled_from([1, 5, 100]))
def test_that_neighbours_are_those_of_plain_cosines(token, seed, count):
    model = make(seed)
    rows = model.tok_emb.weight.detach().double().numpy()
    cosines = rows @ rows[token] / np.linalg.norm(rows, axis=1) / np.linalg.norm(rows[token])
    expected = [i for i in np.argsort(-cosines) if i != token][:count]
    found = interpret.neighbours(model, token, count)
    assert (found.token, found.ids.tolist()) == (token, expected)
    np.testing.assert_allclose(found.cosines, cosines[expected], atol=1e-6)


def test_that_the_only_token_has_no_neighbours_and_one_beyond_the_vocabulary_is_refused():
    assert interpret.neighbours(make(vocab_size=1), 0).ids.size == 0
    with pytest.raises(UserError, match="has no token 40; its token IDs are below 40"):
        interpret.neighbours(make(), 40)


# Changed and unchanged state.


@pytest.mark.parametrize("tied", [False, True])
def test_that_a_model_with_changes_shares_every_weight_and_draws_nothing(tied):
    model = make(tie_weights=tied)
    before = torch.get_rng_state()
    changed = intervening.changed_copy(model)
    assert torch.equal(torch.get_rng_state(), before)
    assert isinstance(model, FastGPTModel)
    assert not isinstance(changed, FastGPTModel)
    assert not changed.training
    theirs = model.state_dict()
    assert {name: tensor.data_ptr() for name, tensor in changed.state_dict().items()} == {
        name: tensor.data_ptr() for name, tensor in theirs.items()
    }
    assert (changed.out_head.weight.data_ptr() == changed.tok_emb.weight.data_ptr()) == tied


def test_that_an_analysis_leaves_the_model_as_it_was():
    """This includes a model in training mode, which stays in that mode and uses no dropout for the analysis."""
    model = make().train()
    weights = {name: tensor.clone() for name, tensor in model.state_dict().items()}
    with RandomStream(4).active():
        drawn = torch.get_rng_state()
        interpret.attention(model, IDS, 0)
        interpret.logit_lens(model, IDS)
        interpret.neighbours(model, 3)
        assert torch.equal(torch.get_rng_state(), drawn)
    assert model.training
    assert all(torch.equal(tensor, weights[name]) for name, tensor in model.state_dict().items())
    assert all(parameter.grad is None and parameter.requires_grad for parameter in model.parameters())
    for module in model.modules():
        assert not any(vars(module)[f"_{when}_hooks"] for when in ("forward", "forward_pre", "backward"))


def test_that_the_last_tokens_of_a_long_text_and_the_last_layer_stand_for_those_beyond():
    model, ids = make(), [(11 * i) % 40 for i in range(30)]
    np.testing.assert_array_equal(
        interpret.attention(model, ids, 1).scores, interpret.attention(model, ids[-8:], 1).scores
    )
    np.testing.assert_array_equal(
        interpret.logit_lens(model, ids).probabilities, interpret.logit_lens(model, ids[-8:]).probabilities
    )
    asked, last = interpret.attention(model, IDS, 11), interpret.attention(model, IDS, 1)
    assert asked.layer == 1
    np.testing.assert_array_equal(asked.scores, last.scores)


def test_that_models_in_bf16_are_read_in_bf16():
    """The figures are those of the rounded weights: eight bits of precision, so within a hundredth of float32's."""
    model, rounded = make(), make().to(torch.bfloat16)
    for one, other in zip(model.parameters(), rounded.parameters(), strict=True):
        one.data.copy_(other.data)
    expected, found = (interpret.attention(each, IDS, 0).weights for each in (model, rounded))
    assert found.dtype == np.float32
    np.testing.assert_allclose(found.sum(axis=-1), 1, atol=1e-6)
    np.testing.assert_allclose(found, expected, atol=0.01)
    expected, found = (interpret.logit_lens(each, IDS).probabilities for each in (model, rounded))
    assert found.dtype == np.float32
    np.testing.assert_allclose(found, expected, atol=0.01)
    found = interpret.neighbours(rounded, 3)
    np.testing.assert_allclose(found.cosines, interpret.neighbours(model, 3).cosines, atol=1e-6)
