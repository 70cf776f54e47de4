"""The disk is full: training continues, names the path and the missing bytes, keeps the old checkpoint, and saves
again once there is room. On a small disk where one may be mounted, and with a limit to the length of files anywhere."""

import errno
import json
import os
import re
from collections.abc import Callable
from contextlib import suppress
from pathlib import Path

import pytest
import torch
from disks import contents, mount_again, mounted
from messages import message
from whole_runs import after_step, continue_run, equal, journal_lines, steps, weights

from gptstudio.errors import UserError
from gptstudio.gpt.config import GPTConfig
from gptstudio.gpt.fast import build_model
from gptstudio.history.guesses import Learner
from gptstudio.history.report import writing
from gptstudio.history.report.reading import Reported
from gptstudio.history.run_data import read_report
from gptstudio.training import checkpoint, journal, launch
from gptstudio.training.checkpoint import CheckpointError
from gptstudio.training.control import Control
from gptstudio.training.events import CheckpointSaved, Ended, Event, Warned
from gptstudio.training.run_folder import RunFolder

pytestmark = pytest.mark.fault(3)


def assert_complete(journal: Path) -> None:
    content = journal.read_bytes()
    assert content.endswith(b"\n")
    for line in content.splitlines():
        json.loads(line)


def test_that_training_on_a_full_disk_continues_names_the_path_and_saves_once_there_is_room(
    tiny_spec, tmp_path, whole_run
):
    with mounted(tmp_path / "disk", 30) as disk:  # 18 MB a checkpoint: one fits, two do not
        run, events = RunFolder(disk / "run"), []
        spec = tiny_spec(steps=36, save_every_epochs=1, keep_others=3, eval_freq=100)

        def look(event: Event) -> None:
            if isinstance(event, Warned) and "not saved" in event.message:
                assert [path.name for path in run.checkpoint_folder.iterdir()] == ["step-000011"], "and nothing beside"
                assert checkpoint.load(run.newest_checkpoint())

        roomy = after_step(30, lambda: mount_again(disk, "size=100m"))
        ended = launch.launch(spec, Control(), [events.append, look, roomy], run.path)
        assert ended.outcome == "finished", ended.message
        [warned] = [event.message for event in events if isinstance(event, Warned)]
        assert "The checkpoint of step 24 was not saved." in warned
        assert re.search(r"A checkpoint needs 18\.\d MB and 5 % in reserve, but only 1[12]\.\d MB are free at ", warned)
        assert str(run.path) in warned
        assert [event.step for event in events if isinstance(event, CheckpointSaved)] == [11, 35]
        assert_complete(run.journal_path)
        assert equal(weights(run), weights(whole_run(spec)))


def test_that_a_disk_that_stays_full_is_reported_and_the_run_continues_once_there_is_room(
    tiny_spec, tmp_path, whole_run
):
    spec = tiny_spec(steps=24, save_every_epochs=1, eval_freq=100)
    with mounted(tmp_path / "disk", 22) as disk:
        run = RunFolder(disk / "run")
        ended = launch.launch(spec, Control(), [], run.path)
        assert ended.outcome == "failed"
        assert str(run.path) in ended.message
        assert " are free " in ended.message
        assert [path.name for path in run.checkpoint_folder.iterdir()] == ["step-000011"]
        mount_again(disk, "size=100m")
        assert continue_run(run).outcome == "finished"
        assert equal(weights(run), weights(whole_run(spec)))


def test_that_a_disk_too_small_for_any_checkpoint_is_reported_before_training(tiny_spec, small_disk):
    events: list[Event] = []
    launch.launch(tiny_spec(steps=2), Control(), [events.append], small_disk / "run")
    warned = next(event for event in events if isinstance(event, Warned))
    assert "A checkpoint needs 18.4 MB and 5 % in reserve, but only 5.0 MB are free at" in warned.message
    assert str(small_disk / "run") in warned.message


