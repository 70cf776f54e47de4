"""Files that cannot be opened are identified, and an alternative is named."""

import errno
import gzip
import io
import json
import os
import pickle
import socket
import tarfile
import zipfile
from pathlib import Path

import numpy as np
import pytest
import torch
from messages import left_in_english, message
from weight_files import TINY, book_state, huggingface_model, safetensors, saved

from gptstudio.weights_io import importing
from gptstudio.weights_io.refusals import ExchangeError


def refusal(path) -> str:
    with pytest.raises(ExchangeError) as refused:
        importing.inspect(path)
    words = str(refused.value)
    assert words.startswith(str(path.parent))
    assert len(words) < 800
    assert left_in_english(refused.value) == []
    return words


@pytest.mark.parametrize(
    ("width", "name"), [(768, "gpt2"), (1024, "gpt2-medium"), (1280, "gpt2-large"), (1600, "gpt2-xl")]
)
@pytest.mark.parametrize("chosen", ["", "checkpoint", "model.ckpt.data-00000-of-00001", "model.ckpt.index"])
def test_that_openais_folder_is_identified_with_the_repository_of_the_same_weights(tmp_path, width, name, chosen):
    folder = tmp_path / "124M"
    folder.mkdir()
    for file in ("checkpoint", "encoder.json", "vocab.bpe", "model.ckpt.meta", "model.ckpt.index"):
        (folder / file).write_bytes(b"\x00\x01")
    (folder / "model.ckpt.data-00000-of-00001").write_bytes(bytes(1000))
    (folder / "hparams.json").write_text(json.dumps({"n_embd": width}))
    words = refusal(folder / chosen)
    assert message("tensorflow_checkpoint") in words
    assert f"Model > Download gets them ({name})" in words
    assert f"openai-community/{name} " in words


@pytest.mark.parametrize("hparams", ["", "[1", "[]", '{"n_embd": "x"}', '{"n_embd": [1]}', "[" * 9000])
def test_that_a_tensorflow_folder_is_identified_by_its_files(tmp_path, hparams):
    (tmp_path / "hparams.json").write_text(hparams)
    assert message("gpt_gpt_medium") in refusal(tmp_path)


def tar() -> bytes:
    file = io.BytesIO()
    with tarfile.open(fileobj=file, mode="w") as archive:
        archive.addfile(tarfile.TarInfo("model.pth"), io.BytesIO())
    return file.getvalue()


NO_STATE_DICT = (
    "it contains no state dict: a dict from names to tensors, either alone or as 'model_state_dict' beside an "
    "optimizer."
)


def archive(*names: str) -> bytes:
    file = io.BytesIO()
    with zipfile.ZipFile(file, "w") as packed:
        for name in names:
            packed.writestr(name, b"{}")
    return file.getvalue()


def numpy_array() -> bytes:
    file = io.BytesIO()
    np.save(file, np.ones(3))
    return file.getvalue()


