"""A sweep trains its runs one after the other, and continues where it stopped; its results are those of its
journals."""

import csv
import math
import statistics

import numpy as np
import pytest
from disks import disk_is_full
from sweeps import RATES, journals, small_sweep, statuses, train_all
from whole_runs import after_step

from gptstudio import devices, files
from gptstudio.app import sweep_tasks
from gptstudio.errors import UserError
from gptstudio.history import run_history, sweep_results
from gptstudio.training import forecast
from gptstudio.training.checkpoint_files import size
from gptstudio.training.control import Control
from gptstudio.training.events import Evaluated, RunStarted
from gptstudio.training.run_folder import all_runs
from gptstudio.training.sweep_runner import Queue, SweepFolder, all_sweeps
from gptstudio.training.sweep_spec import SweepSpec, members

pytestmark = pytest.mark.usefixtures("few_tokens")


@pytest.fixture
def base(tiny_spec):
    return tiny_spec(steps=5, eval_freq=2, eval_iter=1, sample_tokens=1)


@pytest.mark.parametrize("vocabulary", ["gpt2", "characters"])
def test_that_a_sweep_stopped_in_the_middle_of_a_run_continues_and_ends_as_one_never_stopped(base, vocabulary):
    base = base.but(config=base.config.but(vocabulary=vocabulary))
    whole, stopped = small_sweep(base, "whole"), small_sweep(base, "stopped")
    assert [end.verdict for end in train_all(whole)] == ["finished"] * 4
    assert statuses(whole) == ["finished"] * 4
    found = [(run.record().spec.learning_rate, run.record().spec.seed) for run in reversed(all_runs())]
    assert found == [(rate, seed) for seed in (1, 2) for rate in RATES]
    assert all_runs()[-1].record().title == "whole: learning_rate 0.001, seed 1"
    assert train_all(whole) == [], "nothing is left"
    control = Control()
    ends = train_all(stopped, after_step(3, control.stop), control)
    assert [end.verdict for end in ends] == ["stopped"]
    assert statuses(stopped) == ["started", "pending", "pending", "pending"]
    train_all(SweepFolder.of_name("stopped"))
    assert statuses(stopped) == ["finished"] * 4
    assert journals(stopped) == journals(whole)
    assert len(all_runs()) == 8


def test_that_a_queue_that_an_earlier_version_edited_is_trained_as_written_and_listed_by_its_losses(base, tmp_path):
    sweep = small_sweep(base)
    first, second, third, fourth = (member.id for member in members(sweep.record().spec))
    sweep.change(lambda queue: queue.but(order=(first, second, fourth, third), skipped=frozenset({second})))
    assert sweep.queue().open == (first, fourth, third)
    train_all(sweep)
    assert statuses(sweep) == ["finished", "skipped", "finished", "finished"]
    assert [run.record().spec.seed for run in reversed(all_runs())] == [1, 2, 2]
    results = sweep_results.read(sweep)
    losses = [each.best_val_loss for each in results.table]
    assert losses[:3] == sorted(losses[:3])
    assert losses[3] is None
    sweep_results.write_csv(results, tmp_path / "table.csv")
    with (tmp_path / "table.csv").open(encoding="utf-8", newline="") as file:
        best, *rows = csv.DictReader(file)
    assert float(best["best_val_loss"]) == losses[0]
    assert float(best["learning_rate"]) == results.table[0].member.values["learning_rate"]
    assert rows[-1]["status"] == "skipped"
    sweep.change(Queue.retry)
    assert sweep.queue().open == (second,)


def test_that_the_same_name_with_other_settings_is_refused_and_with_the_same_continues(base):
    sweep = small_sweep(base)
    assert small_sweep(base) == sweep
    with pytest.raises(UserError, match="There is a sweep named rates with other settings"):
        small_sweep(base, seeds=(3,))
    assert all_sweeps() == [sweep]


def test_that_a_sweep_that_did_not_fit_on_the_disk_can_be_made_once_it_does(base, monkeypatch):
    with monkeypatch.context() as patch:
        patch.setattr(files, "written_whole", disk_is_full)
        with pytest.raises(UserError, match="No space left on device"):
            small_sweep(base)
    assert not SweepFolder.of_name("rates").path.exists()
    spec = SweepSpec.make("rates", base, {"learning_rate": RATES})
    assert sweep_tasks.create(spec).record().spec == spec
    with pytest.raises(UserError, match="There is a sweep named rates already"):
        sweep_tasks.create(spec)


