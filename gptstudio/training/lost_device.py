"""Error message for a device that fails during a run."""

from __future__ import annotations

from gptstudio import devices
from gptstudio.i18n import Message, message
from gptstudio.training.executor import Stream
from gptstudio.training.run_folder import RunFolder


def on_a_device(events: Stream, run: RunFolder) -> Stream:
    """Yield the events of the run, and explain a failure of its device.

    Raises:
        DeviceLost: the device failed. Its memory can no longer be read, so only the last checkpoint is left.
    """
    try:
        return (yield from events)
    except Exception as error:
        if not devices.failed(error):
            raise
        what = devices.failure_in_words(error)
        raise devices.DeviceLost(message("{what} {left}", what=what, left=_left(run))) from error


def _left(run: RunFolder) -> Message:
    saved = run.resumable()
    if not saved:
        return message("No checkpoint was saved. Start the run again on the CPU (cpu).")
    return message(
        "The earlier checkpoint {name} is saved: continue from it on the CPU (cpu). To use the device again, restart "
        "GPT Studio.", name=saved[-1].name,
    )
