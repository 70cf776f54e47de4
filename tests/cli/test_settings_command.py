"""``settings``: the values in force on this computer, their errors, and the controls that can be locked."""

import json
import re

import pytest
import warm_python

from gptstudio import paths, settings, settings_file
from gptstudio.app import computer_check
from gptstudio.labs.lesson import SHIPPED


@pytest.fixture
def file(home, monkeypatch):
    monkeypatch.setenv("GPTSTUDIO_SETTINGS", str(home / "settings.toml"))
    return home / "settings.toml"


def test_that_the_file_in_force_is_shown_with_its_values(cli, file, home):
    file.write_text('language = "zh_CN"\ntexts = "."\nlock = ["start", "runs_tab"]\n')
    result = cli("settings")
    assert result.code == 0
    assert result.out.startswith(str(file))
    lines = [" ".join(line.split()) for line in result.out.splitlines()]
    assert f"texts {home}" in lines
    assert "lock start, runs_tab" in lines
    assert "No problems found in this file." in lines


def test_that_errors_are_reported_with_their_lines_and_exit_code_2(cli, file, home):
    file.write_text('lock = ["strat"]\ntexts = "nowhere"\n')
    result = cli("settings", "--json")
    assert result.code == 2
    assert json.loads(result.out) == {
        "file": str(file), "texts": str(home / "nowhere"), "faults": [
            {"line": 1, "message": "lock contains 'strat', which is not a control; similar: start."},
            {"line": 2, "message": f"the folder {home / 'nowhere'} for texts does not exist."},
        ],
    }
    assert "line 1: lock contains 'strat'" in cli("settings").out


def test_that_a_file_can_be_checked_before_it_is_in_force(cli, home, monkeypatch):
    monkeypatch.setenv("GPTSTUDIO_SETTINGS", "")
    mine = home / "mine.toml"
    mine.write_text(f'lesson = "{SHIPPED[0]}"\n')
    assert cli("settings", mine).code == 0
    result = cli("settings", home / "none.toml")
    assert result.code == 2
    assert "the file does not exist." in result.out


def test_that_a_lesson_that_cannot_be_opened_is_an_error(cli, file, home):
    file.write_text('language = "en"\nlesson = "mine.toml"\n')
    (home / "mine.toml").write_text('title = "Mine"\n')
    result = cli("settings")
    assert result.code == 2
    assert "line 2: Cannot open “mine” as a lesson." in result.out
    assert "minutes is missing." in result.out


def test_that_without_a_file_the_places_are_named(cli, monkeypatch):
    monkeypatch.delenv("GPTSTUDIO_SETTINGS")
    monkeypatch.setattr(settings.paths, "settings", list)
    result = cli("settings")
    assert result.code == 0
    assert "No settings file is in use." in result.out


def test_that_all_controls_are_listed(cli):
    listed = [json.loads(line) for line in cli("settings", "--controls", "--json").out.splitlines()]
    assert {each["name"] for each in listed} == {name for group in settings_file.controls().values() for name in group}
    assert "download_weights" in cli("settings", "--controls").out


def test_that_a_computer_that_is_ready_for_a_class_is_reported(cli, file, verdict):
    file.write_text(f'lesson = "{SHIPPED[0]}"\n')
    result = cli("settings", "--check")
    assert result.code == 0
    assert f"Settings: {file}\n" in result.out
    assert f"Lesson: {SHIPPED[0]}\n" in result.out
    assert result.out.endswith("This computer is ready.\n")


def test_that_missing_parts_for_a_class_are_named_with_a_remedy(cli, file, home, monkeypatch):
    monkeypatch.setattr(computer_check, "DISK", 2**70)
    monkeypatch.setattr(computer_check, "MEMORY", 2**70)
    file.write_text('lock = ["strat"]\nlesson = "mine.toml"\n')
    (home / "mine.toml").write_text('title = "Mine"\n')
    result = cli("settings", "--check", "--json")
    assert result.code == 2
    answer = json.loads(result.out)
    problems = {finding["name"]: finding["problem"] for finding in answer["findings"]}
    assert not answer["ready"]
    assert "similar: start" in problems["Settings"]
    assert "minutes is missing." in problems["Lesson"]
    assert "Make room" in problems["Disk"]
    assert "Close other programs" in problems["Memory"]
    assert cli("settings", "--check").out.endswith("This computer is not ready: see above.\n")


def test_that_a_missing_folder_for_handing_in_is_reported_but_no_error(cli, file, home):
    file.write_text('hand_in = "results"\n')
    assert cli("settings").code == 0
    assert f"Hand in: {home / 'results'}: not there" in " ".join(cli("settings", "--check").out.split())
    (home / "results").mkdir()
    assert f"Hand in: {home / 'results'}\n" in cli("settings", "--check").out