@pytest.mark.parametrize("number", [errno.ENOSPC, errno.EDQUOT, errno.EFBIG])
def test_that_a_file_for_which_there_is_no_room_is_named_with_the_free_bytes(tmp_path, number):
    from gptstudio.training.executor import error_text

    text = error_text(OSError(number, os.strerror(number), str(tmp_path / "a" / "journal.jsonl")))
    assert f"Could not write {tmp_path / 'a' / 'journal.jsonl'}: {os.strerror(number)}. " in text
    assert message("bytes_free") in text


SMALL = GPTConfig(vocab_size=45_000, context_length=6, emb_dim=8, n_heads=2, n_layers=1)
"""2.9 MB: one fits on the small disk, two do not."""


def save(folder: Path, step: int) -> Path:
    torch.manual_seed(step)
    state = checkpoint.State(config=SMALL, step=step, epoch=2, tokens_seen=99, val_loss=1.5)
    return checkpoint.write(checkpoint.weights_of(build_model(SMALL, "fast")), folder, state)


@pytest.mark.parametrize("foreseen", [True, False])
def test_that_a_full_disk_costs_only_the_new_checkpoint(small_disk, monkeypatch, foreseen):
    first = save(small_disk, step=1)
    before = contents(first)
    if not foreseen:  # as if another program filled the disk meanwhile
        monkeypatch.setattr(checkpoint, "free_bytes", lambda folder: 2**40)
    with pytest.raises((CheckpointError, OSError)) as caught:
        save(small_disk, step=2)
    assert foreseen == ("A checkpoint needs" in str(caught.value))
    assert " are free " in str(caught.value)
    assert str(small_disk) in str(caught.value)
    assert [path.name for path in small_disk.iterdir()] == [first.name]
    assert contents(first) == before
    mount_again(small_disk, "size=20m")
    assert checkpoint.load(save(small_disk, step=2))


def test_that_a_report_for_which_a_stick_has_no_room_leaves_the_previous_one(small_disk):
    def hand_in(words: str) -> Path:
        learner = Learner(name="Anna", id="aa", words=words)
        return writing.hand_in(Reported(learner=learner), small_disk)

    report = hand_in("one")
    with suppress(OSError), (small_disk / "video").open("wb", buffering=0) as file:
        while True:
            file.write(bytes(4096))
    before = report.read_bytes()
    with pytest.raises(UserError, match=r"The disk is full\. Try again, choose another folder"):
        hand_in("two")
    assert report.read_bytes() == before
    assert {path.name for path in small_disk.iterdir()} == {"Anna.html", "video"}
    (small_disk / "video").unlink()
    assert read_report(hand_in("two")).learner.words == "two"


# A limit to the length of files, where no disk can be mounted


def fails_between(first: int, last: int, longest_file: Callable, size: int) -> list:
    """Return sinks that simulate a full disk from one step to another."""
    return [after_step(first, lambda: longest_file(size)), after_step(last, lambda: longest_file(None))]


@pytest.mark.usefixtures("few_tokens")
def test_that_a_disk_that_is_full_while_saving_costs_only_that_checkpoint(tiny_spec, tmp_path, longest_file, whole_run):
    run, events = RunFolder(tmp_path / "run"), []
    spec = tiny_spec(steps=36, save_every_epochs=1, eval_freq=100)

    def look(event: Event) -> None:
        if isinstance(event, Warned):
            assert [path.name for path in run.checkpoint_folder.iterdir()] == ["step-000011"], "and nothing beside it"
            assert checkpoint.load(run.newest_checkpoint())

    ended = launch.launch(spec, Control(), [events.append, look, *fails_between(20, 30, longest_file, 2**18)], run.path)
    assert ended.outcome == "finished"
    [warned] = [event for event in events if isinstance(event, Warned)]
    assert "The checkpoint of step 24 was not saved." in warned.message
    assert "should not" not in warned.message
    assert [event.step for event in events if isinstance(event, CheckpointSaved)] == [11, 35]
    assert_complete(run.journal_path)
    assert journal_lines(run)[-1] == journal_lines(whole_run(spec))[-1]


