"""The sizes lab: every printed size, the built model's own counts, and the rule of thumb's error."""

import pytest
import torch

from gptstudio.gpt.model import GPTModel
from gptstudio.labs.sizes import BYTES, LAB, OWN, SizesRequest, answer

BOOKS = {example.name: example.request for example in LAB.examples}
ASKS = [*BOOKS.values(), SizesRequest(emb_dim=96, n_heads=3, n_layers=2, vocab_size=500, tied=True, number="bfloat16")]


@pytest.mark.parametrize("lab_request", ASKS)
def test_that_the_size_of_the_chosen_model_is_the_built_models(lab_request):
    with torch.device("meta"):
        model = GPTModel(lab_request.config)
    found, own = answer(lab_request), answer(lab_request).of(OWN)
    parameters = sum(p.numel() for p in model.parameters())
    assert own.parameters == parameters
    assert own.megabytes == pytest.approx(parameters * BYTES[lab_request.number] / 2**20)
    assert own.blocks == sum(p.numel() for p in model.trf_blocks.parameters())
    assert own.attention_module == sum(p.numel() for p in model.trf_blocks[0].att.parameters())
    shown = parameters - lab_request.tied * own.parts["output_layer"]
    assert sum(found.parts(own).values()) == found.shown(own) == shown


def test_that_the_rule_of_thumb_is_nearly_right_for_large_widths():
    small, xl = answer(SizesRequest()).of("gpt2-small"), answer(SizesRequest()).of("gpt2-xl")
    assert small.thumb == 84_934_656
    assert -0.0015 < small.thumb_error < xl.thumb_error < 0