def test_that_another_text_than_the_verdict_is_named(cli, file, home, monkeypatch):
    (home / "the-verdict.txt").write_text("another", encoding="utf-8")
    monkeypatch.setenv("GPTSTUDIO_TEXTS", "")
    file.write_text('texts = "."\n')
    assert "This is another text than the book's" in cli("settings", "--check").out


def test_that_the_errors_of_a_lesson_step_are_listed_under_its_file(cli, file, home, verdict):
    file.write_text('lesson = "ours.toml"\nlock = ["start"]\n')
    step = '[[step]]\ntitle = "Train"\ntext = "Read."\ntab = "train"\npoint = "start"\n'
    (home / "ours.toml").write_text(f'title = "Ours"\nminutes = 5\n{step}')
    result = cli("settings", "--check")
    assert result.code == 2
    lines = result.out.splitlines()
    fault = "line 7: point names 'start', which this step cannot use: start is locked by line 2 of the settings."
    assert lines[lines.index(f"Lesson: {home / 'ours.toml'}") + 1].strip().startswith(fault)
    findings = {each["name"]: each for each in json.loads(cli("settings", "--check", "--json").out)["findings"]}
    [told] = findings["Lesson"]["faults"]
    assert (told["file"], told["line"]) == (str(home / "ours.toml"), 7)


def test_that_the_time_of_the_lessons_runs_is_reported_once_it_was_measured(cli, file, home, verdict):
    file.write_text('lesson = "in-your-language"\n')
    assert "add --measure to measure it" in cli("settings", "--check").out
    result = cli("settings", "--measure")
    assert result.code == 0
    assert re.search(r"the lesson's runs take about [\d.]+ (s|min) on this computer", result.out)


def test_that_reset_class_packs_and_removes_the_users_files_but_not_without_a_place_or_beside_a_run(
    cli, file, learn, tmp_path
):
    def reset(to: str):
        file.write_text(to)
        return cli("settings", "--reset-class", "--yes")

    stick, run = tmp_path / "stick", learn()
    stick.mkdir()
    refused = reset("")
    assert refused.code == 2
    assert "reset = " in refused.err
    assert "Only the window" in reset('reset = "trash"\n').err
    with run.writing():
        refused = reset(f'reset = "{stick.as_posix()}"\n')
    assert refused.code == 2
    assert "A run is in progress." in refused.err
    assert run.path.is_dir()
    assert list(stick.iterdir()) == []
    result = reset(f'reset = "{stick.as_posix()}"\n')
    assert result.code == 0
    assert "Runs: 1" in result.out
    assert [each.suffix for each in stick.iterdir()] == [".zip"]
    assert not paths.runs().exists()


LESSON = """
title = "Mine"
minutes = 3
[[step]]
title = "Warm"
text = "Read."
page = "sampling"
check = { value = "temperature", at_least = 3 }
[[step]]
title = "Gone"
text = "Read."
page = "gelu"
point = "lab_gelu_elsewhere"
[[step]]
title = "Small"
text = "Read."
tab = "model"
settings = { preset = "pocket" }
point = "config_n_layers"
check = { value = "parameters", at_most = 2_000_000 }
[[step]]
title = "Smallest"
text = "Read."
tab = "model"
check = { value = "parameters", at_most = 0 }
[[step]]
title = "Narrow"
text = "Read."
tab = "generate"
check = { value = "temperature", at_least = 1.5, when = { top_k = 5 } }
[[step]]
title = "Trained"
text = "Read."
tab = "train"
settings = { text = ["story"], steps = 1, eval_iter = 1, sample_tokens = 0 }
check = { value = "step", at_least = 1 }
"""


REHEARSAL = """
import sys
from gptstudio.__main__ import main
from gptstudio.gui import lesson_driver
lesson_driver.LOOKED_S = 0.5
sys.exit(main(sys.argv[1:]))
"""
"""The program, with less time for each page."""


def test_that_a_rehearsal_reaches_goals_and_reports_where_a_learner_is_stuck(file, home):
    (home / "mine.toml").write_text(LESSON)
    file.write_text('lesson = "mine.toml"\n')
    done = warm_python.run("-c", REHEARSAL, "--rehearse", file, "--json")
    problems = {step["title"]: step["problem"] for step in map(json.loads, done.stdout.splitlines())}
    assert "lab_gelu_elsewhere" in problems.pop("Gone")
    assert "The goal was not reached" in problems.pop("Smallest")
    assert problems == {"Warm": "", "Small": "", "Narrow": "", "Trained": ""}
    assert done.returncode == 2
    assert "plugin" not in done.stderr, "a message of Qt about the hidden window"