@pytest.mark.usefixtures("few_tokens")
def test_that_a_disk_that_stays_full_ends_the_run_with_a_message_and_keeps_files(tiny_spec, tmp_path, longest_file):
    run = RunFolder(tmp_path / "run")
    sinks = [after_step(18, lambda: longest_file(2**18))]
    ended = launch.launch(tiny_spec(steps=22, save_every_epochs=1, eval_freq=100), Control(), sinks, run.path)
    assert ended.outcome == "failed"
    assert message("could_written") in ended.message
    assert [path.name for path in run.checkpoint_folder.iterdir()] == ["step-000011"]
    assert_complete(run.journal_path)
    longest_file(None)
    assert continue_run(run).outcome == "finished"


@pytest.mark.parametrize("room", [0, 60, 300])
@pytest.mark.usefixtures("few_tokens")
def test_that_a_disk_that_is_full_during_a_journal_write_costs_neither_the_record_nor_the_run(
    tiny_spec, tmp_path, longest_file, whole_run, room
):
    run, events = RunFolder(tmp_path / "run"), []
    spec = tiny_spec(steps=20, eval_freq=100)
    fill = after_step(5, lambda: longest_file(run.journal_path.stat().st_size + room))
    ended = launch.launch(spec, Control(), [events.append, fill, after_step(12, lambda: longest_file(None))], run.path)
    assert ended.outcome == "finished"
    [warned] = [event for event in events if isinstance(event, Warned)]
    assert message("free_some_space") in warned.message
    assert warned.message.endswith(message("log_in_memory"))
    assert_complete(run.journal_path)
    assert [event.step for event in steps(run)] == list(range(20))
    assert isinstance(list(run.events())[-1], Ended)
    assert equal(weights(run), weights(whole_run(spec)))


@pytest.mark.usefixtures("few_tokens")
def test_that_a_disk_that_is_full_for_too_long_costs_recorded_steps_and_that_is_reported(
    tiny_spec, tmp_path, longest_file, monkeypatch
):
    monkeypatch.setattr(journal, "MOST_BYTES", 500)
    run, events = RunFolder(tmp_path / "run"), []
    fill = after_step(5, lambda: longest_file(run.journal_path.stat().st_size))
    sinks = [events.append, fill, after_step(15, lambda: longest_file(None))]
    assert launch.launch(tiny_spec(steps=20, eval_freq=100), Control(), sinks, run.path).outcome == "finished"
    kept = list(run.events())
    (gap,) = [at for at, event in enumerate(kept) if isinstance(event, Warned) and "are missing here" in event.message]
    numbers = [event.step for event in steps(run)]
    assert numbers == sorted(set(numbers))
    assert 0 < len(kept[:gap]) < len(kept)
    assert set(range(16, 20)) <= set(numbers) < set(range(20))
    assert isinstance(kept[-1], Ended)


@pytest.mark.usefixtures("few_tokens")
def test_that_a_run_whose_journal_was_cut_short_by_a_full_disk_continues(tiny_spec, tmp_path, longest_file, whole_run):
    run, control = RunFolder(tmp_path / "run"), Control()
    fill = after_step(5, lambda: longest_file(run.journal_path.stat().st_size + 60))
    sinks = [fill, after_step(8, lambda: longest_file(None)), after_step(9, control.stop)]
    spec = tiny_spec(steps=20, eval_freq=100)
    assert launch.launch(spec, control, sinks, run.path).outcome == "stopped"
    assert continue_run(run).outcome == "finished"
    assert [event.step for event in steps(run)] == list(range(20))
    assert equal(weights(run), weights(whole_run(spec)))


@pytest.mark.parametrize("number", [errno.ENOSPC, errno.EDQUOT])
@pytest.mark.usefixtures("few_tokens")
def test_that_a_full_disk_and_an_exceeded_quota_are_reported_alike(tiny_spec, tmp_path, monkeypatch, number):
    def full(*_: object, **__: object) -> None:
        raise OSError(number, os.strerror(number))

    monkeypatch.setattr(checkpoint, "save_file", full)
    assert message("disk_full") in launch.launch(tiny_spec(steps=1), Control(), [], tmp_path / "run").message


