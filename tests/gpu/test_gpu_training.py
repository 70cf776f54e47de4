"""Training on a GPU: the book's losses, resuming to the bit, moving to the processor and back, control, failures."""

import json
import math
import threading
from collections.abc import Callable
from pathlib import Path

import pytest
import torch
from on_gpu import DEVICE, ON_GPU

from gptstudio import devices
from gptstudio.gpt.config import PRESETS, GPTConfig
from gptstudio.training import checkpoint, launch, trainer
from gptstudio.training.checkpoint_files import RESUME, WEIGHTS, known_sum
from gptstudio.training.control import Control
from gptstudio.training.events import Ended, Evaluated, Event, StepDone, StepReport, Warned
from gptstudio.training.executor import Sink
from gptstudio.training.run_folder import RunFolder, step_of
from gptstudio.training.spec import TrainSpec

SMALL = GPTConfig(context_length=32, emb_dim=64, n_heads=4, n_layers=2, drop_rate=0.2)
PRECISIONS = ["fp32", "bf16"]
each_precision = pytest.mark.parametrize("precision", PRECISIONS)


def run_of(path: Path, text: Path, sinks: tuple[Sink, ...] = (), control: Control | None = None, **changes) -> Ended:
    """Train a small model and return its end."""
    settings = {
        "config": SMALL, "text": (str(text),), "steps": 12, "batch_size": 4, "learning_rate": 1e-3, "sample_tokens": 4,
        "eval_freq": 4, "eval_iter": 1, "device": DEVICE, "save_every_s": None,
    }
    return launch.launch(TrainSpec(**settings | changes), control or Control(), list(sinks), path)


def at_step(step: int, do: Callable[[], object]) -> Sink:
    def sink(event: Event) -> None:
        if isinstance(event, StepDone) and event.step == step:
            do()

    return sink


def losses(path: Path) -> list[float]:
    return [event.loss for event in RunFolder(path).events() if isinstance(event, StepDone)]


def weights(path: Path) -> dict[str, torch.Tensor]:
    return checkpoint.load(RunFolder(path).newest_checkpoint()).state_dict()


def stopped_and_resumed(path: Path, text: Path, stop_at: int, **changes) -> None:
    control = Control()
    assert run_of(path, text, (at_step(stop_at, control.stop),), control, **changes).outcome == "stopped"
    ended = launch.resume(RunFolder(path), Control(), [])
    assert ended.outcome == "finished", ended.message


def test_that_reference_arithmetic_gives_the_losses_of_the_book(verdict, numbers, tmp_path):
    expected = numbers["training_the_verdict"]["evaluations_step_train_val"]
    spec = TrainSpec(config=PRESETS["book"], reference=True, device=DEVICE, save_every_s=None, steps=12)
    found: list[list[float]] = []

    def note(event: Event) -> None:
        if isinstance(event, Evaluated):
            found.append([event.step, event.train_loss, event.val_loss])

    ended = launch.launch(spec, Control(), [note], tmp_path / "book")
    assert ended.outcome == "finished", ended.message
    assert [row[0] for row in found] == [0, 5, 10]
    for row, printed in zip(found, expected, strict=False):
        assert row[1:] == pytest.approx(printed[1:], abs=1e-2), row


def test_that_reference_arithmetic_without_dropout_trains_as_on_the_processor(lesson, tmp_path):
    settings = {"config": SMALL.but(drop_rate=0.0), "reference": True}
    for device in (DEVICE, "cpu"):
        run_of(tmp_path / device, lesson, device=device, **settings)
    assert losses(tmp_path / DEVICE) == pytest.approx(losses(tmp_path / "cpu"), abs=1e-2)


@each_precision
@pytest.mark.parametrize("compile_", ["off", "on"])
def test_that_the_fast_path_learns_the_same_as_on_the_processor(lesson, tmp_path, precision, compile_):
    settings = {"config": SMALL.but(drop_rate=0.0), "precision": precision, "compile": compile_}
    run_of(tmp_path / "gpu", lesson, **settings)
    run_of(tmp_path / "cpu", lesson, device="cpu", config=SMALL.but(drop_rate=0.0), precision="fp32")
    allowed = 1e-2 if precision == "fp32" else 5e-2
    assert losses(tmp_path / "gpu") == pytest.approx(losses(tmp_path / "cpu"), abs=allowed)


