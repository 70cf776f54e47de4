"""The Nth write, flush or rename fails, for N = 1, 2, ... until a save succeeds: each time the old content is intact
byte for byte, no other file is left, and the next save is complete.

The order is asserted too: written, flushed, renamed, and the folder's list of names flushed. If the last of these
fails for a file that replaces another, the new one is already in its place and complete; a checkpoint is taken back.
"""

import json
import os
from collections.abc import Callable
from pathlib import Path

import pytest
import torch
from messages import message
from nth_fails import content, failing
from trees import drawn
from whole_runs import continue_run, equal, steps, train

from gptstudio import files, paths
from gptstudio.data import encodings, texts, tokens
from gptstudio.errors import UserError
from gptstudio.gpt.config import GPTConfig
from gptstudio.gpt.fast import build_model
from gptstudio.gpt.model import GPTModel
from gptstudio.history import added_runs, archives
from gptstudio.history.run_history import History
from gptstudio.inference import tree_files
from gptstudio.inference.text_tree import ROOT, Tree
from gptstudio.training import checkpoint, launch
from gptstudio.training.control import Control
from gptstudio.training.events import StepDone, Warned
from gptstudio.training.journal import Journal
from gptstudio.training.model_source import UntrainedModel
from gptstudio.training.run_folder import RunFolder
from gptstudio.training.spec import TrainSpec
from gptstudio.weights_io.exporting import FORMATS

pytestmark = [
    pytest.mark.fault(2), pytest.mark.skipif(not os.path.isdir("/proc/self/fd"), reason="needs Linux"),
    pytest.mark.usefixtures("few_tokens"),
]

SMALL = GPTConfig(vocab_size=30, context_length=6, emb_dim=8, n_heads=2, n_layers=1)
ORDER = ["write", "flush", "rename", "flush folder"]
MOST = 400


@pytest.fixture(scope="module")
def model() -> GPTModel:
    return build_model(SMALL, "fast").eval()


def state_of(step: int) -> checkpoint.State:
    return checkpoint.State(config=SMALL, step=step, epoch=1, tokens_seen=step, val_loss=None)


def test_that_a_checkpoint_that_fails_anywhere_leaves_the_old_one_unchanged_and_nothing_else(tmp_path, model, fault):
    resume = {"order": torch.arange(4)}
    first = checkpoint.write(checkpoint.weights_of(model), tmp_path, state_of(1), resume)
    before = content(tmp_path)
    for nth in range(1, MOST):
        with failing(nth) as disk, fault.tried(f"call {nth}"):
            try:
                saved = checkpoint.write(checkpoint.weights_of(model), tmp_path, state_of(2), resume)
                break
            except OSError:
                assert content(tmp_path) == before
                assert [path.name for path in tmp_path.iterdir()] == [first.name]
    assert not disk.failed
    assert nth > 12
    with fault.tried("the order"):
        assert_checkpoint_order(disk.done, saved)
    assert checkpoint.load(saved)
    assert {name: data for name, data in content(tmp_path).items() if name.startswith(first.name)} == before


def assert_checkpoint_order(done: list[tuple[str, str]], saved: Path) -> None:
    """Assert that each file is flushed after it was written, the digests last, then the folder, before it is
    renamed."""
    named = done.index(("rename", str(saved)))
    assert done[named - 1][0] == "flush folder"
    assert done[named + 1 :] == [("flush folder", str(saved.parent))]
    written = [Path(path) for what, path in done[:named] if what in ("write", "rename")]
    assert written[-1].name == checkpoint.SUMS
    assert {checkpoint.WEIGHTS, checkpoint.RESUME, checkpoint.STATE, checkpoint.SUMS} <= {path.name for path in written}
    for name in (checkpoint.WEIGHTS, checkpoint.RESUME):
        place = str(saved.with_name(f".{saved.name}.tmp") / name)
        assert done.index(("write", place)) < done.index(("flush", place)) < named


