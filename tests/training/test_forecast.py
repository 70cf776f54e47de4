"""Memory and time of a run: a forecast from the formula, from a calibration, and from earlier runs."""

import json
import time

import pytest
import torch
from hypothesis import given
from hypothesis import strategies as st
from messages import message

from gptstudio import devices
from gptstudio.devices import Device
from gptstudio.gpt import sizing
from gptstudio.gpt.config import PRESETS
from gptstudio.gpt.memory import train_memory
from gptstudio.i18n import Message
from gptstudio.training import calibration, corpus
from gptstudio.training.control import Control
from gptstudio.training.corpus import Plan
from gptstudio.training.events import MemoryRead, StepDone
from gptstudio.training.forecast import (
    MAX_CORRECTION,
    MAX_ENTRIES,
    MIN_CORRECTION,
    TIGHT,
    CostHistory,
    Forecast,
    Speed,
    Workload,
    forecast,
    step_equivalents,
)
from gptstudio.training.launch import launch
from gptstudio.training.spec import TrainSpec
from gptstudio.units import bytes_text

GB = 2**30
PLAN = Plan(train_tokens=4_612, val_tokens=534, train_windows=72, val_windows=8, steps_per_epoch=36, total_steps=360)
BOOK = TrainSpec(config=PRESETS["book"], precision="fp32")
NOTHING = CostHistory()


def machine(free: int = 16 * GB) -> Device:
    return Device("cpu", "Test processor", 32 * GB, free)


def needed(spec: TrainSpec) -> int:
    return Workload.of(spec, machine()).memory("cpu").total


def ran(spec: TrainSpec, known: CostHistory = NOTHING, factor: float = 1.0, elapsed_s: float = 72.0) -> CostHistory:
    return known.with_run(spec, machine(), PLAN, round(needed(spec) * factor), 360, elapsed_s)


def test_that_without_measurements_memory_is_the_formulas_and_time_is_unknown():
    made = forecast(BOOK, PLAN, machine(), NOTHING)
    assert made.predicted_bytes == train_memory(BOOK.config, BOOK.batch_size).total
    assert (made.memory_from, made.seconds, made.tokens_per_second) == ("estimated by formula", None, None)
    assert (made.free_bytes, made.total_bytes) == (16 * GB, 32 * GB)
    assert made.time_from == message("measured_computer_yet")


@pytest.mark.parametrize(("share", "level"), [(0.5, "fits"), (0.79, "fits"), (0.81, "tight"), (1.01, "too large")])
def test_that_a_forecast_is_tight_over_80_percent_and_too_large_over_100(share, level):
    made = forecast(BOOK, PLAN, machine(round(needed(BOOK) / share)), NOTHING)
    assert made.share == pytest.approx(share, rel=1e-6)
    assert made.level == level
    assert (made.smaller is not None) == (level == "too large")


@given(st.sampled_from(sorted(PRESETS)), st.integers(1, 64), st.integers(28, 37))
def test_that_a_suggested_smaller_setting_fits_by_the_same_calculation(preset, batch, power):
    spec = TrainSpec(config=PRESETS[preset], batch_size=batch, precision="fp32")
    device = machine(2**power)
    made = forecast(spec, PLAN, device, NOTHING)
    if made.smaller:
        other = forecast(made.smaller, PLAN, device, NOTHING)
        assert other.predicted_bytes <= TIGHT * device.free_bytes
        assert other.predicted_bytes < made.predicted_bytes
        assert other.level == "fits"
        assert bytes_text(other.predicted_bytes) in made.smaller_words
    elif made.level == "too large":
        assert message("smaller_setting_fits") in made.smaller_words
        least = TrainSpec(config=PRESETS["workshop"], precision="fp32")
        assert needed(least) > TIGHT * device.free_bytes or needed(least) > needed(spec) / 2


def test_that_the_batch_is_halved_first_and_a_step_still_learns_from_as_many_tokens():
    spec = BOOK.but(batch_size=16)
    made = forecast(spec, PLAN, machine(round(needed(BOOK.but(batch_size=8, accumulation=2)) / TIGHT) + 1), NOTHING)
    assert made.smaller == spec.but(batch_size=8, accumulation=2)
    assert made.smaller.tokens_per_step == spec.tokens_per_step
    assert made.smaller_words.startswith("With batch size 8 accumulated 2 times, training needs")


