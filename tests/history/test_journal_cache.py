"""Long journals that are parsed once: their cache gives the same curves, and a stale or damaged one is never used."""

import hashlib
from pathlib import Path

import numpy as np
import pytest
from made_up import evaluated, started, step_done

from gptstudio import paths
from gptstudio.app.run_tasks import Follower
from gptstudio.history import journal_reader, run_history
from gptstudio.history.run_history import History
from gptstudio.training import journal
from gptstudio.training.events import (
    CheckpointSaved,
    Ended,
    LearningRateChanged,
    MemoryRead,
    SampleWritten,
    Warned,
)
from gptstudio.training.run_folder import RunFolder

pytestmark = pytest.mark.usefixtures("few_tokens")


def stepped(number: int) -> list:
    loss = 5.0 - number / 100
    events: list = [step_done(number, loss)]
    if number % 3 == 0:
        events += [
            evaluated(number, loss, loss + 1),
            MemoryRead(used_bytes=10**9 + number, peak_bytes=2 * 10**9, total_bytes=10**10),
            SampleWritten(step=number, epoch=1, prompt="a", text=f"a sample\\n 龍 {number}"),
        ]
    if number % 7 == 0:
        events += [Warned(message=f"at {number}"), LearningRateChanged(step=number, learning_rate=1e-4),
                   CheckpointSaved(step=number, path=f"/a/run/{number}", val_loss=loss)]
    return events


def everything() -> list:
    """Return the events of a run that was resumed, and ended."""
    parts = [[started()], *map(stepped, range(20)), [started(15)], *map(stepped, range(15, 40))]
    return [event for part in parts for event in part] + [Ended(outcome="finished", message="Finished.")]


@pytest.fixture
def file(tmp_path, home, monkeypatch) -> Path:
    """A journal that counts as long."""
    monkeypatch.setattr(journal_reader, "KEPT_FROM", 0)
    path = tmp_path / "run" / "journal.jsonl"
    path.parent.mkdir()
    path.write_bytes(b"".join(map(journal.sealed, everything())))
    return path


@pytest.fixture
def parsed(monkeypatch) -> list[bytes]:
    """The lines that are parsed from now on."""
    found, parse = [], journal_reader.parse

    def parse_and_note(lines):
        found.extend(lines)
        return parse(lines)

    monkeypatch.setattr(journal_reader, "parse", parse_and_note)
    return found


def figures(history: History) -> list:
    """Return everything in a history, to be compared."""
    tables = history.steps, history.evaluations, history.memory, history.copies
    return [*([table[name].tolist() for name in table.names] for table in tables), history.samples, history.notes,
            history.checkpoints, history.learning_rates, history.resumed, history.started, history.ended, history.axes,
            history.last_step, history.best]


def as_parsed(path: Path) -> list:
    made = History()
    made.extend(path.read_bytes().splitlines(keepends=True))
    return figures(made)


def kept() -> list[Path]:
    return sorted(paths.journals().glob("*"))


@pytest.mark.parametrize("block", [1, 4, 200_000])
def test_that_a_journal_is_parsed_once_and_then_gives_the_same_figures(file, parsed, monkeypatch, block):
    monkeypatch.setattr(journal_reader, "MOST_STEPS", block)
    expected = as_parsed(file)
    np.testing.assert_equal(figures(run_history.read(file)), expected)
    assert len(parsed) == len(everything())
    parsed.clear()
    np.testing.assert_equal(figures(run_history.read(file)), expected)
    assert parsed == []
    assert len(kept()) == 1


def test_that_only_what_was_added_since_is_parsed(file, parsed):
    run_history.read(file)
    parsed.clear()
    more = [journal.sealed(event) for event in (started(40), *stepped(40))]
    with file.open("ab") as open_file:
        open_file.write(b"".join(more) + b'{"event":"step_d')
    np.testing.assert_equal(figures(run_history.read(file)), as_parsed(file))
    assert parsed == more


def flipped(data: bytes, at: int) -> bytes:
    return data[:at] + bytes([data[at] ^ 1]) + data[at + 1 :]


