"""Real files of weights that were cut off, damaged, or changed: opened, or refused with a message."""

import io
import json
import random
import zipfile
from contextlib import suppress
from functools import cache
from pathlib import Path

import pytest
import torch
from hypothesis import assume, given, settings
from hypothesis import strategies as st
from imported_model import import_weights
from mutations import MEMORY, reading, some_bytes, some_header, some_value, try_all
from safetensors.torch import save
from weight_files import TINY, book_model, book_state, number, saved, tensor_code, text, zipped

from gptstudio import devices, files, paths
from gptstudio.cli import weights as command
from gptstudio.gui.weights import model_dialogs
from gptstudio.training import checkpoint, imported_models
from gptstudio.training.model_source import UntrainedModel
from gptstudio.weights_io import importing
from gptstudio.weights_io.exporting import FORMATS
from gptstudio.weights_io.refusals import ExchangeError

pytestmark = pytest.mark.fault(27)
fuzzed = pytest.mark.usefixtures("share_of_cases")
SMALL = TINY.but(vocab_size=40, context_length=8, emb_dim=8)


@cache
def real_files() -> dict[str, bytes]:
    """Return the contents of one model's files, by their endings."""
    state = book_state(SMALL)
    optimizer = torch.optim.AdamW(book_model().parameters()).state_dict()
    return {
        ".pth": saved({"model_state_dict": state, "optimizer_state_dict": optimizer}),
        ".bin": saved(state),
        ".safetensors": save({name: tensor for name, tensor in state.items() if "mask" not in name}),
    }


ENDINGS = (".pth", ".bin", ".safetensors")


def look(path: Path) -> None:
    """Do everything that is done with weights before they are imported."""
    importing.read(importing.inspect(path))


