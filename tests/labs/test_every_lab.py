"""Rules for each lab: its answer is frozen, can be written as JSON and a table, and draws only from its own stream."""

import dataclasses

import pytest
import torch
from lab_output import as_json

from gptstudio import devices
from gptstudio.gpt.config import GPTConfig
from gptstudio.labs.block import MODEL
from gptstudio.labs.catalogue import ENTRIES, load
from gptstudio.training import model_source
from gptstudio.training.model_source import UntrainedModel

SMALL = GPTConfig(context_length=16, emb_dim=12, n_heads=12, n_layers=12)
CHANGES = {
    "attention": {"rate": 0.5}, "shortcuts": {"seeds": 3}, "feedforward": {"width": 64, "text": "日本 one"},
    "loss": {"source": "model"}, "gelu": {"x": 0.3, "misplaced": True},
    "block": {"emb_dim": 12, "n_heads": 3, "n_layers": 2, "context_length": 8, "compute": MODEL},
}


@pytest.mark.parametrize("name", ENTRIES)
def test_that_an_answer_is_frozen_has_json_and_a_table_and_draws_only_from_its_own_stream(name):
    lab = load(name)
    lab_request = lab.examples[0].request.but(**CHANGES.get(name, {}))
    for each in (lab_request, *(example.request for example in lab.examples)):
        assert type(each).make(as_json(each)) == each
    model = model_source.load(UntrainedModel(SMALL), devices.cpu(), "reference") if lab.model else None
    before = torch.get_rng_state()
    found = lab.answer(lab_request, model) if model else lab.answer(lab_request)
    assert torch.equal(before, torch.get_rng_state())
    names = {field.name for field in dataclasses.fields(found)}
    for field in names:
        with pytest.raises(dataclasses.FrozenInstanceError):
            setattr(found, field, None)
    assert as_json(found).keys() >= names
    table = lab.table(found)
    assert table.rows
    assert {len(row) for row in table.rows} == {len(table.columns)}
    assert lab.values(found)