def test_that_then_activations_are_recomputed_of_the_whole_batch_if_that_fits():
    spec = TrainSpec(config=PRESETS["gpt2-small"], batch_size=2, precision="fp32")
    recomputed = spec.but(recompute_activations=True)
    assert needed(recomputed) < needed(spec.but(batch_size=1, accumulation=2)) < needed(spec)
    made = forecast(spec, PLAN, machine(round(needed(recomputed) / TIGHT) + 1), NOTHING)
    assert made.smaller == recomputed
    assert made.smaller_words.startswith("With activations that are recomputed, training needs")
    single = recomputed.but(batch_size=1, accumulation=2)
    made = forecast(spec, PLAN, machine(round(needed(single) / TIGHT) + 1), NOTHING)
    assert made.smaller == single
    assert "batch size 1 accumulated 2 times and activations that are recomputed" in made.smaller_words
    exact = forecast(spec.but(reference=True), PLAN, machine(round(needed(single) / TIGHT) + 1), NOTHING)
    assert exact.smaller is None or not exact.smaller.recompute_activations


def test_that_then_a_smaller_context_and_then_a_smaller_preset_is_suggested():
    spec = TrainSpec(config=PRESETS["gpt2-small"], precision="fp32")
    half = spec.but(
        config=spec.config.but(context_length=512), batch_size=1, accumulation=2, recompute_activations=True)
    made = forecast(spec, PLAN, machine(round(needed(half) / TIGHT) + 1), NOTHING)
    assert made.smaller == half
    assert "context length 512, batch size 1 accumulated 2 times and activations that" in made.smaller_words
    made = forecast(spec, PLAN, machine(GB), NOTHING)
    assert made.smaller is not None
    assert made.smaller.config == PRESETS["workshop"]
    assert "the preset workshop" in made.smaller_words
    made = forecast(spec, PLAN, machine(0), NOTHING)
    assert (made.level, made.share, made.smaller) == ("too large", float("inf"), None)


def test_that_a_fine_tuning_with_more_frozen_parts_needs_less_and_counts_as_other_work():
    frozen = BOOK.but(freeze=["token_embedding", "output_layer"], freeze_blocks=11)
    assert needed(frozen) < needed(BOOK) - 3 * sizing.FLOAT32 * 70_000_000
    known = ran(BOOK, elapsed_s=72.0)
    assert forecast(BOOK, PLAN, machine(), known).seconds is not None
    assert forecast(frozen, PLAN, machine(), known).seconds is None
    assert forecast(frozen, PLAN, machine(), ran(frozen, known, elapsed_s=36.0)).seconds == pytest.approx(36, rel=0.1)


def test_that_no_smaller_preset_is_named_where_the_weights_of_another_model_would_not_fit_it():
    spec = TrainSpec(config=PRESETS["gpt2-small"], precision="fp32", init_from="gpt2")
    assert forecast(spec, PLAN, machine(GB), NOTHING).smaller is None
    half = spec.but(
        config=spec.config.but(context_length=512), batch_size=1, accumulation=2, recompute_activations=True)
    assert forecast(spec, PLAN, machine(round(needed(half) / TIGHT) + 1), NOTHING).smaller == half


@pytest.mark.parametrize("quick_s", [1e9, 0.0], ids=["as it is", "by its first layers"])
def test_that_a_fine_tuning_is_calibrated_without_the_weights_that_it_begins_with(tiny_spec, monkeypatch, quick_s):
    monkeypatch.setattr(calibration, "MAX_DIRECT_S", quick_s)
    config = tiny_spec().config.but(n_layers=3)
    spec = tiny_spec(config=config, init_from="nobody", freeze=["norms"], freeze_blocks=3)
    speed = calibration.calibrate(spec, devices.cpu(), Control())
    assert speed is not None
    assert speed.step_s > 0


def test_that_other_work_during_a_calibration_leaves_a_step_its_time(tiny_spec, monkeypatch):
    take_step = calibration.training_step

    def disturbed(state, *rest):
        blocks = state.model.trf_blocks
        if len(blocks) == 2 and all(each.requires_grad for each in blocks[0].att.parameters()):
            time.sleep(0.05)
        return take_step(state, *rest)

    monkeypatch.setattr(calibration, "MAX_DIRECT_S", 0.0)
    monkeypatch.setattr(calibration, "training_step", disturbed)
    spec = tiny_spec(config=tiny_spec().config.but(n_layers=3), init_from="nobody", freeze_blocks=3)
    assert calibration.calibrate(spec, devices.cpu(), Control()).step_s > 0


