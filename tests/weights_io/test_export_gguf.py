"""A GGUF file: every number and token as in the model, and the same greedy tokens by llama.cpp."""

import json
import math
import os
import subprocess
import sys
from importlib.util import find_spec
from pathlib import Path

import gguf
import numpy as np
import pytest
import torch
from exported_models import NEW, PROMPT_IDS, SAVED, TEXTS, greedy, weights_of

from gptstudio.gpt import tokenizer
from gptstudio.gpt.tokenizer import GPT2
from gptstudio.training.model_source import SavedModel, config_of
from gptstudio.weights_io.exporting import FORMATS

PROGRAM = Path(__file__).with_name("llama_greedy.py")
LLAMA_PYTHON = os.environ.get("GPTSTUDIO_LLAMA_PYTHON") or (sys.executable if find_spec("llama_cpp") else "")
"""A Python that has llama-cpp-python, which has to be compiled."""


@pytest.fixture(scope="module")
def files(saved_models, tmp_path_factory) -> dict[str, Path]:
    place = tmp_path_factory.mktemp("gguf")
    return {name: FORMATS["gguf"].export(each, place / f"{name}.gguf") for name, each in saved_models.items()}


@pytest.fixture(scope="module")
def readers(files) -> dict[str, gguf.GGUFReader]:
    """A reader of each file, read as a whole: from a mapped file its 50,257 tokens take seconds, one by one."""
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(np, "memmap", lambda file, mode: np.fromfile(file, np.uint8))
        return {name: gguf.GGUFReader(file) for name, file in files.items()}


class Numpy:
    """GPT-2 as GGUF describes it, in numpy: only the file determines the computation."""

    def __init__(self, reader: gguf.GGUFReader) -> None:
        self.tensors = {each.name: np.array(each.data) for each in reader.tensors}
        self.blocks, self.heads, self.epsilon = (
            reader.fields[f"gpt2.{key}"].contents()
            for key in ("block_count", "attention.head_count", "attention.layer_norm_epsilon"))

    def next_token(self, ids: list[int]) -> int:
        hidden = self.tensors["token_embd.weight"][ids] + self.tensors["position_embd.weight"][: len(ids)]
        for block in range(self.blocks):
            at = f"blk.{block}."
            hidden = hidden + self._attention(at, self._norm(f"{at}attn_norm", hidden))
            inner = self._linear(f"{at}ffn_up", self._norm(f"{at}ffn_norm", hidden))
            inner = inner / 2 * (1 + np.tanh(math.sqrt(2 / math.pi) * (inner + 0.044715 * inner**3)))
            hidden = hidden + self._linear(f"{at}ffn_down", inner)
        head = self.tensors.get("output.weight", self.tensors["token_embd.weight"])
        return int((self._norm("output_norm", hidden[-1]) @ head.T).argmax())

    def _attention(self, at: str, x: np.ndarray) -> np.ndarray:
        q, k, v = (part.reshape(len(x), self.heads, -1).swapaxes(0, 1)
                   for part in np.split(self._linear(f"{at}attn_qkv", x), 3, axis=1))  # (H, T, D/H)
        scores = q @ k.swapaxes(1, 2) / math.sqrt(q.shape[-1])
        scores[:, np.triu(np.ones((len(x), len(x)), bool), 1)] = -np.inf
        shares = np.exp(scores - scores.max(-1, keepdims=True))
        mixed = (shares / shares.sum(-1, keepdims=True)) @ v
        return self._linear(f"{at}attn_output", mixed.swapaxes(0, 1).reshape(x.shape))

    def _linear(self, name: str, x: np.ndarray) -> np.ndarray:
        return x @ self.tensors[f"{name}.weight"].T + self.tensors[f"{name}.bias"]

    def _norm(self, name: str, x: np.ndarray) -> np.ndarray:
        centred = x - x.mean(-1, keepdims=True)
        scaled = centred / np.sqrt(x.var(-1, keepdims=True) + self.epsilon)
        return scaled * self.tensors[f"{name}.weight"] + self.tensors[f"{name}.bias"]


