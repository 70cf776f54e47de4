"""Files made to do harm are refused with a message: none runs code, takes two seconds, or takes 200 MB.

Nothing here ever calls ``torch.load``: an interpreter that makes no calls follows the instructions of a pickle.
"""

import json
import os
import pickle
import random
import struct
import sys
import zipfile
from pathlib import Path

import bombs
import pytest
import torch
import warm_python
from lies import SAFETENSORS
from messages import message
from weight_files import TINY, book_model, book_state, number, state_pickle, tensor_code, zipped

from gptstudio.units import MB
from gptstudio.weights_io import importing
from gptstudio.weights_io.refusals import ExchangeError

pytestmark = pytest.mark.fault(6)

SECONDS, MEMORY = 2, 200 * MB


class Touches:
    """An object that creates a file when it is unpickled."""

    def __init__(self, path: Path):
        self.path = path

    def __reduce__(self):
        return os.system, (f"touch {self.path}",)


# Harm that a .pth can do.


def calling(name: str, *arguments: bytes) -> bytes:
    return f"\x80\x02c{name}\n(".encode("latin-1") + b"".join(arguments) + b"tR."


def one_tensor(elements, shape, stride, offset=0, data=400):
    """Return a file with one tensor of this shape, stride and offset, whose storage has ``data`` bytes."""
    pickled = state_pickle("tok_emb.weight", tensor_code(elements, shape, stride, offset))
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


NO_STATE_DICT = (
    "it contains no state dict: a dict from names to tensors, either alone or as 'model_state_dict' beside an "
    "optimizer."
)
PTH = {
    "zip bomb": (bombs.deflated, "is compressed"),
    "zip bomb that denies it": (
        bombs.stored_by_name_only, "in it is compressed or password-protected, which torch never does;"
    ),
    "overlapping entries": (bombs.same_entry_often, "is not where its table of contents says."),
    "endless contents": (bombs.endless_contents, "its table of contents would take"),
    "two gigabytes": (
        lambda p: zipped(p, calling("builtins\nbytearray", number(2**31))), "contains no state dict"
    ),
    "two gigabytes, in Python 2": (
        lambda p: zipped(p, calling("__builtin__\nbytearray", number(2**31))), "contains no state dict"
    ),
    "two gigabytes in a word": (
        lambda p: zipped(p, b"\x80\x05\x96" + struct.pack("<Q", 2**31) + b"x."), "cannot be read"
    ),
    "a text of two gigabytes": (lambda p: zipped(p, b"\x80\x02X" + struct.pack("<I", 2**31) + b"x."), "cannot be read"),
    "a number of a million digits": (lambda p: zipped(p, b"\x80\x02L" + b"9" * 2**20 + b"L\n."), "cannot be read"),
    "billion references": (bombs.billion_references, NO_STATE_DICT),
    "dicts in each other": (bombs.dicts_in_each_other, NO_STATE_DICT),
    "class in class": (bombs.class_in_class, "cannot be read"),
    "deep key": (bombs.deep_key, "contains no state dict"),
    "wide key": (bombs.wide_key, "contains no state dict"),
    "wide name": (bombs.wide_name, "cannot be read"),
    "alike keys": (bombs.alike_keys, "contains no state dict"),
    "far memo": (lambda p: zipped(p, b"\x80\x02}r\xff\xff\xff\xff."), NO_STATE_DICT),
    "many steps": (lambda p: zipped(p, b"\x80\x02" + b"N" * 3_000_000 + b"."), "takes more than 400,000 steps"),
    "long pickle": (lambda p: zipped(p, b"\x80\x02" + b"N" * 5_000_000 + b"."), "its list of tensors takes 5 MB"),
    "shared storage": (bombs.shared_storage, "would take more than twice"),
    "stride 0": (one_tensor(4, (2**17, 2**16), (0, 0), data=16), "8,589,934,592 numbers"),
    "stride 0 in one dimension": (one_tensor(100, (100, 100), (0, 1)), "10,000 numbers"),
    "far stride": (one_tensor(100, (2, 2), (2**40, 1)), "its storage in the file has 100"),
    "far offset": (one_tensor(100, (10, 10), (10, 1), 2**40), "its storage in the file has 100"),
    "negative offset": (one_tensor(100, (10, 10), (10, 1), -4), "cannot be read"),
    "negative shape": (one_tensor(100, (-10, -10), (10, 1)), "cannot be read"),
    "endless shape": (one_tensor(2**62, (2**62,), (1,)), "cannot be read"),
    "storage longer than the file": (
        one_tensor(2**40, (2**20, 2**20), (2**20, 1)), "should have 4,398,046,511,104 bytes"
    ),
    "storage of another length": (one_tensor(101, (101,), (1,)), "should have 404 bytes, but has 400"),
    "no storage": (
        lambda p: zipped(p, state_pickle("x", tensor_code(9, (9,), (1,)))), "should have 36 bytes, but is missing"
    ),
    "entry twice": (twice, "have the same name"),
    "big-endian": (other_order, "byte order of another kind of computer"),
    "noise": (lambda p: zipped(p, random.Random(1).randbytes(1000)), "was not opened"),
    "no stop": (lambda p: zipped(p, b"\x80\x02}"), "cannot be read"),
    "empty": (lambda p: zipped(p, b""), "cannot be read"),
}


