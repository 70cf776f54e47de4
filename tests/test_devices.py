"""The memory of a run is measured from its start, and a second run in the same process does not get the
first's peak."""

import mmap
import platform
import sys

import pytest

from gptstudio import devices, units
from gptstudio.app import training_tasks
from gptstudio.errors import UserError

MB = 2**20
LINUX = platform.system() == "Linux"


def hold(megabytes: int) -> mmap.mmap:
    """Return a separate block of memory with every page touched."""
    block = mmap.mmap(-1, megabytes * MB)
    block[::mmap.PAGESIZE] = bytes(len(block) // mmap.PAGESIZE)
    return block


NOISE = 25 * MB
"""Memory that a process takes and frees besides, an eighth of what is held in these tests."""


@pytest.mark.slow
def test_that_the_meter_counts_what_was_held_since_it_was_made():
    before = hold(100)
    meter = devices.MemoryMeter("cpu")
    block = hold(200)
    assert meter.used() == pytest.approx(200 * MB, abs=NOISE)
    del block
    assert meter.used() < NOISE
    assert meter.peak() == pytest.approx(200 * MB, abs=NOISE)
    del before


@pytest.mark.slow
@pytest.mark.skipif(not LINUX, reason="other systems keep one peak for the life of a process")
def test_that_a_second_run_does_not_get_the_peak_of_the_first_even_without_readings_between():
    devices.MemoryMeter("cpu")
    hold(300)
    meter = devices.MemoryMeter("cpu")
    hold(200)
    assert meter.peak() == pytest.approx(200 * MB, abs=NOISE)


@pytest.mark.skipif(not LINUX, reason="only glibc returns freed memory when asked")
def test_that_a_second_run_that_reuses_memory_freed_before_needs_it_too(memory_returned):
    pieces = [bytes(100_000) for _ in range(2_000)]
    last = bytes(100_000)  # the C library keeps what was freed below the last piece in use
    del pieces
    meter = devices.MemoryMeter("cpu")
    pieces = [bytes(100_000) for _ in range(2_000)]
    assert meter.peak() == pytest.approx(200 * MB, abs=NOISE)
    del pieces, last


def test_that_where_no_peak_can_be_reset_the_highest_reading_is_reported(monkeypatch):
    monkeypatch.setattr(devices, "_process_peak", lambda: 2**60)  # set by an earlier run
    monkeypatch.setattr(devices, "_forget_peak", lambda: None)
    meter = devices.MemoryMeter("cpu")
    block = hold(200)
    meter.used()
    del block
    assert meter.peak() == pytest.approx(200 * MB, abs=NOISE)


def test_that_a_new_maximum_is_the_runs_own_also_where_no_peak_can_be_reset(monkeypatch):
    devices.MemoryMeter("cpu")  # imports what every meter needs
    peak = devices.used_bytes("cpu") + 300 * MB
    monkeypatch.setattr(devices, "_forget_peak", lambda: None)
    monkeypatch.setattr(devices, "_process_peak", lambda: peak)
    meter = devices.MemoryMeter("cpu")
    monkeypatch.setattr(devices, "_process_peak", lambda: peak + 200 * MB)
    assert meter.peak() == pytest.approx(500 * MB, abs=NOISE)


# CUDA GPUs that the installed PyTorch cannot use.


@pytest.mark.parametrize(("cuda", "why"), [
    (None, "the installed PyTorch was built without CUDA"),
    ("13.0", "its driver is too old for the installed PyTorch, or does not work"),
])
def test_that_a_gpu_that_this_pytorch_cannot_use_is_named_with_the_command_that_helps(monkeypatch, cuda, why):
    import torch

    monkeypatch.setattr(torch.cuda, "is_available", lambda: False)
    monkeypatch.setattr(torch.version, "cuda", cuda)
    monkeypatch.setattr(devices, "has_nvidia_driver", lambda: True)
    [found] = devices.broken()
    assert found.message == (
        f"A CUDA GPU is here, but {why}, so the CPU is used. To use the GPU, run GPT Studio from source with the "
        "PyTorch that fits its driver: python3 packaging/bootstrap.py run --torch cuda")
    assert devices.failed_devices() == []  # a run on the CPU does not warn of it each time
    assert devices.choose("auto").key == "cpu"
    for name in ("cuda", "cuda:1"):
        with pytest.raises(UserError, match=why):
            devices.choose(name)


@pytest.mark.parametrize("hidden", ["", "-1", " "])
def test_that_intentionally_hidden_gpus_are_no_fault(monkeypatch, hidden):
    monkeypatch.setattr(devices.Path, "exists", lambda path: True)
    monkeypatch.setattr(devices.platform, "system", lambda: "Linux")
    monkeypatch.setenv("CUDA_VISIBLE_DEVICES", hidden)
    assert not devices.has_nvidia_driver()
    monkeypatch.setenv("CUDA_VISIBLE_DEVICES", "0")
    assert devices.has_nvidia_driver()


@pytest.mark.parametrize("installed", [False, True])
def test_that_an_installed_program_does_not_name_a_build_that_it_cannot_have(monkeypatch, installed):
    import torch

    monkeypatch.setattr(torch.cuda, "is_available", lambda: False)
    monkeypatch.setattr(devices, "has_nvidia_driver", lambda: True)
    monkeypatch.setattr(sys, "frozen", installed, raising=False)
    assert len(training_tasks.find_devices()[1]) == (not installed)


def test_that_an_apple_gpu_is_offered_and_never_chosen_automatically(monkeypatch):
    import torch

    monkeypatch.setattr(torch.backends.mps, "is_available", lambda: True)
    assert not devices.choose("mps").tested
    assert devices.choose("auto").key != "mps"


@pytest.mark.parametrize(("chosen", "words"), [
    ("book", "needs 300.5 MB, but only 300.0 MB of 2.0 GB are free on"),
    ("iec", "needs 300.5 MiB, but only 300.0 MiB of 2.0 GiB are free on"),
])
def test_that_too_little_memory_is_refused_in_the_chosen_units(monkeypatch, chosen, words):
    monkeypatch.setattr(units, "_units", chosen)
    device = devices.Device("cpu", "a small computer", 2 * 2**30, 300 * 2**20)
    with pytest.raises(UserError, match=words):
        devices.check_memory(300 * 2**20 + 2**19, device, "to train")
