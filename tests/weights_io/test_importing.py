"""Weights saved by other programs are opened with the same tensors and logits, and their kind is reported."""

import json
from dataclasses import replace

import pytest
import torch
from messages import message
from safetensors.torch import load_file, save_file
from weight_files import IDS, TINY, book_model, book_state, huggingface_model, saved

from gptstudio import devices
from gptstudio.training import checkpoint, imported_models, model_source
from gptstudio.training.checkpoint_files import State
from gptstudio.weights_io import importing, pth_file, stored_tensors
from gptstudio.weights_io.refusals import ExchangeError


def model_of(found):
    return checkpoint.build(found.config, importing.read(found), "reference", "cpu")


def logits(path, **how):
    with torch.no_grad():
        return model_of(importing.inspect(path, **how))(IDS)


# The book's files.


def with_optimizer() -> dict:
    model = book_model()
    optimizer = torch.optim.AdamW(model.parameters(), lr=1e-3)
    model(IDS).sum().backward()
    optimizer.step()
    return {"model_state_dict": model.state_dict(), "optimizer_state_dict": optimizer.state_dict(), "epoch": 3}


def test_that_the_book_s_state_dict_is_opened_as_it_was_saved(tmp_path):
    path = tmp_path / "model.pth"
    torch.save(book_state(), path)
    found = importing.inspect(path)
    assert (found.kind, found.name, found.stored, found.files) == ("book", "model", "fp32", (path,))
    assert found.config.but(drop_rate=TINY.drop_rate, n_heads=2) == TINY
    assert found.bytes == path.stat().st_size
    with torch.no_grad():
        assert torch.equal(logits(path, n_heads=2), book_model()(IDS))


def test_that_the_heads_are_guessed_and_reported_as_guessed(tmp_path):
    path = tmp_path / "model.pth"
    torch.save(book_state(), path)
    guessed, given = importing.inspect(path), importing.inspect(path, n_heads=4)
    assert not guessed.heads_read
    assert guessed.config.n_heads == 1  # 64 dimensions each
    assert guessed.possible_heads == (1, 2, 4, 8, 16, 32, 64)
    assert given.config == guessed.config.but(n_heads=4)
    with pytest.raises(ExchangeError, match="cannot be divided among 5 heads"):
        importing.inspect(path, n_heads=5)


def test_that_the_model_is_read_from_a_file_of_model_and_optimizer(tmp_path):
    path = tmp_path / "model_and_optimizer.pth"
    both = with_optimizer()
    torch.save(both, path)
    found = importing.inspect(path)
    assert sorted(found.tensors) == sorted(both["model_state_dict"])
    read = importing.read(found)
    assert all(torch.equal(read[name], tensor) for name, tensor in both["model_state_dict"].items())


@pytest.mark.parametrize("options", [{}, {"pickle_protocol": 3}])
def test_that_every_tensor_equals_torchs(tmp_path, options):
    path = tmp_path / "model.pth"
    turned = {"turned.weight": torch.randn(5, 7).T, "part": torch.randn(9, 4)[2:5, 1:], "one": torch.tensor(2.5)}
    torch.save(book_state() | turned | {"half": torch.randn(3).half()}, path, **options)
    expected = torch.load(path, weights_only=True)
    places = pth_file.inspect(path)
    assert places.keys() == expected.keys()
    for name, place in places.items():
        assert torch.equal(stored_tensors.read(name, place, lambda read: None), expected[name]), name


def test_that_an_output_layer_that_shares_its_numbers_is_tied(tmp_path):
    path, config = tmp_path / "tied.pth", TINY.but(tie_weights=True)
    torch.save(book_state(config), path)
    assert importing.inspect(path).config.tie_weights
    with torch.no_grad():
        assert torch.equal(logits(path, n_heads=2), book_model(config)(IDS))


# Hugging Face's.


@pytest.mark.parametrize("tie", [True, False])
@pytest.mark.parametrize("size", ["5GB", "100KB"])
@pytest.mark.parametrize("chosen", ["", "config.json", "a file"])
def test_that_a_folder_of_hugging_face_gives_its_logits(tmp_path, tie, size, chosen):
    model, folder = huggingface_model(tie), tmp_path / "fine-tune"
    model.save_pretrained(folder, max_shard_size=size)
    path = max(folder.glob("*.safetensors")) if chosen == "a file" else folder / chosen
    found = importing.inspect(path)
    assert (found.kind, found.name, found.heads_read, found.possible_heads) == ("huggingface", "fine-tune", True, (2,))
    assert found.config.tie_weights == tie
    assert len(found.files) == len(list(folder.glob("*.safetensors"))) > (size == "100KB")
    with torch.no_grad():
        assert (logits(path) - model(IDS).logits).abs().max() < 1e-5