CODE = ("zip", "plain", "in the optimizer", "as a key", "a global", "an instance")

JUDGE = f"""
import json, os, resource, sys, time
from pathlib import Path
from gptstudio.weights_io import importing
from gptstudio.weights_io.refusals import ExchangeError

def limit():
    used = sum(resource.getrusage(resource.RUSAGE_SELF)[:2])
    resource.setrlimit(resource.RLIMIT_CPU, (int(used) + {SECONDS}, int(used) + {SECONDS} + 1))
    held = next(int(line.split()[1]) for line in open("/proc/self/status") if line.startswith("VmSize")) * 1024
    resource.setrlimit(resource.RLIMIT_AS, (held + {MEMORY}, held + {MEMORY}))

for path in sys.argv[1:]:
    answers, answer = os.pipe()
    child = os.fork()  # each in a process of its own, without importing anything each time
    if child == 0:
        limit()
        try:
            said = "opened: " + str(importing.inspect(Path(path)))
        except ExchangeError as error:
            said = "refused: " + str(error)
        except BaseException as error:
            said = "broke: " + repr(error)
        os.write(answer, said[:3000].encode("utf-8", "replace"))
        os._exit(0)
    os.close(answer)
    with open(answers, "rb") as file:
        said = file.read().decode()
    status = os.waitpid(child, 0)[1]
    print(json.dumps([path, said or f"killed: {{status}}"]), flush=True)
"""
"""Reads each file in a process that is killed when it takes more of the processor or the memory."""


def judged(paths: list[Path]) -> dict[Path, str]:
    if sys.platform != "linux":
        pytest.skip("the limits of a process are Linux's")
    done = warm_python.run("-c", JUDGE, *paths)
    assert done.returncode == 0, done.stderr[-2000:]
    return {Path(path): one_tensor for path, one_tensor in map(json.loads, done.stdout.splitlines())}


def assert_refused(made: dict[Path, str], fault) -> None:
    """Assert that each of these files is refused with its message."""
    answers = judged(list(made))
    for path, words in made.items():
        with fault.tried(path.parent.name):
            assert answers[path].startswith("refused:"), answers[path][:500]
            assert words in answers[path]
            assert len(answers[path]) < 1000


def test_that_a_hostile_pth_is_refused_within_limits_of_time_and_memory(tmp_path, fault):
    made = {}
    for case, (make, words) in PTH.items():
        (tmp_path / case).mkdir()
        made[make(tmp_path / case / "m.pth")] = words
    assert_refused(made, fault)


def test_that_a_false_safetensors_header_is_refused_within_limits_of_time_and_memory(tmp_path, fault):
    made = {}
    for case, (make, words) in SAFETENSORS.items():
        (tmp_path / case.replace("/", " ")).mkdir()
        made[make(tmp_path / case.replace("/", " ") / "m.safetensors")] = words
    assert_refused(made, fault)


@pytest.mark.filterwarnings("ignore:`torch.jit:DeprecationWarning")  # such files are still in use
def test_that_a_torchscript_program_is_refused(tmp_path, fault):
    path = tmp_path / "script" / "m.pth"
    path.parent.mkdir()
    torch.jit.save(torch.jit.script(torch.nn.Linear(2, 2)), path)
    assert_refused({path: "was not opened"}, fault)


@pytest.mark.fault(None)
def test_that_a_harmless_file_is_opened_by_the_same_judge(tmp_path):
    """Confirms that the files above are refused for their content."""
    torch.save(book_model(TINY).state_dict(), tmp_path / "m.pth")
    [one_tensor] = judged([tmp_path / "m.pth"]).values()
    assert one_tensor.startswith("opened:")


def hostile(how: str, path: Path, marker: Path) -> None:
    """Create a file that creates ``marker`` when its code is run."""
    marker_of = Touches(marker.with_name(f"'{marker.name}'"))
    value = {"tok_emb.weight": torch.ones(2, 2), "x": marker_of}
    match how:
        case "zip":
            torch.save(value, path)
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


@pytest.mark.parametrize("how", CODE)
def test_that_no_code_is_run(tmp_path, how):
    marker, path = tmp_path / "it ran", tmp_path / "m.pth"
    hostile(how, path, marker)
    with pytest.raises(ExchangeError, match=message("could_run_program")) as refused:
        importing.inspect(path)
    assert not marker.exists()
    assert "system" in str(refused.value) or how in ("plain", "an instance")


@pytest.mark.fault(None)
def test_that_such_a_file_would_have_run_code(tmp_path):
    """Confirms that the files of the test above are dangerous."""
    torch.save(Touches(tmp_path / "ran"), tmp_path / "m.pth")
    torch.load(tmp_path / "m.pth", weights_only=False)
    assert (tmp_path / "ran").exists()
