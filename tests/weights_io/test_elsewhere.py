"""Models as found in practice: prefixes, heads for other tasks, folders of checkpoints, other values stored with the
weights.

Each opens with exactly the weights of the plain file.
"""

import json
from collections import Counter
from pathlib import Path

import numpy as np
import pytest
import torch
from pages.workers import at_once
from safetensors.torch import save_file
from torch import nn
from weight_files import huggingface_model

import gptstudio as gs
from gptstudio.app.lab_tasks import LabRequest
from gptstudio.app.requests import InductionQuery, Model, ModelCache
from gptstudio.errors import UserError
from gptstudio.fields import SpecError
from gptstudio.gpt.config import GPTConfig
from gptstudio.inference import loading
from gptstudio.inference.spec import GenerateSpec
from gptstudio.labs import feedforward
from gptstudio.training import init_weights, model_source
from gptstudio.training.model_source import UntrainedModel
from gptstudio.training.spec import TrainSpec
from gptstudio.weights_io import importing, inspection
from gptstudio.weights_io.exporting import FORMATS
from gptstudio.weights_io.refusals import ExchangeError

SHAPE = {"model_type": "gpt2", "architectures": ["GPT2LMHeadModel"], "vocab_size": 97, "n_positions": 16, "n_embd": 64,
         "n_head": 2, "n_layer": 2}


@pytest.fixture(scope="module")
def plain() -> dict[str, torch.Tensor]:
    """The tensors that transformers saves of a small model."""
    state = huggingface_model().state_dict()
    return {name: tensor.clone() for name, tensor in state.items() if name != "lm_head.weight"}


def folder(path: Path, weights: dict[str, torch.Tensor], **config: object) -> Path:
    path.mkdir(parents=True)
    save_file(weights, path / "model.safetensors", {"format": "pt"})
    (path / "config.json").write_text(json.dumps(SHAPE | config))
    return path


def opened(path: Path) -> tuple[dict[str, torch.Tensor], inspection.FoundModel]:
    found = inspection.inspect(path, 2)
    return importing.read(found), found


@pytest.fixture(scope="module")
def expected(plain, tmp_path_factory) -> dict[str, torch.Tensor]:
    return opened(folder(tmp_path_factory.mktemp("plain") / "model", plain))[0]


def assert_same(path: Path, expected) -> inspection.FoundModel:
    weights, found = opened(path)
    assert weights.keys() == expected.keys()
    assert all(torch.equal(weights[name], each) for name, each in expected.items())
    return found


@pytest.mark.parametrize("head", ["multiple_choice_head.summary", "v_head.summary", "score", "classifier"])
def test_that_a_head_for_another_task_is_left_out_and_named(plain, expected, tmp_path, head):
    more = {f"{head}.weight": torch.ones(1, 64), "lm_head.weight": plain["transformer.wte.weight"].clone()}
    assert assert_same(folder(tmp_path / "m", plain | more), expected).left_out == (f"{head}.weight",)


def test_that_a_model_only_for_another_task_is_refused(plain, tmp_path):
    weights = plain | {"score.weight": torch.ones(2, 64)}
    with pytest.raises(ExchangeError):
        inspection.inspect(folder(tmp_path / "m", weights, architectures=["GPT2ForSequenceClassification"]))


def test_that_a_byte_order_mark_and_a_different_total_size_are_no_damage(plain, expected, tmp_path):
    path = folder(tmp_path / "m", plain)
    config = path / "config.json"
    config.write_bytes(b"\xef\xbb\xbf" + config.read_bytes())
    (path / "model.safetensors").rename(path / "model-00001-of-00001.safetensors")
    (path / "model.safetensors.index.json").write_text(json.dumps({
        "metadata": {"total_size": 10**9}, "weight_map": dict.fromkeys(plain, "model-00001-of-00001.safetensors")}))
    assert_same(path, expected)


def test_that_matrices_as_nanogpt_saves_them_open_beside_a_config_of_transformers(plain, expected, tmp_path):
    turned = {name: each.T.contiguous() if ".c_" in name and name.endswith("weight") else each
              for name, each in plain.items()}
    assert_same(folder(tmp_path / "m", turned), expected)


@pytest.mark.parametrize("places", [
    ["checkpoint-500", "checkpoint-1000"], ["snapshots/0123abcd"], ["models--someone--tale/snapshots/0123abcd"],
    ["only"]])
def test_that_the_folder_around_a_model_can_be_opened(plain, expected, tmp_path, places):
    for place in places:
        folder(tmp_path / "around" / place, plain)
    found = assert_same(tmp_path / "around", expected)
    assert found.files[0].parent.name == Path(places[-1]).name


def test_that_several_models_in_a_folder_are_named(plain, tmp_path):
    for name in ("one", "other"):
        folder(tmp_path / "around" / name, plain)
    with pytest.raises(ExchangeError, match="Choose one of them: one, other"):
        inspection.inspect(tmp_path / "around")


