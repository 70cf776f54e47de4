"""Files made to do harm are refused in words: none runs code, takes long, or takes memory that it does not have."""

import os
import pickle
import random
import struct
import zipfile
from pathlib import Path

import bombs
import pytest
import torch
from weight_files import book_state, judged, number, state_said, tensor_said, zipped

from gptstudio.exchange import opening
from gptstudio.exchange.errors import ExchangeError


class Touches:
    """Something that creates a file when it is unpickled."""

    def __init__(self, path: Path):
        self.path = path

    def __reduce__(self):
        return os.system, (f"touch {self.path}",)


# What a .pth can be made to do.


def calling(name: str, *arguments: bytes) -> bytes:
    return f"\x80\x02c{name}\n(".encode("latin-1") + b"".join(arguments) + b"tR."


def said(elements, shape, stride, offset=0, data=400):
    """A file with one tensor of these figures, whose storage has ``data`` bytes."""
    pickled = state_said("tok_emb.weight", tensor_said(elements, shape, stride, offset))
    return lambda path: zipped(path, pickled, {"0": bytes(data)})


def twice(path: Path) -> Path:
    with zipfile.ZipFile(path, "w") as archive:
        archive.writestr("a/data.pkl", b"\x80\x02}.")
        archive.writestr("a/data/0", b"1234")
        with pytest.warns(UserWarning, match="Duplicate name"):
            archive.writestr("a/data/0", b"5678")
    return path


def other_order(path: Path) -> Path:
    with zipfile.ZipFile(path, "w") as archive:
        archive.writestr("a/data.pkl", b"\x80\x02}.")
        archive.writestr("a/byteorder", b"big")
    return path


PTH = {
    "zip bomb": (bombs.deflated, "is compressed"),
    "zip bomb that denies it": (bombs.stored_by_name_only, "is compressed or has a password"),
    "overlapping entries": (bombs.same_entry_often, "does not lie where its table of contents says"),
    "endless contents": (bombs.endless_contents, "its table of contents would take"),
    "two gigabytes": (lambda p: zipped(p, calling("builtins\nbytearray", number(2**31))), "names builtins.bytearray"),
    "two gigabytes, in Python 2": (
        lambda p: zipped(p, calling("__builtin__\nbytearray", number(2**31))), "names __builtin__.bytearray"
    ),
    "two gigabytes in a word": (
        lambda p: zipped(p, b"\x80\x05\x96" + struct.pack("<Q", 2**31) + b"x."), "cannot be read"
    ),
    "a text of two gigabytes": (lambda p: zipped(p, b"\x80\x02X" + struct.pack("<I", 2**31) + b"x."), "cannot be read"),
    "a number of a million digits": (lambda p: zipped(p, b"\x80\x02L" + b"9" * 2**20 + b"L\n."), "cannot be read"),
    "billion references": (bombs.billion_references, "holds no state dict"),
    "deep key": (bombs.deep_key, "cannot be read"),
    "wide key": (bombs.wide_key, "cannot be read"),
    "wide name": (bombs.wide_name, "cannot be read"),
    "alike keys": (bombs.alike_keys, "cannot be read"),
    "far memo": (lambda p: zipped(p, b"\x80\x02}r\xff\xff\xff\xff."), "holds no state dict"),
    "many steps": (lambda p: zipped(p, b"\x80\x02" + b"N" * 3_000_000 + b"."), "takes more than 400,000 steps"),
    "long pickle": (lambda p: zipped(p, b"\x80\x02" + b"N" * 5_000_000 + b"."), "its list of tensors takes 5 MB"),
    "shared storage": (bombs.shared_storage, "would take more than twice"),
    "stride 0": (said(4, (2**17, 2**16), (0, 0), data=16), "8,589,934,592 numbers"),
    "stride 0 in one dimension": (said(100, (100, 100), (0, 1)), "10,000 numbers"),
    "far stride": (said(100, (2, 2), (2**40, 1)), "its storage in the file has 100"),
    "far offset": (said(100, (10, 10), (10, 1), 2**40), "its storage in the file has 100"),
    "negative offset": (said(100, (10, 10), (10, 1), -4), "cannot be read"),
    "negative shape": (said(100, (-10, -10), (10, 1)), "cannot be read"),
    "endless shape": (said(2**62, (2**62,), (1,)), "cannot be read"),
    "storage longer than the file": (said(2**40, (2**20, 2**20), (2**20, 1)), "should have 4,398,046,511,104 bytes"),
    "storage of another length": (said(101, (101,), (1,)), "should have 404 bytes and has 400"),
    "no storage": (
        lambda p: zipped(p, state_said("x", tensor_said(9, (9,), (1,)))), "should have 36 bytes and is not there"
    ),
    "entry twice": (twice, "have the same name"),
    "big-endian": (other_order, "byte order of another kind of computer"),
    "noise": (lambda p: zipped(p, random.Random(1).randbytes(1000)), "was not opened"),
    "no stop": (lambda p: zipped(p, b"\x80\x02}"), "cannot be read"),
    "empty": (lambda p: zipped(p, b""), "cannot be read"),
}


@pytest.mark.parametrize("case", PTH)
def test_that_a_hostile_pth_is_refused_in_no_time_and_no_memory(tmp_path, case):
    make, words = PTH[case]
    answer = judged(make(tmp_path / "m.pth"))
    assert answer.startswith("refused:"), answer[:500]
    assert words in answer
    assert len(answer) < 1000


@pytest.mark.parametrize("how", ["zip", "legacy", "plain", "in the optimizer", "as a key", "a global", "an instance"])
def test_that_no_code_is_run(tmp_path, how):
    marker, path = tmp_path / "it ran", tmp_path / "m.pth"
    marker_of = Touches(tmp_path / "'it ran'")
    value = {"tok_emb.weight": torch.ones(2, 2), "x": marker_of}
    match how:
        case "zip":
            torch.save(value, path)
        case "legacy":
            torch.save(value, path, _use_new_zipfile_serialization=False)
        case "plain":
            path.write_bytes(pickle.dumps(marker_of))
        case "in the optimizer":
            torch.save({"model_state_dict": book_state(), "optimizer_state_dict": {"state": marker_of}}, path)
        case "as a key":
            torch.save({marker_of: 1}, path)
        case "a global":
            zipped(path, f"\x80\x02cos\nsystem\n(Xx\x00\x00\x00touch {marker}tR.".encode("latin-1"))
        case "an instance":
            zipped(path, f"(S'touch {marker}'\nios\nsystem\n.".encode())
    with pytest.raises(ExchangeError, match="could run a program") as refused:
        opening.inspect(path)
    assert not marker.exists()
    assert "system" in str(refused.value) or how in ("plain", "an instance")


def test_that_such_a_file_would_have_run_code(tmp_path):
    """So that the test above is one."""
    torch.save(Touches(tmp_path / "ran"), tmp_path / "m.pth")
    torch.load(tmp_path / "m.pth", weights_only=False)
    assert (tmp_path / "ran").exists()
