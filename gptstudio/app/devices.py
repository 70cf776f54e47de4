"""The devices of the computer, in the state."""

from __future__ import annotations

from dataclasses import replace

from gptstudio import devices
from gptstudio.app.state import AppState
from gptstudio.app.tasks import TaskRunner
from gptstudio.app.training_tasks import find_devices
from gptstudio.devices import Broken, Device, DeviceLost
from gptstudio.training.events import Ended


def look_for_devices(state: AppState, tasks: TaskRunner) -> None:
    """Find the devices; a GPU is chosen where there is one, as ``auto`` does."""

    def show(found: tuple[list[Device], list[Broken]]) -> None:
        state.devices, state.broken_devices = tuple(found[0]), tuple(found[1])
        state.device = next((each for each in state.devices if each.kind == "cuda"), state.devices[0])

    tasks.run(lambda _: find_devices(), key="devices", done=show)


def find_devices_after(ended: Ended, state: AppState, tasks: TaskRunner) -> None:
    """Find the devices again after one has failed: it may be gone for good."""
    if ended.error == DeviceLost.__name__:
        look_for_devices(state, tasks)


def update_free_memory(state: AppState, smallest_change: int = 0) -> None:
    """Read again how much memory the devices have free; changes of fewer bytes are ignored. That of a device which has
    failed stays what it was."""
    read = tuple(map(_with_free_memory, state.devices))
    changes = (abs(now.free_bytes - before.free_bytes) for now, before in zip(read, state.devices, strict=True))
    if max(changes) >= smallest_change:
        state.devices = read
        state.device = next(each for each in read if each.key == state.device.key)


def _with_free_memory(device: Device) -> Device:
    try:
        return replace(device, free_bytes=devices.free_bytes(device.key))
    except (RuntimeError, AssertionError):  # as torch says it of a driver
        return device
