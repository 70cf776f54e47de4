"""``report`` and ``class``: a run as a page, and the runs of a class in a table."""

import csv
import json

import pytest
from reported import folder
from sweeps import sweep_file

from gptstudio.history import archives
from gptstudio.history.guesses import Learner
from gptstudio.history.report import reading, writing
from gptstudio.history.run_data import read_report
from gptstudio.training.run_folder import all_runs


@pytest.fixture
def run(home, tmp_path):
    return folder(tmp_path / "a run", "[bold]mine")


def test_that_a_report_is_written_and_reported_as_json(run, cli, tmp_path):
    result = cli("report", run.path, tmp_path / "a.html", "--json")
    summary = json.loads(result.out)
    assert summary == {"run": "a run", "path": str(tmp_path / "a.html"), "bytes": (tmp_path / "a.html").stat().st_size}
    assert read_report(tmp_path / "a.html").name == "[bold]mine"
    assert cli("report", run.path, tmp_path / "b.html").out.startswith("a run: ")


def test_that_a_missing_run_and_a_place_that_cannot_be_written_are_reported_with_a_message(run, refused, tmp_path):
    assert "There is no run called none" in refused("report", "none", tmp_path / "a.html")
    assert "Choose another location" in refused("report", run.path, tmp_path / "none" / "a.html")
    for place in (".", "", tmp_path.anchor, tmp_path):
        assert "Choose another location" in refused("report", run.path, str(place))


def test_that_a_class_is_a_table_and_one_json_object_for_each_file(run, cli, tmp_path):
    (tmp_path / "class").mkdir()
    cli("report", run.path, tmp_path / "class" / "anna.html")
    archives.pack(run, tmp_path / "class" / "ben.zip")
    (tmp_path / "class" / "carl.zip").write_text("no zip")
    output = cli("class", tmp_path / "class", "--json", "--csv", tmp_path / "class.csv").out.splitlines()
    anna, ben, carl = map(json.loads, output)
    assert anna["best"] == ben["best"] == [0, 5.0]
    assert [each["name"] for each in (anna, ben, carl)] == ["[bold]mine (anna.html)", "[bold]mine (ben.zip)", "carl"]
    assert anna["problem"] is None
    assert "not a zip file" in carl["problem"]
    with (tmp_path / "class.csv").open(encoding="utf-8", newline="") as file:
        rows = list(csv.DictReader(file))
    assert [row["Steps done"] for row in rows] == ["12", "12", ""]
    assert [row["Best validation loss"] for row in rows] == ["5.0", "5.0", ""]
    assert "[bold]mine" in cli("class", tmp_path / "class").out
    assert all_runs() == []


def test_that_thirty_submitted_files_are_named_although_three_are_damaged(run, cli, tmp_path):
    results = tmp_path / "results"
    results.mkdir()
    for number in range(30):
        who = Learner(name=f"Learner {number // 2}", id=f"{number:02x}", words="It fell.\nThen it rose.")
        writing.hand_in(reading.read(run, learner=who), results)
    torn = ["Learner 3.html", "Learner 4 (2).html", "Learner 5.html"]
    for name in torn:
        page = (results / name).read_bytes()
        (results / name).write_bytes(page[: len(page) // 2])
    rows = [json.loads(line) for line in cli("class", results, "--json").out.splitlines()]
    assert len({row["name"] for row in rows}) == len(rows) == 30
    assert [row["file"] for row in rows if row["problem"]] == [str(results / name) for name in torn]
    assert "Learner 0 (Learner 0 (2).html)" in [row["name"] for row in rows]
    assert rows[0]["learner"] == {"name": "Learner 0", "id": "01", "words": "It fell.\nThen it rose."}
    lines = cli("class", results).out.splitlines()
    [place] = [place for place, line in enumerate(lines) if line.startswith("Learner 4 (2)")]
    assert "cut off" in lines[place + 1]
    assert lines.count("  What did you see?: It fell. Then it rose.") == 27


def test_that_a_path_may_begin_with_the_home_folder_as_in_an_option_that_shells_do_not_expand(
    run, cli, tmp_path, monkeypatch
):
    monkeypatch.setenv("HOME", str(tmp_path))
    monkeypatch.setenv("USERPROFILE", str(tmp_path))
    assert cli("report", run.path, "~/a.html").code == 0
    assert cli("class", "~/a.html", "--csv=~/class.csv").code == 0
    sweep_file(tmp_path)
    assert cli("sweep", "~/sweep.toml", "--csv=~/sweep.csv").code == 0
    (tmp_path / "settings.toml").write_text("", encoding="utf-8")
    assert cli("settings", "~/settings.toml").code == 0
    assert {"a.html", "class.csv", "sweep.csv"} <= {path.name for path in tmp_path.iterdir()}


def test_that_a_class_breaks_no_word_in_a_narrow_terminal(run, cli, tmp_path, monkeypatch):
    monkeypatch.setenv("COLUMNS", "80")
    (tmp_path / "class").mkdir()
    names = ("Anna-Katharina and Maximilian", "Benedikt")
    for name in names:
        cli("report", run.path, tmp_path / "class" / f"{name}.html")
    output = cli("class", tmp_path / "class").out
    assert max(map(len, output.splitlines())) <= 80
    assert all(word in output for name in names for word in name.split())
    assert "Best validation loss:" in output


def test_that_a_class_without_files_is_reported_with_a_message(refused, tmp_path):
    assert "Name the folder" in refused("class")
    assert "does not exist" in refused("class", tmp_path / "none")
    assert "no packed runs" in refused("class", tmp_path)
