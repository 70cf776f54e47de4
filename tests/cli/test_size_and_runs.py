"""``size`` and ``runs``, for people and as JSON."""

import json
import shutil

import pytest
from command_line import SHORT

from gptstudio import devices
from gptstudio.gpt import sizing
from gptstudio.gpt.config import PRESETS
from gptstudio.gpt.memory import generate_memory, train_memory
from gptstudio.training.forecast import CostHistory, Workload, forecast
from gptstudio.training.spec import TrainSpec


def test_that_size_prints_the_books_figures_as_one_json_object(cli):
    result = cli("size", "--preset", "gpt2-small", "--json")
    figures = json.loads(result.out)
    assert result.out.count("\n") == 1
    assert (figures["parameters"], figures["parameters_tied"]) == (163_009_536, 124_412_160)
    assert figures["weights_mb"] == 621.83
    assert sum(figures["components"].values()) == figures["parameters"]


def test_that_size_counts_the_memory_of_the_requested_batch(cli):
    cfg = PRESETS["book"].but(n_layers=2)
    figures = json.loads(cli("size", "--preset", "book", "--n-layers", "2", "--batch-size", "8", "--json").out)
    assert figures["train_bytes"] == train_memory(cfg, 8).total
    assert figures["generate_bytes"] == generate_memory(cfg).total


def test_that_size_lists_the_presets_that_fit_into_a_device(cli, monkeypatch, refused):
    gpu = devices.Device("cuda:0", "a card", 80 * 10**9, 20 * 10**9, fast_bf16=True)
    monkeypatch.setattr(devices, "detect", lambda: iter([devices.cpu(), gpu]))
    found = json.loads(cli("size", "--device", "cuda", "--json").out)
    assert list(found) == list(PRESETS)
    for name, fits in found.items():
        batch = fits["largest_batch"]
        if batch:
            assert train_memory(PRESETS[name], batch, bf16=True, kind="cuda").total <= gpu.free_bytes
        assert batch == 1024 or train_memory(
            PRESETS[name], max(1, 2 * batch), bf16=True, kind="cuda").total > gpu.free_bytes
    assert found["gpt2-small"]["largest_batch"] > found["gpt2-medium"]["largest_batch"] > 0
    assert found["gpt2-xl"]["largest_batch"] == 0
    for more in (["--preset", "book"], ["--n-layers", "3"], ["--optimizer", "sgd"]):
        assert "--device shows every preset" in refused("size", "--device", "cuda", *more)
    output = cli("size", "--device", "cuda").out
    assert "a card (cuda:0): 19,073.5 MB of 76,293.9 MB free" in output
    assert "too large" in output


def test_that_size_estimates_the_same_as_train_shows_before_the_start(cli):
    """After a run of the same kind, the estimate is the measured value."""
    spec = TrainSpec(config=PRESETS["book"].but(n_layers=2), precision="fp32")
    flags = ("size", "--preset", "book", "--n-layers", "2")
    before = json.loads(cli(*flags, "--json").out)
    assert before["train_bytes_estimated"] == before["train_bytes"]
    work = Workload.of(spec, devices.cpu())
    CostHistory().with_cost(spec, devices.cpu(), peak_bytes=round(1.25 * work.memory("cpu").total)).write()
    after = json.loads(cli(*flags, "--json").out)
    assert after["train_bytes"] == before["train_bytes"]
    assert after["train_bytes_estimated"] == forecast(spec, None, devices.cpu(), CostHistory.read()).predicted_bytes
    assert after["train_bytes_estimated"] == round(1.25 * before["train_bytes"])
    assert f"{after['train_bytes_estimated'] / 2**20:,.1f} MB (measured in an earlier run" in cli(*flags).out


def test_that_size_shows_each_component_with_its_share(cli):
    result = cli("size", "--preset", "book")
    result = [" ".join(line.split()) for line in result.out.splitlines()]
    assert any(line.startswith("Output layer 38,597,376 23.8 %") for line in result)
    assert "Total 162,419,712" in result
    assert "… with the output layer tied 123,822,336" in result


def test_that_size_with_a_tied_model_reports_both_counts(cli):
    figures = json.loads(cli("size", "--preset", "book", "--tie-weights", "--json").out)
    assert figures["parameters"] - figures["parameters_tied"] == figures["components"]["output_layer"]


