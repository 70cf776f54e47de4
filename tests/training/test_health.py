"""The health of its layers that a run reports."""

import math

import pytest
import torch
from lessons import FEW
from whole_runs import equal, journal_lines, of, state_of, train, weights

from gptstudio.gpt.config import GPTConfig
from gptstudio.training import health, trainer
from gptstudio.training.control import Control
from gptstudio.training.events import StepDone, UpdatesRead

pytestmark = pytest.mark.usefixtures("few_tokens")

TWO = GPTConfig(vocab_size=FEW, context_length=16, emb_dim=16, n_heads=2, n_layers=2)
OURS = ("updates_read", "activations_read")


@pytest.mark.parametrize("changes", [
    {"config": TWO.but(drop_rate=0.2)},
    {"reference": True, "config": TWO.but(drop_rate=0.2)},
    {"precision": "bf16", "accumulation": 2, "gradient_clip": 0.1, "config": TWO.but(drop_rate=0.2)},
    {"config": TWO.but(context_length=8, emb_dim=8, n_heads=1, n_layers=1, tie_weights=True, qkv_bias=True)},
    {"config": TWO, "freeze": ["token_embedding", "feed_forward"], "freeze_blocks": 1, "eval_freq": 1},
], ids=["fast", "reference", "bf16, accumulated, clipped", "tied, one layer, one head", "partly frozen"])
def test_that_measuring_changes_nothing_of_a_run(tiny_spec, tmp_path, changes):
    measured, plain = (
        train(tiny_spec(steps=6, **changes, health=on), tmp_path / name)
        for on, name in ((True, "measured"), (False, "plain")))
    there = [line for line in journal_lines(measured) if any(kind in line for kind in OURS)]
    assert len(there) == 2 * len(range(0, 6, measured.record().spec.eval_freq))
    assert not [line for line in journal_lines(plain) if any(kind in line for kind in OURS)]
    assert [line for line in journal_lines(measured) if line not in there] == journal_lines(plain)
    assert equal(weights(measured), weights(plain))


@pytest.mark.parametrize("optimizer", ["adamw", "sgd", "muon"])
def test_that_gradients_are_those_before_clipping_and_make_up_that_of_the_step(tiny_spec, tmp_path, optimizer):
    spec = tiny_spec(
        config=TWO, steps=4, gradient_clip=0.01, accumulation=2, eval_freq=1, eval_iter=1, optimizer=optimizer)
    run = train(spec, tmp_path / "run")
    norms = [step.gradient_norm for step in of(run, StepDone)]
    assert min(norms) > 0.01
    for read, norm in zip(of(run, UpdatesRead), norms, strict=True):
        assert math.hypot(*(part.gradient_norm for part in read.parts)) == pytest.approx(norm, rel=1e-3)
    assert [(part.part, part.block) for part in of(run, UpdatesRead)[0].parts] == [
        ("token_embedding", None), ("position_embedding", None), ("attention", 0), ("feed_forward", 0),
        ("attention", 1), ("feed_forward", 1), ("final_norm", None), ("output_layer", None)]


def test_that_the_norm_of_an_output_layer_is_exact():
    gradient = torch.randn(50_257, 256, generator=torch.Generator().manual_seed(0)) / 1_000
    assert health._norms({"out_head": gradient})["out_head"] == pytest.approx(  # noqa: SLF001
        gradient.double().norm().item(), rel=1e-6)


def test_that_the_figures_are_those_of_all_weights_and_of_their_change(tiny_spec):
    spec = tiny_spec(config=TWO)
    state, measured = state_of(spec), health.Health(spec)
    before = {name: weight.detach().clone() for name, weight in state.model.named_parameters()}
    _, batches = next(state.steps(1, Control()))
    measured.before_step(state, 0)
    trainer.training_step(state, batches)
    [read] = measured.after_step(state, 0)
    after = dict(state.model.named_parameters())
    for part in read.parts:
        names = [name for name in after if health.part_of(name) == (part.part, part.block)]
        whole = torch.cat([after[name].detach().flatten() for name in names])
        old = torch.cat([before[name].flatten() for name in names])
        assert part.weight_norm == pytest.approx(whole.norm().item(), rel=1e-4)
        exact = all(after[name].numel() <= health.SAMPLED for name in names)
        assert part.update_ratio == pytest.approx(
            ((whole - old).norm() / old.norm()).item(), rel=1e-3 if exact else 0.05)
    assert any(weight.numel() > health.SAMPLED for weight in after.values())


