"""A lesson rehearsed with the settings of a class: each fault by its line, and the time of the runs on this
computer."""

from dataclasses import replace

import pytest

from gptstudio import files, settings
from gptstudio.app import lesson_rehearsal
from gptstudio.app.lesson_rehearsal import Rehearsal
from gptstudio.devices import cpu
from gptstudio.i18n import LANGUAGES
from gptstudio.labs.lesson import load, shipped
from gptstudio.settings import Settings
from gptstudio.toml_file import Document
from gptstudio.training.forecast import CostHistory, Speed

TRAIN = 'tab = "train"\npoint = "start"\nsettings = { text = ["story"], epochs = 1 }\n'
LOCK = 'lock = ["%s"]'
FAULTS = [  # the step, the settings, the message
    ('tab = "train"\nlock = ["start"]\ncheck = { value = "step", at_least = 5 }', "", "has start in hide or lock"),
    ('tab = "train"\nsettings = { text = ["none.txt"] }', "", "the text none.txt of the lesson is neither beside it"),
    ('tab = "train"\nsettings = { text = ["empty.txt"] }', "", "empty.txt is empty"),
    ('tab = "train"\nsettings = { text = ["verdict"] }', "", "The Verdict is not on this computer"),
    ('page = "windows"\nsettings = { text = "verdict" }', "", "The Verdict is not on this computer"),
    ('page = "tokens"', LOCK % "learn_tab", "learn_tab is locked by line 2 of the settings"),
    ('tab = "texts"', 'hide = ["texts_tab"]', "texts_tab is hidden by line 2 of the settings"),
    ('tab = "model"', 'hide = ["model_dock"]', "the Model panel of this step cannot be opened"),
    ('tab = "train"\npoint = "strat"', "", "point names 'strat', which is not in the window"),
    ('page = "tokens"\nresult = "lab_tokens_txt"', "", "similar: lab_tokens_text."),
    ('tab = "train"\nhide = ["train_sed"]', "", "hide names 'train_sed'"),
    ('tab = "train"\nlock = ["train_sed"]', "", "lock names 'train_sed'"),
    ('page = "tokens"\npoint = "lab_windows_stride"', "", "is on another page than this step"),
    ('tab = "generate"\npoint = "start"', "", "is on another page than this step"),
    ('page = "tokens"\npoint = "lab_tokens_text"', LOCK % "lab_tokens_text", "lab_tokens_text is locked by line 2"),
    ('tab = "train"\npoint = "train_seed"', LOCK % "settings_card", "settings_card is locked by line 2"),
    ('tab = "train"\npoint = "start"', LOCK % "run_menu", "run_menu is locked by line 2"),
    ('tab = "train"\nresult = "samples"', 'hide = ["samples"]', "which this step cannot use: samples is hidden"),
    ('tab = "train"\ncheck = { value = "step", at_least = 5 }', LOCK % "start", "without 'start': start is locked"),
    ('tab = "train"\nsettings = { text = ["story"], steps = 4 }\ncheck = { value = "step", at_least = 5 }', "",
     "the goal asks for step 5, but the run of this step has only 4 steps"),
    ('tab = "generate"\ncheck = { value = "tokens", at_least = 5 }', LOCK % "generate", "without 'generate'"),
    ('tab = "generate"\ncheck = { value = "changes", at_least = 1 }', LOCK % "generate", "without 'generate'"),
    ('tab = "generate"\npredict = { question = "Which?", token = "most_uncertain" }', LOCK % "generate",
     "without 'generate'"),
    ('tab = "model"\ncheck = { value = "parameters", at_least = 5 }', LOCK % "model_dock", "without 'model_dock'"),
    ('page = "attention"\ncheck = { value = "query", equals = 5, when = { mask = "after" } }',
     LOCK % "lab_attention_mask", "the goal counts only if mask is 'after', but it stays"),
    ('page = "attention"\nlock = ["lab_attention_mask"]\ncheck = { value = "query", equals = 5, when = { mask = "after"'
     " } }", "", "the step itself has lab_attention_mask in"),
    ('tab = "train"\npoint = "start"\nsettings = { text = ["short.txt"] }', "", "the run of this step cannot start"),
]


