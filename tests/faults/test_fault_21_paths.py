"""Unusual paths of every kind: a run, its text, a lesson and weights can be saved and read there, or a message gives
the reason why not."""

import json
import os
import sys
from pathlib import Path
from typing import NamedTuple

import pytest
from command_line import LESSON, finish, start_python
from lessons import FEW, TINY
from messages import message
from whole_runs import train

from gptstudio import files, paths
from gptstudio.app import training_tasks
from gptstudio.data import texts
from gptstudio.errors import UserError
from gptstudio.history import added_runs, archives, run_history
from gptstudio.history.summary import Summaries
from gptstudio.inference import tree_files
from gptstudio.inference.text_tree import Tree
from gptstudio.labs import lesson as lessons
from gptstudio.training import checkpoint, imported_models, run_folder
from gptstudio.training.control import Control
from gptstudio.training.launch import launch, resume
from gptstudio.training.model_source import SavedModel, UntrainedModel
from gptstudio.training.run_folder import RunFolder
from gptstudio.training.spec import TrainSpec
from gptstudio.weights_io import importing
from gptstudio.weights_io.exporting import FORMATS

pytestmark = [pytest.mark.fault(21), pytest.mark.usefixtures("few_tokens")]

SMALL = TINY.but(emb_dim=4, n_heads=1, vocab_size=FEW)
WORDS = "the cat sat on the mat, and the dog sat on the cat. " * 30
NAMES = {
    "blanks": "my runs  of  May", "umlauts": "Übungsläufe für Grüße", "decomposed": "Gru\u0308\u00dfe",
    "Chinese": "实验 一号",
    "emoji": "🐱‍👤 run 🏳️‍🌈", "Arabic": "تجربة", "signs": "a'b&c$d#e%f;g=h(i)[j]{k}!~`^", "a dash": "-run",
    "a dot": ".run",
    "brackets of a pattern": "run[1-9]*?" if os.name != "nt" else "run[1-9]", "a line end": "one\ntwo",
    "a trailing dot": "run.", "a device of Windows": "CON", "markup": "<b>bold</b> {name} %s",
    "255 bytes": "é" * 127 + "x",
}
BYTES = {
    "no characters": os.fsdecode(b"run-\xff\xfe"), "latin-1": os.fsdecode("Grüße".encode("latin-1")),
    "half a pair": os.fsdecode("\ud83d".encode("utf-8", "surrogatepass")),
}
LONG = "/".join(["a folder in a folder in a folder, and so on and on"] * 12)


def short(name: str, ending: str) -> str:
    """Return the name shortened so that a file name with this ending fits."""
    return os.fsencode(name)[: 255 - len(ending)].decode("utf-8", "ignore") + ending


def round_trip(root: Path, name: str, monkeypatch) -> None:
    """Do everything that a user does with files, in folders and with files of this name."""
    home = root / name
    monkeypatch.setenv("GPTSTUDIO_HOME", str(home))
    home.mkdir(parents=True)
    text = home / short(name.rpartition("/")[2], ".txt")
    text.write_text(WORDS, encoding="utf-8")
    spec = TrainSpec.make(
        config=SMALL, text=str(text), steps=3, eval_freq=2, sample_tokens=1, device="cpu", precision="fp32"
    )
    run = train(spec, paths.runs() / name, stop_at=1)
    assert [each.path for each in run_folder.all_runs()] == [run.path] or "/" in name
    assert run_folder.find(str(run.path)) == run
    ended = resume(run, Control(), [])
    assert ended.outcome == "finished", ended.message
    assert len(run_history.read(run.journal_path).steps) == 3
    summaries = Summaries(paths.summaries())
    assert [each.folder for each in summaries.of_all([run])] == [run]
    added_runs.add(paths.added_runs(), run.path)
    assert added_runs.folders(paths.added_runs()) == [run.path]
    model = SavedModel(run.newest_checkpoint())
    assert tree_files.saved_trees(model) == []
    written = tree_files.save(Tree("m"), name, model)
    assert [each.path for each in tree_files.saved_trees(model)] == [written]
    exported = FORMATS["huggingface"].export(model, home / "out" / name)
    book = FORMATS["book"].export(model, home / short(name.rpartition("/")[2], ".pth"))
    for weights in (exported, book):
        kept = importing.import_weights(importing.inspect(weights))
        assert files.PORTABLE.fullmatch(kept.path.name), kept.path.name
        assert imported_models.find(kept.path.name) == kept.path
        assert checkpoint.load(kept.path)
    gguf = FORMATS["gguf"].export(model, home / short(name.rpartition("/")[2], ".gguf"))
    assert gguf.read_bytes().startswith(b"GGUF")
    packed = home / "run.zip"
    archives.pack(run, packed)
    assert archives.unpack(packed, home / "other runs").newest_checkpoint()
    lesson = home / short(name.rpartition("/")[2], ".toml")
    lesson.write_bytes(lessons.shipped("en")[0].read_bytes())
    assert lessons.load(lesson).steps