@given(st.floats(0.55, 1.9), st.floats(1.0, 1e5))
def test_that_the_next_forecast_of_the_same_work_equals_the_measurement(factor, elapsed_s):
    known = ran(BOOK, factor=factor, elapsed_s=elapsed_s)
    made = forecast(BOOK.but(learning_rate=1e-3, seed=5), PLAN, machine(), known)
    assert made.predicted_bytes == pytest.approx(needed(BOOK) * factor, rel=1e-6)
    assert made.seconds == pytest.approx(elapsed_s)
    assert made.tokens_per_second == pytest.approx(360 * 512 / elapsed_s)
    assert made.time_from.startswith(message("as_the_run"))
    again = forecast(BOOK, PLAN, machine(), ran(BOOK, known, factor, elapsed_s))
    assert again.predicted_bytes == made.predicted_bytes  # it has converged: corrections are not corrected again


@given(st.lists(st.floats(0.6, 1.6), min_size=1, max_size=5))
def test_that_other_work_is_corrected_by_the_median_of_runs_of_its_path_and_precision(factors):
    known = NOTHING
    for batch, factor in enumerate(factors, start=3):
        known = ran(BOOK.but(batch_size=batch), known, factor)
    made = forecast(BOOK, PLAN, machine(), known)
    low, high = min(factors), max(factors)
    assert low * 0.999 <= made.predicted_bytes / needed(BOOK) <= high * 1.001
    assert made.memory_from.startswith("corrected by ")
    assert made.seconds is None
    other = BOOK.but(reference=True)
    assert forecast(other, PLAN, machine(), known).memory_from == message("from_the_formula")


def test_that_a_tiny_run_does_not_correct_a_large_one(tiny_spec):
    known = ran(tiny_spec(), factor=1.7)
    assert forecast(BOOK, PLAN, machine(), known).memory_from == message("from_the_formula")


def test_that_an_absurd_measurement_has_a_bounded_effect_that_is_reported():
    made = forecast(BOOK, PLAN, machine(), ran(BOOK, factor=9.0))
    assert made.predicted_bytes == 2 * needed(BOOK)
    assert "limited to a factor of 2" in made.memory_from


def test_that_measurements_do_not_apply_to_another_device_or_number_of_threads(monkeypatch):
    known = ran(BOOK, factor=1.3)
    elsewhere = Device("cpu", "Another processor", 32 * GB, 16 * GB)
    assert forecast(BOOK, PLAN, elsewhere, known).seconds is None
    monkeypatch.setenv("OMP_NUM_THREADS", "63")
    assert forecast(BOOK, PLAN, machine(), known).seconds is None


def test_that_evaluations_and_samples_are_counted():
    speed = Speed(step_s=0.3, token_s=0.01, source="from 3 steps of this model")
    known = NOTHING.with_cost(BOOK, machine(), speed)
    made = forecast(BOOK, PLAN, machine(), known)
    evaluations = 72 * (5 + 4) / 6  # every fifth of 360 steps, on 5 batches and on all 4, several in one pass
    assert made.seconds == pytest.approx(0.3 * (360 + evaluations) + 0.01 * 10 * 50)
    assert made.time_from == "from 3 steps of this model, without saving checkpoints"
    seldom = forecast(BOOK.but(eval_freq=1000, sample_tokens=0), PLAN, machine(), known)
    assert seldom.seconds == pytest.approx(0.3 * (360 + 9 / 6))


