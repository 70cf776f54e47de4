"""Every file of a run, truncated, with flipped bits, and zeroed: no damage is read as saved data, one kind of error
names the file, and the previous checkpoint is offered to continue from.

The protection of each file: ``SHA256SUMS`` covers weights, optimizer and state of a checkpoint; ``run.json`` contains a
digest of its own values; each line of the journal contains its CRC-32, and a warning replaces a changed line. A
truncated journal reads as an interrupted run: it has no end, and if the cut is before the last checkpoint, continuing
reports it. Damage that does not change the values that are read (a space in the JSON, the name of a digest) does not
count.
"""

import random
import shutil
from collections.abc import Callable
from pathlib import Path

import numpy as np
import pytest
import torch
from messages import message
from whole_runs import assert_same, equal

from gptstudio import paths
from gptstudio.__main__ import main
from gptstudio.app.run_tasks import Follower
from gptstudio.data import tokens
from gptstudio.errors import UserError
from gptstudio.gpt.tokenizer import GPT2
from gptstudio.history import run_history
from gptstudio.history.summary import Summaries
from gptstudio.training import checkpoint, launch
from gptstudio.training.checkpoint import CheckpointError
from gptstudio.training.control import Control
from gptstudio.training.events import Ended, Event, Warned
from gptstudio.training.run_folder import RunFolder

pytestmark = [pytest.mark.fault(5), pytest.mark.usefixtures("few_tokens")]

PAGE = 4096
CHECKPOINT = (checkpoint.WEIGHTS, checkpoint.RESUME, checkpoint.STATE, checkpoint.SUMS)
FILES = (*CHECKPOINT, "run.json", "journal.jsonl")


def place_of(run: RunFolder, name: str) -> Path:
    return run.newest_checkpoint() / name if name in CHECKPOINT else run.path / name


def cut(data: bytes, rng: random.Random) -> bytes:
    return data[: rng.randrange(len(data))]


def flipped(data: bytes, rng: random.Random) -> bytes:
    changed = bytearray(data)
    changed[rng.randrange(len(data))] ^= 1 << rng.randrange(8)
    return bytes(changed)


