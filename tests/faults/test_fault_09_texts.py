"""Invalid texts of every kind: refused with a message that names the file (and the byte at fault, if any), or read.

A run keeps the text it began with: the file may be removed, cut off or rewritten meanwhile. Nothing here ends the
program, and memory stays bounded regardless of the size of a file.
"""

import os
import sys
from collections.abc import Callable
from pathlib import Path

import pytest
from command_line import finish, start_new_python, start_python
from lessons import TINY as MODEL
from messages import left_in_english, message
from whole_runs import after_step, steps

from gptstudio.data import texts
from gptstudio.data.texts import TextError
from gptstudio.fields import SpecError
from gptstudio.training import corpus
from gptstudio.training.control import Control
from gptstudio.training.launch import launch
from gptstudio.training.run_folder import RunFolder
from gptstudio.training.spec import TrainSpec
from gptstudio.units import MB

pytestmark = [pytest.mark.fault(9), pytest.mark.usefixtures("few_tokens")]

NO_TEXT: dict[str, tuple[bytes, str]] = {
    "empty": (b"", "is empty"),
    "blank": (b" \n\t\r\n  ", "is empty"),
    "a mark alone": (b"\xef\xbb\xbf", "is empty"),
    "a mark and a blank": (b"\xef\xbb\xbf \n", "is empty"),
    "a wide blank": ("\u00a0\u2003\n".encode(), "is empty"),
    "a zero": (b"words and \x00 a zero", "zero byte at position 10"),
    "binary": (os.urandom(64) + b"\x00", "is not a text"),
    "broken UTF-8": (("\u00dcber den Wolken. " * 9).encode() + b"\xe9", "is not valid UTF-8: byte 162 is 0xE9"),
    "half a character": (b"\xff\xfea", "is not valid UTF-16: byte 2 is 0x61"),
    "a picture": (b"\x89PNG\r\n\x1a\n\x00\x00\x00\rIHDR\x00\x00\x02\x00", "is not a text"),
    "a program": (Path(sys.executable).read_bytes()[:4096], "is not a text"),
}


def test_that_a_file_that_is_not_text_is_refused_with_a_message(tmp_path, fault):
    for kind, (data, part) in NO_TEXT.items():
        file = tmp_path / f"{kind}.txt"
        file.write_bytes(data)
        with fault.tried(kind), pytest.raises(TextError) as caught:
            texts.read(str(file))
        with fault.tried(f"the words for {kind}"):
            assert str(caught.value).startswith(str(file))
            assert part in str(caught.value)
            assert left_in_english(caught.value) == []


STORY = "It rang late, and nobody heard the bell but the cat. Übrigens: 北京。\n" * 40
GERMAN = "Übrigens hörte niemand die Glocke. " * 40
READ: dict[str, tuple[bytes, str]] = {
    "no line end at the end": (STORY.rstrip().encode(), STORY.rstrip()),
    "a mark": (STORY.encode("utf-8-sig"), STORY),
    "UTF-16 with a mark": (STORY.encode("utf-16"), STORY),
    "UTF-16LE": (STORY.encode("utf-16-le"), STORY),
    "UTF-16BE": (STORY.encode("utf-16-be"), STORY),
    "latin-1": (GERMAN.encode("latin-1"), GERMAN),
    "one line": (b"word " * 20_000, "word " * 20_000),
}


def test_that_a_text_in_any_encoding_is_decoded_correctly(tmp_path, fault):
    for kind, (data, content) in READ.items():
        file = tmp_path / f"{kind}.txt"
        file.write_bytes(data)
        with fault.tried(kind):
            assert texts.read(str(file)).content == content


