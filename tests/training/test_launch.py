"""From a spec to the end of a run: the events that the sinks receive, and the files that are left on the disk."""

from pathlib import Path

import pytest
from whole_runs import continue_run, steps, train

from gptstudio import paths
from gptstudio.gpt.config import GPTConfig
from gptstudio.training import corpus
from gptstudio.training.control import Control
from gptstudio.training.events import Ended, RunStarted, Warned
from gptstudio.training.launch import launch
from gptstudio.training.run_folder import RunFolder, all_runs

pytestmark = pytest.mark.usefixtures("few_tokens")


def test_that_the_journal_has_the_events_of_the_sinks(tiny_spec):
    events: list = []
    ended = launch(tiny_spec(), Control(), [events.append])
    assert ended == events[-1] == Ended(outcome="finished", message="Finished.")
    assert isinstance(events[0], RunStarted)
    run = all_runs()[0]
    assert list(run.events()) == events
    assert str(run.path) == events[0].run
    assert run.record().text_name == "lesson.txt"


def test_that_the_journal_has_an_event_before_the_sinks_have_it(tiny_spec, tmp_path):
    folder = RunFolder(tmp_path / "run")
    seen = []
    launch(tiny_spec(steps=1), Control(), [lambda event: seen.append(event == list(folder.events())[-1])], folder.path)
    assert set(seen) == {True}


def test_that_a_run_that_is_stopped_before_it_begins_leaves_nothing(tiny_spec):
    control, events = Control(), []
    control.stop()
    assert launch(tiny_spec(), control, [events.append]).outcome == "stopped"
    assert len(events) == 1
    assert all_runs() == []


@pytest.mark.parametrize(
    "wrong",
    [
        {"text": "/there/is/no/such/file"},
        {"batch_size": 60_000},
        {"device": "toaster"},
        {"config": GPTConfig(context_length=16, emb_dim=16_000, n_heads=2, n_layers=1_000)},
    ],
    ids=["text", "batch", "device", "memory"],
)
def test_that_a_run_that_cannot_begin_has_one_end_and_no_folder(tiny_spec, tmp_path, wrong):
    events: list = []
    ended = launch(tiny_spec(**wrong), Control(), [events.append], tmp_path / "run")
    assert events == [ended]
    assert (ended.outcome, ended.user_error) == ("failed", True)
    assert not (tmp_path / "run").exists()
    assert not paths.runs().exists()


def test_that_an_empty_folder_of_the_user_is_kept_after_a_refusal(tiny_spec, tmp_path):
    (tmp_path / "run").mkdir()
    launch(tiny_spec(device="toaster"), Control(), [], tmp_path / "run")
    assert list((tmp_path / "run").iterdir()) == []


def test_that_a_folder_is_reported_with_its_full_path(tiny_spec, tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    events: list = []
    launch(tiny_spec(steps=1), Control(), [events.append], Path("here"))
    assert events[0].run == str(tmp_path / "here")


def test_that_a_failing_sink_does_not_end_the_run(tiny_spec):
    def broken(event):
        raise OSError(28, "No space left on device")

    assert launch(tiny_spec(steps=1), Control(), [broken]).outcome == "finished"
    assert any(event.event == "warned" for event in all_runs()[0].events())


def test_that_the_home_of_an_unknown_user_is_an_ordinary_folder_name(tiny_spec, tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    assert launch(tiny_spec(steps=1), Control(), [], Path("~nobody-of-this-name/run")).outcome == "finished"
    assert (tmp_path / "~nobody-of-this-name" / "run" / "run.json").is_file()


@pytest.mark.parametrize("warmup", [10, 2_000])
def test_that_a_warm_up_that_is_not_shorter_than_the_run_is_refused_before_it_begins(tiny_spec, warmup):
    ended = launch(tiny_spec(schedule="cosine", warmup_steps=warmup, steps=10), Control(), [])
    assert ended.outcome == "failed"
    assert ended.message.startswith(f"Warm-up ({warmup:,} steps) must be shorter than the run (10 steps)")
    assert all_runs() == []


def test_that_a_recorded_run_with_a_longer_warm_up_continues_as_it_began(tiny_spec, tmp_path, monkeypatch):
    with monkeypatch.context() as before:
        before.setattr(corpus, "plan_new_run", corpus.plan)  # version 0.1 did not check it
        spec = tiny_spec(schedule="cosine", warmup_steps=10, steps=4)
        whole, half = train(spec, tmp_path / "whole"), train(spec, tmp_path / "half", stop_at=1)
    assert continue_run(half).outcome == "finished"
    assert [step.learning_rate for step in steps(half)] == [step.learning_rate for step in steps(whole)]


@pytest.mark.parametrize(("settings", "expected"), [
    ({"warmup_steps": 50}, ["Warm-up (50) has no effect: Schedule is constant."]),
    ({"min_learning_rate": 1.0}, ["Lowest rate (1.0) has no effect: Schedule is constant."]),
    ({"momentum": 0.5}, ["Momentum (0.5) has no effect: Optimizer is adamw."]),
    ({"optimizer": "sgd", "beta1": 0.8, "beta2": 0.9}, [
        "Beta 1 (0.8) has no effect: Optimizer is sgd.", "Beta 2 (0.9) has no effect: Optimizer is sgd."]),
    ({"optimizer": "sgd", "momentum": 0.5}, []),
    ({"schedule": "cosine", "warmup_steps": 2}, []),
])
def test_that_settings_without_effect_are_named_as_the_run_begins(tiny_spec, settings, expected):
    events: list = []
    launch(tiny_spec(steps=3, **settings), Control(), [events.append])
    assert [event.message for event in events if isinstance(event, Warned)] == expected