def zeroed(data: bytes, rng: random.Random) -> bytes:
    while True:  # a page that is already zero is not damaged by that
        begin = rng.randrange(-(-len(data) // PAGE)) * PAGE
        end = min(begin + PAGE, len(data))
        if any(data[begin:end]):
            return data[:begin] + bytes(end - begin) + data[end:]


def opened(run: RunFolder) -> dict[str, object]:
    """Return everything in a run's files, as the program reads it."""
    newest = run.newest_checkpoint()
    return {
        "record": run.record(),
        "state": checkpoint.read_state(newest),
        "weights": checkpoint.load(newest).state_dict(),
        "resume": checkpoint.load_resume(newest),
        "events": list(run.events()),
    }


def alike(one: dict[str, object], other: dict[str, object]) -> bool:
    return all(
        equal(one[name], other[name]) if name in ("weights", "resume") else one[name] == other[name] for name in one
    )


def assert_not_accepted(run: RunFolder, name: str, whole: dict[str, object]) -> None:
    """Assert that damage to this file is refused by name, or reported, or changes nothing of what is read."""
    file = place_of(run, name)
    try:
        found = opened(run)
    except UserError as error:
        assert_named(error, file)
        return
    if name == "journal.jsonl" and not alike(found, whole):
        assert_journal_reported(run, found.pop("events"), whole["events"])
        assert alike(found, whole)
    else:
        assert alike(found, whole)


def assert_named(error: UserError, file: Path) -> None:
    """Assert one kind of error, in one line, with the file's name; damaged digests fit none of the files they cover."""
    assert type(error) is (CheckpointError if file.name in CHECKPOINT else UserError)
    assert str(file.parent) in str(error)
    assert file.name in str(error) or file.name == checkpoint.SUMS
    assert "\n" not in str(error)


def assert_journal_reported(run: RunFolder, events: list[Event], whole: list[Event]) -> None:
    """Assert that each event is one that was written, in order, or a warning; without a warning, the run has no end."""
    warned = [event for event in events if isinstance(event, Warned)]
    left = iter(whole)
    assert all(event in left for event in events if event not in warned), "an event that was never written"
    assert warned or not any(isinstance(event, Ended) for event in events), "a part is missing, and nobody says so"
    figures = run_history.read(run.journal_path)
    assert len(figures.notes) == len(warned)
    assert warned or figures.ended is None
    shown = (other.event for batch in Follower(run).look().batches for other in batch.rare)
    assert [event for event in shown if isinstance(event, Warned)] == warned
    if not warned:
        assert Summaries(run.path / "memory.json").of(run).state == "interrupted"


@pytest.mark.parametrize(("how", "count"), [
    (cut, 60), (flipped, 60), (zeroed, 30),
    *(pytest.param(how, 200, marks=pytest.mark.release) for how in (cut, flipped, zeroed)),
])
def test_that_no_damage_to_any_file_of_a_run_is_read_as_saved_data(stopped, how: Callable, count, fault):
    rng, whole = random.Random(how.__name__), opened(stopped)
    kept = {name: place_of(stopped, name).read_bytes() for name in FILES}
    for number in range(count):
        name = FILES[number % len(FILES)]
        with fault.tried(f"{how.__name__} {name}, number {number}"):
            place_of(stopped, name).write_bytes(how(kept[name], rng))
            assert_not_accepted(stopped, name, whole)
        place_of(stopped, name).write_bytes(kept[name])
    assert alike(opened(stopped), whole)


@pytest.mark.parametrize("name", CHECKPOINT)
def test_that_the_checkpoint_before_a_damaged_one_is_offered_and_continues(stopped, name, whole_run, capsys):
    earlier, newest = stopped.checkpoints()
    place_of(stopped, name).write_bytes(zeroed(place_of(stopped, name).read_bytes(), random.Random(1)))
    events: list[Event] = []
    ended = launch.resume(stopped, Control(), [events.append])
    assert events == [ended]
    assert (ended.outcome, ended.error, ended.instead) == ("failed", "CheckpointError", str(earlier))
    assert str(newest) in ended.message
    offer = "The checkpoint of step 12 is intact: you can continue from it, but all training after it is lost."
    assert offer in ended.message
    assert stopped.checkpoints() == [earlier, newest], "nothing is given up before somebody says so"
    assert main(["train", "--resume", str(stopped.path)]) == 2
    output = capsys.readouterr().err.splitlines()
    assert len(output) == 2
    assert output[1] == f"Continue from it: gptstudio train --resume {earlier}"
    assert main(output[1].split()[-4:][1:]) == 0
    whole = whole_run(stopped.record().spec)
    assert_same(stopped, whole)


def test_that_the_newest_complete_checkpoint_is_offered_and_none_where_there_is_none(stopped):
    earlier, newest = stopped.checkpoints()
    (earlier / checkpoint.RESUME).write_bytes(b"")
    assert launch.resume(stopped, Control(), [], earlier).instead == str(newest)
    (newest / checkpoint.WEIGHTS).write_bytes(b"")
    ended = launch.resume(stopped, Control(), [])
    assert ended.instead == ""
    assert str(newest / checkpoint.WEIGHTS) in ended.message


def test_that_the_window_offers_the_previous_checkpoint_and_continues_from_it(stopped, window, user):
    place_of(stopped, checkpoint.RESUME).write_bytes(b"")
    window.training.continue_run(stopped)
    user.wait(lambda: not user.train.running and user.train.offers_to_continue())
    assert message("last_checkpoint_damaged") in user.reads("go_on_words")
    assert user.train.go_on_button.text() == "Continue from step 12"
    user.train.continue_run()
    user.wait(lambda: user.received(Ended) and user.received(Ended)[-1].outcome == "finished")
    assert [path.name for path in stopped.checkpoints()][-1] == "step-000019"


def test_that_a_run_whose_record_is_damaged_is_reported_where_runs_are_listed(stopped, window, user, capsys):
    listed = RunFolder(shutil.copytree(stopped.path, paths.runs() / "mine"))
    record = listed.path / "run.json"
    record.write_bytes(record.read_bytes().replace(b'"steps": 20', b'"steps": 21'))
    words = f"{record} is damaged: it was cut off or changed (wrong checksum)."
    assert main(["runs"]) == 0
    assert words in capsys.readouterr().err
    user.go_to("runs")
    user.wait(lambda: words in user.runs.reads("runs_notice"))
    listed.write(stopped.record())
    user.runs.check_again()
    user.wait(lambda: not user.runs.reads("runs_notice"))


def test_that_files_of_earlier_versions_still_open(stopped):
    lines = stopped.journal_path.read_bytes().splitlines()
    before = list(stopped.events())
    stopped.journal_path.write_bytes(b"".join(line[: line.rindex(b',"crc32"')] + b"}\n" for line in lines))
    assert list(stopped.events()) == before
    asked = stopped.record()
    (stopped.path / "run.json").write_text(asked.model_dump_json(indent=1))
    assert stopped.record() == asked


# Files that are removed while they are read


def test_that_a_file_of_weights_that_is_cut_off_after_it_was_read_costs_nothing(stopped):
    """A mapped file would end the program here (SIGBUS)."""
    newest = stopped.newest_checkpoint()
    tensors = checkpoint.read_weights(newest) | checkpoint.load_resume(newest)
    before = {name: tensor.clone() for name, tensor in tensors.items()}
    for name in (checkpoint.WEIGHTS, checkpoint.RESUME):
        with (newest / name).open("r+b") as file:
            file.truncate(100)
    assert all(torch.equal(tensor, before[name]) for name, tensor in tensors.items())


@pytest.mark.parametrize("left", [0, 7, 100, 50_000])
def test_that_a_file_of_weights_that_is_cut_off_while_it_is_read_is_refused(stopped, monkeypatch, left):
    from gptstudio.training import safetensors_file

    file = place_of(stopped, checkpoint.WEIGHTS)
    real = safetensors_file._tensor  # noqa: SLF001 - the file shrinks between two tensors

    def cut_off(*arguments: object) -> torch.Tensor:
        with file.open("r+b") as other:
            other.truncate(left)
        return real(*arguments)

    monkeypatch.setattr(safetensors_file, "_tensor", cut_off)
    with pytest.raises(CheckpointError, match=message("cut_off_changed")):
        checkpoint.load(stopped.newest_checkpoint())


def test_that_token_ids_in_use_do_not_change_while_they_are_remade_and_cleared(tmp_path, monkeypatch):
    """The program never writes into the file with the ids of a large text or truncates it: a new file is written beside
    it and takes the name when it is complete; removal only unlinks the name."""
    from gptstudio.data import texts

    file = tmp_path / "large.txt"
    file.write_text("the cat sat on the mat. " * 60_000)
    text = texts.read(str(file))
    held = tokens.of(text)
    before, path = np.array(held[0 : len(held)]), tokens.kept_at(text)
    number = path.stat().st_ino
    tokens._keep(text, GPT2, path, lambda *_: None)  # noqa: SLF001 - as another program, at the same time
    assert path.stat().st_ino != number
    monkeypatch.setattr(tokens, "MOST_KEPT", 0)
    other = tmp_path / "other.txt"
    other.write_text("the dog sat on the cat. " * 60_000)
    tokens.of(texts.read(str(other)))
    assert not path.exists()
    assert (held[0 : len(held)] == before).all()
