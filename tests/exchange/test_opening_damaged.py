"""Real files that were cut off or damaged are opened or refused in words, and never with anything else."""

from contextlib import suppress

import pytest
import torch
from brought_in import bring_in
from hypothesis import given, settings
from hypothesis import strategies as st
from safetensors.torch import save
from weight_files import MEMORY, TINY, book_model, book_state, number, saved, tensor_said, text, zipped

from gptstudio import devices, files
from gptstudio.exchange import opening
from gptstudio.exchange.errors import ExchangeError
from gptstudio.runs import checkpoint, library


def real_files() -> dict[str, bytes]:
    state = book_state(TINY.but(vocab_size=40, context_length=8, emb_dim=8))
    optimizer = torch.optim.AdamW(book_model().parameters()).state_dict()
    return {
        ".pth": saved({"model_state_dict": state, "optimizer_state_dict": optimizer}),
        ".bin": saved(state, _use_new_zipfile_serialization=False),
        ".safetensors": save({name: tensor for name, tensor in state.items() if "mask" not in name}),
    }


REAL = real_files()


@pytest.mark.parametrize("ending", REAL)
def test_that_a_file_cut_off_anywhere_is_refused(tmp_path, ending):
    whole, path = REAL[ending], tmp_path / f"m{ending}"
    path.write_bytes(whole)
    assert opening.read(opening.inspect(path))
    for end in {*range(0, len(whole), len(whole) // 97), len(whole) - 1}:
        path.write_bytes(whole[:end])
        with pytest.raises(ExchangeError):
            opening.inspect(path)


@pytest.mark.parametrize("ending", REAL)
@settings(max_examples=200)
@given(data=st.data())
def test_that_a_file_damaged_anyhow_is_opened_or_refused_in_words(tmp_path, ending, data):
    whole, path = bytearray(REAL[ending]), tmp_path / f"m{ending}"
    half = st.sampled_from((len(whole), 3_000))  # what is said of the tensors stands in few of the bytes
    for _ in range(data.draw(st.integers(1, 4))):
        place = data.draw(half.flatmap(lambda most: st.integers(0, min(most, len(whole)) - 1)))
        at = place if data.draw(st.booleans()) else len(whole) - 1 - place
        piece = data.draw(st.binary(min_size=1, max_size=8))
        whole[at : at + data.draw(st.integers(0, 8))] = piece
    path.write_bytes(whole)
    meter = devices.MemoryMeter("cpu")
    with suppress(ExchangeError):
        opening.read(opening.inspect(path))
    assert meter.peak() < MEMORY


@settings(max_examples=300)
@given(pickled=st.lists(
    st.one_of(
        st.binary(min_size=1, max_size=1),
        st.sampled_from([b"}", b"]", b")", b"(", b"t", b"R", b"s", b"u", b"e", b"Q", b"b", b"q\x00", b"h\x00"]),
        st.sampled_from([text("x"), text("storage"), text("0"), number(5), number(0), b"N", b"K\x04", b"\x89"]),
        st.sampled_from([
            b"ctorch\nFloatStorage\n", b"ctorch._utils\n_rebuild_tensor_v2\n", b"ccollections\nOrderedDict\n",
            tensor_said(5, (5,), (1,)), tensor_said(4, (2, 2), (2, 1)),
        ]),
    ),
    max_size=30,
))
def test_that_any_pickle_is_refused_in_words(tmp_path, pickled):
    path = zipped(tmp_path / "m.pth", b"\x80\x02" + b"".join(pickled) + b".", {"0": bytes(20)})
    with pytest.raises(ExchangeError):
        opening.inspect(path)


@pytest.mark.parametrize(("state", "words"), [
    ('{"format": 1, "config": ' + "[" * 200_000 + "]" * 200_000 + "}", "is not the state of a checkpoint"),
    ("[" + "[]," * 2_000_000 + "1]", "larger than 4 MB"),
], ids=["nested", "huge"])
def test_that_a_state_that_would_take_all_memory_is_refused_in_words(state, words):
    model = bring_in(TINY)
    (model / checkpoint.STATE).write_text(state)
    names = (checkpoint.WEIGHTS, checkpoint.STATE, library.ORIGIN)
    (model / checkpoint.SUMS).write_text("".join(f"{files.sha256(model / name)}  {name}\n" for name in names))
    with pytest.raises(ExchangeError, match=words):
        opening.inspect(model)
