"""A file of the book's code, which loads it strictly."""

import pytest
import torch
from exported_models import PROMPT, SHAPES, SMALL

from gptstudio import devices
from gptstudio.gpt.tokenizer import GPT2
from gptstudio.training import model_source
from gptstudio.training.model_source import UntrainedModel
from gptstudio.weights_io.exporting import FORMATS

export = FORMATS["book"].export


@pytest.mark.parametrize("name", [*SHAPES, "saved"])
def test_that_the_books_own_code_loads_it_strictly_and_gives_the_same_logits(models, tmp_path, name):
    theirs = pytest.importorskip("llms_from_scratch.ch04")
    file = export(models[name], tmp_path / "model.pth")
    config = model_source.config_of(models[name])
    model = theirs.GPTModel(config.model_dump())
    model.load_state_dict(torch.load(file, weights_only=True), strict=True)
    ids = torch.tensor([GPT2.encode(PROMPT * 5)])
    with torch.no_grad():
        expected, ours = model.eval()(ids), model_source.load(models[name], devices.cpu(), "reference")(ids)
    assert torch.allclose(ours, expected, atol=1e-5, rtol=0)


def test_that_a_tied_matrix_is_in_the_books_file_once(tmp_path):
    tied, untied = (
        export(UntrainedModel(SMALL.but(tie_weights=tie)), tmp_path / f"{tie}.pth").stat().st_size
        for tie in (True, False)
    )
    assert untied - tied == pytest.approx(4 * SMALL.vocab_size * SMALL.emb_dim, rel=1e-3)
