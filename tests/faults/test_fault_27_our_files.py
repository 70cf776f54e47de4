"""For any content of one of the program's files, its reader returns a value or raises the one user error; see
``mutations``.

Files with a digest are changed with and without updating the digest: the parsers are reached only with a correct one.
"""

import json
import os
import random
import re
import shutil
from collections.abc import Callable
from pathlib import Path

import pytest
import torch
import trees
from lessons import TINY
from messages import message
from mutations import reading, some_bytes, some_header, some_line, some_setting, some_value, try_all
from whole_runs import train

from gptstudio import files, paths, settings
from gptstudio.app.run_tasks import Follower
from gptstudio.app.shown_run import ShownRun
from gptstudio.data import texts, tokens
from gptstudio.data.texts import TextError
from gptstudio.gpt.model import GPTModel
from gptstudio.gui import language, session
from gptstudio.history import added_runs, archives, run_history
from gptstudio.history.summary import Summaries
from gptstudio.inference import tree_files
from gptstudio.labs import lesson as lessons
from gptstudio.torch_settings import RandomStream
from gptstudio.training import checkpoint, checkpoint_files, journal
from gptstudio.training.checkpoint_files import CheckpointError
from gptstudio.training.forecast import CostHistory
from gptstudio.training.forecast import file as experience_file
from gptstudio.training.run_folder import RunFolder

pytestmark = [pytest.mark.fault(27), pytest.mark.usefixtures("few_tokens")]
fuzzed = pytest.mark.usefixtures("share_of_cases")


@pytest.fixture
def run(tmp_path, tiny_spec) -> RunFolder:
    """A run that was stopped and can be continued."""
    return train(tiny_spec(eval_freq=2, steps=6), tmp_path / "run", stop_at=3)


@fuzzed
def test_that_the_record_of_a_run_is_read_or_refused(run, fault):
    """Tries the record as written, without its digest, which is then not required, and in the form of the first
    version."""
    file = run.path / "run.json"
    sealed = file.read_bytes()
    plain = {key: value for key, value in json.loads(sealed).items() if key != "sha256"}
    whole = [sealed, json.dumps(plain).encode(), json.dumps(plain | {"format": 1}).encode()]
    read = reading(file, lambda: Summaries(paths.summaries()).of(run))
    try_all(fault, "run", read, whole, 1000, some_value, some_value, some_bytes)


@fuzzed
def test_that_the_writer_of_a_run_is_reported_or_unknown(run, fault):
    written = []
    with run.writing():
        written.append((run.path / "writer.json").read_bytes())
    read = reading(run.path / "writer.json", lambda: run.writer and run.writer.message)
    try_all(fault, "writer", read, written, 200, some_value, some_bytes)


@fuzzed
def test_that_a_journal_with_any_content_is_read(run, fault, tmp_path):
    """Tries everything that reads a journal: the window, the list of runs, and a run that continues."""
    file = run.journal_path
    whole = file.read_bytes()

    def read() -> None:
        list(journal.read(file))
        made = run_history.read(file)
        _ = made.best, made.steps["tokens_per_second"]
        shown, follower = ShownRun(), Follower(run)
        while (grown := follower.look(1)).news:
            shown.take(grown.batches)
        shown.marks()
        summary = Summaries(tmp_path / "none").of(run)
        _ = summary.state, summary.title
        archives.write_csv({"run": made}, tmp_path / "figures.csv")

    changes = some_line(some_value), some_line(some_bytes), some_bytes
    try_all(fault, "journal", reading(file, read), [whole], 900, *changes)


@pytest.fixture
def kept(tmp_path) -> Path:
    """A checkpoint of a model so small that its digests take no time."""
    config = TINY.but(vocab_size=50, emb_dim=4)
    with RandomStream(7).active():
        weights = checkpoint.weights_of(GPTModel(config))
    state = checkpoint_files.State(config=config, step=3, epoch=0, tokens_seen=96, val_loss=2.5)
    resume = {"state": torch.arange(9.0), "seed": torch.ones(2)}
    return checkpoint.write(weights, tmp_path / "checkpoints", state, resume)


FILES = checkpoint_files.STATE, checkpoint_files.WEIGHTS, checkpoint_files.RESUME, checkpoint_files.SUMS


@pytest.mark.parametrize("sums", ["as they were", "right"])
@pytest.mark.parametrize("name", FILES)
@fuzzed
def test_that_a_checkpoint_is_loaded_or_refused_also_with_correct_digests(kept, fault, name, sums):
    """With unchanged digests, no changed file is loaded."""
    file, digests = kept / name, (kept / checkpoint_files.SUMS).read_bytes()
    whole, old = file.read_bytes(), files.sha256(file).encode()

    def read() -> None:
        if sums == "right" and name != checkpoint_files.SUMS:
            (kept / checkpoint_files.SUMS).write_bytes(digests.replace(old, files.sha256(file).encode()))
        checkpoint_files.read_state(kept)
        checkpoint.load(kept)
        checkpoint.load_resume(kept)
        noticed = name == checkpoint_files.SUMS or sums == "right" or file.read_bytes() == whole
        assert noticed, "a change was not noticed"

    special = {checkpoint_files.STATE: (some_value, some_bytes), checkpoint_files.SUMS: (some_bytes,)}
    changes = special.get(name, (some_header, some_bytes))
    try_all(fault, f"{name} {sums}", reading(file, read), [whole], 250, *changes, refusal=CheckpointError)