def test_that_a_sample_of_weights_has_all_columns_of_a_matrix():
    square = torch.arange(768.0).repeat(768, 1)
    [sampled] = health.samples(torch.nn.ParameterDict({"weight": torch.nn.Parameter(square)})).values()
    assert health.SAMPLED / 2 < len(sampled) <= health.SAMPLED
    assert len(set(sampled.tolist())) == 768


def test_that_frozen_parts_have_no_gradient_and_do_not_move(tiny_spec, tmp_path):
    run = train(tiny_spec(config=TWO.but(tie_weights=True), freeze_blocks=1, freeze=["norms"]), tmp_path / "run")
    parts = {(part.part, part.block): part for part in of(run, UpdatesRead)[-1].parts}
    frozen = {place for place, part in parts.items() if part.gradient_norm is None and part.update_ratio is None}
    assert frozen == {("attention", 0), ("feed_forward", 0), ("final_norm", None)}
    assert all(part.weight_norm > 0 for part in parts.values())
    assert ("output_layer", None) not in parts, "the matrix is the token embedding's"


@pytest.mark.parametrize("reference", [False, True])
def test_that_units_that_are_about_zero_at_every_token_are_dead(tiny_spec, reference):
    state = state_of(tiny_spec(config=TWO, reference=reference))
    with torch.no_grad():
        state.model.trf_blocks[1].ff.layers[0].bias[:48] = -100
        state.model.trf_blocks[1].ff.layers[0].bias[48:] = 1
        state.model.trf_blocks[0].ff.layers[0].bias[:] = 1
    read = health.activations(state, 3)
    assert [block.dead_share for block in read.blocks] == [0, 0.75]
    assert (read.step, read.tokens) == (3, 16)


def test_that_the_bound_of_a_dead_unit_is_where_its_slope_is_small():
    inputs = torch.linspace(-8, -0.01, 4_000, requires_grad=True)
    outputs = torch.nn.functional.gelu(inputs, approximate="tanh")
    outputs.sum().backward()
    dead = outputs.abs() < health.DEAD_BELOW
    assert inputs[dead].max().item() == pytest.approx(-3.4, abs=0.15)
    assert inputs.grad[dead].abs().max() < 0.004


@pytest.mark.parametrize("reference", [False, True])
def test_that_a_head_that_attends_evenly_to_all_tokens_has_the_highest_entropy(tiny_spec, reference):
    state = state_of(tiny_spec(config=TWO, reference=reference))
    with torch.no_grad():
        state.model.trf_blocks[0].att.W_query.weight[:8] = 0
        state.model.trf_blocks[0].att.W_query.weight[8:] *= 1e4
    read = health.activations(state, 0)
    most = sum(math.log2(seen) for seen in range(1, 17)) / 16
    assert read.most_entropy == pytest.approx(most, rel=1e-4)
    even, sharp = read.blocks[0].entropies
    assert even == pytest.approx(most, rel=1e-4)
    assert sharp < 0.3


def test_that_both_paths_measure_the_same_and_leave_the_model_as_it_was(tiny_spec):
    found = []
    for reference in (False, True):
        state = state_of(tiny_spec(config=TWO, reference=reference))
        before, drawn = {key: value.clone() for key, value in state.model.state_dict().items()}, torch.get_rng_state()
        found.append(health.activations(state, 0))
        assert state.model.training
        assert not any(vars(module)["_forward_hooks"] for module in state.model.modules())
        assert equal(before, state.model.state_dict())
        assert torch.equal(drawn, torch.get_rng_state())
    fast, plain = found
    logits = state.model.eval()(state.validation.windows[torch.tensor([0])][:, :16])[0, 1::2]
    assert plain.logit_std == pytest.approx(logits.var(-1, correction=0).mean().sqrt().item(), rel=1e-4)
    assert plain.largest_logit == pytest.approx(logits.abs().max().item(), rel=1e-4)
    assert fast.logit_std == pytest.approx(plain.logit_std, rel=1e-4)
    for ours, theirs in zip(fast.blocks, plain.blocks, strict=True):
        assert ours.entropies == pytest.approx(theirs.entropies, rel=1e-4)