@each_precision
@pytest.mark.parametrize("changes", [
    {}, {"accumulation": 2}, {"recompute_activations": True}, {"gradient_clip": 0.5}, {"optimizer": "muon"},
    {"config": SMALL.but(tie_weights=True)}, {"compile": "on"},
], ids=str)
def test_that_a_resumed_run_equals_the_run_that_was_not_stopped(lesson, tmp_path, precision, changes):
    run_of(tmp_path / "whole", lesson, precision=precision, **changes)
    stopped_and_resumed(tmp_path / "parts", lesson, 5, precision=precision, **changes)
    assert losses(tmp_path / "parts") == losses(tmp_path / "whole")
    ours, theirs = weights(tmp_path / "parts"), weights(tmp_path / "whole")
    assert all(torch.equal(ours[name], theirs[name]) for name in theirs)


@each_precision
def test_that_a_checkpoint_saved_while_the_run_continues_is_that_of_its_step(lesson, tmp_path, precision):
    settings = {
        "precision": precision, "steps": None, "epochs": 3, "save_every_epochs": 1, "keep_others": 9, "eval_freq": 1000,
    }
    run_of(tmp_path / "whole", lesson, **settings)
    assert len(RunFolder(tmp_path / "whole").checkpoints()) == 3
    for saved in RunFolder(tmp_path / "whole").checkpoints():
        control = Control()
        run_of(tmp_path / saved.name, lesson, (at_step(step_of(saved), control.stop),), control, **settings)
        then = RunFolder(tmp_path / saved.name).newest_checkpoint()
        for name in (WEIGHTS, RESUME):
            assert known_sum(saved / name) == known_sum(then / name), (saved.name, name)


@pytest.mark.parametrize("there", ["to the processor", "to the GPU"])
def test_that_a_checkpoint_continues_on_the_other_device(lesson, tmp_path, monkeypatch, there):
    begins, ends = (DEVICE, "cpu") if there == "to the processor" else ("cpu", DEVICE)
    settings = {"config": SMALL.but(drop_rate=0.0), "precision": "fp32"}
    run_of(tmp_path / "whole", lesson, device="cpu", **settings)
    control, path, events = Control(), tmp_path / "moved", list[Event]()
    run_of(path, lesson, (at_step(5, control.stop),), control, device=begins, **settings)
    monkeypatch.setattr(devices, "choose", _always(devices.choose(ends)))
    ended = launch.resume(RunFolder(path), Control(), [events.append])
    assert ended.outcome == "finished", ended.message
    assert losses(path) == pytest.approx(losses(tmp_path / "whole"), abs=1e-2)
    warned = [event.message for event in events if isinstance(event, Warned)]
    assert any("continues on" in message for message in warned) == (begins != ends)


def _always(device: devices.Device) -> Callable[..., devices.Device]:
    return lambda wanted="auto": device


def test_that_a_run_is_paused_stepped_controlled_and_copied_from_while_it_trains(lesson, tmp_path):
    control, found = Control(), {}

    def steer() -> None:
        control.learning_rate = 5e-4
        control.step()
        found["copy"] = control.snapshot()
        threading.Timer(0.5, control.resume).start()

    reports: list[StepReport] = []
    ended = run_of(
        tmp_path / "run", lesson,
        (at_step(3, steer), lambda event: reports.append(event) if isinstance(event, StepReport) else None), control)
    assert ended.outcome == "finished", ended.message
    assert found["copy"].result(timeout=60).weights["tok_emb.weight"].isfinite().all()
    assert len(reports) == 1
    rates = [event.learning_rate for event in RunFolder(tmp_path / "run").events() if isinstance(event, StepDone)]
    assert rates[3] == 1e-3
    assert rates[4:] == [5e-4] * 8


def test_that_reading_a_run_changes_nothing(lesson, tmp_path):
    run_of(tmp_path / "whole", lesson)
    control = Control()
    run_of(tmp_path / "looked at", lesson, (at_step(3, control.snapshot), at_step(6, control.snapshot)), control)
    assert losses(tmp_path / "looked at") == losses(tmp_path / "whole")


class Broken(RuntimeError):
    """The error with which torch reports a failed device."""