def test_that_mean_and_spread_are_those_of_numpy_over_the_seeds(base):
    sweep = small_sweep(base.but(steps=3), seeds=(1, 2, 3))
    train_all(sweep)
    results = sweep_results.read(sweep)
    for rate in RATES:
        lowest = [
            min(event.val_loss for event in run.events() if isinstance(event, Evaluated))
            for run in all_runs() if run.record().spec.learning_rate == rate
        ]
        [group] = [each for each in results.groups if each.values["learning_rate"] == rate]
        assert group.count == 3
        assert group.mean == pytest.approx(np.mean(lowest), rel=1e-12)
        assert group.spread == pytest.approx(np.std(lowest, ddof=1), rel=1e-9)
        assert group.lowest == min(lowest)
    means = [group.mean for group in results.groups]
    assert means == sorted(means)


def test_that_runs_with_different_vocabularies_are_compared_in_bits_per_byte(base):
    sweep = small_sweep(base.but(steps=1), vocabulary=("characters", "gpt2"))
    train_all(sweep)
    results = sweep_results.read(sweep)
    per_token = {each.member.values["vocabulary"]: each.best_val_loss for each in results.members}
    assert per_token["characters"] < per_token["gpt2"], "a token that is a character says little"
    assert [each.member.values["vocabulary"] for each in results.table] == ["gpt2"] * 2 + ["characters"] * 2
    for run, each in zip(sorted(all_runs(), key=lambda run: run.name), results.members, strict=True):
        size = next(event for event in run.events() if isinstance(event, RunStarted)).bytes_per_token[1]
        assert each.bits_per_byte == pytest.approx(each.best_val_loss / math.log(2) / size)
    first, second = results.groups
    assert (first.values, second.values) == ({"vocabulary": "gpt2"}, {"vocabulary": "characters"})
    assert first.mean == statistics.fmean(each.bits_per_byte for each in results.table[:2])


def test_that_two_settings_make_a_grid_of_means(base):
    sweep = small_sweep(base.but(steps=1), learning_rate=RATES, n_layers=(1, 2), seeds=(1,))
    train_all(sweep)
    results = sweep_results.read(sweep)
    assert results.grid
    for row, rate in zip(results.grid, RATES, strict=True):
        for cell, layers in zip(row, (1, 2), strict=True):
            assert cell.values == {"learning_rate": rate, "n_layers": layers}
            found = [each.best_val_loss for each in results.members if each.member.values == cell.values]
            assert cell.mean == statistics.fmean(found)


def test_that_the_time_left_is_that_of_the_steps_left_at_the_speed_so_far(base):
    sweep = small_sweep(base.but(steps=12))
    control = Control()
    train_all(sweep, after_step(2, control.stop), control)
    assert sweep_results.read(sweep).remaining_s() is None, "too early to tell"
    control = Control()
    train_all(sweep, after_step(9, control.stop), control)
    results = sweep_results.read(sweep)
    [begun] = [each for each in results.members if each.steps]
    assert begun.steps == 10
    assert results.remaining_s() == pytest.approx(begun.elapsed_s / 10 * (3 * 12 + 2))


@pytest.mark.parametrize("vary", [{"vocabulary": ("gpt2", "characters")}, {"train_ratio": (0.5, 0.9)}], ids=" ".join)
def test_that_the_forecast_is_that_of_the_runs_as_they_are_trained(base, vary):
    sweep = small_sweep(base.but(steps=None, epochs=1, sample_tokens=0), seeds=(1,), **vary)
    train_all(sweep)
    forecast.file().unlink(missing_ok=True)
    runs = all_runs()
    found = sweep_tasks.outlook(sweep.record().spec, devices.cpu(), runs[0])
    started = [next(event for event in run.events() if isinstance(event, RunStarted)) for run in runs]
    assert started[0].total_steps != started[1].total_steps
    steps = sum(event.total_steps for event in started)
    assert found.seconds == pytest.approx(run_history.read(runs[0].journal_path).step_s * steps)
    saved = sum(size(path) for run in runs for path in run.checkpoints())
    assert found.bytes == pytest.approx(saved * 4 / 3, rel=0.1), "with a copy of the best weights"


def test_that_a_combination_that_is_no_model_is_refused_before_anything_is_made(base):
    with pytest.raises(ValueError, match=r"Width \(16\) must be a multiple of Heads \(3\)"):
        SweepSpec.make("x", base, {"n_heads": (2, 3)})
    assert all_sweeps() == []
