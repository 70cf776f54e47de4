"""An imported model is complete and records its origin, or does not exist at all."""

import hashlib
import json
import os
import shutil
from dataclasses import replace

import pytest
import torch
import warm_python
from disks import disk_is_full
from messages import message
from safetensors.torch import load_file, save_file
from weight_files import TINY, book_model, book_state, huggingface_model

import gptstudio
from gptstudio import devices, files, paths
from gptstudio.gpt import sizing, weights
from gptstudio.gpt.config import GPTConfig
from gptstudio.gpt.model import GPTModel
from gptstudio.training import checkpoint, checkpoint_files
from gptstudio.training.control import Stopped
from gptstudio.weights_io import importing, stored_tensors
from gptstudio.weights_io.refusals import ExchangeError


@pytest.fixture
def book_file(tmp_path):
    path = tmp_path / "from a friend.pth"
    torch.save(book_state(), path)
    return path


def kept() -> list[str]:
    """Return everything in the user's folder of models."""
    return sorted(os.listdir(paths.models())) if paths.models().is_dir() else []


def test_that_it_is_a_copy_in_fp32_with_its_digests(tmp_path):
    state = {name: tensor.bfloat16() for name, tensor in book_model().state_dict().items()}
    save_file(state, tmp_path / "m.safetensors")
    imported = importing.import_weights(importing.inspect(tmp_path / "m.safetensors", n_heads=2))
    assert imported.path == paths.models() / "m"
    stored = load_file(imported.path / "model.safetensors")
    assert stored.keys() == state.keys()
    assert all(torch.equal(stored[name], tensor.float()) for name, tensor in state.items())
    found = checkpoint_files.read_state(imported.path)
    assert (found.step, found.tokens_seen, found.val_loss) == (0, 0, None)
    assert found.config.but(drop_rate=TINY.drop_rate) == TINY
    for name in ("model.safetensors", "state.json", "origin.json"):
        checkpoint_files.check_sum(imported.path / name)


def test_that_its_origin_is_recorded(book_file):
    imported = importing.import_weights(importing.inspect(book_file), notes={"repository": "someone/gpt2"})
    origin = json.loads((imported.path / "origin.json").read_text(encoding="utf-8"))
    assert origin.pop("date").startswith("20")
    assert origin == {
        "source": "from a friend.pth", "kind": "book", "stored": "fp32", "heads_read": False,
        "sha256": {"from a friend.pth": hashlib.sha256(book_file.read_bytes()).hexdigest()},
        "version": gptstudio.__version__, "repository": "someone/gpt2",
    }


def test_that_an_existing_model_is_not_overwritten(book_file):
    found = importing.inspect(book_file)
    names = [importing.import_weights(found, name).name for name in (None, "from a friend", "gpt2-small", "../up")]
    assert names == ["from a friend", "from a friend-2", "gpt2-small-2", "up"]
    assert kept() == sorted(names)


@pytest.mark.parametrize("moment", ["before it is written", "before it has its name"])
def test_that_another_program_may_take_the_name_meanwhile(book_file, monkeypatch, moment):
    found, (module, name) = importing.inspect(book_file), MOMENTS[moment]
    real = getattr(module, name)

    def overtaken(*args):
        monkeypatch.setattr(module, name, real)
        importing.import_weights(found)
        return real(*args)

    monkeypatch.setattr(module, name, overtaken)
    assert importing.import_weights(found).name == "from a friend-2"
    assert kept() == ["from a friend", "from a friend-2"]


MOMENTS = {"before it is written": (checkpoint, "write_model"), "before it has its name": (checkpoint.os, "rename")}


def test_that_progress_is_reported_in_bytes_up_to_all(tmp_path):
    huggingface_model().save_pretrained(tmp_path / "m", max_shard_size="100KB")
    reports = []
    found = importing.inspect(tmp_path / "m")
    importing.import_weights(found, progress=lambda done, total: reports.append((done, total)))
    done, totals = [now for now, _ in reports], {total for _, total in reports}
    assert done == sorted(done)
    assert {done[-1]} == totals


