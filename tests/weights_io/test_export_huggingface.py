"""A Hugging Face folder, as transformers opens it without a network."""

import json
import os

import pytest
import torch
import warm_python
from exported_models import PROMPT, SHAPES, SMALL, TEXTS, TINY
from safetensors.torch import save

from gptstudio import devices
from gptstudio.gpt import tokenizer, weights
from gptstudio.gpt.decoder import Decoder
from gptstudio.gpt.tokenizer import GPT2
from gptstudio.inference import generator
from gptstudio.inference.spec import GenerateSpec
from gptstudio.training import checkpoint, model_source
from gptstudio.training.control import Control
from gptstudio.training.events import TokenDrawn
from gptstudio.training.model_source import UntrainedModel
from gptstudio.weights_io.exporting import FORMATS

export = FORMATS["huggingface"].export

OPEN = """
import json, sys
from transformers import AutoTokenizer, GPT2LMHeadModel
import torch
folders, prompt, texts = json.loads(sys.stdin.read())
answers = []
for folder in folders:
    model, told = GPT2LMHeadModel.from_pretrained(folder, output_loading_info=True)
    words = AutoTokenizer.from_pretrained(folder)
    ids = words(prompt, return_tensors="pt").input_ids
    written = model.eval().generate(ids, attention_mask=torch.ones_like(ids), max_new_tokens=12, do_sample=False)
    with torch.no_grad():
        torch.save(model(written).logits[0], folder + ".logits")
    answers.append({
        "told": [sorted(told[kind]) for kind in ("missing_keys", "unexpected_keys", "mismatched_keys")],
        "written": words.decode(written[0]), "logits": folder + ".logits",
        "ids": [words(text).input_ids for text in texts], "longest": words.model_max_length,
    })
print(json.dumps(answers))
"""


@pytest.fixture(scope="module")
def opened(models, tmp_path_factory) -> dict[str, dict]:
    """The results of transformers for each exported model, in a process without a network."""
    place = tmp_path_factory.mktemp("exported")
    folders = [str(export(origin, place / name)) for name, origin in models.items()]
    done = warm_python.run(
        "-c", OPEN, input=json.dumps([folders, PROMPT, TEXTS]),
        env={**os.environ, "HF_HUB_OFFLINE": "1", "HF_ENDPOINT": "http://127.0.0.1:9", "HF_HOME": str(place)},
    )
    assert done.returncode == 0, done.stderr
    return dict(zip(models, json.loads(done.stdout), strict=True))


def our_text(origin: model_source.LoadableModel) -> list[int]:
    """Return the prompt and 12 tokens by argmax."""
    spec = GenerateSpec(prompt=PROMPT, temperature=0, max_new_tokens=12, device="cpu")
    decoder = Decoder(model_source.load(origin, devices.cpu()), origin.name)
    stream = generator.generate(spec, lambda: decoder, Control())
    return GPT2.encode(PROMPT) + [event.id for event in stream if isinstance(event, TokenDrawn)]


@pytest.mark.parametrize("name", [*SHAPES, "saved"])
def test_that_transformers_reads_every_tensor_offline_and_gives_the_same_text_logits_and_tokens(opened, models, name):
    theirs, ids = opened[name], our_text(models[name])
    assert theirs["told"] == [[], [], []], "no tensor is missing, unexpected or of another shape"
    assert theirs["written"] == GPT2.decode(ids)
    assert len(set(ids)) > 3, "a text of one token would prove little"
    model = model_source.load(models[name], devices.cpu(), "reference")
    with torch.no_grad():
        assert torch.allclose(torch.load(theirs["logits"]), model(torch.tensor([ids]))[0], atol=1e-4, rtol=0)
    assert theirs["ids"] == [GPT2.encode(text) for text in TEXTS]
    assert theirs["longest"] == SMALL.context_length


def test_that_the_weights_equal_those_that_safetensors_would_write_to_the_byte(tmp_path):
    folder = export(UntrainedModel(SMALL), tmp_path / "model")
    ours = checkpoint.weights_of(model_source.load(UntrainedModel(SMALL), devices.cpu()))
    expected = save(weights.to_huggingface(ours, SMALL), metadata={"format": "pt"})
    assert (folder / "model.safetensors").read_bytes() == expected


def test_that_a_model_of_another_vocabulary_is_exported_without_a_tokenizer(tmp_path):
    folder = export(UntrainedModel(TINY), tmp_path / "model")
    assert {file.name for file in folder.iterdir()} == {"config.json", "generation_config.json", "model.safetensors"}
    assert json.loads((folder / "generation_config.json").read_text()) == {}


def test_that_a_folder_holds_only_files_that_may_be_replaced_later(tmp_path):
    made = export(UntrainedModel(SMALL), tmp_path / "model")
    assert {file.name for file in made.iterdir()} == FORMATS["huggingface"].files - {tokenizer.FILE}