@pytest.mark.skipif(os.name == "nt", reason="most of these names cannot be given on Windows")
@pytest.mark.parametrize("kind", [*NAMES, "a path of 600 characters"])
def test_that_all_files_can_be_saved_and_read_in_a_strange_place(tmp_path, monkeypatch, fault, kind):
    with fault.tried(kind):
        round_trip(tmp_path / "here", NAMES.get(kind, LONG), monkeypatch)


@pytest.mark.skipif(sys.platform != "linux", reason="elsewhere a name is all characters")
@pytest.mark.parametrize("kind", BYTES)
def test_that_an_undecodable_name_is_refused_where_it_would_have_to_be_written_down(tmp_path, fault, kind):
    """A run records its text and its folder; weights can be saved and read under a name that can be decoded."""
    odd = tmp_path / BYTES[kind]
    odd.mkdir()
    (odd / "text.txt").write_text(WORDS)
    plain = tmp_path / "text.txt"
    plain.write_text(WORDS)
    spec = TrainSpec.make(config=SMALL, text=str(odd / "text.txt"), steps=1, device="cpu", precision="fp32")
    with fault.tried("a text"):
        ended = launch(spec, Control(), [])
        assert ended.user_error, ended.details
        assert message("bytes_characters") in ended.message
    with fault.tried("a run's folder"):
        ended = launch(spec.but(text=str(plain)), Control(), [], odd / "run")
        assert ended.user_error, ended.details
        assert message("bytes_name_characters") in ended.message
        assert not (odd / "run").exists()
    with fault.tried("weights"):
        weights = FORMATS["huggingface"].export(UntrainedModel(SMALL), odd / BYTES[kind])
        model = importing.import_weights(importing.inspect(weights))
        assert imported_models.origin(model.path)["source"].encode()
        assert files.is_encodable(model.path)
    with fault.tried("a lesson"):
        lesson = odd / (BYTES[kind] + ".toml")
        lesson.write_bytes(lessons.shipped("en")[0].read_bytes())
        assert lessons.load(lesson).steps


@pytest.mark.skipif(os.name == "nt", reason="such names cannot be given on Windows")
def test_that_a_name_too_long_for_the_disk_is_refused_with_a_message(tmp_path, fault):
    plain = tmp_path / "text.txt"
    plain.write_text(WORDS)
    spec = TrainSpec.make(config=SMALL, text=str(plain), steps=1, device="cpu", precision="fp32")
    tries = {
        "a run": lambda name: RunFolder.create(spec, "text", "0" * 64, tmp_path / name),
        "a text": lambda name: texts.read(str(tmp_path / name)),
        "a lesson": lambda name: lessons.load(tmp_path / name),
        "the book's weights": lambda name: FORMATS["book"].export(UntrainedModel(SMALL), tmp_path / f"{name}.pth"),
        "weights for llama.cpp": lambda name: FORMATS["gguf"].export(UntrainedModel(SMALL), tmp_path / f"{name}.gguf"),
        "a folder of weights": lambda name: FORMATS["huggingface"].export(UntrainedModel(SMALL), tmp_path / name),
        "weights to open": lambda name: importing.inspect(tmp_path / name),
        "a zip": lambda name: archives.unpack(tmp_path / name, tmp_path),
        "a tree": lambda name: tree_files.write(Tree("m"), "title", tmp_path / name),
    }
    for name in ("x" * 256, "é" * 128):
        for what, do in tries.items():
            with fault.tried(f"{what}, {len(name)} characters"):
                with pytest.raises(UserError) as caught:
                    do(name)
                assert "\n" not in str(caught.value)
    with fault.tried("nothing is left"):
        assert sorted(each.name for each in tmp_path.iterdir()) == ["text.txt"]


ODD = ("CON", "nul.txt", "run.", "a/b", "a\\b", "x" * 300, "\ud800", "..", ".", "a\nb", "<>", "LPT1")


@pytest.mark.parametrize("name", ODD, ids=ascii)
def test_that_a_typed_name_is_valid_on_every_system(tmp_path, fault, name):
    """A model can be packed and taken to Windows; a run's title is not a file name, and a tree's becomes one."""
    with fault.tried("a model"):
        assert files.PORTABLE.fullmatch(imported_models.free_name(name))
    with fault.tried("a tree"):
        written = tree_files.save(Tree("m"), name, UntrainedModel(SMALL))
        assert files.PORTABLE.fullmatch(written.name)


def test_that_a_link_to_a_run_and_to_its_text_works_like_the_originals(tmp_path, tiny_spec, lesson, fault):
    (tmp_path / "text link.txt").symlink_to(lesson)
    (tmp_path / "real").mkdir()
    (tmp_path / "link").symlink_to(tmp_path / "real", target_is_directory=True)
    run = train(tiny_spec(text=str(tmp_path / "text link.txt")), tmp_path / "link" / "run", stop_at=5)
    with fault.tried("going on"):
        assert resume(run_folder.find(str(run.path)), Control(), []).outcome == "finished"
    with fault.tried("as it is"):
        assert RunFolder(tmp_path / "real" / "run").checkpoints()


