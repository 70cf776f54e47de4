"""Interventions of every kind, each compared with the same change in Hugging Face's GPT-2 with the same weights."""

import numpy as np
import pytest
import torch
from inference.test_effects import IDS, WITHIN, every_config, make, their_logits, theirs_of
from pydantic import TypeAdapter, ValidationError

from gptstudio.gpt.config import GPTConfig
from gptstudio.gpt.tokenizer import GPT2
from gptstudio.inference import intervening
from gptstudio.inference.interventions import (
    NO_INTERVENTIONS,
    AttentionPattern,
    Component,
    Intervention,
    Interventions,
    PermutedPositions,
    ReplacedEmbedding,
)


def changed(model, ids, *changes) -> torch.Tensor:
    """Return the logits after the last token."""
    made = Interventions(changes=changes)
    return intervening.changed_logits(model, ids, made, intervening.means_for(model, made, ids))[-1]


@every_config
def test_that_mean_ablation_replaces_the_output_by_its_mean_over_the_text(config):
    model, ids = make(config), IDS[: config.context_length]
    theirs, head, size = theirs_of(model), config.n_heads - 1, config.head_dim
    block, kept = theirs.transformer.h[-1], {}
    hooks = [block.attn.c_proj.register_forward_pre_hook(lambda _m, args: kept.update(head=args[0].clone())),
             block.mlp.register_forward_hook(lambda _m, _a, output: kept.update(mlp=output.clone()))]
    their_logits(theirs, ids, [])
    for hook in hooks:
        hook.remove()

    def put_mean(_module, args):
        values = args[0].clone()
        columns = slice(head * size, (head + 1) * size)
        values[..., columns] = kept["head"][..., columns].mean(dim=1, keepdim=True)
        return (values, *args[1:])

    hook = block.attn.c_proj.register_forward_pre_hook(put_mean)
    last = config.n_layers - 1
    found = changed(model, ids, Intervention.of(Component(last, head), 0, "mean"))
    assert torch.allclose(found, their_logits(theirs, ids, []), atol=WITHIN)
    hook.remove()
    block.mlp.register_forward_hook(lambda _m, _a, output: kept["mlp"].mean(dim=1, keepdim=True).expand_as(output))
    found = changed(model, ids, Intervention.of(Component(last), 0, "mean"))
    assert torch.allclose(found, their_logits(theirs, ids, []), atol=WITHIN)


@every_config
@pytest.mark.parametrize("pattern", ["uniform", "previous", "itself"])
def test_that_a_frozen_head_attends_by_the_pattern(config, pattern):
    model, ids, head = make(config), IDS[: config.context_length], config.n_heads - 1
    theirs, kept = theirs_of(model), {}
    attention = theirs.transformer.h[0].attn
    columns = slice(head * config.head_dim, (head + 1) * config.head_dim)

    def weight(query: int, key: int) -> float:
        match pattern:
            case "uniform":
                return 1 / (query + 1) if key <= query else 0
            case "previous":
                return float(key == max(0, query - 1))
        return float(key == query)

    rows = torch.tensor([[weight(query, key) for key in range(len(ids))] for query in range(len(ids))])

    def attend_by_pattern(_module, args):
        values = args[0].clone()
        values[0, :, columns] = rows @ kept["v"]
        return (values, *args[1:])

    attention.c_attn.register_forward_hook(
        lambda _m, _a, output: kept.update(v=output.split(config.emb_dim, dim=-1)[2][0, :, columns]))
    attention.c_proj.register_forward_pre_hook(attend_by_pattern)
    found = changed(model, ids, AttentionPattern(layer=0, head=head, pattern=pattern))
    assert torch.allclose(found, their_logits(theirs, ids, []), atol=WITHIN)


@every_config
def test_that_positions_are_permuted_and_embeddings_replaced(config):
    model, ids = make(config), IDS[: config.context_length]
    theirs, count = theirs_of(model), len(ids) - 1
    change = PermutedPositions(count=count, seed=4)
    order = np.random.default_rng(4).permutation(count)
    positions = torch.tensor([*order, count])
    with torch.no_grad():
        expected = theirs(torch.tensor([ids]), position_ids=positions[None]).logits[0, -1]
    assert torch.allclose(changed(model, ids, change), expected, atol=WITHIN)
    assert torch.equal(changed(model, ids[:1], change), changed(model, ids[:1])), "shorter than what was permuted"
    other = [ids[0], 8, *ids[2:]]
    found = changed(model, ids, ReplacedEmbedding(position=1, token=8))
    assert torch.allclose(found, their_logits(theirs, other, []), atol=WITHIN)
    assert torch.allclose(
        changed(model, ids, ReplacedEmbedding(position=900, token=8)), their_logits(theirs, ids, []), atol=WITHIN)


def test_that_means_are_taken_over_a_chosen_text_in_windows_and_kept_for_the_model(tmp_path, monkeypatch):
    config = GPTConfig(vocab_size=50257, context_length=4, emb_dim=6, n_heads=2, n_layers=1, drop_rate=0.0)
    model, file = make(config), tmp_path / "a text.txt"
    file.write_text("Some words, and then some more of them.")
    ids = GPT2.encode(file.read_text())
    asked = Interventions(changes=(Intervention.of(Component(0), 0, "mean"),), mean_over=str(file))
    found = intervening.means_for(model, asked, [1])
    written = []
    model.trf_blocks[0].ff.register_forward_hook(lambda _m, _a, output: written.append(output[0].detach()))
    for start in range(0, len(ids), 4):
        model(torch.tensor([ids[start : start + 4]]))
    assert torch.allclose(found["0.mlp_out"], torch.cat(written).mean(dim=0), atol=1e-6)
    monkeypatch.setattr(intervening, "means_over", None)
    assert intervening.means_for(model, asked, [2]) is found
    assert intervening.means_for(model, NO_INTERVENTIONS, [2]) is None


def test_that_a_set_has_one_change_of_a_kind_for_each_place_and_survives_a_file():
    head = Component(1, 2)
    made = NO_INTERVENTIONS.having(Intervention.of(head, 0.5)).having(AttentionPattern(layer=1, head=2))
    made = made.having(Intervention.of(head, 2.0)).having(ReplacedEmbedding(position=3, token=7))
    assert [each.kind for each in made.changes] == ["pattern", "scale", "embedding"]
    assert made.of(head) == [AttentionPattern(layer=1, head=2), Intervention.of(head, 2.0)]
    assert made.without(("scale", 1, 2)).of(head) == [AttentionPattern(layer=1, head=2)]
    assert Interventions.model_validate_json(made.model_dump_json()) == made
    small = GPTConfig(vocab_size=7, context_length=4, emb_dim=4, n_heads=2, n_layers=2, drop_rate=0.0)
    assert made.fitting(small) == NO_INTERVENTIONS, "of another model: neither the head nor the token"
    assert made.fitting(GPTConfig(vocab_size=8, context_length=4, emb_dim=6, n_heads=3, n_layers=2)) == made


@pytest.mark.parametrize("values", [
    {"kind": "scale", "layer": -1}, {"kind": "scale", "layer": 0, "factor": float("nan")}, {"kind": "code", "layer": 0},
    {"kind": "scale", "layer": 0, "factor": 3}, {"kind": "pattern", "layer": 0, "pattern": "import os"},
    {"kind": "embedding", "position": 2**40, "token": 1}, {"kind": "positions", "count": -1}, {"kind": "scale"},
])
def test_that_an_impossible_change_in_a_file_is_refused(values):
    with pytest.raises(ValidationError):
        TypeAdapter(Interventions).validate_python({"changes": [values]})