def test_that_an_imported_model_that_fails_anywhere_leaves_nothing(tmp_path, model, fault):
    weights = checkpoint.weights_of(model)
    for nth in range(1, MOST):
        with failing(nth) as disk, fault.tried(f"call {nth}"):
            try:
                checkpoint.write_model(weights, tmp_path / "models" / "cat", state_of(0), {"origin.json": b"{}"})
                break
            except OSError:
                assert list((tmp_path / "models").iterdir()) == []
    assert not disk.failed
    assert nth > 12
    assert checkpoint.load(tmp_path / "models" / "cat")


# Files that replace others


def a_tree(tokens: int) -> Tree:
    tree, place = Tree("a model"), ROOT
    for position in range(tokens):
        place = tree.add(place, drawn(3, position))
    return tree


def a_table(folder: Path, which: int) -> None:
    history = History()
    history.add(StepDone(
        step=which, epoch=1, loss=1.5, learning_rate=1.0, gradient_norm=1.0, tokens_seen=which, elapsed_s=1.0
    ))
    archives.write_csv({"run": history}, folder / "runs.csv")


def rename(folder: Path, which: int) -> None:
    run = RunFolder(folder / "run")
    if not run.path.exists():
        RunFolder.create(TrainSpec(), "a text", "", run.path)
    run.rename(f"title {which}")


def export(name: str) -> Callable[[Path, int], object]:
    return lambda folder, which: FORMATS[name].export(
        UntrainedModel(SMALL, seed=which), folder / f"model{FORMATS[name].ending}", replace=True)


WRITERS: dict[str, Callable[[Path, int], object]] = {
    "any file": lambda folder, which: files.write_whole(folder / "any.json", b"%d" % which * 100_000),
    "run.json": rename,
    "a tree": lambda folder, which: tree_files.write(a_tree(which), "a tree", folder / "tree.json"),
    "runs added": lambda folder, which: added_runs.add(folder / "added.json", folder / f"run-{which}"),
    "a table": a_table,
    "an export": export("book"),
    "an export to GGUF": export("gguf"),
}


@pytest.mark.parametrize("what", WRITERS)
def test_that_a_file_that_fails_anywhere_is_left_as_it_was(tmp_path, what, fault):
    folder = tmp_path / "place"
    folder.mkdir()
    write = WRITERS[what]
    write(folder, 1)
    old = content(folder)
    for nth in range(1, MOST):
        with failing(nth) as disk, fault.tried(f"call {nth}"):
            try:
                write(folder, 2)
                if not disk.failed:
                    break
                assert content(folder).keys() == old.keys()  # the failed call is not needed for it
                write(folder, 1)
                old = content(folder)
            except (OSError, UserError):
                replaced = "rename" in disk.order[:-1]
                assert content(folder).keys() == old.keys()
                assert replaced or content(folder) == old
    assert not disk.failed
    assert nth > 4, "the disk was hardly used"
    with fault.tried("the order"):
        assert " ".join(ORDER) in " ".join(disk.order)
    assert content(folder) != old


def test_that_token_ids_that_cannot_be_kept_are_complete_or_absent(lesson, monkeypatch, fault):
    monkeypatch.setattr(tokens, "KEPT_FROM", 0)
    monkeypatch.setattr(encodings, "BLOCK", 260)  # so that the text is written in several parts
    folder, text = paths.tokens(), texts.read(str(lesson))
    for nth in range(1, MOST):
        tokens.kept_at(text).unlink(missing_ok=True)
        with failing(nth) as disk, fault.tried(f"call {nth}"):
            try:
                tokens.of(text)
                break
            except texts.TextError:
                assert list(folder.iterdir()) == [] or "flush folder" in disk.order
                assert not list(folder.glob("*.tmp"))
    assert not disk.failed
    with fault.tried("the order"):
        assert disk.order == ORDER


# The journal, to which lines are added