@pytest.mark.parametrize("place", ["training_step", "evaluate", "generate_sample"])
def test_that_a_device_that_fails_ends_the_run_with_a_message(lesson, tmp_path, monkeypatch, place):
    real, count = getattr(trainer, place), 0

    def fails(*args, **kwargs):
        nonlocal count
        count += 1
        if count == 3:
            raise Broken("CUDA error: unspecified launch failure\nCUDA kernel errors might be asynchronously reported")
        return real(*args, **kwargs)

    with monkeypatch.context() as broken:
        broken.setattr(trainer, place, fails)
        ended = run_of(tmp_path / "run", lesson, epochs=4, steps=None, save_every_epochs=1)
    assert ended.outcome == "failed"
    assert "The device failed during computation: CUDA error: unspecified launch failure." in ended.message
    assert json.loads(RunFolder(tmp_path / "run").journal_path.read_bytes().splitlines()[-1])["outcome"] == "failed"
    assert run_of(tmp_path / "next", lesson).outcome == "finished"


needs_gpu = pytest.mark.skipif(not ON_GPU, reason="it is about the memory of a GPU")


def long_text(folder: Path, tokens: int) -> Path:
    """Return a text of at least ``tokens`` tokens in both of its parts."""
    file = folder / "long.txt"
    file.write_text("the cat sat on the mat, and the dog sat on the cat. " * (tokens + 10), encoding="utf-8")
    return file


@needs_gpu
def test_that_a_model_that_is_too_large_is_refused_before_anything_is_allocated(tmp_path):
    held = torch.cuda.memory_allocated()
    size = GPTConfig(context_length=1024, emb_dim=12_288, n_heads=96, n_layers=96)
    ended = run_of(tmp_path / "run", long_text(tmp_path, 1025), config=size, batch_size=1)
    assert ended.outcome == "failed"
    assert "There is not enough memory to train this model" in ended.message
    assert torch.cuda.memory_allocated() == held


@needs_gpu
def test_that_an_allocation_that_fails_ends_with_a_message_and_frees_the_memory(lesson, tmp_path):
    run_of(tmp_path / "before", lesson)
    held = torch.cuda.memory_allocated()
    settings = {"config": PRESETS["gpt2-small"].but(context_length=64), "batch_size": 2, "steps": 2}
    spec = TrainSpec(text=(str(long_text(tmp_path, 65)),), device=DEVICE, **settings)
    torch.cuda.set_per_process_memory_fraction((torch.cuda.memory_reserved() + 2**29) / torch.cuda.mem_get_info()[1])
    try:
        ended = launch.launch(spec, Control(), [], tmp_path / "run", anyway=True)
    finally:
        torch.cuda.set_per_process_memory_fraction(1.0)
    assert ended.outcome == "failed"
    assert "There is not enough memory" in ended.message
    assert torch.cuda.memory_allocated() <= held + 2**20
    assert run_of(tmp_path / "next", lesson).outcome == "finished"


SIZES = {
    "workshop": (PRESETS["workshop"], 2), "workshop, 32 windows": (PRESETS["workshop"], 32),
    "book": (PRESETS["book"], 2), "book, 16 windows": (PRESETS["book"], 16),
    "gpt2-small": (PRESETS["gpt2-small"], 4), "gpt2-medium": (PRESETS["gpt2-medium"], 4),
}


@needs_gpu
@each_precision
@pytest.mark.parametrize(("config", "batch"), SIZES.values(), ids=SIZES.keys())
def test_that_the_predicted_memory_is_that_of_a_run(tmp_path, config, batch, precision):
    text = long_text(tmp_path, max(config.context_length + 1, config.context_length * batch // 10))
    predicted = []
    torch.cuda.reset_peak_memory_stats()
    before = torch.cuda.memory_allocated()

    def note(event: Event) -> None:
        if predicted_bytes := getattr(event, "predicted_bytes", None):
            predicted.append(predicted_bytes)

    ended = run_of(
        tmp_path / "run", text, (note,), config=config, batch_size=batch, steps=3, precision=precision, eval_freq=100,
        sample_tokens=0)
    assert ended.outcome == "finished", ended.message
    peak = torch.cuda.max_memory_allocated() - before
    print(f"MEMORY {precision} {config.emb_dim} x {config.n_layers}, {batch} x {config.context_length}: "
          f"predicted {predicted[0] / 2**20:,.0f} MB, held {peak / 2**20:,.0f} MB, {predicted[0] / peak:.3f}")
    assert math.isclose(predicted[0], peak, rel_tol=0.10)
