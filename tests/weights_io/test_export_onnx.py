"""An ONNX folder: opened by ONNX Runtime, with the same logits and greedy tokens."""

import string
import sys
from pathlib import Path

import numpy as np
import pytest
import torch
from exported_models import NEW, PROMPT, PROMPT_IDS, SAVED, TINY, greedy
from strange_texts import model_with

from gptstudio import devices
from gptstudio.gpt.tokenizer import FILE, GPT2, Characters
from gptstudio.training import model_source
from gptstudio.training.model_source import UntrainedModel, config_of
from gptstudio.weights_io.exporting import FORMATS, onnx_folder
from gptstudio.weights_io.refusals import ExchangeError

pytestmark = [pytest.mark.slow, pytest.mark.usefixtures("traced_once")]
ONNX = FORMATS["onnx"]
OPENAI = "OpenAI's, with more rows than tokens"
NAMES = (OPENAI, "another vocabulary")


@pytest.fixture(scope="module")
def folders(traced_once, graphs, saved_models, tmp_path_factory) -> dict[str, Path]:
    """The exported folder of each model, traced here, so that the weights in it are those that the export writes."""
    graphs.clear()
    place = tmp_path_factory.mktemp("onnx")
    return {name: ONNX.export(saved_models[name], place / name) for name in NAMES}


def logits(folder: Path, ids: list[list[int]]) -> np.ndarray:
    """Return the logits of ONNX Runtime, (B, T, V)."""
    import onnxruntime

    session = onnxruntime.InferenceSession(folder / "model.onnx", providers=["CPUExecutionProvider"])
    return session.run(["logits"], {"input_ids": np.array(ids)})[0]


def recorded(folder: Path) -> dict[str, str]:
    """Return the metadata of the graph."""
    import onnx

    model = onnx.load(folder / "model.onnx", load_external_data=False)
    return {each.key: each.value for each in model.metadata_props}


@pytest.mark.parametrize("name", NAMES)
class TestByOnnxRuntime:
    """The exported folder, opened from its files alone."""

    def test_that_the_greedy_tokens_are_the_same(self, folders, saved_models, name):
        expected, ids = greedy(saved_models[name]), list(PROMPT_IDS)
        for _ in range(NEW):
            ids.append(int(logits(folders[name], [ids])[0, -1].argmax()))
        assert ids == expected
        assert len(set(ids[len(PROMPT_IDS) :])) > 2, "a text of one token would prove little"

    @pytest.mark.parametrize(("batch", "tokens"), [(1, 1), (3, 7), (1, 24)])
    def test_that_texts_of_any_number_and_length_have_the_logits_of_the_model(
        self, folders, saved_models, name, batch, tokens
    ):
        ids = np.random.default_rng(1).integers(0, SAVED[name].vocab_size, (batch, tokens))
        model = model_source.load(saved_models[name], devices.cpu(), "reference")
        with torch.no_grad():
            expected = model(torch.tensor(ids)).numpy()
        assert np.allclose(logits(folders[name], ids.tolist()), expected, atol=2e-4, rtol=0)

    def test_that_the_checker_of_onnx_accepts_it_with_its_metadata(self, folders, saved_models, name):
        import onnx

        config, fields = config_of(saved_models[name]), recorded(folders[name])
        onnx.checker.check_model(folders[name] / "model.onnx", full_check=True)
        assert fields["source"] == saved_models[name].name
        assert (fields["context_length"], fields["vocab_size"]) == (str(config.context_length), str(config.vocab_size))
        assert fields["tokenizer"] == ("gpt2" if name == OPENAI else "unknown")


def test_that_the_tokenizer_beside_it_is_gpt2s_and_an_unknown_one_is_not_invented(folders):
    from transformers import AutoTokenizer

    assert AutoTokenizer.from_pretrained(folders[OPENAI])(PROMPT).input_ids == GPT2.encode(PROMPT)
    assert {file.name for file in folders["another vocabulary"].iterdir()} == {"model.onnx", "model.onnx.data"}


def test_that_a_tokenizer_of_its_own_is_in_the_folder_and_recorded(folders, tmp_path):
    tokenizer = Characters(string.ascii_letters + string.digits[1:8])
    model = model_with(tokenizer, tmp_path / "own", SAVED["another vocabulary"].context_length)
    assert config_of(model).vocab_size == SAVED["another vocabulary"].vocab_size, "a shape that is already traced"
    folder = ONNX.export(model, tmp_path / "model")
    assert recorded(folder)["tokenizer"] == FILE
    assert (folder / FILE).read_bytes() == tokenizer.file


@pytest.mark.parametrize(("frozen", "words"), [
    (False, 'not installed. Install them with: "{python}" -m pip install "gptstudio[export]"'),
    (True, "Export a Hugging Face folder, which Optimum converts to ONNX"),
])
def test_that_missing_packages_are_reported_with_a_remedy(tmp_path, monkeypatch, frozen, words):
    monkeypatch.setattr(onnx_folder, "find_spec", lambda name: None)
    monkeypatch.setattr(sys, "frozen", frozen, raising=False)
    with pytest.raises(ExchangeError) as refused:
        ONNX.export(UntrainedModel(TINY), tmp_path / "model")
    assert words.format(python=sys.executable) in str(refused.value)
    assert "onnx, onnxscript" in str(refused.value)
    assert list(tmp_path.iterdir()) == []
