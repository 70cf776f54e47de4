"""Runs in a list: the results of each, from a journal of which every line is read once."""

import math
import shutil
from pathlib import Path

import made_up
import pytest
from made_up import started, step_done
from messages import message

from gptstudio import paths
from gptstudio.errors import UserError
from gptstudio.gpt import sizing
from gptstudio.gpt.config import GPTConfig
from gptstudio.history.journal_reader import Tail
from gptstudio.history.run_history import Best
from gptstudio.history.summary import RunFigures, Summaries, size
from gptstudio.training import journal
from gptstudio.training.control import Control
from gptstudio.training.events import Ended, Evaluated, SampleWritten, StepDone
from gptstudio.training.journal import Journal
from gptstudio.training.launch import launch
from gptstudio.training.run_folder import RunFolder, all_runs
from gptstudio.training.spec import TrainSpec


@pytest.fixture
def memory(tmp_path) -> Path:
    return tmp_path / "cache" / "summaries.json"


def run_of(name: str = "one") -> RunFolder:
    return RunFolder.create(TrainSpec(), "a text", "0" * 64, paths.runs() / name)


def append_events(run: RunFolder, *events) -> None:
    record = Journal(run.journal_path)
    for event in events:
        record(event)
    record.close()


def steps(*numbers: int) -> list[StepDone]:
    return list(map(step_done, numbers))


def evaluated(step: int, val_loss: float) -> Evaluated:
    return made_up.evaluated(step, val_loss / 2, val_loss)


def test_that_a_real_run_is_summarized(tiny_spec, memory):
    told: list = []
    spec = tiny_spec(eval_freq=2)
    launch(spec, Control(), [told.append])
    run = all_runs()[0]
    found = Summaries(memory).of(run)
    tests = [event for event in told if isinstance(event, Evaluated)]
    best = min(tests, key=lambda event: event.val_loss)
    assert found.figures.best == Best(best.step, best.val_loss)
    assert (found.figures.train_loss, found.figures.val_loss) == (tests[-1].train_loss, tests[-1].val_loss)
    assert (found.figures.steps, found.figures.total_steps, found.state) == (12, 12, "finished")
    assert (found.title, found.preset, found.record.text_name) == ("lesson.txt · 1 layer · 0.01", "own", "lesson.txt")
    sample = [event for event in told if isinstance(event, SampleWritten)][-1]
    assert (found.figures.sample, found.figures.sample_step) == (sample.text, sample.step)
    assert found.parameters == sizing.parameter_count(spec.config) == told[0].parameters
    assert found.size_bytes == sum(file.stat().st_size for file in run.path.rglob("*") if file.is_file())


def test_that_a_title_is_shown_before_the_folders_name(memory):
    run = run_of()
    run.rename("with a higher rate")
    assert Summaries(memory).of(run).title == "with a higher rate"


def test_that_a_run_without_a_journal_and_a_truncated_one_have_summaries(memory):
    run = run_of()
    empty = Summaries(memory).of(run)
    assert (empty.figures, empty.state) == (RunFigures(), "interrupted")
    append_events(run, started(), *steps(0, 1, 2))
    with run.journal_path.open("ab") as file:
        file.write(b'{"event":"evaluated","step":2')
    cut_off = Summaries(memory).of(run).figures
    assert (cut_off.steps, cut_off.total_steps, cut_off.best, cut_off.outcome) == (3, 100, None, None)


def test_that_figures_grow_with_the_journal_as_if_it_were_read_whole(memory):
    run, known = run_of(), Summaries(memory)
    parts = [
        [started()], steps(0, 1), [evaluated(1, 5.0)], [*steps(2), evaluated(2, 3.0)], [evaluated(3, math.nan)],
        [*steps(3), evaluated(4, 4.0)], [Ended(outcome="stopped", message="Stopped.")],
    ]
    for part in parts:
        append_events(run, *part)
        assert repr(known.of(run).figures) == repr(Summaries(memory).of(run).figures)
    assert known.of(run).figures.best == Best(2, 3.0)
    assert known.of(run).state == "stopped"


def test_that_a_journal_shortened_by_a_resume_is_summarized_again(memory):
    run, known = run_of(), Summaries(memory)
    append_events(run, started(), *steps(0, 1))
    length = run.journal_path.stat().st_size
    append_events(run, *steps(2), evaluated(2, 1.0), Ended(outcome="stopped", message="Stopped."))
    assert known.of(run).figures.best == Best(2, 1.0)
    journal.truncate(run.journal_path, length)
    append_events(run, started(2), evaluated(2, 7.0))
    again = known.of(run)
    assert (again.figures.best, again.figures.steps, again.state) == (Best(2, 7.0), 2, "interrupted")


def test_that_another_program_reads_only_what_was_added(memory, monkeypatch):
    run = run_of()
    append_events(run, started(), *steps(*range(100)), evaluated(99, 2.0))
    Summaries(memory).of_all([run])
    append_events(run, *steps(100))
    looks = []
    read = Tail.read
    monkeypatch.setattr(Tail, "read", lambda tail: looks.append(read(tail)) or looks[-1])
    found = Summaries(memory).of_all([run])[0].figures
    assert [line for look in looks for line in look.lines] == run.journal_path.read_bytes().splitlines(True)[-1:]
    assert (found.steps, found.best) == (101, Best(99, 2.0))


@pytest.mark.parametrize("damage", [b"", b"{", b"\xff", b'{"figures": {"/x": 5}}', b"[]"])
def test_that_a_damaged_cache_costs_nothing(memory, damage):
    run = run_of()
    append_events(run, started(), evaluated(0, 2.0))
    memory.parent.mkdir()
    memory.write_bytes(damage)
    assert Summaries(memory).of_all([run])[0].figures.best == Best(0, 2.0)
    assert str(run.path) in memory.read_text()


def test_that_a_cache_that_cannot_be_written_is_not_needed(tmp_path):
    (tmp_path / "file").write_text("words")
    assert len(Summaries(tmp_path / "file" / "summaries.json").of_all([run_of()])) == 1


def test_that_removed_runs_are_forgotten_and_folders_without_a_run_are_reported(memory):
    runs, known = [run_of("one"), run_of("two")], Summaries(memory)
    assert len(known.of_all(runs)) == 2
    shutil.rmtree(runs[1].path)
    told: list[UserError] = []
    assert [summary.folder for summary in known.of_all(runs, told.append)] == runs[:1]
    assert message("folder_run") in str(told[0])
    assert "two" not in memory.read_text()


def test_that_a_removed_folder_has_no_size(tmp_path):
    assert size(tmp_path / "none") == 0


def test_that_a_preset_is_listed_by_its_name(memory):
    assert Summaries(memory).of(run_of()).preset == "workshop"
    own = RunFolder.create(TrainSpec(config=GPTConfig(n_layers=3)), "a text", "0" * 64, paths.runs() / "own")
    assert Summaries(memory).of(own).preset == "own"