@pytest.mark.parametrize("changes", [{"reference": True}, {"batch_size": 4}])
def test_that_an_evaluation_takes_longer_where_each_batch_is_read_by_itself(changes):
    """A forward pass takes a third of a step."""
    spec = BOOK.but(**changes)
    assert step_equivalents(spec, PLAN, 360) == 360 + 72 * (5 + -(-PLAN.val_windows // spec.batch_size)) / 3


def test_that_measurements_are_kept_in_the_users_folder_and_stay_small(home):
    known = NOTHING
    for batch in range(1, MAX_ENTRIES + 20):
        known = ran(BOOK.but(batch_size=batch), known)
    known.write()
    assert (home / "calibration.json").stat().st_size < 500_000
    assert CostHistory.read() == known
    assert len(known.entries) == MAX_ENTRIES
    assert known.of(Workload.of(BOOK.but(batch_size=1), machine()), machine()) is None  # the oldest was removed
    assert known.of(Workload.of(BOOK.but(batch_size=100), machine()), machine()) is not None


@pytest.mark.parametrize(
    "content",
    ["", "{", "[]", '{"format": 2, "entries": []}', '{"format": 1, "entries": [{"device": 3}]}', "\x00" * 50,
     '{"format": 1, "entries": [], "more": 1}'],
)
def test_that_a_broken_or_foreign_file_is_ignored(home, content):
    (home / "calibration.json").write_text(content)
    assert CostHistory.read() == NOTHING


def test_that_a_file_with_impossible_numbers_is_ignored(home):
    ran(BOOK).write()
    data = json.loads((home / "calibration.json").read_text())
    data["entries"][0]["speed"]["step_s"] = -1
    (home / "calibration.json").write_text(json.dumps(data))
    assert CostHistory.read() == NOTHING


def test_that_a_folder_that_cannot_be_written_has_no_other_effect(home, monkeypatch):
    (home / "file").write_text("in the way")
    monkeypatch.setenv("GPTSTUDIO_HOME", str(home / "file" / "below"))
    ran(BOOK).write()
    assert CostHistory.read() == NOTHING


def test_that_a_real_run_improves_the_forecasts_of_the_same_and_of_a_longer_run(tiny_spec, tmp_path, memory_returned):
    spec, device, events = tiny_spec(steps=20), devices.choose("cpu"), []
    assert launch(spec, Control(), [events.append], tmp_path / "run").outcome == "finished"
    elapsed = [event for event in events if isinstance(event, StepDone)][-1].elapsed_s
    peak = max(event.run_peak_bytes for event in events if isinstance(event, MemoryRead))
    text = corpus.read(spec)
    made, longer = (
        forecast(each, corpus.plan(each, text), device, CostHistory.read()) for each in (spec, spec.but(steps=200))
    )
    assert made.seconds == pytest.approx(elapsed, rel=0.05)
    assert longer.seconds == pytest.approx(10 * elapsed, rel=0.2), "ten times the steps, and seldom less besides"
    formula, believed = needed(spec), (MIN_CORRECTION, MAX_CORRECTION)
    assert made.predicted_bytes == pytest.approx(min(max(peak, believed[0] * formula), believed[1] * formula), rel=0.01)
    assert ("is believed" in made.memory_from) == (not believed[0] < peak / formula < believed[1])


def test_that_calibrating_measures_and_leaves_the_random_state_alone(tiny_spec):
    spec = tiny_spec(accumulation=2)
    spec = spec.but(config=spec.config.but(n_layers=4))
    torch.manual_seed(7)
    before = torch.get_rng_state()
    speed = calibration.calibrate(spec, devices.choose("cpu"), Control())
    assert torch.equal(torch.get_rng_state(), before)
    assert speed is not None
    assert min(speed.step_s, speed.token_s) > 0


def test_that_a_small_model_is_measured_as_it_is_and_a_large_one_by_its_first_layers(tiny_spec, monkeypatch):
    spec = tiny_spec()
    spec, tried = spec.but(config=spec.config.but(n_layers=5)), []

    def measure(small, *_):
        layers = small.config.n_layers
        tried.append(layers)
        return Speed(step_s=(1 + layers) * pace, token_s=layers * 0.01, source=f"{layers} layers")

    monkeypatch.setattr(calibration, "_measure", measure)
    pace = 0.001
    assert calibration.calibrate(spec, machine(), Control()).source == "5 layers"
    assert tried == [1, 5]
    pace, tried[:] = 1.0, []
    speed = calibration.calibrate(spec, machine(), Control())
    assert tried == [1, 2]
    assert (speed.step_s, speed.token_s) == (pytest.approx(6.0), pytest.approx(0.05))
    assert speed.source == "from 3 steps of a one-layer and a two-layer model"
    kept = Speed.model_validate_json(speed.model_dump_json())
    assert kept.source == Speed(step_s=1, source=kept.source).source == speed.source
    assert isinstance(kept.source, Message), "a window in another language translates it"


@pytest.mark.parametrize(("frozen", "seconds"), [(0, 1 + 5 * 3), (3, 1 + 2 * 3 + 3 * 1), (5, 1 + 5 * 1)])
def test_that_frozen_layers_of_a_large_model_are_measured_by_a_frozen_layer(tiny_spec, monkeypatch, frozen, seconds):
    spec = tiny_spec()
    spec = spec.but(config=spec.config.but(n_layers=5), freeze_blocks=frozen)

    def measure(small, *_):
        blocks = small.freeze_blocks
        return Speed(step_s=1 + 3 * (small.config.n_layers - blocks) + blocks)

    monkeypatch.setattr(calibration, "_measure", measure)
    assert calibration.calibrate(spec, machine(), Control()).step_s == pytest.approx(seconds)


def test_that_a_stopped_calibration_reports_nothing(tiny_spec):
    control = Control()
    control.stop()
    assert calibration.calibrate(tiny_spec(), devices.choose("cpu"), control) is None


def test_that_a_forecast_is_frozen_and_knows_its_level_without_free_memory():
    made = Forecast(1, 0, 0, None, None, "", "")
    assert made.level == "too large"