@pytest.mark.parametrize("name", SAVED)
class TestByItself:
    """The file, read by the package that ggml publishes for it."""

    def test_that_every_number_is_the_models_to_the_bit(self, readers, saved_models, name):
        expected = named_as_llama_cpp_names(saved_models[name])
        found = {each.name: each for each in readers[name].tensors}
        assert found.keys() == expected.keys()
        for tensor, each in found.items():
            assert each.tensor_type == gguf.GGMLQuantizationType.F32
            assert each.data.shape == tuple(expected[tensor].shape)
            assert each.data.tobytes() == expected[tensor].numpy().tobytes(), tensor

    def test_that_the_configuration_and_the_origin_are_in_it(self, readers, saved_models, name):
        values = {key: field.contents() for key, field in readers[name].fields.items() if "tokenizer" not in key}
        config = config_of(saved_models[name])
        assert values["general.architecture"] == "gpt2"
        assert values["general.name"] == saved_models[name].name
        assert values["general.file_type"] == gguf.LlamaFileType.ALL_F32
        sizes = {
            "vocab_size": config.vocab_size, "context_length": config.context_length, "block_count": config.n_layers,
            "embedding_length": config.emb_dim, "feed_forward_length": 4 * config.emb_dim,
        }
        assert {key: values[f"gpt2.{key}"] for key in sizes} == sizes

    def test_that_numpy_alone_computes_the_same_greedy_tokens(self, readers, saved_models, name):
        expected, model, ids = greedy(saved_models[name]), Numpy(readers[name]), list(PROMPT_IDS)
        for _ in range(NEW):
            ids.append(model.next_token(ids))
        assert ids == expected
        assert len(set(expected[len(PROMPT_IDS):])) > 2, "a text of one token would prove little"


def named_as_llama_cpp_names(origin: SavedModel) -> dict[str, torch.Tensor]:
    """Return the model's tensors, by the names in llama.cpp's src/llama-arch.cpp."""
    ours, config = weights_of(origin), config_of(origin)
    found = {"token_embd.weight": ours["tok_emb.weight"], "position_embd.weight": ours["pos_emb.weight"],
             "output_norm.weight": ours["final_norm.scale"], "output_norm.bias": ours["final_norm.shift"]}
    if not config.tie_weights:
        found["output.weight"] = ours["out_head.weight"]
    for block in range(config.n_layers):
        here, there = f"trf_blocks.{block}.", f"blk.{block}."
        for theirs, name in (("attn_norm", "norm1"), ("ffn_norm", "norm2")):
            found |= {f"{there}{theirs}.weight": ours[f"{here}{name}.scale"],
                      f"{there}{theirs}.bias": ours[f"{here}{name}.shift"]}
        for theirs, name in (("attn_output", "att.out_proj"), ("ffn_up", "ff.layers.0"), ("ffn_down", "ff.layers.2")):
            found |= {f"{there}{theirs}.{kind}": ours[f"{here}{name}.{kind}"] for kind in ("weight", "bias")}
        none = torch.zeros(config.emb_dim)
        for kind in ("weight", "bias"):
            parts = [ours.get(f"{here}att.W_{part}.{kind}", none) for part in ("query", "key", "value")]
            found[f"{there}attn_qkv.{kind}"] = torch.cat(parts)
    return found


@pytest.mark.parametrize(("name", "more"), [("the book's", 0), ("OpenAI's, with more rows than tokens", 47)])
def test_that_the_tokenizer_is_gpt2s(readers, name, more):
    fields = {key.rpartition(".")[2]: field.contents() for key, field in readers[name].fields.items() if "token" in key}
    tokens, types = fields["tokens"], fields["token_type"]
    assert len(set(tokens)) == len(tokens) == len(types) == 50_257 + more
    assert {token: number for number, token in enumerate(tokens[:50_257])} == json.loads(resource("encoder.json"))
    assert types[50_256:] == [gguf.TokenType.CONTROL] + [gguf.TokenType.UNUSED] * more
    assert fields["merges"] == resource("vocab.bpe").splitlines()[1:]
    assert fields["eos_token_id"] == 50_256
    assert "OpenAI" in fields["tokenizer_notice"]


def resource(name: str) -> str:
    return (Path(tokenizer.__file__).parents[2] / "resources" / "gpt2" / name).read_text(encoding="utf-8")


def test_that_an_unknown_vocabulary_is_not_invented(readers):
    fields = readers["another vocabulary"].fields
    assert fields["tokenizer.ggml.model"].contents() == "none"
    assert "tokenizer.ggml.tokens" not in fields


@pytest.mark.skipif(not LLAMA_PYTHON, reason="llama.cpp is not installed")
def test_that_llama_cpp_computes_the_same_greedy_tokens_and_tokenizes_alike(files, saved_models):
    asked = [[str(file), PROMPT_IDS, NEW, [] if "another" in name else TEXTS] for name, file in files.items()]
    done = subprocess.run([LLAMA_PYTHON, PROGRAM], input=json.dumps(asked), capture_output=True, text=True)
    assert done.returncode == 0, done.stderr[-3000:]
    for name, found in zip(files, json.loads(done.stdout), strict=True):
        assert found["ids"] == greedy(saved_models[name]), name
        assert found["texts"] in ([], [GPT2.encode(text) for text in TEXTS]), name