def test_that_a_journal_that_fails_anywhere_keeps_whole_lines_and_the_run_continues(tmp_path, tiny_spec, fault):
    whole = train(tiny_spec(steps=6), tmp_path / "whole")
    lines = len(whole.journal_path.read_bytes().splitlines())
    for nth in range(1, lines, 3):
        with fault.tried(f"line {nth}"):
            run, events = RunFolder(tmp_path / f"run-{nth}"), []
            with pytest.MonkeyPatch.context() as patch:
                patch.setattr(Journal, "__call__", failing_at(nth))
                ended = launch.launch(tiny_spec(steps=6), Control(), [events.append], run.path)
            assert ended.outcome == "finished"
            assert [type(event) for event in events].count(Warned) == 1
            content = run.journal_path.read_bytes()
            assert content.endswith(b"\n") or nth == 1
            assert len(content.splitlines()) == nth - 1
            assert [event for event in run.events() if isinstance(event, Warned)] == []
            assert equal(checkpoint.load(run.newest_checkpoint()).state_dict(),
                         checkpoint.load(whole.newest_checkpoint()).state_dict())


def failing_at(nth: int) -> Callable:
    """Return a replacement of ``Journal.__call__`` whose Nth line is cut in the middle by a short write."""
    real, count = Journal.__call__, 0

    def call(self: Journal, event: object) -> None:
        nonlocal count
        count += 1
        if count == nth:
            file = self._file

            class Short:
                def __getattr__(self, name: str) -> object:
                    return getattr(file, name)

                def write(self, line: bytes) -> int:
                    return file.write(line[: len(line) // 2])

            self._file = Short()
        real(self, event)

    return call


def test_that_a_checkpoint_records_no_more_of_the_journal_than_is_on_the_disk(tmp_path, tiny_spec, monkeypatch):
    """After a power cut the journal must not be shorter than the checkpoint says, so it is flushed before."""
    flushed, real = [], files.flush
    monkeypatch.setattr(files, "flush", lambda path: (flushed.append(Path(path)), real(path)))
    run = train(tiny_spec(steps=3), tmp_path / "run")
    places = [path.name for path in flushed]
    assert places.index("journal.jsonl") < places.index(checkpoint.WEIGHTS)
    assert run.newest_checkpoint()


def test_that_a_journal_that_was_cut_off_before_its_checkpoint_is_reported_and_gets_no_holes(tmp_path, tiny_spec):
    run = train(tiny_spec(steps=20), tmp_path / "run", stop_at=8)
    size = run.journal_path.stat().st_size
    with run.journal_path.open("r+b") as file:
        file.truncate(size // 2)
    assert continue_run(run).outcome == "finished"
    assert b"\0" not in run.journal_path.read_bytes()
    warnings = [event.message for event in run.events() if isinstance(event, Warned)]
    assert len(warnings) == 1
    assert message("shorter_when_checkpoint") in warnings[0]
    assert [event.step for event in steps(run)][-11:] == list(range(9, 20))


def test_that_a_disk_that_cannot_flush_folders_still_takes_a_checkpoint(tmp_path, model, monkeypatch):
    real = os.fsync

    def only_files(handle: int) -> None:
        if os.path.isdir(os.readlink(f"/proc/self/fd/{handle}")):
            raise OSError(22, "Invalid argument")
        real(handle)

    monkeypatch.setattr(os, "fsync", only_files)
    assert checkpoint.load(checkpoint.write(checkpoint.weights_of(model), tmp_path, state_of(1)))


def test_that_two_writers_of_the_same_file_leave_one_complete_file(tmp_path, fault):
    import threading

    path = tmp_path / "any.json"
    values = [json.dumps([number] * 20_000).encode() for number in range(4)]
    for round_ in range(25):
        with fault.tried(round_):
            threads = [threading.Thread(target=files.write_whole, args=(path, value)) for value in values]
            for thread in threads:
                thread.start()
            for thread in threads:
                thread.join()
            assert path.read_bytes() in values
            assert [found.name for found in tmp_path.iterdir()] == ["any.json"]