@pytest.mark.parametrize(
    ("name", "data", "words"),
    [
        (
            "model.gguf", b"GGUF" + bytes(100),
            "a GGUF file (llama.cpp), whose weights are usually quantised to a few bits.",
        ),
        ("tf_model.h5", b"\x89HDF\r\n\x1a\n" + bytes(100), "an HDF5 file"),
        ("model.onnx", b"\x08\x07\x12\x07pytorch", "an ONNX file"),
        ("flax_model.msgpack", b"\x81\xa6params", "a Flax file, in which JAX stores weights."),
        ("weights.npy", numpy_array(), "a single NumPy array, but a model has many."),
        ("weights.npz", archive("a.npy"), "it is a zip archive, but not one saved with torch.save."),
        ("run.zip", archive("my run/run.json", "my run/journal.jsonl"), "it is a packed run of GPT Studio."),
        ("traced.pt", archive("a/data.pkl", "a/constants.pkl", "a/code/a.py"), "a TorchScript program"),
        ("model.pth.gz", gzip.compress(b"x", mtime=0), "compressed (gzip)"),
        ("model.tar", tar(), "a tar archive. Unpack it, then choose what is inside."),
        ("object.pkl", pickle.dumps({"a": 1}), "a Python pickle"),
        (
            "model.safetensors", b"version https://git-lfs.github.com/spec/v1\noid sha256:0",
            "a Git LFS pointer: the weights themselves were not downloaded.",
        ),
        ("verdict.txt", b"I had always thought Jack Gisburn", "To train on a text, choose it in the Train tab."),
        ("chinese.txt", ("汉字" * 300).encode(), "To train on a text, choose it in the Train tab."),
        ("noise.pth", bytes(range(1, 256)) * 9, "it is not a known weights file, or its beginning is damaged."),
        ("empty.pth", b"", "it is empty"),
        ("one.pth", saved(torch.ones(3)), NO_STATE_DICT),
        ("other.pth", saved({"conv.weight": torch.ones(3)}), "not those of a GPT-2"),
        ("epoch.pth", saved({"epoch": 3}), NO_STATE_DICT),
    ],
)
def test_that_a_file_of_another_kind_is_identified(tmp_path, name, data, words):
    (tmp_path / name).write_bytes(data)
    assert words in refusal(tmp_path / name)


def test_that_a_whole_pickled_model_is_refused_with_the_way_to_its_weights(tmp_path):
    torch.save(huggingface_model(), tmp_path / "model.pth")
    words = refusal(tmp_path / "model.pth")
    assert "refers to transformers.models.gpt2.modeling_gpt2.GPT2LMHeadModel" in words
    assert message("torch_save_model") in words


@pytest.mark.parametrize(
    ("files", "words"),
    [
        ([], "the folder is empty"),
        (["a.pth", "b.safetensors"], "Choose the file you want to open: a.pth, b.safetensors"),
        (["notes.txt"], "it contains no weights."),
        (["gpt2.gguf"], "it contains gpt2.gguf"),
        (
            ["adapter_config.json", "adapter_model.safetensors"],
            "it is a LoRA adapter: small changes to a model, without the model itself.",
        ),
        (["tf_model.h5", "config.json"], "it contains tf_model.h5"),
    ],
)
def test_that_a_folder_without_a_model_is_reported(tmp_path, files, words):
    folder = tmp_path / "folder"
    folder.mkdir()
    for name in files:
        (folder / name).write_bytes(b"x")
    assert words in refusal(folder)


def test_that_weights_that_are_a_link_to_a_deleted_file_are_reported(tmp_path):
    """As in the cache of huggingface_hub after the large file was deleted."""
    (tmp_path / "snapshot").mkdir()
    (tmp_path / "snapshot" / "model.safetensors").symlink_to(tmp_path / "blob")
    assert "model.safetensors in it is a link to a file that does not exist" in refusal(tmp_path / "snapshot")


def test_that_a_missing_file_is_reported(tmp_path):
    assert "No such file" in refusal(tmp_path / "nothing.pth")
    with pytest.raises(ExchangeError, match="null"):
        importing.inspect(tmp_path / "a\x00b")


def test_that_a_file_without_read_permission_is_reported(tmp_path, monkeypatch):
    torch.save(book_state(), tmp_path / "m.pth")

    def forbidden(path, *_):
        raise PermissionError(errno.EACCES, os.strerror(errno.EACCES), str(path))

    monkeypatch.setattr(os, "open", forbidden)
    assert "Permission denied" in refusal(tmp_path / "m.pth")