@fuzzed
def test_that_a_lesson_is_opened_or_refused(fault, tmp_path):
    file = tmp_path / "mine.toml"
    whole = [path.read_bytes() for code in ("en", "zh_CN") for path in lessons.shipped(code)]
    try_all(
        fault, "lesson", reading(file, lambda: lessons.load(file)), whole, 500, some_setting, some_setting, some_bytes
    )


@fuzzed
def test_that_a_tree_is_opened_or_refused(home, fault):
    file = paths.trees() / "tree.json"
    whole = tree_files.write(trees.some_tree(), "A title", file).read_bytes()

    def read() -> None:
        tree_files.load(file)

    try_all(fault, "tree", reading(file, read), [whole], 900, some_value, some_bytes)


@fuzzed
def test_that_a_packed_run_is_unpacked_or_refused_and_leaves_nothing(run, fault, tmp_path):
    packed, runs = tmp_path / "run.zip", tmp_path / "runs"
    archives.pack(run, packed, contents="log")
    runs.mkdir()

    def read() -> None:
        try:
            shutil.rmtree(archives.unpack(packed, runs).path)
        finally:
            assert os.listdir(runs) == []

    try_all(fault, "archive", reading(packed, read), [packed.read_bytes()], 600, some_bytes, some_entry)


def some_entry(whole: bytes, rng: random.Random) -> bytes:
    """Return a zip with a change close to its directory of files."""
    marks = [found.start() for found in re.finditer(rb"PK(\x01\x02|\x03\x04|\x05\x06)", whole)]
    at = rng.choice(marks) + rng.randrange(50)
    piece = rng.choice((rng.randbytes(rng.randrange(1, 9)), b"\xff" * 4, bytes(4)))
    return whole[:at] + piece + whole[at + 4 :]


@fuzzed
def test_that_a_text_is_read_or_refused(fault, tmp_path):
    file = tmp_path / "text.txt"
    content = "Über den Wolken muß die Freiheit grenzenlos sein. 北京是中华人民共和国的首都。 It rang late.\r\n" * 20
    codecs = ("utf-8", "utf-8-sig", "utf-16", "utf-16-le", "cp1252", "gb18030")
    whole = [content.encode(codec, "ignore") for codec in codecs]

    def read() -> None:
        text = texts.read(str(file))
        assert text.characters == len(text.content)
        assert len(tokens.of(text))

    try_all(fault, "text", reading(file, read), whole, 900, some_bytes, refusal=TextError)


@fuzzed
def test_that_settings_are_in_force_or_reported_as_wrong(fault, tmp_path):
    file = tmp_path / "settings.toml"
    whole = b'''
language = "zh_CN"
lesson = "train-and-decode"
texts = "~/texts"
lock = ["panel", "settings_menu", "texts"]
hide = ["learn"]
'''

    def read() -> None:
        found = settings.load(file)
        assert str(settings.problems_text(found, tuple(found.missing_paths()))).startswith(message("settings_computer"))
        assert all(0 <= fault.line <= 70_000 for fault in found.faults)

    try_all(fault, "settings", reading(file, read), [whole], 700, some_setting, some_bytes)


MEMORIES: dict[str, tuple[Callable[[], Path], Callable[[], object]]] = {
    "summaries": (paths.summaries, lambda: Summaries(paths.summaries())),
    "experience": (experience_file, CostHistory.read),
    "added_runs": (paths.added_runs, lambda: added_runs.folders(paths.added_runs())),
    "language": (paths.language, language._chosen),  # noqa: SLF001 - otherwise the environment decides
    "session": (paths.session, session.read),
}
"""Files that the program keeps for itself: if one is damaged, the program continues without its content."""


@pytest.mark.parametrize("name", MEMORIES)
@fuzzed
def test_that_remembered_values_are_read_or_ignored(name, fault, run):
    place, read = MEMORIES[name]
    Summaries(paths.summaries()).of_all([run])
    CostHistory().write()
    added_runs.add(paths.added_runs(), run.path)
    paths.language().write_text("en\n", encoding="utf-8")
    session.keep(session.Session(config=TINY, spec=run.record().spec, geometry="01d9d0cb" * 8))
    file = place()
    changes = (some_bytes,) if name == "language" else (some_value, some_bytes)
    try_all(fault, name, reading(file, read), [file.read_bytes()], 300, *changes)