def test_that_a_file_of_pytorch_before_1_6_is_refused_with_a_remedy(tmp_path):
    path = tmp_path / "model.pth"
    torch.save(book_state(), path, _use_new_zipfile_serialization=False)
    with pytest.raises(ExchangeError, match=r"before version 1\.6 .* save it again with torch\.save"):
        importing.inspect(path)


def test_that_a_pytorch_model_bin_with_its_buffers_is_opened(tmp_path):
    """As openai-community/gpt2 has it: without a prefix, and with the causal mask of each block."""
    model = huggingface_model()
    model.config.save_pretrained(tmp_path)
    state = dict(model.transformer.state_dict())
    state |= {f"h.{block}.attn.bias": torch.ones(16, 16, dtype=torch.uint8).tril() for block in range(2)}
    torch.save(state, tmp_path / "pytorch_model.bin")
    with torch.no_grad():
        assert (logits(tmp_path) - model(IDS).logits).abs().max() < 1e-5


def test_that_shards_of_torch_are_opened(tmp_path):
    model = huggingface_model()
    model.config.save_pretrained(tmp_path)
    state = model.transformer.state_dict()
    parts = {name: f"pytorch_model-0000{1 + place % 2}-of-00002.bin" for place, name in enumerate(state)}
    for part in set(parts.values()):
        torch.save({name: state[name] for name in state if parts[name] == part}, tmp_path / part)
    index = {"metadata": {"total_size": sum(t.nbytes for t in state.values())}, "weight_map": parts}
    (tmp_path / "pytorch_model.bin.index.json").write_text(json.dumps(index))
    with torch.no_grad():
        assert (logits(tmp_path) - model(IDS).logits).abs().max() < 1e-5


@pytest.mark.parametrize("ending", [".safetensors", ".pth"])
def test_that_the_configuration_of_a_single_file_is_read_from_its_shapes(tmp_path, ending):
    model, path = huggingface_model(), tmp_path / f"alone{ending}"
    state = model.state_dict()
    if ending == ".pth":
        torch.save(state, path)
    else:
        save_file({name: tensor for name, tensor in state.items() if name != "lm_head.weight"}, path)
    found = importing.inspect(path, n_heads=2)
    assert (found.heads_read, found.config.tie_weights, found.name) == (False, True, "alone")
    with torch.no_grad():
        assert (model_of(found)(IDS) - model(IDS).logits).abs().max() < 1e-5


def test_that_a_snapshot_of_hugging_face_s_cache_has_the_repository_s_name(tmp_path):
    folder = tmp_path / "models--someone--gpt2-poems" / "snapshots" / ("0" * 40)
    huggingface_model().save_pretrained(folder)
    assert importing.inspect(folder).name == importing.inspect(folder / "model.safetensors").name == "gpt2-poems"


def test_that_no_heads_are_asked_for_if_they_are_given(tmp_path):
    huggingface_model().save_pretrained(tmp_path)
    assert importing.inspect(tmp_path, n_heads=2).config.n_heads == 2
    with pytest.raises(ExchangeError, match="it has 2 heads"):
        importing.inspect(tmp_path, n_heads=4)


def test_that_a_missing_shard_is_named(tmp_path):
    huggingface_model().save_pretrained(tmp_path, max_shard_size="100KB")
    lost = min(tmp_path.glob("*.safetensors"))
    lost.unlink()
    with pytest.raises(ExchangeError, match=rf"files are missing \(1 of \d+\): {lost.name}"):
        importing.inspect(tmp_path)


# Their values.


@pytest.mark.parametrize(
    ("dtype", "words"), [(torch.float64, "fp64"), (torch.float16, "fp16"), (torch.bfloat16, "bf16")]
)
@pytest.mark.parametrize("ending", [".safetensors", ".pth"])
def test_that_other_floats_are_read_as_fp32(tmp_path, dtype, words, ending):
    path = tmp_path / f"m{ending}"
    state = {name: tensor.to(dtype) for name, tensor in book_model().state_dict().items()}
    (torch.save if ending == ".pth" else save_file)(state, path)
    found = importing.inspect(path)
    assert found.stored == words
    read = importing.read(found)
    assert all(torch.equal(read[name], tensor.float()) for name, tensor in state.items())


def test_that_other_types_of_numbers_are_refused_by_name(tmp_path):
    state = book_model().state_dict() | {"final_norm.scale": torch.ones(64, dtype=torch.int8)}
    save_file(state, tmp_path / "m.safetensors")
    with pytest.raises(ExchangeError, match=r"final_norm\.scale is stored as I8"):
        importing.inspect(tmp_path / "m.safetensors")


@pytest.mark.parametrize("bad", [float("nan"), float("inf"), -float("inf")])
@pytest.mark.parametrize("ending", [".safetensors", ".pth"])
def test_that_values_that_are_not_finite_are_refused_with_their_tensor(tmp_path, bad, ending):
    state, path = book_model().state_dict(), tmp_path / f"m{ending}"
    state["trf_blocks.1.norm2.shift"][5] = bad
    (torch.save if ending == ".pth" else save_file)(state, path)
    found = importing.inspect(path)
    with pytest.raises(ExchangeError, match=r"trf_blocks\.1\.norm2\.shift contains values that are not valid numbers"):
        importing.read(found)