def links(folder: Path) -> dict[str, str]:
    """Return paths that do not lead to a text, each with a part of its message."""
    (folder / "broken").symlink_to(folder / "nothing")
    (folder / "one").symlink_to(folder / "other")
    (folder / "other").symlink_to(folder / "one")
    (folder / "folder").mkdir()
    (folder / "folder" / "picture.png").write_bytes(b"\x89PNG")
    os.mkfifo(folder / "pipe")
    return {
        **dict.fromkeys(("broken", "one", "missing.txt", "no/a.txt", "~nobody/a.txt"), "does not exist."),
        **dict.fromkeys(("x" * 5000, "x" * 256), ""),
        **dict.fromkeys(("pipe", "/dev/zero", "/dev/null", "/dev/full", "/dev/tty"), "is a device or a pipe"),
        "folder": "contains no .txt or .md files.", "": "contains no .txt or .md files.", "a\x00b": "does not exist.",
        "/proc/self/maps": "is empty", "/proc/kmsg": "is empty",
    }


@pytest.mark.skipif(sys.platform != "linux", reason="the devices are Linux's")
@pytest.mark.timeout(30)
def test_that_a_name_that_is_not_a_file_is_refused_without_waiting(tmp_path, monkeypatch, fault):
    monkeypatch.chdir(tmp_path)
    for name, part in links(tmp_path).items():
        with fault.tried(name[:60]):
            with pytest.raises(TextError) as caught:
                texts.read_all([name])
            assert part in str(caught.value)
            assert "\n" not in str(caught.value)


@pytest.mark.skipif(sys.platform != "linux", reason="another user is made as Linux makes one")
def test_that_a_text_without_read_permission_is_refused_with_a_message(tmp_path, fault):
    """Runs as the user "nobody" if the test runs as root, who may read everything."""
    file = tmp_path / "secret.txt"
    file.write_text("words")
    file.chmod(0)
    script = (
        "import os, sys; from gptstudio.data import texts; os.geteuid() or os.seteuid(65534)\n"
        "try: texts.read(sys.argv[1])\nexcept texts.TextError as error: print(error)"
    )
    if os.geteuid() == 0:
        for folder in (*tmp_path.parents, tmp_path):
            folder.stat().st_mode & 0o001 or folder.chmod(folder.stat().st_mode | 0o001)
    result = finish(start_python("-c", script, file))
    with fault.tried("no permission"):
        assert result.out == f"Could not read {file}: Permission denied.\n", result.err[-1000:]


def test_that_a_text_too_short_for_a_run_is_refused_with_the_numbers(tmp_path, fault):
    file = tmp_path / "short.txt"
    for content in ("a", "a word", "one two three four five six seven"):
        file.write_text(content)
        spec = TrainSpec.make(config=MODEL, text=str(file), steps=1, device="cpu")
        with fault.tried(content), pytest.raises(SpecError, match="one window needs 17"):
            corpus.plan(spec, corpus.read(spec))
        with fault.tried(f"a run on {content}"):
            ended = launch(spec, Control(), [], tmp_path / "run")
            assert (ended.outcome, ended.user_error) == ("failed", True)
            assert not (tmp_path / "run").exists()


# Large texts.

BOUNDED = """
import sys
from gptstudio import devices
from gptstudio.data import texts, tokens
tokens.cores = lambda: 2
before = devices.peak_bytes("cpu")
try:
    print(len(tokens.of(texts.read(sys.argv[1]))))
except texts.TextError as error:
    print(error)
print((devices.peak_bytes("cpu") - before) // 2**20)
"""
"""Reads a text on two cores, each of which takes about 30 MB, and prints the peak memory in MB."""


def looked_at(file: Path) -> tuple[str, int]:
    result = finish(start_new_python("-c", BOUNDED, file))
    assert result.code == 0, result.err[-1000:]
    *words, most = result.out.splitlines()
    return "\n".join(words), int(most)