@pytest.mark.skipif(os.name == "nt", reason="the language of the system is set otherwise there")
def test_that_the_command_line_accepts_strange_names_in_an_ascii_locale(tmp_path, fault):
    home = tmp_path / "实验 Übung 🐱"
    home.mkdir()
    text = home / "文本.txt"
    text.write_text(WORDS, encoding="utf-8")
    plain = {"LANG": "C", "LC_ALL": "C", "PYTHONUTF8": None, "PYTHONIOENCODING": None, "GPTSTUDIO_HOME": str(home)}
    run, out = home / "läufe" / "一", home / "模型.pth"
    result = done(
        ["train", "--text", text, *LESSON, "--steps", 2, "--run", run], ["runs"], ["score", text, "--model", run],
        ["generate", "--model", run, "--prompt", "Über 北京 🐱", "--max-new-tokens", 2],
        ["export", out, "--model", run, "--to", "book"], ["import", out, "--heads", 2], ["import", "--list"], **plain,
    )
    for place, code in enumerate(result.codes):
        with fault.tried(f"command {place}"):
            assert code == 0, result.err[-1000:]
    with fault.tried("what is there"):
        assert RunFolder(run).checkpoints()
        assert out.is_file()


NO_HOME = {
    "unset": {"HOME": None}, "empty": {"HOME": ""}, "missing": {"HOME": "/proc/nowhere"},
    "a file": {"HOME": "/dev/null"}, "not to be written": {"HOME": "/proc"},
}


@pytest.mark.skipif(sys.platform != "linux", reason="a home is named otherwise elsewhere")
@pytest.mark.parametrize("kind", NO_HOME)
def test_that_without_a_home_the_program_works_or_says_why_not(fault, kind):
    """Only saving requires a home."""
    elsewhere = {"GPTSTUDIO_HOME": None, "XDG_DATA_HOME": None, "XDG_STATE_HOME": None, **NO_HOME[kind]}
    if kind in ("unset", "empty"):  # the system's own list of users names another, a real one
        with fault.tried("what keeps nothing"):
            assert done(["size"], ["lab", "--list"], **elsewhere).codes == [0, 0]
        return
    window = [WINDOW] if kind == "missing" else []  # any path that is not a folder works
    result = done(["size"], *window, ["train", "--text", "story", *LESSON, "--steps", 1], **elsewhere)
    with fault.tried("what keeps nothing"):
        assert not any(result.codes[:-1]), result.err[-1000:]
        assert "Traceback" not in result.err, result.err[-1000:]
    with fault.tried("a run"):
        assert result.codes[-1] == 2
        assert message("cannot_written") in result.err.splitlines()[-1]
        assert NO_HOME[kind]["HOME"] in result.err.splitlines()[-1]


def test_that_the_window_reports_at_once_where_nothing_can_be_saved(tmp_path, fault, user, monkeypatch):
    blocked = tmp_path / "a file"
    blocked.write_bytes(b"")

    def check() -> None:
        user.window.tasks.run(lambda _: training_tasks.check_home(), done=user.window.training.say)

    with fault.tried("a home that is there"):
        check()
        user.wait(lambda: not user.busy("pool"))
        assert not user.train.reads("train_notice")
    with fault.tried("a home below a file"):
        monkeypatch.setenv("GPTSTUDIO_HOME", str(blocked / "home"))
        check()
        user.wait(lambda: not user.busy("pool"))
        assert message("nothing_can_kept") in user.train.reads("train_notice")
        assert str(blocked / "home") in user.train.reads("train_notice")


class Done(NamedTuple):
    codes: list[int]
    err: str


WINDOW = ["window"]
COMMANDS = """
import json, sys
from gptstudio.__main__ import main

def window():
    from PySide6.QtWidgets import QApplication
    from gptstudio.gui import app, session
    made = app.make_app()
    opened = app.MainWindow()
    opened.show()
    opened.wake()
    while opened.tasks.busy("pool") or opened.state.text_check is None:
        QApplication.processEvents()
    session.keep(session.of(opened))
    opened.leave()
    return 0

codes = [window() if argv == ["window"] else main(argv) for argv in json.loads(sys.argv[1])]
print(json.dumps(codes))
"""


def done(*commands: list[object], **environment: str | None) -> Done:
    """Run each command in a separate process, one after the other, or the window in place of one; return the exit
    codes."""
    asked = json.dumps([[str(part) for part in argv] for argv in commands])
    result = finish(start_python("-c", COMMANDS, asked, **environment))
    assert result.code == 0, result.err[-2000:]
    return Done(json.loads(result.out.splitlines()[-1]), result.err)