@pytest.mark.parametrize("prefix", [
    "model.", "module.", "_orig_mod.", "_forward_module.model.", "pretrained_model.", "net.", "actor.gpt.",
    "_fsdp_wrapped_module."])
def test_that_a_prefix_before_every_name_is_ignored(plain, expected, tmp_path, prefix):
    torch.save({"state_dict": {prefix + name: each for name, each in plain.items()}}, tmp_path / "lightning.ckpt")
    assert_same(tmp_path / "lightning.ckpt", expected)


def test_that_the_output_layer_of_a_decoder_is_the_output_layer(plain, expected, tmp_path):
    more = {"lm_head.decoder.weight": plain["transformer.wte.weight"].clone()}
    assert_same(folder(tmp_path / "m", plain | more), expected)


def test_that_an_output_layer_stored_under_both_its_names_is_read_once(plain, expected, tmp_path):
    more = {name: plain["transformer.wte.weight"].clone() for name in ("lm_head.weight", "lm_head.decoder.weight")}
    assert assert_same(folder(tmp_path / "m", plain | more), expected).left_out == ("lm_head.decoder.weight",)


def test_that_two_models_in_one_file_are_refused(plain, tmp_path):
    torch.save({f"{each}.{name}": value for each in ("actor", "critic") for name, value in plain.items()},
               tmp_path / "two.pth")
    with pytest.raises(UserError, match="twice, under different prefixes"):
        inspection.inspect(tmp_path / "two.pth")


BESIDE = {
    "keys of other types": {"losses": {0.1: 3.2, (1, 2): 3.0, None: 1}},
    "types of torch": {"dtype": torch.float32, "device": torch.device("cpu"), "size": torch.Size([2, 3])},
    "collections": {"set": {1, 2}, "counter": Counter("abba"), "tuple": (1.5, "x"), "complex": 1 + 2j},
    "other types of numbers": {"dtypes": [torch.float8_e4m3fn, torch.uint16, torch.complex128, torch.qint8]},
    "bytes": {"bytes": b"a", "bytearray": bytearray(b"a")},
    "numbers of numpy": {"loss": np.float64(1.5), "steps": np.int64(3)},
}


@pytest.mark.parametrize("beside", BESIDE.values(), ids=BESIDE)
def test_that_plain_values_beside_the_weights_are_skipped(plain, expected, tmp_path, beside):
    torch.save({"model": plain} | beside, tmp_path / "odd.pth")
    assert_same(tmp_path / "odd.pth", expected)


def test_that_tensors_that_are_no_weights_are_skipped(plain, expected, tmp_path):
    beside = {"sparse": torch.eye(2).to_sparse(), "meta": torch.ones(2, device="meta")}
    torch.save({"model": plain} | beside, tmp_path / "odd.pth")
    assert_same(tmp_path / "odd.pth", expected)


@pytest.mark.parametrize("attributes", [{}, {"lr_scale": 0.5}])
def test_that_parameters_are_weights_too(plain, expected, tmp_path, attributes):
    parameters = {name: nn.Parameter(each) for name, each in plain.items()}
    for each in parameters.values():
        vars(each).update(attributes)
    torch.save(parameters, tmp_path / "parameters.pth")
    assert_same(tmp_path / "parameters.pth", expected)


def test_that_of_several_snapshots_the_one_of_main_is_opened(plain, expected, tmp_path):
    cache = tmp_path / "models--someone--tale"
    for name in ("0123abcd", "4567cdef"):
        folder(cache / "snapshots" / name, plain)
    (cache / "refs").mkdir()
    (cache / "refs" / "main").write_text("0123abcd")
    assert assert_same(cache, expected).files[0].parent.name == "0123abcd"


@pytest.mark.parametrize("name", ["spiece.model", "vocab.txt", "tokenizer.model", "sentencepiece.bpe.model",
                                  "sentencepiece.model", "qwen.tiktoken"])
def test_that_files_of_another_tokenizer_are_refused(plain, tmp_path, name):
    (folder(tmp_path / "m", plain) / name).write_bytes(b"\n\x0e\n\x05<unk>")
    with pytest.raises(ExchangeError, match=f"a tokenizer of its own \\({name}\\)"):
        inspection.inspect(tmp_path / "m")


@pytest.mark.parametrize("file", ["tokenizer_config.json", "config.json"])
def test_that_a_class_of_another_tokenizer_is_refused(plain, tmp_path, file):
    path = folder(tmp_path / "m", plain) / file
    values = json.loads(path.read_text()) if path.exists() else {}
    path.write_text(json.dumps(values | {"tokenizer_class": "T5Tokenizer"}))
    with pytest.raises(ExchangeError, match="a tokenizer of its own"):
        inspection.inspect(tmp_path / "m")