def test_that_it_can_be_interrupted_at_any_moment_and_leaves_nothing(book_file):
    found, moments = importing.inspect(book_file), []
    imported = importing.import_weights(found, progress=lambda done, total: moments.append(done))
    shutil.rmtree(imported.path)
    assert moments.count(moments[-1]) > 2  # also while it is saved
    for moment in range(len(moments)):
        left = iter(range(moment))

        def progress(done: int, total: int, left=left) -> None:
            if next(left, None) is None:
                raise Stopped

        with pytest.raises(Stopped):
            importing.import_weights(found, progress=progress)
        assert kept() == []


WEIGH = """
import sys
from pathlib import Path
from gptstudio import devices
from gptstudio.training import checkpoint
from gptstudio.weights_io import importing

found = importing.inspect(Path(sys.argv[1]))
meter = devices.MemoryMeter("cpu")
importing.import_weights(found)
print(found.kind, found.bytes, meter.peak())
"""


@pytest.mark.parametrize("kind", ["book", "huggingface", "half"])
def test_that_the_weights_are_in_memory_once(tmp_path, kind):
    """48 million parameters: 193 MB in fp32, of which the largest matrix has 19."""
    config = GPTConfig(vocab_size=3000, context_length=64, emb_dim=1088, n_heads=17, n_layers=3, qkv_bias=True)
    with torch.device("meta"):
        shapes = GPTModel(config).state_dict()
    state = {name: torch.full(each.shape, 0.02, dtype=each.dtype) for name, each in shapes.items()}
    if kind == "huggingface":
        state = weights.to_huggingface(state, config)
    elif kind == "half":
        state = {name: tensor.half() for name, tensor in state.items()}
    torch.save(state, tmp_path / "m.pth")
    done = warm_python.run("-c", WEIGH, tmp_path / "m.pth", check=True)
    _, size, added = done.stdout.split()
    whole = sizing.weight_bytes(config)
    assert int(size) > 0.4 * whole
    assert int(added) < 1.3 * whole, done.stdout


def test_that_a_full_disk_is_reported_before_anything_is_read(book_file, monkeypatch):
    found = importing.inspect(book_file)
    monkeypatch.setattr(files, "free_bytes", lambda folder: 100_000)
    monkeypatch.setattr(stored_tensors, "read", None)
    with pytest.raises(ExchangeError, match=r"the copy needs 0\.4 MB and 5 % in reserve, but only 97\.7 KB are free"):
        importing.import_weights(found)


def test_that_too_little_memory_leaves_nothing(book_file, monkeypatch):
    found = importing.inspect(book_file)
    small = replace(devices.cpu(), free_bytes=500_000)
    monkeypatch.setattr(devices, "cpu", lambda: small)
    with pytest.raises(ExchangeError, match=message("there_is_not_enough_memory")):
        importing.import_weights(found)
    assert kept() == []


def test_that_a_disk_that_fails_leaves_nothing(book_file, monkeypatch):
    found = importing.inspect(book_file)

    monkeypatch.setattr(checkpoint.files, "write_whole", disk_is_full)
    with pytest.raises(ExchangeError, match=r"Could not save the model to .* No space left"):
        importing.import_weights(found)
    assert kept() == []


def test_that_a_model_with_nan_leaves_nothing(book_file):
    state = book_state()
    state["out_head.weight"][0, 0] = float("nan")
    torch.save(state, book_file)
    with pytest.raises(ExchangeError, match=r"out_head\.weight"):
        importing.import_weights(importing.inspect(book_file))
    assert kept() == []


def test_that_an_imported_model_can_be_imported_elsewhere(book_file):
    first = importing.import_weights(importing.inspect(book_file, n_heads=2))
    found = importing.inspect(first.path)
    assert (found.kind, found.config.n_heads, found.name) == ("gptstudio", 2, first.name)
    second = importing.import_weights(found)
    assert (second.path / "model.safetensors").read_bytes() == (first.path / "model.safetensors").read_bytes()