def resealed(data: bytes, old: bytes, new: bytes) -> bytes:
    """Return the file with other bytes and the digest that belongs to them."""
    changed = data[:-32].replace(old, new, 1)
    return changed + hashlib.sha256(changed).digest()


DAMAGES = {
    "a bit at its end": lambda data: flipped(data, -40),
    "a bit in the middle": lambda data: flipped(data, len(data) // 2),
    "a bit of the head": lambda data: flipped(data, 60), "its digest": lambda data: flipped(data, -1),
    "cut off": lambda data: data[:-100], "longer": lambda data: data + b"\0" * 8, "empty": lambda data: b"",
    "another file": lambda data: b"PK\x03\x04" * 100, "no line end": lambda data: b"{" * 2**21,
    "sizes beyond the file": lambda data: data.replace(b"'shape': (", b"'shape': (9", 1),
    "another version": lambda data: data.replace(b'"version":3', b'"version":1', 1),
    "a batch that is not there": lambda data: resealed(data, b'"batches":', b'"batches":9'),
    "more rows than memory holds": lambda data: resealed(data, b"'shape': (", b"'shape': (9999999999999"),
    "an array of objects": lambda data: resealed(data, b"'descr': '<f8'", b"'descr': '|O '"),
}


@pytest.mark.parametrize("damage", DAMAGES)
def test_that_a_damaged_cache_is_not_used(file, parsed, damage):
    run_history.read(file)
    [path] = kept()
    whole = path.read_bytes()
    path.write_bytes(DAMAGES[damage](whole))
    parsed.clear()
    np.testing.assert_equal(figures(run_history.read(file)), as_parsed(file))
    assert len(parsed) == len(everything())
    assert path.read_bytes() == whole, "it is kept again"


CHANGES = {
    "a digit in its middle": lambda data: data.replace(b'"loss":4.9', b'"loss":3.9', 1),
    "a line left out": lambda data: b"".join(data.splitlines(keepends=True)[:9] + data.splitlines(keepends=True)[10:]),
    "cut off": lambda data: data[: len(data) // 2], "another run": lambda data: data.replace(b"/a/run", b"/b/run"),
    "empty": lambda data: b"",
}


@pytest.mark.parametrize("change", CHANGES)
def test_that_a_replaced_journal_is_parsed(file, change):
    run_history.read(file)
    file.write_bytes(CHANGES[change](file.read_bytes()))
    np.testing.assert_equal(figures(run_history.read(file)), as_parsed(file))


def test_that_a_journal_without_a_cache_folder_is_still_read(file, home):
    (home / "cache").write_text("a file, where a folder should be")
    np.testing.assert_equal(figures(run_history.read(file)), as_parsed(file))


def test_that_short_journals_are_not_cached(file, monkeypatch):
    monkeypatch.setattr(journal_reader, "KEPT_FROM", file.stat().st_size + 1)
    run_history.read(file)
    assert kept() == []


def test_that_a_follower_gives_the_cached_blocks_one_by_one_and_continues_with_new_lines(file, monkeypatch):
    monkeypatch.setattr(journal_reader, "MOST_STEPS", 10)
    run_history.read(file)
    follower, made = Follower(RunFolder(file.parent)), History()
    looks = []
    while (grown := follower.look()).news:
        looks.append(grown)
        for block in grown.batches:
            made.take(block)
    assert [len(grown.batches) for grown in looks] == [1, 1, 1], "each to where the run starts, or to the end"
    assert looks[-1].ended
    with file.open("ab") as open_file:
        open_file.write(b"".join(map(journal.sealed, [started(40), *stepped(40)])))
    for block in follower.look().batches:
        made.take(block)
    np.testing.assert_equal(figures(made), as_parsed(file))


def test_that_a_follower_starts_again_where_the_journal_is_replaced_after_the_cached_part(file):
    run_history.read(file)
    follower = Follower(RunFolder(file.parent))
    assert follower.look().news
    file.write_bytes(b"".join(map(journal.sealed, [started(), *stepped(0)])))
    made, restarts = History(), 0
    while (grown := follower.look()).news:
        restarts += grown.restarted
        made = History() if grown.restarted else made
        for block in grown.batches:
            made.take(block)
    assert restarts == 1
    np.testing.assert_equal(figures(made), as_parsed(file))