def test_that_values_too_large_for_fp32_are_refused(tmp_path):
    state = {name: tensor.double() for name, tensor in book_model().state_dict().items()}
    state["pos_emb.weight"][3, 3] = 1e300
    torch.save(state, tmp_path / "m.pth")
    with pytest.raises(ExchangeError, match=r"pos_emb\.weight contains values that are not valid numbers"):
        importing.read(importing.inspect(tmp_path / "m.pth"))


def test_that_a_flipped_bit_in_a_pth_is_noticed(tmp_path):
    path = tmp_path / "m.pth"
    torch.save(book_state(), path)
    found, data = importing.inspect(path), bytearray(path.read_bytes())
    data[found.tensors["tok_emb.weight"].offset + 1000] ^= 1
    path.write_bytes(data)
    with pytest.raises(ExchangeError, match=r"tok_emb\.weight has the wrong checksum"):
        importing.read(importing.inspect(path))


def test_that_missing_checksums_are_accepted(tmp_path):
    torch.serialization.set_crc32_options(False)
    try:
        torch.save(book_state(), tmp_path / "m.pth")
    finally:
        torch.serialization.set_crc32_options(True)
    assert importing.read(importing.inspect(tmp_path / "m.pth"))


def test_that_a_file_that_shrinks_while_it_is_read_is_refused(tmp_path):
    path = tmp_path / "m.pth"
    path.write_bytes(saved(book_state()))
    found = importing.inspect(path)
    path.write_bytes(path.read_bytes()[:20_000])
    with pytest.raises(ExchangeError, match=message("became_another_since")):
        importing.read(found)


# The program's own.


def saved_by_us(folder):
    state = State(config=TINY, step=7, epoch=0, tokens_seen=70, val_loss=None)
    return checkpoint.write(checkpoint.weights_of(book_model()), folder, state)


def test_that_a_checkpoint_of_this_program_is_opened(tmp_path):
    path = saved_by_us(tmp_path / "my run" / "checkpoints")
    for chosen in (path, path / "model.safetensors", path / "state.json"):
        found = importing.inspect(chosen)
        assert (found.kind, found.name, found.heads_read, found.config) == ("gptstudio", "my run", True, TINY)
    with torch.no_grad():
        assert torch.equal(logits(path), book_model()(IDS))


def test_that_a_run_s_folder_means_its_newest_checkpoint(tmp_path):
    path = saved_by_us(tmp_path / "my run" / "checkpoints")
    (tmp_path / "my run" / "run.json").write_text("{}")
    assert importing.inspect(tmp_path / "my run").files == (path / "model.safetensors",)


def test_that_a_checkpoint_that_was_changed_is_refused(tmp_path):
    path = saved_by_us(tmp_path / "checkpoints")
    tensors = load_file(path / "model.safetensors")
    tensors["tok_emb.weight"] = tensors["tok_emb.weight"] + 1
    save_file(tensors, path / "model.safetensors")
    with pytest.raises(ExchangeError, match=message("cut_off_changed")):
        importing.read(importing.inspect(path))


@pytest.mark.parametrize("when", ["before it is read", "while it is read"])
def test_that_a_file_that_was_replaced_since_it_was_opened_is_refused(tmp_path, when):
    """The places of its tensors are then those of another file."""
    path, state = tmp_path / "model.safetensors", {name: tensor.contiguous() for name, tensor in book_state().items()}
    save_file(state, path)
    found = importing.inspect(path)

    def replaced(*_):
        save_file(state, path, {"notes": "another header" * 100})

    if when == "before it is read":
        replaced()
    with pytest.raises(ExchangeError, match=message("became_another_since")):
        importing.import_weights(found, progress=replaced)
    assert not imported_models.all_models()


def test_that_a_model_too_large_for_the_memory_is_refused_before_it_is_read(tmp_path, monkeypatch):
    torch.save(book_state(), tmp_path / "m.pth")
    found = importing.inspect(tmp_path / "m.pth")
    small = replace(devices.cpu(), free_bytes=500_000)
    monkeypatch.setattr(devices, "cpu", lambda: small)
    monkeypatch.setattr(stored_tensors, "read", None)
    with pytest.raises(ExchangeError, match="not enough memory to open these weights"):
        importing.read(found)


def test_that_an_imported_model_is_a_source(tmp_path):
    torch.save(book_state(), tmp_path / "m.pth")
    imported = importing.import_weights(importing.inspect(tmp_path / "m.pth", n_heads=2))
    assert model_source.resolve("m") == imported
    with torch.no_grad():
        assert torch.equal(model_source.load(imported, devices.cpu(), "reference")(IDS), book_model()(IDS))