@pytest.mark.skipif(os.name == "nt", reason="Windows has no such files")
@pytest.mark.parametrize("place", ["", "model.safetensors", "config.json", "state.json", "hparams.json"])
def test_that_a_pipe_is_refused_without_waiting(tmp_path, place):
    """Opened as a file, it would block until another program writes into it."""
    folder = tmp_path / "folder"
    if place == "config.json":
        huggingface_model().save_pretrained(folder)
        (folder / place).unlink()
    elif place:
        folder.mkdir()
    path = folder / place if place else folder
    os.mkfifo(path)
    words = refusal(folder)
    assert message("file_contents_own") in words or place == "hparams.json"


@pytest.mark.skipif(os.name == "nt", reason="Windows has no such files")
def test_that_devices_and_sockets_are_no_files_of_weights(tmp_path):
    assert message("file_contents_own") in refusal(Path("/dev/zero"))
    with socket.socket(socket.AF_UNIX) as server:
        server.bind(str(tmp_path / "s"))
        assert refusal(tmp_path / "s")


@pytest.mark.parametrize(
    ("values", "words"),
    [
        (b"", "it is not valid JSON"),
        (b"[" * 100_000, "it is not valid JSON"),
        (b"[1]", "it is not a JSON object with names and values."),
        (b'{"n_embd": ' + b"9" * 5000 + b"}", "it is not valid JSON"),
        (b" " * 5_000_000, "is larger than 4 MB"),
        (b"\xff\xfe{}", "it is not valid JSON"),
        (b'{"model_type": "llama"}', "llama"),
        (b'{"model_type": "gpt2", "n_embd": 64, "n_head": 2, "n_layer": 1000000000}', "n_layers is 1,000,000,000"),
        (b'{"model_type": "gpt2", "n_embd": "64"}', "n_embd in config.json"),
        (
            b'{"model_type": "gpt2", "vocab_size": 98, "n_positions": 16, "n_embd": 64, "n_head": 2, "n_layer": 2}',
            "expected (98, 64)",
        ),
    ],
)
def test_that_an_impossible_config_json_is_refused(tmp_path, values, words):
    huggingface_model().save_pretrained(tmp_path)
    (tmp_path / "config.json").write_bytes(values)
    assert words in refusal(tmp_path)


@pytest.mark.parametrize(
    ("index", "words"),
    [
        ({}, "it does not say which file contains each tensor."),
        ({"weight_map": {"wte.weight": "../../etc/passwd"}}, "refers to the file ../../etc/passwd"),
        ({"weight_map": {"wte.weight": "/etc/passwd"}}, "refers to the file /etc/passwd"),
        ({"weight_map": {"wte.weight": "..\\model-00001-of-00001.bin"}}, "which is not part of a model."),
        ({"weight_map": {"wte.weight": 3}}, "refers to the file 3"),
        ({"weight_map": {"wte.weight": ["x"]}}, "which is not part of a model."),
        ({"weight_map": {"other": "model-00001-of-00001.safetensors"}}, "other should be in it"),
    ],
)
def test_that_a_false_index_is_refused(tmp_path, index, words):
    header = {"a": {"dtype": "F32", "shape": [2], "data_offsets": [0, 8]}}
    safetensors(tmp_path / "model-00001-of-00001.safetensors", header, bytes(8))
    (tmp_path / "model.safetensors.index.json").write_text(json.dumps(index))
    assert words in refusal(tmp_path / "model.safetensors.index.json")


def test_that_a_model_that_lacks_a_tensor_or_has_another_is_refused_by_name(tmp_path):
    state = book_state()
    torch.save({name: tensor for name, tensor in state.items() if name != "final_norm.scale"}, tmp_path / "a.pth")
    torch.save(state | {"classifier.weight": torch.ones(2)}, tmp_path / "b.pth")
    torch.save(state | {"final_norm.scale": torch.ones(TINY.emb_dim + 1)}, tmp_path / "c.pth")
    assert "final_norm.scale" in refusal(tmp_path / "a.pth")
    assert "classifier.weight" in refusal(tmp_path / "b.pth")
    assert "final_norm.scale has the shape (65,)" in refusal(tmp_path / "c.pth")