def test_that_a_tokenizer_with_its_own_code_is_refused(plain, tmp_path):
    path = folder(tmp_path / "m", plain) / "tokenizer_config.json"
    path.write_text(json.dumps({"auto_map": {"AutoTokenizer": ["tokenization_tale.TaleTokenizer", None]}}))
    with pytest.raises(ExchangeError, match="a tokenizer of its own"):
        inspection.inspect(tmp_path / "m")


@pytest.fixture(scope="module")
def wide(tmp_path_factory):
    """An imported model with 52,000 tokens, more than GPT-2 has."""
    config = GPTConfig(vocab_size=52_000, context_length=16, emb_dim=16, n_heads=2, n_layers=1)
    path = FORMATS["huggingface"].export(UntrainedModel(config), tmp_path_factory.mktemp("wide") / "wide")
    for name in ("vocab.json", "merges.txt", "tokenizer.json", "tokenizer_config.json"):
        (path / name).unlink(missing_ok=True)
    return importing.import_weights(inspection.inspect(path))


def test_that_a_model_with_another_vocabulary_is_not_trained_on_a_text(wide):
    spec = TrainSpec(config=model_source.config_of(wide), init_from=str(wide.path), text=("story",))
    with pytest.raises(SpecError, match=r"a vocabulary of 52,000 tokens, which is not GPT-2's"):
        init_weights.find(spec)


@pytest.mark.parametrize("ask", [
    lambda models, source: models.work(InductionQuery(Model(source, "cpu"))),
    lambda models, source: models.work(
        LabRequest(feedforward.LAB, feedforward.FeedForwardRequest(), source, "cpu")),
], ids=["induction", "lab"])
def test_that_features_without_text_take_a_model_with_another_vocabulary(wide, ask):
    _, end, answer = at_once(ask(ModelCache(), wide))
    assert end == "done", answer


def test_that_a_model_with_another_vocabulary_is_imported_and_refuses_text(plain, tmp_path):
    imported = importing.import_weights(inspection.inspect(folder(tmp_path / "m", plain)))
    with pytest.raises(UserError, match=r"has a vocabulary of 97 tokens, which is not GPT-2's"):
        loading.load_decoder(GenerateSpec(model=imported.name, prompt="a"), imported)
    assert model_source.config_of(imported).vocab_size == 97


def _beside() -> dict[str, object]:
    return {
        "two bytes": torch.zeros(3, dtype=torch.uint16), "eight bits": torch.zeros(3).to(torch.float8_e4m3fn),
        "complex": torch.zeros(3, dtype=torch.complex128), "buffer": nn.Buffer(torch.zeros(2)),
    }


@pytest.mark.parametrize("kind", _beside())
def test_that_tensors_of_every_kind_may_stand_beside_the_weights(plain, expected, tmp_path, kind):
    whole = {kind: _beside()[kind], "model": plain, "more": {"state": [_beside()[kind]]}}
    torch.save(whole, tmp_path / "m.pth")
    assert_same(tmp_path / "m.pth", expected)


@pytest.mark.parametrize("keys", [["weights"], ["checkpoint", "net", "params"]])
def test_that_weights_are_found_under_any_key(plain, expected, tmp_path, keys):
    whole: object = plain
    for key in reversed(keys):
        whole = {"step": torch.tensor(7), "averages": {"loss": torch.zeros(2)}, key: whole}
    torch.save(whole, tmp_path / "m.pth")
    assert_same(tmp_path / "m.pth", expected)


def test_that_of_several_copies_of_the_weights_the_one_under_a_known_key_is_opened(plain, expected, tmp_path):
    averaged = {name: each + 1 for name, each in plain.items()}
    torch.save({"checkpoint": {"averaged": averaged, "model": plain}}, tmp_path / "m.pth")
    assert_same(tmp_path / "m.pth", expected)


def test_that_buffers_are_weights_too_and_a_weight_of_eight_bits_is_refused_by_its_name(plain, expected, tmp_path):
    torch.save({name: nn.Buffer(each) for name, each in plain.items()}, tmp_path / "m.pth")
    assert_same(tmp_path / "m.pth", expected)
    name = "transformer.wte.weight"
    torch.save(plain | {name: plain[name].to(torch.float8_e4m3fn)}, tmp_path / "m.pth")
    with pytest.raises(ExchangeError, match=f"{name} is stored as float8_e4m3fn"):
        inspection.inspect(tmp_path / "m.pth", 2)


def test_that_another_vocabulary_is_used_by_its_ids_and_the_lack_of_text_is_reported(wide):
    model = gs.load(str(wide.path), device="cpu")
    assert model.next_logits([[51_999, 7]]).shape == (1, 52_000)
    uses = lambda: next(gs.generate(model, "A")), lambda: gs.score(model, "A cat"), lambda: gs.inspect(model, "A")
    for use in uses:
        with pytest.raises(UserError, match=r"a vocabulary of 52,000 tokens, which is not GPT-2's"):
            use()
