"""Residual stream and attention over a text, compared with Hugging Face's GPT-2 with the same weights and eager
attention."""

import numpy as np
import pytest
import torch
from inference.test_effects import CONFIGS, IDS, WITHIN, every_config, make, stop, theirs_of

from gptstudio.gpt import activations
from gptstudio.gpt.config import GPTConfig
from gptstudio.gpt.sampling.sampler import BrokenLogits
from gptstudio.inference import interpret
from gptstudio.inference.flow import AttentionSource
from gptstudio.inference.interpret import ResidualStream, attention_rollout, text_attention
from gptstudio.training.control import Stopped


def their_attentions(config: GPTConfig, ids: list[int]) -> list[np.ndarray]:
    """Return (H, T, T) for each layer."""
    theirs = theirs_of(make(config))
    theirs.set_attn_implementation("eager")
    with torch.no_grad():
        found = theirs(torch.tensor([ids]), output_attentions=True).attentions
    return [each[0].double().numpy() for each in found]


@every_config
def test_that_head_mean_and_rollout_are_those_of_plain_attentions(config):
    ids = IDS[: config.context_length]
    model, layers = make(config), their_attentions(config, ids)
    before = {name: tensor.clone() for name, tensor in model.state_dict().items()}
    rolled = np.eye(len(ids))
    for layer, weights in enumerate(layers):
        mean = text_attention(model, ids, AttentionSource("mean", layer))
        np.testing.assert_allclose(mean.weights, weights.mean(axis=0), atol=WITHIN)
        for head in range(config.n_heads):
            found = text_attention(model, ids, AttentionSource("head", layer, head))
            np.testing.assert_allclose(found.weights, weights[head], atol=WITHIN)
        rolled = (0.5 * weights.mean(axis=0) + 0.5 * np.eye(len(ids))) @ rolled
    found = text_attention(model, ids, AttentionSource("rollout"))
    np.testing.assert_allclose(found.weights, rolled, atol=WITHIN)
    np.testing.assert_allclose(found.weights.sum(axis=1), 1, atol=WITHIN)
    last = len(ids) - 1
    assert [at for at, _ in found.most(last, 3)] == np.argsort(-rolled[last], kind="stable")[:3].tolist()
    assert found.most(0, 3) == [(0, pytest.approx(1, abs=WITHIN))], "the first token sees itself alone"
    assert all(torch.equal(tensor, before[name]) for name, tensor in model.state_dict().items())


@every_config
def test_that_the_updates_add_up_to_the_residual_stream_before_the_final_norm(config):
    ids = IDS[: config.context_length]
    model, theirs = make(config), theirs_of(make(config))
    stream = ResidualStream()
    activations.run(model, torch.tensor([ids]), stream)
    kept, written = {}, []
    theirs.transformer.ln_f.register_forward_pre_hook(lambda _m, args: kept.update(last=args[0][0]))
    for block in theirs.transformer.h:
        for part in (block.attn.c_proj, block.mlp):
            part.register_forward_hook(lambda _m, _a, output: written.append(output[0]))
    with torch.no_grad():
        hidden = theirs(torch.tensor([ids]), output_hidden_states=True).hidden_states
    assert len(stream.states) == config.n_layers + 1
    np.testing.assert_allclose(stream.states[-1].detach(), kept["last"], atol=WITHIN)
    for ours, plain in zip(stream.states[:-1], hidden, strict=False):
        np.testing.assert_allclose(ours.detach(), plain[0], atol=WITHIN)

    lens, norms = interpret.logit_lens(model, ids), torch.stack(written).norm(dim=-1).view(-1, 2, len(ids)).numpy()
    np.testing.assert_allclose(lens.updates, norms, atol=WITHIN, rtol=WITHIN)
    middle = (hidden[0][0] + written[0]).norm(dim=-1).numpy()
    np.testing.assert_allclose(lens.shares[0, 0], norms[0, 0] / hidden[0][0].norm(dim=-1).numpy(), rtol=WITHIN)
    np.testing.assert_allclose(lens.shares[0, 1], norms[0, 1] / middle, rtol=WITHIN)

    first, *blocks, last = lens.flow(len(ids) - 1)
    assert [each.layer for each in (first, *blocks, last)] == [None, *range(config.n_layers), None]
    assert first.norm == pytest.approx(hidden[0][0, -1].norm().item(), abs=WITHIN)
    assert last.norm == blocks[-1].norm == pytest.approx(kept["last"][-1].norm().item(), abs=WITHIN)
    assert (blocks[0].updates, first.updates) == (tuple(lens.updates[0, :, -1]), ())
    with torch.no_grad():
        own = torch.softmax(model(torch.tensor([ids]))[0, -1], dim=-1)
    assert (last.token, last.probability) == (int(own.argmax()), pytest.approx(own.max().item(), abs=WITHIN))


def test_that_rollout_reads_the_end_of_a_long_text_can_be_cancelled_and_refuses_nan():
    model = make(CONFIGS["untied"])
    long = [1, 2, *IDS, 8]
    assert torch.equal(attention_rollout(model, long), attention_rollout(model, long[-8:]))
    assert text_attention(model, [3], AttentionSource("rollout")).weights.tolist() == [[1.0]]
    for kind in ("head", "mean", "rollout"):
        with pytest.raises(Stopped):
            text_attention(model, IDS, AttentionSource(kind), stop)
    model.trf_blocks[0].att.W_query.weight.data[0] = float("nan")
    with pytest.raises(BrokenLogits):
        text_attention(model, IDS, AttentionSource("rollout"))