@pytest.fixture
def rehearse(home, monkeypatch):
    """Return a function that rehearses steps, with settings whose first line names the lesson."""
    monkeypatch.setenv("GPTSTUDIO_TEXTS", str(home / "texts"))

    def do(*steps: str, other: str = "") -> Rehearsal:
        (home / "empty.txt").touch()
        (home / "short.txt").write_text("short", encoding="utf-8")
        parts = [f'[[step]]\ntitle = "A step"\ntext = "Read."\n{step}\n' for step in steps]
        file = home / "ours.toml"
        file.write_text("\n".join(['title = "Ours"\nminutes = 5\n', *parts]), encoding="utf-8")
        (home / "settings.toml").write_text(f'lesson = "ours.toml"\n{other}\n', encoding="utf-8")
        found = settings.load(home / "settings.toml")
        assert not found.faults
        return Rehearsal(load(file), Document(file.read_bytes()), found)

    return do


@pytest.mark.parametrize("language", LANGUAGES)
def test_that_the_lessons_that_ship_have_no_faults(home, verdict, language):
    for file in shipped(language):
        assert Rehearsal(load(file), Document(file.read_bytes()), Settings()).faults == []


@pytest.mark.parametrize(("step", "other", "expected"), FAULTS)
def test_that_each_fault_of_a_step_is_found(rehearse, step, other, expected):
    faults = rehearse('page = "tokens"' if "learn_tab" not in other else 'tab = "runs"', step, other=other).faults
    assert any(expected in fault.what for fault in faults), faults
    assert all(fault.line > 7 for fault in faults), "in the second step"


def test_that_a_lesson_with_one_of_each_fault_is_reported_completely(rehearse):
    steps = [step for step, other, _ in FAULTS if not other]
    found = rehearse(*steps).faults
    assert all(any(expected in fault.what for fault in found) for _, other, expected in FAULTS if not other)
    assert [fault.line for fault in found] == sorted(fault.line for fault in found)


def test_that_a_control_that_only_some_models_have_is_no_fault(rehearse):
    assert not rehearse('tab = "generate"\npoint = "attention_head_2"').faults


def test_that_a_goal_of_a_run_can_be_reached_in_the_step_after_the_one_that_starts_it(rehearse):
    watched = 'tab = "train"\nlock = ["start"]\ncheck = { value = "validation_loss", at_most = 9 }'
    assert not rehearse(TRAIN, watched).faults
    assert rehearse(watched).faults


def test_that_the_runs_are_those_that_a_class_starts_with_the_model_and_settings_of_the_steps(rehearse):
    watched = 'tab = "train"\ncheck = { value = "validation_loss", at_most = 9 }'
    runs = rehearse('tab = "model"\nsettings = { preset = "pocket" }', TRAIN, watched, TRAIN).runs
    assert [run.step for run in runs] == [1, 3]
    assert {(run.spec.config.vocabulary, run.spec.epochs, run.steps > 0) for run in runs} == {("own", 1, True)}


def test_that_a_field_that_the_settings_lock_keeps_its_value_in_the_runs(rehearse):
    [run] = rehearse(TRAIN, other=LOCK % "train_epochs").runs
    assert run.spec.epochs != 1


@pytest.mark.parametrize(("step", "control"), [
    ('tab = "train"\nsettings = { epochs = 1 }', "train_epochs"),
    ('tab = "train"\nsettings = { text = ["story"] }', "settings_card"),
    ('tab = "model"\nsettings = { n_layers = 1 }', "model_dock"),
    ('tab = "model"\nsettings = { preset = "pocket" }', "preset"),
    ('tab = "generate"\nsettings = { temperature = 0.5 }', "temperature"),
    ('page = "tokens"\nsettings = { text = "a" }', "lab_tokens_text"),
])
def test_that_a_setting_of_a_step_that_this_computer_locks_is_a_fault(rehearse, step, control):
    assert not rehearse(step).faults
    [fault] = rehearse(step, other=LOCK % control).faults
    assert fault.what.endswith(
        f"which keeps its value: {control} is locked by line 2 of the settings. Remove it from lock there, or change "
        "this step.")
    assert fault.line == 8


def test_that_runs_which_do_not_fit_are_faults(rehearse, monkeypatch):
    monkeypatch.setattr(lesson_rehearsal.devices, "cpu", lambda: replace(cpu(), free_bytes=10**6))
    monkeypatch.setattr(files, "free_bytes", lambda _: 10**6)
    messages = [fault.what for fault in rehearse(TRAIN).faults]
    assert any("GB of memory" in each and "Close other programs" in each for each in messages)
    assert any("GB on the disk" in each and "Make room" in each for each in messages)


def test_that_the_time_of_a_run_is_that_of_such_runs_on_this_computer(rehearse):
    [run] = rehearse(TRAIN).runs
    assert run.forecast.seconds is None
    CostHistory.read().with_cost(run.spec, cpu(), Speed(step_s=2.0)).write()
    assert rehearse(TRAIN).runs[0].forecast.seconds >= 2 * run.steps
