"""``gptstudio sweep``: its output, as JSON and as text, its exit codes, and several processes."""

import json
import signal

import pytest
import torchrun
from command_line import finish, lines, start
from sweeps import sweep_file

from gptstudio import paths
from gptstudio.training import sweep_toml
from gptstudio.training.run_folder import all_runs
from gptstudio.training.sweep_runner import SweepFolder


@pytest.fixture
def file(tmp_path):
    return sweep_file(tmp_path)


def test_that_json_reports_each_run_with_its_figures_and_a_second_call_trains_nothing(cli, file, tmp_path, refused):
    result = cli("sweep", file, "--json")
    first, *runs, last = lines(result)
    assert result.err == ""
    assert (first["event"], first["runs"], first["left"]) == ("sweep_started", 4, 4)
    assert [each["event"] for each in runs] == ["member_started", "member_ended"] * 4
    ended = runs[1::2]
    assert [(each["values"]["learning_rate"], each["seed"]) for each in ended] == [
        (0.001, 1), (0.01, 1), (0.001, 2), (0.01, 2)]
    assert {each["outcome"] for each in ended} == {"finished"}
    assert all(each["steps"] == 3 and each["best_val_loss"] > 0 for each in ended)
    assert (last["event"], last["outcome"], last["finished"], last["left"]) == ("sweep_ended", "finished", 4, 0)
    assert last["unit"] == "nats per token"
    for group in last["groups"]:
        losses = [each["best_val_loss"] for each in ended if each["values"] == group["values"]]
        assert group["mean"] == pytest.approx(sum(losses) / 2)
        assert group["spread"] == pytest.approx(abs(losses[0] - losses[1]) / 2**0.5)
    result = cli("sweep", file, "--csv", tmp_path / "table.csv")
    assert "0 of 4 runs to train." in result.out
    assert "Best validation loss over the random seeds" in result.out
    assert len(all_runs()) == 4
    assert (tmp_path / "table.csv").read_text(encoding="utf-8").count("finished") == 4
    assert "rates" in cli("sweep", "--list").out
    [listed] = lines(cli("sweep", "--list", "--json"))
    assert (listed["name"], listed["runs"], listed["finished"], listed["left"]) == ("rates", 4, 4, 0)
    result = cli("sweep", "rates", "--show", "--csv", tmp_path / "none" / "table.csv")
    assert (result.code, result.err.endswith("No such file or directory. Choose another location.\n")) == (2, True)
    shown = lines(cli("sweep", "rates", "--show", "--json"))
    assert [each["best_val_loss"] for each in shown] == sorted(each["best_val_loss"] for each in shown)
    sweep_file(tmp_path, steps=4)
    assert "There is a sweep named rates with other settings." in refused("sweep", file)
    next(paths.sweeps().glob("*/queue.json")).unlink()
    unreadable = cli("sweep", "--list")
    assert (unreadable.out, "queue.json is missing" in unreadable.err) == ("", True), "not “No sweeps yet.”"


def test_that_show_names_the_runs_of_a_file_and_trains_nothing(cli, file, tmp_path):
    result = cli("sweep", file, "--show")
    assert "4. learning_rate 0.01, seed 2" in result.out
    assert all_runs() == []
    assert [each["number"] for each in lines(cli("sweep", file, "--show", "--json"))] == [1, 2, 3, 4]
    result = cli("sweep", file, "--show", "--csv", tmp_path / "table.csv")
    assert (result.code, (tmp_path / "table.csv").exists()) == (2, False)
    assert "Nothing of this sweep is trained yet" in result.err


def test_that_each_run_is_one_line_of_80_columns_also_with_two_settings_in_bits_per_byte(cli, file, monkeypatch):
    monkeypatch.setenv("COLUMNS", "80")
    file.write_text(f"{file.read_text(encoding='utf-8')}\nvocabulary = ['characters', 'gpt2']\n", encoding="utf-8")
    rows = [line.split() for line in cli("sweep", file).out.splitlines() if line.endswith("finished  ")]
    assert {tuple(row[:3]) for row in rows} == {
        (rate, words, seed) for rate in ("0.001", "0.01") for words in ("characters", "gpt2") for seed in "12"}
    assert [float(row[4]) for row in rows] == sorted(float(row[4]) for row in rows), "in bits per byte"


def test_that_a_failed_run_sets_the_exit_code_and_is_trained_again_on_request(cli, file, tmp_path):
    text = tmp_path / "text.txt"
    sweep_file(tmp_path, text=str(text))
    result = cli("sweep", file, "--json")
    ended = [each for each in lines(result, code=1) if each["event"] == "member_ended"]
    assert [each["outcome"] for each in ended] == ["failed"] * 4
    assert all("text.txt" in each["message"] for each in ended)
    text.write_text("the cat sat on the mat, and the dog sat on the cat. " * 30, encoding="utf-8")
    again = cli("sweep", file, "--json")
    assert again.code == 1, "nothing is left to train, and what has failed has failed"
    assert cli("sweep", file, "--json", "--retry").code == 0


@pytest.mark.parametrize(("argv", "words"), [
    (["nothing"], "There is no sweep 'nothing'."),
    (["missing.toml"], "Could not read missing.toml"),
    ([], "Name a .toml file that describes a sweep"),
    (["../x"], "There is no sweep '../x'."),
])
def test_that_an_invalid_sweep_is_refused_in_one_line(refused, argv, words):
    assert words in refused("sweep", *argv)


@pytest.mark.skipif(not hasattr(signal, "SIGKILL"), reason="Windows has no such signals")
def test_that_ctrl_c_stops_the_run_and_the_sweep_and_the_next_call_continues(cli, file, tmp_path):
    sweep_file(tmp_path, steps=4000, eval_freq=1000)
    process = start("sweep", file, "--json")
    for line in process.stdout:
        if '"member_started"' in line:
            break
    run = SweepFolder.of_name("rates")
    while not any(run.path.parent.parent.glob("runs/*/journal.jsonl")):
        assert process.poll() is None
    process.send_signal(signal.SIGINT)
    *_, last = lines(finish(process), code=130)
    assert (last["outcome"], last["left"]) == ("stopped", 4)


def test_that_several_processes_train_the_runs_together_one_after_the_other(file):
    group = torchrun.Forked("sweep", file, "--json")
    out, complaints = group.end()
    assert group.codes == [0, 0], complaints
    events = [json.loads(line) for line in out.splitlines() if line.startswith("{")]
    assert [each["event"] for each in events].count("member_ended") == 4
    assert events[-1]["finished"] == 4
    assert len(all_runs()) == 4


def test_that_a_sweep_is_continued_by_its_name_from_another_folder(cli, tmp_path, monkeypatch):
    (tmp_path / "notes.txt").write_text("Every effort moves you, said the owl. " * 60)
    (tmp_path / "elsewhere").mkdir()
    monkeypatch.chdir(tmp_path)
    assert cli("sweep", sweep_file(tmp_path, text="notes.txt"), "--show").code == 0
    SweepFolder.open_or_create(sweep_toml.read(tmp_path / "sweep.toml"))
    monkeypatch.chdir(tmp_path / "elsewhere")
    assert cli("sweep", "rates").code == 0
    assert len(all_runs()) == 4