@pytest.mark.parametrize("ending", ENDINGS)
def test_that_a_file_cut_off_anywhere_is_refused(tmp_path, ending, fault):
    whole, path = real_files()[ending], tmp_path / f"m{ending}"
    path.write_bytes(whole)
    look(path)
    for end in {*range(0, len(whole), len(whole) // 97), len(whole) - 1}:
        path.write_bytes(whole[:end])
        with fault.tried(f"cut at {end}"), pytest.raises(ExchangeError):
            importing.inspect(path)


@pytest.mark.parametrize("ending", ENDINGS)
@settings(max_examples=60)
@given(data=st.data())
def test_that_a_file_with_any_damage_is_opened_or_refused_with_a_message(
    tmp_path, ending, fault, memory_returned, data
):
    whole, path = bytearray(real_files()[ending]), tmp_path / f"m{ending}"
    half = st.sampled_from((len(whole), 3_000))  # few of the bytes describe the tensors
    for _ in range(data.draw(st.integers(1, 4))):
        place = data.draw(half.flatmap(lambda most: st.integers(0, min(most, len(whole)) - 1)))
        at = place if data.draw(st.booleans()) else len(whole) - 1 - place
        piece = data.draw(st.binary(min_size=1, max_size=8))
        whole[at : at + data.draw(st.integers(0, 8))] = piece
    assume(whole != real_files()[ending])
    path.write_bytes(whole)
    meter = devices.MemoryMeter("cpu")
    with suppress(ExchangeError):
        look(path)
    assert meter.peak() < MEMORY
    fault.held()


@settings(max_examples=100)
@given(pickled=st.lists(
    st.one_of(
        st.binary(min_size=1, max_size=1),
        st.sampled_from([b"}", b"]", b")", b"(", b"t", b"R", b"s", b"u", b"e", b"Q", b"b", b"q\x00", b"h\x00"]),
        st.sampled_from([text("x"), text("storage"), text("0"), number(5), number(0), b"N", b"K\x04", b"\x89"]),
        st.sampled_from([
            b"ctorch\nFloatStorage\n", b"ctorch._utils\n_rebuild_tensor_v2\n", b"ccollections\nOrderedDict\n",
            tensor_code(5, (5,), (1,)), tensor_code(4, (2, 2), (2, 1)),
        ]),
    ),
    max_size=30,
))
def test_that_any_pickle_is_refused_with_a_message(tmp_path, fault, pickled):
    path = zipped(tmp_path / "m.pth", b"\x80\x02" + b"".join(pickled) + b".", {"0": bytes(20)})
    with pytest.raises(ExchangeError):
        importing.inspect(path)
    fault.held()


@fuzzed
def test_that_any_header_is_opened_or_refused(tmp_path, fault):
    path = tmp_path / "m.safetensors"
    read = reading(path, lambda: look(path))
    try_all(fault, "safetensors", read, [real_files()[".safetensors"]], 1200, some_header, refusal=ExchangeError)


@fuzzed
def test_that_a_changed_pickle_is_opened_or_refused(tmp_path, fault):
    """Changes the instructions themselves, in a zip with correct checksums and in the older kind of file."""
    with zipfile.ZipFile(io.BytesIO(real_files()[".pth"])) as archive:
        parts = {name.split("/", 1)[1]: archive.read(name) for name in archive.namelist()}
    pickled = parts["data.pkl"]
    numbers = {name.removeprefix("data/"): data for name, data in parts.items() if name.startswith("data/")}

    def read(data: bytes) -> None:
        look(zipped(tmp_path / "m.pth", data, numbers))

    try_all(fault, "pickle", read, [pickled], 500, some_bytes, refusal=ExchangeError)
    old = tmp_path / "m.bin"
    whole = [real_files()[".bin"]]
    try_all(fault, "pth", reading(old, lambda: look(old)), whole, 400, some_start, refusal=ExchangeError)


def some_start(whole: bytes, rng: random.Random) -> bytes:
    """Return a file of the older kind with a change where it describes its tensors."""
    return some_bytes(whole[:3000], rng) + whole[3000:]


@pytest.mark.parametrize("name", ["config.json", "model.safetensors.index.json"])
@fuzzed
def test_that_the_description_of_a_published_model_is_understood_or_refused(tmp_path, fault, name):
    folder = tmp_path / "published"
    FORMATS["huggingface"].export(UntrainedModel(SMALL), folder)
    weights, part = folder / "model.safetensors", "model-00001-of-00001.safetensors"
    if name != "config.json":
        names = list(importing.inspect(weights).tensors)
        weights.rename(folder / part)
        index = {"metadata": {"total_size": 1}, "weight_map": dict.fromkeys(names, part)}
        (folder / name).write_text(json.dumps(index))
    file = folder / name
    whole = file.read_bytes()
    read = reading(file, lambda: look(folder))
    try_all(fault, name, read, [whole], 600, some_value, some_bytes, refusal=ExchangeError)


@pytest.mark.parametrize(("name", "ours"), [("vocab.json", "encoder.json"), ("merges.txt", "vocab.bpe")])
@fuzzed
def test_that_a_tokenizer_of_a_published_model_is_gpt2s_or_refused(tmp_path, fault, name, ours):
    FORMATS["huggingface"].export(UntrainedModel(SMALL), tmp_path / "published")
    file = tmp_path / "published" / name
    whole = (paths.resources() / "gpt2" / ours).read_bytes()
    read = reading(file, lambda: look(file.parent))
    try_all(fault, name, read, [whole], 40, some_bytes, refusal=ExchangeError)


@fuzzed
def test_that_a_model_whose_origin_is_damaged_is_still_listed(fault):
    model = import_weights(SMALL)
    file = model / imported_models.ORIGIN

    def read() -> None:
        assert [each.path for each in model_dialogs.listed()] == [model]
        command.list_models(json=False)

    whole = json.dumps({"kind": "book", "source": "m.pth", "sha256": {"m.pth": "0" * 64}}).encode()
    try_all(fault, "origin", reading(file, read), [whole], 200, some_value, some_bytes)


@pytest.mark.parametrize(("state", "words"), [
    ('{"format": 1, "config": ' + "[" * 200_000 + "]" * 200_000 + "}", "is not a valid checkpoint state."),
    ("[" + "[]," * 2_000_000 + "1]", "larger than 4 MB"),
], ids=["nested", "huge"])
def test_that_a_state_that_would_take_all_memory_is_refused_with_a_message(state, words):
    model = import_weights(TINY)
    (model / checkpoint.STATE).write_text(state)
    names = (checkpoint.WEIGHTS, checkpoint.STATE, imported_models.ORIGIN)
    (model / checkpoint.SUMS).write_text("".join(f"{files.sha256(model / name)}  {name}\n" for name in names))
    with pytest.raises(ExchangeError, match=words):
        importing.inspect(model)