def test_that_runs_names_the_searched_folder_when_there_are_none(cli, home):
    result = cli("runs")
    assert result.code == 0
    assert f"No runs yet in {home / 'runs'}" in result.out
    assert cli("runs", "--json").out == ""


def test_that_runs_lists_each_run_with_its_losses(cli, learn):
    run = learn()
    line = next(line for line in cli("runs").out.splitlines() if run.name in line)
    assert "The Late Bell" in line
    assert line.split()[-1] == "finished"
    listed = json.loads(cli("runs", "--json").out)
    assert (listed["name"], listed["steps"], listed["outcome"]) == (run.name, 3, "finished")
    assert listed["checkpoint"] == str(run.newest_checkpoint())
    assert 10 < listed["val_loss"] < 12


def test_that_runs_tells_a_live_run_from_an_interrupted_one(cli, learn):
    run = learn()
    [*events, _] = run.journal_path.read_bytes().splitlines(keepends=True)
    run.journal_path.write_bytes(b"".join(events))

    def end() -> str:
        [line] = (line for line in cli("runs").out.splitlines() if run.name in line)
        return line.rstrip().split("  ")[-1].strip()

    assert end() == "interrupted"
    with run.writing():
        assert end() == "live"


@pytest.mark.parametrize("letters", [30, 35, 200])
def test_that_in_a_narrow_terminal_every_run_has_its_name_losses_and_end(cli, home, monkeypatch, letters):
    name = "x" * letters
    assert cli("train", *SHORT, "--run", home / "runs" / name).code == 0
    monkeypatch.setenv("COLUMNS", "80")
    out = cli("runs").out
    assert all(len(line) <= 80 for line in out.splitlines())
    [line] = (line for line in out.splitlines() if line.rstrip().endswith("finished"))
    figures = json.loads(cli("runs", "--json").out)
    losses = [f"{figures[each]:.3f}" for each in ("train_loss", "val_loss", "best_val_loss")]
    assert line.split()[-5:-1] == ["3", *losses]
    assert "".join(line.split()[0] for line in out.splitlines() if line.strip().startswith("x")) == name


def test_that_one_run_shows_its_measurements(cli, learn, monkeypatch):
    run = learn("--eval-freq", "2", "--probes", "He said", "--probes", "<validation>")
    [listed] = (json.loads(line) for line in cli("runs", "--json").out.splitlines())
    result = cli("runs", listed["name"])
    assert (result.code, result.err) == (0, "")
    assert "He said …" in result.out
    assert [line.split()[1] for line in result.out.splitlines() if "bits" in line] == ["0", "1", "3"] * 2
    whole = json.loads(cli("runs", listed["name"], "--json").out)
    assert {name: whole[name] for name in listed} == listed
    assert [each["step"] for each in whole["probes"]] == [-1, 0, 2]
    assert {"copies", "updates", "activations"} <= whole.keys()
    monkeypatch.chdir(run.path.parent)
    assert json.loads(cli("runs", f"./{run.name}", "--json").out) == whole, "paths do not depend on the current folder"
    assert cli("runs", "nothing").code == 2


def test_that_a_run_that_cannot_be_read_does_not_hide_the_others(cli, learn, home):
    run = learn()
    shutil.copytree(run.path, home / "runs" / "0-broken")
    (home / "runs" / "0-broken" / "run.json").write_text("{", encoding="utf-8")
    result = cli("runs", "--json")
    assert json.loads(result.out)["name"] == run.name
    assert "0-broken" in result.err


def test_that_hostile_text_is_data_in_json_and_moves_no_cursor(cli, learn, tmp_path):
    hostile = "</script>\x1b[2J\x9b2J\x07\u202e\u2028\n\"}, {\"name\": \"=1+1"
    run = learn()
    run.rename(hostile)
    (tmp_path / "text").write_text(hostile, encoding="utf-8")
    scored = cli("score", tmp_path / "text", "--model", run.newest_checkpoint(), "--json").out
    listed = cli("runs", "--json").out
    assert json.loads(listed)["title"] == run.record().title
    assert "\\u001b" in scored
    assert "\\u202e" in listed
    for printed in (listed, scored):
        assert all(json.loads(line) for line in printed.splitlines())
        assert not [char for char in printed if not char.isprintable() and char != "\n"]


@pytest.mark.parametrize("preset", PRESETS)
def test_that_every_preset_has_a_size(cli, preset):
    sizes = json.loads(cli("size", "--preset", preset, "--json").out)
    assert sizes["parameters"] == sizing.parameters(PRESETS[preset]).total