def test_that_a_file_of_zeros_of_any_size_is_refused_at_its_first_byte(tmp_path, fault):
    """Tries a gigabyte, and more than is ever read; neither uses disk space."""
    file = tmp_path / "sparse.txt"
    for size, part in ((2**30, "zero byte at position 0"), (texts.LARGEST + 1, "the limit is 4,096 MB")):
        file.touch()
        os.truncate(file, size)
        with fault.tried(f"{size:,} bytes"):
            words, most = looked_at(file)
            assert str(file) in words
            assert part in words
            assert most < 50


def test_that_a_large_text_takes_only_a_fraction_of_its_size_in_memory(tmp_path, fault):
    """The text has 32 MB: its characters alone would take as much memory, and its ids 21 MB."""
    file = tmp_path / "large.txt"
    file.write_bytes(STORY.encode() * (32 * MB // len(STORY.encode())))
    with fault.tried("32 MB"):
        words, most = looked_at(file)
        assert int(words) > 10 * MB
        assert most < 50


# During training.

Harm = Callable[[Path], object]
HARMS: dict[str, Harm] = {
    "removed": Path.unlink,
    "cut off": lambda file: os.truncate(file, 10),
    "emptied": lambda file: os.truncate(file, 0),
    "rewritten": lambda file: file.write_bytes(b"Something else. " * 100),
    "replaced by a folder": lambda file: (file.unlink(), file.mkdir()),
    "locked": lambda file: file.chmod(0),
}


@pytest.mark.parametrize("harm", HARMS)
def test_that_a_run_continues_with_the_text_that_it_began_with(tmp_path, tiny_spec, lesson, fault, harm, whole_run):
    spec = tiny_spec(steps=6, eval_iter=1)
    undisturbed = whole_run(spec)
    ended = launch(spec, Control(), [after_step(3, lambda: HARMS[harm](lesson))], tmp_path / "run")
    with fault.tried(harm):
        assert ended.outcome == "finished", ended.message
        assert [step.loss for step in steps(RunFolder(tmp_path / "run"))] == [step.loss for step in steps(undisturbed)]


ON_KEPT_TOKENS = """
import sys
from gptstudio.data import encodings, texts, tokens
tokens.KEPT_FROM, encodings.BLOCK = 0, 100
from gptstudio.gpt.config import GPTConfig
from gptstudio.training.control import Control
from gptstudio.training.events import StepDone
from gptstudio.training.launch import launch
from gptstudio.training import spec_problems
from gptstudio.training.spec import TrainSpec
spec_problems.VOCAB_SIZE, text = 0, sys.argv[1]
kept = tokens.kept_at(texts.read(text))
spec = TrainSpec.make(
    config=GPTConfig(vocab_size=6_200, context_length=16, emb_dim=16, n_heads=2, n_layers=1), text=text, steps=6,
    sample_tokens=1, device="cpu", precision="fp32",
)

def spoilt(harm):
    def spoil(event):
        if isinstance(event, StepDone) and event.step == 3:
            kept.unlink() if harm is None else kept.open("r+b").truncate(harm)
    return spoil

for harm in (None, 0, 4, 99):
    ended = launch(spec, Control(), [spoilt(harm)])
    print(harm, ended.outcome, ended.user_error, ended.message, flush=True)
    print("again", launch(spec, Control(), []).outcome, flush=True)
"""
"""Trains in a separate process, which a mapped file would end, while its kept tokens are removed or cut off."""


def test_that_kept_tokens_that_are_damaged_meanwhile_end_no_program(lesson, fault):
    result = finish(start_python("-c", ON_KEPT_TOKENS, lesson))
    lines = result.out.splitlines()
    with fault.tried("the process"):
        assert result.code == 0, f"ended by signal {-result.code}: {result.err[-1000:]}"
    with fault.tried("removed"):
        assert lines[0] == "None finished False Finished.", "what is open is read on"
    for line in lines[2::2]:
        with fault.tried(line[:3]):
            assert " failed True The tokens of the text" in line
            assert message("they_made_anew") in line
    with fault.tried("again"):
        assert lines[1::2] == ["again finished"] * 4
