"""A pass with named activations computes the model's logits, and a replaced activation changes what follows from it."""

import pytest
import torch
from hypothesis import given
from hypothesis import strategies as st

from gptstudio.gpt import activations
from gptstudio.gpt.config import GPTConfig
from gptstudio.gpt.fast import build_model
from gptstudio.gpt.model import GPTModel
from gptstudio.torch_settings import RandomStream
from gptstudio.training.control import Stopped

CFG = GPTConfig(vocab_size=31, context_length=12, emb_dim=24, n_heads=4, n_layers=3, drop_rate=0.4)
IDS = torch.tensor([[3, 1, 4, 1, 5, 9], [2, 6, 5, 3, 5, 8]])
configs = st.builds(
    lambda heads, width, layers, context, bias, tied: GPTConfig(
        vocab_size=23, context_length=context, emb_dim=heads * width, n_heads=heads, n_layers=layers, qkv_bias=bias,
        tie_weights=tied, drop_rate=0.5),
    st.integers(1, 4), st.integers(1, 9), st.integers(1, 3), st.integers(1, 9), st.booleans(), st.booleans(),
)


def model_of(cfg: GPTConfig = CFG, path: str = "fast") -> GPTModel:
    with RandomStream(2).active():
        return build_model(cfg, path).eval()


@given(configs, st.sampled_from(["fast", "reference"]), st.data())
@torch.no_grad()
def test_that_the_logits_are_those_of_the_model(cfg, path, data):
    model = model_of(cfg, path)
    tokens = st.lists(st.integers(0, 22), min_size=1, max_size=cfg.context_length)
    ids = torch.tensor([data.draw(tokens)])
    torch.testing.assert_close(activations.run(model, ids), model(ids), rtol=1e-5, atol=1e-6)


@torch.no_grad()
def test_that_dropout_is_off_also_in_a_model_in_training_mode():
    model = model_of()
    expected = activations.run(model, IDS)
    assert torch.equal(activations.run(model.train(), IDS), expected)
    assert model.training


@torch.no_grad()
def test_that_every_activation_is_reported_once_in_its_shape():
    shapes = {}
    activations.run(model_of(), IDS, lambda name, out: (shapes.setdefault(name, []).append(tuple(out.shape)), out)[1])
    (rows, tokens), width, heads = IDS.shape, CFG.emb_dim, CFG.n_heads
    stream, parted = (rows, tokens, width), (rows, heads, tokens, width // heads)
    block = {
        "resid_pre": stream, "attn.q": parted, "attn.k": parted, "attn.v": parted,
        "attn.pattern": (rows, heads, tokens, tokens), "attn.head_out": stream, "attn_out": stream,
        "mlp.pre": (rows, tokens, 4 * width), "mlp.post": (rows, tokens, 4 * width), "mlp_out": stream,
        "resid_post": stream,
    }
    expected = {"embed": stream, "pos_embed": (tokens, width)}
    expected |= {f"{layer}.{name}": shape for layer in range(CFG.n_layers) for name, shape in block.items()}
    assert shapes == {name: [shape] for name, shape in expected.items()}
    assert list(shapes) == list(expected)


@torch.no_grad()
def test_that_a_replaced_activation_is_used_by_the_rest_of_the_model():
    model, found = model_of(), {}
    names = [f"{layer}.{name}" for layer in range(CFG.n_layers) for name in ("resid_pre", "attn_out", "mlp_out")]
    activations.run(model, IDS[:1], activations.kept(found, names))
    for name in names:
        expected = activations.run(model, IDS[:1])
        other = activations.run(model, IDS[1:], lambda each, out, name=name: found[name] if each == name else out)
        assert torch.equal(other, expected) == name.endswith("resid_pre"), name


@torch.no_grad()
def test_that_a_pass_continued_from_a_layer_equals_the_rest_of_a_whole_one():
    model, found = model_of(), {}
    activations.run(model, IDS, activations.kept(found, ("1.resid_pre", "2.resid_post")))
    assert torch.equal(activations.continued(model, 1, found["1.resid_pre"]), found["2.resid_post"])


@torch.no_grad()
def test_that_a_pass_can_end_between_the_parts_of_a_block():
    reached = []

    def check() -> None:
        reached.append(len(seen))
        if len(reached) == 3:
            raise Stopped

    seen: dict[str, torch.Tensor] = {}
    with pytest.raises(Stopped):
        activations.run(model_of(), IDS, lambda name, out: seen.setdefault(name, out), check)
    assert "0.attn_out" in seen
    assert "0.mlp_out" not in seen


def test_that_more_tokens_than_positions_are_refused():
    with pytest.raises(ValueError, match="do not fit"):
        activations.run(model_of(), torch.zeros(1, CFG.context_length + 1, dtype=torch.long))
